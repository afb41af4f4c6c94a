"""Derivatives of forward dynamics of a tree: those of inverse dynamics divided by the mass matrix, ∂a = H⁻¹ (−∂τ).

Symbols as in `linkwork.kernels.tree.derivatives`; X is the matrix [−Q, −D, 1] that is solved for, row by row.
"""

from linkwork.kernels.layout import N_V, OK, SINGULAR_DOF
from linkwork.kernels.numba_ext import any_of, flattened, helper, load, scalar, store
from linkwork.kernels.records import check_sizes, dof_parent_at, row_start_at, status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.derivatives import matrices, scratch_at
from linkwork.kernels.tree.forces import applied_forces, has_forces
from linkwork.kernels.tree.ltdl import ltdl


@helper
def factors(model, index, work, table, q, v, tau, f_ext, Q, D):
    """The factors of H, in the work space, with 1/D for D; ∂τ/∂q and ∂τ/∂v."""
    outcome = check_sizes(index, q, v, tau, v)
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    at_total, at_a, at_H, end = scratch_at(index)
    total, a, H = work[at_total:at_a], work[at_a:at_H], work[at_H:end]
    if outcome == OK and loaded:
        outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome == OK:
        outcome = aba(model, index, work, 1 if loaded else 0, q, v, total if loaded else tau, a)
    if outcome == OK:
        outcome = matrices(model, index, work, table, False, q, v, a, f_ext, total, H, Q, D)
    if outcome != OK:
        return outcome
    dof = ltdl(index, H, total, 0)
    if dof >= 0:
        return status(SINGULAR_DOF, dof)
    for d in range(index[N_V]):  # products are cheaper than quotients
        k = index[row_start_at(index, d)]
        store(H, k, 1.0 / load(H, k))
    return OK


@helper
def solve_four(index, H, X, row, c, sign):
    """Four columns of X = ± H⁻¹ X from column c on, with the factors of H; rows of X have `row` numbers."""
    nv, above, starts = index[N_V], dof_parent_at(index, 0), row_start_at(index, 0)
    for d in range(nv - 1, -1, -1):  # Lᵀ
        k = d * row + c
        x, y, z, w = load(X, k), load(X, k + 1), load(X, k + 2), load(X, k + 3)
        if not any_of((x != 0.0) | (y != 0.0) | (z != 0.0) | (w != 0.0)):
            continue  # a branch that these columns do not touch
        e = index[above + d]
        for m in range(index[starts + d] + 1, index[starts + d + 1]):
            h, k = load(H, m), e * row + c
            store(X, k, load(X, k) - h * x)
            store(X, k + 1, load(X, k + 1) - h * y)
            store(X, k + 2, load(X, k + 2) - h * z)
            store(X, k + 3, load(X, k + 3) - h * w)
            e = index[above + e]
    for d in range(nv):  # D, then L
        k, r = d * row + c, sign * load(H, index[starts + d])
        x, y, z, w = r * load(X, k), r * load(X, k + 1), r * load(X, k + 2), r * load(X, k + 3)
        e = index[above + d]
        for m in range(index[starts + d] + 1, index[starts + d + 1]):
            h, k = load(H, m), e * row + c
            x, y, z, w = x - h * load(X, k), y - h * load(X, k + 1), z - h * load(X, k + 2), w - h * load(X, k + 3)
            e = index[above + e]
        k = d * row + c
        store(X, k, x)
        store(X, k + 1, y)
        store(X, k + 2, z)
        store(X, k + 3, w)


@helper
def solve_one(index, H, X, row, c, sign):
    """`solve_four` of one column."""
    nv, above, starts = index[N_V], dof_parent_at(index, 0), row_start_at(index, 0)
    for d in range(nv - 1, -1, -1):  # Lᵀ
        x, e = load(X, d * row + c), index[above + d]
        for m in range(index[starts + d] + 1, index[starts + d + 1]):
            k = e * row + c
            store(X, k, load(X, k) - load(H, m) * x)
            e = index[above + e]
    for d in range(nv):  # D, then L
        x, e = sign * load(H, index[starts + d]) * load(X, d * row + c), index[above + d]
        for m in range(index[starts + d] + 1, index[starts + d + 1]):
            x -= load(H, m) * load(X, e * row + c)
            e = index[above + e]
        store(X, d * row + c, x)


@helper
def solve_rows(index, H, X, row, sign):
    """X = ± H⁻¹ X, four columns at a time: a column is a number of each of a pack of states, or a pack of columns."""
    whole = row - row % 4
    for c in range(0, whole, 4):
        solve_four(index, H, X, row, c, sign)
    for c in range(whole, row):
        solve_one(index, H, X, row, c, sign)


@helper
def spread(nv, Q, D, X, row):
    """X = [−Q, −D, 1], rows of `row` numbers, zero behind."""
    z = scalar(Q, 0.0)
    for d in range(nv):
        k, m = d * row, d * nv
        for c in range(nv):
            store(X, k + c, z - load(Q, m + c))
            store(X, k + nv + c, z - load(D, m + c))
            store(X, k + 2 * nv + c, z)
        for c in range(3 * nv, row):
            store(X, k + c, z)
        store(X, k + 2 * nv + d, z + 1.0)


@helper
def collect(nv, X, row, dq, dv, dtau):
    """The three matrices that stand side by side in X."""
    for d in range(nv):
        k, m = d * row, d * nv
        for c in range(nv):
            store(dq, m + c, load(X, k + c))
            store(dv, m + c, load(X, k + nv + c))
            store(dtau, m + c, load(X, k + 2 * nv + c))


@helper
def forward_derivatives(model, index, work, table, q, v, tau, f_ext, dq, dv, dtau):
    """∂a/∂q, ∂a/∂v and ∂a/∂τ = H⁻¹ [−∂τ/∂q, −∂τ/∂v, 1], each nv × nv, in place."""
    outcome = factors(model, index, work, table, q, v, tau, f_ext, dq, dv)
    if outcome != OK:
        return outcome
    nv = index[N_V]
    _, _, at_H, end = scratch_at(index)
    H = work[at_H:end]
    for k in range(nv * nv):
        store(dtau, k, 0.0)
    for d in range(nv):
        store(dtau, d * (nv + 1), 1.0)
    solve_rows(index, H, dq, nv, -1.0)
    solve_rows(index, H, dv, nv, -1.0)
    solve_rows(index, H, dtau, nv, 1.0)
    return OK


@helper
def forward_derivatives_by_columns(model, index, work, table, q, v, tau, f_ext, X, dq, dv, dtau):
    """`forward_derivatives` of one state, in packs of columns: X has 4 k packs per degree of freedom."""
    outcome = factors(model, index, work, table, q, v, tau, f_ext, dq, dv)
    if outcome != OK:
        return outcome
    nv, flat = index[N_V], flattened(X)
    row = flat.shape[0] // nv
    _, _, at_H, end = scratch_at(index)
    spread(nv, dq, dv, flat, row)
    solve_rows(index, work[at_H:end], X, X.shape[0] // nv, 1.0)
    collect(nv, flat, row, dq, dv, dtau)
    return OK
