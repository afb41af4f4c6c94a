"""The benchmark of what ordinary things cost in a simulation: it runs, and finds what it is to find."""

import numpy as np
import pytest

from benchmarks.cliffs import callbacks, cost_of_a_call, measure, scenes


@pytest.mark.parametrize("name", ["driven four-bar", "Li's two-link arm on a floor"])
def test_a_scene_is_measured(name):
    times = measure(scenes()[name], steps=20, rounds=1)
    assert times.taken > 0.0
    assert times.bare > 0.0
    assert (times.free < np.inf) == (name.startswith("Li"))


@pytest.mark.parametrize("name", callbacks())
def test_a_callback_is_measured_beside_a_compiled_one_that_does_the_same(name):
    assert np.isfinite(cost_of_a_call(callbacks()[name], steps=20, rounds=2)).all()
