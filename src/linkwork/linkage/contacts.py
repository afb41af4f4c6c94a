"""Surface constraints: a point of a body kept on a surface, as a record in the linkage and as a handle for the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.linkage.change import Change, unchanged
from linkwork.linkage.checks import array, number, text
from linkwork.linkage.handle import Handle
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.named import Named
from linkwork.linkage.packing.patch import with_loops
from linkwork.linkage.strength import Strength, strength_of

if TYPE_CHECKING:
    from linkwork.linkage.body import Body
    from linkwork.linkage.columns import Columns
    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.named import Register

SINGULAR = ("raise", "least-norm")


@dataclass(frozen=True, slots=True, eq=False)
class ContactRecord:
    """One surface constraint: row of its body, the point in that body's frame, surface, coefficient of friction."""

    uid: int
    body: int
    point: np.ndarray
    surface: Implicit
    friction: float
    singular: str


class Contact(Handle):
    """Handle of a surface constraint. It stays valid until the point is released."""

    __slots__ = ("uid",)
    uid: int

    def __init__(self, linkage: Linkage, index: int):
        super().__init__(linkage, index)
        object.__setattr__(self, "uid", linkage.contact_records[index].uid)

    def _place(self) -> int:
        for place, record in enumerate(self.linkage.contact_records):
            if record.uid == self.uid:
                return place
        raise StructureError("the contact that this handle was made for has been released")

    @property
    def _record(self) -> ContactRecord:
        return self.linkage.contact_records[self._place()]

    def _key(self) -> tuple[int, int]:
        return id(self.linkage), self.uid

    @property
    def name(self) -> str:
        """The contact's name."""
        return self.linkage.contacts.names[self._place()]

    @property
    def body(self) -> Body:
        """The body whose point it is."""
        return self.linkage.body_at(self._record.body)

    @property
    def point(self) -> np.ndarray:
        """(3,) the point in the body's frame, m."""
        return self._record.point.copy()

    @property
    def surface(self) -> Implicit:
        """What the point is kept on."""
        return self._record.surface

    @property
    def friction(self) -> float:
        """Coefficient K of kinetic friction."""
        return self._record.friction

    @property
    def singular(self) -> str:
        """What is done at a singular pose: "raise" or "least-norm"."""
        return self._record.singular

    def __repr__(self) -> str:
        if all(record.uid != self.uid for record in self.linkage.contact_records):
            return "Contact(released)"
        return f"Contact({self.name!r}, {self.body.name!r} on {self.surface!r}, friction={self.friction:g})"


class Constrained:
    """The part of a `Linkage` that keeps points on surfaces."""

    columns: Columns
    revision: int
    _contacts: Register[ContactRecord]
    strengths: dict[str, Strength]

    resolve: Any
    body_at: Any
    taken_joint_names: Any

    @property
    def contacts(self: Any) -> Named[Contact]:
        """The surface constraints in order of constraining."""
        return Named("contact", self._contacts.names, self._contacts.index, lambda i: Contact(self, i))

    @property
    def contact_records(self) -> list[ContactRecord]:
        """What the surface constraints are, in order: for packing."""
        return self._contacts.records

    def constrain(
        self,
        body: Any,
        *,
        surface: Implicit,
        point=(0.0, 0.0, 0.0),
        friction: float = 0.0,
        name: str | None = None,
        singular: str = "raise",
        strength: float | Strength | None = None,
    ) -> Change:
        """Keep a point of a body on a surface C(r) = 0, on both sides of it, with kinetic friction.

        Parameters
        ----------
        body : str, Body or Frame
        surface : Plane, Sphere, Cylinder, Torus or Surface
        point : (3,) array_like
            In the frame of `body`, m.
        friction : float
            Coefficient K: a force K f_n acts against the sliding direction.
        name : str, optional
            New among contacts and joints. Default: the body's name with "-surface".
        singular : {"raise", "least-norm"}
            Where the point cannot move along the normal, raise `SingularError` or take the least force, zero.
        strength : float or Strength, optional
            The force, N, beyond which the contact breaks in a simulation.
        """
        index, pose = self.resolve(body)
        if index < 0:
            raise StructureError("a point of ground cannot be kept on a surface: it never moves")
        name = self._contact_name(index, name)
        if not isinstance(surface, Implicit):
            raise ArgumentError(
                f"surface of contact {name!r} must be a Plane, Sphere, Cylinder, Torus or Surface, not {surface!r}"
            )
        if singular not in SINGULAR:
            raise unknown_name("treatment of singular poses", singular, SINGULAR)
        place = pose.apply(array(point, (3,), f"point of contact {name!r}"))
        friction = number(friction, f"friction of contact {name!r}", minimum=0.0)
        strength = strength_of(strength)
        record = ContactRecord(self.columns.next_uid, index, place, surface, friction, singular)
        self.columns.next_uid += 1
        self._contacts.add(name, record)
        if strength is not None:
            self.strengths[name] = strength
        return self._contact_changed("constrain", name)

    def release(self, contact: str | Contact) -> Change:
        """Let a point that is kept on a surface go, by the contact's name or handle."""
        if isinstance(contact, Contact) and contact.linkage is not self:
            raise ArgumentError(f"{contact!r} belongs to another linkage: give its name, or a handle of this one")
        name: Any = getattr(contact, "name", contact)
        if name not in self._contacts.index:
            raise unknown_name("contact", name, self._contacts.names)
        self._contacts.remove(name)
        self.strengths.pop(name, None)
        return self._contact_changed("release", name)

    def _contact_name(self, body: int, name: str | None) -> str:
        """A name that nothing else has."""
        taken = (*self.taken_joint_names, self._contacts.index)
        if name is not None:
            if any(text(name, "name") in names for names in taken):
                raise ArgumentError(f"there is already a contact or joint named {name!r}; names must be unique")
            return name
        base = self.body_at(body).name + "-surface"
        new, count = base, 2
        while any(new in names for names in taken):
            new, count = f"{base}-{count}", count + 1
        return new

    def _contact_changed(self: Any, kind: str, name: str) -> Change:
        before = self.revision
        self._patched(with_loops)
        return unchanged(self, kind, name, before)
