"""[Nakamura2000] sections VI and VII: a human figure on the high bar, on a swing, and in the air."""


import numpy as np
import pytest

import linkwork as lw

BAR, HALF = 2.6, 0.28  # height of the bar, half the distance of the hands, m


def counts(linkage, q):
    """N_J, rank, N_F as the paper counts them: joints' worth, independent constraints, degrees of freedom."""
    mobility = lw.mobility(linkage, q)
    return linkage.nv + linkage.nv_loop, mobility.rank, mobility.dof


@pytest.mark.parametrize(
    ("hands", "both", "one"),
    [(lw.Revolute("y"), (24, 12, 12), (23, 6, 17)), (lw.Spherical(), (28, 12, 16), (25, 6, 19))],
)
def test_degrees_of_freedom_on_the_bar(hands, both, one):
    gymnast, q = lw.samples.high_bar(hands=hands)
    assert counts(gymnast, q) == both
    gymnast.cut("right_hand")
    assert counts(gymnast, q) == one
    gymnast.cut("left_hand")
    assert counts(gymnast, q) == (22, 0, 22)


def test_forward_dynamics_on_the_bar_against_a_dense_solve():
    gymnast, q = lw.samples.high_bar(angle=0.8)
    rng = np.random.default_rng(0)
    v = lw.consistent_velocity(gymnast, q, rng.normal(size=22))
    tau = rng.normal(size=22)
    # Rows of our own: the hands stay, and turn about y only; differences of the velocities give the bias.
    rows, bias = [], []
    for side in ("left", "right"):
        grip = gymnast.frames[f"{side}_grip"]
        keep = [0, 1, 2, 3, 5]
        rows.append(lw.jacobian(gymnast, q, grip.body, grip.pose.position)[keep])
        bias.append(lw.jacobian_bias(gymnast, q, v, grip.body, grip.pose.position)[keep])
    J, c = np.concatenate(rows), np.concatenate(bias)
    free = gymnast.copy()
    free.cut("left_hand")
    free.cut("right_hand")
    M, h = lw.mass_matrix(free, q), lw.bias_force(free, q, v)
    kkt = np.block([[M, -J.T], [J, np.zeros((10, 10))]])
    expected = np.linalg.solve(kkt, np.concatenate([tau - h, -c]))[:22]
    np.testing.assert_allclose(lw.forward_dynamics(gymnast, q, v, tau), expected, rtol=1e-9, atol=1e-9)


@pytest.fixture(scope="module")
def routine():
    """The high bar without limits: nothing but gravity acts, so that everything has a balance."""
    gymnast, q = lw.samples.high_bar(angle=1.4)
    sim = lw.Simulation(gymnast, q, dt=1e-3, limits="ignore")
    sim.at(1.0, lambda sim: sim.cut("right_hand"))
    sim.at(1.6, lambda sim: sim.cut("left_hand"))
    return sim.run(2.1)


def grips(segment, side):
    """(n, 3) where a hand is."""
    grip = segment.linkage.frames[f"{side}_grip"]
    poses = lw.body_poses(segment.linkage, segment.q.copy())
    return poses.positions[:, grip.body.index] + poses.rotations[:, grip.body.index] @ grip.pose.position


def test_hands_stay_on_the_bar(routine):
    both, one, _ = routine.segments
    for segment, sides in ((both, ("left", "right")), (one, ("left",))):
        for side in sides:
            place = (0.0, HALF if side == "left" else -HALF, BAR)
            assert np.abs(grips(segment, side) - place).max() <= 1e-9
    assert np.linalg.norm(grips(one, "right")[-1] - (0.0, -HALF, BAR)) > 0.1, "the right hand never left"


def test_energy_stays_between_events(routine):
    for segment in routine.segments:
        # of the energy that is moved; RK4 at dt = 1e-3 leaves some 1e-8 of it
        np.testing.assert_allclose(segment.energy, segment.energy[0], atol=1e-6 * segment.kinetic.max())
    assert [event.energy_lost for event in routine.events] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_angular_momentum_about_the_bar_follows_the_torque_of_gravity(routine):
    """Hands turn freely about the bar and hold on at it: about its axis only gravity has a torque."""
    for segment in routine.segments[:2]:
        t, q, v = segment.t[:-1], segment.q[:-1].copy(), segment.v[:-1].copy()  # the last row is a shorter step
        center = lw.center_of_mass(segment.linkage, q)
        momentum = lw.momentum(segment.linkage, q, v)
        bar = np.array([0.0, 0.0, BAR])
        about_bar = (momentum[:, 3:] - np.cross(bar, momentum[:, :3]))[:, 1]
        torque = np.cross(center - bar, 73.0 * np.array([0.0, 0.0, -9.81]))[:, 1]
        simpson = np.concatenate([[0.0], np.cumsum((torque[:-2:2] + 4 * torque[1:-1:2] + torque[2::2]) / 3)]) * (
            t[1] - t[0]
        )
        np.testing.assert_allclose(
            about_bar[::2][: len(simpson)] - about_bar[0], simpson, atol=1e-6 * np.abs(about_bar).max()
        )


def test_free_flight(routine):
    flight = routine.segments[-1]
    t = (flight.t - flight.t[0])[:, None]
    center = lw.center_of_mass(flight.linkage, flight.q.copy())
    momentum = lw.momentum(flight.linkage, flight.q.copy(), flight.v.copy())
    parabola = center[0] + momentum[0, :3] / 73.0 * t + 0.5 * np.array([0.0, 0.0, -9.81]) * t**2
    assert np.abs(center - parabola).max() <= 1e-8
    spin = momentum[:, 3:] - np.cross(center, momentum[:, :3])
    assert np.abs(spin - spin[0]).max() <= 1e-8 * np.abs(spin).max()


def test_hands_clasp_in_mid_air():
    figure = lw.samples.human(16)
    figure.connect("left_grip", "right_grip", lw.Spherical(), name="clasp")
    q = lw.close_loops(figure, figure.neutral())
    v = np.random.default_rng(3).normal(size=22)
    apart = figure.copy()
    apart.cut("clasp")
    jump = lw.velocity_jump(figure, q, v, "clasp")
    # what is inside the figure changes neither its momentum nor its angular momentum
    np.testing.assert_allclose(lw.momentum(apart, q, jump.v), lw.momentum(apart, q, v), atol=1e-10)
    hands = []
    for side in ("left", "right"):
        grip = figure.frames[f"{side}_grip"]
        hands.append(lw.jacobian(apart, q, grip.body.name, grip.pose.position)[:3] @ jump.v)
    np.testing.assert_allclose(hands[0], hands[1], atol=1e-12)
    lost = lw.kinetic_energy(apart, q, v) - lw.kinetic_energy(apart, q, jump.v)
    assert jump.energy_lost == pytest.approx(lost, rel=1e-10)
    assert lost > 0.0
    assert counts(figure, q) == (25, 6, 19)

    sim = lw.Simulation(apart, q, v, dt=1e-3, limits="ignore")
    sim.at(0.0, lambda sim: sim.connect("left_grip", "right_grip", lw.Spherical(), name="clasp"))
    recording = sim.run(0.3)
    assert recording.events[0].energy_lost == pytest.approx(lost, rel=1e-9)
    after = recording.segments[-1]
    momentum = lw.momentum(after.linkage, after.q.copy(), after.v.copy())
    np.testing.assert_allclose(momentum[:, 2] - momentum[0, 2], -73.0 * 9.81 * (after.t - after.t[0]), atol=1e-6)
    np.testing.assert_allclose(grips(after, "left"), grips(after, "right"), atol=1e-9)


def test_a_figure_in_free_flight_catches_a_bar():
    gymnast, q = lw.samples.high_bar(angle=0.4)
    closed = gymnast.copy()
    gymnast.cut("left_hand")
    gymnast.cut("right_hand")
    v = np.random.default_rng(4).normal(size=22)
    sim = lw.Simulation(gymnast, q, v, dt=1e-3, limits="ignore")
    place = {name: (closed.loops[name].at_a, closed.loops[name].at_b) for name in closed.loops.names}

    def catch(sim):
        for side in ("left", "right"):
            a, b = place[f"{side}_hand"]
            body = closed.loops[f"{side}_hand"].real.name
            sim.connect("ground", body, lw.Revolute("y"), at_a=a, at_b=b, name=f"{side}_hand")

    sim.at(0.0, catch)
    recording = sim.run(0.5)
    event, after = recording.events[0], recording.segments[-1]
    M, W = lw.mass_matrix(closed, q), lw.mobility(closed, q).W
    change = after.v[0] - v
    # momentum along the directions that stay free is what it was; energy goes by the part of the motion that is stopped
    np.testing.assert_allclose(W.T @ M @ change, 0.0, atol=1e-9)
    assert event.energy_lost == pytest.approx(0.5 * change @ M @ change, rel=1e-9)
    assert event.energy_lost > 1.0
    np.testing.assert_allclose(after.energy, after.energy[0], atol=1e-6 * after.kinetic.max())
    assert np.abs(grips(after, "left") - (0.0, HALF, BAR)).max() <= 1e-9


def test_the_swing_loses_what_it_should():
    """The example's course: thighs leave the plate, then the bolts break; N_J and N_F at each change."""
    swing, q = lw.samples.swing(angle=0.7, pivot=4.4, drag=60.0, strength=960.0)
    assert counts(swing, q) == (35, 24, 11)
    sim = lw.Simulation(swing, q, dt=1e-3)
    seen = []
    for seat in ("left_seat", "right_seat"):

        def beyond(sim, seat=seat):
            if seat not in sim.linkage.loops:
                return -0.2
            return (
                abs(lw.loop_coordinates(sim.linkage, sim.q)[sim.linkage.loops[seat].q_slice.start - sim.linkage.nq])
                - 0.2
            )

        def leave(sim, seat=seat):
            sim.cut(seat)
            seen.append(counts(sim.linkage, sim.q))

        sim.when(beyond, leave, direction=1, once=True, every=0.01)
    recording = sim.run(1.2)
    assert seen == [(32, 18, 14), (29, 12, 17)]
    assert counts(sim.linkage, sim.q) == (34, 12, 22)
    left, right, broken = recording.events
    assert left.time == right.time < broken.time
    assert (broken.cause, broken.what) == ("strength", "breaks, cut 'pivot'")
    # at that instant the bolts bore just what they can: no limit of a joint is near then, so that nothing else acts
    before = recording.segments[-2]
    wrench = lw.solve(before.linkage, before.q[-1], before.v[-1]).joint_wrenches[before.linkage.joints["pivot"].index]
    assert np.linalg.norm(wrench[:3]) == pytest.approx(960.0, rel=1e-6)


def test_it_walks():
    walker = lw.samples.Walker()
    sim = lw.Simulation(walker.figure, walker.q, walker.v, dt=1e-3, controller=walker.controller, control_every=5)
    walker.begin(sim)
    assert counts(sim.linkage, sim.q) == (23, 6, 17)
    recording = sim.run(4.0)
    assert [foot for _, foot in walker.steps] == ["right", "left"] * 3 + ["right"]
    times = np.diff([t for t, _ in walker.steps])
    np.testing.assert_allclose(times, times.mean(), rtol=0.01)  # a steady gait
    assert counts(sim.linkage, sim.q) == (23, 6, 17)
    heights = np.concatenate([segment.q[:, 2] for segment in recording.segments])
    assert np.ptp(heights) < 0.1
    touches = [event for event in recording.events if event.cause == "when"]
    assert all(event.energy_lost > 0.0 for event in touches)


def test_inverse_dynamics_of_a_closed_figure_holding_a_bar():
    figure, stance = standing_with_a_bar()
    q = lw.close_loops(figure, stance)
    assert counts(figure, q) == (31, 24, 7)
    v = np.zeros(figure.nv)
    mobility = lw.mobility(figure, q)
    assert len(mobility.actuated) == 16
    lift = np.zeros(figure.nv)
    lift[figure.joints["bar"].v_slice] = (0, 0, 1.0, 0, 0, 0)
    wanted = np.linalg.lstsq(mobility.W[figure.joints["bar"].v_slice], lift[figure.joints["bar"].v_slice], rcond=None)[
        0
    ]
    strengths = np.full(figure.nv + figure.nv_loop, 100.0)
    strengths[figure.joints["left_elbow"].v_slice] = strengths[figure.joints["left_shoulder"].v_slice] = 10.0
    for a in (np.zeros(figure.nv), mobility.W @ wanted):  # hold it still; lift it
        tau = lw.actuator_torques(figure, q, v, a)
        np.testing.assert_allclose(lw.forward_dynamics(figure, q, v, tau), a, atol=1e-8)
        weighted = lw.actuator_torques(figure, q, v, a, weights=strengths**-2.0)
        np.testing.assert_allclose(lw.forward_dynamics(figure, q, v, weighted), a, atol=1e-8)
        # each is the least in its own measure
        assert np.linalg.norm(tau) < np.linalg.norm(weighted)
        assert np.linalg.norm(weighted / strengths) < np.linalg.norm(tau / strengths)
        weak = [*range(*figure.joints["left_shoulder"].v_slice.indices(99)), figure.joints["left_elbow"].v_slice.start]
        assert np.linalg.norm(weighted[weak]) < np.linalg.norm(tau[weak])


def standing_with_a_bar():
    """A figure with both feet fixed to the ground and a bar of 10 kg in its hands: 16 motors, 7 degrees of freedom."""
    figure = lw.samples.human(16)
    figure.add_body("bar", lw.Inertia.cylinder(0.014, 1.2, mass=10.0, axis="y"), joint=lw.Free())
    q = figure.neutral()
    for side in ("left", "right"):
        outwards = lw.Pose.axis_angle("z", 0.4 if side == "left" else -0.4)  # knees that bend in parallel are redundant
        q[figure.joints[f"{side}_hip"].q_slice] = (outwards @ lw.Pose.axis_angle("y", -0.3)).quaternion
        q[figure.joints[f"{side}_knee"].q_slice] = 0.6
        q[figure.joints[f"{side}_elbow"].q_slice] = 1.2
        q[figure.joints[f"{side}_shoulder"].q_slice] = lw.Pose.axis_angle(
            "x", 0.2 if side == "left" else -0.2
        ).quaternion
    poses = lw.body_poses(figure, q)
    places = {}
    for name in ("left_grip", "right_grip", "left_sole", "right_sole"):
        places[name] = poses[name]
    middle = 0.5 * (places["left_grip"].position + places["right_grip"].position)
    q[figure.joints["bar"].q_slice] = [*middle, 0.0, 0.0, 0.0, 1.0]
    for side in ("left", "right"):
        figure.connect("ground", f"{side}_sole", lw.Fixed(), at_a=places[f"{side}_sole"], name=f"{side}_foot")
        grip = lw.Fixed() if side == "left" else lw.Spherical(actuated=False)
        at_a = lw.Pose(-middle) @ places[f"{side}_grip"]
        figure.connect("bar", f"{side}_grip", grip, at_a=at_a, name=f"{side}_hand")
    return figure, q
