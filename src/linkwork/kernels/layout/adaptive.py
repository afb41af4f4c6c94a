"""What adaptive simulations and their kernels tell each other: constants and tuples, which need no compiler."""

from collections import namedtuple

# measures of the error ([Redon2005] definition 2) in the order of their numbers; those of single joints come last
MEASURES = ("absolute-linkage", "relative-linkage", "absolute-joint", "relative-joint")
ABSOLUTE_LINKAGE, RELATIVE_LINKAGE, ABSOLUTE_JOINT, RELATIVE_JOINT = range(4)
# those of displacements, which are of the linkage as a whole
ABSOLUTE_DISPLACEMENT, RELATIVE_DISPLACEMENT = 4, 5

# parts of a step: loads that have changed, the whole linkage queued, joints computed, and moved
CHANGED, BEGIN, COMPUTE, MOVE = 1, 2, 4, 8
CLOSE = 16  # of dynamics: nodes whose joints hardly move are closed
SETTLE = 32  # with CHANGED: references follow the loads
CATCH_UP = 64  # what the last step moved is brought up to date first
TOO_MANY = 1 << 62  # what a step returns that would compute more joints than allowed
NO_ROOM = TOO_MANY + 1  # what it returns where the parts that it moves as rigid bodies need more room

# what acts on a body: point (stage frame), force and moment (world axes); wrenches of loop joints and of springs (stage
# frame); where the stage stands in the world
F_POINT, F_FORCE, F_MOMENT, F_LOOPS, F_SPRINGS, F_POSE = 0, 3, 6, 9, 15, 21
FORCE_ROW = 33
# a spring: points at its ends (stage frames), stiffness, length at rest
S_POINT_A, S_POINT_B, S_STIFFNESS, S_LENGTH = 0, 3, 6, 7
SPRING_ROW = 8
# a term of a joint's potential: its kind, and three numbers: stiffness, rest; amplitude, multiplicity, phase; where the
# coefficients of a spline start, intervals
HARMONIC, PERIODIC, SPLINE = range(3)
TERM_KIND, TERM_A, TERM_B, TERM_C = range(4)
TERM_ROW = 4

# numbers per stage that `tree.resting_aba` needs beyond the work space that all share
KEPT = 21

# rows of the buffer for what the turning of a part adds, see `rotating_parts`, and of the scratch to make it
SPIN_ROWS, SPIN_SCRATCH_ROWS = 38, 108
# A linkage in motion, see `moving_parts`: velocities; whether each node is open (HELD …); of each node opened, and of
# each part held, the velocity of its top body, and that of its bottom body beyond it; nodes to be closed; totals
# (SIZE_NOW …); where the columns of parts at rest begin in the buffer; the rows of loops
Motions = namedtuple("Motions", "v active top bottom closing totals spins rows")
HELD, OPENED, CLOSED = range(3)  # of a node: nothing moves in it, its joint moves, it is about to be held
# ‖q̈‖² of this step, and the largest of late, which fades; energy lost by closing, in the last step and in all; kinetic
# energy at the last closing; sweeps in the last step, openings and closings in all
SIZE_NOW, SIZE_LATELY, LOST_NOW, LOST, KINETIC, SWEEPS, OPENINGS, CLOSINGS = range(8)

# ends of a loop: the leaves of its bodies (−1 for ground), and the first node that holds both
END_A, END_B, END_JOINED = range(3)

# The way down from the whole linkage to the joints that matter: the queue, a heap of keys and nodes; the nodes taken
# from it, and those that the last step moved; `count`: nodes in the queue, nodes taken, joints computed, nodes moved,
# nodes last brought up to date, nodes on the stack beside the queue;
# `known`: Σ q̈² and the largest q̈² of these joints, and how many times the noise of the tree counts (more than once
# where there are loops, whose forces have noise of their own), and, of displacements, the share of the error that the
# keys of the queue have been, and the joints that the last step computed; `bounds` receives the bound of the error and
# the noise floor
Descent = namedtuple("Descent", "keys queue taken moved count known bounds")
QUEUED, TAKEN, COMPUTED, MOVED_LAST, UPDATED, STACKED = range(6)
SQUARES, LARGEST, TIMES, SHARE_OF_KEYS, COMPUTED_LAST = range(5)
# Which nodes are to be updated, and in what order
Marks = namedtuple("Marks", "mark order stack")
# What acts: FORCE_ROW numbers per loaded body; for each stage its number among these, or −1; the leaves of these
# bodies; nodes whose joints have new torques; all torques; whether loads may hold each other: forces then have lower
# digits; True where parts have rigid twins, None where they have total accelerations; springs and, for each, the
# numbers of its bodies among the loaded ones, −1 for ground; the potentials of joints
Loads = namedtuple("Loads", "forces force_of leaves driven tau heavy twins springs ends potentials")
# The terms of degree of freedom d are those from first[d] to first[d + 1]; coefficients of splines; armature of the
# linkage; what accelerations are multiplied by in a step
Potentials = namedtuple("Potentials", "first terms table armature gain")
# Coordinates, exact accelerations, those of the projection, those that the last step moved by, and room for the
# displacement of one joint
State = namedtuple("State", "q a projected used step")
# The nodes that were opened and the parts that they are made of, numbered anew, see `projection`; the new number of
# each node; the rows of the buffer from which on, and up to which, there is room for their records
Opened = namedtuple("Opened", "nodes local first end")
# The rows of loops where parts are held, see `moving_loops`: of each node opened and each part held, as numbered now,
# where in `net` its header is (−1: no row passes), and the same of each node of the tree; the blocks of loops, as in
# `layout.rows`; the ends of loop joints; the forces of rows, which are solved for anew each time, and marks of those
# that are not redundant; the largest error of a loop; nodes that rows pass and all above them, parents first, and
# whether each node is one of these
MovingRows = namedtuple(
    "MovingRows", "special special_of net plan geometry loop_scratch ends force marks gap passed is_passed"
)
# The nodes above the bodies of loops, which have records of their own, and their children, numbered anew; which node of
# the tree each is; the ends of loops; the forces of rows, from which they start; marks: 0 for redundant rows, 1 for
# others; the largest error of a loop
Tops = namedtuple("Tops", "nodes main_of ends force marks gap")
