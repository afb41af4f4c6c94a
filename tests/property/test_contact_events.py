"""Shapes that touch by events, against closed forms: what holds, lands, slips, rolls and lifts, and when."""

import pickle

import numpy as np
import pytest

import linkwork as lw

G, SLOPE = 9.81, np.radians(20.0)


def sliding(mass=1.0, *, gravity=(0, 0, -G), floor=None, **rub):
    """A point mass on a floor; it does not turn."""
    linkage = lw.Linkage(name="block", gravity=gravity)
    linkage.add_body("x", joint=lw.Prismatic("x"))
    linkage.add_body("y", joint=lw.Prismatic("y"), parent="x")
    linkage.add_body("block", lw.Inertia(mass), joint=lw.Prismatic("z"), parent="y")
    linkage.add_shape("block", lw.Point(), name="solid", **rub)
    linkage.add_shape("ground", floor or lw.Plane(), friction=2.0, name="floor")
    return linkage


def free(solid, inertia, *, gravity=(0, 0, -G), height=0.0, **rub):
    """A free body above a floor, and its coordinates."""
    linkage = lw.Linkage(name="free", gravity=gravity)
    linkage.add_body("body", inertia, joint=lw.Free())
    linkage.add_shape("body", solid, name="solid", **rub)
    linkage.add_shape("ground", lw.Plane(), friction=2.0, name="floor")
    q = linkage.neutral()
    q[2] = height
    return linkage, q


def rod(mass, length, angle, **rub):
    """A rod in the x–z plane that stands on a floor, `angle` from upright, and its coordinates (x, z, θ)."""
    linkage = lw.Linkage(name="rod")
    linkage.add_body("x", joint=lw.Prismatic("x"))
    linkage.add_body("z", joint=lw.Prismatic("z"), parent="x")
    inertia = lw.Inertia(mass, matrix=np.diag([1.0, 1.0, 1e-6]) * mass * length**2 / 12)
    linkage.add_body("rod", inertia, joint=lw.Revolute("y"), parent="z")
    linkage.add_shape("rod", lw.Point(), at=lw.Pose((0, 0, -length / 2)), name="foot", **rub)
    linkage.add_shape("ground", lw.Plane(), friction=2.0, name="floor")
    return linkage, np.array([0.0, 0.5 * length * np.cos(angle), angle])


def ladder(angle, floor_friction, wall_friction):
    """A ladder of one metre and one kilogram, `angle` above the floor, that leans against a wall at x = 0."""
    linkage, q = rod(1.0, 1.0, angle - np.pi / 2, friction=floor_friction)
    linkage.add_shape("rod", lw.Point(), at=lw.Pose((0, 0, 0.5)), friction=wall_friction, name="head")
    linkage.add_shape("ground", lw.Plane((1, 0, 0)), friction=2.0, name="wall")
    linkage.part("foot", "wall")
    linkage.part("head", "floor")
    q[0] = 0.5 * np.cos(angle)
    return linkage, q


def events(sim, word):
    """Times at which something happens."""
    return [event.time for event in sim.recording.events if word in event.what]


def run(linkage, q, v=None, *, until, dt=1e-3, **options):
    sim = lw.Simulation(linkage, q, v, dt=dt, contacts="events", **options)
    sim.run(until, progress=False)
    return sim


def down(slope):
    return (G * np.sin(slope), 0, -G * np.cos(slope))


def test_a_block_turns_back_on_a_slope():
    sim = run(sliding(gravity=down(SLOPE), friction=0.3), np.zeros(3), [-3.0, 0, 0], until=2.0)
    assert events(sim, "sticks") == pytest.approx([0.490137374950], abs=1e-11)
    assert -sim.q[0] == pytest.approx(0.0630383630446, abs=1e-11)
    assert sim.contacts["solid", "floor"].mode == "slip"


def test_static_friction_holds_until_it_is_overcome():
    linkage = sliding(2.0, friction=0.4, static_friction=0.5)
    sim = run(linkage, np.zeros(3), until=4.0, torques=lambda t, q, v: np.array([4.0 * t, 0.0, 0.0]))
    assert events(sim, "slips") == pytest.approx([2.4525], abs=1e-15)
    assert sim.q[0] == pytest.approx(2.40992303958, abs=1e-11)


@pytest.mark.parametrize(
    ("verb", "wrench", "expected"),
    [
        ("slips", lambda t: [4 * t, 0, 0, 0, -0.4 * t, 0], 2.4525),
        ("leaves", lambda t: [0, 0, 20 * t, 0, 0, 0], 0.981),
        ("leaves", lambda t: [0, 0, 0, 0, -t, 0], 1.962),
    ],
)
def test_a_box_is_pulled_lifted_and_tipped_in_time(verb, wrench, expected):
    """Four corners, whose forces are not unique, end their modes at once, where the body's motion says."""
    linkage, q = free(
        lw.Box((0.2, 0.2, 0.2)), lw.Inertia.box((0.2, 0.2, 0.2), mass=2.0), height=0.1, friction=0.4,
        static_friction=0.5,
    )  # fmt: skip
    sim = run(linkage, q, until=expected + 0.1, wrenches=lambda t, q, v: np.array([wrench(t)], dtype=float))
    assert [event.what for event in sim.recording.events] == [f"'solid' {verb} {'on ' * (verb == 'slips')}'floor'"]
    assert events(sim, verb) == pytest.approx([expected], abs=2e-11)


def test_a_slide_across_a_slope_stops_in_time():
    """t = μ c v₀/(g (μ² c² − s²)), with the direction of slipping that turns ever faster before it."""
    sim = run(
        sliding(gravity=down(SLOPE), friction=0.5), np.zeros(3), [0.0, 1.5, 0.0], until=0.8, integrator="dop853",
        rtol=1e-12, atol=1e-14,
    )  # fmt: skip
    assert events(sim, "sticks") == pytest.approx([0.692267126903], abs=1e-12)
    assert np.abs(sim.v).max() < 1e-13


def test_a_falling_rod_slips_back():
    linkage, q = rod(1.0, 1.0, 0.1, friction=0.3)
    sim = run(linkage, q, until=0.552015482672 + 1e-6)
    assert events(sim, "slips") == pytest.approx([0.552015482672], abs=1e-9)
    assert np.interp(events(sim, "slips")[0], sim.recording.t, sim.recording.q[:, 2]) == pytest.approx(
        0.419549429172, abs=1e-8
    )
    assert sim.contacts["foot", "floor"].friction[0] > 0.0  # it slips away behind it


def test_a_sphere_slides_and_then_rolls():
    linkage, q = free(lw.Ball(0.1), lw.Inertia.sphere(0.1, mass=1.0), height=0.1, friction=0.25)
    sim = run(linkage, q, [2.0, 0, 0, 0, 0, 0], until=0.4, dt=5e-4)
    assert events(sim, "sticks") == pytest.approx([0.232998398136], abs=1e-9)
    R = lw.body_poses(linkage, sim.q)["body"].rotation
    np.testing.assert_allclose(R @ sim.v[:3], [10 / 7, 0, 0], atol=1e-9)
    assert sim.contacts["solid"].mode == "stick"


def test_bounces_come_to_an_end():
    linkage, q = free(lw.Ball(0.1), lw.Inertia.sphere(0.1, mass=1.0), height=1.1, restitution=0.6)
    sim = run(linkage, q, until=2.0, dt=5e-3)
    assert events(sim, "comes to rest") == pytest.approx([1.80609456394], abs=1e-10)
    touches = events(sim, "touches")
    np.testing.assert_allclose(np.diff(touches)[:10], 2 * np.sqrt(2 / G) * 0.6 ** np.arange(1, 11), atol=1e-11)
    assert np.abs(sim.v).max() == 0.0
    lost = sum(event.energy_lost for event in sim.recording.events)
    assert lost == pytest.approx(G, abs=1e-7)


def test_a_rimless_wheel_walks():
    linkage, q = lw.samples.rimless_wheel(slope=0.08)
    v = 1.12795075686 * np.array([np.sin(np.pi / 8), np.cos(np.pi / 8), 1.0])  # about the foot in front
    sim = run(linkage, q, v, until=2.0)  # two steps of its limit cycle
    landings = [event for event in sim.recording.events if "touches" in event.what]
    after = [sim.recording.v[np.searchsorted(sim.recording.t, event.time, side="right") - 1, 2] for event in landings]
    np.testing.assert_allclose(after, 1.12795075686, atol=1e-9)
    np.testing.assert_allclose([event.energy_lost for event in landings], 0.600019416524, atol=1e-9)
    assert len(landings) == 2


@pytest.mark.parametrize("more", [1e-9, -1e-9])
def test_a_ladder_stands_from_an_angle_on(more):
    """tan θ = (1 − μ_f μ_w)/2μ_f."""
    angle = np.arctan((1 - 0.4 * 0.3) / 0.8) + more
    linkage, q = ladder(angle, 0.4, 0.3)
    sim = lw.Simulation(linkage, q, contacts="events")
    assert set(sim.contacts.mode) == ({"stick"} if more > 0 else {"slip"})
    np.testing.assert_allclose(np.degrees(angle), 47.7263109939, atol=1e-7)


def test_a_ladder_on_a_smooth_wall():
    linkage, q = ladder(np.radians(60), 0.4, 0.0)
    sim = run(linkage, q, until=1.0)
    assert sim.contacts["head", "wall"].normal == pytest.approx(2.83190307038, abs=1e-11)
    assert sim.contacts["foot", "floor"].friction[0] == pytest.approx(-2.83190307038, abs=1e-11)
    assert np.abs(sim.v).max() < 1e-13


def test_painleve_is_told():
    """A rod that slips, with more friction than any normal force could bear: an impulse stops it at once."""
    linkage, q = rod(1.0, 2.0, np.arctan(0.5), friction=1.4)
    sim = run(linkage, q, [-1.0, 0.0, 0.0], until=1e-3)
    jam = next(event for event in sim.recording.events if "Painlevé" in event.what)
    assert jam.time == 0.0
    assert jam.energy_lost == pytest.approx(0.2, abs=1e-9)
    np.testing.assert_allclose(jam.jump[:2], [0.4, 0.3], atol=1e-9)
    other, q = rod(1.0, 2.0, np.arctan(0.5), friction=1.3)
    assert not events(run(other, q, [-1.0, 0.0, 0.0], until=1e-3), "Painlevé")


def test_painleve_of_several_contacts():
    """Two such rods beside each other."""
    linkage, q = rod(1.0, 2.0, np.arctan(0.5), friction=1.4)
    linkage.add(rod(1.0, 2.0, np.arctan(0.5), friction=1.4)[0], prefix="other_")
    linkage.part("other_foot", "floor")
    linkage.part("foot", "other_floor")
    sim = run(linkage, np.concatenate([q, q]), [-1.0, 0, 0, -1.0, 0, 0], until=1e-3)
    jam = next(event for event in sim.recording.events if "Painlevé" in event.what)
    assert jam.time == 0.0
    assert jam.energy_lost == pytest.approx(0.4, abs=1e-9)
    np.testing.assert_allclose(jam.jump[[0, 1, 3, 4]], [0.4, 0.3, 0.4, 0.3], atol=1e-9)


def test_a_box_on_a_slope_presses_as_statics_say_and_does_not_creep():
    linkage, q = free(
        lw.Box((0.2, 0.2, 0.2)), lw.Inertia.box((0.2, 0.2, 0.2), mass=2.0), gravity=down(SLOPE), height=0.1,
        friction=0.5,
    )  # fmt: skip
    sim = run(linkage, q, until=1.0, dt=1e-2)
    forces = np.sort(sim.contacts["solid"].forces[:, 2])
    np.testing.assert_allclose(forces, [2.931583502] * 2 + [6.286801108] * 2, atol=1e-9)
    assert np.abs(sim.q - q).max() < 1e-12
    assert np.abs(sim.v).max() < 1e-13


def li_arm(friction):
    """Li's two links, in the y–z plane, their tip on the floor."""
    linkage = lw.Linkage(name="arm", gravity=(0, 0, -9.8))
    for k in range(2):
        linkage.add_body(
            f"link{k}", lw.Inertia(1.0, (0, 0, 0.25), np.eye(3) * 0.25 / 12), joint=lw.Revolute("x"),
            parent=f"link{k - 1}" if k else "ground", at=lw.Pose((0, 0, 0.5 * k)),
        )  # fmt: skip
    linkage.add_shape("link1", lw.Point(), at=lw.Pose((0, 0, 0.5)), friction=friction, name="tip")
    linkage.add_shape("ground", lw.Plane(), friction=2.0, name="floor")
    return linkage


@pytest.mark.parametrize("a", [0.9, 1.15, np.pi / 12])
def test_li_arm_holds_from_a_friction_on(a):
    limit = abs(np.cos(a) - 0.5) / (2 * np.sin(a))
    q, tau = [-np.pi / 2 - a, 2 * a], np.array([0, -9.8 * 0.5 / 4])
    for share, mode in ((1 + 1e-9, "stick"), (1 - 1e-9, "slip")):
        sim = lw.Simulation(li_arm(limit * share), q, contacts="events", torques=lambda t, q, v: tau)
        assert sim.contacts["tip", "floor"].mode == mode
        assert sim.contacts["tip", "floor"].normal == pytest.approx(9.8, rel=1e-8)


def test_li_arm_begins_to_slip():
    q = [-np.pi / 2 - np.pi / 3, 2 * np.pi / 3]

    def torques(t, q, v):
        return np.array([0.0, -9.8 * 0.5 / 4 + t / 4])

    sim = run(li_arm(0.2), q, until=3.4, dt=2e-2, torques=torques)
    assert events(sim, "slips") == pytest.approx([3.39481958283], abs=1e-9)


def test_a_figure_stands_on_its_feet():
    """Normal forces bear the weight, and their centre is below that of mass, whatever the hyperstatic rest."""
    linkage = lw.samples.human(40)
    q = linkage.neutral()
    corners = [(x, y, -0.0) for x in (-0.05, 0.15) for y in (-0.04, 0.04)]
    feet = [body.name for body in linkage.bodies if "foot" in body.name]
    assert len(feet) == 2
    low = min(lw.body_poses(linkage, q)[foot].position[2] for foot in feet)
    for foot in feet:
        for k, corner in enumerate(corners):
            linkage.add_shape(foot, lw.Point(), at=lw.Pose(corner), friction=0.8, name=f"{foot}{k}")
    linkage.add_shape("ground", lw.Plane((0, 0, 1), low), friction=1.0, name="floor")
    points = [(foot, corner) for foot in feet for corner in corners]
    J = np.concatenate([lw.jacobian(linkage, q, foot, corner)[2:3] for foot, corner in points])
    weight = lw.gravity_torques(linkage, q)
    normal = np.linalg.lstsq(J[:, :6].T, weight[:6], rcond=None)[0]
    tau = weight - J.T @ normal  # no torque in the free joint
    tau[:6] = 0.0
    sim = lw.Simulation(linkage, q, contacts="events", torques=lambda t, q, v: tau)
    mass, centre = linkage.columns.mass.sum(), lw.center_of_mass(linkage, q)
    found, places = sim.contacts.normal, np.array([touch.points[0] for touch in sim.contacts])
    assert found.sum() == pytest.approx(mass * G, abs=1e-9)
    np.testing.assert_allclose(found @ places[:, :2] / found.sum(), centre[:2], atol=1e-11)


SCENE = """
linkwork: 1
name: block
gravity: [3.3552176060248105, 0, -9.218384609909762]
bodies:
- {name: x, joint: {type: Prismatic, axis: x}}
- {name: block, parent: x, joint: {type: Prismatic, axis: z}, inertia: {shape: point, mass: 1}}
shapes:
- {name: solid, body: block, shape: {type: Point}, friction: 0.3}
- {name: floor, body: ground, shape: {type: Plane}, friction: 1.0}
start: {v: {x: -3.0}}
simulation: {until: 2, dt: 1e-3, contacts: events}
"""


def test_the_same_through_a_scene(tmp_path):
    (tmp_path / "block.yaml").write_text(SCENE)
    sim = lw.load_scene(tmp_path / "block.yaml").simulation()
    sim.run(2.0)
    assert events(sim, "sticks") == pytest.approx([0.490137374950], abs=1e-8)
    assert -sim.q[0] == pytest.approx(0.0630383630446, abs=1e-8)
    (tmp_path / "wrong.yaml").write_text(SCENE.replace("events", "instants"))
    with pytest.raises(lw.DescriptionError, match=r"(?s)wrong.yaml:12.*instants"):
        lw.load_scene(tmp_path / "wrong.yaml")


CASES = {
    "block": lambda: (sliding(gravity=down(SLOPE), friction=0.3), np.zeros(3), [-3.0, 0, 0], 2.0),
    "curved": lambda: (sliding(gravity=down(SLOPE), friction=0.5), np.zeros(3), [0, 1.5, 0], 0.5),
    "rod": lambda: (*rod(1.0, 1.0, 0.1, friction=0.3), np.zeros(3), 0.6),
    "bounce": lambda: (sliding(friction=0.3, restitution=0.6), np.array([0, 0, 1.0]), [0.2, 0, 0], 1.1),
}


@pytest.mark.parametrize("name", CASES)
def test_time_stepping_converges_to_events(name):
    linkage, q, v, until = CASES[name]()
    exact = run(linkage.copy(), q, v, until=until)
    errors = []
    for dt in (4e-3, 1e-3, 2.5e-4):
        sim = lw.Simulation(linkage.copy(), q, v, dt=dt, contacts="time-stepping", record_every=1000)
        sim.run(until)
        errors.append(np.abs(sim.q - exact.q).max())
    assert errors[2] < 0.4 * errors[0] + 1e-9  # first order would be 1/16; instants on the grid make it irregular
    assert errors[2] < 5e-3


def test_what_is_recorded_resumed_and_copied(tmp_path):
    def start(**options):
        linkage, q = free(
            lw.Ball(0.1), lw.Inertia.sphere(0.1, mass=1.0), height=0.15, friction=0.3, restitution=0.5
        )
        return lw.Simulation(linkage, q, [1.0, 0, 0, 0, 5.0, 0], dt=2e-3, contacts="events", **options)

    whole = start()
    whole.run(0.2005)
    copy = pickle.loads(pickle.dumps(whole))
    start(record=tmp_path / "run.h5").run(0.2005)
    again = lw.Simulation.resume(tmp_path / "run.h5")
    for sim in (whole, copy, again):
        sim.run(0.5)
    for other in (copy, again):
        np.testing.assert_array_equal(other.q, whole.q)
        np.testing.assert_array_equal(other.v, whole.v)
    recording = whole.recording
    contacts = recording.contacts
    pair = contacts["solid", "floor"]
    assert contacts.mode[0, pair] == "open"
    assert contacts.mode[-1, pair] == "stick"
    assert contacts.normal_forces[-1, pair] == pytest.approx(G)
    landing = next(event for event in recording.events if "touches" in event.what)
    row = np.searchsorted(recording.t, landing.time)
    assert contacts.impulses[row, pair, 2] == pytest.approx(np.sqrt(2 * G * 0.05) * 1.5, rel=1e-9)
    again.recording.save(tmp_path / "all.h5")
    assert [event.what for event in lw.Recording.load(tmp_path / "all.h5").events] == [e.what for e in recording.events]


def test_contacts_beside_loops_and_drives():
    """A five-bar whose foot lands and slips keeps its loop closed; a driven crank keeps to its motion."""
    leg = lw.samples.five_bar()
    q = leg.neutral()
    tip = leg.bodies.names[2]
    low = lw.body_poses(leg, q)[tip].apply((0.05, 0, -0.05))[2] - 0.05
    leg.add_shape(tip, lw.Point(), at=lw.Pose((0.05, 0, -0.05)), friction=0.2, restitution=0.3, name="foot")
    leg.add_shape("ground", lw.Plane((0, 0, 1), low), friction=1.0, name="floor")
    sim = lw.Simulation(leg, q, dt=1e-3, contacts="events", limits="ignore")
    sim.run(0.4)
    assert events(sim, "touches")
    assert np.abs(leg.difference(sim.q, lw.close_loops(leg, sim.q))).max() < 1e-10
    assert sim.contacts["foot", "floor"].gap > -1e-12


def test_what_is_refused():
    linkage, q = free(lw.Ball(0.1), lw.Inertia.sphere(0.1, mass=1.0), height=0.1)
    linkage.constrain("body", surface=lw.Plane((0, 1, 0)), name="rail")
    with pytest.raises(lw.ArgumentError, match="point 'rail' is kept on a surface by constrain"):
        lw.Simulation(linkage, q, contacts="events")
    low = sliding()
    with pytest.raises(lw.StructureError, match=r"shapes 'solid' and 'floor' overlap by 0.01 m at the start"):
        lw.Simulation(low, [0, 0, -0.01], contacts="events")
    sim = lw.Simulation(low, [0, 0, -0.01], contacts="events", close=True)
    assert sim.q[2] == pytest.approx(0.0, abs=1e-12)
