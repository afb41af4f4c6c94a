"""The kernel's joints: where a stage stands, and what its joint adds to a motion.

Symbols: q, v the joint's own coordinates and velocities; S its motion subspace, constant in the stage's frame for
every kind; c = vᵢ × S v the acceleration it has without any of its own.
"""

from linkwork.kernels.jit import helper, inlined, strict
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
    load_mat,
    load_vec,
    model_row,
    store_vec,
)
from linkwork.kernels.pack import floor, load, scalar, store, where
from linkwork.kernels.spatial import Motion, Xform, cross_motion, motion_add
from linkwork.kernels.vec3 import Mat3, Sym3, Vec3, add, mat_mul, mul, quaternion_matrix, turn_z

# π/2 in three parts whose products with integers up to 2²⁰ are exact (Cody and Waite), and 2/π.
_PART_1, _PART_2, _PART_3 = 1.5707963267341256, 6.0771005063039660e-11, 2.0222662487959506e-21
_TWO_OVER_PI = 0.6366197723675814


@strict
def sincos(x):
    """Sine and cosine of a float or of each lane.

    Within 0.8 of the last digit up to ±1e6 rad; beyond, to about the spacing of floats near x.
    """
    k = floor(x * _TWO_OVER_PI + 0.5)
    a, b, d = x - k * _PART_1, k * _PART_2, k * _PART_3  # a and b are exact
    ab = a - b
    r = ab - d
    tail = ((a - ab) - b) + ((ab - r) - d)  # what r lacks of a − b − d
    z = r * r
    # minimax polynomials on ±π/4
    s = r + (tail + r * z * (
        -1.66666666666666324348e-01
        + z * (8.33333333332248946124e-03
        + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06
        + z * (-2.50507602534068634195e-08
        + z * 1.58969099521155010221e-10))))
    ))  # fmt: skip
    w = 1.0 - 0.5 * z
    c = w + ((((1.0 - w) - 0.5 * z) - r * tail) + z * z * (
        4.16666666666666019037e-02
        + z * (-1.38888888888741095749e-03
        + z * (2.48015872894767294178e-05
        + z * (-2.75573143513906633035e-07
        + z * (2.08757232129817482790e-09
        - z * 1.13596475577881948265e-11))))
    ))  # fmt: skip
    half = floor(k * 0.5)
    odd = k - 2.0 * half > 0.5  # quarter turns swap the two
    turned = half - 2.0 * floor(half * 0.5) > 0.5  # half turns change signs
    sine = where(odd, c, s)
    cosine = where(odd, -s, c)
    return where(turned, -sine, sine), where(turned, -cosine, cosine)


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
