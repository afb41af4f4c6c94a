"""Forward dynamics of closed linkages for many states, a pack of states at a time."""

from linkwork.kernels.closed.embedding import closed_forward
from linkwork.kernels.layout import N_V, OK
from linkwork.kernels.numba_ext import WIDTH, gather, helper, scatter


@helper
def closed_batch(tree, loops, arrays, lanes, rows, states):
    """`closed_forward` of the states ``states`` (begin, end); the first status that is not OK, and its pack's state.

    `tree` is (model, index, work, table), `loops` (plan, geometry, scratch). `arrays` are (B, n): q, v, tau with the
    torques of loop joints behind the tree's, f_ext, each with one row per state or one for all; and a. `lanes` are
    those of a pack, and of (nv) scratch; `rows` two more, of the constraints' rows.
    """
    model, index, work, table = tree
    plan, geometry, scratch = loops
    q, v, tau, f_ext, a, total = lanes
    nv = index[N_V]
    for first in range(states[0], states[1], WIDTH):
        count = min(WIDTH, states[1] - first)
        gather(arrays[0], 0, first, count, q)
        gather(arrays[1], 0, first, count, v)
        gather(arrays[2], 0, first, count, tau)
        gather(arrays[3], 0, first, count, f_ext)
        outcome = closed_forward(
            model, index, work, table, plan, geometry, scratch, q, v, tau[:nv], f_ext, tau[nv:],
            a, rows[0], rows[1], total,
        )  # fmt: skip
        if outcome != OK:
            return outcome, first
        scatter(a, first, count, arrays[4], 0)
    return OK, states[1]
