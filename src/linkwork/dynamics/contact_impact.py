"""Shapes that touch down: the impulses at one instant, by the contact problem, with restitution that gains no energy.

Symbols: u the velocities of the contacts along (normal, tangents), u⁻ before and u⁺ after; G what impulses p do to
them, u⁺ = G p + u⁻; e the coefficients of restitution. The problem is solved with g = u⁻, g_n = (1 + e) u_n⁻, so that a
contact that bears an impulse leaves with −e u_n⁻. With friction that may gain energy, ΔT = ½ pᵀ(u⁻ + u⁺) > 0: then all
e are lowered, at last to zero, which never does where surfaces are at rest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.constraints import LoopWorkspace, loops_of
from linkwork.errors import SingularError
from linkwork.kernels.launch import call
from linkwork.kernels.layout.loops import AXIS
from linkwork.kernels.layout.shapes import C_A, C_B, C_FRICTION, C_NORMAL, C_POINT, C_RESTITUTION, C_VELOCITY
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import problem

_SHARES = (1.0, 0.9, 0.75, 0.5, 0.25, 0.1, 0.0)  # of the coefficients of restitution, one after the other
APPROACH = 1e-9  # m/s: slower contacts do not collide
NUDGE = 1e-13  # of the speed: how fast contacts come that friction alone makes collide
SLOW = 1e-4  # m/s: slower impacts do not bounce, so that ever smaller bounces come to an end


class Impact(NamedTuple):
    """What happens at one instant."""

    v: np.ndarray  # (nv,) velocities after it
    impulses: np.ndarray  # (n, 3) on the second body of each contact, N s, world axes
    energy_lost: float  # J
    share: float  # of the coefficients of restitution, as energy allows
    painleve: np.ndarray  # (n,) whether friction presses a sliding contact harder than its normal impulse can bear


def impact(
    linkage: Linkage, q: np.ndarray, v: np.ndarray, contacts: np.ndarray, *, probe: Any = None, forced: bool = False
) -> Impact:
    """The impact of contacts, rows of `layout.shapes`, that touch.

    ``probe(frames)`` gives what is asked of them, where that is not of the linkage alone. Where it is `forced`, they
    collide though they do not come nearer, which is what friction does in Painlevé's case.
    """
    n = len(contacts)
    frames = np.array([_frame(row[C_NORMAL : C_NORMAL + 3]) for row in contacts]).reshape(n, 9)
    probe = _Probe(linkage, q, contacts, frames) if probe is None else probe(frames)
    surface = np.einsum("nac,nc->na", frames.reshape(n, 3, 3), contacts[:, C_VELOCITY : C_VELOCITY + 3]).ravel()
    before = probe.motion(v) - surface
    if forced:
        before[::3] -= NUDGE * np.abs(before).max(initial=0.0)
    approach = np.minimum(before[::3], 0.0)
    e = np.where(approach < -SLOW, contacts[:, C_RESTITUTION], 0.0)
    p, lost, share = np.zeros(3 * n), 0.0, 1.0
    if forced or (approach < -APPROACH).any():
        for share in _SHARES:
            g = before.copy()
            g[::3] += share * e * approach
            p, solved = _solve(probe.G, g, contacts[:, C_FRICTION].copy())
            if not solved and share > 0.0 and e.any():
                continue
            if not solved:
                raise SingularError(f"no impulses were found for an impact of {n} contacts: they jam by friction")
            after = probe.G @ p + before
            lost = -0.5 * float(p @ (before + after))
            if lost >= -1e-12 * float(np.abs(p) @ np.abs(before)) or not e.any():
                break
    impulses = np.einsum("na,nac->nc", p.reshape(n, 3), frames.reshape(n, 3, 3))
    return Impact(v + probe.response(p), impulses, lost, share, _presses(probe.G, before, contacts[:, C_FRICTION]))


def rest_of_bounces(speed: float, acceleration: float, restitution: float) -> float:
    """How long ever smaller bounces last, s, that begin with a speed and fall with an acceleration: 2u/(a (1 − e))."""
    return 2.0 * speed / (acceleration * (1.0 - restitution))


def _presses(G: np.ndarray, u: np.ndarray, mu: np.ndarray) -> np.ndarray:
    """(n,) contacts with G_nn − μ G_nt · s ≤ 0: Painlevé's."""
    n = len(mu)
    found = np.zeros(n, dtype=bool)
    for k in range(n):
        slip = u[3 * k + 1 : 3 * k + 3]
        speed = np.hypot(*slip)
        if speed > APPROACH:
            found[k] = G[3 * k, 3 * k] <= mu[k] * (G[3 * k, 3 * k + 1 : 3 * k + 3] @ slip) / speed
    return found


def _solve(G: np.ndarray, g: np.ndarray, mu: np.ndarray) -> tuple[np.ndarray, bool]:
    """(3n,) impulses, and whether they solve the contact problem, which may have no solution."""
    from linkwork.kernels.contact.problem import scratch_shape

    n = len(mu)
    p, kind = np.zeros(3 * n), np.zeros(n, dtype=np.int64)
    scratch = np.zeros(scratch_shape(n))
    outcome, _ = call(("contact.problem", "solve_contacts"), n, G, g, mu, kind, p, scratch, True)
    return p, not outcome


def _frame(normal: np.ndarray) -> np.ndarray:
    """Normal and two tangents, one per row."""
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    return np.array([normal, first, np.cross(normal, first)])


class _Probe:
    """G of contacts at one pose, how they move with given velocities, and what impulses on them do."""

    def __init__(self, linkage: Linkage, q: np.ndarray, contacts: np.ndarray, frames: np.ndarray):
        self.linkage, self.q, self.frames, self.n = linkage, q, frames, len(contacts)
        self.stages = np.ascontiguousarray(contacts[:, [C_B, C_A]].astype(np.int64))
        self.points = np.ascontiguousarray(contacts[:, C_POINT : C_POINT + 3])
        self.G = np.zeros((3 * self.n, 3 * self.n))
        self._ask(np.zeros(linkage.nv), np.zeros(3 * self.n))

    def motion(self, v: np.ndarray) -> np.ndarray:
        """(3n,) velocities of the contacts."""
        return self._ask(v, np.zeros(3 * self.n))[0]

    def response(self, p: np.ndarray) -> np.ndarray:
        """(nv,) velocities that impulses add."""
        return self._ask(np.zeros(self.linkage.nv), p)[1]

    def _ask(self, v: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        linkage, tree, q, nv = self.linkage, self.linkage.tree, self.q, self.linkage.nv
        u, a, zero = np.zeros(3 * self.n), np.zeros(nv), np.zeros(nv)
        if tree.closed:
            loops = loops_of(linkage)
            rows = np.zeros((3, loops.n_rows))
            with LoopWorkspace(tree, loops) as (work, scratch):
                outcome = call(("closed.embedding", "closed_step"), tree.model, tree.index, work, loops.plan,
                               loops.geometry, scratch, q, zero, rows[0], a, rows[1], rows[2])  # fmt: skip
                space = loops.plan, loops.geometry, scratch
                if not outcome:
                    self._probe(work, space, zero, v, p, u, a, loops.n_rows)
        else:
            work = tree.work()
            outcome = call(("tree.aba", "aba"), tree.model, tree.index, work, 0, q, zero, zero, a)
            if not outcome:
                self._probe(work, None, zero, v, p, u, a, 0)
            tree.pool.append(work)
        if outcome:
            raise problem(linkage, outcome)
        return u, a

    def _probe(self, work, space, zero, v, p, u, a, rows: int) -> None:
        tree, width = self.linkage.tree, self.linkage.nv + rows
        call(("contact.response", "probe"), tree.model, tree.index, work, np.zeros(AXIS * tree.nv), space, zero, self.n,
             self.stages, self.points, self.frames, v, p, np.zeros((6, width)), np.zeros((3 * self.n, width)), self.G,
             u, a, np.zeros(rows), np.zeros(rows))  # fmt: skip
