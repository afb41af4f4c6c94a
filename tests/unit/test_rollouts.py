"""Rollouts against step by step calls, closed forms, conservation laws and MuJoCo."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels import threads

numba = pytest.importorskip("numba")

EVERY_JOINT = {
    "Revolute": lw.Revolute((1, 2, 3)), "Prismatic": lw.Prismatic("x"), "Helical": lw.Helical("y", 0.3),
    "Cylindrical": lw.Cylindrical((0, 1, 1)), "Universal": lw.Universal("x", "z"), "Planar": lw.Planar("y"),
    "Spherical": lw.Spherical(), "Free": lw.Free(),
}  # fmt: skip


def pair(joint):
    """A tumbling box that carries another on this joint."""
    linkage = lw.Linkage(name="pair")
    box = lw.Inertia.box((0.2, 0.3, 0.4), mass=2.0, com=(0.1, -0.1, 0.05))
    linkage.add_body("first", box, joint=joint)
    linkage.add_body("second", box, joint=lw.Revolute("y"), parent="first", at=lw.Pose((0.2, 0.1, 0.3)))
    return linkage


def start(linkage, count, seed=0):
    rng = np.random.default_rng(seed)
    q = np.array([linkage.random(rng) for _ in range(count)])
    v, tau = rng.normal(size=(2, count, linkage.nv))
    return q, v, tau


@pytest.mark.nojit
@pytest.mark.parametrize("joint", EVERY_JOINT)
def test_semi_implicit_steps_are_the_public_calls(joint):
    linkage = pair(EVERY_JOINT[joint])
    q0, v0, tau = start(linkage, 3)
    dt, steps = 1e-2, 5
    q, v = lw.rollout(linkage, q0, v0, tau[:, None], dt, steps, integrator="semi-implicit")
    assert q.shape == (3, steps + 1, linkage.nq)
    np.testing.assert_array_equal(q[:, 0], q0)
    x, w = q0, v0
    for k in range(steps):
        w = w + dt * lw.forward_dynamics(linkage, x, w, tau)
        x = linkage.integrate(x, dt * w)
        np.testing.assert_allclose(q[:, k + 1], x, atol=1e-12)
        np.testing.assert_allclose(v[:, k + 1], w, atol=1e-11)


@pytest.mark.parametrize("joint", EVERY_JOINT)
def test_rk4_is_of_order_four_on_every_joint(joint):
    linkage = pair(EVERY_JOINT[joint])
    q0, v0, tau = start(linkage, 2)
    v0 *= 2.0

    def end(steps):
        return lw.rollout(linkage, q0, v0, tau[:, None], 0.2 / steps, steps, integrator="rk4", record_every=steps)

    truth = end(640)
    coarse, fine = (np.abs(linkage.difference(end(n).q[:, -1], truth.q[:, -1])).max() for n in (10, 20))
    assert 11.0 < coarse / fine < 24.0  # 16 when the step is small enough


def test_semi_implicit_is_of_order_one():
    linkage = pair(lw.Free())
    q0, v0, tau = start(linkage, 2)
    truth = lw.rollout(linkage, q0, v0, tau[:, None], 1e-4, 1000, integrator="rk4", record_every=1000)
    errors = []
    for steps in (50, 100):
        given = linkage, q0, v0, tau[:, None], 0.1 / steps, steps
        end = lw.rollout(*given, record_every=steps, integrator="semi-implicit")
        errors.append(np.abs(linkage.difference(end.q[:, -1], truth.q[:, -1])).max())
    assert 1.7 < errors[0] / errors[1] < 2.3


def test_a_falling_body_follows_the_parabola():
    linkage = lw.Linkage(name="stone")
    linkage.add_body("stone", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Free())
    q0 = linkage.neutral()
    v0 = np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
    q, _ = lw.rollout(linkage, q0, v0, dt=0.01, steps=100, integrator="rk4", record_every=50)
    t = np.array([0.0, 0.5, 1.0])[:, None]
    np.testing.assert_allclose(q[:, :3], t * v0[:3] + 0.5 * t**2 * [0.0, 0.0, -9.81], atol=1e-12)


def test_energy_and_momentum_are_kept_in_free_flight():
    linkage = lw.samples.random_tree(6, seed=2, base="free")
    linkage.gravity = (0.0, 0.0, 0.0)
    q0, v0, _ = start(linkage, 3)
    q, v = lw.rollout(linkage, q0, 0.5 * v0, dt=1e-3, steps=300, integrator="rk4", record_every=300)
    energy = lw.kinetic_energy(linkage, q, v)
    momentum = lw.momentum(linkage, q, v)
    # order 4: errors of dt⁴ times rates of some tens a second
    np.testing.assert_allclose(energy[:, -1], energy[:, 0], rtol=1e-8)
    np.testing.assert_allclose(momentum[:, -1], momentum[:, 0], atol=1e-8)


def test_torques_may_differ_from_step_to_step():
    linkage = lw.samples.chain(3)
    q0, v0, _ = start(linkage, 6)
    tau = np.random.default_rng(1).normal(size=(6, 8, 3))
    whole = lw.rollout(linkage, q0, v0, tau, 1e-2, 8)
    x, w = q0, v0
    for k in range(8):
        x, w = (y[:, -1] for y in lw.rollout(linkage, x, w, tau[:, k : k + 1], 1e-2, 1))
    np.testing.assert_array_equal(whole.q[:, -1], x)
    shared = lw.rollout(linkage, q0, v0, tau[2], 1e-2, 8)
    np.testing.assert_array_equal(shared.q[2], whole.q[2])
    alone = lw.rollout(linkage, q0[2], v0[2], tau[2], 1e-2, 8)
    assert alone.q.shape == (9, 3)
    np.testing.assert_array_equal(alone.q, whole.q[2])


def test_records_every_so_many_steps():
    linkage = lw.samples.chain(2)
    q0, v0, tau = start(linkage, 2)
    full = lw.rollout(linkage, q0, v0, tau[:, None], 1e-2, 12)
    some = lw.rollout(linkage, q0, v0, tau[:, None], 1e-2, 12, record_every=4)
    np.testing.assert_array_equal(some.q, full.q[:, ::4])
    np.testing.assert_array_equal(some.v, full.v[:, ::4])


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_pd_is_the_formula(base):
    linkage = lw.samples.random_tree(5, seed=4, base=base, joints=("Revolute", "Spherical"))
    q0, v0, tau = start(linkage, 5)
    target, rate, _ = start(linkage, 1, seed=9)
    kp, kd = np.linspace(5.0, 9.0, linkage.nv), np.linspace(0.5, 0.9, linkage.nv)
    controller = lw.PD(kp, kd, target[0], rate[0])
    q, v = lw.rollout(linkage, q0, v0, tau[:, None], 1e-3, 4, controller=controller, integrator="semi-implicit")
    x, w = q0, v0
    for _ in range(4):
        push = tau + kp * linkage.difference(x, np.broadcast_to(target, x.shape)) + kd * (rate - w)
        w = w + 1e-3 * lw.forward_dynamics(linkage, x, w, push)
        x = linkage.integrate(x, 1e-3 * w)
    np.testing.assert_allclose(q[:, -1], x, atol=1e-11)
    np.testing.assert_allclose(v[:, -1], w, atol=1e-9)


def test_pd_controls_a_simulation_as_it_does_a_rollout():
    linkage = lw.samples.random_tree(5, seed=4, base="free", joints=("Revolute", "Spherical"))
    q0, v0, _ = start(linkage, 1)
    targets = np.array([linkage.random(seed) for seed in range(3)])
    controller = lw.PD(0.2, np.full(linkage.nv, 0.02), targets)
    q, v = lw.rollout(linkage, q0[0], v0[0], dt=1e-3, steps=3, controller=controller)
    sim = lw.Simulation(linkage, q0[0], v0[0], controller=controller, limits="ignore")
    sim.run(0.003, progress=False)
    np.testing.assert_allclose(sim.q, q[-1], atol=1e-12)
    np.testing.assert_allclose(sim.v, v[-1], atol=1e-10)
    sim.run(0.005, progress=False)  # after the last target, which is kept
    with pytest.raises(lw.ArgumentError, match="a simulation has one state"):
        lw.Simulation(linkage, controller=lw.PD(1.0, 1.0, targets[None])).step()


def test_pd_follows_a_sequence_of_targets():
    linkage = lw.samples.chain(2)
    linkage.gravity = (0.0, 0.0, 0.0)
    targets = np.zeros((4000, 2))
    targets[2000:] = 0.5, -0.3
    controller = lw.PD(20.0, 8.0, targets)  # decays with 8 / (2 · 3 kg m²), over 10 s at each target
    start, options = [[0.2, 0.1]] * 2, {"dt": 5e-3, "steps": 4000, "record_every": 2000}
    q, _ = lw.rollout(linkage, start, [0.0, 0.0], controller=controller, **options)
    np.testing.assert_allclose(q[:, 1], 0.0, atol=1e-4)
    np.testing.assert_allclose(q[:, 2], [[0.5, -0.3]] * 2, atol=1e-4)


@numba.njit
def spring(t, q, v, tau):
    for k in range(len(tau)):
        tau[k] += np.sin(t) - 3.0 * q[k] - 0.2 * v[k]


def test_gains_and_matrices_of_each_rollout():
    """A matrix that is diagonal is PD; each rollout has its own, as it would alone."""
    linkage = lw.samples.chain(2)
    q0, v0, _ = start(linkage, 3)
    kp, target = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 5.0]]), np.array([0.3, -0.2])
    given = {"dt": 1e-2, "steps": 20}
    rolled = lw.rollout(linkage, q0, v0, controller=lw.PD(kp, 0.1, target), **given)
    K = np.zeros((3, 2, 4))
    K[:, [0, 1], [0, 1]], K[:, [0, 1], [2, 3]] = kp, 0.1
    offset = np.array([[[0.5, -0.1]], [[0.0, 0.0]], [[1.0, 2.0]]])
    matrix = lw.rollout(linkage, q0, v0, -offset, controller=lw.LinearFeedback(K, target, tau=offset), **given)
    np.testing.assert_allclose(matrix.q, rolled.q, atol=1e-12)
    for k in range(3):
        alone = lw.rollout(linkage, q0[k], v0[k], controller=lw.PD(kp[k], 0.1, target), **given)
        np.testing.assert_array_equal(alone.q, rolled.q[k])
    sim = lw.Simulation(linkage, q0[1], v0[1], dt=1e-2, controller=lw.LinearFeedback(K[1], target))
    sim.run(0.2, progress=False)
    np.testing.assert_allclose(sim.q, rolled.q[1, -1], atol=1e-12)
    with pytest.raises(lw.ArgumentError, match="a simulation has one state"):
        lw.Simulation(linkage, controller=lw.PD(kp, 0.1, target)).step()


@numba.njit
def sprung(t, q, v, tau, parameters):
    tau[0] += parameters[0] * np.sin(t) - parameters[1] * q[0]


def test_parameters_of_each_rollout_and_c_functions():
    linkage = lw.samples.chain(2)
    q0, v0, _ = start(linkage, 3)
    numbers, given = np.array([[1.0, 2.0], [0.0, 3.0], [5.0, 0.5]]), {"dt": 1e-2, "steps": 20}
    rolled = lw.rollout(linkage, q0, v0, controller=sprung, parameters=numbers, **given)
    for k in range(3):
        alone = lw.rollout(linkage, q0[k], v0[k], controller=sprung, parameters=numbers[k], **given)
        np.testing.assert_array_equal(alone.q, rolled.q[k])
    pointer = numba.types.CPointer(numba.float64)
    by_pointers = numba.cfunc(numba.void(numba.float64, *[pointer] * 4))(sprung.py_func)
    same = lw.rollout(linkage, q0, v0, controller=by_pointers, parameters=numbers, **given)
    np.testing.assert_allclose(same.q, rolled.q, atol=1e-13)


@pytest.mark.nojit
def test_a_users_controller_is_called_for_each_state_and_step():
    linkage = lw.samples.chain(3)
    q0, v0, tau = start(linkage, 6)
    q, v = lw.rollout(linkage, q0, v0, tau[:, None], 1e-2, 5, controller=spring, integrator="semi-implicit")
    x, w = q0, v0
    for k in range(5):
        push = tau + np.sin(k * 1e-2) - 3.0 * x - 0.2 * w
        w = w + 1e-2 * lw.forward_dynamics(linkage, x, w, push)
        x = x + 1e-2 * w
    np.testing.assert_allclose(q[:, -1], x, atol=1e-12)
    np.testing.assert_allclose(v[:, -1], w, atol=1e-11)


def test_forces_act():
    linkage = lw.samples.chain(3)
    linkage.add_force(lw.JointSpring("link1", stiffness=4.0, rest=0.1))
    q0, v0, tau = start(linkage, 5)
    f_ext = np.random.default_rng(5).normal(size=(5, 3, 6))
    q, v = lw.rollout(linkage, q0, v0, tau[:, None], 1e-2, 1, f_ext=f_ext, integrator="semi-implicit")
    w = v0 + 1e-2 * lw.forward_dynamics(linkage, q0, v0, tau, f_ext)
    np.testing.assert_allclose(v[:, -1], w, atol=1e-11)
    np.testing.assert_allclose(q[:, -1], q0 + 1e-2 * w, atol=1e-12)


def test_trajectories_do_not_depend_on_threads_or_on_the_rest(monkeypatch):
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 1)
    linkage = lw.samples.random_tree(6, seed=2, base="free")
    q0, v0, tau = start(linkage, 23)
    try:
        results = []
        for limit in (1, 2, 5):
            lw.set_threads(limit)
            given = linkage, q0, 0.1 * v0, 0.1 * tau[:, None]
            results.append(lw.rollout(*given, 1e-3, 20, controller=spring_of_nothing))
    finally:
        lw.set_threads(None)
    for other in results[1:]:
        np.testing.assert_array_equal(other.q, results[0].q)
        np.testing.assert_array_equal(other.v, results[0].v)
    alone = lw.rollout(linkage, q0[17], 0.1 * v0[17], 0.1 * tau[17], 1e-3, 20, controller=spring_of_nothing)
    np.testing.assert_array_equal(alone.q, results[0].q[17])


@numba.njit
def spring_of_nothing(t, q, v, tau):
    tau[-1] += 0.01 * v[-1]


@pytest.mark.parametrize("leading", [(), (0,), (1,), (2, 3)])
def test_leading_shapes(leading):
    linkage = lw.samples.chain(2)
    q, v = lw.rollout(linkage, np.zeros((*leading, 2)), np.zeros(2), dt=0.1, steps=4, record_every=2)
    assert q.shape == v.shape == (*leading, 3, 2)
    assert lw.rollout(linkage, np.zeros((*leading, 2)), np.zeros(2), steps=0).q.shape == (*leading, 1, 2)


def test_divergence_is_reported_with_time_and_state():
    linkage = lw.samples.chain(2)
    q0, v0 = np.zeros((6, 2)), np.zeros((6, 2))
    v0[4] = 1e200
    with pytest.raises(lw.DivergedError, match="state 4 of the batch: the state became non-finite") as caught:
        lw.rollout(linkage, q0, v0, dt=1e-2, steps=10)
    assert caught.value.time is not None
    assert 0.0 <= caught.value.time < 0.1


def test_a_bad_start_is_reported_as_such():
    linkage = lw.samples.random_tree(3, seed=1, base="free")
    q0 = np.array([linkage.random(1)] * 6)
    q0[5, 3:7] *= 2.0
    with pytest.raises(lw.ArgumentError, match="state 5 of the batch: the quaternion of joint 'body0'"):
        lw.rollout(linkage, q0, np.zeros(linkage.nv), steps=3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dt": 0.0}, "dt must be positive"),
        ({"dt": "soon"}, "dt must be a number"),
        ({"dt": np.nan}, "dt must be finite"),
        ({"steps": -1}, "steps must be at least 0"),
        ({"steps": 2.5}, "steps must be an integer"),
        ({"steps": 10, "record_every": 3}, "does not divide"),
        ({"integrator": "rk5"}, "unknown integrator 'rk5'; did you mean 'rk4'"),
        ({"tau": np.zeros((4, 7, 2)), "steps": 8}, r"tau has shape \(4, 7, 2\): give \(2,\) for a constant"),
        ({"tau": np.zeros(3)}, "tau has shape"),
        ({"controller": lambda t, q, v, tau: None}, "numba.njit"),
        ({"controller": numba.njit(lambda t, q: None)}, "takes 2 arguments"),
        ({"controller": numba.njit(lambda t, q, v, tau: q + "x")}, "does not compile as controller"),
        ({"parameters": [1.0]}, "parameters are for a controller that is a function"),
        ({"parameters": [1.0], "controller": numba.njit(lambda t, q, v, tau: None)}, "takes 4 arguments"),
        ({"controller": lw.LinearFeedback(np.ones((2, 2)), np.zeros(2))}, r"K has shape \(2, 2\)"),
        ({"controller": lw.PD(np.ones(3), 1.0, np.zeros(2))}, "kp has shape"),
        ({"controller": lw.PD(1.0, 1.0, np.zeros(3))}, "the controller's q has shape"),
        ({"q0": np.full((4, 2), np.inf)}, r"q0\[0, 0\] is inf"),
    ],
)
def test_bad_arguments_are_named(given, message):
    arguments = {"q0": np.zeros((4, 2)), "v0": np.zeros(2), "dt": 1e-3, "steps": 2} | given
    with pytest.raises(lw.ArgumentError, match=message):
        lw.rollout(lw.samples.chain(2), **arguments)


def test_same_steps_as_mujoco():
    """A pendulum of three rods under torques: MuJoCo's Euler steps are ours."""
    mujoco = pytest.importorskip("mujoco")
    linkage = lw.samples.chain(3)
    spec = mujoco.MjSpec()
    body = spec.worldbody
    for k in range(3):
        body = body.add_body(
            pos=[0, 0, -1.0 if k else 0], mass=1.0, ipos=[0, 0, -0.5], explicitinertial=True,
            inertia=[1 / 12 + 1 / 1600, 1 / 12 + 1 / 1600, 1 / 800],
        )  # fmt: skip
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    model = spec.compile()
    model.opt.timestep = 1e-3
    q0, v0, tau = start(linkage, 5)
    q, v = lw.rollout(linkage, q0, v0, tau[:, None], 1e-3, 100, record_every=100, integrator="semi-implicit")
    data = mujoco.MjData(model)
    for k in range(5):
        mujoco.mj_resetData(model, data)
        data.qpos, data.qvel, data.qfrc_applied = q0[k], v0[k], tau[k]
        mujoco.mj_step(model, data, 100)
        np.testing.assert_allclose(q[k, -1], data.qpos, atol=1e-10)
        np.testing.assert_allclose(v[k, -1], data.qvel, atol=1e-9)


@numba.njit
def asks_for_parameters(t, q, v, tau, parameters):
    tau[0] += parameters[0]


@numba.njit
def raises(t, q, v, tau):
    if t > 0.0035:
        raise ValueError("no more")


@numba.njit
def writes_nonsense(t, q, v, tau):
    tau["a"] = 1.0


@numba.cfunc(numba.types.void(*[numba.types.CPointer(numba.float64)] * 3, numba.float64))
def in_another_order(q, v, tau, t):
    pass


@pytest.mark.parametrize(
    ("controller", "how", "said"),
    [
        (asks_for_parameters, {}, "controller 'asks_for_parameters' takes parameters: give parameters="),
        (asks_for_parameters, {"parameters": np.empty((2, 0))}, "parameters has no numbers"),
        (raises, {}, "step 4, after t = 0.004 s.*does the controller raise"),
        (writes_nonsense, {}, "does not compile as controller.*No implementation of function"),
        (in_another_order, {}, "must have the signature void"),
    ],
)
def test_a_bad_controller_of_a_rollout_is_told(controller, how, said):
    linkage = lw.samples.chain(2)
    with pytest.raises(lw.LinkworkError, match=said):
        lw.rollout(linkage, np.zeros((2, 2)), np.zeros(2), dt=1e-3, steps=8, controller=controller, **how)
