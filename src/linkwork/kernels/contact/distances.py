"""The distance C(y) from a plane, sphere, cylinder or torus, in the frame in which it is simplest, and its derivatives.

Rows of ``surfaces`` are those of `kernels.layout.shapes`; surfaces that are any function are known to `field`.
"""

import math

from linkwork.kernels.algebra.vec3 import Vec3, add, dot, scale, sub
from linkwork.kernels.layout.shapes import CYLINDER, PLANE, S_KIND, S_MAJOR, S_MINOR, S_SIDE, SPHERE
from linkwork.kernels.numba_ext import helper


@helper
def unit(x, y, z, length):
    """A vector over its length; z where that is zero."""
    return Vec3(x / length, y / length, z / length) if length > 0.0 else Vec3(0.0, 0.0, 1.0)


@helper
def flat(w, n):
    """The part of w across the unit vector n."""
    return sub(w, scale(dot(n, w), n))


@helper
def distance(surface, y):
    """C(y), and its gradient."""
    kind, major, side = int(surface[S_KIND]), surface[S_MAJOR], surface[S_SIDE]
    if kind == PLANE:
        return y.z, Vec3(0.0, 0.0, 1.0)
    if kind == SPHERE:
        length = math.sqrt(dot(y, y))
        return side * (length - major), scale(side, unit(y.x, y.y, y.z, length))
    rho = math.sqrt(y.x * y.x + y.y * y.y)
    if kind == CYLINDER:
        return side * (rho - major), scale(side, unit(y.x, y.y, 0.0, rho))
    out, e = rho - major, unit(y.x, y.y, 0.0, rho)
    length = math.sqrt(out * out + y.z * y.z)
    n = unit(out * e.x, out * e.y, y.z, length)
    return side * (length - surface[S_MINOR]), scale(side, n)


@helper
def bent(surface, y, x):
    """H x, with H = ∇²C at y."""
    kind, side = int(surface[S_KIND]), surface[S_SIDE]
    none = Vec3(0.0, 0.0, 0.0)
    if kind == PLANE:
        return none
    z = 1.0 if kind == SPHERE else 0.0
    rho = math.sqrt(y.x * y.x + y.y * y.y + z * y.z * y.z)
    if not rho > 0.0:
        return none
    e = Vec3(y.x / rho, y.y / rho, z * y.z / rho)
    if kind == SPHERE or kind == CYLINDER:
        return scale(side / rho, flat(Vec3(x.x, x.y, z * x.z), e))
    out = rho - surface[S_MAJOR]
    length = math.sqrt(out * out + y.z * y.z)
    if not length > 0.0:
        return none
    n = Vec3(out * e.x / length, out * e.y / length, y.z / length)
    outward = dot(e, x)
    around = sub(Vec3(x.x, x.y, 0.0), scale(outward, e))
    across = sub(add(scale(outward, e), Vec3(0.0, 0.0, x.z)), scale(dot(n, x), n))
    return scale(side / length, add(across, scale(out / rho, around)))
