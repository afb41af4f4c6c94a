"""A real robot that falls onto its limits: rollouts and simulations do the same, to the last bit."""

import numpy as np

import linkwork as lw


def test_panda_falls_onto_its_limits_in_rollouts_as_in_simulations(robots):
    linkage = lw.load(next(path for path in robots if path.stem == "panda"))
    low, high = np.array([joint.limits[0] for joint in linkage.joints]).T
    q = low + (high - low) * np.random.default_rng(0).uniform(0.3, 0.7, size=(5, linkage.nq))
    rolled = lw.rollout(linkage, q, np.zeros(linkage.nv), dt=1e-3, steps=600)
    beyond = (rolled.q > high) | (rolled.q < low)
    assert beyond.any(axis=(1, 2)).all()  # every one of them
    depth = np.maximum(rolled.q - high, low - rolled.q)
    assert depth.max() < 0.1  # rad, and none passes
    for k in (0, 4):
        recording = lw.Simulation(linkage, q[k], dt=1e-3).run(0.6, progress=False)
        np.testing.assert_array_equal(recording.q, rolled.q[k])
        np.testing.assert_array_equal(recording.v, rolled.v[k])
