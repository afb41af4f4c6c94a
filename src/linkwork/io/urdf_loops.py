"""Loops in URDF files: the elements that extensions of URDF use for the joint that a tree has no place for.

```xml
<loop_joint name="pin" type="revolute">            <!-- Isaac Sim; Drake of old -->
  <link1 link="rod" xyz="0 0 1" rpy="0 0 0"/>
  <link2 link="crank" xyz="0 0 0.2"/>
  <axis xyz="0 1 0"/>
</loop_joint>
<constraint name="pin" type="revolute_joint">      <!-- urdfdom's extension; also as <loop_joint> -->
  <parent link="rod"/><parent_origin xyz="0 0 1"/><parent_axis xyz="0 1 0"/>
  <child link="crank"/><child_origin xyz="0 0 0.2"/>
</constraint>
<loop name="pin" type="revolute">                  <!-- URDF+ -->
  <predecessor link="rod"><origin xyz="0 0 1"/></predecessor>
  <successor link="crank"><origin xyz="0 0 0.2"/></successor>
  <axis xyz="0 1 0"/>
</loop>
```
The joint's frame is placed in both links; axes are in that frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import LinkworkError, unknown_name
from linkwork.io.safe_xml import Node, shorten
from linkwork.linkage.joint import Fixed, Prismatic, Revolute, Spherical, Universal
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import HERE, ORIGIN, Pose

LOOPS = ("loop_joint", "constraint", "loop")
TYPES: dict[str, type[JointType]] = {
    "revolute": Revolute, "continuous": Revolute, "prismatic": Prismatic, "universal": Universal,
    "spherical": Spherical, "ball": Spherical, "position": Spherical, "fixed": Fixed, "link": Fixed, "weld": Fixed,
}  # fmt: skip
_ENDS = (("link1", "parent", "predecessor"), ("link2", "child", "successor"))
_PLACE = ("xyz", "rpy", "quat_xyzw")
LOOP_ELEMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(LOOPS, ("name", "type")),
    **{f"{tag}/{end}": ("link", *_PLACE) for tag in LOOPS for ends in _ENDS for end in ends},
    **{f"{tag}/{end}/origin": _PLACE for tag in LOOPS for ends in _ENDS for end in ends},
    **{f"{tag}/{end}_origin": _PLACE for tag in LOOPS for ends in _ENDS for end in ends},
    **{f"{tag}/{axis}": ("xyz",) for tag in LOOPS for axis in ("axis", "parent_axis", "child_axis", "axis2")},
    **{f"{tag}/dynamics": ("damping",) for tag in LOOPS},
}


@dataclass(frozen=True, slots=True)
class UrdfLoop:
    """A joint that closes a loop: its frame in the links `a` and `b`."""

    name: str
    type: JointType
    a: str
    b: str
    at_a: Pose
    at_b: Pose
    where: Node

    def connect(self, linkage: Linkage) -> None:
        """Close the loop."""
        try:
            linkage.connect(self.a, self.b, self.type, at_a=self.at_a, at_b=self.at_b, name=self.name)
        except LinkworkError as problem:
            raise self.where.error(str(problem)) from None


def read_loop(node: Node) -> UrdfLoop:
    """Read one element of `LOOPS`."""
    given = node.text("type").lower()
    kind = given.removesuffix("_joint")
    if kind not in TYPES:
        raise node.error(str(unknown_name("type of loop", shorten(given), TYPES)))
    (a, at_a), (b, at_b) = (_end(node, names) for names in _ENDS)
    return UrdfLoop(node.text("name"), _type(node, TYPES[kind]), a, b, at_a, at_b, node)


def _end(node: Node, names: tuple[str, ...]) -> tuple[str, Pose]:
    """One of the two links, and the joint's frame in it."""
    found = [each for each in map(node.child, names) if each is not None]
    if len(found) != 1:
        options = " or ".join(f"<{name}>" for name in names)
        raise node.error(f"needs one of {options}; it has {len(found)}")
    end = found[0]
    origins = [end.child("origin"), *(node.child(f"{name}_origin") for name in names)]
    origins = [each for each in origins if each is not None]
    placed = bool({*_PLACE} & set(end.element.keys()))
    if len(origins) + placed > 1:
        raise end.error("the joint's frame is placed twice in this link")
    return end.text("link"), read_origin(origins[0] if origins else end if placed else None)


def _type(node: Node, kind: type[JointType]) -> JointType:
    options: dict[str, Any] = {}
    dynamics = node.child("dynamics")
    if dynamics is not None and kind is not Fixed:
        options["damping"] = dynamics.number("damping", 0.0)
    if kind in (Revolute, Prismatic):
        options["axis"] = _axis(node, "axis", "parent_axis")
    elif kind is Universal:
        options |= {"a": _axis(node, "axis", "parent_axis"), "b": _axis(node, "axis2", "child_axis")}
    try:
        return kind(**options)
    except LinkworkError as problem:
        raise node.error(str(problem)) from None


def _axis(node: Node, *names: str) -> tuple[float, ...]:
    found = [each for each in map(node.child, names) if each is not None]
    if len(found) > 1:
        raise found[1].error(f"gives the axis again, which <{found[0].tag}> gives")
    axis = found[0].numbers("xyz", 3) if found else (1.0, 0.0, 0.0)
    if not any(axis):
        raise found[0].error("the axis is zero; it must have a direction")
    return axis


def read_origin(node: Node | None) -> Pose:
    """The pose that an element's attributes xyz and rpy, or quat_xyzw, give."""
    if node is None:
        return HERE
    position = node.numbers("xyz", 3, ORIGIN)
    if node.element.get("quat_xyzw") is None:
        angles = node.numbers("rpy", 3, ORIGIN)
        return Pose.rpy(*angles, position=position) if any(angles) or any(position) else HERE
    if node.element.get("rpy") is not None:
        raise node.error("gives both rpy and quat_xyzw; keep one")
    quaternion = np.array(node.numbers("quat_xyzw", 4))
    length = float(np.linalg.norm(quaternion))
    if abs(length - 1.0) > 1e-3:
        raise node.error(f"quat_xyzw has length {length:g}, not 1")
    return Pose(position, quaternion / length)
