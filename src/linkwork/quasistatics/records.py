"""What an adaptive simulation keeps: the records of its assembly tree, up to date with what moves and acts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.dynamics.divide_conquer import new_buffer
from linkwork.errors import ArgumentError, StructureError
from linkwork.kernels.launch import call
from linkwork.kernels.layout import SINGULAR
from linkwork.linkage.change import Change
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.launch import problem
from linkwork.quasistatics.loops import PASSES, AdaptiveLoops

MEASURES = ("absolute-linkage", "relative-linkage", "absolute-joint", "relative-joint")
SHARE = 0.1  # of the joints, beyond which the exact step is the faster one
FINE = 1e-6  # noise, relative to all accelerations, above which new references are tried
CHANGED, BEGIN, COMPUTE, MOVE, TOO_MANY = 1, 2, 4, 8, 1 << 62  # as in kernels.adaptive
NOISE_OF_LOOPS = 4.0  # the noise of a closed linkage in terms of that of its tree: a floor twice as high
FORCE_ROW = 15  # numbers for what acts on a body, as in kernels.upkeep


class AdaptiveRecords:
    """The records of an assembly tree, and what keeps them up to date; `AdaptiveSimulation` steps with them."""

    linkage: Linkage
    error: str
    gain: float
    _q: np.ndarray
    _tau: np.ndarray
    _forces: dict[int, np.ndarray]  # body: point in it, force, moment
    _force_bodies: list[int]  # bodies that bear something, as in `_force_rows`
    _force_rows: np.ndarray

    def _bind(self, assembly: Assembly, buffer: np.ndarray | None = None) -> None:
        """Take up an assembly tree: the arrays that go with it."""
        from linkwork.kernels.assembly_tree.assembly import KIND, LEAF, STAGE
        from linkwork.kernels.assembly_tree.total_acceleration import FULL_SOLVE_ROWS, OPEN_ROWS, TOTAL_ROWS

        self._assembly, self._tree = assembly, assembly.tree
        tree = assembly.tree
        self._loops: AdaptiveLoops | None = None
        self._revision = self.linkage.revision, self.linkage.parameters_revision
        self._nodes = nodes = assembly.nodes.copy()
        n = len(nodes)
        if buffer is None:
            index, extra = tree.index, (TOTAL_ROWS, OPEN_ROWS, FULL_SOLVE_ROWS)
            self._rows = int(call(("assembly_tree.parts", "lay_out"), index, nodes, *extra))
            buffer = new_buffer(0)
        self._buffer = buffer
        self._work = np.zeros(tree.work_size)
        self._keys, self._queue, self._taken = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
        self._order, self._stack, self._mark = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64)
        self._count, self._known, self._bounds, self._six = np.zeros(3, np.int64), np.ones(3), np.zeros(2), np.zeros(6)
        self._a, self._aside = np.zeros(tree.nv), np.zeros(tree.nv)
        leaf, stage = nodes[:, KIND] == LEAF, nodes[:, STAGE]
        joint = ~leaf & (stage >= 0)
        self._leaf_node, self._joint_node = np.empty(tree.stages, np.int64), np.empty(tree.stages, np.int64)
        self._leaf_node[stage[leaf]] = np.flatnonzero(leaf)
        self._joint_node[stage[joint]] = np.flatnonzero(joint)
        self._force_of = np.full(tree.stages, -1)
        self._driven: set[int] = set()

    def _make_room(self, forces: dict[str, np.ndarray] | None = None) -> None:
        """Plan the loop joints, which start from these forces, and a buffer that holds all records."""
        from linkwork.kernels.assembly_tree.references import CENTRING_ROWS

        self._loops, self._scratch, scratch_rows = None, self._rows, CENTRING_ROWS
        if self.linkage._loops.records:
            self._loops = AdaptiveLoops(self.linkage, self._assembly, self._nodes, self._rows)
            self._loops.resume(forces or {})
            self._scratch += self._loops.rows
            scratch_rows = max(scratch_rows, self._loops.scratch_rows)
        self._known[2] = NOISE_OF_LOOPS if self._loops else 1.0
        self._buffer = _grown(self._buffer, self._scratch + scratch_rows)
        self._balanced = False

    def _pack_forces(self) -> None:
        """What acts on bodies as kernels read it, in stage frames: forces from outside, and those of loop joints."""
        tree, held = self._tree, dict(zip(self._force_bodies, self._force_rows.reshape(-1, FORCE_ROW), strict=True))
        self._force_bodies = [*self._forces, *(set(self._loops.bodies if self._loops else ()) - set(self._forces))]
        stages = tree.stage[np.array(self._force_bodies, dtype=np.int64)]
        self._force_of[:] = -1
        self._force_of[stages] = np.arange(len(stages))
        self._force_leaves = self._leaf_node[stages]
        rows = np.zeros((len(stages), FORCE_ROW))
        if self._forces:
            rows[: len(self._forces), :9] = list(self._forces.values())
            rows[:, :3] = np.einsum("nji,nj->ni", tree.align[stages], rows[:, :3])
        if self._loops:
            for row, body in zip(rows, self._force_bodies, strict=True):
                row[9:] = held[body][9:] if body in held else 0.0
        self._force_rows = rows.ravel()
        self._force_changed = self._balanced = False

    def _balance(self) -> None:
        """Find the forces of loop joints, and let them act."""
        if self._loops is None or self._balanced:
            return
        for _ in range(PASSES):
            outcome, more = self._loops.solve(
                self._tree, self._work, self._buffer, self._nodes, self._scratch, self.gain or math.inf,
                self._force_rows, self._force_of, self._aside, self._q,
            )  # fmt: skip
            if outcome:
                raise problem(self.linkage, outcome)
            self._advance(CHANGED)
            if not more:
                break
        self._balanced = True

    def _let_go(self) -> None:
        """Take the forces of loop joints off the bodies."""
        if self._stale or self._loops is None:
            return
        self._drop()
        self._force_rows.reshape(-1, FORCE_ROW)[:, 9:] = 0.0
        self._advance(CHANGED)

    def _rebuild(self, fresh: np.ndarray | None = None) -> None:
        """Every coefficient anew from q, or those of the nodes that `fresh` marks."""
        from linkwork.kernels.assembly_tree.assembly import KIND, LEAF

        if fresh is None:
            fresh = self._nodes[:, KIND] != LEAF
        self._pack_forces()
        self._heavy = self._is_heavy()
        outcome = self._run(
            "assembly_tree.upkeep", "rebuild", self._work, self._buffer, self._nodes, self._tau, self._q,
            self._force_rows, self._force_of, fresh, self._scratch, self._aside, self._heavy,
        )  # fmt: skip
        if outcome:
            raise problem(self.linkage, outcome)
        self._driven.clear()
        self._stale = self._begun = False
        self._least_noise = self._numbers()[1]

    def _check(self) -> None:
        if self.linkage.revision != self._revision[0]:
            raise StructureError("the structure has changed: tell the simulation with follow(change), or use its "
                                 "cut and connect")
        if self.linkage.parameters_revision != self._revision[1]:
            refuse(self.linkage)
            self._bind(self.linkage.assembly())
            self._make_room()
            self._rebuild()

    def _numbers(self) -> tuple[float, float, float]:
        """The total acceleration, and the squares of what rounding does to it with lower digits kept and without."""
        from linkwork.kernels.assembly_tree.assembly import TOTAL
        from linkwork.kernels.assembly_tree.total_acceleration import T_NUMBERS

        total, noise, _, of_floats = self._buffer[self._nodes[-1, TOTAL] + T_NUMBERS, 0].tolist()
        return total, noise, of_floats

    def _is_heavy(self) -> bool:
        """Whether loads may hold each other, and so be large beside what they do."""
        return bool(self._loops or np.any(self.linkage.gravity) or self._tau.any())

    def _prepare(self) -> None:
        """Bring everything up to date with the loads."""
        many = len(self._driven) > SHARE * self._tree.stages  # references would be far from the new loads
        if many or (self._driven and self._heavy != self._is_heavy()):
            self._stale = True
            self._drop()
        if self._stale:
            self._rebuild()
        if self._force_changed or self._driven:
            self._drop()
            self._pack_forces()
            self._advance(CHANGED)
            self._driven.clear()
            total, noise, _ = self._numbers()
            if noise > max(FINE**2 * total, 4.0 * self._least_noise):  # references are far from the new loads
                self._rebuild()
            if not all(row[3:].any() for row in self._forces.values()):  # forces taken away have been so by now
                self._forces = {body: row for body, row in self._forces.items() if row[3:].any()}
                self._pack_forces()
        if not self._begun:
            self._balance()

    def _advance(self, what: int, tolerance: float = 0.0, most: int = 0) -> int:
        driven = np.fromiter(self._driven, np.int64, len(self._driven)) if what & CHANGED else _NONE
        updated = self._run(
            "assembly_tree.adaptive", "advance", self._work, self._buffer, self._nodes, self._keys, self._queue,
            self._taken, self._count, self._known, self._scratch, self._a, MEASURES.index(self.error),
            tolerance if tolerance > 0.0 else -1.0, most, what, self._bounds, self._q, self.gain, self._six, self._mark,
            self._order, self._stack, self._force_rows, self._force_of, self._force_leaves, driven, self._tau,
            self._heavy,
        )  # fmt: skip
        if updated < 0:
            raise problem(self.linkage, SINGULAR | (-1 - updated) << 4)
        return updated

    def _drop(self) -> None:
        """Forget the accelerations computed so far."""
        self._begun = False
        self._count[:] = 0
        self._a[:] = 0.0

    def _run(self, module: str, name: str, *arguments) -> Any:
        return call((module, name), self._tree.model, self._tree.index, *arguments)


_NONE = np.empty(0, dtype=np.int64)

def refuse(linkage: Linkage) -> None:
    """Raise where a linkage has what adaptive simulations do not take."""
    if linkage.couplings or len(linkage.contacts):
        raise StructureError(
            f"linkage {linkage.name!r} has couplings or contacts: adaptive simulation takes tree joints and loop joints"
        )
    if linkage.forces:
        raise ArgumentError(
            f"linkage {linkage.name!r} has force elements, whose forces change with every pose: remove them, and give "
            "what acts on it by apply_force and apply_torque"
        )


def _grown(buffer: np.ndarray, rows: int) -> np.ndarray:
    """The buffer, or a longer one with the same records."""
    if len(buffer) >= rows:
        return buffer
    longer = new_buffer(rows + rows // 8)
    longer[: len(buffer)] = buffer
    return longer


def old_stages(old, linkage: Linkage, change: Change) -> tuple[np.ndarray, np.ndarray]:
    """For each stage of a changed linkage the one it was before, and whether its joint is as before."""
    tree = linkage.tree
    stages, same_joint = np.full(tree.stages, -1), np.ones(tree.stages, dtype=np.bool_)
    stages[tree.stage] = old.stage
    inner = np.where(tree.stage - tree.first_stage == old.stage - old.first_stage, tree.stage - tree.first_stage, 0)
    for k in range(1, 1 + inner.max(initial=0)):  # the massless stages of joints that have some
        stages[tree.stage[inner >= k] - k] = old.stage[inner >= k] - k
    if change.new_joint is not None:
        changed = linkage.columns.joint_index[change.new_joint]
        same_joint[tree.first_stage[changed] : tree.stage[changed] + 1] = False
        # the frame of its stage was turned to the old joint's axis: its leaf is another one, and so are joints upon it
        stages[tree.stage[changed]] = -1
        same_joint[tree.first_stage[np.flatnonzero(linkage.columns.parent == changed)]] = False
    return stages, same_joint
