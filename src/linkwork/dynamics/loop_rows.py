"""What loop joints and couplings add to the derivatives of forward dynamics: all loops of one kind at once.

The accelerations a and the forces λ of the loops' rows solve R1 = R2 = 0 with

    R1 = ID(q, v, a) − τ − Σ J6ᵀ w,   w = Kᵀ λ + N (τ_loop − damping · θ̇),   R2 = K (A_b − A_a − V_b × V − Ṡ θ̇)

======= ================================================================================================================
here    meaning
======= ================================================================================================================
s       axes of the degrees of freedom, (6, nv); pd, pdd, w their rates, as in `kernels.tree.derivatives`
Fb      the frame of a loop joint on its body b, moving with it; X a motion from the common frame to Fb
C       (n, c) the degrees of freedom that move one of a loop's two bodies and not the other; no others count
eta     displacement of Fb relative to the body a, per degree of freedom, in Fb: J_b − J_a
K, R    what a loop joint forbids, (rows, 6), and the rates of its coordinates of a relative motion, (m, 6); N = Rᵀ
V, r    relative velocity of Fb, and the rates R V of the joint's coordinates
======= ================================================================================================================

A loop joint of hinges turns K and R with its coordinates: seen from Fb each hinge turns the axes before it backwards.
Leading axes of all arrays are loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from linkwork.dynamics.constraints import constraint_matrices, loops_of
from linkwork.dynamics.tree_rates import TreeRates, cross_motion, structure, to_frame, turning
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
from linkwork.linkage.packing.tree import Tree

Z = np.array([0.0, 0.0, 1.0])


class Rows(NamedTuple):
    """The constraints' share: J, and how R1 and R2 change with q and v beyond the tree's own terms; R1 with τ_loop.

    And how the wrench w of every loop changes, in Fb, at given forces of its rows.
    """

    J: np.ndarray  # (rows, nv)
    R1_q: np.ndarray  # (nv, nv)
    R1_v: np.ndarray
    R2_q: np.ndarray  # (rows, nv)
    R2_v: np.ndarray
    rate_q: np.ndarray  # (rows, nv): how J v changes with q
    drive: np.ndarray  # (nv, nv_loop): −R1 per unit of a loop joint's torque
    w_q: np.ndarray  # (loops, 6, nv)
    w_v: np.ndarray
    w_tau: np.ndarray  # (loops, 6, nv_loop)
    w_rows: np.ndarray  # (loops, 6, rows): K of each row


def loop_rows(linkage: Linkage, rates: TreeRates, q, v, force: np.ndarray, drive: np.ndarray) -> Rows:
    """The share of every loop joint and coupling, whose rows bear `force` and whose motors give `drive` (nv_loop)."""
    tree, loops = linkage.tree, loops_of(linkage)
    nv, n, m, count = tree.nv, tree.stages, loops.n_rows, len(loops.names)
    scratch = constraint_matrices(linkage, q, v).loop_scratch
    records = scratch[int(loops.plan[P_RECORDS]) :][: RECORD * count].reshape(-1, RECORD)
    world = scratch[int(loops.plan[P_WORLD]) :][: 12 * (n + 1)].reshape(-1, 12)  # ground's is the last
    geometry = loops.geometry.reshape(-1, GEOMETRY_ROW)
    wide = nv + 1  # a last column takes what short lists of degrees of freedom are filled up with
    shapes = [(m, wide), (wide, wide), (wide, wide), (m, wide), (m, wide), (m, wide), (wide, loops.nv)]
    shapes += [(count, 6, wide), (count, 6, wide), (count, 6, loops.nv), (count, 6, m)]
    out = Rows(*map(np.zeros, shapes))
    bodies = _Bodies.of(rates, tree, world)
    alike: dict[tuple[int, int, int], list[int]] = {}
    for k, loop in enumerate(loops.table):
        if loop.kind == COUPLING:
            polynomial = Polynomial(geometry[k, G_POLYNOMIAL : G_POLYNOMIAL + COEFFICIENTS])
            _add_coupling(out, loop, polynomial, q[loop.q_j], v[loop.dof_j], rates.a[loop.dof_j], force[loop.row])
        else:
            alike.setdefault((loop.kind, loop.rows, loop.nv), []).append(k)
    for (kind, rows, freedoms), numbers in alike.items():
        table = [loops.table[k] for k in numbers]
        a, b = np.array([[loop.a, loop.b] for loop in table]).T
        Rb, at_b = world[b, :9].reshape(-1, 3, 3), geometry[numbers, G_B : G_B + 12]
        Rf = Rb @ at_b[:, :9].reshape(-1, 3, 3)
        place = world[b, 9:] + np.einsum("nij,nj->ni", Rb, at_b[:, 9:])
        C, local = _lists(bodies.above[b] ^ bodies.above[a])
        sides = [_side(bodies, i, to_frame(Rf, place - bodies.origin[i]), C, local) for i in (b, a)]
        joint = _Joints(records[numbers], kind, rows, freedoms)
        mine = np.array([loop.row for loop in table])[:, None] + np.arange(rows)
        driven = np.array([loop.v for loop in table])[:, None] + np.arange(freedoms)
        torque = drive[driven], loops.damping[numbers, :freedoms]
        _add_loops(out, np.array(numbers), (mine, driven, C), joint, sides, force[mine], torque, bodies)
    _add_fixed_wrenches(out.R1_q, bodies, tree)
    J, R1_q, R1_v, R2_q, R2_v, rate_q, driving, w_q, w_v, w_tau, w_rows = out
    rows = (J[:, :nv], R1_q[:nv, :nv], R1_v[:nv, :nv], R2_q[:, :nv], R2_v[:, :nv], rate_q[:, :nv], driving[:nv])
    return Rows(*rows, w_q[..., :nv], w_v[..., :nv], w_tau, w_rows)


def _lists(local: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, c) where rows of a mask are set, filled up with its width; and which of them are."""
    c = int(local.sum(axis=1).max(initial=0))
    order = np.argsort(~local, axis=1, kind="stable")[:, :c]
    there = np.take_along_axis(local, order, axis=1)
    return np.where(there, order, local.shape[1]), there


class _Bodies(NamedTuple):
    """The tree's stages, ground last, and its axes and their rates, of which a last one is none."""

    above: np.ndarray  # (stages + 1, nv) whether a degree of freedom moves a stage
    origin: np.ndarray  # (stages + 1, 3) of the root of each stage's tree
    V: np.ndarray  # (stages + 1, 6)
    A: np.ndarray
    axes: np.ndarray  # (4, nv + 1, 6): s, pd, pdd, w
    wrench: np.ndarray  # (stages + 1, 6) of the loops on each, gathered as they are added

    @classmethod
    def of(cls, rates: TreeRates, tree: Tree, world: np.ndarray) -> _Bodies:
        n = tree.stages
        up = np.concatenate([-tree.model[:3], np.zeros(3)])  # the ground accelerates with −g
        axes = np.zeros((4, tree.nv + 1, 6))
        for k, x in enumerate((rates.s, rates.pd, rates.pdd, rates.w)):
            axes[k, :-1] = x.T
        origin = np.vstack([world[:n, 9:] - rates.p, np.zeros(3)])
        V, A = np.vstack([rates.V, np.zeros(6)]), np.vstack([rates.A, up])
        return cls(rates.above, origin, V, A, axes, np.zeros((n + 1, 6)))


class _Side(NamedTuple):
    """One body of each loop joint, seen in Fb: its motion, and how that changes with the listed degrees of freedom."""

    stage: np.ndarray
    X: np.ndarray
    V: np.ndarray
    A: np.ndarray
    psi: np.ndarray  # (n, 6, c) displacement
    V_q: np.ndarray
    V_v: np.ndarray
    A_q: np.ndarray
    A_v: np.ndarray


def _side(bodies: _Bodies, i: np.ndarray, X: np.ndarray, C: np.ndarray, local: np.ndarray) -> _Side:
    """The stages i as sides; their velocities and accelerations change as their own axes see it."""
    moves = local & np.take_along_axis(bodies.above[i], np.minimum(C, bodies.above.shape[1] - 1), axis=1)
    s, pd, pdd, w = np.where(moves[..., None], bodies.axes[:, C], 0.0).swapaxes(-1, -2)
    c, psi, V_q = cross_motion(bodies.V[i]), X @ s, X @ pd
    V, A = (np.einsum("nij,nj->ni", X, x[i]) for x in (bodies.V, bodies.A))
    return _Side(i, X, V, A, psi, V_q, psi, X @ (pdd - c @ pd), X @ (w - c @ s))


class _Joints:
    """Loop joints of one kind at their present coordinates: K, R, N, V, r, and how R turns with the coordinates."""

    def __init__(self, records: np.ndarray, kind: int, rows: int, nv: int):
        self.kind, n = kind, len(records)
        self.K = records[:, R_K : R_K + 6 * rows].reshape(n, rows, 6)
        self.S = records[:, R_S : R_S + 6 * nv].reshape(n, nv, 6)
        self.V = records[:, R_RATE : R_RATE + 6]
        self.R_turn = np.zeros((n, nv, nv, 6))  # [:, k] = ∂R/∂θ_k
        if kind in (UNIVERSAL, GIMBAL):
            axes = self.S[..., 3:]
            basis = np.concatenate([self.K[:, 3:4, 3:], axes] if kind == UNIVERSAL else [axes], axis=1).swapaxes(1, 2)
            inverse = np.linalg.inv(basis)
            self.R = np.concatenate([np.zeros((n, nv, 3)), inverse[:, 3 - nv :]], axis=2)
            self._turn(basis, inverse, axes)
        else:
            self.R = np.linalg.solve(self.S @ self.S.swapaxes(1, 2), self.S) if nv else np.zeros((n, 0, 6))
        self.N, self.r = self.R.swapaxes(1, 2), np.einsum("nki,ni->nk", self.R, self.V)

    def _turn(self, basis: np.ndarray, inverse: np.ndarray, axes: np.ndarray) -> None:
        """Hinge k turns the axes before it, and the normal of a universal joint's two, back."""
        nv = axes.shape[1]
        before = 3 - nv
        for k in range(1, nv):
            change = np.zeros_like(basis)
            turned = np.cross(axes[:, k, None], basis[:, :, : before + k].swapaxes(1, 2))
            change[:, :, : before + k] = -turned.swapaxes(1, 2)
            self.R_turn[:, k, :, 3:] = (-inverse @ change @ inverse)[:, before:]


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


def _add_loops(out: Rows, numbers, places, joint: _Joints, sides: list[_Side], force, torque, bodies: _Bodies) -> None:
    """Add what loop joints do to R1 and R2; their wrenches, as fixed to their bodies, are only gathered."""
    b, a = sides
    mine, driven, C = places
    K, R, N, V, r = joint.K, joint.R, joint.N, joint.V, joint.r
    eta = b.psi - a.psi
    # What belongs to a is seen from a frame that moves by eta relative to it.
    aV_q, aA_q = a.V_q + cross_motion(a.V) @ eta, a.A_q + cross_motion(a.A) @ eta
    V_q, V_v = b.V_q - aV_q, b.V_v - a.V_v
    Vb, Vx = cross_motion(b.V), cross_motion(V)
    R2_q = b.A_q - aA_q - (Vb @ V_q - Vx @ b.V_q)
    R2_v = b.A_v - a.A_v - (Vb @ V_v - Vx @ b.V_v)
    theta = R @ eta
    r_q = R @ V_q + np.einsum("lkni,li,lkv->lnv", joint.R_turn, V, theta)
    r_v = R @ V_v
    given, damping = torque
    driving = given - damping * r
    w_q = np.einsum("lkni,ln,lkv->liv", joint.R_turn, driving, theta) - N @ (damping[..., None] * r_q)
    w_v = -N @ (damping[..., None] * r_v)
    J, R2_q_rows, rate_q = K @ eta, K @ R2_q, K @ V_q
    if joint.kind == UNIVERSAL:
        e, normal = np.cross(Z, joint.S[:, 0, 3:]), K[:, 3, 3:]
        product = (r[:, 0] * r[:, 1])[:, None]
        inner = b.A - a.A - np.einsum("nij,nj->ni", Vb, V)
        inner[:, 3:] += product * e  # − Ṡ θ̇
        by_q, by_v = (r[:, 1, None] * x[:, 0] + r[:, 0, None] * x[:, 1] for x in (r_q, r_v))
        R2_q[:, 3:] += e[..., None] * by_q[:, None] - (product * np.cross(Z, e))[..., None] * theta[:, 1, None]
        R2_v[:, 3:] += e[..., None] * by_v[:, None]
        turned = -np.cross(Z, normal)  # ∂n/∂θ2
        w_q[:, 3:] += (force[:, 3, None] * turned)[..., None] * theta[:, 1, None]
        R2_q_rows = K @ R2_q
        R2_q_rows[:, 3] += np.einsum("ni,ni->n", turned, inner[:, 3:])[:, None] * theta[:, 1]
        rate_q[:, 3] += np.einsum("ni,ni->n", turned, V[:, 3:])[:, None] * theta[:, 1]
    at = mine[:, :, None], C[:, None, :]
    out.J[at], out.R2_q[at], out.R2_v[at], out.rate_q[at] = J, R2_q_rows, K @ R2_v, rate_q
    w = np.einsum("nri,nr->ni", K, force) + np.einsum("nik,nk->ni", N, driving)
    pair, turn = (C[:, :, None], C[:, None, :]), a.X.swapaxes(1, 2) @ (turning(w) @ eta)  # Fb moves relative to a
    np.add.at(out.R1_q, pair, -eta.swapaxes(1, 2) @ w_q)
    np.add.at(out.R1_v, pair, -eta.swapaxes(1, 2) @ w_v)
    on_a = np.where(bodies.above[a.stage][:, :, None], bodies.axes[0, :-1] @ turn, 0.0)  # (n, nv, c)
    np.add.at(out.R1_q[:-1].T, C, on_a.swapaxes(1, 2))
    out.drive[C[:, :, None], driven[:, None, :]] = eta.swapaxes(1, 2) @ N
    for side, sign in ((b, 1.0), (a, -1.0)):
        np.add.at(bodies.wrench, side.stage, sign * np.einsum("nij,ni->nj", side.X, w))
    six = numbers[:, None, None], np.arange(6)[None, :, None]
    out.w_q[(*six, C[:, None, :])], out.w_v[(*six, C[:, None, :])] = w_q, w_v
    out.w_tau[(*six, driven[:, None, :])], out.w_rows[(*six, mine[:, None, :])] = N, K.swapaxes(1, 2)


def _add_fixed_wrenches(R1_q: np.ndarray, bodies: _Bodies, tree: Tree) -> None:
    """What the gathered wrenches, fixed in the axes of their stages, add: −s_d · (s_e ×* f), d above e, f beyond e."""
    beyond = bodies.wrench
    for i in range(tree.stages - 1, -1, -1):
        if tree.parent[i] >= 0:
            beyond[tree.parent[i]] += beyond[i]
    known, s = structure(tree), bodies.axes[0, :-1]
    turned = np.einsum("eij,ej->ei", turning(beyond[known.stage]), s)
    R1_q[:-1, :-1] -= np.where(known.strictly_above, s @ turned.T, 0.0)
