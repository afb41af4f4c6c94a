"""Many steps of one state in one call, with points on surfaces: trees, with all that `march` knows but drives.

``system`` is that of `march` with the points behind it, a tuple as `contact.points.Contacts` lists them, and an
array (nv) of zeros. Their modes are given; a march ends before the step in which one of them changes: where friction no
longer holds a point that sticks, or a point that slides comes to rest.
"""

import math

from linkwork.kernels.contact.constrained import contact_acceleration
from linkwork.kernels.contact.point_projection import project_points
from linkwork.kernels.contact.points import Contacts
from linkwork.kernels.layout import DIVERGED, LIMIT, N_V, OK
from linkwork.kernels.layout.contacts import (
    D_MODE,
    D_SLIDING,
    FROM_STATE,
    O_FORCE,
    O_FRAME,
    O_SLIP,
    POINT_ROW,
    SLIDES,
    STICKS,
    T_FRICTION,
    T_STATIC,
)
from linkwork.kernels.motion.acting import act, control
from linkwork.kernels.motion.integrators import (
    TOTAL,
    A,
    advance,
    combine,
    integrators,
    largest_change,
    scaled,
    system_rate,
)
from linkwork.kernels.motion.limits import limit_forces
from linkwork.kernels.motion.march import copy_state, crossed, keep, record, too_fast
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.records import status

MOVING = 1e-7  # m/s: from here on the direction of sliding is that of the motion
_HOLDS = 1e-11  # of a force: by so much a point that sticks may be beyond its cone
_RESTS = -1e-12  # m/s: so fast a point may slide back


@helper
def touched(model, index, work, table, limits, f_ext, acting, contacts, zero, t, q, v, tau, total, a):
    """a = dv/dt under held torques, all that acts and the points' forces."""
    outcome = act(model, index, work, acting, f_ext, t, q, v, tau)
    if outcome != OK:
        return outcome
    nv, applied = index[N_V], acting.applied
    for d in range(nv):
        total[d] = applied[d]
    limit_forces(limits, q, v, total)
    c = Contacts(*contacts)
    return contact_acceleration(model, index, work, table, None, c, t, q, v, total, f_ext, zero[:0], zero, a, total)


@inlined
def acceleration(system, t, q, v, tau, total, a):
    """`touched` of a system."""
    model, index, work, table, limits, _, f_ext, acting, contacts, zero = system
    return touched(model, index, work, table, limits, f_ext, acting, contacts, zero, t, q, v, tau, total, a)


semi_implicit, rk4, midpoint = map(
    inlined, integrators(acceleration, advance, system_rate, combine, scaled, largest_change)
)


@helper
def least_margin(c):
    """How far the points are from a change of their modes, the least of it; negative beyond. Of what `out` holds.

    Sticking: what static friction could still bear, beside the normal force; sliding: the speed along the direction of
    sliding, m/s.
    """
    least = math.inf
    for k in range(c.out.shape[0]):
        out, mode, row = c.out[k], c.modes[k], POINT_ROW * k
        if int(mode[D_MODE]) == STICKS:
            pressed = abs(out[O_FORCE])
            held = math.sqrt(out[O_FORCE + 1] ** 2 + out[O_FORCE + 2] ** 2)
            least = min(least, (c.points[row + T_STATIC] * pressed - held) / (pressed + held + 1e-300) + _HOLDS)
        elif int(mode[D_MODE]) == SLIDES and c.points[row + T_FRICTION] > 0.0:
            along, square = 0.0, out[O_SLIP] ** 2 + out[O_SLIP + 1] ** 2
            for j in range(3):
                slip = out[O_SLIP] * out[O_FRAME + 3 + j] + out[O_SLIP + 1] * out[O_FRAME + 6 + j]
                along += slip * mode[D_SLIDING + j]
            if along > 0.0 or 2.0 * along * along >= square:  # else it turns, and does not stop
                least = min(least, along - _RESTS)
    return least


@helper
def turn_along(c):
    """Let the directions of sliding be those of the motion, where it is fast enough to have one."""
    for k in range(c.out.shape[0]):
        out, mode = c.out[k], c.modes[k]
        speed = math.sqrt(out[O_SLIP] ** 2 + out[O_SLIP + 1] ** 2)
        if speed > MOVING and (int(mode[D_MODE]) == SLIDES or int(mode[D_MODE]) == FROM_STATE):
            mode[D_MODE] = SLIDES
            for j in range(3):
                slip = out[O_SLIP] * out[O_FRAME + 3 + j] + out[O_SLIP + 1] * out[O_FRAME + 6 + j]
                mode[D_SLIDING + j] = slip / speed


def marcher(name, step):
    """Many steps of one kind in one call; each kind is compiled when it is first used."""

    def march(system, stops, strengths, origin, dt, first, last, every, number, q, v, tau, scratch, drift, rows):
        """As in `march`; where ``strengths`` has a row, it ends before a step in which a point changes its mode."""
        model, index, work, _, _, _, f_ext, acting, contacts, zero = system
        c = Contacts(*contacts)
        coordinates, s, velocities = scratch
        at, q0, new_v, v0 = coordinates[0], coordinates[1], velocities[0], velocities[1]
        watch = strengths.shape[0] > 0
        used, n = 0, first
        while n < last or watch:
            t = origin + n * dt
            outcome = control(model, index, work, acting, number + n - first, t, q, v, tau) if n < last else OK
            if outcome == OK:
                outcome = acceleration(system, t, q, v, tau, s[TOTAL], s[A])
            if outcome == OK and watch:
                if least_margin(c) < 0.0:
                    if n > first:  # it happened during the step before
                        n -= 1
                        copy_state(q0, v0, q, v)
                        drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
                        if n % every == 0:
                            used -= 1
                    return status(LIMIT, 0), n, used
                if n == last:
                    break
            if outcome == OK:
                kept = n % every == 0
                if kept:
                    keep(acting, f_ext)
                turn_along(c)
                copy_state(q, v, q0, v0)
                drift[1, 0], drift[1, 1] = drift[0, 0], drift[0, 1]
                outcome = step(system, t, dt, q, v, tau, at, s, at, new_v)
                if outcome == OK and too_fast(new_v) >= 0:
                    outcome = status(DIVERGED, too_fast(new_v))
                if outcome == OK:
                    copy_state(at, new_v, q, v)
                    outcome = project_points(model, index, work, c, origin + (n + 1) * dt, q, v, zero, at, drift[0])
                if outcome == OK and crossed(stops, q) >= 0:
                    outcome = status(LIMIT, 0)
                if outcome != OK:
                    copy_state(q0, v0, q, v)
                    drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
            if outcome != OK:
                return outcome, n, used
            if kept:
                record(rows[used], t, q0, v0, s[A], acting, drift[1])
                used += 1
            n += 1
        return OK, n, used

    march.__name__ = name
    return helper(march)


march_semi_implicit = marcher("march_semi_implicit", semi_implicit)
march_rk4 = marcher("march_rk4", rk4)
march_midpoint = marcher("march_midpoint", midpoint)
