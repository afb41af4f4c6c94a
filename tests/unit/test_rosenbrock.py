"""Linearly implicit steps: their order, what stiff forces do, step control, and a flyball governor."""

import numpy as np
import pytest

import linkwork as lw

pytestmark = pytest.mark.filterwarnings("ignore:steps are slow")


def governor():
    """A shaft with two arms, and a collar that stiff springs with dampers hold: 8e5 N/m, 4e4 N s/m."""
    linkage = lw.Linkage(name="governor")
    shaft = lw.Inertia.cylinder(0.05, 1.0, mass=10.0)
    linkage.add_body("shaft", shaft, joint=lw.Revolute("z"), at=lw.Pose((0, 0, 1.0)))
    linkage.add_body("collar", lw.Inertia.cylinder(0.1, 0.1, mass=2.0), joint=lw.Prismatic("z"), parent="shaft")
    for side, sign in (("left", -1.0), ("right", 1.0)):
        arm = lw.Inertia(6.0, (0, 0, -0.9), np.diag([0.2, 0.2, 0.02]))
        linkage.add_body(side, arm, joint=lw.Revolute((0, -sign, 0)), parent="shaft")
        linkage.add_force(lw.Spring("collar", side, (0, 0, 0), (0, 0, -0.5), 8e5, 4e4, 0.5))
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    for name in ("left", "right"):
        q[linkage.joints[name].q_slice] = np.pi / 6
    q[linkage.joints["collar"].q_slice] = -np.cos(np.pi / 6)  # springs are at their length
    v[linkage.joints["shaft"].v_slice] = 2.0 * np.pi
    return linkage, q, v


def after(linkage, q, v, until, **options):
    sim = lw.Simulation(linkage.copy(), q, v, **options)
    sim.run(until, progress=False)
    return np.concatenate([sim.q, sim.v])


def test_a_governor_in_steps_of_a_millisecond():
    linkage, q, v = governor()
    exact = after(linkage, q, v, 0.2, integrator="rosenbrock", rtol=1e-9, atol=1e-11)
    rough = after(linkage, q, v, 0.2, integrator="implicit", dt=1e-3)
    assert np.abs(rough - exact).max() < 1e-5 * np.abs(exact).max()
    with pytest.raises(lw.DivergedError):
        after(linkage, q, v, 0.2, dt=1e-3)  # explicit steps cannot


def swinging():
    linkage = lw.Linkage(name="swinging")
    box = lw.Inertia.box((0.3, 0.2, 0.1), mass=2.0, com=(0.1, 0, 0.05))
    linkage.add_body("base", box, joint=lw.Spherical())
    linkage.add_body("arm", box, joint=lw.Revolute("y"), parent="base", at=lw.Pose((0.15, 0, 0)))
    linkage.add_force(lw.Spring("ground", "arm", (0.1, 0.2, 0.3), (0.1, 0, 0), 30.0, 1.0, 0.2))
    rng = np.random.default_rng(0)
    return linkage, linkage.random(rng), rng.normal(size=linkage.nv)


@pytest.mark.parametrize("torques", [None, lambda t, q, v: np.array([np.sin(3 * t), 0.2, 0.0, -0.3 * v[3]])])
def test_the_order_is_three_on_the_manifold(torques):
    linkage, q, v = swinging()
    exact = after(linkage, q, v, 0.2, integrator="rk4", dt=5e-4, torques=torques)
    errors = [np.abs(after(linkage, q, v, 0.2, integrator="implicit", dt=dt, torques=torques) - exact).max()
              for dt in (1e-2, 5e-3)]  # fmt: skip
    assert errors[0] / errors[1] > 6.5
    adaptive = after(linkage, q, v, 0.2, integrator="rosenbrock", rtol=1e-9, atol=1e-10, torques=torques)
    assert np.abs(adaptive - exact).max() < 2e-8


def test_a_stiff_damper_is_over_after_one_step():
    linkage = lw.Linkage(name="cart", gravity=(0, 0, 0))
    linkage.add_body("cart", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Prismatic("x", damping=1e9))
    assert np.abs(after(linkage, [0.0], [1.0], 2e-2, integrator="implicit", dt=1e-2)).max() < 1e-8


def test_loops_stay_closed():
    linkage = lw.samples.four_bar()
    linkage.add_force(lw.Spring("ground", "coupler", (-0.5, 0, 0.5), (0.5, 0, 0), 1e6, 1e4, 0.5))
    q, v = lw.close_loops(linkage, linkage.neutral()), np.zeros(linkage.nv)
    sim = lw.Simulation(linkage, q, v, dt=1e-3, integrator="implicit")
    sim.run(0.02, progress=False)
    assert np.abs(lw.close_loops(linkage, sim.q) - sim.q).max() < 1e-11


def test_accuracy_that_is_none_is_refused():
    linkage, q, v = swinging()
    with pytest.raises(lw.ArgumentError, match="rtol"):
        lw.Simulation(linkage, q, v, integrator="rosenbrock", rtol=2.0)
