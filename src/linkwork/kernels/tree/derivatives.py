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

A force element's share is added where it acts: springs between points by their stiffness in the world, the others on
the diagonal.
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
    as_vec,
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
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, add, cross, dot, mat_add, mat_sub, mul, scale, skew_mul, sub, tmul
from linkwork.kernels.joints import axes_of, joint_xform, write_axes
from linkwork.kernels.layout import N_NONZEROS, N_STAGES, N_V, OK
from linkwork.kernels.layout.derivatives import D_A, D_C, D_F, D_G, D_I, D_P, D_POSE, D_ROW, D_V
from linkwork.kernels.numba_ext import helper, load, scalar, store, where
from linkwork.kernels.records import (
    applied_at,
    armature_at,
    body_of,
    check_sizes,
    damping_at,
    dof_parent_at,
    finite,
    load_inertia,
    row_start_at,
    stage_at,
    work_end,
)
from linkwork.kernels.tree.forces import (
    applied_forces,
    counts,
    end_of,
    friction_slope,
    has_forces,
    joint_spring,
    spring_law,
    tension,
)
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity


@helper
def record_at(index, i):
    """Where the record of stage i is, behind the work space that all algorithms share."""
    return work_end(index) + D_ROW * i


@helper
def rates_at(index, d):
    """Where the axis of degree of freedom d is; ψ̇, ψ̈ and w follow, each for all degrees of freedom."""
    return record_at(index, index[N_STAGES]) + 6 * d


@helper
def outer(a, b):
    """a bᵀ."""
    return Mat3(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z)


@helper
def skew(a):
    """a×."""
    z = 0.0 * a.x
    return Mat3(z, z - a.z, a.y, a.z, z, z - a.x, z - a.y, a.x, z)


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
def add_world_force(work, row, r, f, n):
    """A force f at r and a moment n, which keep their direction in the world, change with the body's orientation."""
    F = skew(f)
    k = row + D_C
    store_mat(work, k, mat_sub(load_mat(work, k), F))
    store_mat(work, k + 9, mat_sub(load_mat(work, k + 9), mat_add(skew_mul(r, F), skew(n))))


@helper
def place_forces(index, work, table, q, f_ext):
    """C of every stage by itself."""
    z = scalar(q, 0.0)
    o = Vec3(z, z, z)
    for i in range(index[N_STAGES]):
        row, body = record_at(index, i), body_of(index, i)
        for k in range(D_C, D_V):
            store(work, row + k, z)
        if f_ext.shape[0] > 0 and body >= 0:
            add_world_force(work, row, load_vec(work, row + D_POSE + 9), load_vec(f_ext, 6 * body),
                            load_vec(f_ext, 6 * body + 3))  # fmt: skip
    for k in range(counts(table)[0]):
        e, _length, T, _rate = tension(work, table, k, q)
        for end in range(2):
            stage, point = end_of(table, k, end)
            if stage >= 0:
                at = record_at(index, stage)
                f = scale(T if end == 0 else 0.0 - T, e)
                add_world_force(work, at, placed(work, at, as_vec(q, point)), f, o)


@helper
def placed(work, row, point):
    """Where a point of a stage is, in the frame of the derivatives."""
    X = load_pose(work, row + D_POSE)
    return add(X.p, mul(X.R, point))


@helper
def turn_product(p, G, trace, x):
    """B x, x being the angular part of a motion."""
    return Wrench(scale(2.0, cross(x, p)), scale(2.0, sub(scale(trace, x), mul(G, x))))


@helper
def above_diagonal(index, k, d):
    """Where the mirror image of packed entry k, off the diagonal and in the row of d, is."""
    return index[N_NONZEROS] + k - d - 1


@helper
def diagonal(index, packed, d):
    """Where the entry of d with itself is."""
    return index[row_start_at(index, d)] if packed else d * (index[N_V] + 1)


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
def last_dof(index, i):
    """The last degree of freedom of stage i, or of the nearest one above it that has any; −1 for none."""
    while i >= 0:
        parent, kind, _, d = stage_at(index, i)
        if axes_of(kind) > 0:
            return d + axes_of(kind) - 1
        i = parent
    return -1


@helper
def point_rates(index, work, e, r, rate):
    """How a point at r that moves with `rate` moves with coordinate e: its displacement and change of velocity."""
    at = rates_at(index, e)
    s, pd = load_motion(work, at), load_motion(work, at + 6 * index[N_V])
    return add(s.v, cross(s.w, r)), add(cross(s.w, rate), add(pd.v, cross(pd.w, r)))


@helper
def moving_end(index, work, table, number, end, q):
    """Of one end of a spring: its last degree of freedom, place and velocity in the frame of the derivatives."""
    stage, point = end_of(table, number, end)
    z = scalar(q, 0.0)
    if stage < 0:
        return -1, Vec3(z, z, z), Vec3(z, z, z)
    at = record_at(index, stage)
    r = placed(work, at, as_vec(q, point))
    V = load_motion(work, at + D_V)
    return last_dof(index, stage), r, add(V.v, cross(V.w, r))


@helper
def add_spring(index, work, table, number, q, Q, D):
    """Q += Jᵀ ((k e eᵀ + T P/l + c e (P ḋ)ᵀ/l) J + c e eᵀ ∂ḋ/∂q) and D += c Jᵀ e eᵀ J.

    P = 1 − e eᵀ, J = J_b − J_a, d from a to b.
    """
    nv, above = index[N_V], dof_parent_at(index, 0)
    e, length, T, rate = tension(work, table, number, q)
    k, c, _ = spring_law(table, number)
    shorter = 1.0 / where(length > 0.0, length, 1.0)
    turning = scale(c * shorter, sub(rate, scale(dot(e, rate), e)))
    for left in range(2):
        start, r, rate_l = moving_end(index, work, table, number, left, q)
        for right in range(2):
            sign = 1.0 if left == right else -1.0
            first, r_e, rate_e = moving_end(index, work, table, number, right, q)
            i = start
            while i >= 0:
                J_i, _ = point_rates(index, work, i, r, rate_l)
                along = dot(J_i, e)
                j = first
                while j >= 0:
                    J_j, change = point_rates(index, work, j, r_e, rate_e)
                    n = dot(e, J_j)
                    x = along * (k * n + dot(turning, J_j) + c * dot(e, change))
                    x += T * shorter * (dot(J_i, J_j) - along * n)
                    store(Q, i * nv + j, load(Q, i * nv + j) + sign * x)
                    store(D, i * nv + j, load(D, i * nv + j) + sign * c * along * n)
                    j = index[above + j]
                i = index[above + i]


@helper
def add_elements(index, work, table, packed, q, v, Q, D):
    """What force elements themselves change with q and v; packed matrices have no place for springs between points."""
    n_springs, n_joint_springs, n_frictions = counts(table)
    for k in range(n_springs):
        add_spring(index, work, table, k, q, Q, D)
    for k in range(n_joint_springs):
        spring = joint_spring(table, k)
        at = diagonal(index, packed, spring.dof)
        store(Q, at, load(Q, at) + spring.stiffness)
    for k in range(n_frictions):
        d, slope = friction_slope(table, k, v)
        at = diagonal(index, packed, d)
        store(D, at, load(D, at) + slope)


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
