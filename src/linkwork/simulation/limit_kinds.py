"""What joints can do at their limits: what a user chooses, before any linkage is known."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from linkwork.errors import ArgumentError, unknown_name


@dataclass(frozen=True, slots=True)
class Compliant:
    """A spring and a damper beyond each limit, which push and never pull.

    Parameters
    ----------
    frequency : float, optional
        Natural frequency in rad/s of the joint against its limit, all other joints free. Default 0.22/dt, which every
        integrator resolves: a joint that arrives with speed v goes 1.8 v dt too far.
    damping_ratio : float
        1 is critical. The damper's force is at most 20 times the spring's, so that it does not jump at the limit.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(1, joint=lw.Revolute("y", limits=(-0.1, 0.1)))
    >>> sim = lw.Simulation(arm, [0.0], [1.0], dt=1e-3, limits=lw.Compliant())
    >>> bool(sim.run(until=0.5).q.max() < 0.11)
    True
    """

    frequency: float | None = None
    damping_ratio: float = 1.0


@dataclass(frozen=True, slots=True)
class Impulsive:
    """An impulse at the instant a limit is reached; after it the joint bounces, or rests there while pushed against it.

    Parameters
    ----------
    restitution : float
        Share of the speed that is kept, 0 … 1.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(1, joint=lw.Revolute("y", limits=(-0.1, 0.1)))
    >>> sim = lw.Simulation(arm, [0.0], [1.0], dt=1e-3, limits=lw.Impulsive(restitution=0.5))
    >>> bool(sim.run(until=0.5).q.max() < 0.1 + 1e-9)
    True
    """

    restitution: float = 0.0


CHOICES = {"compliant": Compliant(), "impulsive": Impulsive(), "ignore": None}


def chosen(limits) -> Compliant | Impulsive | None:
    """The kind of limits that a user's choice, or what `described` made of it, stands for."""
    if isinstance(limits, dict):
        kinds = {kind.__name__: kind for kind in (Compliant, Impulsive)}
        limits = kinds[limits["kind"]](**{key: value for key, value in limits.items() if key != "kind"})
    elif isinstance(limits, str) and limits in CHOICES:
        limits = CHOICES[limits]
    elif limits is not None and not isinstance(limits, Compliant | Impulsive):
        raise unknown_name("limits", limits, list(CHOICES))
    if isinstance(limits, Impulsive) and not 0.0 <= limits.restitution <= 1.0:
        raise ArgumentError(f"restitution must be 0 … 1, not {limits.restitution!r}")
    if isinstance(limits, Compliant) and not (limits.damping_ratio >= 0.0 and (limits.frequency or 1.0) > 0.0):
        raise ArgumentError("compliant limits need a positive frequency and a damping_ratio of at least 0")
    return limits


def described(limits: Compliant | Impulsive | None) -> dict[str, Any] | None:
    """The choice as plain values."""
    return None if limits is None else {"kind": type(limits).__name__} | asdict(limits)
