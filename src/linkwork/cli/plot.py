"""``linkwork plot``: pictures of a recording or a sweep."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

import linkwork as lw
from linkwork import plots
from linkwork.cli.output import out as console
from linkwork.sweeps.store import is_sweep


def show_names() -> None:
    """List what can be drawn."""
    width = max(map(len, plots.names()))
    for name, about in plots.names().items():
        console.print(f"[bold]{name:<{width}}[/bold]  {escape(about)}")


def plot(
    path: Path, which: list[str], *, out: Path | None, joints: str | None, start: float | None, end: float | None
) -> None:
    """Draw a recording, or the outputs of a sweep, to a file."""
    if is_sweep(path):
        if joints is not None or start is not None or end is not None:
            raise lw.ArgumentError("a sweep is drawn whole: --joints, --from and --to are for recordings")
        target = out or path.with_suffix(".png")
        lw.Sweep.load(path).plot(*which, path=target)
        console.print(escape(str(target)))
        return
    plots.check_names(which)
    recording = lw.Recording.load(path)
    if start is not None or end is not None:
        recording = plots.between(recording, start, end)
    target = out or path.with_suffix(".png")
    plots.plot(recording, *which, joints=None if joints is None else joints.split(","), path=target)
    console.print(escape(str(target)))
