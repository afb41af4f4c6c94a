"""Derivatives of force elements and of forces from outside, for those of inverse dynamics: symbols as in `derivatives`.

A force element's share is added where it acts: springs between points by their stiffness in the world, the others on
the diagonal.
"""

from linkwork.kernels.algebra.storage import as_vec, load_mat, load_motion, load_pose, load_vec, store_mat
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, add, cross, dot, mat_add, mat_sub, mul, scale, skew_mul, sub
from linkwork.kernels.joints import axes_of
from linkwork.kernels.layout import N_STAGES, N_V
from linkwork.kernels.layout.derivatives import D_C, D_POSE, D_ROW, D_V
from linkwork.kernels.numba_ext import helper, load, scalar, store, where
from linkwork.kernels.records import body_of, dof_parent_at, row_start_at, stage_at, work_end
from linkwork.kernels.tree.forces import counts, end_of, friction_slope, joint_spring, spring_law, tension


@helper
def record_at(index, i):
    """Where the record of stage i is, behind the work space that all algorithms share."""
    return work_end(index) + D_ROW * i


@helper
def rates_at(index, d):
    """Where the axis of degree of freedom d is; ψ̇, ψ̈ and w follow, each for all degrees of freedom."""
    return record_at(index, index[N_STAGES]) + 6 * d


@helper
def skew(a):
    """a×."""
    z = 0.0 * a.x
    return Mat3(z, z - a.z, a.y, a.z, z, z - a.x, z - a.y, a.x, z)


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
def diagonal(index, packed, d):
    """Where the entry of d with itself is."""
    return index[row_start_at(index, d)] if packed else d * (index[N_V] + 1)


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
