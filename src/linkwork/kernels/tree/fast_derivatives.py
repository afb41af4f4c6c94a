"""Entry points of `derivatives` for one state without outer forces, as in `fast_entry`; a context has the table too."""

from linkwork.kernels.layout import N_V, WRONG_SIZE
from linkwork.kernels.numba_ext import const_floats_at, const_integers_at, flattened, floats_at, inlined, integers_at
from linkwork.kernels.records import status
from linkwork.kernels.tree.derivatives import inverse_derivatives
from linkwork.kernels.tree.forward_derivatives import forward_derivatives_by_columns


@inlined
def unpack(context):
    """Model, index, work space and force elements of a context."""
    field = integers_at(context, 8)
    model, index = const_floats_at(field[0], field[1]), const_integers_at(field[2], field[3])
    return model, index, floats_at(field[4], field[5]), const_floats_at(field[6], field[7])


@inlined
def square(index, A):
    """Whether A is nv × nv."""
    return A.shape[0] == index[N_V] and A.shape[1] == index[N_V]


def fast_inverse_derivatives(context, q, v, a, dq, dv):
    """`inverse_derivatives` of a context."""
    model, index, work, table = unpack(context)
    if not (square(index, dq) and square(index, dv)):
        return status(WRONG_SIZE, 0)
    return inverse_derivatives(model, index, work, table, q, v, a, work[:0], flattened(dq), flattened(dv))


def fast_forward_derivatives(context, q, v, tau, X, dq, dv, dtau):
    """`forward_derivatives_by_columns` of a context."""
    model, index, work, table = unpack(context)
    if not (square(index, dq) and square(index, dv) and square(index, dtau)):
        return status(WRONG_SIZE, 0)
    return forward_derivatives_by_columns(
        model, index, work, table, q, v, tau, work[:0], X, flattened(dq), flattened(dv), flattened(dtau)
    )
