"""Numbers over time, taken from a recording: few enough to draw, by label, through changes of structure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linkwork.errors import unknown_name
from linkwork.linkage.joint import CYLINDRICAL, FREE, PLANAR, PRISMATIC
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.recording import Recording, Segment, labels

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
        segments.append(Segment(segment.linkage, segment.rows[np.array(keep, dtype=np.int64)]))
    return Recording([segment for segment in segments if len(segment)], recording.events)


def joint_lines(recording: Recording, what: str, joints: Iterable[str] | None) -> tuple[list[Line], str]:
    """Curves of q, v, a or tau; and what to say where some are left out."""
    pieces: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    owners: dict[str, str] = {}
    for segment in recording.segments:
        values = getattr(segment, what)
        names = _owners(segment.linkage, what)
        for column, label in enumerate(labels(segment.linkage, what, bare=True)):
            owners[label] = names[column]
            pieces.setdefault(label, []).append((segment.t, values[:, column]))
    shown = _choose(list(pieces), owners, joints)
    if what == "tau" and joints is None:
        acting = [label for label in pieces if any(np.any(y) for _, y in pieces[label])]
        shown = _choose(acting, owners, None)
        pieces = {label: pieces[label] for label in acting}
    return [_line(label, pieces[label]) for label in shown], _left_out(len(shown), len(pieces))


def reaction_lines(recording: Recording, joints: Iterable[str] | None) -> tuple[list[Line], str]:
    """Curves of the force in each tree joint, N."""
    pieces: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for segment in recording.segments:
        size = np.linalg.norm(segment.wrenches[..., :3], axis=-1)
        for column, name in enumerate(segment.linkage.columns.joint_names):
            pieces.setdefault(name, []).append((segment.t, size[:, column]))
    shown = _choose(list(pieces), {name: name for name in pieces}, joints)
    return [_line(label, pieces[label]) for label in shown], _left_out(len(shown), len(pieces))


def units(linkage: Linkage, what: str) -> str:
    """The unit of q, v, a or tau, or both where joints of both kinds are there."""
    sliding = np.isin(linkage.columns.code, (PRISMATIC, CYLINDRICAL, PLANAR, FREE))
    turning = ~np.isin(linkage.columns.code, (PRISMATIC,))
    pairs = {"q": ("rad", "m"), "v": ("rad/s", "m/s"), "a": ("rad/s²", "m/s²"), "tau": ("N m", "N")}[what]
    return ", ".join(unit for unit, there in zip(pairs, (turning.any(), sliding.any()), strict=True) if there)


def _owners(linkage: Linkage, what: str) -> list[str]:
    names = []
    for joint in linkage.joints:
        names += [joint.name] * (joint.nq if what == "q" else joint.nv)
    if what == "tau":
        for loop in linkage.loops:
            names += [loop.name] * loop.nv
    return names


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


def _left_out(shown: int, total: int) -> str:
    return f"{shown} of {total}" if shown < total else ""


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
