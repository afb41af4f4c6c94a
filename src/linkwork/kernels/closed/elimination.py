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
from linkwork.kernels.algebra.vec3 import size as magnitude
from linkwork.kernels.closed.carried import carried_column, carry, carry_again, move_axes
from linkwork.kernels.closed.loops import RANK, made_of, row_bias, rows_on_bodies
from linkwork.kernels.closed.records import (
    basis_at,
    bias_at,
    carried_at,
    carried_force_at,
    carried_size_at,
    ends_here,
    loop_at,
    margin_at,
    mark_at,
    record_at,
    row_at,
    scale_at,
    size_at,
    slot_at,
    slots_of,
)
from linkwork.kernels.closed.row_places import covers, place_of, scale_row
from linkwork.kernels.layout import N_STAGES, OK
from linkwork.kernels.layout.loops import (
    COUPLING,
    P_BASIS,
    P_COLUMNS,
    P_LOOPS,
    P_ROWS,
    P_SPREAD,
    P_STEPS,
    R_BIAS,
    R_K,
    R_LEVER,
    R_SLOPE,
)
from linkwork.kernels.numba_ext import fabs, helper, inlined, load, scalar, store


class Axis(NamedTuple):
    """One axis of a joint, eliminated: degree of freedom d, its column of B, S, U, 1/D, its root, and x = D⁻¹ u.

    One whose acceleration is given has r = root = 0 and that for x; one that rows alone move r = x = 0 and root = 1.
    """

    d: int
    column: int
    S: Motion
    U: Wrench
    r: float
    root: float
    x: float


@helper
def clear_rows(loops):
    """Nothing in the slots and in B; no row is eliminated."""
    plan, scratch = loops.plan, loops.scratch
    for k in range(row_at(plan, 0, 0), record_at(plan, 0)):
        store(scratch, k, 0.0)
    for k in range(plan[P_BASIS], plan[P_STEPS]):
        store(scratch, k, 0.0)
    for r in range(plan[P_ROWS]):
        store(scratch, size_at(plan, r), 0.0)
        store(scratch, scale_at(plan, r), 0.0)
        store(scratch, mark_at(plan, r), 0.0)
    for c in range(plan[P_COLUMNS]):
        store(scratch, carried_at(plan, c), 0.0)
    margin = margin_at(plan)
    store(scratch, margin, 1.0)  # how far from singular,
    store(scratch, margin + 1, -1.0)  # and which loop


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
                store(scratch, b + r, load(h, loop.row + r))
            elif coupling:
                store(scratch, b + r, load(scratch, record_at(plan, number) + R_BIAS))
            else:
                store(scratch, b + r, row_bias(plan, scratch, number, r, False))


@helper
def note_carried(scratch, size_of, axis, made):
    """Of an axis that rows alone move, note what its products with rows are made of; packs have none such."""
    if scratch.ndim == 1:
        if axis.r == 0.0 and axis.root > 0.0:
            scratch[size_of] = max(scratch[size_of], made)


@helper
def pass_axis(loops, s, end, axis):
    """One axis of a joint eliminated from the rows of slots s … end − 1: B, K ← K − k D⁻¹ Uᵀ, b ← b − k D⁻¹ u."""
    plan, scratch = loops.plan, loops.scratch
    slide, turn = magnitude(axis.S.v), magnitude(axis.S.w)
    for number in range(s, end):
        slot = slot_at(plan, number)
        loop = loop_at(plan, slot.loop)
        b, size, made = bias_at(plan, loop.row), size_at(plan, loop.row), scale_at(plan, loop.row)
        at = row_at(plan, slot.at, 0)
        lever = load(scratch, record_at(plan, slot.loop) + R_LEVER)
        for j in range(loop.rows):
            K = load_wrench(scratch, at + 6 * j)
            k, m = power(axis.S, K), made_of(slide, turn, K, lever)
            if loop.kind == COUPLING:
                if axis.d == loop.dof_i:
                    k, m = k + 1.0, m + 1.0
                elif axis.d == loop.dof_j:
                    slope = load(scratch, record_at(plan, slot.loop) + R_SLOPE)
                    k, m = k - slope, m + fabs(slope)
            store(scratch, basis_at(plan, loop, j) + axis.column, axis.root * k)
            store(scratch, size + j, load(scratch, size + j) + axis.r * k * k)
            store(scratch, made + j, load(scratch, made + j) + axis.root * axis.root * m * m)
            store(scratch, b + j, load(scratch, b + j) - k * axis.x)
            note_carried(scratch, carried_size_at(plan, axis.column), axis, m)
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
            store(scratch, b + j, load(scratch, b + j) - power(c, K))
            add_wrench(scratch, above + 6 * j, wrench_to_parent(X, K))


@helper
def subtract_row(scratch, low, high, row, target):
    """Take off the target row what it has of a row whose B has length 1; return how much that was."""
    t = scalar(scratch, 0.0)
    for c in range(low, high):
        t += load(scratch, row.B + c) * load(scratch, target.B + c)
    for c in range(low, high):
        store(scratch, target.B + c, load(scratch, target.B + c) - t * load(scratch, row.B + c))
    for j in range(6):
        store(scratch, target.K + j, load(scratch, target.K + j) - t * load(scratch, row.K + j))
    store(scratch, target.b, load(scratch, target.b) - t * load(scratch, row.b))
    return t


@helper
def turns(plan, scratch, loop, kind, r):
    """Whether row r of a loop forbids a rotation, and no translation."""
    K = record_at(plan, loop) + R_K + 6 * r
    return kind != COUPLING and scratch[K] == 0.0 and scratch[K + 1] == 0.0 and scratch[K + 2] == 0.0


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
def longest_row(plan, scratch, loop):
    """The row not yet eliminated, nor redundant, whose B is longest, or −1; and its squared length."""
    mark, made = mark_at(plan, loop.row), scale_at(plan, loop.row)
    pivot, size = -1, 0.0
    for r in range(loop.rows):
        if scratch[mark + r] == 0.0:
            B, norm = basis_at(plan, loop, r), 0.0
            for c in range(loop.low, loop.high):
                norm += scratch[B + c] * scratch[B + c]
            if norm > size and norm > RANK * RANK * scratch[made + r]:
                pivot, size = r, norm
    return pivot, size


@helper
def eliminate(loops, s, end, A, p):
    """Eliminate the rows of slot s at its stage, whose slots end at `end`; return its inertia and bias wrench.

    Gram–Schmidt with pivoting: a row that is eliminated gets length 1 and is taken off all others, of this loop and of
    those that share columns with it. Then IA += Kᵀ K and pA −= Kᵀ b. Axes without inertia come first: `carry`.
    """
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    mark, margin_place = mark_at(plan, loop.row), margin_at(plan)
    linear, angular = largest_rows(plan, scratch, slot.loop, loop)
    p, taken = carry(loops, s, end, p)
    step = plan[P_STEPS] + loop.steps + taken * (2 + loop.rows + loop.beside)
    for _ in range(loop.rows - taken):
        pivot, size = longest_row(plan, scratch, loop)
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
        scale_row(scratch, loop.low, loop.high, row, 1.0 / length)
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
def eliminate_again(loops, s, end, p):
    """What `eliminate` did to b and p, done to others: T b by the steps that were kept, less B D^(−½) u.

    The columns hold D^(−½) u.
    """
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    b, mark, step, spread = bias_at(plan, loop.row), mark_at(plan, loop.row), plan[P_STEPS] + loop.steps, plan[P_SPREAD]
    for _ in range(loop.rows):
        pivot = int(scratch[step])
        if pivot < 0:
            break
        x = scratch[b + pivot] / scratch[step + 1]
        scratch[b + pivot] = x
        step += 2
        for r in range(loop.rows):
            scratch[b + r] -= scratch[step] * x
            step += 1
        for other_slot in range(s + 1, end):
            other = loop_at(plan, slot_at(plan, other_slot).loop)
            if covers(other, loop):
                for r in range(other.rows):
                    scratch[bias_at(plan, other.row + r)] -= scratch[step] * x
                    step += 1
    p = carry_again(plan, scratch, slot, p)
    for r in range(loop.rows):
        if scratch[mark + r] != 0.0 and carried_column(plan, scratch, loop.row + r) < 0:
            x, B = scratch[b + r], basis_at(plan, loop, r)
            for c in range(loop.low, loop.high):
                x -= scratch[B + c] * scratch[spread + c]
            scratch[b + r] = x
            K = load_wrench(scratch, row_at(plan, slot.at, r))
            p = Wrench(add(p.f, scale(-x, K.f)), add(p.n, scale(-x, K.n)))
    return p


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
                carried = carried_column(plan, scratch, loop.row + r)
                if carried >= 0:
                    x = -scratch[carried_force_at(plan, carried)]  # 0 = u + kᵀ λ
                force[loop.row + r] = x
                B = basis_at(plan, loop, r)
                for c in range(loop.low, loop.high):
                    scratch[spread + c] += x * scratch[B + c]
        move_axes(plan, scratch, slot, rank, a)
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
