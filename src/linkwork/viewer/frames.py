"""A recording as a row of pictures: which state is shown when, on which stage, and what happens there."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage
from linkwork.plots.adaptive import Activity
from linkwork.plots.forces import forces_of, kinds_of
from linkwork.plots.framing import recording_bounds
from linkwork.plots.looks import Looks
from linkwork.simulation.recording import Recording
from linkwork.simulation.segment import Event, Segment
from linkwork.viewer.stage import Stage

FLASH = 0.8  # s of the motion, for which an event is shown


def structure_of(linkage: Linkage) -> tuple[Any, ...]:
    """What two linkages must have in common to be drawn by one stage."""
    columns = linkage.columns
    return (
        tuple(columns.body_names), columns.parent.tobytes(), columns.code.tobytes(), columns.at_position.tobytes(),
        tuple(linkage.loops.names), tuple(linkage.contacts.names), len(linkage.shapes), len(linkage.visuals),
    )  # fmt: skip


class Frames:
    """The pictures of a recording.

    Parameters
    ----------
    recording : Recording
    rate : float
        Pictures per second, at most as many as there are states.

    Attributes
    ----------
    times : (n,) array
        Of the pictures, s.
    looks : list of Looks
        One for each segment; those of equal structure are the same.
    """

    def __init__(self, recording: Recording, rate: float):
        self.segments = [segment for segment in recording.segments if len(segment)]
        if not self.segments:
            raise ArgumentError("the recording has no states: there is nothing to show")
        self.recording = Recording(self.segments, recording.events, recording.settings)
        self._starts = np.array([segment.t[0] for segment in self.segments])
        made: dict[Any, Looks] = {}
        for segment in self.segments:
            key = structure_of(segment.linkage)
            if key not in made:
                made[key] = Looks(segment.linkage)
        self.looks = [made[structure_of(segment.linkage)] for segment in self.segments]
        self.bounds = recording_bounds(self.recording, self.looks)
        t = self.recording.t
        self.start, self.end = float(t[0]), float(t[-1])
        count = min(max(round((self.end - self.start) * rate), 1), max(len(t) - 1, 1)) + 1
        self.times = np.linspace(self.start, self.end, count)
        self.activity = Activity.of(self.recording)

    @property
    def events(self) -> list[Event]:
        """What happened, at most 200 of them."""
        return self.recording.events[:200]

    def find(self, time: float) -> tuple[int, int]:
        """The segment and the row in it that are shown at a time: the last one that has begun."""
        place = max(int(np.searchsorted(self._starts, time + 1e-9, side="right")) - 1, 0)
        t = self.segments[place].t
        row = int(np.searchsorted(t, time))
        if row > 0 and (row == len(t) or time - t[row - 1] < t[row] - time):
            row -= 1
        return place, row

    def kinds(self) -> list[str]:
        """The kinds of forces that there may be."""
        return kinds_of(self.segments) if self.activity is None else ["applied"]


class Cinema:
    """Frames on a scene: one stage for each structure, one of them visible.

    Parameters
    ----------
    scene : viser.SceneApi
    frames : Frames
    shown : dict of str to bool
    complete : bool
        As of `Stage`.
    """

    def __init__(self, scene: Any, frames: Frames, shown: dict[str, bool], complete: bool = False):
        self._scene, self._frames, self._shown, self._complete = scene, frames, shown, complete
        self._stages: dict[int, Stage] = {}
        self._kinds = tuple(frames.kinds())
        self._label: Any = None
        self.stage = self._take(0)

    def _take(self, place: int) -> Stage:
        looks = self._frames.looks[place]
        if id(looks) not in self._stages:
            root = "" if not self._stages else f"/structure {len(self._stages) + 1}"
            made = Stage(self._scene, looks, self._frames.bounds, self._shown, root, self._complete)
            if self._frames.activity is not None:
                made.arrows.reference = self._frames.activity.reference()
            if self._complete:
                made.arrows.prepare(self._kinds)
            self._stages[id(looks)] = made
        return self._stages[id(looks)]

    def show(self, time: float) -> None:
        """The picture of a time."""
        place, row = self._frames.find(time)
        stage, segment = self._take(place), self._frames.segments[place]
        if stage is not self.stage:
            self.stage.set_visible(False)
            stage.set_visible(True)
            self.stage = stage
        stage.place(segment.q[row])
        self._draw_forces(stage, segment, row)
        if self._frames.activity is not None:
            stage.paint(self._frames.activity.colors(row))
        self._flash(time)

    def _draw_forces(self, stage: Stage, segment: Segment, row: int) -> None:
        if self._frames.activity is not None:
            stage.arrows.place({"applied": self._frames.activity.pushes(row, stage.positions, stage.rotations)})
            return
        kinds = tuple(kind for kind in self._kinds if self._complete or self._shown[kind])
        stage.arrows.place(forces_of(segment, row, kinds) if kinds else {})

    def _flash(self, time: float) -> None:
        """The name of what has just happened, above the picture."""
        recent = [event for event in self._frames.events if 0.0 <= time - event.time + 1e-9 < FLASH]
        text = "; ".join(dict.fromkeys(event.what for event in recent[-3:]))
        if not self._frames.events:
            return
        if self._label is None:  # from the start on, that whoever goes back sees what was there
            bounds = self._frames.bounds
            at = (*bounds.middle[:2], bounds.high[2] + 0.08 * bounds.size)
            self._label = self._scene.add_label("/event", text, position=at, anchor="bottom-center", visible=bool(text))
        if text:
            self._label.text = text
        if self._label.visible != bool(text):
            self._label.visible = bool(text)

    def set_layer(self, layer: str, visible: bool) -> None:
        """Switch a layer of all stages."""
        for stage in self._stages.values():
            if stage is self.stage:
                stage.show(layer, visible)

    def layers(self) -> list[str]:
        """The layers that any structure has."""
        stages = [self._take(k) for k in range(len(self._frames.segments))]
        for stage in stages:
            if stage is not self.stage:
                stage.set_visible(False)
        return list(dict.fromkeys(layer for stage in stages for layer in stage.layers))
