"""The O(N) step of quasi-statics, taken where too many joints matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.dynamics.constraints import constrained_step, residuals
from linkwork.dynamics.forward import forward_dynamics
from linkwork.kernels.layout.adaptive import KEPT
from linkwork.linkage.packing.launch import run
from linkwork.quasistatics.report import StepReport

if TYPE_CHECKING:
    from linkwork.quasistatics.adaptive_simulation import AdaptiveSimulation


def exact_step(simulation: AdaptiveSimulation) -> StepReport:
    """Move every joint."""
    linkage, parts, loads = simulation.linkage, simulation._parts, simulation._loads
    if parts.loops:
        a = forward_dynamics(linkage, parts.q, np.zeros(linkage.nv), loads.tau, loads.wrenches(linkage, parts.q))
        state = residuals(linkage, parts.q)
        move, gap = simulation.gain * a + constrained_step(linkage, parts.q, -state.row_error).x, state.gap
        parts.used[:] = a
    else:
        a, gap = at_rest(simulation), 0.0
        move = np.multiply(simulation.gain, a, out=parts.unused)
    if parts.adds:
        parts.q += move
    else:
        run(linkage, ("tree.integrate", "integrate"), 0, [parts.q, move], [parts.q])
    parts.stale = parts.all_used = True
    parts.drop()
    floor = floor_of_floats(simulation, a)
    joints = parts.joints_computed(all_of_them=True)
    claimed = floor <= simulation.tolerance
    return StepReport(linkage.nb, floor, floor, claimed, exact=True, gap=gap, _joints=joints)


def at_rest(simulation: AdaptiveSimulation) -> np.ndarray:
    """Accelerations of a tree at rest under the loads, as those that the step uses."""
    parts = simulation._parts
    loads = parts.latest_loads()
    linkage, inputs = simulation.linkage, [parts.q, loads.tau, loads.forces]
    room = KEPT * linkage.tree.stages
    run(linkage, ("tree.resting_aba", "resting_aba"), loads.force_of, inputs, [parts.used], extra=room)
    return parts.used


def floor_of_floats(simulation: AdaptiveSimulation, a: np.ndarray) -> float:
    """What rounding may do to accelerations where no lower digits are kept, in the measure of the simulation."""
    numbers = simulation._parts.numbers()
    noise = numbers[2] ** 0.5
    if simulation.error.startswith("absolute"):
        return noise
    if simulation.measure == "displacement":  # of the last records, as the noise is
        return noise / numbers[0] ** 0.5 if numbers[0] > 0.0 else np.inf
    squares, starts = a * a, np.unique(simulation.linkage.columns.v_start)
    if simulation.error == "relative-linkage":
        size = squares.sum()
    else:
        size = np.add.reduceat(squares, starts[starts < len(a)]).max(initial=0.0)
    return float(noise / size**0.5) if size > 0.0 else np.inf
