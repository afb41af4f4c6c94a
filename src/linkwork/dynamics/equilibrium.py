"""Poses at rest."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from linkwork.dynamics.arguments import names_of
from linkwork.dynamics.balance import Forces, unbalanced_error
from linkwork.dynamics.partition import coordinate_names
from linkwork.dynamics.problem import one_problem
from linkwork.dynamics.settling import settle
from linkwork.errors import LinkworkWarning
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.linkage.packing.pack_shapes import shapes_of

ROUNDS = 100  # of Newton's method
FAR = 0.5  # rad or m: longest step of it
STILL = 1e-13  # a step, in rad or m, that is none
BALANCED = 1e-9  # share of the forces at work that may be left over
UNSTABLE = 1e-6  # of the largest stiffness, below zero: a motion that grows


def equilibrium(
    linkage: Linkage, q, tau=None, *, hold: str | Joint | Sequence[str | Joint] = (), f_ext=None
) -> np.ndarray:
    """A pose at rest near q: where all forces balance, loops are closed and contacts hold.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
        Where to begin.
    tau : (nv,) or (nv + nv_loop,) array_like, optional
        Torques that act; none by default.
    hold : joint, its name, or several, optional
        Joints that stay where they are, whatever force that takes.
    f_ext : (nb, 6) array_like, optional
        Wrenches on the bodies, world axes.

    Returns
    -------
    q : (nq,) array

    Warns
    -----
    LinkworkWarning
        The pose balances but is not stable; it says how stiff the least stable motion is. `linearize` has the modes.

    Raises
    ------
    SingularError
        No pose at rest was found; the joint with the largest force left over is named. Or a point with friction would
        slide from where it is; it is named, with the friction that it would need.
    StructureError
        A surface moves: what it holds is not at rest.

    Notes
    -----
    Newton's method on the balance of forces, loops and surfaces together, with exact derivatives: the stiffness that
    the forces of the constraints give is part of them. It may find a pose that is not stable.

    A point that is kept on a surface (`Linkage.constrain`) finds its place on it where it has no friction. One with
    friction stays where it is at the start, or straight above or below that where this is off the surface; the least
    forces that hold all such points must be within their cones of friction.

    Where shapes may touch (`Linkage.add_shape`), the linkage is let go at q and followed as it gives way slowly, all
    speed taken from it: shapes push and never pull, and friction acts against the way that they slide. So a box comes
    down onto the floor, a ball rolls to where it is lowest, a ladder slides until friction holds it. That is a pose of
    least energy nearby without friction, and with it one of the many at which friction can hold the linkage.

    Stability is judged along the constraints: points that stick, and shapes that press and stick, do not move.

    Cost: a dense system of nv and all rows of the constraints in each round, O(nv³).

    Examples
    --------
    >>> import linkwork as lw
    >>> pendulum = lw.samples.chain(1)
    >>> q = lw.equilibrium(pendulum, [0.3])
    >>> bool(abs(lw.forward_dynamics(pendulum, q, [0.0])) < 1e-9)
    True
    """
    tree = tree_of(linkage)
    asked = one_problem(linkage, q, tree.zeros, tau, f_ext)
    q = asked.q
    free, names = np.flatnonzero(~_held(linkage, hold)), coordinate_names(linkage)
    forces, n = Forces(asked, q), len(free)
    if shapes_of(linkage).pairs:
        rest = settle(forces, q, free, names)
        q = rest.q
        forces.refuse_slipping(q)
        _warn_unstable(linkage, rest.stiffness[np.ix_(free, free)], rest.J[:, free], rest.at_work)
    else:
        for _ in range(ROUNDS):
            now = forces.balance(q)
            step = np.linalg.lstsq(now.system(free), -np.concatenate([now.left[free], now.gap]), rcond=1e-12)[0]
            size = np.abs(step[:n]).max(initial=0.0)
            move = np.zeros(tree.nv)
            move[free] = min(1.0, FAR / max(size, 1e-300)) * step[:n]
            q = linkage.integrate(q, move)
            forces.add(step[n:])
            if size < STILL:
                break
        now = forces.balance(q)  # the last step may have changed forces alone
        left = now.left[free]
        if np.abs(left).max(initial=0.0) > BALANCED * now.at_work or np.abs(now.gap).max(initial=0.0) > 1e-9:
            raise unbalanced_error(linkage, names, left, free, ROUNDS)
        forces.refuse_slipping(q)
        _warn_unstable(linkage, now.stiffness[np.ix_(free, free)], now.J[:, free], 0.0)
    return q


def _held(linkage: Linkage, hold: str | Joint | Sequence[str | Joint]) -> np.ndarray:
    """(nv,) degrees of freedom of joints by name."""
    out = np.zeros(linkage.nv, dtype=bool)
    for name in names_of("hold", hold):
        out[linkage.joints[name].v_slice] = True
    return out


def _warn_unstable(linkage: Linkage, K: np.ndarray, J: np.ndarray, size: float) -> None:
    """Tell that motions grow about a pose at rest: where the stiffness along the constraints is negative."""
    if len(J):
        _, sigma, vt = np.linalg.svd(J)
        N = vt[int((sigma > 1e-9 * sigma.max(initial=1.0)).sum()) :].T  # rows are made of numbers about 1
        K = N.T @ K @ N
    values = np.linalg.eigvalsh(0.5 * (K + K.T))
    if len(values) and values[0] < -UNSTABLE * max(np.abs(values).max(), size):
        warnings.warn(
            f"linkage {linkage.name!r} balances in this pose but does not stay: its least stiffness is {values[0]:.3g} "
            "(N m per rad, N per m); linearize(...).eigenvalues tells how fast it leaves",
            LinkworkWarning,
            stacklevel=3,
        )
