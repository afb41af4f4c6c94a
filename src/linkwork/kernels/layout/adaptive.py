"""What adaptive simulations and their kernels tell each other: constants and tuples, which need no compiler."""

from typing import Any, NamedTuple

# measures of the error ([Redon2005] definition 2) in the order of their numbers; those of single joints come last
MEASURES = ("absolute-linkage", "relative-linkage", "absolute-joint", "relative-joint")
ABSOLUTE_LINKAGE, RELATIVE_LINKAGE, ABSOLUTE_JOINT, RELATIVE_JOINT = range(4)

# parts of a step: loads that have changed, the whole linkage queued, joints computed, and moved
CHANGED, BEGIN, COMPUTE, MOVE = 1, 2, 4, 8
TOO_MANY = 1 << 62  # what a step returns that would compute more joints than allowed

# what acts on a body: point (stage frame), force and moment (world axes); wrench of loop joints (stage frame)
F_POINT, F_FORCE, F_MOMENT, F_LOOPS = 0, 3, 6, 9
FORCE_ROW = 15

# ends of a loop: the leaves of its bodies (−1 for ground), and the first node that holds both
END_A, END_B, END_JOINED = range(3)

# `Descent.count`: nodes in the queue, nodes taken from it, joints computed
QUEUED, TAKEN, COMPUTED = range(3)
# `Descent.known`: Σ q̈² and the largest q̈² of the joints computed; how many times the noise of the tree counts, which
# is more than once where there are loops, whose forces have noise of their own
SQUARES, LARGEST, TIMES = range(3)


class Descent(NamedTuple):
    """The way down from the whole linkage to the joints that matter."""

    keys: Any  # the queue, a heap: keys, and nodes
    queue: Any
    taken: Any  # nodes taken from it
    count: Any
    known: Any
    bounds: Any  # (2,) receives the bound of the error and the noise floor


class Marks(NamedTuple):
    """Which nodes are to be updated, and in what order."""

    mark: Any
    order: Any
    stack: Any


class Loads(NamedTuple):
    """What acts on bodies and joints."""

    forces: Any  # FORCE_ROW numbers per loaded body
    force_of: Any  # per stage: its number among these, or −1
    leaves: Any  # the leaves of loaded bodies
    driven: Any  # nodes whose joints have new torques
    tau: Any
    heavy: Any  # whether loads may hold each other: forces then have lower digits


class State(NamedTuple):
    """Coordinates, accelerations, and room for the displacement of one joint."""

    q: Any
    a: Any
    step: Any  # (6,)


class Tops(NamedTuple):
    """The nodes above the bodies of loops, which have records of their own, and what loops start from."""

    nodes: Any  # these and their children, numbered anew
    main_of: Any  # which node of the tree each is
    ends: Any  # (loops, 3)
    force: Any  # of every row
    marks: Any  # receives 0 for redundant rows, 1 for others
    gap: Any  # (1,) receives the largest error of a loop
