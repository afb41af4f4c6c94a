"""Linkages written as URDF, where it can say it: trees of revolute, prismatic, planar, free, fixed joints."""

from __future__ import annotations

import math
import os
import warnings
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from lxml.etree import Element, SubElement, _Element, tostring
from numpy.typing import ArrayLike

from linkwork.errors import DescriptionError, LinkworkWarning
from linkwork.io.urdf_parse import UNLIMITED
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
    """Write a linkage as a URDF file.

    Bodies become links, frames become links on fixed joints, couplings become ``<mimic>``. Ground becomes
    the root link: under the name of a frame that coincides with it, else as ``world``. When all there is on
    ground is one body on a `Free` joint, that body is the root: read the file back with ``base="free"``.
    Rotations go through roll, pitch and yaw, which costs about 1e-15.

    Raises
    ------
    DescriptionError
        A joint or a loop that URDF cannot describe.

    Warns
    -----
    LinkworkWarning
        What is left out: armature, force elements, gravity other than (0, 0, -9.81).
    """
    _refuse(linkage, path)
    writer = _Writer(linkage, os.path.dirname(os.path.abspath(path)))
    try:
        data = tostring(writer.robot(), pretty_print=True, xml_declaration=True, encoding="utf-8")
    except ValueError as problem:  # a name with characters that XML cannot hold
        raise DescriptionError(f"cannot be written: {problem}", file=path) from None
    with open(path, "wb") as stream:
        stream.write(data)


def _refuse(linkage: Linkage, path: str | os.PathLike[str]) -> None:
    """Raise for what URDF cannot describe; warn of what it leaves out."""
    for joint in linkage.joints:
        if type(joint.type) not in _TYPES:
            message = f"URDF has no {type(joint.type).__name__} joint; save as .yaml instead"
            raise DescriptionError(message, file=path, element=f"joint {joint.name!r}")
    if len(linkage.contacts):
        raise DescriptionError("URDF has no surfaces; this linkage has contacts; save as .yaml instead", file=path)
    if len(linkage.loops):
        raise DescriptionError("URDF describes trees; this linkage has loop joints; save as .yaml instead", file=path)
    lost = [f"{what} of joint {joint.name!r}" for joint in linkage.joints for what in _lost(joint)]
    lost += [f"force {type(force).__name__}" for force in linkage.forces]
    if not np.array_equal(linkage.gravity, (0.0, 0.0, -9.81)):
        lost.append(f"gravity {tuple(float(part) for part in linkage.gravity)}")
    if lost:
        shown = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        warnings.warn(f"{path}: URDF cannot hold {shown}", LinkworkWarning, stacklevel=3)


def _lost(joint: Joint) -> Iterator[str]:
    """Name the options of a joint that URDF cannot hold."""
    if np.any(joint.armature):
        yield "armature"
    if joint.limits is not None and isinstance(joint.type, Planar):
        yield "limits"
    if not np.all(joint.actuated) and not isinstance(joint.type, Free):
        yield "actuated=False"
    for what in ("damping", "coulomb", "effort", "velocity"):
        if len(set(np.ravel(getattr(joint, what)).tolist())) > 1:
            yield f"one {what} per degree of freedom"


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
        self._couplings = {coupling.joint: coupling for coupling in linkage.couplings}
        self._ground = self._name_of_ground()

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
            SubElement(inertial, "origin", xyz=_numbers(inertia.com))
            SubElement(inertial, "mass", value=_numbers(inertia.mass))
            entries = {f"i{'xyz'[i]}{'xyz'[k]}": _numbers(inertia.matrix[i, k]) for i in range(3) for k in range(i, 3)}
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
            geometry.set("filename", self._address(visual.uri, visual.file))
            geometry.set("scale", _numbers(visual.size))
        elif visual.kind == "box":
            geometry.set("size", _numbers(visual.size))
        else:
            for key, value in zip(("radius", "length"), visual.size, strict=False):
                geometry.set(key, _numbers(value))
        if visual.collision or (visual.color is None and visual.texture is None):
            return
        look = visual.color, visual.texture
        material = SubElement(shape, "material", name=self._materials.setdefault(look, f"m{len(self._materials)}"))
        if visual.color is not None:
            SubElement(material, "color", rgba=_numbers(visual.color))
        if visual.texture is not None:
            SubElement(material, "texture", filename=self._address(None, visual.texture))

    def _address(self, uri: str | None, file: str | None) -> str:
        """A mesh's or texture's address for the new place of the description."""
        if file is None or (uri is not None and "://" in uri):
            return uri or ""
        relative = os.path.relpath(file, self._folder).replace(os.sep, "/")
        return file if relative.startswith("../../") else relative  # as far as a reader follows it

    def _joint(self, joint: Joint) -> None:
        kind, limits = joint.type, joint.limits
        name = "continuous" if isinstance(kind, Revolute) and limits is None else _TYPES[type(kind)]
        element = SubElement(self._root, "joint", name=joint.name, type=name)
        self._ends(element, joint.parent, joint.child.name, joint.at)
        if isinstance(kind, Planar):
            SubElement(element, "axis", xyz=_numbers(kind.normal))
        elif isinstance(kind, Revolute | Prismatic):
            SubElement(element, "axis", xyz=_numbers(kind.axis))
        if name != "fixed":
            bounds = {"effort": _bound(np.min(joint.effort)), "velocity": _bound(np.min(joint.velocity))}
            if name in ("revolute", "prismatic"):
                lower, upper = (-np.inf, np.inf) if limits is None else limits[0]
                bounds |= {"lower": _bound(lower), "upper": _bound(upper)}
            SubElement(element, "limit", {key: _numbers(value) for key, value in bounds.items()})
            dynamics = {"damping": np.max(joint.damping), "friction": np.max(joint.coulomb)}
            SubElement(element, "dynamics", {key: _numbers(value) for key, value in dynamics.items()})
        if joint.name in self._couplings:
            coupling = self._couplings[joint.name]
            numbers = {"multiplier": _numbers(coupling.multiplier), "offset": _numbers(coupling.offset)}
            SubElement(element, "mimic", numbers, joint=coupling.of)

    def _ends(self, element: _Element, parent: Body, child: str, at: Pose) -> None:
        self._origin(element, at)
        parent_name = self._ground if parent.name == GROUND else parent.name
        SubElement(element, "parent", link=parent_name)
        SubElement(element, "child", link=child)

    def _origin(self, element: _Element, pose: Pose) -> None:
        SubElement(element, "origin", xyz=_numbers(pose.position), rpy=_numbers(_roll_pitch_yaw(pose.rotation)))


def _bound(value: float) -> float:
    return max(-UNLIMITED, min(UNLIMITED, float(value)))


def _numbers(values: ArrayLike) -> str:
    """Shortest text that gives the same floats back."""
    return " ".join(repr(float(value)) for value in np.ravel(values))


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
