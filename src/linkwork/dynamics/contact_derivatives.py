"""What points on surfaces add to the derivatives of forward dynamics: their forces, and the rows that hold them.

The forces F of the points solve, with the accelerations,

    R1 = ID(q, v, a) − τ − Σ J_pᵀ F,   R2 = ∇C · r̈ + ṙᵀ H ṙ + 2 ∇C_t · ṙ + C_tt

with F = f_n (n − K t) where a point slides; one that sticks has a force of three components and, besides, no
acceleration t · (r̈ − ẇ) along the surface, whose material moves with w.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
r       a point, relative to the origin of the root of its tree; r_q, rate_q, acc_q and so on, (3, nv), how it, its
        velocity and its acceleration change with q and v
G, H    gradient and Hessian of the surface, n = G/|G|; P = 1 − n nᵀ
u, t    sliding P (ṙ − w), and its direction
======= ================================================================================================================

Third derivatives of surfaces are differences of their exact Hessians, of sixth order: right to some 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.contact_modes import tangents
from linkwork.dynamics.contact_state import Reaction, drag, movable, on_bodies
from linkwork.dynamics.kinematics import body_poses
from linkwork.dynamics.problem import Problem
from linkwork.dynamics.tree_rates import TreeRates, cross_motion, skew, structure, tree_rates
from linkwork.errors import SingularError
from linkwork.kernels.layout.contacts import STILL
from linkwork.linkage.contacts import ContactRecord
from linkwork.linkage.linkage import Linkage

_NEAR = 4e-3  # share of a surface's radius of curvature, 1 m at most, over which it is differentiated
_STENCIL = ((1, 0.75), (2, -0.15), (3, 1.0 / 60.0))  # central differences of sixth order

Products = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]


class ContactRows(NamedTuple):
    """The points' share, as `Rows` has that of the loops."""

    J: np.ndarray  # (rows, nv)
    R1_q: np.ndarray  # (nv, nv)
    R1_v: np.ndarray
    R2_q: np.ndarray  # (rows, nv)
    R2_v: np.ndarray
    rate_q: np.ndarray  # (rows, nv): how the rows' velocities change with q
    forces: np.ndarray  # (nv, rows): −R1 per unit of a point's force, along its columns
    F_q: np.ndarray  # (contacts, 3, nv): how the points' forces change at given unknowns, world axes
    F_v: np.ndarray
    F_rows: np.ndarray  # (contacts, 3, rows): with the unknowns


class _Point(NamedTuple):
    """A point and how it changes; see the table above."""

    stage: int
    J: np.ndarray  # (3, nv): r_q, and how the velocity changes with v
    rate: np.ndarray
    acc: np.ndarray
    rate_q: np.ndarray
    acc_q: np.ndarray
    acc_v: np.ndarray


class _Share(NamedTuple):
    """What one point that can move adds."""

    k: int  # which contact
    point: _Point
    arm: np.ndarray  # from the origin of its body, world axes
    force: np.ndarray  # on it, world axes
    rows: tuple[np.ndarray, ...]  # J, R2_q, R2_v, rate_q
    way: np.ndarray  # (3, rows) directions of its unknown forces
    F_q: np.ndarray  # (3, nv) how its force changes at given unknowns
    F_v: np.ndarray


def _shares(linkage: Linkage, rates: TreeRates, q: np.ndarray, reaction: Reaction, t: float) -> Iterator[_Share]:
    """The share of every point that can move, with the forces that were found."""
    touch, origins = reaction.touch, body_poses(linkage, q).positions
    for k in map(int, np.flatnonzero(movable(touch))):
        record, name = linkage._contacts.records[k], linkage.contacts.names[k]
        arm = touch.r[k] - origins[record.body]
        point = _point(linkage, rates, record, arm)
        make = _sticks if reaction.sticks[k] else _slides
        yield _Share(k, point, arm, reaction.forces[k], *make(name, record, point, reaction, k, t))


def contact_rows(linkage: Linkage, rates: TreeRates, q: np.ndarray, reaction: Reaction, t: float) -> ContactRows:
    """The share of all points in the matrices."""
    nv, n = linkage.nv, len(reaction.touch.r)
    R1_q, R1_v, changes = np.zeros((nv, nv)), np.zeros((nv, nv)), np.zeros((2, n, 3, nv))
    shares = list(_shares(linkage, rates, q, reaction, t))
    for share in shares:
        R1_q -= _turned_force(rates, structure(linkage.tree).strictly_above, share.point, share.force)
        R1_q -= share.point.J.T @ share.F_q
        R1_v -= share.point.J.T @ share.F_v
        changes[:, share.k] = share.F_q, share.F_v
    none = (np.zeros((0, nv)),) * 4
    J, R2_q, R2_v, rate_q = (np.vstack(x) for x in zip(none, *(share.rows for share in shares), strict=True))
    F_rows, forces, row = np.zeros((n, 3, len(J))), np.zeros((nv, len(J))), 0
    for share in shares:
        mine = slice(row, row + share.way.shape[1])
        F_rows[share.k, :, mine], forces[:, mine], row = share.way, share.point.J.T @ share.way, mine.stop
    return ContactRows(J, R1_q, R1_v, R2_q, R2_v, rate_q, forces, changes[0], changes[1], F_rows)


def sticking_points(linkage: Linkage, q: np.ndarray, x: np.ndarray, reaction: Reaction) -> np.ndarray:
    """(2, points, 3, nv): how the points that stick move, and how their velocities under the motion x change with q."""
    rates = tree_rates(linkage, q, x, linkage.tree.zeros, np.zeros(0))
    origins = body_poses(linkage, q).positions
    ways = np.zeros((2, len(reaction.sticks), 3, linkage.nv))
    for k in map(int, np.flatnonzero(reaction.sticks)):
        record = linkage._contacts.records[k]
        point = _point(linkage, rates, record, reaction.touch.r[k] - origins[record.body])
        ways[:, k] = point.J, point.rate_q
    return ways


def contact_products(asked: Problem, reaction: Reaction, a_bar: np.ndarray, products: Products) -> tuple:
    """λᵀ ∂a/∂q, λᵀ ∂a/∂v and λᵀ ∂a/∂τ for λ = `a_bar` with points on surfaces, in O(nb) for each of their rows.

    With M the system of everything else, μ and the ρ of the points' rows J_c solve M μ + J_cᵀ ρ = λ and Bᵀ μ = 0, B the
    generalized forces of the points' unknowns. `products` are those without points, of rows λ, under wrenches on the
    bodies: of λ and of J_c at the forces found they give M⁻¹ of both. To their combination come what the points' own
    equations change by, and the moments of forces that stay where they act, not where the body was.
    """
    linkage, q, v, t = asked.linkage, asked.q, asked.v, float(asked.t[0])
    rates = tree_rates(linkage, q, v, reaction.a, asked.wrench, matrices=False)
    shares = list(_shares(linkage, rates, q, reaction, t))
    wrench = on_bodies(linkage, q, reaction.touch.r, reaction.forces)
    wrench = wrench if asked.f_ext is None else wrench + asked.f_ext
    rows = np.vstack([a_bar[None], *(share.rows[0] for share in shares)])
    q_bars, v_bars, tau_bars = products(rows, wrench)
    nv = linkage.nv
    B = np.hstack([np.zeros((nv, 0)), *(share.point.J.T @ share.way for share in shares)])
    mu, Y = tau_bars[0, :nv], tau_bars[1:, :nv]
    rho = np.linalg.lstsq(B.T @ Y.T, B.T @ mu, rcond=1e-12)[0]
    q_bar, v_bar, tau_bar = (x[0] - rho @ x[1:] for x in (q_bars, v_bars, tau_bars))
    mu, first = tau_bar[:nv], 0
    for share in shares:
        point, (J, R2_q, R2_v, _) = share.point, share.rows
        mine, u, turn = rho[first : first + len(J)], point.J @ mu, rates.moves(point.stage, rates.s)[3:]
        q_bar += u @ share.F_q - mine @ R2_q + np.cross(share.arm, np.cross(share.force, turn @ mu)) @ turn
        v_bar += u @ share.F_v - mine @ R2_v
        first += len(J)
    return q_bar, v_bar, tau_bar


def _point(linkage: Linkage, rates: TreeRates, record: ContactRecord, arm: np.ndarray) -> _Point:
    """The point of a contact, which stands at `arm` from its body's origin."""
    stage = int(linkage.tree.stage[record.body])
    r = rates.p[stage] + arm
    V, A = rates.V[stage], rates.A[stage]
    s, pd, pdd, w = (rates.moves(stage, x) for x in (rates.s, rates.pd, rates.pdd, rates.w))
    at = np.hstack([np.eye(3), -skew(r)])  # a motion to the velocity at r
    c, turn = cross_motion(V), skew(V[3:])
    rate = at @ V
    acc = at @ A + turn @ rate  # gravity off: the ground accelerates with −g
    J = at @ s

    def acceleration(dV: np.ndarray, dA: np.ndarray) -> np.ndarray:
        return at @ dA - skew(rate) @ dV[3:] + turn @ (at @ dV)

    rate_q = at @ pd - skew(rate) @ s[3:]
    acc_q = acceleration(pd, pdd - c @ pd) - skew(acc) @ s[3:]
    acc_v = acceleration(s, w - c @ s)
    return _Point(stage, J, rate, acc + linkage.tree.model[:3], rate_q, acc_q, acc_v)


def _turned_force(rates: TreeRates, above: np.ndarray, point: _Point, force: np.ndarray) -> np.ndarray:
    """∂(J_pᵀ F)/∂q at a force that keeps its direction in the world."""
    s = rates.moves(point.stage, rates.s)
    turned = np.einsum("c,cde->de", force, np.cross(s[3:].T[None, :, :], point.J.T[:, None, :]).transpose(2, 0, 1))
    # [d, e]: F · (s_e × J_d), where e is at or above the stage of d; else F · (s_d × J_e)
    return np.where(above, turned.T, turned)


def _differences(record: ContactRecord, r: np.ndarray, t: float, size: float, function) -> np.ndarray:
    """(n, 3) how `function` of the surface near a point changes with the place."""
    h = _NEAR * size
    columns = []
    for e in np.eye(3):
        ends = [[function(record.surface.local(r + n * h * e, t)) for n in (m, -m)] for m, _ in _STENCIL]
        columns.append(sum((w / h) * (ahead - behind) for (ahead, behind), (_, w) in zip(ends, _STENCIL, strict=True)))
    return np.array(columns).T


def _normal_row(record: ContactRecord, point: _Point, r: np.ndarray, t: float):
    """Of R2, divided by |G|: J, how it changes with q and v, how its rate changes with q; n, how that changes, size."""
    at = record.surface.local(r, t)
    G, H, v = at.gradient, at.hessian, point.rate
    length = np.sqrt(G @ G)
    size = min(1.0, length / max(np.sqrt((H * H).sum()), 1e-300))

    def curvature(near) -> np.ndarray:
        return np.array([v @ near.hessian @ v + 2.0 * near.gradient_t @ v + near.C_tt])

    third = _differences(record, r, t, size, curvature)[0]
    along = 2.0 * (H @ v + at.gradient_t)
    R2_q = (H @ point.acc + third) @ point.J + G @ point.acc_q + along @ point.rate_q
    R2_v = G @ point.acc_v + along @ point.J
    rate_q = (H @ v + at.gradient_t) @ point.J + G @ point.rate_q
    n = G / length
    n_r = (H - np.outer(n, n @ H)) / length
    return at, n @ point.J, R2_q / length, R2_v / length, rate_q / length, n, n_r, size


def _slides(name: str, record: ContactRecord, point: _Point, reaction: Reaction, k: int, t: float):
    """The row of a point that slides, and how its force changes at a given f_n."""
    r, f = reaction.touch.r[k], reaction.f_n[k]
    at, J, R2_q, R2_v, rate_q, n, n_r, size = _normal_row(record, point, r, t)
    n_q = n_r @ point.J
    F_q, F_v, way = f * n_q, np.zeros_like(point.J), n
    K = record.friction
    if K > 0.0:
        material = np.zeros(3) if at.velocity is None else np.asarray(at.velocity)
        slip = point.rate - material
        u = slip - (n @ slip) * n
        speed = float(np.sqrt(u @ u))
        if speed <= STILL:
            raise SingularError(
                f"contact {name!r} is about to slide from rest: its friction has no direction yet, and no derivative "
                "there; ask a little later, or give it static_friction so that it sticks"
            )
        tangent = u / speed
        w_r = np.zeros((3, 3))
        if at.velocity is not None:
            w_r = _differences(record, r, t, size, lambda near: np.array(near.velocity))
        P = np.eye(3) - np.outer(n, n)
        across = (np.eye(3) - np.outer(tangent, tangent)) / speed
        slip_q = point.rate_q - w_r @ point.J
        u_q = P @ slip_q - (n @ slip) * n_q - np.outer(n, slip @ n_q)
        F_q = F_q - f * K * across @ u_q
        F_v = -f * K * across @ (P @ point.J)
        way = n - K * tangent
    return tuple(x[None] for x in (J, R2_q, R2_v, rate_q)), way[:, None], F_q, F_v


def _sticks(name: str, record: ContactRecord, point: _Point, reaction: Reaction, k: int, t: float):
    """The three rows of a point that sticks; all of its force is found anew."""
    r, v = reaction.touch.r[k], point.rate
    at, J, R2_q, R2_v, rate_q, n, n_r, size = _normal_row(record, point, r, t)
    two = tangents(reaction.touch)[k]

    def carried(r: np.ndarray, v: np.ndarray) -> np.ndarray:
        near = record.surface.local(r, t)
        gradient = np.sqrt(near.gradient @ near.gradient)
        return np.asarray(drag(record, near, r, v, near.gradient / gradient, gradient, t))

    drag_r, drag_v = np.zeros((3, 3)), np.zeros((3, 3))
    if reaction.touch.moves[k]:
        h = _NEAR * size
        for c, e in enumerate(np.eye(3)):
            drag_r[:, c] = sum((w / h) * (carried(r + m * h * e, v) - carried(r - m * h * e, v)) for m, w in _STENCIL)
            drag_v[:, c] = sum(w * (carried(r, v + m * e) - carried(r, v - m * e)) for m, w in _STENCIL)
    left = point.acc - carried(r, v)
    out = n @ left  # along the normal alone: tangents turn with it
    along_q = two @ (point.acc_q - drag_r @ point.J - drag_v @ point.rate_q) - out * (two @ n_r @ point.J)
    along_v = two @ (point.acc_v - drag_v @ point.J)
    turn = two @ point.rate_q - (n @ v) * (two @ n_r @ point.J)
    if at.velocity is not None:
        turn = turn - two @ _differences(record, r, t, size, lambda near: np.array(near.velocity)) @ point.J
    rows = (
        np.vstack([J, two @ point.J]), np.vstack([R2_q, along_q]), np.vstack([R2_v, along_v]),
        np.vstack([rate_q, turn]),
    )  # fmt: skip
    return rows, np.vstack([n, two]).T, np.zeros_like(point.J), np.zeros_like(point.J)
