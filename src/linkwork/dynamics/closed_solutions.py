"""`solve` of many states of a closed linkage without contacts, in compiled code."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from linkwork.dynamics.closed_methods import CLOSED_COST
from linkwork.dynamics.constraints import LoopWorkspace, loops_of
from linkwork.dynamics.problem import Problem
from linkwork.errors import LinkworkError
from linkwork.kernels.launch import bind
from linkwork.kernels.layout.loops import PROJECTION_LINES
from linkwork.kernels.threads import share
from linkwork.linkage.packing.launch import place_in_batch
from linkwork.results import Solution

SOLUTIONS = "closed.reactions", "solutions"


def can_solve(asked: Problem) -> bool:
    """Whether compiled code can: gimbals in loops, which may be locked, are looked at closely."""
    return asked.tree.closed and not may_lock(asked)


def may_lock(asked: Problem) -> bool:
    """Whether there are gimbals in loops that are driven or damped: locked ones have no answer, and are to be named."""
    if not asked.tree.closed:
        return False
    loops = loops_of(asked.linkage)
    return loops.gimbals and bool(loops.damped or asked.tau[..., asked.tree.nv :].any())


def solutions(asked: Problem, alone: Callable[[int], Solution]) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """Arrays of the solutions, (states, ...), and the names of loops with redundant rows.

    States that compiled code leaves are solved `alone`, one by one.
    """
    tree, loops, leading = asked.tree, loops_of(asked.linkage), asked.a.shape[:-1]
    count, rows = math.prod(leading), asked.rows()
    sizes = tree.nv, 6 * tree.nb, 6 * loops.joints, loops.n_rows, loops.n_rows
    a, wrenches, of_loops, unmet, marks = outputs = tuple(np.empty((count, n)) for n in sizes)
    left: list[int] = []

    def worker(parts: Iterable[tuple[int, int]]) -> None:
        wide = max(tree.nv, loops.n_rows, 6 * len(loops.names), loops.nq)
        with LoopWorkspace(tree, loops) as (work, scratch):
            tables = tree.model, tree.index, work, tree.table if tree.loaded or rows[3].size else None
            lines = np.zeros((PROJECTION_LINES + loops.n_rows, wide))
            blocks: tuple[Any, ...] = tables, (loops.plan, loops.geometry, scratch, lines), tuple(rows[:4]), outputs
            function = bind(SOLUTIONS, *blocks, needed := np.empty((2, tree.nv)), (0, 0))
            for begin, end in parts:
                while begin < end:
                    outcome, state = function(*blocks, needed, (begin, end))
                    begin = state + 1
                    if outcome:
                        left.append(state)

    share(worker, count, 1, tree.stages * CLOSED_COST)
    turned = np.einsum("nij,snkj->snki", loops.align, of_loops.reshape(count, loops.joints, 2, 3))
    fields = {
        "a": a,
        "joint_wrenches": wrenches.reshape(count, tree.nb, 6),
        "loop_wrenches": turned.reshape(count, loops.joints, 6),
        "residual": np.abs(unmet).max(axis=1, initial=0.0),
        "rank": marks.sum(axis=1).astype(np.int64),
    }
    marks[left] = 1.0
    shared = {loops.owners[r] for r in np.flatnonzero((marks == 0.0).any(axis=0))}
    for state in sorted(left):
        try:
            found = alone(state)
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(state, leading)}{error}") from None
        shared |= set(found.redundant_loops)
        for name, array in fields.items():
            array[state] = getattr(found, name)
    fields["redundant"] = loops.n_rows - fields["rank"]
    return fields, tuple(name for name in loops.names if name in shared)
