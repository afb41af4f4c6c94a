"""How shapes and contacts lie in memory for the kernels: constants alone, which need no compiler."""

# A ball of a solid: its stage (−1: ground), its centre in the stage's frame, its radius
B_STAGE, B_POINT, B_RADIUS = 0, 1, 4
BALL_ROW = 5

# A surface in a frame of its own: a plane z = 0, a sphere about the origin, a cylinder about z, with ends at ±S_MINOR
# unless that is zero, a torus about z; also any function, a program from S_MAJOR to S_MINOR, or, for contacts by
# events, one that is called at the address S_MAJOR. The frame stands in that of a stage; on ground it may move, with a
# twist and an acceleration in world axes. Then whether a surface on ground changes with time at all; and the velocity
# with which its material slides along it as far as it can, in its frame.
PLANE, SPHERE, CYLINDER, TORUS, FIELD, CALLED = range(6)
S_STAGE, S_KIND, S_MAJOR, S_MINOR, S_SIDE, S_POSE, S_TWIST, S_ACCELERATION, S_CHANGES = 0, 1, 2, 3, 4, 5, 17, 23, 29
S_SLIDING = 30
SURFACE_ROW = 33

# A ball that meets a surface: their numbers; the ball at the other end of an edge where the nearest one in between is
# meant (−1: none), and which half of the edge where a torus is nearest at two of them (±1, else 0); how many balls from
# this one on are corners of a face where the nearest one within is meant (0: none); coefficients of the pair; the
# number of the pair; of a ball that holds a solid or part of one, how many of the following rows need no look where it
# is away from the surface
M_BALL, M_END, M_HALF, M_CORNERS, M_SURFACE, M_FRICTION, M_STATIC, M_RESTITUTION, M_PAIR, M_SKIPPED = range(10)
MEETING_ROW = 10

# A contact: stages a and b; the point and the normal from a to b, world axes; the gap, negative where they overlap;
# coefficients of friction, static friction and restitution; the velocity of b's partner where a is ground that moves;
# the number of the pair, and that of the contact, the same as long as the contact lasts
C_A, C_B, C_POINT, C_NORMAL, C_GAP, C_FRICTION, C_STATIC, C_RESTITUTION, C_VELOCITY, C_PAIR, C_FEATURE = (
    0, 1, 2, 5, 8, 9, 10, 11, 12, 15, 16,
)  # fmt: skip
CONTACT_ROW = 17

# What is seen of a meeting: gap, point, frame (normal, two tangents), world axes; along the frame: relative velocity,
# relative acceleration and force, and its coefficient of friction; how far it is from the end of its mode, negative
# beyond, by how much it may be so, and which end that is; the velocity of the surface where it moves by itself; how far
# it is within its edge or face, as a share of that, and how fast it moves over it, shares per second
E_GAP, E_POINT, E_FRAME, E_VELOCITY, E_ACCELERATION, E_FORCE, E_FRICTION = 0, 1, 4, 13, 16, 19, 22
E_MARGIN, E_SLACK, E_END, E_SURFACE, E_INSIDE, E_HASTE = 23, 24, 25, 26, 29, 30
EVENT_ROW = 31
LIFTS, STOPS, SLIPS, PASSES = 0.0, 1.0, 2.0, 3.0  # E_END; the last one beyond its edge or face
TIME = 8  # of what time stepping tells, `told`: the time for which surfaces are placed
NOWHERE = -1.0  # how far within its edge or face a place is, as a share, where there is none
HASTE = 0.1  # of its edge or face: so far may a contact move over it in one step
AWAY = 1e30  # m: the gap of what is not there
