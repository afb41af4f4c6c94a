"""The integrators over operations of a test's own: their order, without a linkage."""

import numpy as np
import pytest

from linkwork.kernels.layout import STEP_SCRATCH, UNSOLVED
from linkwork.kernels.motion.integrators import A, integrators

STEPS = {"semi-implicit": (0, 1), "rk4": (1, 4), "midpoint": (2, 2)}


def over(force):
    """The steps of a particle under a force that depends on its place."""

    def acceleration(system, t, q, v, tau, total, a):
        a[:] = force(t, q)
        return 0

    def advance(system, q, u, out):
        out[:] = q + u
        return 0

    def local_rate(system, u, v, out):
        out[:] = v

    def combine(x, h, rate, out):
        out[:] = x + h * rate

    def scaled(h, rate, out):
        out[:] = h * rate

    def largest_change(h, q, a, new, mean):
        return h * np.abs(new - a).max(), (np.abs(mean) + h * np.abs(new)).max(), np.abs(q).max()

    return integrators(acceleration, advance, local_rate, combine, scaled, largest_change)


def end(step, force, h):
    q, v, t = np.array([1.0]), np.array([0.0]), 0.0
    for _ in range(round(1.0 / h)):
        s = np.empty((STEP_SCRATCH, 1))
        s[A] = force(t, q)
        assert step(None, t, h, q, v, None, np.empty(1), s, q, v) == 0  # in place
        t += h
    return q[0]


@pytest.mark.parametrize("name", STEPS)
def test_a_forced_oscillator_is_followed_to_the_order_of_the_step(name):
    """q'' = −q + sin 2t from q = 1 at rest: q = cos t + ⅔ sin t − ⅓ sin 2t."""

    def force(t, q):
        return np.sin(2.0 * t) - q

    which, order = STEPS[name]
    step, exact = over(force)[which], np.cos(1.0) + 2.0 / 3.0 * np.sin(1.0) - np.sin(2.0) / 3.0
    errors = [abs(end(step, force, h) - exact) for h in (0.02, 0.01)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


def test_the_midpoint_rule_says_where_it_finds_no_solution():
    step = over(lambda t, q: -500.0 * q)[2]
    s = np.empty((STEP_SCRATCH, 1))
    s[A] = -500.0  # h²k/4 = 1.25: every round is farther off
    q, v = np.ones(1), np.zeros(1)
    assert step(None, 0.0, 0.1, q, v, None, np.empty(1), s, q, v) == UNSOLVED
