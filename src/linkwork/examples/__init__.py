"""Scenes that ship with linkwork: each is a file NAME.yaml here, which ``linkwork simulate NAME`` runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from linkwork.errors import ArgumentError, unknown_name

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of all examples."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def find(given: str | PathLike[str], samples: Sequence[str] = ()) -> Path:
    """The file that a path or the name of an example stands for; an error offers names of samples as well."""
    if not isinstance(given, str | PathLike):
        raise ArgumentError(f"give the path of a scene, or the name of an example, not {given!r}")
    path = Path(given)
    if path.suffix or path.exists():
        return path
    if str(given) not in names():
        raise unknown_name("example or sample" if samples else "example", str(given), [*names(), *samples])
    return files(str(given))[0]


def files(name: str) -> list[Path]:
    """The file of an example, and the robot that it refers to."""
    if name not in names():
        raise unknown_name("example", name, names())
    scene = FOLDER / f"{name}.yaml"
    referred = re.search(r"^linkage: (\S+\.urdf)$", scene.read_text(encoding="utf-8"), re.MULTILINE)
    return [scene, FOLDER / referred[1]] if referred else [scene]
