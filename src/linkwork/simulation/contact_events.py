"""When contacts come to the end of what they do, as conditions that are watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.simulation.agenda import Condition

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine


class ModeChanges(Condition):
    """How far contacts are from the end of their modes: it fires wherever one is beyond it by more than its slack.

    Each has a margin, zero where its mode ends. Whether one has ended is told from a slack that rounding does not
    reach; when it has, from the zero itself.
    """

    lasting = False
    within = 0.0  # s: times are no finer

    def __init__(self, engine: Engine, cause: str):
        self._engine = engine
        super().__init__(self._least, self._change, direction=-1, once=False, cause=cause)

    def margins(self, *, start: bool) -> tuple[np.ndarray, np.ndarray]:
        """Margins and slacks (n,) now; whether it is the start of a step."""
        raise NotImplementedError

    def change(self, ending: np.ndarray) -> list[str]:
        """Let these contacts (n,) go over to other modes; say what they do now."""
        raise NotImplementedError

    def _least(self, sim: Any) -> float:
        start = self.value is None
        self._margins, self._slacks = self.margins(start=start)
        if start:
            self._before, self._due = self._margins > 0.0, np.zeros(len(self._margins), dtype=bool)
        return float((self._margins + self._slacks).min(initial=np.inf))

    def sought(self, value: float) -> float:
        """The least margin of those that end in this step; of what began beyond its zero, to the end of its slack."""
        left = self._margins + self._slacks
        self._due |= left < 0.0
        return float(np.where(self._before, self._margins, left)[self._due].min(initial=np.inf))

    def _change(self) -> None:
        said = self.change(self._due & (self._margins <= self._slacks))
        assert self._engine._open is not None
        self._engine._open.changes[:] = said or ["contacts"]

    def fires(self, before: float | None, after: float) -> bool:
        """Whether a change is due at the end."""
        return after < 0.0


def friction_changes(engine: Engine) -> list[Condition]:
    """The condition that points on surfaces change what they do; empty where none has friction."""
    return [FrictionChanges(engine, "friction")] if engine.system.friction.rubs else []


class FrictionChanges(ModeChanges):
    """Of points on surfaces."""

    def margins(self, *, start: bool) -> tuple[np.ndarray, np.ndarray]:
        """See `Friction.margins`; at the start of a step points slide along their motion."""
        friction = self._engine.system.friction
        seen = friction.see(self._engine.stepper)
        if start:
            friction.turn_along(seen)
        return friction.margins(seen)

    def change(self, ending: np.ndarray) -> list[str]:
        """See `Friction.change`."""
        return self._engine.system.friction.change(self._engine.stepper, ending)
