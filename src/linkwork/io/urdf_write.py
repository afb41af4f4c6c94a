"""Linkages written as URDF: trees of revolute, prismatic, planar, free and fixed joints; all else goes beside it."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from lxml.etree import Element, SubElement, _Element

from linkwork.errors import DescriptionError
from linkwork.io.sidecar import extras, several, write_sidecar
from linkwork.io.urdf import ROOT_JOINT
from linkwork.io.urdf_parse import UNLIMITED
from linkwork.io.writing import address, numbers, write_document
from linkwork.linkage.body import GROUND, Body
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Fixed, Free, Planar, Prismatic, Revolute
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.named import underscored
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import Visual

_TYPES = {Revolute: "revolute", Prismatic: "prismatic", Planar: "planar", Free: "floating", Fixed: "fixed"}


def write_urdf(linkage: Linkage, path: str | os.PathLike[str]) -> None:
    """Write a linkage as a URDF file, and what URDF has no words for as its companion (see `sidecar`).

    Bodies become links, frames become links on fixed joints, couplings become ``<mimic>``. Ground becomes
    the root link: under the name of a frame that coincides with it, else as ``world``. When all there is on
    ground is one body on a `Free` joint, that body is the root: read the file back with ``base="free"``.
    Rotations go through roll, pitch and yaw, which costs about 1e-15.

    Raises
    ------
    DescriptionError
        A joint that URDF cannot describe.
    """
    path = Path(path)
    for joint in linkage.joints:
        if type(joint.type) not in _TYPES:
            message = f"URDF has no {type(joint.type).__name__} joint; save as .yaml instead"
            raise DescriptionError(message, file=path, element=f"joint {joint.name!r}")
    document = extras(linkage, path)
    options = ((joint.name, dict(_without_words(joint))) for joint in linkage.joints)
    document["joints"] = {name: row for name, row in options if row}
    writer = _Writer(linkage, os.path.dirname(os.path.abspath(path)))
    write_document(writer.robot, path)
    write_sidecar(linkage, path, document, writer.names)


def _without_words(joint: Joint) -> Iterator[tuple[str, Any]]:
    """The options of a joint that URDF cannot hold."""
    if np.any(joint.armature):
        yield "armature", joint.armature
    if joint.limits is not None and (isinstance(joint.type, Planar) or joint.limits[0, 0] == joint.limits[0, 1]):
        yield "limits", joint.limits
    if not np.all(joint.actuated) and not isinstance(joint.type, Free):
        yield "actuated", joint.actuated
    for what in ("damping", "coulomb", "effort", "velocity"):
        if several(getattr(joint, what)):
            yield what, getattr(joint, what)


class _Writer:
    """Builds the document of one linkage."""

    def __init__(self, linkage: Linkage, folder: str):
        self._root = Element("robot", name=linkage.name or "linkage")
        self._linkage = linkage
        self._folder = folder
        self._materials: dict[tuple[tuple[float, ...] | None, str | None], str] = {}
        self._visuals: dict[str, list[Visual]] = defaultdict(list)
        for visual in linkage.visuals:
            self._visuals[visual.body].append(visual)
        self._couplings = {each.joint: each for each in linkage.couplings if not each.higher}  # <mimic> is linear
        self._ground = self._name_of_ground()
        self.names: dict[str, str] = {}
        if self._ground is None and linkage.joints[0].name != ROOT_JOINT:
            self.names[linkage.joints[0].name] = ROOT_JOINT

    def robot(self) -> _Element:
        linkage = self._linkage
        if self._ground is not None:
            self._link(self._ground, None, self._visuals[GROUND])
        for body in linkage.bodies:
            self._link(body.name, body.inertia, self._visuals[body.name])
        for joint in linkage.joints:
            if self._ground is not None or joint.parent.name != GROUND:
                self._joint(joint)
        for frame in linkage.frames:
            if frame.name != self._ground:
                self._link(frame.name, None, [])
                name = underscored(f"{frame.name}_fixed", linkage.joints)
                element = SubElement(self._root, "joint", name=name, type="fixed")
                self._ends(element, frame.body, frame.name, frame.pose)
        return self._root

    def _name_of_ground(self) -> str | None:
        """The root link that stands for ground; None when a single free body can be the root itself."""
        linkage = self._linkage
        on_ground = [joint for joint in linkage.joints if joint.parent.name == GROUND]
        frames = [frame for frame in linkage.frames if frame.body.name == GROUND]
        for frame in frames:
            if frame.pose.is_identity():
                return frame.name
        if len(on_ground) == 1 and not frames and not self._visuals[GROUND]:
            (root,) = on_ground
            if isinstance(root.type, Free) and root.at.is_identity():
                return None
        return underscored("world", linkage.bodies, linkage.frames)

    def _link(self, name: str, inertia: Inertia | None, visuals: list[Visual]) -> None:
        link = SubElement(self._root, "link", name=name)
        if inertia is not None and (inertia.mass or inertia.matrix.any()):
            inertial = SubElement(link, "inertial")
            SubElement(inertial, "origin", xyz=numbers(inertia.com))
            SubElement(inertial, "mass", value=numbers(inertia.mass))
            entries = {f"i{'xyz'[i]}{'xyz'[k]}": numbers(inertia.matrix[i, k]) for i in range(3) for k in range(i, 3)}
            SubElement(inertial, "inertia", entries)
        for visual in visuals:
            self._visual(link, visual)

    def _visual(self, link: _Element, visual: Visual) -> None:
        shape = SubElement(link, "collision" if visual.collision else "visual")
        if visual.name is not None:
            shape.set("name", visual.name)
        self._origin(shape, visual.pose)
        geometry = SubElement(SubElement(shape, "geometry"), visual.kind)
        if visual.kind == "mesh":
            geometry.set("filename", address(visual.uri, visual.file, self._folder))
            geometry.set("scale", numbers(visual.size))
        elif visual.kind == "box":
            geometry.set("size", numbers(visual.size))
        else:
            for key, value in zip(("radius", "length"), visual.size, strict=False):
                geometry.set(key, numbers(value))
        if visual.collision or (visual.color is None and visual.texture is None):
            return
        look = visual.color, visual.texture
        material = SubElement(shape, "material", name=self._materials.setdefault(look, f"m{len(self._materials)}"))
        if visual.color is not None:
            SubElement(material, "color", rgba=numbers(visual.color))
        if visual.texture is not None:
            SubElement(material, "texture", filename=address(None, visual.texture, self._folder))

    def _joint(self, joint: Joint) -> None:
        kind, limits = joint.type, joint.limits
        name = "continuous" if isinstance(kind, Revolute) and limits is None else _TYPES[type(kind)]
        element = SubElement(self._root, "joint", name=joint.name, type=name)
        self._ends(element, joint.parent, joint.child.name, joint.at)
        if isinstance(kind, Planar):
            SubElement(element, "axis", xyz=numbers(kind.normal))
        elif isinstance(kind, Revolute | Prismatic):
            SubElement(element, "axis", xyz=numbers(kind.axis))
        if name != "fixed":
            bounds = {"effort": _bound(np.min(joint.effort)), "velocity": _bound(np.min(joint.velocity))}
            if name in ("revolute", "prismatic"):
                lower, upper = (-np.inf, np.inf) if limits is None else limits[0]
                bounds |= {"lower": _bound(lower), "upper": _bound(upper)}
            SubElement(element, "limit", {key: numbers(value) for key, value in bounds.items()})
            dynamics = {"damping": np.max(joint.damping), "friction": np.max(joint.coulomb)}
            SubElement(element, "dynamics", {key: numbers(value) for key, value in dynamics.items()})
        if joint.name in self._couplings:
            coupling = self._couplings[joint.name]
            given = {"multiplier": numbers(coupling.multiplier), "offset": numbers(coupling.offset)}
            SubElement(element, "mimic", given, joint=coupling.of)

    def _ends(self, element: _Element, parent: Body, child: str, at: Pose) -> None:
        self._origin(element, at)
        parent_name = self._ground if parent.name == GROUND else parent.name
        SubElement(element, "parent", link=parent_name)
        SubElement(element, "child", link=child)

    def _origin(self, element: _Element, pose: Pose) -> None:
        SubElement(element, "origin", xyz=numbers(pose.position), rpy=numbers(_roll_pitch_yaw(pose.rotation)))


def _bound(value: float) -> float:
    return max(-UNLIMITED, min(UNLIMITED, float(value)))


def _roll_pitch_yaw(rotation: np.ndarray) -> tuple[float, float, float]:
    """Return the angles about the fixed axes x, y, z.

    Yaw first, then the others from what remains: this keeps R exact where x is vertical and yaw is arbitrary.
    """
    r = rotation.tolist()
    yaw = math.atan2(r[1][0], r[0][0])
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-r[2][0], c * r[0][0] + s * r[1][0])
    roll = math.atan2(s * r[0][2] - c * r[1][2], c * r[1][1] - s * r[0][1])
    return roll, pitch, yaw
