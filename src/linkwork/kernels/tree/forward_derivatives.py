"""Derivatives of forward dynamics of a tree: those of inverse dynamics divided by the mass matrix, ∂a = H⁻¹ (−∂τ).

The accelerations, too, come from H: a = H⁻¹ (τ − bias), the bias from the passes of inverse dynamics without them. What
a then adds to those passes is I ΔA for all that hangs on a stage together, and I s a for each axis below it.

Symbols as in `linkwork.kernels.tree.derivatives`; H is the mass matrix with armature, packed as in `crba`.
"""

from linkwork.kernels.algebra.spatial import Wrench, cross_motion, inertia_mul, motion_add, power, wrench_add
from linkwork.kernels.algebra.storage import (
    add_wrench,
    load_mat,
    load_motion,
    load_wrench,
    store_motion,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, scale
from linkwork.kernels.joints import axes_of
from linkwork.kernels.layout import FREE, N_STAGES, N_V, OK, SINGULAR_DOF
from linkwork.kernels.layout.derivatives import D_F, D_POSE
from linkwork.kernels.numba_ext import any_of, flattened, helper, load, scalar, store
from linkwork.kernels.records import (
    all_finite,
    armature_at,
    axis_at,
    check_sizes,
    damping_at,
    dof_parent_at,
    inertia_at,
    row_start_at,
    stage_at,
    status,
)
from linkwork.kernels.tree.aba import check_inertia
from linkwork.kernels.tree.derivatives import (
    axpy,
    clear,
    fill_in,
    load_carried,
    prepare,
    scratch_at,
    store_turned,
    sum_up,
)
from linkwork.kernels.tree.element_derivatives import rates_at, record_at
from linkwork.kernels.tree.forces import applied_forces, has_forces
from linkwork.kernels.tree.ltdl import ltdl, ltdl_solve
from linkwork.kernels.tree.rnea import ground_velocity


@helper
def masses(model, index, work, H):
    """H; I s of every degree of freedom is kept in the place of its axis."""
    above, starts, rates = dof_parent_at(index, 0), row_start_at(index, 0), rates_at(index, 0)
    base = root = -1
    for i in range(index[N_STAGES]):
        parent, kind, _, d0 = stage_at(index, i)
        row, stop = record_at(index, i), -1
        if parent < 0:
            base, root = (d0 if kind == FREE else -1), row
        elif base >= 0:
            stop = base + 5
        for d in range(d0, d0 + axes_of(kind)):
            I, _, _, _ = load_carried(work, row)  # noqa: E741
            s = load_motion(work, rates + 6 * d)
            r1 = inertia_mul(I, s)
            store_wrench(work, axis_at(index, d), r1)
            k, e = index[starts + d], index[above + d]
            store(H, k, power(s, r1) + load(model, armature_at(index, d)))
            while e != stop:
                k += 1
                store(H, k, power(load_motion(work, rates + 6 * e), r1))
                e = index[above + e]
            if stop >= 0:
                R = load_mat(work, root + D_POSE)
                store_turned(H, k + 6, -1, R, r1.f)
                store_turned(H, k + 3, -1, R, r1.n)


@helper
def remaining_torques(model, index, work, v, tau, out):
    """What τ leaves beside damping and the torques that inverse dynamics finds for no acceleration."""
    for i in range(index[N_STAGES]):
        _, kind, _, d0 = stage_at(index, i)
        f = load_wrench(work, record_at(index, i) + D_F)
        for d in range(d0, d0 + axes_of(kind)):
            bias = power(load_motion(work, rates_at(index, d)), f) + load(model, damping_at(index, d)) * load(v, d)
            store(out, d, load(tau, d) - bias)


@helper
def accelerate(index, work, a):
    """Add what a does to ψ̈ of every axis and to the wrench f of what hangs on each stage."""
    nv, z = index[N_V], scalar(a, 0.0)
    o = Vec3(z, z, z)
    for i in range(index[N_STAGES]):
        store_wrench(work, inertia_at(i), Wrench(o, o))
    for i in range(index[N_STAGES] - 1, -1, -1):  # what axes below each stage add
        parent, kind, _, d0 = stage_at(index, i)
        if parent >= 0:
            F = load_wrench(work, inertia_at(i))
            for d in range(d0, d0 + axes_of(kind)):
                r1, x = load_wrench(work, axis_at(index, d)), load(a, d)
                F = wrench_add(F, Wrench(scale(x, r1.f), scale(x, r1.n)))
            add_wrench(work, inertia_at(parent), F)
    for i in range(index[N_STAGES]):
        parent, kind, _, d0 = stage_at(index, i)
        row, at = record_at(index, i), inertia_at(i)
        above = ground_velocity(a) if parent < 0 else load_motion(work, inertia_at(parent) + 6)
        change = above
        for d in range(d0, d0 + axes_of(kind)):
            s, k = load_motion(work, rates_at(index, d)), rates_at(index, d) + 12 * nv
            store_motion(work, k, motion_add(load_motion(work, k), cross_motion(above, s)))
            change = axpy(load(a, d), s, change)
        store_motion(work, at + 6, change)
        I, _, _, _ = load_carried(work, row)  # noqa: E741
        add_wrench(work, row + D_F, wrench_add(load_wrench(work, at), inertia_mul(I, change)))


@helper
def factors(model, index, work, table, q, v, tau, f_ext, Q, D):
    """The factors of H, in the work space, with 1/D for D; ∂τ/∂q and ∂τ/∂v."""
    nv = index[N_V]
    at_total, at_a, at_H, end = scratch_at(index)
    total, a, H = work[at_total:at_a], work[at_a:at_H], work[at_H:end]
    for d in range(nv):
        store(a, d, scalar(q, 0.0))
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    outcome = check_sizes(index, q, v, tau, v)
    if outcome == OK:
        outcome = check_inertia(model, index, work, q, a)
    if outcome == OK and loaded:
        outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome != OK:
        return outcome
    prepare(model, index, work, table, loaded, loaded, q, v, a, f_ext)
    sum_up(index, work, loaded)
    remaining_torques(model, index, work, v, total if loaded else tau, a)
    masses(model, index, work, H)
    dof = ltdl(index, H, total, 0)
    if dof >= 0:
        return status(SINGULAR_DOF, dof)
    ltdl_solve(index, H, a)
    accelerate(index, work, a)
    fill_in(model, index, work, table, loaded, True, False, q, v, Q, D)
    for d in range(nv):  # products are cheaper than quotients
        k = index[row_start_at(index, d)]
        store(H, k, 1.0 / load(H, k))
    return all_finite(a, nv)


@helper
def load_three(X, k, places):
    """Three numbers of the row of X that starts at k."""
    return Vec3(load(X, k + places[0]), load(X, k + places[1]), load(X, k + places[2]))


@helper
def store_three(X, k, places, x):
    store(X, k + places[0], x.x)
    store(X, k + places[1], x.y)
    store(X, k + places[2], x.z)


@helper
def nonzero(x):
    return (x.x != 0.0) | (x.y != 0.0) | (x.z != 0.0)


@helper
def minus_product(x, h, y):
    """x − h y."""
    return Vec3(x.x - h * y.x, x.y - h * y.y, x.z - h * y.z)


@helper
def divide(index, H, dq, dv, dtau, row):
    """−H⁻¹ dq, −H⁻¹ dv and H⁻¹ dtau in place, three columns of each at a time; rows have `row` numbers.

    A column is a number of each of a pack of states, or a pack of columns of one state. Where the last three are not
    whole, the last column is taken several times, with the same result.
    """
    nv, above, starts = index[N_V], dof_parent_at(index, 0), row_start_at(index, 0)
    for c in range(0, row, 3):
        places = (c, min(c + 1, row - 1), min(c + 2, row - 1))
        for d in range(nv - 1, -1, -1):  # Lᵀ
            k, e = d * row, index[above + d]
            x, y, z = load_three(dq, k, places), load_three(dv, k, places), load_three(dtau, k, places)
            if not any_of(nonzero(x) | nonzero(y) | nonzero(z)):
                continue  # a branch that these columns do not touch
            for m in range(index[starts + d] + 1, index[starts + d + 1]):
                h, k = load(H, m), e * row
                store_three(dq, k, places, minus_product(load_three(dq, k, places), h, x))
                store_three(dv, k, places, minus_product(load_three(dv, k, places), h, y))
                store_three(dtau, k, places, minus_product(load_three(dtau, k, places), h, z))
                e = index[above + e]
        for d in range(nv):  # D, then L
            k, e, r = d * row, index[above + d], load(H, index[starts + d])
            x, y = scale(0.0 - r, load_three(dq, k, places)), scale(0.0 - r, load_three(dv, k, places))
            z = scale(r, load_three(dtau, k, places))
            for m in range(index[starts + d] + 1, index[starts + d + 1]):
                h, n = load(H, m), e * row
                x = minus_product(x, h, load_three(dq, n, places))
                y = minus_product(y, h, load_three(dv, n, places))
                z = minus_product(z, h, load_three(dtau, n, places))
                e = index[above + e]
            store_three(dq, k, places, x)
            store_three(dv, k, places, y)
            store_three(dtau, k, places, z)


@helper
def unit(X, nv, row):
    """The unit matrix, in rows of `row` numbers."""
    clear(X, nv * row)
    for d in range(nv):
        store(X, d * (row + 1), scalar(X, 1.0))


@helper
def forward_derivatives(model, index, work, table, q, v, tau, f_ext, dq, dv, dtau):
    """∂a/∂q, ∂a/∂v and ∂a/∂τ = H⁻¹ [−∂τ/∂q, −∂τ/∂v, 1], each nv × nv, in place."""
    outcome = factors(model, index, work, table, q, v, tau, f_ext, dq, dv)
    if outcome != OK:
        return outcome
    nv = index[N_V]
    _, _, at_H, end = scratch_at(index)
    unit(dtau, nv, nv)
    divide(index, work[at_H:end], dq, dv, dtau, nv)
    return OK


@helper
def copy_rows(source, n, target, m, rows):
    """The first numbers of rows of n as rows of m, zero behind."""
    for d in range(rows):
        for c in range(min(n, m)):
            store(target, d * m + c, load(source, d * n + c))
        for c in range(n, m):
            store(target, d * m + c, 0.0)


@helper
def forward_derivatives_by_columns(model, index, work, table, q, v, tau, f_ext, X, dq, dv, dtau):
    """`forward_derivatives` of one state, in packs of columns: X has three times (nv, row) packs."""
    outcome = factors(model, index, work, table, q, v, tau, f_ext, dq, dv)
    if outcome != OK:
        return outcome
    nv = index[N_V]
    _, _, at_H, end = scratch_at(index)
    third = X.shape[0] // 3
    Xq, Xv, Xtau = X[:third], X[third : 2 * third], X[2 * third :]
    row, flat = third // nv, flattened(Xq)
    wide = flat.shape[0] // nv
    copy_rows(dq, nv, flattened(Xq), wide, nv)
    copy_rows(dv, nv, flattened(Xv), wide, nv)
    unit(flattened(Xtau), nv, wide)
    divide(index, work[at_H:end], Xq, Xv, Xtau, row)
    copy_rows(flattened(Xq), wide, dq, nv, nv)
    copy_rows(flattened(Xv), wide, dv, nv, nv)
    copy_rows(flattened(Xtau), wide, dtau, nv, nv)
    return OK
