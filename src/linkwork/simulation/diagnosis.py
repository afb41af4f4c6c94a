"""Why a motion diverged, or why steps got too small: the joint on which forces are too stiff for the step.

On a degree of freedom with the inertia m (all others free), a damper d, a spring k and a controller that holds its
torques for h_c have the rates d/m, √(k/m), kd/m. A step of size h bears rates up to about c/h: c = 2 of torques that
are held, and of the integrators' own see `BEARS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from linkwork.errors import DivergedError, LinkworkError
from linkwork.linkage.forces import JointFriction, JointSpring
from linkwork.linkage.motor import Motor
from linkwork.simulation.controllers import PD
from linkwork.simulation.integrators import ADAPTIVE

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine

BEARS = {"rk4": 2.78, "semi-implicit": 2.0, "implicit-midpoint": 2.0} | dict.fromkeys(("implicit", *ADAPTIVE), np.inf)
HELD = 2.0
ROWS = 64  # that are looked at
LARGEST = 64  # degrees of freedom up to which each one's inertia is looked at
STEPS = 3000  # of "dop853" within dt: fewer are patience, more are no progress


class Stiffness(NamedTuple):
    """Something that acts on one degree of freedom, its rate (1/s), the time it must bear (s), and what is borne."""

    dof: int
    what: str
    rate: float
    time: float
    bears: float

    @property
    def excess(self) -> float:
        """Above 1 it is unstable."""
        return self.rate * self.time / self.bears


def explain(error: DivergedError, engine: Engine) -> None:
    """Let the error of a run name the joint that is too stiff for its steps, and what makes it so."""
    rows = engine.recorder.segment.last(ROWS)
    if engine.system.evaluating.error is error or len(rows) < 2:
        return
    try:
        found = list(_stiffnesses(engine, rows)) if engine.linkage.nv <= LARGEST else []
    except LinkworkError:
        return
    adaptive = engine.stepper.integrator in ADAPTIVE
    worst = max(found, key=lambda each: each.rate if adaptive else each.excess, default=None)
    if worst is not None and adaptive:
        error.joint = _joint(engine, worst.dof)
        error.args = (
            f"at t = {error.time:g} s steps of {engine.stepper.integrator} get too small: what is stiffest acts at "
            f"joint {error.joint!r}, {worst.what}, with a rate of {worst.rate:.3g} 1/s; soften it, or take rk4. What "
            "was recorded is kept",
        )
    elif worst is not None and worst.excess > 1.0:
        error.joint = _joint(engine, worst.dof)
        error.args = (
            f"the motion diverged at t = {error.time:g} s: joint {error.joint!r} is unstable by {worst.what}. Its rate "
            f"times {worst.time:g} s is {worst.rate * worst.time:.3g}, and less than {worst.bears:g} is stable: take "
            f"dt ≤ {0.5 * engine.stepper.dt / worst.excess:.1e} s{_instead(engine, error.joint, worst)}; what was "
            "recorded is kept",
        )
    elif not adaptive and error.joint is not None:
        first = _joint(engine, _first_to_grow(rows[:, engine.recorder.segment.fields["v"]]))
        error.args = (str(error.args[0]).replace(repr(error.joint), repr(first)),)
        error.joint = first


def _joint(engine: Engine, dof: int) -> str:
    """The name of the joint that a degree of freedom belongs to."""
    columns = engine.linkage.columns
    return columns.joint_names[int(np.searchsorted(columns.v_start, dof, side="right")) - 1]


def _instead(engine: Engine, joint: str, worst: Stiffness) -> str:
    """What else can be done."""
    if "controller" not in worst.what:
        return ", or soften it"
    motors = [force for force in engine.linkage.forces if isinstance(force, Motor) and force.joint == joint]
    has_rotor = any(motor.inertia for motor in motors)
    rotor = "" if has_rotor else ", or give the joint the inertia of its rotor, linkwork.Motor(..., gear=, inertia=)"
    return f", lower the gain, or give the law as torques=, at every stage{rotor}"


def _stiffnesses(engine: Engine, rows: np.ndarray) -> Iterator[Stiffness]:
    """All that acts on single degrees of freedom, at the first of these rows."""
    linkage, fields, stepper = engine.linkage, engine.recorder.segment.fields, engine.stepper
    q, v = rows[0, fields["q"]].copy(), rows[0, fields["v"]].copy()
    inertia = 1.0 / np.maximum(np.diag(engine.system.response(q, v, np.arange(linkage.nv))), 1e-300)
    h, bears = stepper.dt, BEARS[stepper.integrator]
    for dof in np.flatnonzero(linkage.columns.damping):
        d = float(linkage.columns.damping[dof])
        yield Stiffness(int(dof), f"its damping of {d:.3g} N m s/rad or N s/m", d / inertia[dof], h, bears)
    for force in linkage.forces:
        if isinstance(force, JointSpring | JointFriction):
            where = linkage.joints[force.joint].v_slice
            for k, dof in enumerate(range(where.start, where.stop)):
                if isinstance(force, JointSpring):
                    size = float(np.broadcast_to(force.stiffness, where.stop - where.start)[k])
                    what, rate = f"a JointSpring of {size:.3g} N m/rad or N/m", np.sqrt(size / inertia[dof])
                else:
                    size = float(np.broadcast_to(force.coulomb, where.stop - where.start)[k]) / force.speed
                    what, rate = f"a JointFriction that rises by {size:.3g} N m s/rad or N s/m", size / inertia[dof]
                yield Stiffness(dof, what, float(rate), h, bears)
    for row in engine.system.limits.table:
        dof, x = int(row[0]), rows[:, fields["q"]][:, int(row[1])]
        if ((x < row[2]) | (x > row[3])).any() and not row[6]:
            yield Stiffness(dof, "its compliant limit", float(np.sqrt(row[4] / inertia[dof])), h, bears)
    if engine.controller is not None:
        held = h * engine.control_every
        for dof, kd in enumerate(_gains(engine, rows)):
            if kd > 0.0:
                what = f"its controller, whose torques are held like those of a damper of {kd:.3g} N m s/rad or N s/m"
                what += f" on an inertia of {inertia[dof]:.3g}: kd · dt / inertia must stay below {HELD:g}"
                yield Stiffness(dof, what, float(kd / inertia[dof]), held, HELD)


def _gains(engine: Engine, rows: np.ndarray) -> np.ndarray:
    """(nv,) kd of the controller: those of a `PD`, else what torques and velocities of the rows show."""
    nv = engine.linkage.nv
    if isinstance(engine.controller, PD):
        return np.broadcast_to(np.asarray(engine.controller.kd, dtype=float), (nv,))
    fields = engine.recorder.segment.fields
    tau, v = np.diff(rows[:, fields["tau"]][:, :nv], axis=0), np.diff(rows[:, fields["v"]], axis=0)
    with np.errstate(all="ignore"):
        square, product = (v * v).sum(axis=0), (tau * v).sum(axis=0)
        gain, likeness = -product / square, product**2 / (square * (tau * tau).sum(axis=0))
    return np.where(likeness > 0.8, np.nan_to_num(gain), 0.0)


def _first_to_grow(v: np.ndarray) -> int:
    """The degree of freedom whose speed left its usual size first."""
    usual = np.median(np.abs(v[: max(2, len(v) // 2)]), axis=0) + 1e-12
    grown = np.abs(v) > 10.0 * usual
    first = np.where(grown.any(axis=0), grown.argmax(axis=0), len(v))
    return int(np.lexsort((-np.abs(v[-1]) / usual, first))[0])


class Progress:
    """Raises where steps that choose their size get so small that the run does not go on."""

    def __init__(self):
        self._since, self._steps = -np.inf, 0

    def look(self, engine: Engine, count: int) -> None:
        """Count a step."""
        stepper = engine.stepper
        if stepper.integrator not in ADAPTIVE:
            return
        self._steps += 1
        if stepper.t > self._since + stepper.dt:
            self._since, self._steps = stepper.t, 0
        elif self._steps > STEPS:
            raise DivergedError(
                f"at t = {stepper.t:g} s steps of {stepper.integrator} get too small: {STEPS} of them within "
                f"dt = {stepper.dt:g} s. Something is too stiff for it, or jumps; soften it, or take rk4",
                time=stepper.t,
            )
