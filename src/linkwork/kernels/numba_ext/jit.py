"""How kernels are compiled and where the result is kept.

An algorithm is a `helper`: a function that other compiled code may call with any scalar type. `Kernel` gives one a
Python entry point, compiled on first use and kept on disk under a stamp: a hash of the file that holds it and of
every kernel file that one imports. (Numba's own stamp sees only the first and serves stale code after an upgrade,
numba#1833.)
"""

import functools
import hashlib
import os
import re
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba import njit, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from linkwork.kernels.numba_ext.pack_type import WIDTH, PackType

# Reassociation and contraction are welcome; nnan and ninf are not: a kernel must still see a NaN.
FASTMATH = {"contract", "arcp", "nsz", "reassoc", "afn"}
JIT_DISABLED = bool(numba.config.DISABLE_JIT)
NEVER_RAISES = not (JIT_DISABLED or numba.config.BOUNDSCHECK)  # so that kernels may run where nobody could catch
PATIENCE = 2.0  # seconds of compiling before the user is told
_LINE = 64  # bytes of a cache line


class _Lower(Lower):
    def setup_function(self, fndesc):
        super().setup_function(fndesc)
        if any(map(_holds_packs, fndesc.argtypes)):
            self.function.attributes.alignstack = _LINE
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
    time, as chance has it, and different in each thread.
    """

    def define_pipelines(self):
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [(_Lowering if step is NativeLowering else step, text) for step, text in steps.passes]
        steps.finalize()
        return [steps]


# Kernels allocate nothing, so they need no reference counts (_nrt), which would cost calls in the innermost loops.
_OPTIONS = {"error_model": "numpy", "nogil": True, "_nrt": False, "pipeline_class": _Compiler}
_NO_ENTRY = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_FOLDER = Path(__file__).parents[1]
_one_at_a_time = threading.RLock()  # of threads that compile


def helper(function):
    """Compile `function` into the kernels that use it; it has no Python entry point (tests use ``.py_func``)."""
    return njit(function, fastmath=FASTMATH, **_OPTIONS, **_NO_ENTRY)


def planner(function):
    """Like `helper`, for what is done once a structure, not once a call: it may allocate."""
    return njit(function, fastmath=FASTMATH, **(_OPTIONS | {"_nrt": True}), **_NO_ENTRY)


def inlined(function):
    """Like `helper`, always put in place of its call: for what is large but called once in a hot loop."""
    return njit(function, fastmath=FASTMATH, forceinline=True, **_OPTIONS, **_NO_ENTRY)


def in_place(function):
    """Like `helper`, its body put in place of each call before anything is compiled: as if it were written there."""
    return njit(function, inline="always", fastmath=FASTMATH, **_OPTIONS, **_NO_ENTRY)


def strict(function):
    """Like `helper`, but operations happen in the order written; only a product and a sum may be fused."""
    return njit(function, fastmath={"contract"}, **_OPTIONS, **_NO_ENTRY)


def exact(function):
    """Like `helper`, but every operation is rounded as written: for arithmetic on rounding errors themselves."""
    return njit(function, fastmath=False, **_OPTIONS, **_NO_ENTRY)


class Kernel:
    """The Python entry point of an algorithm, compiled on first use.

    Parameters
    ----------
    function : callable
        The algorithm, a `helper` or a plain function.
    name, file : str, optional
        Name of the entry point, unique within `file`, and the file it is kept under; by default those of `function`.
    """

    def __init__(self, function, name=None, file=None):
        source = getattr(function, "py_func", function)
        self.name = name or source.__name__
        counts = getattr(function, "targetoptions", _OPTIONS).get("_nrt", True)  # whether it is a `planner`
        self.entry = njit(source, fastmath=FASTMATH, **(_OPTIONS | {"_nrt": counts}))
        if not JIT_DISABLED:
            files = (file or source.__code__.co_filename, source.__code__.co_filename)
            self.entry._cache = _Cache(self.name, files)

    def __repr__(self):
        return f"Kernel({self.name})"

    def __call__(self, *arguments) -> Any:
        """Run the compiled function, after compiling it for arguments of these types where that is still to do."""
        try:
            if JIT_DISABLED or not self.entry._can_compile:
                return self.entry(*arguments)
        except TypeError:  # not these types yet
            pass
        return self.bind(*arguments)(*arguments)

    def bind(self, *arguments) -> Any:
        """The compiled function for arguments of these types, from the disk where it can be.

        The function accepts just the types it was bound to: any others raise `TypeError` instead of being compiled.
        """
        if not JIT_DISABLED:
            signature = tuple(numba.typeof(argument) for argument in arguments)
            with _one_at_a_time:
                if signature not in self.entry.overloads:
                    self.entry._can_compile = True
                    with _Announcement(self.name):
                        self.entry.compile(signature)
                    self.entry.disable_compile()
        return self.entry

    def bind_exactly(self, *arguments) -> Any:
        """Like `bind`; what does not fit is refused at once, where Numba would look for conversions for 80 µs."""
        function = self.bind(*arguments)
        function._search_new_conversions = function._explain_matching_error = _refuse
        return function


def _refuse(*_, **__):
    raise TypeError("arguments of other types")


class _Announcement:
    """Says once a process, on stderr, that a compile takes long."""

    said = False

    def __init__(self, name):
        self._timer = threading.Timer(PATIENCE, self._say, [name])
        self._timer.daemon = True

    def __enter__(self):
        with suppress(RuntimeError):  # the system gives no more threads
            self._timer.start()

    def __exit__(self, *_):
        self._timer.cancel()

    @classmethod
    def _say(cls, name):
        if not cls.said:
            cls.said = True
            print(f"linkwork: compiling {name} for this machine, once; later runs load it from disk "
                  "(`linkwork warmup` compiles everything)", file=sys.stderr)


def cache_folder():
    """Folder of compiled kernels: ``LINKWORK_CACHE_DIR``, or one in the user's cache folder."""
    chosen = os.environ.get("LINKWORK_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "linkwork"


@functools.cache
def source_stamp(*files):
    """Hash of all that kernels of `files` are compiled from: these and, in turn, the kernel files they import."""
    sources, waiting = set(), [Path(file) for file in files]
    while waiting:
        path = waiting.pop()
        if path not in sources:
            sources.add(path)
            imported = re.findall(r"^\s*from linkwork\.kernels\.([\w.]+) import", path.read_text(), re.MULTILINE)
            waiting += map(_source_file, imported)
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK} {WIDTH}".encode())
    for path in sorted(sources):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def _source_file(module):
    """The file of a module below linkwork.kernels."""
    path = _FOLDER.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


class _Locator(_CacheLocator):
    """Places compiled kernels in a folder named by the stamp of their sources."""

    def __init__(self, files):
        self._files = files

    def get_cache_path(self):
        name = Path(self._files[0]).relative_to(_FOLDER).with_suffix("").as_posix().replace("/", ".")
        return str(cache_folder() / f"{name}-{self.get_source_stamp()}")

    def get_source_stamp(self):
        return source_stamp(*self._files)

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

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as problem:
            self.disable()  # no writable folder: kernels are compiled anew in each process
            print(f"linkwork: cannot keep compiled kernels in {cache_folder()}: {problem.strerror}", file=sys.stderr)
