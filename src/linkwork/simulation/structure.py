"""Changes of structure during a simulation: the state is carried over, and velocities jump where they must."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwork.errors import LinkworkError, StructureError
from linkwork.linkage.change import Change
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.engine import Engine
from linkwork.simulation.stepper import Stepper

CLOSED = 1e-6  # rad or m: coordinates that must move more than this to close a loop leave a gap


def refuse_off_surface(linkage: Linkage, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Raise where a point is not on its surface, or moves off it."""
    if not linkage.contact_records:
        return
    from linkwork.dynamics.contact_state import touch

    found = touch(linkage, q, v, t)
    off = ("is off its surface by", found.gap, "m"), ("leaves its surface with", found.rate, "m/s")
    for what, values, unit in off:
        worst = int(np.abs(values).argmax())
        if abs(values[worst]) > CLOSED:
            raise StructureError(
                f"contact {linkage.contacts.names[worst]!r} {what} {values[worst]:.3g} {unit} at the start: "
                "start on the surface (linkwork.close_loops and consistent_velocity find such a state), or give "
                "close=True"
            )


def change(engine: Engine, what: str, make: Callable[[], Change], *, close: bool | None = None) -> Change:
    """Change the structure and carry the state over.

    For a new constraint `close` says whether the state may be moved onto it; None is for what takes constraints away.
    """
    stepper = engine.stepper
    with engine.event("call", what) as note:
        made = make()
        _, note.v = made.carry(stepper.q, note.v)
        stepper.q, stepper.v = made.carry(stepper.q, stepper.v)
        if close is not None:
            _bring_onto(engine.linkage, stepper, made, close)
    return made


def _bring_onto(linkage: Linkage, stepper: Stepper, change: Change, close: bool) -> None:
    """Bring the state onto a new constraint; without success the constraint goes again."""
    from linkwork.dynamics import closed

    try:
        q = closed.close_loops(linkage, stepper.q, t=stepper.t)
        gap = float(np.abs(linkage.difference(stepper.q, q)).max())
        if gap > CLOSED and not close:
            raise StructureError(
                f"{change.kind} {change.joint!r}: the two sides do not meet, coordinates would move by {gap:.3g}; "
                "bring them together first, or give close=True"
            )
        v = closed.velocity_jump(linkage, q, stepper.v, change.joint, t=stepper.t).v
    except LinkworkError:
        undone = linkage.cut(change.joint) if change.kind == "connect" else linkage.release(change.joint)
        stepper.q, stepper.v = undone.carry(stepper.q, stepper.v)
        raise
    stepper.q, stepper.v = q, v
