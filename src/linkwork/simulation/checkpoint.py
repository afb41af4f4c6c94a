"""All that a motion depends on from one moment on, as plain values: for files, and for copies of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.simulation.limit_kinds import described

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine

CALLBACKS = ("controller", "torques", "wrenches")  # which are not in a checkpoint, only whether there were any


def settings(engine: Engine) -> dict[str, Any]:
    """What a simulation was started with."""
    stepper = engine.stepper
    return {
        "dt": stepper.dt, "integrator": stepper.integrator, "record_every": stepper.every, "t": stepper.origin,
        "control_every": engine.control_every, "rtol": stepper.control.rtol, "atol": stepper.control.atol,
        "limits": described(engine.limits), "method": engine.method, "contacts": stepper.contacts,
    }  # fmt: skip


def of(engine: Engine) -> dict[str, Any]:
    """All that the motion depends on from here, callbacks apart."""
    stepper, system = engine.stepper, engine.system
    return {
        "t": stepper.t, "n": stepper.n, "size": stepper.size, "q": stepper.q.tolist(), "v": stepper.v.tolist(),
        "tau": stepper.tau.tolist(), "drift": stepper.drift.tolist(), "control_due": stepper.due,
        "limits": system.limits.table.tolist(), "loop_limits": system.loop_limits.table.tolist(),
        "leaning": system.limits.leaning(), "grace": system.limits.grace.tolist(), "lift_off": engine.lift_off,
        "singular": system.singular, "half_done": engine.agenda.half_done,
        "drives": [drive.joint for drive in engine.drives] + sorted(engine.awaited),
        "origins": {drive.joint: drive.origin for drive in engine.drives} | engine.origins,
        "conditions": engine.agenda.values(), "told": stepper.told(), "friction": system.friction.saved(),
    } | {name: getattr(engine, name) is not None for name in CALLBACKS}  # fmt: skip


def restore(engine: Engine, saved: dict[str, Any]) -> None:
    """Take up the state of a checkpoint, of the same linkage.

    Drives and conditions that are not there yet are awaited.
    """
    stepper, system = engine.stepper, engine.system
    stepper.t, stepper.n, stepper.size = saved["t"], saved["n"], saved["size"]
    stepper.q, stepper.v, stepper.tau = np.array(saved["q"]), np.array(saved["v"]), np.array(saved["tau"])
    stepper.drift, stepper.due = np.array(saved["drift"]), saved["control_due"]
    for limits, name in ((system.limits, "limits"), (system.loop_limits, "loop_limits")):
        limits.table = np.array(saved[name]).reshape(-1, 7)  # they were chosen in an earlier pose
    system.limits.grace = np.array(saved["grace"])
    system.limits.lean(saved["leaning"])
    system.singular, engine.lift_off = saved["singular"], list(saved["lift_off"])
    system.friction.restore(saved.get("friction"))
    stepper.prepare(system)
    stepper.recall(saved["told"])
    driven = {drive.joint for drive in engine.drives}
    engine.awaited = set(saved["drives"]) - driven
    engine.origins = {name: tuple(where) for name, where in saved.get("origins", {}).items() if name in engine.awaited}
    engine.attend()
    engine.agenda.restore([list(pair) for pair in saved["conditions"]])
