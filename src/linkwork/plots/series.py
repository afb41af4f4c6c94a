"""Numbers over time, taken from a recording: few enough to draw, by label, through changes of structure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linkwork.errors import unknown_name
from linkwork.kernels.layout.kinds import LENGTHS
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.recording import Recording

STATES = 4000  # that are drawn, at most
LINES = 8  # in one plot, unless joints are named


class Line(NamedTuple):
    """One labelled curve."""

    label: str
    x: np.ndarray
    y: np.ndarray


def thinned(recording: Recording, states: int = STATES) -> Recording:
    """The recording with so many states at most; ends of segments are kept."""
    step = max(1, -(-len(recording) // states))
    segments = []
    for segment in recording.segments:
        keep = np.union1d(np.arange(0, len(segment), step), [max(len(segment) - 1, 0)]) if len(segment) else []
        segments.append(segment.of(segment.rows[np.array(keep, dtype=np.int64)]))
    return Recording([segment for segment in segments if len(segment)], recording.events)


def joint_lines(recording: Recording, what: str, joints: Iterable[str] | None) -> tuple[list[Line], str, str]:
    """Curves of q, v, a or tau; their units; and what to say where some are left out."""
    pieces: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    columns: dict[str, Column] = {}
    for segment in recording.segments:
        values = getattr(segment, what)
        for place, (label, column) in enumerate(_columns(segment.linkage, what)):
            columns[label] = column
            pieces.setdefault(label, []).append((segment.t, values[:, place]))
    found = list(pieces)
    if what == "tau" and joints is None:
        found = [label for label in found if any(np.any(y) for _, y in pieces[label])]
    shown = _choose(found, {label: column.joint for label, column in columns.items()}, joints)
    units = ", ".join(sorted({columns[label].unit for label in shown} - {""}, reverse=True))
    return [_line(label, pieces[label]) for label in shown], units, _left_out(len(shown), len(found), joints)


def reaction_lines(recording: Recording, joints: Iterable[str] | None) -> tuple[list[Line], str]:
    """Curves of the force in each tree joint, N."""
    pieces: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for segment in recording.segments:
        size = np.linalg.norm(segment.wrenches[..., :3], axis=-1)
        for column, name in enumerate(segment.linkage.columns.joint_names):
            pieces.setdefault(name, []).append((segment.t, size[:, column]))
    shown = _choose(list(pieces), {name: name for name in pieces}, joints)
    return [_line(label, pieces[label]) for label in shown], _left_out(len(shown), len(pieces), joints)


class Column(NamedTuple):
    """Whose column of q, v, a or tau it is, and its unit."""

    joint: str
    unit: str


def _columns(linkage: Linkage, what: str) -> list[tuple[str, Column]]:
    """Label, joint and unit of each column."""
    turning, sliding = {"q": ("rad", "m"), "v": ("rad/s", "m/s"), "a": ("rad/s²", "m/s²"), "tau": ("N m", "N")}[what]
    found = []
    joints = [*linkage.joints, *(linkage.loops if what == "tau" else ())]
    for joint in joints:
        count, slides = (joint.nq if what == "q" else joint.nv), LENGTHS[joint.type.code]
        is_quaternion = what == "q" and joint.nq != joint.nv
        for k in range(count):
            unit = sliding if k < slides else "" if is_quaternion else turning
            found.append((joint.name if count == 1 else f"{joint.name}[{k}]", Column(joint.name, unit)))
    return found


def _choose(found: list[str], owners: dict[str, str], joints: Iterable[str] | None) -> list[str]:
    """Labels of these joints; or a few of all, evenly."""
    if joints is None:
        places = np.unique(np.linspace(0, len(found) - 1, min(len(found), LINES)).round().astype(int)) if found else []
        return [found[place] for place in places]
    wanted = list(joints)
    for joint in wanted:
        if joint not in owners.values():
            raise unknown_name("joint", joint, list(dict.fromkeys(owners.values())))
    return [label for label in found if owners[label] in wanted]


def _left_out(shown: int, total: int, joints: Iterable[str] | None) -> str:
    return f"{shown} of {total}" if shown < total and joints is None else ""


def _line(label: str, pieces: list[tuple[np.ndarray, np.ndarray]]) -> Line:
    """One curve, with a gap wherever the label was not there."""
    gap = np.array([np.nan])
    xs, ys = [], []
    for x, y in pieces:
        if xs and x[0] > xs[-1][-1] + 1e-9:
            xs.append(gap)
            ys.append(gap)
        xs.append(x)
        ys.append(y)
    return Line(label, np.concatenate(xs), np.concatenate(ys))
