"""Pictures of a motion on paper: the linkage at a few times, with paths, forces, ground and triad."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError, unknown_name
from linkwork.plots.adaptive import Activity
from linkwork.plots.forces import KINDS, arrow_ends, forces_of, reference_force
from linkwork.plots.framing import Bounds, recording_bounds, round_length
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
TRIAD, TRIAD_AT = 12.0, np.array([19.0, 19.0])  # points: length of its arrows, and from the corner to its middle


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
        if self.activity is not None:  # what pushes belongs to the picture
            ends = [self.view(self._arrow_ends(few.segments[0], row)["applied"]) for row in range(len(few))]
            ends = np.concatenate([each.reshape(-1, 2) for each in ends] + [self.low[None], self.high[None]])
            self.low, self.high = ends.min(axis=0), ends.max(axis=0)
        self.aspect = float(np.divide(*self.extent))
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

    @property
    def cell(self) -> float:
        """Edge of the cells of the grid, of a round length, m."""
        return round_length(self.bounds.size / 6.0)

    def _ground(self, axes: Any) -> None:
        """A grid below the motion; behind it, where that is seen from the side."""
        from matplotlib.collections import LineCollection

        if any(self.view.names):
            ticks = [np.arange(np.ceil(low / self.cell), high / self.cell) * self.cell
                     for low, high in zip(self.low, self.high, strict=True)]  # fmt: skip
            lines = [[(t, self.low[1]), (t, self.high[1])] for t in ticks[0]]
            lines += [[(self.low[0], t), (self.high[0], t)] for t in ticks[1]]
        else:
            ticks = np.arange(-10, 11) * self.cell
            middle = np.array([*np.round(self.bounds.middle[:2] / self.cell) * self.cell, self.bounds.low[2]])
            rows = [[(t, ticks[0], 0.0), (t, ticks[-1], 0.0)] for t in ticks]
            rows += [[(ticks[0], t, 0.0), (ticks[-1], t, 0.0)] for t in ticks]
            lines = self.view(middle + np.array(rows))
        axes.add_collection(LineCollection(list(lines), colors="#e3e7ec", linewidths=0.6, zorder=0), autolim=False)

    def triad(self, axes: Any) -> None:
        """The world's axes, in a corner that is free."""
        from matplotlib.patches import FancyArrowPatch
        from matplotlib.patheffects import withStroke
        from matplotlib.transforms import Affine2D, ScaledTranslation

        halo = {"path_effects": [withStroke(linewidth=2.5, foreground="white")], "clip_on": False, "zorder": 6}
        points = Affine2D().scale(1.0 / 72.0) + axes.figure.dpi_scale_trans
        inside = points + ScaledTranslation(self._free_corner[0], self._free_corner[1], axes.transAxes)
        middle = TRIAD_AT * (1.0 - 2.0 * self._free_corner)
        for k, letter in enumerate("xyz"):
            step, color = self.view(np.eye(3)[k]), ("#c23b3b", "#3a8f4d", "#3b63c2")[k]
            if np.linalg.norm(step) > 0.2:
                start = middle - 0.4 * TRIAD
                axes.add_artist(FancyArrowPatch(tuple(start), tuple(start + TRIAD * step), arrowstyle="-|>",
                                                mutation_scale=6, lw=1.0, color=color, shrinkA=0, shrinkB=0,
                                                transform=inside, **halo))  # fmt: skip
                axes.text(*(start + (TRIAD + 5.0) * step), letter, color=color, ha="center", va="center", fontsize=7.5,
                          transform=inside, **halo)  # fmt: skip

    @property
    def extent(self) -> np.ndarray:
        """(2,) width and height of the picture, m."""
        return self.high - self.low

    @cached_property
    def _free_corner(self) -> np.ndarray:
        """The corner of the picture, (0, 0) … (1, 1), that has the least in it at the start."""
        segment, corners = self.segments[0], np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
        steps = np.array([(x, y) for x in (0.04, 0.12, 0.2) for y in (0.05, 0.15, 0.25)])
        spots = corners[:, None] + steps * (1.0 - 2.0 * corners[:, None])  # (4, 9, 2)
        if self._painters:
            shapes = (self._painters[id(segment)].polygons(segment.q[0], self.view)[0] - self.low) / self.extent
            sides = np.roll(shapes, -1, axis=1) - shapes  # of triangles, counted anticlockwise
            away = spots.reshape(-1, 1, 1, 2) - shapes
            is_in = (sides[..., 0] * away[..., 1] - sides[..., 1] * away[..., 0] >= 0.0).all(axis=-1)
            taken = is_in.any(axis=1).reshape(4, -1).sum(axis=1)
        else:
            points = (self.view(self.looks[0].sticks.lines(segment.q[0])).reshape(-1, 2) - self.low) / self.extent
            taken = [int((np.abs(points - corner).max(axis=1) < 0.25).sum()) for corner in corners]
        return corners[int(np.argmin(taken))]

    def _sticks(self, axes: Any, segment: Segment, sticks: Sticks, row: int) -> None:
        """Very many lines: among them it is hard to see what moves, so that has another colour."""
        lines = self.view(sticks.lines(segment.q[row]))
        here = self._moved(segment, sticks, row) if self.tells_moved else np.zeros(len(lines), dtype=bool)
        color, width = ("#5b6773", 0.6) if self.tells_moved else (INK, 1.0)
        for which, options in (
            (~here, {"edgecolors": color, "linewidths": width, "zorder": 2}),
            (here, {"edgecolors": ACCENT, "linewidths": 0.8, "zorder": 3}),
        ):
            axes.add_collection(_one_path(lines[which], **options), autolim=False)

    def _moved(self, segment: Segment, sticks: Sticks, row: int) -> np.ndarray:
        """Which lines are no longer where they were at first."""
        lines, before = (self.view(sticks.lines(segment.q[k])) for k in (row, 0))
        return np.abs(lines - before).max(axis=(-2, -1)) > 0.002 * self.extent.max()

    @cached_property
    def tells_moved(self) -> bool:
        """Whether what moves of very many bodies has a colour of its own: most of them stay where they are."""
        return self.is_crowd and self._moved(self.segments[-1], self.looks[-1].sticks, -1).mean() < 0.5

    def _arrow_ends(self, segment: Segment, row: int) -> dict[str, np.ndarray]:
        """(n, 2, 3) both ends of the arrows of each kind of force; that of the weight is a fifth of the picture."""
        size = min(float(self.extent.max()), 2.0 * float(self.extent.min()))
        if self.activity is not None:
            poses = body_poses(segment.linkage, segment.q[row].copy())
            found = {"applied": self.activity.pushes(row, poses.positions, poses.rotations)}
            reference = self.activity.reference()
        elif self.is_crowd:
            return {}
        else:
            found, reference = forces_of(segment, row, self._forces), self._reference
        return {kind: arrow_ends(force, reference, size) for kind, force in found.items()}

    def _arrows(self, axes: Any, segment: Segment, row: int) -> None:
        size = float(self.extent.max())
        for kind, arrows in self._arrow_ends(segment, row).items():
            color = tuple(part / 255.0 for part in KINDS[kind][1])
            for a, b in self.view(arrows):
                share = float(np.linalg.norm(b - a)) / size
                if share > 0.012:
                    head = float(np.clip(80.0 * share, 2.0, 7.0))  # points: short arrows have small heads
                    axes.annotate("", b, a, annotation_clip=False, zorder=5,
                                  arrowprops={"arrowstyle": "-|>", "color": color, "lw": 0.5 + 0.1 * head,
                                              "mutation_scale": head, "shrinkA": 0, "shrinkB": 0})  # fmt: skip


def _box(bounds: Bounds) -> np.ndarray:
    """(8, 3) the corners of a box."""
    return np.array([[x, y, z] for x in (bounds.low[0], bounds.high[0]) for y in (bounds.low[1], bounds.high[1])
                     for z in (bounds.low[2], bounds.high[2])])  # fmt: skip


def _one_path(lines: np.ndarray, **options: Any) -> Any:
    """Lines (n, 2, 2) as one path, which is drawn in a fraction of the time that n paths take."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    path = Path(lines.reshape(-1, 2), np.tile([Path.MOVETO, Path.LINETO], len(lines)))
    return PathCollection([path] if len(lines) else [], facecolors="none", **options)
