"""Cylindrical: translation along z and rotation about it, q = (distance, angle).

In a tree it is two stages, a helical one that only slides and a revolute one.
"""

from linkwork.kernels.algebra.rotations import turned
from linkwork.kernels.algebra.spatial import Motion, Xform
from linkwork.kernels.algebra.vec3 import Vec3
from linkwork.kernels.numba_ext import helper, in_place, like, load, store

# Rows of virtual work


@in_place
def rows(a, k, held):
    """The joint's numbers at the rows that are free, `held` in the others."""
    return Motion(Vec3(held, held, load(a, k)), Vec3(held, held, load(a, k + 1)))


@in_place
def store_rows(a, k, m):
    """Write the rows that are free."""
    store(a, k, m.v.z)
    store(a, k + 1, m.w.z)


# A loop joint


@helper
def coordinates(twist, p, out, k):
    """Write the coordinates that bring the virtual link nearest to a pose; where it then stands."""
    store(out, k, p.z)
    store(out, k + 1, twist)
    zero = like(twist, 0.0)
    return Xform(turned(twist), Vec3(zero, zero, p.z))


@helper
def moves_along(c):
    """Whether it moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    return c == 2 or c == 5
