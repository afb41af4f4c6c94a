"""Unit solids and mesh files, as triangles."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import LinkworkWarning
from linkwork.linkage.visuals import Visual

UNREADABLE = 0.1  # m, edge of the box that stands for a mesh whose size is unknown
LARGEST = 20_000  # triangles of one mesh that are drawn


class Triangles(NamedTuple):
    """A solid: vertices (n, 3) and faces (m, 3), counted outwards; colours (n, 3) of the vertices where it has some."""

    vertices: np.ndarray
    faces: np.ndarray
    colors: np.ndarray | None = None


CORNERS = 0.5 * np.array([[(corner >> k & 1) * 2 - 1 for k in range(3)] for corner in range(8)])  # of a unit cube
_CUBE = np.array([[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4],
                  [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]])  # fmt: skip


@lru_cache(maxsize=32)
def unit(kind: str, detail: int = 2) -> Triangles:
    """A "box" of edges 1, a "ball" of radius 1, a "rod" along z of radius and length 1, a "cone" like it, or a "disc".

    `detail` is 0 for thousands of them, 1 for paper and 2 for the screen.
    """
    sides = (5, 12, 24)[detail]
    if kind == "box":
        return Triangles(CORNERS, _CUBE)
    if kind == "ball":
        return _ball(detail)
    angle = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angle), np.sin(angle), np.full(sides, -0.5)], axis=1)
    here, following = np.arange(sides), (np.arange(sides) + 1) % sides
    bottom = np.stack([np.full(sides, 2 * sides), following, here], axis=1)
    if kind == "cone":
        vertices = np.concatenate([ring, ring, [[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]]])
        wall = np.stack([here, following, np.full(sides, 2 * sides + 1)], axis=1)
        return Triangles(vertices, np.concatenate([wall, np.stack([bottom[:, 0], following + sides, here + sides], 1)]))
    top = ring * (1.0, 1.0, -1.0)
    wall = np.concatenate([np.stack([here, following, following + sides], 1),
                           np.stack([here, following + sides, here + sides], 1)])  # fmt: skip
    if detail == 0:
        return Triangles(np.concatenate([ring, top]), wall)
    # The ends have corners of their own, so that their edges look sharp.
    ends = np.concatenate([ring, top, [[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]]])
    lids = np.concatenate([bottom, np.stack([np.full(sides, 2 * sides + 1), here + sides, following + sides], 1)])
    return Triangles(np.concatenate([ring, top, ends]), np.concatenate([wall, lids + 2 * sides]))


def _ball(detail: int) -> Triangles:
    """An octahedron, its triangles cut into four `detail` times and pushed out onto the sphere."""
    points = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=float)
    corners = points[[[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]]
    for _ in range((0, 2, 3)[detail]):
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        ab, bc, ca = a + b, b + c, c + a
        corners = np.stack([np.stack(each, 1) for each in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))], 1)
        corners = corners.reshape(-1, 3, 3)
        corners = corners / np.linalg.norm(corners, axis=-1, keepdims=True)
    vertices, faces = np.unique(corners.reshape(-1, 3).round(12), axis=0, return_inverse=True)
    return Triangles(vertices, faces.reshape(-1, 3))


@lru_cache(maxsize=256)
def read(file: str | None, uri: str | None) -> Triangles:
    """The triangles of a mesh file; where it cannot be read a box, and a warning that names it."""
    name = Path(file or uri or "").name or "a mesh without a file"
    reason = _reason_unreadable(file)
    if reason is None:
        try:
            return _loaded(Path(str(file)))
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    warnings.warn(f"mesh {name!r} is drawn as a box: {reason}", LinkworkWarning, stacklevel=2)
    return Triangles(CORNERS * UNREADABLE, _CUBE)


def _reason_unreadable(file: str | None) -> str | None:
    if file is None or not Path(file).is_file():
        return "there is no such file"
    try:
        import trimesh  # noqa: F401
    except ImportError:
        return "reading it needs trimesh: pip install linkwork[view]"
    return None


def _loaded(path: Path) -> Triangles:
    import trimesh

    loaded: Any = trimesh.load(path, force="mesh")
    vertices, faces = np.array(loaded.vertices, dtype=float), np.array(loaded.faces, dtype=np.int64)
    if not len(faces) or not np.isfinite(vertices).all():
        raise ValueError("it has no triangles")
    colors = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        visual: Any = loaded.visual
        if visual.kind == "texture":
            visual = visual.to_color()
        if visual.kind in ("vertex", "face") and visual.defined:
            colors = np.array(visual.vertex_colors)[:, :3]
    return Triangles(vertices, faces, colors)


def triangles_of(visual: Visual) -> Triangles:
    """The triangles of a visual that is a mesh, scaled."""
    found = read(visual.file, visual.uri)
    scale = np.array(visual.size)
    faces = found.faces if np.prod(scale) > 0.0 else found.faces[:, ::-1]
    return Triangles(found.vertices * scale, faces, found.colors)
