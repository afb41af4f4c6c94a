"""Joints that break beyond their strength: when, which, and what is recorded."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.simulation import breaking

G = 9.81


def pendulum(**options):
    """A ball of 1 kg on a rod of 1 m without mass, on the tree joint "pin"."""
    linkage = lw.Linkage()
    ball = lw.Inertia.sphere(0.05, mass=1.0, com=(0, 0, -1))
    linkage.add_body("ball", ball, joint=lw.Revolute("y"), joint_name="pin", **options)
    return linkage


def tension(angle, start):
    """Pull of the rod on the pin: the pendulum's energy gives its speed, and that the pull towards the centre."""
    inertia = 1.0 + 0.4 * 0.05**2  # about the pin
    inward = G * np.cos(angle) + 2 * G * (np.cos(angle) - np.cos(start)) / inertia
    along = G * np.sin(angle) * (1 - 1 / inertia)  # what of the weight's other part the turning leaves
    return np.hypot(inward, along)


@pytest.mark.parametrize("by", ["compiled", "python"])
def test_a_tree_joint_breaks_where_a_pendulum_pulls_too_hard(by):
    torques = None if by == "compiled" else (lambda t, q, v: np.zeros(len(v)))
    sim = lw.Simulation(pendulum(strength=20.0), [1.3], dt=1e-3, torques=torques)
    recording = sim.run(1.0)
    (event,) = recording.events
    assert (event.cause, event.what) == ("strength", "breaks, cut 'pin'")
    assert event.energy_lost == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(event.jump[[1, 4]], 0.0, atol=1e-12)
    swinging, flying = recording.segments
    assert swinging.t[-1] == flying.t[0] == event.time
    assert tension(swinging.q[-1, 0], 1.3) == pytest.approx(20.0, abs=1e-7)
    assert (tension(swinging.q[:-1, 0], 1.3) < 20.0).all()
    assert flying.linkage.joints["ball"].type == lw.Free()


def test_compiled_and_interpreted_runs_break_at_the_same_instant():
    times = []
    for method in ("auto", "crba"):  # which Python calls
        gymnast, q = lw.samples.high_bar(angle=1.4, strength=700.0)
        sim = lw.Simulation(gymnast, q, dt=1e-3, method=method)
        times.append(sim.run(0.8).events[0].time)
    assert times[0] == pytest.approx(times[1], abs=1e-9)


@pytest.mark.parametrize("sample", ["four_bar", "bricard"])
def test_redundant_loops_break_at_the_same_instant_and_python_looks_seldom(sample, monkeypatch):
    looks, look = [], breaking.strengths_left
    monkeypatch.setattr(breaking, "strengths_left", lambda sim: looks.append(sim.t) or look(sim))
    linkage = getattr(lw.samples, sample)()
    v = 4.0 * lw.mobility(linkage, linkage.neutral()).W[:, 0]
    free = lw.Simulation(linkage, v=v, dt=1e-3).run(0.2, progress=False)
    pulls = [np.linalg.norm(lw.solve(linkage, q, v).joint_wrenches[1, :3]) for q, v in zip(free.q, free.v, strict=True)]
    strength = 0.5 * (pulls[0] + max(pulls))
    assert lw.solve(linkage, free.q[0], free.v[0]).redundant > 0
    assert max(pulls) > 1.001 * pulls[0]
    linkage.set_strength(linkage.joints.names[1], strength)
    times = [lw.Simulation(linkage.copy(), v=v, dt=1e-3).run(0.2, progress=False).events[0].time]
    assert len(looks) < 40
    times.append(lw.Simulation(linkage.copy(), v=v, dt=1e-3, method="crba").run(0.2, progress=False).events[0].time)
    assert times[0] == pytest.approx(times[1], abs=1e-9)


def test_a_torque_breaks_a_joint():
    # A beam of 2 m and 3 kg, clamped at one end by a slide across it: it bears the moment m g l / 2 = 29.43 N m.
    linkage = lw.Linkage()
    beam = lw.Inertia.cylinder(0.05, 2.0, mass=3.0, axis="x", com=(1, 0, 0))
    linkage.add_body("beam", beam, joint=lw.Prismatic("y"), strength=lw.Strength(torque=29.5))
    assert not lw.Simulation(linkage.copy(), dt=1e-3).run(0.1).events
    linkage.set_strength("beam", lw.Strength(force=1e6, torque=29.4))
    (event,) = lw.Simulation(linkage, dt=1e-3).run(0.1).events
    assert event.time == pytest.approx(0.0, abs=1e-9)  # overloaded from the start


def test_the_load_of_what_breaks_goes_to_the_others():
    # A bar hangs on two rods' worth of joints; each bears half. Together they hold, alone neither does.
    linkage = lw.Linkage()
    linkage.add_body("bar", lw.Inertia.cylinder(0.05, 2.0, mass=10.0, axis="x"), joint=lw.Free())
    for name, x, strength in (("left", -1.0, 45.0), ("right", 1.0, 60.0)):
        linkage.connect(
            "ground",
            "bar",
            lw.Revolute("y"),
            at_a=lw.Pose((x, 0, 0)),
            at_b=lw.Pose((x, 0, 0)),
            name=name,
            strength=strength,
        )
    recording = lw.Simulation(linkage, dt=1e-3).run(0.3)
    first = recording.events[0]
    assert first.what.startswith("breaks, cut 'left'")  # 49.05 N each at rest; the weaker goes at once
    later = [event for event in recording.events[1:] if "right" in event.what]
    assert len(later) == 1  # swinging on it alone, the bar then pulls with more than 60 N


def test_a_contact_breaks_where_the_surface_pulls_too_hard(tmp_path):
    # A bead on a ring of 1 m in the plane y = 0, let go at the top with a push: the ring pulls inwards with
    # m (v²/r − g cos θ), and v² = v0² + 2 g r (1 − cos θ), θ from the top.
    linkage = lw.Linkage()
    bead = lw.Inertia.sphere(0.01, mass=1.0)
    linkage.add_body("bead", bead, joint=lw.Planar("y"), at=lw.Pose((0, 0, 1)), joint_name="plane")
    linkage.constrain("bead", surface=lw.Sphere((0, 0, 0), 1.0), name="ring", strength=30.0)
    q = lw.close_loops(linkage, linkage.neutral())
    v = lw.consistent_velocity(linkage, q, [0.5, 0.5, 0.0])
    lw.Simulation(linkage, q, v, dt=1e-3, record=tmp_path / "ring.h5").run(0.1)
    recording = lw.Simulation.resume(tmp_path / "ring.h5").run(3.0)  # a file keeps the strength
    event = recording.events[0]
    assert (event.cause, event.what) == ("strength", "breaks, release 'ring'")
    before = recording.segments[0]
    cosine = lw.body_poses(before.linkage, before.q[-1])["bead"].position[2]
    assert 0.25 + 2 * G * (1 - cosine) - G * cosine == pytest.approx(30.0, abs=1e-5)


@pytest.mark.parametrize(("name", "force"), [("rail", 40.0), ("left", 60.0), ("pin", 55.0)])
def test_what_breaks_beside_a_surface_does_so_at_the_same_instant_as_by_python(name, force):
    times = []
    for compiled in (True, False):
        linkage = lw.samples.five_bar()
        x, _, z = lw.body_poses(linkage, linkage.neutral())["left_arm"].apply((0.05, 0, 0))
        rail = lw.Plane((0.3, 0, 1), (0.3 * x + z) / np.hypot(0.3, 1))
        linkage.constrain("left_arm", point=(0.05, 0, 0), surface=rail, name="rail")
        if name == "pin":
            at = {"at_a": linkage.loops["pin"].at_a, "at_b": linkage.loops["pin"].at_b}
            linkage.cut("pin")
            linkage.connect("ground", "right", lw.Revolute("y"), name="pin", strength=force, **at)
        else:
            linkage.set_strength(name, force)
        sim = lw.Simulation(linkage, dt=1e-3, limits="ignore")
        assert sim._engine.stepper.compiled
        sim._engine.stepper.compiled = sim._engine.stepper.looks = compiled
        (event,) = sim.run(0.4, progress=False).events
        assert repr(name) in event.what
        times.append(event.time)
    assert times[0] == pytest.approx(times[1], abs=1e-9)


def test_nothing_breaks_below_its_strength():
    recording = lw.Simulation(pendulum(strength=3 * G), [1.5], dt=1e-3).run(3.0)
    assert not recording.events
    assert tension(recording.q[:, 0], 1.5).max() > 2.8 * G


def test_strengths_are_kept_by_copies_files_and_pickles(tmp_path):
    linkage = pendulum(strength=lw.Strength(force=5.0, torque=2.0))
    linkage.constrain(linkage.bodies[0], surface=lw.Plane("y"), name="wall", strength=10.0)
    linkage.save(tmp_path / "weak.yaml")
    for other in (linkage.copy(), pickle.loads(pickle.dumps(linkage)), lw.load(tmp_path / "weak.yaml")):
        assert other.strengths == {"pin": lw.Strength(5.0, 2.0), "wall": lw.Strength(10.0)}
    linkage.release("wall")
    whole = lw.Linkage()
    whole.add(linkage, prefix="left_")
    assert whole.strengths == {"left_pin": lw.Strength(5.0, 2.0)}
    linkage.cut("pin")
    assert linkage.strengths == {}


@pytest.mark.parametrize("strength", [0.0, -1.0, np.nan, "strong", True])
def test_impossible_strengths_are_refused(strength):
    with pytest.raises(lw.ArgumentError, match="strength"):
        pendulum(strength=strength)


def test_only_what_is_there_can_have_a_strength():
    with pytest.raises(lw.ArgumentError, match="pin"):
        pendulum().set_strength("pinn", 5.0)


def test_a_rare_look_finds_the_same_instant():
    times = []
    for every in (0.0, 0.05):
        sim = lw.Simulation(pendulum(), [0.5], dt=1e-3)
        sim.when(lambda sim: sim.q[0], lambda sim: None, direction=-1, every=every)
        recording = sim.run(3.0)
        times.append([event.time for event in recording.events])
        assert (np.diff(recording.t) >= 0.0).all()
        assert len(np.unique(recording.t)) >= 3001
    assert len(times[0]) == 2  # a quarter and five quarters of a period of some 2 s
    np.testing.assert_allclose(times[0], times[1], atol=1e-9)


def test_held_torques_are_those_of_the_last_call():
    calls = []

    def controller(sim):
        calls.append(sim.t)
        return [len(calls)]

    sim = lw.Simulation(pendulum(), dt=1e-3, controller=controller, control_every=5)
    recording = sim.run(0.02)
    np.testing.assert_allclose(calls, [0.0, 0.005, 0.010, 0.015], atol=1e-12)
    np.testing.assert_array_equal(recording.tau[:20, 0], np.repeat([1, 2, 3, 4], 5))
