"""Threads for batches: a pool of our own, and never more of them at work than allowed, however many call at once.

Numba's own threads are not used: its workqueue layer aborts when it is entered from two threads.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from linkwork.errors import ArgumentError

# Work, in states times stages, that is worth another thread: waking one takes as long as this much forward dynamics.
WORTH_A_THREAD = 4000


class _Crew:
    """The threads of this process: how many may work, how many do, and those that wait."""

    def __init__(self, limit: int | None = None):
        self.limit = limit
        self.busy = 0
        self.lock = threading.Lock()
        self.pool: ThreadPoolExecutor | None = None
        self.size = 0  # of the pool

    def start(self, wanted: int) -> int:
        """Count the caller as working, and with it as many of the wanted helpers as the limit leaves."""
        with self.lock:
            self.busy += 1
            limit = thread_count()
            helpers = max(0, min(wanted, limit - self.busy))
            self.busy += helpers
            if helpers and self.size < limit:
                self.pool, self.size = ThreadPoolExecutor(limit, thread_name_prefix="linkwork"), limit
        return helpers

    def leave(self) -> None:
        """Count one less."""
        with self.lock:
            self.busy -= 1


_crew = _Crew()


def _start_anew() -> None:
    global _crew
    _crew = _Crew(_crew.limit)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)  # a child has none of its parent's threads


def thread_count() -> int:
    """Threads that a batch is shared out to: see `set_threads`."""
    if _crew.limit is None:
        _crew.limit = _default_count()
    return _crew.limit


def _default_count() -> int:
    chosen = os.environ.get("LINKWORK_THREADS")
    if chosen:
        if not chosen.isdecimal() or int(chosen) < 1:
            raise ArgumentError(f"LINKWORK_THREADS must be a positive integer, not {chosen!r}")
        return int(chosen)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def set_threads(count: int | None) -> None:
    """Share batches out to so many threads; None for ``LINKWORK_THREADS``, or one a core where that is not set.

    The number bounds all calls together: calls made at once from several Python threads share it. Results do not
    depend on it, to the last bit.
    """
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise ArgumentError(f"the number of threads must be a positive integer, not {count!r}")
    _crew.limit = count


def share(worker: Callable[[Iterator[tuple[int, int]]], Any], count: int, grain: int, cost: int) -> list:
    """Share out the states 0 … count − 1 to this thread and idle ones.

    Parameters
    ----------
    worker : callable
        Called once in each thread with an iterator of parts (begin, end), to be worked off one after the other.
    count, grain : int
        Number of states, and of which number every part but the last is a multiple.
    cost : int
        Of one state, in stages.

    Returns
    -------
    list
        What the workers have returned, in any order.
    """
    crew = _crew
    helpers = crew.start(min(count * cost // WORTH_A_THREAD, -(-count // grain)) - 1)
    try:
        if helpers == 0 or crew.pool is None:
            return [worker(iter([(0, count)]))]
        parts = deque(_parts(count, helpers + 1, grain))
        futures = [crew.pool.submit(_help, crew, worker, parts) for _ in range(helpers)]
        try:
            mine = worker(_taken(parts))
        finally:
            theirs = [future.result() for future in futures]
        return [mine, *theirs]
    finally:
        crew.leave()


def each(function: Callable[[Any], Any], items: Sequence[Any], cost: int) -> None:
    """Call `function` with every item, in this thread and idle ones; `cost` of one item, in stages."""

    def worker(parts):
        for begin, end in parts:
            for item in items[begin:end]:
                function(item)

    share(worker, len(items), 1, cost)


def _help(crew, worker, parts):
    """Work off parts for another thread, as long as no more are at work than may be: new callers come first."""
    try:
        return worker(_taken(parts, lambda: crew.busy <= thread_count()))
    finally:
        crew.leave()


def _parts(count: int, threads: int, grain: int) -> Iterator[tuple[int, int]]:
    """Parts that get smaller, so that all threads end at about the same time even if some of them start late."""
    begin = 0
    while begin < count:
        size = max((count - begin) // (2 * threads), count // (32 * threads), 1)
        end = min(begin + -(-size // grain) * grain, count)
        yield begin, end
        begin = end


def _taken(parts: deque, go_on: Callable[[], bool] = lambda: True) -> Iterator[tuple[int, int]]:
    while go_on():
        try:
            yield parts.popleft()
        except IndexError:  # another thread has taken the last
            return
