"""Torques of the motors of a closed linkage, which give it a motion.

Symbols, of [Nakamura2000]: θ_G the generalized coordinates, θ_O those of the tree joints, θ_A those with a motor;
W = dθ_J/dθ_G of all, S = dθ_A/dθ_G; Q the cost of torques.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.actuation_compiled import clear_torques
from linkwork.dynamics.arguments import coordinates, one_state, times, velocities
from linkwork.dynamics.constraints import RANK, constraint_matrices, loops_of, residuals
from linkwork.dynamics.contact_state import contact_wrenches, touch
from linkwork.dynamics.inverse import bias_force, mass_matrix, tree_torques
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


def actuator_torques(
    linkage: Linkage, q, v, a, f_ext=None, *, weights=None, preload=None, limits=None, contact_forces=None, t=0.0
) -> np.ndarray:
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
    preload : (nv + nv_loop,) array_like, optional
        Torques from which they are to differ least, N and N m: motors that brace each other. Zero by default.
    limits : (nv + nv_loop,) or (nv + nv_loop, 2) array_like, optional
        The largest torque of each motor either way, or the least and the largest; `inf` where there is none.
    contact_forces : (..., contacts) array_like, optional
        Normal force of every surface constraint, N, where these are known; friction follows from it and from v. Without
        it surfaces must be smooth, and bear what they must.
    t : float or (...) array_like
        Time, s, for surfaces that move.

    Returns
    -------
    tau : (..., nv + nv_loop) array
        Zero where there is no motor; of least (weighted) norm, or nearest to `preload`, where there are more than
        needed, and within `limits`.

    Raises
    ------
    SingularError
        The motors cannot do it, or not within their limits; what they cannot control, or which of them is too weak, is
        named.
    ArgumentError
        The accelerations would open a loop or leave a surface.

    Notes
    -----
    Cost: dense: O(rows² · nv) with the rows of all loop joints, compiled. States near a singular pose or with limits
    that bind, and linkages with surface constraints, take some ten times as long as a single call without.

    References
    ----------
    [Nakamura2000] (7), (8): τ_G = Wᵀ τ_O = Sᵀ τ_A. Limits by the problem of least distance of [Lawson1974].

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.actuator_torques(arm, [0.1, 0.2], [0, 0], [0, 0], limits=[50.0, 20.0]).shape
    (2,)
    """
    tree, loops = tree_of(linkage), loops_of(linkage)
    q, v, a = coordinates(linkage, q), velocities(linkage, v), velocities(linkage, a, "a")
    if contact_forces is not None:
        f_ext = contact_wrenches(linkage, q, v, contact_forces, t, f_ext)
    elif any(record.friction > 0.0 for record in linkage._contacts.records):
        raise ArgumentError(
            f"linkage {linkage.name!r} has contacts with friction, which depends on how hard they are pressed: use "
            "contact_forces"
        )
    wrench, time = wrenches(linkage, f_ext), times(linkage, t)
    count = tree.nv + loops.nv
    cost = np.ones(count) if weights is None else _of_motors(linkage, "weights", weights, count)
    if (cost <= 0.0).any():
        raise ArgumentError("weights must be positive")
    wanted = np.zeros(count) if preload is None else _of_motors(linkage, "preload", preload, count)
    wish = Wish(cost, wanted, *_torque_limits(linkage, limits, count), contact_forces is not None)
    leading = leading_shape(q, v, a, wrench, time)
    rows = [rows_of(x, leading, math.prod(leading)) for x in (q, v, a, wrench, time)]
    tau = np.zeros((math.prod(leading), count))
    for k in _clear_torques(linkage, rows, wish, tau):
        q, v, a, wrench, time = (row[k if len(row) > 1 else 0].copy() for row in rows)
        try:
            tau[k] = _motors(linkage, q, v, a, wrench, float(time[0]), wish)
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(k, leading)}{error}") from None
    return tau.reshape(*leading, count)


class Wish(NamedTuple):
    """Which torques are wanted, of those that do it: (nv + nv_loop,) each."""

    cost: np.ndarray
    preload: np.ndarray
    least: np.ndarray
    most: np.ndarray
    known_contacts: bool  # whether the forces of surfaces are given


def _of_motors(linkage: Linkage, name: str, values, count: int) -> np.ndarray:
    return one_state(name, numbers(linkage, name, values, count, "nv + nv_loop"))


def _torque_limits(linkage: Linkage, limits, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest torque of every coordinate."""
    if limits is None:
        return np.full(count, -np.inf), np.full(count, np.inf)
    try:
        given = np.asarray(limits, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError(f"limits must be an array of torques, not {limits!r}") from None
    if given.shape not in ((count,), (count, 2)):
        raise ArgumentError(
            f"limits of linkage {linkage.name!r} must have shape ({count},) or ({count}, 2), a torque or two for each "
            f"coordinate (nv + nv_loop), not {given.shape}"
        )
    least, most = (-given, given) if given.ndim == 1 else (given[:, 0], given[:, 1])
    if not (least <= most).all():
        k = int(np.argmin(least <= most))
        raise ArgumentError(f"limits, entry {k}: from {least[k]:g} to {most[k]:g} there is no torque")
    return least, most


def _clear_torques(linkage: Linkage, rows: list[np.ndarray], wish: Wish, tau: np.ndarray) -> Iterable[int]:
    """Write the torques of all states but those returned, which are to be looked at closely."""
    q, v, a, wrench, _ = rows
    if linkage._contacts.records or not len(tau):
        return range(len(tau))
    f_ext = wrench.reshape(-1, linkage.nb, 6) if wrench.size else None
    try:
        needed = tree_torques(linkage, q, v, a, f_ext)
    except LinkworkError:
        return range(len(tau))  # one of them has an error to report
    return clear_torques(linkage, actuated_coordinates(linkage), wish, (q, v, a, needed), tau).tolist()


def _motors(linkage: Linkage, q, v, a, wrench, t: float, wish: Wish) -> np.ndarray:
    """`actuator_torques` of one state."""
    tree, loops = tree_of(linkage), loops_of(linkage)
    surfaces = None if wish.known_contacts else surface_rows(linkage, q, t)
    part = partition(linkage, q, surfaces=surfaces)
    _check_consistent(linkage, q, v, a, t)
    tau_J = np.zeros(len(wish.cost))
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
    # What acts are the terms of these torques: at a base without motors they may all but cancel
    made = np.abs(tau_J)
    made[: tree.nv] = units[: tree.nv] * _terms(linkage, q, v, a, wrench)
    acting = np.abs(W).T @ made
    lacking = missing > 1e-8 * acting + 1e-13 * acting.max(initial=0.0)
    if lacking.any():
        names = [part.names[k] for k in part.independent[lacking]]
        raise SingularError(
            f"linkage {linkage.name!r} has {len(part.independent)} degrees of freedom and {len(S)} motors, which "
            f"cannot give these accelerations; not controllable: {', '.join(names)}"
        )
    idle = vt[rank:].T / units[actuated, None]  # torques that do nothing: of these, those that cost least
    solution, price = solution / units[actuated], np.sqrt(wish.cost[actuated])
    if idle.size:
        turned, scale = np.linalg.qr(price[:, None] * idle)
        idle = np.linalg.solve(scale.T, idle.T).T
        solution = solution - idle @ (turned.T @ (price * (solution - wish.preload[actuated])))
    least, most = wish.least[actuated], wish.most[actuated]
    room = 1e-9 * np.abs(solution).max(initial=0.0)
    if ((solution < least - room) | (solution > most + room)).any():
        change = _least_change(idle, solution, least, most)
        if change is None:
            over = np.maximum(least - solution, solution - most)
            k = int(np.argmax(over))
            name = [part.names[i] for i in np.flatnonzero(actuated)][k]
            raise SingularError(
                f"the motors of linkage {linkage.name!r} are too weak for these accelerations: {name} would give "
                f"{solution[k]:.6g}, and its limits are {least[k]:g} and {most[k]:g}"
            )
        solution = np.clip(solution + idle @ change, least, most)
    tau = np.zeros(len(actuated))
    tau[actuated] = solution
    return tau


def _terms(linkage: Linkage, q, v, a, wrench) -> np.ndarray:
    """(nv,) sizes of the terms H a and b that the torques of the tree are made of."""
    bias = bias_force(linkage, q, v, wrench.reshape(-1, 6) if wrench.size else None)
    return np.abs(mass_matrix(linkage, q)) @ np.abs(a) + np.abs(bias)


def _least_change(idle: np.ndarray, solution: np.ndarray, least: np.ndarray, most: np.ndarray) -> np.ndarray | None:
    """The shortest z with least ≤ solution + idle z ≤ most; None where there is none [Lawson1974]."""
    if not idle.size:
        return None
    from scipy.optimize import nnls

    G, h = np.vstack([idle, -idle]), np.concatenate([least - solution, solution - most])
    G, h = G[np.isfinite(h)], h[np.isfinite(h)]
    size = max(np.abs(h).max(), 1e-300)
    E = np.vstack([G.T, h / size])
    target = np.zeros(len(E))
    target[-1] = 1.0
    r = E @ nnls(E, target)[0] - target
    if np.linalg.norm(r) < 1e-9:
        return None
    return -size * r[:-1] / r[-1]


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
