"""Loops of huge linkages: the forces of loop joints, from the few nodes of the assembly tree that bear on them.

In quasi-statics a loop joint is a force on its two bodies, λ of each of its rows (see `loop_rows`), and a coupling is
a torque on its two joints. Given λ the linkage is a tree: all that `update` keeps and `culling` computes, the bounds
too, holds for it as it is. This finds λ. The nodes above the loops' bodies and coupled joints, *tops*, O(loops · log N)
of them, have records of their own, in which loops are closed as in `closed_divide_conquer`; the parts that they are
made of are read as they are kept, at their references. Nothing is left out: λ is exact whatever is culled.

The forces that act already are the reference, so that what is solved for is their change. At the end of a step the
loops shall be closed: the accelerations that rows require are −gap/h, h being what accelerations are multiplied by.
"""

import math

from linkwork.kernels.algebra.block6 import clear_rows, copy_rows, get_wrench, sub_rows
from linkwork.kernels.algebra.spatial import Motion, Wrench, compose, wrench_add, wrench_sub
from linkwork.kernels.algebra.storage import load_motion, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, scale
from linkwork.kernels.assembly_tree.divide_conquer import bias, split
from linkwork.kernels.assembly_tree.loop_elimination import bias_rows, close_rows, push_parts, solve_rows
from linkwork.kernels.assembly_tree.loop_rows import assemble_rows, enter_leaf
from linkwork.kernels.assembly_tree.main_pass import assemble, lay_out_node
from linkwork.kernels.assembly_tree.row_views import K_of, entry_of, rows_at
from linkwork.kernels.assembly_tree.update import ground_pose
from linkwork.kernels.assembly_tree.views import (
    Parts,
    axis,
    force_at_rest,
    get_pose,
    joint,
    part,
    parts_of,
    scratch,
    total,
)
from linkwork.kernels.closed.loops import coupled, loop_state
from linkwork.kernels.closed.records import Loops, geometry_at, loop_at, record_at
from linkwork.kernels.layout import OK, SINGULAR
from linkwork.kernels.layout.adaptive import END_A, END_B, END_JOINED, F_LOOPS, FORCE_ROW
from linkwork.kernels.layout.loops import COUPLING, G_LENGTH, P_LOOPS, R_BIAS, R_ERROR, R_LEVER, R_RATE, R_SLOPE
from linkwork.kernels.layout.nodes import ABOVE, KIND, LEAF, RIGHT, SOLVE_ROWS, STAGE, SUM, TOTAL
from linkwork.kernels.layout.rows import ENTERS_FOLLOWER, ENTERS_LEADER
from linkwork.kernels.numba_ext import helper, load, store, unrolled
from linkwork.kernels.records import load_xform, status
from linkwork.kernels.tree.rnea import ground_velocity


@helper
def is_top(nodes, c):
    """Whether node c has a record of its own: it is told by having no total acceleration."""
    return c >= 0 and nodes[c, KIND] != LEAF and nodes[c, TOTAL] < 0


@helper
def lay_out_tops(index, nodes, row):
    """Give the tops their places from `row` on; the row after them."""
    for c in range(nodes.shape[0]):
        if is_top(nodes, c):
            row = lay_out_node(index, nodes, c, row, 0, 0, SOLVE_ROWS)
            nodes[c, TOTAL] = -1
    return row


@helper
def pose_in(p, node, last):
    """Pose of the body of a leaf, or of ground, in the top body of a node above it."""
    X = ground_pose()
    while node >= 0 and node != last:
        child, node = node, p.nodes[node, ABOVE]
        if p.nodes[node, RIGHT] == child and p.nodes[node, STAGE] >= 0:
            X = compose(load_xform(p.work, p.nodes[node, STAGE]), X)
            a = part(p, node).left
            if a >= 0 and part(p, a).has_bottom:
                X = compose(get_pose(p, total(p, a).inside), X)
    return X


@helper
def place_coupling(loops, loop, q, rate_i, rate_j, dt):
    """The record of a coupling, at these rates of its joints, with what its row requires to meet it after dt; its gap.

    The slope at which its force acts until it is found anew is kept in the place of its rate.
    """
    this, k, g, record = loop_at(loops.plan, loop), record_at(loops.plan, loop), geometry_at(loop), loops.loop_scratch
    value, slope, curvature = coupled(loops.geometry, g, q[this.q_j])
    gap = q[this.q_i] - value
    record[k + R_RATE], record[k + R_SLOPE] = record[k + R_SLOPE], slope
    record[k + R_LEVER], record[k + R_ERROR] = loops.geometry[g + G_LENGTH], gap
    record[k + R_BIAS] = curvature * rate_j * rate_j - (rate_i - slope * rate_j + gap / dt) / dt
    return abs(gap)


@helper
def place_loops(p, loops, ends, h, q):
    """The records of all loops, with −gap/h as what their rows require; the largest gap."""
    still, gap = ground_velocity(q), 0.0
    for loop in range(loops.plan[P_LOOPS]):
        if loop_at(loops.plan, loop).kind == COUPLING:
            gap = max(gap, place_coupling(loops, loop, q, 0.0, 0.0, math.sqrt(h)))
            continue
        last = ends[loop, END_JOINED]
        Xa, Xb = pose_in(p, ends[loop, END_A], last), pose_in(p, ends[loop, END_B], last)
        loop_state(Loops(loops.plan, loops.geometry, loops.loop_scratch), loop, Xa, Xb, still, still, True)
        k = record_at(loops.plan, loop)
        e, r = load_motion(loops.loop_scratch, k + R_ERROR), -1.0 / h
        store_motion(loops.loop_scratch, k + R_BIAS, Motion(scale(r, e.v), scale(r, e.w)))
        for j in range(6):
            gap = max(gap, abs(loops.loop_scratch[k + R_ERROR + j]))
    return gap


@helper
def wrench_on_leaf(p, R, forces):
    """What the rows R at a leaf do to its body, by their forces, which begin at the place `forces`."""
    zero = Vec3(0.0, 0.0, 0.0)
    w = Wrench(zero, zero)
    for j in range(R.n):
        K, x = get_wrench(p, K_of(R, j)), p.flat[forces + j]
        w = wrench_add(w, Wrench(scale(x, K.f), scale(x, K.n)))
    return w


@helper
def loop_wrench_at(loads, stage):
    """Where the wrench of loop joints on a stage is in `loads.forces`."""
    return FORCE_ROW * loads.force_of[stage] + F_LOOPS


@helper
def act_on_leaf(p, loops, c, loads, force):
    """Rows at leaf c start from the forces they have; these act on the body as it stands now."""
    R, stage = rows_at(loops, c), p.nodes[c, STAGE]
    for j in range(R.n):
        x = force[entry_of(loops, R, j).row]
        p.flat[R.reference + j], p.flat[R.force + j] = x, x
    w = wrench_on_leaf(p, R, R.reference)
    k, at = force_at_rest(stage), loop_wrench_at(loads, stage)
    store_wrench(p.work, k, wrench_sub(wrench_add(load_wrench(p.work, k), load_wrench(loads.forces, at)), w))
    store_wrench(loads.forces, at, w)


@helper
def start_top(p, c, main):
    """Reference and torques of top c: those of the same node in the tree, whose record is `main`."""
    C = part(p, c)
    copy_rows(p, C.a1, main.a1)
    if C.has_bottom:
        copy_rows(p, C.f2, main.f2)
    if C.stage >= 0:
        clear_rows(p, C.bias)
        kind, _, nv = joint(p.index, C.stage)
        for k in range(nv):
            Q = load(p.flat, axis(p.model, C.stage, kind, main.axes, k).Q)
            store(p.flat, axis(p.model, C.stage, kind, C.axes, k).Q, Q)


@helper
def start_couplings(p, loops, c, force):
    """Take the forces of couplings off the joint of special top c: they are solved for in full."""
    C, R = part(p, c), rows_at(loops, c)
    for j in range(R.n):
        e = entry_of(loops, R, j)
        if e.enter != ENTERS_FOLLOWER and e.enter != ENTERS_LEADER:
            continue
        old = 1.0 if e.enter == ENTERS_FOLLOWER else -loops.loop_scratch[record_at(loops.plan, e.loop) + R_RATE]
        s = axis(p.model, C.stage, joint(p.index, C.stage)[0], C.axes, 0)
        store(p.flat, s.Q, load(p.flat, s.Q) - old * force[e.row])


@helper
def pass_down(p, c):
    """Write what `split` found to the tops among the children of c: `pass_on`, which leaves the others as they are."""
    C, w = part(p, c), scratch(p)
    A, B = part(p, C.left), part(p, C.right)
    if is_top(p.nodes, C.right):
        copy_rows(p, B.a1, C.a1 if C.kind == SUM else w.x_b)
        if B.has_bottom:
            copy_rows(p, B.f2, C.f2)
    if is_top(p.nodes, C.left):
        copy_rows(p, A.a1, C.a1)
        if A.has_bottom:
            sub_rows(p, A.f2, A.f2, w.phi)


@unrolled
def solve_loops(blocks, tops, loops, loads, h, q, qdd):
    """Forces of all rows, from `tops.force` to there, and what they do to bodies, to `loads.forces`; a status.

    `qdd` (nv) is overwritten.
    """
    tree = parts_of(blocks)
    p = Parts(tree.model, tree.index, tree.work, tree.rec, tree.flat, tops.nodes, tree.scratch)
    tops.gap[0] = place_loops(tree, loops, tops.ends, h, q)
    n = p.nodes.shape[0]
    for c in range(n):
        special = loops.special[c] >= 0
        if p.nodes[c, KIND] == LEAF:
            if special:
                enter_leaf(p, loops, c)
                act_on_leaf(p, loops, c, loads, tops.force)
        elif is_top(p.nodes, c):
            start_top(p, c, part(tree, tops.main_of[c]))
            if special:
                start_couplings(p, loops, c, tops.force)
            if not assemble(p, c):
                return status(SINGULAR, p.nodes[c, STAGE])
            bias(p, c, qdd)
            if special:
                bias_rows(p, loops, c, qdd)
                assemble_rows(p, loops, c)
                close_rows(p, loops, c, tops.marks)
    for c in range(n - 1, -1, -1):
        if not is_top(p.nodes, c):
            continue
        if loops.special[c] >= 0:
            solve_rows(p, loops, c, tops.force)
            push_parts(p, loops, c)
        if p.nodes[c, KIND] != SUM:
            split(p, c, qdd)
        pass_down(p, c)
    for c in range(n):
        if p.nodes[c, KIND] == LEAF and loops.special[c] >= 0:
            R = rows_at(loops, c)
            store_wrench(loads.forces, loop_wrench_at(loads, p.nodes[c, STAGE]), wrench_on_leaf(p, R, R.force))
    return OK
