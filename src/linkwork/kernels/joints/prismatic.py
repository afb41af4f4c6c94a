"""Prismatic: translation by q along z. In a tree it is a helical stage that does not turn; this is the loop joint."""

from linkwork.kernels.algebra.spatial import Xform
from linkwork.kernels.algebra.vec3 import Vec3, identity
from linkwork.kernels.numba_ext import helper


@helper
def coordinates(p, out, k):
    """Write the coordinate that brings the virtual link nearest to a pose; where it then stands."""
    out[k] = p.z
    return Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, p.z))


@helper
def moves_along(c):
    """Whether it moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    return c == 2
