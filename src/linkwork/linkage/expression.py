"""Formulas in x, y, z, t, given as text: value, first and second derivatives, exact to rounding.

Text is parsed into Python's syntax tree, of which only arithmetic, numbers and a few functions are let through, and is
never run as Python. Derivatives are carried along with every value: forward mode, to second order.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from linkwork.errors import ArgumentError

VARIABLES = ("x", "y", "z", "t")
CONSTANTS = {"pi": math.pi, "e": math.e}
LONGEST = 2000  # characters


class Jet(NamedTuple):
    """A value u, its gradient (4,) and its Hessian (4, 4) in (x, y, z, t)."""

    u: float
    g: np.ndarray
    h: np.ndarray


Number = float | Jet
Node = Callable[[tuple[Jet, ...]], Number]


def _chain(a: Jet, f: float, df: float, ddf: float) -> Jet:
    """f(a), from f and its derivatives at the value of a."""
    return Jet(f, df * a.g, df * a.h + ddf * np.multiply.outer(a.g, a.g))


def _add(a: Number, b: Number) -> Number:
    if isinstance(a, Jet):
        return Jet(a.u + b.u, a.g + b.g, a.h + b.h) if isinstance(b, Jet) else Jet(a.u + b, a.g, a.h)
    return Jet(a + b.u, b.g, b.h) if isinstance(b, Jet) else a + b


def _multiply(a: Number, b: Number) -> Number:
    if not isinstance(a, Jet):
        return Jet(a * b.u, a * b.g, a * b.h) if isinstance(b, Jet) else a * b
    if not isinstance(b, Jet):
        return Jet(b * a.u, b * a.g, b * a.h)
    cross = np.multiply.outer(a.g, b.g)
    return Jet(a.u * b.u, a.u * b.g + b.u * a.g, a.u * b.h + b.u * a.h + cross + cross.T)


def _divide(a: Number, b: Number) -> Number:
    return _multiply(a, _power(b, -1.0))


def _power(a: Number, b: Number) -> Number:
    if isinstance(b, Jet):
        base = _apply("log", a)
        return _apply("exp", _multiply(b, base))
    if not isinstance(a, Jet):
        return _real(a, b)
    # a factor of zero comes before a power that may not exist: x¹ at x = 0
    df = b * _real(a.u, b - 1.0) if b else 0.0
    ddf = b * (b - 1.0) * _real(a.u, b - 2.0) if b * (b - 1.0) else 0.0
    return _chain(a, _real(a.u, b), df, ddf)


def _real(a: float, b: float) -> float:
    """a to the power b; a negative number has only whole powers."""
    if a < 0.0 and b != math.floor(b):
        raise ValueError("a negative number to a broken power")
    return a**b


# f, f′ and f″, each from the value u and from f
_FUNCTIONS: dict[str, tuple[Callable[[float], float], Callable, Callable]] = {
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


def _apply(name: str, a: Number) -> Number:
    f, df, ddf = _FUNCTIONS[name]
    if not isinstance(a, Jet):
        return f(a)
    value = f(a.u)
    return _chain(a, value, df(a.u, value), ddf(a.u, value))


_OPERATORS = {
    ast.Add: _add,
    ast.Sub: lambda a, b: _add(a, _multiply(-1.0, b)),
    ast.Mult: _multiply,
    ast.Div: _divide,
    ast.Pow: _power,
}


class Expression:
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
        self.text = text
        if len(text) > LONGEST:
            raise ArgumentError(f"the expression has {len(text)} characters; at most {LONGEST} are read")
        try:
            tree = ast.parse(text.strip(), mode="eval")
            self._root = self._compile(tree.body)
        except SyntaxError as error:
            raise ArgumentError(f"the expression {text!r} cannot be read: {error.msg}") from None
        except (RecursionError, MemoryError, ValueError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise ArgumentError(f"the expression {text[:60]!r}… is too deep, or has too long a number") from None
        self._seeds = [np.eye(4)[k] for k in range(4)]
        self._flat = np.zeros((4, 4))

    def __call__(self, r: np.ndarray, t: float) -> Jet:
        """The value at (r, t) and its derivatives.

        Raises
        ------
        ArgumentError
            The formula has no value there, or no derivatives.
        """
        point = (*r.tolist(), t)
        variables = tuple(Jet(u, g, self._flat) for u, g in zip(point, self._seeds, strict=True))
        try:
            result = self._root(variables)
        except (ValueError, ZeroDivisionError, OverflowError):
            where = ", ".join(f"{name} = {u:g}" for name, u in zip(VARIABLES, point, strict=True))
            raise ArgumentError(f"{self.text!r} has no value or no derivatives at {where}") from None
        return result if isinstance(result, Jet) else Jet(result, np.zeros(4), self._flat)

    def _compile(self, node: ast.expr) -> Node:
        """A function of the variables, from one node of the syntax tree."""
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                number = float(value)
                return lambda variables: number
            case ast.Name(id=name) if name in CONSTANTS:
                constant = CONSTANTS[name]
                return lambda variables: constant
            case ast.Name(id=name) if name in VARIABLES:
                place = VARIABLES.index(name)
                return lambda variables: variables[place]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
                inner, factor = self._compile(operand), -1.0 if isinstance(sign, ast.USub) else 1.0
                return lambda variables: _multiply(factor, inner(variables))
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
                a, b, combine = self._compile(left), self._compile(right), _OPERATORS[type(operator)]
                return lambda variables: combine(a(variables), b(variables))
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
                inner = self._compile(argument)
                return lambda variables: _apply(name, inner(variables))
        part = ast.unparse(node)
        hint = "; write powers as **" if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor) else ""
        raise ArgumentError(
            f"the expression {self.text!r} has {part!r}: only numbers, x, y, z, t, pi, e, + - * / **, and "
            f"{', '.join(_FUNCTIONS)} of one argument are allowed{hint}"
        )

    def __reduce__(self):
        return Expression, (self.text,)

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"
