"""Handles: light, frozen names for one thing of a linkage."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


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
