"""Inverse dynamics by the recursive Newton–Euler algorithm.

Symbols: vi, ai velocity and acceleration of a stage in its own frame; fi the wrench its parent exerts on it; X, S, I
transform, axes and inertia of the stage. Gravity is an acceleration of the ground, upwards.

References: [Featherstone2008] table 5.1; the formula beside a line is a line of that table.
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
    N_STAGES,
    N_V,
    OK,
)
from linkwork.kernels.numba_ext import helper, load, prefetch, scalar, separate, store
from linkwork.kernels.records import (
    align_at,
    applied_at,
    armature_at,
    body_of,
    check_sizes,
    damping_at,
    finite,
    force_at,
    kept_acceleration_at,
    load_inertia,
    load_xform,
    look_ahead,
    stage_at,
    store_xform,
    velocity_at,
)


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
    outcome = check_sizes(index, q, v, a, tau)
    if outcome != OK:
        return outcome
    return newton_euler(model, index, work, loaded, 1.0, q, v, a, tau)


@separate
def newton_euler(model, index, work, loaded, weight, q, v, a, tau):
    """The passes of `rnea`, with gravity times `weight`."""
    n = index[N_STAGES]
    # Pass 1: velocities, accelerations and the wrench that moves each body
    for i in range(n):
        parent, kind, k, d = stage_at(index, i)
        look_ahead(index, i + AHEAD, q, v, a)
        X = joint_xform(model, i, kind, q, k)
        store_xform(work, i, X)
        if parent < 0:
            vi = ground_velocity(q)
            ai = ground_acceleration(model, q, weight)
        else:
            vi = load_motion(work, velocity_at(parent))
            ai = load_motion(work, kept_acceleration_at(parent))
        vi = joint_velocity(model, i, kind, v, d, motion_to_child(X, vi))  # X v + S q̇
        ai = joint_velocity(model, i, kind, a, d, motion_to_child(X, ai))  # X a + S q̈ + c
        ai = joint_bias(model, i, kind, v, d, vi, ai)
        store_motion(work, velocity_at(i), vi)
        store_motion(work, kept_acceleration_at(i), ai)
        I = load_inertia(model, i)  # noqa: E741
        fi = wrench_add(inertia_mul(I, ai), gyroscopic(I, vi))  # I a + v ×* I v − f
        if loaded:
            fi = wrench_sub(fi, load_wrench(work, applied_at(index, i)))
        store_wrench(work, force_at(i), fi)
    # Pass 2: each joint carries its body and all that hangs on it
    for i in range(n - 1, -1, -1):
        parent, kind, _, d = stage_at(index, i)
        if i >= AHEAD:
            _, next_kind, _, next_d = stage_at(index, i - AHEAD)
            if next_kind != FIXED:
                prefetch(tau, next_d)
        fi = load_wrench(work, force_at(i))
        joint_force(model, i, kind, d, fi, tau)  # τ = Sᵀ f
        if parent >= 0:
            add_wrench(work, force_at(parent), wrench_to_parent(load_xform(work, i), fi))
    # Armature and damping act along the joint itself
    total = scalar(q, 0.0)
    for d in range(index[N_V]):
        x = load(tau, d) + load(model, armature_at(index, d)) * load(a, d)
        x += load(model, damping_at(index, d)) * load(v, d)
        store(tau, d, x)
        total += x
    return finite(total)


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
        body = body_of(index, i)
        if body >= 0:
            A = load_mat(model, align_at(index, i))
            w = load_wrench(work, force_at(i))
            store_wrench(out, 6 * body, Wrench(mul(A, w.f), mul(A, w.n)))
