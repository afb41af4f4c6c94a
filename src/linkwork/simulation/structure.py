"""Changes of structure during a simulation: the state is carried over, and velocities jump where they must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import LinkworkError, StructureError
from linkwork.linkage.change import Change
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.simulation.engine import Engine
from linkwork.simulation.stepper import Stepper

CLOSED = 1e-6  # rad or m: coordinates that must move more than this to close a loop leave a gap


def refuse_off_surface(linkage: Linkage, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Raise where a point is not on its surface, or moves off it."""
    if not linkage._contacts.records:
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


def cut(engine: Engine, joint: Any) -> Change:
    """See `Simulation.cut`."""

    def make() -> Change:
        made = engine.linkage.cut(joint)
        engine.drives = [drive for drive in engine.drives if drive.joint != made.joint]
        engine.awaited.discard(made.joint)
        return made

    return change(engine, f"cut {_name(joint)!r}", make)


def connect(
    engine: Engine, a: Any, b: Any, joint: Any, at_a: Pose, at_b: Pose | None, close: bool, options: dict[str, Any]
) -> Change:
    """See `Simulation.connect`."""
    if at_b is None:
        at_b = _pose(engine, b).inverse() @ _pose(engine, a) @ at_a
    what = f"connect {_name(a)!r} and {_name(b)!r}"
    return change(
        engine, what, lambda: engine.linkage.connect(a, b, joint, at_a=at_a, at_b=at_b, **options), close=close
    )


def constrain(engine: Engine, body: Any, close: bool, lift_off: bool, options: dict[str, Any]) -> Change:
    """See `Simulation.constrain`."""
    what = f"constrain {_name(body)!r}"
    made = change(engine, what, lambda: engine.linkage.constrain(body, **options), close=close)
    if lift_off:
        engine.lift_off.append(made.joint)
        engine.attend()
    return made


def release(engine: Engine, name: Any) -> Change:
    """See `Simulation.release`."""
    return change(engine, f"release {_name(name)!r}", lambda: engine.linkage.release(name))


def _name(handle: Any) -> Any:
    """The name of a handle, or the name that was given itself."""
    return getattr(handle, "name", handle)


def _pose(engine: Engine, body: Any) -> Pose:
    """Where a body or frame is now."""
    index, pose = engine.linkage._resolve(body)
    if index < 0:
        return pose
    return body_poses(engine.linkage, engine.stepper.q)[engine.linkage.columns.body_names[index]] @ pose


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
