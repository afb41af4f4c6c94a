"""Many states at once: a kernel over all rows of its arrays, a pack of states at a time.

Rows are gathered into arrays of shape (n, W), so that state lies beside state, and results scattered back. The last
pack is filled up with the last state.
"""

import functools
import math

import numpy as np

from linkwork.kernels.layout import OK
from linkwork.kernels.layout.thread_pool import CALLED
from linkwork.kernels.numba_ext.compile import Kernel, helper
from linkwork.kernels.numba_ext.fast.compiler import WIDTH
from linkwork.kernels.numba_ext.fast.lowering import CACHE_LINE
from linkwork.kernels.numba_ext.fast.thread_pool import as_job, at_slot, call_helpers, collect_helpers, next_part
from linkwork.kernels.numba_ext.fast.transposition import LARGE, LONG, STAGE, ask_for, stream, transpose_block


@helper
def gather(rows, start, first, count, lanes):
    """Copy states first … first + count − 1 of (B, m) rows, from column `start` on, into (n, W) lanes.

    One row serves every state.
    """
    n, m = lanes.shape[0], rows.shape[1]
    if count == WIDTH and n >= WIDTH:
        at, step = (first * m + start, m) if rows.shape[0] > 1 else (start, 0)
        for k in range(0, n - WIDTH, WIDTH):
            transpose_block(rows, at + k, step, lanes, k * WIDTH, WIDTH)
        k = n - WIDTH  # the last block overlaps the one before rather than end short
        transpose_block(rows, at + k, step, lanes, k * WIDTH, WIDTH)
        return
    for w in range(WIDTH):
        row = first + min(w, count - 1) if rows.shape[0] > 1 else 0
        for k in range(n):
            lanes[k, w] = rows[row, start + k]


@helper
def scatter(lanes, first, count, rows, start):
    """Copy (n, W) lanes back to states first … first + count − 1 of (B, m) rows, from column `start` on.

    The rows of the next pack are asked for on the way: memory brings them while that pack is computed.
    """
    n, m = lanes.shape[0], rows.shape[1]
    if count == WIDTH and n >= WIDTH:
        at, more = first * m + start, first + 2 * WIDTH <= rows.shape[0]
        for k in range(0, n - WIDTH, WIDTH):
            transpose_block(lanes, k * WIDTH, WIDTH, rows, at + k, m)
            if more:
                ask_for(rows, at + k + WIDTH * m, m)
        k = n - WIDTH
        transpose_block(lanes, k * WIDTH, WIDTH, rows, at + k, m)
        return
    for w in range(count):
        for k in range(n):
            rows[first + w, start + k] = lanes[k, w]


@helper
def read_lane(lanes, w, row):
    """Copy state w of a pack to a row of numbers."""
    for k in range(row.shape[0]):
        row[k] = lanes[k, w]


@helper
def write_lane(row, lanes, w):
    """Copy a row of numbers to state w of a pack."""
    for k in range(row.shape[0]):
        lanes[k, w] = row[k]


@functools.cache
def batched(algorithm, inputs, file):
    """Entry point of `algorithm` over states: ``(model, index, option, arrays, spaces, team, found)``.

    `arrays` holds an array (B, n) for each input and output; `spaces` the work space, and one for each of the arrays,
    (slots, n, W); `team` is the `Team` that shares the work. A thread stops at a status that is not OK, and leaves it
    in its row of `found`, behind the first state of the pack where it arose. Returns whether one did. Its attribute
    ``is_compiled(model, index, option, arrays)`` tells whether that takes no compiling.
    """

    @helper
    def work_off(model, index, option, arrays, spaces, roster, found, slot):
        space = at_slot(spaces, slot)
        work, lanes, size = space[0], space[1:], 0
        for k in range(inputs, len(lanes)):
            size += arrays[k].size
        large = size > LARGE and work.shape[0] >= STAGE
        begin, end = next_part(roster, slot)
        while begin < end:
            for first in range(begin, end, WIDTH):
                count = min(WIDTH, end - first)
                for k in range(inputs):
                    gather(arrays[k], 0, first, count, lanes[k])
                outcome = algorithm(model, index, work, option, *lanes)
                if outcome != OK:
                    found[slot, 0], found[slot, 1] = first, outcome
                    return
                for k in range(inputs, len(lanes)):
                    if large and count == WIDTH and lanes[k].shape[0] >= LONG:
                        stream(lanes[k], first, arrays[k], work)
                    else:
                        scatter(lanes[k], first, count, arrays[k], 0)
            begin, end = next_part(roster, slot)

    def run(model, index, option, arrays, spaces, roster, found):
        if roster[CALLED]:
            job, arguments = as_job(work_off, (model, index, option, arrays, spaces, roster, found))
            call_helpers(roster, job, arguments)
        work_off(model, index, option, arrays, spaces, roster, found, 0)
        collect_helpers(roster)
        return found[:, 1].any()

    name = getattr(algorithm, "__name__", None) or algorithm.py_func.__name__
    kernel = Kernel(run, f"{name}_batch", file)

    def call(model, index, option, arrays, spaces, team, found):
        return kernel(model, index, option, arrays, spaces, team.roster, found)

    def is_compiled(model, index, option, arrays):
        integers, spaces = np.empty((0, 0), dtype=np.int64), (np.empty((0, 0, 0)),) * (1 + len(arrays))
        return kernel.is_compiled(model, index, option, arrays, spaces, integers[0:0].reshape(-1), integers)

    call.is_compiled, call.kernel = is_compiled, kernel
    return call


def aligned(*shape):
    """An array of packs, each within one cache line: work on packs that straddle two takes a tenth longer."""
    size = 8 * math.prod(shape) * WIDTH
    memory = np.empty(size + CACHE_LINE, dtype=np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    return memory[first : first + size].view(np.float64).reshape(*shape, WIDTH)
