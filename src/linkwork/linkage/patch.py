"""A packed tree after a small change of structure, made from the one before instead of from all columns.

Loop joints are no part of the tree: connecting and cutting them shares its blocks. Cutting a tree joint moves one run
of stages, the cut body and all that hangs on it, behind all others, where it stands on ground.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.linkage.joint import COMPOUND
from linkwork.linkage.tree import (
    FIXED,
    FREE,
    INDEX_HEADER,
    INDEX_ROW,
    KIND_NV,
    MODEL_HEADER,
    MODEL_ROW,
    Tree,
    mass_rows,
)

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


def with_loops(tree: Tree, linkage: Linkage) -> Tree:
    """The same tree, with the loop joints and contacts that the linkage has now."""
    other = tree.twin()
    other.revision = linkage.revision
    other.adopt(linkage)
    return other


def after_cut(tree: Tree, linkage: Linkage, body: int) -> Tree | None:
    """The tree after the tree joint of a body gave way to a `Free` one; None where it must be packed anew."""
    n, stage = tree.stages, int(tree.stage[body])
    if tree.first_stage[body] != stage or tree.kind[stage] == FIXED:
        return None
    columns = linkage.columns
    after = np.flatnonzero(tree.parent[stage + 1 :] < stage)  # the subtree is one run of stages
    end = stage + 1 + int(after[0]) if len(after) else n
    order = np.concatenate([np.arange(stage), np.arange(end, n), np.arange(stage, end)])
    place = np.empty(n + 1, dtype=np.int64)
    place[order], place[n] = np.arange(n), -1  # the last entry is ground's: index −1
    other = tree.twin()
    other.revision, other.nq, other.nv = linkage.revision, columns.nq, columns.nv
    other.stage, other.first_stage = place[tree.stage], place[tree.first_stage]
    moved = int(place[stage])

    index = tree.index[INDEX_HEADER : INDEX_HEADER + INDEX_ROW * n].reshape(n, INDEX_ROW)[order]
    index[:, 0] = place[index[:, 0]]
    compound = COMPOUND[columns.code]
    index[other.stage, 2], index[other.stage, 3] = columns.q_start + compound, columns.v_start + compound
    index[other.first_stage[compound], 2] = columns.q_start[compound]
    index[other.first_stage[compound], 3] = columns.v_start[compound]
    index[moved, :2] = -1, FREE

    align = tree.align[order]
    align[moved] = np.eye(3)
    rows = tree.model[MODEL_HEADER : MODEL_HEADER + MODEL_ROW * n].reshape(n, MODEL_ROW)[order]
    rows[moved] = mass_rows(columns, np.array([body]), align[[moved]])[0]
    rows[moved, :9] = np.eye(3).ravel()
    children = np.flatnonzero(columns.parent == body)
    hung = other.first_stage[children]
    rows[hung, :9] = (columns.at_rotation[children] @ align[hung]).reshape(-1, 9)
    rows[hung, 9:12] = columns.at_position[children]
    first, gone = int(columns.v_start[body]), tree.nv - columns.nv + 6
    other.publish(linkage, index, rows, align, *_dofs_after_cut(tree, first, gone, stage, end))
    return other


def _dofs_after_cut(tree: Tree, first: int, gone: int, stage: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """The expanded parent array and row starts when `gone` degrees of freedom, from `first`, give way to six."""
    more = 6 - gone
    kept = np.r_[0:first, first + gone : tree.nv]
    new = np.where(kept < first, kept, kept + more)
    parent = np.arange(-1, tree.nv + more - 1, dtype=np.int64)
    parent[first] = -1
    above = tree.dof_parent[kept]
    inside = (above >= first) & (above < first + gone)
    parent[new] = np.where(above < first, above, np.where(inside, first + 5, above + more))
    depth = np.arange(1 - first, tree.nv + more + 1 - first)
    old = np.diff(tree.row_start)
    depth[new] = old[kept]
    run = tree.index[INDEX_HEADER : INDEX_HEADER + INDEX_ROW * tree.stages].reshape(-1, INDEX_ROW)[stage + 1 : end]
    count = KIND_NV[run[:, 1]]
    below = np.repeat(run[:, 3], count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    depth[np.where(below < first, below, below + more)] = old[below] - (old[first] - 1) + more
    return parent, np.concatenate([[0], np.cumsum(depth)])
