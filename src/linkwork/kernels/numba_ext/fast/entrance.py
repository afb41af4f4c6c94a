"""The way from Python into a compiled function.

Numba's, with code of its own for each array of each argument, is half of what LLVM reads of a short function. Here a
function of the same module takes an array apart, once for each type of them.
"""

import functools

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.callwrapper import PyCallWrapper
from numba.core.cpu import CPUContext

from linkwork.kernels.numba_ext.fast.crossing import call, declared, is_plain, value_of, words_of
from linkwork.kernels.numba_ext.fast.values import sweep

_BIT = ir.IntType(1)


def quick_ways():
    """(class or module, name, function that does the same)."""
    changed = ("create_cpython_wrapper", _from_python), ("create_cfunc_wrapper", _from_c)
    return [(CPUContext, name, change(getattr(CPUContext, name))) for name, change in changed]


def _from_python(make):
    """`make` what Python calls for a function of Numba's; for one of ours, as below."""

    @functools.wraps(make)
    def create_cpython_wrapper(self, library, fndesc, env, call_helper, release_gil=False):
        if not hasattr(library, "can_fail"):
            return make(self, library, fndesc, env, call_helper, release_gil)
        module = self.create_module("entrance")
        entrance = _Entrance(self, module, declared(self, module, fndesc), fndesc, env, call_helper, release_gil)
        entrance.can_fail = library.can_fail
        sweep(entrance.build()[0])
        library.add_ir_module(module)
        return None

    return create_cpython_wrapper


def _from_c(make):
    """`make` what C calls for a function of Numba's; ours, which are called so, take integers and cannot fail."""

    @functools.wraps(make)
    def create_cfunc_wrapper(self, library, fndesc, env, call_helper):
        if not hasattr(library, "can_fail"):
            return make(self, library, fndesc, env, call_helper)
        module = self.create_module("entrance")
        kinds = [self.get_value_type(kind) for kind in fndesc.argtypes]
        kind = ir.FunctionType(self.get_value_type(fndesc.restype), kinds)
        function = ir.Function(module, kind, fndesc.llvm_cfunc_wrapper_name)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        inside = declared(self, module, fndesc)
        _, result = call(self, builder, inside, fndesc.restype, fndesc.argtypes, function.args, ("noinline",))
        builder.ret(result)
        sweep(function)
        library.add_ir_module(module)
        return None

    return create_cfunc_wrapper


class _Entrance(PyCallWrapper):
    """Takes Python's arguments apart, calls the function without Python's lock, and returns its result."""

    def build_wrapper(self, api, builder, closure, args, kws):
        """The code of the entrance."""
        kinds, restype = self.fndesc.argtypes, self.fndesc.restype
        things = [api.alloca_obj() for _ in kinds]
        known = api.unpack_tuple(args, self.fndesc.qualname, len(kinds), len(kinds), *things)
        self._refuse(builder, api, builder.icmp_unsigned("==", known, ir.Constant(known.type, 0)))
        self._wrong = ir.Constant(_BIT, 0)
        loaded = map(builder.load, things)
        values = [self._taken(builder, api, *pair) for pair in zip(kinds, loaded, strict=True)]
        self._refuse(builder, api, self._wrong)
        state = api.save_thread() if self.release_gil else None
        status, result = call(self.context, builder, self.func, restype, kinds, values, ("noinline",))
        if self.release_gil:
            api.restore_thread(state)
        if self.can_fail:
            with cgutils.if_unlikely(builder, status.is_error):
                self.context.call_conv.raise_error(builder, api, status)
                builder.ret(api.get_null_object())
        builder.ret(api.from_native_return(restype, result, None))

    def _refuse(self, builder, api, wrong):
        """Leave where something is wrong: Python knows by now what."""
        with cgutils.if_unlikely(builder, wrong):
            builder.ret(api.get_null_object())

    def _taken(self, builder, api, kind, thing):
        """The value of an object of Python's."""
        if is_plain(kind):
            taker = self._taker(api, kind)
            place = cgutils.alloca_once(builder, taker.args[1].type.pointee)
            self._wrong = builder.or_(self._wrong, builder.call(taker, [thing, place]))
            words = builder.load(place)
            words = iter([builder.extract_value(words, k) for k in range(1 + kind.ndim)])
            return value_of(self.context, builder, kind, words)
        if isinstance(kind, types.BaseTuple):
            expected = ir.Constant(api.py_ssize_t, len(kind))
            self._refuse(builder, api, builder.call(self._counter(api), [thing, expected]))
            parts = [self._taken(builder, api, part, api.tuple_getitem(thing, k)) for k, part in enumerate(kind.types)]
            return self.context.make_tuple(builder, kind, parts)
        native = api.to_native_value(kind, thing)
        if native.cleanup is not None:
            raise NotImplementedError(f"arguments of type {kind}")
        self._wrong = builder.or_(self._wrong, native.is_error)
        return native.value

    def _taker(self, api, kind):
        """A function that writes the words of an array, and says whether that was none of this type."""
        name = f"taken.{kind.dtype}.{kind.ndim}"
        if name not in self.module.globals:
            word, number = ir.IntType(64), self.context.get_data_type(kind.dtype)
            place = ir.LiteralStructType([ir.PointerType(number), *[word] * kind.ndim]).as_pointer()
            function, builder = self._function(name, [api.pyobj, place])
            native = self.context.get_python_api(builder).to_native_value(kind, function.args[0])
            for k, value in enumerate(words_of(self.context, builder, [kind], [native.value])):
                builder.store(value, cgutils.gep_inbounds(builder, function.args[1], 0, k))
            builder.ret(native.is_error)
        return self.module.globals[name]

    def _counter(self, api):
        """A function that says whether a tuple has other than so many items."""
        if "counted" not in self.module.globals:
            function, builder = self._function("counted", [api.pyobj, api.py_ssize_t])
            inside = self.context.get_python_api(builder)
            count = inside.tuple_size(function.args[0])
            wrong = builder.icmp_signed("!=", count, function.args[1])
            with builder.if_then(wrong, likely=False):
                text = "size mismatch for tuple, expected %zd element(s) but got %zd"
                inside.err_format("PyExc_ValueError", text, function.args[1], count)
            builder.ret(wrong)
        return self.module.globals["counted"]

    def _function(self, name, kinds):
        """A function of the module that says whether something is wrong, and what writes its code."""
        function = ir.Function(self.module, ir.FunctionType(_BIT, kinds), name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        return function, ir.IRBuilder(function.append_basic_block("entry"))
