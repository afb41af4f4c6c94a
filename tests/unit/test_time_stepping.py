"""Shapes that touch, by time stepping: against closed forms, conservation laws and themselves."""

import pickle

import numpy as np
import pytest

import linkwork as lw

G = 9.81


def on_plane(solid, inertia, *, height, slope=0.0, v=None, floor=None, **rub):
    """A free body on a plane, gravity turned by a slope (x points down), and its state."""
    linkage = lw.Linkage(gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    linkage.add_body("body", inertia, joint=lw.Free())
    linkage.add_shape("body", solid, name="solid", **rub)
    linkage.add_shape("ground", floor or lw.Plane(), friction=1.0, name="floor")
    q = linkage.neutral()
    q[2] = height
    return linkage, q, np.zeros(6) if v is None else np.array(v, dtype=float)


def box(**options):
    return on_plane(lw.Box((0.2, 0.2, 0.2)), lw.Inertia.box((0.2, 0.2, 0.2), mass=2.0), height=0.1, **options)


def ball(**options):
    return on_plane(lw.Ball(0.1), lw.Inertia.sphere(0.1, mass=1.0), **({"height": 0.1} | options))


def test_a_box_on_a_slope_does_not_creep_and_presses_as_statics_say():
    slope = np.radians(20)
    linkage, q, v = box(slope=slope, friction=0.5)
    sim = lw.Simulation(linkage, q, v, dt=1e-3)
    sim.run(2.0)
    assert np.abs(sim.q - q).max() < 1e-12
    touch = sim.contacts["solid", "floor"]
    assert (touch.mode, sim.contacts.method) == ("stick", "time-stepping")
    expected = 2.0 * G * np.cos(slope) / 4 * (1 + np.array([-1, -1, 1, 1]) * np.tan(slope))
    np.testing.assert_allclose(np.sort(touch.forces[:, 2]), expected, rtol=1e-9)
    np.testing.assert_allclose(touch.friction, [-2.0 * G * np.sin(slope), 0, 0], atol=1e-9)


def test_a_box_slides_where_friction_is_too_small():
    slope = np.radians(20)
    linkage, q, v = box(slope=slope, friction=0.3)
    sim = lw.Simulation(linkage, q, v, dt=1e-3)
    sim.run(0.5)
    a = G * (np.sin(slope) - 0.3 * np.cos(slope))
    assert sim.v[0] == pytest.approx(0.5 * a, abs=1e-9)
    assert sim.contacts["solid"].mode == "slip"


def test_a_sphere_slides_and_then_rolls():
    """It rolls from 2 v₀/7 μ g on, with 5/7 of v₀."""

    def error(dt):
        linkage, q, v = ball(v=[2, 0, 0, 0, 0, 0], friction=0.25)
        sim = lw.Simulation(linkage, q, v, dt=dt)
        sim.run(0.5)
        t = 2 * 2.0 / (7 * 0.25 * G)
        return abs(sim.q[0] - (2 * t - 0.125 * G * t**2 + 10 / 7 * (0.5 - t)))

    assert error(1e-2) < 1e-4
    assert error(1e-3) < 1e-7


def test_bounces_end_when_they_should_and_never_gain_energy():
    last = []
    for dt in (4e-3, 1e-3):
        linkage, q, v = ball(height=1.1, restitution=0.6, friction=0.0)
        recording = lw.Simulation(linkage, q, v, dt=dt).run(2.2)
        energy = recording.energy - 0.1 * G
        assert np.diff(recording.kinetic + recording.potential).max() < 1e-9 + G * dt * np.abs(recording.v).max()
        assert np.abs(recording.v[-50:]).max() < 1e-15
        assert 0.0 <= energy[-1] < 1.1e-6 * G  # it rests within a micrometre
        last.append(recording.t[np.flatnonzero(np.abs(recording.v[:, 2]) > 1e-12)[-1]])
    ends = np.sqrt(2 / G) * (1 + 0.6) / (1 - 0.6)  # the sum of all bounces
    assert abs(last[1] - ends) < 0.5 * abs(last[0] - ends) < 0.02


def test_elastic_bounces_keep_their_energy():
    linkage, q, v = ball(height=1.1, restitution=1.0, friction=0.0)
    recording = lw.Simulation(linkage, q, v, dt=1e-3).run(3.0)
    assert np.abs(recording.energy / recording.energy[0] - 1).max() < 1e-9


def test_random_impacts_never_gain_energy_and_momentum_balances():
    rng = np.random.default_rng(0)
    linkage, q, _ = box(friction=0.4)
    linkage.gravity = (0, 0, 0)
    for _ in range(40):
        linkage.meet("solid", "floor", friction=rng.uniform(0, 1.5), restitution=rng.uniform(0, 1))
        q = linkage.random(rng)
        lowest = lw.body_poses(linkage, q)["body"].apply(lw.Box((0.2, 0.2, 0.2)).points())[:, 2].min()
        q[2] -= lowest
        v = rng.normal(size=6)
        sim = lw.Simulation(linkage, q, v, dt=1e-6)
        before, momentum = sim.energy, lw.momentum(linkage, q, v)
        given = sim.contacts["solid"].forces.sum(axis=0) * 1e-6
        sim.step()
        assert sim.energy <= before * (1 + 1e-12)
        np.testing.assert_allclose(lw.momentum(linkage, sim.q, sim.v)[:3], momentum[:3] + given, atol=1e-9)


def test_static_friction_holds_until_it_is_overcome():
    """A force 4 t on 2 kg with μ_s = 0.5 and μ_k = 0.4: it starts at 2.4525 s and is at 2.40992303958 m after 4 s."""
    linkage, q, v = on_plane(
        lw.Box((0.1, 0.1, 0.02)), lw.Inertia.box((0.1, 0.1, 0.02), mass=2.0), height=0.01, friction=0.4,
        static_friction=0.5,
    )  # fmt: skip

    def pull(t, q, v):
        return np.array([[4 * t, 0, 0, 0, -0.04 * t, 0]])

    sim = lw.Simulation(linkage, q, v, dt=2e-3, wrenches=pull)
    recording = sim.run(4.0)
    slips = [event.time for event in recording.events if "slips on" in event.what]
    assert slips[0] == pytest.approx(2.4525, abs=4e-3)
    assert sim.q[0] == pytest.approx(2.40992303958, abs=0.02)


def test_a_belt_drags_what_lies_on_it():
    linkage, q = lw.samples.box_on_belt(0.5, friction=0.4, static_friction=0.4)
    recording = lw.Simulation(linkage, q, dt=1e-3).run(0.4)
    t = 0.5 / (0.4 * G)
    assert recording.q[-1, 0] == pytest.approx(0.5 * 0.5 * t + 0.5 * (0.4 - t), abs=2e-3)
    np.testing.assert_allclose(recording.v[-1, 0], 0.5, rtol=1e-12)
    moving = lw.Plane().moving(lambda t: (lw.Pose((0.5 * t, 0, 0)), (0.5, 0, 0, 0, 0, 0), np.zeros(6)))
    other, q, v = box(floor=moving, friction=0.4)
    again = lw.Simulation(other, q, v, dt=1e-3).run(0.02)
    np.testing.assert_allclose(again.v[-1, 0], recording.v[20, 0], rtol=1e-9)  # whatever its size and mass


def test_a_rimless_wheel_loses_at_each_step_what_it_must():
    linkage, q = lw.samples.rimless_wheel()
    v = np.array([0.0, 0.0, 1.5])
    v[1] = 1.5 * np.cos(np.pi / 8)  # about the foot in front …
    v[0] = 1.5 * np.sin(np.pi / 8)  # … which comes next
    ratio = (0.1 + np.cos(2 * np.pi / 8)) / 1.1
    errors = []
    for dt in (2e-3, 5e-4):
        recording = lw.Simulation(linkage.copy(), q, v, dt=dt).run(1.5)
        spin = recording.v[:, 2]
        hits = np.flatnonzero(spin[1:] < 0.9 * spin[:-1])
        assert len(hits) >= 1
        errors.append(abs(spin[hits[0] + 1] / spin[hits[0]] - ratio))
    assert errors[1] < 0.02
    assert errors[1] < 0.6 * errors[0] + 1e-4


def test_recordings_tell_what_touched(tmp_path):
    linkage, q, v = box(friction=0.5)
    q[2] += 0.01
    recording = lw.Simulation(linkage, q, v, dt=1e-3).run(0.2)
    contacts = recording.contacts
    pair = contacts["solid", "floor"]
    assert contacts.mode[0, pair] == "open"
    assert contacts.mode[-1, pair] == "stick"
    assert contacts.normal_forces[-1, pair] == pytest.approx(2.0 * G)
    landing = recording.events[0]
    assert (landing.cause, landing.what) == ("contact", "'solid' touches 'floor'")
    assert landing.time == pytest.approx(np.sqrt(0.02 / G), abs=1e-3)
    assert landing.energy_lost == pytest.approx(2.0 * G * 0.01, rel=0.1)
    assert landing.jump[2] == pytest.approx(np.sqrt(0.02 * G), rel=0.05)
    impulse = contacts.impulses[:, pair, 2].sum()
    assert impulse == pytest.approx(2.0 * G * 0.201, rel=1e-9)  # all that gravity gave, taken back
    np.testing.assert_allclose(recording.wrenches[-1], 0.0, atol=1e-9)  # a free joint bears nothing
    recording.save(tmp_path / "run.h5")
    again = lw.Recording.load(tmp_path / "run.h5")
    np.testing.assert_array_equal(again.contacts.normal_forces, contacts.normal_forces)


def test_a_run_is_resumed_to_the_bit(tmp_path):
    linkage, q, v = ball(height=0.3, v=[1, 0, 0, 0, 5, 0], restitution=0.5, friction=0.3)
    whole = lw.Simulation(linkage.copy(), q, v, dt=1e-3)
    whole.run(0.3205)
    whole.run(0.8)
    part = lw.Simulation(linkage.copy(), q, v, dt=1e-3, record=tmp_path / "run.h5")
    part.run(0.3205)
    again = lw.Simulation.resume(tmp_path / "run.h5")
    copy = pickle.loads(pickle.dumps(whole))
    again.run(0.8)
    for other in (again, copy):
        np.testing.assert_array_equal(other.q, whole.q)
        np.testing.assert_array_equal(other.v, whole.v)
    told = [[(event.time, event.what) for event in sim.recording.events] for sim in (again, whole)]
    assert told[0] == told[1]


def test_conditions_actions_and_controllers_act():
    linkage, q, v = box(friction=0.5)
    sim = lw.Simulation(linkage, q, v, dt=1e-3, controller=lambda sim: np.array([15.0, 0, 0, 0, 0, 0]))
    seen = []
    sim.when(lambda t, q, v: q[0] - 0.01, lambda sim: seen.append(sim.t), direction=1)
    sim.at(0.1005, lambda sim: setattr(sim, "controller", None))
    sim.run(0.2)
    a = 15.0 / 2 - 0.5 * G
    assert seen[0] == pytest.approx(np.sqrt(2 * 0.01 / a), abs=1e-3)
    held = lw.PD(kp=0.0, kd=5.0, q=q)
    other = lw.Simulation(linkage.copy(), q, [1.0, 0, 0, 0, 0, 0], dt=1e-3, controller=held)
    other.run(0.2)
    assert np.abs(other.v).max() < 1e-9


def test_what_is_refused():
    linkage, q, v = box(friction=0.5)
    with pytest.raises(lw.ArgumentError, match=r"unknown way of contacts 'step'.*'time-stepping'"):
        lw.Simulation(linkage, q, v, contacts="step")
    low = q.copy()
    low[2] = 0.08
    with pytest.raises(lw.StructureError, match=r"shapes 'solid' and 'floor' overlap by 0.02 m at the start"):
        lw.Simulation(linkage, low, v)
    apart = lw.Simulation(linkage, low, v, close=True)
    apart.run(0.01)
    assert apart.q[2] == pytest.approx(0.1, abs=1e-9)
    linkage.constrain("body", surface=lw.Surface("y"), name="rail")
    with pytest.raises(lw.ArgumentError, match=r"point 'rail' is kept on .*knows those on planes"):
        lw.Simulation(linkage, q, v, contacts="time-stepping")


def test_pairs_of_solids(tmp_path):
    """A capsule that two pads pinch stays where it is (mujoco #3328), and boxes on each other bear each other."""
    pytest.importorskip("coal")
    linkage, q = lw.samples.cup_in_hand(squeeze=12.0)
    linkage.part("cup", "table")
    sim = lw.Simulation(linkage, q, dt=1e-3, controller=lambda sim: np.r_[G * (0.5 + 0.2 + 0.3), np.zeros(8)])
    sim.run(0.1)
    assert np.abs(sim.v).max() < 1e-12
    pads = [sim.contacts["cup", f"{side}_pad"] for side in ("left", "right")]
    assert [pad.mode for pad in pads] == ["stick", "stick"]
    assert sum(pad.friction[2] for pad in pads) == pytest.approx(0.3 * G)
    assert [pad.normal for pad in pads] == pytest.approx([12.0, 12.0])


def test_what_is_near_and_comes_fast_bears_nothing_yet():
    """A ball 50 µm above the floor that falls at 5 m/s hits it within the step after: until then no force is told."""
    linkage = lw.Linkage(name="ball")
    linkage.add_body("ball", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Free(), at=lw.Pose((0, 0, 0.1)))
    linkage.add_shape("ball", lw.Ball(0.1), name="ball")
    linkage.add_shape("ground", lw.Plane(), name="floor")
    q, v = linkage.neutral(), np.zeros(6)
    q[2], v[5] = 0.0025 + 5e-5, -5.0
    sim = lw.Simulation(linkage, q, v, dt=1e-3)
    sim._engine.refresh()
    sim._engine.stepper._space[5].fill(np.nan)
    assert [(pair.mode, pair.normal) for pair in sim.contacts] == [("open", 0.0)]


def bouncing(name):
    """A leg of five bars on its foot, or a Stewart platform on three corners; and its pose."""
    linkage = lw.samples.five_bar() if name == "leg" else lw.samples.stewart()
    q = linkage.neutral()
    positions = lw.body_poses(linkage, q).positions
    corners = [(0.3, 0, -0.02), (-0.15, 0.26, -0.02), (-0.15, -0.26, -0.02)]
    body, height = "platform", positions[-1, 2] - 0.06
    if name == "leg":
        body, height, corners = linkage.bodies.names[2], positions[:, 2].min() - 0.3, [(0.05, 0, -0.05)]
    for k, corner in enumerate(corners):
        at = lw.Pose(corner)
        linkage.add_shape(body, lw.Point(), at=at, restitution=1.0, friction=0.4, name=f"foot{k}")
    linkage.add_shape("ground", lw.Plane((0, 0, 1), height), friction=1.0, name="floor")
    return linkage, q


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leg", "platform"])
def test_loops_stay_closed_through_a_thousand_impacts(name):
    linkage, q = bouncing(name)
    sim = lw.Simulation(linkage, q, dt=5e-4, limits="ignore", contacts="time-stepping", record_every=10_000)
    start, landings = sim.energy, []
    while len(landings) < 1000:
        sim.run(sim.t + 1.0)
        landings = [event for event in sim.recording.events if "touches" in event.what]
        assert np.abs(linkage.difference(sim.q, lw.close_loops(linkage, sim.q))).max() < 1e-10
        assert sim.energy <= start * (1 + 1e-9)
    assert min(event.energy_lost for event in landings) >= -1e-12 * start


@pytest.mark.parametrize("contacts", ["events", "time-stepping"])
def test_beads_in_a_row_bounce_without_loss(contacts):
    """By Newton's law: 1 = v + 4 u of momentum, u − v = 1 of the gap that opens, and no energy goes."""
    linkage = lw.Linkage(name="beads", gravity=(0, 0, 0))
    for k in range(5):
        at = lw.Pose((0.1 * k - 0.1 * (k == 0), 0, 0))
        linkage.add_body(f"bead{k}", lw.Inertia.sphere(0.05, mass=1.0), joint=lw.Prismatic("x"), at=at)
        linkage.add_shape(f"bead{k}", lw.Ball(0.05), restitution=1.0, friction=0.0)
    sim = lw.Simulation(linkage, v=[1.0, 0, 0, 0, 0], dt=1e-3, contacts=contacts)
    sim.run(0.2, progress=False)
    np.testing.assert_allclose(sim.v, [-0.6, 0.4, 0.4, 0.4, 0.4], atol=1e-12)
