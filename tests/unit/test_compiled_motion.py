"""What acts in compiled steps: against Python's evaluation, the balance of energy and dense methods."""

import math
import warnings

import numba
import numpy as np
import pytest
from numba import types
from scipy.integrate import simpson
from scipy.interpolate import CubicSpline

import linkwork as lw
from linkwork.kernels.launch import call
from linkwork.kernels.layout.acting import COS, OF_COORDINATE, OF_VELOCITY, SIN, TORQUE, WHAT
from linkwork.linkage.expressions import Expression
from linkwork.linkage.programs import Programs, UnwritableError

POINTER = types.CPointer(types.float64)
STATE = types.void(types.float64, POINTER, POINTER, POINTER)
TEXTS = (
    "2*sin(3*t) + q[a]*v[b]", "t**2 - 3*t**0.5 + 1/(1 + t)", "(1 if t < 0.5 else 2*t) + (t > 0.2 and t < 0.9)",
    "min(t, 0.3, q[a]) + max(v[b], t)", "atan2(t, 2) + hypot(t, 3, 1) + abs(t - 1) + floor(5*t) + sign(t - 0.5)",
    "exp(-t)*tanh(t)*log(t + 2) + sqrt(t + 1)*asin(t/4) + acos(t/4)*atan(t) + sinh(t) - cosh(t)*tan(t)",
    "0.1 < t < 0.6", "not t > 0.5", "t > 2 or t", "rate**t", "-t**2 + 7.5*t % 2 - pi*deg",
    "q[a]*(t*t - v[b])*rate + q[a] - (v[b]*exp(t) - q[a]) - rate*(2 - t)*v[b] + (1 + t*q[a])*t",
)  # fmt: skip


def value(programs, start, t, q=(), v=()):
    code, numbers, stack = programs.arrays()
    found = call(("motion.expressions", "evaluate"), code, numbers, start, t, 1.0, np.array(q), np.array(v), stack)
    return stack[:3].copy() if found else None


@pytest.mark.nojit
@pytest.mark.parametrize("text", TEXTS)
def test_a_program_has_the_value_of_its_expression_and_its_derivatives(text):
    expression, programs, h = Expression(text, ["t", "rate"], state=True), Programs(), 1e-5
    start = programs.expression(expression, {"rate": 0.7}, [(kind, 0) for kind, _, _ in expression.states])

    def python(t):
        return float(
            expression({"t": t, "rate": 0.7}, [0.37 if kind == "q" else -0.6 for kind, _, _ in expression.states])
        )

    for t in (0.0312, 0.211, 0.4567, 0.77, 0.934):
        x, rate, second = value(programs, start, t, [0.37], [-0.6])
        assert x == pytest.approx(python(t), rel=1e-15, abs=1e-15)
        assert rate == pytest.approx((python(t + h) - python(t - h)) / (2 * h), rel=1e-6, abs=1e-8)
        assert second == pytest.approx((python(t + h) + python(t - h) - 2 * python(t)) / h**2, rel=1e-3, abs=1e-4)


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("rate*(sin(3*t) - q[a]) - 2*v[b] + 1", [OF_COORDINATE, OF_VELOCITY, TORQUE]),
        ("-(q[a] - v[b])/rate + 3*q[a] - q[a]*v[b]*2", [OF_COORDINATE, OF_VELOCITY, TORQUE]),
        ("cos(t)*v[b] - (2 + t)*4 - v[b] + q[a]**2", [OF_VELOCITY, TORQUE, TORQUE]),
        ("q[a]*v[b] + sin(t)", [TORQUE]),
        ("2*t**2 - 1", [TORQUE]),
        ("v[b] + 5", [OF_VELOCITY, TORQUE]),
        ("1e200*(1e200*q[a]) + 1", [TORQUE]),  # the coefficient would be infinite
    ],
)
def test_a_torque_taken_apart_is_the_torque_that_was_written(text, kinds):
    expression, programs, q, v = Expression(text, ["t", "rate"], state=True), Programs(), [0.0], [-0.6]
    places = [(kind, 0) for kind, _, _ in expression.states]
    acts = np.array(programs.torque(1, expression, {"rate": 0.7}, places))
    assert sorted(acts[:, WHAT]) == sorted(kinds)
    code, numbers, stack = programs.arrays()
    for t, x in ((0.3, 0.37), (0.3, -1.2), (0.8, -1.2), (0.3, 0.37)):
        q = [x if "1e200" not in text else 1e-160]
        states, applied = [(q if kind == "q" else v)[0] for kind, _, _ in expression.states], np.array([0.0, 2.0])
        state = np.array(q), np.array(v)
        assert call(("motion.expressions", "add_torques"), code, numbers, acts, t, *state, stack, applied) == -1
        wanted = expression({"t": t, "rate": 0.7}, states)
        np.testing.assert_allclose(applied, [0.0, 2.0 + wanted], rtol=1e-14, atol=1e-14)


@pytest.mark.nojit
def test_what_depends_on_time_alone_is_found_once_for_each_time():
    programs = Programs()
    expression = Expression("sin(t) - q[a]", ["t"], state=True)
    acts = np.array(programs.torque(0, expression, {}, [("q", 0)]))
    code, numbers, stack = programs.arrays()

    def torque(t):
        applied = np.zeros(1)
        state = np.zeros(1), np.zeros(1)
        assert call(("motion.expressions", "add_torques"), code, numbers, acts, t, *state, stack, applied) == -1
        return applied[0]

    assert torque(0.5) == math.sin(0.5)
    code[code == SIN] = COS  # another program: it is run for other times alone
    assert torque(0.5) == math.sin(0.5)
    assert torque(0.25) == math.cos(0.25)


@pytest.mark.nojit
@pytest.mark.parametrize("text", ["1/t", "log(t)", "sqrt(t - 1)", "t**-1", "(t - 1)**0.5", "asin(t + 2)", "1 % t"])
def test_what_has_no_value_in_python_has_none_in_a_program(text):
    programs, expression = Programs(), Expression(text, ["t"])
    with pytest.raises(lw.ArgumentError):
        expression({"t": 0.0})
    assert value(programs, programs.expression(expression, {}), 0.0) is None
    with pytest.raises(UnwritableError):
        programs.expression(Expression("log(8, t)", ["t"]), {})


@pytest.mark.nojit
def test_polynomials_and_tables_with_their_derivatives():
    programs, times = Programs(), np.linspace(0.0, 2.0, 9)
    spline = CubicSpline(times, np.sin(times))
    table, polynomial = programs.table(spline.x, spline.c), programs.polynomial([1.0, 2.0, 3.0], 0.5)
    for t in (0.0, 0.3, 1.99, 2.0):
        np.testing.assert_allclose(value(programs, table, t), [spline(t), spline(t, 1), spline(t, 2)], atol=1e-14)
        u = t - 0.5
        np.testing.assert_allclose(value(programs, polynomial, t), [1 + 2 * u + 3 * u * u, 2 + 6 * u, 6.0], atol=1e-14)
    assert value(programs, table, 2.1) is None


def compiled_motion(t):
    return 0.5 * math.sin(t) ** 2


@numba.cfunc(types.void(types.float64, POINTER))
def compiled_jet(t, out):
    out[0], out[1], out[2] = 0.5 * math.sin(t) ** 2, math.sin(t) * math.cos(t), math.cos(2.0 * t)


def drives():
    times = np.linspace(0.0, 0.6, 241)
    return {
        "text": "0.5*sin(t)**2",
        "table": (times, 0.5 * np.sin(times) ** 2),
        "polynomial": np.polynomial.Polynomial([0, 0, 0.5, 0, -1 / 6, 0, 1 / 45, 0, -1 / 630, 0, 1 / 14175]),
        "compiled": compiled_jet,
        "compiled q": numba.cfunc(types.float64(types.float64))(compiled_motion),
        "python": lambda t: (0.5 * np.sin(t) ** 2, np.sin(t) * np.cos(t), np.cos(2 * t)),
    }


@pytest.mark.parametrize("name", drives())
def test_a_driven_four_bar_takes_the_work_that_its_energy_gains(name):
    sim = lw.Simulation(lw.samples.four_bar(), dt=1e-3)
    sim.drive("crank", drives()[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        recording = sim.run(0.5, progress=False)
    assert sim._engine.stepper.compiled
    part = recording.segments[-1]
    np.testing.assert_allclose(part.q[:, 0], 0.5 * np.sin(part.t) ** 2, atol=2e-9)
    assert part.drift[:, 0].max() < 1e-9
    part = part.of(part.rows[1:])  # the first state is that before the drive
    work = simpson(part.tau[:, 0] * part.v[:, 0], x=part.t)
    assert part.energy[-1] - part.energy[0] == pytest.approx(work, abs=1e-9)
    np.testing.assert_array_equal(part.tau[:, 1:], 0.0)


def test_a_constant_speed_starts_where_the_joint_is(tmp_path):
    def begin(**options):
        sim = lw.Simulation(lw.samples.four_bar(), dt=1e-3, **options)
        sim.at(0.01, lambda sim: sim.drive("crank", 2.0))
        return sim

    whole = begin().run(0.1, progress=False)
    part = whole.segments[-1]
    moving = part.t > 0.0101
    np.testing.assert_allclose(part.v[moving, 0], 2.0, atol=1e-12)
    begin(record=tmp_path / "run.h5").run(0.05, progress=False)
    resumed = lw.Simulation.resume(tmp_path / "run.h5")
    resumed.drive("crank", 2.0)
    np.testing.assert_array_equal(resumed.run(0.1, progress=False).q[-1], whole.q[-1])


def test_a_resumed_run_with_text_drives_goes_on_to_the_bit(tmp_path):
    def begin(sim):
        sim.drive("left", "0.25*(1 - cos(pi*t))")
        sim.drive("left_arm", "0.4*sin(pi*t)**2")
        return sim

    whole = begin(lw.Simulation(lw.samples.five_bar(), dt=1e-3)).run(0.1, progress=False)
    begin(lw.Simulation(lw.samples.five_bar(), dt=1e-3, record=tmp_path / "run.h5")).run(0.05, progress=False)
    resumed = begin(lw.Simulation.resume(tmp_path / "run.h5")).run(0.1, progress=False)
    np.testing.assert_array_equal(resumed.segments[-1].rows[-40:, 1:], whole.segments[-1].rows[-40:, 1:])


def test_drives_that_cannot_be_are_told_with_the_joint_and_the_time():
    sim = lw.Simulation(lw.samples.four_bar(), dt=1e-3)
    table = [0.0, 0.0], [1.0, 2.0]
    wrong = ("0.1*x", "variable"), ([1.0, 2.0], "give 1, one per"), (np.inf, "finite"), (table, "table"), ({}, "crank")
    for motion, match in wrong:
        with pytest.raises(lw.ArgumentError, match=match):
            sim.drive("crank", motion)
    sim.drive("crank", "0.1 - sqrt(0.01 - t*t)")
    with pytest.raises(lw.ArgumentError, match=r"'crank'.*has no value.* at t = 0\.1"):
        sim.run(0.2, progress=False)
    assert sim.recording.t[-1] == pytest.approx(0.099)


def test_a_python_drive_is_said_to_be_slow_once():
    sim = lw.Simulation(lw.samples.four_bar(), dt=1e-3)
    sim.drive("crank", lambda t: (0.0, 0.0, 0.0))
    with pytest.warns(lw.LinkworkWarning, match=r"slow: the drive of 'crank' is a Python function.* ms per step"):
        sim.run(0.002, progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.run(0.004, progress=False)
        text = lw.Simulation(lw.samples.four_bar(), dt=1e-3)
        text.drive("crank", "0*t")
        text.run(0.002, progress=False)


# Functions by address


@numba.cfunc(STATE)
def spring(t, q, v, out):
    for k in range(2):
        out[k] = -3.0 * q[k] - 0.1 * v[k] + math.sin(t)


@numba.cfunc(types.float64(types.float64, POINTER, POINTER))
def height(t, q, v):
    return q[0] - 0.395


def chain(**options):
    return lw.Simulation(lw.samples.chain(2), [0.4, 0.0], dt=1e-3, **options)


def test_a_compiled_function_is_as_good_as_one_of_python():
    python = chain(torques=lambda t, q, v: -3.0 * q - 0.1 * v + np.sin(t)).run(0.1, progress=False)
    np.testing.assert_allclose(chain(torques=spring).run(0.1, progress=False).q, python.q, atol=1e-14)
    held = chain(controller=lambda sim: -3.0 * sim.q - 0.1 * sim.v + np.sin(sim.t), control_every=3)
    compiled = chain(controller=spring, control_every=3)
    np.testing.assert_allclose(compiled.run(0.1, progress=False).q, held.run(0.1, progress=False).q, atol=1e-14)
    np.testing.assert_allclose(compiled.recording.tau, held.recording.tau, atol=1e-13)
    times = []
    for condition in (height, lambda t, q, v: q[0] - 0.395):
        sim = chain()
        sim.when(condition, lambda sim: sim.stop())
        sim.run(0.1, progress=False)
        times.append(sim.t)
    assert times[0] == times[1] > 0.0
    with pytest.raises(lw.ArgumentError, match=r"torques.*'height'.*void\(float64"):
        chain(torques=height)


@numba.cfunc(types.float64(types.float64, POINTER, POINTER))
def upright(t, q, v):
    return q[0]


CONDITIONS = {
    "compiled": upright,
    "of the state": lambda t, q, v: q[0],
    "of the simulation": lambda sim: sim.q[0],
    "truth": lambda sim: bool(sim.q[0] > 0.0),
}


@pytest.mark.parametrize("direction", [-1, 0, 1])
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_are_looked_at_by_compiled_steps(name, direction, monkeypatch):
    """In a few compiled calls; the instants are those that Python finds, which looks after every step."""
    found, marches = [], []
    for by_steps in (True, False):
        sim, times, calls = chain(), [], []
        sim.when(CONDITIONS[name], lambda sim, times=times: times.append(sim.t), direction=direction)
        stepper = sim._engine.stepper
        if not by_steps:
            stepper.looks = False
        many = stepper.many
        monkeypatch.setattr(stepper, "many", lambda *given, calls=calls, many=many: calls.append(0) or many(*given))
        recording = sim.run(3.0, progress=False)
        found.append((times, recording.t, recording.q))
        marches.append(len(calls))
    assert len(found[0][0]) >= 1
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    assert marches[0] < 30 + 4 * len(found[0][0]) < marches[1]


def test_conditions_that_fail_do_so_at_their_step():
    def broken(t, q, v):
        if t > 0.0425:
            raise ZeroDivisionError
        return 1.0

    sim = chain()
    sim.when(broken, lambda: None)
    with pytest.raises(ZeroDivisionError):
        sim.run(0.1, progress=False)
    assert sim.t == pytest.approx(0.042, abs=1e-12)
    np.testing.assert_array_equal(sim.recording.q[:42], chain().run(0.1, progress=False).q[:42])

    def interrupted(sim):
        if sim.t > 0.0425:
            raise KeyboardInterrupt
        return 1.0

    sim = chain()
    sim.when(interrupted, lambda: None)
    with pytest.raises(KeyboardInterrupt):
        sim.run(0.1, progress=False)
    assert sim.t == pytest.approx(0.042, abs=1e-12)


def test_a_pd_controller_of_compiled_steps_is_that_of_python(tmp_path):
    targets = np.linspace([0.0, 0.0], [0.3, -0.2], 20)
    pd = lw.PD([5.0, 4.0], 0.3, targets, np.full(2, 0.1))
    python = chain(controller=lambda sim: pd(sim), control_every=2).run(0.0605, progress=False)
    sim = chain(controller=pd, control_every=2, record=tmp_path / "run.h5")
    sim.run(0.0305, progress=False)
    del sim
    resumed = lw.Simulation.resume(tmp_path / "run.h5", controller=pd).run(0.0605, progress=False)
    np.testing.assert_allclose(resumed.q[-1], python.q[-1], atol=1e-14)
    whole = chain(controller=pd, control_every=2)
    whole.when(
        lambda sim: sim.q[0] - 0.399, lambda sim: None, every=0.01
    )  # steps are taken back, and torques with them
    np.testing.assert_allclose(whole.run(0.0605, progress=False).q[-1], python.q[-1], atol=1e-12)


SCENE = """
linkwork: 1
bodies:
- {name: crank, joint: {type: Revolute, axis: y}, inertia: {shape: rod, length: 0.4, axis: x, mass: 0.4}}
- name: rod
  parent: crank
  at: {position: [0.4, 0, 0]}
  joint: {type: Universal, a: y, b: z}
  inertia: {shape: box, size: [0.4, 0.1, 0.1], mass: 1}
parameters: {gain: 2}
start: {q: {crank: 0.3}}
torques: {crank: "gain*sin(3*t) - 0.2*v[crank] if q[crank] < 1 else 0", rod: [0.1*t, "-gain*q[rod][1]"]}
wrenches:
- {body: rod, force: [cos(t), 0, "2 - q[crank]"], torque: [0, 0.1*t, 0], point: [0.2, 0.1, 0]}
simulation: {until: 0.2, dt: 1e-3}
"""


def test_torques_and_wrenches_as_text_are_those_of_python(tmp_path):
    (tmp_path / "scene.yaml").write_text(SCENE)
    scene = lw.load_scene(tmp_path / "scene.yaml")
    sim = scene.simulation()
    recording = sim.run(0.2, progress=False)

    def torques(t, q, v):
        return np.array([2 * np.sin(3 * t) - 0.2 * v[0], 0.1 * t, -2 * q[2]])

    def wrenches(t, q, v):
        force = np.array([np.cos(t), 0.0, 2.0 - q[0]])
        lever = lw.body_poses(scene.linkage, q).rotations[1] @ [0.2, 0.1, 0.0]
        return np.array([np.zeros(6), [*force, *(np.array([0.0, 0.1 * t, 0.0]) + np.cross(lever, force))]])

    python = lw.Simulation(scene.linkage.copy(), scene.q, dt=1e-3, torques=torques, wrenches=wrenches)
    expected = python.run(0.2, progress=False)
    for name in ("q", "v", "a", "tau", "f_ext"):
        np.testing.assert_allclose(
            getattr(recording.segments[0], name), getattr(expected.segments[0], name), atol=1e-11
        )


# Bodies without inertia that loops carry


def slider_crank(slider, rod=None):
    linkage, none = lw.Linkage(), lw.Inertia(0.0, (0, 0, 0), np.zeros((3, 3)))
    bar = lw.Inertia.rod(1.0, mass=1.0, axis="x", com=(0.5, 0, 0))
    linkage.add_body("crank", bar, joint=lw.Revolute("y", damping=0.0))
    linkage.add_body("rod", none if rod else bar, joint=lw.Revolute("y"), parent="crank", at=lw.Pose((0.3, 0, 0)))
    linkage.add_body("slider", slider, joint=lw.Revolute("y"), parent="rod", at=lw.Pose((1.0, 0, 0)))
    linkage.connect("ground", "slider", lw.Prismatic("x"), name="guide")
    return linkage, lw.close_loops(linkage, [0.7, -0.9, 0.2])


@pytest.mark.parametrize("massless_rod", [False, True])
def test_a_slider_that_is_a_point_mass_stays_in_compiled_steps(massless_rod):
    rng = np.random.default_rng(3)
    linkage, q = slider_crank(lw.Inertia(2.0, (0, 0, 0), np.zeros((3, 3))), massless_rod)
    v, tau = lw.consistent_velocity(linkage, q, rng.normal(size=3)), rng.normal(size=linkage.nv + linkage.nv_loop)
    found, dense = (lw.solve(linkage, q, v, tau, method=method) for method in ("aba", "crba"))
    np.testing.assert_allclose(found.a, dense.a, rtol=1e-11)
    np.testing.assert_allclose(found.loop_wrenches, dense.loop_wrenches, atol=1e-11 * np.abs(dense.loop_wrenches).max())
    assert found.rank == dense.rank
    sim = lw.Simulation(linkage, q, v, dt=1e-3)
    recording = sim.run(0.3, progress=False)
    assert sim._engine.stepper.compiled
    assert np.ptp(recording.energy) < 1e-8 * np.abs(recording.segments[0].kinetic).max()
    sim.drive("crank", 1.0)
    sim.run(0.4, progress=False)
    assert sim._engine.stepper.compiled
    assert sim.v[0] == pytest.approx(1.0, abs=1e-12)


def test_an_axis_that_nothing_moves_is_told():
    linkage, _ = slider_crank(lw.Inertia.box((0.1, 0.1, 0.1), mass=1.0))
    linkage.add_body("idle", lw.Inertia(0.0, (0, 0, 0), np.zeros((3, 3))), joint=lw.Revolute("x"), parent="slider")
    with pytest.raises(lw.SingularError, match="zero effective inertia"):
        lw.forward_dynamics(linkage, np.zeros(4), np.zeros(4))


def test_a_state_that_is_set_is_brought_onto_couplings():
    linkage = lw.samples.chain(2)
    linkage.couplings.append(lw.Coupling("link1", "link0", -1.0))
    sim = lw.Simulation(linkage, dt=1e-3)
    sim.q = [0.3, 0.1]
    assert sim.q[1] == pytest.approx(-sim.q[0], abs=1e-12)
    sim.v = [0.5, 0.2]
    assert sim.v[1] == pytest.approx(-sim.v[0], abs=1e-12)


def motored(**how):
    """Two hinges with motors that are too weak and too slow for what is asked of them, and a spring joint free."""
    linkage = lw.samples.chain(3)
    linkage.add_force(lw.Motor("link0", effort=6.0, speed=1.0, gear=10.0, inertia=1e-3))
    linkage.add_force(lw.Motor("link1", effort=2.0))
    return lw.Simulation(linkage, [0.5, 0.4, 0.1], [0.2, -0.3, 0.1], dt=1e-3, **how)


def by_python(function):
    return lambda *given: function(*given)


LAWS = {
    "PD": lw.PD([60.0, 40.0, 5.0], 3.0, [0.3, -0.2, 0.1]),
    "feedback": lw.LinearFeedback(
        np.hstack([30.0 * np.eye(3) + 1.0, 2.0 * np.eye(3)]),
        np.linspace([0.3, 0.0, 0.0], [0.1, 0.2, 0.1], 30),
        tau=np.linspace([0.0, 0.0, 0.0], [9.0, -4.0, 1.0], 200),
    ),
}


@pytest.mark.parametrize("law", LAWS)
def test_motors_limit_feedback_in_compiled_steps_as_in_python(law):
    """By compiled code; by a function of Python's in compiled steps; by steps of Python's."""
    found = [
        motored(**how).run(0.3, progress=False)
        for how in (
            {"controller": LAWS[law]},
            {"controller": by_python(LAWS[law])},
            {"controller": LAWS[law], "method": "crba"},
        )
    ]
    assert np.abs(found[0].tau[:, 0]).max() == 6.0
    for other in found[1:]:
        np.testing.assert_allclose(found[0].q, other.q, atol=1e-12)
        np.testing.assert_allclose(found[0].tau, other.tau, atol=1e-9)


@numba.cfunc(STATE)
def pulls(t, q, v, out):
    out[0], out[1], out[2] = 8.0 * np.sin(5.0 * t), -3.0 * v[1], 0.1


@pytest.mark.parametrize("held", [None, "PD"])
def test_motors_limit_torques_at_every_stage_beside_those_that_are_held(held):
    def function(t, q, v):
        return np.array([8.0 * np.sin(5.0 * t), -3.0 * v[1], 0.1])

    how = {"controller": LAWS.get(held)}
    found = [motored(torques=torques, **how).run(0.3, progress=False) for torques in (pulls, function)]
    found.append(motored(torques=pulls, method="crba", **how).run(0.3, progress=False))
    assert np.abs(found[0].tau[:, 0]).max() == 6.0
    for other in found[1:]:
        np.testing.assert_allclose(found[0].q, other.q, atol=1e-12)
        np.testing.assert_allclose(found[0].tau, other.tau, atol=1e-9)


def test_motors_limit_a_compiled_controller_of_a_closed_linkage():
    def run(controller):
        linkage = lw.samples.four_bar()
        linkage.add_force(lw.Motor("crank", effort=0.5, speed=3.0))
        return lw.Simulation(linkage, dt=1e-3, controller=controller).run(0.5, progress=False)

    def function(sim):
        return np.array([8.0 * np.sin(5.0 * sim.t), -3.0 * sim.v[1], 0.1])

    found, other = run(pulls), run(function)
    assert np.abs(found.tau[:, 0]).max() == 0.5
    np.testing.assert_allclose(found.q, other.q, atol=1e-12)


def test_changed_gains_and_targets_count_from_the_next_run_or_action_on():
    def moved(change):
        pd = lw.PD(5.0, 1.0, np.zeros(2))
        sim = chain(controller=pd)
        sim.at(0.02, lambda: change(sim, pd))
        sim.run(0.05, progress=False)
        change(sim, pd, back=True)
        return sim.run(0.08, progress=False)

    def another(sim, pd, back=False):
        sim.controller = lw.PD(5.0, 1.0, np.full(2, 0.0 if back else 0.4))

    def other_array(sim, pd, back=False):
        pd.q = np.full(2, 0.0 if back else 0.4)

    def in_place(sim, pd, back=False):
        pd.q[:] = 0.0 if back else 0.4

    found = [moved(change) for change in (another, other_array, in_place)]
    assert abs(found[0].q[-1] - chain(controller=lw.PD(5.0, 1.0, np.zeros(2))).run(0.08).q[-1]).max() > 1e-4
    for other in found[1:]:
        np.testing.assert_array_equal(found[0].q, other.q)


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("linkage", [lw.samples.four_bar(), lw.samples.chain(2)])
def test_a_drive_that_jumps_is_told_where(linkage, text):
    name, start = linkage.joints.names[0], float(linkage.neutral()[0])
    sim = lw.Simulation(linkage.copy(), dt=1e-3)

    def function(t):
        return (start if t < 0.0205 else start + 0.6), 0.0, 0.0

    sim.drive(name, f"{start!r} + (0 if t < 0.0205 else 0.6)" if text else function)
    with pytest.raises(lw.ArgumentError, match=rf"drive of joint '{name}' jumps at t = 0.021 s, by 0.6"):
        sim.run(0.1, progress=False)
    assert sim.t == pytest.approx(0.02)


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit", "implicit-midpoint"])
def test_kinks_and_coarse_steps_are_no_jumps(integrator):
    for motion in ("min(t, 0.05)", "0.3*sin(25*t)", (np.arange(6) * 0.1, np.array([0.0, 1.0, -1.0, 1.0, -1.0, 0.0]))):
        sim = lw.Simulation(lw.samples.chain(2), dt=0.01, integrator=integrator)
        sim.drive("link0", motion)
        sim.run(0.5, progress=False)


@pytest.mark.parametrize(
    ("motion", "said"),
    [
        ("exp(1e6*t) - 1", "drive of joint 'link0', 'exp.*has a rate of"),
        ("sqrt(0.01 - t) - 0.1", "no value or no derivatives at t = 0.01 s"),
        (([0.0, 0.005, 0.01], [0.0, 0.0, 0.0]), "a table of times 0 … 0.01 s, has no value"),
        (np.polynomial.Polynomial([0.0, 1.0j]), "coefficient of the drive of joint 'link0' must be a real number"),
        (np.polynomial.Polynomial([0.0, np.nan]), "coefficient of the drive of joint 'link0' must be finite"),
        (lambda t, q: 0.0, r"the drive of joint 'link0', <lambda> must take 1 argument\(s\), not \(t, q\)"),
    ],
)
def test_a_bad_drive_is_told_by_its_joint(motion, said):
    def run():
        sim = lw.Simulation(lw.samples.chain(2), dt=1e-3)
        sim.drive("link0", motion)
        sim.run(0.1, progress=False)

    with pytest.raises(lw.ArgumentError, match=said):
        run()


SINGLE = types.CPointer(types.float32)
F8 = types.float64


@pytest.mark.parametrize(
    ("role", "signature"),
    [
        ("torques", types.void(F8, POINTER, POINTER, SINGLE)),
        ("controller", types.void(POINTER, POINTER, POINTER, F8)),
        ("wrenches", types.void(types.int64, POINTER, POINTER, POINTER)),
        ("condition", types.float32(F8, POINTER, POINTER)),
        ("condition", types.boolean(F8, POINTER, POINTER)),
        ("drive", types.float32(F8)),
        ("drive", types.void(F8, SINGLE)),
    ],
)
def test_a_cfunc_of_other_numbers_is_refused(role, signature):
    count = len(signature.args)

    def one(t):
        return 0.0

    def two(t, out):
        pass

    def three(t, q, v):
        return 1.0

    def four(t, q, v, out):
        pass

    function = numba.cfunc(signature)((one, two, three, four)[count - 1])
    give = {
        "condition": lambda: chain().when(function, lambda: None),
        "drive": lambda: chain().drive("link0", function),
    }.get(role, lambda: chain(**{role: function}))
    with pytest.raises(lw.ArgumentError, match="must have the signature"):
        give()


def test_what_is_not_finite_is_told_by_its_role():
    @numba.cfunc(STATE)
    def lost(t, q, v, out):
        out[0] = np.nan

    with pytest.raises(lw.ArgumentError, match="what the controller, a compiled function, returned is not finite"):
        chain(controller=lost).run(0.1, progress=False)
    with pytest.raises(lw.ArgumentError, match="the controller's q has no rows"):
        chain(controller=lw.PD(1.0, 1.0, np.empty((0, 2))))
    with pytest.raises(lw.ArgumentError, match="thermostat must be a Langevin"):
        chain(thermostat=300.0)
