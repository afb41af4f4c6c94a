"""Forward dynamics of closed linkages: the methods, one function each, on one state."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.constraints import (
    RANK,
    Bench,
    Matrices,
    constraint_matrices,
    dependent_rows,
    least_forces,
    least_norm,
    loop_wrenches,
    loops_of,
    partition,
    projected_solve,
    residuals,
)
from linkwork.dynamics.divide_conquer import closed_divide_conquer
from linkwork.dynamics.forward import bias_force, inverse_dynamics, mass_matrix
from linkwork.dynamics.launch import (
    leading_shape,
    numbers,
    output,
    place_in_batch,
    problem,
    rows_of,
    run_one,
    tree_of,
    wrenches,
)
from linkwork.dynamics.threads import share
from linkwork.dynamics.virtual_work import respond, solve_tree
from linkwork.errors import LinkworkError, SingularError, unknown_name
from linkwork.kernels.launch import bind, call, compiled
from linkwork.kernels.layout import NO_INERTIA
from linkwork.linkage.linkage import Linkage

FORWARD = "closed.embedding", "closed_forward"
BATCH = "closed.closed_batch", "closed_batch"
CLOSED_COST = 5  # of a stage with loops, in stages of an open tree
_NONE = np.empty(0)


class Outcome(NamedTuple):
    """Forward dynamics of a closed linkage at one state: what every method gives."""

    a: np.ndarray  # (nv,)
    force: np.ndarray  # of the constraints' rows, of least norm where that was asked for
    left: np.ndarray  # what each row leaves unmet
    marks: np.ndarray  # 0 for redundant rows
    wrenches: np.ndarray  # (loop joints, 6): of a on b in `at_b`, constraint forces alone


def forward(linkage: Linkage, q, v, tau, f_ext, method: str, out: np.ndarray | None) -> np.ndarray:
    """`forward_dynamics` of a closed linkage, over leading dimensions."""
    tree = linkage.tree
    if f_ext is None and out is None and tree.loops is not None and (method == "auto" or method == "aba"):
        a = _short(tree, tree.loops, q, v, tree.zeros if tau is None else tau)
        if a is not None:
            return a
    solver = closed_method(method)
    loops = loops_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    tau = torques(linkage, tau)
    wrench = wrenches(linkage, f_ext)
    leading = leading_shape(q, v, tau, wrench)
    a = output("forward_dynamics", out, (*leading, tree.nv))
    if leading == ():
        solver(linkage, tree, loops, q, v, tau, wrench, a, False)
        return a
    count = math.prod(leading)
    if count:
        rows = [rows_of(x, leading, count) for x in (q, v, tau, wrench)]
        _batch(linkage, solver, rows, a.reshape(count, tree.nv), leading)
    return a


def _batch(linkage: Linkage, solver, rows: list[np.ndarray], a: np.ndarray, leading: tuple[int, ...]) -> None:
    """Every state of a batch: the default method in compiled code and as many threads as pay, others in turn."""
    tree, loops = linkage.tree, linkage.tree.loops
    errors: list[tuple[int, LinkworkError]] = []

    def alone(state: int) -> None:
        one = [row[state if len(row) > 1 else 0].copy() for row in rows]  # kernels are compiled for arrays of one's own
        try:
            solver(linkage, tree, loops, one[0], one[1], one[2], one[3], a[state], False)
        except LinkworkError as error:
            errors.append((state, error))

    def worker(parts):
        scratch = np.empty(loops.n_rows), np.empty(loops.n_rows), np.empty(tree.nv)
        with Bench(tree, loops) as (work, bench):
            blocks = (tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, bench, *rows, a, *scratch)
            function = bind(BATCH, *blocks, 0, 0)
            for begin, end in parts:
                while begin < end:
                    outcome, state = function(*blocks, begin, end)
                    if outcome:  # it may still be one for dense matrices
                        alone(state)
                    begin = state + 1

    if solver is _by_embedding:
        share(worker, len(a), 1, tree.stages * CLOSED_COST)
    else:
        for state in range(len(a)):
            alone(state)
    if errors:
        state, error = min(errors, key=lambda failure: failure[0])
        raise type(error)(f"{place_in_batch(state, leading)}{error}") from None


def _short(tree, loops, q, v, tau) -> np.ndarray | None:
    """One state, unchecked: the kernel refuses what does not fit, and None sends it the long way."""
    a, rows = np.empty(tree.nv), loops.n_rows
    with Bench(tree, loops) as (work, bench):
        try:
            outcome = compiled[FORWARD](
                tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, bench, False, q, v, tau,
                _NONE, loops.no_drive, a, np.empty(rows), np.empty(rows), np.empty(tree.nv),
            )  # fmt: skip
        except (KeyError, TypeError):
            return None
    return None if outcome else a


def torques(linkage: Linkage, tau) -> np.ndarray:
    """(..., nv + nv_loop) torques of tree and loop joints, from None, those of the tree alone, or both."""
    tree, loops = tree_of(linkage), loops_of(linkage)
    if tau is None:
        return loops.no_torque
    if np.ndim(tau) and np.shape(tau)[-1] == tree.nv + loops.nv:
        return numbers(linkage, "tau", tau, tree.nv + loops.nv, "nv + nv_loop")
    unit = f"nv + nv_loop = {tree.nv + loops.nv}, or without loop joints nv" if loops.nv else "nv"
    tau = numbers(linkage, "tau", tau, tree.nv, unit)
    full = np.zeros((*tau.shape[:-1], tree.nv + loops.nv))
    full[..., : tree.nv] = tau
    return full


def _by_embedding(linkage, tree, loops, q, v, tau, wrench, a, details):
    """Articulated bodies with every loop eliminated where it closes: linear cost for local loops."""
    force, left = np.empty(loops.n_rows), np.empty(loops.n_rows)
    nv = tree.nv
    with Bench(tree, loops) as (work, bench):
        arguments = (tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, bench, details, q, v,
                     tau[:nv], wrench, tau[nv:], a, force, left, np.empty(nv))  # fmt: skip
        outcome = call(FORWARD, *arguments)
        if not outcome and details:
            force = least_norm(linkage, loops, bench, force)
            return Outcome(a, force, left, loops.marks(bench).copy(), loop_wrenches(loops, bench, force))
    if outcome & 15 in NO_INERTIA:  # a massless body may still be carried by the loops
        return _by_matrices(linkage, tree, loops, q, v, tau, wrench, a, details)
    if outcome:
        raise problem(linkage, outcome)
    return None


def _by_matrices(linkage, tree, loops, q, v, tau, wrench, a, details):
    """Mass matrix and null space of the constraints: dense."""
    matrices = constraint_matrices(linkage, q, v)
    given = total_torque(linkage, tree, loops, q, v, tau) - bias_force(linkage, q, v, body_wrenches(linkage, wrench))
    a[:], force = projected_solve(linkage, matrices.J, matrices.bias, mass_matrix(linkage, q), given)
    return _outcome(matrices, a, force) if details else None


def _by_unit_vector(linkage, tree, loops, q, v, tau, wrench, a, details):
    """The paper's method: the inertia matrix A of the generalized coordinates, column by column; (23), (24)."""
    part = partition(linkage, q, v)
    W, h = part.W_J[: tree.nv], part.h[: tree.nv]  # θ̈ = W θ̈_G + h, (18)
    f_ext = body_wrenches(linkage, wrench)
    given = total_torque(linkage, tree, loops, q, v, tau)
    b = W.T @ (inverse_dynamics(linkage, q, v, h, f_ext) - given)
    A = (inverse_dynamics(linkage, q, tree.zeros, W.T) - inverse_dynamics(linkage, q, tree.zeros, tree.zeros)) @ W
    try:
        a[:] = W @ np.linalg.solve(A, -b) + h
    except np.linalg.LinAlgError:
        raise SingularError(f"linkage {linkage.name!r} can move in a way that moves no inertia") from None
    if not details:
        return None
    matrices = constraint_matrices(linkage, q, v)
    unmet = inverse_dynamics(linkage, q, v, a, f_ext) - given
    return _outcome(matrices, a, np.linalg.lstsq(matrices.J.T, unmet, rcond=RANK)[0])


def _by_virtual_work(linkage, tree, loops, q, v, tau, wrench, a, details):
    """The tree's own passes: once for the motion with the loops cut, once for each row's force; then superposed."""
    matrices = constraint_matrices(linkage, q, v)
    solve_tree(linkage, q, v, np.ascontiguousarray(total_torque(linkage, tree, loops, q, v, tau)), wrench, a)
    u, sigma, vt = np.linalg.svd(matrices.J, full_matrices=False)
    rank = int((sigma > RANK * sigma[0]).sum())
    u, rows = u[:, :rank], sigma[:rank, None] * vt[:rank]  # as many rows that are independent
    moved = respond(linkage, q, rows)
    force = np.linalg.solve(rows @ moved.T, u.T @ matrices.bias - rows @ a)
    a += force @ moved
    return _outcome(matrices, a, u @ force) if details else None


def _by_divide_conquer(linkage, tree, loops, q, v, tau, wrench, a, details):
    """Divide and conquer on the assembly tree; a loop is eliminated in the first part that holds both its ends."""
    with Bench(tree, loops) as (work, bench):
        force, marks = closed_divide_conquer(linkage, loops, work, bench, (q, v, tau, wrench), a)
        if not details:
            return None
        left = np.empty(loops.n_rows)
        run_one(linkage, ("assembly_tree.closed_divide_conquer", "rows_left"), tree.model, tree.index, work, loops.plan,
                loops.geometry, bench, q, v, a, left)  # fmt: skip
        if not marks.all():
            force = least_forces(linkage, loops, q, force)
        return Outcome(a, force, left, marks, loop_wrenches(loops, bench, force))


def _outcome(matrices: Matrices, a: np.ndarray, force: np.ndarray) -> Outcome:
    """All that a dense method knows."""
    left = matrices.J @ a - matrices.bias
    marks = np.ones(len(left))
    marks[dependent_rows(matrices.J)] = 0.0
    return Outcome(a, force, left, marks, matrices.wrenches(force))


def total_torque(linkage: Linkage, tree, loops, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """(nv,) torques of the tree joints and, through their Jacobian, of the loop joints' motors and dampers."""
    force = tau[tree.nv :]
    if not loops.nv or not (loops.damped or force.any()):
        return tau[: tree.nv]
    whole = constraint_matrices(linkage, q, whole=True)
    return tau[: tree.nv] + whole.J[: 6 * loops.joints].T @ driving_wrenches(linkage, loops, whole, q, v, force).ravel()


def driving_wrenches(linkage: Linkage, loops, whole: Matrices, q, v, force: np.ndarray) -> np.ndarray:
    """(joints, 6) wrench of a on b of each loop joint's motor and damper, in the kernel's frame: S (SᵀS)⁻¹ τ."""
    rate = residuals(linkage, q, v).theta_rate
    out = np.zeros((loops.joints, 6))
    for k in range(loops.joints):
        mine = slice(loops.v_start[k], loops.v_start[k] + 6 - loops.rows[k])
        S = whole.S[mine]
        if len(S):
            drive = force[mine] - loops.damping[k, : len(S)] * rate[mine]
            out[k] = S.T @ np.linalg.solve(S @ S.T, drive)
    return out


def body_wrenches(linkage: Linkage, wrench: np.ndarray) -> np.ndarray | None:
    """Flat external wrenches as the public calls take them."""
    return wrench.reshape(linkage.nb, 6) if wrench.size else None


METHODS = {
    "auto": _by_embedding,
    "aba": _by_embedding,
    "crba": _by_matrices,
    "unit-vector": _by_unit_vector,
    "virtual-work": _by_virtual_work,
    "dca": _by_divide_conquer,
}


def closed_method(method: str):
    """The function of a method, by name."""
    if method not in METHODS:
        raise unknown_name("method for closed linkages", method, list(METHODS))
    return METHODS[method]
