"""What a sweep costs beside what it runs.

``python benchmarks/sweeps.py`` prints: 100,000 cart-poles of 1,000 steps by one command, beside `lw.rollout` itself;
the cost of a packed rollout and of a single run beyond the run; two workers beside one, with runs of 50 ms; and the
memory of the process that collects a million rows. What runs in one process is measured by its processor time.
``python benchmarks/sweeps.py rows`` and the like run a part.
"""

import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numba
import numpy as np

import linkwork as lw
from linkwork import examples
from linkwork.sweeps.space import Space

GAINS = {"parameters.k_angle": "uniform(20, 60)", "parameters.k_rate": "uniform(5, 15)"}
STEPS, DT = 1000, 5e-3


@numba.njit
def law(t, q, v, tau, p):
    push = p[0] * q[1] + p[1] * v[1] + 2.0 * q[0] + 4.0 * v[0]
    tau[0] += max(-50.0, min(50.0, push))


def scene(**changes):
    return lw.load_scene(examples.files("cart-pole")[0], changes=changes)


def bare(count, workers=1):
    """Seconds of `lw.rollout` by itself, with the same law, for so many cart-poles."""
    made = scene()
    rng = np.random.default_rng(0)
    gains = np.column_stack([rng.uniform(20, 60, count), rng.uniform(5, 15, count)])
    lw.set_threads(workers)
    options = {"dt": DT, "controller": law, "hold": False}
    lw.rollout(made.linkage, made.q, made.v, None, steps=10, parameters=gains[:8], record_every=10, **options)
    started = time.perf_counter()
    lw.rollout(made.linkage, made.q, made.v, None, steps=STEPS, parameters=gains, record_every=STEPS, **options)
    return time.perf_counter() - started


def command(count=100_000):
    """So many rollouts by one command."""
    with tempfile.TemporaryDirectory() as folder:
        over = [part for key, values in GAINS.items() for part in ("--over", f"{key}={values}")]
        line = ["sweep", "cart-pole", *over, "--samples", str(count), "--out", str(Path(folder) / "gains.h5")]
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "linkwork", *line], check=True)
        wall = time.perf_counter() - started
    few = min(count, 20_000)
    own = bare(few, 2) * count / few
    rates = count * STEPS / wall, count * STEPS / own
    print(f"by the command {rates[0]:.3g} steps/s, start-up included; by lw.rollout {rates[1]:.3g}: {own / wall:.2f}")


def packed(count=100_000):
    """What a packed rollout costs beyond itself: of few steps, so that the rest shows."""
    from linkwork.sweeps import packed as module

    inside, original = [], module.rollouts

    def timed(*args, **options):
        started = time.process_time()
        made = original(*args, **options)
        inside.append(time.process_time() - started)
        return made

    made, beyond = scene(**{"simulation.until": 10 * DT}), {}
    module.rollouts = timed
    for size in (count // 10, count):  # what both have is start-up
        beyond[size] = []
        for _ in range(4):
            inside.clear()
            whole = _swept(made, size)
            beyond[size].append(whole - sum(inside))
    module.rollouts = original
    few, many = min(beyond[count // 10]), min(beyond[count])
    print(f"packed: {1e6 * (many - few) / (0.9 * count):.2f} µs beyond each rollout, start-up of {few:.2f} s apart")


def _swept(made, count):
    started = time.process_time()
    assert lw.sweep(made, GAINS, samples=count, workers=1).settings["how"] == "packed into SIMD rollouts"
    return time.process_time() - started


def single(count=40):
    """What a single run costs beyond itself."""
    path, over = examples.files("four-bar")[0], {"parameters.torque": np.linspace(5, 15, count)}
    outputs, whole, own, bare = ["final(q[crank])", "final(a[crank])"], [], [], []
    lw.sweep(path, {"parameters.torque": [1.0, 2.0]}, outputs=outputs, workers=1)
    lw.set_threads(1)
    for _ in range(5):
        started = time.process_time()
        lw.sweep(path, over, outputs=outputs, workers=1)
        whole.append(time.process_time() - started)
        started = time.process_time()
        for torque in over["parameters.torque"]:
            made = lw.load_scene(path, changes={"parameters.torque": torque})
            made.simulation().run(made.run.until)
        own.append(time.process_time() - started)
        started = time.process_time()
        for _ in range(count):
            made.simulation().run(made.run.until)
        bare.append(time.process_time() - started)
    loaded, alone = (1e3 * (min(whole) - min(each)) / count for each in (own, bare))
    print(
        f"single: {alone:.2f} ms beyond scene.simulation().run(...) of {1e3 * min(bare) / count:.1f} ms, start-up "
        f"included; {loaded:.2f} ms where load_scene is part of it"
    )


def waiting(x):
    """50 ms that take no processor: what is left is the sweep's own."""
    time.sleep(0.05)
    return x


def working(x):
    """50 ms of the processor, however many others want it."""
    until, total = time.process_time() + 0.05, 0.0
    while time.process_time() < until:
        total += sum(range(1000))
    return total + x


def efficiency(count=80):
    """Two workers after one, processes both; then beside as many plain processes that do the same at the same time.

    On cores that others use as well two of anything are less than twice one. What the plain processes get done
    meanwhile, with nobody to hand out runs or to collect rows, is what the machine gives; and the share of their time
    that workers spend inside runs is the sweep's own doing alone.
    """
    for function in (waiting, working):
        one, two = (max(_swept_rate(function, count, workers, 0)[0] for _ in range(3)) for workers in (1, 2))
        ours, plain, busy = zip(*(_swept_rate(function, count, workers, workers) for workers in (1, 2)), strict=True)
        print(
            f"two workers, {function.__name__}: {two:.2f} runs/s, {two / (2 * one):.3f} of twice one; "
            f"{ours[1] / plain[1]:.3f} of two plain processes beside them (one {ours[0] / plain[0]:.3f}); inside runs "
            f"{busy[1]:.3f} of their time (one {busy[0]:.3f})"
        )


def _swept_rate(function, count, workers, others):
    """Runs per second, by the sweep and by plain processes beside it; and the workers' share of time inside runs."""
    from linkwork.sweeps.engine import Engine
    from linkwork.sweeps.job import FunctionJob
    from linkwork.sweeps.store import Store
    from linkwork.sweeps.workers import Processes

    with tempfile.TemporaryDirectory() as folder:
        job = FunctionJob(function, Space({"x": np.arange(count)}, None, 0), ["value"])
        pool = Processes(job, workers)
        for _ in range(2 * workers):  # they are there
            pool.start(np.arange(2))
        while pool._chunks:
            pool.finished()
        store = Store(Path(folder) / "sweep.h5", {"keys": ["x"], "columns": ["value"]}, count)
        line = [sys.executable, __file__, "plain", function.__name__]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        beside = [subprocess.Popen(line, **pipes) for _ in range(others)]
        for process in beside:
            process.stdout.readline()
        started = time.perf_counter()
        for process in beside:
            process.stdin.write("go\n")
            process.stdin.flush()
        Engine(job, pool, store, lambda done: None).run()
        wall = time.perf_counter() - started
        made = sum(float(process.communicate("stop\n")[0]) for process in beside)
        with h5py.File(Path(folder) / "sweep.h5") as file:
            inside = file["seconds"][:].sum()
    return count / wall, made, inside / (workers * wall)


def plain(name):
    """What `_swept_rate` starts beside a sweep: run after run from "go" to "stop"; prints how many per second."""
    print("ready", flush=True)
    sys.stdin.readline()
    started, made = time.perf_counter(), 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        {"waiting": waiting, "working": working}[name](np.float64(made))
        made += 1
    print(made / (time.perf_counter() - started))


def rows(count=1_000_000):
    """A million rows: the memory of the process that collects."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.h5"
        code = (
            "import sys, resource, time, linkwork as lw\n"
            "def row(x, y): return {'sum': x + y, 'product': x * y}\n"
            "over = {'x': 'uniform(0, 1)', 'y': 'normal(0, 1)'}\n"
            "start = time.perf_counter()\n"
            f"table = lw.sweep(row, over, samples={count}, store=sys.argv[1], workers=2)\n"
            "wall = time.perf_counter() - start\n"
            "print(f'{len(table):,} rows in {wall:.1f} s; the process that collects had '\n"
            "      f'{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most')\n"
        )
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)


PARTS = {"command": command, "packed": packed, "single": single, "efficiency": efficiency, "rows": rows}

if __name__ == "__main__":
    if sys.argv[1:2] == ["plain"]:
        plain(*sys.argv[2:])
        sys.exit()
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
