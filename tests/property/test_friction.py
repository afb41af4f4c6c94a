"""Static friction on surfaces against closed forms: what holds, the instants at which it no longer does, and rest."""

import copy

import numpy as np
import pytest

import linkwork as lw

G, SLOPE = 9.81, np.radians(20.0)
DOWN = np.array([np.cos(SLOPE), 0.0, -np.sin(SLOPE)])


def block(friction, static=None, angle=SLOPE, mass=1.0):
    """A point mass on a plane that falls along x; it does not turn."""
    linkage = lw.Linkage(name="block")
    linkage.add_body("x", joint=lw.Prismatic("x"))
    linkage.add_body("y", joint=lw.Prismatic("y"), parent="x")
    linkage.add_body("block", lw.Inertia(mass), joint=lw.Prismatic("z"), parent="y")
    plane = lw.Plane((np.sin(angle), 0, np.cos(angle)))
    linkage.constrain("block", surface=plane, friction=friction, static_friction=static, name="slope")
    return linkage


def arm(friction, static=None):
    """Li's two links, in the y–z plane, their tip on the floor."""
    linkage = lw.Linkage(name="arm", gravity=(0, 0, -9.8))
    for k in range(2):
        linkage.add_body(
            f"link{k}", lw.Inertia(1.0, (0, 0, 0.25), np.eye(3) * 0.25 / 12), joint=lw.Revolute("x"),
            parent=f"link{k - 1}" if k else "ground", at=lw.Pose((0, 0, 0.5 * k)),
        )  # fmt: skip
    floor = lw.Plane("z")
    linkage.constrain(
        "link1", point=(0, 0, 0.5), surface=floor, friction=friction, static_friction=static, name="floor"
    )
    return linkage


@pytest.mark.parametrize("a", [0.9, 1.15, np.pi / 12])
@pytest.mark.parametrize("method", ["auto", "crba", "extended-newton-euler"])
def test_li_arm_holds_from_a_friction_on(a, method):
    """K* = |cos a − ½|/(2 sin a): at rest the tip is held from there on, and slides below; both to 1e-9 of K."""
    limit = abs(np.cos(a) - 0.5) / (2 * np.sin(a))
    q, tau = [-np.pi / 2 - a, 2 * a], [0, -9.8 * 0.5 / 4]
    held = lw.solve(arm(limit * (1 + 1e-9)), q, [0, 0], tau, method=method)
    assert held.contact_modes == ("stick",)
    np.testing.assert_allclose(held.a, 0, atol=1e-12)
    assert held.normal_forces[0] == pytest.approx(9.8, rel=1e-12)
    np.testing.assert_allclose(held.friction_forces[0], [0, np.sign(np.cos(a) - 0.5) * limit * 9.8, 0], atol=1e-9)
    below = arm(limit * (1 - 1e-9), limit * (1 - 1e-9))
    slides = lw.solve(below, q, [0, 0], tau, method=method)
    assert slides.contact_modes == ("slip",)
    assert 0 < np.abs(slides.a).max() < 1e-7  # friction is all but enough
    np.testing.assert_allclose(slides.a, lw.forward_dynamics(below, q, [0, 0], tau), atol=1e-12)


@pytest.mark.parametrize("static", [None, 0.5])
def test_block_at_rest_on_a_slope(static):
    held = lw.solve(block(0.4, static), np.zeros(3), np.zeros(3))
    np.testing.assert_allclose(held.a, 0, atol=1e-13)
    np.testing.assert_allclose(held.friction_forces[0], -G * np.sin(SLOPE) * DOWN, atol=1e-12)
    if static:  # steeper than static friction holds, it begins to slide with kinetic friction
        steep = 0.6
        found = lw.forward_dynamics(block(0.4, static, angle=steep), np.zeros(3), np.zeros(3))
        along = np.array([np.cos(steep), 0, -np.sin(steep)])
        np.testing.assert_allclose(found, G * (np.sin(steep) - 0.4 * np.cos(steep)) * along, atol=1e-12)


def test_several_points_at_rest():
    """A table on a slope stands still, its forces of least norm; pushed harder than all its legs hold, it slides."""
    linkage = lw.Linkage(name="table")
    linkage.add_body("table", lw.Inertia.box((1, 1, 0.1), mass=8.0), joint=lw.Free())
    for k, (x, y) in enumerate([(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)]):
        linkage.constrain(
            "table", point=(x, y, 0), surface=lw.Plane("z"), friction=0.3, static_friction=0.4, name=f"leg{k}"
        )
    q, v, weight = linkage.neutral(), np.zeros(6), 8 * G
    for push, mode in ((0.39 * weight, "stick"), (0.41 * weight, "slip")):
        wrench = np.array([[push, 0, 0, 0, 0, 0]])
        found = lw.solve(linkage, q, v, f_ext=wrench)
        assert found.contact_modes == (mode,) * 4
        np.testing.assert_allclose(found.normal_forces, weight / 4, rtol=1e-9)
        expected = 0.0 if mode == "stick" else push / 8 - 0.3 * G
        np.testing.assert_allclose(found.a, [expected, 0, 0, 0, 0, 0], atol=1e-9)


@pytest.mark.parametrize("axis", [(1, 2, 3), (0, 0, 1)])
@pytest.mark.parametrize("method", ["auto", "crba", "aba", "extended-newton-euler"])
def test_a_point_on_a_hinge_is_singular(axis, method):
    """No joint moves it, and rounding is not taken for motion."""
    linkage = lw.Linkage(name="door")
    linkage.add_body("door", lw.Inertia.box((1, 0.1, 2), mass=3.0, com=(0.5, 0, 0)), joint=lw.Revolute(axis))
    linkage.constrain("door", point=0.3 * np.array(axis, dtype=float), surface=lw.Plane("x", 0.3 * axis[0]), name="pin")
    with pytest.raises(lw.SingularError, match="'pin' is singular"):
        lw.forward_dynamics(linkage, [0.4], [0.2], method=method)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"friction": 0.4, "static_friction": 0.3}, "below its friction"), ({"static_friction": -1.0}, "static_friction")],
)
def test_impossible_friction_is_refused(options, message):
    with pytest.raises(lw.ArgumentError, match=message):
        block(0.1).constrain("x", surface=lw.Plane("z"), **options)


def test_static_friction_is_kept_in_files(tmp_path):
    block(0.2, 0.3).save(tmp_path / "block.yaml")
    assert lw.load(tmp_path / "block.yaml").contacts["slope"].static_friction == 0.3


# Events


def the_event(recording, what):
    (event,) = recording.events
    assert (event.cause, event.what) == ("friction", what)
    return event.time


def test_block_that_turns_back():
    """Up a slope of 20° with 3 m/s, K = 0.3: it comes to rest, friction does not hold it, and it slides back."""
    up, down = G * (np.sin(SLOPE) + 0.3 * np.cos(SLOPE)), G * (np.sin(SLOPE) - 0.3 * np.cos(SLOPE))
    sim = lw.Simulation(block(0.3), v=-3 * DOWN, dt=0.01)
    turn = the_event(sim.run(2.0), "'slope' turns back")
    assert turn == pytest.approx(3 / up, abs=1e-15)
    assert -(sim.q @ DOWN) == pytest.approx(4.5 / up - 0.5 * down * (2 - 3 / up) ** 2, abs=1e-14)


def test_block_that_stops_stays_to_the_bit():
    """With K = 0.5 it stays where it stops: no creep in ten seconds."""
    sim = lw.Simulation(block(0.5), v=-3 * DOWN, dt=0.01)
    sim.run(1.0)
    stopped = sim.recording.events[0].time
    assert stopped == pytest.approx(3 / (G * (np.sin(SLOPE) + 0.5 * np.cos(SLOPE))), abs=1e-15)
    there = sim.q
    again = copy.deepcopy(sim)
    sim.run(11.0)
    assert np.abs(sim.v).max() <= 1e-12
    assert np.abs(sim.q - there).max() <= 1e-12
    assert len(sim.recording.events) == 1
    again.run(11.0)
    np.testing.assert_array_equal(again.q, sim.q)


def test_block_that_is_pulled_harder_and_harder():
    """m = 2 kg pulled with 4t N: it starts at 2.4525 s, and then only K = 0.4 holds it."""
    start, pull = 0.5 * 2 * G / 4, 2.0
    sim = lw.Simulation(block(0.4, 0.5, 0.0, mass=2.0), dt=0.01, torques=lambda t, q, v: np.array([pull * 2 * t, 0, 0]))
    assert the_event(sim.run(4.0), "'slope' slides") == pytest.approx(start, abs=2e-15)
    recording = sim.recording
    assert (recording.contact_modes[recording.t < start] == "stick").all()
    assert (recording.contact_modes[recording.t > start + 1e-6] == "slip").all()
    friction = np.linalg.norm(recording.friction_forces[:, 0], axis=1)
    np.testing.assert_allclose(
        friction, np.where(recording.contact_modes[:, 0] == "stick", 4 * recording.t, 0.8 * G), atol=1e-7
    )
    x = 0.05 * G * (4 - start) ** 2 + (4 - start) ** 3 / 3  # ∫∫ (2t − 0.4 g)
    assert sim.q[0] == pytest.approx(x, abs=2e-14)


def test_slide_across_a_slope():
    """v̇ = −μ g cos α v/|v| + g sin α down: it stops after μ c v₀/(g (μ² c² − s²)), having turned downhill."""
    s, c = np.sin(SLOPE), np.cos(SLOPE)
    sim = lw.Simulation(block(0.5), v=[0, 1.5, 0], dt=0.01, integrator="dop853", rtol=1e-12, atol=1e-14)
    stop = the_event(sim.run(1.0), "'slope' sticks")
    assert stop == pytest.approx(0.5 * c * 1.5 / (G * (0.25 * c**2 - s**2)), abs=1e-13)
    assert np.abs(sim.v).max() < 1e-12


def test_rod_that_falls_until_its_tip_slips():
    """From 0.1 rad, μ = 0.3: its tip holds until 0.552015482672 s, and slips back at 0.419549429172 rad."""
    rod = lw.Linkage(name="rod")
    rod.add_body("rod", lw.Inertia(1.0, (0, 0, 0), np.diag([1 / 12, 1 / 12, 1e-3])), joint=lw.Planar("y"))
    rod.constrain("rod", point=(0, 0, -0.5), surface=lw.Plane("z"), friction=0.3, name="floor")
    axes = [lw.body_poses(rod, e).positions[0][2] for e in np.eye(3)[:2]]
    q = np.array([*(0.5 * np.cos(0.1) * np.array(axes)), 0.1])
    sim = lw.Simulation(rod, q, dt=2e-3)
    slips = the_event(sim.run(0.56), "'floor' slides")
    assert slips == pytest.approx(0.552015482672, abs=1e-10)  # what RK4 leaves
    recording = sim.recording
    assert recording.q[np.searchsorted(recording.t, slips), 2] == pytest.approx(0.419549429172, abs=1e-9)
    before = recording.q[recording.t <= slips]
    tip = [pose @ [0, 0, -0.5, 1] for pose in _matrices(rod, before)]
    assert np.ptp(np.array(tip), axis=0).max() < 1e-10  # held where it was, while the rod falls


def _matrices(linkage, q):
    poses = lw.body_poses(linkage, q.copy())
    return [np.column_stack([R, p]) for R, p in zip(poses.rotations[:, 0], poses.positions[:, 0], strict=True)]


def test_li_arm_that_is_pushed_harder_and_harder():
    """a = π/3, K = 0.2, τ₂ = −mgl/4 + t/4: the tip holds until 0.2 · 9.8 √3 s."""
    sim = lw.Simulation(
        arm(0.2), [-np.pi / 2 - np.pi / 3, 2 * np.pi / 3], dt=0.01,
        torques=lambda t, q, v: np.array([0, -9.8 * 0.5 / 4 + t / 4]),
    )  # fmt: skip
    assert the_event(sim.run(3.5), "'floor' slides") == pytest.approx(1.96 * np.sqrt(3), abs=3e-13)


@pytest.mark.filterwarnings("ignore:steps are slow")
def test_what_lies_on_a_belt_goes_along_in_the_end():
    """Dragged by K m g until it is as fast as the belt, after v/(K g); then it sticks to it."""
    speed, belt = 0.8, lw.Plane("z")
    linkage = block(0.1, angle=0.0)
    linkage.release("slope")
    moving = belt.moving(lambda t: (lw.Pose((speed * t, 0, 0)), [speed, 0, 0, 0, 0, 0], np.zeros(6)))
    linkage.constrain("block", surface=moving, friction=0.1, name="belt")
    sim = lw.Simulation(linkage, dt=0.02)
    when = the_event(sim.run(1.0), "'belt' sticks")
    assert when == pytest.approx(speed / (0.1 * G), abs=1e-9)
    np.testing.assert_allclose(sim.v, [speed, 0, 0], atol=1e-12)
    assert sim.q[0] == pytest.approx(speed * (1.0 - 0.5 * when), abs=1e-9)


@pytest.mark.parametrize("static", [0.05, 5.0])
def test_a_closed_linkage_at_rest(static):
    """A joint of a five-bar on a plane, by articulated bodies and by dense matrices: it sticks, or begins to slide."""
    bar = lw.samples.five_bar()
    q = lw.close_loops(bar, bar.neutral())
    body = bar.bodies[1].name
    there = lw.body_poses(bar, q)[body].position
    slope = np.array([0.3, 0.0, 1.0]) / np.hypot(0.3, 1.0)
    surface = lw.Plane(slope, slope @ there)
    bar.constrain(body, surface=surface, friction=0.04, static_friction=static, name="rail")
    found = [lw.solve(bar, q, np.zeros(bar.nv), method=method) for method in ("auto", "crba")]
    assert {each.contact_modes for each in found} == {("stick" if static > 1 else "slip",)}
    np.testing.assert_allclose(found[0].a, found[1].a, atol=1e-9)
    np.testing.assert_allclose(lw.forward_dynamics(bar, q, np.zeros(bar.nv)), found[1].a, atol=1e-9)
    if static > 1:
        np.testing.assert_allclose(lw.jacobian(bar, q, body)[:3] @ found[0].a, 0, atol=1e-9)
