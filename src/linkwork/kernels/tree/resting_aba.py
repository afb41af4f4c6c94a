"""Accelerations of a linkage at rest, under forces on some of its bodies.

The articulated-body algorithm, see `aba`, without all that velocities ask for. Forces are turned to the stages' frames
on the way: in the place of a stage's velocity are the first two axes of the world in its frame.

References: [Featherstone2008] table 7.1.
"""

from linkwork.kernels.algebra.dense import articulated_solve
from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    articulated_minus,
    articulated_mul,
    articulated_to_parent,
    hinge_minus,
    hinge_to_parent,
    motion_to_child,
    power,
    wrench_add,
    wrench_sub,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import (
    add_wrench,
    load_articulated,
    load_motion,
    load_vec,
    load_wrench,
    store_articulated,
    store_motion,
    store_vec,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, scale, sub, sym_inverse, sym_mul, tmul
from linkwork.kernels.joints import (
    along,
    along3,
    column,
    columns,
    has_one_axis,
    joint_inertia3,
    joint_velocity,
    joint_xform,
)
from linkwork.kernels.layout import (
    AHEAD,
    FIXED,
    FREE,
    I_FLAGS,
    M_ARMATURE,
    N_BLOCK,
    N_STAGES,
    N_V,
    OK,
    OPENS,
    PLANAR,
    REVOLUTE,
    SINGULAR,
)
from linkwork.kernels.layout.adaptive import F_FORCE, F_MOMENT, F_POINT, FORCE_ROW
from linkwork.kernels.numba_ext import helper, inlined, load, separate, store
from linkwork.kernels.records import (
    acceleration_at,
    all_finite,
    check_sizes,
    force_at,
    index_row,
    inertia_at,
    joint_at,
    load_xform,
    look_ahead,
    model_row,
    parent_of,
    stage_at,
    status,
    store_xform,
    velocity_at,
)
from linkwork.kernels.tree.aba import gathered, hand_up, look_up_ahead, torque_at
from linkwork.kernels.tree.joint_inertia import (
    NOTHING,
    combine,
    eliminate3,
    negligible,
    nothing,
    own_inertia,
    trace,
    weigh,
)
from linkwork.kernels.tree.rnea import ground_acceleration


@helper
def to_stage(axes, f):
    """A vector in world axes, seen from a stage in which the first two of these are `axes`."""
    z = cross(axes.v, axes.w)
    return Vec3(
        f.x * axes.v.x + f.y * axes.w.x + f.z * z.x,
        f.x * axes.v.y + f.y * axes.w.y + f.z * z.y,
        f.x * axes.v.z + f.y * axes.w.z + f.z * z.z,
    )


@inlined
def start(model, index, work, row_of, q, tau, forces, i):
    """Pass 1 at stage i: transform, world axes, and the force that it needs to rest."""
    parent, kind, k, d = stage_at(index, i)
    X = joint_xform(model, i, kind, q, k)
    store_xform(work, i, X)
    axes = Motion(Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0)) if parent < 0 else load_motion(work, velocity_at(parent))
    axes = Motion(tmul(X.R, axes.v), tmul(X.R, axes.w))
    store_motion(work, velocity_at(i), axes)
    zero, row = Vec3(0.0, 0.0, 0.0), row_of[i]
    p = Wrench(zero, zero)
    if row >= 0:
        at = FORCE_ROW * row
        f = to_stage(axes, load_vec(forces, at + F_FORCE))
        n = add(to_stage(axes, load_vec(forces, at + F_MOMENT)), cross(load_vec(forces, at + F_POINT), f))
        p = wrench_sub(p, Wrench(f, n))
    store_wrench(work, force_at(i), p)
    if has_one_axis(kind):
        store(work, torque_at(i), load(tau, d))


@inlined
def finish(model, index, work, tau, i):
    """Pass 2 at stage i, all below it done: articulated inertia and force, handed up to its parent; a status."""
    parent, kind, _, d = stage_at(index, i)
    A = gathered(model, index, work, i)
    p = load_wrench(work, force_at(i))
    if index[index_row(i) + I_FLAGS] > OPENS and weigh(model, index, work, i, kind, d, A, NOTHING):
        return status(SINGULAR, i)
    if has_one_axis(kind):
        U = column(model, i, kind, A)  # U = IA S, D = Sᵀ U
        armature = load(model, model_row(i) + M_ARMATURE)
        D = along(model, i, kind, U) + armature
        if D - 0.5 * own_inertia(model, i, kind) <= 0.0:
            return status(SINGULAR, i)
        u, r = load(work, torque_at(i)) - along(model, i, kind, p), 1.0 / D  # τ − Sᵀ pA
        store_wrench(work, inertia_at(i), U)
        store(work, joint_at(i), r)
        store(work, torque_at(i), u)
        if parent < 0:
            return OK
        X, s = load_xform(work, i), r * u
        p = Wrench(add(p.f, scale(s, U.f)), add(p.n, scale(s, U.n)))  # pa = pA + U D⁻¹ u
        add_wrench(work, force_at(parent), wrench_to_parent(X, p))
        if kind == REVOLUTE and armature == 0.0:
            hand_up(index, work, i, parent, hinge_to_parent(X, hinge_minus(A, U, r)))
        else:  # Ia = IA − U D⁻¹ Uᵀ
            hand_up(index, work, i, parent, articulated_to_parent(X, articulated_minus(A, U, r)))
        return OK
    if kind != FIXED:
        store_articulated(work, inertia_at(i), A)
    if kind == FREE:  # nothing of the subtree's inertia passes a free joint, only the force along it
        p, A = Wrench(load_vec(tau, d), load_vec(tau, d + 3)), nothing(work)
    elif kind != FIXED:
        Di, det = sym_inverse(joint_inertia3(model, index, kind, d, A))
        size = trace(A.M) if kind == PLANAR else trace(A.J)
        if negligible(det, size * size * trace(A.J)):
            return status(SINGULAR, i)
        u = sub(load_vec(tau, d), along3(kind, p))
        store_vec(work, joint_at(i), u)
        Ux, Uy, Uz = columns(kind, A)
        p, A = combine(p, sym_mul(Di, u), Ux, Uy, Uz), eliminate3(model, index, kind, d, A)
    if parent >= 0:
        X = load_xform(work, i)
        hand_up(index, work, i, parent, articulated_to_parent(X, A))
        add_wrench(work, force_at(parent), wrench_to_parent(X, p))
    return OK


@helper
def inertia_passes(model, index, work, row_of, q, tau, forces):
    """Passes 1 and 2, a block at a time where subtrees may go back while in the cache, as in `aba`; a status."""
    n, block = index[N_STAGES], index[N_BLOCK]
    back = block == 0
    if back:
        block = n
    for begin in range(0, n, block):
        end = min(n, begin + block)
        for i in range(begin, end):
            look_ahead(index, i + AHEAD, q, tau, tau)
            start(model, index, work, row_of, q, tau, forces, i)
        for step in range(end - begin):
            k = n - 1 - step if back else begin + step
            above = parent_of(index, k)
            if not back:  # all that is complete with this stage
                above = parent_of(index, k + 1) if k + 1 < n else -1
            while k != above:
                outcome = finish(model, index, work, tau, k)
                if outcome != OK:
                    return outcome
                k = parent_of(index, k)
    return OK


@helper
def acceleration_pass(model, index, work, q, tau, a):
    """Pass 3: accelerations, root to leaves; the free stage that has no inertia, or −1."""
    for i in range(index[N_STAGES]):
        parent, kind, _, d = stage_at(index, i)
        ai = ground_acceleration(model, q, 1.0) if parent < 0 else load_motion(work, acceleration_at(parent))
        ai = motion_to_child(load_xform(work, i), ai)
        look_up_ahead(index, work, i + AHEAD, a)
        if has_one_axis(kind):
            U = load_wrench(work, inertia_at(i))
            store(a, d, load(work, joint_at(i)) * (load(work, torque_at(i)) - power(ai, U)))  # q̈ = D⁻¹ (u − Uᵀ a')
        elif kind != FIXED:
            A = load_articulated(work, inertia_at(i))
            if kind == FREE:
                p = wrench_add(load_wrench(work, force_at(i)), articulated_mul(A, ai))
                f, n = sub(load_vec(tau, d), p.f), sub(load_vec(tau, d + 3), p.n)
                x, det_m, det_j, J = articulated_solve(A, Wrench(f, n))
                m, j = trace(A.M), trace(J)
                if negligible(det_m, m * m * m) or negligible(det_j, j * j * j) or negligible(j, trace(A.J)):
                    return i
                store_vec(a, d, x.v)
                store_vec(a, d + 3, x.w)
            else:
                Di, _ = sym_inverse(joint_inertia3(model, index, kind, d, A))
                Ux, Uy, Uz = columns(kind, A)
                u = load_vec(work, joint_at(i))
                store_vec(a, d, sym_mul(Di, Vec3(u.x - power(ai, Ux), u.y - power(ai, Uy), u.z - power(ai, Uz))))
        store_motion(work, acceleration_at(i), joint_velocity(model, i, kind, a, d, ai))
    return -1


@separate
def resting_aba(model, index, work, row_of, q, tau, forces, a):
    """a with τ = (H + armature) a + gravity − what forces do.

    `forces` has a row of FORCE_ROW for each loaded stage, whose number there `row_of` (stages) tells (−1: none); the
    wrenches of loops and springs in it are left out.
    """
    outcome = check_sizes(index, q, tau, tau, a)
    if outcome != OK:
        return outcome
    outcome = inertia_passes(model, index, work, row_of, q, tau, forces)
    if outcome != OK:
        return outcome
    stage = acceleration_pass(model, index, work, q, tau, a)
    if stage >= 0:
        return status(SINGULAR, stage)
    return all_finite(a, index[N_V])
