"""What `inverse_kinematics` is asked for, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import ACCEPTED, Pose

FARTHEST = 1e100  # m


class Target(NamedTuple):
    """Where a frame, or a point of it, is to be."""

    frame: str
    position: np.ndarray  # (states or 1, 3)
    rotation: np.ndarray | None  # (states or 1, 3, 3)


def targets_as_arrays(linkage: Linkage, targets: Mapping[str, Any]) -> list[tuple[str, np.ndarray, np.ndarray | None]]:
    """Name, position (..., 3), and rotation (..., 3, 3) or None, of every target."""
    if not isinstance(targets, Mapping):
        raise ArgumentError(f"targets must be a mapping from names of frames to places, not {type(targets).__name__}")
    if not targets:
        raise ArgumentError("no target is given: name a frame and where it is to be")
    parts = []
    for name, value in targets.items():
        linkage._resolve(name)
        if isinstance(value, Pose):
            position, rotation = np.asarray(value.position), np.asarray(value.rotation)
        else:
            try:
                array = np.asarray(value, dtype=np.float64)
            except (TypeError, ValueError):
                raise ArgumentError(
                    f"the target of {name!r} must be a Pose, (..., 4, 4) or a point (..., 3), not {value!r}"
                ) from None
            if array.shape[-2:] == (4, 4):
                position, rotation = array[..., :3, 3], array[..., :3, :3]
                _refuse_no_pose(name, array)
            elif array.ndim and array.shape[-1] == 3:
                position, rotation = array, None
            else:
                raise ArgumentError(
                    f"the target of {name!r} has shape {array.shape}: give a Pose, (..., 4, 4) or a point (..., 3)"
                )
        if not (np.abs(position) < FARTHEST).all():
            raise ArgumentError(f"the target of {name!r} is not finite, or more than {FARTHEST:g} m away")
        parts.append((name, position, rotation))
    return parts


def _refuse_no_pose(name: str, matrices: np.ndarray) -> None:
    """Raise where (..., 4, 4) matrices are no poses."""
    R, last = matrices[..., :3, :3], matrices[..., 3, :]
    off = np.abs(R @ R.swapaxes(-1, -2) - np.eye(3)).max(initial=0.0)
    if not off <= ACCEPTED or (np.linalg.det(R) < 0.0).any():
        raise ArgumentError(
            f"the target of {name!r} is no pose: its upper left 3×3 part must be a rotation, orthonormal to "
            f"{ACCEPTED:g} and right-handed"
        )
    if not (np.abs(last - [0.0, 0.0, 0.0, 1.0]) <= ACCEPTED).all():
        raise ArgumentError(f"the target of {name!r} is no pose: the last row of a 4×4 matrix must be (0, 0, 0, 1)")


def read_targets(linkage: Linkage, targets: Mapping[str, Any], leading: tuple) -> tuple[list[Target], tuple[int, ...]]:
    """The targets as arrays, and the leading dimensions of all."""
    parts = targets_as_arrays(linkage, targets)
    try:
        leading = np.broadcast_shapes(leading, *(position.shape[:-1] for _, position, _ in parts))
    except ValueError:
        shapes = ", ".join(str(position.shape[:-1]) for _, position, _ in parts)
        raise ArgumentError(f"leading dimensions of q {leading} and of the targets {shapes} do not broadcast") from None
    out = []
    for name, position, rotation in parts:
        turned = None if rotation is None else _flat(rotation, leading, 2)
        out.append(Target(name, _flat(position, leading, 1), turned))
    return out, leading


def _flat(array: np.ndarray, leading: tuple[int, ...], last: int) -> np.ndarray:
    """(states, ...) of an array that broadcasts over the leading dimensions; (1, ...) where all share it."""
    if array.ndim == last:
        return array[None]
    return np.broadcast_to(array, (*leading, *array.shape[-last:])).reshape(-1, *array.shape[-last:])
