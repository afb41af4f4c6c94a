"""Named views of the rows of loops at a node: see `layout.rows` for how they lie, `loop_rows` for what they are."""

from collections import namedtuple

from linkwork.kernels.closed.loops import row_bias, rows_on_bodies
from linkwork.kernels.closed.records import Loops, loop_at, record_at
from linkwork.kernels.layout.loops import COUPLING, R_BIAS, R_LEVER, R_SLOPE
from linkwork.kernels.layout.nodes import VECTOR
from linkwork.kernels.layout.rows import (
    E_ENTER,
    E_INDEX,
    E_LEFT,
    E_LOOP,
    E_RIGHT,
    E_ROW,
    ENTERS_A,
    ENTERS_B,
    ENTERS_FOLLOWER,
    ENTERS_LEADER,
    ENTRY,
    N_LIST,
    N_OPEN,
    N_PLACE,
    N_ROWS,
    NUMBERS,
    Y_FORCE,
    Y_INVERSE,
    Y_LEFT,
    Y_ORDER,
    Y_REFERENCE,
    Y_SCRATCH,
    Y_SHEAR,
    Y_SIZE,
)
from linkwork.kernels.numba_ext import inlined

# The rows at a special node: n of them, from `first_closed` on those that end here; where their entries begin in
# `net`; addresses of K and P of the first, place of L; addresses of the surroundings at which y is meant; places of
# the numbers of the first row, see `layout.rows`
Rows = namedtuple(
    "Rows", "n first_closed entries K P L a1 f2 left reference force size inverse order scratch shear"
)
# What `net` says of a row at a node
Entry = namedtuple("Entry", "row left right loop index enter")


@inlined
def rows_at(loops, c):
    """The rows at special node c."""
    net, at = loops.net, loops.special[c]
    n, K = net[at + N_ROWS], net[at + N_PLACE]
    numbers = 4 * (K + VECTOR * n)
    a1 = K + VECTOR * n + (NUMBERS * n + 3) // 4
    L = a1 + 2 * VECTOR
    return Rows(
        n, net[at + N_OPEN], at + N_LIST, K, L + (n * n + 3) // 4, 4 * L, a1, a1 + VECTOR,
        numbers + Y_LEFT * n, numbers + Y_REFERENCE * n, numbers + Y_FORCE * n, numbers + Y_SIZE * n,
        numbers + Y_INVERSE * n, numbers + Y_ORDER * n, numbers + Y_SCRATCH * n, numbers + Y_SHEAR * n,
    )  # fmt: skip


@inlined
def K_of(R, j):
    """Address of K of row j."""
    return R.K + VECTOR * j


@inlined
def P_of(R, j):
    """Address of P of row j."""
    return R.P + VECTOR * j


@inlined
def L_of(R, i, j):
    """Place of L of the rows i and j."""
    return R.L + R.n * i + j


@inlined
def entry_of(loops, R, j):
    net, at = loops.net, R.entries + ENTRY * j
    return Entry(
        net[at + E_ROW], net[at + E_LEFT], net[at + E_RIGHT], net[at + E_LOOP], net[at + E_INDEX], net[at + E_ENTER]
    )


@inlined
def is_axis(e):
    """Whether a row is an axis of a joint, not of a loop."""
    return e.loop < 0


@inlined
def planned(loops, R, j, side):
    """The number of row j in a part of its node, the one that `side` (E_LEFT, E_RIGHT) names; −1: it does not pass."""
    return loops.net[R.entries + ENTRY * j + side]


@inlined
def row_in(p, loops, R, j, side, part):
    """`planned`, and −1 too where row j, an axis, has ended in that part."""
    k = planned(loops, R, j, side)
    if k >= 0 and is_axis(entry_of(loops, R, j)) and p.flat[rows_at(loops, part).size + k] < 0.0:
        return -1
    return k


@inlined
def wrench_of(loops, e):
    """K of a row where it enters: on its body b, or on its body a with the opposite sign."""
    wb, wa = rows_on_bodies(Loops(loops.plan, loops.geometry, loops.loop_scratch), e.loop, e.index, False)
    return wb if e.enter == ENTERS_B else wa


@inlined
def lever_of(loops, e):
    """By what length rounding moves the force of a row of a loop, see `closed.loops.made_of`."""
    return loops.loop_scratch[record_at(loops.plan, e.loop) + R_LEVER]


@inlined
def weight_of(loops, e):
    """The weight of a row at the joint of its node: 0 unless it is a coupling's that enters here."""
    if e.enter == ENTERS_FOLLOWER:
        return 1.0
    if e.enter == ENTERS_LEADER:
        return -loops.loop_scratch[record_at(loops.plan, e.loop) + R_SLOPE]
    return 0.0


@inlined
def enters_on_body(e):
    """Whether a row enters at a body."""
    return e.enter == ENTERS_B or e.enter == ENTERS_A


@inlined
def required(loops, e):
    """b of a row: K (V_b × V + Ṡθ̇), p″ q̇² of a coupling, 0 for an axis."""
    if is_axis(e):
        return 0.0
    if loop_at(loops.plan, e.loop).kind == COUPLING:
        return loops.loop_scratch[record_at(loops.plan, e.loop) + R_BIAS]
    return row_bias(loops.plan, loops.loop_scratch, e.loop, e.index, False)
