"""Vector–Jacobian products of the forward dynamics of closed linkages.

Accelerations a and forces λ of the rows solve R1 = R2 = 0 with R1 = ID(q, v, a) − τ − Σ J6ᵀ w and R2 = K (A_b − A_a −
V_b × V − Ṡ θ̇), see `linkwork.dynamics.closed_derivatives`. One solve with the same elimination gives μ and ν,

    H μ + Jᵀ ν = λ_a,   J μ = 0

and the products are −grad φ, φ = μ · R1 + ν · R2, by the sweep of `linkwork.kernels.tree.adjoint` with these besides:

======= ================================================================================================================
here    meaning
======= ================================================================================================================
w, wn   Kᵀ λ + N (τ_loop − damping · θ̇), the wrench of a on b in Fb; and Kᵀ ν
Ub, Ua  virtual motions of the two bodies in Fb; their difference is `u`
r       rates θ̇ = R V of the loop joint; r_bar their adjoints, t_bar those of its coordinates θ, where axes turn
eta     adjoint of the displacement of Fb relative to the body a
======= ================================================================================================================
"""

from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    cross_motion,
    cross_wrench,
    motion_to_child,
    power,
    wrench_add,
    wrench_sub,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, scale, sub
from linkwork.kernels.closed.embedding import answer_at_rest, closed_forward
from linkwork.kernels.closed.loops import driving_wrench
from linkwork.kernels.closed.records import Loops, b_in_a, frame_b, geometry_at, loop_at, record_at, state_row
from linkwork.kernels.joints import at_rest
from linkwork.kernels.joints.hinges import dual_axes, inverse_product
from linkwork.kernels.layout import N_STAGES, N_V, OK
from linkwork.kernels.layout.derivatives import B_A, B_F, B_P, B_U, B_V
from linkwork.kernels.layout.kinds import GIMBAL, UNIVERSAL
from linkwork.kernels.layout.loops import (
    COEFFICIENTS,
    COUPLING,
    G_DAMPING,
    G_POLYNOMIAL,
    P_LOOPS,
    P_ROWS,
    R_K,
    R_RATE,
    R_S,
    R_V,
)
from linkwork.kernels.numba_ext import helper, load, scalar, separate, store
from linkwork.kernels.records import acceleration_at, velocity_at
from linkwork.kernels.tree.adjoint import adjoint_at, begin_sweep, end_sweep
from linkwork.kernels.tree.forces import has_forces
from linkwork.kernels.tree.rnea import ground_acceleration


@helper
def response(model, index, work, loops, q, zero, rhs, mu, nu, left):
    """μ and ν with H μ + Jᵀ ν = rhs and J μ = 0; the virtual motions of all stages stay in their records."""
    plan, geometry, scratch = loops
    outcome = answer_at_rest(model, index, work, plan, geometry, scratch, q, zero, rhs, zero, mu, nu, left)
    for r in range(plan[P_ROWS]):
        store(nu, r, -load(nu, r))
    for i in range(index[N_STAGES]):
        store_motion(work, adjoint_at(index, i) + B_U, load_motion(work, acceleration_at(i)))
    return outcome


@helper
def minus(a, b):
    """a − b, of motions."""
    return Motion(sub(a.v, b.v), sub(a.w, b.w))


@helper
def of_rows(loops, number, x):
    """Kᵀ x of a loop, in Fb."""
    loop, k = loop_at(loops.plan, number), record_at(loops.plan, number) + R_K
    z = scalar(loops.scratch, 0.0)
    w = Wrench(Vec3(z, z, z), Vec3(z, z, z))
    for r in range(loop.rows):
        K, y = load_wrench(loops.scratch, k + 6 * r), load(x, loop.row + r)
        w = wrench_add(w, Wrench(scale(y, K.f), scale(y, K.n)))
    return w


@helper
def dual(loops, number, j):
    """N_j: the j-th row of the rates R of a loop joint, as a wrench in Fb."""
    scratch, k = loops.scratch, record_at(loops.plan, number)
    kind = loop_at(loops.plan, number).kind
    z = scalar(scratch, 0.0)
    o, s = Vec3(z, z, z), load_motion(scratch, k + R_S).w
    if kind == GIMBAL:
        s2 = load_motion(scratch, k + R_S + 6).w
        return Wrench(o, dual_axes(s, s2, inverse_product(s, s2))[j])
    if kind == UNIVERSAL:
        r = 1.0 / (s.x * s.x + s.y * s.y)
        first = Vec3(r * s.x, r * s.y, z)
        return Wrench(o, first if j == 0 else Vec3(-s.z * first.x, -s.z * first.y, z + 1.0))
    axis = load_motion(scratch, k + R_S + 6 * j)
    r = 1.0 / (dot(axis.v, axis.v) + dot(axis.w, axis.w))
    return Wrench(scale(r, axis.v), scale(r, axis.w))


@helper
def turn_of(loops, number, j, x):
    """What a turn of hinge j does to the rates of the turning x, as one more turning: R(∂θ_j) x = R · this."""
    scratch, k = loops.scratch, record_at(loops.plan, number)
    kind = loop_at(loops.plan, number).kind
    s = load_motion(scratch, k + R_S + 6 * j).w
    if kind == GIMBAL and j == 1:  # the first axis alone
        y = dot(dual(loops, number, 0).n, x)
        return cross(s, scale(y, load_motion(scratch, k + R_S).w))
    return cross(s, x)


@helper
def hinge_adjoints(loops, number, wn, force, nu, drive, V, inner, u, vrel, eta):
    """What the turning axes of a universal joint or a gimbal add to the adjoints of V and of η.

    `drive` are the torques τ − damping · θ̇ by index, `inner` is A_b − A_a − V_b × V, and `vrel` what dampers add.
    """
    scratch, k = loops.scratch, record_at(loops.plan, number)
    loop = loop_at(loops.plan, number)
    z = scalar(scratch, 0.0)
    universal = loop.kind == UNIVERSAL
    r0, r1 = load(scratch, k + R_V), load(scratch, k + R_V + 1)
    s = load_motion(scratch, k + R_S).w
    e = Vec3(-s.y, s.x, z)  # z × the first axis
    n = load_wrench(scratch, k + R_K + 18).n if universal else Vec3(z, z, z)
    rates = Vec3(z, z, z)  # the rates' adjoints, as a turning: Σ N_j r_bar_j
    if universal:
        x = dot(wn.n, e)
        rates = add(scale(r1 * x, dual(loops, number, 0).n), scale(r0 * x, dual(loops, number, 1).n))
        vrel = Wrench(vrel.f, add(vrel.n, rates))
    for j in range(1, loop.nv):
        # r = R V and w = N drive, with the rates' adjoints as they now are
        t = dot(vrel.n, turn_of(loops, number, j, V.w)) - dot(drive, turn_of(loops, number, j, u.w))
        if universal:
            turned = Vec3(n.y, -n.x, z)  # ∂n/∂θ2 = −z × n
            row = loop.row + 3
            t += load(nu, row) * dot(turned, add(inner.w, scale(r0 * r1, e))) - load(force, row) * dot(turned, u.w)
            t -= r0 * r1 * dot(wn.n, Vec3(-e.y, e.x, z))
        N = dual(loops, number, j)
        eta = Wrench(eta.f, add(eta.n, scale(t, N.n)))
    return vrel, eta


@helper
def in_loop_frame(loops, number, work, index, at, stage, on_b, rest):
    """A motion of stage `stage`, stored at `at`, in Fb; `rest` of the ground."""
    m = rest if stage < 0 else load_motion(work, at)
    return motion_to_child(frame_b(loops, number) if on_b else b_in_a(loops, number), m)


@helper
def add_loops(model, index, work, loops, weight, force, nu, loop_tau, driven, loop_bar):
    """Add what the loops give the adjoints of their bodies; and, where `driven`, write those of loop torques.

    `weight` is that of gravity in the accelerations. Without `driven` motors and dampers are left out.
    """
    plan, scratch = loops.plan, loops.scratch
    rest = at_rest(force)
    ground = ground_acceleration(model, force, weight)
    for number in range(plan[P_LOOPS]):
        loop, k = loop_at(plan, number), record_at(plan, number)
        if loop.kind == COUPLING:
            continue  # see `add_couplings`
        a, b = loop.a, loop.b
        Vb = in_loop_frame(loops, number, work, index, velocity_at(b), b, True, rest)
        Va = in_loop_frame(loops, number, work, index, velocity_at(a), a, False, rest)
        Ab = in_loop_frame(loops, number, work, index, acceleration_at(b), b, True, ground)
        Aa = in_loop_frame(loops, number, work, index, acceleration_at(a), a, False, ground)
        Ub = in_loop_frame(loops, number, work, index, adjoint_at(index, b) + B_U, b, True, rest)
        Ua = in_loop_frame(loops, number, work, index, adjoint_at(index, a) + B_U, a, False, rest)
        u, V = minus(Ub, Ua), load_motion(scratch, k + R_RATE)
        wn, w = of_rows(loops, number, nu), of_rows(loops, number, force)
        z = scalar(scratch, 0.0)
        vrel, motor = Wrench(Vec3(z, z, z), Vec3(z, z, z)), Wrench(Vec3(z, z, z), Vec3(z, z, z))
        if driven:
            motor = driving_wrench(loops, number, loop_tau)
            w = wrench_add(w, motor)
            for j in range(loop.nv):
                N = dual(loops, number, j)
                y = power(u, N)
                store(loop_bar, loop.v + j, y)
                y *= loops.geometry[geometry_at(number) + G_DAMPING + j]
                vrel = wrench_add(vrel, Wrench(scale(y, N.f), scale(y, N.n)))
        eta = wrench_sub(cross_wrench(Aa, wn), cross_wrench(Ua, w))
        if loop.kind == UNIVERSAL or loop.kind == GIMBAL:
            inner = minus(minus(Ab, Aa), cross_motion(Vb, V))
            vrel, eta = hinge_adjoints(loops, number, wn, force, nu, motor.n, V, inner, u, vrel, eta)
        on_b = wrench_add(cross_wrench(Va, wn), vrel)
        on_a = wrench_sub(Wrench(scale(-1.0, vrel.f), scale(-1.0, vrel.n)), cross_wrench(Vb, wn))
        eta = wrench_sub(eta, cross_wrench(Va, on_a))
        if b >= 0:
            hand_in(index, work, b, frame_b(loops, number), 1.0, wn, w, on_b, eta)
        if a >= 0:
            hand_in(index, work, a, b_in_a(loops, number), -1.0, wn, w, on_a, eta)


@helper
def hand_in(index, work, stage, X, sign, wn, w, on, eta):
    """Add the adjoints of one body of a loop, given in Fb, which stands at X in its stage."""
    row = adjoint_at(index, stage)
    add_wrench(work, row + B_A, wrench_to_parent(X, Wrench(scale(sign, wn.f), scale(sign, wn.n))))
    add_wrench(work, row + B_F, wrench_to_parent(X, Wrench(scale(-sign, w.f), scale(-sign, w.n))))
    add_wrench(work, row + B_V, wrench_to_parent(X, on))
    add_wrench(work, row + B_P, wrench_to_parent(X, Wrench(scale(sign, eta.f), scale(sign, eta.n))))


@helper
def add_couplings(loops, q, v, a, mu, force, nu, q_bar, v_bar):
    """Add what couplings qᵢ = p(x), x = qⱼ, give: of −Jᵀ λ in R1, and of q̈ᵢ − p′ ẍ − p″ ẋ² in R2."""
    plan, geometry = loops.plan, loops.geometry
    for number in range(plan[P_LOOPS]):
        loop, g = loop_at(plan, number), geometry_at(number) + G_POLYNOMIAL
        if loop.kind != COUPLING:
            continue
        x, j = load(q, loop.q_j), loop.dof_j
        bend, twist = 0.0 * x, 0.0 * x
        for k in range(COEFFICIENTS - 1, 1, -1):
            bend = bend * x + k * (k - 1) * geometry[g + k]
        for k in range(COEFFICIENTS - 1, 2, -1):
            twist = twist * x + k * (k - 1) * (k - 2) * geometry[g + k]
        rate, pulled = load(v, j), load(nu, loop.row)
        by_q = bend * load(force, loop.row) * load(mu, j) - pulled * (bend * load(a, j) + twist * rate * rate)
        store(q_bar, j, load(q_bar, j) - by_q)
        store(v_bar, j, load(v_bar, j) + 2.0 * pulled * bend * rate)


@helper
def clear_poses(index, work, q):
    """No adjoints of poses yet."""
    z = scalar(q, 0.0)
    for i in range(index[N_STAGES]):
        store_wrench(work, adjoint_at(index, i) + B_P, Wrench(Vec3(z, z, z), Vec3(z, z, z)))


@separate
def closed_forward_vjp(
    model, index, work, table, plan, geometry, scratch, q, v, tau, f_ext, loop_tau, a_bar, q_bar, v_bar, tau_bar,
    loop_bar, a, rows, total,
):  # fmt: skip
    """Products of λ = `a_bar` with ∂a/∂q, ∂a/∂v, ∂a/∂τ and the loop joints' ∂a/∂τ; and a.

    `rows` is four lines of scratch, each as long as the longest of nv and the rows of the constraints; `total` (nv)
    is scratch too.
    """
    loops = Loops(plan, geometry, scratch)
    zero, nu, force, left = rows[0], rows[1], rows[2], rows[3]
    for k in range(zero.shape[0]):
        store(zero, k, 0.0)
    outcome = response(model, index, work, loops, q, zero, a_bar, tau_bar, nu, left)
    if outcome == OK:
        outcome = closed_forward(
            model, index, work, table, plan, geometry, scratch, q, v, tau, f_ext, loop_tau, a, force, left, total
        )  # fmt: skip
    if outcome != OK:
        return outcome
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    clear_poses(index, work, q)
    begin_sweep(model, index, work, table, loaded, f_ext, q)
    add_loops(model, index, work, loops, 1.0, force, nu, loop_tau, True, loop_bar)
    end_sweep(model, index, work, table, True, v, a, tau_bar, q_bar, v_bar)
    add_couplings(loops, q, v, a, tau_bar, force, nu, q_bar, v_bar)
    return OK


@helper
def each_closed_vjp(tree, loops, arrays, room, results, states):
    """`closed_forward_vjp` of the states ``states`` (begin, end); the first status that is not OK, and its state.

    `tree` is (model, index, work, table). `arrays` are (B, n): q, v, tau with the torques of loop joints behind the
    tree's, f_ext and a_bar, each with one row per state or one for all. `results` are (B, n) too.
    """
    model, index, work, table = tree
    plan, geometry, scratch = loops
    a, total, rows = room
    nv = index[N_V]
    for k in range(states[0], states[1]):
        q, v = arrays[0][state_row(arrays[0], k)], arrays[1][state_row(arrays[1], k)]
        tau, f_ext = arrays[2][state_row(arrays[2], k)], arrays[3][state_row(arrays[3], k)]
        a_bar, tau_bar = arrays[4][state_row(arrays[4], k)], results[2][k]
        outcome = closed_forward_vjp(
            model, index, work, table, plan, geometry, scratch, q, v, tau[:nv], f_ext, tau[nv:], a_bar,
            results[0][k], results[1][k], tau_bar[:nv], tau_bar[nv:], a, rows, total,
        )  # fmt: skip
        if outcome != OK:
            return outcome, k
    return OK, states[1]
