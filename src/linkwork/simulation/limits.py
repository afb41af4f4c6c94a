"""Joint limits: soft ones that push back, hard ones that stop a joint by an impulse."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, LinkworkWarning, unknown_name
from linkwork.kernels.launch import call
from linkwork.kernels.layout.kinds import BOUNDED, KIND_NV, SPHERICAL
from linkwork.linkage.linkage import Linkage

if TYPE_CHECKING:
    from linkwork.simulation.system import System

SLOW = 1e-3  # rad/s or m/s: a joint that hits its limit slower than this stays there
RANK = 1e-10  # of the largest eigenvalue of W: smaller ones are those of motions that other limits stop already
AT = 1e-9  # rad or m: so near a limit a joint counts as being there


@dataclass(frozen=True, slots=True)
class Compliant:
    """A spring and a damper beyond each limit, which push and never pull.

    Parameters
    ----------
    frequency : float, optional
        Natural frequency in rad/s of the joint against its limit, all other joints free. Default 0.2/dt, which every
        integrator resolves: a joint that arrives with speed v goes 1.8 v dt too far.
    damping_ratio : float
        1 is critical.
    """

    frequency: float | None = None
    damping_ratio: float = 1.0


@dataclass(frozen=True, slots=True)
class Impulsive:
    """An impulse at the instant a limit is reached; after it the joint bounces, or rests there while pushed against it.

    Parameters
    ----------
    restitution : float
        Share of the speed that is kept, 0 … 1.
    """

    restitution: float = 0.0


CHOICES = {"compliant": Compliant(), "impulsive": Impulsive(), "ignore": None}


class Limits:
    """The limits of one linkage, as one of the kinds above treats them (None: not at all).

    Attributes
    ----------
    table : (m, 7) array
        Compliant limits for the kernels: degree of freedom, coordinate, lower, upper, stiffness, damping, and 1 where
        the row belongs to a rotation vector, whose three rows come together. Those limits are always compliant.
    stops : (m, 3) array
        Hard limits for the kernels: coordinate, lower, upper.
    resting : set of int
        Rows of hard limits that are being leant on.
    driven : set of int
        Rows of hard limits of joints whose motion is given, which they do not stop.
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
        self.coordinates = columns.q_start[body] + np.where(self.ball, 0, self.dofs - columns.v_start[body])
        self.lower, self.upper = columns.lower[self.dofs], columns.upper[self.dofs]
        self.names = [columns.joint_names[b] for b in body]
        self.table, self.stops, self.resting, self.driven = np.empty((0, 7)), np.empty((0, 3)), set(), set()

    def prepare(self, system: System, q: np.ndarray, dt: float) -> None:
        """Choose stiffness and damping for the linkage in pose q, or note the stops."""
        if not len(self.dofs):
            return
        hard = ~self.ball & isinstance(self.kind, Impulsive)
        self.stops = np.column_stack([self.coordinates, self.lower, self.upper])[hard]
        soft = self.kind if isinstance(self.kind, Compliant) else Compliant()
        frequency = soft.frequency or 0.2 / dt
        dofs = self.dofs[~hard]
        inertia = np.empty(len(dofs))
        for part in np.array_split(np.arange(len(dofs)), 1 + len(dofs) // 256):
            response = system.response(q, np.zeros(system.linkage.nv), dofs[part])
            inertia[part] = 1.0 / response[np.arange(len(part)), dofs[part]]
        stiffness, damping = inertia * frequency**2, 2.0 * soft.damping_ratio * frequency * inertia
        bounds = np.column_stack([self.dofs, self.coordinates, self.lower, self.upper])[~hard]
        self.table = np.column_stack([bounds, stiffness, damping, self.ball[~hard]])

    def outside(self, linkage: Linkage, q: np.ndarray) -> list[str]:
        """Names of joints that are beyond a limit."""
        x = np.where(self.ball, linkage.difference(linkage.neutral(), q)[self.dofs], q[self.coordinates])
        beyond = (x < self.lower - AT) | (x > self.upper + AT)
        return list(dict.fromkeys(self.names[k] for k in np.flatnonzero(beyond)))

    # Hard limits

    def room(self, q) -> float:
        """The least distance of a coordinate to a hard limit that it does not lean on; negative beyond it."""
        loose = [k for k in range(len(self.stops)) if k not in self.resting | self.driven]
        x = q[self.coordinates[loose]]
        return float(min((x - self.lower[loose]).min(), (self.upper[loose] - x).min())) if loose else np.inf

    def resting_joints(self) -> set[str]:
        """Names of the joints that lean on a hard limit."""
        return {self.names[k] for k in self.resting}

    def rest(self, joints: set[str]) -> None:
        """Let these joints lean on their limits, where they are hard."""
        self.resting = {k for k in range(len(self.stops)) if self.names[k] in joints} - self.driven

    def leave(self, joints: set[str]) -> None:
        """Let hard limits of these joints, and of no others, stop nothing."""
        self.driven = {k for k, name in enumerate(self.names) if name in joints}
        self.resting -= self.driven

    def hit(self, system: System, q, v) -> tuple[np.ndarray, list[str]]:
        """The velocity after the impulse of every limit that is reached, and the names of the joints."""
        assert isinstance(self.kind, Impulsive)
        rows = np.array([k for k in np.flatnonzero(~self.ball) if k not in self.driven])
        depth, side = self._sides(q, rows)
        speed = side * v[self.dofs[rows]]  # outwards
        met = (depth >= -AT) & (speed > -SLOW)
        reached, side = rows[met], side[met]
        new_v = self._impulse(system, q, v, reached, side, self.kind.restitution)
        slow = np.abs(new_v[self.dofs[reached]]) < SLOW
        self.resting |= set(reached[slow].tolist())
        if slow.any():
            new_v = self._impulse(system, q, new_v, reached[slow], side[slow], 0.0)
        return new_v, [self.names[k] for k in reached]

    def hold(self, system: System, q, v) -> tuple[np.ndarray, np.ndarray]:
        """Keep joints that lean on a hard limit from passing it; let go of those that move off."""
        if not self.resting:
            return q, v
        rows = np.array(sorted(self.resting))
        depth, side = self._sides(q, rows)
        leaning = depth >= 0.0
        self.resting = set(rows[leaning].tolist())
        rows, side = rows[leaning], side[leaning]
        if not len(rows):
            return q, v
        coordinates, bound = self.coordinates[rows], np.where(side > 0, self.upper[rows], self.lower[rows])
        if system.closed:  # as an impulse would move it, so that loops stay closed
            response, dofs = system.response_beside_drives(q, v, self.dofs[rows]), self.dofs[rows]
            size = np.linalg.lstsq(response[:, dofs].T, bound - q[coordinates], rcond=RANK)[0]
            q = system.integrate(q, size @ response)
        else:
            q = q.copy()
            q[coordinates] = bound
        return q, self._impulse(system, q, v, rows, side, 0.0)

    def _sides(self, q, rows):
        """How far beyond the nearer limit each of these is, and which limit that is: +1 upper, −1 lower."""
        x = q[self.coordinates[rows]]
        over, under = x - self.upper[rows], self.lower[rows] - x
        return np.maximum(over, under), np.where(over >= under, 1.0, -1.0)

    def _impulse(self, system, q, v, rows, side, restitution):
        """Impulses λ ≥ 0 against the limits, in the mass metric: none moves outwards, none is pulled inwards.

        With W = E M⁻¹ Eᵀ and b = (1 + e) E v the impulses minimise ½ λᵀWλ − λᵀb over λ ≥ 0. M⁻¹ is that of the linkage
        with its loops and drives, so W is singular where several limits stop one motion: it is written AᵀA with as many
        rows as it has rank, and b = Aᵀc.
        """
        from scipy.optimize import nnls

        if not len(rows):
            return v
        dofs = self.dofs[rows]
        response = system.response_beside_drives(q, v, dofs) * side[:, None]
        W = response[:, dofs] * side
        eigenvalues, vectors = np.linalg.eigh(0.5 * (W + W.T))
        firm = eigenvalues > RANK * eigenvalues[-1]
        root, vectors = np.sqrt(eigenvalues[firm]), vectors[:, firm]
        b = (1.0 + restitution) * side * v[dofs]
        size, _ = nnls(root[:, None] * vectors.T, vectors.T @ b / root)
        new_v = v - size @ response
        stopped = (size > 0.0) & (restitution == 0.0)
        new_v[dofs[stopped]] = 0.0
        return new_v


def add_push(table: np.ndarray, q, v, tau) -> np.ndarray:
    """Torques (nv, or more) with what the compliant limits of a table add."""
    if not len(table):
        return tau
    total = np.array(tau)
    call(("motion.march", "limit_forces"), table, np.ascontiguousarray(q), np.ascontiguousarray(v), total)
    return total


def chosen(limits) -> Compliant | Impulsive | None:
    """The kind of limits that a user's choice, or what `described` made of it, stands for."""
    if isinstance(limits, dict):
        kinds = {kind.__name__: kind for kind in (Compliant, Impulsive)}
        limits = kinds[limits["kind"]](**{key: value for key, value in limits.items() if key != "kind"})
    elif isinstance(limits, str) and limits in CHOICES:
        limits = CHOICES[limits]
    elif limits is not None and not isinstance(limits, Compliant | Impulsive):
        raise unknown_name("limits", limits, list(CHOICES))
    if isinstance(limits, Impulsive) and not 0.0 <= limits.restitution <= 1.0:
        raise ArgumentError(f"restitution must be 0 … 1, not {limits.restitution!r}")
    if isinstance(limits, Compliant) and not (limits.damping_ratio >= 0.0 and (limits.frequency or 1.0) > 0.0):
        raise ArgumentError("compliant limits need a positive frequency and a damping_ratio of at least 0")
    return limits


def described(limits: Compliant | Impulsive | None) -> dict[str, Any] | None:
    """The choice as plain values."""
    return None if limits is None else {"kind": type(limits).__name__} | asdict(limits)


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
