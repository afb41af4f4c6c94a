"""Forward dynamics by the articulated-body algorithm.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
IA, pA  articulated inertia, 21 numbers and so exactly symmetric, and bias wrench of a stage; A and p in pass 2
S       axes of the stage's joint
U       IA S
D       Sᵀ U + armature; r = 1/D, and Di its inverse where the joint has three axes
u       τ − damping · v − Sᵀ pA
c       velocity-product acceleration of the joint
vi, ai  velocity and acceleration of the stage in its own frame; gravity is an acceleration of the ground
======= ================================================================================================================

References: [Featherstone2008] table 7.1; the formula beside a line is a line of that table.
"""

from linkwork.kernels.algebra.dense import articulated_solve
from linkwork.kernels.algebra.spatial import (
    ArticulatedInertia,
    Wrench,
    articulated,
    articulated_add,
    articulated_minus,
    articulated_mul,
    articulated_to_parent,
    gyroscopic,
    hinge_bias,
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
    as_mat,
    as_sym,
    load_articulated,
    load_motion,
    load_vec,
    load_wrench,
    store_articulated,
    store_motion,
    store_vec,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, add, scale, sub, sym_inverse, sym_mul
from linkwork.kernels.joints import (
    along,
    along3,
    column,
    columns,
    has_one_axis,
    joint_bias,
    joint_inertia3,
    joint_velocity,
    joint_xform,
    revolute,
)
from linkwork.kernels.layout import (
    AHEAD,
    FIXED,
    FREE,
    I_FLAGS,
    M_ARMATURE,
    M_DAMPING,
    N_BLOCK,
    N_STAGES,
    N_V,
    N_WEAK,
    OK,
    OPENS,
    PLANAR,
    REVOLUTE,
    SINGULAR,
    SPHERICAL,
)
from linkwork.kernels.numba_ext import any_of, helper, inlined, load, prefetch, separate, store
from linkwork.kernels.records import (
    acceleration_at,
    all_finite,
    applied_at,
    check_sizes,
    check_state,
    damping_at,
    force_at,
    index_row,
    inertia_at,
    joint_at,
    load_inertia,
    load_xform,
    look_ahead,
    model_row,
    parent_of,
    stage_at,
    status,
    store_xform,
    velocity_at,
)
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
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity


@helper
def torque_at(i):
    """Where the torque, later u, of the one-axis joint of stage i is in the work space, behind 1/D."""
    return joint_at(i) + 1


@helper
def rate_at(i):
    """Where the velocity of the one-axis joint of stage i is in the work space."""
    return joint_at(i) + 2


@inlined
def look_up_ahead(index, work, i, a):
    """Ask for the acceleration of the parent of stage i, left long ago, and for the place of its own."""
    if i < index[N_STAGES]:
        parent, kind, _, d = stage_at(index, i)
        if parent >= 0:
            prefetch(work, acceleration_at(parent))
        if kind != FIXED:
            prefetch(a, d)


@inlined
def start(model, index, work, loaded, q, v, tau, i):
    """Pass 1 at stage i: transform, velocity and bias wrench."""
    parent, kind, k, d = stage_at(index, i)
    X = joint_xform(model, i, kind, q, k)
    store_xform(work, i, X)
    vi = ground_velocity(q) if parent < 0 else load_motion(work, velocity_at(parent))
    vi = joint_velocity(model, i, kind, v, d, motion_to_child(X, vi))
    I = load_inertia(model, i)  # noqa: E741
    pA = gyroscopic(I, vi)  # v ×* I v − f
    if loaded:
        pA = wrench_sub(pA, load_wrench(work, applied_at(index, i)))
    store_motion(work, velocity_at(i), vi)
    store_wrench(work, force_at(i), pA)
    if has_one_axis(kind):
        store(work, torque_at(i), load(tau, d))
        store(work, rate_at(i), load(v, d))


@helper
def forward_pass(model, index, work, loaded, q, v, tau):
    """Pass 1, root to leaves."""
    for i in range(index[N_STAGES]):
        start(model, index, work, loaded, q, v, tau, i)


@helper
def gathered(model, index, work, i):
    """IA: the stage's own inertia and what its children have handed up."""
    A = articulated(load_inertia(model, i))
    if i + 1 < index[N_STAGES] and parent_of(index, i + 1) == i:
        return articulated_add(load_articulated(work, inertia_at(i)), A)
    return as_articulated(work, A)


@helper
def hand_up(index, work, i, parent, A):
    """Add A to what the parent has got; the first of its children to come finds nothing there."""
    k = inertia_at(parent)
    if index[index_row(i) + I_FLAGS] & OPENS:
        store_articulated(work, k, A)
    else:
        store_articulated(work, k, articulated_add(load_articulated(work, k), A))


@helper
def as_articulated(work, A):
    """An inertia of the model as one of the work space's scalars."""
    J, M = A.J, A.M
    return ArticulatedInertia(as_sym(work, J), as_mat(work, A.H), as_sym(work, M))


@inlined
def finish(model, index, work, v, tau, i):
    """Pass 2 at stage i, all below it done: articulated inertia and bias wrench, handed up to its parent; a status."""
    parent, kind, _, d = stage_at(index, i)
    A = gathered(model, index, work, i)
    p = load_wrench(work, force_at(i))
    if index[index_row(i) + I_FLAGS] > OPENS and weigh(
        model, index, work, i, kind, d, A, load_xform(work, i).p, NOTHING
    ):
        return status(SINGULAR, i)
    if kind == FREE:  # nothing of the subtree's inertia passes a free joint, only the force along it
        f = sub(load_vec(tau, d), damping_force(model, index, v, d))
        n = sub(load_vec(tau, d + 3), damping_force(model, index, v, d + 3))
        store_articulated(work, inertia_at(i), A)
        if parent >= 0:
            add_wrench(work, force_at(parent), wrench_to_parent(load_xform(work, i), Wrench(f, n)))
            hand_up(index, work, i, parent, nothing(work))
        return OK
    if has_one_axis(kind):
        U = column(model, i, kind, A)  # U = IA S, D = Sᵀ U
        D = along(model, i, kind, U) + load(model, model_row(i) + M_ARMATURE)
        if any_of(D - 0.5 * own_inertia(model, i, kind) <= 0.0):
            return status(SINGULAR, i)
        rate = load(work, rate_at(i))
        drag = load(model, model_row(i) + M_DAMPING) * rate
        u = load(work, torque_at(i)) - drag - along(model, i, kind, p)  # τ − Sᵀ pA
        r = 1.0 / D
        store_wrench(work, inertia_at(i), U)
        store(work, joint_at(i), r)
        store(work, torque_at(i), u)
        if parent < 0:
            return OK
        s = r * u
        p = Wrench(add(p.f, scale(s, U.f)), add(p.n, scale(s, U.n)))
        if kind == REVOLUTE and load(model, model_row(i) + M_ARMATURE) == 0.0:
            pass_hinge(index, work, i, parent, rate, hinge_minus(A, U, r), p)
            return OK
        A = articulated_minus(A, U, r)  # Ia = IA − U D⁻¹ Uᵀ
    elif kind == SPHERICAL or kind == PLANAR:
        Di, det = sym_inverse(joint_inertia3(model, index, kind, d, A))
        size = trace(A.M) if kind == PLANAR else trace(A.J)
        if negligible(det, size * size * trace(A.J)):
            return status(SINGULAR, i)
        u = sub(sub(load_vec(tau, d), damping_force(model, index, v, d)), along3(kind, p))
        store_articulated(work, inertia_at(i), A)
        store_vec(work, joint_at(i), u)
        if parent < 0:
            return OK
        s = sym_mul(Di, u)
        Ux, Uy, Uz = columns(kind, A)
        p = combine(p, s, Ux, Uy, Uz)
        A = eliminate3(model, index, kind, d, A)
    if parent >= 0:
        zero = ground_velocity(v)
        c = joint_bias(model, i, kind, v, d, load_motion(work, velocity_at(i)), zero)
        p = wrench_add(p, articulated_mul(A, c))  # pa = pA + Ia c + U D⁻¹ u
        X = load_xform(work, i)
        hand_up(index, work, i, parent, articulated_to_parent(X, A))
        add_wrench(work, force_at(parent), wrench_to_parent(X, p))
    return OK


@helper
def inertia_passes(model, index, work, loaded, q, v, tau):
    """Passes 1 and 2: stages in order and back; or a block at a time, whose subtrees go back while in the cache."""
    n, block = index[N_STAGES], index[N_BLOCK]
    back = block == 0
    if back:
        block = n
    for begin in range(0, n, block):
        end = min(n, begin + block)
        for i in range(begin, end):
            look_ahead(index, i + AHEAD, q, v, tau)
            start(model, index, work, loaded, q, v, tau, i)
        for step in range(end - begin):
            if back:
                k = n - 1 - step
                above = parent_of(index, k)
            else:  # all that is complete with this stage
                k = begin + step
                above = parent_of(index, k + 1) if k + 1 < n else -1
            while k != above:
                outcome = finish(model, index, work, v, tau, k)
                if outcome != OK:
                    return outcome
                k = parent_of(index, k)
    return OK


@separate
def check_inertia(model, index, work, q, zero):
    """SINGULAR, with the first stage whose joint has no inertia, or OK: for other methods, so that all name the same.

    Costs nothing where every body resists its own joint. `zero` is (nv).
    """
    if index[N_WEAK] == 0:
        return OK
    outcome = check_state(index, q)
    return inertia_passes(model, index, work, 0, q, zero, zero) if outcome == OK else outcome


@helper
def pass_hinge(index, work, i, parent, rate, A, p):
    """Hand the inertia and bias wrench of a hinge up to its parent."""
    f, x, y = hinge_bias(A, load_motion(work, velocity_at(i)), rate)
    p = Wrench(add(p.f, f), Vec3(p.n.x + x, p.n.y + y, p.n.z))
    X = load_xform(work, i)
    hand_up(index, work, i, parent, hinge_to_parent(X, A))
    add_wrench(work, force_at(parent), wrench_to_parent(X, p))


@helper
def damping_force(model, index, v, d):
    """Damping · v of three degrees of freedom."""
    k = damping_at(index, d)
    return Vec3(
        load(model, k) * load(v, d), load(model, k + 1) * load(v, d + 1), load(model, k + 2) * load(v, d + 2)
    )


@inlined
def accelerate(model, index, work, q, v, tau, a, i):
    """Pass 3 at stage i: its joint's accelerations; False where it is free and has no inertia."""
    parent, kind, _, d = stage_at(index, i)
    ai = ground_acceleration(model, q, 1.0) if parent < 0 else load_motion(work, acceleration_at(parent))
    ai = motion_to_child(load_xform(work, i), ai)
    look_up_ahead(index, work, i + AHEAD, a)
    vi = load_motion(work, velocity_at(i))
    if kind == REVOLUTE:
        ai = revolute.acceleration(vi, load(work, rate_at(i)), ai)
    else:
        ai = joint_bias(model, i, kind, v, d, vi, ai)
    if has_one_axis(kind):
        U = load_wrench(work, inertia_at(i))
        r, u = load(work, joint_at(i)), load(work, torque_at(i))
        store(a, d, r * (u - power(ai, U)))  # q̈ = D⁻¹ (u − Uᵀ a')
    elif kind != FIXED:
        A = load_articulated(work, inertia_at(i))
        if kind == FREE:
            p = wrench_add(load_wrench(work, force_at(i)), articulated_mul(A, ai))
            f = sub(sub(load_vec(tau, d), damping_force(model, index, v, d)), p.f)
            n = sub(sub(load_vec(tau, d + 3), damping_force(model, index, v, d + 3)), p.n)
            x, det_m, det_j, J = articulated_solve(A, Wrench(f, n))
            m, j = trace(A.M), trace(J)
            if negligible(det_m, m * m * m) or negligible(det_j, j * j * j) or negligible(j, trace(A.J)):
                return False
            store_vec(a, d, x.v)
            store_vec(a, d + 3, x.w)
        else:
            Di, _ = sym_inverse(joint_inertia3(model, index, kind, d, A))
            Ux, Uy, Uz = columns(kind, A)
            u = load_vec(work, joint_at(i))
            u = Vec3(u.x - power(ai, Ux), u.y - power(ai, Uy), u.z - power(ai, Uz))
            store_vec(a, d, sym_mul(Di, u))
    store_motion(work, acceleration_at(i), joint_velocity(model, i, kind, a, d, ai))
    return True


@helper
def acceleration_pass(model, index, work, q, v, tau, a):
    """Pass 3: accelerations, root to leaves; the free stage that has no inertia, or −1."""
    for i in range(index[N_STAGES]):
        if not accelerate(model, index, work, q, v, tau, a, i):
            return i
    return -1


@separate
def aba(model, index, work, loaded, q, v, tau, a):
    """a with τ = (H + armature) a + bias + damping · v."""
    outcome = check_sizes(index, q, v, tau, a)
    if outcome != OK:
        return outcome
    outcome = inertia_passes(model, index, work, loaded, q, v, tau)
    if outcome != OK:
        return outcome
    stage = acceleration_pass(model, index, work, q, v, tau, a)
    if stage >= 0:
        return status(SINGULAR, stage)
    return all_finite(a, index[N_V])
