"""The file of a sweep: rows in the order in which they came, and how far it can be trusted.

Datasets grow by rows: ``runs`` (n,) the numbers of the runs, ``numbers`` (n, keys) what they were given, ``values``
(n, columns) what came out, ``seconds`` (n,), ``errors`` (n,) the number of the error's text, or −1. ``notes`` are lines
of JSON: what the sweep is, and texts of errors, each once. ``files`` are recordings one after the other, ``places``
(n, 2) where each begins and ends there. A row of ``commits`` (rows, bytes of notes, bytes of files) is added each time
all this was written; what lies beyond the last one does not count. Files are opened as those of recordings are, so that
a killed process leaves one that can be read and gone on with: see `linkwork.simulation.storage`.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, DescriptionError, RecordingError
from linkwork.simulation.hdf5 import marked, put, reading, reason, take_room, writing
from linkwork.sweeps.job import Rows

FORMAT = 1
INTERVAL = 1.0  # s between commits
PENDING = 1 << 22  # bytes in memory before one
MOST_TEXTS = 100_000  # texts of errors that are told apart
_BYTES = 1 << 16  # of a chunk, about
_SPARE = 1 << 20  # bytes that a commit may need beyond the data
_COLUMNS = {"runs": "i8", "numbers": "f8", "values": "f8", "seconds": "f8", "errors": "i4", "places": "i8"}


class Store:
    """A file that rows are written to as they come.

    Attributes
    ----------
    done : (size,) array of bool
        Which runs are in the file, or will be with the next commit.
    """

    def __init__(self, path: Path, header: dict[str, Any], size: int):
        self.path, self.done = path, np.zeros(size, dtype=bool)
        self._texts: dict[str, int] = {}
        self._notes, self._commit = [{"linkwork sweep": FORMAT, **header}], [0, 0, 0]
        self._begin()
        try:
            _create(path, len(header["keys"]), len(header["columns"]))
        except OSError as problem:
            raise ArgumentError(f"cannot write {path}: {reason(problem)}") from None
        self.commit()

    @classmethod
    def reopen(cls, path: Path, header: dict[str, Any], size: int) -> Store:
        """Go on with the file of the same sweep."""
        found = Contents(path)
        _refuse_other(path, found.header, header)
        store = cls.__new__(cls)
        store.path, store.done = path, np.zeros(size, dtype=bool)
        store.done[found.runs] = True
        store._texts = {text: k for k, text in enumerate(found.texts)}
        store._notes, store._commit = [], found.commit
        store._begin()
        try:
            if marked(path):
                _rewrite(path, found)
        except OSError as problem:
            raise ArgumentError(f"cannot go on with {path}: {reason(problem)}") from None
        return store

    def _begin(self) -> None:
        self._pending: list[tuple[Rows, np.ndarray]] = []
        self._bytes, self._last = 0, time.monotonic()

    def add(self, rows: Rows) -> int:
        """Take rows, those of runs that are there already apart; return how many."""
        fresh = ~self.done[rows.runs]
        self.done[rows.runs] = True
        if fresh.any():
            self._pending.append((rows, fresh))
            self._bytes += rows.values.nbytes + rows.numbers.nbytes + 32 * len(rows.runs)
            self._bytes += sum(map(len, rows.files.values()))
        if self._bytes > PENDING or time.monotonic() - self._last > INTERVAL:
            self.commit()
        return int(fresh.sum())

    def commit(self) -> None:
        """Write all rows that are not in the file yet."""
        if not self._pending and not self._notes:
            return
        columns: dict[str, Any] = {}
        first, at_note, at_file = self._commit
        blobs: list[bytes] = []
        if self._pending:
            for name in ("runs", "numbers", "values", "seconds"):
                columns[name] = np.concatenate([getattr(rows, name)[fresh] for rows, fresh in self._pending])
            parts = [self._extras(rows, fresh, blobs) for rows, fresh in self._pending]
            columns["errors"] = np.concatenate([errors for errors, _ in parts])
            ends = at_file + np.cumsum(np.concatenate([lengths for _, lengths in parts]))
            columns["places"] = np.column_stack([np.concatenate([[at_file], ends[:-1]]), ends])
        notes = "".join(json.dumps(note) + "\n" for note in self._notes).encode()
        files = np.frombuffer(b"".join(blobs), dtype=np.uint8)
        size = sum(values.nbytes for values in columns.values()) + len(notes) + len(files)
        try:
            take_room(self.path, 2 * size + _SPARE)
            with writing(self.path) as file:
                for name, values in columns.items():
                    put(file[name], first, values)
                put(file["notes"], at_note, np.frombuffer(notes, dtype=np.uint8))
                if len(files):
                    put(file["files"], at_file, files)
                file.flush()
                count = len(columns["runs"]) if columns else 0
                row = [first + count, at_note + len(notes), at_file + len(files)]
                put(file["commits"], len(file["commits"]), np.array([row]))
                file.flush()
        except OSError as problem:
            raise RecordingError(
                f"cannot write {self.path}: {reason(problem)}; it holds {first:,} runs, and resuming goes on from there"
            ) from None
        self._notes, self._commit = [], row
        self._begin()

    def _extras(self, rows: Rows, fresh: np.ndarray, blobs: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of the errors, and how long the files are, which are added to `blobs`."""
        errors, lengths = np.full(len(fresh), -1, dtype=np.int32), np.zeros(len(fresh), dtype=np.int64)
        for row, text in rows.errors.items():
            errors[row] = self._number(text)
        for row, data in sorted(rows.files.items()):
            lengths[row] = len(data)
            blobs += [data] if fresh[row] else []
        return errors[fresh], lengths[fresh]

    def _number(self, text: str) -> int:
        """The number of an error's text."""
        if text not in self._texts and len(self._texts) >= MOST_TEXTS:
            text = "more kinds of errors than a table can hold"
        if text not in self._texts:
            self._texts[text] = len(self._texts)
            self._notes.append({"error": text})
        return self._texts[text]


class Contents:
    """What the file of a sweep holds up to its last commit.

    Attributes
    ----------
    header : dict
    texts : list of str
        Of errors.
    runs, numbers, values, seconds, errors, places : arrays
        In the order of the runs.
    commit : list of int
    """

    runs: np.ndarray
    numbers: np.ndarray
    values: np.ndarray
    seconds: np.ndarray
    errors: np.ndarray
    places: np.ndarray

    def __init__(self, path: Path):
        try:
            with reading(path) as file:
                if "commits" not in file or "values" not in file or not len(file["commits"]):
                    raise DescriptionError("this is no linkwork sweep", file=path)
                self.commit = file["commits"][-1].tolist()
                lines = file["notes"][: self.commit[1]].tobytes().decode().splitlines()
                found = {name: file[name][: self.commit[0]] for name in _COLUMNS}
        except OSError as problem:
            raise DescriptionError(f"cannot read the sweep: {reason(problem)}", file=path) from None
        self.header, *others = [json.loads(line) for line in lines]
        if self.header.get("linkwork sweep") != FORMAT:
            raise DescriptionError(
                f"this sweep has format {self.header.get('linkwork sweep')}, and this version of linkwork reads format "
                f"{FORMAT}: read it with the version that wrote it",
                file=path,
            )
        self.texts = [note["error"] for note in others]
        order = np.argsort(found["runs"], kind="stable")
        for name, values in found.items():
            setattr(self, name, values[order])


def is_sweep(path: Path) -> bool:
    """Whether a file is that of a sweep."""
    try:
        with reading(path) as file:
            return "commits" in file and "values" in file and "numbers" in file
    except OSError:
        return False


def _create(path: Path, keys: int, columns: int) -> None:
    import h5py

    widths = {"runs": None, "numbers": keys, "values": columns, "seconds": None, "errors": None, "places": 2}
    with h5py.File(path, "w", libver="latest") as file:
        for name, kind in _COLUMNS.items():
            width = widths[name]
            rows = max(16, _BYTES // (8 * max(1, width or 1)))
            shape, chunk = ((0,), (8192,)) if width is None else ((0, width), (rows, max(1, width)))
            limit = (None,) if width is None else (None, max(1, width))
            file.create_dataset(name, shape, kind, maxshape=limit, chunks=chunk)
        for name in ("notes", "files"):
            file.create_dataset(name, (0,), "u1", maxshape=(None,), chunks=(_BYTES,))
        file.create_dataset("commits", (0, 3), "i8", maxshape=(None, 3), chunks=(256, 3))


def _rewrite(path: Path, found: Contents) -> None:
    """Make a file anew that was left while it was being written; the new one takes its place at once."""
    partial = path.with_name(path.name + ".partial")
    _create(partial, found.numbers.shape[1], found.values.shape[1])
    counts: dict[str, int] = dict.fromkeys(_COLUMNS, int(found.commit[0]))
    counts |= {"notes": found.commit[1], "files": found.commit[2]}
    with reading(path) as old, writing(partial) as new:
        for name, total in counts.items():
            for first in range(0, total, _BYTES):
                put(new[name], first, old[name][first : min(total, first + _BYTES)])
        put(new["commits"], 0, np.array([found.commit]))
    os.replace(partial, path)


def _refuse_other(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise where a file is that of another sweep."""
    plain = json.loads(json.dumps(wanted))
    for key, what in (("version", "the version of linkwork"), ("source", "what is run"), ("space", "its values or its "
                      "seed"), ("columns", "the outputs"), ("how", "how runs are made")):  # fmt: skip
        if found.get(key) != plain.get(key):
            hint = f" ({found.get(key)} then, {plain.get(key)} now)" if key in ("version", "how") else ""
            raise ArgumentError(f"{path} cannot be resumed: {what} has changed since{hint}; give another file")
