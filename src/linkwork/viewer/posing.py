"""A linkage at rest, to be looked at and posed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.arguments import coordinates
from linkwork.dynamics.kinematics import body_poses
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.plots.forces import gravity_forces
from linkwork.plots.framing import bounds_of
from linkwork.plots.looks import HUGE, MANY, Looks
from linkwork.viewer.server import Viewer
from linkwork.viewer.sliders import Sliders
from linkwork.viewer.stage import Stage


class Posing(Viewer):
    """A linkage with a slider for each joint.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like, optional
        Default: the pose as described.
    port : int, optional
        Default: a free one.
    """

    def __init__(self, linkage: Linkage, q: Any = None, *, port: int | None = None):
        self.linkage = linkage.copy()
        tree_of(self.linkage)
        q = linkage.neutral() if q is None else coordinates(self.linkage, q)
        self._q: np.ndarray = np.array(q, dtype=float).reshape(self.linkage.nq)
        looks = Looks(self.linkage)
        bounds = bounds_of([(looks, self._q[None])])
        super().__init__(linkage.name or "linkage", bounds, port=port, shadows=linkage.nb < HUGE)
        self.stage = Stage(self.server.scene, looks, bounds, self.shown)
        self._message = self.server.gui.add_markdown(f"**{self.title}**")
        self.add_switches(self.stage.layers, ["gravity"] if linkage.nb < MANY else [])
        self._sliders = None
        if linkage.nb < HUGE:
            self._sliders = Sliders(self.server.gui, self.linkage, bounds.size, lambda: self._q, self.put, self._say)
        self.put(self._q)

    @property
    def q(self) -> np.ndarray:
        """The pose now, (nq,)."""
        return self._q.copy()

    def put(self, q: np.ndarray) -> None:
        """Show another pose."""
        with self._lock:
            self._q = np.array(q, dtype=float)
            self._stage().place(self._q)
            self._draw_forces()

    def _show_force(self, kind: str, on: bool) -> None:
        super()._show_force(kind, on)
        self._draw_forces()

    def _draw_forces(self) -> None:
        if self.shown["gravity"]:
            poses = body_poses(self.linkage, self._q)
            self._stage().arrows.place({"gravity": gravity_forces(self.linkage, poses.positions, poses.rotations)})

    def _say(self, text: str) -> None:
        self._message.content = f"**{self.title}**" + (f"\n\n{text}" if text else "")

    def tick(self, elapsed: float) -> None:
        """Nothing moves by itself."""
