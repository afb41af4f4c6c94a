"""Spherical: q = quaternion xyzw, v = angular velocity in the child's frame. S = (0, 1).

References: [Nakamura2000] eq. 39, in the link's frame, for the step q' = q exp(dv).
"""

from linkwork.kernels.algebra.double_double import quaternion_double
from linkwork.kernels.algebra.rotations import (
    exp_quaternion,
    log_quaternion,
    quaternion_product,
    store_quaternion,
    write_quaternion,
)
from linkwork.kernels.algebra.spatial import Motion, Wrench, Xform
from linkwork.kernels.algebra.storage import as_vec, load_vec, store_motion, store_vec
from linkwork.kernels.algebra.vec3 import Sym3, Vec3, add, cross, mat_mul, quaternion_matrix, scale
from linkwork.kernels.numba_ext import exact, helper, in_place, like, load

# A stage of a tree


@in_place
def transform(R, p, q, k):
    """Where the stage stands in its parent."""
    Q = quaternion_matrix(load(q, k), load(q, k + 1), load(q, k + 2), load(q, k + 3))
    return Xform(mat_mul(R, Q), as_vec(q, p))


@in_place
def velocity(v, k, m):
    """m + S v."""
    return Motion(m.v, add(m.w, load_vec(v, k)))


@in_place
def axes(X, out, k):
    """Write S of a stage whose pose is X, one axis after the other."""
    R, p = X.R, X.p
    x, y, z = Vec3(R.xx, R.yx, R.zx), Vec3(R.xy, R.yy, R.zy), Vec3(R.xz, R.yz, R.zz)
    store_motion(out, k, Motion(cross(p, x), x))
    store_motion(out, k + 6, Motion(cross(p, y), y))
    store_motion(out, k + 12, Motion(cross(p, z), z))


@in_place
def integrate(q, k, dv, d, out):
    """out = q ⊕ dv."""
    x, s = exp_quaternion(load_vec(dv, d))
    u, r = quaternion_product(load_vec(q, k), load(q, k + 3), x, s)
    store_quaternion(out, k, u, r)


@in_place
def difference(q0, q1, k, out, d):
    """out = q1 ⊖ q0."""
    u, r = quaternion_product(scale(-1.0, load_vec(q0, k)), load(q0, k + 3), load_vec(q1, k), load(q1, k + 3))
    store_vec(out, d, log_quaternion(u, r))


# Articulated inertia


@in_place
def columns(A):
    """U = IA S of the axes x and y."""
    H, J = A.H, A.J
    return (
        Wrench(Vec3(H.xx, H.xy, H.xz), Vec3(J.xx, J.xy, J.xz)),
        Wrench(Vec3(H.yx, H.yy, H.yz), Vec3(J.xy, J.yy, J.yz)),
    )


@in_place
def along(w):
    """Sᵀ w."""
    return w.n


@in_place
def joint_inertia(A, x, y, z):
    """D = Sᵀ IA S + armature (x, y, z)."""
    J = A.J
    return Sym3(J.xx + x, J.xy, J.xz, J.yy + y, J.yz, J.zz + z)


# Rows of virtual work


@in_place
def rows(a, k, held):
    """The joint's numbers at the rows that are free, `held` in the others."""
    return Motion(Vec3(held, held, held), load_vec(a, k))


@in_place
def store_rows(a, k, m):
    """Write the rows that are free."""
    store_vec(a, k, m.w)


# A loop joint


@helper
def coordinates(R, out, k):
    """Write the coordinates that bring the virtual link nearest to a pose; where it then stands."""
    write_quaternion(R, out, k)
    zero = like(R.xx, 0.0)
    return Xform(R, Vec3(zero, zero, zero))


@helper
def moves_along(c):
    """Whether it moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    return c >= 3


# Double-double


@exact
def precise_motion(q, k):
    """Rotation and translation by the joint itself, in double-double."""
    zero = (0.0, 0.0)
    return quaternion_double(q, k), (zero, zero, zero)
