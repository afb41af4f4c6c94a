"""Many states, one after the other: "lanes" are the arrays of one state."""

import functools

import numpy as np

from linkwork.kernels.layout import OK
from linkwork.kernels.numba_ext.compile import Kernel, helper


@helper
def gather(rows, start, first, count, lanes):
    """Copy state `first` of (B, m) rows, from column `start` on; one row serves every state."""
    row = first if rows.shape[0] > 1 else 0
    for k in range(lanes.shape[0]):
        lanes[k] = rows[row, start + k]


@helper
def scatter(lanes, first, count, rows, start):
    """Copy a state back to row `first` of (B, m) rows, from column `start` on."""
    for k in range(lanes.shape[0]):
        rows[first, start + k] = lanes[k]


@helper
def read_lane(lanes, w, row):
    """Copy a state to a row of numbers."""
    for k in range(row.shape[0]):
        row[k] = lanes[k]


@helper
def write_lane(row, lanes, w):
    """Copy a row of numbers to a state."""
    for k in range(row.shape[0]):
        lanes[k] = row[k]


@functools.cache
def batched(algorithm, inputs, file):
    """Entry point of `algorithm` over states: ``(model, index, option, arrays, spaces, team, found)``.

    `arrays` holds an array (B, n) for each input and output; `spaces` the work space, (slots, n), and more; `team` is
    the `Team` that shares the work. A thread stops at a status that is not OK, and leaves it in its row of `found`,
    behind the state where it arose. Returns whether one did.
    """
    kernel = Kernel(algorithm, file=file)

    def call(model, index, option, arrays, spaces, team, found):
        def work_off(slot, parts):
            for begin, end in parts:
                for state in range(begin, end):
                    rows = [array[state if len(array) > 1 else 0] for array in arrays]
                    outcome = kernel(model, index, spaces[0][slot], option, *rows)
                    if outcome != OK:
                        found[slot] = state, outcome
                        return

        team.run(work_off)
        return found[:, 1].any()

    call.is_compiled = lambda *_: True  # there is nothing but the kernel of one state
    return call


def aligned(*shape):
    """An array of numbers."""
    return np.empty(shape)
