"""Dynamics of linkages: torques from motion, motion from torques, and the matrices in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.divide_conquer import divide_conquer
from linkwork.dynamics.launch import finite, leading_shape, numbers, output, run, run_fast, tree_of, wrenches
from linkwork.errors import ArgumentError, LinkworkError, StructureError, unknown_name
from linkwork.linkage.linkage import Linkage

# Entries of a matrix beyond which it is refused rather than allocated: 2²⁸ doubles are 2 GiB.
LARGEST_MATRIX = 2**28

_empty = np.empty
# A short call goes straight to compiled code. Whatever keeps it from that (nothing bound yet, no idle context, arrays
# of other types) ends in one of these, and the call takes the long way, where everything is checked.
_NOT_SHORT = (TypeError, IndexError, AttributeError)


def inverse_dynamics(
    linkage: Linkage, q, v, a, f_ext=None, *, contact_forces=None, t=0.0, out: np.ndarray | None = None
) -> np.ndarray:
    """Torques that give the accelerations `a`: τ = (H + armature) a + bias + damping · v, less the forces present.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
        Coordinates, in m and rad.
    v, a : (..., nv) array_like
        Velocities and accelerations (dv/dt entry by entry).
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body (force, moment), world axes, about the body frame's origin.
    contact_forces : (..., contacts) array_like, optional
        Normal force of every surface constraint, N; friction follows from it and from v. None by default.
    t : float or (...) array_like
        Time, s, for surfaces that move.
    out : (..., nv) array, optional
        Where to write the result.

    Returns
    -------
    tau : (..., nv) array
        Generalized forces of the tree joints, N and N m.

    Notes
    -----
    Recursive Newton–Euler, O(nb); with contact forces INV(q, q̇, q̈, g, f_n, K) of [Li] (2)–(9). Loops bear nothing
    here: for the motors of a closed linkage see `linkwork.actuator_torques`.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.inverse_dynamics(arm, [0.1, 0.2], [0, 0], [0, 0]).shape
    (2,)
    """
    if contact_forces is not None:
        from linkwork.dynamics.contact import contact_wrenches

        f_ext = contact_wrenches(linkage, q, v, contact_forces, t, f_ext)
    elif f_ext is None:
        try:
            tree: Any = linkage._tree
            result = _empty(tree.nv) if out is None else out
            contexts = tree.contexts
            context = contexts.pop()
            try:
                outcome = tree.rnea(context, q, v, a, result)
            finally:
                contexts.append(context)
            if not outcome:
                return result
        except _NOT_SHORT:
            pass
    return _inverse(linkage, q, v, a, f_ext, out)


def _inverse(linkage, q, v, a, f_ext, out):
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq", check=False)  # the kernel takes nothing that is not finite
    v = numbers(linkage, "v", v, tree.nv, "nv", check=False)
    a = numbers(linkage, "a", a, tree.nv, "nv", check=False)
    wrench = wrenches(linkage, f_ext)
    tau = output("inverse_dynamics", out, (*leading_shape(q, v, a, wrench), tree.nv))
    try:
        if f_ext is None and tree.plain and tau.ndim == 1:
            run_fast(linkage, "rnea", q, v, a, tau)
        elif f_ext is None and not tree.loaded:
            run(linkage, ("tree.rnea", "rnea"), 0, [q, v, a], [tau])
        else:
            inputs = [q, v, a, wrench, tree.zeros]
            run(linkage, ("tree.loaded", "loaded_rnea"), tree.table, inputs, [tau, np.empty_like(tau)])
    except LinkworkError:
        _all_finite(q=q, v=v, a=a)
        raise
    return tau


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
        body needs an inverse inertia. "dca": divide and conquer on the assembly tree, O(nb), whole subtrees a thread.
        "extended-newton-euler": "unit-vector" with the forces of surface constraints, as in [Li]. "auto" picks the
        fastest that fits.
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
        A joint moves no inertia, or a contact is singular or jams; it is named.
    StructureError
        Method "virtual-work" meets bodies without an inverse inertia; they are named.
    """
    if f_ext is None and splitting is None and (method == "auto" or method == "aba"):
        try:
            tree: Any = linkage._tree
            result = _empty(tree.nv) if out is None else out
            contexts = tree.contexts
            context = contexts.pop()
            try:
                outcome = tree.aba(context, q, v, tree.zeros if tau is None else tau, result)
            finally:
                contexts.append(context)
            if not outcome:
                return result
        except _NOT_SHORT:
            pass
    return _forward(linkage, q, v, tau, f_ext, method, out, splitting, t)


def _forward(linkage, q, v, tau, f_ext, method, out, splitting, t):
    tree = tree_of(linkage)
    constrained = bool(linkage.contact_records)
    if splitting is not None and (method != "virtual-work" or tree.closed or constrained):
        raise ArgumentError('splitting belongs to method="virtual-work" of open linkages without contacts')
    if constrained or method == "extended-newton-euler":
        from linkwork.dynamics import contact

        return contact.forward(linkage, q, v, tau, f_ext, method, out, t)
    if tree.closed:
        from linkwork.dynamics.closed_methods import forward

        return forward(linkage, q, v, tau, f_ext, method, out)
    if method not in _FORWARD:
        raise unknown_name("method", method, [*_FORWARD, "extended-newton-euler"])
    options = {} if splitting is None else {"splitting": splitting}
    check = _FORWARD[method] is not _by_aba  # which takes nothing that is not finite, and looks in every thread
    q = numbers(linkage, "q", q, tree.nq, "nq", check=check)
    v = numbers(linkage, "v", v, tree.nv, "nv", check=check)
    tau = tree.zeros if tau is None else numbers(linkage, "tau", tau, tree.nv, "nv", check=check)
    wrench = wrenches(linkage, f_ext)
    a = output("forward_dynamics", out, (*leading_shape(q, v, tau, wrench), tree.nv))
    try:
        _FORWARD[method](linkage, tree, q, v, tau, wrench, a, f_ext is not None or tree.loaded, **options)
    except LinkworkError:
        _all_finite(q=q, v=v, tau=tau)
        raise
    return a


def _all_finite(**arrays: np.ndarray) -> None:
    for what, array in arrays.items():
        finite(what, array)


def _by_aba(linkage, tree, q, v, tau, wrench, a, loaded):
    if loaded:
        run(linkage, ("tree.loaded", "loaded_aba"), tree.table, [q, v, tau, wrench], [a, np.empty_like(a)])
    elif tree.plain and a.ndim == 1:
        run_fast(linkage, "aba", q, v, tau, a)
    else:
        run(linkage, ("tree.aba", "aba"), 0, [q, v, tau], [a])


def _by_crba(linkage, tree, q, v, tau, wrench, a, loaded):
    _refuse_large(linkage, tree.nonzeros, 'method="aba"')
    H = np.empty((*a.shape[:-1], tree.nonzeros))
    if loaded:
        inputs = [q, v, tau, wrench, tree.zeros]
        run(linkage, ("tree.loaded", "loaded_crba"), tree.table, inputs, [a, H, np.empty_like(a)])
    else:
        run(linkage, ("tree.ltdl", "crba_forward"), 0, [q, v, tau, tree.zeros], [a, H])
    return H  # its factors


def _by_unit_vector(linkage, tree, q, v, tau, wrench, a, loaded):
    _refuse_large(linkage, tree.nv**2, 'method="aba"')
    scratch = [np.empty((*a.shape[:-1], tree.nv**2)), np.empty_like(a), np.empty_like(a)]
    if loaded:
        inputs = [q, v, tau, wrench, tree.zeros]
        run(linkage, ("tree.loaded", "loaded_unit_vector"), tree.table, inputs, [a, *scratch, np.empty_like(a)])
    else:
        run(linkage, ("tree.unit_vector", "unit_vector"), 0, [q, v, tau, tree.zeros], [a, *scratch])


def _by_virtual_work(linkage, tree, q, v, tau, wrench, a, loaded, splitting=None):
    from linkwork.dynamics.virtual_work import solve_tree

    solve_tree(linkage, q, v, tau, wrench, a, splitting=splitting)


_FORWARD = {
    "auto": _by_aba,
    "aba": _by_aba,
    "crba": _by_crba,
    "unit-vector": _by_unit_vector,
    "virtual-work": _by_virtual_work,
    "dca": divide_conquer,
}


def mass_matrix(linkage: Linkage, q, *, out: np.ndarray | None = None) -> np.ndarray:
    """Joint-space inertia matrix H, armature included.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    out : (..., nv, nv) array, optional

    Returns
    -------
    H : (..., nv, nv) array
        Symmetric; exactly zero between degrees of freedom on different branches.

    Notes
    -----
    Composite rigid bodies. For large linkages see `packed_mass_matrix`.
    """
    try:
        tree: Any = linkage._tree
        result = _empty(tree.square) if out is None else out
        contexts = tree.contexts
        context = contexts.pop()
        try:
            outcome = tree.crba(context, q, result)
        finally:
            contexts.append(context)
        if not outcome:
            return result
    except _NOT_SHORT:
        pass
    tree = tree_of(linkage)
    _refuse_large(linkage, tree.nv**2, "packed_mass_matrix")
    q = numbers(linkage, "q", q, tree.nq, "nq")
    H = output("mass_matrix", out, (*q.shape[:-1], tree.nv, tree.nv))
    if H.ndim == 2 and tree.plain:
        run_fast(linkage, "crba", q, H)
    else:
        run(linkage, ("tree.crba", "crba"), 0, [q], [H.reshape(*q.shape[:-1], tree.nv**2)])
    return H


def packed_mass_matrix(linkage: Linkage, q, *, out: np.ndarray | None = None) -> np.ndarray:
    """The nonzeros of the mass matrix: for each degree of freedom its entries with itself and those above it.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    out : (..., nonzeros) array, optional

    Returns
    -------
    H : (..., nonzeros) array
        Row d starts at ``linkage.tree.row_start[d]``; `factorize` takes it.
    """
    tree = tree_of(linkage)
    _refuse_large(linkage, tree.nonzeros, "forward_dynamics, which needs no matrix")
    q = numbers(linkage, "q", q, tree.nq, "nq")
    H = output("packed_mass_matrix", out, (*q.shape[:-1], tree.nonzeros))
    run(linkage, ("tree.crba", "crba"), 1, [q], [H])
    return H


def bias_force(linkage: Linkage, q, v, f_ext=None) -> np.ndarray:
    """Torques that keep every acceleration zero: gravity, velocity products, damping, less the forces present.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin.

    Returns
    -------
    b : (..., nv) array
    """
    return inverse_dynamics(linkage, q, v, tree_of(linkage).zeros, f_ext)


def gravity_torques(linkage: Linkage, q) -> np.ndarray:
    """Torques that hold the linkage still against gravity alone: no velocity, no spring, no other force.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like

    Returns
    -------
    tau : (..., nv) array
    """
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    tau = np.empty((*q.shape[:-1], tree.nv))
    run(linkage, ("tree.rnea", "rnea"), 0, [q, tree.zeros, tree.zeros], [tau])
    return tau


def joint_wrenches(linkage: Linkage, q, v, a, f_ext=None) -> np.ndarray:
    """The wrench at every tree joint, those of bearings included, for a known motion.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v, a : (..., nv) array_like
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin.

    Returns
    -------
    w : (..., nb, 6) array
        Row i: force and moment that body i receives from its parent through its joint, at its own origin and in its
        own axes, actuation, damping and springs of the joint included: Sᵀ w = τ − damping · v − armature · a.
    """
    tree = tree_of(linkage)
    if tree.closed or len(linkage.contacts):
        raise StructureError(
            f"linkage {linkage.name!r} has loops or contacts: their forces depend on the torques; use linkwork.solve, "
            "whose Solution has joint_wrenches"
        )
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    a = numbers(linkage, "a", a, tree.nv, "nv")
    wrench = wrenches(linkage, f_ext)
    leading = leading_shape(q, v, a, wrench)
    out, tau = np.empty((*leading, 6 * tree.nb)), np.empty((*leading, tree.nv))
    inputs = [q, v, a, wrench, tree.zeros]
    run(linkage, ("tree.loaded", "loaded_wrenches"), tree.table, inputs, [tau, out, np.empty_like(tau)])
    return out.reshape(*leading, tree.nb, 6)


def _refuse_large(linkage, entries, instead):
    if entries > LARGEST_MATRIX:
        raise ArgumentError(
            f"the mass matrix of linkage {linkage.name!r} would take {8 * entries / 2**30:.1f} GiB; use {instead}"
        )
