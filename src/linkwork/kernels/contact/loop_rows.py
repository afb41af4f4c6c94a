"""Rows of loops in what forces on bodies do: see `delassus`.

An axis without inertia (see `kernels.closed.carried`) hands what it bears, u = y, to the row that was taken for it. The
force −u of that row acts on the other axes and on the body where its loop closes, and nothing more is left of either:

    y ← y − u B_t,    p ← p − K_tᵀ u,    then β = B y of the other rows

So G has no part of such rows; Y and Z keep u in their place.
"""

from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import load_wrench
from linkwork.kernels.algebra.vec3 import scale, sub
from linkwork.kernels.closed.carried import carried_column, taken_row
from linkwork.kernels.closed.elimination import undo
from linkwork.kernels.closed.records import (
    axis_record_at,
    basis_at,
    bias_at,
    carried_force_at,
    ends_here,
    loop_at,
    mark_at,
    row_at,
    slot_at,
    slots_of,
)
from linkwork.kernels.joints import axes_of
from linkwork.kernels.layout import N_STAGES, N_V, N_WEAK
from linkwork.kernels.layout.loops import A_FORCE, A_ROOT, P_COLUMN, P_LOOPS, P_ROWS
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import stage_at


@helper
def along_row(index, plan, scratch, loop, r, y):
    """B y of row r of a loop."""
    B, total = basis_at(plan, loop, r), 0.0
    for stage in range(index[N_STAGES]):
        column = plan[plan[P_COLUMN] + stage]
        if loop.low <= column < loop.high:
            _, kind, _, d = stage_at(index, stage)
            for j in range(axes_of(kind)):
                total += scratch[B + column + j] * y[d + j]
    return total


@helper
def degree_of(index, plan, column):
    """The degree of freedom that a column belongs to."""
    stage = 0
    while not 0 <= column - plan[plan[P_COLUMN] + stage] < axes_of(stage_at(index, stage)[1]):
        stage += 1
    return stage_at(index, stage)[3] + column - plan[plan[P_COLUMN] + stage]


@helper
def take_over(index, plan, scratch, loop, r, carried, y):
    """u, which row r was taken to bear for the axis of a column; y ← y − u B of this row."""
    B, degree = basis_at(plan, loop, r), degree_of(index, plan, carried)
    u = y[degree]
    for stage in range(index[N_STAGES]):
        column = plan[plan[P_COLUMN] + stage]
        if loop.low <= column < loop.high:
            _, kind, _, d = stage_at(index, stage)
            for j in range(axes_of(kind)):
                y[d + j] -= u * scratch[B + column + j]
    y[degree] = 0.0  # not what rounding leaves
    return u


@helper
def less(p, x, K):
    """p − x K."""
    return Wrench(sub(p.f, scale(x, K.f)), sub(p.n, scale(x, K.n)))


@helper
def close_rows(index, loops, i, nv, y, p):
    """β of the loops that are eliminated at stage i, written behind the nv axes in y; p with what they hand up."""
    plan, scratch = loops.plan, loops.scratch
    s, end = slots_of(plan, i)
    while s < end and ends_here(plan, s):
        slot = slot_at(plan, s)
        loop = loop_at(plan, slot.loop)
        t = 0
        while index[N_WEAK] > 0 and taken_row(plan, scratch, loop, t) >= 0:
            number = taken_row(plan, scratch, loop, t)
            r = number - loop.row
            u = take_over(index, plan, scratch, loop, r, carried_column(plan, scratch, number), y)
            y[nv + number] = u
            p = less(p, u, load_wrench(scratch, row_at(plan, slot.at, r)))
            t += 1
        for r in range(loop.rows):
            if scratch[mark_at(plan, loop.row + r)] != 0.0 and carried_column(plan, scratch, loop.row + r) < 0:
                beta = along_row(index, plan, scratch, loop, r, y)
                y[nv + loop.row + r] = beta
                if i < index[N_STAGES]:
                    p = less(p, beta, load_wrench(scratch, row_at(plan, slot.at, r)))
        s += 1
    return p


@helper
def of_taken_rows(index, loops, z, other):
    """The part of a product of two rows of Z that belongs to rows that were taken for axes."""
    x = 0.0
    if index[N_WEAK] > 0:
        for r in range(loops.plan[P_ROWS]):
            if carried_column(loops.plan, loops.scratch, r) >= 0:
                x += z[index[N_V] + r] * other[index[N_V] + r]
    return x


@helper
def lead_carried(index, loops):
    """Let rows that were taken for axes bear nothing, and lead these as the forces on the others ask: b = −B y."""
    plan, scratch = loops.plan, loops.scratch
    for number in range(plan[P_LOOPS]):
        loop = loop_at(plan, number)
        for r in range(loop.rows):
            carried = carried_column(plan, scratch, loop.row + r)
            if carried < 0:
                continue
            B, b = basis_at(plan, loop, r), 0.0
            for stage in range(index[N_STAGES]):
                column = plan[plan[P_COLUMN] + stage]
                if loop.low <= column < loop.high:
                    _, kind, _, d = stage_at(index, stage)
                    for j in range(axes_of(kind)):
                        k = axis_record_at(plan, d + j)
                        b -= scratch[B + column + j] * scratch[k + A_ROOT] * scratch[k + A_FORCE]
            scratch[bias_at(plan, loop.row + r)] = b
            scratch[carried_force_at(plan, carried)] = 0.0


@helper
def tell_taken(index, loops, n, Z, impulses, force, left):
    """Add the forces −u of rows that were taken for axes to those of all rows; `left` is scratch, zero in the end."""
    plan, scratch = loops.plan, loops.scratch
    for r in range(plan[P_ROWS]):
        left[r] = 0.0
        if carried_column(plan, scratch, r) >= 0:
            for i in range(3 * n):
                left[r] -= Z[i, index[N_V] + r] * impulses[i]
    undo(index, plan, scratch, left)
    for r in range(plan[P_ROWS]):
        force[r] += left[r]
        left[r] = 0.0
