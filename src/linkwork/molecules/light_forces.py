"""A light force of our own, for tests and teaching: harmonic torsions, and soft spheres that keep atoms apart."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.launch import call
from linkwork.linkage.checks import number
from linkwork.linkage.joint import Revolute
from linkwork.linkage.linkage import Linkage
from linkwork.molecules.atom_forces import AtomForces

SOFTNESS = 0.85  # share of the van der Waals radius at which spheres begin to push: atoms in contact overlap a little
ROOM = 4096  # clashes that are listed


class Clashes(NamedTuple):
    """Overlaps of soft spheres.

    Attributes
    ----------
    pairs : list of (str, str)
        The atoms, the deepest overlap first.
    overlap : (m,) array
        How deep each is, nm.
    energy : float
        kJ/mol.
    pressure : float
        Σ f·r / 3 V of the spheres, V the volume of them all, bar.
    """

    pairs: list[tuple[str, str]]
    overlap: np.ndarray
    energy: float
    pressure: float


class SoftSpheres:
    """Spheres that push each other apart where they overlap, found by a cell list.

    Parameters
    ----------
    linkage : Linkage
    stiffness : float
        k of E = ½ k s², kJ/mol/nm².
    scale : float
        Share of the van der Waals radii.
    """

    PRESSURE = 16.6053906717  # bar in kJ/mol/nm³

    def __init__(self, linkage: Linkage, stiffness: float, scale: float):
        molecule = linkage.molecule
        n = len(molecule)
        self.names = molecule.names
        self.radii = number(scale, "scale", minimum=0.0) * molecule.data.contact_radius
        self.radii[molecule.mass == 0.0] = 0.0
        size = max(2.0 * float(self.radii.max(initial=0.0)), 1e-3)
        self.numbers = np.array([number(stiffness, "stiffness", minimum=0.0), size])
        self.first, self.partner = _bonded(molecule.bonds, n)
        self.body = molecule.body
        self._heads = np.empty(1 << max(4, int(2 * n - 1).bit_length()), dtype=np.int64)
        self._links, self.totals, self.listed = np.empty(4 * n, dtype=np.int64), np.empty(4), np.empty(3 * ROOM)

    def add_up(self, positions: np.ndarray, forces: np.ndarray) -> float:
        """Write the forces (3 n,); return the energy."""
        call(
            ("molecules.spheres", "soft_spheres"), positions, self.radii, self.body, self.numbers, self.first,
            self.partner, self._heads, self._links, forces, self.totals, self.listed,
        )  # fmt: skip
        return float(self.totals[0])

    def clashes(self, positions: np.ndarray) -> Clashes:
        """The overlaps at these positions (3 n,)."""
        energy = self.add_up(positions, np.empty_like(positions))
        rows = self.listed.reshape(-1, 3)[: min(int(self.totals[2]), ROOM)]
        rows = rows[np.argsort(-rows[:, 2])]
        pairs = [(self.names[int(j)], self.names[int(i)]) for i, j, _ in rows]
        volume = 4.0 / 3.0 * np.pi * float(np.sum(self.radii**3))
        pressure = self.PRESSURE * float(self.totals[1]) / (3.0 * volume) if volume else 0.0
        return Clashes(pairs, rows[:, 2].copy(), energy, pressure)


class LightForces(AtomForces):
    """Harmonic torsions about rest angles, and soft spheres between atoms that are more than three bonds apart.

    Parameters
    ----------
    linkage : Linkage
    torsion_stiffness : float
        kJ/mol/rad², of every torsion.
    rest : (nq,) array_like, optional
        Coordinates at which torsions are at rest. Default: as the file has them.
    sphere_stiffness : float
        kJ/mol/nm².
    scale : float
        Radius of a sphere, as a share of the van der Waals radius.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> forces = lw.LightForces(peptide, torsion_stiffness=5.0)
    >>> sim = lw.Simulation(peptide, torques=forces, dt=2e-3)
    """

    def __init__(
        self, linkage: Linkage, *, torsion_stiffness: float = 10.0, rest=None, sphere_stiffness: float = 2e4,
        scale: float = SOFTNESS,
    ):  # fmt: skip
        super().__init__(linkage)
        self.spheres = SoftSpheres(linkage, sphere_stiffness, scale)
        self.torsion_stiffness = number(torsion_stiffness, "torsion_stiffness", minimum=0.0)
        self.rest = linkage.neutral() if rest is None else self._checked(rest).copy()
        self._joints = np.flatnonzero(linkage.columns.code == Revolute.code)
        self._find_coordinates()

    def _find_coordinates(self) -> None:
        columns = self.linkage.columns
        self._revision = self.linkage.revision
        turning = self._joints[columns.code[self._joints] == Revolute.code]
        self._q, self._v = columns.q_start[turning], columns.v_start[turning]
        if len(self.rest) != self.linkage.nq:
            raise ArgumentError("joints were cut since: make new forces, with rest= in the new layout")

    def atom_energy(self, positions: np.ndarray, forces: np.ndarray) -> float:
        """Soft spheres."""
        return self.spheres.add_up(positions, forces)

    def joint_energy(self, q: np.ndarray, tau: np.ndarray) -> float:
        """Harmonic torsions."""
        if self.linkage.revision != self._revision:
            self._find_coordinates()
        away = q[self._q] - self.rest[self._q]
        tau[self._v] -= self.torsion_stiffness * away
        return 0.5 * self.torsion_stiffness * float(away @ away)


def clashes(linkage: Linkage, q, *, scale: float = SOFTNESS, stiffness: float = 2e4) -> Clashes:
    """Atoms that overlap at q, deepest first: atoms more than three bonds apart, of different bodies.

    Parameters
    ----------
    linkage : Linkage
        Read from a molecule.
    q : (nq,) array_like
    scale : float
        Radius of a sphere, as a share of the van der Waals radius.
    stiffness : float
        Of the spheres, for energy and pressure, kJ/mol/nm².

    Returns
    -------
    Clashes

    Raises
    ------
    ArgumentError
        The linkage was not read from a molecule, or q has another shape.

    Notes
    -----
    Cost: linear in the atoms.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> found = lw.clashes(peptide, peptide.neutral())
    >>> found.pairs[0]
    ('_/6/HB2', '_/7/HD2')
    """
    return SoftSpheres(linkage, stiffness, scale).clashes(linkage.molecule.positions(q).reshape(-1))


def _bonded(bonds: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """For each atom those at most three bonds away: (n + 1) starts, and the lists one after the other."""
    from scipy.sparse import coo_matrix, identity

    a, b = bonds.T
    ends = np.concatenate([a, b]), np.concatenate([b, a])
    graph = coo_matrix((np.ones(2 * len(a)), ends), shape=(n, n)).tocsr() + identity(n, format="csr")
    near: Any = graph @ graph @ graph
    return near.indptr.astype(np.int64), near.indices.astype(np.int64)
