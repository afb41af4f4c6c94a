"""What moves: a linkage with the forces, drives, limits and constraints that act on it during a simulation.

Every acceleration of a simulation comes from `System.acceleration`, and every projection onto constraints goes through
`System.project`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.forward import forward_dynamics
from linkwork.errors import ArgumentError, LinkworkWarning, SingularError
from linkwork.kernels.launch import bind
from linkwork.kernels.layout import FASTEST
from linkwork.kernels.layout.loops import A_HELD, AXIS, P_AXES, PROJECTION_LINES
from linkwork.kernels.layout.strengths import LOOP, POINT, TREE
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import problem
from linkwork.linkage.packing.pack_loops import Loops
from linkwork.simulation.arguments import checked_torques, checked_wrenches
from linkwork.simulation.callbacks import Evaluating, call_compiled, is_compiled
from linkwork.simulation.contacts import Friction
from linkwork.simulation.drives import Drive
from linkwork.simulation.limits import Limits, LoopLimits, pushed

if TYPE_CHECKING:
    from linkwork.results import Solution

NO_DRIFT = np.zeros(2)
NEAR = 1e-2  # of a loop's margin, below which its pose counts as nearly singular
ROUNDS, FOLLOWED = 4, 1e-12  # of projection, and how far driven joints may be off after it, rad or m
INDEPENDENT = 1e-10  # of what driven joints share: less is left of their motion by rounding alone
MANY = 16  # states from which on a batch is quicker than one call per state


class System:
    """A linkage as it is now, and all that acts on it.

    Parameters
    ----------
    linkage : Linkage
    limits : Limits
        What happens at the joints' limits.
    t : float
        Time now, s.
    method : str
        Method of forward dynamics.
    torques : callable or None
        ``torques(t, q, v)`` gives further generalized forces, (nv,).
    wrenches : callable or None
        ``wrenches(t, q, v)`` gives the external wrench on every body, (nb, 6).
    drives : list of Drive
        Joints whose motion is given.
    """

    def __init__(
        self,
        linkage: Linkage,
        limits: Limits,
        t: float,
        *,
        method: str = "auto",
        torques: Callable | None = None,
        wrenches: Callable | None = None,
        drives: list[Drive] | None = None,
    ):
        self.linkage, self.limits, self.method, self.torques, self.wrenches = linkage, limits, method, torques, wrenches
        self.tree = linkage.tree
        self.closed = self.tree.closed or bool(len(linkage.contacts))
        self.touching = len(linkage.contacts) > 0
        self.singular = False  # whether the loops were near a singular pose after the last step
        self._noticed: list[tuple[float, str]] = []  # when they came near one, and which
        self.n_torques = linkage.nv + linkage.nv_loop
        self.loop_limits = LoopLimits(linkage, limits.kind)
        self.t = t  # where the motion is, for surfaces that move
        self.friction = Friction(linkage)  # of points on them
        self.by_events: Any = None  # what finds the forces of shapes that touch, where these are watched
        self.evaluating = Evaluating()
        self.scratch: list[np.ndarray] = []  # of an integrator
        self._manifold = None
        self.reactions = np.zeros(linkage.nv)
        self.follow(drives or [])

    def follow(self, drives: list[Drive]) -> None:
        """Let these drives, and no others, give their joints their motion."""
        self.drives = drives
        self.limits.leave({drive.joint for drive in drives})
        self.driven = np.concatenate([drive.dofs for drive in drives]) if drives else np.empty(0, dtype=np.int64)

    def obstacles(self) -> list[str]:
        """Why steps cannot be compiled: what only Python does, and what it costs; empty where nothing is in the way."""
        found = []
        if self.method != "auto" and (self.method != "aba" or self.tree.closed):
            found.append(f'method="{self.method}" is called from Python: about 0.1 ms per step; "auto" is compiled')
        found += self.friction.obstacles()
        return found

    def slow_drives(self) -> list[str]:
        """Which drives are functions of Python's, and what that costs."""
        return [
            f"the drive of {drive.joint!r} is a Python function: 0.01 … 0.1 ms per step; as text, a table or a "
            "numba.cfunc it costs next to nothing"
            for drive in self.drives
            if drive.in_python
        ]

    def breakable(self) -> dict[str, tuple[float, ...]]:
        """What joints and points on surfaces bear, by name: rows as `linkwork.kernels.motion.strength` takes them."""
        linkage, tree = self.linkage, self.tree
        tree_joints = {name: (TREE, tree.stage[linkage._resolve_joint(name)], bears.force, bears.torque)
                       for name, bears in linkage.strengths.items() if name in linkage.joints}  # fmt: skip
        loops = {linkage.loops.names[k]: (LOOP, k, each.strength.force, each.strength.torque)
                 for k, each in enumerate(linkage._loops.records) if each.strength is not None}  # fmt: skip
        points = {name: (POINT, linkage.contacts.names.index(name), bears.force, np.inf)
                  for name, bears in linkage.strengths.items() if name in linkage.contacts}  # fmt: skip
        return tree_joints | loops | points

    def strengths(self) -> np.ndarray:
        """(m, 4) the rows of `breakable`."""
        return np.array(list(self.breakable().values()), dtype=np.float64).reshape(-1, 4)

    def loops(self, *, leaning: bool = False) -> tuple[np.ndarray, ...] | None:
        """The loops, with scratch space, as `linkwork.kernels.closed.projection` takes them; None if open and undriven.

        Driven joints, and those `leaning` on hard limits, are held: see `linkwork.kernels.motion.drives`.
        """
        held = np.concatenate([self.driven, self.limits.held]) if leaning else self.driven
        if not (self.tree.closed or len(held)):
            return None
        from linkwork.dynamics.constraints import loops_of

        packed = loops_of(self.linkage) if self.tree.closed else Loops(self.linkage, self.tree)
        size = max(self.tree.nv, packed.n_rows, 6 * len(packed.names), packed.nq)
        scratch = packed.scratch()
        scratch[packed.plan[P_AXES] + AXIS * held + A_HELD] = 1.0
        shared = len(self.strengths()) > 0 or self.touching or self.by_events is not None
        lines = PROJECTION_LINES + (packed.n_rows if shared else 0)  # for `least_forces`
        return packed.plan, packed.geometry, scratch, np.zeros((lines, size))

    def integrate(self, q, u) -> np.ndarray:
        """q ⊕ u; as `Linkage.integrate`, for arrays that need no checking."""
        out = np.empty_like(q)
        self.advance(q, u, out)
        return out

    def advance(self, q, u, out) -> int:
        """out = q ⊕ u."""
        return self._on_manifold(0, q, u, out)

    def local_rate(self, u, v, out) -> int:
        """out = u̇, the rate of local coordinates u when the joints move with v."""
        return self._on_manifold(1, u, v, out)

    def _on_manifold(self, which: int, *arrays: np.ndarray) -> int:
        tree = self.tree
        block = (tree.model, tree.index, tree.work(), 0)
        if self._manifold is None:
            kernels = ("tree.integrate", "integrate"), ("motion.integrators", "local_rate")
            example = np.empty(0)
            self._manifold = [bind(kernel, *block, example, example, example) for kernel in kernels]
        outcome = self._manifold[which](*block, *arrays)
        tree.pool.append(block[2])
        if outcome:
            raise problem(self.linkage, outcome)
        return 0

    def acceleration(self, t: float, q, v, tau) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations under `tau` and all that acts; and the torques, with what callbacks and drives add.

        What hard limits exert that are leant on is in `reactions`, (nv,), until the next call.
        """
        if self.by_events is not None:
            return self.by_events.answer(t, q, v, tau)
        a, tau = self.led(t, q, v, tau)
        if self.limits.resting:
            held = self.limits.held
            force, response, drives = self.limits.reactions(self, q, v, a)
            a = a + force @ response
            a[held] = 0.0
            tau = tau.copy()
            tau[self.driven] += force @ drives
            self.reactions = np.zeros(self.linkage.nv)
            self.reactions[held] = force
        return a, tau

    def led(self, t: float, q, v, tau) -> tuple[np.ndarray, np.ndarray]:
        """As `acceleration`, were no joint to lean on a hard limit."""
        self.t = t
        if self.torques is not None:
            tau = tau + self.extra(t, q, v)
        if self.friction.rubs:
            free = self.friction.ask(self, t, q, v, self.total(q, v, tau)).a
        else:
            free = forward_dynamics(
                self.linkage, q, v, self.total(q, v, tau), self.external(t, q, v), method=self.method, t=t
            )
        if not self.drives:
            return free, tau
        # Accelerations are affine in the torques: find those of the driven joints that give them their own.
        wanted = np.concatenate([a for _, _, a in self._motions(t)])
        response = self.response(q, v, self.driven)
        need = self._drive_torques(response, wanted - free[self.driven])
        tau = tau.copy()
        tau[self.driven] += need
        a = free + need @ response
        a[self.driven] = wanted
        return a, tau

    def driving(self, t: float, q, v, tau) -> np.ndarray:
        """`tau`, with what callbacks, drives and hard limits that are leant on add."""
        if self.drives or self.limits.resting:
            return self.acceleration(t, q, v, tau)[1]
        return tau if self.torques is None else tau + self.extra(t, q, v)

    def total(self, q, v, tau) -> np.ndarray:
        """Torques with what compliant limits of tree and loop joints add."""
        return pushed(self.linkage, self.limits.table, self.loop_limits.table, q, v, tau)

    def extra(self, t: float, q, v) -> np.ndarray:
        """What ``torques(t, q, v)`` gives, checked and as long as all torques."""
        if self.torques is None:
            return np.zeros(self.n_torques)
        _refuse_diverged(t, q, v)
        with self.evaluating:
            if is_compiled(self.torques):
                given = call_compiled(self.torques, t, q, v, self.n_torques)
            else:
                given = self.torques(t, q.copy(), v.copy())
            return checked_torques(self, "torques", given, t)

    def external(self, t: float, q, v) -> np.ndarray | None:
        """What ``wrenches(t, q, v)`` gives, (nb, 6), checked."""
        if self.wrenches is None:
            return None
        _refuse_diverged(t, q, v)
        with self.evaluating:
            if is_compiled(self.wrenches):
                given = call_compiled(self.wrenches, t, q, v, 6 * self.linkage.nb).reshape(-1, 6)
            else:
                given = self.wrenches(t, q.copy(), v.copy())
            return checked_wrenches(self.linkage, given, t)

    def _motions(self, t: float) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Coordinates, velocities and accelerations that each drive wants."""
        with self.evaluating:
            return [drive.motion(t) for drive in self.drives]

    def solve(self, t: float, q, v, tau) -> Solution:
        """All forces under the torques `tau` and all that acts."""
        from linkwork.dynamics.solution import solve

        total = self.total(q, v, self.driving(t, q, v, tau))
        if self.limits.resting:
            total = np.concatenate([total[: self.linkage.nv] + self.reactions, total[self.linkage.nv :]])
        external = self.external(t, q, v)
        if self.by_events is not None:
            external = self.by_events.wrenches(t, q, v, tau) + (0.0 if external is None else external)
        return solve(self.linkage, q, v, total, external, t=t)

    def response(self, q, v, dofs) -> np.ndarray:
        """(len(dofs), nv) accelerations that a unit force on each degree of freedom adds."""
        zero, answer = np.zeros(self.n_torques), forward_dynamics
        if self.friction.rubs:  # points do what they do, whatever the torques
            answer = partial(self.friction.answer, self)
        rest = answer(self.linkage, q, v, zero, t=self.t)
        unit = np.zeros((len(dofs), self.n_torques))
        unit[np.arange(len(dofs)), dofs] = 1.0
        if not self.closed and len(dofs) > MANY:
            return forward_dynamics(self.linkage, q, v, unit) - rest
        rows = [answer(self.linkage, q, v, row, t=self.t) - rest for row in unit]
        return np.array(rows).reshape(len(dofs), self.linkage.nv)

    def response_beside_drives(self, q, v, dofs) -> tuple[np.ndarray, np.ndarray]:
        """As `response`, with driven joints that keep to their motion; and the torques that takes, one row each."""
        response, torques = self.response(q, v, dofs), np.zeros((len(dofs), len(self.driven)))
        if self.drives:
            own = self.response(q, v, self.driven)
            torques = -self._drive_torques(own, response[:, self.driven].T).T
            response = response + torques @ own
            response[:, self.driven] = 0.0
        return response, torques

    def _drive_torques(self, response: np.ndarray, a: np.ndarray) -> np.ndarray:
        """The torques of driven joints that accelerate them by `a`, each of them adding its row of `response`."""
        W = response[:, self.driven].T
        size = np.sqrt(np.maximum(np.abs(np.diag(W)), np.finfo(float).tiny))
        if np.linalg.svd(W / np.outer(size, size), compute_uv=False)[-1] < INDEPENDENT:
            names = " and ".join(repr(drive.joint) for drive in self.drives)
            raise SingularError(
                f"at t = {self.t:g} s joints {names} cannot be driven: loops, or each other's drives, leave them no "
                "motion of their own; drive as many joints as the linkage has degrees of freedom, or fewer"
            )
        return np.linalg.solve(W, a)

    def impose(self, t: float, q, v) -> tuple[np.ndarray, np.ndarray]:
        """The state with driven joints where their drives want them; in a closed linkage the others go along."""
        if not self.drives:
            return q, v
        places = np.concatenate([drive.coordinates for drive in self.drives])
        wanted_q, wanted_v, _ = (np.concatenate(parts) for parts in zip(*self._motions(t), strict=True))
        if self.closed:  # projection would move the driven joints too, and not back to where they were
            own = self.response(q, v, self.driven)
            moved = self.integrate(q, self._drive_torques(own, self._way_to_drives(t, q)) @ own)
            return moved, v + self._drive_torques(own, wanted_v - v[self.driven]) @ own
        q, v = q.copy(), v.copy()
        q[places], v[self.driven] = wanted_q, wanted_v
        return q, v

    def stage(self, t: float, q, v) -> tuple[np.ndarray, np.ndarray]:
        """The state at a stage of a step: as of `impose`, but accelerations alone lead a closed linkage."""
        return (q, v) if self.closed else self.impose(t, q, v)

    def project(self, t: float, q, v) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The state brought back onto drives, loops, surfaces and resting limits, and how far it was off.

        The drift is (largest change of a coordinate, largest change of a velocity), in the units of v.
        """
        if self.by_events is not None:
            return self.by_events.bring_back(t, q, v)
        if not (self.drives or self.closed or self.limits.resting):
            return q, v, NO_DRIFT
        self.t = t
        new_q, new_v = q, v
        for _ in range(ROUNDS):
            new_q, new_v = self.impose(t, new_q, new_v)
            new_q, new_v = self.limits.hold(self, new_q, new_v)
            if self.closed:
                new_q, new_v = self._settle(t, new_q, new_v)
            if not self.closed or max(self._off_drives(t, new_q), self.limits.off(new_q, new_v)) < FOLLOWED:
                break
        drift = np.array([np.abs(self.linkage.difference(q, new_q)).max(), np.abs(new_v - v).max()])
        return new_q, new_v, drift

    def _settle(self, t: float, q, v) -> tuple[np.ndarray, np.ndarray]:
        """The state with loops closed and points on their surfaces."""
        from linkwork.dynamics import closed

        if self.touching:  # surfaces may move with time
            q = closed.close_loops(self.linkage, q, t=t)
            return self.friction.settle(t, q, closed.consistent_velocity(self.linkage, q, v, t=t))
        settled = closed.settle(self.linkage, q, v)
        self.report_singular(t, settled.margin, settled.weakest)
        return settled.q, settled.v

    def _off_drives(self, t: float, q) -> float:
        """How far a driven joint is from where its drive wants it, at most."""
        return float(np.abs(self._way_to_drives(t, q)).max()) if self.drives else 0.0

    def _way_to_drives(self, t: float, q) -> np.ndarray:
        """From where driven joints are to where their drives want them, one entry per driven degree of freedom."""
        pairs = zip(self.drives, self._motions(t), strict=True)
        return np.concatenate([drive.way(q[drive.coordinates], wanted) for drive, (wanted, _, _) in pairs])

    def report_singular(self, t: float, margin: float, weakest: str | int) -> None:
        """Warn when loops come near a singular pose, where motion may go on in more than one way."""
        near = margin < (4.0 if self.singular else 1.0) * NEAR
        if near and not self.singular:
            name = weakest if isinstance(weakest, str) else self.tree.loops.names[weakest]
            what = f"loop {name!r} is near a singular pose (margin {margin:.1e})"
            self._noticed.append((t, what))
            warnings.warn(
                f"at t = {t:g} s {what}: from there the linkage could go on in more than one way; the one it came by "
                "is followed",
                LinkworkWarning,
                stacklevel=2,
            )
        self.singular = near

    def noticed(self, t: float) -> list[tuple[float, str]]:
        """When loops came near a singular pose since the last call, and what to say; steps beyond t were taken back."""
        lasting = [entry for entry in self._noticed if entry[0] <= t]
        if len(lasting) < len(self._noticed):
            self.singular = False  # it may still come
        self._noticed = []
        return lasting


def _refuse_diverged(t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Raise where a motion has diverged: a callback is not to blame for what it makes of that."""
    if not (v.dot(v) < FASTEST**2 and q.dot(q) < np.inf):  # much quicker than looking at every entry
        raise ArgumentError(f"at t = {t:g} s the motion is not finite, or faster than {FASTEST:g} rad/s or m/s")
