"""Small motions about a state.

Symbols: y coordinates that lead and W = dq/dy; a motion about a state is δq = W δy, δv = W δẏ + E δy, with
J E = −∂(J v)/∂q W where loops constrain it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.dynamics.arguments import names_of
from linkwork.dynamics.closed_derivatives import closed_forward_derivatives
from linkwork.dynamics.constraints import RANK, independent_columns, loops_of
from linkwork.dynamics.derivatives import forward_dynamics_derivatives
from linkwork.dynamics.partition import coordinate_names
from linkwork.dynamics.problem import one_problem
from linkwork.dynamics.tree_rates import skew
from linkwork.errors import ArgumentError, SingularError, unknown_name
from linkwork.kernels.layout.kinds import FREE, PLANAR, SPHERICAL
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.results import Current, Derived


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
        if not vectors.size:
            return vectors
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
    linkage: Linkage, q, v=None, tau=None, independent: str | Joint | Sequence[str | Joint] | None = None, *, f_ext=None
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
    asked = one_problem(linkage, q, tree.zeros if v is None else v, tau, f_ext)
    names, nv = coordinate_names(linkage)[: tree.nv], tree.nv
    if tree.closed or linkage._contacts.records:
        dq, dv, dtau, J, rate_q = closed_forward_derivatives(asked)[:5]
        if linkage._contacts.records:
            J, rate_q = _independent_rows(J, rate_q)
        lead, follow = _choose(linkage, J, names, independent)
        W, E = np.zeros((nv, len(lead))), np.zeros((nv, len(lead)))
        W[lead] = np.eye(len(lead))
        W[follow] = -np.linalg.lstsq(J[:, follow], J[:, lead], rcond=None)[0]
        E[follow] = -np.linalg.lstsq(J[:, follow], rate_q @ W, rcond=None)[0]
    else:
        dq, dv, dtau = forward_dynamics_derivatives(linkage, asked.q, asked.v, asked.tau, asked.f_ext)
        lead = np.arange(nv) if independent is None else _indices(independent, names, nv)
        if len(lead) != nv:
            raise ArgumentError(f"linkage {linkage.name!r} has no loops: all its {nv} coordinates are independent")
        W, E = np.eye(nv)[:, lead], np.zeros((nv, nv))
    n = len(lead)
    A = np.zeros((2 * n, 2 * n))
    A[:n, :n], A[:n, n:] = -(brackets(linkage, asked.v) @ W)[lead], np.eye(n)
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


def _independent_rows(J: np.ndarray, rate_q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As many rows as are independent: points that stick may say the same twice, and what loops say."""
    u, sigma, vt = np.linalg.svd(J, full_matrices=False)
    rank = int((sigma > RANK * sigma.max(initial=0.0)).sum())
    return vt[:rank], (u[:, :rank].T @ rate_q) / sigma[:rank, None]


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
    places = []
    for name in names_of("independent", independent):
        if name not in names and f"{name}[0]" in names and f"{name}[1]" not in names:
            name = f"{name}[0]"
        if name not in names:
            raise unknown_name("coordinate of the tree", name, names)
        places.append(names.index(name))
    if len(set(places)) != count or len(places) != count:
        raise ArgumentError(
            f"independent names {len(set(places))} coordinates; the linkage has {count} degrees of freedom"
        )
    return np.array(places, dtype=np.int64)
