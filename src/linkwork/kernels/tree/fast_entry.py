"""Entry points for calls that must be quick: one state, no external forces, as few arguments as possible.

Each array that crosses from Python costs some 50 ns, as much as half a joint. So the model, the index and the work
space cross as one number: the address of a *context*, an array of their addresses and sizes, which `Tree` keeps alive.
"""

import numpy as np

from linkwork.kernels.layout import N_V, WRONG_SIZE
from linkwork.kernels.numba_ext import const_floats_at, const_integers_at, flattened, floats_at, inlined, integers_at
from linkwork.kernels.records import status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.crba import crba
from linkwork.kernels.tree.rnea import rnea


def make_context(model, index, work):
    """The context of these arrays, which must outlive it."""
    return np.array([a for array in (model, index, work) for a in (array.ctypes.data, len(array))], dtype=np.int64)


@inlined
def unpack(context):
    """Model, index and work space of a context."""
    field = integers_at(context, 6)
    return const_floats_at(field[0], field[1]), const_integers_at(field[2], field[3]), floats_at(field[4], field[5])


def fast_aba(context, q, v, tau, a):
    """`aba` of a context."""
    model, index, work = unpack(context)
    return aba(model, index, work, 0, q, v, tau, a)


def fast_rnea(context, q, v, a, tau):
    """`rnea` of a context."""
    model, index, work = unpack(context)
    return rnea(model, index, work, 0, q, v, a, tau)


def fast_crba(context, q, H):
    """`crba` of a context into a dense matrix."""
    model, index, work = unpack(context)
    if H.shape[0] != index[N_V] or H.shape[1] != index[N_V]:
        return status(WRONG_SIZE, 0)
    return crba(model, index, work, 0, q, flattened(H))
