"""Divide and conquer on the assembly tree: each thread takes whole subtrees."""

from __future__ import annotations

import heapq

import numpy as np

from linkwork.kernels.launch import call
from linkwork.kernels.layout import OK, SINGULAR
from linkwork.kernels.layout.nodes import FIRST, LEFT, RIGHT, SCRATCH_ROWS, SOLVE_ROWS, Blocks
from linkwork.kernels.layout.rows import JOIN_ROWS, LoopBlocks
from linkwork.kernels.threads import each, thread_count
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.launch import problem
from linkwork.linkage.packing.pack_loops import Loops
from linkwork.linkage.packing.plan_loops import LoopPlan

OPEN, CLOSED = "assembly_tree.divide_conquer", "assembly_tree.closed_divide_conquer"
PARALLEL_FROM = 2000  # nodes from which on they are shared out to threads
LINE = 64  # bytes
PIECES = 12  # subtrees per thread: enough for all to end together, few enough for a short top


def divide_conquer(linkage: Linkage, tree, q, v, tau, wrench, a, loaded: bool) -> None:
    """Write the accelerations of every state to `a`, loop joints left out; see `linkwork.forward_dynamics`."""
    assembly = linkage.assembly()
    for state in np.ndindex(a.shape[:-1]):
        inputs = [_row(array, state, a.ndim - 1) for array in (q, v, tau, wrench)]
        where = f"state {state[0] if len(state) == 1 else state} of the batch: " if state else ""
        _one_state(linkage, assembly, inputs, a[state], loaded, where)


def _row(array: np.ndarray, state: tuple[int, ...], leading: int) -> np.ndarray:
    """The row of one state of an input that broadcasts over the batch."""
    own = array.shape[:-1]
    place = state[leading - len(own) :]
    return np.ascontiguousarray(array[tuple(0 if size == 1 else k for size, k in zip(own, place, strict=True))])


def _one_state(linkage, assembly, inputs, a, loaded, where):
    tree, (q, v, tau, wrench) = assembly.tree, inputs
    work, buffer, spare = tree.work(), *_buffer(assembly)
    if loaded:
        total = np.empty(tree.nv)
        loads = tree.table, q, v, tau, wrench, total, a
        outcome = call((OPEN, "loaded_kinematics"), tree.model, tree.index, work, *loads)
        tau = total
    else:
        outcome = call((OPEN, "kinematics"), tree.model, tree.index, work, 0, q, v, tau, a)
    if outcome == OK:
        blocks = Blocks(tree.model, tree.index, work, buffer, assembly.nodes, spare)
        outcome = _passes(assembly, blocks, SCRATCH_ROWS, ("upward", "downward"), (), (v, tau, a))
    tree.pool.append(work)
    assembly.pool.append(buffer)
    if outcome:
        raise problem(linkage, outcome, where)


def lay_out(assembly: Assembly) -> int:
    """Give every node its place in the buffer, once; rows in all."""
    if assembly.rows < 0:
        sizes = assembly.tree.index, assembly.nodes, 0, 0, SOLVE_ROWS
        assembly.rows = call(("assembly_tree.main_pass", "lay_out"), *sizes)
    return assembly.rows


def _buffer(assembly: Assembly, plan: LoopPlan | None = None) -> tuple[np.ndarray, int]:
    """An idle buffer for the records, those of the rows of loops too, and where the scratch of the threads begins."""
    rows = lay_out(assembly) + (plan.rows if plan else 0)
    size = rows + _scratch_rows(plan) * (thread_count() + 1)
    while assembly.pool:
        buffer = assembly.pool.pop()
        if len(buffer) >= size:
            return buffer, rows
    return new_buffer(size), rows


def _scratch_rows(plan: LoopPlan | None) -> int:
    """Rows of scratch per thread."""
    return SCRATCH_ROWS + (JOIN_ROWS * plan.most if plan else 0)


def new_buffer(rows: int) -> np.ndarray:
    """Zeros (rows, 1, 4) for records, no row of which straddles two cache lines."""
    memory = np.zeros(32 * rows + LINE, dtype=np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + 32 * rows].view(np.float64).reshape(rows, 1, 4)


def _passes(assembly, blocks: Blocks, scratch_rows: int, names: tuple[str, str], loops: tuple, results: tuple) -> int:
    """Leaves to root and back: whole subtrees first, shared out to threads, what is above them, then these again.

    `names` are the two kernels, which take the blocks, those of the loops if there are any, and where results go.
    """
    nodes, spare = blocks.nodes, blocks.scratch
    room = (len(blocks.buffer) - spare) // scratch_rows - 1  # for scratch: the number of threads may change meanwhile
    threads = min(thread_count(), room) if len(nodes) >= PARALLEL_FROM else 1
    if threads not in assembly.pieces:
        assembly.pieces[threads] = subtrees(nodes, threads) if threads > 1 else ([], [(0, len(nodes))])
    pieces, top = assembly.pieces[threads]
    upward, downward = ((CLOSED if loops else OPEN, name) for name in names)

    def up(pieces, scratch):
        own = blocks._replace(scratch=scratch)
        outcomes = (call(upward, own, *loops, *results, begin, end) for begin, end in pieces)
        return next(filter(None, outcomes), OK)

    def down(pieces, scratch):
        own = blocks._replace(scratch=scratch)
        return max((call(downward, own, *loops, *results, begin, end) for begin, end in reversed(pieces)), default=OK)

    idle = [spare + scratch_rows * (k + 1) for k in range(threads)]  # scratch

    def shared(step):
        outcomes = [OK]

        def one(piece):
            scratch = idle.pop()
            outcomes.append(step([piece], scratch))
            idle.append(scratch)

        each(one, pieces, len(nodes) // max(1, len(pieces)), most=threads)
        return max(outcomes)

    outcome = shared(up) or up(top, spare)
    if outcome:
        return outcome
    call((OPEN, "set_ground"), blocks)
    return max(down(top, spare), shared(down))


def closed_divide_conquer(
    linkage: Linkage, loops: Loops, work, loop_scratch, inputs, a
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of one state to `a`, loop joints and couplings included; the forces of their rows, and marks.

    `inputs` are q, v, the torques of tree and loop joints, and wrenches on bodies; the loops' states stay in
    `loop_scratch`.
    """
    assembly, tree, (q, v, tau, wrench) = linkage.assembly(), linkage.tree, inputs
    if loops.assembly_plan is None:
        loops.assembly_plan = LoopPlan(assembly, loops, lay_out(assembly))
    plan, total = loops.assembly_plan, np.empty(tree.nv)
    force, marks = np.zeros(loops.n_rows + plan.axes), np.zeros(loops.n_rows + plan.axes)
    buffer, spare = _buffer(assembly, plan)
    blocks = Blocks(tree.model, tree.index, work, buffer, assembly.nodes, spare)
    closed = LoopBlocks(plan.special, plan.net, loops.plan, loops.geometry, loop_scratch)
    forces = tree.table, q, v, tau[: tree.nv], wrench, tau[tree.nv :], total
    outcome = call((CLOSED, "closed_kinematics"), blocks, closed, *forces)
    if outcome == OK:
        names, results = ("closed_upward", "closed_downward"), (v, total, a, force, marks)
        outcome = _passes(assembly, blocks, _scratch_rows(plan), names, (closed,), results)
    assembly.pool.append(buffer)
    if outcome & 15 == SINGULAR and not plan.held:  # loops may still move a massless body
        loops.assembly_plan = LoopPlan(assembly, loops, lay_out(assembly), weak=tree.weak)
        return closed_divide_conquer(linkage, loops, work, loop_scratch, inputs, a)
    if outcome:
        raise problem(linkage, outcome)
    return force[: loops.n_rows], marks[: loops.n_rows]


def subtrees(nodes: np.ndarray, threads: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Cut an assembly tree up, for so many threads.

    Returns
    -------
    pieces : list of ranges of nodes
        Whole subtrees, the largest first.
    top : list of ranges
        The nodes above them, in post-order.
    """
    whole = len(nodes) - 1
    frontier, above = [(-len(nodes), whole)], []
    while len(frontier) < PIECES * threads:
        _, node = heapq.heappop(frontier)
        above.append(node)
        for child in nodes[node, [LEFT, RIGHT]].tolist():
            if child >= 0:
                heapq.heappush(frontier, (int(nodes[child, FIRST]) - child - 1, child))
    pieces = [(int(nodes[node, FIRST]), node + 1) for _, node in sorted(frontier)]
    return pieces, [(node, node + 1) for node in sorted(above)]

