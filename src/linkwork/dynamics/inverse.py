"""Torques and wrenches from motion, and the mass matrix."""

from __future__ import annotations

import warnings
from typing import Any
from weakref import WeakSet

import numpy as np

from linkwork.dynamics.arguments import all_finite, coordinates, evaluate, velocities
from linkwork.dynamics.contact_state import contact_wrenches
from linkwork.errors import ArgumentError, LinkworkError, StructureError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import (
    NOT_FAST,
    apart,
    call_fast,
    leading_shape,
    numbers,
    output,
    run,
    run_fast,
    tree_of,
    wrenches,
)

LARGEST_MATRIX = 2**28  # entries beyond which a matrix is refused rather than allocated: 2 GiB of doubles

_empty = np.empty
_warned: WeakSet[Linkage] = WeakSet()  # of what inverse dynamics leaves out


def inverse_dynamics(
    linkage: Linkage,
    q,
    v,
    a,
    f_ext=None,
    *,
    contact_forces=None,
    t=0.0,
    tree: bool | None = None,
    out: np.ndarray | None = None,
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
    tree : bool, optional
        True: the torques of the tree alone are meant, although the linkage has loops or couplings. By default the first
        such call warns.
    out : (..., nv) array, optional
        Where to write the result.

    Returns
    -------
    tau : (..., nv) array
        Generalized forces of the tree joints, N and N m.

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        Loop joints or surfaces cannot take the forces; the loop is named.

    Warns
    -----
    UserWarning
        Once, where the linkage has loops or couplings: they bear nothing here.

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
        f_ext = contact_wrenches(linkage, q, v, contact_forces, t, f_ext)
    elif f_ext is None:
        try:
            packed: Any = linkage._tree
            result = _empty(packed.nv) if out is None else out
            contexts = packed.contexts
            context = contexts.pop()
            try:
                outcome = packed.rnea(context, q, v, a, result)
            finally:
                contexts.append(context)
            if not outcome:
                return result
        except NOT_FAST:  # as with loops
            pass
    if tree_of(linkage).closed and not tree and linkage not in _warned:
        _warned.add(linkage)
        warnings.warn(
            f"linkage {linkage.name!r} has loops or couplings, which bear nothing in inverse_dynamics: for the torques "
            "of its motors use actuator_torques; if those of the tree alone are meant, say tree=True",
            stacklevel=2,
        )
    return tree_torques(linkage, q, v, a, f_ext, out)


def tree_torques(linkage: Linkage, q, v, a, f_ext=None, out: np.ndarray | None = None) -> np.ndarray:
    """`inverse_dynamics` without contacts; loops, if there are any, bear nothing."""
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq", check=False)  # the kernel refuses what is not finite
    v = numbers(linkage, "v", v, tree.nv, "nv", check=False)
    a = numbers(linkage, "a", a, tree.nv, "nv", check=False)
    wrench = wrenches(linkage, f_ext)
    tau = output("inverse_dynamics", out, (*leading_shape(q, v, a, wrench), tree.nv))
    if out is not None:
        q, v, a, wrench = apart(tau, q, v, a, wrench)
    try:
        if f_ext is None and tree.plain and tau.ndim == 1:
            run_fast(linkage, ("tree.rnea", "rnea"), [q, v, a], [tau])
        elif f_ext is None and not tree.loaded:
            run(linkage, ("tree.rnea", "rnea"), 0, [q, v, a], [tau])
        else:
            inputs = [q, v, a, wrench, tree.zeros]
            run(linkage, ("tree.loaded", "loaded_rnea"), tree.table, inputs, [tau, np.empty_like(tau)])
    except LinkworkError:
        all_finite(q=q, v=v, a=a)
        raise
    return tau


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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Composite rigid bodies. For large linkages see `packed_mass_matrix`.

    Cost: O(nb · depth), and nv² entries to write.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.mass_matrix(arm, [0.0, 0.5]).round(3)
    array([[2.545, 0.773],
           [0.773, 0.334]])
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
    except NOT_FAST:
        pass
    tree = tree_of(linkage)
    refuse_large(linkage, tree.nv**2, "packed_mass_matrix")
    q = coordinates(linkage, q)
    H = output("mass_matrix", out, (*q.shape[:-1], tree.nv, tree.nv))
    if H.ndim == 2 and tree.plain:
        run_fast(linkage, ("tree.crba", "crba"), [q], [H])
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

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb · depth).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.packed_mass_matrix(arm, [0.0, 0.5]).shape  # of 2 × 2, which is symmetric
    (3,)
    """
    tree = tree_of(linkage)
    refuse_large(linkage, tree.nonzeros, "forward_dynamics, which needs no matrix")
    q = coordinates(linkage, q)
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
    >>> lw.bias_force(arm, [0.0, 0.5], [0.0, 2.0]).round(3)
    array([1.393, 2.352])
    """
    return inverse_dynamics(linkage, q, v, tree_of(linkage).zeros, f_ext, tree=True)


def gravity_torques(linkage: Linkage, q) -> np.ndarray:
    """Torques that hold the linkage still against gravity alone: no velocity, no spring, no other force.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like

    Returns
    -------
    tau : (..., nv) array

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
    >>> lw.gravity_torques(arm, [0.5, 0.0]).round(3)  # what holds it there
    array([9.406, 2.352])
    """
    try:
        tree: Any = linkage._tree
        result, zero = _empty(tree.nv), tree.zeros
        if not call_fast(tree, tree.rnea, q, zero, zero, result):
            return result
    except NOT_FAST:
        pass
    tree = tree_of(linkage)
    q = coordinates(linkage, q)
    if tree.plain and q.ndim == 1:
        run_fast(linkage, ("tree.rnea", "rnea"), [q, tree.zeros, tree.zeros], [result := np.empty(tree.nv)])
        return result
    return evaluate(linkage, ("tree.rnea", "rnea"), tree.nv, q, tree.zeros, tree.zeros)


def joint_wrenches(linkage: Linkage, q, v, a, f_ext=None, *, contact_forces=None, t=0.0) -> np.ndarray:
    """The wrench at every tree joint, those of bearings included, for a known motion.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v, a : (..., nv) array_like
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin.
    contact_forces : (..., contacts) array_like, optional
        Normal force of every surface constraint, N; friction follows from it and from v: (6)–(8) of [Li] in their
        inverse mode.
    t : float or (...) array_like
        Time, s, for surfaces that move.

    Returns
    -------
    w : (..., nb, 6) array
        Row i: force and moment that body i receives from its parent through its joint, at its own origin and in its
        own axes, actuation, damping and springs of the joint included: Sᵀ w = τ − damping · v − armature · a.

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
    >>> hanging = np.zeros(2)
    >>> lw.joint_wrenches(arm, hanging, hanging, hanging)[:, 2].round(3)  # the upper joint bears both links
    array([19.62,  9.81])
    """
    tree = tree_of(linkage)
    if contact_forces is not None:
        f_ext = contact_wrenches(linkage, q, v, contact_forces, t, f_ext)
    if tree.closed or (len(linkage.contacts) and contact_forces is None):
        what, other = ("loops", "") if tree.closed else ("contacts", ", or give contact_forces")
        raise StructureError(
            f"linkage {linkage.name!r} has {what}: their forces depend on the torques; use linkwork.solve, whose "
            f"Solution has joint_wrenches{other}"
        )
    q, v, a = coordinates(linkage, q), velocities(linkage, v), velocities(linkage, a, "a")
    wrench = wrenches(linkage, f_ext)
    return newton_euler_wrenches(linkage, q, v, a, wrench)


def newton_euler_wrenches(linkage: Linkage, q, v, a, wrench) -> np.ndarray:
    """(..., nb, 6) wrenches of the tree joints for a known motion; arrays are checked."""
    tree, leading = linkage.tree, leading_shape(q, v, a, wrench)
    out, tau = np.empty((*leading, 6 * tree.nb)), np.empty((*leading, tree.nv))
    inputs = [q, v, a, wrench, tree.zeros]
    run(linkage, ("tree.loaded", "loaded_wrenches"), tree.table, inputs, [tau, out, np.empty_like(tau)])
    return out.reshape(*leading, tree.nb, 6)


def joint_impulses(linkage: Linkage, q: np.ndarray, dv: np.ndarray, acting: np.ndarray) -> np.ndarray:
    """(nb, 6) impulses that pass the tree joints where velocities jump by dv, impulses (nb, 6) `acting` on the bodies.

    Newton–Euler at rest is linear in accelerations and forces: what is there without the jump is taken off.
    """
    rest, none = linkage.tree.zeros, np.zeros(0)
    return newton_euler_wrenches(linkage, q, rest, dv, acting.ravel()) - newton_euler_wrenches(
        linkage, q, rest, rest, none
    )


def refuse_large(linkage: Linkage, entries: int, instead: str) -> None:
    """Raise where a mass matrix of this many entries would not fit in memory."""
    if entries > LARGEST_MATRIX:
        raise ArgumentError(
            f"the mass matrix of linkage {linkage.name!r} would take {8 * entries / 2**30:.1f} GiB; use {instead}"
        )
