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
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.surfaces import Cylinder, Implicit, Plane, Sphere, Surface, Torus

SHAPES: dict[str, Any] = {kind.__name__: kind for kind in (Plane, Sphere, Cylinder, Torus)}


def read_contact(linkage: Linkage, entry: Marked) -> None:
    """Keep a point of the linkage on a surface as an entry says."""
    body, options = contact_options(entry)
    entry.attempt(linkage.constrain, body, **options)


def contact_options(entry: Marked) -> tuple[str, dict[str, Any]]:
    """Return the body that an entry names, and what else `constrain` takes."""
    readers = {"name": Marked.text, "point": Marked.numbers, "friction": Marked.number, "singular": Marked.text}
    given = entry.mapping(("body", "surface"), (*readers, "strength"))
    options: dict[str, Any] = {"surface": _read_surface(given["surface"]), "strength": read_strength(given)}
    return given["body"].text(), options | {key: read(given[key]) for key, read in readers.items() if key in given}


def _read_surface(entry: Marked) -> Implicit:
    if entry.get("type").text() == Surface.__name__:
        given = entry.mapping(("type", "expression"))
        return given["expression"].attempt(Surface, given["expression"].text())
    kind, given = entry.kind(SHAPES | {Surface.__name__: Surface}, "surface")
    readers = {"inside": Marked.boolean, "axis": Marked.axis, "normal": Marked.axis}
    return entry.attempt(kind, **{key: readers.get(key, Marked.numbers)(mark) for key, mark in given.items()})


def written_contact(contact: Contact, path: Path) -> dict[str, Any]:
    """A contact as an entry of a file."""
    surface = contact.surface
    if isinstance(surface, Surface) and surface.expression is not None:
        shape: dict[str, Any] = {"type": "Surface", "expression": surface.expression}
    elif type(surface).__name__ in SHAPES:
        values = {field.name: getattr(surface, field.name) for field in fields(surface)}  # pyright: ignore[reportArgumentType]
        shape = {"type": type(surface).__name__}
        shape |= {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
    else:
        raise DescriptionError(
            f"the surface of contact {contact.name!r}, {surface!r}, is made of functions, which a file cannot hold: "
            "describe it by an expression in x, y, z and t",
            file=path,
        )
    written = {"name": contact.name, "body": contact.body.name, "point": contact.point.tolist()}
    written |= {"friction": contact.friction, "surface": shape}
    if contact.singular != "raise":
        written["singular"] = contact.singular
    return written | written_strength(contact.linkage.strengths.get(contact.name))
