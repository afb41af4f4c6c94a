"""Forward dynamics by divide and conquer on the assembly tree: bias pass, back-substitution, and the whole of it.

What a part is, and its record in the buffer, is told in `parts`; [1] is the relation given there.

References: [Redon2005] section 3.1.
"""

from linkwork.kernels.algebra.block6 import (
    VECTOR,
    add_mv,
    add_rows,
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    dot6,
    put_motion,
    put_wrench,
    sub_rows,
    vector_to_child,
    vector_to_parent,
)
from linkwork.kernels.algebra.spatial import inertia_mul, wrench_add
from linkwork.kernels.algebra.storage import load_motion, load_wrench
from linkwork.kernels.assembly_tree.assembly import HANG, KIND, LEAF, LEFT, PLACE, PORT, RIGHT, SOLVE, STAGE, SUM
from linkwork.kernels.assembly_tree.parts import (
    A_NUMBERS,
    AXES,
    AXIS_ROWS,
    BIAS,
    D_0,
    DELTA,
    F_HAT,
    FORCE,
    P_FORCE,
    P_PHI,
    P_TOP,
    PHI,
    TOP,
    X_B,
    X_D,
    E,
    W,
    Y,
    assemble,
    axis,
)
from linkwork.kernels.joints import joint_bias
from linkwork.kernels.layout import (
    FIXED,
    GRAVITY,
    I_KIND,
    I_V,
    KIND_NV,
    N_V,
    NOT_FINITE,
    OK,
    SINGULAR,
    W_FORCE,
    W_VELOCITY,
    WORK_ROW,
    WRONG_SIZE,
)
from linkwork.kernels.numba_ext import helper, inlined, load, store
from linkwork.kernels.records import check_state, damping_at, index_row, load_inertia, load_xform, status
from linkwork.kernels.tree.aba import forward_pass
from linkwork.kernels.tree.forces import applied_forces
from linkwork.kernels.tree.rnea import ground_velocity


@inlined
def force_at(model, work, rec, flat, nodes, b, x, f2, y, s):
    """y = f₁ of part b at (a₁, f₂) = (x, f2), by [1]; f2 < 0 where it has no bottom."""
    if nodes[b, KIND] == LEAF:
        w = inertia_mul(load_inertia(model, nodes[b, STAGE]), load_motion(flat, 4 * x))
        put_wrench(flat, y, wrench_add(w, load_wrench(work, WORK_ROW * nodes[b, STAGE] + W_FORCE)))
    else:
        copy_rows(rec, y, nodes[b, PLACE] + FORCE, VECTOR)
        sub_rows(rec, s + D_0, x, nodes[b, PLACE] + TOP, VECTOR)
        add_tmv(rec, flat, y, nodes[b, PLACE], s + D_0, 1.0)
    if f2 >= 0:
        if nodes[b, PORT] >= 0:
            sub_rows(rec, s + D_0, f2, nodes[b, PORT] + P_FORCE, VECTOR)
            add_mv(flat, y, nodes[b, PORT], s + D_0, -1.0)
        else:
            add_scaled(rec, y, -1.0, f2)


@inlined
def acceleration_at(rec, flat, nodes, b, x, f2, y, s):
    """y = a₂ of part b at (a₁, f₂) = (x, f2), by [1]."""
    if nodes[b, PORT] < 0:
        copy_rows(rec, y, x, VECTOR)
        return
    copy_rows(rec, y, nodes[b, PORT] + P_TOP, VECTOR)
    sub_rows(rec, s + D_0, x, nodes[b, PLACE] + TOP, VECTOR)
    add_tmv(rec, flat, y, nodes[b, PORT], s + D_0, 1.0)
    sub_rows(rec, s + D_0, f2, nodes[b, PORT] + P_FORCE, VECTOR)
    add_tmv(rec, flat, y, nodes[b, PORT] + P_PHI, s + D_0, 1.0)


@inlined
def split(model, index, work, rec, flat, nodes, c, a1, f2, s, qdd):
    """What (a₁, f₂) at node c, which has a joint, gives its children and its joint ([Redon2005] eqs 4–7).

    Writes q̈ to `qdd`, and to the scratch X_B, what a₁ is to B (its f₂ is that of c); PHI, by which the force on A's
    bottom body falls below its reference; and F_HAT, the force that the joint would bear if A did not give way.
    """
    b, stage, place = nodes[c, RIGHT], nodes[c, STAGE], nodes[c, PLACE]
    kind, d = index[index_row(stage) + I_KIND], index[index_row(stage) + I_V]
    X = load_xform(work, stage)
    solve = nodes[c, SOLVE]
    if solve >= 0:
        a = nodes[c, LEFT]
        copy_rows(rec, s + Y, nodes[a, PORT] + P_TOP, VECTOR)
        sub_rows(rec, s + D_0, a1, nodes[a, PLACE] + TOP, VECTOR)
        add_tmv(rec, flat, s + Y, nodes[a, PORT], s + D_0, 1.0)
        vector_to_child(flat, X, s + X_D, s + Y)
    else:
        vector_to_child(flat, X, s + X_D, a1)
    add_rows(rec, s + X_D, s + X_D, place + BIAS, VECTOR)
    force_at(model, work, rec, flat, nodes, b, s + X_D, f2 if nodes[c, PORT] >= 0 else -1, s + W, s)
    nv = KIND_NV[kind]
    for k in range(nv):
        at = place + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        r, Q = load(flat, 4 * (at + A_NUMBERS)), load(flat, 4 * (at + A_NUMBERS) + 1)
        e = r * (Q - alpha * load(flat, 4 * (s + W) + i) - beta * load(flat, 4 * (s + W) + j))
        if r == 0.0:  # an axis that loops move, see `rows`
            e = load(flat, 4 * (at + A_NUMBERS) + 2)
        store(flat, 4 * (s + E) + k, e)
        add_scaled(rec, s + W, e, at)
    vector_to_parent(flat, X, s + F_HAT, s + W)
    if solve >= 0:
        a = nodes[c, LEFT]
        add_rows(rec, s + D_0, s + F_HAT, nodes[a, PORT] + P_FORCE, VECTOR)
        clear_rows(rec, s + PHI, VECTOR)
        add_tmv(rec, flat, s + PHI, solve, s + D_0, 1.0)
        clear_rows(rec, s + D_0, VECTOR)
        add_tmv(rec, flat, s + D_0, nodes[a, PORT] + P_PHI, s + PHI, -1.0)
        vector_to_child(flat, X, s + DELTA, s + D_0)
    else:
        clear_rows(rec, s + DELTA, VECTOR)
    for k in range(nv - 1, -1, -1):
        at = place + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        x = load(flat, 4 * (s + E) + k) - load(flat, 4 * (at + A_NUMBERS)) * dot6(flat, at, s + DELTA)
        qdd[d + k] = x
        store(flat, 4 * (s + DELTA) + i, load(flat, 4 * (s + DELTA) + i) + alpha * x)
        store(flat, 4 * (s + DELTA) + j, load(flat, 4 * (s + DELTA) + j) + beta * x)
    add_rows(rec, s + X_B, s + X_D, s + DELTA, VECTOR)


@inlined
def bias(model, index, work, rec, flat, nodes, c, s, qdd):
    """Bias pass at node c: f₁ and a₂ at its reference. Leaves what `split` does."""
    place, a1 = nodes[c, PLACE], nodes[c, PLACE] + TOP
    if nodes[c, KIND] == SUM:
        force_at(model, work, rec, flat, nodes, nodes[c, LEFT], a1, -1, place + FORCE, s)
        force_at(model, work, rec, flat, nodes, nodes[c, RIGHT], a1, -1, s + W, s)
        add_rows(rec, place + FORCE, place + FORCE, s + W, VECTOR)
        return
    f2 = nodes[c, PORT] + P_FORCE
    split(model, index, work, rec, flat, nodes, c, a1, f2, s, qdd)
    if nodes[c, SOLVE] >= 0:
        a = nodes[c, LEFT]
        force_at(model, work, rec, flat, nodes, a, a1, -1, place + FORCE, s)
        add_mv(flat, place + FORCE, nodes[a, PORT], s + PHI, 1.0)
    elif nodes[c, KIND] == HANG:
        copy_rows(rec, place + FORCE, s + F_HAT, VECTOR)
    else:
        force_at(model, work, rec, flat, nodes, nodes[c, LEFT], a1, -1, place + FORCE, s)
        add_rows(rec, place + FORCE, place + FORCE, s + F_HAT, VECTOR)
    if nodes[c, PORT] >= 0:
        acceleration_at(rec, flat, nodes, nodes[c, RIGHT], s + X_B, f2, nodes[c, PORT] + P_TOP, s)


@helper
def pass_on(rec, nodes, c, s):
    """Write what `split` found to the references of c's children: from there they are split in turn."""
    b = nodes[c, RIGHT]
    if nodes[b, KIND] != LEAF:
        copy_rows(rec, nodes[b, PLACE] + TOP, s + X_B, VECTOR)
    if nodes[b, PORT] >= 0 and nodes[c, PORT] >= 0:
        copy_rows(rec, nodes[b, PORT] + P_FORCE, nodes[c, PORT] + P_FORCE, VECTOR)
    if nodes[c, LEFT] >= 0 and nodes[nodes[c, LEFT], KIND] != LEAF:
        a = nodes[c, LEFT]
        copy_rows(rec, nodes[a, PLACE] + TOP, nodes[c, PLACE] + TOP, VECTOR)
        if nodes[a, PORT] >= 0:
            sub_rows(rec, nodes[a, PORT] + P_FORCE, nodes[a, PORT] + P_FORCE, s + PHI, VECTOR)


@helper
def kinematics(model, index, work, loaded, q, v, tau, a):
    """Where every stage stands, how it moves and what force it needs at rest, as in `aba`."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if v.shape[0] != index[N_V] or tau.shape[0] != index[N_V] or a.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    forward_pass(model, index, work, loaded, q, v, tau)
    return OK


@helper
def loaded_kinematics(model, index, work, table, q, v, tau, f_ext, total, a):
    """`kinematics` with forces from outside and force elements; `total` (nv) receives the joint forces in all."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome != OK:
        return outcome
    return kinematics(model, index, work, 1, q, v, total, a)


@helper
def start_joint(model, index, work, rec, flat, nodes, c, v, tau):
    """The joint's own numbers: Q = τ − damping · v, and c = v × S q̇."""
    stage, place = nodes[c, STAGE], nodes[c, PLACE]
    kind, d = index[index_row(stage) + I_KIND], index[index_row(stage) + I_V]
    rest = ground_velocity(v)
    if kind != FIXED:
        rest = joint_bias(model, stage, kind, v, d, load_motion(work, WORK_ROW * stage + W_VELOCITY), rest)
    put_motion(flat, place + BIAS, rest)
    for k in range(KIND_NV[kind]):
        Q = tau[d + k] - model[damping_at(index, d + k)] * v[d + k]
        store(flat, 4 * (place + AXES + AXIS_ROWS * k + A_NUMBERS) + 1, Q)


@inlined
def up_node(model, index, work, rec, flat, nodes, c, s, v, tau, a):
    """Main and bias pass at node c, no leaf, about a reference of zero; whether its joint moves inertia."""
    clear_rows(rec, nodes[c, PLACE] + TOP, VECTOR)
    if nodes[c, PORT] >= 0:
        clear_rows(rec, nodes[c, PORT] + P_FORCE, VECTOR)
    if nodes[c, STAGE] >= 0:
        start_joint(model, index, work, rec, flat, nodes, c, v, tau)
    whole = assemble(model, index, work, rec, flat, nodes, c, s)
    bias(model, index, work, rec, flat, nodes, c, s, a)
    return whole


@helper
def upward(model, index, work, rec, nodes, s, v, tau, a, begin, end):
    """Main and bias pass over nodes begin … end − 1, children first; a status."""
    flat = rec.reshape(rec.size)
    for c in range(begin, end):
        if nodes[c, KIND] != LEAF and not up_node(model, index, work, rec, flat, nodes, c, s, v, tau, a):
            return status(SINGULAR, nodes[c, STAGE])
    return OK


@helper
def set_ground(model, rec, nodes):
    """The ground rises against gravity: the reference of the whole."""
    place = nodes[nodes.shape[0] - 1, PLACE] + TOP
    clear_rows(rec, place, VECTOR)
    for i in range(3):
        rec[place, 0, i] = -model[GRAVITY + i]


@inlined
def down_node(model, index, work, rec, flat, nodes, c, s, a):
    """Back-substitution at node c: its joint's accelerations to `a`, which are summed; its children's surroundings."""
    total = 0.0
    if nodes[c, KIND] == SUM:
        for child in (nodes[c, LEFT], nodes[c, RIGHT]):
            if nodes[child, KIND] != LEAF:
                copy_rows(rec, nodes[child, PLACE] + TOP, nodes[c, PLACE] + TOP, VECTOR)
    elif nodes[c, KIND] != LEAF:
        f2 = nodes[c, PORT] + P_FORCE
        split(model, index, work, rec, flat, nodes, c, nodes[c, PLACE] + TOP, f2, s, a)
        pass_on(rec, nodes, c, s)
        d = index[index_row(nodes[c, STAGE]) + I_V]
        for k in range(KIND_NV[index[index_row(nodes[c, STAGE]) + I_KIND]]):
            total += a[d + k]
    return total


@helper
def downward(model, index, work, rec, nodes, s, v, tau, a, begin, end):
    """Back-substitution over nodes end − 1 … begin, parents first: accelerations to `a`; a status."""
    flat = rec.reshape(rec.size)
    total = 0.0
    for c in range(end - 1, begin - 1, -1):
        total += down_node(model, index, work, rec, flat, nodes, c, s, a)
    return status(NOT_FINITE, 0) if total - total != 0.0 else OK
