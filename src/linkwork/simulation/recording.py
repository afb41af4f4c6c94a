"""What a simulation leaves behind: its states by time, and its events."""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.simulation import tracks
from linkwork.simulation.over_time import StatesOverTime
from linkwork.simulation.segment import Event, Segment
from linkwork.simulation.tracks import Track

if TYPE_CHECKING:
    from linkwork.simulation.contact_tracks import ContactTracks
    from linkwork.viewer.server import Viewer

Wrenches = Literal["loops", "all", "none"]


class Recording(StatesOverTime):
    """States and events of a simulation.

    A state is recorded at the start of every step with the acceleration and the torques that act there, before and
    after every event, and at the end. Where structure or parameters change a new segment begins. Arrays over time are
    those of all segments; where a change of structure gave q another length they are found on each of `segments`.
    ``recording["elbow"]`` is the `Track` of one joint, loop joint, body, frame or contact.

    Attributes
    ----------
    segments : list of Segment
    events : list of Event
    settings : dict
        Of the run, where it comes from a file of one or was adaptive.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> recording = lw.Simulation(arm, [0.5, 0.0], dt=1e-3).run(until=0.1)
    >>> recording.q.shape, recording["link1"].q.shape
    ((101, 2), (101, 1))
    """

    def __init__(
        self,
        segments: list[Segment] | None = None,
        events: list[Event] | None = None,
        settings: dict[str, Any] | None = None,
    ):
        self.segments = segments if segments is not None else []
        self.events = events if events is not None else []
        self.settings = settings if settings is not None else {}

    def _over_time(self, name: str) -> np.ndarray:
        """One array over all segments."""
        parts = [getattr(segment, name) for segment in self.segments if len(segment)]
        if not parts:
            return np.empty(0)
        if len({part.shape[1:] for part in parts}) > 1:
            raise StructureError(
                f"the structure changes during the recording, and with it the layout of {name}: take it from each of "
                'recording.segments, or from one joint, recording["name"]'
            )
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def __getitem__(self, name: str) -> Track:
        return tracks.find(getattr(name, "name", name), self.segments)

    def _ipython_key_completions_(self) -> list[str]:
        """Names of all joints, bodies, frames and contacts."""
        return tracks.names(self.segments)

    def __len__(self) -> int:
        return sum(map(len, self.segments))

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def to_pandas(self, *, wrenches: Wrenches = "loops") -> Any:
        """A pandas DataFrame indexed by time, with columns such as ``q[elbow]``, ``tau[wrist][1]``, ``wrench[pin][0]``.

        Parameters
        ----------
        wrenches : {"loops", "all", "none"}
            Of which joints to give wrenches; those of linkages with loops take about 0.2 ms per state.
        """
        pd = optional_module("pandas")

        parts = []
        for segment in self.segments:
            table = {"energy": segment.energy}
            for what in ("q", "v", "a", "tau", "wrench"):
                found = columns(segment, what, wrenches)
                table |= {f"{what}[{name}]{place}": values for (name, place), values in found.items()}
            parts.append(pd.DataFrame(table, index=pd.Index(segment.t, name="t")))
        return pd.concat(parts)

    def to_xarray(self, *, wrenches: Wrenches = "loops") -> Any:
        """An xarray Dataset over time: q by coordinate, v and a by degree of freedom, tau and wrench by joint.

        What is not there throughout, where the structure changes, is NaN at other times.

        Parameters
        ----------
        wrenches : {"loops", "all", "none"}
            As of `to_pandas`.
        """
        xarray = optional_module("xarray")

        variables: dict[str, Any] = {"energy": ("t", self.energy)}
        coordinates: dict[str, Any] = {"t": self.t}
        for what, axis in (("q", "coordinate"), ("v", "dof"), ("a", "dof"), ("tau", "torque"), ("wrench", "component")):
            parts = [columns(segment, what, wrenches) for segment in self.segments]
            labels = list(dict.fromkeys(label for part in parts for label in part))
            if labels:
                missing = [np.full(len(segment), np.nan) for segment in self.segments]
                filled = [[part.get(label, gap) for label in labels] for part, gap in zip(parts, missing, strict=True)]
                variables[what] = ("t", axis), np.concatenate([np.column_stack(each) for each in filled])
                coordinates[axis] = [name + place for name, place in labels]
        return xarray.Dataset(variables, coords=coordinates)

    @property
    def contacts(self) -> ContactTracks:
        """What touched: gaps, modes, forces and impulses of pairs of shapes, in steps of time-stepping contacts."""
        from linkwork.simulation.contact_tracks import joined

        return joined([segment.contacts for segment in self.segments if len(segment)])

    def plot(self, *which: str, **options: Any) -> Any:
        """Draw it; see `linkwork.plots.plot`."""
        return _pictures().plot(self, *which, **options)

    def view(self, *, port: int | None = None, browser: bool = True) -> Viewer:
        """Play it in the browser; see `linkwork.view`."""
        return _pictures().view(self, port=port, browser=browser)

    def animate(self, path: str | PathLike[str], **options: Any) -> None:
        """Make a film of it, .mp4 or .gif; see `linkwork.viewer.film.animate` for the options."""
        _pictures().animate(self, path, **options)

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file: HDF5, which `Recording.load` reads; or .html, a page that plays it from disk."""
        from linkwork.simulation.storage import save

        if _pictures().is_page(path):
            _pictures().save_page(self, path)
        else:
            save(self, path)

    @staticmethod
    def load(path: str | PathLike[str]) -> Recording:
        """Read a recording from an HDF5 file, one that is still being written or was left by a killed run included."""
        from linkwork.simulation.storage import load

        return load(path)

    def __repr__(self) -> str:
        times = self.t
        span = f", {times[0]:g} … {times[-1]:g} s" if len(times) else ""
        return f"Recording({len(times)} states{span}, {len(self.segments)} segments, {len(self.events)} events)"

    def _repr_html_(self) -> str:
        """One line per segment and per event."""
        rows = [
            (f"{segment.t[0]:g} … {segment.t[-1]:g} s", f"{html.escape(segment.linkage.name)}, {len(segment)} states")
            for segment in self.segments
            if len(segment)
        ]
        rows += [(f"{event.time:g} s", f"{event.cause}: {html.escape(event.what)}") for event in self.events[:20]]
        rows += [("", f"and {len(self.events) - 20} more events")] if len(self.events) > 20 else []
        cells = "".join(f"<tr><td>{when}</td><td>{what}</td></tr>" for when, what in rows)
        return f"<table><caption>Recording, {len(self)} states</caption>{cells}</table>"


def _pictures() -> Any:
    """The one door to whatever shows a recording, which is above this layer."""
    from linkwork import viewer

    return viewer


def optional_module(module: str) -> Any:
    """A module that linkwork itself does without."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise ArgumentError(f"{module} is not installed: pip install {module}") from None


def columns(segment: Segment, what: str, wrenches: Wrenches) -> dict[tuple[str, str], np.ndarray]:
    """Columns of q, v, a, tau or wrench, by joint and, of a joint with several, place: ("wrist", "[1]")."""
    linkage = segment.linkage
    if what == "wrench":
        parts = [(linkage.joints.names, segment.wrenches)] if wrenches == "all" else []
        if len(linkage.loops) and wrenches != "none":
            parts.append((linkage.loops.names, segment.loop_wrenches))
        return {(name, f"[{k}]"): values[:, row, k] for names, values in parts
                for row, name in enumerate(names) for k in range(6)}  # fmt: skip
    values, found = getattr(segment, what), {}
    for joint in (*linkage.joints, *(linkage.loops if what == "tau" else ())):
        where = joint.q_slice if what == "q" else joint.v_slice
        for column in range(where.start, where.stop):
            place = f"[{column - where.start}]" if where.stop - where.start > 1 else ""
            found[joint.name, place] = values[:, column]
    return found
