"""Who makes the runs: this process, processes of this machine, or a dask cluster. All are used alike.

`start(runs)` hands over a chunk of runs; `finished()` waits until some are done and returns each with its rows, or with
None where the worker died over it.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from linkwork import __version__
from linkwork.errors import ArgumentError, StructureError
from linkwork.sweeps.job import Job, Rows

ANSWER = 10.0  # s to wait for a cluster
PATIENCE = 60.0  # s without any worker before a sweep gives up
LARGE = 1 << 18  # bytes of a job that is sent to each worker once, not with every chunk
Done = tuple[np.ndarray, Rows | None]


class Workers(Protocol):
    """Those who make runs."""

    @property
    def name(self) -> str:
        """Words for them."""
        ...

    @property
    def count(self) -> int:
        """How many chunks they work on at once."""
        ...

    def start(self, runs: np.ndarray) -> None:
        """Hand over a chunk of runs."""

    def finished(self) -> list[Done]:
        """Wait for chunks, and return them."""
        ...

    def stop(self) -> None:
        """Let everybody go."""


class Here:
    """The present process, by itself."""

    name, count = "this process", 1

    def __init__(self, job: Job):
        self._job, self._waiting = job, []

    def start(self, runs: np.ndarray) -> None:
        """Remember a chunk."""
        self._waiting.append(runs)

    def finished(self) -> list[Done]:
        """Make the runs of the oldest chunk."""
        runs = self._waiting.pop(0)
        return [(runs, self._job.rows(runs))]

    def stop(self) -> None:
        """Forget what was not begun."""
        self._waiting.clear()


# Processes of this machine


class Processes:
    """Processes of this machine, which work by one thread each."""

    def __init__(self, job: Job, count: int):
        self.count, self.name = count, f"{count} processes"
        self._data = pickle.dumps(job)
        self._chunks: dict[Future, np.ndarray] = {}
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # threads and open files do not survive a fork
        return ProcessPoolExecutor(self.count, mp_context=context, initializer=_begin, initargs=(self._data,))

    def start(self, runs: np.ndarray) -> None:
        """Hand over a chunk."""
        with _no_main_module():
            try:
                future = self._pool.submit(_make, runs)
            except BrokenProcessPool as error:  # a process died since the last look: `finished` begins a new pool
                future = Future()
                future.set_exception(error)
        self._chunks[future] = runs

    def finished(self) -> list[Done]:
        """Wait for chunks; where a process died, all that were being worked on are returned without rows."""
        ready, _ = wait(self._chunks, return_when=FIRST_COMPLETED)
        done: list[Done] = []
        broken = False
        for future in ready:
            error = future.exception()
            broken = broken or isinstance(error, BrokenProcessPool)
            if error is not None and not isinstance(error, BrokenProcessPool):
                raise error
            done.append((self._chunks.pop(future), None if error else future.result()))
        if broken:
            for future, runs in self._chunks.items():
                wait([future])
                done.append((runs, None if future.exception() else future.result()))
            self._chunks.clear()
            self._pool.shutdown(wait=True)
            self._pool = self._new_pool()
        return done

    def stop(self) -> None:
        """End the processes, without waiting for what they do."""
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._chunks:
            for process in processes:
                process.terminate()
        self._chunks.clear()


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Let new processes not run the user's script again: what they need of it comes with the job."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


_job: Job | None = None


def _begin(data: bytes) -> None:
    """Prepare a process: Ctrl-C is for the one that collects, and without that one there is nothing to do."""
    global _job
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()
    _job = pickle.loads(data)


def _make(runs: np.ndarray) -> Rows:
    assert _job is not None
    return _job.rows(runs)


# A cluster


def connect(address: str) -> Any:
    """A client of the cluster whose scheduler is at an address."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise ArgumentError("clusters need dask.distributed: pip install linkwork[cluster]") from None
    try:
        return Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise ArgumentError(
            f"the cluster at {address} does not answer: is `dask scheduler` running there, and the address right?"
        ) from None


class Cluster:
    """The workers of a dask cluster."""

    def __init__(self, job: Job, client: Any):
        from distributed import as_completed

        self._client = client
        data = pickle.dumps(job)
        self._digest = hashlib.sha256(data).hexdigest()
        self._await_workers()
        _refuse_other_versions(client)
        self._data = client.scatter(data, broadcast=True) if len(data) > LARGE else data
        self._all = as_completed(loop=client.loop, raise_errors=False)
        self._chunks: dict[Any, np.ndarray] = {}
        self._last = time.monotonic()

    @property
    def count(self) -> int:
        """Threads of all workers, now."""
        return max(1, sum(self._client.nthreads().values()))

    @property
    def name(self) -> str:
        """Words for the cluster."""
        return f"the cluster at {self._client.scheduler.address}, {self.count} workers"

    def _await_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=ANSWER)
        except TimeoutError:
            raise ArgumentError(
                f"the cluster at {self._client.scheduler.address} has no workers: start some with `dask worker "
                f"{self._client.scheduler.address}`"
            ) from None

    def start(self, runs: np.ndarray) -> None:
        """Hand over a chunk."""
        future = self._client.submit(make, self._digest, self._data, runs, pure=False)
        self._chunks[future.key] = runs
        self._all.add(future)

    def finished(self) -> list[Done]:
        """Wait for chunks; dask itself has those of dead workers done again."""
        from distributed import KilledWorker

        while not self._all.has_ready():
            if self._client.status not in ("running", "connecting"):
                raise StructureError("the cluster's scheduler is gone: resume the sweep when it is there again")
            if self._client.nthreads():
                self._last = time.monotonic()
            elif time.monotonic() - self._last > PATIENCE:
                raise StructureError(f"the cluster has had no workers for {PATIENCE:.0f} s: resume the sweep later")
            time.sleep(0.003)
        done: list[Done] = []
        for future in self._all.next_batch(block=False):
            runs = self._chunks.pop(future.key)
            error = future.exception()
            if future.cancelled() or isinstance(error, KilledWorker):
                done.append((runs, None))
                continue
            if error is not None:
                raise error
            rows = future.result()
            if rows.version != __version__:
                raise _other_version("a worker", rows.version)
            done.append((runs, rows))
        return done

    def stop(self) -> None:
        """Withdraw what was not done; the cluster stays."""
        self._all.clear()
        self._chunks.clear()


_jobs: dict[str, Job] = {}


def make(digest: str, data: bytes, runs: np.ndarray) -> Rows:
    """Make runs, on a worker of a cluster; the job is unpacked there once."""
    if digest not in _jobs:
        _jobs.clear()
        _jobs[digest] = pickle.loads(data)
    return _jobs[digest].rows(runs)


def version() -> str:
    """The version of linkwork, where this is called."""
    return __version__


def _refuse_other_versions(client: Any) -> None:
    for address, found in client.run(version, on_error="return").items():
        if isinstance(found, BaseException):
            missing = isinstance(found, ModuleNotFoundError)
            problem = "has no linkwork" if missing else f"cannot run linkwork ({type(found).__name__}: {found})"
            raise ArgumentError(f"the worker at {address} {problem}: install linkwork {__version__} there")
        if found != __version__:
            raise _other_version(f"the worker at {address}", found)


def _other_version(who: str, found: str) -> ArgumentError:
    return ArgumentError(f"{who} has linkwork {found}, and this is {__version__}: install the same version on all")
