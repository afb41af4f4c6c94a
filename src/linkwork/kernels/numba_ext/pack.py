"""Packs: a scalar that holds W states at once, lowered to an LLVM vector, and the functions of it that kernels use.

An array of W states has shape ``(n, W)``; its row is a pack. `load` and `store` read a float from a one-dimensional
array and a pack from a two-dimensional one, so one source serves both. With compilation switched off a pack is a
NumPy row, on which the same arithmetic works. A three-dimensional array, of shape ``(n, 1, 4)``, is read four numbers
at a time on every processor: matrices of one state lie in such. One of shape ``(n, 1, 1, 8)`` is read eight at a time:
columns of matrices lie in such, enough of them to keep a processor busy while it waits for the sums of each.
"""

import math
from fractions import Fraction

import numpy as np
from llvmlite import ir
from numba import config, types

from linkwork.kernels.numba_ext.mode import implementation
from linkwork.kernels.numba_ext.pack_type import MaskType, PackType, builtin, common_width

WIDTH = implementation("compiler").WIDTH
_WIDTHS = {1: 1, 2: WIDTH, 3: 4, 4: 8}  # of what is read from an array, by the number of its dimensions


def _elementwise(function, name):
    """`function` as an LLVM intrinsic of one argument, for floats and packs alike."""

    def typer(x):
        return x(x) if isinstance(x, PackType) or x == types.float64 else None

    def lower(context, builder, sig, args):
        kind = args[0].type
        suffix = f"v{kind.count}f64" if isinstance(kind, ir.VectorType) else "f64"
        callee = builder.module.declare_intrinsic(f"llvm.{name}.{suffix}", (), ir.FunctionType(kind, [kind]))
        return builder.call(callee, args)

    builtin(function, typer, lower, types.Any)


def sqrt(x):
    """Square root of a float or of each lane."""
    return np.sqrt(x)


def floor(x):
    """Largest integer not above a float, or each lane."""
    return np.floor(x)


def fabs(x):
    """Magnitude of a float or of each lane."""
    return np.abs(x)


for _function in (sqrt, floor, fabs):
    _elementwise(_function, _function.__name__)


def atan2(y, x):
    """Angle of the point (x, y), of floats or of each lane."""
    return np.arctan2(y, x)


def _type_atan2(y, x):
    return y(y, x) if y == x and isinstance(y, PackType | types.Float) else None


def _lower_atan2(context, builder, sig, args):
    call = context.get_function(math.atan2, types.float64(types.float64, types.float64))
    if isinstance(sig.return_type, types.Float):
        return call(builder, args)
    result = ir.Constant(args[0].type, ir.Undefined)
    for lane in range(sig.return_type.width):
        k = ir.Constant(ir.IntType(32), lane)
        value = call(builder, [builder.extract_element(x, k) for x in args])
        result = builder.insert_element(result, value, k)
    return result


builtin(atan2, _type_atan2, _lower_atan2, types.Any, types.Any)


def fma(a, b, c):
    """a b + c of floats, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def _type_fma(a, b, c):
    return types.float64(a, b, c) if a == b == c == types.float64 else None


def _lower_fma(context, builder, sig, args):
    return builder.fma(*args)


builtin(fma, _type_fma, _lower_fma, types.Any, types.Any, types.Any)


def where(mask, a, b):
    """`a` where the mask holds, else `b`: a choice by data that every lane makes for itself."""
    return np.where(mask, a, b) if np.ndim(mask) else (a if mask else b)


def _type_where(mask, a, b):
    if isinstance(mask, MaskType):
        return PackType(mask.width)(mask, a, b)
    if isinstance(mask, types.Boolean):
        width = common_width((a, b))
        return (types.float64 if width is None else PackType(width))(mask, a, b)
    return None


def _lower_where(context, builder, sig, args):
    chosen = [context.cast(builder, args[k], sig.args[k], sig.return_type) for k in (1, 2)]
    return builder.select(args[0], *chosen)


builtin(where, _type_where, _lower_where, types.Any, types.Any, types.Any)


def any_of(mask):
    """Whether the mask holds in any lane."""
    return bool(np.any(mask))


def _type_any(mask):
    return types.boolean(mask) if isinstance(mask, MaskType | types.Boolean) else None


def _lower_any(context, builder, sig, args):
    if isinstance(sig.args[0], types.Boolean):
        return args[0]
    bits = builder.bitcast(args[0], ir.IntType(sig.args[0].width))
    return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))


builtin(any_of, _type_any, _lower_any, types.Any)


def load(array, k):
    """Scalar k of an array: a float of a one-dimensional one, a pack of one with more dimensions."""
    return array[k] if array.ndim == 1 else array[k].copy()


def store(array, k, value):
    """Write scalar k of an array."""
    array[k] = value


def _place(context, builder, kinds, values):
    """Pointer to scalar k of an array; unlike Numba's own indexing it knows no negative k."""
    array = context.make_array(kinds[0])(context, builder, values[0])
    k = context.cast(builder, values[1], kinds[1], types.intp)
    if config.BOUNDSCHECK:
        size = builder.extract_value(array.shape, 0)
        with builder.if_then(builder.icmp_unsigned(">=", k, size), likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("scalar out of bounds",))
    width = _WIDTHS[kinds[0].ndim]
    if width == 1:
        return builder.gep(array.data, [k], inbounds=True)
    place = builder.gep(array.data, [builder.mul(k, ir.Constant(k.type, width))], inbounds=True)
    return builder.bitcast(place, ir.PointerType(ir.VectorType(ir.DoubleType(), width)))


def _scalar_of(array):
    return types.float64 if array.ndim == 1 else PackType(_WIDTHS[array.ndim])


def _type_load(array, k):
    if isinstance(array, types.Array) and array.dtype == types.float64 and array.layout == "C":
        return _scalar_of(array)(array, k)
    return None


def _lower_load(context, builder, sig, args):
    return builder.load(_place(context, builder, sig.args, args), align=8)


def _type_store(array, k, value):
    if isinstance(array, types.Array) and array.mutable and array.layout == "C":
        return types.void(array, k, value)
    return None


def _lower_store(context, builder, sig, args):
    value = context.cast(builder, args[2], sig.args[2], _scalar_of(sig.args[0]))
    builder.store(value, _place(context, builder, sig.args, args), align=8)
    return context.get_dummy_value()


builtin(load, _type_load, _lower_load, types.Array, types.Any)
builtin(store, _type_store, _lower_store, types.Array, types.Any, types.Any)


def load_row(array, k):
    """Eight numbers of an array (n, 1, 4), from scalar k on: a row of a matrix of six by six, with two idle ones."""
    return array[k : k + 2].reshape(8).copy()


def store_row(array, k, value):
    """Write eight numbers of an array (n, 1, 4) from scalar k on."""
    array[k : k + 2].reshape(8)[:] = value


_ROW = PackType(8)


def _row_place(context, builder, sig, args):
    vector = ir.PointerType(ir.VectorType(ir.DoubleType(), _ROW.width))
    return builder.bitcast(_place(context, builder, sig.args, args), vector)


def _lower_load_row(context, builder, sig, args):
    return builder.load(_row_place(context, builder, sig, args), align=8)


def _lower_store_row(context, builder, sig, args):
    value = context.cast(builder, args[2], sig.args[2], _ROW)
    builder.store(value, _row_place(context, builder, sig, args), align=8)
    return context.get_dummy_value()


builtin(load_row, lambda array, k: _ROW(array, k), _lower_load_row, types.Array, types.Any)
builtin(store_row, lambda array, k, value: types.void(array, k, value), _lower_store_row, types.Array,
        *[types.Any] * 2)  # fmt: skip


def load4(array, k):
    """The four numbers of a one-dimensional array from k on, as a pack."""
    return array[k : k + 4].copy()


def store4(array, k, value):
    """Write four numbers of a one-dimensional array from k on."""
    array[k : k + 4] = value


def four(a, b, c, d):
    """Four numbers as a pack."""
    return np.array([a, b, c, d], dtype=np.float64)


def lane(x, k):
    """Number k, a constant, of a pack of four."""
    return x[k]


def yzx(x):
    """A pack of four whose first three lanes are moved on by one."""
    return x[[1, 2, 0, 3]]


_FOUR = PackType(4)


def _place_of_four(context, builder, kinds, values):
    if config.BOUNDSCHECK:
        last = builder.add(values[1], ir.Constant(values[1].type, 3))
        _place(context, builder, kinds, [values[0], last])
    place = _place(context, builder, kinds, values)
    return builder.bitcast(place, ir.PointerType(ir.VectorType(ir.DoubleType(), 4)))


def _lower_load4(context, builder, sig, args):
    return builder.load(_place_of_four(context, builder, sig.args, args), align=8)


def _lower_store4(context, builder, sig, args):
    builder.store(args[2], _place_of_four(context, builder, sig.args, args), align=8)
    return context.get_dummy_value()


def _lower_four(context, builder, sig, args):
    result = ir.Constant(ir.VectorType(ir.DoubleType(), 4), ir.Undefined)
    for lane, value in enumerate(args):
        result = builder.insert_element(result, value, ir.Constant(ir.IntType(32), lane))
    return result


def _lower_lane(context, builder, sig, args):
    return builder.extract_element(args[0], builder.trunc(args[1], ir.IntType(32)))


def _lower_yzx(context, builder, sig, args):
    return builder.shuffle_vector(*args, *args, ir.Constant(ir.VectorType(ir.IntType(32), 4), (1, 2, 0, 3)))


builtin(load4, lambda array, k: _FOUR(array, k), _lower_load4, types.Array, types.Any)
builtin(store4, lambda array, k, value: types.void(array, k, _FOUR), _lower_store4, types.Array, *[types.Any] * 2)
builtin(four, lambda a, b, c, d: _FOUR(*[types.float64] * 4), _lower_four, *[types.Any] * 4)
builtin(lane, lambda x, k: types.float64(_FOUR, types.int64), _lower_lane, *[types.Any] * 2)
builtin(yzx, lambda x: _FOUR(_FOUR), _lower_yzx, types.Any)


def scalar(array, value):
    """The number `value` as a scalar of the kind that `array` holds."""
    return float(value) if array.ndim == 1 else np.full(array.shape[1:], value, dtype=np.float64)


def _type_scalar(array, value):
    return _scalar_of(array)(array, value) if isinstance(array, types.Array) else None


def _lower_scalar(context, builder, sig, args):
    return context.cast(builder, args[1], sig.args[1], sig.return_type)


builtin(scalar, _type_scalar, _lower_scalar, types.Array, types.Any)


def like(x, value):
    """The number `value` as a scalar of the kind that x is."""
    return float(value) if np.ndim(x) == 0 else np.full(np.shape(x), value, dtype=np.float64)


def _type_like(x, value):
    return x(x, value) if isinstance(x, PackType) or x == types.float64 else None


builtin(like, _type_like, _lower_scalar, types.Any, types.Any)


def transpose4(a, b, c, d):
    """The four rows of a 4 × 4 matrix, transposed."""
    return tuple(np.stack([a, b, c, d]).T.copy())


def _type_transpose4(a, b, c, d):
    if isinstance(a, PackType) and a == b == c == d and a.width == 4:
        return types.UniTuple(a, 4)(a, b, c, d)
    return None


def _lower_transpose4(context, builder, sig, args):
    def shuffle(x, y, *lanes):
        return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(ir.IntType(32), 4), lanes))

    a, b, c, d = args
    low, high = shuffle(a, b, 0, 4, 2, 6), shuffle(a, b, 1, 5, 3, 7)
    low_2, high_2 = shuffle(c, d, 0, 4, 2, 6), shuffle(c, d, 1, 5, 3, 7)
    rows = [
        shuffle(low, low_2, 0, 1, 4, 5), shuffle(high, high_2, 0, 1, 4, 5),
        shuffle(low, low_2, 2, 3, 6, 7), shuffle(high, high_2, 2, 3, 6, 7),
    ]  # fmt: skip
    return context.make_tuple(builder, sig.return_type, rows)


builtin(transpose4, _type_transpose4, _lower_transpose4, types.Any, types.Any, types.Any, types.Any)


def prefetch(array, k):
    """Ask for scalar k of an array ahead of its use; k must be in the array."""


def _type_prefetch(array, k):
    return types.void(array, k) if isinstance(array, types.Array) and array.layout == "C" else None


def _lower_prefetch(context, builder, sig, args):
    byte, flag = ir.PointerType(ir.IntType(8)), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
    callee = builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind)
    place = builder.bitcast(_place(context, builder, sig.args, args), byte)
    builder.call(callee, [place, *(ir.Constant(flag, x) for x in (0, 3, 1))])  # for reading, to keep, of data
    return context.get_dummy_value()


builtin(prefetch, _type_prefetch, _lower_prefetch, types.Array, types.Any)
