"""Forward dynamics of linkages with loops or couplings: one function per method.

Symbols, of [Nakamura2000]: θ_G the generalized coordinates, θ_O those of the tree joints, W = dθ_O/dθ_G;
A the inertia matrix of θ_G. Besides: J the rows of the constraints, J a = bias; λ their forces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from linkwork.dynamics.constraints import (
    LoopWorkspace,
    Matrices,
    constrained_step,
    constraint_matrices,
    definite,
    dependent_rows,
    least_forces,
    least_norm,
    loop_wrenches,
    loops_of,
    projected_solve,
    residuals,
)
from linkwork.dynamics.divide_conquer import closed_divide_conquer
from linkwork.dynamics.inverse import bias_force, mass_matrix, tree_torques
from linkwork.dynamics.partition import partition
from linkwork.dynamics.problem import NOTHING, Outcome, Problem, each_state
from linkwork.dynamics.tree_methods import agree
from linkwork.dynamics.virtual_work import respond, solve_tree
from linkwork.errors import LinkworkError, SingularError
from linkwork.kernels.launch import call, compiled
from linkwork.kernels.layout import NO_INERTIA
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import place_in_batch, problem
from linkwork.linkage.packing.tree import Tree

FORWARD = "closed.embedding", "closed_forward"
BATCH = "closed.closed_batch", "closed_batch"
LITTLE = 1e-10  # of the accelerations, in a row, above which those of "dca" are mended
UNMET = 1e-7  # of the accelerations in a row, that a sound answer may leave unmet
LOCKED = 1e-8  # least triple product of a gimbal's axes, as in `kernels.joints.hinges`
CLOSED_COST = 5  # of a stage with loops, in stages of an open tree


def fast_embedding(tree: Tree, q, v, tau) -> np.ndarray | None:
    """`embedding` of one state, unchecked: None where the kernel refuses its arguments, or has not run before."""
    loops = tree.loops
    if loops is None:
        return None
    a, rows = np.empty(tree.nv), loops.n_rows
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        try:
            outcome = compiled[FORWARD](
                tree.model, tree.index, work, _table(tree, NOTHING), loops.plan, loops.geometry, loop_scratch,
                q, v, tree.zeros if tau is None else tau, NOTHING, loops.no_drive, a, np.empty(rows), np.empty(rows),
                np.empty(tree.nv),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError):
            return None
    return None if outcome else a


def _table(tree: Tree, f_ext: np.ndarray) -> np.ndarray | None:
    """The force elements for the kernel; None where nothing acts, so that no forces are compiled."""
    return tree.table if tree.loaded or f_ext.size else None


def embedding(asked: Problem) -> Outcome:
    """Articulated bodies with every loop eliminated where it closes; a batch in packs, in as many threads as pay."""
    if asked.a.ndim == 1:
        return _embed(asked)
    from linkwork.kernels.numba_ext import WIDTH, aligned

    tree, loops, leading = asked.tree, loops_of(asked.linkage), asked.a.shape[:-1]
    count = math.prod(leading)
    if not count:
        return Outcome(asked.a)
    rows, a = asked.rows(), asked.a.reshape(count, tree.nv)
    errors: list[tuple[int, LinkworkError]] = []

    def alone(state: int) -> None:
        try:
            _embed(asked.state(state, rows))
        except LinkworkError as error:
            errors.append((state, error))

    def worker(parts: Iterable[tuple[int, int]]) -> None:
        sizes = tree.nq, tree.nv, tree.nv + loops.nv, rows[3].shape[1], tree.nv, tree.nv
        blocks = (
            (tree.model, tree.index, aligned(tree.work_size), _table(tree, rows[3])),
            (loops.plan, loops.geometry, loops.pack_scratch()),
            (*rows[:4], a), tuple(map(aligned, sizes)), (aligned(loops.n_rows), aligned(loops.n_rows)),
        )  # fmt: skip
        for begin, end in parts:
            while begin < end:
                outcome, state = call(BATCH, *blocks, (begin, end))
                begin = end if not outcome else min(state + WIDTH, end)
                if outcome:  # dense matrices may still answer
                    for k in range(state, begin):
                        alone(k)

    share(worker, count, WIDTH, tree.stages * CLOSED_COST)
    if errors:
        state, error = min(errors, key=lambda failure: failure[0])
        raise type(error)(f"{place_in_batch(state, leading)}{error}") from None
    return Outcome(asked.a)


def _embed(asked: Problem) -> Outcome:
    linkage, tree, q, v, tau, wrench, a = asked[:7]
    loops, nv = loops_of(linkage), tree.nv
    force, unmet = np.empty(loops.n_rows), np.empty(loops.n_rows)
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        outcome = call(FORWARD, tree.model, tree.index, work, _table(tree, wrench), loops.plan, loops.geometry,
                       loop_scratch, q, v, tau[:nv], wrench, tau[nv:], a, force, unmet,
                       np.empty(nv))  # fmt: skip
        if not outcome and asked.details:
            force = least_norm(linkage, loops, loop_scratch, force)
            return Outcome(a, force, unmet, loops.marks(loop_scratch).copy(), loop_wrenches(loops, loop_scratch, force))
    if outcome & 15 in NO_INERTIA:  # a massless body may still be carried by the loops
        return null_space(asked)
    if outcome:
        if np.isfinite(q).all() and np.isfinite(v).all():
            total_torque(asked)  # a locked loop joint is named
        raise problem(linkage, outcome)
    return Outcome(a)


@each_state
def null_space(asked: Problem) -> Outcome:
    """Mass matrix and null space of the constraints: dense."""
    linkage, _, q, v, _, _, a = asked[:7]
    matrices = constraint_matrices(linkage, q, v)
    given = total_torque(asked) - bias_force(linkage, q, v, asked.f_ext)
    a[:], force = projected_solve(linkage, matrices.rows(), matrices.bias, mass_matrix(linkage, q), given)
    return _outcome(asked, matrices, force) if asked.details else Outcome(a)


@each_state
def unit_vector(asked: Problem) -> Outcome:
    """The paper's method: the inertia matrix A of the generalized coordinates, column by column."""
    linkage, tree, q, v, _, _, a = asked[:7]
    part = partition(linkage, q, v)
    W, h = part.W_J[: tree.nv], part.h[: tree.nv]  # (18): θ̈_O = W θ̈_G + h
    f_ext, given = asked.f_ext, total_torque(asked)
    b = W.T @ (tree_torques(linkage, q, v, h, f_ext) - given)  # b − τ_G of (23), by (7)
    # (23): columns of A, each by inverse dynamics of a unit acceleration e_i, at rest and less what gravity asks for
    columns = _columns(linkage, q, W)
    A = columns @ W
    factor = definite(linkage, 0.5 * (A + A.T), (abs(columns) * abs(W).T).sum(axis=1), W)
    a[:] = W @ np.linalg.solve(factor.T, np.linalg.solve(factor, -b)) + h  # (24), (18)
    matrices = constraint_matrices(linkage, q, v)
    if not _met(matrices, a):
        return null_space(asked)
    if not asked.details:
        return Outcome(a)
    missing = tree_torques(linkage, q, v, a, f_ext) - given
    return _outcome(asked, matrices, matrices.rows().forces(missing))


def _columns(linkage: Linkage, q: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Torques of the accelerations W alone, one row for each; large ones, so that they do not drown in gravity's."""
    zeros = linkage.tree.zeros
    still = tree_torques(linkage, q, zeros, zeros)
    columns = tree_torques(linkage, q, zeros, W.T) - still
    large = np.abs(still).max(initial=0.0) / np.maximum(np.abs(columns).max(axis=1, initial=0.0), 1e-300)
    if (large > 1e3).any():
        large = np.maximum(large, 1.0)[:, None]
        columns = (tree_torques(linkage, q, zeros, large * W.T) - still) / large
    return columns


@each_state
def virtual_work(asked: Problem) -> Outcome:
    """The tree's own passes: once for the motion with the loops cut, once for each row's force; then superposed."""
    linkage, _, q, v, _, wrench, a = asked[:7]
    matrices = constraint_matrices(linkage, q, v)
    solve_tree(linkage, q, v, np.ascontiguousarray(total_torque(asked)), wrench, a)
    rows = matrices.rows()
    moved = respond(linkage, q, rows.combined)
    force = np.linalg.solve(rows.combined @ moved.T, rows.combine.T @ matrices.bias - rows.combined @ a)
    a += force @ moved
    if not _met(matrices, a):
        return null_space(asked)
    return _outcome(asked, matrices, rows.least(rows.combine @ force)) if asked.details else Outcome(a)


@each_state
def dca(asked: Problem) -> Outcome:
    """Divide and conquer on the assembly tree; a loop is eliminated in the first part that holds both its ends."""
    linkage, tree, q, v, _, _, a = asked[:7]
    loops = loops_of(linkage)
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        try:
            force, marks = closed_divide_conquer(linkage, loops, work, loop_scratch, asked[2:6], a)
        except SingularError:  # dense matrices may still answer
            return null_space(asked)
        unmet = np.empty(loops.n_rows)
        for again in (tree.nv <= 2 * loops.n_rows, False):
            outcome = call(("assembly_tree.closed_divide_conquer", "rows_left"), tree.model, tree.index, work,
                           loops.plan, loops.geometry, loop_scratch, q, v, a, unmet, marks)  # fmt: skip
            if outcome:
                return null_space(asked)
            if not again or np.abs(unmet).max(initial=0.0) <= LITTLE * (1.0 + np.abs(a).max(initial=0.0)):
                break
            a += constrained_step(linkage, q, -unmet).x  # where loops leave little freedom, rounding is felt
        if tree.frail:  # massless bodies: as for trees
            sure = _embed(asked._replace(a=np.empty_like(a), details=False)).a
            if not agree(a, sure):
                return _embed(asked)
        if not asked.details:
            return Outcome(a)
        if not marks.all():
            force = least_forces(linkage, loops, q, force)
        return Outcome(a, force, unmet, marks, loop_wrenches(loops, loop_scratch, force))


def _met(matrices: Matrices, a: np.ndarray) -> bool:
    """Whether the accelerations found meet the constraints, but for rounding."""
    left, acting = np.abs(matrices.J @ a - matrices.bias), matrices.made @ np.abs(a) + np.abs(matrices.bias)
    return bool(left.max(initial=0.0) <= UNMET * acting.max(initial=0.0))


def _outcome(asked: Problem, matrices: Matrices, force: np.ndarray) -> Outcome:
    """All that a dense method knows."""
    unmet = matrices.J @ asked.a - matrices.bias
    marks = np.ones(len(unmet))
    marks[dependent_rows(matrices.J, matrices.made, matrices.loops.units[: asked.tree.nv])] = 0.0
    return Outcome(asked.a, force, unmet, marks, matrices.wrenches(force))


def total_torque(asked: Problem) -> np.ndarray:
    """(nv,) torques of the tree joints and, through their Jacobian, of the loop joints' motors and dampers."""
    linkage, tree, q, v, tau = asked[:5]
    loops, force = loops_of(linkage), tau[tree.nv :]
    if not loops.nv or not (loops.damped or force.any()):
        return tau[: tree.nv]
    whole = constraint_matrices(linkage, q, whole=True)
    return tau[: tree.nv] + whole.J[: 6 * loops.joints].T @ driving_wrenches(linkage, whole, q, v, force).ravel()


def driving_wrenches(linkage: Linkage, whole: Matrices, q, v, force: np.ndarray) -> np.ndarray:
    """(joints, 6) wrench of a on b of each loop joint's motor and damper, in the kernel's frame: S (SᵀS)⁻¹ τ."""
    loops, rate = whole.loops, residuals(linkage, q, v).theta_rate
    out = np.zeros((loops.joints, 6))
    for k in range(loops.joints):
        mine = slice(loops.v_start[k], loops.v_start[k] + 6 - loops.rows[k])
        S = whole.S[mine]
        if len(S):
            drive = force[mine] - loops.damping[k, : len(S)] * rate[mine]
            if not drive.any():
                continue
            if np.linalg.det(S @ S.T) < LOCKED * LOCKED:
                raise SingularError(
                    f"loop joint {loops.names[k]!r} is locked: its three axes lie in one plane, where its torques and "
                    "damping have no answer; move the linkage out of this pose, or use a Spherical joint"
                )
            out[k] = S.T @ np.linalg.solve(S @ S.T, drive)
    return out
