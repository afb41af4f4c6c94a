"""The plots: each draws one recording into one part of a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from linkwork.plots.series import Line, joint_lines, reaction_lines, thinned
from linkwork.plots.solids import Outline, Solids
from linkwork.plots.sticks import Sticks, View, view_of
from linkwork.plots.surfaces import draw_surfaces
from linkwork.simulation.recording import Recording, Segment

WIDTH = 9.0  # inches, of every figure
PAIRS = 4  # of shapes, whose forces are drawn
MANY = 100  # lines from which on a stick figure is drawn without joints and paths
INK, FAINT, ACCENT = "#1f2933", "#9aa5b1", "#d64545"


class Plot(NamedTuple):
    """A function that draws into axes (where `panels`, into a part of the figure), its height and a description."""

    draw: Callable[[Any, Recording, list[str] | None], None]
    height: float | Callable[[Recording], float]
    about: str
    panels: bool = False


# Curves over time


def _over_time(axes, recording: Recording, lines: list[Line], title: str, label: str, note: str = "") -> None:
    for line in lines:
        axes.plot(line.x, line.y, label=line.label)
    axes.set(xlabel="time (s)", ylabel=label)
    _title(axes, title, note)
    _mark_events(axes, recording)
    axes.set_xlim(recording.t[0], recording.t[-1])
    if lines:
        _legend(axes)
    else:
        axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center", color=FAINT)
        axes.set_yticks([])


def _legend(axes) -> None:
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _mark_events(axes, recording: Recording) -> None:
    if len(recording.events) <= 40:
        for time in {round(event.time, 9) for event in recording.events}:
            axes.axvline(time, color=FAINT, linewidth=0.8, linestyle=":")


def _title(axes, title: str, note: str = "") -> None:
    axes.set_title(title, loc="left")
    if note:
        axes.set_title(f"({note} shown)", loc="right", color=FAINT, fontsize="small")


def _joints(what: str, title: str, label: str) -> Callable:
    def draw(axes, recording: Recording, joints: list[str] | None) -> None:
        lines, units, note = joint_lines(thinned(recording), what, joints)
        _over_time(axes, recording, lines, title, f"{label} ({units})" if units else label, note)

    return draw


def reactions(axes, recording: Recording, joints: list[str] | None) -> None:
    """Size of the force in each joint."""
    states = max(100, min(20_000, 2_000_000 // recording.segments[0].linkage.nb))  # a peak may be one state wide
    lines, note = reaction_lines(thinned(recording, states), joints)
    _over_time(axes, recording, lines, "Reaction forces", "force (N)", note)


def contacts(axes, recording: Recording, joints: list[str] | None) -> None:
    """Normal and friction force at every contact."""
    lines = []
    for segment in thinned(recording, 20_000).segments:
        for column, name in enumerate(segment.linkage.contacts.names):
            lines.append(Line(f"{name}, normal", segment.t, segment.normal_forces[:, column]))
            friction = np.linalg.norm(segment.friction_forces[:, column], axis=-1)
            lines.append(Line(f"{name}, friction", segment.t, friction))
        if segment.step and len(segment.linkage.shapes):
            lines += _touching(segment)
    _over_time(axes, recording, lines, "Contact forces", "force (N)")


def _touching(segment: Segment) -> list[Line]:
    """Normal force and friction of the pairs of shapes that press most."""
    found = segment.contacts
    most = np.argsort(-found.normal_forces.max(axis=0, initial=0.0))[:PAIRS]
    lines = []
    for k in np.sort(most):
        name = f"{found.names[k][1]} on {found.names[k][0]}"
        friction = np.linalg.norm(found.friction_forces[:, k], axis=-1)
        lines.append(Line(f"{name}, normal", found.t, found.normal_forces[:, k]))
        lines.append(Line(f"{name}, friction", found.t, friction))
    return lines


def energies(axes, recording: Recording, joints: list[str] | None) -> None:
    """Kinetic, potential and total energy."""
    few = thinned(recording)
    lines = [Line("kinetic", few.t, few.kinetic), Line("potential", few.t, few.potential)]
    _over_time(axes, recording, [*lines, Line("total", few.t, few.energy)], "Energy", "energy (J)")
    axes.lines[2].set(color=INK, linewidth=1.8)
    _legend(axes)


def drift(axes, recording: Recording, joints: list[str] | None) -> None:
    """Change of the total energy since the start."""
    few = thinned(recording)
    _over_time(axes, recording, [Line("E − E(0)", few.t, few.energy - few.energy[0])], "Energy drift", "energy (J)")
    axes.ticklabel_format(axis="y", scilimits=(-2, 3))


def residuals(axes, recording: Recording, joints: list[str] | None) -> None:
    """How far each step was off loops, surfaces and drives before it was projected onto them."""
    few = thinned(recording)
    lines = [Line("coordinates", few.t, few.drift[:, 0]), Line("velocities", few.t, few.drift[:, 1])]
    lines = [line for line in lines if np.any(line.y)]
    shown = [Line(line.label, line.x, np.where(line.y > 0.0, line.y, np.nan)) for line in lines]
    _over_time(axes, recording, shown, "Residual of the constraints before each projection", "rad, m and per s")
    if shown:
        axes.set_yscale("log")


# Others


def phase(axes, recording: Recording, joints: list[str] | None) -> None:
    """Velocity against position of joints with one degree of freedom."""
    few = thinned(recording)
    at, at_units, note = joint_lines(few, "q", joints)
    moving, units, _ = joint_lines(few, "v", joints)
    speeds = {line.label: line for line in moving}
    for line in at:
        if line.label in speeds and "[" not in line.label:  # joints with one degree of freedom
            axes.plot(line.y, speeds[line.label].y, label=line.label, linewidth=1.0)
    axes.set(xlabel=f"q ({at_units})", ylabel=f"v ({units})")
    _title(axes, "Phase", note)
    _legend(axes)


def structure(axes, recording: Recording, joints: list[str] | None) -> None:
    """When each joint that came or went was present, and all events."""
    spans: dict[str, list[tuple[float, float]]] = {}
    for segment in recording.segments:
        if len(segment):
            for name in (*segment.linkage.joints.names, *segment.linkage.loops.names, *segment.linkage.contacts.names):
                spans.setdefault(name, []).append((segment.t[0], segment.t[-1] - segment.t[0]))
    start, end = recording.t[0], recording.t[-1]
    lasting = [name for name, each in spans.items() if sum(span for _, span in each) >= (end - start) * (1 - 1e-9)]
    rows = [name for name in spans if name not in lasting or (joints and name in joints)]
    for row, name in enumerate(rows):
        axes.broken_barh(spans[name], (row - 0.35, 0.7), color=f"C{row % 10}", alpha=0.45)
    axes.set_yticks(range(len(rows)), rows)
    axes.set(xlabel="time (s)", xlim=(start, end), ylim=(max(len(rows), 1) - 0.4, -0.6))
    _title(axes, f"Structure: {len(lasting)} joints throughout, and those that came or went" if rows else "Structure")
    if not rows:
        axes.text(0.5, 0.5, "no joint came or went", transform=axes.transAxes, ha="center", color=FAINT)
    for event in recording.events[:40]:
        axes.axvline(event.time, color=INK, linewidth=0.8)
        axes.annotate(event.what[:30], (event.time, 1.0), xycoords=("data", "axes fraction"), rotation=90, fontsize=7,
                      ha="right", va="top", color=INK)  # fmt: skip


# Pictures


class _Motion:
    """Pictures of a recording in one view: shapes where every body has one, else stick figures."""

    def __init__(self, recording: Recording, frames: int):
        few = thinned(recording, 600)
        self.segments = [(segment, Sticks(segment.linkage)) for segment in few.segments]
        solids = [Solids(segment.linkage) for segment in few.segments]
        whole = all(each.whole for each in solids)
        self._solids = dict(zip(map(id, few.segments), solids, strict=True)) if whole else {}
        every = [sticks.lines(segment.q[:: max(1, len(segment) // 60)]) for segment, sticks in self.segments]
        points = np.concatenate([lines.reshape(-1, 3) for lines in every])
        self.view: View = view_of(points)
        self.depth = float((points @ np.abs(np.cross(*self.view.matrix.T))).mean())
        flat = self.view(points)
        if self._solids:
            shapes = [shape for segment, _ in self.segments for q in segment.q[:: max(1, len(segment) // 20)]
                      for shape in self._solids[id(segment)].outlines(q, self.view)]  # fmt: skip
            flat = np.concatenate([shape.points for shape in shapes])
        self.low, self.high = flat.min(axis=0), flat.max(axis=0)
        middle, size = 0.5 * (self.low + self.high), np.maximum(self.high - self.low, 1e-3)
        size = 1.08 * np.maximum(size, 0.15 * size.max())
        self.low, self.high = middle - 0.5 * size, middle + 0.5 * size
        self.aspect = size[0] / size[1]
        self.has_path = not self._solids and any(0 < len(sticks.tips) <= 4 for _, sticks in self.segments)
        self.times = np.linspace(recording.t[0], recording.t[-1], frames)

    def at(self, time: float) -> tuple[Segment, Sticks, int]:
        """The segment, its sticks and its row nearest to a time."""
        for segment, sticks in self.segments:
            if time <= segment.t[-1] + 1e-9:
                return segment, sticks, int(np.argmin(np.abs(segment.t - time)))
        segment, sticks = self.segments[-1]
        return segment, sticks, len(segment) - 1

    def paint(self, axes, time: float, before: float) -> None:
        """The figure at a time, with the paths of its ends since `before`."""
        from matplotlib.collections import LineCollection

        segment, sticks, row = self.at(time)
        draw_surfaces(axes, segment.linkage, self.view, self.depth, (self.low, self.high), time, FAINT)
        axes.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]), aspect="equal")
        self._paint_forces(axes, segment, row)
        if self._solids:
            _paint_shapes(axes, self._solids[id(segment)].outlines(segment.q[row], self.view))
            return
        past = segment.q[(segment.t >= before) & (segment.t <= time + 1e-9)]
        if len(past) > 1 and len(sticks.tips) <= 4 and segment.linkage.nb < MANY:
            for path in np.moveaxis(self.view(sticks.traced(past)), -2, 0):
                axes.plot(*path.T, color=ACCENT, linewidth=0.9, alpha=0.6, zorder=1)
        lines = self.view(sticks.lines(segment.q[row]))
        if len(lines) < MANY:
            axes.add_collection(LineCollection(list(lines), colors=INK, linewidths=1.6, zorder=2))
            pins = self.view(sticks.pins(segment.q[row])).T
            axes.plot(*pins, "o", color=INK, markerfacecolor="white", markersize=4, zorder=3)
        else:
            # Among many lines it is hard to see what moves: it gets another colour.
            moved = np.abs(lines - self.view(sticks.lines(segment.q[0]))).max(axis=(-2, -1))
            here = moved > 0.003 * (self.high - self.low).max()
            axes.add_collection(LineCollection(list(lines[~here]), colors=INK, linewidths=0.7, zorder=2))
            axes.add_collection(LineCollection(list(lines[here]), colors=ACCENT, linewidths=0.9, zorder=3))


    def _paint_forces(self, axes, segment: Segment, row: int) -> None:
        """Points where shapes touch, and the forces there: the weight is a fifth of the picture, and twice it most."""
        if not (segment.step and len(segment.linkage.shapes)):
            return
        from linkwork.simulation.contact_tracks import forces_at

        points, forces = forces_at(segment, row)
        weight = float(segment.linkage.columns.mass.sum() * np.linalg.norm(segment.linkage.gravity)) or 1.0
        sizes = np.linalg.norm(forces, axis=1, keepdims=True) / weight
        if len(points):
            ends = points + forces / weight * (0.2 * float((self.high - self.low).max()) / np.maximum(1.0, 0.5 * sizes))
            for a, b in zip(self.view(points), self.view(ends), strict=True):
                axes.plot(*np.array([a, b]).T, color=ACCENT, linewidth=1.2, zorder=4)
            axes.plot(*self.view(points).T, "o", color=ACCENT, markersize=2.5, zorder=4)


def _paint_shapes(axes, shapes: list[Outline]) -> None:
    from matplotlib.collections import PolyCollection

    colors = [shape.color for shape in shapes]
    edges = [tuple(0.55 * part for part in color) for color in colors]
    points = [shape.points for shape in shapes]
    axes.add_collection(PolyCollection(points, facecolors=colors, edgecolors=edges, linewidths=0.5, zorder=2))


def _columns(aspect: float) -> int:
    return 8 if aspect < 0.7 else 4 if aspect < 3.0 else 2


def strip(part, recording: Recording, joints: list[str] | None) -> None:
    """Figures at eight times, each with the paths of the ends since the one before."""
    motion = _Motion(recording, 8)
    columns = _columns(motion.aspect)
    seen = {"xz": ", seen along y", "yz": ", seen along x", "xy": ", seen from above"}.get(
        "".join(motion.view.names), ""
    )
    is_crowd = motion.segments[0][0].linkage.nb >= MANY
    traced = "; red: the paths of its ends since the previous picture" if motion.has_path else ""
    traced = "; red: what has moved" if is_crowd else traced
    part.suptitle(f"Motion{seen}{traced}", x=0.01, ha="left", fontsize="small", color=INK)
    grid = part.subplots(8 // columns, columns, squeeze=False, gridspec_kw={"wspace": 0.03, "hspace": 0.03})
    for k, axes in enumerate(grid.flat):
        motion.paint(axes, motion.times[k], motion.times[max(k - 1, 0)])
        axes.set(xticks=[], yticks=[])
        axes.grid(visible=False)
        axes.set_title(f"{motion.times[k]:.3g} s", fontsize="small", color=INK)
        for side in axes.spines.values():
            side.set(visible=True, color="#d9dee4")


def _strip_height(recording: Recording) -> float:
    motion = _Motion(recording, 8)
    columns = _columns(motion.aspect)
    return (8 // columns) * (WIDTH / columns / motion.aspect + 0.25) + 0.2


def path(axes, recording: Recording, joints: list[str] | None) -> None:
    """Paths of the ends of the linkage, and the linkage at the end."""
    motion = _Motion(recording, 2)
    for segment, sticks in motion.segments:
        for k, line in enumerate(np.moveaxis(motion.view(sticks.traced(segment.q)), -2, 0)[:8]):
            axes.plot(*line.T, color=f"C{k}", linewidth=0.9)
    motion.paint(axes, motion.times[1], motion.times[1])
    across, up = motion.view.names
    axes.set(xlabel=f"{across} (m)" if across else "", ylabel=f"{up} (m)" if up else "")
    _title(axes, "Path of the ends")


PLOTS: dict[str, Plot] = {
    "strip": Plot(strip, _strip_height, "stick figures at eight times", panels=True),
    "path": Plot(path, 5.0, "paths of the ends"),
    "positions": Plot(_joints("q", "Positions", "q"), 2.4, "joint coordinates"),
    "velocities": Plot(_joints("v", "Velocities", "v"), 2.4, "joint velocities"),
    "accelerations": Plot(_joints("a", "Accelerations", "a"), 2.4, "joint accelerations"),
    "torques": Plot(_joints("tau", "Torques and forces", "tau"), 2.4, "torques and forces that act in joints"),
    "reactions": Plot(reactions, 2.4, "size of the force in each joint"),
    "contacts": Plot(contacts, 2.4, "normal and friction forces at surfaces and between shapes"),
    "energies": Plot(energies, 2.2, "kinetic, potential and total energy"),
    "drift": Plot(drift, 2.0, "change of the total energy"),
    "residuals": Plot(residuals, 2.2, "how far loops, surfaces and drives were off before each projection"),
    "phase": Plot(phase, 4.0, "velocity against position"),
    "structure": Plot(structure, 2.6, "joints that came and went, and all events"),
}
GROUPS = {"overview": ("strip", "positions", "energies")}


def expand(names: Iterable[str]) -> list[str]:
    """Names of single plots, groups taken apart."""
    return [single for name in names for single in GROUPS.get(name, (name,))]
