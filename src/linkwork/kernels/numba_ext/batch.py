"""Many states at once: a kernel over all rows of its arrays, a pack of states at a time.

Rows are gathered into arrays of shape (n, W), so that state lies beside state, and results scattered back. The last
pack is filled up with the last state.
"""

import functools
import math

import numpy as np

from linkwork.kernels.layout import OK
from linkwork.kernels.layout.cells import CALLED
from linkwork.kernels.numba_ext.jit import Kernel, helper
from linkwork.kernels.numba_ext.pack import WIDTH, turn_block
from linkwork.kernels.numba_ext.thread_pool import at_slot, call_helpers, collect_helpers, next_part, outlined

_LINE = 64  # bytes of a cache line


@helper
def gather(rows, start, first, count, lanes):
    """Copy states first … first + count − 1 of (B, m) rows, from column `start` on, into (n, W) lanes.

    One row serves every state.
    """
    n, m = lanes.shape[0], rows.shape[1]
    if count == WIDTH and n >= WIDTH:
        at, step = (first * m + start, m) if rows.shape[0] > 1 else (start, 0)
        for k in range(0, n - WIDTH, WIDTH):
            turn_block(rows, at + k, step, lanes, k * WIDTH, WIDTH)
        k = n - WIDTH  # the last block overlaps the one before rather than end short
        turn_block(rows, at + k, step, lanes, k * WIDTH, WIDTH)
        return
    for w in range(WIDTH):
        row = first + min(w, count - 1) if rows.shape[0] > 1 else 0
        for k in range(n):
            lanes[k, w] = rows[row, start + k]


@helper
def scatter(lanes, first, count, rows, start):
    """Copy (n, W) lanes back to states first … first + count − 1 of (B, m) rows, from column `start` on."""
    n, m = lanes.shape[0], rows.shape[1]
    if count == WIDTH and n >= WIDTH:
        at = first * m + start
        for k in range(0, n - WIDTH, WIDTH):
            turn_block(lanes, k * WIDTH, WIDTH, rows, at + k, m)
        k = n - WIDTH
        turn_block(lanes, k * WIDTH, WIDTH, rows, at + k, m)
        return
    for w in range(count):
        for k in range(n):
            rows[first + w, start + k] = lanes[k, w]


@functools.cache
def batched(algorithm, inputs, file):
    """Entry point of `algorithm` over states: ``(model, index, option, arrays, spaces, team, found)``.

    `arrays` holds an array (B, n) for each input and output; `spaces` the work space, and one for each of the arrays,
    (slots, n, W); `team` and its slots are those of `kernels.cells`. Where a thread meets a status that is not OK it
    stops, and leaves it in its row of `found`, behind the state of the pack where it arose. Returns whether one did.
    """

    @helper
    def work_off(model, index, option, arrays, spaces, team, found, slot):
        space = at_slot(spaces, slot)
        lanes = space[1:]
        begin, end = next_part(team, slot)
        while begin < end:
            for first in range(begin, end, WIDTH):
                count = min(WIDTH, end - first)
                for k in range(inputs):
                    gather(arrays[k], 0, first, count, lanes[k])
                outcome = algorithm(model, index, space[0], option, *lanes)
                if outcome != OK:
                    found[slot, 0], found[slot, 1] = first, outcome
                    return
                for k in range(inputs, len(lanes)):
                    scatter(lanes[k], first, count, arrays[k], 0)
            begin, end = next_part(team, slot)

    def run(model, index, option, arrays, spaces, team, found):
        if team[CALLED]:
            job, place = outlined(work_off, (model, index, option, arrays, spaces, team, found))
            call_helpers(team, job, place)
        work_off(model, index, option, arrays, spaces, team, found, 0)
        collect_helpers(team)
        return found[:, 1].any()

    name = getattr(algorithm, "__name__", None) or algorithm.py_func.__name__
    return Kernel(run, f"{name}_batch", file)


def aligned(*shape):
    """An array of packs, each within one cache line: work on packs that straddle two takes a tenth longer."""
    size = 8 * math.prod(shape) * WIDTH
    memory = np.empty(size + _LINE, dtype=np.uint8)
    first = -memory.ctypes.data % _LINE
    return memory[first : first + size].view(np.float64).reshape(*shape, WIDTH)
