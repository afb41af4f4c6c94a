"""Built-in functions made of compiled code: what they own, what they refuse, and that threads may share them."""

import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.layout import WRONG_SIZE

CALLS = {"inverse": lw.inverse_dynamics_derivatives, "forward": lw.forward_dynamics_derivatives}


@pytest.fixture(params=["inverse", "forward"])
def fast(request):
    """A chain, a state of it, the public call and the built-in function behind it."""
    chain, rng = lw.samples.chain(3), np.random.default_rng(1)
    state = tuple(rng.normal(size=(3, 3)))
    CALLS[request.param](chain, *state)
    function = getattr(chain.tree.derivatives, request.param)
    if function is None:
        pytest.skip("plain mode, or kernels are interpreted")
    return chain, state, CALLS[request.param], function


def test_results_belong_to_the_caller_alone(fast):
    _, state, _, function = fast
    found = function(*state)
    assert sys.getrefcount(found) == 2
    assert [sys.getrefcount(matrix) for matrix in found] == [2 + 1] * len(found)  # the tuple, the list, the argument
    out = tuple(np.zeros((3, 3)) for _ in found)
    before = [sys.getrefcount(x) for x in (*state, *out)]
    again = function(*state, *out)
    assert all(x is y for x, y in zip(again, out, strict=True))
    assert all((x == y).all() for x, y in zip(again, found, strict=True))
    del again
    assert function(*state[:2], state[2] * np.nan) != WRONG_SIZE  # a status, after the matrices were made
    assert [sys.getrefcount(x) for x in (*state, *out)] == before
    gc.collect()


def test_what_does_not_fit_is_left_to_the_long_way(fast):
    chain, (q, v, x), public, function = fast
    right = function(q, v, x)
    strided, single, frozen = np.repeat(q, 2)[::2], q.astype(np.float32), q.copy()
    frozen.flags.writeable = False
    for bad in (list(q), strided, single, q[:2], q[None], None, 0.5):
        assert function(bad, v, x) == WRONG_SIZE
    for bad in ([np.zeros((3, 2))], [np.zeros((3, 3)), np.zeros((3, 3), order="F").T[:, ::-1]], [None] * len(right)):
        assert function(q, v, x, *bad) == WRONG_SIZE
    assert all((a == b).all() for a, b in zip(public(chain, frozen, v, x), right, strict=True))
    assert all((a == b).all() for a, b in zip(public(chain, list(q), strided * 0 + v, x), right, strict=True))
    with pytest.raises(lw.ArgumentError, match="2"):
        public(chain, q[:2], v, x)
    with pytest.raises(lw.ArgumentError, match=r"finite|NaN"):
        public(chain, q, v, x * np.nan)


def test_threads_may_share_one():
    chain, rng = lw.samples.chain(40), np.random.default_rng(2)  # long enough to let others run meanwhile
    states = rng.normal(size=(64, 3, chain.nv))
    alone = [lw.inverse_dynamics_derivatives(chain, *state) for state in states]
    with ThreadPoolExecutor(4) as pool:
        shared = list(pool.map(lambda state: lw.inverse_dynamics_derivatives(chain, *state), states))
    for one, other in zip(alone, shared, strict=True):  # who comes while it is busy takes the long way: other rounding
        for expected, found in zip(one, other, strict=True):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())
