"""What a newcomer waits for: first runs with an empty cache, and later ones, in CPU seconds of a process of its own.

    python benchmarks/first_use.py [example ...]

Prints the first and the second run of every example, of a first `forward_dynamics` and of a first batch, beside their
budgets: exit code 1 where one is missed. Takes some minutes for all examples; run it on a quiet machine.
"""

import os
import resource
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
FIRST = {"double-pendulum": 10.0, "forward_dynamics": 4.0, "batch of forward_dynamics": 7.0}  # others: EXAMPLE
EXAMPLE, LATER = 18.0, 2.5


def cpu_seconds(command, folder):
    """CPU time of a command that keeps compiled kernels in this folder."""
    source = str(Path(lw.__file__).parents[1])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"LINKWORK_CACHE_DIR": str(Path(folder) / "kernels"), "PYTHONPATH": path}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(chosen):
    commands = {name: ["-c", f"import linkwork as lw; {code}"] for name, code in CALLS.items()}
    commands |= {name: ["-m", "linkwork", "simulate", name] for name in chosen or examples.names()}
    missed = 0
    print(f"{'CPU seconds':28} {'first':>7} {'budget':>7} {'later':>7} {'budget':>7}")
    for name, command in commands.items():
        with tempfile.TemporaryDirectory() as folder:
            first, later = cpu_seconds(command, folder), cpu_seconds(command, folder)
        budget = FIRST.get(name, EXAMPLE)
        missed += first > budget or later > LATER
        print(f"{name:28} {first:7.1f} {budget:7.1f} {later:7.1f} {LATER:7.1f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
