"""An assembly tree that somebody chose: joints in the order in which parts are joined.

A part keeps at most two handles, its top body and a bottom body, so that at any time

- only one body of a part carries joints that are still to be taken: its bottom body;
- that is its top body as long as there are several of them.

References: [Redon2005] section 3.1.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.launch import call
from linkwork.kernels.layout.nodes import HANG, HEIGHT, JOIN, LEAF, NODE_ROW, OPEN, SUM

if TYPE_CHECKING:
    from linkwork.linkage.joint_handle import Joint
    from linkwork.linkage.linkage import Linkage


def rows_of(linkage: Linkage, order: Iterable[str | Joint]) -> np.ndarray:
    """The rows of joints that are given by name or handle: every joint of the tree, once."""
    rows = np.array([linkage._resolve_joint(joint) for joint in order], dtype=np.int64)
    times, names = np.bincount(rows, minlength=linkage.nb), linkage.columns.joint_names
    for wrong, what in ((times == 0, "is not in it"), (times > 1, "is in it more than once")):
        if wrong.any():
            raise ArgumentError(
                f"an order of assembly has every joint of the tree once: {names[int(wrong.argmax())]!r} {what}"
            )
    return rows


def join_in_order(linkage: Linkage, joints: np.ndarray) -> np.ndarray:
    """The nodes of the assembly tree that takes the joints of these rows one after the other."""
    building = _Building(linkage)
    for joint in joints.tolist():
        building.take(joint)
    return building.nodes()


class _Building:
    """Parts on the way to a whole; stages stand for bodies and for the joints above them."""

    def __init__(self, linkage: Linkage):
        self.linkage, self.tree = linkage, linkage.tree
        self.parent, self.weak = self.tree.parent.tolist(), self.tree.weak.tolist()
        n = self.tree.stages
        self.left = np.bincount(self.tree.parent + 1, minlength=n + 1)[1:].tolist()  # joints below, not yet taken
        self.taken = np.zeros(n, dtype=np.bool_)
        self.rows: list[list[int]] = []
        self.node = [self.add(LEAF, -1, -1, s, 1, self.left[s] > 0) for s in range(n)]  # by the part's top body
        self.top = list(range(n))  # by its bottom body
        self.bottom = [s if self.left[s] else -1 for s in range(n)]  # by its top body; −1: all is joined
        self.roots: list[tuple[int, int]] = []  # heights and nodes of what hangs on ground

    def add(self, kind: int, left: int, right: int, stage: int, rigid: int, opened: int) -> int:
        """Write a node, as `linkwork.kernels.assembly_tree.build_tree.new_node` does; its number."""
        height = max((1 + self.rows[part][HEIGHT] for part in (left, right) if part >= 0), default=0)
        self.rows.append([left, right, kind, stage, rigid, opened, height, *(NODE_ROW - HEIGHT - 1) * [-1]])
        return len(self.rows) - 1

    def take(self, joint: int) -> None:
        """Join the two parts on the sides of a joint; of its stages the lowest first."""
        self.check(joint)
        for stage in range(int(self.tree.stage[joint]), int(self.tree.first_stage[joint]) - 1, -1):
            self.taken[stage] = True
            part, body = self.node[stage], self.parent[stage]
            if body < 0:
                node = self.add(HANG, -1, part, stage, 1, 0)
                heapq.heappush(self.roots, (self.rows[node][HEIGHT], node))
                continue
            top, self.left[body] = self.top[body], self.left[body] - 1
            if self.left[body]:  # one body still, and what hangs on it
                self.node[top] = self.add(JOIN, self.node[top], part, stage, 1, 1)
                continue
            self.node[top] = self.add(JOIN, self.node[top], part, stage, 0, self.rows[part][OPEN])
            self.bottom[top] = low = self.bottom[stage]
            if low >= 0:
                self.top[low] = top

    def check(self, joint: int) -> None:
        """Whether the turn of a joint has come: what hangs on it must have left no more than one joint to take."""
        child, body = int(self.tree.stage[joint]), self.parent[self.tree.first_stage[joint]]
        low = self.bottom[child]
        if low < 0:
            return
        if self.left[low] > 1:
            why = f"take all but one of {self.still_on(low)} before it"
        elif body < 0:
            why = f"it joins all to ground; take {self.still_on(low)} before it"
        elif low == child and self.weak[child]:
            why = f"its body has too little inertia to be joined first; take {self.still_on(low)} before it"
        elif self.left[body] > 1:
            others = self.still_on(body, but=joint)
            why = f"a part would go on at two bodies; take {self.still_on(low)}, or {others}, before it"
        else:
            return
        name = self.linkage.columns.joint_names[joint]
        raise ArgumentError(f"joint {name!r} comes too early in the order of assembly: {why}")

    def still_on(self, stage: int, but: int = -1) -> str:
        """The names of the joints on a body that are not yet taken."""
        stages = np.flatnonzero((self.tree.parent == stage) & ~self.taken)
        bodies = [body for body in map(self.tree.body_at, stages.tolist()) if body != but]
        return " and ".join(repr(self.linkage.columns.joint_names[body]) for body in bodies)

    def nodes(self) -> np.ndarray:
        """All nodes in post-order; what hangs on ground is summed, the lowest parts first."""
        while len(self.roots) > 1:
            (_, a), (_, b) = heapq.heappop(self.roots), heapq.heappop(self.roots)
            node = self.add(SUM, a, b, -1, 1, 0)
            heapq.heappush(self.roots, (self.rows[node][HEIGHT], node))
        nodes = np.array(self.rows, dtype=np.int64)
        out = np.empty_like(nodes)
        room = np.empty((2, len(nodes) + 1), dtype=np.int64)
        call(("assembly_tree.build_tree", "in_post_order"), nodes, len(nodes), self.roots[0][1], room, out)
        return out
