"""Closed forms of contacts as scenes: by events to the error of their table, by time stepping to first order."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.optimize import root_scalar

import linkwork as lw
from linkwork.kernels.numba_ext import MODE

G, SLOPE = 9.81, np.radians(20.0)
s, c = np.sin(SLOPE), np.cos(SLOPE)
DOWN = f"gravity: [{float(G * s)!r}, 0, {float(-G * c)!r}]"


def block(rub, mass=1.0):
    """A point mass on a floor; it does not turn."""
    return f"""
bodies:
- {{name: x, joint: {{type: Prismatic, axis: x}}}}
- {{name: y, parent: x, joint: {{type: Prismatic, axis: y}}}}
- {{name: block, parent: y, joint: {{type: Prismatic, axis: z}}, inertia: {{shape: point, mass: {mass}}}}}
shapes:
- {{name: solid, body: block, shape: {{type: Point}}, {rub}}}
- {{name: floor, body: ground, shape: {{type: Plane, normal: z}}, friction: 2}}
"""


def ball(rub, height, v=(0, 0, 0, 0, 0, 0)):
    return f"""
bodies: [{{name: body, joint: {{type: Free}}, inertia: {{shape: sphere, radius: 0.1, mass: 1}}}}]
shapes:
- {{name: solid, body: body, shape: {{type: Ball, radius: 0.1}}, {rub}}}
- {{name: floor, body: ground, shape: {{type: Plane, normal: z}}, friction: 2}}
start: {{q: {{body: [0, 0, {height}, 0, 0, 0, 1]}}, v: {{body: {list(v)}}}}}
"""


def disc(speed, friction):
    """A ball as above that moves and turns in the x–z plane."""
    return f"""
bodies:
- {{name: x, joint: {{type: Prismatic, axis: x}}}}
- {{name: z, parent: x, joint: {{type: Prismatic, axis: z}}}}
- {{name: ball, parent: z, joint: {{type: Revolute, axis: y}}, inertia: {{shape: sphere, radius: 0.1, mass: 1}}}}
shapes:
- {{name: solid, body: ball, shape: {{type: Ball, radius: 0.1}}, friction: {friction}}}
- {{name: floor, body: ground, shape: {{type: Plane, normal: z}}, friction: 2}}
start: {{q: {{z: 0.1}}, v: {{x: {speed}}}}}
"""


def rod(angle, friction, *, length=1.0, v=0.0, wall=None):
    """A rod in the x–z plane whose foot is on the floor, `angle` from upright; it may lean against a wall at x = 0."""
    moment, x = length**2 / 12, 0.0 if wall is None else 0.5 * np.sin(-angle)
    leaning = f"""
- {{name: head, body: rod, shape: {{type: Point}}, at: [0, 0, {length / 2}], friction: {wall}}}
- {{name: wall, body: ground, shape: {{type: Plane, normal: x}}, friction: 2}}
part: [{{a: foot, b: wall}}, {{a: head, b: floor}}]"""
    leaning = "" if wall is None else leaning
    return f"""
bodies:
- {{name: x, joint: {{type: Prismatic, axis: x}}}}
- {{name: z, parent: x, joint: {{type: Prismatic, axis: z}}}}
- {{name: rod, parent: z, joint: {{type: Revolute, axis: y}},
   inertia: {{mass: 1, matrix: [{moment!r}, {moment!r}, {1e-6 * moment!r}]}}}}
shapes:
- {{name: floor, body: ground, shape: {{type: Plane, normal: z}}, friction: 2}}
- {{name: foot, body: rod, shape: {{type: Point}}, at: [0, 0, {-length / 2}], friction: {friction}}}{leaning}
start: {{q: {{x: {float(x)!r}, z: {float(0.5 * length * np.cos(angle))!r}, rod: {float(angle)!r}}}, v: {{x: {v}}}}}
"""


def li_arm(a, friction, torque):
    """Li's two links, in the y–z plane, their tip on the floor."""
    link = "inertia: {mass: 1, com: [0, 0, 0.25], matrix: [0.0208333333333333333, 0.0208333333333333333, 0.02]}"
    return f"""
gravity: [0, 0, -9.8]
bodies:
- {{name: one, joint: {{type: Revolute, axis: x}}, {link}}}
- {{name: two, parent: one, at: [0, 0, 0.5], joint: {{type: Revolute, axis: x}}, {link}}}
shapes:
- {{name: tip, body: two, shape: {{type: Point}}, at: [0, 0, 0.5], friction: {friction!r}}}
- {{name: floor, body: ground, shape: {{type: Plane, normal: z}}, friction: 2}}
start: {{q: {{one: {float(-np.pi / 2 - a)!r}, two: {float(2 * a)!r}}}}}
torques: {{two: "{torque}"}}
"""


def wheel(speed):
    v = [float(x) for x in speed * np.array([np.sin(np.pi / 8), np.cos(np.pi / 8), 1.0])]
    return f"linkage: {{sample: rimless_wheel, options: {{slope: 0.08}}}}\nstart: {{v: {{wheel: {v}}}}}\n"


def simulate(tmp_path, scene, until, dt, contacts, **options):
    """The run of a scene; with `until` zero, its start."""
    more = "".join(f", {key}: {value}" for key, value in options.items())
    path = tmp_path / "row.yaml"
    run = f"simulation: {{until: {until or 1}, dt: {float(dt)!r}, contacts: {contacts}{more}}}\n"
    path.write_text(f"linkwork: 1\nname: row\n{scene}\n{run}", encoding="utf-8")
    sim = lw.load_scene(path).simulation()
    if until:
        sim.run(until, progress=False)
    return sim


def when(word, number=0):
    return lambda sim: [event.time for event in sim.recording.events if word in event.what][number]


def angle_at(word):
    def measure(sim):
        recording = sim.recording
        return recording.q[np.searchsorted(recording.t, when(word)(sim)), 2]

    return measure


def coordinate(k):
    return lambda sim: sim.q[k]


def forward_speed(sim):
    return (lw.body_poses(sim.linkage, sim.q)["body"].rotation @ sim.v[:3])[0]


def lost_first(sim):
    return next(event.energy_lost for event in sim.recording.events if "touches" in event.what)


def spin_after_first(sim):
    recording = sim.recording
    t = when("touches")(sim)
    return recording.v[np.searchsorted(recording.t, t, side="right") - 1, 2]


def jump(k):
    return lambda sim: next(event for event in sim.recording.events if "Painlevé" in event.what).jump[k]


# Errors are those of the closed forms' table, or what the rounding of so many steps leaves (`rounding`) if more.
ROUNDING = 2.0 if MODE == "plain" else 1.0  # sums and products are fused elsewhere there: up to 1.6 times these
CLOSE = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-14}
SHARES = 1.0 - np.arange(12) / 24  # of a size: where in a step something happens is not to matter


@dataclass(frozen=True)
class Row:
    """A scene, what it is asked by events (with its closed form and error), and what time stepping converges to.

    Where `limit` is None, that is what events give.
    """

    scene: str
    until: float
    by_events: tuple[tuple[Any, float, float], ...]
    coordinate: int
    limit: float | None = None
    dt: float = 1e-3
    coarse: float = 4e-3
    stop: float = 0.0
    rtol: float = 1e-12


def falling():
    """When and where the foot of a falling rod begins to slip: by forces, and by an integral over its angle."""

    def squared(x):  # ω²
        return 6 * G * np.sin((x - 0.1) / 2) * np.sin((x + 0.1) / 2)

    def held(x):
        push = 0.75 * G * np.sin(x) * np.cos(x) - 0.5 * squared(x) * np.sin(x)
        return push - 0.3 * (G - 0.75 * G * np.sin(x) ** 2 - 0.5 * squared(x) * np.cos(x))

    angle = float(root_scalar(held, bracket=(0.35, 0.5), xtol=1e-16, rtol=1e-15).root)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    y = 0.5 * np.sqrt(angle - 0.1) * (nodes + 1)  # x = 0.1 + y²
    time = 0.5 * np.sqrt(angle - 0.1) * weights @ (2 * y / np.sqrt(squared(0.1 + y * y)))
    assert (time, angle) == pytest.approx((0.552015482672, 0.419549429172), abs=1e-12)
    return float(time), angle


turn = 3.0 / (G * (s + 0.3 * c))
back = -1.5 * turn + 0.5 * G * (s - 0.3 * c) * (2 - turn) ** 2
onset = 2.4525
pulled = 0.4905 * (4 - onset) ** 2 + (4 - onset) ** 3 / 3
roll, fall = 4.0 / (7 * 0.25 * G), np.sqrt(2 / G)
descent, kept = 2 * np.sin(np.pi / 8) * np.sin(0.08), (0.1 + np.cos(np.pi / 4)) / 1.1
spin = float(kept * np.sqrt(2 * G * descent / 1.1 / (1 - kept**2)))
ROWS = {
    "a block that turns back on a slope": Row(
        f"{DOWN}\n{block('friction: 0.3')}\nstart: {{v: {{x: -3}}}}", 2.0,
        ((when("sticks"), turn, 5e-16), (coordinate(0), back, 5e-16)), 0, back,
    ),
    "static friction overcome": Row(
        block("friction: 0.4, static_friction: 0.5", 2.0) + "torques: {x: 4*t}", 4.0,
        ((when("slips"), onset, 0.0), (coordinate(0), pulled, 0.0)), 0, pulled,
    ),
    "a curved slide": Row(
        f"{DOWN}\n{block('friction: 0.5')}\nstart: {{v: {{y: 1.5}}}}", 0.8,
        ((when("sticks"), 0.5 * c * 1.5 / (G * (0.25 * c * c - s * s)), 6.5e-10),), 1,
    ),
    "a falling rod": Row(
        rod(0.1, 0.3), 0.7, ((when("slips"), falling()[0], 5e-13), (angle_at("slips"), falling()[1], 5e-13)), 2,
    ),
    "a sphere that slides and rolls": Row(
        ball("friction: 0.25", 0.1, (2, 0, 0, 0, 0, 0)), 0.4,
        # The table's is the wheel below. Here the frame turns: 1.7e-14 at rtol 1e-12.
        ((when("sticks"), roll, 4e-16), (forward_speed, 10 / 7, 4e-16)), 0,
        0.5 * (2 + 10 / 7) * roll + 10 / 7 * (0.4 - roll), rtol=2.3e-14,
    ),
    "a wheel that slides and rolls": Row(
        disc(2.0, 0.25), 0.4, ((when("sticks"), roll, 4e-16), (lambda sim: sim.v[0], 10 / 7, 4e-16)), 0,
        0.5 * (2 + 10 / 7) * roll + 10 / 7 * (0.4 - roll),
    ),
    "a ball that bounces": Row(
        ball("restitution: 0.6", 1.1), 2.0,
        ((when("comes to rest"), fall + 2 * fall * 0.6 / 0.4, 2e-12), (when("touches"), fall, 1e-15)), 2, dt=5e-3,
        stop=0.8, limit=0.1 + 0.6 * np.sqrt(2 * G) * (0.8 - fall) - 0.5 * G * (0.8 - fall) ** 2,
    ),
    "a rimless wheel": Row(
        wheel(spin), 1.5, ((spin_after_first, spin, 7e-13), (lost_first, G * descent, 7e-13)), 2,
    ),
    "Painlevé's rod": Row(
        rod(np.arctan(0.5), 1.4, length=2.0, v=-1.0), 0.05, ((jump(0), 0.4, 1e-12), (jump(1), 0.3, 1e-12)), 0, dt=1e-3,
        coarse=2e-3,
    ),
    "Li's arm begins to slip": Row(
        li_arm(np.pi / 3, 0.2, "-9.8*0.5/4 + t/4"), 4.2, ((when("slips"), 1.96 * np.sqrt(3), 3e-13),), 0, dt=2e-2,
    ),
}  # fmt: skip


def rounding(recording):
    """What is left where every step rounds the state once, each time by up to a last digit of its largest number."""
    largest = max(np.abs(recording.q).max(), np.abs(recording.v).max())
    return np.sqrt(len(recording.t)) * np.spacing(largest)


@pytest.mark.parametrize("name", ROWS)
def test_by_events(tmp_path, name):
    row = ROWS[name]
    tolerances = {"rtol": row.rtol, "atol": 0.01 * row.rtol}
    sim = simulate(tmp_path, row.scene, row.until, row.dt, "events", **CLOSE | tolerances)
    for measure, expected, error in row.by_events:
        assert measure(sim) == pytest.approx(expected, abs=max(error, rounding(sim.recording)) * ROUNDING)


@pytest.mark.parametrize("name", ROWS)
def test_time_stepping_converges(tmp_path, name):
    """Of first order, from dt to dt/8; what slides and rolls, of which the force alone jumps, of second."""
    row, limit = ROWS[name], ROWS[name].limit
    if limit is None:
        limit = simulate(tmp_path, row.scene, row.until, row.dt, "events", **CLOSE).q[row.coordinate]
    sizes, means = row.coarse * 0.5 ** np.arange(4), []
    for size in sizes:
        runs = [simulate(tmp_path, row.scene, row.stop or row.until, size * share, "time-stepping") for share in SHARES]
        means.append(np.abs(np.array([sim.q[row.coordinate] for sim in runs]) - limit).mean())
    order = -np.polyfit(np.arange(4), np.log2(means), 1)[0]
    low, high = (1.6, 2.8) if "slides and rolls" in name else (0.8, 1.3)
    assert low < order < high
    assert (means < sizes).all()  # m or rad


BOX = f"""{DOWN}
bodies:
- {{name: body, joint: {{type: Free}}, at: [0, 0, 0.1], inertia: {{shape: box, size: [0.2, 0.2, 0.2], mass: 2}}}}
shapes:
- {{name: solid, body: body, shape: {{type: Box, sizes: [0.2, 0.2, 0.2]}}, friction: 0.5}}
- {{name: floor, body: ground, shape: {{type: Plane, normal: z}}, friction: 2}}
"""
BOTH_WAYS = pytest.mark.parametrize("contacts", ["events", "time-stepping"])


@BOTH_WAYS
def test_a_box_presses_as_statics_say(tmp_path, contacts):
    sim = simulate(tmp_path, BOX, 0.5, 1e-2, contacts)
    load = 2 * G / 4
    expected = np.repeat([load * (c - s), load * (c + s)], 2)  # 2.931583502, 6.286801108
    np.testing.assert_allclose(np.sort(sim.contacts["solid"].forces[:, 2]), expected, atol=1e-9)
    np.testing.assert_allclose(expected[[0, 2]], [2.931583502, 6.286801108], atol=1e-9)
    assert np.abs(sim.v).max() < 1e-12


@BOTH_WAYS
def test_a_ladder_on_a_smooth_wall(tmp_path, contacts):
    sim = simulate(tmp_path, rod(np.radians(-30), 0.4, wall=0.0), 0.2, 1e-2, contacts)
    assert sim.contacts["head", "wall"].normal == pytest.approx(G / 2 / np.tan(np.radians(60)), abs=1e-9)
    assert sim.contacts["foot", "floor"].friction[0] == pytest.approx(-2.83190307038, abs=1e-9)


@BOTH_WAYS
@pytest.mark.parametrize("more", [1e-9, -1e-9])
def test_a_ladder_stands_from_an_angle_on(tmp_path, contacts, more):
    """tan θ = (1 − μ_f μ_w)/2μ_f."""
    angle = np.arctan((1 - 0.4 * 0.3) / 0.8) + more
    assert np.degrees(angle) == pytest.approx(47.7263109939, abs=1e-7)
    sim = simulate(tmp_path, rod(angle - np.pi / 2, 0.4, wall=0.3), 0.0, 1e-3, contacts)
    assert set(sim.contacts.mode) == ({"stick"} if more > 0 else {"slip"})


@BOTH_WAYS
@pytest.mark.parametrize(("a", "limit"), [(0.9, 0.077624020556), (1.15, 0.050129368109), (np.pi / 12, 0.900099577495)])
def test_li_arm_holds_from_a_friction_on(tmp_path, contacts, a, limit):
    exact = abs(np.cos(a) - 0.5) / (2 * np.sin(a))
    assert exact == pytest.approx(limit, abs=1e-12)
    margin = 1e-9 if contacts == "events" else 1e-6  # of what slips in one step, that is less than can be told
    for share, mode in ((1 + margin, "stick"), (1 - margin, "slip")):
        sim = simulate(tmp_path, li_arm(a, float(exact * share), "-9.8*0.5/4"), 0.0, 1e-3, contacts)
        assert sim.contacts["tip", "floor"].mode == mode


@BOTH_WAYS
def test_a_figure_stands_on_its_feet(tmp_path, contacts):
    """Eight points bear the weight, and press around a point below the centre of mass."""
    figure = lw.samples.human(40)
    q, corners = figure.neutral(), [(x, y, 0.0) for x in (-0.05, 0.15) for y in (-0.04, 0.04)]
    points = [(foot, corner) for foot in ("left_foot", "right_foot") for corner in corners]
    J = np.concatenate([lw.jacobian(figure, q, foot, corner)[2:3] for foot, corner in points])
    weight = lw.gravity_torques(figure, q)
    tau = weight - J.T @ np.linalg.lstsq(J[:, :6].T, weight[:6], rcond=None)[0]  # no torque in the free joint
    height = float(lw.body_poses(figure, q)["left_foot"].position[2])
    lines = ["linkage: {sample: human, options: {dof: 40}}", "shapes:"]
    lines += [
        f"- {{name: point{k}, body: {foot}, shape: {{type: Point}}, at: {list(corner)}, friction: 0.8}}"
        for k, (foot, corner) in enumerate(points)
    ]
    lines += [f"- {{name: floor, body: ground, shape: {{type: Plane, normal: z, offset: {height!r}}}}}", "torques:"]
    lines += [
        f"  {joint.name}: {[float(x) for x in tau[joint.v_slice]] if joint.nv > 1 else float(tau[joint.v_slice][0])}"
        for joint in figure.joints if joint.name != "base"
    ]  # fmt: skip
    sim = simulate(tmp_path, "\n".join(lines), 0.0, 1e-3, contacts, limits="ignore")
    normal, places = sim.contacts.normal, np.array([touch.points[0] for touch in sim.contacts])
    assert normal.sum() == pytest.approx(figure.columns.mass.sum() * G, abs=1e-8)
    assert normal @ places[:, 0] / normal.sum() == pytest.approx(lw.center_of_mass(figure, q)[0], abs=1e-9)
