"""How much a joint or a contact bears before it breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Strength:
    """What a joint or a contact bears; beyond either it breaks in a simulation.

    Parameters
    ----------
    force : float
        Greatest force, N.
    torque : float
        Greatest torque about the origin of the joint's frame, N m. Contacts bear none.

    Examples
    --------
    >>> import linkwork as lw
    >>> four_bar = lw.samples.four_bar()
    >>> four_bar.set_strength("crank", lw.Strength(force=200.0))
    >>> four_bar.strengths["crank"].force
    200.0
    """

    force: float = np.inf
    torque: float = np.inf

    def __post_init__(self):
        for name in ("force", "torque"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not value > 0.0:
                raise ArgumentError(f"{name} of a strength must be a positive number, not {value!r}")
            object.__setattr__(self, name, float(value))

    def left(self, wrench) -> float:
        """The share of the strength that a wrench (force, torque) leaves; negative where it breaks."""
        force, torque = float(np.linalg.norm(wrench[:3])), float(np.linalg.norm(wrench[3:]))
        return 1.0 - max(force / self.force, torque / self.torque)


def strength_of(value: Any) -> Strength | None:
    """A strength as users give it: None, a `Strength`, or a number for the force alone, N."""
    if value is None or isinstance(value, Strength):
        return value
    return Strength(force=value)
