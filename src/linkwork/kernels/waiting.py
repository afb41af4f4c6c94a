"""Waiting for another thread in compiled code, which holds no lock of Python's.

For some microseconds this is quicker than to sleep and be woken. Two threads share an array of cells, each written by
one of them, in cache lines of their own: CALLED counts the jobs given to a helper, DONE those that it has done.
"""

import platform

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import signature

from linkwork.kernels.jit import helper
from linkwork.kernels.pack_type import builtin

CALLED, DONE, N_CELLS = 0, 8, 16
_X86 = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686")


def new_cells():
    """Cells of one helper that was given nothing yet."""
    return np.zeros(N_CELLS, dtype=np.int64)


def peek(cells, k):
    """Cell k as another thread has left it by now, after the shortest pause there is."""
    return cells[k]


def _type_peek(cells, k):
    return signature(types.int64, cells, types.intp)


def _lower_peek(context, builder, sig, args):
    if _X86:
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
    data = context.make_array(sig.args[0])(context, builder, args[0]).data
    return builder.load_atomic(builder.gep(data, [args[1]]), "acquire", 8)


builtin(peek, _type_peek, _lower_peek, types.Array, types.Any)


@helper
def wait(cells, k, value, patience):
    """Wait until cell k has come to `value`, for so many looks at it; whether it has."""
    for _ in range(patience):  # noqa: SIM110  (any() of a generator does not compile)
        if peek(cells, k) >= value:
            return True
    return False


@helper
def rest(cells, jobs, patience):
    """Say that so many jobs are done, and wait for one more; whether it came."""
    cells[DONE] = jobs
    return wait(cells, CALLED, jobs + 1, patience)
