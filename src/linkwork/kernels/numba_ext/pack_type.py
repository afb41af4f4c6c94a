"""Types of a pack, a scalar that holds W states, and of a mask, W truth values: LLVM vectors, and their operators."""

import operator
import os

from llvmlite import binding, ir
from numba import types
from numba.core import config
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, register_model


def _choose_width():
    """States in a pack: as many as a register of this processor holds, where that was measured to be faster."""
    chosen = os.environ.get("LINKWORK_PACK")
    if chosen:
        if chosen not in ("4", "8"):
            raise ValueError(f"LINKWORK_PACK must be 4 or 8, not {chosen!r}")
        return int(chosen)
    wide = binding.get_host_cpu_features().get("avx512f", False)
    # LLVM splits wide vectors in two on other makers' processors, which it tunes for narrow ones
    return 8 if wide and (config.CPU_NAME or binding.get_host_cpu_name()).startswith("znver") else 4


WIDTH = _choose_width()


class PackType(types.Type):
    """Numba type of W doubles in one register."""

    def __init__(self, width):
        self.width = width
        super().__init__(name=f"Pack({width})")

    def can_convert_from(self, typingctx, other):
        """A number becomes a pack with the same value in every lane."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


class MaskType(types.Type):
    """Numba type of W truth values."""

    def __init__(self, width):
        self.width = width
        super().__init__(name=f"Mask({width})")


@register_model(PackType)
class _PackModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.VectorType(ir.DoubleType(), fe_type.width))


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.VectorType(ir.IntType(1), fe_type.width))


def _splat(builder, value, width):
    """A vector with the same double in every lane."""
    vector = ir.VectorType(ir.DoubleType(), width)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), lanes)


def _as_vector(context, builder, value, kind, width):
    if isinstance(kind, PackType):
        return value
    return _splat(builder, context.cast(builder, value, kind, types.float64), width)


@lower_cast(types.Float, PackType)
@lower_cast(types.Integer, PackType)
def _number_to_pack(context, builder, fromty, toty, value):
    return _as_vector(context, builder, value, fromty, toty.width)


# Arithmetic and comparison, between packs and of a pack with a number, by templates: far quicker to compile than
# @overload.

_ARITHMETIC = {
    operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv",
    operator.iadd: "fadd", operator.isub: "fsub", operator.imul: "fmul", operator.itruediv: "fdiv",
}  # fmt: skip
_COMPARISON = {
    operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
}  # fmt: skip


def common_width(args):
    """Width of the packs among two arguments, the rest being numbers; None where this is no operation on packs."""
    widths = {a.width for a in args if isinstance(a, PackType)}
    numbers = all(isinstance(a, PackType | types.Float | types.Integer) for a in args)
    return widths.pop() if len(widths) == 1 and numbers else None


def _register_binary(op, result, emit):
    @infer_global(op)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            width = common_width(args) if len(args) == 2 else None
            if width is not None:
                return signature(result(width), *args)
            return None

    def lower(context, builder, sig, args):
        width = common_width(sig.args)
        a, b = (_as_vector(context, builder, x, k, width) for x, k in zip(args, sig.args, strict=True))
        return emit(builder, a, b)

    for kinds in ((PackType, PackType), (PackType, types.Number), (types.Number, PackType)):
        lower_builtin(op, *kinds)(lower)


def _arithmetic(name):
    return lambda builder, a, b: getattr(builder, name)(a, b)


def _comparison(sign):
    if sign == "!=":
        return lambda builder, a, b: builder.fcmp_unordered(sign, a, b)
    return lambda builder, a, b: builder.fcmp_ordered(sign, a, b)


for _op, _name in _ARITHMETIC.items():
    _register_binary(_op, PackType, _arithmetic(_name))
for _op, _sign in _COMPARISON.items():
    _register_binary(_op, MaskType, _comparison(_sign))


@infer_global(operator.neg)
class _Neg(AbstractTemplate):
    def generic(self, args, kws):
        return signature(args[0], args[0]) if len(args) == 1 and isinstance(args[0], PackType) else None


@lower_builtin(operator.neg, PackType)
def _lower_neg(context, builder, sig, args):
    return builder.fneg(args[0])


for _op, _name in ((operator.and_, "and_"), (operator.or_, "or_")):

    @infer_global(_op)
    class _MaskOp(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 2 and isinstance(args[0], MaskType) and args[0] == args[1]:
                return signature(args[0], *args)
            return None

    def _lower_mask(context, builder, sig, args, name=_name):
        return getattr(builder, name)(*args)

    lower_builtin(_op, MaskType, MaskType)(_lower_mask)


def builtin(function, typer, lower, *kinds):
    """Teach Numba `function`: ``typer(*types)`` gives its signature or None, ``lower`` emits it for these kinds."""

    @infer_global(function)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            return typer(*args)

    lower_builtin(function, *kinds)(lower)
