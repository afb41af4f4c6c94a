"""Open linkages of any size, and random ones with every joint type."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import check_kind
from linkwork.linkage.columns import body_values, dof_values
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import TYPES, Revolute
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose

JOINTS: dict[str, Any] = {kind.__name__: kind for kind in TYPES}
DRAWN = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical")


def chain(n: int, *, joint: JointType | None = None, length: float = 1.0, mass: float = 1.0) -> Linkage:
    """A serial chain of n equal rods hanging down from the origin.

    Parameters
    ----------
    n : int
        Number of rods.
    joint : JointType, optional
        Between them; default ``Revolute("y")``.
    length, mass : float
        Of each rod, m and kg. A rod is a cylinder of radius length/20.

    Returns
    -------
    Linkage
        Bodies ``link0`` … ``link{n-1}``.
    """
    return _rods(np.arange(-1, count(n, "n") - 1), "chain", joint or Revolute("y"), length, mass)


def tree(
    n: int, *, branching: int = 2, joint: JointType | None = None, length: float = 1.0, mass: float = 1.0
) -> Linkage:
    """A regular tree of n equal rods: every rod carries `branching` others, the last ones fewer."""
    count(branching, "branching")
    parents = (np.arange(count(n, "n")) - 1) // branching
    parents[0] = -1
    return _rods(parents, "tree", joint or Revolute("y"), length, mass)


def star(n: int, *, joint: JointType | None = None, length: float = 1.0, mass: float = 1.0) -> Linkage:
    """One rod that carries n − 1 others at its end."""
    parents = np.zeros(count(n, "n"), dtype=np.int64)
    parents[0] = -1
    return _rods(parents, "star", joint or Revolute("y"), length, mass)


def random_tree(
    n: int,
    *,
    seed: int | np.random.Generator = 0,
    joints: tuple[str, ...] | None = None,
    base: str = "fixed",
    branching: float = 0.5,
    damping: bool = False,
) -> Linkage:
    """A random linkage: bodies, placements, axes and structure are all drawn.

    Parameters
    ----------
    n : int
        Number of bodies.
    seed : int or numpy Generator
    joints : tuple of str, optional
        Names of joint types to draw from; default Fixed, Revolute, Prismatic, Helical, Cylindrical, Universal, Planar
        and Spherical.
    base : {"fixed", "free"}
        "free" gives the first body a Free joint.
    branching : float
        Chance that a body hangs on any earlier body instead of on the one before it; 0 gives a serial chain.
    damping : bool
        Draw damping and armature too.
    """
    rng = np.random.default_rng(seed)
    linkage = Linkage(name="random tree")
    kinds = joints or DRAWN
    for i in range(count(n, "n")):
        kind = "Free" if i == 0 and base == "free" else kinds[rng.integers(len(kinds))]
        parent = "ground"
        if i:
            parent = f"body{i - 1 if rng.random() >= branching else rng.integers(i)}"
        inertia, options = _random_inertia(rng), {}
        if damping and kind not in ("Fixed", "Free"):
            options = {"damping": float(rng.uniform(0, 0.5)), "armature": float(rng.uniform(0, 0.1))}
        joint = random_joint(kind, rng, **options)
        linkage.add_body(f"body{i}", inertia, joint=joint, parent=parent, at=random_pose(rng, 0.3))
    return linkage


def random_joint(kind: str, rng: np.random.Generator, **options: float) -> JointType:
    """A joint of the named type with random axes."""
    joint = JOINTS[kind]
    drawn = [float(rng.normal(scale=0.1)) if name == "pitch" else rng.normal(size=3) for name in joint.arguments()]
    return joint(*drawn, **options)


def _random_inertia(rng: np.random.Generator) -> Inertia:
    """A box of random size, turned and placed at random: always a physical body."""
    box = Inertia.box(rng.uniform(0.1, 0.5, size=3), mass=float(rng.uniform(0.5, 2.0)))
    return box.transformed(random_pose(rng, 0.2))


def random_pose(rng: np.random.Generator, scale: float) -> Pose:
    """Any rotation, at a normally distributed position."""
    position, quaternion = rng.normal(scale=scale, size=3), rng.normal(size=4)
    return Pose(position, quaternion / np.linalg.norm(quaternion))


def _rods(parents: np.ndarray, name: str, joint: JointType, length: float, mass: float) -> Linkage:
    """Equal rods along −z, each hung at the end of its parent."""
    check_kind(joint, JointType, "joint", "a joint type, such as Revolute('y')")
    n = len(parents)
    linkage = Linkage(name=f"{name} of {n}")
    radius = length / 20
    across = mass * (length**2 / 12 + radius**2 / 4)
    position = np.zeros((n, 3))
    position[parents >= 0, 2] = -length
    linkage.add_bodies(
        [f"link{i}" for i in range(n)],
        mass=mass,
        com=(0.0, 0.0, -length / 2),
        inertia=(across, 0.0, 0.0, across, 0.0, mass * radius**2 / 2),
        parent=parents,
        at_position=position,
        **body_values(joint),
    )
    for column, value in dof_values(joint).items():  # one entry per degree of freedom, alike in every joint
        linkage.columns.set(column, slice(None), np.tile(np.broadcast_to(value, joint.nv), n))
    return linkage


def count(n: int, what: str) -> int:
    """Return a number of things, checked to be at least one."""
    if n < 1:
        raise ArgumentError(f"{what} must be at least 1, not {n}")
    return int(n)
