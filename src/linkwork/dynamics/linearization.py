"""Small motions about a state, and states of rest.

Symbols: y coordinates that lead and W = dq/dy; a motion about a state is δq = W δy, δv = W δẏ + E δy, with
J E = −∂(J v)/∂q W where loops constrain it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.dynamics.arguments import coordinates, one_state, velocities
from linkwork.dynamics.closed_derivatives import closed_forward_derivatives
from linkwork.dynamics.constraints import independent_columns, loops_of, residuals
from linkwork.dynamics.derivatives import forward_dynamics_derivatives
from linkwork.dynamics.inverse import inverse_dynamics
from linkwork.dynamics.loop_rows import loop_rows
from linkwork.dynamics.partition import coordinate_names
from linkwork.dynamics.problem import NOTHING, pose_problem
from linkwork.dynamics.tree_rates import refuse_contacts, skew, tree_rates
from linkwork.errors import ArgumentError, LinkworkWarning, SingularError, unknown_name
from linkwork.kernels.layout.kinds import FREE, PLANAR, SPHERICAL
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.results import Current, Derived

ROUNDS = 100  # of Newton's method
FAR = 0.5  # rad or m: longest step of it
STILL = 1e-13  # a step, in rad or m, that is none
BALANCED = 1e-9  # share of the forces at work that may be left over
UNSTABLE = 1e-6  # 1/s: growth of a motion that counts as one


@dataclass(frozen=True, eq=False, repr=False)
class Linearization(Derived):
    """The motion near a state: d/dt (δy, δẏ) = A (δy, δẏ) + B δτ.

    Attributes
    ----------
    names : tuple of str
        The coordinates y, "joint[k]", of which δẏ are the velocities.
    A : (2 n, 2 n) array
    B : (2 n, nv) array
        One column per torque; after those of the tree joints, those of the loop joints.
    W : (nv, n) array
        δq = W δy, in the tangent space of `Linkage.integrate`.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(1)
    >>> near = lw.linearize(arm, [0.0], [0.0])
    >>> near.eigenvalues.imag.round(2)
    array([ 3.83, -3.83])
    """

    names: Current[tuple[str, ...]] = Current()  # noqa: RUF009
    A: Current[np.ndarray] = Current()  # noqa: RUF009
    B: Current[np.ndarray] = Current()  # noqa: RUF009
    W: Current[np.ndarray] = Current()  # noqa: RUF009

    @property
    def eigenvalues(self) -> np.ndarray:
        """(2 n,) in 1/s: the fastest growing first."""
        return self._spectrum()[0]

    @property
    def modes(self) -> np.ndarray:
        """(nv, 2 n) δq of the mode of each eigenvalue, largest entry 1."""
        vectors = self.W @ self._spectrum()[1][: len(self.names)]
        largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
        return vectors / np.where(largest == 0.0, 1.0, largest)

    def _spectrum(self) -> tuple[np.ndarray, np.ndarray]:
        values, vectors = np.linalg.eig(self.A)
        growth, turning = np.real(values), np.imag(values)
        order = np.lexsort((-turning, np.abs(turning), -growth.round(9)))
        return values[order], vectors[:, order]

    def _shown(self) -> dict[str, str]:
        return {"coordinates": str(len(self.__dict__["names"]))}


def linearize(
    linkage: Linkage, q, v=None, tau=None, independent: str | Sequence[str] | None = None, *, f_ext=None
) -> Linearization:
    """The linear equations of small motions about a state.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
        A pose with closed loops.
    v : (nv,) array_like, optional
        Velocities that keep them closed; at rest by default.
    tau : (nv,) or (nv + nv_loop,) array_like, optional
        Torques, which stay; none by default.
    independent : sequence of str, optional
        The coordinates of a closed linkage that lead: joints of the tree, "joint[k]" or "joint" where it has one. By
        default a well conditioned choice.
    f_ext : (nb, 6) array_like, optional
        Wrenches on the bodies, world axes.

    Returns
    -------
    Linearization

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        Loops, couplings or surfaces are in a singular pose, or a joint has zero effective inertia; it is
        named.

    Notes
    -----
    Exact derivatives, also where v ≠ 0: the dependent velocities of a closed linkage then change with the pose.

    Cost: that of `forward_dynamics_derivatives`; eigenvalues, when asked for, are O(nv³).

    Examples
    --------
    >>> import linkwork as lw
    >>> pendulum = lw.samples.chain(1)
    >>> lw.linearize(pendulum, lw.equilibrium(pendulum, [0.1])).A.shape
    (2, 2)
    """
    tree = tree_of(linkage)
    q = one_state("q", coordinates(linkage, q))
    v = tree.zeros if v is None else one_state("v", velocities(linkage, v))
    names, nv = coordinate_names(linkage)[: tree.nv], tree.nv
    if tree.closed or linkage._contacts.records:
        asked = pose_problem(linkage, q, v, tau, f_ext)._replace(details=True)
        dq, dv, dtau, J, rate_q = closed_forward_derivatives(asked)[:5]
        lead, follow = _choose(linkage, J, names, independent)
        W, E = np.zeros((nv, len(lead))), np.zeros((nv, len(lead)))
        W[lead] = np.eye(len(lead))
        W[follow] = -np.linalg.lstsq(J[:, follow], J[:, lead], rcond=None)[0]
        E[follow] = -np.linalg.lstsq(J[:, follow], rate_q @ W, rcond=None)[0]
    else:
        dq, dv, dtau = forward_dynamics_derivatives(linkage, q, v, tau, f_ext)
        lead = np.arange(nv) if independent is None else _indices(independent, names, nv)
        if len(lead) != nv:
            raise ArgumentError(f"linkage {linkage.name!r} has no loops: all its {nv} coordinates are independent")
        W, E = np.eye(nv)[:, lead], np.zeros((nv, nv))
    n = len(lead)
    A = np.zeros((2 * n, 2 * n))
    A[:n, :n], A[:n, n:] = -(brackets(linkage, v) @ W)[lead], np.eye(n)
    A[n:, :n], A[n:, n:] = (dq @ W + dv @ E)[lead], (dv @ W)[lead]
    B = np.vstack([np.zeros((n, dtau.shape[1])), dtau[lead]])
    return Linearization._of(linkage, names=tuple(names[k] for k in lead), A=A, B=B, W=W)


def brackets(linkage: Linkage, v: np.ndarray) -> np.ndarray:
    """(nv, nv) δ ↦ [v, δ], joint by joint: a step in a joint whose motions do not commute turns as the joint moves."""
    out = np.zeros((linkage.nv, linkage.nv))
    columns = linkage.columns
    for code, start in zip(columns.code, columns.v_start, strict=True):
        if code == SPHERICAL:
            out[start : start + 3, start : start + 3] = skew(v[start : start + 3])
        elif code == FREE:
            turn = skew(v[start + 3 : start + 6])
            out[start : start + 3, start : start + 3] = out[start + 3 : start + 6, start + 3 : start + 6] = turn
            out[start : start + 3, start + 3 : start + 6] = skew(v[start : start + 3])
        elif code == PLANAR:
            x, y, w = v[start : start + 3]
            out[start : start + 2, start : start + 3] = [[0.0, -w, y], [w, 0.0, -x]]
    return out


def _choose(linkage: Linkage, J: np.ndarray, names: list[str], independent) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of the tree that lead, and those that follow."""
    if independent is None:
        units = loops_of(linkage).units[: linkage.nv] if linkage.tree.closed else 1.0
        follow, lead = independent_columns(J * units, 0.0)
        return np.sort(lead), np.sort(follow)
    lead = _indices(independent, names, J.shape[1] - len(J))
    follow = np.setdiff1d(np.arange(J.shape[1]), lead)
    size = np.linalg.svd(J[:, follow], compute_uv=False)
    if len(size) and size[-1] < 1e-9 * size[0]:
        raise SingularError(
            f"linkage {linkage.name!r}: {', '.join(names[k] for k in lead)} cannot lead in this pose: other joints "
            "move while they stand still"
        )
    return lead, follow


def _indices(independent, names: list[str], count: int) -> np.ndarray:
    """Places of coordinates by name."""
    chosen = [independent] if isinstance(independent, str) else list(independent)
    places = []
    for name in chosen:
        if name not in names and f"{name}[0]" in names and f"{name}[1]" not in names:
            name = f"{name}[0]"
        if name not in names:
            raise unknown_name("coordinate of the tree", name, names)
        places.append(names.index(name))
    if len(places) != count:
        raise ArgumentError(f"independent names {len(places)} coordinates; the linkage has {count} degrees of freedom")
    return np.array(places)


def equilibrium(linkage: Linkage, q, tau=None, *, hold: Sequence[str] = (), f_ext=None) -> np.ndarray:
    """A pose at rest near q: where all forces balance, and loops are closed.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
        Where to begin.
    tau : (nv,) or (nv + nv_loop,) array_like, optional
        Torques that act; none by default.
    hold : sequence of str, optional
        Joints that stay where they are, whatever force that takes.
    f_ext : (nb, 6) array_like, optional
        Wrenches on the bodies, world axes.

    Returns
    -------
    q : (nq,) array

    Warns
    -----
    LinkworkWarning
        The pose balances but is not stable; it says how fast the least disturbance grows. `linearize` has the modes.

    Raises
    ------
    SingularError
        No pose at rest was found; the joint with the largest force left over is named.

    Notes
    -----
    Newton's method on the balance of forces and the loops together, with exact derivatives: the stiffness that the
    forces of the loops give is part of them.

    Examples
    --------
    >>> import linkwork as lw
    >>> pendulum = lw.samples.chain(1)
    >>> q = lw.equilibrium(pendulum, [0.3])
    >>> bool(abs(lw.forward_dynamics(pendulum, q, [0.0])) < 1e-9)
    True
    """
    tree = tree_of(linkage)
    refuse_contacts(linkage, "equilibrium")
    q = one_state("q", coordinates(linkage, q))
    asked = pose_problem(linkage, q, tree.zeros, tau, f_ext)
    tau, wrench = asked.tau, asked.wrench
    free = np.flatnonzero(~_held(linkage, hold))
    drive = tau[tree.nv :]
    force = np.zeros(loops_of(linkage).n_rows) if tree.closed else NOTHING
    zero, n = tree.zeros, len(free)
    for _ in range(ROUNDS):
        needed = inverse_dynamics(linkage, q, zero, zero, asked.f_ext, tree=True) - tau[: tree.nv]
        rates = tree_rates(linkage, q, zero, zero, wrench)
        stiffness, J, gap = rates.dq, np.zeros((0, tree.nv)), NOTHING
        if tree.closed:
            rows = loop_rows(linkage, rates, q, zero, force, drive)
            stiffness, J, gap = stiffness + rows.R1_q, rows.J, residuals(linkage, q).row_error
            needed = needed - rows.drive @ drive
        left = (needed - J.T @ force)[free]
        M = np.block([[stiffness[np.ix_(free, free)], -J[:, free].T], [J[:, free], np.zeros((len(J), len(J)))]])
        step = np.linalg.lstsq(M, -np.concatenate([left, gap]), rcond=1e-12)[0]
        size = np.abs(step[:n]).max(initial=0.0)
        scale = min(1.0, FAR / size) if size > 0.0 else 1.0
        move = np.zeros(tree.nv)
        move[free] = scale * step[:n]
        q, force = linkage.integrate(q, move), force + step[n:]
        if size < STILL:
            break
    sizes = (needed, J.T @ force, tau, stiffness)  # forces at work, and those of a step of 1 rad or m
    at_work = max(np.abs(x).max(initial=0.0) for x in sizes)
    if np.abs(left).max(initial=0.0) > BALANCED * at_work or np.abs(gap).max(initial=0.0) > 1e-9:
        worst = free[int(np.abs(left).argmax())]
        raise SingularError(
            f"linkage {linkage.name!r}: no pose at rest was found from here; {coordinate_names(linkage)[worst]} is "
            f"left with {np.abs(left).max():.3g} N or N m after {ROUNDS} rounds. Begin nearer to one, or hold= a joint "
            "that nothing holds"
        )
    _warn_unstable(linkage, stiffness, J, free)
    return q


def _held(linkage: Linkage, hold: Sequence[str]) -> np.ndarray:
    """(nv,) degrees of freedom of joints by name."""
    out = np.zeros(linkage.nv, dtype=bool)
    for name in [hold] if isinstance(hold, str) else hold:
        out[linkage.joints[name].v_slice] = True
    return out


def _warn_unstable(linkage: Linkage, stiffness: np.ndarray, J: np.ndarray, free: np.ndarray) -> None:
    """Tell that motions grow about a pose at rest: where the stiffness along the constraints is negative."""
    K = stiffness[np.ix_(free, free)]
    if len(J):
        _, sigma, vt = np.linalg.svd(J[:, free])
        N = vt[int((sigma > 1e-9 * sigma.max(initial=1.0)).sum()) :].T  # rows are made of numbers about 1
        K = N.T @ K @ N
    values = np.linalg.eigvalsh(0.5 * (K + K.T))
    if len(values) and values[0] < -UNSTABLE * np.abs(values).max():
        warnings.warn(
            f"linkage {linkage.name!r} balances in this pose but does not stay: its least stiffness is {values[0]:.3g} "
            "(N m per rad, N per m); linearize(...).eigenvalues tells how fast it leaves",
            LinkworkWarning,
            stacklevel=3,
        )
