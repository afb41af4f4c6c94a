"""Linearly implicit steps for stiff forces: Rosenbrock methods on the exact derivatives of forward dynamics.

The unknowns y = (u, v) are local coordinates about the start of a step, q = q₀ ⊕ u, and velocities. With f = (u̇, a) and
its Jacobian J at the start, stage i solves

    (1/(h γ) − J) kᵢ = f(t + αᵢ h, y + Σ aᵢⱼ kⱼ) + Σ (cᵢⱼ/h) kⱼ + h γᵢ ∂f/∂t

one factorization for all stages. Both methods are L-stable and stiffly accurate: what a stiff spring or damper would do
faster than a step is over at its end.

References: [Sandu1997] for Rodas3; [Hairer1996] IV.7 and IV.10 for RODAS and its step control.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.derivatives import forward_dynamics_derivatives
from linkwork.dynamics.linearization import brackets
from linkwork.errors import DivergedError
from linkwork.simulation.integrators import Step, StepControl
from linkwork.simulation.system import System

SMALL = 1e-7  # step of one-sided differences, where forces have no derivatives of their own
LEAST = 1e-14  # of the time: steps that are smaller are none
MOST = 100_000  # trials within one interval


class Tableau(NamedTuple):
    """A Rosenbrock method: γ, its order, αᵢ, γᵢ, aᵢⱼ, cᵢⱼ; the last stage is the error of the one before."""

    gamma: float
    order: int
    alpha: tuple[float, ...]
    gammas: tuple[float, ...]
    a: tuple[tuple[float, ...], ...]
    c: tuple[tuple[float, ...], ...]


RODAS3 = Tableau(
    0.5, 3, (0.0, 0.0, 1.0, 1.0), (0.5, 1.5, 0.0, 0.0),
    ((), (0.0,), (2.0, 0.0), (2.0, 0.0, 1.0)),
    ((), (4.0,), (1.0, -1.0), (1.0, -1.0, -8.0 / 3.0)),
)  # fmt: skip
_ROW = (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950)
RODAS4 = Tableau(
    0.25, 4, (0.0, 0.386, 0.21, 0.63, 1.0, 1.0), (0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0),
    (
        (), (1.544,), (0.9466785280815826, 0.2557011698983284),
        (3.314825187068521, 2.896124015972201, 0.9986419139977817), _ROW, (*_ROW, 1.0),
    ),
    (
        (), (-5.6688,), (-2.430093356833875, -0.2063599157091915),
        (-0.1073529058151375, -9.594562251023355, -20.47028614809616),
        (7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160),
        (8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054),
    ),
)  # fmt: skip


class _Local:
    """Rates about the start of one step, with their derivatives there."""

    def __init__(self, system: System, t: float, q, v, tau):
        self.system, self.t, self.q, self.v, self.tau = system, t, q, v, tau
        self.nv = len(v)
        self.first = system.acceleration(t, q, v, tau)
        self.start = np.concatenate([v, self.first[0]])
        self.jacobian, self.by_time = self._derivatives()

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """f(t, y)."""
        nv, system = self.nv, self.system
        u = y[:nv].copy()
        q, v = system.stage(t, system.integrate(self.q, u), y[nv:].copy())
        local = np.empty(nv)
        system.local_rate(u, v, local)
        return np.concatenate([local, system.acceleration(t, q, v, self.tau)[0]])

    def _derivatives(self) -> tuple[np.ndarray, np.ndarray]:
        """J, and ∂f/∂t."""
        nv, system = self.nv, self.system
        J, by_time = np.zeros((2 * nv, 2 * nv)), np.zeros(2 * nv)
        J[:nv, :nv], J[:nv, nv:] = -0.5 * brackets(system.linkage, self.v), np.eye(nv)
        timed = system.torques is not None or system.wrenches is not None or system.drives or system.touching
        if timed or system.limits.resting or len(system.limits.table) or len(system.loop_limits.table):
            y = np.concatenate([np.zeros(nv), self.v])
            for k in range(2 * nv):
                step = SMALL * max(1.0, abs(y[k]))
                y[k] += step
                J[nv:, k] = (self.rate(self.t, y)[nv:] - self.start[nv:]) / step
                y[k] -= step
            ahead = SMALL * max(1.0, abs(self.t))
            by_time[nv:] = (self.rate(self.t + ahead, y)[nv:] - self.start[nv:]) / ahead
        else:
            J[nv:, :nv], J[nv:, nv:], _ = forward_dynamics_derivatives(system.linkage, self.q, self.v, self.tau)
        return J, by_time


def rosenbrock_step(method: Tableau, local: _Local, h: float) -> tuple[np.ndarray, np.ndarray]:
    """y after a step, and the estimate of its error."""
    from scipy.linalg import LinAlgError, lu_factor, lu_solve

    y = np.concatenate([np.zeros(local.nv), local.v])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            factor = lu_factor(np.eye(len(y)) / (h * method.gamma) - local.jacobian)
    except (LinAlgError, ValueError, RuntimeWarning):
        said = f"no implicit step at t = {local.t:g} s: its equations are singular"
        raise DivergedError(said, time=local.t) from None
    k: list[np.ndarray] = []
    f, where = local.start, (0.0, y)
    for alpha, gamma, a, c in zip(method.alpha, method.gammas, method.a, method.c, strict=True):
        at = y + sum((x * stage for x, stage in zip(a, k, strict=True)), np.zeros(len(y)))
        if alpha != where[0] or not np.array_equal(at, where[1]):
            f, where = local.rate(local.t + alpha * h, at), (alpha, at)
        right = f + sum((x / h * stage for x, stage in zip(c, k, strict=True)), h * gamma * local.by_time)
        k.append(lu_solve(factor, right))
    return where[1] + k[-1], k[-1]  # the last stage begins at the embedded solution


def implicit_step(system: System, t, q, v, tau, h) -> Step:
    """One step of given size, by Rodas3."""
    local = _Local(system, t, q, v, tau)
    y, _ = rosenbrock_step(RODAS3, local, h)
    nv = local.nv
    return Step(system.integrate(q, y[:nv].copy()), y[nv:].copy(), *local.first)


class Rosenbrock(StepControl):
    """Steps of RODAS."""

    def within(self, system: System, t, q, v, tau, h, end) -> tuple[Step, float, float]:
        """As of `StepControl`."""
        local, nv = _Local(system, t, q, v, tau), len(v)
        h = min(h, end - t)
        for _ in range(MOST):
            if h <= LEAST * max(1.0, abs(t)):
                break
            y, error = rosenbrock_step(RODAS4, local, h)
            scale = self.atol + self.rtol * np.maximum(np.abs(y), np.abs(np.concatenate([np.zeros(nv), v])))
            size = float(np.sqrt(np.mean((error / scale) ** 2))) if np.isfinite(y).all() else np.inf
            change = min(5.0, max(0.2, 0.9 * max(size, 1e-12) ** -0.25))
            if size <= 1.0:
                reached = end if end - t - h <= 1e-12 * max(1.0, abs(end)) else t + h
                return Step(system.integrate(q, y[:nv].copy()), y[nv:].copy(), *local.first), reached, h * change
            h *= change
        raise DivergedError(f"no step at t = {t:g} s is accurate enough: take larger rtol and atol", time=t)
