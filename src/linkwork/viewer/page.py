"""A recording as one HTML file that plays from disk, with no server and no network."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.simulation.recording import Recording
from linkwork.viewer.frames import Cinema, Frames
from linkwork.viewer.ground import aim, lay_ground, light
from linkwork.viewer.server import close_server, open_server, shown_at_start
from linkwork.viewer.signals import Signal, signals_of

RATE = 30.0  # pictures per second
SHADOWS = 300  # bodies up to which there are shadows
CURVE = 300  # points of a curve
ROOM = 6_000_000  # piece positions in a page, at most: pictures are left out beyond


def save_page(recording: Recording, path: str | PathLike[str], *, rate: float = RATE, title: str | None = None) -> None:
    """Write a page that plays a recording.

    Parameters
    ----------
    recording : Recording
    path : path
        Ends with .html.
    rate : float
        Pictures per second of the motion.
    title : str, optional
        Default: the linkage's name.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder {path.parent} for the page")
    text = page(recording, rate=rate, title=title)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArgumentError(f"cannot write {path}: {error.strerror}") from None


def page(recording: Recording, *, rate: float = RATE, title: str | None = None) -> str:
    """The text of the page."""
    nb = max((segment.linkage.nb for segment in recording.segments), default=0)
    frames = Frames(recording, min(rate, max(ROOM / max(nb, 1) / max(_duration(recording), 1e-9), 0.5)))
    title = title or frames.segments[0].linkage.name or "linkage"
    server = open_server(None, title)
    try:
        scene = server.scene
        scene.set_up_direction("+z")
        light(scene, nb <= SHADOWS)
        lay_ground(scene, frames.bounds)
        aim(server, frames.bounds)
        cinema = Cinema(scene, frames, shown_at_start(), complete=nb <= SHADOWS)
        cinema.layers()  # all structures are on the stage from the start
        cinema.show(frames.times[0])
        serializer = server.get_scene_serializer()
        for before, time in zip(frames.times, frames.times[1:], strict=False):
            serializer.insert_sleep(float(time - before))
            cinema.show(time)
        text = serializer.as_html()
    finally:
        close_server(server)
    data = {
        "title": title, "start": frames.start, "end": frames.end,
        "events": [{"t": event.time, "what": event.what} for event in frames.events],
    }  # fmt: skip
    data |= _curves(frames, signals_of(frames.recording))
    # "<" is escaped: no name can end the script.
    safe = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    script = (Path(__file__).parent / "overlay.js").read_text(encoding="utf-8")
    head = text.index("</head>")
    text = text[:head] + f"<title>{_escape(title)}</title><script>window.LINKWORK={safe};</script>" + text[head:]
    end = text.rindex("</body>")
    return text[:end] + f"<script>{script}</script>" + text[end:]


def _duration(recording: Recording) -> float:
    t = recording.t
    return float(t[-1] - t[0]) if len(t) else 0.0


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _curves(frames: Frames, signals: list[Signal]) -> dict[str, Any]:
    times = frames.times[:: max(1, len(frames.times) // CURVE)]
    made = []
    for signal in signals:
        values = [np.interp(times, line.x, line.y, left=np.nan, right=np.nan) for line in signal.lines]
        finite = np.array([value for curve in values for value in curve if np.isfinite(value)])
        if not len(finite):
            continue
        short = [[None if not np.isfinite(v) else float(f"{v:.4g}") for v in curve] for curve in values]
        made.append({"label": signal.label, "low": [float(finite.min())], "high": [float(finite.max())],
                     "curves": short, "names": [line.label for line in signal.lines]})  # fmt: skip
    return {"t": [round(float(t), 4) for t in times], "signals": made}
