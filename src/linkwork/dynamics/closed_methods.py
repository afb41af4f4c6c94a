"""Forward dynamics of linkages with loops or couplings: one function per method.

Symbols, of [Nakamura2000]: θ_G the generalized coordinates, θ_O those of the tree joints, W = dθ_O/dθ_G;
A the inertia matrix of θ_G. Besides: J the rows of the constraints, J a = bias; λ their forces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from linkwork.dynamics.constraints import (
    RANK,
    LoopWorkspace,
    Matrices,
    constraint_matrices,
    dependent_rows,
    least_forces,
    least_norm,
    loop_wrenches,
    loops_of,
    projected_solve,
    residuals,
)
from linkwork.dynamics.divide_conquer import closed_divide_conquer
from linkwork.dynamics.inverse import bias_force, inverse_dynamics, mass_matrix
from linkwork.dynamics.partition import partition
from linkwork.dynamics.problem import NOTHING, Outcome, Problem, each_state
from linkwork.dynamics.virtual_work import respond, solve_tree
from linkwork.errors import LinkworkError, SingularError
from linkwork.kernels.launch import bind, call, compiled
from linkwork.kernels.layout import NO_INERTIA
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import place_in_batch, problem, run_one
from linkwork.linkage.packing.tree import Tree

FORWARD = "closed.embedding", "closed_forward"
BATCH = "closed.closed_batch", "closed_batch"
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
                tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, loop_scratch, False, q, v,
                tree.zeros if tau is None else tau, NOTHING, loops.no_drive, a, np.empty(rows), np.empty(rows),
                np.empty(tree.nv),
            )  # fmt: skip
        except (KeyError, TypeError):
            return None
    return None if outcome else a


def embedding(asked: Problem) -> Outcome:
    """Articulated bodies with every loop eliminated where it closes; a batch in as many threads as pay."""
    if asked.a.ndim == 1:
        return _embed(asked)
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
        scratch = np.empty(loops.n_rows), np.empty(loops.n_rows), np.empty(tree.nv)
        with LoopWorkspace(tree, loops) as (work, loop_scratch):
            blocks = (tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, loop_scratch)
            blocks += (*rows[:4], a, *scratch)
            function = bind(BATCH, *blocks, 0, 0)
            for begin, end in parts:
                while begin < end:
                    outcome, state = function(*blocks, begin, end)
                    if outcome:  # dense matrices may still answer
                        alone(state)
                    begin = state + 1

    share(worker, count, 1, tree.stages * CLOSED_COST)
    if errors:
        state, error = min(errors, key=lambda failure: failure[0])
        raise type(error)(f"{place_in_batch(state, leading)}{error}") from None
    return Outcome(asked.a)


def _embed(asked: Problem) -> Outcome:
    linkage, tree, q, v, tau, wrench, a = asked[:7]
    loops, nv = loops_of(linkage), tree.nv
    force, unmet = np.empty(loops.n_rows), np.empty(loops.n_rows)
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        outcome = call(FORWARD, tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, loop_scratch,
                       asked.details, q, v, tau[:nv], wrench, tau[nv:], a, force, unmet, np.empty(nv))  # fmt: skip
        if not outcome and asked.details:
            force = least_norm(linkage, loops, loop_scratch, force)
            return Outcome(a, force, unmet, loops.marks(loop_scratch).copy(), loop_wrenches(loops, loop_scratch, force))
    if outcome & 15 in NO_INERTIA:  # a massless body may still be carried by the loops
        return null_space(asked)
    if outcome:
        raise problem(linkage, outcome)
    return Outcome(a)


@each_state
def null_space(asked: Problem) -> Outcome:
    """Mass matrix and null space of the constraints: dense."""
    linkage, _, q, v, _, _, a = asked[:7]
    matrices = constraint_matrices(linkage, q, v)
    given = total_torque(asked) - bias_force(linkage, q, v, asked.f_ext)
    a[:], force = projected_solve(linkage, matrices.J, matrices.bias, mass_matrix(linkage, q), given)
    return _outcome(asked, matrices, force) if asked.details else Outcome(a)


@each_state
def unit_vector(asked: Problem) -> Outcome:
    """The paper's method: the inertia matrix A of the generalized coordinates, column by column."""
    linkage, tree, q, v, _, _, a = asked[:7]
    part = partition(linkage, q, v)
    W, h = part.W_J[: tree.nv], part.h[: tree.nv]  # (18): θ̈_O = W θ̈_G + h
    f_ext, given = asked.f_ext, total_torque(asked)
    b = W.T @ (inverse_dynamics(linkage, q, v, h, f_ext) - given)  # b − τ_G of (23), by (7)
    # (23): columns of A, each by inverse dynamics of a unit acceleration e_i, at rest and less what gravity asks for
    A = (inverse_dynamics(linkage, q, tree.zeros, W.T) - inverse_dynamics(linkage, q, tree.zeros, tree.zeros)) @ W
    try:
        a[:] = W @ np.linalg.solve(A, -b) + h  # (24), (18)
    except np.linalg.LinAlgError:
        raise SingularError(f"linkage {linkage.name!r} has a motion with zero effective inertia") from None
    if not asked.details:
        return Outcome(a)
    matrices = constraint_matrices(linkage, q, v)
    missing = inverse_dynamics(linkage, q, v, a, f_ext) - given
    return _outcome(asked, matrices, np.linalg.lstsq(matrices.J.T, missing, rcond=RANK)[0])


@each_state
def virtual_work(asked: Problem) -> Outcome:
    """The tree's own passes: once for the motion with the loops cut, once for each row's force; then superposed."""
    linkage, _, q, v, _, wrench, a = asked[:7]
    matrices = constraint_matrices(linkage, q, v)
    solve_tree(linkage, q, v, np.ascontiguousarray(total_torque(asked)), wrench, a)
    u, sigma, vt = np.linalg.svd(matrices.J, full_matrices=False)
    rank = int((sigma > RANK * sigma[0]).sum())
    u, rows = u[:, :rank], sigma[:rank, None] * vt[:rank]  # as many rows that are independent
    moved = respond(linkage, q, rows)
    force = np.linalg.solve(rows @ moved.T, u.T @ matrices.bias - rows @ a)
    a += force @ moved
    return _outcome(asked, matrices, u @ force) if asked.details else Outcome(a)


@each_state
def dca(asked: Problem) -> Outcome:
    """Divide and conquer on the assembly tree; a loop is eliminated in the first part that holds both its ends."""
    linkage, tree, q, v, _, _, a = asked[:7]
    loops = loops_of(linkage)
    with LoopWorkspace(tree, loops) as (work, loop_scratch):
        force, marks = closed_divide_conquer(linkage, loops, work, loop_scratch, asked[2:6], a)
        if not asked.details:
            return Outcome(a)
        unmet = np.empty(loops.n_rows)
        run_one(linkage, ("assembly_tree.closed_divide_conquer", "rows_left"), tree.model, tree.index, work, loops.plan,
                loops.geometry, loop_scratch, q, v, a, unmet)  # fmt: skip
        if not marks.all():
            force = least_forces(linkage, loops, q, force)
        return Outcome(a, force, unmet, marks, loop_wrenches(loops, loop_scratch, force))


def _outcome(asked: Problem, matrices: Matrices, force: np.ndarray) -> Outcome:
    """All that a dense method knows."""
    unmet = matrices.J @ asked.a - matrices.bias
    marks = np.ones(len(unmet))
    marks[dependent_rows(matrices.J)] = 0.0
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
            out[k] = S.T @ np.linalg.solve(S @ S.T, drive)
    return out
