"""Packing of loop joints and couplings: what the kernels of closed linkages read beside the `Tree`.

A row of a constraint acts on the bodies of its loop. In the sweep from leaves to root, `closed.embedding`, it is
carried up either side of the loop, stage by stage, to the nearest common ancestor, where it is eliminated. A *slot*
holds the rows of one loop at one stage; a *column* is a degree of freedom that some loop passes.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from linkwork.errors import StructureError
from linkwork.kernels.layout.kinds import (
    HINGES,
    KIND_NQ,
    KIND_NV,
    LENGTHS,
    STAGE_AXIS,
    STAGE_KIND,
    STAGE_SLIDE,
    STAGE_TURN,
    STAGES,
)
from linkwork.kernels.layout.loops import (
    AXIS,
    COLUMN_NUMBERS,
    COUPLING,
    G_A,
    G_B,
    G_DAMPING,
    G_LENGTH,
    G_MIDDLE,
    G_POLYNOMIAL,
    G_SLIDE,
    G_TURN,
    G_UNIT,
    GEOMETRY_ROW,
    LOOP_INDEX,
    P_NUMBERS,
    P_RECORDS,
    P_SLOT,
    P_SLOT_START,
    PLAN_HEADER,
    R_K,
    R_S,
    RECORD,
    SLOT,
    Loop,
    Slot,
)
from linkwork.linkage.joint_type import AXES
from linkwork.linkage.packing.frames import stage_frames
from linkwork.linkage.packing.lengths import length_of, loop_lengths, sliding, unit_of_length
from linkwork.linkage.packing.tree import Tree

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.loops import LoopRecord
    from linkwork.linkage.packing.plan_loops import LoopPlan


class Loops:
    """The packed loop joints and couplings of a linkage.

    Attributes
    ----------
    plan, geometry : arrays, read-only
        The blocks of `linkwork.kernels.layout.loops`.
    names : list of str
        A loop joint's name, or "follower = leader" of a coupling; loop joints come first.
    joints : int
        How many of them are loop joints.
    rows : (loops,) array
        Constraints each one makes; `first_row` where they start among all.
    nv, nq : int
        Degrees of freedom and coordinates of the loop joints.
    align : (joints, 3, 3) array
        Rotation from the kernel's joint frame to `at_b`.
    units : (nv + nv_loop,) array
        The linkage's unit of length where a degree of freedom slides, 1 where it turns.
    error_units : (loops, 6) array
        The same of each loop's error, in the loop's own unit.
    """

    def __init__(self, linkage: Linkage, tree: Tree):
        records, couplings = linkage._loops.records, linkage.couplings
        self.joints = len(records)
        count = self.joints + len(couplings)
        self.names = linkage.loops.names + [f"{c.joint} = {c.of}" for c in couplings]
        code = np.array([record.type.code for record in records] + [COUPLING] * len(couplings), dtype=np.int64)
        loop_nv = np.array([record.nv for record in records] + [0] * len(couplings), dtype=np.int64)
        loop_nq = np.array([record.nq for record in records] + [0] * len(couplings), dtype=np.int64)
        self.rows = np.where(code == COUPLING, 1, 6 - loop_nv)
        self.first_row = np.cumsum(self.rows) - self.rows
        self.n_rows, self.nv, self.nq = int(self.rows.sum()), int(loop_nv.sum()), int(loop_nq.sum())
        self.v_start, self.q_start = np.cumsum(loop_nv) - loop_nv, np.cumsum(loop_nq) - loop_nq

        loop = Loop(*np.zeros((LOOP_INDEX, count), dtype=np.int64))  # one column each
        loop = loop._replace(
            kind=code, rows=self.rows, row=self.first_row, nv=loop_nv, v=self.v_start, nq=loop_nq, q=self.q_start
        )
        geometry = np.zeros((count, GEOMETRY_ROW))
        self.align = np.tile(np.eye(3), (self.joints, 1, 1))
        parent = tree.parent.tolist()
        ends = []
        for k, record in enumerate(records):
            a, b = _stage(tree, record.a), _stage(tree, record.b)
            loop.a[k], loop.b[k] = a, b
            self.align[k] = _geometry(tree, record, a, b, geometry[k])
            ends.append((a, b))
        for k, coupling in enumerate(couplings, start=self.joints):
            stages = loop.b[k], loop.a[k] = _couple(linkage, tree, coupling, loop, k, geometry[k])
            ends.append((parent[stages[0]], parent[stages[1]], *stages))
        paths = self._lay_out(tree, parent, loop, ends)
        geometry[:, G_LENGTH] = loop_lengths(tree, geometry, paths, self.joints)
        geometry[:, G_UNIT] = unit_of_length(geometry[:, G_LENGTH])
        length = float(geometry[:, G_LENGTH].max(initial=0.0)) or length_of(tree)
        slides = [sliding(tree), *(np.arange(record.nv) < LENGTHS[record.type.code] for record in records)]
        self.units = np.where(np.concatenate(slides), unit_of_length(np.array(length)), 1.0)
        self.error_units = np.ones((count, 6))
        self.error_units[: self.joints, :3] = geometry[: self.joints, G_UNIT, None]
        self.geometry = geometry.ravel()
        self.damped = bool(geometry[:, G_DAMPING : G_DAMPING + 6].any())
        self.gimbals = any(HINGES[record.type.code] == 3 for record in records)
        self.no_torque, self.no_drive = np.zeros(tree.nv + self.nv), np.zeros(self.nv)
        self.assembly_plan: LoopPlan | None = None  # how rows pass the assembly tree, made on first use
        self.pool: list[np.ndarray] = []
        for block in (self.plan, self.geometry):
            block.flags.writeable = False

    def _lay_out(self, tree, parent, loop, ends):
        """Slots, columns and the places of everything in the plan and in the scratch space."""
        n, count = tree.stages, len(loop.kind)
        stage, owner, following = [], [], []  # of each slot; where it goes, by its place in these lists
        paths, entry = [], []  # the two sides of each loop, and the slots where its rows enter, at b and at a
        for k, (a, b, *own) in enumerate(ends):
            top = _common(parent, a, b)
            sides = [_path(parent, end, top) for end in (own or (b, a))]
            if sides[0][-1:] == sides[1][-1:]:  # of two coupled joints one is above the other: one path passes both
                sides = [max(sides, key=len), []]
            paths.append(sides)
            last = len(stage) + len(sides[0]) + len(sides[1])
            for side in sides:
                start = len(stage)
                entry.append(start if side else last)
                stage += side
                following += [*range(start + 1, start + len(side)), last] if side else []
            stage.append(top if top >= 0 else n)
            following.append(-1)
            owner += [k] * (last + 1 - len(owner))
        stage, owner, following = (np.array(x, dtype=np.int64) for x in (stage, owner, following))
        order = np.lexsort((owner, following >= 0, stage))  # by stage, those that end there first
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        at = np.concatenate([[0], np.cumsum(6 * self.rows[owner[order]])]).astype(np.int64)
        onward = following[order]
        slots = Slot(owner[order], at[:-1], np.where(onward >= 0, at[place[onward]], -1))
        slot_start = np.searchsorted(stage[order], np.arange(n + 2))

        tops = stage[following < 0]
        column, low, high, columns = _columns(tree, np.where(tops < n, tops, -1), paths)
        beside = self._beside(slots, slot_start, low, high)

        basis = self.rows * (high - low)
        steps = self.rows * (2 + self.rows + beside)
        loop = loop._replace(
            at_b=at[place[entry[0::2]]], at_a=at[place[entry[1::2]]], low=low, high=high, beside=beside,
            basis=np.cumsum(basis) - basis, steps=np.cumsum(steps) - steps,
        )  # fmt: skip
        self.table = [Loop(*row) for row in np.column_stack(loop).tolist()]
        sizes = [12 * (n + 1), int(at[-1]), RECORD * count, int(basis.sum()), int(steps.sum()), AXIS * tree.nv,
                 COLUMN_NUMBERS * columns, 4 * self.n_rows + 2]  # fmt: skip
        places = np.cumsum([0, *sizes])[:-1].tolist()
        world, rows_at, records, basis_at, steps_at, axes_at, spread_at, numbers_at = places
        self.scratch_size = sum(sizes)
        sections = [np.column_stack(loop).ravel(), slot_start, np.column_stack(slots).ravel(), column]
        starts = PLAN_HEADER + np.cumsum([0, *(len(section) for section in sections)])
        header = [count, self.n_rows, columns, world, rows_at, records, *starts[:4].tolist(), basis_at, steps_at,
                  axes_at, spread_at, numbers_at]  # fmt: skip
        header += [0] * (PLAN_HEADER - len(header))
        self.plan = np.concatenate([header, *sections]).astype(np.int64)
        return paths

    def _beside(self, slots, slot_start, low, high):
        """Rows of other loops that share columns with each loop's where it is eliminated."""
        beside = np.zeros(len(low), dtype=np.int64)
        ending = np.flatnonzero(slots.next < 0)
        ends = slot_start[np.searchsorted(slot_start, ending, side="right")]
        for s, end in zip(ending.tolist(), ends.tolist(), strict=True):
            mine, others = slots.loop[s], slots.loop[s + 1 : end]
            beside[mine] = self.rows[others[(low[others] <= low[mine]) & (high[others] >= high[mine])]].sum()
        return beside

    def forbidden(self, scratch: np.ndarray) -> np.ndarray:
        """(joints, 6, 6) K of each loop joint, as a kernel left it in the scratch space, filled up with zeros."""
        start = int(self.plan[P_RECORDS])
        records = scratch[start : start + RECORD * self.joints].reshape(-1, RECORD)
        K = records[:, R_K:R_S].reshape(-1, 6, 6)
        return np.where((np.arange(6) < self.rows[: self.joints, None])[..., None], K, 0.0)

    @property
    def damping(self) -> np.ndarray:
        """(loops, 6) damping of the loop joints' degrees of freedom, filled up with zeros."""
        return self.geometry.reshape(-1, GEOMETRY_ROW)[:, G_DAMPING : G_DAMPING + 6]

    def marks(self, scratch: np.ndarray) -> np.ndarray:
        """(n_rows,) view: 0 for the rows that the last elimination found redundant."""
        start = int(self.plan[P_NUMBERS]) + 3 * self.n_rows
        return scratch[start : start + self.n_rows]

    def margin(self, scratch: np.ndarray) -> tuple[float, int, int]:
        """How far the last elimination was from losing rank (1 is far, 0 there), the loop nearest to it, the rank."""
        start = int(self.plan[P_NUMBERS]) + 4 * self.n_rows
        return float(scratch[start]), int(scratch[start + 1]), int(self.marks(scratch).sum())

    def turn_back(self, wrenches: np.ndarray) -> np.ndarray:
        """Wrenches (joints, 6) in the kernel's joint frames, turned to the frames `at_b`."""
        return np.einsum("nij,nkj->nki", self.align, wrenches.reshape(-1, 2, 3)).reshape(-1, 6)

    @functools.cached_property
    def owners(self) -> list[str]:
        """Of every row, the name of its loop."""
        return [name for name, rows in zip(self.names, self.rows.tolist(), strict=True) for _ in range(rows)]

    @functools.cached_property
    def groups(self) -> np.ndarray:
        """(loops,) a number that loops share when they share a stage, directly or through others."""
        root = list(range(len(self.names)))

        def find(k: int) -> int:
            while root[k] != k:
                root[k] = root[root[k]]
                k = root[k]
            return k

        start, first = int(self.plan[P_SLOT]), int(self.plan[P_SLOT_START])
        bounds = self.plan[first:start].tolist()
        slots = Slot(*self.plan[start : start + SLOT * bounds[-1]].reshape(-1, SLOT).T)
        passing = np.flatnonzero(slots.next >= 0)
        stage = np.searchsorted(bounds, passing, side="right")
        for s in np.flatnonzero(stage[1:] == stage[:-1]):
            root[find(int(slots.loop[passing[s + 1]]))] = find(int(slots.loop[passing[s]]))
        return np.array([find(k) for k in range(len(root))], dtype=np.int64)

    def scratch(self) -> np.ndarray:
        """An idle scratch space; give it back with ``loops.pool.append``."""
        try:
            return self.pool.pop()
        except IndexError:
            return np.zeros(self.scratch_size)  # no axis is held

    def pack_scratch(self) -> np.ndarray:
        """A scratch space for packs of states."""
        from linkwork.kernels.numba_ext import aligned

        space = aligned(self.scratch_size)
        space[...] = 0.0
        return space


def _columns(tree: Tree, tops: np.ndarray, paths) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """First column of each stage (−1 where no loop passes), each loop's range of columns, and how many there are.

    Rows of loops that share a stage take on each other's columns as they are eliminated. In the order of the
    elimination tree, children first, the columns of each loop, those of its children included, lie side by side.
    """
    count = len(tops)
    order = np.lexsort((np.arange(count), -tops))  # deepest ancestor first, ground last
    home = np.full(tree.stages, -1)  # the first loop, in that order, that passes each stage
    above, root, below = [-1] * count, list(range(count)), [[] for _ in range(count)]
    for k in order.tolist():
        path = np.array(paths[k][0] + paths[k][1], dtype=np.int64)
        taken = home[path]
        home[path[taken < 0]] = k
        for child in np.unique(taken[taken >= 0]).tolist():
            while root[child] != child:
                child = root[child]
            if child != k:
                root[child] = above[child] = k
                below[k].append(child)
    passed = home >= 0
    width = np.where(passed, KIND_NV[tree.kind], 0)
    own = np.bincount(home[passed], weights=width[passed], minlength=count).astype(np.int64)
    low, high, start = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    total = 0
    waiting = [(k, False) for k in range(count) if above[k] < 0]
    while waiting:
        k, done = waiting.pop()
        if done:
            start[k] = total
            total += int(own[k])
            high[k] = total
        else:
            low[k] = total
            waiting.append((k, True))
            waiting += [(child, False) for child in below[k]]
    column = np.full(tree.stages, -1)
    inside = np.flatnonzero(passed)
    inside = inside[np.argsort(home[inside], kind="stable")]
    before = np.cumsum(width[inside]) - width[inside]
    first = np.searchsorted(home[inside], np.arange(count))
    column[inside] = start[home[inside]] + before - before[np.minimum(first, len(inside) - 1)][home[inside]]
    return column, low, high, total


def _stage(tree: Tree, body: int) -> int:
    return -1 if body < 0 else int(tree.stage[body])


def _geometry(tree: Tree, record: LoopRecord, a: int, b: int, out: np.ndarray) -> np.ndarray:
    """Write a loop joint's frames, axis along z, in the frames of its stages; return the rotation to `at_b`."""
    joint, count = record.type, int(STAGES[record.type.code])
    axes = np.array([joint.geometry()[name] for name in AXES])
    frames = stage_frames(
        STAGE_KIND[joint.code, :count], STAGE_AXIS[joint.code, :count], np.broadcast_to(axes, (count, 3, 3))
    )
    for start, pose, turn, stage in ((G_A, record.at_a, frames[0], a), (G_B, record.at_b, frames[-1], b)):
        align = tree.align[stage] if stage >= 0 else np.eye(3)
        out[start : start + 9] = (align.T @ pose.rotation @ turn).ravel()
        out[start + 9 : start + 12] = align.T @ pose.position
    slide = STAGE_SLIDE[joint.code, count - 1]
    out[[G_SLIDE, G_TURN]] = joint.geometry()["pitch"] if np.isnan(slide) else slide, STAGE_TURN[joint.code, count - 1]
    out[G_MIDDLE : G_MIDDLE + 9 * (count - 1)] = (frames[:-1].transpose(0, 2, 1) @ frames[1:]).ravel()
    out[G_DAMPING : G_DAMPING + joint.nv] = joint.damping
    return frames[-1]


def _couple(linkage: Linkage, tree: Tree, coupling, loop: Loop, number: int, geometry: np.ndarray) -> tuple[int, int]:
    """Write a coupling's row; return the stages of its two joints."""
    columns = linkage.columns
    stages = []
    ends = (coupling.joint, loop.dof_i, loop.q_i), (coupling.of, loop.dof_j, loop.q_j)
    for name, dof, coordinate in ends:
        body = linkage._resolve_joint(name)
        code = int(columns.code[body])
        if KIND_NV[code] != 1 or KIND_NQ[code] != 1:
            raise StructureError(
                f"joint {name!r} has {KIND_NV[code]} degrees of freedom: a coupling is between joints of one each"
            )
        dof[number], coordinate[number] = columns.v_start[body], columns.q_start[body]
        stages.append(int(tree.stage[body]))
    if stages[0] == stages[1]:
        raise StructureError(f"joint {coupling.joint!r} is coupled to itself")
    coefficients = coupling.coefficients
    geometry[G_POLYNOMIAL : G_POLYNOMIAL + len(coefficients)] = coefficients
    return stages[0], stages[1]


def _common(parent: list[int], a: int, b: int) -> int:
    """The nearest common ancestor of two stages, themselves included; −1 for ground."""
    while a != b:
        if a > b:
            a = parent[a]
        else:
            b = parent[b]
    return a


def _path(parent: list[int], i: int, top: int) -> list[int]:
    """The stages from i upwards, those below `top`."""
    path = []
    while i != top:
        path.append(i)
        i = parent[i]
    return path
