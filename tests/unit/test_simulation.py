"""Motion against closed forms, conservation laws and SciPy: integrators, cuts, drives, limits, long runs."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import linkwork as lw
from linkwork.simulation import integrators
from linkwork.simulation.limit_kinds import Compliant, Impulsive

FIXED = ("semi-implicit", "rk4", "implicit-midpoint")
LENGTH, MASS, G = 0.8, 2.0, 9.81


def pendulum(**options):
    linkage = lw.Linkage(name="pendulum")
    rod = lw.Inertia.cylinder(0.05, LENGTH, mass=MASS, com=(0, 0, -LENGTH / 2))
    linkage.add_body("rod", rod, joint=lw.Revolute("y", **options), joint_name="hinge")
    return linkage


def pendulum_frequency(linkage):
    """Of small swings; the moment about the hinge by Steiner's theorem."""
    inertia = linkage.bodies["rod"].inertia
    return np.sqrt(MASS * G * LENGTH / 2 / (inertia.matrix[1, 1] + MASS * (LENGTH / 2) ** 2))


def pendulum_angle(linkage, start, t):
    """The closed form of a swing from rest."""
    k, omega = np.sin(start / 2), pendulum_frequency(linkage)
    sn, *_ = ellipj(ellipk(k**2) - omega * np.asarray(t), k**2)
    return 2 * np.arcsin(k * sn)


def flyer():
    """A body with two arms, adrift."""
    linkage = lw.Linkage(name="flyer", gravity=(0, 0, 0))
    linkage.add_body("base", lw.Inertia.box((0.4, 0.3, 0.2), mass=5.0), joint=lw.Free())
    for side, y in (("left", 0.2), ("right", -0.2)):
        upper = lw.Inertia.cylinder(0.05, 0.4, mass=1.0, com=(0, 0, -0.2))
        lower = lw.Inertia.cylinder(0.04, 0.3, mass=0.5, com=(0, 0, -0.15))
        linkage.add_body(f"{side}_arm", upper, joint=lw.Spherical(), parent="base", at=lw.Pose((0, y, 0)))
        linkage.add_body(f"{side}_hand", lower, joint=lw.Revolute("y"), parent=f"{side}_arm", at=lw.Pose((0, 0, -0.4)))
    return linkage


def flying():
    linkage = flyer()
    rng = np.random.default_rng(1)
    return linkage, linkage.random(rng), 0.3 * rng.normal(size=linkage.nv)


def energy_drift(recording):
    energy = recording.energy
    return np.abs(energy - energy[0]).max() / max(np.abs(energy).max(), recording.kinetic.max())


def nothing(t, q, v):
    return np.zeros(len(v))


# Integrators


@pytest.mark.parametrize(
    ("integrator", "tolerance"),
    [("rk4", 1e-10), ("implicit-midpoint", 1e-4), ("semi-implicit", 2e-2), ("dop853", 1e-6)],
)
def test_a_pendulum_follows_the_closed_form(integrator, tolerance):
    linkage = pendulum()
    recording = lw.Simulation(linkage, [2.0], dt=1e-3, integrator=integrator).run(5.0)
    assert np.abs(recording.q[:, 0] - pendulum_angle(linkage, 2.0, recording.t)).max() < tolerance


def test_energy_of_conservative_linkages_drifts_less_than_promised():
    assert energy_drift(lw.Simulation(pendulum(), [2.0], dt=1e-3).run(10.0)) < 1e-9
    assert energy_drift(lw.Simulation(lw.samples.chain(2), [2.0, 1.0], dt=1e-3).run(10.0)) < 1e-7
    assert energy_drift(lw.Simulation(*flying(), dt=1e-3).run(10.0)) < 1e-9


def test_momentum_of_a_free_linkage_is_conserved():
    linkage, q, v = flying()
    recording = lw.Simulation(linkage, q, v, dt=1e-3).run(10.0)
    momentum = lw.momentum(linkage, recording.q, recording.v)
    assert np.abs(momentum - momentum[0]).max() < 1e-9 * np.abs(momentum[0]).max()


@pytest.mark.parametrize("torques", [None, nothing], ids=["compiled", "python"])
@pytest.mark.parametrize(("integrator", "order"), [("semi-implicit", 1), ("implicit-midpoint", 2), ("rk4", 4)])
def test_order_is_seen_by_halving_the_step_with_every_joint_type(integrator, order, torques):
    linkage = lw.samples.random_tree(10, seed=3, base="free")
    kinds = {type(joint.type).__name__ for joint in linkage.joints}
    assert kinds >= {"Free", "Spherical", "Planar", "Revolute"}
    rng = np.random.default_rng(0)
    q, v = linkage.random(rng), 0.3 * rng.normal(size=linkage.nv)

    def end(dt, integrator=integrator, torques=torques):
        sim = lw.Simulation(linkage, q, v, dt=dt, integrator=integrator, torques=torques, limits="ignore")
        return sim.run(0.2).q[-1]

    exact = end(2.5e-4, "rk4", None)
    errors = [np.abs(linkage.difference(exact, end(dt))).max() for dt in (8e-3, 4e-3)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.25)


@pytest.mark.parametrize("integrator", FIXED)
def test_compiled_steps_and_python_steps_are_the_same(integrator):
    linkage = lw.samples.random_tree(8, seed=5, base="free", damping=True)
    linkage.add_force(lw.Spring(linkage.bodies[3], "ground", stiffness=20.0, damping=1.0, rest_length=0.5))
    rng = np.random.default_rng(0)
    q, v = linkage.random(rng), 0.1 * rng.normal(size=linkage.nv)
    compiled = lw.Simulation(linkage, q, v, dt=1e-3, integrator=integrator).run(0.1)
    python = lw.Simulation(linkage, q, v, dt=1e-3, integrator=integrator, torques=nothing).run(0.1)
    np.testing.assert_allclose(compiled.q, python.q, rtol=0, atol=1e-11)
    np.testing.assert_allclose(compiled.a, python.a, rtol=1e-8, atol=1e-8)


@pytest.mark.slow
def test_midpoint_keeps_energy_bounded_over_100_000_steps():
    recording = lw.Simulation(lw.samples.chain(2), [2.0, 1.0], dt=1e-3, integrator="implicit-midpoint").run(100.0)
    off = np.abs(recording.energy - recording.energy[0]) / recording.kinetic.max()
    first, last = off[:20_000].max(), off[-20_000:].max()
    assert last < 2 * first < 1e-3


def test_the_dzhanibekov_flip():
    """Spin about the middle axis turns over again and again; against Euler's equations solved by SciPy."""
    linkage = lw.Linkage(name="wing nut", gravity=(0, 0, 0))
    moments = np.array([1.0, 2.0, 3.0])
    linkage.add_body("nut", lw.Inertia(1.0, (0, 0, 0), np.diag(moments)), joint=lw.Free())
    start = np.array([1e-3, 5.0, 1e-3])
    recording = lw.Simulation(linkage, v=[0, 0, 0, *start], dt=1e-3).run(15.0)
    spin = recording.v[:, 3:]

    def euler(t, w):
        return np.cross(moments * w, w) / moments

    exact = solve_ivp(euler, (0, 15.0), start, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=recording.t).y.T
    np.testing.assert_allclose(spin, exact, atol=1e-6)  # a perturbation grows by e^2.9 a second between flips
    flips = np.count_nonzero(np.diff(np.sign(spin[:, 1])))
    assert flips >= 2


def test_integrators_are_those_of_the_kernels():
    from linkwork.kernels.motion import march

    assert tuple(integrators.COMPILED) == FIXED
    assert all(hasattr(march, name) for name in integrators.COMPILED.values())


def test_every_method_of_forward_dynamics_moves_a_chain_alike():
    ends = []
    for method in ("auto", "aba", "crba"):
        sim = lw.Simulation(lw.samples.chain(3), [0.5, 0.2, 0.0], method=method)
        assert sim._engine.stepper.compiled == (method != "crba")
        ends.append(sim.run(0.02, progress=False).q[-1])
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_allclose(ends[2], ends[0], atol=1e-12)


# Changes of structure


def test_a_pendulum_that_is_cut_flies_a_parabola_with_constant_spin():
    linkage = pendulum()
    sim = lw.Simulation(linkage, [1.5], dt=1e-3)
    sim.at(0.35, lambda sim: sim.cut("hinge"))
    recording = sim.run(1.35)
    before, after = recording.segments
    assert (before.q.shape[1], after.q.shape[1]) == (1, 7)
    angle, rate = before.q[-1, 0], before.v[-1, 0]
    center = LENGTH / 2 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
    speed = LENGTH / 2 * rate * np.array([-np.cos(angle), 0.0, np.sin(angle)])
    t = after.t[:, None] - 0.35
    np.testing.assert_allclose(
        lw.center_of_mass(linkage, after.q), center + speed * t + [0, 0, -G / 2] * t**2, rtol=0, atol=1e-6
    )
    np.testing.assert_allclose(after.v[:, 3:], np.broadcast_to([0, rate, 0], (len(t), 3)), rtol=0, atol=1e-6)
    (event,) = recording.events
    assert event.time == pytest.approx(0.35, abs=1e-12)
    assert "cut 'hinge'" in event.what
    assert np.abs(event.jump).max() < 1e-12
    assert abs(event.energy_lost) < 1e-12


def test_a_free_chain_that_is_cut_conserves_momentum():
    linkage, q, v = flying()
    sim = lw.Simulation(linkage, q, v, dt=1e-3)
    sim.at(0.5, lambda sim: sim.cut("left_arm"))
    recording = sim.run(2.0)
    momenta = [lw.momentum(part.linkage, part.q, part.v) for part in recording.segments]
    scale = np.abs(momenta[0][0]).max()
    assert np.abs(np.concatenate(momenta) - momenta[0][0]).max() < 1e-9 * scale


# Drives


def test_a_driven_joint_follows_and_its_torque_is_recorded():
    linkage = pendulum()
    sim = lw.Simulation(linkage, [0.0], dt=1e-3)
    sim.drive("hinge", lambda t: 0.7 * np.sin(2.0 * t))
    recording = sim.run(2.0)
    t = recording.t
    angle, second = 0.7 * np.sin(2 * t), -2.8 * np.sin(2 * t)
    inertia = linkage.bodies["rod"].inertia.matrix[1, 1] + MASS * (LENGTH / 2) ** 2
    np.testing.assert_allclose(recording.q[:, 0], angle, atol=1e-12)
    np.testing.assert_allclose(recording.tau[:, 0], inertia * second + MASS * G * LENGTH / 2 * np.sin(angle), atol=1e-7)


def test_the_joints_beside_a_driven_one_stay_free():
    linkage = lw.samples.chain(3)
    sim = lw.Simulation(linkage, [0.0, 0.3, -0.2], dt=1e-3)
    sim.drive("link1", lambda t: (0.3 * np.cos(t), -0.3 * np.sin(t), -0.3 * np.cos(t)))
    recording = sim.run(1.0)
    needed = lw.inverse_dynamics(linkage, recording.q, recording.v, recording.a)
    np.testing.assert_allclose(needed[:, [0, 2]], 0.0, atol=1e-9)
    np.testing.assert_allclose(needed[:, 1], recording.tau[:, 1], atol=1e-9)
    with pytest.raises(lw.ArgumentError, match="starts 1 away from where the joint is"):
        sim.drive("link0", lambda t: sim.q[0] + 1.0)


@pytest.mark.parametrize("integrator", [*FIXED, "dop853"])
def test_a_driven_crank_leads_a_closed_linkage(integrator):
    """Its torque brings in all of the energy, and the loop stays closed."""
    linkage = lw.samples.four_bar()
    sim = lw.Simulation(linkage, dt=1e-3, integrator=integrator)
    sim.drive("crank", lambda t: 0.3 * np.sin(2.0 * t) ** 3)
    recording = sim.run(1.0)
    t, q, v = recording.t, recording.q, recording.v
    np.testing.assert_allclose(q[:, 0], 0.3 * np.sin(2.0 * t) ** 3, atol=1e-11)
    np.testing.assert_allclose(v[:, 0], 1.8 * np.sin(2.0 * t) ** 2 * np.cos(2.0 * t), atol=1e-8)
    assert max(np.abs(lw.close_loops(linkage, pose) - pose).max() for pose in q[::20]) < 1e-9
    if integrator != "dop853":  # whose steps are too long for a sum of power
        power = recording.tau[:, 0] * v[:, 0]
        work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
        # the trapezoidal rule: dt² / 12 of the power's rate
        np.testing.assert_allclose(recording.energy - recording.energy[0], work, atol=1e-5)


def test_a_driven_joint_that_is_cut_is_driven_no_more(tmp_path):
    linkage = lw.samples.chain(3)
    sim = lw.Simulation(linkage, [0.0, 0.3, -0.2], dt=1e-3, record=tmp_path / "run.h5")
    sim.drive("link0", lambda t: 0.2 * t)
    sim.drive("link1", lambda t: (0.3 * np.cos(t), -0.3 * np.sin(t), -0.3 * np.cos(t)))
    sim.at(0.1, lambda sim: sim.cut("link1"))
    recording = sim.run(0.2)
    assert [event.what for event in recording.events if event.time > 0.0] == ["cut 'link1'"]
    whole, parted = recording.segments[0], recording.segments[-1]
    np.testing.assert_allclose(whole.q[:, 1], 0.3 * np.cos(whole.t), atol=1e-12)
    np.testing.assert_allclose(parted.q[:, 0], 0.2 * parted.t, atol=1e-12)  # the other drive goes on
    np.testing.assert_array_equal(parted.tau[:, 1:], 0.0)
    resumed = lw.Simulation.resume(tmp_path / "run.h5")
    resumed.drive("link0", lambda t: 0.2 * t)
    resumed.run(0.3)


# Limits


def test_a_compliant_limit_bears_a_pendulum_at_rest():
    linkage = pendulum(limits=(0.5, 3.0), damping=0.5)
    dt, omega = 1e-3, 220.0
    recording = lw.Simulation(linkage, [1.0], dt=dt).run(20.0)
    inertia = linkage.bodies["rod"].inertia.matrix[1, 1] + MASS * (LENGTH / 2) ** 2
    end = recording.q[-1, 0]
    assert inertia * omega**2 * (0.5 - end) == pytest.approx(MASS * G * LENGTH / 2 * np.sin(end), rel=1e-3)
    assert abs(recording.v[-1, 0]) < 1e-3


def slider(**options):
    linkage = lw.Linkage(name="slider")
    box = lw.Inertia.box((0.1, 0.1, 0.1), mass=3.0)
    linkage.add_body("box", box, joint=lw.Prismatic("z", limits=(0.0, 10.0), **options))
    return linkage


def test_an_impulsive_limit_is_hit_on_time_and_takes_the_energy_it_should():
    e, height = 0.6, 1.0
    sim = lw.Simulation(slider(), [height], dt=1e-3, limits=Impulsive(restitution=e))
    recording = sim.run(1.5)
    first = np.sqrt(2 * height / G)
    times = [first, first * (1 + 2 * e), first * (1 + 2 * e + 2 * e**2)]
    hits = [event for event in recording.events if event.time < 1.5][:3]
    np.testing.assert_allclose([event.time for event in hits], times[: len(hits)], rtol=0, atol=2e-9)
    assert len(hits) >= 2
    assert hits[0].cause == "limit"
    assert "'box'" in hits[0].what
    assert hits[0].jump[0] == pytest.approx((1 + e) * G * first, rel=1e-8)
    assert hits[0].energy_lost == pytest.approx(3.0 * G * height * (1 - e**2), rel=1e-8)


def test_a_joint_rests_on_an_impulsive_limit_and_leaves_it_when_pulled():
    pull = 0.0
    sim = lw.Simulation(slider(), [0.2], dt=1e-3, limits="impulsive", controller=lambda sim: [pull])
    sim.run(1.0)
    assert sim.q[0] == pytest.approx(0.0, abs=1e-9)
    assert sim.v[0] == pytest.approx(0.0, abs=1e-9)
    pull = 3.0 * (G + 1.0)
    sim.run(2.0)
    assert sim.q[0] == pytest.approx(0.5, abs=1e-3)


def test_an_impulse_at_one_joint_moves_the_others_and_never_adds_energy():
    linkage = lw.samples.chain(3)
    linkage.joints["link1"].limits = (-0.4, 0.4)
    recording = lw.Simulation(linkage, [1.2, 0.0, 0.0], dt=1e-3, limits="impulsive").run(3.0)
    hits = [event for event in recording.events if event.cause == "limit"]
    assert hits
    assert all(event.energy_lost >= -1e-9 for event in hits)
    assert any(np.abs(event.jump[[0, 2]]).max() > 1e-3 for event in hits)
    assert np.abs(recording.q[:, 1]).max() < 0.4 + 1e-8
    assert np.all(np.diff(recording.energy) < 1e-6)


def test_limits_that_make_no_sense_raise():
    for wrong, message in (("soft", "unknown limits"), (Impulsive(1.5), "restitution"), (Compliant(-1.0), "frequency")):
        with pytest.raises(lw.ArgumentError, match=message):
            lw.Simulation(slider(), limits=wrong)
    with pytest.warns(lw.LinkworkWarning, match="'box'"):
        lw.Simulation(slider(), [-1.0])


# Trouble, and long chains


def test_a_diverging_run_names_time_and_joint_and_keeps_what_it_recorded():
    linkage = lw.samples.chain(2)
    linkage.add_force(lw.JointSpring("link1", stiffness=3e6))
    with pytest.raises(lw.DivergedError, match=r"diverged at t = .* joint 'link") as caught:
        lw.Simulation(linkage, [0.1, 0.1], dt=1e-3).run(10.0)
    error = caught.value
    assert 0.0 <= error.time < 10.0
    assert error.joint in ("link0", "link1")
    assert len(error.recording.t) >= 2
    assert error.recording.t[-1] == error.time
    assert np.isfinite(error.recording.q).all()
    with pytest.raises(lw.DivergedError, match="found no solution"):
        lw.Simulation(linkage, [0.1, 0.1], dt=1e-3, integrator="implicit-midpoint").run(10.0)
    with pytest.raises(lw.DivergedError, match="joint 'link"):
        lw.Simulation(linkage, [0.1, 0.1], dt=1e-3, torques=nothing).run(10.0)


@pytest.mark.slow
def test_a_chain_of_1000_links_falls_for_5_seconds():
    """With rk4; what potential energy it loses becomes kinetic, to 1e-9 of it."""
    linkage = lw.samples.chain(1000)
    q = np.zeros(1000)
    q[0] = np.pi / 2
    recording = lw.Simulation(linkage, q, dt=1e-3, record_every=50).run(5.0)
    fallen = recording.potential[0] - recording.potential
    assert fallen[-1] > 1e6
    np.testing.assert_allclose(recording.kinetic, fallen, rtol=0, atol=1e-9 * fallen.max())
