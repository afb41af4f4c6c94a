"""How points on surfaces lie in memory for the kernels: constants alone, which need no compiler.

``points`` is one block of floats: one row of `POINT_ROW` per point, then the programs of surfaces given as text (see
`contact.jets`). ``modes`` (n, `MODE_ROW`) says what each point does, and how it slides or where it sticks.
"""

# a row per point: its stage, the point in the stage's frame, coefficients, whether static friction was given, what is
# done at singular poses, the surface: kind, side, two vectors and two lengths, or where its program starts and ends
T_STAGE, T_POINT, T_FRICTION, T_STATIC, T_GIVEN, T_KIND, T_SIDE, T_AXIS, T_CENTER, T_MAJOR, T_MINOR, T_PROGRAM = (
    0, 1, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17,
)  # fmt: skip
POINT_ROW = 20
PLANE, SPHERE, CYLINDER, TORUS, TEXT = range(5)

# what a point does: to be found from the state, or as the last row says. Sliding has a direction s_ref (world), which
# holds where the speed is too small to have one; a point that sticks has an anchor (world)
FROM_STATE, STICKS, SLIDES, RESTS = 0, 1, 2, 3  # RESTS: at rest, and to slide with friction at once if it cannot stick
D_MODE, D_SLIDING, D_ANCHOR, D_ANCHORED = 0, 1, 4, 7
MODE_ROW = 8

# what is computed of each point: r, ṙ, normal, tangents; gap, its rate; relative velocity along the tangents, and
# acceleration in (normal, tangents); the force on it in the same axes; mode and direction that were found
O_POINT, O_VELOCITY, O_FRAME, O_GAP, O_RATE, O_SLIP, O_ACCELERATION, O_FORCE, O_MODE, O_DIRECTION = (
    0, 3, 6, 15, 16, 17, 19, 22, 25, 26,
)  # fmt: skip
OUT_ROW = 28

# what `solve` tells of each point: the normal force, friction (world), gap, whether it sticks
F_NORMAL, F_FRICTION, F_GAP, F_STICKS = 0, 1, 4, 5
POINT_FORCES = 6

STILL = 1e-9  # m/s: slower sliding has no direction
