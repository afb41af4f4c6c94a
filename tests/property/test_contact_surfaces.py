"""Shapes on curved, moving and arbitrary ground by events, against closed forms and surfaces that are known better."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import minimize, root_scalar

import linkwork as lw

G = 9.81
CLOSE = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-14}
HILLS = {
    "sphere": lw.Sphere((0, 0, 0), 1.0),
    "cylinder": lw.Cylinder(axis=(0, 1, 0), point=(0, 0, 0), radius=1.0),
    "text": lw.Surface("x**2 + y**2 + z**2 - 1"),
    "text of a cylinder": lw.Surface("exp(x**2 + z**2) - e"),
    "functions": lw.Surface(lambda r: r @ r - 1.0, lambda r: 2.0 * r, lambda r: 2.0 * np.eye(3)),
}
ON_HILLS = pytest.mark.parametrize("hill", HILLS)
pytestmark = pytest.mark.filterwarnings("ignore:steps are slow")


def point(ground, **rub):
    """A point mass that does not turn."""
    linkage = lw.Linkage(name="point")
    linkage.add_body("x", joint=lw.Prismatic("x"))
    linkage.add_body("y", joint=lw.Prismatic("y"), parent="x")
    linkage.add_body("mass", lw.Inertia(1.0), joint=lw.Prismatic("z"), parent="y")
    linkage.add_shape("mass", lw.Point(), name="mass", **rub)
    linkage.add_shape("ground", ground, friction=9.0, name="ground")
    return linkage


def solid(shape, ground, inertia, **rub):
    linkage = lw.Linkage(name="solid")
    linkage.add_body("solid", inertia, joint=lw.Free())
    linkage.add_shape("solid", shape, name="solid", **rub)
    linkage.add_shape("ground", ground, friction=9.0, name="ground")
    return linkage


def run(linkage, q, v, until, **options):
    sim = lw.Simulation(linkage, q, v, dt=1e-3, contacts="events", **(options or CLOSE))
    sim.run(until, progress=False)
    return sim


def place(sim, word):
    """Where it is when something happens for the first time."""
    recording = sim.recording
    time = next(event.time for event in recording.events if word in event.what)
    return recording.q[np.searchsorted(recording.t, time), :3]


def first(sim, word):
    return next(event.time for event in sim.recording.events if word in event.what)


@ON_HILLS
def test_a_point_slides_off_a_smooth_hill(hill):
    """m v² / R = m g cos θ, with v² = v₀² + 2 g R (1 − cos θ): cos θ = 2/3 + v₀²/3gR."""
    sim = run(point(HILLS[hill], friction=0.0), [0, 0, 1], [0.5, 0, 0], 0.9)
    assert place(sim, "leaves")[2] == pytest.approx(2 / 3 + 0.25 / (3 * G), abs=1e-12)


@ON_HILLS
def test_a_ball_rolls_off_a_rough_hill(hill):
    """It slips where 2/7 sin θ = μ (cos θ − v²/ga), of which μ → ∞ is its lift-off at cos θ = 10/17 + 7 v₀²/17ga."""
    a, v0, mu = 1.1, 0.5, 3.0

    def left(x):
        square = v0**2 + 10 / 7 * G * a * (1 - np.cos(x))
        return mu * (np.cos(x) - square / (G * a)) - 2 / 7 * np.sin(x)

    angle = root_scalar(left, bracket=(0.1, 1.2), xtol=1e-15).root
    assert np.cos(angle) == pytest.approx(10 / 17 + 7 * v0**2 / (17 * G * a), abs=0.1)
    linkage = solid(lw.Ball(0.1), HILLS[hill], lw.Inertia.sphere(0.1, mass=1.0), friction=mu)
    sim = run(linkage, [0, 0, a, 0, 0, 0, 1], [v0, 0, 0, 0, v0 / 0.1, 0], 1.0)
    assert place(sim, "slips")[2] / a == pytest.approx(np.cos(angle), abs=1e-10)
    assert first(sim, "leaves") > first(sim, "slips")


def test_compiled_steps_know_texts():
    sims = [
        run(point(HILLS[hill], friction=0.0), [0, 0, 1], [0.5, 0, 0], 0.9, integrator="rk4")
        for hill in ("sphere", "text")
    ]
    assert first(sims[0], "leaves") == pytest.approx(first(sims[1], "leaves"), abs=1e-12)


A, W = 0.1, 12.0


def shaken(axis):
    def motion(t):
        rates = np.zeros((3, 6))
        rates[:, axis] = A * np.sin(W * t), A * W * np.cos(W * t), -A * W * W * np.sin(W * t)
        return lw.Pose(rates[0, :3]), rates[1], rates[2]

    return lw.Plane().moving(motion)


def test_ground_that_shakes_lets_it_slip():
    sim = run(point(shaken(0), friction=0.5), np.zeros(3), [A * W, 0, 0], 0.05)
    assert first(sim, "slips") == pytest.approx(np.arcsin(0.5 * G / (A * W * W)) / W, abs=1e-13)


@pytest.mark.parametrize("ground", [shaken(2), lw.Surface(f"5*(z - {A}*sin({W}*t))")], ids=["moving", "text"])
def test_ground_that_shakes_throws_it_up_and_catches_it(ground):
    sim = run(point(ground, friction=0.0), np.zeros(3), [0, 0, A * W], 0.4)
    time = np.arcsin(G / (A * W * W)) / W
    assert first(sim, "leaves") == pytest.approx(time, abs=1e-13)

    def above(t):
        s = t - time
        return A * np.sin(W * time) + A * W * np.cos(W * time) * s - 0.5 * G * s * s - A * np.sin(W * t)

    landing = root_scalar(above, bracket=(0.3, 0.4), xtol=1e-15).root
    assert first(sim, "touches") == pytest.approx(landing, abs=1e-12)


def test_a_bounce_is_relative_to_ground_that_rises():
    sim = run(point(lw.Surface("z - 0.3*t"), restitution=0.6), [0, 0, 1.0], np.zeros(3), 0.5)
    time = (-0.3 + np.sqrt(0.09 + 2 * G)) / G
    assert first(sim, "touches") == pytest.approx(time, abs=1e-14)
    assert sim.v[2] == pytest.approx(0.3 + 0.6 * (0.3 + G * time) - G * (0.5 - time), abs=1e-12)


def turning(angle, rate, change):
    def motion(t):
        pose = lw.Pose(rotation=lw.Pose.rpy(0, 0, angle(t)).rotation)
        return pose, np.r_[np.zeros(5), rate(t)], np.r_[np.zeros(5), change]

    return lw.Plane().moving(motion)


def test_a_turntable_that_speeds_up_throws_it_off():
    """Where (α r)² + (α² t² r)² = (μ g)²."""
    table = turning(lambda t: 1.5 * t * t, lambda t: 3.0 * t, 3.0)
    sim = run(point(table, friction=0.4, static_friction=0.5), [0.4, 0, 0], np.zeros(3), 1.2)
    assert first(sim, "slips") == pytest.approx(((0.5 * G / 0.4) ** 2 - 9.0) ** 0.25 / 3.0, abs=1e-12)


def test_a_ball_rolls_in_a_circle_on_a_turntable():
    """Two sevenths as fast as the table turns, wherever it is and however fast."""
    table, speed, slow = turning(lambda t: 4.0 * t, lambda t: 4.0, 0.0), 0.2, 2 / 7 * 4.0
    linkage = solid(lw.Ball(0.1), table, lw.Inertia.sphere(0.1, mass=1.0), friction=0.9)
    sim = run(linkage, [0.3, 0, 0.1, 0, 0, 0, 1], [0, speed, 0, (4.0 * 0.3 - speed) / 0.1, 0, 0], 1.0)
    radius = speed / slow
    expected = 0.3 + radius * (np.cos(slow) - 1), radius * np.sin(slow), 0.1
    np.testing.assert_allclose(sim.q[:3], expected, atol=1e-12)


CAPSULE = lw.Capsule(0.05, 0.6), lw.Inertia(1.0, matrix=np.diag([0.03, 0.03, 0.002]))
LYING = [0, np.sin(np.pi / 4), 0, np.cos(np.pi / 4)]  # its axis along x
TORUS = lw.Torus((0, 0, 0), (0, 0, 1), 1.0, 0.3), lw.Surface("sqrt((sqrt(x**2 + y**2) - 1)**2 + z**2) - 0.3")
RIDGE = HILLS["cylinder"], HILLS["text of a cylinder"]


@pytest.mark.parametrize(
    ("shape", "grounds", "q", "v", "until"),
    [
        (CAPSULE, RIDGE, [0.02, 0, 1.05, *LYING], [0, 0.1, 0, 0, 0.3, 0], 0.5),
        ((lw.Ball(0.1), lw.Inertia.sphere(0.1, mass=1.0)), TORUS, [1.02, 0.1, 0.6, 0, 0, 0, 1],
         [0.3] * 3 + [1.0] * 3, 0.6),
        ((lw.Box((0.2, 0.3, 0.1)), lw.Inertia.box((0.2, 0.3, 0.1), mass=1.0)),
         (lw.Plane((0.2, 0, 1)), lw.Surface("x + 5*z")), [0, 0, 0.2, 0.1, 0.2, 0, 0.97], [0.5, 0.1, 0, 0, 0, 0], 0.2),
    ],
    ids=["capsule", "ball on a torus", "box"],
)  # fmt: skip
def test_texts_are_what_they_describe(shape, grounds, q, v, until):
    q = np.array(q, dtype=float)
    q[3:] /= np.linalg.norm(q[3:])
    linkages = [solid(shape[0], ground, shape[1], friction=0.4, restitution=0.2) for ground in grounds]
    known, text = (run(linkage, q, v, until) for linkage in linkages)
    assert [e.what for e in text.recording.events] == [e.what for e in known.recording.events]
    assert len(known.recording.events)
    np.testing.assert_allclose(
        [e.time for e in text.recording.events], [e.time for e in known.recording.events], atol=1e-9
    )
    np.testing.assert_allclose(text.q, known.q, atol=1e-8)


def test_the_gap_of_a_ball_is_its_distance():
    """By both ways through time, for a function whose value is no distance."""
    waves = lw.Surface("exp(z) - exp(0.3*sin(3*x))")
    linkage = solid(lw.Ball(0.1), waves, lw.Inertia.sphere(0.1, mass=1.0))
    centre = np.array([0.3, 0.0, 0.7])
    found = minimize(lambda x: (x[0] - 0.3) ** 2 + (0.3 * np.sin(3 * x[0]) - 0.7) ** 2, [0.4], tol=1e-16)
    for contacts in ("events", "time-stepping"):
        sim = lw.Simulation(linkage, [*centre, 0, 0, 0, 1], dt=1e-3, contacts=contacts)
        assert sim.contacts["solid"].gap == pytest.approx(np.sqrt(found.fun) - 0.1, abs=1e-9)


@pytest.mark.nojit
def test_what_goes_wrong_in_a_function_is_told():
    def height(r):
        if r[2] < 0.5:
            raise ValueError("too low")
        return r[2]

    ground = lw.Surface(height, lambda r: np.array([0.0, 0.0, 1.0]), lambda r: np.zeros((3, 3)))
    with pytest.raises(ValueError, match="too low"):
        run(point(ground), [0, 0, 1], np.zeros(3), 1.0)
    rootless = point(lw.Surface("z + sqrt(x)"))
    for contacts in ("events", "time-stepping"):
        sim = lw.Simulation(rootless, [0.1, 0, 5], [-1, 0, 0], dt=1e-3, contacts=contacts)
        with pytest.raises(lw.ArgumentError, match="surface 'ground' has no value or normal near 'mass'"):
            sim.run(0.5, progress=False)
    for hill in ("text", "functions"):  # which have no normal in their middle
        linkage = solid(lw.Ball(0.1), HILLS[hill], lw.Inertia.sphere(0.1, mass=1.0))
        with pytest.raises(lw.ArgumentError, match="surface 'ground' has no value or normal near 'solid'"):
            lw.Simulation(linkage, contacts="time-stepping")


@ON_HILLS
def test_a_ball_rolls_on_a_hill_that_is_a_belt(hill):
    """The belt goes v cos θ, and ω r = c θ̇ − v cos θ: 7/5 c θ̈ = sin θ (g − 2/5 v θ̇), with c = R + r."""
    v, c, start, until = 0.8, 1.1, (0.05, -0.1), 0.6
    linkage = solid(lw.Ball(0.1), HILLS[hill].sliding((v, 0, 0)), lw.Inertia.sphere(0.1, mass=1.0), friction=5.0)
    angle, rate = start
    spin = (c * rate - v * np.cos(angle)) / 0.1
    q, ahead = [c * np.sin(angle), 0, c * np.cos(angle), 0, 0, 0, 1], c * rate
    sim = run(linkage, q, [ahead * np.cos(angle), 0, -ahead * np.sin(angle), 0, spin, 0], until)

    def rates(t, state):
        return state[1], np.sin(state[0]) * (G - 0.4 * v * state[1]) / (1.4 * c)

    solved = solve_ivp(rates, (0, until), start, rtol=1e-12, atol=1e-14, method="DOP853").y[:, -1]
    assert sim.contacts["solid"].mode == "stick"
    assert not sim.recording.events
    assert np.arctan2(sim.q[0], sim.q[2]) == pytest.approx(solved[0], abs=1e-11)
    assert sim.v[4] * 0.1 == pytest.approx(c * solved[1] - v * np.cos(solved[0]), abs=1e-10)


@pytest.mark.parametrize("friction", [0.1, 5.0])
@pytest.mark.parametrize("ground", ["sphere", "cylinder", "torus", "text"])
def test_a_plate_on_a_curved_belt_goes_the_same_way_in_time_steps(ground, friction):
    """Which know the velocity of the belt alone: nothing of how it changes."""
    belt = lw.Torus((0, 0, 0), (0, 1, 0), 0.7, 0.3) if ground == "torus" else HILLS[ground]
    box, ends = lw.Box((0.6, 0.3, 0.1)), []
    across = 0.0 if ground == "cylinder" else 0.3  # where it lies on a line, turns are impacts
    linkage = solid(box, belt.sliding((0.4, across, 0.1)), lw.Inertia.box(box.sizes, mass=2.0), friction=friction)
    for options in ({}, {"contacts": "time-stepping", "dt": 1e-4}, {"contacts": "time-stepping", "dt": 2e-5}):
        sim = lw.Simulation(linkage, [0, 0, 1.05, 0, 0, 0, 1], **({"dt": 1e-3, "contacts": "events"} | options))
        sim.run(0.3, progress=False)
        ends.append(sim.q)
    assert np.abs(ends[1] - ends[0]).max() < 1e-3
    assert np.abs(ends[2] - ends[0]).max() < 2e-4
    assert np.abs(ends[0][:2]).max() > 0.01


def test_what_moves_and_then_slides_has_no_events():
    moving = HILLS["cylinder"].moving(lambda t: lw.Pose())
    with pytest.raises(lw.ArgumentError, match="may touch 'ground': contacts of what moves and then slides"):
        run(point(moving.sliding((0, 0.1, 0))), [0, 0, 1], np.zeros(3), 0.1)


PLATE = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.07, 0.07) for z in (-0.05, 0.05)] + [[0, 0, 0.12]])
ROD = lw.Capsule(0.05, 0.2)


def off_ball(p):
    return np.linalg.norm(np.add(p, (0, 0, 1)), axis=1) - 1


def off_ridge(p):
    return np.hypot(p[:, 1], p[:, 2] + 1) - 1


def off_torus(p):
    return np.hypot(np.hypot(p[:, 0], p[:, 1]) - 0.2, p[:, 2] + 1) - 0.8


DROPPED = {  # what is dropped on what, the distance from that, friction, restitution, a random turn and velocity
    "on a sphere": (ROD, lw.Sphere((0, 0, -1), 1.0), off_ball, 0.95, 0.0, 12),
    "on a ridge": (ROD, lw.Cylinder("x", (0, 0, -1), 1.0), off_ridge, 0.72, 0.0, 70),
    "on a smooth ridge": (ROD, lw.Cylinder("x", (0, 0, -1), 1.0), off_ridge, 0.1, 0.24, 130),
    "on a text": (ROD, lw.Surface("x**2 + y**2 + (z + 1)**2 - 1"), off_ball, 0.5, 0.2, 3),
    "on a slope": (ROD, lw.Plane((0, 0.6, 0.8)), lambda p: p @ [0, 0.6, 0.8], 0.32, 0.1, 182),
    "on a torus": (ROD, lw.Torus((0, 0, -1), (0, 0, 1), 0.2, 0.8), off_torus, 0.6, 0.3, 5),
    "mesh": (lw.Mesh(PLATE), lw.Plane(), lambda p: p[:, 2], 0.51, 0.42, 29),
    "box": (lw.Box((0.2, 0.14, 0.1)), lw.Plane(), lambda p: p[:, 2], 0.3, 0.5, 7),
}


@pytest.mark.parametrize("contacts", ["events", "time-stepping"])
@pytest.mark.parametrize("case", DROPPED)
def test_what_is_dropped_stays_outside_and_gains_no_energy(case, contacts):
    """Sides and ends of capsules take turns, plates rock, slips end."""
    shape, ground, distance, friction, restitution, seed = DROPPED[case]
    inertia, rng = lw.Inertia.box((0.2, 0.14, 0.1), mass=1.0), np.random.default_rng(seed)
    linkage = solid(shape, ground, inertia, friction=friction, restitution=restitution)
    turn = rng.normal(size=4)
    q, v = [0, 0, 0.3, *turn / np.linalg.norm(turn)], rng.normal(size=6) * [1, 1, 1, 0.3, 0.3, 0.3]
    recording = lw.Simulation(linkage, q, v, dt=1e-3, contacts=contacts).run(0.8, progress=False)
    assert 2 < len(recording.events) < 400
    points, radius = (np.linspace([0, 0, -0.1], [0, 0, 0.1], 81), 0.05) if shape is ROD else (shape.points(), 0.0)
    poses = [lw.body_poses(linkage, q)["solid"] for q in recording.q]
    deepest = min(distance(pose.apply(points)).min() for pose in poses) - radius
    assert deepest > (-1e-9 if contacts == "events" else -6e-3)
    energies = [lw.kinetic_energy(linkage, *state) for state in zip(recording.q, recording.v, strict=True)]
    assert np.diff(energies + G * recording.q[:, 2]).max() < 5e-3
