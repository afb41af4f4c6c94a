"""`solve` of linkages with points on surfaces, open or closed, in compiled code."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from linkwork.dynamics.closed_solutions import may_lock
from linkwork.dynamics.constraints import loops_of
from linkwork.dynamics.contact_compiled import COST
from linkwork.dynamics.contact_pack import PackedContacts, packed_contacts
from linkwork.dynamics.problem import Problem
from linkwork.errors import LinkworkError
from linkwork.kernels.contact.modes import MODES, SLIP, STICK
from linkwork.kernels.launch import call_unchecked
from linkwork.kernels.layout.contacts import F_FRICTION, F_GAP, F_NORMAL, F_STICKS, POINT_FORCES
from linkwork.kernels.layout.loops import PROJECTION_LINES
from linkwork.kernels.threads import share
from linkwork.linkage.packing.launch import place_in_batch
from linkwork.results import Solution

KERNEL = "contact.solutions", "point_solutions"
NAMES = np.array([MODES[SLIP], MODES[STICK]])  # of a point's mode, by whether it sticks


def can_solve_points(asked: Problem) -> bool:
    """Whether compiled code can: surfaces that only Python knows, and gimbals in loops, are looked at closely."""
    return packed_contacts(asked.linkage).known and not may_lock(asked)


class _Workspace:
    """What a thread writes to: of the tree, (of) the loops, the points, and further; taken and given back."""

    def __init__(self, asked: Problem, packed: PackedContacts):
        self._asked, self._packed = asked, packed

    def __enter__(self) -> tuple[Any, ...]:
        asked, packed = self._asked, self._packed
        self._taken = taken = packed.solving.pop() if packed.solving else self._make()
        taken[2][1][:] = 0.0 if asked.modes is None else asked.modes
        return taken

    def __exit__(self, *_) -> None:
        self._packed.solving.append(self._taken)

    def _make(self) -> tuple[Any, ...]:
        tree, loops, rows = self._asked.tree, None, 0
        if tree.closed:
            packed = loops_of(self._asked.linkage)
            rows, wide = packed.n_rows, max(tree.nv, packed.n_rows, 6 * len(packed.names), packed.nq)
            loops = packed.plan, packed.geometry, packed.scratch(), np.zeros((PROJECTION_LINES + rows, wide))
        return np.empty(tree.work_size), loops, self._packed.scratch(rows), np.zeros((3, tree.nv))


def _outputs(asked: Problem, packed: PackedContacts, count: int) -> tuple[np.ndarray, ...]:
    """Where solutions of so many states go, as the kernel takes them."""
    tree, loops = asked.tree, asked.tree.loops if asked.tree.closed else None
    joints, rows = (loops.joints, loops.n_rows) if loops is not None else (0, 0)
    shapes = (6 * tree.nb,), (6 * joints,), (rows,), (packed.n, POINT_FORCES), (2,)
    return asked.a.reshape(count, tree.nv), *(np.empty((count, *shape)) for shape in shapes)


def _run(asked: Problem, taken: tuple, inputs: tuple, outputs: tuple, states: tuple[int, int]) -> tuple[int, int]:
    """The kernel: the first status that is not OK, and its state."""
    tree, (work, loops, points, scratch) = asked.tree, taken
    blocks = tree.model, tree.index, work, tree.table
    return call_unchecked(KERNEL, blocks, loops, points, inputs, outputs, scratch, states, variant=loops is None)


def _in_frames(asked: Problem, of_loops: np.ndarray) -> np.ndarray:
    """(states, loop joints, 6) wrenches in the frames `at_b`."""
    if not of_loops.shape[1]:
        return np.empty((len(of_loops), 0, 6))
    align = loops_of(asked.linkage).align
    turned = of_loops.reshape(len(of_loops), len(align), 2, 3) @ align.transpose(0, 2, 1)
    return turned.reshape(len(of_loops), len(align), 6)


def _redundant(asked: Problem, marks: list[float]) -> tuple[str, ...]:
    """Names of loops with redundant rows, which have the mark 0."""
    owners = loops_of(asked.linkage).owners
    return tuple(dict.fromkeys([name for name, mark in zip(owners, marks, strict=True) if mark == 0.0]))


def point_solution(asked: Problem, method: str) -> Solution | None:
    """The solution of one state; None where that takes a closer look."""
    linkage, tree, packed = asked.linkage, asked.tree, packed_contacts(asked.linkage)
    outputs, inputs = _outputs(asked, packed, 1), tuple(x.reshape(1, -1) for x in (*asked[2:6], asked.t))
    with _Workspace(asked, packed) as taken:
        outcome, _ = _run(asked, taken, inputs, outputs, (0, 1))
    if outcome:
        return None
    _, wrenches, of_loops, marks, points, told = outputs
    points, names, (residual, rank) = points[0], linkage.contacts.names, told[0].tolist()
    f_n, sticks, (n, rows) = points[:, F_NORMAL], points[:, F_STICKS].tolist(), (packed.n, marks.shape[1])
    return Solution._of(
        linkage,
        a=asked.a,
        joint_wrenches=wrenches.reshape(tree.nb, 6),
        loop_wrenches=_in_frames(asked, of_loops)[0],
        normal_forces=f_n,
        friction_forces=points[:, F_FRICTION : F_FRICTION + 3],
        contact_gaps=points[:, F_GAP],
        contact_modes=tuple([MODES[STICK if each else SLIP] for each in sticks]),
        redundant_contacts=(),
        indeterminate=False,
        pulling=tuple([name for name, x in zip(names, f_n.tolist(), strict=True) if x < 0.0]),
        residual=residual,
        rank=int(rank) + n,
        redundant=rows - int(rank),
        redundant_loops=_redundant(asked, marks[0].tolist()) if rank < rows else (),
        method=method,
    )


def point_solutions(asked: Problem, alone: Callable[[int], Solution], method: str) -> Solution:
    """The solutions of many states, as one; those that take a closer look are solved `alone`."""
    linkage, tree, packed = asked.linkage, asked.tree, packed_contacts(asked.linkage)
    leading, inputs = asked.a.shape[:-1], tuple(asked.rows())
    count, left = math.prod(leading), []
    outputs = _outputs(asked, packed, count)

    def worker(parts: Iterable[tuple[int, int]]) -> None:
        with _Workspace(asked, packed) as taken:
            for begin, end in parts:
                while begin < end:
                    outcome, state = _run(asked, taken, inputs, outputs, (begin, end))
                    begin = state + 1
                    if outcome:
                        left.append(state)

    share(worker, count, 1, tree.stages * COST)
    a, wrenches, of_loops, marks, points, told = outputs
    marks[left], points[left], rows = 1.0, 0.0, marks.shape[1]
    rank = told[:, 1].astype(np.int64)
    fields: dict[str, Any] = {
        "a": a,
        "joint_wrenches": wrenches.reshape(count, tree.nb, 6),
        "loop_wrenches": _in_frames(asked, of_loops),
        "normal_forces": points[..., F_NORMAL],
        "friction_forces": points[..., F_FRICTION : F_FRICTION + 3],
        "contact_gaps": points[..., F_GAP],
        "contact_modes": NAMES[points[..., F_STICKS].astype(np.int64)],
        "indeterminate": np.zeros(count, dtype=bool),
        "residual": told[:, 0].copy(),
        "rank": rank + packed.n,
        "redundant": rows - rank,
    }
    loops = set(_redundant(asked, marks.min(axis=0, initial=1.0).tolist()) if rows else ())
    pulls = np.flatnonzero((points[..., F_NORMAL] < 0.0).any(axis=0))
    contacts, pulling = set(), {linkage.contacts.names[k] for k in pulls}
    for state in sorted(left):
        try:
            found = alone(state)
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(state, leading)}{error}") from None
        for name, array in fields.items():
            array[state] = getattr(found, name)
        for names, more in (
            (loops, found.redundant_loops),
            (contacts, found.redundant_contacts),
            (pulling, found.pulling),
        ):
            names |= set(more)
    fields = {name: array.reshape(*leading, *array.shape[1:]) for name, array in fields.items()}
    order = linkage.contacts.names
    return Solution._of(
        linkage,
        **fields,
        redundant_contacts=tuple(name for name in order if name in contacts),
        pulling=tuple(name for name in order if name in pulling),
        redundant_loops=tuple(name for name in (tree.loops.names if rows else ()) if name in loops),
        method=method,
    )
