"""Elimination of the rows of loops for a pack of states: every lane has an order of its own, all take the same steps.

Rows are eliminated from the first to the last. Before each step every lane brings the row it would choose, the longest
of those left, to the front: rows change places in some lanes and not in others. So no lane waits for another, and
each eliminates in the order it would take alone. Where rows of one lane run out before those of another, zeros take
their place, which change nothing. The rows change places on the way, and their forces are not kept: packs are for
motion alone. Of the steps are kept, behind the numbers of the rows: the row that was chosen, the factor that gave it
length 1, and what was taken off every row after it and of other loops.

Symbols as in `linkwork.kernels.closed.elimination`.
"""

from linkwork.kernels.algebra.spatial import Wrench, articulated_minus, power
from linkwork.kernels.algebra.storage import load_wrench
from linkwork.kernels.algebra.vec3 import add, scale, sub
from linkwork.kernels.closed.elimination import subtract_row
from linkwork.kernels.closed.loops import RANK
from linkwork.kernels.closed.records import (
    basis_at,
    bias_at,
    ends_here,
    loop_at,
    margin_at,
    mark_at,
    record_at,
    row_at,
    scale_at,
    size_at,
    slot_at,
)
from linkwork.kernels.closed.row_places import covers, place_of, scale_row
from linkwork.kernels.layout.loops import COUPLING, P_SPREAD, P_STEPS, R_K
from linkwork.kernels.numba_ext import any_of, helper, inlined, load, scalar, sqrt, store, where


@helper
def turns(plan, scratch, loop, kind, r):
    """Whether row r of a loop forbids a rotation, and no translation; so it does in every lane."""
    if kind == COUPLING:
        return False
    K = load_wrench(scratch, record_at(plan, loop) + R_K + 6 * r)
    return not any_of(K.f.x * K.f.x + K.f.y * K.f.y + K.f.z * K.f.z > 0.0)


@inlined
def reference_lengths(plan, scratch, number, loop):
    """Put the largest squared length of rows of its kind in the place of each row's."""
    size = size_at(plan, loop.row)
    linear, angular = scalar(scratch, 0.0), scalar(scratch, 0.0)
    for r in range(loop.rows):
        x = load(scratch, size + r)
        if turns(plan, scratch, number, loop.kind, r):
            angular = where(x > angular, x, angular)
        else:
            linear = where(x > linear, x, linear)
    for r in range(loop.rows):
        store(scratch, size + r, angular if turns(plan, scratch, number, loop.kind, r) else linear)


@inlined
def longest_rows(plan, scratch, loop, first):
    """In each lane, which row from `first` on that is not redundant has the longest B, or −1; its squared length."""
    chosen, longest, made = scalar(scratch, -1.0), scalar(scratch, 0.0), scale_at(plan, loop.row)
    for r in range(first, loop.rows):
        B, norm = basis_at(plan, loop, r), scalar(scratch, 0.0)
        for c in range(loop.low, loop.high):
            norm += load(scratch, B + c) * load(scratch, B + c)
        norm = where(norm > RANK * RANK * load(scratch, made + r), norm, 0.0)
        longer = norm > longest
        chosen, longest = where(longer, 1.0 * r, chosen), where(longer, norm, longest)
    return chosen, longest


@inlined
def exchange(scratch, mask, i, j):
    """Let two scalars change places where the mask holds."""
    x, y = load(scratch, i), load(scratch, j)
    store(scratch, i, where(mask, y, x))
    store(scratch, j, where(mask, x, y))


@helper
def bring_to_front(plan, scratch, loop, at, first, chosen):
    """Let row `first` of a loop change places, in each lane, with the row chosen there."""
    row, size, made = place_of(plan, loop, at, first), size_at(plan, loop.row), scale_at(plan, loop.row)
    number = plan[P_STEPS] + loop.steps
    for r in range(first + 1, loop.rows):
        here = chosen == 1.0 * r
        if any_of(here):
            other = place_of(plan, loop, at, r)
            for c in range(loop.low, loop.high):
                exchange(scratch, here, row.B + c, other.B + c)
            for j in range(6):
                exchange(scratch, here, row.K + j, other.K + j)
            exchange(scratch, here, row.b, other.b)
            exchange(scratch, here, size + first, size + r)
            exchange(scratch, here, made + first, made + r)
            exchange(scratch, here, number + first, number + r)


@inlined
def step_at(plan, loop, first):
    """Where what is kept of a step is, behind the number of the row in each place."""
    return plan[P_STEPS] + loop.steps + loop.rows + first * (1 + loop.rows + loop.beside)


@helper
def eliminate_pack(loops, s, end, A, p):
    """`eliminate` in every lane; the number of the row in each place is −1 where there was none."""
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    mark, size, margin_place = mark_at(plan, loop.row), size_at(plan, loop.row), margin_at(plan)
    number = plan[P_STEPS] + loop.steps
    reference_lengths(plan, scratch, slot.loop, loop)
    for r in range(loop.rows):
        store(scratch, number + r, 1.0 * r)
    ended = False
    for first in range(loop.rows):
        chosen, longest = longest_rows(plan, scratch, loop, first)
        going_on = chosen >= 0.0
        ended = ended or not any_of(going_on)
        if ended:
            store(scratch, number + first, -1.0)
            continue
        bring_to_front(plan, scratch, loop, slot.at, first, chosen)
        store(scratch, number + first, where(going_on, load(scratch, number + first), -1.0))
        store(scratch, mark + first, 1.0)
        relative, margin = longest / load(scratch, size + first), load(scratch, margin_place)
        store(scratch, margin_place, where(where(going_on, relative, 1.0) < margin * margin, sqrt(relative), margin))
        row, step = place_of(plan, loop, slot.at, first), step_at(plan, loop, first)
        factor = where(going_on, 1.0 / sqrt(longest), 0.0)
        scale_row(scratch, loop.low, loop.high, row, factor)
        store(scratch, step, chosen)
        store(scratch, step + 1, factor)
        step += 2
        for r in range(first + 1, loop.rows):
            store(scratch, step, subtract_row(scratch, loop.low, loop.high, row, place_of(plan, loop, slot.at, r)))
            step += 1
        for other_slot in range(s + 1, end):
            beside = slot_at(plan, other_slot)
            other = loop_at(plan, beside.loop)
            if covers(other, loop):
                for r in range(other.rows):
                    target = place_of(plan, other, beside.at, r)
                    store(scratch, step, subtract_row(scratch, loop.low, loop.high, row, target))
                    step += 1
        K = load_wrench(scratch, row.K)
        A = articulated_minus(A, K, -1.0)
        x = -load(scratch, row.b)
        p = Wrench(add(p.f, scale(x, K.f)), add(p.n, scale(x, K.n)))
    return A, p


@helper
def eliminate_pack_again(loops, s, end, p):
    """`eliminate_again` in every lane."""
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    b, mark, spread = bias_at(plan, loop.row), mark_at(plan, loop.row), plan[P_SPREAD]
    for first in range(loop.rows):
        if not any_of(load(scratch, mark + first) > 0.0):
            break
        step = step_at(plan, loop, first)
        chosen = load(scratch, step)
        for r in range(first + 1, loop.rows):
            exchange(scratch, chosen == 1.0 * r, b + first, b + r)
        x = load(scratch, step + 1) * load(scratch, b + first)
        store(scratch, b + first, x)
        step += 2
        for r in range(first + 1, loop.rows):
            store(scratch, b + r, load(scratch, b + r) - load(scratch, step) * x)
            step += 1
        for other_slot in range(s + 1, end):
            other = loop_at(plan, slot_at(plan, other_slot).loop)
            if covers(other, loop):
                for r in range(other.rows):
                    k = bias_at(plan, other.row + r)
                    store(scratch, k, load(scratch, k) - load(scratch, step) * x)
                    step += 1
    for r in range(loop.rows):
        if any_of(load(scratch, mark + r) > 0.0):
            x, B = load(scratch, b + r), basis_at(plan, loop, r)
            for c in range(loop.low, loop.high):
                x -= load(scratch, B + c) * load(scratch, spread + c)
            store(scratch, b + r, x)
            K = load_wrench(scratch, row_at(plan, slot.at, r))
            p = Wrench(sub(p.f, scale(x, K.f)), sub(p.n, scale(x, K.n)))
    return p


@helper
def close_pack(loops, s, end, a):
    """Write Bᵀ μ of the loops that were eliminated at a stage to the columns, μ = b − K a."""
    plan, scratch = loops.plan, loops.scratch
    spread = plan[P_SPREAD]
    ending = s
    while ending < end and ends_here(plan, ending):
        ending += 1
    for k in range(ending - 1, s - 1, -1):
        slot = slot_at(plan, k)
        loop = loop_at(plan, slot.loop)
        b, mark, K = bias_at(plan, loop.row), mark_at(plan, loop.row), row_at(plan, slot.at, 0)
        for r in range(loop.rows):
            if any_of(load(scratch, mark + r) > 0.0):
                x = load(scratch, b + r) - power(a, load_wrench(scratch, K + 6 * r))
                B = basis_at(plan, loop, r)
                for c in range(loop.low, loop.high):
                    store(scratch, spread + c, load(scratch, spread + c) + x * load(scratch, B + c))
