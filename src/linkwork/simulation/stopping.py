"""Hard limits on the agenda: a joint that reaches one is stopped there, one that is pulled off it goes free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwork.simulation.agenda import Condition

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine


class Stopping(Condition):
    """The distance to the nearest hard limit: it fires wherever that is passed, even by a step that began there."""

    lasting = False  # compiled steps may lie in between

    def __init__(self, engine: Engine):
        self._engine = engine
        super().__init__(self._room, self._stop, direction=-1, once=False, cause="")

    def fires(self, before: float | None, after: float) -> bool:
        """Whether a limit is passed at the end."""
        return after < 0.0

    def _room(self, sim) -> float:
        return self._engine.system.limits.room(self._engine.stepper.q)

    def _stop(self) -> None:
        """The impulse of the limits that are reached now."""
        engine, stepper, limits = self._engine, self._engine.stepper, self._engine.system.limits
        names = [limits.names[k] for k in limits.reached(stepper.q, stepper.v)]
        if names:  # else it is beyond its limit, and on its way back
            with engine.event("limit", "limit of " + " and ".join(repr(name) for name in names)):
                stepper.q, stepper.v = limits.hit(engine.system, stepper.t, stepper.q, stepper.v, stepper.tau)
                stepper.project()
        limits.excuse(stepper.q)


class Leaning(Condition):
    """The least force against a hard limit that is leant on: where it is gone, the joint leaves its limit."""

    def __init__(self, engine: Engine):
        self._engine = engine
        super().__init__(self._least_push, self.review, direction=-1, once=False, cause="")

    def fires(self, before: float | None, after: float) -> bool:
        """Whether a joint is pulled off its limit at the end."""
        return after < 0.0

    def _least_push(self, sim) -> float:
        stepper, system = self._engine.stepper, self._engine.system
        return system.limits.least_push(system, stepper.t, stepper.q, stepper.v, stepper.tau)

    def review(self) -> None:
        """Let go of joints that are pulled off the limits that they lean on; velocities go on as they are."""
        stepper, system = self._engine.stepper, self._engine.system
        system.limits.review(system, stepper.t, stepper.q, stepper.v, stepper.tau)
