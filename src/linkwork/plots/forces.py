"""The forces in one state of a recording, as arrows: where they act and how large they are, world axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.plots.looks import MANY
from linkwork.simulation.contact_tracks import forces_at
from linkwork.simulation.segment import Segment

KINDS = {  # name: (label, colour, whether it is shown at the start)
    "contacts": ("contact forces", (214, 69, 69), True),
    "friction": ("friction", (224, 142, 56), True),
    "applied": ("applied forces", (150, 70, 190), True),
    "joints": ("joint forces", (60, 110, 190), False),
    "loops": ("loop forces", (20, 150, 140), False),
    "gravity": ("gravity", (110, 120, 130), False),
    "points": ("contact points", (31, 41, 51), False),  # no arrows: where they would begin
}
FIFTH = 0.2  # of the size of the picture: the arrow of a force as large as the weight
INSTANT = 1e-3  # of a step
LONGEST = 0.5  # of the size of the picture


class Force(NamedTuple):
    """Forces (n, 3), N, at points (n, 3), m."""

    points: np.ndarray
    forces: np.ndarray


NONE = Force(np.empty((0, 3)), np.empty((0, 3)))


def reference_force(linkage: Linkage) -> float:
    """The force whose arrow is a fifth of the picture: the weight; 1 N where nothing weighs."""
    return float(linkage.columns.mass.sum() * np.linalg.norm(linkage.gravity)) or 1.0


def arrow_ends(force: Force, reference: float, size: float) -> np.ndarray:
    """(n, 2, 3) both ends of each arrow, in a picture of this size, m."""
    lengths = np.linalg.norm(force.forces, axis=1, keepdims=True)
    shown = np.minimum(FIFTH * lengths / reference, LONGEST) * size
    return np.stack([force.points, force.points + force.forces / np.maximum(lengths, 1e-300) * shown], axis=1)


def gravity_forces(linkage: Linkage, positions: np.ndarray, rotations: np.ndarray) -> Force:
    """The weight of every body, at its centre of mass."""
    columns = linkage.columns
    at = positions + np.einsum("nij,nj->ni", rotations, columns.com)
    return Force(at, columns.mass[:, None] * np.asarray(linkage.gravity, dtype=float))


def forces_of(segment: Segment, row: int, kinds: tuple[str, ...] = tuple(KINDS)) -> dict[str, Force]:
    """All forces of these kinds in one state; a kind that is not known there is left out."""
    one, linkage = segment.of(segment.rows[row : row + 1]), segment.linkage
    poses = body_poses(linkage, one.q[0].copy())
    found: dict[str, Force] = {}
    touching = NONE
    readers = {"joints": _joints, "loops": _loops, "contacts": _normal, "friction": _friction, "applied": _applied,
               "points": _points}  # fmt: skip
    for kind in kinds:
        try:
            if kind == "gravity":
                found[kind] = gravity_forces(linkage, poses.positions, poses.rotations)
            else:
                found[kind] = readers[kind](one, linkage, poses)
        except LinkworkError:  # not recorded, or undefined there
            continue
    if segment.step and len(linkage.shapes) and {"contacts", "friction", "points"} & set(kinds):
        while row + 1 < len(segment) and segment.t[row + 1] - segment.t[row] < INSTANT * segment.step:
            row += 1  # an event: what acts in no time is an impulse, not a force
        touching = found["contacts"] = Force(*forces_at(segment, row))
        found["friction"] = NONE
    if "points" in found:
        found["points"] = Force(*(np.concatenate(both) for both in zip(found["points"], touching, strict=True)))
    return found


def kinds_of(segments: list[Segment]) -> list[str]:
    """The kinds of forces that there may be in a recording that is not adaptive."""
    linkages = [segment.linkage for segment in segments]
    touching = any(len(each.contacts) or (len(each.shapes) and segment.step)
                   for each, segment in zip(linkages, segments, strict=True))  # fmt: skip
    few = linkages[0].nb < MANY
    there = {
        "contacts": touching, "points": touching, "friction": any(len(each.contacts) for each in linkages),
        "applied": any(segment.loaded for segment in segments), "gravity": few,
        "joints": few and not np.isnan(segments[0].a).any(), "loops": any(len(each.loops) for each in linkages),
    }  # fmt: skip
    return [kind for kind in KINDS if there[kind]]


def _joints(one: Segment, linkage: Linkage, poses) -> Force:
    return Force(poses.positions, np.einsum("nij,nj->ni", poses.rotations, one.wrenches[0, :, :3]))


def _loops(one: Segment, linkage: Linkage, poses) -> Force:
    records = linkage._loops.records
    if not records:
        return NONE
    points, forces = [], []
    for record, wrench in zip(records, one.loop_wrenches[0], strict=True):
        turned = poses.rotations[record.b] if record.b >= 0 else np.eye(3)
        origin = poses.positions[record.b] if record.b >= 0 else np.zeros(3)
        points.append(origin + turned @ record.at_b.position)
        forces.append(turned @ record.at_b.rotation @ wrench[:3])
    return Force(np.array(points), np.array(forces))


def contact_points(linkage: Linkage, poses) -> np.ndarray:
    """(n, 3) the points that are kept on surfaces."""
    records = linkage._contacts.records
    points = [poses.positions[record.body] + poses.rotations[record.body] @ record.point for record in records]
    return np.array(points).reshape(-1, 3)


def _points(one: Segment, linkage: Linkage, poses) -> Force:
    points = contact_points(linkage, poses)
    return Force(points, np.zeros_like(points))


def _normal(one: Segment, linkage: Linkage, poses) -> Force:
    if not linkage._contacts.records:
        return NONE
    points = contact_points(linkage, poses)
    gradients = np.array([contact.surface.local(point, float(one.t[0])).gradient
                          for contact, point in zip(linkage.contacts, points, strict=True)])  # fmt: skip
    normals = gradients / np.maximum(np.linalg.norm(gradients, axis=1, keepdims=True), 1e-300)
    return Force(points, one.normal_forces[0][:, None] * normals)


def _friction(one: Segment, linkage: Linkage, poses) -> Force:
    return Force(contact_points(linkage, poses), one.friction_forces[0]) if linkage._contacts.records else NONE


def _applied(one: Segment, linkage: Linkage, poses) -> Force:
    if not one.loaded:
        return NONE
    here = np.flatnonzero(np.abs(one.f_ext[0, :, :3]).max(axis=1) > 0.0)
    force, moment = one.f_ext[0, here, :3], one.f_ext[0, here, 3:]
    # A force off the origin: the nearest point of its line.
    arm = np.cross(force, moment) / np.maximum((force * force).sum(axis=1, keepdims=True), 1e-300)
    return Force(poses.positions[here] + arm, force)
