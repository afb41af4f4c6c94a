"""Modes of pairs of shapes in time stepping: as they are from step to step, and what is told of them.

``memory`` has one row per pair: the mode that was told, the present one, for how many steps, the one before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from linkwork.kernels.contact.modes import MODES, OPEN, SLIP, STICK
from linkwork.kernels.layout.shapes import C_PAIR
from linkwork.simulation.segment import Event

PATIENT = 3  # steps that a new mode must last to be told


def changes(
    memory: np.ndarray, names: Sequence[tuple[str, str]], t: float, dt: float, v: np.ndarray, before: np.ndarray,
    lost: float,
) -> Iterator[Event]:  # fmt: skip
    """The pairs whose modes have changed, which are told by this.

    The last step ended at t with v; `before` is the velocity before it, `lost` the energy that it took.
    """
    told, now, lasting = memory[:, 0], memory[:, 1], memory[:, 2]
    for p in np.flatnonzero((told != now) & ((told == OPEN) | (lasting >= PATIENT))).tolist():
        a, b = names[p]
        verb = "touches" if told[p] == OPEN else "leaves" if now[p] == OPEN else f"{MODES[now[p]]}s on"
        landed = told[p] == OPEN
        since = t - dt * (0.5 + (0.0 if landed else 2.0))
        jump = v - before if landed else np.zeros_like(v)
        yield Event(since, "contact", f"{b!r} {verb} {a!r}", jump, lost if landed else 0.0)
        told[p] = now[p]


def follow(n: int, contacts: np.ndarray, modes: np.ndarray, memory: np.ndarray) -> bool:
    """`linkwork.kernels.motion.contact_stepping.tell`, for steps that Python makes."""
    memory[:, 3], memory[:, 1] = memory[:, 1].copy(), OPEN
    for p, mode in zip(contacts[:n, C_PAIR].astype(np.int64), modes[:n], strict=True):
        if mode == STICK or (mode == SLIP and memory[p, 1] == OPEN):
            memory[p, 1] = mode
    memory[:, 2] = np.where(memory[:, 1] == memory[:, 3], memory[:, 2] + 1, 1)
    told, now = memory[:, 0], memory[:, 1]
    return bool(((told != now) & ((told == OPEN) | (memory[:, 2] >= PATIENT))).any())
