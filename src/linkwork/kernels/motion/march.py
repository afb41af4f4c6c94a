"""Steps in time, and many of them in one call.

The unknowns are q on its manifold and v. Within a step q is written q₀ ⊕ u with u in the coordinates of `integrate`,
whose rate is u̇ = v + ½ [u, v] + ¹⁄₁₂ [u, [u, v]] + O(u⁴) where a joint's motions do not commute, and v elsewhere.

``table`` lists the force elements (see `forces`), ``limits`` the compliant joint limits, a row each: degree of freedom,
coordinate, lower, upper, stiffness, damping, and 1 for each of the three rows of a rotation vector; ``loops`` is None
for an open linkage, else as in `projection`. ``sq`` (2, nq) and ``sv`` (9, nv) are scratch.

References: [MuntheKaas1999] for Runge–Kutta steps on a manifold; [HairerLubichWanner2006] II.1 for the midpoint rule.
"""

from linkwork.kernels.algebra.rotations import log_quaternion, screw
from linkwork.kernels.algebra.storage import load_vec, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, scale, sub
from linkwork.kernels.closed.projection import closed_acceleration, nearly_singular, project
from linkwork.kernels.joints import local_rate_stage
from linkwork.kernels.layout import (
    DIVERGED,
    FASTEST,
    I_KIND,
    I_V,
    LIMIT,
    N_Q,
    N_STAGES,
    N_V,
    OK,
    UNSOLVED,
)
from linkwork.kernels.motion.strength import overloaded
from linkwork.kernels.numba_ext import any_of, fabs, helper, load, scalar, store, where
from linkwork.kernels.records import index_row, status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.forces import N_FRICTIONS, N_JOINT_SPRINGS, N_SPRINGS, applied_forces
from linkwork.kernels.tree.integrate import integrate

_ROUNDS = 100  # of the midpoint rule's iteration
_EXACT, _CLOSE = 2e-16, 1e-9  # relative changes at which it has ended; or may end when it gets no better

L_DOF, L_COORDINATE, L_LOWER, L_UPPER, L_STIFFNESS, L_DAMPING, L_BALL = range(7)


@helper
def local_rate(model, index, work, option, u, v, out):
    """out = u̇, the rate of local coordinates u when the joints move with v."""
    for i in range(index[N_STAGES]):
        row = index_row(i)
        local_rate_stage(model, i, index[row + I_KIND], u, v, index[row + I_V], out)
    return OK


@helper
def limit_push(limits, j, x, rate):
    """The force, against row j of the limits, of a spring and damper beyond each bound that never pulls."""
    zero = 0.0 * x
    over, under = x - limits[j, L_UPPER], x - limits[j, L_LOWER]
    down = limits[j, L_STIFFNESS] * over + limits[j, L_DAMPING] * rate
    up = limits[j, L_STIFFNESS] * under + limits[j, L_DAMPING] * rate
    return where(over > 0.0, where(down > 0.0, down, zero), zero) + where(under < 0.0, where(up < 0.0, up, zero), zero)


@helper
def limit_forces(limits, q, v, total):
    """Add the push of compliant limits to `total`."""
    j = 0
    while j < limits.shape[0]:
        d, k = int(limits[j, L_DOF]), int(limits[j, L_COORDINATE])
        if limits[j, L_BALL] == 0.0:
            store(total, d, load(total, d) - limit_push(limits, j, load(q, k), load(v, d)))
            j += 1
            continue
        # A rotation vector r has the rate V(−r)⁻¹ ω; a force f on it is the torque V(r)⁻¹ f.
        r = log_quaternion(load_vec(q, k), load(q, k + 3))
        rate = screw(scale(-1.0, r), load_vec(v, d), True)
        f = Vec3(
            limit_push(limits, j, r.x, rate.x),
            limit_push(limits, j + 1, r.y, rate.y),
            limit_push(limits, j + 2, r.z, rate.z),
        )
        store_vec(total, d, sub(load_vec(total, d), screw(r, f, True)))
        j += 3


@helper
def acceleration(model, index, work, table, limits, loops, q, v, tau, total, a):
    """a under τ, force elements and compliant limits; `total` (nv) is scratch."""
    for d in range(index[N_V]):
        store(total, d, load(tau, d))
    limit_forces(limits, q, v, total)
    if loops is not None:
        return closed_acceleration(model, index, work, table, loops, q, v, total, tau[index[N_V] :], a)
    loaded = table[N_SPRINGS] + table[N_JOINT_SPRINGS] + table[N_FRICTIONS] > 0.0
    if loaded:
        outcome = applied_forces(model, index, work, table, q, v, total[:0], total, total)
        if outcome != OK:
            return outcome
    return aba(model, index, work, 1 if loaded else 0, q, v, total, a)


@helper
def move(x, h, rate, out):
    """out = x + h · rate."""
    for d in range(x.shape[0]):
        store(out, d, load(x, d) + h * load(rate, d))


@helper
def scaled(h, rate, out):
    """out = h · rate."""
    for d in range(rate.shape[0]):
        store(out, d, h * load(rate, d))


@helper
def finished(index, q, v, q_out, v_out):
    """Take over the new state (q, v) where every speed is a sane number; the degree of freedom where not, or −1."""
    for d in range(index[N_V]):
        if any_of(fabs(load(v, d)) > FASTEST) or any_of(load(v, d) != load(v, d)):
            return d
    for k in range(index[N_Q]):
        store(q_out, k, load(q, k))
    for d in range(index[N_V]):
        store(v_out, d, load(v, d))
    return -1


@helper
def semi_implicit(model, index, work, table, limits, loops, h, q, v, tau, sq, sv):
    """v' = v + h a(q, v), q' = q ⊕ h v'. The acceleration a(q, v) comes in sv[0]; q and v become the new ones."""
    at, a, w, u = sq[0], sv[0], sv[2], sv[3]
    move(v, h, a, w)
    scaled(h, w, u)
    outcome = integrate(model, index, work, 0, q, u, at)
    if outcome != OK:
        return outcome
    d = finished(index, at, w, q, v)
    return OK if d < 0 else status(DIVERGED, d)


@helper
def rk4(model, index, work, table, limits, loops, h, q, v, tau, sq, sv):
    """The classical Runge–Kutta step in local coordinates. As `semi_implicit` in what it takes and writes."""
    at, a1, total, a, w, u, rate, sum_u, sum_v = sq[0], sv[0], sv[1], sv[2], sv[3], sv[4], sv[5], sv[6], sv[7]
    scaled(1.0, v, sum_u)
    scaled(1.0, a1, sum_v)
    scaled(1.0, v, rate)
    scaled(1.0, a1, a)
    for stage in range(3):
        part = h if stage == 2 else 0.5 * h
        weight = 1.0 if stage == 2 else 2.0
        for d in range(index[N_V]):
            store(u, d, part * load(rate, d))
            store(w, d, load(v, d) + part * load(a, d))
        outcome = integrate(model, index, work, 0, q, u, at)
        if outcome != OK:
            return outcome
        outcome = acceleration(model, index, work, table, limits, loops, at, w, tau, total, a)
        if outcome != OK:
            return outcome
        local_rate(model, index, work, 0, u, w, rate)
        for d in range(index[N_V]):
            store(sum_u, d, load(sum_u, d) + weight * load(rate, d))
            store(sum_v, d, load(sum_v, d) + weight * load(a, d))
    scaled(h / 6.0, sum_u, u)
    move(v, h / 6.0, sum_v, w)
    outcome = integrate(model, index, work, 0, q, u, at)
    if outcome != OK:
        return outcome
    d = finished(index, at, w, q, v)
    return OK if d < 0 else status(DIVERGED, d)


@helper
def midpoint(model, index, work, table, limits, loops, h, q, v, tau, sq, sv):
    """v' = v + h a(q ⊕ ½h v̄, v̄), q' = q ⊕ h v̄, with v̄ = ½(v + v'). As `semi_implicit` in what it takes and writes."""
    at, a1, total, a, mean, u, new = sq[0], sv[0], sv[1], sv[2], sv[3], sv[4], sv[5]
    scaled(1.0, a1, a)
    before = scalar(q, 1e300)
    for _ in range(_ROUNDS):
        move(v, 0.5 * h, a, mean)
        scaled(0.5 * h, mean, u)
        outcome = integrate(model, index, work, 0, q, u, at)
        if outcome == OK:
            outcome = acceleration(model, index, work, table, limits, loops, at, mean, tau, total, new)
        if outcome != OK:
            return status(UNSOLVED, 0)
        change, size = scalar(q, 0.0), scalar(q, 0.0)
        for d in range(index[N_V]):
            dv, speed = h * fabs(load(new, d) - load(a, d)), fabs(load(mean, d)) + h * fabs(load(new, d))
            change = where(dv > change, dv, change)
            size = where(speed > size, speed, size)
            store(a, d, load(new, d))
        going_on = where(change > _EXACT * size, 1.0 + 0.0 * change, 0.0 * change)
        going_on = where(change > _CLOSE * size, going_on, where(change < before, going_on, 0.0 * change))
        if not any_of(going_on > 0.5):
            move(v, 0.5 * h, a, mean)
            scaled(h, mean, u)
            outcome = integrate(model, index, work, 0, q, u, at)
            if outcome != OK:
                return outcome
            move(v, h, a, new)
            d = finished(index, at, new, q, v)
            return OK if d < 0 else status(DIVERGED, d)
        before = change
    return status(UNSOLVED, 0)


@helper
def record(row, t, q, v, a, tau, drift):
    """Write t, q, v, a, τ and the drift one after the other."""
    row[0] = t
    nq, nv = q.shape[0], v.shape[0]
    for k in range(nq):
        row[1 + k] = q[k]
    for d in range(nv):
        row[1 + nq + d] = v[d]
        row[1 + nq + nv + d] = a[d]
    for d in range(tau.shape[0]):
        row[1 + nq + 2 * nv + d] = tau[d]
    row[row.shape[0] - 2], row[row.shape[0] - 1] = drift[0], drift[1]


@helper
def crossed(stops, q):
    """The first row of `stops` (coordinate, lower, upper) whose coordinate is out of bounds, or −1."""
    for j in range(stops.shape[0]):
        x = q[int(stops[j, 0])]
        if x < stops[j, 1] or x > stops[j, 2]:
            return j
    return -1


@helper
def keep(from_q, from_v, q, v):
    """Copy a state."""
    for k in range(from_q.shape[0]):
        q[k] = from_q[k]
    for d in range(from_v.shape[0]):
        v[d] = from_v[d]


def marcher(name, step):
    """Many steps of one kind in one call; each kind is compiled when it is first used."""

    def march(
        model, index, work, table, limits, loops, stops, strengths, origin, dt, first, last, every, q, v, tau, sq, sv,
        drift, rows,
    ):  # fmt: skip
        """Steps first … last − 1 of size dt, step n from origin + n dt, in place; a row is recorded each `every` steps.

        Returns the status, the step reached and the number of rows. It ends early, before the step that it cannot do,
        before the one that takes a coordinate out of the bounds of ``stops``, before the one after which a joint bears
        more than its strength (see `load`), and after one that comes near a singular pose of the loops. ``drift`` is
        (2, 2): what projection took away on the way to the present state, and to the one before it.
        """
        used, n = 0, first
        a, total, moved, q0, v0, held = sv[0], sv[1], sq[0], sq[1], sv[8], tau[index[N_V] :]
        watch, singular = strengths.shape[0] > 0, False
        while n < last or watch:
            outcome = acceleration(model, index, work, table, limits, loops, q, v, tau, total, a)
            if outcome == OK and watch:
                if overloaded(model, index, work, table, loops, strengths, q, v, held, a, total) >= 0:
                    if n > first:  # it happened during the step before
                        n -= 1
                        keep(q0, v0, q, v)
                        drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
                        if n % every == 0:
                            used -= 1
                    return status(LIMIT, 0), n, used
                if n == last:
                    break
            if singular:
                break
            if outcome == OK:
                keep(q, v, q0, v0)
                drift[1, 0], drift[1, 1] = drift[0, 0], drift[0, 1]
                outcome = step(model, index, work, table, limits, loops, dt, q, v, tau, sq, sv)
                if loops is not None and outcome == OK:
                    outcome = project(model, index, work, loops, q, v, moved, drift[0])
                    singular = nearly_singular(loops)
                if outcome == OK and crossed(stops, q) >= 0:
                    outcome = status(LIMIT, 0)
                if outcome != OK:
                    keep(q0, v0, q, v)
                    drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
            if outcome != OK:
                return outcome, n, used
            if n % every == 0:
                record(rows[used], origin + n * dt, q0, v0, a, tau, drift[1])
                used += 1
            n += 1
        return OK, n, used

    march.__name__ = name
    return helper(march)


march_semi_implicit = marcher("march_semi_implicit", semi_implicit)
march_rk4 = marcher("march_rk4", rk4)
march_midpoint = marcher("march_midpoint", midpoint)
