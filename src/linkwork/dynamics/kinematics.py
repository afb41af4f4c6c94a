"""Where bodies are and how they move."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from linkwork.dynamics.arguments import coordinates, evaluate, velocities
from linkwork.linkage.checks import array
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import NOT_FAST, call_fast, leading_shape, output, run, run_fast, tree_of
from linkwork.results import Poses

MANY = 1000  # targets that are kept
_empty = np.empty


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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> poses = lw.body_poses(arm, [0.0, 0.0])
    >>> poses["link1"].position
    array([ 0.,  0., -1.])
    >>> poses.positions.shape
    (2, 3)
    """
    try:
        tree: Any = linkage._tree
        positions, rotations = _empty(tree.vectors), _empty(tree.matrices)
        if not call_fast(tree, tree.body_poses, q, positions, rotations):
            return Poses(linkage, positions, rotations)
    except NOT_FAST:
        pass
    tree, q = tree_of(linkage), coordinates(linkage, q)
    leading = q.shape[:-1]
    if leading == ():
        positions, rotations = np.empty(tree.vectors), np.empty(tree.matrices)
        run_fast(linkage, ("tree.kinematics", "body_poses"), [q], [positions, rotations])
        return Poses(linkage, positions, rotations)
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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.body_velocities(arm, [0.0, 0.0], [1.0, 0.0])[1]  # linear, then angular
    array([-1.,  0.,  0.,  0.,  1.,  0.])
    """
    try:
        tree: Any = linkage._tree
        out = _empty(tree.twists)
        if not call_fast(tree, tree.body_velocities, q, v, out):
            return out
    except NOT_FAST:
        pass
    inputs = coordinates(linkage, q), velocities(linkage, v)
    if inputs[0].ndim == inputs[1].ndim == 1:
        run_fast(linkage, ("tree.kinematics", "body_velocities"), [*inputs], [out := np.empty((linkage.nb, 6))])
        return out
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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.body_accelerations(arm, [0.0, 0.0], [1.0, 0.0], [0.0, 0.0])[1]  # towards the hinge
    array([0., 0., 1., 0., 0., 0.])
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

    Raises
    ------
    ArgumentError
        An array of another shape, an entry that is not finite, or an unknown name.

    Notes
    -----
    Visits only the ancestors of the body.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.jacobian(arm, [0.0, 0.0], "link1", point=(0, 0, -1))[:3]  # velocity of the tip
    array([[-2., -1.],
           [ 0.,  0.],
           [ 0.,  0.]])
    """
    try:
        tree: Any = linkage._tree
        J = _empty((6, tree.nv)) if out is None else out
        if not call_fast(tree, tree.jacobian, tree.targets[body, point], q, J):
            return J
    except (*NOT_FAST, KeyError):
        pass
    tree, q = tree_of(linkage), coordinates(linkage, q)
    J = output("jacobian", out, (*q.shape[:-1], 6, tree.nv))
    target = _target(linkage, tree, body, point)
    if target is None:
        J[...] = 0.0
        return J
    if q.ndim == 1:
        run_fast(linkage, ("tree.kinematics", "jacobian"), [q], [J], option=target)
        _remember(tree, body, point, target)
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

    Raises
    ------
    ArgumentError
        An array of another shape, an entry that is not finite, or an unknown name.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.jacobian_bias(arm, [0.0, 0.0], [1.0, 0.0], "link1")[:3]  # towards the hinge
    array([0., 0., 1.])
    """
    tree, q, v = tree_of(linkage), coordinates(linkage, q), velocities(linkage, v)
    out = np.zeros((*leading_shape(q, v), 6))
    target = _target(linkage, tree, body, point)
    if target is not None:
        run(linkage, ("tree.kinematics", "jacobian_bias"), target, [q, v, tree.zeros], [out])
    return out


def jacobian_derivative(linkage: Linkage, q, v, body, point=(0.0, 0.0, 0.0)) -> np.ndarray:
    """Time derivative of the Jacobian of a point of a body, while the linkage moves with `v`.

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
    dJ : (..., 6, nv) array
        dJ v is `jacobian_bias`, in world axes; dJ w is not its bilinear form, for J's columns turn with v alone.

    Raises
    ------
    ArgumentError
        An array of another shape, an entry that is not finite, or an unknown name.

    Notes
    -----
    [Li] eq. 30, for joints of every kind. O(nb): the velocities of all bodies are found first.

    Examples
    --------
    >>> import numpy as np
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(3)
    >>> q, v = np.array([0.1, 0.2, 0.3]), np.array([1.0, -2.0, 0.5])
    >>> dJ = lw.jacobian_derivative(arm, q, v, "link2")
    >>> np.allclose(dJ @ v, lw.jacobian_bias(arm, q, v, "link2"))
    True
    """
    tree, q, v = tree_of(linkage), coordinates(linkage, q), velocities(linkage, v)
    leading = leading_shape(q, v)
    out = np.zeros((*leading, 6 * tree.nv))
    target = _target(linkage, tree, body, point)
    if target is not None:
        run(linkage, ("tree.jacobian_derivative", "jacobian_derivative"), target, [q, v], [out])
    return out.reshape(*leading, 6, tree.nv)


def _remember(tree, body, point, target):
    """Keep a target for the next calls; points that are no tuples, or change from call to call, are not worth it."""
    if isinstance(point, tuple) and len(tree.targets) < MANY:
        with suppress(TypeError):
            tree.targets[body, point] = target


def _target(linkage, tree, body, point):
    """Stage, and the point in its frame; None for ground."""
    index, pose = linkage._resolve(body)
    if index < 0:
        return None
    stage = tree.stage[index]
    return np.concatenate([[float(stage)], pose.apply(array(point, (3,), "point")) @ tree.align[stage]])
