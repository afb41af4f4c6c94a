"""Every part of a linkage as if it were one rigid body, its *rigid twin*, and how far from that it moves.

A part whose joints are held moves with its top body. What its joints do instead, by their true accelerations, is told
by three quantities, in which rᵢ is the acceleration of body i less what it would have by moving with the top body:

    D = Σ Pᵢᵀ Iᵢ rᵢ       the rate of change of momentum of the relative motion, at the top body
    κ = a₂ − P a₁         the relative acceleration of the bottom body
    N = Σ rᵢᵀ Iᵢ rᵢ + Σ armature q̈²                                                                            [3]

Pᵢ takes a motion of the top body to body i, P to the bottom body. N of the whole linkage is q̈ᵀ M q̈: the squares of all
displacements, weighted by mass. It is the difference of two Gauss functions, of the twin and of the part itself, so
that it is a quadratic in the surroundings ξ = (a₁, f₂) made of what is known anyway:

    D = Dᵣ + (I − I_r) d₁ + (P − T)ᵀ d₂,   κ = κᵣ + (T − P) d₁ + Φ d₂,   (d₁, d₂) = ξ − ξᵣ
    N = Nᵣ − (Dᵣ + D) · d₁ + (κᵣ + κ) · d₂                                                                     [4]

I_r is the twin's inertia. Like all else they are kept as values at a reference: weight that torques hold is in none of
them. Joining A above to B below, with ρ = X κ_A + S q̈ the acceleration of B's top body beyond that of its twin,

    D = D_A + (X P_A)ᵀ (D_B + I_rB ρ),   κ = κ_B + P_B ρ,   N = N_A + N_B + ρ · (2 D_B + I_rB ρ) + armature q̈².
"""

from linkwork.kernels.algebra.block6 import (
    add_mv,
    add_tmv,
    clear_rows,
    get,
    get_motion,
    get_wrench,
    mul_tmv,
    place,
    put,
    put_motion,
    put_wrench,
)
from linkwork.kernels.algebra.spatial import (
    Inertia,
    Motion,
    Wrench,
    inertia_add,
    inertia_mul,
    inertia_to_parent,
    motion_add,
    motion_to_child,
    power,
    wrench_add,
    wrench_sub,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import load_sym, load_vec, store_sym, store_vec
from linkwork.kernels.algebra.vec3 import Sym3, Vec3, cross, dot, scale, sub, sym_inverse, sym_mul
from linkwork.kernels.assembly_tree.references import lost_in
from linkwork.kernels.assembly_tree.total_acceleration import (
    ALL_JOINTS,
    ANY_JOINT,
    ETA,
    OF_FLOATS,
    ROUNDING_A,
    noise_of,
)
from linkwork.kernels.assembly_tree.views import add_axis, axis, get_pose, joint, part, scratch, total_scratch, twin
from linkwork.kernels.layout.nodes import KIND, LEAF, STAGE, SUM
from linkwork.kernels.numba_ext import fabs, helper, inlined, load, store
from linkwork.kernels.records import armature_at, load_inertia, load_xform

_SLIGHT = 1e-12  # share of a part's moments of inertia below which an axis counts as having none
IN_N = ANY_JOINT  # the place of the rounding in N: no joint is measured by itself
_ROUNDING_N = 4e-16  # of each sum that N is made of


@inlined
def twin_inertia(p, b):
    """The inertia of part b as one rigid body."""
    if p.nodes[b, KIND] == LEAF:
        return load_inertia(p.model, p.nodes[b, STAGE])
    k = place(twin(p, b).I, 0)
    return Inertia(load(p.flat, k), load_vec(p.flat, k + 1), load_sym(p.flat, k + 4))


@helper
def refresh_twin(p, c):
    """The inertia of the rigid twin of node c from those of its children."""
    C = part(p, c)
    I = twin_inertia(p, C.right)  # noqa: E741
    if C.kind != SUM:
        I = inertia_to_parent(load_xform(p.work, C.stage), I)  # noqa: E741
        if C.solves:
            I = inertia_to_parent(get_pose(p, twin(p, C.left).inside), I)  # noqa: E741
    if C.left >= 0:
        I = inertia_add(I, twin_inertia(p, C.left))  # noqa: E741
    k = place(twin(p, c).I, 0)
    store(p.flat, k, I.m)
    store_vec(p.flat, k + 1, I.h)
    store_sym(p.flat, k + 4, I.I)


@inlined
def nothing():
    zero = Vec3(0.0, 0.0, 0.0)
    return Wrench(zero, zero), Motion(zero, zero)


@inlined
def twin_at(p, b, d1, d2):
    """D, κ and N of part b at ξᵣ + (d1, d2) by [4], and the rounding in N."""
    D, kappa = nothing()
    if b < 0 or p.nodes[b, KIND] == LEAF:
        return D, kappa, 0.0, 0.0
    B, R, Q = part(p, b), twin(p, b), total_scratch(p)
    x = get_motion(p, d1)
    mul_tmv(p, Q.z1, B.I, d1, 1.0)
    if B.has_bottom:
        add_mv(p, Q.z1, B.T, d2, -1.0)
    D_r = get_wrench(p, R.D)
    D = wrench_add(D_r, wrench_sub(get_wrench(p, Q.z1), inertia_mul(twin_inertia(p, b), x)))
    if B.has_bottom:
        P, f = get_pose(p, R.inside), get_wrench(p, d2)
        D = wrench_add(D, wrench_to_parent(P, f))
        kappa_r, still = get_motion(p, R.kappa), motion_to_child(P, x)
        put_motion(p, Q.z2, kappa_r)
        add_tmv(p, Q.z2, B.T, d1, 1.0)
        add_tmv(p, Q.z2, B.Phi, d2, 1.0)
        moved = get_motion(p, Q.z2)
        kappa = Motion(sub(moved.v, still.v), sub(moved.w, still.w))
        up, down = power(x, wrench_add(D_r, D)), power(motion_add(kappa_r, kappa), f)
    else:
        up, down = power(x, wrench_add(D_r, D)), 0.0
    N = get(p, R.numbers, ETA)
    return D, kappa, N - up + down, ROUNDING_A * (fabs(up) + fabs(down))


@helper
def look_at_twin(p, c):
    """Keep D, κ and N of node c in its present surroundings; A, the least error of holding all its joints, squared.

    Held together, the part would move by a₁ + I_r⁻¹ D under the forces on it: A = N − D · I_r⁻¹ D.
    """
    R = twin(p, c)
    D, kappa, N, rounding = twin_at(p, c, R.now1, R.now2)
    put_wrench(p, R.D_now, D)
    if R.has_bottom:
        put_motion(p, R.kappa_now, kappa)
    N = max(N, 0.0)
    store(p.flat, R.N_now, N)
    return max(N - squared(twin_inertia(p, c), D), 0.0) + rounding


@helper
def squared(I, D):  # noqa: E741
    """D · I⁻¹ D of a rigid body; a body that has no inertia about an axis takes up no moment about it."""
    if I.m <= 0.0:
        return 0.0
    c = scale(1.0 / I.m, I.h)
    n = sub(D.n, cross(c, D.f))
    hh = dot(I.h, c)
    J = Sym3(
        I.I.xx - hh + I.h.x * c.x, I.I.xy + I.h.x * c.y, I.I.xz + I.h.x * c.z,
        I.I.yy - hh + I.h.y * c.y, I.I.yz + I.h.y * c.z, I.I.zz - hh + I.h.z * c.z,
    )  # fmt: skip
    slight = _SLIGHT * (I.I.xx + I.I.yy + I.I.zz)
    if slight <= 0.0:
        return dot(D.f, D.f) / I.m
    J = Sym3(J.xx + slight, J.xy, J.xz, J.yy + slight, J.yz, J.zz + slight)
    return dot(D.f, D.f) / I.m + dot(n, sym_mul(sym_inverse(J)[0], n))


@inlined
def put_twin_numbers(p, c, N, rounding, own, of_floats):
    """N of node c, the rounding in it, and the noise: its children's, its own joint's."""
    C, numbers = part(p, c), twin(p, c).numbers
    put(p, numbers, ETA, max(N, 0.0))
    put(p, numbers, ALL_JOINTS, own + child_noise(p, C, ALL_JOINTS))
    put(p, numbers, IN_N, rounding + child_noise(p, C, IN_N))
    put(p, numbers, OF_FLOATS, of_floats + child_noise(p, C, OF_FLOATS))


@inlined
def child_noise(p, C, which):
    """The sum of one of the numbers of the children of C."""
    return noise_of(p, C.right, which) + (noise_of(p, C.left, which) if C.left >= 0 else 0.0)


@helper
def evaluate_twin(p, c, heavy):
    """D, κ, N of node c at its reference, where `evaluate_forces` has just been; the noise in terms of N, too."""
    C, mine, w, Q = part(p, c), twin(p, c), scratch(p), total_scratch(p)
    A, B = twin(p, C.left), twin(p, C.right)
    D_A, kappa_A, N_A, more = twin_at(p, C.left, A.off1, A.off2)
    D_B, kappa_B, N_B, rounding = twin_at(p, C.right, B.off1, B.off2)
    rounding += more
    noise, of_floats = 0.0, 0.0
    if C.kind == SUM:
        put_wrench(p, mine.D, wrench_add(D_A, D_B))
        put_twin_numbers(p, c, N_A + N_B, rounding, noise, of_floats)
        return
    X = load_xform(p.work, C.stage)
    kind, d, nv = joint(p.index, C.stage)
    clear_rows(p, Q.z1)
    N = N_A + N_B
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        x, r = get(p, w.e, k), load(p.flat, s.r)
        store(p.flat, s.rest, x)
        add_axis(p, s, Q.z1, x)
        N += p.model[armature_at(p.index, d + k)] * x * x
        if r > 0.0:  # an error of a joint's force, by η, is one of r η²
            lost, of_float = lost_in(p, s, x, heavy)
            noise += lost * lost / r
            of_floats += of_float * of_float / r
    rho = get_motion(p, Q.z1)
    if C.solves:
        rho = motion_add(rho, motion_to_child(X, kappa_A))
    f = inertia_mul(twin_inertia(p, C.right), rho)
    twice, own = 2.0 * power(rho, D_B), power(rho, f)
    N += twice + own
    rounding += _ROUNDING_N * (fabs(twice) + own + N_A + N_B)
    D = wrench_to_parent(X, wrench_add(D_B, f))
    if C.solves:
        D = wrench_to_parent(get_pose(p, A.inside), D)
    put_wrench(p, mine.D, wrench_add(D, D_A))
    if C.has_bottom:
        if B.has_bottom:
            rho = motion_add(motion_to_child(get_pose(p, B.inside), rho), kappa_B)
        put_motion(p, mine.kappa, rho)
    put_twin_numbers(p, c, N, rounding, noise, of_floats)
