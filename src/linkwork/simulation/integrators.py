"""One step in time, in Python: for linkages on which callbacks, drives or constraints act.

The same formulas as in `linkwork.kernels.stepping`, which does what needs no Python. A step is a function
``(system, t, q, v, tau, h) -> Step``; q lives on its manifold, so within a step it is q₀ ⊕ u with local coordinates u.

References: [MuntheKaas1999]; [HairerLubichWanner2006] II.1; [HairerNorsettWanner1993] II.5 for DOP853.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, DivergedError, LinkworkError
from linkwork.simulation.system import System

ROUNDS, EXACT, CLOSE = 100, 2e-16, 1e-9  # of the midpoint rule's iteration: as in kernels.stepping


class Step(NamedTuple):
    """A state reached, before any projection, and the acceleration and torques at the step's start."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray


def semi_implicit(system: System, t, q, v, tau, h) -> Step:
    """v' = v + h a(q, v), q' = q ⊕ h v'."""
    a, applied = system.acceleration(t, q, v, tau)
    new_v = v + h * a
    return Step(system.integrate(q, h * new_v), new_v, a, applied)


def rk4(system: System, t, q, v, tau, h) -> Step:
    """The classical Runge–Kutta step in local coordinates."""
    a1, applied = system.acceleration(t, q, v, tau)
    rate, a, sum_u, sum_v = v, a1, v.copy(), a1.copy()
    for part, weight in ((0.5 * h, 2.0), (0.5 * h, 2.0), (h, 1.0)):
        u = part * rate
        stage_q, stage_v = system.stage(t + part, system.integrate(q, u), v + part * a)
        a, _ = system.acceleration(t + part, stage_q, stage_v, tau)
        rate = system.local_rate(u, stage_v)
        sum_u += weight * rate
        sum_v += weight * a
    return Step(system.integrate(q, h / 6.0 * sum_u), v + h / 6.0 * sum_v, a1, applied)


def midpoint(system: System, t, q, v, tau, h) -> Step:
    """v' = v + h a(q ⊕ ½h v̄, v̄), q' = q ⊕ h v̄, with v̄ = ½(v + v')."""
    a1, applied = system.acceleration(t, q, v, tau)
    a, before = a1, np.inf
    for _ in range(ROUNDS):
        mean = v + 0.5 * h * a
        try:
            middle_q, middle_v = system.stage(t + 0.5 * h, system.integrate(q, 0.5 * h * mean), mean)
            new, _ = system.acceleration(t + 0.5 * h, middle_q, middle_v, tau)
        except LinkworkError as error:
            if error is system.asking.error:
                raise
            raise unsolved(t) from error
        change, size = h * np.abs(new - a).max(initial=0.0), (np.abs(mean) + h * np.abs(new)).max(initial=0.0)
        a = new
        if change <= EXACT * size or (change <= CLOSE * size and change >= before):
            return Step(system.integrate(q, h * (v + 0.5 * h * a)), v + h * a, a1, applied)
        before = change
    raise unsolved(t)


def unsolved(t: float) -> DivergedError:
    """The error of a midpoint step whose equation was not solved."""
    return DivergedError(
        f"the implicit midpoint rule found no solution at t = {t:g} s: forces are too stiff for the step; take a "
        'smaller dt, or integrator="adaptive"',
        time=t,
    )


class Adaptive:
    """Steps whose error is kept below atol + rtol |y| by SciPy's DOP853, in local coordinates about each step's start.

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
        from scipy.integrate import DOP853

        nv = system.linkage.nv
        first = system.acceleration(t, q, v, tau)

        def rate(time, y):
            u, w = y[:nv], y[nv:]
            stage_q, stage_v = system.stage(time, system.integrate(q, u), w)
            return np.concatenate([system.local_rate(u, stage_v), system.acceleration(time, stage_q, stage_v, tau)[0]])

        y = np.concatenate([np.zeros(nv), v])
        solver = DOP853(rate, t, y, end, first_step=min(h, end - t), rtol=self.rtol, atol=self.atol)
        message = solver.step()
        if solver.status == "failed":
            raise DivergedError(f"no step at t = {t:g} s is accurate enough: {message}", time=t)
        step = Step(system.integrate(q, solver.y[:nv]), solver.y[nv:].copy(), *first)
        return step, float(solver.t), float(solver.h_abs)

    def __call__(self, system: System, t, q, v, tau, h) -> Step:
        """As many steps as accuracy asks for over the interval h."""
        end, size, reached, start = t + h, h, t, None
        while reached < end:
            step, reached, size = self.within(system, reached, q, v, tau, size, end)
            q, v = step.q, step.v
            start = start or step
        assert start is not None
        return Step(q, v, start.a, start.tau)


FIXED = {"semi-implicit": semi_implicit, "rk4": rk4, "implicit-midpoint": midpoint}
NAMES = (*FIXED, "adaptive")
COMPILED = {"semi-implicit": "march_semi_implicit", "rk4": "march_rk4", "implicit-midpoint": "march_midpoint"}
