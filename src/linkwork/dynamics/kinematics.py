"""Where bodies are and how they move."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.arguments import coordinates, evaluate, velocities
from linkwork.linkage.checks import array
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import leading_shape, output, run, tree_of
from linkwork.results import Poses


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
    tree, q = tree_of(linkage), coordinates(linkage, q)
    leading = q.shape[:-1]
    positions, rotations = np.empty((*leading, 3 * tree.nb)), np.empty((*leading, 9 * tree.nb))
    run(linkage, ("tree.kinematics", "body_poses"), 0, [q], [positions, rotations])
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
    inputs = coordinates(linkage, q), velocities(linkage, v)
    out = evaluate(linkage, ("tree.kinematics", "body_velocities"), 6 * linkage.nb, *inputs)
    return out.reshape(*out.shape[:-1], linkage.nb, 6)


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
    inputs = coordinates(linkage, q), velocities(linkage, v), velocities(linkage, a, "a")
    out = evaluate(linkage, ("tree.kinematics", "body_accelerations"), 6 * linkage.nb, *inputs)
    return out.reshape(*out.shape[:-1], linkage.nb, 6)


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
    tree, q = tree_of(linkage), coordinates(linkage, q)
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
    tree, q, v = tree_of(linkage), coordinates(linkage, q), velocities(linkage, v)
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
