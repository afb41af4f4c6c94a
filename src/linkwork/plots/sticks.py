"""A linkage as a stick figure: lines within bodies, between the points where joints and frames are attached."""

from __future__ import annotations

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
        joined = np.flatnonzero(columns.code != FREE)
        parent, at = columns.parent[joined], columns.at_position[joined]
        slides = (parent, at), (joined, np.zeros_like(at))  # as long as a slide is
        others = [End(body, pose.position) for record in linkage._loops.records
                  for body, pose in ((record.a, record.at_a), (record.b, record.at_b)) if body >= 0]  # fmt: skip
        framed = [linkage._resolve(frame) for frame in linkage.frames]
        more = _stack([*others, *(End(body, pose.position) for body, pose in framed if body >= 0)])
        bodies = np.concatenate([parent[parent >= 0], more[0]])
        order = np.argsort(bodies, kind="stable")
        outline = self._outline(bodies[order], np.concatenate([at[parent >= 0], more[1]])[order])
        self._bars = tuple((bodies, ends) for bodies, ends in outline)
        boxed = [self._box(body) for body in self._boxed]
        self.boxes: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = list(boxed)
        """Bodies without points to draw lines between: each with the centre, axes and edges of its box."""
        edges = [[End(body, corner) for body, center, axes, sizes in boxed
                  for corner in (center + (CORNERS * sizes) @ axes.T)[[edge[side] for edge in _BOX]]]
                 for side in (0, 1)]  # fmt: skip
        self._ends = [_joined(slides[side], self._bars[side], _stack(edges[side])) for side in (0, 1)]
        loops = _stack([End(record.b, record.at_b.position) for record in linkage._loops.records])
        self._pins, self._tips = _joined((parent, at), loops), _stack(self.tips)

    def _outline(self, bodies: np.ndarray, points: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Both ends of the lines within bodies, by points (n, 3) where something is attached, in the order of bodies.

        A body that carries nothing is drawn through its centre of mass, or as a box.
        """
        columns, nb = self._linkage.columns, self._linkage.nb
        lengths, size = np.linalg.norm(points, axis=1), np.zeros(nb)
        np.maximum.at(size, bodies, lengths)
        bare = np.bincount(bodies, minlength=nb) == 0
        far = lengths > 1e-9 + 1e-6 * size[bodies]
        ends = np.flatnonzero(bare & (np.linalg.norm(columns.com, axis=1) > 1e-9))
        bodies = np.concatenate([bodies[far], ends])
        points = np.concatenate([points[far], 2.0 * columns.com[ends]])
        count = np.bincount(bodies, minlength=nb)
        self._boxed = np.flatnonzero(bare & (count == 0) & (columns.mass > 0.0)).tolist()
        held = [body for record in self._linkage._loops.records for body in (record.a, record.b)]
        carries = np.isin(np.arange(nb), [*columns.parent, *held])
        alone = (count[bodies] == 1) & ~carries[bodies]
        self.tips = [End(body, point) for body, point in zip(bodies[alone].tolist(), points[alone], strict=True)]
        first = np.append(True, bodies[1:] != bodies[:-1])[: len(bodies)]
        starts = np.where(first[:, None], 0.0, np.roll(points, 1, axis=0))
        last = np.flatnonzero(np.append(first[1:], True)[: len(bodies)] & (count[bodies] > 1))  # back to the origin
        both = np.concatenate([bodies, bodies[last]])
        stops = np.concatenate([points, np.zeros((len(last), 3))])
        return [(both, np.concatenate([starts, points[last]])), (both, stops)]

    def _box(self, body: int) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
        """Centre, axes and edges of the box that has the body's mass and moments."""
        columns = self._linkage.columns
        moments, axes = np.linalg.eigh(full(columns.inertia[body]))
        squares = 6.0 / columns.mass[body] * (moments.sum() - 2.0 * moments)
        axes = axes * np.sign(np.linalg.det(axes))
        return body, columns.com[body], axes, np.sqrt(np.maximum(squares, 0.0))

    def bars(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The lines within bodies, those of boxes left out: the bodies (n,), and both ends in their frames (n, 3)."""
        (bodies, starts), (_, stops) = self._bars
        long = np.abs(stops - starts).max(axis=1, initial=0.0) > 1e-12
        return bodies[long], starts[long], stops[long]

    def size(self) -> float:
        """A typical length: that of the lines within bodies, else of the boxes, m."""
        _, a, b = self.bars()
        lengths = np.linalg.norm(b - a, axis=1) if len(a) else [float(sizes.max()) for *_, sizes in self.boxes]
        return float(np.median(lengths)) if len(lengths) else 1.0

    def reach(self) -> float:
        """The longest edge of the box that the linkage is in, in the pose as described, m."""
        ends = self.lines(self._linkage.neutral()).reshape(-1, 3)
        return float(np.ptp(ends, axis=0).max()) if len(ends) else 0.0

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


def _joined(*parts: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    bodies, points = zip(*parts, strict=True)
    return np.concatenate(bodies), np.concatenate(points)


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
