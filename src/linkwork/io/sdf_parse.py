"""SDFormat as it is written: links and joints of all models as plain records, their poses resolved to the world.

`parse_sdf` checks what can be checked inside one link or joint; how they hang together is left to `sdf`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import unknown_name
from linkwork.io.resources import MeshFiles
from linkwork.io.safe_xml import Node, Unread, listed, place, shorten, unread
from linkwork.io.sdf_scopes import MODEL, Reader, Scope, read_pose
from linkwork.linkage.inertia import Inertia, full
from linkwork.linkage.joint import Fixed, Helical, Prismatic, Revolute, Spherical, Universal
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.pose import HERE, Pose
from linkwork.linkage.visuals import Visual

UNLIMITED = 1e9
"""A bound of this size or more, in SI units, stands for none: files write 1e16."""
DENSITY = 1000.0
"""Of shapes from which an inertia is computed, kg/m³, where the file gives none."""
TYPES = ("revolute", "continuous", "prismatic", "ball", "universal", "revolute2", "screw", "gearbox", "fixed")
_ENTRIES = {"ixx": 1.0, "ixy": 0.0, "ixz": 0.0, "iyy": 1.0, "iyz": 0.0, "izz": 1.0}

# What is read: each element by its path below <model>, with its attributes. All else is listed as ignored.
_POSE = ("relative_to", "frame", "rotation_format", "degrees")
_SHAPES = {
    "box": {"size": ()}, "sphere": {"radius": ()}, "cylinder": {"radius": (), "length": ()},
    "capsule": {"radius": (), "length": ()}, "mesh": {"uri": (), "scale": ()},
}  # fmt: skip
_GEOMETRY = {
    "pose": _POSE, "geometry": (),
    **{f"geometry/{kind}": () for kind in _SHAPES},
    **{f"geometry/{kind}/{key}": () for kind, keys in _SHAPES.items() for key in keys},
}  # fmt: skip
_AXIS = {
    "": (), "/xyz": ("expressed_in",), "/use_parent_model_frame": (), "/limit": (), "/dynamics": (),
    **{f"/limit/{key}": () for key in ("lower", "upper", "effort", "velocity")},
    **{f"/dynamics/{key}": () for key in ("damping", "friction", "spring_reference", "spring_stiffness")},
    "/mimic": ("joint", "axis"), **{f"/mimic/{key}": () for key in ("multiplier", "offset", "reference")},
}  # fmt: skip
_READ: dict[str, tuple[str, ...]] = {
    "gravity": (), "static": (), "pose": _POSE, "frame": ("name", "attached_to"), "frame/pose": _POSE,
    "include": ("merge",), **{f"include/{key}": () for key in ("uri", "name", "static", "placement_frame")},
    "include/pose": _POSE, "link": ("name",), "link/pose": _POSE,
    "link/inertial": ("auto",), "link/inertial/pose": _POSE, "link/inertial/mass": (), "link/inertial/density": (),
    "link/inertial/inertia": (), **{f"link/inertial/inertia/{key}": () for key in _ENTRIES},
    "link/visual": ("name",), **{f"link/visual/{key}": value for key, value in _GEOMETRY.items()},
    "link/visual/material": (), "link/visual/material/ambient": (), "link/visual/material/diffuse": (),
    "link/collision": ("name",), **{f"link/collision/{key}": value for key, value in _GEOMETRY.items()},
    "link/collision/density": (),
    "joint": ("name", "type"), "joint/pose": _POSE,
    **{f"joint/{key}": () for key in ("parent", "child", "gearbox_ratio", "gearbox_reference_body")},
    **{f"joint/{key}": () for key in ("thread_pitch", "screw_thread_pitch")},
    **{f"joint/axis{number}{key}": value for number in ("", "2") for key, value in _AXIS.items()},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SdfLink:
    """A ``<link>``: its pose in the world, its inertia in its own frame, its shapes."""

    name: str
    pose: Pose
    inertia: Inertia
    shapes: tuple[Visual, ...]
    static: bool
    where: Node


@dataclass(frozen=True, slots=True)
class SdfMimic:
    """A ``<mimic>``: q = multiplier · (q(joint) − reference) + offset."""

    joint: str
    multiplier: float
    offset: float
    reference: float
    where: Node


@dataclass(frozen=True, slots=True)
class SdfGearbox:
    """Of a joint of type gearbox: θ(child) = −ratio · θ(parent), both seen from the reference link."""

    reference: str
    ratio: float
    axes: tuple[np.ndarray, np.ndarray]  # of the two angles, in the world


@dataclass(frozen=True, slots=True)
class SdfJoint:
    """A ``<joint>``: its frame in the world, where the model stands as described; `type` has its axes in that frame."""

    name: str
    parent: str
    child: str
    pose: Pose
    type: JointType
    springs: tuple[tuple[float, float], ...]  # stiffness and reference, one per degree of freedom
    mimic: SdfMimic | None
    gearbox: SdfGearbox | None
    where: Node


@dataclass(frozen=True, slots=True)
class SdfRobot:
    """All models of a file: links and joints by name, what was not read, in words."""

    name: str
    links: dict[str, SdfLink]
    joints: dict[str, SdfJoint]
    frames: dict[str, tuple[str, Pose]]  # <frame> elements: the link that each moves with, and its pose in the world
    canonical: tuple[str, ...]  # links that the file names as those that stand for their models
    gravity: tuple[float, ...] | None
    ignored: tuple[str, ...]
    where: Node


def parse_sdf(path: str | os.PathLike[str]) -> SdfRobot:
    """Read the SDF file at `path`, and those that it includes, into records."""
    reader = Reader(path)
    top, roots = reader.read()
    file = roots[0].file
    records = _Records(file)
    for name, scope in top.models.items():
        records.add(scope, top.pose(name, scope.where))
    if top.where.tag == "world":
        records.joints_of(top, HERE)
    if not records.links:
        raise top.where.error("has no <link>")
    found = [each for root in roots for each in unread(root, _READ, transparent=("model", "world"))]
    ignored = listed([*found, *records.unread], file) + records.meshes.missing()
    for node, uri, reason in reader.missing:
        ignored.append(f"<include> of {uri} not read: {reason}; {place(node.file, node.line, file)}")
    name = next(iter(top.models)) if len(top.models) == 1 else top.where.element.get("name") or "world"
    parts = records.links, records.joints, records.frames, tuple(records.canonical)
    return SdfRobot(name, *parts, top.gravity, tuple(ignored), top.where)


class _Records:
    """Collects the links and joints of scopes."""

    def __init__(self, file: str):
        self.links: dict[str, SdfLink] = {}
        self.joints: dict[str, SdfJoint] = {}
        self.frames: dict[str, tuple[str, Pose]] = {}
        self.canonical: list[str] = []
        self.unread: list[Unread] = []
        self.meshes = MeshFiles(file)

    def add(self, scope: Scope, pose: Pose) -> None:
        """Add what a model holds; `pose` places it in the world."""
        if scope.canonical is not None:
            self.canonical.append(scope.canonical_link(scope.where))
        for name, entry in scope.entries.items():
            if entry.kind == "link":
                full_name = scope.prefix + name
                at = pose @ scope.pose(name, entry.where)
                shapes = tuple(self._shapes(scope, name, full_name, entry.where))
                inertia = self._inertia(scope, entry.where)
                self.links[full_name] = SdfLink(full_name, at, inertia, shapes, scope.static, entry.where)
            elif entry.kind == "frame" and not name.startswith("_merged_"):
                at = pose @ scope.pose(name, entry.where)
                self.frames[scope.prefix + name] = scope.link(name, entry.where), at
        for name, inner in scope.models.items():
            self.add(inner, pose @ scope.pose(name, inner.where))
        self.joints_of(scope, pose)

    def joints_of(self, scope: Scope, pose: Pose) -> None:
        """Add the joints of a scope."""
        for name, entry in scope.joints.items():
            self.joints[scope.prefix + name] = self._joint(scope, name, entry.where, pose)

    # Links

    def _inertia(self, scope: Scope, link: Node) -> Inertia:
        node = link.child("inertial")
        if node is None:
            what = "a mass of 1 kg and moments of 1 kg m², SDF's own, of <link> without <inertial>"
            self.unread.append(Unread(what, link))
            return Inertia.trusted(1.0, np.zeros(3), np.eye(3))
        if node.boolean((node.element.get("auto") or "false").strip()):
            return self._automatic(scope, link, node.value("density", DENSITY))
        mass = node.value("mass", 1.0)
        if mass < 0.0:
            raise node.required("mass").error(f"the mass {mass:g} is negative")
        moments = node.child("inertia")
        entries = [value if moments is None else moments.value(key, value) for key, value in _ENTRIES.items()]
        pose, _ = read_pose(node, scope.version, "")
        return Inertia.trusted(mass, np.zeros(3), full(np.array(entries))).transformed(pose)

    def _automatic(self, scope: Scope, link: Node, density: float) -> Inertia:
        """The inertia of a link's collision shapes, each of uniform density."""
        whole = Inertia.trusted(0.0, np.zeros(3), np.zeros((3, 3)))
        for node in link.children("collision"):
            shape = _only_shape(node)
            kind, size = _size(shape)
            if kind not in _SHAPES or kind == "mesh":
                raise shape.error(f"the inertia of a <{kind}> is not computed; give <mass> and <inertia>")
            if min(size) <= 0.0:
                raise shape.error("a size must be positive")
            sizes = (size,) if kind == "box" else size
            part = getattr(Inertia, kind)(*sizes, density=node.value("density", density))
            whole = whole + part.transformed(read_pose(node, scope.version, "")[0])
        return whole

    def _shapes(self, scope: Scope, link: str, name: str, where: Node) -> Iterator[Visual]:
        for node in where.children():
            if node.tag not in ("visual", "collision"):
                continue
            shape = _only_shape(node)
            if shape.tag not in _SHAPES:
                continue  # listed as ignored already
            kind, size = _size(shape)
            uri = file = color = None
            if kind == "mesh":
                uri = shape.required("uri").content()
                file = self.meshes.find(shape, uri)
            material = node.child("material") if node.tag == "visual" else None
            if material is not None:
                tag = "diffuse" if material.child("diffuse") is not None else "ambient"
                color = material.values(tag, 4, ()) or None
                if color is not None and not all(0.0 <= part <= 1.0 for part in color):
                    raise material.required(tag).error("each part of a color must be between 0 and 1")
            pose, reference = read_pose(node, scope.version, link)
            if reference != link:
                pose = scope.pose(link, node).inverse() @ scope.pose(reference, node) @ pose
            collision = node.tag == "collision"
            yield Visual(name, pose, kind, size, uri, file, color, None, node.element.get("name"), collision)

    # Joints

    def _joint(self, scope: Scope, name: str, node: Node, pose: Pose) -> SdfJoint:
        kind = node.text("type")
        if kind not in TYPES:
            raise node.error(str(unknown_name("joint type", shorten(kind), TYPES)))
        parent, child = (scope.link(end.content(), end) for end in map(node.required, ("parent", "child")))
        if parent == child:
            raise node.error(f"joins the link {parent or 'world'!r} to itself")
        at = pose @ scope.joint_pose(name)
        numbers = {"universal": 2, "revolute2": 2, "gearbox": 2, "ball": 0, "fixed": 0}.get(kind, 1)
        axes = [node.required("axis"), *([node.required("axis2")] if numbers == 2 else [])] if numbers else []
        directions = [self._direction(scope, axis, pose, at) for axis in axes]
        for tag in ("axis", "axis2")[numbers:]:
            self.unread += [Unread(f"<joint><{tag}> of a {kind} joint", each) for each in node.children(tag)]
        gearbox = mimic = None
        joint_type: JointType = Fixed()
        if kind == "gearbox":
            reference = node.required("gearbox_reference_body")
            link = scope.link(reference.content(), reference)
            turned = [at.rotation @ direction for direction in directions]
            gearbox = SdfGearbox(link, node.value("gearbox_ratio", 1.0), (turned[0], turned[1]))
        else:
            joint_type = _type(kind, directions, node, axes)
            mimic = next((_mimic(scope, each) for each in axes if each.child("mimic") is not None), None)
        springs = tuple(_spring(axis) for axis in axes) if gearbox is None else ()
        return SdfJoint(scope.prefix + name, parent, child, at, joint_type, springs, mimic, gearbox, node)

    def _direction(self, scope: Scope, axis: Node, pose: Pose, at: Pose) -> np.ndarray:
        """An axis in the joint's own frame."""
        node = axis.child("xyz")
        direction = np.array((0.0, 0.0, 1.0) if node is None else node.floats(node.content(), 3))
        if not direction.any():
            raise axis.required("xyz").error("the axis is zero; it must have a direction")
        expressed = (node.element.get("expressed_in") or "").strip() if node is not None else ""
        in_model = axis.flag("use_parent_model_frame", default=scope.version < (1, 5))
        if not expressed and not (in_model and scope.version < (1, 7)):
            return direction
        frame = pose @ scope.pose(expressed or MODEL, axis)
        return at.rotation.T @ frame.rotation @ direction


def _type(kind: str, axes: list[np.ndarray], node: Node, elements: list[Node]) -> JointType:
    """The joint's type, with its axes in its own frame."""
    options = _options(kind, elements)
    if kind == "fixed":
        return Fixed()
    if kind == "ball":
        return Spherical()
    try:
        if kind == "prismatic":
            return Prismatic(axes[0], **options)
        if kind == "screw":
            return Helical(axes[0], _pitch(node), **options)
        return Revolute(axes[0], **options) if len(axes) == 1 else Universal(*axes, **options)
    except ValueError as problem:
        raise node.error(str(problem)) from None


def _pitch(node: Node) -> float:
    """Metres per radian; ``thread_pitch`` is in radians per metre of a left-handed thread, as Gazebo has it."""
    if node.child("screw_thread_pitch") is not None:
        return node.value("screw_thread_pitch") / (2.0 * np.pi)
    turns = node.value("thread_pitch", 1.0)
    if turns == 0.0:
        raise node.required("thread_pitch").error("must not be zero")
    return -1.0 / turns


def _options(kind: str, axes: list[Node]) -> dict[str, Any]:
    """Options of a `JointType`: a number, or one for each of two axes."""
    rows = [_axis_options(kind, axis) for axis in axes]
    if not rows:
        return {}
    if len(rows) == 1:
        return {key: value for key, value in rows[0].items() if value is not None}
    both = {key: tuple(row[key] for row in rows) for key in ("damping", "coulomb", "effort", "velocity")}
    limits = [(-np.inf, np.inf) if row["limits"] is None else row["limits"] for row in rows]
    return both | ({"limits": limits} if any(row["limits"] is not None for row in rows) else {})


def _axis_options(kind: str, axis: Node) -> dict[str, Any]:
    dynamics, limit = axis.child("dynamics"), axis.child("limit")
    options: dict[str, Any] = {"damping": 0.0, "coulomb": 0.0, "effort": np.inf, "velocity": np.inf, "limits": None}
    if dynamics is not None:
        for option, tag in (("damping", "damping"), ("coulomb", "friction")):
            options[option] = dynamics.value(tag, 0.0)
            if options[option] < 0.0:
                raise dynamics.required(tag).error("must not be negative")
    if limit is not None:
        for option in ("effort", "velocity"):
            bound = limit.value(option, -1.0, finite=False)
            options[option] = bound if 0.0 <= bound < UNLIMITED else np.inf
        lower, upper = (limit.value(key, sign * np.inf, finite=False) for key, sign in (("lower", -1), ("upper", 1)))
        if lower > upper:
            raise limit.error(f"the lower limit {lower:g} is above the upper limit {upper:g}")
        bounds = tuple(value if abs(value) < UNLIMITED else math.copysign(np.inf, value) for value in (lower, upper))
        if kind != "continuous" and bounds != (-np.inf, np.inf):
            options["limits"] = bounds
    return options


def _spring(axis: Node) -> tuple[float, float]:
    dynamics = axis.child("dynamics")
    if dynamics is None:
        return 0.0, 0.0
    stiffness, reference = dynamics.value("spring_stiffness", 0.0), dynamics.value("spring_reference", 0.0)
    if stiffness < 0.0:
        raise dynamics.required("spring_stiffness").error("must not be negative")
    return stiffness, reference


def _mimic(scope: Scope, axis: Node) -> SdfMimic:
    node = axis.required("mimic")
    leader = scope.prefix + node.text("joint")
    return SdfMimic(
        leader, node.value("multiplier", 1.0), node.value("offset", 0.0), node.value("reference", 0.0), node
    )


def _only_shape(node: Node) -> Node:
    shapes = list(node.required("geometry").children())
    if len(shapes) != 1:
        raise node.required("geometry").error(f"needs one shape; it has {len(shapes)}")
    return shapes[0]


def _size(shape: Node) -> tuple[str, tuple[float, ...]]:
    kind = shape.tag
    if kind == "mesh":
        return kind, shape.values("scale", 3, (1.0, 1.0, 1.0))
    if kind == "box":
        size = shape.values("size", 3, (1.0, 1.0, 1.0))
    else:
        size = tuple(shape.value(key) for key in _SHAPES.get(kind, ()))
    if size and min(size) < 0.0:
        raise shape.error("a size must not be negative")
    return kind, size
