"""Small expressions in text: ``2 * sin(3 * t)``, ``-20 * q[elbow] - 2 * v[elbow]``.

Numbers, + - * / ** %, comparisons, ``a if b else c``, ``and``, ``or``, ``not``, a few functions and the variables that
are allowed in that place; nothing else. An expression cannot call Python functions, reach an attribute or loop, and all
its numbers are floats, so that every evaluation is short.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
import unicodedata
import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from linkwork.errors import ArgumentError, unknown_name

LONGEST = 1000  # characters
FUNCTIONS: dict[str, Any] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "atan2": math.atan2, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "exp": math.exp, "log": math.log,
    "sqrt": math.sqrt, "hypot": math.hypot, "abs": abs, "min": min, "max": max,
    "floor": lambda x: float(math.floor(x)), "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
}  # fmt: skip
CONSTANTS = {"pi": math.pi, "deg": math.pi / 180.0}
ARITHMETIC = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Load, ast.Constant, ast.Add, ast.Sub, ast.Mult,
    ast.Div, ast.Pow, ast.UAdd, ast.USub,
)  # fmt: skip
CHOICES = (
    ast.Mod, ast.BoolOp, ast.Compare, ast.IfExp, ast.Not, ast.And, ast.Or, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt,
    ast.GtE,
)  # fmt: skip
RESERVED = {*FUNCTIONS, *CONSTANTS, "t", "q", "v"}
_STATE = re.compile(r"\b([qv])\s*\[([^\[\]]+)\](?:\s*\[\s*(\d+)\s*\])?")


class _Base:
    """The base of a power: Python makes (-8)**0.5 a complex number, whose abs() would pass for a result."""

    def __init__(self, a: Any):
        self._a = a

    def __pow__(self, b: Any) -> Any:
        power = self._a**b
        if isinstance(power, complex):
            raise ValueError("a negative number has only whole powers")
        return power


class Formula:
    """Text that is checked and compiled, to be evaluated with floats or other numbers.

    `source` is what is parsed for the text. It may contain `names`, calls of `functions` (each with that number of
    `arguments`, if given) and the `allowed` syntax nodes. `syntax` is what `linkwork.linkage.programs` reads.
    """

    def __init__(
        self, text: str | float, source: str, names: Collection[str], functions: Mapping[str, Any], *,
        allowed: tuple[type, ...], arguments: int | None = None,
    ):  # fmt: skip
        self.text, self._functions = str(text), functions
        if len(self.text) > LONGEST:
            raise self.error(f"it has {len(self.text)} characters; {LONGEST} are allowed")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # what Python warns of, such as 0xfor t, is refused
                tree = ast.parse(source.strip(), mode="eval")
            self._check(tree, names, allowed, arguments)
            _keep_real(tree)
            self.syntax = tree.body
            self._code = compile(tree, "<expression>", "eval")
        except ArgumentError:
            raise
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise self.error("it is not written as a formula, such as 2 * sin(3 * t)") from None

    def _check(self, tree: ast.AST, names: Collection[str], allowed: tuple[type, ...], arguments: int | None) -> None:
        """Refuse all that is not allowed, and make every number a float."""
        called = set()
        for node in ast.walk(tree):
            if not isinstance(node, allowed):
                raise self.error(f"{_written(node)} is not allowed in it")
            if isinstance(node, ast.Constant):
                node.value = self._number(node.value)
            elif isinstance(node, ast.Call):
                if not isinstance(node.func, ast.Name) or node.keywords:
                    raise self.error("only functions such as sin(x) can be called")
                if node.func.id not in self._functions:
                    raise self.error(str(unknown_name("function", node.func.id, self._functions)))
                if arguments is not None and len(node.args) != arguments:
                    raise self.error(f"{node.func.id} takes {arguments} argument(s), not {len(node.args)}")
                called.add(id(node.func))
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and id(node) not in called and node.id not in names:
                raise self.error(str(unknown_name("variable", node.id, sorted(n for n in names if n[0] != "_"))))

    def _number(self, value: Any) -> float:
        if type(value) not in (int, float):
            raise self.error(f"{value!r} is not a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isinf(number):
            raise self.error("a number in it is too large")
        return number

    def evaluate(self, values: Mapping[str, Any]) -> Any:
        """Evaluate it with these values of the names."""
        return eval(self._code, {"__builtins__": {}, "_Base": _Base, **self._functions, **values})

    def error(self, problem: str) -> ArgumentError:
        """Return the error that says why it cannot be used."""
        shown = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return ArgumentError(f"the expression {shown!r} cannot be used: {problem}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"


class Expression(Formula):
    """A number that follows from others.

    Parameters
    ----------
    text : str or float
        Written as above; a number is an expression too.
    variables : iterable of str
        Names that it may contain, besides ``pi`` and ``deg`` (π/180).
    state : bool
        Whether it may contain ``q[joint]``, ``v[joint]`` and ``q[joint][k]``.

    Attributes
    ----------
    states : tuple of (str, str, int or None)
        The parts of the state that it reads: "q" or "v", the joint, and which of its coordinates.

    Raises
    ------
    ArgumentError
        Saying what in it is not allowed.

    Examples
    --------
    >>> Expression("2 * sin(pi / 2) + t", ["t"])({"t": 1.0})
    3.0
    """

    def __init__(self, text: str | float, variables: Iterable[str] = (), *, state: bool = False):
        self.states: tuple[tuple[str, str, int | None], ...] = ()
        self._read: dict[str, str] = {}  # the names that stand for them, and how they are written
        source = self._take_states(str(text)) if state else str(text)
        super().__init__(text, source, {*CONSTANTS, *variables, *self._read}, FUNCTIONS, allowed=ARITHMETIC + CHOICES)

    def _take_states(self, text: str) -> str:
        """Replace each q[joint] and v[joint] by a name that the text does not contain."""
        found: dict[tuple[str, str, int | None], str] = {}
        written = unicodedata.normalize("NFKC", text)  # as Python reads names
        prefix = "_" + max(re.findall("s_*", written), key=len, default="s") + "_"

        def name(match: re.Match) -> str:
            kind, joint, index = match.groups()
            part = kind, joint.strip(), None if index is None else int(index)
            made = found.setdefault(part, f"{prefix}{len(found)}")
            self._read.setdefault(made, match[0])
            return f" {made} "  # spaces keep it apart from its neighbours

        text = _STATE.sub(name, text)
        self.states = tuple(found)
        return text

    @property
    def state_names(self) -> list[str]:
        """The names that stand for `states` in the syntax."""
        return list(self._read)

    def __call__(self, variables: Mapping[str, float], states: Iterable[float] = ()) -> Any:
        """Its value, a float, or a bool where it compares."""
        read = dict(zip(self._read, states, strict=True))
        try:
            value = self.evaluate({**CONSTANTS, **variables, **read})
        except (ArithmeticError, ValueError, TypeError) as error:
            raise self.error(f"it has no value{self._at(variables)}: {error.args[-1]}") from None
        if isinstance(value, bool):
            return value
        if not math.isfinite(value):
            raise self.error(f"its value{self._at(variables)} is {value}, which is not finite")
        return float(value)

    def error(self, problem: str) -> ArgumentError:
        """Return the error that says why it cannot be used, in the words of the text."""
        for made in reversed(self._read):  # 12 before 1
            problem = problem.replace(made, self._read[made])
        return super().error(problem)

    def _at(self, variables: Mapping[str, float]) -> str:
        return f" at t = {variables['t']:g} s" if "t" in variables else ""


def evaluated(node: ast.expr, values: Mapping[str, float]) -> Any:
    """The value of part of an expression's syntax."""
    code = compile(ast.Expression(node), "<expression>", "eval")
    return eval(code, {"__builtins__": {}, "_Base": _Base, **FUNCTIONS, **values})


def check_variable(name: str) -> None:
    """Refuse a name that an expression cannot contain, or that means something else in it."""
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise ArgumentError(f"{name!r} cannot be a variable: take a letter, then letters, digits and _; no keyword")
    if name in RESERVED:
        raise ArgumentError(f"{name!r} cannot be a variable: it means something in expressions; take another name")


def _keep_real(tree: ast.AST) -> None:
    """Let no power become complex."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            place = {"lineno": 1, "col_offset": 0}
            node.left = ast.Call(ast.Name("_Base", ast.Load(), **place), [node.left], [], **place)


def _written(node: ast.AST) -> str:
    try:
        if isinstance(node, ast.BitXor):
            return "the operator ^ (powers are written as **)"
        return repr(ast.unparse(node))[:60] if isinstance(node, ast.expr) else f"the operator {type(node).__name__}"
    except (RecursionError, ValueError):
        return type(node).__name__
