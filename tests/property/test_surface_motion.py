"""Motion on surfaces: closed forms, energy, events, singular poses and what must be refused."""

import numpy as np
import pytest

import linkwork as lw
from tests.property.test_contacts import put

G = 9.81
TILT = 0.5


def particle(surface, friction=0.0, mass=2.0):
    """A point mass that moves along x, y, z of the world: no turning."""
    linkage = lw.Linkage(name="particle")
    linkage.add_body("x", joint=lw.Prismatic("x"))
    linkage.add_body("y", joint=lw.Prismatic("y"), parent="x")
    linkage.add_body("bead", lw.Inertia(mass), joint=lw.Prismatic("z"), parent="y")
    linkage.constrain("bead", surface=surface, friction=friction, name="surface")
    return linkage


# Closed forms


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_block_on_an_incline(way):
    """Down it gains g (sin α − K cos α), up it loses g (sin α + K cos α); friction tips it forward."""
    K, d, h, m = 0.2, 0.3, 0.15, 5.0
    block = lw.Linkage(name="block")
    down, normal = np.array([np.cos(TILT), 0, -np.sin(TILT)]), np.array([np.sin(TILT), 0, np.cos(TILT)])
    block.add_body("block", lw.Inertia.box((0.6, 0.4, 0.3), mass=m), joint=lw.Free())
    for name, corner in {"front0": (d, 0.2, -h), "front1": (d, -0.2, -h), "back": (-d, 0, -h)}.items():
        block.constrain("block", point=corner, surface=lw.Plane(normal), friction=K, name=name)
    turn = lw.Pose.axis_angle((0, 1, 0), TILT)
    q = np.array([*(h * normal), *turn.quaternion])
    found = lw.solve(block, q, [way, 0, 0, 0, 0, 0])
    assert np.abs(found.contact_gaps).max() < 1e-15
    along = np.array([G * (np.sin(TILT) - way * K * np.cos(TILT)), 0, 0, 0, 0, 0])
    np.testing.assert_allclose(found.a, along, atol=1e-12)
    N = m * G * np.cos(TILT)
    front = 0.5 * (N + way * h * K * N / d)
    np.testing.assert_allclose(found.normal_forces, [front / 2, front / 2, N - front], rtol=1e-12)
    np.testing.assert_allclose(found.friction_forces.sum(axis=0), -way * K * N * down, atol=1e-12)
    # from rest it slides s = ½ a t² in the simulation, which is exact for constant acceleration
    if way > 0:
        sim = lw.Simulation(block, q, dt=0.01)
        sim.step()  # at the first instant nothing slides, and friction has no direction
        v0, s0 = sim.v[0], sim.q[:3] @ down
        sim.run(0.51)
        assert sim.v[0] == pytest.approx(v0 + 0.5 * along[0], rel=1e-9)
        assert sim.q[:3] @ down == pytest.approx(s0 + 0.5 * v0 + 0.125 * along[0], rel=1e-9)


def test_rod_that_falls_with_its_tip_on_a_smooth_floor():
    """ω² = 12 (g/l) (cos θ₀ − cos θ)/(1 + 3 sin² θ); its centre falls straight down; f_n from its acceleration."""
    length, m, start = 1.2, 3.0, 0.1
    rod = lw.Linkage(name="rod")
    inertia = lw.Inertia(m, (0, 0, 0), np.diag([m * length**2 / 12, m * length**2 / 12, 1e-3]))
    rod.add_body("rod", inertia, joint=lw.Planar("y"))
    rod.constrain("rod", point=(0, 0, -length / 2), surface=lw.Plane("z"), name="floor")
    axes = lw.body_poses(rod, [1.0, 0.0, 0.0]).positions[0], lw.body_poses(rod, [0.0, 1.0, 0.0]).positions[0]
    up = int(np.argmax([abs(axis[2]) for axis in axes]))
    q = np.array([0.0, 0.0, start])
    q[up] = 0.5 * length * np.cos(start) * axes[up][2]
    sim = lw.Simulation(rod, q, dt=1e-3)
    recording = sim.run(0.8)
    theta, omega = recording.q[:, 2], recording.v[:, 2]
    s, c = np.sin(theta), np.cos(theta)
    assert theta[-1] > 1.0
    np.testing.assert_allclose(omega**2, 12 * G / length * (np.cos(start) - c) / (1 + 3 * s**2), atol=1e-8)
    np.testing.assert_allclose(recording.q[:, 1 - up], 0, atol=1e-9)
    alpha = 6 / length * (G * s - 0.5 * length * s * c * omega**2) / (1 + 3 * s**2)
    f_n = m * (G - 0.5 * length * (c * omega**2 + s * alpha))
    np.testing.assert_allclose(recording.normal_forces[:, 0], f_n, atol=1e-7)
    assert np.abs(recording.energy - recording.energy[0]).max() < 1e-7  # of 17.6 J, by RK4 with steps of 1 ms


def test_bead_on_a_travelling_wave():
    """Held in x and y the bead goes z = A sin(kx − ωt); f_n n_z = m (g + z̈) and f_n n_x is held by the joint x."""
    A, k, w, x = 0.05, 3.0, 4.0, 0.2
    bead = particle(lw.Surface(f"z - {A}*sin({k}*x - {w}*t)"))
    for t in (0.0, 0.3, 1.1):
        phase = k * x - w * t
        q, v = [x, 0.0, A * np.sin(phase)], [0.0, 0.0, -A * w * np.cos(phase)]
        slope = A * k * np.cos(phase)  # dz/dx
        size = np.hypot(1.0, slope)
        # the joint x is held by the torque that makes its acceleration zero: f_n slope/size
        f_n = 2.0 * (G - A * w**2 * np.sin(phase)) * size
        found = lw.solve(bead, q, v, [f_n * slope / size, 0, 0], t=t)
        assert found.normal_forces[0] == pytest.approx(f_n, rel=1e-12)
        np.testing.assert_allclose(found.a, [0, 0, -A * w**2 * np.sin(phase)], atol=1e-12)


def test_bead_on_a_wedge_that_is_pushed():
    """On a smooth wedge accelerated by A it is pressed with m (g cos α + A sin α): at A = g tan α it does not slide."""
    push = G * np.tan(TILT)
    incline = lw.Plane((-np.sin(TILT), 0, np.cos(TILT)))  # rises with x
    bead = particle(
        incline.moving(
            lambda t: (lw.Pose((-0.5 * push * t * t, 0, 0)), [-push * t, 0, 0, 0, 0, 0], [-push, 0, 0, 0, 0, 0])
        )
    )
    sim = lw.Simulation(bead, dt=0.01)
    recording = sim.run(1.0)
    np.testing.assert_allclose(sim.q, [-0.5 * push, 0, 0], atol=1e-12)
    np.testing.assert_allclose(recording.normal_forces[:, 0], 2.0 * G / np.cos(TILT), rtol=1e-12)


def test_bead_on_a_lift_and_on_a_belt():
    """A floor that rises with a presses with m (g + a); one that moves along itself drags with K m g."""
    rising = particle(lw.Plane("z").moving(lambda t: lw.Pose((0, 0, 0.5 * 3.0 * t * t))))
    found = lw.solve(rising, [0, 0, 0.5 * 3.0 * 0.04], [0, 0, 0.6], t=0.2)
    assert found.normal_forces[0] == pytest.approx(2.0 * (G + 3.0), rel=1e-8)  # its acceleration is by differences
    belt = particle(
        lw.Plane("z").moving(lambda t: (lw.Pose((0.8 * t, 0, 0)), [0.8, 0, 0, 0, 0, 0], np.zeros(6))), friction=0.1
    )
    sim = lw.Simulation(belt, dt=0.01)
    sim.run(0.5)
    np.testing.assert_allclose(sim.v, [0.5 * 0.1 * G, 0, 0], atol=1e-12)
    np.testing.assert_allclose(sim.q, [0.125 * 0.1 * G, 0, 0], atol=1e-12)


def test_bead_leaves_a_sphere_at_two_thirds_of_its_height():
    """Sliding down a smooth ball from near the top it lifts off where cos θ = (2/3) cos θ₀."""
    start, R = 0.2, 0.7
    bead = particle(lw.Sphere((0, 0, 0), R))
    sim = lw.Simulation(bead, [R * np.sin(start), 0, R * np.cos(start)], dt=2e-3)
    sim.on_lift("surface")
    sim.run(1.2)
    (event,) = sim.recording.events
    assert event.cause == "contact"
    before, after = sim.recording.segments
    assert before.q[-1, 2] / R == pytest.approx(2 / 3 * np.cos(start), abs=1e-8)
    assert before.normal_forces[-1, 0] == pytest.approx(0, abs=1e-6)
    assert len(sim.linkage.contacts) == 0
    np.testing.assert_allclose(after.a[:, 2], -G, atol=1e-9)  # from then on it flies


# Energy


@pytest.mark.parametrize("surface", ["Plane", "Sphere", "Cylinder", "Torus", "expression", "functions"])
@pytest.mark.parametrize("seed", range(3))
def test_energy_goes_where_it_should(surface, seed):
    """dE/dt = input − damping − friction, and the normal force does no work."""
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(7, seed=rng, base=("free", "fixed")[seed % 2], damping=True)
    q, tau = linkage.random(rng), rng.normal(size=linkage.nv)
    put(linkage, q, 6, surface, rng, friction=0.2)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    found = lw.solve(linkage, q, v, tau)
    contact = linkage.contacts[0]
    slip = lw.jacobian(linkage, q, contact.body, contact.point)[:3] @ v
    power = tau @ v - linkage.columns.damping @ v**2 + found.friction_forces[0] @ slip
    assert found.friction_forces[0] @ slip == pytest.approx(
        -0.2 * found.normal_forces[0] * np.linalg.norm(slip), rel=1e-9
    )

    def energy(h):
        there = linkage.integrate(q, h * v + 0.5 * h * h * found.a)
        return lw.kinetic_energy(linkage, there, v + h * found.a) + lw.potential_energy(linkage, there)

    h = 1e-5
    rate = (8 * (energy(h) - energy(-h)) - energy(2 * h) + energy(-2 * h)) / (12 * h)
    scale = max(1.0, abs(power), np.abs(tau * v).sum())
    assert rate == pytest.approx(power, abs=1e-5 * scale * max(1.0, np.abs(v).max() ** 2))


def test_energy_over_a_whole_run():
    """A bead that rubs round a bowl: what is gone from its energy is the work of friction and damping."""
    K, D = 0.2, 0.3
    bowl = particle(lw.Sphere((0, 0, 0), 1.0, inside=True), friction=K)
    for joint in bowl.joints:
        joint.damping = D
    sim = lw.Simulation(bowl, [0.6, 0, -0.8], [0, 2.0, 0], dt=1e-3)
    recording = sim.run(0.6)
    v, f_n = recording.v, recording.normal_forces[:, 0]
    assert f_n.min() > 0
    power = -D * (v**2).sum(axis=1) - K * f_n * np.linalg.norm(v, axis=1)
    work = np.concatenate([[0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(recording.t))])
    assert work[-1] < -1.0
    np.testing.assert_allclose(recording.energy - recording.energy[0], work, atol=1e-5)  # the trapezoidal rule's error


# Poses in which nothing can be found


def upright():
    arm = lw.Linkage(name="upright")
    for k in range(2):
        rod = lw.Inertia.rod(0.5, mass=1.0, com=(0, 0, 0.25))
        arm.add_body(
            f"link{k}",
            rod,
            joint=lw.Revolute("x"),
            parent=f"link{k - 1}" if k else "ground",
            at=lw.Pose((0, 0, 0.5 * k)),
        )
    return arm


@pytest.mark.parametrize("method", ["auto", "aba", "extended-newton-euler"])
def test_singular_pose_raises_or_takes_the_least_force(method):
    arm = upright()
    arm.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z", 1.0), name="ceiling")
    with pytest.raises(lw.SingularError, match=r"'ceiling' is singular.*normal \[0"):
        lw.forward_dynamics(arm, [0, 0], [1, 0], method=method)
    arm.release("ceiling")
    free = lw.forward_dynamics(arm, [0, 0], [1, 0])
    arm.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z", 1.0), name="ceiling", singular="least-norm")
    found = lw.solve(arm, [0, 0], [1, 0], method=method)
    np.testing.assert_allclose(found.a, free, atol=1e-12)
    assert found.normal_forces[0] == 0
    assert found.redundant_contacts == ("ceiling",)
    assert found.residual == pytest.approx(1.0)  # the point goes off with v²/r, and that is said
    for near in (1e-3, 1e-6, 1e-8):  # nothing that comes out near it is not a number
        assert np.isfinite(lw.forward_dynamics(arm, [near, near], [0, 0], method=method)).all()


def test_contact_that_loops_hold_already_is_redundant():
    bar = lw.samples.four_bar()
    q = lw.close_loops(bar, bar.neutral())
    bar.connect("ground", "coupler", lw.Fixed(), at_a=lw.body_poses(bar, q)["coupler"], name="weld")
    before = lw.solve(bar, q, np.zeros(3)).redundant
    p = lw.body_poses(bar, q).positions[1]
    bar.constrain("coupler", surface=lw.Plane("z", p[2]), friction=0.1, name="table")
    found = lw.solve(bar, q, np.zeros(3))
    assert found.redundant == before + 1
    assert found.redundant_contacts == ("table",)
    np.testing.assert_allclose(found.a, 0, atol=1e-9)
    assert found.residual < 1e-8


# Simulation


def test_start_off_the_surface():
    bead = particle(lw.Plane("z"))
    with pytest.raises(lw.StructureError, match=r"'surface' is off its surface by 0\.1 m.*close=True"):
        lw.Simulation(bead, [0, 0, 0.1])
    with pytest.raises(lw.StructureError, match=r"'surface' leaves its surface with 1 m/s"):
        lw.Simulation(bead, v=[1, 0, 1])
    sim = lw.Simulation(bead, [0.5, 0, 0.1], [1, 0, 1], close=True)
    np.testing.assert_allclose(sim.q, [0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(sim.v, [1, 0, 0], atol=1e-12)
    arm = upright()
    arm.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z", 3.0), name="far")
    with pytest.raises(lw.StructureError, match=r"contact 'far' .* cannot be closed"):
        lw.close_loops(arm, [0.3, 0.4])


def test_constrain_and_release_while_running():
    """A ball that drops on a floor: an inelastic impact, then it slides; released, it falls on."""
    bead = particle(lw.Plane("z", -2.0))
    bead.release("surface")
    sim = lw.Simulation(bead, [0, 0, 1.0], [0.5, 0, 0], dt=1e-3)
    sim.when(
        lambda t, q, v: q[2],
        lambda sim: sim.constrain("bead", surface=lw.Plane("z"), friction=0.1, name="floor"),
        direction=-1,
        once=True,
    )
    sim.run(0.6)
    speed = np.sqrt(2 * G)
    (event,) = sim.recording.events
    assert event.time == pytest.approx(speed / G, abs=1e-8)
    assert event.energy_lost == pytest.approx(0.5 * 2.0 * speed**2, rel=1e-8)
    assert sim.q[2] == pytest.approx(0, abs=1e-12)
    assert sim.v[0] == pytest.approx(0.5 - 0.1 * G * (0.6 - event.time), abs=1e-8)
    sim.release("floor")
    sim.run(0.7)
    assert sim.v[2] == pytest.approx(-0.1 * G, rel=1e-6)
    with pytest.raises(lw.StructureError, match="do not meet"):
        sim.constrain("bead", surface=lw.Plane("z", 5.0), name="ceiling")
    assert len(sim.linkage.contacts) == 0


def test_impact_on_a_surface():
    bead = particle(lw.Plane((0, 0.6, 0.8)))
    jump = lw.velocity_jump(bead, np.zeros(3), [1.0, 0, -2.0], "surface")
    np.testing.assert_allclose(jump.v, [1.0, 0.96, -0.72], atol=1e-12)
    np.testing.assert_allclose(jump.impulse, 2 * 1.6 * np.array([0, 0.6, 0.8]), atol=1e-12)
    assert jump.energy_lost == pytest.approx(0.5 * 2 * 1.6**2)


@pytest.mark.parametrize("integrator", ["rk4", "semi-implicit", "implicit-midpoint", "dop853"])
def test_every_integrator_keeps_to_the_surface(integrator):
    """A pendulum, made of a bead in a bowl: period and energy as they should be, the gap at rounding."""
    R = 1.0
    bead = particle(lw.Sphere((0, 0, 0), R, inside=True))
    start = 0.3
    sim = lw.Simulation(bead, [R * np.sin(start), 0, -R * np.cos(start)], dt=2e-3, integrator=integrator)
    recording = sim.run(1.0)
    assert np.abs(np.linalg.norm(recording.q, axis=1) - R).max() < 1e-11
    tolerance = 3e-2 if integrator == "semi-implicit" else 1e-4
    assert np.abs(recording.energy - recording.energy[0]).max() < tolerance
    f_n = 2 * G * (3 * -recording.q[:, 2] / R - 2 * np.cos(start))  # m (g cos θ + θ̇² R), θ̇² from the energy
    np.testing.assert_allclose(recording.normal_forces[:, 0], f_n, atol=0.1 if integrator == "semi-implicit" else 1e-3)


# Calls


def test_batches_and_their_errors():
    bead = particle(lw.Surface("z - 0.1*sin(x - t)"), friction=0.1)
    rng = np.random.default_rng(0)
    q, v, tau, t = rng.normal(size=(3, 4, 3)), rng.normal(size=(3, 4, 3)), rng.normal(size=3), rng.uniform(size=(3, 4))
    a = lw.forward_dynamics(bead, q, v, tau, t=t)
    forces = rng.normal(size=(4, 1))
    back = lw.inverse_dynamics(bead, q, v, a, contact_forces=forces, t=t)
    for i, j in np.ndindex(3, 4):
        np.testing.assert_array_equal(a[i, j], lw.forward_dynamics(bead, q[i, j], v[i, j], tau, t=t[i, j]))
        one = lw.inverse_dynamics(bead, q[i, j], v[i, j], a[i, j], contact_forces=forces[j], t=t[i, j])
        np.testing.assert_allclose(back[i, j], one, atol=1e-12)
    bad = particle(lw.Surface("z - log(x)"))
    with pytest.raises(lw.ArgumentError, match=r"state 1 of the batch: contact 'surface'.*no value"):
        lw.forward_dynamics(bad, [[1, 0, 0], [-1, 0, 0]], np.zeros(3))
    with pytest.raises(lw.ArgumentError, match="contact_forces"):
        lw.inverse_dynamics(bead, q, v, a, contact_forces=[1.0, 2.0])
    with pytest.raises(lw.StructureError, match="solve"):
        lw.joint_wrenches(bead, q[0, 0], v[0, 0], a[0, 0])
    with pytest.raises(lw.ArgumentError, match="unknown method"):
        lw.forward_dynamics(bead, q, v, method="abaa")


def test_pulling_is_said():
    found = lw.solve(particle(lw.Plane("z")), np.zeros(3), np.zeros(3), [0, 0, 100.0])
    assert found.pulling == ("surface",)
    assert found.normal_forces[0] == pytest.approx(2 * G - 100)


def test_mobility_counts_contacts():
    bead = particle(lw.Plane((0, 0.6, 0.8)))
    found = lw.mobility(bead, np.zeros(3))
    assert (found.dof, found.rank, found.redundant) == (2, 1, 0)
    np.testing.assert_allclose(found.J_C @ found.W_J, 0, atol=1e-15)
    bead.constrain("bead", surface=lw.Plane((0, 0.6, 0.8)), name="again")
    found = lw.mobility(bead, np.zeros(3))
    assert (found.dof, found.redundant) == (2, 1)
    assert found.redundant_rows[0] in ("surface", "again")


def test_motors_and_smooth_contacts():
    """forward_dynamics(actuator_torques(a)) is a, for motions along the surface; friction is refused."""
    arm = upright()
    arm.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z", 0.6), name="table")
    q = lw.close_loops(arm, [0.4, 0.9])
    v = lw.consistent_velocity(arm, q, [0.3, -0.2])
    a = lw.forward_dynamics(arm, q, v, [0.5, -0.3])
    np.testing.assert_allclose(lw.forward_dynamics(arm, q, v, lw.actuator_torques(arm, q, v, a)), a, atol=1e-10)
    with pytest.raises(lw.ArgumentError, match="'table' off its surface"):
        lw.actuator_torques(arm, q, v, a + np.array([1.0, 0.0]))
    arm.release("table")
    arm.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z", 0.6), friction=0.1)
    with pytest.raises(lw.ArgumentError, match="contact_forces"):
        lw.actuator_torques(arm, q, v, a)


def test_recordings_and_resumed_runs_keep_their_contacts(tmp_path):
    """A file holds the contacts; a run that is taken up again goes on to the bit."""
    start = [0.6, 0.0, -0.8], [0.0, 1.5, 0.0]

    def bowl():
        return particle(lw.Sphere((0, 0, 0), 1.0, inside=True), friction=0.1)

    whole = lw.Simulation(bowl(), *start, dt=5e-3)
    whole.run(0.4)
    half = lw.Simulation(bowl(), *start, dt=5e-3, record=tmp_path / "run.h5")
    half.run(0.2)
    read = lw.Recording.load(tmp_path / "run.h5")
    assert read.segments[0].linkage.contacts.names == ["surface"]
    np.testing.assert_array_equal(read.normal_forces, half.recording.normal_forces)
    again = lw.Simulation.resume(tmp_path / "run.h5")
    again.run(0.4)
    np.testing.assert_array_equal(again.q, whole.q)
    np.testing.assert_array_equal(again.v, whole.v)


def test_drives_and_contacts():
    """A joint that is led, on an arm whose tip is kept on a table: the rest follows, and the torque is told."""
    arm = upright()
    arm.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z", 0.6), friction=0.1, name="table")
    q = lw.close_loops(arm, [0.4, 0.9])
    rate = 0.3
    v = lw.consistent_velocity(arm, q, [rate, 0.0])
    v *= rate / v[0]
    sim = lw.Simulation(arm, q, v, dt=2e-3)
    sim.drive("link0", lambda t: (q[0] + rate * t, rate, 0.0))
    recording = sim.run(0.5)
    np.testing.assert_allclose(recording.q[:, 0], q[0] + rate * recording.t, atol=1e-9)
    height = 0.5 * np.cos(recording.q[:, 0]) + 0.5 * np.cos(recording.q.sum(axis=1))
    np.testing.assert_allclose(height, 0.6, atol=1e-9)
    for k in (10, 100, 200):  # the first row is from before the drive
        a = lw.forward_dynamics(arm, recording.q[k], recording.v[k], recording.tau[k])
        assert a[0] == pytest.approx(0, abs=1e-9)


def crank_and_wall():
    """A crank on a cart whose slider is a point mass, pushed by a wall above its pin; and a closed pose."""
    linkage = lw.Linkage(name="crank and wall")
    linkage.add_body("cart", lw.Inertia.box((0.1, 0.1, 0.1), mass=1.0), joint=lw.Prismatic("z"))
    linkage.add_body("crank", lw.Inertia.rod(0.3, mass=1.0, axis="x"), joint=lw.Revolute("y"), parent="cart")
    rod = lw.Inertia.rod(1.0, mass=1.0, axis="x")
    linkage.add_body("rod", rod, joint=lw.Revolute("y"), parent="crank", at=lw.Pose((0.3, 0, 0)))
    at = lw.Pose((1.0, 0, 0))
    linkage.add_body("slider", lw.Inertia.point(2.0), joint=lw.Revolute("y"), parent="rod", at=at)
    linkage.connect("ground", "slider", lw.Prismatic("x"), name="guide")
    q = lw.close_loops(linkage, [0.1, 0.7, -0.9, 0.2])
    x, _, z = lw.body_poses(linkage, q)["slider"].apply((0.1, 0, 0.2))
    wall = lw.Surface(f"x + 0.3*z - {float(x + 0.3 * z)!r} - 0.2*t")
    linkage.constrain("slider", point=(0.1, 0, 0.2), surface=wall, friction=0.1, name="wall")
    return linkage, q


@pytest.mark.parametrize("seed", range(3))
def test_an_axis_without_inertia_beside_a_point_on_a_surface(seed):
    """Loops alone turn the slider: against dense matrices."""
    (linkage, q), rng = crank_and_wall(), np.random.default_rng(seed)
    v, tau = lw.consistent_velocity(linkage, q, rng.normal(size=4)), rng.normal(size=4)
    a = lw.forward_dynamics(linkage, q, v, tau)
    np.testing.assert_allclose(a, lw.forward_dynamics(linkage, q, v, tau, method="crba"), rtol=1e-9, atol=1e-9)


def test_the_torque_of_a_drive_beside_an_axis_without_inertia():
    """Dense matrices give the acceleration of the drive under the torque that was recorded."""
    linkage, q = crank_and_wall()
    sim = lw.Simulation(linkage, q, lw.consistent_velocity(linkage, q, [0.0, 1.0, 0.0, 0.0]), dt=1e-3)
    sim.drive("crank", f"{float(q[1])!r} + {float(sim.v[1])!r}*t + 0.5*t**2")
    recording = sim.run(0.1, progress=False)
    for k in (1, 50, 99):
        t, state = recording.t[k], (recording.q[k], recording.v[k], recording.tau[k])
        a = lw.forward_dynamics(linkage, *state, method="crba", t=t)
        np.testing.assert_allclose(a, recording.a[k], rtol=1e-8, atol=1e-8)
    assert abs(recording.a[50, 1] - 1.0) < 1e-9
