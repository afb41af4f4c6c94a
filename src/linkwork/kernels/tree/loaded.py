"""The dynamics of a linkage with forces on it: wrenches from outside and force elements, then the algorithm itself.

Each function is `applied_forces` followed by one algorithm; ``table`` lists the force elements (see `forces`).
"""

from linkwork.kernels.layout import N_V, OK
from linkwork.kernels.numba_ext import helper, load, store
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.forces import applied_forces
from linkwork.kernels.tree.ltdl import crba_forward
from linkwork.kernels.tree.rnea import joint_wrenches, rnea
from linkwork.kernels.tree.unit_vector import unit_vector


@helper
def loaded_rnea(model, index, work, table, q, v, a, f_ext, zero, tau, inner):
    """The torques that remain to be given when forces already act; `inner` (nv) receives those of force elements."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, zero, inner)
    if outcome != OK:
        return outcome
    outcome = rnea(model, index, work, 1, q, v, a, tau)
    for d in range(index[N_V]):
        store(tau, d, load(tau, d) - load(inner, d))
    return outcome


@helper
def loaded_wrenches(model, index, work, table, q, v, a, f_ext, zero, tau, out, inner):
    """`joint_wrenches` with forces; a joint's own force elements are part of what it exerts."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, zero, inner)
    if outcome != OK:
        return outcome
    return joint_wrenches(model, index, work, 1, q, v, a, tau, out)


@helper
def loaded_aba(model, index, work, table, q, v, tau, f_ext, a, total):
    """`aba` with forces; `total` (nv) is scratch."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome != OK:
        return outcome
    return aba(model, index, work, 1, q, v, total, a)


@helper
def loaded_crba(model, index, work, table, q, v, tau, f_ext, zero, a, H, total):
    """`crba_forward` with forces; `total` (nv) is scratch."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome != OK:
        return outcome
    return crba_forward(model, index, work, 1, q, v, total, zero, a, H)


@helper
def loaded_unit_vector(model, index, work, table, q, v, tau, f_ext, zero, a, H, unit, column, total):
    """`unit_vector` with forces; `total` (nv) is scratch."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome != OK:
        return outcome
    return unit_vector(model, index, work, 1, q, v, total, zero, a, H, unit, column)
