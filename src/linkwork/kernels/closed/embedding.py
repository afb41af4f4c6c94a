"""Forward dynamics of closed linkages by articulated bodies: every loop is eliminated where it closes, in one sweep.

A row of a constraint reads Σ K aₑ + Σ e q̈ = b, the first sum over the two bodies of a loop, the second over the two
joints of a coupling; its force λ acts on the same bodies as Kᵀ λ. From leaves to root, the joint i with axis S turns

    f = IA a + pA − Kᵀ λ,    D q̈ = u − Uᵀ a' + kᵀ λ,    k = K S + e,    a' = X a_parent + c

into the same form one body up: K ← (K − k D⁻¹ Uᵀ) X, b ← b − k D⁻¹ u − K c, and adds k D⁻¹ kᵀ to the matrix L of the
rows with each other. At the nearest common ancestor of a loop's bodies all of L is known, and λ = L⁺ (b − K a) joins
the ancestor's inertia: IA += Kᵀ L⁺ K, pA −= Kᵀ L⁺ b. So a loop costs what its own bodies cost, wherever it stands:
constraint embedding without aggregate joints.

L is never formed. Its square root B, one column k D^(−1/2) per degree of freedom, is brought to orthonormal rows by
Gram–Schmidt with pivoting, the same operations acting on K and b: then L = 1, the condition number is not squared, and
a row whose rest vanishes is redundant. With μ the forces of the new rows, the joints get q̈ += D^(−1/2) Bᵀ μ.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
IA, pA  articulated inertia and bias wrench of a stage; A and p in the code
S       an axis of a joint; joints of several are eliminated one axis at a time
U, D    IA S, and Sᵀ U + armature; r = 1/D
u       τ − damping · v − Sᵀ pA
c       velocity-product acceleration of a joint
K, b    the rows that pass a stage, and their right-hand sides
B       square root of L, one column per degree of freedom
μ, λ    forces of the rows as eliminated, and as they were; `force` in the end
======= ================================================================================================================

References: [Featherstone2008] table 7.1; [Jain2009] constraint embedding; [Sathya2024] elimination of constraints in
the articulated-body sweep.
"""

from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    articulated,
    articulated_add,
    articulated_minus,
    articulated_mul,
    articulated_to_parent,
    gyroscopic,
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
    load_wrench,
    store_articulated,
    store_motion,
    store_vec,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, add, dot, scale
from linkwork.kernels.closed.carried import left_alone
from linkwork.kernels.closed.checks import is_met
from linkwork.kernels.closed.elimination import Axis, close_here, eliminate, pass_axis, pass_rows, write_rows
from linkwork.kernels.closed.loops import driving_wrench, loop_states, motion_pass
from linkwork.kernels.closed.pack_elimination import close_pack, eliminate_pack
from linkwork.kernels.closed.records import (
    Loops,
    axis_record_at,
    b_in_a,
    carried_at,
    carried_force_at,
    carried_size_at,
    ends_here,
    frame_b,
    loop_at,
    slots_of,
)
from linkwork.kernels.joints import axes_of, has_one_axis, joint_axis, joint_bias
from linkwork.kernels.layout import (
    FREE,
    I_FLAGS,
    N_STAGES,
    N_V,
    N_WEAK,
    OK,
    ON_WEAK,
    OPENS,
    SINGULAR,
    WEAK,
)
from linkwork.kernels.layout.loops import (
    A_FORCE,
    A_GIVEN,
    A_HELD,
    A_R,
    A_ROOT,
    A_U,
    COUPLING,
    P_COLUMN,
    P_COLUMNS,
    P_LOOPS,
    P_ROWS,
    P_SPREAD,
)
from linkwork.kernels.numba_ext import any_of, helper, load, scalar, separate, sqrt, store
from linkwork.kernels.records import (
    acceleration_at,
    applied_at,
    armature_at,
    check_sizes,
    check_state,
    damping_at,
    finite,
    force_at,
    index_row,
    inertia_at,
    load_inertia,
    load_xform,
    made_at,
    stage_at,
    status,
    velocity_at,
)
from linkwork.kernels.tree.forces import applied_forces, has_forces
from linkwork.kernels.tree.joint_inertia import (
    NOTHING,
    TOO_LITTLE,
    after_axis,
    hand_up_size,
    made_of,
    negligible,
    nothing,
    own_inertia,
)
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity


@helper
def body_pass(model, index, work, loaded):
    """Rigid inertias and bias wrenches."""
    for i in range(index[N_STAGES]):
        I = load_inertia(model, i)  # noqa: E741
        pA = gyroscopic(I, load_motion(work, velocity_at(i)))
        if loaded:
            pA = wrench_sub(pA, load_wrench(work, applied_at(index, i)))
        store_wrench(work, force_at(i), pA)
        store_articulated(work, inertia_at(i), articulated(I))


@helper
def loop_forces(work, loops, force):
    """Motors and dampers of loop joints: a wrench on b, the opposite one on a."""
    for number in range(loops.plan[P_LOOPS]):
        loop = loop_at(loops.plan, number)
        if loop.kind == COUPLING:
            continue
        w = driving_wrench(loops, number, force)
        if loop.a >= 0:
            add_wrench(work, force_at(loop.a), wrench_to_parent(b_in_a(loops, number), w))
        if loop.b >= 0:
            w = wrench_to_parent(frame_b(loops, number), w)
            add_wrench(work, force_at(loop.b), Wrench(scale(-1.0, w.f), scale(-1.0, w.n)))


@helper
def eliminate_here(work, loops, s, end, A, p):
    """`eliminate` of one state, or of a pack of states."""
    if work.ndim == 1:
        return eliminate(loops, s, end, A, p)
    return eliminate_pack(loops, s, end, A, p)


@helper
def close_rows(work, loops, s, end, a, force, left):
    """`close_here` of one state, or of a pack of states, whose forces are not asked for."""
    if work.ndim == 1:
        close_here(loops, s, end, a, force, left)
    else:
        close_pack(loops, s, end, a)


@helper
def is_held(scratch, k):
    """Whether the acceleration of the axis with this record is given; never that of packs."""
    if scratch.ndim == 1:
        return scratch[k + A_HELD] != 0.0
    return False


@helper
def is_carried(work, flags, D, whole):
    """Whether D, made of `whole`, is none, so that rows alone move the axis; packs leave such states to others."""
    if work.ndim == 1:
        return flags & WEAK != 0 and negligible(D, whole)
    return False


@helper
def inward_pass(model, index, work, loops, weight, v, tau):
    """Leaves to root; the stage that has zero effective inertia, or −1.

    An axis whose acceleration is given keeps its inertia: p ← p + U q̈, b ← b − k q̈. One without any is left to rows.
    """
    plan, scratch = loops.plan, loops.scratch
    n = index[N_STAGES]
    zero, one = scalar(work, 0.0), scalar(work, 1.0)
    if index[N_WEAK] > 0:
        for k in range(made_at(index, 0), made_at(index, n)):
            store(work, k, zero)
    for i in range(n - 1, -1, -1):
        parent, kind, _, d = stage_at(index, i)
        A = load_articulated(work, inertia_at(i))
        p = load_wrench(work, force_at(i))
        s, end = slots_of(plan, i)
        while s < end and ends_here(plan, s):
            A, p = eliminate_here(work, loops, s, end, A, p)
            s += 1
        flags = index[index_row(i) + I_FLAGS]
        mass, moments = zero, zero
        if flags > OPENS:  # what only massless bodies make necessary
            mass, moments = made_of(index, work, i, A)
        for j in range(axes_of(kind)):
            S = joint_axis(model, i, kind, j)
            U = articulated_mul(A, S)
            D = power(S, U) + model[armature_at(index, d + j)]
            u = load(tau, d + j) - model[damping_at(index, d + j)] * load(v, d + j) - power(S, p)
            k, column = axis_record_at(plan, d + j), plan[plan[P_COLUMN] + i] + j
            store_wrench(scratch, k + A_U, U)
            whole = dot(S.v, S.v) * mass + dot(S.w, S.w) * moments  # what D is made of
            if is_held(scratch, k):
                r, root, x = zero, zero, weight * load(scratch, k + A_GIVEN)
            elif is_carried(work, flags, D, whole):
                if s == end:
                    return i
                r, root, x = zero, one, zero
                store(scratch, carried_at(plan, column), one + i)
                store(scratch, carried_force_at(plan, column), u)
                store(scratch, carried_size_at(plan, column), zero)
            else:
                if flags & WEAK:
                    if negligible(D, TOO_LITTLE / NOTHING * whole):
                        return i
                    mass, moments = after_axis(U, 1.0 / D, whole, mass, moments)
                elif has_one_axis(kind) and any_of(D - 0.5 * own_inertia(model, i, kind) <= 0.0):
                    return i
                r = 1.0 / D
                root, x = sqrt(r), r * u
            store_vec(scratch, k + A_R, Vec3(r, root, u))
            if s < end:
                pass_axis(loops, s, end, Axis(d + j, column, S, U, r, root, x))
            A = articulated_minus(A, U, r)
            p = Wrench(add(p.f, scale(x, U.f)), add(p.n, scale(x, U.n)))
        if flags & ON_WEAK:
            passing = 0.0 if kind == FREE else 1.0
            hand_up_size(index, work, i, load_xform(work, i).p, passing * mass, passing * moments, False)
        if kind == FREE:
            A = nothing(work)  # to the last bit: what it carries cannot be felt above
        if parent < 0 and s == end:
            continue
        X = load_xform(work, i)
        c = joint_bias(model, i, kind, v, d, load_motion(work, velocity_at(i)), ground_velocity(v))
        pass_rows(loops, s, end, X, c)
        if parent >= 0:
            p = wrench_add(p, articulated_mul(A, c))
            k = inertia_at(parent)
            store_articulated(work, k, articulated_add(load_articulated(work, k), articulated_to_parent(X, A)))
            add_wrench(work, force_at(parent), wrench_to_parent(X, p))
    s, end = slots_of(plan, n)
    if s < end:  # loops that close on ground, whose inertia does not matter
        A, p = nothing(work), Wrench(Vec3(zero, zero, zero), Vec3(zero, zero, zero))
        for slot in range(s, end):
            eliminate_here(work, loops, slot, end, A, p)
    return left_alone(plan, scratch)


@separate
def outward_pass(model, index, work, loops, weight, v, a, force, left):
    """Root to leaves: accelerations, and the forces of each loop where it closes."""
    plan, scratch = loops.plan, loops.scratch
    n, spread = index[N_STAGES], plan[P_SPREAD]
    for c in range(plan[P_COLUMNS]):
        store(scratch, spread + c, 0.0)
    ground = ground_acceleration(model, v, weight)
    s, end = slots_of(plan, n)
    close_rows(work, loops, s, end, ground, force, left)
    for i in range(n):
        parent, kind, _, d = stage_at(index, i)
        ai = ground if parent < 0 else load_motion(work, acceleration_at(parent))
        ai = motion_to_child(load_xform(work, i), ai)
        ai = joint_bias(model, i, kind, v, d, load_motion(work, velocity_at(i)), ai)
        column = plan[plan[P_COLUMN] + i]
        for j in range(axes_of(kind) - 1, -1, -1):
            k = axis_record_at(plan, d + j)
            x = load(scratch, k + A_R) * (load(scratch, k + A_FORCE) - power(ai, load_wrench(scratch, k + A_U)))
            if is_held(scratch, k):
                x = weight * load(scratch, k + A_GIVEN)
            elif column >= 0:
                x += load(scratch, k + A_ROOT) * load(scratch, spread + column + j)  # q̈ += D^(−1/2) Bᵀ μ
            store(a, d + j, x)
            S = joint_axis(model, i, kind, j)
            ai = Motion(add(ai.v, scale(x, S.v)), add(ai.w, scale(x, S.w)))
        store_motion(work, acceleration_at(i), ai)
        s, end = slots_of(plan, i)
        if s < end:
            close_rows(work, loops, s, end, ai, force, left)


@helper
def check_results(index, plan, a, force):
    """Status of the results; packs know no forces."""
    total = scalar(a, 0.0)
    for d in range(index[N_V]):
        total += load(a, d)
    if a.ndim == 1:
        for r in range(plan[P_ROWS]):
            total += load(force, r)
    return finite(total)


@separate
def both_passes(model, index, work, loops, weight, v, tau, a, force, left):
    """Accelerations a, and forces of the rows. Returns the stage with zero effective inertia, or −1."""
    stage = inward_pass(model, index, work, loops, weight, v, tau)
    if stage < 0:
        outward_pass(model, index, work, loops, weight, v, a, force, left)
    return stage


@separate
def closed_forward(
    model, index, work, table, plan, geometry, scratch, q, v, tau, f_ext, loop_tau, a, force, left, total
):
    """Accelerations a (nv) and forces of the constraints' rows; `total` (nv) is scratch too.

    `table` may be None where nothing acts, `f_ext` neither. `left` is what rows leave unmet; where that is more than
    rounding the answer is refused. Arguments are many because Python calls this with one state: a tuple of arrays costs
    more than the arrays.
    """
    outcome = check_sizes(index, q, v, tau, a)
    if outcome != OK:
        return outcome
    loops = Loops(plan, geometry, scratch)
    loaded = False
    for d in range(index[N_V]):
        store(total, d, load(tau, d))
    if table is not None:
        loaded = f_ext.shape[0] > 0 or has_forces(table)
        if loaded:
            applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    motion_pass(model, index, work, loops, q, v)
    loop_states(index, work, loops, q, v, False)
    body_pass(model, index, work, loaded)
    loop_forces(work, loops, loop_tau)
    write_rows(loops, True, left)
    stage = both_passes(model, index, work, loops, 1.0, v, total, a, force, left)
    if stage >= 0:
        return status(SINGULAR, stage)
    if not is_met(model, index, work, loops, q, a, left):
        return status(SINGULAR, 0)  # dense matrices may still answer
    return check_results(index, plan, a, force)


@separate
def answer_at_rest(model, index, work, plan, geometry, scratch, q, zero, tau, h, a, force, left):
    """a and the forces of the rows with M a = τ + Jᵀ force and J a = h: no velocities, no gravity."""
    loops = Loops(plan, geometry, scratch)
    motion_pass(model, index, work, loops, q, zero)
    loop_states(index, work, loops, q, zero, False)
    body_pass(model, index, work, False)
    write_rows(loops, False, h)
    stage = both_passes(model, index, work, loops, 0.0, zero, tau, a, force, left)
    return status(SINGULAR, stage) if stage >= 0 else check_results(index, plan, a, force)


@separate
def closed_step(model, index, work, plan, geometry, scratch, q, zero, h, a, force, left):
    """The shortest step, measured by the mass matrix, with J a = h; and the impulses that make it: M a = Jᵀ force."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    return answer_at_rest(model, index, work, plan, geometry, scratch, q, zero, zero, h, a, force, left)
