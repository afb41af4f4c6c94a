"""Events of a scene: when they happen, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linkwork.errors import unknown_name
from linkwork.io.marked import Marked
from linkwork.io.scene_keys import Happening, Keys
from linkwork.io.yaml_contacts import contact_options
from linkwork.io.yaml_linkage import read_joint, read_pose
from linkwork.linkage.linkage import Linkage
from linkwork.scenes.acting import StateReader, filled, read_expression
from linkwork.simulation.simulation import Simulation

ACTIONS = ("cut", "connect", "constrain", "release", "v", "gravity", "stop")
DIRECTIONS = {"both": 0, "rising": 1, "falling": -1}


class Happenings:
    """The events of a scene.

    Parameters
    ----------
    keys : Keys
        Of the scene's file.
    linkage : Linkage
        The scene's own.
    """

    def __init__(self, keys: Keys, linkage: Linkage):
        self._keys, self._linkage = keys, linkage

    def check(self, q: np.ndarray, v: np.ndarray) -> None:
        """Raise where an event is not one, names what is not there, or has no value at the start."""
        joints = {*self._linkage.joints.names, *self._linkage.loops.names}
        joints |= {event.connect.name for event in self._keys.events if event.connect and event.connect.name}
        contacts = set(self._linkage.contacts.names)
        added = [contact_options(event.constrain)[1] for event in self._keys.events if event.constrain is not None]
        contacts |= {options["name"] for options in added if "name" in options}
        for event, mark in self._events():
            if (event.at is None) == (event.when is None):
                mark.fail("an event needs `at` or `when`, one of them")
            if not any(key in event.marks for key in ACTIONS):
                mark.fail(f"an event needs something to do: {', '.join(ACTIONS)}")
            if event.when is not None:
                self._condition(self._linkage, event)(0.0, q, v)
            if event.cut is not None and event.cut not in joints | set(self._linkage.bodies.names):
                event.marks["cut"].fail(str(unknown_name("joint", event.cut, sorted(joints))))
            if event.release is not None and event.release not in contacts:
                event.marks["release"].fail(str(unknown_name("contact", event.release, sorted(contacts))))
            if event.connect is not None:
                for side in ("a", "b"):
                    event.connect.marks[side].attempt(self._linkage._resolve, getattr(event.connect, side))
            self._action(event)

    def register(self, sim: Simulation) -> None:
        """Let them happen in a simulation of the scene's linkage, or a copy of it."""
        for event, _ in self._events():
            if event.at is not None:
                sim.at(event.at, self._action(event))
            else:
                condition = self._condition(sim.linkage, event)
                sim.when(condition, self._action(event), direction=DIRECTIONS[event.direction], once=event.once)

    def _events(self) -> list[tuple[Happening, Marked]]:
        if not self._keys.events:
            return []
        return list(zip(self._keys.events, self._keys.marks["events"].sequence(), strict=True))

    def _condition(self, linkage: Linkage, event: Happening) -> Callable:
        mark, parameters = event.marks["when"], self._keys.parameters
        return StateReader(linkage, read_expression(mark, parameters, state=True), mark, parameters)

    def _action(self, event: Happening) -> Callable[[Simulation], None]:
        """What an event does, read now and done later."""
        steps = [(event.marks[key], step) for key, step in self._steps(event)]

        def action(sim: Simulation) -> None:
            for mark, step in steps:
                mark.attempt(step, sim)

        # The simulation itself records changes of structure and state, under better names.
        action.__name__ = ", ".join(key for key in ("gravity", "stop") if key in event.marks) or "<lambda>"
        return action

    def _steps(self, event: Happening) -> Iterator[tuple[str, Callable[[Simulation], Any]]]:
        """Each key of an event with what it does, in the order of `ACTIONS`."""
        if event.cut is not None:
            yield "cut", lambda sim: sim.cut(event.cut)
        if event.connect is not None:
            given = event.connect
            options: dict[str, Any] = {"name": given.name, "strength": given.strength, "close": given.close}
            options |= {key: read_pose(getattr(given, key)) for key in ("at_a", "at_b") if key in given.marks}
            joint, _ = read_joint(given.joint)
            yield "connect", lambda sim: sim.connect(given.a, given.b, joint, **options)
        if event.constrain is not None:
            body, how = contact_options(event.constrain)
            event.constrain.attempt(self._linkage._resolve, body)
            yield "constrain", lambda sim: sim.constrain(body, **how)
        if event.release is not None:
            yield "release", lambda sim: sim.release(event.release)
        if event.v is not None:
            parameters = self._keys.parameters
            yield "v", lambda sim: setattr(sim, "v", filled(sim.linkage, "v", sim.v.copy(), event.v, parameters))
        if event.gravity is not None:
            gravity = event.gravity.numbers()
            event.gravity.attempt(setattr, self._linkage.copy(), "gravity", gravity)
            yield "gravity", lambda sim: setattr(sim.linkage, "gravity", gravity)
        if event.stop:
            yield "stop", lambda sim: sim.stop()
