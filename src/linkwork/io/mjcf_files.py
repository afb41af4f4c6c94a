"""Which files an MJCF model would make MuJoCo's compiler open: all must be in the model's own package.

The compiler follows ``<include>``, meshes, textures, height fields, skins and models wherever their addresses lead, so
that they are judged before it runs, by the rules of `resources`. The elements that are found on the way say later, with
file and line, what of the model has no effect.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

from linkwork.errors import LinkworkError
from linkwork.io.resources import EscapeError, Resources
from linkwork.io.safe_xml import Node, parse, shorten

DEEPEST = 32
"""Most files that include each other."""
_FOLDERS = {"mesh": "meshdir", "texture": "texturedir", "hfield": "meshdir", "skin": "meshdir", "flexcomp": "meshdir"}


def mujoco_package() -> Any:
    """The package mujoco, which has no types."""
    try:
        return importlib.import_module("mujoco")
    except ImportError:
        raise LinkworkError("reading MJCF needs the package mujoco: pip install 'linkwork[mjcf]'") from None


def parse_mjcf(path: str | os.PathLike[str]) -> list[Node]:
    """Return the outermost elements of the file and of those that it includes; refuse addresses that climb out."""
    root = parse(path)
    if root.tag != "mujoco":
        what = "is a part of a model: load the file that includes it" if root.tag == "mujocoinclude" else "is no MJCF"
        raise root.error(f"the outermost element of an MJCF model is <mujoco>; this {what}")
    found: list[Node] = []
    resources = Resources(path)
    _follow(root, resources, found, ())
    folders = _folders(found)
    for node in found:
        for each in _elements(node):
            _check(each, resources, folders)
    return found


def mesh_files(roots: list[Node]) -> dict[str, str]:
    """The files of meshes, by the addresses that the compiled model keeps: as written, or with their folder."""
    resources, folder, found = Resources(roots[0].file), _folders(roots)["meshdir"], {}
    for root in roots:
        for element in root.element.iter("mesh"):
            given = (element.get("file") or "").strip()
            if given:
                address = os.path.join(folder, given.replace("\\", "/"))
                file = resources.find(address)[0]
                if file is not None:
                    found |= {given: file, address: file}
    return found


def _follow(root: Node, resources: Resources, found: list[Node], above: tuple[str, ...]) -> None:
    if len(above) >= DEEPEST or os.path.realpath(root.file) in above:
        raise root.error("the files include each other in a circle, or too deeply")
    found.append(root)
    for node in _elements(root):
        if node.tag == "include" or (node.tag == "model" and node.element.get("file")):
            file = _open(node, resources, node.text("file"))
            _follow(parse(file), resources, found, (*above, os.path.realpath(root.file)))


def _elements(root: Node) -> Iterator[Node]:
    for element in root.element.iter("*"):
        yield Node(element, root.file)


def _open(node: Node, resources: Resources, address: str) -> str:
    try:
        found, reason = resources.find(address, include=True)
        if found is None and reason == "no such file" and node.file != resources.description:
            found, reason = Resources(node.file).find(address, include=True)  # newer compilers start there
    except EscapeError as problem:
        raise node.error(f"the address {shorten(address)!r} {problem}; it is refused") from None
    if found is None or not os.path.isfile(found):
        raise node.error(f"{shorten(address)!r} cannot be included: {reason or 'it is a folder'}")
    return found


def _folders(roots: list[Node]) -> dict[str, str]:
    """The folders that <compiler> gives for meshes and textures."""
    folders = {"meshdir": "", "texturedir": ""}
    for root in roots:
        for node in root.children("compiler"):
            both = (node.element.get("assetdir") or "").strip()
            for key in folders:
                folders[key] = (node.element.get(key) or "").strip() or both or folders[key]
    return folders


def _check(node: Node, resources: Resources, folders: dict[str, str]) -> None:
    """Refuse the address of an asset that leads out of the package."""
    for key, value in node.element.attrib.items():
        if key.startswith("file") and node.tag != "include" and isinstance(value, str):
            folder = folders.get(_FOLDERS.get(node.tag, ""), "")
            address = os.path.join(folder, value.strip().replace("\\", "/"))  # an absolute one stays as it is
            try:
                _, reason = resources.find(address)
            except EscapeError as problem:
                raise node.error(f"the address {shorten(address)!r} {problem}; it is refused") from None
            if "not followed" in reason:
                raise node.error(f"the address {shorten(address)!r} is refused: {reason}")
