"""SDFormat's scopes: the names and frames of models inside models, whatever file they come from.

A `Scope` is one model, or the world. Its entries are frames by name: links, joints, ``<frame>`` elements and the models
inside it, each placed by ``<pose relative_to="...">``. Poses are resolved to the scope's own frame, ``__model__``.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from linkwork.errors import unknown_name
from linkwork.io.resources import EscapeError, Resources
from linkwork.io.safe_xml import Node, parse, shorten
from linkwork.io.spanning import ROOT
from linkwork.linkage.pose import HERE, Pose

MODEL, WORLD = "__model__", "world"
OLDEST, NEWEST = (1, 4), (1, 12)
"""The versions of SDFormat that are read."""
DEEPEST = 32
"""Most models inside each other, and files that include each other."""


@dataclass(slots=True)
class Entry:
    """A frame by name: `pose` places it in the frame `relative_to`; it moves with the link or frame `attached_to`."""

    kind: str  # "link", "joint", "frame" or "model"
    where: Node
    pose: Pose
    relative_to: str
    attached_to: str | None = None  # None: a link, which moves by itself
    resolved: Pose | None = None
    busy: bool = False


@dataclass(slots=True)
class Scope:
    """A model, or the world: `prefix` is put before its names to make them those of the linkage."""

    where: Node
    prefix: str
    version: tuple[int, int]
    static: bool = False
    canonical: str | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    joints: dict[str, Entry] = field(default_factory=dict)  # apart: until 1.7 a joint may have the name of a link
    models: dict[str, Scope] = field(default_factory=dict)
    gravity: tuple[float, ...] | None = None
    busy: bool = False

    def pose(self, name: str, where: Node) -> Pose:
        """The pose of a frame in this scope's own; `where` uses the name."""
        chain: list[Entry] = []
        start = HERE
        while name not in (MODEL, WORLD):
            entry = self.entries.get(name) or self.joints.get(name)
            if entry is None:
                head, rest = self._inside(name, where)
                start = self.pose(head, where) @ self.models[head].pose(rest, where)
                break
            if entry.resolved is not None:
                start = entry.resolved
                break
            if entry.busy:
                raise entry.where.error(f"the pose of {name!r} is given relative to itself, directly or through others")
            entry.busy = True
            chain.append(entry)
            name, where = entry.relative_to, entry.where
        for entry in reversed(chain):
            entry.resolved = start = start @ entry.pose
            entry.busy = False
        return start

    def joint_pose(self, name: str) -> Pose:
        """The pose of a joint's frame in this scope's own."""
        entry = self.joints[name]
        return self.pose(entry.relative_to, entry.where) @ entry.pose

    def link(self, name: str, where: Node) -> str:
        """The link, by its name in the linkage, that a frame moves with; `ROOT` for the world."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            if name == WORLD:
                return ROOT
            if name == MODEL:
                return self.canonical_link(where)
            entry = self.entries.get(name) or self.joints.get(name)
            if entry is None:
                head, rest = self._inside(name, where)
                return self.models[head].link(rest, where)
            if entry.kind == "model":
                return self.models[name].canonical_link(where)
            if entry.attached_to is None:
                return self.prefix + name
            name, where = entry.attached_to, entry.where
        raise where.error(f"the frame {name!r} is attached to itself, directly or through others")

    def _inside(self, name: str, where: Node) -> tuple[str, str]:
        """The model inside this one, and the name in it, that a name such as ``arm::hand::palm`` means."""
        head = next((each for each in self.models if name.startswith(each + "::")), None)
        if head is None:
            raise where.error(str(unknown_name("link or frame", name, [*self.entries, MODEL, WORLD])))
        return head, name[len(head) + 2 :]

    def canonical_link(self, where: Node) -> str:
        """The link that stands for the model."""
        if self.canonical is not None:
            if self.busy:
                raise self.where.error(f"canonical_link={self.canonical!r} stands for itself; it must be a link")
            self.busy = True
            found = self.link(self.canonical, self.where)
            self.busy = False
            return found
        for name, entry in self.entries.items():
            if entry.kind == "link":
                return self.prefix + name
        for model in self.models.values():
            return model.canonical_link(where)
        return ROOT

    def add(self, name: str, entry: Entry) -> None:
        """Add a frame; names must be new."""
        table = self.joints if entry.kind == "joint" else self.entries
        others = [table] if self.version < (1, 7) else [self.entries, self.joints]
        if any(name in other for other in others):
            taken = next(other for other in others if name in other)[name].where
            raise entry.where.error(f"the name {name!r} is taken by the <{taken.tag}> at line {taken.line}")
        if name == WORLD or (name.startswith("__") and name.endswith("__")):
            raise entry.where.error(f"the name {name!r} is reserved; choose another one")
        table[name] = entry


class Reader:
    """Reads a file, and those that it includes, into scopes; `bodies` are the <model> and <world> elements read."""

    def __init__(self, path: str | os.PathLike[str]):
        self.file = os.fspath(path)
        self.missing: list[tuple[Node, str, str]] = []  # includes of a world that were not found: where, uri, why
        self._files: list[str] = []  # those that are being read, one including the next

    def read(self) -> tuple[Scope, list[Node]]:
        """Return the scope of the whole, and the outermost elements of all files."""
        self.roots: list[Node] = []
        root, version = self._open(self.file, None)
        world = root.child("world")
        top = Scope(root if world is None else world, "", version)
        if world is None:
            models = list(root.children("model"))
            if len(models) != 1:
                message = "has no <model>" if not models else f"has {len(models)} models where one is expected"
                raise root.error(f"{message}; a <world> may hold several")
            self._model(top, models[0], models[0], version, prefix="")
        else:
            top.gravity = world.values("gravity", 3, (0.0, 0.0, -9.8))
            several = len(list(world.children("model"))) + len(list(world.children("include"))) > 1
            self._fill(top, world, version, MODEL, several=several)
        return top, self.roots

    def _open(self, file: str, where: Node | None) -> tuple[Node, tuple[int, int]]:
        if os.path.realpath(file) in self._files or len(self._files) >= DEEPEST:
            assert where is not None
            raise where.error("the files include each other in a circle" if len(self._files) < DEEPEST else "too deep")
        root = parse(file)
        if root.tag != "sdf":
            raise root.error("the outermost element of an SDF file is <sdf>")
        version = root.text("version")
        parts = version.split(".")
        if len(parts) != 2 or not all(part.isdigit() and part.isascii() and len(part) < 4 for part in parts):
            raise root.error(f"version {shorten(version)!r} is not one such as 1.9")
        number = int(parts[0]), int(parts[1])
        if not OLDEST <= number <= NEWEST:
            raise root.error(f"version {version} of SDFormat is not read: only 1.4 to 1.12 are")
        self.roots.append(root)
        return root, number

    def _model(
        self, scope: Scope, node: Node, call: Node, version: tuple[int, int], *, prefix: str, depth: int = 0
    ) -> None:
        """Add the model `node` to a scope as the element `call` (itself, or an <include>) places it."""
        name = (call.words("name") if call.tag == "include" else None) or node.text("name")
        canonical, placement = node.element.get("canonical_link"), node.element.get("placement_frame")
        if call.tag == "include":
            placement = call.words("placement_frame", placement)
        static = scope.static or node.flag("static") or (call.tag == "include" and call.flag("static"))
        inner = Scope(node, prefix, version, static, canonical)
        self._fill(inner, node, version, MODEL, depth=depth + 1)
        source = call if call.child("pose") is not None else node
        pose, reference = read_pose(source, version, MODEL)
        if placement is not None:
            pose = pose @ inner.pose(placement, call).inverse()
        scope.models[name] = inner
        scope.add(name, Entry("model", call, pose, reference))

    def _fill(
        self, scope: Scope, node: Node, version: tuple[int, int], home: str, *, several: bool = True, depth: int = 0
    ) -> None:
        """Add what an element holds; `home` is the frame that its poses are relative to by default."""
        if depth > DEEPEST:
            raise node.error(f"more than {DEEPEST} models inside each other")

        def placed(child: Node, default: str) -> tuple[Pose, str]:
            pose, reference = read_pose(child, version, default)
            return pose, home if reference == MODEL else reference

        for child in node.children():
            if child.tag == "link":
                pose, reference = placed(child, home)
                scope.add(child.text("name"), Entry("link", child, pose, reference))
            elif child.tag == "frame" and version >= (1, 7):
                attached = (child.element.get("attached_to") or "").strip() or home
                pose, reference = placed(child, attached)
                scope.add(child.text("name"), Entry("frame", child, pose, reference, attached))
            elif child.tag == "joint":
                below = child.required("child").content()
                pose, reference = placed(child, below)
                scope.add(child.text("name"), Entry("joint", child, pose, reference, below))
            elif child.tag == "model":
                name = child.text("name")
                prefix = f"{scope.prefix}{name}::" if several else ""
                self._model(scope, child, child, version, prefix=prefix, depth=depth)
            elif child.tag == "include":
                self._include(scope, child, version, home, several=several, depth=depth)

    def _include(
        self, scope: Scope, call: Node, version: tuple[int, int], home: str, *, several: bool, depth: int
    ) -> None:
        file = self._find(scope, call)
        if file is None:
            return
        root, other = self._open(file, call)
        model = root.required("model")
        name = call.words("name") or model.text("name")
        self._files.append(os.path.realpath(file))
        if call.boolean((call.element.get("merge") or "false").strip()):
            pose, reference = read_pose(call if call.child("pose") is not None else model, version, home)
            proxy = f"_merged_{name}_frame"
            scope.add(proxy, Entry("frame", call, pose, reference, home))
            self._fill(scope, model, other, proxy, depth=depth + 1)
        else:
            prefix = f"{scope.prefix}{name}::" if several else ""
            self._model(scope, model, call, other, prefix=prefix, depth=depth + 1)
        self._files.pop()

    def _find(self, scope: Scope, call: Node) -> str | None:
        """The file that an <include> means; a world may include what is not there, such as a sun."""
        node = call.required("uri")
        uri = node.content()
        try:
            found, reason = Resources(call.file).find(uri, include=True)
        except EscapeError as problem:
            raise node.error(f"the address {shorten(uri)!r} {problem}; it is refused") from None
        if found is not None and os.path.isdir(found):
            found, reason = _in_folder(Path(found)), "the folder has no model.config and no model.sdf"
        if found is None:
            if scope.where.tag != "world":
                raise node.error(f"{shorten(uri)!r} cannot be included: {reason}")
            self.missing.append((node, uri, reason))
        return found


def _in_folder(folder: Path) -> str | None:
    """The newest description that a model's folder names in its model.config, or model.sdf."""
    config = folder / "model.config"
    if config.is_file():
        for node in sorted(parse(config).children("sdf"), key=lambda each: each.element.get("version") or ""):
            name = node.content()
            if os.path.basename(name) != name:
                raise node.error(f"the address {shorten(name)!r} climbs out of the model's folder; it is refused")
            if (folder / name).is_file():
                return str(folder / name)
    return str(folder / "model.sdf") if (folder / "model.sdf").is_file() else None


def read_pose(parent: Node, version: tuple[int, int], default: str) -> tuple[Pose, str]:
    """The <pose> of an element, and the name of the frame that it is relative to."""
    node = parent.child("pose")
    if node is None:
        return HERE, default
    reference = (node.element.get("relative_to" if version >= (1, 7) else "frame") or "").strip() or default
    if not (node.element.text or "").strip():
        return HERE, reference
    if node.element.get("rotation_format", "euler_rpy") == "quat_xyzw":
        *position, x, y, z, w = node.floats(node.content(), 7)
        quaternion = np.array([x, y, z, w])
        length = float(np.linalg.norm(quaternion))
        if abs(length - 1.0) > 1e-3:
            raise node.error(f"the quaternion has length {length:g}, not 1")
        return Pose(position, quaternion / length), reference
    x, y, z, *angles = node.floats(node.content(), 6)
    if node.boolean((node.element.get("degrees") or "false").strip()):
        angles = np.deg2rad(angles).tolist()
    if not any((x, y, z, *angles)):
        return HERE, reference
    return Pose.rpy(*angles, position=(x, y, z)), reference
