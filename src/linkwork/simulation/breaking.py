"""Constraints that fail by themselves: joints and contacts that break, points that lift off."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from linkwork.linkage.linkage import Linkage
from linkwork.linkage.strength import Strength
from linkwork.simulation.agenda import Condition
from linkwork.simulation.time_stepping import TimeStepper

ROUNDING = 1e-12  # of a strength: what is overloaded but for so much is

if TYPE_CHECKING:
    from linkwork.simulation.simulation import Simulation


class Breaking(Condition):
    """The least share of strength that any joint or contact has left; it is met wherever that is gone."""

    lasting = False

    def __init__(self):
        super().__init__(least_strength, breaks, direction=-1, once=False, cause="strength")

    def fires(self, before: float | None, after: float) -> bool:
        """Whether something is overloaded after a step, or was already before it."""
        return after <= 0.0 or (before is not None and before <= 0.0)


def breaking(linkage: Linkage) -> list[Condition]:
    """The condition that something breaks; empty where nothing can."""
    return [Breaking()] if strengths_of(linkage) else []


def lifting_off(contacts: list[str]) -> list[Condition]:
    """A condition for each of these contacts, which only push: it is released where it would pull."""
    return [lifting(name, None, once=True, cause="lift-off") for name in contacts]


def lifting(name: str, action: Callable | None, *, once: bool, cause: str = "contact") -> Condition:
    """That the normal force of a contact falls through zero; without an action the contact is released."""

    def force(sim: Simulation) -> float:
        return sim.normal_force(name) if name in sim.linkage.contacts else 1.0

    def lifts_off(sim: Simulation) -> None:
        sim.release(name)

    return Condition(force, action or lifts_off, direction=-1, once=once, cause=cause)


def least_strength(sim: Simulation) -> float:
    """The least share of strength left, as a number that falls through zero when something breaks."""
    return min(left for _, left in strengths_left(sim))


def breaks(sim: Simulation) -> None:
    """Cut what is overloaded, the worst first, until the rest bears its load."""
    while shares := strengths_left(sim):
        name, left = min(shares, key=lambda pair: pair[1])
        if left > ROUNDING:
            return
        sim.release(name) if name in sim.linkage.contacts else sim.cut(name)
        sim._engine.refresh()  # what carried its load before bears it now
        sim._engine.stepper.begin(sim._engine)


def strengths_left(sim: Simulation) -> list[tuple[str, float]]:
    """Every joint and contact that can break, with the share of its strength that is left now."""
    bears, stepper = strengths_of(sim.linkage), sim._engine.stepper
    if not bears:
        return []
    if isinstance(stepper, TimeStepper):
        return stepper.strengths_left()
    solution, linkage = sim._engine.solution(), sim.linkage
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


def strengths_of(linkage: Linkage) -> dict[str, Strength]:
    """All strengths by name: of tree joints and contacts, and of loop joints."""
    known = {
        name: each for name, each in linkage.strengths.items() if name in linkage.joints or name in linkage.contacts
    }
    return known | {loop.name: loop.strength for loop in linkage.loops if loop.strength is not None}
