"""Adding one linkage to another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.body import GROUND
from linkwork.linkage.columns import BODY, DOF
from linkwork.linkage.forces import Force, Spring
from linkwork.linkage.pose import Pose

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


def merge(linkage: Linkage, other: Linkage, *, prefix: str, parent: Any, at: Pose) -> range:
    """Append `other` to `linkage`; see `Linkage.add`."""
    if len(other.contacts):
        raise ArgumentError("only linkages without contacts can be added")
    base, pose = linkage._resolve(parent)
    pose = pose @ at  # other's ground in the body `base`
    first, source = linkage.nb, other.columns
    names = [prefix + name for name in source.body_names]
    joint_names = [prefix + name for name in source.joint_names]
    loops = [(prefix + name, record) for name, record in zip(other._loops.names, other._loops.records, strict=True)]
    frame_names = [prefix + name for name in other.frames.names]
    _check(linkage, [prefix + name for name in other.shapes.names], "shape", (linkage._shapes.index,))
    _check(linkage, names + frame_names, "body or frame", linkage._taken_names)
    _check(linkage, joint_names + [name for name, _ in loops], "joint", linkage._taken_joint_names)

    body = {column: getattr(source, column).copy() for column in BODY}
    roots = body["parent"] < 0
    body["parent"] = np.where(roots, base, body["parent"] + first)
    body["at_position"][roots] = pose.apply(body["at_position"][roots])
    body["at_rotation"][roots] = pose.rotation @ body["at_rotation"][roots]
    dof = {column: getattr(source, column).copy() for column in DOF}
    frames = [(frame.body.index, frame.pose) for frame in other.frames]
    forces = other.forces

    linkage._append(names, joint_names, body, dof)
    for name, (index, place) in zip(frame_names, frames, strict=True):
        owner = linkage._body_at(base if index < 0 else index + first)
        linkage.add_frame(name, owner, pose @ place if index < 0 else place)
    for force in forces:
        linkage.add_force(_moved(force, prefix, linkage._body_at(base).name, pose))
    for name, record in loops:
        ends: dict[str, Any] = {"uid": linkage.columns.new_uid()}
        for side in "ab":
            index, place = getattr(record, side), getattr(record, f"at_{side}")
            ends[side] = base if index < 0 else index + first
            ends[f"at_{side}"] = pose @ place if index < 0 else place
        linkage._loops.add(name, replace(record, **ends))
        linkage._changed(structure=True)
    for visual in list(other.visuals):
        moved = {"body": linkage._body_at(base).name, "pose": pose @ visual.pose}
        linkage.visuals.append(replace(visual, **moved if visual.body == GROUND else {"body": prefix + visual.body}))
    for coupling in list(other.couplings):
        linkage.couplings.append(replace(coupling, joint=prefix + coupling.joint, of=prefix + coupling.of))
    _add_shapes(linkage, other, prefix, base, pose, first)
    linkage.actuators += [
        replace(each, name=prefix + each.name, joint=prefix + each.joint) for each in other.actuators
    ]
    linkage.strengths |= {prefix + joint: strength for joint, strength in other.strengths.items()}
    linkage.ignored += [prefix + what for what in other.ignored]
    return range(first, linkage.nb)


def _add_shapes(linkage: Linkage, other: Linkage, prefix: str, base: int, pose: Pose, first: int) -> None:
    """Add the shapes of another linkage, and what was said of their pairs."""
    uids: dict[int, int] = {}
    for name, record in zip(other._shapes.names, other._shapes.records, strict=True):
        uids[record.uid] = uid = linkage.columns.new_uid()
        place: dict[str, Any] = {"uid": uid, "body": record.body + first}
        if record.body < 0:
            place |= {"body": base, "at": pose @ record.at}
        linkage._shapes.add(prefix + name, replace(record, **place))
    for pair, said in other._meetings.items():
        linkage._meetings[frozenset(uids[uid] for uid in pair)] = said
    linkage._changed()


def _moved(force: Force, prefix: str, base: str, pose: Pose) -> Force:
    """Return the force between the new names; what was tied to ground is tied to `base` instead."""
    if not isinstance(force, Spring):
        return replace(force, joint=prefix + force.joint)
    ends: dict[str, Any] = {}
    for side in ("a", "b"):
        name = getattr(force, side)
        ends[side] = base if name == GROUND else prefix + name
        if name == GROUND:
            ends[f"point_{side}"] = pose.apply(getattr(force, f"point_{side}"))
    return replace(force, **ends)


def _check(linkage: Linkage, names: list[str], kind: str, taken: tuple[Any, ...]) -> None:
    for name in names:
        if any(name in used for used in taken):
            raise ArgumentError(f"{linkage.name!r} already has a {kind} named {name!r}: give another prefix=")
