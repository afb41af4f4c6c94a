"""Poses that bring frames and points to given places: loops closed, contacts kept, joints within their limits.

A damped Newton step δ for an error e of the targets, with the constraints' rows J_c and their gap c, solves

    [J_tᵀ J_t + μ 1   J_cᵀ] [δ]   [J_tᵀ e]
    [J_c              0   ] [.] = [−c    ]         μ = 10⁻³ |e|²

many states at once. What would leave its limits is held there, and the step taken again without it. Shapes that a step
would drive into each other touch after it instead: their gap is one more row of c.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.arguments import coordinates
from linkwork.dynamics.constraints import constraint_matrices, residuals
from linkwork.dynamics.contact_state import touch
from linkwork.dynamics.kinematics import body_poses, jacobian
from linkwork.dynamics.target_poses import Target, read_targets
from linkwork.dynamics.touching import Touching
from linkwork.errors import ArgumentError, unknown_name
from linkwork.kernels.layout.kinds import BOUNDED, KIND_NV, SPHERICAL
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.linkage.pose import Pose

ROUNDS = 40  # steps from one start
STUCK = 4  # steps without a tenth of progress, after which another start is tried
DAMPING = 1e-3
FAR = 1.0  # rad or m: longest step
SOLVED = 1e-10  # m and rad
CLOSED = 1e-12  # of loops
DEEP, TIGHT = 1e-9, 1e-13  # m: a gap or overlap that is one; one that a step may aim at
OPEN = 1e6  # more than any error: added to that of a pose whose constraints are not met
ATTEMPTS = 6  # at a step that drives no shapes into each other


@dataclass(frozen=True, eq=False)
class IK:
    """What `inverse_kinematics` found.

    Attributes
    ----------
    q : (..., nq) array
        The pose; the nearest one that was found where the targets cannot be met.
    residual : (...) array
        Largest distance, m or rad, that is left between a frame and its target.
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
    hold: Sequence[str] = (),
    keep: Sequence[str] = (),
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
    hold : sequence of str, optional
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
    Damped Newton steps, all states of a batch at once. Loops are closed, and points of `Linkage.constrain` on their
    surfaces, to rounding; they may slide there. Shapes (`Linkage.add_shape`) do not enter each other, and may part;
    an overlap that a pose cannot avoid is told in `IK.overlap`, and such a pose has not converged. A linkage with
    loops, points on surfaces or shapes is solved state by state.

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
    size = np.array([float((weights or {}).get(target.frame, 1.0)) for target in wanted])
    if not (size > 0.0).all():
        raise ArgumentError("weights must be positive")
    for name in weights or {}:
        if name not in targets:
            raise unknown_name("target", name, list(targets))
    free = np.ones(tree.nv, dtype=bool)
    for name in [hold] if isinstance(hold, str) else hold:
        free[linkage.joints[name].v_slice] = False
    shapes = Touching(linkage, start, [keep] if isinstance(keep, str) else keep)
    search = _Search(linkage, wanted, size, free, _Box.of(linkage) if limits else None, tolerance, shapes)
    best, error, rounds = search.run(start, np.arange(count))
    rng = np.random.default_rng(seed)
    for _ in range(restarts):
        left = np.flatnonzero(error > tolerance)
        if not len(left):
            break
        again = best[left].copy()
        found, again_error, more = search.run(search.draw(rng, start[left]), left)
        better = again_error < error[left]
        best[left] = np.where(better[:, None], found, again)
        error[left] = np.where(better, again_error, error[left])
        rounds += more
    overlap = shapes.overlap(best)
    done, error = error <= tolerance, np.where(error > OPEN, error - OPEN, error)
    error, done, overlap = (x.reshape(leading) for x in (error, done, overlap))
    return IK(best.reshape(*leading, tree.nq), error, done, rounds, overlap)


def _along(linkage: Linkage, targets: Mapping[str, Any], q: np.ndarray, restarts: int, options: dict[str, Any]) -> IK:
    """Poses along a path of targets, each sought from where the last two lead."""
    arrays = {name: None if isinstance(x, Pose) else np.asarray(x, dtype=np.float64) for name, x in targets.items()}
    steps = {len(x) for name, x in arrays.items() if x is not None and x.ndim > (2 if x.shape[-2:] == (4, 4) else 1)}
    if len(steps) != 1:
        raise ArgumentError(
            "a path needs targets whose first dimension, one and the same for all, are its places: "
            "(steps, ..., 3) or (steps, ..., 4, 4)"
        )
    found: list[IK] = []
    for k in range(steps.pop()):
        now = {name: targets[name] if x is None else x[k] for name, x in arrays.items()}
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
    parts = {
        name: np.stack([getattr(one, name) for one in found]) for name in ("q", "residual", "converged", "overlap")
    }
    return IK(**parts, rounds=sum(one.rounds for one in found))


class _Box(NamedTuple):
    """Limits of the coordinates that are angles and lengths of their own."""

    dofs: np.ndarray
    places: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    @classmethod
    def of(cls, linkage: Linkage) -> _Box:
        """Those of a linkage; the rotation vectors of spherical joints have none here."""
        columns = linkage.columns
        code = np.repeat(columns.code, KIND_NV[columns.code])
        bounded = (np.isfinite(columns.lower) | np.isfinite(columns.upper)) & BOUNDED[code] & (code != SPHERICAL)
        dofs = np.flatnonzero(bounded)
        body = np.searchsorted(columns.v_start, dofs, side="right") - 1
        places = columns.q_start[body] + dofs - columns.v_start[body]
        return cls(dofs, places, columns.lower[dofs], columns.upper[dofs])


class _Search:
    """Steps of many states towards their targets."""

    def __init__(
        self, linkage, targets: list[Target], weights, free, box: _Box | None, tolerance: float, shapes: Touching
    ):
        self.linkage, self.targets, self.weights, self.free = linkage, targets, weights, free
        self.box, self.tolerance, self.shapes = box, tolerance, shapes
        self.names = {body.name: k for k, body in enumerate(linkage.bodies)}

    def draw(self, rng: np.random.Generator, q: np.ndarray) -> np.ndarray:
        """Other starts: free joints anywhere within their limits, or about half a turn from where they were."""
        step = rng.normal(scale=np.pi / 2, size=(len(q), len(self.free)))
        out = self.linkage.integrate(q, np.where(self.free, step, 0.0))
        if self.box is not None:
            box, low, high = self.box, self.box.lower, self.box.upper
            inside = np.isfinite(low) & np.isfinite(high) & self.free[box.dofs]
            out[:, box.places[inside]] = rng.uniform(low[inside], high[inside], size=(len(q), inside.sum()))
        return out

    def run(self, q: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """The best poses found from these starts, what is left of their errors, and the steps taken.

        Errors are larger by `OPEN` where constraints are not met, too: such a pose is the last to be taken.
        """
        best, error = q.copy(), np.full(len(q), np.inf)
        going, since, mark = np.arange(len(q)), np.zeros(len(q), dtype=np.int64), np.full(len(q), np.inf)
        if self.box is not None:
            q = self._inside(q)
        rounds = 0
        for rounds in range(ROUNDS + 1):
            e, J, largest = self._errors(q, states[going])
            c, J_c = self._gaps(q, states[going])
            gap = np.abs(c).max(axis=1, initial=0.0)
            broken = np.maximum(gap, self.shapes.overlap(q))
            largest = np.maximum(largest, broken)
            rank = np.where(broken > DEEP, OPEN, 0.0) + largest
            better = rank < error[going]
            best[going[better]], error[going[better]] = q[better], rank[better]
            progress = largest < 0.9 * mark[going]
            mark[going] = np.where(progress, largest, mark[going])
            since[going] = np.where(progress, 0, since[going] + 1)
            on = ((largest > 0.1 * self.tolerance) | (gap > CLOSED)) & (since[going] < STUCK)
            if rounds == ROUNDS or not on.any():
                break
            q, going = q[on], going[on]
            q = self._step(q, e[on], J[on], c[on], J_c[on])
        return best, error, rounds

    def _errors(self, q: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Errors (n, m) of the targets, how they fall with a step (n, m, nv), and the largest of each state."""
        poses = body_poses(self.linkage, q)
        errors, rows, largest = [], [], np.zeros(len(q))
        for target, weight in zip(self.targets, self.weights, strict=True):
            index, offset = self.linkage._resolve(target.frame)
            position, rotation = poses.positions[:, index], poses.rotations[:, index]
            place = position + rotation @ offset.position
            at = target.position[states if len(target.position) > 1 else [0]]
            J = jacobian(self.linkage, q, target.frame)
            e = at - place
            if target.rotation is None:
                J = J[:, :3]
            else:
                wanted = target.rotation[states if len(target.rotation) > 1 else [0]]
                e = np.concatenate([e, _rotation_vectors(wanted @ (rotation @ offset.rotation).swapaxes(1, 2))], axis=1)
            largest = np.maximum(largest, np.abs(e).max(axis=1))
            errors.append(weight * e)
            rows.append(weight * J)
        return np.concatenate(errors, axis=1), np.concatenate(rows, axis=1), largest

    def _gaps(self, q: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of the constraints' rows (n, k) and the rows (n, k, nv): of loops, points on surfaces, shapes kept."""
        linkage = self.linkage
        gaps, rows = [np.zeros((len(q), 0))], [np.zeros((len(q), 0, linkage.nv))]
        if linkage.tree.closed:
            gaps.append(np.array([residuals(linkage, row.copy()).row_error for row in q]))
            rows.append(np.array([constraint_matrices(linkage, row.copy()).J for row in q]))
        if linkage._contacts.records:
            points = [touch(linkage, row.copy(), linkage.tree.zeros) for row in q]
            gaps.append(np.array([point.gap for point in points]))
            rows.append(np.array([point.j_c for point in points]))
        if self.shapes.keep:
            kept = [self.shapes.kept(row, int(state)) for row, state in zip(q, states, strict=True)]
            most = max(len(gap) for gap, _ in kept)  # states may keep different numbers; a row of zeros asks nothing
            gaps.append(np.array([np.pad(gap, (0, most - len(gap))) for gap, _ in kept]))
            rows.append(np.array([np.pad(J, ((0, most - len(J)), (0, 0))) for _, J in kept]))
        return np.concatenate(gaps, axis=1), np.concatenate(rows, axis=1)

    def _step(self, q: np.ndarray, e: np.ndarray, J: np.ndarray, c: np.ndarray, J_c: np.ndarray) -> np.ndarray:
        """One damped step of every state, within limits."""
        if self.shapes.any:
            parts = (x[:, None] for x in (q, e, J, c, J_c))
            step = np.concatenate([self._parted(*one) for one in zip(*parts, strict=True)])
        else:
            step = self._bounded(q, e, J, c, J_c)
        q = self.linkage.integrate(q, step)
        return q if self.box is None else self._inside(q)

    def _parted(self, q: np.ndarray, e: np.ndarray, J: np.ndarray, c: np.ndarray, J_c: np.ndarray) -> np.ndarray:
        """The step of one state after which, to first order, no shapes are in each other."""
        gap, rows = self.shapes.near(q[0])
        pressed = np.zeros(len(gap), dtype=bool)
        for _ in range(ATTEMPTS):
            held = np.concatenate([c, gap[None, pressed]], axis=1), np.concatenate([J_c, rows[None, pressed]], axis=1)
            step = self._bounded(q, e, J, *held)
            entering = ~pressed & (gap + rows @ step[0] < -TIGHT)
            if not entering.any():
                break
            pressed |= entering
        return step

    def _bounded(self, q: np.ndarray, e: np.ndarray, J: np.ndarray, c: np.ndarray, J_c: np.ndarray) -> np.ndarray:
        """One damped step of every state; what would leave its limits at their edge stays there."""
        free = np.broadcast_to(self.free, (len(q), len(self.free))).copy()
        for _ in range(4):
            step = _damped(e, J, c, J_c, free)
            if self.box is None:
                break
            box = self.box
            x = q[:, box.places] + step[:, box.dofs]
            beyond = ((x < box.lower - 1e-12) | (x > box.upper + 1e-12)) & free[:, box.dofs]
            at_edge = (q[:, box.places] <= box.lower) & (step[:, box.dofs] < 0.0)
            at_edge |= (q[:, box.places] >= box.upper) & (step[:, box.dofs] > 0.0)
            held = beyond & at_edge
            if not held.any():
                break
            free[:, box.dofs] &= ~held
        return step

    def _inside(self, q: np.ndarray) -> np.ndarray:
        """Put back what is beyond its limits, where it may move."""
        box, q = self.box, q.copy()
        assert box is not None
        may = self.free[box.dofs]
        q[:, box.places[may]] = np.clip(q[:, box.places[may]], box.lower[may], box.upper[may])
        return q


def _damped(e: np.ndarray, J: np.ndarray, c: np.ndarray, J_c: np.ndarray, free: np.ndarray) -> np.ndarray:
    """(n, nv) damped steps of the coordinates that are free."""
    n, _, nv = J.shape
    J, J_c = J * free[:, None], J_c * free[:, None]
    mu = DAMPING * np.einsum("nm,nm->n", e, e) + 1e-14 * np.einsum("nmv,nmv->n", J, J)
    k = J_c.shape[1]
    M = np.zeros((n, nv + k, nv + k))
    M[:, :nv, :nv] = J.swapaxes(1, 2) @ J
    M[:, np.arange(nv), np.arange(nv)] += mu[:, None] + ~free
    right = np.zeros((n, nv + k))
    right[:, :nv] = np.einsum("nmv,nm->nv", J, e)
    if k:
        M[:, :nv, nv:], M[:, nv:, :nv] = J_c.swapaxes(1, 2), J_c
        right[:, nv:] = -c
        step = np.array([np.linalg.lstsq(m, r, rcond=1e-13)[0] for m, r in zip(M, right, strict=True)])[:, :nv]
    else:
        step = np.linalg.solve(M, right[..., None])[..., 0]
    size = np.abs(step).max(axis=1, initial=0.0)
    return step * np.minimum(1.0, FAR / np.maximum(size, FAR))[:, None]


def _rotation_vectors(R: np.ndarray) -> np.ndarray:
    """(n, 3) rotation vectors of rotations."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(R).as_rotvec()
