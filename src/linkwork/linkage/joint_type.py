"""What every joint type has.

A type is a small immutable value: geometry first, options by keyword. `code` is its kind's number in
`linkwork.kernels.layout.kinds`, which the columns hold; sizes follow from it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout import kinds
from linkwork.linkage.checks import check_actuated, check_limits, number, per_dof, unit_axis

Z = (0.0, 0.0, 1.0)  # what the columns hold where a joint has no axis
AXES = ("axis", "axis2", "axis3")  # the columns of a joint's axes, first to last

PARALLEL = 1e-6  # sine of the angle between successive axes below which they count as parallel

PER_DOF = {  # option: (smallest value, default)
    "damping": (0.0, 0.0),
    "armature": (0.0, 0.0),
    "coulomb": (0.0, 0.0),
    "effort": (0.0, np.inf),
    "velocity": (0.0, np.inf),
}


class Motion(NamedTuple):
    """Pose of a frame in another; its velocity in its own axes. All with leading batch dimensions."""

    rotation: np.ndarray  # (..., 3, 3)
    position: np.ndarray  # (..., 3)
    linear: np.ndarray  # (..., 3)
    angular: np.ndarray  # (..., 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointType:
    """What every joint type has: options, each one value or one per degree of freedom.

    Parameters
    ----------
    damping : float or (nv,) array_like
        Viscous, in N s/m or N m s/rad: part of the dynamics.
    armature : float or (nv,) array_like
        Inertia of a rotor seen at the joint, in kg or kg m²: part of the dynamics.
    limits : (lower, upper) or one pair per degree of freedom, optional
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

    def __init_subclass__(cls) -> None:
        cls.nq, cls.nv = kinds.KINDS[cls.code].nq, kinds.KINDS[cls.code].nv

    def __post_init__(self):
        put = object.__setattr__
        for name in self.arguments():
            value = getattr(self, name)
            put(self, name, number(value, name) if name == "pitch" else tuple(unit_axis(value, name).tolist()))
        for one, other in pairwise(self.axis_names()):
            a, b = getattr(self, one), getattr(self, other)
            if np.linalg.norm(np.cross(a, b)) < PARALLEL:
                raise ArgumentError(
                    f"the axes of a {type(self).__name__} joint are parallel: {_short(a)} and {_short(b)}"
                )
        for name, (minimum, default) in PER_DOF.items():
            value = getattr(self, name)
            put(self, name, per_dof(value, self.nv, name, minimum=minimum, default=default))
        if self.limits is not None and not kinds.BOUNDED[self.code]:
            raise ArgumentError(f"a {type(self).__name__} joint cannot have limits")
        put(self, "limits", checked_limits(self.limits, self))
        put(self, "actuated", check_actuated(self.actuated, self.nv))

    # Geometry

    @classmethod
    @functools.cache
    def arguments(cls) -> tuple[str, ...]:
        """Return the names of what describes its geometry."""
        return tuple(field.name for field in fields(cls) if not field.kw_only)

    @classmethod
    @functools.cache
    def axis_names(cls) -> tuple[str, ...]:
        """Return the names of its axes among them."""
        return tuple(name for name in cls.arguments() if name != "pitch")

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the columns that hold its arguments, one for each."""
        return tuple("pitch" if name == "pitch" else AXES[k] for k, name in enumerate(cls.arguments()))

    def axes(self) -> tuple[tuple[float, ...], ...]:
        """Return the axes that the columns hold, first to last."""
        return tuple(getattr(self, name) for name in self.axis_names())

    def geometry(self) -> dict[str, Any]:
        """Return what the columns hold of its geometry."""
        none = dict.fromkeys(AXES, Z) | {"pitch": getattr(self, "pitch", 0.0)}
        return none | dict(zip(AXES, self.axes(), strict=False))

    def motion(self, q: np.ndarray, v: np.ndarray) -> Motion:
        """Return the child's motion relative to the joint's frame at coordinates q and velocities v."""
        values = {name: np.asarray(value) for name, value in self.geometry().items()}
        return self.motions([values[name] for name in AXES], values["pitch"], q, v)

    @staticmethod
    def motions(axes: list[np.ndarray], pitch: Any, q: np.ndarray, v: np.ndarray) -> Motion:
        """Return what `motion` does, of many joints: axes (n, 3), pitch (n, 1), q (..., n, nq) and v (..., n, nv)."""
        raise NotImplementedError

    def __repr__(self) -> str:
        geometry = [_short(getattr(self, name)) for name in self.arguments()]
        options = [f"{name}={_short(value)}" for name, value in self.options().items()]
        return f"{type(self).__name__}({', '.join(geometry + options)})"

    def options(self) -> dict[str, Any]:
        """Return the options that differ from the defaults."""
        given = {field.name: getattr(self, field.name) for field in fields(self) if field.kw_only}
        defaults = {field.name: field.default for field in fields(self)}
        return {name: value for name, value in given.items() if value != defaults[name]}


def checked_limits(limits: Any, kind: JointType) -> tuple | None:
    """Limits as `check_limits` gives them; a rotation vector ends at half a turn."""
    checked = check_limits(limits, kind.nv)
    if checked is not None and kind.nq != kind.nv:
        bounds = np.array(checked)
        if (np.abs(bounds[np.isfinite(bounds)]) > np.pi).any():
            name = type(kind).__name__
            raise ArgumentError(f"limits of a {name} joint bound its rotation vector, within ±π, not {limits!r}")
    return checked


def _short(value: Any) -> str:
    """Write an axis as its letter and numbers without noise."""
    letters = {(1.0, 0.0, 0.0): "'x'", (0.0, 1.0, 0.0): "'y'", Z: "'z'"}
    if isinstance(value, tuple):
        return letters.get(value) or "(" + ", ".join(_short(part) for part in value) + ")"
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def times(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return matrices (..., 3, 3) times vectors (..., 3)."""
    return np.einsum("...ij,...j->...i", matrix, vector)
