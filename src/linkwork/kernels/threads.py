"""Threads for batches: helpers of our own, and never more of them at work than allowed, however many call at once.

Numba's own threads are not used: its workqueue layer aborts when it is entered from two threads.
"""

from __future__ import annotations

import math
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout.thread_pool import ALLOWED, CALLED, COUNT, GRAIN, HELPERS

if TYPE_CHECKING:
    from linkwork.kernels.numba_ext import Helper

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of a container's time, on Linux
WORTH_A_THREAD = 2000  # work, in states times stages, that is worth another thread
PARTS = 32  # per thread at least, where there are several


class _Pool:
    """The threads of this process: how many may work, how many do, in which teams, and helpers with nothing to do."""

    def __init__(self, limit: int | None = None):
        self.limit = limit
        self.busy = 0
        self.lock = threading.Lock()
        self.teams: list[Team] = []
        self.idle: list[Helper] = []

    def reserve(self, team: Team, wanted: int) -> None:
        """Count a caller as working, and with it as many of the wanted helpers as the limit leaves.

        New callers come first: where there are too many threads, other teams lose helpers at the end of their parts.
        """
        with self.lock:
            self.busy += 1
            for other in self.teams:
                self.busy -= other.revoke(self.busy - thread_count())
            for _ in range(min(wanted, thread_count() - self.busy)):
                try:
                    helper = self.idle.pop() if self.idle else self._new_helper()
                except RuntimeError:  # the system gives no more threads
                    break
                helper.reserve()
                team.add(helper)
                self.busy += 1
            if team.helpers:
                self.teams.append(team)

    def release(self, team: Team) -> None:
        """Count the caller, and the helpers that were not revoked, as working no more."""
        with self.lock:
            self.busy -= 1
            if team.helpers:
                self.teams.remove(team)
                self.busy -= team.revoke(len(team.helpers))
                self.idle += team.helpers
            for helper in team.helpers:
                helper.release()

    def _new_helper(self) -> Helper:
        from linkwork.kernels.numba_ext import Helper

        return Helper(self.lock)


_pool = _Pool()


def _start_anew() -> None:
    global _pool
    _pool = _Pool(_pool.limit)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)  # a child has none of its parent's threads


def thread_count() -> int:
    """Number of threads that a batch is shared out to: see `set_threads`."""
    if _pool.limit is None:
        _pool.limit = _default_count()
    return _pool.limit


def _default_count() -> int:
    chosen = os.environ.get("LINKWORK_THREADS")
    if chosen:
        if not chosen.isdecimal() or int(chosen) < 1:
            raise ArgumentError(f"LINKWORK_THREADS must be a positive integer, not {chosen!r}")
        return int(chosen)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(min(cores, _share_of_cores(QUOTA)))


def _share_of_cores(file: Path) -> float:
    """Cores' worth of time that a container may use, rounded up; infinite where nothing bounds it."""
    try:
        quota, period = file.read_text().split()
        return math.ceil(int(quota) / int(period))
    except (OSError, ValueError):  # no such file, or "max"
        return math.inf


def set_threads(count: int | None) -> None:
    """Share batches out to this many threads; None for ``LINKWORK_THREADS``, or one per core where that is not set.

    The number bounds all calls together: calls made at once from several Python threads share it. Results do not
    depend on it, to the last bit.

    Raises
    ------
    ArgumentError
        It is not a positive number.

    Examples
    --------
    >>> import linkwork as lw
    >>> lw.set_threads(1)
    >>> lw.set_threads(None)
    """
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise ArgumentError(f"the number of threads must be a positive integer, not {count!r}")
    _pool.limit = count


class Team:
    """The threads that work together on one call, the caller's and helpers, for as long as a ``with`` lasts.

    Parameters
    ----------
    count, grain : int
        Number of states, and the number that the size of every part of them but the last is a multiple of.
    cost : int
        Of one state, in stages.

    Attributes
    ----------
    roster : (n,) int64 array
        What compiled code must know of the team: see `kernels.layout.thread_pool`.
    helpers : list
        Without the caller.
    """

    def __init__(self, count: int, grain: int, cost: int):
        self.count, self.grain = count, grain
        self.pool, self.helpers = _pool, []
        most = max(1, min(count * cost // WORTH_A_THREAD, -(-count // grain), thread_count()))
        self.roster = np.zeros(HELPERS + most - 1, dtype=np.int64)
        self.pool.reserve(self, most - 1)
        parts = PARTS * self.size if self.helpers else 1
        self.roster[COUNT], self.roster[CALLED] = count, len(self.helpers)
        self.roster[GRAIN] = -(-count // (parts * grain)) * grain

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_) -> None:
        self.pool.release(self)

    @property
    def size(self) -> int:
        """Number of threads."""
        return 1 + len(self.helpers)

    def add(self, helper: Helper) -> None:
        """Have one more helper."""
        self.roster[HELPERS + len(self.helpers)] = helper.address
        self.helpers.append(helper)
        self.roster[ALLOWED] += 1

    def revoke(self, count: int) -> int:
        """Revoke up to `count` helpers, the last ones first; return how many."""
        revoked = max(0, min(count, int(self.roster[ALLOWED])))
        self.roster[ALLOWED] -= revoked
        return revoked

    def run(self, worker: Callable[[int, Iterator], Any], parts: Iterable | None = None) -> list:
        """Call ``worker(slot, parts)`` in every thread, where `parts` iterates over those that this thread takes.

        By default the states are cut up into parts (begin, end). Returns what those workers that began have returned.
        """
        left = deque(_parts(self.count, self.size, self.grain) if parts is None else parts)

        def work(slot):
            return worker(slot, self._taken(left, slot))

        tasks = [helper.start(work, slot) for slot, helper in enumerate(self.helpers, 1)]
        try:
            results = [work(0)]
        finally:
            others = [task.collect() for task in tasks]
        return results + [result for some in others for result in some]

    def _taken(self, parts: deque, slot: int) -> Iterator:
        while slot <= self.roster[ALLOWED]:
            try:
                yield parts.popleft()
            except IndexError:  # another thread has taken the last
                return


def share(worker: Callable[[Iterator[tuple[int, int]]], Any], count: int, grain: int, cost: int) -> list:
    """Share out the states 0 … count − 1 to this thread and idle ones, in parts that get smaller.

    Parameters
    ----------
    worker : callable
        Called once in each thread with an iterator of parts (begin, end), to be worked off one after the other.
    count, grain, cost : int
        As for a `Team`.

    Returns
    -------
    list
        What the workers have returned, in any order.
    """
    with Team(count, grain, cost) as team:
        return team.run(lambda slot, parts: worker(parts))


def each(function: Callable[[Any], Any], items: Sequence[Any], cost: int, *, most: int | None = None) -> None:
    """Call `function` with every item, the first ones first, in this thread and idle ones, `most` threads in all.

    `cost` is that of one item, in stages.
    """

    def worker(slot, parts):
        for item in parts:
            function(item)

    grain = max(1, -(-len(items) // (most or len(items) or 1)))  # at most one thread per item
    with Team(len(items), grain, cost) as team:
        team.run(worker, items)


def _parts(count: int, threads: int, grain: int) -> Iterator[tuple[int, int]]:
    """Parts that get smaller, so that all threads end at about the same time even if some of them start late."""
    begin = 0
    while begin < count:
        size = max(3 * (count - begin) // (4 * threads), count // (16 * threads), 1) if threads > 1 else count
        end = min(begin + -(-size // grain) * grain, count)
        yield begin, end
        begin = end
