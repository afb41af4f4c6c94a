"""Arrays over memory at an address, and cells: integers of an array that several threads read and write."""

import sys
import threading

from llvmlite import binding, ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.typing.templates import signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from linkwork.kernels.numba_ext.pack_type import builtin

_X86 = binding.get_process_triple().startswith(("x86", "i386", "i686"))
_CELLS = types.Array(types.int64, 1, "C")
_one_at_a_time = threading.Lock()


def array_at(kind):
    """An intrinsic (address, size) -> one-dimensional array of this Numba type."""

    @intrinsic
    def view(typingctx, address, size):
        def emit(context, builder, sig, args):
            pointer = ir.PointerType(context.get_data_type(kind.dtype))
            return filled(context, builder, kind, builder.inttoptr(args[0], pointer), [args[1]])

        return kind(types.int64, types.int64), emit

    return view


def filled(context, builder, kind, data, shape):
    """The value of a C-contiguous array of this Numba type, of doubles or 64-bit integers."""
    array, steps = make_array(kind)(context, builder), [context.get_constant(types.intp, 8)]
    for length in reversed(shape[1:]):
        steps.insert(0, builder.mul(steps[0], length))
    populate_array(array, data=data, shape=shape, strides=steps, itemsize=steps[-1], meminfo=None)
    return array._getvalue()


cells_at = array_at(_CELLS)


def peek(cells, k):
    """Cell k as another thread has left it by now, after the shortest pause there is."""
    return cells[k]


def put(cells, k, value):
    """Write a cell, for other threads to see after all that was written before."""
    cells[k] = value


def swap(cells, k, old, new):
    """Write `new` to a cell that holds `old`; whether it did."""
    with _one_at_a_time:  # of threads that run this in Python
        held = bool(cells[k] == old)
        cells[k] = new if held else cells[k]
        return held


def give_way():
    """Let another thread have this processor, where the system knows how to."""


def _cell_function(function, result, emit, *more):
    """Teach Numba a function of cells, an index and more integers."""

    def typer(cells, k, *rest):
        return signature(result, cells, types.int64, *more) if cells == _CELLS and len(rest) == len(more) else None

    def lower(context, builder, sig, args):
        data = make_array(_CELLS)(context, builder, args[0]).data
        return emit(builder, builder.gep(data, [args[1]]), *args[2:])

    builtin(function, typer, lower, types.Array, *[types.Any] * (1 + len(more)))


def _emit_peek(builder, cell):
    if _X86:
        pause = get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), []), "llvm.x86.sse2.pause")
        builder.call(pause, [])
    return builder.load_atomic(cell, "acquire", 8)


def _emit_put(builder, cell, value):
    builder.store_atomic(value, cell, "seq_cst", 8)
    return ir.Constant(ir.PointerType(ir.IntType(8)), None)  # of what returns nothing


def _emit_swap(builder, cell, old, new):
    return builder.extract_value(builder.cmpxchg(cell, old, new, "seq_cst", "seq_cst"), 1)


_cell_function(peek, types.int64, _emit_peek)
_cell_function(put, types.void, _emit_put, types.int64)
_cell_function(swap, types.boolean, _emit_swap, types.int64, types.int64)


def _lower_give_way(context, builder, sig, args):
    if sys.platform != "win32":
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(get_or_insert_function(builder.module, kind, "sched_yield"), [])
    return context.get_dummy_value()


builtin(give_way, lambda: signature(types.void), _lower_give_way)
