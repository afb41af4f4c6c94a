"""The benchmark of what ordinary things cost in a simulation: it runs, and finds what it is to find."""

import numpy as np
import pytest

from benchmarks.cliffs import callbacks, cost_of_a_call, cost_of_forces, measure, scenes


@pytest.mark.parametrize("name", ["driven four-bar", "Li's two-link arm on a floor"])
def test_a_scene_is_measured(name):
    times = measure(scenes()[name], steps=20, rounds=1)
    assert times.taken > 0.0
    assert times.bare > 0.0
    assert (times.free < np.inf) == (name.startswith("Li"))


@pytest.mark.parametrize("name", callbacks())
def test_a_callback_is_measured_beside_a_compiled_one_that_does_the_same(name):
    assert np.isfinite(cost_of_a_call(callbacks()[name], steps=20, rounds=2)).all()


def test_all_forces_are_measured_beside_accelerations():
    spent = cost_of_forces(scenes()["five-bar, a point on a plane"].make(), rounds=1, states=8)
    assert len(spent) == 4
    assert min(spent) > 0.0
