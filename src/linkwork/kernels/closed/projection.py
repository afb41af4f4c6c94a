"""Closed linkages in motion: their acceleration, and the way back onto the loops' constraints after a step.

``loops`` is what a step needs to know of them: (plan, geometry, loop_scratch, lines), the first three as in `loops`,
the last scratch space of `PROJECTION_LINES` rows, each as long as the longest of nv, the rows of the constraints and
six per loop. All of this works on one state or on a pack of states; lanes that are closed wait for those that are not.

The residuals and the least step that mends them are the kernels that `linkwork.dynamics.closed` calls too. What it does
around them is for poses far from closed: a line search, and further tries from other starts.
"""

from linkwork.kernels.closed.embedding import closed_forward, closed_step
from linkwork.kernels.closed.loops import loop_residuals
from linkwork.kernels.closed.records import margin_at
from linkwork.kernels.layout import N_Q, N_V, OK, UNCLOSED
from linkwork.kernels.layout.loops import P_ROWS, PROJECTION_LINES
from linkwork.kernels.numba_ext import any_of, fabs, helper, load, scalar, separate, store, where
from linkwork.kernels.records import status
from linkwork.kernels.tree.integrate import integrate

FORCE, LEFT, ERROR, ROW_ERROR, RATE, COORDINATES, COORDINATE_RATES, STEP, NEEDED, ZERO = range(PROJECTION_LINES)

_ROUNDS = 8  # of Newton's method; after a step one is enough
_NEAR = 4e-2  # of a loop's margin: below it Python takes over, see `System.report_singular`
# Errors of the constraints that are left alone after a step, m or rad, m/s or rad/s. A last digit decides which are, so
# a pack and a single state may come to differ by about as much.
_GAP, _SPEED = 1e-12, 1e-12


@separate
def closed_acceleration(model, index, work, table, loops, f_ext, q, v, tau, loop_tau, a):
    """a of a closed linkage under the torques of tree and loop joints; tau comes back with force elements added."""
    plan, geometry, loop_scratch, lines = loops
    return closed_forward(
        model, index, work, table, plan, geometry, loop_scratch, q, v, tau, f_ext, loop_tau, a,
        lines[FORCE], lines[LEFT], tau,
    )  # fmt: skip


@helper
def nearly_singular(loops):
    """Whether the last elimination came near a pose where constraints lose rank."""
    plan, _, loop_scratch, _ = loops
    return any_of(load(loop_scratch, margin_at(plan)) < _NEAR)


@helper
def largest(x, n):
    """The largest |x| of n entries; not a number where one of them is none."""
    size = scalar(x, 0.0)
    for k in range(n):
        y = fabs(load(x, k))
        size = where(y <= size, size, where(size == size, y, size))
    return size


@helper
def note(drift, k, size):
    """Let entry k of the drift be at least `size`, or not a number where that is none."""
    before = load(drift, k)
    store(drift, k, where(size <= before, before, size))


@helper
def correction(model, index, work, loops, q, unmet):
    """The least step with J x = −unmet, in the row STEP."""
    plan, geometry, loop_scratch, lines = loops
    for r in range(plan[P_ROWS]):
        store(lines[NEEDED], r, -load(unmet, r))
    zero, needed, step, force, left = lines[ZERO], lines[NEEDED], lines[STEP], lines[FORCE], lines[LEFT]
    return closed_step(model, index, work, plan, geometry, loop_scratch, q, zero, needed, step, force, left)


@separate
def project(model, index, work, loops, q, v, scratch, drift):
    """`project_to` what is left alone after a step."""
    return project_to(model, index, work, loops, _GAP, _SPEED, q, v, scratch, drift)


@helper
def project_to(model, index, work, loops, least_gap, least_speed, q, v, scratch, drift):
    """Bring q and v, in place, back to where every loop is closed: the nearest such state, measured by the mass matrix.

    Errors of the constraints and of their rates up to `least_gap` and `least_speed` are left alone.
    `drift` becomes how far it was off: the largest error of a constraint and of its rate, or change of a coordinate and
    of a velocity that mends it. ``scratch`` is (nq).
    """
    plan, geometry, loop_scratch, lines = loops
    store(drift, 0, 0.0)
    store(drift, 1, 0.0)
    nv, rows = index[N_V], plan[P_ROWS]
    gap = scalar(q, 0.0)
    for _ in range(_ROUNDS):
        outcome = loop_residuals(
            model, index, work, plan, geometry, loop_scratch, q, v, lines[ERROR], lines[ROW_ERROR], lines[RATE],
            lines[COORDINATES], lines[COORDINATE_RATES],
        )  # fmt: skip
        if outcome != OK:
            return outcome
        gap = largest(lines[ROW_ERROR], rows)
        note(drift, 0, gap)
        is_open = where(gap <= least_gap, 0.0, 1.0) > 0.0
        if not any_of(is_open):
            break
        outcome = correction(model, index, work, loops, q, lines[ROW_ERROR])
        if outcome != OK:
            return outcome
        integrate(model, index, work, 0, q, lines[STEP, :nv], scratch)
        for k in range(index[N_Q]):
            store(q, k, where(is_open, load(scratch, k), load(q, k)))
        note(drift, 0, where(is_open, largest(lines[STEP], nv), 0.0))
    if any_of(where(gap <= _GAP, 0.0, 1.0) > 0.0):
        return status(UNCLOSED, 0)
    speed = largest(lines[RATE], rows)
    store(drift, 1, speed)
    is_off = speed > least_speed
    if any_of(is_off):
        outcome = correction(model, index, work, loops, q, lines[RATE])
        if outcome != OK:
            return outcome
        for d in range(nv):
            store(v, d, load(v, d) + where(is_off, load(lines[STEP], d), 0.0))
        note(drift, 1, where(is_off, largest(lines[STEP], nv), 0.0))
    return OK
