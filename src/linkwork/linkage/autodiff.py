"""Formulas in x, y, z, t, given as text: value, first and second derivatives, exact to rounding.

They become programs for `linkwork.kernels.contact.jets`, which carries derivatives along with every value.
"""

from __future__ import annotations

import ast
import functools
import math
from typing import NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.launch import call
from linkwork.linkage.expressions import ARITHMETIC, FUNCTIONS, Formula, evaluated

VARIABLES = ("x", "y", "z", "t")
CONSTANTS = {"pi": math.pi, "e": math.e}
_NAMES = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt")
_BINARY = {ast.Add: "ADD", ast.Sub: "SUBTRACT", ast.Mult: "MULTIPLY", ast.Div: "DIVIDE"}
_UPPER = np.triu_indices(4)


class Jet(NamedTuple):
    """A value u with its gradient (4,) and Hessian (4, 4) in (x, y, z, t)."""

    u: float
    g: np.ndarray
    h: np.ndarray


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
        functions = {name: FUNCTIONS[name] for name in _NAMES}
        super().__init__(text, text, {*VARIABLES, *CONSTANTS}, functions, allowed=ARITHMETIC, arguments=1)

    @functools.cached_property
    def program(self) -> np.ndarray:
        """It in postfix order, as `linkwork.kernels.contact.jets` takes it."""
        return np.array(_program(self.syntax), dtype=np.float64)

    def __call__(self, r: np.ndarray, t: float) -> Jet:
        """The value at (r, t) and its derivatives.

        Raises
        ------
        ArgumentError
            The formula has no value there, or no derivatives, or too large ones.
        """
        from linkwork.kernels.contact.jets import JET

        point, program = (*r.tolist(), float(t)), self.program
        stack = np.empty(JET * (len(program) + 1))
        call(("contact.jets", "run_program"), program, 0, len(program), *point, stack)
        if not np.isfinite(stack[:JET]).all():
            where = ", ".join(f"{name} = {u:g}" for name, u in zip(VARIABLES, point, strict=True))
            problem = "has no value or no derivatives, or too large ones,"
            raise ArgumentError(f"{self.text!r} {problem} at {where}")
        h = np.empty((4, 4))
        h[_UPPER] = h.T[_UPPER] = stack[5:JET]
        return Jet(float(stack[0]), stack[1:5], h)

    def __reduce__(self):
        return Field, (self.text,)


def _program(node: ast.expr) -> list[float]:
    """The instructions and numbers of part of a formula."""
    from linkwork.kernels.contact import jets

    match node:
        case ast.Constant(value=value):
            return [jets.CONSTANT, value]  # pyright: ignore[reportReturnType]
        case ast.Name(id=name):
            return [jets.CONSTANT, CONSTANTS[name]] if name in CONSTANTS else [jets.X + VARIABLES.index(name)]
        case ast.UnaryOp(op=op, operand=operand):
            return [*_program(operand), jets.NEGATE] if isinstance(op, ast.USub) else _program(operand)
        case ast.Call(func=ast.Name(id="_Base"), args=[base]):  # of a power: see `linkwork.linkage.expressions`
            return _program(base)
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return [*_program(argument), jets.FUNCTIONS[name]]
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            constant = _constant(exponent)
            if constant is not None:
                return [*_program(base), jets.POWER, constant]
            return [*_program(base), *_program(exponent), jets.RAISE]
        case ast.BinOp(left=left, op=op, right=right):
            return [*_program(left), *_program(right), getattr(jets, _BINARY[type(op)])]
    raise AssertionError(ast.dump(node))  # all else was refused before


def _constant(node: ast.expr) -> float | None:
    """The number that an exponent is, if it has no variables; not-a-number where it has no value."""
    if any(isinstance(each, ast.Name) and each.id in VARIABLES for each in ast.walk(node)):
        return None
    try:
        return float(evaluated(node, CONSTANTS))
    except (ArithmeticError, ValueError):
        return math.nan
