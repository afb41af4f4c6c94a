"""The types of loop joints: coordinates from a pose, motion subspaces, rates.

Symbols as in `linkwork.kernels.loops`: Fa, Fb the joint's frame on either body, its axis along z; θ its coordinates; S
what it allows and K what it forbids, in Fb. A universal joint is R = Rz(θ1) C Rz(θ2).
"""

import math

from linkwork.kernels.algebra.spatial import Motion, Wrench, Xform
from linkwork.kernels.algebra.storage import load_mat, load_vec, store_motion, store_vec, store_wrench
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, dot, identity, mat_mul, scale, tmul
from linkwork.kernels.layout.loops import (
    CYLINDRICAL,
    FREE,
    G_MIDDLE,
    G_SLIDE,
    G_TURN,
    HELICAL,
    PLANAR,
    PRISMATIC,
    R_K,
    R_Q,
    R_S,
    R_V,
    REVOLUTE,
    SPHERICAL,
    UNIVERSAL,
)
from linkwork.kernels.numba_ext import helper


@helper
def turned(angle):
    """Rz(angle)."""
    s, c = sincos(angle)
    return Mat3(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


@helper
def rotation_vector(R):
    """Axis times angle of a rotation, right to the last digits near the identity and at any angle below π."""
    a = Vec3(0.5 * (R.zy - R.yz), 0.5 * (R.xz - R.zx), 0.5 * (R.yx - R.xy))
    s = math.sqrt(dot(a, a))
    angle = math.atan2(s, 0.5 * (R.xx + R.yy + R.zz - 1.0))
    if s > 1e-8:
        return scale(angle / s, a)
    if angle < 1.0:
        return a
    # half a turn: the axis is the largest column of (R + 1)/2
    x, y, z = R.xx + 1.0, R.yy + 1.0, R.zz + 1.0
    if x >= y and x >= z:
        a = Vec3(x, R.yx, R.zx)
    elif y >= z:
        a = Vec3(R.xy, y, R.zy)
    else:
        a = Vec3(R.xz, R.yz, z)
    return scale(angle / math.sqrt(dot(a, a)), a)


@helper
def write_quaternion(R, out, k):
    """Unit quaternion xyzw, w ≥ 0, of a rotation."""
    u = rotation_vector(R)
    angle = math.sqrt(dot(u, u))
    half = math.sin(0.5 * angle) / angle if angle > 1e-12 else 0.5
    store_vec(out, k, scale(half, u))
    out[k + 3] = math.cos(0.5 * angle)


@helper
def coordinates(kind, geometry, g, X, out, k):
    """Write the coordinates θ that bring the virtual link nearest to the pose X; return where that puts it."""
    R, p = X.R, X.p
    twist = math.atan2(R.yx - R.xy, R.xx + R.yy)  # of R about z
    if kind == REVOLUTE:
        out[k] = twist
        return Xform(turned(twist), Vec3(0.0, 0.0, 0.0))
    if kind == PRISMATIC:
        out[k] = p.z
        return Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, p.z))
    if kind == HELICAL:
        pitch = geometry[g + G_SLIDE]
        if pitch != 0.0:  # the advance tells which turn it is
            twist += 2.0 * math.pi * math.floor((p.z / pitch - twist) / (2.0 * math.pi) + 0.5)
        out[k] = twist
        return Xform(turned(twist), Vec3(0.0, 0.0, pitch * twist))
    if kind == CYLINDRICAL:
        out[k], out[k + 1] = p.z, twist
        return Xform(turned(twist), Vec3(0.0, 0.0, p.z))
    if kind == UNIVERSAL:  # R = Rz(θ1) C Rz(θ2)
        C = load_mat(geometry, g + G_MIDDLE)
        first = math.atan2(R.yz, R.xz) - math.atan2(C.yz, C.xz)
        second = math.atan2(R.zy, R.zx) - math.atan2(C.zy, C.zx)
        first -= 2.0 * math.pi * math.floor(first / (2.0 * math.pi) + 0.5)
        second = -second
        second -= 2.0 * math.pi * math.floor(second / (2.0 * math.pi) + 0.5)
        out[k], out[k + 1] = first, second
        return Xform(mat_mul(turned(first), mat_mul(C, turned(second))), Vec3(0.0, 0.0, 0.0))
    if kind == PLANAR:
        out[k], out[k + 1], out[k + 2] = p.x, p.y, twist
        return Xform(turned(twist), Vec3(p.x, p.y, 0.0))
    if kind == SPHERICAL:
        write_quaternion(R, out, k)
        return Xform(R, Vec3(0.0, 0.0, 0.0))
    if kind == FREE:
        store_vec(out, k, p)
        write_quaternion(R, out, k + 3)
        return X
    return Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0))


@helper
def one(condition):
    return 1.0 if condition else 0.0


@helper
def unit_vectors(c):
    """The c-th unit vector of six, in two halves."""
    return Vec3(one(c == 0), one(c == 1), one(c == 2)), Vec3(one(c == 3), one(c == 4), one(c == 5))


@helper
def unit_row(out, k, c):
    """Write the c-th unit vector of six at k."""
    for j in range(6):
        out[k + j] = one(j == c)


@helper
def write_subspaces(kind, geometry, g, bench, k):
    """Write S (a motion an axis) and K (a wrench a row), both in Fb, into the record at k."""
    S, K = k + R_S, k + R_K
    if kind == UNIVERSAL:
        C = load_mat(geometry, g + G_MIDDLE)
        s = tmul(turned(bench[k + R_Q + 1]), Vec3(C.zx, C.zy, C.zz))  # the first axis, seen from Fb
        store_motion(bench, S, Motion(Vec3(0.0, 0.0, 0.0), s))
        unit_row(bench, S + 6, 5)
        r = 1.0 / math.sqrt(s.x * s.x + s.y * s.y)
        for j in range(3):
            unit_row(bench, K + 6 * j, j)
        store_wrench(bench, K + 18, Wrench(Vec3(0.0, 0.0, 0.0), Vec3(r * s.y, -r * s.x, 0.0)))
        return
    if kind == HELICAL:
        slide, turn = geometry[g + G_SLIDE], geometry[g + G_TURN]
        r = 1.0 / math.sqrt(slide * slide + turn * turn)
        store_motion(bench, S, Motion(Vec3(0.0, 0.0, slide), Vec3(0.0, 0.0, turn)))
        store_wrench(bench, K, Wrench(Vec3(0.0, 0.0, r * turn), Vec3(0.0, 0.0, -r * slide)))
        for j, c in enumerate((0, 1, 3, 4)):
            unit_row(bench, K + 6 * (j + 1), c)
        return
    for c in range(6):
        if moves_along(kind, c):
            unit_row(bench, S, c)
            S += 6
        else:
            unit_row(bench, K, c)
            K += 6


@helper
def moves_along(kind, c):
    """Whether a joint whose axes are those of Fb moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    if kind == REVOLUTE:
        return c == 5
    if kind == PRISMATIC:
        return c == 2
    if kind == CYLINDRICAL:
        return c == 2 or c == 5
    if kind == PLANAR:
        return c == 0 or c == 1 or c == 5
    if kind == SPHERICAL:
        return c >= 3
    return kind == FREE


@helper
def joint_rates(kind, bench, k, V):
    """Write θ̇ = S⁺ V into the record at k and return Ṡ θ̇."""
    S, out = k + R_S, k + R_V
    still = Motion(Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0))
    if kind == UNIVERSAL:
        s = load_vec(bench, S + 3)
        first = (V.w.x * s.x + V.w.y * s.y) / (s.x * s.x + s.y * s.y)
        second = V.w.z - first * s.z
        bench[out], bench[out + 1] = first, second
        # the second rotation turns the first axis backwards, seen from Fb
        return Motion(still.v, scale(-first * second, Vec3(-s.y, s.x, 0.0)))
    if kind == HELICAL:
        slide, turn = bench[S + 2], bench[S + 5]
        bench[out] = (slide * V.v.z + turn * V.w.z) / (slide * slide + turn * turn)
        return still
    for c in range(6):
        if moves_along(kind, c):
            bench[out] = V.v[c] if c < 3 else V.w[c - 3]
            out += 1
    return still
