"""Forward dynamics of closed linkages by divide and conquer: the passes of `divide_conquer`, with rows of loops.

A node that no row passes is treated as in an open linkage. Where a row passes, see `loop_rows`.
"""

from linkwork.kernels.algebra.spatial import motion_to_child
from linkwork.kernels.algebra.storage import load_motion, store_motion
from linkwork.kernels.assembly_tree.divide_conquer import down_node, up_node
from linkwork.kernels.assembly_tree.loop_elimination import bias_rows, close_rows, push_parts, solve_rows
from linkwork.kernels.assembly_tree.loop_rows import assemble_rows, enter_leaf, takes_axes
from linkwork.kernels.assembly_tree.views import parts_of
from linkwork.kernels.closed.checks import is_met
from linkwork.kernels.closed.embedding import body_pass, loop_forces
from linkwork.kernels.closed.loops import loop_states, motion_pass
from linkwork.kernels.closed.records import Loops, mark_at
from linkwork.kernels.joints import joint_bias, joint_velocity
from linkwork.kernels.layout import (
    I_KIND,
    I_PARENT,
    I_V,
    N_STAGES,
    N_V,
    NOT_FINITE,
    OK,
    SINGULAR,
    W_ACCELERATION,
    W_VELOCITY,
    WORK_ROW,
)
from linkwork.kernels.layout.loops import P_ROWS
from linkwork.kernels.layout.nodes import KIND, LEAF, STAGE
from linkwork.kernels.numba_ext import helper, unrolled
from linkwork.kernels.records import check_sizes, index_row, load_xform, status
from linkwork.kernels.tree.forces import applied_forces, has_forces
from linkwork.kernels.tree.rnea import ground_acceleration


@helper
def closed_kinematics(blocks, loops, table, q, v, tau, f_ext, loop_tau, total):
    """Where all stands and moves, loops too, and the forces: on bodies in the work space, of joints in `total`."""
    model, index, work = blocks.model, blocks.index, blocks.work
    outcome = check_sizes(index, q, v, tau, tau)
    if outcome != OK:
        return outcome
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    if loaded:
        applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    else:
        for d in range(index[N_V]):
            total[d] = tau[d]
    closed = Loops(loops.plan, loops.geometry, loops.loop_scratch)
    motion_pass(model, index, work, closed, q, v)
    loop_states(index, work, closed, q, v, True)
    body_pass(model, index, work, loaded)
    loop_forces(work, closed, loop_tau)
    return OK


@unrolled
def closed_upward(blocks, loops, v, tau, a, force, marks, begin, end):
    """`upward`, with the rows of loops: they enter, pass and end."""
    p = parts_of(blocks)
    for c in range(begin, end):
        special = loops.special[c] >= 0
        if p.nodes[c, KIND] == LEAF:
            if special:
                enter_leaf(p, loops, c)
            continue
        whole = up_node(p, c, v, tau, a)
        if not whole and not (special and takes_axes(loops, c)):
            return status(SINGULAR, p.nodes[c, STAGE])
        if special:
            bias_rows(p, loops, c, a)
            assemble_rows(p, loops, c)
            stage = close_rows(p, loops, c, marks)
            if stage >= 0:
                return status(SINGULAR, stage)
    return OK


@unrolled
def closed_downward(blocks, loops, v, tau, a, force, marks, begin, end):
    """`downward`, with the rows of loops: their forces to `force`."""
    p, total = parts_of(blocks), 0.0
    for c in range(end - 1, begin - 1, -1):
        if loops.special[c] >= 0 and p.nodes[c, KIND] != LEAF:
            solve_rows(p, loops, c, force)
            push_parts(p, loops, c)
        total += down_node(p, c, a)
    return status(NOT_FINITE, 0) if total - total != 0.0 else OK


@helper
def rows_left(model, index, work, plan, geometry, loop_scratch, q, v, a, left, marks):
    """What every row leaves unmet at the accelerations a, after `closed_kinematics`; SINGULAR where it is too much."""
    for i in range(index[N_STAGES]):
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        ai = ground_acceleration(model, q, 1.0)
        if parent >= 0:
            ai = load_motion(work, WORK_ROW * parent + W_ACCELERATION)
        ai = joint_velocity(model, i, kind, a, d, motion_to_child(load_xform(work, i), ai))
        ai = joint_bias(model, i, kind, v, d, load_motion(work, WORK_ROW * i + W_VELOCITY), ai)
        store_motion(work, WORK_ROW * i + W_ACCELERATION, ai)
    for r in range(plan[P_ROWS]):
        loop_scratch[mark_at(plan, r)] = marks[r]
    return OK if is_met(model, index, work, Loops(plan, geometry, loop_scratch), q, a, left) else status(SINGULAR, 0)
