"""The compiled trajectories of a rollout: shared among threads, in calls that do not last long; and how they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.errors import DivergedError, LinkworkError, StructureError
from linkwork.kernels.launch import bind
from linkwork.kernels.layout import NO_INERTIA, NOT_FINITE, STEP_SCRATCH, UNCLOSED
from linkwork.kernels.layout.loops import PROJECTION_LINES
from linkwork.kernels.threads import share
from linkwork.linkage.motor import motors_as_array
from linkwork.linkage.packing.launch import place_in_batch, problem
from linkwork.simulation.structure import refuse_open

PATIENCE = 40_000  # packs times stages times steps: compiled calls return after about so many, a fraction of a second
CLOSED_COST = 5  # of a stage with loops, in stages of an open tree


class Run:
    """All states of a rollout, in as many threads as pay."""

    def __init__(self, linkage, bounds, options, steps, inputs, outputs):
        from linkwork.kernels.motion.rollout import Inputs, Outputs

        self.linkage, self.options, self.steps = linkage, options, steps
        self.inputs, self.outputs, self.bounds = Inputs(*inputs), Outputs(*outputs), bounds
        self.cost = linkage.tree.stages * (CLOSED_COST if linkage.tree.closed else 1)
        self.stopped = False  # whether a thread has failed, so that the others need not go on

    def failures(self, leading: tuple[int, ...], *, every: bool = False) -> list[tuple[int, LinkworkError]]:
        """Roll out every state; the first that fails with its error, or `every` one, where all others go on."""
        from linkwork.kernels.numba_ext import WIDTH

        count = len(self.outputs.q)
        shares = share(lambda parts: self._work(parts, every), count, WIDTH, max(1, self.steps * self.cost))
        packs = sorted(failure for found in shares for failure in found)
        found = []
        for first, step, outcome, width in packs if every else packs[:1]:
            alone = []
            for state in range(first, min(first + width, count)) if width > 1 else ():  # which one of the pack?
                alone += self._work(iter([(state, state + 1)]))
                if alone and not every:
                    break
            for state, at, what, _ in alone or [(first, step, outcome, 1)]:
                place = "" if every else place_in_batch(state, leading)
                found.append((state, self._failure(state, what, at, place)))
        return found

    def _work(self, parts: Iterator[tuple[int, int]], every: bool = False) -> list[tuple[int, int, int, int]]:
        """Work off parts (begin, end) of the states; (state, step, status, width) of packs, or states, that fail.

        What is left of a part after a pack that failed is rolled out where `every` state counts.
        """
        from linkwork.kernels.numba_ext import WIDTH

        function, failures, one = self._bound(), [], None
        try:
            for begin, end in parts:
                while begin < end:
                    failed = self._part(function, begin, end, WIDTH)
                    if failed is None:
                        break
                    last = min(failed[0] + WIDTH, end)
                    if self._alone(failed[2]):
                        one = one or self._bound(packed=False)
                        found = [self._part(one, state, state + 1, 1) for state in range(failed[0], last)]
                        failures += [(*failure, 1) for failure in found if failure]
                        begin = last if every or not any(found) else end
                        continue
                    failures.append((*failed, WIDTH))
                    begin = last if every else end
        except BaseException:
            self.stopped = True
            raise
        return failures

    def _alone(self, outcome: int) -> bool:
        """Whether the states of a pack that failed may do alone: bodies without inertia, which loops carry."""
        return self.linkage.tree.closed and outcome & 15 in NO_INERTIA

    def _part(self, function: Callable, begin: int, end: int, width: int) -> tuple[int, int, int] | None:
        """Work off states, so many at a time, up to the first that fail: (the first of them, step, status)."""
        for states, steps in self._calls(begin, end, width):
            if self.stopped:
                break
            outcome, state, step = function(states, steps)
            if outcome:
                return state, step, outcome
        return None

    def _calls(self, begin: int, end: int, width: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """States and steps of each call, so that none takes long: Ctrl-C is seen between calls."""
        packs = PATIENCE // max(1, self.steps * self.cost)
        if packs:
            for first in range(begin, end, packs * width):
                yield (first, min(first + packs * width, end)), (0, self.steps)
            return
        chunk = max(1, PATIENCE // self.cost)
        for first in range(begin, end, width):
            for step in range(0, self.steps, chunk):
                yield (first, min(first + width, end)), (step, min(step + chunk, self.steps))

    def _bound(self, *, packed: bool = True) -> Callable[..., tuple[int, int, int]]:
        """The kernel of packs, or of one state, with scratch space of its own."""
        from linkwork.kernels.motion.rollout import Lanes
        from linkwork.kernels.numba_ext import aligned

        space = aligned if packed else np.zeros
        linkage, tree, inputs = self.linkage, self.linkage.tree, self.inputs
        nq, nv, nt = tree.nq, tree.nv, tree.nv + linkage.nv_loop
        sizes = nq, nv, nt, nq, nv, inputs.f_ext.shape[1], inputs.gains.shape[1], inputs.firmness.shape[1], 1
        scratch = space(nq), tuple([space(nv) for _ in range(STEP_SCRATCH)]), space(2)
        blocks = tree.model, tree.index, space(tree.work_size), tree.table, *self.bounds, motors_as_array(linkage)
        method, dt, every, gap, held, controller = self.options
        loops = None
        if tree.closed:
            own = loops_of(linkage)
            wide = max(nv, own.n_rows, 6 * len(own.names), own.nq)
            lines = aligned(PROJECTION_LINES, wide) if packed else np.empty((PROJECTION_LINES, wide))
            lines[...] = 0.0
            loops = own.plan, own.geometry, own.pack_scratch() if packed else np.zeros(own.scratch_size), lines
        arguments = (
            blocks, loops, method, dt, every, gap, held, controller, inputs, self.outputs,
            Lanes(*map(space, sizes)), scratch, (np.empty(nq), np.empty(nv), np.empty(nt)),
        )  # fmt: skip
        function = bind(("motion.rollout", "rollout"), *arguments, (0, 0), (0, 0))  # one thread compiles, others wait
        return lambda states, steps: function(*arguments, states, steps)

    def _failure(self, state: int, outcome: int, step: int, where: str) -> LinkworkError:
        what, linkage, dt = outcome & 15, self.linkage, self.options[1]
        if step < 0 and what == UNCLOSED:
            q, v = (rows[min(state, len(rows) - 1)].copy() for rows in self.inputs[:2])
            return _open_loop(linkage, q, v, where)
        if what != NOT_FINITE and what != UNCLOSED and step <= 0:  # wrong from the start
            return problem(linkage, outcome, where)
        happened = "loops could not be closed" if what == UNCLOSED else "the state became non-finite"
        asked = ". Or does the controller raise, or give what is not finite?" if self.options[-1] is not None else ""
        return DivergedError(
            f"{where}{happened} in step {step}, after t = {step * dt:.6g} s: take a smaller dt, smaller gains or "
            f"smaller torques{asked}",
            time=step * dt,
        )


def _open_loop(linkage, q, v, where):
    """The error of a state whose loops are open, or come apart, at the start."""
    try:
        refuse_open(linkage, 0.0, q, v)
    except StructureError as error:
        return StructureError(f"{where}{error}")
    return StructureError(f"{where}loops cannot be closed from the initial pose: start nearer, with close_loops")
