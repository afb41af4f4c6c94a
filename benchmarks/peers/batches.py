"""Batches and rollouts on real robots, beside other libraries: the same states, results checked, then timed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

import numpy as np

from benchmarks.peers.contender import Contender
from benchmarks.peers.robots import FILES, Robot, installed

STATES = 4096
TURN = 5e-3  # s
MEASURES = {  # the function of a library's module here
    "forward dynamics": "forward",
    "inverse dynamics": "inverse",
    "mass matrix": "matrix",
    "its nonzeros": "nonzeros",
    "rollout": "rollout",
}
_PEERS = {"pinocchio": "pinocchio", "mujoco": "mujoco", "pydrake": "drake"}  # what must be installed: the module here


class Row(NamedTuple):
    """One row of the table: a contender's time, and our speed over its own (of threads: over one thread)."""

    robot: str
    measure: str
    contender: str
    microseconds: float
    ratio: float
    budget: float | None

    @property
    def met(self) -> bool | None:
        """Whether the ratio reaches the budget."""
        return None if self.budget is None else self.ratio >= self.budget


def compare(*, peers: bool = True, robots=tuple(FILES), rounds: int = 12, states: int = STATES) -> Iterator[Row]:
    """Time every contender for every measure on every robot, one core each unless its name says otherwise."""
    names = ["ours", *(name for module, name in _PEERS.items() if peers and installed(module))]
    libraries = [import_module(f"benchmarks.peers.{name}") for name in names]
    for name in robots:
        robot = Robot(name, states)
        for measure, function in MEASURES.items():
            able = [library for library in libraries if hasattr(library, function)]
            contenders = [contender for library in able for contender in getattr(library, function)(robot)]
            check(contenders, f"{name}, {measure}")
            times = _best_times(contenders, rounds)
            for contender, seconds in zip(contenders, times, strict=True):
                ratio = seconds / times[0]
                if contender.name.endswith("threads"):
                    ratio = 1 / ratio
                yield Row(name, measure, contender.name, 1e6 * seconds, ratio, contender.budget)


def check(contenders: list[Contender], what: str) -> None:
    """Stop where a result differs from ours."""
    if contenders[0].result is None:
        return
    reference = contenders[0].result()
    for contender in contenders[1:]:
        if contender.result is not None:
            error = np.abs(contender.result() - reference).max() / np.abs(reference).max()
            if not error < contender.tolerance:
                raise SystemExit(f"{what}: {contender.name} differs by {error:.1e}: nothing is timed")


def _best_times(contenders: list[Contender], rounds: int) -> list[float]:
    """Seconds per state: the best of `rounds` rounds, in turns, so that a busy machine slows all alike.

    In each round a contender is called for `TURN` seconds, and at least once: its first call finds the caches full of
    the others' data.
    """
    for contender in contenders:
        contender.call()
    best = [np.inf] * len(contenders)
    for _ in range(rounds):
        for k, contender in enumerate(contenders):
            end = time.perf_counter() + TURN
            while True:
                start = contender.clock()
                contender.call()
                best[k] = min(best[k], (contender.clock() - start) / contender.states)
                if time.perf_counter() >= end:
                    break
    return best
