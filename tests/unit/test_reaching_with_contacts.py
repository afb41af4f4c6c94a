"""Inverse kinematics with points on surfaces and with shapes that touch."""

import numpy as np
import pytest

import linkwork as lw

TIP = np.array([0.0, 0.0, -1.0])


def place(arm, q, body):
    """Where the tip of a link is."""
    return lw.body_poses(arm, q)[body].apply(TIP)


@pytest.fixture
def above_floor():
    """A chain of three links with a ball at its tip, above a floor at z = -2.5."""
    arm = lw.samples.chain(3)
    arm.add_frame("end", "link2", lw.Pose(TIP))
    arm.add_shape("link2", lw.Ball(0.1), at=lw.Pose(TIP), name="tip")
    arm.add_shape("ground", lw.Plane((0, 0, 1), -2.5), name="floor")
    return arm


def test_points_stay_on_their_surfaces():
    arm, rng = lw.samples.chain(5), np.random.default_rng(0)
    arm.constrain("link1", point=TIP, surface=lw.Sphere((0.2, 0, -1.0), 1.1), friction=0.2)
    arm.constrain("link3", point=TIP, surface=lw.Plane((0.2, 0, 1), -3.4))
    arm.add_frame("end", "link4", lw.Pose(TIP))
    start = lw.close_loops(arm, [0.3, 0.5, -0.1, 0.2, 0.1])
    goals = np.array([lw.close_loops(arm, start + 0.2 * rng.normal(size=5)) for _ in range(5)])
    wanted = np.array([place(arm, q, "link4") for q in goals])
    found = lw.inverse_kinematics(arm, {"end": wanted}, start)
    assert found.converged.all()
    normal = np.array([0.2, 0, 1]) / np.hypot(0.2, 1)
    for q, goal in zip(found.q, wanted, strict=True):
        assert np.abs(place(arm, q, "link4") - goal).max() < 1e-10
        assert abs(np.linalg.norm(place(arm, q, "link1") - [0.2, 0, -1.0]) - 1.1) < 1e-12
        assert abs(normal @ place(arm, q, "link3") + 3.4) < 1e-12


def test_loops_and_points_together():
    linkage = lw.samples.five_bar()
    q = lw.close_loops(linkage, linkage.neutral())
    tip = lw.body_poses(linkage, q)["left_arm"].apply((0.9, 0, 0))
    linkage.constrain("left_arm", point=(0.9, 0, 0), surface=lw.Plane((0, 0, 1), float(tip[2])), name="rail")
    linkage.add_frame("tip", "left_arm", lw.Pose((0.9, 0, 0)))
    found = lw.inverse_kinematics(linkage, {"tip": tip + np.array([0.1, 0, 0])}, q, restarts=0)
    assert found.converged
    assert np.abs(lw.close_loops(linkage, found.q) - found.q).max() < 1e-12
    far = lw.inverse_kinematics(linkage, {"tip": tip + np.array([0.1, 0, 0.2])}, q, restarts=0)  # off the rail
    assert not far.converged
    assert abs(far.residual - 0.2) < 1e-6
    assert np.abs(lw.close_loops(linkage, far.q) - far.q).max() < 1e-9


def test_shapes_do_not_enter_each_other(above_floor):
    arm, q = above_floor, np.array([0.9, -0.3, -0.4])
    heights = np.array([-2.0, -2.3, -2.4, -2.45, -2.8])  # the ball touches at −2.4
    wanted = np.stack([np.full(5, 0.8), np.zeros(5), heights], axis=1)
    found = lw.inverse_kinematics(arm, {"end": wanted}, q, restarts=2)
    assert found.converged.tolist() == [True, True, True, False, False]
    assert np.abs(found.residual - [0, 0, 0, 0.05, 0.4]).max() < 1e-6
    assert found.overlap.max() < 1e-12
    places = np.array([place(arm, x, "link2") for x in found.q])
    assert places[:, 2].min() > -2.4 - 1e-12
    assert np.abs(places[3:, 0] - 0.8).max() < 1e-3  # as near as the floor lets it be


def test_an_overlap_that_cannot_be_avoided_is_told(above_floor):
    arm = above_floor
    found = lw.inverse_kinematics(
        arm, {"end": (0.0, 0.0, -2.9)}, np.array([0.1, 0.1, -0.2]), hold=["link0", "link1", "link2"]
    )
    assert not found.converged
    assert abs(found.overlap - (-2.4 - place(arm, found.q, "link2")[2])) < 1e-12
    assert found.overlap > 0.3


def test_what_touches_is_kept_where_that_is_asked(above_floor):
    arm = above_floor
    q = lw.inverse_kinematics(arm, {"end": (0.8, 0.0, -2.4)}, np.array([0.9, -0.3, -0.4])).q
    free = lw.inverse_kinematics(arm, {"end": (0.8, 0.0, -2.0)}, q, restarts=0)
    assert free.converged  # it lifts off
    kept = lw.inverse_kinematics(arm, {"end": (0.9, 0.0, -2.0)}, q, keep="tip", restarts=0)
    assert not kept.converged
    assert abs(kept.residual - 0.4) < 1e-6
    assert np.abs(place(arm, kept.q, "link2") - [0.9, 0.0, -2.4]).max() < 1e-3  # straight below
    elbow = lw.inverse_kinematics(arm, {"link2": (0.3, 0.0, -1.45)}, q, keep=["tip"])
    assert elbow.converged
    assert abs(place(arm, elbow.q, "link2")[2] + 2.4) < 1e-12
    with pytest.raises(lw.ArgumentError, match="'tip' touches nothing"):
        lw.inverse_kinematics(arm, {"end": (0.9, 0.0, -2.0)}, free.q, keep="tip")
    with pytest.raises(lw.LinkworkError, match="tup"):
        lw.inverse_kinematics(arm, {"end": (0.9, 0.0, -2.0)}, q, keep="tup")


def test_a_path_along_the_floor(above_floor):
    arm = above_floor
    start = lw.inverse_kinematics(arm, {"end": (0.8, 0.0, -2.4)}, np.array([0.9, -0.3, -0.4])).q
    path = np.stack([np.linspace(0.8, 0.2, 7), np.zeros(7), np.full(7, -2.4)], axis=1)
    found = lw.inverse_kinematics(arm, {"end": path}, start, path=True, keep="tip")
    assert found.converged.all()
    assert found.overlap.shape == (7,)
    assert found.overlap.max() < 1e-12
