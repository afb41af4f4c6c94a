"""Constraints that fail by themselves: joints and contacts that break, points that lift off."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.linkage.linkage import Linkage
from linkwork.linkage.strength import Strength
from linkwork.simulation.events import Condition

if TYPE_CHECKING:
    from linkwork.results import Solution


class Breaking(Condition):
    """The least share of strength that any joint or contact has left; it is met wherever that is gone."""

    def __init__(self):
        super().__init__(least_strength, breaks, direction=-1, once=False, cause="strength")

    def fires(self, before: float | None, after: float) -> bool:
        """Whether something is overloaded after a step, or was already before it."""
        return after <= 0.0


def breaking(linkage: Linkage) -> Breaking | None:
    """The condition that something breaks, None where nothing can."""
    return Breaking() if _strengths(linkage) else None


def lifting_off(contacts: list[str]) -> list[Condition]:
    """A condition for each of these contacts, which only push."""
    return [
        Condition(_normal_force(name), _lifts_off(name), direction=-1, once=True, cause="lift-off") for name in contacts
    ]


def least_strength(sim: Any) -> float:
    """The least share of strength left, as a number that falls through zero when something breaks."""
    return min(left for _, left in strengths_left(sim))


def breaks(sim: Any) -> None:
    """Cut what is overloaded, the worst first, until the rest bears its load."""
    while shares := strengths_left(sim):
        name, left = min(shares, key=lambda pair: pair[1])
        if left > 0.0:
            return
        sim.release(name) if name in sim.linkage.contacts else sim.cut(name)
        sim._refresh()  # what carried its load before bears it now


def strengths_left(sim: Any) -> list[tuple[str, float]]:
    """Every joint and contact that can break, with the share of its strength that is left now."""
    bears = _strengths(sim.linkage)
    if not bears:
        return []
    solution, linkage = _solution(sim), sim.linkage
    left = []
    for name, strength in bears.items():
        if name in linkage.loops:
            wrench = solution.loop_wrenches[linkage.loops.names.index(name)]
        elif name in linkage.contacts:
            k = linkage.contacts.names.index(name)
            wrench = np.concatenate([[solution.normal_forces[k]], solution.friction_forces[k], np.zeros(3)])
            left.append((name, 1.0 - float(np.linalg.norm(wrench)) / strength.force))
            continue
        else:
            wrench = solution.joint_wrenches[linkage._resolve_joint(name)]
        left.append((name, strength.left(wrench)))
    return left


def _strengths(linkage: Linkage) -> dict[str, Strength]:
    """All strengths by name: of tree joints and contacts, and of loop joints."""
    known = {
        name: each for name, each in linkage.strengths.items() if name in linkage.joints or name in linkage.contacts
    }
    return known | {loop.name: loop.strength for loop in linkage.loops if loop.strength is not None}


def _solution(sim: Any) -> Solution:
    return sim._system.solve(sim.t, sim._stepper.q, sim._stepper.v, sim._tau)


def _normal_force(name: str) -> Callable:
    def force(sim: Any) -> float:
        return float(_solution(sim).normal_forces[sim.linkage.contacts.names.index(name)])

    return force


def _lifts_off(name: str) -> Callable:
    def lifts_off(sim: Any) -> None:
        sim.release(name)

    return lifts_off
