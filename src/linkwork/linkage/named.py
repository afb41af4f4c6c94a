"""Ordered collections that are read by name or by index."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

from linkwork.errors import ArgumentError, NoSuchIndexError, unknown_name
from linkwork.linkage.checks import text

T = TypeVar("T")


class Named(Generic[T]):
    """A live, ordered view: `len`, iteration, `in`, `[name]`, `[index]`, `.names`.

    Parameters
    ----------
    kind : str
        What the things are called in errors.
    names : sequence of str
        Their names in order.
    index : mapping
        From name to position.
    make : callable
        Makes the thing at a position.
    """

    __slots__ = ("_index", "_kind", "_make", "_names")

    def __init__(self, kind: str, names: Sequence[str], index: Mapping[str, int], make: Callable[[int], T]):
        self._kind, self._names, self._index, self._make = kind, names, index, make

    @property
    def names(self) -> list[str]:
        """The names in order (a copy)."""
        return list(self._names)

    @overload
    def __getitem__(self, key: slice) -> list[T]: ...
    @overload
    def __getitem__(self, key: str | int) -> T: ...
    def __getitem__(self, key):
        if isinstance(key, slice):
            return [self._make(i) for i in range(len(self))[key]]
        if isinstance(key, str):
            if key not in self._index:
                raise unknown_name(self._kind, key, self._names)
            return self._make(self._index[key])
        try:
            position = range(len(self))[key]
        except TypeError:
            raise ArgumentError(f"a {self._kind} is found by name or index, not by {key!r}") from None
        except IndexError:
            raise NoSuchIndexError(f"there is no {self._kind} {key}: there are {len(self)}") from None
        return self._make(position)

    def _ipython_key_completions_(self) -> list[str]:
        return self.names

    def __iter__(self) -> Iterator[T]:
        return (self._make(i) for i in range(len(self)))

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            return key in self._index
        position = getattr(key, "index", None)
        return isinstance(position, int) and 0 <= position < len(self) and self._make(position) == key

    def __repr__(self) -> str:
        shown = ", ".join(repr(name) for name in self._names[:6])
        return f"<{len(self)} {self._kind} names: {shown}{', ...' if len(self) > 6 else ''}>"


class Register(Generic[T]):
    """Records by name, in order of adding."""

    __slots__ = ("index", "names", "records")

    def __init__(self):
        self.names: list[str] = []
        self.index: dict[str, int] = {}
        self.records: list[T] = []

    def add(self, name: str, record: T) -> None:
        """Append a record under an unused name."""
        self.index[name] = len(self.names)
        self.names.append(name)
        self.records.append(record)

    def remove(self, name: str) -> T:
        """Remove a record; the others keep their order."""
        place = self.index[name]
        del self.names[place]
        record = self.records.pop(place)
        self.index.clear()
        self.index.update((other, k) for k, other in enumerate(self.names))
        return record

    def copy(self) -> Register[T]:
        """Return an independent register; the records, which are immutable, are shared."""
        other: Register[T] = Register()
        other.names, other.index, other.records = self.names.copy(), self.index.copy(), self.records.copy()
        return other

    def __len__(self) -> int:
        return len(self.names)


def new_name(name: str, what: str, kind: str, taken: Iterable[Container[str]]) -> str:
    """Return the name given as argument `what`, checked to be a string that nothing else has."""
    name = text(name, what)
    if any(name in names for names in taken):
        raise ArgumentError(f"there is already a {kind} named {name!r}; names must be unique")
    return name


def underscored(name: str, *taken: Container[str]) -> str:
    """Return `name`, followed by as many underscores as it takes to be new."""
    while any(name in names for names in taken):
        name += "_"
    return name


def unused_name(base: str, taken: Iterable[Container[str]]) -> str:
    """Return `base`, or the first of base-2, base-3, ... that nothing else has."""
    name, count = base, 2
    while any(name in names for names in taken):
        name, count = f"{base}-{count}", count + 1
    return name
