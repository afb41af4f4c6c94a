"""Reading atoms from PDB and mmCIF files by gemmi: one model, one location per atom, in the order of the file.

Lengths are in nm and masses in u, the units of molecular mechanics: with ps they give energies in kJ/mol.
"""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, DescriptionError
from linkwork.io.monomers import WATERS

ANGSTROM = 0.1  # nm
DECIMAL_POINTS = (34, 42, 50)  # columns of a PDB file, from 0, in which coordinates have theirs
CARBON = 12.011  # u, what an atom of unknown element is taken to weigh


class Residue(NamedTuple):
    """A residue: its label such as ``A/42``, its name in the file, and its atoms by name."""

    label: str
    chain: str
    number: int
    insertion: str
    name: str
    hetero: bool
    water: bool
    atoms: dict[str, int]


class Atoms(NamedTuple):
    """The atoms of a model."""

    residues: list[Residue]
    residue: np.ndarray  # (n,) of each atom
    names: list[str]
    elements: list[str]
    positions: np.ndarray  # (n, 3) nm
    mass: np.ndarray  # (n,) u
    radius: np.ndarray  # (n,) of covalent bonds, nm
    contact_radius: np.ndarray  # (n,) van der Waals, nm
    metal: np.ndarray  # (n,) bool
    occupancy: np.ndarray
    b_factor: np.ndarray
    links: list[tuple[int, int]]  # bonds that the file itself lists
    cell: tuple[float, ...]  # Å and degrees; empty where there is none
    spacegroup: str
    ignored: list[str]


def read_atoms(path: Path, *, model: int | None, altloc: str | None, water: bool, hydrogens: bool) -> Atoms:
    """The atoms of a file; see `linkwork.io.load.load` for the options."""
    gemmi = require_gemmi()
    text = _text(path)
    suffix = path.suffixes[-2 if path.suffix.lower() in (".gz", ".bz2") else -1].lower()
    if suffix in (".cif", ".mmcif"):
        structure = _read_mmcif(gemmi, path, text)
    else:
        _check_pdb(path, text, model)
        structure = _read_pdb(gemmi, path, text)
    return _Collector(gemmi, path, structure, altloc, water, hydrogens).collect(_model(path, structure, text, model))


def require_gemmi() -> Any:
    """The package gemmi."""
    try:
        import gemmi
    except ImportError:
        raise ArgumentError("molecules are read by the package gemmi: pip install 'linkwork[molecule]'") from None
    return gemmi


def _text(path: Path) -> str:
    raw = path.read_bytes()
    try:
        if path.suffix.lower() == ".gz":
            raw = gzip.decompress(raw)
        elif path.suffix.lower() == ".bz2":
            raw = bz2.decompress(raw)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise DescriptionError(f"cannot be unpacked: {error}", file=path) from None
    return raw.decode("utf-8", errors="replace")


def _check_pdb(path: Path, text: str, model: int | None) -> None:
    """Refuse lines of a PDB file whose coordinates are cut off, out of their columns or no numbers."""
    models = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("MODEL "):
            models += 1
            if models == 2 and model is None:
                raise DescriptionError("there is a second model: choose one, as in model=1", file=path, line=number)
        if not line.startswith(("ATOM  ", "HETATM")):
            continue
        if len(line) < 54:
            raise DescriptionError("the line ends before its coordinates do", file=path, line=number)
        if any(line[column] != "." for column in DECIMAL_POINTS):
            message = f"x, y and z are not in columns 31 to 54 of {line[:54].rstrip()!r}"
            try:
                if not np.isfinite([float(word) for word in line[30:54].split()]).all():
                    message = f"a coordinate is not finite: {line[30:54].strip()!r}"
            except ValueError:
                pass
            raise DescriptionError(message, file=path, line=number)
        try:
            finite = np.isfinite(float(line[30:38]) + float(line[38:46]) + float(line[46:54]))
        except ValueError:
            finite = False
        if not finite:
            raise DescriptionError(f"not finite numbers: {line[30:54].strip()!r}", file=path, line=number)


def _read_pdb(gemmi: Any, path: Path, text: str) -> Any:
    try:
        return gemmi.read_pdb_string(text)
    except (RuntimeError, ValueError) as error:
        line = _number_after(str(error), "line ")
        message = str(error).splitlines()[0].partition(f"line {line}: ")
        raise DescriptionError(message[2] or message[0], file=path, line=line) from None


def _read_mmcif(gemmi: Any, path: Path, text: str) -> Any:
    try:
        document = gemmi.cif.read_string(text)
        blocks = [block for block in document if block.find_loop("_atom_site.Cartn_x")]
        if not blocks:
            raise DescriptionError(
                "ends without an _atom_site loop, so without coordinates", file=path, line=_last(text)
            )
        structure = gemmi.make_structure_from_block(blocks[0])
    except (RuntimeError, ValueError) as error:
        if isinstance(error, DescriptionError):
            raise
        line = _number_after(str(error), "string:")
        raise DescriptionError(str(error).rpartition(": ")[2], file=path, line=line) from None
    column = blocks[0].find_loop("_atom_site.Cartn_x")
    for axis in "xyz":
        for row, value in enumerate(blocks[0].find_loop(f"_atom_site.Cartn_{axis}")):
            if not _is_finite(value):
                message = f"atom {row + 1} of {len(column)} has Cartn_{axis} = {value}"
                raise DescriptionError(message, file=path, line=_line_of_row(text, row))
    return structure


def _is_finite(value: str) -> bool:
    try:
        return bool(np.isfinite(float(value.partition("(")[0])))
    except ValueError:
        return False


def _line_of_row(text: str, row: int) -> int | None:
    """The line of a row of the loop of atoms, where each has a line of its own."""
    lines = text.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith("_atom_site.")), None)
    if start is None:
        return None
    while start < len(lines) and lines[start].startswith("_atom_site."):
        start += 1
    return start + row + 1


def _last(text: str) -> int:
    """The number of the last line."""
    return max(1, len(text.splitlines()))


def _number_after(message: str, word: str) -> int | None:
    digits = ""
    for letter in message.partition(word)[2]:
        if not letter.isdigit():
            break
        digits += letter
    return int(digits) if digits else None


def _model(path: Path, structure: Any, text: str, wanted: int | None) -> Any:
    """The one model, or the one that is wanted."""
    numbers = [each.num for each in structure]
    if wanted is not None:
        if wanted not in numbers:
            raise ArgumentError(f"{path.name} has no model {wanted}: its models are {', '.join(map(str, numbers))}")
        return structure[numbers.index(wanted)]
    if len(numbers) > 1:
        second = next((k for k, line in enumerate(text.splitlines(), 1) if line.startswith("MODEL ") and k > 1), None)
        raise DescriptionError(
            f"there are {len(numbers)} models: choose one, as in model={numbers[0]}", file=path, line=second
        )
    if not numbers or structure[0].count_atom_sites() == 0:
        message = "ends without an atom: no ATOM or HETATM record, nor a row of _atom_site"
        raise DescriptionError(message, file=path, line=_last(text))
    return structure[0]


class _Collector:
    """Goes through a model once and keeps what is wanted, as columns."""

    def __init__(self, gemmi: Any, path: Path, structure: Any, altloc: str | None, water: bool, hydrogens: bool):
        self.gemmi, self.path, self.structure = gemmi, path, structure
        self.altloc, self.water, self.hydrogens = altloc, water, hydrogens
        self.residues: list[Residue] = []
        self.kept: list[tuple[int, Any]] = []  # residue, atom
        self.labels: dict[str, int] = {}
        self.ignored: list[str] = []
        self.elements: dict[str, tuple] = {}

    def collect(self, model: Any) -> Atoms:
        dropped: dict[str, int] = defaultdict(int)
        alternatives = []
        for chain in model:
            for residue in chain:
                water = residue.is_water() or residue.name in WATERS
                if water and not self.water:
                    dropped["waters"] += 1
                    continue
                atoms = [atom for atom in residue if self.hydrogens or not atom.is_hydrogen()]
                dropped["hydrogens"] += len(residue) - len(atoms)
                kept = self._one_location(atoms)
                if len(kept) < len(atoms):
                    alternatives.append(f"{chain.name or residue.segment or '_'}/{residue.seqid}")
                if kept:
                    self._add(chain, residue, water, kept)
        self.ignored += [f"{count} {what}, as asked" for what, count in dropped.items() if count]
        if alternatives:
            shown = ", ".join(alternatives[:8]) + (" …" if len(alternatives) > 8 else "")
            self.ignored.append(f"alternative locations of {len(alternatives)} residues, the less occupied: {shown}")
        if not self.kept:
            raise DescriptionError("nothing is left to load: every atom was left out as asked", file=self.path)
        return self._columns()

    def _one_location(self, atoms: list[Any]) -> list[Any]:
        """One location of each atom: the one asked for, else that of which most is occupied."""
        occupied: dict[str, float] = defaultdict(float)
        for atom in atoms:
            if atom.has_altloc():
                occupied[atom.altloc] += atom.occ
        if not occupied:
            return atoms
        best = max(occupied, key=lambda each: (each == self.altloc, occupied[each], -ord(each)))
        chosen: dict[str, Any] = {}
        for atom in atoms:  # an atom without the best location keeps its first
            if atom.name not in chosen or (atom.altloc == best and chosen[atom.name].altloc != best):
                chosen[atom.name] = atom
        return list(chosen.values())

    def _add(self, chain: Any, residue: Any, water: bool, atoms: list[Any]) -> None:
        name = (chain.name or residue.segment or "_").strip()
        insertion = residue.seqid.icode.strip()
        label = f"{name}/{residue.seqid.num}{insertion}"
        earlier = self.residues[self.labels[label]] if label in self.labels else None
        if earlier is not None:
            fresh = not any(atom.name in earlier.atoms for atom in atoms)
            if earlier.name == residue.name and fresh and not water:  # goes on after other residues
                self._append(self.labels[label], earlier.atoms, atoms)
                return
            if earlier.name != residue.name and atoms[0].has_altloc() and label == self.residues[-1].label:
                self.ignored.append(f"{label} {residue.name}: {earlier.name} stands at the same place")
                return
            copy = 2
            while f"{label}#{copy}" in self.labels:
                copy += 1
            label = f"{label}#{copy}"
        self.labels[label] = len(self.residues)
        names: dict[str, int] = {}
        hetero = residue.het_flag == "H"
        self.residues.append(Residue(label, name, residue.seqid.num, insertion, residue.name, hetero, water, names))
        self._append(len(self.residues) - 1, names, atoms)

    def _append(self, row: int, names: dict[str, int], atoms: list[Any]) -> None:
        for atom in atoms:
            name, copy = atom.name, 2
            while name in names:
                name, copy = f"{atom.name}#{copy}", copy + 1
            names[name] = len(self.kept)
            self.kept.append((row, atom))

    def _columns(self) -> Atoms:
        residue = np.array([row for row, _ in self.kept])
        atoms = [atom for _, atom in self.kept]
        names = [""] * len(atoms)
        for each in self.residues:
            for name, k in each.atoms.items():
                names[k] = name
        kinds = [self._element(self.residues[row], atom) for row, atom in self.kept]
        chemistry = [self._chemistry(kind) for kind in kinds]
        mass, radius, contact, metal = (np.array(column) for column in zip(*chemistry, strict=True))
        water = np.array([each.water for each in self.residues])[residue]
        unknown = (mass == 0.0) & ~water  # in water it is a site without mass
        if unknown.any():
            first = int(np.argmax(unknown))
            place = f"{self.residues[residue[first]].label}/{names[first]}"
            self.ignored.append(f"{unknown.sum()} atoms of unknown element, such as {place}, weigh as carbon")
            mass = np.where(unknown, CARBON, mass)
        cell = self.structure.cell
        crystal = cell.is_crystal()
        return Atoms(
            self.residues, residue, names, [kind.name for kind in kinds],
            np.array([atom.pos.tolist() for atom in atoms]) * ANGSTROM, mass, radius, contact, metal,
            np.array([atom.occ for atom in atoms]), np.array([atom.b_iso for atom in atoms]), self._links(),
            (cell.a, cell.b, cell.c, cell.alpha, cell.beta, cell.gamma) if crystal else (),
            self.structure.spacegroup_hm if crystal else "", self.ignored,
        )  # fmt: skip

    def _element(self, residue: Residue, atom: Any) -> Any:
        """The element of an atom, where the file does not name it by its name: ions in full, others by one letter."""
        if len(residue.atoms) == 1 and atom.name.upper() == residue.name.upper():
            own = self.gemmi.Element(atom.name)
            return own if own.atomic_number else atom.element
        letter = atom.name.lstrip("0123456789")[:1]
        if atom.element.atomic_number == 0 and letter and letter in "HCNOSP":
            return self.gemmi.Element(letter)
        return atom.element

    def _chemistry(self, element: Any) -> tuple[float, float, float, bool]:
        """Mass, covalent radius, van der Waals radius, and whether it is a metal."""
        if element.name not in self.elements:
            mass = 0.0 if element.atomic_number == 0 else element.weight
            radii = element.covalent_r * ANGSTROM, element.vdw_r * ANGSTROM
            self.elements[element.name] = (mass, *radii, element.is_metal)
        return self.elements[element.name]

    def _links(self) -> list[tuple[int, int]]:
        """Pairs of atoms that LINK, SSBOND, CONECT or _struct_conn join, hydrogen bonds and metals apart."""
        kind = self.gemmi.ConnectionType
        links = []
        for each in self.structure.connections:
            ends = [self._find(partner) for partner in (each.partner1, each.partner2)]
            if each.type in (kind.Covale, kind.Disulf, kind.Unknown) and None not in ends:
                links.append((min(ends), max(ends)))
        serial = {atom.serial: k for k, (_, atom) in enumerate(self.kept)}
        if len(serial) == len(self.kept):  # which is how CONECT names atoms
            for a, others in self.structure.conect_map.items():
                links += [(serial[a], serial[b]) for b in others if a in serial and b in serial and a < b]
        return links

    def _find(self, partner: Any) -> Any:
        where = partner.res_id
        row = self.labels.get(f"{partner.chain_name or '_'}/{where.seqid.num}{where.seqid.icode.strip()}")
        return None if row is None else self.residues[row].atoms.get(partner.atom_name)
