"""Error-bounded quasi-statics of huge linkages: only the joints that matter are computed.

The accelerations are found from the whole linkage down, the part with the largest total acceleration first, and what
is left when the error is small enough is taken as zero (`cull`). Only what moved, or bears a force, is brought up to
date for the next step (see `upkeep`).

What is left unknown of a node is its total acceleration A, known up to rounding: it is taken as
(√(A + its rounding) + √noise)².

References: [Redon2005] sections 4.3 and 5.2.
"""

import math

from linkwork.kernels.algebra.block6 import VECTOR, clear_rows
from linkwork.kernels.assembly_tree.assembly import KIND, LEAF, LEFT, PORT, RIGHT, STAGE, SUM, TOTAL
from linkwork.kernels.assembly_tree.queue import QUEUE, pop, push
from linkwork.kernels.assembly_tree.total_acceleration import P_NOW, T_NOW, noise_of, total_at
from linkwork.kernels.assembly_tree.upkeep import COMPUTED, TAKEN, compute, move, set_torque, settle, update
from linkwork.kernels.layout import I_KIND, I_V, KIND_NV
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.records import index_row

# Measures of the error ([Redon2005] definition 2); those of single joints come last
ABSOLUTE_LINKAGE, RELATIVE_LINKAGE, ABSOLUTE_JOINT, RELATIVE_JOINT = range(4)
# known: Σ q̈² and the largest q̈² of the joints computed; how many times the noise of the tree counts, which is more than
# once where there are loops, whose forces have noise of their own
SQUARES, LARGEST, TIMES = range(3)
# parts of a step: loads that have changed, the whole linkage queued, joints computed, and moved
CHANGED, BEGIN, COMPUTE, MOVE = 1, 2, 4, 8
TOO_MANY = 1 << 62
_ABOVE_NOISE = 9.0  # times the noise, up to which what is left cannot be told from it


@inlined
def enqueue(rec, flat, nodes, b, keys, queue, count, measure, s):
    """Queue part b, whose surroundings are known, by what its joints may still hold."""
    total = nodes[b, TOTAL]
    A, rounding = total_at(rec, flat, nodes, b, total + T_NOW, nodes[b, PORT] + P_NOW, -1, s)
    key = math.sqrt(max(A, 0.0) + rounding) + math.sqrt(noise_of(flat, nodes, b, measure >= ABSOLUTE_JOINT))
    push(keys, queue, count, key * key, b)
    return key * key


@helper
def error_of(measure, unknown, known):
    """The error if the joints in the queue, of which no more than `unknown` is left, are taken as zero."""
    if measure == ABSOLUTE_LINKAGE or measure == ABSOLUTE_JOINT:
        return math.sqrt(unknown)
    if unknown == 0.0:
        return 0.0
    if measure == RELATIVE_LINKAGE:
        return math.sqrt(unknown / (known[SQUARES] + unknown))
    return math.sqrt(unknown / known[LARGEST]) if known[LARGEST] > 0.0 else math.inf


@helper
def floor_of(measure, noise, known):
    """What rounding may amount to: the square of it is `noise`."""
    if noise == 0.0 or measure == ABSOLUTE_LINKAGE or measure == ABSOLUTE_JOINT:
        return math.sqrt(noise)
    base = known[SQUARES] if measure == RELATIVE_LINKAGE else known[LARGEST]
    return math.sqrt(noise / base) if base > 0.0 else math.inf


@helper
def enough(measure, tolerance, unknown, noise, known):
    """Whether the rest may be left: the error is within the tolerance, or nothing of the rest rises above noise."""
    if unknown <= _ABOVE_NOISE * noise:
        return True
    base = 1.0
    if measure == RELATIVE_LINKAGE:
        base = known[SQUARES] + unknown
    elif measure == RELATIVE_JOINT:
        base = known[LARGEST]
    if unknown > tolerance * tolerance * base:  # most often, and told without roots
        return False
    floor = floor_of(measure, noise, known)
    return floor < math.inf and error_of(measure, unknown, known) <= max(tolerance - floor, floor)


@helper
def left_over(keys, count, measure):
    """What the joints in the queue may hold: of the first for measures of a joint, of all for those of the linkage."""
    n = count[QUEUE]
    if n == 0:
        return 0.0
    if measure >= ABSOLUTE_JOINT:
        return keys[0]
    total = 0.0
    for k in range(n):
        total += keys[k]
    return total


@helper
def bounds(nodes, rec, keys, count, known, measure, out):
    """The bound of the error and the noise floor, in the measure asked for."""
    flat = rec.reshape(rec.size)
    out[0] = error_of(measure, left_over(keys, count, measure), known)
    noise = known[TIMES] * noise_of(flat, nodes, nodes.shape[0] - 1, measure >= ABSOLUTE_JOINT)
    out[1] = floor_of(measure, noise, known)


@helper
def begin(rec, nodes, keys, queue, count, known, measure, s):
    """Queue the whole linkage, whose reference is its true one: on a ground that rises against gravity."""
    flat = rec.reshape(rec.size)
    root = nodes.shape[0] - 1
    clear_rows(rec, nodes[root, TOTAL] + T_NOW, VECTOR)
    count[QUEUE], count[TAKEN], count[COMPUTED] = 0, 0, 0
    known[SQUARES], known[LARGEST] = 0.0, 0.0
    enqueue(rec, flat, nodes, root, keys, queue, count, measure, s)


@helper
def cull(model, index, work, rec, nodes, keys, queue, taken, count, known, s, qdd, measure, tolerance, most):
    """Compute joints, those of the largest part first, until the error is within the tolerance; whether it is.

    Stops without success when `most` joints have been computed. A negative tolerance computes every joint.
    """
    flat = rec.reshape(rec.size)
    of_joint = measure >= ABSOLUTE_JOINT
    noise = known[TIMES] * noise_of(flat, nodes, nodes.shape[0] - 1, of_joint)
    running = left_over(keys, count, measure)  # a sum is kept up to date, and made anew before it is believed
    while count[QUEUE] > 0:
        if tolerance >= 0.0:
            if of_joint:
                running = keys[0]
            if enough(measure, tolerance, max(running, 0.0), noise, known):
                running = left_over(keys, count, measure)
                if enough(measure, tolerance, running, noise, known):
                    return True
        if count[COMPUTED] >= most:
            return False
        running -= keys[0]
        c = pop(keys, queue, count)
        taken[count[TAKEN]] = c
        count[TAKEN] += 1
        compute(model, index, work, rec, flat, nodes, c, s, qdd)
        if nodes[c, KIND] != SUM:
            d = index[index_row(nodes[c, STAGE]) + I_V]
            square = 0.0
            for k in range(KIND_NV[index[index_row(nodes[c, STAGE]) + I_KIND]]):
                square += qdd[d + k] * qdd[d + k]
            known[SQUARES] += square
            known[LARGEST] = max(known[LARGEST], square)
            count[COMPUTED] += 1
        for child in (nodes[c, LEFT], nodes[c, RIGHT]):
            if child >= 0 and nodes[child, KIND] != LEAF:
                running += enqueue(rec, flat, nodes, child, keys, queue, count, measure, s)
    return True


@helper
def advance(
    model, index, work, rec, nodes, keys, queue, taken, count, known, s, qdd, measure, tolerance, most, what, out, q, h,
    six, mark, order, stack, forces, force_of, force_leaves, driven, tau, heavy,
):  # fmt: skip
    """What a step is made of, those parts that `what` names; nodes brought up to date, or `TOO_MANY` joints matter."""
    if what & CHANGED:
        for c in driven:
            set_torque(index, rec.reshape(rec.size), nodes, c, tau)
    if what & BEGIN:
        begin(rec, nodes, keys, queue, count, known, measure, s)
    if what & COMPUTE:
        done = cull(model, index, work, rec, nodes, keys, queue, taken, count, known, s, qdd, measure, tolerance, most)
        bounds(nodes, rec, keys, count, known, measure, out)
        if not done:
            return TOO_MANY
    if what & MOVE:
        move(model, index, work, nodes, taken, count, qdd, q, h, six, heavy)
    n = 0
    if what & (MOVE | CHANGED):
        n = update(
            model, index, work, rec, nodes, mark, taken, count, order, stack, forces, force_of, force_leaves, driven, s,
            heavy,
        )  # fmt: skip
    if what & CHANGED:
        settle(model, index, work, rec, nodes, order, n, s, qdd, heavy)
    return n
