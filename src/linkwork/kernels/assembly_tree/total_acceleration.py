"""The total acceleration of a part of a linkage: Σ q̈² over its joints, without computing them.

For a node with surroundings (a₁, f₂) = ξ, see `parts`, it is a quadratic ([Redon2005] eq. 8, in these
variables)

    A(ξ) = (ξ − ξᵣ)ᵀ Ψ (ξ − ξᵣ) + g · (ξ − ξᵣ) + η                                                            [2]

*centred* at a reference ξᵣ that lies near the true ξ: η is its value there, g its gradient. Taken about ξ = 0 as
printed it loses all digits where large static loads nearly cancel, for A is then the small difference of large terms.
Ψ, g and η of a node follow from those of its children ([Redon2005] eq. 9) by the same three steps as inertias do,
hang, see from above, join. Hanging by an axis adds q̈² with q̈ = ρ − υ · ξ, υ = r (u, −t):

    Ψ −= υ zᵀ + z υᵀ,  z = Ψ ŝ − ½ (ŝᵀΨŝ + 1) υ,  ŝ = (s, 0).

Joining, f = F ξ + … on A's bottom body and x' = G ξ + … on B: Ψ_C = Ψ_A at (a₁, −f) + Ψ_B at (x', f₂). The gradient
is carried from the children's to the node by the transposed steps of `split`.

The noise is the square of what rounding may have done to the accelerations within, to all of them together and to any
one: below it A means nothing.

Rows of a record from TOTAL: Ψ₁₁, g₁, by how much a₁ is off its reference now and by how much it is so while the
surrounding node is at its own reference, numbers (η, the noises), the world pose of the top body. From PORT, after
those of `parts`: Ψ₁₂, Ψ₂₂, g₂, the same two of f₂, the bottom body's pose in the top's. From SOLVE: V, K, T'ᵀ.
"""

from linkwork.kernels.algebra.block6 import (
    MATRIX,
    VECTOR,
    add_mm,
    add_mv,
    add_outer,
    add_outers,
    add_rows,
    add_scaled,
    add_tm,
    add_tmv,
    clear_rows,
    copy_rows,
    dot6,
    flush,
    inertia_rows_to_parent,
    mul_mm,
    mul_tm,
    rows_to_parent,
    sub_rows,
    symmetrise,
    transpose_block,
)
from linkwork.kernels.algebra.spatial import Xform, compose
from linkwork.kernels.algebra.storage import load_mat, load_vec, store_mat, store_vec
from linkwork.kernels.assembly_tree.assembly import HANG, KIND, LEFT, PLACE, PORT, RIGHT, SOLVE, STAGE, SUM, TOTAL
from linkwork.kernels.assembly_tree.parts import (
    A_NUMBERS,
    A_T,
    AXES,
    AXIS_ROWS,
    H_T,
    J_1,
    J_2,
    J_3,
    J_4,
    PORT_ROWS,
    SCRATCH_ROWS,
    assemble,
    axis,
    take_axis,
)
from linkwork.kernels.layout import I_KIND, KIND_NV
from linkwork.kernels.numba_ext import fabs, helper, inlined, load, store
from linkwork.kernels.records import index_row, load_xform

# A record: rows from TOTAL, from PORT, from SOLVE
T_G, T_NOW, T_OFF, T_NUMBERS, T_POSE = MATRIX, MATRIX + 2, MATRIX + 4, MATRIX + 6, MATRIX + 7
TOTAL_ROWS = MATRIX + 10
P_PSI_12, P_PSI_2, P_G = PORT_ROWS, PORT_ROWS + MATRIX, PORT_ROWS + 2 * MATRIX
P_NOW, P_OFF, P_POSE = P_G + 2, P_G + 4, P_G + 6
OPEN_ROWS = 2 * MATRIX + 10
S_K, S_T, FULL_SOLVE_ROWS = MATRIX, 2 * MATRIX, 3 * MATRIX
# Scratch after that of parts
Q_1, Q_12, Q_2, Q_A, Q_B = (SCRATCH_ROWS + MATRIX * k for k in range(5))
G_A1, G_A2, G_B1, G_B2, GX, GF, V_1, V_2, V_3, V_4 = (SCRATCH_ROWS + 5 * MATRIX + VECTOR * k for k in range(10))
FULL_SCRATCH_ROWS = V_4 + VECTOR
ROUNDING_A = 1e-14  # of A relative to the terms it is made of


@inlined
def get_pose(flat, row):
    return Xform(load_mat(flat, 4 * row), load_vec(flat, 4 * row + 9))


@inlined
def put_pose(flat, row, X):
    store_mat(flat, 4 * row, X.R)
    store_vec(flat, 4 * row + 9, X.p)


@inlined
def hang_quadratic(model, index, rec, flat, nodes, c, s):
    """Ψ of B hung by the joint of node c, into the scratch: Q_1, and Q_12 and Q_2 where c is open."""
    b, stage, opened = nodes[c, RIGHT], nodes[c, STAGE], nodes[c, PORT] >= 0
    kind = index[index_row(stage) + I_KIND]
    if nodes[b, TOTAL] >= 0:
        copy_rows(rec, s + Q_1, nodes[b, TOTAL], MATRIX)
    else:
        clear_rows(rec, s + Q_1, MATRIX)
    if opened:
        if nodes[b, PORT] >= 0:
            copy_rows(rec, s + Q_12, nodes[b, PORT] + P_PSI_12, 2 * MATRIX)
        else:
            clear_rows(rec, s + Q_12, 2 * MATRIX)
    for k in range(KIND_NV[kind]):
        at = nodes[c, PLACE] + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        r = load(flat, 4 * (at + A_NUMBERS))
        u, t, z1, z2 = at, at + A_T, s + V_1, s + V_2
        take_axis(rec, z1, s + Q_1, i, alpha, j, beta)
        square = alpha * load(flat, 4 * z1 + i) + beta * load(flat, 4 * z1 + j) + 1.0
        add_scaled(rec, z1, -0.5 * square * r, u)
        add_outers(rec, flat, s + Q_1, -r, u, z1)
        if opened:
            take_axis(rec, z2, s + Q_12, i, alpha, j, beta)
            add_scaled(rec, z2, 0.5 * square * r, t)
            add_outer(rec, flat, s + Q_12, -r, u, z2)
            add_outer(rec, flat, s + Q_12, r, z1, t)
            add_outers(rec, flat, s + Q_2, r, t, z2)


@inlined
def join_quadratic(rec, flat, nodes, c, s):
    """Ψ of A over the hung part, with F and G as `join` left them; keeps K and T'ᵀ for gradients."""
    a, total, port = nodes[c, LEFT], nodes[c, TOTAL], nodes[c, PORT]
    psi_12, psi_2 = nodes[a, PORT] + P_PSI_12, nodes[a, PORT] + P_PSI_2
    F1, F2, G1, G2 = s + J_3, s + J_4, s + J_2, s + J_1
    M, N = s + Q_A, s + Q_B
    copy_rows(rec, nodes[c, SOLVE] + S_K, s, MATRIX)
    # Ψ₁₁ = Ψ₁A + F₁ᵀ(Ψ₂A F₁ − 2 Ψ₁₂Aᵀ) + G₁ᵀ Ψ₁B G₁, symmetric parts
    transpose_block(rec, N, psi_12)
    mul_mm(rec, flat, M, psi_2, F1)
    sub_rows(rec, M, M, N, MATRIX)  # Ψ₂A F₁ − Ψ₁₂Aᵀ, wanted again below
    sub_rows(rec, N, M, N, MATRIX)
    add_tm(rec, flat, total, nodes[a, TOTAL], F1, N)
    mul_mm(rec, flat, N, s + Q_1, G1)
    add_tm(rec, flat, total, total, G1, N)
    symmetrise(rec, total)
    if port < 0:
        return
    copy_rows(rec, nodes[c, SOLVE] + S_T, s + H_T, MATRIX)
    # Ψ₁₂ = G₁ᵀ(Ψ₁B G₂ + Ψ₁₂B) − (Ψ₂A F₁ − Ψ₁₂Aᵀ)ᵀ F₂
    psi = port + P_PSI_12
    mul_tm(rec, flat, s, M, F2)  # in place of K, which has been copied
    add_mm(rec, flat, N, s + Q_12, s + Q_1, G2)
    mul_tm(rec, flat, psi, G1, N)
    sub_rows(rec, psi, psi, s, MATRIX)
    flush(rec, flat, psi)
    # Ψ₂₂ = Ψ₂B + F₂ᵀ Ψ₂A F₂ + G₂ᵀ(Ψ₁B G₂ + 2 Ψ₁₂B), symmetric parts
    psi = port + P_PSI_2
    add_rows(rec, N, N, s + Q_12, MATRIX)
    add_tm(rec, flat, psi, s + Q_2, G2, N)
    mul_mm(rec, flat, N, psi_2, F2)
    add_tm(rec, flat, psi, psi, F2, N)
    symmetrise(rec, psi)


@inlined
def add_total(rec, nodes, a, to, from_):
    """to = Ψ₁₁ of part a + the matrix at `from_`."""
    if nodes[a, TOTAL] >= 0:
        add_rows(rec, to, nodes[a, TOTAL], from_, MATRIX)
    else:
        copy_rows(rec, to, from_, MATRIX)


@inlined
def set_pose(work, flat, nodes, c):
    """Where the bottom body of an open node stands in its top body."""
    X = load_xform(work, nodes[c, STAGE])
    a, b = nodes[c, LEFT], nodes[c, RIGHT]
    if nodes[a, PORT] >= 0:
        X = compose(get_pose(flat, nodes[a, PORT] + P_POSE), X)
    if nodes[b, PORT] >= 0:
        X = compose(X, get_pose(flat, nodes[b, PORT] + P_POSE))
    put_pose(flat, nodes[c, PORT] + P_POSE, X)


@helper
def refresh(model, index, work, rec, flat, nodes, c, s):
    """All of node c that depends on the configuration: I, T, Φ, Ψ and its pose; whether its joint moves inertia."""
    if not assemble(model, index, work, rec, flat, nodes, c, s):
        return False
    total, port = nodes[c, TOTAL], nodes[c, PORT]
    if nodes[c, KIND] == SUM:
        clear_rows(rec, s + Q_1, MATRIX)
        add_total(rec, nodes, nodes[c, LEFT], s + Q_1, s + Q_1)
        add_total(rec, nodes, nodes[c, RIGHT], total, s + Q_1)
        return True
    hang_quadratic(model, index, rec, flat, nodes, c, s)
    X = load_xform(work, nodes[c, STAGE])
    inertia_rows_to_parent(rec, X, s + Q_1)
    if port >= 0:
        rows_to_parent(rec, X, s + Q_12)
        set_pose(work, flat, nodes, c)
    if nodes[c, SOLVE] >= 0:
        join_quadratic(rec, flat, nodes, c, s)
        return True
    if nodes[c, KIND] == HANG:
        copy_rows(rec, total, s + Q_1, MATRIX)
    else:
        add_total(rec, nodes, nodes[c, LEFT], total, s + Q_1)
    symmetrise(rec, total)
    if port >= 0:
        copy_rows(rec, port + P_PSI_12, s + Q_12, 2 * MATRIX)
    return True


@inlined
def total_at(rec, flat, nodes, b, d, e, y, s):
    """A of part b at ξᵣ + (d, e) by [2], and the rounding in it; its gradient to the two vectors at y (y < 0: none)."""
    if nodes[b, TOTAL] < 0:
        if y >= 0:
            clear_rows(rec, y, 2 * VECTOR)
        return 0.0, 0.0
    total, port = nodes[b, TOTAL], nodes[b, PORT]
    eta = load(flat, 4 * (total + T_NUMBERS))
    clear_rows(rec, s + V_3, 2 * VECTOR)
    add_tmv(rec, flat, s + V_3, total, d, 1.0)  # Ψ (ξ − ξᵣ)
    if port >= 0:
        add_mv(flat, s + V_3, port + P_PSI_12, e, 1.0)
        add_tmv(rec, flat, s + V_4, port + P_PSI_12, d, 1.0)
        add_tmv(rec, flat, s + V_4, port + P_PSI_2, e, 1.0)
    square, line = dot6(flat, s + V_3, d), dot6(flat, total + T_G, d)
    if port >= 0:
        square += dot6(flat, s + V_4, e)
        line += dot6(flat, port + P_G, e)
    if y >= 0:
        copy_rows(rec, y, total + T_G, VECTOR)
        add_scaled(rec, y, 2.0, s + V_3)
        if port >= 0:
            copy_rows(rec, y + VECTOR, port + P_G, VECTOR)
            add_scaled(rec, y + VECTOR, 2.0, s + V_4)
        else:
            clear_rows(rec, y + VECTOR, VECTOR)
    # at the reference itself nothing is added up, and nothing is lost
    return square + line + eta, ROUNDING_A * (fabs(square) + fabs(line))


@inlined
def noise_of(flat, nodes, b, which):
    """The noise of part b: of all its joints, the largest of any, or of all if forces had no lower digits."""
    return load(flat, 4 * (nodes[b, TOTAL] + T_NUMBERS) + 1 + which) if nodes[b, TOTAL] >= 0 else 0.0


@inlined
def put_numbers(flat, nodes, c, eta, rounding, own, of_floats):
    """η and the noise of node c: its children's, its own joint's, and the rounding in their A."""
    a, b, k = nodes[c, LEFT], nodes[c, RIGHT], 4 * (nodes[c, TOTAL] + T_NUMBERS)
    all_joints, any_joint = own + noise_of(flat, nodes, b, 0), max(own, noise_of(flat, nodes, b, 1))
    of_floats += noise_of(flat, nodes, b, 2)
    if a >= 0:
        all_joints += noise_of(flat, nodes, a, 0)
        any_joint = max(any_joint, noise_of(flat, nodes, a, 1))
        of_floats += noise_of(flat, nodes, a, 2)
    store(flat, k, max(eta, 0.0))
    store(flat, k + 1, all_joints + rounding)
    store(flat, k + 2, any_joint + rounding)
    store(flat, k + 3, of_floats)
