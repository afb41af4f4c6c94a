"""First child and next brother of every body: the pointers of [Nakamura2000], at constant time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage

NONE = -1


class Family(NamedTuple):
    """Who hangs on whom, for one structure of a linkage."""

    revision: int
    child: list[int]  # the first body on each body; ground's is the last entry
    brother: list[int]  # the next body on the same parent


def family_of(linkage: Linkage) -> Family:
    """The pointers of the present structure, made once for each."""
    if linkage._family is None or linkage._family.revision != linkage.revision:
        parent = linkage.columns.parent.tolist()
        child, brother = [NONE] * (len(parent) + 1), [NONE] * len(parent)
        for body in range(len(parent) - 1, -1, -1):
            brother[body], child[parent[body]] = child[parent[body]], body  # ground's index, −1, is the last entry
        linkage._family = Family(linkage.revision, child, brother)
    return linkage._family
