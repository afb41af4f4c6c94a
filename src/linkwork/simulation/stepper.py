"""A state on its way through time: steps on a grid, single ones in between, and the rows they leave.

Step n of the grid goes from origin + n dt by dt, so that a run does not depend on where it was interrupted. A step that
must end elsewhere, at an action or an event, is shorter, and so is the one after it, back to the grid.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, LinkworkWarning
from linkwork.kernels.launch import entry
from linkwork.kernels.layout import FAILED, IRREGULAR, LIMIT, NO_INERTIA, OK, STEP_SCRATCH, UNCLOSED, UNDRIVEN
from linkwork.kernels.layout.acting import C_CONTROL, T_NUMBER, T_ROWS, T_STEP
from linkwork.simulation.acting import Acts, can_command
from linkwork.simulation.integrators import ADAPTIVE, COMPILED, SLOW, StepControl
from linkwork.simulation.limits import acting
from linkwork.simulation.python_steps import one_in_python, python_step
from linkwork.simulation.segment import Event, Segment
from linkwork.simulation.system import System
from linkwork.simulation.trouble import problem_of

if TYPE_CHECKING:
    from linkwork.simulation.agenda import Condition
    from linkwork.simulation.engine import Engine

SAME = 1e-9  # of dt: times so close are one
PATIENCE = 200_000  # stages: compiled calls return after about so many, a fraction of a second
UNCOMMANDED = FAILED | (C_CONTROL << 4)  # the status of a controller that failed
BEYOND = (*NO_INERTIA, UNCLOSED, UNDRIVEN)  # what Python looks at: motions without inertia, loops far from closed


class Mark(NamedTuple):
    """A state to return to."""

    t: float
    n: int
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray | None = None  # held torques, and when others are due: as they are now, where they are not given
    due: int = 0


class Stepper:
    """Moves a state from t, q, v on, by steps of dt or such as `control` finds; every `every`-th leaves a row.

    Attributes
    ----------
    q, v : arrays
        The state; written in place.
    tau : array
        Torques of tree and loop joints that are held during a step.
    controller : object
        What gives the torques that are held; `commanded` says whether compiled steps call it, and know how to by
        themselves, `calls_back` whether they call it through Python.
    held : int
        Number of steps that they are held for.
    due : int
        Step in which they are due.
    size : float
        Of the next step, where the integrator chooses it.
    on_dt_grid : bool
        Whether steps end on the grid.
    compiled : bool
        Whether steps are made by compiled code alone.
    looks : bool
        Whether they look at conditions by themselves.
    """

    contacts, contact_step = "events", 0.0  # how shapes touch, and in what steps

    def __init__(self, integrator: str, control: StepControl, dt: float, every: int, t: float, q, v):
        self.integrator, self.control, self.dt, self.every = integrator, control, dt, every
        self._acts: Any = None  # an Acts, made by `prepare`
        self._marching = False  # whether compiled steps are being made, which call back now and then
        self.t = self.origin = t
        self.q, self.v, self.n, self.size = q, v, 0, dt
        self.tau = np.empty(0)
        self.controller, self.held, self.due = None, 1, 0
        self.call: Callable | None = None  # ``call(t, None, None)``: the controller, where it is one of Python's
        self.revision = 0  # how often it was made ready
        self._drift, self._warned = np.zeros((2, 2)), False
        self._segment: Segment | None = None  # that rows are being written to
        self._left = False  # whether compiled steps ended because the controller changed something
        self.noted: tuple | None = None  # what was noted after its last call in these steps: see `commanding`
        self.watching: tuple[list[Condition], Callable] | None = None  # conditions that they look at: see `Acts.watch`
        self.on_dt_grid = integrator not in ADAPTIVE

    @property
    def t(self) -> float:
        """Time, s; during compiled steps that at the start of the present one."""
        return self._acts.clock.item(T_STEP) if self._marching else self._t

    @t.setter
    def t(self, value: float) -> None:
        self._t = value

    @property
    def n(self) -> int:
        """The last grid point that was reached or passed."""
        return int(self._acts.clock[T_NUMBER]) if self._marching else self._n

    @n.setter
    def n(self, value: int) -> None:
        self._n = value

    def flush(self) -> None:
        """Let rows that compiled steps have written up to now be seen; these end with the present one."""
        if self._marching and self._segment is not None:
            self._segment.show(int(self._acts.clock[T_ROWS]))
            self._acts.stop()

    def pause(self) -> None:
        """Be at the start of the present one of compiled steps, so that the controller may do what it likes."""
        item = self._acts.clock.item
        self._t, self._n = item(T_STEP), int(item(T_NUMBER))
        if self._segment is not None:
            self._segment.show(int(item(T_ROWS)))
        self._marching, self._acts.paused = False, True

    def go_on(self) -> None:
        """Let compiled steps, which were paused, go on."""
        self._acts.go_on()
        self._marching = True

    def leave(self) -> None:
        """Let compiled steps, which were paused, end where they are."""
        self._left = True

    @property
    def drift(self) -> np.ndarray:
        """(2,) what projection took away on the way to this state: of coordinates, of velocities."""
        return self._drift[0].copy()

    @drift.setter
    def drift(self, value) -> None:
        self._drift[0] = value

    def prepare(self, system: System) -> None:
        """Take up a linkage, which may have changed since the last time."""
        self.system = system
        if len(system.linkage.shapes) and system.by_events is None:
            raise ArgumentError("shapes came to a linkage that had none: start a new simulation with them")
        if len(self.tau) != system.n_torques:
            self.tau = np.zeros(system.n_torques)
        self.revision += 1
        self.compiled = not self.obstacles()
        self.commanded = self.calls_back = self.looks = False
        if not self.compiled and system.by_events is None:
            return
        tree, limits, work = system.tree, system.limits, np.empty(system.tree.work_size)
        watches = system.touching or system.by_events is not None
        strengths = system.strengths()
        if system.touching or system.by_events is not None:
            strengths = system.friction.watched(strengths, always=system.by_events is not None)
        watched = len(strengths) > 0
        self.looks = self.compiled
        if self.controller is not None and self.compiled:
            self.commanded = can_command(self.controller)
            self.calls_back = not self.commanded
        controller = self.controller if self.commanded else self.call if self.calls_back else None
        self._acts = Acts(system, self.q, controller, self.held, leaning=True, hybrid=not watches)
        self._leant, self._stuck = dict(limits.resting), False
        given = self._acts.f_ext, self._acts.arrays, *self._contact_arrays()
        table, limiting, full = tree.table, acting(limits.table, system.loop_limits.table), watches
        if not full:  # what is None is not compiled
            table = table if tree.loaded or watched or len(self._acts.f_ext) else None
            limiting = limiting if len(limiting[1]) else None
        self._model = tree.model, tree.index, work, table, limiting, system.loops(leaning=True), *given
        self._watched = limits.stops, strengths if watched or full else None
        self._unwatched = np.empty((0, 3)), np.empty((0, 4)) if watched or full else None
        self._scratch = np.empty((2, tree.nq)), np.empty((STEP_SCRATCH, tree.nv)), np.empty((2, tree.nv))
        self._spare = np.empty((1, 3 + tree.nq + 2 * tree.nv + system.n_torques + len(self._acts.f_ext)))
        state = self.q, self.v, self.tau, self._scratch, self._drift, self._spare
        if not self.compiled:
            return
        marches = "motion.event_march" if system.by_events is not None else "motion.contact_march"
        march = marches if watches else "motion.march", COMPILED[self.integrator]
        self._march = entry(*march).bind_unchecked(self._model, *self._watched, 0.0, 1.0, 0, 0, 1, 0, *state)

    def reread(self) -> None:
        """Take up gains and targets of feedback that were changed."""
        if self._acts is not None and not self._acts.knows_feedback():
            self.prepare(self.system)

    def can_march(self) -> bool:
        """Whether compiled steps can be made now; they are made ready for what leans on hard limits."""
        if self.compiled and self._leant != self.system.limits.resting:
            self.prepare(self.system)
        return self._is_ready()

    def _is_ready(self) -> bool:
        """Whether compiled steps know all that there is now."""
        resting = self.system.limits.resting
        return self.compiled and (not resting or (self._leant == resting and not self._stuck))

    def _contact_arrays(self) -> tuple[Any, ...]:
        """What compiled steps need to know of contacts."""
        return self.system.friction.arrays()

    def conditions(self, engine: Engine) -> list[Condition]:
        """What is watched closely of shapes that touch."""
        return []

    def begin(self, engine: Engine) -> None:
        """Find what contacts do, where that is not known: at the start, and after a change."""
        self.system.friction.begin(engine)

    def forget(self) -> None:
        """Let `begin` find anew what contacts do."""
        self.system.friction.forget()

    def obstacles(self) -> list[str]:
        """Why steps are not compiled, and what that costs."""
        own = [f'integrator="{self.integrator}" {SLOW[self.integrator]}'] if self.integrator in SLOW else []
        return own + self.system.obstacles()

    def warn_slow(self, thermostat: Any) -> None:
        """Say once why steps are slow, if they are."""
        reasons = self.obstacles() + self.system.slow_drives()
        if thermostat is not None:
            reasons.append("the thermostat acts from Python, after every step: about 0.1 ms")
        if reasons and not self._warned:
            self._warned = True
            warnings.warn(f"steps are slow: {'; '.join(reasons)}", LinkworkWarning, stacklevel=3)

    def command(self, controller: Any, held: int, call: Callable) -> None:
        """Let a controller give the torques that are held; ``call`` is one of Python's in compiled steps."""
        self.controller, self.held, self.due, self.call = controller, held, 0, call
        self.on_dt_grid = self.integrator not in ADAPTIVE or controller is not None
        self.prepare(self.system)

    def _steps(self, watched: tuple, number: int, *arguments: Any) -> tuple[int, int, int]:
        """March; `number` is the step for the controller."""
        origin, dt, first, last, every, *rest = arguments
        acts, within = self._acts, self._acts.paused  # whether a controller asks for these steps
        acts.start(self.due, origin + first * dt, number, leaning=watched is self._watched)
        if self.watching:
            acts.watch(*self.watching)
        self._marching, self._left, self.noted = True, False, None
        try:
            outcome, n, used = self._march(self._model, *watched, origin, dt, first, last, every, number, *rest)
        finally:
            self._marching = False
            if not within:
                acts.end_pause()
        acts.looked()
        if self._left:
            return OK, n, used
        self.due = acts.due if outcome != UNCOMMANDED else number + n - first
        return outcome, n, used

    def __getstate__(self) -> dict[str, Any]:
        """All but what `prepare` makes."""
        made = {"system", "compiled", "_model", "_watched", "_unwatched", "_scratch", "_spare", "_march"}
        kept = {name: value for name, value in self.__dict__.items() if name not in made}
        return kept | {"_acts": None, "call": None}

    def mark(self) -> Mark:
        """The present state, to return to."""
        return Mark(self.t, self.n, self.q.copy(), self.v.copy(), self.tau.copy(), self.due)

    def place(self, mark: Mark) -> None:
        """Return to a state."""
        self.t, self.n, self.q, self.v = mark.t, mark.n, mark.q.copy(), mark.v.copy()
        if mark.tau is not None:
            self.tau, self.due = mark.tau.copy(), mark.due

    def project(self) -> None:
        """Bring the state onto loops, surfaces, drives and resting limits."""
        self.q, self.v, self.drift = self.system.project(self.t, self.q, self.v)

    def acceleration(self) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations and torques now."""
        return self.system.acceleration(self.t, self.q, self.v, self.tau)

    def noticed(self) -> list[Event]:
        """What contacts have done since the last call."""
        return []

    def refuse_overlap(self) -> None:
        """Raise where shapes overlap now."""

    def told(self) -> list[list[Any]]:
        """What was told of contacts, for `recall`."""
        return []

    def recall(self, told: list[list[Any]]) -> None:
        """Go on telling where a run was left."""

    def target(self, end: float) -> tuple[float, float, bool]:
        """The end of the next step, its size, and whether that is a grid point."""
        grid = self.origin + (self.n + 1) * self.dt
        if grid > end + SAME * self.dt:
            return end, end - self.t, False
        return grid, self.dt if self.t == self.origin + self.n * self.dt else grid - self.t, True

    # Steps

    def whole(self, end: float) -> int:
        """The number of whole steps from here up to `end`."""
        last = int(np.floor((end - self.origin) / self.dt + SAME))
        return max(last - self.n, 0) if self.t == self.origin + self.n * self.dt else 0

    def many(self, end: float, segment: Segment) -> bool:
        """As many whole steps up to `end` as one compiled call can do; False where it stops at a limit or a break."""
        steps = self.whole(end)
        if not steps:
            if len(self._watched[0]) or self._watched[1] is not None:
                return False  # a shorter step: hard limits and strengths are looked at closely
            self.one(end, segment)
            return True
        rows, self._segment = segment.open(), segment
        last = self.n + self._most(steps, rows)
        outcome, n, used = self._steps(
            self._watched, self.n, self.origin, self.dt, self.n, last, self.every,
            self.q, self.v, self.tau, self._scratch, self._drift, rows,
        )  # fmt: skip
        self._segment = None
        if self._left:  # the controller changed something: the state is as it has left it
            return True
        segment.close(used)
        if n > self.n + 1:  # it would have stopped near a singular pose: all poses but the last are far from any
            self.system.singular = False
        self.n, self.t = n, self.origin + n * self.dt
        self._report_singular()
        if self._beyond(outcome) or outcome & 15 == LIMIT:
            error = self._acts.error  # of a condition: it comes again where steps are made one by one
            if error is not None and not isinstance(error, Exception):
                raise error  # but an interrupt does not
            return False
        if outcome:
            raise problem_of(self, self._acts, outcome)
        return True

    def _most(self, steps: int, rows: np.ndarray) -> int:
        """How many of these steps one compiled call makes: as many as leave no more rows, and take no more time."""
        return min(steps, len(rows) * self.every, max(1, PATIENCE // self.system.tree.stages))

    def one(self, end: float, segment: Segment) -> None:
        """One step, not beyond `end`, whatever limits it passes."""
        if not (self._is_ready() and self._one_compiled(end, segment)):
            one_in_python(self, end, segment)

    def _one_compiled(self, end: float, segment: Segment) -> bool:
        """`one` by compiled code; False where only Python can do it."""
        target, h, is_grid = self.target(end)
        grid = self.origin, h, self.n, self.n + 1, self.every
        outcome, _, used = self._steps(
            self._unwatched, self.n, *(grid if h == self.dt else (self.t, h, 0, 1, 1)),
            self.q, self.v, self.tau, self._scratch, self._drift, segment.room(),
        )  # fmt: skip
        if self._beyond(outcome):
            return False
        if outcome:
            raise problem_of(self, self._acts, outcome)
        segment.wrote(used)
        self.t = target
        self.n += is_grid
        self._report_singular()
        return True

    def repeat(self, start: Mark, h: float, steps: int) -> Mark | None:
        """Where compiled steps of this size end, its torques held; None where they end early. Nothing is changed."""
        end, acts = Mark(start.t, 0, start.q.copy(), start.v.copy()), self._acts
        acts.start(steps, start.t, 0)  # the controller is not asked
        state = end.q, end.v, start.tau, self._scratch, self._drift.copy(), self._spare
        outcome, made, _ = self._march(self._model, *self._unwatched, start.t, h, 0, steps, steps + 1, 0, *state)
        return end if outcome == OK and made == steps else None  # near a singular pose it makes fewer

    def look(self) -> np.ndarray | None:
        """Accelerations now, by compiled code, which leaves what it finds of contacts; None where only Python knows."""
        if self.contact_step or not self._is_ready():
            return None
        state = self.q, self.v, self.tau, self._scratch, self._drift.copy(), self._spare
        outcome, _, _ = self._steps(self._watched, self.n, self.t, self.dt, 0, 0, 1, *state)
        return self._scratch[1][0].copy() if outcome & 15 in (OK, LIMIT) else None

    def trial(self, mark: Mark, t: float) -> tuple[np.ndarray, np.ndarray]:
        """The state at time t by one step from a mark."""
        if self._is_ready():
            q, v = mark.q.copy(), mark.v.copy()
            outcome, _, _ = self._steps(
                self._unwatched, mark.n, mark.t, t - mark.t, 0, 1, 1,
                q, v, self.tau, self._scratch, self._drift, self._spare,
            )  # fmt: skip
            if not self._beyond(outcome):
                if outcome:
                    raise problem_of(self, self._acts, outcome)
                return q, v
        step = python_step(self, mark.t, mark.q, mark.v, t - mark.t)
        q, v, self.drift = self.system.project(t, step.q, step.v)
        return q, v

    def write(self, segment: Segment, a: np.ndarray, tau: np.ndarray) -> None:
        """Record the present state with its acceleration and torques."""
        external = self.system.external(self.t, self.q, self.v)
        segment.write(self.t, self.q, self.v, a, tau, self.drift, () if external is None else external.reshape(-1))

    def _beyond(self, outcome: int) -> bool:
        """Whether compiled steps cannot go on here; they are given up until the linkage changes."""
        beyond = outcome & 15 == IRREGULAR or (self.system.tree.closed and outcome & 15 in BEYOND)
        if beyond and self.system.limits.resting:  # several limits may stop one motion
            self._stuck = True
        elif beyond and self.compiled:
            self.compiled = self.commanded = self.calls_back = self.looks = False
            if outcome & 15 != IRREGULAR:
                why = "loops are far from closed, or leave a motion without inertia or a drive without motion"
                said = f"steps are slow from t = {self.t:g} s on, about 1 ms each: {why}"
                warnings.warn(said, LinkworkWarning, stacklevel=2)
        return beyond

    # Trouble

    def _report_singular(self) -> None:
        """Let it be known when compiled steps come near a singular pose of the loops."""
        if self.system.tree.closed:
            self.system.report_singular(self.t, *self.system.tree.loops.margin(self._model[5][2])[:2])  # pyright: ignore
