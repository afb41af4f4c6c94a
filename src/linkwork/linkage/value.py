"""Immutable values made of arrays, such as poses and inertias."""

from __future__ import annotations

from typing import Any, Self

import numpy as np


class ArrayValue:
    """Base of frozen dataclasses of floats and read-only arrays: equal by content, hashable, shared by copies."""

    __slots__ = ()

    def _set(self, *values: Any) -> None:
        """Set the fields, in order, to numbers and fresh arrays."""
        for name, value in zip(self.__slots__, values, strict=True):
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)

    @classmethod
    def trusted(cls, *values: Any) -> Self:
        """Make a value of numbers and fresh arrays that are known to be right."""
        made = object.__new__(cls)
        made._set(*values)
        return made

    def _values(self) -> list[Any]:
        return [getattr(self, name) for name in self.__slots__]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return all(np.array_equal(a, b) for a, b in zip(self._values(), other._values(), strict=True))

    def __hash__(self) -> int:
        # Adding 0.0 maps -0.0 to 0.0: equal values must have equal hashes.
        return hash(tuple((np.asarray(value) + 0.0).tobytes() for value in self._values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), *self._values())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def _restore(kind: type[ArrayValue], *values: Any) -> ArrayValue:
    return kind.trusted(*(np.array(value) if isinstance(value, np.ndarray) else value for value in values))
