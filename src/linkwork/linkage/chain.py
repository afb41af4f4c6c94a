"""Pose and velocity of one body, joint by joint from ground: plain NumPy, for single questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

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


_REST = ((slice(None), slice(None)), *((slice(None),) for _ in range(3)))  # axes after the one that counts links


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
        chain = self._links(q, v)
        while chain.position.shape[-2] > 1:  # neighbours in pairs: composing is associative
            last = Motion(*(part[..., -1:, *rest] for part, rest in zip(chain, _REST, strict=True)))
            odd = chain.position.shape[-2] % 2
            above = Motion(
                *(part[..., 0 : -1 if odd else None : 2, *rest] for part, rest in zip(chain, _REST, strict=True))
            )
            below = Motion(*(part[..., 1::2, *rest] for part, rest in zip(chain, _REST, strict=True)))
            chain = _compose(above, below)
            if odd:
                axes = (-3, -2, -2, -2)
                chain = Motion(*(np.concatenate(p, axis=k) for *p, k in zip(chain, last, axes, strict=True)))
        return Motion(*(part[..., 0, *rest] for part, rest in zip(chain, _REST, strict=True)))

    def _links(self, q: np.ndarray, v: np.ndarray) -> Motion:
        """Return the motion of every link relative to the one before, the last axis but one or two counting links."""
        columns, batch = self.columns, np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        n = len(columns["code"])
        links = Motion(np.empty((*batch, n, 3, 3)), *(np.empty((*batch, n, 3)) for _ in range(3)))
        for code in np.unique(columns["code"]):
            rows = np.flatnonzero(columns["code"] == code)
            axis, axis2, pitch = (columns[name][rows] for name in ("axis", "axis2", "pitch"))
            at_q = columns["q_start"][rows, None] + np.arange(int(NQ[code]))
            at_v = columns["v_start"][rows, None] + np.arange(int(NV[code]))
            joint = joint_motion(code, axis, axis2, pitch[:, None], q[..., at_q], v[..., at_v])
            turn = columns["at_rotation"][rows]
            links.rotation[..., rows, :, :] = turn @ joint.rotation
            links.position[..., rows, :] = columns["at_position"][rows] + _times(turn, joint.position)
            links.linear[..., rows, :], links.angular[..., rows, :] = joint.linear, joint.angular
        return links


def _compose(above: Motion, below: Motion) -> Motion:
    """Return the motion of `below` relative to what `above` is relative to: v = X v_above + v_below."""
    back = np.swapaxes(below.rotation, -1, -2)
    return Motion(
        above.rotation @ below.rotation,
        above.position + _times(above.rotation, below.position),
        _times(back, above.linear + np.cross(above.angular, below.position)) + below.linear,
        _times(back, above.angular) + below.angular,
    )


def joint_motion(code: int, axis: np.ndarray, axis2: np.ndarray, pitch: Any, q: np.ndarray, v: np.ndarray) -> Motion:
    """Return the child's motion relative to the joint's frame; velocities in the child's frame.

    One joint, or many of one type with axes (n, 3), pitch (n, 1), q (..., n, nq) and v (..., n, nv).
    """
    zero, turned = np.zeros(3), np.eye(3)
    if code == types.REVOLUTE:
        return Motion(rotation_about(axis, q[..., 0]), zero, zero, v * axis)
    if code == types.PRISMATIC:
        return Motion(turned, q * axis, v * axis, zero)
    if code == types.HELICAL:
        return Motion(rotation_about(axis, q[..., 0]), pitch * q * axis, pitch * v * axis, v * axis)
    if code == types.CYLINDRICAL:
        return Motion(rotation_about(axis, q[..., 1]), q[..., :1] * axis, v[..., :1] * axis, v[..., 1:] * axis)
    if code == types.UNIVERSAL:
        second = rotation_about(axis2, q[..., 1])
        angular = _times(np.swapaxes(second, -1, -2), v[..., :1] * axis) + v[..., 1:] * axis2
        return Motion(rotation_about(axis, q[..., 0]) @ second, zero, zero, angular)
    if code == types.PLANAR:
        across = np.cross(axis, axis2)
        return Motion(
            rotation_about(axis, q[..., 2]),
            q[..., :1] * axis2 + q[..., 1:2] * across,
            v[..., :1] * axis2 + v[..., 1:2] * across,
            v[..., 2:] * axis,
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
