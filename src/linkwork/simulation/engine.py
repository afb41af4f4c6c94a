"""The course of a simulation: its members, one step, and what is done between steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.energy import kinetic_energy, potential_energy
from linkwork.errors import ArgumentError, DivergedError, LinkworkError, RecordingError, StructureError
from linkwork.linkage.linkage import Linkage
from linkwork.simulation import checkpoint
from linkwork.simulation.accuracy import Accuracy
from linkwork.simulation.actuation import Actuation, DriveLoads
from linkwork.simulation.agenda import AT_ONCE, Agenda, Condition
from linkwork.simulation.arguments import check_callback, positional, title
from linkwork.simulation.breaking import breaking, breaks, lifting_off
from linkwork.simulation.callbacks import is_compiled
from linkwork.simulation.commanding import command, control
from linkwork.simulation.contact_events import friction_changes
from linkwork.simulation.diagnosis import Progress, explain
from linkwork.simulation.drives import Drive
from linkwork.simulation.langevin import Langevin
from linkwork.simulation.limit_kinds import Compliant, Impulsive
from linkwork.simulation.limits import Limits
from linkwork.simulation.recorder import Recorder
from linkwork.simulation.segment import Event
from linkwork.simulation.stepper import SAME, Stepper
from linkwork.simulation.stopping import Leaning, Stopping
from linkwork.simulation.storage import Stream
from linkwork.simulation.system import System

if TYPE_CHECKING:
    from linkwork.results import Solution


@dataclass(slots=True)
class Note:
    """An event that is going on: the velocity and energy before it, and what has been done so far."""

    v: np.ndarray
    energy: float
    changes: list[str]


class Engine:
    """Moves a linkage through time.

    Parameters
    ----------
    sim : Simulation
        What callbacks are given.
    linkage : Linkage
    stepper : Stepper
        The state, and the steps that it makes.
    limits : Compliant, Impulsive or None
    method : str
        Of forward dynamics.
    control_every : int
        Number of steps that the controller's torques are held for.
    controller : callable or None
        Gives torques, every `control_every` steps.
    torques, wrenches : callable or None
        What acts at every stage of a step.

    Attributes
    ----------
    system : System
        The linkage as it is now, and all that acts on it.
    agenda : Agenda
        Actions to come and conditions to watch.
    recorder : Recorder
        What is recorded.
    drives : list of Drive
    lift_off : list of str
        Contacts that let go where they would pull.
    resumed : float or None
        Time at which the run was resumed; `awaited` are the joints that were driven before.
    """

    def __init__(
        self,
        sim: Any,
        linkage: Linkage,
        stepper: Stepper,
        *,
        limits: Compliant | Impulsive | None,
        method: str,
        control_every: int,
        controller: Callable | None,
        torques: Callable | None,
        wrenches: Callable | None,
        thermostat: Langevin | None = None,
    ):
        check_callback(torques, "torques", 3)
        check_callback(wrenches, "wrenches", 3)
        self.sim, self.linkage, self.stepper, self.limits, self.method = sim, linkage, stepper, limits, method
        self.torques, self.wrenches, self.thermostat = torques, wrenches, thermostat
        self.control_every = control_every
        self.drives: list[Drive] = []
        self.lift_off: list[str] = []
        self.agenda = Agenda(sim, stepper, self.evaluate, self._fire)
        self.recorder = Recorder()
        self.resumed: float | None = None
        self.awaited: set[str] = set()
        self.origins: dict[str, tuple[float, list[float]]] = {}  # where awaited drives began
        self.stopped = self.running = self.failed = False
        self._open: Note | None = None
        self._leaning = Leaning(self)
        self.watches = Accuracy(), DriveLoads(), Progress()
        self.take_up(leaning=[])
        self.set_controller(controller)
        self.begin_segment()

    # One step

    def advance(self, until: float, *, single: bool = False) -> None:
        """One step towards `until`, or as many as compiled code can make; never beyond the next action."""
        self.refresh()
        before = self.system
        self.recorder.unsettle()
        control(self)
        self.stepper.begin(self)
        segment, rows = self.recorder.segment, self.recorder.segment.held
        start = self.stepper.t
        self._move(min(until, self.agenda.next_time), single or self.thermostat is not None)
        if self.thermostat is not None:
            stepper = self.stepper
            stepper.v = self.thermostat.kick(self.linkage, stepper.q, stepper.v, stepper.t - start)
        if segment is self.recorder.segment:
            for watch in self.watches:
                watch.look(self, segment.held - rows)
        for system in (before,) if before is self.system else (before, self.system):
            for t, what in system.noticed(self.stepper.t):
                self.recorder.note(Event(t, "singular", what, np.zeros(self.linkage.nv), 0.0))
        for event in self.stepper.noticed():
            self.recorder.note(event)

    def _move(self, end: float, single: bool) -> None:
        """Compiled steps where there can be some, else one that is watched closely."""
        stepper, agenda, segment, limits = self.stepper, self.agenda, self.recorder.segment, self.system.limits
        limits.forget_left(stepper.q)
        if limits.resting and self._leaning.value is None:
            self._leaning.review()  # under torques that may be others
        if stepper.can_march():
            if single:
                end = stepper.target(end)[0]
            held = stepper.origin + stepper.due * stepper.dt
            alone = self.controller is None or stepper.commanded or (stepper.calls_back and agenda.by_steps)
            goal = end if alone else min(end, held)
            self._leaning.value = None  # they look at it by themselves
            if agenda.many(end, goal, segment):
                return
        agenda.one(end, segment)

    def schedule(self, t: float, action: Callable) -> None:
        """Put in an action, unless it was done before the run was resumed."""
        if self.resumed is None or t > self.resumed + SAME * self.stepper.dt:
            self.refuse_past("t", t)
            self.agenda.add(t, action)

    def refuse_past(self, what: str, t: float) -> None:
        """Raise for a time before now."""
        if t < self.stepper.t - SAME * self.stepper.dt:
            raise ArgumentError(f"{what} = {t:g} s is past: the simulation is at {self.stepper.t:g} s")

    def refuse_awaited(self) -> None:
        """Raise where a resumed run lacks drives that it had."""
        if self.awaited:
            names = ", ".join(sorted(self.awaited))
            raise ArgumentError(f"the resumed run drove {names}: give sim.drive again first")

    def act(self) -> None:
        """Do every action that is due."""
        done, stepper = 0, self.stepper
        while self.agenda.next_time <= stepper.t + SAME * stepper.dt:
            action = self.agenda.pop()
            done += 1
            if done > AT_ONCE:
                raise ArgumentError(
                    f"more than {AT_ONCE} actions at t = {stepper.t:g} s, the last of them {title(action)!r}: does one "
                    "put itself in again for the same time? Give it a later one"
                )
            self._do("at", action)

    def _fire(self, condition: Condition) -> None:
        if condition.cause:
            self._do(condition.cause, condition.action)
        else:
            condition.action()

    def _do(self, cause: str, action: Callable) -> None:
        with self.event(cause, title(action)):
            action(self.sim) if positional(action, "action", (1, 0)) else action()
            self.stepper.reread()

    def let_break(self) -> None:
        """Cut what is overloaded now, before the next step."""
        self._do("strength", breaks)
        control(self)

    def evaluate(self, condition: Condition) -> float:
        """The value of a condition now."""
        with self.system.evaluating:
            return condition(self.sim)

    # Between steps

    @contextmanager
    def event(self, cause: str, what: str) -> Iterator[Note]:
        """Record what is done inside as one event; inside another one, as part of that."""
        if self.system.evaluating.depth:
            raise StructureError(
                f"{what}: conditions, torques, wrenches and drives are evaluated during a step and must not change "
                "anything; do it in an action or in the controller"
            )
        if self._open is not None:
            self._open.changes.append(what)
            yield self._open
            return
        self.settle()
        self.recorder.settled = False  # the state before an event stays
        note = self._open = Note(self.stepper.v.copy(), self.energy, [what])
        try:
            yield note
            self.refresh()
        except Exception:
            self.agenda.half_done = True
            raise
        finally:
            self._open = None
        names = [name for name in note.changes if name != "<lambda>"] or note.changes
        jump, lost = self.stepper.v - note.v, note.energy - self.energy
        self.recorder.note(Event(self.stepper.t, cause, ", ".join(names), jump, lost))
        self.failed = False

    @property
    def energy(self) -> float:
        """Kinetic and potential energy now, J."""
        q, v = self.stepper.q, self.stepper.v
        return float(kinetic_energy(self.linkage, q, v) + potential_energy(self.linkage, q))

    def solution(self) -> Solution:
        """All forces now, under the torques that act."""
        stepper = self.stepper
        return self.system.solve(stepper.t, stepper.q, stepper.v, stepper.tau)

    def refresh(self) -> None:
        """Take up changes of the linkage, and begin a new segment where there are any."""
        if self.linkage._tree is not self.system.tree:
            self.take_up(self.system.limits.leaning())
            self.begin_segment()

    def begin_segment(self) -> None:
        """Record in a new segment from here on."""
        limits = {"limits": self.system.limits.table, "loop_limits": self.system.loop_limits.table}
        step = self.stepper.contact_step
        self.recorder.begin_segment(self.linkage, loaded=self.wrenches is not None, step=step, **limits)

    def take_up(self, leaning: list[list[Any]]) -> None:
        """Make ready to move the linkage as it is now, with what leans on a hard limit (see `Limits.leaning`)."""
        linkage, stepper = self.linkage, self.stepper
        if (len(stepper.q), len(stepper.v)) != (linkage.nq, linkage.nv):
            raise StructureError(
                f"the structure of linkage {linkage.name!r} was changed behind the simulation: use sim.cut, "
                "sim.connect and the like, which carry the state over"
            )
        limits = Limits(linkage, self.limits)
        self.drives = [drive.on(linkage) for drive in self.drives]
        self.actuation = Actuation(linkage)
        self.system = System(
            linkage, limits, stepper.t, method=self.method, torques=self.actuation.at_stages(self),
            wrenches=self.wrenches, drives=self.drives,
        )  # fmt: skip
        limits.prepare(self.system, stepper.q, stepper.dt)
        self.system.loop_limits.prepare(self.system, stepper.q, stepper.dt)
        limits.lean(leaning)
        stepper.prepare(self.system)
        self.attend()
        self.start_afresh()

    def attend(self) -> None:
        """Let the agenda watch what fails by itself: limits that are hit, joints that break, points that lift off."""
        limits = self.system.limits
        self.lift_off = [name for name in self.lift_off if name in self.linkage.contacts]
        close: list[Condition] = [Stopping(self), self._leaning] if len(limits.stops) else []
        if not self.stepper.contact_step > 0.0:  # time stepping looks at every step by itself
            close += breaking(self.linkage)
        close += friction_changes(self) + self.stepper.conditions(self)
        self.agenda.attend(lifting_off(self.lift_off), close)

    def set_state(self, what: str, value: np.ndarray) -> None:
        """Set q or v, and bring the state back onto loops, surfaces and drives."""
        with self.event("call", f"{what} set"):
            setattr(self.stepper, what, value)
            self.stepper.forget()
            if self.linkage.constrained or self.drives:
                self.refresh()
                self.stepper.project()

    def set_controller(self, function: Callable | None) -> None:
        """Let another controller give torques from the next step on; without one there are none."""
        check_callback(function, "controller", 1)
        self.controller, self.controlled_by_address = function, is_compiled(function)
        self.stepper.command(function, self.control_every, partial(command, self))
        if function is None:
            self.stepper.tau = np.zeros(self.system.n_torques)

    def set_torques(self, function: Callable | None) -> None:
        """Let other torques act at every stage."""
        check_callback(function, "torques", 3)
        self.torques = function
        self.system.torques = self.actuation.at_stages(self)
        self._leaning.value = None
        self.stepper.prepare(self.system)

    def set_wrenches(self, function: Callable | None) -> None:
        """Let other wrenches act at every stage."""
        check_callback(function, "wrenches", 3)
        self._leaning.value = None
        if (function is None) == (self.wrenches is None):
            self.wrenches = self.system.wrenches = function
            self.stepper.prepare(self.system)
            return
        with self.event("call", "wrenches set"):  # from here on other things are recorded
            self.wrenches = self.system.wrenches = function
            self.stepper.prepare(self.system)
            self.begin_segment()

    def follow(self, drives: list[Drive]) -> None:
        """Let these drives, and no others, give their joints their motion."""
        self.drives = drives
        self.system.follow(drives)
        self.stepper.prepare(self.system)

    def start_afresh(self) -> None:
        """Call the controller in the next step, and evaluate conditions again, after a change."""
        self.stepper.due = 0
        self.agenda.forget_values()
        self.stepper.forget()

    # What is kept

    def settle(self) -> None:
        """Record the present state; the row is taken back when the motion goes on."""
        if not self.recorder.settled:
            self.refresh()
            stepper = self.stepper
            a, tau = stepper.acceleration()
            self.recorder.settle(lambda segment: stepper.write(segment, a, tau))

    def stream_to(self, path: str | PathLike[str], **notes: Any) -> None:
        """Stream what is recorded to a file, which keeps these notes beside the settings."""
        recorder = self.recorder
        recorder.stream = Stream(path, checkpoint.settings(self) | notes, recorder.segment)
        self.commit(now=True)  # a run can be resumed from its start on

    def commit(self, *, now: bool = False) -> None:
        """Write to the file what is due, or all there is now."""
        self.recorder.commit(lambda: checkpoint.of(self), now=now)

    @contextmanager
    def salvaging(self) -> Iterator[None]:
        """Keep what was recorded where a run fails, and the state it had reached where forces are known there."""
        if self.running:
            raise ArgumentError("the simulation is running: a callback or an action of it cannot run it or make a step")
        self.failed = self.agenda.half_done = self.stopped = False
        self.running = True
        try:
            yield
        except RecordingError:
            raise
        except Exception as error:
            with suppress(Exception):  # what fails here has just failed already
                self.settle()
            self.failed = True
            if isinstance(error, DivergedError):
                explain(error, self)
                error.recording = self.recorder.whole()
            try:
                self.commit(now=True)
            except LinkworkError as problem:
                error.add_note(str(problem))
            raise
        finally:
            self.running = False

    def __getstate__(self) -> dict[str, Any]:
        if self.recorder.stream is not None:
            raise ArgumentError("a simulation that streams to a file has no copies: two would write to it")
        return {name: value for name, value in self.__dict__.items() if name != "system"} | {
            "checkpoint": checkpoint.of(self)
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("checkpoint")
        self.__dict__.update(state)
        self.stepper.call = partial(command, self)  # which copies of a stepper lack: it is of this engine
        self.take_up(leaning=[])
        checkpoint.restore(self, saved)
