"""How loops lie in memory for the kernels: constants alone, so that packing can read them without the compiler.

``plan`` is one block of integers: a header that says where its sections and those of the scratch space start, a row a
loop, the slots of each stage, the first column of each stage. ``geometry`` is one block of floats, a row a loop.
``bench``, the scratch space, holds the world pose of each stage, the rows in the slots, a record a loop, the square
root of the rows' matrix, the steps of its elimination, a record a degree of freedom, a number a column, and three
numbers a row (right-hand side, squared length, whether it was eliminated) with the margin and the weakest loop after
them.
"""

COUPLING = -1  # in the place of a loop joint's kind: two tree joints of which one follows the other

# plan: header, then the sections it points to
P_LOOPS, P_ROWS, P_COLUMNS, P_WORLD, P_ROWS_AT, P_RECORDS, P_LOOP, P_SLOT_START, P_SLOT, P_COLUMN = range(10)
P_BASIS, P_STEPS, P_AXES, P_SPREAD, P_NUMBERS = range(10, 15)
PLAN_HEADER = 16
# a row of `plan` a loop: kind, stages, number of rows and the first of them, of degrees of freedom, of coordinates; its
# range of columns, where its basis and its steps are; of a coupling the two joints
L_KIND, L_A, L_B, L_ROWS, L_ROW, L_NV, L_V, L_NQ, L_Q = range(9)
L_LOW, L_HIGH, L_BASIS, L_STEP, L_DOF_I, L_DOF_J, L_Q_I, L_Q_J = range(9, 17)
L_SLOT_A, L_SLOT_B, L_BESIDE = 17, 18, 19  # where its rows enter, at the bodies a and b; rows beside them at the end
LOOP_INDEX = 20
# a slot: the rows of one loop at one stage. Which loop, where its rows are, and where they go (−1: they end here)
S_LOOP, S_AT, S_NEXT = 0, 1, 2
SLOT = 3
# a row of `geometry` a loop
G_A, G_B, G_SLIDE, G_TURN, G_MIDDLE, G_DAMPING, G_RATIO, G_OFFSET = 0, 12, 24, 25, 26, 44, 50, 51
GEOMETRY_ROW = 52  # G_MIDDLE: from each hinge of a row to the next, two rotations at most
# a record of `bench` a loop: pose of Fb in stage a, K, S, error, coordinates, velocities, V_b × V + Ṡθ̇, V
R_IN_A, R_K, R_S, R_ERROR, R_Q, R_V, R_BIAS, R_RATE = 0, 12, 48, 84, 90, 97, 103, 109
RECORD = 116
# a record of `bench` a degree of freedom: U, 1/D, its root, u
A_U, A_R, A_ROOT, A_FORCE = 0, 6, 7, 8
AXIS = 9
PROJECTION_LINES = 10  # rows of scratch that `closed.projection` needs
