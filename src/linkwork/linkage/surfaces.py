"""Surfaces C(r, t) = 0 that points can be kept on: planes, spheres, cylinders, tori, and any implicit function.

The normal is ∇C/|∇C|: it points to where C > 0, the side from which a positive normal force pushes the surface.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import array, number, unit_axis
from linkwork.linkage.expression import Expression
from linkwork.linkage.pose import Pose

_NOTHING, _FLAT = np.zeros(3), np.zeros((3, 3))
_NOTHING.flags.writeable = _FLAT.flags.writeable = False
_DELTA = 1e-3  # s: of the differences that give a motion's rates, fourth order


class Local(NamedTuple):
    """A surface near one point r at one time t: C and its derivatives."""

    C: float
    gradient: np.ndarray  # (3,)
    hessian: np.ndarray  # (3, 3)
    C_t: float = 0.0
    gradient_t: np.ndarray = _NOTHING
    C_tt: float = 0.0
    velocity: np.ndarray | None = None  # of the surface's own matter at r; None where only its normal part is known


class Implicit:
    """What all surfaces have in common."""

    __slots__ = ()

    def local(self, r: np.ndarray, t: float) -> Local:
        """C and its derivatives at the point r (3,), world axes, m, and the time t, s."""
        raise NotImplementedError

    def moving(self, motion: Callable) -> Moving:
        """This surface carried along by a moving frame, in which it is described.

        Parameters
        ----------
        motion : callable
            ``motion(t)`` gives the frame's Pose in the world, or (pose, twist, acceleration), each of the latter (6,):
            linear of the frame's origin, then angular, world axes. Where it gives the pose alone, rates are taken by
            differences, good to about 1e-9 for smooth motions slower than a hertz.
        """
        return Moving(self, motion)


def _frozen(surface: Any, **values: Any) -> None:
    for name, value in values.items():
        object.__setattr__(surface, name, tuple(value.tolist()) if isinstance(value, np.ndarray) else value)


def _radius(value: Any, what: str = "radius") -> float:
    if number(value, what) <= 0.0:
        raise ArgumentError(f"{what} must be positive, not {value!r}")
    return float(value)


@dataclass(frozen=True)
class Plane(Implicit):
    """The plane normal · r = offset.

    Parameters
    ----------
    normal : (3,) array_like or "x", "-z", ...
        Brought to unit length.
    offset : float
        Distance from the world's origin along the normal, m.
    """

    normal: Any = (0.0, 0.0, 1.0)
    offset: float = 0.0

    def __post_init__(self):
        _frozen(self, normal=unit_axis(self.normal, "normal"), offset=number(self.offset, "offset"))

    def local(self, r: np.ndarray, t: float) -> Local:
        """C = n · r − offset."""
        n = np.array(self.normal)
        return Local(float(n @ r) - self.offset, n, _FLAT)


def _outside(distance: float, n: np.ndarray, hessian: np.ndarray, inside: bool) -> Local:
    """A signed distance, or its negative where the free side is inside."""
    return Local(-distance, -n, -hessian) if inside else Local(distance, n, hessian)


def _direction(d: np.ndarray) -> tuple[float, np.ndarray]:
    """Length and direction; no direction where there is no length."""
    length = float(np.sqrt(d @ d))
    return length, d / length if length > 0.0 else np.zeros(3)


@dataclass(frozen=True)
class Sphere(Implicit):
    """The points at a distance from a centre.

    Parameters
    ----------
    center : (3,) array_like
        World axes, m.
    radius : float
    inside : bool
        Whether the normal points to the centre: for points that touch it from within.
    """

    center: Any
    radius: float
    inside: bool = False

    def __post_init__(self):
        _frozen(self, center=array(self.center, (3,), "center"), radius=_radius(self.radius), inside=bool(self.inside))

    def local(self, r: np.ndarray, t: float) -> Local:
        """C = |r − center| − radius."""
        length, n = _direction(r - np.array(self.center))
        hessian = (np.eye(3) - np.outer(n, n)) / length if length > 0.0 else np.zeros((3, 3))
        return _outside(length - self.radius, n, hessian, self.inside)


@dataclass(frozen=True)
class Cylinder(Implicit):
    """The points at a distance from a line.

    Parameters
    ----------
    axis : (3,) array_like or "x", "-z", ...
        Direction of the line.
    point : (3,) array_like
        A point of the line, m.
    radius : float
    inside : bool
        Whether the normal points to the line.
    """

    axis: Any
    point: Any
    radius: float
    inside: bool = False

    def __post_init__(self):
        _frozen(self, axis=unit_axis(self.axis), point=array(self.point, (3,), "point"), radius=_radius(self.radius))
        _frozen(self, inside=bool(self.inside))

    def local(self, r: np.ndarray, t: float) -> Local:
        """C = distance from the line − radius."""
        u = np.array(self.axis)
        d = r - np.array(self.point)
        length, n = _direction(d - (u @ d) * u)
        hessian = (np.eye(3) - np.outer(u, u) - np.outer(n, n)) / length if length > 0.0 else np.zeros((3, 3))
        return _outside(length - self.radius, n, hessian, self.inside)


@dataclass(frozen=True)
class Torus(Implicit):
    """The points at a distance `minor` from a circle of radius `major`.

    Parameters
    ----------
    center : (3,) array_like
        Of the circle, m.
    axis : (3,) array_like or "x", "-z", ...
        Perpendicular to the circle's plane.
    major, minor : float
        Radii, m.
    inside : bool
        Whether the normal points to the circle.
    """

    center: Any
    axis: Any
    major: float
    minor: float
    inside: bool = False

    def __post_init__(self):
        _frozen(self, center=array(self.center, (3,), "center"), axis=unit_axis(self.axis), inside=bool(self.inside))
        _frozen(self, major=_radius(self.major, "major"), minor=_radius(self.minor, "minor"))

    def local(self, r: np.ndarray, t: float) -> Local:
        """C = √((ρ − major)² + h²) − minor, with ρ the distance from the axis and h the height above the circle."""
        u = np.array(self.axis)
        d = r - np.array(self.center)
        h = float(u @ d)
        rho, e = _direction(d - h * u)
        out = rho - self.major
        length = float(np.hypot(out, h))
        if rho == 0.0 or length == 0.0:
            return Local(length - self.minor, np.zeros(3), np.zeros((3, 3)))
        n = (out * e + h * u) / length
        around = np.eye(3) - np.outer(u, u) - np.outer(e, e)  # along the circle
        hessian = (np.outer(e, e) + np.outer(u, u) - np.outer(n, n) + (out / rho) * around) / length
        return _outside(length - self.minor, n, hessian, self.inside)


class Surface(Implicit):
    """The points where a function C(x, y, z) or C(x, y, z, t) is zero.

    Parameters
    ----------
    C : str or callable
        An expression in x, y, z and t, whose derivatives are exact, such as ``"z - 0.1*sin(3*x - t)"``; or a function
        ``C(r)`` or ``C(r, t)`` of the point r (3,), in Python or compiled by Numba.
    grad, hess : callable
        With a function C: ∂C/∂r (3,) and ∂²C/∂r² (3, 3), with the same arguments.
    rate : callable, optional
        With ``C(r, t)``: (∂C/∂t, ∂²C/∂r∂t (3,), ∂²C/∂t²).

    Notes
    -----
    Derivatives given as functions are compared once with differences of C, at the first point they are used at. Of a
    surface that moves in time by itself only the velocity along its normal is known, and sliding is relative to that;
    for one whose matter moves along itself use `moving`.
    """

    def __init__(self, C: str | Callable, grad: Callable | None = None, hess: Callable | None = None, *, rate: Callable | None = None):
        self._expression, self._functions, self._checked = None, None, False
        if isinstance(C, str):
            if grad is not None or hess is not None or rate is not None:
                raise ArgumentError("an expression has its own derivatives: leave out grad, hess and rate")
            self._expression = Expression(C)
            return
        for what, function in (("C", C), ("grad", grad), ("hess", hess)):
            if not callable(function):
                raise ArgumentError(f"{what} of a Surface must be a function, not {function!r}; or give an expression for C alone")
        timed = [_takes_time(what, function) for what, function in (("C", C), ("grad", grad), ("hess", hess))]
        if len(set(timed)) > 1:
            raise ArgumentError("C, grad and hess of a Surface must take the same arguments: (r), or (r, t)")
        if timed[0] != (rate is not None):
            raise ArgumentError(
                "a Surface C(r, t) needs rate(r, t), which gives (∂C/∂t, ∂²C/∂r∂t, ∂²C/∂t²)" if timed[0]
                else "rate is for a Surface C(r, t); this C takes r alone"
            )  # fmt: skip
        self._functions = C, grad, hess, rate

    def local(self, r: np.ndarray, t: float) -> Local:
        """C and its derivatives, checked."""
        if self._expression is not None:
            u, g, h = self._expression(r, t)
            return Local(u, g[:3], h[:3, :3], g[3], h[3, :3], h[3, 3])
        found = self._evaluate(r, t)
        if not self._checked:
            self._compare(found, r, t)
            self._checked = True
        return found

    def _evaluate(self, r: np.ndarray, t: float) -> Local:
        assert self._functions is not None
        C, grad, hess, rate = self._functions
        inputs = (r.copy(),) if rate is None else (r.copy(), t)
        parts = [
            _value("C", C(*inputs), (), inputs),
            _value("grad", grad(*inputs), (3,), inputs),
            _value("hess", hess(*inputs), (3, 3), inputs),
        ]
        if rate is not None:
            given = rate(*inputs)
            if not isinstance(given, tuple) or len(given) != 3:
                raise ArgumentError(f"rate of a Surface gave {given!r}: it must give (∂C/∂t, ∂²C/∂r∂t, ∂²C/∂t²)")
            parts += [_value("rate", part, shape, inputs) for part, shape in zip(given, ((), (3,), ()), strict=True)]
        return Local(*(part if part.ndim else float(part) for part in parts))

    def _compare(self, found: Local, r: np.ndarray, t: float) -> None:
        """Raise where the derivatives are not those of C."""
        step = 1e-5
        around = [self._evaluate(r + sign * step * axis, t) for axis in np.eye(3) for sign in (1.0, -1.0)]
        gradient = np.array([a.C - b.C for a, b in zip(around[::2], around[1::2], strict=True)]) / (2.0 * step)
        hessian = np.array([a.gradient - b.gradient for a, b in zip(around[::2], around[1::2], strict=True)]) / (2.0 * step)
        pairs = [("grad", found.gradient, gradient, "C"), ("hess", found.hessian, hessian, "grad")]
        assert self._functions is not None
        if self._functions[3] is not None:
            after, before = self._evaluate(r, t + step), self._evaluate(r, t - step)
            for k, what in ((0, "∂C/∂t"), (1, "∂²C/∂r∂t")):
                pairs.append((what, np.asarray(found[3 + k]), np.asarray((after[k] - before[k]) / (2.0 * step)), ("C", "grad")[k]))
            pairs.append(("∂²C/∂t²", np.asarray(found.C_tt), np.asarray((after.C_t - before.C_t) / (2.0 * step)), "∂C/∂t"))
        size = max(1.0, abs(found.C), float(np.abs(found.gradient).max()), float(np.abs(found.hessian).max()))
        for what, given, expected, of in pairs:
            if np.abs(given - expected).max() > 1e-4 * size:
                raise ArgumentError(
                    f"{what} of a Surface is {given.tolist()} at r = {r.tolist()}, t = {t:g}, but differences of {of} give "
                    f"{np.round(expected, 6).tolist()}: correct it, or give C as an expression"
                )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Surface):
            return NotImplemented
        return self.expression == other.expression and self._functions == other._functions

    def __hash__(self) -> int:
        return hash((self.expression, self._functions))

    @property
    def expression(self) -> str | None:
        """The text of an expression; None where functions were given."""
        return None if self._expression is None else self._expression.text

    def __repr__(self) -> str:
        if self._expression is not None:
            return f"Surface({self.expression!r})"
        assert self._functions is not None
        return f"Surface({getattr(self._functions[0], '__name__', 'C')})"


def _takes_time(what: str, function: Any) -> bool:
    """Whether a function takes (r, t) rather than (r)."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return False
    for count in (1, 2):
        try:
            signature.bind(*range(count))
            return count == 2
        except TypeError:
            continue
    raise ArgumentError(f"{what} of a Surface must take (r) or (r, t); it takes {signature}")


def _value(what: str, value: Any, shape: tuple[int, ...], inputs: tuple) -> np.ndarray:
    """What a callback gave, of the right shape and finite."""
    try:
        result = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        result = np.empty(0)
    where = f"at r = {inputs[0].tolist()}" + (f", t = {inputs[1]:g}" if len(inputs) == 2 else "")
    if result.shape != shape:
        raise ArgumentError(f"{what} of a Surface gave {value!r} {where}: it must be " + (f"of shape {shape}" if shape else "a number"))
    if not np.isfinite(result).all():
        raise ArgumentError(f"{what} of a Surface gave {result.tolist()} {where}: it must be finite")
    return result


class Moving(Implicit):
    """A surface in a moving frame; see `Implicit.moving`."""

    def __init__(self, surface: Implicit, motion: Callable):
        if not callable(motion):
            raise ArgumentError(f"motion must be a function of time that gives a Pose, not {motion!r}")
        self.surface, self.motion = surface, motion

    def local(self, r: np.ndarray, t: float) -> Local:
        """C(y, t) at y = Rᵀ(r − p): derivatives at fixed r, by the chain rule."""
        pose, twist, acceleration = self._frame(t)
        R, arm = pose.rotation, r - pose.position
        inner = self.surface.local(R.T @ arm, t)
        G, H = R @ inner.gradient, R @ inner.hessian @ R.T
        w = twist[3:]
        u = twist[:3] + np.cross(w, arm)  # velocity at r of the frame
        u_t = acceleration[:3] + np.cross(acceleration[3:], arm) - np.cross(w, twist[:3])  # … its rate at fixed r
        inner_t = R @ inner.gradient_t
        gradient_t = np.cross(w, G) - H @ u + inner_t
        C_tt = inner.C_tt - 2.0 * float(inner_t @ u) - float((np.cross(w, G) - H @ u) @ u) - float(G @ u_t)
        own = inner.velocity
        if own is None:
            own = -inner.C_t * inner.gradient / max(float(inner.gradient @ inner.gradient), 1e-300)
        return Local(inner.C, G, H, inner.C_t - float(G @ u), gradient_t, C_tt, u + R @ own)

    def _frame(self, t: float) -> tuple[Pose, np.ndarray, np.ndarray]:
        given = self.motion(t)
        if isinstance(given, tuple) and len(given) == 3 and isinstance(given[0], Pose):
            return given[0], array(given[1], (6,), "twist of the motion"), array(given[2], (6,), "acceleration of the motion")
        poses = [given, *(self.motion(t + k * _DELTA) for k in (-2, -1, 1, 2))]
        for pose in poses:
            if not isinstance(pose, Pose):
                raise ArgumentError(
                    f"the motion of a surface gave {pose!r} at t = {t:g} s: it must give a Pose, or (pose, twist, acceleration)"
                )
        # The rotation relative to the present one is small: its vector, of third order in it, loses nothing that counts.
        places = [np.concatenate([pose.position, _small_rotation(pose.rotation @ given.rotation.T)]) for pose in poses]
        here, before2, before, after, after2 = places
        rate = (8.0 * (after - before) - (after2 - before2)) / (12.0 * _DELTA)
        return given, rate, (16.0 * (after + before) - (after2 + before2) - 30.0 * here) / (12.0 * _DELTA**2)

    def __repr__(self) -> str:
        return f"Moving({self.surface!r})"


def _small_rotation(R: np.ndarray) -> np.ndarray:
    """Axis times angle of a rotation by less than a quarter turn."""
    axis = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine = float(np.sqrt(axis @ axis))
    return axis * (np.arcsin(min(1.0, sine)) / sine) if sine > 1e-12 else axis
