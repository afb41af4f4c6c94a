"""Axes without inertia of their own, which the rows of loops alone move: the pin of a slider that is a point mass.

Such an axis has D = 0 and U = 0. Its equation 0 = u + kᵀ λ says something of the rows' forces, and the rows something
of its acceleration: K a + k q̈ + B Bᵀ λ = b. For each such axis one row is taken, divided by its k, and taken off all
others until they are free of q̈; so the others are eliminated as if the axis were not there, and in the end

    λ = −u − (its shares of the other rows' forces),    q̈ = b − K a − B Bᵀ λ

give the force of the row that was taken and the acceleration. B has a column for the axis, the entries k.

Symbols as in `linkwork.kernels.closed.elimination`.
"""

from linkwork.kernels.algebra.spatial import Wrench, power
from linkwork.kernels.algebra.storage import load_wrench
from linkwork.kernels.algebra.vec3 import add, scale
from linkwork.kernels.closed.records import (
    basis_at,
    bias_at,
    carried_at,
    carried_force_at,
    carried_size_at,
    loop_at,
    mark_at,
    row_at,
    scale_at,
    size_at,
    slot_at,
)
from linkwork.kernels.closed.row_places import covers, place_of, scale_row
from linkwork.kernels.layout.loops import P_COLUMNS, P_SPREAD, P_STEPS
from linkwork.kernels.numba_ext import helper

CARRIES = 1e-9  # a row moves an axis when its k is more than this beside what it is made of


@helper
def carried_column(plan, scratch, r):
    """The column of the axis that row r was taken for, or −1."""
    size = scratch[size_at(plan, r)]
    return -int(size) - 1 if size < 0.0 else -1


@helper
def left_alone(plan, scratch):
    """The first stage with an axis that has no inertia and that no row moves, or −1; packs take no such axes."""
    if scratch.ndim == 1:
        for c in range(plan[P_COLUMNS]):
            if scratch[carried_at(plan, c)] != 0.0:
                return int(scratch[carried_at(plan, c)]) - 1
    return -1


@helper
def moving_row(plan, scratch, loop, c):
    """The row of a loop that moves the axis of column c most, if one does, or −1."""
    mark = mark_at(plan, loop.row)
    pivot, size = -1, CARRIES * scratch[carried_size_at(plan, c)]
    for r in range(loop.rows):
        k = abs(scratch[basis_at(plan, loop, r) + c])
        if scratch[mark + r] == 0.0 and k > size:
            pivot, size = r, k
    return pivot


@helper
def take_off(scratch, low, high, c, row, target):
    """Take a row off another one until nothing is left in column c; return how much of it that was."""
    t = scratch[target.B + c]
    for j in range(low, high):
        scratch[target.B + j] -= t * scratch[row.B + j]
    for j in range(6):
        scratch[target.K + j] -= t * scratch[row.K + j]
    scratch[target.b] -= t * scratch[row.b]
    scratch[target.B + c] = 0.0  # not what rounding leaves
    return t


@helper
def push_row(scratch, low, high, u, row, target):
    """What the force −u of a row that was taken does to another row, through the columns they share."""
    product = 0.0
    for j in range(low, high):
        product += scratch[target.B + j] * scratch[row.B + j]
    scratch[target.b] += u * product


@helper
def take_rows(loops, s, end):
    """Take a row of slot s for each axis that it moves; how many were taken. Their steps come first."""
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    taken = 0
    for c in range(loop.low, loop.high):
        if scratch[carried_at(plan, c)] == 0.0:
            continue
        pivot = moving_row(plan, scratch, loop, c)
        if pivot < 0:  # it does not move this one: what is there is rounding
            for r in range(loop.rows):
                scratch[basis_at(plan, loop, r) + c] = 0.0
            continue
        scratch[carried_at(plan, c)] = 0.0
        scratch[mark_at(plan, loop.row + pivot)] = 1.0
        scratch[size_at(plan, loop.row + pivot)] = -1.0 - c
        row, step = place_of(plan, loop, slot.at, pivot), step_at(plan, loop, taken)
        made = scale_at(plan, loop.row + pivot)
        scratch[step], scratch[step + 1] = pivot, scratch[row.B + c]
        scale_row(scratch, loop.low, loop.high, row, 1.0 / scratch[step + 1])
        scratch[made] /= scratch[step + 1] * scratch[step + 1]
        u = scratch[carried_force_at(plan, c)]
        for j in range(loop.low, loop.high):  # its force −u acts on axes that rows have yet to be taken for
            if scratch[carried_at(plan, j)] != 0.0:
                scratch[carried_force_at(plan, j)] -= u * scratch[row.B + j]
        step += 2
        for r in range(loop.rows):
            scratch[step] = 0.0
            if scratch[mark_at(plan, loop.row + r)] == 0.0:
                target = place_of(plan, loop, slot.at, r)
                scratch[step] = take_off(scratch, loop.low, loop.high, c, row, target)
                scratch[scale_at(plan, loop.row + r)] += scratch[step] * scratch[step] * scratch[made]
            step += 1
        for other_slot in range(s + 1, end):
            beside = slot_at(plan, other_slot)
            other = loop_at(plan, beside.loop)
            if covers(other, loop):
                for r in range(other.rows):
                    target = place_of(plan, other, beside.at, r)
                    scratch[step] = take_off(scratch, loop.low, loop.high, c, row, target)
                    scratch[scale_at(plan, other.row + r)] += scratch[step] * scratch[step] * scratch[made]
                    step += 1
        taken += 1
    return taken


@helper
def carry(loops, s, end, p):
    """Let rows of slot s move the axes without inertia; the stage's bias wrench, and how many rows were taken."""
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    taken = take_rows(loops, s, end)
    for t in range(taken):
        row = place_of(plan, loop, slot.at, int(scratch[step_at(plan, loop, t)]))
        u = scratch[carried_force_at(plan, carried_column(plan, scratch, row_number(plan, scratch, loop, t)))]
        for r in range(loop.rows):
            if scratch[mark_at(plan, loop.row + r)] == 0.0:
                push_row(scratch, loop.low, loop.high, u, row, place_of(plan, loop, slot.at, r))
        for other_slot in range(s + 1, end):
            beside = slot_at(plan, other_slot)
            other = loop_at(plan, beside.loop)
            if covers(other, loop):
                for r in range(other.rows):
                    push_row(scratch, loop.low, loop.high, u, row, place_of(plan, other, beside.at, r))
        K = load_wrench(scratch, row.K)
        p = Wrench(add(p.f, scale(u, K.f)), add(p.n, scale(u, K.n)))
    return p, taken


@helper
def carry_again(plan, scratch, slot, p):
    """What `carry` did to b and p, done to others: forces −u of rows that were taken are one more part of columns."""
    loop, spread = loop_at(plan, slot.loop), plan[P_SPREAD]
    taken = 0
    while taken_row(plan, scratch, loop, taken) >= 0:
        number = taken_row(plan, scratch, loop, taken)
        B, b = basis_at(plan, loop, number - loop.row), bias_at(plan, number)
        for c in range(loop.low, loop.high):
            scratch[b] -= scratch[B + c] * scratch[spread + c]
        taken += 1
    for t in range(taken):
        number = taken_row(plan, scratch, loop, t)
        column, B = carried_column(plan, scratch, number), basis_at(plan, loop, number - loop.row)
        u = scratch[carried_force_at(plan, column)]
        for c in range(loop.low, loop.high):
            scratch[spread + c] -= u * scratch[B + c]
            if c != column:
                scratch[carried_force_at(plan, c)] -= u * scratch[B + c]
        K = load_wrench(scratch, row_at(plan, slot.at, number - loop.row))
        p = Wrench(add(p.f, scale(u, K.f)), add(p.n, scale(u, K.n)))
    return p


@helper
def taken_row(plan, scratch, loop, t):
    """The row, among all, that was the t-th of a loop to be taken for an axis, or −1."""
    if t == loop.rows or scratch[step_at(plan, loop, t)] < 0.0:
        return -1
    number = row_number(plan, scratch, loop, t)
    return number if carried_column(plan, scratch, number) >= 0 else -1


@helper
def step_at(plan, loop, t):
    """Where step t of a loop's elimination is."""
    return plan[P_STEPS] + loop.steps + t * (2 + loop.rows + loop.beside)


@helper
def row_number(plan, scratch, loop, t):
    """The row, among all, that step t of a loop's elimination is about."""
    return loop.row + int(scratch[step_at(plan, loop, t)])


@helper
def move_axes(plan, scratch, slot, rank, a):
    """q̈ = b − K a − B Bᵀ λ of the axes that rows of a loop move, last taken first, each in its column."""
    loop, spread = loop_at(plan, slot.loop), plan[P_SPREAD]
    for t in range(rank - 1, -1, -1):
        number = row_number(plan, scratch, loop, t)
        carried, r = carried_column(plan, scratch, number), number - loop.row
        if carried < 0:
            continue
        B = basis_at(plan, loop, r)
        x = scratch[bias_at(plan, number)] - power(a, load_wrench(scratch, row_at(plan, slot.at, r)))
        for c in range(loop.low, loop.high):
            if c != carried:
                x -= scratch[B + c] * scratch[spread + c]
        scratch[spread + carried] = x
