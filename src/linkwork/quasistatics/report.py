"""What a step of an adaptive simulation tells."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True)
class ComputedJoints:
    """Which joints a step has computed: nodes of the assembly tree, read when asked for."""

    nodes: np.ndarray | None  # that were opened; None means all
    stage_of: np.ndarray  # the stage of each node's joint, −1 where it has none
    joint_of: np.ndarray  # the joint of each stage
    names: list[str]

    def indices(self) -> np.ndarray:
        """Rows of the joints in the linkage, in increasing order."""
        stages = self.stage_of if self.nodes is None else self.stage_of[self.nodes]
        return np.unique(self.joint_of[stages[stages >= 0]])


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step, or a refinement, has done.

    Attributes
    ----------
    computed : int
        How many joints were computed, each counted once whatever its degrees of freedom; all others are held.
    error_bound : float
        The true error, in the measure of the simulation, is at most this, rounding included.
    noise_floor : float
        What rounding alone may amount to, in the same measure; no smaller bound is ever given.
    claimed : bool
        Whether the bound is within the tolerance. It is not where the tolerance is below the noise floor, or where a
        refinement stopped early.
    updated_nodes : int
        Nodes of the assembly tree that were brought up to date for the step.
    exact : bool
        Whether the step was the exact O(N) one, because too many joints mattered.
    gap : float
        Largest error of a loop joint, m or rad, before the step.
    energy_lost : float
        Kinetic energy that bringing joints to rest has cost in this step of dynamics, J.

    Examples
    --------
    >>> import linkwork as lw
    >>> chain = lw.samples.chain(1000)
    >>> chain.gravity = (0, 0, 0)
    >>> ad = lw.AdaptiveSimulation(chain, chain.neutral(), tolerance=1e-3)
    >>> ad.apply_force("link999", (1.0, 0.0, 0.0))
    >>> report = ad.step()
    >>> report.computed == len(report.joints)
    True
    """

    computed: int
    error_bound: float
    noise_floor: float
    claimed: bool
    updated_nodes: int = 0
    exact: bool = False
    gap: float = 0.0
    energy_lost: float = 0.0
    _joints: ComputedJoints | None = field(default=None, compare=False)

    @property
    def joint_indices(self) -> np.ndarray:
        """Rows in the linkage of the joints that were computed, in increasing order."""
        return np.empty(0, np.int64) if self._joints is None else self._joints.indices()

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints that were computed, in the order of the linkage."""
        return () if self._joints is None else tuple(self._joints.names[k] for k in self._joints.indices().tolist())

    def __repr__(self) -> str:
        how = "exact, " if self.exact else ""
        claim = "" if self.claimed else ", above the tolerance"
        return f"StepReport({how}{self.computed} joints computed, error <= {self.error_bound:.2g}{claim})"
