"""Forward dynamics by the principle of virtual work, with the force of every constraint.

Links are joined one joint at a time, from the end links to the root; each time the principle of virtual work gives the
force that the new constraint needs. On the way back every joint gets its final force. Symbols, beside the paper's:

======= ===================== ==========================================================================================
here    paper                 meaning
======= ===================== ==========================================================================================
Y       A⁻¹ − Uᵀ M U …        inverse inertia of a link together with all that is joined to it so far
alpha   A⁻¹ (t + Hᵀ n …)      its acceleration so far
X, E    H = K X, K part of E  parent to child; the child's frame to the joint's rows (see `constraint`); F = E⁻¹
Q, P    terms of (41)         Y of child and parent, in the joint's rows; B = Q + P
U       S of (39)             accelerations in the joint's rows that wrenches on the parent give
r       a − S n of (40)       relative acceleration that the joint still has to make up
u       n_J                   torque less damping
w       Hᵀ n + H_Jᵀ n_J       wrench of the joint on its child: constraint force, torque, armature
======= ===================== ==========================================================================================

The paper keeps M of one joint for the next, and pays O(n²) for a link with n joints or splits it. Here each joint
updates Y of the link itself, (43) seen from the link: O(1) per joint for any tree. Where what hangs on the link is far
heavier than itself, as across the plane of a long chain of hinges, (43) is a small difference of large numbers and is
written as a product instead. Torques enter with their joint, on both sides; (28) forgets the parent's. And where (47)
hands forces on from joint to joint, here the parent's acceleration is handed on and the force follows from it: no drift
along the chain.

References: [Yamane2001] sections 3 and 4.
"""

from linkwork.kernels.algebra.spatial import (
    ArticulatedInertia,
    Motion,
    Wrench,
    articulated_add,
    articulated_to_parent,
    gyroscopic,
    motion_add,
    motion_to_child,
    wrench_add,
    wrench_sub,
)
from linkwork.kernels.algebra.storage import (
    load_articulated,
    load_motion,
    load_wrench,
    store_articulated,
    store_motion,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import (
    Mat3,
    Sym3,
    Vec3,
    add,
    cross,
    dot,
    full,
    mat_mul,
    mat_sub,
    mul,
    neg,
    scale,
    skew_mul,
    sym_inverse,
    tmul,
    transpose,
)
from linkwork.kernels.joints import joint_velocity, joint_xform
from linkwork.kernels.layout import (
    LOST,
    N_STAGES,
    N_V,
    NO_INVERSE,
    OK,
)
from linkwork.kernels.numba_ext import any_of, helper, inlined, scalar, separate
from linkwork.kernels.records import (
    all_finite,
    applied_at,
    armature_at,
    body_of,
    check_sizes,
    damping_at,
    factor_at,
    force_at,
    inertia_at,
    kept_acceleration_at,
    load_inertia,
    load_xform,
    stage_at,
    status,
    store_xform,
    velocity_at,
)
from linkwork.kernels.tree.forces import applied_forces
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity, write_wrenches
from linkwork.kernels.virtual_work.constraint import (
    basis,
    bias,
    change_inverse,
    change_motion,
    change_rows,
    change_wrench,
    fold,
    free_rows,
    inverse_mul,
    joint_of,
    joint_rows,
    store_rows,
)
from linkwork.kernels.virtual_work.held_rows import (
    eliminate,
    eliminate_heavy,
    factor,
    least_of,
    less,
    load_factor,
    most_of,
    solve,
    store_factor,
)
from linkwork.kernels.virtual_work.residual_check import residual_check

# A body whose moments of inertia about its centre are, in one direction, below this share of the others has no inverse.
_NOTHING = 1e-13
# Where what is joined to a link is heavier than itself by this much in any direction, its update is one that keeps all
# digits there, which takes longer; and where it is heavier by 1/_TO_CHECK, the result is checked.
_HEAVY, _TO_CHECK = 1e4, 1e-5
SOUND, TO_CHECK, FAILED = 0, 1, 2  # how well a link was joined


@helper
def inverse_inertia(I):  # noqa: E741
    """A⁻¹ of a rigid body, and whether there is one."""
    c = scale(1.0 / I.m, I.h)
    d = I.m * dot(c, c)
    J = Sym3(
        I.I.xx - d + I.h.x * c.x, I.I.xy + I.h.x * c.y, I.I.xz + I.h.x * c.z,
        I.I.yy - d + I.h.y * c.y, I.I.yz + I.h.y * c.z, I.I.zz - d + I.h.z * c.z,
    )  # fmt: skip
    W, det = sym_inverse(J)
    size, about = J.xx + J.yy + J.zz, I.I.xx + I.I.yy + I.I.zz
    H = skew_mul(c, full(W))
    V = skew_mul(c, transpose(H))
    r = 1.0 / I.m
    exists = I.m > 0.0 and det > _NOTHING * size * size * about
    return ArticulatedInertia(Sym3(r + V.xx, V.xy, V.xz, r + V.yy, V.yz, r + V.zz), H, W), exists


@inlined
def seen_from(X, Y):
    """U = X Y as six rows, and X Y Xᵀ: the parent's Y, its accelerations and then its wrenches seen in the child."""
    p, R = X.p, X.R
    T = transpose(R)
    wv = transpose(Y.H)
    vv = mat_mul(T, mat_sub(full(Y.J), skew_mul(p, wv)))
    vw = mat_mul(T, mat_sub(Y.H, skew_mul(p, full(Y.M))))
    wv = mat_mul(T, wv)
    ww = mat_mul(T, full(Y.M))
    U = (
        Motion(Vec3(vv.xx, vv.xy, vv.xz), Vec3(vw.xx, vw.xy, vw.xz)),
        Motion(Vec3(vv.yx, vv.yy, vv.yz), Vec3(vw.yx, vw.yy, vw.yz)),
        Motion(Vec3(vv.zx, vv.zy, vv.zz), Vec3(vw.zx, vw.zy, vw.zz)),
        Motion(Vec3(wv.xx, wv.xy, wv.xz), Vec3(ww.xx, ww.xy, ww.xz)),
        Motion(Vec3(wv.yx, wv.yy, wv.yz), Vec3(ww.yx, ww.yy, ww.yz)),
        Motion(Vec3(wv.zx, wv.zy, wv.zz), Vec3(ww.zx, ww.zy, ww.zz)),
    )
    x, y, z = motion_to_child(X, U[0]), motion_to_child(X, U[1]), motion_to_child(X, U[2])
    J = Sym3(x.v.x, x.v.y, x.v.z, y.v.y, y.v.z, z.v.z)
    H = Mat3(x.w.x, x.w.y, x.w.z, y.w.x, y.w.y, y.w.z, z.w.x, z.w.y, z.w.z)
    x, y, z = tmul(R, U[3].w), tmul(R, U[4].w), tmul(R, U[5].w)
    return U, ArticulatedInertia(J, H, Sym3(x.x, x.y, x.z, y.y, y.z, z.z))


@inlined
def seen_by_parent(X, m):
    """X⁻¹ m: a motion of the child's frame in the parent's."""
    w = mul(X.R, m.w)
    return Motion(add(mul(X.R, m.v), cross(X.p, w)), w)


@helper
def spend(alpha, U, u):
    """alpha − Uᵀ u."""
    alpha = less(less(less(alpha, u.f.x, U[0]), u.f.y, U[1]), u.f.z, U[2])
    return less(less(less(alpha, u.n.x, U[3]), u.n.y, U[4]), u.n.z, U[5])


@helper
def effort(model, index, kind, d, v, tau):
    """n_J: torque less damping, in the joint's rows."""
    z = scalar(v, 0.0)
    u, x = joint_rows(kind, tau, d, z), joint_rows(kind, v, d, z)
    k = joint_rows(kind, model, damping_at(index, d), 0.0)
    return Wrench(
        Vec3(u.v.x - k.v.x * x.v.x, u.v.y - k.v.y * x.v.y, u.v.z - k.v.z * x.v.z),
        Vec3(u.w.x - k.w.x * x.w.x, u.w.y - k.w.y * x.w.y, u.w.z - k.w.z * x.w.z),
    )


@helper
def prepare(model, index, work, loaded, q, v, i):
    """Stage i by itself: where it stands, its velocity, Y = A⁻¹ and alpha = A⁻¹ (f − b) of (18); whether A⁻¹ exists."""
    parent, kind, k, d = stage_at(index, i)
    X = joint_xform(model, i, kind, q, k)
    vi = ground_velocity(q) if parent < 0 else load_motion(work, velocity_at(parent))
    vi = joint_velocity(model, i, kind, v, d, motion_to_child(X, vi))
    store_motion(work, velocity_at(i), vi)
    if body_of(index, i) < 0:
        store_xform(work, i, X)
        return True
    store_xform(work, i, fold(model, index, work, v, i, X))
    I = load_inertia(model, i)  # noqa: E741
    Y, exists = inverse_inertia(I)
    b = gyroscopic(I, vi)  # (18)
    t = Wrench(neg(b.f), neg(b.n))
    if loaded:
        t = wrench_sub(load_wrench(work, applied_at(index, i)), b)
    store_articulated(work, inertia_at(i), Y)
    store_motion(work, force_at(i), inverse_mul(Y, t))
    return exists


@helper
def join(model, index, work, v, tau, i):
    """Join body stage i to its parent: equations (40), (41) and (43); how well that went.

    Leaves what `release` needs: the factors of Q, and the child's part of r in the place of alpha.
    """
    kind, parent, d = joint_of(index, i)
    E, F = basis(model, index, work, i, kind, v)
    g, s = joint_rows(kind, model, armature_at(index, d), 1.0), free_rows(kind)
    Q = change_inverse(kind, E, load_articulated(work, inertia_at(i)))  # of (41)
    u = effort(model, index, kind, d, v, tau)
    r = less(bias(model, index, work, v, i), 1.0, load_motion(work, force_at(i)))
    r = less(change_motion(kind, E, r), 1.0, inverse_mul(Q, u))
    store_motion(work, force_at(i), r)
    F_Q = factor(Q, g, s)
    store_factor(work, factor_at(index, i), F_Q)
    tq = F_Q.t
    if any_of(least_of(tq) <= 0.0):
        return FAILED
    if parent < 0:
        return SOUND
    X = load_xform(work, i)
    Y, alpha = load_articulated(work, inertia_at(parent)), load_motion(work, force_at(parent))
    U, P = seen_from(X, Y)  # (39), (41)
    P = change_inverse(kind, E, P)
    x = less(change_motion(kind, E, motion_to_child(X, alpha)), 1.0, inverse_mul(P, u))  # of (40)
    if any_of(most_of(g, tq, P) > _HEAVY):
        P, x, t = eliminate_heavy(P, Q, g, s, x, r)
        Y = articulated_to_parent(X, change_inverse(kind, F, P))
        alpha = seen_by_parent(X, change_motion(kind, F, x))
    else:
        U = change_rows(kind, E, U)
        alpha = spend(alpha, U, u)
        Y, alpha, t = eliminate(articulated_add(P, Q), U, U, g, s, x, r, Y, alpha)  # (43)
    store_articulated(work, inertia_at(parent), Y)
    store_motion(work, force_at(parent), alpha)
    if any_of(least_of(t) <= 0.0):
        return FAILED
    return TO_CHECK if any_of(least_of(less(t, _TO_CHECK, tq)) <= 0.0) else SOUND


@helper
def release(model, index, work, weight, v, tau, i, a):
    """The final force of stage i's joint, (47), and its acceleration, (53), from the parent's acceleration.

    Gravity, times `weight`, is an acceleration of the ground, upwards. Leaves w in the place of r, and the stage's
    acceleration in that of Y.
    """
    kind, parent, d = joint_of(index, i)
    E, F = basis(model, index, work, i, kind, v)
    g, s = joint_rows(kind, model, armature_at(index, d), 1.0), free_rows(kind)
    ai = ground_acceleration(model, v, weight) if parent < 0 else load_motion(work, kept_acceleration_at(parent))
    ai = motion_to_child(load_xform(work, i), ai)
    r = motion_add(load_motion(work, force_at(i)), change_motion(kind, E, ai))
    n, x = solve(load_factor(work, factor_at(index, i)), g, s, r)  # (47), (53)
    store_rows(kind, a, d, x)
    w = change_wrench(kind, E, wrench_add(effort(model, index, kind, d, v, tau), n))
    store_wrench(work, force_at(i), w)
    ai = motion_add(ai, bias(model, index, work, v, i))
    store_motion(work, kept_acceleration_at(i), motion_add(ai, change_motion(kind, F, x)))


@separate
def virtual_work(model, index, work, option, q, v, tau, a):
    """a with τ = (H + armature) a + bias + damping · v; leaves each joint's wrench in the work space.

    Option 1: with the wrenches applied to the stages; 2: without gravity.
    """
    outcome = check_sizes(index, q, v, tau, a)
    if outcome != OK:
        return outcome
    n = index[N_STAGES]
    for i in range(n):
        if not prepare(model, index, work, option == 1, q, v, i):
            return status(NO_INVERSE, i)
    # Path 1, end links to root
    to_check = False
    for i in range(n - 1, -1, -1):
        if body_of(index, i) >= 0:
            how = join(model, index, work, v, tau, i)
            if how == FAILED:
                return status(LOST, i)
            to_check = to_check or how == TO_CHECK
    # Path 2, root to end links
    weight = 0.0 if option == 2 else 1.0
    for i in range(n):
        if body_of(index, i) >= 0:
            release(model, index, work, weight, v, tau, i, a)
    if to_check:
        outcome = residual_check(model, index, work, option, q)
        if outcome != OK:
            return outcome
    return all_finite(a, index[N_V])


@helper
def virtual_work_part(model, index, work, loaded, first, last, stages, q, v, tau, a):
    """Steps first … last (0: prepare, 1: path 1, 2: path 2) for the stages listed, in ascending order."""
    outcome = check_sizes(index, q, v, tau, a)
    if outcome != OK:
        return outcome
    if first == 0:
        for i in stages:
            if not prepare(model, index, work, loaded, q, v, i):
                return status(NO_INVERSE, i)
    if first <= 1 and last >= 1:
        for i in stages[::-1]:
            if body_of(index, i) >= 0 and join(model, index, work, v, tau, i) == FAILED:
                return status(LOST, i)
    if last == 2:
        for i in stages:
            if body_of(index, i) >= 0:
                release(model, index, work, 1.0, v, tau, i, a)
    return OK


@helper
def virtual_work_wrenches(model, index, work, table, q, v, tau, f_ext, a, out, total):
    """`virtual_work` with forces, and the wrench of each body's joint (nb × 6); `total` (nv) is scratch."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome != OK:
        return outcome
    outcome = virtual_work(model, index, work, 1, q, v, total, a)
    if outcome == OK:
        write_wrenches(model, index, work, out)
    return outcome
