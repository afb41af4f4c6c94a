"""SDF files: the links and joints of all models become the bodies, joints, loop joints and frames of a linkage.

SDFormat describes a graph: a link may have several parents, and none need be the root. A spanning tree of least depth
(see `spanning`) carries the bodies, the other joints close loops; a joint that the tree walks from child to parent is
turned round and keeps the sign of its coordinate. At q = 0 the model stands as the file describes it, so that every
loop is closed there.

A body's frame is its link's, where the joint allows it: the origin must be a point that the joint does not move.
Elsewhere the body is named after the joint, its frame is at the joint with the link's axes, and the link's name is that
of a frame in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import unknown_name
from linkwork.io.merging import Places, merged_inertias
from linkwork.io.safe_xml import place as in_file
from linkwork.io.sdf_parse import SdfGearbox, SdfJoint, SdfLink, SdfRobot, parse_sdf
from linkwork.io.sidecar import Sidecar
from linkwork.io.spanning import ROOT, Branch, Edge, roots, spanning_tree
from linkwork.io.urdf_collisions import add_collisions
from linkwork.linkage.body import GROUND
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.forces import JointSpring
from linkwork.linkage.joint import Fixed, Free, Prismatic, Revolute, Universal
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.named import underscored
from linkwork.linkage.pose import HERE, Pose

ROOT_JOINT = "root_joint"
SAME_POINT = 1e-12  # m: a joint this near to a link's origin passes through it
PARALLEL = 1e-6  # sine of the angle below which two axes count as parallel


class _Body(NamedTuple):
    """A body on its tree joint: its frame in the world at q = 0, and what holds it."""

    name: str
    frame: Pose
    parent: str
    joint_name: str
    joint: JointType


def read_sdf(
    path: str | os.PathLike[str],
    *,
    base: str = "fixed",
    keep_fixed: bool = False,
    mimic: bool = True,
    collisions: bool = False,
) -> Linkage:
    """Read an SDF file; see `linkwork.load`."""
    sidecar = Sidecar(path)
    robot = _without_ground(parse_sdf(path))
    robot = replace(robot, joints=_joints(robot, sidecar))
    edges = list(_edges(robot))
    loose = roots(robot.links, edges, robot.canonical)
    branches, closing = spanning_tree([*edges, *_base(robot, loose, base, sidecar.names)])
    bodies, place = _bodies(robot, branches, base=base, keep_fixed=keep_fixed)
    inertias = merged_inertias(robot.links, place)
    frame_of = {body.name: body.frame for body in bodies} | {GROUND: HERE}

    linkage = Linkage(name=robot.name, gravity=(0, 0, -9.81) if robot.gravity is None else robot.gravity)
    for body in bodies:
        at = frame_of[body.parent].inverse() @ body.frame if body.parent != GROUND else body.frame
        where: dict[str, Any] = {"parent": body.parent, "at": at, "joint_name": body.joint_name}
        linkage.add_body(body.name, inertias[body.name], joint=body.joint, **where)
    for name in sorted(robot.links):
        body, pose = place[name]
        if name != body:
            linkage.add_frame(name, body, pose)
        linkage.visuals += [replace(shape, body=body, pose=pose @ shape.pose) for shape in robot.links[name].shapes]
    for name, (link, pose) in sorted(robot.frames.items()):
        body = place[link][0]
        linkage.add_frame(name, body, frame_of[body].inverse() @ pose)
    linkage.ignored += [*robot.ignored, *_floating(robot, loose, base)]
    for edge in closing:
        if edge.name in robot.joints:
            _close(linkage, robot.joints[edge.name], place, frame_of, robot)
    for name in sorted(robot.joints):
        _couple(linkage, robot.joints[name], robot, mimic=mimic)
    sidecar.apply(linkage)
    linkage.ignored += _without_effect(linkage, robot, mimic=mimic)
    if collisions:
        add_collisions(linkage)
    return linkage


def _without_ground(robot: SdfRobot) -> SdfRobot:
    """Refuse a link called ground, which is the world's name here."""
    for name in (*robot.links, *robot.frames):
        if name == GROUND:
            where = robot.links[name].where if name in robot.links else robot.where
            raise where.error(f"the name {GROUND!r} is the world's here; rename the link or frame")
    return robot


def _joints(robot: SdfRobot, sidecar: Sidecar) -> dict[str, SdfJoint]:
    """The joints of the file, without the loop joints of its companion, under the names that this gives them."""
    loops, names = sidecar.loops, sidecar.names
    if not loops and not names:
        return robot.joints
    joints = {}
    for name, joint in robot.joints.items():
        mimic = joint.mimic
        if mimic is not None:
            mimic = replace(mimic, joint=names.get(mimic.joint, mimic.joint))
        if names.get(name, name) not in loops:
            joints[names.get(name, name)] = replace(joint, name=names.get(name, name), mimic=mimic)
    return joints


# The graph


def _edges(robot: SdfRobot) -> Iterator[Edge]:
    """The joints as edges; the links of static models are fixed to the world, whatever joins them."""
    for name, link in robot.links.items():
        if link.static:
            yield Edge(f"static {name}", ROOT, name, 0)
    geared = {(gear.reference, link) for gear, *links in _gears(robot) for link in links}
    leaders = {joint.mimic.joint for joint in robot.joints.values() if joint.mimic is not None}
    for joint in robot.joints.values():
        ends = joint.parent, joint.child
        if joint.gearbox is None and not all(end == ROOT or robot.links[end].static for end in ends):
            kept = any(stiffness for stiffness, _ in joint.springs) or joint.mimic is not None
            kept = kept or joint.name in leaders or ends in geared
            yield Edge(joint.name, *ends, joint.type.nv, kept)


def _gears(robot: SdfRobot) -> Iterator[tuple[SdfGearbox, str, str]]:
    for joint in robot.joints.values():
        if joint.gearbox is not None:
            yield joint.gearbox, joint.parent, joint.child


def _base(robot: SdfRobot, loose: list[str], base: str, names: dict[str, str]) -> Iterator[Edge]:
    """The joints that hold to ground what the file leaves loose."""
    for link in loose:
        name = ROOT_JOINT if len(loose) == 1 else f"{ROOT_JOINT}_{link}"
        yield Edge(names.get(name) or underscored(name, robot.joints), ROOT, link, 6 if base == "free" else 0)


def _bodies(robot: SdfRobot, branches: list[Branch], *, base: str, keep_fixed: bool) -> tuple[list[_Body], Places]:
    """Return the bodies, parents first, and where each link is in them."""
    place: Places = {ROOT: (GROUND, HERE)}
    frame_of = {GROUND: HERE}
    bodies: list[_Body] = []
    for branch in branches:
        link, (parent, _) = robot.links[branch.child], place[branch.parent]
        joint = robot.joints.get(branch.edge.name)
        if branch.edge.nv == 0 and not keep_fixed:
            place[link.name] = parent, frame_of[parent].inverse() @ link.pose
            continue
        if joint is None:
            kind: JointType = Free() if branch.edge.nv else Fixed()
            frame = link.pose
        else:
            frame = _frame(joint, link)
            kind = _turned(joint.type, frame.rotation.T @ joint.pose.rotation, reverse=branch.reverse)
        name = link.name
        if frame is not link.pose:
            name = underscored(branch.edge.name, robot.links, robot.frames, frame_of)
        bodies.append(_Body(name, frame, parent, branch.edge.name, kind))
        frame_of[name] = frame
        place[link.name] = name, HERE if frame is link.pose else frame.inverse() @ link.pose
    return bodies, place


def _frame(joint: SdfJoint, link: SdfLink) -> Pose:
    """The frame of a body: its link's, or one at the joint with the link's axes."""
    offset = link.pose.position - joint.pose.position
    axes = joint.type.axes()
    if len(axes) == 1:  # a point on the axis will do
        axis = joint.pose.rotation @ np.array(axes[0])
        offset = offset - axis * (axis @ offset)
    if isinstance(joint.type, Prismatic | Fixed) or np.linalg.norm(offset) <= SAME_POINT:
        return link.pose
    return Pose(joint.pose.position, link.pose.rotation)


def _turned(kind: JointType, rotation: np.ndarray, *, reverse: bool) -> JointType:
    """A joint type seen from turned axes; where it is reversed, its child carries its parent."""
    names = kind.axis_names()
    axes = [rotation @ np.array(axis) for axis in kind.axes()]
    if reverse:
        axes = [-axis for axis in reversed(axes)]
        if isinstance(kind, Universal):
            pairs = {key: value[::-1] for key, value in kind.options().items() if isinstance(value, tuple)}
            kind = replace(kind, **pairs)
    return replace(kind, **dict(zip(names, axes, strict=True)))


# Loops and couplings


def _close(linkage: Linkage, joint: SdfJoint, place: Places, frame_of: dict[str, Pose], robot: SdfRobot) -> None:
    (a, _), (b, _) = place[joint.parent], place[joint.child]
    if a == b:
        linkage.ignored.append(f"joint {joint.name!r} at {_at(joint, robot)}: both ends are on the body {a!r}")
        return
    at_a, at_b = (frame_of[body].inverse() @ joint.pose for body in (a, b))
    linkage.connect(a, b, joint.type, at_a=at_a, at_b=at_b, name=joint.name)


def _couple(linkage: Linkage, joint: SdfJoint, robot: SdfRobot, *, mimic: bool) -> None:
    """Add the coupling that a gearbox or a mimic describes."""
    if joint.gearbox is not None:
        gear = joint.gearbox
        first = _angle(linkage, robot, gear.reference, joint.parent, gear.axes[0])
        second = _angle(linkage, robot, gear.reference, joint.child, gear.axes[1])
        if first is None or second is None:
            linkage.ignored.append(
                f"gearbox {joint.name!r} at {_at(joint, robot)}: no revolute tree joint about its axis joins "
                "gearbox_reference_body to its parent, or to its child"
            )
            return
        (leader, sign_1), (follower, sign_2) = first, second  # θ₁ = sign₁ q(leader), θ₂ = sign₂ q(follower) = −ratio θ₁
        linkage.couplings.append(Coupling(follower, leader, -gear.ratio * sign_1 * sign_2))
    elif joint.mimic is not None and mimic:
        given = joint.mimic
        if given.joint not in robot.joints:
            raise given.where.error(str(unknown_name("joint", given.joint, robot.joints)))
        for end in (joint.name, given.joint):
            if end not in linkage.joints or linkage.joints[end].nv != 1:
                raise given.where.error(
                    f"joint {end!r} is no tree joint of one degree of freedom: it cannot be coupled"
                )
        if given.joint == joint.name:
            raise given.where.error(f"joint {joint.name!r} mimics itself")
        offset = given.offset - given.multiplier * given.reference
        linkage.couplings.append(Coupling(joint.name, given.joint, given.multiplier, offset))


def _angle(linkage: Linkage, robot: SdfRobot, reference: str, link: str, axis: np.ndarray) -> tuple[str, float] | None:
    """The tree joint whose angle turns a link about an axis, seen from the reference link, and the angle's sign."""
    for name in sorted(robot.joints):
        joint = robot.joints[name]
        if {joint.parent, joint.child} == {reference, link} and isinstance(joint.type, Revolute):
            own = joint.pose.rotation @ np.array(joint.type.axes()[0])
            cosine = float(own @ axis / np.linalg.norm(axis))
            if name in linkage.joints and 1.0 - abs(cosine) < PARALLEL**2:
                return name, float(np.sign(cosine)) * (1.0 if joint.parent == reference else -1.0)
    return None


# What has no effect


def _at(joint: SdfJoint, robot: SdfRobot) -> str:
    return in_file(joint.where.file, joint.where.line, robot.where.file)


def _floating(robot: SdfRobot, loose: list[str], base: str) -> list[str]:
    if base == "free" or not loose:
        return []
    lines = [in_file(robot.links[name].where.file, robot.links[name].where.line, robot.where.file) for name in loose]
    shown = ", ".join(f"{name!r} ({line})" for name, line in zip(loose, lines, strict=True))
    return [f"no joint holds to the world: {shown}; fixed to it here, load with base='free' to let it float"]


def _without_effect(linkage: Linkage, robot: SdfRobot, *, mimic: bool) -> list[str]:
    """Add the springs of joints; say, in one line per kind, what was read but has no effect."""
    rubbing, following, slack = [], [], []
    for name in sorted(robot.joints):
        joint = robot.joints[name]
        if np.any(np.array(joint.type.coulomb) > 0.0):
            rubbing.append(joint)
        if joint.mimic is not None and not mimic:
            following.append(joint)
        if any(stiffness for stiffness, _ in joint.springs):
            if name in linkage.joints:
                stiffness, rest = (tuple(part) for part in zip(*joint.springs, strict=True))
                linkage.add_force(JointSpring(name, _one(stiffness), _one(rest)))
            else:
                slack.append(joint)
    notes = {
        "friction kept as joint.coulomb, not acting until a JointFriction is added": rubbing,
        "mimic: moves independently; load with mimic=True to couple it": following,
        "springs of joints that close loops or do not move": slack,
    }
    return [
        f"{what}: {', '.join(f'{joint.name!r} ({_at(joint, robot)})' for joint in found)}"
        for what, found in notes.items()
        if found
    ]


def _one(values: tuple[float, ...]) -> float | tuple[float, ...]:
    return values[0] if len(values) == 1 else values
