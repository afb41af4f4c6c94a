"""Sliders for joint coordinates that keep loops closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.closed import close_loops
from linkwork.errors import LinkworkError
from linkwork.kernels.layout.kinds import KIND_NQ, LENGTHS, QUATERNION
from linkwork.linkage.linkage import Linkage

SLIDERS = 40  # at most
HEAVY = 1e9  # times the inertia of all: a joint that the slider holds moves so much less than the others


class Coordinate(NamedTuple):
    """One coordinate with a slider: its label, its place in q, its joint, and its range."""

    label: str
    place: int
    joint: str
    low: float
    high: float


def coordinates_of(linkage: Linkage, size: float) -> list[Coordinate]:
    """The coordinates that sliders can set: all but those of quaternions."""
    columns, found = linkage.columns, []
    for joint in linkage.joints:
        kind = joint.type.code
        count, start = int(KIND_NQ[kind]), joint.q_slice.start
        for k in range(count if QUATERNION[kind] < 0 else int(QUATERNION[kind])):
            reach = 1.5 * size if k < LENGTHS[kind] else np.pi
            low, high = -reach, reach
            if QUATERNION[kind] < 0:
                given = columns.lower[joint.v_slice.start + k], columns.upper[joint.v_slice.start + k]
                low, high = (float(g) if np.isfinite(g) else d for g, d in zip(given, (low, high), strict=True))
            label = joint.name if count == 1 else f"{joint.name}[{k}]"
            found.append(Coordinate(label, start + k, joint.name, low, high))
            if len(found) == SLIDERS:
                return found
    return found


class Sliders:
    """Sliders in a folder.

    Parameters
    ----------
    gui : viser.GuiApi
    linkage : Linkage
    size : float
        Of the picture, m.
    get : callable
        ``get()`` gives q now.
    put : callable
        ``put(q)`` takes a new q, all loops closed.
    say : callable
        ``say(text)`` tells the user that a loop cannot be closed there.
    """

    def __init__(
        self, gui: Any, linkage: Linkage, size: float, get: Callable[[], np.ndarray], put: Callable[[np.ndarray], None],
        say: Callable[[str], None],
    ):  # fmt: skip
        self._linkage, self._get, self._put, self._say = linkage.copy(), get, put, say
        self._own = {joint.name: np.array(joint.armature, copy=True) for joint in self._linkage.joints}
        mass = float(self._linkage.columns.mass.sum()) or 1.0
        self._heavy = HEAVY * mass * max(size, 1.0) ** 2
        self._following = False
        self._held = ""
        q = get()
        self._handles = []
        self.folder = gui.add_folder("Joints", expand_by_default=linkage.nb <= 12)
        with self.folder:
            for each in coordinates_of(linkage, size):
                value = float(np.clip(q[each.place], each.low, each.high))
                step = max((each.high - each.low) / 1000.0, 1e-9)
                handle = gui.add_slider(each.label, min=each.low, max=each.high, step=step, initial_value=value)
                handle.on_update(self._moved(each, handle))
                self._handles.append((each, handle))

    def _moved(self, each: Coordinate, handle: Any) -> Callable[[Any], None]:
        def moved(event: Any) -> None:
            if event.client is None or self._following:  # set by us, not by somebody
                return
            self.set(each, float(handle.value))

        return moved

    def set(self, each: Coordinate, value: float) -> None:
        """Bring one coordinate to a value, and the others to where all loops close."""
        before = self._get()
        q = before.copy()
        q[each.place] = value
        try:
            self._put(self._closed(each.joint, q))
            self._say("")
        except LinkworkError as error:
            self._say(str(error))
        self.follow(self._get())

    def _closed(self, joint: str, q: np.ndarray) -> np.ndarray:
        """Close the loops with this joint as good as held: steps are measured by the mass matrix, and it is heavy."""
        if not self._linkage.constrained:
            return q
        if self._held != joint:
            if self._held:
                self._linkage.joints[self._held].armature = self._own[self._held]
            handle = self._linkage.joints[joint]
            handle.armature = np.full(handle.nv, self._heavy) if handle.nv > 1 else self._heavy
            self._held = joint
        return close_loops(self._linkage, q)

    def follow(self, q: np.ndarray) -> None:
        """Move the sliders to where the linkage is."""
        self._following = True
        try:
            for each, handle in self._handles:
                value = q[each.place]
                if each.high - each.low >= 2.0 * np.pi - 1e-9 and each.low <= -np.pi:
                    value = (value + np.pi) % (2.0 * np.pi) - np.pi  # an angle without limits
                value = float(np.clip(value, each.low, each.high))
                if abs(handle.value - value) > 1e-3 * (each.high - each.low):
                    handle.value = value
        finally:
            self._following = False

    def remove(self) -> None:
        """Take them away."""
        self.folder.remove()
