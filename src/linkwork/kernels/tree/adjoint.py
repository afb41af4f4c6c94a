"""Vector–Jacobian products of forward dynamics of a tree, in O(nb): no matrix is formed.

With μ = H⁻¹ λ the products of λ with ∂a/∂τ, ∂a/∂q and ∂a/∂v are μ and −grad φ, φ = μ · ID(q, v, a) at fixed a. μ comes
from the articulated inertias that `aba` has left, the gradients from a sweep of Newton–Euler backwards.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
V, A    velocity and acceleration of a stage, in its own frame; the ground accelerates with −g
U       its virtual motion, X U_p + S μ
bar_a   derivatives of φ with respect to A, U, V and the pose of a stage, in its frame. Each begins with the body's own
bar_u   part, and is handed up to the parent as a wrench is
bar_v
bar_p
======= ================================================================================================================
"""

from linkwork.kernels.algebra.dense import articulated_solve
from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    articulated_mul,
    compose,
    cross_motion,
    cross_wrench,
    gyroscopic,
    inertia_mul,
    motion_to_child,
    power,
    wrench_add,
    wrench_sub,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import (
    add_wrench,
    as_vec,
    load_articulated,
    load_motion,
    load_pose,
    load_vec,
    load_wrench,
    store_motion,
    store_pose,
    store_vec,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, sym_inverse, sym_mul, tmul
from linkwork.kernels.joints import (
    along,
    along3,
    columns,
    has_one_axis,
    joint_force,
    joint_inertia3,
    joint_velocity,
    revolute,
)
from linkwork.kernels.layout import FIXED, FREE, N_STAGES, N_V, OK, REVOLUTE
from linkwork.kernels.layout.derivatives import ADJOINT_ROW, B_A, B_F, B_P, B_POSE, B_U, B_V
from linkwork.kernels.numba_ext import helper, inlined, load, scalar, separate, sqrt, store, where
from linkwork.kernels.records import (
    acceleration_at,
    all_finite,
    applied_at,
    body_of,
    check_sizes,
    damping_at,
    inertia_at,
    joint_at,
    load_inertia,
    load_xform,
    stage_at,
    velocity_at,
    work_end,
)
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.forces import (
    applied_forces,
    counts,
    end_of,
    friction_slope,
    has_forces,
    joint_spring,
    spring_law,
)
from linkwork.kernels.tree.joint_inertia import combine
from linkwork.kernels.tree.rnea import ground_velocity


@helper
def adjoint_at(index, i):
    """Where the record of stage i is, behind the work space that all algorithms share."""
    return work_end(index) + ADJOINT_ROW * i


@inlined
def respond_up(model, index, work, rhs, mu):
    """Leaves to root: what each joint has of rhs when all beyond it gives way."""
    n = index[N_STAGES]
    z = scalar(rhs, 0.0)
    o = Vec3(z, z, z)
    for i in range(n):
        store_wrench(work, adjoint_at(index, i) + B_F, Wrench(o, o))
    for i in range(n - 1, -1, -1):
        parent, kind, _, d = stage_at(index, i)
        p = load_wrench(work, adjoint_at(index, i) + B_F)
        if kind == FREE:
            f, m = load_vec(rhs, d), load_vec(rhs, d + 3)
            store_vec(mu, d, sub(f, p.f))
            store_vec(mu, d + 3, sub(m, p.n))
            p = Wrench(f, m)
        elif has_one_axis(kind):
            u, r = load(rhs, d) - along(model, i, kind, p), load(work, joint_at(i))
            store(mu, d, u)
            U = load_wrench(work, inertia_at(i))
            p = Wrench(add(p.f, scale(r * u, U.f)), add(p.n, scale(r * u, U.n)))
        elif kind != FIXED:
            u = sub(load_vec(rhs, d), along3(kind, p))
            store_vec(mu, d, u)
            A = load_articulated(work, inertia_at(i))
            Di, _ = sym_inverse(joint_inertia3(model, index, kind, d, A))
            Ux, Uy, Uz = columns(kind, A)
            p = combine(p, sym_mul(Di, u), Ux, Uy, Uz)
        if parent >= 0:
            add_wrench(work, adjoint_at(index, parent) + B_F, wrench_to_parent(load_xform(work, i), p))


@inlined
def respond_down(model, index, work, i, mu):
    """μ of one stage, whose parent has its motion; its own motion U, which is written too."""
    parent, kind, _, d = stage_at(index, i)
    m = ground_velocity(mu) if parent < 0 else load_motion(work, adjoint_at(index, parent) + B_U)
    m = motion_to_child(load_xform(work, i), m)
    if has_one_axis(kind):
        W = load_wrench(work, inertia_at(i))
        store(mu, d, load(work, joint_at(i)) * (load(mu, d) - power(m, W)))
    elif kind != FIXED:
        A = load_articulated(work, inertia_at(i))
        if kind == FREE:
            w = articulated_mul(A, m)
            x, _, _, _ = articulated_solve(A, Wrench(sub(load_vec(mu, d), w.f), sub(load_vec(mu, d + 3), w.n)))
            store_vec(mu, d, x.v)
            store_vec(mu, d + 3, x.w)
        else:
            Di, _ = sym_inverse(joint_inertia3(model, index, kind, d, A))
            Ux, Uy, Uz = columns(kind, A)
            u = load_vec(mu, d)
            u = Vec3(u.x - power(m, Ux), u.y - power(m, Uy), u.z - power(m, Uz))
            store_vec(mu, d, sym_mul(Di, u))
    U = joint_velocity(model, i, kind, mu, d, m)
    store_motion(work, adjoint_at(index, i) + B_U, U)
    return U


@helper
def velocity_adjoint(I, U, V, f):  # noqa: E741
    """−(U ×* I V + I (V × U)), f being the force of I U: by Jacobi's identity its own force is f × V_ω."""
    spin = add(cross(U.w, sym_mul(I.I, V.w)), sym_mul(I.I, cross(V.w, U.w)))
    slide = add(scale(2.0, cross(I.h, cross(V.w, U.v))), cross(V.w, cross(U.v, I.h)))
    return Wrench(cross(f, V.w), sub(cross(V.v, f), add(spin, slide)))


@inlined
def begin_stage(model, index, work, loaded, f_ext, q, i, U):
    """What a body itself has of the adjoints; its world pose where forces need it."""
    z = scalar(q, 0.0)
    o = Vec3(z, z, z)
    row, body = adjoint_at(index, i), body_of(index, i)
    V, A = load_motion(work, velocity_at(i)), load_motion(work, acceleration_at(i))
    I = load_inertia(model, i)  # noqa: E741
    bar_a, bar_u = inertia_mul(I, U), wrench_add(inertia_mul(I, A), gyroscopic(I, V))
    if loaded:
        parent, _, _, _ = stage_at(index, i)
        X = load_xform(work, i)
        if parent >= 0:
            X = compose(load_pose(work, adjoint_at(index, parent) + B_POSE), X)
        store_pose(work, row + B_POSE, X)
        bar_u = wrench_sub(bar_u, load_wrench(work, applied_at(index, i)))
        turn = o
        if f_ext.shape[0] > 0 and body >= 0:  # a wrench that keeps its direction in the world
            f, n = tmul(X.R, load_vec(f_ext, 6 * body)), tmul(X.R, load_vec(f_ext, 6 * body + 3))
            turn = add(cross(f, U.v), cross(n, U.w))
        store_wrench(work, row + B_P, Wrench(o, turn))
    store_wrench(work, row + B_A, bar_a)
    store_wrench(work, row + B_F, bar_u)
    store_wrench(work, row + B_V, velocity_adjoint(I, U, V, bar_a.f))


@helper
def begin(model, index, work, loaded, f_ext, q):
    """What all bodies themselves have of the adjoints, with the motions U that are written."""
    for i in range(index[N_STAGES]):
        begin_stage(model, index, work, loaded, f_ext, q, i, load_motion(work, adjoint_at(index, i) + B_U))


@helper
def end_motion(index, work, table, number, end, q):
    """Of one end of a spring: world place, velocity and virtual velocity."""
    stage, point = end_of(table, number, end)
    z = scalar(q, 0.0)
    o = Vec3(z, z, z)
    if stage < 0:
        return as_vec(q, point), o, o
    row = adjoint_at(index, stage)
    X, V, U = load_pose(work, row + B_POSE), load_motion(work, velocity_at(stage)), load_motion(work, row + B_U)
    rate, virtual = add(V.v, cross(V.w, point)), add(U.v, cross(U.w, point))
    return add(X.p, mul(X.R, point)), mul(X.R, rate), mul(X.R, virtual)


@helper
def add_spring(index, work, table, number, q):
    """φ has u · T e, with u the virtual velocity between the ends, e their direction and T the tension."""
    xa, va, ua = end_motion(index, work, table, number, 0, q)
    xb, vb, ub = end_motion(index, work, table, number, 1, q)
    d, rate, u = sub(xb, xa), sub(vb, va), sub(ub, ua)
    length = sqrt(dot(d, d))
    r = 1.0 / where(length > 0.0, length, 1.0)
    e = scale(r, d)
    k, c, rest = spring_law(table, number)
    T = k * (length - rest) + c * dot(e, rate)
    n = dot(e, u)
    across, turning = sub(u, scale(n, e)), sub(rate, scale(dot(e, rate), e))
    by_place = add(scale(k * n, e), add(scale(T * r, across), scale(c * r * n, turning)))
    by_rate, pull = scale(c * n, e), scale(T, e)
    for end in range(2):
        stage, point = end_of(table, number, end)
        if stage >= 0:
            sign = 1.0 if end == 1 else -1.0
            at = adjoint_at(index, stage)
            R = load_pose(work, at + B_POSE).R
            _, vel, virtual = end_motion(index, work, table, number, end, q)
            g = tmul(R, scale(sign, by_place))
            turn = tmul(R, scale(sign, add(cross(vel, by_rate), cross(virtual, pull))))
            add_wrench(work, at + B_P, Wrench(g, add(cross(point, g), turn)))
            g = tmul(R, scale(sign, by_rate))
            add_wrench(work, at + B_V, Wrench(g, cross(point, g)))


@helper
def hand_up(model, index, work, loaded, v, a, mu, q_bar, v_bar):
    """Leaves to root: the gradients along each joint, and what its parent gets."""
    for i in range(index[N_STAGES] - 1, -1, -1):
        parent, kind, _, d = stage_at(index, i)
        row = adjoint_at(index, i)
        V, A, U = load_motion(work, velocity_at(i)), load_motion(work, acceleration_at(i)), load_motion(work, row + B_U)
        bar_a, bar_u, bar_v = load_wrench(work, row + B_A), load_wrench(work, row + B_F), load_wrench(work, row + B_V)
        if kind == REVOLUTE:  # S, along z, is no part of what turns about z
            rate = load(v, d)
            bar_v = wrench_add(bar_v, revolute.cross_axis(rate, bar_a))
            store(v_bar, d, bar_v.n.z - revolute.cross_along(V, bar_a))
            above = revolute.acceleration(V, 0.0 - rate, A)
            g = revolute.cross_along(U, bar_u) + revolute.cross_along(V, bar_v) + revolute.cross_along(above, bar_a)
            if loaded:
                g -= load(work, row + B_P + 5)
            store(q_bar, d, g)  # minus the gradient
        else:
            rest = ground_velocity(v)
            Sv, Sa = joint_velocity(model, i, kind, v, d, rest), joint_velocity(model, i, kind, a, d, rest)
            Sm = joint_velocity(model, i, kind, mu, d, rest)
            bar_v = wrench_add(bar_v, cross_wrench(Sv, bar_a))
            joint_force(model, i, kind, d, wrench_sub(bar_v, cross_wrench(V, bar_a)), v_bar)
            c = cross_motion(V, Sv)
            above = Motion(sub(sub(A.v, Sa.v), c.v), sub(sub(A.w, Sa.w), c.w))
            w = wrench_add(cross_wrench(minus(U, Sm), bar_u), cross_wrench(minus(V, Sv), bar_v))
            w = wrench_add(w, cross_wrench(above, bar_a))
            if loaded:
                w = wrench_sub(w, load_wrench(work, row + B_P))
            joint_force(model, i, kind, d, w, q_bar)
        if parent >= 0:
            X, up = load_xform(work, i), adjoint_at(index, parent)
            add_wrench(work, up + B_A, wrench_to_parent(X, bar_a))
            add_wrench(work, up + B_F, wrench_to_parent(X, bar_u))
            add_wrench(work, up + B_V, wrench_to_parent(X, bar_v))
            if loaded:
                add_wrench(work, up + B_P, wrench_to_parent(X, load_wrench(work, row + B_P)))


@helper
def minus(a, b):
    """a − b, of motions."""
    return Motion(sub(a.v, b.v), sub(a.w, b.w))


@helper
def begin_sweep(model, index, work, table, loaded, f_ext, q):
    """The adjoints of every stage by itself: its inertia, the wrench on it, springs."""
    begin(model, index, work, loaded, f_ext, q)
    for k in range(counts(table)[0]):
        add_spring(index, work, table, k, q)


@helper
def end_sweep(model, index, work, table, posed, v, a, mu, q_bar, v_bar):
    """−grad φ from the adjoints of the stages, and what acts on joints alone; `posed` where poses have adjoints."""
    hand_up(model, index, work, posed, v, a, mu, q_bar, v_bar)
    for d in range(index[N_V]):
        store(v_bar, d, scalar(v, 0.0) - load(v_bar, d) - load(model, damping_at(index, d)) * load(mu, d))
    _, n_joint_springs, n_frictions = counts(table)
    for k in range(n_joint_springs):
        spring = joint_spring(table, k)
        store(q_bar, spring.dof, load(q_bar, spring.dof) - spring.stiffness * load(mu, spring.dof))
    for k in range(n_frictions):
        d, slope = friction_slope(table, k, v)
        store(v_bar, d, load(v_bar, d) - slope * load(mu, d))


@separate
def pull_back(model, index, work, table, loaded, q, v, f_ext, a, a_bar, q_bar, v_bar, tau_bar):
    """λᵀ ∂a/∂q, λᵀ ∂a/∂v and λᵀ ∂a/∂τ for λ = `a_bar`, right after `aba` has found a."""
    respond_up(model, index, work, a_bar, tau_bar)  # μ = H⁻¹ λ, with the articulated inertias of `aba`
    for i in range(index[N_STAGES]):  # with `begin` in the same pass
        U = respond_down(model, index, work, i, tau_bar)
        begin_stage(model, index, work, loaded, f_ext, q, i, U)
    for k in range(counts(table)[0]):
        add_spring(index, work, table, k, q)
    end_sweep(model, index, work, table, loaded, v, a, tau_bar, q_bar, v_bar)


@helper
def tree_acceleration(model, index, work, table, q, v, tau, f_ext, total, a):
    """a under τ, force elements and wrenches; and whether there are any of the latter two. `total` (nv) is scratch."""
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    if not loaded:
        return aba(model, index, work, 0, q, v, tau, a), False
    outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome == OK:
        outcome = aba(model, index, work, 1, q, v, total, a)
    return outcome, True


@helper
def forward_vjp(model, index, work, table, q, v, tau, f_ext, a_bar, q_bar, v_bar, tau_bar):
    """λᵀ ∂a/∂q, λᵀ ∂a/∂v and λᵀ ∂a/∂τ for λ = `a_bar`."""
    outcome = check_sizes(index, q, v, tau, a_bar)
    if outcome != OK:
        return outcome
    nv, k = index[N_V], adjoint_at(index, index[N_STAGES])
    a, total = work[k : k + nv], work[k + nv : k + 2 * nv]
    outcome, loaded = tree_acceleration(model, index, work, table, q, v, tau, f_ext, total, a)
    if outcome != OK:
        return outcome
    pull_back(model, index, work, table, loaded, q, v, f_ext, a, a_bar, q_bar, v_bar, tau_bar)
    return all_finite(q_bar, nv) or all_finite(tau_bar, nv)
