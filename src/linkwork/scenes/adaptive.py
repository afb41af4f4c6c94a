"""A scene of a huge linkage: its quasi-static motion by `AdaptiveSimulation`, with the scene's torques and loads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwork.adaptive import AdaptiveSimulation, Report
from linkwork.io.scene_keys import AdaptiveRun
from linkwork.linkage.linkage import Linkage
from linkwork.scenes.acting import Forces
from linkwork.simulation.recording import Recording, Segment


class AdaptiveMotion:
    """A run in which only the joints that matter are computed.

    Attributes
    ----------
    simulation : AdaptiveSimulation
    reports : list of Report
        Of every step made.
    """

    def __init__(self, linkage: Linkage, q: np.ndarray, run: AdaptiveRun, forces: Forces):
        self._run, self._forces = run, forces
        options = {} if run.gain is None else {"gain": run.gain}
        self.simulation = AdaptiveSimulation(linkage, q, tolerance=run.tolerance, error=run.error, dt=run.dt, **options)
        self.reports: list[Report] = []
        self._segment = Segment(linkage.copy())
        self._record()

    @property
    def t(self) -> float:
        """Time now, s."""
        return len(self.reports) * self._run.dt

    @property
    def recording(self) -> Recording:
        """Coordinates by time; velocities and torques are not known and are zero, accelerations are NaN."""
        return Recording([self._segment])

    def run(self, until: float, *, watch: Callable[[float], bool] = lambda t: True) -> Recording:
        """Make steps up to a time, as long as `watch(t)` is true."""
        steps = round(until / self._run.dt)
        while len(self.reports) < steps and watch(self.t):
            self._forces.drive(self.simulation, self.t)
            self.reports.append(self.simulation.step())
            if len(self.reports) % self._run.record_every == 0 or len(self.reports) == steps:
                self._record()
        return self.recording

    def _record(self) -> None:
        row = self._segment.room()[0]
        row[:] = 0.0
        row[0], row[self._segment.fields["q"]] = self.t, self.simulation.q
        row[self._segment.fields["a"]] = np.nan
        self._segment.wrote(1)
