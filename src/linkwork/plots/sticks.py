"""A linkage as a stick figure: lines within bodies, between the points where joints and frames are attached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError
from linkwork.kernels.layout.kinds import FREE
from linkwork.linkage.inertia import full
from linkwork.linkage.linkage import Linkage
from linkwork.plots.solids import CORNERS

FLAT, LEVEL = 0.12, 0.03  # thickness of a motion, of its size, up to which it is seen along x or y, or along z
_BOX = [(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1]  # edges between corners


class End(NamedTuple):
    """A point of a body; body −1 is ground."""

    body: int
    point: np.ndarray


class Sticks:
    """The lines of a linkage, to be placed in any pose.

    Parameters
    ----------
    linkage : Linkage
    """

    def __init__(self, linkage: Linkage):
        self._linkage, columns = linkage, linkage.columns
        points: list[list[np.ndarray]] = [[] for _ in range(linkage.nb)]
        lines: list[tuple[End, End]] = []
        pins: list[End] = []
        for body in range(linkage.nb):
            parent, at = int(columns.parent[body]), columns.at_position[body]
            if columns.code[body] == FREE:
                continue
            here = End(parent, at)
            pins.append(here)
            lines.append((here, End(body, np.zeros(3))))  # the length of a slide
            if parent >= 0:
                points[parent].append(at)
        for record in linkage._loops.records:
            for body, pose in ((record.a, record.at_a), (record.b, record.at_b)):
                if body >= 0:
                    points[body].append(pose.position)
            pins.append(End(record.b, record.at_b.position))
        for frame in linkage.frames:
            body, pose = linkage._resolve(frame)
            if body >= 0:
                points[body].append(pose.position)
        held = [body for record in linkage._loops.records for body in (record.a, record.b)]
        self._carries = np.isin(np.arange(linkage.nb), [*columns.parent, *held])
        self.tips: list[End] = []
        self.boxes: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = []
        """Bodies without points to draw lines between: each with the centre, axes and edges of its box."""
        for body in range(linkage.nb):
            lines += self._outline(body, points[body])
        self._ends = [_stack([line[side] for line in lines]) for side in (0, 1)]
        self._pins, self._tips = _stack(pins), _stack(self.tips)

    def _outline(self, body: int, points: list[np.ndarray]) -> list[tuple[End, End]]:
        """The lines of one body; a body that carries nothing is drawn through its centre of mass, or as a box."""
        com = self._linkage.columns.com[body]
        origin, size = np.zeros(3), max((np.linalg.norm(point) for point in points), default=0.0)
        far = [point for point in points if np.linalg.norm(point) > 1e-9 + 1e-6 * size]
        if not far and not points and np.linalg.norm(com) > 1e-9:
            far = [2.0 * com]
        if len(far) == 1 and not self._carries[body]:
            self.tips.append(End(body, far[0]))
        if not far and not points and self._linkage.columns.mass[body] > 0.0:
            center, axes, sizes = self._box(body)
            self.boxes.append((body, center, axes, sizes))
            corners = center + (CORNERS * sizes) @ axes.T
            return [(End(body, corners[a]), End(body, corners[b])) for a, b in _BOX]
        if len(far) >= 2:
            ring = [origin, *far]
            return [(End(body, a), End(body, b)) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
        return [(End(body, origin), End(body, point)) for point in far]

    def _box(self, body: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Centre, axes and edges of the box that has the body's mass and moments."""
        columns = self._linkage.columns
        moments, axes = np.linalg.eigh(full(columns.inertia[body]))
        squares = 6.0 / columns.mass[body] * (moments.sum() - 2.0 * moments)
        axes = axes * np.sign(np.linalg.det(axes))
        return columns.com[body], axes, np.sqrt(np.maximum(squares, 0.0))

    def bars(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """The lines within bodies, those of boxes left out: the body, and both ends in its frame."""
        boxed = {box[0] for box in self.boxes}
        (bodies, starts), (others, stops) = self._ends
        for body, other, a, b in zip(bodies.tolist(), others.tolist(), starts, stops, strict=True):
            if body == other and body >= 0 and body not in boxed and np.abs(b - a).max() > 1e-12:
                yield body, a, b

    def size(self) -> float:
        """A typical length: that of the lines within bodies, else of the boxes, m."""
        lengths = [float(np.linalg.norm(b - a)) for _, a, b in self.bars()]
        lengths = lengths or [float(sizes.max()) for *_, sizes in self.boxes]
        return float(np.median(lengths)) if lengths else 1.0

    def lines(self, q: np.ndarray) -> np.ndarray:
        """(..., m, 2, 3) both ends of every line, world axes."""
        return np.stack([self._world(q, ends) for ends in self._ends], axis=-2)

    def pins(self, q: np.ndarray) -> np.ndarray:
        """(..., k, 3) where the joints are."""
        return self._world(q, self._pins)

    def traced(self, q: np.ndarray) -> np.ndarray:
        """(..., l, 3) the free ends of the linkage, whose paths are worth drawing."""
        return self._world(q, self._tips)

    def _world(self, q: np.ndarray, ends: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        poses, (bodies, points) = body_poses(self._linkage, np.ascontiguousarray(q)), ends
        turned = np.einsum("...nij,nj->...ni", poses.rotations[..., bodies, :, :], points)
        return np.where(bodies[:, None] < 0, points, turned + poses.positions[..., bodies, :])


def _stack(ends: list[End]) -> tuple[np.ndarray, np.ndarray]:
    bodies = np.array([end.body for end in ends], dtype=np.int64)
    return bodies, np.array([end.point for end in ends], dtype=float).reshape(-1, 3)


class View(NamedTuple):
    """A direction to look from: world points times `matrix` are across and up on paper."""

    matrix: np.ndarray  # (3, 2)
    names: tuple[str, str]

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """(..., 2) points on paper."""
        return points @ self.matrix


VIEWS = {"front": (1, (0, 2)), "side": (0, (1, 2)), "top": (2, (0, 1))}  # the axis looked along; across and up


def view_of(points: np.ndarray) -> View:
    """The view that suits points (..., 3): along an axis where they lie in a plane, else from above and the side."""
    flat = points.reshape(-1, 3)
    spread = np.ptp(flat, axis=0) if len(flat) else np.ones(3)
    thin, size = int(np.argmin(spread)), spread.max()
    if thin == 2 and spread[2] <= LEVEL * size:  # from above only what lies flat; what stands, from beside
        return named_view("top")
    for name, (axis, _) in VIEWS.items():
        if axis < 2 and spread[axis] <= FLAT * size:
            return named_view(name)
    return _from(-35.0, 22.0)


def named_view(text: str) -> View:
    """The view "front" (along y), "side" (along x), "top" (along z), "corner", or "azimuth,elevation" in degrees."""
    if text in VIEWS:
        across, up = VIEWS[text][1]
        return View(np.eye(3)[:, [across, up]], ("xyz"[across], "xyz"[up]))
    if text == "corner":
        return _from(-35.0, 22.0)
    try:
        azimuth, elevation = (float(part) for part in text.split(","))
    except ValueError:
        known = ", ".join([*VIEWS, "corner"])
        raise ArgumentError(f"there is no view {text!r}: give {known}, or azimuth,elevation in degrees") from None
    return _from(azimuth, elevation)


def _from(azimuth: float, elevation: float) -> View:
    """The view from an azimuth, turned from the front, and an elevation, degrees."""
    turn, lift = np.radians(azimuth), np.radians(elevation)
    across = np.array([np.cos(turn), -np.sin(turn), 0.0])
    up = np.array([np.sin(turn) * np.sin(lift), np.cos(turn) * np.sin(lift), np.cos(lift)])
    return View(np.stack([across, up], axis=1), ("", ""))
