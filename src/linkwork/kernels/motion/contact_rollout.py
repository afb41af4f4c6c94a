"""Whole trajectories of linkages with contacts, one state after the other: shapes by impulses, points on surfaces.

Steps are those of `contact_stepping` and of `contact_march`, which ask of each state what it does: packs would
wait for each other. ``system`` is theirs; what acts besides it is given by ``inputs``, as of `rollout`.
"""

from linkwork.kernels.layout import NOT_FINITE, OK
from linkwork.kernels.motion import contact_march
from linkwork.kernels.motion.contact_stepping import half_way, other_half
from linkwork.kernels.motion.integrators import TOTAL, A
from linkwork.kernels.motion.march import copy_state
from linkwork.kernels.motion.rollout import RK4, add_feedback, column, finite, limit_motors
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.records import status


@helper
def take(rows, at, state, out):
    """Copy a part of a state's row, or of the only one."""
    row = rows[min(state, rows.shape[0] - 1)]
    for k in range(out.shape[0]):
        out[k] = row[at + k]


@helper
def call_controller(controller, t, q, v, tau, parameters, state):
    """Let a user's controller change the torques."""
    if controller is not None:
        controller(t, q, v, tau, parameters[min(state, parameters.shape[0] - 1)])


@helper
def torques(model, index, work, motors, controller, inputs, state, step, t, lanes, error):
    """The torques of a step, as `torques` of `rollout`."""
    take(inputs.tau, column(inputs.tau, step, lanes.tau.shape[0]), state, lanes.tau)
    outcome = OK
    if lanes.gains.shape[0] > 0:
        take(inputs.target_q, column(inputs.target_q, step, lanes.q.shape[0]), state, lanes.target_q)
        take(inputs.target_v, column(inputs.target_v, step, lanes.v.shape[0]), state, lanes.target_v)
        outcome = add_feedback(
            model, index, work, lanes.gains, lanes.q, lanes.v, lanes.target_q, lanes.target_v, error, lanes.tau
        )  # fmt: skip
    call_controller(controller, t, lanes.q, lanes.v, lanes.tau, inputs.parameters, state)
    limit_motors(motors, lanes.v, lanes.tau)
    return outcome


@inlined
def by_impulses(system, touching, method, t, h, q, v, tau, scratch, drift):
    """One step of a linkage whose shapes touch, in place: a status, and how many contacts there are."""
    shapes, space = touching
    coordinates, s, velocities = scratch
    at, new_q, spare, new_v, v_at = coordinates[0], coordinates[1], coordinates[2], velocities[0], velocities[1]
    outcome, found = half_way(system, shapes, t, h, q, v, s, spare, drift, at, v_at)
    if outcome == OK and found <= shapes[4].shape[0]:
        outcome = other_half(system, shapes, space, found, t, h, v_at, tau, s, spare, drift, at, new_q, new_v)
        if outcome == OK:
            copy_state(new_q, new_v, q, v)
    return outcome, found


@inlined
def on_surfaces(system, touching, method, t, h, q, v, tau, scratch, drift):
    """One step of a linkage with points on surfaces, in place: a status."""
    coordinates, s, velocities = scratch
    at, new_v = coordinates[0], velocities[0]
    outcome = contact_march.acceleration(system, t, q, v, tau, s[TOTAL], s[A])
    if outcome == OK:
        if method == RK4:
            outcome = contact_march.rk4(system, t, h, q, v, tau, at, s, at, new_v)
        else:
            outcome = contact_march.semi_implicit(system, t, h, q, v, tau, at, s, at, new_v)
    if outcome == OK:
        copy_state(at, new_v, q, v)
        outcome, _ = contact_march.settle(system, method == RK4, t + h, q, v, at, drift)
    return outcome, 0


def roller(name, advance):
    """Trajectories of one kind of contacts, whose steps are made by `advance`."""

    def roll(system, touching, method, h, every, motors, controller, inputs, outputs, lanes, scratch, states, steps):
        """Steps of trajectories, ``states`` and ``steps`` being (begin, end); (status, state, step, contacts).

        As `rollout`; it ends before a step that needs more room for contacts, which are more than there is room for.
        """
        model, index, work, f_ext = system[0], system[1], system[2], system[6]
        q, v, tau, drift = lanes.q, lanes.v, lanes.tau, scratch[3]
        for state in range(states[0], states[1]):
            first = steps[0] if state == states[0] else 0
            if first == 0:
                take(inputs.q, 0, state, q)
                take(inputs.v, 0, state, v)
                take(inputs.gains, 0, state, lanes.gains)
                copy_state(q, v, outputs.q[state, : q.shape[0]], outputs.v[state, : v.shape[0]])
            take(inputs.f_ext, 0, state, f_ext)
            take(inputs.firmness, 0, state, lanes.firmness)
            for step in range(first, steps[1]):
                outcome = torques(
                    model, index, work, motors, controller, inputs, state, step, step * h, lanes, scratch[1][A]
                )  # fmt: skip
                found = 0
                if outcome == OK:
                    outcome, found = advance(
                        system, touching, method, step * h, h, q, v, tau, scratch[:3], drift
                    )  # fmt: skip
                if outcome == OK and not finite(q, v):
                    outcome = status(NOT_FINITE, 0)
                if outcome != OK or found > room_of(touching):
                    return outcome, state, step, found
                if (step + 1) % every == 0:
                    k = (step + 1) // every
                    copy_state(
                        q, v, outputs.q[state, k * q.shape[0] : (k + 1) * q.shape[0]],
                        outputs.v[state, k * v.shape[0] : (k + 1) * v.shape[0]],
                    )  # fmt: skip
        return OK, states[1], steps[1], 0

    roll.__name__ = name
    return helper(roll)


@helper
def room_of(touching):
    """How many contacts there is room for."""
    return 0 if touching is None else touching[0][4].shape[0]


roll_shapes, roll_points = roller("roll_shapes", by_impulses), roller("roll_points", on_surfaces)
