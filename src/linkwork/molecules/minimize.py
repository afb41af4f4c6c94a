"""Energy minimisation in torsion space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.closed import close_loops
from linkwork.dynamics.forward import forward_dynamics
from linkwork.dynamics.inverse import inverse_dynamics
from linkwork.errors import ArgumentError
from linkwork.kernels.launch import call
from linkwork.kernels.layout.kinds import KIND_NV, QUATERNION
from linkwork.linkage.linkage import Linkage
from linkwork.molecules.atom_forces import AtomForces

STRETCH = 40  # iterations from one pose, before the next begins where they led: local coordinates stay small
REACH = 0.05  # rad, the longest first step: further away atoms overlap, and the search comes back by too much
IDLE = 20  # searches in a row that took no step: a new one often does, until rounding hides the descent


class Minimum(NamedTuple):
    """Where a minimisation ended.

    Attributes
    ----------
    q : (nq,) array
    energy : float
        kJ/mol.
    torque : float
        The largest that is left, kJ/mol/rad (or force at a free joint, kJ/mol/nm).
    converged : bool
        Whether that is within the tolerance.
    iterations, evaluations : int

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> found = lw.minimize(lw.LightForces(peptide), tolerance=0.1)
    >>> found.converged
    True
    """

    q: np.ndarray
    energy: float
    torque: float
    converged: bool
    iterations: int
    evaluations: int


def minimize(
    forces: AtomForces, q=None, *, tolerance: float = 1.0, iterations: int = 1000, hold: tuple[str, ...] = ()
) -> Minimum:
    """The nearest minimum of the energy, by SciPy's L-BFGS on exact torques.

    Parameters
    ----------
    forces : AtomForces
        `OpenMMForces` or `LightForces`.
    q : (nq,) array_like, optional
        Where to begin. Default: as the file has it.
    tolerance : float
        Largest torque that may be left, kJ/mol/rad.
    iterations : int
        At most.
    hold : sequence of str
        Joints that do not move.

    Returns
    -------
    Minimum

    Raises
    ------
    ArgumentError
        An array of another shape, an entry that is not finite, or an unknown name.

    Notes
    -----
    Unknowns are the local coordinates u of q = q₀ ⊕ u. With loops they are closed at every trial, and the gradient is
    that along the loops, −H a, a the acceleration that the torques would give the closed linkage.

    Cost: one evaluation of energy and torques per trial; `Minimum.evaluations` counts them.

    Examples
    --------
    >>> import linkwork as lw
    >>> peptide = lw.load("peptide.pdb")
    >>> forces = lw.LightForces(peptide)
    >>> found = lw.minimize(forces)
    >>> found.energy < forces.energy(peptide.neutral())
    True
    """
    from scipy.optimize import minimize as scipy_minimize

    linkage = forces.linkage
    q = linkage.neutral() if q is None else forces._checked(q).copy()
    if not isinstance(hold, (tuple, list)):
        raise ArgumentError("hold is a sequence of names of joints")
    held = [linkage.columns.dof_slice(linkage._resolve_joint(name)) for name in hold]
    closed = len(linkage.loops) > 0
    q = close_loops(linkage, q) if closed else q
    before, done, idle = forces.evaluations, 0, 0

    def along_loops(at: np.ndarray, tau: np.ndarray) -> np.ndarray:
        if closed:
            rest = np.zeros(linkage.nv)
            tau = inverse_dynamics(linkage, at, rest, forward_dynamics(linkage, at, rest, tau), tree=True)
        for dofs in held:
            tau[dofs] = 0.0
        return tau

    energy, tau = forces.energy_and_torques(q)
    tau = along_loops(q, tau)
    while np.abs(tau).max(initial=0.0) > tolerance and done < iterations:
        start = q

        def value(w: np.ndarray, start: np.ndarray = start) -> tuple[float, np.ndarray]:
            u = REACH * w
            at = linkage.integrate(start, u)
            at = close_loops(linkage, at) if closed else at
            energy, tau = forces.energy_and_torques(at)
            return energy, -REACH * to_local(linkage, u, along_loops(at, tau))

        how = {"maxiter": min(STRETCH, iterations - done), "maxcor": 20, "gtol": REACH * tolerance, "ftol": 0.0}
        found = scipy_minimize(value, np.zeros(linkage.nv), jac=True, method="L-BFGS-B", options=how | {"maxls": 40})
        idle = 0 if found.nit else idle + 1
        if not found.fun < energy or idle > IDLE:
            break  # no descent is left above rounding
        done += int(found.nit)
        q = linkage.integrate(start, REACH * found.x)
        q = close_loops(linkage, q) if closed else q
        energy, tau = forces.energy_and_torques(q)
        tau = along_loops(q, tau)
    worst = float(np.abs(tau).max(initial=0.0))
    return Minimum(q, energy, worst, worst <= tolerance, done, forces.evaluations - before)


def to_local(linkage: Linkage, u: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Torques as felt by local coordinates u: K⁻ᵀ τ, where u̇ = K v; K is 1 but for joints that have quaternions."""
    columns, tree = linkage.columns, linkage.tree
    turning = np.flatnonzero(QUATERNION[columns.code] >= 0)
    out = tau.copy()
    for size in np.unique(KIND_NV[columns.code[turning]]):
        rows = turning[KIND_NV[columns.code[turning]] == size]
        dofs = columns.v_start[rows][:, None] + np.arange(size)
        K, work = np.empty((len(rows), size, size)), tree.work()
        for j in range(size):
            v, rate = np.zeros(linkage.nv), np.empty(linkage.nv)
            v[dofs[:, j]] = 1.0
            call(("motion.integrators", "local_rate"), tree.model, tree.index, work, 0, u, v, rate)
            K[:, :, j] = rate[dofs]
        tree.pool.append(work)
        out[dofs] = np.linalg.solve(K.transpose(0, 2, 1), tau[dofs][:, :, None])[:, :, 0]
    return out
