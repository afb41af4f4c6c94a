"""What a newcomer waits for: first runs with an empty cache, and later ones, in CPU seconds of a process of its own.

    python benchmarks/first_use.py [example ...]

Prints the first and the second run of every example, of a first `forward_dynamics`, of a first batch and of `linkwork
warmup`, beside their budgets: exit code 1 where one is missed. They run from a copy of the package with its bytecode,
as `pip install` leaves it. Takes some minutes for all examples; run it on a quiet machine.
"""

import compileall
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import linkwork as lw
from linkwork import examples

CALLS = {
    "forward_dynamics": "lw.forward_dynamics(lw.samples.chain(3), [0.1, 0.2, 0.3], [0.0] * 3)",
    "batch of forward_dynamics": "lw.forward_dynamics(lw.samples.chain(3), [[0.1, 0.2, 0.3]] * 99, [[0.0] * 3] * 99)",
}
FIRST = {"double-pendulum": 10.0, "forward_dynamics": 4.0, "batch of forward_dynamics": 7.0, "warmup": 90.0}
LATER = {"double-pendulum": 1.5, "double-pendulum, no picture": 1.0, "warmup": 30.0}
OTHERS, OTHERS_LATER = 18.0, 2.5  # the latter besides the time that the motion itself takes


def install(folder):
    """Copy the package and compile its bytecode."""
    shutil.copytree(Path(lw.__file__).parent, folder / "linkwork", ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(folder, quiet=1)


def cpu_seconds(command, site, folder):
    """CPU time of a command that keeps compiled kernels in this folder, and what it printed."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"LINKWORK_CACHE_DIR": str(Path(folder) / "kernels"), "PYTHONPATH": path}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, *command], cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, run.stdout


def main(chosen):
    commands = {name: ["-c", f"import linkwork as lw; {code}"] for name, code in CALLS.items()}
    commands |= {name: ["-m", "linkwork", "simulate", name, "--json"] for name in chosen or examples.names()}
    if not chosen:
        commands["warmup"] = ["-m", "linkwork", "warmup"]
    missed = 0
    print(f"{'CPU seconds':28} {'first':>7} {'budget':>7} {'later':>7} {'budget':>7}")
    with tempfile.TemporaryDirectory() as site:
        install(Path(site))
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                runs = {name: (cpu_seconds(command, site, folder), cpu_seconds(command, site, folder))}
                if f"{name}, no picture" in LATER:
                    later = cpu_seconds([*command, "--plot", "none"], site, folder)
                    runs[f"{name}, no picture"] = None, later
            for what, (first, later) in runs.items():
                own = json.loads(later[1])["wall_time"] if later[1].startswith(b"{") else 0.0
                budget, later_budget = FIRST.get(what, OTHERS), LATER.get(what, OTHERS_LATER + own)
                missed += (first is not None and first[0] > budget) or later[0] > later_budget
                columns = f"{first[0]:7.1f} {budget:7.1f}" if first else " " * 15
                print(f"{what:28} {columns} {later[0]:7.2f} {later_budget:7.2f}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
