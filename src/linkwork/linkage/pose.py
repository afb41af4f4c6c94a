"""Poses: where a frame is, and how it is turned."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import array, number, unit_axis
from linkwork.linkage.value import ArrayValue

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

ACCEPTED = 1e-6  # how far a given rotation may be from orthonormal: files carry six digits
EXACT = 1e-12  # below this it is kept bit for bit
ORIGIN = (0.0, 0.0, 0.0)


def rotation_about(axis: np.ndarray, angle: ArrayLike) -> np.ndarray:
    """Return the rotations (..., 3, 3) by `angle` (...) about unit vectors `axis` (3,) or (..., 3)."""
    angle = np.asarray(angle, dtype=np.float64)[..., None, None]
    x, y, z = np.moveaxis(np.asarray(axis, dtype=np.float64), -1, 0)
    cross = np.zeros((*np.shape(x), 3, 3))
    cross[..., 2, 1], cross[..., 0, 2], cross[..., 1, 0] = x, y, z
    cross -= np.swapaxes(cross, -1, -2)
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)


def rotation_from_quaternion(quaternion: np.ndarray) -> np.ndarray:
    """Return the rotations (..., 3, 3) of unit quaternions xyzw (..., 4)."""
    x, y, z, w = np.moveaxis(np.asarray(quaternion, dtype=np.float64), -1, 0)
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_from_rotation(rotation: np.ndarray) -> np.ndarray:
    """Return unit quaternions xyzw (..., 4) with w >= 0 of rotations (..., 3, 3)."""
    r = np.asarray(rotation, dtype=np.float64)
    xx, yy, zz = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
    xy, xz, yz = (r[..., i, k] + r[..., k, i] for i, k in ((0, 1), (0, 2), (1, 2)))
    wx, wy, wz = (r[..., i, k] - r[..., k, i] for i, k in ((2, 1), (0, 2), (1, 0)))
    # 4 q qᵀ: the row of the largest component has no cancellation.
    rows = [
        [1 + xx - yy - zz, xy, xz, wx],
        [xy, 1 - xx + yy - zz, yz, wy],
        [xz, yz, 1 - xx - yy + zz, wz],
        [wx, wy, wz, 1 + xx + yy + zz],
    ]
    outer = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    best = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(outer, best[..., None, None], axis=-2)[..., 0, :]
    row = row / np.linalg.norm(row, axis=-1, keepdims=True)
    return np.where(row[..., 3:] < 0.0, -row, row)


def in_plane(normal: np.ndarray) -> np.ndarray:
    """Return the x direction (..., 3) of the plane with unit `normal` (..., 3).

    It is the coordinate axis that follows the normal's largest component (x after z, y after x, z after y),
    projected onto the plane; the plane's y is normal × x. So the normals x, y, z give the coordinates (y, z),
    (z, x), (x, y).
    """
    normal = np.asarray(normal, dtype=np.float64)
    following = np.eye(3)[(np.argmax(np.abs(normal), axis=-1) + 1) % 3]
    direction = following - normal * np.sum(normal * following, axis=-1, keepdims=True)
    return direction / np.linalg.norm(direction, axis=-1, keepdims=True)


def _rotation(value: Any) -> np.ndarray:
    """Return a checked rotation matrix from a 3×3 matrix or a quaternion xyzw, by shape, or SciPy's `Rotation`."""
    if value is None:
        return np.eye(3)
    if hasattr(value, "as_matrix"):
        value = value.as_matrix()
    shape = np.shape(value)
    if shape == (4,):
        quaternion = array(value, (4,), "quaternion")
        length = math.sqrt(quaternion @ quaternion)
        if abs(length - 1.0) > ACCEPTED:
            raise ArgumentError(f"quaternion (x, y, z, w) has length {length:g}, not 1: divide it by its length")
        return rotation_from_quaternion(quaternion / length)
    if shape != (3, 3):
        raise ArgumentError(
            f"rotation must be a 3×3 matrix, a quaternion (x, y, z, w) or a single Rotation, not of shape {shape}"
        )
    matrix = array(value, (3, 3), "rotation")
    error = float(np.abs(matrix @ matrix.T - np.eye(3)).max())
    if error > ACCEPTED:
        raise ArgumentError(f"rotation is not orthonormal: R Rᵀ differs from the identity by {error:.1e}")
    if np.linalg.det(matrix) < 0.0:
        raise ArgumentError("rotation is a reflection (determinant -1): frames must be right-handed")
    if error > EXACT:
        u, _, vt = np.linalg.svd(matrix)
        matrix = u @ vt
    return matrix


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Pose(ArrayValue):
    """A position and a rotation: the frame B seen from a frame A.

    Parameters
    ----------
    position : (3,) array_like
        B's origin in A, in m.
    rotation : (3, 3) or (4,) array_like or scipy.spatial.transform.Rotation, optional
        B's axes as columns in A, the unit quaternion (x, y, z, w), or SciPy's rotation from B to A.
        Default: not turned.

    Examples
    --------
    >>> import math
    >>> elbow = Pose((0, 0, 1)) @ Pose.rpy(0, math.pi / 2, 0)
    >>> elbow.apply((0, 0, 2)).round(12) + 0.0
    array([2., 0., 1.])
    >>> from scipy.spatial.transform import Rotation
    >>> Pose((0, 0, 1), Rotation.from_euler("z", 90, degrees=True))
    Pose((0, 0, 1), (0, 0, 0.707107, 0.707107))
    """

    position: np.ndarray
    rotation: np.ndarray

    def __init__(self, position: ArrayLike = ORIGIN, rotation: ArrayLike | Rotation | None = None):
        self._set(array(position, (3,), "position"), _rotation(rotation))

    @classmethod
    def rpy(cls, roll: float, pitch: float, yaw: float, *, position: ArrayLike = ORIGIN) -> Pose:
        """Turn by roll about x, then pitch about y, then yaw about z, all fixed axes (rad), as URDF does."""
        roll, pitch, yaw = number(roll, "angle"), number(pitch, "angle"), number(yaw, "angle")
        cr, cp, cy = math.cos(roll), math.cos(pitch), math.cos(yaw)
        sr, sp, sy = math.sin(roll), math.sin(pitch), math.sin(yaw)
        rotation = np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
        )
        return cls.trusted(array(position, (3,), "position"), rotation)

    @classmethod
    def axis_angle(cls, axis: str | ArrayLike, angle: float, *, position: ArrayLike = ORIGIN) -> Pose:
        """Turn by `angle` (rad) about `axis` ("x", "-z", ... or a vector)."""
        rotation = rotation_about(unit_axis(axis), number(angle, "angle"))
        return cls.trusted(array(position, (3,), "position"), rotation)

    @classmethod
    def look(cls, position: ArrayLike, target: ArrayLike, *, up: ArrayLike = (0.0, 0.0, 1.0)) -> Pose:
        """Stand at `position` with z towards `target` and y as near to `up` as possible."""
        position = array(position, (3,), "position")
        z = unit_axis(array(target, (3,), "target") - position, "target - position")
        up = unit_axis(up, "up")
        x = np.cross(up, z)
        if x @ x < 1e-20:  # looking along `up`: any x will do
            x = in_plane(z)
        x = unit_axis(x)
        return cls.trusted(position, np.stack([x, np.cross(z, x), z], axis=1))

    @property
    def quaternion(self) -> np.ndarray:
        """The rotation as a unit quaternion (x, y, z, w), w >= 0."""
        return quaternion_from_rotation(self.rotation)

    @property
    def matrix(self) -> np.ndarray:
        """The homogeneous matrix (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = self.position
        return matrix

    def __matmul__(self, other: Pose) -> Pose:
        if not isinstance(other, Pose):
            return NotImplemented
        if self is HERE or other is HERE:
            return other if self is HERE else self
        return Pose.trusted(self.rotation @ other.position + self.position, self.rotation @ other.rotation)

    def inverse(self) -> Pose:
        """Return A seen from B."""
        return Pose.trusted(-(self.rotation.T @ self.position), self.rotation.T.copy())

    def apply(self, points: ArrayLike) -> np.ndarray:
        """Return points (..., 3), given in B, in A."""
        points = np.asarray(points, dtype=np.float64)
        if points.shape[-1:] != (3,):
            raise ArgumentError(f"points must have shape (..., 3), not {points.shape}")
        return points @ self.rotation.T + self.position

    def is_identity(self) -> bool:
        """Whether B coincides with A exactly."""
        return not self.position.any() and np.array_equal(self.rotation, np.eye(3))

    def __repr__(self) -> str:
        position = ", ".join(f"{value:.6g}" for value in self.position)
        if np.array_equal(self.rotation, np.eye(3)):
            return f"Pose(({position}))"
        quaternion = ", ".join(f"{value:.6g}" for value in self.quaternion)
        return f"Pose(({position}), ({quaternion}))"


HERE = Pose()
"""Not moved, not turned."""
