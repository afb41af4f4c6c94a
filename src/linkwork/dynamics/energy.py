"""Energies, momentum and centre of mass."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.launch import leading_shape, numbers, run, tree_of
from linkwork.errors import ArgumentError
from linkwork.kernels.layout import T_KINETIC, T_LINEAR, T_MASS, T_MOMENT, T_POTENTIAL, TOTALS
from linkwork.linkage.linkage import Linkage


def _totals(linkage: Linkage, q, v) -> np.ndarray:
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    out = np.empty((*leading_shape(q, v), TOTALS))
    run(linkage, ("tree.energy", "totals"), 0, [q, v], [out])
    return out


def kinetic_energy(linkage: Linkage, q, v):
    """Kinetic energy in J, armature included.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like

    Returns
    -------
    float or (...) array
    """
    return _totals(linkage, q, v)[..., T_KINETIC][()]


def potential_energy(linkage: Linkage, q):
    """Energy in J of gravity, zero at the world's origin, and of springs.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like

    Returns
    -------
    float or (...) array
    """
    energy = _totals(linkage, q, tree_of(linkage).zeros)[..., T_POTENTIAL]
    tree = linkage.tree
    if tree.loaded:
        q = numbers(linkage, "q", q, tree.nq, "nq")
        stored = np.empty((*q.shape[:-1], 1))
        run(linkage, ("tree.forces", "spring_energy"), tree.table, [q, tree.zeros], [stored])
        energy = energy + stored[..., 0]
    return energy[()]


def momentum(linkage: Linkage, q, v) -> np.ndarray:
    """Momentum in kg m/s and angular momentum about the world's origin in kg m²/s, world axes.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like

    Returns
    -------
    (..., 6) array
    """
    return _totals(linkage, q, v)[..., T_LINEAR:T_MASS].copy()


def center_of_mass(linkage: Linkage, q) -> np.ndarray:
    """World position of the centre of mass, in m.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like

    Returns
    -------
    (..., 3) array
    """
    totals = _totals(linkage, q, tree_of(linkage).zeros)
    if not np.all(totals[..., T_MASS] > 0.0):
        raise ArgumentError(f"linkage {linkage.name!r} has no mass, and so no centre of mass")
    return totals[..., T_MOMENT:TOTALS] / totals[..., T_MASS, None]
