"""Helical: a screw along z. S = (slide z, turn z), both constants of the model.

A stage of this kind also serves prismatic joints (slide 1, turn 0) and the first half of cylindrical ones.
"""

import math

from linkwork.kernels.algebra.double_double import product, sincos_double, turn_about_z
from linkwork.kernels.algebra.rotations import turned
from linkwork.kernels.algebra.spatial import ArticulatedInertia, Motion, Wrench, Xform, mix
from linkwork.kernels.algebra.storage import as_mat, store_motion, store_wrench
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3, cross, turn_z
from linkwork.kernels.joints.unit_axes import unit_row
from linkwork.kernels.layout import M_SLIDE, M_TURN
from linkwork.kernels.layout.loops import G_SLIDE, G_TURN, R_K, R_S, R_V
from linkwork.kernels.numba_ext import exact, floor, helper, in_place, like, load, scalar, store
from linkwork.kernels.records import model_row


@in_place
def screw_of(model, i):
    """Slide and turn of stage i per unit of its coordinate."""
    row = model_row(i)
    return load(model, row + M_SLIDE), load(model, row + M_TURN)


# A stage of a tree


@in_place
def transform(model, i, R, p, q, k):
    """Where the stage stands in its parent."""
    slide, turn = screw_of(model, i)
    s, c = sincos(turn * load(q, k))
    d = slide * load(q, k)
    return Xform(as_mat(q, turn_z(R, s, c)), Vec3(p.x + d * R.xz, p.y + d * R.yz, p.z + d * R.zz))


@in_place
def velocity(model, i, v, k, m):
    """m + S v."""
    x = load(v, k)
    slide, turn = screw_of(model, i)
    return Motion(Vec3(m.v.x, m.v.y, m.v.z + slide * x), Vec3(m.w.x, m.w.y, m.w.z + turn * x))


@in_place
def axes(model, i, X, out, k):
    """Write S of a stage whose pose is X."""
    z = Vec3(X.R.xz, X.R.yz, X.R.zz)
    slide, turn = screw_of(model, i)
    w = Vec3(turn * z.x, turn * z.y, turn * z.z)
    lift = cross(X.p, w)
    v = Vec3(lift.x + slide * z.x, lift.y + slide * z.y, lift.z + slide * z.z)
    store_motion(out, k, Motion(v, w))


# Articulated inertia


@in_place
def column(model, i, A):
    """U = IA S."""
    slide, turn = screw_of(model, i)
    H, M, J = A.H, A.M, A.J
    return Wrench(
        Vec3(turn * H.zx + slide * M.xz, turn * H.zy + slide * M.yz, turn * H.zz + slide * M.zz),
        Vec3(turn * J.xz + slide * H.xz, turn * J.yz + slide * H.yz, turn * J.zz + slide * H.zz),
    )


@in_place
def along(model, i, w):
    """Sᵀ w."""
    slide, turn = screw_of(model, i)
    return slide * w.f.z + turn * w.n.z


# Rows of virtual work: row 2 is across the screw and row 5 along it


@in_place
def row_basis(model, i, q):
    """E and F = E⁻¹ for rows 2 and 5 alone, in the upper left corner of a matrix."""
    z, one = scalar(q, 0.0), scalar(q, 1.0)
    slide, turn = screw_of(model, i)
    r = 1.0 / (slide * slide + turn * turn)
    E = Mat3(z + turn, z - slide, z, z + r * slide, z + r * turn, z, z, z, one)
    return E, Mat3(z + r * turn, z + slide, z, z - r * slide, z + turn, z, z, z, one)


@in_place
def change_motion(E, m):
    """E m."""
    return Motion(Vec3(m.v.x, m.v.y, E.xx * m.v.z + E.xy * m.w.z), Vec3(m.w.x, m.w.y, E.yx * m.v.z + E.yy * m.w.z))


@in_place
def change_wrench(E, w):
    """Eᵀ w."""
    return Wrench(Vec3(w.f.x, w.f.y, E.xx * w.f.z + E.yx * w.n.z), Vec3(w.n.x, w.n.y, E.xy * w.f.z + E.yy * w.n.z))


@in_place
def change_inverse(E, Y):
    """E Y Eᵀ."""
    J, H, M = Y.J, Y.H, Y.M
    a, b, c, d = E.xx, E.xy, E.yx, E.yy
    vv = Sym3(
        J.xx, J.xy, a * J.xz + b * H.xz, J.yy, a * J.yz + b * H.yz, a * a * J.zz + 2.0 * a * b * H.zz + b * b * M.zz
    )
    ww = Sym3(
        M.xx, M.xy, c * H.zx + d * M.xz, M.yy, c * H.zy + d * M.yz, c * c * J.zz + 2.0 * c * d * H.zz + d * d * M.zz
    )
    vw = Mat3(
        H.xx, H.xy, c * J.xz + d * H.xz,
        H.yx, H.yy, c * J.yz + d * H.yz,
        a * H.zx + b * M.xz, a * H.zy + b * M.yz, a * c * J.zz + (a * d + b * c) * H.zz + b * d * M.zz,
    )  # fmt: skip
    return ArticulatedInertia(vv, vw, ww)


@in_place
def change_rows(E, U):
    """E U, U as six rows."""
    return U[0], U[1], mix(E.xx, U[2], E.xy, U[5]), U[3], U[4], mix(E.yx, U[2], E.yy, U[5])


# A loop joint


@helper
def coordinates(geometry, g, twist, p, out, k):
    """Write the coordinate that brings the virtual link nearest to a pose; where it then stands."""
    pitch = geometry[g + G_SLIDE]
    if pitch != 0.0:  # the advance tells which turn it is
        twist = twist + 2.0 * math.pi * floor((p.z / pitch - twist) / (2.0 * math.pi) + 0.5)
    store(out, k, twist)
    zero = like(twist, 0.0)
    return Xform(turned(twist), Vec3(zero, zero, pitch * twist))


@helper
def write_subspaces(geometry, g, loop_scratch, k):
    """Write S and K into the record at k: K along the screw's normal in the plane of slide and turn, then across."""
    S, K = k + R_S, k + R_K
    slide, turn = geometry[g + G_SLIDE], geometry[g + G_TURN]
    r = 1.0 / math.sqrt(slide * slide + turn * turn)
    store_motion(loop_scratch, S, Motion(Vec3(0.0, 0.0, slide), Vec3(0.0, 0.0, turn)))
    store_wrench(loop_scratch, K, Wrench(Vec3(0.0, 0.0, r * turn), Vec3(0.0, 0.0, -r * slide)))
    for j, c in enumerate((0, 1, 3, 4)):
        unit_row(loop_scratch, K + 6 * (j + 1), c)


@helper
def rates(loop_scratch, k, V):
    """Write θ̇ = S⁺ V into the record at k."""
    slide, turn = load(loop_scratch, k + R_S + 2), load(loop_scratch, k + R_S + 5)
    store(loop_scratch, k + R_V, (slide * V.v.z + turn * V.w.z) / (slide * slide + turn * turn))


# Double-double


@exact
def precise_motion(model, i, q, k):
    """Rotation and translation by the joint itself, in double-double."""
    slide, turn = screw_of(model, i)
    angle = product((turn, 0.0), (load(q, k), 0.0))
    s, c = sincos_double(angle[0])
    s, c = (s[0], s[1] + angle[1] * c[0]), (c[0], c[1] - angle[1] * s[0])
    zero = (0.0, 0.0)
    return turn_about_z(s, c), (zero, zero, product((slide, 0.0), (load(q, k), 0.0)))
