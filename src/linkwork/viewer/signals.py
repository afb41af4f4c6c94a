"""Curves that move along with the picture."""

from __future__ import annotations

from typing import NamedTuple

from linkwork.linkage.packing.launch import no_batch_compiled
from linkwork.plots.adaptive import Activity
from linkwork.plots.series import Line, joint_panels, moving_panels, thinned
from linkwork.simulation.recording import Recording

STATES = 600
LARGEST = 3000  # bodies beyond which curves of joints are left out
WHAT = {"q": "positions", "v": "velocities", "tau": "torques"}


class Signal(NamedTuple):
    """Curves with one unit."""

    label: str
    lines: list[Line]


def signals_of(recording: Recording) -> list[Signal]:
    """Energy, and the positions, velocities and torques that vary most, each unit for itself."""
    found: list[Signal] = []
    activity = Activity.of(recording)
    few = thinned(recording, STATES)
    if activity is not None:
        found.append(Signal("joints computed in a step", [Line("computed", recording.t, activity.computed)]))
    if recording.segments[0].linkage.nb > LARGEST:
        return found
    with no_batch_compiled():
        for what, name in WHAT.items() if activity is None else ():
            panels = moving_panels(joint_panels(few, what, None))
            found += [Signal(f"{name} ({panel.unit})", panel.lines[:6]) for panel in panels]
        if activity is None:
            kinds = {"kinetic": few.kinetic, "potential": few.potential, "total": few.energy}
            lines = [Line(label, few.t, values) for label, values in kinds.items()]
            found.append(Signal("energy (J)", lines))
    return [signal for signal in found if signal.lines]
