"""Shapes that touch, from the ``<collision>`` elements of a URDF file."""

from __future__ import annotations

import warnings

import numpy as np

from linkwork.errors import LinkworkError, LinkworkWarning
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.mesh_shape import Mesh
from linkwork.linkage.named import unused_name
from linkwork.linkage.shapes import Ball, Box, Capsule, Solid
from linkwork.linkage.visuals import Visual

SIDES = 24  # of the prism that stands for a cylinder


def add_collisions(linkage: Linkage) -> None:
    """Give bodies the shapes of their collision elements; what cannot be one is listed in `Linkage.ignored`.

    They meet other shapes, not each other: in files they overlap at every joint.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LinkworkWarning)
        _add(linkage)
    if caught:
        warnings.warn(
            f"{len(caught)} collision meshes are not convex: their hulls are taken; the first: {caught[0].message}",
            LinkworkWarning,
            stacklevel=4,
        )
    names = linkage.shapes.names
    for k, name in enumerate(names):
        for other in names[:k]:
            linkage.part(name, other)


def _add(linkage: Linkage) -> None:
    for visual in [visual for visual in linkage.visuals if visual.collision]:
        what = f"collision {visual.name or visual.kind!r} of {visual.body!r}"
        try:
            solid = _solid(visual)
        except LinkworkError as error:
            linkage.ignored.append(f"{what}: {error}")
            continue
        if solid is None:
            linkage.ignored.append(f"{what}: its mesh {visual.uri!r} was not found")
            continue
        name = unused_name(visual.name or f"{visual.body}-collision", (linkage._shapes.index,))
        linkage.add_shape(visual.body, solid, at=visual.pose, name=name)


def _solid(visual: Visual) -> Solid | None:
    """The solid of a collision element; None where its mesh is missing."""
    if visual.kind == "sphere":
        return Ball(visual.size[0])
    if visual.kind == "box":
        return Box(visual.size)
    if visual.kind == "capsule":
        return Capsule(*visual.size)
    if visual.kind == "cylinder":
        radius, length = visual.size
        turn = np.arange(SIDES) * (2.0 * np.pi / SIDES)
        rim = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
        ends = [np.column_stack([rim, np.full(SIDES, z)]) for z in (-0.5 * length, 0.5 * length)]
        return Mesh(np.concatenate(ends))
    return None if visual.file is None else Mesh(visual.file, visual.size)
