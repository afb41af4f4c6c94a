"""Programs that others call at their address: compiled once for each tuple of argument types, and kept on disk.

The code of a program defines a symbol, and that of a caller uses it. LLVM puts an address in its place when the caller
is loaded, so the program must be there by then: a `Callee` travels with the caller's code and sees to that.
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
from linkwork.kernels.numba_ext.fast.crossing import call_or_leave, function_type
from linkwork.kernels.numba_ext.fast.libraries import SeparateProgram, UnrolledSeparateProgram, load_waiting
from linkwork.kernels.numba_ext.fast.lowering import Lower
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
        return call_or_leave(context, builder, entry, sig.return_type, sig.args, args)

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

    def declared(self, context, module, result):
        """Its entry, declared in a module of LLVM's."""
        symbol = f"{self.module}.{self.name}.{hashlib.sha256(str(self.args).encode()).hexdigest()[:20]}"
        return module.globals.get(symbol) or ir.Function(module, function_type(context, result, self.args), symbol)


def _callee(function, args):
    return Callee(function.__module__, function.__name__, args)


class _Lower(Lower):
    """Gives a function an entry by the name that callers know."""

    def post_lower(self):
        super().post_lower()
        function, fndesc = self.function, self.fndesc
        callee = Callee(fndesc.modname, fndesc.qualname, tuple(fndesc.argtypes))
        entry = callee.declared(self.context, self.module, fndesc.restype)
        self.align_stack(entry)
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        builder.ret(builder.call(function, entry.args))  # results, exceptions and status as they are
        function.linkage = "internal"


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "separate_lowering"
    lowering_class = _Lower


class _Compiler(Compiler):
    library_class, lowering = SeparateProgram, _Lowering


class _UnrollingCompiler(_Compiler):
    library_class = UnrolledSeparateProgram
