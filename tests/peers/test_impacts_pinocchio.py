"""Robots dropped on a floor: velocities and impulses against Pinocchio's contact solver."""

import warnings

import numpy as np
import pytest

import linkwork as lw

pin = pytest.importorskip("pinocchio")

FEET = {
    "g1_29dof_rev_1_0": ("left_ankle_roll_link", "right_ankle_roll_link"),
    "talos_full_v2": ("leg_left_6_link", "leg_right_6_link"),
}
SOLE = np.array([(x, y, -0.06) for x in (-0.06, 0.1) for y in (-0.03, 0.04)])
FRICTION, ARMATURE = 0.7, 0.1


def dropped(path, feet, corners):
    """The robot with so many points of each sole on the floor, and its pose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        robot = lw.load(path, base="free")
    for joint in robot.joints:
        if joint.nv == 1:
            joint.armature = ARMATURE
    q = robot.neutral()
    poses = lw.body_poses(robot, q)
    height = poses[feet[0]].apply(SOLE[0])[2]
    for foot in feet:
        for k in range(corners):
            robot.add_shape(foot, lw.Point(), at=lw.Pose(SOLE[k]), friction=FRICTION, name=f"{foot}{k}")
    robot.add_shape("ground", lw.Plane((0, 0, 1), height), friction=1.0, name="floor")
    return robot, q


def by_pinocchio(path, robot, q, v, feet, corners):
    """Velocities after the impact, in our order, and impulses (n, 3) in the world."""
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    model.armature = np.r_[np.zeros(6), np.full(model.nv - 6, ARMATURE)]
    data = model.createData()
    joints = [robot.joints[name] for name in model.names[1:]]
    order = np.concatenate([np.r_[joint.v_slice] for joint in joints])
    own = np.concatenate([q[joint.q_slice] for joint in joints])
    M = pin.crba(model, data, own)
    M = np.triu(M) + np.triu(M, 1).T
    pin.computeJointJacobians(model, data, own)
    pin.updateFramePlacements(model, data)
    rows, models = [], pin.StdVec_ConstraintModel()
    for foot in feet:
        frame = model.getFrameId(foot)
        J, at = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED), data.oMf[frame]
        for corner in SOLE[:corners]:
            rows.append(J[:3] - pin.skew(at.rotation @ corner) @ J[3:])  # along x, y and z, the normal
            contact = pin.PointContactConstraintModel(model, model.frames[frame].parentJoint)
            contact.setFriction(FRICTION)
            models.append(pin.ConstraintModel(contact))
    J = np.concatenate(rows)
    before = v[order]
    settings, found = pin.PGSSolverSettings(), pin.PGSSolverResult()
    settings.max_iterations = 200_000
    settings.absolute_feasibility_tol = settings.absolute_complementarity_tol = 1e-13
    settings.relative_feasibility_tol = settings.relative_complementarity_tol = 1e-13
    spaces = pin.StdVec_ConstraintData()
    for contact in models:
        spaces.append(contact.createData())
    response = np.linalg.solve(M, J.T)
    solver = pin.PGSConstraintSolver(len(J))
    solver.solve(pin.DelassusOperatorDense(J @ response), J @ before, models, spaces, settings, found)
    impulses = np.array(found.retrieveConstraintImpulses())
    after = np.empty_like(v)
    after[order] = before + response @ impulses
    return after, impulses.reshape(-1, 3)


@pytest.mark.parametrize("corners", [1, 4])
@pytest.mark.parametrize("robot", FEET)
def test_robots_dropped_on_a_floor(robots, robot, corners):
    """With one point a foot impulses are unique, too; with four, what they do."""
    path = next(path for path in robots if path.stem == robot)
    feet = FEET[robot]
    linkage, q = dropped(path, feet, corners)
    rng = np.random.default_rng(corners)
    for _ in range(5):
        v = 0.3 * rng.normal(size=linkage.nv)
        v[2] -= 1.0
        after, impulses = by_pinocchio(path, linkage, q, v, feet, corners)
        for k, foot in enumerate(feet):
            jump = lw.velocity_jump(linkage, q, v, f"{foot}0")
            np.testing.assert_allclose(jump.v, after, atol=1e-6 * np.abs(after).max())
            if corners == 1:
                np.testing.assert_allclose(jump.impulse, impulses[k], atol=1e-6 * np.abs(impulses).max())
