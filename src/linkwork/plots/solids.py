"""A linkage by the shapes of its bodies: outlines of boxes, balls, cylinders and capsules, the nearest last."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.linkage.body import GROUND
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.visuals import Visual
from linkwork.plots.sticks import CORNERS

KINDS = ("box", "sphere", "cylinder", "capsule")
_ROUND = np.stack([np.cos(np.arange(24) * np.pi / 12), np.sin(np.arange(24) * np.pi / 12)], axis=1)
PLAIN = (0.6, 0.65, 0.7)


class Outline(NamedTuple):
    """One shape on paper: how near it is, its outline (n, 2), its colour."""

    nearness: float
    points: np.ndarray
    color: tuple[float, ...]


class Solids:
    """The shapes of a linkage, to be drawn in any pose.

    Parameters
    ----------
    linkage : Linkage
    """

    def __init__(self, linkage: Linkage):
        self._linkage = linkage
        self._shapes = [visual for visual in linkage.visuals if visual.kind in KINDS and not visual.collision]
        seen = {visual.body for visual in self._shapes}
        names, mass = linkage.columns.body_names, linkage.columns.mass
        self.whole = bool(self._shapes) and all(name in seen for name, m in zip(names, mass, strict=True) if m > 0.0)
        """Whether every body with mass has a shape."""

    def outlines(self, q: np.ndarray, view: Any) -> list[Outline]:
        """The shapes in pose q (nq,), the farthest first."""
        poses = body_poses(self._linkage, np.ascontiguousarray(q))
        towards = np.cross(view.matrix[:, 0], view.matrix[:, 1])
        made = []
        for visual in self._shapes:
            pose = visual.pose if visual.body == GROUND else poses[visual.body] @ visual.pose
            color = PLAIN if visual.color is None else tuple(visual.color[:3])
            floor = visual.body == GROUND and visual.kind == "box"  # behind everything on it
            nearness = -np.inf if floor else float(pose.position @ towards)
            made.append(Outline(nearness, _outline(visual, pose, view), color))
        return sorted(made, key=lambda outline: outline.nearness)


def _outline(visual: Visual, pose: Any, view: Any) -> np.ndarray:
    """(n, 2) the outline of a shape on paper: the convex hull of a few points or circles."""
    if visual.kind == "box":
        return _hull(view(pose.apply(CORNERS * visual.size)))
    radius = visual.size[0]
    if visual.kind == "sphere":
        return view(pose.position) + radius * _ROUND
    ends = pose.apply(np.array([[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]]) * visual.size[1])
    if visual.kind == "capsule":
        return _hull((view(ends)[:, None] + radius * _ROUND).reshape(-1, 2))
    discs = ends[:, None] + radius * (_ROUND @ pose.rotation[:, :2].T)
    return _hull(view(discs.reshape(-1, 3)))


def _hull(points: np.ndarray) -> np.ndarray:
    """The convex hull (m, 2) of points (n, 2), anticlockwise: Andrew's monotone chain."""
    ordered = sorted(map(tuple, points))
    half = [_chain(ordered), _chain(ordered[::-1])]
    return np.array(half[0][:-1] + half[1][:-1])


def _chain(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for x, y in points:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            chain.pop()
        chain.append((x, y))
    return chain
