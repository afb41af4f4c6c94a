"""What the kernel of a tree's derivatives leaves behind, as arrays; and the spatial algebra that goes with it.

Motions and wrenches are linear first. Each stage is seen in world axes from the origin of its root, as in
`linkwork.kernels.tree.derivatives`.
"""

from __future__ import annotations

import weakref
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.inverse import mass_matrix
from linkwork.kernels.launch import call
from linkwork.kernels.layout import I_V
from linkwork.kernels.layout.derivatives import D_A, D_DOF, D_POSE, D_ROW, D_V
from linkwork.kernels.layout.kinds import KIND_NV
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import problem
from linkwork.linkage.packing.tree import Tree


def work_beyond(tree: Tree) -> int:
    """Scalars of work space that derivatives need beyond what all algorithms share."""
    return D_ROW * tree.stages + (D_DOF + 2) * tree.nv + tree.nonzeros


class TreeRates(NamedTuple):
    """What the kernel of the tree's derivatives leaves: matrices, and records of stages and degrees of freedom."""

    H: np.ndarray  # (nv, nv) mass matrix
    dq: np.ndarray  # (nv, nv) of inverse dynamics
    dv: np.ndarray
    s: np.ndarray  # (6, nv) each
    pd: np.ndarray
    pdd: np.ndarray
    w: np.ndarray
    V: np.ndarray  # (stages, 6)
    A: np.ndarray
    R: np.ndarray  # (stages, 3, 3) in world axes
    p: np.ndarray  # (stages, 3) from the root of each stage's tree
    a: np.ndarray  # (nv,)
    above: np.ndarray  # (stages + 1, nv) whether a degree of freedom moves a stage; the last row is ground's

    def moves(self, stage: int, x: np.ndarray) -> np.ndarray:
        """Of (6, nv), the columns that move a stage; zero elsewhere."""
        return np.where(self.above[stage], x, 0.0)


def tree_rates(linkage: Linkage, q, v, a, wrench, *, matrices: bool = True) -> TreeRates:
    """Mass matrix and derivatives of inverse dynamics of one state, with their records; or the records alone, O(nb)."""
    tree = linkage.tree
    nv, n, extra = tree.nv, tree.stages, work_beyond(tree)
    work, size = tree.work(extra), nv if matrices else 0
    dq, dv, H = np.empty((size, size)), np.empty((size, size)), np.empty((0, 0))
    if matrices:
        outcome = call(("tree.derivatives", "inverse_derivatives"), tree.model, tree.index, work, tree.table, q, v, a,
                       wrench, dq.reshape(-1), dv.reshape(-1))  # fmt: skip
        H = mass_matrix(linkage, q)
    else:
        outcome = call(("tree.stage_rates", "stage_rates"), tree.model, tree.index, work, q, v, a)
    if outcome:
        raise problem(linkage, outcome)
    rows = work[tree.work_size : tree.work_size + D_ROW * n].reshape(n, D_ROW).copy()
    start = tree.work_size + D_ROW * n
    s, pd, pdd, w = work[start : start + D_DOF * nv].reshape(4, nv, 6).swapaxes(1, 2).copy()
    tree.idle(extra).append(work)
    R, p = rows[:, D_POSE : D_POSE + 9].reshape(n, 3, 3), rows[:, D_POSE + 9 : D_POSE + 12]
    V, A = rows[:, D_V : D_V + 6], rows[:, D_A : D_A + 6]
    return TreeRates(H, dq, dv, s, pd, pdd, w, V, A, R, p, a, structure(tree).above)


class Structure(NamedTuple):
    """Which degrees of freedom move what, of one tree."""

    above: np.ndarray  # (stages + 1, nv) whether a degree of freedom moves a stage; the last row is ground's
    stage: np.ndarray  # (nv,) of each degree of freedom
    strictly_above: np.ndarray  # (nv, nv) whether the first one belongs to a stage above that of the second


_structures: weakref.WeakKeyDictionary[Tree, Structure] = weakref.WeakKeyDictionary()


def structure(tree: Tree) -> Structure:
    """Of a tree, found once."""
    known = _structures.get(tree)
    if known is None:
        above, stage = np.zeros((tree.stages + 1, tree.nv), dtype=bool), np.empty(tree.nv, dtype=np.int64)
        first = tree._stage_column(I_V)
        for i, (parent, start, count) in enumerate(zip(tree.parent, first, KIND_NV[tree.kind], strict=True)):
            above[i] = above[parent]  # −1 is ground
            above[i, start : start + count] = True
            stage[start : start + count] = i
        known = _structures[tree] = Structure(above, stage, above[tree.parent[stage]].T.copy())
    return known


def _matrices(x: np.ndarray, n: int) -> np.ndarray:
    """n × n zeros for each of the leading dimensions of x."""
    return np.zeros((*x.shape[:-1], n, n))


def skew(u: np.ndarray) -> np.ndarray:
    """u×; leading dimensions are many of them, here and below."""
    out = _matrices(u, 3)
    out[..., 2, 1], out[..., 0, 2], out[..., 1, 0] = u[..., 0], u[..., 1], u[..., 2]
    out[..., 1, 2], out[..., 2, 0], out[..., 0, 1] = -u[..., 0], -u[..., 1], -u[..., 2]
    return out


def cross_motion(m: np.ndarray) -> np.ndarray:
    """m× on motions."""
    out = _matrices(m, 6)
    out[..., :3, :3] = out[..., 3:, 3:] = skew(m[..., 3:])
    out[..., :3, 3:] = skew(m[..., :3])
    return out


def turning(f: np.ndarray) -> np.ndarray:
    """The matrix of x ↦ x ×* f."""
    out = _matrices(f, 6)
    out[..., :3, 3:] = out[..., 3:, :3] = -skew(f[..., :3])
    out[..., 3:, 3:] = -skew(f[..., 3:])
    return out


def to_frame(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Motions seen in and at a frame that stands at (R, p)."""
    out, back = _matrices(p, 6), R.swapaxes(-1, -2)
    out[..., :3, :3] = out[..., 3:, 3:] = back
    out[..., :3, 3:] = -back @ skew(p)
    return out
