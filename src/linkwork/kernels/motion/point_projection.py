"""Points on surfaces in motion: the way back onto their surfaces, and to where they stick, after a step.

Symbols: G as in `constrained`; λ the impulses that make the least step, measured by the mass matrix.
"""

import math

from linkwork.kernels.algebra.storage import load_vec
from linkwork.kernels.algebra.vec3 import dot, sub
from linkwork.kernels.closed.loops import motion_pass
from linkwork.kernels.closed.records import Loops
from linkwork.kernels.contact.constrained import modal_forces, regular
from linkwork.kernels.contact.points import ACCELERATION, FORCE, STEP, feel, observe, respond
from linkwork.kernels.layout import IRREGULAR, N_Q, N_V, N_WEAK, OK
from linkwork.kernels.layout.contacts import (
    D_ANCHOR,
    D_ANCHORED,
    D_MODE,
    O_DIRECTION,
    O_FRAME,
    O_GAP,
    O_MODE,
    O_POINT,
    O_RATE,
    O_SLIP,
    SLIDES,
    STICKS,
)
from linkwork.kernels.motion.factors import factorise
from linkwork.kernels.motion.march import settle
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import status
from linkwork.kernels.tree.integrate import integrate

_ROUNDS = 8  # of Newton's method
_GAP, _SPEED = 1e-12, 1e-11  # m, m/s: errors that are left alone
_SHARE, _SURE = 1e-3, 1e-7  # of a gap: where factors leave more, others are made; m/s: what any factors nearby mend


@helper
def errors(c, speeds):
    """What is to be taken off each point's place, or velocity, in its own axes; the largest of it."""
    worst, g = 0.0, c.lines[ACCELERATION]
    for k in range(c.out.shape[0]):
        out, mode = c.out[k], c.modes[k]
        sticks = int(mode[D_MODE]) == STICKS
        out[O_MODE] = STICKS if sticks else SLIDES
        out[O_DIRECTION] = out[O_DIRECTION + 1] = 0.0  # no friction
        g[3 * k] = out[O_RATE] if speeds else out[O_GAP]
        g[3 * k + 1] = g[3 * k + 2] = 0.0
        if sticks and speeds:
            g[3 * k + 1], g[3 * k + 2] = out[O_SLIP], out[O_SLIP + 1]
        elif sticks and mode[D_ANCHORED] != 0.0:
            away = sub(load_vec(out, O_POINT), load_vec(mode, D_ANCHOR))
            g[3 * k + 1] = dot(away, load_vec(out, O_FRAME + 3))
            g[3 * k + 2] = dot(away, load_vec(out, O_FRAME + 6))
        for axis in range(3):
            worst = max(worst, abs(g[3 * k + axis]))
    return worst


@helper
def feel_points(model, index, work, loops, c):
    """G of the points."""
    if loops is None:
        feel(model, index, work, None, c)
    else:
        feel(model, index, work, Loops(loops[0], loops[1], loops[2]), c)


@helper
def mend(model, index, work, loops, c, zero):
    """The step, least in the mass matrix, that takes off what `errors` has found: a status."""
    if not (regular(c) and modal_forces(c)):
        return status(IRREGULAR, 0)
    if loops is None:
        respond(model, index, work, None, c, zero, c.lines[FORCE], c.lines[STEP])
    else:
        respond(model, index, work, Loops(loops[0], loops[1], loops[2]), c, zero, c.lines[FORCE], c.lines[STEP])
    return OK


@helper
def can_go_on(index, loops):
    """Whether factors of a pose nearby will do: with loops, which keep theirs, where no axis is without inertia."""
    return False if loops is None else index[N_WEAK] == 0


@helper
def stand_at(model, index, work, loops, q, v):
    """Poses and velocities of all stages."""
    if loops is not None:
        motion_pass(model, index, work, Loops(loops[0], loops[1], loops[2]), q, v)


@helper
def look(model, index, work, loops, again, felt, c, t, q, v, zero):
    """See where the points are, and find G where it is not `felt` yet, `again` by the factors there are: a status."""
    outcome = OK
    if again:
        stand_at(model, index, work, loops, q, v)
    else:
        outcome = factorise(model, index, work, loops, q, v, zero, c.lines[STEP, : index[N_V]])
    if outcome == OK and not observe(model, index, work, c, t):
        outcome = status(IRREGULAR, 0)
    if outcome == OK and not (again and felt):
        feel_points(model, index, work, loops, c)
    return outcome


@helper
def project_points(model, index, work, loops, near, acting, c, t, q, v, zero, scratch, drift):
    """Bring q and v, in place, back to where points are on their surfaces and keep to them; loops stay closed.

    `near` as in `closed.projection.project_to`. `drift` becomes how far it was off, where that is more than rounding:
    the largest error, or change that mends it. ``scratch`` is (nq), ``zero`` (nv) is zero.
    """
    if loops is None:
        drift[0] = drift[1] = 0.0
    nv, step = index[N_V], c.lines[STEP]
    gap, before, again = 0.0, math.inf, near and can_go_on(index, loops)
    for n in range(_ROUNDS):
        outcome = look(model, index, work, loops, again, n > 0, c, t, q, v, zero)
        if outcome != OK:
            return outcome
        gap = errors(c, False)
        if gap <= _GAP:
            break
        again, before = can_go_on(index, loops) and gap < _SHARE * before, gap
        drift[0] = max(drift[0], gap)
        outcome = mend(model, index, work, loops, c, zero)
        if outcome != OK:
            return outcome
        integrate(model, index, work, 0, q, step[:nv], scratch)
        for k in range(index[N_Q]):
            q[k] = scratch[k]
        for d in range(nv):
            drift[0] = max(drift[0], abs(step[d]))
        outcome, _ = settle(model, index, work, loops, True, acting, t, q, v, scratch, drift)
        if outcome != OK:
            return outcome
    if not gap <= _GAP:
        return status(IRREGULAR, 0)
    speed = errors(c, True)
    if again and speed > _SURE:
        outcome = look(model, index, work, loops, False, False, c, t, q, v, zero)
        if outcome != OK:
            return outcome
        speed = errors(c, True)
    if speed > _SPEED:
        drift[1] = max(drift[1], speed)
        outcome = mend(model, index, work, loops, c, zero)
        if outcome != OK:
            return outcome
        for d in range(nv):
            v[d] += step[d]
            drift[1] = max(drift[1], abs(step[d]))
    return OK
