"""Processes that compile at the same time: each program is compiled by one of them, and the others wait for it.

Whoever compiles a program holds the lock of one byte of a file, whose number is a hash of its name. A program that
calls others holds its own while it waits for theirs; calls make no circle, so that nobody waits for ever. Locks end
with their process.
"""

import functools
import hashlib
import os

from linkwork.kernels.numba_ext.cache import cache_folder

try:
    import fcntl
except ImportError:  # Windows: a program may be compiled twice
    fcntl = None

NAME = "compiling.lock"
_held: set[int] = set()


def take(program):
    """Wait until no other process compiles the program of this name, and keep others from it."""
    byte = _byte(program)
    if byte not in _held and _lock(byte, "LOCK_EX"):
        _held.add(byte)


def leave(program):
    """Let others have it."""
    _leave(_byte(program))


def leave_all():
    """Let others have what was not compiled after all."""
    for byte in list(_held):
        _leave(byte)


def _leave(byte):
    if byte in _held:
        _held.remove(byte)
        _lock(byte, "LOCK_UN")


def _lock(byte, how):
    """Lock or unlock a byte; False where that cannot be done."""
    if fcntl is None:
        return False
    try:
        fcntl.lockf(_file(os.getpid()), getattr(fcntl, how), 1, byte)
    except OSError:  # no such folder, or a file system without locks
        return False
    return True


@functools.cache
def _file(_process):
    """The file, open; closing it would end all locks of the process."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    return os.open(cache_folder() / NAME, os.O_CREAT | os.O_RDWR, 0o666)


def _byte(program):
    return int.from_bytes(hashlib.sha256(program.encode()).digest()[:7], "big")
