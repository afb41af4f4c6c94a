"""What must not go unnoticed: starts, names, callbacks and steps that are not what was meant."""

import json
import sys
import types
import warnings

import numpy as np
import pytest

import linkwork as lw

SCENE = """
linkwork: 1
parameters: {torque: 2}
bodies:
- name: bob
  joint: {type: Revolute, axis: y}
  inertia: {shape: point, mass: 1, com: [0, 0, -1]}
torques: {bob: "torque * cos(t)"}
events:
- {at: 0.05, gravity: [0, 0, -5]}
simulation: {until: 0.1, dt: 1e-2}
"""


def scene(folder, text=SCENE, **changes):
    path = folder / "bob.yaml"
    path.write_text(text)
    return lw.load_scene(path, changes={key.replace("__", "."): value for key, value in changes.items()})


def warned(run):
    """The messages of linkwork's warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run()
    return [str(each.message) for each in caught if issubclass(each.category, lw.LinkworkWarning)]


# State and start


def test_the_state_that_is_handed_out_cannot_be_written():
    sim = lw.Simulation(lw.samples.chain(2))
    for state in (sim.q, sim.v):
        with pytest.raises(ValueError, match="read-only"):
            state[0] = 1.0
    kept = sim.q
    sim.q = kept + 0.5
    np.testing.assert_array_equal(kept, 0.0)
    np.testing.assert_array_equal(sim.q, 0.5)


def test_a_loop_that_is_open_at_the_start_raises():
    q = [2.3, 0.2, 1.1]
    with pytest.raises(lw.StructureError, match=r"loop 'pin' is open by .* close=True"):
        lw.Simulation(lw.samples.four_bar(), q)
    linkage = lw.samples.four_bar()
    closed = lw.close_loops(linkage, q)
    np.testing.assert_allclose(lw.Simulation(linkage, q, close=True).q, closed, atol=1e-9)
    with pytest.raises(lw.StructureError, match="loop 'pin' comes apart"):
        lw.Simulation(linkage, closed, [1.0, 0.0, 0.0])
    lw.Simulation(linkage, closed, lw.consistent_velocity(linkage, closed, [1.0, 0.0, 0.0]))


def test_a_coupling_that_does_not_hold_at_the_start_raises_and_its_forces_are_recorded():
    linkage = lw.samples.chain(2)
    linkage.couplings.append(lw.Coupling("link1", "link0", -0.5))
    with pytest.raises(lw.StructureError, match=r"coupling of .* is open by"):
        lw.Simulation(linkage, [0.4, 0.4])
    sim = lw.Simulation(linkage, [0.4, -0.2], dt=1e-3)
    recording = sim.run(0.01, progress=False)
    np.testing.assert_allclose(
        recording.wrenches[-1], lw.solve(linkage, sim.q, sim.v).joint_wrenches, rtol=0, atol=1e-9
    )
    sim.q = [0.1, 0.1]
    assert sim.q[1] == pytest.approx(-0.5 * sim.q[0], abs=1e-9)


# Names


def test_attributes_that_there_are_not_raise():
    linkage = lw.samples.chain(2)
    with pytest.raises(AttributeError, match="'gravty'; did you mean 'gravity'"):
        linkage.gravty = (0, 0, 0)
    with pytest.raises(AttributeError, match="'torqes'; did you mean 'torques'"):
        lw.Simulation(linkage).torqes = None
    linkage.visuals = []

    class Mine(lw.Linkage):
        pass

    mine = Mine()
    mine.note = "allowed"
    assert mine.copy().note == "allowed"


def test_a_change_of_a_parameter_that_there_is_not_raises(tmp_path):
    with pytest.raises(lw.ArgumentError, match="unknown parameter 'torqe'; did you mean 'torque'"):
        scene(tmp_path, parameters__torqe=3)
    with pytest.raises(lw.ArgumentError, match="there are none"):
        scene(tmp_path, SCENE.replace("parameters: {torque: 2}", "").replace("torque *", ""), parameters__torque=3)


def test_numbers_of_numpy_change_a_scene(tmp_path):
    changed = scene(tmp_path, parameters__torque=np.float64(3.5), simulation__dt=np.float32(0.5), gravity=np.zeros(3))
    assert changed.run.dt == 0.5
    assert not changed.linkage.gravity.any()
    assert changed.simulation().run(0.5).tau[0, 0] == 3.5


def test_a_changed_scene_is_not_resumed(tmp_path):
    out = tmp_path / "run.h5"
    scene(tmp_path).simulation(record=out).run(0.02, progress=False)
    for change, what in (
        ({"parameters__torque": 3}, "parameters.torque was 2, and is 3"),
        ({"torques__bob": "1"}, r"torques.bob was 'torque \* cos\(t\)', and is 1"),
        ({"events__0__at": 0.07}, "events.0.at was 0.05, and is 0.07"),
        ({"start": {"v": {"bob": 1.0}}}, "start was not given"),
        ({"simulation__integrator": "semi-implicit"}, "simulation.integrator was 'rk4'"),
        ({"bodies__bob__inertia__mass": 2.0}, "other masses"),
    ):
        with pytest.raises(lw.ArgumentError, match=what):
            scene(tmp_path, **change).resume(out)
    resumed = scene(tmp_path, simulation__until=0.2).resume(out).run(0.1, progress=False)
    whole = scene(tmp_path).simulation().run(0.1, progress=False)
    np.testing.assert_array_equal(resumed.q, whole.q)
    lw.Simulation(lw.samples.chain(1), record=out).run(0.01)
    with pytest.raises(lw.ArgumentError, match="not recorded from a scene"):
        scene(tmp_path).resume(out)


def test_a_run_goes_on_to_the_bit_after_two_cuts(tmp_path):
    """The stages of a tree that was cut twice are in the order of one that is read from a file."""

    def start(path):
        sim = lw.Simulation(lw.samples.chain(6), np.linspace(0.3, -0.4, 6), dt=1e-3, record=path)
        sim.connect("link1", "link2", lw.Revolute("y"), at_a=lw.Pose((0, 0, -1)), at_b=lw.Pose(), name="again")
        sim.at(0.003, lambda sim: sim.cut("link4"))
        sim.at(0.005, lambda sim: sim.cut("link3"))
        return sim

    whole = start(tmp_path / "whole.h5").run(0.03, progress=False)
    start(tmp_path / "parts.h5").run(0.01, progress=False)
    parts = lw.Simulation.resume(tmp_path / "parts.h5").run(0.03, progress=False)
    np.testing.assert_array_equal(parts.segments[-1].rows, whole.segments[-1].rows)
    tree, again = whole.segments[-1].linkage.tree, None
    linkage = lw.samples.chain(6)
    assert linkage.tree.stages == 6
    linkage.cut("link4")
    linkage.cut("link3")
    again = linkage.copy().tree
    np.testing.assert_array_equal(linkage.tree.index, again.index)
    np.testing.assert_array_equal(tree.model, again.model)


# Callbacks


@pytest.mark.parametrize("what", ["controller", "torques", "wrenches"])
def test_a_callback_that_returns_nothing_raises_at_its_first_call(what):
    function = (lambda sim: None) if what == "controller" else lambda t, q, v: None
    sim = lw.Simulation(lw.samples.chain(2), **{what: function})
    with pytest.raises(lw.ArgumentError, match=f"{what} returned None at t = 0 s.*return"):
        sim.run(0.01, progress=False)


def test_a_drive_that_is_there_from_the_start_is_recorded_once():
    sim = lw.Simulation(lw.samples.chain(2), dt=1e-3)
    sim.drive("link0", lambda t: 0.5 * t**2)
    recording = sim.run(0.01, progress=False)
    np.testing.assert_allclose(recording.t, np.arange(11) * 1e-3, atol=1e-15)
    a = lw.forward_dynamics(sim.linkage, recording.q[0], recording.v[0], recording.tau[0])
    assert a[0] == pytest.approx(1.0, abs=1e-6)
    assert recording.events == []
    sim.drive("link0", None)  # now it is an event
    assert [event.what for event in sim.recording.events] == ["drive 'link0' no more"]


def test_a_ready_made_controller_drives_a_simulation():
    target = np.array([0.4, -0.2])
    linkage = lw.samples.chain(2)
    controller = lw.PD(200.0, 20.0, target)
    sim = lw.Simulation(linkage, dt=1e-3, controller=controller)
    sim.run(3.0, progress=False)
    rest = sim.q - target  # where gravity and the springs balance
    np.testing.assert_allclose(-200.0 * rest, lw.gravity_torques(linkage, sim.q), atol=1e-3)


# Steps


def test_dry_friction_follows_its_documented_law():
    assert "−coulomb · v / √(v² + speed²)" in str(lw.JointFriction.__doc__)
    linkage = lw.samples.chain(1)
    linkage.add_force(lw.JointFriction("link0", coulomb=3.0, speed=0.2))
    for v in (-1.0, -0.2, 0.01, 0.2, 5.0):
        tau = lw.inverse_dynamics(linkage, [0.0], [v], [0.0])[0]
        assert tau == pytest.approx(3.0 * v / np.sqrt(v**2 + 0.2**2), rel=1e-12)


def test_steps_that_lose_energy_are_told_of_once_with_a_better_dt():
    def run(dt):
        linkage = lw.samples.chain(20, length=0.05)
        sim = lw.Simulation(linkage, [np.pi / 2] + 19 * [0.0], dt=dt, record_every=10)
        sim.at(0.3, lambda sim: sim.connect("ground", "link10", lw.Revolute("y"), name="latch"))
        sim.run(2.4, progress=False)
        return sim.recording.segments[-1].energy

    (message,) = [text for text in warned(lambda: run(1e-3)) if "energy" in text]
    assert "J a second" in message
    assert "at dt = 0.001 s: try dt ≤ " in message
    assert abs(np.ptp(run(1e-3))) > 1.0


def test_steps_of_driven_linkages_that_lose_energy_are_told_of_too():
    def run(dt, **options):
        sim = lw.Simulation(lw.samples.chain(6, length=0.2), [1.5, 0, 0, 0, 0, 0], dt=dt, record_every=4, **options)
        if not options:
            sim.drive("link0", "1.5 * cos(3 * t)")
        sim.run(4.0, progress=False)

    law = lw.PD([0.5, 0, 0, 0, 0, 0], [0.01, 0, 0, 0, 0, 0], np.zeros(6))
    for options in ({}, {"controller": law}):
        (message,) = [text for text in warned(lambda given=options: run(1e-2, **given)) if "energy" in text]
        assert "at dt = 0.01 s: try dt ≤ " in message
        assert not [text for text in warned(lambda given=options: run(1e-3, **given)) if "energy" in text]


def test_steps_that_keep_energy_are_not_told_of():
    """Nor losses that are meant: dampers, friction, controllers, limits, impacts."""
    linkage = lw.samples.chain(3)
    linkage.joints["link0"].damping = 0.3
    linkage.joints["link2"].limits = (-0.2, 0.2)
    linkage.add_force(lw.JointFriction("link1", 0.5, 0.1))
    for options in ({"controller": lw.PD(50.0, 1.0, [0.4, -0.3, 0.1])}, {}, {"limits": "impulsive"}):
        sim = lw.Simulation(linkage.copy(), [1.0, 0.5, 0.1], dt=1e-3, **options)
        assert warned(lambda sim=sim: sim.run(2.0, progress=False)) == []
        watch = sim._engine.watches[0]
        assert abs(watch.astray) < 1e-2
        assert watch.time > 0.3 or options


@pytest.mark.parametrize("ready_made", [True, False])
def test_a_gain_that_is_too_high_for_the_step_is_named_with_its_joint(ready_made):
    linkage, kd = lw.samples.chain(4), np.array([1.0, 1.0, 400.0, 1.0])
    controller = lw.PD(10.0, kd, np.zeros(4)) if ready_made else lambda sim: -10.0 * sim.q - kd * sim.v
    sim = lw.Simulation(linkage, [0.3, 0.2, 0.1, 0.1], dt=1e-3, controller=controller)
    told = r"joint 'link2' .* kd · dt / inertia must stay below 2.*linkwork\.Motor"
    with pytest.raises(lw.DivergedError, match=told) as caught:
        sim.run(2.0, progress=False)
    assert caught.value.joint == "link2"
    inertia = 1.0 / np.linalg.inv(lw.mass_matrix(linkage, [0.3, 0.2, 0.1, 0.1]))[2, 2]
    assert f"is {400.0 * 1e-3 / inertia:.3g}," in str(caught.value)
    linkage.add_force(lw.Motor("link2", gear=100.0, inertia=2e-4))  # whose rotor is heavy enough: kd · dt = 0.4 of 2
    lw.Simulation(linkage, [0.3, 0.2, 0.1, 0.1], dt=1e-3, controller=controller).run(0.1, progress=False)


def test_a_joint_that_is_too_stiff_is_named_not_the_fastest():
    linkage = lw.samples.chain(4)
    linkage.add_force(lw.JointSpring("link1", 1e7))
    with pytest.raises(lw.DivergedError, match="JointSpring") as caught:
        lw.Simulation(linkage, [0.3, 0.2, 0.1, 0.1], dt=1e-3).run(1.0, progress=False)
    assert caught.value.joint == "link1"


def test_an_adaptive_integrator_that_makes_no_progress_raises(monkeypatch):
    monkeypatch.setattr("linkwork.simulation.diagnosis.STEPS", 100)
    linkage = lw.samples.chain(2)
    linkage.add_force(lw.JointFriction("link1", 50.0, 1e-9))
    with pytest.raises(lw.DivergedError, match=r"dop853 get too small: .* joint 'link1', a JointFriction") as caught:
        lw.Simulation(linkage, [0.3, 0.2], dt=1e-3, integrator="dop853").run(1.0, progress=False)
    assert caught.value.joint == "link1"


# Recordings


def test_forces_of_loop_joints_are_recorded_under_their_names():
    linkage = lw.samples.four_bar()
    linkage.add_frame("coupler_point", "coupler", lw.Pose((0.3, 0, 0.2)))
    q = linkage.neutral()
    recording = lw.Simulation(linkage, q, 2.0 * lw.mobility(linkage, q, ["crank"]).W[:, 0], dt=1e-3).run(0.02)
    expected = lw.solve(linkage, recording.q[-1], recording.v[-1])
    np.testing.assert_allclose(recording.loop_wrenches[-1], expected.loop_wrenches, rtol=0, atol=1e-9)
    pin = recording["pin"]
    np.testing.assert_allclose(pin.wrench[-1], expected["pin"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(pin.position, np.tile(pin.position[0], (21, 1)), atol=1e-9)  # it is on ground
    theta, rate = lw.loop_coordinates(linkage, recording.q[-1], recording.v[-1])
    np.testing.assert_allclose([pin.q[-1], pin.v[-1]], [theta, rate], atol=1e-12)
    point = recording["coupler_point"]
    pose = lw.body_poses(linkage, recording.q[-1])["coupler_point"]
    np.testing.assert_allclose(point.position[-1], pose.position, atol=1e-12)
    slope = (point.position[2:] - point.position[:-2]) / 2e-3
    np.testing.assert_allclose(point.velocity[1:-1, :3], slope, atol=1e-4)
    with pytest.raises(lw.ArgumentError, match="is a frame, which has no tau"):
        _ = point.tau
    lines = recording.plot("reactions").axes[0].lines
    shown = {line.get_label(): line.get_ydata() for line in lines}
    np.testing.assert_allclose(shown["pin"], np.linalg.norm(pin.wrench[:, :3], axis=1))


def test_tables_have_forces_of_loops_and_last_through_changes(monkeypatch):
    """Of xarray and pandas only the calls are looked at: neither is needed."""
    fake = types.SimpleNamespace(Dataset=lambda variables, coords: (variables, coords))
    monkeypatch.setitem(sys.modules, "xarray", fake)
    frame = types.SimpleNamespace(DataFrame=lambda table, index: table, Index=lambda t, name: t, concat=list)
    monkeypatch.setitem(sys.modules, "pandas", frame)
    sim = lw.Simulation(lw.samples.chain(3), [0.4, 0.2, 0.1], dt=1e-3)
    sim.run(0.002)
    sim.connect("ground", "link2", lw.Revolute("y"), name="catch")
    sim.run(0.004)
    sim.cut("link0")
    recording = sim.run(0.006)
    variables, coordinates = recording.to_xarray()
    assert coordinates["coordinate"] == ["link0", "link1", "link2", *(f"link0[{k}]" for k in range(7))]
    q = variables["q"][1]
    assert q.shape == (len(recording), 10)
    assert np.isnan(q[:3, 3:]).all()
    assert np.isnan(q[-3:, 0]).all()
    assert np.isfinite(q[-3:, 1:]).all()
    first, wrench = len(recording.segments[0]), variables["wrench"][1]
    assert coordinates["component"] == [f"catch[{k}]" for k in range(6)]
    assert np.isnan(wrench[:first]).all()
    np.testing.assert_array_equal(wrench[first:], recording["catch"].wrench)
    parts = recording.to_pandas(wrenches="all")
    np.testing.assert_array_equal(parts[1]["wrench[catch][2]"], recording.segments[1].loop_wrenches[:, 0, 2])
    np.testing.assert_array_equal(parts[0]["wrench[link1][0]"], recording.segments[0].wrenches[:, 1, 0])
    assert "tau[catch]" in parts[1]
    assert "wrench[catch][0]" not in recording.to_pandas(wrenches="none")[1]


def test_info_of_a_recording(tmp_path, capsys):
    from linkwork.cli.info import info

    out = tmp_path / "run.h5"
    scene(tmp_path).simulation(record=out).run(0.1, progress=False)
    info(str(out), every=False, json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["states"], found["settings"]["dt"]) == (12, 0.01)
    assert [event["what"] for event in found["events"]] == ["gravity"]
    info(str(out), every=False, json=False)
    assert "gravity" in capsys.readouterr().out


# Motors


def test_a_motor_limits_torque_and_speed_and_its_rotor_is_inertia():
    linkage = lw.samples.chain(1)
    linkage.gravity = (0, 0, 0)
    free = lw.mass_matrix(linkage, [0.0])[0, 0]
    motor = linkage.add_force(lw.Motor("link0", effort=2.0, speed=3.0, gear=50.0, inertia=1e-4))
    inertia = lw.mass_matrix(linkage, [0.0])[0, 0]
    assert inertia - free == pytest.approx(50.0**2 * 1e-4)
    for asked in ({"controller": lambda sim: [100.0]}, {"torques": lambda t, q, v: np.array([100.0])}):
        recording = lw.Simulation(linkage.copy(), dt=1e-3, **asked).run(3.0, progress=False)
        fast = int(np.argmax(recording.v[:, 0] > 0.9 * 3.0))
        np.testing.assert_allclose(recording.tau[: fast - 1], 2.0, atol=1e-12)
        np.testing.assert_allclose(recording.a[: fast - 1, 0], 2.0 / inertia, rtol=1e-9)
        assert 2.9 < recording.v[-1, 0] < 3.0
    rolled = lw.rollout(linkage, [0.0], [0.0], [100.0], dt=1e-3, steps=10)
    assert rolled.v[-1, 0] == pytest.approx(2.0 / inertia * 1e-2, rel=1e-9)
    with pytest.raises(lw.ArgumentError, match="has a motor already"):
        linkage.add_force(lw.Motor("link0", effort=1.0))
    linkage.remove_force(motor)
    assert lw.mass_matrix(linkage, [0.0])[0, 0] == pytest.approx(free)


def test_motors_last_in_files_and_come_from_urdf_limits_on_request(tmp_path):
    linkage = lw.samples.chain(3)
    linkage.joints["link1"].effort, linkage.joints["link1"].velocity = 12.0, 4.0
    assert [motor.joint for motor in linkage.add_motors()] == ["link1"]
    linkage.add_force(lw.Motor("link2", gear=9.0, inertia=1e-3))
    linkage.save(tmp_path / "arm.yaml")
    again = lw.load(tmp_path / "arm.yaml")
    assert again.forces == linkage.forces == (lw.Motor("link1", 12.0, 4.0), lw.Motor("link2", gear=9.0, inertia=1e-3))
    np.testing.assert_array_equal(again.tree.model, linkage.tree.model)
    both = lw.Linkage()
    both.add(linkage, prefix="left_")
    assert [motor.joint for motor in both.forces] == ["left_link1", "left_link2"]
    linkage.cut("link2")
    assert linkage.forces == (lw.Motor("link1", 12.0, 4.0),)


def test_a_drive_that_takes_more_than_its_motor_has_is_told_of():
    linkage = lw.samples.chain(2)
    linkage.add_force(lw.Motor("link0", effort=1.0))
    sim = lw.Simulation(linkage, dt=1e-3)
    sim.drive("link0", lambda t: 2.0 * t**2)
    (message,) = [text for text in warned(lambda: sim.run(0.01, progress=False)) if "motor" in text]
    assert "drive of joint 'link0' takes" in message


@pytest.mark.parametrize("kind", ["Spherical", "Free", "matrix"])
def test_joints_with_quaternions_are_driven(kind):
    """Compared with the closed form of a steady turn, and of a pose that also moves along."""
    linkage = lw.Linkage()
    joint = lw.Free() if kind == "Free" else lw.Spherical()
    linkage.add_body("ball", lw.Inertia.box((0.1, 0.2, 0.3), mass=1.0, com=(0, 0, 0.1)), joint=joint)
    linkage.add_body("tail", lw.Inertia.rod(1.0, mass=0.5, com=(0, 0, -0.5)), joint=lw.Revolute("y"), parent="ball")
    rate = np.array([0.3, -0.5, 1.1])

    def pose(t):
        turn, half = lw.Pose.axis_angle(rate, np.linalg.norm(rate) * t), 0.5 * t * np.linalg.norm(rate)
        if kind == "Free":
            return lw.Pose((0.5 * t**2, 0.0, 0.0), turn.rotation)
        return turn.rotation if kind == "matrix" else [*np.sin(half) * rate / np.linalg.norm(rate), np.cos(half)]

    v = np.zeros(linkage.nv)
    v[-4:-1] = rate
    sim = lw.Simulation(linkage, v=v, dt=1e-3)
    sim.drive("ball", pose)
    recording = sim.run(0.05, progress=False)
    ball = recording["ball"]
    expected = np.array([lw.Pose.axis_angle(rate, np.linalg.norm(rate) * t).rotation for t in recording.t])
    np.testing.assert_allclose(ball.rotation, expected, atol=1e-9)
    np.testing.assert_allclose(ball.velocity[:, 3:], np.tile(rate, (len(recording), 1)), atol=1e-9)
    np.testing.assert_allclose(ball.a[:, -3:], 0.0, atol=1e-8)
    if kind == "Free":
        np.testing.assert_allclose(ball.position[:, 0], 0.5 * recording.t**2, atol=1e-9)
        np.testing.assert_allclose(ball.velocity[:, 0], recording.t, atol=1e-8)
    a = lw.forward_dynamics(linkage, recording.q[-1], recording.v[-1], recording.tau[-1])
    np.testing.assert_allclose(a, recording.a[-1], atol=1e-6)  # with the torques that are recorded
    assert abs(recording.tau[-1, -1]) == 0.0
    with pytest.raises(lw.ArgumentError, match="must be a function of t"):
        sim.drive("ball", "sin(t)")
