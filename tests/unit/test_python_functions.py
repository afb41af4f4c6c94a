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


@pytest.mark.parametrize("lead", [(), (2,)])
@pytest.mark.parametrize("what", ["inverse", "forward"])
def test_results_may_be_written_over_the_arguments(what, lead):
    chain, rng = lw.samples.chain(3), np.random.default_rng(3)
    chain.add_force(lw.JointSpring("link0", 20.0, 0.3))  # its coordinate is read late,
    chain.add_force(lw.JointFriction("link1", 2.0))  # and the velocity of friction
    count = 2 if what == "inverse" else 3
    for which in range(3):
        for row in range(3):
            for which_out in range(count):
                state = list(rng.normal(size=(3, *lead, 3)))
                right = CALLS[what](chain, *state)
                out = tuple(np.zeros((*lead, 3, 3)) for _ in range(count))
                out[which_out][..., row, :] = state[which]
                state[which] = out[which_out][..., row, :]
                for found, expected in zip(CALLS[what](chain, *state, out=out), right, strict=True):
                    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_results_that_share_memory_are_refused(fast):
    chain, state, public, function = fast
    count = len(function(*state))
    one, block = np.zeros((3, 3)), np.zeros((3 * count, 3))
    overlapping = [block[2 * k : 2 * k + 3] for k in range(count)]
    for out in ((one,) * count, overlapping):
        assert function(*state, *out) == WRONG_SIZE
        with pytest.raises(lw.ArgumentError, match="share memory"):
            public(chain, *state, out=out)
    assert len(public(chain, *state, out=block.reshape(count, 3, 3))) == count  # they may be parts of one block
    for out in (5, [one]):
        with pytest.raises(lw.ArgumentError, match=f"out must be {count} arrays"):
            public(chain, *state, out=out)


def test_nothing_to_move_has_empty_matrices():
    plinth = lw.Linkage(name="plinth")
    plinth.add_body("plinth", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Fixed())
    none = np.zeros(0)
    for _ in range(2):  # the second call is that of the built-in function
        for what, call in CALLS.items():
            count = 2 if what == "inverse" else 3
            assert [x.shape for x in call(plinth, none, none, none)] == [(0, 0)] * count
            with pytest.raises(lw.ArgumentError, match="out must be"):
                call(plinth, none, none, none, out=(none,) * count)
    near = lw.linearize(plinth, none)
    assert near.eigenvalues.shape == (0,)
    assert near.modes.shape == (0, 0)
    assert lw.parameter_derivatives(plinth, none, none).inertia.shape == (0, 1, 10)
