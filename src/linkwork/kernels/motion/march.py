"""Many steps of one state in one call, with all that acts on it.

``system`` is (model, index, work, table, limits, loops, f_ext, acting): ``table`` lists the force elements (see
`forces`), ``limits`` the compliant ones (see `limits`); ``loops`` (see `projection`) is None for open linkages without
drives; ``f_ext`` (6 per body) is empty where no wrenches act; ``acting`` (see `acting`) has torques, wrenches, drives.
"""

from linkwork.kernels.closed.projection import closed_acceleration, nearly_singular, project
from linkwork.kernels.closed.reactions import least_forces
from linkwork.kernels.closed.records import axis_record_at
from linkwork.kernels.layout import DIVERGED, LIMIT, N_V, OK
from linkwork.kernels.layout.acting import C_CLOSED, C_DRIVES, C_STOP, C_STOPS, T_END, T_NUMBER, T_ROWS, T_STEP
from linkwork.kernels.layout.loops import A_GIVEN
from linkwork.kernels.motion.acting import act, control, is_asked, met, too_fast
from linkwork.kernels.motion.drives import add_drive_torques, follow, impose, pulled_off, refused, without_couplings
from linkwork.kernels.motion.integrators import TOTAL, A, steps_with
from linkwork.kernels.motion.limits import limit_forces, loop_torques
from linkwork.kernels.motion.strength import inverse_dynamics, overloaded
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.records import status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.forces import applied_forces, is_loaded
from linkwork.kernels.tree.hybrid_aba import hybrid_aba

_SAME = 1e-9  # of a step: times so close are one


@helper
def stage_time(clock, t):
    """The time of a stage: at the end of a step that at which the next one starts, to the last digit."""
    end = clock[T_END]
    return end if abs(t - end) < _SAME * (end - clock[T_STEP]) else t


@helper
def load_stages(table, model, index, work, f_ext, q, v, tau):
    """Apply what acts to the stages, and add it to `tau`; nothing where the table is None."""
    if table is None or not is_loaded(table, f_ext):
        return OK
    else:  # noqa: RET505
        return applied_forces(model, index, work, table, q, v, f_ext, tau, tau)


@helper
def led(held, model, index, work, table, loops, f_ext, q, v, tau, a):
    """a of a linkage with loops or drives under `tau`; of a tree whose joints are `held`, by hybrid dynamics."""
    if held is None:
        return closed_acceleration(model, index, work, table, loops, f_ext, q, v, tau, a)
    else:  # noqa: RET505 — the compiler looks for both branches
        for d in range(index[N_V]):
            if held[d] != 0:
                a[d] = loops[2][axis_record_at(loops[0], d) + A_GIVEN]
        outcome = load_stages(table, model, index, work, f_ext, q, v, tau)
        loaded = 1 if is_loaded(table, f_ext) else 0
        return hybrid_aba(model, index, work, held, loaded, q, v, tau, a) if outcome == OK else outcome


@helper
def acted_on(model, index, work, table, limits, loops, f_ext, acting, t, q, v, tau, total, a):
    """a = dv/dt under held torques and all that acts; `total` (nv) receives all torques in tree joints."""
    t = stage_time(acting.clock, t)
    outcome = act(model, index, work, acting, f_ext, t, q, v, tau)
    if outcome != OK:
        return outcome
    applied, nv = acting.applied, index[N_V]
    if loops is not None:
        outcome = follow(acting, loops, t, q, v)
        if outcome != OK:
            return outcome
    for d in range(nv):
        total[d] = applied[d]
    if limits is not None:
        limit_forces(limits, q, v, total)
    if loops is not None:
        outcome = loop_torques(model, index, work, loops, limits, q, v, applied[nv:])
        if outcome == OK:
            outcome = led(acting.held, model, index, work, table, loops, f_ext, q, v, total, a)
        return refused(acting, loops) if outcome == OK else outcome
    if table is None:
        return aba(model, index, work, 0, q, v, total, a)
    loaded = is_loaded(table, f_ext)
    if loaded:
        outcome = applied_forces(model, index, work, table, q, v, f_ext, total, total)
        if outcome != OK:
            return outcome
    return aba(model, index, work, 1 if loaded else 0, q, v, total, a)


@inlined
def acceleration(system, t, q, v, tau, total, a):
    """`acted_on` of a system."""
    model, index, work, table, limits, loops, f_ext, acting = system
    return acted_on(model, index, work, table, limits, loops, f_ext, acting, t, q, v, tau, total, a)


semi_implicit, rk4, midpoint = steps_with(acceleration)


@helper
def settle(model, index, work, loops, near, acting, t, q, v, scratch, drift):
    """Bring q and v back onto drives and loops: status, and whether the pose is nearly singular.

    `near` as in `project_to`: whether forward dynamics was evaluated last near this pose.
    """
    if loops is None:
        return OK, False
    outcome = OK
    if acting.calls[C_DRIVES] != 0:
        outcome = impose(acting, True, t, q, v)
    if outcome != OK or acting.calls[C_CLOSED] == 0:
        return outcome, False
    outcome = project(model, index, work, loops, near, q, v, scratch, drift)
    return outcome, nearly_singular(loops)


@helper
def keep(acting, f_ext):
    """Keep torques and wrenches as they are now, to be recorded."""
    n = acting.applied.shape[0]
    for d in range(n):
        acting.kept[d] = acting.applied[d]
    for k in range(f_ext.shape[0]):
        acting.kept[n + k] = f_ext[k]


@helper
def record(row, t, q, v, a, acting, drift):
    """Write t, q, v, a, τ, the drift and wrenches one after the other."""
    row[0] = t
    nq, nv, n = q.shape[0], v.shape[0], acting.applied.shape[0]
    for k in range(nq):
        row[1 + k] = q[k]
    for d in range(nv):
        row[1 + nq + d] = v[d]
        row[1 + nq + nv + d] = a[d]
    at = 1 + nq + 2 * nv
    for d in range(n):
        row[at + d] = acting.kept[d]
    row[at + n], row[at + n + 1] = drift[0], drift[1]
    for k in range(row.shape[0] - at - n - 2):
        row[at + n + 2 + k] = acting.kept[n + k]


@helper
def crossed(stops, q):
    """The first row of `stops` (coordinate, lower, upper) whose coordinate is out of bounds, or −1."""
    for j in range(stops.shape[0]):
        x = q[int(stops[j, 0])]
        if x < stops[j, 1] or x > stops[j, 2]:
            return j
    return -1


@helper
def copy_state(from_q, from_v, q, v):
    """Copy a state."""
    for k in range(from_q.shape[0]):
        q[k] = from_q[k]
    for d in range(from_v.shape[0]):
        v[d] = from_v[d]


@helper
def take_back(q0, v0, drift, q, v):
    """Return to the state before a step, and to what projection took away on the way to that."""
    copy_state(q0, v0, q, v)
    drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]


@helper
def share(index, loops, strengths):
    """Let redundant constraints share their forces, where strengths are watched: motion leaves that open."""
    if strengths is not None:
        least_forces(index, loops)


@helper
def borne(model, index, work, loaded, loops, strengths, q, v, a, tau):
    """`inverse_dynamics`, where there are strengths to watch, or loops or drives."""
    if loops is None:
        if strengths is None:
            return
    else:
        share(index, loops, strengths)
    inverse_dynamics(model, index, work, loaded, loops, q, v, a, tau)
    if loops is not None:
        without_couplings(loops, tau)


@inlined
def bear(system, strengths, driven, q, v, a, tau):
    """Find what joints bear, and the torques that this takes; after `acceleration`."""
    model, index, work, table, _, loops, f_ext, _ = system
    borne(model, index, work, is_loaded(table, f_ext), loops, strengths, q, v, a, tau)


@inlined
def broken(system, strengths, q, v):
    """Whether a joint bears more than its strength, where there are strengths to watch; after `bear`."""
    return False if strengths is None else overloaded(system[2], system[5], strengths) >= 0


@inlined
def ready(system):
    """Nothing is to be done before a step."""


@inlined
def settled(system, near, t, q, v, scratch, drift):
    """`settle` of a system."""
    model, index, work, _, _, loops, _, acting = system
    return settle(model, index, work, loops, near, acting, t, q, v, scratch, drift)


@helper
def are_watched(strengths):
    """Whether there are strengths, or modes, to watch."""
    return False if strengths is None else strengths.shape[0] > 0


def marcher(name, step, near, acceleration, bear, overdue, ready, settle):
    """Many steps of one kind in one call, each made of these operations; compiled when it is first used.

    ``step`` is one of `integrators`, whose last stage is `near` its end, or not; ``overdue(system, strengths, q, v)``
    says whether what is watched has happened before the present state, ``ready(system)`` makes a step ready,
    ``settle(system, near, t, q, v, scratch, drift)`` brings a state back onto its constraints: a status, and whether
    its pose is nearly singular.
    """

    def march(system, stops, strengths, origin, dt, first, last, every, number, q, v, tau, scratch, drift, rows):
        """Steps first … last − 1 of size dt, step n from origin + n dt, in place; every `every`-th leaves a row.

        Returns the status, the step reached and the number of rows. It ends early, before the step that it cannot do,
        before the one that takes a coordinate out of the bounds of ``stops`` or meets a condition that is watched (see
        `acting`), before the one after which a joint bears more than its strength (see `strength`; None for no
        strengths) or is pulled off the hard limit that it leans on, after one that comes near a singular pose of the
        loops, and after one in which it is told to stop.
        Where any of this is watched, controllers and conditions are asked of a state only when it is known to stay.
        For a controller the first step is ``number``. ``drift`` is (2, 2): what projection took away on the way to the
        present state, and to the one before it. ``scratch`` is (2, nq), (`STEP_SCRATCH`, nv) and (2, nv). A table of no
        force elements, and one of no limits, may be None.
        """
        model, index, work, loops, f_ext, acting = system[0], system[1], system[2], system[5], system[6], system[7]
        coordinates, s, velocities = scratch
        at, q0, new_v, v0 = coordinates[0], coordinates[1], velocities[0], velocities[1]
        leans = acting.calls[C_STOPS] != 0
        watch, singular, sure = leans or are_watched(strengths), False, True
        used, n = 0, first
        while n < last or watch:
            t = origin + n * dt
            acting.clock[T_STEP], acting.clock[T_END] = t, origin + (n + 1) * dt
            acting.clock[T_NUMBER], acting.clock[T_ROWS] = number + n - first, used
            asks, outcome = watch and not sure and is_asked(acting, number + n - first), OK
            if n < last and not asks:
                outcome = control(model, index, work, acting, number + n - first, t, q, v, tau)
            if outcome == OK:
                outcome = acceleration(system, t, q, v, tau, s[TOTAL], s[A])
            kept = n % every == 0
            driven = leans or (kept and acting.calls[C_DRIVES] != 0)
            if outcome == OK and (watch or driven):
                bear(system, strengths, driven, q, v, s[A], new_v)
            if kept:
                keep(acting, f_ext)
                add_drive_torques(loops, acting, s[TOTAL], new_v)
            if outcome == OK and watch:
                over = overdue(system, strengths, q, v) or (leans and pulled_off(loops, acting, s[TOTAL], new_v))
                if over or (asks and met(acting, t, number + n - first, used, q, v)):
                    if not sure:  # it happened during the step before
                        n -= 1
                        take_back(q0, v0, drift, q, v)
                        if n % every == 0:
                            used -= 1
                    return status(LIMIT, 0), n, used
                if n == last or (n > first and acting.calls[C_STOP] != 0):
                    break
                sure = True
            if singular:
                break
            if asks:
                if outcome != OK:
                    return outcome, n, used
                continue  # the state stays: controllers may be asked
            if outcome == OK:
                ready(system)
                copy_state(q, v, q0, v0)
                drift[1, 0], drift[1, 1] = drift[0, 0], drift[0, 1]
                outcome = step(system, t, dt, q, v, tau, at, s, at, new_v)
                if outcome == OK and too_fast(new_v) >= 0:
                    outcome = status(DIVERGED, too_fast(new_v))
                if outcome == OK:
                    copy_state(at, new_v, q, v)
                    outcome, singular = settle(system, near, origin + (n + 1) * dt, q, v, at, drift[0])
                if outcome == OK and crossed(stops, q) >= 0:
                    outcome = status(LIMIT, 0)
                if outcome != OK:
                    take_back(q0, v0, drift, q, v)
            if outcome != OK:
                return outcome, n, used
            if kept:
                record(rows[used], t, q0, v0, s[A], acting, drift[1])
                used += 1
            n += 1
            sure = not watch
            if sure and met(acting, origin + n * dt, number + n - first, used, q, v):
                take_back(q0, v0, drift, q, v)
                return status(LIMIT, 0), n - 1, used - 1 if kept else used
            if sure and acting.calls[C_STOP] != 0:
                break
        return OK, n, used

    march.__name__ = name
    return helper(march)


_WAYS = acceleration, bear, broken, ready, settled
march_semi_implicit = marcher("march_semi_implicit", semi_implicit, False, *_WAYS)
march_rk4 = marcher("march_rk4", rk4, True, *_WAYS)
march_midpoint = marcher("march_midpoint", midpoint, False, *_WAYS)
