"""Couplings: one joint's coordinate follows another's, as gears, belts and mirrored gripper fingers do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence
from dataclasses import dataclass
from typing import Any, overload


@dataclass(frozen=True, slots=True)
class Coupling:
    """The constraint q(joint) = multiplier · q(of) + offset between two joints of one degree of freedom each.

    Parameters
    ----------
    joint, of : str
        Names of the joint that follows and of the one that leads.
    multiplier : float
        In rad/rad, m/rad, ... as the two joints have it.
    offset : float
        In rad or m.
    """

    joint: str
    of: str
    multiplier: float = 1.0
    offset: float = 0.0


class Couplings(MutableSequence[Coupling]):
    """The couplings of a linkage: a list that calls `changed` after every change."""

    __slots__ = ("_changed", "_records")

    def __init__(self, records: list[Coupling], changed: Callable[[], None]):
        self._records, self._changed = records, changed

    @overload
    def __getitem__(self, index: int) -> Coupling: ...
    @overload
    def __getitem__(self, index: slice) -> list[Coupling]: ...
    def __getitem__(self, index):
        return self._records[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._records[index] = value
        self._changed()

    def __delitem__(self, index: int | slice) -> None:
        del self._records[index]
        self._changed()

    def __len__(self) -> int:
        return len(self._records)

    def insert(self, index: int, value: Coupling) -> None:
        """Insert a coupling before the one at `index`."""
        self._records.insert(index, value)
        self._changed()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and self._records == list(other)

    def __repr__(self) -> str:
        return repr(self._records)
