"""Packs, rows of four and floats: every operation equals NumPy's on the same numbers, lane by lane."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.numba_ext import (
    JIT_DISABLED,
    WIDTH,
    Kernel,
    aligned,
    any_of,
    atan2,
    fabs,
    floor,
    helper,
    load,
    load_row,
    scalar,
    sqrt,
    store,
    store_row,
    transpose4,
    where,
)

NAN, INF = math.nan, math.inf
X = np.array([1.5, -2.25, 0.0, 7.0, -0.0, 3.5, NAN, -INF])
Y = np.array([0.5, -2.25, 4.0, -1.0, 2.0, NAN, 1.0, 8.0])

pytestmark = pytest.mark.nojit


def packs(n):
    """Room for n scalars of a batch: packs, or floats in plain mode."""
    return aligned(n)


def fours(n):
    """Room for n rows of four numbers."""
    return np.empty((n, 1, 4))


def arranged(x, room):
    """Numbers in an array of such scalars, the last one filled up with ones."""
    width = room(1).size
    rows = room(-(-len(x) // width))
    rows[...] = 1.0
    rows.reshape(-1)[: len(x)] = x
    return rows


def compiled(function, tmp_path, monkeypatch):
    """An entry point of a function of two scalars, kept in a folder of its own."""
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))
    operation = helper(function)

    def run(x, y, out):
        for k in range(x.shape[0]):
            store(out, k, operation(load(x, k), load(y, k)))
        return 0

    return Kernel(run, f"test_{function.__name__}")


def add(x, y):
    return x + y


def subtract(x, y):
    return x - y


def multiply(x, y):
    return x * y


def divide(x, y):
    return x / y


def with_numbers(x, y):
    """A number on either side of every operator, integers too."""
    return (1.5 + x) * 2 - (3 - y) / 4.0 + 1 / (y * y + 2)


def negate(x, y):
    return -x


def in_place(x, y):
    x += y
    x *= y
    x -= 1.0
    x /= 3.0
    return x


def root(x, y):
    return sqrt(fabs(x))


def down(x, y):
    return floor(x) + floor(y)


def angle(x, y):
    return atan2(y, x)


def less(x, y):
    return where(x < y, x, y)


def at_most(x, y):
    return where(x <= y, 1.0, 2.0)


def greater(x, y):
    return where(x > y, x, 0)


def at_least(x, y):
    return where(x >= y, 1, y)


def equal(x, y):
    return where(x == y, 1.0, 0.0)


def unequal(x, y):
    return where(x != y, 1.0, 0.0)


def both(x, y):
    return where((x > 0.0) & (y > 0.0), 1.0, 0.0)


def either(x, y):
    return where((x > 0.0) | (y > 0.0), 1.0, 0.0)


def is_nan(x, y):
    return where(x != x, 1.0, 0.0)


def expected(function, x, y):
    """What NumPy makes of it: the operations fall back to it when nothing is compiled."""
    with np.errstate(all="ignore"):
        return np.asarray(function(x.copy(), y.copy()) + np.zeros_like(x))


OPERATIONS = [
    add, subtract, multiply, divide, with_numbers, negate, in_place, root, down, angle, less, at_most, greater,
    at_least, equal, unequal, both, either, is_nan,
]  # fmt: skip


@pytest.mark.parametrize("function", OPERATIONS, ids=lambda f: f.__name__)
def test_operation(function, tmp_path, monkeypatch):
    kernel = compiled(function, tmp_path, monkeypatch)
    want = expected(function, X, Y)
    kinds = [packs, fours] if function is not angle else [packs]
    for room in kinds if JIT_DISABLED else [*kinds, np.empty]:
        x, y = arranged(X, room), arranged(Y, room)
        out = np.empty_like(x)
        with np.errstate(all="ignore"):
            kernel(x, y, out)
        # Fused operations round less often; NaN and infinity must be where NumPy has them.
        np.testing.assert_allclose(out.reshape(-1)[: len(X)], want, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("room", [packs, fours])
def test_any_of_sees_each_lane(room, tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))

    def run(x, out):
        for k in range(x.shape[0]):
            out[k] = 1.0 if any_of(load(x, k) > 0.5) else 0.0
        return 0

    kernel = Kernel(run, "test_any")
    width = room(1).size
    x = room(width + 2)
    flat = x.reshape(-1)
    flat[:] = 0.0
    for lane in range(width):
        flat[width * lane + lane] = 1.0
    flat[width * width] = NAN  # compares false
    out = np.empty(len(x))
    kernel(x, out)
    assert out.tolist() == [1.0] * width + [0.0, 0.0]


def test_scalar_has_the_kind_of_its_array(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))

    def run(x):
        store(x, 0, scalar(x, 2) + 0.5)
        return 0

    kernel = Kernel(run, "test_scalar")
    for x in (np.zeros(3), packs(3), fours(3)):
        x[...] = 0.0
        kernel(x)
        assert (x[0] == 2.5).all()
        assert not x[1:].any()


def test_rows_of_eight_and_their_transpose(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))

    def run(x, out):
        store_row(out, 0, 2.0 * load_row(x, 0))
        a, b, c, d = transpose4(load(x, 0), load(x, 1), load(x, 2), load(x, 3))
        store(out, 2, a)
        store(out, 3, b)
        store(out, 4, c)
        store(out, 5, d)
        return 0

    x, out = np.arange(16.0).reshape(4, 1, 4), fours(6)
    Kernel(run, "test_rows")(x, out)
    assert (out[:2] == 2.0 * x[:2]).all()
    assert (out[2:, 0] == x[:, 0].T).all()


@pytest.mark.internals
def test_transpose_block(tmp_path, monkeypatch):
    from linkwork.kernels.numba_ext.fast.transposition import transpose_block

    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))

    def run(source, target):
        transpose_block(source, 3, 10, target, 0, WIDTH)
        return 0

    source = np.arange(10.0 * WIDTH + 3).reshape(1, -1)
    target = np.zeros((WIDTH, WIDTH))
    Kernel(run, "test_transpose")(source, target)
    want = np.array([[source[0, 3 + 10 * i + j] for i in range(WIDTH)] for j in range(WIDTH)])
    assert (target == want).all()


@pytest.mark.internals
@pytest.mark.parametrize("n", [129, 190, 200])
def test_stream(n, tmp_path, monkeypatch):
    from linkwork.kernels.numba_ext.fast.transposition import STAGE, stream

    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))
    lanes, stage = np.random.default_rng(n).normal(size=(n, WIDTH)), np.empty((STAGE, WIDTH))
    for start in range(8):
        memory = np.zeros(3 * WIDTH * n + 8)
        rows = memory[start : start + 3 * WIDTH * n].reshape(3 * WIDTH, n)
        Kernel(stream, file=__file__)(lanes, WIDTH, rows, stage)
        np.testing.assert_array_equal(rows[WIDTH : 2 * WIDTH], lanes.T)
        assert np.count_nonzero(memory) == n * WIDTH  # nothing beside them



def _sincos_of(x):
    def run(x, s, c):
        for k in range(x.shape[0]):
            a, b = sincos(load(x, k))
            store(s, k, a)
            store(c, k, b)
        return 0

    s, c = np.empty_like(x), np.empty_like(x)
    Kernel(run, "test_sincos")(x, s, c)
    return s, c


@pytest.mark.skipif(JIT_DISABLED, reason="many numbers; the polynomial is the same")
@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="no longer floats to compare with")
@pytest.mark.parametrize("reach", [1.0, 1e3, 1e6])
def test_sincos_is_right_to_the_last_digits(reach, tmp_path, monkeypatch):
    """Against 64-bit mantissas, at random angles and next to every kind of multiple of π/2."""
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))
    rng = np.random.default_rng(0)
    angles = rng.uniform(-reach, reach, 200_000)
    near = np.round(rng.uniform(-reach, reach, 20_000)) // 2 * (math.pi / 2)
    near = near[np.abs(near) <= 1e6]
    x = np.concatenate([angles, near, np.nextafter(near, INF), [0.0, -0.0, 1e-300, 1e-9, reach, -reach]])
    x = x[: len(x) // WIDTH * WIDTH]  # whole packs
    s, c = _sincos_of(arranged(x, packs))
    for found, function in ((s, np.sin), (c, np.cos)):
        truth = function(x.astype(np.longdouble))
        error = np.abs(found.reshape(-1) - truth) / np.spacing(np.abs(truth).astype(np.float64))
        # half a digit of rounding, and what the polynomials and the reduction of the angle add
        assert error.max() < 0.9


def test_sincos_passes_nan_on(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))
    numbers = np.full(2 * WIDTH, 0.5)
    numbers[-1] = NAN
    s, c = (x.reshape(-1) for x in _sincos_of(arranged(numbers, packs)))
    assert np.isnan(s[-1])
    assert np.isnan(c[-1])
    np.testing.assert_allclose(s[:-1], math.sin(0.5), rtol=1e-15)
    np.testing.assert_allclose(c[:-1], math.cos(0.5), rtol=1e-15)


_OTHER_WIDTH = """
import sys
import numpy as np
import linkwork as lw
from linkwork.kernels.numba_ext import WIDTH

linkage = lw.samples.random_tree(9, seed=3, base="free")
rng = np.random.default_rng(0)
q = np.array([linkage.random(rng) for _ in range(11)])
v, tau = rng.normal(size=(2, 11, linkage.nv))
many = lw.forward_dynamics(linkage, q, v, tau)
one = np.array([lw.forward_dynamics(linkage, *state) for state in zip(q, v, tau)])
assert (np.abs(many - one).max(axis=1) <= 1e-12 * np.abs(one).max(axis=1)).all()
sys.stdout.write(str(WIDTH))
"""


@pytest.mark.slow
@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")
def test_the_other_width_gives_the_same_results():
    other = "4" if WIDTH == 8 else "8"
    environment = {**os.environ, "LINKWORK_PACK": other}
    run = subprocess.run([sys.executable, "-c", _OTHER_WIDTH], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout == other


@pytest.mark.internals
def test_an_unknown_width_is_refused():
    environment = {**os.environ, "LINKWORK_PACK": "5"}
    code = "import linkwork.kernels.numba_ext"
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "LINKWORK_PACK must be 4 or 8, not '5'" in run.stderr
