"""Joints whose motion is given: their acceleration enters the sweep of `linkwork.kernels.closed.embedding` as it is.

An axis that is held there keeps its inertia and feels no torque: hybrid dynamics, [Featherstone2008] 9.2, with loops. A
driven tree goes through the same sweep, with no loops.
"""

from linkwork.kernels.closed.projection import FORCE
from linkwork.kernels.closed.records import axis_record_at, loop_at, mark_at, record_at
from linkwork.kernels.layout import FAILED, FASTEST, NO_VALUE, OK, UNDRIVEN
from linkwork.kernels.layout.acting import (
    AT,
    C_CLOSED,
    C_DRIVES,
    C_FAILED,
    C_FREE_ROWS,
    CALLED_DRIVE,
    DRIVE,
    JET,
    PROGRAM,
    STOP_ABOVE,
    STOP_BELOW,
    T_END,
    T_STEP,
    WHAT,
    WHERE,
)
from linkwork.kernels.layout.loops import A_GIVEN, COUPLING, P_LOOPS, P_ROWS, R_SLOPE
from linkwork.kernels.motion.acting import hand_over, unanswered
from linkwork.kernels.motion.expressions import evaluate_act
from linkwork.kernels.motion.pose_drives import add_pose_torques, follow_poses, impose_poses
from linkwork.kernels.numba_ext import call_at, helper, separate
from linkwork.kernels.records import status

_LEAP = 1e-4  # rad or m

@helper
def is_drive(acting, row):
    """Whether a row of `acts` is a drive."""
    what = acting.acts[row, WHAT]
    return what == DRIVE or what == CALLED_DRIVE or what == STOP_BELOW or what == STOP_ABOVE


@helper
def wanted(acting, row, t, q, v):
    """Leave the coordinate, its rate and its second derivative that a drive wants at time t on the stack."""
    stack = acting.stack
    if acting.acts[row, WHAT] == CALLED_DRIVE:
        hand_over(acting, t, q, v)
        call_at(acting.acts[row, PROGRAM], t, acting.q, acting.v, stack)
        if acting.calls[C_FAILED] != 0:
            return status(FAILED, row)
    elif not evaluate_act(acting.code, acting.numbers, acting.acts, row, t, 1.0, q, v, stack):
        return unanswered(acting, NO_VALUE, row, t, q, v)
    total = 0.0
    for k in range(JET):
        total += stack[k]
    sound = total - total == 0.0 and abs(stack[1]) <= FASTEST
    return OK if sound else unanswered(acting, NO_VALUE, row, t, q, v)


@helper
def leaps(clock, stack, x, rate):
    """Whether a drive wants a coordinate elsewhere than its rate has brought it in this step: it has jumped."""
    h = clock[T_END] - clock[T_STEP]
    return h > 0.0 and abs(stack[0] - x) > _LEAP + h * (abs(rate) + abs(stack[1]) + h * abs(stack[2]))


@helper
def impose(acting, led, t, q, v):
    """Put driven coordinates and velocities where their drives want them; where these `led` them, no drive may jump."""
    for row in range(acting.acts.shape[0]):
        if is_drive(acting, row):
            k, d = acting.acts[row, AT], acting.acts[row, WHERE]
            outcome = wanted(acting, row, t, q, v)
            if outcome == OK and led and leaps(acting.clock, acting.stack, q[k], v[d]):
                outcome = unanswered(acting, NO_VALUE, row, t, q, v)
            if outcome != OK:
                return outcome
            q[k], v[d] = acting.stack[0], acting.stack[1]
    return impose_poses(acting.poses, acting, t, q, v)


@separate
def follow(acting, loops, t, q, v):
    """Give driven axes their accelerations; in an open linkage also their coordinates and velocities.

    With loops the accelerations alone lead the others during a step, and `impose` comes after it.
    """
    if acting.calls[C_DRIVES] == 0:
        return OK
    plan, scratch = loops[0], loops[2]
    for row in range(acting.acts.shape[0]):
        if is_drive(acting, row):
            outcome = wanted(acting, row, t, q, v)
            if outcome != OK:
                return outcome
            d = acting.acts[row, WHERE]
            scratch[axis_record_at(plan, d) + A_GIVEN] = acting.stack[2]
            if acting.calls[C_CLOSED] == 0:
                q[acting.acts[row, AT]], v[d] = acting.stack[0], acting.stack[1]
    return follow_poses(acting.poses, acting, loops, t, q, v)


@helper
def refused(acting, loops):
    """The status of drives that loops leave no motion of their own: more rows are redundant than without them."""
    plan, scratch = loops[0], loops[2]
    if acting.calls[C_DRIVES] == 0:
        return OK
    count = 0
    for r in range(plan[P_ROWS]):
        if scratch[mark_at(plan, r)] == 0.0:
            count += 1
    return status(UNDRIVEN, 0) if count > acting.calls[C_FREE_ROWS] else OK


@helper
def without_couplings(loops, needed):
    """Take off what inverse dynamics `needed` the forces of couplings."""
    plan, _, scratch, lines = loops
    for number in range(plan[P_LOOPS]):
        loop = loop_at(plan, number)
        if loop.kind == COUPLING:
            x = lines[FORCE, loop.row]
            needed[loop.dof_i] -= x
            needed[loop.dof_j] += x * scratch[record_at(plan, number) + R_SLOPE]


@helper
def add_drive_torques(loops, acting, total, needed):
    """Add to `kept` the torques of drives: what inverse dynamics `needed` beyond all torques, which `total` holds."""
    if loops is None:
        return
    for row in range(acting.acts.shape[0]):
        if acting.acts[row, WHAT] == DRIVE or acting.acts[row, WHAT] == CALLED_DRIVE:
            d = acting.acts[row, WHERE]
            acting.kept[d] += needed[d] - total[d]
    add_pose_torques(acting.poses, acting.kept, total, needed)


@helper
def pulled_off(loops, acting, total, needed):
    """Whether a joint is pulled off the hard limit that it leans on: its force would have to pull."""
    if loops is None:
        return False
    for row in range(acting.acts.shape[0]):
        d, what = acting.acts[row, WHERE], acting.acts[row, WHAT]
        if what == STOP_ABOVE and needed[d] > total[d]:
            return True
        if what == STOP_BELOW and needed[d] < total[d]:
            return True
    return False
