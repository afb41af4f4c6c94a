"""What happens in between: actions at given times, and when a condition is met."""

from __future__ import annotations

import heapq
import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import number

WITHIN = 1e-10  # s: how closely the instant of an event is found; promised are 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that happened at one instant of a simulation.

    Attributes
    ----------
    time : float
        In s.
    cause : str
        "at", "when", "limit", "strength", "lift-off", "singular" where loops came near a singular pose, or "call" for a
        change that was asked for between steps.
    what : str
        What was done.
    jump : (nv,) array
        Change of v, in the layout after the event.
    energy_lost : float
        In J; negative where energy came in.
    """

    time: float
    cause: str
    what: str
    jump: np.ndarray
    energy_lost: float


class Condition:
    """A number that crosses zero, or a truth value that turns true, as the state moves.

    Parameters
    ----------
    function : callable
        ``function(sim)`` or ``function(t, q, v)``.
    action : callable
        ``action(sim)`` or ``action()``.
    direction : {-1, 0, 1}
        Which crossings of a number count: falling, both, rising.
    once : bool
        Whether it is done with after the first time.
    cause : str
        For the event.
    every : float
        How often it is looked at, s; after every step where that is less than one.
    """

    def __init__(
        self, function: Callable, action: Callable, *, direction: int, once: bool, cause: str = "when",
        every: float = 0.0,
    ):  # fmt: skip
        if direction not in (-1, 0, 1):
            raise ArgumentError(f"direction must be -1 (falling), 0 (both) or 1 (rising), not {direction!r}")
        self.function, self.action, self.direction, self.once, self.cause = function, action, direction, once, cause
        self.every = number(every, "every", minimum=0.0)
        self._takes_state = positional(function, "condition", (1, 3)) == 3
        self.value: float | None = None  # where the state is now; 0.0 just after it fired
        self.done = self.truth = False

    def __call__(self, sim) -> float:
        """The number now; a truth value gives −1 or 1."""
        value = self.function(sim.t, sim.q, sim.v) if self._takes_state else self.function(sim)
        if isinstance(value, bool | np.bool_):
            self.truth = True
            return 1.0 if value else -1.0
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = np.nan
        if np.isnan(number):
            raise ArgumentError(
                f"condition {title(self.function)} gave {value!r} at t = {sim.t:g} s: give a number or a truth value"
            )
        return number

    def fires(self, before: float | None, after: float) -> bool:
        """Whether going from one value to the other meets the condition."""
        if before is None:
            return False
        if self.truth:
            return before < 0.0 < after
        rises, falls = before < 0.0 <= after, before > 0.0 >= after
        return (rises and self.direction >= 0) or (falls and self.direction <= 0)


class LimitCondition(Condition):
    """The distance to the nearest hard limit: it fires wherever that is passed, even by a step that began there."""

    def fires(self, before: float | None, after: float) -> bool:
        """Whether a limit is passed at the end."""
        return after < 0.0


class Agenda:
    """Actions to come, by time, in the order they were put in; and conditions to watch."""

    def __init__(self):
        self._heap: list[tuple[float, int, Callable]] = []
        self._count = itertools.count()
        self.conditions: list[Condition] = []

    def add(self, t: float, action: Callable) -> None:
        """Put in an action."""
        heapq.heappush(self._heap, (t, next(self._count), action))

    @property
    def next_time(self) -> float:
        """When the next action is due."""
        return self._heap[0][0] if self._heap else np.inf

    def pop(self) -> Callable:
        """Take out the next action."""
        return heapq.heappop(self._heap)[2]

    @property
    def watched(self) -> list[Condition]:
        """Conditions that can still fire."""
        return [condition for condition in self.conditions if not condition.done]


def locate(
    start: float, end: float, after: float, value: Callable[[float], float], condition: Condition
) -> float:
    """The first time found at which a condition is met, at most `WITHIN` after it is.

    It is met at `end`, where its value is `after`, and not at `start`. The secant through the bracket's ends, moved
    off them as in the Illinois method, alternates with halving, so that a truth value or a kink costs little more.
    """
    before = condition.value or 0.0
    low, high, f_low, f_high = start, end, before, after
    halve = False
    while high - low > WITHIN:
        middle = 0.5 * (low + high)
        if not halve and f_low != f_high and np.isfinite(f_high - f_low):
            guess = low - f_low * (high - low) / (f_high - f_low)
            margin = 0.4 * WITHIN
            middle = min(max(guess + margin, low + margin), high - margin)
        if not low < middle < high:
            break  # times are no finer than this
        f = value(middle)
        size = high - low
        if condition.fires(before, f) or (np.sign(f) == np.sign(after) and f != 0.0):
            high, f_high = middle, f
        else:
            low, f_low = middle, f
        halve = not halve and high - low > 0.5 * size
    return high


def positional(function: Any, what: str, allowed: tuple[int, ...]) -> int:
    """How many arguments a callback takes, among the allowed numbers."""
    if not callable(function):
        raise ArgumentError(f"{what} must be callable, not {function!r}")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return max(allowed)
    for count in allowed:
        try:
            signature.bind(*range(count))
            return count
        except TypeError:
            continue
    expected = " or ".join(str(count) for count in allowed)
    raise ArgumentError(f"{what} {title(function)} must take {expected} argument(s), not {signature}")


def title(function: Any) -> str:
    """A short name of a callback."""
    return getattr(function, "__name__", None) or type(function).__name__
