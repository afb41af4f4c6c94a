"""Equality constraints of MJCF, which MuJoCo holds softly: here they are loop joints and couplings, held exactly.

A ``connect`` is a ball, two of them between the same bodies are a hinge through both points, a ``weld`` is rigid, a
``joint`` is a coupling.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

from linkwork.io.mjcf_files import mujoco_package
from linkwork.linkage.body import GROUND
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.joint import Fixed, Revolute, Spherical
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.named import underscored
from linkwork.linkage.pose import Pose, in_plane

CONNECT, WELD, JOINT = range(3)  # MuJoCo's types of equalities
SITE = 6  # its type of objects that are sites
SAME_LENGTH = 1e-6  # m: how far the distances of two points, measured in two bodies, may differ

Place = list[tuple[str, Pose]]
Note = Callable[[str, str], None]


def add_equalities(linkage: Linkage, model: Any, joints: list[str], place: Place, note: Note) -> None:
    """Add the active equality constraints; `note` takes those that have no effect."""
    points: dict[tuple[str, str], list[tuple[str, np.ndarray, np.ndarray]]] = {}
    for number in range(model.neq):
        name = model.equality(number).name or f"equality{number}"
        kind = int(model.eq_type[number])
        if not model.eq_active0[number]:
            note("equality constraints that are not active", name)
        elif kind == CONNECT:
            (a, at_a), (b, at_b) = _ends(model, number, place)
            points.setdefault((a, b), []).append((name, at_a.position, at_b.position))
        elif kind == WELD:
            (a, at_a), (b, at_b) = _ends(model, number, place)
            _join(linkage, a, b, Fixed(), at_a, at_b, name, note)
        elif kind == JOINT:
            _couple(linkage, model, number, joints, name, note)
        else:
            note("equality constraints of tendons and flexible bodies", name)
    for (a, b), anchors in points.items():
        pairs = [anchors[k : k + 2] for k in range(0, len(anchors), 2)]
        for pair in pairs:
            if len(pair) == 2 and _is_hinge(*pair):
                at_a, at_b = _hinge(model, place, a, b, *pair)
                _join(linkage, a, b, Revolute("z"), at_a, at_b, pair[0][0], note)
            else:
                for name, in_a, in_b in pair:
                    _join(linkage, a, b, Spherical(), Pose(in_a), Pose(in_b), name, note)


def _ends(model: Any, number: int, place: Place) -> list[tuple[str, Pose]]:
    """The two bodies of a connect or weld, and the constraint's frame in each."""
    data, weld = model.eq_data[number], model.eq_type[number] == WELD
    ids = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    if int(model.eq_objtype[number]) == SITE:
        frames = [_pose(model.site_pos[i], model.site_quat[i]) for i in ids]
        ids = tuple(int(model.site_bodyid[i]) for i in ids)
    elif weld:
        frames = [_pose(data[3:6], data[6:10]), Pose(data[0:3])]
    else:
        frames = [Pose(data[0:3]), Pose(data[3:6])]
    return [(place[i][0], place[i][1] @ frame) for i, frame in zip(ids, frames, strict=True)]


def _pose(position: np.ndarray, quaternion: np.ndarray) -> Pose:
    return Pose(position, np.roll(quaternion, -1))


def _join(linkage: Linkage, a: str, b: str, joint: Any, at_a: Pose, at_b: Pose, name: str, note: Note) -> None:
    if a == b:
        note("equality constraints within one body", name)
        return
    name = underscored(name, linkage.joints, linkage.loops)
    linkage.connect(a, b, joint, at_a=at_a, at_b=at_b, name=name)


def _is_hinge(one: tuple[str, np.ndarray, np.ndarray], two: tuple[str, np.ndarray, np.ndarray]) -> bool:
    lengths = [float(np.linalg.norm(q - p)) for p, q in ((one[1], two[1]), (one[2], two[2]))]
    return min(lengths) > SAME_LENGTH and abs(lengths[0] - lengths[1]) < SAME_LENGTH


def _hinge(model: Any, place: Place, a: str, b: str, one: Any, two: Any) -> tuple[Pose, Pose]:
    """Frames with z from the first point to the second, that coincide, as nearly as these allow, at the file's pose."""
    z_a = two[1] - one[1]
    z_a = z_a / np.linalg.norm(z_a)
    z_b = two[2] - one[2]
    z_b = z_b / np.linalg.norm(z_b)
    R_a = _frame(z_a, in_plane(z_a))
    world = _world_rotations(model, place)
    return Pose(one[1], R_a), Pose(one[2], _frame(z_b, world[b].T @ world[a] @ R_a[:, 0]))


def _frame(z: np.ndarray, near_x: np.ndarray) -> np.ndarray:
    x = near_x - z * (z @ near_x)
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _world_rotations(model: Any, place: Place) -> dict[str, np.ndarray]:
    """The rotations of our bodies at the pose of the file."""
    mujoco = mujoco_package()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found = {GROUND: np.eye(3)}
    for number, (body, pose) in enumerate(place):
        found.setdefault(body, data.xmat[number].reshape(3, 3) @ pose.rotation.T)
    return found


def _couple(linkage: Linkage, model: Any, number: int, joints: list[str], name: str, note: Note) -> None:
    """y − y₀ = c₀ + c₁ (x − x₀) + … as a coupling of the coordinates themselves."""
    one, two = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    c = np.array(model.eq_data[number, :5])
    y0 = float(model.qpos0[model.jnt_qposadr[one]])
    if two < 0:
        note("equality constraints that hold one joint at a value; set its limits instead", name)
        return
    x0 = float(model.qpos0[model.jnt_qposadr[two]])
    offset, multiplier, *higher = y0 + Polynomial(c)(Polynomial([-x0, 1.0]))
    linkage.couplings.append(Coupling(joints[one], joints[two], multiplier, offset, higher))
