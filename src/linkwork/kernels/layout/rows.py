"""How rows of loops lie in the assembly tree: what needs no compiler, so that planning can read it.

``special`` has one number per node of the tree: where its header is in ``net``, or −1 where no row passes. ``net`` is
one block of integers: for each special node a header, and one entry per row. Rows that are open, those that go on to
the node above, come first; those that end at the node come after them.

In the buffer of the records a special node has, from its place: K of each row, numbers, and where it is no leaf the
surroundings (a₁, f₂) at which y is meant, the matrix L of its rows with each other, and P of each row.
"""

from collections import namedtuple

from linkwork.kernels.layout.nodes import VECTOR

# net: a header
N_ROWS, N_OPEN, N_PLACE, N_LIST = range(4)
# … and an entry per row: its number among all rows, its place in the upper and in the lower part (−1: not there), its
# loop (−1 − stage: an axis of that stage's joint), its number in the loop, and how it enters here
E_ROW, E_LEFT, E_RIGHT, E_LOOP, E_INDEX, E_ENTER = range(6)
ENTRY = 6
# how a row enters: not here, at its body b, at its body a (on which the node hangs, or which it is), at either joint of
# a coupling, or as an axis of the node's joint
ENTERS_NOT, ENTERS_B, ENTERS_A, ENTERS_FOLLOWER, ENTERS_LEADER, ENTERS_AXIS = range(6)
# numbers of the rows, each a line of its own: what is left of a row at the reference, its force at the reference and
# now, what its L is made of before loops are closed (of an axis: the rows that may move it, −1 where none need to),
# 1 / pivot (0: open or redundant), which row was the k-th to be eliminated, scratch, and how much of an axis was added
# to the row before it
Y_LEFT, Y_REFERENCE, Y_FORCE, Y_SIZE, Y_INVERSE, Y_ORDER, Y_SCRATCH, Y_SHEAR = range(8)
NUMBERS = 8

JOIN_ROWS = 2 * VECTOR  # of scratch, for each row at a node

# loops in the assembly tree: the two above, and their own blocks (see `layout.loops`)
LoopBlocks = namedtuple("LoopBlocks", "special net plan geometry loop_scratch")


def rows_needed(rows: int, leaf: bool) -> int:
    """Rows of the buffer for a special node that so many rows of loops pass."""
    here = VECTOR * rows + (NUMBERS * rows + 3) // 4
    return here if leaf else here + 2 * VECTOR + (rows * rows + 3) // 4 + VECTOR * rows
