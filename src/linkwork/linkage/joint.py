"""Joint types, as a user writes them, and the handle of a joint in a linkage.

A type is a small immutable value: geometry first, options by keyword. `code` is what the columns hold.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.linkage.checks import check_actuated, check_limits, number, per_dof, unit_axis
from linkwork.linkage.handle import Handle
from linkwork.linkage.pose import Pose, in_plane

if TYPE_CHECKING:
    from linkwork.linkage.body import Body
    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.loops import Loop

FIXED, REVOLUTE, PRISMATIC, HELICAL, CYLINDRICAL, UNIVERSAL, PLANAR, SPHERICAL, FREE = range(9)
NQ = np.array([0, 1, 1, 1, 2, 2, 3, 4, 7])
NV = np.array([0, 1, 1, 1, 2, 2, 3, 3, 6])
COMPOUND = np.isin(np.arange(9), (CYLINDRICAL, UNIVERSAL))  # codes that kernels take as two joints in a row
Z = (0.0, 0.0, 1.0)  # what the columns hold where a joint has no axis
BOUNDED = (NQ == NV) | (np.arange(9) == SPHERICAL)  # codes that can have limits

PER_DOF = {  # option: (smallest value, default)
    "damping": (0.0, 0.0),
    "armature": (0.0, 0.0),
    "coulomb": (0.0, 0.0),
    "effort": (0.0, np.inf),
    "velocity": (0.0, np.inf),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JointType:
    """What every joint type has: options, each one value or one a degree of freedom.

    Parameters
    ----------
    damping : float or (nv,) array_like
        Viscous, in N s/m or N m s/rad: part of the dynamics.
    armature : float or (nv,) array_like
        Inertia of a rotor seen at the joint, in kg or kg m²: part of the dynamics.
    limits : (lower, upper) or one pair a degree of freedom, optional
        Bounds of the coordinates, in m or rad; of a Spherical joint those of its rotation vector's components, within
        ±π.
    actuated : bool or (nv,) array_like of bool
        Whether a motor drives it.
    effort, velocity : float or (nv,) array_like
        What the motor can do, in N or N m, m/s or rad/s; kept for controllers.
    coulomb : float or (nv,) array_like
        Dry friction from the file, in N or N m; it acts only through a `JointFriction`.
    """

    code: ClassVar[int]
    nq: ClassVar[int]
    nv: ClassVar[int]

    damping: float | tuple[float, ...] = 0.0
    armature: float | tuple[float, ...] = 0.0
    limits: tuple | None = None
    actuated: bool | tuple[bool, ...] = True
    coulomb: float | tuple[float, ...] = 0.0
    effort: float | tuple[float, ...] = np.inf
    velocity: float | tuple[float, ...] = np.inf

    def __post_init__(self):
        put = object.__setattr__
        for field in fields(self):
            if not field.kw_only and field.name != "pitch":  # axis, a, b, normal
                put(self, field.name, tuple(unit_axis(getattr(self, field.name), field.name).tolist()))
        self._check_geometry()
        for name, (minimum, default) in PER_DOF.items():
            value = getattr(self, name)
            put(self, name, per_dof(value, self.nv, name, minimum=minimum, default=default))
        if self.limits is not None and (not BOUNDED[self.code] or self.nv == 0):
            raise ArgumentError(f"a {type(self).__name__} joint cannot have limits")
        put(self, "limits", _check_limits(self.limits, self))
        put(self, "actuated", check_actuated(self.actuated, self.nv))

    def _check_geometry(self) -> None:
        """Check what only this type has."""

    def geometry(self) -> tuple[tuple, tuple, float]:
        """Return what the columns hold: axis, second axis, pitch."""
        return getattr(self, "axis", Z), Z, 0.0

    def __repr__(self) -> str:
        geometry = [_short(getattr(self, field.name)) for field in fields(self) if not field.kw_only]
        options = [f"{name}={_short(value)}" for name, value in self.options().items()]
        return f"{type(self).__name__}({', '.join(geometry + options)})"

    def options(self) -> dict[str, Any]:
        """Return the options that differ from the defaults."""
        given = {field.name: getattr(self, field.name) for field in fields(self) if field.kw_only}
        defaults = {field.name: field.default for field in fields(self)}
        return {name: value for name, value in given.items() if value != defaults[name]}


def _check_limits(limits: Any, kind: JointType) -> tuple | None:
    """Limits as `check_limits` gives them; a rotation vector ends at half a turn."""
    checked = check_limits(limits, kind.nv)
    if kind.code == SPHERICAL and checked is not None:
        bounds = np.array(checked)
        if (np.abs(bounds[np.isfinite(bounds)]) > np.pi).any():
            raise ArgumentError(f"limits of a Spherical joint bound its rotation vector, within ±π, not {limits!r}")
    return checked


def _short(value: Any) -> str:
    """Write an axis as its letter and numbers without noise."""
    letters = {(1.0, 0.0, 0.0): "'x'", (0.0, 1.0, 0.0): "'y'", Z: "'z'"}
    if isinstance(value, tuple):
        return letters.get(value) or "(" + ", ".join(_short(part) for part in value) + ")"
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


@dataclass(frozen=True, slots=True, repr=False)
class Fixed(JointType):
    """No motion."""

    code, nq, nv = FIXED, 0, 0


@dataclass(frozen=True, slots=True, repr=False)
class Revolute(JointType):
    """Rotation about an axis: q = angle, rad."""

    code, nq, nv = REVOLUTE, 1, 1
    axis: Any = "z"


@dataclass(frozen=True, slots=True, repr=False)
class Prismatic(JointType):
    """Translation along an axis: q = distance, m."""

    code, nq, nv = PRISMATIC, 1, 1
    axis: Any = "z"


@dataclass(frozen=True, slots=True, repr=False)
class Helical(JointType):
    """A screw: q = angle, rad; it advances by `pitch` metres a radian."""

    code, nq, nv = HELICAL, 1, 1
    axis: Any = "z"
    pitch: float = 0.0

    def _check_geometry(self) -> None:
        object.__setattr__(self, "pitch", number(self.pitch, "pitch"))

    def geometry(self) -> tuple[tuple, tuple, float]:
        """Return axis, second axis, pitch."""
        return self.axis, Z, self.pitch


@dataclass(frozen=True, slots=True, repr=False)
class Cylindrical(JointType):
    """Translation along and rotation about one axis: q = (distance, angle)."""

    code, nq, nv = CYLINDRICAL, 2, 2
    axis: Any = "z"


@dataclass(frozen=True, slots=True, repr=False)
class Universal(JointType):
    """Rotation about `a`, then about `b` which turns with it: q = (angle a, angle b)."""

    code, nq, nv = UNIVERSAL, 2, 2
    a: Any = "x"
    b: Any = "y"

    def _check_geometry(self) -> None:
        if np.linalg.norm(np.cross(self.a, self.b)) < 1e-6:
            raise ArgumentError(
                f"the axes of a Universal joint are parallel: {_short(self.a)} and {_short(self.b)}"
            )

    def geometry(self) -> tuple[tuple, tuple, float]:
        """Return axis, second axis, pitch."""
        return self.a, self.b, 0.0


@dataclass(frozen=True, slots=True, repr=False)
class Planar(JointType):
    """Motion in a plane: q = (x, y, angle), v in the child's frame.

    The plane's x is the coordinate axis after the normal's largest component: normal z gives (x, y).
    """

    code, nq, nv = PLANAR, 3, 3
    normal: Any = "z"

    def geometry(self) -> tuple[tuple, tuple, float]:
        """Return axis, second axis, pitch."""
        return self.normal, tuple(in_plane(np.array(self.normal))), 0.0


@dataclass(frozen=True, slots=True, repr=False)
class Spherical(JointType):
    """Any rotation: q = quaternion xyzw, v = angular velocity in the child's frame."""

    code, nq, nv = SPHERICAL, 4, 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Free(JointType):
    """Any motion: q = (position, quaternion xyzw), v = (linear, angular) in the child's frame."""

    code, nq, nv = FREE, 7, 6
    actuated: bool | tuple[bool, ...] = False


TYPES: tuple[type[JointType], ...] = (
    Fixed, Revolute, Prismatic, Helical, Cylindrical, Universal, Planar, Spherical, Free,
)  # fmt: skip


def _dof_property(name: str, doc: str, *, column: str | None = None) -> property:
    """Make a property of `Joint` over one column: a float for one degree of freedom, else an array (nv,)."""
    stored = column or name
    minimum, default = PER_DOF[name]

    def get(self: Joint):
        values = self.linkage.columns.dofs(stored, self._row())
        return float(values[0]) if values.size == 1 else values

    def put(self: Joint, value) -> None:
        checked = per_dof(value, self.nv, f"{name} of joint {self.name!r}", minimum=minimum, default=default)
        self.linkage._set_parameters(**{stored: (self.v_slice, checked)})

    return property(get, put, doc=doc)


class Joint(Handle):
    """Handle of a tree joint. It stays valid until that joint is cut away.

    `damping`, `armature`, `limits`, `actuated`, `coulomb`, `effort`, `velocity` and `at` can be set; the
    linkage then counts a change of parameters. Those of several degrees of freedom are arrays (nv,).
    """

    __slots__ = ("uid",)
    uid: int

    def __init__(self, linkage: Linkage, index: int):
        super().__init__(linkage, index)
        object.__setattr__(self, "uid", int(linkage.columns.joint_uid[index]))

    def _row(self) -> int:
        """Return the joint's row in the columns, which is its child's; raise when the joint is gone."""
        if self.linkage.columns.joint_uid[self.index] != self.uid:
            child = self.linkage.columns.body_names[self.index]
            raise StructureError(
                f"the joint of body {child!r} that this handle was made for has been cut away: "
                "take a new handle from linkage.joints"
            )
        return self.index

    def _key(self) -> tuple[int, int]:
        return id(self.linkage), self.uid

    @property
    def name(self) -> str:
        """The joint's name."""
        return self.linkage.columns.joint_names[self._row()]

    @property
    def type(self) -> JointType:
        """The joint's type with its options, rebuilt from the columns."""
        return self.linkage.columns.joint_type(self._row())

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return int(NQ[self.linkage.columns.code[self._row()]])

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return int(NV[self.linkage.columns.code[self._row()]])

    @property
    def q_slice(self) -> slice:
        """Where its coordinates are in q."""
        start = int(self.linkage.columns.q_start[self._row()])
        return slice(start, start + self.nq)

    @property
    def v_slice(self) -> slice:
        """Where its velocities are in v, a and tau."""
        return self.linkage.columns.dof_slice(self._row())

    @property
    def parent(self) -> Body:
        """The body (or ground) it hangs on."""
        return self.linkage._body_at(int(self.linkage.columns.parent[self._row()]))

    @property
    def child(self) -> Body:
        """The body that hangs on it."""
        return self.linkage._body_at(self._row())

    @property
    def brother(self) -> Joint | Loop | None:
        """The next joint on the same parent: tree joints in order of adding, then loop joints."""
        from linkwork.linkage.loops import first_loop_on

        parent = self.linkage.columns.parent
        later = np.flatnonzero(parent[self._row() + 1 :] == parent[self.index])
        if later.size:
            return Joint(self.linkage, self.index + 1 + int(later[0]))
        return first_loop_on(self.linkage, int(parent[self.index]))

    @property
    def real(self) -> Body | None:
        """The real body of a loop joint's virtual link: None, for this is a tree joint."""
        self._row()

    @property
    def at(self) -> Pose:
        """The joint's frame in the parent body's frame."""
        return self.linkage.columns.at(self._row())

    @at.setter
    def at(self, pose: Pose) -> None:
        if not isinstance(pose, Pose):
            raise ArgumentError(f"at must be a Pose, not {pose!r}")
        self.linkage._set_parameters(
            at_position=(self._row(), pose.position), at_rotation=(self.index, pose.rotation)
        )

    @property
    def limits(self) -> np.ndarray | None:
        """Bounds of the coordinates, (nv, 2), None when it has none."""
        return self.linkage.columns.limits(self._row())

    @limits.setter
    def limits(self, value) -> None:
        if value is not None and (not BOUNDED[self.linkage.columns.code[self._row()]] or not self.nv):
            raise ArgumentError(f"joint {self.name!r}: a {type(self.type).__name__} joint cannot have limits")
        pairs = np.array(
            (-np.inf, np.inf) if value is None else _check_limits(value, self.type) or (-np.inf, np.inf)
        )
        self.linkage._set_parameters(lower=(self.v_slice, pairs[..., 0]), upper=(self.v_slice, pairs[..., 1]))

    @property
    def actuated(self) -> bool | np.ndarray:
        """Whether a motor drives it: one bool, or (nv,) where degrees of freedom differ."""
        values = self.linkage.columns.dofs("actuated", self._row())
        return bool(values.all()) if values.all() == values.any() else values

    @actuated.setter
    def actuated(self, value) -> None:
        self.linkage._set_parameters(actuated=(self.v_slice, check_actuated(value, self.nv)))

    damping = _dof_property("damping", "Viscous damping, N s/m or N m s/rad.")
    armature = _dof_property("armature", "Inertia of the rotor seen at the joint, kg or kg m².")
    coulomb = _dof_property("coulomb", "Dry friction as described, N or N m.")
    effort = _dof_property("effort", "Greatest force or torque of the motor.")
    velocity = _dof_property("velocity", "Greatest speed.", column="velocity_limit")

    def __repr__(self) -> str:
        if self.linkage.columns.joint_uid[self.index] != self.uid:
            return "Joint(cut away)"
        return f"Joint({self.name!r}, {self.type!r}, {self.parent.name!r} -> {self.child.name!r})"
