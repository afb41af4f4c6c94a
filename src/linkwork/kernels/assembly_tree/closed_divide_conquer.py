"""Forward dynamics of closed linkages by divide and conquer: the passes of `divide_conquer`, with rows of loops.

A node that no row passes is treated as in an open linkage. Where a row passes, see `rows`.
"""

from linkwork.kernels.algebra.spatial import motion_to_child
from linkwork.kernels.algebra.storage import load_motion, store_motion
from linkwork.kernels.assembly_tree.assembly import KIND, LEAF, PLACE, PORT, STAGE
from linkwork.kernels.assembly_tree.divide_conquer import down_node, up_node
from linkwork.kernels.assembly_tree.parts import P_FORCE, TOP
from linkwork.kernels.assembly_tree.row_forces import bias_rows, close_rows, push_parts, solve_rows
from linkwork.kernels.assembly_tree.rows import assemble_rows, enter_leaf, takes_axes
from linkwork.kernels.closed.embedding import body_pass, loop_forces, unmet
from linkwork.kernels.closed.loops import loop_states, motion_pass
from linkwork.kernels.closed.records import Loops
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
    WRONG_SIZE,
)
from linkwork.kernels.numba_ext.jit import helper
from linkwork.kernels.records import check_state, index_row, load_xform, status
from linkwork.kernels.tree.forces import applied_forces
from linkwork.kernels.tree.rnea import ground_acceleration


@helper
def closed_kinematics(model, index, work, table, plan, geometry, bench, q, v, tau, f_ext, loop_tau, total):
    """Where all stands and moves, loops too, and the forces: on bodies in the work space, of joints in `total`."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if v.shape[0] != index[N_V] or tau.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    loaded = f_ext.shape[0] > 0 or table[0] + table[1] + table[2] > 0.0
    if loaded:
        applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    else:
        for d in range(index[N_V]):
            total[d] = tau[d]
    loops = Loops(plan, geometry, bench)
    motion_pass(model, index, work, loops, q, v)
    loop_states(index, work, loops, q, v)
    body_pass(model, index, work, loaded)
    loop_forces(work, loops, loop_tau)
    return OK


@helper
def closed_upward(
    model, index, work, rec, nodes, special, net, plan, geometry, bench, s, v, tau, a, force, marks, begin, end
):
    """`upward`, with the rows of loops: they enter, pass and end."""
    flat = rec.reshape(rec.size)
    for c in range(begin, end):
        if nodes[c, KIND] == LEAF:
            if special[c] >= 0:
                enter_leaf(rec, flat, special, net, plan, geometry, bench, c)
            continue
        whole = up_node(model, index, work, rec, flat, nodes, c, s, v, tau, a)
        if not whole and (special[c] < 0 or not takes_axes(net, special[c])):
            return status(SINGULAR, nodes[c, STAGE])
        if special[c] >= 0:
            bias_rows(model, index, work, rec, flat, nodes, special, net, plan, geometry, bench, c, s, a)
            assemble_rows(model, index, work, rec, flat, nodes, special, net, plan, geometry, bench, c, s)
            stage = close_rows(rec, flat, nodes, special, net, c, marks)
            if stage >= 0:
                return status(SINGULAR, stage)
    return OK


@helper
def closed_downward(
    model, index, work, rec, nodes, special, net, plan, geometry, bench, s, v, tau, a, force, marks, begin, end
):
    """`downward`, with the rows of loops: their forces to `force`."""
    flat = rec.reshape(rec.size)
    total = 0.0
    for c in range(end - 1, begin - 1, -1):
        if special[c] >= 0 and nodes[c, KIND] != LEAF:
            x, f2 = nodes[c, PLACE] + TOP, nodes[c, PORT] + P_FORCE
            solve_rows(rec, flat, nodes, special, net, c, x, f2, s, force)
            push_parts(work, rec, flat, nodes, special, net, geometry, c)
        total += down_node(model, index, work, rec, flat, nodes, c, s, a)
    return status(NOT_FINITE, 0) if total - total != 0.0 else OK


@helper
def rows_left(model, index, work, plan, geometry, bench, q, v, a, left):
    """What every row leaves unmet at the accelerations a, after `closed_kinematics`."""
    for i in range(index[N_STAGES]):
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        ai = ground_acceleration(model, q, 1.0)
        if parent >= 0:
            ai = load_motion(work, WORK_ROW * parent + W_ACCELERATION)
        ai = joint_velocity(model, i, kind, a, d, motion_to_child(load_xform(work, i), ai))
        ai = joint_bias(model, i, kind, v, d, load_motion(work, WORK_ROW * i + W_VELOCITY), ai)
        store_motion(work, WORK_ROW * i + W_ACCELERATION, ai)
    unmet(model, work, Loops(plan, geometry, bench), q, a, left)
    return OK
