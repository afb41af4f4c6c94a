"""How the equations of loops change with q and v: what they add to R1 and R2 of closed linkages.

Accelerations a and forces λ of the rows solve R1 = R2 = 0 with

    R1 = ID(q, v, a) − τ − Σ J6ᵀ w,   w = Kᵀ λ + N (τ_loop − damping · θ̇),   R2 = K (A_b − A_a − V_b × V − Ṡ θ̇)

Only the degrees of freedom on the two ways from a loop's bodies to their common ancestor change R2, and w; those above
it see the loop from outside. For each of them, in Fb:

======= ================================================================================================================
here    meaning
======= ================================================================================================================
psi     displacement of the body it moves; eta that of Fb relative to the body a: psi on the way from b, −psi from a
V_q     how V = V_b − V_a changes with q; with v it changes by eta
R2q/v   how A_b − A_a − V_b × V − Ṡ θ̇ does
w_q/v   how the wrench w does, at given λ
theta   how the joint's coordinates do: R eta, with the rows N of R
======= ================================================================================================================

What belongs to a is seen from a frame that moves by eta relative to it. A universal joint and a gimbal turn their axes
with their coordinates: see `linkwork.kernels.closed.adjoint`, whose `dual` and `turn_of` these are.
"""

from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    compose,
    cross_motion,
    cross_wrench,
    motion_to_child,
    power,
    wrench_add,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_pose, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, scale
from linkwork.kernels.closed.adjoint import dual, in_loop_frame, minus, of_rows, turn_of
from linkwork.kernels.closed.loops import common_ancestor, driving_wrench
from linkwork.kernels.closed.records import b_in_a, basis_at, frame_b, geometry_at, loop_at, record_at
from linkwork.kernels.joints import at_rest, axes_of
from linkwork.kernels.layout import N_STAGES, N_V
from linkwork.kernels.layout.derivatives import D_POSE, D_V, L_DOF, L_ETA, L_WQ, L_WV, LOCAL_ROW
from linkwork.kernels.layout.kinds import GIMBAL, UNIVERSAL
from linkwork.kernels.layout.loops import (
    COEFFICIENTS,
    COUPLING,
    G_DAMPING,
    G_POLYNOMIAL,
    P_BASIS,
    P_COLUMN,
    P_LOOPS,
    P_STEPS,
    R_K,
    R_RATE,
    R_S,
    R_V,
)
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import acceleration_at, applied_at, dof_parent_at, parent_of, stage_at, velocity_at
from linkwork.kernels.tree.element_derivatives import last_dof, rates_at
from linkwork.kernels.tree.element_derivatives import record_at as stage_record_at
from linkwork.kernels.tree.rnea import ground_acceleration


@helper
def times(x, m):
    """x m, of motions."""
    return Motion(scale(x, m.v), scale(x, m.w))


@helper
def turned(m, w):
    """m with w added to its turning."""
    return Motion(m.v, add(m.w, w))


@helper
def place_wrenches(index, work, loops, force, loop_tau, loaded):
    """Add the wrenches of all loops to those that act on the stages; without `loaded` there are none yet."""
    zero = Vec3(0.0, 0.0, 0.0)
    if not loaded:
        for i in range(index[N_STAGES]):
            store_wrench(work, applied_at(index, i), Wrench(zero, zero))
    for number in range(loops.plan[P_LOOPS]):
        loop = loop_at(loops.plan, number)
        if loop.kind == COUPLING:
            continue
        w = wrench_add(of_rows(loops, number, force), driving_wrench(loops, number, loop_tau))
        if loop.b >= 0:
            add_wrench(work, applied_at(index, loop.b), wrench_to_parent(frame_b(loops, number), w))
        if loop.a >= 0:
            w = Wrench(scale(-1.0, w.f), scale(-1.0, w.n))
            add_wrench(work, applied_at(index, loop.a), wrench_to_parent(b_in_a(loops, number), w))


@helper
def add_coupling(loops, number, q, v, a, force, h, Q):
    """A coupling qᵢ = p(x), x = qⱼ: R1 has −Jᵀ λ, and R2 is q̈ᵢ − p′ ẍ − p″ ẋ²."""
    plan, geometry = loops.plan, loops.geometry
    loop, g = loop_at(plan, number), geometry_at(number) + G_POLYNOMIAL
    x, j = q[loop.q_j], loop.dof_j
    bend, twist = 0.0, 0.0
    for k in range(COEFFICIENTS - 1, 1, -1):
        bend = bend * x + k * (k - 1) * geometry[g + k]
    for k in range(COEFFICIENTS - 1, 2, -1):
        twist = twist * x + k * (k - 1) * (k - 2) * geometry[g + k]
    Q[j * (v.shape[0] + 1)] += bend * force[loop.row]
    at = basis_at(plan, loop, 0) - plan[P_BASIS] + plan[plan[P_COLUMN] + loop.a]  # a has the leader
    h[at] = bend * a[j] + twist * v[j] * v[j]
    h[plan[P_STEPS] - plan[P_BASIS] + at] = 2.0 * bend * v[j]


@helper
def turned_back(loops, number, j, n):
    """The moment m with m · x = n · `turn_of`(x) for every turning x."""
    k = record_at(loops.plan, number)
    s = load_motion(loops.scratch, k + R_S + 6 * j).w
    if loop_at(loops.plan, number).kind == GIMBAL and j == 1:
        return scale(dot(n, cross(s, load_motion(loops.scratch, k + R_S).w)), dual(loops, number, 0).n)
    return cross(n, s)


@helper
def joint_changes(loops, number, force, motor, inner, V, eta, V_q, R2q, R2v):
    """Of one degree of freedom: R2q and R2v with −Ṡ θ̇, w_q, w_v, and what the turning of K adds to R2q."""
    plan, geometry, scratch = loops
    loop, k, g = loop_at(plan, number), record_at(plan, number), geometry_at(number) + G_DAMPING
    none = Vec3(0.0, 0.0, 0.0)
    w_q, w_v, more = Wrench(none, none), Wrench(none, none), 0.0
    hinged = loop.kind == UNIVERSAL or loop.kind == GIMBAL
    if hinged:
        for j in range(1, loop.nv):
            theta = power(eta, dual(loops, number, j))
            V_q = turned(V_q, scale(theta, turn_of(loops, number, j, V.w)))
            w_q = Wrench(w_q.f, add(w_q.n, scale(theta, turned_back(loops, number, j, motor.n))))
    for j in range(loop.nv):
        N, damping = dual(loops, number, j), geometry[g + j]
        if damping != 0.0:
            x, y = -damping * power(V_q, N), -damping * power(eta, N)
            w_q = wrench_add(w_q, Wrench(scale(x, N.f), scale(x, N.n)))
            w_v = wrench_add(w_v, Wrench(scale(y, N.f), scale(y, N.n)))
    if loop.kind == UNIVERSAL:
        N0, N1 = dual(loops, number, 0), dual(loops, number, 1)
        s, n = load_motion(scratch, k + R_S).w, load_wrench(scratch, k + R_K + 18).n
        e, turned_n = Vec3(-s.y, s.x, 0.0), Vec3(n.y, -n.x, 0.0)  # z × the first axis; ∂n/∂θ2 = −z × n
        r0, r1, theta = scratch[k + R_V], scratch[k + R_V + 1], power(eta, N1)
        R2q = turned(R2q, scale(r1 * power(V_q, N0) + r0 * power(V_q, N1), e))
        R2q = turned(R2q, scale(-r0 * r1 * theta, Vec3(-e.y, e.x, 0.0)))
        R2v = turned(R2v, scale(r1 * power(eta, N0) + r0 * power(eta, N1), e))
        w_q = Wrench(w_q.f, add(w_q.n, scale(theta * force[loop.row + 3], turned_n)))
        more = theta * dot(turned_n, add(inner.w, scale(r0 * r1, e)))
    return R2q, R2v, w_q, w_v, more


@helper
def add_loop(model, index, work, loops, number, force, loop_tau, local, h, Q, D, T, width):
    """What one loop joint adds: −δR2 to `h`, first by q and then by v, and δR1 to Q and D.

    h has the shape of B, one column per degree of freedom that loops pass; Q and D are nv × nv, T is nv × `width` and
    gets the torques of the loop joint's motors, where it has room for them.
    """
    plan, scratch, nv = loops.plan, loops.scratch, index[N_V]
    loop, k = loop_at(plan, number), record_at(plan, number)
    a, b = loop.a, loop.b
    rest, ground = at_rest(force), ground_acceleration(model, force, 1.0)
    Vb = in_loop_frame(loops, number, work, index, velocity_at(b), b, True, rest)
    Va = in_loop_frame(loops, number, work, index, velocity_at(a), a, False, rest)
    Ab = in_loop_frame(loops, number, work, index, acceleration_at(b), b, True, ground)
    Aa = in_loop_frame(loops, number, work, index, acceleration_at(a), a, False, ground)
    V = load_motion(scratch, k + R_RATE)
    motor, inner = driving_wrench(loops, number, loop_tau), minus(minus(Ab, Aa), cross_motion(Vb, V))
    by_v = plan[P_STEPS] - plan[P_BASIS]
    meet, count = common_ancestor(index, a, b), 0
    for side in range(2):
        i, sign = (b, 1.0) if side == 0 else (a, -1.0)
        if i == meet:
            continue
        at = stage_record_at(index, i)
        X = compose(load_pose(work, at + D_POSE), frame_b(loops, number) if side == 0 else b_in_a(loops, number))
        Vi = load_motion(work, at + D_V)
        while i != meet:
            _, kind, _, d0 = stage_at(index, i)
            for e in range(d0, d0 + axes_of(kind)):
                at = rates_at(index, e)
                s, pd, pdd = load_motion(work, at), load_motion(work, at + 6 * nv), load_motion(work, at + 12 * nv)
                psi, Vq = motion_to_child(X, s), motion_to_child(X, pd)
                Aq = motion_to_child(X, minus(pdd, cross_motion(Vi, pd)))
                Av = motion_to_child(X, minus(load_motion(work, at + 18 * nv), cross_motion(Vi, s)))
                eta = times(sign, psi)
                V_q = minus(times(sign, Vq), cross_motion(Va, eta))
                R2q = minus(minus(times(sign, Aq), cross_motion(Aa, eta)), cross_motion(Vb, V_q))
                R2v = minus(times(sign, Av), cross_motion(Vb, eta))
                if side == 0:
                    R2q, R2v = minus(R2q, cross_motion(Vq, V)), minus(R2v, cross_motion(psi, V))
                R2q, R2v, w_q, w_v, more = joint_changes(
                    loops, number, force, motor, inner, V, eta, V_q, R2q, R2v
                )  # fmt: skip
                column = plan[plan[P_COLUMN] + i] + e - d0 - plan[P_BASIS]
                for r in range(loop.rows):
                    K, c = load_wrench(scratch, k + R_K + 6 * r), basis_at(plan, loop, r) + column
                    h[c] = -power(R2q, K) - (more if r == 3 else 0.0)
                    h[by_v + c] = -power(R2v, K)
                row = LOCAL_ROW * count
                store_motion(local, row + L_ETA, eta)
                store_wrench(local, row + L_WQ, w_q)
                store_wrench(local, row + L_WV, w_v)
                local[row + L_DOF] = e
                count += 1
                if width > nv:
                    for j in range(loop.nv):
                        T[e * width + nv + loop.v + j] = power(eta, dual(loops, number, j))
            i = parent_of(index, i)
    add_forces(index, work, loops, number, count, wrench_add(of_rows(loops, number, force), motor), local, Q, D)


@helper
def add_forces(index, work, loops, number, count, w, local, Q, D):
    """Add to R1 what −J6ᵀ w changes by: w itself, and the place of Fb on the body a, at which it acts."""
    loop, nv = loop_at(loops.plan, number), index[N_V]
    for m in range(count):
        row = LOCAL_ROW * m
        e, eta = int(local[row + L_DOF]), load_motion(local, row + L_ETA)
        if loop.nv > 0:
            w_q, w_v = load_wrench(local, row + L_WQ), load_wrench(local, row + L_WV)
            for k in range(count):
                d, own = int(local[LOCAL_ROW * k + L_DOF]), load_motion(local, LOCAL_ROW * k + L_ETA)
                Q[d * nv + e] -= power(own, w_q)
                D[d * nv + e] -= power(own, w_v)
        if loop.a >= 0:
            X = compose(load_pose(work, stage_record_at(index, loop.a) + D_POSE), b_in_a(loops, number))
            turn = wrench_to_parent(X, cross_wrench(eta, w))
            above, d = dof_parent_at(index, 0), last_dof(index, loop.a)
            while d >= 0:
                Q[d * nv + e] += power(load_motion(work, rates_at(index, d)), turn)
                d = index[above + d]
