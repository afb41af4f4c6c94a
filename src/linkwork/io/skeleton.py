"""A linkage from the skeleton of a motion file: which has lengths, but neither masses nor shapes.

Every bone, from a joint to each that hangs on it or to its end site, is a solid capsule. Where the joints have the
names of a human's, the segments have the shares of the whole mass that [deLeva1996] gives (average of men, Table 4),
split among the joints of a segment by the lengths of their bones; otherwise all bones have one density.

References
----------
[deLeva1996] P. de Leva, "Adjustments to Zatsiorsky–Seluyanov's segment inertia parameters", Journal of Biomechanics
29(9), 1223–1230, 1996.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from linkwork.io.bvh import BvhJoint
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Fixed, Free, Revolute, Spherical, Universal
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import Visual

SLENDER = 0.12  # radius of a bone, as a share of its length
SHORTEST = 0.1  # shortest bone, as a share of the mean one: joints that coincide need some inertia too
SEGMENTS = {  # share of the whole mass, left and right together; the first that fits a name counts
    r"hips|pelvis|root|spine|chest|torso|abdomen|back": 0.4346,
    r"head|neck|skull": 0.0694,
    r"hand|wrist|finger|thumb|index|middle|ring|pinky": 2 * 0.0061,
    r"forearm|lowerarm|elbow|radius": 2 * 0.0162,
    r"arm|shoulder|collar|humerus|clavicle": 2 * 0.0271,
    r"foot|ankle|toe": 2 * 0.0137,
    r"upleg|upperleg|thigh|hip|femur": 2 * 0.1416,
    r"leg|knee|shin|calf|tibia": 2 * 0.0433,
}
AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def rotations(joint: BvhJoint) -> list[str]:
    """The letters of the axes that a joint turns about, in order."""
    return [channel[0] for channel in joint.channels if channel.endswith("rotation")]


def positions(joint: BvhJoint) -> list[int]:
    """The axes, 0 to 2, along which a joint is placed by channels."""
    return ["XYZ".index(channel[0]) for channel in joint.channels if channel.endswith("position")]


def joint_type(joint: BvhJoint) -> JointType:
    """The root floats; others turn about as many axes as they have channels for."""
    letters = rotations(joint)
    if joint.parent < 0:
        return Free()
    if len(letters) == 1:
        return Revolute(AXES[letters[0]])
    if len(letters) == 2:
        return Universal(*(AXES[letter] for letter in letters))
    return Spherical() if letters else Fixed()


def build(
    joints: list[BvhJoint], offsets: np.ndarray, name: str, *, scale: float, up: Pose, mass: float,
    inertias: Mapping[str, Inertia],
) -> Linkage:  # fmt: skip
    """Return the linkage; `offsets` (joints, 3) place them, in the file's unit, and `up` turns its axes to ours."""
    linkage = Linkage(name=name)
    bones: list[list[np.ndarray]] = [[scale * end for end in joint.ends] for joint in joints]
    for joint, offset in zip(joints, offsets, strict=True):
        if joint.parent >= 0:
            bones[joint.parent].append(scale * offset)
    masses = _masses(joints, bones, mass)
    for joint, offset, own, share in zip(joints, offsets, bones, masses, strict=True):
        root = joint.parent < 0
        linkage.add_body(
            joint.name,
            inertias.get(joint.name) or _inertia(own, share),
            joint=joint_type(joint),
            parent="ground" if root else joints[joint.parent].name,
            at=up if root else Pose(scale * offset),
        )
        for number, end in enumerate(joint.ends):
            linkage.add_frame(f"{joint.name}_end" + (f"{number}" if number else ""), joint.name, Pose(scale * end))
        for bone in own:
            length = float(np.linalg.norm(bone))
            if length > 0.0:
                linkage.visuals.append(Visual(joint.name, _along(bone), "capsule", (SLENDER * length, length)))
    return linkage


def _masses(joints: list[BvhJoint], bones: list[list[np.ndarray]], mass: float) -> np.ndarray:
    """The mass of every joint's bones, kg."""
    lengths = np.array([sum(float(np.linalg.norm(bone)) for bone in own) for own in bones])
    lengths = np.maximum(lengths, SHORTEST * (lengths.mean() or 1.0))
    found = [
        next((k for k, pattern in enumerate(SEGMENTS) if re.search(pattern, joint.name.lower())), -1)
        for joint in joints
    ]
    if set(found) != set(range(len(SEGMENTS))):
        return mass * lengths**3 / np.sum(lengths**3)
    shares = np.array(list(SEGMENTS.values()))
    whole = np.bincount(found, weights=lengths, minlength=len(shares))
    return mass * shares[found] / shares.sum() * lengths / whole[found]


def _inertia(bones: list[np.ndarray], mass: float) -> Inertia:
    """Capsules along the bones that share a mass by their lengths; a ball where there are none."""
    lengths = np.array([float(np.linalg.norm(bone)) for bone in bones])
    if not lengths.sum() > 0.0:
        return Inertia.sphere(0.03, mass=mass)
    whole = Inertia(0.0)
    for bone, length in zip(bones, lengths, strict=True):
        if length > 0.0:
            part = mass * float(length / lengths.sum())
            whole = whole + Inertia.capsule(SLENDER * length, length, mass=part, axis=bone, com=bone / 2)
    return whole


def _along(bone: np.ndarray) -> Pose:
    return Pose.look(bone / 2, bone, up=(0.0, 1.0, 0.0))
