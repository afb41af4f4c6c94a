"""The constraints of closed linkages as methods use them: residuals, steps along them, dense matrices.

Symbols: J the rows of the constraints on the tree's velocities, λ their forces, M the mass matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.arguments import coordinates, one_state, velocities
from linkwork.dynamics.energy import kinetic_energy
from linkwork.dynamics.inverse import LARGEST_MATRIX, mass_matrix
from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError, SingularError
from linkwork.kernels.launch import call
from linkwork.kernels.layout import NO_INERTIA
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import problem, run_one, tree_of
from linkwork.linkage.packing.lengths import unit_of_length
from linkwork.linkage.packing.pack_loops import Loops

RANK = 1e-9  # singular values below this share of what rows are made of count as zero, see `Rows`
SHARED = 1e-10  # the same of J M⁻¹ Jᵀ, beside the largest
NEGLIGIBLE = 1e-14  # share of what an inertia is made of that counts as zero


def loops_of(linkage: Linkage) -> Loops:
    """The packed loop joints and couplings of a linkage as it is now."""
    tree = tree_of(linkage)
    if tree.loops is None:
        tree.loops = Loops(linkage, tree)
    return tree.loops


class Residuals:
    """How far loops are from closed: `error` (loops, 6), the rows' errors and rates, the loop joints' coordinates."""

    __slots__ = ("error", "rate", "row_error", "theta", "theta_rate", "units")

    @property
    def gap(self) -> float:
        """Largest entry of the error, rad or the unit of length of its loop."""
        return float(np.abs(self.error / self.units).max(initial=0.0))


def residuals(linkage: Linkage, q, v=None) -> Residuals:
    """Gaps and relative velocities of all loops at one state."""
    tree, loops = tree_of(linkage), loops_of(linkage)
    q = one_state("q", coordinates(linkage, q))
    v = tree.zeros if v is None else one_state("v", velocities(linkage, v))
    state = Residuals()
    state.error, state.rate = np.empty(6 * len(loops.names)), np.empty(loops.n_rows)
    state.theta, state.theta_rate = np.empty(loops.nq), np.empty(loops.nv)
    state.row_error = np.empty(loops.n_rows)
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        run_one(linkage, ("closed.loops", "loop_residuals"), tree.model, tree.index, work, loops.plan, loops.geometry,
                loop_scratch, q, v, state.error, state.row_error, state.rate, state.theta,
                state.theta_rate)  # fmt: skip
    state.error, state.units = state.error.reshape(-1, 6), loops.error_units
    return state


class LoopWorkspace:
    """A workspace of the tree and a scratch space of the loops, taken and given back."""

    def __init__(self, tree, loops: Loops):
        self._tree, self._loops = tree, loops

    def __enter__(self) -> tuple[np.ndarray, np.ndarray]:
        self._taken = self._tree.work(), self._loops.scratch()
        return self._taken

    def __exit__(self, *_) -> None:
        work, loop_scratch = self._taken
        self._tree.pool.append(work)
        self._loops.pool.append(loop_scratch)


def loop_wrenches(loops: Loops, loop_scratch: np.ndarray, force: np.ndarray) -> np.ndarray:
    """(joints, 6) wrench of a on b in `at_b`, of the constraints alone, from the forces of the rows."""
    if not loops.joints:
        return np.zeros((0, 6))
    padded = np.zeros((loops.joints, 6))
    for rows in np.unique(loops.rows[: loops.joints]):
        same = np.flatnonzero(loops.rows[: loops.joints] == rows)
        padded[same, :rows] = force[loops.first_row[same, None] + np.arange(rows)]
    return loops.turn_back(np.einsum("nri,nr->ni", loops.forbidden(loop_scratch), padded))


class Step(NamedTuple):
    """A step x with J x = h, the forces λ of the rows with M x = Jᵀ λ, also as wrenches of the loop joints.

    `margin` says how far the constraints are from losing rank: `Loops.margin`.
    """

    x: np.ndarray
    force: np.ndarray
    wrenches: np.ndarray | None
    margin: tuple[float, int, int]


def constrained_step(linkage: Linkage, q: np.ndarray, h: np.ndarray, *, forces: bool = False) -> Step:
    """The step with J x = h that is least in ½ xᵀ M x. Its forces are of least norm where they are asked for."""
    tree, loops = tree_of(linkage), loops_of(linkage)
    x, force, left = np.empty(tree.nv), np.empty(loops.n_rows), np.empty(loops.n_rows)
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        outcome = call(("closed.embedding", "closed_step"), tree.model, tree.index, work, loops.plan, loops.geometry,
                       loop_scratch, q, tree.zeros, h, x, force, left)  # fmt: skip
        if not outcome:
            margin = loops.margin(loop_scratch)
            if not forces:
                return Step(x, force, None, margin)
            force = least_norm(linkage, loops, loop_scratch, force)
            return Step(x, force, loop_wrenches(loops, loop_scratch, force), margin)
    if outcome & 15 not in NO_INERTIA:
        raise problem(linkage, outcome)
    matrices = constraint_matrices(linkage, q)
    rows = matrices.rows()
    x, force = projected_solve(linkage, rows, h, mass_matrix(linkage, q), tree.zeros)
    return Step(x, force, matrices.wrenches(force), (rows.margin, 0, rows.rank))


def least_norm(linkage: Linkage, loops: Loops, loop_scratch: np.ndarray, force: np.ndarray) -> np.ndarray:
    """The forces of least norm with the same effect as `force`: what redundant rows leave arbitrary is removed."""
    redundant = np.flatnonzero(loops.marks(loop_scratch) == 0.0)
    if not len(redundant):
        return force
    group = loops.groups[np.searchsorted(loops.first_row, redundant, side="right") - 1]
    row_group = np.repeat(loops.groups, loops.rows)
    # One redundant row of each group at a time: groups share no row, so their null vectors do not overlap.
    order = np.argsort(group, kind="stable")
    rank = np.empty(len(redundant), dtype=np.int64)
    rank[order] = np.arange(len(order)) - np.searchsorted(group[order], group[order])
    null = np.zeros((int(rank.max()) + 1, loops.n_rows))
    for k, vector in enumerate(null):
        vector[redundant[rank == k]] = 1.0
        run_one(linkage, ("closed.elimination", "undo"), linkage.tree.index, loops.plan, loop_scratch, vector)
    force = force.copy()
    for each in np.unique(group):
        rows = np.flatnonzero(row_group == each)
        N = null[: int(rank[group == each].max()) + 1, rows]
        force[rows] -= N.T @ np.linalg.lstsq(N.T, force[rows], rcond=None)[0]
    return force


def least_forces(linkage: Linkage, loops: Loops, q: np.ndarray, force: np.ndarray) -> np.ndarray:
    """`least_norm` at a pose, for methods that do not eliminate rows joint by joint."""
    tree = linkage.tree
    zero = np.zeros(loops.n_rows)
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        outcome = call(("closed.embedding", "closed_step"), tree.model, tree.index, work, loops.plan, loops.geometry,
                       loop_scratch, q, tree.zeros, zero, np.empty(tree.nv), zero.copy(), zero.copy())  # fmt: skip
        if not outcome:
            return least_norm(linkage, loops, loop_scratch, force)
    if outcome & 15 not in NO_INERTIA:
        raise problem(linkage, outcome)
    return constraint_matrices(linkage, q).rows().least(force)  # a massless body that loops alone hold


class Matrices(NamedTuple):
    """J (rows, nv), what its entries are made of, the bias with J a = bias; the loops and what they were read from."""

    J: np.ndarray
    made: np.ndarray
    bias: np.ndarray
    S: np.ndarray
    loops: Loops
    loop_scratch: np.ndarray

    def rows(self) -> Rows:
        """J, taken apart."""
        return Rows(self.J, self.made, self.loops.units[: self.J.shape[1]])

    def wrenches(self, force: np.ndarray) -> np.ndarray:
        """(joints, 6) wrenches of the loop joints, of the rows' forces."""
        return loop_wrenches(self.loops, self.loop_scratch, force)


def constraint_matrices(
    linkage: Linkage, q: np.ndarray, v: np.ndarray | None = None, *, whole: bool = False
) -> Matrices:
    """The constraints as dense matrices; where `whole`, six rows per loop joint. S has one row of six per axis."""
    tree, loops = tree_of(linkage), loops_of(linkage)
    rows = 6 * len(loops.names) if whole else loops.n_rows
    if rows * tree.nv > LARGEST_MATRIX:
        raise ArgumentError(f"the constraint matrix of linkage {linkage.name!r} would be {rows} × {tree.nv}: too large")
    J, made = np.zeros((2, rows, tree.nv))
    bias, S = np.zeros(rows), np.zeros((loops.nv, 6))
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        run_one(linkage, ("closed.loops", "constraint_jacobian"), tree.model, tree.index, work, loops.plan,
                loops.geometry, loop_scratch, whole, q, tree.zeros if v is None else v, J.reshape(-1), made.reshape(-1),
                bias, S.reshape(-1))  # fmt: skip
        return Matrices(J, made, bias, S, loops, loop_scratch.copy())


class Rows:
    """The rows of constraints taken apart, without units: which motions they allow and which forces have no effect.

    Lengths are in the linkage's own unit, and whether a singular value counts is decided beside what the rows are made
    of, not beside the rows: those of a joint that repeats another vanish but for rounding.

    Attributes
    ----------
    rank : int
    null : (nv, nv − rank) array
        Motions with J x = 0.
    inverse : (nv, rows) array
        J⁺: x = J⁺ h has J x = h where that is possible.
    combine, combined : (rows, rank), (rank, nv) arrays
        As many combinations of rows as are independent: combineᵀ J = combined.
    margin : float
        How far the rows are from losing rank: 1 is far, 0 there.
    """

    def __init__(self, J: np.ndarray, made: np.ndarray, units: np.ndarray):
        matrix, self._rows, scale = without_units(J, made, units)
        u, sigma, vt = np.linalg.svd(matrix)
        largest = max(float(sigma.max(initial=0.0)), scale)
        self.rank = rank = int((sigma > RANK * largest).sum())
        self.null = units[:, None] * vt[rank:].T
        self._idle = self._rows[:, None] ** -1 * u[:, rank:]  # forces of the rows without effect
        self.combine = u[:, :rank] / self._rows[:, None]
        self.combined = sigma[:rank, None] * vt[:rank] / units
        self.inverse = units[:, None] * (vt[:rank].T / sigma[:rank]) @ self.combine.T
        self.margin = float(sigma[rank - 1] / sigma[0]) if rank else 1.0

    def least(self, force: np.ndarray) -> np.ndarray:
        """The forces of least norm with the same effect as `force`."""
        if not self._idle.shape[1]:
            return force
        return force - self._idle @ np.linalg.lstsq(self._idle, force, rcond=None)[0]

    def forces(self, torque: np.ndarray) -> np.ndarray:
        """The least λ with Jᵀ λ = torque, where that is possible."""
        return self.least(self.inverse.T @ torque)


def without_units(J: np.ndarray, made: np.ndarray, units: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """J with its columns in `units` and its rows divided by what is returned next; then, what its entries are made of.

    A linkage of about a metre stays as it is.
    """
    made = made * units
    rows = made.max(axis=1, initial=0.0)
    rows = unit_of_length(np.where(rows > 0.0, rows, 1.0))
    return J * units / rows[:, None], rows, float((made / rows[:, None]).max(initial=0.0))


def projected_solve(linkage: Linkage, rows: Rows, h, H, force) -> tuple[np.ndarray, np.ndarray]:
    """x and the least λ with H x = force + Jᵀ λ and J x = h, by the null space of J: dense, any rank."""
    N, x = rows.null, rows.inverse @ h
    factor = definite(linkage, N.T @ H @ N, ((abs(N).T @ abs(H)) * abs(N).T).sum(axis=1), N)
    y = np.linalg.solve(factor, N.T @ (force - H @ x))
    x = x + N @ np.linalg.solve(factor.T, y)
    return x, rows.forces(H @ x - force)


def reach(linkage: Linkage, q: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(n,) units in which rows j that move light and heavy bodies compare: √ of |j|⁴/(jᵀ M j) ≤ jᵀ M⁻¹ j.

    That is what a unit force would do at least, were there no loops: these may leave nothing of it but rounding.
    """
    moved = np.array([2.0 * kinetic_energy(linkage, q, row) for row in rows])  # jᵀ M j
    squares = np.einsum("nv,nv->n", rows, rows)
    return np.where(moved > 0.0, squares / np.sqrt(np.where(moved > 0.0, moved, 1.0)), 1.0)


def joint_reach(linkage: Linkage, q: np.ndarray, dofs: np.ndarray) -> np.ndarray:
    """`reach` of single degrees of freedom."""
    return reach(linkage, q, (np.arange(linkage.nv) == dofs[:, None]).astype(np.float64))


def shared_forces(W: np.ndarray, right: np.ndarray, units: np.ndarray) -> np.ndarray:
    """The least f with W f = right, in these units (see `reach`), where W = J M⁻¹ Jᵀ may be singular."""
    return np.linalg.lstsq(W / np.outer(units, units), right / units, rcond=SHARED)[0] / units


def definite(linkage: Linkage, A: np.ndarray, made: np.ndarray, motions: np.ndarray) -> np.ndarray:
    """The Cholesky factor of the inertia matrix of some motions, whose diagonal is made of terms of this size."""
    if not len(A):
        return A
    size = np.sqrt(np.where(made > 0.0, made, 1.0))
    scaled = A / size[:, None] / size
    values, vectors = np.linalg.eigh(scaled)
    if values[0] > max(NEGLIGIBLE, len(A) * np.finfo(float).eps):  # beyond its own rounding
        return size[:, None] * np.linalg.cholesky(scaled)
    moving = np.abs(motions @ (vectors[:, 0] / size)) / loops_of(linkage).units[: linkage.nv]
    columns = linkage.columns
    body = int(np.searchsorted(columns.v_start, moving.argmax(), side="right")) - 1
    raise SingularError(
        f"linkage {linkage.name!r} has a motion with zero effective inertia, in which joint "
        f"{columns.joint_names[body]!r} moves most: give mass to the bodies, or armature to the joints"
    )


def dependent_rows(J: np.ndarray, made: np.ndarray, units: np.ndarray) -> np.ndarray:
    """Rows of a matrix of constraints that are combinations of the others, by pivoted QR."""
    matrix, _, scale = without_units(J, made, units)
    return independent_columns(matrix.T, scale)[1]


def independent_columns(matrix: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Columns of a matrix that are independent, in order of choice, and the others; its entries are made of `scale`."""
    from scipy.linalg import qr

    if not matrix.size:
        return np.zeros(0, dtype=np.int64), np.arange(matrix.shape[1])
    R, pivots = qr(matrix, mode="r", pivoting=True)  # pyright: ignore[reportAssignmentType]
    diagonal = np.abs(np.diag(R))
    rank = int((diagonal > RANK * max(diagonal[0], scale)).sum())
    return pivots[:rank], pivots[rank:]


def on_bodies_by_loops(linkage: Linkage, q: np.ndarray, loop_wrenches: np.ndarray) -> np.ndarray:
    """(nb, 6) what the loop joints do to the bodies, world axes, about the bodies' origins."""
    total = np.zeros((linkage.nb, 6))
    poses = body_poses(linkage, q)
    for record, wrench in zip(linkage._loops.records, loop_wrenches, strict=True):
        # the frame at_b, in the world
        R, p = np.eye(3), np.zeros(3)
        if record.b >= 0:
            R, p = poses.rotations[record.b], poses.positions[record.b]
        point, R = p + R @ record.at_b.position, R @ record.at_b.rotation
        force, moment = R @ wrench[:3], R @ wrench[3:]
        for body, sign in ((record.b, 1.0), (record.a, -1.0)):
            if body >= 0:
                arm = point - poses.positions[body]
                total[body] += sign * np.concatenate([force, moment + np.cross(arm, force)])
    return total
