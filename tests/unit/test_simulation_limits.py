"""Hard limits beside loops and drives."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.simulation.limits import Impulsive


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
