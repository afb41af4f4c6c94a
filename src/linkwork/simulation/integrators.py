"""One step in time, in Python: for linkages on which callbacks, drives or surfaces act.

The steps of fixed size are those of `linkwork.kernels.motion.integrators`, made here from NumPy's operations and
`System`; "dop853" is SciPy's, and the implicit ones are in `linkwork.simulation.rosenbrock`.

References: [Hairer1993] II.5 for DOP853.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, DivergedError, LinkworkError
from linkwork.kernels.layout import STEP_SCRATCH
from linkwork.simulation.system import System

COMPILED = {"semi-implicit": "march_semi_implicit", "rk4": "march_rk4", "implicit-midpoint": "march_midpoint"}
ADAPTIVE = ("dop853", "rosenbrock")  # whose steps are as long as accuracy lets them be
NAMES = (*COMPILED, "implicit", *ADAPTIVE)
SLOW = {  # whose steps Python makes, and what that costs
    "dop853": "is SciPy's: about 0.1 ms per evaluation",
    "implicit": "solves equations in Python: about 0.3 ms per step",
    "rosenbrock": "solves equations in Python: about 0.5 ms per step",
}


class Step(NamedTuple):
    """A state reached, before any projection, and the acceleration and torques at the step's start."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray


@functools.cache
def fixed_step(name: str) -> Callable[..., Step]:
    """The integrator of this name over a `System`: ``step(system, t, q, v, tau, h)``."""
    if name == "implicit":
        from linkwork.simulation.rosenbrock import implicit_step

        return implicit_step
    from linkwork.kernels.motion.integrators import A, integrators

    def acceleration(system: System, t, q, v, tau, total, a) -> int:
        stage_q, stage_v = system.stage(t, q, v)
        if stage_q is not q:
            q[:], v[:] = stage_q, stage_v
        a[:] = system.acceleration(t, q, v, tau)[0]
        return 0

    def combine(x, h, rate, out) -> None:
        np.add(x, h * rate, out=out)

    def scaled(h, rate, out) -> None:
        if h == 1.0:
            out[:] = rate
        else:
            np.multiply(h, rate, out=out)

    def largest_change(h, q, a, new, mean) -> tuple[float, float, float]:
        change, speed = h * np.abs(new - a), np.abs(mean) + h * np.abs(new)
        return change.max(initial=0.0), speed.max(initial=0.0), np.abs(q).max(initial=0.0)

    made = integrators(acceleration, System.advance, System.local_rate, combine, scaled, largest_change)
    integrate = dict(zip(COMPILED, made, strict=True))[name]

    def step(system: System, t, q, v, tau, h) -> Step:
        a, applied = system.acceleration(t, q, v, tau)
        new_q, new_v = np.empty_like(q), np.empty_like(v)
        if not system.scratch:
            system.scratch = [np.empty_like(v) for _ in range(STEP_SCRATCH)]
        system.scratch[A] = a
        try:
            outcome = integrate(system, t, h, q, v, tau, new_q, system.scratch, new_q, new_v)
        except LinkworkError as error:
            if name != "implicit-midpoint" or error is system.evaluating.error:
                raise
            raise unsolved(t) from error
        if outcome:
            raise unsolved(t)
        return Step(new_q, new_v, a, applied)

    return step


def unsolved(t: float) -> DivergedError:
    """The error of a midpoint step whose equation was not solved."""
    return DivergedError(
        f"the implicit midpoint rule found no solution at t = {t:g} s: forces are too stiff for the step; take a "
        'smaller dt, or integrator="dop853"',
        time=t,
    )


def step_control(integrator: str, rtol: float, atol: float) -> StepControl:
    """What makes steps of their own size: `Dop853`, or `Rosenbrock` where that is the integrator."""
    if integrator != "rosenbrock":
        return Dop853(rtol, atol)
    from linkwork.simulation.rosenbrock import Rosenbrock

    return Rosenbrock(rtol, atol)


class StepControl:
    """Steps whose error is kept below atol + rtol |y|, in local coordinates about each step's start.

    Parameters
    ----------
    rtol, atol : float
        Of the local coordinates and velocities, each step.
    """

    def __init__(self, rtol: float, atol: float):
        if not (0.0 < rtol < 1.0 and atol > 0.0):
            raise ArgumentError(f"rtol must be in 0 … 1 and atol positive, not {rtol!r} and {atol!r}")
        self.rtol, self.atol = rtol, atol

    def within(self, system: System, t, q, v, tau, h, end) -> tuple[Step, float, float]:
        """One step of at most h that does not pass `end`; the time reached, and the size the next step should have."""
        raise NotImplementedError

    def over(self, system: System, t, q, v, tau, h) -> Step:
        """As many steps as accuracy asks for over the interval h."""
        end, size, reached, start = t + h, h, t, None
        while reached < end:
            step, reached, size = self.within(system, reached, q, v, tau, size, end)
            q, v = step.q, step.v
            start = start or step
        assert start is not None
        return Step(q, v, start.a, start.tau)


class Dop853(StepControl):
    """Steps of SciPy's DOP853.

    It moves what is left of a step beside s v₀ + ½ s² a₀, which velocity and acceleration at its start alone make: its
    weights are as large as 5.8 and add up to one, so that what they all have in common would be rounded thirteen times.
    """

    def within(self, system: System, t, q, v, tau, h, end) -> tuple[Step, float, float]:
        """As of `StepControl`."""
        from scipy.integrate import DOP853

        nv, h = system.linkage.nv, min(h, end - t)
        first = system.acceleration(t, q, v, tau)
        a = first[0]

        def whole(s, y):
            return y[:nv] + s * (v + 0.5 * s * a), y[nv:] + (v + s * a)

        def rate(time, y):
            s = time - t
            u, w = whole(s, y)
            stage_q, stage_v = system.stage(time, system.integrate(q, u), w)
            local = np.empty(nv)
            system.local_rate(u, stage_v, local)
            return np.concatenate([local - (v + s * a), system.acceleration(time, stage_q, stage_v, tau)[0] - a])

        u, w = whole(h, np.zeros(2 * nv))
        atol: Any = self.atol + self.rtol * np.abs(np.concatenate([u, np.maximum(np.abs(v), np.abs(w))]))
        solver = DOP853(rate, t, np.zeros(2 * nv), end, first_step=h, rtol=self.rtol, atol=atol)
        message = solver.step()
        if solver.status == "failed":
            raise DivergedError(f"no step at t = {t:g} s is accurate enough: {message}", time=t)
        u, w = whole(solver.t - t, solver.y)
        return Step(system.integrate(q, u), w, *first), float(solver.t), float(solver.h_abs)
