"""Spatial algebra: motions, wrenches, transforms and inertias as named tuples, so that their order never shows.

A transform ``X = (R, p)`` places a child frame in its parent: R turns child coordinates into the parent's, p is the
child's origin there. Motions and wrenches are taken at the origin of the frame they are given in.
"""

from typing import NamedTuple

from linkwork.kernels.jit import helper, inlined
from linkwork.kernels.vec3 import (
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


@helper
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
    n, f = U.n, U.f
    a, b = scale(r, n), scale(r, f)
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
    M = rotate_sym(X.R, A.M)
    H = mat_mul_t(mat_mul(X.R, A.H), X.R)
    J = rotate_sym(X.R, A.J)
    H1 = mat_add(H, skew_mul(X.p, full(M)))
    K = skew_mul(X.p, transpose(H))
    L = skew_mul(X.p, transpose(H1))
    return ArticulatedInertia(
        Sym3(
            J.xx + K.xx + L.xx, J.xy + K.xy + L.yx, J.xz + K.xz + L.zx,
            J.yy + K.yy + L.yy, J.yz + K.yz + L.zy, J.zz + K.zz + L.zz,
        ),
        H1,
        M,
    )  # fmt: skip
