"""Motors: what a joint's actuator can do, and the inertia of its rotor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout.kinds import KIND_NV
from linkwork.linkage.checks import number
from linkwork.linkage.joint import Fixed, Free

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage

FADE = 0.1  # share of the greatest speed over which the effort falls to zero
FREELY = 1e300  # rad/s or N m: no motor


@dataclass(frozen=True, slots=True)
class Motor:
    """A motor with its gear on a joint: it limits the torque in simulations, and its rotor adds inertia everywhere.

    Torques that a simulation is given for the joint (by `controller` and `torques` together) act up to ±effort.
    Against the motion all of it is there; along the motion it is there up to 0.9 `speed`, and falls linearly to zero at
    `speed`. The rotor adds gear² · inertia to the joint's armature. A joint whose motion is given by a drive follows it
    all the same; `Simulation` warns where that takes more than the motor has.

    Parameters
    ----------
    joint : str or Joint
        Any tree joint but Fixed and Free; each of its degrees of freedom has such a motor.
    effort : float
        Greatest torque or force at the joint, behind the gear, N m or N.
    speed : float
        Greatest speed at the joint, rad/s or m/s.
    gear : float
        Turns of the rotor for each turn of the joint; of a sliding joint rad/m.
    inertia : float
        Of the rotor, about its own axis, kg m².

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.mass_matrix(arm, arm.neutral())[1, 1].round(3)
    np.float64(0.334)
    >>> arm.add_force(lw.Motor("link1", effort=20.0, speed=3.0, gear=100.0, inertia=1e-5))
    Motor(joint='link1', effort=20.0, speed=3.0, gear=100.0, inertia=1e-05)
    >>> lw.mass_matrix(arm, arm.neutral())[1, 1].round(3)
    np.float64(0.434)
    """

    joint: Any
    effort: float = np.inf
    speed: float = np.inf
    gear: float = 1.0
    inertia: float = 0.0

    def __post_init__(self):
        put = object.__setattr__
        put(self, "joint", self.joint if isinstance(self.joint, str) else getattr(self.joint, "name", self.joint))
        for what in ("effort", "speed"):
            value = getattr(self, what)
            put(self, what, np.inf if value == np.inf else number(value, what, minimum=0.0))
        put(self, "gear", number(self.gear, "gear"))
        put(self, "inertia", number(self.inertia, "inertia", minimum=0.0))
        if self.speed == 0.0:
            raise ArgumentError("a motor needs a greatest speed above zero")

    @property
    def reflected(self) -> float:
        """Inertia of the rotor seen at the joint, kg m² or kg."""
        return self.gear**2 * self.inertia


def motors_of(linkage: Linkage) -> list[Motor]:
    """A motor for every joint whose effort or velocity the description limits, as URDF files do."""
    found = []
    for joint in linkage.joints:
        effort, speed = (float(np.min(value, initial=np.inf)) for value in (joint.effort, joint.velocity))
        if joint.nv and not isinstance(joint.type, Free) and (0.0 < effort < np.inf or 0.0 < speed < np.inf):
            found.append(Motor(joint.name, effort or np.inf, speed or np.inf))  # in files a zero stands for no limit
    return found


def check_motor(linkage: Linkage, motor: Motor) -> None:
    """Raise where a joint cannot have this motor."""
    kind = linkage.columns.joint_type(linkage._resolve_joint(motor.joint))
    if isinstance(kind, Fixed | Free):
        raise ArgumentError(f"joint {motor.joint!r} is {type(kind).__name__}: it cannot have a motor")
    if any(isinstance(other, Motor) and other.joint == motor.joint for other in linkage.forces):
        raise ArgumentError(f"joint {motor.joint!r} has a motor already: remove that with remove_force first")


def armature(linkage: Linkage) -> np.ndarray:
    """(nv,) armature of every degree of freedom, rotors of motors included."""
    columns = linkage.columns
    total = columns.armature
    for motor in linkage._forces:
        if isinstance(motor, Motor) and motor.inertia:
            index = columns.joint_index[motor.joint]
            first, total = int(columns.v_start[index]), total.copy()
            total[first : first + int(KIND_NV[columns.code[index]])] += motor.reflected
    return total


class MotorLimits:
    """What the motors of a linkage can do, as arrays.

    Attributes
    ----------
    effort, speed : (nv,) arrays
        Infinite where there is no motor.
    """

    def __init__(self, linkage: Linkage):
        self.effort, self.speed = np.full(linkage.nv, np.inf), np.full(linkage.nv, np.inf)
        for motor in linkage.forces:
            if isinstance(motor, Motor):
                where = linkage.joints[motor.joint].v_slice
                self.effort[where], self.speed[where] = motor.effort, motor.speed
        self.any = bool(np.isfinite([self.effort, self.speed]).any())

    def available(self, tau: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(nv,) the greatest size of each torque, in the direction that it has, at these velocities."""
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(np.isinf(self.speed), 1.0, (self.speed - np.abs(v)) / (FADE * self.speed))
        along = tau * v > 0.0
        share = np.where(along, np.clip(share, 0.0, 1.0), 1.0)
        with np.errstate(invalid="ignore"):
            return np.where(share > 0.0, self.effort * share, 0.0)

    def limited(self, tau: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Torques of tree joints (and loop joints after them) within what the motors can do."""
        n = len(self.effort)
        most = self.available(tau[:n], v)
        return np.concatenate([np.clip(tau[:n], -most, most), tau[n:]])


def motors_as_array(linkage: Linkage) -> np.ndarray:
    """(3 nv,) efforts and speeds of the motors, and the span over which efforts fade; empty where there are none."""
    limits = MotorLimits(linkage)
    if not limits.any:
        return np.empty(0)
    effort, speed = np.nan_to_num(limits.effort, posinf=FREELY), np.nan_to_num(limits.speed, posinf=FREELY)
    return np.concatenate([effort, speed, FADE * speed])
