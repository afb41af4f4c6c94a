"""How the assembly tree and the records of its nodes lie in memory: what needs no compiler.

``nodes`` has one row of integers per node, in post-order: a subtree is the rows FIRST … itself, its root the last.
``buffer``, of shape (rows, 1, 4), holds the records: a matrix takes `MATRIX` of its rows, a vector `VECTOR`. What the
entries of a record mean is told where they are named, in `kernels.assembly_tree.views`.
"""

from typing import Any, NamedTuple

# kinds of nodes
LEAF, JOIN, HANG, SUM = range(4)
# a row of `nodes`: its parts (−1: none), its kind, the stage of its body or joint (−1: none), whether it is one body
# and what hangs on it, whether the path goes on below it, levels below it, the node that it is part of, the first node
# of its subtree, and where in the buffer its record is: PLACE, PORT (it has a bottom body of its own), SOLVE (its upper
# part has one), TOTAL (the total acceleration); −1 where there is none
LEFT, RIGHT, KIND, STAGE, RIGID, OPEN, HEIGHT, ABOVE, FIRST, PLACE, PORT, SOLVE, TOTAL = range(13)
NODE_ROW = 13

# rows of the buffer: of a matrix, of a vector, and of a vector with lower digits
MATRIX, VECTOR = 12, 2
PAIR = 2 * VECTOR

# a record from PLACE: I, a₁, f₁, the joint's bias, and of each axis u, t and four numbers
TOP, FORCE, BIAS, AXES = MATRIX, MATRIX + VECTOR, MATRIX + 2 * VECTOR, MATRIX + 3 * VECTOR
AXIS_T, AXIS_NUMBERS, AXIS_ROWS = VECTOR, 2 * VECTOR, 3 * VECTOR
# … from PORT: Tᵀ, Φ, f₂, a₂, and for adaptive simulation Ψ₁₂, Ψ₂₂, g₂, f₂ now and off its reference, a pose
P_PHI, P_FORCE, P_BOTTOM, PORT_ROWS = MATRIX, 2 * MATRIX, 2 * MATRIX + VECTOR, 2 * MATRIX + 2 * VECTOR
P_PSI_12, P_PSI_2, P_G = PORT_ROWS, PORT_ROWS + MATRIX, PORT_ROWS + 2 * MATRIX
P_NOW, P_OFF, P_POSE = P_G + VECTOR, P_G + 2 * VECTOR, P_G + 3 * VECTOR
POSE_ROWS = 3
PORT_EXTRA = 2 * MATRIX + 3 * VECTOR + POSE_ROWS + 1
# … from SOLVE: V, and for adaptive simulation K and T'ᵀ
S_K, S_T = MATRIX, 2 * MATRIX
SOLVE_ROWS, ADAPTIVE_SOLVE_ROWS = MATRIX, 3 * MATRIX
# … from TOTAL: Ψ₁₁, g₁, a₁ now and off its reference, four numbers, a pose
T_G, T_NOW, T_OFF, T_NUMBERS = MATRIX, MATRIX + VECTOR, MATRIX + 2 * VECTOR, MATRIX + 3 * VECTOR
T_POSE = T_NUMBERS + 1
TOTAL_ROWS = T_POSE + POSE_ROWS

# scratch of divide and conquer: eight matrices and nine vectors; of adaptive simulation: five matrices, ten vectors and
# two with lower digits more
SCRATCH_MATRICES, SCRATCH_VECTORS = 8, 9
SCRATCH_ROWS = SCRATCH_MATRICES * MATRIX + SCRATCH_VECTORS * VECTOR
ADAPTIVE_MATRICES, ADAPTIVE_VECTORS, ADAPTIVE_PAIRS = 5, 10, 2
ADAPTIVE_SCRATCH_ROWS = (
    SCRATCH_ROWS + ADAPTIVE_MATRICES * MATRIX + ADAPTIVE_VECTORS * VECTOR + ADAPTIVE_PAIRS * PAIR
)
# buffer in which the axes of one stage are tried: its inertia, and the axes of a free joint
TRIAL_ROWS = MATRIX + 6 * AXIS_ROWS


class Blocks(NamedTuple):
    """A linkage, its assembly tree, and the records of its parts; `scratch` is the row where free rows begin."""

    model: Any
    index: Any
    work: Any
    buffer: Any
    nodes: Any
    scratch: Any
