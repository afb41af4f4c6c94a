"""What is to happen on the way: actions at given times, and when a condition is met."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, DivergedError
from linkwork.linkage.checks import number
from linkwork.simulation.arguments import positional, title
from linkwork.simulation.segment import Segment
from linkwork.simulation.stepper import Mark, Stepper

AT_ONCE = 10_000  # actions at one instant, or conditions that are met within dt; more are taken for a mistake
SHORTEST = 1e-9  # s: steps that are not cut where a condition leaps
WITHIN = 1e-10  # s: how closely the instant of an event is found; promised are 1e-9
_MET, _NOT_MET = np.ones(1), np.zeros(1)


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
        For the event; empty where the action makes its own.
    every : float
        How often it is looked at, s; after every step where that is less than one.
    """

    lasting = True  # whether its value after one step is that before the next
    within = WITHIN  # s: how closely its instant is found

    def __init__(
        self, function: Callable, action: Callable, *, direction: int, once: bool, cause: str = "when",
        every: float = 0.0,
    ):  # fmt: skip
        if direction not in (-1, 0, 1):
            raise ArgumentError(f"direction must be -1 (falling), 0 (both) or 1 (rising), not {direction!r}")
        self.function, self.action, self.direction, self.once, self.cause = function, action, direction, once, cause
        self.every = number(every, "every", minimum=0.0)
        self.takes_state = positional(function, "condition", (1, 3)) == 3
        self.value: float | None = None  # at the present state; 0.0 just after it fired
        self.done = self.truth = False

    def __call__(self, sim: Any) -> float:
        """The number now."""
        return self.number(self.function(sim.t, sim.q, sim.v) if self.takes_state else self.function(sim), sim.t)

    def number(self, value: Any, t: float) -> float:
        """The number that the function gave at time t; a truth value gives −1 or 1."""
        if isinstance(value, float) and value == value:
            return value
        if isinstance(value, bool | np.bool_):
            self.truth = True
            return 1.0 if value else -1.0
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = np.nan
        if np.isnan(number):
            raise ArgumentError(
                f"condition {title(self.function)} gave {value!r} at t = {t:g} s: give a number or a truth value"
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

    def sought(self, value: float) -> float:
        """What is zero at the instant that is looked for, where its value, the last one found, is this."""
        return value

    def leaps(self) -> bool:
        """Whether it has passed zero at the instant found without having been near it: the step was too long."""
        return False


class Agenda:
    """Actions to come, by time, in the order they were put in; and conditions to watch while the stepper moves.

    Parameters
    ----------
    sim : Simulation
        What conditions are given.
    stepper : Stepper
    evaluate : callable
        ``evaluate(condition)`` gives its value at the stepper's state.
    fire : callable
        ``fire(condition)`` does its action.

    Attributes
    ----------
    conditions : list of Condition
        Those of the user; `automatic` are those that come with contacts that lift off.
    close : list of Condition
        Watched only step by step: hard limits and strengths, which compiled steps watch by themselves, and what leans
        on a limit.
    count : int
        Of actions and conditions that were ever put in.
    half_done : bool
        Whether an action failed midway, so that its step cannot be taken back.
    waiting : list
        Values and ends of conditions before the run was resumed, for those that are put in again.
    """

    def __init__(
        self, sim: Any, stepper: Stepper, evaluate: Callable[[Condition], float], fire: Callable[[Condition], None]
    ):
        self._sim, self._stepper, self._evaluate, self._fire = sim, stepper, evaluate, fire
        self._heap: list[tuple[float, int, Callable]] = []
        self.count = 0
        self._fired, self._since = 0, -np.inf  # conditions that were met within dt, and from when on
        self._closely = -np.inf  # until then conditions are looked at after every step
        self.half_done = False
        self.conditions: list[Condition] = []
        self.waiting: list[list] = []
        self.attend([], [])

    def attend(self, automatic: list[Condition], close: list[Condition]) -> None:
        """Watch these besides the conditions of the user."""
        self.automatic, self.close = automatic, close
        self._list_watched()

    def _list_watched(self) -> None:
        self.watched = [condition for condition in self.conditions if not condition.done] + self.automatic

    def __getstate__(self) -> dict[str, Any]:
        """All but what `attend` gives."""
        return self.__dict__ | {"automatic": [], "close": [], "watched": []}

    # Actions

    def add(self, t: float, action: Callable) -> None:
        """Put in an action."""
        self.count += 1
        heapq.heappush(self._heap, (t, self.count, action))

    @property
    def next_time(self) -> float:
        """When the next action is due."""
        return self._heap[0][0] if self._heap else np.inf

    def pop(self) -> Callable:
        """Take out the next action."""
        return heapq.heappop(self._heap)[2]

    # Conditions

    def watch(self, condition: Condition) -> None:
        """Put in a condition; in a resumed run it goes on where it was."""
        if self.waiting:
            condition.value, condition.done = self.waiting.pop(0)
        self.count += 1
        self.conditions.append(condition)
        self._list_watched()

    def forget_values(self) -> None:
        """Evaluate conditions again before the next step, after a change."""
        for condition in (*self.conditions, *self.close):
            condition.value = None

    def values(self) -> list[list]:
        """Value and end of every condition, for `restore`."""
        return [[condition.value, condition.done] for condition in self.conditions] + self.waiting

    def restore(self, values: list[list]) -> None:
        """Give conditions their values back; what is left waits for conditions that are put in later."""
        for condition, (value, done) in zip(self.conditions, values, strict=False):
            condition.value, condition.done = value, done
        self.waiting = values[len(self.conditions) :]
        self._list_watched()

    def one(self, end: float, segment: Segment) -> None:
        """One step that is watched closely: it ends at the first instant at which a condition is met, and acts."""
        for condition in self.close:
            condition.value = condition.value if condition.lasting else None
        watched = [*self.watched, *self.close]
        self._find_values(watched)
        if not watched:
            self._stepper.one(end, segment)
            return
        with self._taken_back(segment) as mark:
            self._stepper.one(end, segment)
            self._look(watched, mark)

    def many(self, end: float, goal: float, segment: Segment) -> bool:
        """Compiled steps up to the next time conditions are looked at; False where a closer look must come first.

        They do not pass `end`, nor `goal` by more than a step.
        """
        stepper, watched = self._stepper, self.watched
        step = stepper.target(end)[0]
        if not watched:
            return stepper.many(max(step, goal), segment)
        if self.by_steps and stepper.whole(max(step, goal)):
            self._find_values(watched)
            stepper.watching = watched, self._met
            try:
                return stepper.many(max(step, goal), segment)
            finally:
                stepper.watching = None
        rarely = min(condition.every for condition in watched)
        reach = step if stepper.t < self._closely else max(step, min(goal, stepper.t + rarely))
        self._find_values(watched)
        with self._taken_back(segment) as mark:
            rows = segment.held
            went = stepper.many(reach, segment)
            if stepper.t == mark.t:
                return went
            if stepper.t <= step:
                self._look(watched, mark)
                return True
            values = [self._evaluate(condition) for condition in watched]
        if any(condition.fires(condition.value, after) for condition, after in zip(watched, values, strict=True)):
            self._closely = stepper.t
            segment.forget(segment.held - rows)
            stepper.place(mark)
            return self.many(end, goal, segment)
        for condition, value in zip(watched, values, strict=True):
            condition.value = value
        return went

    @property
    def by_steps(self) -> bool:
        """Whether compiled steps look at all conditions by themselves, after every one."""
        stepper = self._stepper
        return stepper.looks and all(condition.every < stepper.dt for condition in self.watched)

    def _met(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """1 where a condition is met at the end of a compiled step; else 0, and the next one begins with its value."""
        watched, values = self.watched, []
        for condition in watched:
            given = condition.function(t, q, v) if condition.takes_state else condition.function(self._sim)
            values.append(condition.number(given, t))
            if condition.fires(condition.value, values[-1]):
                return _MET
        for condition, value in zip(watched, values, strict=True):
            condition.value = value
        return _NOT_MET

    @contextmanager
    def _taken_back(self, segment: Segment) -> Iterator[Mark]:
        """Make steps and look at them; where a callback fails all of it is taken back, to be done again."""
        mark, rows = self._stepper.mark(), segment.held
        try:
            yield mark
        except DivergedError:
            raise  # which tells of the last good state
        except Exception:
            if not self.half_done:
                segment.forget(segment.held - rows)
                self._stepper.place(mark)
            raise

    def _find_values(self, watched: list[Condition]) -> None:
        """Evaluate conditions whose value at the present state is not known."""
        for condition in watched:
            if condition.value is None:
                condition.value = self._evaluate(condition)

    def _look(self, watched: list[Condition], mark: Mark) -> None:
        """Find the first of the conditions that was met since `mark`, go back to that instant, and act."""
        stepper, reached = self._stepper, self._stepper.mark()
        values = [self._evaluate(condition) for condition in watched]
        when, fired = np.inf, []
        for condition, after in zip(watched, values, strict=True):
            if condition.fires(condition.value, after):
                after, value = condition.sought(after), lambda t, c=condition: c.sought(self._value_at(t, c, mark))
                when = min(when, locate(mark.t, reached.t, after, value, condition))
        if when < np.inf:
            stepper.place(Mark(when, mark.n, *stepper.trial(mark, when)) if when < reached.t else reached)
            values, fired = self._fired_now(watched)
            if when - mark.t > SHORTEST and any(condition.leaps() for condition in fired):
                when = 0.5 * (mark.t + when)
                stepper.place(Mark(when, mark.n, *stepper.trial(mark, when)))
                values, fired = self._fired_now(watched)
        for condition, value in zip(watched, values, strict=True):
            condition.value = value
        for condition in fired:
            condition.done = condition.once
            self._refuse_standstill(condition)
            self._fire(condition)
        if fired:
            self._list_watched()
            for condition in watched:
                # A number that has just crossed zero is taken to be there: it must leave before it can cross again.
                condition.value = 0.0 if condition in fired and not condition.truth else None

    def _fired_now(self, watched: list[Condition]) -> tuple[list[float], list[Condition]]:
        """Values of conditions at the present state, and those that are met there."""
        values = [self._evaluate(condition) for condition in watched]
        return values, [c for c, value in zip(watched, values, strict=True) if c.fires(c.value, c.sought(value))]

    def _refuse_standstill(self, condition: Condition) -> None:
        """Raise where conditions are met again and again and time does not go on."""
        t, dt = self._stepper.t, self._stepper.dt
        self._fired, self._since = (self._fired + 1, self._since) if t <= self._since + dt else (0, t)
        if self._fired > AT_ONCE:
            raise DivergedError(
                f"at t = {t:g} s the run makes no progress: conditions were met {AT_ONCE} times within dt = {dt:g} s, "
                f"the last of them that of {title(condition.action).strip('_')!r}. A hard limit that is hit again and "
                'again needs a restitution below 1, or limits="compliant"; what was recorded is kept',
                time=t,
            )

    def _value_at(self, t: float, condition: Condition, mark: Mark) -> float:
        self._stepper.place(Mark(t, mark.n, *self._stepper.trial(mark, t)))
        return self._evaluate(condition)


def locate(
    start: float, end: float, after: float, value: Callable[[float], float], condition: Condition
) -> float:
    """The first time found at which a condition is met, at most its `within` after it is.

    It is met at `end`, where its value is `after`, and not at `start`. The secant through the bracket's ends, moved
    off them as in the Illinois method, alternates with halving, so that a truth value or a kink costs little more.
    """
    before = condition.value or 0.0
    low, high, f_low, f_high = start, end, before, after
    halve, within = False, max(condition.within, 4.0 * math.ulp(end))
    while high - low > within:
        middle = 0.5 * (low + high)
        if not halve and f_low != f_high and np.isfinite(f_high - f_low):
            guess = low - f_low * (high - low) / (f_high - f_low)
            margin = 0.4 * within
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
