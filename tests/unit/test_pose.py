"""Poses against SciPy's rotations."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from linkwork import ArgumentError, Pose
from linkwork.linkage.pose import in_plane, quaternion_from_rotation, rotation_from_quaternion

EPS = 1e-14  # a few roundings of numbers of order one
angles = st.floats(-10, 10)
vectors = arrays(np.float64, 3, elements=st.floats(-10, 10))


@given(angles, angles, angles)
def test_rpy_is_scipys_fixed_xyz(roll, pitch, yaw):
    expected = Rotation.from_euler("xyz", [roll, pitch, yaw]).as_matrix()
    np.testing.assert_allclose(Pose.rpy(roll, pitch, yaw).rotation, expected, atol=EPS)


@given(vectors.filter(lambda v: np.linalg.norm(v) > 1e-3), angles)
def test_axis_angle_is_scipys_rotation_vector(axis, angle):
    expected = Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle).as_matrix()
    np.testing.assert_allclose(Pose.axis_angle(axis, angle).rotation, expected, atol=2 * EPS)


@given(angles, angles, angles)
def test_scipys_rotation_is_taken_as_it_is(a, b, c):
    rotation = Rotation.from_euler("zxy", [a, b, c])
    pose = Pose((0, 0, 1), rotation)
    np.testing.assert_allclose(pose.rotation, rotation.as_matrix(), atol=EPS)
    np.testing.assert_allclose(pose.apply((1, 2, 3)), rotation.apply((1, 2, 3)) + np.array([0, 0, 1]), atol=10 * EPS)


def test_several_rotations_are_no_pose():
    with pytest.raises(ArgumentError, match=r"a single Rotation, not of shape \(2, 3, 3\)"):
        Pose(rotation=Rotation.identity(2))


def test_quaternions_are_scipys_xyzw_everywhere_on_the_sphere():
    rotation = Rotation.random(500, rng=np.random.default_rng(0))
    quaternions = np.concatenate([rotation.as_quat(canonical=True), np.eye(4)])
    matrices = Rotation.from_quat(quaternions).as_matrix()
    np.testing.assert_allclose(rotation_from_quaternion(quaternions), matrices, atol=EPS)
    np.testing.assert_allclose(
        np.abs(np.sum(quaternion_from_rotation(matrices) * quaternions, axis=1)), 1, atol=EPS
    )
    np.testing.assert_allclose(Pose((0, 0, 0), quaternions[3]).quaternion, quaternions[3], atol=EPS)


@given(vectors, vectors, angles, angles, vectors)
def test_product_and_inverse_are_those_of_matrices(p, q, a, b, point):
    first, second = Pose.rpy(a, b, 1, position=p), Pose.rpy(b, 2, a, position=q)
    np.testing.assert_allclose((first @ second).matrix, first.matrix @ second.matrix, atol=1e-13)
    np.testing.assert_allclose((first @ first.inverse()).matrix, np.eye(4), atol=1e-13)
    expected = (first.matrix @ [*point, 1])[:3]
    np.testing.assert_allclose(first.apply(point), expected, atol=1e-13)
    np.testing.assert_allclose(first.apply([[point, point]]), [[expected, expected]], atol=1e-13)


def test_look_points_z_at_the_target():
    pose = Pose.look((1, 2, 3), (4, 6, 3))
    np.testing.assert_allclose(pose.rotation[:, 2], (0.6, 0.8, 0), atol=EPS)
    np.testing.assert_allclose(pose.rotation[:, 1], (0, 0, 1), atol=EPS)
    straight_up = Pose.look((0, 0, 0), (0, 0, 5)).rotation
    np.testing.assert_allclose(straight_up @ straight_up.T, np.eye(3), atol=EPS)
    np.testing.assert_allclose(straight_up[:, 2], (0, 0, 1), atol=EPS)
    with pytest.raises(ArgumentError, match="zero"):
        Pose.look((1, 1, 1), (1, 1, 1))


@pytest.mark.parametrize(("normal", "x"), [("xyz"[k], "xyz"[(k + 1) % 3]) for k in range(3)])
def test_the_planes_x_follows_the_normal_cyclically(normal, x):
    axes = dict(zip("xyz", np.eye(3), strict=True))
    np.testing.assert_array_equal(in_plane(axes[normal]), axes[x])


@given(vectors.filter(lambda v: np.linalg.norm(v) > 1e-3))
def test_the_planes_x_is_a_unit_vector_in_the_plane(normal):
    normal = normal / np.linalg.norm(normal)
    x = in_plane(normal)
    assert abs(x @ normal) < EPS
    assert abs(x @ x - 1) < EPS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((0, 0),), "shape"),
        (((0, 0, np.nan),), "finite"),
        ((("a", 0, 0),), "numbers"),
        (((0, 0, 0), (0, 0, 0, 2)), "length 2"),
        (((0, 0, 0), np.eye(3) * 1.1), "orthonormal"),
        (((0, 0, 0), np.diag([1, 1, -1])), "reflection"),
        (((0, 0, 0), np.eye(2)), "3×3"),
        (((0, 0, 0), (0, 0, np.inf, 1)), "finite"),
    ],
)
def test_bad_poses_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        Pose(*arguments)


def test_a_rotation_rounded_by_a_file_is_made_orthonormal():
    exact = Pose.rpy(0.3, -0.2, 1.0).rotation
    pose = Pose((0, 0, 0), exact.round(7))
    np.testing.assert_allclose(pose.rotation @ pose.rotation.T, np.eye(3), atol=EPS)
    np.testing.assert_allclose(pose.rotation, exact, atol=1e-7)
    np.testing.assert_array_equal(Pose((0, 0, 0), exact).rotation, exact)


def test_a_pose_is_a_value():
    pose = Pose.rpy(1, 2, 3, position=(4, 5, 6))
    for again in (pickle.loads(pickle.dumps(pose)), copy.deepcopy(pose), Pose(pose.position, pose.rotation)):
        assert again == pose
        assert hash(again) == hash(pose)
        assert not again.position.flags.writeable
    assert pose != Pose()
    assert Pose((-0.0, 0, 0)) == Pose()
    assert hash(Pose((-0.0, 0, 0))) == hash(Pose())
    with pytest.raises(AttributeError):
        pose.position = (1, 2, 3)
    with pytest.raises(ValueError, match="read-only"):
        pose.rotation[0, 0] = 2
    assert repr(Pose((1, 2, 3))) == "Pose((1, 2, 3))"
