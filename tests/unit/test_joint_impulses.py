"""How an impact runs through the joints: impulses against the momentum they change, and along axes, which bear none."""

import numpy as np
import pytest

import linkwork as lw


def caught_snake() -> tuple[lw.Linkage, np.ndarray, str]:
    linkage = lw.samples.chain(6)
    q = linkage.integrate(linkage.neutral(), np.linspace(0.3, 0.9, 6))
    end = lw.body_poses(linkage, q)[linkage.bodies[-1].name] @ lw.Pose((0, 0, 0.2))
    linkage.connect("ground", linkage.bodies[-1], lw.Spherical(), at_a=end, at_b=lw.Pose((0, 0, 0.2)), name="catch")
    return linkage, q, "catch"


def landing_leg() -> tuple[lw.Linkage, np.ndarray, str]:
    """A four-bar that falls with a ball onto the floor: loop impulses and shapes together."""
    linkage = lw.Linkage(name="leg")
    linkage.add_body("hip", lw.Inertia.box((0.2, 0.2, 0.1), mass=3.0), joint=lw.Free())
    bar = lw.Inertia.rod(0.5, mass=0.5, com=(0, 0, -0.25))
    linkage.add_body("front", bar, joint=lw.Revolute("y"), parent="hip", at=lw.Pose((0.1, 0, 0)))
    linkage.add_body("back", bar, joint=lw.Revolute("y"), parent="hip", at=lw.Pose((-0.1, 0, 0)))
    foot = lw.Inertia.box((0.3, 0.1, 0.05), mass=0.4)
    linkage.add_body("foot", foot, joint=lw.Revolute("y"), parent="front", at=lw.Pose((0, 0, -0.5)))
    linkage.connect("back", "foot", lw.Revolute("y"), at_a=lw.Pose((0, 0, -0.5)), at_b=lw.Pose((-0.2, 0, 0)))
    linkage.add_shape("foot", lw.Ball(0.05), at=lw.Pose((-0.1, 0, 0)), friction=0.8, name="sole")
    linkage.add_shape("ground", lw.Plane((0, 0, 1), 0.0), friction=1.0, name="floor")
    q = linkage.neutral()
    q[2] = 0.55
    return linkage, q, "sole"


@pytest.mark.parametrize("make", [caught_snake, landing_leg])
def test_impulses_balance_the_momentum_of_every_body(make):
    linkage, q, name = make()
    rng = np.random.default_rng(4)
    v = rng.normal(size=linkage.nv)
    if make is landing_leg:
        v[2] -= 5.0
        v = lw.consistent_velocity(linkage, q, v)
    jump = lw.velocity_jump(linkage, q, v, name)
    assert np.abs(jump.joint_impulses).max() > 1e-3
    poses = lw.body_poses(linkage, q)

    def world(body, impulse):  # about the world's origin
        R, p = poses.rotations[body], poses.positions[body]
        force = R @ impulse[:3]
        return np.concatenate([force, R @ impulse[3:] + np.cross(p, force)])

    for joint in linkage.joints:
        if isinstance(joint.type, lw.Revolute):
            axis = np.array(joint.type.axis)
            assert abs(axis @ jump.joint_impulses[joint.child.index, 3:]) < 1e-11, "no motor gives an impulse"
        elif isinstance(joint.type, lw.Free):
            np.testing.assert_allclose(jump.joint_impulses[joint.child.index], 0.0, atol=1e-11)
    roots = [body.index for body in linkage.bodies if body.parent.index < 0]
    outside = sum(world(k, jump.joint_impulses[k]) for k in roots)
    if name == "catch":
        force, moment = np.split(jump.impulse, 2)
        loop = linkage.loops[name]
        at = poses[loop.real.name] @ loop.at_b
        force, moment = at.rotation @ force, at.rotation @ moment
        outside += np.concatenate([force, moment + np.cross(at.position, force)])
    else:
        foot = poses["foot"] @ lw.Pose((-0.1, 0, 0))
        outside += np.concatenate([jump.impulse, np.cross(foot.position - [0, 0, 0.05], jump.impulse)])
        assert np.abs(jump.impulses).max() > 1e-3, "the loop bears its share"
    change = lw.momentum(linkage, q, jump.v) - lw.momentum(linkage, q, v)
    np.testing.assert_allclose(outside, change, atol=1e-11 * np.abs(change).max())
