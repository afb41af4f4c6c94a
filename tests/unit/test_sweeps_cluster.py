"""Sweeps on a real cluster: a dask scheduler and worker processes of their own, some of which are killed."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

pytest.importorskip("distributed")
DASK = [sys.executable, "-m", "distributed.cli.dask_scheduler"], [sys.executable, "-m", "distributed.cli.dask_worker"]
FOUR_BAR = ["sweep", "four-bar", "--over", "parameters.torque=2:20:2000", "--until", "0.01"]
FOUR_BAR += ["--output", "final", "--output", "final(a[crank])"]  # which rollouts do not give: 2,000 single runs


class Processes:
    """A scheduler and its workers."""

    def __init__(self, folder):
        self.folder, self.started = folder, []
        log = folder / "scheduler.log"
        self._start([*DASK[0], "--port", "0", "--no-dashboard", "--host", "127.0.0.1"], log)
        self.address = self._wait_for(log, r"Scheduler at:\s*(tcp://\S+)")

    def worker(self, **environment):
        number = len(self.started)
        log = self.folder / f"worker{number}.log"
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        process = self._start([*DASK[1], self.address, *options], log, environment)
        self._wait_for(log, r"Registered to:\s*(tcp://\S+)")
        return process

    def _start(self, line, log, environment=None):
        process = subprocess.Popen(
            line, stdout=log.open("w"), stderr=subprocess.STDOUT, env=os.environ | (environment or {}), cwd=self.folder
        )
        self.started.append(process)
        return process

    def _wait_for(self, log, pattern):
        while not (found := re.search(pattern, log.read_text())):
            assert self.started[-1].poll() is None, log.read_text()
            time.sleep(0.05)
        return found[1]

    def end(self):
        for process in reversed(self.started):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    made = Processes(tmp_path)
    yield made
    made.end()


def rows_in(path):
    try:
        return len(lw.Sweep.load(path))
    except lw.LinkworkError:
        return 0


def wait_for_rows(path, count, process):
    while not path.exists() or rows_in(path) < count:
        assert process.poll() is None, "the sweep ended before"
        time.sleep(0.05)


@pytest.mark.slow
def test_killed_workers_and_a_killed_sweep_lose_nothing(cluster, tmp_path):
    """2,000 four-bars: one of two workers is killed, then the sweep, which is resumed. All bits as in one process."""
    first, _ = cluster.worker(), cluster.worker()
    path = tmp_path / "cluster.h5"
    line = [sys.executable, "-m", "linkwork", *FOUR_BAR, "--out", str(path), "--cluster", cluster.address]
    sweep = subprocess.Popen(line, stdout=subprocess.DEVNULL)
    wait_for_rows(path, 500, sweep)
    first.send_signal(signal.SIGKILL)
    wait_for_rows(path, 1000, sweep)
    sweep.send_signal(signal.SIGKILL)
    sweep.wait()
    assert 1000 <= rows_in(path) < 2000
    cluster.worker()
    subprocess.run([*line, "--resume"], check=True, stdout=subprocess.DEVNULL)

    alone = tmp_path / "alone.h5"
    line = [sys.executable, "-m", "linkwork", *FOUR_BAR, "--out", str(alone), "--workers", "1"]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    one, many = lw.Sweep.load(alone), lw.Sweep.load(path)
    assert many.runs.tolist() == list(range(2000))
    assert many.settings == one.settings
    assert many.errors == one.errors == {}
    for name in one.outputs:
        np.testing.assert_array_equal(one[name], many[name])


def test_a_small_cluster_and_its_troubles(cluster, tmp_path):
    """Functions by value, errors as rows; no workers, workers of another version, no answer: one line each."""

    def root(x):
        if x < 0:
            raise ValueError("negative")
        return np.sqrt(x)

    over = {"x": np.linspace(-1.0, 9.0, 11)}
    old = tmp_path / "old"
    shutil.copytree(Path(lw.__file__).parent, old / "linkwork", ignore=shutil.ignore_patterns("__pycache__"))
    names = old / "linkwork" / "__init__.py"
    names.write_text(names.read_text().replace(f'__version__ = "{lw.__version__}"', '__version__ = "0.0.9"'))
    other = cluster.worker(PYTHONPATH=str(old))
    with pytest.raises(lw.ArgumentError, match=r"worker at tcp://\S+ has linkwork 0\.0\.9, and this is"):
        lw.sweep(root, over, client=cluster.address)
    other.kill()
    cluster.worker()
    table = lw.sweep(root, over, client=cluster.address, outputs=["value"])
    np.testing.assert_array_equal(table["value"], lw.sweep(root, over, workers=1)["value"])
    assert table.errors == {0: "ValueError: negative"}


def test_a_cluster_that_does_not_answer():
    with pytest.raises(lw.ArgumentError, match=r"the cluster at tcp://127\.0\.0\.1:9 does not answer") as raised:
        lw.sweep(lambda x: x, {"x": [1, 2]}, client="tcp://127.0.0.1:9")
    assert "\n" not in str(raised.value)
