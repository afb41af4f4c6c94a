"""Simulations against the bare kernel calls they are made of, as ratios of one run.

    python benchmarks/simulation.py [--steps 100000] [--rounds 5]

A step of rk4 is four evaluations of forward dynamics. *Bare* is the time of those evaluations alone, called in a
compiled loop that does nothing else; a time is processor time, the best of several rounds taken in turns, so that
a busy machine matters little. The arm has seven hinges, so its state is recorded at every step as 31 numbers.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit

import linkwork as lw
from linkwork.kernels.tree.aba import aba

BUDGET_RATIO, BUDGET_CONTROLLER = 1.5, 15.0  # of compiled steps; µs per step of a Python controller


@njit
def bare_calls(count, model, index, work, q, v, tau, a):
    for _ in range(count):
        aba(model, index, work, 0, q, v, tau, a)


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def no_torque(sim):
    return np.zeros(7)


def best(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The best time of each, taken in turns."""
    for call in calls.values():
        call()
    times = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            times[name] = min(times[name], seconds(call))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    arm, dt = lw.samples.chain(7), 1e-3
    q, tree, few = np.full(7, 0.3), lw.samples.chain(7).tree, options.steps // 10

    def run(steps, **settings):
        return lambda: lw.Simulation(arm, q, dt=dt, **settings).run(steps * dt)

    def bare(steps):
        work, zero, a = np.empty(tree.work_size), np.zeros(7), np.zeros(7)
        return lambda: bare_calls(4 * steps, tree.model, tree.index, work, q, zero, zero, a)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.h5"
        times = best(
            {
                "bare calls": bare(options.steps),
                "rk4, in memory": run(options.steps),
                "rk4, to a file": run(options.steps, record=file),
                "a tenth: bare calls": bare(few),
                "a tenth: controller": run(few, controller=no_torque),
                "a tenth: forces": run(few, forces=lambda t, q, v: np.zeros(7)),
                "a tenth: event watched": lambda: watched(few, arm, q, dt),
                "a tenth: semi-implicit": run(few, integrator="semi-implicit"),
                "a tenth: implicit-midpoint": run(few, integrator="implicit-midpoint"),
            },
            options.rounds,
        )
    for name, taken in times.items():
        steps = few if name.startswith("a tenth") else options.steps
        print(f"{name:28s} {taken / steps * 1e6:8.2f} µs per step")
    ratio = times["rk4, in memory"] / times["bare calls"]
    above = (times["a tenth: controller"] - times["a tenth: bare calls"]) / few * 1e6
    print(f"compiled steps over bare calls: {ratio:.2f}   (budget {BUDGET_RATIO})")
    print(f"a Python controller, above bare calls: {above:.1f} µs per step   (budget {BUDGET_CONTROLLER:g})")


def watched(steps, arm, q, dt):
    sim = lw.Simulation(arm, q, dt=dt)
    sim.when(lambda sim: sim.t - 1e9, lambda sim: None)
    sim.run(steps * dt)


if __name__ == "__main__":
    main()
