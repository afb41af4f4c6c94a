"""Forward dynamics by unit vectors: column i of H is the torque that a unit acceleration of joint i needs.

Walker and Orin's first method, which Yamane and Nakamura compare with, and the closed linkages build on: O(N³), for
comparison and as a check on the others.

References: [Walker1982] method 1; [Yamane2001] section I.
"""

from linkwork.kernels.algebra.dense import cholesky, cholesky_solve
from linkwork.kernels.layout import N_V, OK, SINGULAR_DOF
from linkwork.kernels.numba_ext import load, scalar, separate, store
from linkwork.kernels.records import all_finite, status
from linkwork.kernels.tree.aba import check_inertia
from linkwork.kernels.tree.rnea import newton_euler, rnea


@separate
def unit_vector(model, index, work, loaded, q, v, tau, zero, a, H, unit, column):
    """a = H⁻¹ (τ − bias); H (nv × nv), `unit` and `column` (nv) are scratch."""
    outcome = check_inertia(model, index, work, q, zero)
    if outcome != OK:
        return outcome
    outcome = rnea(model, index, work, loaded, q, v, zero, a)
    if outcome != OK:
        return outcome
    nv = index[N_V]
    for d in range(nv):
        store(a, d, load(tau, d) - load(a, d))
        store(unit, d, scalar(q, 0.0))
    for d in range(nv):
        store(unit, d, scalar(q, 1.0))
        newton_euler(model, index, work, 0, 0.0, q, zero, unit, column)
        store(unit, d, scalar(q, 0.0))
        for e in range(nv):
            store(H, e * nv + d, load(column, e))
    dof = cholesky(H, nv)
    if dof >= 0:
        return status(SINGULAR_DOF, dof)
    cholesky_solve(H, nv, a)
    return all_finite(a, nv)
