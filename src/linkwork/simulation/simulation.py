"""The simulation: a linkage in motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from linkwork.calls import numbers, tree_of
from linkwork.energy import kinetic_energy, potential_energy
from linkwork.errors import ArgumentError, DivergedError, StructureError, unknown_name
from linkwork.linkage.checks import number
from linkwork.linkage.linkage import Linkage
from linkwork.simulation import limits as joint_limits
from linkwork.simulation.drives import Drive
from linkwork.simulation.events import Agenda, Condition, Event, locate, positional, title
from linkwork.simulation.integrators import NAMES, Adaptive
from linkwork.simulation.progress import progress_bar
from linkwork.simulation.recording import Recording, Segment
from linkwork.simulation.stepper import SAME, Mark, Stepper
from linkwork.simulation.structure import Structure
from linkwork.simulation.system import System, torques


class Simulation(Structure):
    """A linkage in motion.

    It works on this very linkage: changes of structure are made to it. Give ``linkage.copy()`` to keep the original.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like, optional
        Coordinates at the start, m and rad. Default: `linkage.neutral()`.
    v : (nv,) array_like, optional
        Velocities at the start. Default: zero.
    dt : float
        Size of a step, s. With integrator="adaptive" that of the first one, and of the controller's grid.
    integrator : {"rk4", "semi-implicit", "implicit-midpoint", "adaptive"}
        See the guide for how to choose.
    controller : callable, optional
        ``controller(sim)`` gives torques (nv,) once a step; they are held during the step.
    forces : callable, optional
        ``forces(t, q, v)`` gives further generalized forces (nv,) at every stage of a step.
    record : path, optional
        HDF5 file that states are streamed to. Default: they are kept in memory. False: only the last state is.
    record_every : int
        Record every so many steps.
    limits : {"compliant", "impulsive", "ignore"}, Compliant or Impulsive
        What joints do at their limits.
    rtol, atol : float
        Accuracy of integrator="adaptive".
    t : float
        Time at the start, s.

    Examples
    --------
    >>> import linkwork as lw
    >>> sim = lw.Simulation(lw.samples.chain(2), q=[0.5, 0.0], dt=1e-3)
    >>> recording = sim.run(0.1)
    >>> recording.q.shape
    (101, 2)
    """

    def __init__(
        self,
        linkage: Linkage,
        q=None,
        v=None,
        *,
        dt: float = 1e-3,
        integrator: str = "rk4",
        controller: Callable | None = None,
        forces: Callable | None = None,
        record: str | PathLike[str] | bool | None = None,
        record_every: int = 1,
        limits: Any = "compliant",
        rtol: float = 1e-8,
        atol: float = 1e-10,
        t: float = 0.0,
    ):
        tree_of(linkage)
        if integrator not in NAMES:
            raise unknown_name("integrator", integrator, NAMES)
        if number(dt, "dt") <= 0.0:
            raise ArgumentError(f"dt must be positive, not {dt!r}")
        if not isinstance(record_every, int) or record_every < 1:
            raise ArgumentError(f"record_every must be a positive integer, not {record_every!r}")
        q = linkage.neutral() if q is None else numbers(linkage, "q", q, linkage.nq, "nq")
        v = np.zeros(linkage.nv) if v is None else numbers(linkage, "v", v, linkage.nv, "nv")
        if q.ndim != 1 or v.ndim != 1:
            raise ArgumentError(f"a simulation has one state: q has shape {q.shape}, v {v.shape}")
        self.linkage = linkage
        self._limits = joint_limits.chosen(limits)
        joint_limits.check(self._limits)
        self._controller: Callable | None = None
        self._forces: Callable | None = None
        self._drives: list[Drive] = []
        self._agenda = Agenda()
        self._stepper = Stepper(integrator, Adaptive(rtol, atol), float(dt), record_every, number(t, "t"), q.copy(), v.copy())
        self._recording = Recording()
        self._settled = self._stopped = False
        self._open: Note | None = None
        self._tau = np.zeros(linkage.nv + linkage.nv_loop)
        self._refresh()
        joint_limits.warn_outside(self._system.limits, q)
        self.controller, self.forces = controller, forces
        stepper = self._stepper
        stepper.q, stepper.v, stepper.drift = self._system.project(self.t, stepper.q, stepper.v)

    # State

    @property
    def t(self) -> float:
        """Time now, s."""
        return self._stepper.t

    @property
    def q(self) -> np.ndarray:
        """Coordinates now, (nq,), a copy; can be set, which counts as an event."""
        return self._stepper.q.copy()

    @q.setter
    def q(self, value) -> None:
        value = numbers(self.linkage, "q", value, self.linkage.nq, "nq").copy()
        with self._event("call", "q set"):
            self._stepper.q = value

    @property
    def v(self) -> np.ndarray:
        """Velocities now, (nv,), a copy; can be set, which counts as an event."""
        return self._stepper.v.copy()

    @v.setter
    def v(self, value) -> None:
        value = numbers(self.linkage, "v", value, self.linkage.nv, "nv").copy()
        with self._event("call", "v set"):
            self._stepper.v = value

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
    def controller(self) -> Callable | None:
        """``controller(sim)``, torques once a step; can be set."""
        return self._controller

    @controller.setter
    def controller(self, function: Callable | None) -> None:
        if function is not None:
            positional(function, "controller", (1,))
        self._controller = function
        self._stepper.on_dt_grid = self._stepper.integrator != "adaptive" or function is not None
        if function is None:
            self._tau = np.zeros(self._system.torques)

    @property
    def forces(self) -> Callable | None:
        """``forces(t, q, v)``, generalized forces at every stage; can be set."""
        return self._forces

    @forces.setter
    def forces(self, function: Callable | None) -> None:
        if function is not None:
            positional(function, "forces", (3,))
        self._forces = self._system.forces = function
        self._stepper.prepare(self._system)

    @property
    def recording(self) -> Recording:
        """What was recorded up to now."""
        self._settle()
        return self._recording

    # Events

    def at(self, t: float, action: Callable) -> None:
        """Do something at a given time.

        Parameters
        ----------
        t : float
            Not before now, s. A step ends there.
        action : callable
            ``action(sim)`` or ``action()``. It may connect, cut, constrain, release, change parameters of the linkage,
            controller, forces or state, and stop the run.
        """
        positional(action, "action", (1, 0))
        if number(t, "t") < self.t - SAME * self.dt:
            raise ArgumentError(f"t = {t:g} s is past: the simulation is at {self.t:g} s")
        self._agenda.add(float(t), action)

    def when(self, condition: Callable, action: Callable, *, direction: int = 0, once: bool = False) -> None:
        """Do something each time a number crosses zero or a truth value turns true.

        Parameters
        ----------
        condition : callable
            ``condition(sim)`` or ``condition(t, q, v)`` gives the number or truth value. It is looked at after every
            step, and the instant is then found to 1e-9 s; what comes and goes within a step is not seen.
        action : callable
            As in `at`.
        direction : {0, -1, 1}
            Which crossings of a number count: both, falling, rising.
        once : bool
            Whether the first time is the last.
        """
        positional(action, "action", (1, 0))
        self._agenda.conditions.append(Condition(condition, action, direction=direction, once=once))

    def stop(self) -> None:
        """End the run that is going on, after this step or action."""
        self._stopped = True

    def drive(self, joint, function: Callable | None) -> None:
        """Let a joint follow a function of time from now on; its torque is recorded in `tau`. None sets it free.

        Parameters
        ----------
        joint : str or Joint
            Revolute, Prismatic, Helical, Cylindrical or Universal.
        function : callable or None
            ``function(t)`` gives q, or (q, rate, second derivative). It must start from where the joint is now.
        """
        name = self.linkage.columns.joint_names[self.linkage.resolve_joint(joint)]
        drives = [drive for drive in self._drives if drive.joint != name]
        if function is not None:
            drive = Drive(self.linkage, name, function)
            gap = np.abs(drive.motion(self.t)[0] - self._stepper.q[drive.coordinates]).max()
            if gap > 1e-6:
                raise ArgumentError(
                    f"the drive of joint {name!r} starts {gap:.3g} away from where the joint is at t = {self.t:g} s: "
                    "set sim.q first, or let the function start there"
                )
            drives.append(drive)
        with self._event("call", f"drive {name!r}"):
            self._drives = drives
            self._refresh(force=True)
            self._stepper.q, self._stepper.v = self._system.impose(self.t, self._stepper.q, self._stepper.v)

    # Running

    def run(self, until: float, *, progress: bool = True) -> Recording:
        """Go on to time `until`, which is included.

        Parameters
        ----------
        until : float
            In s.
        progress : bool
            Show a progress bar when a terminal is there to see it.

        Raises
        ------
        DivergedError
            The motion left the finite numbers; the error has the time, the joint and the recording so far.
        """
        if number(until, "until") < self.t - SAME * self.dt:
            raise ArgumentError(f"until = {until:g} s is past: the simulation is at {self.t:g} s")
        self._stopped = False
        with progress_bar(progress, self.t, until) as report:
            self._act()
            while self.t < until - SAME * self.dt and not self._stopped:
                self._advance(until)
                self._act()
                report(self.t)
        return self.recording

    def step(self) -> None:
        """Make one step of dt, or a shorter one to the next action or event."""
        self._stopped = False
        self._act()
        self._advance(self._stepper.target(np.inf)[0], single=True)
        self._act()

    def _advance(self, until: float, *, single: bool = False) -> None:
        """Some steps, towards `until` and not beyond the next action."""
        stepper = self._stepper
        end = min(until, self._agenda.next_time)
        self._refresh()
        self._unsettle()
        segment = self._recording.segments[-1]
        try:
            watched = self._agenda.watched
            alone = self._controller is None and not watched and not single and not self._system.limits.resting
            if self._controller is not None:
                self._tau = torques(self.linkage, "controller", self._controller(self))
                self._refresh()
            if alone and stepper.compiled and stepper.many(end, self._tau, segment):
                return
            if len(self._system.limits.stops):
                watched = [*watched, self._limit_condition]
            for condition in watched:
                if condition.value is None:
                    condition.value = condition(self)
            mark = stepper.mark() if watched else None
            stepper.one(end, self._tau, segment)
            if mark is not None:
                self._look(watched, mark)
        except DivergedError as error:
            error.recording = self._recording
            raise

    def _look(self, watched: list[Condition], mark: Mark) -> None:
        """Find the first of the conditions that was met since `mark`, go back to that instant, and act."""
        stepper, reached = self._stepper, self._stepper.mark()
        values = [condition(self) for condition in watched]
        first, when = None, np.inf
        for condition, after in zip(watched, values, strict=True):
            if condition.fires(condition.value, after):
                instant = locate(mark.t, reached.t, after, lambda t, c=condition: self._value_at(t, c, mark), condition)
                if instant < when:
                    first, when = condition, instant
        stepper.place(reached)
        if first is None:
            for condition, after in zip(watched, values, strict=True):
                condition.value = after
            return
        if when < reached.t:
            stepper.place(Mark(when, mark.n, *stepper.trial(mark, self._tau, when)))
        first.done = first.once
        with self._event(first.cause, title(first.action)):
            self._call(first.action)
        for condition in watched:
            # A number that has just crossed zero is taken to be there: it must leave before it can cross again.
            condition.value = 0.0 if condition is first and not first.truth else condition(self)

    def _value_at(self, t: float, condition: Condition, mark: Mark) -> float:
        q, v = self._stepper.trial(mark, self._tau, t)
        self._stepper.place(Mark(t, mark.n, q, v))
        return condition(self)

    def _act(self) -> None:
        """Do every action that is due."""
        while self._agenda.next_time <= self.t + SAME * self.dt:
            action = self._agenda.pop()
            with self._event("at", title(action)):
                self._call(action)

    def _call(self, action: Callable) -> None:
        action(self) if positional(action, "action", (1, 0)) else action()

    # Between steps

    @contextmanager
    def _event(self, cause: str, what: str) -> Iterator[Note]:
        """Record what is done inside as one event; inside another one, as part of that."""
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
        finally:
            self._open = None
        event = Event(self.t, cause, ": ".join([note.changes[0], ", ".join(note.changes[1:])]).rstrip(": "),
                      self._stepper.v - note.v, note.energy - self.energy)  # fmt: skip
        self._recording.events.append(event)

    def _refresh(self, *, force: bool = False) -> None:
        """Take up changes of the linkage, and begin a new segment where there are any."""
        linkage, stepper = self.linkage, self._stepper
        system = getattr(self, "_system", None)
        if system is not None and linkage._tree is system.tree and not force:
            return
        if (len(stepper.q), len(stepper.v)) != (linkage.nq, linkage.nv):
            raise StructureError(
                f"the structure of linkage {linkage.name!r} was changed behind the simulation: use sim.cut, sim.connect "
                "and the like, which carry the state over"
            )
        limits = joint_limits.Limits(linkage, self._limits)
        resting = system.limits.resting_joints() if system is not None else set()
        self._drives = [Drive(linkage, drive.joint, drive.function) for drive in self._drives]
        self._system = System(linkage, self._forces, self._drives, limits)
        limits.prepare(self._system, stepper.q, stepper.dt)
        limits.rest(resting)
        self._limit_condition = Condition(
            lambda sim: limits.room(sim._stepper.q), Simulation._hit_limit, direction=-1, once=False, cause="limit"
        )
        self._tau = _resized(self._tau, self._system.torques)
        stepper.prepare(self._system)
        for condition in self._agenda.conditions:
            condition.value = None
        self._recording.segments.append(Segment(linkage.copy()))

    def _hit_limit(self) -> None:
        """The impulse of the limits that are reached now."""
        v, names = self._system.limits.hit(self._system, self._stepper.q, self._stepper.v)
        self._stepper.v = v
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

    def __repr__(self) -> str:
        return f"Simulation({self.linkage.name!r}, t={self.t:g} s, {self._stepper.integrator}, dt={self.dt:g} s)"


@dataclass(slots=True)
class Note:
    """An event that is going on: the velocity and energy before it, and what has been done so far."""

    v: np.ndarray
    energy: float
    changes: list[str]


def _resized(tau: np.ndarray, size: int) -> np.ndarray:
    """Torques to go on with after a change of structure: the same ones, or none where their number changed."""
    return tau if len(tau) == size else np.zeros(size)
