"""Loop joints: where they stand, what they constrain, and their Jacobian.

Symbols: Fa, Fb the joint's frame on either body, axis along z; (R, p) the pose of Fb in Fa; θ the joint's coordinates;
S its motion subspace and K an orthonormal basis of what it forbids (KᵀS = 0), both in Fb; V = V_b − V_a the velocity of
Fb seen from the body a, in Fb. The constraint is K V = 0, and once more differentiated

    K (A_b − A_a) = K (V_b × V + Ṡ θ̇),                                 (18) of [Nakamura2000] in other words

with spatial accelerations at Fb's origin. A row of K, like a wrench, is moved from frame to frame by
`wrench_to_parent`. A coupling between two joints is a row of another kind: q̈ᵢ − m q̈ⱼ = 0.

``plan`` is one block of integers, ``geometry`` one of floats, ``bench`` the scratch space:
`linkwork.linkage.closing` lays them out.

References: [Nakamura2000] sections II and IV.
"""

from linkwork.kernels.algebra.rotations import rotation_vector
from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    Xform,
    compose,
    cross_motion,
    motion_to_child,
    power,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import (
    load_mat,
    load_motion,
    load_vec,
    load_wrench,
    store_mat,
    store_motion,
    store_vec,
)
from linkwork.kernels.algebra.vec3 import Vec3, identity, scale, sub, tmul, transpose
from linkwork.kernels.closed.loop_joints import coordinates, joint_rates, motor_wrench, write_subspaces
from linkwork.kernels.joints import axes_of, joint_bias, joint_velocity, joint_xform, write_axes
from linkwork.kernels.joints.unit_axes import unit_vectors
from linkwork.kernels.layout import I_KIND, I_PARENT, I_Q, I_V, N_STAGES, OK, W_ACCELERATION, W_VELOCITY, WORK_ROW
from linkwork.kernels.layout.loops import (
    COUPLING,
    G_A,
    G_B,
    G_OFFSET,
    G_RATIO,
    GEOMETRY_ROW,
    L_A,
    L_B,
    L_DOF_I,
    L_DOF_J,
    L_KIND,
    L_NQ,
    L_NV,
    L_Q,
    L_Q_I,
    L_Q_J,
    L_ROW,
    L_ROWS,
    L_V,
    LOOP_INDEX,
    P_LOOP,
    P_LOOPS,
    P_RECORDS,
    P_WORLD,
    R_BIAS,
    R_ERROR,
    R_IN_A,
    R_K,
    R_Q,
    R_RATE,
    R_S,
    R_V,
    RECORD,
)
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import axis_at, check_state, index_row, load_xform, store_xform
from linkwork.kernels.tree.rnea import ground_velocity


@helper
def loop_row(plan, loop):
    return plan[P_LOOP] + LOOP_INDEX * loop


@helper
def record_at(plan, loop):
    return plan[P_RECORDS] + RECORD * loop


@helper
def world_xform(plan, bench, i, n):
    """Pose of stage i in the world; that of ground is the entry after the last."""
    k = plan[P_WORLD] + 12 * (i if i >= 0 else n)
    return Xform(load_mat(bench, k), load_vec(bench, k + 9))


@helper
def store_world(plan, bench, i, X):
    k = plan[P_WORLD] + 12 * i
    store_mat(bench, k, X.R)
    store_vec(bench, k + 9, X.p)


@helper
def motion_pass(model, index, work, plan, bench, q, v):
    """Transforms, velocities in the stages' frames, world poses."""
    n = index[N_STAGES]
    store_world(plan, bench, n, Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0)))
    for i in range(n):
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        X = joint_xform(model, i, kind, q, index[row + I_Q])
        vi = ground_velocity(q) if parent < 0 else load_motion(work, WORK_ROW * parent + W_VELOCITY)
        store_xform(work, i, X)
        store_motion(work, WORK_ROW * i + W_VELOCITY, joint_velocity(model, i, kind, v, d, motion_to_child(X, vi)))
        store_world(plan, bench, i, X if parent < 0 else compose(world_xform(plan, bench, parent, n), X))


@helper
def inverse(X):
    """Where the parent stands in its child."""
    R = transpose(X.R)
    p = tmul(X.R, X.p)
    return Xform(R, Vec3(-p.x, -p.y, -p.z))


@helper
def loop_state(plan, geometry, bench, loop, Xa, Xb, Va, Vb):
    """Fill the record of a loop joint from the poses of its stages, in whatever frame, and their velocities."""
    row, k, g = loop_row(plan, loop), record_at(plan, loop), GEOMETRY_ROW * loop
    kind = plan[row + L_KIND]
    Fa = Xform(load_mat(geometry, g + G_A), load_vec(geometry, g + G_A + 9))
    Fb = Xform(load_mat(geometry, g + G_B), load_vec(geometry, g + G_B + 9))
    # Fb as seen from stage a, and from Fa
    in_a = compose(inverse(Xa), compose(Xb, Fb))
    X = compose(inverse(Fa), in_a)
    store_mat(bench, k + R_IN_A, in_a.R)
    store_vec(bench, k + R_IN_A + 9, in_a.p)
    E = compose(inverse(coordinates(kind, geometry, g, X, bench, k + R_Q)), X)
    store_vec(bench, k + R_ERROR, E.p)
    store_vec(bench, k + R_ERROR + 3, rotation_vector(E.R))
    write_subspaces(kind, geometry, g, bench, k)
    Va, Vb = motion_to_child(in_a, Va), motion_to_child(Fb, Vb)
    V = Motion(sub(Vb.v, Va.v), sub(Vb.w, Va.w))
    store_motion(bench, k + R_RATE, V)
    c, turning = cross_motion(Vb, V), joint_rates(kind, bench, k, V)
    store_motion(bench, k + R_BIAS, Motion(c.v, Vec3(c.w.x + turning.w.x, c.w.y + turning.w.y, c.w.z + turning.w.z)))


@helper
def loop_states(index, work, plan, geometry, bench, q, v):
    """Fill the record of every loop from the stages' poses and velocities."""
    n = index[N_STAGES]
    for loop in range(plan[P_LOOPS]):
        row, k, g = loop_row(plan, loop), record_at(plan, loop), GEOMETRY_ROW * loop
        if plan[row + L_KIND] == COUPLING:
            ratio = geometry[g + G_RATIO]
            bench[k + R_ERROR] = q[plan[row + L_Q_I]] - ratio * q[plan[row + L_Q_J]] - geometry[g + G_OFFSET]
            bench[k + R_RATE] = v[plan[row + L_DOF_I]] - ratio * v[plan[row + L_DOF_J]]
            continue
        a, b = plan[row + L_A], plan[row + L_B]
        Va = ground_velocity(q) if a < 0 else load_motion(work, WORK_ROW * a + W_VELOCITY)
        Vb = ground_velocity(q) if b < 0 else load_motion(work, WORK_ROW * b + W_VELOCITY)
        loop_state(
            plan, geometry, bench, loop, world_xform(plan, bench, a, n), world_xform(plan, bench, b, n), Va, Vb
        )


@helper
def row_in_frame(bench, k, r, whole):
    """Row r of K of the record at k; the r-th unit row where the whole motion is asked for."""
    if whole:
        first, second = unit_vectors(r)
        return Wrench(first, second)
    return load_wrench(bench, k + R_K + 6 * r)


@helper
def rows_on_bodies(geometry, bench, k, g, r, whole):
    """A row of a loop as it acts on the body b and, with the opposite sign, on the body a, in their stages' frames."""
    w = row_in_frame(bench, k, r, whole)
    Fb = Xform(load_mat(geometry, g + G_B), load_vec(geometry, g + G_B + 9))
    in_a = Xform(load_mat(bench, k + R_IN_A), load_vec(bench, k + R_IN_A + 9))
    return wrench_to_parent(Fb, w), wrench_to_parent(in_a, Wrench(scale(-1.0, w.f), scale(-1.0, w.n)))


@helper
def loop_residuals(model, index, work, plan, geometry, bench, q, v, error, row_error, rate, theta, theta_rate):
    """Error e (6 a loop; the first entry for a coupling), K e and K V of every row, coordinates and rates of joints.

    A step with J dq = −K e makes the error vanish.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    motion_pass(model, index, work, plan, bench, q, v)
    loop_states(index, work, plan, geometry, bench, q, v)
    for loop in range(plan[P_LOOPS]):
        row, k = loop_row(plan, loop), record_at(plan, loop)
        if plan[row + L_KIND] == COUPLING:
            for j in range(6):
                error[6 * loop + j] = bench[k + R_ERROR] if j == 0 else 0.0
            row_error[plan[row + L_ROW]] = bench[k + R_ERROR]
            rate[plan[row + L_ROW]] = bench[k + R_RATE]
            continue
        for j in range(6):
            error[6 * loop + j] = bench[k + R_ERROR + j]
        e, V = load_motion(bench, k + R_ERROR), load_motion(bench, k + R_RATE)
        for r in range(plan[row + L_ROWS]):
            row_error[plan[row + L_ROW] + r] = power(e, row_in_frame(bench, k, r, False))
            rate[plan[row + L_ROW] + r] = power(V, row_in_frame(bench, k, r, False))
        for j in range(plan[row + L_NQ]):
            theta[plan[row + L_Q] + j] = bench[k + R_Q + j]
        for j in range(plan[row + L_NV]):
            theta_rate[plan[row + L_V] + j] = bench[k + R_V + j]
    return OK


@helper
def common_ancestor(index, i, j):
    """The nearest stage that carries both or is one of them, −1 for ground."""
    while i != j:
        if i > j:
            i = index[index_row(i) + I_PARENT]
        else:
            j = index[index_row(j) + I_PARENT]
    return i


@helper
def constraint_jacobian(model, index, work, plan, geometry, bench, whole, q, v, J, bias, S):
    """J (rows × nv) and the bias with J a = bias; where `whole`, all six rows of a loop, and S (6 a loop's axis).

    A row reaches up from its two bodies to their nearest common ancestor, from where on the two parts cancel.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    motion_pass(model, index, work, plan, bench, q, v)
    loop_states(index, work, plan, geometry, bench, q, v)
    n, nv = index[N_STAGES], v.shape[0]
    for i in range(n):  # accelerations at a = 0, and axes in the stages' own frames
        row = index_row(i)
        parent, kind, d = index[row + I_PARENT], index[row + I_KIND], index[row + I_V]
        ai = ground_velocity(q) if parent < 0 else load_motion(work, WORK_ROW * parent + W_ACCELERATION)
        ai = motion_to_child(load_xform(work, i), ai)
        ai = joint_bias(model, i, kind, v, d, load_motion(work, WORK_ROW * i + W_VELOCITY), ai)
        store_motion(work, WORK_ROW * i + W_ACCELERATION, ai)
        write_axes(model, i, kind, Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0)), work, axis_at(index, d))
    for j in range(J.shape[0]):
        J[j] = 0.0
    for loop in range(plan[P_LOOPS]):
        row, k, g = loop_row(plan, loop), record_at(plan, loop), GEOMETRY_ROW * loop
        first = 6 * loop if whole else plan[row + L_ROW]
        if plan[row + L_KIND] == COUPLING:
            J[first * nv + plan[row + L_DOF_I]] = 1.0
            J[first * nv + plan[row + L_DOF_J]] -= geometry[g + G_RATIO]
            bias[first] = 0.0
            continue
        c = load_motion(bench, k + R_BIAS)
        meet = common_ancestor(index, plan[row + L_A], plan[row + L_B])
        for r in range(6 if whole else plan[row + L_ROWS]):
            wb, wa = rows_on_bodies(geometry, bench, k, g, r, whole)
            x = power(c, row_in_frame(bench, k, r, whole))
            for end in range(2):
                i = plan[row + L_B] if end == 0 else plan[row + L_A]
                w = wb if end == 0 else wa
                if i >= 0:
                    x -= power(load_motion(work, WORK_ROW * i + W_ACCELERATION), w)
                while i != meet:
                    d = index[index_row(i) + I_V]
                    for e in range(d, d + axes_of(index[index_row(i) + I_KIND])):
                        J[(first + r) * nv + e] += power(load_motion(work, axis_at(index, e)), w)
                    w = wrench_to_parent(load_xform(work, i), w)
                    i = index[index_row(i) + I_PARENT]
            bias[first + r] = x
        for j in range(6 * plan[row + L_NV]):
            S[6 * plan[row + L_V] + j] = bench[k + R_S + j]
    return OK


@helper
def driving_wrench(plan, geometry, bench, loop, force):
    """The wrench a exerts on b in Fb, w = S (SᵀS)⁻¹ (force − damping · θ̇), of a loop joint's motor and damper."""
    row, k, g = loop_row(plan, loop), record_at(plan, loop), GEOMETRY_ROW * loop
    return motor_wrench(plan[row + L_KIND], geometry, g, bench, k, force, plan[row + L_V])
