"""Torques of motors that are more than needed, limited, or beside contacts: against a root, and forward dynamics."""

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.optimize import brentq

import linkwork as lw
from linkwork.dynamics import actuation

TYPES = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Gimbal")


def braced(seed=0):
    """A four-bar with a motor in every joint, that of its loop too, a motion of it, and torques that make it."""
    linkage = lw.samples.four_bar()
    rng = np.random.default_rng(seed)
    q = lw.close_loops(linkage, linkage.neutral())
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau = 20.0 * rng.normal(size=linkage.nv + 1)
    return linkage, q, v, lw.forward_dynamics(linkage, q, v, tau), tau


def test_the_nearest_torques_to_a_preload():
    linkage, q, v, a, tau = braced()
    rng = np.random.default_rng(1)
    weights, preload = rng.uniform(0.5, 3.0, len(tau)), 10.0 * rng.normal(size=len(tau))
    found = lw.actuator_torques(linkage, q, v, a, weights=weights, preload=preload)
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, found), a, rtol=1e-9, atol=1e-9)
    # Whatever else does the same is farther from the preload.
    idle = tau - lw.actuator_torques(linkage, q, v, a)
    assert abs(weights * (found - preload) @ idle) < 1e-9 * np.abs(idle).max() * np.abs(found).max()
    np.testing.assert_allclose(lw.actuator_torques(linkage, q, v, a, preload=tau), tau, rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_least_torques_within_limits(seed):
    linkage, q, v, a, _ = braced(seed)
    free = lw.actuator_torques(linkage, q, v, a)
    bound = 0.9 * np.abs(free)
    bound[np.argmin(np.abs(free))] = np.inf  # this one may give more
    found = lw.actuator_torques(linkage, q, v, a, limits=bound)
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, found), a, rtol=1e-8, atol=1e-8)
    assert (np.abs(found) <= bound).all()
    rest = lw.forward_dynamics(linkage, q, v, 0.0 * free)
    row = np.array([lw.forward_dynamics(linkage, q, v, unit) - rest for unit in np.eye(len(free))])[:, 0]
    # One degree of freedom: the least torques are multiples of what they do, cut off at the limits.
    torques = lambda y: np.clip(y * row, -bound, bound)  # noqa: E731
    y = brentq(lambda y: (torques(y) - free) @ row, -1e6, 1e6, xtol=1e-12, rtol=1e-14)
    np.testing.assert_allclose(found, torques(y), rtol=1e-8, atol=1e-8)


def test_motors_that_are_too_weak_are_named():
    linkage, q, v, a, _ = braced()
    with pytest.raises(lw.SingularError, match="too weak"):
        lw.actuator_torques(linkage, q, v, a, limits=np.full(linkage.nv + 1, 1e-3))
    with pytest.raises(lw.ArgumentError, match="shape"):
        lw.actuator_torques(linkage, q, v, a, limits=[1.0])
    with pytest.raises(lw.ArgumentError, match="array of torques"):
        lw.actuator_torques(linkage, q, v, a, limits="strong")
    with pytest.raises(lw.ArgumentError, match="no torque"):
        lw.actuator_torques(linkage, q, v, a, limits=np.tile([1.0, -1.0], (linkage.nv + 1, 1)))


def test_beside_contacts_with_friction():
    """An arm whose tip slides on the floor: what `solve` finds is asked back."""
    arm = lw.samples.chain(3)
    q, v = np.array([0.4, 0.5, 0.3]), np.array([0.3, -0.5, 0.0])
    tip = lw.body_poses(arm, q)[arm.bodies.names[-1]].apply((0.1, 0.0, 0.2))
    arm.constrain(arm.bodies.names[-1], point=(0.1, 0.0, 0.2), surface=lw.Plane("z", tip[2]), friction=0.2)
    v = lw.consistent_velocity(arm, q, v)
    tau = np.array([3.0, -2.0, 1.0])
    found = lw.solve(arm, q, v, tau)
    pressed = found.normal_forces
    np.testing.assert_allclose(lw.actuator_torques(arm, q, v, found.a, contact_forces=pressed), tau, atol=1e-9)
    wrenches = lw.joint_wrenches(arm, q, v, found.a, contact_forces=pressed)
    np.testing.assert_allclose(wrenches, found.joint_wrenches, atol=1e-9)
    with pytest.raises(lw.ArgumentError, match="contact_forces"):
        lw.actuator_torques(arm, q, v, found.a)


def test_seats_of_the_swing():
    """As in the paper, of which one constraint is one too many; and not."""
    prismatic, q = lw.samples.swing(seats="prismatic")
    planar, at = lw.samples.swing()
    mobility = lw.mobility(prismatic, q), lw.mobility(planar, at)
    assert mobility[0].redundant > 0 == mobility[1].redundant
    assert mobility[0].dof < mobility[1].dof
    with pytest.raises(lw.LinkworkError, match="kind of seat"):
        lw.samples.swing(seats="soft")


def motions(linkage, q, count, seed=0):
    """Velocities and accelerations of a linkage whose motors push it about."""
    rng = np.random.default_rng(seed)
    v = np.array([lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv)) for _ in range(count)])
    tau = 10.0 * rng.normal(size=(count, linkage.nv + linkage.nv_loop)) * actuation.actuated_coordinates(linkage)
    return v, lw.forward_dynamics(linkage, q, v, tau)


def dense(linkage, q, v, a, f_ext=None, weights=None, preload=None):
    """The torques of one state by a null space and a pseudoinverse."""
    actuated = actuation.actuated_coordinates(linkage)
    needed = lw.inverse_dynamics(linkage, q, v, a, f_ext, tree=True)
    if linkage.nv_loop:
        damping = [np.broadcast_to(loop.type.damping, loop.type.nv) for loop in linkage.loops]
        needed = np.concatenate([needed, np.concatenate(damping) * lw.loop_coordinates(linkage, q, v)[1]])
    W = null_space(lw.mobility(linkage, q).J_C, rcond=1e-9)
    price = np.sqrt(np.ones(len(actuated)) if weights is None else weights)[actuated]
    start = (np.zeros(len(actuated)) if preload is None else preload)[actuated]
    tau = np.zeros(len(actuated))
    matrix = W[actuated].T
    tau[actuated] = start + np.linalg.pinv(matrix / price, rcond=1e-9) @ (W.T @ needed - matrix @ start) / price
    return tau


def alone(*_):
    raise AssertionError("this state was looked at closely")


def geared():
    """A four-bar whose crank drives a joint beside it, by a polynomial."""
    linkage = lw.samples.four_bar()
    linkage.add_body("wheel", lw.Inertia.rod(0.2, mass=1.0, axis="x"), joint=lw.Revolute("y"), parent="coupler")
    linkage.couplings.append(lw.Coupling("wheel", "crank", 0.7, 0.1, higher=(0.3, -0.2)))
    return linkage


CLOSED = {
    "geared": geared,
    "four_bar": lw.samples.four_bar,
    "five_bar": lw.samples.five_bar,
    "slider_crank": lw.samples.slider_crank,
    "stewart": lw.samples.stewart,
    "bricard": lw.samples.bricard,  # six rows, of which one is redundant
    "stacked": lambda: lw.samples.four_bars(3),
    "tiny": lambda: lw.samples.slider_crank(crank=3e-4, rod=1e-3),
}


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", CLOSED)
def test_many_states_at_once(name, monkeypatch):
    linkage = CLOSED[name]()
    q = lw.close_loops(linkage, linkage.neutral())
    v, a = motions(linkage, q, 4)
    rng = np.random.default_rng(1)
    count = linkage.nv + linkage.nv_loop
    monkeypatch.setattr(actuation, "_motors", alone)
    for options in (
        {},
        {"weights": rng.uniform(0.5, 3.0, count), "preload": rng.normal(size=count)},
        {"f_ext": rng.normal(size=(4, linkage.nb, 6)), "limits": np.full(count, 1e6)},
    ):
        found = lw.actuator_torques(linkage, q, v, a, **options)
        options.pop("limits", None)
        f_ext = options.pop("f_ext", [None] * 4)
        exact = [dense(linkage, q, v[k], a[k], f_ext[k], **options) for k in range(4)]
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-10 * np.abs(exact).max())
        again = lw.forward_dynamics(linkage, q, v, found, None if f_ext[0] is None else f_ext)
        np.testing.assert_allclose(again, a, rtol=0, atol=1e-9 * np.abs(a).max())


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "stewart"])
def test_a_long_batch_is_its_single_calls(name):
    """On the way of a linkage that falls, shared out to threads."""
    linkage = CLOSED[name]()
    q = lw.close_loops(linkage, linkage.neutral())
    way = lw.rollout(linkage, q, motions(linkage, q, 1)[0][0], dt=1e-3, steps=299)
    a = lw.forward_dynamics(linkage, way.q, way.v, actuation.actuated_coordinates(linkage).astype(float))
    lw.set_threads(2)
    try:
        found = lw.actuator_torques(linkage, way.q, way.v, a)
    finally:
        lw.set_threads(None)
    for k in range(0, 300, 23):
        alone = lw.actuator_torques(linkage, way.q[k], way.v[k], a[k])
        exact = dense(linkage, way.q[k], way.v[k], a[k])
        size = np.abs(lw.inverse_dynamics(linkage, way.q[k], way.v[k], a[k], tree=True)).max()
        np.testing.assert_allclose(found[k], alone, rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(found[k], exact, rtol=0, atol=1e-10 * size)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_every_loop_joint_with_its_damper(kind, seed):
    linkage, q = lw.samples.random_closed(6, joint=kind, loops=1 + seed % 3, seed=seed, damping=True)
    v, a = motions(linkage, q, 3)
    found = lw.actuator_torques(linkage, q, v[:, None], np.stack([a, a], axis=1))
    exact = np.array([dense(linkage, q, v[k], a[k]) for k in range(3)])
    np.testing.assert_allclose(found, np.stack([exact, exact], axis=1), rtol=0, atol=1e-9 * np.abs(exact).max())


def test_many_states_of_a_tree(monkeypatch):
    """A joint without a motor, that must need nothing, and limits."""
    arm = lw.samples.chain(4)
    arm.joints[3].actuated = False
    rng = np.random.default_rng(0)
    q, v, tau = rng.normal(size=(3, 5, 4))
    tau[:, 3] = 0.0
    a = lw.forward_dynamics(arm, q, v, tau)
    with monkeypatch.context() as patch:
        patch.setattr(actuation, "_motors", alone)
        found = lw.actuator_torques(arm, q, v, a, limits=[50.0, 50.0, 50.0, 0.0])
    np.testing.assert_allclose(found, tau, rtol=0, atol=1e-11)
    strongest = int(np.argmax(np.abs(tau[:, 0])))
    with pytest.raises(lw.SingularError, match=f"state {strongest} of the batch.*too weak"):
        lw.actuator_torques(arm, q, v, a, limits=[0.99 * np.abs(tau[:, 0]).max(), 50.0, 50.0, 0.0])
    a[2, 3] += 1.0
    with pytest.raises(lw.SingularError, match=r"state 2 of the batch.*not controllable"):
        lw.actuator_torques(arm, q, v, a)


def test_errors_name_their_state():
    linkage = lw.samples.four_bar()
    q = lw.close_loops(linkage, linkage.neutral())
    v, a = (x.reshape(2, 3, -1) for x in motions(linkage, q, 6))
    opening = a.copy()
    opening[1, 2, 2] += 0.1
    with pytest.raises(lw.ArgumentError, match=r"state \(1, 2\) of the batch: .*open loop 'pin'"):
        lw.actuator_torques(linkage, q, v, opening)
    free = np.abs(lw.actuator_torques(linkage, q, v, a))
    with pytest.raises(lw.SingularError, match=r"state \(0, 0\) of the batch: .*too weak"):
        lw.actuator_torques(linkage, q, v, a, limits=0.01 * free.min(axis=(0, 1)))
    passive = lw.samples.chain(3)
    passive.connect("ground", passive.bodies.names[-1], lw.Planar("y", actuated=False), name="guide")
    for joint in passive.joints:
        joint.actuated = False
    q = lw.close_loops(passive, passive.neutral())
    v, a = motions(passive, q, 3)
    assert not lw.actuator_torques(passive, q, v, a).any()
    a[1:] = lw.forward_dynamics(passive, q, v[1:], np.ones(passive.nv))
    with pytest.raises(lw.SingularError, match=r"state 1 of the batch: .*and 0 motors.*not controllable"):
        lw.actuator_torques(passive, q, v, a)


def test_limits_bind_in_some_states():
    linkage = lw.samples.four_bar()
    q = lw.close_loops(linkage, linkage.neutral())
    v, a = motions(linkage, q, 8)
    free = np.abs(lw.actuator_torques(linkage, q, v, a))
    limits = np.array([np.inf, *np.median(free[:, 1:], axis=0)])
    found = lw.actuator_torques(linkage, q, v, a, limits=limits)
    binds = (free > limits).any(axis=1)
    assert 0 < binds.sum() < 8
    assert (np.abs(found) <= limits * (1.0 + 1e-9)).all()
    np.testing.assert_allclose(np.abs(found)[~binds], free[~binds], rtol=0, atol=1e-11 * free.max())
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, found), a, rtol=0, atol=1e-9 * np.abs(a).max())


def test_poses_near_a_singular_one():
    """A parallelogram that goes flat, where it gains a degree of freedom: the way of a single state decides."""
    linkage = lw.samples.four_bar(ground=1.0, crank=0.5, coupler=1.0, rocker=0.5)
    q = [[angle + 1.0, -angle - 1.0, angle + 1.0] for angle in (-1.0, -1e-3, -1e-5, -1e-7, -1e-12, 0.0)]
    zero = np.zeros((len(q), 3))
    assert lw.mobility(linkage, q[-1]).dof > lw.mobility(linkage, q[0]).dof
    found = lw.actuator_torques(linkage, q, zero, zero)
    exact = [dense(linkage, pose, zero[0], zero[0]) for pose in q]
    np.testing.assert_allclose(found, exact, rtol=1e-6, atol=1e-6)


def test_a_floating_base_needs_no_motor_but_for_rounding():
    for seed in range(60):  # of some, the terms of the base's wrench cancel to less than 1e-13 of the largest torque
        rng = np.random.default_rng(seed)
        linkage = lw.samples.random_tree(12, seed=seed, base="free")
        q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
        motors = np.concatenate([np.full(joint.nv, joint.type.actuated) for joint in linkage.joints])
        tau[~motors] = 0.0
        a = lw.forward_dynamics(linkage, q, v, tau)
        np.testing.assert_allclose(lw.actuator_torques(linkage, q, v, a), tau, atol=1e-10)
        a[2] += 1e-3  # which nothing can give
        with pytest.raises(lw.SingularError, match="not controllable"):
            lw.actuator_torques(linkage, q, v, a)
