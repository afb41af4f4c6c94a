"""The simulation: a linkage in motion."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.checks import number
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers, tree_of
from linkwork.simulation import limits as joint_limits
from linkwork.simulation.drives import Drive
from linkwork.simulation.engine import Engine
from linkwork.simulation.events import Condition, positional
from linkwork.simulation.integrators import NAMES, Adaptive
from linkwork.simulation.loop_limits import LoopLimits
from linkwork.simulation.progress import progress_bar
from linkwork.simulation.recording import Recording
from linkwork.simulation.stepper import SAME, Stepper
from linkwork.simulation.storage import Contents, Stream
from linkwork.simulation.structure import Structure, refuse_off_surface


class Simulation(Structure, Engine):
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
        ``forces(t, q, v)`` gives further generalized forces (nv,) at every stage of a step: torques in the joints.
    loads : callable, optional
        ``loads(t, q, v)`` gives the external wrench on every body (nb, 6) at every stage of a step, world axes, about
        the body's origin. They are recorded, and are part of what joints bear.
    record : path, optional
        HDF5 file that states are streamed to, for long runs. Default: they are kept in memory.
    control_every : int
        Call the controller every so many steps only; its torques are held in between.
    record_every : int
        Record every so many steps.
    limits : {"compliant", "impulsive", "ignore"}, Compliant or Impulsive
        What joints do at their limits.
    rtol, atol : float
        Accuracy of integrator="adaptive".
    t : float
        Time at the start, s.
    close : bool
        Bring points that are off their surfaces at the start onto them; without it such a start raises.

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
        loads: Callable | None = None,
        record: str | PathLike[str] | None = None,
        control_every: int = 1,
        record_every: int = 1,
        limits: Any = "compliant",
        rtol: float = 1e-8,
        atol: float = 1e-10,
        t: float = 0.0,
        close: bool = False,
    ):
        tree_of(linkage)
        if integrator not in NAMES:
            raise unknown_name("integrator", integrator, NAMES)
        if number(dt, "dt") <= 0.0:
            raise ArgumentError(f"dt must be positive, not {dt!r}")
        for what, count in (("record_every", record_every), ("control_every", control_every)):
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise ArgumentError(f"{what} must be a positive integer, not {count!r}")
        q = linkage.neutral() if q is None else _state(linkage, "q", q, linkage.nq)
        v = np.zeros(linkage.nv) if v is None else _state(linkage, "v", v, linkage.nv)
        kind = joint_limits.chosen(limits)
        adaptive = Adaptive(rtol, atol)
        stepper = Stepper(integrator, adaptive, float(dt), record_every, number(t, "t"), q, v)
        self._set_up(linkage, stepper, kind, control_every, controller, forces, loads)
        joint_limits.warn_outside(self._system.limits, linkage, q)
        if not close:
            refuse_off_surface(linkage, stepper.t, stepper.q, stepper.v)
        stepper.q, stepper.v, stepper.drift = self._system.project(self.t, stepper.q, stepper.v)
        if record is not None:
            self._stream = Stream(record, self._settings(), self._recording.segments[0])
            self._keep(now=True)  # a run can be resumed from its start on

    def _set_up(
        self, linkage: Linkage, stepper: Stepper, limits, control_every: int, controller, forces, loads
    ) -> None:
        """Take up a linkage in the state of `stepper`, as it is."""
        _check_loads(loads)
        super().__init__(linkage, stepper, limits, loads)
        self.control_every = control_every
        self.controller, self.forces = controller, forces

    @classmethod
    def resume(cls, path: str | PathLike[str], *, controller=None, forces=None, loads=None) -> Simulation:
        """Go on with a run that was streamed to a file and ended, in whatever way: the motion is the same to the bit.

        The linkage, the state and the settings are in the file; callbacks are not. Give `controller`, `forces` and
        `loads` again, and register drives, `at` and `when` again in the same order before running: actions whose time
        has come already are passed over, conditions go on where they were. Callbacks with a memory of their own start
        afresh.

        Parameters
        ----------
        path : path
            The file given as `record`.
        controller, forces, loads : callable, optional
            As they were.
        """
        contents = Contents(Path(path), sound=True)
        saved, settings = contents.checkpoint, contents.settings
        if not saved:
            raise ArgumentError(f"{path} was saved, not streamed: it holds no state to go on from")
        for what, given in (("controller", controller), ("forces", forces), ("loads", loads)):
            if saved[what] != (given is not None):
                had, how = ("had", "with it") if saved[what] else ("had no", "without")
                raise ArgumentError(f"the run in {path} {had} {what}: resume it {how}")
        linkage = contents.recording.segments[-1].linkage.copy()
        limits = joint_limits.chosen(settings["limits"])
        if "loop_limits" not in saved and len(LoopLimits(linkage, limits).rows):
            raise ArgumentError(f"{path} is of an earlier version, without the stiffness of limits of loop joints")
        adaptive = Adaptive(settings["rtol"], settings["atol"])
        grid = settings["dt"], settings["record_every"], settings["t"]
        stepper = Stepper(settings["integrator"], adaptive, *grid, np.array(saved["q"]), np.array(saved["v"]))
        stepper.t = saved["t"]  # surfaces that move are where they were then
        sim = cls.__new__(cls)  # the state goes on to the bit: it is neither checked nor brought onto constraints
        sim._set_up(linkage, stepper, limits, settings["control_every"], controller, forces, loads)
        sim._restore(saved, contents.recording)
        sim._stream = Stream.reopen(Path(path), contents, sim._recording)
        return sim

    # State

    @property
    def q(self) -> np.ndarray:
        """Coordinates now, (nq,), a copy; can be set, which counts as an event: loops are closed as at the start."""
        return self._stepper.q.copy()

    @q.setter
    def q(self, value) -> None:
        value = _state(self.linkage, "q", value, self.linkage.nq)
        with self._event("call", "q set"):
            self._stepper.q = value
            self._bring_back()

    @property
    def v(self) -> np.ndarray:
        """Velocities now, (nv,), a copy; can be set, which counts as an event."""
        return self._stepper.v.copy()

    @v.setter
    def v(self, value) -> None:
        value = _state(self.linkage, "v", value, self.linkage.nv)
        with self._event("call", "v set"):
            self._stepper.v = value
            self._bring_back()

    @property
    def controller(self) -> Callable | None:
        """``controller(sim)``, torques once a step; can be set."""
        return self._controller

    @controller.setter
    def controller(self, function: Callable | None) -> None:
        if function is not None:
            positional(function, "controller", (1,))
        self._controller, self._control_due = function, 0
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
    def loads(self) -> Callable | None:
        """``loads(t, q, v)``, external wrenches at every stage; can be set."""
        return self._loads

    @loads.setter
    def loads(self, function: Callable | None) -> None:
        _check_loads(function)
        if (function is None) == (self._loads is None):
            self._loads = self._system.loads = function
            return
        with self._event("call", "loads set"):  # from here on other things are recorded
            self._loads = self._system.loads = function
            self._stepper.prepare(self._system)
            self._begin_segment()

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
        if self._resumed is not None and t <= self._resumed + SAME * self.dt:
            return  # it was done before the run was resumed
        if number(t, "t") < self.t - SAME * self.dt:
            raise ArgumentError(f"t = {t:g} s is past: the simulation is at {self.t:g} s")
        self._agenda.add(float(t), action)

    def when(
        self, condition: Callable, action: Callable, *, direction: int = 0, once: bool = False, every: float = 0.0
    ) -> None:
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
        every : float
            Look only so often, s, which lets compiled steps run on; where it was met in between, the steps since the
            last look are made again and looked at one by one. What comes and goes between two looks is not seen.
        """
        positional(action, "action", (1, 0))
        self._watch(Condition(condition, action, direction=direction, once=once, every=every))

    def stop(self) -> None:
        """End the run that is going on, after this step or action."""
        self._stopped = True

    def drive(self, joint, function: Callable | None) -> None:
        """Let a joint follow a function of time from now on; its torque is recorded in `tau`. None sets it free.

        Parameters
        ----------
        joint : str or Joint
            Revolute, Prismatic, Helical, Cylindrical or Universal. Impulsive limits of it do not stop it.
        function : callable or None
            ``function(t)`` gives q, or (q, rate, second derivative). It must start from where the joint is now.
        """
        name = self.linkage.columns.joint_names[self.linkage._resolve_joint(joint)]
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
        if name in self._awaited:  # the run was resumed: all goes on as it was
            self._awaited.remove(name)
            self._follow(drives)
            return
        with self._event("call", f"drive {name!r}" if function else f"drive {name!r} no more"):
            before = self._drives
            self._follow(drives)
            try:
                self._stepper.q, self._stepper.v = self._system.impose(self.t, self._stepper.q, self._stepper.v)
            except Exception:
                self._follow(before)
                raise
            self._ask_anew()

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
        Exception
            Whatever a callback raises, unchanged; `recording` has what was recorded so far.
        """
        if number(until, "until") < self.t - SAME * self.dt:
            raise ArgumentError(f"until = {until:g} s is past: the simulation is at {self.t:g} s")
        if self._awaited:
            raise ArgumentError(f"the resumed run drove {', '.join(sorted(self._awaited))}: give sim.drive again first")
        self._stopped = False
        with self._salvaging(), progress_bar(progress, self.t, until) as report:
            self._act()
            stepper, end = self._stepper, until - SAME * self.dt
            while stepper.t < end and not self._stopped:
                self._advance(until)
                self._act()
                self._keep()
                report(stepper.t)
            self._settle()
        self._keep(now=True)
        return self.recording

    def step(self) -> None:
        """Make one step of dt, or a shorter one to the next action or event."""
        self._stopped = False
        with self._salvaging():
            self._act()
            self._advance(self._stepper.target(np.inf)[0], single=True)
            self._act()
        self._keep()

    def __repr__(self) -> str:
        return f"Simulation({self.linkage.name!r}, t={self.t:g} s, {self._stepper.integrator}, dt={self.dt:g} s)"


def _state(linkage: Linkage, what: str, value, size: int) -> np.ndarray:
    """Coordinates or velocities of one state, a copy."""
    array = numbers(linkage, what, value, size, f"n{what}")
    if array.ndim != 1:
        raise ArgumentError(f"a simulation has one state: {what} has shape {array.shape}, and must have ({size},)")
    return array.copy()


def _check_loads(function: Callable | None) -> None:
    if function is not None:
        positional(function, "loads", (3,))
