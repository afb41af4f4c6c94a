"""Normal modes in torsion space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.closed import mobility
from linkwork.dynamics.inverse import mass_matrix
from linkwork.errors import ArgumentError
from linkwork.molecules.atom_forces import AtomForces

STEP = 1e-4  # rad or nm, of the differences of torques
WAVENUMBER = 33.35640951981521 / (2.0 * np.pi)  # 1/cm in rad/ps
LARGEST = 4000  # degrees of freedom: beyond, dense matrices take minutes


class TorsionModes(NamedTuple):
    """Normal modes, the slowest first.

    Attributes
    ----------
    frequencies : (m,) array
        ω, rad/ps; negative where the energy falls along the mode.
    wavenumbers : (m,) array
        The same in 1/cm, as spectroscopists give them.
    shapes : (m, nv) array
        Velocities of the joints, of unit kinetic norm: shapes H shapesᵀ = 1.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> forces = lw.LightForces(peptide)
    >>> modes = lw.torsion_modes(forces, lw.minimize(forces, tolerance=1e-3).q, count=8)
    >>> modes.shapes.shape == (8, peptide.nv)
    True
    """

    frequencies: np.ndarray
    wavenumbers: np.ndarray
    shapes: np.ndarray

    def displacements(self, forces: AtomForces, q, mode: int) -> np.ndarray:
        """How the atoms (n, 3) move along a mode, nm per unit of it, by central differences."""
        linkage, molecule = forces.linkage, forces.molecule
        step = 1e-5 * self.shapes[mode]
        ahead, behind = (molecule.positions(linkage.integrate(q, s * step)) for s in (1.0, -1.0))
        return (ahead - behind) / 2e-5


def torsion_modes(forces: AtomForces, q, *, count: int | None = None) -> TorsionModes:
    """The normal modes of a molecule in its torsions, from the mass matrix and the Hessian of the energy.

    Parameters
    ----------
    forces : AtomForces
    q : (nq,) array_like
        A minimum of the energy; see `minimize`.
    count : int, optional
        How many of the slowest. Default: all. Each component of the molecule has six that do not change its shape.

    Returns
    -------
    TorsionModes

    Raises
    ------
    ArgumentError
        q has another shape, or there are too many degrees of freedom for dense matrices.

    Notes
    -----
    K φ = ω² H φ. The Hessian K is made of central differences of exact torques, 2 nv evaluations. With loop joints both
    matrices are those of the independent coordinates.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> forces = lw.LightForces(peptide)
    >>> q = lw.minimize(forces, tolerance=1e-3).q
    >>> lw.torsion_modes(forces, q, count=10).wavenumbers.shape
    (10,)
    """
    from scipy.linalg import eigh

    linkage, q = forces.linkage, forces._checked(q)
    if linkage.nv > LARGEST:
        raise ArgumentError(f"{linkage.nv} degrees of freedom are too many for dense matrices: freeze domains (rigid=)")
    K = np.empty((linkage.nv, linkage.nv))
    for k in range(linkage.nv):
        step = np.zeros(linkage.nv)
        step[k] = STEP
        ahead, behind = (forces.energy_and_torques(linkage.integrate(q, s * step))[1] for s in (1.0, -1.0))
        K[:, k] = (behind - ahead) / (2.0 * STEP)
    K, H = 0.5 * (K + K.T), mass_matrix(linkage, q)
    W = mobility(linkage, q).W if len(linkage.loops) else np.eye(linkage.nv)
    last = W.shape[1] if count is None else min(int(count), W.shape[1])
    values, vectors = eigh(W.T @ K @ W, W.T @ H @ W, subset_by_index=(0, last - 1))
    omega = np.sign(values) * np.sqrt(np.abs(values))
    return TorsionModes(omega, WAVENUMBER * omega, (W @ vectors).T)
