"""A spanning tree of links and joints: which joints carry bodies, and which close loops.

The tree has least depth, counted in moving joints; among joints that reach a link at the same depth the one with the
fewest degrees of freedom is taken (it leaves the fewest rows to the loop), then the first by name. So the order of a
file plays no part. A joint marked as `kept` (one that bears a spring or a coupling, which act on tree joints) carries
its child even where that makes the tree deeper.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable
from typing import NamedTuple

ROOT = ""
"""The node from which a tree grows: the world."""


class Edge(NamedTuple):
    """A joint between the nodes `a` and `b`, by name, with its degrees of freedom."""

    name: str
    a: str
    b: str
    nv: int
    kept: bool = False


class Branch(NamedTuple):
    """An edge of the tree, walked from the root: from `parent` to `child`."""

    edge: Edge
    parent: str
    child: str

    @property
    def reverse(self) -> bool:
        """Whether it is walked from b to a."""
        return self.child == self.edge.a


def spanning_tree(edges: Iterable[Edge], root: str = ROOT) -> tuple[list[Branch], list[Edge]]:
    """Return the branches depth first, brothers by name, and the edges that close loops, by name.

    Edges that the root does not reach are in neither list.
    """
    around: dict[str, list[Edge]] = {}
    edges = list(edges)
    for edge in edges:
        around.setdefault(edge.a, []).append(edge)
        around.setdefault(edge.b, []).append(edge)
    held = {edge.b for edge in edges if edge.kept}
    reached: dict[str, Branch | None] = {}
    waiting: list[tuple[int, int, int, str, str, Branch | None]] = [(0, 0, 0, "", root, None)]
    while waiting:
        wrong, depth, _, _, node, branch = heapq.heappop(waiting)
        if node in reached:
            continue
        reached[node] = branch
        for edge in around.get(node, ()):
            other = edge.b if edge.a == node else edge.a
            if other not in reached:
                against = wrong + (other in held and not (edge.kept and edge.b == other))
                rank = against, depth + (edge.nv > 0), edge.nv, edge.name
                heapq.heappush(waiting, (*rank, other, Branch(edge, node, other)))
    taken = {branch.edge.name for branch in reached.values() if branch is not None}
    loops = {edge.name: edge for node in reached for edge in around.get(node, ()) if edge.name not in taken}
    return _depth_first(reached, root), [loops[name] for name in sorted(loops)]


def _depth_first(reached: dict[str, Branch | None], root: str) -> list[Branch]:
    below: dict[str, list[Branch]] = {}
    for branch in reached.values():
        if branch is not None:
            below.setdefault(branch.parent, []).append(branch)
    for branches in below.values():
        branches.sort(key=lambda branch: branch.edge.name, reverse=True)
    order, pending = [], list(below.get(root, ()))
    while pending:
        order.append(pending.pop())
        pending.extend(below.get(order[-1].child, ()))
    return order


def roots(nodes: Iterable[str], edges: Iterable[Edge], chosen: Collection[str] = ()) -> list[str]:
    """Return one root for every part of a graph that no edge joins to `ROOT`, by name.

    A link in `chosen` comes first, then one that is no joint's child, then that from which the tree is least deep,
    then the first by name.
    """
    edges = list(edges)
    children = {edge.b for edge in edges}
    seen = {ROOT} | {branch.child for branch in spanning_tree(edges)[0]}
    found = []
    for node in sorted(nodes):
        if node in seen:
            continue
        part = {node} | {branch.child for branch in spanning_tree(edges, node)[0]}
        seen |= part
        best = [each for each in sorted(part) if each in chosen] or [
            each for each in sorted(part) if each not in children
        ]
        candidates = best or sorted(part)
        found.append(min(candidates, key=lambda each: _depth(edges, each)) if len(candidates) > 1 else candidates[0])
    return sorted(found)


def _depth(edges: list[Edge], root: str) -> int:
    depth = {root: 0}
    for branch in spanning_tree(edges, root)[0]:
        depth[branch.child] = depth[branch.parent] + (branch.edge.nv > 0)
    return max(depth.values())
