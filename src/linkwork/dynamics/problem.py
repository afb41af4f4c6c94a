"""What every method of forward dynamics is asked and what it answers, open and closed linkages alike."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.arguments import one_state, times
from linkwork.dynamics.constraints import loops_of
from linkwork.dynamics.contact_state import Reaction
from linkwork.errors import ArgumentError, LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import (
    apart,
    leading_shape,
    numbers,
    output,
    place_in_batch,
    rows_of,
    tree_of,
    wrenches,
)
from linkwork.linkage.packing.tree import Tree

NOTHING, NO_WRENCHES, TIME_ZERO = np.zeros(0), np.zeros((0, 6)), np.zeros(1)


class Problem(NamedTuple):
    """Find the accelerations: arrays that are checked and broadcast over the leading dimensions of `a`."""

    linkage: Linkage
    tree: Tree
    q: np.ndarray  # (..., nq)
    v: np.ndarray  # (..., nv)
    tau: np.ndarray  # (..., nv), of a closed linkage (..., nv + nv_loop)
    wrench: np.ndarray  # (..., 6 nb) external wrenches, or of size 0
    a: np.ndarray  # (..., nv) receives the accelerations
    t: np.ndarray = TIME_ZERO  # (..., 1), for surfaces that move
    details: bool = False  # whether forces are asked for too; of one state only
    splitting: str | None = None  # of links, for "virtual-work"
    reacting: bool = False  # whether what points on surfaces do is asked for too, but no other forces
    modes: np.ndarray | None = None  # (points, MODE_ROW) whether points on surfaces stick; None: found from the state

    @property
    def loaded(self) -> bool:
        """Whether anything but gravity, damping and tau acts."""
        return self.tree.loaded or self.wrench.size > 0

    @property
    def f_ext(self) -> np.ndarray | None:
        """The external wrenches of one state as public functions take them."""
        return self.wrench.reshape(self.tree.nb, 6) if self.wrench.size else None

    def rows(self) -> list[np.ndarray]:
        """q, v, tau, wrench and t as (states, n), or as (1, n) where all states share it."""
        leading = self.a.shape[:-1]
        return [rows_of(x, leading, math.prod(leading)) for x in (self.q, self.v, self.tau, self.wrench, self.t)]

    def state(self, k: int, rows: list[np.ndarray]) -> Problem:
        """The problem of one state of a batch with these rows."""
        # kernels are compiled for arrays that own their memory
        q, v, tau, wrench, t = (row[k if len(row) > 1 else 0].copy() for row in rows)
        return self._replace(q=q, v=v, tau=tau, wrench=wrench, t=t, a=self.a[np.unravel_index(k, self.a.shape[:-1])])


class Outcome(NamedTuple):
    """The answer of a method. Beyond `a`, what it computes only where details are asked for, or on its way."""

    a: np.ndarray  # (..., nv): the array of the problem
    row_forces: np.ndarray = NOTHING  # of the constraints' rows, of least norm
    unmet: np.ndarray = NOTHING  # what each row leaves unmet, m/s² or rad/s²
    marks: np.ndarray = NOTHING  # 0 for redundant rows, 1 for others
    loop_wrenches: np.ndarray = NO_WRENCHES  # (loop joints, 6): of a on b in `at_b`, constraint forces alone
    joint_wrenches: np.ndarray | None = None  # (6 nb,) of the tree joints
    factors: np.ndarray | None = None  # packed L and D of the mass matrix
    reaction: Reaction | None = None  # of surface constraints


Solver = Callable[[Problem], Outcome]


def each_state(solver: Solver) -> Solver:
    """Make a method for one state one for batches, state by state; an error names its state."""

    @functools.wraps(solver)
    def solve_each(problem: Problem) -> Outcome:
        leading = problem.a.shape[:-1]
        if leading == ():
            return solver(problem)
        rows = problem.rows()
        for k in range(math.prod(leading)):
            try:
                solver(problem.state(k, rows))
            except LinkworkError as error:
                raise type(error)(f"{place_in_batch(k, leading)}{error}") from None
        return Outcome(problem.a)

    return solve_each


def pose_problem(
    linkage: Linkage, q, v, tau, f_ext, *, t: Any = 0.0, out: np.ndarray | None = None, check: bool = True
) -> Problem:
    """The problem that a user's arrays pose; without `check` they may be non-finite."""
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq", check=check)
    v = numbers(linkage, "v", v, tree.nv, "nv", check=check)
    tau, wrench = torques(linkage, tau, check=check), wrenches(linkage, f_ext)
    if not linkage._contacts.records:
        t = TIME_ZERO
        if out is None and q.ndim == v.ndim == tau.ndim == wrench.ndim == 1:
            return Problem(linkage, tree, q, v, tau, wrench, np.empty(tree.nv))
    else:
        t = times(linkage, t)
    a = output("forward_dynamics", out, (*leading_shape(q, v, tau, wrench, t), tree.nv))
    if out is not None:
        q, v, tau, wrench = apart(a, q, v, tau, wrench)
    return Problem(linkage, tree, q, v, tau, wrench, a, t)


def one_problem(linkage: Linkage, q, v, tau, f_ext) -> Problem:
    """`pose_problem` of one state, of which details are asked for; batches are refused."""
    asked = pose_problem(linkage, q, v, tau, f_ext)
    for what, array in (("q", asked.q), ("v", asked.v), ("tau", asked.tau)):
        one_state(what, array)
    if asked.wrench.ndim > 1:
        raise ArgumentError(f"f_ext has shape {np.shape(f_ext)}: this takes one state, so give {(asked.tree.nb, 6)}")
    return asked._replace(details=True)


def torques(linkage: Linkage, tau, *, check: bool = True) -> np.ndarray:
    """(..., nv) torques of the tree joints or, of a closed linkage, (..., nv + nv_loop) of loop joints too.

    From None, those of the tree joints alone, or both.
    """
    tree = linkage.tree
    if not tree.closed:
        return tree.zeros if tau is None else numbers(linkage, "tau", tau, tree.nv, "nv", check=check)
    loops = loops_of(linkage)
    size = tree.nv + loops.nv
    if tau is None:
        return loops.no_torque
    if np.ndim(tau) and np.shape(tau)[-1] == size:
        return numbers(linkage, "tau", tau, size, "nv + nv_loop")
    unit = f"nv + nv_loop = {size}, or without loop joints nv" if loops.nv else "nv"
    tau = numbers(linkage, "tau", tau, tree.nv, unit)
    full = np.zeros((*tau.shape[:-1], size))
    full[..., : tree.nv] = tau
    return full
