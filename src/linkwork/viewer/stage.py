"""A linkage on viser's stage: bodies, ground, light, camera, and layers that can be switched on and off.

A layer is a few unit solids and arrays of where their copies are, so that a pose of a linkage of any size is a handful
of messages. Large layers are cut into chunks, and chunks that have not moved are not sent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.linkage.packing.launch import no_batch_compiled
from linkwork.plots.framing import Bounds
from linkwork.plots.looks import HUGE, Looks, Piece, Pieces, gather
from linkwork.viewer.chunks import Chunk, Swarm, chunks_of
from linkwork.viewer.forces import Arrows
from linkwork.viewer.ground import surface_pieces

STILL = 1e-5  # of the size of the scene: what has moved less is not sent again
GLASS = 0.6  # opacity of surfaces: what is behind them is seen
LAYERS = {  # name: (label, whether it is shown at the start)
    "bodies": ("bodies", True),
    "pins": ("joints", True),
    "loop pins": ("loop joints", True),
    "surfaces": ("surfaces", True),
    "axes": ("joint axes", False),
    "centers": ("centres of mass", False),
    "frames": ("frames", False),
}


class Stage:
    """A linkage in a scene of viser.

    Parameters
    ----------
    scene : viser.SceneApi
    linkage : Linkage
    bounds : Bounds
        Where the motion takes place.
    shown : dict of str to bool
        The layers and kinds of forces that are visible.
    root : str
        Name of the node that everything hangs on.
    complete : bool
        Whether hidden layers move along, too: in a page they can be switched on without asking anybody.
    """

    def __init__(
        self, scene: Any, looks: Looks, bounds: Bounds, shown: dict[str, bool], root: str = "", complete: bool = False
    ):
        linkage = looks.linkage
        self.linkage, self.scene, self.bounds, self.root = linkage, scene, bounds, root
        self.looks, self.shown, self._complete, self._count = looks, shown, complete, 0
        detail = 0 if linkage.nb >= HUGE else 2
        layers = {"bodies": self.looks.bodies, "pins": self.looks.joints, "loop pins": self.looks.loops,
                  "surfaces": surface_pieces(linkage, bounds), "axes": [], "centers": [], "frames": []}  # fmt: skip
        if linkage.nb < HUGE:
            layers |= {"axes": self.looks.axes(), "centers": self.looks.centers(), "frames": self._frames()}
        self._chunks: dict[str, list[Chunk | Swarm]] = {}
        for layer, pieces in layers.items():
            self._chunks[layer] = [chunk for group in gather(pieces, detail if layer != "surfaces" else 2)
                                   for chunk in self._cut(layer, group)]  # fmt: skip
        self.arrows = Arrows(scene, linkage, bounds, root, shown)

    def _cut(self, layer: str, group: Pieces) -> list[Chunk | Swarm]:
        """A group in chunks."""
        name = f"{self.root}/{LAYERS[layer][0]}/{self._count}"
        self._count += 1
        shadow = layer in ("bodies", "pins", "loop pins") and self.linkage.nb < HUGE
        opacity = GLASS if layer == "surfaces" else None
        return chunks_of(self.scene, name, group, visible=self.shown[layer], shadow=shadow, opacity=opacity)

    def _frames(self) -> list[Piece]:
        """Triads of the bodies' frames and of named frames."""
        made, length, r = [], 0.3 * self.looks.size, 0.2 * self.looks.radius
        places = [(body, np.zeros(3), np.eye(3)) for body in range(self.linkage.nb)]
        for frame in self.linkage.frames:
            body, pose = self.linkage._resolve(frame)
            places.append((body, pose.position, pose.rotation))
        for body, at, turned in places:
            for k in range(3):
                color = tuple(int(220 * (k == n) + 30) for n in range(3))
                z = turned[:, k]
                rotation = np.stack([turned[:, (k + 1) % 3], turned[:, (k + 2) % 3], z], axis=1)
                made.append(Piece(body, "rod", at + 0.5 * length * z, rotation, (r, r, length), color))
        return made

    # Moving

    def place(self, q: np.ndarray) -> int:
        """Move everything to a configuration; return how many chunks were sent."""
        with no_batch_compiled():
            poses = body_poses(self.linkage, np.ascontiguousarray(q))
        return self.put(poses.positions, poses.rotations)

    def put(self, positions: np.ndarray, rotations: np.ndarray) -> int:
        """Move everything to where the bodies are; return how many chunks were sent."""
        still, sent = STILL * self.bounds.size, 0
        for layer, chunks in self._chunks.items():
            if self.shown[layer] or self._complete:
                sent += sum(chunk.place(positions, rotations, still) for chunk in chunks)
        self.positions, self.rotations = positions, rotations
        return sent

    def paint(self, colors: np.ndarray) -> None:
        """Colour the bodies, (nb, 3)."""
        for chunk in self._chunks["bodies"]:
            chunk.paint(colors[chunk.pieces.body])

    def show(self, layer: str, visible: bool) -> None:
        """Switch a layer on or off."""
        self.shown[layer] = visible
        for chunk in self._chunks[layer]:
            chunk.handle.visible = visible
            if visible:
                chunk.place(self.positions, self.rotations, STILL * self.bounds.size)

    def set_visible(self, visible: bool) -> None:
        """Show or hide everything: other stages stand for other structures."""
        for layer, chunks in self._chunks.items():
            for chunk in chunks:
                chunk.handle.visible = visible and self.shown[layer]
        self.arrows.set_visible(visible)

    @property
    def layers(self) -> list[str]:
        """Those that there is something in."""
        return [layer for layer, chunks in self._chunks.items() if chunks]

    def on_drag(self, callback: Any) -> None:
        """Let ``callback(event, body)`` know when somebody drags a body."""
        for chunk in (*self._chunks["bodies"], *self._chunks["pins"]):
            chunk.on_drag(callback)

    def remove(self) -> None:
        """Take everything off the stage."""
        for chunks in self._chunks.values():
            for chunk in chunks:
                chunk.handle.remove()
        self.arrows.remove()
