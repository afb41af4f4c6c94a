"""Joint limits: soft ones that push back, hard ones that stop a joint by an impulse."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.constraints import SHARED, joint_reach, shared_forces
from linkwork.dynamics.inverse import packed_mass_matrix
from linkwork.errors import LinkworkWarning
from linkwork.kernels.launch import call
from linkwork.kernels.layout.kinds import BOUNDED, KIND_NV, SPHERICAL
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.limit_kinds import Compliant, Impulsive

if TYPE_CHECKING:
    from linkwork.simulation.system import System

SLOW = 1e-3  # rad/s or m/s: a joint that hits its limit slower than this stays there
AT = 1e-9  # rad or m: so near a limit a joint counts as being there
HELD = 1e-12  # rad or m, and per s: how far off what leans on a limit may be


class Limits:
    """The limits of one linkage, as a kind of `limit_kinds` treats them (None: not at all).

    Attributes
    ----------
    table : (m, 7) array
        Compliant limits as `linkwork.kernels.motion.limits` takes them. Those of rotation vectors, whose three rows
        come together, are always compliant.
    stops : (m, 3) array
        Hard limits for the kernels: coordinate, and the bounds beyond which it hits its limit; written in place.
    resting : dict of int to float
        Rows of hard limits that are being leant on, which makes them constraints; and the side, +1 upper, −1 lower.
    driven : set of int
        Rows of hard limits of joints whose motion is given, which they do not stop.
    grace : array
        How far beyond its limit each joint may be before it hits it again, having hit it before; else 0.
    """

    def __init__(self, linkage: Linkage, kind: Compliant | Impulsive | None):
        self.kind = kind
        columns = linkage.columns
        bounded = (np.isfinite(columns.lower) | np.isfinite(columns.upper)) & (kind is not None)
        code = np.repeat(columns.code, KIND_NV[columns.code])
        plain = np.flatnonzero(bounded & BOUNDED[code] & (code != SPHERICAL))
        balls = columns.v_start[columns.code == SPHERICAL]
        balls = balls[bounded[balls[:, None] + np.arange(3)].any(axis=1)]
        self.dofs = np.concatenate([plain, (balls[:, None] + np.arange(3)).ravel()]).astype(np.int64)
        self.ball = np.arange(len(self.dofs)) >= len(plain)
        body = np.searchsorted(columns.v_start, self.dofs, side="right") - 1
        self._place = self.dofs - columns.v_start[body]
        self.coordinates = columns.q_start[body] + np.where(self.ball, 0, self._place)
        self.lower, self.upper = columns.lower[self.dofs], columns.upper[self.dofs]
        self.names = [columns.joint_names[b] for b in body]
        self.table, self.stops, self.grace = np.empty((0, 7)), np.empty((0, 3)), np.zeros(len(self.dofs))
        self.resting: dict[int, float] = {}
        self.driven: set[int] = set()

    def prepare(self, system: System, q: np.ndarray, dt: float) -> None:
        """Choose stiffness and damping for the linkage in pose q, or note the stops."""
        if not len(self.dofs):
            return
        hard = ~self.ball & isinstance(self.kind, Impulsive)
        self.stops = np.column_stack([self.coordinates, self.lower, self.upper])[hard]
        self._guard()
        dofs = self.dofs[~hard]
        inertia = np.empty(len(dofs))
        for part in np.array_split(np.arange(len(dofs)), 1 + len(dofs) // 256):
            response = system.response(q, np.zeros(system.linkage.nv), dofs[part])
            inertia[part] = felt(system.linkage, q, response[np.arange(len(part)), dofs[part]], dofs[part])
        bounds = np.column_stack([self.dofs, self.coordinates, self.lower, self.upper])[~hard]
        self.table = np.column_stack([bounds, *firmness(self.kind, inertia, dt), self.ball[~hard]])

    def bounds(self) -> np.ndarray:
        """(m, 7) the table of compliant limits, its firmness left open."""
        bounds = [self.dofs, self.coordinates, self.lower, self.upper]
        return np.column_stack([*bounds, *np.zeros((2, len(self.dofs))), self.ball])

    def outside(self, linkage: Linkage, q: np.ndarray) -> list[str]:
        """Names of joints that are beyond a limit at q (..., nq)."""
        x = q[..., self.coordinates]
        if self.ball.any():
            x = np.where(self.ball, linkage.difference(linkage.neutral(), q)[..., self.dofs], x)
        beyond = ((x < self.lower - AT) | (x > self.upper + AT)).any(axis=tuple(range(x.ndim - 1)))
        return list(dict.fromkeys(self.names[k] for k in np.flatnonzero(beyond)))

    # Hard limits

    def room(self, q) -> float:
        """The least distance of a coordinate to a hard limit that would stop it; negative beyond it."""
        x = q[self.stops[:, 0].astype(np.int64)]
        return float(np.minimum(x - self.stops[:, 1], self.stops[:, 2] - x).min(initial=np.inf))

    def _guard(self) -> None:
        """Let `stops` bound what is free to hit a limit: no driven joint, and none that leans on it already."""
        rows = slice(len(self.stops))
        aside = np.isin(np.arange(len(self.stops)), [*self.resting, *self.driven])
        beyond = np.where(aside, np.inf, self.grace[rows])
        self.stops[:, 1:] = np.column_stack([self.lower[rows] - beyond, self.upper[rows] + beyond])

    def leaning(self) -> list[list[Any]]:
        """What leans on a hard limit: joint, which of its coordinates, and side (+1 upper, −1 lower)."""
        return [[self.names[k], int(self._place[k]), side] for k, side in sorted(self.resting.items())]

    def lean(self, leaning: list[list[Any]]) -> None:
        """Let these, and no others, lean on their limits, where they are hard."""
        sides = {(name, place): side for name, place, side in leaning}
        own = {k: (self.names[k], int(self._place[k])) for k in range(len(self.stops)) if k not in self.driven}
        self.resting = {k: sides[key] for k, key in own.items() if key in sides}
        self._guard()

    def leave(self, joints: set[str]) -> None:
        """Let hard limits of these joints, and of no others, stop nothing."""
        self.driven = {k for k, name in enumerate(self.names) if name in joints}
        self.resting = {k: side for k, side in self.resting.items() if k not in self.driven}
        self._guard()

    @property
    def held(self) -> np.ndarray:
        """Degrees of freedom that lean on a hard limit."""
        return self.dofs[sorted(self.resting)]

    def leant_on(self) -> list[tuple[int, int, float, float]]:
        """What leans on a hard limit: degree of freedom, coordinate, the limit, and side (+1 upper, −1 lower)."""
        rows, side = self._resting()
        where = self.dofs[rows], self.coordinates[rows], self._bounds(rows, side), side
        return list(zip(*(each.tolist() for each in where), strict=True))

    def reached(self, q, v) -> np.ndarray:
        """Rows of the hard limits that are reached by joints that do not move away from them."""
        rows = np.array([k for k in range(len(self.stops)) if k not in self.driven], dtype=np.int64)
        depth, side = self._sides(q, rows)
        return rows[(depth >= -AT) & (side * v[self.dofs[rows]] > -SLOW)]

    def hit(self, system: System, t: float, q, v, tau) -> tuple[np.ndarray, np.ndarray]:
        """The state after the impulse of every limit that is reached; what then leans on one rests there.

        Joints that were beyond their limits, such as those that a drive has left there, are brought back to them.
        """
        assert isinstance(self.kind, Impulsive)
        rows = self.reached(q, v)
        depth, side = self._sides(q, rows)
        if depth.max() > AT:
            q = self._moved(system, q, v, rows, side)[0]
        v = self._push_back(system, q, v, rows, side, self.kind.restitution)[0]
        slow = np.abs(v[self.dofs[rows]]) < SLOW
        self._rest(system, t, q, v, tau, rows[slow], side[slow])
        return q, v

    def review(self, system: System, t: float, q, v, tau) -> None:
        """Let go of what is pulled off its limit, under the torques that act now."""
        self._rest(system, t, q, v, tau, *self._resting())

    def _rest(self, system: System, t: float, q, v, tau, rows, side) -> None:
        """Let those of these rest that are pushed against their limits."""
        if len(rows):
            a = system.led(t, q, v, tau)[0]
            pushed = self._push_back(system, q, a, rows, side, 0.0)[1] > 0.0
            rows, side = rows[pushed], side[pushed]
        self.resting = dict(zip(rows.tolist(), side.tolist(), strict=True))
        self._guard()

    def excuse(self, q) -> None:
        """Let what is at a limit or beyond it hit it no more before it has left, or has gone further beyond."""
        rows = np.arange(len(self.stops))
        depth = self._sides(q, rows)[0]
        self.grace[rows] = np.where(depth >= -AT, np.maximum(depth, 0.0) + AT, 0.0)
        self._guard()

    def forget_left(self, q) -> None:
        """Let joints that have left their limits hit them again."""
        rows = np.flatnonzero(self.grace)
        left = rows[self._sides(q, rows)[0] < -AT] if len(rows) else rows
        if len(left):
            self.grace[left] = 0.0
            self._guard()

    def reactions(self, system: System, q, v, a) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Forces on `held` that keep it from accelerating, and what a unit of each adds to a and to drive torques.

        Where several limits stop one motion they share the load, with the least sum of squares.
        """
        held = self.held
        response, drives = system.response_beside_drives(q, v, held)
        return shared_forces(response[:, held].T, -a[held], joint_reach(system.linkage, q, held)), response, drives

    def least_push(self, system: System, t: float, q, v, tau) -> float:
        """The least force with which a resting joint is pushed against its limit; negative where it is pulled off."""
        if not self.resting:
            return np.inf
        system.acceleration(t, q, v, tau)
        return float((-self._resting()[1] * system.reactions[self.held]).min())

    def off(self, q, v) -> float:
        """How far what leans on a limit is from it, or how fast it moves, at most."""
        if not self.resting:
            return 0.0
        rows, side = self._resting()
        away = q[self.coordinates[rows]] - self._bounds(rows, side)
        return float(max(np.abs(away).max(), np.abs(v[self.dofs[rows]]).max()))

    def hold(self, system: System, q, v) -> tuple[np.ndarray, np.ndarray]:
        """Bring joints that lean on a hard limit back to it, and to rest there; others go along as by an impulse."""
        if self.off(q, v) < HELD:
            return q, v
        rows, side = self._resting()
        held = self.dofs[rows]
        q, response = self._moved(system, q, v, rows, side)
        v = v - shared_forces(response[:, held].T, v[held], joint_reach(system.linkage, q, held)) @ response
        v[held] = 0.0
        return q, v

    def _resting(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the hard limits that are being leant on, and their sides."""
        rows = np.array(sorted(self.resting), dtype=np.int64)
        return rows, np.array([self.resting[k] for k in rows])

    def _bounds(self, rows, side) -> np.ndarray:
        return np.where(side > 0, self.upper[rows], self.lower[rows])

    def _moved(self, system: System, q, v, rows, side) -> tuple[np.ndarray, np.ndarray]:
        """q with these rows at their limits, of a closed linkage as by an impulse; and the response to one."""
        coordinates, dofs = self.coordinates[rows], self.dofs[rows]
        response, _ = system.response_beside_drives(q, v, dofs)
        way = self._bounds(rows, side) - q[coordinates]
        if system.closed:
            force = shared_forces(response[:, dofs].T, way, joint_reach(system.linkage, q, dofs))
            return system.integrate(q, force @ response), response
        q = q.copy()
        q[coordinates] = self._bounds(rows, side)
        return q, response

    def _sides(self, q, rows):
        """How far beyond the nearer limit each of these is, and which limit that is: +1 upper, −1 lower."""
        x = q[self.coordinates[rows]]
        over, under = x - self.upper[rows], self.lower[rows] - x
        return np.maximum(over, under), np.where(over >= under, 1.0, -1.0)

    def _push_back(self, system, q, v, rows, side, restitution):
        """v after impulses λ ≥ 0 against the limits, and λ: none moves outwards, none is pulled inwards.

        With W = E M⁻¹ Eᵀ and b = (1 + e) E v the impulses minimise ½ λᵀWλ − λᵀb over λ ≥ 0. M⁻¹ is that of the linkage
        with its loops and drives, so W is singular where several limits stop one motion: it is written AᵀA with as many
        rows as it has rank, in units in which light and heavy joints compare, and b = Aᵀc. Of accelerations instead of
        velocities, λ are forces.
        """
        from scipy.optimize import nnls

        if not len(rows):
            return v, np.empty(0)
        dofs = self.dofs[rows]
        response = system.response_beside_drives(q, v, dofs)[0] * side[:, None]
        units = joint_reach(system.linkage, q, dofs)
        W = response[:, dofs] * side / np.outer(units, units)
        eigenvalues, vectors = np.linalg.eigh(0.5 * (W + W.T))
        firm = eigenvalues > SHARED * eigenvalues[-1]
        root, vectors = np.sqrt(eigenvalues[firm]), vectors[:, firm]
        b = (1.0 + restitution) * side * v[dofs] / units
        size = nnls(root[:, None] * vectors.T, vectors.T @ b / root)[0] / units
        new_v = v - size @ response
        stopped = (size > 0.0) & (restitution == 0.0)
        new_v[dofs[stopped]] = 0.0
        return new_v, size


class LoopLimits:
    """The limits of the loop joints of one linkage; always compliant: a loop joint has no coordinate of its own.

    Attributes
    ----------
    table : (m, 7) array
        As of `Limits`, in the degrees of freedom and coordinates of the loop joints.
    """

    def __init__(self, linkage: Linkage, kind: Compliant | Impulsive | None):
        self.kind = kind
        rows = []
        dof = coordinate = 0
        for loop in linkage.loops:
            limits = getattr(loop.type, "limits", None)
            if kind is not None and limits is not None:
                pairs, ball = enumerate(np.reshape(limits, (-1, 2))), loop.type.code == SPHERICAL
                rows += [(dof + k, coordinate + (0 if ball else k), *pair, 0, 0, ball) for k, pair in pairs]
            dof, coordinate = dof + loop.nv, coordinate + loop.nq
        self.table = np.array(rows, dtype=np.float64).reshape(-1, 7)

    def prepare(self, system: System, q: np.ndarray, dt: float) -> None:
        """Choose stiffness and damping for the linkage in pose q."""
        if len(self.table):
            nv = system.linkage.nv
            inertia = self.felt(system.linkage, q, system.response(q, np.zeros(nv), nv + self.dofs))
            self.table[:, 4:6] = np.column_stack(firmness(self.kind, inertia, dt))

    @property
    def dofs(self) -> np.ndarray:
        """Degrees of freedom of the rows, among those of the loop joints."""
        return self.table[:, 0].astype(np.int64)

    def felt(self, linkage: Linkage, q: np.ndarray, response: np.ndarray) -> np.ndarray:
        """The inertias that limited loop joints feel, `response` (m, nv) being what a unit force in each does."""
        from linkwork.dynamics.closed import loop_coordinates

        # the rates of loop joints are linear in v, so those of an acceleration are the joint's own
        moved = [loop_coordinates(linkage, q, a)[1][dof] for a, dof in zip(response, self.dofs, strict=True)]
        return 1.0 / np.maximum(np.abs(moved), np.finfo(float).tiny)


def felt(linkage: Linkage, q: np.ndarray, own: np.ndarray, dofs: np.ndarray) -> np.ndarray:
    """The inertias of degrees of freedom whose accelerations under a unit force of their own are these."""
    locked = ~(own > 0.0)  # by loops, in this pose: then what the joint feels with all others fixed
    if locked.any():
        diagonal = packed_mass_matrix(linkage, q)[linkage.tree.row_start[dofs[locked]]]
        own = own.copy()
        own[locked] = 1.0 / diagonal
    return 1.0 / own


def firmness(kind: Compliant | Impulsive | None, inertia: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of limits against which joints feel these inertias."""
    soft = kind if isinstance(kind, Compliant) else Compliant()
    frequency = soft.frequency or 0.22 / dt
    return inertia * frequency**2, 2.0 * soft.damping_ratio * frequency * inertia


def add_push(table: np.ndarray, q, v, tau) -> np.ndarray:
    """Torques (nv, or more) with what the compliant limits of a table add."""
    if not len(table):
        return tau
    total = np.array(tau)
    state = np.ascontiguousarray(q), np.ascontiguousarray(v)
    call(("motion.limits", "push_back"), table, np.ascontiguousarray(table[:, 4:6]).reshape(-1), *state, total)
    return total


def pushed(linkage: Linkage, limits: np.ndarray, loop_limits: np.ndarray, q, v, tau) -> np.ndarray:
    """Torques of tree and loop joints with what the compliant limits of both, as tables, add."""
    total = add_push(limits, q, v, tau)
    if not len(loop_limits):
        return total
    from linkwork.dynamics.closed import loop_coordinates

    of_loops = add_push(loop_limits, *loop_coordinates(linkage, q, v), total[linkage.nv :])
    return np.concatenate([total[: linkage.nv], of_loops])


def at_stops(linkage: Linkage, q, v, a) -> np.ndarray:
    """Degrees of freedom that are at a limit and stay there, so that a hard one may hold them."""
    limits = Limits(linkage, Impulsive())
    depth, _ = limits._sides(q, np.arange(len(limits.dofs)))
    still = (np.abs(v[limits.dofs]) < AT) & (np.abs(a[limits.dofs]) < AT)
    return limits.dofs[(depth > -AT) & still & ~limits.ball]


def acting(table: np.ndarray, of_loops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Tables as `linkwork.kernels.motion.limits` takes them: with the firmness of each row."""
    firmness = np.concatenate([table[:, 4:6], of_loops[:, 4:6]]).reshape(-1)
    return table, firmness, of_loops if len(of_loops) else None


def warn_outside(limits: Limits, linkage: Linkage, q: np.ndarray) -> None:
    """Warn of joints that start beyond their limits."""
    names = limits.outside(linkage, q)
    if names:
        shown = ", ".join(repr(name) for name in names[:5]) + (", ..." if len(names) > 5 else "")
        warnings.warn(
            f"beyond their limits at the start: {shown}; they will be pushed back. limits=\"ignore\" leaves them alone",
            LinkworkWarning,
            stacklevel=3,
        )
