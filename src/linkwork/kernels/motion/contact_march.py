"""Many steps of one state in one call, with points on surfaces, and all that `march` knows.

``system`` is that of `march` with the points behind it, a tuple as `contact.points.Contacts` lists them, and an
array (nv) of zeros. Their modes are given; a march ends before the step in which one of them changes: where friction no
longer holds a point that sticks, or a point that slides comes to rest.
"""

import math

from linkwork.kernels.contact.points import FORCE, Contacts
from linkwork.kernels.contact.response import push_stages
from linkwork.kernels.contact.solutions import with_points
from linkwork.kernels.layout import OK
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
from linkwork.kernels.layout.strengths import POINT, S_FORCE, S_KIND, S_WHERE
from linkwork.kernels.motion.integrators import steps_with
from linkwork.kernels.motion.march import acted_on, borne, marcher
from linkwork.kernels.motion.march import settle as settle_loops
from linkwork.kernels.motion.point_projection import project_points
from linkwork.kernels.motion.strength import has_strengths, overloaded
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.tree.forces import is_loaded

MOVING = 1e-7  # m/s: from here on the direction of sliding is that of the motion
_HOLDS = 1e-11  # of a force: by so much a point that sticks may be beyond its cone
_RESTS = -1e-12  # m/s: so fast a point may slide back


@helper
def touched(model, index, work, table, limits, loops, f_ext, acting, contacts, zero, t, q, v, tau, total, a):
    """a = dv/dt under held torques, all that acts and the points' forces."""
    outcome = acted_on(model, index, work, table, limits, loops, f_ext, acting, t, q, v, tau, total, a)
    if outcome != OK:
        return outcome
    return with_points(model, index, work, loops, Contacts(*contacts), t, zero, a)


@inlined
def acceleration(system, t, q, v, tau, total, a):
    """`touched` of a system."""
    model, index, work, table, limits, loops, f_ext, acting, contacts, zero = system
    return touched(model, index, work, table, limits, loops, f_ext, acting, contacts, zero, t, q, v, tau, total, a)


semi_implicit, rk4, midpoint = steps_with(acceleration)


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


@helper
def torn(c, strengths):
    """Whether a point bears more than its strength."""
    for j in range(strengths.shape[0]):
        if strengths[j, S_KIND] == POINT:
            out = c.out[int(strengths[j, S_WHERE])]
            force = out[O_FORCE] ** 2 + out[O_FORCE + 1] ** 2 + out[O_FORCE + 2] ** 2
            if force > strengths[j, S_FORCE] ** 2:
                return True
    return False


@inlined
def bear(system, strengths, driven, q, v, a, tau):
    """The torques of drives, and what joints bear, after `acceleration`."""
    if driven or has_strengths(strengths):
        model, index, work, table, _, loops, f_ext, _, contacts, _ = system
        c = Contacts(*contacts)
        n, loaded = c.out.shape[0], is_loaded(table, f_ext)
        push_stages(index, work, loaded, n, c.stages, c.places, c.frames, 1.0, c.lines[FORCE])
        borne(model, index, work, True, loops, strengths, q, v, a, tau)


@inlined
def overdue(system, strengths, q, v):
    """Whether a point has come to the end of its mode, or something bears more than its strength."""
    c = Contacts(*system[8])
    if least_margin(c) < 0.0:
        return True
    return has_strengths(strengths) and (overloaded(system[2], system[5], strengths) >= 0 or torn(c, strengths))


@inlined
def ready(system):
    """Let points slide along their motion."""
    turn_along(Contacts(*system[8]))


@inlined
def settle(system, near, t, q, v, scratch, drift):
    """Bring a state back onto drives, loops and surfaces."""
    model, index, work, _, _, loops, _, acting, contacts, zero = system
    outcome, singular = settle_loops(model, index, work, loops, near, acting, t, q, v, scratch, drift)
    if outcome != OK:
        return outcome, singular
    c = Contacts(*contacts)
    return project_points(model, index, work, loops, near, acting, c, t, q, v, zero, scratch, drift), singular


_WAYS = acceleration, bear, overdue, ready, settle
march_semi_implicit = marcher("march_semi_implicit", semi_implicit, False, *_WAYS)
march_rk4 = marcher("march_rk4", rk4, True, *_WAYS)
march_midpoint = marcher("march_midpoint", midpoint, False, *_WAYS)
