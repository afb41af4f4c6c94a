"""Derivatives of inverse dynamics of a tree: matrices, in O(nb · depth).

Everything is in world axes and about the origin of the root body, as in `crba`. Every joint has a motion subspace that
is constant in its stage's frame, and is a subgroup: one rule, δpose = pose · (S δ)^, serves all of them.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
s       axis of a degree of freedom
V, A    velocity and acceleration of a stage; the ground accelerates with −g
pd, pdd ψ̇ = V_p × s and ψ̈ = A_p × s + V_p × ψ̇, with the motion of the parent: how V and A change with q
w       ψ̇ + V × s: how A changes with v
I, f    inertia of a subtree, and the wrench I A + V ×* I V − f_applied of all its bodies
p, G    its momentum Σ m ṙ, and Σ m ṙ rᵀ, of which B x = 2 (x_ω × p, tr(G) x_ω − G x_ω): how f changes with V
C       how forces that keep their direction in the world change with the orientation: C x_ω
H, Q, D mass matrix with armature, packed as in `crba`; ∂τ/∂q and ∂τ/∂v, row by row
======= ================================================================================================================

Q and D may also be packed: the entries of every degree of freedom with itself and those above it, as those of H are,
then their mirror images without the diagonal. All others are zero, unless a spring joins two branches.

What force elements themselves change with q and v is added by `element_derivatives`.
"""

from linkwork.kernels.algebra.spatial import (
    Inertia,
    Motion,
    Wrench,
    Xform,
    compose,
    cross_motion,
    cross_wrench,
    gyroscopic,
    inertia_mul,
    inertia_to_parent,
    motion_add,
    power,
    wrench_add,
    wrench_sub,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import (
    load_mat,
    load_motion,
    load_pose,
    load_sym,
    load_vec,
    load_wrench,
    store_mat,
    store_motion,
    store_pose,
    store_sym,
    store_vec,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, add, cross, dot, mat_add, mul, scale, skew_mul, sub, tmul
from linkwork.kernels.joints import axes_of, joint_xform, write_axes
from linkwork.kernels.layout import N_NONZEROS, N_STAGES, N_V, OK
from linkwork.kernels.layout.derivatives import D_A, D_C, D_F, D_G, D_I, D_P, D_POSE, D_V
from linkwork.kernels.numba_ext import helper, load, scalar, store
from linkwork.kernels.records import (
    applied_at,
    armature_at,
    check_sizes,
    damping_at,
    dof_parent_at,
    finite,
    load_inertia,
    row_start_at,
    stage_at,
)
from linkwork.kernels.tree.element_derivatives import add_elements, diagonal, place_forces, rates_at, record_at
from linkwork.kernels.tree.forces import applied_forces, has_forces
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity


@helper
def outer(a, b):
    """a bᵀ."""
    return Mat3(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z)


@helper
def axpy(x, s, m):
    """m + x s, of motions."""
    return Motion(add(m.v, scale(x, s.v)), add(m.w, scale(x, s.w)))


@helper
def place(model, index, work, loaded, q, v, a):
    """Pass 1, root to leaves: axes and their rates, and what each body itself has of I, p, G and f."""
    nv = index[N_V]
    z = scalar(q, 0.0)
    for i in range(index[N_STAGES]):
        parent, kind, k, d0 = stage_at(index, i)
        X, row = joint_xform(model, i, kind, q, k), record_at(index, i)
        if parent < 0:
            X = Xform(X.R, Vec3(z, z, z))
            Vp, Ap = ground_velocity(q), ground_acceleration(model, q, 1.0)
        else:
            above = record_at(index, parent)
            X = compose(load_pose(work, above + D_POSE), X)
            Vp, Ap = load_motion(work, above + D_V), load_motion(work, above + D_A)
        store_pose(work, row + D_POSE, X)
        write_axes(model, i, kind, X, work, rates_at(index, d0))
        Sv, A = ground_velocity(q), Ap
        for d in range(d0, d0 + axes_of(kind)):
            at = rates_at(index, d)
            s = load_motion(work, at)
            Sv, A = axpy(load(v, d), s, Sv), axpy(load(a, d), s, A)
            pd = cross_motion(Vp, s)
            store_motion(work, at + 6 * nv, pd)
            store_motion(work, at + 12 * nv, motion_add(cross_motion(Ap, s), cross_motion(Vp, pd)))
        V = motion_add(Vp, Sv)
        A = motion_add(A, cross_motion(V, Sv))
        for d in range(d0, d0 + axes_of(kind)):
            at = rates_at(index, d)
            w = motion_add(load_motion(work, at + 6 * nv), cross_motion(V, load_motion(work, at)))
            store_motion(work, at + 18 * nv, w)
        store_motion(work, row + D_V, V)
        store_motion(work, row + D_A, A)
        I = inertia_to_parent(X, load_inertia(model, i))  # noqa: E741
        store(work, row + D_I, I.m)
        store_vec(work, row + D_I + 1, I.h)
        store_sym(work, row + D_I + 4, I.I)
        store_vec(work, row + D_P, add(scale(I.m, V.v), cross(V.w, I.h)))
        J, t = I.I, 0.5 * (I.I.xx + I.I.yy + I.I.zz)
        E = Mat3(t - J.xx, z - J.xy, z - J.xz, z - J.xy, t - J.yy, z - J.yz, z - J.xz, z - J.yz, t - J.zz)
        store_mat(work, row + D_G, mat_add(outer(V.v, I.h), skew_mul(V.w, E)))
        f = wrench_add(inertia_mul(I, A), gyroscopic(I, V))
        if loaded:
            f = wrench_sub(f, wrench_to_parent(X, load_wrench(work, applied_at(index, i))))
        store_wrench(work, row + D_F, f)


@helper
def turn_product(p, G, trace, x):
    """B x, x being the angular part of a motion."""
    return Wrench(scale(2.0, cross(x, p)), scale(2.0, sub(scale(trace, x), mul(G, x))))


@helper
def above_diagonal(index, k, d):
    """Where the mirror image of packed entry k, off the diagonal and in the row of d, is."""
    return index[N_NONZEROS] + k - d - 1


@helper
def gather_rows(model, index, work, loaded, packed, q, H, Q, D):
    """Pass 2, leaves to root: the rows and columns of each degree of freedom with itself and those above it."""
    nv = index[N_V]
    z = scalar(q, 0.0)
    with_mass = H.shape[0] > 0
    if not packed:
        for k in range(nv * nv):
            store(Q, k, z)
            store(D, k, z)
    above, starts = dof_parent_at(index, 0), row_start_at(index, 0)
    last = D_V if loaded else D_C
    for i in range(index[N_STAGES] - 1, -1, -1):
        parent, kind, _, d0 = stage_at(index, i)
        row = record_at(index, i)
        I = Inertia(load(work, row + D_I), load_vec(work, row + D_I + 1), load_sym(work, row + D_I + 4))  # noqa: E741
        p, G, f = load_vec(work, row + D_P), load_mat(work, row + D_G), load_wrench(work, row + D_F)
        trace = G.xx + G.yy + G.zz
        if parent >= 0:
            up = record_at(index, parent)
            for k in range(D_I, last):
                store(work, up + k, load(work, up + k) + load(work, row + k))
        for d in range(d0, d0 + axes_of(kind)):
            at = rates_at(index, d)
            s, pd = load_motion(work, at), load_motion(work, at + 6 * nv)
            r1 = inertia_mul(I, s)
            r2 = scale(2.0, add(cross(p, s.v), sub(scale(trace, s.w), tmul(G, s.w))))  # (Bᵀ s)_ω
            Fq = wrench_add(inertia_mul(I, load_motion(work, at + 12 * nv)), turn_product(p, G, trace, pd.w))
            Fq = wrench_add(Fq, cross_wrench(s, f))
            Fv = wrench_add(inertia_mul(I, load_motion(work, at + 18 * nv)), turn_product(p, G, trace, s.w))
            rC = Vec3(z, z, z)
            if loaded:
                Cf, Cn = load_mat(work, row + D_C), load_mat(work, row + D_C + 9)
                rC = add(tmul(Cf, s.v), tmul(Cn, s.w))
                Fq = Wrench(add(Fq.f, mul(Cf, s.w)), add(Fq.n, mul(Cn, s.w)))
            e, low = d0 + axes_of(kind) - 1, index[starts + d]
            while e >= 0:
                b = rates_at(index, e)
                s_e = load_motion(work, b)
                x = power(load_motion(work, b + 12 * nv), r1) + dot(r2, load_vec(work, b + 6 * nv + 3))
                y = power(load_motion(work, b + 18 * nv), r1) + dot(r2, s_e.w)
                if loaded:
                    x += dot(rC, s_e.w)
                k = d * nv + e
                if packed:
                    k = low if e <= d else above_diagonal(index, index[starts + e] + e - d, e)
                store(Q, k, x)
                store(D, k, y)
                if with_mass and e <= d:
                    store(H, low, power(s_e, r1))
                if e < d0:
                    k = above_diagonal(index, low, d) if packed else e * nv + d
                    store(Q, k, power(s_e, Fq))
                    store(D, k, power(s_e, Fv))
                if e <= d:
                    low += 1
                e = index[above + e]
    for d in range(nv):
        k = diagonal(index, packed, d)
        store(D, k, load(D, k) + load(model, damping_at(index, d)))
        if with_mass:
            k = index[starts + d]
            store(H, k, load(H, k) + load(model, armature_at(index, d)))


@helper
def matrices(model, index, work, table, packed, q, v, a, f_ext, total, H, Q, D):
    """H (or nothing where it is empty), Q and D; `total` (nv) is scratch."""
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    if loaded:
        outcome = applied_forces(model, index, work, table, q, v, f_ext, a, total)
        if outcome != OK:
            return outcome
    place(model, index, work, loaded, q, v, a)
    if loaded:
        place_forces(index, work, table, q, f_ext)
    gather_rows(model, index, work, loaded, packed, q, H, Q, D)
    if has_forces(table):
        add_elements(index, work, table, packed, q, v, Q, D)
    return OK


@helper
def overflow(index, work, packed, Q, D):
    """Status of the matrices: of their diagonals, and of the wrench that each tree needs, which all else is part of."""
    total = scalar(Q, 0.0)
    for d in range(index[N_V]):
        k = diagonal(index, packed, d)
        total += load(Q, k) + load(D, k)
    for i in range(index[N_STAGES]):
        parent, _, _, _ = stage_at(index, i)
        if parent < 0:
            f = load_wrench(work, record_at(index, i) + D_F)
            total += f.f.x + f.f.y + f.f.z + f.n.x + f.n.y + f.n.z
    return finite(total)


@helper
def inverse_matrices(model, index, work, table, packed, q, v, a, f_ext, Q, D):
    """∂τ/∂q and ∂τ/∂v of inverse dynamics."""
    outcome = check_sizes(index, q, v, a, a)
    if outcome == OK:
        k, end, _, _ = scratch_at(index)
        total = work[k:end]
        outcome = matrices(model, index, work, table, packed, q, v, a, f_ext, total, total[:0], Q, D)
    return outcome if outcome != OK else overflow(index, work, packed, Q, D)


@helper
def inverse_derivatives(model, index, work, table, q, v, a, f_ext, Q, D):
    """∂τ/∂q and ∂τ/∂v of inverse dynamics, each nv × nv."""
    return inverse_matrices(model, index, work, table, False, q, v, a, f_ext, Q, D)


@helper
def packed_inverse_derivatives(model, index, work, table, q, v, a, f_ext, Q, D):
    """The same, packed."""
    return inverse_matrices(model, index, work, table, True, q, v, a, f_ext, Q, D)


@helper
def scratch_at(index):
    """Where in the work space, behind the records, these begin: torques (nv), a (nv), H and columns."""
    k, nv = rates_at(index, 4 * index[N_V]), index[N_V]
    return k, k + nv, k + 2 * nv, k + 2 * nv + index[N_NONZEROS]
