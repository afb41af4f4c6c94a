"""Expressions as sums: what is linear in the state, what depends on time alone, and the rest.

So ``kp*(sin(t) - q[elbow]) - kd*v[elbow]`` becomes kp sin(t), −kp q and −kd v. Compiled steps multiply the last two as
they are, and find the first once for each time.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection
from typing import NamedTuple

Value = Callable[[ast.AST], float | None]  # the number that a node stands for, None where it is no constant


class Parts(NamedTuple):
    """An expression = Σ coefficient · state + `timed` + `rest`; None for what is not there."""

    linear: dict[str, float]  # coefficients of the states, by the names that stand for these
    timed: ast.expr | None
    rest: ast.expr | None


def parts_of(node: ast.expr, value: Value, states: Collection[str]) -> Parts:
    """Take a sum apart; left whole where no state is linear in it, or a coefficient would not be finite."""
    linear: dict[str, float] = {}
    timed: list[tuple[float, ast.expr]] = []
    rest: list[tuple[float, ast.expr]] = []

    def take(node: ast.expr, factor: float) -> None:
        match node:
            case ast.Name(id=name) if name in states:
                linear[name] = linear.get(name, 0.0) + factor
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                take(operand, -factor)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                take(left, factor)
                take(right, factor if isinstance(op, ast.Add) else -factor)
            case ast.BinOp(left=left, op=ast.Mult(), right=right) if (x := value(left)) is not None:
                take(right, factor * x)
            case ast.BinOp(left=left, op=ast.Mult(), right=right) if (x := value(right)) is not None:
                take(left, factor * x)
            case ast.BinOp(left=left, op=ast.Div(), right=right) if x := value(right):
                take(left, factor / x)
            case _:
                (rest if reads(node, states) else timed).append((factor, node))

    take(node, 1.0)
    factors = [*linear.values(), *(factor for factor, _ in timed + rest)]
    if not linear or not all(map(math.isfinite, factors)):
        return Parts({}, None, node) if reads(node, states) else Parts({}, node, None)
    return Parts(linear, _sum(timed, value), _sum(rest, value))


def reads(node: ast.AST, names: Collection[str]) -> bool:
    """Whether one of these names is in an expression."""
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _sum(terms: list[tuple[float, ast.expr]], value: Value) -> ast.expr | None:
    """Σ factor · term, constants as one number behind the others."""
    total, constant = None, 0.0
    for factor, node in terms:
        x = value(node)
        if x is not None:
            constant += factor * x
            continue
        node = node if factor == 1.0 else ast.BinOp(node, ast.Mult(), ast.Constant(factor))
        total = node if total is None else ast.BinOp(total, ast.Add(), node)
    if constant and math.isfinite(constant):
        number = ast.Constant(constant)
        total = number if total is None else ast.BinOp(total, ast.Add(), number)
    return total and ast.fix_missing_locations(total)
