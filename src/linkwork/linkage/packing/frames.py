"""Frames of stages: each has its axis along z."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.layout.kinds import PLANAR


def stage_frames(kind: np.ndarray, which: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """(n, 3, 3) frames of stages in their joints' frames, axis `which` of the axes (n, 3, 3) along z; −1: as it is."""
    frames = np.tile(np.eye(3), (len(kind), 1, 1))
    turned = np.flatnonzero(which >= 0)
    frames[turned] = shortest_rotations(axes[turned, which[turned]])
    planar = np.flatnonzero(kind == PLANAR)
    z, x = axes[planar, 0], axes[planar, 1]
    frames[planar] = np.stack([x, np.cross(z, x), z], axis=-1)
    return frames


def shortest_rotations(axis: np.ndarray) -> np.ndarray:
    """(n, 3, 3) rotations that take z to each axis the short way; exactly 1 where the axis is z."""
    x, y, z = axis.T
    opposite = z < -1.0 + 1e-12
    # 1/(1 + z), of which rounding leaves little near z = −1: there it is (1 − z)/(x² + y²)
    below = (z < 0.0) & ~opposite
    k = np.where(below, 1.0 - z, 1.0) / np.where(below, x * x + y * y, np.where(opposite, 1.0, 1.0 + z))
    rotation = np.empty((len(axis), 3, 3))
    rotation[:, 0] = np.stack([1.0 - x * x * k, -x * y * k, x], axis=-1)
    rotation[:, 1] = np.stack([-x * y * k, 1.0 - y * y * k, y], axis=-1)
    rotation[:, 2] = np.stack([-x, -y, 1.0 - (x * x + y * y) * k], axis=-1)
    rotation[opposite] = np.diag([1.0, -1.0, -1.0])
    return rotation
