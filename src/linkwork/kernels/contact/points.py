"""Points on surfaces at one state: where they are, how they move, and what forces on them do. See `constrained`.

Symbols: n the normal, t1 and t2 tangents of a surface C = 0 at a point r; G what forces along these do.
"""

import math
from typing import Any, NamedTuple

from linkwork.kernels.algebra.storage import load_motion, load_vec, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, sym_mul
from linkwork.kernels.contact.delassus import products, square_root, tree_axes, world_pose
from linkwork.kernels.contact.response import response
from linkwork.kernels.contact.surface import local_surface
from linkwork.kernels.layout import GRAVITY
from linkwork.kernels.layout.contacts import (
    D_MODE,
    D_SLIDING,
    FROM_STATE,
    O_ACCELERATION,
    O_DIRECTION,
    O_FRAME,
    O_GAP,
    O_MODE,
    O_POINT,
    O_RATE,
    O_SLIP,
    O_VELOCITY,
    POINT_ROW,
    RESTS,
    SLIDES,
    STILL,
    T_FRICTION,
    T_POINT,
    T_STAGE,
    T_STATIC,
)
from linkwork.kernels.layout.loops import P_AXES
from linkwork.kernels.numba_ext import helper, separate
from linkwork.kernels.records import acceleration_at, velocity_at

FLAT = 1e-9  # m: a gradient below this times the curvature is zero
CLEAR = 1e-8  # m/s: sliding that is faster has a direction of its own, whatever it was before

# rows of `lines`
ACCELERATION, FORCE, REACH, STEP, ZERO, LEFT, PIVOTS = range(7)
LINES = 7


class Contacts(NamedTuple):
    """The points, and scratch space: see `layout.contacts`. n points, w = nv, and rows of loops."""

    points: Any  # what they are
    modes: Any  # (n, MODE_ROW)
    out: Any  # (n, OUT_ROW)
    stages: Any  # (n, 2) integers
    places: Any  # (n, 3)
    frames: Any  # (n, 9)
    axes: Any  # (AXIS · nv) of a tree
    Y: Any  # (6, w)
    Z: Any  # (3n, w)
    G: Any  # (3n, 3n)
    lines: Any  # (LINES, max(3n, w))
    stack: Any  # of jets
    matrix: Any  # (3n, 3n)


@helper
def tangents(n, s):
    """Two tangents of a surface with the normal n, the first along s where that has a part along the surface."""
    s = sub(s, scale(dot(n, s), n))
    size = math.sqrt(dot(s, s))
    if not size > 0.0:
        x, y, z = abs(n.x), abs(n.y), abs(n.z)
        axis = Vec3(1.0, 0.0, 0.0)
        if y < x and y <= z:
            axis = Vec3(0.0, 1.0, 0.0)
        elif z < x and z < y:
            axis = Vec3(0.0, 0.0, 1.0)
        s = sub(axis, scale(dot(n, axis), n))
        size = math.sqrt(dot(s, s))
    s = scale(1.0 / size, s)
    return s, cross(n, s)


@separate
def observe(model, index, work, c, t):
    """Where the points are and how they move, from the motion in `work`; False where a surface has no normal.

    The first tangent is along the direction of sliding, where there is one.
    """
    gravity = load_vec(model, GRAVITY)
    for k in range(c.out.shape[0]):
        row, out, mode = POINT_ROW * k, c.out[k], c.modes[k]
        stage, p = int(c.points[row + T_STAGE]), load_vec(c.points, row + T_POINT)
        X = world_pose(index, work, stage)
        m, ai = load_motion(work, velocity_at(stage)), load_motion(work, acceleration_at(stage))
        vp = add(m.v, cross(m.w, p))
        r, velocity = add(X.p, mul(X.R, p)), mul(X.R, vp)
        acceleration = add(mul(X.R, add(add(ai.v, cross(ai.w, p)), cross(m.w, vp))), gravity)
        at = local_surface(c.points, k, r, t, c.stack)
        square, H = dot(at.gradient, at.gradient), at.hessian
        bent = H.xx * H.xx + H.yy * H.yy + H.zz * H.zz + 2.0 * (H.xy * H.xy + H.xz * H.xz + H.yz * H.yz)
        total = at.C + square + bent + at.C_t + at.C_tt + dot(at.gradient_t, at.gradient_t)
        if not square > FLAT * FLAT * bent or total - total != 0.0:
            return False
        f = 1.0 / math.sqrt(square)
        n = scale(f, at.gradient)
        turning = add(sym_mul(H, velocity), at.gradient_t)  # of the gradient, at the point
        curvature = dot(velocity, turning) + dot(velocity, at.gradient_t) + at.C_tt  # (22)
        slip = sub(velocity, scale(dot(n, velocity), n))
        speed = math.sqrt(dot(slip, slip))
        ahead = load_vec(mode, D_SLIDING)
        s = Vec3(0.0, 0.0, 0.0)
        if int(mode[D_MODE]) == SLIDES:
            s = slip if speed > CLEAR and dot(slip, ahead) > 0.0 else ahead
        elif speed > STILL and int(mode[D_MODE]) == FROM_STATE:
            s = slip
        t1, t2 = tangents(n, s)
        store_vec(out, O_POINT, r)
        store_vec(out, O_VELOCITY, velocity)
        store_vec(out, O_FRAME, n)
        store_vec(out, O_FRAME + 3, t1)
        store_vec(out, O_FRAME + 6, t2)
        out[O_GAP], out[O_RATE] = at.C * f, dot(n, velocity) + at.C_t * f
        out[O_SLIP], out[O_SLIP + 1] = dot(t1, velocity), dot(t2, velocity)
        drag = at.C_t * f * f  # the surface's own acceleration along itself: its normal turns
        out[O_ACCELERATION] = dot(n, acceleration) + curvature * f
        out[O_ACCELERATION + 1] = dot(t1, acceleration) + drag * dot(t1, turning)
        out[O_ACCELERATION + 2] = dot(t2, acceleration) + drag * dot(t2, turning)
        out[O_MODE] = mode[D_MODE]
        K = c.points[row + T_FRICTION]
        out[O_DIRECTION], out[O_DIRECTION + 1] = 1.0 if K > 0.0 else 0.0, 0.0
        if int(mode[D_MODE]) == FROM_STATE:
            resting = c.points[row + T_STATIC] > 0.0 and speed <= STILL
            out[O_MODE] = FROM_STATE if resting else SLIDES
        elif int(mode[D_MODE]) == RESTS:
            out[O_MODE] = FROM_STATE
        c.stages[k, 0], c.stages[k, 1] = stage, -1
        store_vec(c.places[k], 0, r)
        for j in range(9):
            c.frames[k, j] = out[O_FRAME + j]
    return True


@separate
def feel(model, index, work, loops, c):
    """G of the points, from the factors in `work`."""
    n, reach = c.out.shape[0], c.lines[REACH]
    if loops is None:
        tree_axes(model, index, work, c.axes)
        square_root(model, index, work, c.axes, 0, None, n, c.stages, c.places, c.frames, c.Y, c.Z, reach)
    else:
        at = loops.plan[P_AXES]
        square_root(model, index, work, loops.scratch, at, loops, n, c.stages, c.places, c.frames, c.Y, c.Z, reach)
    products(index, loops, n, c.stages, c.Z, c.G)


@separate
def respond(model, index, work, loops, c, zero, force, a):
    """a (nv): what forces on the points, in their own axes, add to the accelerations."""
    n = c.out.shape[0]
    if loops is None:
        response(model, index, work, c.axes, 0, None, zero, n, c.Z, force, a, zero, zero)
    else:
        response(
            model, index, work, loops.scratch, loops.plan[P_AXES], loops, zero, n, c.Z, force, a, c.lines[PIVOTS],
            c.lines[LEFT],
        )  # fmt: skip
