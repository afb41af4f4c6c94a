"""``linkwork view``: a linkage, a scene or a recording in the browser, or as a page, a picture or a film."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.markup import escape

import linkwork as lw
from linkwork.cli import find
from linkwork.cli.output import notes
from linkwork.cli.output import out as console
from linkwork.simulation.segment import Segment
from linkwork.viewer import animate, is_page, save_page
from linkwork.viewer import view as open_viewer

RECORDINGS = (".h5", ".hdf5")
WRITES = (".html", ".htm", ".png", ".svg", ".pdf", ".mp4", ".gif")


def view(
    given: str, *, live: bool, html: bool, png: bool, out: Path | None, at: float | None, look: str | None,
    port: int | None, browser: bool, changes: Mapping[str, Any],
) -> None:  # fmt: skip
    """Show it, or write what was asked for."""
    if html and png:
        raise typer.BadParameter("give --html or --png, one of them")
    if out is not None and out.suffix.lower() not in WRITES:
        raise lw.ArgumentError(f"cannot write {out.name}: the suffix must be one of {', '.join(WRITES)}")
    found = _found(given, live, changes)
    if html or png or out is not None:
        if live:
            raise typer.BadParameter("--live opens the browser: leave out --html, --png and --out")
        target = out or Path(Path(given).stem).with_suffix(".html" if html else ".png")
        _write(_recording(found), target, at, look)
        console.print(escape(str(target)))
        return
    shown, q = found if isinstance(found, tuple) else (found, None)
    if isinstance(shown, lw.Scene) and not live:
        shown = _recording(shown)
    viewer = open_viewer(shown, q, port=port, browser=False)
    console.print(f"[bold]{viewer.url}[/bold]   Ctrl-C ends it")
    sys.stdout.flush()  # whoever reads it through a pipe waits for it
    if browser and not viewer.open_browser():
        notes.print("no browser was found: open this address in one, on this machine")
    viewer.wait()


def _found(given: str, live: bool, changes: Mapping[str, Any]) -> Any:
    """A recording, a scene, or a linkage with its pose."""
    if Path(given).suffix.lower() in RECORDINGS:
        if live:
            raise lw.ArgumentError(f"{given} is a recording: --live runs a scene")
        return lw.Recording.load(given)
    if find.is_scene(given):
        return find.scene(given, changes)
    if live:
        raise lw.ArgumentError(f"{given} describes a linkage, not a scene: --live needs something that runs")
    return find.linkage(given)


def _recording(found: Any) -> lw.Recording:
    """What there is to see: a scene is run, a linkage is one state."""
    if isinstance(found, lw.Recording):
        return found
    if isinstance(found, lw.Scene):
        if found.is_adaptive:
            return found.adaptive().run(found.run.until)
        return found.simulation().run(found.run.until)
    linkage, q = found
    segment = Segment(linkage)
    rest, torques = np.zeros(linkage.nv), np.zeros(linkage.nv + linkage.nv_loop)
    segment.write(0.0, np.asarray(q, dtype=float), rest, rest, torques, np.zeros(2))
    return lw.Recording([segment])


def _write(recording: lw.Recording, target: Path, at: float | None, look: str | None) -> None:
    kind = target.suffix.lower()
    if is_page(target):
        save_page(recording, target)
    elif kind in (".mp4", ".gif"):
        animate(recording, target, view=look)
    else:
        from linkwork.viewer.film import picture

        t = recording.t
        picture(recording, target, time=float(0.5 * (t[0] + t[-1])) if at is None else at, view=look)
