"""Hinges in a row through one point: a universal joint is two, a gimbal three.

In a tree each hinge is a revolute stage, all but the last massless. As a loop joint, and where virtual work takes it
as one, R = Rz(θ1) C Rz(θ2), with z of each hinge's frame along its axis; C, a constant, takes one frame to the next.
Of a gimbal R = Rz(θ1) C Rz(θ2) C' Rz(θ3). It is locked where its axes s1, s2 and z lie in one plane: the rates of its
angles then give no rotation across that plane, and what they divide by, s1 · (s2 × z), is zero.
"""

import math

from linkwork.kernels.algebra.rotations import turned
from linkwork.kernels.algebra.spatial import ArticulatedInertia, Motion, Wrench, Xform, mix, motion_add
from linkwork.kernels.algebra.storage import load_mat, load_vec, store_motion, store_vec, store_wrench
from linkwork.kernels.algebra.vec3 import (
    Mat3,
    Vec3,
    add,
    cross,
    dot,
    mat_mul,
    mat_mul_t,
    mul,
    rotate_sym,
    scale,
    tmul,
    transpose,
)
from linkwork.kernels.joints.unit_axes import unit_row
from linkwork.kernels.layout import WORK_ROW
from linkwork.kernels.layout.kinds import GIMBAL
from linkwork.kernels.layout.loops import G_DAMPING, G_MIDDLE, R_K, R_Q, R_S, R_V
from linkwork.kernels.numba_ext import atan2, floor, helper, in_place, like, load, scalar, sqrt, store, where

_IDLE = 1e-8  # least |s1 · (s2 × z)| at which motors and dampers of a loop have an answer
_LOCKED = 1e-12  # least |s1 · (s2 × z)| that loops divide by, so that they stay finite where a gimbal is locked


@in_place
def dual_axes(s1, s2, r):
    """For each of the axes s1, s2 and z what is perpendicular to the other two; r is 1 / s1 · (s2 × z)."""
    return (
        Vec3(r * s2.y, -r * s2.x, 0.0 * s2.z),
        Vec3(-r * s1.y, r * s1.x, 0.0 * s1.z),
        scale(r, cross(s1, s2)),
    )


# Rows of virtual work: 3 about the normal of both axes, 4 along the first axis, 5 along z; of a gimbal one per axis


@in_place
def row_basis(kind, work, at, q):
    """E and F = E⁻¹ of the angular rows; the axes, as seen in the child's frame, are in the records from `at` on."""
    z, one = scalar(q, 0.0), scalar(q, 1.0)
    a = load_vec(work, at)
    if kind == GIMBAL:
        b = load_vec(work, at + WORK_ROW)
        x, y, n = dual_axes(a, b, 1.0 / (a.x * b.y - a.y * b.x))
        return Mat3(x.x, x.y, z, y.x, y.y, z, n.x, n.y, one), Mat3(a.x, b.x, z, a.y, b.y, z, a.z, b.z, one)
    r = 1.0 / (a.x * a.x + a.y * a.y)
    s = sqrt(r)
    E = Mat3(s * a.y, -s * a.x, z, r * a.x, r * a.y, z, -a.z * r * a.x, -a.z * r * a.y, one)
    return E, Mat3(s * a.y, a.x, z, -s * a.x, a.y, z, z, a.z, one)


@in_place
def change_motion(E, m):
    """E m."""
    return Motion(m.v, mul(E, m.w))


@in_place
def change_wrench(E, w):
    """Eᵀ w."""
    return Wrench(w.f, tmul(E, w.n))


@in_place
def change_inverse(E, Y):
    """E Y Eᵀ."""
    return ArticulatedInertia(Y.J, mat_mul_t(Y.H, E), rotate_sym(E, Y.M))


@in_place
def change_rows(E, U):
    """E U, U as six rows."""
    u3 = mix(E.xx, U[3], E.xy, U[4])  # the first row of E has no part along z, and the last is 1 there
    u4 = mix(E.yx, U[3], E.yy, U[4])
    u5 = motion_add(mix(E.zx, U[3], E.zy, U[4]), U[5])
    return U[0], U[1], U[2], u3, u4, u5


@in_place
def rows(kind, a, k, held):
    """The joint's numbers at the rows that are free, `held` in the others."""
    if kind == GIMBAL:
        return Motion(Vec3(held, held, held), load_vec(a, k))
    return Motion(Vec3(held, held, held), Vec3(held, load(a, k), load(a, k + 1)))


@in_place
def store_rows(kind, a, k, m):
    """Write the rows that are free."""
    if kind == GIMBAL:
        store_vec(a, k, m.w)
    else:
        store(a, k, m.w.y)
        store(a, k + 1, m.w.z)


# A loop joint


@in_place
def within_half_a_turn(angle):
    """The same angle, of at most half a turn."""
    return angle - 2.0 * math.pi * floor(angle / (2.0 * math.pi) + 0.5)


@helper
def gimbal_coordinates(geometry, g, R, out, k):
    """`coordinates` of a gimbal: of the two sets of angles that give R, those on the side of the pose at zero."""
    C, D = load_mat(geometry, g + G_MIDDLE), load_mat(geometry, g + G_MIDDLE + 9)
    c, d = Vec3(C.zx, C.zy, C.zz), Vec3(D.xz, D.yz, D.zz)  # the first axis and the third, seen from the second
    # R.zz = c · Rz(θ2) d = c.z d.z + ρ cos(θ2 − φ), and ρ² sin²(θ2 − φ) is what is left of the squares
    phi = atan2(c.y * d.x - c.x * d.y, c.x * d.x + c.y * d.y)
    square = R.zx * R.zx + R.zy * R.zy - c.z * c.z - d.z * d.z + 2.0 * c.z * d.z * R.zz
    apart = atan2(sqrt(where(square > 0.0, square, 0.0)), R.zz - c.z * d.z)
    second = phi - apart if phi > 1e-9 else phi + apart
    carried = mul(C, mul(turned(second), d))  # the third axis, before the first hinge turns it
    first = within_half_a_turn(atan2(R.yz, R.xz) - atan2(carried.y, carried.x))
    near = mat_mul(turned(first), mat_mul(C, mat_mul(turned(second), D)))
    left = mat_mul(transpose(near), R)
    third = atan2(left.yx - left.xy, left.xx + left.yy)
    store_vec(out, k, Vec3(first, within_half_a_turn(second), third))
    zero = like(third, 0.0)
    return Xform(mat_mul(near, turned(third)), Vec3(zero, zero, zero))


@helper
def coordinates(kind, geometry, g, R, out, k):
    """Write the coordinates that bring the virtual link nearest to a pose; where it then stands."""
    if kind == GIMBAL:
        return gimbal_coordinates(geometry, g, R, out, k)
    C = load_mat(geometry, g + G_MIDDLE)
    first = within_half_a_turn(atan2(R.yz, R.xz) - atan2(C.yz, C.xz))
    second = within_half_a_turn(-(atan2(R.zy, R.zx) - atan2(C.zy, C.zx)))
    store(out, k, first)
    store(out, k + 1, second)
    zero = like(first, 0.0)
    return Xform(mat_mul(turned(first), mat_mul(C, turned(second))), Vec3(zero, zero, zero))


@helper
def write_subspaces(kind, geometry, g, loop_scratch, k):
    """Write S and K into the record at k."""
    S, K = k + R_S, k + R_K
    C = load_mat(geometry, g + G_MIDDLE)
    for j in range(3):
        unit_row(loop_scratch, K + 6 * j, j)
    if kind == GIMBAL:
        D = mat_mul(load_mat(geometry, g + G_MIDDLE + 9), turned(load(loop_scratch, k + R_Q + 2)))
        s = tmul(D, tmul(turned(load(loop_scratch, k + R_Q + 1)), Vec3(C.zx, C.zy, C.zz)))
        store_motion(loop_scratch, S, Motion(Vec3(0.0, 0.0, 0.0), s))
        store_motion(loop_scratch, S + 6, Motion(Vec3(0.0, 0.0, 0.0), Vec3(D.zx, D.zy, D.zz)))
        unit_row(loop_scratch, S + 12, 5)
        return
    s = tmul(turned(load(loop_scratch, k + R_Q + 1)), Vec3(C.zx, C.zy, C.zz))  # the first axis, seen from Fb
    store_motion(loop_scratch, S, Motion(Vec3(0.0, 0.0, 0.0), s))
    unit_row(loop_scratch, S + 6, 5)
    r = 1.0 / sqrt(s.x * s.x + s.y * s.y)
    store_wrench(loop_scratch, K + 18, Wrench(Vec3(0.0, 0.0, 0.0), Vec3(r * s.y, -r * s.x, 0.0)))


@helper
def inverse_product(s1, s2):
    """1 / s1 · (s2 × z), finite where that is zero."""
    product = s1.x * s2.y - s1.y * s2.x
    square, least = product * product, _LOCKED * _LOCKED
    return product / where(square > least, square, least)


@helper
def rates(kind, loop_scratch, k, V):
    """Write θ̇ = S⁺ V into the record at k and return Ṡ θ̇."""
    S, out, zero = k + R_S, k + R_V, like(V.w.x, 0.0)
    s = load_vec(loop_scratch, S + 3)
    if kind == GIMBAL:
        s2 = load_vec(loop_scratch, S + 9)
        x, y, z = dual_axes(s, s2, inverse_product(s, s2))
        first, second, third = dot(x, V.w), dot(y, V.w), dot(z, V.w)
        store_vec(loop_scratch, out, Vec3(first, second, third))
        # each rotation turns the axes before it backwards, seen from Fb
        after = Vec3(second * s2.x, second * s2.y, second * s2.z + third)
        turning = add(scale(first, cross(s, after)), scale(second * third, Vec3(s2.y, -s2.x, 0.0)))
        return Motion(Vec3(zero, zero, zero), turning)
    first = (V.w.x * s.x + V.w.y * s.y) / (s.x * s.x + s.y * s.y)
    second = V.w.z - first * s.z
    store(loop_scratch, out, first)
    store(loop_scratch, out + 1, second)
    # the second rotation turns the first axis backwards, seen from Fb
    return Motion(Vec3(zero, zero, zero), scale(-first * second, Vec3(-s.y, s.x, zero)))


@helper
def motor_wrench(kind, geometry, g, loop_scratch, k, force, first):
    """w = S (SᵀS)⁻¹ (force − damping · θ̇), the combination of axes whose Sᵀ w is as given."""
    s, zero = load_vec(loop_scratch, k + R_S + 3), scalar(loop_scratch, 0.0)
    if kind == GIMBAL:
        n, s2 = Vec3(zero, zero, zero), load_vec(loop_scratch, k + R_S + 9)
        inverse = inverse_product(s, s2)
        for j, axis in enumerate(dual_axes(s, s2, inverse)):
            x = load(force, first + j) - geometry[g + G_DAMPING + j] * load(loop_scratch, k + R_V + j)
            locked = (x * x > 0.0) & (inverse * inverse * (_IDLE * _IDLE) > 1.0)
            n = add(n, scale(where(locked, like(x, math.nan), x), axis))
        return Wrench(Vec3(zero, zero, zero), n)
    x = load(force, first) - geometry[g + G_DAMPING] * load(loop_scratch, k + R_V)
    y = load(force, first + 1) - geometry[g + G_DAMPING + 1] * load(loop_scratch, k + R_V + 1)
    alpha = (x - s.z * y) / (s.x * s.x + s.y * s.y)
    return Wrench(Vec3(zero, zero, zero), Vec3(alpha * s.x, alpha * s.y, y))
