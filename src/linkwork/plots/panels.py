"""The plots: each draws one recording into one part of a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from linkwork.plots.adaptive import Activity, is_adaptive
from linkwork.plots.arrangement import CAPTION, HEADING, heading, picture_grid
from linkwork.plots.pictures import FAINT, INK, Motion
from linkwork.plots.series import Line, joint_panels, moving_panels, reaction_lines, thinned
from linkwork.simulation.recording import Recording, Segment

WIDTH = 9.0  # inches, of every figure
PAIRS = 4  # of shapes, whose forces are drawn
ROWS = 14  # of texts of events
PAPER = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.3}  # behind them


class Choice:
    """What the user chose: joints whose curves to draw, points to trace, and the view. Pictures are prepared once."""

    def __init__(self, joints: list[str] | None = None, traces: list[str] | None = None, view: str | None = None):
        self.joints, self.traces, self.view = joints, traces, view
        self._made: dict[bool, Motion] = {}

    def motion(self, recording: Recording, *, forces: bool = False) -> Motion:
        """The pictures of the recording."""
        if forces not in self._made:
            self._made[forces] = Motion(recording, self.traces, self.view, forces)
        return self._made[forces]


class Plot(NamedTuple):
    """A function that draws into axes (where `panels`, into a part of the figure), its height and a description."""

    draw: Callable[[Any, Recording, Any], None]
    height: float | Callable[[Recording, Any], float]
    about: str
    panels: bool = False
    split: str = ""  # q, v, a or tau: it becomes one plot for each unit


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


def _joints(what: str, title: str, label: str, unit: str) -> Callable:
    def draw(axes, recording: Recording, how: Choice) -> None:
        panels = joint_panels(thinned(recording), what, how.joints)
        panel = next((panel for panel in panels if panel.unit == unit), None)
        lines, note = (panel.lines, panel.note) if panel else ([], "")
        _over_time(axes, recording, lines, title, f"{label} ({unit})" if unit else label, note)

    return draw


def split(entry: Plot, recording: Recording, how: Choice) -> list[Plot]:
    """A plot as it is; curves of joints as one plot for each unit, metres and radians apart."""
    if not entry.split:
        return [entry]
    title, label = TITLES[entry.split]
    units = [panel.unit for panel in moving_panels(joint_panels(thinned(recording, 200), entry.split, how.joints))]
    return [entry._replace(draw=_joints(entry.split, title if k == 0 else "", label, unit), split="")
            for k, unit in enumerate(units or [""])]  # fmt: skip


def reactions(axes, recording: Recording, how: Choice) -> None:
    """Size of the force in each joint."""
    states = max(100, min(20_000, 2_000_000 // recording.segments[0].linkage.nb))  # a peak may be one state wide
    lines, note = reaction_lines(thinned(recording, states), how.joints)
    _over_time(axes, recording, lines, "Reaction forces", "force (N)", note)


def contacts(axes, recording: Recording, how: Choice) -> None:
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


def energies(axes, recording: Recording, how: Choice) -> None:
    """Kinetic, potential and total energy."""
    few = thinned(recording)
    kinetic, potential = few.kinetic, few.potential
    lines = [Line("kinetic", few.t, kinetic), Line("potential", few.t, potential)]
    _over_time(axes, recording, [*lines, Line("total", few.t, kinetic + potential)], "Energy", "energy (J)")
    axes.lines[2].set(color=INK, linewidth=1.8)
    _legend(axes)


def drift(axes, recording: Recording, how: Choice) -> None:
    """Change of the total energy since the start."""
    few = thinned(recording)
    _over_time(axes, recording, [Line("E − E(0)", few.t, few.energy - few.energy[0])], "Energy drift", "energy (J)")
    axes.ticklabel_format(axis="y", scilimits=(-2, 3))


def residuals(axes, recording: Recording, how: Choice) -> None:
    """How far each step was off loops, surfaces and drives before it was projected onto them."""
    few = thinned(recording)
    lines = [Line("coordinates", few.t, few.drift[:, 0]), Line("velocities", few.t, few.drift[:, 1])]
    lines = [line for line in lines if np.any(line.y)]
    shown = [Line(line.label, line.x, np.where(line.y > 0.0, line.y, np.nan)) for line in lines]
    _over_time(axes, recording, shown, "Residual of the constraints before each projection", "rad, m and per s")
    if shown:
        axes.set_yscale("log")


# Others


def phase(axes, recording: Recording, how: Choice) -> None:
    """Velocity against position of joints with one degree of freedom."""
    few = thinned(recording)
    moving = {line.label: line for panel in joint_panels(few, "v", how.joints) for line in panel.lines}
    panels = joint_panels(few, "q", how.joints)
    single = {joint.name for segment in few.segments for joint in segment.linkage.joints if joint.nv == 1}
    for panel in panels:
        for line in panel.lines:
            if line.label in moving and line.label in single:
                axes.plot(line.y, moving[line.label].y, label=line.label, linewidth=1.0)
    units = ", ".join(panel.unit for panel in panels)
    axes.set(xlabel=f"q ({units})", ylabel=f"v ({units} per s)")
    _title(axes, "Phase", panels[0].note if panels else "")
    if axes.lines:
        _legend(axes)


def structure(axes, recording: Recording, how: Choice) -> None:
    """When each joint that came or went was present, and all events."""
    spans: dict[str, list[tuple[float, float]]] = {}
    for segment in recording.segments:
        if len(segment):
            for name in (*segment.linkage.joints.names, *segment.linkage.loops.names, *segment.linkage.contacts.names):
                spans.setdefault(name, []).append((segment.t[0], segment.t[-1] - segment.t[0]))
    start, end = recording.t[0], recording.t[-1]
    lasting = [name for name, each in spans.items() if sum(span for _, span in each) >= (end - start) * (1 - 1e-9)]
    rows = [name for name in spans if name not in lasting or (how.joints and name in how.joints)]
    for row, name in enumerate(rows):
        axes.broken_barh(spans[name], (row - 0.35, 0.7), color=f"C{row % 10}", alpha=0.45)
    axes.set_yticks(range(len(rows)), rows)
    axes.set(xlabel="time (s)", xlim=(start, end), ylim=(max(len(rows), 1) - 0.4, -0.6))
    _title(axes, f"Structure: {len(lasting)} joints throughout, and those that came or went" if rows else "Structure")
    if not rows:
        axes.text(0.5, 0.5, "no joint came or went", transform=axes.transAxes, ha="center", color=FAINT)
    _label_events(axes, recording)


def _label_events(axes, recording: Recording) -> None:
    """Events as lines, each with its text beside it, written in rows so that none covers another or is cut off."""
    start, end = recording.t[0], recording.t[-1]
    ends: list[float] = []  # of the texts in each row
    for event in recording.events[:40]:
        axes.axvline(event.time, color=INK, linewidth=0.8)
        text = event.what if len(event.what) <= 48 else event.what[:47] + "…"
        width = 0.0085 * len(text) * (end - start)
        left = event.time + width <= end
        begin = event.time if left else event.time - width
        row = next((k for k, last in enumerate(ends) if begin > last), len(ends))
        ends[row : row + 1] = [begin + width]
        if row < ROWS:
            axes.annotate(f" {text} ", (event.time, 1.0), xycoords=("data", "axes fraction"), fontsize=7, color=INK,
                          xytext=(0, -8.5 * row - 2), textcoords="offset points", ha="left" if left else "right",
                          va="top", bbox=PAPER)  # fmt: skip


# Pictures


def _columns(aspect: float) -> int:
    return 8 if aspect < 0.7 else 4 if aspect < 3.0 else 2


def _strip(part, motion: Motion, title: str) -> None:
    """Figures at eight times, each with the paths since the one before."""
    columns = _columns(motion.aspect)
    times = np.linspace(motion.start, motion.end, 8)
    seen = {"xz": ", seen along y", "yz": ", seen along x", "xy": ", seen from above"}.get(
        "".join(motion.view.names), ""
    )
    traced = "; red: paths since the previous picture" if motion.has_path else ""
    traced = "; red: what has moved" if motion.tells_moved else traced
    heading(part, f"{title}{seen}; cells of {motion.cell:g} m{traced}", fontsize="small", color=INK)
    grid = picture_grid(part, 8 // columns, columns)
    for k, axes in enumerate(grid.flat):
        motion.paint(axes, times[k], times[max(k - 1, 0)])
        for line in (axes.xaxis, axes.yaxis, *axes.spines.values()):  # each takes time to lay out
            line.set_visible(False)
        axes.patch.set(edgecolor="#d9dee4", linewidth=0.8, clip_on=False)
        axes.set_title(f"{times[k]:.3g} s", fontsize="small", color=INK)
    motion.triad(grid.flat[0])


def strip(part, recording: Recording, how: Choice) -> None:
    """Pictures at eight times."""
    _strip(part, how.motion(recording), "Motion")


def forces(part, recording: Recording, how: Choice) -> None:
    """Pictures at eight times with the forces of joints, loop joints and contacts."""
    motion = how.motion(recording, forces=True)
    colors = {"joints": "blue", "loop joints": "green", "contacts": "red"}
    _strip(part, motion, "Forces in " + ", ".join(f"{what} {color}" for what, color in colors.items()))


def _strip_height(recording: Recording, how: Choice) -> float:
    motion = how.motion(recording)
    columns = _columns(motion.aspect)
    return (8 // columns) * (WIDTH / columns / motion.aspect + CAPTION) + HEADING


def path(axes, recording: Recording, how: Choice) -> None:
    """Paths of points, and the linkage at the end."""
    motion = how.motion(recording)
    motion.paint(axes, motion.end)
    labels = dict.fromkeys(trace.label for part in motion.traces for trace, _ in part)
    for k, label in enumerate(labels):
        for part in motion.traces:
            for trace, points in part:
                if trace.label == label:
                    axes.plot(*motion.view(points).T, color=f"C{k}", linewidth=1.1, zorder=4, label=label)
                    label = "_" + label.lstrip("_")  # in the legend once
    across, up = motion.view.names
    axes.set(xlabel=f"{across} (m)" if across else "", ylabel=f"{up} (m)" if up else "")
    if not across:
        axes.set(xticks=[], yticks=[])
        motion.triad(axes)
    _title(axes, "Path of " + (", ".join(labels) if len(labels) <= 4 else f"{len(labels)} points"))
    if len(labels) > 1:
        _legend(axes)


def computed(axes, recording: Recording, how: Choice) -> None:
    """Joints that an adaptive run computed in a step, and those that moved."""
    activity = Activity.of(recording)
    if activity is None:
        lines = []
    else:
        lines = [Line("computed in a step, at most", recording.t, activity.computed),
                 Line("moved since the state before", recording.t, activity.moved.sum(axis=1))]  # fmt: skip
    _over_time(axes, recording, lines, f"Joints, of {recording.segments[0].linkage.nb}", "number")


TITLES = {"q": ("Positions", "q"), "v": ("Velocities", "v"), "a": ("Accelerations", "a"),
          "tau": ("Torques and forces", "tau")}  # fmt: skip
PLOTS: dict[str, Plot] = {
    "strip": Plot(strip, _strip_height, "pictures at eight times", panels=True),
    "forces": Plot(forces, _strip_height, "pictures with the forces of joints, loop joints and contacts", panels=True),
    "path": Plot(path, 5.0, "paths of the ends, or of what --trace names"),
    "positions": Plot(strip, 2.4, "joint coordinates", split="q"),
    "velocities": Plot(strip, 2.4, "joint velocities", split="v"),
    "accelerations": Plot(strip, 2.4, "joint accelerations", split="a"),
    "torques": Plot(strip, 2.4, "torques and forces that act in joints", split="tau"),
    "reactions": Plot(reactions, 2.4, "size of the force in each joint, loop joints included"),
    "contacts": Plot(contacts, 2.4, "normal and friction forces at surfaces and between shapes"),
    "energies": Plot(energies, 2.2, "kinetic, potential and total energy"),
    "drift": Plot(drift, 2.0, "change of the total energy"),
    "residuals": Plot(residuals, 2.2, "how far loops, surfaces and drives were off before each projection"),
    "phase": Plot(phase, 4.0, "velocity against position"),
    "structure": Plot(structure, 2.6, "joints that came and went, and all events"),
    "computed": Plot(computed, 2.0, "joints that an adaptive run computed and moved"),
}
GROUPS = {"overview": ("strip", "positions", "energies")}
ADAPTIVE = {"overview": ("strip", "positions", "computed")}  # where quasi-statics has no energy to speak of


def expand(names: Iterable[str], recording: Recording) -> list[str]:
    """Names of single plots, groups taken apart."""
    groups = ADAPTIVE if is_adaptive(recording) else GROUPS
    return [single for name in names for single in groups.get(name, (name,))]
