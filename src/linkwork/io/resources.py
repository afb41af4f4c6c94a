"""Where a description's meshes are: ``package://``, ``file://`` and relative addresses, kept in a package.

Nothing is opened here; an address becomes a path, or a reason why there is none. The rules:

- ``package://name/rest``: `name` is looked for among the folders above the description (a folder of that
  name, or one beside the way up), then in ``ROS_PACKAGE_PATH`` and ``AMENT_PREFIX_PATH``. `rest`
  may not climb out of it.
- A relative address starts at the description's folder and may not climb out of its package: the nearest
  folder above that holds a ``package.xml``, else the folder above the description's own (for ``../meshes``).
- An absolute path or ``file://`` is followed only into that package or the environment's package folders.
- ``model://name/rest``, as SDF has it, is searched like a package; also in ``SDF_PATH``, ``GZ_SIM_RESOURCE_PATH`` and
  ``GAZEBO_MODEL_PATH``.
- Anything else (``http://``) is not followed.

Climbing out is judged on the address alone; symbolic links inside a package are the owner's business.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from urllib.parse import unquote

from linkwork.io.safe_xml import Node, place, shorten

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_DRIVE = re.compile(r"[A-Za-z]:/")


class EscapeError(Exception):
    """An address that climbs out of the folder that it must stay in."""


class Resources:
    """Resolves the addresses in one description file."""

    def __init__(self, description: str | os.PathLike[str]):
        self.description = os.fspath(description)
        folder = Path(description).absolute().parent
        self._folder = folder
        self._above = [folder, *folder.parents]
        self._root = next((each for each in self._above if (each / "package.xml").is_file()), folder.parent)
        self._packages: dict[str, Path | None] = {}
        self._found: dict[tuple[str, bool], str] = {}

    def find(self, uri: str, *, include: bool = False) -> tuple[str | None, str]:
        """Return the existing file behind `uri`, or None with the reason.

        With ``include=True`` it is to be opened as a description: it may be a folder, and must be in the description's
        own package or in one of the environment's package folders.

        Raises
        ------
        EscapeError
            The address climbs out of its package.
        """
        found = self._found.get((uri, include))
        if found is None:
            found, reason = self._find(uri, include=include)
            if found is None:
                return None, reason
            self._found[uri, include] = found  # a mesh is often both a visual and a collision shape
        return found, ""

    def _find(self, uri: str, *, include: bool) -> tuple[str | None, str]:
        uri = uri.replace("\\", "/")
        scheme = _SCHEME.match(uri)
        kind = scheme.group(1).lower() if scheme else ""
        rest = uri[scheme.end() :] if scheme else uri
        if kind in ("package", "model"):
            name, _, inside = rest.lstrip("/").partition("/")
            name, inside = _inside(name, "every package"), _inside(inside, f"{kind} {name!r}")
            package = self._package(name)
            if package is None:
                return None, f"{kind} {name!r} not found"
            path = package / inside
        elif kind == "file" or rest.startswith("/") or _DRIVE.match(rest):
            path = Path(posixpath.normpath(unquote(rest) if kind else rest))
            if not any(path.is_relative_to(root) for root in (self._root, *_environment())):
                return None, "an absolute path outside the package is not followed"
        elif kind:
            return None, f"{kind}:// is not followed"
        else:
            climbs = os.path.relpath(self._folder, self._root).replace(os.sep, "/")
            path = self._root / _inside(posixpath.join(climbs, rest), f"the package folder {self._root}")
        if include and not any(path.is_relative_to(root) for root in (self._root, *_environment())):
            raise EscapeError(f"is outside {self._root}")
        try:
            found = path.is_file() or (include and path.is_dir())
        except OSError:  # a name that is too long
            found = False
        return (str(path), "") if found else (None, "no such file")

    def _package(self, name: str) -> Path | None:
        if name not in self._packages:
            try:
                self._packages[name] = self._search(name) if name != "." else None
            except OSError:  # a name that is too long
                self._packages[name] = None
        return self._packages[name]

    def _search(self, name: str) -> Path | None:
        for folder in self._above:
            if folder.name == name:
                return folder
        for folder in (*self._above, *_environment()):
            if folder.name == name and folder.is_dir():
                return folder
            if (folder / name).is_dir():
                return folder / name
        return None


class MeshFiles:
    """Finds the meshes and textures of a description and of what it includes; remembers those that were not found."""

    def __init__(self, file: str):
        self._file = file
        self._resources: dict[str, Resources] = {}
        self._missing: dict[str, dict[str, Node]] = {}  # by reason and address

    def find(self, node: Node, uri: str) -> str | None:
        """Return the file behind the address in an element."""
        resources = self._resources.get(node.file) or self._resources.setdefault(node.file, Resources(node.file))
        try:
            file, reason = resources.find(uri)
        except EscapeError as problem:
            raise node.error(f"the address {shorten(uri)!r} {problem}; it is refused") from None
        if file is None:
            self._missing.setdefault(reason, {}).setdefault(uri, node)
        return file

    def missing(self) -> list[str]:
        """Say, in one line per reason, which files were not found."""
        lines = []
        for reason, places in self._missing.items():
            uri, node = min(places.items(), key=lambda found: (found[1].file != self._file, found[1].line))
            where = place(node.file, node.line, self._file)
            lines.append(f"{len(places)} mesh or texture files: {reason}; first {uri} at {where}")
        return lines


def _inside(address: str, what: str) -> str:
    """Normalise a relative address; raise when it starts by climbing."""
    address = posixpath.normpath(address)
    if address == ".." or address.startswith(("../", "/")):
        raise EscapeError(f"climbs out of {what}")
    return address


def _environment() -> list[Path]:
    """The folders in which ROS looks for packages, and Gazebo for models."""

    def listed(variable: str) -> list[Path]:
        return [Path(entry) for entry in os.environ.get(variable, "").split(os.pathsep) if entry]

    ros = listed("ROS_PACKAGE_PATH") + [prefix / "share" for prefix in listed("AMENT_PREFIX_PATH")]
    return [*ros, *listed("SDF_PATH"), *listed("GZ_SIM_RESOURCE_PATH"), *listed("GAZEBO_MODEL_PATH")]
