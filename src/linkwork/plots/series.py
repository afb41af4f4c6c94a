"""Curves over time from a recording: few enough points to draw, by label, across changes of structure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linkwork.errors import unknown_name
from linkwork.kernels.layout.kinds import LENGTHS
from linkwork.linkage.joint import Free
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.recording import Recording

STATES = 4000  # drawn at most
LINES = 8  # in one plot, unless joints are named


class Line(NamedTuple):
    """One labelled curve."""

    label: str
    x: np.ndarray
    y: np.ndarray


def thinned(recording: Recording, states: int = STATES) -> Recording:
    """The recording with at most this many states; the ends of segments are kept."""
    step = max(1, -(-len(recording) // states))
    segments = []
    for segment in recording.segments:
        keep = np.union1d(np.arange(0, len(segment), step), [max(len(segment) - 1, 0)]) if len(segment) else []
        segments.append(segment.of(segment.rows[np.array(keep, dtype=np.int64)]))
    return Recording([segment for segment in segments if len(segment)], recording.events)


Pieces = dict[str, list[tuple[np.ndarray, np.ndarray]]]  # times and values by label, one pair per segment


def joint_lines(recording: Recording, what: str, joints: Iterable[str] | None) -> tuple[list[Line], str, str]:
    """Curves of q, v, a or tau; their units; and a note where some are left out."""
    pieces: Pieces = {}
    columns: dict[str, Column] = {}
    for segment in recording.segments:
        values = getattr(segment, what)
        for place, column in enumerate(_columns(segment.linkage, what)):
            columns[column.label] = column
            pieces.setdefault(column.label, []).append((segment.t, values[:, place]))
    if what == "tau" and joints is None:
        pieces = {label: parts for label, parts in pieces.items() if any(np.any(y) for _, y in parts)}
    lines, note = _lines(pieces, {label: column.joint for label, column in columns.items()}, joints)
    units = {columns[line.label].unit for line in lines} - {""}
    return lines, ", ".join(sorted(units, reverse=True)), note


def reaction_lines(recording: Recording, joints: Iterable[str] | None) -> tuple[list[Line], str]:
    """Curves of the force in each joint, N, loop joints first; and a note where some are left out.

    Free joints bear nothing, and are drawn only where they are named.
    """
    pieces: Pieces = {}
    named = None if joints is None else set(joints)
    for segment in recording.segments:
        loops = [(name, segment.loop_wrenches[:, k]) for k, name in enumerate(segment.linkage.loops.names)]
        tree = [(joint.name, segment.wrenches[:, k]) for k, joint in enumerate(segment.linkage.joints)
                if not isinstance(joint.type, Free) or (named and joint.name in named)]  # fmt: skip
        for name, wrench in loops + tree:
            pieces.setdefault(name, []).append((segment.t, np.linalg.norm(wrench[:, :3], axis=-1)))
    return _lines(pieces, {name: name for name in pieces}, joints)


class Column(NamedTuple):
    """A column of q, v, a or tau: its label, its joint and its unit."""

    label: str
    joint: str
    unit: str


def _columns(linkage: Linkage, what: str) -> list[Column]:
    turning, sliding = {"q": ("rad", "m"), "v": ("rad/s", "m/s"), "a": ("rad/s²", "m/s²"), "tau": ("N m", "N")}[what]
    found = []
    joints = [*linkage.joints, *(linkage.loops if what == "tau" else ())]
    for joint in joints:
        count, slides = (joint.nq if what == "q" else joint.nv), LENGTHS[joint.type.code]
        is_quaternion = what == "q" and joint.nq != joint.nv
        for k in range(count):
            unit = sliding if k < slides else "" if is_quaternion else turning
            found.append(Column(joint.name if count == 1 else f"{joint.name}[{k}]", joint.name, unit))
    return found


def _lines(pieces: Pieces, owners: dict[str, str], joints: Iterable[str] | None) -> tuple[list[Line], str]:
    """Curves of these joints, or of a few of all, evenly chosen; and a note on how many are left out."""
    found = list(pieces)
    if joints is None:
        places = np.linspace(0, len(found) - 1, min(len(found), LINES)).round().astype(int)
        shown = [found[k] for k in places]
    else:
        wanted = list(joints)
        for joint in wanted:
            if joint not in owners.values():
                raise unknown_name("joint", joint, list(dict.fromkeys(owners.values())))
        shown = [label for label in found if owners[label] in wanted]
    note = f"{len(shown)} of {len(found)}" if joints is None and len(shown) < len(found) else ""
    return [_line(label, pieces[label]) for label in shown], note


def _line(label: str, pieces: list[tuple[np.ndarray, np.ndarray]]) -> Line:
    """One curve, with a gap wherever its joint was not there."""
    xs, ys, gap = [], [], np.array([np.nan])
    for x, y in pieces:
        if xs and x[0] > xs[-1][-1] + 1e-9:
            xs.append(gap)
            ys.append(gap)
        xs.append(x)
        ys.append(y)
    return Line(label, np.concatenate(xs), np.concatenate(ys))
