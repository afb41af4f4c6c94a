"""Loop joints: where they stand, what they constrain, and their Jacobian.

======= ============================== =================================================================================
here    paper                          meaning
======= ============================== =================================================================================
Fa, Fb  virtual link, real link        the joint's frame on either body, axis along z; (R, p) the pose of Fb in Fa
theta   joint value of a virtual link  the joint's coordinates θ
S       its column of J_A              the joint's motion subspace, in Fb
K       --                             an orthonormal basis of what it forbids, KᵀS = 0, in Fb
V       left-hand side of (9)          V_b − V_a: the velocity of Fb seen from the body a, in Fb
J       J_C of (11), in the rows of K  the constraints of all loops, J a = bias
======= ============================== =================================================================================

The constraint (9) is K V = 0, and once more differentiated

    K (A_b − A_a) = K (V_b × V + Ṡ θ̇)                                  (18) in other words

with spatial accelerations at Fb's origin. A row of K, like a wrench, is moved from frame to frame by
`wrench_to_parent`. A coupling between two joints, qᵢ = p(qⱼ), is a row of
another kind: q̈ᵢ − p′(qⱼ) q̈ⱼ = p″(qⱼ) q̇ⱼ².

``loops`` is a `Loops`: plan, geometry and scratch, which `linkwork.linkage.packing.pack_loops` lays out.

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
    as_vec,
    load_motion,
    load_pose,
    load_wrench,
    store_motion,
    store_pose,
    store_vec,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, identity, scale, size, sub, tmul, transpose
from linkwork.kernels.closed.loop_joints import coordinates, joint_rates, motor_wrench, write_subspaces
from linkwork.kernels.closed.records import Loops, b_in_a, frame_a, frame_b, geometry_at, loop_at, pose_at, record_at
from linkwork.kernels.joints import axes_of, joint_bias, joint_velocity, joint_xform, write_axes
from linkwork.kernels.joints.unit_axes import unit_vectors
from linkwork.kernels.layout import N_STAGES, OK
from linkwork.kernels.layout.kinds import HINGES
from linkwork.kernels.layout.loops import (
    COEFFICIENTS,
    COUPLING,
    G_LENGTH,
    G_POLYNOMIAL,
    G_UNIT,
    P_LOOPS,
    R_BIAS,
    R_ERROR,
    R_IN_A,
    R_K,
    R_LEVER,
    R_Q,
    R_RATE,
    R_S,
    R_SLOPE,
    R_V,
)
from linkwork.kernels.numba_ext import any_of, helper, load, scalar, separate, store
from linkwork.kernels.records import (
    acceleration_at,
    axis_at,
    check_state,
    load_xform,
    parent_of,
    stage_at,
    store_xform,
    velocity_at,
)
from linkwork.kernels.tree.rnea import ground_velocity

RANK = 1e-9  # a row is redundant when less than this is left of what it is made of
_FAR = 64 * 2.2e-16 / RANK  # share of the distance from the origin that the rounding of a pose makes up, beside `RANK`


@helper
def world_pose(loops, i, n):
    """Pose of stage i of n in the world; that of ground is the entry after the last."""
    return load_pose(loops.scratch, pose_at(loops.plan, i if i >= 0 else n))


@separate
def motion_pass(model, index, work, loops, q, v):
    """Transforms, velocities in the stages' frames, world poses."""
    n = index[N_STAGES]
    store_pose(loops.scratch, pose_at(loops.plan, n), Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0)))
    for i in range(n):
        parent, kind, k, d = stage_at(index, i)
        X = joint_xform(model, i, kind, q, k)
        vi = ground_velocity(q) if parent < 0 else load_motion(work, velocity_at(parent))
        store_xform(work, i, X)
        store_motion(work, velocity_at(i), joint_velocity(model, i, kind, v, d, motion_to_child(X, vi)))
        store_pose(loops.scratch, pose_at(loops.plan, i), X if parent < 0 else compose(world_pose(loops, parent, n), X))


@helper
def inverse(X):
    """Where the parent stands in its child."""
    R = transpose(X.R)
    p = tmul(X.R, X.p)
    return Xform(R, Vec3(-p.x, -p.y, -p.z))


@helper
def loop_state(loops, loop, Xa, Xb, Va, Vb, measured):
    """Fill the record of a loop joint from the poses of its stages, in whatever frame, and their velocities.

    Coordinates and errors are left out where they are not `measured`: motion alone does not need them.
    """
    plan, geometry, scratch = loops
    kind, k, g = loop_at(plan, loop).kind, record_at(plan, loop), geometry_at(loop)
    Fb = frame_b(loops, loop)
    in_a = compose(inverse(Xa), compose(Xb, Fb))
    store_pose(scratch, k + R_IN_A, in_a)
    if measured or HINGES[kind] > 0:  # whose axes depend on their coordinates
        X = compose(inverse(frame_a(loops, loop)), in_a)
        E = compose(inverse(coordinates(kind, geometry, g, X, scratch, k + R_Q)), X)
        store_vec(scratch, k + R_ERROR, E.p)
        store_vec(scratch, k + R_ERROR + 3, rotation_vector(E.R))
    write_subspaces(kind, geometry, g, scratch, k)
    measure_rows(loops, loop)
    store(scratch, k + R_LEVER, geometry[g + G_LENGTH] + _FAR * (size(Xa.p) + size(Xb.p)))
    Va, Vb = motion_to_child(in_a, Va), motion_to_child(Fb, Vb)
    V = Motion(sub(Vb.v, Va.v), sub(Vb.w, Va.w))  # (9)
    store_motion(scratch, k + R_RATE, V)
    c, turning = cross_motion(Vb, V), joint_rates(kind, scratch, k, V)  # right-hand side of (18)
    store_motion(scratch, k + R_BIAS, Motion(c.v, Vec3(c.w.x + turning.w.x, c.w.y + turning.w.y, c.w.z + turning.w.z)))


@helper
def measure_rows(loops, loop):
    """Rows that forbid a translation, in the loop's unit of length: then they compare with those of rotations."""
    plan, geometry, scratch = loops
    unit, K = geometry[geometry_at(loop) + G_UNIT], record_at(plan, loop) + R_K
    if unit != 1.0:
        for r in range(loop_at(plan, loop).rows):
            w = load_wrench(scratch, K + 6 * r)
            if any_of(size(w.f) > 0.0):
                store_wrench(scratch, K + 6 * r, Wrench(scale(1.0 / unit, w.f), scale(1.0 / unit, w.n)))


@helper
def made_of(slide, turn, w, lever):
    """What the product of an axis of these sizes and a row w is made of, cancelled or not: rounding is relative to it.

    A force that should pass through the axis misses it by the rounding of the poses, a share of `lever`.
    """
    force = size(w.f)
    return slide * force + turn * (size(w.n) + lever * force)


@helper
def coupled(geometry, g, x):
    """The polynomial of a coupling at x, its slope and its second derivative, by Horner's rule."""
    value = slope = half_curvature = 0.0 * x
    for k in range(COEFFICIENTS - 1, -1, -1):
        half_curvature = half_curvature * x + slope
        slope = slope * x + value
        value = value * x + geometry[g + G_POLYNOMIAL + k]
    return value, slope, 2.0 * half_curvature


@separate
def loop_states(index, work, loops, q, v, measured):
    """Fill the record of every loop from the stages' poses and velocities; see `loop_state`."""
    plan, geometry, scratch = loops
    n = index[N_STAGES]
    for loop in range(plan[P_LOOPS]):
        this, k, g = loop_at(plan, loop), record_at(plan, loop), geometry_at(loop)
        if this.kind == COUPLING:
            value, slope, curvature = coupled(geometry, g, load(q, this.q_j))
            rate = load(v, this.dof_j)
            store(scratch, k + R_ERROR, load(q, this.q_i) - value)
            store(scratch, k + R_RATE, load(v, this.dof_i) - slope * rate)
            store(scratch, k + R_SLOPE, slope)
            store(scratch, k + R_BIAS, curvature * rate * rate)
            store(scratch, k + R_LEVER, geometry[g + G_LENGTH])
            continue
        Va = ground_velocity(q) if this.a < 0 else load_motion(work, velocity_at(this.a))
        Vb = ground_velocity(q) if this.b < 0 else load_motion(work, velocity_at(this.b))
        loop_state(loops, loop, world_pose(loops, this.a, n), world_pose(loops, this.b, n), Va, Vb, measured)


@helper
def row_in_frame(plan, scratch, loop, r, whole):
    """Row r of K of a loop; the r-th unit row where the whole motion is asked for."""
    if whole:
        first, second = unit_vectors(r)
        return Wrench(as_vec(scratch, first), as_vec(scratch, second))
    return load_wrench(scratch, record_at(plan, loop) + R_K + 6 * r)


@helper
def rows_on_bodies(loops, loop, r, whole):
    """A row of a loop as it acts on the body b and, with the opposite sign, on the body a, in their stages' frames."""
    w = row_in_frame(loops.plan, loops.scratch, loop, r, whole)
    minus = Wrench(scale(-1.0, w.f), scale(-1.0, w.n))
    return wrench_to_parent(frame_b(loops, loop), w), wrench_to_parent(b_in_a(loops, loop), minus)


@helper
def row_bias(plan, scratch, loop, r, whole):
    """The right-hand side K (V_b × V + Ṡ θ̇) of row r, (18)."""
    c = load_motion(scratch, record_at(plan, loop) + R_BIAS)
    return power(c, row_in_frame(plan, scratch, loop, r, whole))


@separate
def loop_residuals(model, index, work, plan, geometry, scratch, q, v, error, row_error, rate, theta, theta_rate):
    """Error e (6 per loop; the first entry for a coupling), K e and K V of every row, coordinates and rates of joints.

    A step with J dq = −K e makes the error vanish.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    loops = Loops(plan, geometry, scratch)
    motion_pass(model, index, work, loops, q, v)
    loop_states(index, work, loops, q, v, True)
    for loop in range(plan[P_LOOPS]):
        this, k = loop_at(plan, loop), record_at(plan, loop)
        if this.kind == COUPLING:
            for j in range(6):
                store(error, 6 * loop + j, load(scratch, k + R_ERROR) if j == 0 else scalar(scratch, 0.0))
            store(row_error, this.row, load(scratch, k + R_ERROR))
            store(rate, this.row, load(scratch, k + R_RATE))
            continue
        for j in range(6):
            store(error, 6 * loop + j, load(scratch, k + R_ERROR + j))
        e, V = load_motion(scratch, k + R_ERROR), load_motion(scratch, k + R_RATE)
        for r in range(this.rows):
            K = load_wrench(scratch, k + R_K + 6 * r)
            store(row_error, this.row + r, power(e, K))
            store(rate, this.row + r, power(V, K))
        for j in range(this.nq):
            store(theta, this.q + j, load(scratch, k + R_Q + j))
        for j in range(this.nv):
            store(theta_rate, this.v + j, load(scratch, k + R_V + j))
    return OK


@helper
def common_ancestor(index, i, j):
    """The nearest stage that carries both or is one of them, −1 for ground."""
    while i != j:
        if i > j:
            i = parent_of(index, i)
        else:
            j = parent_of(index, j)
    return i


@helper
def bias_pass(model, index, work, q, v):
    """Accelerations of the stages at a = 0, gravity left out, and their joints' axes in the stages' own frames."""
    for i in range(index[N_STAGES]):
        parent, kind, _, d = stage_at(index, i)
        ai = ground_velocity(q) if parent < 0 else load_motion(work, acceleration_at(parent))
        ai = motion_to_child(load_xform(work, i), ai)
        ai = joint_bias(model, i, kind, v, d, load_motion(work, velocity_at(i)), ai)
        store_motion(work, acceleration_at(i), ai)
        write_axes(model, i, kind, Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0)), work, axis_at(index, d))


@helper
def constraint_jacobian(model, index, work, plan, geometry, scratch, whole, q, v, J, made, bias, S):
    """J (rows × nv) and the bias with J a = bias; where `whole`, all six rows of a loop, and S (6 per axis of a loop).

    A row reaches up from its two bodies to their nearest common ancestor, where the two parts cancel: J_L of (10).
    `made` is what every entry of J is made of, see `made_of`.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    loops = Loops(plan, geometry, scratch)
    motion_pass(model, index, work, loops, q, v)
    loop_states(index, work, loops, q, v, True)
    bias_pass(model, index, work, q, v)
    nv = v.shape[0]
    for j in range(J.shape[0]):
        J[j] = made[j] = 0.0
    for loop in range(plan[P_LOOPS]):
        this = loop_at(plan, loop)
        first = 6 * loop if whole else this.row
        if this.kind == COUPLING:
            J[first * nv + this.dof_i] = made[first * nv + this.dof_i] = 1.0
            slope = scratch[record_at(plan, loop) + R_SLOPE]
            J[first * nv + this.dof_j] -= slope
            made[first * nv + this.dof_j] += abs(slope)
            bias[first] = scratch[record_at(plan, loop) + R_BIAS]
            continue
        meet, lever = common_ancestor(index, this.a, this.b), scratch[record_at(plan, loop) + R_LEVER]
        for r in range(6 if whole else this.rows):
            wb, wa = rows_on_bodies(loops, loop, r, whole)
            x = row_bias(plan, scratch, loop, r, whole)
            for end in range(2):
                i, w = (this.b, wb) if end == 0 else (this.a, wa)
                if i >= 0:
                    x -= power(load_motion(work, acceleration_at(i)), w)
                while i != meet:
                    parent, kind, _, d = stage_at(index, i)
                    for e in range(d, d + axes_of(kind)):
                        axis = load_motion(work, axis_at(index, e))
                        J[(first + r) * nv + e] += power(axis, w)
                        made[(first + r) * nv + e] += made_of(size(axis.v), size(axis.w), w, lever)
                    w = wrench_to_parent(load_xform(work, i), w)
                    i = parent
            bias[first + r] = x
        for j in range(6 * this.nv):
            S[6 * this.v + j] = scratch[record_at(plan, loop) + R_S + j]
    return OK


@helper
def driving_wrench(loops, loop, force):
    """The wrench a exerts on b in Fb, w = S (SᵀS)⁻¹ (force − damping · θ̇), of a loop joint's motor and damper."""
    plan, geometry, scratch = loops
    this = loop_at(plan, loop)
    return motor_wrench(this.kind, geometry, geometry_at(loop), scratch, record_at(plan, loop), force, this.v)
