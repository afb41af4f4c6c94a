"""Shapes as the tables that `linkwork.kernels.contact.detect` reads, and those that Python must look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.contact.jets import JET
from linkwork.kernels.layout.shapes import (
    BALL_ROW,
    CALLED,
    CYLINDER,
    FIELD,
    MEETING_ROW,
    PLANE,
    S_ACCELERATION,
    S_CHANGES,
    S_POSE,
    S_SLIDING,
    S_TWIST,
    SPHERE,
    SURFACE_ROW,
    TORUS,
)
from linkwork.linkage.implicit import Implicit, Moving, Sliding
from linkwork.linkage.pose import Pose
from linkwork.linkage.shape_pairs import ShapePair, shape_pairs
from linkwork.linkage.shapes import Ball, Capsule, Point, ShapeRecord, Solid
from linkwork.linkage.surfaces import Cylinder, Plane, Sphere, Surface, Torus

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage

BY_COAL = "a Box or Mesh with a solid that is no Ball"  # of which none is a surface for the other
MANY = 8  # places of a solid above which a ball around all of them is looked at first
CROWD = 32  # … above which there is one around either half of them, and so on


Form = tuple[Pose, tuple[float, ...]]  # the frame of a surface; its kind, radii and side


class Shapes(NamedTuple):
    """What may touch.

    Attributes
    ----------
    pairs : list of ShapePair
        All pairs that meet.
    balls, surfaces, meetings : arrays
        Those of solids with surfaces that the kernel knows: see `linkwork.kernels.layout.shapes`.
    moving : list of (int, Pose, Moving)
        Rows of `surfaces` that move, whose frames are to be written before each use; where they stand on ground.
    fields : list of int
        Numbers of pairs of a solid with a surface that is a function of Python's, or slides over what moves.
    solids : list of int
        Numbers of pairs of two solids, none of which is a surface for the other one.
    functions : list of (int, Surface)
        Rows of `surfaces` that are functions of Python's, for contacts by events; there they are no `fields`.
    programs : (n,) array
        Texts of surfaces, one after the other, as programs of `kernels.contact.jets`.
    """

    pairs: list[ShapePair]
    balls: np.ndarray
    surfaces: np.ndarray
    meetings: np.ndarray
    moving: list[tuple[int, Pose, Moving]]
    fields: list[int]
    solids: list[int]
    functions: list[tuple[int, Surface]]
    programs: np.ndarray

    def place(self, t: float) -> None:
        """Put surfaces that move to where they are at time t."""
        for row, at, surface in self.moving:
            pose, twist, acceleration = surface.frame(t)
            form = canonical(_at_rest(surface)[0])
            frame, own = pose if form is None else pose @ form[0], self.surfaces[row]
            arm, w = frame.position - pose.position, twist[3:]
            turning = np.cross(w, arm)
            v, a = twist[:3] + turning, acceleration[:3] + np.cross(acceleration[3:], arm) + np.cross(w, turning)
            frame = at @ frame
            own[S_POSE:S_TWIST] = np.concatenate([frame.rotation.ravel(), frame.position])
            own[S_TWIST:S_ACCELERATION] = np.concatenate([at.rotation @ v, at.rotation @ w])
            own[S_ACCELERATION:S_CHANGES] = np.concatenate([at.rotation @ a, at.rotation @ acceleration[3:]])


def shapes_of(linkage: Linkage) -> Shapes:
    """The packed shapes of a linkage as it is now."""
    tree = linkage.tree
    if tree.shapes is None:
        tree.shapes = _pack(linkage)
    return tree.shapes


def shapes_by_events(linkage: Linkage) -> Shapes:
    """Shapes of which surfaces that are any function are rows of tables too."""
    return _pack(linkage, functions=True)


def _pack(linkage: Linkage, *, functions: bool = False) -> Shapes:
    records, pairs = linkage._shapes.records, list(shape_pairs(linkage))
    balls: list[np.ndarray] = []
    surfaces: list[np.ndarray] = []
    first: dict[int, int] = {}  # ball of a solid, by the shape's number
    row: dict[int, int] = {}  # row of a surface, likewise
    parts: dict[tuple[int, str], list[tuple[int, ...]]] = {}  # of a solid, where it may touch such surfaces
    moving, fields, solids, meetings, found, programs = [], [], [], [], [], []
    for number, pair in enumerate(pairs):
        one, other = records[pair.a], records[pair.b]
        assert isinstance(other.shape, Solid)
        inner, velocity = _at_rest(one.shape)
        if isinstance(inner, Solid):
            forms = _round(inner, other.shape)
        else:
            known = _function(inner, len(programs)) if isinstance(inner, Surface) else canonical(inner)
            forms = [] if known is None or (known[1][0] == CALLED and not functions) else [known]
        if not forms:
            (solids if isinstance(inner, Solid) else fields).append(number)
            continue
        if pair.a not in row:
            row[pair.a] = len(surfaces)
            if isinstance(one.shape, Moving):
                moving.append((len(surfaces), one.at, one.shape))
            if isinstance(inner, Surface):
                if inner.program is None:
                    found.append((len(surfaces), inner))
                else:
                    programs += inner.program.tolist()
            surfaces += [_surface_row(linkage, one, velocity, *form) for form in forms]
        if pair.b not in first:
            first[pair.b] = len(balls)
            balls += list(ball_rows(linkage, other))
        rub = pair.friction, pair.static_friction, pair.restitution, number
        for k, (_, form) in enumerate(forms):
            what = pair.b, _touching(*form)
            if what not in parts:
                places = _places(other.shape, first[pair.b], what[1])
                parts[what] = _nested(places, balls) if len(places) > MANY else [(*place, 0) for place in places]
            meetings += [(*spot, row[pair.a] + k, *rub, skipped) for *spot, skipped in parts[what]]
    return Shapes(
        pairs,
        np.array(balls).reshape(-1, BALL_ROW),
        np.array(surfaces).reshape(-1, SURFACE_ROW),
        np.array(meetings, dtype=np.float64).reshape(-1, MEETING_ROW),
        moving, fields, solids, found, np.array(programs),
    )  # fmt: skip


def _touching(kind: float, major: float, minor: float, side: float) -> str:
    """What a surface of this kind and size may touch of a solid besides its corners: edges, halves of them, faces."""
    if kind in (FIELD, CALLED):
        return "edges, faces"
    if kind == TORUS:
        return "halves, faces" if side > 0.0 else "halves"
    return "" if kind == PLANE or side < 0.0 else "edges, faces" if kind == SPHERE else "edges"


def _places(solid: Solid, start: int, touching: str) -> list[tuple[int, ...]]:
    """Where a solid whose balls begin at `start` may touch a surface: ball, end, half and corners of its meetings.

    Corners do on what is flat or hollow; edges count on what bulges in one direction, faces on what does in two.
    """
    count = len(solid.points())
    places = [(start + k, -1, 0, 0) for k in range(count)]
    if touching:
        halves = (1, -1) if "halves" in touching else (0,)
        places += [(start + a, start + b, half, 0) for a, b in solid.edges() for half in halves]
    if "faces" in touching:
        at = start + count
        for face in solid.polygons():
            places.append((at, -1, 0, len(face)))
            at += len(face)
    return places


def _nested(places: list[tuple[int, ...]], balls: list[np.ndarray]) -> list[tuple[int, ...]]:
    """These places behind a ball around all of them, which joins `balls`; of many, either half behind its own."""
    spans = [[ball, end] if end >= 0 else range(ball, ball + max(corners, 1)) for ball, end, _, corners in places]
    points = np.array([balls[k][1:4] for span in spans for k in span])
    low, high = points.min(axis=0), points.max(axis=0)
    centre, (stage, *_, radius) = 0.5 * (low + high), balls[places[0][0]]
    reach = float(np.sqrt(((points - centre) ** 2).sum(axis=1)).max()) + radius
    number = len(balls)
    balls.append(np.array([stage, *centre, reach]))
    if len(places) > CROWD:
        axis = 1 + int(np.argmax(high - low))
        order = np.argsort([sum(balls[k][axis] for k in span) / len(span) for span in spans], kind="stable").tolist()
        half = len(order) // 2
        inner = [row for part in (order[:half], order[half:]) for row in _nested([places[k] for k in part], balls)]
    else:
        inner = [(*place, 0) for place in places]
    return [(number, -1, 0, 0, len(inner)), *inner]


def fields(shapes: Shapes) -> tuple[np.ndarray, ...]:
    """What `linkwork.kernels.contact.field` takes, with scratch space of its own; it calls no function of Python's."""
    return np.zeros(1, dtype=np.int64), shapes.programs, np.zeros(JET * (len(shapes.programs) + 2)), np.zeros(3)


def with_points(linkage: Linkage, shapes: Shapes) -> Shapes:
    """Shapes, and points that are kept on surfaces: each of these meets its surface from both sides.

    A pair of this kind has the number −1 − k of its contact in the place of both shapes.
    """
    pairs, balls, surfaces, meetings = list(shapes.pairs), [*shapes.balls], [*shapes.surfaces], [*shapes.meetings]
    for k, record in enumerate(linkage._contacts.records):
        known = canonical(record.surface)
        if known is None:
            name = linkage._contacts.names[k]
            raise ArgumentError(
                f"point {name!r} is kept on {record.surface!r}: of such points time stepping knows those on planes, "
                "spheres, cylinders and tori that do not move; give its body a shape instead"
            )
        frame, (kind, major, minor, side) = known
        stage, at = in_stage(linkage, ShapeRecord(0, record.body, Pose(record.point), Point(), 0.0, 0.0, 0.0))
        turned = frame @ Pose(rotation=np.diag([1.0, -1.0, -1.0])) if kind == PLANE else frame
        for own, sign in ((frame, 1.0), (turned, -1.0)):
            form = (-1.0, kind, major, minor, side if kind == PLANE else sign * side)
            pose = np.concatenate([own.rotation.ravel(), own.position])
            meetings.append(
                np.array([len(balls), -1, 0, 0, len(surfaces), record.friction, record.holding, 0.0, len(pairs), 0.0])
            )
            surfaces.append(np.concatenate([form, pose, np.zeros(SURFACE_ROW - S_TWIST)]))
        balls.append(np.array([stage, *at.position, 0.0]))
        pairs.append(ShapePair(-1 - k, -1 - k, record.friction, record.holding, 0.0))
    return shapes._replace(
        pairs=pairs, balls=np.array(balls), surfaces=np.array(surfaces), meetings=np.array(meetings)
    )


def in_stage(linkage: Linkage, record: ShapeRecord) -> tuple[int, Pose]:
    """The stage of a shape's body, −1 for ground, and the shape's frame in that of the stage."""
    if record.body < 0:
        return -1, record.at
    tree = linkage.tree
    stage = int(tree.stage[record.body])
    return stage, Pose(rotation=tree.align[stage].T) @ record.at


def ball_rows(linkage: Linkage, record: ShapeRecord) -> np.ndarray:
    """(n, BALL_ROW) the balls that stand for a solid: its points, then the corners of its faces."""
    assert isinstance(record.shape, Solid)
    stage, at = in_stage(linkage, record)
    points, radius = at.apply(record.shape.points()), record.shape.radius_of_balls
    corners = [points[face] for face in record.shape.polygons()]
    rows = [(stage, *point, radius) for point in np.concatenate([points, *corners]).tolist()]
    return np.array(rows, dtype=np.float64)


def _round(one: Solid, other: Solid) -> list[Form]:
    """The surfaces that the first of two solids is for the other one; none where it is not round."""
    if isinstance(one, Ball):
        return [(Pose(), (SPHERE, one.radius, 0.0, 1.0))]
    if isinstance(one, Capsule) and isinstance(other, Capsule | Point):
        half = 0.5 * one.length
        ends = [(Pose((0.0, 0.0, z)), (SPHERE, one.radius, 0.0, 1.0)) for z in (-half, half)]
        return [*ends, (Pose(), (CYLINDER, one.radius, half, 1.0))]
    return []


def canonical(surface: Implicit | Solid) -> Form | None:
    """The frame in which a surface has its simplest form, and kind, radii and side; None where it is any function."""
    if isinstance(surface, Plane):
        normal = np.array(surface.normal)
        return Pose(surface.offset * normal, _turned(normal)), (PLANE, 0.0, 0.0, 1.0)
    side = -1.0 if getattr(surface, "inside", False) else 1.0
    if isinstance(surface, Sphere):
        return Pose(surface.center), (SPHERE, surface.radius, 0.0, side)
    if isinstance(surface, Cylinder):
        return Pose(surface.point, _turned(surface.axis)), (CYLINDER, surface.radius, 0.0, side)
    if isinstance(surface, Torus):
        return Pose(surface.center, _turned(surface.axis)), (TORUS, surface.major, surface.minor, side)
    return None


def _function(surface: Surface, start: int) -> Form:
    """`canonical` of any function: a text is a program from `start` on."""
    program = surface.program
    return Pose(), (CALLED, 0.0, 0.0, 1.0) if program is None else (FIELD, start, start + len(program), 1.0)


def _turned(axis) -> np.ndarray:
    from linkwork.linkage.packing.frames import shortest_rotations

    return shortest_rotations(np.array([axis], dtype=np.float64))[0]


def _surface_row(
    linkage: Linkage, record: ShapeRecord, velocity: np.ndarray, frame: Pose, form: tuple[float, ...]
) -> np.ndarray:
    stage, at = in_stage(linkage, record)
    pose, row = at @ frame, np.zeros(SURFACE_ROW)
    row[:S_TWIST] = np.concatenate([[stage, *form], pose.rotation.ravel(), pose.position])
    row[S_CHANGES] = isinstance(record.shape, Moving) or getattr(_at_rest(record.shape)[0], "timed", False)
    row[S_SLIDING:] = frame.rotation.T @ velocity
    return row


def _at_rest(shape: Implicit | Solid) -> tuple[Implicit | Solid, np.ndarray]:
    """What a surface is that moves or slides, and the velocity with which its material slides along it."""
    inner = shape.surface if isinstance(shape, Moving) else shape
    return (inner.surface, np.array(inner.velocity)) if isinstance(inner, Sliding) else (inner, np.zeros(3))
