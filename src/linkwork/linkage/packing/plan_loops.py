"""How loops pass the assembly tree: the plan by which divide and conquer takes loop joints and couplings.

A row enters at the leaves of its two bodies (a coupling's at the nodes of its two joints), is carried up both ways, and
ends at the first node that holds both. Where one body is what a whole part hangs on, ground above all, the row ends as
soon as that part is complete: a thousand loops to ground then never meet each other.

An axis that may have no inertia enters as a row, too, where loops pass the body. It ends with the last of them at the
latest, or with the last of those that hold what its loops pull at, where that is massless, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.layout import I_V, INDEX_HEADER, INDEX_ROW, KIND_NV
from linkwork.kernels.layout.loops import COUPLING, Loop
from linkwork.kernels.layout.nodes import ABOVE, HANG, KIND, LEAF, LEFT, RIGHT, STAGE
from linkwork.kernels.layout.rows import (
    ENTERS_A,
    ENTERS_AXIS,
    ENTERS_B,
    ENTERS_FOLLOWER,
    ENTERS_LEADER,
    ENTERS_NOT,
    rows_needed,
)

if TYPE_CHECKING:
    from linkwork.linkage.packing.assembly import Assembly
    from linkwork.linkage.packing.pack_loops import Loops


class LoopPlan:
    """The rows of loops at the nodes of an assembly tree.

    Where `at_leaves`, every row goes all the way to the leaves of its bodies, ground excepted: then its force is one on
    leaves alone. Where `whole_leaves`, leaves have as much room as other nodes. `weak` are stages whose own inertia
    does not resist every axis of their joint: where loops can move them, their axes are rows.

    Attributes
    ----------
    special : (nodes,) array
        Where in `net` the header of a node is; −1 where no row passes.
    net : array of int
        See `linkwork.kernels.layout.rows`. Places count from the row of the buffer given as `first`.
    rows : int
        Rows of the buffer that special nodes need.
    most : int
        Rows of loops at a node, at most.
    axes : int
        Rows that are axes: their numbers come after those of all loops.
    held : bool
        Whether weak stages were given.
    """

    def __init__(
        self,
        assembly: Assembly,
        loops: Loops,
        first: int,
        *,
        at_leaves: bool = False,
        whole_leaves: bool = False,
        weak: np.ndarray | None = None,
    ):
        nodes = assembly.nodes
        passing: dict[int, list[int]] = {}  # loops at each special node
        ending: dict[int, int] = {}
        enters: dict[tuple[int, int], int] = {}  # (node, loop): how
        rows = {k: (loop.row, loop.rows) for k, loop in enumerate(loops.table) if loop.rows}
        climb = _Climb(assembly, at_leaves)
        for loop in rows:
            ends, how = climb.ends(loops.table[loop])
            ending[loop] = last = first_common(climb.above, *ends)
            for end, entry in zip(ends, how, strict=True):
                enters[end, loop] = entry
                for node in climb.way(end, last):
                    at = passing.setdefault(node, [])
                    if at[-1:] != [loop]:  # unless the other end has passed here
                        at.append(loop)
        self.held, self.axes = weak is not None, 0
        if weak is not None:
            for stage, last in climb.axes(weak, passing, ending, enters).items():
                axis, node, count = -1 - stage, int(climb.joint[stage]), int(KIND_NV[assembly.tree.kind[stage]])
                rows[axis] = loops.n_rows + self.axes, count
                self.axes += count
                ending[axis], enters[node, axis] = last, ENTERS_AXIS
                for above in climb.way(node, last):
                    passing[above].append(axis)
        self.special = np.full(len(nodes), -1, dtype=np.int64)
        leaf = (nodes[:, KIND] == LEAF) & (not whole_leaves)
        self._write(nodes, leaf, rows, passing, ending, enters, first)
        for block in (self.special, self.net):
            block.flags.writeable = False

    def _write(self, nodes, leaf, rows, passing, ending, enters, first):
        net: list[int] = []
        place: dict[int, dict[int, int]] = {}  # of each special node, the first row of each loop
        row, self.most = first, 0
        for node in sorted(passing):
            loops = sorted(passing[node], key=lambda loop: (ending[loop] == node, loop))
            open_rows = sum(rows[loop][1] for loop in loops if ending[loop] != node)
            place[node], lines = {}, []
            sides = [place.get(int(child), {}) for child in nodes[node, [LEFT, RIGHT]]]
            for loop in loops:
                place[node][loop] = len(lines)
                entry = enters.get((node, loop), ENTERS_NOT)
                starts = [side.get(loop, -1) for side in sides]
                number, count = rows[loop]
                for r in range(count):
                    there = [start + r if start >= 0 else -1 for start in starts]
                    lines.append([number + r, *there, loop, r, entry])
            self.special[node], self.most = len(net), max(self.most, len(lines))
            net += [len(lines), open_rows, row]
            for line in lines:
                net += line
            row += rows_needed(len(lines), leaf[node])
        self.net, self.rows = np.array(net, dtype=np.int64), row - first


class _Climb:
    """Ways up an assembly tree."""

    def __init__(self, assembly: Assembly, at_leaves: bool):
        self.at_leaves = at_leaves
        nodes, tree = assembly.nodes, assembly.tree
        self.leaf, self.joint = assembly.leaf_of, assembly.joint_of
        self.above, self.right = nodes[:, ABOVE].tolist(), nodes[:, RIGHT].tolist()
        hangs = nodes[:, KIND] == HANG
        stage = np.where(hangs, nodes[:, STAGE], 0)
        self.hangs_on = np.where(hangs, tree.parent[stage], -2).tolist()  # stage; −2: none
        rows = tree.index[INDEX_HEADER : INDEX_HEADER + INDEX_ROW * tree.stages].reshape(-1, INDEX_ROW)
        moving = np.flatnonzero(KIND_NV[tree.kind] > 0)
        self.stage_of = np.empty(tree.nv, dtype=np.int64)  # of the first degree of freedom of each stage
        self.stage_of[rows[moving, I_V]] = moving

    def ends(self, loop: Loop) -> tuple[tuple[int, int], tuple[int, int]]:
        """The nodes where a loop enters, and how."""
        if loop.kind == COUPLING:
            follower, leader = (int(self.joint[self.stage_of[dof]]) for dof in (loop.dof_i, loop.dof_j))
            return (follower, leader), (ENTERS_FOLLOWER, ENTERS_LEADER)
        a, b = loop.a, loop.b
        end_b = int(self.leaf[b]) if b >= 0 else self.hung(int(self.leaf[a]), b)
        end_a = int(self.leaf[a]) if a >= 0 else self.hung(end_b, a)
        if a >= 0 and b >= 0 and not self.at_leaves:
            last = first_common(self.above, end_a, end_b)
            at_a, at_b = self.hung(end_b, a, last), self.hung(end_a, b, last)
            end_a, end_b = (at_a, end_b) if at_a >= 0 else (end_a, at_b if at_b >= 0 else end_b)
        return (end_b, end_a), (ENTERS_B, ENTERS_A)

    def way(self, node: int, last: int) -> list[int]:
        """The nodes from one up to another, both included."""
        nodes = [node]
        while nodes[-1] != last:
            nodes.append(self.above[nodes[-1]])
        return nodes

    def hung(self, node: int, stage: int, last: int = -1) -> int:
        """The first node from `node` up that hangs on a stage, −1 where there is none below `last`."""
        while node >= 0 and node != last:
            if self.hangs_on[node] == stage:
                return node
            node = self.above[node]
        return -1

    def axes(self, weak: np.ndarray, passing, ending: dict[int, int], enters) -> dict[int, int]:
        """The weak stages that loops can move, and the node by which all that may hold them has ended."""
        crossing: dict[int, list[int]] = {}  # of each stage, the loops that its joint lies on
        group: dict[int, int] = {}  # of each such loop, another that shares a stage with it, at last the group's first
        for stage in np.flatnonzero(weak).tolist():
            node = int(self.joint[stage])
            below = passing.get(self.right[node], [])
            loops = [loop for loop in passing.get(node, []) if loop in below or (node, loop) in enters]
            if not loops:
                continue
            crossing[stage] = loops
            firsts = {_first(group, loop) for loop in loops}
            for first in firsts:
                group[first] = min(firsts)
        last: dict[int, int] = {}
        for loop in group:
            first = _first(group, loop)
            last[first] = first_common(self.above, last.setdefault(first, ending[loop]), ending[loop])
        return {stage: last[_first(group, loops[0])] for stage, loops in crossing.items()}


def first_common(above: Sequence[int], a: int, b: int) -> int:
    """The first node that holds two, where `above` has the node that each is part of; the root, where one is ground."""
    if a < 0 or b < 0:
        return len(above) - 1
    while a != b:
        if a < b:
            a = above[a]
        else:
            b = above[b]
    return a


def _first(group: dict[int, int], loop: int) -> int:
    """The first loop of a group."""
    while group.setdefault(loop, loop) != loop:
        loop = group[loop]
    return loop
