"""Parts of a linkage, and how two of them become one: the main pass of divide and conquer.

A node C is described by what its surroundings see: the acceleration a₁ of its top body and the force f₂ on its bottom
body go in, the force f₁ on its top body and the acceleration a₂ of its bottom body come out,

    f₁ = I a₁ − Tᵀ f₂ + …        a₂ = T a₁ + Φ f₂ + …                                                      [1]

[Redon2005] eq. (1) has both forces go in. The two are equivalent; this one needs no inertia inverted (a rigid body is
I itself, T = 1, Φ = 0), is the articulated-body algorithm wherever a part hangs on a single body, and keeps its digits
on bushy trees, where inverse inertias lose half of theirs. The terms left out are stored as values at a reference
(a₁, f₂), zero for plain dynamics: forces that nearly cancel then never meet as large numbers.

Joining A above to B below by a joint with axes s_k, in three steps, each for [1] as a whole:

- *hang* B by its joint, axis by axis: u = I s, t = T s, r = 1/(sᵀu + armature); I −= r u uᵀ, T −= r t uᵀ, Φ += r t tᵀ;
- see it from A's bottom body: K = Xᵀ I X, T' = T X;
- *join*: V = (1 + Φ_A K)⁻¹; I_C = I_A + T_Aᵀ K V T_A, T_C = T' V T_A, Φ_C = Φ + T' V Φ_A T'ᵀ   ([Redon2005] eq. 2).

Where A is one body (T_A = 1, Φ_A = 0) V is 1 and nothing needs solving.

A node's record, in rows of the buffer (see `blocks`): at PLACE its I, the reference a₁, f₁ there, the joint's
velocity-product acceleration c, and for each axis u, t and (r, Q, q̈ where r is 0); at PORT, where it has a bottom
body of its own, Tᵀ, Φ, the reference f₂, and a₂ there; at SOLVE, where A has one, V and, where they are asked for, K
and T'ᵀ. A rigid body has no record: its inertia is in the model, and the force it needs at rest in the work space.
"""

from linkwork.kernels.algebra.block6 import (
    MATRIX,
    VECTOR,
    add_mm,
    add_outer,
    add_rows,
    clear_rows,
    copy_rows,
    flush,
    inertia_rows_to_parent,
    invert,
    mul_mm,
    mul_tm,
    put_inertia,
    rows_to_parent,
    set_identity,
    symmetrise,
    transpose_block,
)
from linkwork.kernels.assembly_tree.assembly import (
    HANG,
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
from linkwork.kernels.layout import AXIAL, FREE, I_KIND, I_V, KIND_NV, M_SLIDE, M_TURN, N_STAGES, PLANAR, REVOLUTE
from linkwork.kernels.numba_ext import helper, inlined, load, store
from linkwork.kernels.records import armature_at, index_row, load_inertia, load_xform, model_row

# A record: rows from PLACE, from PORT, from SOLVE, and of an axis from AXES
TOP, FORCE, BIAS, AXES = MATRIX, MATRIX + 2, MATRIX + 4, MATRIX + 6
AXIS_ROWS, A_T, A_NUMBERS = 6, 2, 4
P_PHI, P_FORCE, P_TOP, PORT_ROWS = MATRIX, 2 * MATRIX, 2 * MATRIX + 2, 2 * MATRIX + 4
SOLVE_ROWS = MATRIX
# Scratch: three matrices of the part that is being hung, five more for joining, then vectors
H_T, H_PHI, J_0, J_1, J_2, J_3, J_4 = (MATRIX * k for k in range(1, 8))
VECTORS = 8 * MATRIX
Y, X_D, W, F_HAT, PHI, DELTA, X_B, D_0, E = (VECTORS + VECTOR * k for k in range(9))
SCRATCH_ROWS = E + VECTOR
# Share of a part's inertia below which an axis is taken as moving none
_NOTHING = 1e-14


@helper
def lay_out_node(index, nodes, c, row, extra, open_extra, solve_rows):
    """Give a node its place from `row` on; the row after it."""
    nodes[c, PLACE], nodes[c, PORT], nodes[c, SOLVE] = row, -1, -1
    row += AXES
    if nodes[c, STAGE] >= 0:
        row += AXIS_ROWS * KIND_NV[index[index_row(nodes[c, STAGE]) + I_KIND]]
    nodes[c, TOTAL] = row
    row += extra
    if nodes[c, OPEN] and not nodes[c, RIGID]:
        nodes[c, PORT] = row
        row += PORT_ROWS + open_extra
    if nodes[c, LEFT] >= 0 and nodes[nodes[c, LEFT], PORT] >= 0:
        nodes[c, SOLVE] = row
        row += solve_rows
    return row


@helper
def lay_out(index, nodes, extra, open_extra, solve_rows):
    """Give every node its place in the buffer, `extra` rows from TOTAL, `open_extra` more from PORT; rows in all."""
    row = 0
    for c in range(nodes.shape[0]):
        if nodes[c, KIND] == LEAF:
            nodes[c, PLACE], nodes[c, PORT], nodes[c, SOLVE], nodes[c, TOTAL] = -1, -1, -1, -1
        else:
            row = lay_out_node(index, nodes, c, row, extra, open_extra, solve_rows)
    return row


@inlined
def axis(model, stage, kind, k):
    """Axis k of a stage's joint, s = α e_i + β e_j, as i, α, j, β."""
    if kind == REVOLUTE:
        return 5, 1.0, 2, 0.0
    if kind == AXIAL:
        row = model_row(stage)
        return 5, load(model, row + M_TURN), 2, load(model, row + M_SLIDE)
    if kind == PLANAR:
        return (k if k < 2 else 5), 1.0, 5, 0.0
    if kind == FREE:
        return k, 1.0, 5, 0.0
    return 3 + k, 1.0, 5, 0.0


@inlined
def take_axis(rec, y, M, i, alpha, j, beta):
    """y = Mᵀ s."""
    store(rec, y, alpha * load(rec, M + 2 * i) + beta * load(rec, M + 2 * j))
    store(rec, y + 1, alpha * load(rec, M + 2 * i + 1) + beta * load(rec, M + 2 * j + 1))


@inlined
def eliminate(rec, flat, I, at, i, alpha, j, beta, armature, least):  # noqa: E741
    """Take one axis out of the inertia I, writing u and r to the axis at `at`; whether it has more than the least.

    Where it has not, r is 0, and so is the acceleration that stands beside it: both stay so in an open linkage.
    """
    take_axis(rec, at, I, i, alpha, j, beta)
    d = alpha * load(flat, 4 * at + i) + beta * load(flat, 4 * at + j) + armature
    if not d > least:
        store(flat, 4 * (at + A_NUMBERS), 0.0)
        store(flat, 4 * (at + A_NUMBERS) + 2, 0.0)
        return False
    r = 1.0 / d
    store(flat, 4 * (at + A_NUMBERS), r)
    add_outer(rec, flat, I, -r, at, at)
    return True


@inlined
def size_of(flat, I, kind):  # noqa: E741
    """What the inertia along an axis is small beside: the trace of I, of its rotational part for hinges."""
    k = 4 * I
    J = load(flat, k + 27) + load(flat, k + 36) + load(flat, k + 45)
    return J if kind == REVOLUTE else J + load(flat, k) + load(flat, k + 9) + load(flat, k + 18)


@helper
def weak_stages(model, index, rec, weak):
    """Mark the stages whose own rigid inertia does not resist every axis of their joint."""
    flat = rec.reshape(rec.size)
    for stage in range(index[N_STAGES]):
        row = index_row(stage)
        kind, d = index[row + I_KIND], index[row + I_V]
        put_inertia(rec, flat, 0, load_inertia(model, stage))
        least = _NOTHING * size_of(flat, 0, kind)
        weak[stage] = False
        for k in range(KIND_NV[kind]):
            i, alpha, j, beta = axis(model, stage, kind, k)
            if not eliminate(rec, flat, 0, MATRIX, i, alpha, j, beta, model[armature_at(index, d + k)], least):
                weak[stage] = True
                break


@inlined
def copy_inertia(model, rec, flat, nodes, b, to):
    """I of part b."""
    if nodes[b, KIND] == LEAF:
        put_inertia(rec, flat, to, load_inertia(model, nodes[b, STAGE]))
    else:
        copy_rows(rec, to, nodes[b, PLACE], MATRIX)


@inlined
def hang(model, index, rec, flat, nodes, c, s):
    """B hung by the joint of node c, into the scratch at s: I, and Tᵀ and Φ where c is open.

    Returns whether the joint moves inertia along every axis. Axes that move none are left as they are.
    """
    b, stage = nodes[c, RIGHT], nodes[c, STAGE]
    kind, d = index[index_row(stage) + I_KIND], index[index_row(stage) + I_V]
    opened = nodes[c, PORT] >= 0
    copy_inertia(model, rec, flat, nodes, b, s)
    if opened:
        if nodes[b, PORT] >= 0:
            copy_rows(rec, s + H_T, nodes[b, PORT], 2 * MATRIX)
        else:
            set_identity(rec, flat, s + H_T)
            clear_rows(rec, s + H_PHI, MATRIX)
    least, whole = _NOTHING * size_of(flat, s, kind), True
    for k in range(KIND_NV[kind]):
        at = nodes[c, PLACE] + AXES + AXIS_ROWS * k
        i, alpha, j, beta = axis(model, stage, kind, k)
        if not eliminate(rec, flat, s, at, i, alpha, j, beta, model[armature_at(index, d + k)], least):
            whole = False
        if opened:
            t, r = at + A_T, load(flat, 4 * (at + A_NUMBERS))
            take_axis(rec, t, s + H_T, i, alpha, j, beta)
            add_outer(rec, flat, s + H_T, -r, at, t)
            add_outer(rec, flat, s + H_PHI, r, t, t)
    if kind == FREE and whole:  # nothing passes a free joint, to the last digit
        clear_rows(rec, s, MATRIX)
        if opened:
            clear_rows(rec, s + H_T, MATRIX)
    return whole


@inlined
def join(rec, flat, nodes, c, s):
    """A over the part hung in the scratch at s, which is seen from A's bottom body already.

    In the scratch, K stays at 0 and T'ᵀ at H_T; how f and x' depend on (a₁, f₂) comes beside them:
    f = F₁ a₁ − F₂ f₂ with F₁ = K V T_A in J_3 and F₂ = Vᵀ T'ᵀ in J_4, x' = G₁ a₁ + G₂ f₂ with G₁ = V T_A in J_2 and
    G₂ = V Φ_A T'ᵀ in J_1.
    """
    a, C, V, K = nodes[c, LEFT], nodes[c, PLACE], nodes[c, SOLVE], s
    T_A, phi_A = nodes[a, PORT], nodes[a, PORT] + P_PHI
    mul_mm(rec, flat, s + J_0, phi_A, K)
    for i in range(6):
        store(flat, 4 * (s + J_0) + 9 * i, load(flat, 4 * (s + J_0) + 9 * i) + 1.0)
    invert(rec, flat, V, s + J_0)
    transpose_block(rec, s + J_0, T_A)  # T_A itself; the record holds its transpose
    mul_mm(rec, flat, s + J_2, V, s + J_0)
    mul_mm(rec, flat, s + J_3, K, s + J_2)
    add_mm(rec, flat, C, nodes[a, PLACE], T_A, s + J_3)
    symmetrise(rec, C)
    if nodes[c, PORT] >= 0:
        T = s + H_T
        mul_tm(rec, flat, s + J_4, V, T)
        mul_tm(rec, flat, s + J_0, s + J_4, phi_A)  # T' V Φ_A
        transpose_block(rec, s + J_1, s + J_0)
        add_mm(rec, flat, nodes[c, PORT] + P_PHI, s + H_PHI, s + J_0, T)
        symmetrise(rec, nodes[c, PORT] + P_PHI)
        mul_mm(rec, flat, nodes[c, PORT], T_A, s + J_4)
        flush(rec, flat, nodes[c, PORT])


@inlined
def assemble(model, index, work, rec, flat, nodes, c, s):
    """Main pass at node c: I, T, Φ of [1] from those of its children; whether its joint moves inertia."""
    if nodes[c, KIND] == SUM:
        copy_inertia(model, rec, flat, nodes, nodes[c, LEFT], nodes[c, PLACE])
        copy_inertia(model, rec, flat, nodes, nodes[c, RIGHT], s)
        add_rows(rec, nodes[c, PLACE], nodes[c, PLACE], s, MATRIX)
        return True
    whole = hang(model, index, rec, flat, nodes, c, s)
    X = load_xform(work, nodes[c, STAGE])
    inertia_rows_to_parent(rec, X, s)
    if nodes[c, PORT] >= 0:
        rows_to_parent(rec, X, s + H_T)
    if nodes[c, SOLVE] >= 0:
        join(rec, flat, nodes, c, s)
        return whole
    if nodes[c, KIND] == HANG:
        copy_rows(rec, nodes[c, PLACE], s, MATRIX)
    else:
        copy_inertia(model, rec, flat, nodes, nodes[c, LEFT], nodes[c, PLACE])
        add_rows(rec, nodes[c, PLACE], nodes[c, PLACE], s, MATRIX)
    symmetrise(rec, nodes[c, PLACE])
    if nodes[c, PORT] >= 0:
        copy_rows(rec, nodes[c, PORT], s + H_T, 2 * MATRIX)
    return whole
