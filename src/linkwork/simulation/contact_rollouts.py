"""Rollouts of linkages with contacts: in compiled code from start to end, packs of states where they can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linkwork.dynamics.closed import close_loops, consistent_velocity
from linkwork.dynamics.shape_contacts import ShapeContacts
from linkwork.errors import DivergedError, LinkworkError, SingularError, StructureError
from linkwork.kernels.launch import bind
from linkwork.kernels.layout import IRREGULAR, NOT_FINITE, STEP_SCRATCH, UNCLOSED, UNSOLVED
from linkwork.kernels.layout.shapes import CONTACT_ROW
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import place_in_batch, problem
from linkwork.linkage.packing.pack_shapes import BY_COAL
from linkwork.simulation.acting import Acts
from linkwork.simulation.limits import Limits
from linkwork.simulation.many_contacts import ManyContacts
from linkwork.simulation.structure import refuse_open
from linkwork.simulation.system import System
from linkwork.simulation.time_stepping import ROOM, scratch_space

COST = 20  # of a stage with contacts, in stages of an open tree
AT_ONCE = 2_000_000  # stages times steps of one call, a fraction of a second


def refuse_contacts(linkage: Linkage) -> None:
    """Raise for contacts that rollouts do not know."""
    if not len(linkage.shapes):
        from linkwork.dynamics.contact_pack import packed_contacts

        if len(linkage.contacts) and not packed_contacts(linkage).known:
            raise StructureError(
                f"a surface of linkage {linkage.name!r} is a Python function, which rollouts do not know: give it as "
                "an expression in x, y, z and t, or use Simulation"
            )
        return
    shapes = ShapeContacts(linkage, points=True)
    found = shapes.shapes
    unknown = (found.solids, BY_COAL), (found.fields, "ground that is a function of Python's")
    for numbers, what in unknown:
        if numbers:
            a, b = shapes.names(numbers[0])
            raise StructureError(
                f"{b!r} may touch {a!r}: rollouts do not know contacts of {what}; use Simulation, or "
                f"linkage.part({b!r}, {a!r})"
            )
    if found.moving:
        raise StructureError("rollouts do not know ground that moves by a function: use Simulation")


def start(linkage: Linkage, q: np.ndarray, v: np.ndarray, count: int, gap: float, leading: tuple[int, ...]) -> Any:
    """Initial states (count, nq) and (count, nv), on loops and surfaces; raise where shapes overlap."""
    q, v = (np.array(np.broadcast_to(rows, (count, rows.shape[1])), order="C") for rows in (q, v))
    shapes = ShapeContacts(linkage) if len(linkage.shapes) else None
    for k in range(count):
        try:
            if shapes is not None and np.isfinite(gap):
                shapes.refuse_overlap(shapes.find(0.0, q[k], 0.0))
            if linkage.constrained:
                if np.isfinite(gap):
                    refuse_open(linkage, 0.0, q[k].copy(), v[k].copy())
                q[k] = close_loops(linkage, q[k])
                v[k] = consistent_velocity(linkage, q[k], v[k])
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(k, leading)}{error}") from None
    return q, v


class ContactRun:
    """All states of a rollout, in as many threads as pay; as `linkwork.simulation.rollouts._Run`."""

    def __init__(self, linkage, bounds, motors, options, steps, inputs, outputs):
        from linkwork.kernels.motion.rollout import Inputs, Outputs

        self.linkage, self.bounds, self.motors, self.options, self.steps = linkage, bounds, motors, options, steps
        self.inputs, self.outputs = Inputs(*inputs), Outputs(*outputs)
        self.cost = COST * linkage.tree.stages
        self.packed = len(linkage.shapes) > 0 and not linkage.tree.closed
        self.stopped = False

    def all(self, leading: tuple[int, ...]) -> None:
        """Roll out every state; raise for the first that fails."""
        from linkwork.kernels.numba_ext import WIDTH

        q, v = start(self.linkage, *self.inputs[:2], len(self.outputs.q), self.options[3], leading)
        self.inputs = self.inputs._replace(q=q, v=v)
        width = WIDTH if self.packed else 1
        shares = share(lambda parts: self._work(parts, width), len(q), width, max(1, self.steps * self.cost))
        failures = [failure for found in shares for failure in found]
        if failures:
            first = min(failures)[0]  # of a pack, whose states are tried one by one
            alone = self._work(iter([(first, min(first + width, len(q)))]), 1) if width > 1 else failures
            state, step, outcome = min(alone or failures)
            raise self._failure(outcome, step, place_in_batch(state, leading))

    def _work(self, parts: Iterator[tuple[int, int]], width: int) -> list[tuple[int, int, int]]:
        """Work off parts (begin, end) of the states, so many at a time; (first, step, status) where one fails."""
        failures, room = [], ROOM
        function = self._bound(room)
        at_once = max(1, AT_ONCE // self.cost)
        try:
            for begin, end in parts:
                for first in range(begin, end, width):
                    states, step = (first, min(first + width, end)), 0
                    while step < self.steps and not self.stopped:
                        last = min(self.steps, step + at_once)
                        outcome, _, step, found = function(states, (step, last))
                        if outcome:
                            failures.append((first, step, outcome))
                            break
                        if found > room:  # from the start once more, with room for all
                            room, step = 2 * found, 0
                            function = self._bound(room)
                    if not self.steps:
                        function(states, (0, 0))
        except BaseException:
            self.stopped = True
            raise
        return failures

    def _bound(self, room: int) -> Callable[..., tuple[int, int, int, int]]:
        """The kernel with scratch space of its own."""
        if self.packed:
            return self._packs(room)
        from linkwork.kernels.motion.rollout import Lanes

        linkage, tree, inputs = self.linkage, self.linkage.tree, self.inputs
        nq, nv, nt = tree.nq, tree.nv, tree.nv + linkage.nv_loop
        system = System(linkage, Limits(linkage, None), 0.0)
        acts = Acts(system, inputs.q[0], None, 1)
        f_ext, loops = np.zeros(inputs.f_ext.shape[1]), system.loops()
        sizes = nq, nv, nt, nq, nv, 0, inputs.gains.shape[1], inputs.firmness.shape[1], 1
        lanes = Lanes(*map(np.zeros, sizes))
        if loops is not None and len(f_ext):
            raise StructureError("rollouts of closed linkages with contacts take no f_ext: use Simulation")
        acting = acts.arrays._replace(gains=None, kept=np.zeros(nt + len(f_ext)))
        if loops is None:
            acting = acting._replace(code=None)  # which leaves f_ext as it is
        limits = self.bounds[0], lanes.firmness, self.bounds[1]
        model = tree.model, tree.index, np.empty(tree.work_size), tree.table, limits, loops, f_ext, acting
        touching, many, kernel = None, None, "roll_points"
        if len(linkage.shapes):
            shapes = ShapeContacts(linkage, points=True)
            tables, kernel = shapes.tables(np.empty((room, CONTACT_ROW))), "roll_shapes"
            touching = tables, scratch_space(room, nv, loops)
            many = ManyContacts.beside(tree.index, touching[1], loops)
        else:
            model += system.friction.arrays()
        scratch = np.empty((3, nq)), np.empty((STEP_SCRATCH, nv)), np.empty((3, nv)), np.zeros(2)
        method, dt, every, _, controller = self.options
        arguments = model, touching, method, dt, every, self.motors, controller, inputs, self.outputs, lanes, scratch
        function = bind(("motion.contact_rollout", kernel), *arguments, (0, 0), (0, 0))
        keep = acts, many  # what it owns is called by address

        def run(states: tuple[int, int], steps: tuple[int, int]) -> tuple[int, int, int, int]:
            assert keep is not None
            return function(*arguments, states, steps)

        return run

    def _packs(self, room: int) -> Callable[..., tuple[int, int, int, int]]:
        """The kernel of packs with scratch space of its own."""
        from linkwork.kernels.motion.contact_rollout import Pack
        from linkwork.kernels.motion.rollout import Lanes
        from linkwork.kernels.numba_ext import WIDTH, aligned

        linkage, tree, inputs = self.linkage, self.linkage.tree, self.inputs
        nq, nv = tree.nq, tree.nv
        given = inputs.f_ext.shape[1], inputs.gains.shape[1], inputs.firmness.shape[1]
        lanes = Lanes(*map(aligned, (nq, nv, nv, nq, nv, *given, 1)))
        blocks = tree.model, tree.index, aligned(tree.work_size), tree.table, self.bounds[0], self.motors
        tables = ShapeContacts(linkage, points=True).tables(np.empty((room, CONTACT_ROW)))
        touching = tables, scratch_space(room, nv, None)
        many = ManyContacts.beside(tree.index, touching[1], None)
        s = tuple([aligned(nv) for _ in range(STEP_SCRATCH)])
        poses, own_poses = aligned(tree.stages, 12), np.zeros((WIDTH, tree.stages + 1, 12))
        own_poses[:, -1, [0, 4, 8]] = 1.0
        pack = Pack(
            aligned(nq), aligned(nv), aligned(nv), aligned(nv), poses, poses.reshape(-1, *poses.shape[2:]), own_poses,
            own_poses.reshape(WIDTH, -1), np.empty((WIDTH, tree.work_size)), np.empty(nv), np.empty(nv),
        )  # fmt: skip
        _, dt, every, _, controller = self.options
        rows = np.empty(nq), np.empty(nv), np.empty(nv)
        arguments = blocks, touching, dt, every, controller, inputs, self.outputs, lanes, s, pack, rows
        function = bind(("motion.contact_rollout", "roll_packs"), *arguments, (0, 0), (0, 0))

        def run(states: tuple[int, int], steps: tuple[int, int]) -> tuple[int, int, int, int]:
            assert many is None or many  # what it owns is called by address
            return function(*arguments, states, steps)

        return run

    def _failure(self, outcome: int, step: int, where: str) -> LinkworkError:
        what, dt = outcome & 15, self.options[1]
        if what in (UNSOLVED, IRREGULAR):
            return SingularError(
                f"{where}in step {step}, after t = {step * dt:.6g} s, no forces were found for contacts: they jam by "
                "friction, or stand in each other's way; take a smaller dt or less friction, or use Simulation"
            )
        if what not in (NOT_FINITE, UNCLOSED) and step <= 0:
            return problem(self.linkage, outcome, where)
        happened = "loops could not be closed" if what == UNCLOSED else "the state became non-finite"
        return DivergedError(
            f"{where}{happened} in step {step}, after t = {step * dt:.6g} s: take a smaller dt, smaller gains or "
            "smaller torques",
            time=step * dt,
        )
