"""Forward dynamics of closed linkages by articulated bodies: every loop is eliminated where it closes, in one sweep.

A row of a constraint reads Σ K aₑ + Σ e q̈ = b, the first sum over the two bodies of a loop, the second over the two
joints of a coupling; its force λ acts on the same bodies as Kᵀ λ. From leaves to root, the joint i with axis S turns

    f = IA a + pA − Kᵀ λ,    D q̈ = u − Uᵀ a' + kᵀ λ,    k = K S + e,    a' = X a_parent + c

into the same form one body up: K ← (K − k D⁻¹ Uᵀ) X, b ← b − k D⁻¹ u − K c, and adds k D⁻¹ kᵀ to the matrix L of the
rows with each other. At the nearest common ancestor of a loop's bodies all of L is known, and λ = L⁺ (b − K a) joins
the ancestor's inertia: IA += Kᵀ L⁺ K, pA −= Kᵀ L⁺ b. So a loop costs what its own bodies cost, wherever it stands:
constraint embedding without aggregate joints.

L is never formed. Its square root B, a column k D^(−1/2) a degree of freedom, is brought to orthonormal rows by
Gram–Schmidt with pivoting, the same operations acting on K and b: then L = 1, the condition number is not squared, and
a row whose rest vanishes is redundant. With μ the forces of the new rows, the joints get q̈ += D^(−1/2) Bᵀ μ.

References: [Featherstone2008] table 7.1; [Jain2009] constraint embedding; [Sathya2024] elimination of constraints in
the articulated-body sweep.
"""

import math

from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    Xform,
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
    load_mat,
    load_motion,
    load_vec,
    load_wrench,
    store_articulated,
    store_motion,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, add, scale
from linkwork.kernels.closed.elimination import basis_row, close_here, eliminate
from linkwork.kernels.closed.loops import (
    driving_wrench,
    loop_row,
    loop_states,
    motion_pass,
    record_at,
    row_in_frame,
    rows_on_bodies,
)
from linkwork.kernels.joints import axes_of, joint_axis, joint_bias
from linkwork.kernels.layout import (
    FREE,
    I_KIND,
    I_PARENT,
    I_V,
    N_STAGES,
    N_V,
    NOT_FINITE,
    OK,
    REVOLUTE,
    SINGULAR,
    W_ACCELERATION,
    W_FORCE,
    W_INERTIA,
    W_VELOCITY,
    WORK_ROW,
    WRONG_SIZE,
)
from linkwork.kernels.layout.loops import (
    A_FORCE,
    A_R,
    A_ROOT,
    A_U,
    AXIS,
    COUPLING,
    G_B,
    G_RATIO,
    GEOMETRY_ROW,
    L_A,
    L_B,
    L_DOF_I,
    L_DOF_J,
    L_KIND,
    L_ROW,
    L_ROWS,
    L_SLOT_A,
    L_SLOT_B,
    P_AXES,
    P_BASIS,
    P_COLUMN,
    P_COLUMNS,
    P_LOOPS,
    P_NUMBERS,
    P_ROWS,
    P_ROWS_AT,
    P_SLOT,
    P_SLOT_START,
    P_SPREAD,
    P_STEPS,
    R_BIAS,
    R_IN_A,
    S_AT,
    S_LOOP,
    S_NEXT,
    SLOT,
)
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import (
    applied_at,
    armature_at,
    check_state,
    damping_at,
    index_row,
    load_inertia,
    load_xform,
    status,
)
from linkwork.kernels.tree.forces import applied_forces
from linkwork.kernels.tree.joint_inertia import negligible, nothing, singular_at, trace
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity


@helper
def write_rows(plan, geometry, bench, dynamic, h):
    """Put the rows of every loop at its two bodies, and their right-hand sides: K (V_b × V + Ṡθ̇), or h."""
    rows_at, b = plan[P_ROWS_AT], plan[P_NUMBERS]
    n_rows = plan[P_ROWS]
    for k in range(rows_at, record_at(plan, 0)):
        bench[k] = 0.0
    for k in range(plan[P_BASIS], plan[P_STEPS]):
        bench[k] = 0.0
    for r in range(n_rows):
        bench[b + n_rows + r] = 0.0
        bench[b + 2 * n_rows + r] = 0.0
    bench[b + 3 * n_rows], bench[b + 3 * n_rows + 1] = 1.0, -1.0  # how far from singular, and which loop
    for loop in range(plan[P_LOOPS]):
        row, k = loop_row(plan, loop), record_at(plan, loop)
        first = plan[row + L_ROW]
        coupling = plan[row + L_KIND] == COUPLING
        c = load_motion(bench, k + R_BIAS)
        for r in range(plan[row + L_ROWS]):
            if not coupling:
                wb, wa = rows_on_bodies(geometry, bench, k, GEOMETRY_ROW * loop, r, False)
                add_wrench(bench, rows_at + plan[row + L_SLOT_B] + 6 * r, wb)
                add_wrench(bench, rows_at + plan[row + L_SLOT_A] + 6 * r, wa)
            if not dynamic:
                bench[b + first + r] = h[first + r]
            elif coupling:
                bench[b + first + r] = 0.0
            else:
                bench[b + first + r] = power(c, row_in_frame(bench, k, r, False))


@helper
def body_pass(model, index, work, loaded):
    """Rigid inertias and bias wrenches."""
    for i in range(index[N_STAGES]):
        I = load_inertia(model, i)  # noqa: E741
        pA = gyroscopic(I, load_motion(work, WORK_ROW * i + W_VELOCITY))
        if loaded:
            pA = wrench_sub(pA, load_wrench(work, applied_at(index, i)))
        store_wrench(work, WORK_ROW * i + W_FORCE, pA)
        store_articulated(work, WORK_ROW * i + W_INERTIA, articulated(I))


@helper
def loop_forces(work, plan, geometry, bench, force):
    """Motors and dampers of loop joints: a wrench on b, the opposite one on a."""
    for loop in range(plan[P_LOOPS]):
        row, k = loop_row(plan, loop), record_at(plan, loop)
        if plan[row + L_KIND] == COUPLING:
            continue
        w = driving_wrench(plan, geometry, bench, loop, force)
        g = GEOMETRY_ROW * loop + G_B
        a, b = plan[row + L_A], plan[row + L_B]
        if a >= 0:
            X = Xform(load_mat(bench, k + R_IN_A), load_vec(bench, k + R_IN_A + 9))
            add_wrench(work, WORK_ROW * a + W_FORCE, wrench_to_parent(X, w))
        if b >= 0:
            X = Xform(load_mat(geometry, g), load_vec(geometry, g + 9))
            w = wrench_to_parent(X, w)
            add_wrench(work, WORK_ROW * b + W_FORCE, Wrench(scale(-1.0, w.f), scale(-1.0, w.n)))


@helper
def joint_rows(plan, geometry, bench, s, end, d, column, S, U, r, root, u):
    """One axis of a joint, degree of freedom d, eliminated from the rows that pass it."""
    rows_at, b, n_rows = plan[P_ROWS_AT], plan[P_NUMBERS], plan[P_ROWS]
    for slot in range(plan[P_SLOT] + SLOT * s, plan[P_SLOT] + SLOT * end, SLOT):
        loop = plan[slot + S_LOOP]
        row = loop_row(plan, loop)
        first, at = plan[row + L_ROW], rows_at + plan[slot + S_AT]
        for j in range(plan[row + L_ROWS]):
            K = load_wrench(bench, at + 6 * j)
            k = power(S, K)
            if plan[row + L_KIND] == COUPLING:
                if d == plan[row + L_DOF_I]:
                    k += 1.0
                elif d == plan[row + L_DOF_J]:
                    k -= geometry[GEOMETRY_ROW * loop + G_RATIO]
            bench[basis_row(plan, row, j) + column] = root * k
            bench[b + n_rows + first + j] += r * k * k
            bench[b + first + j] -= r * k * u
            x = -r * k
            store_wrench(bench, at + 6 * j, Wrench(add(K.f, scale(x, U.f)), add(K.n, scale(x, U.n))))


@helper
def inward_pass(model, index, work, plan, geometry, bench, v, tau):
    """Leaves to root; the stage that has no inertia, or −1."""
    n = index[N_STAGES]
    rows_at, b = plan[P_ROWS_AT], plan[P_NUMBERS]
    for i in range(n - 1, -1, -1):
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        A = load_articulated(work, WORK_ROW * i + W_INERTIA)
        p = load_wrench(work, WORK_ROW * i + W_FORCE)
        s, end = plan[plan[P_SLOT_START] + i], plan[plan[P_SLOT_START] + i + 1]
        while s < end and plan[plan[P_SLOT] + SLOT * s + S_NEXT] < 0:
            A, p = eliminate(plan, bench, s, end, A, p)
            s += 1
        size = trace(A.J) if kind == REVOLUTE else trace(A.J) + trace(A.M)
        for j in range(axes_of(kind)):
            S = joint_axis(model, i, kind, j)
            U = articulated_mul(A, S)
            D = power(S, U) + model[armature_at(index, d + j)]
            if negligible(D, size) and singular_at(model, i, kind, D):
                return i
            u = tau[d + j] - model[damping_at(index, d + j)] * v[d + j] - power(S, p)
            r = 1.0 / D
            root = math.sqrt(r)
            k = plan[P_AXES] + AXIS * (d + j)
            store_wrench(bench, k + A_U, U)
            bench[k + A_R], bench[k + A_ROOT], bench[k + A_FORCE] = r, root, u
            if s < end:
                joint_rows(plan, geometry, bench, s, end, d + j, plan[plan[P_COLUMN] + i] + j, S, U, r, root, u)
            A = articulated_minus(A, U, r)
            x = r * u
            p = Wrench(add(p.f, scale(x, U.f)), add(p.n, scale(x, U.n)))
        if kind == FREE:
            A = nothing(work)  # to the last bit: what it carries cannot be felt above
        if parent < 0 and s == end:
            continue
        X = load_xform(work, i)
        c = joint_bias(model, i, kind, v, d, load_motion(work, WORK_ROW * i + W_VELOCITY), ground_velocity(v))
        for slot in range(plan[P_SLOT] + SLOT * s, plan[P_SLOT] + SLOT * end, SLOT):
            loop = loop_row(plan, plan[slot + S_LOOP])
            for j in range(plan[loop + L_ROWS]):
                K = load_wrench(bench, rows_at + plan[slot + S_AT] + 6 * j)
                bench[b + plan[loop + L_ROW] + j] -= power(c, K)
                add_wrench(bench, rows_at + plan[slot + S_NEXT] + 6 * j, wrench_to_parent(X, K))
        if parent >= 0:
            p = wrench_add(p, articulated_mul(A, c))
            k = WORK_ROW * parent + W_INERTIA
            store_articulated(work, k, articulated_add(load_articulated(work, k), articulated_to_parent(X, A)))
            add_wrench(work, WORK_ROW * parent + W_FORCE, wrench_to_parent(X, p))
    s, end = plan[plan[P_SLOT_START] + n], plan[plan[P_SLOT_START] + n + 1]
    if s < end:  # loops that close on ground, whose inertia does not matter
        A = articulated(load_inertia(model, 0))
        p = Wrench(Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0))
        for slot in range(s, end):
            eliminate(plan, bench, slot, end, A, p)
    return -1


@helper
def outward_pass(model, index, work, plan, bench, weight, v, a, force, left):
    """Root to leaves: accelerations, and the forces of each loop where it closes."""
    n = index[N_STAGES]
    starts = plan[P_SLOT_START]
    for c in range(plan[P_COLUMNS]):
        bench[plan[P_SPREAD] + c] = 0.0
    ground = ground_acceleration(model, v, weight)
    close_here(plan, bench, plan[starts + n], plan[starts + n + 1], ground, force, left)
    for i in range(n):
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        ai = ground if parent < 0 else load_motion(work, WORK_ROW * parent + W_ACCELERATION)
        ai = motion_to_child(load_xform(work, i), ai)
        ai = joint_bias(model, i, kind, v, d, load_motion(work, WORK_ROW * i + W_VELOCITY), ai)
        column = plan[plan[P_COLUMN] + i]
        for j in range(axes_of(kind) - 1, -1, -1):
            k = plan[P_AXES] + AXIS * (d + j)
            x = bench[k + A_R] * (bench[k + A_FORCE] - power(ai, load_wrench(bench, k + A_U)))
            if column >= 0:
                x += bench[k + A_ROOT] * bench[plan[P_SPREAD] + column + j]
            a[d + j] = x
            S = joint_axis(model, i, kind, j)
            ai = Motion(add(ai.v, scale(x, S.v)), add(ai.w, scale(x, S.w)))
        store_motion(work, WORK_ROW * i + W_ACCELERATION, ai)
        if plan[starts + i] < plan[starts + i + 1]:
            close_here(plan, bench, plan[starts + i], plan[starts + i + 1], ai, force, left)


@helper
def finish(index, plan, bench, a, force):
    """Status of the results."""
    total = 0.0
    for d in range(index[N_V]):
        total += a[d]
    for r in range(plan[P_ROWS]):
        total += force[r]
    return status(NOT_FINITE, 0) if total - total != 0.0 else OK


@helper
def unmet(model, index, work, plan, geometry, bench, q, a, left):
    """What every row leaves unmet, from the bodies' accelerations: rounding, unless rows contradict each other."""
    for loop in range(plan[P_LOOPS]):
        row, k = loop_row(plan, loop), record_at(plan, loop)
        first, g = plan[row + L_ROW], GEOMETRY_ROW * loop
        if plan[row + L_KIND] == COUPLING:
            left[first] = a[plan[row + L_DOF_I]] - geometry[g + G_RATIO] * a[plan[row + L_DOF_J]]
            continue
        c = load_motion(bench, k + R_BIAS)
        for r in range(plan[row + L_ROWS]):
            wb, wa = rows_on_bodies(geometry, bench, k, g, r, False)
            x = -power(c, row_in_frame(bench, k, r, False))
            for end in range(2):
                i = plan[row + L_B] if end == 0 else plan[row + L_A]
                ai = ground_acceleration(model, q, 1.0) if i < 0 else load_motion(work, WORK_ROW * i + W_ACCELERATION)
                x += power(ai, wb if end == 0 else wa)
            left[first + r] = x


@helper
def closed_forward(
    model, index, work, table, plan, geometry, bench, check, q, v, tau, f_ext, loop_tau, a, force, left, total
):
    """Accelerations a (nv) and forces of the constraints' rows; `total` (nv) is scratch.

    `left` is what rows leave unmet: all of them where `check` is set, else the redundant ones.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if v.shape[0] != index[N_V] or tau.shape[0] != index[N_V] or a.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    loaded = f_ext.shape[0] > 0 or table[0] + table[1] + table[2] > 0.0
    if loaded:
        applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    else:
        for d in range(index[N_V]):
            total[d] = tau[d]
    motion_pass(model, index, work, plan, bench, q, v)
    loop_states(index, work, plan, geometry, bench, q, v)
    body_pass(model, index, work, loaded)
    loop_forces(work, plan, geometry, bench, loop_tau)
    write_rows(plan, geometry, bench, True, left)
    stage = inward_pass(model, index, work, plan, geometry, bench, v, total)
    if stage >= 0:
        return status(SINGULAR, stage)
    outward_pass(model, index, work, plan, bench, 1.0, v, a, force, left)
    if check:
        unmet(model, index, work, plan, geometry, bench, q, a, left)
    return finish(index, plan, bench, a, force)


@helper
def closed_step(model, index, work, plan, geometry, bench, q, zero, h, a, force, left):
    """The shortest step, measured by the mass matrix, with J a = h; and the impulses that make it: M a = Jᵀ force."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    motion_pass(model, index, work, plan, bench, q, zero)
    loop_states(index, work, plan, geometry, bench, q, zero)
    body_pass(model, index, work, False)
    write_rows(plan, geometry, bench, False, h)
    stage = inward_pass(model, index, work, plan, geometry, bench, zero, zero)
    if stage >= 0:
        return status(SINGULAR, stage)
    outward_pass(model, index, work, plan, bench, 0.0, zero, a, force, left)
    return finish(index, plan, bench, a, force)
