"""Where programs are made: by another process, while this one goes on with the next function, or right here.

A thread hands programs over one by one, and keeps on disk what comes back. All that was handed over is put in place in
its order before a program is entered. Where there is one processor only, or no other process can be started,
everything is made at once.
"""

import atexit
import functools
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

import llvmlite
from numba.core import config
from numba.core.codegen import ll

from linkwork.kernels.numba_ext.fast import workshop

IDLE = 5.0  # seconds after which the other process ends
BROKEN = OSError, EOFError, pickle.UnpicklingError  # where there is no other process, or no more
elsewhere = True  # whether to try one


class _Elsewhere:
    """A workshop in another process."""

    def __init__(self, *target):
        home, file = Path(llvmlite.__file__).parents[1], Path(workshop.__file__)
        if not (Path(sys.executable or "").stem.startswith("python") and file.exists()):
            raise OSError("no Python to start")
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(file), str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # an interrupt from the keyboard is for this process
        )
        self._known = set()
        self._send(target)

    def make_of(self, parts, *program):
        """Make a program of parts {number: code}: see `Workshop.make`."""
        new = {number: code for number, code in parts.items() if number not in self._known}
        self._send((new, list(parts), *program))
        self._known.update(new)
        answer = pickle.load(self._process.stdout)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _send(self, what):
        pickle.dump(what, self._process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()

    def close(self):
        """End it at once: a process that was forked may hold its input open."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        with suppress(OSError):
            self._process.stdin.close()


class _Here(workshop.Workshop):
    """A workshop in this process."""

    def make_of(self, parts, *program):
        """Make a program of parts {number: code}: see `Workshop.make`."""
        for number, code in parts.items():
            self.learn(number, code)
        return self.make(list(parts), *program)

    def close(self):
        """Nothing: there is no other process."""


class Maker:
    """Has programs made for the target of a code generator of Numba's."""

    def __init__(self, codegen):
        options = {"opt": int(config.OPT)}
        codegen._customize_tm_options(options)
        self._target = ll.get_process_triple(), options
        self._start_anew()
        atexit.register(self._end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._start_anew)

    def _start_anew(self):
        """Begin without a thread, as a process does that was forked."""
        self._tasks, self._news = deque(), threading.Condition()  # the first task is at work
        self._thread = self._shop = self._problem = None

    def make(self, parts, *program):
        """A `Future` of what `Workshop.make` returns, of parts {number: code}."""
        return self._do(lambda: self._make(parts, program))

    def then(self, work):
        """Do this after all that was handed over before; `finish` tells if it fails."""
        self._do(work).add_done_callback(self._note)

    def finish(self):
        """Wait until all is done."""
        with self._news:
            self._news.wait_for(lambda: not self._tasks)
            problem, self._problem = self._problem, None
        if problem:
            raise problem

    def cancel(self):
        """Forget what was not begun."""
        with self._news:
            for _, future in list(self._tasks)[1:]:
                future.cancel()

    def _note(self, future):
        if not future.cancelled():
            self._problem = self._problem or future.exception()

    def _do(self, work):
        """Have the thread do this; or do it at once."""
        future = Future()
        if elsewhere and _processors() > 1:
            with self._news:
                if self._is_there():
                    self._tasks.append((work, future))
                    self._news.notify_all()
                    return future
        _run(work, future)
        return future

    def _is_there(self):
        """Whether there is a thread; it is started where there is none."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="linkwork compiler", daemon=True)
            try:
                self._thread.start()
            except RuntimeError:  # the system gives no more threads
                self._thread = None
        return self._thread is not None

    def _work(self):
        """The thread: do all there is, and end when there was nothing for a while."""
        while True:
            with self._news:
                if not self._news.wait_for(lambda: self._tasks, IDLE):
                    self._thread = None
                    self._close()
                    return
                work, future = self._tasks[0]
            _run(work, future)
            with self._news:
                self._tasks.popleft()
                self._news.notify_all()

    def _make(self, parts, program):
        """Make a program in the other process; here, where that cannot be started or has broken off."""
        global elsewhere
        if self._thread is not None and elsewhere:
            try:
                self._shop = self._shop or _Elsewhere(*self._target)
                return self._shop.make_of(parts, *program)
            except BROKEN:
                elsewhere = False
                self._close()
        self._shop = self._shop or _Here(*self._target)
        return self._shop.make_of(parts, *program)

    def _end(self):
        """Wait for what is at work, and end the other process."""
        self.cancel()
        self.finish()
        with self._news:
            self._close()

    def _close(self):
        if self._shop is not None:
            self._shop.close()
            self._shop = None


@functools.cache
def maker(codegen):
    """What makes the programs of a code generator."""
    return Maker(codegen)


def _run(work, future):
    """Do this, unless it was called off."""
    if future.set_running_or_notify_cancel():
        try:
            future.set_result(work())
        except BaseException as problem:
            future.set_exception(problem)


def _processors():
    """How many processors this process may use."""
    if os.environ.get("LINKWORK_THREADS") == "1":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
