"""Free: q = (position, quaternion xyzw), v = (linear, angular) in the child's frame. S = 1.

References: [Sola2018] for the step q ⊕ dv, the whole rigid motion exp(dv) as a screw.
"""

from linkwork.kernels.algebra.double_double import quaternion_double
from linkwork.kernels.algebra.rotations import (
    exp_quaternion,
    log_quaternion,
    quaternion_product,
    screw,
    store_quaternion,
    write_quaternion,
)
from linkwork.kernels.algebra.spatial import Motion, Xform
from linkwork.kernels.algebra.storage import load_vec, store_motion, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, mat_mul, mul, quaternion_matrix, scale, sub, tmul
from linkwork.kernels.joints import spherical
from linkwork.kernels.numba_ext import exact, helper, in_place, load

# A stage of a tree


@in_place
def transform(R, p, q, k):
    """Where the stage stands in its parent."""
    Q = quaternion_matrix(load(q, k + 3), load(q, k + 4), load(q, k + 5), load(q, k + 6))
    return Xform(mat_mul(R, Q), add(p, mul(R, load_vec(q, k))))


@in_place
def velocity(v, k, m):
    """m + S v."""
    return Motion(add(m.v, load_vec(v, k)), add(m.w, load_vec(v, k + 3)))


@in_place
def force(w, tau, k):
    """Write Sᵀ w."""
    store_vec(tau, k, w.f)
    store_vec(tau, k + 3, w.n)


@in_place
def axes(X, out, k):
    """Write S of a stage whose pose is X, one axis after the other."""
    R, p = X.R, X.p
    o = Vec3(0.0 * p.x, 0.0 * p.x, 0.0 * p.x)
    store_motion(out, k, Motion(Vec3(R.xx, R.yx, R.zx), o))
    store_motion(out, k + 6, Motion(Vec3(R.xy, R.yy, R.zy), o))
    store_motion(out, k + 12, Motion(Vec3(R.xz, R.yz, R.zz), o))
    spherical.axes(X, out, k + 18)


@in_place
def integrate(q, k, dv, d, out):
    """out = q ⊕ dv."""
    u, r, w = load_vec(q, k + 3), load(q, k + 6), load_vec(dv, d + 3)
    step = mul(quaternion_matrix(u.x, u.y, u.z, r), screw(w, load_vec(dv, d), False))
    store_vec(out, k, add(load_vec(q, k), step))
    x, s = exp_quaternion(w)
    u, r = quaternion_product(u, r, x, s)
    store_quaternion(out, k + 3, u, r)


@in_place
def difference(q0, q1, k, out, d):
    """out = q1 ⊖ q0."""
    u0, r0 = load_vec(q0, k + 3), load(q0, k + 6)
    u, r = quaternion_product(scale(-1.0, u0), r0, load_vec(q1, k + 3), load(q1, k + 6))
    w = log_quaternion(u, r)
    step = tmul(quaternion_matrix(u0.x, u0.y, u0.z, r0), sub(load_vec(q1, k), load_vec(q0, k)))
    store_vec(out, d, screw(w, step, True))
    store_vec(out, d + 3, w)


# Rows of virtual work


@in_place
def rows(a, k):
    """The joint's numbers: every row is free."""
    return Motion(load_vec(a, k), load_vec(a, k + 3))


@in_place
def store_rows(a, k, m):
    """Write all rows."""
    store_motion(a, k, m)


# A loop joint


@helper
def coordinates(X, out, k):
    """Write the coordinates of a pose, to which the virtual link goes."""
    store_vec(out, k, X.p)
    write_quaternion(X.R, out, k + 3)
    return X


# Double-double


@exact
def precise_motion(q, k):
    """Rotation and translation by the joint itself, in double-double."""
    return quaternion_double(q, k + 3), ((load(q, k), 0.0), (load(q, k + 1), 0.0), (load(q, k + 2), 0.0))
