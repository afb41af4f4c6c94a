"""Forward dynamics of long chains and large trees: each library up to where it stops, with time and memory.

Every case runs in a process of its own, under limits of memory and time: some peers take all the machine has.
``python -m benchmarks.peers.long linkwork chain 1000`` runs one case and prints its figures as JSON.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.peers.robots import installed

ROOT = Path(__file__).parents[2]
CHAINS = (100, 300, 700, 1000, 1500, 5000, 10_000, 50_000)
TREES = (50_000, 1_000_000)
MEMORY = 16 * 2**30  # bytes that a case may take,
SHARE = 0.8  # or this share of what the machine has, if that is less
PATIENCE = 90.0  # seconds that it may take
_BUDGET = (50_000, 200.0)  # joints of a tree, and our nanoseconds per joint there, at most
_EQUAL = 1e-3  # relative to the largest entry: how well the mass matrix of the longest chains can be solved with
_PEERS = {  # name in the table: what must be installed, the module here and its function for chains
    "linkwork": ("linkwork", "ours", "chain"),
    "Pinocchio": ("pinocchio", "pinocchio", "chain"),
    "MuJoCo": ("mujoco", "mujoco", "chain"),
    "Drake": ("pydrake", "drake", "chain"),
    "Exudyn, tree": ("exudyn", "exudyn", "chain_tree"),
    "Exudyn, bodies": ("exudyn", "exudyn", "chain_bodies"),
}


class Case(NamedTuple):
    """A library, a shape and a number of joints; what it took, or why it failed."""

    peer: str
    shape: str
    joints: int
    build_seconds: float | None = None
    first_seconds: float | None = None  # of the first call, which for us packs the model
    seconds: float | None = None
    megabytes: float | None = None
    error: float | None = None  # of the accelerations, relative to our largest
    failure: str | None = None

    @property
    def budget(self) -> float | None:
        """Nanoseconds per joint, at most, where there is a budget."""
        joints, nanoseconds = _BUDGET
        return nanoseconds if (self.peer, self.shape, self.joints) == ("linkwork", "tree", joints) else None

    @property
    def met(self) -> bool | None:
        """Whether it is within the budget."""
        return None if self.budget is None else self.nanoseconds <= self.budget

    @property
    def nanoseconds(self) -> float:
        """Nanoseconds of one call per joint."""
        return math.nan if self.seconds is None else 1e9 * self.seconds / self.joints


def compare(*, peers: bool = True, chains=CHAINS, trees=TREES) -> Iterator[Case]:
    """Every library at every length up to the first at which it fails, then our largest trees."""
    for peer in _PEERS if peers else ["linkwork"]:
        if not installed(_PEERS[peer][0]):
            yield Case(peer, "chain", 0, failure="not installed")
            continue
        for n in chains:
            case = run(peer, "chain", n)
            yield case
            if case.failure:
                break
    for n in trees:
        yield run("linkwork", "tree", n)


def run(peer: str, shape: str, joints: int) -> Case:
    """One case in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.peers.long", peer, shape, str(joints)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return Case(peer, shape, joints, failure=f"takes more than {PATIENCE:.0f} s")
    lines = done.stdout.splitlines()
    if done.returncode == 0 and lines:
        case = Case(peer, shape, joints, **json.loads(lines[-1]))
        if case.error is None or case.error < _EQUAL:
            return case
        return Case(peer, shape, joints, error=case.error, failure=f"differs from ours by {case.error:.1e}")
    out_of_memory = any(word in done.stderr for word in ("MemoryError", "bad_alloc", "bad allocation", "allocate"))
    if out_of_memory or done.returncode < 0:
        return Case(peer, shape, joints, failure=f"takes more than {_memory() / 2**30:.0f} GiB")
    reasons = [line for line in done.stderr.splitlines() if "Error" in line]
    reason = reasons[-1].split(": ")[-1][:80] if reasons else f"exit code {done.returncode}"
    return Case(peer, shape, joints, failure=reason)


def _measure(peer: str, shape: str, n: int) -> dict[str, float]:
    """Build, check, then take the best of a few calls; memory beyond that of a chain of one."""
    ours = import_module("benchmarks.peers.ours")
    _, module, function = _PEERS[peer]
    build = getattr(import_module(f"benchmarks.peers.{module}"), function if shape == "chain" else shape)
    ours.chain(1).call()
    build(1).call()
    before = _peak_memory()
    start = time.perf_counter()
    chain = build(n)
    built = time.perf_counter()
    result = np.copy(chain.accelerations())
    first = time.perf_counter()
    figures = {"build_seconds": built - start, "first_seconds": first - built}
    figures["megabytes"] = (_peak_memory() - before) / 1e6
    if not np.isfinite(result).all():
        raise SystemExit("Error: the result is not finite")
    if peer != "linkwork":
        expected = ours.chain(n).accelerations()
        figures["error"] = float(np.abs(result - expected).max() / np.abs(expected).max())
    times = []
    while not times or (sum(times) < 0.5 and len(times) < 200):
        start = time.perf_counter()
        chain.call()
        times.append(time.perf_counter() - start)
    return figures | {"seconds": min(times)}


def _memory() -> int:
    """Bytes a case may take on this machine."""
    return min(MEMORY, int(SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")))


def _bound() -> None:
    """Bound the memory of this process, and make it the first that the system ends if memory runs out all the same."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (_memory(), _memory()))
    Path("/proc/self/oom_score_adj").write_text("1000")


def _peak_memory() -> int:
    """Largest resident memory of this process so far, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return 1024 * int(line.split()[1])
    return 0


if __name__ == "__main__":
    _bound()
    sys.stdout.write("\n" + json.dumps(_measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
