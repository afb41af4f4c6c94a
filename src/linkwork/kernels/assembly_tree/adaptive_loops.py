"""Loops of huge linkages: the forces of loop joints, from the few nodes of the assembly tree that bear on them.

In quasi-statics a loop joint is a force on its two bodies, λ of each of its rows (see `rows`). Given λ the linkage is a
tree: all that `upkeep` keeps and `adaptive` computes, the bounds too, holds for it as it is. This finds λ. The nodes
above the loops' bodies, *tops*, O(loops · log N) of them, have records of their own, in which loops are closed as in
`closed_divide_conquer`; the parts that they are made of are read as they are kept, at their references. Nothing is left
out: λ is exact whatever is culled.

The forces that act already are the reference, so that what is solved for is their change. At the end of a step the
loops shall be closed: the accelerations that rows require are −gap/h, h being what accelerations are multiplied by.
"""

from linkwork.kernels.algebra.block6 import VECTOR, clear_rows, copy_rows, sub_rows
from linkwork.kernels.algebra.spatial import Motion, Wrench, compose, wrench_add, wrench_sub
from linkwork.kernels.algebra.storage import load_motion, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, scale
from linkwork.kernels.assembly_tree.assembly import ABOVE, KIND, LEAF, LEFT, PLACE, PORT, RIGHT, STAGE, SUM, TOTAL
from linkwork.kernels.assembly_tree.divide_conquer import bias, split
from linkwork.kernels.assembly_tree.parts import (
    A_NUMBERS,
    AXES,
    AXIS_ROWS,
    BIAS,
    P_FORCE,
    PHI,
    SOLVE_ROWS,
    TOP,
    X_B,
    assemble,
    lay_out_node,
)
from linkwork.kernels.assembly_tree.row_forces import bias_rows, close_rows, push_parts, solve_rows
from linkwork.kernels.assembly_tree.rows import K_at, assemble_rows, enter_leaf, entry_at, line_at
from linkwork.kernels.assembly_tree.total_acceleration import P_POSE, get_pose
from linkwork.kernels.assembly_tree.upkeep import F_LOOPS, FORCE_ROW, ground_pose
from linkwork.kernels.closed.loops import loop_state
from linkwork.kernels.closed.records import Loops, record_at
from linkwork.kernels.layout import I_KIND, KIND_NV, OK, SINGULAR, W_FORCE, WORK_ROW
from linkwork.kernels.layout.loops import P_LOOPS, R_BIAS, R_ERROR
from linkwork.kernels.layout.rows import E_ROW, N_ROWS, Y_FORCE, Y_REFERENCE
from linkwork.kernels.numba_ext.jit import helper
from linkwork.kernels.numba_ext.pack import load, store
from linkwork.kernels.records import index_row, load_xform, status
from linkwork.kernels.tree.rnea import ground_velocity

# ends of a loop: the leaves of its bodies (−1 for ground), and the first node that holds both
END_A, END_B, MEETING = range(3)


@helper
def lay_out_tops(index, tops, row):
    """Give the tops their places from `row` on; the row after them. They are told by having no total acceleration."""
    for c in range(tops.shape[0]):
        if tops[c, KIND] != LEAF and tops[c, TOTAL] < 0:
            row = lay_out_node(index, tops, c, row, 0, 0, SOLVE_ROWS)
            tops[c, TOTAL] = -1
    return row


@helper
def pose_in(work, flat, nodes, node, last):
    """Pose of the body of a leaf, or of ground, in the top body of a node above it."""
    X = ground_pose()
    while node >= 0 and node != last:
        child, node = node, nodes[node, ABOVE]
        if nodes[node, RIGHT] == child and nodes[node, STAGE] >= 0:
            X = compose(load_xform(work, nodes[node, STAGE]), X)
            a = nodes[node, LEFT]
            if a >= 0 and nodes[a, PORT] >= 0:
                X = compose(get_pose(flat, nodes[a, PORT] + P_POSE), X)
    return X


@helper
def place_loops(work, flat, nodes, plan, geometry, bench, ends, h, q):
    """The records of all loops, with −gap/h as what their rows require; the largest gap."""
    still, gap = ground_velocity(q), 0.0
    for loop in range(plan[P_LOOPS]):
        last = ends[loop, MEETING]
        Xa = pose_in(work, flat, nodes, ends[loop, END_A], last)
        Xb = pose_in(work, flat, nodes, ends[loop, END_B], last)
        loop_state(Loops(plan, geometry, bench), loop, Xa, Xb, still, still)
        k = record_at(plan, loop)
        e, r = load_motion(bench, k + R_ERROR), -1.0 / h
        store_motion(bench, k + R_BIAS, Motion(scale(r, e.v), scale(r, e.w)))
        for j in range(6):
            gap = max(gap, abs(bench[k + R_ERROR + j]))
    return gap


@helper
def wrench_on_leaf(flat, special, net, c, which):
    """What the rows at leaf c do to its body, by their forces at the reference or now."""
    zero = Vec3(0.0, 0.0, 0.0)
    at, w = special[c], Wrench(zero, zero)
    for j in range(net[at + N_ROWS]):
        K, x = load_wrench(flat, 4 * K_at(net, at, j)), flat[line_at(net, at, which) + j]
        w = wrench_add(w, Wrench(scale(x, K.f), scale(x, K.n)))
    return w


@helper
def act_on_leaf(work, flat, tops, special, net, c, forces, force_of, force):
    """Rows at leaf c start from the forces they have; these act on the body as it stands now."""
    at, stage = special[c], tops[c, STAGE]
    for j in range(net[at + N_ROWS]):
        x = force[net[entry_at(at, j) + E_ROW]]
        flat[line_at(net, at, Y_REFERENCE) + j], flat[line_at(net, at, Y_FORCE) + j] = x, x
    w = wrench_on_leaf(flat, special, net, c, Y_REFERENCE)
    k, row = WORK_ROW * stage + W_FORCE, FORCE_ROW * force_of[stage] + F_LOOPS
    store_wrench(work, k, wrench_sub(wrench_add(load_wrench(work, k), load_wrench(forces, row)), w))
    store_wrench(forces, row, w)


@helper
def start_top(index, rec, flat, nodes, tops, main_of, c):
    """Reference and torques of top c: those of the same node in the tree."""
    m = main_of[c]
    copy_rows(rec, tops[c, PLACE] + TOP, nodes[m, PLACE] + TOP, VECTOR)
    if tops[c, PORT] >= 0:
        copy_rows(rec, tops[c, PORT] + P_FORCE, nodes[m, PORT] + P_FORCE, VECTOR)
    if tops[c, STAGE] >= 0:
        clear_rows(rec, tops[c, PLACE] + BIAS, VECTOR)
        for k in range(KIND_NV[index[index_row(tops[c, STAGE]) + I_KIND]]):
            at = AXES + AXIS_ROWS * k + A_NUMBERS
            store(flat, 4 * (tops[c, PLACE] + at) + 1, load(flat, 4 * (nodes[m, PLACE] + at) + 1))


@helper
def is_top(tops, c):
    return c >= 0 and tops[c, KIND] != LEAF and tops[c, TOTAL] < 0


@helper
def pass_down(rec, tops, c, s):
    """Write what `split` found to the tops among the children of c: `pass_on`, which leaves the others as they are."""
    a, b = tops[c, LEFT], tops[c, RIGHT]
    if is_top(tops, b):
        x = tops[c, PLACE] + TOP if tops[c, KIND] == SUM else s + X_B
        copy_rows(rec, tops[b, PLACE] + TOP, x, VECTOR)
        if tops[b, PORT] >= 0:
            copy_rows(rec, tops[b, PORT] + P_FORCE, tops[c, PORT] + P_FORCE, VECTOR)
    if is_top(tops, a):
        copy_rows(rec, tops[a, PLACE] + TOP, tops[c, PLACE] + TOP, VECTOR)
        if tops[a, PORT] >= 0:
            sub_rows(rec, tops[a, PORT] + P_FORCE, tops[a, PORT] + P_FORCE, s + PHI, VECTOR)


@helper
def solve_loops(
    model, index, work, rec, nodes, tops, main_of, special, net, plan, geometry, bench, ends, s, h, forces, force_of,
    force, marks, aside, gap, q,
):  # fmt: skip
    """Forces of all rows, from `force` to `force`, and what they do to bodies, to `forces`; a status."""
    flat = rec.reshape(rec.size)
    gap[0] = place_loops(work, flat, nodes, plan, geometry, bench, ends, h, q)
    n = tops.shape[0]
    for c in range(n):
        if tops[c, KIND] == LEAF:
            if special[c] >= 0:
                enter_leaf(rec, flat, special, net, plan, geometry, bench, c)
                act_on_leaf(work, flat, tops, special, net, c, forces, force_of, force)
        elif is_top(tops, c):
            start_top(index, rec, flat, nodes, tops, main_of, c)
            if not assemble(model, index, work, rec, flat, tops, c, s):
                return status(SINGULAR, tops[c, STAGE])
            bias(model, index, work, rec, flat, tops, c, s, aside)
            if special[c] >= 0:
                bias_rows(model, index, work, rec, flat, tops, special, net, plan, geometry, bench, c, s, aside)
                assemble_rows(model, index, work, rec, flat, tops, special, net, plan, geometry, bench, c, s)
                close_rows(rec, flat, tops, special, net, c, marks)
    for c in range(n - 1, -1, -1):
        if not is_top(tops, c):
            continue
        x, f2 = tops[c, PLACE] + TOP, tops[c, PORT] + P_FORCE
        if special[c] >= 0:
            solve_rows(rec, flat, tops, special, net, c, x, f2, s, force)
            push_parts(work, rec, flat, tops, special, net, geometry, c)
        if tops[c, KIND] != SUM:
            split(model, index, work, rec, flat, tops, c, x, f2, s, aside)
        pass_down(rec, tops, c, s)
    for c in range(n):
        if tops[c, KIND] == LEAF and special[c] >= 0:
            row = FORCE_ROW * force_of[tops[c, STAGE]] + F_LOOPS
            store_wrench(forces, row, wrench_on_leaf(flat, special, net, c, Y_FORCE))
    return OK
