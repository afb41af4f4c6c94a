"""Reading and writing descriptions by the suffix of the file."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from linkwork.errors import ArgumentError, DescriptionError, unknown_name

if TYPE_CHECKING:
    from linkwork.io.molecule import MoleculeOptions
    from linkwork.linkage.linkage import Linkage

MOLECULES = (".pdb", ".ent", ".cif", ".mmcif")
READ = (".urdf", ".sdf", ".world", ".xml", ".mjcf", ".yaml", ".yml", *MOLECULES)
WRITTEN = (".urdf", ".sdf", ".yaml", ".yml")
FORMATS = {".urdf": "URDF", ".sdf": "SDF", ".world": "SDF", ".mjcf": "MJCF", ".yaml": "YAML", ".yml": "YAML"}
ROOTS = {"robot": "URDF", "sdf": "SDF", "mujoco": "MJCF", "mujocoinclude": "MJCF"}  # outermost elements, for .xml


def load(
    path: str | PathLike[str],
    *,
    base: Literal["fixed", "free"] = "fixed",
    keep_fixed: bool = False,
    mimic: bool | None = None,
    collisions: bool = False,
    **molecule: Unpack[MoleculeOptions],
) -> Linkage:
    """Read a linkage from a file.

    Parameters
    ----------
    path : path
        A file of URDF (.urdf), SDF (.sdf, .world), MJCF (.xml, .mjcf; needs the package mujoco) or of our own
        description (.yaml, .yml); or a molecule (.pdb, .ent, .cif, .mmcif, also packed as .gz or .bz2; needs the
        package gemmi). What a .xml file is, its outermost element says.
    base : {"fixed", "free"}
        URDF and SDF: "fixed" makes a root link that no joint holds part of ground; "free" puts it on a `Free` joint,
        ``root_joint``. The other formats say this themselves.
    keep_fixed : bool
        Keep every link as a body, on a `Fixed` joint where the file has one. By default such links are merged
        into the body that carries them and stay as frames, accepted wherever a body's name is.
    mimic : bool, optional
        Read ``<mimic>`` as `Linkage.couplings`. Where it is not read, such joints move independently and are listed in
        `Linkage.ignored`. Default: SDF yes, URDF no.
    collisions : bool
        Read collision shapes as `Linkage.shapes`, which touch: spheres, boxes and capsules as they are, cylinders
        as prisms of 24 sides, meshes as their convex hulls.
    **molecule
        Of molecules only. What turns: `omega` (also peptide bonds), `backbone` (no side chains), `united` (not what
        carries hydrogens alone), `rigid` (frozen domains such as ``"A:10-85"`` or ``["A", "B:1-40"]``), `rings`
        ("rigid", or "loops": proline and sugars pucker), `disulphides` ("loops", or "ignore") and
        `disulphide_strength` (where they break, kJ/mol/nm). What is read: `model` (its number, where there are
        several), `water`, `hydrogens`, `altloc` (preferred alternative location), `monomers` (file or folder of
        chemical components). `atom_radius` (nm) is that of the ball an atom's mass fills.

    Returns
    -------
    Linkage
        Bodies in depth-first order from the root. `Linkage.visuals` holds the shapes; `Linkage.ignored` says
        what of the file has no effect.

    Raises
    ------
    DescriptionError
        The file is unusable; file, line and element say where.

    Warns
    -----
    LinkworkWarning
        A body's inertia, after merging, is one that no rigid body can have.

    Notes
    -----
    Cost: linear in the size of the file.

    Examples
    --------
    >>> import linkwork as lw
    >>> lw.samples.four_bar().save("four-bar.yaml")
    >>> lw.load("four-bar.yaml")
    Linkage('four-bar', 3 bodies, nq=3, nv=3, 1 loops)
    """
    path = Path(path)
    suffix = _suffix(path, READ, "read")
    if suffix in MOLECULES:
        return _load_molecule(path, base, molecule, keep_fixed or mimic is not None or collisions)
    if molecule:
        raise ArgumentError(f"{min(molecule)}= is for molecules: .pdb, .ent and .cif files")
    if base not in ("fixed", "free"):
        raise ArgumentError(f"base must be 'fixed' or 'free', not {base!r}")
    if not path.is_file():
        raise DescriptionError("there is no such file", file=path)
    form = FORMATS.get(suffix) or _sniff(path)
    if form == "URDF":
        from linkwork.io.urdf import read_urdf

        return read_urdf(path, base=base, keep_fixed=keep_fixed, mimic=bool(mimic), collisions=collisions)
    if form == "SDF":
        from linkwork.io.sdf import read_sdf

        return read_sdf(path, base=base, keep_fixed=keep_fixed, mimic=mimic is not False, collisions=collisions)
    if base != "fixed" or mimic is not None or (form == "YAML" and (keep_fixed or collisions)):
        raise ArgumentError(
            f"base=, keep_fixed=, mimic= and collisions= are for URDF and SDF files: a {form} file says these itself"
        )
    if form == "MJCF":
        from linkwork.io.mjcf import read_mjcf

        return read_mjcf(path, keep_fixed=keep_fixed, collisions=collisions)
    from linkwork.io.yaml_linkage import read_yaml

    return read_yaml(path)


def _load_molecule(path: Path, base: str, options: MoleculeOptions, others: bool) -> Linkage:
    from linkwork.io.molecule import OPTIONS, read_molecule

    unknown = set(options) - set(OPTIONS)
    if unknown:
        raise unknown_name("option of molecules", min(unknown), OPTIONS)
    if base != "fixed" or others:
        raise ArgumentError("base=, keep_fixed=, mimic= and collisions= are not for molecules, whose chains are free")
    if not path.is_file():
        raise DescriptionError("there is no such file", file=path)
    return read_molecule(path, **options)


def save(linkage: Linkage, path: str | PathLike[str]) -> None:
    """Write a linkage to a file."""
    path = Path(path)
    form = FORMATS[_suffix(path, WRITTEN, "write")]
    if form == "URDF":
        from linkwork.io.urdf_write import write_urdf as write
    elif form == "SDF":
        from linkwork.io.sdf_write import write_sdf as write
    else:
        from linkwork.io.yaml_linkage import write_yaml as write
    try:
        write(linkage, path)
    except OSError as error:
        raise DescriptionError(f"cannot be written: {error.strerror}", file=path) from None


def _sniff(path: Path) -> str:
    """The format of an XML file, by its outermost element."""
    from linkwork.io.safe_xml import parse

    root = parse(path)
    tag = root.tag.rpartition("}")[2]
    if tag not in ROOTS:
        known = ", ".join(f"<{each}> ({form})" for each, form in ROOTS.items() if each != "mujocoinclude")
        raise root.error(f"the outermost element is none of {known}")
    return ROOTS[tag]


def _suffix(path: Path, known: tuple[str, ...], verb: str) -> str:
    suffix = path.suffix.lower()
    if verb == "read" and suffix in (".gz", ".bz2") and Path(path.stem).suffix.lower() in MOLECULES:
        return Path(path.stem).suffix.lower()
    if verb == "write" and suffix in MOLECULES:
        raise ArgumentError(f"cannot write {path.name!r}: a molecule is written by linkage.molecule.write(path, q)")
    if suffix == ".xacro":
        raise ArgumentError(
            f"cannot {verb} {path.name!r}: xacro is a program that writes URDF; run it, load its output"
        )
    if suffix not in known:
        if suffix == ".bvh" and verb == "read":
            raise ArgumentError(f"cannot read {path.name!r}: a motion is read by linkwork.load_motion")
        raise ArgumentError(f"cannot {verb} {path.name!r}: the suffix must be one of {', '.join(known)}")
    return suffix
