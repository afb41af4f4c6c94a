"""What is advised holds: the method answers, and the step follows what moves fastest."""

import numpy as np
import pytest

import linkwork as lw


def test_a_soft_linkage_takes_the_usual_step():
    advice = lw.explain(lw.samples.chain(2))
    assert (advice.method, advice.integrator, advice.dt, advice.contacts) == ("aba", "rk4", 1e-3, None)
    assert "2 bodies" in str(advice)


def test_a_stiff_spring_shortens_the_step():
    """ω = √(k/I) of a rod on a joint spring, I = m l²/3: twenty steps in its period, by 1, 2 or 5."""
    linkage = lw.Linkage(name="stiff", gravity=(0, 0, 0))
    linkage.add_body("rod", lw.Inertia.rod(1.0, mass=3.0, com=(0, 0, 0.5)), joint=lw.Revolute("y"))
    linkage.add_force(lw.JointSpring("rod", 1e6, 0.0))
    advice = lw.explain(linkage)
    period = 2 * np.pi / np.sqrt(1e6 / 1.0)
    assert period / 50 < advice.dt <= period / 20
    np.testing.assert_allclose(np.abs(advice.rates.imag), 1e3, rtol=1e-9)
    sim = lw.Simulation(linkage, [1e-3], dt=advice.dt)
    sim.run(20 * period, progress=False)
    energy = sim.recording.energy
    assert np.ptp(energy) < 1e-3 * energy[0], "rk4 at this step keeps what rk4 keeps"


def test_a_strong_damper_shortens_the_step():
    linkage = lw.Linkage(name="damped", gravity=(0, 0, 0))
    rod = lw.Inertia.rod(1.0, mass=3.0, com=(0, 0, 0.5))
    linkage.add_body("rod", rod, joint=lw.Revolute("y", damping=1e4))
    advice = lw.explain(linkage)
    assert advice.dt == pytest.approx(2e-4)
    sim = lw.Simulation(linkage, [0.0], [1.0], dt=advice.dt)
    sim.run(0.1, progress=False)
    assert abs(sim.v[0]) < 1e-6


def test_loops_and_shapes_are_told():
    advice = lw.explain(lw.samples.bricard())
    assert "redundant" in str(advice)
    box = lw.Linkage(name="box")
    box.add_body("box", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Free())
    box.add_shape("box", lw.Ball(0.1))
    box.add_shape("ground", lw.Plane((0, 0, 1), -1.0))
    assert lw.explain(box).contacts == "auto"
    with pytest.raises(lw.ArgumentError):
        lw.explain(box, [0.0])
