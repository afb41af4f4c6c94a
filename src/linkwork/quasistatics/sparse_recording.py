"""What an adaptive run leaves behind: coordinates by time, of which only those that moved are written."""

from __future__ import annotations

import time
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.kernels.layout.kinds import KIND_NQ
from linkwork.linkage.linkage import Linkage
from linkwork.quasistatics.report import StepReport
from linkwork.simulation.recording import Recording
from linkwork.simulation.segment import Segment

if TYPE_CHECKING:
    from linkwork.quasistatics.adaptive_simulation import AdaptiveSimulation
    from linkwork.quasistatics.part_records import PartRecords

FORMAT = "linkwork adaptive run 1"
PERIOD = 20.0  # s between two savings of a run that goes on


class MovedCoordinates:
    """Which coordinates the steps since the last look have moved."""

    def __init__(self, linkage: Linkage):
        starts, sizes = linkage.columns.q_start, KIND_NQ[linkage.columns.code]
        self._starts, self._sizes = starts, sizes
        self._joints: list[np.ndarray] = []

    def add(self, report: StepReport) -> None:
        """Take note of a step."""
        self._joints.append(report.joint_indices)

    def take(self) -> np.ndarray:
        """The coordinates, in increasing order; none are known of afterwards."""
        joints = np.unique(np.concatenate(self._joints))
        self._joints = []
        sizes = self._sizes[joints]
        first = np.repeat(self._starts[joints], sizes)
        return first + np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)


class SparseRecording:
    """Coordinates of an adaptive run by time: where it started, and what moved up to each time recorded.

    ``recording.q(k)`` gives all coordinates at the k-th time; going through them in order costs what moved. With
    `to_recording` everything that a `Recording` offers, plots and pictures too, is there for linkages of moderate size.

    Attributes
    ----------
    settings : dict
        Of the run: tolerance, measure, error, dt, gain, and the linkage's name and size.
    computed, error_bound : list of int, of float
        Of the step before each time but the first.
    v : (nv,) ndarray
        Velocities at the end of the run; zero in quasi-statics, empty where the run has not ended.

    Examples
    --------
    >>> import linkwork as lw
    >>> chain = lw.samples.chain(100)
    >>> chain.gravity = (0, 0, 0)
    >>> ad = lw.AdaptiveSimulation(chain, chain.neutral(), dt=0.01)
    >>> ad.apply_force("link99", (1.0, 0.0, 0.0))
    >>> recording = ad.run(until=0.1)
    >>> recording.q(-1).shape, len(recording.t)
    ((100,), 11)
    """

    def __init__(self, q: np.ndarray, t: float, settings: dict[str, Any]):
        self.settings = settings
        self.start = q.copy()
        self.computed: list[int] = []
        self.error_bound: list[float] = []
        self._t = [t]
        self._changes: list[tuple[np.ndarray, np.ndarray]] = []
        self._last = q.copy()
        self.v = np.empty(0)
        self.learnt = np.empty(0)  # what the steps have learnt of errors, at the end

    @property
    def t(self) -> np.ndarray:
        """(n,) times, s."""
        return np.array(self._t)

    @property
    def numbers(self) -> int:
        """Coordinates that are kept, the start included."""
        return len(self.start) + sum(len(where) for where, _ in self._changes)

    def note(self, t: float, q: np.ndarray, moved: np.ndarray, computed: int, error_bound: float) -> None:
        """Record a time: of the coordinates `moved` those that differ from the last ones."""
        moved = moved[q[moved] != self._last[moved]]
        self._t.append(t)
        self._changes.append((moved, q[moved].copy()))
        self._last[moved] = q[moved]
        self.computed.append(computed)
        self.error_bound.append(error_bound)

    def q(self, k: int = -1) -> np.ndarray:
        """Return all coordinates (nq,) at the k-th time."""
        k = range(len(self._t))[k]
        if k == len(self._t) - 1:
            return self._last.copy()
        q = self.start.copy()
        for where, values in self._changes[:k]:
            q[where] = values
        return q

    def states(self) -> Iterator[tuple[float, np.ndarray]]:
        """Go through times and coordinates; the array is the same one, changed from time to time."""
        q = self.start.copy()
        yield self._t[0], q
        for t, (where, values) in zip(self._t[1:], self._changes, strict=True):
            q[where] = values
            yield t, q

    def to_recording(self, linkage: Linkage) -> Recording:
        """Return a `Recording` with all coordinates at all times; velocities are zero, accelerations NaN."""
        if linkage.nq != len(self.start):
            raise StructureError(f"the run is of a linkage with nq = {len(self.start)}, not {linkage.nq}")
        segment = Segment(linkage.copy())
        for t, q in self.states():
            row = segment.room()[0]
            row[:] = 0.0
            row[0], row[segment.fields["q"]], row[segment.fields["a"]] = t, q, np.nan
            segment.wrote(1)
        return Recording([segment], settings=self.settings)

    def save(self, path: str | PathLike[str]) -> None:
        """Write to an HDF5 file, in place of what was there."""
        import h5py

        path = Path(path)
        part = path.with_name(path.name + ".part")
        counts = [len(where) for where, _ in self._changes]
        with h5py.File(part, "w") as file:
            file.attrs["format"] = FORMAT
            for key, value in self.settings.items():
                file.attrs[key] = value
            file["v"], file["learnt"] = self.v, self.learnt
            file["start"], file["t"], file["counts"] = self.start, self.t, np.array(counts, np.int64)
            for name, arrays in (("where", [w for w, _ in self._changes]), ("values", [v for _, v in self._changes])):
                empty = np.empty(0, np.int64 if name == "where" else np.float64)
                file.create_dataset(name, data=np.concatenate([empty, *arrays]), compression="gzip", chunks=True)
            file["computed"], file["error_bound"] = np.array(self.computed, np.int64), np.array(self.error_bound)
        part.replace(path)

    @staticmethod
    def load(path: str | PathLike[str]) -> SparseRecording:
        """Read what `save` has written."""
        import h5py

        try:
            with h5py.File(path, "r") as opened:
                file: Any = opened
                settings = {key: value for key, value in file.attrs.items() if key != "format"}
                if file.attrs.get("format") != FORMAT:
                    raise ArgumentError(f"{path} is no recording of an adaptive run: read it with lw.Recording.load")
                t, start = file["t"][:], file["start"][:]
                recording = SparseRecording(start, float(t[0]), settings)
                recording.v = file["v"][:] if "v" in file else np.zeros(1)  # older ones are of quasi-statics
                recording.learnt = file["learnt"][:] if "learnt" in file else recording.learnt
                ends = np.cumsum(file["counts"][:])[:-1]
                pairs = zip(np.split(file["where"][:], ends), np.split(file["values"][:], ends), strict=True)
                told = file["computed"][:].tolist(), file["error_bound"][:].tolist()
                for time, (where, values), computed, bound in zip(t[1:].tolist(), pairs, *told, strict=True):
                    recording._t.append(time)
                    recording._changes.append((where, values))
                    recording._last[where] = values
                    recording.computed.append(computed)
                    recording.error_bound.append(bound)
        except (OSError, KeyError) as problem:
            raise ArgumentError(f"{path} cannot be read as a recording of an adaptive run: {problem}") from None
        return recording

    def __len__(self) -> int:
        return len(self._t)

    def __repr__(self) -> str:
        return f"SparseRecording({len(self)} times up to {self._t[-1]:g} s, {self.numbers} numbers)"


class PeriodicSave:
    """Write a recording while its run goes on, so that one that is killed loses little.

    Parameters
    ----------
    recording : SparseRecording
        What is written.
    path : path or None
        To this file; None for nowhere.
    """

    def __init__(self, recording: SparseRecording, path: str | PathLike[str] | None):
        self._recording, self._path = recording, path
        self._next = time.monotonic() + PERIOD

    def look(self, parts: PartRecords) -> None:
        """Save if the last time was long ago: `PERIOD` seconds, or 50 times what writing takes where that is more."""
        if self._path is not None and (began := time.monotonic()) >= self._next:
            self.save(parts)
            ended = time.monotonic()
            self._next = ended + max(PERIOD, 50.0 * (ended - began))

    def save(self, parts: PartRecords) -> None:
        """Take what the next step starts from, and write it all."""
        self._recording.v, self._recording.learnt = parts.v.copy(), parts.learnt.copy()
        if self._path is not None:
            self._recording.save(self._path)


def run_settings(simulation: AdaptiveSimulation) -> dict[str, Any]:
    """What must be the same for a run to be gone on with."""
    names = ("tolerance", "measure", "error", "dt", "gain", "mode", "closing")
    linkage = simulation.linkage
    return {name: getattr(simulation, name) for name in names} | {"linkage": linkage.name, "nq": linkage.nq}


def resumed(path: str | PathLike[str] | None, settings: dict[str, Any]) -> SparseRecording:
    """The recording of the same run, to be gone on with."""
    if path is None:
        raise ArgumentError("resume needs the file to go on from: record=...")
    recording = SparseRecording.load(path)
    for name, value in settings.items():
        if recording.settings.get(name) != value:
            raise ArgumentError(
                f"{path} is of another run: {name} was {recording.settings.get(name)!r}, and is {value!r} now"
            )
    return recording
