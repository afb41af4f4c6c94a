"""Shapes of a linkage while poses of it are sought: what touches at the start and stays, what is in what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.dynamics.shape_contacts import ShapeContacts, contact_frames
from linkwork.errors import ArgumentError, unknown_name
from linkwork.kernels.layout.shapes import C_FEATURE, C_GAP, C_PAIR, CONTACT_ROW
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.pack_shapes import shapes_of

TOUCHING = 1e-6  # m: shapes whose gap at the start is at most that touch


class Touching:
    """The shapes of a linkage in the states of a search.

    Attributes
    ----------
    any : bool
        Whether there are any that may touch.
    keep : list of set
        For each state, the contacts that stay, by their numbers.
    """

    def __init__(self, linkage: Linkage, start: np.ndarray, keep: Sequence[str]):
        self.linkage, self.any, self.keep = linkage, bool(shapes_of(linkage).pairs), []
        names = linkage._shapes.names
        for name in keep:
            if name not in names:
                raise unknown_name("shape", name, list(names))
        self._shapes = ShapeContacts(linkage) if self.any else None
        for q in start if keep else ():
            self.keep.append(self._touching(q, keep))

    def _touching(self, q: np.ndarray, keep: Sequence[str]) -> set[float]:
        """Numbers of the contacts of shapes by name."""
        rows, out = self._rows(q), set()
        rows = rows[np.abs(rows[:, C_GAP]) <= TOUCHING]
        for name in keep:
            mine = {row[C_FEATURE] for row in rows if self._shapes and name in self._shapes.names(int(row[C_PAIR]))}
            if not mine:
                raise ArgumentError(
                    f"shape {name!r} touches nothing at the start, so there is no contact to keep: begin with a pose "
                    f"in which its gap is at most {TOUCHING:g} m"
                )
            out |= mine
        return out

    def _rows(self, q: np.ndarray) -> np.ndarray:
        return self._shapes.find(0.0, q) if self._shapes else np.zeros((0, CONTACT_ROW))

    def kept(self, q: np.ndarray, state: int) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of the contacts that stay, and the rows of their changes."""
        return self._changes(q, [row for row in self._rows(q) if row[C_FEATURE] in self.keep[state]])

    def near(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of all contacts that a step may close, and the rows of their changes."""
        return self._changes(q, list(self._rows(q)))

    def _changes(self, q: np.ndarray, found: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        rows = np.array(found).reshape(-1, CONTACT_ROW)
        frames, J = contact_frames(self.linkage, q, rows)
        return rows[:, C_GAP], np.einsum("nc,ncv->nv", frames[:, 0], J)

    def overlap(self, q: np.ndarray) -> np.ndarray:
        """(n,) how deep shapes are in each other."""
        if not self.any:
            return np.zeros(len(q))
        return np.array([max(0.0, -self._rows(row)[:, C_GAP].min(initial=0.0)) for row in q])
