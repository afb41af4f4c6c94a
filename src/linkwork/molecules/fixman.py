"""Fixman's potential: what torsion space needs to give the statistics of a molecule whose bonds are stiff, not rigid.

With bonds and angles rigid, torsions are distributed as √det H(q) exp(−E/kT); with very stiff ones as exp(−E/kT) alone,
because the volume of Cartesian space for given bonds and angles does not depend on torsions. The potential
½ kT log det H makes up for the difference. [Fixman1974]
"""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.derivatives import inverse_dynamics_derivatives
from linkwork.dynamics.factors import factorize
from linkwork.dynamics.inverse import mass_matrix, packed_mass_matrix
from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.checks import number
from linkwork.linkage.linkage import Linkage
from linkwork.molecules.atom_forces import AtomForces
from linkwork.simulation.langevin import Langevin

STEP = 1e-4  # rad, of differences


class Fixman:
    """Fixman's potential, alone or added to forces; give it to `Simulation` as `torques`.

    Parameters
    ----------
    linkage : Linkage
        Without loops.
    temperature : float
        K.
    forces : AtomForces or callable, optional
        ``forces(t, q, v)``, to which it is added.
    gradient : {"exact", "differences"}
        ∂H/∂q from the derivatives of inverse dynamics, or central differences of the potential. Both take some nv
        evaluations.
    boltzmann : float, optional
        As of `Langevin`.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> fixman = lw.Fixman(peptide, temperature=300.0)
    >>> fixman.torques(peptide.neutral()).shape == (peptide.nv,)
    True
    """

    def __init__(
        self, linkage: Linkage, temperature: float, forces: AtomForces | None = None, *, gradient: str = "exact",
        boltzmann: float | None = None,
    ):  # fmt: skip
        if gradient not in ("exact", "differences"):
            raise unknown_name("gradient", gradient, ("exact", "differences"))
        if len(linkage.loops):
            raise ArgumentError("Fixman's potential is that of a tree: load the molecule without loop joints")
        self.linkage, self.forces, self.gradient = linkage, forces, gradient
        self.kt = Langevin(number(temperature, "temperature", minimum=0.0), 0.0, boltzmann=boltzmann).kt(linkage)

    def energy(self, q) -> float:
        """½ kT log det H at q (nq,), from the D of H = Lᵀ D L."""
        D = factorize(self.linkage, packed_mass_matrix(self.linkage, q), overwrite=True).D
        return 0.5 * self.kt * float(np.log(D).sum())

    def torques(self, q) -> np.ndarray:
        """Minus its gradient (..., nv) at q (..., nq)."""
        q = np.asarray(q, dtype=np.float64)
        if self.gradient == "exact":
            return self._exact(q)
        if q.ndim > 1:
            return np.stack([self.torques(each) for each in q])
        linkage, step = self.linkage, np.eye(self.linkage.nv) * STEP
        rise = [self.energy(linkage.integrate(q, e)) - self.energy(linkage.integrate(q, -e)) for e in step]
        return -np.array(rise) / (2.0 * STEP)

    def _exact(self, q: np.ndarray) -> np.ndarray:
        """−½ kT tr(H⁻¹ ∂H/∂q): column j of H is what inverse dynamics gives for the j-th unit acceleration."""
        linkage, nv = self.linkage, self.linkage.nv
        rest = np.zeros(nv)
        inverse = np.linalg.inv(mass_matrix(linkage, q))
        units = np.concatenate([np.zeros((1, nv)), np.eye(nv)])  # the first for gravity and springs, to be taken off
        dtau, _ = inverse_dynamics_derivatives(linkage, q[..., None, :], rest, units)
        slope = dtau[..., 1:, :, :] - dtau[..., :1, :, :]
        return -0.5 * self.kt * np.einsum("...ji,...jik->...k", inverse, slope)

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The torques, with those of `forces`, as `Simulation` asks for them."""
        own = self.torques(q)
        return own if self.forces is None else own + self.forces(t, q, v)

    def __repr__(self) -> str:
        return f"Fixman({self.linkage.name!r}, kT={self.kt:g})"
