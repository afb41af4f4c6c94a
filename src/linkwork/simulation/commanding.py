"""Controllers: torques that are given once per step, or every few steps, and held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.simulation.arguments import checked_torques
from linkwork.simulation.callbacks import call_compiled, is_compiled

if TYPE_CHECKING:
    from linkwork.simulation.engine import Engine

FLOAT = np.dtype(np.float64)


def control(engine: Engine) -> None:
    """Let the controller give torques where they are due, before steps that do not call it by themselves."""
    stepper, controller = engine.stepper, engine.controller
    by_itself = stepper.commanded and stepper.can_march()
    if controller is None or by_itself or stepper.n < stepper.due:
        return
    if is_compiled(controller):
        torques = call_compiled(controller, stepper.t, stepper.q, stepper.v, engine.system.n_torques)
    else:
        torques = controller(engine.sim)  # which may change the structure, and put in actions and conditions
    _hold(engine, torques)


def command(engine: Engine, t: float, *_: None) -> np.ndarray:
    """A Python controller's torques during compiled steps, which end where it changes anything."""
    stepper = engine.stepper
    stepper.pause()
    try:
        before = stepper.noted or _noted(engine)
        if engine.controlled_by_address:
            torques = call_compiled(engine.controller, t, stepper.q, stepper.v, engine.system.n_torques)
        else:
            torques = engine.controller(engine.sim)  # pyright: ignore[reportOptionalCall]
        stepper.noted = _noted(engine)
        if stepper.noted == before and engine.linkage._tree is engine.system.tree:
            stepper.go_on()
            fits = type(torques) is np.ndarray and torques.dtype is FLOAT
            if fits and torques.shape in (stepper.tau.shape, stepper.v.shape):  # pyright: ignore
                return torques  # compiled code looks whether they are finite, and lets motors limit them
            return checked_torques(engine.system, "controller", torques, t)
        _hold(engine, torques)
    except BaseException as error:
        engine.system.evaluating.error = error
        raise
    stepper.leave()
    raise InterruptedError  # nobody hears of it: compiled steps end here


def _hold(engine: Engine, torques: object) -> None:
    """Hold torques until others are due."""
    stepper = engine.stepper
    engine.refresh()
    engine.recorder.unsettle()
    given = checked_torques(engine.system, "controller", torques, stepper.t)
    stepper.tau = np.array(engine.actuation.held(given, stepper.v))
    engine._leaning.value = None
    stepper.due = (stepper.n // engine.control_every + 1) * engine.control_every


def _noted(engine: Engine) -> tuple:
    """What differs after a change that compiled steps must not go on after; that of a state is an event."""
    recorder = engine.recorder
    events = len(recorder.recording.events)
    return engine.stepper.revision, engine.agenda.count, engine.stopped, recorder.settled, events
