"""Reading a molecule: rigid groups of atoms, joined by torsions."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Literal, TypedDict

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.io.molecule_atoms import Atoms, read_atoms, require_gemmi
from linkwork.io.molecule_bonds import Bonds, find_bonds
from linkwork.io.molecule_tree import TWIST_AND_BEND, Choice, Edge, Groups, find_groups, torsion_name
from linkwork.linkage.joint import Free, Revolute, Spherical, Universal
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.molecule import MoleculeData
from linkwork.linkage.pose import Pose, in_plane
from linkwork.linkage.strength import Strength

ATOM = 0.01  # nm: radius of the ball that an atom's mass fills, so that a group of one atom has a moment of inertia


class MoleculeOptions(TypedDict, total=False):
    """Options of `load` for molecules."""

    model: int | None
    omega: bool
    backbone: bool
    united: bool
    rigid: str | Sequence[str]
    rings: Literal["rigid", "loops"]
    disulphides: Literal["loops", "ignore"]
    disulphide_strength: float | Strength | None
    water: bool
    hydrogens: bool
    altloc: str | None
    monomers: str | PathLike[str] | None
    atom_radius: float


OPTIONS = tuple(MoleculeOptions.__annotations__)


def read_molecule(
    path: Path,
    *,
    model: int | None = None,
    omega: bool = False,
    backbone: bool = False,
    united: bool = False,
    rigid: str | Sequence[str] = (),
    rings: str = "rigid",
    disulphides: str = "loops",
    disulphide_strength: float | Strength | None = None,
    water: bool = True,
    hydrogens: bool = True,
    altloc: str | None = None,
    monomers: str | PathLike[str] | None = None,
    atom_radius: float = ATOM,
) -> Linkage:
    """A molecule as a linkage; see `linkwork.io.load.load`."""
    for what, value, known in (("rings", rings, ("rigid", "loops")), ("disulphides", disulphides, ("loops", "ignore"))):
        if value not in known:
            raise unknown_name(f"value of {what}", value, known)
    if not 0.0 <= atom_radius < 0.1:
        raise ArgumentError(f"atom_radius is in nm, from 0 to 0.1, not {atom_radius}")
    atoms = read_atoms(path, model=model, altloc=altloc, water=water, hydrogens=hydrogens)
    bonds = find_bonds(atoms, {} if monomers is None else _monomers(Path(monomers)))
    choice = Choice(omega, backbone, united, rings == "loops", disulphides == "loops", rigid)
    groups = find_groups(atoms, bonds, choice)
    name = path.name.partition(".")[0]
    linkage = Linkage(name=name, gravity=(0.0, 0.0, 0.0))
    names, torsions = _names(atoms, bonds, groups)
    origin = atoms.positions[groups.first]
    _add_bodies(linkage, atoms, groups, names, origin, atom_radius)
    _close(linkage, atoms, groups, origin, disulphide_strength)
    linkage.ignored = atoms.ignored + bonds.ignored
    linkage._molecule = MoleculeData(
        residues=[each.label for each in atoms.residues],
        residue_names=[each.name for each in atoms.residues],
        chains=[each.chain for each in atoms.residues],
        numbers=[each.number for each in atoms.residues],
        insertions=[each.insertion for each in atoms.residues],
        hetero=[each.hetero for each in atoms.residues],
        water=[each.water for each in atoms.residues],
        residue=atoms.residue, names=atoms.names, elements=atoms.elements, mass=atoms.mass,
        contact_radius=atoms.contact_radius, occupancy=atoms.occupancy, b_factor=atoms.b_factor,
        body=groups.group, bonds=bonds.pairs, torsions=torsions, cell=atoms.cell,
        local=atoms.positions - origin[groups.group], spacegroup=atoms.spacegroup,
    )  # fmt: skip
    return linkage


def _names(atoms: Atoms, bonds: Bonds, groups: Groups) -> tuple[list[str], np.ndarray]:
    """The name of each group and of the joint it hangs on, and the four atoms of each torsion, −1 where it is none."""
    taken: set[str] = set()
    names = []
    torsions = np.full((len(groups.first), 4), -1)
    for k, (first, edge) in enumerate(zip(groups.first, groups.edge, strict=True)):
        if edge is None:
            residue = atoms.residues[int(atoms.residue[first])]
            name = residue.chain if residue.chain not in taken and not residue.hetero else residue.label
            name = f"{residue.label}/{atoms.names[first]}" if name in taken else name
        else:
            i, j = edge.near, edge.far
            own = torsion_name(atoms, i, j)
            if own in ("omega", "zeta") and atoms.residue[i] > atoms.residue[j]:
                i, j = j, i  # they belong to the residue before the bond
            name = f"{atoms.residues[int(atoms.residue[i])].label}/{own}"
            if edge.kind != TWIST_AND_BEND:
                torsions[k] = _torsion(atoms, bonds, edge)
        full, copy = name, 2
        while full in taken:
            full, copy = f"{name}#{copy}", copy + 1
        taken.add(full)
        names.append(full)
    return names, torsions


def _torsion(atoms: Atoms, bonds: Bonds, edge: Edge) -> tuple[int, int, int, int]:
    """Four atoms that measure a torsion in the usual way."""

    def outer(at: int, other: int) -> int:
        found = [k for k in bonds.neighbours[at] if k != other]
        preferred = {"CA": ("C", "N") if atoms.names[other] == "N" else ("N",), "C": ("N", "CA"), "N": ("C",)}
        for name in preferred.get(atoms.names[at], ()):
            for k in found:
                if atoms.names[k] == name:
                    return k
        return min(found, key=lambda k: (atoms.elements[k] in ("H", "D"), k))

    return outer(edge.near, edge.far), edge.near, edge.far, outer(edge.far, edge.near)


def _add_bodies(
    linkage: Linkage, atoms: Atoms, groups: Groups, names: list[str], origin: np.ndarray, atom_radius: float
) -> None:
    """Add a body for each group, its axes along the world's, as the file has it at q = 0."""
    count, group = len(names), groups.group
    mass = np.bincount(group, atoms.mass, count)
    local = atoms.positions - origin[group]
    moment = np.stack([np.bincount(group, atoms.mass * local[:, k], count) for k in range(3)], axis=1)
    com = moment / np.where(mass > 0.0, mass, 1.0)[:, None]
    x, y, z = (local - com[group]).T
    ball = 0.4 * atoms.mass * atom_radius**2
    terms = (
        atoms.mass * (y * y + z * z) + ball, -atoms.mass * x * y, -atoms.mass * x * z,
        atoms.mass * (x * x + z * z) + ball, -atoms.mass * y * z, atoms.mass * (x * x + y * y) + ball,
    )  # fmt: skip
    inertia = np.stack([np.bincount(group, term, count) for term in terms], axis=1)
    parent = np.array(groups.parent)
    position = np.where((parent < 0)[:, None], origin, origin - origin[parent])
    code, axis, axis2 = np.full(count, Revolute.code), np.tile([0.0, 0.0, 1.0], (count, 1)), np.zeros((count, 3))
    axis2[:, 0] = 1.0
    for k, edge in enumerate(groups.edge):
        if edge is None:
            code[k] = Free.code
            continue
        axis[k] = atoms.positions[edge.far] - atoms.positions[edge.near]
        if edge.kind == TWIST_AND_BEND:
            code[k] = Universal.code
            axis[k] = in_plane(axis[k] / np.linalg.norm(axis[k]))
            axis2[k] = np.cross(atoms.positions[edge.far] - atoms.positions[edge.near], axis[k])
    linkage.add_bodies(
        names, parent=parent, code=code, axis=axis, axis2=axis2, mass=mass, com=com, inertia=inertia,
        at_position=position,
    )  # fmt: skip


def _close(
    linkage: Linkage, atoms: Atoms, groups: Groups, origin: np.ndarray, strength: float | Strength | None
) -> None:
    """Add loop joints: about bonds that close rings of groups, and at an atom of each ring that puckers."""
    for edge in groups.loops:
        i, j = edge.near, edge.far
        a, b = int(groups.group[i]), int(groups.group[j])
        place = atoms.positions[i]
        linkage.connect(
            linkage.bodies[a], linkage.bodies[b], Revolute(atoms.positions[j] - place),
            at_a=Pose(place - origin[a]), at_b=Pose(place - origin[b]), name=f"{_label(atoms, i)}-{_label(atoms, j)}",
            strength=strength if {atoms.names[i], atoms.names[j]} == {"SG"} else None,
        )  # fmt: skip
    for i, j in groups.ring_closures:
        a, b, place = int(groups.group[i]), int(groups.group[j]), atoms.positions[j]
        linkage.connect(
            linkage.bodies[a], linkage.bodies[b], Spherical(), at_a=Pose(place - origin[a]),
            at_b=Pose(place - origin[b]), name=f"{_label(atoms, i)}-{_label(atoms, j)}",
        )  # fmt: skip


def _label(atoms: Atoms, k: int) -> str:
    return f"{atoms.residues[int(atoms.residue[k])].label}/{atoms.names[k]}"


def _monomers(path: Path) -> dict[str, dict[tuple[str, str], bool]]:
    """Bonds of residues from chemical component files, as gemmi reads them: one file, or a folder of them."""
    gemmi = require_gemmi()
    files = sorted(path.rglob("*.cif")) if path.is_dir() else [path]
    if not files or not files[0].is_file():
        raise ArgumentError(f"monomers={str(path)!r} is no file of chemical components, nor a folder with .cif files")
    found = {}
    for file in files:
        try:
            for block in gemmi.cif.read(str(file)):
                if block.find_loop("_chem_comp_bond.atom_id_1"):
                    component = gemmi.make_chemcomp_from_block(block)
                    elements = {atom.id: atom.el.name for atom in component.atoms}
                    single = gemmi.BondType.Single
                    found[component.name] = {
                        (bond.id1.atom, bond.id2.atom): bond.type == single and not bond.aromatic
                        for bond in component.rt.bonds
                        if "H" not in (elements[bond.id1.atom], elements[bond.id2.atom])
                    }
        except (RuntimeError, ValueError) as error:
            raise ArgumentError(f"{file.name} cannot be read as chemical components: {error}") from None
    return found
