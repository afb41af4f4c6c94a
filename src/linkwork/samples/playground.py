"""Human figures at play: on the high bar and on a swing, as in [Nakamura2000] section VII."""

from __future__ import annotations

import math

import numpy as np

from linkwork.dynamics.closed import close_loops
from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import unknown_name
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Planar, Prismatic, Revolute, Spherical
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.strength import Strength
from linkwork.linkage.visuals import Visual
from linkwork.samples.human import SLACK, human

PLATE = 0.4  # m: depth of the swing's plate, whose middle is under the middle of the thighs
STEEL, WOOD = (0.55, 0.55, 0.6, 1.0), (0.7, 0.5, 0.3, 1.0)
SIDES = (("left", 1.0), ("right", -1.0))
SEATS = ("planar", "prismatic")


def high_bar(
    figure: Linkage | None = None, *, hands: JointType | None = None, width: float = 0.56, bar: float = 2.6,
    angle: float = 0.0, strength: float | Strength | None = None,
) -> tuple[Linkage, np.ndarray]:  # fmt: skip
    """A human figure on a high bar, held by loop joints at both hands; and its pose.

    Parameters
    ----------
    figure : Linkage, optional
        What `human` made; it is changed. Default: one of 16 degrees of freedom.
    hands : JointType, optional
        Between bar and hand; default ``Revolute("y")``.
    width : float
        Between the hands, m; wider than the shoulders, otherwise the arms are parallel and their constraints redundant.
    bar : float
        Height of the bar, m; it lies along y, at x = 0.
    angle : float
        The stretched figure is turned by this about the bar: 0 hangs straight down, π/2 lies level at the back (−x).
    strength : float or Strength, optional
        Of the hands, see `Linkage.connect`.

    Returns
    -------
    linkage : Linkage
        Loop joints ``left_hand`` and ``right_hand``.
    q : (nq,) array
        Loops closed: forearms at right angles to the bar, upper arms leaning in to the shoulders.
    """
    linkage = human() if figure is None else figure
    q = linkage.neutral()
    shoulder, elbow = (_position(linkage, q, f"left_{joint}") for joint in ("shoulder", "elbow"))
    lean = math.asin((width / 2 - shoulder[1]) / (shoulder[2] - elbow[2]))
    for side, y in SIDES:
        # the upper arm leans outwards, the elbow bends inwards and leaves the forearm upright
        z = np.array([0.0, -y * math.sin(lean), -math.cos(lean)])
        x = np.array([0.0, -y * math.cos(lean), math.sin(lean)])
        raised = Pose(rotation=np.column_stack([x, np.cross(z, x), z]))
        q[linkage.joints[f"{side}_shoulder"].q_slice] = raised.quaternion
        q[linkage.joints[f"{side}_elbow"].q_slice] = lean - SLACK
    grip = 0.5 * (_position(linkage, q, "left_grip") + _position(linkage, q, "right_grip"))
    q[:3] += (0.0, 0.0, bar) - grip
    for side, y in SIDES:
        hand, place = f"{side}_grip", Pose((0.0, y * width / 2, bar))
        ends = {"at_a": place, "at_b": body_poses(linkage, q)[hand].inverse() @ place}
        linkage.connect("ground", hand, hands or Revolute("y"), name=f"{side}_hand", strength=strength, **ends)
    rail = Pose((0.0, 0.0, bar), Pose.axis_angle("x", math.pi / 2).rotation)
    linkage.visuals.append(Visual("ground", rail, "cylinder", (0.014, 2.4), color=STEEL))
    for y in (-1.2, 1.2):
        linkage.visuals.append(Visual("ground", Pose((0.0, y, bar / 2)), "cylinder", (0.025, bar), color=STEEL))
    return linkage, turned(linkage, q, Pose((0.0, 0.0, bar)), angle)


def swing(
    figure: Linkage | None = None, *, pivot: float = 2.4, angle: float = 0.0, drag: float = 200.0,
    strength: float | Strength | None = None, seats: str = "planar",
) -> tuple[Linkage, np.ndarray]:  # fmt: skip
    """A human figure that sits on a swing and holds on to its rods; and its pose.

    The swing is one body, ``swing``: two rods and a plate. Hands hold the rods by spherical joints ``left_hand`` and
    ``right_hand``; thighs slide on the plate by planar joints ``left_seat`` and ``right_seat``, or by prismatic ones.

    Parameters
    ----------
    figure : Linkage, optional
        What `human` made; it is changed. Default: one of 16 degrees of freedom.
    pivot : float
        Height of the beam, m.
    angle : float
        Of the swing about y: positive is to the back (−x).
    drag : float
        Viscous friction between each thigh and the plate, N s/m.
    strength : float or Strength, optional
        Of the joint ``pivot`` between beam and swing, see `Linkage.add_body`.
    seats : str
        "planar", or "prismatic", along x, as in [Nakamura2000]: there the slides of the two thighs are tied by the
        distance of the hips, which makes constraints redundant.

    Returns
    -------
    linkage : Linkage
    q : (nq,) array
        Loops closed.
    """
    if seats not in SEATS:
        raise unknown_name("kind of seat", seats, SEATS)
    linkage = human() if figure is None else figure
    length, half, apart = 1.9, 0.02, 0.56  # of the rods, half the plate's thickness, between the rods, m
    rods = [Inertia.rod(length, mass=1.5, com=(0.0, y * apart / 2, -length / 2)) for _, y in SIDES]
    plate = Inertia.box((PLATE, apart, 2 * half), mass=3.0, com=(0.0, 0.0, -length))
    at = Pose((0.0, 0.0, pivot))
    linkage.add_body(
        "swing", rods[0] + rods[1] + plate, joint=Revolute("y"), at=at, joint_name="pivot", strength=strength
    )
    looks = [Visual("swing", Pose((0.0, 0.0, -length)), "box", (PLATE, apart, 2 * half), color=WOOD)]
    looks += [
        Visual("swing", Pose((0.0, y * apart / 2, -length / 2)), "cylinder", (0.012, length), color=STEEL)
        for _, y in SIDES
    ]
    beam = Pose((0.0, 0.0, pivot), Pose.axis_angle("x", math.pi / 2).rotation)
    linkage.visuals += [*looks, Visual("ground", beam, "cylinder", (0.03, 2.0), color=STEEL)]

    q = linkage.neutral()
    hips = _position(linkage, q, "left_hip")
    q[:3] += (-0.22 - hips[0], 0.0, pivot - length + half + 0.07 - hips[2])
    for side, y in SIDES:
        joints = linkage.joints
        q[joints[f"{side}_hip"].q_slice] = Pose.axis_angle("y", -math.pi / 2).quaternion
        q[joints[f"{side}_knee"].q_slice] = 1.2
        raised = Pose.axis_angle("x", 0.5 * y) @ Pose.axis_angle("y", -0.4)
        q[joints[f"{side}_shoulder"].q_slice] = raised.quaternion
        q[joints[f"{side}_elbow"].q_slice] = 1.6
        place = Pose((0.0, y * hips[1], -length + half))
        at_b = body_poses(linkage, q)[f"{side}_thigh"].inverse() @ at @ place
        rub = Planar("z", damping=(drag, drag, 0.01 * drag)) if seats == "planar" else Prismatic("x", damping=drag)
        linkage.connect("swing", f"{side}_thigh", rub, at_a=place, at_b=at_b, name=f"{side}_seat")
    for side, y in SIDES:
        place = Pose((0.0, y * apart / 2, -length + 0.8))
        linkage.connect("swing", f"{side}_grip", Spherical(), at_a=place, name=f"{side}_hand")
    q = turned(linkage, close_loops(linkage, q), at, angle)
    q[linkage.joints["pivot"].q_slice] += angle
    return linkage, q


def turned(linkage: Linkage, q: np.ndarray, about: Pose, angle: float) -> np.ndarray:
    """The pose q with the free base, and all that hangs on it, turned about the y axis of a frame of the world."""
    base, here = linkage.joints["base"].q_slice, linkage.joints["base"].at.position
    turn = about @ Pose.axis_angle("y", angle) @ about.inverse()
    moved = turn @ Pose(here + q[base][:3], q[base][3:])
    q = q.copy()
    q[base] = np.concatenate([moved.position - here, moved.quaternion])
    return q


def _position(linkage: Linkage, q: np.ndarray, name: str) -> np.ndarray:
    """World position of a body, a frame or a joint."""
    body = linkage.joints[name].child.name if name in linkage.joints else name
    return body_poses(linkage, q)[body].position
