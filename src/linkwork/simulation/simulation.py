"""The simulation: a linkage in motion."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.dynamics.forward import forward_dynamics
from linkwork.errors import KnownAttributes, unknown_name
from linkwork.linkage.change import Change
from linkwork.linkage.checks import number, positive
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.linkage.pose import Pose
from linkwork.linkage.strength import Strength
from linkwork.simulation import structure
from linkwork.simulation.agenda import Condition
from linkwork.simulation.arguments import frozen, one_state, positional, whole
from linkwork.simulation.breaking import lifting
from linkwork.simulation.callbacks import compiled_condition, is_compiled
from linkwork.simulation.engine import Engine
from linkwork.simulation.integrators import NAMES, step_control
from linkwork.simulation.langevin import Langevin
from linkwork.simulation.limit_kinds import chosen
from linkwork.simulation.limits import warn_outside
from linkwork.simulation.progress import progress_bar
from linkwork.simulation.recording import Recording
from linkwork.simulation.resuming import resumed_engine
from linkwork.simulation.stepper import SAME
from linkwork.simulation.touching import Contacts, contacts_now, stepper_for


class Simulation(KnownAttributes):
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
        Size of a step, s. With "dop853" and "rosenbrock" that of the first one, and of the controller's grid.
    integrator : {"rk4", "semi-implicit", "implicit-midpoint", "implicit", "dop853", "rosenbrock"}
        See the guide for how to choose.
    method : str
        Method of forward dynamics, as of `forward_dynamics`. Others than "auto" are called from Python step by step.
    controller : callable, PD or numba.cfunc, optional
        ``controller(sim)`` gives torques (nv,) once per step; they are held during the step. A `PD` or a `numba.cfunc`
        ``controller(t, q, v, tau)`` that writes `tau` costs next to nothing.
    torques : callable or numba.cfunc, optional
        ``torques(t, q, v)`` gives further generalized forces (nv,) at every stage of a step; a `numba.cfunc`
        ``torques(t, q, v, tau)`` writes them.
    wrenches : callable or numba.cfunc, optional
        ``wrenches(t, q, v)`` gives the external wrench on every body (nb, 6) at every stage of a step, world axes,
        about the body's origin. They are recorded, and are part of what joints bear.
    record : path, optional
        HDF5 file that states are streamed to, for long runs. Default: they are kept in memory.
    control_every : int
        Call the controller every so many steps only; its torques are held in between.
    record_every : int
        Record every so many steps.
    limits : {"compliant", "impulsive", "ignore"}, Compliant or Impulsive
        What joints do at their limits.
    rtol, atol : float
        Accuracy of integrator="dop853" and "rosenbrock".
    t : float
        Time at the start, s.
    close : bool
        Close loops that are open at the start, and bring joints onto couplings, points onto surfaces and shapes that
        overlap apart; without it such a start raises.
    contacts : {"auto", "events", "time-stepping"}
        How shapes touch: "events" finds every instant, for few contacts; "time-stepping" gives impulses once per step,
        for many.
    thermostat : Langevin, optional
        Keeps the linkage at a temperature.

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
        method: str = "auto",
        controller: Callable | None = None,
        torques: Callable | None = None,
        wrenches: Callable | None = None,
        record: str | PathLike[str] | None = None,
        control_every: int = 1,
        record_every: int = 1,
        limits: Any = "compliant",
        rtol: float = 1e-8,
        atol: float = 1e-10,
        t: float = 0.0,
        close: bool = False,
        contacts: str = "auto",
        thermostat: Langevin | None = None,
    ):
        tree_of(linkage)
        if integrator not in NAMES:
            raise unknown_name("integrator", integrator, NAMES)
        dt, every = positive(dt, "dt"), whole(record_every, "record_every", minimum=1)
        control_every = whole(control_every, "control_every", minimum=1)
        q = linkage.neutral() if q is None else one_state(linkage, "q", q, linkage.nq)
        v = np.zeros(linkage.nv) if v is None else one_state(linkage, "v", v, linkage.nv)
        how = stepper_for(linkage, contacts)
        stepper = how(integrator, step_control(integrator, rtol, atol), dt, every, number(t, "t"), q, v)
        self._engine = Engine(
            self, linkage, stepper, limits=chosen(limits), method=method, control_every=control_every,
            controller=controller, torques=torques, wrenches=wrenches,
            thermostat=Langevin.checked(thermostat),
        )  # fmt: skip
        warn_outside(self._engine.system.limits, linkage, q)
        if not close:
            stepper.refuse_overlap()
            structure.refuse_open(linkage, stepper.t, stepper.q, stepper.v)
        stepper.project()
        if method != "auto":
            forward_dynamics(linkage, stepper.q, stepper.v, method=method, t=stepper.t)  # it must know its name
        if record is not None:
            self._engine.stream_to(record)

    @classmethod
    def resume(
        cls, path: str | PathLike[str], *, controller=None, torques=None, wrenches=None,
        thermostat: Langevin | None = None,
    ) -> Simulation:  # fmt: skip
        """Go on with a run that was streamed to a file and ended, in whatever way: the motion is the same to the bit.

        The linkage, the state and the settings are in the file; callbacks are not. Give `controller`, `torques` and
        `wrenches` again, and register drives, `at` and `when` again in the same order before running: actions whose
        time has come already are passed over, conditions go on where they were. Callbacks with a memory of their own
        start afresh.

        Parameters
        ----------
        path : path
            The file given as `record`.
        controller, torques, wrenches : callable, optional
            As they were.
        thermostat : Langevin, optional
            As it was; its random numbers begin anew.
        """
        sim = cls.__new__(cls)
        sim._engine = resumed_engine(sim, Path(path), controller=controller, torques=torques, wrenches=wrenches)
        sim._engine.thermostat = Langevin.checked(thermostat)
        return sim

    # State

    @property
    def linkage(self) -> Linkage:
        """The linkage that moves."""
        return self._engine.linkage

    @property
    def t(self) -> float:
        """Time now, s."""
        return self._engine.stepper.t

    @property
    def dt(self) -> float:
        """Size of a step, s."""
        return self._engine.stepper.dt

    @property
    def q(self) -> np.ndarray:
        """Coordinates now, (nq,), a read-only copy. Can be set, which counts as an event and closes what is open."""
        return frozen(self._engine.stepper.q)

    @q.setter
    def q(self, value) -> None:
        self._engine.set_state("q", one_state(self.linkage, "q", value, self.linkage.nq))

    @property
    def v(self) -> np.ndarray:
        """Velocities now, (nv,), a read-only copy; can be set, as q."""
        return frozen(self._engine.stepper.v)

    @v.setter
    def v(self, value) -> None:
        self._engine.set_state("v", one_state(self.linkage, "v", value, self.linkage.nv))

    @property
    def energy(self) -> float:
        """Kinetic and potential energy now, J."""
        return self._engine.energy

    @property
    def contacts(self) -> Contacts:
        """Pairs of shapes that touch, or may: gap, mode and forces of the step that begins now."""
        return contacts_now(self._engine)

    @property
    def recording(self) -> Recording:
        """What was recorded up to now."""
        engine = self._engine
        if not (engine.failed or engine.system.evaluating.depth):  # during a step there is no state to add
            engine.settle()
        engine.stepper.flush()
        return engine.recorder.whole()

    @property
    def controller(self) -> Callable | None:
        """``controller(sim)``, torques once per step; can be set."""
        return self._engine.controller

    @controller.setter
    def controller(self, function: Callable | None) -> None:
        self._engine.set_controller(function)

    @property
    def torques(self) -> Callable | None:
        """``torques(t, q, v)``, generalized forces at every stage; can be set."""
        return self._engine.torques

    @torques.setter
    def torques(self, function: Callable | None) -> None:
        self._engine.set_torques(function)

    @property
    def wrenches(self) -> Callable | None:
        """``wrenches(t, q, v)``, external wrenches at every stage; can be set."""
        return self._engine.wrenches

    @wrenches.setter
    def wrenches(self, function: Callable | None) -> None:
        self._engine.set_wrenches(function)

    # Events

    def at(self, t: float, action: Callable) -> None:
        """Do something at a given time.

        Parameters
        ----------
        t : float
            Not before now, s. A step ends there.
        action : callable
            ``action(sim)`` or ``action()``. It may connect, cut, constrain, release, change parameters of the linkage,
            controller, torques or state, and stop the run.
        """
        positional(action, "action", (1, 0))
        self._engine.schedule(number(t, "t"), action)

    def when(
        self, condition: Callable, action: Callable, *, direction: int = 0, once: bool = False, every: float = 0.0
    ) -> None:
        """Do something each time a number crosses zero or a truth value turns true.

        Parameters
        ----------
        condition : callable or numba.cfunc
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
        condition = compiled_condition(condition) if is_compiled(condition) else condition
        self._engine.agenda.watch(Condition(condition, action, direction=direction, once=once, every=every))

    def stop(self) -> None:
        """End the run that is going on, after this step or action."""
        self._engine.stopped = True

    def drive(self, joint, motion: Any) -> None:
        """Let a joint follow a motion from now on; its torque is recorded in `tau`. None sets it free.

        Parameters
        ----------
        joint : str or Joint
            Impulsive limits of it do not stop it.
        motion : str, float, Polynomial, table, callable or None
            An expression of t such as ``"0.3 + 2*t"``; a constant speed, from where the joint is now; a
            `numpy.polynomial.Polynomial` of t; a table (times, values), through which a cubic spline is laid, or one of
            SciPy's piecewise polynomials; a `numba.cfunc` of t; or a Python function, the slow way. It must start from
            where the joint is now. A function gives q, or (q, rate, second derivative); derivatives of all others but
            functions are exact. For joints with several degrees of freedom give a list of motions, or a function.
            Spherical, Free and Planar joints take a list of nv numbers, velocities that stay as they are; a list of nq
            motions, one for each coordinate, or one table of them all, quaternions of any length; or a function that
            gives the coordinates, or (coordinates, velocities, accelerations); a rotation matrix will do for a
            Spherical joint, a `Pose` for a Free one.

        Examples
        --------
        >>> import linkwork as lw
        >>> sim = lw.Simulation(lw.samples.four_bar(), dt=1e-3)
        >>> sim.drive("crank", "0.5*sin(t)**2")
        >>> round(float(sim.run(1.0).q[-1, 0]), 6)
        0.354037
        """
        structure.drive(self._engine, joint, motion)

    # Structure

    def cut(self, joint) -> Change:
        """Cut a joint, by name or handle. Poses and velocities go on as they are; a drive of the joint ends."""
        return structure.cut(self._engine, joint)

    def connect(
        self, a, b, joint, *, at_a: Pose | None = None, at_b: Pose | None = None, name: str | None = None,
        strength: float | Strength | None = None, close: bool = False,
    ) -> Change:  # fmt: skip
        """Close a loop by a joint between two bodies. Velocities jump to what it allows, as by an inelastic impact.

        Parameters
        ----------
        a, b : str, Body or Frame
        joint : JointType
        at_a, at_b : Pose, optional
            Where the joint is on either side. Default of `at_a`: the frame of a; of `at_b`: where that is now.
        name : str, optional
        strength : float or Strength, optional
            See `Linkage.connect`.
        close : bool
            Move the bodies together where there is a gap; without it a gap raises.
        """
        options: dict[str, Any] = {"strength": strength} if name is None else {"strength": strength, "name": name}
        return structure.connect(self._engine, a, b, joint, at_a or Pose(), at_b, close, options)

    def constrain(self, body, *, close: bool = False, lift_off: bool = False, **options) -> Change:
        """Keep a point of a body on a surface. Velocities jump to what it allows.

        Parameters
        ----------
        body : str, Body or Frame
        close : bool
            Move the point onto the surface where it is off; without it that raises.
        lift_off : bool
            Release the point when the surface would have to pull at it.
        **options
            As of `Linkage.constrain`.
        """
        return structure.constrain(self._engine, body, close, lift_off, options)

    def release(self, name) -> Change:
        """Let a point that is kept on a surface go; see `Linkage.release`."""
        return structure.release(self._engine, name)

    def on_lift(self, contact, action: Callable | None = None, *, once: bool = True) -> None:
        """Do something when the normal force of a contact falls through zero, where a real surface would let go.

        Parameters
        ----------
        contact : str or Contact
        action : callable, optional
            ``action(sim)`` or ``action()``. Default: release the contact.
        once : bool
            Whether the first time is the last.
        """
        name = self.linkage.contacts[getattr(contact, "name", contact)].name
        if action is not None:
            positional(action, "action", (1, 0))
        self._engine.agenda.watch(lifting(name, action, once=once))

    def normal_force(self, contact) -> float:
        """The normal force of a contact now, N, under the torques that act."""
        name = self.linkage.contacts[getattr(contact, "name", contact)].name
        return float(self._engine.solution().normal_forces[self.linkage.contacts.names.index(name)])

    # Running

    def run(self, until: float, *, progress: bool | Callable[[float], object] = True) -> Recording:
        """Go on to time `until`, which is included.

        Parameters
        ----------
        until : float
            In s.
        progress : bool or callable
            Show a progress bar when a terminal is there to see it; a callable is called with the time reached instead.

        Raises
        ------
        DivergedError
            The state became non-finite; the error has the time, the joint and the recording so far.
        Exception
            Whatever a callback raises, unchanged; `recording` has what was recorded so far.
        """
        self._engine.refuse_past("until", number(until, "until"))
        engine, stepper = self._engine, self._engine.stepper
        engine.refuse_awaited()
        stepper.warn_slow(engine.thermostat)
        with engine.salvaging(), progress_bar(progress, self.t, until) as report:
            stepper.reread()
            engine.act()
            end = until - SAME * self.dt
            while stepper.t < end and not engine.stopped:
                engine.advance(until)
                engine.act()
                engine.commit()
                report(stepper.t)
            engine.settle()
        engine.commit(now=True)
        return self.recording

    def step(self) -> None:
        """Make one step of dt, or a shorter one to the next action or event."""
        engine = self._engine
        with engine.salvaging():
            engine.stepper.reread()
            engine.act()
            engine.advance(engine.stepper.target(np.inf)[0], single=True)
            engine.act()
        engine.commit()

    def __repr__(self) -> str:
        return f"Simulation({self.linkage.name!r}, t={self.t:g} s, {self._engine.stepper.integrator}, dt={self.dt:g} s)"
