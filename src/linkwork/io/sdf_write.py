"""Linkages written as SDF 1.11; what SDFormat has no words for goes beside the file, as its companion."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from lxml.etree import Element, SubElement, _Element

from linkwork.errors import DescriptionError
from linkwork.io.sidecar import extras, write_sidecar
from linkwork.io.writing import address, numbers, write_document
from linkwork.io.yaml_linkage import written_frame, written_visual
from linkwork.linkage.body import GROUND
from linkwork.linkage.chain import Chain
from linkwork.linkage.forces import JointSpring
from linkwork.linkage.joint import Fixed, Free, Helical, Prismatic, Revolute, Spherical, Universal
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.loops import Loop
from linkwork.linkage.named import underscored
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import Visual

VERSION = "1.11"
UNLIMITED = 1e16
CLOSED = 1e-9  # m, rad: a loop with no larger gap at q = 0 can be written as a joint
_TYPES: dict[type[JointType], str] = {
    Revolute: "revolute", Prismatic: "prismatic", Helical: "screw", Universal: "universal", Spherical: "ball",
    Fixed: "fixed",
}  # fmt: skip


def write_sdf(linkage: Linkage, path: str | os.PathLike[str]) -> None:
    """Write a linkage as an SDF file, and what SDFormat has no words for as its companion (see `sidecar`).

    Bodies become links; what is on a `Free` joint has none: read the file back with ``base="free"``. Loop joints that
    are closed at q = 0 are written as joints too, for other programs.

    Raises
    ------
    DescriptionError
        A joint that SDFormat cannot describe.
    """
    path = Path(path)
    for joint in linkage.joints:
        loose = isinstance(joint.type, Free) and joint.parent.name == GROUND
        if type(joint.type) not in _TYPES and not loose:
            message = f"SDF has no {type(joint.type).__name__} joint here; save as .yaml instead"
            raise DescriptionError(message, file=path, element=f"joint {joint.name!r}")
    writer = _Writer(linkage, os.path.dirname(os.path.abspath(path)))
    document = extras(linkage, path)
    document["forces"] = [
        entry
        for entry, force in zip(document["forces"], linkage.forces, strict=True)
        if force not in writer.springs.values()
    ]
    written = [coupling in writer.couplings.values() for coupling in linkage.couplings]
    document["couplings"] = [entry for entry, done in zip(document["couplings"], written, strict=True) if not done]
    document["frames"] = [written_frame(frame) for frame in linkage.frames if frame.body.name == GROUND]
    document["visuals"] = [written_visual(visual) for visual in linkage.visuals if visual.body == GROUND]
    options = ((joint.name, dict(_without_words(joint))) for joint in linkage.joints)
    document["joints"] = {name: row for name, row in options if row}
    write_document(writer.document, path)
    write_sidecar(linkage, path, document, {name: other for name, other in writer.names.items() if name != other})


def _without_words(joint: Joint) -> Iterator[tuple[str, Any]]:
    """The options of a joint that SDFormat cannot hold."""
    if isinstance(joint.type, Free):
        return
    if np.any(joint.armature):
        yield "armature", joint.armature
    if not np.all(joint.actuated):
        yield "actuated", joint.actuated
    if isinstance(joint.type, Spherical):
        yield from joint.type.options().items()


class _Writer:
    """Builds the document of one linkage."""

    def __init__(self, linkage: Linkage, folder: str):
        self._linkage, self._folder = linkage, folder
        self.springs: dict[str, JointSpring] = {}
        for force in linkage.forces:
            if isinstance(force, JointSpring):
                self.springs.setdefault(force.joint, force)
        self.couplings = {}
        for coupling in linkage.couplings:
            if not coupling.higher:  # <mimic> knows no polynomials
                self.couplings.setdefault(coupling.joint, coupling)

        self.names = self._joint_names()

    def _joint_names(self) -> dict[str, str]:
        """Names of the joints in the file, where no joint may have the name of a link, nor one that is loose any."""
        linkage = self._linkage
        free = [joint for joint in linkage.joints if isinstance(joint.type, Free)]
        names = {joint.name: "root_joint" if len(free) == 1 else f"root_joint_{joint.child.name}" for joint in free}
        for joint in (*linkage.joints, *linkage.loops):
            if joint.name not in names:
                taken = linkage.bodies, linkage.frames, names.values()
                others = () if joint.name not in linkage.bodies and joint.name not in linkage.frames else linkage.joints
                names[joint.name] = underscored(joint.name, *taken, others)
        return names

    def document(self) -> _Element:
        linkage = self._linkage
        root = Element("sdf", version=VERSION)
        model = SubElement(root, "model", name=linkage.name or "linkage")
        for joint in linkage.joints:
            self._link(model, joint)
        for frame in linkage.frames:
            if frame.body.name != GROUND:
                element = SubElement(model, "frame", name=frame.name, attached_to=frame.body.name)
                _pose(element, frame.pose)
        for joint in linkage.joints:
            if not isinstance(joint.type, Free):
                spring, coupling = self.springs.get(joint.name), self.couplings.get(joint.name)
                self._joint(model, joint, joint.parent.name, joint.child.name, spring, coupling)
        for loop in linkage.loops:
            if type(loop.type) in _TYPES and self._closed(loop):
                element = self._joint(model, loop, loop.parent.name, loop.real.name)
                _pose(element, loop.at_b)
        return root

    def _closed(self, loop: Loop) -> bool:
        """Whether a loop joint is closed at q = 0, as every joint of an SDF file is."""
        linkage, ends = self._linkage, []
        for body, at in ((loop.parent, loop.at_a), (loop.real, loop.at_b)):
            if body.name == GROUND:
                ends.append(at)
            else:
                motion = Chain.to(linkage.columns, body.index).motion(linkage.neutral(), np.zeros(linkage.nv))
                ends.append(Pose.trusted(motion.position, motion.rotation) @ at)
        return bool(np.abs(ends[0].matrix - ends[1].matrix).max() < CLOSED)

    def _link(self, model: _Element, joint: Joint) -> None:
        body = joint.child
        link = SubElement(model, "link", name=body.name)
        _pose(link, joint.at, "__model__" if joint.parent.name == GROUND else joint.parent.name)
        inertial = SubElement(link, "inertial")
        _pose(inertial, Pose(body.inertia.com))
        SubElement(inertial, "mass").text = numbers(body.mass)
        inertia = SubElement(inertial, "inertia")
        for i in range(3):
            for k in range(i, 3):
                SubElement(inertia, f"i{'xyz'[i]}{'xyz'[k]}").text = numbers(body.inertia.matrix[i, k])
        shapes = [visual for visual in self._linkage.visuals if visual.body == body.name]
        names: set[str] = set()
        for number, visual in enumerate(shapes):
            self._visual(link, visual, number, names)

    def _visual(self, link: _Element, visual: Visual, number: int, names: set[str]) -> None:
        tag = "collision" if visual.collision else "visual"
        shape = SubElement(link, tag, name=visual.name or f"{tag}_{number}")
        _pose(shape, visual.pose)
        geometry = SubElement(SubElement(shape, "geometry"), visual.kind)
        if visual.kind == "mesh":
            SubElement(geometry, "uri").text = address(visual.uri, visual.file, self._folder)
            SubElement(geometry, "scale").text = numbers(visual.size)
        elif visual.kind == "box":
            SubElement(geometry, "size").text = numbers(visual.size)
        else:
            for key, value in zip(("radius", "length"), visual.size, strict=False):
                SubElement(geometry, key).text = numbers(value)
        if visual.color is not None and not visual.collision:
            SubElement(SubElement(shape, "material"), "diffuse").text = numbers(visual.color)

    def _joint(self, model: _Element, joint: Any, parent: str, child: str, spring=None, coupling=None) -> _Element:
        kind = joint.type
        name = "continuous" if isinstance(kind, Revolute) and kind.limits is None else _TYPES[type(kind)]
        element = SubElement(model, "joint", name=self.names[joint.name], type=name)
        SubElement(element, "parent").text = "world" if parent == GROUND else parent
        SubElement(element, "child").text = "world" if child == GROUND else child
        if isinstance(kind, Helical):
            SubElement(element, "screw_thread_pitch").text = numbers(2.0 * math.pi * kind.pitch)
        for number, direction in enumerate(kind.axes()):
            axis = SubElement(element, ("axis", "axis2")[number])
            SubElement(axis, "xyz").text = numbers(direction)
            self._limit(axis, kind, number)
            dynamics = SubElement(axis, "dynamics")
            for tag, values in (("damping", kind.damping), ("friction", kind.coulomb)):
                SubElement(dynamics, tag).text = numbers(np.broadcast_to(values, kind.nv)[number])
            if spring is not None:
                for tag, values in (("spring_reference", spring.rest), ("spring_stiffness", spring.stiffness)):
                    SubElement(dynamics, tag).text = numbers(np.broadcast_to(values, kind.nv)[number])
            if coupling is not None:
                mimic = SubElement(axis, "mimic", joint=self.names[coupling.of])
                for tag, value in (
                    ("multiplier", coupling.multiplier),
                    ("offset", coupling.offset),
                    ("reference", 0.0),
                ):
                    SubElement(mimic, tag).text = numbers(value)
        return element

    def _limit(self, axis: _Element, kind: JointType, number: int) -> None:
        limit = SubElement(axis, "limit")
        if kind.limits is not None:
            lower, upper = np.reshape(kind.limits, (kind.nv, 2))[number]
            SubElement(limit, "lower").text = numbers(max(lower, -UNLIMITED))
            SubElement(limit, "upper").text = numbers(min(upper, UNLIMITED))
        for tag, values in (("effort", kind.effort), ("velocity", kind.velocity)):
            value = np.broadcast_to(values, kind.nv)[number]
            SubElement(limit, tag).text = numbers(value if np.isfinite(value) else -1.0)


def _pose(parent: _Element, pose: Pose, relative_to: str | None = None) -> None:
    element = SubElement(parent, "pose", rotation_format="quat_xyzw")
    if relative_to is not None:
        element.set("relative_to", relative_to)
    element.text = f"{numbers(pose.position)} {numbers(pose.quaternion)}"
