"""The JSON schema of scene files, for editors that check and complete YAML while it is written."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import msgspec

from linkwork.io.scene_keys import Keys, Source
from linkwork.io.yaml_contacts import SHAPES as SURFACES
from linkwork.io.yaml_linkage import FORCES, JOINTS, KEYS, SHAPES, VERSION
from linkwork.io.yaml_shapes import RUBBING, SOLIDS
from linkwork.linkage.visuals import SIZES

NUMBER, TEXT, FLAG = {"type": ["number", "string"]}, {"type": "string"}, {"type": "boolean"}  # or an expression
NUMBERS = {"type": "array", "items": NUMBER}
ONE_OR_MORE: dict[str, Any] = {"anyOf": [NUMBER, {"type": "array"}]}
FLAGS = {"anyOf": [FLAG, {"type": "array", "items": FLAG}]}
AXIS = {"anyOf": [{"enum": ["x", "y", "z", "-x", "-y", "-z"]}, NUMBERS]}
STRENGTH = {  # a force, or force and torque
    "anyOf": [
        NUMBER,
        {"type": "object", "properties": {"force": NUMBER, "torque": NUMBER}, "additionalProperties": False},
    ]
}
POSE, JOINT = {"$ref": "#/$defs/pose"}, {"$ref": "#/$defs/joint"}


def scene_schema() -> dict[str, Any]:
    """The schema of a scene file; a file that describes a linkage and no more fits it too."""
    _, parts = msgspec.json.schema_components([Keys, Source], ref_template="#/$defs/{name}")
    parts = _with_expressions(parts)
    top = parts.pop("Keys")
    properties = (
        {"linkwork": {"const": VERSION, "description": "Version of the format"}} | _description() | top["properties"]
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "linkwork scene",
        "type": "object",
        "required": ["linkwork"],
        "properties": properties,
        "additionalProperties": False,
        "$defs": parts | _shared(),
    }


def _with_expressions(schema: Any) -> Any:
    """A schema in which numbers may be written as expressions of parameters."""
    if isinstance(schema, list):
        return [_with_expressions(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: _with_expressions(value) for key, value in schema.items()}
    if changed.get("type") in ("number", "integer"):
        changed["type"] = [changed["type"], "string"]
    return changed


def _mapping(required: tuple[str, ...] = (), /, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def _kinds(kinds: dict[str, Any], known: dict[str, Any], **extra: Any) -> list[dict[str, Any]]:
    """One mapping per kind, whose keys are the fields of its dataclass."""
    return [
        _mapping(
            ("type",),
            **{"type": {"const": name}, **extra},
            **{field.name: known.get(field.name, ONE_OR_MORE) for field in fields(kind)},
        )
        for name, kind in kinds.items()
    ]


def _listed(about: str, items: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "type": "array", "items": items}


def _description() -> dict[str, Any]:
    """The keys that describe a linkage."""
    inertia = {"$ref": "#/$defs/inertia"}
    body = _mapping(("name", "joint"), name=TEXT, parent=TEXT, at=POSE, joint=JOINT, inertia=inertia, strength=STRENGTH)
    frame = _mapping(("name", "body"), name=TEXT, body=TEXT, pose=POSE)
    loop = _mapping(
        ("a", "b", "joint"), name=TEXT, a=TEXT, b=TEXT, joint=JOINT, at_a=POSE, at_b=POSE, strength=STRENGTH
    )
    coupling = _mapping(("joint", "of"), joint=TEXT, of=TEXT, multiplier=NUMBER, offset=NUMBER, higher=NUMBERS)
    actuator = _mapping(
        ("name", "joint"), name=TEXT, joint=TEXT, gear=NUMBERS, transmission=TEXT, control=NUMBERS, force=NUMBERS
    )
    visual = {"type": "object", "required": ["body", "kind", "size"], "properties": {"kind": {"enum": list(SIZES)}}}
    forces = _kinds(FORCES, dict.fromkeys(("a", "b", "joint"), TEXT))
    rub = dict.fromkeys(RUBBING, NUMBER)
    described = {
        "name": {"description": "Name of the linkage"} | TEXT,
        "gravity": {"description": "m/s², world axes; default [0, 0, -9.81]"} | NUMBERS,
        "bodies": _listed("Bodies, each with the joint to its parent, parents first", body),
        "frames": _listed("Named poses on bodies", frame),
        "loops": _listed("Joints that close loops", loop),
        "forces": _listed("Springs, friction and motors", {"anyOf": forces}),
        "couplings": _listed("Joints that follow others", coupling),
        "contacts": _listed("Points that are kept on surfaces", {"$ref": "#/$defs/contact"}),
        "shapes": _listed("Shapes of bodies and of ground that touch", {"$ref": "#/$defs/shape"}),
        "meet": _listed("Shapes that meet, and coefficients of their own", _mapping(("a", "b"), a=TEXT, b=TEXT, **rub)),
        "part": _listed("Shapes that pass through each other", _mapping(("a", "b"), a=TEXT, b=TEXT)),
        "visuals": _listed("Shapes to look at", visual),
        "actuators": _listed("What drives joints in the file that this was made from", actuator),
        "configurations": {
            "description": "Configurations q by name",
            "type": "object",
            "additionalProperties": NUMBERS,
        },
        "ignored": _listed("What a reader of another format left out", TEXT),
    }
    assert set(described) == set(KEYS)
    return described


def _shared() -> dict[str, Any]:
    """Joints, poses and inertias."""
    axes = {name: AXIS for kind in JOINTS.values() for name in kind.axis_names()}
    joints = _kinds(JOINTS, axes | {"actuated": FLAGS}, name=TEXT)
    sizes = {"size": NUMBERS, "length": NUMBER, "radius": NUMBER, "axis": AXIS}
    inertias = [_mapping(("mass",), mass=NUMBER, com=NUMBERS, matrix={"type": "array"})]
    for shape, given in SHAPES.items():
        needed = ("shape", *(key for key in given if key != "axis"))
        options = {key: sizes[key] for key in given}
        inertias.append(_mapping(needed, shape={"const": shape}, mass=NUMBER, density=NUMBER, com=NUMBERS, **options))
    surfaces = [_mapping(("type", "expression"), type={"const": "Surface"}, expression=TEXT, sliding=NUMBERS)]
    surfaces += _kinds(SURFACES, {"axis": AXIS, "normal": AXIS, "inside": FLAG}, sliding=NUMBERS)
    contact = {
        "name": TEXT, "body": TEXT, "point": NUMBERS, "friction": NUMBER, "static_friction": NUMBER, "singular": TEXT,
        "strength": STRENGTH,
    }  # fmt: skip
    solids = _kinds(SOLIDS, {})
    solids.append(_mapping(("type",), type={"const": "Mesh"}, file=TEXT, points={"type": "array"}, scale=ONE_OR_MORE))
    shape = {"name": TEXT, "body": TEXT, "at": POSE, "shape": {"anyOf": solids + surfaces}}
    return {
        "shape": _mapping(("body", "shape"), **shape, **dict.fromkeys(RUBBING, NUMBER)),
        "contact": _mapping(("body", "surface"), **contact, surface={"anyOf": surfaces}),
        "joint": {"anyOf": joints},
        "pose": _mapping((), position=NUMBERS, rotation={"type": "array"}, rpy=NUMBERS),
        "inertia": {"anyOf": inertias},
    }
