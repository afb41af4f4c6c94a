"""Recordings in HDF5 files that a killed process leaves readable.

A file has the datasets t (n,), q, v, a, tau (n, …), drift (n, 2) and, where loads act, f_ext (n, 6 nb), as wide as the
widest segment and filled with NaN where others are narrower; ``notes``, lines of JSON as bytes: settings, segments with
the linkage they hold for, events, checkpoints; and ``commits``, a row each time all of this was written: states, bytes
of notes, and whether the last state will be taken back when the run goes on. What lies beyond the last commit does not
count.

Between commits the file is closed. A commit opens it in HDF5's single-writer mode, in which what is written is ordered
such that a reader never meets a broken file, and appends data first, then the row of ``commits``. Room on the disk is
taken beforehand. A file left by a process that was killed during those milliseconds is marked as being written: `load`
reads it all the same (``h5py.File(path, swmr=True)`` does too), and `Stream.reopen` makes it anew.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, DescriptionError, RecordingError
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.events import Event
from linkwork.simulation.recording import FIELDS, Recording, Segment

FORMAT = 3
INTERVAL = 1.0  # s between commits
PENDING = 1 << 21  # bytes in memory before one
_CHUNK = 1 << 16  # bytes of a chunk of states, at most
_COLUMNS = 64  # of a chunk, at most
_SPARE = 1 << 17  # bytes beyond the data itself that a commit may need for HDF5's own use


class Stream:
    """A file that a recording is written to as it grows.

    Parameters
    ----------
    path : path
    settings : dict
        Kept in the file's first note.
    segment : Segment
        The first one, whose widths the file is laid out for.
    """

    def __init__(self, path: str | PathLike[str], settings: dict[str, Any], segment: Segment):
        self.path = Path(path)
        self._notes = [{"linkwork recording": FORMAT, "settings": settings}, _segment(segment, 0)]
        self._states = self._bytes = 0  # in the file, without a last state that will be taken back
        self._firsts = [0]  # state that each segment begins with
        self._events = 0  # of the recording, noted
        self._last = time.monotonic()
        self.interval = INTERVAL
        try:
            _create(self.path, segment)
        except OSError as problem:
            raise ArgumentError(f"record: cannot write {self.path}: {_reason(problem)}") from None

    @classmethod
    def reopen(cls, path: Path, contents: Contents, recording: Recording) -> Stream:
        """Go on with a file after what was read of it."""
        stream = cls.__new__(cls)
        stream.path, stream.interval, stream._notes = path, INTERVAL, []
        stream._states, stream._bytes, stream._last = contents.states, contents.notes, time.monotonic()
        stream._firsts = np.cumsum([0] + [segment.dropped for segment in recording.segments])[:-1].tolist()
        stream._events = len(recording.events)
        try:
            if _marked(path):
                _rewrite(path, recording.segments[0])
            if contents.taken_back:
                with _writing(path) as file:
                    _put(file["commits"], len(file["commits"]), contents.commit[None])
        except OSError as problem:
            raise ArgumentError(f"cannot go on with {path}: {_reason(problem)}") from None
        return stream

    def due(self, recording: Recording) -> bool:
        """Whether enough has come together for a commit."""
        if time.monotonic() - self._last > self.interval:
            return True
        return 8 * recording.segments[-1].held * recording.segments[-1].width > PENDING

    def commit(self, recording: Recording, checkpoint: dict[str, Any], settled: bool) -> None:
        """Write all states and events that are not in the file yet, and free their memory.

        Where `settled`, the last state will be taken back when the run goes on.
        """
        for segment in recording.segments[len(self._firsts) :]:
            first = sum(s.dropped + s.held for s in recording.segments[: len(self._firsts)])
            self._notes.append(_segment(segment, first))
            self._firsts.append(first)
        self._notes += [{"event": _event(event)} for event in recording.events[self._events :]]
        self._events = len(recording.events)
        lines = [*self._notes, {"checkpoint": checkpoint}]
        notes = "".join(json.dumps(line) + "\n" for line in lines).encode()
        fresh = [segment for segment in recording.segments if segment.held]
        try:
            self._append(fresh, notes, settled)
        except OSError as problem:
            raise RecordingError(
                f"cannot write {self.path}: {_reason(problem)}; the file holds every state before "
                f"t = {fresh[0].t[0] if fresh else recording.t[-1]:g} s, and sim.recording those after it too"
            ) from None
        self._notes, self._last = [], time.monotonic()
        self._bytes += len(notes)
        for segment in fresh:
            kept = segment.rows[-1:].copy() if settled and segment is recording.segments[-1] else None
            segment.drop()
            if kept is not None:
                segment.dropped -= 1
                segment.room()[:1] = kept
                segment.wrote(1)

    def _append(self, segments: list[Segment], notes: bytes, settled: bool) -> None:
        states = sum(segment.held for segment in segments)
        _take_room(self.path, sum(map(_size, segments)) + 2 * len(notes) + _SPARE)
        with _writing(self.path) as file:
            first = self._states
            for segment in segments:
                for name in FIELDS:
                    _put(file[name], first, segment.column(name))
                first += segment.held
            _put(file["notes"], self._bytes, np.frombuffer(notes, dtype=np.uint8))
            file.flush()
            row = np.array([[self._states + states, self._bytes + len(notes), settled]])
            _put(file["commits"], len(file["commits"]), row)
            file.flush()
        self._states += states - settled

    def whole(self, recording: Recording) -> Recording:
        """The recording with the states that are in the file."""
        segments = []
        with _reading(self.path) as file:
            for segment, first in zip(recording.segments, self._firsts, strict=False):
                old = _rows(file, segment, first, first + segment.dropped)
                segments.append(segment.of(np.concatenate([old, segment.rows])))
        return Recording(segments + recording.segments[len(segments) :], list(recording.events))


class Contents:
    """What a file holds up to its last commit.

    Parameters
    ----------
    path : Path
    sound : bool
        Take back commits of a run that failed in the midst of an action: one that goes on does it again.

    Attributes
    ----------
    settings, checkpoint : dict
    recording : Recording
        Without the last state where it is to be taken back.
    states, notes : int
        Number of states, that one not counted, and bytes of notes.
    last : (1, width) array or None
        The state to be taken back.
    commit : (3,) array
        The row of the commit, and `taken_back` how many there are after it.
    """

    def __init__(self, path: Path, *, sound: bool = False):
        try:
            with _reading(path) as file:
                self._read(path, file, sound)
        except OSError as problem:
            raise DescriptionError(f"cannot read the recording: {_reason(problem)}", file=path) from None

    def _read(self, path: Path, file, sound: bool) -> None:
        if "commits" not in file or "notes" not in file:
            raise DescriptionError("this is no linkwork recording", file=path)
        if not len(file["commits"]):
            raise DescriptionError("nothing was recorded before the run ended", file=path)
        commits = file["commits"][:]
        for self.taken_back, self.commit in enumerate(reversed(commits)):
            states, self.notes, settled = self.commit.tolist()
            lines = [json.loads(line) for line in file["notes"][: self.notes].tobytes().decode().splitlines()]
            if lines[0].get("linkwork recording") != FORMAT:
                raise DescriptionError(f"this recording is of another format than {FORMAT}", file=path)
            self.checkpoint = lines[-1]["checkpoint"]
            if not (sound and self.checkpoint.get("half_done")):
                break
        self.states, self.settings = states - settled, lines[0]["settings"]
        noted = [line["segment"] for line in lines if "segment" in line]
        ends = [segment["first"] for segment in noted[1:]] + [self.states]
        segments = []
        self.last = None
        for entry, end in zip(noted, ends, strict=True):
            limits = np.array(entry["limits"]).reshape(-1, 7)
            segment = Segment(_linkage(entry["linkage"]), loaded=entry["loaded"], limits=limits)
            segments.append(segment.of(_rows(file, segment, entry["first"], end)))
        if settled:
            self.last = _rows(file, segments[-1], self.states, states)
        self.recording = Recording(segments, [_event_of(line["event"]) for line in lines if "event" in line])


def load(path: str | PathLike[str]) -> Recording:
    """Read a recording; see `Recording.load`."""
    contents = Contents(Path(path))
    recording = contents.recording
    if contents.last is not None:
        segment = recording.segments[-1]
        recording.segments[-1] = segment.of(np.concatenate([segment.rows, contents.last]))
    return recording


def save(recording: Recording, path: str | PathLike[str]) -> None:
    """Write a recording; see `Recording.save`. The file appears under its name when it is complete."""
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    copies = [segment.of(segment.rows) for segment in recording.segments]
    stream = Stream(partial, {}, copies[0])
    try:
        stream.commit(Recording(copies, list(recording.events)), {}, False)
        os.replace(partial, path)
    except OSError as problem:
        raise RecordingError(f"cannot write {path}: {_reason(problem)}") from None
    finally:
        partial.unlink(missing_ok=True)


# The file


def _create(path: Path, segment: Segment) -> None:
    import h5py

    with h5py.File(path, "w", libver="latest") as file:
        for name in FIELDS:
            width = segment.widths[name]
            shape, limit = ((0,), (None,)) if name == "t" else ((0, width), (None, None))
            file.create_dataset(name, shape, "f8", maxshape=limit, chunks=_chunk(width)[: len(shape)], fillvalue=np.nan)
        file.create_dataset("notes", (0,), "u1", maxshape=(None,), chunks=(_CHUNK,))
        file.create_dataset("commits", (0, 3), "i8", maxshape=(None, 3), chunks=(256, 3))


def _chunk(width: int) -> tuple[int, int]:
    """Rows and columns of a chunk."""
    columns = min(max(width, 1), _COLUMNS)
    return _CHUNK // (8 * columns), columns


def _size(segment: Segment) -> int:
    """Bytes that the states of a segment may take, whole chunks being written."""
    total = 0
    for width in segment.widths.values():
        rows, columns = _chunk(width)
        total += 8 * (segment.held + 2 * rows) * columns * -(-width // columns)
    return total


@contextmanager
def _writing(path: Path) -> Iterator[Any]:
    """The file, open as its single writer: marked as such from the first byte on."""
    import h5py

    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    access.set_file_locking(False, True)  # readers may have it open meanwhile
    flags = h5py.h5f.ACC_RDWR | h5py.h5f.ACC_SWMR_WRITE
    with h5py.File(h5py.h5f.open(os.fsencode(path), flags, access)) as file:
        yield file


@contextmanager
def _reading(path: Path) -> Iterator[Any]:
    import h5py

    if not path.exists():
        raise FileNotFoundError(2, "there is no such file", str(path))
    options = {"swmr": True, "libver": "latest", "locking": False} if _marked(path) else {}
    if options:
        _refuse_cut_off(path)
    with h5py.File(path, "r", **options) as file:
        yield file


def _refuse_cut_off(path: Path) -> None:
    """Refuse a file that ends before its end, of which HDF5 would read what is missing over and over again."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(36)  # signature, version, sizes, flags, two addresses, the end
    if head[:9] == b"\x89HDF\r\n\x1a\n\x03" and (len(head) < 36 or int.from_bytes(head[28:36], "little") > size):
        raise OSError(5, f"it has been cut off: {size} bytes are left of it", str(path))


def _marked(path: Path) -> bool:
    """Whether the file was left while it was being written."""
    import h5py

    try:
        with h5py.File(path, "r"):
            return False
    except OSError:
        return True


def _rewrite(path: Path, segment: Segment) -> None:
    """Make a marked file anew from what can be read of it; the new one takes its place at once."""
    partial = path.with_name(path.name + ".partial")
    _create(partial, segment)
    with _reading(path) as old, _writing(partial) as new:
        count = len(old["commits"])
        states, notes, _ = old["commits"][-1]
        for name in (*FIELDS, "notes"):
            total = int(notes if name == "notes" else states)
            for first in range(0, total, _CHUNK):
                _put(new[name], first, old[name][first : min(total, first + _CHUNK)])
        _put(new["commits"], 0, old["commits"][:count])
    os.replace(partial, path)


def _put(dataset, first: int, values: np.ndarray) -> None:
    """Write rows from `first` on, making the dataset longer and wider as needed."""
    shape = (first + len(values), *(max(a, b) for a, b in zip(dataset.shape[1:], values.shape[1:], strict=True)))
    if shape[0] != dataset.shape[0] or shape[1:] != dataset.shape[1:]:
        dataset.resize((max(shape[0], dataset.shape[0]), *shape[1:]))
    if values.ndim == 1:
        dataset[first : shape[0]] = values
    else:
        dataset[first : shape[0], : values.shape[1]] = values
        if values.shape[1] < shape[1]:
            dataset[first : shape[0], values.shape[1] :] = np.nan


def _rows(file, segment: Segment, first: int, last: int) -> np.ndarray:
    """States first … last − 1 as rows of a segment."""
    rows = np.empty((last - first, segment.width))
    for name, columns in segment.fields.items():
        width = segment.widths[name]
        found = file[name][first:last] if name == "t" else file[name][first:last, :width]
        rows[:, columns] = found.reshape(last - first, width)
    return rows


def _take_room(path: Path, size: int) -> None:
    """Have the disk set bytes aside at the file's end, so that what HDF5 then writes cannot fail half-way."""
    if not hasattr(os, "posix_fallocate"):
        return
    handle = os.open(path, os.O_WRONLY)
    try:
        end = os.fstat(handle).st_size
        try:
            os.posix_fallocate(handle, end, size)
        except OSError:
            os.ftruncate(handle, end)
            raise
    finally:
        os.close(handle)


def _reason(problem: OSError) -> str:
    """What the system said; HDF5 hides its number in a long message."""
    hidden = re.search(r"errno = (\d+)", str(problem))
    code = problem.errno or (int(hidden[1]) if hidden else None)
    return os.strerror(code) if code else problem.strerror or str(problem)


# Notes


def _segment(segment: Segment, first: int) -> dict[str, Any]:
    """The note of a segment that begins with state `first`."""
    try:
        linkage = _text(segment.linkage)
    except DescriptionError as problem:  # of a file that only we know of
        raise ArgumentError(f"record: {problem.args[0]}") from None
    described = {"linkage": linkage, "loaded": segment.loaded, "limits": segment.limits.tolist()}
    return {"segment": {"first": first} | described}


def _text(linkage: Linkage) -> str:
    """A linkage as text of our own description."""
    from linkwork.io.load import save

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "linkage.yaml"
        save(linkage, path)
        return path.read_text()


def _linkage(text: str) -> Linkage:
    from linkwork.io.load import load

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "linkage.yaml"
        path.write_text(text)
        return load(path)


def _event(event: Event) -> dict[str, Any]:
    return asdict(event) | {"jump": event.jump.tolist()}


def _event_of(entry: dict[str, Any]) -> Event:
    return Event(entry["time"], entry["cause"], entry["what"], np.array(entry["jump"]), entry["energy_lost"])
