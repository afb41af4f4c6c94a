"""Sparse factorisation H = Lᵀ D L over ancestors only: branch-induced sparsity, no fill-in, in place.

H is packed as in `crba`. L has a unit diagonal, which is not stored: D stands in its place.

References: [Featherstone2005] section 4, tables 2 and 3; the slides' "Sparse Factorization".
"""

from linkwork.kernels.layout import N_V, OK, SINGULAR_DOF
from linkwork.kernels.numba_ext import helper, load, separate, store
from linkwork.kernels.records import all_finite, axis_at, dof_parent_at, row_start_at, status
from linkwork.kernels.tree.aba import check_inertia
from linkwork.kernels.tree.crba import crba
from linkwork.kernels.tree.joint_inertia import negligible
from linkwork.kernels.tree.rnea import rnea


@helper
def ltdl(index, H, whole, at):
    """Factorise the packed H in place; the degree of freedom whose pivot vanishes, or −1.

    A pivot is what others leave of a diagonal entry, and vanishes beside it: `whole` (nv, from `at` on) keeps these.
    """
    for k in range(index[N_V]):
        store(whole, at + k, load(H, index[row_start_at(index, k)]))
    for k in range(index[N_V] - 1, -1, -1):
        row = index[row_start_at(index, k)]
        end = index[row_start_at(index, k + 1)]
        pivot = load(H, row)
        if negligible(pivot, load(whole, at + k)):
            return k
        r = 1.0 / pivot
        i = index[dof_parent_at(index, k)]
        # the ancestors of an ancestor are the tail of this row
        for m in range(row + 1, end):
            a = load(H, m) * r
            target = index[row_start_at(index, i)]
            for j in range(m, end):
                store(H, target + j - m, load(H, target + j - m) - a * load(H, j))
            i = index[dof_parent_at(index, i)]
        for m in range(row + 1, end):
            store(H, m, load(H, m) * r)
    return -1


@helper
def ltdl_solve(index, H, x):
    """Solve Lᵀ D L x = b in place."""
    n = index[N_V]
    for k in range(n - 1, -1, -1):  # Lᵀ
        i = index[dof_parent_at(index, k)]
        for m in range(index[row_start_at(index, k)] + 1, index[row_start_at(index, k + 1)]):
            store(x, i, load(x, i) - load(H, m) * load(x, k))
            i = index[dof_parent_at(index, i)]
    for k in range(n):  # D, then L
        row = index[row_start_at(index, k)]
        y = load(x, k) / load(H, row)
        i = index[dof_parent_at(index, k)]
        for m in range(row + 1, index[row_start_at(index, k + 1)]):
            y -= load(H, m) * load(x, i)
            i = index[dof_parent_at(index, i)]
        store(x, k, y)


@helper
def factorize(index, H, whole):
    """Factorise the packed H in place; `whole` (nv) is scratch."""
    dof = ltdl(index, H, whole, 0)
    return status(SINGULAR_DOF, dof) if dof >= 0 else OK


@helper
def solve(index, H, x):
    """Overwrite x with the solution, H factorised."""
    ltdl_solve(index, H, x)
    return OK


@separate
def crba_forward(model, index, work, loaded, q, v, tau, zero, a, H):
    """Forward dynamics: a = H⁻¹ (τ − bias), with CRBA for H, RNEA for the bias and LTDL for the solution."""
    outcome = check_inertia(model, index, work, q, zero)
    if outcome != OK:
        return outcome
    outcome = rnea(model, index, work, loaded, q, v, zero, a)
    if outcome != OK:
        return outcome
    for d in range(index[N_V]):
        store(a, d, load(tau, d) - load(a, d))
    outcome = crba(model, index, work, 1, q, H)
    if outcome != OK:
        return outcome
    dof = ltdl(index, H, work, axis_at(index, 0))  # in the place of the axes, no longer needed
    if dof >= 0:
        return status(SINGULAR_DOF, dof)
    ltdl_solve(index, H, a)
    return all_finite(a, index[N_V])
