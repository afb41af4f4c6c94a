"""Pose and velocity of one body, joint by joint from ground: plain NumPy, for single questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage import joint as types
from linkwork.linkage.joint import NQ, NV
from linkwork.linkage.pose import rotation_about, rotation_from_quaternion

if TYPE_CHECKING:
    from linkwork.linkage.columns import Columns


class Motion(NamedTuple):
    """Pose of a body in the world; its velocity in its own frame. All with leading batch dimensions."""

    rotation: np.ndarray  # (..., 3, 3)
    position: np.ndarray  # (..., 3)
    linear: np.ndarray  # (..., 3)
    angular: np.ndarray  # (..., 3)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The joints between ground and a body, copied from the columns: later changes do not touch it."""

    columns: dict[str, np.ndarray]

    @classmethod
    def to(cls, columns: Columns, index: int) -> Chain:
        """Copy the chain that ends in body `index`."""
        parent, rows = columns.parent[: index + 1].tolist(), []  # a list: scalars of arrays are slow to read
        while index >= 0:
            rows.append(index)
            index = parent[index]
        names = ("code", "at_rotation", "at_position", "axis", "axis2", "pitch", "q_start", "v_start")
        down = np.array(rows[::-1])
        return cls({name: getattr(columns, name)[down] for name in names})

    def motion(self, q: np.ndarray, v: np.ndarray) -> Motion:
        """Return the motion of the last body at q (..., nq), v (..., nv)."""
        zero = np.zeros(3)
        body = Motion(np.eye(3), zero, zero, zero)
        names = ("at_rotation", "at_position", "q_start", "v_start", "code")
        for k, (at_rotation, at_position, at_q, at_v, code) in enumerate(
            zip(*(self.columns[name] for name in names), strict=True)
        ):
            q_joint, v_joint = q[..., at_q : at_q + NQ[code]], v[..., at_v : at_v + NV[code]]
            joint = joint_motion(
                code,
                self.columns["axis"][k],
                self.columns["axis2"][k],
                self.columns["pitch"][k],
                q_joint,
                v_joint,
            )
            body = _compose(body, at_rotation, at_position, joint)
        return body


def _compose(parent: Motion, at_rotation: np.ndarray, at_position: np.ndarray, joint: Motion) -> Motion:
    """Return the child's motion: v_c = X v_p + v_J, everything in the child's frame."""
    rotation = at_rotation @ joint.rotation
    position = at_position + joint.position @ at_rotation.T
    linear = parent.linear + np.cross(parent.angular, position)
    return Motion(
        parent.rotation @ rotation,
        parent.position + _times(parent.rotation, position),
        _times(np.swapaxes(rotation, -1, -2), linear) + joint.linear,
        _times(np.swapaxes(rotation, -1, -2), parent.angular) + joint.angular,
    )


def joint_motion(
    code: int, axis: np.ndarray, axis2: np.ndarray, pitch: float, q: np.ndarray, v: np.ndarray
) -> Motion:
    """Return the child's motion relative to the joint's frame; velocities in the child's frame."""
    zero, turned = np.zeros(3), np.eye(3)
    if code == types.REVOLUTE:
        return Motion(rotation_about(axis, q[..., 0]), zero, zero, v * axis)
    if code == types.PRISMATIC:
        return Motion(turned, q * axis, v * axis, zero)
    if code == types.HELICAL:
        return Motion(rotation_about(axis, q[..., 0]), pitch * q * axis, pitch * v * axis, v * axis)
    if code == types.CYLINDRICAL:
        return Motion(
            rotation_about(axis, q[..., 1]), q[..., :1] * axis, v[..., :1] * axis, v[..., 1:] * axis
        )
    if code == types.UNIVERSAL:
        second = rotation_about(axis2, q[..., 1])
        angular = _times(np.swapaxes(second, -1, -2), v[..., :1] * axis) + v[..., 1:] * axis2
        return Motion(rotation_about(axis, q[..., 0]) @ second, zero, zero, angular)
    if code == types.PLANAR:
        plane = np.stack([axis2, np.cross(axis, axis2)])
        return Motion(
            rotation_about(axis, q[..., 2]), q[..., :2] @ plane, v[..., :2] @ plane, v[..., 2:] * axis
        )
    if code == types.SPHERICAL:
        return Motion(_turned(q), zero, zero, v)
    if code == types.FREE:
        return Motion(_turned(q[..., 3:]), q[..., :3], v[..., :3], v[..., 3:])
    return Motion(turned, zero, zero, zero)


def _times(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    return np.einsum("...ij,...j->...i", matrix, vector)


def _turned(quaternion: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(quaternion, axis=-1, keepdims=True)
    if (np.abs(length - 1.0) > 1e-6).any():
        raise ArgumentError("a quaternion in q is not of length 1: divide it by its length")
    return rotation_from_quaternion(quaternion / length)
