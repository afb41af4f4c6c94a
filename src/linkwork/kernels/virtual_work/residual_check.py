"""Whether accelerations and joint wrenches fit together: Newton's and Euler's equations of every link.

Reads what an algorithm left in the work space: transforms, velocities, accelerations, and the wrench of each joint.
"""

from linkwork.kernels.algebra.spatial import Wrench, gyroscopic, inertia_mul, wrench_add, wrench_sub, wrench_to_parent
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_vec, load_wrench, store_vec, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3
from linkwork.kernels.layout import I_BODY, LOST, N_STAGES, OK, W_FORCE, W_VELOCITY, WORK_ROW
from linkwork.kernels.numba_ext import any_of, fabs, helper, scalar, where
from linkwork.kernels.records import applied_at, index_row, load_inertia, load_xform, status
from linkwork.kernels.tree.rnea import ACCELERATION
from linkwork.kernels.virtual_work.constraint import joint_of

GIVEN, SIZES = ACCELERATION + 6, ACCELERATION + 12  # what a link gives to its children, and how large that is
# What may be left over: of the wrenches on a link, but no more than this of the largest anywhere; and rounding of that.
_LOCAL, _GLOBAL, _ROUNDING = 1e-7, 1e-8, 1e-12


@helper
def size(x):
    """A bound of the magnitude of a vector."""
    return fabs(x.x) + fabs(x.y) + fabs(x.z)


@helper
def allowed(here, largest):
    """What may be left over on a link, from the size of what acts on it and of the largest wrench anywhere."""
    local, most = _LOCAL * here, _GLOBAL * largest
    return where(local < most, local, most) + _ROUNDING * largest


@helper
def balance(model, index, work, option, q):
    """LOST, with the first stage whose wrenches do not balance, or OK; option 1: with wrenches applied to stages."""
    n, z = index[N_STAGES], scalar(q, 0.0)
    none = Wrench(Vec3(z, z, z), Vec3(z, z, z))
    largest = z
    for i in range(n):
        store_wrench(work, WORK_ROW * i + GIVEN, none)
        store_wrench(work, WORK_ROW * i + SIZES, none)
        w = load_wrench(work, WORK_ROW * i + W_FORCE)
        here = size(w.f) + size(w.n)
        if index[index_row(i) + I_BODY] >= 0:
            largest = where(here > largest, here, largest)
    for i in range(n - 1, -1, -1):
        if index[index_row(i) + I_BODY] < 0:
            continue
        here, I = WORK_ROW * i, load_inertia(model, i)  # noqa: E741
        w, given = load_wrench(work, here + W_FORCE), load_wrench(work, here + GIVEN)
        b = gyroscopic(I, load_motion(work, here + W_VELOCITY))
        left = wrench_add(wrench_add(inertia_mul(I, load_motion(work, here + ACCELERATION)), b), given)
        if option == 1:
            left = wrench_sub(left, load_wrench(work, applied_at(index, i)))
        left = wrench_sub(left, w)
        sizes = load_vec(work, here + SIZES)
        f, m = allowed(sizes.x + size(w.f), largest), allowed(sizes.y + size(w.n), largest)
        if any_of(size(left.f) > f) or any_of(size(left.n) > m):
            return status(LOST, i)
        _, parent, _ = joint_of(index, i)
        if parent >= 0:
            above = WORK_ROW * parent
            w = wrench_to_parent(load_xform(work, i), w)
            add_wrench(work, above + GIVEN, w)
            sizes = load_vec(work, above + SIZES)
            store_vec(work, above + SIZES, Vec3(sizes.x + size(w.f), sizes.y + size(w.n), z))
    return OK
