"""Whether accelerations and joint wrenches fit together: Newton's and Euler's equations of every link.

Reads what an algorithm left in the work space: transforms, velocities, accelerations, and the wrench of each joint.
"""

from linkwork.kernels.algebra.spatial import Wrench, gyroscopic, inertia_mul, wrench_add, wrench_sub, wrench_to_parent
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_vec, load_wrench, store_vec, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, size
from linkwork.kernels.layout import LOST, N_STAGES, OK
from linkwork.kernels.numba_ext import any_of, helper, scalar, where
from linkwork.kernels.records import (
    applied_at,
    body_of,
    force_at,
    kept_acceleration_at,
    load_inertia,
    load_xform,
    status,
    velocity_at,
)
from linkwork.kernels.virtual_work.constraint import joint_of

# Rounding bounds, what may be left over: of the wrenches on a link, but no more than this of the largest anywhere; and
# of that one.
_LOCAL, _GLOBAL, _ROUNDING = 1e-7, 1e-8, 1e-12


@helper
def given_at(i):
    """Where the wrench that a link gives to its children is in the work space."""
    return kept_acceleration_at(i) + 6


@helper
def sizes_at(i):
    """Where it is kept how large the force and the moment are that a link gives to its children."""
    return given_at(i) + 6


@helper
def allowed(here, largest):
    """What may be left over on a link, from the size of what acts on it and of the largest wrench anywhere."""
    local, most = _LOCAL * here, _GLOBAL * largest
    return where(local < most, local, most) + _ROUNDING * largest


@helper
def residual_check(model, index, work, option, q):
    """LOST, with the first stage whose wrenches do not add up, or OK; option 1: with wrenches applied to stages."""
    n, z = index[N_STAGES], scalar(q, 0.0)
    none = Wrench(Vec3(z, z, z), Vec3(z, z, z))
    largest = z
    for i in range(n):
        store_wrench(work, given_at(i), none)
        store_wrench(work, sizes_at(i), none)
        w = load_wrench(work, force_at(i))
        here = size(w.f) + size(w.n)
        if body_of(index, i) >= 0:
            largest = where(here > largest, here, largest)
    for i in range(n - 1, -1, -1):
        if body_of(index, i) < 0:
            continue
        I = load_inertia(model, i)  # noqa: E741
        w, given = load_wrench(work, force_at(i)), load_wrench(work, given_at(i))
        b = gyroscopic(I, load_motion(work, velocity_at(i)))
        left = wrench_add(wrench_add(inertia_mul(I, load_motion(work, kept_acceleration_at(i))), b), given)
        if option == 1:
            left = wrench_sub(left, load_wrench(work, applied_at(index, i)))
        left = wrench_sub(left, w)
        sizes = load_vec(work, sizes_at(i))
        f, m = allowed(sizes.x + size(w.f), largest), allowed(sizes.y + size(w.n), largest)
        if any_of(size(left.f) > f) or any_of(size(left.n) > m):
            return status(LOST, i)
        _, parent, _ = joint_of(index, i)
        if parent >= 0:
            w = wrench_to_parent(load_xform(work, i), w)
            add_wrench(work, given_at(parent), w)
            sizes = load_vec(work, sizes_at(parent))
            store_vec(work, sizes_at(parent), Vec3(sizes.x + size(w.f), sizes.y + size(w.n), z))
    return OK
