"""Closed linkages in motion: their acceleration, and the way back onto the loops' constraints after a step.

``loops`` is what a step needs to know of them: (plan, geometry, loop_scratch, lines), the first three as in `loops`,
the last scratch space of `PROJECTION_LINES` rows, each as long as the longest of nv, the rows of the constraints and
six per loop.

The residuals and the least step that mends them are the kernels that `linkwork.dynamics.closed` calls too. What it does
around them is for poses far from closed: a line search, and further tries from other starts.
"""

from linkwork.kernels.closed.embedding import closed_forward, closed_step
from linkwork.kernels.closed.loops import loop_residuals
from linkwork.kernels.closed.records import margin_at
from linkwork.kernels.layout import N_Q, N_V, OK, UNCLOSED
from linkwork.kernels.layout.loops import P_ROWS, PROJECTION_LINES
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import status
from linkwork.kernels.tree.integrate import integrate

FORCE, LEFT, ERROR, ROW_ERROR, RATE, COORDINATES, COORDINATE_RATES, STEP, NEEDED, ZERO = range(PROJECTION_LINES)

_ROUNDS = 8  # of Newton's method; after a step one is enough
_NEAR = 4e-2  # of a loop's margin: below it Python takes over, see `System.report_singular`
_GAP, _SPEED = 1e-12, 1e-11  # m or rad, m/s or rad/s: errors of the constraints that are left alone


@helper
def closed_acceleration(model, index, work, table, loops, q, v, tau, loop_tau, a):
    """a of a closed linkage under the torques of tree and loop joints; tau comes back with force elements added."""
    plan, geometry, loop_scratch, lines = loops
    return closed_forward(
        model, index, work, table, plan, geometry, loop_scratch, False, q, v, tau, tau[:0], loop_tau, a,
        lines[FORCE], lines[LEFT], tau,
    )  # fmt: skip


@helper
def nearly_singular(loops):
    """Whether the last elimination came near a pose where constraints lose rank."""
    plan, _, loop_scratch, _ = loops
    return loop_scratch[margin_at(plan)] < _NEAR


@helper
def largest(x, n):
    """The largest |x| of n entries; not a number where one of them is none."""
    size = 0.0
    for k in range(n):
        size = max(size, abs(x[k]))
        if x[k] != x[k]:
            return x[k]
    return size


@helper
def correction(model, index, work, loops, q, unmet):
    """The least step with J x = −unmet, in the row STEP."""
    plan, geometry, loop_scratch, lines = loops
    for r in range(plan[P_ROWS]):
        lines[NEEDED, r] = -unmet[r]
    zero, needed, step, force, left = lines[ZERO], lines[NEEDED], lines[STEP], lines[FORCE], lines[LEFT]
    return closed_step(model, index, work, plan, geometry, loop_scratch, q, zero, needed, step, force, left)


@helper
def project(model, index, work, loops, q, v, scratch, drift):
    """Bring q and v, in place, back to where every loop is closed: the nearest such state, measured by the mass matrix.

    `drift` becomes how far it was off: the largest error of a constraint and of its rate, or change of a coordinate and
    of a velocity that mends it. ``scratch`` is (nq).
    """
    plan, geometry, loop_scratch, lines = loops
    drift[0] = drift[1] = 0.0
    nv, rows = index[N_V], plan[P_ROWS]
    gap = 0.0
    for _ in range(_ROUNDS):
        outcome = loop_residuals(
            model, index, work, plan, geometry, loop_scratch, q, v, lines[ERROR], lines[ROW_ERROR], lines[RATE],
            lines[COORDINATES], lines[COORDINATE_RATES],
        )  # fmt: skip
        if outcome != OK:
            return outcome
        gap = largest(lines[ROW_ERROR], rows)
        drift[0] = max(drift[0], gap)
        if gap <= _GAP:
            break
        outcome = correction(model, index, work, loops, q, lines[ROW_ERROR])
        if outcome != OK:
            return outcome
        integrate(model, index, work, 0, q, lines[STEP, :nv], scratch)
        for k in range(index[N_Q]):
            q[k] = scratch[k]
        drift[0] = max(drift[0], largest(lines[STEP], nv))
    if not gap <= _GAP:
        return status(UNCLOSED, 0)
    drift[1] = largest(lines[RATE], rows)
    if drift[1] > _SPEED:
        outcome = correction(model, index, work, loops, q, lines[RATE])
        if outcome != OK:
            return outcome
        for d in range(nv):
            v[d] += lines[STEP, d]
        drift[1] = max(drift[1], largest(lines[STEP], nv))
    return OK
