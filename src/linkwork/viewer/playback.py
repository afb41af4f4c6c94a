"""A recording in the browser: play, pause, speed, scrub; events that are seen; curves that move along."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.plots.looks import HUGE
from linkwork.simulation.recording import Recording
from linkwork.viewer.frames import Cinema, Frames
from linkwork.viewer.server import RATE, Viewer
from linkwork.viewer.signals import signals_of

SPEEDS = ("0.1x", "0.25x", "0.5x", "1x", "2x", "4x")
MARKS = 12  # events with a mark on the slider, at most
COLORS = ("#4c78a8", "#e08e38", "#549660", "#966ea0", "#c85454", "#5aa0a5")


class Playback(Viewer):
    """A recording that plays.

    Parameters
    ----------
    recording : Recording
    port : int, optional
        Default: a free one.
    """

    def __init__(self, recording: Recording, *, port: int | None = None):
        self._frames = Frames(recording, RATE)
        linkage = self._frames.segments[0].linkage
        super().__init__(linkage.name or "recording", self._frames.bounds, port=port, shadows=linkage.nb < HUGE)
        self._cinema = Cinema(self.server.scene, self._frames, self.shown)
        self.time, self.playing, self._drawn = self._frames.start, False, None
        self._signals = signals_of(self._frames.recording)
        self._make_gui()
        self.seek(self._frames.start)

    def _stage(self) -> Any:
        return self._cinema.stage

    def _make_gui(self) -> None:
        gui, frames = self.server.gui, self._frames
        self._text = gui.add_markdown("")
        self._play = gui.add_button("Play")
        self._play.on_click(lambda _: self.play(not self.playing))
        span = max(frames.end - frames.start, 1e-9)
        marks = [(round(event.time, 4), "") for event in frames.events[:MARKS]]
        self._slider = gui.add_slider(
            "time (s)", min=frames.start, max=frames.end, step=span / 2000.0, initial_value=frames.start,
            marks=tuple(marks) or None,
        )  # fmt: skip
        self._slider.on_update(self._scrubbed)
        self._speed = gui.add_dropdown("speed", SPEEDS, initial_value="1x")
        if frames.events:
            names = tuple(dict.fromkeys(f"{event.time:.3f} s  {event.what}"[:60] for event in frames.events))
            self._event = gui.add_dropdown("go to event", ("-", *names), initial_value="-")
            self._event.on_update(self._to_event)
        self._curves: Any = None
        if self._signals:
            labels = tuple(dict.fromkeys(signal.label for signal in self._signals))
            self._choice = gui.add_dropdown("curves", labels, initial_value=labels[0])
            self._choice.on_update(lambda _: self._draw_curves())
            self._folder = gui.add_folder("Curves")
            self._draw_curves()
        self.add_switches(self._cinema.layers(), frames.kinds())

    # What the user does

    def play(self, on: bool) -> None:
        """Play or pause."""
        with self._lock:
            if on and self.time >= self._frames.end - 1e-9:
                self.time = self._frames.start
            self.playing = on
            self._play.label = "Pause" if on else "Play"

    def seek(self, time: float) -> None:
        """Show the picture of a time, s."""
        with self._lock:
            self.time = float(np.clip(time, self._frames.start, self._frames.end))
            self._draw()

    def _scrubbed(self, event: Any) -> None:
        if event.client is not None:
            self.play(False)
            self.seek(float(self._slider.value))

    def _to_event(self, event: Any) -> None:
        if event.client is not None and self._event.value != "-":
            self.play(False)
            self.seek(float(self._event.value.split(" s", 1)[0]) + 1e-6)

    def _show_force(self, kind: str, on: bool) -> None:
        super()._show_force(kind, on)
        self._drawn = None
        self._draw()

    # Drawing

    def tick(self, elapsed: float) -> None:
        """Go on, if it plays."""
        if not self.playing:
            return
        self.time += elapsed * float(self._speed.value[:-1])
        if self.time >= self._frames.end:
            self.time = self._frames.end
            self.play(False)
        self._draw()

    def _draw(self) -> None:
        place = self._frames.find(self.time)
        recent = [event.what for event in self._frames.events if 0.0 <= self.time - event.time + 1e-9 < 0.8]
        if (place, bool(recent)) == self._drawn:
            return
        self._drawn = place, bool(recent)
        with self.server.atomic():
            self._cinema.show(self.time)
            self._slider.value = self.time
            note = f"  \n**{'; '.join(dict.fromkeys(recent[-3:]))}**" if recent else ""
            self._text.content = f"**{self.title}**  {self.time:.3f} s{note}"
            self._move_cursor()

    def _draw_curves(self) -> None:
        """The chosen curves, and a last one that marks the time."""
        signal = next(signal for signal in self._signals if signal.label == self._choice.value)
        t = np.linspace(self._frames.start, self._frames.end, 400)
        values = [np.interp(t, line.x, np.nan_to_num(line.y)) for line in signal.lines]
        flat = np.concatenate(values)
        low, high = float(flat.min()), float(flat.max())
        self._cursor = t, low, high if high > low else low + 1.0
        series: list[Any] = [{"label": "t"}]
        series += [{"label": line.label, "stroke": COLORS[k % 6], "width": 1.5} for k, line in enumerate(signal.lines)]
        series.append({"label": "now", "stroke": "#1f2933", "width": 1.5, "spanGaps": False})
        if self._curves is not None:
            self._curves.remove()
        with self._folder:
            self._curves = self.server.gui.add_uplot(
                (t, *values, self._now()), tuple(series), aspect=1.7,
                scales={"x": {"time": False}}, legend={"show": len(signal.lines) > 1},
            )  # fmt: skip
        self._data = (t, *values)

    def _now(self) -> np.ndarray:
        """A spike at the present time: the rest is not drawn."""
        t, low, high = self._cursor
        here = int(np.argmin(np.abs(t - self.time)))
        spike = np.full(len(t), np.nan)
        spike[max(here - 1, 0)], spike[here] = low, high
        return spike

    def _move_cursor(self) -> None:
        if self._curves is not None:
            self._curves.data = (*self._data, self._now())
