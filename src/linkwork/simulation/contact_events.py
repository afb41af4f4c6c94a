"""When points on surfaces begin to stick or to slide, as a condition that is watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.simulation.agenda import Condition

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine


def friction_changes(engine: Engine) -> list[Condition]:
    """The condition that points on surfaces change what they do; empty where none has friction."""
    return [FrictionChanges(engine)] if engine.system.friction.rubs else []


class FrictionChanges(Condition):
    """How far the points are from a change of what they do: it fires wherever that is passed."""

    lasting = False

    def __init__(self, engine: Engine):
        self._engine = engine
        super().__init__(self._margin, self._change, direction=-1, once=False, cause="friction")

    def _margin(self, sim: Any) -> float:
        engine = self._engine
        friction = engine.system.friction
        reaction = friction.react(engine.stepper)
        if self.value is None:  # at the start of a step
            friction.turn_along(reaction)
        return float(friction.margins(reaction).min(initial=np.inf))

    def _change(self) -> None:
        engine = self._engine
        said = engine.system.friction.change(engine)
        assert engine._open is not None
        engine._open.changes[:] = said

    def fires(self, before: float | None, after: float) -> bool:
        """Whether a change is due at the end."""
        return after < 0.0
