"""A contender of the benchmark: its name, what is timed, what it returns and our budget against it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

LOOP = 256  # states in a loop of single calls
EQUAL = 1e-7  # relative to the largest entry: exact algorithms, and the condition of the mass matrix


class Contender(NamedTuple):
    """Its name, what is timed, how many states (or steps) that is, its result in our layout, and our budget."""

    name: str
    call: Callable[[], object]
    states: int
    result: Callable[[], np.ndarray] | None = None  # of the first LOOP states
    budget: float | None = None  # our speed over its own, one core each, at least
    clock: Callable[[], float] = time.process_time  # the time of one core: other programs do not count
    tolerance: float = EQUAL


def loop(name, one, back, budget=None, tolerance=EQUAL) -> Contender:
    """A contender that calls `one` for each of the first states; `back` turns the results into our layout."""

    def call():
        for k in range(LOOP):
            one(k)

    def result():
        return back(np.array([np.copy(one(k)) for k in range(LOOP)]))

    return Contender(name, call, LOOP, result, budget, tolerance=tolerance)
