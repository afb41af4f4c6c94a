"""Limits of loop joints in a simulation."""

import numpy as np
import pytest

import linkwork as lw


@pytest.mark.parametrize("limit", [0.2, 0.5])
def test_a_loop_joint_is_stopped_at_its_limit(limit):
    linkage = lw.samples.four_bar()
    free = lw.Simulation(linkage.copy(), linkage.neutral(), np.zeros(3), dt=1e-3)
    free.run(2.0, progress=False)
    angles = np.array([lw.loop_coordinates(linkage, q)[0] for q in free.recording.q])
    start = angles[0]
    assert np.abs(angles - start).max() > limit + 0.05  # it would go beyond

    held = lw.samples.four_bar()
    at_a, at_b = held.loops["pin"].at_a, held.loops["pin"].at_b
    held.cut("pin")
    limits = (start - limit, start + limit)
    held.connect("ground", "rocker", lw.Revolute("y", limits=limits), at_a=at_a, at_b=at_b, name="pin")
    simulation = lw.Simulation(held, held.neutral(), np.zeros(3), dt=1e-3)
    simulation.run(2.0, progress=False)
    angles = np.array([lw.loop_coordinates(held, q)[0] for q in simulation.recording.q])
    speed = np.abs(np.diff(angles)).max() / 1e-3
    assert np.abs(angles - start).max() < limit + 2.0 * speed * 1e-3  # a compliant limit gives by about 1.8 v dt
    assert np.abs(angles - start).max() > limit - 0.05  # and it got there
    energy = simulation.recording.energy
    assert energy[-1].sum() <= energy[0].sum() + 1e-9  # the stop only takes energy
