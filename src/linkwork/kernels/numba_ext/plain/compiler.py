"""Numba's own compiler and cache, in a folder of its own for each stamp of the sources."""

import threading

import numba
from numba import njit

from linkwork.kernels.numba_ext.cache import cannot_keep, kept_folder
from linkwork.kernels.numba_ext.forwarder import forwarder

WIDTH = 1  # states per pack
ENTRY = INLINED = UNROLLED = {}
HELPER = {"no_cpython_wrapper": True}
_one_at_a_time = threading.Lock()


def kept(function, name, files, **options):
    """`function`, compiled with these options and kept on disk with the kernels of the first file."""
    folder = kept_folder("plain", *files)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "writable").touch()
    except OSError as problem:
        cannot_keep(problem.strerror)
        return njit(function, **options)
    if function.__closure__:  # Numba's cache does not know compiled functions of a closure in a later process
        function = forwarder(njit(function, **options, **HELPER), name, function)
    with _one_at_a_time:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
        try:
            return njit(function, cache=True, **options)
        finally:
            numba.config.CACHE_DIR = before


def is_kept(function, signature):
    """False: Numba does not say what its cache has."""
    return False


def give_up():
    """Nothing: no other process waits."""


def finish():
    """Nothing: all is done already."""


def replace_later(function, signature, recipe):
    """Nothing: what Numba's cache has was compiled for this machine."""


def without_conversions(function):
    """The function itself: Numba looks for conversions before it refuses arguments of other types."""
    return function


def unchecked(function, signature):
    """The function itself: Numba looks at the types of arguments."""
    return function
