"""Forces of redundant rows, which motion leaves open: of all that do the same, the least.

Every redundant row r has forces without effect, Tᵀ e_r (see `undo`). They are made orthonormal by Gram–Schmidt, as far
as they overlap, and what the forces of the rows have of them is taken off.
"""

import math

from linkwork.kernels.closed.elimination import undo
from linkwork.kernels.closed.projection import FORCE
from linkwork.kernels.closed.records import mark_at
from linkwork.kernels.layout.loops import P_ROWS, PROJECTION_LINES
from linkwork.kernels.numba_ext import helper, separate


@helper
def extent(x, n):
    """The first entry that is not zero, and the one after the last."""
    low, high = 0, n
    while low < n and x[low] == 0.0:
        low += 1
    while high > low and x[high - 1] == 0.0:
        high -= 1
    return low, high


@helper
def take_off(unit, x, n):
    """Take off x what it has of a vector of length 1."""
    low, high = extent(x, n)
    part = 0.0
    for r in range(low, high):
        part += unit[r] * x[r]
    if part != 0.0:
        for r in range(n):
            x[r] -= part * unit[r]


@separate
def least_forces(index, loops):
    """Let the forces of the rows be the least of those with the same effect; lines from the last on are scratch."""
    plan, _, scratch, lines = loops
    n, last = plan[P_ROWS], PROJECTION_LINES
    for row in range(n):
        if scratch[mark_at(plan, row)] != 0.0:
            continue
        x = lines[last, :n]
        for r in range(n):
            x[r] = 0.0
        x[row] = 1.0
        undo(index, plan, scratch, x)
        for _ in range(2):
            for k in range(PROJECTION_LINES, last):
                take_off(lines[k], x, n)
        size = 0.0
        for r in range(n):
            size += x[r] * x[r]
        for r in range(n):
            x[r] /= math.sqrt(size)
        last += 1
    for k in range(PROJECTION_LINES, last):
        take_off(lines[k], lines[FORCE], n)
