"""How the assembly tree and the records of its nodes lie in memory: what needs no compiler.

``nodes`` has one row of integers per node, in post-order: a subtree is the rows FIRST … itself, its root the last.
``buffer``, of shape (rows, 1, 4), holds the records: a matrix takes `MATRIX` of its rows, a vector `VECTOR`. What the
entries of a record mean is told where they are named, in `kernels.assembly_tree.views`.
"""

from collections import namedtuple

# kinds of nodes
LEAF, JOIN, HANG, SUM = range(4)
# a row of `nodes`: its parts (−1: none), its kind, the stage of its body or joint (−1: none), whether it is one body
# and what hangs on it, whether the path goes on below it, levels below it, the node that it is part of, the first node
# of its subtree, and where in the buffer its record is: PLACE, PORT (it has a bottom body of its own), SOLVE (its upper
# part has one), TOTAL (the total acceleration); −1 where there is none
LEFT, RIGHT, KIND, STAGE, RIGID, OPEN, HEIGHT, ABOVE, FIRST, PLACE, PORT, SOLVE, TOTAL = range(13)
NODE_ROW = 13

# what the tree is built in: rows of integers, and more levels than any height and any nesting of weighted halves
BUILD_ROOM, BUILD_LEVELS = 12, 128

# rows of the buffer: of a matrix, of a vector, and of a vector with lower digits
MATRIX, VECTOR = 12, 2
PAIR = 2 * VECTOR

# rows of a record, in the order in which `views` names them: from PLACE, of each axis, from PORT, from SOLVE, and from
# TOTAL; for adaptive simulation so many more from PORT, and more from SOLVE
PLACE_ROWS, AXIS_ROWS, PORT_ROWS, SOLVE_ROWS = MATRIX + 3 * VECTOR, 3 * VECTOR, 2 * MATRIX + 2 * VECTOR, MATRIX
T_NUMBERS, P_POSE = MATRIX + 3 * VECTOR, PORT_ROWS + 2 * MATRIX + 3 * VECTOR  # places that Python reads, too
POSE_ROWS = 3
TOTAL_ROWS = T_NUMBERS + 1 + POSE_ROWS
PORT_EXTRA = P_POSE + POSE_ROWS + 1 - PORT_ROWS  # so that every record has an even number of rows
ADAPTIVE_SOLVE_ROWS = 3 * MATRIX

# scratch of divide and conquer, and that with what adaptive simulation needs besides
SCRATCH_ROWS = 8 * MATRIX + 9 * VECTOR
ADAPTIVE_SCRATCH_ROWS = SCRATCH_ROWS + 5 * MATRIX + 10 * VECTOR + 2 * PAIR

# A linkage, its assembly tree, and the records of its parts; `scratch` is the row from which on rows are free
Blocks = namedtuple("Blocks", "model index work buffer nodes scratch")
