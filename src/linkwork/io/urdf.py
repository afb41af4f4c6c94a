"""URDF files: links and joints as written become the bodies, joints and frames of a linkage.

Links joined by fixed joints are one rigid body: the link nearest to the root carries the sum of the inertias,
and the others stay as frames of it under their own names. So a fixed root link belongs to ground.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from linkwork.errors import DescriptionError, unknown_name
from linkwork.io.merging import Places, merged_inertias
from linkwork.io.sidecar import Sidecar
from linkwork.io.urdf_collisions import add_collisions
from linkwork.io.urdf_parse import UrdfJoint, UrdfLink, UrdfRobot, parse_urdf
from linkwork.linkage.body import GROUND
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.joint import Fixed, Free, Planar, Prismatic, Revolute
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.named import underscored
from linkwork.linkage.pose import HERE

ROOT_JOINT = "root_joint"
"""The joint that holds the root link to ground; underscores follow where the file uses the name itself."""

_TYPES: dict[str, type[JointType]] = {
    "revolute": Revolute,
    "continuous": Revolute,
    "prismatic": Prismatic,
    "planar": Planar,
    "floating": Free,
    "fixed": Fixed,
}


def read_urdf(
    path: str | os.PathLike[str],
    *,
    base: str = "fixed",
    keep_fixed: bool = False,
    mimic: bool = False,
    collisions: bool = False,
) -> Linkage:
    """Read a URDF file; see `linkwork.load`."""
    sidecar = Sidecar(path)
    robot = _without_ground(parse_urdf(path))
    root, joints = _depth_first(robot)
    fixed_to_ground = base == "fixed" and not keep_fixed
    place = _places(root, joints, on_ground=fixed_to_ground, keep_fixed=keep_fixed)
    inertias = merged_inertias(robot.links, place)

    linkage = Linkage(name=robot.name)
    if not fixed_to_ground:
        joint = Free() if base == "free" else Fixed()
        name = sidecar.names.get(ROOT_JOINT) or underscored(ROOT_JOINT, robot.joints)
        linkage.add_body(root.name, inertias[root.name], joint=joint, joint_name=name)
    for joint in joints:
        if joint.child in inertias:
            body, pose = place[joint.parent]
            where = {"parent": body, "at": pose @ joint.origin, "joint_name": joint.name}
            linkage.add_body(joint.child, inertias[joint.child], joint=_joint_type(joint), **where)
    for link in robot.links.values():
        body, pose = place[link.name]
        if link.name != body:
            linkage.add_frame(link.name, body, pose)
        linkage.visuals += [replace(shape, body=body, pose=pose @ shape.pose) for shape in link.shapes]
    for loop in robot.loops:
        loop.connect(linkage)
    if mimic:
        linkage.couplings += [_coupling(joint, robot) for joint in robot.joints.values() if joint.mimic is not None]
    linkage.ignored += robot.ignored
    sidecar.apply(linkage)
    linkage.ignored += _without_effect(robot, {coupling.joint for coupling in linkage.couplings})
    if collisions:
        add_collisions(linkage)
    return linkage


def _without_ground(robot: UrdfRobot) -> UrdfRobot:
    """Rename a link called ground, which is the world's name here, and say so."""
    if GROUND not in robot.links:
        return robot
    name = underscored(f"{GROUND}_link", robot.links)

    def renamed(link: str) -> str:
        return name if link == GROUND else link

    line = robot.links[GROUND].where.line
    note = f"the name of link {GROUND!r} at line {line}, which is the world's here: now {name!r}"
    links = {renamed(key): replace(link, name=renamed(key)) for key, link in robot.links.items()}
    joints = {
        key: replace(joint, parent=renamed(joint.parent), child=renamed(joint.child))
        for key, joint in robot.joints.items()
    }
    loops = tuple(replace(loop, a=renamed(loop.a), b=renamed(loop.b)) for loop in robot.loops)
    return replace(robot, links=links, joints=joints, loops=loops, ignored=(note, *robot.ignored))


def _depth_first(robot: UrdfRobot) -> tuple[UrdfLink, list[UrdfJoint]]:
    """Return the root link and the joints in depth-first order, or say why the joints do not make a tree."""
    above: dict[str, UrdfJoint] = {}
    below: dict[str, list[UrdfJoint]] = {}
    for joint in robot.joints.values():
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in robot.links:
                raise joint.where.required(role).error(str(unknown_name("link", link, robot.links)))
        if joint.child in above:
            other = above[joint.child]
            message = f"link {joint.child!r} already hangs on joint {other.name!r} (line {other.where.line})"
            raise joint.where.required("child").error(f"{message}; write the second one as <loop_joint>")
        above[joint.child] = joint
        below.setdefault(joint.parent, []).append(joint)

    roots = [link for link in robot.links.values() if link.name not in above]
    if len(roots) > 1:
        names = ", ".join(f"{link.name!r} (line {link.where.line})" for link in roots[:6])
        more = ", ..." if len(roots) > 6 else ""
        raise roots[1].where.error(f"{len(roots)} links have no parent joint where one root is expected: {names}{more}")
    order: list[UrdfJoint] = []
    pending = list(reversed(below.get(roots[0].name, []))) if roots else []
    while pending:
        joint = pending.pop()
        order.append(joint)
        pending.extend(reversed(below.get(joint.child, [])))
    if len(order) < len(robot.joints):
        raise _cycle(above, {joint.name for joint in order})
    return roots[0], order


def _cycle(above: dict[str, UrdfJoint], reached: set[str]) -> DescriptionError:
    """The error for joints that no root reaches: going up from any of them ends in a cycle."""
    joint = next(joint for joint in above.values() if joint.name not in reached)
    path: dict[str, UrdfJoint] = {}
    while joint.name not in path:
        path[joint.name] = joint
        joint = above[joint.parent]
    names = list(path)
    loop = [*names[names.index(joint.name) :], joint.name]
    shown = " -> ".join(repr(name) for name in reversed(loop[:8]))
    return joint.where.error(f"the joints make a cycle: {shown}; URDF describes trees")


def _places(root: UrdfLink, joints: list[UrdfJoint], *, on_ground: bool, keep_fixed: bool) -> Places:
    """Return, for each link, the body that carries it and where the link's frame is in that body's."""
    place = {root.name: (GROUND if on_ground else root.name, HERE)}
    for joint in joints:
        if joint.type == "fixed" and not keep_fixed:
            body, pose = place[joint.parent]
            place[joint.child] = body, pose @ joint.origin
        else:
            place[joint.child] = joint.child, HERE
    return place


def _joint_type(joint: UrdfJoint) -> JointType:
    options: dict[str, Any] = {"limits": joint.limits} if _has_range(joint) else {}
    if joint.type not in ("fixed", "floating"):
        options["normal" if joint.type == "planar" else "axis"] = joint.axis
    return _TYPES[joint.type](**options, **joint.options)


def _has_range(joint: UrdfJoint) -> bool:
    return joint.limits is not None and joint.limits[0] < joint.limits[1]


def _coupling(joint: UrdfJoint, robot: UrdfRobot) -> Coupling:
    """Return the coupling that a ``<mimic>`` describes, or say why it cannot be one."""
    mimic = joint.mimic
    assert mimic is not None
    if mimic.joint not in robot.joints:
        raise mimic.where.error(str(unknown_name("joint", mimic.joint, robot.joints)))
    for end in (joint, robot.joints[mimic.joint]):
        if _TYPES[end.type].nv != 1:
            kinds = "only revolute, continuous and prismatic joints can be coupled"
            raise mimic.where.error(f"joint {end.name!r} is {end.type}; {kinds}")
    seen, leader = {joint.name}, mimic.joint
    while leader not in seen:
        seen.add(leader)
        further = robot.joints.get(leader)
        if further is None or further.mimic is None:
            return Coupling(joint.name, mimic.joint, mimic.multiplier, mimic.offset)
        leader = further.mimic.joint
    raise mimic.where.error(f"the joints mimic each other in a circle through {leader!r}")


def _without_effect(robot: UrdfRobot, coupled: set[str]) -> list[str]:
    """Say, in one line per kind, what was read but has no effect."""
    joints = [joint for joint in robot.joints.values() if joint.type != "fixed"]
    unlimited = [joint for joint in joints if joint.limits is not None and not _has_range(joint)]
    rubbing = [joint for joint in joints if joint.options.get("coulomb", 0.0) > 0.0]
    following = [joint for joint in joints if joint.mimic is not None and joint.name not in coupled]
    notes = {
        "limits without a range, taken as unlimited": unlimited,
        "friction kept as joint.coulomb, not acting until a JointFriction is added": rubbing,
        "mimic: moves independently; load with mimic=True to couple it": following,
    }
    return [
        f"{what}: {', '.join(f'{joint.name!r} (line {joint.where.line})' for joint in found)}"
        for what, found in notes.items()
        if found
    ]
