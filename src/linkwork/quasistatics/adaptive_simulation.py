"""Quasi-statics of huge linkages, to an error that the user chooses."""

from __future__ import annotations

import time
from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, KnownAttributes, StructureError
from linkwork.kernels.layout.adaptive import COMPUTE, MOVE
from linkwork.linkage.change import Change
from linkwork.linkage.checks import number
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers
from linkwork.linkage.pose import Pose
from linkwork.quasistatics.driving import Driven
from linkwork.quasistatics.exact_step import exact_step
from linkwork.quasistatics.inspection import Subassembly, joint_wrench, subassembly
from linkwork.quasistatics.loads import AppliedLoads
from linkwork.quasistatics.measures import chosen, known_mode, number_of
from linkwork.quasistatics.moving_records import MovingRecords
from linkwork.quasistatics.part_records import SHARE, PartRecords
from linkwork.quasistatics.record_arrays import FEWEST
from linkwork.quasistatics.report import StepReport
from linkwork.quasistatics.sparse_recording import (
    MovedCoordinates,
    PeriodicSave,
    SparseRecording,
    resumed,
    run_settings,
)
from linkwork.quasistatics.stages import refuse
from linkwork.simulation.progress import progress_bar

PATIENCE = 16, 512  # exact steps before the adaptive one is tried again: at first, and at most
CHUNK = 64  # joints computed between two looks at the clock


class AdaptiveSimulation(Driven, KnownAttributes):
    """Motion of a linkage of very many bodies: a step computes only the joints that matter.

    Quasi-statics, the default: every step moves the joints by ½ dt² q̈ from rest (or by ``gain`` · q̈), q̈ being what the
    forces, torques and gravity would give. Joints are computed in the order of what they may contribute, until the
    error is within the tolerance; the others are held. The cost of a step is that of the joints computed and of the
    paths in the assembly tree to the bodies that bear forces; it does not grow with the linkage.

    Dynamics: joints have velocities. Those that hardly accelerate or move are held; they are freed again, without a
    jump, when the error of the accelerations would be above the tolerance.

    Parameters
    ----------
    linkage : Linkage
        Without contacts; of force elements it may have Spring and JointSpring. It may have loop joints and
        couplings.
    q : (nq,) array_like, optional
        Where it starts. Default: `linkage.neutral()`.
    tolerance : float
        Largest error of a step; 0 computes every joint.
    error : {"relative-linkage", "absolute-linkage", "relative-joint", "absolute-joint"}
        How the error is measured: over all joints, or by the largest of one, which only accelerations are; divided by
        the same of the exact accelerations, or not. Default: relative, of all joints where displacements are measured,
        of one where accelerations are.
    measure : {"displacement", "acceleration"}
        What the error is one of: of the displacements of all bodies, weighted by mass, parts that are held being held
        in the dynamics, too; or of the joints' accelerations, those left out being taken as zero, as in the paper.
        Default: displacement, unless `error` is one of a joint.
    dt : float
        Time step, s.
    gain : float, optional
        What accelerations are multiplied by to give displacements in quasi-statics, s². Default ½ dt².
    mode : {"quasi-statics", "dynamics"}
        In dynamics steps are semi-implicit (q̇ += dt q̈, q += dt q̇), the error is one of displacements, relative to the
        largest accelerations of late.
    v : (nv,) array_like, optional
        Velocities that dynamics starts from. Default: rest.
    closing : float, optional
        Share of the kinetic energy that bringing joints to rest may cost at a time, every fifth step; 0 leaves moving
        what has begun to. Default tolerance² / 64.

    Notes
    -----
    [Redon2005], with quadratics and accelerations centred at stored references; displacements are measured beyond
    that, by Gauss's principle, see `linkwork.kernels.assembly_tree.projection`. Loop joints are forces on their bodies,
    found in every step, also where parts are held: the accelerations close the loops by the end of it, to first order.

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

    _attributes = ("linkage", "tolerance", "error", "measure", "dt", "gain", "mode", "closing", "t")

    def __init__(
        self,
        linkage: Linkage,
        q=None,
        *,
        tolerance: float = 2.0**-11,
        error: str | None = None,
        measure: str | None = None,
        dt: float = 1e-2,
        gain: float | None = None,
        mode: str = "quasi-statics",
        v=None,
        closing: float | None = None,
    ):
        self.mode = known_mode(mode, dt, measure, error, gain, v, closing)
        self.measure, self.error = chosen(measure, error)
        self.linkage = linkage
        self.tolerance = number(tolerance, "tolerance", minimum=0.0)
        self.dt = number(dt, "dt", minimum=0.0)
        self.gain = 0.5 * self.dt**2 if gain is None else number(gain, "gain")
        self.closing = self.tolerance**2 / 64.0 if closing is None else number(closing, "closing", minimum=0.0)
        self.t = 0.0
        refuse(linkage, mode)
        q = np.array(numbers(linkage, "q", linkage.neutral() if q is None else q, linkage.nq, "nq"))
        if q.ndim != 1:
            raise ArgumentError(f"an adaptive simulation takes one state: q must have shape ({linkage.nq},)")
        self._loads = AppliedLoads(linkage.nv)
        self._patience, self._exact_steps = PATIENCE[0], 0
        v = np.array(numbers(linkage, "v", np.zeros(linkage.nv) if v is None else v, linkage.nv, "nv"))
        if v.ndim != 1:
            raise ArgumentError(f"an adaptive simulation takes one state: v must have shape ({linkage.nv},)")
        self._start(q, v)

    def _start(self, q: np.ndarray, v: np.ndarray) -> None:
        """Make all records anew, from a state."""
        self._revision = self.linkage.revision, self.linkage.parameters_revision
        kind = number_of(self.measure, self.error)
        if self.mode == "dynamics":
            self._parts = MovingRecords(self.linkage, q, v, self._loads, kind, self.dt)
        else:
            self._parts = PartRecords(self.linkage, q, v, self._loads, kind, self.gain)

    # Moving

    def step(self) -> StepReport:
        """Find the accelerations to within the tolerance, and move by them."""
        self._check()
        self.t += self.dt
        if isinstance(self._parts, MovingRecords):
            self._parts.step(self.tolerance, self.closing, self.dt)
            return self._report(self.tolerance)
        if self._exact_steps > 0:
            self._exact_steps -= 1
            return exact_step(self)
        parts = self._parts
        parts.prepare(self.gain)
        if parts.all_used:
            parts.used[:], parts.all_used = 0.0, False
        if not parts.advance(COMPUTE | MOVE, self.tolerance, self._most, self.gain):
            self._exact_steps = self._patience - 1
            self._patience = min(2 * self._patience, PATIENCE[1])
            return exact_step(self)
        self._patience = PATIENCE[0]
        parts.moved()
        return self._report(self.tolerance, parts.updated)

    def run(
        self,
        until: float,
        *,
        record: str | PathLike[str] | None = None,
        every: int = 1,
        resume: bool = False,
        events: Callable[[AdaptiveSimulation, StepReport], bool | None] | None = None,
        progress: bool | Callable[[float], object] = True,
    ) -> SparseRecording:
        """Make steps up to a time, and keep what moved.

        Parameters
        ----------
        until : float
            Time at the end, s.
        record : path, optional
            HDF5 file, written now and then, at the end and where the run stops; see `SparseRecording`.
        every : int
            Record every so many steps.
        resume : bool
            Go on from the last state of the file `record`, which must be of the same run.
        events : callable, optional
            Called with the simulation and the report after every step; forces may be changed in it. True ends the run.
        progress : bool or callable
            Show a progress bar when a terminal is there to see it; a callable is told the time of every recorded step.
        """
        until, every = number(until, "until", minimum=0.0), int(number(every, "every", minimum=1.0))
        settings = run_settings(self)
        recording = SparseRecording(self._parts.q, self.t, settings)
        if resume:
            recording = resumed(record, settings)
            self._parts.q[:], self.t = recording.q(), float(recording.t[-1])
            self._parts.v[:] = recording.v
            self._parts.learnt[: len(recording.learnt)] = recording.learnt
            self._parts.stale = True
            self._parts.drop()
        if until < self.t - 0.5 * self.dt:
            raise ArgumentError(f"until = {until:g} s is past: the simulation is at {self.t:g} s")
        moved, steps, made, stopped = MovedCoordinates(self.linkage), round((until - self.t) / self.dt), 0, False
        report, structure, keeper = None, self.linkage.revision, PeriodicSave(recording, record)
        try:
            with progress_bar(progress, self.t, until) as tell:
                while made < steps and not stopped:
                    report = self.step()
                    made += 1
                    moved.add(report)
                    if made % every == 0:
                        recording.note(self.t, self._parts.q, moved.take(), report.computed, report.error_bound)
                        keeper.look(self._parts)
                        tell(self.t)
                    stopped = bool(events(self, report)) if events is not None else False
                    if self.linkage.revision != structure:
                        raise StructureError("the structure changed during the run: cut and connect between runs")
        finally:
            if report is not None and made % every:
                recording.note(self.t, self._parts.q, moved.take(), report.computed, report.error_bound)
            keeper.save(self._parts)
        return recording

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
        self._check_at_rest("refine")
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

    @property
    def v(self) -> np.ndarray:
        """Velocities (nv,), a copy; zero where joints are held, and in quasi-statics."""
        return self._parts.v.copy()

    @property
    def kinetic_energy(self) -> float:
        """Of all that moves, J: at the cost of the joints that do."""
        return self._parts.kinetic_energy

    def pose(self, body) -> Pose:
        """Return where a body or frame stands in the world: O(log nb), along its path in the assembly tree."""
        index, offset = self.linkage._resolve(body)
        if index < 0:
            return offset
        self._check()
        return self._parts.pose(index) @ offset

    def joint_wrenches(self, names) -> np.ndarray:
        """Return what joints exert on their bodies at the present configuration, (n, 6): (f, n) at the body's origin.

        In the body's frame, torques included, from the exact accelerations ([Redon2005] eqs 5 and 7): O(log nb) each,
        whether a step would compute the joint or not.
        """
        self._check_at_rest("joint_wrenches", "lw.joint_wrenches(linkage, ad.q, ad.v, ad.a)")
        self._parts.prepare(self.gain)
        self._parts.catch_up()
        rows = [self.linkage._resolve_joint(name) for name in ([names] if isinstance(names, str) else names)]
        return np.array([joint_wrench(self._parts, row) for row in rows]).reshape(len(rows), 6)

    def subassembly(self, joint) -> Subassembly:
        """Return the part of the assembly tree that this joint holds together, its equation, A(C) and E, at present."""
        self._check_at_rest("subassembly")
        self._parts.prepare(self.gain)
        self._parts.catch_up()
        return subassembly(self._parts, self.linkage._resolve_joint(joint))

    @property
    def total_acceleration(self) -> float:
        """The square of all accelerations at the present configuration, known without computing them.

        That which the error is relative to: q̈ᵀ M q̈ where displacements are measured, kg m²/s⁴, else Σ q̈².
        """
        self._check_at_rest("total_acceleration")
        self._parts.prepare(self.gain)
        self._parts.catch_up()
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
        """Close a loop in the linkage and go on from there; see `Linkage.connect`. A gap is closed in the next step.

        In dynamics what the two bodies do to each other is an impact without bounce, in the next step, too.
        """
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
        refuse(self.linkage, self.mode)
        self._revision = change.revision_after, self.linkage.parameters_revision
        self._parts.follow(change)

    # Within

    def _check(self) -> None:
        """Raise where the structure has changed; start anew where parameters have."""
        if self.linkage.revision != self._revision[0]:
            raise StructureError(
                "the structure has changed: tell the simulation with follow(change), or use its cut and connect"
            )
        if self.linkage.parameters_revision != self._revision[1]:
            refuse(self.linkage, self.mode)
            self._start(self._parts.q, self._parts.v)

    def _check_at_rest(self, what: str, instead: str = "a simulation with mode='quasi-statics', at ad.q") -> None:
        """`_check`, and raise in dynamics."""
        if self.mode == "dynamics":
            raise ArgumentError(f"{what} is of quasi-statics, not of mode='dynamics': take {instead}")
        self._check()

    @property
    def _most(self) -> int:
        """Joints that a step may compute before the exact one is faster."""
        stages = self._parts.tree.stages
        if self.tolerance == 0.0 or self._parts.driven_by_model:  # the exact step knows of no potentials
            return stages
        return max(int(SHARE * stages), FEWEST)

    def _refine(self, promised: float, tolerance: float, most: int) -> StepReport:
        self._parts.advance(COMPUTE, tolerance, most)
        self._parts.begun = True
        return self._report(promised)

    def _report(self, tolerance: float, updated: int = 0) -> StepReport:
        parts = self._parts
        left, floor = parts.bounds
        gap, joints = parts.loops.gap if parts.loops else 0.0, parts.joints_computed()
        computed = parts.computed
        if parts.tree.stages != parts.tree.nb:  # some joints have several stages
            computed = len(joints.indices())
        claimed, lost = left + floor <= tolerance, parts.energy_lost
        return StepReport(computed, left + floor, floor, claimed, updated, False, gap, lost, joints)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._attributes} | {
            "q": self._parts.q, "v": self._parts.v, "tau": self._loads.tau, "bodies": self._loads.bodies,
            "given": self._loads.given, "potentials": self._loads.potentials,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        q, v, tau, bodies, given = (state.pop(name) for name in ("q", "v", "tau", "bodies", "given"))
        potentials = state.pop("potentials")
        self.__dict__.update(state, _loads=AppliedLoads(len(tau)), _patience=PATIENCE[0], _exact_steps=0)
        self._loads.tau[:] = tau
        self._loads.potentials = potentials
        self._loads.push_all(bodies, given)
        self._start(q, v)

    def __repr__(self) -> str:
        return (
            f"AdaptiveSimulation({self.linkage.name!r}, {self.mode}, {self._parts.tree.nb} bodies, t={self.t:g} s, "
            f"{self.error} error of {self.measure}s <= {self.tolerance:g}, {len(self._loads.bodies)} forces)"
        )
