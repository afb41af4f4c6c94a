"""Points on surfaces in compiled code: one state, or a batch in as many threads as pay."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from linkwork.dynamics.constraints import LoopWorkspace
from linkwork.dynamics.contact_pack import PackedContacts, packed_contacts
from linkwork.dynamics.contact_state import Reaction, Touch
from linkwork.dynamics.problem import Outcome, Problem, Solver
from linkwork.errors import LinkworkError
from linkwork.kernels.launch import bind, call
from linkwork.kernels.layout import IRREGULAR, NO_INERTIA
from linkwork.kernels.layout.contacts import (
    O_ACCELERATION,
    O_DIRECTION,
    O_FORCE,
    O_FRAME,
    O_GAP,
    O_MODE,
    O_POINT,
    O_RATE,
    O_SLIP,
    O_VELOCITY,
    STICKS,
)
from linkwork.kernels.threads import share
from linkwork.linkage.packing.launch import place_in_batch, problem

FORWARD = "contact.constrained", "contact_forward"
BATCH = "contact.constrained", "contact_batch"
COST = 4  # of a stage with points on surfaces, in stages of an open tree
NOTHING = np.zeros((0, 0))


@functools.cache
def compiled(closer: Solver) -> Solver:
    """A method that answers in compiled code, and hands what that leaves alone to one that looks closer."""

    def with_contacts(asked: Problem) -> Outcome:
        packed = packed_contacts(asked.linkage)
        if not packed.known or (asked.details and asked.tree.closed):
            return closer(asked)
        return _one(asked, packed, closer) if asked.a.ndim == 1 else _many(asked, packed, closer)

    return with_contacts


class ContactWorkspace:
    """Workspaces of the tree, of the loops and of the contacts, as `contact_forward` takes them."""

    def __init__(self, asked: Problem, packed: PackedContacts):
        self._tree, self._packed = asked.tree, packed
        self._loops = LoopWorkspace(asked.tree, asked.tree.loops) if asked.tree.closed else None

    def __enter__(self) -> tuple[Any, ...]:
        tree, space, rows = self._tree, None, 0
        if self._loops is not None:
            self._work, scratch = self._loops.__enter__()
            space, rows = (tree.loops.plan, tree.loops.geometry, scratch), tree.loops.n_rows
        else:
            self._work = tree.work()
        self._scratch = self._packed.scratch(rows)
        return tree.model, tree.index, self._work, tree.table, space, self._scratch

    def __exit__(self, *_) -> None:
        self._packed.pool.append(self._scratch)
        if self._loops is not None:
            self._loops.__exit__()
        else:
            self._tree.pool.append(self._work)


def _one(asked: Problem, packed: PackedContacts, closer: Solver) -> Outcome:
    linkage, tree, q, v, tau, wrench, a = asked[:7]
    nv = tree.nv
    with ContactWorkspace(asked, packed) as space:
        modes, out = space[5][1], space[5][2]
        if asked.modes is not None:
            modes[:] = asked.modes
        outcome = call(
            FORWARD, *space, float(asked.t[0]), q, v, tau[:nv], wrench, tau[nv:], tree.zeros, a, np.empty(nv)
        )  # fmt: skip
        reaction = reaction_of(a, out.copy()) if (asked.details or asked.reacting) and not outcome else None
    if outcome & 15 == IRREGULAR or (tree.closed and outcome & 15 in NO_INERTIA):
        return closer(asked)
    if outcome:
        raise problem(linkage, outcome)
    return Outcome(a, reaction=reaction)


def reaction_of(a: np.ndarray, out: np.ndarray) -> Reaction:
    """What the kernel has found of the contacts, in its rows `out`."""
    n, zero = len(out), np.zeros(len(out))
    frame = out[:, O_FRAME : O_FRAME + 9].reshape(n, 3, 3)
    force, sticks = out[:, O_FORCE : O_FORCE + 3], out[:, O_MODE] == STICKS
    slip = np.einsum("nj,njc->nc", out[:, O_SLIP : O_SLIP + 2], frame[:, 1:])
    sliding = np.einsum("nj,njc->nc", out[:, O_DIRECTION : O_DIRECTION + 2], frame[:, 1:])
    sliding[sticks] = 0.0
    along = np.einsum("nj,njc->nc", out[:, O_ACCELERATION + 1 : O_ACCELERATION + 3], frame[:, 1:])
    velocity = out[:, O_VELOCITY : O_VELOCITY + 3]
    friction = np.einsum("nj,njc->nc", force[:, 1:], frame[:, 1:])
    point = Touch(
        r=out[:, O_POINT : O_POINT + 3], normal=frame[:, 0], sliding=sliding, doing=out[:, O_MODE], forced=sticks,
        slip=slip, J=NOTHING, bias=along, reach=zero, j_c=NOTHING, j_t=NOTHING, gap=out[:, O_GAP], rate=out[:, O_RATE],
        c=out[:, O_ACCELERATION], moves=np.abs(out[:, O_RATE] - np.einsum("nc,nc->n", frame[:, 0], velocity)) > 0.0,
    )  # fmt: skip
    return Reaction(a, point, force[:, 0], friction, NOTHING, sticks, np.zeros(n, dtype=bool), n, False)


def _many(asked: Problem, packed: PackedContacts, closer: Solver) -> Outcome:
    tree, leading = asked.tree, asked.a.shape[:-1]
    count = math.prod(leading)
    if not count:
        return Outcome(asked.a)
    rows, a = asked.rows(), asked.a.reshape(count, tree.nv)
    errors: list[tuple[int, LinkworkError]] = []

    def worker(parts: Iterable[tuple[int, int]]) -> None:
        with ContactWorkspace(asked, packed) as space:
            blocks = (*space, *rows, tree.zeros, a, np.empty(tree.nv))
            function = bind(BATCH, *blocks, 0, 0)
            for begin, end in parts:
                while begin < end:
                    outcome, state = function(*blocks, begin, end)
                    if outcome:
                        try:
                            closer(asked.state(state, rows))
                        except LinkworkError as error:
                            errors.append((state, error))
                    begin = state + 1

    share(worker, count, 1, tree.stages * COST)
    if errors:
        state, error = min(errors, key=lambda failure: failure[0])
        raise type(error)(f"{place_in_batch(state, leading)}{error}") from None
    return Outcome(asked.a)
