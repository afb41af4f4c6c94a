"""How a linkage lies in memory for the kernels: constants alone, which need no compiler.

``model`` is one block of floats: a header (gravity), one row of `MODEL_ROW` per stage, damping and armature per degree
of freedom, and the rotation from each stage's frame to its body's. ``index`` is one block of integers: a header of
sizes, one row of `INDEX_ROW` per stage, for each degree of freedom the one it hangs on and where its row of the packed
mass matrix starts, and where in q each quaternion is. A *stage* is a body with one of the kernel's joints; a body
whose joint is several of these in a row is several stages, all but the last massless (see `kinds`). Stages are in
depth-first order: a parent comes before its children.

``work`` holds one record of `WORK_ROW` scalars per stage, after them the wrench applied to each stage in its own frame,
the axis of each degree of freedom in world axes, one factored matrix per stage, and two numbers per stage, what the
inertia that weak stages carry is made of. Offsets within a record are given
below; algorithms share them where they mean the same.
"""

from linkwork.kernels.layout.kinds import (  # noqa: F401
    FIXED,
    FREE,
    HELICAL,
    KIND_NV,
    PLANAR,
    REVOLUTE,
    SPHERICAL,
)

# model: header, then one row per stage
GRAVITY = 0
MODEL_HEADER = 4
MODEL_ROW = 26
M_ROTATION, M_POSITION, M_MASS, M_MOMENT, M_INERTIA, M_SLIDE, M_TURN = 0, 9, 12, 13, 16, 22, 23
M_DAMPING, M_ARMATURE = 24, 25  # of one-axis joints, once more: beside the rest, however joints are ordered in v
ALIGN_ROW = 9

# index: header, then one row per stage
N_STAGES, N_Q, N_V, N_BODIES, N_NONZEROS, N_QUATERNIONS = 0, 1, 2, 3, 4, 5
N_BLOCK = 6  # stages in a block, of which most subtrees are part whole; 0 where they are not
N_WEAK = 7  # weak stages, see I_FLAGS
INDEX_HEADER = 8
INDEX_ROW = 6
I_PARENT, I_KIND, I_Q, I_V, I_BODY = 0, 1, 2, 3, 4
I_FLAGS = 5
# … which are: whether it is the first of its siblings that a sweep towards the root comes to; whether its own inertia
# leaves an axis of its joint without resistance (a massless body, the middle of a universal joint); whether that is so
# of its parent
OPENS, WEAK, ON_WEAK = 1, 2, 4

# work: one record per stage
WORK_ROW = 48
W_POSE, W_VELOCITY, W_FORCE, W_INERTIA = 0, 12, 18, 24
W_ROTATION, W_POSITION = W_POSE, W_POSE + 9
W_ACCELERATION = W_FORCE  # an algorithm that needs both at once keeps accelerations elsewhere
W_JOINT = 45  # three scalars of the joint's own; one-axis joints: 1/D, u, velocity
FACTOR_ROW = 21
AHEAD = 8  # stages by which a sweep asks for what it will need

# What a kernel returns, its status: the low four bits say what, the others where.
OK = 0
WRONG_SIZE = 1  # an array does not fit the linkage
SINGULAR, SINGULAR_DOF = 2, 5  # a joint with zero effective inertia; where: its stage, or its degree of freedom
NOT_FINITE = 3
NOT_UNIT = 4  # a quaternion; where: its place in q
NO_INVERSE = 6  # an inertia; where: its stage
LOST = 7  # too many digits; where: the stage at which that shows
DIVERGED = 8  # a velocity is above FASTEST; where: its degree of freedom
UNSOLVED = 9  # an implicit step
LIMIT = 10  # a step goes beyond a joint's limit or strength
UNCLOSED = 11  # loops stay open
FAILED = 12  # a function of a user gave no numbers; where: which of `acting.calls`, or the row of a drive
NO_VALUE = 13  # an expression; where: its row of `acting.acts`
UNDRIVEN = 14  # loops leave driven joints no motion of their own
IRREGULAR = 15  # points on surfaces that compiled code leaves to Python
NO_INERTIA = (SINGULAR, SINGULAR_DOF)
FASTEST = 1e12  # rad/s or m/s: a state that is faster has diverged
STEP_SCRATCH = 8  # arrays of nv that a step in time needs

# what `tree.energy.totals` writes: energies, momentum, mass, mass times its centre
T_KINETIC, T_POTENTIAL, T_LINEAR, T_ANGULAR, T_MASS, T_MOMENT, TOTALS = 0, 1, 2, 5, 8, 9, 12
