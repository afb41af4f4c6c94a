"""Vectors of three dimensions in packs of four, and matrices as three such rows: one state in wide registers.

The last lane is idle: what is in it never comes into the others.
"""

from typing import Any, NamedTuple

from linkwork.kernels.algebra.spatial import ArticulatedInertia
from linkwork.kernels.algebra.vec3 import Mat3, Sym3
from linkwork.kernels.numba_ext import four, helper, lane, load, load4, store4, strict, transpose4, yzx


class Rows(NamedTuple):
    """A matrix, row by row."""

    x: Any
    y: Any
    z: Any


class InertiaRows(NamedTuple):
    """An articulated inertia as in `spatial.ArticulatedInertia`: n = J w + H v, f = Hᵀ w + M v."""

    J: Rows
    H: Rows
    M: Rows


@helper
def row_cross(a, b):
    """a × b."""
    return yzx(a * yzx(b) - yzx(a) * b)


@helper
def row_dot(a, b):
    c = a * b
    return lane(c, 0) + lane(c, 1) + lane(c, 2)


@helper
def rows_add(A, B):
    return Rows(A.x + B.x, A.y + B.y, A.z + B.z)


@helper
def combined(x, A):
    """Aᵀ x: the sum of the rows of A, each times an entry of x."""
    return lane(x, 0) * A.x + lane(x, 1) * A.y + lane(x, 2) * A.z


@helper
def rows_mul(A, x):
    """A x."""
    return four(row_dot(A.x, x), row_dot(A.y, x), row_dot(A.z, x), 0.0)


@strict
def minus_outer(A, r, a, b):
    """A − r a bᵀ; of a symmetric matrix, with a = b, to the last bit symmetric."""
    return Rows(A.x - r * (lane(a, 0) * b), A.y - r * (lane(a, 1) * b), A.z - r * (lane(a, 2) * b))


@helper
def skew_rows(p, A):
    """p× A."""
    x, y, z = lane(p, 0), lane(p, 1), lane(p, 2)
    return Rows(y * A.z - z * A.y, z * A.x - x * A.z, x * A.y - y * A.x)


@helper
def inertia_rows_add(A, B):
    return InertiaRows(rows_add(A.J, B.J), rows_add(A.H, B.H), rows_add(A.M, B.M))


@helper
def rigid_rows(m, hx, hy, hz, J):
    """The inertia of a body: its mass, first moment and second moment."""
    x, y, z = four(1.0, 0.0, 0.0, 0.0), four(0.0, 1.0, 0.0, 0.0), four(0.0, 0.0, 1.0, 0.0)
    H = Rows(hy * z - hz * y, hz * x - hx * z, hx * y - hy * x)
    return InertiaRows(J, H, Rows(m * x, m * y, m * z))


@strict
def shifted_rows(p, A):
    """The articulated inertia A, its origin at p, seen from the origin.

    As `spatial.shifted`, M' = M, H' = H + P M, J' = J + P Hᵀ + H' Pᵀ, in terms of T = (H + ½ P M) Pᵀ: the sum of the
    last two is T + Tᵀ, to the last bit symmetric.
    """
    W, H = skew_rows(p, A.M), A.H
    x, y, z = row_cross(p, H.x + 0.5 * W.x), row_cross(p, H.y + 0.5 * W.y), row_cross(p, H.z + 0.5 * W.z)
    tx, ty, tz, _ = transpose4(x, y, z, 0.0 * x)
    J = Rows(A.J.x + (x + tx), A.J.y + (y + ty), A.J.z + (z + tz))
    return InertiaRows(J, rows_add(H, W), A.M)


# Twelve numbers of a matrix, and 36 of an inertia, from place k on


@helper
def load_rows(a, k):
    return Rows(load4(a, k), load4(a, k + 4), load4(a, k + 8))


@helper
def store_rows(a, k, A):
    store4(a, k, A.x)
    store4(a, k + 4, A.y)
    store4(a, k + 8, A.z)


@helper
def load_inertia_rows(a, k):
    return InertiaRows(load_rows(a, k), load_rows(a, k + 12), load_rows(a, k + 24))


@helper
def store_inertia_rows(a, k, A):
    store_rows(a, k, A.J)
    store_rows(a, k + 12, A.H)
    store_rows(a, k + 24, A.M)


@helper
def load_row_mat(a, k):
    """Rows as a matrix of numbers."""
    return Mat3(
        load(a, k), load(a, k + 1), load(a, k + 2),
        load(a, k + 4), load(a, k + 5), load(a, k + 6),
        load(a, k + 8), load(a, k + 9), load(a, k + 10),
    )  # fmt: skip


@helper
def upper(A):
    return Sym3(A.xx, A.xy, A.xz, A.yy, A.yz, A.zz)


@helper
def row_articulated(a, k):
    """The rows of an inertia as numbers."""
    return ArticulatedInertia(upper(load_row_mat(a, k)), load_row_mat(a, k + 12), upper(load_row_mat(a, k + 24)))


@helper
def sym_rows(S):
    return Rows(four(S.xx, S.xy, S.xz, 0.0), four(S.xy, S.yy, S.yz, 0.0), four(S.xz, S.yz, S.zz, 0.0))


@helper
def as_rows(A):
    """An articulated inertia of numbers as rows."""
    H = A.H
    rows = Rows(four(H.xx, H.xy, H.xz, 0.0), four(H.yx, H.yy, H.yz, 0.0), four(H.zx, H.zy, H.zz, 0.0))
    return InertiaRows(sym_rows(A.J), rows, sym_rows(A.M))
