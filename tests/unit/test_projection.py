"""Compiled steps of closed linkages, against the same steps made in Python."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.constraints import loops_of, residuals
from linkwork.kernels.launch import call
from linkwork.kernels.motion import strength

LINKAGES = {
    "four-bar": lambda: lw.samples.four_bar(),
    "three four-bars": lambda: lw.samples.four_bars(3),
    "slider and crank": lambda: lw.samples.slider_crank(),
    "figure on a bar": lambda: lw.samples.high_bar(angle=1.0),
}


def made(name):
    """A linkage and a pose with closed loops."""
    linkage = LINKAGES[name]()
    return linkage if isinstance(linkage, tuple) else (linkage, linkage.neutral())


def test_python_knows_the_kernels_numbers():
    assert (strength.TREE, strength.LOOP) == (0.0, 1.0)


@pytest.mark.parametrize("integrator", ["semi-implicit", "rk4", "implicit-midpoint"])
@pytest.mark.parametrize("name", LINKAGES)
def test_compiled_steps_are_those_of_python(name, integrator):
    ends = []
    for method in ("auto", "crba"):  # which Python calls
        linkage, q = made(name)
        v = lw.consistent_velocity(linkage, q, np.random.default_rng(0).normal(size=linkage.nv))
        sim = lw.Simulation(linkage, q, v, dt=1e-3, integrator=integrator, method=method, limits="ignore")
        assert sim._engine.stepper.compiled == (method == "auto")
        recording = sim.run(0.05)
        assert residuals(linkage, sim.q).gap <= 1e-11
        ends.append((sim.q, sim.v, recording.a[-1]))
    for compiled, interpreted in zip(*ends, strict=True):
        np.testing.assert_allclose(compiled, interpreted, rtol=1e-8, atol=1e-8)


def test_loops_stay_closed_for_ten_seconds():
    linkage = lw.samples.four_bars(2)
    sim = lw.Simulation(linkage, v=lw.consistent_velocity(linkage, linkage.neutral(), np.ones(linkage.nv)), dt=1e-3)
    recording = sim.run(10.0)
    assert sim._engine.stepper.compiled
    assert max(residuals(linkage, q).gap for q in recording.q[::100]) <= 1e-9
    assert recording.drift.max() > 0.0  # what was off before each projection is told


def test_loop_joints_are_driven_and_damped_in_compiled_steps():
    ends = []
    for method in ("auto", "crba"):
        linkage = lw.samples.four_bar()
        linkage.cut("pin")
        place = {"at_a": lw.Pose((1.0, 0, 0)), "at_b": lw.Pose((0.8, 0, 0))}
        linkage.connect("ground", "rocker", lw.Revolute("y", damping=0.3), name="pin", **place)
        tau = np.array([0.0, 0.0, 0.0, 2.0])
        sim = lw.Simulation(linkage, dt=1e-3, method=method, controller=lambda sim, tau=tau: tau)
        recording = sim.run(0.2)
        np.testing.assert_array_equal(recording.tau[5], tau)
        ends.append(sim.v)
    np.testing.assert_allclose(*ends, rtol=1e-9)
    assert np.abs(ends[0]).max() > 0.1


def test_couplings_hold_in_compiled_steps():
    linkage = lw.samples.chain(2)
    linkage.couplings.append(lw.Coupling("link1", "link0", -2.0))
    sim = lw.Simulation(linkage, [0.5, -1.0], dt=1e-3)
    recording = sim.run(1.0)
    np.testing.assert_allclose(recording.q[:, 1], -2.0 * recording.q[:, 0], atol=1e-10)
    np.testing.assert_allclose(recording.energy, recording.energy[0], rtol=1e-8)


def with_point_masses(seed):
    """Two loops, some of whose axes rows alone move."""
    linkage, q = lw.samples.random_closed(6, loops=2, seed=seed)
    for k in (2, 4, 5):
        linkage.bodies[k].inertia = lw.Inertia.point(1.0)
    return linkage, q


STACKED = {
    "four four-bars, one on the other": lambda: lw.samples.four_bars(4, stacked=True),
    "Stewart": lw.samples.stewart,
    "point masses in both loops": lambda: with_point_masses(0),
    "point masses, two in each loop": lambda: with_point_masses(1),
}


@pytest.mark.parametrize("make", [*LINKAGES.values(), *STACKED.values()], ids=[*LINKAGES, *STACKED])
def test_factors_that_are_there_give_the_step_that_new_ones_give(make):
    linkage = make()
    linkage, q = linkage if isinstance(linkage, tuple) else (linkage, lw.close_loops(linkage, linkage.neutral()))
    tree, loops = linkage.tree, loops_of(linkage)
    factors = tree.model, tree.index, np.empty(tree.work_size), loops.plan, loops.geometry, loops.scratch()
    zero, rng = np.zeros(max(linkage.nv, loops.n_rows)), np.random.default_rng(1)

    def step(kernel, *arguments):
        a, force = np.empty(linkage.nv), np.empty(loops.n_rows)
        call(kernel, *factors, *arguments, a, force, np.empty(loops.n_rows))
        return a, force

    first, h = rng.normal(size=(2, loops.n_rows))
    wanted = step(("closed.embedding", "closed_step"), q, zero, h)
    step(("closed.embedding", "closed_step"), q, zero, first)
    for found, right in zip(step(("closed.step_again", "closed_step_again"), zero, h), wanted, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-12, atol=1e-12 * np.abs(right).max())
