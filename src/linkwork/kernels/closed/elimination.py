"""The rows of loops on their way to the root, and their elimination where the two sides of a loop meet.

What happens to them, and why, is told in `linkwork.kernels.closed.embedding`.

Symbols: B the square root of the matrix of the rows with each other, one column k D^(−1/2) per degree of freedom; K, b
the rows and their right-hand sides; μ the forces of the rows as eliminated, λ those of the rows as they were; m the
number of a loop's rows.

The steps of an elimination are kept for the way back: for each row that was eliminated, which one, its length, and what
was taken off every other row.
"""

import math
from typing import NamedTuple

from linkwork.kernels.algebra.spatial import Motion, Wrench, articulated_minus, power, wrench_to_parent
from linkwork.kernels.algebra.storage import add_wrench, load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import add, scale
from linkwork.kernels.closed.loops import row_bias, rows_on_bodies
from linkwork.kernels.closed.records import (
    basis_at,
    bias_at,
    ends_here,
    geometry_at,
    loop_at,
    margin_at,
    mark_at,
    record_at,
    row_at,
    size_at,
    slot_at,
    slots_of,
)
from linkwork.kernels.layout import N_STAGES, OK
from linkwork.kernels.layout.loops import COUPLING, G_RATIO, P_BASIS, P_LOOPS, P_ROWS, P_SPREAD, P_STEPS, R_K
from linkwork.kernels.numba_ext import helper, inlined

RANK = 1e-9  # a row is redundant when less than this of it is left, beside the loop's largest row


class RowPlace(NamedTuple):
    """Where in the scratch space a row has its part of B (were that as wide as all columns), its K and its b."""

    B: int
    K: int
    b: int


class Axis(NamedTuple):
    """One axis of a joint, eliminated: degree of freedom d, its column of B, S, U, 1/D, its root, u."""

    d: int
    column: int
    S: Motion
    U: Wrench
    r: float
    root: float
    u: float


@inlined
def place_of(plan, loop, at, r):
    """The place of row r of a loop whose rows are at `at`."""
    return RowPlace(basis_at(plan, loop, r), row_at(plan, at, r), bias_at(plan, loop.row + r))


@helper
def clear_rows(loops):
    """Nothing in the slots and in B; no row is eliminated."""
    plan, scratch = loops.plan, loops.scratch
    for k in range(row_at(plan, 0, 0), record_at(plan, 0)):
        scratch[k] = 0.0
    for k in range(plan[P_BASIS], plan[P_STEPS]):
        scratch[k] = 0.0
    for r in range(plan[P_ROWS]):
        scratch[size_at(plan, r)] = 0.0
        scratch[mark_at(plan, r)] = 0.0
    margin = margin_at(plan)
    scratch[margin], scratch[margin + 1] = 1.0, -1.0  # how far from singular, and which loop


@helper
def write_rows(loops, dynamic, h):
    """Put the rows of every loop at its two bodies, and their right-hand sides: K (V_b × V + Ṡθ̇), or h."""
    plan, scratch = loops.plan, loops.scratch
    clear_rows(loops)
    for number in range(plan[P_LOOPS]):
        loop = loop_at(plan, number)
        b = bias_at(plan, loop.row)
        coupling = loop.kind == COUPLING
        for r in range(loop.rows):
            if not coupling:
                wb, wa = rows_on_bodies(loops, number, r, False)
                add_wrench(scratch, row_at(plan, loop.at_b, r), wb)
                add_wrench(scratch, row_at(plan, loop.at_a, r), wa)
            if not dynamic:
                scratch[b + r] = h[loop.row + r]
            elif coupling:
                scratch[b + r] = 0.0
            else:
                scratch[b + r] = row_bias(plan, scratch, number, r, False)


@helper
def pass_axis(loops, s, end, axis):
    """One axis of a joint eliminated from the rows of slots s … end − 1: B, K ← K − k D⁻¹ Uᵀ, b ← b − k D⁻¹ u."""
    plan, geometry, scratch = loops
    for number in range(s, end):
        slot = slot_at(plan, number)
        loop = loop_at(plan, slot.loop)
        b, size, at = bias_at(plan, loop.row), size_at(plan, loop.row), row_at(plan, slot.at, 0)
        for j in range(loop.rows):
            K = load_wrench(scratch, at + 6 * j)
            k = power(axis.S, K)
            if loop.kind == COUPLING:
                if axis.d == loop.dof_i:
                    k += 1.0
                elif axis.d == loop.dof_j:
                    k -= geometry[geometry_at(slot.loop) + G_RATIO]
            scratch[basis_at(plan, loop, j) + axis.column] = axis.root * k
            scratch[size + j] += axis.r * k * k
            scratch[b + j] -= axis.r * k * axis.u
            x = -axis.r * k
            store_wrench(scratch, at + 6 * j, Wrench(add(K.f, scale(x, axis.U.f)), add(K.n, scale(x, axis.U.n))))


@helper
def pass_rows(loops, s, end, X, c):
    """Hand the rows of slots s … end − 1 up to the parent: K ← K X, b ← b − K c."""
    plan, scratch = loops.plan, loops.scratch
    for number in range(s, end):
        slot = slot_at(plan, number)
        loop = loop_at(plan, slot.loop)
        b, here, above = bias_at(plan, loop.row), row_at(plan, slot.at, 0), row_at(plan, slot.next, 0)
        for j in range(loop.rows):
            K = load_wrench(scratch, here + 6 * j)
            scratch[b + j] -= power(c, K)
            add_wrench(scratch, above + 6 * j, wrench_to_parent(X, K))


@inlined
def normalize(scratch, low, high, row, length):
    """Divide a row by the length of its B."""
    scaled = 1.0 / length
    for c in range(low, high):
        scratch[row.B + c] *= scaled
    for j in range(6):
        scratch[row.K + j] *= scaled
    scratch[row.b] *= scaled


@helper
def subtract_row(scratch, low, high, row, target):
    """Take off the target row what it has of a row whose B has length 1; return how much that was."""
    t = 0.0
    for c in range(low, high):
        t += scratch[row.B + c] * scratch[target.B + c]
    for c in range(low, high):
        scratch[target.B + c] -= t * scratch[row.B + c]
    for j in range(6):
        scratch[target.K + j] -= t * scratch[row.K + j]
    scratch[target.b] -= t * scratch[row.b]
    return t


@helper
def turns(plan, scratch, loop, kind, r):
    """Whether row r of a loop forbids a rotation, and no translation."""
    K = record_at(plan, loop) + R_K + 6 * r
    return kind != COUPLING and scratch[K] == 0.0 and scratch[K + 1] == 0.0 and scratch[K + 2] == 0.0


@inlined
def covers(other, loop):
    """Whether the columns of another loop hold those of this one; if not, they have none in common."""
    return other.low <= loop.low and other.high >= loop.high


@inlined
def largest_rows(plan, scratch, number, loop):
    """The largest squared lengths of a loop's rows that forbid a translation, and of those that forbid a rotation."""
    size = size_at(plan, loop.row)
    linear, angular = 0.0, 0.0
    for r in range(loop.rows):
        if turns(plan, scratch, number, loop.kind, r):
            angular = max(angular, scratch[size + r])
        else:
            linear = max(linear, scratch[size + r])
    return linear, angular


@inlined
def longest_row(plan, scratch, loop, least):
    """The row not yet eliminated whose B is longest, if it is longer than `least`, or −1; and its squared length."""
    mark = mark_at(plan, loop.row)
    pivot, size = -1, least
    for r in range(loop.rows):
        if scratch[mark + r] == 0.0:
            B, norm = basis_at(plan, loop, r), 0.0
            for c in range(loop.low, loop.high):
                norm += scratch[B + c] * scratch[B + c]
            if norm > size:
                pivot, size = r, norm
    return pivot, size


@helper
def eliminate(loops, s, end, A, p):
    """Eliminate the rows of slot s at its stage, whose slots end at `end`; return its inertia and bias wrench.

    Gram–Schmidt with pivoting: a row that is eliminated gets length 1 and is taken off all others, of this loop and of
    those that share columns with it. Then IA += Kᵀ K and pA −= Kᵀ b.
    """
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    mark, margin_place = mark_at(plan, loop.row), margin_at(plan)
    step = plan[P_STEPS] + loop.steps
    linear, angular = largest_rows(plan, scratch, slot.loop, loop)
    least = RANK * RANK * max(linear, angular)
    for _ in range(loop.rows):
        pivot, size = longest_row(plan, scratch, loop, least)
        scratch[step] = pivot
        if pivot < 0:
            break
        scratch[mark + pivot] = 1.0
        length = math.sqrt(size)
        margin = length / math.sqrt(angular if turns(plan, scratch, slot.loop, loop.kind, pivot) else linear)
        if margin < scratch[margin_place]:
            scratch[margin_place], scratch[margin_place + 1] = margin, slot.loop
        scratch[step + 1] = length
        step += 2
        row = place_of(plan, loop, slot.at, pivot)
        normalize(scratch, loop.low, loop.high, row, length)
        for r in range(loop.rows):
            t = 0.0
            if scratch[mark + r] == 0.0:
                t = subtract_row(scratch, loop.low, loop.high, row, place_of(plan, loop, slot.at, r))
            scratch[step] = t
            step += 1
        for other_slot in range(s + 1, end):
            beside = slot_at(plan, other_slot)
            other = loop_at(plan, beside.loop)
            if not covers(other, loop):
                continue
            for r in range(other.rows):
                target = place_of(plan, other, beside.at, r)
                scratch[step] = subtract_row(scratch, loop.low, loop.high, row, target)
                step += 1
        K = load_wrench(scratch, row.K)
        A = articulated_minus(A, K, -1.0)
        x = -scratch[row.b]
        p = Wrench(add(p.f, scale(x, K.f)), add(p.n, scale(x, K.n)))
    return A, p


@helper
def close_here(loops, s, end, a, force, left):
    """The forces of the loops that were eliminated at a stage, now that its acceleration a is known: μ = b − K a.

    Writes λ of the rows to `force`, what redundant rows leave unmet to `left`, and Bᵀ μ to the columns.
    """
    plan, scratch = loops.plan, loops.scratch
    spread = plan[P_SPREAD]
    ending = s
    while ending < end and ends_here(plan, ending):
        ending += 1
    for k in range(ending - 1, s - 1, -1):
        slot = slot_at(plan, k)
        loop = loop_at(plan, slot.loop)
        b, mark, K = bias_at(plan, loop.row), mark_at(plan, loop.row), row_at(plan, slot.at, 0)
        rank = 0
        for r in range(loop.rows):
            x = scratch[b + r] - power(a, load_wrench(scratch, K + 6 * r))
            left[loop.row + r] = x
            force[loop.row + r] = 0.0
            if scratch[mark + r] != 0.0:
                rank += 1
                left[loop.row + r] = 0.0
                force[loop.row + r] = x
                B = basis_at(plan, loop, r)
                for c in range(loop.low, loop.high):
                    scratch[spread + c] += x * scratch[B + c]
        undo_slot(plan, scratch, k, end, rank, force)


@helper
def undo_slot(plan, scratch, s, end, rank, force):
    """Back to the rows as they were: (new rows) = T (old rows), so λ = Tᵀ μ, the operations in reverse."""
    loop = loop_at(plan, slot_at(plan, s).loop)
    for t in range(rank - 1, -1, -1):
        step = plan[P_STEPS] + loop.steps + t * (2 + loop.rows + loop.beside)
        pivot, length = loop.row + int(scratch[step]), scratch[step + 1]
        x = force[pivot]
        at = step + 2
        for r in range(loop.rows):
            x -= scratch[at] * force[loop.row + r]
            at += 1
        for other_slot in range(s + 1, end):
            other = loop_at(plan, slot_at(plan, other_slot).loop)
            if not covers(other, loop):
                continue
            for r in range(other.rows):
                x -= scratch[at] * force[other.row + r]
                at += 1
        force[pivot] = x / length


@helper
def undo(index, plan, scratch, force):
    """Turn forces of the rows as eliminated into forces of the rows as they were, for all loops."""
    n = index[N_STAGES]
    for k in range(n + 1):
        begin, end = slots_of(plan, n if k == 0 else k - 1)
        for s in range(end - 1, begin - 1, -1):
            if not ends_here(plan, s):
                continue
            loop = loop_at(plan, slot_at(plan, s).loop)
            mark, rank = mark_at(plan, loop.row), 0
            for r in range(loop.rows):
                rank += int(scratch[mark + r])
            undo_slot(plan, scratch, s, end, rank, force)
    return OK
