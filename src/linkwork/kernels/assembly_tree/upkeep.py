"""Upkeep of a linkage's parts: what moved, bears a force or is driven anew is brought up to date, and nothing else.

Every quantity of a node lives in its own frames, so only nodes above a joint that moved have changed (`update`).
`rebuild` makes everything anew, `keep_known` finds what a change of structure has left as it was.

References: [Redon2005] section 5.2.
"""

from linkwork.kernels.algebra.block6 import VECTOR, add_rows, clear_rows
from linkwork.kernels.algebra.double_double import store_low
from linkwork.kernels.algebra.spatial import Wrench, Xform, compose
from linkwork.kernels.algebra.storage import load_vec, store_wrench
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, add, cross, neg, tmul
from linkwork.kernels.assembly_tree.assembly import (
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
from linkwork.kernels.assembly_tree.divide_conquer import set_ground
from linkwork.kernels.assembly_tree.parts import A_NUMBERS, AXES, AXIS_ROWS, P_FORCE, TOP, lay_out_node
from linkwork.kernels.assembly_tree.queue import QUEUE
from linkwork.kernels.assembly_tree.references import centre, recentre, spread
from linkwork.kernels.assembly_tree.total_acceleration import (
    FULL_SOLVE_ROWS,
    OPEN_ROWS,
    P_POSE,
    T_NOW,
    T_OFF,
    T_POSE,
    TOTAL_ROWS,
    get_pose,
    put_pose,
    refresh,
)
from linkwork.kernels.joints import joint_xform
from linkwork.kernels.layout import I_KIND, I_Q, I_V, KIND_NV, N_STAGES, OK, SINGULAR, W_FORCE, WORK_ROW
from linkwork.kernels.numba_ext import helper, inlined, store
from linkwork.kernels.records import check_state, index_row, load_xform, status, store_xform
from linkwork.kernels.tree.integrate import integrate_stage

# count: nodes in the queue (see `queue`), nodes taken from it, joints computed
TAKEN, COMPUTED = 1, 2
# why a node is brought up to date: it carries a force, it moved, a torque changed
FORCED, MOVED, DRIVEN = 1, 2, 4
# what acts on a body: point (stage frame), force and moment (world axes); wrench of loop joints (stage frame)
F_POINT, F_FORCE, F_MOMENT, F_LOOPS = 0, 3, 6, 9
FORCE_ROW = 15


@inlined
def compute(model, index, work, rec, flat, nodes, c, s, qdd):
    """Split node c: its joint's acceleration, and what surrounds its children."""
    if nodes[c, KIND] != SUM:
        spread(model, index, work, rec, flat, nodes, c, s, qdd)
        return
    for child in (nodes[c, LEFT], nodes[c, RIGHT]):
        if nodes[child, KIND] != LEAF:
            total = nodes[child, TOTAL]
            add_rows(rec, total + T_NOW, nodes[c, TOTAL] + T_NOW, total + T_OFF, VECTOR)


@helper
def stand(model, work, stage, kind, q, k, heavy):
    """Where a stage stands in its parent, with lower digits for heavy loads."""
    store_xform(work, stage, joint_xform(model, stage, kind, q, k))
    if heavy:
        store_low(model, work, stage, kind, q, k)


@helper
def move(model, index, work, nodes, taken, count, qdd, q, h, six, heavy):
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
            stand(model, work, stage, kind, q, index[row + I_Q], heavy)


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
            row = FORCE_ROW * force_of[nodes[child, STAGE]]
            f = tmul(Y.R, load_vec(forces, row + F_FORCE))
            n = add(tmul(Y.R, load_vec(forces, row + F_MOMENT)), cross(load_vec(forces, row + F_POINT), f))
            f, n = add(f, load_vec(forces, row + F_LOOPS)), add(n, load_vec(forces, row + F_LOOPS + 3))
            store_wrench(work, WORK_ROW * nodes[child, STAGE] + W_FORCE, Wrench(neg(f), neg(n)))


@helper
def ground_pose():
    return Xform(Mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), Vec3(0.0, 0.0, 0.0))


@helper
def set_torque(index, flat, nodes, c, tau):
    """Give the joint of node c its generalized forces."""
    row = index_row(nodes[c, STAGE])
    for k in range(KIND_NV[index[row + I_KIND]]):
        at = nodes[c, PLACE] + AXES + AXIS_ROWS * k + A_NUMBERS
        store(flat, 4 * at + 1, tau[index[row + I_V] + k])


@helper
def update(
    model, index, work, rec, nodes, mark, taken, count, order, stack, forces, force_of, force_leaves, driven, s,
    heavy,
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
            centre(model, index, work, rec, flat, nodes, c, s, heavy)
    put_pose(flat, nodes[root, TOTAL] + T_POSE, ground_pose())
    for k in range(n):
        if mark[order[k]] & FORCED:
            place_forces(work, flat, nodes, order[k], forces, force_of)
    for k in range(n - 1, -1, -1):
        if mark[order[k]] & FORCED:
            centre(model, index, work, rec, flat, nodes, order[k], s, heavy)
        mark[order[k]] = 0
    for node in force_leaves:
        mark[node] = 0
    count[QUEUE], count[TAKEN] = 0, 0
    return n


@helper
def settle(model, index, work, rec, nodes, order, n, s, qdd, heavy):
    """Take what surrounds n nodes, parents first and the whole foremost, as their references, and centre them there."""
    flat = rec.reshape(rec.size)
    clear_rows(rec, nodes[nodes.shape[0] - 1, TOTAL] + T_NOW, VECTOR)
    for k in range(n):
        compute(model, index, work, rec, flat, nodes, order[k], s, qdd)
    for k in range(n - 1, -1, -1):
        c = order[k]
        recentre(rec, nodes, c)
        centre(model, index, work, rec, flat, nodes, c, s, heavy)
        if nodes[c, STAGE] >= 0:  # nobody has asked for accelerations
            row = index_row(nodes[c, STAGE])
            for d in range(index[row + I_V], index[row + I_V] + KIND_NV[index[row + I_KIND]]):
                qdd[d] = 0.0


@helper
def rebuild(model, index, work, rec, nodes, tau, q, forces, force_of, fresh, s, aside, heavy):
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
        stand(model, work, stage, index[row + I_KIND], q, index[row + I_Q], heavy)
        store_wrench(work, WORK_ROW * stage + W_FORCE, Wrench(zero, zero))
    n = nodes.shape[0]
    for c in range(n):
        if nodes[c, KIND] == LEAF:
            continue
        if nodes[c, KIND] != SUM:
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
                centre(model, index, work, rec, flat, nodes, c, s, heavy)
        if again == 0:
            clear_rows(rec, nodes[n - 1, TOTAL] + T_NOW, VECTOR)
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
