"""Derivatives of the forward dynamics of constrained linkages: one state, dense matrices; products without them.

The accelerations a and the forces λ of the loops' rows solve R1 = R2 = 0 with

    R1 = ID(q, v, a) − τ − Σ J6ᵀ w,   w = Kᵀ λ + N (τ_loop − damping · θ̇),   R2 = K (A_b − A_a − V_b × V − Ṡ θ̇)

so that [[H, −Jᵀ], [J, 0]] δ(a, λ) = −δ(R1, R2).

======= ================================================================================================================
here    meaning
======= ================================================================================================================
s       axes of the degrees of freedom, (6, nv); pd, pdd, w their rates, as in `kernels.tree.derivatives`
Fb      the frame of a loop joint on its body b, moving with it; X a motion from the common frame to Fb
eta     displacement of Fb relative to the body a, per degree of freedom, in Fb: J_b − J_a
K, R    what a loop joint forbids, (rows, 6), and the rates of its coordinates of a relative motion, (n, 6); N = Rᵀ
V, r    relative velocity of Fb, and the rates R V of the joint's coordinates
======= ================================================================================================================

A loop joint of hinges turns K and R with its coordinates: seen from Fb each hinge turns the axes before it backwards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from linkwork.dynamics.closed_methods import embedding
from linkwork.dynamics.constraints import constraint_matrices, loops_of
from linkwork.dynamics.contact import around
from linkwork.dynamics.contact_derivatives import contact_rows
from linkwork.dynamics.methods import pick
from linkwork.dynamics.problem import Problem
from linkwork.dynamics.tree_methods import crba
from linkwork.dynamics.tree_rates import TreeRates, cross_motion, strictly_above, to_frame, tree_rates, turning
from linkwork.kernels.launch import call
from linkwork.kernels.layout import NO_INERTIA
from linkwork.kernels.layout.derivatives import ADJOINT_ROW
from linkwork.kernels.layout.kinds import GIMBAL, UNIVERSAL
from linkwork.kernels.layout.loops import (
    COEFFICIENTS,
    COUPLING,
    G_B,
    G_POLYNOMIAL,
    GEOMETRY_ROW,
    P_RECORDS,
    P_WORLD,
    R_K,
    R_RATE,
    R_S,
    RECORD,
    Loop,
)  # fmt: skip
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import problem
from linkwork.linkage.packing.tree import Tree

Z = np.array([0.0, 0.0, 1.0])


class Derivatives(NamedTuple):
    """Of forward dynamics, and what they were computed with."""

    dq: np.ndarray  # (nv, nv)
    dv: np.ndarray
    dtau: np.ndarray  # (nv, nv + nv_loop)
    J: np.ndarray  # independent rows of the constraints
    rate_q: np.ndarray  # how J v changes with q


def closed_forward_derivatives(asked: Problem) -> Derivatives:
    """The derivatives of one state with loops, points on surfaces or both, of the function as computed."""
    linkage, tree, q, v, tau, wrench = asked[:6]
    contacts, nv = bool(linkage._contacts.records), tree.nv
    solver = pick(linkage, "auto").solver(linkage)
    # points on surfaces: in Python, which has all of their state
    answer = around(embedding if tree.closed else crba)(asked) if contacts else solver(asked)
    rates = tree_rates(linkage, q, v, answer.a, wrench)
    R1_q, R1_v, J = rates.dq, rates.dv, np.zeros((0, nv))
    R2_q, R2_v, rate_q, forces, drive = J, J, J, J.T, np.zeros((nv, 0))
    if tree.closed:
        rows = loop_rows(linkage, rates, q, v, answer.row_forces, tau[nv:])
        kept = answer.marks != 0.0
        R1_q, R1_v, J, drive = R1_q + rows.R1_q, R1_v + rows.R1_v, rows.J[kept], rows.drive
        R2_q, R2_v, rate_q, forces = rows.R2_q[kept], rows.R2_v[kept], rows.rate_q[kept], J.T
    if contacts:
        assert answer.reaction is not None
        more = contact_rows(linkage, rates, q, answer.reaction, float(asked.t[0]))
        R1_q, R1_v, J = R1_q + more.R1_q, R1_v + more.R1_v, np.vstack([J, more.J])
        R2_q, R2_v, rate_q = (np.vstack(x) for x in ((R2_q, more.R2_q), (R2_v, more.R2_v), (rate_q, more.rate_q)))
        forces = np.hstack([forces, more.forces])
    m = len(J)
    M = np.block([[rates.H, -forces], [J, np.zeros((m, m))]])
    right = np.block([[-R1_q, -R1_v, np.eye(nv), drive], [-R2_q, -R2_v, np.zeros((m, nv + drive.shape[1]))]])
    if contacts and (tree.closed or (answer.reaction is not None and answer.reaction.redundant.any())):
        # points and loops may say the same twice
        x = np.linalg.lstsq(M, right, rcond=1e-13)[0][:nv]
    else:
        x = np.linalg.solve(M, right)[:nv]
    return Derivatives(x[:, :nv], x[:, nv : 2 * nv], x[:, 2 * nv :], J, rate_q)


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


class Rows(NamedTuple):
    """The constraints' share: J, and how R1 and R2 change with q and v beyond the tree's own terms; R1 with τ_loop."""

    J: np.ndarray  # (rows, nv)
    R1_q: np.ndarray  # (nv, nv)
    R1_v: np.ndarray
    R2_q: np.ndarray  # (rows, nv)
    R2_v: np.ndarray
    rate_q: np.ndarray  # (rows, nv): how J v changes with q
    drive: np.ndarray  # (nv, nv_loop): −R1 per unit of a loop joint's torque


def loop_rows(linkage: Linkage, rates: TreeRates, q, v, force: np.ndarray, drive: np.ndarray) -> Rows:
    """The share of every loop joint and coupling, whose rows bear `force` and whose motors give `drive` (nv_loop)."""
    tree, loops = linkage.tree, loops_of(linkage)
    nv, n = tree.nv, tree.stages
    scratch = constraint_matrices(linkage, q, v).loop_scratch
    records = scratch[int(loops.plan[P_RECORDS]) :][: RECORD * len(loops.names)].reshape(-1, RECORD)
    world = scratch[int(loops.plan[P_WORLD]) :][: 12 * (n + 1)].reshape(-1, 12)  # ground's is the last
    geometry = loops.geometry.reshape(-1, GEOMETRY_ROW)
    m = loops.n_rows
    out = Rows(*(np.zeros(shape) for shape in [(m, nv), (nv, nv), (nv, nv), (m, nv), (m, nv), (m, nv), (nv, loops.nv)]))
    origin = np.vstack([world[:n, 9:] - rates.p, np.zeros(3)])  # of the root of each stage's tree
    own = {"V": np.vstack([rates.V, np.zeros(6)]), "A": np.vstack([rates.A, np.zeros(6)])}
    up = np.concatenate([-tree.model[:3], np.zeros(3)])  # the ground accelerates with −g
    own["A"][n] = up
    for k, loop in enumerate(loops.table):
        mine = slice(loop.row, loop.row + loop.rows)
        if loop.kind == COUPLING:
            polynomial = Polynomial(geometry[k, G_POLYNOMIAL : G_POLYNOMIAL + COEFFICIENTS])
            _add_coupling(out, loop, polynomial, q[loop.q_j], v[loop.dof_j], rates.a[loop.dof_j], force[loop.row])
            continue
        Rb, pb = world[loop.b, :9].reshape(3, 3), world[loop.b, 9:]
        Rf = Rb @ geometry[k, G_B : G_B + 9].reshape(3, 3)
        at = pb + Rb @ geometry[k, G_B + 9 : G_B + 12]
        sides = [_side(rates, own, i, to_frame(Rf, at - origin[i])) for i in (loop.b, loop.a)]
        joint = _Joint(records[k], loop.kind, loop.rows, loop.nv)
        torque = drive[loop.v : loop.v + loop.nv], loops.damping[k, : loop.nv]
        _add_loop(out, mine, slice(loop.v, loop.v + loop.nv), joint, sides, force[mine], torque)
        w = joint.K.T @ force[mine] + joint.N @ (torque[0] - torque[1] * joint.r)
        for side, sign in zip(sides, (1.0, -1.0), strict=True):
            _add_fixed_wrench(out.R1_q, rates, tree, side.stage, sign * side.X.T @ w)
    return out


def _add_coupling(out: Rows, loop: Loop, p: Polynomial, x, rate, acceleration, force) -> None:
    """Add a coupling: R1 has −Jᵀ λ, and R2 is q̈ᵢ − p′(x) ẍ − p″(x) ẋ²."""
    slope, bend, twist = (float(p.deriv(order)(x)) for order in (1, 2, 3))
    row, i, j = loop.row, loop.dof_i, loop.dof_j
    out.J[row, i] += 1.0
    out.J[row, j] -= slope
    out.R1_q[j, j] += bend * force
    out.R2_q[row, j] -= bend * acceleration + twist * rate**2
    out.R2_v[row, j] -= 2.0 * bend * rate
    out.rate_q[row, j] -= bend * rate


class _Side(NamedTuple):
    """One body of a loop joint, seen in Fb: its motion, and how that changes."""

    stage: int
    X: np.ndarray
    V: np.ndarray
    A: np.ndarray
    psi: np.ndarray  # (6, nv) displacement
    V_q: np.ndarray
    V_v: np.ndarray
    A_q: np.ndarray
    A_v: np.ndarray


def _side(rates: TreeRates, own, i: int, X: np.ndarray) -> _Side:
    """The stage i as a side; its velocity and acceleration change as its own axes see it."""
    c = cross_motion(own["V"][i])
    s, pd, pdd, w = (rates.moves(i, x) for x in (rates.s, rates.pd, rates.pdd, rates.w))
    return _Side(i, X, X @ own["V"][i], X @ own["A"][i], X @ s, X @ pd, X @ s, X @ (pdd - c @ pd), X @ (w - c @ s))


class _Joint:
    """A loop joint at its present coordinates: K, R, N, V, r, and how K, R and r turn with the coordinates."""

    def __init__(self, record: np.ndarray, kind: int, rows: int, nv: int):
        self.kind = kind
        self.K, self.S = record[R_K : R_K + 6 * rows].reshape(rows, 6), record[R_S : R_S + 6 * nv].reshape(nv, 6)
        self.V = record[R_RATE : R_RATE + 6]
        if kind in (UNIVERSAL, GIMBAL):
            axes = [axis[3:] for axis in self.S]
            self.basis = np.array([self.K[3, 3:], *axes] if kind == UNIVERSAL else axes).T
            inverse = np.linalg.inv(self.basis)
            self.R = np.hstack([np.zeros((nv, 3)), inverse[3 - nv :]])
            self._turn(inverse, axes)
        else:
            self.R = np.linalg.solve(self.S @ self.S.T, self.S) if nv else np.zeros((0, 6))
            self.R_turn = np.zeros((nv, nv, 6))
        self.N, self.r = self.R.T, self.R @ self.V

    def _turn(self, inverse: np.ndarray, axes: list[np.ndarray]) -> None:
        """R_turn[k] = ∂R/∂θ_k: hinge k turns the axes before it, and the normal of a universal joint's two, back."""
        nv, before = len(axes), 3 - len(axes)
        self.R_turn = np.zeros((nv, nv, 6))
        for k in range(1, nv):
            change = np.zeros((3, 3))
            change[:, : before + k] = -np.cross(axes[k], self.basis[:, : before + k].T).T
            self.R_turn[k, :, 3:] = (-inverse @ change @ inverse)[before:]


def _add_loop(out: Rows, mine, driven, joint: _Joint, sides: list[_Side], force, torque) -> None:
    """Add what one loop joint does to R1 and R2, save for its wrench as one fixed to its bodies."""
    b, a = sides
    K, R, N, V, r = joint.K, joint.R, joint.N, joint.V, joint.r
    eta = b.psi - a.psi
    # What belongs to a is seen from a frame that moves by eta relative to it.
    aV_q, aA_q = a.V_q + cross_motion(a.V) @ eta, a.A_q + cross_motion(a.A) @ eta
    V_q, V_v = b.V_q - aV_q, b.V_v - a.V_v
    Vb, Vx = cross_motion(b.V), cross_motion(V)
    R2_q = b.A_q - aA_q - (Vb @ V_q - Vx @ b.V_q)
    R2_v = b.A_v - a.A_v - (Vb @ V_v - Vx @ b.V_v)
    theta = R @ eta
    r_q = R @ V_q + np.einsum("kni,i,kv->nv", joint.R_turn, V, theta)
    r_v = R @ V_v
    given, damping = torque
    drive = given - damping * r
    w_q = np.einsum("kni,n,kv->iv", joint.R_turn, drive, theta) - N @ (damping[:, None] * r_q)
    w_v = -N @ (damping[:, None] * r_v)
    out.J[mine] = K @ eta
    if joint.kind == UNIVERSAL:
        e, n = np.cross(Z, joint.S[0, 3:]), K[3, 3:]
        inner = b.A - a.A - Vb @ V
        inner[3:] += r[0] * r[1] * e  # − Ṡ θ̇
        R2_q[3:] += np.outer(e, r[1] * r_q[0] + r[0] * r_q[1]) - np.outer(r[0] * r[1] * np.cross(Z, e), theta[1])
        R2_v[3:] += np.outer(e, r[1] * r_v[0] + r[0] * r_v[1])
        turned = -np.cross(Z, n)  # ∂n/∂θ2
        w_q[3:] += np.outer(force[3] * turned, theta[1])
        out.R2_q[mine.start + 3] += (turned @ inner[3:]) * theta[1]
        out.rate_q[mine.start + 3] += (turned @ V[3:]) * theta[1]
    out.R2_q[mine] += K @ R2_q
    out.R2_v[mine] = K @ R2_v
    out.rate_q[mine] += K @ V_q
    w = K.T @ force + N @ drive
    out.R1_q[:] += a.psi.T @ (turning(w) @ eta) - eta.T @ w_q  # Fb moves by eta relative to a
    out.R1_v[:] -= eta.T @ w_v
    out.drive[:, driven] = eta.T @ N


def _add_fixed_wrench(R1_q: np.ndarray, rates: TreeRates, tree: Tree, stage: int, w: np.ndarray) -> None:
    """What a wrench w on a stage, fixed in its axes and given in the common frame, adds to ∂R1/∂q."""
    s = rates.moves(stage, rates.s)
    R1_q -= np.where(strictly_above(tree, rates.above), s.T @ turning(w) @ s, 0.0)
