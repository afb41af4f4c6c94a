"""Capsules of two bodies that touch, by events and time stepping, beside closed forms and conservation laws."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.shape_contacts import ShapeContacts
from linkwork.kernels.layout.shapes import C_GAP, C_NORMAL, C_POINT
from linkwork.linkage.packing import pack_shapes

G, R, LENGTH, MASS = 9.81, 0.05, 0.6, 2.0
CLOSE = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-14, "contacts": "events"}
ROD = lw.Capsule(R, LENGTH)
LYING = {"x": lw.Pose.axis_angle("y", np.pi / 2), "y": lw.Pose.axis_angle("x", -np.pi / 2), "z": lw.Pose()}
pytestmark = pytest.mark.filterwarnings("ignore:steps are slow")


def rods(*along, gravity=0.0, **rubbing):
    """Capsules that lie along these axes."""
    linkage = lw.Linkage(gravity=(0, 0, -gravity))
    for k, axis in enumerate(along):
        inertia = lw.Inertia.cylinder(R, LENGTH, mass=MASS, axis=axis)
        linkage.add_body(f"rod{k}", inertia, joint=lw.Free())
        linkage.add_shape(f"rod{k}", ROD, at=LYING[axis], name=f"rod{k}", **rubbing)
    return linkage


def energies(linkage, recording):
    states = zip(recording.q, recording.v, strict=True)
    return np.array([lw.kinetic_energy(linkage, q, v) + lw.potential_energy(linkage, q) for q, v in states])


def apart(a, b):
    """The distance of two segments, by brute force over their four borders and their inside."""
    (p, d), (r, e) = a, b
    w = p - r
    A = np.array([[d @ d, -d @ e], [-d @ e, e @ e]])
    found = []
    if np.linalg.det(A) > 1e-12:
        s, t = np.linalg.solve(A, [-w @ d, w @ e])
        if 0 <= s <= 1 and 0 <= t <= 1:
            found.append((s, t))
    found += [(s, np.clip((w + s * d) @ e / (e @ e), 0, 1)) for s in (0.0, 1.0)]
    found += [(np.clip(-(w - t * e) @ d / (d @ d), 0, 1), t) for t in (0.0, 1.0)]
    return min(np.linalg.norm(w + s * d - t * e) for s, t in found)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_gaps_are_those_of_two_segments():
    linkage, rng = rods("z", "z"), np.random.default_rng(1)
    contacts = ShapeContacts(linkage)
    for _ in range(60):
        q = rng.normal(size=14)
        q[:3], q[7:10] = 0.3 * q[:3], 0.3 * q[7:10]
        q[3:7] /= np.linalg.norm(q[3:7])
        q[10:] /= np.linalg.norm(q[10:])
        ends = []
        for at in (q[:7], q[7:]):
            turned = lw.Pose(at[:3], at[3:]).rotation[:, 2] * LENGTH
            ends.append((at[:3] - 0.5 * turned, turned))
        rows = contacts.find(0.0, q)
        assert rows[:, C_GAP].min() == pytest.approx(apart(*ends) - 2 * R, abs=1e-13)


@pytest.mark.parametrize("e", [1.0, 0.5])
def test_crossed_rods_collide(e):
    """With 2/m + (x² + y²)/I at work, where they meet x and y beside their middles."""
    linkage = rods("x", "y", restitution=e, friction=0.0)
    q = np.array([0, 0, 0, 0, 0, 0, 1, 0.2, 0.1, 0.5, 0, 0, 0, 1])
    v = np.array([0, 0, 1.0, 0, 0, 0, 0, 0, -1.0, 0, 0, 0])
    before = lw.momentum(linkage, q, v)
    sim = lw.Simulation(linkage, q, v, dt=1e-2, **CLOSE)
    recording = sim.run(0.3, progress=False)
    assert [event.time for event in recording.events] == [pytest.approx(0.2, abs=1e-13)]
    turn = lw.Inertia.cylinder(R, LENGTH, mass=MASS, axis="x").matrix[1, 1]
    p = 2.0 * (1.0 + e) / (2.0 / MASS + (0.2**2 + 0.1**2) / turn)
    speeds = [1.0 - p / MASS, 0.2 * p / turn, p / MASS - 1.0, -0.1 * p / turn]
    one, other = lw.body_velocities(linkage, sim.q, sim.v)
    np.testing.assert_allclose([one[2], one[4], other[2], other[3]], speeds, atol=1e-13)
    np.testing.assert_allclose(lw.momentum(linkage, sim.q, sim.v), before, atol=1e-13)


@pytest.mark.parametrize("contacts", ["events", "time-stepping"])
def test_a_rod_lies_on_two(contacts):
    """Each of which bears as much as the levers say."""
    linkage, inertia = lw.Linkage(), lw.Inertia.cylinder(R, LENGTH, mass=MASS, axis="x")
    for k, x in enumerate((-0.1, 0.2)):
        linkage.add_body(f"bar{k}", inertia, joint=lw.Fixed(), at=lw.Pose((x, 0, 0)))
        linkage.add_shape(f"bar{k}", ROD, at=LYING["y"], name=f"bar{k}", friction=0.5)
    linkage.add_body("rod", inertia, joint=lw.Free(), at=lw.Pose((0, 0, 2 * R)))
    linkage.add_shape("rod", ROD, at=LYING["x"], name="rod", friction=0.5)
    sim = lw.Simulation(linkage, dt=1e-3, contacts=contacts)
    sim.run(0.2, progress=False)
    assert sim.contacts["bar0", "rod"].normal == pytest.approx(MASS * G * 2 / 3, rel=1e-9)
    assert sim.contacts["bar1", "rod"].normal == pytest.approx(MASS * G / 3, rel=1e-9)
    np.testing.assert_allclose(sim.q, [0, 0, 0, 0, 0, 0, 1], atol=1e-13)


def test_parallel_rods_touch_at_two_points():
    linkage = rods("x", "x")
    contacts = ShapeContacts(linkage)
    rows = contacts.find(0.0, np.array([0, 0, 0, 0, 0, 0, 1, 0.2, 0, 2 * R, 0, 0, 0, 1]), 1e-9)
    assert sorted(rows[:, C_POINT].round(12)) == [-0.1, 0.3]
    np.testing.assert_allclose(rows[:, C_NORMAL : C_NORMAL + 3], [[0, 0, 1]] * len(rows), atol=1e-15)


@pytest.mark.parametrize("axis", ["y", "z"])
@pytest.mark.parametrize("contacts", ["events", "time-stepping"])
def test_a_rod_slides_along_another_and_off_its_end(contacts, axis):
    """Smooth, guided so that it does not turn, across the other one on its side, or upright on its end."""
    linkage = lw.Linkage()
    linkage.add_body("rail", lw.Inertia.cylinder(R, LENGTH, mass=MASS), joint=lw.Fixed())
    linkage.add_shape("rail", ROD, at=LYING["x"], name="rail", friction=0.0)
    linkage.add_body("x", joint=lw.Prismatic("x"))
    linkage.add_body("rod", lw.Inertia.cylinder(R, LENGTH, mass=MASS), joint=lw.Prismatic("z"), parent="x")
    linkage.add_shape("rod", ROD, at=LYING[axis], name="rod", friction=0.0)
    options, lowest = CLOSE if contacts == "events" else {"contacts": contacts}, 0.5 * LENGTH * (axis == "z")
    sim = lw.Simulation(linkage, [0.2, 2 * R + lowest], [0.5, 0.0], dt=1e-3, **options)
    recording = sim.run(0.45, progress=False)
    (left,) = [event.time for event in recording.events if "leaves" in event.what]
    height = (recording.q[np.searchsorted(recording.t, left), 1] - lowest) / (2 * R)
    # as of a mass on a ball: 2/3 + v²/3gR
    assert height == pytest.approx(2 / 3 + 0.25 / (6 * G * R), abs=1e-11 if contacts == "events" else 2e-2)
    if contacts == "events":
        assert np.ptp(energies(linkage, recording)) < 1e-12
        assert recording.events[0].what == "'rod' passes an edge on 'rail'"
        assert recording.events[0].time == pytest.approx(0.2, abs=1e-12)


def tangle(seed):
    linkage, rng = rods(*"xyzxy", gravity=G, friction=0.4, restitution=0.3), np.random.default_rng(seed)
    linkage.add_shape("ground", lw.Plane(), friction=0.5, name="floor")
    q = linkage.neutral().reshape(-1, 7)
    q[:, 2] = 0.4 + 0.7 * np.arange(len(q))
    q[:, :2] = rng.uniform(-0.05, 0.05, (len(q), 2))
    q[:, 3:] = rng.normal(size=(len(q), 4))
    q[:, 3:] /= np.linalg.norm(q[:, 3:], axis=1)[:, None]
    return linkage, q.ravel()


@pytest.mark.parametrize("seed", range(3))
def test_a_tangle_goes_as_with_coal(monkeypatch, seed):
    """For some time after the first collision of two; small differences grow."""
    pytest.importorskip("coal")
    ends, until = [], 0.0
    for known in (True, False):
        with monkeypatch.context() as patched:
            if not known:
                patched.setattr(pack_shapes, "_round", lambda one, other: [])
            linkage, q = tangle(seed)
            sim = lw.Simulation(linkage, q, dt=2e-5, contacts="time-stepping")
            if known:
                events = sim.run(0.6, progress=False).events
                until = next(event.time for event in events if event.what.count("rod") == 2) + 0.02
                sim = lw.Simulation(linkage, q, dt=2e-5, contacts="time-stepping")
            sim.run(until, progress=False)
            ends.append(sim.q)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_a_tangle_hardly_gains_energy(seed):
    """By events, what slips that begins is worth (of 180 J); time steps push apart what overlaps."""
    linkage, q = tangle(seed)
    for contacts, gain in (("events", 1e-3), ("time-stepping", 3e-2)):
        sim = lw.Simulation(linkage, q, dt=2.5e-4 if contacts == "events" else 1e-3, contacts=contacts)
        recording = sim.run(0.9, progress=False)
        assert np.diff(energies(linkage, recording)).max() < gain
        assert sim.contacts.gap.min() > -5e-3
        assert len(recording.events) > 50


def test_rollouts_know_capsules():
    linkage, q = tangle(1)
    sim = lw.Simulation(linkage, q, dt=1e-3, contacts="time-stepping")
    sim.run(0.4, progress=False)
    rolled = lw.rollout(linkage, np.stack([q] * 2), np.zeros((2, 30)), np.zeros(30), 1e-3, 400)
    np.testing.assert_allclose(rolled.q[:, -1], np.stack([sim.q] * 2), atol=1e-9)
