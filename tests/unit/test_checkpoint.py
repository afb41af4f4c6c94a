"""A checkpoint is plain values, and all that the motion depends on."""

import json

import numpy as np

import linkwork as lw
from linkwork.simulation import checkpoint


def simulation(q):
    chain = lw.samples.chain(3)
    chain.joints["link2"].limits = (-0.05, 0.05)
    sim = lw.Simulation(chain, q, dt=1e-3, limits="impulsive", controller=lambda sim: -0.1 * sim.v, control_every=5)
    sim.when(lambda sim: sim.q[0], lambda: None)
    return sim


def test_a_checkpoint_goes_through_json_and_takes_another_simulation_to_the_same_place():
    sim, other = simulation([0.3, 0.0, 0.0]), simulation([0.1, 0.0, 0.0])
    sim.run(0.123, progress=False)
    saved = json.loads(json.dumps(checkpoint.of(sim._engine)))
    checkpoint.restore(other._engine, saved)
    assert checkpoint.of(other._engine) == saved
    np.testing.assert_array_equal(other.run(0.5, progress=False).q[-1], sim.run(0.5, progress=False).q[-1])
