"""Pieces of one solid as nodes of viser's scene: instances of it, or points where there are very many.

A renderer without a graphics card draws each instance in a call of its own, a fifth of a millisecond; a cloud of points
is one call however many there are. Tens of thousands of rods or balls, which are seen from afar, are balls made of two
points each: a dark one, and before it, towards the light, a smaller bright one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.linkage.pose import quaternion_from_rotation
from linkwork.plots.looks import Pieces

CHUNK = 2048  # pieces in one message
SWARM = 10_000  # rods or balls from which on they are points
SUN = np.array((0.32, -0.53, 0.79))  # where the light of points comes from
ROUND = 0.6  # diameter of a point, of the length of the rod that it stands for
RIM, CAP = 0.5, 1.15  # brightness of the dark and of the bright point
FAR = 1e9  # radii of a point: nothing is seen so far away
CAP_SIZE, CAP_AHEAD = 0.6, 0.25  # diameter of the bright point, and how far it is ahead, of the dark one's diameter


def chunks_of(
    scene: Any, name: str, group: Pieces, *, visible: bool, shadow: bool, opacity: float | None
) -> list[Chunk | Swarm]:
    """The nodes of a group of pieces."""
    made: list[Chunk | Swarm] = []
    points = len(group.body) >= SWARM and group.round and opacity is None
    for start in range(0, len(group.body), CHUNK):
        few = slice(start, start + CHUNK)
        part = replace(group, **{each: getattr(group, each)[few] for each in
                                 ("body", "position", "rotation", "scale", "color")})  # fmt: skip
        each = f"{name}.{start // CHUNK}"
        made.append(Swarm(scene, each, part, visible) if points else Chunk(scene, each, part, visible, shadow, opacity))
    return made


class Chunk:
    """Pieces as instances of one mesh."""

    def __init__(self, scene: Any, name: str, pieces: Pieces, visible: bool, shadow: bool, opacity: float | None):
        self.pieces, self.colors = pieces, pieces.color
        solid = pieces.solid
        self.handle = scene.add_batched_meshes_simple(
            name, solid.vertices, solid.faces, np.tile([1.0, 0.0, 0.0, 0.0], (len(pieces.body), 1)),
            np.zeros((len(pieces.body), 3)), batched_scales=pieces.scale, batched_colors=pieces.color, lod="off",
            cast_shadow=shadow, receive_shadow=False, visible=visible, flat_shading=len(solid.faces) <= 12,
            opacity=opacity,
        )  # fmt: skip
        self._last: tuple[np.ndarray, np.ndarray] | None = None

    def place(self, positions: np.ndarray, rotations: np.ndarray, still: float) -> bool:
        """Move to where the bodies are; whether anything was sent."""
        where, turned = self.pieces.placed(positions, rotations)
        wxyz = quaternion_from_rotation(turned)[:, [3, 0, 1, 2]]
        if self._last is not None:
            turn = np.abs(np.einsum("ij,ij->i", wxyz, self._last[1])).min(initial=1.0)
            if np.abs(where - self._last[0]).max(initial=0.0) <= still and turn > 1.0 - 1e-7:
                return False
        self._last = where, wxyz
        self.handle.batched_positions = rounded(where, still)
        self.handle.batched_wxyzs = rounded(wxyz, 2e-5)
        return True

    def paint(self, colors: np.ndarray) -> None:
        """Give every piece a colour, (n, 3); sent only where it differs."""
        if not np.array_equal(colors, self.colors):
            self.colors = colors
            self.handle.batched_colors = colors

    def on_drag(self, callback: Callable[[Any, int], None]) -> None:
        """Let ``callback(event, body)`` know when somebody drags a piece."""

        async def dragged(event: Any) -> None:
            callback(event, int(self.pieces.body[event.instance_index or 0]))

        self.handle.on_drag(dragged)


class Swarm:
    """Pieces as points: a frame that can be dragged, and on it two clouds, in units of a point's radius.

    The browser takes a point for hit where the mouse is less than one unit away from it, and looks for hits only within
    the sphere around the points of the first picture: two more points, farther away than the camera sees, widen it.
    """

    def __init__(self, scene: Any, name: str, pieces: Pieces, visible: bool):
        self.pieces, self.colors = pieces, pieces.color
        lengths = np.maximum(ROUND * pieces.scale[:, 2], 2.0 * pieces.scale[:, 0])
        self._unit = 0.5 * float(np.median(lengths))
        self.handle = scene.add_frame(name, show_axes=False, visible=visible)
        self._rims, self._caps = (
            scene.add_point_cloud(f"{name}/{part}", _guarded(np.zeros((len(pieces.body), 3))),
                                  _bright(pieces.color, light), point_size=2.0 * size, point_shape="circle",
                                  point_shading="flat", precision="float32", scale=self._unit)
            for part, light, size in (("rims", RIM, 1.0), ("caps", CAP, CAP_SIZE))
        )  # fmt: skip
        self._last: np.ndarray | None = None

    def place(self, positions: np.ndarray, rotations: np.ndarray, still: float) -> bool:
        """Move to where the bodies are; whether anything was sent."""
        where = self.pieces.placed(positions, rotations)[0]
        if self._last is not None and np.abs(where - self._last).max(initial=0.0) <= still:
            return False
        self._last = where
        self._rims.points = _guarded(rounded(where / self._unit, still / self._unit))
        self._caps.points = _guarded(rounded(where / self._unit + 2.0 * CAP_AHEAD * SUN, still / self._unit))
        return True

    def paint(self, colors: np.ndarray) -> None:
        """Give every piece a colour, (n, 3); sent only where it differs."""
        if not np.array_equal(colors, self.colors):
            self.colors = colors
            self._rims.colors, self._caps.colors = _bright(colors, RIM), _bright(colors, CAP)

    def on_drag(self, callback: Callable[[Any, int], None]) -> None:
        """Let ``callback(event, body)`` know when somebody drags a piece: the one that is nearest to the mouse."""

        async def dragged(event: Any) -> None:
            assert self._last is not None
            apart = np.linalg.norm(self._last - np.array(event.start_position), axis=1)
            callback(event, int(self.pieces.body[np.argmin(apart)]))

        self.handle.on_drag(dragged)


def _guarded(points: np.ndarray) -> np.ndarray:
    return np.concatenate([points, [(-FAR, -FAR, -FAR), (FAR, FAR, FAR)]], dtype=np.float32)


def _bright(colors: np.ndarray, light: float) -> np.ndarray:
    return np.append(np.minimum(light * colors, 255.0), np.zeros((2, 3)), axis=0).astype(np.uint8)


def rounded(values: np.ndarray, step: float) -> np.ndarray:
    """Numbers with no more digits than can be seen: they take a third of the room once compressed."""
    step = 2.0 ** np.floor(np.log2(step))
    return (np.round(values / step) * step).astype(np.float32)
