"""Arrows of forces on the stage."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.linkage.linkage import Linkage
from linkwork.plots.forces import KINDS, Force, arrow_ends, reference_force

SHORTEST = 0.025  # of the size of the picture: what is shorter is not drawn


class Arrows:
    """One node for each kind of force, made when it first has something to show.

    Parameters
    ----------
    scene : viser.SceneApi
    linkage : Linkage
    bounds : Bounds
    root : str
        Name of the node that they hang on.
    shown : dict of str to bool
        The kinds that are visible.

    Attributes
    ----------
    reference : float
        The force whose arrow is a fifth of the picture, N.
    """

    def __init__(self, scene: Any, linkage: Linkage, bounds: Any, root: str, shown: dict[str, bool]):
        self._scene, self._root, self._size = scene, root, bounds.size
        self.reference = reference_force(linkage)
        self._handles: dict[str, Any] = {}
        self._visible, self.shown = True, shown

    def place(self, forces: dict[str, Force]) -> None:
        """Draw these forces; kinds that are not given are hidden."""
        for kind in {*forces, *self._handles}:
            ends = arrow_ends(forces[kind], self.reference, self._size) if kind in forces else np.empty((0, 2, 3))
            ends = ends[np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > SHORTEST * self._size]
            if kind not in self._handles:
                if len(ends):
                    self._handles[kind] = self._add(kind, ends)
                continue
            handle = self._handles[kind]
            handle.visible = self._visible and self.shown[kind] and bool(len(ends))
            if len(ends):
                handle.points = ends.astype(np.float32)

    def _add(self, kind: str, ends: np.ndarray) -> Any:
        label, color, _ = KINDS[kind]
        r = 0.0035 * self._size
        return self._scene.add_arrows(
            f"{self._root}/{label}", ends, color, shaft_radius=r, head_radius=2.4 * r, head_length=6.0 * r,
            visible=self._visible and self.shown[kind],
        )  # fmt: skip

    def show(self, kind: str, visible: bool) -> None:
        """Switch a kind on or off."""
        self.shown[kind] = visible
        if kind in self._handles:
            self._handles[kind].visible = self._visible and visible

    def set_visible(self, visible: bool) -> None:
        """Show or hide all of them."""
        self._visible = visible
        for kind, handle in self._handles.items():
            handle.visible = visible and self.shown[kind]

    def remove(self) -> None:
        """Take them away."""
        for handle in self._handles.values():
            handle.remove()
        self._handles = {}
