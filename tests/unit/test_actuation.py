"""Torques of motors that are more than needed, limited, or beside contacts: against a root, and forward dynamics."""

import numpy as np
import pytest
from scipy.optimize import brentq

import linkwork as lw


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
