"""Derivatives of the forward dynamics of constrained linkages: one state, dense matrices; products without them.

The accelerations a and the forces λ of the constraints' rows solve R1 = R2 = 0 of `linkwork.dynamics.loop_rows` and
`linkwork.dynamics.contact_derivatives`, so that [[H, −B], [J, 0]] δ(a, λ) = −δ(R1, R2), where B = Jᵀ but for friction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.closed_methods import CLOSED_COST
from linkwork.dynamics.constraints import RANK, loops_of
from linkwork.dynamics.contact_derivatives import ContactRows, contact_rows
from linkwork.dynamics.contact_state import Reaction
from linkwork.dynamics.loop_rows import Rows, loop_rows
from linkwork.dynamics.methods import pick, with_contacts
from linkwork.dynamics.problem import Problem
from linkwork.dynamics.tree_rates import tree_rates, work_beyond
from linkwork.errors import ArgumentError, LinkworkError, SingularError
from linkwork.kernels.launch import call
from linkwork.kernels.layout.derivatives import ADJOINT_ROW, COLUMN_ROW, COLUMNS, LOCAL_ROW
from linkwork.kernels.layout.loops import P_BASIS, P_COLUMNS, P_STEPS
from linkwork.kernels.threads import share
from linkwork.linkage.packing.launch import place_in_batch

MATRICES = "closed.derivatives", "each_closed_derivatives"
PRODUCTS = "closed.adjoint", "each_closed_vjp"


class Derivatives(NamedTuple):
    """Of forward dynamics, and what they were computed with."""

    dq: np.ndarray  # (nv, nv)
    dv: np.ndarray
    dtau: np.ndarray  # (nv, nv + nv_loop)
    J: np.ndarray  # independent rows of the constraints
    rate_q: np.ndarray  # how J v changes with q
    forces: np.ndarray  # (rows, 3 nv + nv_loop): how the forces of these rows change with q, v and τ
    kept: np.ndarray  # which rows of the loops they are; those of contacts follow
    loops: Rows | None
    contacts: ContactRows | None
    row_forces: np.ndarray  # of all rows of the loops
    redundant_contacts: tuple[str, ...]
    reaction: Reaction | None


def closed_forward_derivatives(asked: Problem) -> Derivatives:
    """The derivatives of one state with loops, points on surfaces or both, of the function as computed."""
    linkage, tree, q, v, tau, wrench = asked[:6]
    touches, nv = bool(linkage._contacts.records), tree.nv
    answer = (with_contacts(linkage) if touches else pick(linkage, "auto").solver(linkage))(asked)
    rates = tree_rates(linkage, q, v, answer.a, wrench)
    R1_q, R1_v, J = rates.dq, rates.dv, np.zeros((0, nv))
    R2_q, R2_v, rate_q, B, drive = J, J, J, J.T, np.zeros((nv, 0))
    rows, more, kept = None, None, np.zeros(0, dtype=bool)
    if tree.closed:
        rows = loop_rows(linkage, rates, q, v, answer.row_forces, tau[nv:])
        kept = answer.marks != 0.0
        R1_q, R1_v, J, drive = R1_q + rows.R1_q, R1_v + rows.R1_v, rows.J[kept], rows.drive
        R2_q, R2_v, rate_q, B = rows.R2_q[kept], rows.R2_v[kept], rows.rate_q[kept], J.T
    if touches:
        assert answer.reaction is not None
        more = contact_rows(linkage, rates, q, answer.reaction, float(asked.t[0]))
        R1_q, R1_v, J = R1_q + more.R1_q, R1_v + more.R1_v, np.vstack([J, more.J])
        R2_q, R2_v, rate_q = (np.vstack(x) for x in ((R2_q, more.R2_q), (R2_v, more.R2_v), (rate_q, more.rate_q)))
        B = np.hstack([B, more.forces])
    m = len(J)
    right = np.block([[-R1_q, -R1_v, np.eye(nv), drive], [-R2_q, -R2_v, np.zeros((m, nv + drive.shape[1]))]])
    x = with_points(rates.H, B, J, right) if touches else _projected(rates.H, J, right)
    shared = () if answer.reaction is None else np.array(linkage.contacts.names)[answer.reaction.redundant].tolist()
    parts = x[:nv, :nv], x[:nv, nv : 2 * nv], x[:nv, 2 * nv :]
    return Derivatives(*parts, J, rate_q, x[nv:], kept, rows, more, answer.row_forces, tuple(shared), answer.reaction)


def with_points(H: np.ndarray, B: np.ndarray, J: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(x, λ) with H x − B λ and J x as on the right, of several λ the least.

    Rows may depend on each other: points that stick hold what no joint moves, or what loops hold already. Then as many
    combinations of them as are independent are met.
    """
    nv, needed = len(H), right[len(H) :]
    basis, sigma = np.linalg.svd(J, full_matrices=False)[:2]
    rank = int((sigma > RANK * sigma.max(initial=0.0)).sum())
    if rank < len(J):
        J, needed = basis[:, :rank].T @ J, basis[:, :rank].T @ needed
    M = np.block([[H, -B], [J, np.zeros((rank, B.shape[1]))]])
    right = np.vstack([right[:nv], needed])
    try:
        return np.linalg.solve(M, right) if rank == B.shape[1] else np.linalg.lstsq(M, right, rcond=1e-13)[0]
    except np.linalg.LinAlgError:
        raise SingularError("points on surfaces jam against their own friction: there is no derivative here") from None


def _projected(H: np.ndarray, J: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(x, λ) with H x − Jᵀ λ and J x as on the right: x = Q₁ R⁻ᵀ h + Q₂ y, of Jᵀ = Q₁ R and J Q₂ = 0."""
    nv, m = len(H), len(J)
    f, h = right[:nv], right[nv:]
    Q, R = np.linalg.qr(J.T, mode="complete")
    Q1, Q2, R = Q[:, :m], Q[:, m:], R[:m]
    x = Q1 @ np.linalg.solve(R.T, h)
    reduced = Q2.T @ H
    x += Q2 @ np.linalg.solve(reduced @ Q2, Q2.T @ f - reduced @ x)
    return np.vstack([x, np.linalg.solve(R, Q1.T @ (H @ x - f))])


def closed_matrices(asked: Problem, results: tuple[np.ndarray, ...]) -> None:
    """∂a/∂q, ∂a/∂v and ∂a/∂τ of every state with loops and no points on surfaces, into (states, nv · n) arrays."""
    tree, loops = asked.tree, loops_of(asked.linkage)
    nv, n_rows = tree.nv, loops.n_rows

    def room() -> tuple[np.ndarray, ...]:
        from linkwork.kernels.numba_ext import WIDTH, aligned

        h = 2 * int(loops.plan[P_STEPS] - loops.plan[P_BASIS])
        sizes = nv, nv, n_rows, n_rows, h, LOCAL_ROW * nv, COLUMN_ROW * nv
        packs = nv, n_rows, nv, int(loops.plan[P_COLUMNS]), 6 * tree.stages
        eight = [aligned(COLUMNS * n // WIDTH).reshape(n, 1, 1, COLUMNS) for n in packs]
        return (*map(np.empty, sizes), *eight, eight[0].reshape(-1), eight[1].reshape(-1))

    def alone(one: Problem, k: int) -> None:
        parts = closed_forward_derivatives(one._replace(details=True))
        for matrix, part in zip(results, parts[:3], strict=True):
            matrix[k] = part[:, : matrix.shape[1] // nv].ravel()

    _compiled(asked, MATRICES, asked.rows()[:4], room, results, work_beyond(tree), CLOSED_COST * nv, alone)


def closed_products(asked: Problem, a_bar: np.ndarray, results: tuple[np.ndarray, ...]) -> None:
    """Products of the rows `a_bar` with these derivatives, without matrices, into (states, n) arrays."""
    tree, loops = asked.tree, loops_of(asked.linkage)
    nv = tree.nv

    def room() -> tuple[np.ndarray, ...]:
        return np.empty(nv), np.empty(nv), np.empty((4, max(nv, loops.n_rows)))

    def alone(one: Problem, k: int) -> None:
        found = closed_forward_derivatives(one._replace(details=True))
        with np.errstate(over="ignore", invalid="ignore"):
            for row, matrix in zip(results, found[:3], strict=True):
                row[k] = a_bar[k if len(a_bar) > 1 else 0] @ matrix
        if not all(np.isfinite(row[k]).all() for row in results):
            raise ArgumentError("the result is not finite: an entry of a_bar is too large")

    rows = [*asked.rows()[:4], a_bar]
    _compiled(asked, PRODUCTS, rows, room, results, ADJOINT_ROW * tree.stages, 2 * CLOSED_COST, alone)


def _compiled(asked: Problem, kernel, arrays, room, results, extra: int, cost: int, alone) -> None:
    """Run a kernel over all states, in as many threads as pay; `alone` answers for those whose loops it leaves."""
    tree, loops, count = asked.tree, loops_of(asked.linkage), len(results[0])
    idle, rows = tree.lane_pool[kernel], asked.rows()
    errors: list[tuple[int, LinkworkError]] = []

    def worker(parts: Iterable[tuple[int, int]]) -> None:
        work, scratch, space = tree.work(extra), loops.scratch(), idle.pop() if idle else room()
        blocks = (tree.model, tree.index, work, tree.table), (loops.plan, loops.geometry, scratch), tuple(arrays), space
        for begin, end in parts:
            while begin < end:
                outcome, k = call(kernel, *blocks, results, (begin, end))
                if outcome:
                    try:
                        alone(asked.state(k, rows), k)
                    except LinkworkError as error:
                        errors.append((k, error))
                begin = k + 1
        tree.idle(extra).append(work)
        loops.pool.append(scratch)
        idle.append(space)

    if count == 1:
        worker([(0, 1)])
    else:
        share(worker, count, 1, tree.stages * cost)
    if errors:
        k, error = min(errors, key=lambda failure: failure[0])
        raise type(error)(f"{place_in_batch(k, asked.a.shape[:-1])}{error}") from None
