"""Balls of bodies that touch other bodies, by events and time stepping, beside closed forms and conservation laws."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.dynamics.shape_contacts import ShapeContacts
from linkwork.kernels.layout.shapes import C_GAP
from linkwork.linkage.packing import pack_shapes

G = 9.81
CLOSE = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-14, "contacts": "events"}
pytestmark = pytest.mark.filterwarnings("ignore:steps are slow")


def ball(linkage, name, radius, mass, **rubbing):
    linkage.add_body(name, lw.Inertia.sphere(radius, mass=mass), joint=lw.Free())
    linkage.add_shape(name, lw.Ball(radius), name=name, **rubbing)


def energies(linkage, recording):
    states = zip(recording.q, recording.v, strict=True)
    return np.array([lw.kinetic_energy(linkage, q, v) + lw.potential_energy(linkage, q) for q, v in states])


# Two balls

M, RADII = np.array([1.0, 3.0]), np.array([0.1, 0.2])


def two_balls(e, friction):
    linkage = lw.Linkage(gravity=(0, 0, 0))
    for name, radius, mass in zip("ab", RADII, M, strict=True):
        ball(linkage, name, radius, mass, friction=friction, restitution=e)
    return linkage


@pytest.mark.parametrize("off", [0.0, 0.15])
@pytest.mark.parametrize(("e", "friction"), [(1.0, 0.0), (0.4, 0.0), (0.5, 0.05), (0.0, 3.0)])
def test_two_free_balls_collide(off, e, friction):
    """The impulse along the line of centres is (1 + e) u/(1/m + 1/m), what slips gets μ of it, or is stopped."""
    linkage, spin = two_balls(e, friction), np.array([0.0, 2.0, -1.0])
    q = np.array([-0.5, off, 0, 0, 0, 0, 1, 0.5, 0, 0, 0, 0, 0, 1])
    v = np.array([2.0, 0, 0, *spin, 0, 0, 0, 0, 0, 0])
    before = lw.momentum(linkage, q, v)
    sim = lw.Simulation(linkage, q, v, dt=1e-2, **CLOSE)
    recording = sim.run(1.0, progress=False)
    apart = np.sqrt(RADII.sum() ** 2 - off**2)
    assert [event.time for event in recording.events] == [pytest.approx((1.0 - apart) / 2.0, abs=1e-13)]
    n = np.array([apart, -off, 0.0]) / RADII.sum()
    u = -np.array([2.0, 0, 0]) - RADII[0] * np.cross(spin, n)
    normal = (1.0 + e) * -(u @ n) / (1.0 / M).sum() * n
    slip = u - (u @ n) * n
    stop = slip / (3.5 * (1.0 / M).sum())  # of balls that are solid: 1/m + r²/I = 7/2 1/m
    rub = -stop * min(1.0, friction * np.linalg.norm(normal) / np.linalg.norm(stop)) if np.any(slip) else slip
    p = normal + rub
    expected = [
        np.array([2.0, 0, 0]) - p / M[0], spin - np.cross(n, p) / (0.4 * M[0] * RADII[0]),
        p / M[1], -np.cross(n, p) / (0.4 * M[1] * RADII[1]),
    ]  # fmt: skip
    found = [lw.body_velocities(linkage, sim.q, sim.v)[k] for k in range(2)]
    np.testing.assert_allclose(np.ravel(found), np.concatenate(expected), atol=2e-14)
    np.testing.assert_allclose(lw.momentum(linkage, sim.q, sim.v), before, atol=5e-14)


def test_a_ball_rolls_down_from_a_free_one():
    """On smooth ground: momentum, energy, and J of friction are one first-order equation for the angle."""
    linkage = lw.Linkage()
    for name, radius, mass in zip("ab", RADII, M, strict=True):
        ball(linkage, name, radius, mass, friction=9.0)
    linkage.add_shape("ground", lw.Plane(), friction=0.0, name="floor")
    r, d = RADII, RADII.sum()
    start = 0.1
    q = np.array([d * np.sin(start), 0, r[1] + d * np.cos(start), 0, 0, 0, 1, 0, 0, r[1], 0, 0, 0, 1])
    sim = lw.Simulation(linkage, q, dt=5e-3, **CLOSE)
    recording = sim.run(0.45, progress=False)
    assert sim.contacts["a", "b"].mode == "stick"
    assert sim.contacts["b", "floor"].mode == "slip"
    line = recording.q[:, :3] - recording.q[:, 7:10]
    angle = np.arctan2(line[:, 0], line[:, 2])
    np.testing.assert_allclose(np.linalg.norm(line, axis=1), d, atol=1e-12)
    m_x = M.prod() / M.sum()
    rolling = d**2 / (2.5 * (1.0 / M).sum())  # J d of J (5/2)(1/m + 1/m) = d θ̇
    effective = m_x * d**2 * np.cos(angle) ** 2 + M[0] * d**2 * np.sin(angle) ** 2 + rolling
    rate = np.sqrt(2.0 * M[0] * G * d * (np.cos(start) - np.cos(angle)) / effective)
    found = (recording.v[:, 4] * r[0] + recording.v[:, 10] * r[1]) / d
    np.testing.assert_allclose(found, rate, atol=2e-8)  # of a square root that starts at zero
    np.testing.assert_allclose(found[-1], rate[-1], atol=1e-11)
    centre = (recording.q[:, :3] * M[0] + recording.q[:, 7:10] * M[1]) / M.sum()
    np.testing.assert_allclose(centre[:, 0], centre[0, 0], atol=1e-12)
    assert np.ptp(energies(linkage, recording)) < 1e-11
    assert angle[-1] > 0.4


# Many balls


def test_newtons_cradle():
    """Five balls on pendulums, a hair apart: the last goes as far as the first came, again and again."""
    linkage, radius, length, count, hair = lw.Linkage(), 0.05, 1.0, 5, 1e-6
    for k in range(count):
        inertia = lw.Inertia(1.0, (0, 0, -length), 0.4 * radius**2 * np.eye(3))
        at = lw.Pose((k * (2.0 * radius + hair), 0, 0))
        linkage.add_body(f"ball{k}", inertia, joint=lw.Revolute("y"), at=at)
        at = lw.Pose((0, 0, -length))
        linkage.add_shape(f"ball{k}", lw.Ball(radius), at=at, friction=0.0, restitution=1.0)
    q = np.zeros(count)
    q[0] = 0.3  # about y, from −z towards −x
    sim = lw.Simulation(linkage, q, dt=1e-2, **CLOSE)
    recording = sim.run(1.6, progress=False)
    assert np.ptp(energies(linkage, recording)) < 1e-11
    assert recording.q[:, -1].min() == pytest.approx(-0.3, abs=2e-4)  # at a grid point nearby
    pairs = [event.what for event in recording.events]
    there = [f"'ball{k + 1}-shape' touches 'ball{k}-shape'" for k in range(count - 1)]
    assert pairs == there + there[::-1]
    assert np.abs(recording.q[:, 1:-1]).max() < 1e-5


def break_of_billiards(e, friction, seed):
    rng, radius = np.random.default_rng(seed), 0.03
    linkage = lw.Linkage(gravity=(0, 0, 0))
    places = [(-0.5, 0.004, 0.0)]
    for row in range(4):
        places += [(1.01 * row * np.sqrt(3.0) * radius, 1.01 * (2 * k - row) * radius, 0.0) for k in range(row + 1)]
    for k in range(len(places)):
        ball(linkage, f"ball{k}", radius, 0.2, restitution=e, friction=friction)
    q, v = linkage.neutral().reshape(-1, 7), np.zeros((len(places), 6))
    q[:, :3] = places + rng.uniform(-1e-4, 1e-4, (len(places), 3))
    v[0, 0] = 5.0
    return linkage, q.ravel(), v.ravel()


@pytest.mark.parametrize("contacts", ["events", "time-stepping"])
@pytest.mark.parametrize(("e", "friction"), [(1.0, 0.0), (0.9, 0.1)])
def test_a_break_of_billiards(e, friction, contacts):
    linkage, q, v = break_of_billiards(e, friction, seed=3)
    way = CLOSE if contacts == "events" else {"contacts": contacts}
    sim = lw.Simulation(linkage, q, v, dt=1e-3, **way)
    recording = sim.run(0.3, progress=False)
    moved = np.linalg.norm(recording.v[-1].reshape(-1, 6)[:, :3], axis=1) > 1e-2
    assert moved.sum() >= 8
    np.testing.assert_allclose(lw.momentum(linkage, sim.q, sim.v), lw.momentum(linkage, q, v), atol=1e-13)
    energy = energies(linkage, recording)
    assert np.diff(energy).max() < 1e-13
    if e < 1.0:
        assert energy[-1] < 0.97 * energy[0]
    else:  # in a time step several may collide, which cannot all bounce
        assert np.ptp(energy) < (1e-12 if contacts == "events" else 1e-4)


# Balls on boxes

R, H = 0.1, 0.05
BEAM = (1.0, 0.3, 2 * H)


def ball_on_beam(joint, shape=None, rub=5.0):
    linkage = lw.Linkage()
    linkage.add_body("beam", lw.Inertia.box(BEAM, mass=2.0), joint=joint)
    linkage.add_shape("beam", shape or lw.Box(BEAM), name="beam", friction=rub)
    ball(linkage, "ball", R, 1.0, friction=rub)
    return linkage


def tipping(t, state):
    """2T = m((ṡ + c α̇)² + s² α̇²) + I (α̇ + ṡ/r)² + I_b α̇², V = m g (c cos α − s sin α), with c = h + r."""
    angle, s, w, u = state
    c, own, beam = H + R, 0.4 * R**2, float(lw.Inertia.box(BEAM, mass=2.0).matrix[1, 1])
    matrix = np.array([[c**2 + s**2 + own + beam, c + own / R], [c + own / R, 1.0 + own / R**2]])
    push = G * (s * np.cos(angle) + c * np.sin(angle)) - 2.0 * s * u * w, s * w**2 + G * np.sin(angle)
    return w, u, *np.linalg.solve(matrix, push)


@pytest.mark.parametrize("shape", ["box", "mesh"])
def test_a_ball_rolls_on_a_box_that_tips(shape):
    solid = lw.Box(BEAM) if shape == "box" else lw.Mesh(lw.Box(BEAM).points())
    linkage, start = ball_on_beam(lw.Revolute("y"), solid), (0.05, 0.02, 0.0, 0.0)
    angle, s = start[:2]
    along, up = np.array([np.cos(angle), 0, -np.sin(angle)]), np.array([np.sin(angle), 0, np.cos(angle)])
    q = np.array([angle, *(s * along + (H + R) * up), 0, 0, 0, 1])
    sim = lw.Simulation(linkage, q, dt=5e-3, **CLOSE)
    recording = sim.run(0.6, progress=False)
    solved = solve_ivp(tipping, (0, 0.6), start, rtol=1e-12, atol=1e-14, method="DOP853").y[:, -1]
    angle, s, *rates = solved
    along, up = np.array([np.cos(angle), 0, -np.sin(angle)]), np.array([np.sin(angle), 0, np.cos(angle)])
    assert sim.contacts["ball"].mode == "stick"
    assert sim.q[0] == pytest.approx(angle, abs=1e-11)
    np.testing.assert_allclose(sim.q[1:4], s * along + (H + R) * up, atol=1e-11)
    assert sim.v[5] == pytest.approx(rates[0] + rates[1] / R, abs=1e-10)  # of the ball, about y
    assert np.ptp(energies(linkage, recording)) < 1e-11


def test_a_ball_rolls_over_an_edge():
    """There its speed is v² = v₀² + (10/7) g r (1 − cos φ), until it slips."""
    linkage, speed = ball_on_beam(lw.Fixed()), 0.4
    q = [0.3, 0.02, H + R, 0, 0, 0, 1]
    sim = lw.Simulation(linkage, q, [speed, 0, 0, 0, speed / R, 0], dt=5e-3, **CLOSE)
    recording = sim.run(0.6, progress=False)
    (event,) = recording.events
    assert event.what == "'beam' passes an edge on 'ball'"
    assert event.time == pytest.approx(0.2 / speed, abs=1e-12)
    angle = np.arctan2(sim.q[0] - 0.5, sim.q[2] - H)
    assert np.hypot(sim.q[0] - 0.5, sim.q[2] - H) == pytest.approx(R, abs=1e-12)
    assert R * sim.v[4] == pytest.approx(np.sqrt(speed**2 + 10.0 / 7.0 * G * R * (1.0 - np.cos(angle))), abs=1e-10)
    assert angle > 0.4
    recording = sim.run(1.0, progress=False)
    assert [event.what.split("'")[2] for event in recording.events[1:]] == [" slips on ", " leaves "]


def test_a_ball_on_a_free_plate_keeps_all_momentum_but_for_gravity():
    """A plate that floats, and a ball that rolls over it, turning about all axes; a spring holds the two together."""
    linkage = ball_on_beam(lw.Free(), rub=20.0)
    linkage.add_force(lw.Spring("beam", "ball", (0, 0, 0), (0, 0, 0), stiffness=400.0))
    linkage.gravity = (0, 0, 0)
    q = np.array([0, 0, 0, 0, 0, 0, 1, 0.1, 0.05, H + R, 0, 0, 0, 1])
    w = np.array([0.3, 0.5, 0.2])
    sim = lw.Simulation(linkage, q, [0, 0, 0, *w, *np.cross(w, q[7:10]), *w], dt=5e-3, **CLOSE)
    start = lw.momentum(linkage, sim.q, sim.v)
    recording = sim.run(0.5, progress=False)
    assert sim.contacts["ball"].mode == "stick"
    np.testing.assert_allclose(lw.momentum(linkage, sim.q, sim.v), start, atol=1e-12)
    assert np.ptp(energies(linkage, recording)) < 1e-10
    assert np.ptp(recording.q[:, 7]) > 0.05


# Beside coal, and in rollouts

SOLIDS = {
    "ball": lw.Ball(0.15),
    "box": lw.Box((0.3, 0.2, 0.1)),
    "capsule": lw.Capsule(0.1, 0.3),
    "mesh": lw.Mesh(lw.Box((0.3, 0.2, 0.1)).points() @ np.array([[1, 0.2, 0], [0, 1, 0.1], [0, 0, 1]])),
}


def dropped(solid, seed):
    rng, linkage = np.random.default_rng(seed), lw.Linkage()
    linkage.add_body("solid", lw.Inertia.box((0.3, 0.2, 0.1), mass=2.0), joint=lw.Free())
    linkage.add_shape("solid", SOLIDS[solid], friction=0.4, restitution=0.2, name="solid")
    ball(linkage, "ball", 0.1, 1.0, friction=0.4, restitution=0.2)
    linkage.add_shape("ground", lw.Plane(), friction=0.6, name="floor")
    turned = rng.normal(size=4)
    q = [0, 0, 0.4, *turned / np.linalg.norm(turned), *rng.uniform(-0.08, 0.08, 2), 0.75, 0, 0, 0, 1]
    return linkage, np.array(q)


@pytest.mark.parametrize("solid", SOLIDS)
def test_steps_are_those_with_coal(solid, monkeypatch):
    """But for where the point of a contact is while the two overlap, which is of first order in the step."""
    pytest.importorskip("coal")
    apart, dt = [], (4e-4, 1e-4)
    for h in dt:
        ends = []
        for known in (True, False):
            with monkeypatch.context() as patched:
                if not known:
                    patched.setattr(pack_shapes, "_round", lambda one, other: [])
                linkage, q = dropped(solid, seed=2)
                sim = lw.Simulation(linkage, q, dt=h, contacts="time-stepping")
                recording = sim.run(0.36, progress=False)
                assert any("solid" in event.what and "ball" in event.what for event in recording.events)
            ends.append(sim.q)
        apart.append(np.abs(ends[0] - ends[1]).max())
    assert apart[0] < 2e-3
    assert apart[1] < 5e-4


@pytest.mark.parametrize("solid", SOLIDS)
def test_rollouts_know_balls(solid):
    linkage, q = dropped(solid, seed=4)
    sim = lw.Simulation(linkage, q, dt=1e-3, contacts="time-stepping")
    sim.run(0.35, progress=False)
    rolled = lw.rollout(linkage, np.stack([q] * 3), np.zeros((3, 12)), np.zeros(12), 1e-3, 350)
    np.testing.assert_allclose(rolled.q[:, -1], np.stack([sim.q] * 3), atol=1e-10)


def test_boxes_that_may_touch_are_refused_by_events():
    linkage = lw.Linkage()
    for k in range(2):
        linkage.add_body(f"box{k}", lw.Inertia.box(BEAM, mass=1.0), joint=lw.Free(), at=lw.Pose((0, 0, k)))
        linkage.add_shape(f"box{k}", lw.Box(BEAM), name=f"box{k}")
    told = "'box1' may touch 'box0': contacts of a Box or Mesh with a solid that is no Ball have no events; use "
    with pytest.raises(lw.ArgumentError, match=told):
        lw.Simulation(linkage, contacts="events")


def test_a_point_meets_a_capsule():
    """It rests on the side, as on a cylinder."""
    linkage = lw.Linkage()
    linkage.add_body("capsule", lw.Inertia.capsule(0.1, 0.4, mass=1.0), joint=lw.Fixed())
    linkage.add_shape("capsule", lw.Capsule(0.1, 0.4), at=lw.Pose.rpy(0, np.pi / 2, 0), name="capsule")
    linkage.add_body("tip", lw.Inertia.sphere(0.05, mass=2.0), joint=lw.Prismatic("z"), at=lw.Pose((0.1, 0, 0.2)))
    linkage.add_shape("tip", lw.Point(), name="tip")
    sim = lw.Simulation(linkage, dt=1e-3, contacts="events")
    recording = sim.run(0.3, progress=False)
    assert recording.events[0].time == pytest.approx(np.sqrt(0.2 / G), abs=1e-12)
    assert sim.contacts["tip"].normal == pytest.approx(2.0 * G, abs=1e-10)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("contacts", ["events", "time-stepping"])
@pytest.mark.parametrize(("height", "depth"), [(H + R - 0.01, 0.01), (0.02, H - 0.02 + R), (-0.03, H - 0.03 + R)])
def test_a_ball_in_a_box_is_told_with_its_depth(height, depth, contacts):
    """However deep, even where its centre is inside the box."""
    linkage = ball_on_beam(lw.Free())
    q = np.array([0, 0, 0, 0, 0, 0, 1, 0.1, 0.02, height, 0, 0, 0, 1])
    with pytest.raises(lw.StructureError, match=f"'beam' and 'ball' overlap by {depth:.3g} m at the start"):
        lw.Simulation(linkage, q, contacts=contacts)


def test_parts_of_a_large_mesh_are_looked_at_where_they_are_near(monkeypatch):
    """All contacts within a margin, and none else: as where each of its places is looked at."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(200, 3))
    mesh = lw.Mesh(points / np.linalg.norm(points, axis=1)[:, None])
    found = {}
    for crowd in (pack_shapes.CROWD, 10**9):
        monkeypatch.setattr(pack_shapes, "CROWD", crowd)
        linkage = lw.Linkage()
        linkage.add_body("mesh", lw.Inertia.sphere(1.0, mass=1.0), joint=lw.Fixed())
        linkage.add_shape("mesh", mesh)
        ball(linkage, "ball", 0.3, 1.0)
        contacts = ShapeContacts(linkage)
        for k, at in enumerate(np.random.default_rng(6).uniform(-1.5, 1.5, (50, 3))):
            rows = contacts.find(0.0, np.array([*at, 0, 0, 0, 1]), 0.1)
            found.setdefault(k, []).append(np.sort(rows[:, C_GAP]))
        found.setdefault("looks", []).append(contacts.most)
    looks = found.pop("looks")
    assert looks[0] > looks[1]
    assert sum(len(nested) > 0 for nested, _ in found.values()) > 15
    for nested, all_of_them in found.values():
        np.testing.assert_array_equal(nested[:1], all_of_them[:1])
        assert len(nested) == len(all_of_them)
