"""Packing: the columns of a linkage as the few contiguous blocks that kernels read.

See `linkwork.kernels.layout` for what lies where. A `Tree` never changes; a change of the linkage makes a new one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.kernels.layout import (
    FACTOR_ROW,
    I_BODY,
    I_FLAGS,
    I_KIND,
    I_PARENT,
    I_Q,
    I_V,
    INDEX_HEADER,
    INDEX_ROW,
    M_ARMATURE,
    M_DAMPING,
    M_INERTIA,
    M_MASS,
    M_MOMENT,
    M_POSITION,
    M_ROTATION,
    M_SLIDE,
    M_TURN,
    MODEL_HEADER,
    MODEL_ROW,
    N_WEAK,
    ON_WEAK,
    OPENS,
    WEAK,
    WORK_ROW,
)
from linkwork.kernels.layout.kinds import (
    FREE,
    KIND_NV,
    QUATERNION,
    STAGE_AXIS,
    STAGE_KIND,
    STAGE_SLIDE,
    STAGE_TURN,
    STAGES,
)
from linkwork.linkage.forces import pack_forces
from linkwork.linkage.joint_type import AXES
from linkwork.linkage.motor import armature
from linkwork.linkage.packing.frames import stage_frames
from linkwork.linkage.packing.weak import weak_stages

if TYPE_CHECKING:
    from linkwork.linkage.columns import Columns
    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.packing.assembly import Assembly

LINE = 64  # bytes of a cache line
BLOCK = 128  # stages that stay in the cache while others of them are swept
_ROTATION, _POSITION = slice(M_ROTATION, M_ROTATION + 9), slice(M_POSITION, M_POSITION + 3)


class Tree:
    """The packed form of a linkage's tree, for kernels.

    Attributes
    ----------
    model, index : arrays, read-only
        The blocks of `linkwork.kernels.layout`.
    nb, nq, nv, stages, nonzeros : int
        Sizes; `nonzeros` of the packed mass matrix.
    stage : (nb,) array
        The stage that is each body itself (the last of its stages).
    first_stage : (nb,) array
        The first of its stages: where its tree joint starts.
    align : (stages, 3, 3) array
        Rotation from each stage's frame to its body's.
    """

    def __init__(self, linkage: Linkage):
        columns = linkage.columns
        self.nb, self.nq, self.nv = columns.n, columns.nq, columns.nv
        self.revision, self.parameters_revision = linkage.revision, linkage.parameters_revision
        _refuse_free_armature(columns)
        code, parent = columns.code, columns.parent
        order = np.argsort(depth_first(parent))
        owner = np.repeat(order, STAGES[code[order]])  # the body of each stage
        n = self.stages = len(owner)
        self.stage = last = np.empty(self.nb, dtype=np.int64)
        last[order] = np.cumsum(STAGES[code[order]]) - 1
        self.first_stage = first = last - STAGES[code] + 1
        stage = np.arange(n)
        place = stage - first[owner]  # among the stages of its joint, each of which but the last has one coordinate
        of = code[owner], place

        # Integers of each stage
        above = np.where(parent >= 0, last[parent], -1)
        index = np.zeros((n, INDEX_ROW), dtype=np.int64)
        index[:, I_PARENT] = np.where(place == 0, above[owner], stage - 1)
        index[:, I_KIND] = kind = STAGE_KIND[of]
        index[:, I_BODY] = np.where(stage == last[owner], owner, -1)
        place_coordinates(index, columns, owner, first)

        # Frames: each stage's axis along its z
        axes = np.stack([getattr(columns, name) for name in AXES], axis=1)
        align = stage_frames(kind, STAGE_AXIS[of], axes[owner])
        parent_align = np.tile(np.eye(3), (n, 1, 1))
        hung = index[:, I_PARENT] >= 0
        parent_align[hung] = align[index[hung, I_PARENT]]
        at_rotation, at_position = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3))
        at_rotation[first], at_position[first] = columns.at_rotation, columns.at_position

        # Floats of each stage
        rows = np.zeros((n, MODEL_ROW))
        rows[last] = mass_rows(columns, slice(None), align[last])
        rows[:, _ROTATION] = (parent_align.transpose(0, 2, 1) @ at_rotation @ align).reshape(n, 9)
        rows[:, _POSITION] = np.einsum("nji,nj->ni", parent_align, at_position)
        slide = STAGE_SLIDE[of]
        rows[:, M_SLIDE] = np.where(np.isnan(slide), columns.pitch[owner], slide)
        rows[:, M_TURN] = STAGE_TURN[of]
        one_axis = KIND_NV[kind] == 1
        rows[one_axis, M_DAMPING] = columns.damping[index[one_axis, I_V]]
        rows[one_axis, M_ARMATURE] = armature(linkage)[index[one_axis, I_V]]

        self.publish(linkage, index, rows, align, *_dof_tree(index, self.nv))

    def publish(self, linkage: Linkage, index, rows, align, dof_parent, row_start) -> None:
        """Lay out the blocks from integers and floats of each stage."""
        columns, n = linkage.columns, self.stages
        header = np.zeros(MODEL_HEADER)
        header[:3] = linkage.gravity
        self.model = np.concatenate([header, rows.ravel(), columns.damping, armature(linkage), align.ravel()])
        self.nonzeros = int(row_start[-1])
        quaternions = np.sort(_quaternions(columns.code, columns.q_start))
        block = _block(index[:, I_PARENT])
        weak, parent = weak_stages(rows, index, columns.armature), index[:, I_PARENT]
        on_weak = (parent >= 0) & weak[parent]
        index[:, I_FLAGS] = OPENS * _opening(parent, block) + WEAK * weak + ON_WEAK * on_weak
        sizes = [n, self.nq, self.nv, self.nb, self.nonzeros, len(quaternions), block, int(weak.sum())]
        head = np.array(sizes + [0] * (INDEX_HEADER - len(sizes)), dtype=np.int64)
        self.index = np.concatenate([head, index.ravel(), dof_parent, row_start, quaternions])
        self.align = align
        self.square = (self.nv, self.nv)
        self.vectors, self.twists, self.matrices = (self.nb, 3), (self.nb, 6), (self.nb, 3, 3)
        self.zeros = np.zeros(self.nv)  # no torque; kernels only read it
        for block in (self.model, self.index, self.align, self.stage, self.first_stage):
            block.flags.writeable = False
        self.adopt(linkage)

    def adopt(self, linkage: Linkage) -> None:
        """Take up what acts on the tree: force elements, loops, contacts. Nothing computed before is kept."""
        self.table = _force_table(linkage, self)
        self.loaded = bool(self.table[:3].any())  # whether force elements act
        self.closed = bool(len(linkage.loops) or linkage.couplings)  # whether loops or couplings constrain it
        self.plain = not (self.loaded or self.closed or len(linkage.contacts))
        self.assembly: Assembly | None = None  # made when it is first asked for
        self.loops: Any = None  # the packed loop joints, made on first use
        self.contacts: Any = None  # the packed surface constraints, made on first use
        self.shapes: Any = None  # the packed shapes, made on first use
        # Idle workspaces, and contexts of fast calls by address; list operations are atomic, so threads share them
        self.pool: list[np.ndarray] = []
        self.pack_pool: list[tuple] = []  # for packs of states, a slot for each thread,
        self.lane_pool: defaultdict[tuple, list] = defaultdict(list)  # and their inputs and outputs, by sizes
        self.contexts: list[int] = []
        self.kept: list[np.ndarray] = []  # the memory behind the contexts
        self.aba: Any = None  # compiled entry points of fast calls, bound on first use
        self.rnea: Any = None
        self.crba: Any = None
        self.body_poses: Any = None
        self.body_velocities: Any = None
        self.jacobian: Any = None
        self.targets: dict[tuple, np.ndarray] = {}  # of `jacobian`, by body and point
        self.derivatives: Any = None  # the fast way to derivatives, made on first use

    @property
    def work_size(self) -> int:
        """Scalars of a workspace; pages of it that an algorithm never touches cost nothing."""
        return (WORK_ROW + 6 + FACTOR_ROW + 2) * self.stages + 6 * self.nv

    def work(self, extra: int = 0) -> np.ndarray:
        """An idle workspace, with so many scalars more; give it back with ``tree.idle(extra).append``."""
        try:
            return self.idle(extra).pop()
        except IndexError:
            return in_lines(self.work_size + extra)

    def idle(self, extra: int = 0) -> list:
        """Idle workspaces of this size."""
        return self.lane_pool["work", extra] if extra else self.pool

    @property
    def parent(self) -> np.ndarray:
        """(stages,) parent of each stage, −1 for ground."""
        return self._stage_column(I_PARENT)

    @property
    def kind(self) -> np.ndarray:
        """(stages,) kernel joint kind of each stage."""
        return self._stage_column(I_KIND)

    @property
    def body(self) -> np.ndarray:
        """(stages,) the body each stage is, −1 for the massless stages of a joint that has several."""
        return self._stage_column(I_BODY)

    @property
    def weak(self) -> np.ndarray:
        """(stages,) whether the own inertia of each, by itself, leaves an axis of its joint without resistance."""
        return ((self._stage_column(I_FLAGS) & WEAK != 0) & (KIND_NV[self.kind] > 0)) | (self.body < 0)

    @property
    def frail(self) -> bool:
        """Whether some joint may have no inertia at some pose: behind massless bodies, thin rods, gimbals that lock."""
        return bool(self.index[N_WEAK])

    @property
    def stage_rows(self) -> np.ndarray:
        """(stages, MODEL_ROW) view of the model: the floats of each stage."""
        return self.model[MODEL_HEADER : MODEL_HEADER + MODEL_ROW * self.stages].reshape(-1, MODEL_ROW)

    def _stage_column(self, column: int) -> np.ndarray:
        return self.index[INDEX_HEADER + column : INDEX_HEADER + INDEX_ROW * self.stages : INDEX_ROW]

    def body_at(self, stage: int) -> int:
        """The body that a stage is, or whose joint it is part of."""
        while self.body[stage] < 0:
            stage += 1
        return int(self.body[stage])

    @property
    def dof_parent(self) -> np.ndarray:
        """(nv,) the degree of freedom each one hangs on, −1 for none."""
        start = INDEX_HEADER + INDEX_ROW * self.stages
        return self.index[start : start + self.nv]

    @property
    def row_start(self) -> np.ndarray:
        """(nv + 1,) where each row of the packed mass matrix starts."""
        start = INDEX_HEADER + INDEX_ROW * self.stages + self.nv
        return self.index[start : start + self.nv + 1]

    def twin(self) -> Tree:
        """A tree that shares every block with this one, to be changed before it is given out."""
        other = object.__new__(Tree)
        other.__dict__.update(self.__dict__)
        return other

    def __reduce__(self):
        raise TypeError("a Tree is not pickled: pickle its Linkage")

    def __repr__(self) -> str:
        return f"Tree({self.nb} bodies, {self.stages} stages, nv={self.nv}, revision {self.revision})"


def in_lines(n: int) -> np.ndarray:
    """n floats that begin with a cache line."""
    memory = np.empty(n + LINE // 8)
    first = -memory.ctypes.data % LINE // 8
    return memory[first : first + n]


def pack(linkage: Linkage) -> Tree:
    """The packed tree of a linkage as it is now."""
    if linkage.columns.n == 0:
        raise StructureError(f"linkage {linkage.name!r} has no body: add one with add_body first")
    return Tree(linkage)


def depth_first(parent: np.ndarray) -> np.ndarray:
    """Position of each body in depth-first order, given ``parent[i] < i``."""
    above = parent.tolist()
    n = len(above)
    if any(p >= i for i, p in enumerate(above)):
        raise StructureError("a body comes before its parent")
    size = [1] * (n + 1)  # the last entry is ground's: Python's index −1
    for i in range(n - 1, -1, -1):
        size[above[i]] += size[i]
    free = [0] * (n + 1)  # next free position below each body
    position = [0] * n
    for i, p in enumerate(above):
        place = free[p]
        position[i] = place
        free[p] = place + size[i]
        free[i] = place + 1
    return np.array(position, dtype=np.int64)


def place_coordinates(index: np.ndarray, columns: Columns, owner: np.ndarray, first: np.ndarray) -> None:
    """Write where the coordinates and velocities of each stage are, the stages of a joint one after the other."""
    place = np.arange(len(owner)) - first[owner]
    index[:, I_Q], index[:, I_V] = columns.q_start[owner] + place, columns.v_start[owner] + place


def mass_rows(columns, bodies, align: np.ndarray) -> np.ndarray:
    """(n, MODEL_ROW) rows that hold the inertias of bodies in the frames of their stages."""
    mass = columns.mass[bodies]
    rows = np.zeros((len(mass), MODEL_ROW))
    com = np.einsum("nji,nj->ni", align, columns.com[bodies])
    rows[:, M_MASS], rows[:, M_MOMENT : M_MOMENT + 3] = mass, mass[:, None] * com
    rows[:, M_INERTIA : M_INERTIA + 6] = _moments(mass, com, columns.inertia[bodies], align)
    rows[:, M_TURN] = 1.0
    return rows


def _moments(mass, com, inertia, align):
    """(n, 6) second moments about the stage's origin, in its frame."""
    xx, xy, xz, yy, yz, zz = inertia.T
    full = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=-1).reshape(-1, 3, 3)
    full = align.transpose(0, 2, 1) @ full @ align
    square = np.einsum("ni,ni->n", com, com)
    full += mass[:, None, None] * (square[:, None, None] * np.eye(3) - com[:, :, None] * com[:, None, :])
    return full[:, [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]


def _dof_tree(index, nv):
    """The expanded parent array (one entry per degree of freedom) and the row starts of the packed mass matrix."""
    parent, v = index[:, I_PARENT], index[:, I_V]
    count = KIND_NV[index[:, I_KIND]]
    end = np.where(count > 0, v + count - 1, -1)  # last degree of freedom at or above each stage
    for i in np.flatnonzero(count == 0):
        end[i] = end[parent[i]] if parent[i] >= 0 else -1
    dof_parent = np.arange(-1, nv - 1, dtype=np.int64)
    moving = count > 0
    dof_parent[v[moving]] = np.where(parent[moving] >= 0, end[parent[moving]], -1)
    depth = [0] * (nv + 1)  # the last entry is ground's
    for d, p in enumerate(dof_parent.tolist()):
        depth[d] = depth[p] + 1
    row_start = np.concatenate([[0], np.cumsum(np.array(depth[:nv], dtype=np.int64))]).astype(np.int64)
    return dof_parent, row_start


def _block(parent):
    """Stages in a block, where at least three in four have their subtrees within theirs; else 0."""
    ends = np.arange(BLOCK, len(parent), BLOCK)
    ends = ends[:: 1 + len(ends) // 256]
    above, across = parent[ends], 0  # walk up from the beginning of the next block to find what reaches beyond
    while np.any(inside := above >= ends - BLOCK):
        across += np.count_nonzero(inside)
        above = np.where(inside, parent[above], -1)
    return BLOCK if 4 * across <= BLOCK * len(ends) else 0


def _opening(parent, block):
    """Which stage a sweep towards the root comes to first, of each set of siblings: see `linkwork.kernels.aba`."""
    if block:
        return parent == np.arange(-1, len(parent) - 1)
    opening = np.zeros(len(parent), dtype=bool)
    opening[len(parent) - 1 - np.unique(parent[::-1], return_index=True)[1]] = True
    return opening


def _force_table(linkage, tree):
    """The force elements as the flat table of `linkwork.kernels.forces`, points in stage frames."""
    forces = pack_forces(linkage)
    ends = np.where(forces.spring_bodies >= 0, tree.stage[forces.spring_bodies], -1)
    springs = np.concatenate([ends, forces.spring_values], axis=1)
    for side, columns in ((0, slice(2, 5)), (1, slice(5, 8))):
        on = ends[:, side] >= 0
        springs[on, columns] = np.einsum("nji,nj->ni", tree.align[ends[on, side]], springs[on, columns])
    joint_springs = np.column_stack(
        [forces.joint_spring_v, forces.joint_spring_q, forces.joint_spring_stiffness, forces.joint_spring_rest]
    )
    frictions = np.column_stack([forces.friction_v, forces.friction_coulomb, forces.friction_speed])
    header = [len(springs), len(joint_springs), len(frictions)]
    table = np.concatenate([header, springs.ravel(), joint_springs.ravel(), frictions.ravel()]).astype(np.float64)
    table.flags.writeable = False
    return table


def _quaternions(code, q_start):
    """Where in q the quaternions are."""
    offset = QUATERNION[code]
    return (q_start + offset)[offset >= 0]


def _refuse_free_armature(columns):
    free = np.flatnonzero(columns.code == FREE)
    for body in free:
        first = columns.v_start[body]
        if np.any(columns.armature[first : first + 6]):
            raise ArgumentError(
                f"joint {columns.joint_names[body]!r} is Free and has armature: a free joint has no rotor"
            )
