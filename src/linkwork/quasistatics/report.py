"""What a step of an adaptive simulation tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step, or a refinement, has done.

    Attributes
    ----------
    computed : int
        Joints whose accelerations were computed; all others are taken as zero.
    error_bound : float
        The true error, in the measure of the simulation, is at most this, rounding included.
    noise_floor : float
        What rounding alone may amount to, in the same measure; no smaller bound is ever given.
    claimed : bool
        Whether the bound is within the tolerance. It is not where the tolerance is below the noise floor, or where a
        refinement stopped early.
    updated_nodes : int
        Nodes of the assembly tree that were brought up to date after the step.
    exact : bool
        Whether the step was the exact O(N) one, because too many joints mattered.
    gap : float
        Largest error of a loop joint, m or rad, before the step.
    """

    computed: int
    error_bound: float
    noise_floor: float
    claimed: bool
    updated_nodes: int = 0
    exact: bool = False
    gap: float = 0.0

    def __repr__(self) -> str:
        how = "exact, " if self.exact else ""
        claim = "" if self.claimed else ", above the tolerance"
        return f"StepReport({how}{self.computed} joints computed, error <= {self.error_bound:.2g}{claim})"
