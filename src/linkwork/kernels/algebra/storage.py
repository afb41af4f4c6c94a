"""Reading and writing algebra: `a` is an array of scalars, k the place of the first."""

from linkwork.kernels.algebra.spatial import ArticulatedInertia, Motion, Wrench, Xform
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3
from linkwork.kernels.numba_ext import helper, load, scalar, store


@helper
def load_vec(a, k):
    return Vec3(load(a, k), load(a, k + 1), load(a, k + 2))


@helper
def store_vec(a, k, x):
    store(a, k, x.x)
    store(a, k + 1, x.y)
    store(a, k + 2, x.z)


@helper
def load_mat(a, k):
    return Mat3(
        load(a, k), load(a, k + 1), load(a, k + 2),
        load(a, k + 3), load(a, k + 4), load(a, k + 5),
        load(a, k + 6), load(a, k + 7), load(a, k + 8),
    )  # fmt: skip


@helper
def store_mat(a, k, x):
    store(a, k, x.xx)
    store(a, k + 1, x.xy)
    store(a, k + 2, x.xz)
    store(a, k + 3, x.yx)
    store(a, k + 4, x.yy)
    store(a, k + 5, x.yz)
    store(a, k + 6, x.zx)
    store(a, k + 7, x.zy)
    store(a, k + 8, x.zz)


@helper
def load_sym(a, k):
    return Sym3(load(a, k), load(a, k + 1), load(a, k + 2), load(a, k + 3), load(a, k + 4), load(a, k + 5))


@helper
def store_sym(a, k, x):
    store(a, k, x.xx)
    store(a, k + 1, x.xy)
    store(a, k + 2, x.xz)
    store(a, k + 3, x.yy)
    store(a, k + 4, x.yz)
    store(a, k + 5, x.zz)


@helper
def load_pose(a, k):
    """A transform: rotation, then position."""
    return Xform(load_mat(a, k), load_vec(a, k + 9))


@helper
def store_pose(a, k, X):
    store_mat(a, k, X.R)
    store_vec(a, k + 9, X.p)


@helper
def load_motion(a, k):
    return Motion(load_vec(a, k), load_vec(a, k + 3))


@helper
def store_motion(a, k, x):
    store_vec(a, k, x.v)
    store_vec(a, k + 3, x.w)


@helper
def load_wrench(a, k):
    return Wrench(load_vec(a, k), load_vec(a, k + 3))


@helper
def store_wrench(a, k, x):
    store_vec(a, k, x.f)
    store_vec(a, k + 3, x.n)


@helper
def add_wrench(a, k, x):
    """Add the wrench x to the one at k."""
    store_vec(a, k, Vec3(load(a, k) + x.f.x, load(a, k + 1) + x.f.y, load(a, k + 2) + x.f.z))
    store_vec(a, k + 3, Vec3(load(a, k + 3) + x.n.x, load(a, k + 4) + x.n.y, load(a, k + 5) + x.n.z))


@helper
def load_articulated(a, k):
    return ArticulatedInertia(load_sym(a, k), load_mat(a, k + 6), load_sym(a, k + 15))


@helper
def store_articulated(a, k, x):
    store_sym(a, k, x.J)
    store_mat(a, k + 6, x.H)
    store_sym(a, k + 15, x.M)


@helper
def as_vec(a, x):
    """A vector of plain numbers as one of the scalars that `a` holds."""
    return Vec3(scalar(a, x.x), scalar(a, x.y), scalar(a, x.z))


@helper
def as_sym(a, x):
    """A symmetric matrix of plain numbers as one of the scalars that `a` holds."""
    return Sym3(
        scalar(a, x.xx), scalar(a, x.xy), scalar(a, x.xz), scalar(a, x.yy), scalar(a, x.yz), scalar(a, x.zz)
    )  # fmt: skip


@helper
def as_mat(a, x):
    """A matrix of plain numbers as one of the scalars that `a` holds."""
    return Mat3(
        scalar(a, x.xx), scalar(a, x.xy), scalar(a, x.xz),
        scalar(a, x.yx), scalar(a, x.yy), scalar(a, x.yz),
        scalar(a, x.zx), scalar(a, x.zy), scalar(a, x.zz),
    )  # fmt: skip
