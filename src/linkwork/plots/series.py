"""Curves over time from a recording: few enough points to draw, by label, across changes of structure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from linkwork.errors import unknown_name
from linkwork.kernels.layout.kinds import CYLINDRICAL, FREE, KIND_NV, LENGTHS, PLANAR, QUATERNION, SPHERICAL
from linkwork.linkage.joint import Free
from linkwork.simulation.recording import Recording
from linkwork.simulation.segment import Segment

STATES = 4000  # drawn at most
LINES = 8  # in one plot, unless joints are named
ZERO = 1e-9  # what is less is zero, and has no panel of its own
RESTS = 1e-6  # of what varies most: what varies less is at rest, and not drawn beside it


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
    return Recording([segment for segment in segments if len(segment)], recording.events, recording.settings)


Pieces = dict[str, list[tuple[np.ndarray, np.ndarray]]]  # times and values by label, one pair per segment


class Panel(NamedTuple):
    """Curves that share a unit, and a note where some are left out."""

    unit: str
    lines: list[Line]
    note: str


def joint_panels(recording: Recording, what: str, joints: Iterable[str] | None) -> list[Panel]:
    """Curves of q, v, a or tau, by unit; orientations are rotation vectors, rad.

    Of many curves those that vary most are kept, unless joints are named.
    """
    pieces: Pieces = {}
    columns: dict[str, Column] = {}
    previous: dict[str, np.ndarray] = {}
    for segment in recording.segments:
        for column, values in _curves(segment, what, previous):
            columns[column.label] = column
            pieces.setdefault(column.label, []).append((segment.t, values))
    if what == "tau" and joints is None:
        pieces = {label: parts for label, parts in pieces.items() if any(np.any(y) for _, y in parts)}
    owners = {label: columns[label].joint for label in pieces}
    wanted = None if joints is None else list(joints)
    check_joints(wanted, {column.joint for column in columns.values()})
    made = []
    for unit in dict.fromkeys(columns[label].unit for label in pieces):
        lines, note = _lines({label: parts for label, parts in pieces.items() if columns[label].unit == unit},
                             owners, wanted)  # fmt: skip
        if lines:
            made.append(Panel(unit, lines, note))
    return made


def moving_panels(panels: list[Panel]) -> list[Panel]:
    """Those that are not zero all the time, or the first."""
    moving = [panel for panel in panels if any(np.nanmax(np.abs(line.y)) > ZERO for line in panel.lines)]
    return moving or panels[:1]


def check_joints(joints: Iterable[str] | None, known: Iterable[str]) -> None:
    """Raise for a name that is no joint."""
    names = sorted(known)
    for joint in joints or ():
        if joint not in names:
            raise unknown_name("joint", joint, names)


def rotation_vectors(quaternions: np.ndarray, previous: np.ndarray | None = None) -> np.ndarray:
    """(n, 3) rotation vectors, rad, of unit quaternions xyzw (n, 4), without jumps: whole turns are counted."""
    vector, w = quaternions[:, :3], quaternions[:, 3]
    sine = np.linalg.norm(vector, axis=1)
    angle = 2.0 * np.arctan2(sine, w)
    axis = vector / np.maximum(sine, 1e-12)[:, None]
    made = axis * angle[:, None]
    last = made[0] if previous is None else previous
    for k in range(len(made)):
        if sine[k] > 1e-9:
            turns = np.round((axis[k] @ last - angle[k]) / (2.0 * np.pi))
            made[k] += 2.0 * np.pi * turns * axis[k]
        else:  # no rotation, or whole turns about any axis
            length = max(float(np.linalg.norm(last)), 1e-9)
            made[k] = last / length * np.round(length / (2.0 * np.pi)) * 2.0 * np.pi
        last = made[k]
    return made


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
    wanted = None if joints is None else list(joints)
    check_joints(wanted, pieces)
    return _lines(pieces, {name: name for name in pieces}, wanted)


class Column(NamedTuple):
    """One curve of a joint: its label, its joint and its unit."""

    label: str
    joint: str
    unit: str


UNITS = {"q": ("rad", "m"), "v": ("rad/s", "m/s"), "a": ("rad/s²", "m/s²"), "tau": ("N m", "N")}
LETTERS = {  # of turning and of sliding along x, y and z
    "q": (("rx", "ry", "rz"), ("x", "y", "z")), "v": (("wx", "wy", "wz"), ("vx", "vy", "vz")),
    "a": (("dwx", "dwy", "dwz"), ("ax", "ay", "az")), "tau": (("nx", "ny", "nz"), ("fx", "fy", "fz")),
}  # fmt: skip


def _parts(kind: int, what: str) -> list[str]:
    """Names of the components of a joint that has several."""
    turning, sliding = LETTERS[what]
    if kind == FREE:
        return [*sliding, *turning]
    if kind == SPHERICAL:
        return list(turning)
    if kind == PLANAR:
        return [*sliding[:2], {"q": "angle", "v": "w", "a": "dw", "tau": "n"}[what]]
    if kind == CYLINDRICAL:
        return ["slide", "turn"]
    return [f"[{k}]" for k in range(KIND_NV[kind])]


def _curves(segment: Segment, what: str, previous: dict[str, np.ndarray]) -> Iterator[tuple[Column, np.ndarray]]:
    """Every curve of a segment; `previous` holds where the rotation vectors of the segment before ended."""
    values, (turning, sliding) = getattr(segment, what), UNITS[what]
    for joint in (*segment.linkage.joints, *(segment.linkage.loops if what == "tau" else ())):
        kind = joint.type.code
        own = values[:, joint.q_slice if what == "q" else joint.v_slice]
        if what == "q" and QUATERNION[kind] >= 0 and len(own):
            at = int(QUATERNION[kind])
            turned = rotation_vectors(own[:, at : at + 4], previous.get(joint.name))
            previous[joint.name] = turned[-1]
            own = np.concatenate([own[:, :at], turned, own[:, at + 4 :]], axis=1)
        names = _parts(kind, what)
        for k in range(own.shape[1]):
            space = "" if names[k].startswith("[") else " "
            label = joint.name if own.shape[1] == 1 else f"{joint.name}{space}{names[k]}"
            yield Column(label, joint.name, sliding if k < LENGTHS[kind] else turning), own[:, k]


def _lines(pieces: Pieces, owners: dict[str, str], joints: list[str] | None) -> tuple[list[Line], str]:
    """Curves of these joints, or of all that move the few that vary most; and a note on how many are left out."""
    shown = [label for label in pieces if joints is None or owners[label] in joints]
    note = ""
    if joints is None:
        spread = {label: _spread(pieces[label]) for label in shown}
        rests = RESTS * max(spread.values(), default=0.0)
        moving = [label for label in shown if spread[label] > rests] or shown
        most = sorted(moving, key=lambda label: -spread[label])[:LINES]
        if len(moving) > LINES:
            note = f"{LINES} of {len(shown)}"
        shown = [label for label in shown if label in most]
    return [_line(label, pieces[label]) for label in shown], note


def _spread(pieces: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """How much a curve varies."""
    values = np.concatenate([y for _, y in pieces])
    values = values[np.isfinite(values)]
    return float(np.ptp(values)) if len(values) else 0.0


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
