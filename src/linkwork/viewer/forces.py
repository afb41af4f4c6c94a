"""Arrows of forces on the stage, and points that touch."""

from __future__ import annotations

from collections.abc import Iterable
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
            points = self._points(kind, forces[kind]) if kind in forces else np.empty((0, 3), dtype=np.float32)
            if kind in self._handles:
                handle = self._handles[kind]
                handle.visible = self._visible and self.shown[kind] and bool(len(points))
                if len(points):
                    handle.points = points
            elif len(points):
                self._handles[kind] = self._add(kind, points)

    def prepare(self, kinds: Iterable[str]) -> None:
        """Have nodes for these kinds from the start on, that whoever goes back in a page sees what was there."""
        for kind in kinds:
            self._handles[kind] = self._add(kind, np.zeros((1, 3) if kind == "points" else (1, 2, 3), dtype=np.float32))
            self._handles[kind].visible = False

    def _points(self, kind: str, force: Force) -> np.ndarray:
        """Both ends of the arrows, (n, 2, 3); of contact points themselves, (n, 3)."""
        if kind == "points":
            return force.points.astype(np.float32)
        ends = arrow_ends(force, self.reference, self._size)
        return ends[np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > SHORTEST * self._size].astype(np.float32)

    def _add(self, kind: str, points: np.ndarray) -> Any:
        label, color, _ = KINDS[kind]
        name, visible, r = f"{self._root}/{label}", self._visible and self.shown[kind], 0.0035 * self._size
        if kind == "points":
            return self._scene.add_point_cloud(name, points, color, point_size=5.0 * r, point_shape="circle",
                                               precision="float32", visible=visible)  # fmt: skip
        return self._scene.add_arrows(
            name, points, color, shaft_radius=r, head_radius=2.4 * r, head_length=6.0 * r, visible=visible
        )

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
