"""Pictures of a motion on paper: the linkage at a few times, with paths, forces, ground and triad."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.plots.adaptive import Activity
from linkwork.plots.forces import KINDS, arrow_ends, forces_of, reference_force
from linkwork.plots.framing import Bounds, recording_bounds
from linkwork.plots.looks import MANY, Looks
from linkwork.plots.painter import Painter
from linkwork.plots.series import thinned
from linkwork.plots.sticks import Sticks, View, named_view, view_of
from linkwork.plots.surfaces import draw_surfaces
from linkwork.simulation.recording import Recording
from linkwork.simulation.segment import Segment

INK, FAINT, ACCENT = "#1f2933", "#9aa5b1", "#d64545"
STATES = 600  # looked at
PATHS = 4  # of ends, unless traces are named


class Trace(NamedTuple):
    """A point of a body or frame whose path is drawn."""

    label: str
    name: str
    point: np.ndarray

    @staticmethod
    def read(text: str) -> Trace:
        """From a text such as "coupler" or "coupler@0.3,0,0.1"."""
        name, at, numbers = text.partition("@")
        try:
            point = np.array([float(part) for part in numbers.split(",")]) if at else np.zeros(3)
        except ValueError:
            point = np.empty(0)
        if point.shape != (3,) or not np.isfinite(point).all():
            raise ArgumentError(f"a trace is a body or frame, and a point in it: coupler@0.3,0,0.1, not {text!r}")
        return Trace(text, name, point)

    def path(self, segment: Segment) -> np.ndarray | None:
        """(n, 3) where the point is in each state; None where there is no such body."""
        linkage = segment.linkage
        if self.name not in linkage.bodies and self.name not in linkage.frames:
            return None
        track = Recording([segment])[self.name]
        return track.position + np.einsum("nij,j->ni", track.rotation, self.point)


def default_traces(segment: Segment, sticks: Sticks) -> list[Trace]:
    """Free ends; in a closed linkage its frames, else the middle of what is between its loops."""
    linkage, names = segment.linkage, segment.linkage.bodies.names
    if sticks.tips:
        return [Trace(names[end.body], names[end.body], end.point) for end in sticks.tips]
    if len(linkage.frames):
        return [Trace(frame.name, frame.name, np.zeros(3)) for frame in linkage.frames][:PATHS]
    columns = linkage.columns
    if linkage.nb == 1:
        return [Trace(names[0], names[0], columns.com[0])]
    grounded = {body for record in linkage._loops.records for body in (record.a, record.b)
                if -1 in (record.a, record.b)}  # fmt: skip
    between = [body for body in range(linkage.nb) if columns.parent[body] >= 0 and body not in grounded]
    return [Trace(names[body], names[body], columns.com[body]) for body in between[:PATHS]]


class Motion:
    """Pictures of a recording in one view.

    Parameters
    ----------
    recording : Recording
    traces : iterable of str, optional
        Points whose paths are drawn.
    view : str, optional
        See `named_view`; default: across the plane of the motion where there is one, else from the side and above.
    forces : bool
        Whether forces of joints and loop joints are drawn; those of contacts always are.
    """

    def __init__(self, recording: Recording, traces: Iterable[str] | None = None, view: str | None = None,
                 forces: bool = False):  # fmt: skip
        few = thinned(recording, STATES)
        self.segments = few.segments
        self.looks = [Looks(segment.linkage) for segment in few.segments]
        self.is_crowd = few.segments[0].linkage.nb >= MANY
        self._painters = {} if self.is_crowd else {id(s): Painter(look) for s, look in
                                                   zip(few.segments, self.looks, strict=True)}  # fmt: skip
        self.bounds = recording_bounds(few, self.looks)
        self.view: View = named_view(view) if view else view_of(_box(self.bounds))
        self.traces = self._traces(traces)
        self._forces = ("contacts", "friction", "applied", *(("joints", "loops") if forces else ()))
        self._reference = max((reference_force(segment.linkage) for segment in few.segments), default=1.0)
        self.activity = Activity.of(few) if len(few.segments) == 1 else None
        flat = self.view(_box(self.bounds))
        low, high = flat.min(axis=0), flat.max(axis=0)
        size = 1.1 * np.maximum(high - low, 0.15 * max(float((high - low).max()), 1e-3))
        self.low, self.high = 0.5 * (low + high) - 0.5 * size, 0.5 * (low + high) + 0.5 * size
        self.aspect = size[0] / size[1]
        self.start, self.end = float(few.t[0]), float(few.t[-1])

    def _traces(self, given: Iterable[str] | None) -> list[list[tuple[Trace, np.ndarray]]]:
        """For each segment its traces with their paths."""
        found = []
        wanted = None if given is None else [Trace.read(text) for text in given]
        for segment, look in zip(self.segments, self.looks, strict=True):
            traces = default_traces(segment, look.sticks) if wanted is None else wanted
            if wanted is None and (self.is_crowd or len(traces) > PATHS):
                traces = []
            paths = [(trace, trace.path(segment)) for trace in traces]
            found.append([(trace, path) for trace, path in paths if path is not None])
        for trace in wanted or []:
            if not any(trace is each for part in found for each, _ in part):
                linkage = self.segments[0].linkage
                raise unknown_name("body or frame", trace.name, [*linkage.bodies.names, *linkage.frames.names])
        return found

    @property
    def has_path(self) -> bool:
        """Whether there are paths to draw."""
        return any(self.traces)

    def find(self, time: float) -> tuple[int, int]:
        """The segment and its row nearest to a time."""
        for k, segment in enumerate(self.segments):
            if time <= segment.t[-1] + 1e-9:
                return k, int(np.argmin(np.abs(segment.t - time)))
        return len(self.segments) - 1, len(self.segments[-1]) - 1

    def paint(self, axes: Any, time: float, since: float | None = None) -> None:
        """The linkage at a time, with the paths since another one."""
        place, row = self.find(time)
        segment = self.segments[place]
        axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]), aspect="equal")
        self._ground(axes)
        depth = float(self.bounds.middle @ np.abs(np.cross(*self.view.matrix.T)))
        draw_surfaces(axes, segment.linkage, self.view, depth, (self.low, self.high), time, FAINT)
        if self._painters:
            self._painters[id(segment)].paint(axes, segment.q[row], self.view)
        else:
            self._sticks(axes, segment, self.looks[place].sticks, row)
        if since is not None:
            self.paths(axes, since, time)
        self._arrows(axes, segment, row)

    def paths(self, axes: Any, since: float, until: float, **line: Any) -> None:
        """The paths between two times."""
        for segment, traces in zip(self.segments, self.traces, strict=True):
            now = (segment.t >= since - 1e-9) & (segment.t <= until + 1e-9)
            if now.sum() > 1:
                for _, path in traces:
                    style = {"color": ACCENT, "linewidth": 1.0, "alpha": 0.75, "zorder": 3} | line
                    axes.plot(*self.view(path[now]).T, **style)

    def _ground(self, axes: Any) -> None:
        """A grid below the motion, seen from above; a line, seen from the side."""
        from matplotlib.collections import LineCollection

        level, size = self.bounds.low[2], self.bounds.size
        if not any(self.view.names):
            cell = size / 8.0
            ticks = np.arange(-8, 9) * cell
            middle = np.array([*np.round(self.bounds.middle[:2] / cell) * cell, level])
            rows = [[(t, ticks[0], 0.0), (t, ticks[-1], 0.0)] for t in ticks]
            rows += [[(ticks[0], t, 0.0), (ticks[-1], t, 0.0)] for t in ticks]
            lines = self.view(middle + np.array(rows))
            axes.add_collection(LineCollection(list(lines), colors="#e3e7ec", linewidths=0.6, zorder=0))

    def triad(self, axes: Any) -> None:
        """The world's axes, in the lower left corner."""
        size = 0.07 * float((self.high - self.low).max())
        origin = self.low + 1.3 * size * np.array([1.0, 1.0])
        for k, letter in enumerate("xyz"):
            step = self.view(np.eye(3)[k]) * size
            if np.linalg.norm(step) > 0.2 * size:
                color = ("#c23b3b", "#3a8f4d", "#3b63c2")[k]
                arrow = {"arrowstyle": "-|>", "color": color, "lw": 0.9, "mutation_scale": 6}
                axes.annotate("", origin + step, origin, annotation_clip=False, zorder=6, arrowprops=arrow)
                at = origin + 1.35 * step
                axes.text(*at, letter, color=color, fontsize=6.5, ha="center", va="center", zorder=6)

    def _sticks(self, axes: Any, segment: Segment, sticks: Sticks, row: int) -> None:
        """Very many lines: among them it is hard to see what moves, so that has another colour."""
        from matplotlib.collections import LineCollection

        lines = self.view(sticks.lines(segment.q[row]))
        moved = np.abs(lines - self.view(sticks.lines(segment.q[0]))).max(axis=(-2, -1))
        here = moved > 0.003 * (self.high - self.low).max()
        axes.add_collection(LineCollection(list(lines[~here]), colors="#5b6773", linewidths=0.6, zorder=2))
        axes.add_collection(LineCollection(list(lines[here]), colors=ACCENT, linewidths=0.8, zorder=3))

    def _arrows(self, axes: Any, segment: Segment, row: int) -> None:
        """Forces: the weight is a fifth of the picture."""
        size = float((self.high - self.low).max())
        if self.activity is not None:
            from linkwork.dynamics.kinematics import body_poses

            poses = body_poses(segment.linkage, segment.q[row].copy())
            found = {"applied": self.activity.pushes(row, poses.positions, poses.rotations)}
            reference = self.activity.reference()
        elif self.is_crowd:
            return
        else:
            found, reference = forces_of(segment, row, self._forces), self._reference
        for kind, force in found.items():
            color = tuple(part / 255.0 for part in KINDS[kind][1])
            for a, b in self.view(arrow_ends(force, reference, size)):
                if np.linalg.norm(b - a) > 0.012 * size:
                    axes.annotate("", b, a, annotation_clip=False, zorder=5,
                                  arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.2, "mutation_scale": 7,
                                              "shrinkA": 0, "shrinkB": 0})  # fmt: skip


def _box(bounds: Bounds) -> np.ndarray:
    """(8, 3) the corners of a box."""
    return np.array([[x, y, z] for x in (bounds.low[0], bounds.high[0]) for y in (bounds.low[1], bounds.high[1])
                     for z in (bounds.low[2], bounds.high[2])])  # fmt: skip
