"""What steps promise near rest, and to how many digits: against closed forms and SciPy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw


def test_adaptive_steps_of_a_free_body_are_as_accurate_as_asked():
    """Against Euler's equations and the quaternion's rate, integrated by SciPy as they stand."""
    box = lw.Linkage(gravity=(0, 0, 0))
    box.add_body("box", lw.Inertia(1.0, (0, 0, 0), np.diag([0.02, 0.05, 0.06])), joint=lw.Free())
    v = np.array([0.3, -0.2, 0.1, 2.0, 3.0, -1.0])
    moments = np.array([0.02, 0.05, 0.06])

    def rate(t, y):
        u, r, velocity, w = y[3:6], y[6], y[7:10], y[10:]
        turned = velocity + 2.0 * np.cross(u, np.cross(u, velocity) + r * velocity)
        quaternion = 0.5 * np.append(r * w + np.cross(u, w), -u @ w)
        return np.concatenate([
            turned, quaternion, -np.cross(w, velocity), -np.cross(w, moments * w) / moments,
        ])  # fmt: skip

    start = np.concatenate([box.neutral(), v])
    expected = solve_ivp(rate, (0.0, 1.0), start, method="DOP853", rtol=2.3e-14, atol=1e-14).y[:, -1]
    sim = lw.Simulation(box, v=v, integrator="dop853", rtol=1e-12, atol=1e-13, dt=1e-2)
    with pytest.warns(lw.LinkworkWarning, match=r"slow: integrator=.dop853"):
        sim.run(1.0, progress=False)
    np.testing.assert_allclose(sim.q, expected[:7], atol=2e-11)
    np.testing.assert_allclose(sim.v, expected[7:], atol=2e-11)


@pytest.mark.parametrize("what", ["spring", "limit"])
def test_the_midpoint_rule_goes_on_when_a_motion_comes_to_rest(what):
    mass = lw.Linkage()
    spring = what == "spring"
    joint = lw.Prismatic("z", damping=8.0) if spring else lw.Prismatic("z", limits=(0.0, 2.0))
    mass.add_body("mass", lw.Inertia.sphere(0.1, mass=1.0), joint=joint)
    if spring:
        mass.add_force(lw.JointSpring("mass", stiffness=100.0))
    sim = lw.Simulation(mass, [0.1 if spring else -2e-4], dt=2e-3, integrator="implicit-midpoint")
    sim.run(8.0 if spring else 1.5, progress=False)
    frequency = 10.0 if spring else 0.22 / 2e-3
    assert sim.q[0] == pytest.approx(-9.81 / frequency**2, rel=1e-9)
    assert abs(sim.v[0]) < 1e-9
