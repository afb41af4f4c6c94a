"""What a linkage that was read from a molecule knows of its atoms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.pose import Pose

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.packing.tree import Tree

_packed: WeakKeyDictionary[Tree, np.ndarray] = WeakKeyDictionary()  # atoms as kernels read them


@dataclass(frozen=True)
class MoleculeData:
    """The atoms of a molecule, as its reader found them: lists with one entry per residue, arrays with one per atom."""

    residues: list[str]
    residue_names: list[str]
    chains: list[str]
    numbers: list[int]
    insertions: list[str]
    hetero: list[bool]
    water: list[bool]
    residue: np.ndarray
    names: list[str]
    elements: list[str]
    mass: np.ndarray
    contact_radius: np.ndarray
    occupancy: np.ndarray
    b_factor: np.ndarray
    body: np.ndarray
    local: np.ndarray
    bonds: np.ndarray
    torsions: np.ndarray
    cell: tuple[float, ...] = ()
    spacegroup: str = ""
    index: dict[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self):
        for k, (row, name) in enumerate(zip(self.residue.tolist(), self.names, strict=True)):
            self.index[f"{self.residues[row]}/{name}"] = k

    def frame(self, name: str) -> tuple[int, Pose] | None:
        """The body that carries an atom and the atom's place in it; None where there is no such atom."""
        k = self.index.get(name)
        return None if k is None else (int(self.body[k]), Pose(self.local[k]))


class Molecule:
    """The atoms of a linkage and the bodies that carry them.

    Attributes
    ----------
    linkage : Linkage
    elements : list of str
    mass : (n,) array
        In u.
    body : (n,) array
        The row of the body that carries each atom.
    local : (n, 3) array
        Where each atom is in its body's frame, nm.
    bonds : (m, 2) array
        Pairs of atoms.
    residue : (n,) array
        The row of each atom's residue in `residues`.
    residues, residue_names : list of str
        ``"A/42"`` and what the file calls it, such as ``"LYS"``.

    Notes
    -----
    Units are nm, ps, u and kJ/mol, which agree with each other as those of SI do. At q = 0, `linkage.neutral()`, the
    atoms are where the file has them.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> molecule = peptide.molecule
    >>> molecule.positions(peptide.neutral()).shape == (len(molecule.elements), 3)
    True
    """

    def __init__(self, linkage: Linkage, data: MoleculeData):
        self.linkage, self.data = linkage, data
        self.elements, self.mass, self.body, self.local = data.elements, data.mass, data.body, data.local
        self.bonds, self.residue, self.residues = data.bonds, data.residue, data.residues
        self.residue_names = data.residue_names

    def __len__(self) -> int:
        return len(self.data.names)

    @cached_property
    def names(self) -> list[str]:
        """The name of each atom, such as ``A/42/CA``."""
        return list(self.data.index)

    def atom(self, name: str | int) -> int:
        """The row of an atom, by its name such as ``A/42/CA``."""
        if isinstance(name, (int, np.integer)) and 0 <= name < len(self):
            return int(name)
        if not isinstance(name, str) or name not in self.data.index:
            near = [each for each in self.names if each.rpartition("/")[0] == str(name).rpartition("/")[0]]
            raise unknown_name("atom", name, near or self.names)
        return self.data.index[name]

    def atoms_of(self, body: Any) -> list[str]:
        """The names of the atoms that a body carries."""
        row = self.linkage._resolve(body)[0]
        return [self.names[k] for k in np.flatnonzero(self.body == row)]

    def positions(self, q) -> np.ndarray:
        """Where the atoms are, (..., n, 3), nm."""
        from linkwork.linkage.packing.launch import numbers, run

        q = numbers(self.linkage, "q", q, self.linkage.nq, "nq")
        out = np.empty((*q.shape[:-1], 3 * len(self)))
        run(self.linkage, ("molecules.atoms", "atom_positions"), self.packed, [q], [out])
        return out.reshape(*q.shape[:-1], len(self), 3)

    @property
    def packed(self) -> np.ndarray:
        """The atoms as `linkwork.kernels.molecules.atoms` reads them: stage, and place in its frame."""
        tree = self.linkage.tree
        if tree not in _packed:
            rows, stage = np.empty((len(self), 4)), tree.stage[self.body]
            rows[:, 0] = stage
            rows[:, 1:] = np.einsum("nji,nj->ni", tree.align[stage], self.local)
            _packed[tree] = rows.ravel()
        return _packed[tree]

    def dihedrals(self, q, joints: Sequence[str] | None = None) -> np.ndarray:
        """The angles (..., m) of torsions as chemists measure them, rad in −π … π, for q (..., nq).

        Those of `joints`, by default of every joint; NaN for joints that are no torsion.
        """
        rows = slice(None) if joints is None else [self.linkage._resolve_joint(each) for each in joints]
        four = self.data.torsions[rows]
        known = four[:, 0] >= 0
        x = self.positions(q)[..., four[known], :]
        a, b, c = x[..., 1, :] - x[..., 0, :], x[..., 2, :] - x[..., 1, :], x[..., 3, :] - x[..., 2, :]
        left, right = np.cross(a, b), np.cross(b, c)
        out = np.full((*x.shape[:-3], len(four)), np.nan)
        length = np.linalg.norm(b, axis=-1)
        out[..., known] = np.arctan2(length * np.sum(a * right, axis=-1), np.sum(left * right, axis=-1))
        return out

    def write(self, path: str | PathLike[str], q=None, *, dt: float = 1.0) -> None:
        """Write the molecule at q: (nq,) to .pdb or .cif; (frames, nq) to .pdb as models or to .dcd.

        Parameters
        ----------
        path : path
        q : (nq,) or (frames, nq) array_like, optional
            Default: as it was read.
        dt : float
            Time between frames of a .dcd file, ps.
        """
        from linkwork.io.molecule_write import write_molecule

        write_molecule(self.data, path, self.positions(self.linkage.neutral() if q is None else q), dt)

    def __repr__(self) -> str:
        groups = len(np.unique(self.body))
        return f"Molecule({len(self)} atoms, {len(self.residues)} residues, {groups} rigid groups)"


def molecule_of(linkage: Linkage, data: MoleculeData | None) -> Molecule:
    """The molecule of a linkage, where it is one."""
    if data is None:
        raise ArgumentError(f"linkage {linkage.name!r} has no atoms: it was not read from a PDB or mmCIF file")
    return Molecule(linkage, data)
