"""Going on with a run that was streamed to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.simulation import checkpoint
from linkwork.simulation.engine import Engine
from linkwork.simulation.integrators import step_control
from linkwork.simulation.limit_kinds import chosen
from linkwork.simulation.storage import Contents
from linkwork.simulation.touching import stepper_for


def resumed_engine(sim: Any, path: Path, **callbacks: Any) -> Engine:
    """The engine of a run at its last commit, with its callbacks given again.

    The state goes on to the bit: it is neither checked nor brought onto constraints.
    """
    contents = Contents(path, sound=True)
    saved, settings = contents.checkpoint, contents.settings
    if not saved:
        raise ArgumentError(f"{path} was saved, not streamed: it holds no state to go on from")
    for what, given in callbacks.items():
        if saved[what] != (given is not None):
            had, how = ("had", "with it") if saved[what] else ("had no", "without")
            raise ArgumentError(f"the run in {path} {had} {what}: resume it {how}")
    grid = settings["dt"], settings["record_every"], settings["t"]
    control = step_control(settings["integrator"], settings["rtol"], settings["atol"])
    state = np.array(saved["q"]), np.array(saved["v"])
    how = stepper_for(contents.recording.segments[-1].linkage, settings["contacts"])
    stepper = how(settings["integrator"], control, *grid, *state)
    stepper.t = saved["t"]  # surfaces that move are where they were then
    engine = Engine(
        sim, contents.recording.segments[-1].linkage.copy(), stepper, limits=chosen(settings["limits"]),
        method=settings["method"], control_every=settings["control_every"], **callbacks,
    )  # fmt: skip
    checkpoint.restore(engine, saved)
    engine.resumed = saved["t"]
    engine.recorder.resume(path, contents)
    return engine
