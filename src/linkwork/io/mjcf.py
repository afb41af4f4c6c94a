"""MJCF models, by MuJoCo's own compiler: its arrays become the bodies, joints, loop joints and frames of a linkage.

Coordinates are MuJoCo's own: q is qpos joint by joint (quaternions xyzw here, wxyz there), with ``ref`` in the joint's
placement; velocities differ for a free joint only, whose linear part is in the body's axes here, the world's there.

A body with several joints becomes a chain of bodies, all but the last without mass and named after their joints. A
body's frame is MuJoCo's, where the joint allows it: the origin must be a point that the joint does not move. Elsewhere
the body is named after its last joint, and the name of MuJoCo's body is that of a frame in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, LinkworkError
from linkwork.io.mjcf_equality import add_equalities
from linkwork.io.mjcf_files import mesh_files, mujoco_package, parse_mjcf
from linkwork.io.mjcf_shapes import add_shapes
from linkwork.io.safe_xml import Unread, listed
from linkwork.io.urdf_collisions import add_collisions
from linkwork.linkage.actuator import Actuator
from linkwork.linkage.body import GROUND
from linkwork.linkage.forces import JointSpring
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Fixed, Free, Prismatic, Revolute, Spherical
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.named import underscored
from linkwork.linkage.pose import Pose, rotation_about, rotation_from_quaternion

FREE, BALL, SLIDE, HINGE = range(4)  # MuJoCo's types of joints
UNREAD = {  # sections of a file that have no counterpart here, with what is lost
    "tendon": "tendons", "sensor": "sensors", "contact": "contact pairs and exclusions", "deformable": "skins",
    "extension": "plugins",
}  # fmt: skip


def read_mjcf(path: str | os.PathLike[str], *, keep_fixed: bool = False, collisions: bool = False) -> Linkage:
    """Read an MJCF model; see `linkwork.load`."""
    roots = parse_mjcf(path)
    model, warned = _compile(path)
    if model.nflex:
        raise roots[0].error("has flexible parts (flex), which are not rigid bodies; remove them")
    reader = _Reader(model, roots[0].element.get("model") or Path(path).stem, keep_fixed=keep_fixed)
    linkage = reader.linkage
    try:
        reader.add_bodies()
        reader.add_forces()
        add_equalities(linkage, model, reader.names, reader.place, reader.note)
        add_shapes(linkage, model, reader.place, mesh_files(roots), reader.note)
        if collisions:
            add_collisions(linkage)
    except LinkworkError as problem:
        raise DescriptionError(str(problem), file=path, line=1, element="<mujoco>") from None
    linkage.configurations = dict(reader.configurations())
    found = [
        Unread(f"<{section.tag}><{child.tag}> ({UNREAD[section.tag]})", child)
        for root in roots
        for section in root.children()
        if section.tag in UNREAD
        for child in section.children()
    ]
    linkage.ignored += listed(found, roots[0].file) + [f"{what}: {', '.join(of)}" for what, of in reader.notes.items()]
    linkage.ignored += [f"MuJoCo's compiler: {line}" for line in warned]
    return linkage


def _compile(path: str | os.PathLike[str]) -> tuple[Any, list[str]]:
    """MuJoCo's model of a file, and its warnings; its errors become ours, with the line that it names."""
    mujoco = mujoco_package()
    warned: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(warned.append)  # otherwise it writes a log file into the present folder
    try:
        return mujoco.MjModel.from_xml_path(os.fspath(path)), warned
    except (ValueError, RuntimeError, mujoco.FatalError, mujoco.UnexpectedError) as problem:
        text = " ".join(str(problem).split())
        line = re.search(r"line (\d+)", text)
        element = re.search(r"Element (?:name )?'([^']*)'", text)
        message = re.sub(r"^(XML )?Error:? ", "", re.sub(r" Element .*$", "", text)) or "MuJoCo does not compile it"
        raise DescriptionError(
            f"MuJoCo's compiler: {message}",
            file=path,
            line=max(1, int(line[1])) if line else 1,
            element=f"<{element[1]}>" if element and element[1] else "<mujoco>",
        ) from None
    finally:
        mujoco.set_mju_user_warning(before)


class _Reader:
    """Turns the arrays of a compiled model into a linkage.

    Attributes
    ----------
    place : list of (body, Pose)
        Of each of MuJoCo's bodies: the body that carries it, and its frame in that.
    names : list of str
        Of MuJoCo's joints.
    notes : dict of list of str
        What has no effect: by kind, the names.
    """

    def __init__(self, model: Any, name: str, *, keep_fixed: bool):
        self.m, self.keep_fixed = model, keep_fixed
        gravity = np.zeros(3) if _disabled(model, "GRAVITY") else model.opt.gravity
        self.linkage = Linkage(name=name, gravity=gravity)
        self.names = _names(model, "jnt", model.njnt, "joint")
        self.bodies = _names(model, "body", model.nbody, "body")
        self.bodies[0] = GROUND
        if GROUND in self.bodies[1:]:
            self.bodies[self.bodies.index(GROUND, 1)] = underscored(f"{GROUND}_body", self.bodies)
        self.place: list[tuple[str, Pose]] = [(GROUND, Pose())]
        self.notes: dict[str, list[str]] = {}
        self._inertias: dict[str, Inertia] = {}
        self._waiting: list[tuple[str, dict[str, Any]]] = []

    def note(self, what: str, name: str) -> None:
        """Remember what has no effect."""
        self.notes.setdefault(what, []).append(repr(name))

    # Bodies

    def add_bodies(self) -> None:
        """Add all bodies: those without joints are merged into what carries them."""
        m = self.m
        for i in range(1, m.nbody):
            carrier, pose = self.place[m.body_parentid[i]]
            at = pose @ _pose(m.body_pos[i], m.body_quat[i])
            joints = range(m.body_jntadr[i], m.body_jntadr[i] + m.body_jntnum[i])
            for k in joints:
                carrier, at = self._hang(i, k, carrier, at, last=k == joints[-1])
            if not joints and self.keep_fixed:
                self._waiting.append((self.bodies[i], {"joint": Fixed(), "parent": carrier, "at": at}))
                carrier, at = self.bodies[i], Pose()
            self.place.append((carrier, at))
            R = rotation_from_quaternion(np.roll(m.body_iquat[i], -1))
            own = Inertia.trusted(float(m.body_mass[i]), m.body_ipos[i].copy(), R @ np.diag(m.body_inertia[i]) @ R.T)
            own = own.transformed(at)
            self._inertias[carrier] = self._inertias[carrier] + own if carrier in self._inertias else own
            if m.body_mocapid[i] >= 0:
                self.note("mocap bodies, which stand still", self.bodies[i])
            if m.body_gravcomp[i]:
                self.note("gravity compensation of bodies", self.bodies[i])
        for name, options in self._waiting:
            inertia = self._inertias.get(name)
            self.linkage.add_body(name, inertia, **options)
        for name, (body, pose) in zip(self.bodies[1:], self.place[1:], strict=True):
            if name != body:
                self.linkage.add_frame(name, body, pose)

    def _hang(self, i: int, k: int, carrier: str, at: Pose, *, last: bool) -> tuple[str, Pose]:
        """Hang a body on the joint k of MuJoCo's body i; return it, and the frame of MuJoCo's body in it.

        `at` is the frame of MuJoCo's body in `carrier`, before this joint moves.
        """
        m = self.m
        kind, axis, point = int(m.jnt_type[k]), m.jnt_axis[k].copy(), m.jnt_pos[k].copy()
        options, rest = self._options(k), float(m.qpos0[m.jnt_qposadr[k]])
        joint: JointType
        offset = np.zeros(3)
        if kind == FREE:
            joint, at = Free(**options), Pose()
        elif kind == SLIDE:
            joint, at = Prismatic(axis, **options), at @ Pose(-rest * axis)
        elif kind == BALL:
            joint, offset = Spherical(**options), point
        else:
            joint, offset = Revolute(axis, **options), point - axis * (axis @ point)
            at = at @ Pose(offset, rotation_about(axis, -rest)) @ Pose(-offset)
        name = self.bodies[i]
        if not last or offset.any():
            name = underscored(self.names[k], self.bodies, [each for each, _ in self._waiting])
        where = {"parent": carrier, "at": at @ Pose(offset), "joint_name": self.names[k]}
        self._waiting.append((name, {"joint": joint, **where}))
        return name, Pose(-offset)

    def _options(self, k: int) -> dict[str, Any]:
        """Options of a joint type, and what of the joint has no effect."""
        m, kind, name = self.m, int(self.m.jnt_type[k]), self.names[k]
        count = {FREE: 6, BALL: 3}.get(kind, 1)
        dofs = slice(m.jnt_dofadr[k], m.jnt_dofadr[k] + count)
        damping = m.dof_damping[dofs] * (not _disabled(m, "DAMPER"))
        options: dict[str, Any] = {
            "damping": damping, "armature": m.dof_armature[dofs], "coulomb": m.dof_frictionloss[dofs],
        }  # fmt: skip
        if m.jnt_limited[k] and kind in (SLIDE, HINGE):
            options["limits"] = tuple(m.jnt_range[k].tolist())
        elif m.jnt_limited[k]:
            self.note("limits of the angle of ball joints", name)
        if m.dof_frictionloss[dofs].any():
            self.note("frictionloss kept as joint.coulomb, not acting until a JointFriction is added", name)
        if _some(m, "dof_dampingpoly", dofs) or _some(m, "jnt_stiffnesspoly", k):
            self.note("higher terms of damping and stiffness", name)
        driving = [a for a in range(m.nu) if self._drives(a, k)]
        options["actuated"] = bool(driving)
        effort = sum(_greatest(m, a) * abs(float(m.actuator_gear[a, 0])) for a in driving) if driving else np.inf
        if m.jnt_actfrclimited[k]:
            effort = min(effort, float(np.abs(m.jnt_actfrcrange[k]).max()))
        if kind in (SLIDE, HINGE):
            options["effort"] = effort
            for a in driving:  # rotors and their dampers, seen through the gear
                gear = float(m.actuator_gear[a, 0]) ** 2
                options["armature"] = options["armature"] + gear * _value(m, "actuator_armature", a)
                options["damping"] = options["damping"] + gear * _value(m, "actuator_damping", a)
        return options

    # Forces, actuators, configurations

    def add_forces(self) -> None:
        """Add the springs of joints, and the records of actuators."""
        m = self.m
        for k, name in enumerate(self.names):
            if not m.jnt_stiffness[k] or _disabled(m, "SPRING"):
                continue
            if m.jnt_type[k] in (SLIDE, HINGE):
                rest = float(m.qpos_spring[m.jnt_qposadr[k]])
                self.linkage.add_force(JointSpring(name, float(m.jnt_stiffness[k]), rest))
            else:
                self.note("springs of ball and free joints", name)
        if m.opt.density or m.opt.viscosity:
            self.note("forces of the medium around the bodies", "option density, viscosity, wind")
        for a, name in enumerate(_names(m, "actuator", m.nu, "actuator")):
            if m.actuator_trntype[a] not in (0, 1):
                self.note("actuators that drive no joint", name)
                continue
            joint = int(m.actuator_trnid[a, 0])
            count = {FREE: 6, BALL: 3}.get(int(m.jnt_type[joint]), 1)
            control = tuple(m.actuator_ctrlrange[a].tolist()) if m.actuator_ctrllimited[a] else None
            force = tuple(m.actuator_forcerange[a].tolist()) if m.actuator_forcelimited[a] else None
            gear = tuple(m.actuator_gear[a, :count].tolist())
            transmission = ("joint", "jointinparent")[m.actuator_trntype[a]]
            self.linkage.actuators.append(Actuator(name, self.names[joint], gear, transmission, control, force))

    def _drives(self, a: int, k: int) -> bool:
        return self.m.actuator_trntype[a] in (0, 1) and self.m.actuator_trnid[a, 0] == k

    def configurations(self) -> Iterator[tuple[str, np.ndarray]]:
        """The start of the file, and its key frames by name."""
        m = self.m
        yield "start", self._configuration(m.qpos0)
        for number, name in enumerate(_names(m, "key", m.nkey, "key")):
            yield underscored(name, ["start"]), self._configuration(m.key_qpos[number])

    def _configuration(self, qpos: np.ndarray) -> np.ndarray:
        q = self.linkage.neutral()
        for k, name in enumerate(self.names):
            kind, first = int(self.m.jnt_type[k]), int(self.m.jnt_qposadr[k])
            part = qpos[first : first + {FREE: 7, BALL: 4}.get(kind, 1)].copy()
            if kind in (FREE, BALL):
                part[-4:] = np.roll(part[-4:] / np.linalg.norm(part[-4:]), -1)
            q[self.linkage.joints[name].q_slice] = part
        return q


def _pose(position: np.ndarray, quaternion: np.ndarray) -> Pose:
    """A pose from MuJoCo's numbers: the quaternion is wxyz."""
    return Pose(position, np.roll(quaternion, -1))


def _names(model: Any, kind: str, count: int, default: str) -> list[str]:
    """Names of MuJoCo's objects; those that have none are numbered."""
    found = [getattr(model, kind)(number).name for number in range(count)]
    taken = set(found)
    return [name or underscored(f"{default}{number}", taken) for number, name in enumerate(found)]


def _disabled(model: Any, what: str) -> bool:
    bits = mujoco_package().mjtDisableBit
    bit = getattr(bits, f"mjDSBL_{what}", None) or getattr(bits, "mjDSBL_PASSIVE", 0)
    return bool(model.opt.disableflags & int(bit))


def _value(model: Any, field: str, row: Any) -> Any:
    """An entry of an array that not every version of MuJoCo has."""
    values = getattr(model, field, None)
    return 0.0 if values is None else values[row]


def _some(model: Any, field: str, rows: Any) -> bool:
    return bool(np.any(_value(model, field, rows)))


def _greatest(model: Any, a: int) -> float:
    """The greatest force of an actuator, before its gear; infinite where nothing limits it."""
    if model.actuator_forcelimited[a]:
        return float(np.abs(model.actuator_forcerange[a]).max())
    if model.actuator_ctrllimited[a] and model.actuator_gaintype[a] == 0 and model.actuator_biastype[a] == 0:
        return float(abs(model.actuator_gainprm[a, 0]) * np.abs(model.actuator_ctrlrange[a]).max())
    return np.inf
