"""The course of a simulation: steps, events and what is recorded of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from linkwork.dynamics.energy import kinetic_energy, potential_energy
from linkwork.errors import ArgumentError, DivergedError, StructureError
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.checkpoint import Keeping
from linkwork.simulation.drives import Drive
from linkwork.simulation.events import Agenda, Condition, Event, LimitCondition, locate, positional, title
from linkwork.simulation.failing import breaking, lifting_off
from linkwork.simulation.limits import Compliant, Impulsive, Limits
from linkwork.simulation.recording import Recording, Segment
from linkwork.simulation.stepper import SAME, Mark, Stepper
from linkwork.simulation.storage import Stream
from linkwork.simulation.system import System

AT_ONCE = 10_000  # actions at one instant; more are taken for a mistake


class Engine(Keeping):
    """What goes on inside a `Simulation`."""

    def __init__(
        self, linkage: Linkage, stepper: Stepper, limits: Compliant | Impulsive | None, loads: Callable | None
    ):
        self.linkage, self._stepper, self._limits = linkage, stepper, limits
        self._controller: Callable | None = None
        self._forces: Callable | None = None
        self._loads = loads
        self._drives: list[Drive] = []
        self._agenda = Agenda()
        self._recording = Recording()
        self._stream: Stream | None = None
        self._settled = self._stopped = False
        self._running = False
        self._failed = self._half_done = False  # whether the last step failed, and in the midst of an action
        self._open: Note | None = None
        self.control_every, self._control_due = 1, 0  # steps that torques are held for, step of the next ones
        self._closely = -np.inf  # until then conditions are looked at after every step
        self._lift_off: list[str] = []  # contacts that let go where they would pull
        self._resumed: float | None = None  # time at which the run was taken up again
        self._awaited: set[str] = set()  # joints that were driven before that
        self._waiting: list[list] = []  # values and ends of conditions before that
        self._tau = np.zeros(linkage.nv + linkage.nv_loop)
        self._take_up(resting=set())
        self._begin_segment()

    @property
    def t(self) -> float:
        """Time now, s."""
        return self._stepper.t

    @property
    def dt(self) -> float:
        """Size of a step, s."""
        return self._stepper.dt

    @property
    def energy(self) -> float:
        """Kinetic and potential energy now, J."""
        q, v = self._stepper.q, self._stepper.v
        return float(kinetic_energy(self.linkage, q, v) + potential_energy(self.linkage, q))

    @property
    def recording(self) -> Recording:
        """What was recorded up to now."""
        if not (self._failed or self._system.asking.depth):  # in the midst of a step there is no state to add
            self._settle()
        return self._recorded()

    def _recorded(self) -> Recording:
        """All rows there are, in the file and in memory."""
        return self._recording if self._stream is None else self._stream.whole(self._recording)

    def _advance(self, until: float, *, single: bool = False) -> None:
        """Some steps, towards `until` and not beyond the next action; what is told of them becomes an event."""
        self._refresh()
        before = self._system
        self._move(until, single)
        for system in (before,) if before is self._system else (before, self._system):
            for t, what in system.noticed(self.t):
                self._recording.events.append(Event(t, "singular", what, np.zeros(self.linkage.nv), 0.0))

    def _move(self, until: float, single: bool) -> None:
        stepper = self._stepper
        self._unsettle()
        if self._controller is not None and stepper.n >= self._control_due:
            torques = self._controller(self)  # which may change the structure, and put in actions and conditions
            self._refresh()
            self._unsettle()
            self._tau = self._system.checked("controller", torques, stepper.t)
            self._control_due = (stepper.n // self.control_every + 1) * self.control_every
        end = min(until, self._agenda.next_time)
        segment, watched = self._recording.segments[-1], self._watched
        alone = self._controller is None and not watched and not single
        if stepper.compiled and not self._system.limits.resting:
            if alone and stepper.many(end, self._tau, segment):
                return
            if not alone and self._glance(stepper.target(end)[0] if single else end, watched, segment):
                return
        if len(self._system.limits.stops):
            self._limit_condition.value = None
            watched = [*watched, self._limit_condition]
        if self._breaking is not None:
            self._breaking.value = None
            watched = [*watched, self._breaking]
        self._value(watched)
        if not watched:
            stepper.one(end, self._tau, segment)
            return
        with self._taken_back(segment) as mark:
            stepper.one(end, self._tau, segment)
            self._look(watched, mark)

    def _glance(self, end: float, watched: list[Condition], segment: Segment) -> bool:
        """Compiled steps up to the next time conditions are looked at; False where a closer look must come first."""
        stepper = self._stepper
        step = stepper.target(end)[0]
        goal = end if self._controller is None else min(end, stepper.origin + self._control_due * stepper.dt)
        if not watched:
            return stepper.many(max(step, goal), self._tau, segment)
        rarely = min(condition.every for condition in watched)
        goal = step if self.t < self._closely else max(step, min(goal, self.t + rarely))
        self._value(watched)
        with self._taken_back(segment) as mark:
            rows = segment.held
            went = stepper.many(goal, self._tau, segment)
            if stepper.t == mark.t:
                return went
            if stepper.t <= step:
                self._look(watched, mark)
                return True
            values = [self._ask(condition) for condition in watched]
        if any(condition.fires(condition.value, after) for condition, after in zip(watched, values, strict=True)):
            self._closely = stepper.t
            segment.forget(segment.held - rows)
            stepper.place(mark)
            return self._glance(end, watched, segment)
        for condition, value in zip(watched, values, strict=True):
            condition.value = value
        return went

    @contextmanager
    def _taken_back(self, segment: Segment) -> Iterator[Mark]:
        """Make steps and look at them; where a callback fails all of it is taken back, to be done again."""
        mark, rows = self._stepper.mark(), segment.held
        try:
            yield mark
        except DivergedError:
            raise  # which tells of the last good state
        except Exception:
            if not self._half_done:
                segment.forget(segment.held - rows)
                self._stepper.place(mark)
            raise

    def _value(self, watched: list[Condition]) -> None:
        """Find where conditions are now."""
        for condition in watched:
            if condition.value is None:
                condition.value = self._ask(condition)

    def _look(self, watched: list[Condition], mark: Mark) -> None:
        """Find the first of the conditions that was met since `mark`, go back to that instant, and act."""
        stepper, reached = self._stepper, self._stepper.mark()
        values = [self._ask(condition) for condition in watched]
        when, met = np.inf, False
        for condition, after in zip(watched, values, strict=True):
            if condition.fires(condition.value, after):
                met = True
                instant = locate(mark.t, reached.t, after, lambda t, c=condition: self._value_at(t, c, mark), condition)
                when = min(when, instant)
        stepper.place(reached)
        if met and when < reached.t:
            stepper.place(Mark(when, mark.n, *stepper.trial(mark, self._tau, when)))
            values = [self._ask(condition) for condition in watched]
        fired = [c for c, value in zip(watched, values, strict=True) if c.fires(c.value, value)]
        for condition, value in zip(watched, values, strict=True):
            condition.value = value
        for condition in fired:
            condition.done = condition.once
            with self._event(condition.cause, title(condition.action)):
                self._call(condition.action)
        if fired:
            self._list_watched()
            for condition in watched:
                # A number that has just crossed zero is taken to be there: it must leave before it can cross again.
                condition.value = 0.0 if condition in fired and not condition.truth else None

    def _value_at(self, t: float, condition: Condition, mark: Mark) -> float:
        q, v = self._stepper.trial(mark, self._tau, t)
        self._stepper.place(Mark(t, mark.n, q, v))
        return self._ask(condition)

    def _ask(self, condition: Condition) -> float:
        with self._system.asking:
            return condition(self)

    def _act(self) -> None:
        """Do every action that is due."""
        done = 0
        while self._agenda.next_time <= self.t + SAME * self.dt:
            action = self._agenda.pop()
            done += 1
            if done > AT_ONCE:
                raise ArgumentError(
                    f"more than {AT_ONCE} actions at t = {self.t:g} s, the last of them {title(action)!r}: does one "
                    "put itself in again for the same time? Give it a later one"
                )
            with self._event("at", title(action)):
                self._call(action)

    def _call(self, action: Callable) -> None:
        action(self) if positional(action, "action", (1, 0)) else action()

    # Between steps

    @contextmanager
    def _event(self, cause: str, what: str) -> Iterator[Note]:
        """Record what is done inside as one event; inside another one, as part of that."""
        if self._system.asking.depth:
            raise StructureError(
                f"{what}: conditions, forces, loads and drives are asked in the midst of a step and must not change "
                "anything; do it in an action or in the controller"
            )
        if self._open is not None:
            self._open.changes.append(what)
            yield self._open
            return
        self._settle()
        self._settled = False  # the state before an event stays
        note = self._open = Note(self._stepper.v.copy(), self.energy, [what])
        try:
            yield note
            self._refresh()
        except Exception:
            self._half_done = True
            raise
        finally:
            self._open = None
        names = [name for name in note.changes if name != "<lambda>"] or note.changes
        jump, lost = self._stepper.v - note.v, note.energy - self.energy
        self._recording.events.append(Event(self.t, cause, ", ".join(names), jump, lost))
        self._failed = False

    def _refresh(self) -> None:
        """Take up changes of the linkage, and begin a new segment where there are any."""
        if self.linkage._tree is not self._system.tree:
            self._take_up(self._system.limits.resting_joints())
            self._begin_segment()

    def _begin_segment(self) -> None:
        limits = self._system.limits.table
        self._recording.segments.append(Segment(self.linkage.copy(), loaded=self._loads is not None, limits=limits))

    def _take_up(self, resting: set[str]) -> None:
        """Make ready to move the linkage as it is now; these joints lean on their limits."""
        linkage, stepper = self.linkage, self._stepper
        if (len(stepper.q), len(stepper.v)) != (linkage.nq, linkage.nv):
            raise StructureError(
                f"the structure of linkage {linkage.name!r} was changed behind the simulation: use sim.cut, "
                "sim.connect and the like, which carry the state over"
            )
        limits = Limits(linkage, self._limits)
        self._drives = [Drive(linkage, drive.joint, drive.function) for drive in self._drives]
        self._system = System(linkage, self._forces, self._loads, self._drives, limits, stepper.t)
        limits.prepare(self._system, stepper.q, stepper.dt)
        self._system.loop_limits.prepare(self._system, stepper.q, stepper.dt)
        limits.rest(resting)
        self._limit_condition = LimitCondition(
            lambda sim: limits.room(sim._stepper.q), Engine._hit_limit, direction=-1, once=False, cause="limit"
        )
        self._tau = _resized(self._tau, self._system.torques)
        stepper.prepare(self._system)
        self._list_watched()
        self._ask_anew()

    def _follow(self, drives: list[Drive]) -> None:
        """Let these drives, and no others, give their joints their motion."""
        self._drives = drives
        self._system.follow(drives)
        self._stepper.prepare(self._system)

    def _bring_back(self) -> None:
        """Bring a state that was given back onto loops, surfaces and drives."""
        if len(self.linkage.loops) or len(self.linkage.contacts) or self._drives:
            self._refresh()
            stepper = self._stepper
            stepper.q, stepper.v, stepper.drift = self._system.project(self.t, stepper.q, stepper.v)

    def _ask_anew(self) -> None:
        """Ask the controller for torques at once, and conditions for where they are, after a change."""
        self._control_due = 0
        for condition in self._agenda.conditions:
            condition.value = None

    def _hit_limit(self) -> None:
        """The impulse of the limits that are reached now."""
        stepper = self._stepper
        stepper.v, names = self._system.limits.hit(self._system, stepper.q, stepper.v)
        assert self._open is not None
        self._open.changes[:] = ["limit of " + " and ".join(repr(name) for name in names)]

    def _settle(self) -> None:
        """Record the present state; the row is taken back when the motion goes on."""
        if self._settled:
            return
        self._refresh()
        segment = self._recording.segments[-1]
        a, tau = self._system.acceleration(self.t, self._stepper.q, self._stepper.v, self._tau)
        self._stepper.write(segment.room()[0], a, tau)
        segment.wrote(1)
        self._settled = True

    def _unsettle(self) -> None:
        if self._settled:
            self._recording.segments[-1].forget_last()
            self._settled = False

    def _watch(self, condition: Condition) -> None:
        """Put in a condition; in a resumed run it goes on where it was."""
        if self._waiting:
            condition.value, condition.done = self._waiting.pop(0)
        self._agenda.conditions.append(condition)
        self._list_watched()

    def _list_watched(self) -> None:
        """Gather the conditions that can still fire."""
        self._lift_off = [name for name in self._lift_off if name in self.linkage.contacts]
        self._watched = self._agenda.watched + lifting_off(self._lift_off)
        self._breaking = breaking(self.linkage)


@dataclass(slots=True)
class Note:
    """An event that is going on: the velocity and energy before it, and what has been done so far."""

    v: np.ndarray
    energy: float
    changes: list[str]


def _resized(tau: np.ndarray, size: int) -> np.ndarray:
    """Torques to go on with after a change of structure: the same ones, or none where their number changed."""
    return tau if len(tau) == size else np.zeros(size)
