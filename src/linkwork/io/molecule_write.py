"""Writing molecules: PDB and mmCIF by gemmi, trajectories as DCD."""

from __future__ import annotations

import struct
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, DescriptionError
from linkwork.io.molecule_atoms import ANGSTROM, require_gemmi
from linkwork.linkage.molecule import MoleculeData

AKMA = 0.04888821  # ps: the unit of time of DCD files


def write_molecule(data: MoleculeData, path: str | PathLike[str], positions: np.ndarray, dt: float) -> None:
    """Write positions (n, 3) or (frames, n, 3), nm."""
    path = Path(path)
    suffix = path.suffix.lower()
    frames = positions[None] if positions.ndim == 2 else positions
    if frames.ndim != 3:
        raise ArgumentError("q must have shape (nq,) or (frames, nq)")
    try:
        if suffix == ".dcd":
            _write_dcd(path, frames / ANGSTROM, dt)
        elif suffix in (".pdb", ".ent"):
            _structure(data, frames, narrow=True).write_pdb(str(path))
        elif suffix in (".cif", ".mmcif"):
            document = _structure(data, frames, narrow=False).make_mmcif_document()
            block = document.sole_block()
            table = block.find("_atom_site.", ["Cartn_x", "Cartn_y", "Cartn_z"])
            for row, place in zip(table, (frames / ANGSTROM).reshape(-1, 3), strict=True):
                row[0], row[1], row[2] = (f"{x:.6f}" for x in place)
            document.write_file(str(path))
        else:
            raise ArgumentError(f"cannot write {path.name!r}: the suffix must be one of .pdb, .ent, .cif, .mmcif, .dcd")
    except OSError as error:
        raise DescriptionError(f"cannot be written: {error.strerror}", file=path) from None


def _structure(data: MoleculeData, frames: np.ndarray, *, narrow: bool) -> Any:
    gemmi = require_gemmi()
    structure = gemmi.Structure()
    structure.name = "linkwork"
    if data.cell:
        structure.cell = gemmi.UnitCell(*data.cell)
        structure.spacegroup_hm = data.spacegroup
    for number, positions in enumerate(frames / ANGSTROM, 1):
        structure.add_model(_model(gemmi, data, positions, number, narrow))
    structure.setup_entities()
    return structure


def _model(gemmi: Any, data: MoleculeData, positions: np.ndarray, number: int, narrow: bool) -> Any:
    model = gemmi.Model(number)
    atoms_of: list[list[int]] = [[] for _ in data.residues]
    for k, row in enumerate(data.residue.tolist()):
        atoms_of[row].append(k)
    chain = last = None
    for row, atoms in enumerate(atoms_of):
        name, segment = _chain(data.chains[row], narrow)
        if chain is None or last != data.chains[row]:
            if chain is not None:
                model.add_chain(chain)
            chain, last = gemmi.Chain(name), data.chains[row]
        residue = gemmi.Residue()
        residue.segment = segment
        residue.name, residue.het_flag = data.residue_names[row], "H" if data.hetero[row] else "A"
        residue.seqid = gemmi.SeqId(data.numbers[row], data.insertions[row] or " ")
        for k in atoms:
            atom = gemmi.Atom()
            atom.name, atom.element = data.names[k].partition("#")[0], gemmi.Element(data.elements[k])
            atom.pos = gemmi.Position(*positions[k])
            atom.occ, atom.b_iso, atom.serial = float(data.occupancy[k]), float(data.b_factor[k]), k + 1
            residue.add_atom(atom)
        chain.add_residue(residue)
    model.add_chain(chain)
    return model


def _chain(label: str, narrow: bool) -> tuple[str, str]:
    """Chain and segment of a PDB file, which has one column for chains; "_" stands for none."""
    if not narrow or len(label) <= 2:
        return ("" if label == "_" and narrow else label), ""
    return "", label[:4]


def _write_dcd(path: Path, frames: np.ndarray, dt: float) -> None:
    """Write a trajectory in CHARMM's binary form: float32 coordinates in Å."""
    count, n = frames.shape[:2]
    head = struct.pack("<4s9if10i", b"CORD", count, 0, 1, count, 0, 0, 0, 0, 0, dt / AKMA, *[0] * 9, 24)
    title = b"written by linkwork".ljust(80)
    with path.open("wb") as file:
        for block in (head, struct.pack("<i", 1) + title, struct.pack("<i", n)):
            _record(file, block)
        for frame in np.asarray(frames, dtype="<f4"):
            for axis in range(3):
                _record(file, frame[:, axis].tobytes())


def _record(file: Any, block: bytes) -> None:
    """A record of Fortran's unformatted files: its length on both sides."""
    length = struct.pack("<i", len(block))
    file.write(length + block + length)
