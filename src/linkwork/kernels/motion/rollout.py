"""Whole trajectories of a tree, a pack of states at a time. Torques are found once per step and held."""

from linkwork.kernels.layout import N_V, NOT_FINITE, OK
from linkwork.kernels.motion.integrators import TOTAL, A, acceleration, rk4, semi_implicit
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
    write_lane,
)  # fmt: skip
from linkwork.kernels.records import status
from linkwork.kernels.tree.integrate import difference

SEMI_IMPLICIT, RK4 = 0, 1


@helper
def add_pd(model, index, work, gains, q, v, target_q, target_v, error, tau):
    """τ += kp (target_q ⊖ q) + kd (target_v − v); `gains` holds kp, then kd."""
    outcome = difference(model, index, work, 0, q, target_q, error)
    nv = index[N_V]
    for d in range(nv):
        push = load(gains, d) * load(error, d) + load(gains, nv + d) * (load(target_v, d) - load(v, d))
        store(tau, d, load(tau, d) + push)
    return outcome


@helper
def call_controller(controller, t, q, v, tau, rows):
    """Let a user's controller change the torques of each state of a pack by itself."""
    for w in range(WIDTH):
        read_lane(q, w, rows[0])
        read_lane(v, w, rows[1])
        read_lane(tau, w, rows[2])
        controller(t, rows[0], rows[1], rows[2])
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


@inlined
def step_of(method, system, t, h, q, v, tau, at, s):
    """One step, in place."""
    outcome = acceleration(system, t, q, v, tau, s[TOTAL], s[A])
    if outcome != OK:
        return outcome
    if method == RK4:
        return rk4(system, t, h, q, v, tau, at, s, q, v)
    return semi_implicit(system, t, h, q, v, tau, at, s, q, v)


def rollout(tree, method, h, every, steps, gains, controller, arrays, lanes, scratch, rows, begin, end):
    """Trajectories of states begin … end − 1; (status, state, step) where one fails.

    `tree` is (model, index, work, table). `arrays` are (B, m) rows, or one for all: q0, v0, tau, target_q, target_v,
    f_ext, and the outputs q and v, of every `every`-th step. `lanes` go with the first six of them, `rows` (nq, nv, nv)
    with a user's controller; `scratch` is that of a step: (nq) and `STEP_SCRATCH` arrays of nv.
    """
    model, index, work, table = tree
    q, v, tau, target_q, target_v, f_ext = lanes
    at, s = scratch
    system = (model, index, work, table, None, None, f_ext)
    nq, nv = q.shape[0], v.shape[0]
    for first in range(begin, end, WIDTH):
        count = min(WIDTH, end - first)
        gather(arrays[0], 0, first, count, q)
        gather(arrays[1], 0, first, count, v)
        gather(arrays[5], 0, first, count, f_ext)
        scatter(q, first, count, arrays[6], 0)
        scatter(v, first, count, arrays[7], 0)
        for step in range(steps):
            gather(arrays[2], column(arrays[2], step, nv), first, count, tau)
            outcome = OK
            if gains.shape[0] > 0:
                gather(arrays[3], column(arrays[3], step, nq), first, count, target_q)
                gather(arrays[4], column(arrays[4], step, nv), first, count, target_v)
                outcome = add_pd(model, index, work, gains, q, v, target_q, target_v, s[A], tau)
            if controller is not None:
                call_controller(controller, step * h, q, v, tau, rows)
            if outcome == OK:
                outcome = step_of(method, system, step * h, h, q, v, tau, at, s)
            if outcome == OK and not finite(q, v):
                outcome = status(NOT_FINITE, 0)
            if outcome != OK:
                return outcome, first, step
            if (step + 1) % every == 0:
                at_record = (step + 1) // every
                scatter(q, first, count, arrays[6], at_record * nq)
                scatter(v, first, count, arrays[7], at_record * nv)
    return OK, end, steps
