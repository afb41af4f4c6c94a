"""Quasi-statics of huge linkages, to an error that the user chooses."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from linkwork.dynamics.constraints import constrained_step, residuals
from linkwork.dynamics.forward import forward_dynamics
from linkwork.errors import ArgumentError, KnownAttributes, StructureError, unknown_name
from linkwork.kernels.layout.adaptive import COMPUTE, MEASURES, MOVE, TOO_MANY
from linkwork.linkage.change import Change
from linkwork.linkage.checks import array, number
from linkwork.linkage.joint import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers
from linkwork.linkage.pose import Pose
from linkwork.quasistatics.loads import AppliedLoads
from linkwork.quasistatics.part_records import SHARE, PartRecords, refuse
from linkwork.quasistatics.report import StepReport

PATIENCE = 16, 512  # exact steps before the adaptive one is tried again: at first, and at most
CHUNK = 64  # joints computed between two looks at the clock
FEWEST = 200  # joints that an adaptive step may compute in any linkage


class AdaptiveSimulation(KnownAttributes):
    """Quasi-static motion of a linkage of very many bodies: a step computes only the joints that matter.

    Every step moves the joints by ½ dt² q̈ from rest (or by ``gain`` · q̈), q̈ being what the forces, torques and
    gravity would give. Joints are computed in the order of what they may contribute, until the error of the vector of
    accelerations is within the tolerance; those left out do not move. The cost of a step is that of the joints
    computed and of the paths in the assembly tree to the bodies that bear forces; it does not grow with the linkage.

    Parameters
    ----------
    linkage : Linkage
        Without force elements, contacts and couplings. It may have loop joints.
    q : (nq,) array_like, optional
        Where it starts. Default: `linkage.neutral()`.
    tolerance : float
        Largest error of the accelerations in a step; 0 computes every joint.
    error : {"relative-joint", "absolute-joint", "relative-linkage", "absolute-linkage"}
        How the error is measured: by the largest acceleration left out, or by the root of the sum of squares of all of
        them; divided by the same of the exact accelerations, or not. With radians and metres mixed only what divides
        by nothing has a unit.
    dt : float
        Time step, s.
    gain : float, optional
        What accelerations are multiplied by to give displacements, s². Default ½ dt².

    Notes
    -----
    [Redon2005], with quadratics and accelerations centred at stored references. Loop joints are forces on their bodies,
    found exactly in every step; the accelerations are those that close the loops by the end of it, to first order.

    Examples
    --------
    >>> import linkwork as lw
    >>> chain = lw.samples.chain(1000)
    >>> chain.gravity = (0, 0, 0)
    >>> ad = lw.AdaptiveSimulation(chain, chain.neutral(), tolerance=1e-3)
    >>> ad.apply_force("link999", (1.0, 0.0, 0.0), point=(0, 0, -1))
    >>> report = ad.step()
    >>> report.computed < 60 and report.error_bound <= 1e-3
    True
    """

    _attributes = ("linkage", "tolerance", "error", "dt", "gain", "t")

    def __init__(
        self,
        linkage: Linkage,
        q=None,
        *,
        tolerance: float = 2.0**-11,
        error: str = "relative-joint",
        dt: float = 1e-2,
        gain: float | None = None,
    ):
        if error not in MEASURES:
            raise unknown_name("error measure", error, list(MEASURES))
        self.linkage = linkage
        self.tolerance = number(tolerance, "tolerance", minimum=0.0)
        self.error = error
        self.dt = number(dt, "dt", minimum=0.0)
        self.gain = 0.5 * self.dt**2 if gain is None else number(gain, "gain")
        self.t = 0.0
        refuse(linkage)
        q = np.array(numbers(linkage, "q", linkage.neutral() if q is None else q, linkage.nq, "nq"))
        if q.ndim != 1:
            raise ArgumentError(f"an adaptive simulation takes one state: q must have shape ({linkage.nq},)")
        self._loads = AppliedLoads(linkage.nv)
        self._patience, self._exact_steps = PATIENCE[0], 0
        self._start(q)

    def _start(self, q: np.ndarray) -> None:
        """Make all records anew, from q."""
        self._revision = self.linkage.revision, self.linkage.parameters_revision
        self._parts = PartRecords(self.linkage, q, self._loads, self.error)

    # Driving

    def apply_force(self, body, force, point=(0.0, 0.0, 0.0), *, moment=(0.0, 0.0, 0.0)) -> None:
        """Push a body; the force stays, in world axes, until another one (or zero) on the same body replaces it.

        Parameters
        ----------
        body : str, Body or Frame
        force, moment : (3,) array_like
            N and N m, world axes.
        point : (3,) array_like
            Where the force acts, in the body's (or frame's) frame, m.
        """
        index, pose = self.linkage._resolve(body)
        if index < 0:
            raise ArgumentError("a force on ground moves nothing: name a body")
        where, moment = pose.apply(array(point, (3,), "point")), array(moment, (3,), "moment")
        self._loads.push(index, where, array(force, (3,), "force"), moment)

    def apply_torque(self, joint, tau) -> None:
        """Drive a joint; the torque (one number per degree of freedom) stays until it is replaced."""
        index = self.linkage._resolve_joint(joint)
        start, size = int(self.linkage.columns.v_start[index]), self.linkage.joints[index].nv
        tau = array(np.full(size, tau) if np.ndim(tau) == 0 else tau, (size,), "tau")
        self._loads.tau[start : start + size] = tau
        self._parts.drive(index)

    @property
    def forces(self) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """What pushes now: the number of each body, the point in its frame (3,), the force (3,) in world axes, N."""
        return [(body, row[:3].copy(), row[3:6].copy()) for body, row in self._loads.forces.items() if row[3:6].any()]

    # Moving

    def step(self) -> StepReport:
        """Find the accelerations to within the tolerance, and move by them."""
        self._check()
        self.t += self.dt
        if self._exact_steps > 0:
            return self._exact_step()
        parts = self._parts
        parts.prepare(self.gain)
        if parts.all_used:
            parts.used[:], parts.all_used = 0.0, False
        updated = parts.advance(COMPUTE | MOVE, self.tolerance, self._most, self.gain)
        if updated == TOO_MANY:
            self._exact_steps = self._patience
            self._patience = min(2 * self._patience, PATIENCE[1])
            return self._exact_step()
        self._patience = PATIENCE[0]
        parts.moved()
        return self._report(self.tolerance, updated)

    def refine(
        self, *, tolerance: float | None = None, seconds: float | None = None, joints: int | None = None
    ) -> StepReport:
        """Compute more accelerations at the present configuration, without moving: an answer at any time.

        Goes on from what has been computed since the last step, until the error is within `tolerance`, so many
        `seconds` have passed, or so many `joints` have been computed in all; give one of the three. The result is
        in `a`, and the next `step` starts from it.
        """
        if sum(value is not None for value in (tolerance, seconds, joints)) != 1:
            raise ArgumentError("refine takes one of tolerance, seconds and joints")
        self._check()
        self._parts.prepare(self.gain)
        stages = self._parts.tree.stages
        if tolerance is not None:
            goal = number(tolerance, "tolerance", minimum=0.0)
            return self._refine(goal, goal, stages)
        if joints is not None:
            return self._refine(self.tolerance, 0.0, int(min(number(joints, "joints", minimum=0.0), stages)))
        end = time.perf_counter() + number(seconds, "seconds", minimum=0.0)
        report = self._refine(self.tolerance, 0.0, 0)
        while time.perf_counter() < end and not self._parts.complete:
            report = self._refine(self.tolerance, 0.0, report.computed + CHUNK)
        return report

    @property
    def q(self) -> np.ndarray:
        """Coordinates (nq,), a copy."""
        return self._parts.q.copy()

    @property
    def a(self) -> np.ndarray:
        """Accelerations (nv,) that the last step moved by, or that `refine` has computed since; 0 where none was."""
        return (self._parts.a if self._parts.begun else self._parts.used).copy()

    def pose(self, body) -> Pose:
        """Return where a body or frame stands in the world: O(log nb), along its path in the assembly tree."""
        index, offset = self.linkage._resolve(body)
        if index < 0:
            return offset
        self._check()
        return self._parts.pose(index) @ offset

    @property
    def total_acceleration(self) -> float:
        """Σ q̈² over every degree of freedom at the present configuration, known without computing them."""
        self._check()
        self._parts.prepare(self.gain)
        return self._parts.numbers()[0]

    @property
    def nbytes(self) -> int:
        """Memory of the assembly tree and of all that is kept for it, in bytes."""
        return self._parts.nbytes

    # Changing the structure

    def cut(self, joint) -> Change:
        """Cut a tree joint or a loop joint of the linkage and go on from there; see `Linkage.cut`."""
        self._check()
        change = self.linkage.cut(joint)
        self.follow(change)
        return change

    def connect(self, a, b, joint: JointType, **options) -> Change:
        """Close a loop in the linkage and go on from there; see `Linkage.connect`. A gap is closed in the next step."""
        self._check()
        change = self.linkage.connect(a, b, joint, **options)
        self.follow(change)
        return change

    def follow(self, change: Change) -> None:
        """Go on after a change of the linkage's structure; parts of the assembly tree that are as before are kept."""
        if not isinstance(change, Change):
            raise ArgumentError(f"follow takes the Change that a cut or a connection has returned, not {change!r}")
        if change.revision_after != self.linkage.revision or change.revision_before != self._revision[0]:
            raise StructureError(f"{change!r} does not lead from this simulation's structure to the linkage's")
        refuse(self.linkage)
        self._revision = change.revision_after, self.linkage.parameters_revision
        self._parts.follow(change)

    # Within

    def _check(self) -> None:
        """Raise where the structure has changed; start anew where parameters have."""
        if self.linkage.revision != self._revision[0]:
            raise StructureError("the structure has changed: tell the simulation with follow(change), or use its "
                                 "cut and connect")
        if self.linkage.parameters_revision != self._revision[1]:
            refuse(self.linkage)
            self._start(self._parts.q)

    @property
    def _most(self) -> int:
        """Joints that a step may compute before the exact one is faster."""
        stages = self._parts.tree.stages
        return stages if self.tolerance == 0.0 else max(int(SHARE * stages), FEWEST)

    def _refine(self, promised: float, tolerance: float, most: int) -> StepReport:
        self._parts.advance(COMPUTE, tolerance, most)
        self._parts.begun = True
        return self._report(promised)

    def _report(self, tolerance: float, updated: int = 0) -> StepReport:
        parts = self._parts
        left, floor = parts.bounds
        gap = parts.loops.gap if parts.loops else 0.0
        return StepReport(parts.computed, left + floor, floor, left + floor <= tolerance, updated, gap=gap)

    def _exact_step(self) -> StepReport:
        """The O(N) step: every joint."""
        linkage, parts, loads = self.linkage, self._parts, self._loads
        a = forward_dynamics(linkage, parts.q, np.zeros(linkage.nv), loads.tau, loads.wrenches(linkage, parts.q))
        move, gap = self.gain * a, 0.0
        if parts.loops:
            state = residuals(linkage, parts.q)
            move, gap = move + constrained_step(linkage, parts.q, -state.row_error).x, state.gap
        parts.q[:] = linkage.integrate(parts.q, move)
        self._exact_steps -= 1
        parts.stale = True
        parts.drop()
        parts.used[:] = a
        parts.all_used = True
        floor = self._floor_of_floats(a)
        return StepReport(linkage.nb, floor, floor, floor <= self.tolerance, exact=True, gap=gap)

    def _floor_of_floats(self, a: np.ndarray) -> float:
        """What rounding may do to accelerations where no lower digits are kept, in the measure of the simulation."""
        noise = self._parts.numbers()[2] ** 0.5
        if self.error.startswith("absolute"):
            return noise
        squares, starts = a * a, np.unique(self.linkage.columns.v_start)
        if self.error == "relative-linkage":
            size = squares.sum()
        else:
            size = np.add.reduceat(squares, starts[starts < len(a)]).max(initial=0.0)
        return float(noise / size**0.5) if size > 0.0 else np.inf

    def __getstate__(self) -> dict[str, Any]:
        names = ("linkage", "tolerance", "error", "dt", "gain", "t")
        return {name: getattr(self, name) for name in names} | {
            "q": self._parts.q, "tau": self._loads.tau, "forces": self._loads.forces,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        q, tau, forces = (state.pop(name) for name in ("q", "tau", "forces"))
        self.__dict__.update(state, _loads=AppliedLoads(len(tau)), _patience=PATIENCE[0], _exact_steps=0)
        self._loads.tau[:], self._loads.forces = tau, forces
        self._start(q)

    def __repr__(self) -> str:
        return (
            f"AdaptiveSimulation({self.linkage.name!r}, {self._parts.tree.nb} bodies, t={self.t:g} s, "
            f"{self.error} error <= {self.tolerance:g}, {len(self._loads.forces)} forces)"
        )
