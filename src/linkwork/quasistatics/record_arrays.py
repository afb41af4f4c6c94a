"""What an adaptive simulation keeps: the arrays of its assembly tree, and what is read from them."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.divide_conquer import new_buffer
from linkwork.kernels.launch import call
from linkwork.kernels.layout import MODEL_HEADER, MODEL_ROW
from linkwork.kernels.layout.adaptive import (
    ABSOLUTE_DISPLACEMENT,
    COMPUTED,
    MOVED_LAST,
    QUEUED,
    SHARE_OF_KEYS,
    TAKEN,
    TIMES,
    UPDATED,
    Descent,
    Loads,
    Marks,
    Opened,
    State,
)
from linkwork.kernels.layout.kinds import RATES
from linkwork.kernels.layout.nodes import (
    ADAPTIVE_SCRATCH_ROWS,
    ADAPTIVE_SOLVE_ROWS,
    NODE_ROW,
    PORT_EXTRA,
    STAGE,
    T_NUMBERS,
    TOTAL,
    TOTAL_ROWS,
    Blocks,
)
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.quasistatics.loads import AppliedLoads
from linkwork.quasistatics.loop_forces import LoopForces, MovingLoops
from linkwork.quasistatics.model_forces import has_model_forces, packed_potentials, packed_springs
from linkwork.quasistatics.report import ComputedJoints
from linkwork.quasistatics.stages import joints_of

FEWEST = 200  # joints that an adaptive step may compute in any linkage
SHARE_AT_FIRST = 0.15  # what holding parts costs each by itself, of the error of holding them all
ROWS_OPENED = 192  # of the buffer, for each node that is opened
LOOPS_KNOWN = 1e-7  # of the accelerations: what the forces of loops may do where displacements are measured
NOISE_OF_LOOPS = 4.0  # the noise of a closed linkage in terms of that of its tree: a floor twice as high


class RecordArrays:
    """The records of a linkage's assembly tree as arrays.

    Parameters
    ----------
    linkage : Linkage
    q, v : (nq,) and (nv,) ndarray
        Kept, and changed in steps; quasi-statics has no velocities.
    loads : AppliedLoads
        What acts.
    measure : int
        Of the error, as kernels number them.

    Attributes
    ----------
    loops : LoopForces, MovingLoops or None
    adds : bool
        Whether displacements of joints are just added to q.
    stale : bool
        Whether q has changed behind the records' back.
    begun : bool
        Whether accelerations of the present configuration have been computed.
    behind : bool
        Whether what the last step moved is not up to date yet: that is left to the next one, which may know new loads.
    """

    def __init__(self, linkage: Linkage, q: np.ndarray, v: np.ndarray, loads: AppliedLoads, measure: int, gain: float):
        self.linkage, self.q, self.v, self.loads, self._measure = linkage, q, v, loads, measure
        self.twins = True if measure >= ABSOLUTE_DISPLACEMENT else None  # None: kernels have no code for them
        self._opened_joints, self._gain = FEWEST, gain
        self._bind(linkage.assembly())
        sizes = TOTAL_ROWS, PORT_EXTRA, ADAPTIVE_SOLVE_ROWS
        self.rows = int(call(("assembly_tree.main_pass", "lay_out"), self.tree.index, self.nodes, *sizes))
        self.buffer = new_buffer(0)
        self._make_room({})

    # What is known

    _packed: Loads  # what acts on bodies as kernels read it
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
        values += self._rows_held or ()
        return sum(value.nbytes for value in values if isinstance(value, np.ndarray))

    def numbers(self) -> tuple[float, float, float]:
        """The total acceleration, and the squares of what rounding does to it with lower digits kept and without."""
        total, noise, _, of_floats = self.buffer[self.nodes[-1, TOTAL] + T_NUMBERS, 0].tolist()
        return total, noise, of_floats

    def node_of_joint(self, joint: int) -> int:
        """The node whose principal joint is the last stage of this one."""
        return int(self._assembly.joint_of[self.tree.stage[joint]])

    # Made

    def _bind(self, assembly: Assembly) -> None:
        """Take up an assembly tree: the arrays that go with it."""
        self._assembly, self.tree = assembly, assembly.tree
        tree, n = assembly.tree, len(assembly.nodes)
        self.nodes = assembly.nodes.copy()
        self._joint_of = joints_of(tree)
        self.adds = bool(np.all(RATES[self.linkage.columns.code]))
        self._work = np.zeros(tree.work_size)
        self._descent = Descent(
            np.empty(n),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
            np.zeros(6, np.int64),
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
        self._rows_held = None
        if self.loops and self.twins:
            self._rows_held = self.loops.moving._replace(special=np.full(len(self._opened.nodes), -1))
        self.blocks = Blocks(self._model, self.tree.index, self._work, self.buffer, self.nodes, scratch)
