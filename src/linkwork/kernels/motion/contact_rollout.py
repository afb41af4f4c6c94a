"""Whole trajectories of linkages with contacts: shapes by impulses, points on surfaces.

Steps are those of `contact_stepping` and of `contact_march`. Of open linkages with shapes a pack of states moves at a
time, and each of them that touches has its impulses by itself; all else goes one state after the other. ``system`` is
theirs; what acts besides it is given by ``inputs``, as of `rollout`.
"""

from typing import Any, NamedTuple

from linkwork.kernels.algebra.spatial import compose
from linkwork.kernels.algebra.storage import load_pose, store_pose
from linkwork.kernels.contact.detect import detect
from linkwork.kernels.contact.impulses import NEAR, TOUCHING
from linkwork.kernels.layout import FASTEST, N_STAGES, NOT_FINITE, OK
from linkwork.kernels.motion import contact_march
from linkwork.kernels.motion import rollout as packs
from linkwork.kernels.motion.contact_stepping import give_impulses, half_way, other_half
from linkwork.kernels.motion.feedback import add_feedback, limit_motors
from linkwork.kernels.motion.integrators import TOTAL, A, acceleration_of, combine
from linkwork.kernels.motion.march import copy_state
from linkwork.kernels.motion.rollout import RK4, column, finite
from linkwork.kernels.motion.turning_frames import accelerate, straight, turn
from linkwork.kernels.numba_ext import (
    WIDTH,
    any_of,
    fabs,
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
from linkwork.kernels.records import load_xform, parent_of, status
from linkwork.kernels.tree.integrate import integrate


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
        outcome = other_half(system, shapes, space, None, found, t, h, v_at, tau, s, spare, drift, at, new_q, new_v)
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


class Pack(NamedTuple):
    """Scratch space of `roll_packs`: of a pack of states, then the same of each of them, or of one."""

    at: Any  # q½
    v: Any  # v_f, then v⁺
    step: Any
    shift: Any
    poses: Any  # (stages, 12) in the world
    numbers: Any  # … the same as (stages · 12)
    own_poses: Any  # (WIDTH, stages + 1, 12), ground's last
    own_numbers: Any  # … the same as (WIDTH, (stages + 1) · 12)
    own_work: Any  # (WIDTH, …)
    own_v: Any
    own_shift: Any


@helper
def place_packs(index, work, poses):
    """World poses of the stages, from those in their parents that `work` has."""
    for i in range(index[N_STAGES]):
        X, parent = load_xform(work, i), parent_of(index, i)
        store_pose(poses[i], 0, X if parent < 0 else compose(load_pose(poses[parent], 0), X))


@helper
def push_packs(model, index, work, touching, t, h, pack):
    """Give states of a pack their impulses, from the motion in `work`: status, the lane that fails, its contacts."""
    shapes, space = touching
    contacts = shapes[4]
    apart = False  # whether `work` was taken apart
    scatter(pack.numbers, 0, WIDTH, pack.own_numbers, 0)
    for w in range(WIDTH):
        found = detect(pack.own_poses[w], *shapes[1:], t + 0.5 * h, max(TOUCHING, NEAR * h * h))
        if found == 0:
            continue
        if found > contacts.shape[0]:
            return OK, w, found
        if not apart:
            scatter(work, 0, WIDTH, pack.own_work, 0)
            apart = True
        read_lane(pack.v, w, pack.own_v)
        for d in range(pack.own_shift.shape[0]):
            pack.own_shift[d] = 0.0
        outcome = give_impulses(
            model, index, pack.own_work[w], None, contacts, space, found, h, pack.own_v, pack.own_shift
        )  # fmt: skip
        if outcome != OK:
            return outcome, w, found
        write_lane(pack.own_v, pack.v, w)
        write_lane(pack.own_shift, pack.shift, w)
    return OK, 0, 0


@helper
def step_packs(model, index, work, table, limits, touching, t, h, lanes, s, pack):
    """One step of a pack, in place: status, the lane that fails, and how many contacts it has."""
    q, v = lanes.q, lanes.v
    straight(index, 0.5 * h, v, pack.step)
    outcome = integrate(model, index, work, 0, q, pack.step, pack.at)
    turn(index, 0.5 * h, v)
    if outcome == OK:
        system = model, index, work, table, (limits, lanes.firmness, None), None, lanes.f_ext
        outcome = acceleration_of(*system, pack.at, v, lanes.tau, s[TOTAL], s[A])
    if outcome != OK:
        return outcome, 0, 0
    accelerate(index, h, v, s[A], pack.v)
    for d in range(v.shape[0]):
        store(pack.shift, d, 0.0)
    place_packs(index, work, pack.poses)
    outcome, lane, found = push_packs(model, index, work, touching, t, h, pack)
    if outcome != OK or found > 0:
        return outcome, lane, found
    straight(index, 0.5 * h, pack.v, pack.step)
    combine(pack.step, 1.0, pack.shift, pack.step)
    outcome = integrate(model, index, work, 0, pack.at, pack.step, q)
    turn(index, 0.5 * h, pack.v)
    for d in range(v.shape[0]):
        store(v, d, load(pack.v, d))
    return outcome, 0, 0


@helper
def any_too_fast(v):
    """Whether a velocity of one of the states is beyond all bounds."""
    worst = scalar(v, 0.0)
    for d in range(v.shape[0]):
        speed = fabs(load(v, d))
        worst = where(speed > worst, speed, worst)
    return any_of(worst >= FASTEST)


def roll_packs(tree, touching, h, every, controller, inputs, outputs, lanes, s, pack, rows, states, steps):
    """As `roll`, of open linkages with shapes, a pack of states at a time; ``tree`` and ``rows`` as of `rollout`."""
    model, index, work, table, limits, motors = tree
    q, v = lanes.q, lanes.v
    for first in range(states[0], states[1], WIDTH):
        count = min(WIDTH, states[1] - first)
        if steps[0] == 0:
            packs.begin(inputs, first, count, lanes)
            store(lanes.margin, 0, 1.0)
            packs.record(lanes, first, count, outputs, 0)
        for step in range(steps[0], steps[1]):
            outcome = packs.torques(
                model, index, work, motors, controller, inputs, first, count, step, step * h, q, v, lanes, s[A], rows
            )  # fmt: skip
            lane = found = 0
            if outcome == OK:
                outcome, lane, found = step_packs(
                    model, index, work, table, limits, touching, step * h, h, lanes, s, pack
                )  # fmt: skip
            if outcome == OK and (any_too_fast(v) or not finite(q, v)):
                outcome = status(NOT_FINITE, 0)
            if outcome != OK or found > touching[0][4].shape[0]:
                return outcome, first + min(lane, count - 1), step, found
            if (step + 1) % every == 0:
                packs.record(lanes, first, count, outputs, (step + 1) // every)
    return OK, states[1], steps[1], 0
