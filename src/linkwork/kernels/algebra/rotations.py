"""Rotations and rigid motions: quaternions, rotation vectors, screws, and the way from one to the other.

References: [Sola2018] eqs 134, 136, 158, 163, 172, 179.
"""

from linkwork.kernels.algebra.storage import store_vec
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, add, cross, dot, scale, sub
from linkwork.kernels.numba_ext import any_of, atan2, helper, like, sqrt, store, where

_SMALL = 1e-3  # rad; below it series in the square of the angle, whose next term is below 1e-17


@helper
def exp_quaternion(w):
    """Quaternion (vector part, real part) of the rotation vector w."""
    t2 = dot(w, w)
    t = sqrt(t2)
    s, c = sincos(0.5 * t)
    small = t < _SMALL
    factor = where(small, 0.5 - t2 * (1.0 / 48.0 - t2 / 3840.0), s / where(small, 1.0, t))
    return scale(factor, w), c


@helper
def log_quaternion(u, r):
    """Rotation vector, of at most half a turn, of the quaternion (u, r)."""
    s2 = dot(u, u)
    s = sqrt(s2)
    sign = where(r < 0.0, -1.0, 1.0)
    r = sign * r
    small = s < _SMALL
    x2 = s2 / (r * r)
    series = 2.0 / r * (1.0 - x2 * (1.0 / 3.0 - x2 * (1.0 / 5.0 - x2 / 7.0)))
    return scale(sign * where(small, series, 2.0 * atan2(s, r) / where(small, 1.0, s)), u)


@helper
def quaternion_product(u, r, x, s):
    """(u, r) times (x, s)."""
    return add(add(scale(r, x), scale(s, u)), cross(u, x)), r * s - dot(u, x)


@helper
def store_quaternion(q, k, u, r):
    """Write a quaternion xyzw, brought to unit length."""
    n = 1.0 / sqrt(dot(u, u) + r * r)
    store_vec(q, k, scale(n, u))
    store(q, k + 3, n * r)


@helper
def screw(w, v, inverse):
    """V(w) v, the way of a point that moves with v while its frame turns by w; or V(w)⁻¹ v."""
    t2 = dot(w, w)
    t = sqrt(t2)
    s, c = sincos(t)
    small = t < 0.05
    safe = where(small, 1.0, t2)
    safe_t = where(small, 1.0, t)
    # (1 − cos t)/t², (t − sin t)/t³
    b = where(
        small,
        0.5 - t2 * (1.0 / 24.0 - t2 * (1.0 / 720.0 - t2 * (1.0 / 40320.0 - t2 / 3628800.0))),
        (1.0 - c) / safe,
    )
    e = where(
        small,
        1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 * (1.0 / 5040.0 - t2 * (1.0 / 362880.0 - t2 / 39916800.0))),
        (safe_t - s) / (safe * safe_t),
    )
    wv = cross(w, v)
    if not inverse:
        return add(v, add(scale(b, wv), scale(e, cross(w, wv))))
    # 1 − w×/2 + (1/t² − (1 + cos t)/(2 t sin t)) w×w×, the factor being (1 − a/(2b))/t² with a = sin t / t
    a = 1.0 - t2 * e
    factor = where(small, 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 / 30240.0), (1.0 - 0.5 * a / b) / safe)
    return add(sub(v, scale(0.5, wv)), scale(factor, cross(w, wv)))


@helper
def inverse_exponential_rate(t2):
    """(c₂, c₄) of dexp⁻¹(u) = 1 + ½ ad + c₂ ad² + c₄ ad⁴, u being a rigid motion that turns by the angle t; t2 is t².

    With g = ½ t cot ½ t and its derivative g' by t²: ad has the eigenvalues 0 and ±i t, the latter twice, so the
    polynomial has the values and slopes of the function there.
    """
    t = sqrt(t2)
    s, c = sincos(0.5 * t)
    small = t < 0.1
    safe, safe_s = where(small, 1.0, t2), where(small, 1.0, s)
    g = 0.5 * t * c / safe_s
    slope = 0.25 * (c / (where(small, 1.0, t) * safe_s) - 0.5 / (safe_s * safe_s))
    rest = 1.0 - g
    c2 = (2.0 * rest + slope * t2) / safe
    c4 = (rest + slope * t2) / (safe * safe)
    return (
        where(small, 1.0 / 12.0 - t2 * t2 * (1.0 / 30240.0 + t2 / 604800.0), c2),
        where(small, -1.0 / 720.0 - t2 * (1.0 / 15120.0 + t2 * (1.0 / 403200.0 + t2 / 11975040.0)), c4),
    )


@helper
def turned(angle):
    """Rz(angle)."""
    s, c = sincos(angle)
    zero = like(angle, 0.0)
    return Mat3(c, -s, zero, s, c, zero, zero, zero, like(angle, 1.0))


@helper
def rotation_vector(R):
    """Axis times angle of a rotation, right to the last digits near the identity and at any angle below π."""
    a = Vec3(0.5 * (R.zy - R.yz), 0.5 * (R.xz - R.zx), 0.5 * (R.yx - R.xy))
    s = sqrt(dot(a, a))
    angle = atan2(s, 0.5 * (R.xx + R.yy + R.zz - 1.0))
    tiny = s <= 1e-8
    a = scale(where(tiny, 1.0, angle / where(tiny, 1.0, s)), a)
    turned_over = where(tiny, angle, 0.0) >= 1.0
    if not any_of(turned_over):
        return a
    # half a turn: the axis is the largest column of (R + 1)/2
    x, y, z = R.xx + 1.0, R.yy + 1.0, R.zz + 1.0
    axis = choose(y >= z, Vec3(R.xy, y, R.zy), Vec3(R.xz, R.yz, z))
    axis = choose(x >= where(y >= z, y, z), Vec3(x, R.yx, R.zx), axis)
    return choose(turned_over, scale(angle / sqrt(dot(axis, axis)), axis), a)


@helper
def choose(mask, a, b):
    """The vector a where the mask holds, else b."""
    return Vec3(where(mask, a.x, b.x), where(mask, a.y, b.y), where(mask, a.z, b.z))


@helper
def write_quaternion(R, out, k):
    """Unit quaternion xyzw, w ≥ 0, of a rotation."""
    u = rotation_vector(R)
    angle = sqrt(dot(u, u))
    s, c = sincos(0.5 * angle)
    store_vec(out, k, scale(where(angle > 1e-12, s / where(angle > 1e-12, angle, 1.0), 0.5), u))
    store(out, k + 3, c)
