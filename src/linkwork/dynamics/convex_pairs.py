"""Contacts between two convex solids, by coal (the extra ``linkwork[collision]``): up to four points for each pair.

Pairs of which one is round all over are known without it: see `linkwork.linkage.packing.pack_shapes`.

coal finds the normal and the polygon in which two solids overlap. Where both are nearly parallel to a face, the face's
own normal is taken, and gaps of polyhedra are measured along it: coal's are good to about 1e-6 of a shape's size. Now
and then its normal of polyhedra is a wrong one, along which they would overlap far: then that of a face is looked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.mesh_shape import Mesh
from linkwork.linkage.shapes import Ball, Box, Capsule, Point, Solid

PARALLEL = 1e-8  # 1 − cosine of the angle between a normal and a face's, below which the latter is taken
MOST = 4  # points of a pair
SAME = 1e-9  # m: points of a polygon so near are one
TINY = 1e-9  # m: the radius of a Point beside another solid
FAR = 0.01  # of the smaller solid's size: polyhedra that overlap by more are looked at along all faces


class Facets(NamedTuple):
    """A polyhedron as half spaces: normals (n, 3) and offsets (n,), outwards, in the solid's frame."""

    normals: np.ndarray
    offsets: np.ndarray


def collision() -> Any:
    """The package coal."""
    try:
        import coal
    except ImportError:
        raise ArgumentError(
            "contacts between two solids need coal: pip install linkwork[collision]; or let one be a Ball, both be "
            "Capsules, or one be a surface"
        ) from None
    return coal


class Convex:
    """A solid as coal takes it.

    Attributes
    ----------
    geometry : object
        coal's.
    reach : float
        Radius of a ball around the frame's origin that holds it, m.
    box : (2, 3) array
        Centre and half sizes of a box around it, in the solid's frame, m.
    facets : Facets or None
        Of polyhedra.
    corners : (n, 3) array
        Of polyhedra, in the solid's frame.
    """

    def __init__(self, shape: Solid):
        coal = collision()
        points = self.corners = shape.points()
        self.reach = float(np.sqrt((points * points).sum(axis=1)).max()) + shape.radius_of_balls
        low, high = points.min(axis=0) - shape.radius_of_balls, points.max(axis=0) + shape.radius_of_balls
        self.box = np.array([0.5 * (low + high), 0.5 * (high - low)])
        self.facets: Facets | None = None
        if isinstance(shape, Box):
            self.geometry = coal.Box(*shape.sizes)
            unit = np.vstack([np.eye(3), -np.eye(3)])
            self.facets = Facets(unit, 0.5 * np.tile(shape.sizes, 2))
        elif isinstance(shape, Ball | Point):
            self.geometry = coal.Sphere(shape.radius if isinstance(shape, Ball) else TINY)
        elif isinstance(shape, Capsule):
            self.geometry = coal.Capsule(shape.radius, shape.length)
        elif isinstance(shape, Mesh):
            self.geometry = _hull(coal, shape)
            a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
            normals = np.cross(b - a, c - a)
            normals /= np.sqrt((normals * normals).sum(axis=1))[:, None]
            self.facets = Facets(normals, np.einsum("ij,ij->i", normals, a))
        else:
            raise ArgumentError(f"{shape!r} is no solid that can meet another one")


def _hull(coal: Any, mesh: Mesh) -> Any:
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in mesh.vertices:
        points.append(point)
    for face in mesh.faces.tolist():
        triangles.append(coal.Triangle(*face))
    return coal.Convex(points, triangles)


class Placed(NamedTuple):
    """A solid and where it is."""

    solid: Convex
    R: np.ndarray
    p: np.ndarray


class Narrow:
    """Finds the points at which two solids touch.

    Parameters
    ----------
    margin : float
        How far apart they may be, m.
    """

    def __init__(self, margin: float):
        coal = self._coal = collision()
        self._request = coal.CollisionRequest(coal.CONTACT, 1)
        self._request.security_margin = margin
        self._patch_request = coal.ContactPatchRequest()
        self._margin = margin

    def points(self, a: Placed, b: Placed) -> tuple[np.ndarray, list[tuple[np.ndarray, float]]]:
        """The normal from a to b, and up to four points with their gaps; no point where they are apart."""
        coal = self._coal
        at_a, at_b = coal.Transform3s(a.R, a.p), coal.Transform3s(b.R, b.p)
        result = coal.CollisionResult()
        coal.collide(a.solid.geometry, at_a, b.solid.geometry, at_b, self._request, result)
        if not result.isCollision():
            return np.zeros(3), []
        contact = self._mended(result, a, b)
        n = _snapped(np.array(contact.normal), a, b)
        if a.solid.facets is None and b.solid.facets is None:
            return n, [(np.array(contact.pos), contact.penetration_depth)]
        patches = coal.ContactPatchResult()
        coal.computeContactPatch(a.solid.geometry, at_a, b.solid.geometry, at_b, result, self._patch_request, patches)
        patch = patches.getContactPatch(0)
        found = [np.array(patch.getPoint(k)) for k in range(patch.size())] or [np.array(contact.pos)]
        gaps = [self._gap(x, n, a, b, contact.penetration_depth) for x in found]
        near = [(x, gap) for x, gap in zip(found, gaps, strict=True) if gap <= self._margin]
        return n, four(near) if near else [(np.array(contact.pos), contact.penetration_depth)]

    def _mended(self, result: Any, a: Placed, b: Placed) -> Any:
        """The contact that was found; along a face's normal where polyhedra overlap less along that."""
        contact = result.getContact(0)
        if a.solid.facets is None or b.solid.facets is None:
            return contact
        corners = [each.solid.corners @ each.R.T + each.p for each in (a, b)]
        apart = float((corners[1] @ contact.normal).min() - (corners[0] @ contact.normal).max())
        if apart > -FAR * min(a.solid.reach, b.solid.reach):
            return contact
        normals = np.vstack([a.solid.facets.normals @ a.R.T, -b.solid.facets.normals @ b.R.T])
        heights_a, heights_b = (normals @ each.T for each in corners)
        gaps = heights_b.min(axis=1) - heights_a.max(axis=1)
        k = int(np.argmax(gaps))
        if gaps[k] <= apart:
            return contact
        n, middle = normals[k], 0.5 * (heights_b[k].min() + heights_a[k].max())
        contact.normal, contact.penetration_depth = n, float(gaps[k])
        contact.pos = contact.pos + (middle - n @ contact.pos) * n
        result.clear()
        result.addContact(contact)
        return contact

    def _gap(self, x: np.ndarray, n: np.ndarray, a: Placed, b: Placed, found: float) -> float:
        """The gap along n at a point: measured where both are polyhedra, else as coal found it."""
        if a.solid.facets is None or b.solid.facets is None:
            return found
        return -(_way_out(a, x, n) + _way_out(b, x, -n))


def _snapped(n: np.ndarray, a: Placed, b: Placed) -> np.ndarray:
    """n, or the normal of a face that it is nearly parallel to."""
    best, aligned = n, 1.0 - PARALLEL
    for side, sign in ((a, 1.0), (b, -1.0)):
        if side.solid.facets is not None:
            along = side.solid.facets.normals @ (side.R.T @ (sign * n))
            k = int(np.argmax(along))
            if along[k] > aligned:
                best, aligned = sign * (side.R @ side.solid.facets.normals[k]), along[k]
    return best


def _way_out(side: Placed, x: np.ndarray, n: np.ndarray) -> float:
    """How far it is from x along n to the surface of a polyhedron; negative where that lies behind."""
    facets = side.solid.facets
    assert facets is not None
    y, d = side.R.T @ (x - side.p), side.R.T @ n
    along = facets.normals @ d
    ahead = along > 1e-6
    return float(((facets.offsets[ahead] - facets.normals[ahead] @ y) / along[ahead]).min())


def four(points: list[tuple[np.ndarray, float]]) -> list[tuple[np.ndarray, float]]:
    """At most four of the points with their gaps: the nearest one, and those that span the largest area with it."""
    distinct: list[tuple[np.ndarray, float]] = []
    for x, gap in points:
        if all(np.abs(x - other).max() > SAME for other, _ in distinct):
            distinct.append((x, gap))
    if len(distinct) <= MOST:
        return distinct
    places = np.array([x for x, _ in distinct])
    chosen = [int(np.argmin([gap for _, gap in distinct]))]
    far = ((places - places[chosen[0]]) ** 2).sum(axis=1)
    chosen.append(int(np.argmax(far)))
    edge = places[chosen[1]] - places[chosen[0]]
    crossed = np.cross(edge, places - places[chosen[0]])
    area = np.sqrt((crossed * crossed).sum(axis=1))
    chosen.append(int(np.argmax(area)))
    opposite = crossed @ crossed[chosen[2]]
    chosen.append(int(np.argmin(opposite)))
    return [distinct[k] for k in dict.fromkeys(chosen)]
