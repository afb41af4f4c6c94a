"""Threads for batches: a pool of our own, and never more of them at work than allowed, however many call at once.

Numba's own threads are not used: its workqueue layer aborts when it is entered from two threads.
"""

from __future__ import annotations

import functools
import itertools
import os
import threading
import timeit
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from linkwork.errors import ArgumentError

# Work, in states times stages, that is worth another thread: waking one takes as long as this much forward dynamics.
WORTH_A_THREAD = 12_000
AWAKE = 100e-6  # seconds that a thread waits for others before it sleeps, from which it takes long to be woken


class _Task:
    """What one helper does for one caller."""

    def __init__(self, helper: _Helper, worker: Callable, parts: deque):
        self.helper, self.worker, self.parts = helper, worker, parts
        self.result: Any = None
        self.error: BaseException | None = None
        self.over = threading.Lock()
        self.over.acquire()
        self.number = helper.give(self)

    def do(self, crew: _Crew) -> None:
        """Work off parts, as long as no more threads are at work than may be: new callers come first."""
        try:
            self.result = self.worker(_taken(self.parts, lambda: crew.busy <= thread_count()))
        except BaseException as error:  # the caller's, in whose thread it is raised
            self.error = error
        crew.leave(self.helper)
        self.over.release()

    def outcome(self) -> Any:
        """Wait for the end of it, and return what the worker has returned."""
        self.helper.wait(self.number)
        self.over.acquire()
        if self.error is not None:
            raise self.error
        return self.result


class _Helper:
    """A thread that works for others. After a task it stays awake for a moment, for the next; then it sleeps.

    What `give` and `_sleep` do, they do while the crew's lock is held.
    """

    def __init__(self, crew: _Crew):
        from linkwork.kernels.waiting import new_cells

        self.crew = crew
        self.cells = new_cells()
        self.tasks: deque[_Task] = deque()
        self.given = 0
        self.asleep = False
        self.bell = threading.Lock()
        self.bell.acquire()
        threading.Thread(target=self._serve, name="linkwork helper", daemon=True).start()

    def give(self, task: _Task) -> int:
        """Have a task done; its number."""
        from linkwork.kernels.waiting import CALLED

        self.tasks.append(task)
        self.given += 1
        self.cells[CALLED] = self.given
        if self.asleep:
            self.asleep = False
            self.bell.release()
        return self.given

    def wait(self, number: int) -> None:
        """Wait a moment for the end of a task, without sleep."""
        from linkwork.kernels.waiting import DONE

        wait, _, patience = _waiting()
        wait(self.cells, DONE, number, patience)

    def _serve(self) -> None:
        _, rest, patience = _waiting()
        for done in itertools.count():
            if not rest(self.cells, done, patience):
                self._sleep(done)
            self.tasks.popleft().do(self.crew)

    def _sleep(self, done: int) -> None:
        with self.crew.lock:
            if self.given > done:
                return
            self.asleep = True
        self.bell.acquire()


class _Crew:
    """The threads of this process: how many may work, how many do, and the helpers that have nothing to do."""

    def __init__(self, limit: int | None = None):
        self.limit = limit
        self.busy = 0
        self.lock = threading.Lock()
        self.idle: list[_Helper] = []

    def start(self, wanted: int) -> list[_Helper]:
        """Count the caller as working, and with it as many of the wanted helpers as the limit leaves."""
        with self.lock:
            self.busy += 1
            count = max(0, min(wanted, thread_count() - self.busy))
            self.busy += count
            return [self.idle.pop() if self.idle else _Helper(self) for _ in range(count)]

    def leave(self, helper: _Helper | None = None) -> None:
        """Count one less: the caller, or a helper, which is idle then."""
        with self.lock:
            self.busy -= 1
            if helper is not None:
                self.idle.append(helper)


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
        if not helpers:
            return [worker(iter([(0, count)]))]
        parts = deque(_parts(count, len(helpers) + 1, grain))
        with crew.lock:
            tasks = [_Task(helper, worker, parts) for helper in helpers]
        try:
            mine = worker(_taken(parts))
        finally:
            theirs = [task.outcome() for task in tasks]
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


def _parts(count: int, threads: int, grain: int) -> Iterator[tuple[int, int]]:
    """Parts that get smaller, so that all threads end at about the same time even if some of them start late."""
    begin = 0
    while begin < count:
        size = max(3 * (count - begin) // (4 * threads), count // (16 * threads), 1)
        end = min(begin + -(-size // grain) * grain, count)
        yield begin, end
        begin = end


def _taken(parts: deque, go_on: Callable[[], bool] = lambda: True) -> Iterator[tuple[int, int]]:
    while go_on():
        try:
            yield parts.popleft()
        except IndexError:  # another thread has taken the last
            return


@functools.cache
def _waiting() -> tuple[Callable, Callable, int]:
    """Compiled `wait` and `rest`, and how many looks at a cell they may take."""
    from linkwork.kernels.jit import JIT_DISABLED, Kernel
    from linkwork.kernels.waiting import DONE, new_cells, rest, wait

    kernels, cells, looks = (Kernel(wait), Kernel(rest)), new_cells(), 1000
    if JIT_DISABLED:  # they would hold Python's lock
        return *kernels, 1
    times = timeit.repeat(lambda: kernels[0](cells, DONE, 1, looks), repeat=10, number=1)
    return *kernels, max(1, int(AWAKE / min(times) * looks))
