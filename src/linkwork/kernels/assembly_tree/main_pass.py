"""How two parts of a linkage become one: the main pass of divide and conquer.

[Redon2005] eq. (1) describes a part by the accelerations of its handles, both forces going in. [1] of `views` is
equivalent; it needs no inertia inverted (a rigid body is I itself, T = 1, Φ = 0), is the articulated-body algorithm
wherever a part hangs on a single body, and keeps its digits on bushy trees, where inverse inertias lose half of theirs.
References are zero for plain dynamics; elsewhere forces that nearly cancel never meet as large numbers.

Joining A above to B below by a joint with axes s_k takes three steps, each for [1] as a whole:

- *hang* B by its joint, axis by axis: u = I s, t = T s, r = 1/(sᵀu + armature); I −= r u uᵀ, T −= r t uᵀ, Φ += r t tᵀ;
- see it from A's bottom body: K = Xᵀ I X, T' = T X;
- *join*: V = (1 + Φ_A K)⁻¹; I_C = I_A + T_Aᵀ K V T_A, T_C = T' V T_A, Φ_C = Φ + T' V Φ_A T'ᵀ.

Where A is one body (T_A = 1, Φ_A = 0) V is 1 and nothing needs solving.

| symbol | meaning | [Redon2005] |
|---|---|---|
| a₁, f₁ | acceleration of the top body, force on it | a₁, f₁ |
| a₂, f₂ | the same of the bottom body | a₂, f₂ |
| I, T, Φ | [1]; I⁻¹, −I⁻¹Tᵀ, Φ + T I⁻¹ Tᵀ are the paper's inverse inertias | Φ₁, Φ₁₂, Φ₂ in (1), (2) |
| V | of (1 + Φ_A K) | V = (Φ₁ᴮ + Φ₂ᴬ)⁻¹ in (2), in other variables |
| s, X | axis of the principal joint; transform from A's bottom body to B's top body | S |
| q̈, Q | acceleration and generalized force of the joint | q̈, Q |

References: [Redon2005] section 3.1.
"""

from linkwork.kernels.algebra.block6 import (
    Memory,
    add_identity,
    add_mm,
    add_outer,
    add_rows,
    clear_rows,
    copy_rows,
    entry,
    flush,
    inertia_rows_to_parent,
    mul_mm,
    mul_tm,
    put_inertia,
    rows_to_parent,
    set_identity,
    symmetrise,
    transpose_block,
)
from linkwork.kernels.algebra.invert6 import invert
from linkwork.kernels.assembly_tree.views import along, axis, joint, part, scratch, take_axis
from linkwork.kernels.layout import FREE
from linkwork.kernels.layout.nodes import (
    AXIS_ROWS,
    HANG,
    KIND,
    LEAF,
    LEFT,
    MATRIX,
    OPEN,
    PLACE,
    PLACE_ROWS,
    PORT,
    PORT_ROWS,
    RIGHT,
    RIGID,
    SOLVE,
    STAGE,
    SUM,
    TOTAL,
)
from linkwork.kernels.numba_ext import helper, inlined, load, separately_unrolled, store
from linkwork.kernels.records import armature_at, load_inertia, load_xform

_NOTHING = 1e-14  # share of a part's inertia below which an axis counts as having none


@helper
def axes_of(index, nodes, c):
    """Axes of the joint of node c."""
    return joint(index, nodes[c, STAGE])[2] if nodes[c, STAGE] >= 0 else 0


@helper
def lay_out_node(index, nodes, c, row, extra, port_extra, solve_rows):
    """Give a node its place from `row` on; the row after it."""
    nodes[c, PLACE], nodes[c, PORT], nodes[c, SOLVE] = row, -1, -1
    row += PLACE_ROWS + AXIS_ROWS * axes_of(index, nodes, c)
    nodes[c, TOTAL] = row
    row += extra
    if nodes[c, OPEN] and not nodes[c, RIGID]:
        nodes[c, PORT] = row
        row += PORT_ROWS + port_extra
    if nodes[c, LEFT] >= 0 and nodes[nodes[c, LEFT], PORT] >= 0:
        nodes[c, SOLVE] = row
        row += solve_rows
    return row


@helper
def lay_out(index, nodes, extra, port_extra, solve_rows):
    """Give every node its place in the buffer, `extra` rows from TOTAL, `port_extra` more from PORT; rows in all."""
    row = 0
    for c in range(nodes.shape[0]):
        if nodes[c, KIND] == LEAF:
            nodes[c, PLACE], nodes[c, PORT], nodes[c, SOLVE], nodes[c, TOTAL] = -1, -1, -1, -1
        else:
            row = lay_out_node(index, nodes, c, row, extra, port_extra, solve_rows)
    return row


@inlined
def eliminate(p, I, s, armature, least):  # noqa: E741
    """Take the axis s out of the inertia I, writing its u and r; whether it has more than the least inertia.

    Where it has not, r is 0, and so is the acceleration that stands beside it: both stay so in an open linkage.
    """
    take_axis(p, s.u, I, s)
    d = along(p, s, s.u) + armature
    if not d > least:
        store(p.flat, s.r, 0.0)
        store(p.flat, s.rest, 0.0)
        return False
    r = 1.0 / d
    store(p.flat, s.r, r)
    add_outer(p, I, -r, s.u, s.u)
    return True


@inlined
def trace_of(p, I, k):  # noqa: E741
    """The trace of the block of I from entry k on: of the masses, 0, or of the moments, 3."""
    return load(p.flat, entry(I, k, k)) + load(p.flat, entry(I, k + 1, k + 1)) + load(p.flat, entry(I, k + 2, k + 2))


@inlined
def least_along(s, mass, moments):
    """The least that counts as inertia along an axis s."""
    a, b = s.alpha * s.alpha, s.beta * s.beta
    return _NOTHING * (a * (mass if s.i < 3 else moments) + b * (mass if s.j < 3 else moments))


@inlined
def copy_inertia(p, to, b):
    """I of part b."""
    if p.nodes[b, KIND] == LEAF:
        put_inertia(p, to, load_inertia(p.model, p.nodes[b, STAGE]))
    else:
        copy_rows(p, to, part(p, b).I, MATRIX)


@inlined
def hang(p, c):
    """B hung by the joint of node c, into the scratch: I, and Tᵀ and Φ where c has a bottom.

    Returns whether the joint has inertia along every axis. Axes that have none are left as they are.
    """
    C, B, w = part(p, c), part(p, p.nodes[c, RIGHT]), scratch(p)
    kind, d, nv = joint(p.index, C.stage)
    copy_inertia(p, w.K, C.right)
    if C.has_bottom:
        if B.has_bottom:
            copy_rows(p, w.T, B.T, 2 * MATRIX)
        else:
            set_identity(p, w.T)
            clear_rows(p, w.Phi, MATRIX)
    mass, moments, whole = trace_of(p, w.K, 0), trace_of(p, w.K, 3), True
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        if not eliminate(p, w.K, s, p.model[armature_at(p.index, d + k)], least_along(s, mass, moments)):
            whole = False
        if C.has_bottom:
            r = load(p.flat, s.r)
            take_axis(p, s.t, w.T, s)
            add_outer(p, w.T, -r, s.u, s.t)
            add_outer(p, w.Phi, r, s.t, s.t)
    if kind == FREE and whole:  # nothing passes a free joint, to the last digit
        clear_rows(p, w.K, MATRIX)
        if C.has_bottom:
            clear_rows(p, w.T, MATRIX)
    return whole


@inlined
def join(p, c):
    """A over the part hung in the scratch, which is seen from A's bottom body already ([Redon2005] eq. 2).

    K and T'ᵀ stay in the scratch; how f = F₁ a₁ − F₂ f₂ and x' = G₁ a₁ + G₂ f₂ depend on (a₁, f₂) comes beside them.
    """
    C, w = part(p, c), scratch(p)
    A = part(p, C.left)
    mul_mm(p, w.M, A.Phi, w.K)
    add_identity(p, w.M)
    invert(Memory(p.rec, p.flat), C.V, w.M)
    transpose_block(p, w.M, A.T)  # T_A itself; the record holds its transpose
    mul_mm(p, w.G1, C.V, w.M)
    mul_mm(p, w.F1, w.K, w.G1)
    add_mm(p, C.I, A.I, A.T, w.F1)  # (2), for Φ₁
    symmetrise(p, C.I)
    if C.has_bottom:
        mul_tm(p, w.F2, C.V, w.T)
        mul_tm(p, w.M, w.F2, A.Phi)  # T' V Φ_A
        transpose_block(p, w.G2, w.M)
        add_mm(p, C.Phi, w.Phi, w.M, w.T)  # (2), for Φ₂
        symmetrise(p, C.Phi)
        mul_mm(p, C.T, A.T, w.F2)  # (2), for Φ₂₁
        flush(p, C.T)


@separately_unrolled
def assemble(p, c):
    """Main pass at node c: I, T, Φ of [1] from those of its children; whether its joint has inertia."""
    C, w = part(p, c), scratch(p)
    if C.kind == SUM:
        copy_inertia(p, C.I, C.left)
        copy_inertia(p, w.K, C.right)
        add_rows(p, C.I, C.I, w.K, MATRIX)
        return True
    whole = hang(p, c)
    X = load_xform(p.work, C.stage)
    inertia_rows_to_parent(p, X, w.K)
    if C.has_bottom:
        rows_to_parent(p, X, w.T)
    if C.solves:
        join(p, c)
        return whole
    if C.kind == HANG:
        copy_rows(p, C.I, w.K, MATRIX)
    else:
        copy_inertia(p, C.I, C.left)
        add_rows(p, C.I, C.I, w.K, MATRIX)
    symmetrise(p, C.I)
    if C.has_bottom:
        copy_rows(p, C.T, w.T, 2 * MATRIX)
    return whole
