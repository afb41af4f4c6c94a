"""Points on surfaces during a simulation: which of them stick, and the instants at which that changes.

A point that sticks is a constraint until static friction no longer holds it, a point that slides goes on in the
direction of its motion until it comes to rest: then it sticks, or turns back. Both are events, whose instants are found
like those of any condition.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.dynamics.contact import hold_still, put_back
from linkwork.dynamics.contact_compiled import reaction_of
from linkwork.dynamics.contact_pack import packed_contacts
from linkwork.dynamics.contact_state import Reaction
from linkwork.dynamics.methods import pick
from linkwork.dynamics.problem import Outcome, Solver, pose_problem
from linkwork.kernels.layout.contacts import (
    D_ANCHOR,
    D_ANCHORED,
    D_MODE,
    D_SLIDING,
    FROM_STATE,
    MODE_ROW,
    O_FORCE,
    O_FRAME,
    O_SLIP,
    RESTS,
    SLIDES,
    STICKS,
)
from linkwork.linkage.linkage import Linkage

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine
    from linkwork.simulation.stepper import Stepper
    from linkwork.simulation.system import System

MOVING = 1e-7  # m/s: from here on the direction of sliding is that of the motion
TURNS = 1e-6  # m/s: what still slides across its former direction turns, and does not stop
HOLDS, RESTS_AT = 1e-11, 1e-12  # as in `kernels.motion.contact_march`


class Seen(NamedTuple):
    """What decides how long a point goes on as it does: forces along and across its normal, N, and its slip, m/s."""

    pressed: float
    held: float
    slip: tuple[float, float, float]


class Friction:
    """What every point of a linkage does.

    Attributes
    ----------
    modes : (n, MODE_ROW) array
        See `layout.contacts`; compiled steps read and write it.
    """

    def __init__(self, linkage: Linkage):
        self.linkage, self.records = linkage, linkage._contacts.records
        self.modes = np.zeros((len(self.records), MODE_ROW))
        self.rubs = any(record.holding > 0.0 for record in self.records)
        self.known = not self.rubs

    # What a system does with it

    def obstacles(self) -> list[str]:
        """Why steps with points on surfaces cannot be compiled."""
        if not self.records or packed_contacts(self.linkage).known:
            return []
        return ["a surface is a Python function: about 1 ms per step; give it as an expression in x, y, z and t"]

    def arrays(self) -> tuple[Any, ...]:
        """What compiled steps need besides: the points, with these modes, and zeros; nothing where there are none."""
        if not self.records:
            return ()
        rows = loops_of(self.linkage).n_rows if self.linkage.tree.closed else 0
        points, _, self._out, *scratch = packed_contacts(self.linkage).scratch(rows)
        return (points, self.modes, self._out, *scratch), np.zeros(self.linkage.nv)

    def watched(self, strengths: np.ndarray, *, always: bool) -> np.ndarray:
        """(m, 4) strengths, before them a row of none if compiled steps are to end before a change of modes."""
        return np.concatenate([np.full((int(always or self.rubs), 4), -1.0), strengths])

    def ask(self, system: System, t: float, q, v, total, *, reacting: bool = False) -> Outcome:
        """Forward dynamics under these torques, the points doing what they do."""
        asked = pose_problem(self.linkage, q, v, total, system.external(t, q, v), t=t, check=False)
        asked = asked._replace(modes=self.modes if self.rubs else None, reacting=reacting)
        return pick(self.linkage, system.method).solver(self.linkage)(asked)

    def answer(self, system: System, linkage: Linkage, q, v, tau, *, t: float) -> np.ndarray:
        """As `forward_dynamics`, without external wrenches."""
        asked = pose_problem(linkage, q, v, tau, None, t=t, check=False)._replace(modes=self.modes)
        return pick(linkage, system.method).solver(linkage)(asked).a

    def react(self, stepper: Stepper) -> Reaction:
        """What the contacts do at a stepper's state, under all that acts."""
        a = stepper.look()
        if a is not None:
            return reaction_of(a, self._out.copy())
        system, t, q, v = stepper.system, stepper.t, stepper.q, stepper.v
        total = system.total(q, v, system.driving(t, q, v, stepper.tau))
        found = self.ask(system, t, q, v, total, reacting=True).reaction
        assert found is not None
        return found

    def see(self, stepper: Stepper) -> list[Seen]:
        """What is seen of the points at a stepper's state, under all that acts."""
        return _seen(self.react(stepper)) if stepper.look() is None else [_seen_row(row) for row in self._out.tolist()]

    def settle(self, t: float, q, v) -> tuple[np.ndarray, np.ndarray]:
        """A state on the surfaces with points that stick where they do, at rest."""
        if not (self.modes[:, D_MODE] == STICKS).any():
            return q, v
        q = put_back(self.linkage, q, t, self.modes, self._solver)
        return q, hold_still(self.linkage, q, v, t, self.modes, self._solver)

    @property
    def _solver(self) -> Solver:
        """Forward dynamics without the contacts."""
        return pick(self.linkage, "crba" if not self.linkage.tree.closed else "aba").without_contacts(self.linkage)

    # Modes

    def forget(self) -> None:
        """Let `begin` find anew what the points do."""
        self.modes[:], self.known = 0.0, not self.rubs

    def saved(self) -> list[list[float]] | None:
        """What the points do, for `restore`; None where it is not known."""
        return self.modes.tolist() if self.known else None

    def restore(self, saved: list[list[float]] | None) -> None:
        """Go on as it was."""
        if saved is not None and len(saved) == len(self.modes):
            self.modes[:], self.known = np.array(saved).reshape(self.modes.shape), True

    def begin(self, engine: Engine) -> None:
        """Find what the points do, where that is not known: at the start, and after a change."""
        if self.known:
            return
        self.known = True
        reaction = self.react(engine.stepper)
        for k in np.flatnonzero(reaction.sticks).tolist():
            self._stick(k, reaction)
        self.turn_along(_seen(reaction))
        for k, record in enumerate(self.records):  # at rest, and about to slide
            if self.modes[k, D_MODE] == FROM_STATE and record.static_friction is not None:
                self._slide(k, reaction.touch.sliding[k])

    def turn_along(self, seen: list[Seen]) -> None:
        """Let the directions of sliding be those of the motion, where it is fast enough to have one."""
        for k, (_, _, slip) in enumerate(seen):
            speed = math.hypot(*slip)
            if speed > MOVING and self.modes[k, D_MODE] in (SLIDES, FROM_STATE):
                self._slide(k, np.array(slip) / speed)

    def margins(self, seen: list[Seen]) -> tuple[np.ndarray, np.ndarray]:
        """(n,) how far each point is from a change, negative beyond, and slacks: see `kernels.motion.contact_march`."""
        found, slacks = np.full(len(self.records), np.inf), np.full(len(self.records), HOLDS)
        for k, (record, mode, (pressed, held, slip)) in enumerate(
            zip(self.records, self.modes.tolist(), seen, strict=True)
        ):
            if mode[D_MODE] == STICKS:
                found[k] = (record.holding * pressed - held) / (pressed + held + 1e-300)
            elif mode[D_MODE] == SLIDES and record.friction > 0.0:
                along = _dot(slip, mode[D_SLIDING : D_SLIDING + 3])
                if along > 0.0 or 2.0 * along**2 >= _dot(slip, slip):  # else it turns, and does not stop
                    found[k], slacks[k] = along, RESTS_AT
        return found, slacks

    def change(self, stepper: Stepper, ending: np.ndarray) -> list[str]:
        """Let points (n,) that are at the end of their modes go over to others; say what they do now."""
        reaction, said = self.react(stepper), []
        for k in np.flatnonzero(ending).tolist():
            name, slip = self.linkage.contacts.names[k], reaction.touch.slip[k]
            if self.modes[k, D_MODE] == STICKS:
                self._begin_sliding(k, stepper, reaction)
                said.append(f"{name!r} slides")
            elif np.linalg.norm(slip) > TURNS:
                self._slide(k, slip / np.linalg.norm(slip))
                said.append(f"{name!r} turns")
            else:
                said.append(f"{name!r} {self._stop(k, stepper, reaction)}")
        return said

    def _begin_sliding(self, k: int, stepper: Stepper, reaction: Reaction) -> None:
        """Slide against the force that held it; with less kinetic friction, along the acceleration that this gives."""
        friction = reaction.friction[k]
        self._slide(k, -friction / np.linalg.norm(friction))
        if self.records[k].holding > self.records[k].friction:
            for _ in range(3):
                found = self.react(stepper).acceleration[k]
                size = np.linalg.norm(found)
                if size > 0.0:
                    self._slide(k, found / size)

    def _stop(self, k: int, stepper: Stepper, reaction: Reaction) -> str:
        """Come to rest, and stick or turn back."""
        self._stick(k, reaction)
        stepper.v = hold_still(self.linkage, stepper.q, stepper.v, stepper.t, self.modes, self._solver)
        self.modes[k, D_MODE] = RESTS
        found = self.react(stepper)
        if found.sticks[k]:
            self._stick(k, found)
            return "sticks"
        self._slide(k, found.touch.sliding[k])
        return "turns back"

    def _slide(self, k: int, direction: np.ndarray) -> None:
        self.modes[k] = 0.0
        self.modes[k, D_MODE], self.modes[k, D_SLIDING : D_SLIDING + 3] = SLIDES, direction

    def _stick(self, k: int, reaction: Reaction) -> None:
        """Stick where it is; on a surface that moves, with it."""
        self.modes[k] = 0.0
        self.modes[k, D_MODE], self.modes[k, D_ANCHOR : D_ANCHOR + 3] = STICKS, reaction.touch.r[k]
        self.modes[k, D_ANCHORED] = not reaction.touch.moves[k]


def _seen(reaction: Reaction) -> list[Seen]:
    """What is seen of the points in a reaction."""
    rows = zip(reaction.f_n.tolist(), reaction.friction.tolist(), reaction.touch.slip.tolist(), strict=True)
    return [Seen(abs(f_n), math.hypot(*friction), tuple(slip)) for f_n, friction, slip in rows]


def _seen_row(row: list[float]) -> Seen:
    """The same in a row that the kernel has filled."""
    (normal, *tangential), (one, other) = row[O_FORCE : O_FORCE + 3], row[O_SLIP : O_SLIP + 2]
    first, second = row[O_FRAME + 3 : O_FRAME + 6], row[O_FRAME + 6 : O_FRAME + 9]
    x, y, z = (one * a + other * b for a, b in zip(first, second, strict=True))
    return Seen(abs(normal), math.hypot(*tangential), (x, y, z))


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
