"""`import linkwork` is cheap: heavy packages load when they are used."""

import json
import subprocess
import sys
import time

HEAVY = ["numba", "scipy", "matplotlib", "lxml", "h5py", "yaml", "msgspec", "typer", "rich"]
BUDGET = 0.25  # seconds, beyond the start of the interpreter itself


def seconds_to_run(program):
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start


def test_import_loads_no_heavy_package():
    program = f"import json, sys, linkwork; print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert json.loads(run.stdout) == []


def test_import_time_is_within_budget():
    # Interleaved, and the best of five, so that a busy machine slows both sides alike.
    runs = [(seconds_to_run("pass"), seconds_to_run("import linkwork")) for _ in range(5)]
    bare, imported = map(min, zip(*runs, strict=True))
    assert imported - bare <= BUDGET
