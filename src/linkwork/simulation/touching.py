"""What touches in a simulation, as a user sees it; and how the touching is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.kernels.contact.modes import MODES, OPEN, SLIP, STICK
from linkwork.kernels.layout.shapes import C_GAP, C_NORMAL, C_PAIR, C_POINT
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.event_stepping import EventStepper
from linkwork.simulation.stepper import Stepper
from linkwork.simulation.time_stepping import TimeStepper, Touching

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine

CHOICES = ("auto", "events", "time-stepping")


@dataclass(frozen=True, slots=True, eq=False)
class PairContact:
    """Two shapes that touch, or are near enough to.

    Attributes
    ----------
    a, b : str
        Their names; forces are those on b.
    gap : float
        The least distance between them, m; negative where they overlap.
    mode : str
        "open", "stick" where one of the points sticks, or "slip".
    normal : float
        The normal force, N, over all points.
    friction : (3,) array
        The friction on b, N, world axes.
    direction : (3,) array
        Unit normal from a to b, world axes, at the nearest point.
    points : (n, 3) array
        Where they touch, m, world axes; and `forces` (n, 3), N, on b there.
    """

    a: str
    b: str
    gap: float
    mode: str
    normal: float
    friction: np.ndarray
    direction: np.ndarray
    points: np.ndarray
    forces: np.ndarray

    def __repr__(self) -> str:
        return f"PairContact({self.b!r} on {self.a!r}, gap={self.gap:.3g} m, {self.mode}, normal={self.normal:.4g} N)"


class Contacts(Sequence[PairContact]):
    """Pairs of shapes: by number, by the name of one of the shapes where that is in one pair, or by both names.

    Attributes
    ----------
    method : str
        "events" or "time-stepping".
    """

    def __init__(self, pairs: list[PairContact], method: str):
        self._pairs, self.method = pairs, method

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Iterator[PairContact]:
        return iter(self._pairs)

    @overload
    def __getitem__(self, key: int | str | tuple[str, str]) -> PairContact: ...
    @overload
    def __getitem__(self, key: slice) -> list[PairContact]: ...
    def __getitem__(self, key):
        if isinstance(key, int | slice):
            return self._pairs[key]
        wanted = {key} if isinstance(key, str) else set(key)
        found = [pair for pair in self._pairs if wanted <= {pair.a, pair.b}]
        if len(found) == 1:
            return found[0]
        names = sorted({name for pair in self._pairs for name in (pair.a, pair.b)})
        for name in wanted:
            if name not in names:
                raise unknown_name("shape that touches, or may", name, names)
        count = "no pair" if not found else f"{len(found)} pairs"
        raise ArgumentError(f"{' and '.join(map(repr, sorted(wanted)))} are in {count}: give the names of both shapes")

    @property
    def gap(self) -> np.ndarray:
        """(n,) gaps, m."""
        return np.array([pair.gap for pair in self._pairs])

    @property
    def mode(self) -> list[str]:
        """Modes."""
        return [pair.mode for pair in self._pairs]

    @property
    def normal(self) -> np.ndarray:
        """(n,) normal forces, N."""
        return np.array([pair.normal for pair in self._pairs])

    @property
    def friction(self) -> np.ndarray:
        """(n, 3) friction, N, world axes."""
        return np.array([pair.friction for pair in self._pairs]).reshape(-1, 3)

    def __repr__(self) -> str:
        return f"<{len(self)} pairs of shapes, {self.method}: {', '.join(map(repr, self._pairs[:4]))}>"


def gathered(names: list[tuple[str, str]], near: np.ndarray, touching: Touching, h: float) -> list[PairContact]:
    """Contacts by pairs: what is near, and what acts in a step of size h."""
    forces = np.einsum("nij,ni->nj", touching.frames, touching.impulses) / h
    acting = touching.rows[:, C_PAIR].astype(np.int64)
    close = near[:, C_PAIR].astype(np.int64)
    pairs = []
    for p in sorted({*acting.tolist(), *close.tolist()}):
        mine, there = acting == p, near[close == p]
        rows = touching.rows[mine]
        nearest = min((*there, *rows), key=lambda row: row[C_GAP])
        modes, f_n = touching.modes[mine], float(touching.impulses[mine, 0].sum()) / h
        mode = STICK if (modes == STICK).any() else SLIP if (modes == SLIP).any() else OPEN
        normals = rows[:, C_NORMAL : C_NORMAL + 3] * (touching.impulses[mine, :1] / h)
        friction = forces[mine].sum(axis=0) - normals.sum(axis=0)
        direction, gap = nearest[C_NORMAL : C_NORMAL + 3].copy(), float((there if len(there) else rows)[:, C_GAP].min())
        points = rows[:, C_POINT : C_POINT + 3].copy()
        a, b = names[p]
        pairs.append(PairContact(a, b, gap, MODES[mode], f_n, friction, direction, points, forces[mine]))
    return pairs


def contacts_now(engine: Engine) -> Contacts:
    """The contacts of a simulation at its present state."""
    engine.refresh()
    stepper = engine.stepper
    if isinstance(stepper, EventStepper):
        stepper.begin(engine)
        return Contacts(gathered(stepper.pair_names(), stepper.gaps(), stepper.touching(), 1.0), stepper.contacts)
    if not isinstance(stepper, TimeStepper):
        return Contacts([], stepper.contacts)
    pairs = gathered(stepper.pair_names(), stepper.gaps(), stepper.touching(), stepper.dt)
    return Contacts(pairs, stepper.contacts)


def stepper_for(linkage: Linkage, contacts: str) -> type[Stepper]:
    """What makes the steps of a linkage whose shapes touch in this way."""
    if contacts not in CHOICES:
        raise unknown_name("way of contacts", contacts, CHOICES)
    if contacts == "time-stepping" or (contacts == "auto" and len(linkage.shapes)):
        return TimeStepper
    return EventStepper if len(linkage.shapes) else Stepper
