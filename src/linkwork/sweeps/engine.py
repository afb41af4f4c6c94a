"""Collecting a sweep: chunks of runs out to workers, rows back to the file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from linkwork import __version__
from linkwork.sweeps.job import Job, Rows
from linkwork.sweeps.store import Store
from linkwork.sweeps.workers import Workers

SECONDS = 1.0  # of work in a chunk, about
AHEAD = 2  # chunks that each worker has been handed, so that none waits
MOST_ROWS, MOST_NUMBERS = 100_000, 1 << 20  # of a chunk
DEATHS = 3  # of workers over one run, before it is given up


class Engine:
    """One sweep under way.

    Parameters
    ----------
    job : Job
    workers : Workers
    store : Store
    progress : callable
        Told the number of runs that have come.
    """

    def __init__(self, job: Job, workers: Workers, store: Store, progress: Callable[[int], None]):
        self._job, self._workers, self._store, self._progress = job, workers, store, progress
        self._todo = deque(_ranges(np.flatnonzero(~store.done)))
        self._left = int((~store.done).sum())
        self._suspects: deque[np.ndarray] = deque()  # runs over which a worker died: tried again alone
        self._deaths: dict[int, int] = {}
        self._under_way = 0
        self._seconds: float | None = None  # of a run, as measured

    def run(self) -> None:
        """Make all runs; whatever ends this, what has come is in the file."""
        try:
            while self._todo or self._suspects or self._under_way:
                self._hand_out()
                for runs, rows in self._workers.finished():
                    self._under_way -= 1
                    self._take(runs, rows)
        finally:
            self._workers.stop()
            self._store.commit()

    def _hand_out(self) -> None:
        if self._suspects:
            if not self._under_way:
                self._start(self._suspects.popleft())
            return
        while self._todo and self._under_way < AHEAD * self._workers.count:
            first, last = self._todo.popleft()
            size = min(self._size(), last - first)
            if first + size < last:
                self._todo.appendleft((first + size, last))
            self._start(np.arange(first, first + size))

    def _start(self, runs: np.ndarray) -> None:
        self._workers.start(runs)
        self._under_way += 1

    def _size(self) -> int:
        """Runs of the next chunk: about a second of work, and for every worker several until the end."""
        if self._seconds is None:
            return 64 if self._job.packed else 1
        most = min(MOST_ROWS, MOST_NUMBERS // max(1, len(self._job.columns)))
        fair = -(-self._left // (4 * self._workers.count))
        return max(1, min(most, fair, int(SECONDS / max(self._seconds, 1e-9))))

    def _take(self, runs: np.ndarray, rows: Rows | None) -> None:
        if rows is None:
            self._died(runs)
            return
        fresh = self._store.add(rows)
        self._left -= fresh
        # The first chunk of a worker compiles and loads: a single slow one must not make all later chunks small.
        seconds = float(np.median(rows.seconds))
        self._seconds = seconds if self._seconds is None else min(seconds, 2.0 * self._seconds)
        self._progress(fresh)

    def _died(self, runs: np.ndarray) -> None:
        """Have runs done again whose worker died; one that kills every worker is a row with an error."""
        for run in runs.tolist():
            self._deaths[run] = self._deaths.get(run, 0) + 1
        if self._deaths[int(runs[0])] < 2:
            self._suspects.append(runs)
        elif len(runs) > 1:
            self._suspects.extend(np.array_split(runs, 2))
        elif self._deaths[int(runs[0])] < DEATHS:
            self._suspects.append(runs)
        else:
            numbers = self._job.space.numbers(runs)
            values = np.full((1, len(self._job.columns)), np.nan)
            text = f"the worker process died over it, {DEATHS} times: out of memory, or a crash"
            self._take(runs, Rows(runs, numbers, values, np.zeros(1), {0: text}, {}, __version__))


def _ranges(runs: np.ndarray) -> list[tuple[int, int]]:
    """Numbers in increasing order as ranges (first, behind the last)."""
    if not len(runs):
        return []
    breaks = np.flatnonzero(np.diff(runs) != 1)
    firsts = np.concatenate([runs[:1], runs[breaks + 1]])
    lasts = np.concatenate([runs[breaks], runs[-1:]]) + 1
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))
