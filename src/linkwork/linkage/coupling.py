"""Couplings: one joint's coordinate follows another's, as gears, belts and mirrored gripper fingers do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coupling:
    """The constraint q(joint) = multiplier · q(of) + offset between two joints of one degree of freedom each.

    Parameters
    ----------
    joint, of : str
        Names of the joint that follows and of the one that leads.
    multiplier : float
        In rad/rad, m/rad, ... as the two joints have it.
    offset : float
        In rad or m.
    """

    joint: str
    of: str
    multiplier: float = 1.0
    offset: float = 0.0
