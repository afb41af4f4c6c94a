"""Derivatives of inverse and forward dynamics, in the tangent space that `Linkage.integrate` moves in."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.arguments import all_finite
from linkwork.dynamics.constrained_derivatives import closed_vjp, constrained_derivatives, contact_vjp
from linkwork.dynamics.inverse import refuse_large
from linkwork.dynamics.tree_rates import work_beyond
from linkwork.errors import ArgumentError, LinkworkError, StructureError
from linkwork.kernels.launch import python_entry
from linkwork.kernels.layout import WRONG_SIZE
from linkwork.kernels.layout.derivatives import ADJOINT_ROW
from linkwork.linkage.forces import Spring
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import (
    NOT_FAST,
    apart,
    leading_shape,
    numbers,
    output,
    problem,
    run,
    tree_of,
    wrenches,
)
from linkwork.linkage.packing.tree import Tree

MATRICES = {"inverse": 2, "forward": 3}  # that each of the fast functions gives
BRIEF = 16  # stages: so little work that other threads need not run meanwhile


class FastDerivatives:
    """Derivatives of one state of a tree under no outer forces as built-in functions, made on first use.

    Each takes three vectors, and the matrices to write to where they are given. It returns a tuple of matrices, or a
    status: `WRONG_SIZE` where arguments are not arrays of floats of the right size, or another thread is at it.

    Attributes
    ----------
    inverse, forward : callable or None
        None where it was not asked for yet, or where there can be none.
    """

    def __init__(self):
        self.inverse = self.forward = None

    def make(self, tree: Tree, what: str) -> Any:
        """The function `what`, one of the attributes."""
        from linkwork.kernels.numba_ext import WIDTH, aligned, python_function

        columns = aligned(3 * tree.nv * -(-tree.nv // WIDTH))
        arrays = tree.model, tree.index, tree.work(work_beyond(tree)), tree.table, columns
        own = [x for array in arrays for x in (array.ctypes.data, len(array))]
        kernel = python_entry("tree.fast_derivatives", f"fast_{what}_derivatives", MATRICES[what])
        function = python_function(kernel, tree.nq, tree.nv, tree.stages > BRIEF, own, *arrays)
        setattr(self, what, function)
        return function


def inverse_dynamics_derivatives(
    linkage: Linkage, q, v, a, f_ext=None, *, packed: bool = False, out: tuple[np.ndarray, np.ndarray] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """How the torques of `inverse_dynamics` change with the coordinates and velocities.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
        Coordinates, in m and rad.
    v, a : (..., nv) array_like
        Velocities and accelerations.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin; it keeps its direction in the world.
    packed : bool
        Return the entries that can differ from zero alone, as `derivative_pattern` lists them.
    out : two (..., nv, nv) arrays, optional
        Where to write the results; (..., n) where they are packed.

    Returns
    -------
    dtau_dq, dtau_dv : (..., nv, nv) arrays
        Column k of `dtau_dq`: per unit of a step δ in ``linkage.integrate(q, δ)``. ∂τ/∂a is `mass_matrix`. Packed:
        (..., n) arrays.

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Of the tree, as `inverse_dynamics` is: damping, armature, springs and dry friction included. O(nb · depth).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> dq, dv = lw.inverse_dynamics_derivatives(arm, [0.1, 0.2], [0, 0], [0, 0])
    >>> dq.shape, bool(abs(dv).max() == 0.0)
    ((2, 2), True)
    """
    if f_ext is None and not packed:
        try:
            inverse = linkage._tree.derivatives.inverse  # pyright: ignore[reportOptionalMemberAccess]
            found = inverse(q, v, a) if out is None else inverse(q, v, a, *out)
            if found.__class__ is tuple:
                return found
        except NOT_FAST:
            pass
    tree = tree_of(linkage)
    refuse_large(linkage, tree.nv**2, "differences of inverse_dynamics along the directions of interest")
    q, v, a = _arrays(linkage, q=q, v=v, a=a)
    wrench = wrenches(linkage, f_ext)
    leading = leading_shape(q, v, a, wrench)
    if packed:
        _refuse_springs(linkage)
        given, n = _given("inverse_dynamics_derivatives", out, 2), 2 * tree.nonzeros - tree.nv
        flat = results = [output("inverse_dynamics_derivatives", x, (*leading, n)) for x in given]
    else:
        results = _matrices("inverse_dynamics_derivatives", out, 2, leading, tree.nv)
        flat = [matrix.reshape(*leading, tree.nv**2) for matrix in results]
    if out is not None:
        q, v, a, wrench = apart(results, q, v, a, wrench)
    kernel = ("tree.derivatives", "packed_inverse_derivatives" if packed else "inverse_derivatives")
    try:
        alone = f_ext is None and leading == () and not packed
        if not (alone and _fast(linkage, "inverse", q, v, a, results)):
            run(linkage, kernel, tree.table, [q, v, a, wrench], flat, work_beyond(tree))
    except LinkworkError:
        all_finite(q=q, v=v, a=a)
        raise
    return results[0], results[1]


def derivative_pattern(linkage: Linkage) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the entries of packed derivatives of inverse dynamics.

    Parameters
    ----------
    linkage : Linkage

    Returns
    -------
    rows, columns : (n,) arrays of int
        Degrees of freedom of which one moves the other; all other entries are zero.

    Raises
    ------
    StructureError
        A spring between two points may fill entries of bodies on different branches: ask for whole matrices.

    Notes
    -----
    Cost: O(nonzeros).

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> arm = lw.samples.chain(2)
    >>> rows, columns = lw.derivative_pattern(arm)
    >>> whole = np.zeros((2, 2))
    >>> whole[rows, columns] = lw.inverse_dynamics_derivatives(arm, [0.1, 0.2], [0, 0], [0, 0], packed=True)[0]
    >>> bool((whole == lw.inverse_dynamics_derivatives(arm, [0.1, 0.2], [0, 0], [0, 0])[0]).all())
    True
    """
    tree = tree_of(linkage)
    _refuse_springs(linkage)
    rows, columns = [], []
    for d in range(tree.nv):
        e = d
        while e >= 0:
            rows.append(d)
            columns.append(e)
            e = int(tree.dof_parent[e])
    lower, above = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
    off = lower != above
    return np.concatenate([lower, above[off]]), np.concatenate([above, lower[off]])


def _refuse_springs(linkage: Linkage) -> None:
    """Refuse packed derivatives of a linkage in which a spring joins two points."""
    spring = next((force for force in linkage.forces if isinstance(force, Spring)), None)
    if spring is not None:
        raise StructureError(
            f"linkage {linkage.name!r} has a spring between {spring.a!r} and {spring.b!r}, which may fill "
            "entries outside the pattern of packed derivatives: leave out packed=True"
        )


def forward_dynamics_derivatives(
    linkage: Linkage, q, v, tau=None, f_ext=None, *, out: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How the accelerations of `forward_dynamics` change with coordinates, velocities and torques.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like
    tau : (..., nv) array_like, optional
        Torques; none by default.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin; it keeps its direction in the world.
    out : three (..., nv, nv) arrays, optional
        Where to write the results.

    Returns
    -------
    da_dq, da_dv, da_dtau : (..., nv, nv) arrays
        Column k of `da_dq`: per unit of a step δ in ``linkage.integrate(q, δ)``. For a tree `da_dtau` is the inverse of
        the mass matrix.

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        Loops, couplings or surfaces are in a singular pose, or a joint has zero effective inertia; it is
        named.

    Notes
    -----
    Articulated bodies for the acceleration, then the derivatives of inverse dynamics, divided by the mass matrix row by
    row of its sparse factors: ∂a = H⁻¹ (−∂τ). With loops, one elimination of all of them, then two sweeps for every
    eight columns. With points on surfaces, dense matrices.

    Of closed linkages these are the derivatives of the function as it is computed, loops closed or not, where the rows
    of the constraints are independent. Where some are redundant they are right along the loops: products with steps
    δq and δv of states that keep them closed.

    Cost: O(nv · nb): the derivatives of inverse dynamics and a sparse solution for every column; O(nv³) with points on
    surfaces.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> arm = lw.samples.chain(2)
    >>> da_dq, da_dv, da_dtau = lw.forward_dynamics_derivatives(arm, [0.1, 0.2], [0.0, 0.0])
    >>> np.allclose(da_dtau, np.linalg.inv(lw.mass_matrix(arm, [0.1, 0.2])))
    True
    """
    if f_ext is None:
        try:
            tree: Any = linkage._tree
            forward, tau_ = tree.derivatives.forward, tree.zeros if tau is None else tau
            found = forward(q, v, tau_) if out is None else forward(q, v, tau_, *out)
            if found.__class__ is tuple:
                return found
        except NOT_FAST:
            pass
    tree = tree_of(linkage)
    refuse_large(linkage, tree.nv**2, "forward_dynamics_vjp, which needs no matrix")
    if tree.closed or linkage._contacts.records:
        return constrained_derivatives(linkage, q, v, tau, f_ext, _given("forward_dynamics_derivatives", out, 3))
    q, v, tau = _arrays(linkage, q=q, v=v, tau=tree.zeros if tau is None else tau)
    wrench = wrenches(linkage, f_ext)
    leading = leading_shape(q, v, tau, wrench)
    results = _matrices("forward_dynamics_derivatives", out, 3, leading, tree.nv)
    flat = [matrix.reshape(*leading, tree.nv**2) for matrix in results]
    if out is not None:
        q, v, tau, wrench = apart(results, q, v, tau, wrench)
    kernel = ("tree.forward_derivatives", "forward_derivatives")
    try:
        if f_ext is None and leading == () and _fast(linkage, "forward", q, v, tau, results):
            return results[0], results[1], results[2]
        run(linkage, kernel, tree.table, [q, v, tau, wrench], flat, work_beyond(tree))
    except LinkworkError:
        all_finite(q=q, v=v, tau=tau)
        raise
    return results[0], results[1], results[2]


def forward_dynamics_vjp(linkage: Linkage, q, v, tau, a_bar, f_ext=None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Products of a row vector with the derivatives of `forward_dynamics`, as reverse differentiation needs them.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v : (..., nv) array_like
    tau : (..., nv) or, of closed linkages, (..., nv + nv_loop) array_like, or None
    a_bar : (..., nv) array_like
        How a scalar of interest changes with the accelerations.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin; it keeps its direction in the world.

    Returns
    -------
    q_bar, v_bar, tau_bar : (..., nv) arrays
        How it changes with q, in the tangent space of `Linkage.integrate`, with v and with τ.

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        Loops, couplings or surfaces are in a singular pose, or a joint has zero effective inertia; it is
        named.

    Notes
    -----
    O(nb), without any matrix, loops included; some twice the cost of `forward_dynamics`. With points on surfaces O(nb)
    for each row of them (one of a point that slides, three of one that sticks), state by state.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> arm = lw.samples.chain(2)
    >>> state = [0.1, 0.2], [0.5, 0.0], [0.0, 1.0]
    >>> q_bar, v_bar, tau_bar = lw.forward_dynamics_vjp(arm, *state, [1.0, 0.0])
    >>> np.allclose(q_bar, lw.forward_dynamics_derivatives(arm, *state)[0][0])
    True
    """
    tree = tree_of(linkage)
    (a_bar,) = _arrays(linkage, a_bar=a_bar)
    if tree.closed or linkage._contacts.records:
        all_finite(a_bar=a_bar)
    if linkage._contacts.records:
        return contact_vjp(linkage, q, v, tau, a_bar, f_ext, _products)
    return _products(linkage, q, v, tau, a_bar, f_ext)


def _products(linkage: Linkage, q, v, tau, a_bar: np.ndarray, f_ext) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`forward_dynamics_vjp` without points on surfaces."""
    tree = linkage.tree
    if tree.closed:
        return closed_vjp(linkage, q, v, tau, a_bar, f_ext)
    q, v, tau = _arrays(linkage, q=q, v=v, tau=tree.zeros if tau is None else tau)
    wrench = wrenches(linkage, f_ext)
    leading = leading_shape(q, v, tau, wrench, a_bar)
    q_bar, v_bar, tau_bar = np.empty((3, *leading, tree.nv))  # one block: the allocator keeps it for the next call
    kernel, extra = ("tree.adjoint", "forward_vjp"), ADJOINT_ROW * tree.stages + 2 * tree.nv
    try:
        run(linkage, kernel, tree.table, [q, v, tau, wrench, a_bar], [q_bar, v_bar, tau_bar], extra)
    except LinkworkError:
        all_finite(q=q, v=v, tau=tau, a_bar=a_bar)
        raise
    return q_bar, v_bar, tau_bar


def _arrays(linkage: Linkage, **arrays) -> list[np.ndarray]:
    """Arrays of a state by name; a kernel refuses what is not finite, and `all_finite` then tells which it is."""
    nq, nv = linkage.tree.nq, linkage.tree.nv
    return [numbers(linkage, what, value, *((nq, "nq") if what == "q" else (nv, "nv")), check=False)
            for what, value in arrays.items()]  # fmt: skip


def _matrices(what: str, out, count: int, leading: tuple[int, ...], nv: int) -> list[np.ndarray]:
    """Results (..., nv, nv), the user's own where given."""
    given = _given(what, out, count)
    return [output(what, matrix, (*leading, nv, nv)) for matrix in given]


def _given(what: str, out, count: int) -> tuple[np.ndarray | None, ...]:
    """The user's arrays for so many results, or None for each."""
    if out is None:
        return (None,) * count
    try:
        given = tuple(out)
    except TypeError:
        raise ArgumentError(f"out must be {count} arrays for {what}, not {type(out).__name__}") from None
    if len(given) != count:
        raise ArgumentError(f"out must be {count} arrays for {what}, not {len(given)}")
    arrays = [x for x in given if isinstance(x, np.ndarray)]
    if any(np.may_share_memory(x, y) for k, x in enumerate(arrays) for y in arrays[:k]):
        raise ArgumentError(f"the arrays of out for {what} share memory: each result needs its own")
    return given


def _fast(linkage: Linkage, what: str, q, v, x, results) -> bool:
    """Fill in the results by the fast way, and keep it for the next calls; False where there is none."""
    tree = linkage.tree
    if tree.derivatives is None:
        tree.derivatives = FastDerivatives()
    function = getattr(tree.derivatives, what) or tree.derivatives.make(tree, what)
    outcome = WRONG_SIZE if function is None else function(q, v, x, *results)
    if isinstance(outcome, int) and outcome != WRONG_SIZE:
        raise problem(linkage, outcome)
    return isinstance(outcome, tuple)
