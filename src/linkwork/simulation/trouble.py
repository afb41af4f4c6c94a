"""What went wrong in a step: from a kernel's status, or an error on the way, to the error that a user sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, DivergedError, LinkworkError
from linkwork.kernels.layout import DIVERGED, FAILED, NO_VALUE, UNSOLVED
from linkwork.kernels.layout.acting import C_CONTROL, C_TORQUES, C_WRENCHES
from linkwork.linkage.packing.launch import problem
from linkwork.simulation.acting import Acts
from linkwork.simulation.integrators import unsolved

if TYPE_CHECKING:
    from linkwork.simulation.stepper import Stepper


def problem_of(stepper: Stepper, acts: Acts, outcome: int) -> BaseException:
    """The error that a kernel's status stands for."""
    what, where, system = outcome & 15, outcome >> 4, stepper.system
    if what in (FAILED, NO_VALUE):
        error = acts.trouble()
        if error is None:
            return _untold(stepper, acts, what, where)
        if error is system.evaluating.error or not isinstance(error, LinkworkError):
            return error
        return diverged(stepper, error)
    if what == UNSOLVED:
        return unsolved(stepper.t)
    if what == DIVERGED:
        return diverged_at(stepper, where)
    return diverged(stepper, problem(system.linkage, outcome, f"at t = {stepper.t:g} s: "))


def _untold(stepper: Stepper, acts: Acts, what: int, where: int) -> ArgumentError:
    """What functions and expressions do not say by themselves: see `unanswered` and `ask` in `kernels.motion`."""
    if what == NO_VALUE:
        joint, t, way = acts.leap(where)
        return ArgumentError(
            f"the drive of joint {joint!r} jumps at t = {t:g} s, by {way:.3g}: let its motion be continuous; or, in an "
            "action, end the drive by sim.drive(joint, None), set sim.q, and drive on from there"
        )
    function = {C_CONTROL: "the controller", C_TORQUES: "torques", C_WRENCHES: "wrenches"}.get(where)
    which = f"{function}, a compiled function," if function else "a compiled function"
    return ArgumentError(f"at t = {stepper.t:g} s what {which} returned is not finite")


def diverged(stepper: Stepper, error: LinkworkError) -> LinkworkError:
    """That a motion diverged, where there is an acceleration at the step's start; the error itself where not."""
    try:
        a, _ = stepper.system.acceleration(stepper.t, stepper.q, stepper.v, stepper.tau)
    except LinkworkError:
        return error
    return diverged_at(stepper, int(np.argmax(np.abs(stepper.v + stepper.dt * a))))


def diverged_at(stepper: Stepper, dof: int) -> DivergedError:
    """That a motion diverged, first of all at this degree of freedom."""
    columns = stepper.system.linkage.columns
    joint = columns.joint_names[int(np.searchsorted(columns.v_start, dof, side="right")) - 1]
    return DivergedError(
        f"the motion diverged at t = {stepper.t:g} s, first of all at joint {joint!r}: take a smaller dt or another "
        "integrator, or soften forces; what was recorded is kept",
        time=stepper.t,
        joint=joint,
    )


def guarded(stepper: Stepper, make: Callable[[], Any]) -> Any:
    """What `make` makes; an error during a step that is no callback's means that the motion diverged."""
    try:
        with np.errstate(all="ignore"):
            return make()
    except DivergedError:
        raise
    except LinkworkError as error:
        if error is stepper.system.evaluating.error:
            raise
        raise diverged(stepper, error) from None
