"""Prismatic: translation by q along z. In a tree it is a helical stage that does not turn; this is the loop joint."""

from linkwork.kernels.algebra.spatial import Xform
from linkwork.kernels.algebra.vec3 import Vec3, identity
from linkwork.kernels.numba_ext import helper, like, store


@helper
def coordinates(p, out, k):
    """Write the coordinate that brings the virtual link nearest to a pose; where it then stands."""
    store(out, k, p.z)
    zero = like(p.z, 0.0)
    return Xform(identity(like(p.z, 1.0), zero), Vec3(zero, zero, p.z))


@helper
def moves_along(c):
    """Whether it moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    return c == 2
