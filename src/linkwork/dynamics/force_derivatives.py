"""How the forces of loops and contacts change with the state.

With the changes δλ of independent rows at hand, redundant ones share as `solve` does, with the least forces: λ = J x
for some x, so that N · δλ = N · δJ x for every N with Jᵀ N = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.dynamics.closed_derivatives import Derivatives, closed_forward_derivatives
from linkwork.dynamics.constraints import RANK, loops_of
from linkwork.dynamics.contact_derivatives import sticking_points
from linkwork.dynamics.loop_rows import loop_rows
from linkwork.dynamics.problem import NOTHING, Problem, one_problem
from linkwork.dynamics.tree_rates import tree_rates
from linkwork.errors import SingularError, StructureError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of


@dataclass(frozen=True, eq=False)
class ForceDerivatives:
    """How the forces of constraints change; n is nv, and for torques nv + nv_loop.

    Attributes
    ----------
    loop_q, loop_v, loop_tau : (loops, 6, n) arrays
        Of `Solution.loop_wrenches`, in the frames `at_b`.
    contact_q, contact_v, contact_tau : (contacts, 3, n) arrays
        Of the force on each point, `normal_forces` times the normal plus `friction_forces`, world axes.

    Examples
    --------
    >>> import linkwork as lw
    >>> four_bar = lw.samples.four_bar()
    >>> slopes = lw.constraint_force_derivatives(four_bar, four_bar.neutral(), [0.0, 0.0, 0.0])
    >>> slopes.loop_q.shape
    (1, 6, 3)
    """

    loop_q: np.ndarray
    loop_v: np.ndarray
    loop_tau: np.ndarray
    contact_q: np.ndarray
    contact_v: np.ndarray
    contact_tau: np.ndarray


def constraint_force_derivatives(linkage: Linkage, q, v, tau=None, f_ext=None) -> ForceDerivatives:
    """How the forces in loop joints and on points of contact change with coordinates, velocities and torques.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
    v : (nv,) array_like
    tau : (nv,) or (nv + nv_loop,) array_like, optional
    f_ext : (nb, 6) array_like, optional
        Wrench on each body, world axes.

    Returns
    -------
    ForceDerivatives

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        Loops, couplings or surfaces are in a singular pose, or a joint has zero effective inertia; it is
        named.

    Notes
    -----
    Dense, as `forward_dynamics_derivatives` of constrained linkages is. Where rows are redundant they are those of the
    least forces, which `solve` returns, and right along the loops.

    Cost: O(nv²) for the derivatives of the tree, and one dense solution with the rows of all constraints.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> four_bar = lw.samples.four_bar()
    >>> q = lw.close_loops(four_bar, four_bar.neutral())
    >>> lw.constraint_force_derivatives(four_bar, q, np.zeros(3)).loop_tau.shape
    (1, 6, 4)
    """
    tree, nv = tree_of(linkage), linkage.nv
    asked = one_problem(linkage, q, v, tau, f_ext)
    if not tree.closed and not linkage._contacts.records:
        raise StructureError(f"linkage {linkage.name!r} has no loops and no contacts, and so no forces of constraints")
    found = closed_forward_derivatives(asked)
    if found.redundant_contacts:
        raise SingularError(
            f"linkage {linkage.name!r}: the forces of contacts {', '.join(map(repr, found.redundant_contacts))} are "
            "shared in more than one way, and have no derivative; release one of them"
        )
    width = found.forces.shape[1]
    loops, contacts = np.zeros((0, 6, width)), np.zeros((0, 3, width))
    if found.loops is not None:
        of_rows = _least(linkage, asked, found)
        rows = found.loops
        own = np.concatenate([rows.w_q, rows.w_v, np.zeros_like(rows.w_q), rows.w_tau], axis=2)
        table = loops_of(linkage)
        wrenches = (own + rows.w_rows @ of_rows)[: table.joints]
        loops = np.einsum("nij,nkjx->nkix", table.align, wrenches.reshape(-1, 2, 3, width)).reshape(-1, 6, width)
    if found.contacts is not None:
        rest = np.zeros((*found.contacts.F_q.shape[:2], width - 2 * nv))
        own = np.concatenate([found.contacts.F_q, found.contacts.F_v, rest], axis=2)
        contacts = own + found.contacts.F_rows @ found.forces[int(found.kept.sum()) :]
        contacts = _least_at_points(linkage, asked, found, contacts)
    parts = [x[..., part] for x in (loops, contacts) for part in (np.s_[:nv], np.s_[nv : 2 * nv], np.s_[2 * nv :])]
    return ForceDerivatives(*parts)


def _least(linkage: Linkage, asked: Problem, found: Derivatives) -> np.ndarray:
    """(rows, ...) how the least forces of all rows change, from how those of independent ones do."""
    assert found.loops is not None
    J, kept = found.loops.J, found.kept
    out = np.zeros((len(J), found.forces.shape[1]))
    out[kept] = found.forces[: int(kept.sum())]
    if kept.all():
        return out
    N = np.linalg.svd(J)[0][:, int(kept.sum()) :]
    x = np.linalg.lstsq(J, found.row_forces, rcond=1e-10)[0]
    still = np.zeros(linkage.nv)
    rates = tree_rates(linkage, asked.q, x, still, NOTHING)
    turned = loop_rows(linkage, rates, asked.q, x, np.zeros(len(J)), np.zeros(loops_of(linkage).nv)).rate_q
    wanted = -N.T @ out
    wanted[:, : linkage.nv] += N.T @ turned
    return out + N @ wanted


def _least_at_points(linkage: Linkage, asked: Problem, found: Derivatives, forces: np.ndarray) -> np.ndarray:
    """(contacts, 3, ...) how the least forces on points that stick change, from a way in which forces may change."""
    reaction = found.reaction
    assert reaction is not None
    assert found.contacts is not None
    n, nv = len(forces), linkage.nv
    if linkage.tree.closed or not reaction.sticks.all():
        first = int(found.kept.sum())
        blocks, total = [found.J[:first]], first
        for way in found.contacts.F_rows:  # of each point, as many rows as it moves along: no other bears anything
            block = found.J[first:][way.any(axis=0)]
            blocks.append(block)
            total += _rank(block)
        if _rank(np.vstack(blocks)) < total:
            raise SingularError(
                f"linkage {linkage.name!r}: contacts {', '.join(map(repr, linkage.contacts.names))} or its loops hold "
                "the same twice; such forces have no derivative; release one of them"
            )
        return forces
    J = _moved(linkage, asked, found, asked.v)[0]
    N = np.linalg.svd(J)[0][:, _rank(J) :]
    x = np.linalg.lstsq(J, reaction.forces.reshape(3 * n), rcond=RANK)[0]
    out = forces.reshape(3 * n, -1)
    wanted = -N.T @ out
    wanted[:, :nv] += N.T @ _moved(linkage, asked, found, x)[1]
    return (out + N @ wanted).reshape(forces.shape)


def _moved(linkage: Linkage, asked: Problem, found: Derivatives, x: np.ndarray) -> np.ndarray:
    """`sticking_points` as two of (3 points, nv) rows."""
    assert found.reaction is not None
    return sticking_points(linkage, asked.q, x, found.reaction).reshape(2, -1, linkage.nv)


def _rank(J: np.ndarray) -> int:
    """How many rows are independent."""
    sigma = np.linalg.svd(J, compute_uv=False)
    return int((sigma > RANK * sigma.max(initial=0.0)).sum())
