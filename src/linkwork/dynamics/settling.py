"""How a linkage whose shapes may touch comes to rest when it gives way slowly.

Each step δ solves, with the stiffness K, a share μ of the mass matrix H, the force r that the joints lack, constraints
J δ = −c, and contacts with gaps g, rows J_c and forces f, a contact problem of `linkwork.kernels.contact.problem`:

    (K + μ H) δ = −r + Jᵀ λ + J_cᵀ f,   u = (g, 0, 0) + J_c δ,   f and u by Coulomb's law

A large μ follows the way that a heavily damped linkage goes; with μ → 0 it is Newton's method. μ falls from step to
step, and rises where a step goes beyond the balance that it aims at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.balance import Balance, Forces, unbalanced_error
from linkwork.dynamics.contact_modes import contact_forces
from linkwork.dynamics.inverse import mass_matrix
from linkwork.dynamics.shape_contacts import ShapeContacts, contact_frames
from linkwork.dynamics.tree_rates import skew
from linkwork.errors import SingularError, StructureError
from linkwork.kernels.layout.kinds import FREE, PLANAR
from linkwork.kernels.layout.shapes import C_FEATURE, C_FRICTION, C_GAP, C_PAIR, C_STATIC, C_VELOCITY
from linkwork.linkage.linkage import Linkage

ROUNDS = 500
FAR, NEAR = 0.3, 0.03  # rad or m: longest step; where two solids may touch, which are not looked at from afar
BALANCED = 1e-10  # share of the forces at work that may be left over
TIGHT, STILL = 1e-11, 1e-9  # m or rad: a gap that is none; a step that is none, when forces balance
NUDGE = 1e-5  # rad or m: of differences that give the stiffness of contact forces
LEAST = 1e-3  # of the first μ: motions that nothing hinders stay where they are but for rounding


class Rest(NamedTuple):
    """A pose at rest; the stiffness there, the rows of all that holds, the largest force."""

    q: np.ndarray
    stiffness: np.ndarray
    J: np.ndarray
    at_work: float


class PoseContacts(NamedTuple):
    """Contacts at a pose."""

    features: np.ndarray  # (n,) numbers, the same as long as a contact lasts
    gap: np.ndarray  # (n,)
    friction: np.ndarray  # (n,)
    frames: np.ndarray  # (n, 3, 3) rows: normal and tangents
    J: np.ndarray  # (n, 3, nv) how the point of b moves beside that of a, world axes

    def push(self, features: np.ndarray, f_n: np.ndarray, along: np.ndarray) -> np.ndarray:
        """(nv,) generalized force of forces f_n along the normals and `along` (n, 3), by their features."""
        place = {feature: k for k, feature in enumerate(self.features)}
        out = np.zeros(self.J.shape[2])
        for feature, f, t in zip(features, f_n, along, strict=True):
            k = place.get(feature)
            if k is not None:
                out += (f * self.frames[k, 0] + t) @ self.J[k]
        return out


class _Shapes:
    """The shapes of a linkage, wherever they are."""

    def __init__(self, linkage: Linkage):
        self.linkage, self.shapes = linkage, ShapeContacts(linkage)

    def at(self, q: np.ndarray) -> PoseContacts:
        """All contacts that a step may meet."""
        rows = self.shapes.find(0.0, q)
        if rows[:, C_VELOCITY : C_VELOCITY + 3].any():
            number = int(rows[rows[:, C_VELOCITY : C_VELOCITY + 3].any(axis=1).argmax(), C_PAIR])
            raise StructureError(f"shape {self.shapes.names(number)[0]!r} moves: nothing that rests on it is at rest")
        frames, J = contact_frames(self.linkage, q, rows)
        friction = np.maximum(rows[:, C_FRICTION], rows[:, C_STATIC])
        return PoseContacts(rows[:, C_FEATURE].copy(), rows[:, C_GAP].copy(), friction, frames, J)


def settle(forces: Forces, q: np.ndarray, free: np.ndarray, names: list[str]) -> Rest:
    """The pose at rest that a linkage comes to from q."""
    linkage = forces.linkage
    shapes = _Shapes(linkage)
    far = NEAR if shapes.shapes.shapes.solids else FAR
    now, here = forces.balance(q), shapes.at(q)
    H = mass_matrix(linkage, q)[np.ix_(free, free)]
    first = mu = max(np.abs(np.linalg.lstsq(H, now.left[free], rcond=1e-12)[0]).max(initial=0.0) / far, 1.0)
    carried = _translations(linkage)
    stiffness = now.stiffness + _straight(linkage, now.left)
    for _ in range(ROUNDS):
        H = mass_matrix(linkage, q)[np.ix_(free, free)]
        step, f, damped = _step(now, here, stiffness, free, H, mu)
        delta = step[: len(free)]
        unbalanced, size = damped @ delta, np.abs(delta).max(initial=0.0)
        if size > far:
            step, delta = step * (far / size), delta * (far / size)
        move = np.zeros(linkage.nv)
        move[free] = delta
        pressing = f[:, 0] > 0.0
        normal, along = f[pressing, 0], np.einsum("nj,njc->nc", f[pressing, 1:], here.frames[pressing, 1:])
        marks = here.features[pressing]
        there = _moved(linkage, q, move, carried)
        before = forces.loops, forces.points.copy()
        forces.add(step[len(free) :])
        ahead, beyond = forces.balance(there), shapes.at(there)
        net = ahead.left - beyond.push(marks, normal, along)
        over = float(net[free] @ delta) > 0.5 * float(unbalanced @ delta)
        if over and size > 1e-8 and mu < 1e6 * first:
            forces.loops, forces.points = before
            mu *= 4.0
            forces.balance(q)  # the ways of its points
            continue
        q, now, here = there, ahead, beyond
        mu = max(0.3 * mu, LEAST * first)
        stiffness = now.stiffness + _contact_stiffness(shapes, q, marks, normal, along)
        stiffness += _straight(linkage, now.left - here.push(marks, normal, along))
        gaps = max(np.abs(now.gap).max(initial=0.0), -here.gap.min(initial=0.0))
        if np.abs(unbalanced).max(initial=0.0) <= BALANCED * now.at_work and size <= STILL and gaps <= TIGHT:
            held = _held_rows(here, marks, normal, along)
            at_work = max(now.at_work, np.abs(normal).max(initial=0.0))
            return Rest(q, stiffness, np.vstack([now.J, held]), at_work)
    deep = -here.gap.min(initial=0.0)
    if deep > TIGHT and np.abs(unbalanced).max(initial=0.0) <= BALANCED * now.at_work:
        raise SingularError(
            f"linkage {linkage.name!r}: shapes are {deep:.3g} m in each other, and no joint that is free takes them "
            "apart; begin elsewhere, or hold fewer joints"
        )
    raise unbalanced_error(linkage, names, unbalanced, free, ROUNDS)


def _translations(linkage: Linkage) -> np.ndarray:
    """(nv,) whether a degree of freedom carries a body that also turns."""
    out = np.zeros(linkage.nv, dtype=bool)
    for code, start in zip(linkage.columns.code, linkage.columns.v_start, strict=True):
        out[start : start + {FREE: 3, PLANAR: 2}.get(int(code), 0)] = True
    return out


def _moved(linkage: Linkage, q: np.ndarray, move: np.ndarray, carried: np.ndarray) -> np.ndarray:
    """q after a step in which bodies are carried straight on, then turned; `integrate` moves them along screws."""
    return linkage.integrate(linkage.integrate(q, np.where(carried, move, 0.0)), np.where(carried, 0.0, move))


def _straight(linkage: Linkage, left: np.ndarray) -> np.ndarray:
    """What such steps add to the stiffness: with the forces that are left, a screw is not as far as it seems."""
    out = np.zeros((linkage.nv, linkage.nv))
    for code, k in zip(linkage.columns.code, linkage.columns.v_start, strict=True):
        if code == FREE:
            out[k : k + 3, k + 3 : k + 6] = -skew(left[k : k + 3])
        elif code == PLANAR:
            out[k : k + 2, k + 2] = -left[k + 1], left[k]
    return 0.5 * (out + out.T)


def _step(now: Balance, here: PoseContacts, stiffness, free, H, mu: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The step of the coordinates that are free and of the forces of constraints; contacts' forces; K + μ H."""
    n = len(free)
    K = stiffness[np.ix_(free, free)]
    K = 0.5 * (K + K.T)
    scale = np.linalg.cholesky(H + 1e-12 * np.trace(H) / max(n, 1) * np.eye(n)) if n else H
    least = np.linalg.eigvalsh(np.linalg.solve(scale, np.linalg.solve(scale, K).T)).min(initial=0.0)
    damped = K + (mu + 1.1 * max(0.0, -least)) * H
    inverse = np.linalg.pinv(now._replace(stiffness=_placed(damped, free, len(stiffness))).system(free), rcond=1e-13)
    step = inverse @ -np.concatenate([now.left[free], now.gap])
    rows = np.einsum("njc,ncv->njv", here.frames, here.J)[:, :, free].reshape(3 * len(here.gap), n)
    response = inverse[:, :n] @ rows.T
    g = (rows @ step[:n]).reshape(-1, 3)
    g[:, 0] += here.gap
    f = contact_forces(rows @ response[:n], g.ravel(), here.friction)
    return step + response @ f.ravel(), f, damped


def _placed(A: np.ndarray, free: np.ndarray, nv: int) -> np.ndarray:
    """(nv, nv) with A where degrees of freedom are free."""
    out = np.zeros((nv, nv))
    out[np.ix_(free, free)] = A
    return out


def _contact_stiffness(shapes: _Shapes, q, features, normal, along) -> np.ndarray:
    """(nv, nv) how the force that the joints lack changes as contacts move and turn under their forces."""
    nv = shapes.linkage.nv
    out = np.zeros((nv, nv))
    if not len(features):
        return out
    for k, e in enumerate(np.eye(nv)):
        ends = [
            shapes.at(shapes.linkage.integrate(q, way * e)).push(features, normal, along) for way in (NUDGE, -NUDGE)
        ]
        out[:, k] = (ends[1] - ends[0]) / (2.0 * NUDGE)
    return out


def _held_rows(here: PoseContacts, features, normal, along) -> np.ndarray:
    """Rows that stay: of the normals of contacts that press, and of both tangents of those that stick."""
    place = {feature: k for k, feature in enumerate(here.features)}
    rows = []
    for feature, f, t in zip(features, normal, along, strict=True):
        k = place.get(feature)
        if k is None:
            continue
        sticks = here.friction[k] > 0.0 and np.linalg.norm(t) < here.friction[k] * f * (1.0 - 1e-9)
        rows.append((here.frames[k] if sticks else here.frames[k, :1]) @ here.J[k])
    return np.vstack([np.zeros((0, here.J.shape[2])), *rows])
