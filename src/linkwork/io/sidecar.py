"""The companion of a URDF or SDF file: ``robot.loops.yaml`` holds what ``robot.urdf`` has no words for.

```yaml
linkwork: 1
loops:                                    # and any other key of our own description but `bodies`
- {name: pin, a: rod, b: crank, joint: {type: Revolute, axis: y}, at_a: {position: [0, 0, 1]}}
joints:                                   # options of joints that the file describes
  shoulder: {armature: 0.1, actuated: false, strength: 500}
```
A body, frame or joint is named as in the file; `name` among a joint's options gives it another name in the linkage. A
joint of the file that `loops` names too is that loop joint.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from linkwork.errors import unknown_name
from linkwork.io.marked import Marked
from linkwork.io.yaml_linkage import (
    KEYS,
    VERSION,
    check_version,
    plain,
    read_description,
    read_option,
    write_document,
    written_lists,
)
from linkwork.io.yaml_strength import read_strength, written_strength
from linkwork.linkage.joint_type import PER_DOF
from linkwork.linkage.linkage import Linkage

OPTIONS = (*PER_DOF, "limits", "actuated")
SIDECAR_KEYS = (*(key for key in KEYS if key not in ("name", "bodies", "ignored")), "joints")


def companion(path: str | PathLike[str]) -> Path:
    """Where the companion of a file is."""
    return Path(path).with_suffix(".loops.yaml")


class Sidecar:
    """The companion of a file, if there is one."""

    def __init__(self, path: str | PathLike[str]):
        file = companion(path)
        self.entries: dict[str, Marked] = {}
        if file.is_file():
            root = Marked.read(file)
            self.entries = root.mapping(("linkwork",), SIDECAR_KEYS)
            check_version(self.entries)

    @property
    def loops(self) -> set[str]:
        """The names of the loop joints that it describes."""
        entries = self.entries["loops"].sequence() if "loops" in self.entries else []
        named = [entry.names("key") for entry in entries]
        return {entry["name"].text() for entry in named if "name" in entry}

    @property
    def names(self) -> dict[str, str]:
        """Joints of the file that have another name in the linkage."""
        entries = self.entries["joints"].names() if "joints" in self.entries else {}
        given = {name: entry.names("key") for name, entry in entries.items()}
        return {name: entry["name"].text() for name, entry in given.items() if "name" in entry}

    def apply(self, linkage: Linkage) -> None:
        """Add to a linkage what it says."""
        read_description(linkage, {key: entry for key, entry in self.entries.items() if key != "joints"})
        names = self.names
        for name, mark in (self.entries["joints"].names() if "joints" in self.entries else {}).items():
            name = names.get(name, name)
            if name in linkage.loops:
                continue
            if name not in linkage.joints:
                mark.fail(str(unknown_name("joint", name, linkage.joints.names)))
            given = mark.mapping((), (*OPTIONS, "strength", "name"))
            given.pop("name", None)
            if "strength" in given:
                linkage.set_strength(name, read_strength(given))
                del given["strength"]
            for option, value in given.items():
                value.attempt(setattr, linkage.joints[name], option, read_option(option, value))


def extras(linkage: Linkage, path: Path) -> dict[str, Any]:
    """What no XML format has words for, and what some have: a writer takes out of it what it wrote itself."""
    gravity = linkage.gravity.tolist()
    first = {"gravity": [] if gravity == [0.0, 0.0, -9.81] else gravity}
    return first | written_lists(linkage, path) | {"frames": [], "visuals": [], "joints": {}}


def write_sidecar(
    linkage: Linkage, path: Path, document: dict[str, Any], names: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Write the companion of a file, or remove an older one where nothing is left to say.

    `names` are those that joints have in the file, where they differ.
    """
    file, joints = companion(path), document.pop("joints")
    for name, strength in linkage.strengths.items():
        if name in linkage.joints:
            joints.setdefault(name, {}).update(written_strength(strength))
    joints = {names.get(name, name): row for name, row in joints.items()}
    for name, written in names.items():
        joints.setdefault(written, {})["name"] = name
    document = {key: entries for key, entries in document.items() if len(entries)}
    if joints:
        document["joints"] = {name: {key: plain(value) for key, value in row.items()} for name, row in joints.items()}
    if not document:
        file.unlink(missing_ok=True)
        return
    write_document({"linkwork": VERSION} | document, file)


def several(value: Any) -> bool:
    """Whether an option differs between a joint's degrees of freedom."""
    return len(set(np.ravel(value).tolist())) > 1
