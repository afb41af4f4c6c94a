"""Numba's compiler with stacks aligned for packs, no reference counts, and a cache under stamps of our own."""

import os
import sys
from contextlib import contextmanager

import numba
from llvmlite import binding
from numba import njit, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from linkwork.kernels.numba_ext.cache import cannot_keep, kept_folder, source_stamp
from linkwork.kernels.numba_ext.pack_type import PackType

CACHE_LINE = 64  # bytes


def _choose_width():
    """States per pack: as many as a register of this processor holds, where that was measured to be faster."""
    chosen = os.environ.get("LINKWORK_PACK")
    if chosen:
        if chosen not in ("4", "8"):
            raise ValueError(f"LINKWORK_PACK must be 4 or 8, not {chosen!r}")
        return int(chosen)
    wide = binding.get_host_cpu_features().get("avx512f", False)
    # LLVM splits wide vectors in two on other makers' processors, which it tunes for narrow ones
    return 8 if wide and (numba.config.CPU_NAME or binding.get_host_cpu_name()).startswith("znver") else 4


WIDTH = _choose_width()


class _Lower(Lower):
    def setup_function(self, fndesc):
        super().setup_function(fndesc)
        if any(map(_holds_packs, fndesc.argtypes)):
            self.function.attributes.alignstack = CACHE_LINE
            self.function.attributes.add("nounwind")  # llvmlite writes no alignment where there is no other attribute


def _holds_packs(kind):
    """Whether an argument is made of packs: their arrays have two dimensions, (n, W)."""
    if isinstance(kind, types.BaseTuple):
        return any(map(_holds_packs, kind.types))
    return isinstance(kind, PackType) or (isinstance(kind, types.Array) and kind.ndim == 2)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "aligned_lowering"
    lowering_class = _Lower


class _Compiler(CompilerBase):
    """Numba's compiler, but functions on packs align their stack.

    Packs are kept there when registers run out, and one that straddles two cache lines is slow: up to a fifth of the
    time, depending on the caller's stack, and different in each thread.
    """

    def define_pipelines(self):
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [(_Lowering if step is NativeLowering else step, text) for step, text in steps.passes]
        steps.finalize()
        return [steps]


# Kernels allocate nothing, so they need no reference counts (_nrt), which would cost calls in the innermost loops.
ENTRY = {"_nrt": False, "pipeline_class": _Compiler}
HELPER = ENTRY | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
ALLOCATING = {"_nrt": True}
INLINED = {"forceinline": True}


def kept(function, name, files, **options):
    """`function`, compiled with these options and kept on disk by this name, with the kernels of the first file."""
    dispatcher = njit(function, **options)
    dispatcher._cache = _Cache(name, files)
    return dispatcher


def without_conversions(function):
    """A bound function that refuses what does not fit at once, where Numba would look for conversions for 80 µs."""
    function._search_new_conversions = function._explain_matching_error = _refuse
    return function


def unchecked(function, signature):
    """The entry point of a bound function for arguments of these types, which takes any as if they were these."""
    return function.overloads[signature].entry_point


def _refuse(*_, **__):
    raise TypeError("arguments of other types")


class _Locator(_CacheLocator):
    """Places compiled kernels in a folder named by the stamp of their sources."""

    def __init__(self, files):
        self._files = files

    def get_cache_path(self):
        return str(kept_folder(WIDTH, *self._files))

    def get_source_stamp(self):
        return source_stamp(WIDTH, *self._files)

    def get_disambiguator(self):
        return None

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls((py_file,))


class _CacheImpl(CompileResultCacheImpl):
    def __init__(self, name, files):
        self._locator = _Locator(files)
        self._filename_base = f"{name}.{sys.implementation.cache_tag}"


class _Cache(FunctionCache):
    """Numba's cache of one function, with our own stamp and file names."""

    def __init__(self, name, files):
        self._impl = _CacheImpl(name, files)
        self._name, self._cache_path = name, self._impl.locator.get_cache_path()
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )
        self.enable()

    def _index_key(self, sig, codegen):
        # The stamp covers every source, those of closures included.
        return sig, codegen.magic_tuple()

    def load_overload(self, sig, target_context):
        with self._disabled_where_unavailable():
            return super().load_overload(sig, target_context)

    def save_overload(self, sig, data):
        with self._disabled_where_unavailable():
            super().save_overload(sig, data)

    @contextmanager
    def _disabled_where_unavailable(self):
        try:
            yield
        except OSError as problem:
            self.disable()
            cannot_keep(problem.strerror)
