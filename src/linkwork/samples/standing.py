"""Human figures that stand and land: soles that touch a mat, and springs in the joints that hold a crouch."""

from __future__ import annotations

import numpy as np

from linkwork.errors import StructureError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.shapes import Point
from linkwork.linkage.surfaces import Plane
from linkwork.linkage.visuals import Visual
from linkwork.samples.human import FOOT, HEEL

WIDTH, EDGE = 0.045, 0.01  # m: half the width of a sole, and how far its corners lie within it
MAT = (0.35, 0.45, 0.75, 1.0)
ARMATURE = 0.1  # kg m²: of muscles and of what hangs on them, which keeps light feet calm under strong springs
# N m/rad and N m s/rad of each kind of joint
GAINS = {
    "hip": (3000.0, 150.0), "knee": (3000.0, 150.0), "ankle": (2000.0, 100.0), "waist": (3000.0, 150.0),
    "back": (3000.0, 150.0), "neck": (200.0, 10.0), "head": (200.0, 10.0), "shoulder": (60.0, 6.0),
    "elbow": (60.0, 6.0), "wrist": (10.0, 1.0),
}  # fmt: skip


def on_mat(figure: Linkage, *, height: float = 0.0, friction: float = 0.9) -> None:
    """Let the feet of a figure of 40 degrees of freedom touch a mat: four corners of each sole.

    Parameters
    ----------
    figure : Linkage
        What `human` made, or `high_bar` or `swing` of it; it gets shapes ``left_sole0`` and so on, and ``mat``.
    height : float
        Of the mat, m.
    friction : float
    """
    if "left_ankle" not in figure.joints:
        raise StructureError("a figure of 16 degrees of freedom has no ankles to stand on: take human(dof=40)")
    corners = [(x, y) for x in (EDGE - HEEL, FOOT.length - HEEL - EDGE) for y in (-WIDTH, WIDTH)]
    for side in ("left", "right"):
        sole = figure.frames[f"{side}_sole"]
        for k, (x, y) in enumerate(corners):
            at = Pose((x, y, float(sole.pose.position[2])))
            figure.add_shape(sole.body, Point(), at=at, friction=friction, name=f"{side}_sole{k}")
    figure.add_shape("ground", Plane((0, 0, 1), height), friction=friction, name="mat")
    figure.visuals.append(Visual("ground", Pose((0.0, 0.0, height - 0.05)), "box", (3.0, 2.0, 0.1), color=MAT))
    for joint in figure.joints:
        if joint.name.rpartition("_")[2] in GAINS:
            joint.armature = ARMATURE


def crouch(
    figure: Linkage, angle: float = 0.35, *, lean: float = 0.0, arms: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gains kp and kd of a `PD` controller, and the pose that it holds: knees bent by twice an angle, soles level.

    Parameters
    ----------
    figure : Linkage
        Of 40 degrees of freedom.
    angle : float
        By which hips and ankles bend, rad.
    lean : float
        Of the whole figure over its toes, rad.
    arms : (nq,) array, optional
        A pose whose arms are held as they are; by default they hang down.
    """
    q, kp, kd = figure.neutral(), np.zeros(figure.nv), np.zeros(figure.nv)
    for joint in figure.joints:
        if arms is not None and joint.name.rpartition("_")[2] in ("shoulder", "elbow", "wrist"):
            q[joint.q_slice] = arms[joint.q_slice]
        kp[joint.v_slice], kd[joint.v_slice] = GAINS.get(joint.name.rpartition("_")[2], (0.0, 0.0))
    for side in ("left", "right"):
        q[figure.joints[f"{side}_hip"].q_slice] = Pose.axis_angle("y", -angle).quaternion
        q[figure.joints[f"{side}_knee"].q_slice] = 2 * angle
        q[figure.joints[f"{side}_ankle"].q_slice] = Pose.axis_angle("y", -angle - lean).quaternion
    return kp, kd, q
