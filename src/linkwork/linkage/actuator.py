"""What drives joints in the file that a linkage comes from: data for controllers, not for dynamics."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actuator:
    """One actuator of a file, on one tree joint.

    Parameters
    ----------
    name : str
        Its name in the file.
    joint : str
        The joint that it drives.
    gear : tuple of float
        What its force is multiplied by, one number per degree of freedom of the joint: tau = gear · force.
    transmission : str
        ``"joint"``, or ``"jointinparent"``: then the gear of a ball or free joint is in the parent's frame.
    control, force : (lower, upper) or None
        Ranges of what is commanded, in the actuator's own units, and of its force, N or N m; None: without limits.

    Examples
    --------
    >>> import linkwork as lw
    >>> motor = lw.Actuator("motor", "link2", gear=(50.0,), force=(-2.0, 2.0))
    >>> motor.joint, motor.gear
    ('link2', (50.0,))
    """

    name: str
    joint: str
    gear: tuple[float, ...] = (1.0,)
    transmission: str = "joint"
    control: tuple[float, float] | None = None
    force: tuple[float, float] | None = None
