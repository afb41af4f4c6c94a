"""Couplings: one joint's coordinate follows another's, as gears, belts and mirrored gripper fingers do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, overload

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import number

HIGHEST = 4  # degree of the polynomial of a coupling


@dataclass(frozen=True, slots=True)
class Coupling:
    """The constraint q(joint) = offset + multiplier · q(of) + … between two joints of one degree of freedom each.

    Parameters
    ----------
    joint, of : str or Joint
        The joint that follows and the one that leads.
    multiplier : float
        In rad/rad, m/rad, ... as the two joints have it.
    offset : float
        In rad or m.
    higher : sequence of float
        Coefficients of q(of)², q(of)³ and q(of)⁴, as far as given: a coupling by a polynomial, as of a cam or a knee.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> arm.couplings.append(lw.Coupling("link1", of="link0", multiplier=-2.0))
    >>> lw.mobility(arm, arm.neutral()).dof
    1
    """

    joint: str
    of: str
    multiplier: float = 1.0
    offset: float = 0.0
    higher: Sequence[float] = ()

    def __post_init__(self):
        put = object.__setattr__
        for side in ("joint", "of"):
            name = getattr(self, side)
            put(self, side, name if isinstance(name, str) else getattr(name, "name", name))
            if not isinstance(getattr(self, side), str):
                raise ArgumentError(f"{side} of a Coupling is a joint or its name, not {name!r}")
        for option in ("multiplier", "offset"):
            put(self, option, number(getattr(self, option), f"{option} of a Coupling"))
        given = self.higher
        if isinstance(given, str) or not isinstance(given, Iterable) or len(given := tuple(given)) > HIGHEST - 1:
            raise ArgumentError(
                f"higher of a Coupling is the coefficients of the powers 2 to {HIGHEST}, as far as needed, "
                f"not {self.higher!r}"
            )
        put(self, "higher", tuple(number(each, "a coefficient in higher of a Coupling") for each in given))

    @property
    def coefficients(self) -> tuple[float, ...]:
        """The polynomial of q(of), in ascending order."""
        return (self.offset, self.multiplier, *self.higher)


def check_coupling(value: Any) -> Coupling:
    """Return a coupling; raise where it is none."""
    if not isinstance(value, Coupling):
        raise ArgumentError(f"a coupling is a Coupling(joint, of, multiplier, offset, higher), not {value!r}")
    return value


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
        several = isinstance(index, slice)
        self._records[index] = [check_coupling(each) for each in value] if several else check_coupling(value)
        self._changed()

    def __delitem__(self, index: int | slice) -> None:
        del self._records[index]
        self._changed()

    def __len__(self) -> int:
        return len(self._records)

    def insert(self, index: int, value: Coupling) -> None:
        """Insert a coupling before the one at `index`."""
        self._records.insert(index, check_coupling(value))
        self._changed()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and self._records == list(other)

    def __repr__(self) -> str:
        return repr(self._records)
