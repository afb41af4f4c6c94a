"""Limits of loop joints in a simulation."""

import numpy as np
import pytest

import linkwork as lw


@pytest.mark.parametrize("limit", [0.2, 0.5])
def test_a_loop_joint_is_stopped_at_its_limit(limit):
    linkage = lw.samples.four_bar()
    free = lw.Simulation(linkage.copy(), linkage.neutral(), np.zeros(3), dt=1e-3)
    free.run(2.0, progress=False)
    angles = np.array([lw.loop_coordinates(linkage, q)[0] for q in free.recording.q])
    start = angles[0]
    assert np.abs(angles - start).max() > limit + 0.05  # it would go beyond

    held = lw.samples.four_bar()
    at_a, at_b = held.loops["pin"].at_a, held.loops["pin"].at_b
    held.cut("pin")
    limits = (start - limit, start + limit)
    held.connect("ground", "rocker", lw.Revolute("y", limits=limits), at_a=at_a, at_b=at_b, name="pin")
    simulation = lw.Simulation(held, held.neutral(), np.zeros(3), dt=1e-3)
    simulation.run(2.0, progress=False)
    angles = np.array([lw.loop_coordinates(held, q)[0] for q in simulation.recording.q])
    speed = np.abs(np.diff(angles)).max() / 1e-3
    assert np.abs(angles - start).max() < limit + 2.0 * speed * 1e-3  # a compliant limit gives by about 1.8 v dt
    assert np.abs(angles - start).max() > limit - 0.05  # and it got there
    energy = simulation.recording.energy
    assert energy[-1].sum() <= energy[0].sum() + 1e-9  # the stop only takes energy


def _four_bar(*, rooted_at_pin: bool = False, limits=None, strength=None):
    """A crank, a coupler and a rocker, whose pin is a loop joint; or a tree joint, and that to the coupler the loop's.

    Angles of crank, coupler and rocker against ground at the start are `STARTS`; of either the rocker's is its pin's.
    """
    linkage, turn, pin = lw.Linkage(name="four-bar"), lw.Revolute("y"), lw.Revolute("y", limits=limits)
    rocker, far = lw.Inertia.rod(0.8, mass=1.1, axis="x"), lw.Pose((1.0, 0, 0))
    linkage.add_body("crank", lw.Inertia.rod(0.4, mass=0.7, axis="x"), joint=turn)
    linkage.add_body(
        "coupler", lw.Inertia.rod(1.0, mass=1.5, axis="x"), joint=turn, parent="crank", at=lw.Pose((0.4, 0, 0))
    )
    if rooted_at_pin:  # the rocker's frame is at its pin, and the coupler's end at x = 0.8
        linkage.add_body("rocker", rocker, joint=pin, at=lw.Pose((0.9, 0, 0)))
        linkage.connect("coupler", "rocker", turn, at_a=far, at_b=lw.Pose((0.8, 0, 0)))
    else:
        moved = lw.Inertia(rocker.mass, rocker.com - [0.8, 0, 0], rocker.matrix)
        linkage.add_body("rocker", moved, joint=turn, parent="coupler", at=far)
        ends = {"at_a": lw.Pose((0.9, 0, 0)), "at_b": lw.Pose((-0.8, 0, 0))}
        linkage.connect("ground", "rocker", pin, name="pin", strength=strength, **ends)
    return linkage


STARTS = np.cumsum(lw.close_loops(_four_bar(), [-0.9, 1.4, -1.7]))
LIMITS = float(STARTS[2]) - 0.1, float(STARTS[2]) + 0.05


def _moved(linkage, *, compiled: bool = True, drive: str = "", limits="compliant"):
    """The recording of its motion, by compiled steps or by Python's."""
    sim = lw.Simulation(linkage, np.diff(STARTS, prepend=0.0), dt=5e-4, limits=limits)
    if drive:
        sim.drive("crank", drive)
    assert sim._engine.stepper.compiled
    sim._engine.stepper.compiled = sim._engine.stepper.looks = compiled
    return sim.run(0.5, progress=False)


def _is_stopped(angles):
    return angles.max() > LIMITS[1] or angles.min() < LIMITS[0]


def test_the_same_linkage_with_its_limit_in_the_tree():
    """Limits of one stiffness, whatever dt: the two differ by errors of rk4, a sixteenth for half the step."""
    soft = lw.Compliant(frequency=50.0)
    loop = np.cumsum(_moved(_four_bar(limits=LIMITS), limits=soft).q, axis=1)
    start = [*np.diff(STARTS[:2], prepend=0.0), STARTS[2]]
    rooted = lw.Simulation(_four_bar(rooted_at_pin=True, limits=LIMITS), start, dt=5e-4, limits=soft)
    q = rooted.run(0.5, progress=False).q
    assert _is_stopped(loop[:, 2])
    np.testing.assert_allclose(loop, np.column_stack([q[:, 0], q[:, 0] + q[:, 1], q[:, 2]]), rtol=0, atol=1e-9)


@pytest.mark.parametrize("drive", ["", f"{float(STARTS[0])!r} + sin(3*t)**2"])
def test_compiled_steps_are_those_of_python(drive):
    soft = {"drive": drive, "limits": lw.Compliant(frequency=50.0)}
    one, other = (_moved(_four_bar(limits=LIMITS), compiled=how, **soft) for how in (True, False))
    assert _is_stopped(np.cumsum(one.q, axis=1)[:, 2])
    np.testing.assert_allclose(one.q, other.q, atol=1e-8)
    np.testing.assert_allclose(one.v, other.v, atol=1e-6)
    np.testing.assert_allclose(one.tau, other.tau, atol=1e-6 * np.abs(other.tau).max())


def test_a_pin_breaks_by_the_push_of_its_limit():
    """A hinge bears no torque about its axis but that of its limit."""
    times = []
    for compiled in (True, False):
        weak = _four_bar(limits=LIMITS, strength=lw.Strength(torque=5.0))
        times.append([event.time for event in _moved(weak, compiled=compiled).events])
    assert len(times[0]) == 1
    np.testing.assert_allclose(times[0], times[1], atol=1e-9)


def test_rollouts_are_the_same():
    linkage, q = _four_bar(limits=LIMITS), np.diff(STARTS, prepend=0.0)
    starts = np.array([lw.close_loops(linkage, q + np.array([0.01 * k, 0.0, 0.0])) for k in range(11)])
    made = lw.rollout(linkage, starts, np.zeros(3), dt=5e-4, steps=1000)
    assert _is_stopped(np.cumsum(made.q, axis=2)[..., 2])
    for k in (0, 4, 10):
        sim = lw.Simulation(linkage, starts[k], dt=5e-4)
        sim.run(0.5, progress=False)
        np.testing.assert_allclose(made.q[k, -1], sim.q, atol=1e-12)
        np.testing.assert_allclose(made.v[k, -1], sim.v, atol=1e-10)
    with pytest.raises(lw.ArgumentError, match="limits of loop joints have no adjoint"):
        made.vjp(q_bar=np.ones((11, 3)))


def test_a_ball_joint_in_a_loop_has_the_limits_of_one_in_the_tree():
    ball = lw.Spherical(limits=((-0.3, 0.4), (-0.2, 0.5), (-0.1, 0.1)))
    body, v = lw.Inertia.box((0.3, 0.2, 0.1), mass=1.0), [2.0, -1.0, 3.0]
    inertia = lw.Inertia(body.mass, (0.1, 0.2, -0.3), body.matrix)
    tree, loop = lw.Linkage(name="tree"), lw.Linkage(name="loop")
    tree.add_body("body", inertia, joint=ball)
    loop.add_body("body", inertia, joint=lw.Free())
    loop.connect("ground", "body", ball, name="ball")
    one = lw.Simulation(tree, v=v, dt=5e-4).run(0.3, progress=False)
    other = lw.Simulation(loop, v=[0, 0, 0, *v], dt=5e-4).run(0.3, progress=False)
    np.testing.assert_allclose(other.q[:, 3:], one.q, atol=1e-8)
    turned = tree.difference(tree.neutral(), one.q)
    assert turned[:, 2].max() > 0.1  # it was stopped
    assert turned[:, 2].max() < 0.11
