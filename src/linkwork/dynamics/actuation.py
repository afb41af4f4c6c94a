"""Torques of the motors of a closed linkage, which give it a motion.

Symbols, of [Nakamura2000]: θ_G the generalized coordinates, θ_O those of the tree joints, θ_A those with a motor;
W = dθ_J/dθ_G of all, S = dθ_A/dθ_G; Q the cost of torques.
"""

from __future__ import annotations

import math

import numpy as np

from linkwork.dynamics.arguments import coordinates, one_state, times, velocities
from linkwork.dynamics.constraints import RANK, constraint_matrices, loops_of, residuals
from linkwork.dynamics.contact_state import touch
from linkwork.dynamics.inverse import tree_torques
from linkwork.dynamics.partition import partition
from linkwork.errors import ArgumentError, LinkworkError, SingularError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import leading_shape, numbers, place_in_batch, rows_of, tree_of, wrenches


def surface_rows(linkage: Linkage, q: np.ndarray, t: float) -> np.ndarray | None:
    """(contacts, nv) rows of J_C of the surface constraints."""
    return touch(linkage, q, linkage.tree.zeros, t).j_c if linkage._contacts.records else None


def actuated_coordinates(linkage: Linkage) -> np.ndarray:
    """(nv + nv_loop,) which coordinates a motor drives."""
    loops = [np.broadcast_to(record.type.actuated, record.nv) for record in linkage._loops.records]
    return np.concatenate([linkage.columns.actuated, *loops]).astype(bool)


def actuator_torques(linkage: Linkage, q, v, a, f_ext=None, *, weights=None, t: float = 0.0) -> np.ndarray:
    """Torques of the actuated joints, tree and loop joints alike, that give the accelerations a.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v, a : (..., nv) array_like
        They must keep the loops closed, and points on their surfaces, which must be smooth.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin.
    weights : (nv + nv_loop,) array_like, optional
        Cost of each torque squared, where there are more motors than degrees of freedom; all alike by default.
    t : float or (...) array_like
        Time, s, for surfaces that move.

    Returns
    -------
    tau : (..., nv + nv_loop) array
        Zero where there is no motor; of least (weighted) norm where there are more than needed.

    Raises
    ------
    SingularError
        The motors cannot do it; the coordinates that they cannot control are named.
    ArgumentError
        The accelerations would open a loop or leave a surface.

    References
    ----------
    [Nakamura2000] (7), (8): τ_G = Wᵀ τ_O = Sᵀ τ_A.
    """
    tree, loops = tree_of(linkage), loops_of(linkage)
    q, v, a = coordinates(linkage, q), velocities(linkage, v), velocities(linkage, a, "a")
    wrench, time = wrenches(linkage, f_ext), times(linkage, t)
    if any(record.friction > 0.0 for record in linkage._contacts.records):
        raise ArgumentError(
            f"linkage {linkage.name!r} has contacts with friction, which depends on how hard they are pressed: use "
            "inverse_dynamics with contact_forces"
        )
    cost = np.ones(tree.nv + loops.nv)
    if weights is not None:
        cost = one_state("weights", numbers(linkage, "weights", weights, len(cost), "nv + nv_loop"))
    if (cost <= 0.0).any():
        raise ArgumentError("weights must be positive")
    leading = leading_shape(q, v, a, wrench, time)
    tau = np.zeros((*leading, len(cost)))
    rows = [rows_of(x, leading, math.prod(leading)) for x in (q, v, a, wrench, time)]
    for k in range(math.prod(leading)):
        q, v, a, wrench, time = (row[k if len(row) > 1 else 0].copy() for row in rows)
        try:
            tau[np.unravel_index(k, leading)] = _motors(linkage, q, v, a, wrench, float(time[0]), cost)
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(k, leading)}{error}") from None
    return tau


def _motors(linkage: Linkage, q, v, a, wrench, t: float, cost: np.ndarray) -> np.ndarray:
    """`actuator_torques` of one state."""
    tree, loops = tree_of(linkage), loops_of(linkage)
    part = partition(linkage, q, surfaces=surface_rows(linkage, q, t))
    _check_consistent(linkage, q, v, a, t)
    tau_J = np.zeros(len(cost))
    tau_J[: tree.nv] = tree_torques(linkage, q, v, a, wrench.reshape(-1, 6) if wrench.size else None)
    if loops.nv:
        damping = [np.broadcast_to(record.type.damping, record.nv) for record in linkage._loops.records]
        tau_J[tree.nv :] = np.concatenate(damping) * residuals(linkage, q, v).theta_rate
    actuated, units = actuated_coordinates(linkage), loops.units  # in which W is made of numbers about 1
    tau_J, W = units * tau_J, part.W_J / units[:, None] * units[part.independent]
    tau_G = W.T @ tau_J  # (7)
    S = W[actuated]  # (6)
    u, sigma, vt = np.linalg.svd(S.T)
    rank = int((sigma > RANK * max(sigma.max(initial=0.0), 1.0)).sum())  # the rest is rounding
    solution = vt[:rank].T @ ((u[:, :rank].T @ tau_G) / sigma[:rank])  # (8)
    missing = np.abs(tau_G - S.T @ solution)
    acting = np.abs(W).T @ np.abs(tau_J)
    lacking = missing > 1e-8 * acting + 1e-13 * acting.max(initial=0.0)
    if lacking.any():
        names = [part.names[k] for k in part.independent[lacking]]
        raise SingularError(
            f"linkage {linkage.name!r} has {len(part.independent)} degrees of freedom and {len(S)} motors, which "
            f"cannot give these accelerations; not controllable: {', '.join(names)}"
        )
    idle = vt[rank:].T  # torques that do nothing: of these, those that cost least
    if idle.size:
        price = np.sqrt(cost[actuated]) / units[actuated]
        solution = solution - idle @ np.linalg.lstsq(price[:, None] * idle, price * solution, rcond=None)[0]
    tau = np.zeros(len(actuated))
    tau[actuated] = solution / units[actuated]
    return tau


def _check_consistent(linkage: Linkage, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float) -> None:
    """Raise where the accelerations would open a loop or leave a surface."""
    if linkage._contacts.records:
        point = touch(linkage, q, v, t)
        off = np.abs(point.j_c @ a + point.c)
        if off.max() > 1e-6 * max(1.0, np.abs(a).max(initial=0.0), np.abs(point.c).max()):
            name = linkage.contacts.names[int(off.argmax())]
            raise ArgumentError(f"accelerations a would take contact {name!r} off its surface by {off.max():.3g} m/s²")
    if not linkage.tree.closed:
        return
    matrices = constraint_matrices(linkage, q, v)
    left = np.abs(matrices.J @ a - matrices.bias)
    acting = max(np.abs(a / loops_of(linkage).units[: len(a)]).max(initial=1.0), np.abs(matrices.bias).max(initial=0.0))
    if left.max(initial=0.0) > 1e-6 * acting:
        loops = matrices.loops
        name = loops.names[int(np.searchsorted(loops.first_row, left.argmax(), side="right")) - 1]
        raise ArgumentError(
            f"the accelerations a would open loop {name!r} by {left.max():.3g} m/s² or rad/s²: they must keep loops "
            "closed"
        )
