"""Drives of Planar, Spherical and Free joints, whose velocities are not the rates of their coordinates.

A row of ``poses`` (see `layout.acting`) says how such a joint moves: by a program for each coordinate, a quaternion
being one of any length; with a steady velocity from a pose, q = q₀ ⊕ (t − t₀) v; or as a function says, which writes q,
v and dv/dt itself. From coordinates follow, in the child's frame,

    ω = 2 p* ṗ / n,   ω̇ = 2 p* p̈ / n − ω ṅ / n,   n = p* p,   v = Rᵀ ṙ,   v̇ = Rᵀ r̈ − ω × v

of which p* ṗ and p* p̈ are vector parts of products of quaternions; along and about the normal alone where it is Planar.
"""

import math

from linkwork.kernels.algebra.rotations import quaternion_product, store_quaternion
from linkwork.kernels.algebra.storage import store_vec
from linkwork.kernels.algebra.vec3 import Vec3, cross, dot, quaternion_matrix, scale, sub, tmul
from linkwork.kernels.closed.records import axis_record_at
from linkwork.kernels.joints import axes_of, integrate_stage
from linkwork.kernels.layout import FAILED, NO_VALUE, OK
from linkwork.kernels.layout.acting import (
    C_CLOSED,
    C_FAILED,
    CALLED,
    JET,
    PO_COORDINATE,
    PO_DOF,
    PO_KEPT,
    PO_KIND,
    PO_PLACE,
    PO_STARTS,
    PO_WAY,
    STEADY,
    UNIT,
)
from linkwork.kernels.layout.kinds import PLANAR
from linkwork.kernels.layout.loops import A_GIVEN
from linkwork.kernels.motion.acting import LARGEST, hand_over, unanswered
from linkwork.kernels.motion.expressions import evaluate
from linkwork.kernels.numba_ext import call_at, helper, separate
from linkwork.kernels.records import status


@helper
def sizes(kind):
    """Coordinates and velocities of a joint."""
    nv = axes_of(kind)
    return nv if kind == PLANAR else nv + 1, nv


@helper
def load_jet(numbers, at, k):
    """Three neighbouring coordinates from the k-th on, or their rates or second derivatives by `at`: a vector."""
    return Vec3(numbers[at + JET * k], numbers[at + JET * (k + 1)], numbers[at + JET * (k + 2)])


@helper
def planar_motion(numbers, at, out):
    """q, v and dv/dt of a Planar joint from the jets of x, y and the angle at `at`."""
    r, v, a = load_jet(numbers, at, 0), load_jet(numbers, at + 1, 0), load_jet(numbers, at + 2, 0)
    s, c, w = math.sin(r.z), math.cos(r.z), v.z
    x, y = c * v.x + s * v.y, c * v.y - s * v.x
    store_vec(out, 0, r)
    store_vec(out, 3, Vec3(x, y, w))
    store_vec(out, 6, Vec3(c * a.x + s * a.y + w * y, c * a.y - s * a.x - w * x, a.z))


@helper
def turning_motion(numbers, at, place, nv, out):
    """q, ω and ω̇ from the jets of a quaternion at `at`; a joint's coordinates end with q, from `place` on: ω."""
    u, r = load_jet(numbers, at, 0), numbers[at + JET * 3]
    u1, r1 = load_jet(numbers, at + 1, 0), numbers[at + 1 + JET * 3]
    u2, r2 = load_jet(numbers, at + 2, 0), numbers[at + 2 + JET * 3]
    n = dot(u, u) + r * r
    first, _ = quaternion_product(scale(-1.0, u), r, u1, r1)
    second, _ = quaternion_product(scale(-1.0, u), r, u2, r2)
    w = scale(2.0 / n, first)
    last = place + 4 + nv  # where accelerations begin
    store_quaternion(out, place, u, r)
    store_vec(out, last - 3, w)
    store_vec(out, last + nv - 3, sub(scale(2.0 / n, second), scale(2.0 * (dot(u, u1) + r * r1) / n, w)))
    return w


@helper
def pose_motion(kind, numbers, at, out):
    """q, v and dv/dt, one after the other, from the jets of coordinates at `at`; False where a quaternion is zero."""
    nq, nv = sizes(kind)
    if kind == PLANAR:
        planar_motion(numbers, at, out)
        return True
    turn = at + JET * (nq - 4)
    size = 0.0
    for k in range(4):
        size += numbers[turn + JET * k] ** 2
    if not size > 0.0:
        return False
    w = turning_motion(numbers, turn, nq - 4, nv, out)
    if nv == 6:
        R = quaternion_matrix(out[3], out[4], out[5], out[6])
        v = tmul(R, load_jet(numbers, at + 1, 0))
        store_vec(out, 0, load_jet(numbers, at, 0))
        store_vec(out, nq, v)
        store_vec(out, nq + nv, sub(tmul(R, load_jet(numbers, at + 2, 0)), cross(w, v)))
    return True


@separate
def pose_jet(code, numbers, pose, t, out):
    """Leave q, v and dv/dt that a drive wants at time t in `out`; False where it has none. No function is called."""
    kind, kept = pose[PO_KIND], pose[PO_KEPT]
    nq, nv = sizes(kind)
    if numbers[kept] == t:
        for k in range(nq + 2 * nv):
            out[k] = numbers[kept + 1 + k]
        return True
    if pose[PO_WAY] == STEADY:
        place = pose[PO_PLACE]
        for d in range(nv):
            out[nq + d] = numbers[place + 1 + nq + d]
            out[nq + nv + d] = (t - numbers[place]) * out[nq + d]
        integrate_stage(kind, numbers[place + 1 :], 0, out[nq + nv :], 0, out)
        for d in range(nv):
            out[nq + nv + d] = 0.0
    else:
        for k in range(nq):
            if not evaluate(code, numbers, pose[PO_STARTS + k], t, 1.0, out, out, out):
                return False
            for j in range(JET):
                numbers[kept + 1 + JET * k + j] = out[j]
        if not pose_motion(kind, numbers, kept + 1, out):
            return False
    numbers[kept] = t
    for k in range(nq + 2 * nv):
        numbers[kept + 1 + k] = out[k]
    return True


@helper
def is_sound(kind, out):
    """Whether what a drive wants is finite, and its quaternion one."""
    nq, nv = sizes(kind)
    total, size = 0.0, 1.0 if kind == PLANAR else 0.0
    for k in range(nq + 2 * nv):
        total += out[k]
    if kind != PLANAR:
        for k in range(nq - 4, nq):
            size += out[k] * out[k]
    return abs(total) <= LARGEST and abs(size - 1.0) <= 2.0 * UNIT


@separate
def wanted_pose(poses, row, acting, t, q, v):
    """Leave q, v and dv/dt that a drive wants at time t on the stack: a status."""
    pose, stack = poses[row], acting.stack
    if pose[PO_WAY] == CALLED:
        hand_over(acting, t, q, v)
        call_at(pose[PO_PLACE], t, acting.q, acting.v, stack)
        if acting.calls[C_FAILED] != 0:
            return status(FAILED, row)
    elif not pose_jet(acting.code, acting.numbers, pose, t, stack):
        return unanswered(acting, NO_VALUE, row, t, q, v)
    return OK if is_sound(pose[PO_KIND], stack) else unanswered(acting, NO_VALUE, row, t, q, v)


@helper
def impose_poses(poses, acting, t, q, v):
    """Put driven coordinates and velocities where their drives want them; there are none where `poses` is None."""
    if poses is None:
        return OK
    else:  # noqa: RET505 — the compiler looks for both branches
        for row in range(poses.shape[0]):
            outcome = wanted_pose(poses, row, acting, t, q, v)
            if outcome != OK:
                return outcome
            place_pose(poses, row, acting.stack, q, v)
        return OK


@helper
def place_pose(poses, row, stack, q, v):
    """Write the coordinates and velocities that are on the stack."""
    nq, nv = sizes(poses[row, PO_KIND])
    for k in range(nq):
        q[poses[row, PO_COORDINATE] + k] = stack[k]
    for d in range(nv):
        v[poses[row, PO_DOF] + d] = stack[nq + d]


@helper
def follow_poses(poses, acting, loops, t, q, v):
    """Give driven axes their accelerations; in an open linkage also their coordinates and velocities."""
    if poses is None:
        return OK
    else:  # noqa: RET505
        plan, scratch = loops[0], loops[2]
        for row in range(poses.shape[0]):
            outcome = wanted_pose(poses, row, acting, t, q, v)
            if outcome != OK:
                return outcome
            nq, nv = sizes(poses[row, PO_KIND])
            for d in range(nv):
                axis = axis_record_at(plan, poses[row, PO_DOF] + d)
                scratch[axis + A_GIVEN] = acting.stack[nq + nv + d]
            if acting.calls[C_CLOSED] == 0:
                place_pose(poses, row, acting.stack, q, v)
        return OK


@helper
def add_pose_torques(poses, kept, total, needed):
    """Add to `kept` the torques of these drives; as of `drives.add_drive_torques`."""
    if poses is not None:
        for row in range(poses.shape[0]):
            for d in range(poses[row, PO_DOF], poses[row, PO_DOF] + axes_of(poses[row, PO_KIND])):
                kept[d] += needed[d] - total[d]
