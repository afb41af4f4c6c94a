"""The HDF5 files of recordings: how they are laid out, opened, written and read.

See `linkwork.simulation.storage` for what is in them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.simulation.segment import FIELDS, Segment

_CHUNK = 1 << 16  # bytes of a chunk of states, at most
_COLUMNS = 64  # of a chunk, at most


def create(path: Path, segment: Segment) -> None:
    """Make an empty file, laid out for the widths of a segment."""
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


def size_of(segment: Segment) -> int:
    """Bytes that the states of a segment may take, whole chunks being written."""
    total = 0
    for width in segment.widths.values():
        rows, columns = _chunk(width)
        total += 8 * (segment.held + 2 * rows) * columns * -(-width // columns)
    return total


@contextmanager
def writing(path: Path) -> Iterator[Any]:
    """The file, open as its single writer.

    It is opened as such by h5py's lower calls: ``File(path, "r+")`` would first mark it as open for an ordinary write,
    and a process that is killed before ``swmr_mode = True`` leaves a file that HDF5 reads no more.
    """
    import h5py

    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    access.set_file_locking(False, True)  # readers may have it open meanwhile
    flags = h5py.h5f.ACC_RDWR | h5py.h5f.ACC_SWMR_WRITE
    with h5py.File(h5py.h5f.open(os.fsencode(path), flags, access)) as file:
        yield file


@contextmanager
def reading(path: Path) -> Iterator[Any]:
    """The file, open to be read, even where it was left while it was being written."""
    import h5py

    if not path.exists():
        raise FileNotFoundError(2, "there is no such file", str(path))
    options = {"swmr": True, "libver": "latest", "locking": False} if marked(path) else {}
    with h5py.File(path, "r", **options) as file:
        yield file


def marked(path: Path) -> bool:
    """Whether the file is being written, or was left then; what is no whole HDF5 file raises `OSError`."""
    import h5py

    try:
        with h5py.File(path, "r"):
            return False
    except OSError as problem:
        if "already open for" not in str(problem):  # write, or SWMR write
            raise
        return True


def rewrite(path: Path, segment: Segment) -> None:
    """Make a marked file anew from what can be read of it; the new one takes its place at once."""
    partial = path.with_name(path.name + ".partial")
    create(partial, segment)
    with reading(path) as old, writing(partial) as new:
        count = len(old["commits"])
        states, notes, _ = old["commits"][-1]
        for name in (*FIELDS, "notes"):
            total = int(notes if name == "notes" else states)
            for first in range(0, total, _CHUNK):
                put(new[name], first, old[name][first : min(total, first + _CHUNK)])
        put(new["commits"], 0, old["commits"][:count])
    os.replace(partial, path)


def put(dataset, first: int, values: np.ndarray) -> None:
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


def read_rows(file, segment: Segment, first: int, last: int) -> np.ndarray:
    """States first … last − 1 as rows of a segment."""
    rows = np.empty((last - first, segment.width))
    for name, columns in segment.fields.items():
        width = segment.widths[name]
        found = file[name][first:last] if name == "t" else file[name][first:last, :width]
        rows[:, columns] = found.reshape(last - first, width)
    return rows


def take_room(path: Path, size: int) -> None:
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


def reason(problem: OSError) -> str:
    """What the system said; HDF5 hides its number in a long message."""
    hidden = re.search(r"errno = (\d+)", str(problem))
    code = problem.errno or (int(hidden[1]) if hidden else None)
    return os.strerror(code) if code else problem.strerror or str(problem)
