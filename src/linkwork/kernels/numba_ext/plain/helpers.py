"""Helpers that are threads of `concurrent.futures`."""

from concurrent.futures import ThreadPoolExecutor


class Helper:
    """A thread that works for others."""

    address = 0  # of its mailbox: it has none

    def __init__(self, lock):
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="linkwork helper")
        self._executor.submit(int)  # so that a system that gives no more threads says so now

    def reserve(self):
        """Nothing: a thread is woken by its work."""

    def release(self):
        """Nothing."""

    def start(self, work, slot):
        """Have it call ``work(slot)``; the task, to be collected."""
        return _Task(self._executor.submit(work, slot))


class _Task:
    def __init__(self, future):
        self._future = future

    def collect(self):
        """Results: none where nobody had begun the task, so that it was taken back."""
        return [] if self._future.cancel() else [self._future.result()]
