"""How loops lie in memory for the kernels: constants alone, so that packing can read them without the compiler.

``plan`` is one block of integers: a header that says where its sections and those of the scratch space start, one row
per loop, the slots of each stage, the first column of each stage. ``geometry`` is one block of floats, one row per
loop. ``scratch`` holds the world pose of each stage, the rows in the slots, one record per loop, the square root of the
rows' matrix, the steps of its elimination, one record per degree of freedom, four numbers per column, and four numbers
per row (right-hand side, squared length, squared scale, whether it was eliminated) with the margin and the weakest
loop after them.

`kernels.closed.records` gives all of these their names.
"""

from typing import Any, NamedTuple

COUPLING = -1  # in the place of a loop joint's kind: two tree joints of which one follows the other

# plan: header, then the sections it points to
P_LOOPS, P_ROWS, P_COLUMNS, P_WORLD, P_ROWS_AT, P_RECORDS, P_LOOP, P_SLOT_START, P_SLOT, P_COLUMN = range(10)
P_BASIS, P_STEPS, P_AXES, P_SPREAD, P_NUMBERS = range(10, 15)
PLAN_HEADER = 16


class Loop(NamedTuple):
    """What the plan says of one loop, as integers; or of all, as columns."""

    kind: Any
    a: Any  # stages, −1 for ground; of a coupling those of the leader and of the follower
    b: Any
    rows: Any  # how many
    row: Any  # the first of them
    nv: Any
    v: Any
    nq: Any
    q: Any
    low: Any  # its range of columns
    high: Any
    basis: Any  # where its part of the rows' square root is, and where its steps are
    steps: Any
    dof_i: Any  # of a coupling: the two joints
    dof_j: Any
    q_i: Any
    q_j: Any
    at_a: Any  # where its rows enter, at the bodies a and b
    at_b: Any
    beside: Any  # rows of other loops that are changed where it is eliminated


class Slot(NamedTuple):
    """The rows of one loop at one stage; or of all, as columns."""

    loop: Any
    at: Any  # where they are
    next: Any  # where they go; −1: they end here


LOOP_INDEX, SLOT = len(Loop._fields), len(Slot._fields)

# a row of `geometry` per loop
G_A, G_B, G_SLIDE, G_TURN, G_MIDDLE, G_DAMPING = 0, 12, 24, 25, 26, 44
# G_MIDDLE: from each hinge of a row to the next, two rotations at most; G_LENGTH: how large its links are, m; G_UNIT:
# the unit of length its rows are in (m, mm, km, ...)
G_LENGTH, G_UNIT, GEOMETRY_ROW = 50, 51, 52
# a coupling has the coefficients of its polynomial there, in ascending order, and in its record slope and bias
G_POLYNOMIAL, COEFFICIENTS = 0, 5
# a record of `scratch` per loop: pose of Fb in stage a, K, S, error, coordinates, velocities, V_b × V + Ṡθ̇, V, and by
# what length rounding moves a force of its rows, relative
R_IN_A, R_K, R_S, R_ERROR, R_Q, R_V, R_BIAS, R_RATE, R_LEVER = 0, 12, 48, 84, 90, 97, 103, 109, 115
R_SLOPE = R_S  # of a coupling: p′(qⱼ); its bias, p″(qⱼ) q̇ⱼ², is the first entry of R_BIAS
RECORD = 116
# a record of `scratch` per degree of freedom: U, 1/D, its root, u; whether its acceleration is given, and that
A_U, A_R, A_ROOT, A_FORCE, A_HELD, A_GIVEN = 0, 6, 7, 8, 9, 10
AXIS = 11
COLUMN_NUMBERS = 4  # Bᵀ μ; of an axis that rows alone move: 1 + its stage until a row was taken, u, the size of its k
PROJECTION_LINES = 11  # rows of scratch that `closed.projection` needs
ADJOINT_LINES = 16  # … and `closed.projection_adjoint`
