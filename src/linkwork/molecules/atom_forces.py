"""Forces on atoms as torques at joints: what all force fields share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.launch import call
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers, problem
from linkwork.molecules.pulling import Pull

if TYPE_CHECKING:
    from linkwork.quasistatics.adaptive_simulation import AdaptiveSimulation

_POSITIONS, _TORQUES = ("molecules.atoms", "atom_positions"), ("molecules.atoms", "atom_torques")


class AtomForces:
    """A potential energy of atoms, seen from the joints; a force field says what `atom_energy` is.

    It is called as ``torques(t, q, v)``: give it to `Simulation` as `torques`, or its `wrenches` as `wrenches`.

    Parameters
    ----------
    linkage : Linkage
        Read from a molecule. Cutting and connecting joints is allowed later on.

    Attributes
    ----------
    pulls : list of Pull
        What pulls at single atoms besides; see `pull`.
    evaluations : int
        How often the force field was asked.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> forces = lw.LightForces(peptide)  # a force field: one kind of AtomForces
    >>> energy, torques = forces.energy_and_torques(peptide.neutral())
    >>> torques.shape == (peptide.nv,)
    True
    """

    def __init__(self, linkage: Linkage):
        self.linkage, self.molecule = linkage, linkage.molecule
        self.pulls: list[Pull] = []
        self.evaluations = 0
        n = len(self.molecule)
        self._tree: Any = None
        self._positions, self._forces = np.empty(3 * n), np.empty(3 * n)

    def atom_energy(self, positions: np.ndarray, forces: np.ndarray) -> float:
        """Write the forces on atoms (3 n,), kJ/mol/nm; return the energy, kJ/mol. `positions` (3 n,) are in nm."""
        raise NotImplementedError

    def joint_energy(self, q: np.ndarray, tau: np.ndarray) -> float:
        """Add torques at joints (nv,) that come from no atom to `tau`; return their energy. By default none."""
        return 0.0

    # What is asked for

    def energy(self, q, t: float = 0.0) -> float:
        """The energy at q (nq,), kJ/mol."""
        return self._evaluate(t, self._checked(q))[0]

    def energy_and_torques(self, q, t: float = 0.0) -> tuple[float, np.ndarray]:
        """The energy, kJ/mol, and the torques −∂E/∂q (nv,), kJ/mol, at q (nq,)."""
        energy, tau, _ = self._evaluate(t, self._checked(q))
        return energy, tau

    def forces(self, q, t: float = 0.0) -> np.ndarray:
        """The forces on atoms (n, 3), kJ/mol/nm, world axes, at q (nq,)."""
        self._evaluate(t, self._checked(q))
        return self._forces.reshape(-1, 3).copy()

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The torques, as of `torques`."""
        return self._evaluate(t, q)[1]

    def torques(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The torques −∂E/∂q (nv,), as `Simulation` asks for them."""
        return self._evaluate(t, q)[1]

    def wrenches(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The wrench on every body (nb, 6), as `Simulation` asks for them; torques at joints are not in it."""
        return self._evaluate(t, q)[2].reshape(-1, 6)

    def pull(self, atom: str, **options: Any) -> Pull:
        """Pull at an atom from now on; see `Pull`. Take it out of `pulls` to end that."""
        pull = Pull(self.molecule, atom, **options)
        self.pulls.append(pull)
        return pull

    def apply_to(self, simulation: AdaptiveSimulation, q=None) -> float:
        """Give an adaptive simulation the forces at its present q, or at the given one; return the energy.

        All forces on a body are replaced by one wrench, about the body's origin.
        """
        if simulation.linkage is not self.linkage:
            raise ArgumentError("the adaptive simulation moves another linkage")
        q = simulation.q if q is None else self._checked(q)
        energy, _, wrenches = self._evaluate(simulation.t, q)
        rows = wrenches.reshape(-1, 6)
        simulation.apply_forces(np.arange(len(rows)), rows[:, :3], moments=rows[:, 3:])
        direct = np.zeros(self.linkage.nv)
        self.joint_energy(q, direct)
        driven = np.unique(np.searchsorted(self.linkage.columns.v_start, np.flatnonzero(direct), side="right") - 1)
        if len(driven):
            slices = [self.linkage.columns.dof_slice(row) for row in driven.tolist()]
            simulation.apply_torques(driven, np.concatenate([direct[dofs] for dofs in slices]))
        return energy

    # Within

    def _checked(self, q) -> np.ndarray:
        q = numbers(self.linkage, "q", q, self.linkage.nq, "nq")
        if q.ndim != 1:
            raise ArgumentError(f"forces are those of one state: q must have shape ({self.linkage.nq},)")
        return q

    def _evaluate(self, t: float, q: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Energy, torques and wrenches: atoms from q, forces from the force field, and these back to joints."""
        linkage = self.linkage
        if linkage._tree is not self._tree or self._tree is None:
            self._tree, self._atoms = linkage.tree, self.molecule.packed
        tree, work = self._tree, self._tree.work()
        block = tree.model, tree.index, work, self._atoms, q
        outcome = call(_POSITIONS, *block, self._positions)
        if outcome:
            raise problem(linkage, outcome)
        energy = self.atom_energy(self._positions, self._forces)
        self.evaluations += 1
        for pull in self.pulls:
            energy += pull.add_to(t, self._positions, self._forces)
        tau, wrenches = np.empty(tree.nv), np.empty(6 * tree.nb)
        outcome = call(_TORQUES, *block, self._forces, tau, wrenches)
        tree.pool.append(work)
        if outcome:
            raise problem(linkage, outcome)
        return energy + self.joint_energy(q, tau), tau, wrenches

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.linkage.name!r}, {len(self.molecule)} atoms)"
