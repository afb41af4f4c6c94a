"""Rows of loops in the parts of a linkage: how divide and conquer takes loop joints and couplings.

A row of a constraint reads Σ K aₑ + Σ e q̈ = b, the first sum over the two bodies of a loop joint, the second over the
two joints of a coupling; its force λ acts on the same bodies as Kᵀ λ, on the joints as e λ. A part in which only one
end of a row lies is *open* to it: λ goes into the part, what the part contributes to the row comes out,

    f₁ = I a₁ − Tᵀ f₂ − Kᵀ λ + …     a₂ = T a₁ + Φ f₂ + Pᵀ λ + …     y = K a₁ + P f₂ + L λ + …                  [3]

which is [1] of `parts` with (f₂, λ) in place of f₂ and (a₂, y) of a₂, so that every step there gives the one here:

- *hang*: k = K s + e; K −= r k uᵀ, P += r k tᵀ, L += r k kᵀ;
- see it from A's bottom body: K' = K X;
- *join*: a unit of λ moves B by X = V (P_Aᵀ + Φ_A K'ᵀ) and is borne by the joint as F = K_B X − K'ᵀ; so
  K_C = K_A − Fᵀ T_A, P_C = P + Xᵀ T'ᵀ, L_C = L_A + L_B + K' X − P_A F   (K_B: the inertia K of `parts`).

Where both ends lie inside, the row ends: y = b gives λ. With d its pivot in L and λ = −(y − b)/d − …,

    I += Kᵀ K / d,   T −= Pᵀ K / d,   Φ −= Pᵀ P / d,   and of every other row K, P, y and L in the same way.         [4]

All joints of the loop lie inside too, and the part's bottom is free: a row whose pivot vanishes is redundant wherever
the part may be, and is passed over. As in `parts` all that [3] leaves out is stored as values at a reference
(a₁, f₂, λ).

An axis that moves no inertia, that of a massless body, may still be moved by loops. It cannot be eliminated where it
is hung; so it becomes a row itself, q̈ in the place of λ and y = τ − sᵀ f, which is to be zero:

    K = −uᵀ,   P = tᵀ,   L = k of every other row,   L = −sᵀu − armature of its own.                              [5]

L is no longer definite then. It ends with the first loop that moves it, see `close_axes`; which one that is depends on
the pose, so the plan takes it on to the last of those that pass the body.
"""

from linkwork.kernels.algebra.block6 import (
    VECTOR,
    add_rows,
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    dot6,
    put_wrench,
    transpose_block,
    vector_to_parent,
)
from linkwork.kernels.assembly_tree.assembly import KIND, LEAF, LEFT, PLACE, PORT, RIGHT, SOLVE, STAGE, SUM
from linkwork.kernels.assembly_tree.parts import (
    A_NUMBERS,
    A_T,
    AXES,
    AXIS_ROWS,
    H_T,
    J_0,
    J_1,
    P_PHI,
    SCRATCH_ROWS,
    W,
    axis,
)
from linkwork.kernels.closed.loops import row_bias, rows_on_bodies
from linkwork.kernels.closed.records import Loops, loop_at
from linkwork.kernels.layout import FREE, I_KIND, I_V, KIND_NV
from linkwork.kernels.layout.loops import COUPLING, G_RATIO, GEOMETRY_ROW
from linkwork.kernels.layout.rows import (
    E_ENTER,
    E_INDEX,
    E_LEFT,
    E_LOOP,
    E_RIGHT,
    ENTERS_A,
    ENTERS_AXIS,
    ENTERS_B,
    ENTERS_FOLLOWER,
    ENTERS_LEADER,
    ENTRY,
    N_LIST,
    N_PLACE,
    N_ROWS,
    NUMBERS,
    Y_SCRATCH,
    Y_SIZE,
)
from linkwork.kernels.numba_ext.jit import helper, inlined
from linkwork.kernels.numba_ext.pack import load
from linkwork.kernels.records import armature_at, index_row, load_xform

# Scratch after that of parts: X and F of each row
JOIN_ROWS = 2 * VECTOR


@inlined
def entry_at(at, j):
    """Line of row j of the special node whose header is at `at`."""
    return at + N_LIST + ENTRY * j


@inlined
def K_at(net, at, j):
    """Place of K of row j in the buffer."""
    return net[at + N_PLACE] + VECTOR * j


@inlined
def line_at(net, at, which):
    """Where a number of every row begins, in the buffer as a line of numbers."""
    return 4 * (net[at + N_PLACE] + VECTOR * net[at + N_ROWS]) + which * net[at + N_ROWS]


@inlined
def reference_at(net, at):
    """Place of the surroundings (a₁, f₂) at which y is meant."""
    m = net[at + N_ROWS]
    return net[at + N_PLACE] + VECTOR * m + (NUMBERS * m + 3) // 4


@inlined
def L_at(net, at):
    """Where L begins, in the buffer as a line of numbers."""
    return 4 * (reference_at(net, at) + 2 * VECTOR)


@inlined
def P_at(net, at, j):
    """Place of P of row j in the buffer."""
    m = net[at + N_ROWS]
    return reference_at(net, at) + 2 * VECTOR + (m * m + 3) // 4 + VECTOR * j


@inlined
def wrench_of(net, at, j, geometry, plan, bench):
    """K of a row where it enters: on its body b, or on its body a with the opposite sign."""
    line = entry_at(at, j)
    loop = net[line + E_LOOP]
    wb, wa = rows_on_bodies(Loops(plan, geometry, bench), loop, net[line + E_INDEX], False)
    return wb if net[line + E_ENTER] == ENTERS_B else wa


@inlined
def row_in(flat, nodes, special, net, at, j, side, part):
    """The place of row j in a part, the upper or lower as `side` says; −1 where it does not pass, or ended before."""
    p = net[entry_at(at, j) + side]
    if p >= 0 and net[entry_at(at, j) + E_LOOP] < 0 and flat[line_at(net, special[part], Y_SIZE) + p] < 0.0:
        return -1
    return p


@inlined
def weight_of(net, at, j, geometry):
    """e of a row at the joint of its node: 0 unless it is a coupling's that enters here."""
    line = entry_at(at, j)
    if net[line + E_ENTER] == ENTERS_FOLLOWER:
        return 1.0
    if net[line + E_ENTER] == ENTERS_LEADER:
        return -geometry[GEOMETRY_ROW * net[line + E_LOOP] + G_RATIO]
    return 0.0


@inlined
def enters_on_body(net, at, j):
    """Whether a row enters at a body."""
    enter = net[entry_at(at, j) + E_ENTER]
    return enter == ENTERS_B or enter == ENTERS_A


@inlined
def required(net, at, j, plan, bench):
    """b of a row: K (V_b × V + Ṡθ̇), 0 for a coupling and for an axis."""
    loop = net[entry_at(at, j) + E_LOOP]
    if loop < 0 or loop_at(plan, loop).kind == COUPLING:
        return 0.0
    return row_bias(plan, bench, loop, net[entry_at(at, j) + E_INDEX], False)


@helper
def enter_leaf(rec, flat, special, net, plan, geometry, bench, c):
    """Put the rows at the body of leaf c, their forces at zero."""
    at = special[c]
    m = net[at + N_ROWS]
    for j in range(m):
        put_wrench(flat, K_at(net, at, j), wrench_of(net, at, j, geometry, plan, bench))
    k = line_at(net, at, 0)
    flat[k : k + NUMBERS * m] = 0.0


@helper
def take_part(rec, flat, nodes, special, net, at, side, part):
    """Add L and sizes of a part to those of the node at `at`; `side` is the column that says where its rows are."""
    if part < 0 or special[part] < 0 or nodes[part, KIND] == LEAF:
        return
    other = special[part]
    m, n, L, M = net[at + N_ROWS], net[other + N_ROWS], L_at(net, at), L_at(net, other)
    size, their_size = line_at(net, at, Y_SIZE), line_at(net, other, Y_SIZE)
    for i in range(m):
        p = net[entry_at(at, i) + side]
        if p >= 0:
            flat[size + i] += flat[their_size + p]
        if row_in(flat, nodes, special, net, at, i, side, part) >= 0:
            for j in range(m):
                q = row_in(flat, nodes, special, net, at, j, side, part)
                if q >= 0:
                    flat[L + m * i + j] += flat[M + n * p + q]


@helper
def takes_axes(net, at):
    """Whether the axes of the node's joint are rows, if need be."""
    found = False
    for j in range(net[at + N_ROWS]):
        found = found or net[entry_at(at, j) + E_ENTER] == ENTERS_AXIS
    return found


@helper
def hold_axis(rec, flat, net, at, k, u, inertia, opened):
    """Make axis k, which moves no inertia but this, a row by [5]; the other rows along it are in the scratch line."""
    m, L, along, size = net[at + N_ROWS], L_at(net, at), line_at(net, at, Y_SCRATCH), line_at(net, at, Y_SIZE)
    for x in range(m):
        line = entry_at(at, x)
        if net[line + E_ENTER] != ENTERS_AXIS or net[line + E_INDEX] != k:
            continue
        flat[size + x] = 0.0
        for p in range(m):
            flat[L + m * x + p] = flat[L + m * p + x] = flat[along + p]
            K = K_at(net, at, p)
            flat[size + x] = max(flat[size + x], abs(flat[along + p]), dot6(flat, K, K) ** 0.5)
        flat[L + m * x + x] = -inertia
        add_scaled(rec, K_at(net, at, x), -1.0, u)
        if opened:
            copy_rows(rec, P_at(net, at, x), u + A_T, VECTOR)


@helper
def hang_rows(model, index, work, rec, flat, nodes, special, net, geometry, c):
    """The rows of B, which are in the node's own places, hung by the joint of node c and seen from above."""
    at, stage, opened = special[c], nodes[c, STAGE], nodes[c, PORT] >= 0
    m, L, kind, d = net[at + N_ROWS], L_at(net, at), index[index_row(stage) + I_KIND], index[index_row(stage) + I_V]
    K, P, along, size = K_at(net, at, 0), P_at(net, at, 0), line_at(net, at, Y_SCRATCH), line_at(net, at, Y_SIZE)
    whole = True
    for p in range(m):
        if net[entry_at(at, p) + E_ENTER] == ENTERS_AXIS:
            flat[size + p] = -1.0
    for k in range(KIND_NV[kind]):
        u = nodes[c, PLACE] + AXES + AXIS_ROWS * k
        r = load(flat, 4 * (u + A_NUMBERS))
        i, alpha, j, beta = axis(model, stage, kind, k)
        for p in range(m):
            row = 4 * (K + VECTOR * p)
            flat[along + p] = alpha * load(flat, row + i) + beta * load(flat, row + j) + weight_of(net, at, p, geometry)
        if r == 0.0:
            inertia = alpha * load(flat, 4 * u + i) + beta * load(flat, 4 * u + j) + model[armature_at(index, d + k)]
            hold_axis(rec, flat, net, at, k, u, inertia, opened)
            whole = False
            continue
        for p in range(m):
            x = r * flat[along + p]
            if x == 0.0:  # as in planar loops, where most rows forbid what no joint does
                continue
            add_scaled(rec, K + VECTOR * p, -x, u)
            if opened:
                add_scaled(rec, P + VECTOR * p, x, u + A_T)
            for q in range(m):
                flat[L + m * p + q] += x * flat[along + q]
            if net[entry_at(at, p) + E_LOOP] >= 0:
                flat[size + p] += x * flat[along + p]
    if kind == FREE and whole:  # nothing passes a free joint, to the last digit
        clear_rows(rec, K, VECTOR * m)
        return
    X = load_xform(work, stage)
    for p in range(m):
        vector_to_parent(flat, X, K + VECTOR * p, K + VECTOR * p)


@helper
def join_rows(rec, flat, nodes, special, net, c, s):
    """The rows of A over those of the hung part, with K and T'ᵀ in the scratch as `join` left them."""
    at, a, phi_A = special[c], nodes[c, LEFT], nodes[nodes[c, LEFT], PORT] + P_PHI
    m, L, size, other = net[at + N_ROWS], L_at(net, at), line_at(net, at, Y_SIZE), special[nodes[c, LEFT]]
    transpose_block(rec, s + J_0, nodes[c, SOLVE])  # Vᵀ and T_A: their transposes are multiplied with below
    transpose_block(rec, s + J_1, nodes[a, PORT])
    for j in range(m):
        X, K = s + SCRATCH_ROWS + JOIN_ROWS * j, K_at(net, at, j)
        up = row_in(flat, nodes, special, net, at, j, E_LEFT, a)
        F = X + VECTOR
        if up >= 0:
            copy_rows(rec, F, P_at(net, other, up), VECTOR)
        else:
            clear_rows(rec, F, VECTOR)
        add_tmv(rec, flat, F, phi_A, K, 1.0)
        clear_rows(rec, X, VECTOR)
        add_tmv(rec, flat, X, s + J_0, F, 1.0)
        clear_rows(rec, F, VECTOR)
        add_scaled(rec, F, -1.0, K)
        add_tmv(rec, flat, F, s, X, 1.0)
    for i in range(m):
        K, down = K_at(net, at, i), net[entry_at(at, i) + E_RIGHT]
        up = row_in(flat, nodes, special, net, at, i, E_LEFT, a)
        for j in range(i + 1):
            X, x = s + SCRATCH_ROWS + JOIN_ROWS * j, 0.0
            if down >= 0 or net[entry_at(at, i) + E_ENTER] >= ENTERS_FOLLOWER:
                x += dot6(flat, K, X)
            if up >= 0:
                x -= dot6(flat, P_at(net, other, up), X + VECTOR)
            flat[L + m * i + j] += x
            if i != j:
                flat[L + m * j + i] += x
            elif net[entry_at(at, i) + E_LOOP] >= 0:
                flat[size + i] += abs(x)
    for j in range(m):
        X, K = s + SCRATCH_ROWS + JOIN_ROWS * j, K_at(net, at, j)
        up = row_in(flat, nodes, special, net, at, j, E_LEFT, a)
        if up >= 0:
            copy_rows(rec, K, K_at(net, other, up), VECTOR)
        else:
            clear_rows(rec, K, VECTOR)
        add_tmv(rec, flat, K, s + J_1, X + VECTOR, -1.0)
        if nodes[c, PORT] >= 0:
            add_tmv(rec, flat, P_at(net, at, j), s + H_T, X, 1.0)


@helper
def assemble_rows(model, index, work, rec, flat, nodes, special, net, plan, geometry, bench, c, s):
    """Main pass at special node c, after `assemble`: K, P and L of [3] from those of its children."""
    at, a, b = special[c], nodes[c, LEFT], nodes[c, RIGHT]
    m, L, size = net[at + N_ROWS], L_at(net, at), line_at(net, at, Y_SIZE)
    flat[L : L + m * m] = 0.0
    flat[size : size + m] = 0.0
    clear_rows(rec, P_at(net, at, 0), VECTOR * m)
    for j in range(m):
        down = row_in(flat, nodes, special, net, at, j, E_RIGHT, b)
        if down >= 0:
            copy_rows(rec, K_at(net, at, j), K_at(net, special[b], down), VECTOR)
            if nodes[c, PORT] >= 0 and nodes[b, PORT] >= 0:
                copy_rows(rec, P_at(net, at, j), P_at(net, special[b], down), VECTOR)
        else:
            clear_rows(rec, K_at(net, at, j), VECTOR)
    take_part(rec, flat, nodes, special, net, at, E_RIGHT, b)
    take_part(rec, flat, nodes, special, net, at, E_LEFT, a)
    if nodes[c, KIND] != SUM:
        hang_rows(model, index, work, rec, flat, nodes, special, net, geometry, c)
        if nodes[c, SOLVE] >= 0:
            join_rows(rec, flat, nodes, special, net, c, s)
            return
    for j in range(m):
        K, up = K_at(net, at, j), row_in(flat, nodes, special, net, at, j, E_LEFT, a)
        if up >= 0:
            add_rows(rec, K, K, K_at(net, special[a], up), VECTOR)
        if enters_on_body(net, at, j):
            put_wrench(flat, s + W, wrench_of(net, at, j, geometry, plan, bench))
            add_rows(rec, K, K, s + W, VECTOR)
