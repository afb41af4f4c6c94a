"""Scenes and linkages by path or by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import linkwork as lw
from linkwork import examples
from linkwork.examples import find
from linkwork.io.marked import Marked
from linkwork.io.scene_keys import KEY_TYPES


def scene(given: str, changes: Mapping[str, Any]) -> lw.Scene:
    """A scene, or a linkage as a scene of its own."""
    path = find(given)
    if path.suffix.lower() == ".urdf":
        raise lw.ArgumentError(
            f"{path.name} describes a robot, not a scene: write a file with `linkwork: 1` and `linkage: {path.name}`"
        )
    return lw.load_scene(path, changes=changes)


def linkage(given: str) -> tuple[lw.Linkage, Any]:
    """A linkage from a file, an example or a sample ("human", "chain:50"), and the pose in which it starts."""
    samples = [name for name in lw.samples.__all__ if name.islower()]
    name, _, size = given.partition(":")
    if name in samples and given not in examples.names():
        try:
            made = getattr(lw.samples, name)(*([int(size)] if size else []))
        except (TypeError, ValueError):
            raise lw.ArgumentError(f"sample {name!r} takes a size, such as {name}:10, not {given!r}") from None
        return made if isinstance(made, tuple) else (made, made.neutral())
    path = find(given, samples)
    if is_scene(given):
        found = lw.load_scene(path)
        return found.linkage, found.q
    loaded = lw.load(path)
    return loaded, loaded.neutral()


def is_scene(given: str) -> bool:
    """Whether something says more than what a linkage is made of."""
    if not Path(given).suffix and not Path(given).exists() and given not in examples.names():
        return False
    path = find(given)
    return path.suffix.lower() in (".yaml", ".yml") and path.is_file() and not KEY_TYPES.keys().isdisjoint(_keys(path))


def section(given: str) -> str:
    """The section of a scene that says how its motion is computed."""
    path = find(given)
    return "adaptive" if path.is_file() and "adaptive" in _keys(path) else "simulation"


def _keys(path: Path) -> list[str]:
    root = Marked.read(path)
    return [getattr(key, "value", "") for key, _ in root.node.value] if root.is_mapping() else []
