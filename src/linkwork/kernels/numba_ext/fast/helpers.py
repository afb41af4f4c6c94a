"""Threads that wait for work in compiled code, as `thread_pool` says, and do tasks in Python too."""

import functools
import threading
import timeit
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from linkwork.kernels.layout.thread_pool import DONE, FLAG, MAILBOX_SIZE
from linkwork.kernels.numba_ext.compile import JIT_DISABLED, Kernel
from linkwork.kernels.numba_ext.fast import thread_pool

AWAKE = 100e-6  # seconds that a thread waits for others before it sleeps: to be woken takes as long, or longer
ROUNDS = 10  # times that long for work that was announced; its caller may have to compile first


class _Kernels(NamedTuple):
    """Compiled functions of `thread_pool`, and how many readings of a mailbox take as long as helpers stay awake."""

    serve: Callable
    post: Callable
    collect: Callable
    patience: int


@functools.cache
def kernels():
    """The compiled functions, made when the first helper is."""
    serve, post, collect = Kernel(thread_pool.serve), Kernel(thread_pool.post), Kernel(thread_pool.collect)
    if JIT_DISABLED:  # to read often would keep Python's lock from others
        return _Kernels(serve, post, collect, 1)
    mailbox, readings = np.zeros(MAILBOX_SIZE, dtype=np.int64), 1000
    times = timeit.repeat(lambda: serve(mailbox, readings), repeat=10, number=1)
    return _Kernels(serve, post, collect, max(1, int(AWAKE / min(times) * readings)))


class Helper:
    """A thread that works for others. After its work it stays awake for a moment, for more; then it sleeps."""

    def __init__(self, lock):
        self.lock = lock  # of the pool; held by the caller of `reserve` and `release`
        self.mailbox = np.zeros(MAILBOX_SIZE, dtype=np.int64)
        self.address = self.mailbox.ctypes.data
        self.task = None  # for Python; what is for compiled code alone is posted in the mailbox
        self.reserved = self.asleep = False
        self.bell = threading.Lock()
        self.bell.acquire()
        threading.Thread(target=self._live, args=[kernels()], name="linkwork helper", daemon=True).start()

    def reserve(self):
        """Have it awake for work that is about to come."""
        self.reserved = True
        if self.asleep:
            self.asleep = False
            self.bell.release()

    def release(self):
        """No more work is about to come."""
        self.reserved = False

    def start(self, work, slot):
        """Have it call ``work(slot)``; the task, to be collected."""
        return _Task(self, work, slot)

    def _live(self, compiled):
        rounds = 0
        while True:
            if compiled.serve(self.mailbox, compiled.patience):
                task, self.task = self.task, None
                if task is not None:
                    task.do()
                rounds = 0
            else:
                rounds = self._sleep(rounds)

    def _sleep(self, rounds):
        """Sleep, unless work was announced less than so many rounds ago; how many rounds it has waited."""
        with self.lock:
            if self.reserved and self.mailbox[FLAG] != DONE and rounds < ROUNDS:
                return rounds + 1
            self.asleep = True
        self.bell.acquire()
        return 0


class _Task:
    """What a helper does in Python."""

    def __init__(self, helper, work, slot):
        self.helper, self.work, self.slot = helper, work, slot
        self.results = []  # none where the task was taken back
        self.error = None
        self.over = threading.Lock()
        self.over.acquire()
        helper.task = self
        kernels().post(helper.mailbox, 0, 0, slot)
        with helper.lock:
            helper.reserve()  # once more: it may be asleep again

    def do(self):
        """Work, in the helper's thread."""
        try:
            self.results.append(self.work(self.slot))
        except BaseException as error:  # the caller's
            self.error = error
        self.over.release()

    def collect(self):
        """Results, in the caller's thread: none where nobody had begun the task, so that it was taken back."""
        compiled, mailbox = kernels(), self.helper.mailbox
        if not compiled.collect(mailbox, compiled.patience):
            self.over.acquire()
            while not compiled.collect(mailbox, compiled.patience):
                pass  # the helper is about to serve again
        self.helper.task = None
        if self.error is not None:
            raise self.error
        return self.results
