"""Handles: light, frozen names for one thing of a linkage."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from linkwork.errors import ArgumentError, StructureError

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.named import Register

Record = TypeVar("Record")
T = TypeVar("T")


class Handle:
    """A linkage and an index. Equal handles name the same thing of the same linkage object."""

    __slots__ = ("index", "linkage")
    linkage: Linkage
    index: int

    def __init__(self, linkage: Linkage, index: int):
        object.__setattr__(self, "linkage", linkage)
        object.__setattr__(self, "index", index)

    def __setattr__(self, name: str, value: object) -> None:
        # Only properties with a setter may be written: they go through the linkage.
        described = getattr(type(self), name, None)
        if not isinstance(described, property) or described.fset is None:
            kind = type(self)
            can = [other for other in dir(kind) if getattr(getattr(kind, other), "fset", None) is not None]
            hint = f"; what can is {', '.join(can)}" if can else ""
            raise AttributeError(f"{name!r} of a {kind.__name__} cannot be set{hint}")
        described.fset(self, value)

    def __getstate__(self) -> dict[str, object]:
        slots = [name for cls in type(self).__mro__ for name in getattr(cls, "__slots__", ())]
        return {name: getattr(self, name) for name in slots}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def _key(self) -> Hashable:
        return id(self.linkage), self.index

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))


class RecordHandle(Handle, Generic[Record]):
    """Handle of something that a register holds. It stays valid until that is removed, whatever else is."""

    __slots__ = ("uid",)
    uid: int
    _kind: ClassVar[str]  # what it is called in errors
    _removed: ClassVar[str]  # what has happened to it once it is gone

    def __init__(self, linkage: Linkage, index: int):
        super().__init__(linkage, index)
        object.__setattr__(self, "uid", self._register.records[index].uid)

    @property
    def _register(self) -> Register[Any]:
        raise NotImplementedError

    def _place(self) -> int:
        """Return where it is in the register now; raise when it is gone."""
        for place, record in enumerate(self._register.records):
            if record.uid == self.uid:
                return place
        raise StructureError(f"the {self._kind} that this handle was made for has been {self._removed}")

    @property
    def _record(self) -> Record:
        return self._register.records[self._place()]

    def _key(self) -> Hashable:
        return id(self.linkage), self.uid

    @property
    def name(self) -> str:
        """Its name."""
        return self._register.names[self._place()]

    def _summary(self) -> str:
        """What `repr` says of it."""
        raise NotImplementedError

    def __repr__(self) -> str:
        gone = all(record.uid != self.uid for record in self._register.records)
        return f"{type(self).__name__}({self._removed if gone else self._summary()})"


class Recorded(Generic[T]):
    """A field of the record behind a handle, as an attribute of the same name."""

    def __init__(self, doc: str):
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, handle: Any, kind: type | None = None) -> T:
        return self if handle is None else getattr(handle._record, self._name)  # pyright: ignore[reportReturnType]


def check_own(handle: Handle, linkage: Any) -> None:
    """Refuse a handle of another linkage."""
    if handle.linkage is not linkage:
        raise ArgumentError(f"{handle!r} belongs to another linkage: give its name, or a handle of this one")
