"""One joint between two bodies, in its own coordinates, for methods that work with inverse inertias.

A joint is six rows, the relative accelerations of its two bodies at the child's origin: linear x, y, z, then angular.
A row is held, or it is a degree of freedom. Rows are those of the child's stage frame, but for screws (a row along the
screw, one across it) and universal joints (a row about the normal of both axes, one along either). E takes the frame's
coordinates to rows, F = E⁻¹; wrenches go by their transposes. Its equations are solved in `linkwork.kernels.held_rows`.

An inverse inertia Y = (vv, vw; wv, ww) is kept as an `ArticulatedInertia`, J for vv, H for vw and M for ww: it goes
from parent to child just as an inertia goes from child to parent, force and moment exchanged.
"""

from linkwork.kernels.algebra.spatial import ArticulatedInertia, Motion, Wrench, motion_add
from linkwork.kernels.algebra.storage import load_vec, store_vec
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3, add, mat_mul_t, mul, rotate_sym, scale, sym_mul, tmul
from linkwork.kernels.layout import (
    AXIAL,
    FREE,
    I_BODY,
    I_KIND,
    I_PARENT,
    I_V,
    M_SLIDE,
    M_TURN,
    PLANAR,
    REVOLUTE,
    SPHERICAL,
    W_INERTIA,
    WORK_ROW,
)
from linkwork.kernels.numba_ext import helper, load, scalar, sqrt, store
from linkwork.kernels.records import index_row, model_row

UNIVERSAL, CYLINDRICAL = 6, 7  # besides the kinds of stages: two stages taken as one joint
CARRIED, FIRST_AXIS = W_INERTIA, W_INERTIA + 6  # in the record of a compound joint's first stage


@helper
def joint_of(index, i):
    """Of body stage i: kind of its whole joint, parent stage, first degree of freedom."""
    row = index_row(i)
    parent = index[row + I_PARENT]
    if parent >= 0:
        first = index_row(parent)
        if index[first + I_BODY] < 0:
            kind = UNIVERSAL if index[first + I_KIND] == REVOLUTE else CYLINDRICAL
            return kind, index[first + I_PARENT], index[first + I_V]
    return index[row + I_KIND], parent, index[row + I_V]


@helper
def basis(model, index, work, i, kind, q):
    """E and F of the joint of stage i; any matrices where rows are the frame's coordinates."""
    z, one = scalar(q, 0.0), scalar(q, 1.0)
    if kind == AXIAL:  # rows 2 and 5 only: across the screw and along it, in the upper left corner
        row = model_row(i)
        slide, turn = load(model, row + M_SLIDE), load(model, row + M_TURN)
        r = 1.0 / (slide * slide + turn * turn)
        E = Mat3(z + turn, z - slide, z, z + r * slide, z + r * turn, z, z, z, one)
        return E, Mat3(z + r * turn, z + slide, z, z - r * slide, z + turn, z, z, z, one)
    if kind == UNIVERSAL:  # rows 3 to 5: about k, the normal of both axes; along the first axis a; along z
        a = load_vec(work, WORK_ROW * index[index_row(i) + I_PARENT] + FIRST_AXIS)
        r = 1.0 / (a.x * a.x + a.y * a.y)
        s = sqrt(r)
        E = Mat3(s * a.y, -s * a.x, z, r * a.x, r * a.y, z, -a.z * r * a.x, -a.z * r * a.y, one)
        return E, Mat3(s * a.y, a.x, z, -s * a.x, a.y, z, z, a.z, one)
    E = Mat3(one, z, z, z, one, z, z, z, one)
    return E, E


@helper
def change_motion(kind, E, m):
    """E m."""
    if kind == AXIAL:
        return Motion(
            Vec3(m.v.x, m.v.y, E.xx * m.v.z + E.xy * m.w.z), Vec3(m.w.x, m.w.y, E.yx * m.v.z + E.yy * m.w.z)
        )
    if kind == UNIVERSAL:
        return Motion(m.v, mul(E, m.w))
    return m


@helper
def change_wrench(kind, E, w):
    """Eᵀ w."""
    if kind == AXIAL:
        return Wrench(
            Vec3(w.f.x, w.f.y, E.xx * w.f.z + E.yx * w.n.z), Vec3(w.n.x, w.n.y, E.xy * w.f.z + E.yy * w.n.z)
        )
    if kind == UNIVERSAL:
        return Wrench(w.f, tmul(E, w.n))
    return w


@helper
def change_inverse(kind, E, Y):
    """E Y Eᵀ."""
    J, H, M = Y.J, Y.H, Y.M
    if kind == UNIVERSAL:
        return ArticulatedInertia(J, mat_mul_t(H, E), rotate_sym(E, M))
    if kind == AXIAL:
        a, b, c, d = E.xx, E.xy, E.yx, E.yy
        vv = Sym3(J.xx, J.xy, a * J.xz + b * H.xz, J.yy, a * J.yz + b * H.yz,
                  a * a * J.zz + 2.0 * a * b * H.zz + b * b * M.zz)
        ww = Sym3(M.xx, M.xy, c * H.zx + d * M.xz, M.yy, c * H.zy + d * M.yz,
                  c * c * J.zz + 2.0 * c * d * H.zz + d * d * M.zz)
        vw = Mat3(
            H.xx, H.xy, c * J.xz + d * H.xz,
            H.yx, H.yy, c * J.yz + d * H.yz,
            a * H.zx + b * M.xz, a * H.zy + b * M.yz, a * c * J.zz + (a * d + b * c) * H.zz + b * d * M.zz,
        )  # fmt: skip
        return ArticulatedInertia(vv, vw, ww)
    return Y


@helper
def change_rows(kind, E, U):
    """E U, U as six rows."""
    if kind == AXIAL:
        return U[0], U[1], mix(E.xx, U[2], E.xy, U[5]), U[3], U[4], mix(E.yx, U[2], E.yy, U[5])
    if kind == UNIVERSAL:
        u3 = mix(E.xx, U[3], E.xy, U[4])  # the first row of E has no part along z, and the last is 1 there
        u4 = mix(E.yx, U[3], E.yy, U[4])
        u5 = motion_add(mix(E.zx, U[3], E.zy, U[4]), U[5])
        return U[0], U[1], U[2], u3, u4, u5
    return U


@helper
def mix(a, x, b, y):
    """a x + b y."""
    return Motion(add(scale(a, x.v), scale(b, y.v)), add(scale(a, x.w), scale(b, y.w)))


@helper
def joint_rows(kind, a, k, held):
    """The joint's own numbers, a[k] and following, at its degrees of freedom, and `held` in every other row."""
    h = Vec3(held, held, held)
    if kind == REVOLUTE or kind == AXIAL:
        return Motion(h, Vec3(held, held, load(a, k)))
    if kind == SPHERICAL:
        return Motion(h, load_vec(a, k))
    if kind == UNIVERSAL:
        return Motion(h, Vec3(held, load(a, k), load(a, k + 1)))
    if kind == CYLINDRICAL:
        return Motion(Vec3(held, held, load(a, k)), Vec3(held, held, load(a, k + 1)))
    if kind == PLANAR:
        return Motion(Vec3(load(a, k), load(a, k + 1), held), Vec3(held, held, load(a, k + 2)))
    if kind == FREE:
        return Motion(load_vec(a, k), load_vec(a, k + 3))
    return Motion(h, h)


@helper
def free_rows(kind):
    """s of the law: 1 at degrees of freedom, 0 in held rows."""
    v, w = Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0)
    if kind == REVOLUTE or kind == AXIAL:
        w = Vec3(0.0, 0.0, 1.0)
    elif kind == SPHERICAL:
        w = Vec3(1.0, 1.0, 1.0)
    elif kind == UNIVERSAL:
        w = Vec3(0.0, 1.0, 1.0)
    elif kind == CYLINDRICAL:
        v, w = Vec3(0.0, 0.0, 1.0), Vec3(0.0, 0.0, 1.0)
    elif kind == PLANAR:
        v, w = Vec3(1.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0)
    elif kind == FREE:
        v, w = Vec3(1.0, 1.0, 1.0), Vec3(1.0, 1.0, 1.0)
    return Motion(v, w)


@helper
def store_rows(kind, a, k, m):
    """Write the rows of m that are degrees of freedom to a[k] and following."""
    if kind == REVOLUTE or kind == AXIAL:
        store(a, k, m.w.z)
    elif kind == SPHERICAL:
        store_vec(a, k, m.w)
    elif kind == UNIVERSAL:
        store(a, k, m.w.y)
        store(a, k + 1, m.w.z)
    elif kind == CYLINDRICAL:
        store(a, k, m.v.z)
        store(a, k + 1, m.w.z)
    elif kind == PLANAR:
        store_vec(a, k, Vec3(m.v.x, m.v.y, m.w.z))
    elif kind == FREE:
        store_vec(a, k, m.v)
        store_vec(a, k + 3, m.w)


@helper
def inverse_mul(Y, w):
    """Y w: the acceleration that a wrench gives."""
    return Motion(add(sym_mul(Y.J, w.f), mul(Y.H, w.n)), add(tmul(Y.H, w.f), sym_mul(Y.M, w.n)))
