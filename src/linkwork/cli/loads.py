"""A note in a recording's file that loads acted, which its reaction forces would leave out."""

from __future__ import annotations

from pathlib import Path

from linkwork.errors import ArgumentError

_NOTE = "loads acted"


def note_loads(path: Path) -> None:
    """Write the note."""
    import h5py

    with h5py.File(path, "r+") as file:
        file.attrs[_NOTE] = True


def refuse_reactions(path: Path) -> None:
    """Raise where the note is there."""
    import h5py

    with h5py.File(path, "r", swmr=True, locking=False) as file:
        if _NOTE in file.attrs:
            raise ArgumentError(
                f"{path}: reactions cannot be drawn of a run with loads, which the recording does not hold"
            )
