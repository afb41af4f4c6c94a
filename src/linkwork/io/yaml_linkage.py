"""Our own description of a linkage, in YAML.

```yaml
linkwork: 1
name: arm
gravity: [0, 0, -9.81]
bodies:                       # parents first
- name: upper
  parent: ground
  at: {position: [0, 0, 1], rpy: [0, 0, 0]}     # or rotation: a quaternion xyzw or a 3×3 matrix
  joint: {type: Revolute, name: shoulder, axis: y, damping: 0.1, limits: [-1, 1]}
  inertia: {mass: 2, com: [0, 0, 0.5], matrix: [xx, xy, xz, yy, yz, zz]}    # about the com
- name: lower
  ...
  inertia: {shape: rod, length: 1, mass: 2, com: [0, 0, 0.5]}               # or box, sphere, cylinder, capsule, point
frames:
- {name: tool, body: upper, pose: {position: [0, 0, 1]}}
loops:
- {name: pin, a: ground, b: lower, joint: {type: Revolute, axis: y}, at_a: {position: [1, 0, 0]}}
forces:
- {type: Spring, a: tool, b: ground, stiffness: 100}
```
Numbers are written so that reading gives back the same bits.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from linkwork.errors import unknown_name
from linkwork.io.marked import Marked, optional
from linkwork.io.yaml_contacts import read_contact, written_contact
from linkwork.io.yaml_shapes import read_meeting, read_shape, written_meetings, written_shape
from linkwork.io.yaml_strength import read_strength, written_strength
from linkwork.linkage.actuator import Actuator
from linkwork.linkage.body import GROUND, Frame
from linkwork.linkage.columns import BODY
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.forces import Force, JointFriction, JointSpring, Spring
from linkwork.linkage.inertia import Inertia, full
from linkwork.linkage.joint import TYPES
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.loops import Loop
from linkwork.linkage.motor import Motor
from linkwork.linkage.pose import ORIGIN, Pose
from linkwork.linkage.visuals import SIZES, Visual

VERSION = 1
KEYS = (
    "name", "gravity", "bodies", "frames", "loops", "forces", "couplings", "contacts", "shapes", "meet", "part",
    "visuals", "actuators", "configurations", "ignored",
)  # fmt: skip
SHAPES = {  # what is given of each shape besides mass or density, and com
    "point": (), "box": ("size",), "rod": ("length", "axis"), "sphere": ("radius",),
    "cylinder": ("radius", "length", "axis"), "capsule": ("radius", "length", "axis"),
}  # fmt: skip
JOINTS = {kind.__name__: kind for kind in TYPES}
FORCES: dict[str, type[Force]] = {kind.__name__: kind for kind in (Spring, JointSpring, JointFriction, Motor)}
Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_CONTROLS = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0xFEFF)}  # JSON takes them, YAML does not


# Reading


def read_yaml(path: Path) -> Linkage:
    """Read a linkage from a YAML file."""
    from linkwork.io.scene_keys import KEY_TYPES

    root = Marked.read(path)
    top = root.mapping(("linkwork",), (*KEYS, *KEY_TYPES))
    for key in KEY_TYPES:
        if key in top:
            top[key].fail("this file is a scene, not only a linkage: read it with linkwork.load_scene")
    check_version(top)
    linkage = Linkage(name=path.stem)
    read_description(linkage, top)
    return linkage


def check_version(top: dict[str, Marked]) -> None:
    """Refuse another version of the format."""
    if top["linkwork"].number() != VERSION:
        top["linkwork"].fail(f"this is version {top['linkwork'].text()} of the format; version {VERSION} can be read")


def read_description(linkage: Linkage, top: dict[str, Marked]) -> None:
    """Add to a linkage what the entries of a file describe."""
    if "name" in top:
        linkage.name = top["name"].text()
    if "gravity" in top:
        top["gravity"].attempt(setattr, linkage, "gravity", top["gravity"].numbers())
    for entry in _entries(top, "bodies"):
        _read_body(linkage, entry)
    for entry in _entries(top, "frames"):
        frame = entry.mapping(("name", "body"), ("pose",))
        pose = optional(frame, "pose", read_pose, Pose())
        entry.attempt(linkage.add_frame, frame["name"].text(), frame["body"].text(), pose)
    for entry in _entries(top, "loops"):
        _read_loop(linkage, entry)
    for entry in _entries(top, "forces"):
        entry.attempt(linkage.add_force, _read_force(entry))
    for entry in _entries(top, "couplings"):
        coupling = _read_coupling(linkage, entry)
        if coupling not in linkage.couplings:
            linkage.couplings.append(coupling)
    for entry in _entries(top, "contacts"):
        read_contact(linkage, entry)
    for entry in _entries(top, "shapes"):
        read_shape(linkage, entry, read_pose)
    for key in ("meet", "part"):
        for entry in _entries(top, key):
            read_meeting(linkage, entry, meets=key == "meet")
    for entry in _entries(top, "visuals"):
        linkage.visuals.append(_read_visual(linkage, entry))
    for entry in _entries(top, "actuators"):
        linkage.actuators.append(_read_actuator(linkage, entry))
    for name, entry in (top["configurations"].names() if "configurations" in top else {}).items():
        q = np.array(entry.numbers())
        if q.shape != (linkage.nq,):
            entry.fail(f"has shape {q.shape}; the linkage has nq = {linkage.nq}")
        linkage.configurations[name] = q
    if "ignored" in top:
        linkage.ignored = top["ignored"].strings()


def _entries(top: dict[str, Marked], key: str) -> list[Marked]:
    return top[key].sequence() if key in top else []


def _read_body(linkage: Linkage, entry: Marked) -> None:
    body = entry.mapping(("name", "joint"), ("parent", "at", "inertia", "strength"))
    joint, joint_name = read_joint(body["joint"])
    entry.attempt(
        linkage.add_body,
        body["name"].text(),
        optional(body, "inertia", _read_inertia),
        joint=joint,
        parent=optional(body, "parent", Marked.text, "ground"),
        at=optional(body, "at", read_pose, Pose()),
        joint_name=joint_name,
        strength=read_strength(body),
    )


def _read_loop(linkage: Linkage, entry: Marked) -> None:
    loop = entry.mapping(("a", "b", "joint"), ("name", "at_a", "at_b", "strength"))
    joint, name = read_joint(loop["joint"])
    if "name" in loop and name is not None:
        loop["name"].fail("the loop joint is named twice, here and in `joint`")
    entry.attempt(
        linkage.connect,
        loop["a"].text(),
        loop["b"].text(),
        joint,
        at_a=optional(loop, "at_a", read_pose, Pose()),
        at_b=optional(loop, "at_b", read_pose, Pose()),
        name=optional(loop, "name", Marked.text, name),
        strength=read_strength(loop),
    )


def read_joint(entry: Marked) -> tuple[JointType, str | None]:
    """Return a joint type, and a name where one is given."""
    kind, given = entry.kind(JOINTS, "joint type", "name")
    name = given.pop("name").text() if "name" in given else None
    options: dict[str, Any] = {}
    for key, value in given.items():
        options[key] = value.axis() if key in kind.axis_names() else read_option(key, value)
    return entry.attempt(kind, **options), name


def read_option(option: str, value: Marked) -> Any:
    """Return an option of a joint: one value, or one per degree of freedom."""
    if option != "actuated":
        return value.numbers()
    return [flag.boolean() for flag in value.sequence()] if value.is_sequence() else value.boolean()


def _read_force(entry: Marked) -> Force:
    kind, given = entry.kind(FORCES, "force")
    named = ("a", "b", "joint")
    return entry.attempt(kind, **{key: v.text() if key in named else v.numbers() for key, v in given.items()})


def _read_coupling(linkage: Linkage, entry: Marked) -> Coupling:
    given = entry.mapping(("joint", "of"), ("multiplier", "offset", "higher"))
    for side in ("joint", "of"):
        given[side].attempt(linkage._resolve_joint, given[side].text())
    numbers = {key: given[key].number() for key in ("multiplier", "offset") if key in given}
    if "higher" in given:
        numbers["higher"] = given["higher"].numbers()
    return entry.attempt(Coupling, given["joint"].text(), given["of"].text(), **numbers)


def _read_actuator(linkage: Linkage, entry: Marked) -> Actuator:
    given = entry.mapping(("name", "joint"), ("gear", "transmission", "control", "force"))
    given["joint"].attempt(linkage._resolve_joint, given["joint"].text())
    texts: dict[str, Any] = {key: given[key].text() for key in ("name", "joint", "transmission") if key in given}
    rows: dict[str, Any] = {}
    for key in given.keys() - texts.keys():
        rows[key] = tuple(part.number() for part in given[key].sequence())
    return Actuator(**texts, **rows)


def _read_visual(linkage: Linkage, entry: Marked) -> Visual:
    given = entry.mapping(("body", "kind", "size"), [field.name for field in fields(Visual)])
    given["body"].attempt(linkage._resolve, given["body"].text())
    kind, size = given["kind"].text(), given["size"].numbers()
    if kind not in SIZES:
        given["kind"].fail(str(unknown_name("kind of shape", kind, SIZES)))
    if np.shape(size) != (SIZES[kind],):
        given["size"].fail(f"a {kind} has {SIZES[kind]} numbers in its list of sizes")
    options: dict[str, Any] = {"kind": kind, "size": tuple(size), "pose": Pose()}
    for key in given.keys() - {"kind", "size"}:
        value = given[key]
        if key == "pose":
            options[key] = read_pose(value)
        elif key == "color":
            options[key] = tuple(part.number() for part in value.sequence())
        else:
            options[key] = value.boolean() if key == "collision" else value.text()
    return Visual(**options)


def read_pose(entry: Marked) -> Pose:
    """Return a pose; three numbers alone are its position."""
    if entry.is_sequence():
        return entry.attempt(Pose, entry.numbers())
    given = entry.mapping((), ("position", "rotation", "rpy"))
    position = optional(given, "position", Marked.numbers, ORIGIN)
    if "rpy" not in given:
        return entry.attempt(Pose, position, optional(given, "rotation", Marked.numbers))
    if "rotation" in given:
        entry.fail("give rotation or rpy, not both")
    angles = [angle.number() for angle in given["rpy"].sequence()]
    if len(angles) != 3:
        given["rpy"].fail("must be three angles: roll, pitch, yaw")
    return entry.attempt(Pose.rpy, *angles, position=position)


def _read_inertia(entry: Marked) -> Inertia:
    if "shape" in entry.names("key"):
        return _read_shape(entry)
    given = entry.mapping(("mass",), ("com", "matrix"))
    matrix = optional(given, "matrix", Marked.numbers)
    if np.shape(matrix) == (6,):
        matrix = full(np.array(matrix))
    return entry.attempt(Inertia, given["mass"].number(), optional(given, "com", Marked.numbers, ORIGIN), matrix)


def _read_shape(entry: Marked) -> Inertia:
    shape = entry.get("shape").text()
    if shape not in SHAPES:
        entry.get("shape").fail(str(unknown_name("shape", shape, SHAPES)))
    required = [key for key in SHAPES[shape] if key != "axis"] + (["mass"] if shape == "point" else [])
    given = entry.mapping(
        ("shape", *required), (*SHAPES[shape], "com", *(() if shape == "point" else ("mass", "density")))
    )
    del given["shape"]
    options = {key: value.axis() if key == "axis" else value.numbers() for key, value in given.items()}
    return entry.attempt(getattr(Inertia, shape), **options)


# Writing


def write_yaml(linkage: Linkage, path: Path) -> None:
    """Write a linkage to a YAML file."""
    write_document(_document(linkage, path), path)


def one_line(linkage: Linkage) -> str:
    """A linkage as YAML in a line of JSON, which is written in a tenth of the time: for nobody to edit."""
    text = json.dumps(_document(linkage, Path("linkage.yaml")), ensure_ascii=False)
    return text.translate(_CONTROLS)


def _document(linkage: Linkage, path: Path) -> dict[str, Any]:
    """A linkage as entries of a file."""
    document: dict[str, Any] = {"linkwork": VERSION, "name": linkage.name, "gravity": linkage.gravity.tolist()}
    document["bodies"] = _bodies(linkage)
    lists = written_lists(linkage, path) | {"ignored": list(linkage.ignored)}
    return document | {key: entries for key, entries in lists.items() if entries}


def written_lists(linkage: Linkage, path: Path) -> dict[str, Any]:
    """All but the bodies of a linkage, as entries of a file."""
    return {
        "frames": [written_frame(frame) for frame in linkage.frames],
        "loops": [_loop(loop) for loop in linkage.loops],
        "forces": [_force(force) for force in linkage.forces],
        "couplings": [_coupling(coupling) for coupling in linkage.couplings],
        "contacts": [written_contact(contact, path) for contact in linkage.contacts],
        "shapes": [written_shape(shape, path, _pose("at", shape.at)) for shape in linkage.shapes],
        "meet": written_meetings(linkage, meets=True),
        "part": written_meetings(linkage, meets=False),
        "visuals": [written_visual(visual) for visual in linkage.visuals],
        "actuators": [_actuator(actuator) for actuator in linkage.actuators],
        "configurations": {name: np.asarray(q).tolist() for name, q in linkage.configurations.items()},
    }


def write_document(document: dict[str, Any], path: Path) -> None:
    """Write plain values to a YAML file."""
    style: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 110, "default_flow_style": None}
    with path.open("w", encoding="utf-8") as stream:
        yaml.dump(document, stream, Dumper=Dumper, **style)


def _bodies(linkage: Linkage) -> list[dict[str, Any]]:
    """All bodies with their tree joints; column by column, for there may be very many."""
    columns, strengths = linkage.columns, linkage.strengths
    names, joints = columns.body_names, columns.joint_names
    values = {name: getattr(columns, name).tolist() for name in BODY}
    is_moved = (columns.at_position != 0.0).any(axis=1)
    is_turned = (columns.at_rotation != np.eye(3)).any(axis=(1, 2))
    has_options, written = columns.have_options(), []
    for k, (name, joint, parent) in enumerate(zip(names, joints, values["parent"], strict=True)):
        kind, body = TYPES[values["code"][k]], {"name": name, "parent": names[parent] if parent >= 0 else GROUND}
        if is_moved[k] or is_turned[k]:
            body["at"] = {"position": values["at_position"][k]}
            if is_turned[k]:
                body["at"]["rotation"] = values["at_rotation"][k]  # the matrix: a quaternion would lose the last bit
        body["joint"] = {"type": kind.__name__} | ({} if joint == name else {"name": joint})
        arguments = zip(kind.arguments(), kind.columns(), strict=True)
        body["joint"] |= {argument: values[column][k] for argument, column in arguments}
        if has_options[k]:
            body["joint"] |= {option: plain(value) for option, value in columns.joint_type(k).options().items()}
        body["inertia"] = {"mass": values["mass"][k], "com": values["com"][k], "matrix": values["inertia"][k]}
        written.append(body | written_strength(strengths.get(joint)))
    return written


def written_frame(frame: Frame) -> dict[str, Any]:
    """A frame as an entry of a file."""
    return {"name": frame.name, "body": frame.body.name} | _pose("pose", frame.pose)


def _loop(loop: Loop) -> dict[str, Any]:
    written: dict[str, Any] = {"name": loop.name, "a": loop.parent.name, "b": loop.real.name}
    written |= {"joint": _joint(loop.type)} | _pose("at_a", loop.at_a) | _pose("at_b", loop.at_b)
    return written | written_strength(loop.strength)


def _joint(kind: JointType) -> dict[str, Any]:
    written: dict[str, Any] = {"type": type(kind).__name__}
    written |= {field.name: plain(getattr(kind, field.name)) for field in fields(kind) if not field.kw_only}
    return written | {option: plain(value) for option, value in kind.options().items()}


def _pose(key: str, pose: Pose) -> dict[str, Any]:
    if pose.is_identity():
        return {}
    written: dict[str, Any] = {"position": pose.position.tolist()}
    if not np.array_equal(pose.rotation, np.eye(3)):
        written["rotation"] = pose.rotation.tolist()  # the matrix: a quaternion would lose the last bit
    return {key: written}


def written_visual(visual: Visual) -> dict[str, Any]:
    """A visual as an entry of a file."""
    written = {"body": visual.body} | _pose("pose", visual.pose) | {"kind": visual.kind}
    for field in fields(visual):
        value = getattr(visual, field.name)
        if field.name not in ("body", "pose", "kind") and value != field.default:
            written[field.name] = plain(value)
    return written


def _coupling(coupling: Coupling) -> dict[str, Any]:
    return {key: value for key, value in asdict(coupling).items() if key != "higher" or value}


def _force(force: Force) -> dict[str, Any]:
    return {"type": type(force).__name__} | {f.name: plain(getattr(force, f.name)) for f in fields(force)}


def _actuator(actuator: Actuator) -> dict[str, Any]:
    return {key: plain(value) for key, value in asdict(actuator).items() if value is not None}


def plain(value: Any) -> Any:
    """Return tuples and arrays as lists: YAML has no others."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return [plain(entry) for entry in value] if isinstance(value, tuple | list) else value
