"""Forces from OpenMM."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.checks import check_kind
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.molecule import Molecule
from linkwork.molecules.atom_forces import AtomForces
from linkwork.molecules.light_forces import SOFTNESS, Clashes, clashes


class OpenMMForces(AtomForces):
    """The forces of an OpenMM system on the atoms of a molecule, as torques at its joints.

    Parameters
    ----------
    linkage : Linkage
        Read from a molecule, with the hydrogens that the force field wants.
    system : openmm.System, optional
        With one particle per atom, in the order of the file. Its constraints have no effect.
    forcefield : str or sequence of str
        Files of a force field, from which the system is made where none is given, such as
        ``("amber14-all.xml", "implicit/gbn2.xml")``.
    cutoff : float, optional
        Of what is not bonded, nm. Default: none, every pair counts.
    platform : str
        "CPU" is fast and works in single precision; "Reference" in double.
    threads : int, optional
        Of the platform "CPU". Default: what OpenMM takes.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> forces = lw.OpenMMForces(peptide, forcefield="amber14-all.xml")
    >>> sim = lw.Simulation(peptide, torques=forces, dt=2e-3)
    """

    def __init__(
        self,
        linkage: Linkage,
        system: Any = None,
        *,
        forcefield: str | Sequence[str] = "amber14-all.xml",
        cutoff: float | None = None,
        platform: str = "CPU",
        threads: int | None = None,
    ):
        super().__init__(linkage)
        mm = _openmm()
        self.system = openmm_system(self.molecule, forcefield, cutoff) if system is None else system
        count = self.system.getNumParticles()
        if count != len(self.molecule):
            raise ArgumentError(
                f"the system has {count} particles, the molecule {len(self.molecule)} atoms: make it from the same file"
            )
        known = [mm.Platform.getPlatform(k).getName() for k in range(mm.Platform.getNumPlatforms())]
        if platform not in known:
            raise unknown_name("platform of OpenMM", platform, known)
        properties = {"Threads": str(threads)} if threads and platform == "CPU" else {}
        self.platform = platform
        self.context = mm.Context(
            self.system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName(platform), properties
        )

    def atom_energy(self, positions: np.ndarray, forces: np.ndarray) -> float:
        """Forces and energy from OpenMM."""
        self.context.setPositions(positions.reshape(-1, 3))
        state = self._state()
        copy = getattr(state, "_getVectorAsNumpy", None)
        if copy is not None:  # what `getForces` calls, without its units and second copy
            copy(state.Forces, forces.reshape(-1, 3))
        else:
            forces[:] = state.getForces(asNumpy=True)._value.ravel()
        energy = state.getPotentialEnergy()._value
        if not np.isfinite(energy):
            raise ArgumentError("the energy is not finite: atoms coincide; see linkwork.clashes")
        return energy

    def _state(self) -> Any:
        return self.context.getState(forces=True, energy=True)

    def clashes(self, q, *, scale: float = SOFTNESS) -> Clashes:
        """Atoms that overlap at q, and the pressure of it; see `linkwork.clashes`."""
        return clashes(self.linkage, q, scale=scale)

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("forces of OpenMM are not pickled: pickle the linkage, and make them anew")


def openmm_topology(molecule: Molecule) -> Any:
    """The atoms, residues and bonds of a molecule as an openmm.app.Topology.

    Raises
    ------
    ArgumentError
        It is not a `Molecule`, or the package openmm is not installed: the extra is named.

    Notes
    -----
    Cost: linear in the atoms.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> topology = lw.openmm_topology(peptide.molecule)
    >>> topology.getNumResidues()
    13
    """
    check_kind(molecule, Molecule, "molecule", "the molecule of a linkage, linkage.molecule")
    app = _openmm().app
    data, topology = molecule.data, _openmm().app.Topology()
    residues: list[Any] = []
    chain = last = None
    for row, name in enumerate(data.residue_names):
        if last is None or data.chains[row] != last:
            chain, last = topology.addChain(data.chains[row]), data.chains[row]
        residues.append(topology.addResidue(name, chain, str(data.numbers[row]), data.insertions[row]))
    atoms = []
    for row, name, element in zip(data.residue.tolist(), data.names, data.elements, strict=True):
        kind = None if element == "X" else app.Element.getBySymbol(element.capitalize())
        atoms.append(topology.addAtom(name, kind, residues[row]))
    for i, j in data.bonds.tolist():
        topology.addBond(atoms[i], atoms[j])
    return topology


def openmm_system(molecule: Molecule, forcefield: str | Sequence[str], cutoff: float | None) -> Any:
    """The system that a force field makes of a molecule."""
    app = _openmm().app
    files = [forcefield] if isinstance(forcefield, str) else list(forcefield)
    try:
        field = app.ForceField(*files)
    except (ValueError, FileNotFoundError, OSError) as error:
        raise ArgumentError(f"OpenMM has no force field {', '.join(files)}: {error}") from None
    method = {"nonbondedMethod": app.NoCutoff}
    if cutoff is not None:
        method = {"nonbondedMethod": app.CutoffNonPeriodic, "nonbondedCutoff": float(cutoff)}
    try:
        return field.createSystem(openmm_topology(molecule), constraints=None, rigidWater=False, **method)
    except ValueError as error:
        message = str(error).partition("  For more")[0]
        number = re.search(r"residue (\d+) \(", message)
        where = f" {molecule.residues[int(number[1])]}" if number else ""
        raise ArgumentError(
            f"the force field does not know residue{where}: {message} Load the file with water=False, or add what is "
            "missing with openmm.app.Modeller (addHydrogens) and load what it writes"
        ) from None


def _openmm() -> Any:
    """The package openmm, with its application layer."""
    try:
        import openmm
        import openmm.app
    except ImportError:
        raise ArgumentError("these forces come from the package openmm: pip install 'linkwork[molecule]'") from None
    return openmm
