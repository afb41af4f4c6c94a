"""The long chain that every library builds: the hinged rods of `linkwork.samples.chain`, and the state they are in."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

LENGTH, MASS, ACROSS, ALONG = 1.0, 1.0, 1 / 12 + 1 / 1600, 1 / 800  # a rod, its inertia about its centre


class Chain(NamedTuple):
    """Accelerations of the joints (n,), and the call that is timed."""

    accelerations: Callable[[], np.ndarray]
    call: Callable[[], object]


def state(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Angles and rates of a chain's joints: small, so that the result is well-conditioned at any length."""
    rng = np.random.default_rng(0)
    return 0.3 * rng.normal(size=n) / np.sqrt(n), 0.1 * rng.normal(size=n) / np.sqrt(n)
