"""Reading and writing descriptions by the suffix of the file."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from linkwork.errors import ArgumentError, DescriptionError

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage

SUFFIXES = (".urdf", ".yaml", ".yml")


def load(
    path: str | PathLike[str],
    *,
    base: Literal["fixed", "free"] = "fixed",
    keep_fixed: bool = False,
    mimic: bool = False,
) -> Linkage:
    """Read a linkage from a file.

    Parameters
    ----------
    path : path
        A URDF file (.urdf) or our own description (.yaml, .yml).
    base : {"fixed", "free"}
        URDF: "fixed" makes the root link part of ground; "free" puts it on a `Free` joint, ``root_joint``.
    keep_fixed : bool
        URDF: keep every link as a body, on a `Fixed` joint where the file has one. By default such links are merged
        into the body that carries them and stay as frames, accepted wherever a body's name is.
    mimic : bool
        URDF: read ``<mimic>`` as `Linkage.couplings`. By default such joints move independently and are listed in
        `Linkage.ignored`.

    Returns
    -------
    Linkage
        URDF: bodies in depth-first order from the root. `Linkage.visuals` holds the shapes; `Linkage.ignored` says
        what of the file has no effect.

    Raises
    ------
    DescriptionError
        The file is unusable; file, line and element say where.

    Warns
    -----
    LinkworkWarning
        A body's inertia, after merging, is one that no rigid body can have.
    """
    path = Path(path)
    suffix = _suffix(path, "read")
    if base not in ("fixed", "free"):
        raise ArgumentError(f"base must be 'fixed' or 'free', not {base!r}")
    if not path.is_file():
        raise DescriptionError("there is no such file", file=path)
    if suffix == ".urdf":
        from linkwork.io.urdf import read_urdf

        return read_urdf(path, base=base, keep_fixed=keep_fixed, mimic=mimic)
    if base != "fixed" or keep_fixed or mimic:
        raise ArgumentError("base=, keep_fixed= and mimic= are for URDF files: a .yaml file says these itself")
    from linkwork.io.yaml_linkage import read_yaml

    return read_yaml(path)


def save(linkage: Linkage, path: str | PathLike[str]) -> None:
    """Write a linkage to a file."""
    path = Path(path)
    if _suffix(path, "write") == ".urdf":
        from linkwork.io.urdf_write import write_urdf as write
    else:
        from linkwork.io.yaml_linkage import write_yaml as write
    try:
        write(linkage, path)
    except OSError as error:
        raise DescriptionError(f"cannot be written: {error.strerror}", file=path) from None


def _suffix(path: Path, verb: str) -> str:
    suffix = path.suffix.lower()
    if suffix == ".xacro":
        raise ArgumentError(
            f"cannot {verb} {path.name!r}: xacro is a program that writes URDF; run it, load its output"
        )
    if suffix not in SUFFIXES:
        raise ArgumentError(f"cannot {verb} {path.name!r}: the suffix must be one of {', '.join(SUFFIXES)}")
    return suffix
