"""All that acts on a system in compiled steps, as arrays for `linkwork.kernels.motion.acting`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.constraints import constrained_step
from linkwork.errors import ArgumentError
from linkwork.kernels.layout import N_WEAK
from linkwork.kernels.layout.acting import (
    ACT,
    AT,
    C_CLOSED,
    C_CONDITIONS,
    C_CONTROL,
    C_DRIVES,
    C_DUE,
    C_FAILED,
    C_FREE_ROWS,
    C_HELD,
    C_LEVERS,
    C_MOTORS,
    C_PUSHES,
    C_STOP,
    C_STOPS,
    C_TORQUES,
    C_WATCH,
    C_WRENCHES,
    CALLED,
    CALLED_DRIVE,
    CALLS,
    CLOCK,
    DRIVE,
    PO_PLACE,
    PO_WAY,
    PROGRAM,
    PUSH,
    STOP_ABOVE,
    STOP_BELOW,
    T_CALL,
    T_END,
    T_NUMBER,
    T_ROWS,
    T_STEP,
    WATCHED,
    WHAT,
    WHERE,
)
from linkwork.kernels.layout.kinds import RATES
from linkwork.linkage.motor import motors_as_array
from linkwork.linkage.packing.launch import numbers
from linkwork.linkage.programs import Programs, Row, UnwritableError
from linkwork.simulation.actuation import MotorTorques
from linkwork.simulation.arguments import checked_torques, checked_wrenches
from linkwork.simulation.callbacks import Evaluating, Trampoline, is_compiled
from linkwork.simulation.controllers import FEEDBACK, PD, LinearFeedback, one_of
from linkwork.simulation.pose_drives import PoseDrive

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage
    from linkwork.simulation.agenda import Condition
    from linkwork.simulation.system import System


class Text:
    """A function of (t, q, v) that is written as expressions.

    Parameters
    ----------
    function : callable
        The same, evaluated by Python.
    write : callable
        ``write(programs)`` writes the expressions and returns rows of `acts`, for the linkage as it is now.
    """

    def __init__(self, function: Callable, write: Callable[[Programs], list[Row]]):
        self.function, self.write = function, write

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> Any:
        """Its value, by Python."""
        return self.function(t, q, v)


class Acts:
    """What acts on one system, and where compiled steps leave what they find.

    Parameters
    ----------
    system : System
    q : array
        A pose with closed loops.
    controller : object
        A PD or LinearFeedback, a compiled function or one of Python's, ``controller(t, None, None)``; or None.
    held : int
        Number of steps that its torques are held for.
    leaning : bool
        Whether joints that lean on hard limits are held there.
    hybrid : bool
        Whether accelerations alone are asked for, so that driven trees need no factors.

    Attributes
    ----------
    arrays : tuple
        What `linkwork.kernels.motion.acting.Acting` lists.
    f_ext : array
        6 per body where wrenches act, else empty.
    error : BaseException or None
        What a Python function has raised.
    paused : bool
        Whether a controller of Python's is being called by compiled steps, which other compiled code, that it may ask
        for, must not disturb: see `start` and `go_on`.
    """

    def __init__(self, system: System, q: np.ndarray, controller: Any, held: int, *, leaning=False, hybrid=False):
        from linkwork.kernels.motion.acting import Acting

        linkage, programs = system.linkage, Programs()
        nq, nv, n_torques = linkage.nq, linkage.nv, system.n_torques
        self.system, self.error, self._alive = system, None, []
        self.paused, self._kept = False, None
        self._looking: int | None = None
        self._watched: list[Condition] = []
        self.f_ext = np.zeros(0 if system.wrenches is None else 6 * linkage.nb)
        self.calls = np.zeros(CALLS + 2 * WATCHED, dtype=np.int64)
        self._q, self._v = self._state = np.zeros(nq), np.zeros(nv)
        self._answer = np.zeros(max(n_torques, len(self.f_ext), nv, 1))
        self.rows: list[Row] = []
        answers = self._answer[:n_torques], self._answer[:nv]
        asked = system.torques
        if isinstance(asked, MotorTorques):
            asked, self.calls[C_MOTORS] = asked.asked, 1
        self._add(C_TORQUES, asked, programs, answers, partial(checked_torques, system, "torques"))
        answers = (self._answer[: len(self.f_ext)].reshape(-1, 6),)
        self._add(C_WRENCHES, system.wrenches, programs, answers, partial(checked_wrenches, system.linkage))
        drives, stops = self._drives(programs), _stops(system, programs) if leaning else []
        led = [drive for drive in system.drives if isinstance(drive, PoseDrive)]
        poses = np.array([drive.write_row(programs) for drive in led], dtype=np.int64) if led else None
        code, values, stack = programs.arrays()
        gains, target_q, target_v, offset = np.empty(0), np.empty((1, nq)), np.empty((1, nv)), np.empty((1, nv))
        self._calls_controller, self._law = False, None
        if isinstance(controller, FEEDBACK):
            gains, target_q, target_v, offset = law = _feedback(linkage, controller)
            self._law = controller, [array.copy() for array in law]
        elif is_compiled(controller):
            self.calls[C_CONTROL] = controller.address
        elif controller is not None:
            self._calls_controller = True
            answers = self._answer[:n_torques], self._answer[:nv]  # and a context of its own: it may change things
            self._alive.append(Trampoline(controller, None, Evaluating(), _as_it_is, answers, self.failed))
            self.calls[C_CONTROL] = self._alive[-1].address
        acts = np.array(self.rows + drives + stops, dtype=np.int64).reshape(-1, ACT)
        for (drive, k), row in zip(self._called, np.flatnonzero(acts[:, WHAT] == CALLED_DRIVE), strict=True):
            acts[row, PROGRAM] = self._drive_address(drive, k, stack)
        for drive, row in zip(led, () if poses is None else poses, strict=True):
            if row[PO_WAY] == CALLED:
                row[PO_PLACE] = self._pose_address(drive, stack)
        self._stack = stack
        self._stops, driven = len(stops), len(drives) + len(stops) + len(led)
        self.calls[[C_DRIVES, C_HELD, C_CLOSED]] = driven, held, system.tree.closed
        pushes = acts[acts[:, WHAT] == PUSH]
        levers = [values[at + 1 : at + 4].any() for at in pushes[:, AT]]
        self.calls[[C_PUSHES, C_LEVERS]] = len(pushes), any(levers)
        if driven and system.tree.closed:
            rows = system.tree.loops.n_rows
            self.calls[C_FREE_ROWS] = rows - constrained_step(linkage, q, np.zeros(rows)).margin[2]
        self.clock = np.zeros(CLOCK + 2 * WATCHED)
        given = system.torques is not None or system.wrenches is not None or len(acts) > 0 or led
        touching = system.touching or system.by_events is not None
        if not (given or system.tree.closed or touching):
            code = None  # what is None is not compiled
        if controller is None and not touching:
            gains = None
        self.arrays = Acting(
            code, values, acts, self.calls, gains, target_q, target_v, offset, motors_as_array(linkage), stack,
            self.clock, self._q, self._v, self._answer, np.zeros(n_torques), np.zeros(n_torques + len(self.f_ext)),
            poses, self._held(leaning) if hybrid and driven else None,
        )  # fmt: skip

    def knows_feedback(self) -> bool:
        """Whether gains and targets of feedback are still those that it had."""
        if self._law is None:
            return True
        law, before = self._law
        return all(map(np.array_equal, _feedback(self.system.linkage, law), before))

    @property
    def due(self) -> int:
        """Step in which the controller's next torques are due."""
        return int(self.calls[C_DUE])

    def start(self, due: int, t: float, number: int, *, leaning: bool = False) -> None:
        """Make ready for steps from time t and this number on, the controller being due in that one.

        Where joints lean on hard limits, `leaning` lets them end before the step after which one is pulled off.
        """
        calls, clock, self.error = self.calls, self.clock, None
        if self.paused and self._kept is None:
            self._kept = calls.copy(), clock.copy()
        calls[C_STOPS] = self._stops if leaning else 0
        calls[C_DUE], calls[C_STOP], calls[C_FAILED], calls[C_WATCH], calls[C_CONDITIONS] = due, 0, 0, 0, 0
        clock[T_STEP], clock[T_END], clock[T_NUMBER], clock[T_ROWS] = t, t, number, 0

    def go_on(self) -> None:
        """Let steps that were paused find all as it was."""
        if self._kept is not None:
            self.calls[:], self.clock[:] = self._kept
        self.end_pause()

    def end_pause(self) -> None:
        """Forget steps that were paused."""
        self.paused, self._kept = False, None

    def watch(self, conditions: list[Condition], look: Callable) -> None:
        """Let compiled steps end before one that meets a condition, which they or ``look(t, q, v)`` find."""
        if len(conditions) <= WATCHED and all(hasattr(condition.function, "address") for condition in conditions):
            self._watched, self.calls[C_CONDITIONS] = conditions, len(conditions)
            for k, condition in enumerate(conditions):
                way = condition.function.address, condition.direction  # pyright: ignore
                self.calls[CALLS + 2 * k : CALLS + 2 * k + 2], self.clock[CLOCK + k] = way, condition.value
            return
        if self._looking is None:
            self._looking = self._trampoline(look, _as_it_is, (self._answer[:1],))
        self.calls[C_WATCH] = self._looking

    def looked(self) -> None:
        """Let compiled conditions that were watched know their values."""
        for condition, value in zip(self._watched, self.clock[CLOCK:].tolist(), strict=False):
            condition.value = value
        self._watched = []

    def stop(self) -> None:
        """Let compiled steps end after the present one."""
        self.calls[C_STOP] = 1

    def _add(self, which: int, function: Any, programs: Programs, answers: Sequence, checked: Callable) -> None:
        """Let torques or wrenches be evaluated by programs, by their address, or by Python."""
        if function is None:
            return
        if isinstance(function, Text):
            try:
                self.rows += function.write(programs)
            except UnwritableError:  # Python evaluates it
                self.calls[which] = self._trampoline(function, checked, answers)
        elif is_compiled(function):
            self.calls[which] = function.address
        else:
            self.calls[which] = self._trampoline(function, checked, answers)

    def _trampoline(self, function: Callable, checked: Callable, answers: Sequence) -> int:
        """The address by which compiled steps call a function of Python's."""
        self._alive.append(Trampoline(function, self._state, self.system.evaluating, checked, answers, self.failed))
        return self._alive[-1].address

    def failed(self, error: BaseException) -> None:
        """Let compiled steps end: a function of Python's raised this."""
        self.error, self.calls[C_FAILED] = error, 1

    def _drives(self, programs: Programs) -> list[Row]:
        """Rows of the drives; `_called` lists those that are functions, with their degree of freedom."""
        rows, self._called = [], []
        for drive in self.system.drives:
            if not drive.plain:
                continue
            starts = drive.write(programs)
            for k, (dof, coordinate) in enumerate(zip(drive.dofs.tolist(), drive.coordinates.tolist(), strict=True)):
                if starts:
                    rows.append((DRIVE, dof, coordinate, starts[k], programs.place()))
                else:
                    rows.append((CALLED_DRIVE, dof, coordinate, 0, -1))
                    self._called.append((drive, k))
        return rows

    def _drive_address(self, drive, k: int, stack: np.ndarray) -> int:
        """The address of a function that leaves coordinate, rate and second derivative on the stack."""
        if drive.compiled:
            return drive.compiled[k].address

        def jet(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            return drive.jet(t, k)

        return self._trampoline(jet, _as_it_is, (stack[:3],))

    def _held(self, leaning: bool) -> np.ndarray | None:
        """(nv,) which accelerations are given, for `kernels.tree.hybrid_aba`; None where it cannot answer.

        That is of loops, of bodies without inertia, and of hard limits on joints with several axes in one stage.
        """
        system, linkage = self.system, self.system.linkage
        leant = system.limits.held if leaning else np.empty(0, dtype=np.int64)
        codes = linkage.columns.code[np.searchsorted(linkage.columns.v_start, leant, side="right") - 1]
        if system.tree.closed or system.tree.index[N_WEAK] or not RATES[codes].all():
            return None
        held = np.zeros(linkage.nv, dtype=np.int64)
        held[np.concatenate([system.driven, leant])] = 1
        return held

    def _pose_address(self, drive: PoseDrive, stack: np.ndarray) -> int:
        """The address of a function that leaves coordinates, velocities and accelerations on the stack."""
        if drive.compiled:
            return drive.compiled[0].address
        size = len(drive.coordinates) + 2 * len(drive.dofs)
        made = Trampoline(drive.called(stack), None, self.system.evaluating, _as_it_is, (stack[:size],), self.failed)
        self._alive.append(made)
        return made.address

    def leap(self, row: int) -> tuple[str, float, float]:
        """The joint whose drive, of this row, has jumped; when, and how far."""
        columns, (dof, coordinate) = self.system.linkage.columns, self.arrays.acts[row, [WHERE, AT]]
        name = columns.joint_names[int(np.searchsorted(columns.v_start, dof, side="right")) - 1]
        return name, float(self.clock[T_CALL]), float(self._stack[0] - self._q[coordinate])

    def trouble(self) -> BaseException | None:
        """What a function or an expression has to say of why it gives nothing, when asked again by Python."""
        error, self.error = self.error, None
        self.calls[C_FAILED] = 0
        if error is not None:
            return error
        t, system = float(self.clock[T_CALL]), self.system
        try:
            system.extra(t, self._q, self._v)
            system.external(t, self._q, self._v)
            with system.evaluating:
                for drive in system.drives:
                    drive.motion(t)
                if self._calls_controller:
                    checked_torques(system, "controller", self._answer[: system.n_torques].copy(), t)
        except Exception as said:
            return said
        return None


def _as_it_is(value: np.ndarray, t: float) -> np.ndarray:
    """What needs no checking."""
    return value


def _stops(system: System, programs: Programs) -> list[Row]:
    """Rows of the joints that lean on hard limits."""
    rows = []
    for dof, coordinate, limit, side in system.limits.leant_on():
        what, start = STOP_ABOVE if side > 0 else STOP_BELOW, programs.polynomial([limit])
        rows.append((what, dof, coordinate, start, programs.place()))
    return rows


def can_command(controller: Any) -> bool:
    """Whether compiled steps can call a controller by themselves."""
    return isinstance(controller, FEEDBACK) or is_compiled(controller)


def _feedback(linkage: Linkage, law: PD | LinearFeedback) -> tuple[np.ndarray, ...]:
    """Gains, the targets and the offset, one row per step."""
    nq, nv = linkage.nq, linkage.nv
    still = np.zeros(nv)
    rows = [one_of(law.gains(linkage), "the controller's gains")]
    for what, value, size, unit in (("q", law.q, nq, "nq"), ("v", law.v, nv, "nv"), ("tau", law.tau, nv, "nv")):
        row = numbers(linkage, f"the controller's {what}", still if value is None else value, size, unit)
        if row.ndim > 2:
            raise ArgumentError(f"the controller's {what} has shape {row.shape}: a simulation has one state")
        rows.append(np.atleast_2d(row))
        if not len(rows[-1]):
            raise ArgumentError(f"the controller's {what} has no rows: give ({size},), or (steps, {size})")
    return tuple(rows)
