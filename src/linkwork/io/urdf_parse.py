"""URDF as it is written: XML turned into plain records, with nothing interpreted beyond one element.

`parse_urdf` checks what can be checked inside one link or joint; how they hang together is left to `urdf`.
Poses are those of the file: an origin places the joint, shape or inertia in its link's frame.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from linkwork.errors import unknown_name
from linkwork.io.resources import MeshFiles
from linkwork.io.safe_xml import Node, listed, parse, shorten, unread
from linkwork.io.urdf_loops import LOOP_ELEMENTS, LOOPS, UrdfLoop, read_loop, read_origin
from linkwork.linkage.inertia import Inertia, full
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import SIZES, Visual

T = TypeVar("T")

UNLIMITED = 1e9
"""A bound of this size or more, in SI units, stands for none: URDF has no word for infinity."""

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")

# What is read: each element by its path below <robot>, with its attributes. All else is listed as ignored.
_POSE = {"origin": ("xyz", "rpy", "quat_xyzw")}
_MATERIAL = {"material": ("name",), "material/color": ("rgba",), "material/texture": ("filename",)}
_GEOMETRY = {
    "geometry": (),
    "geometry/box": ("size",),
    "geometry/sphere": ("radius",),
    "geometry/cylinder": ("radius", "length"),
    "geometry/capsule": ("radius", "length"),
    "geometry/mesh": ("filename", "scale"),
}


def _below(path: str, *tables: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {f"{path}/{key}": attributes for table in tables for key, attributes in table.items()}


_READ: dict[str, tuple[str, ...]] = {
    "link": ("name",),
    "link/inertial": (),
    **_below("link/inertial", _POSE, {"mass": ("value",), "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}),
    "link/visual": ("name",),
    **_below("link/visual", _POSE, _GEOMETRY, _MATERIAL),
    "link/collision": ("name",),
    **_below("link/collision", _POSE, _GEOMETRY),
    "joint": ("name", "type"),
    **_below("joint", _POSE, {"parent": ("link",), "child": ("link",), "axis": ("xyz",)}),
    "joint/limit": ("lower", "upper", "effort", "velocity"),
    "joint/dynamics": ("damping", "friction"),
    "joint/mimic": ("joint", "multiplier", "offset"),
    **_MATERIAL,
    **LOOP_ELEMENTS,
}


@dataclass(frozen=True, slots=True)
class UrdfLink:
    """A ``<link>``: its inertia in the link's frame, and its shapes."""

    name: str
    inertia: Inertia
    shapes: tuple[Visual, ...]
    where: Node


@dataclass(frozen=True, slots=True)
class UrdfMimic:
    """A ``<mimic>``: q = multiplier · q(joint) + offset."""

    joint: str
    multiplier: float
    offset: float
    where: Node


@dataclass(frozen=True, slots=True)
class UrdfJoint:
    """A ``<joint>``: `origin` places it in the parent link's frame, `axis` is a direction in its own.

    `limits` are None where the file gives none; `options` are others of a `JointType`.
    """

    name: str
    type: str
    parent: str
    child: str
    origin: Pose
    axis: tuple[float, ...]
    limits: tuple[float, float] | None
    options: dict[str, Any]
    mimic: UrdfMimic | None
    where: Node


@dataclass(frozen=True, slots=True)
class UrdfRobot:
    """A ``<robot>``: links and joints by name in the file's order, and what was not read, in words."""

    name: str
    links: dict[str, UrdfLink]
    joints: dict[str, UrdfJoint]
    loops: tuple[UrdfLoop, ...]
    ignored: tuple[str, ...]
    where: Node


def parse_urdf(path: str | os.PathLike[str]) -> UrdfRobot:
    """Read the URDF file at `path` into records; `DescriptionError` names file, line and element."""
    root = parse(path)
    _drop_namespace(root)
    if root.tag != "robot":
        raise root.error("the outermost element of a URDF file is <robot>")
    ignored = _unread(root)
    shapes = _Shapes(root)
    links = {link.name: link for link in _named(root, "link", shapes.link)}
    joints = {joint.name: joint for joint in _named(root, "joint", _joint)}
    if not links:
        raise root.error("has no <link>; a file that is made by xacro must be expanded first")
    name = (root.element.get("name") or "").strip() or os.path.splitext(os.path.basename(root.file))[0]
    loops = tuple(read_loop(node) for tag in LOOPS for node in root.children(tag))
    return UrdfRobot(name, links, joints, loops, (*ignored, *shapes.files.missing()), root)


def _drop_namespace(root: Node) -> None:
    """Take a default namespace off the tags: URDF has none, but some exporters declare one."""
    prefix = root.tag[: root.tag.rfind("}") + 1]
    if prefix:
        for element in root.element.iter(f"{prefix}*"):
            element.tag = element.tag[len(prefix) :]


def _unread(root: Node) -> list[str]:
    """List, in one line per kind, the elements and attributes that are not read."""
    for element in root.element.iter():
        if "xacro" in element.tag:
            raise Node(element, root.file).error(
                "is a xacro instruction; run the file through xacro first and load its output"
            )
    return listed(unread(root, _READ), root.file)


def _named(root: Node, tag: str, make: Callable[[Node], T]) -> Iterator[T]:
    """Make a record of each such child; refuse a name that is given twice."""
    seen: dict[str, int] = {}
    for node in root.children(tag):
        name = node.text("name")
        if name in seen:
            raise node.error(f"the name {name!r} is taken by the <{tag}> at line {seen[name]}")
        seen[name] = node.line
        yield make(node)


def _origin(parent: Node) -> Pose:
    return read_origin(parent.child("origin"))


def _inertia(link: Node) -> Inertia:
    node = link.child("inertial")
    if node is None:
        return Inertia(0.0)
    mass = node.required("mass").number("value")
    if mass < 0.0:
        raise node.required("mass").error(f"the mass {mass:g} is negative")
    moments = node.required("inertia")
    entries = np.array([moments.number(key) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")])
    # Not yet checked to be physical: merging fixed neighbours often makes a sound whole of strange parts.
    return Inertia.trusted(mass, np.zeros(3), full(entries)).transformed(_origin(node))


def _joint(node: Node) -> UrdfJoint:
    kind = node.text("type")
    if kind not in JOINT_TYPES:
        raise node.error(str(unknown_name("joint type", shorten(kind), JOINT_TYPES)))
    axis = (1.0, 0.0, 0.0)
    axis_node = node.child("axis")
    if axis_node is not None and kind not in ("fixed", "floating"):
        axis = axis_node.numbers("xyz", 3)
        if not any(axis):
            raise axis_node.error("the axis is zero; it must have a direction")
    limits, mimic, options = None, None, {}
    if kind != "fixed":
        limits, options = _limits(node, kind)
        mimic = _mimic(node)
        dynamics = node.child("dynamics")
        if dynamics is not None:
            friction = {"damping": "damping", "coulomb": "friction"}
            options |= {option: _not_negative(dynamics, key, 0.0) for option, key in friction.items()}
    name, parent, child = node.text("name"), *(node.required(end).text("link") for end in ("parent", "child"))
    return UrdfJoint(name, kind, parent, child, _origin(node), axis, limits, options, mimic, node)


def _limits(joint: Node, kind: str) -> tuple[tuple[float, float] | None, dict[str, Any]]:
    """The bounds of the position (revolute and prismatic joints only), and those of the effort and of the velocity."""
    node = joint.child("limit")
    if node is None:
        return None, {}
    bounds = {key: _bound(_not_negative(node, key, np.inf)) for key in ("effort", "velocity")}
    if kind not in ("revolute", "prismatic"):
        return None, bounds
    lower, upper = (_bound(node.number(key, 0.0, finite=False)) for key in ("lower", "upper"))
    if lower > upper:
        raise node.error(f"the lower limit {lower:g} is above the upper limit {upper:g}")
    return (lower, upper), bounds


def _bound(value: float) -> float:
    return value if abs(value) < UNLIMITED else math.copysign(np.inf, value)


def _not_negative(node: Node, attribute: str, default: float) -> float:
    value = node.number(attribute, default, finite=np.isfinite(default))
    if value < 0.0:
        raise node.error(f"{attribute}={value:g} must not be negative")
    return value


def _mimic(joint: Node) -> UrdfMimic | None:
    node = joint.child("mimic")
    if node is None:
        return None
    return UrdfMimic(node.text("joint"), node.number("multiplier", 1.0), node.number("offset", 0.0), node)


class _Shapes:
    """Reads links with their shapes; remembers the materials by name."""

    def __init__(self, root: Node):
        self.files = MeshFiles(root.file)
        self._materials: dict[str, Node] = {}
        # A material may be defined anywhere, inside a visual too, and used by its name before or after.
        for element in root.element.iter("material"):
            node, name = Node(element, root.file), element.get("name")
            if name and len(element):
                self._materials.setdefault(name, node)

    def link(self, node: Node) -> UrdfLink:
        shapes = [self._shape(child, collision=False) for child in node.children("visual")]
        shapes += [self._shape(child, collision=True) for child in node.children("collision")]
        name = node.text("name")
        return UrdfLink(name, _inertia(node), tuple(shape for shape in shapes if shape is not None), node)

    def _shape(self, node: Node, *, collision: bool) -> Visual | None:
        geometry = node.required("geometry")
        known = [child for child in geometry.children() if child.tag in SIZES]
        if len(known) != 1:
            if len(known) == 0 and len(geometry.element):
                return None  # an unknown kind of shape, which is listed as ignored already
            raise geometry.error(f"needs one of {', '.join(f'<{kind}>' for kind in SIZES)}; it has {len(known)}")
        shape = known[0]
        uri = file = None
        if shape.tag == "mesh":
            uri = shape.text("filename")
            file = self.files.find(shape, uri)
            size = shape.numbers("scale", 3, (1.0, 1.0, 1.0))
        elif shape.tag == "box":
            size = shape.numbers("size", 3)
        else:
            size = tuple(shape.number(key) for key in ("radius", "length")[: SIZES[shape.tag]])
        if shape.tag != "mesh" and min(size) < 0.0:
            raise shape.error("a size must not be negative")
        color, texture = (None, None) if collision else self._material(node)
        link, name = node.element.getparent().get("name"), node.element.get("name")
        return Visual(link, _origin(node), shape.tag, size, uri, file, color, texture, name, collision)

    def _material(self, visual: Node) -> tuple[tuple[float, ...] | None, str | None]:
        """The color (4 numbers) and the texture of a visual, by itself or by the name of its material."""
        node = visual.child("material")
        if node is None:
            return None, None
        if not len(node.element):
            node = self._materials.get(node.element.get("name", ""), node)
        rgba = image = None
        color, texture = node.child("color"), node.child("texture")
        if color is not None:
            rgba = color.numbers("rgba", 4)
            if not all(0.0 <= part <= 1.0 for part in rgba):
                raise color.error("each part of rgba must be between 0 and 1")
        if texture is not None and texture.element.get("filename"):  # exporters write empty ones too
            image = self.files.find(texture, texture.text("filename"))
        return rgba, image
