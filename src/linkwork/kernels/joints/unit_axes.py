"""Unit motions along and about the axes of a frame, numbered (vx, vy, vz, wx, wy, wz)."""

from linkwork.kernels.algebra.vec3 import Vec3
from linkwork.kernels.numba_ext import helper, store


@helper
def one(condition):
    return 1.0 if condition else 0.0


@helper
def unit_vectors(c):
    """The c-th unit vector of six, in two halves."""
    return Vec3(one(c == 0), one(c == 1), one(c == 2)), Vec3(one(c == 3), one(c == 4), one(c == 5))


@helper
def unit_row(out, k, c):
    """Write the c-th unit vector of six at k."""
    for j in range(6):
        store(out, k + j, one(j == c))
