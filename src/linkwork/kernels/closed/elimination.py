"""Elimination of the rows of loops at the stage where their two sides meet; see `linkwork.kernels.embedding`.

Symbols: B the square root of the matrix of the rows with each other, a column k D^(−1/2) a degree of freedom; K, b the
rows and their right-hand sides; μ the forces of the rows as eliminated, λ those of the rows as they were.
"""

import math

from linkwork.kernels.algebra.spatial import Wrench, articulated_minus, power
from linkwork.kernels.algebra.storage import load_wrench
from linkwork.kernels.algebra.vec3 import add, scale
from linkwork.kernels.closed.loops import loop_row, record_at
from linkwork.kernels.layout import N_STAGES, OK
from linkwork.kernels.layout.loops import (
    COUPLING,
    L_BASIS,
    L_BESIDE,
    L_HIGH,
    L_KIND,
    L_LOW,
    L_ROW,
    L_ROWS,
    L_STEP,
    P_BASIS,
    P_NUMBERS,
    P_ROWS,
    P_ROWS_AT,
    P_SLOT,
    P_SLOT_START,
    P_SPREAD,
    P_STEPS,
    R_K,
    S_AT,
    S_LOOP,
    S_NEXT,
    SLOT,
)
from linkwork.kernels.numba_ext import helper

RANK = 1e-9  # a row is redundant when less than this of it is left, beside the loop's largest row


@helper
def basis_row(plan, row, r):
    """Where row r of a loop has its entry of column 0, were it as wide as all columns."""
    low = plan[row + L_LOW]
    return plan[P_BASIS] + plan[row + L_BASIS] + r * (plan[row + L_HIGH] - low) - low


@helper
def subtract_row(plan, bench, low, high, source, at, b, target, target_at, target_b):
    """Take off the target row what it has of the source row, whose B is of length 1; return how much it was."""
    t = 0.0
    for c in range(low, high):
        t += bench[source + c] * bench[target + c]
    for c in range(low, high):
        bench[target + c] -= t * bench[source + c]
    for j in range(6):
        bench[target_at + j] -= t * bench[at + j]
    bench[target_b] -= t * bench[b]
    return t


@helper
def turns(plan, bench, slot, r):
    """Whether row r of a slot's loop forbids a rotation, and no translation."""
    k = record_at(plan, plan[slot + S_LOOP]) + R_K + 6 * r
    coupling = plan[loop_row(plan, plan[slot + S_LOOP]) + L_KIND] == COUPLING
    return not coupling and bench[k] == 0.0 and bench[k + 1] == 0.0 and bench[k + 2] == 0.0


@helper
def covers(plan, other, row):
    """Whether the columns of another loop hold those of this one; if not, they have none in common."""
    return plan[other + L_LOW] <= plan[row + L_LOW] and plan[other + L_HIGH] >= plan[row + L_HIGH]


@helper
def eliminate(plan, bench, s, end, A, p):
    """Eliminate the rows of slot s at its stage, whose slots end at `end`; return its inertia and bias wrench."""
    rows_at, b, n_rows = plan[P_ROWS_AT], plan[P_NUMBERS], plan[P_ROWS]
    slot = plan[P_SLOT] + SLOT * s
    row = loop_row(plan, plan[slot + S_LOOP])
    m, first, low, high = plan[row + L_ROWS], plan[row + L_ROW], plan[row + L_LOW], plan[row + L_HIGH]
    at = rows_at + plan[slot + S_AT]
    step = plan[P_STEPS] + plan[row + L_STEP]
    linear, angular = 0.0, 0.0  # the largest rows, squared, that forbid a translation and a rotation
    for r in range(m):
        if turns(plan, bench, slot, r):
            angular = max(angular, bench[b + n_rows + first + r])
        else:
            linear = max(linear, bench[b + n_rows + first + r])
    limit = RANK * RANK * max(linear, angular)
    for _ in range(m):
        pivot, size = -1, limit
        for r in range(m):
            if bench[b + 2 * n_rows + first + r] == 0.0:
                source, norm = basis_row(plan, row, r), 0.0
                for c in range(low, high):
                    norm += bench[source + c] * bench[source + c]
                if norm > size:
                    pivot, size = r, norm
        bench[step] = pivot
        if pivot < 0:
            break
        bench[b + 2 * n_rows + first + pivot] = 1.0
        length = math.sqrt(size)
        margin = length / math.sqrt(angular if turns(plan, bench, slot, pivot) else linear)
        if margin < bench[b + 3 * n_rows]:
            bench[b + 3 * n_rows], bench[b + 3 * n_rows + 1] = margin, plan[slot + S_LOOP]
        bench[step + 1] = length
        step += 2
        scaled = 1.0 / length
        source, source_at, source_b = basis_row(plan, row, pivot), at + 6 * pivot, b + first + pivot
        for c in range(low, high):
            bench[source + c] *= scaled
        for j in range(6):
            bench[source_at + j] *= scaled
        bench[source_b] *= scaled
        for r in range(m):
            t = 0.0
            if bench[b + 2 * n_rows + first + r] == 0.0:
                t = subtract_row(
                    plan,
                    bench,
                    low,
                    high,
                    source,
                    source_at,
                    source_b,
                    basis_row(plan, row, r),
                    at + 6 * r,
                    b + first + r,
                )
            bench[step] = t
            step += 1
        for other in range(s + 1, end):
            there = plan[P_SLOT] + SLOT * other
            other_row = loop_row(plan, plan[there + S_LOOP])
            if not covers(plan, other_row, row):
                continue
            for r in range(plan[other_row + L_ROWS]):
                bench[step] = subtract_row(
                    plan, bench, low, high, source, source_at, source_b, basis_row(plan, other_row, r),
                    rows_at + plan[there + S_AT] + 6 * r, b + plan[other_row + L_ROW] + r,
                )  # fmt: skip
                step += 1
        K = load_wrench(bench, source_at)
        A = articulated_minus(A, K, -1.0)
        x = -bench[source_b]
        p = Wrench(add(p.f, scale(x, K.f)), add(p.n, scale(x, K.n)))
    return A, p


@helper
def close_here(plan, bench, s, end, a, force, left):
    """The forces of the loops that were eliminated at a stage, now that its acceleration a is known.

    Writes λ of the rows to `force`, what redundant rows leave unmet to `left`, and Bᵀ μ to the columns.
    """
    rows_at, b, n_rows, spread = plan[P_ROWS_AT], plan[P_NUMBERS], plan[P_ROWS], plan[P_SPREAD]
    ending = s
    while ending < end and plan[plan[P_SLOT] + SLOT * ending + S_NEXT] < 0:
        ending += 1
    for slot in range(ending - 1, s - 1, -1):
        k = plan[P_SLOT] + SLOT * slot
        row = loop_row(plan, plan[k + S_LOOP])
        m, first, low, high = plan[row + L_ROWS], plan[row + L_ROW], plan[row + L_LOW], plan[row + L_HIGH]
        rank = 0
        for r in range(m):
            x = bench[b + first + r] - power(a, load_wrench(bench, rows_at + plan[k + S_AT] + 6 * r))
            left[first + r] = x
            force[first + r] = 0.0
            if bench[b + 2 * n_rows + first + r] != 0.0:
                rank += 1
                left[first + r] = 0.0
                force[first + r] = x
                source = basis_row(plan, row, r)
                for c in range(low, high):
                    bench[spread + c] += x * bench[source + c]
        undo_slot(plan, bench, slot, end, rank, force)


@helper
def undo_slot(plan, bench, slot, end, rank, force):
    """Back to the rows as they were: (new rows) = T (old rows), so λ = Tᵀ μ, the operations in reverse."""
    row = loop_row(plan, plan[plan[P_SLOT] + SLOT * slot + S_LOOP])
    m, first, beside = plan[row + L_ROWS], plan[row + L_ROW], plan[row + L_BESIDE]
    for t in range(rank - 1, -1, -1):
        step = plan[P_STEPS] + plan[row + L_STEP] + t * (2 + m + beside)
        pivot, length = first + int(bench[step]), bench[step + 1]
        x = force[pivot]
        at = step + 2
        for r in range(m):
            x -= bench[at] * force[first + r]
            at += 1
        for other in range(slot + 1, end):
            other_row = loop_row(plan, plan[plan[P_SLOT] + SLOT * other + S_LOOP])
            if not covers(plan, other_row, row):
                continue
            for r in range(plan[other_row + L_ROWS]):
                x -= bench[at] * force[plan[other_row + L_ROW] + r]
                at += 1
        force[pivot] = x / length


@helper
def undo(index, plan, bench, force):
    """Turn forces of the rows as eliminated into forces of the rows as they were, for all loops."""
    n = index[N_STAGES]
    b, n_rows = plan[P_NUMBERS], plan[P_ROWS]
    for k in range(n + 1):
        i = n if k == 0 else k - 1
        s, end = plan[plan[P_SLOT_START] + i], plan[plan[P_SLOT_START] + i + 1]
        for slot in range(end - 1, s - 1, -1):
            if plan[plan[P_SLOT] + SLOT * slot + S_NEXT] >= 0:
                continue
            row = loop_row(plan, plan[plan[P_SLOT] + SLOT * slot + S_LOOP])
            rank = 0
            for r in range(plan[row + L_ROW], plan[row + L_ROW] + plan[row + L_ROWS]):
                rank += int(bench[b + 2 * n_rows + r])
            undo_slot(plan, bench, slot, end, rank, force)
    return OK
