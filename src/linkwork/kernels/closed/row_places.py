"""Where a row of a loop has its numbers while loops are eliminated."""

from typing import NamedTuple

from linkwork.kernels.closed.records import basis_at, bias_at, row_at
from linkwork.kernels.numba_ext import inlined, load, store


class RowPlace(NamedTuple):
    """Where in the scratch space a row has its part of B (were that as wide as all columns), its K and its b."""

    B: int
    K: int
    b: int


@inlined
def place_of(plan, loop, at, r):
    """The place of row r of a loop whose rows are at `at`."""
    return RowPlace(basis_at(plan, loop, r), row_at(plan, at, r), bias_at(plan, loop.row + r))


@inlined
def scale_row(scratch, low, high, row, factor):
    """Multiply a row by a factor."""
    for c in range(low, high):
        store(scratch, row.B + c, factor * load(scratch, row.B + c))
    for j in range(6):
        store(scratch, row.K + j, factor * load(scratch, row.K + j))
    store(scratch, row.b, factor * load(scratch, row.b))


@inlined
def covers(other, loop):
    """Whether the columns of another loop hold those of this one; if not, they have none in common."""
    return other.low <= loop.low and other.high >= loop.high
