"""The search for poses behind `inverse_kinematics`: many states at once.

A damped Newton step δ for an error e of the targets, with the constraints' rows J_c and their gap c, solves

    [J_tᵀ J_t + μ 1   J_cᵀ] [δ]   [J_tᵀ e]
    [J_c              0   ] [.] = [−c    ]         μ = 10⁻³ |e|²

What would leave its limits is held there, and the step taken again without it. Shapes that a step would drive into each
other touch after it instead: their gap is one more row of c.

Out of reach e stays, and with it the curvature of the ways that the frames take: S = −Σ e · ∂²r/∂q² stands beside
J_tᵀ J_t then, and μ makes the sum positive definite.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.constraints import constraint_matrices, residuals
from linkwork.dynamics.contact_state import touch
from linkwork.dynamics.kinematics import body_poses, jacobian
from linkwork.dynamics.target_poses import Target
from linkwork.dynamics.touching import Touching
from linkwork.kernels.layout.kinds import BOUNDED, KIND_NV, SPHERICAL
from linkwork.linkage.linkage import Linkage

ROUNDS = 40  # steps from one start
STUCK = 4  # steps without a tenth of progress, after which another start is tried
DAMPING = 1e-3
FAR = 1.0  # rad or m: longest step
CLOSED = 1e-12  # of loops
DEEP, TIGHT = 1e-9, 1e-13  # m: a gap or overlap that is one; one that a step may aim at
ATTEMPTS = 6  # at a step that drives no shapes into each other
ENOUGH = 0.1  # of the tolerance: where targets are met
LAST, SHORTER = 100, 8  # steps towards what is out of reach, at shares of one
STILL = 1e-9  # rad or m: a step that is none


class Box(NamedTuple):
    """Limits of the coordinates that are angles and lengths of their own."""

    dofs: np.ndarray
    places: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    @classmethod
    def of(cls, linkage: Linkage) -> Box:
        """Those of a linkage; the rotation vectors of spherical joints have none here."""
        columns = linkage.columns
        code = np.repeat(columns.code, KIND_NV[columns.code])
        bounded = (np.isfinite(columns.lower) | np.isfinite(columns.upper)) & BOUNDED[code] & (code != SPHERICAL)
        dofs = np.flatnonzero(bounded)
        body = np.searchsorted(columns.v_start, dofs, side="right") - 1
        places = columns.q_start[body] + dofs - columns.v_start[body]
        return cls(dofs, places, columns.lower[dofs], columns.upper[dofs])


class Found(NamedTuple):
    """Poses, and how good they are: one whose constraints are not met is worse than any other.

    Of poses that meet their targets, the one that meets its constraints best is the best.
    """

    q: np.ndarray  # (n, nq)
    cost: np.ndarray  # (n,) half the sum of the squares of all weighted errors; nothing where targets are met
    residual: np.ndarray  # (n,) largest distance or angle left
    broken: np.ndarray  # (n,) whether loops are open, points off their surfaces, or shapes in each other
    gap: np.ndarray  # (n,) the largest of the constraints

    @classmethod
    def nowhere(cls, q: np.ndarray) -> Found:
        """Poses that any other is better than."""
        n = len(q)
        return cls(q.copy(), np.full(n, np.inf), np.full(n, np.inf), np.ones(n, dtype=bool), np.full(n, np.inf))

    def keep(self, other: Found, which: np.ndarray) -> None:
        """Take over those of other poses, of the states `which`, that are better."""
        broken, cost, gap = self.broken[which], self.cost[which], self.gap[which]
        nearer = (other.cost < cost) | ((other.cost == cost) & (other.gap < gap))
        better = (broken & ~other.broken) | ((broken == other.broken) & nearer)
        for mine, theirs in zip(self, other, strict=True):
            mine[which[better]] = theirs[better]


class Search:
    """Steps of many states towards their targets."""

    def __init__(
        self, linkage, targets: list[Target], weights, free, box: Box | None, tolerance: float, shapes: Touching
    ):
        self.linkage, self.targets, self.weights, self.free = linkage, targets, weights, free
        self.box, self.tolerance, self.shapes = box, tolerance, shapes

    def draw(self, rng: np.random.Generator, q: np.ndarray) -> np.ndarray:
        """Other starts: free joints anywhere within their limits, or about half a turn from where they were."""
        step = rng.normal(scale=np.pi / 2, size=(len(q), len(self.free)))
        out = self.linkage.integrate(q, np.where(self.free, step, 0.0))
        if self.box is not None:
            box, low, high = self.box, self.box.lower, self.box.upper
            inside = np.isfinite(low) & np.isfinite(high) & self.free[box.dofs]
            out[:, box.places[inside]] = rng.uniform(low[inside], high[inside], size=(len(q), inside.sum()))
        return out

    def run(self, q: np.ndarray, states: np.ndarray) -> tuple[Found, int]:
        """The best poses found from these starts, and the steps taken."""
        n = len(q)
        best = Found.nowhere(q)
        going, since, mark = np.arange(n), np.zeros(n, dtype=np.int64), np.full(n, np.inf)
        q, rounds = self._inside(q), 0
        for rounds in range(ROUNDS + 1):
            e, J, residual = self._errors(q, states[going])
            c, J_c = self._gaps(q, states[going])
            gap, broken = self._broken(q, c)
            met = residual <= ENOUGH * self.tolerance
            best.keep(Found(q, np.where(met, 0.0, _cost(e)), residual, broken > DEEP, gap), going)
            largest = np.maximum(residual, broken)
            progress = largest < 0.9 * mark[going]
            mark[going] = np.where(progress, largest, mark[going])
            since[going] = np.where(progress, 0, since[going] + 1)
            on = ((largest > ENOUGH * self.tolerance) | (gap > CLOSED)) & (since[going] < STUCK)
            if rounds == ROUNDS or not on.any():
                break
            q, going = q[on], going[on]
            M, pull = _normal_equations(e[on], J[on])
            M[:, *np.diag_indices(M.shape[1])] += (2.0 * DAMPING * _cost(e[on]) + 1e-14 * _squares(J[on]))[:, None]
            q = self._moved(q, self._step(q, M, pull, c[on], J_c[on]))
        return best, rounds

    def nearest(self, best: Found, states: np.ndarray) -> tuple[Found, int]:
        """From the best poses to where, close by, none is nearer to targets that are out of reach; and the steps."""
        going, rounds = np.flatnonzero(~best.broken), 0
        for rounds in range(LAST + 1):
            if rounds == LAST or not len(going):
                break
            q, mine = best.q[going], states[going]
            e, J, _ = self._errors(q, mine)
            M, pull = _normal_equations(e, J)
            M += self._curvature(q, e, J)
            free = M[:, self.free][:, :, self.free]
            values = np.linalg.eigvalsh(free) if free.size else np.zeros((len(q), 1))
            lift = np.maximum(1e-9 * np.abs(values).max(axis=1) + 1e-14 * _squares(J), -1.5 * values[:, 0])
            M[:, *np.diag_indices(M.shape[1])] += lift[:, None]
            step = self._step(q, M, pull, *self._gaps(q, mine))
            before, left = best.cost[going], np.arange(len(going))
            for share in 0.25 ** np.arange(SHORTER):  # the longest that is a gain
                trial = self._closed(self._moved(q[left], share * step[left]), mine[left])
                e, _, residual = self._errors(trial, mine[left])
                gap, broken = self._broken(trial, self._gaps(trial, mine[left])[0])
                best.keep(Found(trial, _cost(e), residual, broken > DEEP, gap), going[left])
                left = left[best.cost[going[left]] >= before[left]]
                if not len(left):
                    break
            gain = before - best.cost[going]
            going = going[(gain > 1e-15 * before) & (np.abs(step).max(axis=1, initial=0.0) > STILL)]
        return best, rounds

    def _closed(self, q: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Poses nearby in which loops are closed, points on their surfaces and shapes not in each other."""
        for _ in range(6):
            c, J_c = self._gaps(q, states)
            gap, broken = self._broken(q, c)
            if not ((gap > CLOSED) | (broken > DEEP)).any():
                break
            n, nv = len(q), self.linkage.nv
            q = self._moved(q, self._step(q, np.tile(np.eye(nv), (n, 1, 1)), np.zeros((n, nv)), c, J_c))
        return q

    def _broken(self, q: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) the largest gap of the constraints, and that or the largest overlap of shapes."""
        gap = np.abs(c).max(axis=1, initial=0.0)
        return gap, np.maximum(gap, self.shapes.overlap(q))

    def _errors(self, q: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weighted errors (n, m), how they fall with a step (n, m, nv), and the largest distance or angle (n,)."""
        poses = body_poses(self.linkage, q)
        errors, rows, largest = [], [], np.zeros(len(q))
        for target, weight in zip(self.targets, self.weights, strict=True):
            index, offset = self.linkage._resolve(target.frame)
            position, rotation = poses.positions[:, index], poses.rotations[:, index]
            place = position + rotation @ offset.position
            at = target.position[states if len(target.position) > 1 else 0 * states]
            J = jacobian(self.linkage, q, target.frame)
            e = at - place
            largest = np.maximum(largest, np.linalg.norm(e, axis=1))
            if target.rotation is None:
                J = J[:, :3]
            else:
                wanted = target.rotation[states if len(target.rotation) > 1 else 0 * states]
                turn = _rotation_vectors(wanted @ (rotation @ offset.rotation).swapaxes(1, 2))
                largest = np.maximum(largest, np.linalg.norm(turn, axis=1))
                e = np.concatenate([e, turn], axis=1)
            errors.append(weight * e)
            rows.append(weight * J)
        return np.concatenate(errors, axis=1), np.concatenate(rows, axis=1), largest

    def _curvature(self, q: np.ndarray, e: np.ndarray, J: np.ndarray) -> np.ndarray:
        """(n, nv, nv) S: of freedoms i above j, J_j changes by ω_i × J_j with i, and so does i's own part."""
        body = np.repeat(np.arange(self.linkage.nb), KIND_NV[self.linkage.columns.code])
        share = np.where(body[:, None] == body, 0.5, body[:, None] < body)  # parents come first
        S, first = np.zeros((len(q), len(body), len(body))), 0
        for target in self.targets:
            omega = jacobian(self.linkage, q, target.frame)[:, 3:]
            pull, rows = e[:, first : first + 3], J[:, first : first + 3]
            turned = np.cross(pull[:, :, None], omega, axis=1)  # e · (ω_i × J_j) = (e × ω_i) · J_j
            S -= np.einsum("nci,ncj->nij", turned, rows) * share
            first += 3
            if target.rotation is not None:  # turns do not commute: half of it in either order
                turned = np.cross(e[:, first : first + 3][:, :, None], omega, axis=1)
                S -= 0.5 * np.einsum("nci,ncj->nij", turned, J[:, first : first + 3]) * share
                first += 3
        return S + S.swapaxes(1, 2)

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

    def _step(self, q: np.ndarray, M: np.ndarray, pull: np.ndarray, c: np.ndarray, J_c: np.ndarray) -> np.ndarray:
        """(n, nv) the step of every state, within limits."""
        if not self.shapes.any:
            return self._bounded(q, M, pull, c, J_c)
        parts = (x[:, None] for x in (q, M, pull, c, J_c))
        return np.concatenate([self._parted(*one) for one in zip(*parts, strict=True)])

    def _moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Where steps lead, within limits."""
        return self._inside(self.linkage.integrate(q, step))

    def _parted(self, q: np.ndarray, M: np.ndarray, pull: np.ndarray, c: np.ndarray, J_c: np.ndarray) -> np.ndarray:
        """The step of one state after which, to first order, no shapes are in each other."""
        gap, rows = self.shapes.near(q[0])
        pressed = np.zeros(len(gap), dtype=bool)
        for _ in range(ATTEMPTS):
            held = np.concatenate([c, gap[None, pressed]], axis=1), np.concatenate([J_c, rows[None, pressed]], axis=1)
            step = self._bounded(q, M, pull, *held)
            entering = ~pressed & (gap + rows @ step[0] < -TIGHT)
            if not entering.any():
                break
            pressed |= entering
        return step

    def _bounded(self, q: np.ndarray, M: np.ndarray, pull: np.ndarray, c: np.ndarray, J_c: np.ndarray) -> np.ndarray:
        """The step of every state; what would leave its limits at their edge stays there."""
        free = np.broadcast_to(self.free, (len(q), len(self.free))).copy()
        for _ in range(4):
            step = _solved(M, pull, c, J_c, free)
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
        if box is None:
            return q
        may = self.free[box.dofs]
        q[:, box.places[may]] = np.clip(q[:, box.places[may]], box.lower[may], box.upper[may])
        return q


def _cost(e: np.ndarray) -> np.ndarray:
    return 0.5 * np.einsum("nm,nm->n", e, e)


def _squares(J: np.ndarray) -> np.ndarray:
    return np.einsum("nmv,nmv->n", J, J)


def _normal_equations(e: np.ndarray, J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """JᵀJ (n, nv, nv) and Jᵀe (n, nv)."""
    return J.swapaxes(1, 2) @ J, np.einsum("nmv,nm->nv", J, e)


def _solved(M: np.ndarray, pull: np.ndarray, c: np.ndarray, J_c: np.ndarray, free: np.ndarray) -> np.ndarray:
    """(n, nv) steps M⁻¹ pull of the coordinates that are free, with J_c times the step −c."""
    n, nv = pull.shape
    pull, k = np.where(free, pull, 0.0), c.shape[1]
    both = np.zeros((n, nv + k, nv + k))
    both[:, :nv, :nv] = np.where(free[:, :, None] & free[:, None, :], M, 0.0)
    both[:, np.arange(nv), np.arange(nv)] += ~free
    if k:
        J_c = J_c * free[:, None]
        both[:, :nv, nv:], both[:, nv:, :nv] = J_c.swapaxes(1, 2), J_c
        right = np.concatenate([pull, -c], axis=1)
        step = np.array([np.linalg.lstsq(m, r, rcond=1e-13)[0] for m, r in zip(both, right, strict=True)])[:, :nv]
    else:
        step = np.linalg.solve(both, pull[..., None])[..., 0]
    size = np.abs(step).max(axis=1, initial=0.0)
    return step * np.minimum(1.0, FAR / np.maximum(size, FAR))[:, None]


def _rotation_vectors(R: np.ndarray) -> np.ndarray:
    """(n, 3) rotation vectors of rotations."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(R).as_rotvec()
