"""Robots dropped on a floor: velocities and impulses against Pinocchio's contact solver and a dense oracle.

Pinocchio's Gauss–Seidel sweeps meet the contact problem of g1, whose feet are light, only with armature in its joints.
Without, an oracle of our own finds all solutions there are: every mode of every contact, by Newton's method from
everywhere.
"""

import itertools
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
OPEN, STICK, SLIP = "open", "stick", "slip"


def dropped(path, feet, corners, armature=ARMATURE):
    """The robot with so many points of each sole on the floor, and its pose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        robot = lw.load(path, base="free")
    for joint in robot.joints:
        if joint.nv == 1:
            joint.armature = armature
    q = robot.neutral()
    poses = lw.body_poses(robot, q)
    height = poses[feet[0]].apply(SOLE[0])[2]
    for foot in feet:
        for k in range(corners):
            robot.add_shape(foot, lw.Point(), at=lw.Pose(SOLE[k]), friction=FRICTION, name=f"{foot}{k}")
    robot.add_shape("ground", lw.Plane((0, 0, 1), height), friction=1.0, name="floor")
    return robot, q


def by_pinocchio(path, robot, q, v, feet, corners, armature=ARMATURE):
    """Velocities after the impact, in our order, and impulses (n, 3) in the world."""
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    model.armature = np.r_[np.zeros(6), np.full(model.nv - 6, armature)]
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


def problem(robot, q, v, feet, corners):
    """G and g of the points along the world's axes, x, y and z, from the dense mass matrix."""
    J = np.concatenate([lw.jacobian(robot, q, foot, corner)[:3] for foot in feet for corner in SOLE[:corners]])
    return J @ np.linalg.solve(lw.mass_matrix(robot, q), J.T), J @ v


def violation(G, g, impulses):
    """How far λ is from the nearest point of its cone to λ − ρ (u + μ |u_t| n), N s."""
    u, worst = G @ impulses.ravel() + g, 0.0
    for k, force in enumerate(impulses):
        block = slice(3 * k, 3 * k + 3)
        shifted = u[block] + np.array([0, 0, FRICTION * np.hypot(*u[block][:2])])
        x = force - 3 / np.trace(G[block, block]) * shifted
        size = np.hypot(*x[:2])
        if FRICTION * size <= -x[2]:
            x = np.zeros(3)
        elif size > FRICTION * x[2]:
            z = (x[2] + FRICTION * size) / (1 + FRICTION**2)
            x = np.array([*(FRICTION * z / size * x[:2]), z])
        worst = max(worst, np.abs(force - x).max())
    return worst


def with_modes(G, g, modes, angles):
    """λ (s, 3n) with given modes; and by how much those that slip along `angles` (s, m) do not, u_t × direction."""
    columns, rows, slips = [], [], itertools.count()
    s, n, wanted = len(angles), len(modes), []
    for k, mode in enumerate(modes):
        if mode == STICK:
            columns += [np.broadcast_to(np.eye(3 * n)[3 * k + axis], (s, 3 * n)) for axis in range(3)]
            rows += [3 * k, 3 * k + 1, 3 * k + 2]
        elif mode == SLIP:
            along, column = angles[:, next(slips)], np.zeros((s, 3 * n))
            direction = np.column_stack([np.cos(along), np.sin(along)])
            column[:, 3 * k : 3 * k + 2], column[:, 3 * k + 2] = -FRICTION * direction, 1.0
            columns.append(column)
            rows.append(3 * k + 2)
            wanted.append((k, direction))
    impulses = np.zeros((s, 3 * n))
    if columns:
        B = np.stack(columns, axis=-1)
        x = np.linalg.solve(G[rows] @ B, np.broadcast_to(-g[rows], (s, len(rows)))[..., None])
        impulses = (B @ x)[..., 0]
    u = impulses @ G + g
    missed = [u[:, 3 * k] * d[:, 1] - u[:, 3 * k + 1] * d[:, 0] for k, d in wanted]
    return impulses, np.column_stack(missed) if missed else np.zeros((s, 0))


def all_solutions(G, g, starts=24, rounds=40, h=1e-7):
    """Every λ (n, 3) that meets the contact problem."""
    n, found = len(g) // 3, []
    for modes in itertools.product((OPEN, STICK, SLIP), repeat=n):
        m = modes.count(SLIP)
        grid = np.arange(starts) * 2 * np.pi / starts
        angles = np.array(list(itertools.product(grid, repeat=m))).reshape(starts**m, m)
        for _ in range(rounds if m else 0):
            missed = with_modes(G, g, modes, angles)[1]
            moved = [with_modes(G, g, modes, angles + h * np.eye(m)[j])[1] for j in range(m)]
            slope = np.stack([(other - missed) / h for other in moved], axis=-1)
            slope += 1e-300 * np.eye(m)
            angles = angles - np.clip(np.linalg.solve(slope, missed[..., None])[..., 0], -0.3, 0.3)
        for impulses in with_modes(G, g, modes, angles)[0].reshape(-1, n, 3):
            known = any(np.abs(impulses - other).max() <= 1e-8 * np.abs(impulses).max() for other in found)
            if not known and violation(G, g, impulses) <= 1e-9 * np.abs(impulses).max():
                found.append(impulses)
    return found


@pytest.mark.parametrize("corners", [1, 4])
@pytest.mark.parametrize("robot", FEET)
def test_robots_dropped_on_a_floor_without_armature(robots, robot, corners):
    """Whatever Pinocchio finds: impulses that meet the law; the only ones there are, with one point a foot."""
    path = next(path for path in robots if path.stem == robot)
    feet, rng = FEET[robot], np.random.default_rng(corners)
    linkage, q = dropped(path, feet, corners, armature=0.0)
    for _ in range(5):
        v = 0.3 * rng.normal(size=linkage.nv)
        v[2] -= 1.0
        G, g = problem(linkage, q, v, feet, corners)
        names = [f"{foot}{k}" for foot in feet for k in range(corners)]
        own = np.array([lw.velocity_jump(linkage, q, v, name).impulse for name in names])
        size = np.abs(own).max()
        assert violation(G, g, own) <= 1e-11 * size
        if corners == 1:
            (only,) = all_solutions(G, g)
            np.testing.assert_allclose(own, only, atol=1e-9 * size)
        _, theirs = by_pinocchio(path, linkage, q, v, feet, corners, armature=0.0)
        if violation(G, g, theirs) <= 1e-9 * size and np.abs(G @ (theirs - own).ravel()).max() > 1e-6:
            # friction with several points a foot may leave more than one motion: both are solutions
            assert corners == 4
            assert robot.startswith("talos")
        elif violation(G, g, theirs) <= 1e-9 * size and corners == 1:
            np.testing.assert_allclose(own, theirs, atol=1e-6 * size)
        elif violation(G, g, theirs) > 1e-9 * size:  # it did not converge
            assert robot.startswith("g1")
