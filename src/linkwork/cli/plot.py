"""``linkwork plot``: pictures of a recording or a sweep."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

import linkwork as lw
from linkwork import plots
from linkwork.cli.output import out as console
from linkwork.cli.quick_start import import_matplotlib
from linkwork.sweeps.store import is_sweep


def show_names() -> None:
    """List what can be drawn."""
    width = max(map(len, plots.names()))
    for name, about in plots.names().items():
        console.print(f"[bold]{name:<{width}}[/bold]  {escape(about)}")


def plot(
    path: Path, which: list[str], *, out: Path | None, joints: str | None, start: float | None, end: float | None,
    traces: list[str] | None = None, view: str | None = None,
) -> None:  # fmt: skip
    """Draw a recording, or the outputs of a sweep, to a file."""
    if is_sweep(path):
        if not (joints is start is end is traces is view is None):
            raise lw.ArgumentError("a sweep is drawn whole: options other than --out are for recordings")
        target = out or path.with_suffix(".png")
        lw.Sweep.load(path).plot(*which, path=target)
        console.print(escape(str(target)))
        return
    import_matplotlib()
    plots.check_names(which)
    recording = lw.Recording.load(path)
    if start is not None or end is not None:
        recording = plots.between(recording, start, end)
    target = out or path.with_suffix(".png")
    if traces and not which:
        which = ["path"]
    shown = None if joints is None else joints.split(",")
    plots.plot(recording, *which, joints=shown, path=target, traces=traces, view=view)
    console.print(escape(str(target)))
