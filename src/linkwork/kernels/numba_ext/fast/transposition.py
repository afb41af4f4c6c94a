"""Packs from the rows of states, and rows from packs, by blocks of W × W numbers in registers.

Results that no cache would hold are written past the caches, whole lines at a time: memory then need not bring what is
overwritten anyway, which takes more than half of the time of large matrices. Of others, what is written next is asked
for ahead.
"""

import numpy as np
from llvmlite import ir
from numba import types

from linkwork.kernels.numba_ext.compile import separate
from linkwork.kernels.numba_ext.fast.compiler import WIDTH
from linkwork.kernels.numba_ext.pack_type import builtin

LINE = 8  # numbers of a cache line
COLUMNS = 64  # that `stream` turns at a time
STAGE = COLUMNS + 4 * LINE  # packs of work space that it needs
LARGE = 2**21  # numbers: results that are larger, all together, are streamed
LONG = 2 * COLUMNS  # and of these, rows of so many


def transpose_block(source, at, step, target, to, stride):
    """Transpose a W × W block: ``source[at + step i + j]`` goes to ``target[to + stride j + i]``, both flat."""
    i, j = np.indices((WIDTH, WIDTH))
    target.reshape(-1)[to + stride * j + i] = source.reshape(-1)[at + step * i + j]


def _type_transpose(source, at, step, target, to, stride):
    for array in (source, target):
        if not isinstance(array, types.Array) or array.dtype != types.float64 or array.layout != "C":
            return None
    if not target.mutable:
        return None
    return types.void(source, *[types.intp] * 2, target, *[types.intp] * 2)


def _lower_transpose(context, builder, sig, args):
    def pointer(k, line):
        first = builder.add(args[k + 1], builder.mul(args[k + 2], ir.Constant(args[k + 2].type, line)))
        return _vector_at(context, builder, sig.args[k], args[k], first, WIDTH)

    lines = [builder.load(pointer(0, i), align=8) for i in range(WIDTH)]
    bit = 1
    while bit < WIDTH:  # swap the blocks off the diagonal, of one entry, then of two by two, ...
        upper = _choice([j + WIDTH - bit if j & bit else j for j in range(WIDTH)])
        lower = _choice([j + WIDTH if j & bit else j + bit for j in range(WIDTH)])
        for i in range(WIDTH):
            if not i & bit:
                a, b = lines[i], lines[i + bit]
                lines[i], lines[i + bit] = builder.shuffle_vector(a, b, upper), builder.shuffle_vector(a, b, lower)
        bit *= 2
    for j in range(WIDTH):
        builder.store(lines[j], pointer(3, j), align=8)
    return context.get_dummy_value()


def _vector_at(context, builder, kind, array, k, width):
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [k], inbounds=True), ir.PointerType(ir.VectorType(ir.DoubleType(), width)))


def _choice(lanes):
    return ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), lanes)


builtin(transpose_block, _type_transpose, _lower_transpose, types.Array, *[types.Any] * 2, types.Array,
        *[types.Any] * 2)  # fmt: skip


def ask_for(target, to, stride):
    """Ask for W lines of an array, those with ``target[to + stride j]``, j < W, flat: they will be written soon."""


def _type_ask(target, to, stride):
    return types.void(target, types.intp, types.intp) if isinstance(target, types.Array) else None


def _lower_ask(context, builder, sig, args):
    byte, flag = ir.PointerType(ir.IntType(8)), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
    callee = builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind)
    for j in range(WIDTH):
        k = builder.add(args[1], builder.mul(args[2], ir.Constant(args[2].type, j)))
        place = builder.bitcast(_vector_at(context, builder, sig.args[0], args[0], k, WIDTH), byte)
        builder.call(callee, [place, *(ir.Constant(flag, x) for x in (0, 2, 1))])  # into the second cache, of data
    return context.get_dummy_value()


builtin(ask_for, _type_ask, _lower_ask, types.Array, *[types.Any] * 2)


def copy_line(source, at, target, to):
    """Copy eight numbers between arrays of one dimension."""
    target[to : to + LINE] = source[at : at + LINE]


def stream_line(source, at, target, to):
    """The same past the caches; they are one line of them."""
    target[to : to + LINE] = source[at : at + LINE]


def _type_line(source, at, target, to):
    return types.void(source, types.intp, target, types.intp)


def _lower_copy(context, builder, sig, args):
    value = builder.load(_vector_at(context, builder, sig.args[0], args[0], args[1], LINE), align=8)
    return builder.store(value, _vector_at(context, builder, sig.args[2], args[2], args[3], LINE), align=8)


def _lower_line(context, builder, sig, args):
    _lower_copy(context, builder, sig, args)
    return context.get_dummy_value()


def _lower_stream(context, builder, sig, args):
    store = _lower_copy(context, builder, sig, args)
    store.align = 8 * LINE
    store.set_metadata("nontemporal", builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)]))
    return context.get_dummy_value()


builtin(copy_line, _type_line, _lower_line, types.Array, types.Any, types.Array, types.Any)
builtin(stream_line, _type_line, _lower_stream, types.Array, types.Any, types.Array, types.Any)


@separate
def stream(lanes, first, rows, stage):
    """Copy (n, W) lanes back to states first … first + W − 1 of (B, n) rows, past the caches.

    Some columns at a time are turned in the `stage`, where each row lies as it does in memory: from the same place of a
    line on. Whole lines are streamed; what is left of the last one comes before the next columns.
    """
    n, source, target = lanes.shape[0], stage.reshape(-1), rows.reshape(-1)
    place = rows.ctypes.data // 8 + first * n  # of the first number, counted in numbers
    begin, step = LINE + place % LINE, COLUMNS + 3 * LINE + n % LINE
    for start in range(0, n, COLUMNS):
        count = min(COLUMNS, n - start)
        for k in range(0, count - WIDTH, WIDTH):
            transpose_block(lanes, (start + k) * WIDTH, WIDTH, stage, begin + k, step)
        k = count - WIDTH  # the last block overlaps the one before rather than end short
        transpose_block(lanes, (start + k) * WIDTH, WIDTH, stage, begin + k, step)
        for w in range(WIDTH):
            p = begin + w * step
            to, end = (first + w) * n + start - p, p + count  # what is at k in the stage goes to k + to
            line = p - p % LINE
            if start == 0 and line < p:
                line += LINE
                for k in range(p, line):
                    target[k + to] = source[k]
            while line + LINE <= end:
                stream_line(source, line, target, line + to)
                line += LINE
            if start + count == n:
                for k in range(line, end):
                    target[k + to] = source[k]
            else:
                copy_line(source, line, source, p - p % LINE)
