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
loops:                        # joints that close a loop
- {a: upper, b: ground, at_a: {position: [0, 0, 1]}, at_b: {position: [0, 1, 1]}, joint: {type: Spherical, name: pin}}
frames:
- {name: tool, body: upper, pose: {position: [0, 0, 1]}}
forces:
- {type: Spring, a: tool, b: ground, stiffness: 100}
```
Numbers are written so that reading gives back the same bits.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from linkwork.errors import unknown_name
from linkwork.io.marked import Marked
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.forces import Force, JointFriction, JointSpring, Spring
from linkwork.linkage.inertia import Inertia, full, six
from linkwork.linkage.joint import TYPES, Joint, JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.loops import LoopRecord
from linkwork.linkage.pose import Pose
from linkwork.linkage.visuals import SIZES, Visual

VERSION = 1
JOINTS = {kind.__name__: kind for kind in TYPES}
FORCES: dict[str, type[Force]] = {kind.__name__: kind for kind in (Spring, JointSpring, JointFriction)}
AXIS_NAMES = ("axis", "a", "b", "normal")
Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


# Reading


def read_yaml(path: Path) -> Linkage:
    """Read a linkage from a YAML file."""
    keys = ("name", "gravity", "bodies", "frames", "forces", "couplings", "visuals", "ignored")
    top = Marked.read(path).mapping(("linkwork",), (*keys, "loops"))
    if top["linkwork"].number() != VERSION:
        top["linkwork"].fail(
            f"this is version {top['linkwork'].text()} of the format; version {VERSION} can be read"
        )
    linkage = Linkage(name=top["name"].text() if "name" in top else path.stem)
    if "gravity" in top:
        top["gravity"].attempt(setattr, linkage, "gravity", top["gravity"].numbers())
    for entry in top["bodies"].sequence() if "bodies" in top else ():
        _read_body(linkage, entry)
    for entry in top["loops"].sequence() if "loops" in top else ():
        _read_loop(linkage, entry)
    for entry in top["frames"].sequence() if "frames" in top else ():
        frame = entry.mapping(("name", "body"), ("pose",))
        pose = _read_pose(frame["pose"]) if "pose" in frame else Pose()
        entry.attempt(linkage.add_frame, frame["name"].text(), frame["body"].text(), pose)
    for entry in top["forces"].sequence() if "forces" in top else ():
        entry.attempt(linkage.add_force, _read_force(entry))
    for entry in top["couplings"].sequence() if "couplings" in top else ():
        linkage.couplings.append(_read_coupling(linkage, entry))
    for entry in top["visuals"].sequence() if "visuals" in top else ():
        linkage.visuals.append(_read_visual(linkage, entry))
    linkage.ignored = top["ignored"].strings() if "ignored" in top else []
    return linkage


def _read_body(linkage: Linkage, entry: Marked) -> None:
    body = entry.mapping(("name", "joint"), ("parent", "at", "inertia"))
    joint, joint_name = _read_joint(body["joint"])
    entry.attempt(
        linkage.add_body,
        body["name"].text(),
        _read_inertia(body["inertia"]) if "inertia" in body else None,
        joint=joint,
        parent=body["parent"].text() if "parent" in body else "ground",
        at=_read_pose(body["at"]) if "at" in body else Pose(),
        joint_name=joint_name,
    )


def _read_loop(linkage: Linkage, entry: Marked) -> None:
    loop = entry.mapping(("a", "b", "joint"), ("at_a", "at_b", "strength"))
    joint, name = _read_joint(loop["joint"])
    options = {key: _read_pose(loop[key]) for key in ("at_a", "at_b") if key in loop}
    if "strength" in loop:
        options["strength"] = loop["strength"].number()
    entry.attempt(linkage.connect, loop["a"].text(), loop["b"].text(), joint, name=name, **options)


def _read_joint(entry: Marked) -> tuple[JointType, str | None]:
    kind, given = _kind(entry, JOINTS, "joint type", ("name",))
    name = given.pop("name").text() if "name" in given else None
    options: dict[str, Any] = {}
    for key, value in given.items():
        if key in AXIS_NAMES and not value.is_sequence():
            options[key] = value.text()
        elif key == "actuated":
            flags = value.sequence() if value.is_sequence() else None
            options[key] = value.boolean() if flags is None else [flag.boolean() for flag in flags]
        else:
            options[key] = value.numbers()
    return entry.attempt(kind, **options), name


def _read_force(entry: Marked) -> Force:
    kind, given = _kind(entry, FORCES, "force")
    named = ("a", "b", "joint")
    return entry.attempt(kind, **{key: v.text() if key in named else v.numbers() for key, v in given.items()})


def _read_coupling(linkage: Linkage, entry: Marked) -> Coupling:
    given = entry.mapping(("joint", "of"), ("multiplier", "offset"))
    for side in ("joint", "of"):
        given[side].attempt(linkage.resolve_joint, given[side].text())
    numbers = {key: given[key].number() for key in ("multiplier", "offset") if key in given}
    return Coupling(given["joint"].text(), given["of"].text(), **numbers)


def _read_visual(linkage: Linkage, entry: Marked) -> Visual:
    given = entry.mapping(("body", "kind", "size"), [field.name for field in fields(Visual)])
    given["body"].attempt(linkage.resolve, given["body"].text())
    kind, size = given["kind"].text(), given["size"].numbers()
    if kind not in SIZES:
        given["kind"].fail(str(unknown_name("kind of shape", kind, SIZES)))
    if np.shape(size) != (SIZES[kind],):
        given["size"].fail(f"a {kind} has {SIZES[kind]} numbers in its list of sizes")
    options: dict[str, Any] = {"kind": kind, "size": tuple(size), "pose": Pose()}
    for key in given.keys() - {"kind", "size"}:
        value = given[key]
        if key == "pose":
            options[key] = _read_pose(value)
        elif key == "color":
            options[key] = tuple(part.number() for part in value.sequence())
        else:
            options[key] = value.boolean() if key == "collision" else value.text()
    return Visual(**options)


def _kind(
    entry: Marked, kinds: dict[str, Any], what: str, extra: tuple[str, ...] = ()
) -> tuple[Any, dict[str, Marked]]:
    """Return the class that `type` names, and the other entries: its fields and `extra`."""
    name = entry.get("type").text()
    if name not in kinds:
        entry.get("type").fail(str(unknown_name(what, name, kinds)))
    given = entry.mapping(("type",), (*(field.name for field in fields(kinds[name])), *extra))
    del given["type"]
    return kinds[name], given


def _read_pose(entry: Marked) -> Pose:
    given = entry.mapping((), ("position", "rotation", "rpy"))
    position = given["position"].numbers() if "position" in given else (0.0, 0.0, 0.0)
    if "rpy" not in given:
        return entry.attempt(Pose, position, given["rotation"].numbers() if "rotation" in given else None)
    if "rotation" in given:
        entry.fail("give rotation or rpy, not both")
    angles = [angle.number() for angle in given["rpy"].sequence()]
    if len(angles) != 3:
        given["rpy"].fail("must be three angles: roll, pitch, yaw")
    return entry.attempt(Pose.rpy, *angles, position=position)


def _read_inertia(entry: Marked) -> Inertia:
    given = entry.mapping(("mass",), ("com", "matrix"))
    com = given["com"].numbers() if "com" in given else (0.0, 0.0, 0.0)
    matrix = given["matrix"].numbers() if "matrix" in given else [0.0, 0.0, 0.0]
    if np.shape(matrix) == (6,):
        matrix = full(np.array(matrix))
    return entry.attempt(Inertia, given["mass"].number(), com, matrix)


# Writing


def write_yaml(linkage: Linkage, path: Path) -> None:
    """Write a linkage to a YAML file."""
    document: dict[str, Any] = {
        "linkwork": VERSION,
        "name": linkage.name,
        "gravity": linkage.gravity.tolist(),
    }
    document["bodies"] = [_body(joint) for joint in linkage.joints]
    frames = [{"name": f.name, "body": f.body.name} | _pose("pose", f.pose) for f in linkage.frames]
    forces = [_force(force) for force in linkage.forces]
    couplings = [{field.name: getattr(c, field.name) for field in fields(c)} for c in linkage.couplings]
    visuals = [_visual(visual) for visual in linkage.visuals]
    lists = {"frames": frames, "forces": forces, "couplings": couplings, "visuals": visuals}
    lists |= {"loops": [_loop(linkage, name, record) for name, record in _loops(linkage)]}
    document |= {key: entries for key, entries in lists.items() if entries}
    if linkage.ignored:
        document["ignored"] = list(linkage.ignored)
    with path.open("w", encoding="utf-8") as stream:
        yaml.dump(
            document,
            stream,
            Dumper=Dumper,
            sort_keys=False,
            allow_unicode=True,
            width=110,
            default_flow_style=None,
        )


def _body(joint: Joint) -> dict[str, Any]:
    body, kind = joint.child, joint.type
    written = {"name": body.name, "parent": joint.parent.name} | _pose("at", joint.at)
    inertia = body.inertia
    written["joint"] = _joint(kind, None if joint.name == body.name else joint.name)
    written["inertia"] = {
        "mass": inertia.mass,
        "com": inertia.com.tolist(),
        "matrix": six(inertia.matrix).tolist(),
    }
    return written


def _joint(kind: JointType, name: str | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": type(kind).__name__}
    if name is not None:
        entry["name"] = name
    geometry = [field.name for field in fields(kind) if not field.kw_only]
    entry |= {option: _plain(getattr(kind, option)) for option in geometry}
    return entry | {option: _plain(value) for option, value in kind.options().items()}


def _loops(linkage: Linkage):
    return zip(linkage.loops.names, linkage.loop_records, strict=True)


def _loop(linkage: Linkage, name: str, record: LoopRecord) -> dict[str, Any]:
    a, b = linkage.body_at(record.a).name, linkage.body_at(record.b).name
    written = {"a": a, "b": b} | _pose("at_a", record.at_a) | _pose("at_b", record.at_b)
    strength = {} if record.strength is None else {"strength": record.strength}
    return written | {"joint": _joint(record.type, name)} | strength


def _pose(key: str, pose: Pose) -> dict[str, Any]:
    if pose.is_identity():
        return {}
    written: dict[str, Any] = {"position": pose.position.tolist()}
    if not np.array_equal(pose.rotation, np.eye(3)):
        written["rotation"] = pose.rotation.tolist()  # the matrix: a quaternion would lose the last bit
    return {key: written}


def _visual(visual: Visual) -> dict[str, Any]:
    written = {"body": visual.body} | _pose("pose", visual.pose) | {"kind": visual.kind}
    for field in fields(visual):
        value = getattr(visual, field.name)
        if field.name not in ("body", "pose", "kind") and value != field.default:
            written[field.name] = _plain(value)
    return written


def _force(force: Force) -> dict[str, Any]:
    return {"type": type(force).__name__} | {f.name: _plain(getattr(force, f.name)) for f in fields(force)}


def _plain(value: Any) -> Any:
    """Return tuples as lists: YAML has no tuples."""
    return [_plain(entry) for entry in value] if isinstance(value, tuple) else value
