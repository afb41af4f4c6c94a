"""Many steps of one state in one call.

``system`` is what the integrators take: (model, index, work, table, limits, loops, f_ext).
"""

from linkwork.kernels.closed.projection import nearly_singular, project
from linkwork.kernels.layout import DIVERGED, FASTEST, LIMIT, N_V, OK
from linkwork.kernels.motion.integrators import TOTAL, A, acceleration, midpoint, rk4, semi_implicit
from linkwork.kernels.motion.strength import overloaded
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import status


@helper
def too_fast(v):
    """The first degree of freedom whose speed is no sane number, or −1."""
    for d in range(v.shape[0]):
        if not abs(v[d]) <= FASTEST:
            return d
    return -1


@helper
def onto_loops(model, index, work, table, limits, loops, f_ext, q, v, scratch, drift):
    """Bring q and v back onto the loops, where there are any: status, and whether the pose is nearly singular."""
    if loops is None:
        return OK, False
    outcome = project(model, index, work, loops, q, v, scratch, drift)
    return outcome, nearly_singular(loops)


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
def copy_state(from_q, from_v, q, v):
    """Copy a state."""
    for k in range(from_q.shape[0]):
        q[k] = from_q[k]
    for d in range(from_v.shape[0]):
        v[d] = from_v[d]


def marcher(name, step):
    """Many steps of one kind in one call; each kind is compiled when it is first used."""

    def march(system, stops, strengths, origin, dt, first, last, every, q, v, tau, scratch, drift, rows):
        """Steps first … last − 1 of size dt, step n from origin + n dt, in place; every `every`-th leaves a row.

        Returns the status, the step reached and the number of rows. It ends early, before the step that it cannot do,
        before the one that takes a coordinate out of the bounds of ``stops``, before the one after which a joint bears
        more than its strength (see `strength`), and after one that comes near a singular pose of the loops. ``drift``
        is (2, 2): what projection took away on the way to the present state, and to the one before it. ``scratch`` is
        (2, nq), (`STEP_SCRATCH`, nv) and (2, nv).
        """
        model, index, work, table, limits, loops, f_ext = system
        coordinates, s, velocities = scratch
        at, q0, new_v, v0, loop_tau = coordinates[0], coordinates[1], velocities[0], velocities[1], tau[index[N_V] :]
        watch, singular = strengths.shape[0] > 0, False
        used, n = 0, first
        while n < last or watch:
            outcome = acceleration(system, origin + n * dt, q, v, tau, s[TOTAL], s[A])
            if outcome == OK and watch:
                if overloaded(model, index, work, table, loops, strengths, q, v, loop_tau, s[A], s[TOTAL]) >= 0:
                    if n > first:  # it happened during the step before
                        n -= 1
                        copy_state(q0, v0, q, v)
                        drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
                        if n % every == 0:
                            used -= 1
                    return status(LIMIT, 0), n, used
                if n == last:
                    break
            if singular:
                break
            if outcome == OK:
                copy_state(q, v, q0, v0)
                drift[1, 0], drift[1, 1] = drift[0, 0], drift[0, 1]
                outcome = step(system, origin + n * dt, dt, q, v, tau, at, s, at, new_v)
                if outcome == OK and too_fast(new_v) >= 0:
                    outcome = status(DIVERGED, too_fast(new_v))
                if outcome == OK:
                    copy_state(at, new_v, q, v)
                    outcome, singular = onto_loops(
                        model, index, work, table, limits, loops, f_ext, q, v, at, drift[0]
                    )  # fmt: skip
                if outcome == OK and crossed(stops, q) >= 0:
                    outcome = status(LIMIT, 0)
                if outcome != OK:
                    copy_state(q0, v0, q, v)
                    drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
            if outcome != OK:
                return outcome, n, used
            if n % every == 0:
                record(rows[used], origin + n * dt, q0, v0, s[A], tau, drift[1])
                used += 1
            n += 1
        return OK, n, used

    march.__name__ = name
    return helper(march)


march_semi_implicit = marcher("march_semi_implicit", semi_implicit)
march_rk4 = marcher("march_rk4", rk4)
march_midpoint = marcher("march_midpoint", midpoint)
