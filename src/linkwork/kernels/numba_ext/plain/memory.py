"""Arrays over memory at an address."""

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, overload

from linkwork.kernels.numba_ext.compile import helper


@intrinsic
def _pointer(typingctx, address):
    def emit(context, builder, sig, args):
        return builder.inttoptr(args[0], ir.PointerType(ir.IntType(8)))

    return types.voidptr(types.int64), emit


@helper
def integers_at(address, size):
    """The 64-bit integers at an address."""
    return carray(_pointer(address), size, np.int64)


@helper
def floats_at(address, size):
    """The doubles at an address."""
    return carray(_pointer(address), size, np.float64)


@helper
def packs_at(address, rows, width):
    """Packs at an address, an array (rows, width)."""
    return carray(_pointer(address), (rows, width), np.float64)


const_integers_at, const_floats_at = integers_at, floats_at


def flattened(matrix):
    """A C-contiguous matrix as the row of its entries."""
    return matrix.reshape(-1)


overload(flattened)(lambda matrix: lambda matrix: matrix.reshape(-1))
