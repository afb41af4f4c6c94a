"""Fixed: no motion. The kind of a stage without coordinates, and a loop joint that forbids every motion."""

from linkwork.kernels.algebra.spatial import Xform
from linkwork.kernels.algebra.storage import as_mat, as_vec
from linkwork.kernels.algebra.vec3 import Vec3, identity
from linkwork.kernels.numba_ext import exact, helper, in_place, like


@in_place
def transform(R, p, q):
    """Where the stage stands in its parent, whose axes it has at q = 0 by R and p."""
    return Xform(as_mat(q, R), as_vec(q, p))


@helper
def coordinates(p):
    """The pose of a virtual link that cannot move, of scalars like those of p."""
    zero = like(p.x, 0.0)
    return Xform(identity(like(p.x, 1.0), zero), Vec3(zero, zero, zero))


@exact
def precise_motion():
    """Rotation and translation by the joint itself, in double-double."""
    zero, one = (0.0, 0.0), (1.0, 0.0)
    return (one, zero, zero, zero, one, zero, zero, zero, one), (zero, zero, zero)
