"""Types of a pack, a scalar that holds W states, and of a mask, W truth values: LLVM vectors, and their operators."""

import operator

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, lower_cast, models, register_model, type_callable


class PackType(types.Type):
    """Numba type of W doubles in one register."""

    def __init__(self, width):
        self.width = width
        super().__init__(name=f"Pack({width})")


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


def builtin(function, typer, lower, *kinds):
    """Teach Numba `function`: ``typer(*types)`` gives its signature or None, ``lower`` emits it for these kinds."""
    type_callable(function)(lambda context: typer)
    lower_builtin(function, *kinds)(lower)


# Arithmetic and comparison, between packs and of a pack with a number; @overload takes three times as long to compile.

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
    def typer(a, b):
        width = common_width((a, b))
        return None if width is None else result(width)(a, b)

    def lower(context, builder, sig, args):
        width = common_width(sig.args)
        a, b = (_as_vector(context, builder, x, k, width) for x, k in zip(args, sig.args, strict=True))
        return emit(builder, a, b)

    type_callable(op)(lambda context: typer)
    for kinds in ((PackType, PackType), (PackType, types.Number), (types.Number, PackType)):
        lower_builtin(op, *kinds)(lower)


def _arithmetic(name):
    return lambda builder, a, b: getattr(builder, name)(a, b)


def _comparison(sign):
    name = "fcmp_unordered" if sign == "!=" else "fcmp_ordered"
    return lambda builder, a, b: getattr(builder, name)(sign, a, b)


for _op, _name in _ARITHMETIC.items():
    _register_binary(_op, PackType, _arithmetic(_name))
for _op, _sign in _COMPARISON.items():
    _register_binary(_op, MaskType, _comparison(_sign))


builtin(
    operator.neg,
    lambda a: a(a) if isinstance(a, PackType) else None,
    lambda context, builder, sig, args: builder.fneg(args[0]),
    PackType,
)


def _register_mask(op, name):
    def lower(context, builder, sig, args):
        return getattr(builder, name)(*args)

    builtin(op, lambda a, b: a(a, b) if isinstance(a, MaskType) and a == b else None, lower, MaskType, MaskType)


_register_mask(operator.and_, "and_")
_register_mask(operator.or_, "or_")
