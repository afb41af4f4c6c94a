"""What a change of structure does to a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError, StructureError
from linkwork.kernels.layout.kinds import KIND_NQ, KIND_NV
from linkwork.linkage.chain import Chain
from linkwork.linkage.joint import Free
from linkwork.linkage.named import Register, T
from linkwork.linkage.pose import quaternion_from_rotation

if TYPE_CHECKING:
    from linkwork.linkage.forces import Force
    from linkwork.linkage.linkage import Linkage


class IndexMap(NamedTuple):
    """Where each old entry went, -1 where it is gone: `new_v[..., map.v[k]] = old_v[..., k]`."""

    q: np.ndarray
    v: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Change:
    """A change of structure, made by `Linkage.cut` and the like.

    Attributes
    ----------
    kind : str
        What was done, for example "cut".
    joint : str
        The name of the joint that was cut or connected.
    new_joint : str or None
        The name of the tree joint that replaced it.
    revision_before, revision_after : int
        The linkage's revisions.
    index_map : IndexMap
        Old q and v index to new.
    removed_forces : tuple
        Force elements removed with the joint.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> change = arm.cut("link1")
    >>> change.kind, change.new_joint, change.nv_after
    ('cut', 'link1', 7)
    """

    kind: str
    joint: str
    new_joint: str | None = None
    revision_before: int
    revision_after: int
    index_map: IndexMap
    nq_after: int
    nv_after: int
    removed_forces: tuple[Force, ...] = ()
    freed: Freed | None = None

    def carry(self, q: ArrayLike, v: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the same poses and velocities in the new layout.

        Parameters
        ----------
        q : (..., nq before) array_like
        v : (..., nv before) array_like

        Returns
        -------
        q : (..., nq after) ndarray
        v : (..., nv after) ndarray
        """
        old_q = _state(q, len(self.index_map.q), "q", self)
        old_v = _state(v, len(self.index_map.v), "v", self)
        batch = np.broadcast_shapes(old_q.shape[:-1], old_v.shape[:-1])
        new_q, new_v = np.zeros((*batch, self.nq_after)), np.zeros((*batch, self.nv_after))
        for old, new, where in ((old_q, new_q, self.index_map.q), (old_v, new_v, self.index_map.v)):
            new[..., where[where >= 0]] = old[..., where >= 0]
        if self.freed is not None:
            motion = self.freed.chain.motion(old_q, old_v)
            at_q, at_v = self.freed.q_start, self.freed.v_start
            new_q[..., at_q : at_q + 3] = motion.position
            new_q[..., at_q + 3 : at_q + 7] = quaternion_from_rotation(motion.rotation)
            new_v[..., at_v : at_v + 3] = motion.linear
            new_v[..., at_v + 3 : at_v + 6] = motion.angular
        return new_q, new_v

    def __repr__(self) -> str:
        became = f", now {self.new_joint!r}" if self.new_joint else ""
        revisions = f"{self.revision_before} -> {self.revision_after}"
        return f"Change({self.kind} {self.joint!r}{became}, revision {revisions})"


class Freed(NamedTuple):
    """The body that a cut of a tree joint set free: its old chain to ground, its place in the new layout."""

    chain: Chain
    q_start: int
    v_start: int


def cut_tree_joint(linkage: Linkage, index: int) -> Change:
    """Hang body `index` on ground by a `Free` joint; see `Linkage.cut`."""
    columns, free = linkage.columns, Free()
    name, code = columns.joint_names[index], int(columns.code[index])
    if code == Free.code and columns.parent[index] < 0:
        raise StructureError(f"joint {name!r} is a Free joint to ground: there is nothing to cut")
    new_name = columns.body_names[index]
    while new_name != name and any(new_name in names for names in linkage._taken_joint_names):
        new_name += "_free"
    freed = Freed(Chain.to(columns, index), int(columns.q_start[index]), int(columns.v_start[index]))
    index_map = IndexMap(
        _replaced(columns.nq, freed.q_start, int(KIND_NQ[code]), free.nq),
        _replaced(columns.nv, freed.v_start, int(KIND_NV[code]), free.nv),
    )
    before = linkage.revision
    removed = linkage._replace_joint(index, new_name, free)
    return _change(linkage, "cut", name, before, index_map, new_joint=new_name, removed_forces=removed, freed=freed)


def change_register(linkage: Linkage, register: Register[T], kind: str, name: str, record: T | None = None) -> Change:
    """Add a loop joint or contact, or remove the one of this name where `record` is None; q and v stay as they are."""
    from linkwork.linkage.packing.patch import with_loops

    before = linkage.revision
    if record is None:
        register.remove(name)
    else:
        register.add(name, record)
    linkage._patched(with_loops)
    return _change(linkage, kind, name, before, IndexMap(np.arange(linkage.nq), np.arange(linkage.nv)))


def _change(linkage: Linkage, kind: str, joint: str, before: int, index_map: IndexMap, **details: Any) -> Change:
    """Return the change that has just been made to a linkage."""
    revisions = {"revision_before": before, "revision_after": linkage.revision}
    sizes = {"nq_after": linkage.nq, "nv_after": linkage.nv}
    return Change(kind=kind, joint=joint, index_map=index_map, **revisions, **sizes, **details)


def _replaced(total: int, start: int, old: int, new: int) -> np.ndarray:
    """Return where entries go when the `old` ones from `start` on are replaced by `new` others."""
    where = np.arange(total)
    where[start : start + old] = -1
    where[start + old :] += new - old
    return where


def _state(value: ArrayLike, size: int, what: str, change: Change) -> np.ndarray:
    array = np.asarray(value, dtype=np.float64)
    if array.shape[-1:] != (size,):
        raise ArgumentError(f"{what} has shape {array.shape}; before {change!r} it was (..., {size})")
    if not np.isfinite(array).all():
        raise ArgumentError(f"{what} must be finite")
    return array
