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
from linkwork.kernels.layout import N_STAGES, N_V, OK
from linkwork.kernels.numba_ext import helper, load, scalar, separate, store
from linkwork.kernels.records import (
    armature_at,
    axis_at,
    check_state,
    dof_parent_at,
    finite,
    inertia_at,
    load_inertia,
    load_xform,
    row_start_at,
    stage_at,
    store_xform,
)


@helper
def load_composite(work, i):
    k = inertia_at(i)
    return Inertia(load(work, k), load_vec(work, k + 1), load_sym(work, k + 4))


@helper
def store_composite(work, i, I):  # noqa: E741
    k = inertia_at(i)
    store(work, k, I.m)
    store_vec(work, k + 1, I.h)
    store_sym(work, k + 4, I.I)


@helper
def place_bodies(model, index, work, q):
    """Axes of every degree of freedom, and the inertia of every stage, in world axes about its root's origin."""
    z = scalar(q, 0.0)
    for i in range(index[N_STAGES]):
        parent, kind, k, d = stage_at(index, i)
        X = joint_xform(model, i, kind, q, k)
        X = Xform(X.R, Vec3(z, z, z)) if parent < 0 else compose(load_xform(work, parent), X)
        store_xform(work, i, X)
        write_axes(model, i, kind, X, work, axis_at(index, d))
        store_composite(work, i, inertia_to_parent(X, load_inertia(model, i)))


@separate
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
        parent, kind, _, first = stage_at(index, i)
        composite = load_composite(work, i)  # all that hangs on it has been added
        if parent >= 0:
            store_composite(work, parent, inertia_add(load_composite(work, parent), composite))
        for d in range(first, first + axes_of(kind)):
            S = load_motion(work, axes + 6 * d)
            F = inertia_mul(composite, S)  # Iᶜ S_i
            x = power(S, F) + load(model, armature + d)  # H_ii = S_iᵀ Iᶜ S_i
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
                    x = power(load_motion(work, axes + 6 * e), F)  # H_ij = S_jᵀ Iᶜ S_i
                    store(H, d * nv + e, x)
                    store(H, e * nv + d, x)
                    e = index[above + e]
    return finite(total)
