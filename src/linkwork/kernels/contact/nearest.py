"""Where a solid comes nearest to a surface: at a corner, within an edge, or within a flat face.

All is in the frame of the surface. On an edge from y to y + d, and within a face, the nearest place is where the
distance C has no slope along it and rises to all sides. Spheres have it at the foot of their centre, cylinders, on an
edge, at that of their axis; within a face a cylinder is never nearest, for along its axis C has no curvature. Beyond
its ends, where it has some, a cylinder is not there: it is the side of a capsule, whose ends are spheres.

A torus of radius R, at y + (s_m ± x) d/|d|, where s_m is nearest to its axis, a away from it and z₀ high, w and k the
parts of d/|d| across and along the axis: the slope of half the squared distance from its middle circle,

    g(x) = (w² + k²) x ± k z₀ − R w² x/√(a² + w² x²),   x > 0,

is convex. So on either side of s_m there is at most one place where the distance is least, to which Newton's method
goes down from the far end, and at most one where it is largest, to which it goes up from x = 0: that is where the
inside of the torus is nearest. Within a face with the normal m the outer half of a torus is nearest where its normal
is −m; on its inner half, as on the inside, C falls to two sides everywhere.
"""

import math
from typing import NamedTuple

from linkwork.kernels.algebra.storage import load_pose, load_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, tmul
from linkwork.kernels.contact.field import is_field, nearest_share, nearest_within
from linkwork.kernels.layout.shapes import (
    B_POINT,
    B_STAGE,
    CYLINDER,
    M_BALL,
    M_CORNERS,
    M_END,
    M_HALF,
    M_SKIPPED,
    NOWHERE,
    PLANE,
    S_KIND,
    S_MAJOR,
    S_MINOR,
    S_SIDE,
    SPHERE,
    TORUS,
)
from linkwork.kernels.numba_ext import helper, separate

_ROUNDS = 60  # of Newton's method
_NEAR = 1e-16  # of an edge: where it ends


class Spot(NamedTuple):
    """A place on a solid, in the frame of a surface: y, and the directions of its edge or face, else zero."""

    y: Vec3
    d: Vec3
    e: Vec3
    inside: float  # how far from the border of the edge or face, as a share of its size; NOWHERE: there is none


@helper
def in_frame(poses, balls, i, X):
    """The centre of a ball in the frame X."""
    P = load_pose(poses[int(balls[i, B_STAGE])], 0)  # −1 is the last row, ground's
    return tmul(X.R, sub(add(P.p, mul(P.R, load_vec(balls[i], B_POINT))), X.p))


@helper
def on_torus(surface, half, y, d, beyond):
    """`on_edge` of a torus, in one half of the edge."""
    length = math.sqrt(dot(d, d))
    wx, wy, k = d.x / length, d.y / length, half * d.z / length
    w2 = wx * wx + wy * wy
    if not w2 > 1e-24:  # along the axis
        s = -y.z * k / length
        return s if half > 0.0 and surface[S_SIDE] > 0.0 and -beyond < s < 1.0 + beyond else NOWHERE
    middle = -(y.x * wx + y.y * wy) / w2
    a2 = (y.x + middle * wx) ** 2 + (y.y + middle * wy) ** 2
    rise, R = k * (y.z + middle * d.z / length), surface[S_MAJOR]
    low, high = -beyond * length, (1.0 + beyond) * length
    far = high - middle if half > 0.0 else middle - low
    near = low - middle if half > 0.0 else middle - high
    if not far > 0.0:
        return NOWHERE
    outside = surface[S_SIDE] > 0.0
    if not outside and (rise < 0.0 or (rise == 0.0 and half < 0.0)):
        return NOWHERE
    x = far if outside else 0.0
    for _ in range(_ROUNDS):
        rho = math.sqrt(a2 + w2 * x * x)
        if not rho > 0.0:
            return NOWHERE
        g, slope = (w2 + k * k) * x + rise - R * w2 * x / rho, w2 + k * k - R * w2 * a2 / (rho * rho * rho)
        if outside:
            if not (slope > 0.0 and (g > 0.0 or x < far)):
                return NOWHERE
        elif not slope < 0.0:
            return NOWHERE
        step = g / slope
        x -= step
        if x < 0.0 or x > far:
            return NOWHERE
        if abs(step) <= _NEAR * length:
            break
    return (middle + half * x) / length if near < x < far else NOWHERE


@separate
def on_edge(fields, surface, half, y, d, beyond, t):
    """Where between y and y + d a surface is nearest, as a share of d; the ends are left to themselves: NOWHERE.

    It is also looked for beyond the ends, up to such a share.
    """
    if is_field(fields, surface):
        return nearest_share(fields, surface, y, d, beyond, t)
    kind = int(surface[S_KIND])
    if kind == TORUS:
        return on_torus(surface, half, y, d, beyond)
    if kind == PLANE or surface[S_SIDE] < 0.0:
        return NOWHERE  # always one of the ends
    z = 0.0 if kind == CYLINDER else 1.0
    square = d.x * d.x + d.y * d.y + z * d.z * d.z
    s = -(y.x * d.x + y.y * d.y + z * y.z * d.z)
    return s / square if -beyond * square < s < (1.0 + beyond) * square else NOWHERE


class Face(NamedTuple):
    """A flat face, in the frame of a surface: a corner, from there to the next and the last one, and its normal."""

    y: Vec3
    d: Vec3
    e: Vec3
    m: Vec3


@helper
def face_frame(poses, balls, first, corners, X):
    """The face whose corners are these balls."""
    y = in_frame(poses, balls, first, X)
    d, e = sub(in_frame(poses, balls, first + 1, X), y), sub(in_frame(poses, balls, first + corners - 1, X), y)
    m = cross(d, e)
    return Face(y, d, e, scale(1.0 / math.sqrt(dot(m, m)), m))


@separate
def on_face(poses, balls, first, corners, X, fields, surface, beyond, t):
    """Where within a face a surface is nearest, or beyond its border by up to such a share of its size."""
    kind = int(surface[S_KIND])
    y, d, e, m = face_frame(poses, balls, first, corners, X)
    size = math.sqrt(dot(d, d)) + math.sqrt(dot(e, e))
    none = Spot(y, d, e, NOWHERE)
    if is_field(fields, surface):
        middle = Vec3(0.0, 0.0, 0.0)
        for k in range(corners):
            middle = add(middle, scale(1.0 / corners, in_frame(poses, balls, first + k, X)))
        found, p = nearest_within(fields, surface, middle, d, e, size, t)
        if not found:
            return none
    elif surface[S_SIDE] < 0.0 or kind == PLANE or kind == CYLINDER:
        return none
    else:
        c = Vec3(0.0, 0.0, 0.0)
        if kind != SPHERE:
            across = math.sqrt(m.x * m.x + m.y * m.y)
            if not across > 0.0:
                return none
            c = Vec3(-surface[S_MAJOR] * m.x / across, -surface[S_MAJOR] * m.y / across, 0.0)
        p = add(c, scale(dot(sub(y, c), m), m))
    inside, a = math.inf, in_frame(poses, balls, first + corners - 1, X)
    for k in range(corners):
        b = in_frame(poses, balls, first + k, X)
        edge = sub(b, a)
        inside = min(inside, dot(m, cross(edge, sub(p, a))) / (size * math.sqrt(dot(edge, edge))))
        a = b
    return Spot(p, d, e, inside) if inside > -beyond else none


@helper
def along_axis(surface, y):
    """How far a place is from the ends of a cylinder that has some, as a share of its length."""
    bounded = int(surface[S_KIND]) == CYLINDER and surface[S_MINOR] > 0.0
    return 0.5 * (1.0 - abs(y.z) / surface[S_MINOR]) if bounded else math.inf


@helper
def nearest_spot(poses, balls, meeting, X, fields, surface, beyond, t):
    """Where the solid of a meeting comes nearest to a surface in the frame X."""
    i, end, corners = int(meeting[M_BALL]), int(meeting[M_END]), int(meeting[M_CORNERS])
    if corners > 0:
        return on_face(poses, balls, i, corners, X, fields, surface, beyond, t)
    y, none = in_frame(poses, balls, i, X), Vec3(0.0, 0.0, 0.0)
    d, inside = none, math.inf
    if end >= 0:
        d = sub(in_frame(poses, balls, end, X), y)
        s = on_edge(fields, surface, meeting[M_HALF], y, d, beyond, t)
        if s == NOWHERE:
            return Spot(y, d, none, NOWHERE)
        y, inside = add(y, scale(s, d)), min(s, 1.0 - s)
    if int(meeting[M_SKIPPED]) == 0:  # no ball around others
        inside = min(inside, along_axis(surface, y))
    return Spot(y, d, none, inside if inside > -beyond else NOWHERE)
