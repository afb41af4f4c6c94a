"""Derivatives of inverse dynamics of a tree: matrices, in O(nb · depth).

Everything is in world axes and about the origin of the root body, as in `crba`. Every joint has a motion subspace that
is constant in its stage's frame, and is a subgroup: one rule, δpose = pose · (S δ)^, serves all of them.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
s       axis of a degree of freedom
V, A    velocity and acceleration of a stage; the ground accelerates with −g
pd, pdd ψ̇ = V_p × s and ψ̈ = A_p × s + V_p × ψ̇, with the motion of the parent: how V and A change with q
w       ψ̇ + V × s: how A changes with v
I, f    inertia of a subtree, and the wrench I A + V ×* I V − f_applied of all its bodies
p, G    its momentum Σ m ṙ, and Σ m ṙ rᵀ, of which B x = 2 (x_ω × p, tr(G) x_ω − G x_ω): how f changes with V
C       how forces that keep their direction in the world change with the orientation: C x_ω
Q, D    ∂τ/∂q and ∂τ/∂v, row by row
======= ================================================================================================================

Q and D may also be packed: the entries of every degree of freedom with itself and those above it, as `crba` packs H,
then their mirror images without the diagonal. All others are zero, unless a spring joins two branches.

What force elements themselves change with q and v is added by `element_derivatives`.
"""

from linkwork.kernels.algebra.spatial import (
    Inertia,
    Motion,
    Wrench,
    Xform,
    compose,
    cross_motion,
    cross_wrench,
    inertia_mul,
    motion_add,
    power,
    wrench_add,
    wrench_sub,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import (
    load_mat,
    load_motion,
    load_pose,
    load_sym,
    load_vec,
    load_wrench,
    store_mat,
    store_motion,
    store_pose,
    store_sym,
    store_vec,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, tmul
from linkwork.kernels.joints import axes_of, has_one_axis, joint_xform, revolute, write_axes
from linkwork.kernels.layout import FREE, N_NONZEROS, N_STAGES, N_V, OK, REVOLUTE
from linkwork.kernels.layout.derivatives import D_A, D_C, D_F, D_G, D_I, D_P, D_POSE, D_V
from linkwork.kernels.numba_ext import helper, inlined, load, load4, scalar, store, store4
from linkwork.kernels.records import (
    applied_at,
    check_sizes,
    damping_at,
    dof_parent_at,
    finite,
    load_inertia,
    parent_of,
    row_start_at,
    stage_at,
)
from linkwork.kernels.tree.element_derivatives import add_elements, diagonal, place_forces, rates_at, record_at
from linkwork.kernels.tree.forces import applied_forces, has_forces
from linkwork.kernels.tree.four_stages import own_part, place_screws, weigh_four
from linkwork.kernels.tree.rnea import ground_acceleration, ground_velocity


@helper
def axpy(x, s, m):
    """m + x s, of motions."""
    return Motion(add(m.v, scale(x, s.v)), add(m.w, scale(x, s.w)))


@helper
def place_alone(model, index, work, q):
    """Each stage of one state in its parent: sines take long, and need not wait for one another."""
    if work.ndim == 1:
        for i in range(0, index[N_STAGES], 4):
            place_screws(model, index, work, q, i)
        for i in range(index[N_STAGES]):
            _, kind, k, _ = stage_at(index, i)
            if axes_of(kind) > 1:
                store_pose(work, record_at(index, i) + D_POSE, joint_xform(model, i, kind, q, k))


@inlined
def place(model, index, work, i, q):
    """The pose of a stage whose parent has one; its axes are written."""
    parent, kind, k, d = stage_at(index, i)
    row, z = record_at(index, i) + D_POSE, scalar(q, 0.0)
    X = load_pose(work, row) if work.ndim == 1 else joint_xform(model, i, kind, q, k)
    above = record_at(index, parent) + D_POSE
    X = compose(load_pose(work, above), X) if parent >= 0 else Xform(X.R, Vec3(z, z, z))
    store_pose(work, row, X)
    if kind == REVOLUTE:
        revolute.axes(X, work, rates_at(index, d))
    else:
        write_axes(model, i, kind, X, work, rates_at(index, d))
    return X


@inlined
def move(model, index, work, i, q, v, a):
    """Velocity and acceleration of a stage; how they change is written."""
    nv = index[N_V]
    parent, kind, _, d0 = stage_at(index, i)
    row, at = record_at(index, i), rates_at(index, d0)
    Vp, Ap = ground_velocity(q), ground_acceleration(model, q, 1.0)
    if parent >= 0:
        above = record_at(index, parent)
        Vp, Ap = load_motion(work, above + D_V), load_motion(work, above + D_A)
    if has_one_axis(kind):  # V × s = V_p × s
        s = load_motion(work, at)
        pd = cross_motion(Vp, s)
        store_motion(work, at + 6 * nv, pd)
        store_motion(work, at + 12 * nv, motion_add(cross_motion(Ap, s), cross_motion(Vp, pd)))
        store_motion(work, at + 18 * nv, motion_add(pd, pd))
        V, A = axpy(load(v, d0), s, Vp), axpy(load(v, d0), pd, axpy(load(a, d0), s, Ap))
    else:
        Sv, A = ground_velocity(q), Ap
        for d in range(d0, d0 + axes_of(kind)):
            at = rates_at(index, d)
            s = load_motion(work, at)
            Sv, A = axpy(load(v, d), s, Sv), axpy(load(a, d), s, A)
            pd = cross_motion(Vp, s)
            store_motion(work, at + 6 * nv, pd)
            store_motion(work, at + 12 * nv, motion_add(cross_motion(Ap, s), cross_motion(Vp, pd)))
        V = motion_add(Vp, Sv)
        for d in range(d0, d0 + axes_of(kind)):
            at = rates_at(index, d)
            w = motion_add(load_motion(work, at + 6 * nv), cross_motion(V, load_motion(work, at)))
            store_motion(work, at + 18 * nv, w)
        A = motion_add(A, cross_motion(V, Sv))
    store_motion(work, row + D_V, V)
    store_motion(work, row + D_A, A)
    return V, A


@inlined
def weigh(model, index, work, i, X, V, A):
    """What a body by itself has of I, p, G and f."""
    row = record_at(index, i)
    I, p, G, f = own_part(X, load_inertia(model, i), V, A)  # noqa: E741
    store(work, row + D_I, I.m)
    store_vec(work, row + D_I + 1, I.h)
    store_sym(work, row + D_I + 4, I.I)
    store_vec(work, row + D_P, p)
    store_mat(work, row + D_G, G)
    store_wrench(work, row + D_F, f)


@inlined
def hand_up(index, work, loaded, i):
    """Add what hangs on a stage to what hangs on its parent."""
    parent = parent_of(index, i)
    if parent >= 0:
        row, up = record_at(index, i), record_at(index, parent)
        if work.ndim == 1:
            for k in range(D_I, D_C, 4):
                store4(work, up + k, load4(work, up + k) + load4(work, row + k))
        else:
            for k in range(D_I, D_C):
                store(work, up + k, load(work, up + k) + load(work, row + k))
        if loaded:
            for k in range(D_C, D_V):
                store(work, up + k, load(work, up + k) + load(work, row + k))


@helper
def sum_up(index, work, loaded):
    """Pass 2, leaves to root: what hangs on each stage."""
    for i in range(index[N_STAGES] - 1, -1, -1):
        hand_up(index, work, loaded, i)


@helper
def load_carried(work, row):
    """I, p, G and its trace of what hangs on a stage."""
    I = Inertia(load(work, row + D_I), load_vec(work, row + D_I + 1), load_sym(work, row + D_I + 4))  # noqa: E741
    G = load_mat(work, row + D_G)
    return I, load_vec(work, row + D_P), G, G.xx + G.yy + G.zz


@helper
def turn_product(p, G, trace, x):
    """B x, x being the angular part of a motion."""
    return Wrench(scale(2.0, cross(x, p)), scale(2.0, sub(scale(trace, x), mul(G, x))))


@inlined
def column_of(index, work, loaded, row, at):
    """How the wrench of what hangs on a stage changes with q and v of the axis at `at`."""
    nv = index[N_V]
    I, p, G, trace = load_carried(work, row)  # noqa: E741
    s, f = load_motion(work, at), load_wrench(work, row + D_F)
    Fq = wrench_add(inertia_mul(I, load_motion(work, at + 12 * nv)), cross_wrench(s, f))
    Fq = wrench_add(Fq, turn_product(p, G, trace, load_vec(work, at + 6 * nv + 3)))
    if loaded:
        Cf, Cn = load_mat(work, row + D_C), load_mat(work, row + D_C + 9)
        Fq = Wrench(add(Fq.f, mul(Cf, s.w)), add(Fq.n, mul(Cn, s.w)))
    Fv = wrench_add(inertia_mul(I, load_motion(work, at + 18 * nv)), turn_product(p, G, trace, s.w))
    return Fq, Fv


@inlined
def row_of(work, loaded, row, at, z):
    """I s, (Bᵀ s)_ω and Cᵀ s of the axis at `at`, by which its torque changes with what is above it."""
    I, p, G, trace = load_carried(work, row)  # noqa: E741
    s = load_motion(work, at)
    rC = Vec3(z, z, z)
    if loaded:
        rC = add(tmul(load_mat(work, row + D_C), s.v), tmul(load_mat(work, row + D_C + 9), s.w))
    r2 = scale(2.0, add(cross(p, s.v), sub(scale(trace, s.w), tmul(G, s.w))))
    return inertia_mul(I, s), r2, rC


@helper
def store_turned(out, first, step, R, x):
    """Write Rᵀ x, three numbers."""
    x = tmul(R, x)
    store(out, first, x.x)
    store(out, first + step, x.y)
    store(out, first + 2 * step, x.z)


@helper
def above_diagonal(index, k, d):
    """Where the mirror image of packed entry k, off the diagonal and in the row of d, is."""
    return index[N_NONZEROS] + k - d - 1


@inlined
def gather_stage(model, index, work, loaded, packed, i, root, base, stop, q, Q, D):
    """The rows and columns of the degrees of freedom of one stage, with themselves and those above them.

    A free root, whose degrees of freedom are `base` to `stop`, is taken as a whole: its axes are those of its frame,
    and nothing that it hangs on moves.
    """
    nv, z = index[N_V], scalar(q, 0.0)
    above, starts, rates = dof_parent_at(index, 0), row_start_at(index, 0), rates_at(index, 0)
    parent, kind, _, d0 = stage_at(index, i)
    row, end = record_at(index, i), d0 + axes_of(kind)
    for d in range(d0, end):
        at = rates + 6 * d
        if parent >= 0:
            Fq, Fv = column_of(index, work, loaded, row, at)
            e, k = index[above + d0], above_diagonal(index, index[starts + d] + d - d0 + 1, d)
            while e != stop:
                s_e = load_motion(work, rates + 6 * e)
                m = k if packed else e * nv + d
                store(Q, m, power(s_e, Fq))
                store(D, m, power(s_e, Fv))
                k += 1
                e = index[above + e]
            if stop >= 0:
                m, step = (k + 5, -1) if packed else (base * nv + d, nv)
                R = load_mat(work, root + D_POSE)
                store_turned(Q, m, step, R, Fq.f)
                store_turned(Q, m + 3 * step, step, R, Fq.n)
                store_turned(D, m, step, R, Fv.f)
                store_turned(D, m + 3 * step, step, R, Fv.n)
        r1, r2, rC = row_of(work, loaded, row, at, z)
        k, e = index[starts + d], end - 1
        while e != stop:
            b = rates + 6 * e
            w_e = load_vec(work, b + 3)
            x = power(load_motion(work, b + 12 * nv), r1) + dot(r2, load_vec(work, b + 6 * nv + 3))
            if loaded:
                x += dot(rC, w_e)
            m = d * nv + e
            if packed:
                m = k if e <= d else above_diagonal(index, index[starts + e] + e - d, e)
            store(Q, m, x)
            store(D, m, power(load_motion(work, b + 18 * nv), r1) + dot(r2, w_e))
            if e <= d:
                k += 1
            e = index[above + e]
        if stop >= 0:
            m, step = (k + 5, -1) if packed else (d * nv + base, 1)
            R, V, g = load_mat(work, root + D_POSE), load_motion(work, root + D_V), ground_acceleration(model, q, 1.0)
            for j in range(3):
                store(Q, m + j * step, z)
            store_turned(Q, m + 3 * step, step, R, add(cross(r1.f, g.v), rC))
            store_turned(D, m, step, R, cross(r1.f, V.w))
            store_turned(D, m + 3 * step, step, R, add(add(cross(r1.f, V.v), cross(r1.n, V.w)), r2))


@helper
def gather_rows(model, index, work, loaded, summed, packed, q, Q, D):
    """Pass 3, leaves to root: all rows and columns; sums are taken on the way where they are not `summed` yet."""
    nv = index[N_V]
    if not packed:
        clear(Q, nv * nv)
        clear(D, nv * nv)
    end = index[N_STAGES]
    while end > 0:
        root = end - 1
        while parent_of(index, root) >= 0:
            root -= 1
        _, kind, _, base = stage_at(index, root)
        for i in range(end - 1, root - 1, -1):
            stop = base + 5 if i > root and kind == FREE else -1
            gather_stage(model, index, work, loaded, packed, i, record_at(index, root), base, stop, q, Q, D)
            if not summed:
                hand_up(index, work, loaded, i)
        end = root
    for d in range(nv):
        k = diagonal(index, packed, d)
        store(D, k, load(D, k) + load(model, damping_at(index, d)))


@helper
def clear(x, n):
    """Write n zeros."""
    for k in range(n):
        store(x, k, scalar(x, 0.0))


@helper
def prepare(model, index, work, table, applied, loaded, q, v, a, f_ext):
    """Pass 1, root to leaves: `applied` where wrenches on stages are in the work space, `loaded` with outer forces."""
    place_alone(model, index, work, q)
    for i in range(index[N_STAGES]):
        X = place(model, index, work, i, q)
        V, A = move(model, index, work, i, q, v, a)
        if work.ndim > 1:
            weigh(model, index, work, i, X, V, A)
    if work.ndim == 1:
        for i in range(0, index[N_STAGES], 4):
            weigh_four(model, index, work, i)
    if applied:
        for i in range(index[N_STAGES]):
            row = record_at(index, i)
            f = wrench_to_parent(load_pose(work, row + D_POSE), load_wrench(work, applied_at(index, i)))
            store_wrench(work, row + D_F, wrench_sub(load_wrench(work, row + D_F), f))
    if loaded:
        place_forces(index, work, table, q, f_ext)


@helper
def fill_in(model, index, work, table, loaded, summed, packed, q, v, Q, D):
    """Q and D, after the other passes."""
    gather_rows(model, index, work, loaded, summed, packed, q, Q, D)
    if has_forces(table):
        add_elements(index, work, table, packed, q, v, Q, D)


@helper
def overflow(index, work, packed, Q, D):
    """Status of the matrices: of their diagonals, and of the wrench that each tree needs, which all else is part of."""
    total = scalar(Q, 0.0)
    for d in range(index[N_V]):
        k = diagonal(index, packed, d)
        total += load(Q, k) + load(D, k)
    for i in range(index[N_STAGES]):
        parent, _, _, _ = stage_at(index, i)
        if parent < 0:
            f = load_wrench(work, record_at(index, i) + D_F)
            total += f.f.x + f.f.y + f.f.z + f.n.x + f.n.y + f.n.z
    return finite(total)


@helper
def inverse_matrices(model, index, work, table, packed, q, v, a, f_ext, Q, D):
    """∂τ/∂q and ∂τ/∂v of inverse dynamics."""
    outcome = check_sizes(index, q, v, a, a)
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    if outcome == OK and loaded:
        k, end, _, _ = scratch_at(index)
        outcome = applied_forces(model, index, work, table, q, v, f_ext, a, work[k:end])
    if outcome != OK:
        return outcome
    prepare(model, index, work, table, loaded, loaded, q, v, a, f_ext)
    fill_in(model, index, work, table, loaded, False, packed, q, v, Q, D)
    return overflow(index, work, packed, Q, D)


@helper
def inverse_derivatives(model, index, work, table, q, v, a, f_ext, Q, D):
    """∂τ/∂q and ∂τ/∂v of inverse dynamics, each nv × nv."""
    return inverse_matrices(model, index, work, table, False, q, v, a, f_ext, Q, D)


@helper
def packed_inverse_derivatives(model, index, work, table, q, v, a, f_ext, Q, D):
    """The same, packed."""
    return inverse_matrices(model, index, work, table, True, q, v, a, f_ext, Q, D)


@helper
def scratch_at(index):
    """Where in the work space, behind the records, these begin: torques (nv), a (nv), H and columns."""
    k, nv = rates_at(index, 4 * index[N_V]), index[N_V]
    return k, k + nv, k + 2 * nv, k + 2 * nv + index[N_NONZEROS]
