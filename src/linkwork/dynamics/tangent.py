"""Gradients in the coordinates of arrays, for those who differentiate arrays: from the tangent space and back."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.layout.kinds import FREE, PLANAR, SPHERICAL
from linkwork.linkage.linkage import Linkage


def array_gradient(linkage: Linkage, q: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """(..., nq) gradient by the numbers in q, of a gradient (..., nv) in the tangent space of `Linkage.integrate`.

    Of the gradients that agree along the tangent space, the one without a part across it: quaternions keep their
    length.
    """
    out = np.zeros(np.broadcast_shapes(q.shape[:-1], gradient.shape[:-1]) + q.shape[-1:])
    columns = linkage.columns
    for code, k, d, n in zip(columns.code, columns.q_start, columns.v_start, _sizes(linkage), strict=True):
        if code == SPHERICAL:
            out[..., k : k + 4] = _quaternion(q[..., k : k + 4], gradient[..., d : d + 3])
        elif code == FREE:
            turn = q[..., k + 3 : k + 7]
            out[..., k : k + 3] = _rotate(turn, gradient[..., d : d + 3])
            out[..., k + 3 : k + 7] = _quaternion(turn, gradient[..., d + 3 : d + 6])
        elif code == PLANAR:
            c, s, g = np.cos(q[..., k + 2]), np.sin(q[..., k + 2]), gradient[..., d : d + 3]
            out[..., k] = c * g[..., 0] - s * g[..., 1]
            out[..., k + 1] = s * g[..., 0] + c * g[..., 1]
            out[..., k + 2] = g[..., 2]
        else:
            out[..., k : k + n] = gradient[..., d : d + n]
    return out


def _sizes(linkage: Linkage) -> np.ndarray:
    """(joints,) degrees of freedom of each joint."""
    return np.diff(np.append(linkage.columns.v_start, linkage.nv))


def _quaternion(q: np.ndarray, g: np.ndarray) -> np.ndarray:
    """2 q ⊗ (g, 0): a turn by δ changes q by half of q ⊗ (δ, 0)."""
    u, w = q[..., :3], q[..., 3:]
    return 2.0 * np.concatenate([w * g + np.cross(u, g), -(u * g).sum(axis=-1, keepdims=True)], axis=-1)


def _rotate(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """R(q) x."""
    u, w = q[..., :3], q[..., 3:]
    t = 2.0 * np.cross(u, x)
    return x + w * t + np.cross(u, t)


def tangent_gradient(linkage: Linkage, q: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """(..., nv) gradient in the tangent space, of one (..., nq) by the numbers in q."""
    out = np.zeros((*np.broadcast_shapes(q.shape[:-1], gradient.shape[:-1]), linkage.nv))
    columns = linkage.columns
    for code, k, d, n in zip(columns.code, columns.q_start, columns.v_start, _sizes(linkage), strict=True):
        if code == SPHERICAL:
            out[..., d : d + 3] = _turn(q[..., k : k + 4], gradient[..., k : k + 4])
        elif code == FREE:
            turn = q[..., k + 3 : k + 7]
            back = np.concatenate([-turn[..., :3], turn[..., 3:]], axis=-1)
            out[..., d : d + 3] = _rotate(back, gradient[..., k : k + 3])
            out[..., d + 3 : d + 6] = _turn(turn, gradient[..., k + 3 : k + 7])
        elif code == PLANAR:
            c, s, g = np.cos(q[..., k + 2]), np.sin(q[..., k + 2]), gradient[..., k : k + 3]
            out[..., d] = c * g[..., 0] + s * g[..., 1]
            out[..., d + 1] = c * g[..., 1] - s * g[..., 0]
            out[..., d + 2] = g[..., 2]
        else:
            out[..., d : d + n] = gradient[..., k : k + n]
    return out


def _turn(q: np.ndarray, g: np.ndarray) -> np.ndarray:
    """½ of the vector part of q* ⊗ g."""
    u, w, x, s = q[..., :3], q[..., 3:], g[..., :3], g[..., 3:]
    return 0.5 * (w * x - s * u - np.cross(u, x))
