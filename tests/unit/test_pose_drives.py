"""Driven Spherical, Free and Planar joints in compiled steps: matrix exponentials, differences, dense steps, resume."""

import warnings

import numba
import numpy as np
import pytest
from numba import types
from numpy.polynomial import Polynomial
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import linkwork as lw

POINTER = types.CPointer(types.float64)
TURN = ("0.2*sin(t)", "0.1*t**2", "0.3*sin(2*t)", "2*cos(t)")  # a quaternion that is not of length 1
WAY = ("0.3*t", "sin(t)", "0.1*t**3")
KINDS = {
    "Spherical": (lw.Spherical(), list(TURN)),
    "Free": (lw.Free(), [*WAY, *TURN]),
    "Planar": (lw.Planar("z"), ["0.3*t", "sin(t)", "0.5*t**2"]),
}


def tail(joint):
    """A driven body with a free one that hangs on it."""
    linkage = lw.Linkage(name="tail")
    linkage.add_body("base", lw.Inertia.box((0.3, 0.2, 0.1), mass=2.0, com=(0.02, 0, 0.05)), joint=joint)
    rod = lw.Inertia.rod(0.5, mass=1.0, axis="x")
    linkage.add_body("rod", rod, joint=lw.Revolute("y"), parent="base", at=lw.Pose((0.1, 0.05, 0)))
    return linkage


def coordinates(kind, t):
    """What the texts say, by NumPy."""
    turn = np.array([0.2 * np.sin(t), 0.1 * t**2, 0.3 * np.sin(2 * t), 2 * np.cos(t)])
    turn /= np.linalg.norm(turn)
    if kind == "Spherical":
        return turn
    if kind == "Free":
        return np.concatenate([[0.3 * t, np.sin(t), 0.1 * t**3], turn])
    return np.array([0.3 * t, np.sin(t), 0.5 * t**2])


def pose(kind, q):
    """The pose that coordinates stand for, 4 × 4."""
    out = np.eye(4)
    if kind == "Planar":
        out[:3, :3] = Rotation.from_rotvec([0, 0, q[2]]).as_matrix()
        out[:2, 3] = q[:2]
        return out
    out[:3, :3] = Rotation.from_quat(q[-4:]).as_matrix()
    out[:3, 3] = q[:3] if kind == "Free" else 0.0
    return out


def twist(kind, v):
    """A twist in the child's frame as a 4 × 4 matrix."""
    zero = np.zeros(3)
    linear, w = {"Planar": ([*v[:2], 0], [0, 0, v[-1]]), "Spherical": (zero, v), "Free": (v[:3], v[3:])}[kind]
    out = np.zeros((4, 4))
    out[:3, :3] = np.cross(np.eye(3), w)
    out[:3, 3] = linear
    return out


def recorded(sim, until=0.5):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        return sim.run(until, progress=False)


@pytest.mark.parametrize("kind", KINDS)
def test_coordinates_as_text(kind):
    """Velocities are those of the poses, accelerations their rates, and torques what Newton–Euler asks for."""
    joint, texts = KINDS[kind]
    linkage = tail(joint)
    nq, nv = linkage.joints["base"].nq, linkage.joints["base"].nv
    sim = lw.Simulation(linkage, dt=1e-3)
    sim.drive("base", texts)
    assert sim._engine.stepper.compiled
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recording = sim.run(0.5, progress=False)
    h = 1e-4
    for k in (7, 321, 500):
        t, q, v, a = recording.t[k], recording.q[k], recording.v[k], recording.a[k]
        np.testing.assert_allclose(q[:nq], coordinates(kind, t), atol=1e-15)
        before, after = (pose(kind, coordinates(kind, t + s)) for s in (-h, h))
        rate = np.linalg.solve(pose(kind, q[:nq]), (after - before) / (2 * h))  # X⁻¹ Ẋ
        np.testing.assert_allclose(rate, twist(kind, v[:nv]), atol=1e-7)
        np.testing.assert_allclose(lw.inverse_dynamics(linkage, q, v, a), recording.tau[k], atol=1e-9)
        assert recording.tau[k, -1] == 0.0
    rates = (recording.v[2:, :nv] - recording.v[:-2, :nv]) / 2e-3
    np.testing.assert_allclose(rates, recording.a[1:-1, :nv], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_steady_velocity_is_a_screw(kind):
    linkage = tail(KINDS[kind][0])
    nq, nv = linkage.joints["base"].nq, linkage.joints["base"].nv
    rng = np.random.default_rng(2)
    q = linkage.random(rng)
    sim, v = lw.Simulation(linkage, q, dt=1e-3), rng.normal(size=nv)
    recorded(sim, 0.1)
    start = sim.q.copy()
    sim.drive("base", v.tolist())
    recording = recorded(sim)
    expected = pose(kind, start[:nq]) @ expm((recording.t[-1] - 0.1) * twist(kind, v))
    np.testing.assert_allclose(pose(kind, recording.q[-1, :nq]), expected, atol=1e-12)
    np.testing.assert_array_equal(recording.v[-1, :nv], v)
    np.testing.assert_array_equal(recording.a[-1, :nv], 0.0)


@numba.cfunc(types.void(types.float64, POINTER))
def rolling(t, out):
    """A turn about x by t² and back, of a Spherical joint."""
    out[0], out[1], out[2], out[3] = np.sin(0.5 * t * t), 0.0, 0.0, np.cos(0.5 * t * t)
    for k in range(4, 10):
        out[k] = 0.0
    out[4], out[7] = 2.0 * t, 2.0


def test_functions_and_tables_do_the_same():
    def function(t):
        return (np.sin(0.5 * t * t), 0.0, 0.0, np.cos(0.5 * t * t)), (2.0 * t, 0.0, 0.0), (2.0, 0.0, 0.0)

    def alone(t):
        return np.array(function(t)[0])

    times = np.linspace(0.0, 0.6, 121)
    texts = ["sin(0.5*t**2)", "0", "0", "cos(0.5*t**2)"]
    table = (times, np.array([alone(t) for t in times]))
    found = {}
    for name, motion in {"text": texts, "cfunc": rolling, "function": function, "q": alone, "table": table}.items():
        sim = lw.Simulation(tail(lw.Spherical()), dt=1e-3)
        sim.drive("base", motion)
        assert sim._engine.stepper.compiled
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found[name] = sim.run(0.25, progress=False)
            sim.run(0.5, progress=False)
        told = [str(each.message) for each in caught if "steps are slow" in str(each.message)]
        assert len(told) == (name in ("function", "q"))  # once
    for name, tolerance in {"cfunc": 1e-14, "function": 1e-14, "q": 1e-8, "table": 1e-6}.items():
        for what in ("q", "v", "a", "tau"):
            expected = getattr(found["text"], what)
            np.testing.assert_allclose(
                getattr(found[name], what), expected, atol=tolerance * 30, err_msg=f"{name} {what}"
            )


def test_a_planar_joint_by_polynomials():
    sims = [lw.Simulation(tail(lw.Planar("z")), dt=1e-3) for _ in range(2)]
    sims[0].drive("base", [Polynomial([0, 0.3]), "sin(t)", Polynomial([0, 0, 0.5])])
    sims[1].drive("base", KINDS["Planar"][1])
    a, b = (recorded(sim) for sim in sims)
    np.testing.assert_allclose(a.q, b.q, atol=1e-14)


def wagging():
    """A ball joint that is driven, and a rod between its body and a slider: a closed linkage."""
    linkage = lw.Linkage(name="wagging")
    linkage.add_body("ball", lw.Inertia.box((0.2, 0.2, 0.2), mass=1.0), joint=lw.Spherical())
    linkage.add_body("cart", lw.Inertia.box((0.1, 0.1, 0.1), mass=0.5), joint=lw.Prismatic("x"), at=lw.Pose((1, 0, 0)))
    linkage.add_body("link", lw.Inertia.box((0.8, 0.1, 0.1), mass=0.3), joint=lw.Spherical(), parent="cart")
    linkage.connect("ball", "link", lw.Spherical(), at_a=lw.Pose((0.2, 0, 0)), at_b=lw.Pose((-0.8, 0, 0)), name="pin")
    return linkage, lw.close_loops(linkage, linkage.neutral())


def test_beside_a_loop():
    """Compiled steps against Python's, which find the torques by dense matrices."""
    texts = ["0.2*sin(t)**2", "0.3*t**2", "0", "1"]
    found = []
    for method in ("auto", "crba"):
        linkage, q = wagging()
        sim = lw.Simulation(linkage, q, dt=2e-3, method=method)
        sim.drive("ball", texts)
        assert sim._engine.stepper.compiled == (method == "auto")
        found.append(recorded(sim, 0.2))
    fast, slow = found
    for name, tolerance in {"q": 1e-9, "v": 1e-8, "a": 1e-5, "tau": 1e-5}.items():
        np.testing.assert_allclose(getattr(fast, name), getattr(slow, name), atol=tolerance, err_msg=name)
    t = fast.t[-1]
    turn = np.array([0.2 * np.sin(t) ** 2, 0.3 * t**2, 0.0, 1.0])
    np.testing.assert_allclose(fast.q[-1, :4], turn / np.linalg.norm(turn), atol=1e-12)
    assert lw.solve(linkage, fast.q[-1], fast.v[-1], fast.tau[-1]).residual < 1e-9


def test_scenes_and_resume_to_the_bit(tmp_path):
    linkage = tail(lw.Spherical())
    linkage.save(tmp_path / "tail.yaml")
    text = (
        "linkwork: 1\nlinkage: tail.yaml\nparameters: {rate: 0.5}\n"
        'drives: {base: ["0.2*rate*sin(t)", 0, 0.3*t, 2]}\nsimulation: {until: 0.4, dt: 1e-3}\n'
    )
    (tmp_path / "scene.yaml").write_text(text)
    scene = lw.load_scene(tmp_path / "scene.yaml")
    sim = scene.simulation()
    assert sim._engine.stepper.compiled
    whole = recorded(sim, 0.4)
    turn = np.array([0.1 * np.sin(0.4), 0.0, 0.12, 2.0])
    np.testing.assert_allclose(whole.q[-1, :4], turn / np.linalg.norm(turn), atol=1e-14)
    sims = [lw.Simulation(linkage, dt=1e-3, record=tmp_path / f"{k}.h5") for k in range(2)]
    for each in sims:
        each.drive("base", [0.3, -0.2, 0.5])
    expected = recorded(sims[0], 0.4)
    recorded(sims[1], 0.173)
    again = lw.Simulation.resume(tmp_path / "1.h5")
    again.drive("base", [0.3, -0.2, 0.5])
    resumed = recorded(again, 0.4)
    for name in ("t", "q", "v", "a", "tau"):
        np.testing.assert_array_equal(getattr(resumed, name), getattr(expected, name))


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        ("sin(t)", "must be a function of t"),
        ([1.0, 2.0], "3 finite numbers"),
        ([0.0, np.nan, 0.0], "3 finite numbers"),
        (["0", 0.0, "0", "1"], "not"),
        (["0", "0", "0", "0"], "length"),
        (["t", "0", "0", "1", "0"], "4 motions of its coordinates"),
        (lambda t: (1.0, 0.0), "gave"),
        (lambda t: ((0, 0, 0, 2.0), (0, 0, 0), (0, 0, 0)), "length"),
    ],
)
def test_motions_that_cannot_be_are_refused(motion, message):
    sim = lw.Simulation(tail(lw.Spherical()), dt=1e-3)
    with pytest.raises(lw.ArgumentError, match=message):
        sim.drive("base", motion)


def test_a_motion_without_a_value_ends_the_run():
    sim = lw.Simulation(tail(lw.Spherical()), dt=1e-3)
    sim.drive("base", ["0", "0", "0", "sqrt(0.1 - t)"])
    with pytest.raises(lw.ArgumentError, match="drive of joint 'base' gave"):
        sim.run(0.5, progress=False)
    assert sim.t == pytest.approx(0.1, abs=2e-3)

    def failing(t):
        fine = (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        return fine if t < 0.05 else (fine[0], (0.0, 0.0, np.nan), fine[2])

    sim = lw.Simulation(tail(lw.Spherical()), dt=1e-3)
    sim.drive("base", failing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(lw.ArgumentError, match="drive of joint 'base' gave"):
            sim.run(0.5, progress=False)


@numba.cfunc(types.float64(types.float64))
def number(t):
    return t


def test_a_compiled_function_must_write_all():
    sim = lw.Simulation(tail(lw.Spherical()), dt=1e-3)
    with pytest.raises(lw.ArgumentError, match="coordinates, velocities and accelerations"):
        sim.drive("base", number)
