"""Programs that others call at their address: compiled once for each tuple of argument types, and kept on disk.

The code of a program defines a symbol, and that of a caller uses it. LLVM puts an address in its place when the caller
is loaded, so the program must be there by then: a `Callee` travels with the caller's code and sees to that.

Arrays cross as the address of their numbers and their shape, not as the seven words or more that Numba keeps of each.
"""

import hashlib
import importlib
import inspect
from typing import NamedTuple

from llvmlite import ir
from numba import types
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from linkwork.kernels.numba_ext.fast.compiler import HELPER, Compiler, kept
from linkwork.kernels.numba_ext.fast.libraries import SeparateProgram, UnrolledSeparateProgram, load_waiting
from linkwork.kernels.numba_ext.fast.lowering import Lower
from linkwork.kernels.numba_ext.fast.memory import array_over
from linkwork.kernels.numba_ext.later import Later
from linkwork.kernels.numba_ext.pack_type import builtin


def separate(function, **options):
    """`function` for compiled code to call: not part of its callers, but a program of its own."""
    file = function.__code__.co_filename
    options |= HELPER | {"pipeline_class": _UnrollingCompiler if hasattr(function, "unrolls") else _Compiler}
    name = f"{function.__name__}.program"
    function.program = Later(function, lambda: kept(function, name, (file, file), **options))

    def typer(*args):
        _callee(function, args).compile()
        return function.program.dispatcher.overloads[args].signature

    typer.__signature__ = inspect.signature(function)

    def lower(context, builder, sig, args):
        callee = _callee(function, sig.args)
        context.active_code_library._reload_init.add(callee)
        entry = callee.declared(context, builder.module, sig.return_type)
        words = [word for pair in zip(sig.args, args, strict=True) for word in _words(context, builder, *pair)]
        status, result = context.call_conv.call_function(builder, entry, sig.return_type, callee.words(), words)
        with builder.if_then(status.is_error, likely=False):
            context.call_conv.return_status_propagate(builder, status)
        return result

    builtin(function, typer, lower, types.VarArg(types.Any))
    return function


class Callee(NamedTuple):
    """A program for arguments of these types, by its name."""

    module: str
    name: str
    args: tuple[types.Type, ...]

    def __call__(self):
        """Have it in place for a caller from the disk."""
        self.compile()
        load_waiting()

    def compile(self):
        """Load it, or compile it."""
        getattr(importlib.import_module(self.module), self.name).program.dispatcher.compile(self.args)

    def words(self):
        """Types of the words that cross for the arguments."""
        return [word for kind in self.args for word in _crossing(kind)]

    def declared(self, context, module, result):
        """Its entry, declared in a module of LLVM's."""
        symbol = f"{self.module}.{self.name}.{hashlib.sha256(str(self.args).encode()).hexdigest()[:20]}"
        kind = context.call_conv.get_function_type(result, self.words())
        return module.globals.get(symbol) or ir.Function(module, kind, symbol)


def _callee(function, args):
    return Callee(function.__module__, function.__name__, args)


class _Lower(Lower):
    """Gives a function an entry that takes arguments as they cross."""

    def post_lower(self):
        super().post_lower()
        context, function, kinds = self.context, self.function, self.fndesc.argtypes
        callee = Callee(self.fndesc.modname, self.fndesc.qualname, tuple(kinds))
        entry = callee.declared(context, self.module, self.fndesc.restype)
        self.align_stack(entry)
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        packer = context.get_arg_packer(callee.words())
        words = iter(packer.from_arguments(builder, context.call_conv.get_arguments(entry)))
        values = [_value(context, builder, kind, words) for kind in kinds]
        arguments = context.get_arg_packer(kinds).as_arguments(builder, values)
        builder.ret(builder.call(function, [*entry.args[:2], *arguments]))  # results, exceptions and status as they are
        function.linkage = "internal"


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "separate_lowering"
    lowering_class = _Lower


class _Compiler(Compiler):
    library_class, lowering = SeparateProgram, _Lowering


class _UnrollingCompiler(_Compiler):
    library_class = UnrolledSeparateProgram


def _crossing(kind):
    """Types of the words that cross for a value of this type."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        return [types.CPointer(kind.dtype), *[types.intp] * kind.ndim]
    if isinstance(kind, types.BaseTuple):
        return [word for part in kind.types for word in _crossing(part)]
    return [] if kind == types.none else [kind]


def _words(context, builder, kind, value):
    """The words of a value."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        array = context.make_array(kind)(context, builder, value)
        return [array.data, *[builder.extract_value(array.shape, k) for k in range(kind.ndim)]]
    if isinstance(kind, types.BaseTuple):
        parts = [builder.extract_value(value, k) for k in range(len(kind.types))]
        return [word for pair in zip(kind.types, parts, strict=True) for word in _words(context, builder, *pair)]
    return [] if kind == types.none else [value]


def _value(context, builder, kind, words):
    """A value from the next of the words."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        return array_over(context, builder, kind, next(words), [next(words) for _ in range(kind.ndim)])
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_value(context, builder, part, words) for part in kind.types])
    return context.get_dummy_value() if kind == types.none else next(words)
