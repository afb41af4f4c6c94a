"""Surface constraints in our own description.

```yaml
contacts:
- {name: floor, body: hand, point: [0, 0, 0.1], friction: 0.2, surface: {type: Plane, normal: z, offset: 0.5}}
- {body: tool, surface: {type: Surface, expression: "z - 0.1*sin(3*x)"}}
```
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from linkwork.errors import DescriptionError
from linkwork.io.marked import Marked
from linkwork.io.yaml_strength import read_strength, written_strength
from linkwork.linkage.contacts import Contact
from linkwork.linkage.implicit import Sliding
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.surfaces import Cylinder, Implicit, Plane, Sphere, Surface, Torus

SHAPES: dict[str, Any] = {kind.__name__: kind for kind in (Plane, Sphere, Cylinder, Torus)}


def read_contact(linkage: Linkage, entry: Marked) -> None:
    """Keep a point of the linkage on a surface as an entry says."""
    body, options = contact_options(entry)
    entry.attempt(linkage.constrain, body, **options)


def contact_options(entry: Marked) -> tuple[str, dict[str, Any]]:
    """Return the body that an entry names, and what else `constrain` takes."""
    readers = {
        "name": Marked.text, "point": Marked.numbers, "friction": Marked.number, "static_friction": Marked.number,
        "singular": Marked.text,
    }  # fmt: skip
    given = entry.mapping(("body", "surface"), (*readers, "strength"))
    options: dict[str, Any] = {"surface": read_surface(given["surface"]), "strength": read_strength(given)}
    return given["body"].text(), options | {key: read(given[key]) for key, read in readers.items() if key in given}


def read_surface(entry: Marked) -> Implicit:
    """Return a surface; with `sliding`, one whose material moves."""
    if entry.get("type").text() == Surface.__name__:
        given = entry.mapping(("type", "expression"), ("sliding",))
        surface = given["expression"].attempt(Surface, given["expression"].formula("xyzt"))
    else:
        surface, given = _read_known(entry)
    return given["sliding"].attempt(surface.sliding, given["sliding"].numbers()) if "sliding" in given else surface


def _read_known(entry: Marked) -> tuple[Implicit, dict[str, Marked]]:
    kind, all_given = entry.kind(SHAPES | {Surface.__name__: Surface}, "surface", "sliding")
    given = {key: mark for key, mark in all_given.items() if key != "sliding"}
    readers = {"inside": Marked.boolean, "axis": Marked.axis, "normal": Marked.axis}
    options = {key: readers.get(key, Marked.numbers)(mark) for key, mark in given.items()}
    return entry.attempt(kind, **options), all_given


def written_surface(surface: Implicit, of: str, path: Path) -> dict[str, Any]:
    """A surface as part of an entry; `of` says whose it is."""
    if isinstance(surface, Sliding):
        return written_surface(surface.surface, of, path) | {"sliding": list(surface.velocity)}
    if isinstance(surface, Surface) and surface.expression is not None:
        return {"type": "Surface", "expression": surface.expression}
    if type(surface).__name__ in SHAPES:
        values = {field.name: getattr(surface, field.name) for field in fields(surface)}  # pyright: ignore[reportArgumentType]
        written = {"type": type(surface).__name__}
        return written | {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
    raise DescriptionError(
        f"the surface of {of}, {surface!r}, is made of functions, which a file cannot hold: describe it by an "
        "expression in x, y, z and t",
        file=path,
    )


def written_contact(contact: Contact, path: Path) -> dict[str, Any]:
    """A contact as an entry of a file."""
    shape = written_surface(contact.surface, f"contact {contact.name!r}", path)
    written = {"name": contact.name, "body": contact.body.name, "point": contact.point.tolist()}
    written |= {"friction": contact.friction, "surface": shape}
    if contact._record.static_friction is not None:
        written["static_friction"] = contact.static_friction
    if contact.singular != "raise":
        written["singular"] = contact.singular
    return written | written_strength(contact.linkage.strengths.get(contact.name))
