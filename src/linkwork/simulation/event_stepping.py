"""Steps of a linkage whose shapes touch, each contact in a mode that holds from one event to the next.

See `linkwork.kernels.contact.shape_forces` for the modes, and `linkwork.simulation.shape_events` for what happens where
one ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.shape_contacts import NO_VALUE, ShapeContacts, contact_wrenches
from linkwork.errors import ArgumentError, SingularError
from linkwork.kernels.contact.modes import OPEN, SLIP, STICK
from linkwork.kernels.launch import call
from linkwork.kernels.layout import IRREGULAR, UNSOLVED
from linkwork.kernels.layout.contacts import D_MODE, D_SLIDING, FROM_STATE, MODE_ROW, SLIDES
from linkwork.kernels.layout.shapes import (
    AWAY,
    B_RADIUS,
    B_STAGE,
    CONTACT_ROW,
    CYLINDER,
    E_FORCE,
    E_FRAME,
    E_GAP,
    E_HASTE,
    E_POINT,
    E_SURFACE,
    E_VELOCITY,
    EVENT_ROW,
    HASTE,
    M_BALL,
    M_FRICTION,
    M_PAIR,
    M_SURFACE,
    S_KIND,
    S_MAJOR,
    S_MINOR,
    S_SIDE,
    S_STAGE,
    SPHERE,
    TORUS,
)
from linkwork.linkage.packing.pack_shapes import BY_COAL, shapes_by_events
from linkwork.simulation.agenda import Condition
from linkwork.simulation.field_calls import FieldCalls
from linkwork.simulation.limit_kinds import Impulsive
from linkwork.simulation.segment import Event, Segment
from linkwork.simulation.shape_events import ContactChanges, find_modes, resolve
from linkwork.simulation.stepper import Stepper
from linkwork.simulation.system import System
from linkwork.simulation.time_stepping import Touching, scratch_space
from linkwork.simulation.trouble import problem_of

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine

MOST = 64  # contacts that may touch at once
MOVING = 1e-7  # m/s, as in the kernel
FALLS = 20.0  # m/s²: what comes nearer may get faster so quickly
SHORTEST = 1e-6  # s: steps are not made shorter for contacts that move fast
INSTEAD = 'use contacts="time-stepping"'


class EventStepper(Stepper):
    """Moves a state whose shapes touch.

    Attributes
    ----------
    modes : (meetings, MODE_ROW) array
        What every meeting of a ball and a surface does, see `layout.contacts`; compiled steps read and write it.
    seen : (meetings, EVENT_ROW) array
        What was seen of them in the last look.
    """

    contacts, contact_step = "events", -1.0

    def prepare(self, system: System) -> None:
        """Take up a linkage, which may have changed since the last time."""
        self.system = system
        self._refuse(system)
        self._shapes = ShapeContacts(system.linkage)
        self.shapes = shapes = shapes_by_events(system.linkage)
        names = [self._shapes.names(k) for k in range(len(shapes.pairs))]
        n = len(shapes.meetings)
        if getattr(self, "_pair_names", None) != names or len(self.modes) != n:
            self.modes, self._pair_names, self.known = np.zeros((n, MODE_ROW)), names, False
        self.seen, self._news = np.zeros((n, EVENT_ROW)), []
        room = max(1, min(n, MOST))
        self._space = scratch_space(room, system.tree.nv, system.loops(), many=False)
        self._space[14][1] = self._least = float(len(system.strengths()) > 0)  # of forces that do the same
        closed = np.zeros(max(1, n), dtype=np.int64)
        self._meetings = (
            self._shapes.poses, shapes.balls, shapes.surfaces, shapes.meetings, self.modes, self.seen, closed,
            self._space,
        )  # fmt: skip
        system.by_events = self
        super().prepare(system)

    def _refuse(self, system: System) -> None:
        """Raise for what cannot be together with contacts by events."""
        linkage, shapes = system.linkage, shapes_by_events(system.linkage)
        names, records = linkage._shapes.names, shapes.pairs
        unknown = (shapes.solids, BY_COAL), (shapes.fields, "what moves and then slides")
        for pairs, what in unknown:
            if pairs:
                pair = records[pairs[0]]
                raise ArgumentError(
                    f"{names[pair.b]!r} may touch {names[pair.a]!r}: contacts of {what} have no events; {INSTEAD}, or "
                    f"linkage.part({names[pair.b]!r}, {names[pair.a]!r})"
                )
        if system.touching:
            name = linkage.contacts.names[0]
            raise ArgumentError(
                f"point {name!r} is kept on a surface by constrain, which contacts by events do not know: give its "
                f"body a shape instead, or {INSTEAD}"
            )
        if system.method not in ("auto", "aba"):
            raise ArgumentError(f'method={system.method!r} and contacts by events do not go together: use "auto"')
        if isinstance(system.limits.kind, Impulsive) and len(system.limits.dofs):
            raise ArgumentError(f'limits="impulsive" and contacts by events do not go together: {INSTEAD}')
        obstacles = system.obstacles()
        if obstacles:
            raise ArgumentError(f"contacts by events know no such steps ({obstacles[0]}): {INSTEAD}")

    def _contact_arrays(self) -> tuple[Any, ...]:
        names = {int(row[M_SURFACE]): self._pair_names[int(row[M_PAIR])][0] for row in self.shapes.meetings}
        self._fields = FieldCalls(self.shapes, names, self._acts)
        return ((*self._meetings, self._fields.arrays),)

    def __getstate__(self) -> dict[str, Any]:
        made = {"_shapes", "shapes", "_space", "_meetings", "_fields", "seen", "_news"}
        return {name: value for name, value in super().__getstate__().items() if name not in made}

    def target(self, end: float) -> tuple[float, float, bool]:
        """The end of the next step, in which no contact moves far over its edge or face."""
        haste = float(self.seen[self.modes[:, D_MODE] != FROM_STATE, E_HASTE].max(initial=0.0))
        if haste * super().target(end)[1] > HASTE:
            end = min(end, self.t + max(HASTE / haste, SHORTEST))
        return super().target(end)

    def one(self, end: float, segment: Segment) -> None:
        """One step, not beyond `end`; of those whose size is not `dt` none passes through what it comes to."""
        super().one(end if self.on_dt_grid else min(end, self.t + self._through()), segment)

    def _through(self) -> float:
        """The time that it takes at least to pass through a ball, cylinder or torus, s, while all fall freely."""
        shapes, seen = self.shapes, self.seen
        balls, surfaces = (
            rows[shapes.meetings[:, column].astype(int)]
            for rows, column in ((shapes.balls, M_BALL), (shapes.surfaces, M_SURFACE))
        )
        kinds = surfaces[:, S_KIND]
        size = np.where(kinds == TORUS, surfaces[:, S_MINOR], surfaces[:, S_MAJOR]) + balls[:, B_RADIUS]
        bulges = (surfaces[:, S_SIDE] > 0.0) & ((kinds == SPHERE) | (kinds == CYLINDER) | (kinds == TORUS))
        ahead = bulges & (self.modes[:, D_MODE] == FROM_STATE) & (np.abs(seen[:, E_GAP]) < AWAY)
        speed = np.linalg.norm(seen[ahead, E_VELOCITY : E_VELOCITY + 3], axis=1)
        way = np.maximum(seen[ahead, E_GAP], 0.0) + size[ahead]
        return float((2.0 * way / (speed + np.sqrt(speed**2 + 2.0 * FALLS * way))).min(initial=np.inf))

    # At one state

    def look(self, t: float, q: np.ndarray, v: np.ndarray, tau: np.ndarray, *, least: bool = False) -> float:
        """See what contacts do at a state, in their modes, to `seen`: how far they are from a change."""
        if self._marching:
            raise ArgumentError("contacts are known between steps: ask for them in a controller, condition or action")
        self._acts.start(self.due, t, self.n)
        self._space[14][1] = float(least) or self._least
        self._space[14][6] = 0.0
        outcome, margin = self._call("look", t, q.copy(), v.copy(), tau, self._scratch)
        self._space[14][1] = self._least
        if outcome:
            raise self._problem(outcome)
        lost = np.flatnonzero(np.isnan(self.seen[:, E_GAP]))
        if len(lost):
            raise ArgumentError(NO_VALUE.format(t, *self.name(int(lost[0]))))
        return margin

    def answer(self, t: float, q, v, tau) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations and torques at a state, those of drives included."""
        self.look(t, q, v, tau)
        return self._scratch[1][0].copy(), self._acts.arrays.kept[: len(tau)].copy()

    def bring_back(self, t: float, q, v) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A state on drives, loops and contacts, and how far it was off."""
        q, v, drift = q.copy(), v.copy(), np.zeros(2)
        self._acts.start(self.due, t, self.n)
        outcome = self._call("bring_back", t, q, v, self._scratch, drift)
        if outcome:
            raise self._problem(outcome)
        return q, v, drift

    def struck(self, q, v, impulses) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """G of the contacts in the scratch space, their velocities, and those of joints that impulses on them add."""
        n, dv = len(impulses) // 3, np.zeros(self.system.tree.nv)
        u = np.zeros(3 * n)
        outcome = self._call("struck", n, q.copy(), v.copy(), impulses, u, dv)
        if outcome:
            raise self._problem(outcome)
        return self._space[11][: 3 * n, : 3 * n].copy(), u, dv

    def margin(self, *, start: bool = False) -> float:
        """How far contacts are from a change now; at the start of a step they slip along their motion."""
        least = self.look(self.t, self.q, self.v, self.tau)
        if start:
            for k in np.flatnonzero(self.modes[:, D_MODE] == SLIDES).tolist():
                slip = self.slip(k)
                speed = float(np.linalg.norm(slip))
                if speed > MOVING:
                    self.modes[k, D_SLIDING : D_SLIDING + 3] = slip / speed
        return least

    def slip(self, k: int) -> np.ndarray:
        """(3,) world velocity with which meeting k slips."""
        return self.tangential(k, E_VELOCITY)

    def tangential(self, k: int, what: int) -> np.ndarray:
        """(3,) the part along the surface of a vector in a row of `seen`, world axes."""
        row = self.seen[k]
        return row[what + 1] * row[E_FRAME + 3 : E_FRAME + 6] + row[what + 2] * row[E_FRAME + 6 : E_FRAME + 9]

    def rows(self, meetings: np.ndarray) -> np.ndarray:
        """(n, CONTACT_ROW) these meetings as they were seen, as rows of `layout.shapes`."""
        shapes, out = self.shapes, np.zeros((len(meetings), CONTACT_ROW))
        for row, k in zip(out, meetings, strict=True):
            meeting, seen = shapes.meetings[k], self.seen[k]
            surface = shapes.surfaces[int(meeting[M_SURFACE])]
            stages = surface[S_STAGE], shapes.balls[int(meeting[M_BALL]), B_STAGE]
            rub, velocity = meeting[M_FRICTION : M_FRICTION + 3], seen[E_SURFACE : E_SURFACE + 3]
            row[:] = np.concatenate([
                stages, seen[E_POINT : E_POINT + 3], seen[E_FRAME : E_FRAME + 3], [seen[E_GAP]], rub, velocity,
                [meeting[M_PAIR], k],
            ])  # fmt: skip
        return out

    def _call(self, kernel: str, *arguments: Any) -> Any:
        return call(("motion.event_march", kernel), self._model, *arguments)

    def _problem(self, outcome: int) -> BaseException:
        """The error that a kernel's status stands for."""
        if outcome & 15 in (UNSOLVED, IRREGULAR):
            return SingularError(
                f"at t = {self.t:g} s no forces were found for contacts that touch: they jam by friction, or stand in "
                f"each other's way; {INSTEAD}, or less friction"
            )
        return problem_of(self, self._acts, outcome)

    def _beyond(self, outcome: int) -> bool:
        if outcome & 15 in (UNSOLVED, IRREGULAR) and self.integrator != "implicit-midpoint":
            raise self._problem(outcome)
        return False

    # What is watched and told

    def conditions(self, engine: Engine) -> list[Condition]:
        """That a contact comes to the end of its mode."""
        return [ContactChanges(engine, "contact")]

    def begin(self, engine: Engine) -> None:
        """Find what contacts do, where that is not known: at the start, and after a change."""
        if self.known:
            return
        before, energy = self.v.copy(), engine.energy
        find_modes(self)
        self.known = True
        said = resolve(self)
        self.project()
        if said:
            jump, lost = self.v - before, energy - engine.energy
            self._news.append(Event(self.t, "contact", ", ".join(said), jump, lost))

    def forget(self) -> None:
        """Let `begin` find anew what contacts do."""
        self.modes[:], self.known = 0.0, False

    def tell(self, event: Event) -> None:
        """Note an event besides the one that goes on."""
        self._news.append(event)

    def noticed(self) -> list[Event]:
        """What contacts have done since the last call, besides what events tell."""
        residual, news = float(self._space[14][4]), self._news
        if residual > 1e-10:
            what = f"forces are accurate to {residual:.1e} of the largest one only"
            news.append(Event(self.t, "contact", what, np.zeros_like(self.v), 0.0))
            self._space[14][4] = 0.0
        self._news = []
        return news

    def refuse_overlap(self) -> None:
        """Raise where shapes overlap now."""
        self._shapes.refuse_overlap(self.gaps(0.0))

    def project(self) -> None:
        """Bring the state onto drives, loops and contacts."""
        if not self.known:
            find_modes(self, overlaps=True)
        super().project()

    def gaps(self, margin: float = np.inf) -> np.ndarray:
        """(n, CONTACT_ROW) what is near now, whether it touches or not."""
        if not self.shapes.functions:
            return self._shapes.find(self.t, self.q, margin)
        self.look(self.t, self.q, self.v, self.tau)
        near = (self.seen[:, E_GAP] < AWAY) & (self.seen[:, E_GAP] <= margin)
        return self.rows(np.flatnonzero(near))

    def pair_names(self) -> list[tuple[str, str]]:
        """The shapes of every pair that may touch."""
        return self._pair_names

    def touching(self) -> Touching:
        """What touches now, with forces in the place of impulses."""
        return self.touching_at(self.t, self.q, self.v, self.tau)

    def touching_at(self, t: float, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> Touching:
        """What touches at a state in the present modes, with forces in the place of impulses."""
        self.look(t, q, v, tau, least=True)
        closed = np.flatnonzero(self.modes[:, D_MODE] != FROM_STATE)
        frames = self.seen[closed, E_FRAME : E_FRAME + 9].reshape(-1, 3, 3)
        modes = np.where(self.modes[closed, D_MODE] == SLIDES, SLIP, STICK)
        forces = self.seen[closed, E_FORCE : E_FORCE + 3].copy()
        return Touching(self.rows(closed), frames.copy(), forces, np.where(forces[:, 0] > 0.0, modes, OPEN))

    def wrenches(self, t: float, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """(nb, 6) what contacts do to every body, world axes, about its origin."""
        found = self.touching_at(t, q, v, tau)
        forces = np.einsum("ni,nij->nj", found.impulses, found.frames)
        return contact_wrenches(self.system.linkage, q[None], np.zeros(len(forces), dtype=int), found.rows, forces)[0]

    def name(self, k: int) -> tuple[str, str]:
        """What pushes and what is pushed in meeting k."""
        return self._pair_names[int(self.shapes.meetings[k, M_PAIR])]

    def told(self) -> list[list[float]]:
        """What contacts do, for `recall`; empty where it is not known."""
        return self.modes.tolist() if self.known else []

    def recall(self, told: list[list[float]]) -> None:
        """Go on where a run was left."""
        if len(told) == len(self.modes):
            self.modes[:] = np.array(told).reshape(self.modes.shape)
            self.known = True
