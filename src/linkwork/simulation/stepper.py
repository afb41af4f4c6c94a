"""A state on its way through time: steps on a grid, single ones in between, and the rows they leave.

Step n of the grid goes from origin + n dt by dt, so that a run does not depend on where it was interrupted. A step that
must end elsewhere, at an action or an event, is shorter, and so is the one after it, back to the grid.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import DivergedError, LinkworkError
from linkwork.kernels.launch import bind
from linkwork.kernels.layout import DIVERGED, FASTEST, LIMIT, NO_INERTIA, UNCLOSED, UNSOLVED
from linkwork.linkage.packing.launch import problem
from linkwork.simulation import integrators
from linkwork.simulation.integrators import Adaptive, Step
from linkwork.simulation.recording import Segment
from linkwork.simulation.system import System

SAME = 1e-9  # of dt: times so close are one
PATIENCE = 200_000  # stages: compiled calls return after about so many, a fraction of a second
# statuses of what only Python can do: massless bodies that loops carry, loops far from closed
BEYOND = (*NO_INERTIA, UNCLOSED)


class Mark(NamedTuple):
    """A state to return to."""

    t: float
    n: int
    q: np.ndarray
    v: np.ndarray


class Stepper:
    """Moves a state.

    Attributes
    ----------
    t : float
    q, v : arrays
        The state; written in place.
    n : int
        The last grid point that was reached or passed.
    size : float
        Of the next step, where an adaptive integrator chooses it.
    """

    def __init__(self, integrator: str, adaptive: Adaptive, dt: float, every: int, t: float, q, v):
        self.integrator, self.adaptive, self.dt, self.every = integrator, adaptive, dt, every
        self.t = self.origin = t
        self.q, self.v, self.n, self.size = q, v, 0, dt
        self._drift = np.zeros((2, 2))
        self.on_dt_grid = integrator != "adaptive"

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
        self.compiled = system.compiled and self.integrator != "adaptive"
        if not self.compiled:
            return
        tree = system.tree
        self._scratch = np.empty((2, tree.nq)), np.empty((9, tree.nv))
        self._spare = np.empty((1, 3 + tree.nq + 2 * tree.nv + system.torques))
        self._model = tree.model, tree.index, np.empty(tree.work_size), tree.table, system.limits.table, system.loops()
        self._watched = system.limits.stops, system.strengths()
        self._unwatched = np.empty((0, 3)), np.empty((0, 4))
        state = self.q, self.v, np.zeros(system.torques), *self._scratch, self._drift, self._spare
        march = "motion.march", integrators.COMPILED[self.integrator]
        self._march = bind(march, *self._model, *self._watched, 0.0, 1.0, 0, 0, 1, *state)

    def __getstate__(self) -> dict[str, Any]:
        """All but what `prepare` makes."""
        kept = ("integrator", "adaptive", "dt", "every", "t", "origin", "q", "v", "n", "size", "_drift", "on_dt_grid")
        return {name: getattr(self, name) for name in kept}

    def mark(self) -> Mark:
        """The present state, to return to."""
        return Mark(self.t, self.n, self.q.copy(), self.v.copy())

    def place(self, mark: Mark) -> None:
        """Return to a state."""
        self.t, self.n, self.q, self.v = mark.t, mark.n, mark.q.copy(), mark.v.copy()

    def target(self, end: float) -> tuple[float, float, bool]:
        """The end of the next step, its size, and whether that is a grid point."""
        grid = self.origin + (self.n + 1) * self.dt
        if grid > end + SAME * self.dt:
            return end, end - self.t, False
        return grid, self.dt if self.t == self.origin + self.n * self.dt else grid - self.t, True

    def many(self, end: float, tau: np.ndarray, segment: Segment) -> bool:
        """As many whole steps up to `end` as one compiled call can do; False where it stops at a limit or a break."""
        last = int(np.floor((end - self.origin) / self.dt + SAME))
        if self.t != self.origin + self.n * self.dt or last <= self.n:
            if len(self._watched[0]) or len(self._watched[1]):
                return False  # a shorter step: hard limits and strengths are looked at closely
            self.one(end, tau, segment)
            return True
        rows = segment.room()
        last = min(last, self.n + len(rows) * self.every, self.n + max(1, PATIENCE // self.system.tree.stages))
        outcome, n, used = self._march(
            *self._model, *self._watched, self.origin, self.dt, self.n, last, self.every,
            self.q, self.v, tau, *self._scratch, self._drift, rows,
        )  # fmt: skip
        segment.wrote(used)
        if n > self.n + 1:  # it would have stopped near a singular pose: all poses but the last are far from any
            self.system.singular = False
        self.n, self.t = n, self.origin + n * self.dt
        self._report()
        if self._beyond(outcome) or outcome & 15 == LIMIT:
            return False
        if outcome:
            raise self._problem(outcome, tau)
        return True

    def one(self, end: float, tau: np.ndarray, segment: Segment) -> None:
        """One step, not beyond `end`, whatever limits it passes."""
        target, h, is_grid = self.target(end)
        rows = segment.room()
        done = False
        if self.compiled:
            grid = h == self.dt
            outcome, _, used = self._march(
                *self._model, *self._unwatched, self.origin if grid else self.t, h, self.n if grid else 0,
                self.n + 1 if grid else 1, self.every if grid else 1, self.q, self.v, tau, *self._scratch, self._drift,
                rows,
            )  # fmt: skip
            done = not self._beyond(outcome)
            if done and outcome:
                raise self._problem(outcome, tau)
            segment.wrote(used)
        if not done:
            if not self.on_dt_grid:
                state = self.t, self.q, self.v, tau, self.size, end
                step, target, self.size = self._guarded(lambda: self.adaptive.within(self.system, *state), tau)
                is_grid = False
            else:
                step = self._python_step(self.t, self.q, self.v, tau, h)
            self._check(step.v)
            reached = self.system.project(target, step.q, step.v)
            if self.n % self.every == 0 or not is_grid:
                self.write(rows[0], step.a, step.tau)
                segment.wrote(1)
            self.q, self.v, self.drift = reached
        self.t = target
        self.n += is_grid
        if done:
            self._report()
            if self.system.limits.resting:
                self.q, self.v, self.drift = self.system.project(self.t, self.q, self.v)

    def _report(self) -> None:
        """Let it be known when compiled steps come near a singular pose of the loops."""
        loops = self._model[-1]
        if loops is not None:
            self.system.tell_singular(self.t, *self.system.tree.loops.margin(loops[2])[:2])

    def _beyond(self, outcome: int) -> bool:
        """Whether compiled steps cannot go on here; they are given up until the linkage changes."""
        beyond = self.system.tree.closed and outcome & 15 in BEYOND
        self.compiled = self.compiled and not beyond
        return beyond

    def _python_step(self, t, q, v, tau, h) -> Step:
        step = self.adaptive if self.integrator == "adaptive" else integrators.FIXED[self.integrator]
        return self._guarded(lambda: step(self.system, t, q, v, tau, h), tau)

    def _guarded(self, make, tau):
        """What `make` makes; an error in the middle of a step that is no callback's means that the motion diverged."""
        try:
            with np.errstate(all="ignore"):
                return make()
        except DivergedError:
            raise
        except LinkworkError as error:
            if error is self.system.asking.error:
                raise
            raise self._diverged(error, tau) from None

    def trial(self, mark: Mark, tau: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """The state at time t by one step from a mark."""
        if self.compiled:
            q, v = mark.q.copy(), mark.v.copy()
            outcome, _, _ = self._march(
                *self._model, *self._unwatched, mark.t, t - mark.t, 0, 1, 1,
                q, v, tau, *self._scratch, self._drift, self._spare,
            )  # fmt: skip
            if not self._beyond(outcome):
                if outcome:
                    raise self._problem(outcome, tau)
                if not self.system.limits.resting:
                    return q, v
        if not self.compiled:
            step = self._python_step(mark.t, mark.q, mark.v, tau, t - mark.t)
            q, v = step.q, step.v
        q, v, self.drift = self.system.project(t, q, v)
        return q, v

    def write(self, row: np.ndarray, a: np.ndarray, tau: np.ndarray) -> None:
        """Write the present state as a row."""
        external = self.system.external(self.t, self.q, self.v)
        row[0] = self.t
        row[1:] = np.concatenate([self.q, self.v, a, tau, self.drift, () if external is None else external.reshape(-1)])

    def _check(self, v: np.ndarray) -> None:
        wrong = np.flatnonzero(~(np.abs(v) < FASTEST))
        if len(wrong):
            raise self._diverged_at(int(wrong[0]))

    def _problem(self, outcome: int, tau: np.ndarray) -> LinkworkError:
        """The error that a kernel's status stands for."""
        what, where = outcome & 15, outcome >> 4
        if what == UNSOLVED:
            return integrators.unsolved(self.t)
        if what == DIVERGED:
            return self._diverged_at(where)
        return self._diverged(problem(self.system.linkage, outcome, f"at t = {self.t:g} s: "), tau)

    def _diverged(self, error: LinkworkError, tau: np.ndarray) -> LinkworkError:
        """That a motion diverged, where its acceleration can be had at the step's start; the error itself where not."""
        try:
            a, _ = self.system.acceleration(self.t, self.q, self.v, tau)
        except LinkworkError:
            return error
        return self._diverged_at(int(np.argmax(np.abs(self.v + self.dt * a))))

    def _diverged_at(self, dof: int) -> DivergedError:
        columns = self.system.linkage.columns
        joint = columns.joint_names[int(np.searchsorted(columns.v_start, dof, side="right")) - 1]
        return DivergedError(
            f"the motion diverged at t = {self.t:g} s, first of all at joint {joint!r}: take a smaller dt or another "
            "integrator, or soften forces; what was recorded is kept",
            time=self.t,
            joint=joint,
        )
