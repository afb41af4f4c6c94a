"""Sine and cosine of a float, or of each lane of a pack."""

from linkwork.kernels.numba_ext import fabs, floor, strict, where

# π/2 in three parts whose products with integers up to 2²⁰ are exact (Cody and Waite), and 2/π.
_PART_1, _PART_2, _PART_3 = 1.5707963267341256, 6.0771005063039660e-11, 2.0222662487959506e-21
_TWO_OVER_PI = 0.6366197723675814
_LOST = 1e15  # rad: beyond, floats are so far apart that any angle is as good


@strict
def sincos(x):
    """Sine and cosine of a float or of each lane.

    Within 0.8 of the last digit up to ±1e6 rad; beyond, to about the spacing of floats near x; from ±1e15 rad on, those
    of zero.
    """
    x = where(fabs(x) < _LOST, x, x - x)
    k = floor(x * _TWO_OVER_PI + 0.5)
    a, b, d = x - k * _PART_1, k * _PART_2, k * _PART_3  # a and b are exact
    ab = a - b
    r = ab - d
    tail = ((a - ab) - b) + ((ab - r) - d)  # what r lacks of a − b − d
    z = r * r
    # minimax polynomials on ±π/4
    s = r + (tail + r * z * (
        -1.66666666666666324348e-01
        + z * (8.33333333332248946124e-03
        + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06
        + z * (-2.50507602534068634195e-08
        + z * 1.58969099521155010221e-10))))
    ))  # fmt: skip
    w = 1.0 - 0.5 * z
    c = w + ((((1.0 - w) - 0.5 * z) - r * tail) + z * z * (
        4.16666666666666019037e-02
        + z * (-1.38888888888741095749e-03
        + z * (2.48015872894767294178e-05
        + z * (-2.75573143513906633035e-07
        + z * (2.08757232129817482790e-09
        - z * 1.13596475577881948265e-11))))
    ))  # fmt: skip
    half = floor(k * 0.5)
    odd = k - 2.0 * half > 0.5  # quarter turns swap the two
    turned = half - 2.0 * floor(half * 0.5) > 0.5  # half turns change signs
    sine = where(odd, c, s)
    cosine = where(odd, -s, c)
    return where(turned, -sine, sine), where(turned, -cosine, cosine)
