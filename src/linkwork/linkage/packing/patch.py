"""A packed tree after a small change of structure, made from the one before instead of from all columns.

Loop joints are no part of the tree: connecting and cutting them shares its blocks. Cutting a tree joint moves one run
of stages, the cut body and all that hangs on it, to where it stands on ground, among the others that do: in the order
of their bodies, as if all were packed anew, so that a run that is resumed goes on to the bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.layout import (
    FREE,
    I_BODY,
    I_KIND,
    I_PARENT,
    I_V,
    INDEX_HEADER,
    INDEX_ROW,
    KIND_NV,
    M_POSITION,
    M_ROTATION,
    MODEL_HEADER,
    MODEL_ROW,
)
from linkwork.linkage.packing.tree import Tree, mass_rows, place_coordinates

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


def with_loops(tree: Tree, linkage: Linkage) -> Tree:
    """The same tree, with the loop joints and contacts that the linkage has now."""
    other = tree.twin()
    other.revision = linkage.revision
    other.adopt(linkage)
    return other


def after_cut(tree: Tree, linkage: Linkage, body: int) -> Tree:
    """The tree after the tree joint of a body gave way to a `Free` one."""
    columns = linkage.columns
    n, first, last = tree.stages, int(tree.first_stage[body]), int(tree.stage[body])  # several stages, perhaps
    after = np.flatnonzero(tree.parent[last + 1 :] < first)  # the subtree is one run of stages
    end = last + 1 + int(after[0]) if len(after) else n
    rows = tree.index[INDEX_HEADER : INDEX_HEADER + INDEX_ROW * n].reshape(n, INDEX_ROW)
    rest = np.concatenate([np.arange(first), np.arange(end, n)])
    later = np.flatnonzero((tree.parent[rest] < 0) & (_owners(rows[:, I_BODY])[rest] > body))
    at = int(later[0]) if len(later) else len(rest)
    order = np.concatenate([rest[:at], np.arange(last, end), rest[at:]])
    place = np.full(n + 1, -1)  # the last entry is ground's: index −1
    place[order] = np.arange(len(order))
    other = tree.twin()
    other.revision, other.nq, other.nv, other.stages = linkage.revision, columns.nq, columns.nv, len(order)
    other.stage, other.first_stage = place[tree.stage], place[tree.first_stage]
    other.first_stage[body] = moved = int(place[last])

    index = rows[order]
    index[:, I_PARENT] = place[index[:, I_PARENT]]
    index[moved, [I_PARENT, I_KIND]] = -1, FREE
    place_coordinates(index, columns, _owners(index[:, I_BODY]), other.first_stage)

    align = tree.align[order]
    align[moved] = np.eye(3)
    rows = tree.model[MODEL_HEADER : MODEL_HEADER + MODEL_ROW * n].reshape(n, MODEL_ROW)[order]
    rows[moved] = mass_rows(columns, np.array([body]), align[[moved]])[0]
    rows[moved, M_ROTATION : M_ROTATION + 9] = np.eye(3).ravel()
    children = np.flatnonzero(columns.parent == body)
    hung = other.first_stage[children]
    rows[hung, M_ROTATION : M_ROTATION + 9] = (columns.at_rotation[children] @ align[hung]).reshape(-1, 9)
    rows[hung, M_POSITION : M_POSITION + 3] = columns.at_position[children]
    other.publish(linkage, index, rows, align, *_dofs_after_cut(tree, linkage, body, last, end))
    return other


def _owners(body: np.ndarray) -> np.ndarray:
    """The body of each stage: of a massless one that of the next which is a body."""
    stage = np.where(body >= 0, np.arange(len(body)), len(body))
    return body[np.minimum.accumulate(stage[::-1])[::-1]]


def _dofs_after_cut(tree: Tree, linkage: Linkage, body: int, last: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """The expanded parent array and row starts when the joint gets six degrees of freedom."""
    first, more = int(linkage.columns.v_start[body]), linkage.columns.nv - tree.nv
    gone = 6 - more
    run = tree.index[INDEX_HEADER : INDEX_HEADER + INDEX_ROW * tree.stages].reshape(-1, INDEX_ROW)[last + 1 : end]
    count = KIND_NV[run[:, I_KIND]]
    below = np.repeat(run[:, I_V], count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    old = np.diff(tree.row_start)  # how deep each one lies
    above = old[first] - 1 if gone else old[below].min(initial=tree.nv) - 1  # how many the joint itself hangs on

    kept = np.r_[0:first, first + gone : tree.nv]
    parent = np.arange(-1, tree.nv + more - 1, dtype=np.int64)
    parent[first] = -1
    hung_on = tree.dof_parent[kept]
    parent[np.where(kept < first, kept, kept + more)] = np.where(hung_on < first, hung_on, hung_on + more)
    moved = np.where(below < first, below, below + more)
    parent[moved[old[below] == above + gone + 1]] = first + 5

    depth = np.arange(1 - first, tree.nv + more + 1 - first)
    depth[np.where(kept < first, kept, kept + more)] = old[kept]
    depth[moved] = old[below] - above + more
    return parent, np.concatenate([[0], np.cumsum(depth)])
