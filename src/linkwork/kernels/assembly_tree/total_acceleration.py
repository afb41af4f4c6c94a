"""The total acceleration of a part of a linkage: Σ q̈² over its joints, without computing them.

For a node with surroundings (a₁, f₂) = ξ, see `views`, it is a quadratic ([Redon2005] eq. 8, in these
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

| symbol | meaning | [Redon2005] |
|---|---|---|
| A | total acceleration Σ q̈² | A (definition 3) |
| Ψ₁, Ψ₁₂, Ψ₂ | its quadratic part in (a₁, f₂) | Ψ of (8), (9), in other variables |
| g₁, g₂ | its gradient at the reference | p of (8), (9), centred |
| η | its value at the reference | η of (8), (9), centred |
| ξᵣ | the reference (a₁, f₂) | 0 |

References: [Redon2005] sections 4.1 and 4.2.
"""

from linkwork.kernels.algebra.block6 import (
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
    copy_where,
    dot6,
    flush,
    get,
    inertia_rows_to_parent,
    mul_mm,
    mul_tm,
    put,
    rows_to_parent,
    sub_rows,
    symmetrise,
    transpose_block,
)
from linkwork.kernels.assembly_tree.views import (
    along,
    axis,
    joint,
    part,
    scratch,
    take_axis,
    total,
    total_scratch,
)
from linkwork.kernels.layout.nodes import HANG, MATRIX, SUM, VECTOR
from linkwork.kernels.numba_ext import fabs, helper, inlined, load
from linkwork.kernels.records import load_xform

# numbers of a node: η, and the noise of all its joints, of any one, and of all if forces had no lower digits
ETA, ALL_JOINTS, ANY_JOINT, OF_FLOATS = range(4)
NOWHERE = -1  # in place of an address: not wanted
ROUNDING_A = 1e-14  # of A relative to the terms it is made of


@inlined
def hang_quadratic(p, c):
    """Ψ of B hung by the joint of node c, into the scratch: Ψ₁, and Ψ₁₂ and Ψ₂ where c has a bottom."""
    C, Q = part(p, c), total_scratch(p)
    B = total(p, C.right)
    kind, _, nv = joint(p.index, C.stage)
    copy_where(p, B.known, Q.Psi_1, B.Psi_1, MATRIX)
    if C.has_bottom:
        copy_where(p, B.has_bottom, Q.Psi_12, B.Psi_12, 2 * MATRIX)
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        r = load(p.flat, s.r)
        take_axis(p, Q.z1, Q.Psi_1, s)
        square = along(p, s, Q.z1) + 1.0
        add_scaled(p, Q.z1, -0.5 * square * r, s.u)
        add_outers(p, Q.Psi_1, -r, s.u, Q.z1)
        if C.has_bottom:
            take_axis(p, Q.z2, Q.Psi_12, s)
            add_scaled(p, Q.z2, 0.5 * square * r, s.t)
            add_outer(p, Q.Psi_12, -r, s.u, Q.z2)
            add_outer(p, Q.Psi_12, r, Q.z1, s.t)
            add_outers(p, Q.Psi_2, r, s.t, Q.z2)


@inlined
def join_quadratic(p, c):
    """Ψ of A over the hung part, with F and G as `join` left them ([Redon2005] eq. 9); keeps K, T'ᵀ for gradients."""
    C, w, Q = total(p, c), scratch(p), total_scratch(p)
    A = total(p, part(p, c).left)
    copy_rows(p, C.K, w.K, MATRIX)
    # (9): Ψ₁ = Ψ₁A + F₁ᵀ(Ψ₂A F₁ − 2 Ψ₁₂Aᵀ) + G₁ᵀ Ψ₁B G₁, symmetric parts
    transpose_block(p, Q.N, A.Psi_12)
    mul_mm(p, Q.M, A.Psi_2, w.F1)
    sub_rows(p, Q.M, Q.M, Q.N, MATRIX)  # Ψ₂A F₁ − Ψ₁₂Aᵀ, wanted again below
    sub_rows(p, Q.N, Q.M, Q.N, MATRIX)
    add_tm(p, C.Psi_1, A.Psi_1, w.F1, Q.N)
    mul_mm(p, Q.N, Q.Psi_1, w.G1)
    add_tm(p, C.Psi_1, C.Psi_1, w.G1, Q.N)
    symmetrise(p, C.Psi_1)
    if not C.has_bottom:
        return
    copy_rows(p, C.T, w.T, MATRIX)
    # (9): Ψ₁₂ = G₁ᵀ(Ψ₁B G₂ + Ψ₁₂B) − (Ψ₂A F₁ − Ψ₁₂Aᵀ)ᵀ F₂
    mul_tm(p, w.K, Q.M, w.F2)  # in place of K, which has been copied
    add_mm(p, Q.N, Q.Psi_12, Q.Psi_1, w.G2)
    mul_tm(p, C.Psi_12, w.G1, Q.N)
    sub_rows(p, C.Psi_12, C.Psi_12, w.K, MATRIX)
    flush(p, C.Psi_12)
    # (9): Ψ₂ = Ψ₂B + F₂ᵀ Ψ₂A F₂ + G₂ᵀ(Ψ₁B G₂ + 2 Ψ₁₂B), symmetric parts
    add_rows(p, Q.N, Q.N, Q.Psi_12, MATRIX)
    add_tm(p, C.Psi_2, Q.Psi_2, w.G2, Q.N)
    mul_mm(p, Q.N, A.Psi_2, w.F2)
    add_tm(p, C.Psi_2, C.Psi_2, w.F2, Q.N)
    symmetrise(p, C.Psi_2)


@inlined
def add_total(p, to, a, from_):
    """to = Ψ₁ of part a + the matrix at `from_`."""
    A = total(p, a)
    if A.known:
        add_rows(p, to, A.Psi_1, from_, MATRIX)
    else:
        copy_rows(p, to, from_, MATRIX)


@helper
def refresh_quadratic(p, c):
    """Ψ of node c, where `assemble` has just been."""
    C, mine, Q = part(p, c), total(p, c), total_scratch(p)
    if C.kind == SUM:
        clear_rows(p, Q.Psi_1, MATRIX)
        add_total(p, Q.Psi_1, C.left, Q.Psi_1)
        add_total(p, mine.Psi_1, C.right, Q.Psi_1)
        return
    hang_quadratic(p, c)
    X = load_xform(p.work, C.stage)
    inertia_rows_to_parent(p, X, Q.Psi_1)
    if C.has_bottom:
        rows_to_parent(p, X, Q.Psi_12)
    if C.solves:
        join_quadratic(p, c)
        return
    if C.kind == HANG:
        copy_rows(p, mine.Psi_1, Q.Psi_1, MATRIX)
    else:
        add_total(p, mine.Psi_1, C.left, Q.Psi_1)
    symmetrise(p, mine.Psi_1)
    if C.has_bottom:
        copy_rows(p, mine.Psi_12, Q.Psi_12, 2 * MATRIX)


@inlined
def total_at(p, b, d1, d2, gradient):
    """A of part b at ξᵣ + (d1, d2) by [2], and the rounding in it; its gradient to two vectors, unless `NOWHERE`."""
    B, Q = total(p, b), total_scratch(p)
    if not B.known:
        if gradient >= 0:
            clear_rows(p, gradient, 2 * VECTOR)
        return 0.0, 0.0
    eta = get(p, B.numbers, ETA)
    clear_rows(p, Q.Psi_d1, 2 * VECTOR)
    add_tmv(p, Q.Psi_d1, B.Psi_1, d1, 1.0)
    if B.has_bottom:
        add_mv(p, Q.Psi_d1, B.Psi_12, d2, 1.0)
        add_tmv(p, Q.Psi_d2, B.Psi_12, d1, 1.0)
        add_tmv(p, Q.Psi_d2, B.Psi_2, d2, 1.0)
    square, line = dot6(p, Q.Psi_d1, d1), dot6(p, B.g1, d1)
    if B.has_bottom:
        square += dot6(p, Q.Psi_d2, d2)
        line += dot6(p, B.g2, d2)
    if gradient >= 0:
        copy_rows(p, gradient, B.g1)
        add_scaled(p, gradient, 2.0, Q.Psi_d1)
        copy_where(p, B.has_bottom, gradient + VECTOR, B.g2)
        if B.has_bottom:
            add_scaled(p, gradient + VECTOR, 2.0, Q.Psi_d2)
    # (8); at the reference itself nothing is added up, and nothing is lost
    return square + line + eta, ROUNDING_A * (fabs(square) + fabs(line))


@inlined
def noise_of(p, b, which):
    """The noise of part b: ALL_JOINTS, ANY_JOINT or OF_FLOATS."""
    B = total(p, b)
    return get(p, B.numbers, which) if B.known else 0.0


@inlined
def put_numbers(p, c, eta, rounding, own, of_floats):
    """η and the noise of node c: its children's, its own joint's, and the rounding in their A."""
    C, numbers = part(p, c), total(p, c).numbers
    all_joints, any_joint = own + noise_of(p, C.right, ALL_JOINTS), max(own, noise_of(p, C.right, ANY_JOINT))
    of_floats += noise_of(p, C.right, OF_FLOATS)
    if C.left >= 0:
        all_joints += noise_of(p, C.left, ALL_JOINTS)
        any_joint = max(any_joint, noise_of(p, C.left, ANY_JOINT))
        of_floats += noise_of(p, C.left, OF_FLOATS)
    put(p, numbers, ETA, max(eta, 0.0))
    put(p, numbers, ALL_JOINTS, all_joints + rounding)
    put(p, numbers, ANY_JOINT, any_joint + rounding)
    put(p, numbers, OF_FLOATS, of_floats)
