"""Forward dynamics of closed linkages for many states, one after the other."""

from linkwork.kernels.closed.embedding import closed_forward
from linkwork.kernels.layout import N_V, OK
from linkwork.kernels.numba_ext import helper


@helper
def closed_batch(
    model, index, work, table, plan, geometry, scratch, q, v, tau, f_ext, a, force, left, total, begin, end
):  # fmt: skip
    """`closed_forward` of states begin … end − 1; torques of loop joints stand behind the tree's in `tau`.

    Inputs have one row per state, or one for all. Returns the first status that is not OK, and its state.
    """
    nv = index[N_V]
    for state in range(begin, end):
        i, j, k = min(state, q.shape[0] - 1), min(state, v.shape[0] - 1), min(state, f_ext.shape[0] - 1)
        torque = tau[min(state, tau.shape[0] - 1)]
        outcome = closed_forward(
            model, index, work, table, plan, geometry, scratch, False, q[i], v[j], torque[:nv], f_ext[k], torque[nv:],
            a[state], force, left, total,
        )  # fmt: skip
        if outcome != OK:
            return outcome, state
    return OK, end
