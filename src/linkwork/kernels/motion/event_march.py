"""Many steps of one state in one call, with shapes that touch in modes that hold: all that `march` knows, and contacts.

``system`` is that of `march` with the meetings behind it, a tuple as `contact.shape_motion.Meetings` lists them. It
ends before the step in which a contact opens, closes, begins to slip or comes to rest, or a joint breaks.
"""

from linkwork.kernels.closed.projection import FORCE
from linkwork.kernels.contact.field import place_surfaces
from linkwork.kernels.contact.response import contact_motion, push_stages
from linkwork.kernels.contact.shape_forces import (
    COUNT,
    NOW,
    errors,
    least_margin,
    mending,
    most_haste,
    press,
    turn_along,
)
from linkwork.kernels.contact.shape_motion import Meetings, observe_closed, place_stages
from linkwork.kernels.layout import FAILED, IRREGULAR, N_Q, N_V, OK
from linkwork.kernels.layout.acting import C_DRIVES, C_FAILED, T_END, T_STEP
from linkwork.kernels.layout.loops import P_ROWS
from linkwork.kernels.layout.shapes import HASTE
from linkwork.kernels.motion.contact_stepping import answer, feel
from linkwork.kernels.motion.drives import add_drive_torques
from linkwork.kernels.motion.factors import factorise
from linkwork.kernels.motion.integrators import TOTAL, A, steps_with
from linkwork.kernels.motion.march import acted_on, borne, keep, marcher
from linkwork.kernels.motion.march import settle as settle_loops
from linkwork.kernels.motion.strength import has_strengths, overloaded
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.records import all_finite, status
from linkwork.kernels.tree.forces import is_loaded
from linkwork.kernels.tree.integrate import integrate
from linkwork.kernels.tree.kinematics import velocities_and_poses

_ROUNDS = 8  # of Newton's method
_GAP, _SPEED = 1e-13, 1e-13  # m, m/s: errors that are left alone
_REDUNDANT = 1e-9, 1e-7  # m, m/s: errors that may stay of contacts which are more than enough


@helper
def add_loop_forces(loops, force):
    """Add to the forces of the loops' rows."""
    if loops is not None:
        for r in range(loops[0][P_ROWS]):
            loops[3][FORCE, r] += force[r]


@helper
def pressed(model, index, work, loops, c, a):
    """Add to the free accelerations a, whose motion is in `work`, what contacts do: a status."""
    place_stages(index, work, c.poses, True)
    n = observe_closed(model, work, c, True)
    c.space[14][NOW] = n
    if n == 0:
        return OK
    feel(model, index, work, loops, n, c.space)
    outcome = press(c, n)
    dv = c.space[12][4]
    answer(model, index, work, loops, n, c.space, c.space[5], dv)
    add_loop_forces(loops, c.space[12][2])
    for d in range(index[N_V]):
        a[d] += dv[d]
    return all_finite(a, index[N_V]) if outcome == OK else outcome


@helper
def touched(model, index, work, table, limits, loops, f_ext, acting, meetings, t, q, v, tau, total, a):
    """a = dv/dt under held torques, all that acts and contacts."""
    outcome = acted_on(model, index, work, table, limits, loops, f_ext, acting, t, q, v, tau, total, a)
    if outcome != OK:
        return outcome
    c = Meetings(*meetings)
    place_surfaces(c.fields, c.space, t)
    outcome = pressed(model, index, work, loops, c, a)
    return outcome if acting.calls[C_FAILED] == 0 else status(FAILED, 0)


@inlined
def acceleration(system, t, q, v, tau, total, a):
    """`touched` of a system."""
    model, index, work, table, limits, loops, f_ext, acting, meetings = system
    return touched(model, index, work, table, limits, loops, f_ext, acting, meetings, t, q, v, tau, total, a)


@inlined
def bear(system, strengths, driven, q, v, a, tau):
    """The torques of drives, and what joints bear, after `acceleration`."""
    if driven or has_strengths(strengths):
        model, index, work, table, _, loops, f_ext, _, meetings = system
        c = Meetings(*meetings)
        n, stages, points, frames = int(c.space[14][NOW]), c.space[0], c.space[1], c.space[2]
        push_stages(index, work, is_loaded(table, f_ext), n, stages, points, frames, 1.0, c.space[5])
        borne(model, index, work, True, loops, strengths, q, v, a, tau)


@inlined
def least(system):
    """How far contacts are from a change, after `acceleration`."""
    c = Meetings(*system[8])
    return least_margin(system[0], system[2], c, int(c.space[14][NOW]))


@inlined
def overdue(system, strengths, q, v):
    """Whether a contact has come to the end of its mode, or moves too far for a step, or a joint bears too much."""
    clock, c = system[7].clock, Meetings(*system[8])
    hasty = most_haste(c, int(c.space[14][NOW])) * (clock[T_END] - clock[T_STEP]) > HASTE
    breaks = has_strengths(strengths) and overloaded(system[2], system[5], strengths) >= 0
    c.space[14][COUNT] = 0.0  # the next look has no guess of forces, either
    return least(system) < 0.0 or hasty or breaks


@inlined
def ready(system):
    """Before a step: let contacts slip along their motion; no guess of forces outlives a step."""
    c = Meetings(*system[8])
    turn_along(c, int(c.space[14][NOW]))
    c.space[14][COUNT] = 0.0


@helper
def look_at(model, index, work, c, q, v):
    """The motion of contacts that touch at (q, v), without forces; how many there are."""
    velocities_and_poses(model, index, work, q, v)
    place_stages(index, work, c.poses, False)
    return observe_closed(model, work, c, False)


@helper
def mend(model, index, work, loops, c, n, q, v, zero, step):
    """The step, least in the mass matrix, that takes the errors in g off: a status.

    It is IRREGULAR where contacts are more than enough and contradict each other; the step then leaves the least.
    """
    outcome = factorise(model, index, work, loops, q, v, zero, step)
    if outcome != OK:
        return outcome
    feel(model, index, work, loops, n, c.space)
    found = mending(c, n)
    answer(model, index, work, loops, n, c.space, c.space[5], step)
    return OK if found else status(IRREGULAR, 0)


@helper
def is_redundant(outcome, error, most):
    """Whether a step that `mend` did not find may leave what there is of errors."""
    return outcome & 15 == IRREGULAR and error <= most


@helper
def settle_all(model, index, work, loops, near, acting, meetings, least_speed, t, q, v, scratch, drift):
    """Bring q and v, in place, back onto drives and loops, and contacts to where they touch, and stick.

    Speeds up to `least_speed` are left alone.
    """
    outcome, singular = settle_loops(model, index, work, loops, near, acting, t, q, v, scratch, drift)
    if outcome != OK:
        return outcome, singular
    c = Meetings(*meetings)
    place_surfaces(c.fields, c.space, t)
    nv, zero, step, n = index[N_V], c.space[12][1], c.space[12][5], 0
    c.space[14][COUNT] = 0.0
    for _ in range(_ROUNDS):
        n = look_at(model, index, work, c, q, v)
        if n == 0:
            return OK, singular
        gap = errors(c, n, False)
        if gap <= _GAP:
            break
        drift[0] = max(drift[0], gap)
        mended = mend(model, index, work, loops, c, n, q, v, zero[:nv], step[:nv])
        if mended != OK and not is_redundant(mended, gap, _REDUNDANT[0]):
            return mended, singular
        integrate(model, index, work, 0, q, step[:nv], scratch)
        for k in range(index[N_Q]):
            q[k] = scratch[k]
        outcome, singular = settle_loops(model, index, work, loops, near, acting, t, q, v, scratch, drift)
        if outcome != OK:
            return outcome, singular
        if mended != OK:
            n = look_at(model, index, work, c, q, v)
            break
    speed = errors(c, n, True)
    if speed > least_speed:
        drift[1] = max(drift[1], speed)
        outcome = mend(model, index, work, loops, c, n, q, v, zero[:nv], step[:nv])
        if outcome != OK and not is_redundant(outcome, speed, _REDUNDANT[1]):
            return outcome, singular
        for d in range(nv):
            v[d] += step[d]
    return OK, singular


@inlined
def settle(system, near, t, q, v, scratch, drift):
    """`settle_all` of a system."""
    model, index, work, _, _, loops, _, acting, meetings = system
    return settle_all(model, index, work, loops, near, acting, meetings, _SPEED, t, q, v, scratch, drift)


@helper
def look(system, t, q, v, tau, scratch):
    """Accelerations at one state to ``scratch[1][A]``, and what is seen of contacts: status, least margin."""
    s, acting, needed = scratch[1], system[7], scratch[2][0]
    outcome = acceleration(system, t, q, v, tau, s[TOTAL], s[A])
    if outcome != OK:
        return outcome, 0.0
    margin, driven = least(system), acting.calls[C_DRIVES] != 0
    if acting.calls[C_FAILED] != 0:
        return status(FAILED, 0), margin
    bear(system, None, driven, q, v, s[A], needed)
    keep(acting, system[6])
    add_drive_torques(system[5], acting, s[TOTAL], needed)
    return OK, margin


@helper
def struck(system, n, q, v, impulses, u, dv):
    """G of n contacts whose stages, points and frames are in the scratch space, u = J v and dv = P Jᵀ λ: a status."""
    model, index, work, _, _, loops, _, _, meetings = system
    space = meetings[7]
    stages, points, frames, zero = space[0], space[1], space[2], space[12][1]
    outcome = factorise(model, index, work, loops, q, v, zero[: index[N_V]], dv)
    if outcome != OK:
        return outcome
    feel(model, index, work, loops, n, space)
    contact_motion(model, index, work, n, stages, points, frames, v, None, u)
    answer(model, index, work, loops, n, space, impulses, dv)
    return OK


@helper
def bring_back(system, t, q, v, scratch, drift):
    """`settle_all`, in place, whatever the speed: what comes to rest keeps none. A status."""
    model, index, work, _, _, loops, _, acting, meetings = system
    at = scratch[0][0]
    outcome = settle_all(model, index, work, loops, False, acting, meetings, 0.0, t, q, v, at, drift)[0]
    return outcome if acting.calls[C_FAILED] == 0 else status(FAILED, 0)


semi_implicit, rk4, midpoint = steps_with(acceleration)
_WAYS = acceleration, bear, overdue, ready, settle
march_semi_implicit = marcher("march_semi_implicit", semi_implicit, False, *_WAYS)
march_rk4 = marcher("march_rk4", rk4, True, *_WAYS)
march_midpoint = marcher("march_midpoint", midpoint, False, *_WAYS)
