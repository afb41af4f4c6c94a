"""Error-bounded quasi-statics of huge linkages: only the joints that matter are computed.

The accelerations are found from the whole linkage down, the part with the largest total acceleration first, and what
is left when the error is small enough is taken as zero (`cull`). Only what moved, or bears a force, is brought up to
date for the next step (`update`): every quantity of a node lives in its own frames, so nothing else has changed.

What is left unknown of a node is its total acceleration A, known up to rounding: it is taken as
(√(A + its rounding) + √noise)².

References: [Redon2005] sections 4.3 and 5.2.
"""

import math

from linkwork.kernels.assembly import (
    ABOVE,
    KIND,
    LEAF,
    LEFT,
    OPEN,
    PLACE,
    PORT,
    RIGHT,
    RIGID,
    SOLVE,
    STAGE,
    SUM,
    TOTAL,
)
from linkwork.kernels.blocks import VECTOR, clear_rows, copy_rows, sub_rows
from linkwork.kernels.divide_conquer import set_ground, split
from linkwork.kernels.integrate import integrate_stage
from linkwork.kernels.jit import helper, inlined
from linkwork.kernels.joints import joint_xform
from linkwork.kernels.layout import (
    GRAVITY,
    I_KIND,
    I_Q,
    I_V,
    KIND_NV,
    N_STAGES,
    OK,
    SINGULAR,
    W_FORCE,
    WORK_ROW,
    check_state,
    index_row,
    load_vec,
    load_xform,
    status,
    store_wrench,
    store_xform,
)
from linkwork.kernels.pack import load, store
from linkwork.kernels.parts import A_NUMBERS, AXES, AXIS_ROWS, BIAS, P_FORCE, PHI, TOP, X_B, lay_out_node
from linkwork.kernels.queue import QUEUE, pop, push
from linkwork.kernels.spatial import Wrench, Xform, compose
from linkwork.kernels.total_acceleration import (
    FULL_SOLVE_ROWS,
    OPEN_ROWS,
    P_NOW,
    P_POSE,
    T_NOW,
    T_POSE,
    TOTAL_ROWS,
    centre,
    get_pose,
    noise_of,
    put_pose,
    refresh,
    total_at,
)
from linkwork.kernels.vec3 import Mat3, Vec3, add, cross, neg, tmul

# Measures of the error ([Redon2005] definition 2); those of single joints come last
ABSOLUTE_LINKAGE, RELATIVE_LINKAGE, ABSOLUTE_JOINT, RELATIVE_JOINT = range(4)
# count: nodes in the queue (see `queue`), nodes taken from it, joints computed
TAKEN, COMPUTED = 1, 2
# known: Σ q̈² and the largest q̈² of the joints computed
SQUARES, LARGEST = range(2)
# why a node is brought up to date: it carries a force, it moved, a torque changed
FORCED, MOVED, DRIVEN = 1, 2, 4
# a force on a body: stage, point (stage frame), force and moment (world axes)
F_POINT, F_FORCE, F_MOMENT = 0, 3, 6
# parts of a step: loads that have changed, the whole linkage queued, joints computed, and moved
CHANGED, BEGIN, COMPUTE, MOVE = 1, 2, 4, 8
TOO_MANY = 1 << 62
_ABOVE_NOISE = 9.0  # times the noise, up to which what is left cannot be told from it


@inlined
def enqueue(rec, flat, nodes, b, keys, queue, count, measure, s):
    """Queue part b, whose surroundings are known, by what its joints may still hold."""
    total = nodes[b, TOTAL]
    A, rounding = total_at(rec, flat, nodes, b, total + T_NOW, nodes[b, PORT] + P_NOW, -1, s)
    key = math.sqrt(max(A, 0.0) + rounding) + math.sqrt(noise_of(flat, nodes, b, measure >= ABSOLUTE_JOINT))
    push(keys, queue, count, key * key, b)
    return key * key


@inlined
def compute(model, index, work, rec, flat, nodes, c, s, qdd):
    """Split node c: its joint's acceleration, and what surrounds its children."""
    a, b, total, port = nodes[c, LEFT], nodes[c, RIGHT], nodes[c, TOTAL], nodes[c, PORT]
    now = total + T_NOW
    if nodes[c, KIND] == SUM:
        if nodes[b, KIND] != LEAF:
            copy_rows(rec, nodes[b, TOTAL] + T_NOW, now, VECTOR)
    else:
        split(model, index, work, rec, flat, nodes, c, now, port + P_NOW, s, qdd)
        if nodes[b, KIND] != LEAF:
            copy_rows(rec, nodes[b, TOTAL] + T_NOW, s + X_B, VECTOR)
            if nodes[b, PORT] >= 0:
                copy_rows(rec, nodes[b, PORT] + P_NOW, port + P_NOW, VECTOR)
    if a >= 0 and nodes[a, KIND] != LEAF:
        copy_rows(rec, nodes[a, TOTAL] + T_NOW, now, VECTOR)
        if nodes[a, PORT] >= 0:
            sub_rows(rec, nodes[a, PORT] + P_NOW, nodes[a, PORT] + P_FORCE, s + PHI, VECTOR)


@helper
def error_of(measure, unknown, known):
    """The error if the joints in the queue, of which no more than `unknown` is left, are taken as zero."""
    if measure == ABSOLUTE_LINKAGE or measure == ABSOLUTE_JOINT:
        return math.sqrt(unknown)
    if unknown == 0.0:
        return 0.0
    if measure == RELATIVE_LINKAGE:
        return math.sqrt(unknown / (known[SQUARES] + unknown))
    return math.sqrt(unknown / known[LARGEST]) if known[LARGEST] > 0.0 else math.inf


@helper
def floor_of(measure, noise, known):
    """What rounding may amount to: the square of it is `noise`."""
    if noise == 0.0 or measure == ABSOLUTE_LINKAGE or measure == ABSOLUTE_JOINT:
        return math.sqrt(noise)
    base = known[SQUARES] if measure == RELATIVE_LINKAGE else known[LARGEST]
    return math.sqrt(noise / base) if base > 0.0 else math.inf


@helper
def enough(measure, tolerance, unknown, noise, known):
    """Whether the rest may be left: the error is within the tolerance, or nothing of the rest rises above noise."""
    if unknown <= _ABOVE_NOISE * noise:
        return True
    floor = floor_of(measure, noise, known)
    return floor < math.inf and error_of(measure, unknown, known) <= max(tolerance - floor, floor)


@helper
def left_over(keys, count, measure):
    """What the joints in the queue may hold: of the first for measures of a joint, of all for those of the linkage."""
    n = count[QUEUE]
    if n == 0:
        return 0.0
    if measure >= ABSOLUTE_JOINT:
        return keys[0]
    total = 0.0
    for k in range(n):
        total += keys[k]
    return total


@helper
def bounds(nodes, rec, keys, count, known, measure, out):
    """The bound of the error and the noise floor, in the measure asked for."""
    flat = rec.reshape(rec.size)
    out[0] = error_of(measure, left_over(keys, count, measure), known)
    out[1] = floor_of(measure, noise_of(flat, nodes, nodes.shape[0] - 1, measure >= ABSOLUTE_JOINT), known)


@helper
def begin(model, rec, nodes, keys, queue, count, known, measure, s):
    """Queue the whole linkage, on a ground that rises against gravity."""
    flat = rec.reshape(rec.size)
    root = nodes.shape[0] - 1
    now = nodes[root, TOTAL] + T_NOW
    clear_rows(rec, now, VECTOR)
    for i in range(3):
        store(flat, 4 * now + i, -load(model, GRAVITY + i))
    count[QUEUE], count[TAKEN], count[COMPUTED] = 0, 0, 0
    known[SQUARES], known[LARGEST] = 0.0, 0.0
    enqueue(rec, flat, nodes, root, keys, queue, count, measure, s)


@helper
def cull(model, index, work, rec, nodes, keys, queue, taken, count, known, s, qdd, measure, tolerance, most):
    """Compute joints, those of the largest part first, until the error is within the tolerance; whether it is.

    Stops without success when `most` joints have been computed. A negative tolerance computes every joint.
    """
    flat = rec.reshape(rec.size)
    of_joint = measure >= ABSOLUTE_JOINT
    noise = noise_of(flat, nodes, nodes.shape[0] - 1, of_joint)
    running = left_over(keys, count, measure)  # a sum is kept up to date, and made anew before it is believed
    while count[QUEUE] > 0:
        if tolerance >= 0.0:
            if of_joint:
                running = keys[0]
            if enough(measure, tolerance, max(running, 0.0), noise, known):
                running = left_over(keys, count, measure)
                if enough(measure, tolerance, running, noise, known):
                    return True
        if count[COMPUTED] >= most:
            return False
        running -= keys[0]
        c = pop(keys, queue, count)
        taken[count[TAKEN]] = c
        count[TAKEN] += 1
        compute(model, index, work, rec, flat, nodes, c, s, qdd)
        if nodes[c, KIND] != SUM:
            d = index[index_row(nodes[c, STAGE]) + I_V]
            square = 0.0
            for k in range(KIND_NV[index[index_row(nodes[c, STAGE]) + I_KIND]]):
                square += qdd[d + k] * qdd[d + k]
            known[SQUARES] += square
            known[LARGEST] = max(known[LARGEST], square)
            count[COMPUTED] += 1
        for child in (nodes[c, LEFT], nodes[c, RIGHT]):
            if child >= 0 and nodes[child, KIND] != LEAF:
                running += enqueue(rec, flat, nodes, child, keys, queue, count, measure, s)
    return True


@helper
def move(model, index, work, nodes, taken, count, qdd, q, h, six):
    """Move the joints that were computed by h q̈, and forget their accelerations."""
    for k in range(count[TAKEN]):
        stage = nodes[taken[k], STAGE]
        if stage >= 0:
            row = index_row(stage)
            kind, d = index[row + I_KIND], index[row + I_V]
            for j in range(KIND_NV[kind]):
                six[j] = h * qdd[d + j]
                qdd[d + j] = 0.0
            integrate_stage(kind, q, index[row + I_Q], six, 0, q)
            store_xform(work, stage, joint_xform(model, stage, kind, q, index[row + I_Q]))


@helper
def mark_up(nodes, mark, node, why):
    """Mark a node and all above it."""
    while node >= 0 and not mark[node] & why:
        mark[node] |= why
        node = nodes[node, ABOVE]


@helper
def in_order(nodes, mark, order, stack):
    """List the marked nodes, parents first; their number."""
    root = nodes.shape[0] - 1
    if not mark[root]:
        return 0
    level, n = 1, 0
    stack[0] = root
    while level > 0:
        level -= 1
        c = stack[level]
        order[n] = c
        n += 1
        for child in (nodes[c, LEFT], nodes[c, RIGHT]):
            if child >= 0 and mark[child] and nodes[child, KIND] != LEAF:
                stack[level] = child
                level += 1
    return n


@inlined
def place_forces(work, flat, nodes, c, forces, force_of):
    """World poses of the children of node c that carry forces, from its own; the forces on bodies among them."""
    X = get_pose(flat, nodes[c, TOTAL] + T_POSE)
    for side in range(2):
        child = nodes[c, LEFT] if side == 0 else nodes[c, RIGHT]
        if child < 0:
            continue
        Y = X
        if side == 1 and nodes[c, STAGE] >= 0:
            a = nodes[c, LEFT]
            if a >= 0 and nodes[a, PORT] >= 0:
                Y = compose(Y, get_pose(flat, nodes[a, PORT] + P_POSE))
            Y = compose(Y, load_xform(work, nodes[c, STAGE]))
        if nodes[child, KIND] != LEAF:
            put_pose(flat, nodes[child, TOTAL] + T_POSE, Y)
        elif force_of[nodes[child, STAGE]] >= 0:
            row = 9 * force_of[nodes[child, STAGE]]
            f = tmul(Y.R, load_vec(forces, row + F_FORCE))
            n = add(tmul(Y.R, load_vec(forces, row + F_MOMENT)), cross(load_vec(forces, row + F_POINT), f))
            store_wrench(work, WORK_ROW * nodes[child, STAGE] + W_FORCE, Wrench(neg(f), neg(n)))


@helper
def ground_pose():
    return Xform(Mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), Vec3(0.0, 0.0, 0.0))


@helper
def recentre(rec, nodes, c):
    """Take the present surroundings of node c as its reference."""
    copy_rows(rec, nodes[c, PLACE] + TOP, nodes[c, TOTAL] + T_NOW, VECTOR)
    if nodes[c, PORT] >= 0:
        copy_rows(rec, nodes[c, PORT] + P_FORCE, nodes[c, PORT] + P_NOW, VECTOR)


@helper
def update(
    model, index, work, rec, nodes, mark, taken, count, order, stack, forces, force_of, force_leaves, driven, s, aside
):  # fmt: skip
    """Bring up to date what has moved, bears a force or is driven anew, and all above it; how many nodes.

    A negative number is −1 − the stage whose joint moves no inertia.
    """
    flat = rec.reshape(rec.size)
    root = nodes.shape[0] - 1
    for k in range(count[TAKEN]):
        mark[taken[k]] |= MOVED
    for node in force_leaves:
        mark_up(nodes, mark, node, FORCED)
    for node in driven:
        mark_up(nodes, mark, node, DRIVEN)
    n = in_order(nodes, mark, order, stack)
    for k in range(n - 1, -1, -1):
        c = order[k]
        if mark[c] & MOVED:
            if not refresh(model, index, work, rec, flat, nodes, c, s):
                return -1 - nodes[c, STAGE]
            recentre(rec, nodes, c)
        if not mark[c] & FORCED:  # and so nothing below it is
            centre(model, index, work, rec, flat, nodes, c, s, aside)
    put_pose(flat, nodes[root, TOTAL] + T_POSE, ground_pose())
    for k in range(n):
        if mark[order[k]] & FORCED:
            place_forces(work, flat, nodes, order[k], forces, force_of)
    for k in range(n - 1, -1, -1):
        if mark[order[k]] & FORCED:
            centre(model, index, work, rec, flat, nodes, order[k], s, aside)
        mark[order[k]] = 0
    for node in force_leaves:
        mark[node] = 0
    count[QUEUE], count[TAKEN] = 0, 0
    return n


@helper
def advance(
    model, index, work, rec, nodes, keys, queue, taken, count, known, s, qdd, measure, tolerance, most, what, out, q, h,
    six, mark, order, stack, forces, force_of, force_leaves, driven, tau, aside,
):  # fmt: skip
    """What a step is made of, those parts that `what` names; nodes brought up to date, or `TOO_MANY` joints matter."""
    if what & CHANGED:
        for c in driven:
            set_torque(index, rec.reshape(rec.size), nodes, c, tau)
    if what & BEGIN:
        begin(model, rec, nodes, keys, queue, count, known, measure, s)
    if what & COMPUTE:
        done = cull(model, index, work, rec, nodes, keys, queue, taken, count, known, s, qdd, measure, tolerance, most)
        bounds(nodes, rec, keys, count, known, measure, out)
        if not done:
            return TOO_MANY
    if what & MOVE:
        move(model, index, work, nodes, taken, count, qdd, q, h, six)
    if what & (MOVE | CHANGED):
        return update(
            model, index, work, rec, nodes, mark, taken, count, order, stack, forces, force_of, force_leaves, driven, s,
            aside,
        )  # fmt: skip
    return 0


@helper
def rebuild(model, index, work, rec, nodes, tau, q, forces, force_of, fresh, s, aside):
    """Everything anew from q: the coefficients, the forces, and references at the true surroundings; a status.

    Where `fresh` is false for a node its coefficients are those of this configuration already and are kept.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    flat = rec.reshape(rec.size)
    zero = Vec3(0.0, 0.0, 0.0)
    for stage in range(index[N_STAGES]):
        row = index_row(stage)
        store_xform(work, stage, joint_xform(model, stage, index[row + I_KIND], q, index[row + I_Q]))
        store_wrench(work, WORK_ROW * stage + W_FORCE, Wrench(zero, zero))
    n = nodes.shape[0]
    for c in range(n):
        if nodes[c, KIND] == LEAF:
            continue
        if nodes[c, KIND] != SUM:
            clear_rows(rec, nodes[c, PLACE] + BIAS, VECTOR)
            set_torque(index, flat, nodes, c, tau)
        if fresh[c] and not refresh(model, index, work, rec, flat, nodes, c, s):
            return status(SINGULAR, nodes[c, STAGE])
    put_pose(flat, nodes[n - 1, TOTAL] + T_POSE, ground_pose())
    for c in range(n - 1, -1, -1):
        if nodes[c, KIND] != LEAF:
            place_forces(work, flat, nodes, c, forces, force_of)
        if fresh[c]:
            clear_rows(rec, nodes[c, PLACE] + TOP, VECTOR)
            if nodes[c, PORT] >= 0:
                clear_rows(rec, nodes[c, PORT] + P_FORCE, VECTOR)
    set_ground(model, rec, nodes)
    # twice: the first time about zero, which tells the true surroundings; then about those
    for again in range(2):
        for c in range(n):
            if fresh[c]:
                centre(model, index, work, rec, flat, nodes, c, s, aside)
        if again == 0:
            copy_rows(rec, nodes[n - 1, TOTAL] + T_NOW, nodes[n - 1, PLACE] + TOP, VECTOR)
            for c in range(n - 1, -1, -1):
                if fresh[c]:
                    compute(model, index, work, rec, flat, nodes, c, s, aside)
            for c in range(n):
                if fresh[c]:
                    recentre(rec, nodes, c)
    return OK


@helper
def keep_known(index, old, nodes, old_stage, same_joint, same, fresh, row):
    """Let each node of a changed tree that is as it was keep its record; the others get new ones from `row` on.

    Parameters: the nodes before and now, for each stage now the one it was (−1: none), whether its joint is the same;
    `same` (scratch) starts with the leaf of every stage before. Marks the others in `fresh`; rows in all.
    """
    for c in range(nodes.shape[0]):
        kind, stage, left, right = nodes[c, KIND], nodes[c, STAGE], nodes[c, LEFT], nodes[c, RIGHT]
        match = -1
        if kind == LEAF:
            if old_stage[stage] >= 0:
                match = same[nodes.shape[0] + old_stage[stage]]
        elif same[right] >= 0 and (left < 0 or same[left] >= 0):
            above = old[same[right], ABOVE]
            as_before = (
                above >= 0
                and old[above, KIND] == kind
                and old[above, RIGHT] == same[right]
                and old[above, LEFT] == (same[left] if left >= 0 else -1)
                and old[above, RIGID] == nodes[c, RIGID]
                and old[above, OPEN] == nodes[c, OPEN]
            )
            if as_before and (stage < 0 or (same_joint[stage] and old[above, STAGE] == old_stage[stage])):
                match = above
        same[c] = match
        fresh[c] = kind != LEAF and match < 0
        nodes[c, PLACE], nodes[c, PORT], nodes[c, SOLVE], nodes[c, TOTAL] = -1, -1, -1, -1
        if match >= 0:
            for column in (PLACE, PORT, SOLVE, TOTAL):
                nodes[c, column] = old[match, column]
        elif kind != LEAF:
            row = lay_out_node(index, nodes, c, row, TOTAL_ROWS, OPEN_ROWS, FULL_SOLVE_ROWS)
    return row


@helper
def set_torque(index, flat, nodes, c, tau):
    """Give the joint of node c its generalized forces."""
    row = index_row(nodes[c, STAGE])
    for k in range(KIND_NV[index[row + I_KIND]]):
        at = nodes[c, PLACE] + AXES + AXIS_ROWS * k + A_NUMBERS
        store(flat, 4 * at + 1, tau[index[row + I_V] + k])
