"""Events: when they happen, what they may do, and what is recorded of them; and the interface of a simulation."""

import copy
import pickle

import numpy as np
import pytest
from scipy.special import ellipk

import linkwork as lw
from linkwork.dynamics.constraints import residuals


def pendulum(length=0.8, mass=2.0):
    linkage = lw.Linkage(name="pendulum")
    rod = lw.Inertia.cylinder(0.05, length, mass=mass, com=(0, 0, -length / 2))
    linkage.add_body("rod", rod, joint=lw.Revolute("y"), joint_name="hinge")
    return linkage


def period(linkage, start):
    """Of a swing from rest, in closed form."""
    inertia = linkage.bodies["rod"].inertia
    r = -inertia.com[2]
    omega = np.sqrt(inertia.mass * 9.81 * r / (inertia.matrix[1, 1] + inertia.mass * r**2))
    return 4 * ellipk(np.sin(start / 2) ** 2) / omega


def ball():
    linkage = lw.Linkage(name="ball")
    linkage.add_body("ball", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Prismatic("z"))
    return linkage


# When


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
@pytest.mark.parametrize("torques", [None, lambda t, q, v: np.zeros(1)], ids=["compiled", "python"])
def test_a_crossing_is_found_to_a_nanosecond(integrator, torques):
    linkage, times = pendulum(), []
    options = {"rtol": 1e-12, "atol": 1e-13} if integrator == "dop853" else {}
    sim = lw.Simulation(linkage, [2.0], dt=1e-3, integrator=integrator, torques=torques, **options)
    sim.when(lambda sim: sim.q[0], lambda sim: times.append(sim.t))
    recording = sim.run(4.0)
    quarter = period(linkage, 2.0) / 4
    exact = np.arange(1, 2 * len(times), 2) * quarter
    assert len(times) >= 3
    np.testing.assert_allclose(times, exact, rtol=0, atol=1e-9)
    assert [event.time for event in recording.events] == times


def test_a_truth_value_that_turns_true_is_found_to_a_nanosecond():
    linkage, times = pendulum(), []
    sim = lw.Simulation(linkage, [2.0], dt=1e-2)
    sim.when(lambda t, q, v: bool(q[0] < 0.0), lambda: times.append(sim.t))
    sim.run(1.2 * period(linkage, 2.0))
    np.testing.assert_allclose(times, [period(linkage, 2.0) / 4], rtol=0, atol=2e-7)  # rk4 at dt = 0.01 is off 1e-7


@pytest.mark.parametrize(("direction", "count"), [(0, 4), (1, 2), (-1, 2)])
def test_direction_and_once(direction, count):
    linkage = pendulum()
    sim = lw.Simulation(linkage, [1.0], dt=1e-2)
    seen, single = [], []
    sim.when(lambda sim: sim.q[0], lambda sim: seen.append(np.sign(sim.v[0])), direction=direction)
    sim.when(lambda sim: sim.q[0], lambda sim: single.append(sim.t), once=True)
    sim.run(2 * period(linkage, 1.0))
    assert len(seen) == count
    assert len(single) == 1
    if direction:
        assert set(seen) == {direction}


def test_a_bouncing_ball_crosses_once_a_bounce():
    sim = lw.Simulation(ball(), [1.0], dt=1e-3)

    def bounce(sim):
        sim.v = -0.5 * sim.v

    sim.when(lambda sim: sim.q[0], bounce, direction=-1)
    recording = sim.run(1.0)
    fall = np.sqrt(2 / 9.81)
    np.testing.assert_allclose([event.time for event in recording.events], [fall, 2 * fall], rtol=0, atol=1e-8)
    assert recording.events[0].energy_lost == pytest.approx(9.81 * (1 - 0.25), rel=1e-8)
    assert recording.events[0].jump[0] == pytest.approx(1.5 * 9.81 * fall, rel=1e-8)


def test_of_two_conditions_in_one_step_the_earlier_comes_first():
    order = []
    sim = lw.Simulation(ball(), [1.0], dt=0.5)
    sim.when(lambda sim: sim.q[0] - 0.2, lambda sim: order.append("lower"))
    sim.when(lambda sim: sim.q[0] - 0.6, lambda sim: order.append("upper"))
    sim.run(0.5)
    assert order == ["upper", "lower"]


def test_a_condition_that_gives_no_number_raises():
    sim = lw.Simulation(ball())
    sim.when(lambda sim: float("nan"), lambda sim: None)
    with pytest.raises(lw.ArgumentError, match="condition <lambda> gave nan at t = 0 s"):
        sim.run(1.0)


# At


def test_actions_happen_at_their_time_in_order_and_steps_return_to_the_grid():
    done = []
    sim = lw.Simulation(ball(), dt=0.1)
    sim.at(0.25, lambda sim: done.append(("b", sim.t)))
    sim.at(0.25, lambda: done.append(("c", sim.t)))
    sim.at(0.0, lambda sim: done.append(("a", sim.t)))
    sim.at(0.6, lambda sim: done.append(("d", sim.t)))
    recording = sim.run(0.6)
    assert done == [("a", 0.0), ("b", 0.25), ("c", 0.25), ("d", pytest.approx(0.6))]
    times = np.unique(np.round(recording.t, 12))
    np.testing.assert_allclose(times, [0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6])
    assert recording.q[-1, 0] == pytest.approx(-9.81 / 2 * 0.36, rel=1e-12)


def test_actions_change_gravity_controller_and_stop():
    linkage = ball()
    sim = lw.Simulation(linkage, dt=0.01)

    def switch(sim):
        sim.linkage.gravity = (0, 0, 0)

    def push(sim):
        sim.controller = lambda sim: [2.0]

    sim.at(0.1, switch)
    sim.at(0.2, push)
    sim.at(0.5, lambda sim: sim.stop())
    recording = sim.run(10.0)
    assert sim.t == pytest.approx(0.5)
    assert len(recording.segments) == 2
    assert sim.v[0] == pytest.approx(-0.981 + 2.0 * 0.3, rel=1e-9)
    np.testing.assert_array_equal(recording.segments[0].linkage.gravity, (0, 0, -9.81))
    sim.run(0.6)
    assert sim.t == pytest.approx(0.6)


def test_a_change_behind_the_simulation_is_noticed():
    linkage = pendulum()
    sim = lw.Simulation(linkage, dt=0.01)
    sim.at(0.1, lambda sim: linkage.cut("hinge"))
    with pytest.raises(lw.StructureError, match=r"behind the simulation: use sim\.cut"):
        sim.run(1.0)


# Loops


def test_connecting_stops_what_the_joint_holds_and_breaking_lets_it_go():
    linkage = lw.samples.chain(2)
    sim = lw.Simulation(linkage, [0.5, 0.4], [1.0, 2.0], dt=1e-3)
    tip = lw.Pose((0, 0, -1))
    sim.at(0.1, lambda sim: sim.connect("link1", "ground", lw.Revolute("y"), at_a=tip, name="pin", strength=60.0))
    recording = sim.run(0.3)
    (event,) = recording.events
    assert event.energy_lost > 0
    held = recording["link1"].position[recording.t > 0.1] + np.einsum(
        "nij,j->ni", recording["link1"].rotation[recording.t > 0.1], (0, 0, -1)
    )
    np.testing.assert_allclose(held, np.broadcast_to(held[0], held.shape), rtol=0, atol=1e-9)
    sim.torques = lambda t, q, v: [300.0 * (t - 0.3), 0.0]
    recording = sim.run(0.8)
    broken = recording.events[-1]
    assert (broken.cause, broken.what) == ("strength", "breaks, cut 'pin'")
    assert len(linkage.loops) == 0
    before = recording.segments[-2]
    force = lw.solve(before.linkage, before.q[-1], before.v[-1], before.tau[-1]).loop_wrenches[0][:3]
    assert np.linalg.norm(force) == pytest.approx(60.0, rel=1e-6)


@pytest.mark.slow
def test_a_four_bar_stays_closed_and_keeps_its_energy_for_10_seconds():
    linkage = lw.samples.four_bar()
    recording = lw.Simulation(linkage, lw.close_loops(linkage, linkage.neutral()), dt=1e-3).run(10.0)
    gaps = [residuals(linkage, q).gap for q in recording.q[::50]]
    assert max(gaps) <= 1e-9
    assert recording.drift[1:, 0].max() > 0.0  # what was projected out is told
    assert np.abs(recording.energy - recording.energy[0]).max() < 1e-7 * recording.kinetic.max()


def test_a_gap_raises_unless_it_may_be_closed():
    linkage = lw.samples.chain(3)
    sim = lw.Simulation(linkage, [0.5, 0.4, 0.3], dt=1e-3)
    joint, place = lw.Revolute("y"), {"at_a": lw.Pose((0, 0, -1)), "at_b": lw.Pose((-1.5, 0, -1.5))}
    with pytest.raises(lw.StructureError, match="close=True"):
        sim.connect("link2", "ground", joint, name="pin", **place)
    assert len(linkage.loops) == 0
    sim.connect("link2", "ground", joint, name="pin", close=True, **place)
    recording = sim.run(0.2)
    tip = lw.body_poses(linkage, sim.q)["link2"].apply((0, 0, -1))
    np.testing.assert_allclose(tip, (-1.5, 0, -1.5), atol=1e-9)
    assert recording.drift[2:].max() > 0.0


# The interface


def test_the_recording_is_read_by_name_and_keeps_events():
    linkage = lw.samples.chain(3)
    sim = lw.Simulation(linkage, [0.3, 0.0, 0.0], dt=1e-2, controller=lambda sim: [0.0, 0.5, 0.0])
    recording = sim.run(0.1)
    assert recording.t.shape == (11,)
    assert recording.q.shape == recording.v.shape == recording.a.shape == recording.tau.shape == (11, 3)
    assert recording.wrenches.shape == (11, 3, 6)
    track = recording["link1"]
    np.testing.assert_array_equal(track.q[:, 0], recording.q[:, 1])
    np.testing.assert_array_equal(track.tau[:, 0], 0.5)
    np.testing.assert_allclose(track.wrench[:, 4], 0.5, atol=1e-12)  # moment about the hinge
    np.testing.assert_allclose(track.position[-1], lw.body_poses(linkage, sim.q)["link1"].position)
    np.testing.assert_allclose(recording.a, lw.forward_dynamics(linkage, recording.q, recording.v, recording.tau))
    with pytest.raises(lw.ArgumentError, match="unknown joint, body, frame or contact 'link9'"):
        recording["link9"]
    assert "11 states" in repr(recording)
    assert "rk4" in repr(sim)


def test_a_run_in_pieces_is_the_run_in_one():
    whole = lw.Simulation(lw.samples.chain(2), [1.0, 0.5], dt=1e-3).run(0.5)
    sim = lw.Simulation(lw.samples.chain(2), [1.0, 0.5], dt=1e-3)
    sim.run(0.1)
    for _ in range(7):
        sim.step()
    pieces = sim.run(0.5)
    np.testing.assert_array_equal(pieces.segments[0].rows, whole.segments[0].rows)


def test_what_was_read_stays_when_the_run_goes_on():
    sim = lw.Simulation(lw.samples.chain(1), [1.0], dt=1e-2, record_every=5)
    first = sim.run(0.12)
    times = first.t
    copy = times.copy()
    np.testing.assert_allclose(copy, [0.0, 0.05, 0.1, 0.12])
    np.testing.assert_allclose(sim.run(0.2).t, [0.0, 0.05, 0.1, 0.15, 0.2])
    np.testing.assert_array_equal(times, copy)


def _no_torque(sim):
    return np.zeros(2)


def test_simulations_and_recordings_are_copied_and_pickled():
    sim = lw.Simulation(lw.samples.chain(2), [1.0, 0.5], dt=1e-3, controller=_no_torque)
    sim.run(0.1)
    copies = [copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
    recording = sim.run(0.2)
    for other in copies:
        np.testing.assert_array_equal(other.run(0.2).segments[0].rows, recording.segments[0].rows)
    again = pickle.loads(pickle.dumps(recording))
    np.testing.assert_array_equal(again["link1"].q, recording["link1"].q)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("integrator", ["semi-implicit", "rk4", "implicit-midpoint"])
def test_a_few_steps_of_every_joint_type(integrator):
    linkage = lw.samples.random_tree(6, seed=3, base="free")
    q, v = linkage.random(1), np.full(linkage.nv, 0.1)
    linkage.add_force(lw.Spring(linkage.bodies[2], "ground", stiffness=20.0, damping=1.0, rest_length=0.5))
    compiled = lw.Simulation(linkage, q, v, dt=1e-3, integrator=integrator).run(0.003)
    nothing = {"torques": lambda t, q, v: np.zeros(len(v))}
    python = lw.Simulation(linkage, q, v, dt=1e-3, integrator=integrator, **nothing).run(0.003)
    np.testing.assert_allclose(compiled.q, python.q, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"q": [0.0, 0.0]}, "q has shape"),
        ({"q": [np.nan]}, "finite"),
        ({"dt": 0.0}, "dt must be positive"),
        ({"dt": -1e-3}, "dt must be positive"),
        ({"integrator": "rk5"}, "did you mean 'rk4'"),
        ({"controller": lambda: 0}, "controller <lambda> must take 1"),
        ({"torques": lambda t: 0}, "torques <lambda> must take 3"),
        ({"method": "abba"}, "unknown method 'abba'"),
        ({"record_every": 0}, "record_every"),
        ({"record_every": True}, "record_every"),
        ({"integrator": "dop853", "rtol": 2.0}, "rtol"),
    ],
)
def test_bad_arguments_raise(options, message):
    with pytest.raises(lw.ArgumentError, match=message):
        lw.Simulation(pendulum(), **options)


def test_bad_callbacks_and_times_raise():
    sim = lw.Simulation(pendulum(), controller=lambda sim: [0.0, 0.0])
    with pytest.raises(lw.ArgumentError, match="what controller returned has shape"):
        sim.run(1.0)
    sim.controller = lambda sim: [np.inf]
    with pytest.raises(lw.ArgumentError, match="finite"):
        sim.run(1.0)
    sim.controller = None
    sim.run(0.1)
    with pytest.raises(lw.ArgumentError, match="is past"):
        sim.run(0.05)
    with pytest.raises(lw.ArgumentError, match="is past"):
        sim.at(0.05, lambda: None)


@pytest.mark.parametrize("place", [(9.0, 9.0, 9.0), (1.0, 0.0, -1.0)], ids=["far", "near"])
def test_what_cannot_be_connected_leaves_the_simulation_as_it_was(place):
    sim = lw.Simulation(lw.samples.chain(2), [0.4, 0.0], dt=1e-3)
    with pytest.raises(lw.StructureError):
        sim.connect("ground", "link1", lw.Revolute("y"), at_a=lw.Pose(place), at_b=lw.Pose(), name="pin")
    assert not sim.linkage.loops.names
    untouched = lw.Simulation(lw.samples.chain(2), [0.4, 0.0], dt=1e-3).run(0.02)
    np.testing.assert_array_equal(sim.run(0.02).q[-1], untouched.q[-1])


def test_a_condition_may_be_infinite_on_either_side():
    sim = lw.Simulation(pendulum(), dt=1e-3)
    sim.when(lambda sim: np.inf if sim.t < 0.0103 else -np.inf, lambda: None)
    assert [event.time for event in sim.run(0.02).events] == pytest.approx([0.0103], abs=1e-9)


@pytest.mark.parametrize("value", ["a", None, [[1.0], [2.0, 3.0]], np.zeros(3)])
def test_a_drive_that_gives_no_motion_is_refused(value):
    with pytest.raises(lw.ArgumentError, match=r"the drive of joint .* gave"):
        lw.Simulation(pendulum()).drive("hinge", lambda t: value)


def test_a_simulation_has_one_state():
    sim = lw.Simulation(lw.samples.chain(3))
    for what in ("q", "v"):
        with pytest.raises(lw.ArgumentError, match=rf"one state: {what} has shape \(2, 3\)"):
            setattr(sim, what, np.zeros((2, 3)))
        with pytest.raises(lw.ArgumentError, match="one state"):
            lw.Simulation(lw.samples.chain(3), **{what: np.zeros((1, 3))})


def test_an_empty_recording_is_not_saved(tmp_path):
    with pytest.raises(lw.ArgumentError, match="nothing to save"):
        lw.Recording().save(tmp_path / "run.h5")
    assert not list(tmp_path.iterdir())


def test_a_state_that_is_set_is_brought_onto_loops_and_drives():
    linkage = lw.samples.four_bar()
    sim = lw.Simulation(linkage, dt=1e-3)
    sim.v = [1.0, 0.0, 0.0]
    np.testing.assert_allclose(lw.consistent_velocity(linkage, sim.q, sim.v), sim.v, atol=1e-12)
    sim.q = [0.3, 0.0, 0.0]
    np.testing.assert_allclose(lw.close_loops(linkage, sim.q), sim.q, atol=1e-12)
    sim.at(0.01, lambda sim: (sim.cut("pin"), setattr(sim, "v", [1.0, 2.0, 3.0])))
    recording = sim.run(0.02)
    np.testing.assert_array_equal(recording.segments[-1].v[0], [1.0, 2.0, 3.0])  # there is no loop any more
    assert recording.drift[3:].max() < 1e-9  # nothing is left to steps
    start = sim.q[0]
    sim.drive("crank", lambda t: start)
    sim.v = [5.0, 2.0, 3.0]
    np.testing.assert_allclose(sim.v, [0.0, 2.0, 3.0], atol=1e-12)


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit", "implicit-midpoint", "dop853"])
def test_a_linkage_without_freedom_stays_where_it_is(integrator):
    linkage = lw.Linkage(name="post")
    linkage.add_body("post", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Fixed())
    for torques in (None, lambda t, q, v: np.zeros(len(v))):
        recording = lw.Simulation(linkage, dt=1e-3, integrator=integrator, torques=torques).run(0.01)
        assert recording.t[-1] == pytest.approx(0.01)


def test_an_action_that_puts_itself_in_again_at_once_is_told():
    sim = lw.Simulation(lw.samples.chain(1), [1.0], dt=1e-2)

    def again(sim):
        sim.at(sim.t, again)

    sim.at(0.05, again)
    with pytest.raises(lw.ArgumentError, match=r"actions at t = 0.05 s.*'again'"):
        sim.run(0.1)
    assert sim.recording.t[-1] == pytest.approx(0.05)
