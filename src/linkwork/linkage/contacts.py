"""Surface constraints: a point of a body kept on a surface; a record in the linkage, and a handle for the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import StructureError, unknown_name
from linkwork.linkage.change import Change, change_register
from linkwork.linkage.checks import array, check_kind
from linkwork.linkage.handle import Recorded, RecordHandle, check_own
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.named import Register, new_name, unused_name
from linkwork.linkage.shapes import rubbing
from linkwork.linkage.strength import Strength, strength_of

if TYPE_CHECKING:
    from linkwork.linkage.body import Body
    from linkwork.linkage.linkage import Linkage

SINGULAR = ("raise", "least-norm")


@dataclass(frozen=True, slots=True, eq=False)
class ContactRecord:
    """One surface constraint: the row of its body, the point in that body's frame, surface, friction."""

    uid: int
    body: int
    point: np.ndarray
    surface: Implicit
    friction: float
    singular: str
    static_friction: float | None = None

    @property
    def holding(self) -> float:
        """Coefficient of static friction, the kinetic one where none was given."""
        return self.friction if self.static_friction is None else self.static_friction


class Contact(RecordHandle[ContactRecord]):
    """Handle of a surface constraint. It stays valid until the point is released.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> change = arm.constrain("link1", surface=lw.Plane(offset=-2.0), point=(0, 0, -1), friction=0.2, name="tip")
    >>> arm.contacts["tip"].body.name, arm.contacts["tip"].friction
    ('link1', 0.2)
    """

    __slots__ = ()
    _kind, _removed = "contact", "released"

    surface = Recorded[Implicit]("What the point is kept on.")
    friction = Recorded[float]("Coefficient K of kinetic friction.")
    singular = Recorded[str]('What is done at a singular pose: "raise" or "least-norm".')

    @property
    def _register(self) -> Register[ContactRecord]:
        return self.linkage._contacts

    @property
    def body(self) -> Body:
        """The body whose point it is."""
        return self.linkage._body_at(self._record.body)

    @property
    def point(self) -> np.ndarray:
        """(3,) the point in the body's frame, m."""
        return self._record.point.copy()

    @property
    def static_friction(self) -> float:
        """Coefficient of static friction: up to this share of the normal force it holds."""
        return self._record.holding

    def _summary(self) -> str:
        return f"{self.name!r}, {self.body.name!r} on {self.surface!r}, friction={self.friction:g}"


def constrain(
    linkage: Linkage, body: Any, surface: Implicit, point: ArrayLike, friction: float, name: str | None, singular: str,
    strength: float | Strength | None, static_friction: float | None = None,
) -> Change:  # fmt: skip
    """Keep a point of a body on a surface; see `Linkage.constrain`."""
    index, pose = linkage._resolve(body)
    if index < 0:
        raise StructureError("a point of ground cannot be kept on a surface: it never moves")
    taken = (*linkage._taken_joint_names, linkage._contacts.index)
    if name is None:
        name = unused_name(linkage._body_at(index).name + "-surface", taken)
    else:
        name = new_name(name, "name", "contact or joint", taken)
    check_kind(surface, Implicit, f"surface of contact {name!r}", "a Plane, Sphere, Cylinder, Torus or Surface")
    if singular not in SINGULAR:
        raise unknown_name("treatment of singular poses", singular, SINGULAR)
    place = pose.apply(array(point, (3,), f"point of contact {name!r}"))
    friction, holding, _ = rubbing(f"contact {name!r}", friction, static_friction)
    static = None if static_friction is None else holding
    strength = strength_of(strength)
    record = ContactRecord(linkage.columns.new_uid(), index, place, surface, friction, singular, static)
    if strength is not None:
        linkage.strengths[name] = strength
    return change_register(linkage, linkage._contacts, "constrain", name, record)


def release(linkage: Linkage, contact: str | Contact) -> Change:
    """Let a point go; see `Linkage.release`."""
    if isinstance(contact, Contact):
        check_own(contact, linkage)
        contact = contact.name
    if contact not in linkage._contacts.index:
        raise unknown_name("contact", contact, linkage._contacts.names)
    linkage.strengths.pop(contact, None)
    return change_register(linkage, linkage._contacts, "release", contact)
