"""Shapes that touch, in our own description.

```yaml
shapes:
- {name: sole, body: foot, at: {position: [0, 0, -0.05]}, shape: {type: Box, sizes: [0.2, 0.1, 0.02]}, friction: 0.8}
- {name: floor, body: ground, shape: {type: Plane, normal: z}, restitution: 0.2}
meet:
- {a: sole, b: floor, friction: 0.6}
part:
- {a: left, b: right}
```
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from linkwork.io.marked import Marked, optional
from linkwork.io.yaml_contacts import SHAPES as SURFACES
from linkwork.io.yaml_contacts import read_surface, written_surface
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.mesh_shape import Mesh
from linkwork.linkage.pose import Pose
from linkwork.linkage.shape_pairs import Meeting
from linkwork.linkage.shapes import Ball, Box, Capsule, Point, Shape, Solid
from linkwork.linkage.surfaces import Surface

SOLIDS: dict[str, Any] = {kind.__name__: kind for kind in (Point, Ball, Box, Capsule)}
RUBBING = ("friction", "static_friction", "restitution")


def read_shape(linkage: Linkage, entry: Marked, read_pose: Any) -> None:
    """Give a body of the linkage a shape as an entry says."""
    given = entry.mapping(("body", "shape"), ("name", "at", *RUBBING))
    options: dict[str, Any] = {key: given[key].number() for key in RUBBING if key in given}
    if "name" in given:
        options["name"] = given["name"].text()
    at = optional(given, "at", read_pose, Pose())
    given["body"].attempt(linkage._resolve, given["body"].text())
    entry.attempt(linkage.add_shape, given["body"].text(), _read_solid(given["shape"]), at=at, **options)


def _read_solid(entry: Marked) -> Solid | Implicit:
    kind = entry.get("type").text()
    if kind == Mesh.__name__:
        given = entry.mapping(("type",), ("file", "points", "scale"))
        if ("file" in given) == ("points" in given):
            entry.fail("a Mesh needs `file` or `points`, one of them")
        scale = optional(given, "scale", Marked.numbers, 1.0)
        if "points" in given:
            return entry.attempt(Mesh, given["points"].numbers(), scale)
        return given["file"].attempt(Mesh, entry.file.parent / given["file"].text(), scale)
    if kind in SURFACES or kind == Surface.__name__:
        return read_surface(entry)
    known, given = entry.kind(SOLIDS | SURFACES | {"Surface": Surface, "Mesh": Mesh}, "shape")
    return entry.attempt(known, **{key: mark.numbers() for key, mark in given.items()})


def read_meeting(linkage: Linkage, entry: Marked, *, meets: bool) -> None:
    """Let two shapes of the linkage meet, or pass through each other."""
    given = entry.mapping(("a", "b"), RUBBING if meets else ())
    pair = given["a"].text(), given["b"].text()
    if not meets:
        entry.attempt(linkage.part, *pair)
        return
    entry.attempt(linkage.meet, *pair, **{key: given[key].number() for key in RUBBING if key in given})


def written_shape(shape: Shape, path: Path, pose: dict[str, Any]) -> dict[str, Any]:
    """A shape as an entry of a file; `pose` is its `at`, written."""
    written: dict[str, Any] = {"name": shape.name, "body": shape.body.name} | pose
    written["shape"] = _written_solid(shape, path)
    written |= {key: getattr(shape, key) for key in ("friction", "restitution")}
    if shape.static_friction != shape.friction:
        written["static_friction"] = shape.static_friction
    return written


def _written_solid(shape: Shape, path: Path) -> dict[str, Any]:
    solid = shape.shape
    if isinstance(solid, Mesh):
        return {"type": "Mesh", "points": solid.vertices.tolist()}
    if isinstance(solid, Implicit):
        return written_surface(solid, f"shape {shape.name!r}", path)
    values = {field.name: getattr(solid, field.name) for field in fields(solid)}  # pyright: ignore[reportArgumentType]
    return {"type": type(solid).__name__} | {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}


def written_meetings(linkage: Linkage, *, meets: bool) -> list[dict[str, Any]]:
    """What was said of pairs, as entries of a file."""
    names = dict(zip((record.uid for record in linkage._shapes.records), linkage._shapes.names, strict=True))
    return [_meeting(sorted(names[uid] for uid in pair), said)
            for pair, said in linkage._meetings.items() if said.meets == meets]  # fmt: skip


def _meeting(names: list[str], said: Meeting) -> dict[str, Any]:
    given = {key: getattr(said, key) for key in RUBBING if getattr(said, key) is not None}
    return {"a": names[0], "b": names[1]} | given
