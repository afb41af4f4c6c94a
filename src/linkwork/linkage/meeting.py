"""Where loops meet in the assembly tree: the plan by which divide and conquer takes loop joints and couplings.

A row enters at the leaves of its two bodies (a coupling's at the nodes of its two joints), is carried up both ways, and
ends at the first node that holds both. Where one body is what a whole part hangs on, ground above all, the row ends as
soon as that part is complete: a thousand loops to ground then never meet each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.loop_layout import (
    COUPLING,
    L_A,
    L_B,
    L_DOF_I,
    L_DOF_J,
    L_KIND,
    L_ROW,
    L_ROWS,
    LOOP_INDEX,
    P_LOOP,
)
from linkwork.kernels.row_layout import (
    ENTERS_A,
    ENTERS_B,
    ENTERS_FOLLOWER,
    ENTERS_LEADER,
    ENTERS_NOT,
    rows_needed,
)
from linkwork.linkage.tree import INDEX_HEADER, INDEX_ROW, KIND_NV

if TYPE_CHECKING:
    from linkwork.linkage.assembly import Assembly
    from linkwork.linkage.closing import Loops


class Meeting:
    """The rows of loops at the nodes of an assembly tree.

    Where `at_leaves`, every row goes all the way to the leaves of its bodies, ground excepted: then its force is one on
    leaves alone.

    Attributes
    ----------
    special : (nodes,) array
        Where in `net` the header of a node is; −1 where no row passes.
    net : array of int
        See `linkwork.kernels.row_layout`. Places count from the row of the buffer given as `first`.
    rows : int
        Rows of the buffer that special nodes need.
    most : int
        Rows of loops at a node, at most.
    """

    def __init__(self, assembly: Assembly, loops: Loops, first: int, *, at_leaves: bool = False):
        nodes = assembly.nodes
        passing: dict[int, list[int]] = {}  # loops at each special node
        ending = np.empty(len(loops.names), dtype=np.int64)
        enters: dict[tuple[int, int], int] = {}  # (node, loop): how
        table = _loop_table(loops)
        climb = _Climb(assembly, at_leaves)
        for loop in np.flatnonzero(loops.rows).tolist():
            ends, how = climb.ends(table[loop])
            ending[loop] = meet = climb.meeting(*ends)
            for end, entry in zip(ends, how, strict=True):
                enters[end, loop] = entry
                for node in climb.way(end, meet):
                    at = passing.setdefault(node, [])
                    if at[-1:] != [loop]:  # unless the other end has passed here
                        at.append(loop)
        self.special = np.full(len(nodes), -1, dtype=np.int64)
        self._write(nodes, table, passing, ending, enters, first)
        for block in (self.special, self.net):
            block.flags.writeable = False

    def _write(self, nodes, table, passing, ending, enters, first):
        from linkwork.kernels.assembly import KIND, LEAF, LEFT, RIGHT

        net: list[int] = []
        place: dict[int, dict[int, int]] = {}  # of each special node, the first row of each loop
        row, self.most = first, 0
        for node in sorted(passing):
            loops = sorted(passing[node], key=lambda loop: (ending[loop] == node, loop))
            open_rows = sum(int(table[loop, L_ROWS]) for loop in loops if ending[loop] != node)
            place[node], lines = {}, []
            sides = [place.get(int(child), {}) for child in nodes[node, [LEFT, RIGHT]]]
            for loop in loops:
                place[node][loop] = len(lines)
                entry = enters.get((node, loop), ENTERS_NOT)
                starts = [side.get(loop, -1) for side in sides]
                for r in range(int(table[loop, L_ROWS])):
                    there = [start + r if start >= 0 else -1 for start in starts]
                    lines.append([int(table[loop, L_ROW]) + r, *there, loop, r, entry])
            self.special[node], self.most = len(net), max(self.most, len(lines))
            net += [len(lines), open_rows, row]
            for line in lines:
                net += line
            row += rows_needed(len(lines), nodes[node, KIND] == LEAF)
        self.net, self.rows = np.array(net, dtype=np.int64), row - first


class _Climb:
    """Ways up an assembly tree."""

    def __init__(self, assembly: Assembly, at_leaves: bool):
        from linkwork.kernels.assembly import ABOVE, HANG, KIND, LEAF, STAGE

        self.at_leaves = at_leaves
        nodes, tree = assembly.nodes, assembly.tree
        leaf, stage = nodes[:, KIND] == LEAF, nodes[:, STAGE]
        joint = ~leaf & (stage >= 0)
        self.leaf, self.joint = np.empty(tree.stages, np.int64), np.empty(tree.stages, np.int64)
        self.leaf[stage[leaf]], self.joint[stage[joint]] = np.flatnonzero(leaf), np.flatnonzero(joint)
        self.above = nodes[:, ABOVE].tolist()
        hangs = nodes[:, KIND] == HANG
        self.hangs_on = np.where(hangs, tree.parent[np.where(hangs, stage, 0)], -2).tolist()  # stage; −2: none
        rows = tree.index[INDEX_HEADER : INDEX_HEADER + INDEX_ROW * tree.stages].reshape(-1, INDEX_ROW)
        moving = np.flatnonzero(KIND_NV[tree.kind] > 0)
        self.stage_of = np.empty(tree.nv, dtype=np.int64)  # of the first degree of freedom of each stage
        self.stage_of[rows[moving, 3]] = moving

    def ends(self, row: np.ndarray) -> tuple[tuple[int, int], tuple[int, int]]:
        """The nodes where a loop enters, and how."""
        if row[L_KIND] == COUPLING:
            follower, leader = (int(self.joint[self.stage_of[row[dof]]]) for dof in (L_DOF_I, L_DOF_J))
            return (follower, leader), (ENTERS_FOLLOWER, ENTERS_LEADER)
        a, b = int(row[L_A]), int(row[L_B])
        end_b = int(self.leaf[b]) if b >= 0 else self.hung(int(self.leaf[a]), b)
        end_a = int(self.leaf[a]) if a >= 0 else self.hung(end_b, a)
        if a >= 0 and b >= 0 and not self.at_leaves:
            meet = self.meeting(end_a, end_b)
            at_a, at_b = self.hung(end_b, a, meet), self.hung(end_a, b, meet)
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

    def meeting(self, a: int, b: int) -> int:
        """The first node that holds two."""
        while a != b:
            if a < b:
                a = self.above[a]
            else:
                b = self.above[b]
        return a


def _loop_table(loops: Loops) -> np.ndarray:
    """(loops, LOOP_INDEX) the rows of the plan."""
    start = int(loops.plan[P_LOOP])
    return loops.plan[start : start + LOOP_INDEX * len(loops.names)].reshape(-1, LOOP_INDEX)
