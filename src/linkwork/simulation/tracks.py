"""One thing through a recording, by name: a body with its tree joint, a frame, a loop joint, a surface constraint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.closed import loop_coordinates
from linkwork.dynamics.kinematics import body_poses, body_velocities
from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.simulation.over_time import OverTime
from linkwork.simulation.segment import Segment


class Track:
    """One body with its tree joint, loop joint, frame or contact through a recording, wherever there is one.

    Attributes
    ----------
    name : str
    kind : {"body", "loop joint", "frame", "contact"}
        A tree joint counts as the body that hangs on it.
    segments : list of (Segment, int)
        Those that it is part of, and its index there.
    """

    t = OverTime("(n,) time, s.")
    q = OverTime("(n, ...) coordinates of the joint; angles of a loop joint within ±π.")
    v = OverTime("(n, ...) velocities of the joint.")
    a = OverTime("(n, ...) accelerations of the joint; not of a loop joint.")
    tau = OverTime("(n, ...) torques of the joint.")
    wrench = OverTime("(n, 6) wrench at the joint, as of `linkwork.solve`.")
    position = OverTime("(n, 3) position of the origin of a body, frame or loop joint (its `at_b`), m.")
    rotation = OverTime("(n, 3, 3) rotation of these.")
    velocity = OverTime("(n, 6) twist of their origin, world axes.")
    normal_force = OverTime("(n,) normal force of a contact, N.")
    friction_force = OverTime("(n, 3) friction on the point of a contact, N, world axes.")

    def __init__(self, name: str, kind: str, segments: list[tuple[Segment, int]]):
        self.name, self.kind, self.segments = name, kind, segments

    def _over_time(self, what: str) -> np.ndarray:
        """One array of a track, over all segments."""
        if what not in ("t", *KINDS[self.kind].known):
            known = ", ".join(KINDS[self.kind].known)
            raise ArgumentError(f"{self.name!r} is a {self.kind}, which has no {what} in a recording; it has {known}")
        read = KINDS[self.kind].read
        parts = [segment.t if what == "t" else read(segment, place, what) for segment, place in self.segments]
        if len({part.shape[1:] for part in parts}) > 1:
            raise StructureError(
                f"the joint of {self.name!r} changes its type during the recording: take {what} from each of "
                "recording.segments"
            )
        return np.concatenate(parts)

    def __repr__(self) -> str:
        return f"Track({self.name!r}, {self.kind}, {len(self.t)} states)"


def find(name: Any, segments: list[Segment]) -> Track:
    """The track of what has this name."""
    for kind, what in KINDS.items():
        places = [(segment, what.index(segment.linkage).get(name)) for segment in segments]
        found = [(segment, place) for segment, place in places if place is not None]
        if found:
            return Track(name, kind, found)
    raise unknown_name("joint, body, frame or contact", name, names(segments))


def names(segments: list[Segment]) -> list[str]:
    """Names of all that there are tracks of."""
    return sorted({name for segment in segments for what in KINDS.values() for name in what.index(segment.linkage)})


class Kind(NamedTuple):
    """What is known of one kind of track: the indices of all names, the arrays there are, how one is read."""

    index: Callable[[Linkage], dict[str, int]]
    known: tuple[str, ...]
    read: Callable[[Segment, int, str], np.ndarray]


def _body(segment: Segment, place: int, what: str) -> np.ndarray:
    joint = segment.linkage.joints[place]
    if what == "q":
        return segment.q[:, joint.q_slice]
    if what in ("v", "a", "tau"):
        return getattr(segment, what)[:, joint.v_slice]
    return segment.wrenches[:, place] if what == "wrench" else _moving(segment, place, Pose(), what)


def _loop(segment: Segment, place: int, what: str) -> np.ndarray:
    linkage, loop = segment.linkage, segment.linkage.loops[place]
    if what == "wrench":
        return segment.loop_wrenches[:, place]
    if what == "tau":
        return segment.tau[:, loop.v_slice]
    if what in ("q", "v"):
        where, start = (loop.q_slice, linkage.nq) if what == "q" else (loop.v_slice, linkage.nv)
        states = zip(segment.q, segment.v, strict=True)
        found = [loop_coordinates(linkage, q, v)[what == "v"] for q, v in states]
        return np.reshape(found, (len(segment), -1))[:, where.start - start : where.stop - start]
    record = linkage._loops.records[place]
    return _moving(segment, record.b, record.at_b, what)


def _frame(segment: Segment, place: int, what: str) -> np.ndarray:
    return _moving(segment, *segment.linkage._frames.records[place], what)


def _contact(segment: Segment, place: int, what: str) -> np.ndarray:
    return getattr(segment, f"{what}s")[:, place]


MOVING = ("position", "rotation", "velocity")
KINDS = {
    "body": Kind(
        lambda linkage: linkage.columns.joint_index | linkage.columns.body_index,
        ("q", "v", "a", "tau", "wrench", *MOVING), _body,
    ),
    "loop joint": Kind(lambda linkage: linkage._loops.index, ("q", "v", "tau", "wrench", *MOVING), _loop),
    "frame": Kind(lambda linkage: linkage._frames.index, MOVING, _frame),
    "contact": Kind(lambda linkage: linkage._contacts.index, ("normal_force", "friction_force"), _contact),
}  # fmt: skip


def _moving(segment: Segment, body: int, pose: Pose, what: str) -> np.ndarray:
    """Position, rotation or velocity of a pose fixed to a body, −1 for ground, over a segment."""
    n = len(segment)
    if body < 0:
        fixed = {"position": pose.position, "rotation": pose.rotation, "velocity": np.zeros(6)}[what]
        return np.broadcast_to(fixed, (n, *np.shape(fixed))).copy()
    poses = body_poses(segment.linkage, segment.q.copy())
    rotations = poses.rotations[:, body]
    if what == "rotation":
        return rotations @ pose.rotation
    arm = rotations @ pose.position
    if what == "position":
        return poses.positions[:, body] + arm
    twist = body_velocities(segment.linkage, segment.q.copy(), segment.v.copy())[:, body].copy()
    twist[:, :3] += np.cross(twist[:, 3:], arm)
    return twist
