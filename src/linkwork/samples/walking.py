"""A human figure that walks: a geometric gait, and a simple controller that pulls hips and knees towards it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.linkage.joint import Revolute
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import Visual
from linkwork.samples.human import human

# N m/rad and N m s/rad: of joints of the leg that stands, of the leg that swings, of the trunk, of the arms
STAND, SWING, TRUNK, SHOULDER, ELBOW = 4000.0, (900.0, 600.0), (1500.0, 120.0), 40.0, 20.0
DAMPING = {"hip": 40.0, "knee": 40.0, "shoulder": 2.0, "elbow": 2.0}
ANKLE = 400.0
FLOOR = (0.86, 0.88, 0.9, 1.0)
LIFT, PRESS = 0.1, 0.05  # m: height of the arc of a foot, and how deep it reaches for the ground after it


class Walker:
    """A figure of 16 degrees of freedom and the controller that makes it walk along x.

    The standing foot is held to the ground by a revolute joint about y, a loop joint whose motor is the ankle. The
    other one swings; where it touches down it is connected, and the first one is cut. Give `controller` to a
    `Simulation` that starts from `q` and `v`, and call `begin` with it.

    Parameters
    ----------
    stride : float
        Distance from foot to foot, m.
    period : float
        Time of a step, s.

    Attributes
    ----------
    figure : Linkage
    q, v : arrays
        To start from: one step begun, the left foot in front.
    steps : list of (float, str)
        When which foot touched down.
    """

    def __init__(self, *, stride: float = 0.4, period: float = 0.6):
        self.stride, self.period = stride, period
        self.figure: Linkage = human(16)
        joints = self.figure.joints
        for side in ("left", "right"):
            for name, damping in DAMPING.items():
                joints[f"{side}_{name}"].damping = damping
        floor = Pose((6 * stride / 2, 0.0, -0.01))
        self.figure.visuals.append(Visual("ground", floor, "box", (8 * stride, 0.8, 0.02), color=FLOOR))
        self._at = {name: (joints[name].q_slice, joints[name].v_slice) for name in joints.names}
        poses = body_poses(self.figure, self.figure.neutral())
        hips, self.shank = poses["left_thigh"].position[2], poses["left_shank"].position[2]
        self.thigh, self.height = hips - self.shank, 0.96 * hips
        self.stands, self.swings, self.since = "left", "right", 0.0
        self.steps: list[tuple[float, str]] = []
        self.q, self.v = self.figure.neutral(), np.zeros(self.figure.nv)
        self.q[2], self.v[0] = self.height - hips, 0.5 * stride / period
        for side, (hip, knee) in zip((self.stands, self.swings), self.gait(0.0), strict=True):
            self.q[self._at[f"{side}_hip"][0]] = Pose.axis_angle("y", hip).quaternion
            self.q[self._at[f"{side}_knee"][0]] = knee

    def gait(self, phase: float) -> tuple[np.ndarray, np.ndarray]:
        """Angles (hip, knee) of the standing and of the swinging leg, at a phase 0 … 1 of a step."""
        done = min(phase, 1.0)
        arc = LIFT * math.sin(math.pi * done) - PRESS * max(phase - 0.8, 0.0)
        stands = self._leg((0.5 - phase) * self.stride, -self.height)
        return stands, self._leg((done - 0.5) * self.stride, arc - self.height)

    def _leg(self, x: float, z: float) -> np.ndarray:
        """Angles of hip and knee that bring the sole to (x, z) from the hip, by the law of cosines."""
        reach = min(math.hypot(x, z), 0.999 * (self.thigh + self.shank))
        knee = math.acos((reach**2 - self.thigh**2 - self.shank**2) / (2 * self.thigh * self.shank))
        ahead = math.atan2(self.shank * math.sin(knee), self.thigh + self.shank * math.cos(knee))
        return np.array([math.atan2(-x, -z) - ahead, knee])

    def controller(self, sim: Any) -> np.ndarray:
        """Torques of all joints, the ankle's last: springs towards the gait; the dampers are in the joints."""
        q, tau = sim.q, np.zeros(sim.linkage.nv + sim.linkage.nv_loop)
        phase = (sim.t - self.since) / self.period
        now, soon = self.gait(phase), self.gait(phase + 1e-3)
        rates = [(b - a) / (1e-3 * self.period) for a, b in zip(now, soon, strict=True)]
        trunk = _turn(q[3:7])
        (hip, knee), (hip_rate, knee_rate) = now[0], rates[0]
        (hip_q, hip_v), (knee_q, knee_v) = self._at[f"{self.stands}_hip"], self._at[f"{self.stands}_knee"]
        tau[hip_v] = TRUNK[0] * trunk + TRUNK[1] * sim.v[3:6]  # this hip keeps the trunk upright
        tau[knee_v] = -STAND * (q[knee_q] - knee) + DAMPING["knee"] * knee_rate
        ankle = trunk[1] + _turn(q[hip_q])[1] + q[knee_q][0]
        tau[-1] = -STAND * (ankle - hip - knee) + ANKLE * (hip_rate + knee_rate)
        (hip, knee), (hip_rate, knee_rate) = now[1], rates[1]
        (hip_q, hip_v), (knee_q, knee_v) = self._at[f"{self.swings}_hip"], self._at[f"{self.swings}_knee"]
        tau[hip_v] = -SWING[0] * (_turn(q[hip_q]) + trunk)
        tau[hip_v][1] += SWING[0] * 2.0 * math.sin(hip / 2) + DAMPING["hip"] * hip_rate
        tau[knee_v] = -SWING[1] * (q[knee_q] - knee) + DAMPING["knee"] * knee_rate
        for side in ("left", "right"):
            shoulder, elbow = self._at[f"{side}_shoulder"], self._at[f"{side}_elbow"]
            tau[shoulder[1]] = -SHOULDER * _turn(q[shoulder[0]])
            tau[elbow[1]] = -ELBOW * (q[elbow[0]] - 0.3)
        return tau

    def begin(self, sim: Any) -> None:
        """Put the left foot on the ground and watch the other one."""
        self._stand(sim, self.stands)
        sim.when(self._clearance, self._touch_down, direction=-1, every=0.01)

    def _clearance(self, sim: Any) -> float:
        """Height of the swinging sole; before the top of its arc it is not computed."""
        return self._sole(sim, self.swings)[2] if sim.t > self.since + 0.5 * self.period else LIFT

    def _touch_down(self, sim: Any) -> None:
        self._stand(sim, self.swings)
        sim.cut(f"{self.stands}_foot")
        self.stands, self.swings, self.since = self.swings, self.stands, sim.t
        self.steps.append((sim.t, self.stands))

    def _stand(self, sim: Any, side: str) -> None:
        place = Pose(self._sole(sim, side))
        sim.connect("ground", f"{side}_sole", Revolute("y", damping=ANKLE), at_a=place, name=f"{side}_foot")

    def _sole(self, sim: Any, side: str) -> np.ndarray:
        sole = sim.linkage.frames[f"{side}_sole"]
        return body_poses(sim.linkage, sim.q)[sole.body].apply(sole.pose.position)


def _turn(quaternion: np.ndarray) -> np.ndarray:
    """The rotation vector of a small rotation, xyzw."""
    return 2.0 * math.copysign(1.0, quaternion[3]) * quaternion[:3]
