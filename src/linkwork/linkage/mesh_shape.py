"""Convex solids given by their corners or by a mesh file."""

from __future__ import annotations

import warnings
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError, DescriptionError, LinkworkWarning
from linkwork.linkage.checks import array
from linkwork.linkage.shapes import Solid, check_array

CONVEX = 1e-3  # of the hull's volume: a mesh that fills all but this counts as convex
FLAT = 1e-9  # of its size: a hull that is thinner has no inside


class Mesh(Solid):
    """A convex solid: the hull of a mesh or of points.

    Parameters
    ----------
    source : path or (n, 3) array_like
        A mesh file (STL, OBJ, DAE, ... ; needs the extra ``linkwork[view]``), or points, m.
    scale : float or (3,) array_like
        Multiplies the coordinates.

    Attributes
    ----------
    file : str or None
        The file it came from.
    vertices : (n, 3) array
        Corners of the hull, in its own frame, m.
    faces : (m, 3) array
        Triangles of the hull, counted outwards.

    Warns
    -----
    LinkworkWarning
        The mesh is not convex; its hull is taken.

    Examples
    --------
    >>> import linkwork as lw
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> lw.Mesh(corners, scale=0.1).vertices.shape
    (4, 3)
    """

    def __init__(self, source: str | PathLike[str] | ArrayLike, scale: float | ArrayLike = 1.0):
        self.scale = tuple(np.broadcast_to(np.array(scale, dtype=np.float64), (3,)).tolist())
        if (array(self.scale, (3,), "scale of a Mesh") == 0.0).any():
            raise ArgumentError(f"scale of a Mesh is {self.scale}: it must not be zero")
        if isinstance(source, str | PathLike):
            self.file: str | None = fspath(source)
            points, volume = _read(Path(source))
            volume = None if volume is None else abs(volume * float(np.prod(self.scale)))
        else:
            self.file, points, volume = None, check_array(source, "points of a Mesh"), None
        self.vertices, self.faces = _hull(points * self.scale, volume, self.file)

    def points(self) -> np.ndarray:
        """Its corners."""
        return self.vertices

    def edges(self) -> list[tuple[int, int]]:
        """Where two flat faces meet."""
        return sorted({(min(a, b), max(a, b)) for face in self.polygons() for a, b in _around(face)})

    def polygons(self) -> list[list[int]]:
        """Its triangles, those in one plane together."""
        return self._polygons

    @cached_property
    def _polygons(self) -> list[list[int]]:
        beside = {edge: k for k, face in enumerate(self.faces.tolist()) for edge in _around(face)}
        size, taken, found = float(np.ptp(self.vertices, axis=0).max()), set(), []
        for k in range(len(self.faces)):
            if k in taken:
                continue
            a, b, c = self.vertices[self.faces[k]]
            normal = np.cross(b - a, c - a)
            heights = (self.vertices - a) @ (normal / np.linalg.norm(normal))
            flat, border, new = {k}, {}, [k]
            while new:
                for one, other in _around(self.faces[new.pop()].tolist()):
                    next_face = beside[other, one]
                    if next_face in flat or next_face in taken:
                        continue
                    if np.abs(heights[self.faces[next_face]]).max() <= FLAT * size:
                        flat.add(next_face)
                        new.append(next_face)
            for face in flat:
                border |= {one: other for one, other in _around(self.faces[face].tolist())
                           if beside[other, one] not in flat}  # fmt: skip
            taken |= flat
            corner = min(border)
            found.append([corner])
            while border[found[-1][-1]] != corner:
                found[-1].append(border[found[-1][-1]])
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and np.array_equal(self.vertices, other.vertices)

    def __hash__(self) -> int:
        return hash(self.vertices.tobytes())

    def __repr__(self) -> str:
        return f"Mesh({Path(self.file).name if self.file else 'points'!r}, {len(self.vertices)} corners)"


def _around(face: list[int]) -> list[tuple[int, int]]:
    """The edges of a face, in turn."""
    return list(zip(face, face[1:] + face[:1], strict=True))


def _read(path: Path) -> tuple[np.ndarray, float | None]:
    """Vertices of a mesh file, and its volume where it is closed."""
    if not path.is_file():
        raise DescriptionError("there is no such mesh", file=path)
    try:
        import trimesh
    except ImportError:
        raise ArgumentError(f"reading mesh {path.name!r} needs trimesh: pip install linkwork[view]") from None
    try:
        loaded: Any = trimesh.load(path, force="mesh")
        points = np.array(loaded.vertices, dtype=np.float64)
    except Exception as error:
        raise DescriptionError(f"is no mesh that can be read: {error}", file=path) from None
    return points, float(loaded.volume) if loaded.is_watertight else None


def _hull(points: np.ndarray, volume: float | None, file: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Corners and outward triangles of the convex hull."""
    from scipy.spatial import ConvexHull, QhullError

    what = f"mesh {Path(file).name!r}" if file else "a Mesh"
    size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError, IndexError):
        hull = None
    if hull is None or hull.volume <= FLAT * size**3:
        raise ArgumentError(f"{what} has no inside: it needs at least four points that are not in one plane")
    if volume is None:  # of points alone: are there some inside?
        deepest = float((hull.equations[:, :3] @ points.T + hull.equations[:, 3:]).max(axis=0).min())
        hollow = deepest < -CONVEX * size
    else:
        hollow = volume < (1.0 - CONVEX) * hull.volume
    if hollow:
        warnings.warn(
            f"{what} is not convex: its hull is taken; give several convex pieces where that matters",
            LinkworkWarning,
            stacklevel=3,
        )
    number = np.full(len(points), -1)
    number[hull.vertices] = np.arange(len(hull.vertices))
    a, b, c = (points[hull.simplices[:, k]] for k in range(3))
    inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    faces = number[np.where(inwards[:, None], hull.simplices[:, [0, 2, 1]], hull.simplices)]
    return points[hull.vertices], faces
