"""The search behind inverse kinematics: what is out of reach, and what no search can be asked for."""

import numpy as np
import pytest
from scipy.optimize import minimize

import linkwork as lw
from linkwork.dynamics.reach_search import Search
from linkwork.dynamics.target_poses import read_targets
from linkwork.samples.open import random_tree


def limited_arm():
    arm = lw.Linkage(name="arm")
    for k, axis in enumerate("zyyzy"):
        parent, at = ("ground", lw.Pose()) if k == 0 else (f"link{k - 1}", lw.Pose((0.3, 0, 0.1)))
        joint = lw.Revolute(axis, limits=(-1.5, 1.0))
        arm.add_body(f"link{k}", lw.Inertia.box((0.3, 0.1, 0.1), mass=1.0), joint=joint, parent=parent, at=at)
    arm.add_frame("tip", "link4", lw.Pose((0.3, 0, 0)))
    return arm


def test_what_is_out_of_reach_is_as_near_as_it_can_be():
    """Where SciPy's search with limits finds nothing nearer; the residual is the distance."""
    arm, rng = limited_arm(), np.random.default_rng(2)
    for distance in (2.0, 50.0, 3e6):
        goal = rng.normal(size=3)
        goal *= distance / np.linalg.norm(goal)
        found = lw.inverse_kinematics(arm, {"tip": goal}, np.zeros(5), restarts=5)
        assert not found.converged

        def away(q, goal=goal):
            return lw.body_poses(arm, q)["tip"].position - goal

        assert np.isclose(found.residual, np.linalg.norm(away(found.q)), rtol=1e-12)
        assert np.abs(found.q).max() <= 1.5
        again = minimize(
            lambda q, away=away: np.linalg.norm(away(q)), found.q, bounds=[(-1.5, 1.0)] * 5, method="L-BFGS-B",
            jac=lambda q, away=away: lw.jacobian(arm, q, "tip")[:3].T @ away(q) / np.linalg.norm(away(q)),
        )  # fmt: skip
        assert found.residual - again.fun < 1e-9 * max(1.0, distance)


def test_a_pose_out_of_reach_is_settled_by_weights():
    arm = limited_arm()
    goal = lw.Pose.rpy(0.3, 1.0, -2.0)
    goal = lw.Pose((0.8, -0.9, 0.4), goal.rotation)
    found = lw.inverse_kinematics(arm, {"tip": goal, "link2": (0.2, 0.4, 0.3)}, np.zeros(5), weights={"tip": 3e200})
    poses = lw.body_poses(arm, found.q)
    turn = goal.rotation @ poses["tip"].rotation.T
    angle = np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0))
    apart = [
        np.linalg.norm(poses[name].position - x) for name, x in (("tip", goal.position), ("link2", (0.2, 0.4, 0.3)))
    ]
    assert np.isclose(found.residual, max(angle, *apart), rtol=1e-9)


def test_the_curvature_of_the_ways_that_frames_take():
    """Beside JᵀJ it is the second derivative of half the square of a distance, along steps of `integrate`."""
    arm = random_tree(6, seed=5, base="free")
    rng, frame = np.random.default_rng(1), arm.bodies[-1].name
    q, goal = arm.random(rng), rng.normal(size=3)

    def cost(step):
        left = goal - lw.body_poses(arm, arm.integrate(q, step))[frame].position
        return 0.5 * (left @ left)

    search = Search(arm, read_targets(arm, {frame: goal}, ())[0], np.ones(1), np.ones(arm.nv, bool), None, 1e-10, None)
    e, J, _ = search._errors(q[None], np.arange(1))
    found = J[0].T @ J[0] + search._curvature(q[None], e, J)[0]
    for _ in range(20):
        way, h = rng.normal(size=arm.nv), 1e-3
        first, second, middle = cost(h * way) + cost(-h * way), cost(2 * h * way) + cost(-2 * h * way), cost(0 * way)
        bent = (16 * first - second - 30 * middle) / (12 * h * h)
        assert np.isclose(way @ found @ way, bent, rtol=1e-6, atol=1e-6)


def test_loops_stay_closed_where_a_target_is_out_of_reach():
    linkage = lw.samples.five_bar()
    linkage.add_frame("tip", "left_arm", lw.Pose((0.9, 0, 0)))
    goal = np.array([3.0, 0.0, 2.0])
    found = lw.inverse_kinematics(linkage, {"tip": goal}, lw.close_loops(linkage, linkage.neutral()))
    np.testing.assert_allclose(lw.close_loops(linkage, found.q), found.q, rtol=0, atol=1e-12)
    left = goal - lw.body_poses(linkage, found.q)["tip"].position
    pull = lw.mobility(linkage, found.q).W.T @ lw.jacobian(linkage, found.q, "tip")[:3].T @ left
    assert np.abs(pull).max() < 1e-6


def test_no_state_and_no_place():
    arm = lw.samples.chain(3)
    none, one = np.zeros((0, 3)), np.zeros(3)
    for targets, start, path in ((one, none, False), (none, one, False), (none, one, True)):
        found = lw.inverse_kinematics(arm, {"link2": targets}, start, path=path)
        assert found.q.shape == (0, 3)
        assert found.converged.shape == (0,)


def test_a_place_that_stays_beside_a_path():
    arm = lw.samples.chain(4)
    middle = np.array([0.6, 0.0, -0.8])
    ends = middle + np.array([[0.6, 0.0, -0.8 - 0.1 * k] for k in range(4)]) / np.hypot(0.6, 1.0)
    ends = middle + (ends - middle) / np.linalg.norm(ends - middle, axis=1)[:, None]
    found = lw.inverse_kinematics(arm, {"link1": middle, "link2": ends}, [0.5, 0.1, -0.2, 0.0], path=True)
    assert found.converged.all()
    wrong = np.abs([lw.body_poses(arm, q)["link1"].position - middle for q in found.q])
    assert wrong.max() < 1e-9


def test_handles_stand_for_joints():
    arm = lw.samples.chain(3)
    first = arm.joints["link0"]
    for hold in (first, [first], "link0"):
        assert lw.inverse_kinematics(arm, {"link2": (0.9, 0, -1.5)}, [0.3, 0.1, 0.2], hold=hold, restarts=0).q[0] == 0.3


WRONG = [
    ({"targets": None}, "targets must be a mapping"),
    ({"targets": ["link2"]}, "targets must be a mapping"),
    ({"targets": {"link2": np.zeros((4, 4))}}, "is no pose"),
    ({"targets": {"link2": 2.0 * np.eye(4)}}, "is no pose"),
    ({"targets": {"link2": np.diag([1.0, 1.0, -1.0, 1.0])}}, "right-handed"),
    ({"targets": {"link2": np.eye(4) + np.eye(4)[3][:, None]}}, "last row"),
    ({"targets": {"link2": (1e300, 0, 0)}}, "away"),
    ({"weights": [1.0]}, "weights must be a mapping"),
    ({"weights": {"link2": "a"}}, "must be a number"),
    ({"weights": {"link2": np.inf}}, "must be finite"),
    ({"weights": {"link2": 0.0}}, "must be positive"),
    ({"hold": 5}, "hold must be a name"),
    ({"keep": None}, "keep must be a name"),
    ({"tolerance": np.nan}, "tolerance must be finite"),
    ({"tolerance": -1.0}, "tolerance must be positive"),
    ({"restarts": 2.5}, "restarts must be a whole number"),
    ({"restarts": -1}, "restarts must be a whole number"),
    ({"seed": "a"}, "seed must be"),
    ({"seed": -1}, "seed must be"),
]


@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize(("changed", "said"), WRONG)
def test_what_no_search_can_be_asked_for(changed, said, path):
    targets = np.linspace((0.5, 0, -1), (0.8, 0, -1.2), 3) if path else np.array([0.5, 0, -1])
    asked = {"targets": {"link2": targets}, "q": [0.1, 0.2, 0.3], "path": path} | changed
    with pytest.raises(lw.ArgumentError, match=said):
        lw.inverse_kinematics(lw.samples.chain(3), **asked)
