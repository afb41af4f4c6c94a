"""Derivatives of one state without outer forces, for built-in functions of Python: see `numba_ext.python_function`.

A context has the addresses of model, index, work space and force elements, each with its size, and of the room for
columns, in packs.
"""

from linkwork.kernels.numba_ext import (
    WIDTH,
    const_floats_at,
    const_integers_at,
    floats_at,
    helper,
    inlined,
    integers_at,
    packs_at,
)
from linkwork.kernels.tree.derivatives import inverse_derivatives
from linkwork.kernels.tree.forward_derivatives import forward_derivatives_by_columns


@inlined
def unpack(context):
    """Model, index, work space, force elements and room for columns of a context."""
    field = integers_at(context, 10)
    model, index = const_floats_at(field[0], field[1]), const_integers_at(field[2], field[3])
    work, table = floats_at(field[4], field[5]), const_floats_at(field[6], field[7])
    return model, index, work, table, packs_at(field[8], field[9], WIDTH)


@helper
def fast_inverse_derivatives(context, q, v, a, dq, dv, _):
    """`inverse_derivatives` of a context."""
    model, index, work, table, _ = unpack(context)
    return inverse_derivatives(model, index, work, table, q, v, a, work[:0], dq, dv)


@helper
def fast_forward_derivatives(context, q, v, tau, dq, dv, dtau):
    """`forward_derivatives_by_columns` of a context."""
    model, index, work, table, X = unpack(context)
    return forward_derivatives_by_columns(model, index, work, table, q, v, tau, work[:0], X, dq, dv, dtau)
