"""The joint-space inertia matrix by the composite-rigid-body algorithm.

Everything is in world axes and about the origin of the root body: then inertias add without being moved, and an entry
is one product of an axis and a momentum. H_ij = S_iᵀ Iᶜ S_j where j is i or above it, zero on other branches.

The packed form holds, for each degree of freedom, its entries with itself and with those above it up to the root: row
d starts at ``row_start[d]``, and the row of an ancestor is the tail of it.

References: [Featherstone2008] table 6.2 and section 6.5.
"""

from linkwork.kernels.algebra.spatial import Inertia, Xform, compose, inertia_add, inertia_mul, inertia_to_parent, power
from linkwork.kernels.algebra.storage import load_motion, load_sym, load_vec, store_sym, store_vec
from linkwork.kernels.algebra.vec3 import Vec3
from linkwork.kernels.joints import axes_of, joint_xform, write_axes
from linkwork.kernels.layout import I_KIND, I_PARENT, I_Q, I_V, N_STAGES, N_V, NOT_FINITE, OK, W_INERTIA, WORK_ROW
from linkwork.kernels.numba_ext import any_of, helper, load, scalar, store
from linkwork.kernels.records import (
    armature_at,
    axis_at,
    check_state,
    dof_parent_at,
    index_row,
    load_inertia,
    load_xform,
    row_start_at,
    status,
    store_xform,
)


@helper
def load_composite(work, i):
    k = WORK_ROW * i + W_INERTIA
    return Inertia(load(work, k), load_vec(work, k + 1), load_sym(work, k + 4))


@helper
def store_composite(work, i, I):  # noqa: E741
    k = WORK_ROW * i + W_INERTIA
    store(work, k, I.m)
    store_vec(work, k + 1, I.h)
    store_sym(work, k + 4, I.I)


@helper
def place_bodies(model, index, work, q):
    """Axes of every degree of freedom, and the inertia of every stage, in world axes about its root's origin."""
    z = scalar(q, 0.0)
    for i in range(index[N_STAGES]):
        row = index_row(i)
        parent, kind = index[row + I_PARENT], index[row + I_KIND]
        X = joint_xform(model, i, kind, q, index[row + I_Q])
        X = Xform(X.R, Vec3(z, z, z)) if parent < 0 else compose(load_xform(work, parent), X)
        store_xform(work, i, X)
        write_axes(model, i, kind, X, work, axis_at(index, index[row + I_V]))
        store_composite(work, i, inertia_to_parent(X, load_inertia(model, i)))


@helper
def crba(model, index, work, packed, q, H):
    """H + armature: dense (nv × nv), or its packed nonzeros."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    place_bodies(model, index, work, q)
    nv = index[N_V]
    if not packed:
        for k in range(nv * nv):
            store(H, k, scalar(q, 0.0))
    total = scalar(q, 0.0)
    # where tables start, read once: the compiler cannot know that writing H leaves the index alone
    above, starts = dof_parent_at(index, 0), row_start_at(index, 0)
    axes, armature = axis_at(index, 0), armature_at(index, 0)
    for i in range(index[N_STAGES] - 1, -1, -1):
        row = index_row(i)
        parent, d0, count = index[row + I_PARENT], index[row + I_V], axes_of(index[row + I_KIND])
        composite = load_composite(work, i)  # all that hangs on it has been added
        if parent >= 0:
            store_composite(work, parent, inertia_add(load_composite(work, parent), composite))
        for d in range(d0, d0 + count):
            S = load_motion(work, axes + 6 * d)
            F = inertia_mul(composite, S)
            x = power(S, F) + load(model, armature + d)
            total += x
            e = index[above + d]
            if packed:
                k = index[starts + d]
                store(H, k, x)
                while e >= 0:
                    k += 1
                    store(H, k, power(load_motion(work, axes + 6 * e), F))
                    e = index[above + e]
            else:
                store(H, d * (nv + 1), x)
                while e >= 0:
                    x = power(load_motion(work, axes + 6 * e), F)
                    store(H, d * nv + e, x)
                    store(H, e * nv + d, x)
                    e = index[above + e]
    return status(NOT_FINITE, 0) if any_of(total - total != 0.0) else OK
