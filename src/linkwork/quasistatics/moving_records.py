"""What adaptive dynamics keeps: the records of parts at rest, the nodes that are open, velocities."""

from __future__ import annotations

import numpy as np

from linkwork.errors import DivergedError
from linkwork.kernels.launch import call, call_unchecked
from linkwork.kernels.layout import MODEL_HEADER, MODEL_ROW, SINGULAR
from linkwork.kernels.layout.adaptive import (
    ABSOLUTE_DISPLACEMENT,
    CHANGED,
    CLOSE,
    COMPUTE,
    COMPUTED,
    HELD,
    LOST_NOW,
    MOVE,
    NO_ROOM,
    OPENED,
    SIZE_LATELY,
    SPIN_ROWS,
    SPIN_SCRATCH_ROWS,
    TAKEN,
    Motions,
)
from linkwork.kernels.layout.nodes import ABOVE, STAGE
from linkwork.linkage.change import Change
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import problem
from linkwork.quasistatics.loads import AppliedLoads
from linkwork.quasistatics.loop_forces import MovingLoops
from linkwork.quasistatics.part_records import PartRecords
from linkwork.quasistatics.record_arrays import LOOPS_KNOWN

STEPS_TO_SETTLE = 2  # after loops have been made: they close, and what that took is taken back
CLOSE_EVERY = 5  # steps between two looks for joints that hardly move
TOTALS = 8


class MovingRecords(PartRecords):
    """The records of a linkage of which some joints move and the others are held.

    Parameters
    ----------
    linkage : Linkage
    q, v : (nq,) and (nv,) ndarray
        Kept, and changed in steps.
    loads : AppliedLoads
    measure : int
        Of the error, as kernels number them.
    dt : float
        Time step, s.
    """

    def __init__(self, linkage: Linkage, q: np.ndarray, v: np.ndarray, loads: AppliedLoads, measure: int, dt: float):
        self._dt, self._made, self._settling = dt, 0, 0
        self.totals = np.zeros(TOTALS)
        self._active = np.empty(0, np.int64)
        super().__init__(linkage, q, v, loads, measure, dt * dt)

    @property
    def spin_rows(self) -> int:
        """Rows of the buffer for what the turning of parts adds."""
        return SPIN_ROWS * len(self.nodes) + SPIN_SCRATCH_ROWS

    def prepare(self, gain: float) -> None:
        """Bring the parts at rest up to date with the loads."""
        loads = self.loads
        if loads.driven and self._heavy != self._is_heavy():
            self.stale = True
        if self.stale:
            self.rebuild()
        if loads.changed:
            self._repack()
            self._go(CHANGED)
            loads.driven.clear()
            if loads.drop_zeros():
                self._pack()

    def step(self, tolerance: float, share: float, dt: float) -> None:
        """Move by dt; `share` is that of the kinetic energy which closing may cost at a time."""
        if dt != self._dt:
            self._dt = dt
            self.take_potentials()
        self.prepare(dt * dt)
        self._made += 1
        what, lately = COMPUTE | MOVE, self.totals[SIZE_LATELY]
        if share > 0.0 and self._made % CLOSE_EVERY == 0:
            what |= CLOSE
        self._go(what, tolerance if tolerance > 0.0 else -1.0, share)
        if not np.isfinite(self._descent.bounds).all():
            raise self._diverged()
        if self._settling > 0:  # impacts are no measure of accelerations
            self._settling -= 1
            self.totals[SIZE_LATELY] = lately

    @property
    def bounds(self) -> list[float]:
        """What the error is at most without rounding, and the noise floor."""
        left, floor = self._descent.bounds.tolist()
        if self.loops:
            floor += LOOPS_KNOWN * (self.totals[SIZE_LATELY] ** 0.5 if self._measure == ABSOLUTE_DISPLACEMENT else 1.0)
        return [left, floor]

    @property
    def energy_lost(self) -> float:
        """Kinetic energy that closing has cost in the last step, J."""
        return float(self.totals[LOST_NOW])

    @property
    def kinetic_energy(self) -> float:
        """Of all that moves, J."""
        if self.stale:
            self.rebuild()
        kernel = "assembly_tree.adaptive_dynamics", "kinetic_energy"
        energy = call(kernel, self.blocks, self._opened, self._descent, self._motion)
        while energy < 0.0:
            self._more_room()
            energy = call(kernel, self.blocks, self._opened, self._descent, self._motion)
        return float(energy)

    def rebuild(self, fresh: np.ndarray | None = None) -> None:
        """Every record anew from q, and open what moves."""
        super().rebuild(fresh)
        call(("assembly_tree.adaptive_dynamics", "turn_all"), self.blocks, self._motion)
        self._open_what_moves()

    def follow(self, change: Change) -> None:
        """Go on after a change of structure: all records are made anew."""
        self.stale = True
        super().follow(change)

    def take_potentials(self) -> None:
        """Take up the potentials of joints; what damping does within a step is armature, too."""
        tree, start = self.tree, MODEL_HEADER + MODEL_ROW * self.tree.stages
        damping, armature = np.split(tree.model[start : start + 2 * tree.nv], 2)
        self._gain = self._dt**2
        super().take_potentials()
        total = armature + self._dt * damping
        self._model[start + tree.nv : start + 2 * tree.nv] = total
        self._potentials.armature[:] = total

    # Within

    def _make_space(self) -> None:
        super()._make_space()
        rows = len(self._opened.nodes)
        if len(self._active) != len(self.nodes):
            self._active = np.zeros(len(self.nodes), np.int64)
        top, bottom = np.zeros((2, 6 * rows))
        closing = np.empty(len(self.nodes), np.int64)
        spins = self._space[1] - self.spin_rows
        self._motion = Motions(self.v, self._active, top, bottom, closing, self.totals, spins, self._rows_held)

    def _plan_loops(self) -> MovingLoops:
        self._settling = STEPS_TO_SETTLE
        return MovingLoops(self.linkage, self._assembly, self.rows)

    def _open_what_moves(self) -> None:
        """Open the joints that have velocities, what rows of loops pass, the whole linkage, and all between."""
        active, stages = self._active, self._assembly.joint_of
        active[:] = HELD
        active[-1] = OPENED
        starting = [np.empty(0, np.int64) if self._rows_held is None else self._rows_held.passed]
        starts = self.linkage.columns.v_start
        joints = np.unique(np.searchsorted(starts, np.flatnonzero(self.v), side="right") - 1)
        starting += [stages[self.tree.first_stage[joint] : self.tree.stage[joint] + 1] for joint in joints]
        for node in np.concatenate(starting).tolist():
            while node >= 0 and active[node] != OPENED:
                active[node] = OPENED
                node = int(self.nodes[node, ABOVE])
        taken = np.flatnonzero(active == OPENED)[::-1]  # a node comes after all that it is made of
        self._descent.taken[: len(taken)] = taken
        self._descent.count[TAKEN] = len(taken)
        self._descent.count[COMPUTED] = np.count_nonzero(self.nodes[taken, STAGE] >= 0)

    def _more_room(self) -> None:
        self._opened_joints *= 2
        self._make_space()

    def _go(self, what: int, tolerance: float = 0.0, share: float = 0.0) -> None:
        loads = self._packed
        if what & CHANGED and self.loads.driven:
            stages = np.fromiter(self.loads.driven, np.int64, len(self.loads.driven))
            loads = loads._replace(driven=self._assembly.joint_of[stages])
        kernel = "assembly_tree.adaptive_dynamics", "advance"
        wanted = what, tolerance, self._measure == ABSOLUTE_DISPLACEMENT, self._dt, share
        while True:
            arguments = self._opened, self._descent, self._marks, loads, self._state, self._motion
            outcome = call_unchecked(kernel, self.blocks, *arguments, *wanted, variant=self._rows_held is None)
            if outcome != NO_ROOM:
                break
            self._more_room()
        if outcome < 0:
            finite = np.isfinite(self.v).all() and np.isfinite(self.q).all()
            raise problem(self.linkage, SINGULAR | (-1 - outcome) << 4) if finite else self._diverged()

    def _diverged(self) -> DivergedError:
        name = self.linkage.name
        return DivergedError(f"the state of linkage {name!r} became non-finite: take a smaller dt, or weaker forces")
