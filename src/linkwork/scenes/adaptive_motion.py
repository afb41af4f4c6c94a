"""A scene of a huge linkage: its motion by `AdaptiveSimulation`, with the scene's torques and wrenches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.io.scene_keys import AdaptiveRun
from linkwork.linkage.linkage import Linkage
from linkwork.quasistatics.adaptive_simulation import AdaptiveSimulation
from linkwork.quasistatics.report import StepReport
from linkwork.scenes.acting import Forces
from linkwork.scenes.resuming import refuse_other_scene
from linkwork.simulation.recording import Recording, Segment

KEPT = "mode", "tolerance", "measure", "error", "dt", "gain", "record_every"  # of the run, with the recording


class AdaptiveMotion:
    """A run in which only the joints that matter are computed.

    Parameters
    ----------
    linkage : Linkage
    start : (nq,) and (nv,) ndarray
        The state; velocities count in dynamics only.
    run : AdaptiveRun
    forces : Forces
    scene : dict
        What the scene says of all this, to be kept with the recording.
    before : Recording, optional
        Of the same run, stopped before its end: it goes on from there, and its states come first.

    Attributes
    ----------
    simulation : AdaptiveSimulation
    reports : list of StepReport
        Of every step made here.
    """

    def __init__(
        self, linkage: Linkage, start: tuple[np.ndarray, np.ndarray], run: AdaptiveRun, forces: Forces,
        scene: dict[str, Any], before: Recording | None = None,
    ):  # fmt: skip
        q, v = start
        self._run, self._forces, self._scene = run, forces, scene
        self._segment, self._made = Segment(linkage.copy()), 0
        self._activity: dict[str, list[Any]] = {"computed": [], "pushes": []}  # by recorded state
        self._most = 0  # joints computed in one step since the last recorded state
        if before is not None:
            _check_same(before, linkage, q, scene)
            self._segment = Segment(linkage.copy(), before.segments[0].rows)
            self._made, q, v = round(float(before.t[-1]) / run.dt), self._segment.q[-1], self._segment.v[-1]
            kept = before.settings.get("activity", self._activity)
            self._activity = {what: list(values) for what, values in kept.items()}
        options: dict[str, Any] = {"tolerance": run.tolerance, "dt": run.dt, "error": run.error, "measure": run.measure}
        if run.gain is not None:
            options["gain"] = run.gain
        if run.mode == "dynamics":
            options |= {"mode": run.mode, "v": v}
        self.simulation = AdaptiveSimulation(linkage, q, **options)
        self.simulation.t = self.t
        self.reports: list[StepReport] = []
        if before is None:
            self._record()

    @property
    def t(self) -> float:
        """Time now, s."""
        return self._made * self._run.dt

    @property
    def recording(self) -> Recording:
        """Coordinates and, in dynamics, velocities by time; torques are zero, accelerations NaN: not known."""
        return Recording([self._segment], settings=self._settings)

    @property
    def _settings(self) -> dict[str, Any]:
        run = {key: getattr(self._run, key) for key in KEPT}
        return run | {"scene": self._scene, "activity": self._activity}

    def run(self, until: float, *, watch: Callable[[float], bool] = lambda t: True) -> Recording:
        """Make steps up to a time, as long as `watch(t)` is true."""
        steps = round(until / self._run.dt)
        recorded = True
        while self._made < steps and watch(self.t):
            self.reports.append(self.step())
            recorded = self._made % self._run.record_every == 0
            if recorded:
                self._record()
        if not recorded:  # the end, or where a signal stopped it
            self._record()
        return self.recording

    def step(self) -> StepReport:
        """Make one step, under what acts now; it is not recorded."""
        self._forces.drive(self.simulation, self.t)
        report = self.simulation.step()
        self._most = max(self._most, report.computed)
        self._made += 1
        return report

    def _record(self) -> None:
        row = self._segment.room()[0]
        row[:] = 0.0
        row[0], row[self._segment.fields["q"]] = self.t, self.simulation.q
        row[self._segment.fields["v"]] = self.simulation.v
        row[self._segment.fields["a"]] = np.nan
        self._segment.wrote(1)
        loads = self.simulation.forces
        self._activity["computed"].append(self._most)
        self._activity["pushes"].append([[body, point.tolist(), force.tolist()] for body, point, force in loads])
        self._most = 0


def _check_same(before: Recording, linkage: Linkage, q: np.ndarray, scene: dict[str, Any]) -> None:
    """Raise where a recording is not of the adaptive run of this scene from q."""
    if "tolerance" not in before.settings or not len(before):
        raise ArgumentError("the recording is not of an adaptive run, or of one by an earlier version: start it anew")
    refuse_other_scene(before, linkage, scene, "the recording")
    if not np.array_equal(before.segments[0].q[0], q):
        raise ArgumentError("the run was started from another pose than the scene's: go on with the same start")
