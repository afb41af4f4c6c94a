"""Rollouts with contacts are the steps of a simulation; points on surfaces beside loops and drives are compiled."""

import numpy as np
import pytest

import linkwork as lw

G = 9.81


def hopper(ground=None):
    """A ball that bounces and spins, and its state."""
    linkage = lw.Linkage(name="hopper")
    linkage.add_body("body", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Free())
    linkage.add_shape("body", lw.Ball(0.1), friction=0.3, restitution=0.5, name="ball")
    linkage.add_shape("ground", ground or lw.Plane(), friction=1.0, name="floor")
    q = linkage.neutral()
    q[2] = 0.13
    return linkage, q, np.array([1.0, 0, 0, 0, 3.0, 0])


def five_bar_leg():
    """A five-bar with a foot above a floor, and its pose."""
    leg = lw.samples.five_bar()
    q, tip = leg.neutral(), leg.bodies.names[2]
    low = lw.body_poses(leg, q)[tip].apply((0.05, 0, -0.05))[2] - 0.02
    leg.add_shape(tip, lw.Point(), at=lw.Pose((0.05, 0, -0.05)), friction=0.4, name="foot")
    leg.add_shape("ground", lw.Plane((0, 0, 1), low), friction=1.0, name="floor")
    return leg, q


def arm(friction=0.1):
    """Li's two links, their tip on the floor, and their pose."""
    linkage = lw.Linkage(name="arm")
    for k in range(2):
        linkage.add_body(
            f"link{k}", lw.Inertia(1.0, (0, 0, 0.25), np.eye(3) * 0.25 / 12), joint=lw.Revolute("x"),
            parent=f"link{k - 1}" if k else "ground", at=lw.Pose((0, 0, 0.5 * k)),
        )  # fmt: skip
    linkage.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z"), friction=friction, name="floor")
    return linkage, np.array([-np.pi / 2 - 0.9, 1.8])


def test_shapes_as_in_a_simulation():
    """The same steps, compiled apart: sums may be rounded in another order."""
    linkage, q, v = hopper()
    fast = v * [2, 1, 1, 1, 1, 1]
    rolled = lw.rollout(linkage, q, [v, fast], dt=1e-3, steps=400, record_every=200)
    for k, start in enumerate((v, fast)):
        sim = lw.Simulation(linkage.copy(), q, start, dt=1e-3, contacts="time-stepping")
        sim.run(0.4)
        np.testing.assert_allclose(rolled.q[k, -1], sim.q, rtol=0, atol=1e-12)
        np.testing.assert_allclose(rolled.v[k, -1], sim.v, rtol=0, atol=1e-11)
    held = lw.rollout(linkage, q, v, dt=1e-3, steps=400, controller=lw.PD(0.0, [0, 0, 0, 0.1, 0.1, 0.1], q))
    assert abs(held.v[-1, 4]) < abs(rolled.v[0, -1, 4])


def test_ground_may_be_any_text():
    """As the sphere that it describes, and as in a simulation; one that rises throws things up."""
    ends = []
    for ground in (lw.Sphere((0, 0, -2), 2.0), lw.Surface("x**2 + y**2 + (z + 2)**2 - 4")):
        hill, q, v = hopper(ground)
        rolled = lw.rollout(hill, q, [v, 2 * v], dt=1e-3, steps=400, record_every=400)
        sim = lw.Simulation(hill, q, v, dt=1e-3, contacts="time-stepping")
        sim.run(0.4)
        np.testing.assert_allclose(rolled.q[0, -1], sim.q, atol=1e-12)
        ends.append(rolled.q[:, -1])
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-11)
    rising, q, v = hopper(lw.Surface("2*z - 2*t"))
    assert lw.rollout(rising, q, 0 * v, dt=1e-3, steps=400, record_every=400).q[-1, 2] > 0.4
    called, q, v = hopper(lw.Surface(lambda r: r[2], lambda r: np.array([0.0, 0, 1]), lambda r: np.zeros((3, 3))))
    with pytest.raises(lw.StructureError, match="rollouts do not know contacts of ground that is a function"):
        lw.rollout(called, q, v, steps=1)


@pytest.mark.parametrize("count", [1, 4, 6])
def test_states_of_a_pack_touch_by_themselves(count):
    """Each lands when it does, on joints whose frames turn with them, pushed by a wrench of its own."""
    linkage, q = lw.samples.rimless_wheel(slope=0.08)
    starts, push = np.tile(q, (count, 1)), np.zeros((count, linkage.nb, 6))
    starts[:, 0] += 0.02 * np.arange(count)
    push[:, 0, 0] = np.arange(count)
    v = np.array([0.3, 1.0, 0.5])
    rolled = lw.rollout(linkage, starts, v, f_ext=push, dt=1e-3, steps=300, record_every=150)
    for k in range(count):
        sim = lw.Simulation(
            linkage, starts[k], v, dt=1e-3, contacts="time-stepping", wrenches=lambda t, q, v, k=k: push[k]
        )  # fmt: skip
        sim.run(0.3)
        assert any("touches" in event.what for event in sim.recording.events)
        np.testing.assert_allclose(rolled.q[k, -1], sim.q, rtol=0, atol=1e-11)


def test_the_state_that_fails_is_named():
    linkage, q, v = hopper()
    speeds = np.tile(v, (6, 1))
    speeds[5, 0] = 1e305
    with pytest.raises(lw.DivergedError, match="state 5 of the batch: the state became non-finite"):
        lw.rollout(linkage, q, speeds, dt=1e-3, steps=400)


def test_shapes_beside_loops():
    leg, q = five_bar_leg()
    rolled = lw.rollout(leg, q, np.zeros(leg.nv), dt=1e-3, steps=150, limits="ignore")
    sim = lw.Simulation(leg, q, dt=1e-3, limits="ignore", contacts="time-stepping")
    sim.run(0.15)
    np.testing.assert_allclose(rolled.q[-1], sim.q, atol=1e-13)
    assert sim.contacts["foot", "floor"].mode != "open"


def test_points_on_surfaces_as_in_a_simulation():
    linkage, q = arm()
    tau = np.array([0.5, 0.0])
    rolled = lw.rollout(linkage, [q, q], np.zeros(2), tau, dt=1e-3, steps=100)
    sim = lw.Simulation(linkage, q, dt=1e-3, torques=lambda t, q, v: tau)
    sim.run(0.1)
    np.testing.assert_allclose(rolled.q[1, -1], sim.q, atol=1e-12)


def rail():
    """A five-bar, one point of which is kept on a plane, and its pose."""
    linkage = lw.samples.five_bar()
    q, tip = linkage.neutral(), linkage.bodies.names[1]
    x, _, z = lw.body_poses(linkage, q)[tip].apply((0.05, 0, 0))
    plane = lw.Plane((0.3, 0, 1), (0.3 * x + z) / np.hypot(0.3, 1))
    linkage.constrain(tip, point=(0.05, 0, 0), surface=plane, friction=0.1, name="rail")
    return linkage, q


def test_points_beside_loops_are_compiled():
    """Compiled steps are those of Python, and those of a rollout, which are compiled apart."""
    linkage, q = rail()
    found = []
    for slow in (False, True):
        sim = lw.Simulation(linkage.copy(), q, dt=1e-3, limits="ignore")
        assert sim._engine.stepper.compiled
        sim._engine.stepper.compiled = not slow
        sim.run(0.03)
        found.append(sim.q)
    np.testing.assert_allclose(found[0], found[1], atol=1e-11)
    rolled = lw.rollout(linkage, [q, q], np.zeros(linkage.nv), dt=1e-3, steps=30, limits="ignore")
    np.testing.assert_allclose(rolled.q[1, -1], found[0], atol=1e-12)
    place = lw.body_poses(linkage, rolled.q[1, -1])[linkage.bodies.names[1]].apply((0.05, 0, 0))
    surface = linkage.contacts["rail"].surface
    assert place @ surface.normal == pytest.approx(surface.offset, abs=1e-12)


def test_points_beside_drives_are_compiled():
    driven, start = arm(friction=0.0)
    sim = lw.Simulation(driven, start, dt=1e-3)
    sim.drive("link0", f"{start[0]} + 0.1*t**2")
    recording = sim.run(0.2)
    assert sim._engine.stepper.compiled
    assert sim.q[0] == pytest.approx(start[0] + 0.1 * 0.04, abs=1e-12)
    height = lw.body_poses(driven, sim.q)["link1"].apply((0, 0, 0.5))[2]
    assert height == pytest.approx(0.0, abs=1e-11)
    k = 100  # under the torque of the drive, the linkage moves as it is told
    found = lw.solve(driven, recording.q[k], recording.v[k], recording.tau[k])
    np.testing.assert_allclose(found.a, recording.a[k], atol=1e-8)
    assert recording.a[k][0] == pytest.approx(0.2, abs=1e-9)


def test_drives_and_points_in_time_stepping():
    linkage = lw.Linkage()
    linkage.add_body("cart", lw.Inertia.box((0.1, 0.1, 0.1), mass=1.0), joint=lw.Prismatic("x"))
    linkage.add_body("arm", lw.Inertia.box((0.1, 0.1, 0.1), mass=1.0), joint=lw.Prismatic("z"), parent="cart")
    linkage.add_shape("arm", lw.Point(), friction=0.5, name="tip")
    linkage.add_shape("ground", lw.Plane(), friction=1.0, name="floor")
    for contacts in ("time-stepping", "events"):
        sim = lw.Simulation(linkage.copy(), [0, 0], [0.5, 0], dt=1e-3, contacts=contacts)
        sim.drive("cart", "0.5*t")
        recording = sim.run(0.1)
        np.testing.assert_allclose(recording.q[-1], [0.05, 0], atol=1e-12)
        np.testing.assert_allclose(recording.tau[10:-1, 0], 0.5 * G, rtol=1e-9)
    block = lw.Linkage()
    for axis, parent in zip("xyz", ("ground", "x", "y"), strict=True):
        block.add_body(axis, lw.Inertia(1.0) if axis == "z" else None, joint=lw.Prismatic(axis), parent=parent)
    block.constrain("z", surface=lw.Plane((np.sin(0.35), 0, np.cos(0.35))), friction=0.3, name="slope")
    sim = lw.Simulation(block, dt=1e-3, contacts="time-stepping")
    sim.run(0.2)
    way = 0.5 * G * (np.sin(0.35) - 0.3 * np.cos(0.35)) * 0.04
    np.testing.assert_allclose(sim.q, way * np.array([np.cos(0.35), 0, -np.sin(0.35)]), atol=2e-6)


def test_what_rollouts_refuse():
    linkage, q, v = hopper()
    low = q.copy()
    low[2] = 0.05
    with pytest.raises(lw.StructureError, match=r"state 1 of the batch: shapes 'ball' and 'floor' overlap by 0.05 m"):
        lw.rollout(linkage, [q, low], v, steps=1)
    linkage.add_body("other", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Free())
    linkage.add_shape("other", lw.Box((0.1, 0.1, 0.1)), name="other")
    linkage.add_body("third", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Free())
    linkage.add_shape("third", lw.Box((0.1, 0.1, 0.1)), name="third")
    with pytest.raises(lw.StructureError, match="rollouts do not know contacts of a Box or Mesh with a solid that"):
        lw.rollout(linkage, linkage.neutral(), np.zeros(12), steps=1)
