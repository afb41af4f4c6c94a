"""Where bodies are and how they move, and steps on the configuration manifold."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.launch import leading_shape, numbers, output, run, tree_of
from linkwork.errors import ArgumentError
from linkwork.linkage.body import Body, Frame
from linkwork.linkage.checks import array
from linkwork.linkage.joint import FREE as FREE_JOINT
from linkwork.linkage.joint import NQ, NV, SPHERICAL
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose


class Poses:
    """World poses of all bodies.

    Attributes
    ----------
    positions : (..., nb, 3) array
        Origins of the body frames, world axes, in m.
    rotations : (..., nb, 3, 3) array
        From body axes to world axes.

    ``poses["upper"]`` is the `Pose` of one body or frame (for a single state).
    """

    def __init__(self, linkage: Linkage, positions: np.ndarray, rotations: np.ndarray):
        self._linkage, self.positions, self.rotations = linkage, positions, rotations

    def __getitem__(self, body: str | Body | Frame) -> Pose:
        if self.positions.ndim > 2:
            raise ArgumentError("these are the poses of many states: take .positions and .rotations")
        index, offset = self._linkage._resolve(body)
        if index < 0:
            return offset
        return Pose(self.positions[index], self.rotations[index]) @ offset

    def __repr__(self) -> str:
        return f"Poses(positions {self.positions.shape}, rotations {self.rotations.shape})"


def body_poses(linkage: Linkage, q) -> Poses:
    """World pose of every body.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
        Coordinates, in m and rad.

    Returns
    -------
    Poses
    """
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    positions, rotations = np.empty((*q.shape[:-1], 3 * tree.nb)), np.empty((*q.shape[:-1], 9 * tree.nb))
    run(linkage, ("tree.kinematics", "body_poses"), 0, [q], [positions, rotations])
    leading = q.shape[:-1]
    return Poses(linkage, positions.reshape(*leading, tree.nb, 3), rotations.reshape(*leading, tree.nb, 3, 3))


def body_velocities(linkage: Linkage, q, v) -> np.ndarray:
    """World velocity of every body.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like

    Returns
    -------
    (..., nb, 6) array
        Linear velocity of the body's origin and angular velocity, world axes.
    """
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    out = np.empty((*leading_shape(q, v), 6 * tree.nb))
    run(linkage, ("tree.kinematics", "body_velocities"), 0, [q, v], [out])
    return out.reshape(*out.shape[:-1], tree.nb, 6)


def body_accelerations(linkage: Linkage, q, v, a) -> np.ndarray:
    """World acceleration of every body, as of a particle at its origin; gravity is not in it.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v, a : (..., nv) array_like

    Returns
    -------
    (..., nb, 6) array
        Linear acceleration of the body's origin and angular acceleration, world axes.
    """
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    a = numbers(linkage, "a", a, tree.nv, "nv")
    out = np.empty((*leading_shape(q, v, a), 6 * tree.nb))
    run(linkage, ("tree.kinematics", "body_accelerations"), 0, [q, v, a], [out])
    return out.reshape(*out.shape[:-1], tree.nb, 6)


def jacobian(linkage: Linkage, q, body, point=(0.0, 0.0, 0.0), *, out: np.ndarray | None = None) -> np.ndarray:
    """Jacobian of a point of a body.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    body : str, Body or Frame
    point : (3,) array_like
        In the frame of `body`, in m.
    out : (..., 6, nv) array, optional

    Returns
    -------
    J : (..., 6, nv) array
        J v is the linear velocity of the point and the angular velocity of the body, world axes.

    Notes
    -----
    Visits only the ancestors of the body.
    """
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    J = output("jacobian", out, (*q.shape[:-1], 6, tree.nv))
    target = _target(linkage, tree, body, point)
    if target is None:
        J[...] = 0.0
        return J
    run(linkage, ("tree.kinematics", "jacobian"), target, [q], [J.reshape(*q.shape[:-1], 6 * tree.nv)])
    return J


def jacobian_bias(linkage: Linkage, q, v, body, point=(0.0, 0.0, 0.0)) -> np.ndarray:
    """Acceleration of a point of a body when dv/dt = 0: J̇ v.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like
    body : str, Body or Frame
    point : (3,) array_like
        In the frame of `body`, in m.

    Returns
    -------
    (..., 6) array
        Classical acceleration of the point and angular acceleration of the body, world axes.
    """
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    out = np.zeros((*leading_shape(q, v), 6))
    target = _target(linkage, tree, body, point)
    if target is not None:
        run(linkage, ("tree.kinematics", "jacobian_bias"), target, [q, v, tree.zeros], [out])
    return out


def _target(linkage, tree, body, point):
    """Stage, and the point in its frame; None for ground."""
    index, pose = linkage._resolve(body)
    if index < 0:
        return None
    stage = tree.stage[index]
    return np.concatenate([[float(stage)], pose.apply(array(point, (3,), "point")) @ tree.align[stage]])


def integrate(linkage: Linkage, q, dv) -> np.ndarray:
    """q ⊕ dv: from q, move for unit time with the constant velocity dv of every joint.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    dv : (..., nv) array_like

    Returns
    -------
    (..., nq) array
        Quaternions are brought to unit length.
    """
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    dv = numbers(linkage, "dv", dv, tree.nv, "nv")
    out = np.empty((*leading_shape(q, dv), tree.nq))
    run(linkage, ("tree.integrate", "integrate"), 0, [q, dv], [out])
    return out


def difference(linkage: Linkage, q0, q1) -> np.ndarray:
    """The dv with ``integrate(linkage, q0, dv) == q1``, turning by at most half a turn.

    Parameters
    ----------
    linkage : Linkage
    q0, q1 : (..., nq) array_like

    Returns
    -------
    (..., nv) array
    """
    tree = tree_of(linkage)
    q0 = numbers(linkage, "q0", q0, tree.nq, "nq")
    q1 = numbers(linkage, "q1", q1, tree.nq, "nq")
    out = np.empty((*leading_shape(q0, q1), tree.nv))
    run(linkage, ("tree.integrate", "difference"), 0, [q0, q1], [out])
    return out


def random_configuration(linkage: Linkage, rng: np.random.Generator | int | None = None) -> np.ndarray:
    """Random coordinates: within a joint's limits, ±π or ±1 m where it has none, uniform over rotations."""
    rng = np.random.default_rng(rng)
    columns = linkage.columns
    q = np.empty(linkage.nq)
    code = columns.code
    same = NQ[code] == NV[code]
    # coordinates of joints that have one a degree of freedom, in one go
    rows = np.repeat(np.flatnonzero(same), NQ[code[same]])
    offset = np.concatenate([np.arange(k) for k in NQ[code[same]]]) if len(rows) else np.empty(0, dtype=np.int64)
    at_q, at_v = columns.q_start[rows] + offset, columns.v_start[rows] + offset
    reach = np.where(_slides(code[rows], offset), 1.0, np.pi)
    lower = np.where(np.isfinite(columns.lower[at_v]), columns.lower[at_v], -reach)
    upper = np.where(np.isfinite(columns.upper[at_v]), columns.upper[at_v], reach)
    q[at_q] = rng.uniform(np.minimum(lower, upper), np.maximum(lower, upper))
    for kind, first in ((SPHERICAL, 0), (FREE_JOINT, 3)):
        starts = columns.q_start[code == kind]
        quaternions = rng.normal(size=(len(starts), 4))
        quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
        q[starts[:, None] + first + np.arange(4)] = quaternions
        if first:
            q[starts[:, None] + np.arange(3)] = rng.uniform(-1.0, 1.0, size=(len(starts), 3))
    return q


def _slides(code: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Which coordinates are lengths."""
    from linkwork.linkage.joint import CYLINDRICAL, PLANAR, PRISMATIC

    return (code == PRISMATIC) | ((code == CYLINDRICAL) & (offset == 0)) | ((code == PLANAR) & (offset < 2))


__all__ = [
    "Poses", "body_accelerations", "body_poses", "body_velocities", "difference", "integrate", "jacobian",
    "jacobian_bias", "random_configuration",
]  # fmt: skip
