"""Gradients of whole trajectories: the adjoint of every step of `linkwork.kernels.motion.rollout`, from last to first.

States between those recorded are made again, one stretch from record to record at a time, and kept on the `tape`:
stages of a step are not stored, but made again too.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
λ       adjoints of q and v, in the tangent space of `integrate`: `lam.q` and `lam.v`
u, w, a local coordinates, velocities and accelerations of the stages of a Runge–Kutta step
======= ================================================================================================================

Open linkages go a pack of states at a time; closed ones, whose rows' forces packs do not know, one by one.

References: [Hairer2006] for the steps; adjoints of a step are those of its operations in reverse.
"""

from typing import Any, NamedTuple

from linkwork.kernels.closed.adjoint import closed_forward_vjp
from linkwork.kernels.closed.projection_adjoint import projection_vjp
from linkwork.kernels.layout import N_V, OK
from linkwork.kernels.motion.feedback import add_feedback, limit_motors
from linkwork.kernels.motion.integrators import acceleration_of, advance, combine, scaled, system_rate
from linkwork.kernels.motion.limits import L_COORDINATE, L_DOF, L_LOWER, L_UPPER, limit_forces
from linkwork.kernels.motion.rollout import RK4, column, fetch, onto_loops, put, step_by
from linkwork.kernels.numba_ext import WIDTH, fabs, helper, inlined, load, scalar, store, where
from linkwork.kernels.tree.adjoint import pull_back, tree_acceleration
from linkwork.kernels.tree.integrate import difference, integrate
from linkwork.kernels.tree.step_adjoint import rate_adjoint, step_adjoint


class Trajectory(NamedTuple):
    """Rows (B, m): recorded states, and the derivatives of a number with respect to them."""

    q: Any
    v: Any
    q_bar: Any
    v_bar: Any


class Gradient(NamedTuple):
    """Rows (B, m): derivatives with respect to the first state and the torques, constant or of each step."""

    q: Any
    v: Any
    tau: Any


class Adjoint(NamedTuple):
    """Scratch of one state or pack: the adjoints on their way, a stage's, and those of the step's torques."""

    q: Any
    v: Any
    tau: Any  # with those of loop joints
    total: Any  # of all steps
    seed: Any
    of_q: Any
    of_v: Any
    of_tau: Any
    of_u: Any
    of_stage_u: Any
    of_stage_v: Any
    a_bar: Any
    raw_tau: Any  # torques of a step before the motors' limits
    end_q: Any
    end_v: Any
    trial_q: Any


@inlined
def acceleration(system, t, q, v, tau, total, a):
    """a = dv/dt under torques that are held; `total` (nv) is scratch."""
    model, index, work, table, limits, loops, f_ext = system
    return acceleration_of(model, index, work, table, limits, loops, f_ext, q, v, tau, total, a)


step_again = step_by(acceleration)  # one of the rollout


@helper
def copy(x, out):
    """out = x, as much of it as there is room for."""
    for k in range(out.shape[0]):
        store(out, k, load(x, k))


@helper
def add_to(out, x):
    """out += x."""
    for k in range(x.shape[0]):
        store(out, k, load(out, k) + load(x, k))


@helper
def torques(model, index, work, motors, inputs, first, count, step, lanes, error, tau):
    """The torques of a step, as `rollout` finds them; before the motors' limits in `tau`, after them in the lanes."""
    fetch(inputs.tau, column(inputs.tau, step, lanes.tau.shape[0]), first, count, lanes.tau)
    if lanes.gains.shape[0] > 0:
        fetch(inputs.target_q, column(inputs.target_q, step, lanes.q.shape[0]), first, count, lanes.target_q)
        fetch(inputs.target_v, column(inputs.target_v, step, lanes.v.shape[0]), first, count, lanes.target_v)
        add_feedback(
            model, index, work, lanes.gains, lanes.q, lanes.v, lanes.target_q, lanes.target_v, error, lanes.tau
        )  # fmt: skip
    copy(lanes.tau, tau)
    limit_motors(motors, lanes.v, lanes.tau)


@helper
def motor_adjoint(motors, v, tau, tau_bar, v_bar):
    """Back through `limit_motors`, `tau` being the torques before it; `tau_bar` in place, `v_bar` added to."""
    nv = motors.shape[0] // 3
    for d in range(nv):
        x, rate, bar = load(tau, d), load(v, d), load(tau_bar, d)
        share = (motors[nv + d] - fabs(rate)) / motors[2 * nv + d]
        fading = where(x * rate > 0.0, where(share < 1.0, where(share > 0.0, bar, 0.0 * bar), 0.0 * bar), 0.0 * bar)
        share = where(share < 1.0, where(share > 0.0, share, 0.0), 1.0)
        most = motors[d] * where(x * rate > 0.0, share, 1.0)
        beyond = fabs(x) > most
        slope = where(beyond, -motors[d] / motors[2 * nv + d], 0.0)  # of |τ| by |v|, along the motion
        store(v_bar, d, load(v_bar, d) + slope * fading)
        store(tau_bar, d, where(beyond, 0.0 * bar, bar))


@helper
def feedback_adjoint(model, index, work, lanes, error, tau_bar, q_bar, v_bar, spare_a, spare_b, spare_c):
    """Back through `add_feedback`: what its torques' adjoints give those of q and v."""
    nv, gains = index[N_V], lanes.gains
    difference(model, index, work, 0, lanes.q, lanes.target_q, error)
    for e in range(nv):
        x, y = scalar(error, 0.0), scalar(error, 0.0)
        if gains.shape[0] == 2 * nv:
            x, y = load(gains, e) * load(tau_bar, e), load(gains, nv + e) * load(tau_bar, e)
        else:
            for d in range(nv):
                k = 2 * nv * d + e
                x += load(gains, k) * load(tau_bar, d)
                y += load(gains, nv + k) * load(tau_bar, d)
        store(spare_a, e, x)
        store(v_bar, e, load(v_bar, e) - y)
        store(error, e, -load(error, e))
    # error = log(q⁻¹ target), whose change is −dexp⁻¹(−error) δq
    rate_adjoint(model, index, error, error, spare_a, spare_b, spare_c)
    for e in range(nv):
        store(q_bar, e, load(q_bar, e) - load(spare_c, e))


@helper
def limit_adjoint(limits, q, v, tau_bar, q_bar, v_bar):
    """Add what the push of compliant limits gives the adjoints of q and v."""
    table, firmness, _ = limits
    for j in range(table.shape[0]):
        d, k = int(table[j, L_DOF]), int(table[j, L_COORDINATE])
        x, rate, bar = load(q, k), load(v, d), load(tau_bar, d)
        stiffness, damping = load(firmness, 2 * j), load(firmness, 2 * j + 1)
        over, under = x - table[j, L_UPPER], x - table[j, L_LOWER]
        down, up = stiffness * over + damping * rate, stiffness * under + damping * rate
        z = 0.0 * bar
        bar = where(over > 0.0, where(down > 0.0, bar, z), z) + where(under < 0.0, where(up < 0.0, bar, z), z)
        store(q_bar, d, load(q_bar, d) - stiffness * bar)
        store(v_bar, d, load(v_bar, d) - damping * bar)


@helper
def acceleration_adjoint(model, index, work, table, limits, loops, f_ext, q, v, tau, a_bar, lam, s, lines):
    """Products of `a_bar` with the derivatives of `acceleration`, in lam.of_q, of_v and of_tau."""
    nv = index[N_V]
    total, a = s[1], s[0]
    for d in range(nv):
        store(total, d, load(tau, d))
    limit_forces(limits, q, v, total)
    of_tau = lam.of_tau[:nv]
    if loops is None:
        outcome, loaded = tree_acceleration(model, index, work, table, q, v, total, f_ext, s[2], a)
        if outcome == OK:
            pull_back(model, index, work, table, loaded, q, v, f_ext, a, a_bar, lam.of_q, lam.of_v, of_tau)
    else:
        plan, geometry, loop_scratch, _ = loops
        outcome = closed_forward_vjp(
            model, index, work, table, plan, geometry, loop_scratch, q, v, total, f_ext, tau[nv:], a_bar,
            lam.of_q, lam.of_v, of_tau, lam.of_tau[nv:], a, lines[:4], s[2],
        )  # fmt: skip
    if outcome == OK:
        limit_adjoint(limits, q, v, of_tau, lam.of_q, lam.of_v)
    return outcome


@helper
def project_back(model, index, work, loops, q, u, v, lam, lines):
    """The adjoint of bringing q ⊕ u and v onto the loops, where there are any."""
    if loops is None:
        return OK
    plan, geometry, loop_scratch, _ = loops
    outcome = integrate(model, index, work, 0, q, u, lam.trial_q)
    if outcome != OK:
        return outcome
    return projection_vjp(
        model, index, work, plan, geometry, loop_scratch, lam.trial_q, v, lam.end_q, lam.end_v, lam.q, lam.v, lines
    )  # fmt: skip


@inlined
def semi_implicit_adjoint(system, t, h, q, v, tau, at, s, lam, stages, lines):
    """v' = v + h a, q' = q ⊕ h v': λ_v += h λ_u, then the products with h λ_v."""
    model, index, work, table, limits, loops, f_ext = system
    outcome = acceleration(system, t, q, v, tau, s[1], s[0])
    if outcome != OK:
        return outcome
    combine(v, h, s[0], s[2])
    scaled(h, s[2], s[3])
    outcome = project_back(model, index, work, loops, q, s[3], s[2], lam, lines)
    if outcome != OK:
        return outcome
    step_adjoint(model, index, s[3], lam.q, lam.q, lam.of_u)
    combine(lam.v, h, lam.of_u, lam.v)
    scaled(h, lam.v, lam.a_bar)
    outcome = acceleration_adjoint(
        model, index, work, table, limits, loops, f_ext, q, v, tau, lam.a_bar, lam, s, lines
    )  # fmt: skip
    add_to(lam.q, lam.of_q)
    add_to(lam.v, lam.of_v)
    add_to(lam.tau, lam.of_tau)
    return outcome


@inlined
def rk4_adjoint(system, t, h, q, v, tau, at, s, lam, stages, lines):
    """The stages once more, then backwards; `stages` is 8 rows: u and w of each."""
    model, index, work, table, limits, loops, f_ext = system
    a, rate, sum_u, sum_v = s[4], s[5], s[6], s[7]
    nv = index[N_V]
    for d in range(nv):
        store(stages[0], d, 0.0)
        store(sum_u, d, 0.0)
        store(sum_v, d, load(v, d))
        store(stages[4], d, load(v, d))
    for k in range(4):
        advance(system, q, stages[k], at)
        outcome = acceleration(system, t, at, stages[4 + k], tau, s[1], a)
        if outcome != OK:
            return outcome
        system_rate(system, stages[k], stages[4 + k], rate)
        weight = h / 6.0 if k == 0 or k == 3 else h / 3.0
        combine(sum_u, weight, rate, sum_u)
        combine(sum_v, weight, a, sum_v)
        if k < 3:
            part = h if k == 2 else 0.5 * h
            scaled(part, rate, stages[k + 1])
            combine(v, part, a, stages[5 + k])
    outcome = project_back(model, index, work, loops, q, sum_u, sum_v, lam, lines)
    if outcome != OK:
        return outcome
    step_adjoint(model, index, sum_u, lam.q, lam.q, lam.of_u)
    copy(lam.v, lam.seed)
    for k in range(3, -1, -1):
        weight = h / 6.0 if k == 0 or k == 3 else h / 3.0
        scaled(weight, lam.of_u, rate)  # adjoint of the stage's rate
        scaled(weight, lam.seed, lam.a_bar)
        if k < 3:
            part = h if k == 2 else 0.5 * h
            combine(rate, part, lam.of_stage_u, rate)
            combine(lam.a_bar, part, lam.of_stage_v, lam.a_bar)
            add_to(lam.v, lam.of_stage_v)
        advance(system, q, stages[k], at)
        outcome = acceleration_adjoint(
            model, index, work, table, limits, loops, f_ext, at, stages[4 + k], tau, lam.a_bar, lam, s, lines
        )  # fmt: skip
        if outcome != OK:
            return outcome
        add_to(lam.tau, lam.of_tau)
        rate_adjoint(model, index, stages[k], stages[4 + k], rate, lam.of_stage_u, rate)
        step_adjoint(model, index, stages[k], lam.of_q, lam.of_q, sum_u)
        add_to(lam.q, lam.of_q)
        add_to(lam.of_stage_u, sum_u)
        for d in range(nv):
            store(lam.of_stage_v, d, load(rate, d) + load(lam.of_v, d))
    add_to(lam.v, lam.of_stage_v)
    return OK


@inlined
def step_back(method, system, motors, inputs, first, count, step, h, lanes, at, s, lam, stages, lines):
    """The adjoint of one step that began at the lanes' state; torques and what they follow included."""
    model, index, work = system[0], system[1], system[2]
    torques(model, index, work, motors, inputs, first, count, step, lanes, s[0], lam.raw_tau)
    for d in range(lam.tau.shape[0]):
        store(lam.tau, d, 0.0)
    if method == RK4:
        outcome = rk4_adjoint(system, step * h, h, lanes.q, lanes.v, lanes.tau, at, s, lam, stages, lines)
    else:
        outcome = semi_implicit_adjoint(system, step * h, h, lanes.q, lanes.v, lanes.tau, at, s, lam, stages, lines)
    if outcome != OK:
        return outcome
    motor_adjoint(motors, lanes.v, lam.raw_tau, lam.tau, lam.v)
    if lanes.gains.shape[0] > 0:
        feedback_adjoint(model, index, work, lanes, s[0], lam.tau, lam.q, lam.v, s[1], s[2], s[3])
    return OK


def rollout_adjoint(
    tree, loops, method, h, every, inputs, trajectory, gradient, lanes, lam, tape, scratch, states, records
):  # fmt: skip
    """Stretches `records` = (begin, end) of trajectories backwards, from record end to record begin.

    `tree`, `loops`, `inputs` and `lanes` are as in `rollout`; `tape` is (every, nq + nv) states, `scratch` that of a
    step with 8 rows for stages and the lines of `projection_vjp` behind it. Returns (status, state, step).
    """
    model, index, work, table, limits, motors = tree
    at, s, drift, stages, lines = scratch
    q, v = lanes.q, lanes.v
    nq, nv = q.shape[0], v.shape[0]
    width = WIDTH if q.ndim == 2 else 1
    last = trajectory.v.shape[1] // max(nv, 1) - 1
    constant = gradient.tau.shape[1] == lam.tau.shape[0]
    system = (model, index, work, table, (limits, lanes.firmness, None), loops, lanes.f_ext)
    for first in range(states[0], states[1], width):
        count = min(width, states[1] - first)
        fetch(inputs.f_ext, 0, first, count, lanes.f_ext)
        fetch(inputs.gains, 0, first, count, lanes.gains)
        fetch(inputs.firmness, 0, first, count, lanes.firmness)
        if records[1] == last:
            fetch(trajectory.q_bar, last * nv, first, count, lam.q)
            fetch(trajectory.v_bar, last * nv, first, count, lam.v)
            fetch(trajectory.q, last * nq, first, count, lam.end_q)
            fetch(trajectory.v, last * nv, first, count, lam.end_v)
            for d in range(lam.total.shape[0]):
                store(lam.total, d, 0.0)
        for k in range(records[1] - 1, records[0] - 1, -1):
            fetch(trajectory.q, k * nq, first, count, q)
            fetch(trajectory.v, k * nv, first, count, v)
            for j in range(every):
                copy(q, tape[j, :nq])
                copy(v, tape[j, nq:])
                if j + 1 == every:
                    break
                step = k * every + j
                torques(model, index, work, motors, inputs, first, count, step, lanes, s[0], lam.raw_tau)
                outcome = step_again(method, system, step * h, h, q, v, lanes.tau, at, s)
                if outcome == OK:
                    outcome = onto_loops(model, index, work, loops, method == RK4, q, v, at, drift, lanes.margin)
                if outcome != OK:
                    return outcome, first, step
            for j in range(every - 1, -1, -1):
                step = k * every + j
                copy(tape[j, :nq], q)
                copy(tape[j, nq:], v)
                outcome = step_back(
                    method, system, motors, inputs, first, count, step, h, lanes, at, s, lam, stages, lines
                )  # fmt: skip
                if outcome != OK:
                    return outcome, first, step
                copy(q, lam.end_q)
                copy(v, lam.end_v)
                add_to(lam.total, lam.tau)
                if not constant:
                    put(lam.tau, first, count, gradient.tau, step * lam.tau.shape[0])
            fetch(trajectory.q_bar, k * nv, first, count, lam.seed)
            add_to(lam.q, lam.seed)
            fetch(trajectory.v_bar, k * nv, first, count, lam.seed)
            add_to(lam.v, lam.seed)
        if records[0] == 0:
            put(lam.q, first, count, gradient.q, 0)
            put(lam.v, first, count, gradient.v, 0)
            if constant:
                put(lam.total, first, count, gradient.tau, 0)
    return OK, states[1], 0
