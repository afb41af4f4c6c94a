"""Numbers as unevaluated sums of two floats, hi + lo: some 32 digits, for what is otherwise lost where loads cancel.

`plus` is Knuth's sum, which loses nothing; `dot_step` adds one product to a running sum as in the compensated dot
product of Ogita, Rump and Oishi (2005): the result is as good as if computed with twice the digits and then rounded.
Only what needs it is done this way: where a stage stands in its parent (see `linkwork.kernels.joints`), and forces
carried from one to the other.
"""

from fractions import Fraction

from linkwork.kernels.layout import W_INERTIA, W_POSITION, W_ROTATION, WORK_ROW
from linkwork.kernels.numba_ext import exact, fma, load, store

# Where the lower digits of a stage's rotation and position lie in its record; quasi-statics has no use for the place
W_LOW = W_INERTIA
# π/2 in three parts: products of the first two with integers up to 2²⁰ are exact; 2/π
_PART_1, _PART_2, _PART_3 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
_TWO_OVER_PI = 0.6366197723675814
_LOST = 1e15  # rad: beyond, floats are so far apart that any angle is as good
# 1/6, 1/120 and 1/24, 1/720 less what a float holds of them
_SIXTH_LOW, _120TH_LOW, _24TH_LOW, _720TH_LOW = (float(Fraction(1, k) - Fraction(1.0 / k)) for k in (6, 120, 24, 720))


@exact
def plus(a, b):
    """a + b, as hi + lo."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@exact
def dot_step(sum_, a, a_low, b, b_low):
    """sum + a b."""
    p = a * b
    e = fma(a, b, -p)
    s, t = plus(sum_[0], p)
    return s, sum_[1] + (t + (e + (a * b_low + a_low * b)))


@exact
def product(a, b):
    """a b of two pairs."""
    return dot_step((0.0, 0.0), a[0], a[1], b[0], b[1])


@exact
def rest(pair, value):
    """What a pair holds beyond a float near it."""
    return (pair[0] - value) + pair[1]


@exact
def sincos_double(x):
    """Sine and cosine as pairs, within 1e-19 up to ±1e6 rad."""
    # Taylor's series about the nearest multiple of π/2; terms below 1e-4 need no second float
    if abs(x) >= _LOST:
        x = x - x
    k = float(round(x * _TWO_OVER_PI))
    r = plus(x - k * _PART_1, -k * _PART_2)
    r = plus(r[0], r[1] - k * _PART_3)
    z = product(r, r)
    y = z[0]
    tail = y * y * y * (
        -1.0 / 5040 + y * (1.0 / 362880 + y * (-1.0 / 39916800 + y * (1.0 / 6227020800 + y * (
        -1.0 / 1307674368000 + y * (1.0 / 355687428096000 - y * (1.0 / 121645100408832000)))))))  # fmt: skip
    s = plus(1.0 / 120, _120TH_LOW)
    s = dot_step((-1.0 / 6, -_SIXTH_LOW), z[0], z[1], s[0], s[1])
    s = dot_step((1.0, tail), z[0], z[1], s[0], s[1])
    s = product(r, s)
    tail = y * y * y * y * (
        1.0 / 40320 + y * (-1.0 / 3628800 + y * (1.0 / 479001600 + y * (-1.0 / 87178291200 + y * (
        1.0 / 20922789888000 - y * (1.0 / 6402373705728000))))))  # fmt: skip
    c = dot_step((1.0 / 24, _24TH_LOW), z[0], z[1], -1.0 / 720, -_720TH_LOW)
    c = dot_step((-0.5, 0.0), z[0], z[1], c[0], c[1])
    c = dot_step((1.0, tail), z[0], z[1], c[0], c[1])
    quarter = int(k) % 4
    if quarter == 1:
        return c, (-s[0], -s[1])
    if quarter == 2:
        return (-s[0], -s[1]), (-c[0], -c[1])
    if quarter == 3:
        return (-c[0], -c[1]), s
    return s, c


@exact
def turn_about_z(s, c):
    """The rotation about z with this sine and cosine: nine pairs."""
    zero, one = (0.0, 0.0), (1.0, 0.0)
    return c, (-s[0], -s[1]), zero, s, c, zero, zero, zero, one


@exact
def quaternion_double(q, k):
    """Rotation matrix of the quaternion at q[k], which need not be exactly of unit length: nine pairs."""
    x, y, z, w = load(q, k), load(q, k + 1), load(q, k + 2), load(q, k + 3)
    n = (0.0, 0.0)
    for value in (x, y, z, w):
        n = dot_step(n, value, 0.0, value, 0.0)
    n = plus(n[0], n[1])
    s = 2.0 / n[0]
    s = plus(s, (fma(-s, n[0], 2.0) - s * n[1]) / n[0])
    return (
        entry(1.0, s, -y, y, -z, z), entry(0.0, s, x, y, -w, z), entry(0.0, s, x, z, w, y),
        entry(0.0, s, x, y, w, z), entry(1.0, s, -x, x, -z, z), entry(0.0, s, y, z, -w, x),
        entry(0.0, s, x, z, -w, y), entry(0.0, s, y, z, w, x), entry(1.0, s, -x, x, -y, y),
    )  # fmt: skip


@exact
def entry(one, s, a, b, c, d):
    """One + s (a b + c d)."""
    t = dot_step(dot_step((0.0, 0.0), a, 0.0, b, 0.0), c, 0.0, d, 0.0)
    t = plus(t[0], t[1])
    return dot_step((one, 0.0), s[0], s[1], t[0], t[1])


@exact
def wrench_to_parent_twofold(work, i, flat, y, x):
    """y = Xᵀ x of stage i's X: a wrench in the child's frame seen from the parent's, both with lower digits."""
    at, low = WORK_ROW * i, WORK_ROW * i + W_LOW
    for row in range(3):
        f, n = (0.0, 0.0), (0.0, 0.0)
        for j in range(3):
            R, R_low = load(work, at + W_ROTATION + 3 * row + j), load(work, low + 3 * row + j)
            f = dot_step(f, R, R_low, load(flat, 4 * x + j), load(flat, 4 * x + 8 + j))
            n = dot_step(n, R, R_low, load(flat, 4 * x + 3 + j), load(flat, 4 * x + 11 + j))
        store_pair(flat, y, row, f)
        store_pair(flat, y, 3 + row, n)
    for row in range(3):  # moments about the parent's origin: p × f
        j, k = (row + 1) % 3, (row + 2) % 3
        n = load(flat, 4 * y + 3 + row), load(flat, 4 * y + 11 + row)
        p, p_low = load(work, at + W_POSITION + j), load(work, low + 9 + j)
        n = dot_step(n, p, p_low, load(flat, 4 * y + k), load(flat, 4 * y + 8 + k))
        p, p_low = load(work, at + W_POSITION + k), load(work, low + 9 + k)
        n = dot_step(n, -p, -p_low, load(flat, 4 * y + j), load(flat, 4 * y + 8 + j))
        store_pair(flat, y, 3 + row, n)


@exact
def store_pair(flat, y, i, pair):
    """Number i of a vector with lower digits."""
    hi, lo = plus(pair[0], pair[1])
    store(flat, 4 * y + i, hi)
    store(flat, 4 * y + 8 + i, lo)


@exact
def add_vector(rec, y, x, sign):
    """y ± x, written to y; x is a vector, y has lower digits."""
    for k in range(2):
        hi, lo = plus(load(rec, y + k), sign * load(rec, x + k))
        store(rec, y + k, hi)
        store(rec, y + 2 + k, lo + load(rec, y + 2 + k))


@exact
def add_pairs(rec, y, x):
    """y + x, written to y; both have lower digits."""
    for k in range(2):
        hi, lo = plus(load(rec, y + k), load(rec, x + k))
        store(rec, y + k, hi)
        store(rec, y + 2 + k, lo + (load(rec, y + 2 + k) + load(rec, x + 2 + k)))


@exact
def add_rounded(rec, y, x, z):
    """y = x + z, x with lower digits; y and z are vectors."""
    for k in range(2):
        hi, lo = plus(load(rec, x + k), load(rec, z + k))
        store(rec, y + k, hi + (lo + load(rec, x + 2 + k)))
