"""One step in time: the integrators, written once for any scalar and for whatever computes accelerations.

The unknowns are q on its manifold and v. Within a step q is written q₀ ⊕ u with u in the coordinates of `integrate`,
whose rate is u̇ = dexp⁻¹(u) v where a joint's motions do not commute, and v elsewhere.

`integrators` makes the steps from a few operations. Compiled code makes them from those below, for floats and for packs
of states; `linkwork.simulation.stepper` makes the same steps from NumPy's, where callbacks act.

Symbols: h the time step, τ torques that are held, a = dv/dt, u the local coordinates.

References: [MuntheKaas1999] and [Hairer2006] IV.8, III.4.1 for steps on a manifold; II.1 and VI.3 for the
midpoint rule and the symplectic Euler method.
"""

from linkwork.kernels.closed.projection import closed_acceleration
from linkwork.kernels.joints import local_rate_stage
from linkwork.kernels.layout import FAILED, I_KIND, I_V, N_STAGES, N_V, OK, STEP_SCRATCH, UNSOLVED
from linkwork.kernels.motion.limits import limit_forces, loop_torques
from linkwork.kernels.numba_ext import any_of, fabs, helper, inlined, load, scalar, separate, store, where
from linkwork.kernels.records import index_row
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.forces import applied_forces, has_forces
from linkwork.kernels.tree.integrate import integrate

_ROUNDS = 100  # of the midpoint rule's iteration
_EXACT, _CLOSE = 2e-16, 1e-9  # relative changes at which it has ended; or may end when it gets no better
_UNSEEN, _STILL = 1e-12, 1e-15  # of q/h, and in rad/s or m/s: changes of a velocity too small to be told from rounding

A, TOTAL, _STAGE_A, _STAGE_V, _U, _RATE, _SUM_U, _SUM_V = range(STEP_SCRATCH)


def integrators(acceleration, advance, local_rate, combine, scaled, largest_change):
    """The steps (semi-implicit, rk4, midpoint), made from these operations.

    Each is ``step(system, t, h, q, v, tau, at, s, new_q, new_v) -> status``. It takes the acceleration a(q, v) in
    ``s[A]``; the new state may take the place of the old one. ``at`` (nq) and ``s``, `STEP_SCRATCH` arrays of nv, are
    scratch.
    """

    def semi_implicit(system, t, h, q, v, tau, at, s, new_q, new_v):
        """v' = v + h a(q, v), q' = q ⊕ h v'."""
        combine(v, h, s[A], new_v)
        scaled(h, new_v, s[_U])
        return advance(system, q, s[_U], new_q)

    def rk4(system, t, h, q, v, tau, at, s, new_q, new_v):
        """The classical Runge–Kutta step in local coordinates."""
        a, w, u, rate, sum_u, sum_v = s[_STAGE_A], s[_STAGE_V], s[_U], s[_RATE], s[_SUM_U], s[_SUM_V]
        scaled(1.0, v, sum_u)
        scaled(1.0, s[A], sum_v)
        scaled(1.0, v, rate)
        scaled(1.0, s[A], a)
        for stage in range(3):
            part = h if stage == 2 else 0.5 * h
            weight = 1.0 if stage == 2 else 2.0
            scaled(part, rate, u)
            combine(v, part, a, w)
            outcome = advance(system, q, u, at)
            if outcome != OK:
                return outcome
            outcome = acceleration(system, t + part, at, w, tau, s[TOTAL], a)
            if outcome != OK:
                return outcome
            local_rate(system, u, w, rate)
            combine(sum_u, weight, rate, sum_u)
            combine(sum_v, weight, a, sum_v)
        scaled(h / 6.0, sum_u, u)
        combine(v, h / 6.0, sum_v, new_v)
        return advance(system, q, u, new_q)

    def midpoint(system, t, h, q, v, tau, at, s, new_q, new_v):
        """v' = v + h a(q ⊕ ½h v̄, v̄), q' = q ⊕ h v̄, with v̄ = ½(v + v')."""
        a, w, u, mean, new = s[_STAGE_A], s[_STAGE_V], s[_U], s[_SUM_U], s[_SUM_V]
        scaled(1.0, s[A], a)
        before = scalar(q, 1e300)
        for _ in range(_ROUNDS):
            combine(v, 0.5 * h, a, mean)
            scaled(0.5 * h, mean, u)
            scaled(1.0, mean, w)
            outcome = advance(system, q, u, at)
            if outcome == OK:
                outcome = acceleration(system, t + 0.5 * h, at, w, tau, s[TOTAL], new)
            if outcome != OK:
                return outcome if outcome & 15 >= FAILED else UNSOLVED
            change, size, reach = largest_change(h, q, a, new, mean)
            scaled(1.0, new, a)
            # At rest forces cancel and velocities vanish: what rounding leaves is small beside q/h alone.
            close = _CLOSE * size + _UNSEEN / h * reach + _STILL
            going_on = where(change > _EXACT * size, 1.0 + 0.0 * change, 0.0 * change)
            going_on = where(change > close, going_on, where(change < before, going_on, 0.0 * change))
            if not any_of(going_on > 0.5):
                combine(v, 0.5 * h, a, mean)
                scaled(h, mean, u)
                combine(v, h, a, new_v)
                return advance(system, q, u, new_q)
            before = change
        return UNSOLVED

    return semi_implicit, rk4, midpoint


def steps_with(acceleration):
    """The steps (semi-implicit, rk4, midpoint) in compiled code, with this acceleration.

    They are put in place of their calls: to hand over a system and its scratch space takes a twentieth of a short step.
    """
    return map(inlined, integrators(acceleration, advance, system_rate, combine, scaled, largest_change))


@helper
def acceleration_of(model, index, work, table, limits, loops, f_ext, q, v, tau, total, a):
    """a = dv/dt under τ, force elements, compliant limits and wrenches on bodies; `total` (nv) is scratch.

    ``table`` lists the force elements (see `forces`); None where nothing acts, ``f_ext`` neither.
    ``loops`` (see `projection`) and ``limits`` (see `limits`) may be None; ``f_ext`` is empty where no wrenches act.
    With loops, torques of the loop joints follow in ``tau``. What is None is not compiled.
    """
    acting = tau
    if limits is not None or loops is not None:
        for d in range(index[N_V]):
            store(total, d, load(tau, d))
        acting = total
    if limits is not None:
        limit_forces(limits, q, v, total)
    if loops is not None:
        outcome = loop_torques(model, index, work, loops, limits, q, v, tau[index[N_V] :])
        if outcome != OK:
            return outcome
        return closed_acceleration(model, index, work, table, loops, f_ext, q, v, acting, a)
    if table is None:
        return aba(model, index, work, 0, q, v, acting, a)
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    if loaded:
        outcome = applied_forces(model, index, work, table, q, v, f_ext, acting, total)
        if outcome != OK:
            return outcome
        acting = total
    return aba(model, index, work, 1 if loaded else 0, q, v, acting, a)


@inlined
def advance(system, q, u, out):
    """out = q ⊕ u."""
    return integrate(system[0], system[1], system[2], 0, q, u, out)


@separate
def local_rate(model, index, work, option, u, v, out):
    """out = u̇, the rate of local coordinates u when the joints move with v."""
    for i in range(index[N_STAGES]):
        row = index_row(i)
        local_rate_stage(model, i, index[row + I_KIND], u, v, index[row + I_V], out)
    return OK


@inlined
def system_rate(system, u, v, out):
    """`local_rate` of a system."""
    return local_rate(system[0], system[1], system[2], 0, u, v, out)


@helper
def combine(x, h, rate, out):
    """out = x + h · rate."""
    for d in range(x.shape[0]):
        store(out, d, load(x, d) + h * load(rate, d))


@helper
def scaled(h, rate, out):
    """out = h · rate."""
    for d in range(rate.shape[0]):
        store(out, d, h * load(rate, d))


@helper
def largest_change(h, q, a, new, mean):
    """The largest change of a velocity when `new` takes the place of a, the largest velocity and coordinate."""
    change, size = scalar(a, 0.0), scalar(a, 0.0)
    for d in range(a.shape[0]):
        dv, speed = h * fabs(load(new, d) - load(a, d)), fabs(load(mean, d)) + h * fabs(load(new, d))
        change = where(dv > change, dv, change)
        size = where(speed > size, speed, size)
    reach = scalar(a, 0.0)
    for k in range(q.shape[0]):
        reach = where(fabs(load(q, k)) > reach, fabs(load(q, k)), reach)
    return change, size, reach
