"""Surfaces C(r, t) = 0 on which points can be kept: planes, spheres, cylinders, tori and any implicit function.

The normal is ∇C/|∇C|: it points to where C > 0, the side from which a positive normal force pushes the surface.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.autodiff import Field
from linkwork.linkage.checks import array, number, positive, unit_axis
from linkwork.linkage.implicit import Implicit, Local

_FLAT = np.zeros((3, 3))
_FLAT.flags.writeable = False


_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "normal": unit_axis,
    "axis": unit_axis,
    "center": lambda value, what: array(value, (3,), what),
    "point": lambda value, what: array(value, (3,), what),
    "offset": number,
    "radius": positive,
    "major": positive,
    "minor": positive,
    "inside": lambda value, what: bool(value),
}


class _Shape(Implicit):
    """Base of the surfaces that a few numbers describe: frozen dataclasses, whose fields are checked by name."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self):
        for field in fields(self):
            value = _CHECKS[field.name](getattr(self, field.name), field.name)
            object.__setattr__(self, field.name, tuple(value.tolist()) if isinstance(value, np.ndarray) else value)


@dataclass(frozen=True)
class Plane(_Shape):
    """The plane normal · r = offset.

    Parameters
    ----------
    normal : (3,) array_like or "x", "-z", ...
        Scaled to unit length.
    offset : float
        Distance from the world's origin along the normal, m.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> surface = lw.Plane("z", offset=-1.5)
    >>> change = arm.constrain("link1", surface=surface, point=(0, 0, -1), friction=0.2)
    >>> q = lw.close_loops(arm, [0.4, 0.3])
    >>> lw.solve(arm, q, [0.0, 0.0]).normal_forces.shape
    (1,)
    """

    normal: Any = (0.0, 0.0, 1.0)
    offset: float = 0.0

    def local(self, r: np.ndarray, t: float) -> Local:
        """C = n · r − offset."""
        n = np.array(self.normal)
        return Local(float(n @ r) - self.offset, n, _FLAT)


def _outside(distance: float, n: np.ndarray, hessian: np.ndarray, inside: bool) -> Local:
    """A signed distance, or its negative where the free side is inside."""
    return Local(-distance, -n, -hessian) if inside else Local(distance, n, hessian)


def _direction(d: np.ndarray) -> tuple[float, np.ndarray]:
    """Length and direction; a zero vector has none."""
    length = float(np.sqrt(d @ d))
    return length, d / length if length > 0.0 else np.zeros(3)


@dataclass(frozen=True)
class Sphere(_Shape):
    """The points at a distance from a centre.

    Parameters
    ----------
    center : (3,) array_like
        World axes, m.
    radius : float
    inside : bool
        Whether the normal points to the centre: for points inside.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> surface = lw.Sphere(center=(0, 0, -2.5), radius=1.0)
    >>> change = arm.constrain("link1", surface=surface, point=(0, 0, -1), friction=0.2)
    >>> q = lw.close_loops(arm, [0.4, 0.3])
    >>> lw.solve(arm, q, [0.0, 0.0]).normal_forces.shape
    (1,)
    """

    center: Any
    radius: float
    inside: bool = False

    def local(self, r: np.ndarray, t: float) -> Local:
        """C = distance from the centre − radius."""
        length, n = _direction(r - np.array(self.center))
        hessian = (np.eye(3) - np.outer(n, n)) / length if length > 0.0 else np.zeros((3, 3))
        return _outside(length - self.radius, n, hessian, self.inside)


@dataclass(frozen=True)
class Cylinder(_Shape):
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

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> surface = lw.Cylinder(axis="y", point=(0, 0, -2.5), radius=1.0)
    >>> change = arm.constrain("link1", surface=surface, point=(0, 0, -1), friction=0.2)
    >>> q = lw.close_loops(arm, [0.4, 0.3])
    >>> lw.solve(arm, q, [0.0, 0.0]).normal_forces.shape
    (1,)
    """

    axis: Any
    point: Any
    radius: float
    inside: bool = False

    def local(self, r: np.ndarray, t: float) -> Local:
        """C = distance from the line − radius."""
        u = np.array(self.axis)
        d = r - np.array(self.point)
        length, n = _direction(d - (u @ d) * u)
        hessian = (np.eye(3) - np.outer(u, u) - np.outer(n, n)) / length if length > 0.0 else np.zeros((3, 3))
        return _outside(length - self.radius, n, hessian, self.inside)


@dataclass(frozen=True)
class Torus(_Shape):
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

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> surface = lw.Torus(center=(0, 0, -1.5), axis="z", major=1.0, minor=0.2)
    >>> change = arm.constrain("link1", surface=surface, point=(0, 0, -1), friction=0.2)
    >>> q = lw.close_loops(arm, [0.4, 0.3])
    >>> lw.solve(arm, q, [0.0, 0.0]).normal_forces.shape
    (1,)
    """

    center: Any
    axis: Any
    major: float
    minor: float
    inside: bool = False

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
    Derivatives given as functions are checked once against differences of C, at the first point where they are used.
    Of a surface C(r, t) only the velocity along its normal is known, and sliding is relative to that; where its
    material moves along the surface too, use `moving`.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> surface = lw.Surface("z + 1.5 - 0.1*sin(3*x - t)")
    >>> change = arm.constrain("link1", surface=surface, point=(0, 0, -1), friction=0.2)
    >>> q = lw.close_loops(arm, [0.4, 0.3])
    >>> lw.solve(arm, q, [0.0, 0.0]).normal_forces.shape
    (1,)
    """

    def __init__(
        self,
        C: str | Callable,
        grad: Callable | None = None,
        hess: Callable | None = None,
        *,
        rate: Callable | None = None,
    ):
        self._expression: Field | None = None
        self._functions: tuple[Any, Any, Any, Any] | None = None
        self._checked = False
        if isinstance(C, str):
            if grad is not None or hess is not None or rate is not None:
                raise ArgumentError("an expression has its own derivatives: leave out grad, hess and rate")
            self._expression = Field(C)
            return
        functions = {"C": C, "grad": grad, "hess": hess}
        for what, function in functions.items():
            if not callable(function):
                raise ArgumentError(
                    f"{what} of a Surface must be a function, not {function!r}; or give an expression for C alone"
                )
        timed, *others = (_takes_time(what, function) for what, function in functions.items())
        if others != [timed, timed]:
            raise ArgumentError("C, grad and hess of a Surface must take the same arguments: (r), or (r, t)")
        if timed and rate is None:
            raise ArgumentError("a Surface C(r, t) needs rate(r, t), which gives (∂C/∂t, ∂²C/∂r∂t, ∂²C/∂t²)")
        if rate is not None and not timed:
            raise ArgumentError("rate is for a Surface C(r, t); this C takes r alone")
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
        found = Local(
            float(_value("C", C(*inputs), (), inputs)),
            _value("grad", grad(*inputs), (3,), inputs),
            _value("hess", hess(*inputs), (3, 3), inputs),
        )
        if rate is None:
            return found
        given = rate(*inputs)
        if not isinstance(given, tuple) or len(given) != 3:
            raise ArgumentError(f"rate of a Surface gave {given!r}: it must give (∂C/∂t, ∂²C/∂r∂t, ∂²C/∂t²)")
        C_t, gradient_t, C_tt = (
            _value("rate", part, shape, inputs) for part, shape in zip(given, ((), (3,), ()), strict=True)
        )
        return found._replace(C_t=float(C_t), gradient_t=gradient_t, C_tt=float(C_tt))

    def _compare(self, found: Local, r: np.ndarray, t: float) -> None:
        """Raise where the derivatives are not those of C."""
        step = 1e-5

        def differences(what: str) -> np.ndarray:
            ends = [[getattr(self._evaluate(r + s * step * e, t), what) for s in (1.0, -1.0)] for e in np.eye(3)]
            return np.array([np.subtract(*pair) for pair in ends]) / (2.0 * step)

        def rates(what: str) -> np.ndarray:
            ends = [getattr(self._evaluate(r, t + s * step), what) for s in (1.0, -1.0)]
            return np.subtract(*ends) / (2.0 * step)

        pairs = [
            ("grad", "C", found.gradient, differences("C")),
            ("hess", "grad", found.hessian, differences("gradient")),
        ]
        if self._functions is not None and self._functions[3] is not None:
            pairs += [
                ("∂C/∂t", "C", np.asarray(found.C_t), rates("C")),
                ("∂²C/∂r∂t", "grad", found.gradient_t, rates("gradient")),
                ("∂²C/∂t²", "∂C/∂t", np.asarray(found.C_tt), rates("C_t")),
            ]
        size = max(1.0, abs(found.C), float(np.abs(found.gradient).max()), float(np.abs(found.hessian).max()))
        for what, of, given, expected in pairs:
            if np.abs(given - expected).max() > 1e-4 * size:
                raise ArgumentError(
                    f"{what} of a Surface is {given.tolist()} at r = {r.tolist()}, t = {t:g}, but differences of {of} "
                    f"give {np.round(expected, 6).tolist()}: correct it, or give C as an expression"
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

    @property
    def program(self) -> np.ndarray | None:
        """An expression as `linkwork.kernels.contact.jets` takes it; None where functions were given."""
        return None if self._expression is None else self._expression.program

    @property
    def timed(self) -> bool:
        """Whether it changes with time."""
        if self._expression is not None:
            return any(isinstance(node, ast.Name) and node.id == "t" for node in ast.walk(self._expression.syntax))
        assert self._functions is not None
        return self._functions[3] is not None

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
        wanted = f"of shape {shape}" if shape else "a number"
        raise ArgumentError(f"{what} of a Surface gave {value!r} {where}: it must be {wanted}")
    if not np.isfinite(result).all():
        raise ArgumentError(f"{what} of a Surface gave {result.tolist()} {where}: it must be finite")
    return result
