"""Hybrid dynamics of trees: the accelerations of some joints are given, those of the others follow from their torques.

A joint whose acceleration is given hands all the articulated inertia below it up, and what its own motion takes:
pa = pA + IA (c + S q̈). Symbols of `aba`.

References: [Featherstone2008] 9.2.
"""

from linkwork.kernels.algebra.spatial import (
    articulated_mul,
    articulated_to_parent,
    motion_to_child,
    wrench_add,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_wrench, store_motion
from linkwork.kernels.joints import joint_bias, joint_velocity
from linkwork.kernels.layout import FIXED, N_STAGES, N_V, OK, SINGULAR
from linkwork.kernels.numba_ext import helper, separate
from linkwork.kernels.records import (
    acceleration_at,
    all_finite,
    force_at,
    load_xform,
    stage_at,
    status,
    velocity_at,
)
from linkwork.kernels.tree.aba import accelerate, finish, gathered, hand_up, start
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity


@helper
def is_given(index, held, i):
    """Whether the acceleration of the joint of stage i is given."""
    _, kind, _, d = stage_at(index, i)
    return kind != FIXED and held[d] != 0


@helper
def pass_given(model, index, work, v, a, i):
    """Pass 2 at a stage whose joint's acceleration is given."""
    parent, kind, _, d = stage_at(index, i)
    if parent >= 0:
        A, X = gathered(model, index, work, i), load_xform(work, i)
        c = joint_bias(model, i, kind, v, d, load_motion(work, velocity_at(i)), ground_velocity(v))
        c = joint_velocity(model, i, kind, a, d, c)
        p = wrench_add(load_wrench(work, force_at(i)), articulated_mul(A, c))
        hand_up(index, work, i, parent, articulated_to_parent(X, A))
        add_wrench(work, force_at(parent), wrench_to_parent(X, p))


@helper
def move_given(model, index, work, q, v, a, i):
    """Pass 3 at a stage whose joint's acceleration is given."""
    parent, kind, _, d = stage_at(index, i)
    ai = ground_acceleration(model, q, 1.0) if parent < 0 else load_motion(work, acceleration_at(parent))
    ai = motion_to_child(load_xform(work, i), ai)
    ai = joint_bias(model, i, kind, v, d, load_motion(work, velocity_at(i)), ai)
    store_motion(work, acceleration_at(i), joint_velocity(model, i, kind, a, d, ai))


@separate
def hybrid_aba(model, index, work, held, loaded, q, v, tau, a):
    """a of the joints that are not `held` (nv), under τ; it comes with that of those that are."""
    n = index[N_STAGES]
    for i in range(n):
        start(model, index, work, loaded, q, v, tau, i)
    for i in range(n - 1, -1, -1):
        if is_given(index, held, i):
            pass_given(model, index, work, v, a, i)
        else:
            outcome = finish(model, index, work, v, tau, i)
            if outcome != OK:
                return outcome
    for i in range(n):
        if is_given(index, held, i):
            move_given(model, index, work, q, v, a, i)
        elif not accelerate(model, index, work, q, v, tau, a, i):
            return status(SINGULAR, i)
    return all_finite(a, index[N_V])
