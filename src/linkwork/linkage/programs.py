"""Programs for the kernels' stack: what expressions, polynomials and tables become to be evaluated in compiled code.

The operations are those of `linkwork.kernels.layout.acting`, and `linkwork.kernels.motion.expressions` runs them.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.kernels.layout import acting as ops
from linkwork.linkage.expressions import CONSTANTS, Expression, evaluated
from linkwork.linkage.sums import parts_of

Row = tuple[int, int, int, int, int]  # of `acts`

UNARY = {
    "sin": ops.SIN, "cos": ops.COS, "tan": ops.TAN, "asin": ops.ASIN, "acos": ops.ACOS, "atan": ops.ATAN,
    "sinh": ops.SINH, "cosh": ops.COSH, "tanh": ops.TANH, "exp": ops.EXP, "log": ops.LOG, "sqrt": ops.SQRT,
    "abs": ops.ABS, "floor": ops.FLOOR, "sign": ops.SIGN,
}  # fmt: skip
BINARY: dict[type | str, int] = {
    ast.Add: ops.ADD, ast.Sub: ops.SUBTRACT, ast.Mult: ops.MULTIPLY, ast.Div: ops.DIVIDE, ast.Pow: ops.POWER,
    ast.Mod: ops.REMAINDER, ast.Lt: ops.LESS, ast.LtE: ops.LESS_EQUAL, ast.Gt: ops.GREATER,
    ast.GtE: ops.GREATER_EQUAL, ast.Eq: ops.EQUAL, ast.NotEq: ops.NOT_EQUAL,
    "atan2": ops.ATAN2, "hypot": ops.HYPOT, "min": ops.MIN, "max": ops.MAX,
}  # fmt: skip
JOINED = {ops.ADD: 0, ops.SUBTRACT: 1, ops.MULTIPLY: 2}  # those that have a short form, see WITH_CONSTANT


class UnwritableError(Exception):
    """What Python alone evaluates: a function with an unusual number of arguments."""


class Programs:
    """Programs, one after the other, and their numbers.

    Attributes
    ----------
    code : list of int
    numbers : list of float
    depth : int
        Places that the stack must have.
    """

    def __init__(self):
        self.code: list[int] = []
        self.numbers: list[float] = []
        self.depth = 1

    def expression(
        self, expression: Expression, constants: Mapping[str, float], places: Sequence[tuple[str, int]] = ()
    ) -> int:
        """Write an expression and return where it starts.

        Parameters
        ----------
        expression : Expression
        constants : mapping
            Values of its variables besides t.
        places : sequence of (str, int)
            For each of `expression.states` "q" or "v" and the index there.
        """
        return self._program(expression.syntax, self._names(expression, constants, places))

    def torque(
        self, dof: int, expression: Expression, constants: Mapping[str, float], places: Sequence[tuple[str, int]]
    ) -> list[Row]:
        """Write an expression as a torque on a degree of freedom; return its rows of `acts`."""
        names = self._names(expression, constants, places)
        states = dict(zip(expression.state_names, places, strict=True))
        parts = parts_of(expression.syntax, lambda node: self._value(node, names), states)
        rows = []
        for name, coefficient in parts.linear.items():
            kind, place = states[name]
            what = ops.OF_COORDINATE if kind == "q" else ops.OF_VELOCITY
            rows.append((what, dof, place, self._number(coefficient), -1))
        if parts.timed is not None:
            rows.append((ops.TORQUE, dof, 0, self._program(parts.timed, names), self.place()))
        if parts.rest is not None:
            rows.append((ops.TORQUE, dof, 0, self._program(parts.rest, names), -1))
        return rows

    def place(self) -> int:
        """Where the numbers keep a time, yet to come, and the jet at that time."""
        self.numbers += [math.nan, *[0.0] * ops.JET]
        return len(self.numbers) - 1 - ops.JET

    def polynomial(self, coefficients: Sequence[float], origin: float = 0.0) -> int:
        """Write Σ cₖ (t − origin)ᵏ, the lowest power first, and return where it starts."""
        start = len(self.code)
        self.depth = max(self.depth, 3)
        self._constant(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            self.code.append(ops.TIME)
            self._constant(origin)
            self.code += [ops.SUBTRACT, ops.MULTIPLY]
            self._constant(coefficient)
            self.code.append(ops.ADD)
        self.code.append(ops.END)
        return start

    def table(self, times: np.ndarray, coefficients: np.ndarray) -> int:
        """Write a piecewise polynomial of t, as SciPy's `PPoly` has it: times (n + 1), coefficients (order, n)."""
        start, place = len(self.code), len(self.numbers)
        order, pieces = coefficients.shape
        self.numbers += [float(pieces), float(order), *times.tolist(), *coefficients.T.ravel().tolist()]
        self.code += [ops.TIME, ops.TABLE, place, ops.END]
        return start

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The code, the numbers and a stack."""
        code, numbers = np.array(self.code, dtype=np.int64), np.array(self.numbers, dtype=np.float64)
        return code, numbers, np.zeros(ops.JET * self.depth)

    def _names(
        self, expression: Expression, constants: Mapping[str, float], places: Sequence[tuple[str, int]]
    ) -> dict[str, tuple[int, ...]]:
        """The code of each name in an expression."""
        names: dict[str, tuple[int, ...]] = {"t": (ops.TIME,)}
        for name, value in {**CONSTANTS, **constants}.items():
            names[name] = ops.CONSTANT, self._number(float(value))
        for name, (kind, place) in zip(expression.state_names, places, strict=True):
            names[name] = ops.COORDINATE if kind == "q" else ops.VELOCITY, place
        return names

    def _program(self, node: ast.AST, names: Mapping[str, tuple[int, ...]]) -> int:
        start = len(self.code)
        try:
            self._write(node, names, 0)
        except UnwritableError:
            del self.code[start:]
            raise
        self.code.append(ops.END)
        return start

    def _number(self, value: float) -> int:
        self.numbers.append(value)
        return len(self.numbers) - 1

    def _constant(self, value: float) -> None:
        self.code += [ops.CONSTANT, self._number(float(value))]

    def _jump(self, operation: int) -> int:
        """Write a jump whose target is not known yet; return where that is to be put."""
        self.code += [operation, 0]
        return len(self.code) - 1

    def _land(self, jump: int) -> None:
        """Let a jump end here."""
        self.code[jump] = len(self.code) - jump - 1

    def _write(self, node: ast.AST, names: Mapping[str, tuple[int, ...]], depth: int) -> None:
        """Write what leaves the value of a node on top of `depth` others."""
        self.depth = max(self.depth, depth + 1)
        constant = self._value(node, names)
        if constant is not None:
            self._constant(constant)
            return
        match node:
            case ast.Name(id=name):
                self.code += names[name]
            case ast.UnaryOp(op=op, operand=operand):
                self._write(operand, names, depth)
                if not isinstance(op, ast.UAdd):
                    self.code.append(ops.NEGATE if isinstance(op, ast.USub) else ops.NOT)
            case ast.BinOp(left=left, op=op, right=right):
                self._fold(BINARY[type(op)], [left, right], names, depth)
            case ast.Compare(left=left, ops=kinds, comparators=others):
                pairs = zip([left, *others], kinds, others, strict=False)
                jumps = []
                for k, (a, kind, b) in enumerate(pairs):
                    if k:
                        jumps.append(self._jump(ops.AND))
                    self._fold(BINARY[type(kind)], [a, b], names, depth)
                for jump in jumps:
                    self._land(jump)
            case ast.BoolOp(op=op, values=values):
                jumps = []
                for k, value in enumerate(values):
                    if k:
                        jumps.append(self._jump(ops.AND if isinstance(op, ast.And) else ops.OR))
                    self._write(value, names, depth)
                for jump in jumps:
                    self._land(jump)
            case ast.IfExp(test=test, body=body, orelse=other):
                self._write(test, names, depth)
                without = self._jump(ops.JUMP_IF_FALSE)
                self._write(body, names, depth)
                done = self._jump(ops.JUMP)
                self._land(without)
                self._write(other, names, depth)
                self._land(done)
            case ast.Call(func=ast.Name(id=name), args=args):
                self._call(name, args, names, depth)
            case _:
                raise UnwritableError(ast.dump(node))

    def _value(self, node: ast.AST, names: Mapping[str, tuple[int, ...]]) -> float | None:
        """The number that a node stands for, where that depends on nothing; None where it does, or has no value."""
        known: dict[str, Any] = {}
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in names:
                if names[part.id][0] != ops.CONSTANT:
                    return None
                known[part.id] = self.numbers[names[part.id][1]]
        if not isinstance(node, ast.expr):
            return None
        try:
            return float(evaluated(node, known))
        except (ArithmeticError, ValueError, TypeError):
            return None

    def _call(self, name: str, args: list[ast.expr], names: Mapping[str, tuple[int, ...]], depth: int) -> None:
        if name == "_Base":  # of a power: see `linkwork.linkage.expressions`
            self._write(args[0], names, depth)
        elif name in UNARY and len(args) == 1:
            self._write(args[0], names, depth)
            self.code.append(UNARY[name])
        elif name in BINARY and (len(args) == 2 or (len(args) > 2 and name != "atan2")):
            self._fold(BINARY[name], args, names, depth)
        else:
            raise UnwritableError(name)

    def _fold(self, op: int, args: Sequence[ast.AST], names: Mapping[str, tuple[int, ...]], depth: int) -> None:
        """Write an operation between the first two, then between that and the next, and so on."""
        first, *others = args
        if op in (ops.ADD, ops.MULTIPLY) and len(others) == 1 and self._leaf(first, names, depth):
            first, others = others[0], [first]  # either way round they are the same
        self._write(first, names, depth)
        for other in others:
            leaf = self._leaf(other, names, depth) if op in JOINED else None
            if leaf is not None:
                self.code += [leaf[0] + ops.WITH_CONSTANT - ops.CONSTANT, 4 * leaf[1] + JOINED[op]]
            else:
                self._write(other, names, depth + 1)
                self.code.append(op)

    def _leaf(self, node: ast.AST, names: Mapping[str, tuple[int, ...]], depth: int) -> list[int] | None:
        """The code of a node that is a number, a coordinate or a velocity; None of others."""
        start = len(self.code)
        if isinstance(node, ast.Name) or self._value(node, names) is not None:
            self._write(node, names, depth)
        code = self.code[start:]
        del self.code[start:]
        return code if len(code) == 2 else None
