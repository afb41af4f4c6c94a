"""What a call costs before any joint is computed, and what first use costs.

Single calls on chains of 1 to 50 hinges: a straight line through the times gives the overhead of a call and the time
per joint. Then, in processes of their own: importing, the first call ever (with an empty folder of compiled kernels)
and the first call of a later process. Ends with the budgets: exit code 1 where one is missed.

    python benchmarks/call_overhead.py
"""

import os
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path

import numpy as np

import linkwork as lw

SIZES = (1, 2, 6, 12, 25, 50)
FIRST_USE = """
import time
start = time.perf_counter()
import linkwork as lw
imported = time.perf_counter()
arm = lw.samples.chain(3)
lw.forward_dynamics(arm, [0.1, 0.2, 0.3], [0.0, 0.0, 0.0])
print(imported - start, time.perf_counter() - imported)
"""


def best(function, number=2000, repeat=25):
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number


def single_calls():
    print(f"{'call':18} {'overhead [µs]':>14} {'per joint [ns]':>15}")
    for name, call in {
        "forward_dynamics": lambda arm, q, v, x: lambda: lw.forward_dynamics(arm, q, v, x),
        "inverse_dynamics": lambda arm, q, v, x: lambda: lw.inverse_dynamics(arm, q, v, x),
        "mass_matrix": lambda arm, q, v, x: lambda: lw.mass_matrix(arm, q),
        "body_poses": lambda arm, q, v, x: lambda: lw.body_poses(arm, q),
    }.items():
        times = []
        for n in SIZES:
            arm = lw.samples.chain(n)
            function = call(arm, *np.random.default_rng(0).normal(size=(3, n)))
            function()
            times.append(best(function))
        slope, overhead = np.polyfit(SIZES, times, 1)
        print(f"{name:18} {1e6 * overhead:14.2f} {1e9 * slope:15.1f}")


def first_use():
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"LINKWORK_CACHE_DIR": folder}
        source = str(Path(lw.__file__).parents[1])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [source, environment.get("PYTHONPATH")]))
        runs = []
        for _ in range(6):
            result = subprocess.run([sys.executable, "-c", FIRST_USE], env=environment, capture_output=True, check=True)
            runs.append([float(x) for x in result.stdout.split()])
    later = min(runs[1:], key=sum)
    for what, value, budget in (
        ("import linkwork [s]", min(r[0] for r in runs), 0.25),
        ("first forward dynamics ever [s]", runs[0][1], 8.0),
        ("in a later process, import included [s]", sum(later), 1.0),
    ):
        missed += value > budget
        print(f"{what:42} {value:7.3f}  budget {budget:g}  {'ok' if value <= budget else 'MISSED'}")
    return missed


if __name__ == "__main__":
    single_calls()
    raise SystemExit(first_use() > 0)
