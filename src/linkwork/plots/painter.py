"""Shaded pictures of solids on paper: triangles that face the reader, the farthest painted first."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.linkage.packing.launch import no_batch_compiled
from linkwork.plots.looks import Looks, Pieces, gather
from linkwork.plots.sticks import View

SLICE = 4.0  # radii: rods are cut into slices not longer than this, so that what is nearer can be told
SLICES = 12  # at most
LIGHT = np.array([-0.35, 0.75, 0.55])  # from the left, above and before: across, up and towards the reader


class Painter:
    """The triangles of a linkage, to be painted in any pose.

    Parameters
    ----------
    looks : Looks
    """

    def __init__(self, looks: Looks):
        self._linkage = looks.linkage
        parts = [_triangles(group) for group in gather([*looks.bodies, *looks.joints, *looks.loops], detail=1)]
        self._corners = np.concatenate([part[0] for part in parts]) if parts else np.empty((0, 3, 3))
        self._body = np.concatenate([part[1] for part in parts]) if parts else np.empty(0, dtype=int)
        self._color = np.concatenate([part[2] for part in parts]) if parts else np.empty((0, 3))
        lowest = np.where(self._body < 0, 0, 1)
        self._layer = lowest  # what stands on the ground is behind everything on it

    def paint(self, axes: Any, q: np.ndarray, view: View) -> None:
        """Draw the linkage at q (nq,)."""
        from matplotlib.collections import PolyCollection

        points, colors = self.polygons(q, view)
        if len(points):
            triangles: Any = points  # an array of them is quicker than a list
            shapes = PolyCollection(triangles, facecolors=colors, edgecolors=colors, linewidths=0.5, zorder=2)
            axes.add_collection(shapes, autolim=False)

    def polygons(self, q: np.ndarray, view: View) -> tuple[np.ndarray, np.ndarray]:
        """Triangles on paper (n, 3, 2) and their colours (n, 3), in the order in which they are painted."""
        with no_batch_compiled():
            poses = body_poses(self._linkage, np.ascontiguousarray(q))
        world = self._corners.copy()
        moving = self._body >= 0
        body = self._body[moving]
        world[moving] = np.einsum("nij,nkj->nki", poses.rotations[body], world[moving]) + poses.positions[body][:, None]
        across, up = view.matrix.T
        towards = np.cross(across, up)
        normals = np.cross(world[:, 1] - world[:, 0], world[:, 2] - world[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        facing = normals @ towards > 1e-9 * lengths
        world, normals, color = world[facing], normals[facing] / lengths[facing, None], self._color[facing]
        light = LIGHT @ np.stack([across, up, towards])
        shade = 0.5 + 0.5 * np.clip(normals @ (light / np.linalg.norm(light)), 0.0, 1.0)
        order = np.lexsort([(world @ towards).mean(axis=1), self._layer[facing]])
        return (world @ view.matrix)[order], np.clip(color * shade[:, None], 0.0, 1.0)[order]


def _triangles(group: Pieces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners (n, 3, 3) in the frames of bodies, the bodies (n,) and colours (n, 3), rods in slices."""
    vertices, faces = group.solid.vertices, group.solid.faces
    is_rod = len(vertices) > 8 and bool((np.abs(vertices[:, 2]) == 0.5).all())
    made, bodies, colors = [], [], []
    for k in range(len(group.body)):
        corners, count = vertices[faces], 1
        if is_rod:
            thick = max(float(group.scale[k, :2].max()), 1e-12)
            count = int(np.clip(np.ceil(group.scale[k, 2] / (SLICE * thick)), 1, SLICES))
            corners = _sliced(corners, count)
        made.append((corners * group.scale[k]) @ group.rotation[k].T + group.position[k])
        bodies.append(np.full(len(corners), group.body[k]))
        colors.append(np.tile(group.color[k] / 255.0, (len(corners), 1)))
    return np.concatenate(made), np.concatenate(bodies), np.concatenate(colors)


def _sliced(corners: np.ndarray, count: int) -> np.ndarray:
    """The triangles of a unit rod, its wall cut across into slices."""
    if count == 1:
        return corners
    is_wall = np.ptp(corners[:, :, 2], axis=1) > 0.5
    wall, lids = corners[is_wall], corners[~is_wall]
    slices = []
    for k in range(count):
        low, high = -0.5 + k / count, -0.5 + (k + 1) / count
        part = wall.copy()
        part[:, :, 2] = np.where(wall[:, :, 2] < 0.0, low, high)
        slices.append(part)
    return np.concatenate([*slices, lids])
