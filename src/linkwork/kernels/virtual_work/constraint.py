"""One joint between two bodies, in its own coordinates, for methods that work with inverse inertias.

A joint is six rows, the relative accelerations of its two bodies at the child's origin: linear x, y, z, then angular.
A row is held, or it is a degree of freedom. Rows are those of the child's stage frame, but for screws (one row along
the screw, one across it) and for hinges in a row (one row along each axis). E takes the frame's coordinates to rows,
F = E⁻¹; wrenches go by their transposes. The equations are solved in `linkwork.kernels.virtual_work.held_rows`.

A joint of several stages is taken whole, as the stage of its body; what its massless stages add is in their records.

An inverse inertia Y = (vv, vw; wv, ww) is kept as an `ArticulatedInertia`, J for vv, H for vw and M for ww: it goes
from parent to child just as an inertia goes from child to parent, force and moment exchanged.
"""

import numpy as np

from linkwork.kernels.algebra.spatial import Motion, compose, motion_add, motion_to_child
from linkwork.kernels.algebra.storage import load_motion, store_motion, store_vec
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, add, mul, sym_mul, tmul
from linkwork.kernels.joints import cylindrical, free, helical, hinges, joint_bias, planar, revolute, spherical
from linkwork.kernels.layout import I_BODY, I_KIND, I_PARENT, I_V, W_INERTIA, W_VELOCITY, WORK_ROW
from linkwork.kernels.layout.kinds import CYLINDRICAL, FREE, HELICAL, HINGES, PLANAR, REVOLUTE, SPHERICAL, WHOLE
from linkwork.kernels.numba_ext import helper, scalar
from linkwork.kernels.records import index_row, load_xform
from linkwork.kernels.tree.rnea import ground_velocity

CARRIED, AXIS = W_INERTIA, W_INERTIA + 6  # in the record of a massless stage: its bias and its axis, seen by the body
_ONES = np.ones(6)


@helper
def massless(index, i):
    """Whether stage i is part of a joint that goes on below it (ground is not)."""
    return i >= 0 and index[index_row(i) + I_BODY] < 0


@helper
def joint_of(index, i):
    """Of body stage i: kind of its whole joint, parent stage, first degree of freedom."""
    stages = 1
    parent = index[index_row(i) + I_PARENT]
    while massless(index, parent):
        stages, i = stages + 1, parent
        parent = index[index_row(i) + I_PARENT]
    row = index_row(i)
    return WHOLE[index[row + I_KIND], stages], parent, index[row + I_V]


@helper
def fold(model, index, work, v, i, X):
    """Leave the bias and the axis of each massless stage above body stage i, whose pose is X; the pose of them all."""
    parent = index[index_row(i) + I_PARENT]
    while massless(index, parent):
        row, here = index_row(parent), WORK_ROW * parent
        m = load_motion(work, here + W_VELOCITY)
        c = joint_bias(model, parent, index[row + I_KIND], v, index[row + I_V], m, ground_velocity(v))
        store_motion(work, here + CARRIED, motion_to_child(X, c))
        store_vec(work, here + AXIS, Vec3(X.R.zx, X.R.zy, X.R.zz))
        X = compose(load_xform(work, parent), X)
        parent = index[row + I_PARENT]
    return X


@helper
def bias(model, index, work, v, i):
    """h of (29): relative acceleration that the joint has by its velocities alone, in the child's frame."""
    row = index_row(i)
    m = load_motion(work, WORK_ROW * i + W_VELOCITY)
    c = joint_bias(model, i, index[row + I_KIND], v, index[row + I_V], m, ground_velocity(v))
    parent = index[row + I_PARENT]
    while massless(index, parent):
        c = motion_add(c, load_motion(work, WORK_ROW * parent + CARRIED))
        parent = index[index_row(parent) + I_PARENT]
    return c


@helper
def basis(model, index, work, i, kind, q):
    """E and F of the joint of stage i; any matrices where rows are the frame's coordinates."""
    if kind == HELICAL:
        return helical.row_basis(model, i, q)
    if HINGES[kind] > 0:
        return hinges.row_basis(kind, work, WORK_ROW * (i + 1 - HINGES[kind]) + AXIS, q)
    z, one = scalar(q, 0.0), scalar(q, 1.0)
    E = Mat3(one, z, z, z, one, z, z, z, one)
    return E, E


@helper
def change_motion(kind, E, m):
    """E m."""
    if kind == HELICAL:
        return helical.change_motion(E, m)
    return hinges.change_motion(E, m) if HINGES[kind] > 0 else m


@helper
def change_wrench(kind, E, w):
    """Eᵀ w."""
    if kind == HELICAL:
        return helical.change_wrench(E, w)
    return hinges.change_wrench(E, w) if HINGES[kind] > 0 else w


@helper
def change_inverse(kind, E, Y):
    """E Y Eᵀ."""
    if kind == HELICAL:
        return helical.change_inverse(E, Y)
    return hinges.change_inverse(E, Y) if HINGES[kind] > 0 else Y


@helper
def change_rows(kind, E, U):
    """E U, U as six rows."""
    if kind == HELICAL:
        return helical.change_rows(E, U)
    return hinges.change_rows(E, U) if HINGES[kind] > 0 else U


@helper
def joint_rows(kind, a, k, held):
    """The joint's own numbers, a[k] and following, at its degrees of freedom, and `held` in every other row."""
    if kind == REVOLUTE or kind == HELICAL:
        return revolute.rows(a, k, held)
    if kind == SPHERICAL:
        return spherical.rows(a, k, held)
    if HINGES[kind] > 0:
        return hinges.rows(kind, a, k, held)
    if kind == CYLINDRICAL:
        return cylindrical.rows(a, k, held)
    if kind == PLANAR:
        return planar.rows(a, k, held)
    if kind == FREE:
        return free.rows(a, k)
    h = Vec3(held, held, held)
    return Motion(h, h)


@helper
def store_rows(kind, a, k, m):
    """Write the rows of m that are degrees of freedom to a[k] and following."""
    if kind == REVOLUTE or kind == HELICAL:
        revolute.store_rows(a, k, m)
    elif kind == SPHERICAL:
        spherical.store_rows(a, k, m)
    elif HINGES[kind] > 0:
        hinges.store_rows(kind, a, k, m)
    elif kind == CYLINDRICAL:
        cylindrical.store_rows(a, k, m)
    elif kind == PLANAR:
        planar.store_rows(a, k, m)
    elif kind == FREE:
        free.store_rows(a, k, m)


@helper
def free_rows(kind):
    """s of the law: 1 at degrees of freedom, 0 in held rows."""
    return joint_rows(kind, _ONES, 0, 0.0)


@helper
def inverse_mul(Y, w):
    """Y w: the acceleration that a wrench gives."""
    return Motion(add(sym_mul(Y.J, w.f), mul(Y.H, w.n)), add(tmul(Y.H, w.f), sym_mul(Y.M, w.n)))
