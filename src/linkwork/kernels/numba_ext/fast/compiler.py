"""Numba's compiler with stacks aligned for packs, no reference counts, and a cache under stamps of our own."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path

import numba
from llvmlite import binding
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering

from linkwork.kernels.numba_ext.cache import cannot_keep, kept_folder, source_stamp
from linkwork.kernels.numba_ext.fast import making, turns
from linkwork.kernels.numba_ext.fast.background import compile_later
from linkwork.kernels.numba_ext.fast.front_end import Passes, hurried, learn_arrays
from linkwork.kernels.numba_ext.fast.libraries import Part, Program, UnrolledProgram
from linkwork.kernels.numba_ext.fast.lowering import Lower
from linkwork.kernels.numba_ext.fast.prebuilt import key, prebuilt

# Processors with registers of eight numbers that are as quick as those of four: AMD's since Zen 4, Intel's since
# Sapphire Rapids
_WIDE = ("znver", "sapphirerapids", "emeraldrapids", "graniterapids")


def _choose_width():
    """States per pack: as many as a register of this processor holds, where that was measured to be faster."""
    chosen = os.environ.get("LINKWORK_PACK")
    if chosen:
        if chosen not in ("4", "8"):
            raise ValueError(f"LINKWORK_PACK must be 4 or 8, not {chosen!r}")
        return int(chosen)
    wide = binding.get_host_cpu_features().get("avx512f", False)
    return 8 if wide and (numba.config.CPU_NAME or binding.get_host_cpu_name()).startswith(_WIDE) else 4


WIDTH = _choose_width()


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "aligned_lowering"
    lowering_class = Lower


class Compiler(CompilerBase):
    """Numba's compiler, with the code generator above."""

    library_class, lowering = Program, _Lowering

    def __init__(self, *args):
        learn_arrays()
        super().__init__(*args)

    def compile_extra(self, func):
        """Compile a function."""
        with hurried():
            return super().compile_extra(func)

    def define_pipelines(self):
        """The passes of Numba's own compiler but for the last."""
        self.state.library = self.library_class(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return [_passes(self.lowering, self.state)]


_known_passes = {}


def _passes(lowering, state):
    """The passes that kernels need, with this one to generate code; the same for every state that is at its start."""
    if lowering not in _known_passes:
        steps = DefaultPassBuilder.define_nopython_pipeline(state)
        steps.passes = [(lowering if step is NativeLowering else step, text) for step, text in steps.passes]
        _known_passes[lowering] = Passes(steps)
    return _known_passes[lowering]


class _AligningLower(Lower):
    def align_stack(self, function):
        self.align(function)


@register_pass(mutates_CFG=True, analysis_only=False)
class _AligningLowering(NativeLowering):
    _name = "aligning_lowering"
    lowering_class = _AligningLower


class _AligningCompiler(Compiler):
    """For functions that meet packs, but not in their arguments."""

    lowering = _AligningLowering


class _PartCompiler(Compiler):
    library_class = Part


class _UnrollingCompiler(Compiler):
    library_class = UnrolledProgram


# Kernels allocate nothing, so they need no reference counts (_nrt), which would cost calls in the innermost loops.
ENTRY = {"_nrt": False, "pipeline_class": Compiler, "no_cfunc_wrapper": True}
HELPER = ENTRY | {"pipeline_class": _PartCompiler, "no_cpython_wrapper": True}
INLINED = {"forceinline": True}
UNROLLED = {"pipeline_class": _UnrollingCompiler}
BY_ADDRESS = {"pipeline_class": _AligningCompiler, "no_cfunc_wrapper": False}


def kept(function, name, files, **options):
    """`function`, compiled with these options and kept on disk by this name, with the kernels of the first file."""
    dispatcher = njit(function, **options)
    dispatcher._cache = _Cache(name, files)
    return dispatcher


def is_kept(dispatcher, signature):
    """Whether what is compiled for arguments of these types is on the disk."""
    cache, place = dispatcher._cache, prebuilt()
    if cache._index_key(signature, dispatcher.targetctx.codegen()) in cache._cache_file._load_index():
        return True
    return place is not None and key(signature, place[1]) in cache.files_in(place[0])._load_index()


def give_up():
    """Let other processes compile what this one could not."""
    making.maker(_codegen()).cancel()
    turns.leave_all()


def finish():
    """Wait until all that was compiled is on the disk."""
    making.maker(_codegen()).finish()


def _codegen():
    return cpu_target.target_context.codegen()


def replace_later(dispatcher, signature, recipe):
    """Have code that was loaded prebuilt compiled for this machine, where that is asked for."""
    if signature in dispatcher._cache.prebuilt:
        compile_later(recipe, signature)


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
        self.prebuilt = set()  # signatures of what was loaded prebuilt
        self._name, self._cache_path = name, self._impl.locator.get_cache_path()
        self._cache_file = self.files_in(Path(self._cache_path).parent)
        self.enable()

    def files_in(self, folder):
        """Numba's index and data files of the function, below a folder of many kernels."""
        return IndexDataCacheFile(
            cache_path=str(folder / Path(self._cache_path).name),
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def _index_key(self, sig, codegen):
        # The stamp covers every source, those of closures included.
        return sig, codegen.magic_tuple()

    def load_overload(self, sig, target_context):
        found = self._load_kept(sig, target_context) or self._load_prebuilt(sig, target_context)
        if found is None and self._enabled:
            turns.take(self._turn(sig))
            found = self._load_kept(sig, target_context)  # what another process has compiled meanwhile
            if found is not None:
                turns.leave(self._turn(sig))
        return found

    def _load_kept(self, sig, target_context):
        """What is in the user's folder."""
        with self._disabled_where_unavailable(), self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _turn(self, sig):
        """The name by which processes that compile for arguments of these types take turns."""
        return f"{self._cache_path} {self._name} {sig}"

    def _load_prebuilt(self, sig, target_context):
        """What was compiled elsewhere for a processor like this one, where that is installed."""
        place = prebuilt()
        data = None if place is None else self.files_in(place[0]).load(key(sig, place[1]))
        if data is None:
            return None
        self.prebuilt.add(sig)
        return self._impl.rebuild(target_context, data)

    def save_overload(self, sig, data):
        """Keep what was compiled, once it is made."""
        making.maker(data.codegen).then(lambda: self._save(sig, data))

    def _save(self, sig, data):
        with self._disabled_where_unavailable():
            super().save_overload(sig, data)
        turns.leave(self._turn(sig))

    @contextmanager
    def _disabled_where_unavailable(self):
        try:
            yield
        except OSError as problem:
            self.disable()
            cannot_keep(problem.strerror)
