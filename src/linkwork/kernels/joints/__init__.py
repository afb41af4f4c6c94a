"""The kernel's joints: where a stage stands, and what its joint adds to a motion.

Symbols: q, v the joint's own coordinates and velocities; S its motion subspace, constant in the stage's frame for
every kind; c = vᵢ × S v the acceleration it has without any of its own.
"""

from linkwork.kernels.algebra.spatial import Motion, Xform, cross_motion, motion_add
from linkwork.kernels.algebra.storage import load_mat, load_vec, store_vec
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3, add, mat_mul, mul, quaternion_matrix, turn_z
from linkwork.kernels.layout import (
    AXIAL,
    FIXED,
    FREE,
    M_POSITION,
    M_ROTATION,
    M_SLIDE,
    M_TURN,
    PLANAR,
    REVOLUTE,
    SPHERICAL,
)
from linkwork.kernels.numba_ext import helper, inlined, load, scalar, store
from linkwork.kernels.records import model_row


@inlined
def joint_xform(model, i, kind, q, k):
    """Where stage i stands in its parent when its joint's coordinates are those at q[k]."""
    row = model_row(i)
    R = load_mat(model, row + M_ROTATION)
    p = load_vec(model, row + M_POSITION)
    if kind == REVOLUTE:
        s, c = sincos(load(q, k))
        return Xform(as_mat(q, turn_z(R, s, c)), as_vec(q, p))
    if kind == AXIAL:
        s, c = sincos(load(model, row + M_TURN) * load(q, k))
        d = load(model, row + M_SLIDE) * load(q, k)
        return Xform(as_mat(q, turn_z(R, s, c)), Vec3(p.x + d * R.xz, p.y + d * R.yz, p.z + d * R.zz))
    if kind == PLANAR:
        s, c = sincos(load(q, k + 2))
        x, y = load(q, k), load(q, k + 1)
        step = Vec3(R.xx * x + R.xy * y, R.yx * x + R.yy * y, R.zx * x + R.zy * y)
        return Xform(as_mat(q, turn_z(R, s, c)), add(p, step))
    if kind == SPHERICAL:
        Q = quaternion_matrix(load(q, k), load(q, k + 1), load(q, k + 2), load(q, k + 3))
        return Xform(mat_mul(R, Q), as_vec(q, p))
    if kind == FREE:
        Q = quaternion_matrix(load(q, k + 3), load(q, k + 4), load(q, k + 5), load(q, k + 6))
        return Xform(mat_mul(R, Q), add(p, mul(R, load_vec(q, k))))
    return Xform(as_mat(q, R), as_vec(q, p))


@helper
def as_vec(q, p):
    """A vector of the model as one of q's scalars."""
    return Vec3(scalar(q, p.x), scalar(q, p.y), scalar(q, p.z))


@helper
def as_sym(q, A):
    """A symmetric matrix of the model as one of q's scalars."""
    return Sym3(
        scalar(q, A.xx), scalar(q, A.xy), scalar(q, A.xz), scalar(q, A.yy), scalar(q, A.yz), scalar(q, A.zz)
    )  # fmt: skip


@helper
def as_mat(q, A):
    """A matrix of the model as one of q's scalars."""
    return Mat3(
        scalar(q, A.xx), scalar(q, A.xy), scalar(q, A.xz),
        scalar(q, A.yx), scalar(q, A.yy), scalar(q, A.yz),
        scalar(q, A.zx), scalar(q, A.zy), scalar(q, A.zz),
    )  # fmt: skip


@helper
def joint_velocity(model, i, kind, v, k, m):
    """The motion m of the parent, seen in stage i, plus what its joint adds: m + S v."""
    if kind == REVOLUTE:
        return Motion(m.v, Vec3(m.w.x, m.w.y, m.w.z + load(v, k)))
    if kind == AXIAL:
        row, x = model_row(i), load(v, k)
        slide, turn = load(model, row + M_SLIDE), load(model, row + M_TURN)
        return Motion(Vec3(m.v.x, m.v.y, m.v.z + slide * x), Vec3(m.w.x, m.w.y, m.w.z + turn * x))
    if kind == PLANAR:
        return Motion(
            Vec3(m.v.x + load(v, k), m.v.y + load(v, k + 1), m.v.z),
            Vec3(m.w.x, m.w.y, m.w.z + load(v, k + 2)),
        )
    if kind == SPHERICAL:
        return Motion(m.v, add(m.w, load_vec(v, k)))
    if kind == FREE:
        return Motion(add(m.v, load_vec(v, k)), add(m.w, load_vec(v, k + 3)))
    return m


@helper
def hinge_acceleration(m, rate, a):
    """The acceleration a plus c = m × (rate z), m being the motion of a hinge's stage itself."""
    return Motion(
        Vec3(a.v.x + m.v.y * rate, a.v.y - m.v.x * rate, a.v.z),
        Vec3(a.w.x + m.w.y * rate, a.w.y - m.w.x * rate, a.w.z),
    )


@helper
def joint_bias(model, i, kind, v, k, m, a):
    """The acceleration a plus c = m × S v, m being the motion of stage i itself."""
    if kind == REVOLUTE:
        return hinge_acceleration(m, load(v, k), a)
    if kind == FIXED:
        return a
    z = scalar(v, 0.0)
    rest = Motion(Vec3(z, z, z), Vec3(z, z, z))
    return motion_add(a, cross_motion(m, joint_velocity(model, i, kind, v, k, rest)))


@helper
def joint_force(model, i, kind, k, w, tau):
    """Write Sᵀ w, the wrench w as felt along the joint, to tau[k]."""
    if kind == REVOLUTE:
        store(tau, k, w.n.z)
    elif kind == AXIAL:
        row = model_row(i)
        store(tau, k, load(model, row + M_SLIDE) * w.f.z + load(model, row + M_TURN) * w.n.z)
    elif kind == PLANAR:
        store_vec(tau, k, Vec3(w.f.x, w.f.y, w.n.z))
    elif kind == SPHERICAL:
        store_vec(tau, k, w.n)
    elif kind == FREE:
        store_vec(tau, k, w.f)
        store_vec(tau, k + 3, w.n)
