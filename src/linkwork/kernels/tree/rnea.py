"""Inverse dynamics by the recursive Newton–Euler algorithm.

Symbols: v, a velocity and acceleration of a stage in its own frame; f the wrench its parent exerts on it.

References: [Featherstone2008] table 5.1.
"""

from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    gyroscopic,
    inertia_mul,
    motion_to_child,
    wrench_add,
    wrench_sub,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import add_wrench, load_mat, load_motion, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, mul
from linkwork.kernels.joints import joint_bias, joint_force, joint_velocity, joint_xform
from linkwork.kernels.layout import (
    AHEAD,
    FIXED,
    GRAVITY,
    I_BODY,
    I_KIND,
    I_PARENT,
    I_Q,
    I_V,
    N_STAGES,
    N_V,
    NOT_FINITE,
    OK,
    W_FORCE,
    W_INERTIA,
    W_VELOCITY,
    WORK_ROW,
    WRONG_SIZE,
)
from linkwork.kernels.numba_ext import any_of, helper, load, prefetch, scalar, store
from linkwork.kernels.records import (
    align_at,
    applied_at,
    armature_at,
    check_state,
    damping_at,
    index_row,
    load_inertia,
    load_xform,
    look_ahead,
    status,
    store_xform,
)

ACCELERATION = W_INERTIA  # here the place of the articulated inertia is free


@helper
def ground_velocity(q):
    """The ground stands still."""
    z = scalar(q, 0.0)
    return Motion(Vec3(z, z, z), Vec3(z, z, z))


@helper
def ground_acceleration(model, q, weight):
    """Gravity, times `weight`, as an acceleration of the ground, upwards."""
    z = scalar(q, 0.0)
    x, y, u = load(model, GRAVITY), load(model, GRAVITY + 1), load(model, GRAVITY + 2)
    return Motion(Vec3(scalar(q, -weight * x), scalar(q, -weight * y), scalar(q, -weight * u)), Vec3(z, z, z))


@helper
def rnea(model, index, work, loaded, q, v, a, tau):
    """τ = (H + armature) a + bias + damping · v; leaves each joint's wrench in the work space."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if v.shape[0] != index[N_V] or a.shape[0] != index[N_V] or tau.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    return newton_euler(model, index, work, loaded, 1.0, q, v, a, tau)


@helper
def newton_euler(model, index, work, loaded, weight, q, v, a, tau):
    """The passes of `rnea`, with gravity times `weight`."""
    n = index[N_STAGES]
    # Pass 1: velocities, accelerations and the wrench that moves each body
    for i in range(n):
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        look_ahead(index, i + AHEAD, q, v, a)
        X = joint_xform(model, i, kind, q, index[row + I_Q])
        store_xform(work, i, X)
        if parent < 0:
            vi = ground_velocity(q)
            ai = ground_acceleration(model, q, weight)
        else:
            vi = load_motion(work, WORK_ROW * parent + W_VELOCITY)
            ai = load_motion(work, WORK_ROW * parent + ACCELERATION)
        vi = joint_velocity(model, i, kind, v, d, motion_to_child(X, vi))
        ai = joint_velocity(model, i, kind, a, d, motion_to_child(X, ai))
        ai = joint_bias(model, i, kind, v, d, vi, ai)
        store_motion(work, WORK_ROW * i + W_VELOCITY, vi)
        store_motion(work, WORK_ROW * i + ACCELERATION, ai)
        I = load_inertia(model, i)  # noqa: E741
        fi = wrench_add(inertia_mul(I, ai), gyroscopic(I, vi))
        if loaded:
            fi = wrench_sub(fi, load_wrench(work, applied_at(index, i)))
        store_wrench(work, WORK_ROW * i + W_FORCE, fi)
    # Pass 2: each joint carries its body and all that hangs on it
    for i in range(n - 1, -1, -1):
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        if i >= AHEAD and index[index_row(i - AHEAD) + I_KIND] != FIXED:
            prefetch(tau, index[index_row(i - AHEAD) + I_V])
        fi = load_wrench(work, WORK_ROW * i + W_FORCE)
        joint_force(model, i, kind, d, fi, tau)
        if parent >= 0:
            add_wrench(work, WORK_ROW * parent + W_FORCE, wrench_to_parent(load_xform(work, i), fi))
    # Armature and damping act along the joint itself
    total = scalar(q, 0.0)
    for d in range(index[N_V]):
        x = load(tau, d) + load(model, armature_at(index, d)) * load(a, d)
        x += load(model, damping_at(index, d)) * load(v, d)
        store(tau, d, x)
        total += x
    return status(NOT_FINITE, 0) if any_of(total - total != 0.0) else OK


@helper
def joint_wrenches(model, index, work, loaded, q, v, a, tau, out):
    """The wrench (nb × 6) that each body's joint exerts on it, at its origin and in its own axes; and τ."""
    outcome = rnea(model, index, work, loaded, q, v, a, tau)
    if outcome == OK:
        write_wrenches(model, index, work, out)
    return outcome


@helper
def write_wrenches(model, index, work, out):
    """Turn the wrenches that Newton–Euler left in the work space into the bodies' own axes."""
    for i in range(index[N_STAGES]):
        body = index[index_row(i) + I_BODY]
        if body >= 0:
            A = load_mat(model, align_at(index, i))
            w = load_wrench(work, WORK_ROW * i + W_FORCE)
            store_wrench(out, 6 * body, Wrench(mul(A, w.f), mul(A, w.n)))
