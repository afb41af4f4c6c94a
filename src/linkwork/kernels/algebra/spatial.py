"""Spatial algebra: motions, wrenches, transforms and inertias as named tuples, so that their order never shows.

A transform ``X = (R, p)`` places a child frame in its parent: R turns child coordinates into the parent's, p is the
child's origin there. Motions and wrenches are taken at the origin of the frame they are given in.
"""

from typing import NamedTuple

from linkwork.kernels.algebra.vec3 import (
    Mat3,
    Sym3,
    Vec3,
    add,
    cross,
    dot,
    full,
    mat_add,
    mat_mul,
    mat_mul_t,
    mul,
    rotate_sym,
    scale,
    skew_mul,
    sub,
    sym_add,
    sym_mul,
    tmul,
    transpose,
)
from linkwork.kernels.numba_ext import helper, inlined


class Motion(NamedTuple):
    """A velocity or acceleration: of the origin, and angular."""

    v: Vec3
    w: Vec3


class Wrench(NamedTuple):
    """A force, and the moment about the origin."""

    f: Vec3
    n: Vec3


class Xform(NamedTuple):
    """Where a child frame stands in its parent."""

    R: Mat3
    p: Vec3


class Inertia(NamedTuple):
    """A rigid body: mass, first moment m·c, second moment about the origin."""

    m: float
    h: Vec3
    I: Sym3  # noqa: E741


class ArticulatedInertia(NamedTuple):
    """n = J w + H v, f = Hᵀ w + M v: 21 numbers, symmetric by construction."""

    J: Sym3
    H: Mat3
    M: Sym3


@helper
def motion_add(a, b):
    return Motion(add(a.v, b.v), add(a.w, b.w))


@helper
def mix(a, x, b, y):
    """a x + b y of two motions."""
    return Motion(add(scale(a, x.v), scale(b, y.v)), add(scale(a, x.w), scale(b, y.w)))


@helper
def wrench_add(a, b):
    return Wrench(add(a.f, b.f), add(a.n, b.n))


@helper
def wrench_sub(a, b):
    return Wrench(sub(a.f, b.f), sub(a.n, b.n))


@helper
def power(a, b):
    """A motion times a wrench."""
    return dot(a.v, b.f) + dot(a.w, b.n)


@helper
def motion_to_child(X, m):
    """A motion of the parent's frame, seen in and at the child's."""
    return Motion(tmul(X.R, add(m.v, cross(m.w, X.p))), tmul(X.R, m.w))


@helper
def wrench_to_parent(X, w):
    """A wrench in the child's frame, seen in and at the parent's."""
    f = mul(X.R, w.f)
    return Wrench(f, add(mul(X.R, w.n), cross(X.p, f)))


@helper
def compose(X, Y):
    """X Y: the child of a child."""
    return Xform(mat_mul(X.R, Y.R), add(X.p, mul(X.R, Y.p)))


@helper
def cross_motion(a, b):
    """a × b for motions."""
    return Motion(add(cross(a.w, b.v), cross(a.v, b.w)), cross(a.w, b.w))


@helper
def cross_wrench(a, b):
    """a ×* b for a motion and a wrench."""
    return Wrench(cross(a.w, b.f), add(cross(a.w, b.n), cross(a.v, b.f)))


@helper
def inertia_mul(I, m):  # noqa: E741
    """I m: momentum of a body, or the wrench of its acceleration."""
    return Wrench(sub(scale(I.m, m.v), cross(I.h, m.w)), add(sym_mul(I.I, m.w), cross(I.h, m.v)))


@helper
def gyroscopic(I, m):  # noqa: E741
    """m ×* (I m): what the body's own motion asks for.

    Written out, the terms in v × v cancel: f = w × p and n = w × (I w) + h × (w × v), with p the momentum.
    """
    f = cross(m.w, sub(scale(I.m, m.v), cross(I.h, m.w)))
    return Wrench(f, add(cross(m.w, sym_mul(I.I, m.w)), cross(I.h, cross(m.w, m.v))))


@inlined
def inertia_to_parent(X, I):  # noqa: E741
    """The same body seen from the parent's frame."""
    h = mul(X.R, I.h)
    J = rotate_sym(X.R, I.I)
    g = add(h, scale(I.m, X.p))  # the first moment there
    p = X.p
    # parallel axes: −p×(h×) − g×(p×), symmetric
    d = dot(h, p) + dot(g, p)
    return Inertia(
        I.m,
        g,
        Sym3(
            J.xx + d - (h.x + g.x) * p.x,
            J.xy - h.x * p.y - g.y * p.x,
            J.xz - h.x * p.z - g.z * p.x,
            J.yy + d - (h.y + g.y) * p.y,
            J.yz - h.y * p.z - g.z * p.y,
            J.zz + d - (h.z + g.z) * p.z,
        ),
    )


@helper
def inertia_add(a, b):
    return Inertia(a.m + b.m, add(a.h, b.h), sym_add(a.I, b.I))


@helper
def articulated(I):  # noqa: E741
    """A rigid body as an articulated inertia."""
    h, m, z = I.h, I.m, 0.0 * I.m
    return ArticulatedInertia(I.I, Mat3(z, -h.z, h.y, h.z, z, -h.x, -h.y, h.x, z), Sym3(m, z, z, m, z, m))


@helper
def articulated_add(A, B):
    return ArticulatedInertia(sym_add(A.J, B.J), mat_add(A.H, B.H), sym_add(A.M, B.M))


@helper
def articulated_mul(A, m):
    return Wrench(add(tmul(A.H, m.w), sym_mul(A.M, m.v)), add(sym_mul(A.J, m.w), mul(A.H, m.v)))


@helper
def articulated_minus(A, U, r):
    """A − r U Uᵀ."""
    return minus_product(A, U.n, U.f, scale(r, U.n), scale(r, U.f))


@helper
def minus_product(A, n, f, a, b):
    """A − (n, f) (a, b)ᵀ, of which only the upper triangle is formed."""
    J, H, M = A.J, A.H, A.M
    return ArticulatedInertia(
        Sym3(
            J.xx - n.x * a.x, J.xy - n.x * a.y, J.xz - n.x * a.z,
            J.yy - n.y * a.y, J.yz - n.y * a.z, J.zz - n.z * a.z,
        ),
        Mat3(
            H.xx - n.x * b.x, H.xy - n.x * b.y, H.xz - n.x * b.z,
            H.yx - n.y * b.x, H.yy - n.y * b.y, H.yz - n.y * b.z,
            H.zx - n.z * b.x, H.zy - n.z * b.y, H.zz - n.z * b.z,
        ),
        Sym3(
            M.xx - f.x * b.x, M.xy - f.x * b.y, M.xz - f.x * b.z,
            M.yy - f.y * b.y, M.yz - f.y * b.z, M.zz - f.z * b.z,
        ),
    )  # fmt: skip


@inlined
def articulated_to_parent(X, A):
    """The same articulated inertia seen from the parent's frame.

    With P = p×: M' = M, H' = H + P M, J' = J + P Hᵀ + H' Pᵀ, all turned by R. The last two terms together are
    symmetric, so only their upper triangle is formed.
    """
    B = turn_articulated(X.R, A)
    return shifted(X.p, B.J, B.H, B.M)


@helper
def turn_articulated(R, A):
    """An articulated inertia seen in axes R."""
    return ArticulatedInertia(rotate_sym(R, A.J), mat_mul_t(mat_mul(R, A.H), R), rotate_sym(R, A.M))


@helper
def shifted(p, J, H, M):
    """The articulated inertia (J, H, M), its origin at p, seen from the origin."""
    H1 = mat_add(H, skew_mul(p, full(M)))
    K = skew_mul(p, transpose(H))
    L = skew_mul(p, transpose(H1))
    return ArticulatedInertia(
        Sym3(
            J.xx + K.xx + L.xx, J.xy + K.xy + L.yx, J.xz + K.xz + L.zx,
            J.yy + K.yy + L.yy, J.yz + K.yz + L.zy, J.zz + K.zz + L.zz,
        ),
        H1,
        M,
    )  # fmt: skip


class HingeInertia(NamedTuple):
    """An articulated inertia that a hinge about z has taken its share of: what meets the axis is exactly zero.

    Left are the xy block of J, the rows x and y of H, and M.
    """

    xx: float
    xy: float
    yy: float
    Hx: Vec3
    Hy: Vec3
    M: Sym3


@helper
def hinge_minus(A, U, r):
    """A − r U Uᵀ for U = A z and r = 1 / (z A z)."""
    n, f = U.n, U.f
    ax, ay = r * n.x, r * n.y
    b = scale(r, f)
    J, H, M = A.J, A.H, A.M
    return HingeInertia(
        J.xx - n.x * ax,
        J.xy - n.x * ay,
        J.yy - n.y * ay,
        Vec3(H.xx - ax * f.x, H.xy - ax * f.y, H.xz - ax * f.z),
        Vec3(H.yx - ay * f.x, H.yy - ay * f.y, H.yz - ay * f.z),
        Sym3(
            M.xx - f.x * b.x, M.xy - f.x * b.y, M.xz - f.x * b.z,
            M.yy - f.y * b.y, M.yz - f.y * b.z, M.zz - f.z * b.z,
        ),
    )  # fmt: skip


@helper
def hinge_bias(A, m, rate):
    """A c, with c = m × (rate z) the velocity-product acceleration of the hinge: its z parts are zero."""
    wx, wy, vx, vy = m.w.y * rate, -m.w.x * rate, m.v.y * rate, -m.v.x * rate
    f = Vec3(
        A.Hx.x * wx + A.Hy.x * wy + A.M.xx * vx + A.M.xy * vy,
        A.Hx.y * wx + A.Hy.y * wy + A.M.xy * vx + A.M.yy * vy,
        A.Hx.z * wx + A.Hy.z * wy + A.M.xz * vx + A.M.yz * vy,
    )
    x = A.xx * wx + A.xy * wy + A.Hx.x * vx + A.Hx.y * vy
    y = A.xy * wx + A.yy * wy + A.Hy.x * vx + A.Hy.y * vy
    return f, x, y


@inlined
def hinge_to_parent(X, A):
    """`articulated_to_parent` with the zeros left out."""
    R = X.R
    M = rotate_sym(R, A.M)
    # R J Rᵀ from the first two columns of R
    ax, ay = R.xx * A.xx + R.xy * A.xy, R.xx * A.xy + R.xy * A.yy
    bx, by = R.yx * A.xx + R.yy * A.xy, R.yx * A.xy + R.yy * A.yy
    cx, cy = R.zx * A.xx + R.zy * A.xy, R.zx * A.xy + R.zy * A.yy
    # R H Rᵀ: the rows of H seen in the parent's axes, then mixed
    hx, hy = mul(R, A.Hx), mul(R, A.Hy)
    H = Mat3(
        R.xx * hx.x + R.xy * hy.x, R.xx * hx.y + R.xy * hy.y, R.xx * hx.z + R.xy * hy.z,
        R.yx * hx.x + R.yy * hy.x, R.yx * hx.y + R.yy * hy.y, R.yx * hx.z + R.yy * hy.z,
        R.zx * hx.x + R.zy * hy.x, R.zx * hx.y + R.zy * hy.y, R.zx * hx.z + R.zy * hy.z,
    )  # fmt: skip
    J = Sym3(
        ax * R.xx + ay * R.xy, ax * R.yx + ay * R.yy, ax * R.zx + ay * R.zy,
        bx * R.yx + by * R.yy, bx * R.zx + by * R.zy, cx * R.zx + cy * R.zy,
    )  # fmt: skip
    return shifted(X.p, J, H, M)
