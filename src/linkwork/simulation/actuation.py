"""What motors let through of the torques that a simulation is given."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import LinkworkWarning
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.motor import MotorLimits
from linkwork.simulation.arguments import checked_torques
from linkwork.simulation.callbacks import call_compiled, is_compiled

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine


class Actuation:
    """The motors of a linkage, between what is asked of its joints and what acts in them.

    Parameters
    ----------
    linkage : Linkage
    """

    def __init__(self, linkage: Linkage):
        self.limits = MotorLimits(linkage)

    def held(self, tau: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Torques of a controller that will be held, as the motors give them at v."""
        return self.limits.limited(tau, v) if self.limits.any else tau

    def at_stages(self, engine: Engine) -> Callable | None:
        """``torques(t, q, v)`` of an engine, within what its motors can do beside the torques that are held."""
        torques = engine.torques
        return torques if torques is None or not self.limits.any else MotorTorques(torques, self.limits, engine)


class MotorTorques:
    """What motors give of the torques that are `asked` of them at a stage, above those that are held.

    Parameters
    ----------
    asked : callable or numba.cfunc
        ``asked(t, q, v)``.
    limits : MotorLimits
    engine : Engine
    """

    def __init__(self, asked: Any, limits: MotorLimits, engine: Engine):
        self.asked, self._limits, self._engine = asked, limits, engine

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """These torques at a state."""
        held, system = self._engine.stepper.tau, self._engine.system
        asked = call_compiled(self.asked, t, q, v, system.n_torques) if is_compiled(self.asked) else self.asked(t, q, v)
        return self._limits.limited(held + checked_torques(system, "torques", asked, t), v) - held


class DriveLoads:
    """Warns, once for each joint, where a drive takes more than the joint's motor has."""

    def __init__(self):
        self._told: set[str] = set()

    def look(self, engine: Engine, count: int) -> None:
        """Look at rows that were recorded last."""
        limits = engine.actuation.limits
        if not (limits.any and engine.drives and count > 0):
            return
        rows, fields = engine.recorder.segment.last(count), engine.recorder.segment.fields
        for drive in engine.drives:
            dofs = drive.dofs
            tau = np.abs(rows[:, fields["tau"]][:, dofs])
            speed = np.abs(rows[:, fields["v"]][:, dofs])
            beyond = np.flatnonzero(((tau > limits.effort[dofs]) | (speed > limits.speed[dofs])).any(axis=1))
            if len(beyond) and drive.joint not in self._told:
                self._told.add(drive.joint)
                k = int(beyond[0])
                warnings.warn(
                    f"at t = {rows[k, 0]:g} s the drive of joint {drive.joint!r} takes {tau[k].max():.4g} N m or N at "
                    f"{speed[k].max():.4g} rad/s or m/s, more than its motor has: effort "
                    f"{limits.effort[dofs].min():g}, speed {limits.speed[dofs].min():g}. It follows all the same",
                    LinkworkWarning,
                    stacklevel=2,
                )
