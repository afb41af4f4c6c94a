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
from linkwork.kernels.closed.step_again import closed_step_again
from linkwork.kernels.layout import N_Q, N_V, OK, UNCLOSED
from linkwork.kernels.layout.loops import P_ROWS, PROJECTION_LINES
from linkwork.kernels.numba_ext import any_of, fabs, helper, load, scalar, separate, store, where
from linkwork.kernels.records import status
from linkwork.kernels.tree.integrate import integrate

FORCE, LEFT, ERROR, ROW_ERROR, RATE, COORDINATES, COORDINATE_RATES = range(7)
STEP, NEEDED, ZERO, TORQUES = range(7, PROJECTION_LINES)

_ROUNDS = 8  # of Newton's method; after a step one is enough
_NEAR = 4e-2  # of a loop's margin: below it Python takes over, see `System.report_singular`
# Errors of the constraints that are left alone after a step, m or rad, m/s or rad/s. A last digit decides which are, so
# a pack and a single state may come to differ by about as much.
GAP, SPEED = 1e-12, 1e-12
_SHARE = 1e-3  # of an error: where factors leave more, others are made
_NOTHING = 1e-2  # of what is left alone: velocities are mended by factors at hand where these err by no more


@separate
def closed_acceleration(model, index, work, table, loops, f_ext, q, v, tau, a):
    """a of a closed linkage under `tau`, which comes back with force elements added, and the TORQUES of loop joints."""
    plan, geometry, loop_scratch, lines = loops
    return closed_forward(
        model, index, work, table, plan, geometry, loop_scratch, q, v, tau, f_ext, lines[TORQUES], a,
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
def correction(model, index, work, loops, again, q, unmet):
    """The least step with J x = −unmet, in the row STEP; `again` by the factors that are there, of a pose nearby."""
    plan, geometry, loop_scratch, lines = loops
    for r in range(plan[P_ROWS]):
        store(lines[NEEDED], r, -load(unmet, r))
    zero, needed, step, force, left = lines[ZERO], lines[NEEDED], lines[STEP], lines[FORCE], lines[LEFT]
    if again:
        closed_step_again(model, index, work, plan, geometry, loop_scratch, zero, needed, step, force, left)
        return OK
    return closed_step(model, index, work, plan, geometry, loop_scratch, q, zero, needed, step, force, left)


@helper
def residuals(model, index, work, loops, q, v):
    """Errors and rates of all rows: a status, and the largest of both."""
    plan, geometry, loop_scratch, lines = loops
    outcome = loop_residuals(
        model, index, work, plan, geometry, loop_scratch, q, v, lines[ERROR], lines[ROW_ERROR], lines[RATE],
        lines[COORDINATES], lines[COORDINATE_RATES],
    )  # fmt: skip
    return outcome, largest(lines[ROW_ERROR], plan[P_ROWS]), largest(lines[RATE], plan[P_ROWS])


@separate
def project(model, index, work, loops, near, q, v, scratch, drift):
    """`project_to` what is left alone after a step."""
    return project_to(model, index, work, loops, GAP, SPEED, near, q, v, scratch, drift)


@helper
def project_to(model, index, work, loops, least_gap, least_speed, near, q, v, scratch, drift):
    """Bring q and v, in place, back to where every loop is closed: the nearest such state, measured by the mass matrix.

    Errors of the constraints and of their rates up to `least_gap` and `least_speed` are left alone. `near` says whether
    factors of a pose nearby are there: they are used as long as they leave no more than a small share of an error.
    `drift` becomes how far it was off: the largest error of a constraint and of its rate, or change of a coordinate and
    of a velocity that mends it. ``scratch`` is (nq).
    """
    lines, nv, again = loops[3], index[N_V], near
    store(drift, 0, 0.0)
    store(drift, 1, 0.0)
    gap, speed, share = scalar(q, 0.0), scalar(q, 0.0), scalar(q, 1.0)
    for n in range(_ROUNDS):
        before = gap
        outcome, gap, speed = residuals(model, index, work, loops, q, v)
        if outcome != OK:
            return outcome
        note(drift, 0, gap)
        if n > 0:
            share = where(gap < before, gap / where(before > 0.0, before, 1.0), 1.0)
        is_open = where(gap <= least_gap, 0.0, 1.0) > 0.0
        if not any_of(is_open):
            break
        again = again and (n == 0 or not any_of(where(is_open, share, 0.0) > _SHARE))
        outcome = correction(model, index, work, loops, again, q, lines[ROW_ERROR])
        if outcome != OK:
            return outcome
        again = True
        integrate(model, index, work, 0, q, lines[STEP, :nv], scratch)
        for k in range(index[N_Q]):
            store(q, k, where(is_open, load(scratch, k), load(q, k)))
        note(drift, 0, where(is_open, largest(lines[STEP], nv), 0.0))
    if any_of(where(gap <= GAP, 0.0, 1.0) > 0.0):
        return status(UNCLOSED, 0)
    store(drift, 1, speed)
    apart = scalar(q, _SHARE) if near else load(drift, 0)  # the pose of the factors and this one
    for n in range(2):
        is_off = speed > least_speed
        if not any_of(is_off):
            break
        again = again and n == 0 and not any_of(where(is_off, apart * speed, 0.0) > _NOTHING * least_speed)
        outcome = correction(model, index, work, loops, again, q, lines[RATE])
        if outcome != OK:
            return outcome
        for d in range(nv):
            store(v, d, load(v, d) + where(is_off, load(lines[STEP], d), 0.0))
        note(drift, 1, where(is_off, largest(lines[STEP], nv), 0.0))
        if not again or not any_of(where(is_off, share * speed, 0.0) > least_speed):
            break
        outcome, _, speed = residuals(model, index, work, loops, q, v)
        if outcome != OK:
            return outcome
    return OK
