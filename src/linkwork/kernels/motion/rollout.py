"""Whole trajectories, a pack of states at a time or one state, open linkages and closed.

Torques are found once per step and held, or at every stage of a step. A call takes some states over some steps, so that
no call lasts long. Where it begins in the midst of a trajectory, it goes on from the state that the call before left
in the lanes.
"""

from typing import Any, NamedTuple

from linkwork.kernels.closed.loops import loop_residuals
from linkwork.kernels.closed.projection import (
    COORDINATE_RATES,
    COORDINATES,
    ERROR,
    RATE,
    ROW_ERROR,
    largest,
    project,
    project_to,
)  # fmt: skip
from linkwork.kernels.closed.records import margin_at
from linkwork.kernels.layout import NOT_FINITE, OK, UNCLOSED
from linkwork.kernels.layout.loops import P_ROWS
from linkwork.kernels.motion.feedback import add_feedback, limit_motors
from linkwork.kernels.motion.integrators import TOTAL, A, acceleration_of, steps_with
from linkwork.kernels.numba_ext import (
    WIDTH,
    any_of,
    gather,
    helper,
    inlined,
    load,
    read_lane,
    scalar,
    scatter,
    store,
    where,
    write_lane,
)  # fmt: skip
from linkwork.kernels.records import status

SEMI_IMPLICIT, RK4 = 0, 1
_ROUNDING = 1e-14  # m or rad, m/s or rad/s: errors of the loops that are left alone at the start


class Inputs(NamedTuple):
    """What is given: rows (B, m), one per state, or one for all; sequences have their steps one after the other."""

    q: Any  # initial coordinates
    v: Any
    tau: Any  # of tree and loop joints, constant or of each step
    target_q: Any  # of feedback, constant or of each step
    target_v: Any
    f_ext: Any  # wrenches on the bodies, or of size 0
    gains: Any  # of feedback: kp, kd; or a matrix (nv, 2 nv); or of size 0
    firmness: Any  # of compliant limits: stiffness and damping of each
    parameters: Any  # of a user's controller


class Lanes(NamedTuple):
    """The same of a pack of states; and how near its loops come to a singular pose."""

    q: Any
    v: Any
    tau: Any
    target_q: Any
    target_v: Any
    f_ext: Any
    gains: Any
    firmness: Any
    margin: Any


class Outputs(NamedTuple):
    """Rows (B, m) of the recorded coordinates and velocities, and of the least margin of the loops."""

    q: Any
    v: Any
    margin: Any


@helper
def fetch(rows, at, first, count, lane):
    """`gather`, also of one state."""
    if lane.ndim == 1:
        row = first if rows.shape[0] > 1 else 0
        for k in range(lane.shape[0]):
            lane[k] = rows[row, at + k]
    else:
        gather(rows, at, first, count, lane)


@helper
def put(lane, first, count, rows, at):
    """`scatter`, also of one state."""
    if lane.ndim == 1:
        for k in range(lane.shape[0]):
            rows[first, at + k] = lane[k]
    else:
        scatter(lane, first, count, rows, at)


@helper
def call_controller(controller, t, q, v, tau, parameters, first, count, rows):
    """Let a user's controller change the torques of each state of a pack by itself."""
    if controller is not None:
        if q.ndim == 1:
            controller(t, q, v, tau, parameters[min(first, parameters.shape[0] - 1)])
            return
        for w in range(WIDTH):
            read_lane(q, w, rows[0])
            read_lane(v, w, rows[1])
            read_lane(tau, w, rows[2])
            state = first + min(w, count - 1)
            controller(t, rows[0], rows[1], rows[2], parameters[min(state, parameters.shape[0] - 1)])
            write_lane(rows[2], tau, w)


@helper
def column(rows, step, size):
    """Where step `step` of a sequence starts; what is constant has one step."""
    return step * size if rows.shape[1] > size else 0


@helper
def finite(q, v):
    """Whether all numbers of a state are finite."""
    total = scalar(q, 0.0)
    for k in range(q.shape[0]):
        total += load(q, k)
    for d in range(v.shape[0]):
        total += load(v, d)
    return not any_of(total - total != 0.0)


@helper
def start_on_loops(model, index, work, loops, least, q, v, at, drift):
    """Bring an initial state onto the loops, where there are any, as near as rounding lets it.

    Loops that are open by more than `least`, or come apart, are not closed.
    """
    if loops is None:
        return OK
    plan, geometry, loop_scratch, lines = loops
    outcome = loop_residuals(
        model, index, work, plan, geometry, loop_scratch, q, v, lines[ERROR], lines[ROW_ERROR], lines[RATE],
        lines[COORDINATES], lines[COORDINATE_RATES],
    )  # fmt: skip
    if outcome != OK:
        return outcome
    rows, speed = plan[P_ROWS], largest(v, v.shape[0])
    gap, rate = largest(lines[ROW_ERROR], rows), largest(lines[RATE], rows)
    if any_of(gap > least) or any_of(rate > least * where(speed > 1.0, speed, 1.0)):
        return status(UNCLOSED, 0)
    return project_to(model, index, work, loops, _ROUNDING, _ROUNDING, False, q, v, at, drift)


@helper
def onto_loops(model, index, work, loops, near, q, v, at, drift, margin):
    """Bring q and v back onto the loops, where there are any, and note how near these are to a singular pose."""
    if loops is None:
        return OK
    outcome = project(model, index, work, loops, near, q, v, at, drift)
    least, now = load(margin, 0), load(loops[2], margin_at(loops[0]))
    store(margin, 0, where(now < least, now, least))
    return outcome


@helper
def begin(inputs, first, count, lanes):
    """Take what a pack needs for all of its steps."""
    fetch(inputs.q, 0, first, count, lanes.q)
    fetch(inputs.v, 0, first, count, lanes.v)
    fetch(inputs.f_ext, 0, first, count, lanes.f_ext)
    fetch(inputs.gains, 0, first, count, lanes.gains)
    fetch(inputs.firmness, 0, first, count, lanes.firmness)


@helper
def torques(model, index, work, motors, controller, inputs, first, count, step, t, q, v, lanes, error, rows):
    """Torques at (t, q, v): those given, of feedback and of a user's controller, as far as motors can give them."""
    fetch(inputs.tau, column(inputs.tau, step, lanes.tau.shape[0]), first, count, lanes.tau)
    outcome = OK
    if lanes.gains.shape[0] > 0:
        fetch(inputs.target_q, column(inputs.target_q, step, lanes.q.shape[0]), first, count, lanes.target_q)
        fetch(inputs.target_v, column(inputs.target_v, step, lanes.v.shape[0]), first, count, lanes.target_v)
        outcome = add_feedback(
            model, index, work, lanes.gains, q, v, lanes.target_q, lanes.target_v, error, lanes.tau
        )  # fmt: skip
    call_controller(controller, t, q, v, lanes.tau, inputs.parameters, first, count, rows)
    limit_motors(motors, v, lanes.tau)
    return outcome


@inlined
def acceleration(system, t, q, v, tau, total, a):
    """a = dv/dt under torques that are held, or are found here; `total` (nv) is scratch."""
    model, index, work, table, limits, loops, f_ext, driving = system
    held, motors, controller, inputs, first, count, step, lanes, rows = driving
    if not held:
        outcome = torques(
            model, index, work, motors, controller, inputs, first, count, step, t, q, v, lanes, total, rows
        )  # fmt: skip
        if outcome != OK:
            return outcome
    return acceleration_of(model, index, work, table, limits, loops, f_ext, q, v, tau, total, a)


def step_by(acceleration):
    """One step in place, by a method of rollouts, with this acceleration."""
    semi_implicit, rk4, _ = steps_with(acceleration)

    def step(method, system, t, h, q, v, tau, at, s):
        outcome = acceleration(system, t, q, v, tau, s[TOTAL], s[A])
        if outcome != OK:
            return outcome
        if method == RK4:
            return rk4(system, t, h, q, v, tau, at, s, q, v)
        return semi_implicit(system, t, h, q, v, tau, at, s, q, v)

    return inlined(step)


step_of = step_by(acceleration)


@helper
def record(lanes, first, count, outputs, k):
    """Write a state as the k-th of those recorded."""
    put(lanes.q, first, count, outputs.q, k * lanes.q.shape[0])
    put(lanes.v, first, count, outputs.v, k * lanes.v.shape[0])
    put(lanes.margin, first, count, outputs.margin, 0)


def rollout(tree, loops, method, h, every, gap, held, controller, inputs, outputs, lanes, scratch, rows, states, steps):
    """Steps of trajectories, ``states`` and ``steps`` being (begin, end); (status, state, step) where one fails.

    `tree` is (model, index, work, table, limits, loop limits, motors): for the tables of limits, the second of which
    may be None, see `linkwork.kernels.motion.limits`, for motors `limit_motors`. `loops` is as in
    `linkwork.kernels.closed.projection`, or None, and `gap` by how much they may be open at the start. Torques are
    `held` during a step, or not. Every `every`-th step is recorded. `scratch` is that of a step: (nq), `STEP_SCRATCH`
    arrays of nv, and (2) for the drift; `rows` are arrays of numbers like q, v and tau, for a user's controller. Where
    `steps` do not begin at 0, the states must be those of one pack, whose lanes are kept.
    """
    model, index, work, table, limits, loop_limits, motors = tree
    at, s, drift = scratch
    q, v = lanes.q, lanes.v
    width = WIDTH if q.ndim == 2 else 1
    for first in range(states[0], states[1], width):
        count = min(width, states[1] - first)
        if steps[0] == 0:
            begin(inputs, first, count, lanes)
            outcome = start_on_loops(model, index, work, loops, gap, q, v, at, drift)
            if outcome != OK:
                return outcome, first, -1
            store(lanes.margin, 0, 1.0)
            record(lanes, first, count, outputs, 0)
        for step in range(steps[0], steps[1]):
            outcome = OK
            if held:
                outcome = torques(
                    model, index, work, motors, controller, inputs, first, count, step, step * h, q, v, lanes, s[A],
                    rows,
                )  # fmt: skip
            if outcome == OK:
                driving = (held, motors, controller, inputs, first, count, step, lanes, rows)
                system = (model, index, work, table, (limits, lanes.firmness, loop_limits), loops, lanes.f_ext, driving)
                outcome = step_of(method, system, step * h, h, q, v, lanes.tau, at, s)
            if outcome == OK:
                outcome = onto_loops(model, index, work, loops, method == RK4, q, v, at, drift, lanes.margin)
            if outcome == OK and not finite(q, v):
                outcome = status(NOT_FINITE, 0)
            if outcome != OK:
                return outcome, first, step
            if (step + 1) % every == 0:
                record(lanes, first, count, outputs, (step + 1) // every)
    return OK, states[1], steps[1]
