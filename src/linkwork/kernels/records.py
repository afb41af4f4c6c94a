"""Where the records of a linkage are in its blocks, and how they are read: see `layout`."""

from linkwork.kernels.algebra.spatial import Inertia
from linkwork.kernels.algebra.storage import load_pose, load_sym, load_vec, store_pose
from linkwork.kernels.layout import (
    ALIGN_ROW,
    FACTOR_ROW,
    FIXED,
    I_BODY,
    I_KIND,
    I_PARENT,
    I_Q,
    I_V,
    INDEX_HEADER,
    INDEX_ROW,
    M_INERTIA,
    M_MASS,
    M_MOMENT,
    MODEL_HEADER,
    MODEL_ROW,
    N_Q,
    N_QUATERNIONS,
    N_STAGES,
    N_V,
    NOT_FINITE,
    NOT_UNIT,
    OK,
    W_ACCELERATION,
    W_FORCE,
    W_INERTIA,
    W_JOINT,
    W_POSE,
    W_VELOCITY,
    WORK_ROW,
    WRONG_SIZE,
)
from linkwork.kernels.numba_ext import any_of, fabs, helper, inlined, load, prefetch, scalar

_UNIT_TOLERANCE = 1e-3  # of a quaternion's squared length; kernels divide by the length, so it may be off a little


@helper
def status(what, where):
    return what | (where << 4)


@helper
def finite(total):
    """The status of results of which this is a sum."""
    return status(NOT_FINITE, 0) if any_of(total - total != 0.0) else OK


@helper
def all_finite(x, n):
    """The status of n results."""
    total = scalar(x, 0.0)
    for k in range(n):
        total += load(x, k)
    return finite(total)


@helper
def model_row(i):
    return MODEL_HEADER + MODEL_ROW * i


@helper
def index_row(i):
    return INDEX_HEADER + INDEX_ROW * i


@helper
def stage_at(index, i):
    """Parent, kind of joint, first coordinate and first degree of freedom of stage i."""
    row = index_row(i)
    return index[row + I_PARENT], index[row + I_KIND], index[row + I_Q], index[row + I_V]


@helper
def parent_of(index, i):
    return index[index_row(i) + I_PARENT]


@helper
def body_of(index, i):
    """The body that stage i is, −1 for one between the axes of a compound joint."""
    return index[index_row(i) + I_BODY]


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
def velocity_at(i):
    """Where the velocity of stage i, in its own frame, is in the work space."""
    return WORK_ROW * i + W_VELOCITY


@helper
def force_at(i):
    """Where the wrench of stage i, or of its joint, is in the work space."""
    return WORK_ROW * i + W_FORCE


@helper
def acceleration_at(i):
    """Where the acceleration of stage i is in the work space: in the place of the wrench, no longer needed by then."""
    return WORK_ROW * i + W_ACCELERATION


@helper
def kept_acceleration_at(i):
    """Where algorithms without articulated inertias keep the acceleration of stage i, beside the wrench."""
    return WORK_ROW * i + W_INERTIA


@helper
def inertia_at(i):
    """Where the articulated inertia of stage i, or another one, is in the work space."""
    return WORK_ROW * i + W_INERTIA


@helper
def joint_at(i):
    """Where the three scalars of the joint of stage i are in the work space."""
    return WORK_ROW * i + W_JOINT


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


@helper
def made_at(index, i):
    """Where it is kept what the inertia that weak stage i carries is made of: its mass and its moments."""
    return (WORK_ROW + 6 + FACTOR_ROW) * index[N_STAGES] + 6 * index[N_V] + 2 * i


@helper
def work_end(index):
    """Where the work space that all algorithms share ends; some have more behind it."""
    return made_at(index, index[N_STAGES])


@helper
def load_xform(work, i):
    """Where stage i stands in its parent."""
    return load_pose(work, WORK_ROW * i + W_POSE)


@helper
def store_xform(work, i, X):
    store_pose(work, WORK_ROW * i + W_POSE, X)


@helper
def load_inertia(model, i):
    """The rigid inertia of stage i in its own frame."""
    k = model_row(i)
    return Inertia(load(model, k + M_MASS), load_vec(model, k + M_MOMENT), load_sym(model, k + M_INERTIA))


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


@helper
def check_sizes(index, q, v, x, y):
    """Status of the coordinates q, and of three arrays of nv."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    nv = index[N_V]
    return OK if v.shape[0] == nv and x.shape[0] == nv and y.shape[0] == nv else status(WRONG_SIZE, 0)


@inlined
def look_ahead(index, i, q, v, u):
    """Ask for the numbers of stage i in q, v and u (nv): in a large tree they may lie anywhere."""
    if i < index[N_STAGES]:
        _, kind, k, d = stage_at(index, i)
        if kind != FIXED:
            prefetch(q, k)
            prefetch(v, d)
            prefetch(u, d)
