"""The assembly tree of a linkage, to look at and to compute on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.kernels.launch import call
from linkwork.kernels.layout.nodes import (
    BUILD_LEVELS,
    BUILD_ROOM,
    HEIGHT,
    KIND,
    LEAF,
    LEFT,
    NODE_ROW,
    OPEN,
    RIGHT,
    RIGID,
    STAGE,
)
from linkwork.linkage.packing.assembly_order import join_in_order

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


class Assembly:
    """How a linkage is put together, two parts at a time: the tree that divide and conquer works on.

    Got from `Linkage.assembly`. A node is a part of the linkage: a *leaf* is one body, a *join* is two parts and the
    joint between them, a *hang* a part and the joint by which it hangs, a *sum* two parts that hang on one body. Nodes
    are in post-order, the whole linkage last. `linkwork.draw_assembly` draws it.

    Attributes
    ----------
    nodes : (n, 13) array of int, read-only
        Rows as in `linkwork.kernels.layout.nodes`.
    depth : int
        Levels of nodes above the deepest leaf: O(log nb), unless an order was chosen.
    handles : (n,) array
        At how many bodies each node touches its surroundings: 1 or 2, whatever the branching.
    leaf_of, joint_of : (stages,) arrays
        The leaf of each stage, and the node whose joint is that of the stage.

    Examples
    --------
    >>> import linkwork as lw
    >>> lw.samples.chain(1000).assembly()
    Assembly(1000 bodies, 2000 nodes, depth 11, at most 2 handles)
    """

    def __init__(self, linkage: Linkage, *, hint: np.ndarray | None = None, order: np.ndarray | None = None):
        self.tree = tree = linkage.tree
        self.names = list(linkage.columns.body_names)
        self.joint_names = list(linkage.columns.joint_names)
        if order is not None:
            self.nodes = join_in_order(linkage, order)
        else:
            hint = np.zeros(tree.stages, dtype=np.int64) if hint is None else hint
            self.nodes = _build(np.ascontiguousarray(tree.parent), tree.weak, hint)
        self.depth = int(self.nodes[-1, HEIGHT])
        self.handles = 1 + (self.nodes[:, OPEN] > self.nodes[:, RIGID])
        leaf, stage = self.nodes[:, KIND] == LEAF, self.nodes[:, STAGE]
        joint = ~leaf & (stage >= 0)
        self.leaf_of, self.joint_of = np.empty(tree.stages, np.int64), np.empty(tree.stages, np.int64)
        self.leaf_of[stage[leaf]], self.joint_of[stage[joint]] = np.flatnonzero(leaf), np.flatnonzero(joint)
        self.rows = -1  # of the buffer that records need, once they have been laid out
        self.pool: list[np.ndarray] = []  # idle buffers
        self.pieces: dict[int, Any] = {}  # subtrees for threads, by the number of threads

    def __len__(self) -> int:
        return len(self.nodes)

    def children(self, node: int) -> tuple[int, ...]:
        """Return the nodes that `node` is made of, upper part first; none for a leaf."""
        return tuple(int(child) for child in self.nodes[node, [LEFT, RIGHT]] if child >= 0)

    def label(self, node: int) -> str:
        """Return the body of a leaf, the joint of a join or hang, "+" for a sum."""
        stage = self.nodes[node, STAGE]
        if stage < 0:
            return "+"
        body = self.tree.body[stage]
        if body < 0:  # between two axes of a joint of several stages
            body = self.tree.body_at(stage)
            axis = ("first", "second")[stage - self.tree.first_stage[body]]
            return f"{self.joint_names[body]}, {axis} axis"
        return self.names[body] if self.nodes[node, KIND] == LEAF else self.joint_names[body]

    def __reduce__(self):
        raise TypeError("an Assembly is not pickled: pickle its Linkage")

    def __repr__(self) -> str:
        return (
            f"Assembly({len(self.names)} bodies, {len(self)} nodes, depth {self.depth}, "
            f"at most {self.handles.max()} handles)"
        )


def _build(parent: np.ndarray, weak: np.ndarray, hint: np.ndarray) -> np.ndarray:
    most = 3 * len(parent) + 2  # leaf, hang or join, and sum
    nodes, out = np.empty((2, most, NODE_ROW), dtype=np.int64)
    room, total = np.empty((BUILD_ROOM, max(most, 4 * BUILD_LEVELS)), dtype=np.int64), np.empty(len(parent) + 1)
    count = call(("assembly_tree.build_tree", "build"), parent, weak, hint, nodes, room, total, out)
    return out[:count].copy()
