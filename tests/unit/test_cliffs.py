"""The benchmark of what ordinary things cost in a simulation: it runs, and finds what it is to find."""

import numpy as np
import pytest

from benchmarks.cliffs import measure, scenes


@pytest.mark.parametrize("name", ["driven four-bar", "Li's two-link arm on a floor", "arm, torques(t, q, v) of Python"])
def test_a_scene_is_measured(name):
    scene = scenes()[name]
    times = measure(scene, steps=20, rounds=1)
    assert times.taken > 0.0
    assert times.bare > 0.0
    assert (times.free < np.inf) == (name.startswith("Li"))
    assert (times.uncalled < np.inf) == bool(scene.calls)
