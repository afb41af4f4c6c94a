"""How a linkage lies in memory for the kernels, and how numbers are read from there.

``model`` is one block of floats: a header (gravity), a row of `MODEL_ROW` per stage, damping and armature per degree
of freedom, and the rotation from each stage's frame to its body's. ``index`` is one block of integers: a header of
sizes, a row of `INDEX_ROW` per stage, for each degree of freedom the one it hangs on and where its row of the packed
mass matrix starts, and where in q each quaternion is. A *stage* is a body with one of the kernel's joints; a body
whose joint is universal or cylindrical is two stages, the first of them massless. Stages are in depth-first order: a
parent comes before its children.

``work`` holds a record of `WORK_ROW` scalars per stage, after them the wrench applied to each stage in its own frame,
the axis of each degree of freedom in world axes, and a factored matrix a stage. Offsets within a record are given
below; algorithms share them where they mean the same.
"""

import numpy as np

from linkwork.kernels.jit import helper, inlined
from linkwork.kernels.pack import any_of, fabs, load, prefetch, store
from linkwork.kernels.spatial import ArticulatedInertia, Inertia, Motion, Wrench, Xform
from linkwork.kernels.vec3 import Mat3, Sym3, Vec3

# Kinds of joints that kernels know. Axes lie along z of the stage's frame.
FIXED, REVOLUTE, AXIAL, PLANAR, SPHERICAL, FREE = range(6)
KIND_NV = np.array([0, 1, 1, 3, 3, 6])
KIND_NQ = np.array([0, 1, 1, 3, 4, 7])

# model: header, then a row a stage
GRAVITY = 0
MODEL_HEADER = 4
MODEL_ROW = 26
M_ROTATION, M_POSITION, M_MASS, M_MOMENT, M_INERTIA, M_SLIDE, M_TURN = 0, 9, 12, 13, 16, 22, 23
M_DAMPING, M_ARMATURE = 24, 25  # of one-axis joints, once more: beside the rest, however joints are ordered in v
ALIGN_ROW = 9

# index: header, then a row a stage
N_STAGES, N_Q, N_V, N_BODIES, N_NONZEROS, N_QUATERNIONS = 0, 1, 2, 3, 4, 5
N_BLOCK = 6  # stages in a block, of which most subtrees are part whole; 0 where they are not
INDEX_HEADER = 8
INDEX_ROW = 6
I_PARENT, I_KIND, I_Q, I_V, I_BODY = 0, 1, 2, 3, 4
I_OPENS = 5  # whether it is the first of its siblings that a sweep towards the root comes to

# work: a record a stage
WORK_ROW = 48
W_ROTATION, W_POSITION, W_VELOCITY, W_FORCE, W_INERTIA = 0, 9, 12, 18, 24
W_ACCELERATION = W_FORCE  # an algorithm that needs both at once keeps accelerations elsewhere
W_JOINT = 45  # three scalars of the joint's own; one-axis joints: 1/D, u, velocity
FACTOR_ROW = 21
AHEAD = 8  # stages by which a sweep asks for what it will need

# status of a kernel: the low four bits say what, the others where
OK, WRONG_SIZE, SINGULAR, NOT_FINITE, NOT_UNIT, SINGULAR_DOF, NO_INVERSE, LOST = 0, 1, 2, 3, 4, 5, 6, 7
_UNIT_TOLERANCE = 1e-3  # of a quaternion's squared length; kernels divide by the length, so it may be off a little


@helper
def status(what, where):
    return what | (where << 4)


@helper
def model_row(i):
    return MODEL_HEADER + MODEL_ROW * i


@helper
def index_row(i):
    return INDEX_HEADER + INDEX_ROW * i


@helper
def damping_at(index, d):
    """Where the damping of degree of freedom d is in the model."""
    return MODEL_HEADER + MODEL_ROW * index[N_STAGES] + d


@helper
def armature_at(index, d):
    """Where the armature of degree of freedom d is in the model."""
    return MODEL_HEADER + MODEL_ROW * index[N_STAGES] + index[N_V] + d


@helper
def align_at(index, i):
    """Where the rotation from stage i's frame to its body's is in the model."""
    return MODEL_HEADER + MODEL_ROW * index[N_STAGES] + 2 * index[N_V] + ALIGN_ROW * i


@helper
def dof_parent_at(index, d):
    """Where the degree of freedom that d hangs on is in the index (−1 for none)."""
    return INDEX_HEADER + INDEX_ROW * index[N_STAGES] + d


@helper
def row_start_at(index, d):
    """Where the start of row d of the packed mass matrix is in the index."""
    return INDEX_HEADER + INDEX_ROW * index[N_STAGES] + index[N_V] + d


@helper
def quaternion_at(index, k):
    """Where the place in q of the k-th quaternion is in the index."""
    return INDEX_HEADER + INDEX_ROW * index[N_STAGES] + 2 * index[N_V] + 1 + k


@helper
def applied_at(index, i):
    """Where the wrench applied to stage i is in the work space."""
    return WORK_ROW * index[N_STAGES] + 6 * i


@helper
def axis_at(index, d):
    """Where the axis (a motion) of degree of freedom d is in the work space."""
    return (WORK_ROW + 6) * index[N_STAGES] + 6 * d


@helper
def factor_at(index, i):
    """Where the factored 6 × 6 matrix (21 scalars) of stage i is in the work space."""
    return (WORK_ROW + 6) * index[N_STAGES] + 6 * index[N_V] + FACTOR_ROW * i


# Reading and writing algebra. `a` is an array of scalars, k the place of the first.


@helper
def load_vec(a, k):
    return Vec3(load(a, k), load(a, k + 1), load(a, k + 2))


@helper
def store_vec(a, k, x):
    store(a, k, x.x)
    store(a, k + 1, x.y)
    store(a, k + 2, x.z)


@helper
def load_mat(a, k):
    return Mat3(
        load(a, k), load(a, k + 1), load(a, k + 2),
        load(a, k + 3), load(a, k + 4), load(a, k + 5),
        load(a, k + 6), load(a, k + 7), load(a, k + 8),
    )  # fmt: skip


@helper
def store_mat(a, k, x):
    store(a, k, x.xx)
    store(a, k + 1, x.xy)
    store(a, k + 2, x.xz)
    store(a, k + 3, x.yx)
    store(a, k + 4, x.yy)
    store(a, k + 5, x.yz)
    store(a, k + 6, x.zx)
    store(a, k + 7, x.zy)
    store(a, k + 8, x.zz)


@helper
def load_sym(a, k):
    return Sym3(load(a, k), load(a, k + 1), load(a, k + 2), load(a, k + 3), load(a, k + 4), load(a, k + 5))


@helper
def store_sym(a, k, x):
    store(a, k, x.xx)
    store(a, k + 1, x.xy)
    store(a, k + 2, x.xz)
    store(a, k + 3, x.yy)
    store(a, k + 4, x.yz)
    store(a, k + 5, x.zz)


@helper
def load_motion(a, k):
    return Motion(load_vec(a, k), load_vec(a, k + 3))


@helper
def store_motion(a, k, x):
    store_vec(a, k, x.v)
    store_vec(a, k + 3, x.w)


@helper
def load_wrench(a, k):
    return Wrench(load_vec(a, k), load_vec(a, k + 3))


@helper
def store_wrench(a, k, x):
    store_vec(a, k, x.f)
    store_vec(a, k + 3, x.n)


@helper
def add_wrench(a, k, x):
    """Add the wrench x to the one at k."""
    store_vec(a, k, Vec3(load(a, k) + x.f.x, load(a, k + 1) + x.f.y, load(a, k + 2) + x.f.z))
    store_vec(a, k + 3, Vec3(load(a, k + 3) + x.n.x, load(a, k + 4) + x.n.y, load(a, k + 5) + x.n.z))


@helper
def load_xform(work, i):
    """Where stage i stands in its parent."""
    return Xform(load_mat(work, WORK_ROW * i + W_ROTATION), load_vec(work, WORK_ROW * i + W_POSITION))


@helper
def store_xform(work, i, X):
    store_mat(work, WORK_ROW * i + W_ROTATION, X.R)
    store_vec(work, WORK_ROW * i + W_POSITION, X.p)


@helper
def load_inertia(model, i):
    """The rigid inertia of stage i in its own frame."""
    k = model_row(i)
    return Inertia(load(model, k + M_MASS), load_vec(model, k + M_MOMENT), load_sym(model, k + M_INERTIA))


@helper
def load_articulated(a, k):
    return ArticulatedInertia(load_sym(a, k), load_mat(a, k + 6), load_sym(a, k + 15))


@helper
def store_articulated(a, k, x):
    store_sym(a, k, x.J)
    store_mat(a, k + 6, x.H)
    store_sym(a, k + 15, x.M)


@helper
def check_state(index, q):
    """Status of the coordinates q: their number, and the length of every quaternion."""
    if q.shape[0] != index[N_Q]:
        return status(WRONG_SIZE, 0)
    for j in range(index[N_QUATERNIONS]):
        k = index[quaternion_at(index, j)]
        x, y, z, w = load(q, k), load(q, k + 1), load(q, k + 2), load(q, k + 3)
        if any_of(fabs(x * x + y * y + z * z + w * w - 1.0) > _UNIT_TOLERANCE):
            return status(NOT_UNIT, k)
    return OK


@inlined
def look_ahead(index, i, q, v, u):
    """Ask for the numbers of stage i in q, v and u (nv): in a large tree they may lie anywhere."""
    if i < index[N_STAGES]:
        row = index_row(i)
        if index[row + I_KIND] != FIXED:
            prefetch(q, index[row + I_Q])
            prefetch(v, index[row + I_V])
            prefetch(u, index[row + I_V])
