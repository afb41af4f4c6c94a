"""Formulas in x, y, z, t, given as text: value, first and second derivatives, exact to rounding.

Derivatives are carried along with every value: forward mode, to second order.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.expressions import ARITHMETIC, Formula

VARIABLES = ("x", "y", "z", "t")
CONSTANTS = {"pi": math.pi, "e": math.e}
_SEEDS, _FLAT = np.eye(4), np.zeros((4, 4))


class Jet(NamedTuple):
    """A value u with its gradient (4,) and Hessian (4, 4) in (x, y, z, t), and their arithmetic."""

    u: float
    g: np.ndarray
    h: np.ndarray

    def chain(self, f: float, df: float, ddf: float) -> Jet:
        """A function of it, from the function's value and derivatives at u."""
        h = df * self.h
        if ddf:  # where the function is flat, as tanh is far out, the square of a steep gradient may overflow
            h = h + ddf * np.multiply.outer(self.g, self.g)
        return Jet(f, df * self.g, h)

    def __add__(self, other: Any) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.u + other.u, self.g + other.g, self.h + other.h)
        return Jet(self.u + other, self.g, self.h)

    def __mul__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.u * other, self.g * other, self.h * other)
        cross = np.multiply.outer(self.g, other.g)
        h = self.u * other.h + other.u * self.h + cross + cross.T
        return Jet(self.u * other.u, self.u * other.g + other.u * self.g, h)

    def __pow__(self, b: Any) -> Jet:
        if isinstance(b, Jet):
            return _apply("exp", b * _apply("log", self))
        # a zero factor is seen first, because the power beside it may not exist: x¹ at x = 0
        df = b * _real(self.u, b - 1.0) if b else 0.0
        ddf = b * (b - 1.0) * _real(self.u, b - 2.0) if b * (b - 1.0) else 0.0
        return self.chain(_real(self.u, b), df, ddf)

    def __rpow__(self, a: float) -> Jet:
        return _apply("exp", self * math.log(a))

    def __neg__(self) -> Jet:
        return self * -1.0

    def __pos__(self) -> Jet:
        return self

    def __sub__(self, other: Any) -> Jet:
        return self + -other

    def __rsub__(self, other: float) -> Jet:
        return -self + other

    def __truediv__(self, other: Any) -> Jet:
        return self * other**-1.0

    def __rtruediv__(self, other: float) -> Jet:
        return self**-1.0 * other

    __radd__, __rmul__ = __add__, __mul__


def _real(a: float, b: float) -> float:
    """a to the power b; a negative number has only whole powers."""
    if a < 0.0 and b != math.floor(b):
        raise ValueError("a negative number has only whole powers")
    return a**b


# f, f′ and f″, each from the value u and from f
_DERIVATIVES: dict[str, tuple[Callable[[float], float], Callable, Callable]] = {
    "sin": (math.sin, lambda u, f: math.cos(u), lambda u, f: -f),
    "cos": (math.cos, lambda u, f: -math.sin(u), lambda u, f: -f),
    "tan": (math.tan, lambda u, f: 1.0 + f * f, lambda u, f: 2.0 * f * (1.0 + f * f)),
    "asin": (math.asin, lambda u, f: (1.0 - u * u) ** -0.5, lambda u, f: u * (1.0 - u * u) ** -1.5),
    "acos": (math.acos, lambda u, f: -((1.0 - u * u) ** -0.5), lambda u, f: -u * (1.0 - u * u) ** -1.5),
    "atan": (math.atan, lambda u, f: 1.0 / (1.0 + u * u), lambda u, f: -2.0 * u / (1.0 + u * u) ** 2),
    "sinh": (math.sinh, lambda u, f: math.cosh(u), lambda u, f: f),
    "cosh": (math.cosh, lambda u, f: math.sinh(u), lambda u, f: f),
    "tanh": (math.tanh, lambda u, f: 1.0 - f * f, lambda u, f: -2.0 * f * (1.0 - f * f)),
    "exp": (math.exp, lambda u, f: f, lambda u, f: f),
    "log": (math.log, lambda u, f: 1.0 / u, lambda u, f: -1.0 / (u * u)),
    "sqrt": (math.sqrt, lambda u, f: 0.5 / f, lambda u, f: -0.25 / (u * f)),
}


def _apply(name: str, a: float | Jet) -> Any:
    f, df, ddf = _DERIVATIVES[name]
    if not isinstance(a, Jet):
        return f(a)
    value = f(a.u)
    return a.chain(value, df(a.u, value), ddf(a.u, value))


_FUNCTIONS = {name: functools.partial(_apply, name) for name in _DERIVATIVES}


class Field(Formula):
    """A formula in x, y, z and t.

    Parameters
    ----------
    text : str
        Numbers, ``+ - * / **``, parentheses, ``pi``, ``e`` and sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp,
        log, sqrt.

    Raises
    ------
    ArgumentError
        Anything else in the text; it is named.
    """

    def __init__(self, text: str):
        super().__init__(text, text, {*VARIABLES, *CONSTANTS}, _FUNCTIONS, allowed=ARITHMETIC, arguments=1)

    def __call__(self, r: np.ndarray, t: float) -> Jet:
        """The value at (r, t) and its derivatives.

        Raises
        ------
        ArgumentError
            The formula has no value there, or no derivatives, or too large ones.
        """
        point = dict(zip(VARIABLES, (*r.tolist(), t), strict=True))
        jets = {name: Jet(u, seed, _FLAT) for (name, u), seed in zip(point.items(), _SEEDS, strict=True)}
        try:
            with np.errstate(all="ignore"):  # an overflow shows in the result
                result = self.evaluate(CONSTANTS | jets)
            result = result if isinstance(result, Jet) else Jet(result, np.zeros(4), _FLAT)
            if not (math.isfinite(result.u) and np.isfinite(result.g).all() and np.isfinite(result.h).all()):
                raise ValueError("the result is not finite")
        except (ValueError, TypeError, ArithmeticError):
            where = ", ".join(f"{name} = {u:g}" for name, u in point.items())
            problem = "has no value or no derivatives, or too large ones,"
            raise ArgumentError(f"{self.text!r} {problem} at {where}") from None
        return result

    def __reduce__(self):
        return Field, (self.text,)
