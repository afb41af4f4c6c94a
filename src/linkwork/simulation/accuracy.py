"""Whether steps are short enough: the energy that goes astray, found from the rows that are recorded anyway.

From one row to the next the energy E changes by the work of the torques, which are held during a step, less what
dampers and dry friction take:

    E₁ − E₀ = Σ τ·Δq − Σ (v·D v + friction) h + R

R is the error of the steps, and of the second sum, which is one of trapezoids. The sums are taken over stretches of
rows without events and without joints beyond compliant limits; E is computed at their ends only.

Where torques, wrenches or drives act during a step their work is not known so well. There now and then a step of "rk4"
is made once more as two halves, from the same state under the same torques, and thrown away: by Richardson, E of the
step less E of the halves is 15/16 of its error.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from linkwork.dynamics.energy import energies
from linkwork.errors import LinkworkWarning
from linkwork.kernels.layout.kinds import KIND_NV, RATES
from linkwork.linkage.forces import JointFriction, Spring
from linkwork.simulation.stepper import Mark

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine
    from linkwork.simulation.segment import Segment

ORDER = {"rk4": 4, "implicit-midpoint": 2, "semi-implicit": 1}
ALLOWED = {"rk4": 0.003, "implicit-midpoint": 0.03, "semi-implicit": 0.1}  # of the kinetic energy, a second
OF_WORK = 0.5  # of the work of torques and dampers: of gains that are nearly unstable the sums find no more
WANTED = 1e-3  # what the advised step aims at
MANY = 100  # steps whose rows are looked at together
SOON = 0.2  # s before anything is said
OFTEN, SELDOM = 40, 2000  # steps from one trial to the next, at first and later
TRIALS = 5  # before anything is said
ROUNDING, ROUNDED = 1e-9, 1e-13  # of the energy itself: of many rows, of one step


class Accuracy:
    """Adds up the energy that goes astray, and warns once where that is too much.

    Attributes
    ----------
    astray : float
        Σ R, J, over `time`, s.
    """

    def __init__(self):
        self._told = False
        self._begin(tries=False)
        self._segment: Segment | None = None
        self._losses: Losses | None = None
        self._new = 0  # rows that have not been looked at

    def _begin(self, *, tries: bool) -> None:
        """Begin to add up, what rows tell or what trials do."""
        self._tries = tries
        self.astray = self.time = self._power = self._kinetic = self._floor = 0.0

    def look(self, engine: Engine, count: int) -> None:
        """Look at rows that were recorded last, once there are many."""
        stepper, segment = engine.stepper, engine.recorder.segment
        touched = stepper.contact_step or len(engine.linkage.shapes)
        if self._told or not stepper.compiled or engine.system.limits.resting or touched or engine.thermostat:
            self._segment = None
            return
        tries = bool(engine.drives or engine.torques or engine.wrenches or engine.controller)
        if tries != self._tries:
            self._begin(tries=tries)
        if tries:
            self._segment = None
            self._try(engine, count)
            return
        if segment is not self._segment:
            self._segment, self._losses, self._new = segment, Losses(segment), -1
        self._new += count
        assert self._losses is not None
        if self._new < max(2, MANY // stepper.every) or not self._losses.known:
            return
        rows, self._new = segment.last(self._new + 1), 0
        step = stepper.dt * stepper.every
        smooth = np.abs(np.diff(rows[:, 0]) - step) < 1e-6 * step
        if stepper.every > 1:  # torques and speeds in between are not known
            smooth &= not (rows[:, segment.fields["tau"]].any() or self._losses.any)
        smooth &= ~self._losses.beyond(rows[:, segment.fields["q"]])[1:]
        edges = np.flatnonzero(np.diff(np.concatenate([[False], smooth, [False]]).astype(np.int8)))
        for first, last in edges.reshape(-1, 2):
            self._add(segment, rows[first : last + 1])
        if self.time > SOON:
            self._judge(engine, max(self.time, 1.0))

    def _try(self, engine: Engine, count: int) -> None:
        """Make every so many-th step once more as a whole, and as two halves."""
        stepper, segment = engine.stepper, engine.recorder.segment
        self._new += count
        apart = max(1, (OFTEN if self.time < 2 * TRIALS * stepper.dt else SELDOM) // stepper.every)
        if self._new < apart or stepper.integrator != "rk4" or engine.system.touching:
            return
        rows, self._new = segment.last(min(self._new, len(segment)))[::apart], 0
        rows = rows[~Losses(segment).beyond(rows[:, segment.fields["q"]])]
        commanded = engine.controller and not (engine.drives or engine.torques)  # what is recorded is what is held
        for row in rows:
            tau = row[segment.fields["tau"]] if commanded else stepper.tau
            start = Mark(row[0], 0, row[segment.fields["q"]], row[segment.fields["v"]], tau)
            self._compare(engine, *(stepper.repeat(start, stepper.dt / parts, parts) for parts in (1, 2)))
        if self.time > (TRIALS - 0.5) * stepper.dt:
            self._judge(engine, self.time)

    def _compare(self, engine: Engine, whole: Mark | None, halves: Mark | None) -> None:
        """Add what goes astray in a step that was made twice; None where it failed."""
        if whole is None or halves is None:
            return
        linkage, h = engine.linkage, engine.stepper.dt
        first, (kinetic, potential) = sum(energies(linkage, whole.q, whole.v)), energies(linkage, halves.q, halves.v)
        self.astray += 16.0 / 15.0 * float(first - kinetic - potential)
        self.time += h
        self._kinetic += h * float(kinetic)
        self._floor += ROUNDED * abs(float(kinetic + potential))

    def _add(self, segment: Segment, rows: np.ndarray) -> None:
        """Add what goes astray in a stretch of rows."""
        assert self._losses is not None
        linkage, fields, ends = segment.linkage, segment.fields, rows[[0, -1]]
        each = [energies(linkage, row[fields["q"]], row[fields["v"]]) for row in ends]  # calls of one state are short
        energy, kinetic = np.sum(each, axis=1), np.mean(each, axis=0)[0]
        all_q, all_v = rows[:, fields["q"]], rows[:, fields["v"]]
        tau = rows[:-1, fields["tau"]][:, : linkage.nv]
        h, time = np.diff(rows[:, 0]), rows[-1, 0] - rows[0, 0]
        work = self._losses.work(tau, all_q, all_v, h) if tau.any() else np.zeros(1)
        loss = self._losses.loss(all_v, h)
        self.astray += float(energy[1] - energy[0] - work.sum() + loss)
        self.time += time
        self._power += float(np.abs(work).sum() + loss)
        self._kinetic += time * float(kinetic)
        self._floor = max(self._floor, ROUNDING * float(np.abs(energy).max()))

    def _judge(self, engine: Engine, span: float) -> None:
        """Warn where the energy that went astray is more than is allowed over this time."""
        stepper = engine.stepper
        rate, kinetic = abs(self.astray) / self.time, self._kinetic / self.time
        most = ALLOWED[stepper.integrator] * kinetic * span + OF_WORK * self._power + self._floor
        if not abs(self.astray) > most:
            return
        self._told = True
        advised = stepper.dt * min(0.5, (WANTED * kinetic / rate) ** (1.0 / ORDER[stepper.integrator]))
        warnings.warn(
            f"energy changes by {rate:.2g} J a second by the error of the steps alone, {100 * rate / kinetic:.2g} % of "
            f"the kinetic energy, at dt = {stepper.dt:g} s: try dt ≤ {_rounded_down(advised)}",
            LinkworkWarning,
            stacklevel=2,
        )


class Losses:
    """What dampers and friction of a linkage take, and the work of torques, from rows of a recording.

    Attributes
    ----------
    known : bool
        Whether all that acts besides torques is known here: no loaded springs with dampers, no surfaces.
    any : bool
        Whether anything takes energy.
    """

    def __init__(self, segment: Segment):
        linkage, self._limits, self._loop_limits = segment.linkage, segment.limits, segment.loop_limits
        columns = linkage.columns
        dampers = any(isinstance(force, Spring) and force.damping for force in linkage.forces)
        loops = any(np.any(loop.type.damping) for loop in linkage.loops)
        self.known = not (dampers or loops or len(linkage.contacts))
        self._damping = columns.damping
        self._friction = [(linkage.joints[force.joint].v_slice, np.asarray(force.coulomb), force.speed)
                          for force in linkage.forces if isinstance(force, JointFriction)]  # fmt: skip
        self.any = bool(columns.damping.any() or self._friction)
        code = columns.code
        plain = np.repeat(RATES[code], KIND_NV[code])
        self._plain, self._others = np.flatnonzero(plain), np.flatnonzero(~plain)
        place = np.arange(linkage.nv) - np.repeat(columns.v_start, KIND_NV[code])
        self._coordinate = (np.repeat(columns.q_start, KIND_NV[code]) + place)[self._plain]

    def beyond(self, q: np.ndarray) -> np.ndarray:
        """(n,) whether a joint is beyond a compliant limit; a ball or loop joint that has any always counts."""
        if self._limits[:, 6].any() or len(self._loop_limits):
            return np.ones(len(q), dtype=bool)
        x = q[:, self._limits[:, 1].astype(np.int64)]
        return np.any((x < self._limits[:, 2]) | (x > self._limits[:, 3]), axis=1)

    def work(self, tau: np.ndarray, q: np.ndarray, v: np.ndarray, h: np.ndarray) -> np.ndarray:
        """(n − 1,) work of torques that are held from each row to the next."""
        work = (tau[:, self._plain] * np.diff(q[:, self._coordinate], axis=0)).sum(axis=1)
        mean = 0.5 * (v[1:] + v[:-1])
        return work + (tau[:, self._others] * mean[:, self._others]).sum(axis=1) * h

    def loss(self, v: np.ndarray, h: np.ndarray) -> float:
        """What dampers and dry friction take, J."""
        if not self.any:
            return 0.0
        power = (self._damping * v * v).sum(axis=1)
        for where, coulomb, speed in self._friction:
            power += (coulomb * v[:, where] ** 2 / np.sqrt(v[:, where] ** 2 + speed**2)).sum(axis=1)
        return float((0.5 * (power[1:] + power[:-1]) * h).sum())


def _rounded_down(x: float) -> str:
    """A time with one digit, s."""
    power = np.floor(np.log10(x))
    return f"{int(x / 10.0**power + 1e-9)}e{int(power)} s"
