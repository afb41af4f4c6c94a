"""Things that touch: a box on a belt, a rimless wheel, dominoes, a pile, a hand that holds a cup."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.linkage.forces import JointSpring, Spring
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Free, Planar, Prismatic
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.mesh_shape import Mesh
from linkwork.linkage.pose import Pose
from linkwork.linkage.shapes import Box, Point
from linkwork.linkage.surfaces import Plane
from linkwork.linkage.visuals import Visual

WOOD, STEEL, CLAY = (0.7, 0.5, 0.3, 1.0), (0.55, 0.55, 0.6, 1.0), (0.75, 0.4, 0.3, 1.0)
GRAVITY = 9.81


def box_on_belt(
    speed: float = 0.5, *, friction: float = 0.4, static_friction: float = 0.5, stiffness: float = 0.0
) -> tuple[Linkage, np.ndarray]:
    """A box of 2 kg that is set on a belt, at rest; and its pose.

    Parameters
    ----------
    speed : float
        Of the belt along x, m/s.
    friction, static_friction : float
        Between box and belt.
    stiffness : float
        Of a spring that ties the box to where it is, N/m: it sticks and slips in turn where that is not zero.

    Returns
    -------
    linkage : Linkage
        Body ``box``; shapes ``box`` and ``belt``.
    q : (nq,) array
    """
    linkage = Linkage(name="box on a belt")
    size = (0.3, 0.2, 0.1)
    linkage.add_body("box", Inertia.box(size, mass=2.0), joint=Free(), at=Pose((0.0, 0.0, 0.05)))
    rub: dict[str, Any] = {"friction": friction, "static_friction": static_friction}
    linkage.add_shape("box", Box(size), name="box", **rub)
    linkage.add_shape("ground", Plane().sliding((speed, 0.0, 0.0)), name="belt", **rub)
    if stiffness:
        hook = (-0.15, 0.0, -0.05)  # at the height of the belt: the spring turns nothing
        anchor = (-1.15, 0.0, 0.0)
        linkage.add_force(Spring("box", "ground", hook, anchor, stiffness, rest_length=1.0))
    linkage.visuals += [
        Visual("box", Pose(), "box", size, color=WOOD),
        Visual("ground", Pose((0.5, 0.0, -0.01)), "box", (3.0, 0.4, 0.02), color=STEEL),
    ]
    return linkage, linkage.neutral()


def rimless_wheel(
    spokes: int = 8, *, length: float = 1.0, mass: float = 1.0, inertia: float = 0.1, slope: float = 0.08
) -> tuple[Linkage, np.ndarray]:
    """A wheel of spokes without a rim, which walks down a slope from foot to foot; and its pose, on two feet.

    Gravity is turned instead of the ground: x points down the slope. The wheel moves in the plane of x and z.

    Parameters
    ----------
    spokes : int
    length : float
        Of a spoke, m.
    mass, inertia : float
        kg, and kg m² about the hub, where the centre of mass is.
    slope : float
        In rad.

    Returns
    -------
    linkage : Linkage
        Body ``wheel``, on a planar joint whose coordinates are (z, x, turn about y).
    q : (nq,) array
    """
    linkage = Linkage(name="rimless wheel", gravity=(GRAVITY * math.sin(slope), 0.0, -GRAVITY * math.cos(slope)))
    moments = np.diag([inertia, inertia, inertia])
    linkage.add_body("wheel", Inertia(mass, (0, 0, 0), moments), joint=Planar("y"))
    for k in range(spokes):
        angle = (2 * k + 1) * math.pi / spokes
        foot = length * np.array([math.sin(angle), 0.0, -math.cos(angle)])
        linkage.add_shape("wheel", Point(), at=Pose(foot), friction=1.0, name=f"foot{k}")
        linkage.visuals.append(Visual("wheel", Pose.look(foot / 2, foot), "cylinder", (0.02, length), color=WOOD))
    linkage.add_shape("ground", Plane(), friction=2.0, name="slope")
    for k in range(spokes):
        linkage.meet(f"foot{k}", "slope")
    linkage.visuals.append(Visual("ground", Pose((4.0, 0.0, -0.02)), "box", (12.0, 0.6, 0.04), color=STEEL))
    q = linkage.neutral()
    q[0] = length * math.cos(math.pi / spokes)
    return linkage, q


def dominoes(n: int = 20, *, spacing: float = 0.04, friction: float = 0.3) -> tuple[Linkage, np.ndarray]:
    """A row of dominoes, of which the first one leans on the second; and its pose. Needs coal, see `add_shape`.

    Parameters
    ----------
    n : int
    spacing : float
        From one to the next, m; they are 0.01 m thick and 0.1 m high.
    friction : float
        Between each other; on the floor it is 0.6.

    Returns
    -------
    linkage : Linkage
        Bodies ``domino0``, ...
    q : (nq,) array
    """
    linkage = Linkage(name="dominoes")
    size = (0.01, 0.05, 0.1)
    for k in range(n):
        name = f"domino{k}"
        at = Pose((k * spacing, 0.0, 0.05))
        linkage.add_body(name, Inertia.box(size, mass=0.035), joint=Free(), at=at)
        linkage.add_shape(name, Box(size), friction=friction, name=name)
        shade = 0.35 + 0.4 * k / max(n - 1, 1)
        linkage.visuals.append(Visual(name, Pose(), "box", size, color=(shade, 0.3, 0.9 - shade, 1.0)))
    linkage.add_shape("ground", Plane(), friction=1.0, name="floor")
    for k in range(n):
        linkage.meet(f"domino{k}", "floor", friction=0.6)
        for other in range(k - 2):  # they never reach that far
            linkage.part(f"domino{k}", f"domino{other}")
    middle = (n - 1) * spacing / 2
    ground = Pose((middle, 0.0, -0.005))
    linkage.visuals.append(Visual("ground", ground, "box", (2 * middle + 0.4, 0.3, 0.01), color=STEEL))
    q = linkage.neutral()
    lean = 0.15  # rad, about its lower front edge: past the point where it falls by itself
    edge = np.array([0.005, 0.0, -0.05])
    turned = Pose.axis_angle("y", lean)
    q[:3] = edge - turned.apply(edge)
    q[3:7] = turned.quaternion
    return linkage, q


def pile(n: int = 100, *, friction: float = 0.5) -> tuple[Linkage, np.ndarray]:
    """Boxes in layers of five by five with gaps between them, a pile once they have fallen; and its pose. Needs coal.

    Parameters
    ----------
    n : int
    friction : float

    Returns
    -------
    linkage : Linkage
        Bodies ``box0``, ...
    q : (nq,) array
    """
    linkage, side = Linkage(name="pile"), 0.1
    for k in range(n):
        layer, place = divmod(k, 25)
        x, y = (0.11 * (place % 5) + 0.02 * layer, 0.11 * (place // 5) + 0.015 * layer)
        at = Pose((x, y, side * (layer + 0.5) + 1e-3 * (layer + 1)))
        linkage.add_body(f"box{k}", Inertia.box((side,) * 3, mass=1.0), joint=Free(), at=at)
        linkage.add_shape(f"box{k}", Box((side,) * 3), friction=friction, name=f"box{k}")
        linkage.visuals.append(Visual(f"box{k}", Pose(), "box", (side,) * 3, color=WOOD))
    linkage.add_shape("ground", Plane(), friction=1.0, name="floor")
    return linkage, linkage.neutral()


def cup_in_hand(squeeze: float = 12.0, *, friction: float = 0.6) -> tuple[Linkage, np.ndarray]:
    """A hand of two fingers that holds a cup by friction alone; and its pose. Needs coal, see `add_shape`.

    Parameters
    ----------
    squeeze : float
        Force of each finger, N; the cup weighs 0.3 kg.
    friction : float
        Between fingers and cup.

    Returns
    -------
    linkage : Linkage
        Joints ``lift`` (up), ``left`` and ``right`` (the fingers, outwards), and the free ``cup``, which stands on a
        table at z = 0.
    q : (nq,) array
    """
    linkage = Linkage(name="cup in hand")
    pad, reach = (0.03, 0.012, 0.05), 0.04 + 0.006
    linkage.add_body("palm", Inertia.box((0.05, 0.16, 0.03), mass=0.5), joint=Prismatic("z", damping=20.0),
                     at=Pose((0.0, 0.0, 0.16)), joint_name="lift")  # fmt: skip
    linkage.visuals.append(Visual("palm", Pose(), "box", (0.05, 0.16, 0.03), color=STEEL))
    for side, y in (("left", 1.0), ("right", -1.0)):
        finger = f"{side}_finger"
        linkage.add_body(finger, Inertia.box((0.03, 0.012, 0.12), mass=0.1, com=(0, 0, -0.06)),
                         joint=Prismatic((0, y, 0), damping=5.0), parent="palm", at=Pose((0.0, y * reach, 0.0)),
                         joint_name=side)  # fmt: skip
        linkage.add_shape(finger, Box(pad), at=Pose((0.0, 0.0, -0.1)), friction=friction, name=f"{side}_pad")
        linkage.visuals.append(Visual(finger, Pose((0.0, 0.0, -0.06)), "box", (0.03, 0.012, 0.13), color=STEEL))
        stiffness = 200.0
        linkage.add_force(JointSpring(side, stiffness, -squeeze / stiffness))
    turn = np.arange(16) * (math.pi / 8) + math.pi / 16  # a flat side to each finger
    radius = 0.04 / math.cos(math.pi / 16)
    rim = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    corners = np.concatenate([np.column_stack([rim, np.full(16, z)]) for z in (-0.05, 0.05)])
    linkage.add_body("cup", Inertia.cylinder(0.04, 0.1, mass=0.3), joint=Free(), at=Pose((0.0, 0.0, 0.05)))
    linkage.add_shape("cup", Mesh(corners), friction=friction, name="cup")
    linkage.visuals.append(Visual("cup", Pose(), "cylinder", (0.04, 0.1), color=CLAY))
    linkage.add_shape("ground", Plane(), friction=0.5, name="table")
    linkage.part("left_pad", "right_pad")
    linkage.visuals.append(Visual("ground", Pose((0.0, 0.0, -0.01)), "box", (0.4, 0.4, 0.02), color=WOOD))
    return linkage, linkage.neutral()
