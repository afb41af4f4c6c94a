"""Controllers that rollouts and simulations share: feedback by gains or a matrix, and users' compiled functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers
from linkwork.simulation.callbacks import check_signature, is_compiled

if TYPE_CHECKING:
    from linkwork.simulation.simulation import Simulation

ARGUMENTS = "controller(t, q, v, tau) or controller(t, q, v, tau, parameters)"


class PD:
    """A controller for `rollout` and `Simulation`: τ = kp (q* ⊖ q) + kd (v* − v), at the start of each step and held.

    Parameters
    ----------
    kp, kd : float, (nv,) or (..., nv) array_like
        Gains of each degree of freedom, in N m/rad and N m s/rad (N/m and N s/m where it slides); with leading
        dimensions, of each rollout. Give zeros where there is no actuator, for example at a free base.
    q : (nq,) or (..., steps, nq) array_like
        Where to: coordinates q*, constant or for each step; (..., 1, nq) for constants that differ from rollout to
        rollout. A simulation that goes on after the last step keeps to it.
    v : (nv,) or (..., steps, nv) array_like, optional
        Velocities v*; by default none.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> hold = lw.PD(kp=200.0, kd=20.0, q=[0.5, 0.0])
    >>> sim = lw.Simulation(arm, controller=hold, dt=1e-3)
    >>> sim.run(until=2.0).q[-1].round(1)
    array([ 0.5, -0. ])
    """

    tau: Any = None

    def __init__(self, kp, kd, q, v=None):
        self.kp, self.kd, self.q, self.v = kp, kd, q, v

    def gains(self, linkage: Linkage) -> np.ndarray:
        """(..., 2 nv) kp and kd of every degree of freedom, one after the other."""
        both = []
        for what, value in (("kp", self.kp), ("kd", self.kd)):
            value = np.broadcast_to(value, (linkage.nv,)) if np.ndim(value) == 0 else value
            both.append(numbers(linkage, what, value, linkage.nv, "nv"))
        try:
            return np.concatenate(np.broadcast_arrays(*both), axis=-1)
        except ValueError:
            raise ArgumentError(f"kp and kd have shapes {both[0].shape} and {both[1].shape}: they must match") from None

    def __call__(self, sim: Simulation) -> np.ndarray:
        """Torques (nv,) at the present state of a simulation."""
        kp, kd = np.split(one_of(self.gains(sim.linkage), "the controller's gains"), 2)
        position, velocity = errors(self, sim)
        return kp * position + kd * velocity

    def __repr__(self) -> str:
        return f"PD(kp={self.kp}, kd={self.kd})"


class LinearFeedback:
    """A controller for `rollout` and `Simulation`: τ = tau + K (q* ⊖ q, v* − v), at the start of each step and held.

    Parameters
    ----------
    K : (nv, 2 nv) or (..., nv, 2 nv) array_like
        Gains, first those of q* ⊖ q, then those of v* − v; with leading dimensions, of each rollout. This is the K of
        an LQR whose state is (q, v) in the tangent space.
    q, v : array_like
        The state to go to, as for `PD`.
    tau : (nv,) or (..., steps, nv) array_like, optional
        Offset; by default none.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(1)
    >>> law = lw.LinearFeedback(K=[[20.0, 5.0]], q=[0.5], tau=lw.gravity_torques(arm, [0.5]))
    >>> lw.Simulation(arm, controller=law, dt=1e-3).run(until=5.0).q[-1].round(3)
    array([0.5])
    """

    def __init__(self, K, q, v=None, tau=None):
        self.K, self.q, self.v, self.tau = K, q, v, tau

    def gains(self, linkage: Linkage) -> np.ndarray:
        """(..., 2 nv²) the matrix K row by row."""
        nv = linkage.nv
        shape = np.shape(self.K)
        if shape[-2:] != (nv, 2 * nv):
            raise ArgumentError(f"K has shape {shape}; it must be (..., {nv}, {2 * nv}): a row per torque")
        return numbers(linkage, "K", np.reshape(self.K, (*shape[:-2], 2 * nv * nv)), 2 * nv * nv, "2 nv²")

    def __call__(self, sim: Simulation) -> np.ndarray:
        """Torques (nv,) at the present state of a simulation."""
        nv = sim.linkage.nv
        K = one_of(self.gains(sim.linkage), "K").reshape(nv, 2 * nv)
        offset = 0.0 if self.tau is None else at_step(sim, "the controller's tau", self.tau, nv, "nv")
        return offset + K @ np.concatenate(errors(self, sim))

    def __repr__(self) -> str:
        return f"LinearFeedback(K of shape {np.shape(self.K)})"


FEEDBACK = PD, LinearFeedback  # that compiled steps know by themselves


def errors(controller: PD | LinearFeedback, sim: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """q* ⊖ q and v* − v at the present state of a simulation."""
    linkage = sim.linkage
    target = at_step(sim, "the controller's q", controller.q, linkage.nq, "nq")
    rate = 0.0 if controller.v is None else at_step(sim, "the controller's v", controller.v, linkage.nv, "nv")
    return linkage.difference(sim.q, target), rate - sim.v


def at_step(sim: Simulation, what: str, value: Any, size: int, unit: str) -> np.ndarray:
    """A constant (size,), or the present row of a sequence (steps, size); its last row after the end."""
    array = numbers(sim.linkage, what, value, size, unit)
    if array.ndim > 2:
        raise ArgumentError(f"{what} has shape {array.shape}: a simulation has one state; give (steps, {size})")
    return array if array.ndim == 1 else array[min(sim._engine.stepper.n, len(array) - 1)]


def one_of(gains: np.ndarray, what: str) -> np.ndarray:
    """Gains that must be those of one state."""
    if gains.ndim > 1:
        raise ArgumentError(f"{what} have leading dimensions {gains.shape[:-1]}: a simulation has one state")
    return gains


def compiled_controller(function: Any, *, parameters: bool) -> Any:
    """A user's function, of ``numba.njit`` or ``numba.cfunc``, as one that kernels can call.

    All have one type, so that kernels are compiled once. `parameters` tells whether there are any to take.
    """
    from linkwork.kernels.numba_ext import JIT_DISABLED

    source = getattr(function, "py_func", None) or getattr(function, "__wrapped__", None)
    if JIT_DISABLED and source is None and inspect.isfunction(function):
        source = function
    if source is None:
        raise ArgumentError(
            f"controller must be a PD, a LinearFeedback, or a function decorated with numba.njit or numba.cfunc, not "
            f"{function!r}"
        )
    count = len(inspect.signature(source).parameters)
    if count == 5 and not parameters:
        raise ArgumentError(f"controller {source.__name__!r} takes parameters: give parameters=")
    if count not in (4, 5) or (parameters and count == 4):
        wanted = "controller(t, q, v, tau, parameters)" if parameters else ARGUMENTS
        raise ArgumentError(f"controller {source.__name__!r} takes {count} arguments: it must be {wanted}")
    if JIT_DISABLED:
        return source if count == 5 else lambda t, q, v, tau, p: source(t, q, v, tau)
    if function not in _compiled:
        _compiled[function] = _compile(function, source, count)
    return _compiled[function]


def _compile(function: Any, source: Callable, count: int) -> Any:
    from numba import NumbaError, cfunc, float64, njit, void

    compiled = cfunc(void(float64, *[float64[::1]] * 4))
    try:
        if is_compiled(function) and function.ctypes.argtypes:
            check_signature(function, "controller", pointers=count - 1)
            by_pointers = function.ctypes  # of a numba.cfunc
            if count == 5:
                return compiled(lambda t, q, v, tau, p: by_pointers(t, q.ctypes, v.ctypes, tau.ctypes, p.ctypes))
            return compiled(lambda t, q, v, tau, p: by_pointers(t, q.ctypes, v.ctypes, tau.ctypes))
        inner = function if hasattr(function, "py_func") else njit(source)

        def with_parameters(t, q, v, tau, p):
            try:
                inner(t, q, v, tau, p)
            except Exception:  # which cannot pass: that the state is not finite will be told
                tau[:] = np.nan

        def alone(t, q, v, tau, p):
            try:
                inner(t, q, v, tau)
            except Exception:
                tau[:] = np.nan

        return compiled(with_parameters if count == 5 else alone)
    except (NumbaError, TypeError) as error:
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        reasons = [line for line in said if not line.startswith(("Failed in", "During:", "File", "<"))]
        raise ArgumentError(
            f"controller {source.__name__!r} does not compile as {ARGUMENTS}: {(reasons or said or [error])[0]}"
        ) from None


_compiled: dict[Any, Any] = {}
