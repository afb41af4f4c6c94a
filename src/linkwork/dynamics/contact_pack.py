"""Points on surfaces as arrays for the kernels, made once per structure of a linkage."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.layout.contacts import (
    CYLINDER,
    MODE_ROW,
    OUT_ROW,
    PLANE,
    POINT_ROW,
    SPHERE,
    T_AXIS,
    T_CENTER,
    T_FRICTION,
    T_GIVEN,
    T_KIND,
    T_MAJOR,
    T_MINOR,
    T_POINT,
    T_PROGRAM,
    T_SIDE,
    T_STAGE,
    T_STATIC,
    TEXT,
    TORUS,
)
from linkwork.kernels.layout.loops import AXIS
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.surfaces import Cylinder, Plane, Sphere, Surface, Torus


class PackedContacts:
    """The points of a linkage for `kernels.contact.constrained`; `known` says whether it knows all their surfaces.

    Attributes
    ----------
    points : array
        What they are; see `layout.contacts`.
    n : int
    """

    def __init__(self, linkage: Linkage):
        tree, records = linkage.tree, linkage._contacts.records
        self.n, self.depth = len(records), 1
        self.nv, self.pool, self.solving = tree.nv, [], []
        table, programs = np.zeros((self.n, POINT_ROW)), []
        self.known = True
        end = table.size
        for row, record in zip(table, records, strict=True):
            stage = tree.stage[record.body]
            row[T_STAGE] = stage
            row[T_POINT : T_POINT + 3] = record.point @ tree.align[stage]
            row[T_FRICTION], row[T_STATIC] = record.friction, record.holding
            row[T_GIVEN] = record.static_friction is not None
            program = _describe(record.surface, row)
            if program is None:
                self.known = False
            elif len(program):
                row[T_PROGRAM : T_PROGRAM + 2] = end, end + len(program)
                end += len(program)
                programs.append(program)
                self.depth = max(self.depth, len(program))
        self.points = np.concatenate([table.ravel(), *programs])
        self.table = table[:, T_STAGE : T_POINT + 3].ravel()  # stage and point alone

    def scratch(self, rows: int = 0) -> tuple[np.ndarray, ...]:
        """Points and scratch space as `kernels.contact.points.Contacts`, with so many rows of loops.

        Every mode is to be found.
        """
        if self.pool:
            made = self.pool.pop()
            made[1][:] = 0.0
            return made
        from linkwork.kernels.contact.jets import JET
        from linkwork.kernels.contact.points import LINES

        n, width = self.n, self.nv + rows
        return (
            self.points,
            np.zeros((n, MODE_ROW)),
            np.zeros((n, OUT_ROW)),
            np.zeros((n, 2), dtype=np.int64),
            np.zeros((n, 3)),
            np.zeros((n, 9)),
            np.zeros(AXIS * self.nv),
            np.zeros((6, width)),
            np.zeros((3 * n, width)),
            np.zeros((3 * n, 3 * n)),
            np.zeros((LINES, max(3 * n, width))),
            np.zeros(JET * (self.depth + 1)),
            np.zeros((3 * n, 3 * n)),
        )


def packed_contacts(linkage: Linkage) -> PackedContacts:
    """The points of a linkage as it is now."""
    tree = linkage.tree
    if tree.contacts is None:
        tree.contacts = PackedContacts(linkage)
    return tree.contacts


def _describe(surface: Implicit, row: np.ndarray) -> np.ndarray | None:
    """Write what a surface is; its program where it has one, None where only Python knows it."""
    row[T_SIDE] = -1.0 if getattr(surface, "inside", False) else 1.0
    if type(surface) is Plane:
        row[T_KIND], row[T_AXIS : T_AXIS + 3], row[T_MAJOR] = PLANE, surface.normal, surface.offset
    elif type(surface) is Sphere:
        row[T_KIND], row[T_CENTER : T_CENTER + 3], row[T_MAJOR] = SPHERE, surface.center, surface.radius
    elif type(surface) is Cylinder:
        row[T_KIND], row[T_AXIS : T_AXIS + 3], row[T_MAJOR] = CYLINDER, surface.axis, surface.radius
        row[T_CENTER : T_CENTER + 3] = surface.point
    elif type(surface) is Torus:
        row[T_KIND], row[T_AXIS : T_AXIS + 3], row[T_MAJOR] = TORUS, surface.axis, surface.major
        row[T_CENTER : T_CENTER + 3], row[T_MINOR] = surface.center, surface.minor
    elif type(surface) is Surface and surface.program is not None:
        row[T_KIND] = TEXT
        return surface.program
    else:
        return None
    return np.empty(0)
