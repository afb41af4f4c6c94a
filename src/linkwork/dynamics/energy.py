"""Energies, momentum and centre of mass."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.arguments import coordinates, evaluate, velocities
from linkwork.errors import ArgumentError
from linkwork.kernels.layout import T_KINETIC, T_LINEAR, T_MASS, T_MOMENT, T_POTENTIAL, TOTALS
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of


def _totals(linkage: Linkage, q, v) -> np.ndarray:
    return evaluate(linkage, ("tree.energy", "totals"), TOTALS, coordinates(linkage, q), velocities(linkage, v))


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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> round(float(lw.kinetic_energy(arm, [0.0, 0.0], [1.0, 0.0])), 3)
    1.334
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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> arm = lw.samples.chain(2)
    >>> low, high = (lw.potential_energy(arm, q) for q in ([0.0, 0.0], [np.pi, 0.0]))
    >>> bool(high > low)
    True
    """
    return energies(linkage, q, tree_of(linkage).zeros)[1]


def energies(linkage: Linkage, q, v) -> tuple:
    """`kinetic_energy` and `potential_energy`, in one pass."""
    tree, totals = tree_of(linkage), _totals(linkage, q, v)
    potential = totals[..., T_POTENTIAL]
    if tree.loaded:
        q = coordinates(linkage, q)
        stored = evaluate(linkage, ("tree.forces", "spring_energy"), 1, q, tree.zeros, option=tree.table)
        potential = potential + stored[..., 0]
    return totals[..., T_KINETIC][()], potential[()]


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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.momentum(arm, [0.0, 0.0], [1.0, 0.0]).round(3)
    array([-2.   ,  0.   ,  0.   ,  0.   ,  2.668,  0.   ])
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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.center_of_mass(arm, [0.0, 0.0])
    array([ 0.,  0., -1.])
    """
    totals = _totals(linkage, q, tree_of(linkage).zeros)
    if not np.all(totals[..., T_MASS] > 0.0):
        raise ArgumentError(f"linkage {linkage.name!r} has no mass, and so no centre of mass")
    return totals[..., T_MOMENT:TOTALS] / totals[..., T_MASS, None]
