"""The contact problem of one contact by itself, in closed form but for one root; see `problem` for the symbols."""

import math

from linkwork.kernels.contact.modes import OPEN, SLIP, STICK
from linkwork.kernels.numba_ext import helper


@helper
def one_contact(a, g_n, g_1, g_2, mu):
    """λ of one contact by itself, and its mode; `a` is its block of G: (nn, n1, n2, 11, 12, 22)."""
    nn, n1, n2 = a[0], a[1], a[2]
    if g_n >= 0.0 or not nn > 0.0:
        return 0.0, 0.0, 0.0, OPEN
    if not mu > 0.0:
        return -g_n / nn, 0.0, 0.0, SLIP
    s11, s12, s22 = a[3] - n1 * n1 / nn, a[4] - n1 * n2 / nn, a[5] - n2 * n2 / nn
    h1, h2 = g_1 - n1 * g_n / nn, g_2 - n2 * g_n / nn
    # S in its eigenbasis: values e0 ≥ e1, first vector (c, s)
    mean, half = 0.5 * (s11 + s22), 0.5 * (s11 - s22)
    r = math.sqrt(half * half + s12 * s12)
    c, s = 1.0, 0.0
    if r > 0.0:
        x, y = (half + r, s12) if half >= 0.0 else (s12, r - half)
        size = math.sqrt(x * x + y * y)
        c, s = x / size, y / size
    floor = 1e-12 * (a[3] + a[5] + nn)  # what rounding leaves of a direction that cannot move
    e0, e1 = max(mean + r, floor), max(mean - r, floor)
    p0, p1 = -(c * h1 + s * h2), s * h1 - c * h2
    w0, w1 = c * n1 + s * n2, -s * n1 + c * n2
    l0, l1 = p0 / e0, p1 / e1
    ln = -(g_n + w0 * l0 + w1 * l1) / nn
    if ln >= 0.0 and l0 * l0 + l1 * l1 <= mu * mu * ln * ln:
        return ln, c * l0 - s * l1, s * l0 + c * l1, STICK
    # It slips: the root α > 0 of |λ_t| = μ λ_n, by Newton's method on 1/|λ_t| − 1/(μ λ_n), kept between its bounds
    low, high, alpha = 0.0, -1.0, 1e-3 * mean
    for _ in range(200):
        d0, d1 = e0 + alpha, e1 + alpha
        l0, l1 = p0 / d0, p1 / d1
        ln = -(g_n + w0 * l0 + w1 * l1) / nn
        lt = math.sqrt(l0 * l0 + l1 * l1)
        miss = lt - mu * ln
        if abs(miss) <= 4e-16 * (lt + mu * abs(ln)):
            break
        if miss > 0.0:
            low = alpha
        else:
            high = alpha
        if high >= 0.0 and high - low <= 1e-16 * high:
            break
        new = -1.0
        if ln > 0.0 and lt > 0.0:
            m0, m1 = -l0 / d0, -l1 / d1
            dt, dn = (l0 * m0 + l1 * m1) / lt, -(w0 * m0 + w1 * m1) / nn
            slope = -dt / (lt * lt) + dn / (mu * ln * ln)
            if slope != 0.0:
                new = alpha - (1.0 / lt - 1.0 / (mu * ln)) / slope
        if not (new > low and (high < 0.0 or new < high)):
            new = 0.5 * (low + high) if high >= 0.0 else 4.0 * alpha + mean
        alpha = new
    if lt > 0.0:  # onto the cone to the last digit
        l0, l1 = l0 * mu * ln / lt, l1 * mu * ln / lt
    return ln, c * l0 - s * l1, s * l0 + c * l1, SLIP
