"""Threads for batches: helpers of our own, and never more of them at work than allowed, however many call at once.

Numba's own threads are not used: its workqueue layer aborts when it is entered from two threads.
"""

from __future__ import annotations

import functools
import math
import os
import threading
import timeit
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.launch import entry
from linkwork.kernels.layout.cells import BLOCK, CALLED, COUNT, DONE, HELPER_CELLS, HELPERS, MAY, POST

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of a container's time, on Linux
WORTH_A_THREAD = 2000  # work, in states times stages, that is worth another thread
AWAKE = 100e-6  # seconds that a thread waits for others before it sleeps: to be woken takes as long, or longer
RESTS = 10  # times that long for work that was announced; its caller may have to compile first
PARTS = 32  # for each thread at least, where there are several


class _Helper:
    """A thread that works for others. After its work it stays awake for a moment, for more; then it sleeps."""

    def __init__(self, crew: _Crew):
        self.crew = crew
        self.cells = np.zeros(HELPER_CELLS, dtype=np.int64)
        self.task: _Task | None = None  # for Python; what is for compiled code alone is posted in the cells
        self.wanted = self.asleep = False  # both change only while the crew's lock is held
        self.bell = threading.Lock()
        self.bell.acquire()
        threading.Thread(target=self._serve, args=[_kernels()], name="linkwork helper", daemon=True).start()

    def engage(self) -> None:
        """Have it awake for work that is about to come."""
        self.wanted = True
        if self.asleep:
            self.asleep = False
            self.bell.release()

    def _serve(self, kernels: _Kernels) -> None:
        in_vain = 0
        while True:
            if kernels.rest(self.cells, kernels.patience):
                self._do()
                in_vain = 0
            else:
                in_vain = self._sleep(in_vain)

    def _do(self) -> None:
        task, self.task = self.task, None
        if task is not None:
            task.do()

    def _sleep(self, in_vain: int) -> int:
        """Sleep, unless work was announced, and was not waited for long; how often it was waited for in vain."""
        with self.crew.lock:
            if self.wanted and self.cells[POST] != DONE and in_vain < RESTS:
                return in_vain + 1
            self.asleep = True
        self.bell.acquire()
        return 0


class _Crew:
    """The threads of this process: how many may work, how many do, in which teams, and helpers with nothing to do."""

    def __init__(self, limit: int | None = None):
        self.limit = limit
        self.busy = 0
        self.lock = threading.Lock()
        self.teams: list[Team] = []
        self.idle: list[_Helper] = []

    def engage(self, team: Team, wanted: int) -> None:
        """Count a caller as working, and with it as many of the wanted helpers as the limit leaves.

        New callers come first: where they are too many, other teams lose helpers, after the part those are at.
        """
        with self.lock:
            self.busy += 1
            for other in self.teams:
                self.busy -= other.lose(self.busy - thread_count())
            for _ in range(min(wanted, thread_count() - self.busy)):
                try:
                    helper = self.idle.pop() if self.idle else _Helper(self)
                except RuntimeError:  # the system gives no more threads
                    break
                helper.engage()
                team.gain(helper)
                self.busy += 1
            if team.helpers:
                self.teams.append(team)

    def dismiss(self, team: Team) -> None:
        """Count the caller, and the helpers that it has not lost, as working no more."""
        with self.lock:
            self.busy -= 1
            if team.helpers:
                self.teams.remove(team)
                self.busy -= team.lose(len(team.helpers))
                self.idle += team.helpers
            for helper in team.helpers:
                helper.wanted = False


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
    """Share batches out to so many threads; None for ``LINKWORK_THREADS``, or one a core where that is not set.

    The number bounds all calls together: calls made at once from several Python threads share it. Results do not
    depend on it, to the last bit.
    """
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise ArgumentError(f"the number of threads must be a positive integer, not {count!r}")
    _crew.limit = count


class Team:
    """Those who work together at one call: the caller and helpers, for as long as a ``with`` lasts.

    Parameters
    ----------
    count, grain : int
        Number of states, and of which number every part of them but the last is a multiple.
    cost : int
        Of one state, in stages.

    Attributes
    ----------
    cells : (n,) int64 array
        What compiled code must know of the team: see `kernels.cells`.
    helpers : list
        Without the caller.
    """

    def __init__(self, count: int, grain: int, cost: int):
        self.crew, self.helpers = _crew, []
        most = max(1, min(count * cost // WORTH_A_THREAD, -(-count // grain), thread_count()))
        self.cells = np.zeros(HELPERS + most - 1, dtype=np.int64)
        self.crew.engage(self, most - 1)
        parts = PARTS * self.size if self.helpers else 1
        self.cells[COUNT], self.cells[CALLED] = count, len(self.helpers)
        self.cells[BLOCK] = -(-count // (parts * grain)) * grain

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_) -> None:
        self.crew.dismiss(self)

    @property
    def size(self) -> int:
        """Number of threads."""
        return 1 + len(self.helpers)

    def gain(self, helper: _Helper) -> None:
        """Have one more helper."""
        self.cells[HELPERS + len(self.helpers)] = helper.cells.ctypes.data
        self.helpers.append(helper)
        self.cells[MAY] += 1

    def lose(self, count: int) -> int:
        """Let the last helpers go on no longer; how many could be spared."""
        spared = max(0, min(count, int(self.cells[MAY])))
        self.cells[MAY] -= spared
        return spared

    def goes_on(self, slot: int) -> bool:
        """Whether the helper with this slot may take another part."""
        return slot <= self.cells[MAY]


class _Task:
    """What a helper does in Python."""

    def __init__(self, helper: _Helper, slot: int, work: Callable[[int], Any]):
        self.helper, self.cells, self.slot, self.work = helper, helper.cells, slot, work
        self.results: list = []  # none where the task was taken back
        self.error: BaseException | None = None
        self.over = threading.Lock()
        self.over.acquire()
        helper.task = self
        _kernels().post(self.cells, 0, 0, slot)
        with helper.crew.lock:
            helper.engage()  # once more: it may be asleep again

    def do(self) -> None:
        """Work, in the helper's thread."""
        try:
            self.results.append(self.work(self.slot))
        except BaseException as error:  # the caller's
            self.error = error
        self.over.release()

    def collect(self) -> list:
        """Take the task back where nobody has begun it, or wait for its end, in the caller's thread."""
        kernels = _kernels()
        if not kernels.collect(self.cells, kernels.patience):
            self.over.acquire()
            while not kernels.collect(self.cells, kernels.patience):
                pass  # the helper is about to rest again
        self.helper.task = None
        if self.error is not None:
            raise self.error
        return self.results


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
        return _shared(team, worker, _parts(count, team.size, grain))


def each(function: Callable[[Any], Any], items: Sequence[Any], cost: int, *, most: int | None = None) -> None:
    """Call `function` with every item, the first ones first, in this thread and idle ones, `most` threads in all.

    `cost` of one item, in stages.
    """

    def worker(parts):
        for item in parts:
            function(item)

    grain = max(1, -(-len(items) // (most or len(items) or 1)))  # a thread for each, at most
    with Team(len(items), grain, cost) as team:
        _shared(team, worker, items)


def _shared(team: Team, worker: Callable, parts: Iterable) -> list:
    left = deque(parts)

    def work(slot):
        return worker(_taken(left, team, slot))

    tasks = [_Task(helper, slot, work) for slot, helper in enumerate(team.helpers, 1)]
    try:
        results = [work(0)]
    finally:
        others = [task.collect() for task in tasks]
    return results + [result for some in others for result in some]


def _parts(count: int, threads: int, grain: int) -> Iterator[tuple[int, int]]:
    """Parts that get smaller, so that all threads end at about the same time even if some of them start late."""
    begin = 0
    while begin < count:
        size = max(3 * (count - begin) // (4 * threads), count // (16 * threads), 1) if threads > 1 else count
        end = min(begin + -(-size // grain) * grain, count)
        yield begin, end
        begin = end


def _taken(parts: deque, team: Team, slot: int) -> Iterator:
    while team.goes_on(slot):
        try:
            yield parts.popleft()
        except IndexError:  # another thread has taken the last
            return


class _Kernels(NamedTuple):
    """Compiled functions of `kernels.crew`, and how many looks at a cell take as long as helpers stay awake."""

    rest: Callable
    post: Callable
    collect: Callable
    patience: int


@functools.cache
def _kernels() -> _Kernels:
    from linkwork.kernels.numba_ext.jit import JIT_DISABLED

    rest, post, collect = (entry("numba_ext.thread_pool", name) for name in ("rest", "post", "collect"))
    cells, looks = np.zeros(HELPER_CELLS, dtype=np.int64), 1000
    if JIT_DISABLED:  # to look often would keep Python's lock from others
        return _Kernels(rest, post, collect, 1)
    times = timeit.repeat(lambda: rest(cells, looks), repeat=10, number=1)
    return _Kernels(rest, post, collect, max(1, int(AWAKE / min(times) * looks)))
