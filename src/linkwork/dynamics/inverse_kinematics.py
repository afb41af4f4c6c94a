"""Poses that bring frames and points to given places: loops closed, contacts kept, joints within their limits."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.dynamics.arguments import coordinates, names_of
from linkwork.dynamics.reach_search import Box, Found, Search
from linkwork.dynamics.target_poses import read_targets, targets_as_arrays
from linkwork.dynamics.touching import Touching
from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.checks import positive
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.linkage.pose import Pose

SOLVED = 1e-10  # m and rad


@dataclass(frozen=True, eq=False)
class IK:
    """What `inverse_kinematics` found.

    Attributes
    ----------
    q : (..., nq) array
        The pose; the nearest one that was found where the targets cannot be met.
    residual : (...) array
        Largest distance, m, or angle, rad, that is left between a frame and its target.
    converged : (...) array of bool
        Whether that is below the tolerance, loops are closed, points on their surfaces and shapes not in each other.
    rounds : int
        Steps taken.
    overlap : (...) array
        How deep shapes are in each other at the most, m; 0 where none are.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(3)
    >>> found = lw.inverse_kinematics(arm, {"link2": lw.Pose((0.5, 0.0, -1.0))}, [0.1, 0.2, 0.1])
    >>> bool(found.converged)
    True
    """

    q: np.ndarray
    residual: np.ndarray
    converged: np.ndarray
    rounds: int
    overlap: np.ndarray

    def __repr__(self) -> str:
        done = np.count_nonzero(self.converged)
        return f"IK({done} of {self.converged.size} converged, residual {np.max(self.residual, initial=0.0):.3g})"


def inverse_kinematics(
    linkage: Linkage,
    targets: Mapping[str, Pose | Any],
    q,
    *,
    hold: str | Joint | Sequence[str | Joint] = (),
    keep: str | Sequence[str] = (),
    limits: bool = True,
    weights: Mapping[str, float] | None = None,
    tolerance: float = SOLVED,
    restarts: int = 30,
    seed: int | np.random.Generator = 0,
    path: bool = False,
) -> IK:
    """A pose in which frames are where they are wanted.

    Parameters
    ----------
    linkage : Linkage
    targets : mapping of str to Pose or array_like
        By the name of a frame or body: a `Pose`, or (..., 4, 4) matrices, for position and orientation; (..., 3) for
        the position of its origin alone. World axes. Leading dimensions are states of a batch.
    q : (..., nq) array_like
        Where to begin.
    hold : joint, its name, or several, optional
        Joints that stay where they are.
    keep : sequence of str, optional
        Shapes that go on touching what they touch at the start, with every corner, ball or edge that does so then; they
        may slide.
    limits : bool
        Whether joints stay within their limits.
    weights : mapping of str to float, optional
        Of targets that cannot be met together; all 1 by default.
    tolerance : float
        m and rad.
    restarts : int
        How many other starts are tried, drawn within the limits, where one does not lead there. 0: the pose nearest to
        the given start alone.
    seed : int or Generator
        For those.
    path : bool
        The first dimension of the targets is a path: each pose is sought from the one before, so that q changes as
        little as its targets do. The first one alone may be sought from other starts.

    Returns
    -------
    IK

    Raises
    ------
    ArgumentError
        An array of another shape, an unknown frame, or targets that say nothing; a shape of `keep` that is unknown or
        touches nothing at the start.

    Notes
    -----
    Damped Newton steps, all states of a batch at once. Where targets are out of reach, the best pose found is led on to
    where the weighted sum of the squares of all distances and angles is least nearby.

    Loops are closed, and points of `Linkage.constrain` on their surfaces, to rounding; they may slide there. Shapes
    (`Linkage.add_shape`) do not enter each other, and may part; an overlap that a pose cannot avoid is told in
    `IK.overlap`, and such a pose has not converged. A linkage with loops, points on surfaces or shapes is solved state
    by state.

    Cost: each round is O(nb) and a least-squares problem of the targets' rows; batches share the threads.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(3)
    >>> wanted = lw.body_poses(arm, [0.3, -0.5, 0.8])[arm.bodies[-1].name]
    >>> bool(lw.inverse_kinematics(arm, {arm.bodies[-1].name: wanted}, [0.1, 0.0, 0.1]).converged)
    True
    """
    tree = tree_of(linkage)
    q = coordinates(linkage, q)
    hold, keep = names_of("hold", hold), names_of("keep", keep)
    tolerance, restarts, rng = positive(tolerance, "tolerance"), _count(restarts), _generator(seed)
    if path:
        options = {
            "hold": hold,
            "keep": keep,
            "limits": limits,
            "weights": weights,
            "tolerance": tolerance,
            "seed": seed,
        }
        return _along(linkage, targets, q, restarts, options)
    wanted, leading = read_targets(linkage, targets, q.shape[:-1])
    count = int(np.prod(leading, dtype=np.int64))
    start = np.broadcast_to(q, (*leading, tree.nq)).reshape(count, tree.nq).copy()
    free = np.ones(tree.nv, dtype=bool)
    for name in hold:
        free[linkage.joints[name].v_slice] = False
    shapes = Touching(linkage, start, keep)
    search = Search(
        linkage, wanted, _weights(targets, weights), free, Box.of(linkage) if limits else None, tolerance, shapes
    )
    best, rounds = search.run(start, np.arange(count)) if count else (Found.nowhere(start), 0)
    for _ in range(restarts):
        left = _undone(best, tolerance)
        if not len(left):
            break
        again, more = search.run(search.draw(rng, start[left]), left)
        best.keep(again, left)
        rounds += more
    left = _undone(best, tolerance)
    if len(left):
        nearest, more = search.nearest(Found(*(x[left] for x in best)), left)
        best.keep(nearest, left)
        rounds += more
    overlap = shapes.overlap(best.q)
    done = (best.residual <= tolerance) & ~best.broken
    residual, done, overlap = (x.reshape(leading) for x in (best.residual, done, overlap))
    return IK(best.q.reshape(*leading, tree.nq), residual, done, rounds, overlap)


def _undone(best: Found, tolerance: float) -> np.ndarray:
    """States whose targets are not met."""
    return np.flatnonzero(best.broken | (best.residual > tolerance))


def _weights(targets: Mapping[str, Any], weights: Mapping[str, float] | None) -> np.ndarray:
    """Of each target, as shares of the largest."""
    weights = {} if weights is None else weights
    if not isinstance(weights, Mapping):
        raise ArgumentError(f"weights must be a mapping from names of targets to numbers, not {weights!r}")
    for name in weights:
        if name not in targets:
            raise unknown_name("target", name, list(targets))
    size = np.array([positive(weights.get(name, 1.0), f"the weight of {name!r}") for name in targets])
    return size / size.max(initial=0.0)


def _count(restarts: int) -> int:
    try:
        count = operator.index(restarts)
    except TypeError:
        count = -1
    if count < 0:
        raise ArgumentError(f"restarts must be a whole number, 0 or more, not {restarts!r}")
    return count


def _generator(seed: int | np.random.Generator) -> np.random.Generator:
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise ArgumentError(f"seed must be a whole number, 0 or more, or a Generator, not {seed!r}") from None


def _along(linkage: Linkage, targets: Mapping[str, Any], q: np.ndarray, restarts: int, options: dict[str, Any]) -> IK:
    """Poses along a path of targets, each sought from where the last two lead."""
    arrays = targets_as_arrays(linkage, targets)
    steps = {len(x) for _, x, _ in arrays if x.ndim > 1}
    if len(steps) != 1:
        raise ArgumentError(
            "a path needs targets whose first dimension, one and the same for all, are its places: "
            "(steps, ..., 3) or (steps, ..., 4, 4)"
        )
    found: list[IK] = []
    moving = {name for name, x, _ in arrays if x.ndim > 1}
    for k in range(steps.pop()):
        now = {name: np.asarray(x)[k] if name in moving else x for name, x in targets.items()}
        start = q
        if len(found) > 1 and not options["keep"]:  # straight on; what touches must touch where a search begins
            start = linkage.integrate(found[-1].q, linkage.difference(found[-2].q, found[-1].q))
        elif found:
            start = found[-1].q
        one = inverse_kinematics(linkage, now, start, restarts=0 if found else restarts, **options)
        if len(found) > 1 and not one.converged.all():
            again = inverse_kinematics(linkage, now, found[-1].q, restarts=0, **options)
            one = again if again.residual.max() < one.residual.max() else one
        found.append(one)
    if not found:
        none = np.zeros((0, *q.shape[:-1]))
        return IK(np.zeros((0, *q.shape)), none, none.astype(bool), 0, none)
    parts = {
        name: np.stack([getattr(one, name) for one in found]) for name in ("q", "residual", "converged", "overlap")
    }
    return IK(**parts, rounds=sum(one.rounds for one in found))
