"""Loop joints: a record in the linkage, and a handle for the user.

In Nakamura and Yamane's words a loop joint carries a *virtual link*: a massless copy of the body `b`, hung on the body
`a` by the joint. The constraint says that the copy and the *real* body coincide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.linkage.change import Change, change_register
from linkwork.linkage.checks import check_kind
from linkwork.linkage.handle import Recorded, RecordHandle
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.named import Register, new_name, unused_name
from linkwork.linkage.pose import Pose
from linkwork.linkage.strength import Strength, strength_of

if TYPE_CHECKING:
    from linkwork.linkage.body import Body
    from linkwork.linkage.linkage import Linkage


@dataclass(frozen=True, slots=True, eq=False)
class LoopRecord:
    """One loop joint: the rows of its two bodies (−1 for ground), its frame in each of them, its type."""

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


class Loop(RecordHandle[LoopRecord]):
    """Handle of a loop joint. It stays valid until that joint is cut.

    Examples
    --------
    >>> import linkwork as lw
    >>> four_bar = lw.samples.four_bar()
    >>> pin = four_bar.loops["pin"]
    >>> pin.parent.name, pin.child.name, pin.nv
    ('ground', 'rocker', 1)
    """

    __slots__ = ()
    _kind, _removed = "loop joint", "cut"

    type = Recorded[JointType]("The joint's type with its options.")
    nq = Recorded[int]("Number of coordinates.")
    nv = Recorded[int]("Number of degrees of freedom.")
    at_a = Recorded[Pose]("The joint's frame in the body `a`.")
    at_b = Recorded[Pose]("The joint's frame in the body `b`: at the joint's zero it coincides with `at_a`.")
    strength = Recorded[Strength | None]("The load at which it breaks in a simulation; None if it never does.")

    @property
    def _register(self) -> Register[LoopRecord]:
        return self.linkage._loops

    @property
    def q_slice(self) -> slice:
        """Where its coordinates are in (q, coordinates of the loop joints)."""
        start = self.linkage.nq + sum(record.nq for record in self._register.records[: self._place()])
        return slice(start, start + self.nq)

    @property
    def v_slice(self) -> slice:
        """Where its degrees of freedom are in (v, velocities of the loop joints), and in tau of that length."""
        start = self.linkage.nv + sum(record.nv for record in self._register.records[: self._place()])
        return slice(start, start + self.nv)

    @property
    def parent(self) -> Body:
        """The body `a`, which the virtual link hangs on."""
        return self.linkage._body_at(self._record.a)

    @property
    def real(self) -> Body:
        """The body `b`, which the virtual link is a copy of."""
        return self.linkage._body_at(self._record.b)

    @property
    def child(self) -> Body:
        """What hangs on the joint: the virtual link, which stands for the body `b`."""
        return self.real

    @property
    def brother(self) -> Loop | None:
        """The next loop joint on the same parent."""
        return first_loop_on(self.linkage, self._record.a, self._place() + 1)

    def _summary(self) -> str:
        return f"{self.name!r}, {self.type!r}, {self.parent.name!r} -> {self.real.name!r}"


def first_loop_on(linkage: Linkage, body: int, start: int = 0) -> Loop | None:
    """Return the first loop joint, from place `start` on, whose virtual link hangs on a body."""
    records = linkage._loops.records
    return next((Loop(linkage, place) for place in range(start, len(records)) if records[place].a == body), None)


def connect(
    linkage: Linkage, a: Any, b: Any, joint: JointType, at_a: Pose, at_b: Pose, name: str | None, strength: Any
) -> Change:
    """Add a loop joint; see `Linkage.connect`."""
    (index_a, pose_a), (index_b, pose_b) = linkage._resolve(a), linkage._resolve(b)
    name_a, name_b = linkage._body_at(index_a).name, linkage._body_at(index_b).name
    if index_a == index_b:
        raise StructureError(f"a loop joint needs two bodies; both ends are on {name_a!r}")
    taken = linkage._taken_joint_names
    name = unused_name(f"{name_a}-{name_b}", taken) if name is None else new_name(name, "name", "joint", taken)
    check_kind(joint, JointType, f"joint of loop {name!r}", "a joint type such as Revolute('z')")
    if np.any(joint.armature):
        raise ArgumentError(
            f"loop joint {name!r} has armature: a rotor's inertia can only be on a tree joint; put it on one of those"
        )
    for what, pose in (("at_a", at_a), ("at_b", at_b)):
        check_kind(pose, Pose, f"{what} of loop joint {name!r}", "a Pose")
    ends = index_a, pose_a @ at_a, index_b, pose_b @ at_b
    record = LoopRecord(linkage.columns.new_uid(), *ends, joint, strength_of(strength))
    return change_register(linkage, linkage._loops, "connect", name, record)
