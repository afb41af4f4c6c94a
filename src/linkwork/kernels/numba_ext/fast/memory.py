"""Arrays over memory at an address, and integers of an array that several threads read and write."""

import sys
import threading

from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from linkwork.kernels.numba_ext.fast.crossing import array_over
from linkwork.kernels.numba_ext.pack_type import builtin

_X86 = binding.get_process_triple().startswith(("x86", "i386", "i686"))
_INTEGERS = types.Array(types.int64, 1, "C")
_FLOATS = types.Array(types.float64, 1, "C")
_one_at_a_time = threading.Lock()


def array_at(kind):
    """An intrinsic (address, size) -> one-dimensional array of this Numba type."""

    @intrinsic
    def view(typingctx, address, size):
        def emit(context, builder, sig, args):
            pointer = ir.PointerType(context.get_data_type(kind.dtype))
            return array_over(context, builder, kind, builder.inttoptr(args[0], pointer), [args[1]])

        return kind(types.int64, types.int64), emit

    return view


integers_at, floats_at = array_at(_INTEGERS), array_at(_FLOATS)
const_integers_at, const_floats_at = array_at(_INTEGERS.copy(readonly=True)), array_at(_FLOATS.copy(readonly=True))


@intrinsic
def packs_at(typingctx, address, rows, width):
    """Packs at an address, an array (rows, width)."""
    kind = types.Array(types.float64, 2, "C")

    def emit(context, builder, sig, args):
        pointer = builder.inttoptr(args[0], ir.PointerType(ir.DoubleType()))
        return array_over(context, builder, kind, pointer, args[1:])

    return kind(*[types.int64] * 3), emit


@intrinsic
def flattened(typingctx, matrix):
    """A C-contiguous matrix as the row of its entries."""

    def emit(context, builder, sig, args):
        array = context.make_array(sig.args[0])(context, builder, args[0])
        return array_over(context, builder, _FLOATS, array.data, [array.nitems])

    return _FLOATS(matrix), emit


def atomic_read(integers, k):
    """Integer k as another thread has left it by now, after the shortest pause there is."""
    return integers[k]


def atomic_write(integers, k, value):
    """Write integer k, for other threads to see after all that was written before."""
    integers[k] = value


def compare_and_swap(integers, k, old, new):
    """Write `new` to integer k if it is `old`; whether it was."""
    with _one_at_a_time:  # of threads that run this in Python
        held = bool(integers[k] == old)
        integers[k] = new if held else integers[k]
        return held


def yield_processor():
    """Let another thread have this processor, where the system knows how to."""


def _atomic(function, typer, emit, count):
    """Teach Numba a function of an array of integers, an index and more: `count` integers in all."""

    def lower(context, builder, sig, args):
        data = context.make_array(_INTEGERS)(context, builder, args[0]).data
        return emit(builder, builder.gep(data, [args[1]]), *args[2:])

    builtin(function, typer, lower, types.Array, *[types.Any] * count)


def _emit_read(builder, place):
    if _X86:
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
    return builder.load_atomic(place, "acquire", 8)


def _emit_write(builder, place, value):
    builder.store_atomic(value, place, "seq_cst", 8)
    return ir.Constant(ir.PointerType(ir.IntType(8)), None)  # of what returns nothing


def _emit_swap(builder, place, old, new):
    return builder.extract_value(builder.cmpxchg(place, old, new, "seq_cst", "seq_cst"), 1)


_word = types.int64
_atomic(atomic_read, lambda integers, k: _word(_INTEGERS, _word), _emit_read, 1)
_atomic(atomic_write, lambda integers, k, value: types.void(_INTEGERS, _word, _word), _emit_write, 2)
_atomic(compare_and_swap, lambda integers, k, old, new: types.boolean(_INTEGERS, _word, _word, _word), _emit_swap, 3)


def _lower_yield(context, builder, sig, args):
    if sys.platform != "win32":
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(builder.module.declare_intrinsic("sched_yield", (), kind), [])
    return context.get_dummy_value()


builtin(yield_processor, lambda: types.void(), _lower_yield)
