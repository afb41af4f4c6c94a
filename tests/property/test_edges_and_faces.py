"""Boxes and meshes that touch what bulges with their edges and faces, against closed forms and conservation laws."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

G, R, H, MASS = 9.81, 1.0, 0.05, 2.0
SIZES = (0.6, 0.3, 2 * H)
INERTIA = lw.Inertia.box(SIZES, mass=MASS)
I_Y = float(INERTIA.matrix[1, 1])
CLOSE = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-14, "contacts": "events"}
GROUNDS = {
    "sphere": lw.Sphere((0, 0, 0), R),
    "cylinder": lw.Cylinder("y", (0, 0, 0), R),
    "torus": lw.Torus((0, 0, 0), (0, 1, 0), 0.7, 0.3),
    "text": lw.Surface("x**2 + 3*y**2 + z**2 - 1"),
    "functions": lw.Surface(lambda r: r @ r - 1.0, lambda r: 2.0 * r, lambda r: 2.0 * np.eye(3)),
}  # all with the top (0, 0, R) and the same circle across it
pytestmark = pytest.mark.filterwarnings("ignore:steps are slow")


def plate(ground, friction, shape=None):
    linkage = lw.Linkage(name="plate")
    linkage.add_body("plate", INERTIA, joint=lw.Free())
    linkage.add_shape("plate", shape or lw.Box(SIZES), name="plate", friction=friction)
    linkage.add_shape("ground", ground, friction=9.0, name="ground")
    return linkage


def leaning(angle, s):
    """Coordinates of a plate that touches the circle where it leans by an angle, s away from its middle."""
    sin, cos = np.sin(angle), np.cos(angle)
    x, z = (R + H) * sin - s * cos, (R + H) * cos + s * sin
    return np.array([x, 0, z, 0, np.sin(angle / 2), 0, np.cos(angle / 2)])


def angle_of(q):
    return 2.0 * np.arctan2(q[4], q[6])


def rocking(t, state):
    """½(I + m(h² + r²θ²)) θ̇² + m g ((r + h) cos θ + r θ sin θ) is constant."""
    angle, rate = state
    inertia = I_Y + MASS * (H**2 + R**2 * angle**2)
    pull = MASS * G * (R * angle * np.cos(angle) - H * np.sin(angle))
    return rate, -(MASS * R**2 * angle * rate**2 + pull) / inertia


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_plate_rocks_on_what_bulges(ground):
    sim = lw.Simulation(plate(GROUNDS[ground], 5.0), leaning(0.2, 0.2 * R), dt=1e-2, **CLOSE)
    sim.run(0.5, progress=False)
    expected = solve_ivp(rocking, (0, 0.5), (0.2, 0.0), rtol=1e-12, atol=1e-14, method="DOP853").y[:, -1]
    np.testing.assert_allclose(angle_of(sim.q), expected[0], atol=2e-10)
    np.testing.assert_allclose(sim.q, leaning(angle_of(sim.q), R * angle_of(sim.q)), atol=2e-10)
    assert sim.contacts["plate"].mode == "stick"


@pytest.mark.parametrize(("half", "stands"), [(0.9, True), (1.1, False)])
@pytest.mark.parametrize("contacts", ["events", "time-stepping"])
def test_a_box_on_a_cylinder_stands_where_it_is_lower_than_that_is_round(half, stands, contacts):
    """With ω² = g (r − h)/(I/m + h²)."""
    box = lw.Box((2.0, 1.0, 2 * half))
    linkage = lw.Linkage()
    linkage.add_body("box", lw.Inertia.box(box.sizes, mass=1.0), joint=lw.Free())
    linkage.add_shape("box", box, friction=5.0)
    linkage.add_shape("ground", GROUNDS["cylinder"], friction=9.0)
    omega2 = G * (R - half) / ((box.sizes[0] ** 2 + box.sizes[2] ** 2) / 12.0 + half**2)
    start, t = 1e-3, 1.5
    q = [half * np.sin(start), 0, R + half * np.cos(start), 0, np.sin(start / 2), 0, np.cos(start / 2)]
    sim = lw.Simulation(linkage, q, dt=1e-3, contacts=contacts)
    sim.run(t, progress=False)
    omega = np.sqrt(abs(omega2))
    expected = start * (np.cos(omega * t) if stands else np.cosh(omega * t))
    assert angle_of(sim.q) == pytest.approx(expected, abs=5e-6 if contacts == "events" else 2e-5)


def sliding(t, state):
    """2T = m(((r + h) θ̇ − ṡ)² + s² θ̇²) + I θ̇², V = m g ((r + h) cos θ + s sin θ)."""
    angle, s, w, u = state
    a = R + H
    matrix = np.array([[MASS * (a**2 + s**2) + I_Y, -MASS * a], [-MASS * a, MASS]])
    push = np.array([
        MASS * G * (a * np.sin(angle) - s * np.cos(angle)) - 2.0 * MASS * s * u * w,
        MASS * s * w**2 - MASS * G * np.sin(angle),
    ])  # fmt: skip
    return w, u, *np.linalg.solve(matrix, push)


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_plate_slides_over_a_smooth_top(ground):
    start = np.array([0.02, 0.1, 0.1, 0.3])
    angle, s, w, u = start
    ahead, up = (R + H) * w - u, s * w  # of its middle, along its own axes
    v = [ahead, 0, up, 0, w, 0]
    sim = lw.Simulation(plate(GROUNDS[ground], 0.0), leaning(angle, s), v, dt=1e-2, **CLOSE)
    sim.run(0.3, progress=False)
    angle, s, *_ = solve_ivp(sliding, (0, 0.3), start, rtol=1e-12, atol=1e-14, method="DOP853").y[:, -1]
    np.testing.assert_allclose(sim.q, leaning(angle, s), atol=2e-10)
    assert sim.contacts["plate"].mode == "slip"


@pytest.mark.parametrize("ground", [name for name in GROUNDS if name != "cylinder"])  # on a line turns are impacts
def test_a_plate_that_rolls_and_turns_keeps_its_energy(ground):
    """In three dimensions, on a mesh: nothing slips, nothing collides, so nothing is lost."""
    linkage = plate(GROUNDS[ground], 9.0, lw.Mesh(lw.Box(SIZES).points()))
    v = [H * 0.4, -H * 0.3, 0, 0.3, 0.4, 0.5]
    sim = lw.Simulation(linkage, leaning(0.0, 0.0), v, dt=1e-2, **CLOSE)
    recording = sim.run(0.4, progress=False)
    assert sim.contacts["plate"].mode == "stick"
    assert [event.what for event in recording.events if "passes" not in event.what] == []
    energies = [lw.kinetic_energy(linkage, *state) for state in zip(recording.q, recording.v, strict=True)]
    assert np.ptp(energies + MASS * G * recording.q[:, 2]) < 1e-9
    assert np.ptp(recording.q[:, 1]) > 1e-3


@pytest.mark.parametrize("ground", ["sphere", "torus", "text"])
def test_rollouts_know_faces(ground):
    linkage, q = plate(GROUNDS[ground], 0.3), leaning(0.1, 0.1 * R)
    v = np.array([0.3, 0.1, 0, 0.1, 0.2, 0.3])
    sim = lw.Simulation(linkage, q, v, dt=1e-3, contacts="time-stepping")
    sim.run(0.2, progress=False)
    rolled = lw.rollout(linkage, q, v, np.zeros(6), 1e-3, 200)
    np.testing.assert_allclose(rolled.q[-1], sim.q, atol=1e-10)
    assert sim.contacts["plate"].gap > -1e-4
