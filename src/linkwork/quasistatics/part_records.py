"""What an adaptive simulation keeps: the records of its assembly tree, up to date with what moves and acts."""

from __future__ import annotations

import math

import numpy as np

from linkwork.dynamics.divide_conquer import new_buffer
from linkwork.kernels.launch import call, call_unchecked
from linkwork.kernels.layout import MODEL_HEADER, MODEL_ROW, SINGULAR, W_POSITION, W_ROTATION, WORK_ROW
from linkwork.kernels.layout.adaptive import (
    ABSOLUTE_DISPLACEMENT,
    BEGIN,
    CATCH_UP,
    CHANGED,
    COMPUTE,
    COMPUTED,
    MOVE,
    MOVED_LAST,
    NO_ROOM,
    QUEUED,
    SETTLE,
    SHARE_OF_KEYS,
    TAKEN,
    TIMES,
    TOO_MANY,
    UPDATED,
    Descent,
    Loads,
    Marks,
    Opened,
    State,
)
from linkwork.kernels.layout.nodes import (
    ABOVE,
    ADAPTIVE_SCRATCH_ROWS,
    ADAPTIVE_SOLVE_ROWS,
    HEIGHT,
    KIND,
    LEAF,
    LEFT,
    NODE_ROW,
    P_POSE,
    PORT,
    PORT_EXTRA,
    POSE_ROWS,
    RIGHT,
    STAGE,
    T_NUMBERS,
    TOTAL,
    TOTAL_ROWS,
    Blocks,
)
from linkwork.linkage.change import Change
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.launch import problem
from linkwork.linkage.pose import Pose
from linkwork.quasistatics.loads import AppliedLoads
from linkwork.quasistatics.loop_forces import LoopForces, MovingLoops
from linkwork.quasistatics.model_forces import has_model_forces, packed_potentials, packed_springs
from linkwork.quasistatics.report import ComputedJoints
from linkwork.quasistatics.stages import joints_of, old_stages

FEWEST = 200  # joints that an adaptive step may compute in any linkage
SHARE_AT_FIRST = 0.15  # what holding parts costs each by itself, of the error of holding them all
ROWS_OPENED = 192  # of the buffer, for each node that is opened
SHARE = 0.1  # of the joints, beyond which the exact step is the faster one
FINE = 1e-6  # noise, relative to all accelerations, above which new references are tried
LOOP_PASSES = 4  # at most; a change of the forces of loops is found to 12 digits or so in each
LOOPS_KNOWN = 1e-7  # of the accelerations: what the forces of loops may do where displacements are measured
NOISE_OF_LOOPS = 4.0  # the noise of a closed linkage in terms of that of its tree: a floor twice as high


class PartRecords:
    """The records of a linkage's assembly tree, and what keeps them up to date.

    Parameters
    ----------
    linkage : Linkage
    q, v : (nq,) and (nv,) ndarray
        Kept, and changed in steps; quasi-statics has no velocities.
    loads : AppliedLoads
        What acts, looked at by `prepare`.
    measure : int
        Of the error, as kernels number them.

    Attributes
    ----------
    loops : LoopForces, MovingLoops or None
    stale : bool
        Whether q has changed behind the records' back.
    begun : bool
        Whether accelerations of the present configuration have been computed.
    behind : bool
        Whether what the last step moved is not up to date yet: that is left to the next one, which may know new loads.
    """

    def __init__(self, linkage: Linkage, q: np.ndarray, v: np.ndarray, loads: AppliedLoads, measure: int, gain: float):
        self.linkage, self.q, self.v, self.loads, self._measure = linkage, q, v, loads, measure
        self.twins = measure >= ABSOLUTE_DISPLACEMENT
        self._opened_joints, self._gain = FEWEST, gain
        self._bind(linkage.assembly())
        sizes = TOTAL_ROWS, PORT_EXTRA, ADAPTIVE_SOLVE_ROWS
        self.rows = int(call(("assembly_tree.main_pass", "lay_out"), self.tree.index, self.nodes, *sizes))
        self.buffer = new_buffer(0)
        self._make_room({})
        self.rebuild()

    # What is known

    spin_rows, energy_lost, kinetic_energy = 0, 0.0, 0.0  # of dynamics, see `MovingRecords`

    @property
    def a(self) -> np.ndarray:
        """Accelerations computed so far, zero elsewhere."""
        return self._projected if self.twins else self._exact

    @property
    def learnt(self) -> np.ndarray:
        """What steps have learnt of errors, which the next ones go by; may be written."""
        return self._descent.known[SHARE_OF_KEYS:]

    @property
    def computed(self) -> int:
        """Joints computed so far."""
        return int(self._descent.count[COMPUTED])

    def joints_computed(self, all_of_them: bool = False) -> ComputedJoints:
        """Which joints have been computed since the last step, or have moved in it."""
        count, stage_of = self._descent.count, self.nodes[:, STAGE]
        if all_of_them:
            nodes = None
        elif self.begun or count[TAKEN]:
            nodes = self._descent.taken[: count[TAKEN]].copy()
        else:
            nodes = self._descent.moved[: count[MOVED_LAST]].copy()
        return ComputedJoints(nodes, stage_of, self._joint_of, self.linkage.columns.joint_names)

    @property
    def updated(self) -> int:
        """Nodes that were last brought up to date."""
        return int(self._descent.count[UPDATED])

    @property
    def complete(self) -> bool:
        """Whether there is no joint left to compute."""
        return self._descent.count[QUEUED] == 0

    @property
    def bounds(self) -> list[float]:
        """What the error is at most without rounding, and the noise floor."""
        left, floor = self._descent.bounds.tolist()
        if self.twins and self.loops:
            floor += LOOPS_KNOWN * (self.numbers()[0] ** 0.5 if self._measure == ABSOLUTE_DISPLACEMENT else 1.0)
        return [left, floor]

    @property
    def nbytes(self) -> int:
        """Memory of the assembly tree and of all that is kept for it, in bytes."""
        values = [*vars(self).values(), *self._descent, *self._marks, *self._packed, *self._opened]
        return sum(value.nbytes for value in values if isinstance(value, np.ndarray))

    def numbers(self) -> tuple[float, float, float]:
        """The total acceleration, and the squares of what rounding does to it with lower digits kept and without."""
        total, noise, _, of_floats = self.buffer[self.nodes[-1, TOTAL] + T_NUMBERS, 0].tolist()
        return total, noise, of_floats

    def node_of_joint(self, joint: int) -> int:
        """The node whose principal joint is the last stage of this one."""
        return int(self._assembly.joint_of[self.tree.stage[joint]])

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
        arguments = self._descent, self._marks, loads, self._state, self._measure, goal, most, what, gain
        return call_unchecked(("assembly_tree.culling", "advance"), self.blocks, self._opened, *arguments)

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

    def _bind(self, assembly: Assembly) -> None:
        """Take up an assembly tree: the arrays that go with it."""
        self._assembly, self.tree = assembly, assembly.tree
        tree, n = assembly.tree, len(assembly.nodes)
        self.nodes = assembly.nodes.copy()
        self._joint_of = joints_of(tree)
        self._work = np.zeros(tree.work_size)
        self._descent = Descent(
            np.empty(n),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
            np.zeros(5, np.int64),
            np.ones(5),
            np.zeros(2),
        )
        self._descent.known[SHARE_OF_KEYS] = SHARE_AT_FIRST
        self._marks = Marks(np.zeros(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64))
        self._exact, self._projected, self.used, self.unused = np.zeros((4, tree.nv))
        self._state = State(self.q, self._exact, self._projected, self.used, np.zeros(6))
        self.stale = self.begun = self.behind = self.all_used = False
        self._model = tree.model.copy()  # potentials of joints change its armatures
        self.take_potentials()
        self.loads.driven.clear()

    def take_potentials(self) -> None:
        """Take up the springs of the linkage and the potentials of joints as they are now; all is then stale."""
        linkage, tree = self.linkage, self.tree
        start = MODEL_HEADER + MODEL_ROW * tree.stages + tree.nv  # after the dampings
        armature = tree.model[start : start + tree.nv]
        self._model[start : start + tree.nv] = armature
        self._potentials = packed_potentials(linkage, self.loads.potentials, armature.copy(), self._gain)
        self._springs = packed_springs(linkage, tree)
        self.driven_by_model = has_model_forces(linkage, self.loads.potentials)
        self.stale = True

    def _make_room(self, forces: dict[str, np.ndarray]) -> None:
        """Plan the loop joints, which start from these forces, and a buffer that holds all records."""
        self.loops, scratch, scratch_rows = None, self.rows, ADAPTIVE_SCRATCH_ROWS
        if self.linkage._loops.records or self.linkage.couplings:
            self.loops = self._plan_loops()
            self.loops.resume(forces)
            scratch += self.loops.rows
            scratch_rows = max(scratch_rows, self.loops.scratch_rows)
        self._descent.known[TIMES] = NOISE_OF_LOOPS if self.loops else 1.0
        self._space = scratch, scratch + scratch_rows + self.spin_rows
        self._make_space()
        self._balanced = False

    def _plan_loops(self) -> LoopForces | MovingLoops:
        """What is kept for loop joints."""
        return LoopForces(self.linkage, self._assembly, self.nodes, self.rows)

    def _make_space(self) -> None:
        """A buffer that holds all records, and those of as many opened nodes as there may be."""
        scratch, first = self._space
        opened = min(self._opened_joints, self.tree.stages) if self.twins else 0
        end = first + ROWS_OPENED * opened
        if len(self.buffer) < end:
            longer = new_buffer(end + first // 8)
            longer[: len(self.buffer)] = self.buffer
            self.buffer = longer
        n = len(self.nodes) if self.twins else 1
        self._opened = Opened(
            np.empty((6 * opened + 1, NODE_ROW), np.int64), np.zeros(n, np.int64), first, len(self.buffer)
        )
        self.blocks = Blocks(self._model, self.tree.index, self._work, self.buffer, self.nodes, scratch)

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
        return bool(self.loops or self.driven_by_model or np.any(self.linkage.gravity) or self.loads.tau.any())

    def _balance(self, gain: float) -> None:
        """Find the forces of loop joints, and let them act."""
        if not isinstance(self.loops, LoopForces) or self._balanced:
            return
        self.catch_up()
        for _ in range(LOOP_PASSES):
            outcome, more = self.loops.solve(self.blocks, self._packed, gain or math.inf, self.q, self.unused)
            if outcome:
                raise problem(self.linkage, outcome)
            self._take_couplings()
            self.advance(CHANGED | SETTLE)
            if not more:
                break
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
