"""What is kept of a simulation: in its file as it runs, when it fails, and in copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, DivergedError, LinkworkError, RecordingError
from linkwork.simulation.limits import Compliant, Impulsive, described

if TYPE_CHECKING:
    from linkwork.simulation.drives import Drive
    from linkwork.simulation.events import Agenda
    from linkwork.simulation.recording import Recording
    from linkwork.simulation.stepper import Stepper
    from linkwork.simulation.storage import Stream
    from linkwork.simulation.system import System


class Keeping:
    """The part of a `Simulation` that keeps it."""

    control_every: int
    _stepper: Stepper
    _system: System
    _agenda: Agenda
    _recording: Recording
    _stream: Stream | None
    _limits: Compliant | Impulsive | None
    _drives: list[Drive]
    _controller: Callable | None
    _forces: Callable | None
    _loads: Callable | None
    _tau: np.ndarray
    _control_due: int
    _lift_off: list[str]
    _settled: bool
    _half_done: bool
    _running: bool

    if TYPE_CHECKING:

        def _recorded(self) -> Recording: ...
        def _settle(self) -> None: ...
        def _take_up(self, resting: set[str]) -> None: ...
        def _list_watched(self) -> None: ...

    # What a file keeps

    @contextmanager
    def _salvaging(self) -> Iterator[None]:
        """Keep what was recorded where a run fails, and the state it had reached where forces can be had there."""
        if self._running:
            raise ArgumentError("the simulation is running: a callback or an action of it cannot run it or make a step")
        self._failed = self._half_done = False
        self._running = True
        try:
            yield
        except RecordingError:
            raise
        except Exception as error:
            with suppress(Exception):  # what fails here has just failed already
                self._settle()
            self._failed = True
            if isinstance(error, DivergedError):
                error.recording = self._recorded()
            try:
                self._keep(now=True)
            except LinkworkError as problem:
                error.add_note(str(problem))
            raise
        finally:
            self._running = False

    def _keep(self, *, now: bool = False) -> None:
        """Write to the file what is due, or all there is now."""
        if self._stream is not None and (now or self._stream.due(self._recording)):
            self._stream.commit(self._recording, self._checkpoint(), self._settled)

    def _settings(self) -> dict[str, Any]:
        stepper, adaptive = self._stepper, self._stepper.adaptive
        return {
            "dt": stepper.dt, "integrator": stepper.integrator, "record_every": stepper.every, "t": stepper.origin,
            "control_every": self.control_every, "rtol": adaptive.rtol, "atol": adaptive.atol,
            "limits": described(self._limits),
        }  # fmt: skip

    def _checkpoint(self) -> dict[str, Any]:
        """All that the motion depends on from here, callbacks apart."""
        stepper = self._stepper
        return {
            "t": stepper.t, "n": stepper.n, "size": stepper.size, "q": stepper.q.tolist(), "v": stepper.v.tolist(),
            "drift": stepper.drift.tolist(), "tau": self._tau.tolist(), "limits": self._system.limits.table.tolist(),
            "resting": sorted(self._system.limits.resting_joints()), "drives": [drive.joint for drive in self._drives],
            "control_due": self._control_due,
            "conditions": [[condition.value, condition.done] for condition in self._agenda.conditions],
            "controller": self._controller is not None,
            "forces": self._forces is not None, "loads": self._loads is not None, "lift_off": self._lift_off,
            "singular": self._system.singular, "half_done": self._half_done,
            "loop_limits": [part.tolist() for part in self._system.loop_limits.firmness],
        }  # fmt: skip

    def _restore(self, saved: dict[str, Any], recording: Recording) -> None:
        """Take up the state of a checkpoint; the states of its recording are in a file."""
        stepper, limits = self._stepper, self._system.limits
        stepper.t, stepper.n, stepper.size = saved["t"], saved["n"], saved["size"]
        stepper.q, stepper.v, stepper.drift = np.array(saved["q"]), np.array(saved["v"]), np.array(saved["drift"])
        self._tau, self._control_due = np.array(saved["tau"]), saved["control_due"]
        limits.table = np.array(saved["limits"]).reshape(-1, limits.table.shape[1])  # they belong to an earlier pose
        limits.rest(set(saved["resting"]))
        if len(self._system.loop_limits.rows):
            self._system.loop_limits.firmness = [np.array(part) for part in saved["loop_limits"]]
        stepper.prepare(self._system)
        self._system.singular = saved["singular"]
        self._lift_off = saved["lift_off"]
        self._list_watched()
        self._awaited, self._waiting, self._resumed = set(saved["drives"]), saved["conditions"], saved["t"]
        self._recording = recording
        for segment in recording.segments:
            segment.drop()

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        if self._stream is not None:
            raise ArgumentError("a simulation that streams to a file has no copies: two would write to it")
        made = ("_system", "_limit_condition", "_watched", "_breaking")
        state = {name: value for name, value in self.__dict__.items() if name not in made}
        system = self._system
        kept = system.limits.table, system.loop_limits.firmness, system.singular, system.limits.resting_joints()
        return state | {"_kept": kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        table, firmness, singular, resting = state["_kept"]
        self.__dict__.update({name: value for name, value in state.items() if name != "_kept"})
        due, values = self._control_due, [condition.value for condition in self._agenda.conditions]
        self._take_up(resting)
        self._system.limits.table, self._system.loop_limits.firmness = table, firmness
        self._system.singular, self._control_due = singular, due
        self._stepper.prepare(self._system)
        for condition, value in zip(self._agenda.conditions, values, strict=True):
            condition.value = value
