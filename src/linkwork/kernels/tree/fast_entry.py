"""Fast entry points: one state, no forces from outside, as few arguments as possible.

Each array argument costs some 50 ns per call from Python, as much as half a joint. So the model, the index and the work
space come as one number: the address of a *context*, an array of their addresses and sizes, which `Tree` keeps alive.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from linkwork.kernels.layout import N_V, WRONG_SIZE
from linkwork.kernels.numba_ext.jit import inlined
from linkwork.kernels.numba_ext.memory import array_at, cells_at, filled
from linkwork.kernels.records import status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.crba import crba
from linkwork.kernels.tree.rnea import rnea


def make_context(model, index, work):
    """The context of these arrays, which must outlive it."""
    return np.array([a for array in (model, index, work) for a in (array.ctypes.data, len(array))], dtype=np.int64)


_index = array_at(types.Array(types.int64, 1, "C", readonly=True))
_model = array_at(types.Array(types.float64, 1, "C", readonly=True))
_work = array_at(types.Array(types.float64, 1, "C"))


@intrinsic
def _flattened(typingctx, matrix):
    """A C-contiguous matrix as the row of its entries."""
    kind = types.Array(types.float64, 1, "C")

    def emit(context, builder, sig, args):
        array = make_array(sig.args[0])(context, builder, args[0])
        return filled(context, builder, kind, array.data, [array.nitems])

    return kind(matrix), emit


@inlined
def unpack(context):
    """Model, index and work space of a context."""
    field = cells_at(context, 6)
    return _model(field[0], field[1]), _index(field[2], field[3]), _work(field[4], field[5])


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
    return crba(model, index, work, 0, q, _flattened(H))
