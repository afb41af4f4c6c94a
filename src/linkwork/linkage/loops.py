"""Loop joints: what closes a loop, as a record in the linkage and as a handle for the user.

In Nakamura and Yamane's words a loop joint carries a *virtual link*: a massless copy of the body `b`, hung on the body
`a` by the joint. The constraint says that the copy and the *real* body coincide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.linkage.change import Change, unchanged
from linkwork.linkage.checks import text
from linkwork.linkage.handle import Handle
from linkwork.linkage.joint import JointType
from linkwork.linkage.pose import Pose
from linkwork.linkage.strength import Strength, strength_of

if TYPE_CHECKING:
    from linkwork.linkage.body import Body
    from linkwork.linkage.linkage import Linkage


@dataclass(frozen=True, slots=True, eq=False)
class LoopRecord:
    """One loop joint: rows of its two bodies (−1 for ground), its frame in either, its type."""

    uid: int
    a: int
    at_a: Pose
    b: int
    at_b: Pose
    type: JointType
    strength: Strength | None

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.type.nq

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return self.type.nv


class Loop(Handle):
    """Handle of a loop joint. It stays valid until that joint is cut."""

    __slots__ = ("uid",)
    uid: int

    def __init__(self, linkage: Linkage, index: int):
        super().__init__(linkage, index)
        object.__setattr__(self, "uid", linkage.loop_records[index].uid)

    def _place(self) -> int:
        """Return where the joint is among the loop joints now; raise when it is gone."""
        for place, record in enumerate(self.linkage.loop_records):
            if record.uid == self.uid:
                return place
        raise StructureError("the loop joint that this handle was made for has been cut")

    @property
    def _record(self) -> LoopRecord:
        return self.linkage.loop_records[self._place()]

    def _key(self) -> tuple[int, int]:
        return id(self.linkage), self.uid

    @property
    def name(self) -> str:
        """The joint's name."""
        return self.linkage.loops.names[self._place()]

    @property
    def type(self) -> JointType:
        """The joint's type with its options."""
        return self._record.type

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self._record.nq

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return self._record.nv

    @property
    def q_slice(self) -> slice:
        """Where its coordinates are in (q, coordinates of the loop joints)."""
        start = self.linkage.nq + sum(record.nq for record in self.linkage.loop_records[: self._place()])
        return slice(start, start + self.nq)

    @property
    def v_slice(self) -> slice:
        """Where its degrees of freedom are in (v, velocities of the loop joints), and in tau of that length."""
        start = self.linkage.nv + sum(record.nv for record in self.linkage.loop_records[: self._place()])
        return slice(start, start + self.nv)

    @property
    def parent(self) -> Body:
        """The body `a`, which the virtual link hangs on."""
        return self.linkage.body_at(self._record.a)

    @property
    def real(self) -> Body:
        """The body `b`, which the virtual link is a copy of."""
        return self.linkage.body_at(self._record.b)

    @property
    def child(self) -> Body:
        """What hangs on the joint: the virtual link, which stands for the body `b`."""
        return self.real

    @property
    def brother(self) -> Loop | None:
        """The next loop joint on the same parent."""
        place = self._place()
        return first_loop_on(self.linkage, self.linkage.loop_records[place].a, place + 1)

    @property
    def at_a(self) -> Pose:
        """The joint's frame in the body `a`."""
        return self._record.at_a

    @property
    def at_b(self) -> Pose:
        """The joint's frame in the body `b`: at the joint's zero it coincides with `at_a`."""
        return self._record.at_b

    @property
    def strength(self) -> Strength | None:
        """What it bears before it breaks in a simulation; None for anything."""
        return self._record.strength

    def __repr__(self) -> str:
        if all(record.uid != self.uid for record in self.linkage.loop_records):
            return "Loop(cut)"
        return f"Loop({self.name!r}, {self.type!r}, {self.parent.name!r} -> {self.real.name!r})"


def first_loop_on(linkage: Linkage, body: int, start: int = 0) -> Loop | None:
    """Return the first loop joint, from place `start` on, whose virtual link hangs on a body."""
    for place in range(start, len(linkage.loop_records)):
        if linkage.loop_records[place].a == body:
            return Loop(linkage, place)
    return None


def connect(
    linkage: Linkage, a: Any, b: Any, joint: JointType, at_a: Pose, at_b: Pose, name: str | None, strength: Any
) -> Change:
    """Add a loop joint; see `Linkage.connect`."""
    (index_a, pose_a), (index_b, pose_b) = linkage.resolve(a), linkage.resolve(b)
    if index_a == index_b:
        raise StructureError(f"a loop joint needs two bodies; both ends are on {linkage.body_at(index_a).name!r}")
    name = _new_name(linkage, index_a, index_b) if name is None else text(name, "name")
    if any(name in names for names in linkage.taken_joint_names):
        raise ArgumentError(f"there is already a joint named {name!r}; names must be unique")
    if not isinstance(joint, JointType):
        raise ArgumentError(f"joint of loop {name!r} must be a joint type such as Revolute('z'), not {joint!r}")
    if np.any(joint.armature):
        raise ArgumentError(
            f"loop joint {name!r} has armature: a rotor's inertia can only be on a tree joint; put it on one of those"
        )
    for what, pose in (("at_a", at_a), ("at_b", at_b)):
        if not isinstance(pose, Pose):
            raise ArgumentError(f"{what} of loop joint {name!r} must be a Pose, not {pose!r}")
    uid, before = linkage.columns.new_uid(), linkage.revision
    ends = index_a, pose_a @ at_a, index_b, pose_b @ at_b
    linkage.register_loop(name, LoopRecord(uid, *ends, joint, strength_of(strength)))
    return unchanged(linkage, "connect", name, before)


def cut_loop(linkage: Linkage, name: str) -> Change:
    """Remove a loop joint; see `Linkage.cut`."""
    before = linkage.revision
    linkage.register_loop(name, None)
    return unchanged(linkage, "cut", name, before)


def _new_name(linkage: Linkage, a: int, b: int) -> str:
    base = name = f"{linkage.body_at(a).name}-{linkage.body_at(b).name}"
    count = 2
    while any(name in names for names in linkage.taken_joint_names):
        name, count = f"{base}-{count}", count + 1
    return name
