"""The keys of a scene file, beyond those that describe a linkage: one struct per section, one field per key.

Readers, the JSON schema for editors and the table in the docs are all made from these.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

_EXPRESSION = {"type": ["number", "string"]}
_SEVERAL = {"anyOf": [_EXPRESSION, {"type": "array", "items": _EXPRESSION}]}


def _later(what: str, **schema: Any) -> Meta:
    """What editors show of a field that the reader leaves to others."""
    return Meta(description=what, extra_json_schema=schema)


def _shared(what: str, name: str) -> Meta:
    return _later(what, **{"$ref": f"#/$defs/{name}"})


class Section(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A mapping of the file; `marks` holds its entries, which know their lines."""

    @property
    def marks(self) -> dict[str, Any]:
        """The entries that were given."""
        return vars(self)["marks"]

    @marks.setter
    def marks(self, value: dict[str, Any]) -> None:
        vars(self)["marks"] = value


class Source(Section):
    """A linkage that is described elsewhere: `file` or `sample`. What else this file describes is added to it."""

    file: Annotated[str | None, Meta(description="URDF, SDF, MJCF or YAML file, relative to this one")] = None
    base: Annotated[Literal["fixed", "free"], Meta(description="URDF, SDF: whether the root is fixed to ground")] = (
        "fixed"
    )
    keep_fixed: Annotated[bool, Meta(description="URDF, SDF: keep links on fixed joints as bodies")] = False
    collisions: Annotated[bool, Meta(description="URDF: read collision elements as shapes that touch")] = False
    sample: Annotated[str | None, Meta(description="Name of a function of `linkwork.samples`")] = None
    options: Annotated[dict[str, float], Meta(description="Its arguments, by name")] = {}


class Start(Section):
    """The state at t = 0; joints that are not named start at zero."""

    q: Annotated[Any, _later(
        "Coordinates by joint name: a number or constant expression, or a list of them",
        type="object", additionalProperties=_SEVERAL,
    )] = None  # fmt: skip
    v: Annotated[Any, _later("Velocities by joint name, likewise", type="object", additionalProperties=_SEVERAL)] = None
    close: Annotated[bool, Meta(description="Move the coordinates to where all loops close")] = False


class BodyWrench(Section):
    """A force and a torque on a body, in world axes."""

    body: Annotated[str, Meta(description="Body or frame")]
    force: Annotated[Any, _later("Three expressions, N", type="array", items=_EXPRESSION)] = None
    torque: Annotated[Any, _later("Three expressions, N m", type="array", items=_EXPRESSION)] = None
    point: Annotated[
        Any, _later("Where the force acts, in the body's frame, m", type="array", items={"type": "number"})
    ] = None


class Connect(Section):
    """A loop joint that is closed during the run."""

    a: Annotated[str, Meta(description="Body or frame")]
    b: Annotated[str, Meta(description="Body or frame")]
    joint: Annotated[Any, _shared("The joint", "joint")]
    name: Annotated[str | None, Meta(description="Name of the joint")] = None
    at_a: Annotated[Any, _shared("Its frame in a; default: the frame of a", "pose")] = None
    at_b: Annotated[Any, _shared("Its frame in b; default: where that is at that moment", "pose")] = None
    strength: Annotated[float, Meta(gt=0, description="Force beyond which it breaks, N")] | None = None
    close: Annotated[bool, Meta(description="Move the bodies together where there is a gap")] = False


class Happening(Section):
    """Something that happens `at` a time or `when` a condition is met. Give one of these and one or more actions."""

    at: Annotated[float, Meta(ge=0, description="Time, s")] | None = None
    when: Annotated[Any, _later(
        "Expression in t, q[joint] and v[joint]: a number that crosses zero, or a comparison that turns true",
        type="string",
    )] = None  # fmt: skip
    direction: Annotated[Literal["both", "rising", "falling"], Meta(description="Which crossings of zero count")] = (
        "both"
    )
    once: Annotated[bool, Meta(description="Whether the first time is the last")] = False
    cut: Annotated[str | None, Meta(description="Name of the joint to cut")] = None
    connect: Annotated[Connect | None, Meta(description="The loop joint to close")] = None
    constrain: Annotated[Any, _shared("A point to keep on a surface from then on", "contact")] = None
    release: Annotated[str | None, Meta(description="Name of the contact to release")] = None
    v: Annotated[Any, _later("Velocities to set, by joint name", type="object", additionalProperties=_SEVERAL)] = None
    gravity: Annotated[Any, _later("Gravity from then on, m/s²", type="array", items={"type": "number"})] = None
    stop: Annotated[bool, Meta(description="End the run")] = False


class Run(Section):
    """How the motion is computed."""

    until: Annotated[float, Meta(gt=0, description="Time at the end, s")] = 10.0
    dt: Annotated[float, Meta(gt=0, description="Size of a step, s; of the first one with step control")] = 1e-3
    integrator: Annotated[
        Literal["rk4", "semi-implicit", "implicit-midpoint", "implicit", "dop853", "rosenbrock"],
        Meta(description="Method of integration"),
    ] = "rk4"
    record_every: Annotated[int, Meta(ge=1, description="Record every so many steps")] = 1
    limits: Annotated[
        Literal["compliant", "impulsive", "ignore"], Meta(description="What joints do at their limits")
    ] = "compliant"
    contacts: Annotated[
        Literal["auto", "events", "time-stepping"], Meta(description="How shapes touch: few exactly, or many")
    ] = "auto"
    rtol: Annotated[float, Meta(gt=0, description="Relative accuracy of dop853 and rosenbrock")] = 1e-8
    atol: Annotated[float, Meta(gt=0, description="Absolute accuracy of dop853 and rosenbrock")] = 1e-10


class AdaptiveRun(Section):
    """Motion of a huge linkage, in which only the joints that matter are computed."""

    mode: Annotated[
        Literal["quasi-statics", "dynamics"], Meta(description="From rest in every step, or with velocities")
    ] = "quasi-statics"
    until: Annotated[float, Meta(gt=0, description="Time at the end, s")] = 1.0
    dt: Annotated[float, Meta(gt=0, description="Size of a step, s")] = 1e-2
    tolerance: Annotated[float, Meta(ge=0, description="Largest error of a step")] = 2.0**-11
    measure: (
        Annotated[Literal["displacement", "acceleration"], Meta(description="What the error is one of")] | None
    ) = None
    error: (
        Annotated[
            Literal["relative-joint", "absolute-joint", "relative-linkage", "absolute-linkage"],
            Meta(description="How the error is measured"),
        ]
        | None
    ) = None
    gain: (
        Annotated[float, Meta(gt=0, description="Times accelerations gives displacements, s²; default ½ dt²")] | None
    ) = None
    record_every: Annotated[int, Meta(ge=1, description="Record every so many steps")] = 1


class Outputs(Section):
    """What `linkwork simulate` leaves behind, in the present folder."""

    recording: Annotated[str | None, Meta(description="HDF5 file; default: the scene's name with .h5")] = None
    plots: Annotated[list[str], Meta(description="Plots by name, drawn to one picture; default: overview")] = []
    joints: Annotated[list[str], Meta(description="Joints whose curves are drawn; default: all, or eight of many")] = []


class Keys(Section):
    """The sections of a scene."""

    description: Annotated[str | None, Meta(description="A sentence or two on what is to be seen")] = None
    linkage: Annotated[Any, _later(
        "A linkage described elsewhere: the path of a file, or a mapping",
        anyOf=[{"type": "string"}, {"$ref": "#/$defs/Source"}],
    )] = None  # fmt: skip
    parameters: Annotated[
        dict[str, float], Meta(description="Numbers by name, for expressions wherever a number stands")
    ] = {}
    start: Annotated[Start | None, Meta(description="The state at t = 0")] = None
    torques: Annotated[Any, _later(
        "Forces and torques by joint name: an expression in t, q[joint], v[joint]; a list where the joint has several",
        type="object", additionalProperties=_SEVERAL,
    )] = None  # fmt: skip
    drives: Annotated[Any, _later(
        "Joints whose motion is given, by name: an expression in t; a list of all coordinates where it has several",
        type="object", additionalProperties=_SEVERAL,
    )] = None  # fmt: skip
    wrenches: Annotated[list[BodyWrench], Meta(description="Forces and torques on bodies")] = []
    events: Annotated[list[Happening], Meta(description="What happens during the run")] = []
    simulation: Annotated[Run | None, Meta(description="How the motion is computed")] = None
    adaptive: Annotated[AdaptiveRun | None, Meta(description="Instead of simulation: an adaptive run")] = None
    outputs: Annotated[Outputs | None, Meta(description="What the run leaves behind")] = None


KEY_TYPES = {field.name: field.type for field in msgspec.structs.fields(Keys)}
