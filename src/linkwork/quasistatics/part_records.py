"""What an adaptive simulation keeps: the records of its assembly tree, up to date with what moves and acts."""

from __future__ import annotations

import math

import numpy as np

from linkwork.kernels.launch import call, call_unchecked
from linkwork.kernels.layout import SINGULAR, W_POSITION, W_ROTATION, WORK_ROW
from linkwork.kernels.layout.adaptive import (
    BEGIN,
    CATCH_UP,
    CHANGED,
    COMPUTE,
    COMPUTED,
    MOVE,
    NO_ROOM,
    QUEUED,
    SETTLE,
    TAKEN,
    TOO_MANY,
    Loads,
)
from linkwork.kernels.layout.nodes import (
    ABOVE,
    HEIGHT,
    KIND,
    LEAF,
    LEFT,
    P_POSE,
    PORT,
    POSE_ROWS,
    RIGHT,
    STAGE,
)
from linkwork.linkage.change import Change
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.launch import problem
from linkwork.linkage.pose import Pose
from linkwork.quasistatics.loads import AppliedLoads
from linkwork.quasistatics.loop_forces import LoopForces
from linkwork.quasistatics.record_arrays import RecordArrays
from linkwork.quasistatics.stages import old_stages

SHARE = 0.1  # of the joints, beyond which the exact step is the faster one
FINE = 1e-6  # noise, relative to all accelerations, above which new references are tried
LOOP_PASSES = 4  # at most; a change of the forces of loops is found to 12 digits or so in each


class PartRecords(RecordArrays):
    """The records of a linkage's assembly tree, and what keeps them up to date; parameters as of `RecordArrays`."""

    def __init__(self, linkage: Linkage, q: np.ndarray, v: np.ndarray, loads: AppliedLoads, measure: int, gain: float):
        super().__init__(linkage, q, v, loads, measure, gain)
        self.rebuild()

    def pose(self, body: int) -> Pose:
        """Where a body stands in the world, along its path in the assembly tree."""
        self.catch_up()
        tree, nodes = self.tree, self.nodes
        rotation, position = tree.align[tree.stage[body]].T, np.zeros(3)
        node = self._assembly.leaf_of[tree.stage[body]]
        while nodes[node, ABOVE] >= 0:
            child, node = node, nodes[node, ABOVE]
            if nodes[node, RIGHT] != child or nodes[node, STAGE] < 0:
                continue
            start = WORK_ROW * nodes[node, STAGE] + W_ROTATION
            steps = [self.blocks.work[start : start + 12]]
            left = nodes[node, LEFT]
            if left >= 0 and nodes[left, PORT] >= 0:
                row = nodes[left, PORT] + P_POSE
                steps.append(self.buffer[row : row + POSE_ROWS].reshape(12))
            for step in steps:
                turn = step[:W_POSITION].reshape(3, 3)
                rotation, position = turn @ rotation, step[W_POSITION:] + turn @ position
        return Pose(position, rotation)

    # Going on

    def drive(self, body: int) -> None:
        """Take note that the torque of a body's joint has changed."""
        self.loads.driven.update(range(int(self.tree.first_stage[body]), int(self.tree.stage[body]) + 1))

    def prepare(self, gain: float) -> None:
        """Bring everything up to date with the loads, and find the forces of loop joints."""
        loads = self.loads
        if gain != self._gain:
            self._gain = gain
            if self.driven_by_model:
                self.take_potentials()
                self.drop()
        many = len(loads.driven) > SHARE * self.tree.stages  # references would be far from the new loads
        if many or (loads.driven and self._heavy != self._is_heavy()):
            self.stale = True
            self.drop()
        if self.stale:
            self.rebuild()
        if loads.changed:
            self.drop()
            self._repack()
            self.advance(CHANGED | SETTLE if self._heavy else CHANGED)
            if not self._heavy and self._is_noisy():  # references are far from the new loads
                self.advance(CHANGED | SETTLE)
            loads.driven.clear()
            if self._is_noisy():
                self.rebuild()
            if loads.drop_zeros():
                self._pack()
        if not self.begun:
            self._balance(gain)

    def catch_up(self) -> None:
        """Bring what the last step moved up to date, which `advance` does before all else."""
        if self.stale:
            self.rebuild()
        elif self.behind:
            self.advance(0)

    def advance(self, what: int, tolerance: float = 0.0, most: int = 0, gain: float = 0.0) -> bool:
        """Do those parts of a step that `what` names; False where too many joints matter."""
        loads = self._packed
        if self.behind:
            what |= CATCH_UP
            self.behind = False
        if what & CHANGED and self.loads.driven:
            stages = np.fromiter(self.loads.driven, np.int64, len(self.loads.driven))
            loads = loads._replace(driven=self._assembly.joint_of[stages])
        if what & COMPUTE and not self.begun:
            what |= BEGIN
        goal = tolerance if tolerance > 0.0 else -1.0
        outcome = self._advance(loads, goal, most, what, gain)
        while outcome == NO_ROOM:  # all is as before, but for the joints computed
            self._opened_joints *= 2
            self._make_space()
            outcome = self._advance(loads, goal, most, what & (COMPUTE | MOVE), gain)
        if outcome < 0:
            raise problem(self.linkage, SINGULAR | (-1 - outcome) << 4)
        return outcome != TOO_MANY

    def _advance(self, loads: Loads, goal: float, most: int, what: int, gain: float) -> int:
        opened = self._opened if self.twins else None
        records = self.blocks, opened, self._descent, self._marks, loads, self._rows_held, self._state
        kernel, wanted = ("assembly_tree.culling", "advance"), (self._measure, goal, most, what, gain)
        return call_unchecked(kernel, *records, *wanted, variant=(opened is None, self._rows_held is None))

    def moved(self) -> None:
        """Take note that a step has been made: nothing is known of the next one."""
        self.begun = self._balanced = False
        self.behind = True

    def drop(self) -> None:
        """Forget the accelerations computed so far."""
        self.begun = False
        if self._descent.count[TAKEN]:  # that no step has moved by
            self._exact[:] = self._projected[:] = 0.0
        self._descent.count[[QUEUED, TAKEN, COMPUTED]] = 0

    def rebuild(self, fresh: np.ndarray | None = None) -> None:
        """Every coefficient anew from q, or those of the nodes that `fresh` marks."""
        if fresh is None:
            fresh = self.nodes[:, KIND] != LEAF
        self._heavy = self._is_heavy()
        self._pack()
        outcome = call(("assembly_tree.update", "rebuild"), self.blocks, self._packed, self.q, fresh, self.unused)
        if outcome:
            raise problem(self.linkage, outcome)
        self.loads.driven.clear()
        self.stale = self.begun = self.behind = False
        self._least_noise = self.numbers()[1]

    def follow(self, change: Change) -> None:
        """Go on after a change of the linkage's structure; parts of the assembly tree that are as before are kept."""
        linkage, forces, loads = self.linkage, self.loops.forces() if self.loops else {}, self.loads
        if change.new_joint is None:  # loops only: the tree is as it was
            unknown = loads.forces_changed
            self._release_loops()
            self.drop()
            self.tree = linkage.tree
            self._make_room(forces)
            self._pack()
            loads.forces_changed = unknown
            return
        if not self.stale:
            self.catch_up()
        known = not (self.stale or loads.changed or linkage.couplings)
        before, nodes, rows = self._assembly, self.nodes, self.rows
        self.q, self.v = change.carry(self.q, self.v)
        loads.carry(change.index_map.v, linkage.nv)
        stages, same_joint = old_stages(before.tree, linkage, change)
        self._bind(Assembly(linkage, hint=np.where(stages >= 0, nodes[before.joint_of[stages], HEIGHT], 0)))
        same = np.concatenate([np.full(len(self.nodes), -1), before.leaf_of])
        fresh = np.ones(len(self.nodes), dtype=np.bool_)
        arguments = (self.tree.index, nodes, self.nodes, stages, same_joint, same, fresh, rows)
        self.rows = int(call(("assembly_tree.update", "keep_known"), *arguments))
        self._make_room(forces)
        self.buffer[rows : self.rows] = 0.0  # where loops' records were
        self.rebuild(fresh if known else None)

    # Within

    def _pack(self) -> None:
        """What acts on bodies as kernels read it."""
        bodies = list(self.loops.bodies) if self.loops else []
        model = self._springs, self._potentials
        self._packed_bodies = self.loads.bodies_revision
        self._packed = self.loads.packed(self.tree, self._assembly.leaf_of, bodies, self._heavy, self.twins, *model)
        self._take_couplings()
        self._balanced = False

    def _take_couplings(self) -> None:
        """Let the forces of couplings act on their joints, beside the torques."""
        if isinstance(self.loops, LoopForces) and self.loops.coupled:
            self._packed = self._packed._replace(tau=self.loops.torques(self.loads.tau))
            self.loads.driven.update(self.loops.coupled)

    def latest_loads(self) -> Loads:
        """What acts now, as kernels read it; the records are to be made anew."""
        if self.loads.forces_changed:
            self._repack()
        return self._packed

    def _repack(self) -> None:
        """`_pack`, where forces have changed and little else."""
        if self._packed_bodies == self.loads.bodies_revision:
            self.loads.refill(self.tree)
            self._take_couplings()
            self._balanced = False
        else:
            self._pack()

    def _is_noisy(self) -> bool:
        """Whether rounding is much more than it needs to be."""
        total, noise, _ = self.numbers()
        return noise > max(FINE**2 * total, 4.0 * self._least_noise)

    def _is_heavy(self) -> bool:
        """Whether loads may hold each other, and so be large beside what they do."""
        return bool(self.loops) or self._bears_weight()

    def _bears_weight(self) -> bool:
        """The same of loads other than the forces of loops."""
        return bool(self.driven_by_model or np.any(self.linkage.gravity) or self.loads.tau.any())

    def _balance(self, gain: float) -> None:
        """Find the forces of loop joints, and let them act."""
        if not isinstance(self.loops, LoopForces) or self._balanced:
            return
        self.catch_up()
        many = self._bears_weight()  # else forces of loops are no larger than what they do, and one pass is enough
        for _ in range(LOOP_PASSES if many else 1):
            outcome, more = self.loops.solve(self.blocks, self._packed, gain or math.inf, self.q, self.unused)
            if outcome:
                raise problem(self.linkage, outcome)
            self._take_couplings()
            self.advance(CHANGED | SETTLE if many else CHANGED)
            if not more:
                break
        if not many and self._is_noisy():
            self.advance(CHANGED | SETTLE)
        self.loads.driven.clear()
        self._balanced = True

    def _release_loops(self) -> None:
        """Take the forces of loop joints off the bodies."""
        if not self.stale and isinstance(self.loops, LoopForces):
            self.drop()
            self.loops.release_couplings()
            self.loads.release_loops()
            self._take_couplings()
            self.advance(CHANGED | SETTLE)
