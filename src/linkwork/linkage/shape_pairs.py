"""Which shapes meet, and how the two of a pair rub and bounce together.

By default shapes of different bodies meet that no joint joins, a `Free` one apart; `Linkage.meet` and `Linkage.part`
say otherwise. A pair's friction is the smaller of the two, its restitution the larger.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.kernels.layout.kinds import FREE
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.shapes import Ball, Capsule, Point, Shape, rubbing

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


class Meeting(NamedTuple):
    """What a user said of a pair: whether it meets, and what it has of its own (None: as of its shapes)."""

    meets: bool
    friction: float | None = None
    static_friction: float | None = None
    restitution: float | None = None


class ShapePair(NamedTuple):
    """Two shapes that meet, by their numbers; contact forces push `b` away from `a`.

    A surface comes first, else a ball, else a capsule: what is round is a surface for the other one.
    """

    a: int
    b: int
    friction: float
    static_friction: float
    restitution: float


def meet(
    linkage: Linkage,
    a: str | Shape,
    b: str | Shape,
    friction: float | None,
    static_friction: float | None,
    restitution: float | None,
) -> None:
    """Let two shapes meet; see `Linkage.meet`."""
    i, j = _both(linkage, a, b)
    one, other = linkage._shapes.records[i], linkage._shapes.records[j]
    names = f"{linkage._shapes.names[i]!r} and {linkage._shapes.names[j]!r}"
    if one.body == other.body:
        owner = linkage._body_at(one.body).name
        raise StructureError(f"shapes {names} belong to the same body, {owner!r}: they never meet")
    if isinstance(one.shape, Implicit) and isinstance(other.shape, Implicit):
        raise ArgumentError(f"shapes {names} are both surfaces: only a solid such as Ball or Box meets a surface")
    if isinstance(one.shape, Point) and isinstance(other.shape, Point):
        raise ArgumentError(f"shapes {names} are both points, which never touch: make one of them a Ball")
    if friction is not None or static_friction is not None:
        smaller = min(one.friction, other.friction) if friction is None else friction
        smaller, static, _ = rubbing(f"pair {names}", smaller, static_friction)
        friction = None if friction is None else smaller
        static_friction = static
    if restitution is not None:
        restitution = rubbing(f"pair {names}", 0.0, None, restitution)[2]
    linkage._meetings[_key(linkage, i, j)] = Meeting(True, friction, static_friction, restitution)
    linkage._changed()


def part(linkage: Linkage, a: str | Shape, b: str | Shape) -> None:
    """Let two shapes pass through each other; see `Linkage.part`."""
    linkage._meetings[_key(linkage, *_both(linkage, a, b))] = Meeting(False)
    linkage._changed()


def shape_pairs(linkage: Linkage) -> Iterator[ShapePair]:
    """The pairs that meet, in order of their shapes."""
    records = linkage._shapes.records
    joined = _joined(linkage) if len(records) else set()
    for j, later in enumerate(records):
        for i in range(j):
            a, b, one, other = i, j, records[i], later
            if _first(other.shape) < _first(one.shape):
                a, b, one, other = j, i, later, records[i]
            said = linkage._meetings.get(_key(linkage, i, j)) if linkage._meetings else None
            if said is None:
                if one.body == other.body or (one.body, other.body) in joined or _never(one.shape, other.shape):
                    continue
                said = Meeting(True)
            if said.meets:
                yield _pair(a, b, one, other, said)


def _pair(a: int, b: int, one: Any, other: Any, said: Meeting) -> ShapePair:
    friction = min(one.friction, other.friction) if said.friction is None else said.friction
    static = min(one.static_friction, other.static_friction) if said.friction is None else friction
    static = static if said.static_friction is None else said.static_friction
    restitution = max(one.restitution, other.restitution) if said.restitution is None else said.restitution
    return ShapePair(a, b, friction, static, restitution)


def _first(shape: Any) -> int:
    """Which of two shapes is the first of a pair: that with the smaller number."""
    return next((k for k, kind in enumerate((Implicit, Ball, Capsule)) if isinstance(shape, kind)), 3)


def _never(one: Any, other: Any) -> bool:
    """Whether two shapes cannot touch: two surfaces, which have no end, or two points, which have no size."""
    return any(isinstance(one, kind) and isinstance(other, kind) for kind in (Implicit, Point))


def _joined(linkage: Linkage) -> set[tuple[int, int]]:
    """Pairs of bodies, either way round, that a tree joint or a loop joint joins."""
    columns = linkage.columns
    pairs = [(p, i) for i, (p, code) in enumerate(zip(columns.parent.tolist(), columns.code, strict=True))
             if code != FREE]  # fmt: skip
    pairs += [(loop.a, loop.b) for loop in linkage._loops.records]
    return {pair for i, j in pairs for pair in ((i, j), (j, i))}


def _both(linkage: Linkage, a: str | Shape, b: str | Shape) -> tuple[int, int]:
    register, places = linkage._shapes, []
    for shape in (a, b):
        name = shape.name if isinstance(shape, Shape) and shape.linkage is linkage else shape
        if not isinstance(name, str) or name not in register.index:
            raise unknown_name("shape", name, register.names)
        places.append(register.index[name])
    if places[0] == places[1]:
        raise ArgumentError(f"shape {register.names[places[0]]!r} cannot meet itself")
    return places[0], places[1]


def _key(linkage: Linkage, i: int, j: int) -> frozenset[int]:
    """How `meet` and `part` are kept: by the shapes' own numbers, which never change."""
    records = linkage._shapes.records
    return frozenset((records[i].uid, records[j].uid))
