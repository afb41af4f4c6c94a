"""Changes during a simulation, of structure and of what is driven: the state is carried over, velocities may jump."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NoReturn

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError, LinkworkError, StructureError
from linkwork.linkage.change import Change
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.simulation.engine import Engine
from linkwork.simulation.pose_drives import new_drive
from linkwork.simulation.stepper import Stepper

CLOSED = 1e-6  # rad or m: coordinates that must move more than this to close a loop leave a gap


def refuse_open(linkage: Linkage, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Raise where a loop or coupling is open, or a point is not on its surface, or where any of these comes apart."""
    if linkage._contacts.records:
        from linkwork.dynamics.contact_state import touch

        found = touch(linkage, q, v, t)
        off = ("is off its surface by", found.gap, "m"), ("leaves its surface with", found.rate, "m/s")
        for what, values, unit in off:
            worst = int(np.abs(values).argmax())
            if abs(values[worst]) > CLOSED:
                _refuse(f"contact {linkage.contacts.names[worst]!r} {what} {values[worst]:.3g} {unit}")
    if linkage.tree.closed:
        from linkwork.dynamics.constraints import loops_of, residuals

        state, loops, speed = residuals(linkage, q, v), loops_of(linkage), max(1.0, float(np.abs(v).max()))
        for what, values, unit, scale in (
            ("is open by", state.row_error, "(m or rad)", 1.0),
            ("comes apart with", state.rate, "(m/s or rad/s)", speed),
        ):
            worst = int(np.abs(values).argmax()) if len(values) else 0
            if len(values) and abs(values[worst]) > CLOSED * scale:
                name = loops.names[int(np.searchsorted(loops.first_row, worst, side="right")) - 1]
                kind = "loop" if name in linkage.loops else "coupling of"
                _refuse(f"{kind} {name!r} {what} {abs(values[worst]):.3g} {unit}")


def _refuse(what: str) -> NoReturn:
    raise StructureError(
        f"{what} at the start: start closed (linkwork.close_loops and consistent_velocity find such a state), or give "
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


def drive(engine: Engine, joint: Any, motion: Any) -> None:
    """See `Simulation.drive`."""
    linkage, stepper, recorder = engine.linkage, engine.stepper, engine.recorder
    name = linkage.columns.joint_names[linkage._resolve_joint(joint)]
    drives = [other for other in engine.drives if other.joint != name]
    if motion is not None:
        where = linkage.joints[name].q_slice
        origin = engine.origins.pop(name, None) or (stepper.t, stepper.q[where].tolist())
        made = new_drive(linkage, name, motion, origin)
        gap = np.abs(made.way(stepper.q[where], made.motion(stepper.t)[0])).max()
        if gap > CLOSED:
            raise ArgumentError(
                f"the drive of joint {name!r} starts {gap:.3g} away from where the joint is at t = {stepper.t:g} "
                "s: set sim.q first, or let the function start there"
            )
        drives.append(made)
    if name in engine.awaited:  # the run was resumed: all goes on as it was
        engine.awaited.remove(name)
        engine.follow(drives)
        return
    at_start = not (recorder.begun or recorder.recording.events)  # it is part of how the run starts
    what = f"drive {name!r}" + ("" if motion is not None else " no more")
    with nullcontext() if at_start else engine.event("call", what):
        recorder.unsettle()
        before = engine.drives
        engine.follow(drives)
        try:
            stepper.q, stepper.v = engine.system.impose(stepper.t, stepper.q, stepper.v)
        except Exception:
            engine.follow(before)
            raise
        engine.start_afresh()


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
    from linkwork.dynamics.closed import close_loops
    from linkwork.dynamics.velocity_jumps import velocity_jump

    try:
        q = close_loops(linkage, stepper.q, t=stepper.t)
        gap = float(np.abs(linkage.difference(stepper.q, q)).max())
        if gap > CLOSED and not close:
            raise StructureError(
                f"{change.kind} {change.joint!r}: the two sides do not meet, coordinates would move by {gap:.3g}; "
                "bring them together first, or give close=True"
            )
        v = velocity_jump(linkage, q, stepper.v, change.joint, t=stepper.t).v
    except LinkworkError:
        undone = linkage.cut(change.joint) if change.kind == "connect" else linkage.release(change.joint)
        stepper.q, stepper.v = undone.carry(stepper.q, stepper.v)
        raise
    stepper.q, stepper.v = q, v
