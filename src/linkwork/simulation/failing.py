"""Constraints that fail by themselves: joints that break, points that lift off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.linkage.linkage import Linkage
from linkwork.simulation.events import Condition


def failing(linkage: Linkage, lift_off: list[str]) -> list[Condition]:
    """A condition for each loop joint that has a strength, and for each contact that only pushes."""
    strengths = [(loop.name, loop.strength) for loop in linkage.loops if loop.strength is not None]
    conditions = [_condition(_strength_left(name, strength), _breaks(name), "strength") for name, strength in strengths]
    return conditions + [_condition(_normal_force(name), _lifts_off(name), "lift-off") for name in lift_off]


def _condition(value: Callable, action: Callable, cause: str) -> Condition:
    return Condition(value, action, direction=-1, once=True, cause=cause)


def _solution(sim: Any):
    from linkwork import solve

    q, v = sim._stepper.q, sim._stepper.v
    _, tau = sim._system.acceleration(sim.t, q, v, sim._tau)
    return solve(sim.linkage, q, v, tau, t=sim.t)


def _strength_left(name: str, strength: float) -> Callable:
    """How much of a loop joint's strength is left, as a share."""

    def left(sim: Any) -> float:
        force = _solution(sim).loop_wrenches[sim.linkage.loops.names.index(name)][:3]
        return 1.0 - float(np.linalg.norm(force)) / strength

    return left


def _normal_force(name: str) -> Callable:
    def force(sim: Any) -> float:
        return float(_solution(sim).normal_forces[sim.linkage.contacts.names.index(name)])

    return force


def _breaks(name: str) -> Callable:
    def breaks(sim: Any) -> None:
        sim.cut(name)

    return breaks


def _lifts_off(name: str) -> Callable:
    def lifts_off(sim: Any) -> None:
        sim.release(name)

    return lifts_off
