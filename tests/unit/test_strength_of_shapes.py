"""Joints that break beyond their strength where shapes touch, against equilibrium by hand."""

import numpy as np
import pytest

import linkwork as lw

G = 9.81
WAYS = ("events", "time-stepping")
WITHIN = {"events": 1e-9, "time-stepping": 1e-3}  # s: of the instant at which something breaks, with steps of 1 ms


def rod(strength, *, length=1.0, floor=-5.0, wall=None):
    """A uniform rod of 1 kg that hangs on the joint "pin", with a ball at its end; a floor, and maybe a wall."""
    linkage = lw.Linkage()
    inertia = lw.Inertia.cylinder(1e-4, length, mass=1.0, axis="z", com=(0, 0, -0.5 * length))
    linkage.add_body("rod", inertia, joint=lw.Revolute("y"), joint_name="pin", strength=strength)
    if wall is not None:
        linkage.add_shape("rod", lw.Ball(0.01), at=lw.Pose((0, 0, -length)), name="tip")
        linkage.add_shape("ground", lw.Plane("x", wall), name="wall", friction=0.0)
        linkage.meet("tip", "wall")
    elif floor is not None:
        linkage.add_shape("rod", lw.Ball(0.01), at=lw.Pose((0, 0, -length)), name="tip")
        linkage.add_shape("ground", lw.Plane("z", floor), name="floor")
    return linkage


def bar(strength, *, loop=False, support=None, foot=None):
    """A bar of 2 m and 2 kg in two halves, joined by "middle", that rests on its two ends, without friction."""
    linkage, half = lw.Linkage(), lw.Inertia.cylinder(0.02, 1.0, mass=1.0, axis="x", com=(0.5, 0, 0))
    linkage.add_body("left", half, joint=lw.Planar("y"), at=lw.Pose((0, 0, 0.1)))
    if loop:
        linkage.add_body("right", half, joint=lw.Planar("y"), at=lw.Pose((1, 0, 0.1)))
        linkage.connect("left", "right", lw.Prismatic("x"), at_a=lw.Pose((1, 0, 0)), name="middle", strength=strength)
    else:
        joint = {"parent": "left", "joint": lw.Prismatic("x"), "joint_name": "middle", "strength": strength}
        linkage.add_body("right", half, at=lw.Pose((1, 0, 0)), **joint)
    for side, x in (("left", 0), ("right", 1)):
        linkage.add_shape(side, foot or lw.Ball(0.1), at=lw.Pose((x, 0, 0)), name=f"foot_{side}", friction=0.0)
    if support is None:
        linkage.add_shape("ground", lw.Plane("z"), name="floor", friction=0.0)
    else:
        linkage.add_shape("ground", support, at=lw.Pose((1, 0, -0.5)), name="floor", friction=0.0)
    for foot in ("foot_left", "foot_right"):
        linkage.meet(foot, "floor", friction=0.0)
    linkage.part("foot_left", "foot_right")
    return linkage


def pushed_down(linkage):
    """A force that grows by 100 N/s, on the left half where the halves meet."""
    down = np.zeros((linkage.nb, 6))
    down[0, [2, 4]] = -100.0, 100.0  # at x = 1 from its origin

    return lambda t, q, v: t * down


@pytest.mark.parametrize("contacts", WAYS)
def test_a_shape_far_away_does_not_change_when_a_pendulum_breaks(contacts):
    start, options = [1.3], {"dt": 1e-3}
    (alone,) = lw.Simulation(rod(20.0, floor=None), start, **options).run(1.0, progress=False).events
    run = lw.Simulation(rod(20.0), start, contacts=contacts, **options).run(0.8, progress=False)
    (event,) = run.events
    assert (event.cause, event.what) == (alone.cause, alone.what) == ("strength", "breaks, cut 'pin'")
    assert event.time == pytest.approx(alone.time, abs=WITHIN[contacts])
    assert event.energy_lost == pytest.approx(0.0, abs=1e-9)
    assert run.segments[-1].linkage.joints["rod"].type == lw.Free()


@pytest.mark.parametrize("strength", [lw.Strength(force=10.0), lw.Strength(torque=14.0)])
@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("contacts", WAYS)
def test_a_bar_on_two_supports_is_pushed_down_until_it_breaks(contacts, loop, strength):
    # Equilibrium: of a force P each support bears half, and so does the joint; its moment is P L/4 + W L/8.
    linkage = bar(strength, loop=loop)
    sim = lw.Simulation(linkage, dt=1e-3, contacts=contacts, wrenches=pushed_down(linkage))
    events = [event for event in sim.run(0.3, progress=False).events if event.cause == "strength"]
    force = min(2 * strength.force, (strength.torque - 2 * G * 2 / 8) * 4 / 2)
    assert [event.what for event in events] == ["breaks, cut 'middle'"]
    assert events[0].time == pytest.approx(force / 100.0, abs=WITHIN[contacts])


def test_contacts_that_python_looks_for_break_what_bears_them():
    pytest.importorskip("coal")
    linkage = bar(10.0, support=lw.Box((4, 1, 1)), foot=lw.Box((0.02, 0.2, 0.2)))
    sim = lw.Simulation(linkage, dt=1e-3, contacts="time-stepping", wrenches=pushed_down(linkage))
    assert not sim._engine.stepper.compiled
    events = [event for event in sim.run(0.22, progress=False).events if event.cause == "strength"]
    assert [event.what for event in events] == ["breaks, cut 'middle'"]
    assert events[0].time == pytest.approx(0.2, abs=2e-3)


@pytest.mark.parametrize("contacts", WAYS)
def test_what_stays_is_still_supported_where_something_breaks(contacts):
    # A beam rests on a foot below its middle: its pin bears nothing, and would bear m g / 4 if the beam fell.
    linkage = lw.Linkage()
    beam = lw.Inertia.cylinder(1e-3, 1.0, mass=1.0, axis="x", com=(0.5, 0, 0))
    linkage.add_body("beam", beam, joint=lw.Revolute("y"), joint_name="pin", at=lw.Pose((0, 0, 0.1)), strength=1.5)
    weight = lw.Inertia.sphere(0.01, mass=0.1)
    at = {"parent": "beam", "at": lw.Pose((0.5, 0, 0))}
    linkage.add_body("weight", weight, joint=lw.Fixed(), joint_name="bolt", strength=0.5, **at)
    linkage.add_shape("beam", lw.Ball(0.1), at=lw.Pose((0.5, 0, 0)), name="foot")
    linkage.add_shape("ground", lw.Plane("z"), name="floor")
    linkage.meet("foot", "floor", friction=0.0)
    sim = lw.Simulation(linkage, dt=1e-3, contacts=contacts)
    events = [event for event in sim.run(0.1, progress=False).events if event.cause == "strength"]
    assert [event.what for event in events] == ["breaks, cut 'bolt'"]
    assert events[0].time == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("contacts", WAYS)
@pytest.mark.parametrize("strength", [30.0, 40.0])
def test_redundant_feet_share_the_load_as_recorded(contacts, strength):
    # A table on four feet, pushed down off its middle: the forces of the least sum of squares.
    def table(strength):
        linkage = lw.Linkage()
        linkage.add_body("top", lw.Inertia.box((1, 1, 0.05), mass=4.0), joint=lw.Free(), at=lw.Pose((0, 0, 0.5)))
        leg = lw.Inertia.box((0.05, 0.05, 0.5), mass=0.5, com=(0, 0, -0.25))
        for k, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
            at = {"parent": "top", "at": lw.Pose((0.4 * x, 0.4 * y, 0))}
            linkage.add_body(f"leg{k}", leg, joint=lw.Fixed(), joint_name=f"root{k}", strength=strength, **at)
            linkage.add_shape(f"leg{k}", lw.Point(), at=lw.Pose((0, 0, -0.5)), name=f"foot{k}")
        linkage.add_shape("ground", lw.Plane("z"), name="floor", friction=0.6)
        down = np.zeros((linkage.nb, 6))
        down[0] = 0, 0, -100, -10, 20, 0  # at (0.2, 0.1)
        return lw.Simulation(linkage, dt=1e-3, contacts=contacts, wrenches=lambda t, q, v: t * down)

    strong = table(None).run(0.8, progress=False)
    loads = np.linalg.norm(strong.wrenches[:-1, 1, :3], axis=-1)
    # each root bears a quarter of the top, and of 100 t that and its share by the arms of the force
    assert loads[500] == pytest.approx(G + 50.0 * (1 / 4 + 0.2 / 1.6 + 0.1 / 1.6), abs=0.05)
    events = [event for event in table(strength).run(0.8, progress=False).events if event.cause == "strength"]
    assert "'root0'" in events[0].what
    expected = np.interp(strength, loads, strong.t[:-1])
    assert events[0].time == pytest.approx(expected, abs=WITHIN[contacts])


@pytest.mark.parametrize("contacts", WAYS)
def test_nothing_breaks_below_its_strength(contacts):
    linkage = bar(10.0)
    sim = lw.Simulation(linkage, dt=1e-3, contacts=contacts, wrenches=pushed_down(linkage))
    assert not [event for event in sim.run(0.19, progress=False).events if event.cause == "strength"]


@pytest.mark.parametrize(("contacts", "strength", "breaks"), [
    ("events", 100.0, False), ("time-stepping", 895.0, True), ("time-stepping", 915.0, False),
])  # fmt: skip
def test_an_impulse_counts_as_spread_over_one_step_by_time_stepping_and_not_by_events(contacts, strength, breaks):
    # Let go level, the rod hangs with ω² = 3 g/L where its end meets the wall, and stops: the pin gives m L ω / 6.
    sim = lw.Simulation(rod(strength, wall=-0.01), [-0.5 * np.pi], dt=1e-3, contacts=contacts)
    impulse = np.sqrt(3 * G) / 6
    assert 895.0 < impulse / 1e-3 < np.hypot(impulse / 1e-3, 2.5 * G) < 915.0
    events = [event for event in sim.run(0.6, progress=False).events if event.cause == "strength"]
    assert bool(events) == breaks


def test_a_point_on_a_surface_breaks_beside_shapes():
    # A bead under a ceiling that holds 30 N, pulled down by 100 N/s.
    linkage = lw.Linkage()
    linkage.add_body("bead", lw.Inertia.sphere(0.01, mass=1.0), joint=lw.Planar("y"))
    linkage.constrain("bead", surface=lw.Plane("z"), name="ceiling", strength=30.0)
    linkage.add_shape("bead", lw.Ball(0.01), name="ball")
    linkage.add_shape("ground", lw.Plane("z", -5.0), name="floor")
    down = np.array([[0, 0, -100.0, 0, 0, 0]])
    sim = lw.Simulation(linkage, dt=1e-3, contacts="time-stepping", wrenches=lambda t, q, v: t * down)
    events = [event for event in sim.run(0.3, progress=False).events if event.cause == "strength"]
    assert [event.what for event in events] == ["breaks, release 'ceiling'"]
    assert events[0].time == pytest.approx((30.0 - G) / 100.0, abs=1e-3)


def test_hard_limits_beside_strengths_are_refused_by_time_stepping():
    linkage = rod(20.0)
    linkage.joints["pin"].limits = (-1.0, 1.0)
    with pytest.raises(lw.ArgumentError, match=r"'pin' has a strength.*compliant"):
        lw.Simulation(linkage, contacts="time-stepping", limits="impulsive")


@pytest.mark.parametrize("loop", [False, True])
def test_rollouts_say_that_they_watch_no_strengths(loop):
    linkage = bar(10.0, loop=loop)
    with pytest.warns(lw.LinkworkWarning, match="'middle' will not break"):
        lw.rollout(linkage, linkage.neutral(), np.zeros(linkage.nv), dt=1e-3, steps=2)
