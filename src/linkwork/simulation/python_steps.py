"""Steps of a `Stepper` that Python makes: compiled ones do not know what acts, or the integrator is none of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.layout import FASTEST
from linkwork.simulation.integrators import ADAPTIVE, Step, fixed_step
from linkwork.simulation.trouble import diverged_at, guarded

if TYPE_CHECKING:
    from linkwork.simulation.segment import Segment
    from linkwork.simulation.stepper import Stepper


def one_in_python(stepper: Stepper, end: float, segment: Segment) -> None:
    """One step, not beyond `end`, whatever limits it passes."""
    target, h, is_grid = stepper.target(end)
    if stepper.on_dt_grid:
        step = python_step(stepper, stepper.t, stepper.q, stepper.v, h)
    else:
        state = stepper.t, stepper.q, stepper.v, stepper.tau, stepper.size, end
        step, target, stepper.size = guarded(stepper, lambda: stepper.control.within(stepper.system, *state))
        is_grid = False
    wrong = np.flatnonzero(~(np.abs(step.v) < FASTEST))
    if len(wrong):
        raise diverged_at(stepper, int(wrong[0]))
    reached = stepper.system.project(target, step.q, step.v)
    if stepper.n % stepper.every == 0 or not is_grid:
        stepper.write(segment, step.a, step.tau)
    stepper.q, stepper.v, stepper.drift = reached
    stepper.t = target
    stepper.n += is_grid


def python_step(stepper: Stepper, t: float, q: np.ndarray, v: np.ndarray, h: float) -> Step:
    """One step of size h from a state, before any projection."""
    step = stepper.control.over if stepper.integrator in ADAPTIVE else fixed_step(stepper.integrator)
    return guarded(stepper, lambda: step(stepper.system, t, q, v, stepper.tau, h))
