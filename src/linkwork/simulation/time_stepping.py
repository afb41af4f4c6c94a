"""Steps of a linkage whose shapes touch, by impulses: see `linkwork.kernels.motion.contact_stepping`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.dynamics.shape_contacts import NO_VALUE, ShapeContacts
from linkwork.errors import ArgumentError, DivergedError
from linkwork.kernels.launch import call
from linkwork.kernels.layout import LIMIT, STEP_SCRATCH, UNSOLVED
from linkwork.kernels.layout.loops import AXIS, P_ROWS
from linkwork.kernels.layout.shapes import C_GAP, C_PAIR, CONTACT_ROW
from linkwork.kernels.layout.strengths import BREAKS, POINT, S_FORCE, S_KIND, S_SHARE, S_TORQUE, S_WHERE
from linkwork.simulation.acting import Acts, can_command
from linkwork.simulation.integrators import Step
from linkwork.simulation.limit_kinds import Impulsive
from linkwork.simulation.limits import acting as limits_acting
from linkwork.simulation.many_contacts import ManyContacts
from linkwork.simulation.pair_modes import changes, follow
from linkwork.simulation.segment import Event, Segment
from linkwork.simulation.stepper import SAME, UNCOMMANDED, Mark, Stepper
from linkwork.simulation.system import System
from linkwork.simulation.trouble import guarded, problem_of

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine

TOUCHING, NEAR = 1e-6, 20.0  # m, m/s²: as in the kernel
ROOM = 16  # contacts that there is room for at first
SOLVED = 1e-10  # residual of a contact problem, beside the largest impulse, above which it is told
NO_STOPS = np.empty((0, 3))
NEVER = 1 << 62  # a step that does not come


class Touching(NamedTuple):
    """What acts in one step: contacts as of `linkwork.kernels.layout.shapes`, impulses along their frames, modes."""

    rows: np.ndarray  # (n, CONTACT_ROW)
    frames: np.ndarray  # (n, 3, 3) normal and tangents, world axes, one per row
    impulses: np.ndarray  # (n, 3) N s, along these
    modes: np.ndarray  # (n,)


class ContactMark(NamedTuple):
    """A state to return to, and what was told of the contacts."""

    t: float
    n: int
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    due: int
    memory: np.ndarray


class TimeStepper(Stepper):
    """Moves a state whose shapes touch.

    Attributes
    ----------
    memory : (pairs, 4) array
        Modes of pairs as they were told, as they are, for how many steps, as they were before.
    """

    contacts = "time-stepping"

    @property
    def contact_step(self) -> float:
        """Size of the steps by which shapes touch, s."""
        return self.dt

    @property
    def residual(self) -> float:
        """The largest one of a contact problem, beside its largest impulse, since one was told."""
        return float(self._space[14][4])

    def prepare(self, system: System) -> None:
        """Take up a linkage, which may have changed since the last time."""
        self.system = system
        if len(self.tau) != system.n_torques:
            self.tau = np.zeros(system.n_torques)
        self.revision += 1
        self._refuse(system)
        self._shapes = ShapeContacts(system.linkage, points=True)
        self._strengths, self._overloaded = self._watched_strengths(), False
        self._unwatched: Any = None  # as many, which nothing breaks
        if self._strengths is not None:
            self._unwatched = self._strengths.copy()
            self._unwatched[:, S_FORCE : S_TORQUE + 1] = np.inf
        self.compiled = not (self.obstacles() or self._shapes.shapes.solids)
        self.looks = self.compiled
        self.commanded = self.compiled and can_command(self.controller)
        self.calls_back = self.compiled and self.controller is not None and not self.commanded
        tree, work = system.tree, np.empty(system.tree.work_size)
        controller = self.controller if self.commanded else self.call if self.calls_back else None
        self._acts = Acts(system, self.q, controller, self.held)
        acting = self._acts.f_ext, self._acts.arrays
        limits = limits_acting(system.limits.table, system.loop_limits.table)
        self._model = tree.model, tree.index, work, tree.table, limits, system.loops(), *acting
        self._stops = system.limits.stops
        self._scratch = np.empty((3, tree.nq)), np.empty((STEP_SCRATCH, tree.nv)), np.empty((3, tree.nv))
        self._spare = np.empty((1, 3 + tree.nq + 2 * tree.nv + system.n_torques + len(self._acts.f_ext)))
        names = [(self._shapes.names(k)) for k in range(len(self._shapes.shapes.pairs))]
        if getattr(self, "_pair_names", None) != names:
            self.memory, self._pair_names = np.zeros((len(names), 4), dtype=np.int64), names
        self._news: list[Event] = []
        self._make_room(ROOM)

    def can_march(self) -> bool:
        """Whether compiled steps can be made now."""
        return self.compiled and not self.system.limits.resting

    def obstacles(self) -> list[str]:
        """Why steps are not compiled, and what that costs; pairs of solids, which coal compares, apart."""
        shapes, found = self._shapes.shapes, self.system.obstacles()
        if shapes.fields or shapes.moving:
            found.append("ground that is, or moves by, a function of Python's is looked at by Python: 0.1 ms or more")
        return found

    def _refuse(self, system: System) -> None:
        """Raise for what cannot be together with time stepping."""
        for drive in system.drives:
            if not drive.plain:
                raise ArgumentError(
                    f"joint {drive.joint!r} is driven and has several axes that turn, which time-stepping contacts do "
                    "not know: drive joints of one axis, or use a PD controller"
                )
        if system.method not in ("auto", "aba"):
            raise ArgumentError(f'method={system.method!r} and time-stepping contacts do not go together: use "auto"')
        if system.breakable() and isinstance(system.limits.kind, Impulsive) and len(system.limits.dofs):
            name = next(iter(system.breakable()))
            raise ArgumentError(
                f'{name!r} has a strength: beside limits="impulsive" time-stepping contacts do not know what it bears; '
                'use limits="compliant"'
            )

    def _watched_strengths(self) -> np.ndarray | None:
        """(m, 5) as `linkwork.kernels.motion.strength` takes them, points by their pairs; None where nothing breaks."""
        rows = self.system.strengths()
        if not len(rows):
            return None
        rows[rows[:, S_KIND] == POINT, S_WHERE] += len(self._shapes.shapes.pairs) - len(self.system.linkage.contacts)
        return np.column_stack([rows, np.zeros(len(rows))])

    def _make_room(self, room: int) -> None:
        """Scratch space for so many contacts."""
        loops = self._model[5]
        self._tables = self._shapes.tables(np.zeros((room, CONTACT_ROW)))
        self._space = scratch_space(room, self.system.tree.nv, loops)
        self._many = ManyContacts.beside(self.system.tree.index, self._space, loops)
        self._space[14][1] = self._least = float(self._strengths is not None)  # the least of forces that do the same

    def __getstate__(self) -> dict[str, Any]:
        """All but what `prepare` makes."""
        made = {"system", "compiled", "commanded", "_model", "_stops", "_scratch", "_spare", "_shapes", "_tables"}
        made |= {"_space", "_many", "_news", "_found", "_reached_drift", "_next_tau"}
        made |= {"_strengths", "_unwatched", "_overloaded"}
        kept = {name: value for name, value in self.__dict__.items() if name not in made}
        return kept | {"_acts": None, "call": None}

    def mark(self) -> Any:
        """The present state, to return to."""
        return ContactMark(
            self.t, self.n, self.q.copy(), self.v.copy(), self.tau.copy(), self.due, self.memory.copy()
        )  # fmt: skip

    def place(self, mark: Any) -> None:
        """Return to a state."""
        super().place(mark)
        if isinstance(mark, ContactMark):
            self.memory = mark.memory.copy()
        self._news = [event for event in self._news if event.time <= self.t]

    # Steps

    def begin(self, engine: Engine) -> None:
        """Let what would bear more than its strength in the step that begins now break first."""
        if self._overloaded:
            self._overloaded = False
            engine.let_break()

    def many(self, end: float, segment: Segment) -> bool:
        """As many whole steps up to `end` as one compiled call can do; False where it stops at a limit."""
        last = int(np.floor((end - self.origin) / self.dt + SAME))
        if self.t != self.origin + self.n * self.dt or last <= self.n:
            if len(self._stops):
                return False
            self.one(end, segment)
            return True
        rows, self._segment, self.noted = segment.open(), segment, None
        last = self.n + self._most(last - self.n, rows)
        outcome, n, used, found = self._marched(
            self.n, self.t, "march_contacts", self._model, self._tables, self._space, self.memory, self._stops,
            self._strengths, self.origin, self.dt, self.n, last, self.every, self.n, self.q, self.v, self.tau,
            self._scratch, self._drift, rows, due=self.due,
        )  # fmt: skip
        self._segment = None
        self._acts.looked()
        if self._left:  # the controller changed something: the state is as it has left it
            return True
        self.due = self._acts.due if outcome != UNCOMMANDED else n
        segment.close(used)
        self.n, self.t = n, self.origin + n * self.dt
        self._report_singular()
        if found > len(self._tables[4]):
            self._make_room(2 * found)
        self._overloaded = outcome == BREAKS
        if outcome & 15 == LIMIT:
            error = self._acts.error  # of a condition: it comes again where steps are made one by one
            if error is not None and not isinstance(error, Exception):
                raise error  # but an interrupt does not
            return self._overloaded
        if outcome:
            raise self._problem(outcome)
        self._tell(self._scratch[2][2])
        return True

    def one(self, end: float, segment: Segment) -> None:
        """One step, not beyond `end`, whatever limits it passes."""
        target, h, is_grid = self.target(end)
        before = self.v
        self._overloaded = any(left < 0.0 for _, left in self.strengths_left())
        if self._overloaded:
            return
        step = guarded(self, lambda: self._step(self.t, self.q, self.v, h))
        if self.n % self.every == 0 or not is_grid:
            self.write(segment, step.a, step.tau)
        self.q, self.v, self.t, self._drift = step.q, step.v, target, self._reached_drift
        self.n += is_grid
        if self.commanded:
            self.tau, self.due = self._next_tau, self._acts.due
        if follow(self._found, self._tables[4], self._space[13], self.memory) or self.residual > SOLVED:
            self._tell(before)
        self._report_singular()
        if self.system.limits.resting:
            self.project()

    def trial(self, mark: Mark, t: float) -> tuple[np.ndarray, np.ndarray]:
        """The state at time t by one step from a mark."""
        step = guarded(self, lambda: self._step(mark.t, mark.q, mark.v, t - mark.t))
        if not self.system.limits.resting:
            return step.q, step.v
        q, v, self.drift = self.system.project(t, step.q, step.v)
        return q, v

    def acceleration(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean acceleration and torques of the step that begins now."""
        step = guarded(self, lambda: self._step(self.t, self.q, self.v, self.dt))
        return step.a, step.tau

    def strengths_left(self) -> list[tuple[str, float]]:
        """What can break, with the share of its strength that is left in a step of dt from here."""
        if self._strengths is None:
            return []
        guarded(self, lambda: self._step(self.t, self.q, self.v, self.dt, watched=True))
        return list(zip(self.system.breakable(), (1.0 - self._strengths[:, S_SHARE]).tolist(), strict=True))

    def _step(self, t: float, q: np.ndarray, v: np.ndarray, h: float, *, watched: bool = False) -> Step:
        """One step; nothing is kept but what acts. If it is `watched`, it ends where a joint breaks."""
        strengths = self._strengths if watched else self._unwatched
        drift = self._reached_drift = self._drift.copy()
        tau = self._next_tau = self.tau.copy()
        if not self.compiled:
            return self._step_in_python(t, q, v, h, drift, tau, strengths)
        new_q, new_v = q.copy(), v.copy()
        outcome, _, _, found = self._marched(
            self.n, t, "march_contacts", self._model, self._tables, self._space, self.memory.copy(), NO_STOPS,
            strengths, t, h, 0, 1, 1, self.n, new_q, new_v, tau, self._scratch, drift, self._spare,
        )  # fmt: skip
        if found > len(self._tables[4]):
            self._make_room(2 * found)
            return self._step(t, q, v, h, watched=watched)
        if outcome and outcome != BREAKS:
            raise self._problem(outcome)
        self._found = found
        return Step(new_q, new_v, (new_v - v) / h, self._acts.arrays.kept[: len(tau)].copy())

    def _step_in_python(self, t: float, q: np.ndarray, v: np.ndarray, h: float, drift, tau, strengths) -> Step:
        """One step by two calls, between which Python looks for contacts."""
        middle = t + 0.5 * h
        coordinates, s, velocities = self._scratch
        at, spare, v_at = coordinates[0], coordinates[2], velocities[1]
        self._shapes.shapes.place(middle)
        outcome, found = self._run("half_way", self._model, self._tables, t, h, q, v, s, spare, drift[0], at, v_at)
        if outcome:
            raise self._problem(outcome)
        given = self._shapes.in_python(middle, max(TOUCHING, NEAR * h * h)) if found <= len(self._tables[4]) else ()
        total = found + len(given)
        if total > len(self._tables[4]):
            self._make_room(2 * total)
            return self._step_in_python(t, q, v, h, drift, tau, strengths)
        self._tables[4][found:total] = given
        self._found = total
        new_q, new_v = np.empty_like(q), np.empty_like(v)
        outcome = self._marched(
            self.n, t, "second_half", self._model, self._tables, self._space, strengths, total, t, h, v_at, tau, s,
            spare, drift[0], at, new_q, new_v,
        )  # fmt: skip
        if outcome and outcome != BREAKS:
            raise self._problem(outcome)
        return Step(new_q, new_v, (new_v - v) / h, self._acts.arrays.kept[: len(tau)].copy())

    def _marched(self, number: int, t: float, kernel: str, *arguments: Any, due: int | None = None) -> Any:
        """What a kernel gives that calls back now and then, at step `number` and time t.

        Without the step in which it is `due` no controller of Python's is asked.
        """
        acts, within = self._acts, self._acts.paused
        acts.start(NEVER if due is None and self.calls_back else self.due, t, number)
        if due is not None and self.watching:
            acts.watch(*self.watching)
        self._marching, self._left = True, False
        try:
            return self._run(kernel, *arguments)
        finally:
            self._marching = False
            if not within:
                acts.end_pause()

    def _run(self, kernel: str, *arguments: Any) -> Any:
        return call(("motion.contact_stepping", kernel), *arguments)

    # What is told

    def touching(self) -> Touching:
        """What acts in the step that begins now."""
        return self.touching_from(self.t, self.q, self.v, self.dt)

    def touching_from(self, t: float, q: np.ndarray, v: np.ndarray, h: float) -> Touching:
        """What acts in a step of size h from a state, under the torques that are held."""
        if self._marching:
            raise ArgumentError("contacts are known between steps: ask for them in a controller, condition or action")
        self._space[14][1] = 1.0  # the least of forces that do the same
        guarded(self, lambda: self._step(t, q, v, h))
        n, space = self._found, self._space
        space[14][1] = self._least
        frames, impulses = space[2][:n].reshape(n, 3, 3), space[5][: 3 * n].reshape(n, 3)
        return Touching(self._tables[4][:n].copy(), frames.copy(), impulses.copy(), space[13][:n].copy())

    def gaps(self, margin: float = np.inf) -> np.ndarray:
        """(n, CONTACT_ROW) what is near now, whether it touches or not."""
        return self._shapes.find(self.t, self.q, margin, self._look if self.compiled else None)

    def _look(self, tables: tuple[Any, ...], t: float, q: np.ndarray, margin: float) -> int:
        self._space[14][2] = margin
        return self._run(
            "march_contacts", self._model, tables, self._space, self.memory, NO_STOPS, self._unwatched, t,
            self.dt, 0, 0, 1, 0, q, self.v, self.tau, self._scratch, self._drift, self._spare,
        )[3]  # fmt: skip

    def refuse_overlap(self) -> None:
        """Raise where shapes overlap now."""
        self._shapes.refuse_overlap(self.gaps(0.0))

    def pair_names(self) -> list[tuple[str, str]]:
        """The shapes of every pair that may touch."""
        return self._pair_names

    def told(self) -> list[list[int]]:
        """Modes of pairs, for `recall`."""
        return self.memory.tolist()

    def recall(self, told: list[list[int]]) -> None:
        """Go on telling where a run was left."""
        self.memory = np.array(told, dtype=np.int64).reshape(-1, 4)

    def noticed(self) -> list[Event]:
        """What contacts have done since the last call."""
        news, self._news = self._news, []
        return news

    def _tell(self, before: np.ndarray) -> None:
        """Note the pairs whose modes have changed; `before` is the velocity before the last step."""
        residual = self.residual
        if residual > SOLVED:
            what = f"impulses are accurate to {residual:.1e} of the largest one only"
            self._news.append(Event(self.t, "contact", what, np.zeros_like(self.v), 0.0))
            self._space[14][4] = 0.0
        lost = float(self._space[14][0])
        self._news += changes(self.memory, self._pair_names, self.t, self.dt, self.v, before, lost)

    def _problem(self, outcome: int) -> BaseException:
        """The error that a kernel's status stands for."""
        lost = self._tables[4][np.isnan(self._tables[4][:, C_GAP])]
        if len(lost):
            a, b = self._pair_names[int(lost[0, C_PAIR])]
            return ArgumentError(NO_VALUE.format(self.t, a, b))
        if outcome & 15 == UNSOLVED:
            return DivergedError(
                f"at t = {self.t:g} s no impulses were found at contacts: take a smaller dt, or less friction where "
                "shapes are wedged; what was recorded is kept",
                time=self.t,
            )
        return problem_of(self, self._acts, outcome)


def scratch_space(room: int, nv: int, loops: Any, *, many: bool = True) -> tuple[np.ndarray, ...]:
    """Scratch space for so many contacts; where there may be `many`, `ManyContacts` is to solve for them."""
    from linkwork.kernels.contact.impulses import MANY
    from linkwork.kernels.contact.problem import scratch_shape

    width = nv + (0 if loops is None else int(loops[0][P_ROWS]))
    dense = min(room, max(MANY, nv // 3)) if many and loops is None else room
    return (
        np.empty((room, 2), dtype=np.int64), np.empty((room, 3)), np.empty((room, 9)), np.empty(room),
        np.empty(room, dtype=np.int64), np.empty(3 * room), np.empty(3 * room), np.empty(3 * room),
        np.empty((6, width)), np.empty((3 * room, width)), np.zeros(scratch_shape(room, dense)),
        np.empty((3 * dense, 3 * dense)), np.zeros((6, max(AXIS * nv, width, 3 * room))),
        np.zeros(room, dtype=np.int64), np.zeros(9),
    )  # fmt: skip
