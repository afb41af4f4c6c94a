"""Forward dynamics: the accelerations that torques give, by any method, open or closed, with or without contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.arguments import all_finite
from linkwork.dynamics.closed_methods import fast_embedding
from linkwork.dynamics.methods import pick
from linkwork.dynamics.problem import pose_problem
from linkwork.dynamics.tree_methods import aba
from linkwork.errors import LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import NOT_FAST, tree_of

_empty = np.empty


def forward_dynamics(
    linkage: Linkage,
    q,
    v,
    tau=None,
    f_ext=None,
    *,
    method: str = "auto",
    splitting: str | None = None,
    out: np.ndarray | None = None,
    t=0.0,
) -> np.ndarray:
    """Accelerations that the torques `tau` give.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
        Coordinates, in m and rad.
    v : (..., nv) array_like
        Velocities.
    tau : (..., nv) or (..., nv + nv_loop) array_like, optional
        Generalized forces of the tree joints, and of the loop joints after them; none by default.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body (force, moment), world axes, about the body frame's origin.
    method : {"auto", "aba", "crba", "unit-vector", "virtual-work", "dca", "extended-newton-euler"}
        "aba": articulated bodies, O(nb). "crba": mass matrix and its sparse factors, O(nb · depth²). "unit-vector":
        the matrix column by column, O(nb³). "virtual-work": joint by joint through inverse inertias, O(nb); every
        body needs an inverse inertia. "dca": divide and conquer on the assembly tree, O(nb), with whole subtrees per
        thread. "extended-newton-euler": "unit-vector" with the forces of surface constraints, as in [Li]. "auto"
        picks the fastest that fits. What each can do is listed in `linkwork.dynamics.methods`.
    splitting : {None, "paper"}
        Of method "virtual-work": "paper" splits links with more than three joints as Yamane and Nakamura do, for
        comparison.
    out : (..., nv) array, optional
        Where to write the result.
    t : float or (...) array_like
        Time, s, for surfaces that move.

    Returns
    -------
    a : (..., nv) array
        dv/dt, entry by entry.

    Raises
    ------
    SingularError
        A joint has zero effective inertia, or a contact is singular or jams; it is named.
    StructureError
        Method "virtual-work" meets bodies without an inverse inertia; they are named.
    ArgumentError
        The method is unknown, or cannot answer for such a linkage.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> arm = lw.samples.chain(2)
    >>> a = lw.forward_dynamics(arm, q=[0.3, -0.8], v=[0.0, 1.0], tau=[0.5, 0.0])
    >>> a.round(3)
    array([-6.862, 21.061])
    >>> np.allclose(lw.inverse_dynamics(arm, [0.3, -0.8], [0.0, 1.0], a), [0.5, 0.0])
    True
    """
    if f_ext is None and splitting is None and (method == "auto" or method == "aba"):
        try:
            tree: Any = linkage._tree
            if tree.plain:
                result = _empty(tree.nv) if out is None else out
                contexts = tree.contexts
                context = contexts.pop()
                try:
                    outcome = tree.aba(context, q, v, tree.zeros if tau is None else tau, result)
                finally:
                    contexts.append(context)
                if not outcome:
                    return result
        except NOT_FAST:
            pass
    return _forward(linkage, q, v, tau, f_ext, method, splitting, out, t)


def _forward(linkage: Linkage, q, v, tau, f_ext, method, splitting, out, t) -> np.ndarray:
    """All that the fast path does not take: closed linkages, contacts, loads, batches, other methods, mistakes."""
    tree = tree_of(linkage)
    if tree.closed and f_ext is None and out is None and splitting is None and (method == "auto" or method == "aba"):
        a = None if linkage._contacts.records else fast_embedding(tree, q, v, tau)
        if a is not None:
            return a
    solver = pick(linkage, method, splitting).solver(linkage)
    check = solver is not aba  # whose kernel refuses what is not finite, and looks in every thread
    problem = pose_problem(linkage, q, v, tau, f_ext, t=t, out=out, check=check)
    try:
        return solver(problem if splitting is None else problem._replace(splitting=splitting)).a
    except LinkworkError:
        all_finite(q=problem.q, v=problem.v, tau=problem.tau)
        raise
