"""Shapes: what bodies and ground touch each other with; a record in the linkage, and a handle for the user.

A *solid* (`Ball`, `Box`, `Capsule`, `Point`, `Mesh`) is all balls of one radius, perhaps zero, around points of its
body and what is between them: a capsule around its two ends and the edge from one to the other, a box, of radius zero,
around its corners, edges and faces. Edges and faces count where a surface (`Plane`, `Sphere`, ...) bulges.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import array, check_kind, number
from linkwork.linkage.handle import Recorded, RecordHandle
from linkwork.linkage.implicit import Implicit, Moving, Sliding
from linkwork.linkage.named import Register, new_name, unused_name
from linkwork.linkage.pose import Pose

if TYPE_CHECKING:
    from linkwork.linkage.body import Body
    from linkwork.linkage.linkage import Linkage


class Solid:
    """Base of the shapes that have an inside."""

    @property
    def radius_of_balls(self) -> float:
        """Radius of the balls that stand for it where it meets a surface, m."""
        return 0.0

    def points(self) -> np.ndarray:
        """(n, 3) centres of these balls, in its own frame, m."""
        raise NotImplementedError

    def edges(self) -> list[tuple[int, int]]:
        """Pairs of these points between which balls belong to it, too."""
        return []

    def polygons(self) -> list[list[int]]:
        """Its flat faces: points around each, counted outwards."""
        return []


class _Sized(Solid):
    """Base of frozen dataclasses whose fields are sizes, in m: finite and above zero."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self):
        for field in fields(self):
            value, what = getattr(self, field.name), f"{field.name} of a {type(self).__name__}"
            sizes = array(value, (3,), what) if field.name == "sizes" else np.array([number(value, what)])
            if (sizes <= 0.0).any():
                raise ArgumentError(f"{what} must be positive, not {value!r}: a shape without size is a Point()")
            object.__setattr__(self, field.name, tuple(sizes.tolist()) if field.name == "sizes" else float(sizes[0]))


@dataclass(frozen=True)
class Point(_Sized):
    """A point: the origin of its frame. Two points never meet.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> tip = arm.add_shape("link1", lw.Point(), at=lw.Pose((0, 0, -1)), name="tip")
    >>> tip.body.name
    'link1'
    """

    def points(self) -> np.ndarray:
        """The point itself."""
        return np.zeros((1, 3))


@dataclass(frozen=True)
class Ball(_Sized):
    """A ball around the origin of its frame.

    Parameters
    ----------
    radius : float
        In m.

    Examples
    --------
    >>> import linkwork as lw
    >>> box = lw.Linkage()
    >>> body = box.add_body("body", lw.Inertia.box((0.2, 0.1, 0.1), mass=1.0), joint=lw.Free())
    >>> body_shape = box.add_shape("body", lw.Ball(0.1), friction=0.5)
    >>> floor = box.add_shape("ground", lw.Plane(), name="floor")
    """

    radius: float

    @property
    def radius_of_balls(self) -> float:
        """Its radius."""
        return self.radius

    def points(self) -> np.ndarray:
        """Its centre."""
        return np.zeros((1, 3))


@dataclass(frozen=True)
class Box(_Sized):
    """A box around the origin of its frame, its edges along the axes.

    Parameters
    ----------
    sizes : (3,) array_like
        Lengths of its edges along x, y and z, m.

    Examples
    --------
    >>> import linkwork as lw
    >>> box = lw.Linkage()
    >>> body = box.add_body("body", lw.Inertia.box((0.2, 0.1, 0.1), mass=1.0), joint=lw.Free())
    >>> body_shape = box.add_shape("body", lw.Box((0.2, 0.1, 0.1)), friction=0.5)
    >>> floor = box.add_shape("ground", lw.Plane(), name="floor")
    """

    sizes: Any

    def points(self) -> np.ndarray:
        """Its corners."""
        return 0.5 * np.array(list(product((-1.0, 1.0), repeat=3))) * self.sizes

    def edges(self) -> list[tuple[int, int]]:
        """Between corners that differ along one axis."""
        return [(k, k + step) for step in (4, 2, 1) for k in range(8) if not k & step]

    def polygons(self) -> list[list[int]]:
        """Two across each axis."""
        return [
            [first, first + b, first + b + c, first + c] if first else [0, c, b + c, b]
            for a, b, c in ((4, 2, 1), (2, 1, 4), (1, 4, 2))
            for first in (0, a)
        ]


@dataclass(frozen=True)
class Capsule(_Sized):
    """A cylinder along the z axis of its frame, with round ends.

    Parameters
    ----------
    radius : float
        In m.
    length : float
        Between the centres of the round ends, m.

    Examples
    --------
    >>> import linkwork as lw
    >>> box = lw.Linkage()
    >>> body = box.add_body("body", lw.Inertia.box((0.2, 0.1, 0.1), mass=1.0), joint=lw.Free())
    >>> body_shape = box.add_shape("body", lw.Capsule(radius=0.05, length=0.3), friction=0.5)
    >>> floor = box.add_shape("ground", lw.Plane(), name="floor")
    """

    radius: float
    length: float

    @property
    def radius_of_balls(self) -> float:
        """Its radius."""
        return self.radius

    def points(self) -> np.ndarray:
        """Centres of its ends."""
        return np.array([[0.0, 0.0, -0.5 * self.length], [0.0, 0.0, 0.5 * self.length]])

    def edges(self) -> list[tuple[int, int]]:
        """From end to end."""
        return [(0, 1)]


@dataclass(frozen=True, slots=True, eq=False)
class ShapeRecord:
    """One shape: the row of its body (−1 for ground), its frame in the body's, what it is, how it rubs and bounces."""

    uid: int
    body: int
    at: Pose
    shape: Solid | Implicit
    friction: float
    static_friction: float
    restitution: float


class Shape(RecordHandle[ShapeRecord]):
    """Handle of a shape of a body or of ground.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> shape = arm.add_shape("link1", lw.Ball(0.05), friction=0.4, name="foot")
    >>> shape.name, shape.friction, shape.body.name
    ('foot', 0.4, 'link1')
    """

    __slots__ = ()
    _kind, _removed = "shape", "removed"

    at = Recorded[Pose]("Its frame in the body's.")
    shape = Recorded[Solid | Implicit]("What it is: a Ball, Box, ..., or a surface.")
    friction = Recorded[float]("Coefficient of kinetic friction.")
    static_friction = Recorded[float]("Coefficient of static friction.")
    restitution = Recorded[float]("Share of the approach speed with which it bounces back, 0 … 1.")

    @property
    def _register(self) -> Register[ShapeRecord]:
        return self.linkage._shapes

    @property
    def body(self) -> Body:
        """The body it belongs to, or ground."""
        return self.linkage._body_at(self._record.body)

    def _summary(self) -> str:
        return f"{self.name!r}, {self.shape!r} of {self.body.name!r}, friction={self.friction:g}"


def add_shape(
    linkage: Linkage,
    body: Any,
    shape: Solid | Implicit,
    at: Pose,
    friction: float,
    static_friction: float | None,
    restitution: float,
    name: str | None,
) -> Shape:
    """Give a body or ground a shape; see `Linkage.add_shape`."""
    index, pose = linkage._resolve(body)
    taken = (linkage._shapes.index,)
    if name is None:
        name = unused_name(linkage._body_at(index).name + "-shape", taken)
    else:
        name = new_name(name, "name", "shape", taken)
    check_kind(
        shape, (Solid, Implicit), f"shape {name!r}",
        "a Ball, Box, Capsule, Point or Mesh, or a surface such as Plane",
    )  # fmt: skip
    if isinstance(shape, Moving | Sliding) and index >= 0:
        raise ArgumentError(
            f"shape {name!r} is a surface that moves by itself: give it to ground, or a surface at rest to the body"
        )
    check_kind(at, Pose, f"at of shape {name!r}", "a Pose")
    friction, static_friction, restitution = rubbing(f"shape {name!r}", friction, static_friction, restitution)
    record = ShapeRecord(linkage.columns.new_uid(), index, pose @ at, shape, friction, static_friction, restitution)
    linkage._shapes.add(name, record)
    linkage._changed()
    return Shape(linkage, len(linkage._shapes) - 1)


def rubbing(
    what: str, friction: float, static_friction: float | None, restitution: float = 0.0
) -> tuple[float, float, float]:
    """Coefficients of kinetic and static friction and of restitution, checked."""
    friction = number(friction, f"friction of {what}", minimum=0.0)
    static = friction if static_friction is None else number(static_friction, f"static_friction of {what}")
    if static < friction:
        raise ArgumentError(
            f"static_friction of {what}, {static:g}, is below its friction, {friction:g}: what holds at rest cannot be "
            "less than what rubs in motion"
        )
    restitution = number(restitution, f"restitution of {what}", minimum=0.0)
    if restitution > 1.0:
        raise ArgumentError(f"restitution of {what} must be 0 … 1, not {restitution:g}")
    return friction, static, restitution


def check_array(value: ArrayLike, what: str) -> np.ndarray:
    """Return (n, 3) finite numbers."""
    try:
        result = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        result = np.empty(0)
    if result.ndim != 2 or result.shape[-1] != 3 or not np.isfinite(result).all():
        raise ArgumentError(f"{what} must be finite numbers of shape (n, 3)")
    return result
