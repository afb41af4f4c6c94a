"""Where bodies are and how they move.

Symbols: (R, p) the pose of a stage in the world; v, a velocity and acceleration of a stage in its own frame.
"""

from linkwork.kernels.algebra.spatial import Motion, Xform, compose, motion_to_child
from linkwork.kernels.algebra.storage import as_vec, load_mat, load_motion, load_vec, store_mat, store_motion, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, identity, mat_mul_t, mul, neg
from linkwork.kernels.joints import axes_of, joint_bias, joint_velocity, joint_xform, write_axes
from linkwork.kernels.layout import (
    N_STAGES,
    N_V,
    OK,
)
from linkwork.kernels.numba_ext import helper, load, scalar, separate, store
from linkwork.kernels.records import (
    align_at,
    axis_at,
    body_of,
    check_sizes,
    check_state,
    kept_acceleration_at,
    load_xform,
    stage_at,
    store_xform,
    velocity_at,
)
from linkwork.kernels.tree.rnea import ground_velocity

STAGE, POINT = 0, 1  # of a target


@helper
def world_poses(model, index, work, q):
    """Write the world pose of every stage into its record."""
    for i in range(index[N_STAGES]):
        parent, kind, k, _ = stage_at(index, i)
        X = joint_xform(model, i, kind, q, k)
        if parent >= 0:
            X = compose(load_xform(work, parent), X)
        store_xform(work, i, X)


@separate
def body_poses(model, index, work, option, q, positions, rotations):
    """World position (nb × 3) and rotation (nb × 9) of every body."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    world_poses(model, index, work, q)
    for i in range(index[N_STAGES]):
        body = body_of(index, i)
        if body >= 0:
            X = load_xform(work, i)
            store_vec(positions, 3 * body, X.p)
            store_mat(rotations, 9 * body, mat_mul_t(X.R, load_mat(model, align_at(index, i))))
    return OK


@separate
def velocities_and_poses(model, index, work, q, v):
    """World pose of every stage, and its velocity in its own frame."""
    for i in range(index[N_STAGES]):
        parent, kind, k, d = stage_at(index, i)
        X = joint_xform(model, i, kind, q, k)
        vi = ground_velocity(q) if parent < 0 else load_motion(work, velocity_at(parent))
        vi = joint_velocity(model, i, kind, v, d, motion_to_child(X, vi))
        store_motion(work, velocity_at(i), vi)
        if parent >= 0:
            X = compose(load_xform(work, parent), X)
        store_xform(work, i, X)


@helper
def body_velocities(model, index, work, option, q, v, out):
    """World twist (nb × 6) of every body's origin."""
    outcome = check_sizes(index, q, v, v, v)
    if outcome != OK:
        return outcome
    velocities_and_poses(model, index, work, q, v)
    for i in range(index[N_STAGES]):
        body = body_of(index, i)
        if body >= 0:
            R = load_xform(work, i).R
            m = load_motion(work, velocity_at(i))
            store_motion(out, 6 * body, Motion(mul(R, m.v), mul(R, m.w)))
    return OK


@separate
def stage_accelerations(model, index, work, last, q, v, a):
    """Accelerations, gravity left out, of the stages up to `last`; with their velocities and world poses."""
    for i in range(last + 1):
        parent, kind, k, d = stage_at(index, i)
        X = joint_xform(model, i, kind, q, k)
        vi = ai = ground_velocity(q)
        if parent >= 0:
            vi = load_motion(work, velocity_at(parent))
            ai = load_motion(work, kept_acceleration_at(parent))
        vi = joint_velocity(model, i, kind, v, d, motion_to_child(X, vi))
        ai = joint_velocity(model, i, kind, a, d, motion_to_child(X, ai))
        store_motion(work, velocity_at(i), vi)
        store_motion(work, kept_acceleration_at(i), joint_bias(model, i, kind, v, d, vi, ai))
        if parent >= 0:
            X = compose(load_xform(work, parent), X)
        store_xform(work, i, X)


@helper
def classical(work, i, point):
    """World acceleration of a point of stage i, as a particle's, and of the stage about it."""
    R = load_xform(work, i).R
    v = load_motion(work, velocity_at(i))
    a = load_motion(work, kept_acceleration_at(i))
    vp = add(v.v, cross(v.w, point))
    ap = add(add(a.v, cross(a.w, point)), cross(v.w, vp))
    return Motion(mul(R, ap), mul(R, a.w))


@helper
def body_accelerations(model, index, work, option, q, v, a, out):
    """World classical acceleration (nb × 6) of every body's origin."""
    outcome = check_sizes(index, q, v, a, a)
    if outcome != OK:
        return outcome
    stage_accelerations(model, index, work, index[N_STAGES] - 1, q, v, a)
    z = scalar(q, 0.0)
    for i in range(index[N_STAGES]):
        body = body_of(index, i)
        if body >= 0:
            store_motion(out, 6 * body, classical(work, i, Vec3(z, z, z)))
    return OK


@helper
def jacobian(model, index, work, target, q, out):
    """Jacobian (6 × nv, row by row) of a target, a point of a stage: only the stage's ancestors are visited."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    nv = index[N_V]
    for k in range(6 * nv):
        store(out, k, scalar(q, 0.0))
    # Up the ancestors: the point, in the axes of its own stage, seen from each
    stage = int(target[STAGE])
    seen = Xform(identity(scalar(q, 1.0), scalar(q, 0.0)), as_vec(q, load_vec(target, POINT)))
    i = stage
    while i >= 0:
        parent, kind, k, _ = stage_at(index, i)
        store_xform(work, i, seen)
        seen = compose(joint_xform(model, i, kind, q, k), seen)
        i = parent
    # Up again, with the world rotation of each
    i = stage
    while i >= 0:
        parent, kind, _, d = stage_at(index, i)
        near = load_xform(work, i)
        R = mat_mul_t(seen.R, near.R)
        write_axes(model, i, kind, Xform(R, neg(mul(R, near.p))), work, axis_at(index, d))
        for j in range(axes_of(kind)):
            for r in range(6):
                store(out, r * nv + d + j, load(work, axis_at(index, d + j) + r))
        i = parent
    return OK


@helper
def jacobian_bias(model, index, work, target, q, v, zero, out):
    """Classical acceleration (6) of a target, a point of a stage, when that of every joint is zero."""
    outcome = check_sizes(index, q, v, v, v)
    if outcome != OK:
        return outcome
    stage = int(target[STAGE])
    stage_accelerations(model, index, work, stage, q, v, zero)
    store_motion(out, 0, classical(work, stage, as_vec(q, load_vec(target, POINT))))
    return OK
