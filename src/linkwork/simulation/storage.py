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
import tempfile
import time
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, DescriptionError, RecordingError
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.hdf5 import (
    create,
    marked,
    put,
    read_rows,
    reading,
    reason,
    rewrite,
    size_of,
    take_room,
    writing,
)
from linkwork.simulation.recording import Recording
from linkwork.simulation.segment import FIELDS, Event, Segment

FORMAT = 5
INTERVAL = 1.0  # s between commits
PENDING = 1 << 21  # bytes in memory before one
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
        self._commits: tuple[int, list[int]] = 0, []  # how many there are in the file, and the last one
        self._states = self._bytes = 0  # in the file, without a last state that will be taken back
        self._firsts = [0]  # state that each segment begins with
        self._events = 0  # of the recording, noted
        self._last = time.monotonic()
        self.interval = INTERVAL
        try:
            create(self.path, segment)
        except OSError as problem:
            raise ArgumentError(f"record: cannot write {self.path}: {reason(problem)}") from None

    @classmethod
    def reopen(cls, path: Path, contents: Contents, recording: Recording) -> Stream:
        """Go on with a file after what was read of it."""
        stream = cls.__new__(cls)
        stream.path, stream.interval, stream._notes = path, INTERVAL, []
        stream._states, stream._bytes, stream._last = contents.states, contents.notes, time.monotonic()
        stream._firsts = np.cumsum([0] + [segment.dropped for segment in recording.segments])[:-1].tolist()
        stream._events = len(recording.events)
        try:
            if marked(path):
                rewrite(path, recording.segments[0])
            with writing(path) as file:
                if contents.taken_back:
                    put(file["commits"], len(file["commits"]), contents.commit[None])
                stream._commits = len(file["commits"]), contents.commit.tolist()
        except OSError as problem:
            raise ArgumentError(f"cannot go on with {path}: {reason(problem)}") from None
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
        fresh_events = recording.events[self._events :]
        self._notes += [{"event": asdict(event) | {"jump": event.jump.tolist()}} for event in fresh_events]
        self._events = len(recording.events)
        lines = [*self._notes, {"checkpoint": checkpoint}]
        notes = "".join(json.dumps(line) + "\n" for line in lines).encode()
        fresh = [segment for segment in recording.segments if segment.held]
        try:
            self._append(fresh, notes, settled)
        except OSError as problem:
            raise RecordingError(
                f"cannot write {self.path}: {reason(problem)}; the file holds every state before "
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
        take_room(self.path, sum(map(size_of, segments)) + 2 * len(notes) + _SPARE)
        with writing(self.path) as file:
            count = len(file["commits"])
            if (count, file["commits"][-1].tolist() if count else []) != self._commits:
                raise OSError("another simulation has written to it")
            first = self._states
            for segment in segments:
                for name in FIELDS:
                    put(file[name], first, segment.column(name))
                first += segment.held
            put(file["notes"], self._bytes, np.frombuffer(notes, dtype=np.uint8))
            file.flush()
            row = [self._states + states, self._bytes + len(notes), int(settled)]
            put(file["commits"], count, np.array([row]))
            file.flush()
        self._commits = count + 1, row
        self._states += states - settled

    def whole(self, recording: Recording) -> Recording:
        """The recording with the states that are in the file."""
        segments = []
        with reading(self.path) as file:
            for segment, first in zip(recording.segments, self._firsts, strict=False):
                old = read_rows(file, segment, first, first + segment.dropped)
                segments.append(segment.of(np.concatenate([old, segment.rows])))
        return Recording(segments + recording.segments[len(segments) :], list(recording.events))


class Contents:
    """What a file holds up to its last commit.

    Parameters
    ----------
    path : Path
    sound : bool
        Take back commits of a run that failed during an action: one that goes on does it again.

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
            with reading(path) as file:
                self._read(path, file, sound)
        except OSError as problem:
            raise DescriptionError(f"cannot read the recording: {reason(problem)}", file=path) from None
        except json.JSONDecodeError as problem:
            raise DescriptionError(f"the recording is damaged: {problem}", file=path) from None

    def _read(self, path: Path, file, sound: bool) -> None:
        if "commits" not in file or "notes" not in file:
            what = "this is of an adaptive run: read it with lw.SparseRecording.load"
            adaptive = str(file.attrs.get("format", "")).startswith("linkwork adaptive run")
            raise DescriptionError(what if adaptive else "this is no linkwork recording", file=path)
        if not len(file["commits"]):
            raise DescriptionError("nothing was recorded before the run ended", file=path)
        commits, self.taken_back = file["commits"][:], 0
        lines = _lines(file, commits[-1])
        if (found := lines[0].get("linkwork recording")) != FORMAT:
            raise DescriptionError(
                f"this recording has format {found}, and this version of linkwork reads format {FORMAT}: record it "
                "again, or read it with the version that wrote it",
                file=path,
            )
        while sound and lines[-1]["checkpoint"].get("half_done"):  # the first commit, of the start, is not
            self.taken_back += 1
            lines = _lines(file, commits[-1 - self.taken_back])
        self.commit = commits[-1 - self.taken_back]
        states, self.notes, settled = self.commit.tolist()
        self.states, self.settings, self.checkpoint = states - settled, lines[0]["settings"], lines[-1]["checkpoint"]
        noted = [line["segment"] for line in lines if "segment" in line]
        ends = [segment["first"] for segment in noted[1:]] + [self.states]
        segments = []
        self.last = None
        for entry, end in zip(noted, ends, strict=True):
            limits = {name: np.array(entry[name]).reshape(-1, 7) for name in ("limits", "loop_limits")}
            segment = Segment(_linkage(entry["linkage"]), loaded=entry["loaded"], step=entry["step"], **limits)
            segments.append(segment.of(read_rows(file, segment, entry["first"], end)))
        if settled:
            self.last = read_rows(file, segments[-1], self.states, states)
        noted = [line["event"] for line in lines if "event" in line]
        events = [Event(**event | {"jump": np.array(event["jump"])}) for event in noted]
        self.recording = Recording(segments, events, self.settings)


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
    if not recording.segments:
        raise ArgumentError("there is nothing to save: the recording has no segment, and so no linkage")
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    copies = [segment.of(segment.rows) for segment in recording.segments]
    stream = Stream(partial, recording.settings, copies[0])
    try:
        stream.commit(Recording(copies, list(recording.events)), {}, False)
        os.replace(partial, path)
    except OSError as problem:
        raise RecordingError(f"cannot write {path}: {reason(problem)}") from None
    finally:
        partial.unlink(missing_ok=True)


# Notes


def _lines(file, commit: np.ndarray) -> list[dict[str, Any]]:
    """The notes up to a commit; the last one is its checkpoint."""
    return [json.loads(line) for line in file["notes"][: commit[1]].tobytes().decode().splitlines()]


def _segment(segment: Segment, first: int) -> dict[str, Any]:
    """The note of a segment that begins with state `first`."""
    try:
        linkage = _text(segment.linkage)
    except DescriptionError as problem:  # of a file that only we know of
        raise ArgumentError(f"record: {problem.args[0]}") from None
    limits = {"limits": segment.limits.tolist(), "loop_limits": segment.loop_limits.tolist()}
    return {"segment": {"first": first, "linkage": linkage, "loaded": segment.loaded, "step": segment.step} | limits}


def _text(linkage: Linkage) -> str:
    """A linkage as text of our own description."""
    from linkwork.io.yaml_linkage import one_line

    return one_line(linkage)


def _linkage(text: str) -> Linkage:
    from linkwork.io.load import load

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "linkage.yaml"
        path.write_text(text)
        return load(path)
