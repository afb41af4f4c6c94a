"""The sparse factors of a mass matrix."""

from __future__ import annotations

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.kernels.launch import call
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers, problem, tree_of


class LTDL:
    """H = Lᵀ D L, with L as sparse as H: made by `factorize`.

    Attributes
    ----------
    nonzeros : int
        Entries stored: for each degree of freedom, itself and those it stands on (`Linkage.dof_parents`).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> factors = lw.factorize(arm, lw.mass_matrix(arm, [0.0, 0.0]))
    >>> factors.solve([1.0, 0.0]).round(3)
    array([ 1.708, -4.266])
    """

    def __init__(self, linkage: Linkage, packed: np.ndarray):
        self._linkage, self._tree, self._packed = linkage, linkage.tree, packed
        self.nonzeros = len(packed)

    def __repr__(self) -> str:
        return f"LTDL(nv={self._tree.nv}, {self.nonzeros} nonzeros)"

    def solve(self, b) -> np.ndarray:
        """x with H x = b; b of shape (nv,), or (..., nv) for several."""
        tree = self._current()
        x = numbers(self._linkage, "b", b, tree.nv, "nv").copy()
        for row in x.reshape(-1, tree.nv) if tree.nv else ():
            call(("tree.ltdl", "solve"), tree.index, self._packed, row)
        return x

    @property
    def L(self) -> np.ndarray:
        """(nv, nv) unit lower triangle."""
        L = unpack(self._current(), self._packed)
        np.fill_diagonal(L, 1.0)
        return L

    @property
    def D(self) -> np.ndarray:
        """(nv,) diagonal."""
        return self._packed[self._current().row_start[:-1]].copy()

    @property
    def root(self) -> np.ndarray:
        """(nv, nv) lower triangle R = √D L, so that H = Rᵀ R; as sparse as L."""
        return np.sqrt(self.D)[:, None] * self.L

    @property
    def pattern(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the nonzeros in the lower triangle, in the order of `packed_mass_matrix`."""
        return _pattern(self._current())

    def _current(self):
        if self._linkage.revision != self._tree.revision:
            raise StructureError(f"linkage {self._linkage.name!r} has changed since H was factorised: factorise anew")
        return self._tree


def factorize(linkage: Linkage, H, *, overwrite: bool = False) -> LTDL:
    """Factorise a mass matrix as Lᵀ D L over ancestors only: no fill-in, O(nv · depth²).

    Parameters
    ----------
    linkage : Linkage
    H : (nv, nv) or (nonzeros,) array_like
        From `mass_matrix`, or `packed_mass_matrix` for large linkages.
    overwrite : bool
        Work in the packed H itself instead of a copy.

    Returns
    -------
    LTDL

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        The matrix is not positive definite; the joint is named.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> arm = lw.samples.chain(2)
    >>> H = lw.mass_matrix(arm, [0.0, 0.5])
    >>> factors = lw.factorize(arm, H)
    >>> np.allclose(H @ factors.solve([1.0, 2.0]), [1.0, 2.0])
    True
    """
    tree = tree_of(linkage)
    H = np.asarray(H, dtype=np.float64)
    if H.shape == (tree.nv, tree.nv):
        packed = pack_matrix(tree, H)
    elif H.shape == (tree.nonzeros,):
        packed = np.ascontiguousarray(H) if overwrite else H.copy()
    else:
        raise ArgumentError(
            f"H has shape {H.shape}; it must be ({tree.nv}, {tree.nv}), or ({tree.nonzeros},) when packed"
        )
    if not np.isfinite(packed).all():
        raise ArgumentError("H must be finite")
    outcome = call(("tree.ltdl", "factorize"), tree.index, packed, np.empty(tree.nv))
    if outcome:
        raise problem(linkage, outcome)
    return LTDL(linkage, packed)


def pack_matrix(tree, H: np.ndarray) -> np.ndarray:
    """The packed nonzeros of a dense matrix with branch-induced sparsity."""
    rows, columns = _pattern(tree)
    return H[rows, columns]


def unpack(tree, packed: np.ndarray) -> np.ndarray:
    """The lower triangle (nv, nv) of a packed matrix."""
    rows, columns = _pattern(tree)
    H = np.zeros((tree.nv, tree.nv))
    H[rows, columns] = packed
    return H


def _pattern(tree) -> tuple[np.ndarray, np.ndarray]:
    """Row and column of every packed entry."""
    chains: list[list[int]] = []
    for d, parent in enumerate(tree.dof_parent.tolist()):
        chains.append([d] + (chains[parent] if parent >= 0 else []))
    rows = np.repeat(np.arange(tree.nv), np.diff(tree.row_start))
    return rows, np.array([e for chain in chains for e in chain], dtype=np.int64)
