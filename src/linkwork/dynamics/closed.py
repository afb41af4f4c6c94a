"""Closed linkages: how they can move, how loops are closed and kept closed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.actuation import actuated_coordinates, surface_rows
from linkwork.dynamics.arguments import coordinates, one_state, velocities
from linkwork.dynamics.constraints import Step, constrained_step, loops_of, residuals
from linkwork.dynamics.contact import Gaps, mend
from linkwork.dynamics.methods import pick
from linkwork.dynamics.partition import partition
from linkwork.errors import StructureError
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.results import Mobility

CLOSED = 1e-10  # m or rad: a loop whose gap is below this is closed
FINE = 1e-12  # m or rad: near a singular pose steps still help down to here
ROUNDING = 1e-14  # m or rad: steps cannot make it smaller


def mobility(
    linkage: Linkage,
    q,
    independent: str | Joint | Sequence[str | Joint] | None = None,
    *,
    previous: Mobility | Sequence[str] | None = None,
    t: float = 0.0,
) -> Mobility:
    """How the linkage can move at one pose: its degrees of freedom and what follows what.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
        A pose with closed loops.
    independent : str or sequence of str, optional
        The generalized coordinates: "joint[k]", or "joint" where it has one. By default a well conditioned choice. What
        is returned says "joint[k]" throughout.
    previous : Mobility or sequence of str, optional
        An earlier choice, as names or as what was returned then, to be kept as long as it is within a factor of ten of
        the best: so that a path of poses is described by the same coordinates.
    t : float
        Time, s, for surfaces that move.

    Returns
    -------
    Mobility

    Raises
    ------
    ArgumentError
        An array of another shape, an entry that is not finite, or an unknown name.
    SingularError
        The coordinates asked for are not independent at this pose.

    Notes
    -----
    Cost: dense: O(rows² · nv) with the rows of all loop joints.

    References
    ----------
    [Nakamura2000] (9)–(22).

    Examples
    --------
    >>> import linkwork as lw
    >>> bars = lw.samples.four_bar()
    >>> found = lw.mobility(bars, bars.neutral(), independent=["crank"])
    >>> found.dof, found.independent
    (1, ('crank[0]',))
    >>> found.W.shape
    (3, 1)
    """
    tree, loops = tree_of(linkage), loops_of(linkage)
    q = one_state("q", coordinates(linkage, q))
    kept = previous.independent if isinstance(previous, Mobility) else previous
    part = partition(linkage, q, independent=independent, previous=kept, surfaces=surface_rows(linkage, q, t))
    names = part.names
    actuated = actuated_coordinates(linkage)
    rows = [f"{loop}.{axis}" for loop in loops.names[: loops.joints] for axis in ("x", "y", "z", "rx", "ry", "rz")]
    rows += loops.names[loops.joints :] + linkage.contacts.names
    return Mobility(
        linkage,
        dof=len(part.independent),
        names=tuple(names),
        independent=tuple(names[k] for k in part.independent),
        dependent=tuple(names[k] for k in part.dependent),
        H=part.W_J[part.dependent],
        W=part.W_J[: tree.nv],
        W_J=part.W_J,
        S=part.W_J[actuated],
        actuated=tuple(names[k] for k in np.flatnonzero(actuated)),
        J_C=part.J_C,
        rank=len(part.dependent),
        redundant=len(part.redundant),
        redundant_rows=tuple(rows[k] for k in part.redundant),
        singular=tuple(names[k] for k in part.singular),
        condition=part.condition,
    )


def loop_coordinates(linkage: Linkage, q, v=None):
    """Coordinates of the loop joints, and their velocities where v is given.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
    v : (nv,) array_like, optional

    Returns
    -------
    theta : (coordinates of the loop joints,) array
        In the order of `linkage.loops`; angles within ±π. Where a loop is open, those that bring its virtual link
        nearest.
    rate : (nv_loop,) array
        Only where v is given.

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
    >>> bars = lw.samples.four_bar()
    >>> lw.loop_coordinates(bars, bars.neutral()).shape
    (1,)
    """
    state = residuals(linkage, q, v)
    return state.theta if v is None else (state.theta, state.theta_rate)


def close_loops(linkage: Linkage, q, *, tolerance: float = CLOSED, t: float = 0.0) -> np.ndarray:
    """Move q, as little as possible, to where every loop is closed and every constrained point is on its surface.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
    tolerance : float
        Largest gap, m or rad, that counts as closed. Steps go on beyond it as long as they help.
    t : float
        Time, s, for surfaces that move.

    Returns
    -------
    (nq,) array

    Raises
    ------
    StructureError
        Some loop cannot be closed from here; the worst one and its gap are named.

    Notes
    -----
    Newton's method with line search on the configuration manifold; steps are measured by the mass matrix.

    Cost: a few rounds of Newton's method, each of them a solution of the closed linkage.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> bars = lw.samples.four_bar()
    >>> q = lw.close_loops(bars, bars.neutral() + [0.1, 0.0, 0.0])
    >>> bool(np.abs(lw.close_loops(bars, q) - q).max() < 1e-9)
    True
    """
    tree = tree_of(linkage)
    q = one_state("q", coordinates(linkage, q)).copy()
    if not (tree.closed or linkage._contacts.records):
        return q
    measure, step = _constraints(linkage, t)
    rng = np.random.default_rng(0)
    best = q, measure(q)
    for attempt in range(4):
        start = q if attempt == 0 else linkage.integrate(best[0], 0.1 * rng.normal(size=tree.nv))
        found = _newton(linkage, start, measure, step)
        if found[1].gap < best[1].gap:
            best = found
        if best[1].gap <= tolerance:
            return best[0]
    worst = int(np.abs(best[1].error).max(axis=1).argmax())
    names = [f"loop {name!r}" for name in loops_of(linkage).names]
    names += [f"contact {name!r}" for name in linkage.contacts.names]
    gap = best[1].error[worst]
    raise StructureError(
        f"{names[worst]} of linkage {linkage.name!r} cannot be closed from this pose: a gap of "
        f"{np.linalg.norm(gap[:3]):.3g} m and {np.linalg.norm(gap[3:]):.3g} rad remains; start nearer to a closed "
        "pose, or check the lengths"
    )


def _constraints(linkage: Linkage, t: float):
    """What measures a state, (q, v) or q alone, against all constraints, and the least step that changes their rows."""
    if not linkage._contacts.records:
        return partial(residuals, linkage), lambda q, state, h: constrained_step(linkage, q, h).x
    solver = pick(linkage, "auto").without_contacts(linkage)
    return lambda q, v=None: Gaps(linkage, q, v, t), lambda q, state, h: mend(linkage, q, state, h, solver)[0]


def _newton(linkage: Linkage, q: np.ndarray, measure, step):
    """Newton steps until they no longer help: q and its residuals."""
    state = measure(q)
    for _ in range(100):
        if state.gap <= ROUNDING:
            break
        size = np.linalg.norm(state.row_error)
        move = step(q, state, -state.row_error)
        length = 1.0
        while length > 1e-4:
            trial = linkage.integrate(q, length * move)
            after = measure(trial)
            if np.linalg.norm(after.row_error) < (1.0 - 0.1 * length) * size:
                break
            length *= 0.5 if state.gap > FINE else 0.0  # what is left is rounding
        else:
            break
        q, state = trial, after
    return q, state


def consistent_velocity(linkage: Linkage, q, v, *, t: float = 0.0) -> np.ndarray:
    """The velocity nearest to v, measured by kinetic energy, that keeps loops closed and points on their surfaces.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
        A pose with closed loops.
    v : (nv,) array_like
    t : float
        Time, s, for surfaces that move.

    Returns
    -------
    (nv,) array

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        The constraints contradict each other at this pose.

    Notes
    -----
    Cost: one solution of the closed linkage.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> bars = lw.samples.four_bar()
    >>> q = bars.neutral()
    >>> v = lw.consistent_velocity(bars, q, [1.0, 0.0, 0.0])
    >>> np.allclose(lw.consistent_velocity(bars, q, v), v)
    True
    """
    tree = tree_of(linkage)
    q, v = one_state("q", coordinates(linkage, q)), one_state("v", velocities(linkage, v)).copy()
    if linkage._contacts.records:
        measure, step = _constraints(linkage, t)
        for _ in range(2):  # the second removes the rounding of the first
            state = measure(q, v)
            v = v + step(q, state, -state.rate)
        return v
    return v + step_onto_loops(linkage, q, v).x if tree.closed else v


def step_onto_loops(linkage: Linkage, q: np.ndarray, v: np.ndarray, *, forces: bool = False) -> Step:
    """The step to the consistent velocity: two, of which the second removes the rounding of the first."""
    step = constrained_step(linkage, q, -residuals(linkage, q, v).rate, forces=forces)
    rate = residuals(linkage, q, v + step.x).rate
    if np.abs(rate).max(initial=0.0) <= ROUNDING:
        return step
    again = constrained_step(linkage, q, -rate, forces=forces)
    wrenches = None if step.wrenches is None or again.wrenches is None else step.wrenches + again.wrenches
    return Step(step.x + again.x, step.force + again.force, wrenches, step.margin)


class Settled(NamedTuple):
    """A state brought back onto its loops, and how near the loops are to a singular pose."""

    q: np.ndarray
    v: np.ndarray
    margin: float  # 1 is far from singular, 0 there
    weakest: str  # the loop that is nearest to it
    rank: int  # independent constraints


def settle(linkage: Linkage, q: np.ndarray, v: np.ndarray) -> Settled:
    """Close the loops and make the velocities consistent: what a simulation does after each step."""
    q = close_loops(linkage, q)
    if not linkage.tree.closed:
        return Settled(q, consistent_velocity(linkage, q, v), 1.0, "", 0)
    step = step_onto_loops(linkage, q, v)
    margin, loop, rank = step.margin
    return Settled(q, v + step.x, margin, loops_of(linkage).names[loop], rank)
