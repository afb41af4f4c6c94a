"""Rollouts of closed linkages and against limits: beside single compiled steps, closed forms and conservation laws."""

import signal
import threading

import numpy as np
import pytest

import linkwork as lw
from linkwork.simulation import rollout_run

TYPES = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Gimbal")


def turning(linkage, speed, seconds, count):
    """States on the way of a linkage that is set in motion."""
    q = lw.close_loops(linkage, linkage.neutral())
    rng = np.random.default_rng(0)
    v = lw.consistent_velocity(linkage, q, speed * rng.normal(size=linkage.nv))
    recording = lw.Simulation(linkage, q, v, dt=1e-3).run(seconds, progress=False)
    at = np.linspace(0, len(recording.t) - 1, count).astype(int)
    return recording.q[at].copy(), recording.v[at].copy()


def steps_of_simulation(linkage, q, v, steps, **options):
    sim = lw.Simulation(linkage, q, v, dt=1e-3, **options)
    sim.run(steps * 1e-3, progress=False)
    return np.concatenate([sim.q, sim.v])


def reached(rollout):
    return np.concatenate([rollout.q[..., -1, :], rollout.v[..., -1, :]], axis=-1)


@pytest.mark.parametrize(("name", "seconds"), [("four_bar", 2.0), ("stewart", 0.3)])
def test_a_thousand_steps_are_those_of_a_simulation(name, seconds):
    """From poses so far apart that lanes of one pack eliminate in different orders."""
    linkage = getattr(lw.samples, name)()
    q, v = turning(linkage, 2.0, seconds, 5)
    rolled = lw.rollout(linkage, q, v, dt=1e-3, steps=1000, record_every=1000)
    for k in (0, 2, 4):
        alone = steps_of_simulation(linkage, q[k], v[k], 1000)
        np.testing.assert_allclose(reached(rolled)[k], alone, rtol=1e-12, atol=1e-12)


@pytest.mark.nojit
@pytest.mark.parametrize("kind", TYPES)
def test_every_loop_joint(kind):
    linkage, q = lw.samples.random_closed(5, joint=kind, loops=2, seed=700, damping=True)
    q, v = turning(linkage, 0.3, 0.004, 3)
    tau = 0.1 * np.random.default_rng(1).normal(size=(3, 1, linkage.nv + linkage.nv_loop))
    rolled = lw.rollout(linkage, q, v, tau, dt=1e-3, steps=3, limits="ignore")
    for k in range(3):
        sim = lw.Simulation(linkage, q[k], v[k], dt=1e-3, controller=lambda sim, k=k: tau[k, 0])
        sim.run(0.003, progress=False)
        np.testing.assert_allclose(reached(rolled)[k], np.concatenate([sim.q, sim.v]), atol=1e-11)


@pytest.mark.nojit
@pytest.mark.parametrize("massless_rod", [False, True])
def test_point_masses_in_loops(massless_rod):
    """They turn without inertia, and loops alone turn them: such states leave their pack, to the same steps."""
    linkage = lw.Linkage(name="slider-crank")
    none, ball = lw.Inertia(0.0, (0, 0, 0), np.zeros((3, 3))), lw.Inertia(2.0, (0, 0, 0), np.zeros((3, 3)))
    rod = none if massless_rod else lw.Inertia.rod(1.0, mass=1.0, axis="x")
    linkage.add_body("crank", lw.Inertia.rod(0.3, mass=1.0, axis="x"), joint=lw.Revolute("y"))
    linkage.add_body("rod", rod, joint=lw.Revolute("y"), parent="crank", at=lw.Pose((0.3, 0, 0)))
    linkage.add_body("slider", ball, joint=lw.Revolute("y"), parent="rod", at=lw.Pose((1.0, 0, 0)))
    linkage.connect("ground", "slider", lw.Prismatic("x"), name="guide")
    q = np.array([lw.close_loops(linkage, [angle, -1.3 * angle, 0.2]) for angle in (0.7, 0.5, -0.9)])
    v = np.array([lw.consistent_velocity(linkage, each, [1.0, 0.0, 0.0]) for each in q])
    law = lw.PD([3.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0])
    rolled = lw.rollout(linkage, q, v, dt=1e-3, steps=40, controller=law)
    for k in range(3):
        alone = steps_of_simulation(linkage, q[k], v[k], 40, controller=law)
        np.testing.assert_allclose(reached(rolled)[k], alone, rtol=1e-12, atol=1e-12)
    bar, push = np.array([1.0, 0.3, -0.2]), np.array([1.0, 0.0, 0.0, 0.0])

    def last(torque):
        return lw.rollout(linkage, q[0], v[0], torque, dt=1e-3, steps=40).q[-1] @ bar

    gradient = lw.rollout(linkage, q[0], v[0], dt=1e-3, steps=40).vjp(q_bar=bar).tau
    assert gradient[0] == pytest.approx((last(1e-4 * push) - last(-1e-4 * push)) / 2e-4, rel=1e-6)


def test_energy_is_kept_and_loops_stay_closed():
    linkage = lw.samples.four_bars(2)
    q, v = turning(linkage, 3.0, 0.5, 3)
    rolled = lw.rollout(linkage, q, v, dt=1e-3, steps=500, record_every=100)
    energy = lw.kinetic_energy(linkage, rolled.q, rolled.v) + lw.potential_energy(linkage, rolled.q)
    np.testing.assert_allclose(energy, energy[:, :1] + np.zeros(6), atol=1e-6 * np.abs(energy).max())
    gaps = [np.abs(lw.close_loops(linkage, pose) - pose).max() for pose in rolled.q.reshape(-1, linkage.nq)]
    assert max(gaps) < 1e-10


def gripper(multiplier):
    linkage = lw.Linkage(name="gripper", gravity=(0.0, 0.0, 0.0))
    for side, mass in (("left", 0.5), ("right", 2.0)):
        linkage.add_body(side, lw.Inertia.box((0.1, 0.1, 0.1), mass=mass), joint=lw.Prismatic("x"))
    linkage.couplings.append(lw.Coupling("right", "left", multiplier))
    return linkage


@pytest.mark.nojit
def test_a_coupled_joint_follows():
    """Left and right move as one mass m + k² M under a force on the left."""
    linkage, k = gripper(-0.5), -0.5
    force = np.array([[[0.3, 0.0]], [[-1.0, 0.0]]])
    rolled = lw.rollout(linkage, np.zeros((2, 2)), np.zeros(2), force, dt=1e-2, steps=20)
    np.testing.assert_allclose(rolled.q[..., 1], k * rolled.q[..., 0], atol=1e-14)
    travelled = 0.5 * force[:, 0, 0] / (0.5 + k * k * 2.0) * 0.2**2
    np.testing.assert_allclose(rolled.q[:, -1, 0], travelled, rtol=1e-12)


@pytest.mark.nojit
def test_loops_that_are_open_at_the_start_raise_unless_they_are_to_be_closed():
    linkage = lw.samples.four_bar()
    q = np.array([lw.close_loops(linkage, linkage.neutral())] * 3)
    q[1] += [0.01, 0.0, 0.0]
    with pytest.raises(lw.StructureError, match=r"state 1 of the batch: loop 'pin' is open by .* at the start"):
        lw.rollout(linkage, q, np.zeros(3), steps=1)
    with pytest.raises(lw.StructureError, match="state 2 of the batch: loop 'pin' comes apart with"):
        lw.rollout(linkage, q[0], [[0, 0, 0], [0, 0, 0], [1.0, 0.0, 0.0]], steps=1)
    closed = lw.rollout(linkage, q, np.zeros(3), steps=0, close=True).q[:, 0]
    np.testing.assert_allclose(closed[1], lw.close_loops(linkage, q[1]), atol=1e-11)
    np.testing.assert_array_equal(closed[0], q[0])


def limited(linkage, half):
    for joint in linkage.joints:
        joint.limits = (-half, half) if joint.nv == 1 else np.array([[-half, half]] * joint.nv)
    return linkage


@pytest.mark.parametrize("joint", [lw.Revolute("y"), lw.Spherical()])
def test_limits_act_as_in_a_simulation(joint):
    """Joints that fall onto their limits, each stiff for the inertia that it feels at its own start."""
    linkage = lw.Linkage(name="arm")
    box = lw.Inertia.box((0.1, 0.2, 0.6), mass=1.0, com=(0.0, 0.0, -0.3))
    linkage.add_body("upper", box, joint=joint)
    linkage.add_body("lower", box, joint=lw.Revolute("y"), parent="upper", at=lw.Pose((0.0, 0.0, -0.6)))
    limited(linkage, 0.3)
    rng = np.random.default_rng(0)
    q = linkage.integrate(linkage.neutral(), 0.15 * rng.uniform(-1.0, 1.0, size=(5, linkage.nv)))
    v = 2.0 * rng.normal(size=(5, linkage.nv))
    rolled = lw.rollout(linkage, q, v, dt=1e-3, steps=300)
    angles = linkage.difference(linkage.neutral(), rolled.q)
    assert np.abs(angles).max() < 0.4
    free = lw.rollout(linkage, q, v, dt=1e-3, steps=300, limits="ignore").q
    assert np.abs(linkage.difference(linkage.neutral(), free)).max() > 0.5
    for k in range(3):
        alone = steps_of_simulation(linkage, q[k], v[k], 300)
        np.testing.assert_allclose(reached(rolled)[k], alone, atol=1e-11)


def test_limits_of_a_closed_linkage():
    linkage = lw.samples.four_bar()
    q, v = turning(linkage, 2.0, 0.01, 2)
    linkage.joints["crank"].limits = (q[0, 0] - 0.05, q[0, 0] + 0.05)
    rolled = lw.rollout(linkage, q, v, dt=1e-3, steps=200)
    assert np.abs(rolled.q[..., 0] - q[0, 0]).max() < 0.07
    np.testing.assert_allclose(reached(rolled)[0], steps_of_simulation(linkage, q[0], v[0], 200), atol=1e-11)


@pytest.mark.nojit
def test_motors_give_what_they_can():
    """As in a simulation, whose motors are limited in Python: by effort, and near their speed along the motion."""
    linkage = lw.samples.chain(2)
    linkage.add_force(lw.Motor(linkage.joints[0].name, effort=4.0, speed=0.8))
    tau, v = np.array([[[30.0, 0.3]], [[-30.0, 0.0]]]), np.array([[0.78, 0.0], [0.5, 0.0]])
    rolled = lw.rollout(linkage, np.zeros((2, 2)), v, tau, dt=1e-2, steps=8)
    for k in range(2):
        sim = lw.Simulation(linkage, np.zeros(2), v[k], dt=1e-2, controller=lambda sim, k=k: tau[k, 0])
        sim.run(0.08, progress=False)
        np.testing.assert_allclose(reached(rolled)[k], np.concatenate([sim.q, sim.v]), atol=1e-12)


@pytest.mark.nojit
def test_wrenches_on_a_closed_linkage():
    linkage = lw.samples.four_bar()
    q, v = turning(linkage, 1.0, 0.004, 2)
    f_ext = np.random.default_rng(0).normal(size=(2, linkage.nb, 6))
    rolled = lw.rollout(linkage, q, v, dt=1e-3, steps=1, f_ext=f_ext, integrator="semi-implicit")
    for k in range(2):
        a = lw.forward_dynamics(linkage, q[k], v[k], f_ext=f_ext[k], method="crba")
        np.testing.assert_allclose(rolled.v[k, 1], v[k] + 1e-3 * a, atol=1e-5)  # but for what projection takes
        np.testing.assert_allclose(rolled.q[k, 1], q[k] + 1e-3 * rolled.v[k, 1], atol=1e-5)


def test_what_rollouts_do_not_know_is_told():
    linkage = lw.samples.chain(2)
    with pytest.raises(lw.ArgumentError, match="compliant limits"):
        lw.rollout(linkage, np.zeros(2), np.zeros(2), limits="impulsive")
    floor = lw.Surface(lambda r: r[2] + 1.0, lambda r: np.array([0.0, 0.0, 1.0]), lambda r: np.zeros((3, 3)))
    linkage.constrain("link1", surface=floor, name="floor")
    with pytest.raises(lw.StructureError, match=r"a surface of linkage .* is a Python function"):
        lw.rollout(linkage, np.zeros(2), np.zeros(2))


def test_a_singular_pose_on_the_way_is_told():
    linkage = lw.samples.four_bar(ground=1.0, crank=0.5, coupler=1.0, rocker=0.5)
    q = lw.close_loops(linkage, linkage.neutral())
    v = lw.consistent_velocity(linkage, q, np.array([-12.0, 0.0, 0.0]))
    with pytest.warns(lw.LinkworkWarning, match="came near a singular pose"):
        lw.rollout(linkage, q, v, dt=1e-3, steps=400, record_every=400)


def test_calls_are_short_and_an_interrupt_is_seen(monkeypatch):
    """However a rollout is cut up into calls, its bits are the same; Ctrl-C ends one that would take an hour."""
    linkage = lw.samples.chain(2)
    q = np.random.default_rng(0).normal(size=(11, 2))
    whole = lw.rollout(linkage, q, np.zeros(2), dt=1e-3, steps=50, record_every=10)
    monkeypatch.setattr(rollout_run, "PATIENCE", 14)
    cut = lw.rollout(linkage, q, np.zeros(2), dt=1e-3, steps=50, record_every=10)
    np.testing.assert_array_equal(cut.q, whole.q)
    monkeypatch.undo()
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        lw.rollout(linkage, np.zeros((64, 2)), np.zeros(2), dt=1e-6, steps=10**9, record_every=10**9)
    timer.join()


@pytest.mark.parametrize("name", ["bricard", "stewart", "loaded"])
def test_batches_of_solutions_with_all_that_acts(name):
    linkage = lw.samples.four_bar() if name == "loaded" else getattr(lw.samples, name)()
    if name == "loaded":
        linkage.add_force(lw.Spring("ground", "coupler", (0, 0, 1.5), (0.5, 0, 0), stiffness=20.0, damping=0.1))
    q, v = turning(linkage, 1.0, 0.02, 4)
    rng = np.random.default_rng(2)
    tau, f_ext = rng.normal(size=(2, 2, linkage.nv + linkage.nv_loop)), rng.normal(size=(linkage.nb, 6))
    solution = lw.solve(linkage, q.reshape(2, 2, -1), v.reshape(2, 2, -1), tau, f_ext)
    for k in range(4):
        at = divmod(k, 2)
        alone = lw.solve(linkage, q[k], v[k], tau[at], f_ext)
        assert (solution.rank[at], solution.redundant[at]) == (alone.rank, alone.redundant)  # type: ignore[index]
        for what in ("a", "joint_wrenches", "loop_wrenches"):
            one = getattr(alone, what)
            np.testing.assert_allclose(getattr(solution, what)[at], one, atol=1e-12 * np.abs(one).max())
    assert solution.redundant_loops == alone.redundant_loops


@pytest.mark.nojit
def test_batches_of_solutions_and_of_motor_torques():
    linkage = lw.samples.four_bar()
    q, v = turning(linkage, 1.0, 0.02, 4)
    solution = lw.solve(linkage, q, v)
    tau = lw.actuator_torques(linkage, q, v, solution.a)
    assert solution["pin"].shape == (4, 6)
    assert solution.rank.tolist() == [2] * 4  # type: ignore[attr-defined]
    assert "states=(4,)" in repr(solution)
    for k in range(4):
        alone = lw.solve(linkage, q[k], v[k])
        np.testing.assert_array_equal(solution.a[k], alone.a)
        np.testing.assert_allclose(solution.joint_wrenches[k], alone.joint_wrenches, atol=1e-12)
        np.testing.assert_allclose(tau[k], lw.actuator_torques(linkage, q[k], v[k], alone.a), rtol=0, atol=1e-12)
    with pytest.raises(lw.ArgumentError, match="state 2 of the batch: the accelerations a would open loop 'pin'"):
        lw.actuator_torques(linkage, q, v, solution.a + np.array([[0.0], [0.0], [1.0], [0.0]]))
    assert lw.solve(linkage, q[:0], v[0]).joint_wrenches.shape == (0, 3, 6)
