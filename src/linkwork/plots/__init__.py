"""Pictures of a recording."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.packing.launch import no_batch_compiled
from linkwork.plots.arrangement import TITLE, curve_rows, fit_sides, heading, stacked_parts

if TYPE_CHECKING:
    from linkwork.simulation.recording import Recording

SUFFIXES = (".png", ".svg", ".pdf")
QUICK = {"compress_level": 1, "compress_type": 3}  # zlib's run lengths: fast, and small for pictures of few colours
STYLE: dict[Any, Any] = {
    "font.size": 9.0, "axes.titlesize": 10.0, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#e4e7eb", "grid.linewidth": 0.6, "axes.edgecolor": "#7b8794", "axes.axisbelow": True,
    "lines.linewidth": 1.2, "legend.fontsize": 8.5, "savefig.dpi": 140.0, "svg.hashsalt": "linkwork",
}  # fmt: skip


def names() -> dict[str, str]:
    """Names of all plots, each with a few words about it."""
    from linkwork.plots.panels import GROUPS, PLOTS

    groups = {name: ", ".join(parts) for name, parts in GROUPS.items()}
    return groups | {name: entry.about for name, entry in PLOTS.items()}


def check_names(given: Iterable[str]) -> None:
    """Raise for a name that is no plot."""
    for name in given:
        if name not in names():
            raise unknown_name("plot", name, names())


def check_path(path: str | PathLike[str]) -> None:
    """Raise for a picture in a format that is not supported."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ArgumentError(f"cannot draw to {Path(path).name}: the suffix must be one of {', '.join(SUFFIXES)}")


def save_figure(figure: Any, path: str | PathLike[str]) -> None:
    """Write a figure to a file; its suffix decides the format. Laid out here, Matplotlib does not draw it twice."""
    engine, dpi = figure.get_layout_engine(), figure.dpi
    if engine is not None:
        figure.dpi = STYLE["savefig.dpi"]
        engine.execute(figure)
        figure.set_layout_engine("none")
        figure.dpi = dpi
    try:
        figure.savefig(path, **({"pil_kwargs": QUICK} if Path(path).suffix.lower() == ".png" else {}))
        if engine is not None:
            figure.set_layout_engine(engine)
    except OSError as error:
        raise ArgumentError(f"cannot write {path}: {error.strerror}") from None


def plot(
    recording: Recording, *which: str, joints: Iterable[str] | None = None, path: str | PathLike[str] | None = None,
    title: str | None = None, traces: Iterable[str] | None = None, view: str | None = None,
) -> Any:  # fmt: skip
    """Draw a recording.

    Parameters
    ----------
    recording : Recording
    *which : str
        Names of plots, from top to bottom; see `names`. Default: "overview".
    joints : iterable of str, optional
        Joints whose curves to draw. Default: all, or of many the eight that vary most.
    path : path, optional
        Where to save it, as .png, .svg or .pdf.
    title : str, optional
        Default: the linkage's name.
    traces : iterable of str, optional
        Points whose paths to draw: names of bodies or frames, perhaps with a point in them, "coupler@0.3,0,0.1".
        Default: the free ends.
    view : str, optional
        "front" (along y), "side" (along x), "top", "corner", or "azimuth,elevation" in degrees. Default: across the
        plane of the motion where there is one, else from a corner.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from linkwork.plots.panels import WIDTH, Choice, expand

    check_names(which)
    if path is not None:
        check_path(path)
    if len(recording) < 2:
        raise ArgumentError("the recording has fewer than two states: there is nothing to draw")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE), no_batch_compiled():
        how = Choice(None if joints is None else list(joints), None if traces is None else list(traces), view)
        groups = _groups(expand(which or ("overview",), recording), recording, how)
        totals = [sum(heights) for _, heights in groups]
        figure = Figure(figsize=(WIDTH, sum(totals) + TITLE))
        heading(figure, title or recording.segments[0].linkage.name, fontweight="bold")
        for part, (entries, heights) in zip(stacked_parts(figure, totals), groups, strict=True):
            if entries[0].panels:
                entries[0].draw(part, recording, how)
                continue
            rows = curve_rows(part, heights)
            for axes, entry in zip(rows, entries, strict=True):
                entry.draw(axes, recording, how)
            fit_sides(part, rows)
        if path is not None:
            save_figure(figure, path)
    return figure


def _groups(chosen: list[str], recording: Recording, how: Any) -> list[tuple[list[Any], list[float]]]:
    """Plots with their heights; neighbours with one pair of axes each share a group, so that their axes align."""
    from linkwork.plots.panels import PLOTS, split

    groups: list[tuple[list[Any], list[float]]] = []
    for entry in (part for name in chosen for part in split(PLOTS[name], recording, how)):
        if entry.panels or not groups or groups[-1][0][0].panels:
            groups.append(([], []))
        groups[-1][0].append(entry)
        groups[-1][1].append(entry.height(recording, how) if callable(entry.height) else entry.height)
    return groups


def between(recording: Recording, start: float | None, end: float | None) -> Recording:
    """The part of a recording from one time to another, both included."""
    from linkwork.simulation.recording import Recording

    low, high = -float("inf") if start is None else start, float("inf") if end is None else end
    segments = []
    for segment in recording.segments:
        rows = segment.rows[(segment.t >= low) & (segment.t <= high)]
        if len(rows):
            segments.append(segment.of(rows))
    if not segments:
        raise ArgumentError(
            f"nothing was recorded from {low:g} to {high:g} s: it is from {recording.t[0]:g} to {recording.t[-1]:g} s"
        )
    return Recording(segments, [event for event in recording.events if low <= event.time <= high], recording.settings)
