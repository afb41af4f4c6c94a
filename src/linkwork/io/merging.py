"""Links that are rigidly joined become one body: its inertia is the sum of theirs, checked as a whole."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from linkwork.errors import LinkworkWarning
from linkwork.io.safe_xml import Node
from linkwork.linkage.body import GROUND
from linkwork.linkage.inertia import Inertia, physical, six
from linkwork.linkage.pose import Pose

Places = dict[str, tuple[str, Pose]]
"""By link: the body that carries it, and the link's frame in the body's."""


class Link(Protocol):
    """What a link of a file has, whatever the format."""

    @property
    def inertia(self) -> Inertia:
        """In the link's frame, not yet checked: merging often makes a sound whole of strange parts."""
        ...

    @property
    def where(self) -> Node:
        """Its element."""
        ...


def merged_inertias(links: Mapping[str, Link], place: Places) -> dict[str, Inertia]:
    """Return each body's inertia; warn of one that no rigid body has, refuse one with which nothing could move."""
    inertias: dict[str, Inertia] = {}
    merged: dict[str, list[str]] = {}
    for name, link in links.items():
        body, pose = place[name]
        if body != GROUND:
            inertia = link.inertia.transformed(pose)
            inertias[body] = inertias[body] + inertia if body in inertias else inertia
            merged.setdefault(body, []).append(name)
    for body, inertia in inertias.items():
        # A radius of gyration below a micrometre is a rounded zero, whatever its sign.
        if np.abs(inertia.matrix).max() > 1e-12 * inertia.mass and not physical(*six(inertia.matrix).tolist()):
            where = links[body if body in links else merged[body][0]].where
            _warn_or_refuse(where, inertia, len(merged[body]))
    return inertias


def _warn_or_refuse(where: Node, inertia: Inertia, count: int) -> None:
    links = "" if count == 1 else f" after merging {count} links"
    if inertia.matrix.trace() < 0.0:
        raise where.error(f"the principal moments of inertia{links} have a negative sum; correct <inertia>")
    message = "a principal moment of inertia is negative or exceeds the sum of the others"
    error = where.error(f"no rigid body has this inertia{links}: {message}")
    warnings.warn(str(error), LinkworkWarning, stacklevel=5)
