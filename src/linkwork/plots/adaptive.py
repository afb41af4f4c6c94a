"""What an adaptive run did: which joints moved when, which bodies move as one, and what pushes."""

from __future__ import annotations

import numpy as np

from linkwork.linkage.linkage import Linkage
from linkwork.plots.forces import NONE, Force
from linkwork.simulation.recording import Recording

REST = np.array((120, 132, 146))  # colour of a joint that has not been computed for long
FRESH = np.array((214, 69, 69))  # of one that was just now
MEMORY = 8.0  # recorded states over which the colour fades


class Activity:
    """Joints that were computed, by recorded state.

    Parameters
    ----------
    recording : Recording
        Of an adaptive run.
    """

    def __init__(self, recording: Recording):
        segment = recording.segments[0]
        self._linkage, self._t = segment.linkage, segment.t
        columns = self._linkage.columns
        starts = np.append(columns.q_start, self._linkage.nq)
        moved = np.zeros((len(segment), self._linkage.nb), dtype=bool)
        for row in range(1, len(segment)):
            differs = np.concatenate([[0], np.cumsum(segment.q[row] != segment.q[row - 1])])
            moved[row] = differs[starts[1:]] > differs[starts[:-1]]
        self.moved = moved
        """(n, nb) whether a joint moved since the state before."""
        kept = recording.settings.get("activity", {})
        self.computed = np.array(kept.get("computed", moved.sum(axis=1)))
        """(n,) joints computed in one step, the most since the state before."""
        self._pushes = kept.get("pushes", [])

    @staticmethod
    def of(recording: Recording) -> Activity | None:
        """That of a recording; None where the run was not adaptive."""
        return Activity(recording) if is_adaptive(recording) else None

    def colors(self, row: int) -> np.ndarray:
        """(nb, 3) the colour of each body; see `colors_of`."""
        rows = self.moved[max(row - int(MEMORY), 0) : row + 1][::-1]
        age = np.where(rows.any(axis=0), rows.argmax(axis=0), MEMORY)
        return colors_of(self._linkage, age, self.moved[row])

    def pushes(self, row: int, positions: np.ndarray, rotations: np.ndarray) -> Force:
        """The forces that acted at a state."""
        now = self._pushes[row] if row < len(self._pushes) else []
        if not now:
            return NONE
        points = [positions[body] + rotations[body] @ np.array(point) for body, point, _ in now]
        return Force(np.array(points), np.array([force for *_, force in now], dtype=float))

    def reference(self) -> float:
        """The largest force that acted, N."""
        sizes = [float(np.linalg.norm(force)) for row in self._pushes for *_, force in row]
        return max(sizes, default=0.0) or 1.0


def is_adaptive(recording: Recording) -> bool:
    """Whether the run was adaptive."""
    return "tolerance" in recording.settings and "gain" in recording.settings and len(recording.segments) == 1


def colors_of(linkage: Linkage, age: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """(nb, 3) red where the joint was just computed, fading to grey; rigid groups differ a little in brightness.

    `age` (nb,) counts states since a joint was computed, `moved` (nb,) says which ones move now.
    """
    fresh = (1.0 - np.minimum(age, MEMORY) / MEMORY)[:, None]
    shade = 0.82 + 0.36 * ((rigid_groups(linkage, moved) * 0.6180339887) % 1.0)[:, None]
    return np.clip(shade * (REST + fresh * (FRESH - REST)), 0, 255).astype(np.uint8)


def rigid_groups(linkage: Linkage, moved: np.ndarray) -> np.ndarray:
    """(nb,) the number of the rigid group of each body: bodies between which no joint moves."""
    parent, group = linkage.columns.parent, np.arange(linkage.nb)
    for body in np.flatnonzero(~moved & (parent >= 0)).tolist():  # parents come first
        group[body] = group[parent[body]]
    return group
