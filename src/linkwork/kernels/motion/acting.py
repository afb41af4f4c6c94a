"""What acts during compiled steps besides the linkage's own forces: torques, wrenches and controllers.

``acting`` is an `Acting`. Things that are text or tables are programs (see `expressions`); functions of (t, q, v) are
called by their address, be they a user's compiled ones or Python's. `drives` has those that give joints their motion.
Conditions that are watched are functions too, looked at after every step.
"""

from typing import Any, NamedTuple

from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import add_wrench, load_vec
from linkwork.kernels.algebra.vec3 import add, cross, mul
from linkwork.kernels.layout import DIVERGED, FAILED, FASTEST, N_V, NO_VALUE, OK
from linkwork.kernels.layout.acting import (
    AT,
    C_CONDITIONS,
    C_CONTROL,
    C_DUE,
    C_FAILED,
    C_HELD,
    C_LEVERS,
    C_MOTORS,
    C_PUSHES,
    C_TORQUES,
    C_WATCH,
    C_WRENCHES,
    CALLS,
    CLOCK,
    PUSH,
    T_CALL,
    T_NUMBER,
    T_ROWS,
    T_STEP,
    WATCHED,
    WHAT,
    WHERE,
)
from linkwork.kernels.motion.expressions import add_torques, evaluate_act
from linkwork.kernels.motion.feedback import add_feedback, limit_motors
from linkwork.kernels.numba_ext import call_at, helper, number_at, separate
from linkwork.kernels.records import load_xform, status
from linkwork.kernels.tree.kinematics import velocities_and_poses

LARGEST = 1.7976931348623157e308  # of all numbers: a sum minus itself may be taken for zero even where it is NaN


class Acting(NamedTuple):
    """Arrays of `linkwork.kernels.layout.acting`, and where results are left."""

    code: Any  # None where nothing acts on an open linkage: what is None is not compiled
    numbers: Any
    acts: Any
    calls: Any
    gains: Any  # of feedback, see `feedback`; empty for another controller, None where there is none
    target_q: Any  # (steps, nq) and (steps, nv): where it goes
    target_v: Any
    offset: Any  # (steps, nv) torques that it adds to
    motors: Any  # (3 nv) what they can do, see `limit_motors`; or of size 0
    stack: Any
    clock: Any  # when functions are called, and
    q: Any  # the state at which they are
    v: Any
    answer: Any  # what a function gives
    applied: Any  # (nv + loop joints) torques: those that are held, and what is added to them
    kept: Any  # the same as they were at the start of a step, with those of drives; then wrenches
    poses: Any  # drives of Planar, Spherical and Free joints, see `pose_drives`; None where there are none
    held: Any  # (nv) of a tree, which accelerations are given, for `tree.hybrid_aba`; None where `closed` has them


@helper
def hand_over(acting, t, q, v):
    """Leave time and state where functions find them."""
    acting.clock[T_CALL] = t
    for k in range(q.shape[0]):
        acting.q[k] = q[k]
    for d in range(v.shape[0]):
        acting.v[d] = v[d]


@helper
def unanswered(acting, what, where, t, q, v):
    """The status of a program or function that gives nothing; time and state are left for Python to look at."""
    hand_over(acting, t, q, v)
    return status(what, where)


@helper
def too_fast(v):
    """The first degree of freedom whose speed is no sane number, or −1."""
    for d in range(v.shape[0]):
        if not abs(v[d]) <= FASTEST:
            return d
    return -1


@helper
def ask(acting, which, n, t, q, v):
    """Call one of the functions, for n numbers in the answer; not with a state that has diverged."""
    if too_fast(v) >= 0:
        return status(DIVERGED, too_fast(v))
    hand_over(acting, t, q, v)
    for k in range(n):
        acting.answer[k] = 0.0
    call_at(acting.calls[which], t, acting.q, acting.v, acting.answer)
    if acting.calls[C_FAILED] != 0:
        return status(FAILED, which)
    total = 0.0
    for k in range(n):
        total += acting.answer[k]
    return OK if abs(total) <= LARGEST else status(FAILED, which)


@helper
def push(acting, work, row, t, q, v, f_ext):
    """One wrench that is given as text, at a point of a body, in world axes."""
    body, point = acting.acts[row, WHERE], acting.acts[row, AT]
    for j in range(6):
        if not evaluate_act(acting.code, acting.numbers, acting.acts, row + j, t, 0.0, q, v, acting.stack):
            return unanswered(acting, NO_VALUE, row + j, t, q, v)
        acting.answer[j] = acting.stack[0]
    f, n = load_vec(acting.answer, 0), load_vec(acting.answer, 3)
    if acting.calls[C_LEVERS] != 0:
        lever = mul(load_xform(work, int(acting.numbers[point])).R, load_vec(acting.numbers, point + 1))
        n = add(n, cross(lever, f))
    add_wrench(f_ext, 6 * body, Wrench(f, n))
    return OK


@helper
def push_bodies(model, index, work, acting, f_ext, t, q, v):
    """Wrenches on bodies, world axes, about their origins."""
    for k in range(f_ext.shape[0]):
        f_ext[k] = 0.0
    if acting.calls[C_PUSHES] != 0:
        if acting.calls[C_LEVERS] != 0:
            velocities_and_poses(model, index, work, q, v)
        for row in range(acting.acts.shape[0]):
            if acting.acts[row, WHAT] == PUSH:
                outcome = push(acting, work, row, t, q, v, f_ext)
                if outcome != OK:
                    return outcome
    if acting.calls[C_WRENCHES] != 0:
        outcome = ask(acting, C_WRENCHES, f_ext.shape[0], t, q, v)
        if outcome != OK:
            return outcome
        for k in range(f_ext.shape[0]):
            f_ext[k] += acting.answer[k]
    return OK


@helper
def act(model, index, work, acting, f_ext, t, q, v, tau):
    """All torques, held ones included, to `applied`, and all wrenches to `f_ext`."""
    applied = acting.applied
    for d in range(applied.shape[0]):
        applied[d] = tau[d]
    return act_where(acting.code, model, index, work, acting, f_ext, t, q, v)


@helper
def act_where(code, model, index, work, acting, f_ext, t, q, v):
    """`act_besides` where anything acts; the code is None where nothing can, so that none of it is compiled."""
    if code is None:
        return OK
    if acting.acts.shape[0] == 0 and acting.calls[C_TORQUES] == 0 and f_ext.shape[0] == 0:
        return OK
    return act_besides(model, index, work, acting, f_ext, t, q, v)


@separate
def act_besides(model, index, work, acting, f_ext, t, q, v):
    """Add what is given as text and by functions to `applied`, and write `f_ext`."""
    applied = acting.applied
    row = add_torques(acting.code, acting.numbers, acting.acts, t, q, v, acting.stack, applied)
    if row >= 0:
        return unanswered(acting, NO_VALUE, row, t, q, v)
    if acting.calls[C_TORQUES] != 0:
        outcome = ask(acting, C_TORQUES, applied.shape[0], t, q, v)
        if outcome != OK:
            return outcome
        for d in range(applied.shape[0]):
            applied[d] += acting.answer[d]
    if acting.calls[C_MOTORS] != 0:
        limit_motors(acting.motors, v, applied)
    return push_bodies(model, index, work, acting, f_ext, t, q, v) if f_ext.shape[0] > 0 else OK


@helper
def control(model, index, work, acting, number, t, q, v, tau):
    """Let a compiled controller give the torques that are held from step `number` on, where they are due."""
    return command_where(acting.gains, model, index, work, acting, number, t, q, v, tau)


@helper
def is_asked(acting, number):
    """Whether a controller is to give torques in step `number`, or conditions are looked at before it."""
    return acting.calls[C_WATCH] != 0 or acting.calls[C_CONDITIONS] != 0 or is_due(acting.gains, acting, number)


@helper
def is_due(gains, acting, number):
    """Whether the controller's torques are due; the gains are None where there is none."""
    if gains is None:
        return False
    return (gains.shape[0] > 0 or acting.calls[C_CONTROL] != 0) and number >= acting.calls[C_DUE]


@helper
def command_where(gains, model, index, work, acting, number, t, q, v, tau):
    """`command` where torques are due; the gains are None where there is no controller."""
    if gains is None or not is_due(gains, acting, number):
        return OK
    return command(model, index, work, acting, number, t, q, v, tau)


@separate
def command(model, index, work, acting, number, t, q, v, tau):
    """The torques that a controller wants to be held from step `number` on."""
    calls, gains, nv = acting.calls, acting.gains, index[N_V]
    calls[C_DUE] = (number // calls[C_HELD] + 1) * calls[C_HELD]
    if gains.shape[0] > 0:
        to_q = acting.target_q[min(number, acting.target_q.shape[0] - 1)]
        to_v = acting.target_v[min(number, acting.target_v.shape[0] - 1)]
        offset = acting.offset[min(number, acting.offset.shape[0] - 1)]
        for d in range(nv):
            tau[d] = offset[d]
        outcome = add_feedback(model, index, work, gains, q, v, to_q, to_v, acting.answer, tau)
    else:
        outcome = ask(acting, C_CONTROL, tau.shape[0], t, q, v)
        if outcome == OK:  # else those that are held stay
            for d in range(tau.shape[0]):
                tau[d] = acting.answer[d]
    if outcome == OK and acting.motors.shape[0] > 0:
        limit_motors(acting.motors, v, tau)
    return outcome


@helper
def met(acting, t, number, rows, q, v):
    """Whether a condition that is watched is met before step `number`, at time t, or has no value there."""
    return (acting.calls[C_WATCH] != 0 or acting.calls[C_CONDITIONS] != 0) and look(acting, t, number, rows, q, v)


@separate
def look(acting, t, number, rows, q, v):
    """`met`, where there are conditions; if not, their values are those before the next step."""
    calls, clock = acting.calls, acting.clock
    hand_over(acting, t, q, v)
    clock[T_STEP], clock[T_NUMBER], clock[T_ROWS] = t, number, rows
    if calls[C_WATCH] != 0:
        call_at(calls[C_WATCH], t, acting.q, acting.v, acting.answer)
        return acting.answer[0] != 0.0 or calls[C_FAILED] != 0
    for k in range(calls[C_CONDITIONS]):
        before, after = clock[CLOCK + k], number_at(calls[CALLS + 2 * k], t, acting.q, acting.v)
        way = calls[CALLS + 2 * k + 1]
        rises, falls = before < 0.0 and after >= 0.0, before > 0.0 and after <= 0.0
        if after != after or (rises and way >= 0) or (falls and way <= 0):
            return True
        clock[CLOCK + WATCHED + k] = after
    for k in range(calls[C_CONDITIONS]):
        clock[CLOCK + k] = clock[CLOCK + WATCHED + k]
    return False
