"""Derivatives of the forward dynamics of constrained linkages: one state, dense matrices; products without them.

The accelerations a and the forces λ of the constraints' rows solve R1 = R2 = 0 of `linkwork.dynamics.loop_rows` and
`linkwork.dynamics.contact_derivatives`, so that [[H, −B], [J, 0]] δ(a, λ) = −δ(R1, R2), where B = Jᵀ but for friction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.closed_methods import embedding
from linkwork.dynamics.constraints import loops_of
from linkwork.dynamics.contact import around
from linkwork.dynamics.contact_derivatives import ContactRows, contact_rows
from linkwork.dynamics.loop_rows import Rows, loop_rows
from linkwork.dynamics.methods import pick
from linkwork.dynamics.problem import Problem
from linkwork.dynamics.tree_methods import crba
from linkwork.dynamics.tree_rates import tree_rates
from linkwork.kernels.launch import call
from linkwork.kernels.layout import NO_INERTIA
from linkwork.kernels.layout.derivatives import ADJOINT_ROW
from linkwork.linkage.packing.launch import problem


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


def closed_forward_derivatives(asked: Problem) -> Derivatives:
    """The derivatives of one state with loops, points on surfaces or both, of the function as computed."""
    linkage, tree, q, v, tau, wrench = asked[:6]
    touches, nv = bool(linkage._contacts.records), tree.nv
    # points on surfaces: in Python, which has all of their state
    solver = around(embedding if tree.closed else crba) if touches else pick(linkage, "auto").solver(linkage)
    answer = solver(asked)
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
    if touches:
        M = np.block([[rates.H, -B], [J, np.zeros((m, m))]])
        # points and loops may say the same twice
        twice = tree.closed or (answer.reaction is not None and answer.reaction.redundant.any())
        x = np.linalg.lstsq(M, right, rcond=1e-13)[0] if twice else np.linalg.solve(M, right)
    else:
        x = _projected(rates.H, J, right)
    shared = () if answer.reaction is None else np.array(linkage.contacts.names)[answer.reaction.redundant].tolist()
    parts = x[:nv, :nv], x[:nv, nv : 2 * nv], x[:nv, 2 * nv :]
    return Derivatives(*parts, J, rate_q, x[nv:], kept, rows, more, answer.row_forces, tuple(shared))


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


def closed_vjp(asked: Problem, a_bar: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Products of `a_bar` with the derivatives of one state, without matrices where the loops' elimination answers."""
    linkage, tree, q, v, tau, wrench = asked[:6]
    loops, nv = loops_of(linkage), tree.nv
    q_bar, v_bar, tau_bar, total, a = np.empty((5, nv))
    loop_bar, lines = np.empty(loops.nv), np.empty((4, max(nv, loops.n_rows)))
    extra = ADJOINT_ROW * tree.stages
    work, scratch = tree.work(extra), loops.scratch()
    outcome = call(("closed.adjoint", "closed_forward_vjp"), tree.model, tree.index, work, tree.table, loops.plan,
                   loops.geometry, scratch, q, v, tau[:nv], wrench, tau[nv:], a_bar, q_bar, v_bar, tau_bar, loop_bar,
                   a, lines, total)  # fmt: skip
    tree.idle(extra).append(work)
    loops.pool.append(scratch)
    if outcome & 15 in NO_INERTIA:  # dense matrices may still answer
        x = closed_forward_derivatives(asked._replace(details=True))
        return a_bar @ x.dq, a_bar @ x.dv, a_bar @ x.dtau
    if outcome:
        raise problem(linkage, outcome)
    return q_bar, v_bar, np.concatenate([tau_bar, loop_bar])
