"""The geoms of an MJCF model as visuals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import Visual

SPHERE, CAPSULE, BOX, MESH, CYLINDER = 2, 3, 6, 7, 5  # MuJoCo's types of geoms


def add_shapes(
    linkage: Linkage,
    model: Any,
    place: list[tuple[str, Pose]],
    files: dict[str, str],
    note: Callable[[str, str], None],
) -> None:
    """Add the geoms: those that take part in contacts as collision shapes, the others as looks.

    `files` are those of meshes, by their addresses.
    """
    for number in range(model.ngeom):
        geom = model.geom(number)
        kind, size = int(model.geom_type[number]), model.geom_size[number]
        pose = Pose(model.geom_pos[number], np.roll(model.geom_quat[number], -1))
        uri = None
        if kind == SPHERE:
            what, sizes = "sphere", (size[0],)
        elif kind in (CAPSULE, CYLINDER):
            what, sizes = "capsule" if kind == CAPSULE else "cylinder", (size[0], 2.0 * size[1])
        elif kind == BOX:
            what, sizes = "box", tuple(2.0 * size)
        elif kind == MESH:
            mesh = int(model.geom_dataid[number])
            what, sizes, uri = "mesh", tuple(model.mesh_scale[mesh]), _address(model, mesh)
            moved = Pose(model.mesh_pos[mesh], np.roll(model.mesh_quat[mesh], -1))  # to its principal axes
            pose = pose @ moved.inverse()
        else:
            note("geoms of other shapes (planes, ellipsoids, height fields)", geom.name or f"geom{number}")
            continue
        body, frame = place[int(model.geom_bodyid[number])]
        collides = bool(model.geom_contype[number] or model.geom_conaffinity[number])
        color = None if collides else tuple(float(part) for part in np.clip(model.geom_rgba[number], 0.0, 1.0))
        shape = tuple(float(part) for part in sizes)
        linkage.visuals.append(
            Visual(body, frame @ pose, what, shape, uri, files.get(uri or ""), color, None, geom.name or None, collides)
        )
    if model.ngeom:
        note("contacts between geoms: their shapes are in linkage.visuals", f"{model.ngeom} geoms")


def _address(model: Any, mesh: int) -> str | None:
    """The file of a mesh, as the model gives it."""
    start = int(model.mesh_pathadr[mesh])
    return None if start < 0 else bytes(model.paths)[start:].split(b"\0", 1)[0].decode("utf-8", "replace")
