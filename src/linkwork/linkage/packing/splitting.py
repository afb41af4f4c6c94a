"""Splitting links that carry many joints, so that none has more than three."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.columns import BODY, DOF, body_values
from linkwork.linkage.joint import Fixed

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


def split_links(linkage: Linkage, share: float | None = None) -> tuple[Linkage, np.ndarray]:
    """The same tree with every link of n > 3 joints as n − 2 links, one fixed to the next.

    Parameters
    ----------
    linkage : Linkage
    share : float, optional
        Part of a link's inertia that each of its added links gets; by default all get the same.

    Returns
    -------
    split : Linkage
        Of the same coordinates: fixed joints have none. Bodies and joints keep their names.
    kept : (nb,) array
        Where the bodies of `linkage` are in it.

    References
    ----------
    [YamaneNakamura] section 4, figure 3.
    """
    from linkwork.linkage.linkage import Linkage

    columns = linkage.columns
    parent = columns.parent
    hung = np.flatnonzero(parent >= 0)
    children = np.bincount(parent[hung], minlength=columns.n)
    parts = np.maximum(children - 1, 1)  # n − 2, n counting the link's own joint
    if share is not None and not np.all((share > 0.0) & (share * (parts - 1) < 1.0)):
        raise ArgumentError(f"share must be above 0, and leave something for each link itself, not {share!r}")
    last = np.cumsum(parts) - 1
    kept = last - (parts - 1)

    source = np.repeat(np.arange(columns.n), parts)  # of each new row
    added = np.ones(len(source), dtype=bool)
    added[kept] = False
    weight = np.where(added, 1.0 / parts[source] if share is None else share, 0.0)
    weight[kept] = 1.0 - np.bincount(source, weight, minlength=columns.n)

    # The j-th child hangs on the j-th part, the last two on the last
    rank = np.empty(columns.n, dtype=np.int64)
    order = hung[np.argsort(parent[hung], kind="stable")]
    rank[order] = np.arange(len(order)) - np.repeat(np.cumsum(children) - children, children)
    above = np.where(parent >= 0, kept[parent] + np.minimum(rank, parts[parent] - 1), -1)

    body = {name: getattr(columns, name)[source].copy() for name in BODY}
    body["mass"] *= weight
    body["inertia"] *= weight[:, None]
    body["parent"] = np.where(added, np.arange(len(source)) - 1, above[source])
    body["at_position"][added], body["at_rotation"][added] = 0.0, np.eye(3)
    for column, value in body_values(Fixed()).items():
        body[column][added] = value
    split = Linkage(name=linkage.name, gravity=linkage.gravity)
    names = _named(columns.body_names, source, added, kept)
    joints = _named(columns.joint_names, source, added, kept)
    split._append(names, joints, body, {name: getattr(columns, name).copy() for name in DOF})
    for force in linkage.forces:
        split.add_force(force)
    return split, kept


def _named(names: list[str], source: np.ndarray, added: np.ndarray, kept: np.ndarray) -> list[str]:
    """Names of the new rows: the added parts of "link" are "link/1", …, with more slashes where names have some."""
    mark = "/"
    while any(mark in name for name in names):
        mark += "/"
    number = np.arange(len(source)) - kept[source]
    return [f"{names[k]}{mark}{part}" if new else names[k] for k, part, new in zip(source, number, added, strict=True)]
