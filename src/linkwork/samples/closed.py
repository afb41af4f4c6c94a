"""Closed linkages: reference mechanisms, stacks of them, and random ones with every type of loop joint."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.body import Body
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Prismatic, Revolute, Spherical, Universal
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.samples.open import count, random_joint, random_pose, random_tree

Names = Sequence[str]
Floats = Sequence[float]


def _add_chain(linkage: Linkage, parent: str, at: Pose, names: Names, lengths: Floats, angles: Floats) -> None:
    """Rods along their own x, hinged about y end to end; at q = 0 each is turned by its angle from the one before."""
    for name, length, angle in zip(names, lengths, angles, strict=True):
        rod = Inertia.cylinder(length / 20, length, mass=length, axis="x", com=(length / 2, 0.0, 0.0))
        linkage.add_body(name, rod, joint=Revolute("y"), parent=parent, at=at @ Pose.axis_angle("y", angle))
        parent, at = name, Pose((length, 0.0, 0.0))


def _add_loop(
    linkage: Linkage, parent: str, at: Pose, names: Names, lengths: Floats, angles: Floats, ground: float, pin: str
) -> None:
    """Such a chain, whose end is pinned to its parent again, `ground` away from its start."""
    _add_chain(linkage, parent, at, names, lengths, angles)
    far, end = at @ Pose((ground, 0.0, 0.0)), Pose((lengths[-1], 0.0, 0.0))
    linkage.connect(parent, names[-1], Revolute("y"), at_a=far, at_b=end, name=pin)


def four_bar(
    *, ground: float = 1.0, crank: float = 0.4, coupler: float = 1.0, rocker: float = 0.8, angle: float = -1.0
) -> Linkage:
    """A planar four-bar in the x–z plane: crank, coupler and rocker, closed by the loop joint "pin" on ground.

    Parameters
    ----------
    ground, crank, coupler, rocker : float
        Lengths, m; rods have 1 kg/m.
    angle : float
        Of the crank about y at q = 0, where the loop is closed, rad.

    Returns
    -------
    Linkage
        Bodies ``crank``, ``coupler``, ``rocker`` in a chain.
    """
    linkage = Linkage(name="four-bar")
    lengths = (crank, coupler, rocker)
    angles = _four_bar_angles(ground, *lengths, angle)
    _add_loop(linkage, "ground", Pose(), ("crank", "coupler", "rocker"), lengths, angles, ground, "pin")
    return linkage


def four_bars(K: int, *, stacked: bool = True) -> Linkage:
    """K planar four-bars, each hung on the coupler of the one before, or side by side on ground.

    Parameters
    ----------
    K : int
        How many.
    stacked : bool
        Whether each hangs on the one before: then its loop moves with all above it.

    Returns
    -------
    Linkage
        Bodies ``crank0``, ``coupler0``, ``rocker0``, ``crank1``, ...; loop joints ``pin0``, ...; closed at q = 0, with
        one degree of freedom each.
    """
    linkage = Linkage(name=f"{count(K, 'K')} four-bars")
    lengths, ground = (0.6, 0.7, 0.6), 1.0
    parent, at = "ground", Pose()
    for k in range(K):
        # hanging down, to one side and the other in turn, so that a tall stack does not curl up
        angles = _four_bar_angles(ground, *lengths, 1.12 if k % 2 else 1.52)
        names = [f"{name}{k}" for name in ("crank", "coupler", "rocker")]
        _add_loop(linkage, parent, at, names, lengths, angles, ground, f"pin{k}")
        if stacked:
            parent, at = names[1], Pose()
        else:
            at = Pose((0.0, 0.5 * (k + 1), 0.0))
    return linkage


def _four_bar_angles(ground: float, crank: float, coupler: float, rocker: float, angle: float) -> list[float]:
    """Angles of a closed four-bar from rod to rod, the crank's given; the coupler is on the crank's side."""
    if angle > 0.0:
        return [-each for each in _four_bar_angles(ground, crank, coupler, rocker, -angle)]
    # a rotation about y by t takes x to (cos t, −sin t) in the x–z plane
    reach = ground - crank * math.cos(angle), crank * math.sin(angle)
    distance = math.hypot(*reach)
    if not abs(coupler - rocker) <= distance <= coupler + rocker:
        raise ArgumentError(
            f"a four-bar of lengths {ground}, {crank}, {coupler}, {rocker} does not close at {angle} rad"
        )
    inner = math.acos((coupler**2 + distance**2 - rocker**2) / (2 * coupler * distance))
    outer = math.acos((coupler**2 + rocker**2 - distance**2) / (2 * coupler * rocker))
    heading = math.atan2(-reach[1], reach[0])
    return [angle, heading - inner - angle, math.pi - outer]


def five_bar(*, ground: float = 1.0, links: tuple[float, float, float, float] = (0.6, 0.9, 0.9, 0.6)) -> Linkage:
    """A planar five-bar in the x–z plane: four rods in a chain, closed by the loop joint "pin" on ground at q = 0."""
    linkage = Linkage(name="five-bar")
    names, first = ("left", "left_arm", "right_arm", "right"), -2.0
    # with the first rod held, the others are a four-bar on the line from its end to the far pin
    end = links[0] * math.cos(first), -links[0] * math.sin(first)
    base, tilt = math.hypot(ground - end[0], -end[1]), math.atan2(end[1], ground - end[0])
    second, third, fourth = _four_bar_angles(base, *links[1:], -1.0)
    angles = (first, second + tilt - first, third, fourth)
    _add_loop(linkage, "ground", Pose(), names, links, angles, ground, "pin")
    return linkage


def slider_crank(*, crank: float = 0.3, rod: float = 1.0, mass: float = 1.0, angle: float = -1.0) -> Linkage:
    """A crank, a connecting rod and a piston, which the loop joint "slide" keeps on the x axis; closed at q = 0."""
    linkage = Linkage(name="slider-crank")
    second = -math.asin(crank * math.sin(angle) / rod) - angle
    _add_chain(linkage, "ground", Pose(), ("crank", "rod"), (crank, rod), (angle, second))
    there = Pose((rod, 0.0, 0.0)) @ Pose.axis_angle("y", -angle - second)
    linkage.add_body("piston", Inertia.box((0.1, 0.1, 0.1), mass=mass), joint=Revolute("y"), parent="rod", at=there)
    linkage.connect("ground", "piston", Prismatic("x"), name="slide")
    return linkage


def stewart(*, base: float = 1.0, platform: float = 0.5, height: float = 1.0) -> Linkage:
    """A Stewart platform: six legs, each universal, prismatic, spherical; the platform hangs on the first.

    Parameters
    ----------
    base, platform : float
        Radii of the two rings of joints, m.
    height : float
        Of the platform at q = 0, where all loops are closed, m.

    Returns
    -------
    Linkage
        Bodies ``cylinder0``, ``piston0``, ..., ``platform``; loop joints ``ball1`` … ``ball5``. Only the prismatic
        joints ``piston0`` … are actuated.
    """
    linkage = Linkage(name="Stewart platform")
    lift = np.array([0.0, 0.0, height])
    feet, tops = _ring(base, (-10.0, 10.0)), _ring(platform, (-50.0, 50.0)) + lift
    poses = [Pose.look(foot, top) for foot, top in zip(feet, tops, strict=True)]
    for k, (pose, top) in enumerate(zip(poses, tops, strict=True)):
        length = float(np.linalg.norm(top - pose.position))
        linkage.add_body(
            f"cylinder{k}", Inertia.cylinder(0.03, length / 2, mass=1.0, com=(0, 0, length / 4)), at=pose,
            joint=Universal("x", "y", actuated=False),
        )  # fmt: skip
        linkage.add_body(
            f"piston{k}", Inertia.cylinder(0.02, length / 2, mass=1.0, com=(0, 0, -length / 4)),
            at=Pose((0, 0, length)), joint=Prismatic("z"), parent=f"cylinder{k}",
        )  # fmt: skip
    # the platform's frame is at its first ball, its axes those of ground
    centre = lift - tops[0]
    linkage.add_body(
        "platform", Inertia.cylinder(platform, 0.05, mass=10.0, com=centre),
        joint=Spherical(actuated=False), parent="piston0", at=Pose(rotation=poses[0].rotation.T),
    )  # fmt: skip
    for k in range(1, 6):
        there = Pose(tops[k] - tops[0], poses[k].rotation)
        linkage.connect(f"piston{k}", "platform", Spherical(actuated=False), at_b=there, name=f"ball{k}")
    return linkage


def _ring(radius: float, offsets: tuple[float, float]) -> np.ndarray:
    """(6, 3) three pairs of points on a circle, each pair apart by its offsets in degrees."""
    angles = np.radians([120.0 * k + offset for k in range(3) for offset in offsets])
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(6)])


def bricard() -> Linkage:
    """Bricard's orthogonal loop: six rods with hinges at right angles: one degree of freedom, one redundant row.

    Six unit rods whose successive hinge axes are perpendicular, closed by the loop joint "hinge5". At q = 0 the rods
    are edges of a cube and the loop is closed.
    """
    linkage = Linkage(name="Bricard loop")
    # edges of a unit cube, each perpendicular to the next; the hinge between two edges is perpendicular to both
    edges = [np.array(e, dtype=float) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))]
    # The first edge is ground; all body frames keep the world's axes at q = 0.
    corner, parent, origin = edges[0], "ground", np.zeros(3)
    for k in range(1, 6):
        axis = np.cross(edges[k - 1], edges[k])
        inertia = Inertia.cylinder(0.05, 1.0, mass=1.0, axis=edges[k], com=0.5 * edges[k])  # pyright: ignore[reportArgumentType]
        linkage.add_body(f"rod{k}", inertia, joint=Revolute(axis), parent=parent, at=Pose(corner - origin))
        parent, origin, corner = f"rod{k}", corner, corner + edges[k]
    axis = np.cross(edges[5], edges[0])
    linkage.connect("ground", "rod5", Revolute(axis), at_b=Pose(edges[5]), name="hinge5")
    return linkage


def random_closed(
    n: int, *, joint: str = "Revolute", loops: int = 1, seed: int = 0, damping: bool = False
) -> tuple[Linkage, np.ndarray]:
    """A random tree of n bodies with loops between random bodies, ground included, closed at a random pose.

    Parameters
    ----------
    n : int
        Number of bodies.
    joint : str
        Name of the loop joints' type, "Fixed" … "Spherical".
    loops : int
        How many.
    seed : int
    damping : bool
        Draw damping and armature too.

    Returns
    -------
    linkage : Linkage
    q : (nq,) array
        A pose in which all loops are closed.
    """
    from linkwork.dynamics.kinematics import body_poses

    rng = np.random.default_rng(seed)
    linkage = random_tree(n, seed=rng, damping=damping, base="free" if rng.random() < 0.3 else "fixed")
    q = linkage.random(rng)
    poses = body_poses(linkage, q)
    for k in range(loops):
        rows = rng.choice(n + 1, size=2, replace=False) - 1
        options = {"damping": float(rng.uniform(0, 0.5))} if damping and joint != "Fixed" else {}
        kind, at_a = random_joint(joint, rng, **options), random_pose(rng, 0.3)
        a, b = (Body(linkage, int(row)) for row in rows)  # -1 is ground
        world = poses[a] @ at_a @ random_motion(kind, rng)
        linkage.connect(a, b, kind, at_a=at_a, at_b=poses[b].inverse() @ world, name=f"loop{k}")
    return linkage, q


def random_motion(joint: JointType, rng: np.random.Generator) -> Pose:
    """Where a joint of this type can bring its child."""
    q = rng.normal(size=joint.nq)
    if joint.nq != joint.nv:
        q[-4:] /= np.linalg.norm(q[-4:])
    moved = joint.motion(q, np.zeros(joint.nv))
    return Pose(moved.position, moved.rotation)
