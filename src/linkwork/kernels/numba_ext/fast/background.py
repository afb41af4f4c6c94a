"""Native code for kernels that were only prebuilt, compiled by another process during a long run.

That is what ``LINKWORK_BACKGROUND=1`` asks for. The run itself goes on with what it has; the next one finds the native
code in the cache.
"""

import os
import pickle
import subprocess
import sys
import threading

WAIT = 10.0  # seconds after the last kernel was loaded: short runs are over by then
started: list[subprocess.Popen] = []
_jobs: list = []
_timer = threading.Timer(0.0, int)  # the last one


def compile_later(recipe, signature):
    """Have a kernel compiled for arguments of these types; `recipe` says how to make it: see `kernels.background`."""
    global _timer
    if recipe is None or os.environ.get("LINKWORK_BACKGROUND", "0") in ("", "0"):
        return
    _jobs.append((recipe, signature))
    _timer.cancel()
    _timer = threading.Timer(WAIT, _start)
    _timer.daemon = True
    _timer.start()


def _start():
    """Start the other process."""
    jobs = [_jobs.pop() for _ in range(len(_jobs))]
    process = subprocess.Popen(
        [sys.executable, "-m", "linkwork.kernels.background"],
        env=os.environ | {"LINKWORK_PREBUILT": "0", "LINKWORK_BACKGROUND": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # it may outlive this process
    )
    process.stdin.write(pickle.dumps(jobs))
    process.stdin.close()
    started.append(process)


def finish():
    """Wait until all that was asked for is compiled."""
    _timer.join()
    for process in started:
        process.wait()
