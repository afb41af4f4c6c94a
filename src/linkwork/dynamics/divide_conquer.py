"""Divide and conquer on the assembly tree: whole subtrees a thread."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from linkwork.errors import LinkworkError, SingularError, StructureError
from linkwork.kernels.launch import bind, call
from linkwork.kernels.layout import OK, SINGULAR
from linkwork.kernels.threads import each, thread_count
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly, weak_stages
from linkwork.linkage.packing.launch import problem
from linkwork.linkage.packing.pack_loops import Loops
from linkwork.linkage.packing.plan_loops import Meeting

HOME, CLOSED_HOME = "assembly_tree.divide_conquer", "assembly_tree.closed_divide_conquer"  # of the kernels
PARALLEL_FROM = 2000  # nodes from which on they are shared out to threads
LINE = 64  # bytes
PIECES = 12  # subtrees a thread: enough for all to end together, few enough for a short top


def divide_conquer(linkage: Linkage, tree, q, v, tau, wrench, a, loaded: bool) -> None:
    """Write the accelerations of every state to `a`, loop joints left out; see `linkwork.forward_dynamics`."""
    _refuse_contacts(linkage)
    assembly = linkage.assembly()
    for state in np.ndindex(a.shape[:-1]):
        inputs = [_row(array, state, a.ndim - 1) for array in (q, v, tau, wrench)]
        where = f"state {state[0] if len(state) == 1 else state} of the batch: " if state else ""
        _one_state(linkage, assembly, inputs, a[state], loaded, where)


def _refuse_contacts(linkage: Linkage) -> None:
    if len(linkage.contacts):
        raise StructureError(
            f"linkage {linkage.name!r} has contacts: method \"dca\" does not take them; use method=\"auto\""
        )


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
        outcome = call(
            (HOME, "loaded_kinematics"), tree.model, tree.index, work, tree.table, q, v, tau, wrench, total, a
        )
        tau = total
    else:
        outcome = call((HOME, "kinematics"), tree.model, tree.index, work, 0, q, v, tau, a)
    if outcome == OK:
        outcome = _passes(assembly, work, buffer, spare, v, tau, a)
    tree.pool.append(work)
    assembly.pool.append(buffer)
    if outcome:
        raise _problem(linkage, outcome, where)


def lay_out(assembly: Assembly) -> int:
    """Give every node its place in the buffer, once; rows in all."""
    from linkwork.kernels.assembly_tree.parts import SOLVE_ROWS

    if assembly.rows < 0:
        sizes = assembly.tree.index, assembly.nodes, 0, 0, SOLVE_ROWS
        assembly.rows = call(("assembly_tree.parts", "lay_out"), *sizes)
    return assembly.rows


def _buffer(assembly: Assembly, meeting: Meeting | None = None) -> tuple[np.ndarray, int]:
    """An idle buffer for the records, those of the rows of loops too, and where the scratch of the threads begins."""
    rows = lay_out(assembly) + (meeting.rows if meeting else 0)
    size = rows + _scratch_rows(meeting) * (thread_count() + 1)
    while assembly.pool:
        buffer = assembly.pool.pop()
        if len(buffer) >= size:
            return buffer, rows
    return new_buffer(size), rows


def _scratch_rows(meeting: Meeting | None) -> int:
    """Rows of scratch a thread."""
    from linkwork.kernels.assembly_tree.parts import SCRATCH_ROWS

    if meeting is None:
        return SCRATCH_ROWS
    from linkwork.kernels.assembly_tree.rows import JOIN_ROWS

    return SCRATCH_ROWS + JOIN_ROWS * meeting.most


def new_buffer(rows: int) -> np.ndarray:
    """Zeros (rows, 1, 4) for records, no row of which straddles two cache lines."""
    memory = np.zeros(32 * rows + LINE, dtype=np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + 32 * rows].view(np.float64).reshape(rows, 1, 4)


class Rows(NamedTuple):
    """What the passes need of the rows of loops."""

    meeting: Meeting
    loops: Loops
    bench: np.ndarray  # scratch space of the loops, with their states
    force: np.ndarray  # (n_rows + axes,) receives the forces
    marks: np.ndarray  # (n_rows + axes,) receives 0 for redundant rows, 1 for others


def _passes(assembly, work, buffer, spare, v, tau, a, rows: Rows | None = None):
    """Leaves to root and back: whole subtrees first, shared out to threads, what is above them, then these again."""
    tree, nodes = assembly.tree, assembly.nodes
    scratch_rows = _scratch_rows(rows.meeting if rows else None)
    room = (len(buffer) - spare) // scratch_rows - 1  # for scratch: others may set the number of threads meanwhile
    threads = min(thread_count(), room) if len(nodes) >= PARALLEL_FROM else 1
    if threads not in assembly.pieces:
        assembly.pieces[threads] = subtrees(nodes, threads) if threads > 1 else ([], [(0, len(nodes))])
    pieces, top = assembly.pieces[threads]
    blocks, results = (tree.model, tree.index, work, buffer, nodes), (v, tau, a)
    if rows is None:
        home, names = HOME, ("upward", "downward")
    else:
        home, names = CLOSED_HOME, ("closed_upward", "closed_downward")
        blocks += (rows.meeting.special, rows.meeting.net, rows.loops.plan, rows.loops.geometry, rows.bench)
        results += (rows.force, rows.marks)
    upward, downward = (bind((home, name), *blocks, 0, *results, 0, 0) for name in names)

    def up(pieces, scratch):
        outcomes = (upward(*blocks, scratch, *results, begin, end) for begin, end in pieces)
        return next(filter(None, outcomes), OK)

    def down(pieces, scratch):
        return max((downward(*blocks, scratch, *results, begin, end) for begin, end in reversed(pieces)), default=OK)

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
    call((HOME, "set_ground"), tree.model, buffer, nodes)
    return max(down(top, spare), shared(down))


def closed_divide_conquer(linkage: Linkage, loops: Loops, work, bench, inputs, a) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of one state to `a`, loop joints and couplings included; the forces of their rows, and marks.

    `inputs` are q, v, the torques of tree and loop joints, and wrenches on bodies; loops' states stay in `bench`.
    """
    _refuse_contacts(linkage)
    assembly, tree, (q, v, tau, wrench) = linkage.assembly(), linkage.tree, inputs
    if loops.meeting is None:
        loops.meeting = Meeting(assembly, loops, lay_out(assembly))
    meeting, total = loops.meeting, np.empty(tree.nv)
    force, marks = np.zeros(loops.n_rows + meeting.axes), np.zeros(loops.n_rows + meeting.axes)
    outcome = call(
        (CLOSED_HOME, "closed_kinematics"), tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, bench,
        q, v, tau[: tree.nv], wrench, tau[tree.nv :], total,
    )  # fmt: skip
    if outcome == OK:
        buffer, spare = _buffer(assembly, meeting)
        outcome = _passes(assembly, work, buffer, spare, v, total, a, Rows(meeting, loops, bench, force, marks))
        assembly.pool.append(buffer)
    if outcome & 15 == SINGULAR and not meeting.held:  # loops may still move a massless body
        loops.meeting = Meeting(assembly, loops, lay_out(assembly), weak=weak_stages(tree))
        return closed_divide_conquer(linkage, loops, work, bench, inputs, a)
    if outcome:
        raise _problem(linkage, outcome, "")
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
    from linkwork.kernels.assembly_tree.assembly import FIRST, LEFT, RIGHT

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


def _problem(linkage: Linkage, outcome: int, where: str) -> LinkworkError:
    if outcome & 15 != SINGULAR:
        return problem(linkage, outcome, where)
    body = linkage.tree.body_at(outcome >> 4)
    held = ", and no loop moves it" if linkage.tree.closed else ""
    return SingularError(
        f"{where}method \"dca\" needs inertia along every joint: body {linkage.columns.body_names[body]!r} has none "
        f"along joint {linkage.columns.joint_names[body]!r}, nor has what it carries{held}; give it some, give the "
        "joint armature, or use method=\"aba\""
    )
