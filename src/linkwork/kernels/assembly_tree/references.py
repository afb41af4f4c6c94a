"""Forces and accelerations of every part at its reference, and how far others are from there.

Every node c has a reference (a₁, f₂) near what truly surrounds it; all else is stored as values there and as
differences from there. `centre` finds, with the surroundings of c at their reference, its f₁ and a₂, its joint's q̈, η,
g, and by how much the surroundings of its children are off their references. `spread` takes differences of (a₁, f₂) to
those of the children and of q̈: it sees no large number at all ([Redon2005] eqs 4–7).

A part may carry a weight many orders of magnitude larger than the forces that are to be told apart, held by torques.
So f₁ has lower digits too (see `twofold`), and where loads are `heavy` (there is gravity, or a torque) it is carried
from body to body with them; accelerations need none, because an error in one is passed on by what a part resists as a
mechanism, not by all its weight.

What rounding may have done to a q̈ = r (Q − s · f) + … is estimated by a last digit of r |u| · |x|, x the acceleration
of what hangs by the joint, of r |f|, with or without its lower digits, of q̈ itself, and by r · doubt: that of the
forces from outside, which are turned by rotations that are products of many. The doubts of a force and of a moment are
kept in the idle places of f₁.
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
    put_wrench,
    sub_rows,
    vector_to_child,
    vector_to_parent,
)
from linkwork.kernels.algebra.double_double import (
    add_pairs,
    add_rounded,
    add_vector,
    dot_step,
    wrench_to_parent_twofold,
)
from linkwork.kernels.algebra.spatial import inertia_mul
from linkwork.kernels.algebra.storage import load_motion, load_wrench
from linkwork.kernels.assembly_tree.assembly import HANG, KIND, LEAF, LEFT, PLACE, PORT, RIGHT, SOLVE, STAGE, SUM, TOTAL
from linkwork.kernels.assembly_tree.parts import (
    A_NUMBERS,
    A_T,
    AXES,
    AXIS_ROWS,
    BIAS,
    D_0,
    DELTA,
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
    axis,
)
from linkwork.kernels.assembly_tree.total_acceleration import (
    FULL_SCRATCH_ROWS,
    G_A1,
    G_A2,
    G_B1,
    G_B2,
    GF,
    GX,
    P_G,
    P_NOW,
    P_OFF,
    P_POSE,
    S_K,
    S_T,
    T_G,
    T_NOW,
    T_OFF,
    put_numbers,
    total_at,
)
from linkwork.kernels.layout import I_KIND, I_V, KIND_NV, W_FORCE, W_POSITION, WORK_ROW
from linkwork.kernels.numba_ext import fabs, helper, inlined, load, store
from linkwork.kernels.records import index_row, load_inertia, load_xform

# Quasi-statics has no velocity products: their place, after f₁, holds its lower digits
LOW = BIAS
PAIR = 2 * VECTOR
# Of a vector's eight places the last two are idle
DOUBT_F, DOUBT_N = 6, 7
# Of an axis' four numbers: 1/inertia, Q, and q̈ at the reference
A_REST = 2
# Scratch after that of total_acceleration: the force on B and the same on A's bottom body, with lower digits
C_W, C_F = FULL_SCRATCH_ROWS, FULL_SCRATCH_ROWS + PAIR
CENTRING_ROWS = C_F + PAIR
# Rounding of what was computed with one float, and with two
ROUNDING, ROUNDING_2 = 1e-15, 1e-18


@inlined
def give_way(model, index, work, rec, flat, nodes, c, s, stage, kind, k_dofs):
    """Accelerations of the joint of node c, and of B, where A gives way to the force D_0 on its bottom body.

    The force falls by PHI = Vᵀ D_0. From E, the accelerations if A did not give way, to E; X_B is what a₁ is to B.
    """
    solve, place = nodes[c, SOLVE], nodes[c, PLACE]
    if solve >= 0:
        clear_rows(rec, s + PHI, VECTOR)
        add_tmv(rec, flat, s + PHI, solve, s + D_0, 1.0)
        clear_rows(rec, s + D_0, VECTOR)
        add_tmv(rec, flat, s + D_0, nodes[nodes[c, LEFT], PORT] + P_PHI, s + PHI, -1.0)
        vector_to_child(flat, load_xform(work, stage), s + DELTA, s + D_0)
    else:
        clear_rows(rec, s + DELTA, VECTOR)
    for k in range(k_dofs - 1, -1, -1):
        at = place + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        x = load(flat, 4 * (s + E) + k) - load(flat, 4 * (at + A_NUMBERS)) * dot6(flat, at, s + DELTA)
        store(flat, 4 * (s + E) + k, x)
        store(flat, 4 * (s + DELTA) + i, load(flat, 4 * (s + DELTA) + i) + alpha * x)
        store(flat, 4 * (s + DELTA) + j, load(flat, 4 * (s + DELTA) + j) + beta * x)
    add_rows(rec, s + X_B, s + X_D, s + DELTA, VECTOR)


@inlined
def spread(model, index, work, rec, flat, nodes, c, s, qdd):
    """From the present surroundings of node c, which has a joint, to its q̈ and to its children's surroundings."""
    a, b, stage, port = nodes[c, LEFT], nodes[c, RIGHT], nodes[c, STAGE], nodes[c, PORT]
    kind, d = index[index_row(stage) + I_KIND], index[index_row(stage) + I_V]
    X, a1, f2 = load_xform(work, stage), nodes[c, TOTAL] + T_NOW, port + P_NOW
    if nodes[c, SOLVE] >= 0:
        clear_rows(rec, s + Y, VECTOR)
        add_tmv(rec, flat, s + Y, nodes[a, PORT], a1, 1.0)
        vector_to_child(flat, X, s + X_D, s + Y)
    else:
        vector_to_child(flat, X, s + X_D, a1)
    if nodes[b, KIND] == LEAF:
        put_wrench(flat, s + W, inertia_mul(load_inertia(model, nodes[b, STAGE]), load_motion(flat, 4 * (s + X_D))))
    else:
        clear_rows(rec, s + W, VECTOR)
        add_tmv(rec, flat, s + W, nodes[b, PLACE], s + X_D, 1.0)
    if port >= 0:
        if nodes[b, PORT] >= 0:
            add_mv(flat, s + W, nodes[b, PORT], f2, -1.0)
        else:
            add_scaled(rec, s + W, -1.0, f2)
    nv = KIND_NV[kind]
    for k in range(nv):
        at = nodes[c, PLACE] + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        r = load(flat, 4 * (at + A_NUMBERS))
        e = -r * (alpha * load(flat, 4 * (s + W) + i) + beta * load(flat, 4 * (s + W) + j))
        store(flat, 4 * (s + E) + k, e)
        add_scaled(rec, s + W, e, at)
    if nodes[c, SOLVE] >= 0:
        vector_to_parent(flat, X, s + D_0, s + W)
    give_way(model, index, work, rec, flat, nodes, c, s, stage, kind, nv)
    for k in range(nv):
        rest = load(flat, 4 * (nodes[c, PLACE] + AXES + AXIS_ROWS * k + A_NUMBERS) + A_REST)
        qdd[d + k] = rest + load(flat, 4 * (s + E) + k)
    if nodes[b, KIND] != LEAF:
        add_rows(rec, nodes[b, TOTAL] + T_NOW, s + X_B, nodes[b, TOTAL] + T_OFF, VECTOR)
        if nodes[b, PORT] >= 0:
            add_rows(rec, nodes[b, PORT] + P_NOW, f2, nodes[b, PORT] + P_OFF, VECTOR)
    if a >= 0 and nodes[a, KIND] != LEAF:
        add_rows(rec, nodes[a, TOTAL] + T_NOW, a1, nodes[a, TOTAL] + T_OFF, VECTOR)
        if nodes[a, PORT] >= 0:
            sub_rows(rec, nodes[a, PORT] + P_NOW, nodes[a, PORT] + P_OFF, s + PHI, VECTOR)


@inlined
def one_norm(flat, k):
    return fabs(load(flat, k)) + fabs(load(flat, k + 1)) + fabs(load(flat, k + 2))


@inlined
def force_off(model, work, rec, flat, nodes, b, x, f2, y, s):
    """y = f₁ of part b, with its lower digits, at a₁ = x and f₂ off its reference as T_OFF and P_OFF tell.

    f2 is the row of that force, −1 where b has no bottom.
    """
    if nodes[b, KIND] == LEAF:
        load_ = load_wrench(work, WORK_ROW * nodes[b, STAGE] + W_FORCE)
        put_wrench(flat, y, load_)
        clear_rows(rec, y + VECTOR, VECTOR)
        store(flat, 4 * y + DOUBT_F, ROUNDING * one_norm(flat, 4 * y))
        store(flat, 4 * y + DOUBT_N, ROUNDING * one_norm(flat, 4 * y + 3))
        put_wrench(flat, s + D_0, inertia_mul(load_inertia(model, nodes[b, STAGE]), load_motion(flat, 4 * x)))
    else:
        copy_rows(rec, y, nodes[b, PLACE] + FORCE, PAIR)
        clear_rows(rec, s + D_0, VECTOR)
        add_tmv(rec, flat, s + D_0, nodes[b, PLACE], nodes[b, TOTAL] + T_OFF, 1.0)
    if f2 >= 0:
        if nodes[b, PORT] >= 0:
            add_mv(flat, s + D_0, nodes[b, PORT], nodes[b, PORT] + P_OFF, -1.0)
        else:
            add_vector(rec, y, f2, -1.0)
    add_vector(rec, y, s + D_0, 1.0)


@inlined
def centre_forces(model, index, work, rec, flat, nodes, c, s, heavy):
    """f₁, a₂ and q̈ of node c at its reference, and how far off theirs its children are; leaves what `spread` does."""
    a, b, stage, place, port = nodes[c, LEFT], nodes[c, RIGHT], nodes[c, STAGE], nodes[c, PLACE], nodes[c, PORT]
    a1, f1, f2 = place + TOP, place + FORCE, (port + P_FORCE if port >= 0 else -1)
    if a >= 0 and nodes[a, KIND] != LEAF:
        sub_rows(rec, nodes[a, TOTAL] + T_OFF, a1, nodes[a, PLACE] + TOP, VECTOR)
    if nodes[c, KIND] == SUM:
        if nodes[b, KIND] != LEAF:
            sub_rows(rec, nodes[b, TOTAL] + T_OFF, a1, nodes[b, PLACE] + TOP, VECTOR)
        force_off(model, work, rec, flat, nodes, a, a1, -1, f1, s)
        force_off(model, work, rec, flat, nodes, b, a1, -1, s + C_W, s)
        add_pairs(rec, f1, s + C_W)  # and their doubts
        return
    kind = index[index_row(stage) + I_KIND]
    X = load_xform(work, stage)
    if nodes[c, SOLVE] >= 0:
        copy_rows(rec, s + Y, nodes[a, PORT] + P_TOP, VECTOR)
        add_tmv(rec, flat, s + Y, nodes[a, PORT], nodes[a, TOTAL] + T_OFF, 1.0)
        vector_to_child(flat, X, s + X_D, s + Y)
    else:
        vector_to_child(flat, X, s + X_D, a1)
    if nodes[b, KIND] != LEAF:
        sub_rows(rec, nodes[b, TOTAL] + T_OFF, s + X_D, nodes[b, PLACE] + TOP, VECTOR)
        if nodes[b, PORT] >= 0:
            sub_rows(rec, nodes[b, PORT] + P_OFF, f2, nodes[b, PORT] + P_FORCE, VECTOR)
    force_off(model, work, rec, flat, nodes, b, s + X_D, f2, s + C_W, s)
    nv = KIND_NV[kind]
    for k in range(nv):
        at = place + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        r, w = load(flat, 4 * (at + A_NUMBERS)), 4 * (s + C_W)
        total = load(flat, 4 * (at + A_NUMBERS) + 1), 0.0
        total = dot_step(total, -alpha, 0.0, load(flat, w + i), load(flat, w + 8 + i))
        total = dot_step(total, -beta, 0.0, load(flat, w + j), load(flat, w + 8 + j))
        e = r * (total[0] + total[1])
        store(flat, 4 * (s + E) + k, e)
        clear_rows(rec, s + D_0, VECTOR)
        add_scaled(rec, s + D_0, e, at)
        add_vector(rec, s + C_W, s + D_0, 1.0)
    if heavy:
        wrench_to_parent_twofold(work, stage, flat, s + C_F, s + C_W)
    else:
        vector_to_parent(flat, X, s + C_F, s + C_W)
        clear_rows(rec, s + C_F + VECTOR, VECTOR)
    copy_doubts(flat, s + C_F, s + C_W, one_norm(work, WORK_ROW * stage + W_POSITION))
    if nodes[c, SOLVE] >= 0:
        add_rounded(rec, s + D_0, s + C_F, nodes[a, PORT] + P_FORCE)
    give_way(model, index, work, rec, flat, nodes, c, s, stage, kind, nv)
    if nodes[b, KIND] != LEAF:
        sub_rows(rec, nodes[b, TOTAL] + T_OFF, s + X_B, nodes[b, PLACE] + TOP, VECTOR)
    if nodes[c, SOLVE] >= 0:
        clear_rows(rec, nodes[a, PORT] + P_OFF, VECTOR)
        add_scaled(rec, nodes[a, PORT] + P_OFF, -1.0, s + PHI)
        force_off(model, work, rec, flat, nodes, a, a1, -1, f1, s)
        clear_rows(rec, s + D_0, VECTOR)
        add_mv(flat, s + D_0, nodes[a, PORT], s + PHI, 1.0)
        add_vector(rec, f1, s + D_0, 1.0)
        add_doubts(flat, f1, s + C_F, one_norm(flat, 4 * (nodes[a, PORT] + P_POSE) + 9))
    elif nodes[c, KIND] == HANG:
        copy_rows(rec, f1, s + C_F, PAIR)
    else:
        force_off(model, work, rec, flat, nodes, a, a1, -1, f1, s)
        add_pairs(rec, f1, s + C_F)
    if port >= 0:
        a2 = port + P_TOP
        if nodes[b, PORT] < 0:
            copy_rows(rec, a2, s + X_B, VECTOR)
        else:
            copy_rows(rec, a2, nodes[b, PORT] + P_TOP, VECTOR)
            add_tmv(rec, flat, a2, nodes[b, PORT], nodes[b, TOTAL] + T_OFF, 1.0)
            add_tmv(rec, flat, a2, nodes[b, PORT] + P_PHI, nodes[b, PORT] + P_OFF, 1.0)


@inlined
def copy_doubts(flat, y, x, arm):
    """The doubts of a force x, taken to a body an arm away, as those of y."""
    f = load(flat, 4 * x + DOUBT_F)
    store(flat, 4 * y + DOUBT_F, f)
    store(flat, 4 * y + DOUBT_N, load(flat, 4 * x + DOUBT_N) + arm * f)


@inlined
def add_doubts(flat, y, x, arm):
    """Those of y and of x, an arm away, together."""
    f = load(flat, 4 * x + DOUBT_F)
    store(flat, 4 * y + DOUBT_F, load(flat, 4 * y + DOUBT_F) + f)
    store(flat, 4 * y + DOUBT_N, load(flat, 4 * y + DOUBT_N) + load(flat, 4 * x + DOUBT_N) + arm * f)


@inlined
def lost_in(flat, at, x, s, heavy):
    """What rounding may have done to q̈ of the axis at `at`, which came out as x, with lower digits and without."""
    u, w, numbers = 4 * at, 4 * (s + C_W), 4 * (at + A_NUMBERS)
    terms = 0.0
    for n in range(6):
        terms += fabs(load(flat, u + n) * load(flat, 4 * (s + X_D) + n))
    r, carried = load(flat, numbers), fabs(load(flat, numbers + 1)) + one_norm(flat, w) + one_norm(flat, w + 3)
    lost = r * (ROUNDING * terms + load(flat, w + DOUBT_N) + load(flat, w + DOUBT_F)) + ROUNDING * fabs(x)
    return lost + (ROUNDING_2 if heavy else ROUNDING) * r * carried, lost + ROUNDING * r * carried


@helper
def centre(model, index, work, rec, flat, nodes, c, s, heavy):
    """All of node c that depends on forces, at its reference: f₁, a₂, q̈, η, g and the noise."""
    centre_forces(model, index, work, rec, flat, nodes, c, s, heavy)
    a, b, total, port = nodes[c, LEFT], nodes[c, RIGHT], nodes[c, TOTAL], nodes[c, PORT]
    if nodes[c, KIND] == SUM:
        left, rounding = total_off(rec, flat, nodes, a, s + G_A1, s)
        right, more = total_off(rec, flat, nodes, b, s + G_B1, s)
        add_rows(rec, total + T_G, s + G_A1, s + G_B1, VECTOR)
        put_numbers(flat, nodes, c, left + right, rounding + more, 0.0, 0.0)
        return
    eta, rounding = total_off(rec, flat, nodes, b, s + G_B1, s)
    noise, of_floats = 0.0, 0.0
    # what each axis adds to η, and the gradient through it
    stage = nodes[c, STAGE]
    kind = index[index_row(stage) + I_KIND]
    for k in range(KIND_NV[kind]):
        at = nodes[c, PLACE] + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        x = load(flat, 4 * (s + E) + k)
        store(flat, 4 * (at + A_NUMBERS) + A_REST, x)
        eta += x * x
        lost, of_float = lost_in(flat, at, x, s, heavy)
        noise += lost * lost
        of_floats += of_float * of_float
        slope = 2.0 * x + alpha * load(flat, 4 * (s + G_B1) + i) + beta * load(flat, 4 * (s + G_B1) + j)
        slope *= load(flat, 4 * (at + A_NUMBERS))
        add_scaled(rec, s + G_B1, -slope, at)
        add_scaled(rec, s + G_B2, slope, at + A_T)
    vector_to_parent(flat, load_xform(work, stage), s + GX, s + G_B1)
    if nodes[c, KIND] == HANG:
        copy_rows(rec, total + T_G, s + GX, VECTOR)
    else:
        left, more = total_off(rec, flat, nodes, a, s + G_A1, s)
        eta += left
        rounding += more
        if nodes[c, SOLVE] < 0:
            add_rows(rec, total + T_G, s + G_A1, s + GX, VECTOR)
        else:
            solve = nodes[c, SOLVE]
            clear_rows(rec, s + GF, VECTOR)
            add_scaled(rec, s + GF, -1.0, s + G_A2)
            add_tmv(rec, flat, s + GF, nodes[a, PORT] + P_PHI, s + GX, -1.0)
            clear_rows(rec, s + DELTA, VECTOR)
            add_mv(flat, s + DELTA, solve, s + GF, 1.0)
            add_tmv(rec, flat, s + GX, solve + S_K, s + DELTA, 1.0)
            if port >= 0:
                add_tmv(rec, flat, s + G_B2, solve + S_T, s + DELTA, -1.0)
            copy_rows(rec, total + T_G, s + G_A1, VECTOR)
            add_mv(flat, total + T_G, nodes[a, PORT], s + GX, 1.0)
    if port >= 0:
        copy_rows(rec, port + P_G, s + G_B2, VECTOR)
    put_numbers(flat, nodes, c, eta, rounding, noise, of_floats)


@inlined
def total_off(rec, flat, nodes, b, y, s):
    """A of part b and its gradient, where the node that it is part of is at its reference."""
    return total_at(rec, flat, nodes, b, nodes[b, TOTAL] + T_OFF, nodes[b, PORT] + P_OFF, y, s)


@helper
def recentre(rec, nodes, c):
    """Take the present surroundings of node c as its reference."""
    top = nodes[c, PLACE] + TOP
    add_rows(rec, top, top, nodes[c, TOTAL] + T_NOW, VECTOR)
    if nodes[c, PORT] >= 0:
        force = nodes[c, PORT] + P_FORCE
        add_rows(rec, force, force, nodes[c, PORT] + P_NOW, VECTOR)
