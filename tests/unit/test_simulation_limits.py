"""Hard limits beside loops and drives."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.simulation.limit_kinds import Impulsive
from linkwork.simulation.limits import Limits
from linkwork.simulation.stepper import Stepper


def turning_four_bar(limited, **options):
    linkage = lw.samples.four_bar()
    for name in limited:
        linkage.joints[name].limits = (-0.1, 0.1)
    q = linkage.neutral()
    return lw.Simulation(linkage, q, 2.0 * lw.mobility(linkage, q, ["crank"]).W[:, 0], dt=1e-3, **options)


@pytest.mark.parametrize("limited", [["coupler"], ["crank", "coupler", "rocker"]])
def test_a_closed_linkage_comes_to_rest_on_a_hard_limit(limited):
    """Gravity holds it there; it has one degree of freedom, so all of it rests."""
    sim = turning_four_bar(limited, limits="impulsive")
    recording = sim.run(0.3, progress=False)
    (event,) = recording.events
    assert event.what == "limit of 'coupler'"
    resting = recording.t > event.time
    assert np.abs(recording.v[resting]).max() < 1e-6
    np.testing.assert_allclose(recording.q[resting, 1], -0.1, atol=1e-9)
    assert np.abs(recording.drift[resting, 0]).max() < 1e-4  # what gravity does in a step, a h² / 2


def test_limits_that_stop_the_same_motion_at_once():
    free = turning_four_bar([]).run(0.1, progress=False)
    sim = turning_four_bar([], limits="impulsive")
    for joint, q, v in zip(sim.linkage.joints, free.q[-1], free.v[-1], strict=True):
        joint.limits = (-9.0, q) if v > 0.0 else (q, 9.0)
    recording = sim.run(0.15, progress=False)
    (event,) = recording.events
    assert event.time == pytest.approx(0.1, abs=1e-8)
    assert event.what == "limit of 'crank' and 'coupler' and 'rocker'"
    assert event.energy_lost == pytest.approx(free.kinetic[-1], rel=1e-6)
    assert np.abs(recording.v[-1]).max() < 1e-6


@pytest.mark.parametrize("until", [0.2, 0.2017])
def test_a_limit_is_met_on_time_in_a_shorter_step_too(until):
    """A box that falls freely, whose run ends soon after it reaches the ground."""
    linkage = lw.Linkage(name="slider")
    height = 0.5 * 9.81 * 0.2014**2
    linkage.add_body("box", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Prismatic("z", limits=(-height, 1.0)))
    linkage.gravity = (0.0, 0.0, -9.81)
    recording = lw.Simulation(linkage, dt=1e-3, limits=Impulsive(0.5)).run(until, progress=False)
    assert [event.time for event in recording.events] == pytest.approx([0.2014] if until > 0.2014 else [], abs=2e-9)


def test_an_impulse_leaves_driven_joints_to_their_drives():
    linkage = lw.samples.chain(3)
    linkage.joints["link1"].limits = (-0.05, 0.05)
    sim = lw.Simulation(linkage, dt=1e-3, limits=Impulsive(0.5))
    sim.drive("link0", lambda t: 0.5 * np.sin(9.0 * t))
    recording = sim.run(0.5, progress=False)
    hits = [event for event in recording.events if event.cause == "limit"]
    assert max(abs(event.jump[2]) for event in hits) > 1.0
    assert max(abs(event.jump[0]) for event in hits) < 1e-12
    for event in hits:  # the impulses of the drive and of the limit act, none in the last joint
        k = np.searchsorted(recording.t, event.time)
        assert abs((lw.mass_matrix(linkage, recording.q[k]) @ event.jump)[2]) < 1e-9


def test_a_hard_limit_does_not_stop_a_driven_joint():
    """As a compliant one does not: its motion is given. When the drive ends the joint is brought back."""
    linkage = lw.samples.chain(2)
    linkage.joints["link0"].limits = (-0.1, 0.1)
    recordings = []
    for limits in ("impulsive", "ignore"):
        sim = lw.Simulation(linkage.copy(), dt=1e-3, limits=limits)
        sim.drive("link0", lambda t: t)
        recordings.append(sim.run(0.2, progress=False))
        np.testing.assert_array_equal(recordings[-1].segments[0].rows, recordings[0].segments[0].rows)
    sim = lw.Simulation(linkage, dt=1e-3, limits="impulsive")
    sim.drive("link0", lambda t: t)
    sim.run(0.2, progress=False)
    sim.drive("link0", None)
    sim.run(0.21, progress=False)
    assert sim.q[0] < 0.1 + 1e-8


def test_drives_that_fight_each_other_are_refused():
    linkage = lw.samples.four_bar()
    sim = lw.Simulation(linkage, linkage.neutral(), dt=1e-3)
    sim.drive("crank", lambda t: 0.1 * t**2)
    with pytest.raises(lw.SingularError, match="joints 'crank' and 'rocker' cannot be driven"):
        sim.drive("rocker", lambda t: 0.1 * t**2)
    sim.run(0.1, progress=False)
    assert sim.q[0] == pytest.approx(0.001, abs=1e-11)


def leaning_arm(**options):
    """Two links; a spring pushes the outer joint against its limit."""
    linkage = lw.samples.chain(2)
    linkage.joints["link1"].limits = (-0.3, 0.3)
    linkage.add_force(lw.JointSpring("link1", 20.0, 1.0))
    return lw.Simulation(linkage, [1.0, 0.0], limits="impulsive", **options)


def stiff_arm():
    """The same links, fixed to each other at the limit."""
    outer, linkage = lw.samples.chain(2).bodies["link1"], lw.samples.chain(1)
    at = lw.Pose((0, 0, -1.0)) @ lw.Pose.axis_angle("y", 0.3)
    linkage.add_body("outer", outer.inertia, joint=lw.Fixed(), parent="link0", at=at)
    return linkage


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_a_joint_that_leans_on_a_hard_limit_moves_like_one_that_is_fixed(integrator):
    tolerances = {"rtol": 1e-9, "atol": 1e-11} if integrator == "dop853" else {}
    recording = leaning_arm(dt=2e-3, integrator=integrator, **tolerances).run(0.4, progress=False)
    (event,) = recording.events
    leaning = np.flatnonzero(recording.t >= event.time)[1:]
    first = leaning[0]
    stiff, t = stiff_arm(), recording.t[first]
    q, v = recording.q[first, :1], recording.v[first, :1]
    expected = lw.Simulation(stiff, q, v, dt=1e-4, t=t).run(0.4, progress=False)
    np.testing.assert_allclose(recording.q[-1], [expected.q[-1, 0], 0.3], rtol=0, atol=3e-9)
    np.testing.assert_allclose(recording.v[-1], [expected.v[-1, 0], 0.0], rtol=0, atol=3e-8)
    np.testing.assert_allclose(np.ptp(recording.energy[leaning]), 0.0, atol=1e-7)
    for k in leaning[::20]:  # accelerations and forces are those of the fixed joint
        q, v = recording.q[k, :1], recording.v[k, :1]
        a = lw.forward_dynamics(stiff, q, v)
        np.testing.assert_allclose(recording.a[k], [a[0], 0.0], rtol=0, atol=1e-9)
        np.testing.assert_allclose(recording.wrenches[k], lw.joint_wrenches(stiff, q, v, a), rtol=0, atol=1e-9)
    assert not recording.tau.any()  # no motor does this


def test_leaning_is_of_the_order_of_the_integrator():
    ends = [leaning_arm(dt=dt).run(0.4, progress=False).q[-1, 0] for dt in (4e-3, 2e-3, 1e-3)]
    assert abs(ends[0] - ends[1]) > 10.0 * abs(ends[1] - ends[2])


def test_a_limit_that_was_met_does_not_fire_again_while_nothing_leaves_it():
    rng = np.random.default_rng(5)
    linkage = lw.samples.chain(2)
    for joint in linkage.joints:
        joint.limits = (-rng.uniform(0.02, 0.2), rng.uniform(0.02, 0.2))
    recording = lw.Simulation(linkage, [0, 0], rng.normal(size=2), dt=1e-3, limits="impulsive").run(0.5, progress=False)
    assert 1 <= len(recording.events) < 10
    assert min(np.abs(event.jump).max() for event in recording.events) > 1e-6
    assert min(event.energy_lost for event in recording.events) > 0.0
    assert all(event.what.startswith("limit of 'link") for event in recording.events)


def test_a_closed_linkage_that_leans_on_a_limit_records_all_forces():
    recording = turning_four_bar(["coupler"], limits="impulsive").run(0.3, progress=False)
    linkage, q = recording.segments[0].linkage, recording.q[-1]
    assert np.abs(recording.a[-1]).max() < 1e-9
    ground = sum(recording[name].rotation[-1] @ recording[name].wrench[-1, :3] for name in ("crank", "pin"))
    weight = 9.81 * sum(body.mass for body in linkage.bodies)
    np.testing.assert_allclose(ground, [0, 0, weight], atol=1e-9)  # at rest ground bears the weight
    moment = recording["coupler"].wrench[-1, 4]  # of the stop: turning the crank lifts the centre of mass
    way = lw.mobility(linkage, q, ["crank"]).W[:, 0]
    lift = lw.gravity_torques(linkage, q) @ way
    assert moment * way[1] == pytest.approx(lift, rel=1e-9)


def test_a_run_without_progress_raises(monkeypatch):
    monkeypatch.setattr("linkwork.simulation.agenda.AT_ONCE", 20)
    linkage = lw.Linkage(gravity=(0, 0, -1e6))
    linkage.add_body("ball", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Prismatic("z", limits=(0.0, 1.0)))
    sim = lw.Simulation(linkage, [1e-6], dt=1e-2, limits=Impulsive(1.0))
    with pytest.raises(lw.DivergedError, match="no progress"):
        sim.run(1.0, progress=False)
    assert len(sim.recording.events) == 21


def test_a_ball_passes_its_compliant_limit_by_no_more_than_documented():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        linkage = lw.Linkage(gravity=(0, 0, 0))
        box = lw.Inertia.box(rng.uniform(0.1, 1.0, 3), mass=1.0, com=rng.uniform(-0.5, 0.5, 3))
        linkage.add_body("ball", box, joint=lw.Spherical(limits=[(-0.5, 0.5)] * 3))
        axis = np.eye(3)[seed]
        recording = lw.Simulation(linkage, [0, 0, 0, 1.0], axis, dt=1e-3).run(0.7, progress=False)
        r = linkage.difference(linkage.neutral(), recording.q)
        speed = np.linalg.norm(recording.v, axis=1).max()
        assert 0.0 < np.abs(r).max() - 0.5 < 2.2e-3 * speed


def test_a_controller_goes_on_while_a_joint_leans():
    """One that compiled steps call by themselves, and the same law as a Python function."""
    kp, kd, target = 60.0, 2.0, np.array([0.2, 1.0])
    laws = lw.PD(kp, kd, target), lambda sim: kp * (target - sim.q) - kd * sim.v
    runs = []
    for law in laws:
        linkage = lw.samples.chain(2)
        linkage.joints["link1"].limits = (-0.3, 0.3)
        sim = lw.Simulation(linkage, [1.0, 0.0], dt=1e-3, limits="impulsive", controller=law)
        runs.append(sim.run(0.3, progress=False))
    assert runs[0].q[-1, 1] == 0.3
    np.testing.assert_allclose(runs[0].q, runs[1].q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(runs[0].tau[-1], kp * (target - runs[0].q[-1]) - kd * runs[0].v[-1], rtol=0.05)


@pytest.mark.parametrize("seed", [2, 18])
def test_the_midpoint_rule_enters_compliant_limits(seed):
    """Their force does not jump where a limit is reached, so that its equation has a solution."""
    rng = np.random.default_rng(seed)
    linkage = lw.samples.chain(2)
    for joint in linkage.joints:
        joint.limits = (-rng.uniform(0.02, 0.3), rng.uniform(0.02, 0.3))
    v, dt = 3.0 * rng.normal(size=2), float(rng.choice([1e-3, 3e-3]))
    sim = lw.Simulation(linkage, [0, 0], v, dt=dt, integrator="implicit-midpoint")
    recording = sim.run(0.5, progress=False)
    assert recording.energy.max() <= recording.energy[0] * (1 + 1e-6)  # limits give nothing
    assert recording.t[-1] == 0.5


def test_light_and_heavy_joints_lean_on_their_limits_alike():
    """A finger of milligrams beside a slider of a thousand tons: neither passes its limit."""
    linkage = lw.Linkage(gravity=(0, 0, -9.81))
    slider = lw.Inertia.box((1.0, 1.0, 1.0), mass=1e6)
    linkage.add_body("slider", slider, joint=lw.Prismatic("z", limits=(0.0, 1.0)))
    finger = lw.Inertia.rod(0.01, mass=1e-6, com=(0.005, 0, 0))
    linkage.add_body("finger", finger, joint=lw.Revolute("y", limits=(-1.0, 0.0)), at=lw.Pose((5, 0, 0)))
    recording = lw.Simulation(linkage, [0.0, 0.0], dt=1e-3, limits="impulsive").run(0.02, progress=False)
    np.testing.assert_allclose(recording.q[-1], 0.0, atol=1e-12)
    np.testing.assert_allclose(recording.a[-1], 0.0, atol=1e-12)
    assert recording["slider"].wrench[-1, 2] == pytest.approx(9.81e6, rel=1e-9)


def _swaying_arm():
    """Three hinges with hard limits; a torque presses the first against them, and pulls it off again."""
    linkage = lw.samples.chain(3)
    for joint in linkage.joints:
        joint.limits = (-0.5, 0.5)
    return lw.Simulation(
        linkage, [0.45, 0.1, 0.0], dt=1e-3, limits="impulsive", torques=lambda t, q, v: [12.0 * np.sin(2.0 * t), 0, 0]
    )


@pytest.mark.parametrize("make", [_swaying_arm, lambda: turning_four_bar(["coupler"], limits="impulsive")])
def test_compiled_steps_of_what_leans_on_a_limit_are_those_of_python(make, monkeypatch):
    looks, push = [], Limits.least_push
    monkeypatch.setattr(Limits, "least_push", lambda *given: looks.append(given[2]) or push(*given))
    sim = make()
    one = sim.run(2.5, progress=False)
    assert sim._engine.stepper.compiled
    seldom = len(looks)
    monkeypatch.setattr(Stepper, "_is_ready", lambda stepper: not stepper.system.limits.resting)
    other = make().run(2.5, progress=False)
    assert seldom < 100
    assert len(looks) - seldom > 300  # it leans for as long as that
    assert [event.what for event in one.events] == [event.what for event in other.events]
    np.testing.assert_allclose(
        [event.time for event in one.events], [event.time for event in other.events], atol=1e-9
    )  # fmt: skip
    np.testing.assert_allclose(one.q, other.q, atol=1e-8)
    np.testing.assert_allclose(one.a[::10], other.a[::10], atol=1e-5)
    np.testing.assert_allclose(one.tau, other.tau, atol=1e-9)
