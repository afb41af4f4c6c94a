"""How kernels are compiled.

An algorithm is a `helper`: a function that other compiled code may call with any scalar type. `Kernel` gives one a
Python entry point, compiled on first use and kept on disk.
"""

import gc
import sys
import threading
import time
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

import numba
from numba import njit

from linkwork.kernels.numba_ext.forwarder import forwarder
from linkwork.kernels.numba_ext.later import Later
from linkwork.kernels.numba_ext.mode import implementation

compiler, _separate = implementation("compiler"), implementation("separate").separate

# Reassociation and contraction are welcome; nnan and ninf are not: a kernel must still see a NaN.
FASTMATH = {"contract", "arcp", "nsz", "reassoc", "afn"}
JIT_DISABLED = bool(numba.config.DISABLE_JIT)
NEVER_RAISES = not (JIT_DISABLED or numba.config.BOUNDSCHECK)  # so that kernels may run where nobody could catch
PATIENCE, REFRESH = 2.0, 0.5  # seconds of compiling before the user is told, and between two looks at what is left
_OPTIONS = {"error_model": "numpy", "nogil": True}
_one_at_a_time = threading.RLock()  # of threads that compile


def _helper(function, fastmath=FASTMATH, options=compiler.HELPER):
    options = options | _OPTIONS
    return function if JIT_DISABLED else Later(function, lambda: njit(function, fastmath=fastmath, **options))


def helper(function):
    """Compile `function` into the kernels that use it; it has no Python entry point (tests use ``.py_func``)."""
    return _helper(function)


def separate(function):
    """Like `helper`, for an algorithm: compiled once, not in each of its callers, which call it at its address.

    Such a call takes some nanoseconds, and nothing of the algorithm is known where it is called.
    """
    return function if JIT_DISABLED else _separate(function, fastmath=FASTMATH, **_OPTIONS)


def strictly_separate(function):
    """Like `separate`, and `strict`."""
    return function if JIT_DISABLED else _separate(function, fastmath={"contract"}, **_OPTIONS)


def separately_unrolled(function):
    """Like `separate`, and `unrolled`."""
    if JIT_DISABLED:
        return function
    function.unrolls = True
    return _separate(function, fastmath=FASTMATH, **_OPTIONS)


def inlined(function):
    """Like `helper`, always put in place of its call: for what is large but called once in a hot loop."""
    return _helper(function, options=compiler.HELPER | compiler.INLINED)


def unrolled(function):
    """Like `helper`, for a function that is an entry point: LLVM unrolls the loops of its kernel.

    That takes time and gains nothing in most kernels: for those of which it was measured.
    """
    function.unrolls = True
    return _helper(function)


def in_place(function):
    """Like `helper`, its body put in place of each call before anything is compiled: as if it were written there."""
    return njit(function, inline="always", fastmath=FASTMATH, **_OPTIONS, **compiler.HELPER)


def strict(function):
    """Like `helper`, but operations happen in the order written; only a product and a sum may be fused."""
    return _helper(function, {"contract"})


def exact(function):
    """Like `helper`, but every operation is rounded as written: for arithmetic on rounding errors themselves."""
    return _helper(function, False)


class Kernel:
    """The Python entry point of an algorithm, compiled on first use.

    Parameters
    ----------
    function : callable
        The algorithm, a `helper` or a plain function.
    name, file : str, optional
        Name of the entry point, unique within `file`, and the file it is kept under; by default those of `function`.
    by_address : bool
        Whether it also has an entry at an address, of type ``int64 (int64, ...)``; not in plain mode.
    """

    def __init__(self, function, name=None, file=None, by_address=False):
        source = getattr(function, "py_func", function)
        self.name = name or source.__name__
        if JIT_DISABLED:
            self.entry = source
        else:
            files = (file or source.__code__.co_filename, source.__code__.co_filename)
            source = forwarder(function, self.name, source) if hasattr(function, "program") else source
            options = compiler.ENTRY | (compiler.UNROLLED if hasattr(source, "unrolls") else {})
            options |= compiler.BY_ADDRESS if by_address else {}
            self.entry = compiler.kept(source, self.name, files, fastmath=FASTMATH, **_OPTIONS, **options)
        self.recipe = None  # how another process makes it: see `kernels.background`
        self._open = not JIT_DISABLED  # whether Numba would compile it for arguments of other types

    def __repr__(self):
        return f"Kernel({self.name})"

    def __call__(self, *arguments) -> Any:
        """Run the compiled function, after compiling it for arguments of these types where that is still to do."""
        try:
            if not self._open:
                return self.entry(*arguments)
        except TypeError:  # not these types yet
            pass
        return self.bind(*arguments)(*arguments)

    def bind(self, *arguments) -> Any:
        """The compiled function for arguments of these types, from the disk where it is there.

        The function accepts just the types it was bound to: any others raise `TypeError` instead of being compiled.
        """
        if not JIT_DISABLED:
            self.compile_for(tuple(numba.typeof(argument) for argument in arguments))
        return self.entry

    def compile_for(self, signature) -> None:
        """Compile the function for arguments of these Numba types, or load it, where that is still to do."""
        with _one_at_a_time:
            if signature not in self.entry.overloads:
                self._open = True
                self.entry.disable_compile(False)
                with _Announcement(self.name, self.entry), _no_collection():
                    try:
                        self.entry.compile(signature)
                        compiler.finish()
                    except BaseException:
                        compiler.give_up()
                        raise
                self.entry.disable_compile()
                self._open = False
                compiler.replace_later(self.entry, signature, self.recipe)

    def is_compiled(self, *arguments) -> bool:
        """Whether the function for arguments of these types is here, or on the disk."""
        signature = tuple(map(numba.typeof, arguments))
        return JIT_DISABLED or signature in self.entry.overloads or compiler.is_kept(self.entry, signature)

    def bind_exactly(self, *arguments) -> Any:
        """Like `bind`; arguments of other types are refused at once, where Numba would look for conversions."""
        return compiler.without_conversions(self.bind(*arguments))

    def bind_unchecked(self, *arguments) -> Any:
        """Like `bind`, without a look at the types of arguments, which takes microseconds where there are tuples.

        Only for callers whose arguments always have the same types: it would read others as if they were these.
        """
        function = self.bind(*arguments)
        return function if JIT_DISABLED else compiler.unchecked(function, tuple(map(numba.typeof, arguments)))


def compile_seconds() -> float:
    """Time that this process has spent on compiling kernels, or on loading them, s."""
    return _Announcement.seconds


@contextmanager
def _no_collection():
    """Collect no garbage meanwhile, nor look through it at once: a compile makes a million objects."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            if not gc.get_freeze_count():
                gc.freeze()  # and back: among the old ones, which are looked through seldom
                gc.unfreeze()
            gc.enable()


class _Announcement:
    """Tells of a compile that takes long: a terminal what is compiled now, a log or a pipe that something is, once.

    Adds up what all of them took.
    """

    said = False
    seconds = 0.0

    def __init__(self, name, entry):
        self._name, self._entry, self._shown = name, entry, False
        self._over, self._teller = threading.Event(), threading.Thread(target=self._tell, daemon=True)

    def __enter__(self):
        self._start = time.perf_counter()
        with suppress(RuntimeError):  # the system gives no more threads
            self._teller.start()

    def __exit__(self, *_):
        self._over.set()
        _Announcement.seconds += time.perf_counter() - self._start
        if self._teller.ident is not None:
            self._teller.join()
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _tell(self):
        wait = PATIENCE
        while not self._over.wait(wait):
            text = f"linkwork: compiling {self._name} for this machine, once; "
            if sys.stderr.isatty():
                self._shown, wait = True, REFRESH
                left = f"at most {parts_left(self._entry)} functions left"
                print(f"\r\x1b[K{text}{left}", end="", file=sys.stderr, flush=True)
                continue
            if not _Announcement.said:
                _Announcement.said = True
                print(f"{text}later runs load it from disk (`linkwork warmup` compiles everything)", file=sys.stderr)
            return


def parts_left(function) -> int:
    """How many functions that `function` may call, directly or not, have not been compiled for any types yet."""
    seen, waiting = set(), [function]
    while waiting:
        source = waiting.pop().py_func
        names, values = source.__code__.co_names, [cell.cell_contents for cell in source.__closure__ or ()]
        values += map(source.__globals__.get, names)
        modules = [value for value in values if isinstance(value, ModuleType)]
        for value in [*values, *(getattr(module, name, None) for module in modules for name in names)]:
            part = getattr(value, "program", value)
            if hasattr(part, "py_func") and not part.overloads and part not in seen:
                seen.add(part)
                waiting.append(part)
    return len(seen)
