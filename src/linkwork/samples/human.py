"""Human figures with the proportions, masses and inertias of a published table.

Segments are those of the average man of [deLeva1996], Table 4: 73.0 kg, 1.741 m. A figure of another height or mass has
the same proportions: lengths scale with height, masses with mass. The table has no breadths: the distances between the
shoulders and between the hips, and the neck's share of what the table calls the head, are our own.

Body axes: x forward, y to the left, z up. At q = 0 the figure stands upright on z = 0, arms hanging with the elbows a
little bent; every body's axes are those of the world, but for those below the elbows.

References
----------
[deLeva1996] P. de Leva, "Adjustments to Zatsiorsky–Seluyanov's segment inertia parameters", Journal of Biomechanics
29(9), 1223–1230, 1996. [NakamuraYamane2000] section VI (Fig. 16) and VII (Fig. 19).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import number, positive
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Free, Revolute, Spherical
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import Visual

Color = tuple[float, float, float, float]
Placed = tuple[Inertia, float]  # an inertia and the height it is moved up by
Parts = Sequence[Inertia | Placed]

STATURE, WEIGHT = 1.741, 73.0  # m, kg: the average man of the table


class Segment(NamedTuple):
    """A row of the table: length in m; mass as a share of the whole; the other two as shares of the length.

    The centre of mass is measured from the upper end; radii of gyration are about the sagittal (x), transverse (y) and
    longitudinal axis.
    """

    length: float
    mass: float
    com: float
    radii: tuple[float, float, float]


# [deLeva1996] Table 4, males; where the table offers several pairs of end points, those that meet the next segment
HEAD = Segment(0.2429, 0.0694, 0.5002, (0.303, 0.315, 0.261))  # vertex to the 7th cervical vertebra
CHEST = Segment(0.2421, 0.1596, 0.5066, (0.505, 0.320, 0.465))  # … to the xiphoid process
ABDOMEN = Segment(0.2155, 0.1633, 0.4502, (0.482, 0.383, 0.468))  # … to the navel
PELVIS = Segment(0.1457, 0.1117, 0.6115, (0.615, 0.551, 0.587))  # … to the middle of the hips
UPPER_ARM = Segment(0.2817, 0.0271, 0.5772, (0.285, 0.269, 0.158))
FOREARM = Segment(0.2689, 0.0162, 0.4574, (0.276, 0.265, 0.121))
HAND = Segment(0.0862, 0.0061, 0.7900, (0.628, 0.513, 0.401))  # wrist to the third knuckle
THIGH = Segment(0.4222, 0.1416, 0.4095, (0.329, 0.329, 0.149))
SHANK = Segment(0.4403, 0.0433, 0.4395, (0.251, 0.246, 0.102))  # knee to ankle joint
FOOT = Segment(0.2581, 0.0137, 0.4415, (0.257, 0.245, 0.124))  # heel to the tip of the toe, along x
SHOULDER = 0.5155  # m: middle of the shoulders above the middle of the hips

# Our own
NECK_LENGTH, NECK_MASS, NECK_RADIUS = 0.4, 0.15, 0.055  # shares of the head's length and mass; m
SHOULDERS, HIPS = 0.36, 0.17  # m between the joints
HEEL = 0.06  # m behind the ankle
SLACK = 0.15  # rad: bend of the elbows at q = 0, and the least, so that a hanging arm is never at its singular pose
# Ranges of motion, rad: of flexion, and of rotation vectors about x (to the right), y (leg back, trunk forward) and z
RANGES = {
    "elbow": (0.0, 2.4),
    "knee": (0.0, 2.4),
    "hip": ((-0.6, 0.6), (-2.2, 0.3), (-0.5, 0.5)),
    "waist": ((-0.3, 0.3), (-0.2, 0.6), (-0.3, 0.3)),
    "back": ((-0.3, 0.3), (-0.2, 0.6), (-0.3, 0.3)),
    "neck": ((-0.3, 0.3), (-0.4, 0.4), (-0.4, 0.4)),
    "head": ((-0.3, 0.3), (-0.4, 0.4), (-0.6, 0.6)),
    "wrist": ((-0.4, 0.4), (-1.0, 1.0), (-1.3, 1.3)),
    "ankle": ((-0.3, 0.3), (-0.4, 0.8), (-0.3, 0.3)),
}
SKIN, SHIRT = (0.87, 0.68, 0.55, 1.0), (0.75, 0.2, 0.2, 1.0)
TROUSERS, SHOES = (0.2, 0.3, 0.55, 1.0), (0.2, 0.2, 0.2, 1.0)


def human(dof: int = 16, *, height: float = STATURE, mass: float = WEIGHT, damping: float = 0.0) -> Linkage:
    """A human figure that floats freely, with visuals.

    Parameters
    ----------
    dof : {16, 40}
        Degrees of freedom beside the six of the free base. 16: spherical shoulders and hips, revolute elbows and knees,
        nine bodies, the trunk a single one. 40: 12 spherical and 4 revolute joints, 17 bodies.
    height, mass : float
        In m and kg.
    damping : float
        Viscous, of every joint, N m s/rad.

    Returns
    -------
    Linkage
        16: bodies ``torso``, and with ``left_`` or ``right_`` before them ``upper_arm``, ``forearm``, ``thigh``,
        ``shank``. 40: ``pelvis``, ``abdomen``, ``chest``, ``neck``, ``head`` instead of the torso, and ``hand`` and
        ``foot`` besides. Joints are named ``base``, ``left_shoulder``, ``left_elbow``, ``left_hip``, ``left_knee`` and
        so on; elbows and knees bend for q > 0. All but the shoulders have limits. Frames ``left_grip`` (middle of the
        hand) and ``left_sole`` (below the ankle) mark where hands hold and feet stand.

    Examples
    --------
    >>> import linkwork as lw
    >>> lw.samples.human(dof=40, height=1.6, mass=55.0)
    Linkage('human', 17 bodies, nq=59, nv=46, 4 frames)
    """
    if dof not in (16, 40):
        raise ArgumentError(f"human figures have dof=16 or dof=40, not {dof!r}")
    size, mass = positive(height, "height") / STATURE, positive(mass, "mass")
    figure = _Figure(size, mass, number(damping, "damping", minimum=0.0))
    (_simple if dof == 16 else _detailed)(figure)
    return figure.linkage


def _simple(figure: _Figure) -> None:
    """Fig. 19: a rigid trunk with the head on it, four limbs of two bodies."""
    trunk, head = _spine()
    figure.root("torso", [*trunk, head])
    figure.draw_trunk("torso", "torso", "torso", "torso", "torso")
    for side, y in (("left", 1.0), ("right", -1.0)):
        shoulder = (0.0, y * SHOULDERS / 2, SHOULDER)
        figure.ball(f"{side}_upper_arm", f"{side}_shoulder", "torso", shoulder, [_hanging(UPPER_ARM)])
        hand = (_hanging(HAND), -FOREARM.length)
        figure.hinge(f"{side}_forearm", f"{side}_elbow", f"{side}_upper_arm", UPPER_ARM, [_hanging(FOREARM), hand])
        figure.draw_arm(side, f"{side}_forearm", -FOREARM.length)
        figure.ball(f"{side}_thigh", f"{side}_hip", "torso", (0.0, y * HIPS / 2, 0.0), [_hanging(THIGH)])
        foot = (_foot(), -SHANK.length)
        figure.hinge(f"{side}_shank", f"{side}_knee", f"{side}_thigh", THIGH, [_hanging(SHANK), foot])
        figure.draw_leg(side, f"{side}_shank", -SHANK.length)


def _detailed(figure: _Figure) -> None:
    """Fig. 16: a spine of five bodies, limbs of three."""
    ((pelvis, _), (abdomen, navel), (chest, xiphoid)), _ = _spine()
    neck, head = _neck_and_head()
    figure.root("pelvis", [(pelvis, 0.0)])
    figure.ball("abdomen", "waist", "pelvis", (0.0, 0.0, navel), [abdomen])
    figure.ball("chest", "back", "abdomen", (0.0, 0.0, ABDOMEN.length), [chest])
    figure.ball("neck", "neck", "chest", (0.0, 0.0, CHEST.length), [neck])
    figure.ball("head", "head", "neck", (0.0, 0.0, NECK_LENGTH * HEAD.length), [head])
    figure.draw_trunk("pelvis", "abdomen", "chest", "neck", "head")
    for side, y in (("left", 1.0), ("right", -1.0)):
        shoulder = (0.0, y * SHOULDERS / 2, SHOULDER - xiphoid)
        figure.ball(f"{side}_upper_arm", f"{side}_shoulder", "chest", shoulder, [_hanging(UPPER_ARM)])
        figure.hinge(f"{side}_forearm", f"{side}_elbow", f"{side}_upper_arm", UPPER_ARM, [_hanging(FOREARM)])
        figure.ball(f"{side}_hand", f"{side}_wrist", f"{side}_forearm", (0.0, 0.0, -FOREARM.length), [_hanging(HAND)])
        figure.draw_arm(side, f"{side}_hand", 0.0)
        figure.ball(f"{side}_thigh", f"{side}_hip", "pelvis", (0.0, y * HIPS / 2, 0.0), [_hanging(THIGH)])
        figure.hinge(f"{side}_shank", f"{side}_knee", f"{side}_thigh", THIGH, [_hanging(SHANK)])
        figure.ball(f"{side}_foot", f"{side}_ankle", f"{side}_shank", (0.0, 0.0, -SHANK.length), [_foot()])
        figure.draw_leg(side, f"{side}_foot", 0.0)


# Segments as inertias of a figure of unit mass and the table's stature, each in a frame of its own


def _inertia(segment: Segment, com: tuple[float, float, float]) -> Inertia:
    return Inertia(segment.mass, com, [segment.mass * (r * segment.length) ** 2 for r in segment.radii])


def _hanging(segment: Segment) -> Inertia:
    """A segment that hangs down from its joint."""
    return _inertia(segment, (0.0, 0.0, -segment.com * segment.length))


def _standing(segment: Segment) -> Inertia:
    """A segment that stands on its joint."""
    return _inertia(segment, (0.0, 0.0, (1.0 - segment.com) * segment.length))


def _foot() -> Inertia:
    """The foot seen from the ankle: it points forward, so its longitudinal axis is x."""
    across, up, along = FOOT.radii
    lying = FOOT._replace(radii=(along, up, across))
    return _inertia(lying, (FOOT.com * FOOT.length - HEEL, 0.0, -0.5 * _ankle()))


def _spine() -> tuple[list[Placed], Placed]:
    """Inertias of pelvis, abdomen and chest, and of head and neck, each with its height above the hips."""
    heights = np.cumsum([0.0, PELVIS.length, ABDOMEN.length, CHEST.length]).tolist()
    trunk = [(_standing(each), z) for each, z in zip((PELVIS, ABDOMEN, CHEST), heights[:3], strict=True)]
    return trunk, (_standing(HEAD), heights[3])


def _neck_and_head() -> tuple[Inertia, Inertia]:
    """The table's head divided: the neck a cylinder, the head what remains."""
    both, length = _standing(HEAD), NECK_LENGTH * HEAD.length
    share = NECK_MASS * both.mass
    neck = Inertia.cylinder(NECK_RADIUS, length, mass=share, com=(0.0, 0.0, length / 2))
    mass = both.mass - share
    com = (both.mass * both.com - share * neck.com) / mass
    apart = Inertia.point(mass, com) + neck
    return neck, Inertia(mass, com - (0.0, 0.0, length), both.matrix - apart.matrix)


def _ankle() -> float:
    """Height of the ankle: what the other lengths leave of the stature."""
    return STATURE - sum(each.length for each in (HEAD, CHEST, ABDOMEN, PELVIS, THIGH, SHANK))


class _Figure:
    """A linkage that grows by segments, scaled to a figure's size and mass."""

    def __init__(self, size: float, mass: float, damping: float):
        self.linkage = Linkage(name="human")
        self.size, self.mass, self.damping = size, mass, damping

    def _scaled(self, parts: Parts) -> Inertia:
        """The sum of inertias, each alone or with the height it is moved up by."""
        placed = [part if isinstance(part, tuple) else (part, 0.0) for part in parts]
        moved = [part.transformed(Pose((0.0, 0.0, z))) for part, z in placed]
        total = sum(moved[1:], moved[0])
        return Inertia(self.mass * total.mass, self.size * total.com, self.mass * self.size**2 * total.matrix)

    def _at(self, point: ArrayLike) -> Pose:
        return Pose(self.size * np.asarray(point))

    def root(self, name: str, parts: Parts) -> None:
        legs = THIGH.length + SHANK.length + _ankle()
        self.linkage.add_body(name, self._scaled(parts), joint=Free(), at=self._at((0.0, 0.0, legs)), joint_name="base")

    def ball(self, name: str, joint: str, parent: str, point: ArrayLike, parts: Parts) -> None:
        """A body on a spherical joint."""
        ball = Spherical(damping=self.damping, limits=RANGES.get(joint.rpartition("_")[2]))
        at = self._at(point)
        self.linkage.add_body(name, self._scaled(parts), joint=ball, parent=parent, at=at, joint_name=joint)

    def hinge(self, name: str, joint: str, parent: str, upper: Segment, parts: Parts) -> None:
        """A body on a hinge at the lower end of another; it bends forwards in arms, backwards in legs."""
        kind = joint.rpartition("_")[2]
        axis = "-y" if kind == "elbow" else "y"
        hinge = Revolute(axis, limits=RANGES[kind], damping=self.damping)
        at = self._at((0.0, 0.0, -upper.length)) @ Pose.axis_angle(axis, SLACK if kind == "elbow" else 0.0)
        self.linkage.add_body(name, self._scaled(parts), joint=hinge, parent=parent, at=at, joint_name=joint)

    # Looks

    def _capsule(self, body: str, a: ArrayLike, b: ArrayLike, radius: float, color: Color) -> None:
        """A capsule between two points of a body; radius at the table's stature."""
        a, b = self.size * np.asarray(a), self.size * np.asarray(b)
        length = float(np.linalg.norm(b - a))
        size = (self.size * radius, length)
        self.linkage.visuals.append(Visual(body, Pose.look((a + b) / 2, b), "capsule", size, color=color))

    def _limb(self, body: str, length: float, radius: float, color: Color, *, start: float = 0.0) -> None:
        """A capsule down from the height `start` of a body."""
        self._capsule(body, (0.0, 0.0, start), (0.0, 0.0, start - length), radius, color)

    def draw_trunk(self, pelvis: str, abdomen: str, chest: str, neck: str, head: str) -> None:
        """The spine from the hips up; the names are the bodies that its parts belong to."""
        starts = np.cumsum([0.0, PELVIS.length, ABDOMEN.length, CHEST.length, NECK_LENGTH * HEAD.length]).tolist()
        bodies = (pelvis, abdomen, chest, neck, head)
        origin = dict.fromkeys(bodies, 0.0) if pelvis == head else dict(zip(bodies, starts, strict=True))

        def between(body: str, a: ArrayLike, b: ArrayLike, radius: float, color: Color) -> None:
            down = np.array([0.0, 0.0, origin[body]])
            self._capsule(body, np.array(a) - down, np.array(b) - down, radius, color)

        between(pelvis, (0.0, -HIPS / 2, 0.02), (0.0, HIPS / 2, 0.02), 0.085, TROUSERS)
        between(abdomen, (0.0, 0.0, starts[1]), (0.0, 0.0, starts[2]), 0.12, SHIRT)
        between(chest, (0.0, -0.08, SHOULDER - 0.13), (0.0, 0.08, SHOULDER - 0.13), 0.12, SHIRT)
        between(chest, (0.0, -SHOULDERS / 2, SHOULDER), (0.0, SHOULDERS / 2, SHOULDER), 0.05, SHIRT)
        between(neck, (0.0, 0.0, starts[3] - 0.03), (0.0, 0.0, starts[4]), NECK_RADIUS, SKIN)
        skull = Pose((0.0, 0.0, self.size * (starts[3] + HEAD.length - 0.11 - origin[head])))
        self.linkage.visuals.append(Visual(head, skull, "sphere", (self.size * 0.11,), color=SKIN))

    def draw_arm(self, side: str, hand: str, wrist: float) -> None:
        self._limb(f"{side}_upper_arm", UPPER_ARM.length, 0.045, SHIRT)
        self._limb(f"{side}_forearm", FOREARM.length, 0.036, SKIN)
        self._limb(hand, HAND.length, 0.035, SKIN, start=wrist)
        self.linkage.add_frame(f"{side}_grip", hand, self._at((0.0, 0.0, wrist - HAND.com * HAND.length)))

    def draw_leg(self, side: str, foot: str, ankle: float) -> None:
        self._limb(f"{side}_thigh", THIGH.length, 0.07, TROUSERS)
        self._limb(f"{side}_shank", SHANK.length, 0.05, TROUSERS)
        z, radius = ankle - _ankle() + 0.03, 0.03
        self._capsule(foot, (radius - HEEL, 0.0, z), (FOOT.length - HEEL - radius, 0.0, z), radius, SHOES)
        self.linkage.add_frame(f"{side}_sole", foot, self._at((0.0, 0.0, ankle - _ankle())))
