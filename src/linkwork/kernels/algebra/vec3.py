"""Vectors and matrices of three dimensions, as named tuples of scalars.

A scalar is a float, a pack of several states, or anything else with arithmetic: every function here is written once
for all of them, and the compiler keeps the numbers in registers.
"""

from typing import NamedTuple

from linkwork.kernels.numba_ext import fabs, helper


class Vec3(NamedTuple):
    """A vector."""

    x: float
    y: float
    z: float


class Mat3(NamedTuple):
    """A matrix, row by row."""

    xx: float
    xy: float
    xz: float
    yx: float
    yy: float
    yz: float
    zx: float
    zy: float
    zz: float


class Sym3(NamedTuple):
    """A symmetric matrix: its upper triangle, row by row."""

    xx: float
    xy: float
    xz: float
    yy: float
    yz: float
    zz: float


@helper
def add(a, b):
    return Vec3(a.x + b.x, a.y + b.y, a.z + b.z)


@helper
def sub(a, b):
    return Vec3(a.x - b.x, a.y - b.y, a.z - b.z)


@helper
def neg(a):
    return Vec3(-a.x, -a.y, -a.z)


@helper
def scale(s, a):
    return Vec3(s * a.x, s * a.y, s * a.z)


@helper
def dot(a, b):
    return a.x * b.x + a.y * b.y + a.z * b.z


@helper
def size(a):
    """A bound of the length of a vector: the sum of its entries' magnitudes."""
    return fabs(a.x) + fabs(a.y) + fabs(a.z)


@helper
def cross(a, b):
    return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


@helper
def transpose(A):
    return Mat3(A.xx, A.yx, A.zx, A.xy, A.yy, A.zy, A.xz, A.yz, A.zz)


@helper
def full(S):
    """The symmetric matrix S with all its entries."""
    return Mat3(S.xx, S.xy, S.xz, S.xy, S.yy, S.yz, S.xz, S.yz, S.zz)


@helper
def mul(A, b):
    """A b."""
    return Vec3(
        A.xx * b.x + A.xy * b.y + A.xz * b.z,
        A.yx * b.x + A.yy * b.y + A.yz * b.z,
        A.zx * b.x + A.zy * b.y + A.zz * b.z,
    )


@helper
def tmul(A, b):
    """Aᵀ b."""
    return mul(transpose(A), b)


@helper
def sym_mul(S, b):
    """S b, S symmetric."""
    return mul(full(S), b)


@helper
def mat_mul(A, B):
    """A B."""
    return Mat3(
        A.xx * B.xx + A.xy * B.yx + A.xz * B.zx,
        A.xx * B.xy + A.xy * B.yy + A.xz * B.zy,
        A.xx * B.xz + A.xy * B.yz + A.xz * B.zz,
        A.yx * B.xx + A.yy * B.yx + A.yz * B.zx,
        A.yx * B.xy + A.yy * B.yy + A.yz * B.zy,
        A.yx * B.xz + A.yy * B.yz + A.yz * B.zz,
        A.zx * B.xx + A.zy * B.yx + A.zz * B.zx,
        A.zx * B.xy + A.zy * B.yy + A.zz * B.zy,
        A.zx * B.xz + A.zy * B.yz + A.zz * B.zz,
    )


@helper
def mat_mul_t(A, B):
    """A Bᵀ."""
    return mat_mul(A, transpose(B))


@helper
def mat_add(A, B):
    return Mat3(
        A.xx + B.xx, A.xy + B.xy, A.xz + B.xz,
        A.yx + B.yx, A.yy + B.yy, A.yz + B.yz,
        A.zx + B.zx, A.zy + B.zy, A.zz + B.zz,
    )  # fmt: skip


@helper
def mat_sub(A, B):
    return Mat3(
        A.xx - B.xx, A.xy - B.xy, A.xz - B.xz,
        A.yx - B.yx, A.yy - B.yy, A.yz - B.yz,
        A.zx - B.zx, A.zy - B.zy, A.zz - B.zz,
    )  # fmt: skip


@helper
def sym_add(A, B):
    return Sym3(A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz)


@helper
def sym_sub(A, B):
    return Sym3(A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yy - B.yy, A.yz - B.yz, A.zz - B.zz)


@helper
def skew_mul(p, A):
    """p× A."""
    return Mat3(
        p.y * A.zx - p.z * A.yx, p.y * A.zy - p.z * A.yy, p.y * A.zz - p.z * A.yz,
        p.z * A.xx - p.x * A.zx, p.z * A.xy - p.x * A.zy, p.z * A.xz - p.x * A.zz,
        p.x * A.yx - p.y * A.xx, p.x * A.yy - p.y * A.xy, p.x * A.yz - p.y * A.xz,
    )  # fmt: skip


@helper
def rotate_sym(R, S):
    """R S Rᵀ, S symmetric: exactly symmetric."""
    A = mat_mul(R, full(S))
    return Sym3(
        A.xx * R.xx + A.xy * R.xy + A.xz * R.xz,
        A.xx * R.yx + A.xy * R.yy + A.xz * R.yz,
        A.xx * R.zx + A.xy * R.zy + A.xz * R.zz,
        A.yx * R.yx + A.yy * R.yy + A.yz * R.yz,
        A.yx * R.zx + A.yy * R.zy + A.yz * R.zz,
        A.zx * R.zx + A.zy * R.zy + A.zz * R.zz,
    )


@helper
def sym_inverse(S):
    """S⁻¹ and det S, S symmetric; no check: the caller looks at the determinant."""
    xx = S.yy * S.zz - S.yz * S.yz
    xy = S.xz * S.yz - S.xy * S.zz
    xz = S.xy * S.yz - S.xz * S.yy
    det = S.xx * xx + S.xy * xy + S.xz * xz
    r = 1.0 / det
    yy = S.xx * S.zz - S.xz * S.xz
    yz = S.xy * S.xz - S.xx * S.yz
    zz = S.xx * S.yy - S.xy * S.xy
    return Sym3(r * xx, r * xy, r * xz, r * yy, r * yz, r * zz), det


@helper
def identity(one, zero):
    """The unit matrix, of the scalars given."""
    return Mat3(one, zero, zero, zero, one, zero, zero, zero, one)


@helper
def turn_z(R, s, c):
    """R Rz(angle), with the angle's sine and cosine."""
    return Mat3(
        R.xx * c + R.xy * s, R.xy * c - R.xx * s, R.xz,
        R.yx * c + R.yy * s, R.yy * c - R.yx * s, R.yz,
        R.zx * c + R.zy * s, R.zy * c - R.zx * s, R.zz,
    )  # fmt: skip


@helper
def quaternion_matrix(x, y, z, w):
    """Rotation matrix of a quaternion, which need not be exactly of unit length."""
    s = 2.0 / (x * x + y * y + z * z + w * w)
    return Mat3(
        1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
        s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y),
    )  # fmt: skip
