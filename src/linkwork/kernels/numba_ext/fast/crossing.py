"""How arguments and results cross from one compiled function to another.

Of an array the address of its numbers and its shape cross. Numba hands over every word that it keeps, seven or more;
the kernels' arrays are plain, so that the others follow from these. A third of the code that LLVM has to read went
with them. And Numba's functions write their result to a place of the caller's, and return a status; a helper that
cannot fail returns its result.
"""

import functools

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import fix_returning_optional, impl_ret_new_ref

SIZE = 8  # bytes of a number
made = ir.instructions
_givers: set[str] = set()  # names of functions that return their result


def is_plain(kind):
    """Whether this is the type of arrays that lie in memory as kernels have them."""
    return isinstance(kind, types.Array) and kind.layout == "C" and getattr(kind.dtype, "bitwidth", 0) == 8 * SIZE


@functools.cache
def crossing_types(kinds):
    """Types of the words that cross for arguments of these types."""
    return tuple(word for kind in kinds for word in _words_of_type(kind))


@functools.cache
def _words_of_type(kind):
    if is_plain(kind):
        return (types.CPointer(kind.dtype), *[types.intp] * kind.ndim)
    if isinstance(kind, types.BaseTuple):
        return tuple(word for part in kind.types for word in _words_of_type(part))
    return () if kind == types.none else (kind,)


def function_type(context, result, kinds):
    """LLVM's type of a function with these argument types and result."""
    return context.call_conv.get_function_type(result, crossing_types(tuple(kinds)))


def declared(context, module, fndesc):
    """A function in a module of LLVM's."""
    known = module.globals.get(fndesc.mangled_name)
    if known is not None:
        return known
    function = ir.Function(module, function_type(context, fndesc.restype, fndesc.argtypes), fndesc.mangled_name)
    for word in function.args[:2]:  # places of the result and of an exception
        word.add_attribute("captures(none)")
        word.add_attribute("noalias")
    if fndesc.inline:
        function.attributes.add("alwaysinline")
    if gives_result(fndesc):
        _take_places(function)
    return function


def gives_result(fndesc):
    """Whether a function returns its result, where others write it to a place and return a status."""
    return fndesc.mangled_name in _givers


def give_result(function, fndesc):
    """Have a function of LLVM's that cannot fail return its result."""
    place, ends = function.args[0], [block for block in function.blocks if type(block.terminator) is made.Ret]
    written = [block.instructions[-2] for block in ends]
    if any(type(step) is not made.StoreInstr or step.operands[1] is not place for step in written):
        return
    for block in ends:
        del block.instructions[-2:]
        block.terminator = None
    kind, values = place.type.pointee, [(step.operands[0], block) for step, block in zip(written, ends, strict=True)]
    if len(ends) == 1:
        ir.IRBuilder(ends[0]).ret(values[0][0])
    else:
        end = function.append_basic_block("end")
        builder = ir.IRBuilder(end)
        places = list(_numbers_in(kind))
        joined = [_joined(builder, kind, where, values) for kind, where in places]
        for block in ends:
            ir.IRBuilder(block).branch(end)
        whole = joined[0]
        if places[0][1]:
            whole = ir.Constant(kind, ir.Undefined)
            for number, (_, where) in zip(joined, places, strict=True):
                whole = builder.insert_value(whole, number, where)
        builder.ret(whole)
    _take_places(function)
    _givers.add(fndesc.mangled_name)


def _numbers_in(kind, where=()):
    """(type, path) of every number in a value of this type of LLVM's."""
    if not isinstance(kind, ir.Aggregate):
        yield kind, where
        return
    for k in range(len(kind)):
        yield from _numbers_in(kind.elements[k], (*where, k))


def _joined(builder, kind, where, values):
    """The number at a path of the value of the block that one comes from."""
    number = builder.phi(kind)
    for value, block in values:
        number.add_incoming(ir.IRBuilder(block).extract_value(value, where) if where else value, block)
    return number


def _take_places(function):
    """Leave out the places of the result and of an exception from the arguments of a function that gives its result."""
    result, function.args = function.args[0].type.pointee, function.args[2:]
    function.ftype = ir.FunctionType(result, [word.type for word in function.args])
    function.type, function.return_value = function.ftype.as_pointer(), ir.values.ReturnValue(function, result)


def received(context, builder, kinds, function):
    """Values of the arguments, in a function of LLVM's."""
    packer = context.get_arg_packer(crossing_types(tuple(kinds)))
    words = iter(packer.from_arguments(builder, function.args[2:]))
    return [value_of(context, builder, kind, words) for kind in kinds]


def call(context, builder, function, result, kinds, values, attrs=()):
    """Status and result of a call of a function of LLVM's that is declared as above."""
    words, crossing = words_of(context, builder, kinds, values), crossing_types(tuple(kinds))
    return context.call_conv.call_function(builder, function, result, crossing, words, attrs=attrs)


def call_or_leave(context, builder, function, result, kinds, values):
    """Result of a call; where it fails, the caller, a function of ours, fails in the same way."""
    with builder.goto_entry_block():
        place = builder.alloca(context.call_conv.get_return_type(result).pointee)
    status = builder.call(function, [place, builder.function.args[1], *_arguments(context, builder, kinds, values)])
    with cgutils.if_unlikely(builder, builder.icmp_signed("!=", status, ir.Constant(status.type, 0))):
        builder.ret(status)
    return context.get_returned_value(builder, result, builder.load(place))


def call_anyhow(context, builder, fndesc, values):
    """Call a function whose result and failures nobody looks at."""
    function = declared(context, builder.module, fndesc)
    if gives_result(fndesc):
        builder.call(function, _arguments(context, builder, fndesc.argtypes, values))
    else:
        call(context, builder, function, fndesc.restype, fndesc.argtypes, values)


def caller_of(fndesc, libs):
    """What makes the code that calls a compiled function."""
    result, kinds = fndesc.restype, fndesc.argtypes

    def called(context, builder, sig, args):
        function = declared(context, builder.module, fndesc)
        if gives_result(fndesc):
            value = builder.call(function, _arguments(context, builder, kinds, args))
            value = context.get_returned_value(builder, result, value)
        elif isinstance(result, types.Optional):
            status, value = call(context, builder, function, result, kinds, args)
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            value = fix_returning_optional(context, builder, sig, status, value)
        else:
            value = call_or_leave(context, builder, function, result, kinds, args)
        return impl_ret_new_ref(context, builder, result, value)

    called.signature, called.libs = kinds, tuple(libs)
    return called


def _arguments(context, builder, kinds, values):
    """Arguments of LLVM's for values of these types."""
    words = words_of(context, builder, kinds, values)
    return context.get_arg_packer(crossing_types(tuple(kinds))).as_arguments(builder, words)


def words_of(context, builder, kinds, values):
    """The words that cross for values of these types."""
    return [word for pair in zip(kinds, values, strict=True) for word in _words(context, builder, *pair)]


def _words(context, builder, kind, value):
    if is_plain(kind):
        model = context.data_model_manager[kind]
        shape = builder.extract_value(value, model.get_field_position("shape"))
        lengths = [builder.extract_value(shape, k) for k in range(kind.ndim)]
        return [builder.extract_value(value, model.get_field_position("data")), *lengths]
    if isinstance(kind, types.BaseTuple):
        parts = [builder.extract_value(value, k) for k in range(len(kind.types))]
        return words_of(context, builder, kind.types, parts)
    return [] if kind == types.none else [value]


def value_of(context, builder, kind, words):
    """A value from the next of the words."""
    if is_plain(kind):
        return array_over(context, builder, kind, next(words), [next(words) for _ in range(kind.ndim)])
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [value_of(context, builder, part, words) for part in kind.types])
    return context.get_dummy_value() if kind == types.none else next(words)


def array_over(context, builder, kind, data, shape):
    """The value of a plain array of this Numba type."""
    model, word = context.data_model_manager[kind], ir.IntType(8 * SIZE)
    size, count = ir.Constant(word, SIZE), shape[0]
    steps = [size]
    for length in reversed(shape[1:]):
        steps.insert(0, builder.mul(steps[0], length))
    for length in shape[1:]:
        count = builder.mul(count, length)
    fields = {"nitems": count, "itemsize": size, "data": data}
    fields |= {name: _row(builder, word, row) for name, row in (("shape", shape), ("strides", steps))}
    array = ir.Constant(model.get_value_type(), None)  # nobody owns the memory
    for name, field in fields.items():
        array = builder.insert_value(array, field, model.get_field_position(name))
    return array


def _row(builder, word, items):
    row = ir.Constant(ir.ArrayType(word, len(items)), ir.Undefined)
    for k, item in enumerate(items):
        row = builder.insert_value(row, item, k)
    return row
