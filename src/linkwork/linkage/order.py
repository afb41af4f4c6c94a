"""Coordinates between our order of joints and a peer's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.joint import Planar, Revolute

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


class OrderMap(NamedTuple):
    """Where the coordinates of joints, in another order, are in ours.

    Attributes
    ----------
    q, v : arrays of int
        ``q_theirs = q_ours[..., map.q]`` and ``v_theirs = v_ours[..., map.v]``; torques and accelerations go like v.
    nq, nv : int
        Ours.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(3)
    >>> order = lw.order_map(arm, ["link2", "link1", "link0"])
    >>> order.to_theirs([0.1, 0.2, 0.3])
    array([0.3, 0.2, 0.1])
    """

    q: np.ndarray
    v: np.ndarray
    nq: int
    nv: int

    def to_theirs(self, ours: Any) -> np.ndarray:
        """Reorder q (..., nq) or v (..., nv), whichever it is by its size; of equal size, both go the same way."""
        ours = np.asarray(ours)
        if ours.shape[-1:] not in ((self.nq,), (self.nv,)):
            raise ArgumentError(f"q or v must have shape (..., {self.nq}) or (..., {self.nv}), not {ours.shape}")
        return ours[..., self.v if ours.shape[-1] == self.nv else self.q]

    def to_ours(self, theirs: Any) -> np.ndarray:
        """The way back; joints that are not in the map stay zero."""
        theirs = np.asarray(theirs)
        if theirs.shape[-1:] not in ((len(self.q),), (len(self.v),)):
            expected = f"(..., {len(self.q)}) or (..., {len(self.v)})"
            raise ArgumentError(f"their q or v must have shape {expected}, not {theirs.shape}")
        index, size = (self.v, self.nv) if theirs.shape[-1] == len(self.v) else (self.q, self.nq)
        ours = np.zeros((*theirs.shape[:-1], size))
        ours[..., index] = theirs
        return ours


def order_map(linkage: Linkage, names: Iterable[Any]) -> OrderMap:
    """Return where the coordinates of the joints `names`, in that order, are in q and v.

    Parameters
    ----------
    linkage : Linkage
    names : iterable of str or Joint
        Tree joints in the order of a peer, or of a controller: all of them, or some.

    Returns
    -------
    OrderMap

    Raises
    ------
    ArgumentError
        A name is unknown, or given twice.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(3)
    >>> order = lw.order_map(arm, ["link2", "link0"])
    >>> order.to_theirs([0.1, 0.2, 0.3])
    array([0.3, 0.1])
    """
    columns = linkage.columns
    rows = [linkage._resolve_joint(name) for name in names]
    if len(set(rows)) < len(rows):
        twice = next(columns.joint_names[row] for row in rows if rows.count(row) > 1)
        raise ArgumentError(f"joint {twice!r} is named twice")
    joints = [linkage.joints[columns.joint_names[row]] for row in rows]
    q = [np.arange(joint.q_slice.start, joint.q_slice.stop) for joint in joints]
    v = [np.arange(joint.v_slice.start, joint.v_slice.stop) for joint in joints]
    none = np.empty(0, dtype=np.int64)
    return OrderMap(np.concatenate([none, *q]), np.concatenate([none, *v]), linkage.nq, linkage.nv)


class PinocchioMap:
    """Converts configurations and velocities between a linkage and a Pinocchio model with the same joints.

    Joints are matched by name; fixed ones need no partner. Pinocchio writes an unbounded revolute joint as (cos, sin),
    a planar one as (x, y, cos, sin). Velocities, accelerations and torques differ in their order only.
    """

    def __init__(self, linkage: Linkage, model: Any):
        ours = {joint.name for joint in linkage.joints if joint.nv}
        theirs = list(model.names)[1:]
        missing = ours.symmetric_difference(theirs)
        if missing:
            name = min(missing)
            where = "the Pinocchio model" if name in ours else f"linkage {linkage.name!r}"
            raise ArgumentError(f"joint {name!r} is not in {where}: both must have the same joints")
        self._joints = [linkage.joints[name] for name in theirs]
        self._sizes = [int(joint.nq) for joint in list(model.joints)[1:]]
        for joint, size in zip(self._joints, self._sizes, strict=True):
            if size != joint.nq and not (isinstance(joint.type, Revolute | Planar) and size == joint.nq + 1):
                kind = type(joint.type).__name__
                raise ArgumentError(f"joint {joint.name!r} is {kind}, nq = {joint.nq}; Pinocchio's has nq = {size}")
            if isinstance(joint.type, Planar) and not np.allclose(joint.type.normal, (0.0, 0.0, 1.0)):
                raise ArgumentError(f"joint {joint.name!r}: Pinocchio's planar joints have the normal z")
        self._starts = np.cumsum([0, *self._sizes])
        self.order = order_map(linkage, theirs)
        self.nq = int(self._starts[-1])

    def q_to(self, q: Any) -> np.ndarray:
        """Our configurations (..., nq) in Pinocchio's layout."""
        q = _last(q, self.order.nq, "q")
        parts = [np.empty((*q.shape[:-1], 0))]
        for joint, size in zip(self._joints, self._sizes, strict=True):
            part = q[..., joint.q_slice]
            if size != joint.nq:
                angle = part[..., -1:]
                part = np.concatenate([part[..., :-1], np.cos(angle), np.sin(angle)], axis=-1)
            parts.append(part)
        return np.concatenate(parts, axis=-1)

    def q_from(self, q: Any) -> np.ndarray:
        """Pinocchio's configurations in ours; angles within ±π where it writes (cos, sin)."""
        q = _last(q, self.nq, "Pinocchio's q")
        ours = np.zeros((*q.shape[:-1], self.order.nq))
        for joint, size, start in zip(self._joints, self._sizes, self._starts, strict=False):
            part = q[..., start : start + size]
            if size != joint.nq:
                angle = np.arctan2(part[..., -1:], part[..., -2:-1])
                part = np.concatenate([part[..., :-2], angle], axis=-1)
            ours[..., joint.q_slice] = part
        return ours


def _last(values: Any, size: int, what: str) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64)
    if values.shape[-1:] != (size,):
        raise ArgumentError(f"{what} must have shape (..., {size}), not {values.shape}")
    return values


def to_pinocchio(linkage: Linkage, model: Any, q: Any = None, v: Any = None) -> Any:
    """See `Linkage.to_pinocchio`."""
    found = PinocchioMap(linkage, model)
    if q is None and v is None:
        return found
    theirs = None if v is None else _last(v, found.order.nv, "v")[..., found.order.v]
    return theirs if q is None else found.q_to(q) if v is None else (found.q_to(q), theirs)


def from_pinocchio(linkage: Linkage, model: Any, q: Any = None, v: Any = None) -> Any:
    """See `Linkage.from_pinocchio`."""
    found = PinocchioMap(linkage, model)
    if q is None and v is None:
        return found
    ours = None
    if v is not None:
        theirs = _last(v, len(found.order.v), "Pinocchio's v")
        ours = np.zeros((*theirs.shape[:-1], found.order.nv))
        ours[..., found.order.v] = theirs
    return ours if q is None else found.q_from(q) if v is None else (found.q_from(q), ours)
