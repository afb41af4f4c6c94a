"""What is kept of each run: final states, extremes, times of events, and any expression over the recording.

``max(norm(reaction[pin]))``, ``final(q[crank]) / deg``, ``when(position[tip][2] < 0)``: series over time, by the name
of a joint, body, frame or contact, made into numbers by functions over time. Values are arrays (runs, times,
components); what is a number for the whole run has one time, what is no vector has one component.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.expressions import ARITHMETIC, CONSTANTS, Formula
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.tracks import Track

PLAIN = ("t", "energy", "kinetic", "potential", "drift")  # series of the whole linkage
NAMED = (
    "q", "v", "a", "tau", "reaction", "moment", "position", "velocity", "angular_velocity", "normal", "friction",
)  # fmt: skip
COUNTED = ("event", "events")  # by text of the event: when it first happened; how often
GROUPS = ("final", "extremes", "events", "recording")
COMPARISONS = (ast.Compare, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Mod)
_SERIES = re.compile(r"\b([a-z_]+)\s*\[([^\[\]]+)\](?:\s*\[\s*(\d+)\s*\])?")


class Source(Protocol):
    """Where series come from: a recording, or many rollouts."""

    def series(self, kind: str, name: str) -> np.ndarray:
        """(runs, times, components)."""
        ...


def _over_time(function: Callable) -> Callable:
    return lambda x: function(x, axis=1, keepdims=True)


def _mean(x: np.ndarray, **how: Any) -> np.ndarray:
    return np.nanmean(x, **how)


def _norm(x: np.ndarray) -> np.ndarray:
    return np.sqrt((x * x).sum(axis=2, keepdims=True))


def _extreme(over: Any) -> Callable:
    """`min` or `max`: of one thing over time, of several by place."""

    def extreme(*values: np.ndarray) -> np.ndarray:
        if len(values) == 1:
            return over.reduce(values[0], axis=1, keepdims=True)
        result = values[0]
        for value in values[1:]:
            result = over(result, value)
        return result

    return extreme


OVER_TIME: dict[str, Any] = {
    "min": _extreme(np.fmin), "max": _extreme(np.fmax), "final": lambda x: x[:, -1:], "first": lambda x: x[:, :1],
    "mean": _over_time(_mean), "rms": lambda x: np.sqrt(_mean(x * x, axis=1, keepdims=True)),
    "range": lambda x: OVER_TIME["max"](x) - OVER_TIME["min"](x),
}  # fmt: skip
WITH_TIME = ("when", "integral")  # functions over time that need the times
BY_PLACE: dict[str, Any] = {
    "norm": _norm, "abs": np.abs, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2, "exp": np.exp, "log": np.log, "hypot": np.hypot,
    "floor": np.floor, "sign": np.sign,
}  # fmt: skip


class Output(Formula):
    """One expression over a recording."""

    def __init__(self, text: str, parameters: Iterable[str]):
        self.series: dict[str, tuple[str, str, int | None]] = {}
        source = _SERIES.sub(self._take, str(text))
        self._parameters = tuple(parameters)
        for name in PLAIN:
            if re.search(rf"\b{name}\b", source):
                self.series[name] = (name, "", None)
        functions = dict.fromkeys(WITH_TIME) | OVER_TIME | BY_PLACE
        names = {*CONSTANTS, *self._parameters, *self.series, *PLAIN}
        super().__init__(text, source, names, functions, allowed=ARITHMETIC + COMPARISONS)
        if self._varies(self.syntax):
            raise self.error("it has a value at every time: take final(...), max(...), mean(...) or the like of it")
        self.ends_only = all(
            isinstance(node.func, ast.Name) and node.func.id in ("final", "first")
            for node in ast.walk(self.syntax)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            and node.func.id in (*OVER_TIME, *WITH_TIME) and self._reduces(node)
        )  # fmt: skip

    def _take(self, match: re.Match) -> str:
        kind, name, index = match.groups()
        if kind not in (*NAMED, *COUNTED):
            raise ArgumentError(
                f"the output {match.string!r} cannot be used: {unknown_name('series', kind, (*NAMED, *COUNTED))}"
            )
        made = f"_s_{len(self.series)}"
        self.series[made] = kind, name.strip(), None if index is None else int(index)
        return f" {made} "

    def _reduces(self, node: ast.Call) -> bool:
        return isinstance(node.func, ast.Name) and (
            node.func.id in WITH_TIME or (node.func.id in OVER_TIME and len(node.args) == 1)
        )

    def _varies(self, node: ast.AST) -> bool:
        """Whether part of it has a value at every time."""
        if isinstance(node, ast.Call) and self._reduces(node):
            return False
        if isinstance(node, ast.Name) and node.id in self.series:
            return self.series[node.id][0] not in COUNTED
        return any(self._varies(part) for part in ast.iter_child_nodes(node))

    def values(self, source: Source, parameters: Mapping[str, Any]) -> np.ndarray:
        """(runs, components) its values."""
        found: dict[str, Any] = {name: np.reshape(value, (-1, 1, 1)) for name, value in parameters.items()}
        for made, (kind, name, index) in self.series.items():
            series = source.series(kind, name)
            if index is not None:
                if index >= series.shape[2]:
                    raise self.error(f"{kind}[{name}] has {series.shape[2]} component(s): there is no [{index}]")
                series = series[:, :, index : index + 1]
            found[made] = series

        def when(condition: np.ndarray) -> np.ndarray:
            t, true = source.series("t", ""), np.any(condition, axis=2, keepdims=True)
            first = np.take_along_axis(np.broadcast_to(t, true.shape), true.argmax(axis=1)[:, None], axis=1)
            return np.where(true.any(axis=1, keepdims=True), first, np.nan)

        def integral(x: np.ndarray) -> np.ndarray:
            steps = np.diff(source.series("t", ""), axis=1)
            return (0.5 * steps * (x[:, 1:] + x[:, :-1])).sum(axis=1, keepdims=True)

        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of means of nothing: they are NaN
            value = self.evaluate({**CONSTANTS, **found, "when": when, "integral": integral})
        value = np.asarray(value, dtype=float)
        return value.reshape(1, 1) if value.ndim == 0 else value[:, 0]


class Outputs:
    """The columns that a sweep keeps of each run.

    Parameters
    ----------
    given : sequence of str
        Expressions, or groups of them: "final", the state at the end; "extremes", least and greatest coordinates and
        velocities; "events", when events happened; "recording", everything.
    linkage : Linkage
        As at the start.
    parameters : iterable of str
        Names that expressions may contain.
    events : sequence of str
        What the events of the scene are called.
    later : sequence of str
        Names of joints and contacts that there may be later.

    Attributes
    ----------
    columns : list of str
    recorded : bool
        Whether whole recordings are kept.
    kinds : set of str
        The series that are read.
    ends_only : bool
        Whether no more than first and last states are read.
    """

    def __init__(
        self, given: Sequence[str], linkage: Linkage, parameters: Iterable[str], events: Sequence[str] = (),
        later: Sequence[str] = (),
    ):  # fmt: skip
        if isinstance(given, str):
            given = [given]
        self.columns: list[str] = []
        self._outputs: list[Output] = []
        self._widths: list[int] = []
        self.recorded, names = "recording" in given, list(parameters)
        sizes = _Sizes(linkage, later)
        for text in given:
            for column, expression in self._expanded(text, linkage, events):
                output = Output(expression, names)
                width = output.values(sizes, dict.fromkeys(names, 1.0)).shape[1]
                self._outputs.append(output)
                self._widths.append(width)
                self.columns += [column] if width == 1 else [f"{column}[{k}]" for k in range(width)]
        if len(set(self.columns)) < len(self.columns):
            twice = next(column for column in self.columns if self.columns.count(column) > 1)
            raise ArgumentError(f"the output {twice!r} is asked for twice")
        self.kinds = {kind for output in self._outputs for kind, _, _ in output.series.values()}
        self.ends_only = all(output.ends_only for output in self._outputs)

    def _expanded(self, text: str, linkage: Linkage, events: Sequence[str]) -> list[tuple[str, str]]:
        """Columns and the expressions that fill them."""
        if text == "recording":
            return []
        if text == "events":
            return [("events", "events[*]"), *((f"event[{name}]", f"event[{name}]") for name in events)]
        if text in ("final", "extremes"):
            parts = [f"{kind}[{joint.name}]" + (f"[{k}]" if count > 1 else "")
                     for kind in ("q", "v") for joint in linkage.joints
                     for count in [joint.nq if kind == "q" else joint.nv] for k in range(count)]  # fmt: skip
            if text == "final":
                return [("t", "final(t)"), *((part, f"final({part})") for part in parts)]
            return [(f"{which}({part})", f"{which}({part})") for part in parts for which in ("min", "max")]
        if re.fullmatch(r"\w+", text) and text not in CONSTANTS:
            raise unknown_name("output", text, GROUPS)
        return [(text, text)]

    def values(self, source: Source, parameters: Mapping[str, Any], count: int = 1) -> np.ndarray:
        """(count, columns) the outputs of `count` runs."""
        table = np.empty((count, len(self.columns)))
        place = 0
        for output, width in zip(self._outputs, self._widths, strict=True):
            values = output.values(source, parameters)
            if values.shape[1] != width:
                raise output.error(f"it has {values.shape[1]} component(s), and had {width} in the first run")
            table[:, place : place + width] = values
            place += width
        return table


class _Sizes:
    """Series of zeros, with the right number of components: to find what expressions give, and what they cannot."""

    def __init__(self, linkage: Linkage, later: Sequence[str]):
        self._linkage, self._later = linkage, later

    def series(self, kind: str, name: str) -> np.ndarray:
        """Zeros at two times."""
        return np.zeros((1, 2, self._width(kind, name)))

    def _width(self, kind: str, name: str) -> int:
        linkage = self._linkage
        if kind == "drift":
            return 2
        if kind in (*PLAIN, *COUNTED):
            return 1
        joints = linkage.columns.joint_index | linkage.columns.body_index
        points = kind in ("position", "velocity", "angular_velocity")
        of_contact = kind in ("normal", "friction")
        known = [*linkage.contacts.names] if of_contact else [*joints, *linkage.loops.names]
        known += linkage.frames.names if points else []
        if name not in known and name not in self._later:
            raise unknown_name("contact" if of_contact else "joint, body or frame", name, known)
        if kind not in ("q", "v", "a", "tau"):
            return 1 if kind == "normal" else 3
        joint = linkage.joints[joints[name]] if name in joints else linkage.loops[name] if name in known else None
        return 1 if joint is None else joint.nq if kind == "q" else joint.nv


class OfRecording:
    """The series of one recording; what is not there, or of another type, is NaN at those times."""

    def __init__(self, recording: Any):
        self._recording = recording
        self._found: dict[tuple[str, str], np.ndarray] = {}

    def series(self, kind: str, name: str) -> np.ndarray:
        """(1, times, components)."""
        if (kind, name) not in self._found:
            found = np.asarray(self._read(kind, name), dtype=float)
            self._found[kind, name] = found.reshape(1, len(found), -1)
        return self._found[kind, name]

    def _read(self, kind: str, name: str) -> np.ndarray:
        recording = self._recording
        if kind in PLAIN:
            return getattr(recording, kind)
        if kind in COUNTED:
            times = [event.time for event in recording.events if name == "*" or name in event.what.replace("'", "")]
            return np.array([len(times) if kind == "events" else min(times, default=np.nan)])
        track = recording[name]
        what, part = {
            "reaction": ("wrench", slice(0, 3)), "moment": ("wrench", slice(3, 6)),
            "velocity": ("velocity", slice(0, 3)), "angular_velocity": ("velocity", slice(3, 6)),
            "normal": ("normal_force", None), "friction": ("friction_force", None),
        }.get(kind, (kind, None))  # fmt: skip
        places = {id(segment): place for segment, place in track.segments}
        parts: list[np.ndarray | None] = []
        for segment in recording.segments:
            if id(segment) in places and len(segment):
                values = getattr(Track(name, track.kind, [(segment, places[id(segment)])]), what)
                parts.append(values.reshape(len(values), -1)[:, part or slice(None)])
            else:
                parts.append(None)
        width = next((values.shape[1] for values in parts if values is not None), 1)
        whole = [np.full((len(segment), width), np.nan) if values is None or values.shape[1] != width else values
                 for segment, values in zip(recording.segments, parts, strict=True)]  # fmt: skip
        return np.concatenate(whole)
