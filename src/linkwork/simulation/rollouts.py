"""Rollouts: many trajectories at once, in compiled code from start to end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, DivergedError, StructureError, unknown_name
from linkwork.kernels.launch import call
from linkwork.kernels.layout import NOT_FINITE, STEP_SCRATCH
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import (
    leading_shape,
    numbers,
    place_in_batch,
    problem,
    rows_of,
    tree_of,
    wrenches,
)
from linkwork.simulation.arguments import time_step, whole

if TYPE_CHECKING:
    from linkwork.simulation.simulation import Simulation

INTEGRATORS = ("semi-implicit", "rk4")  # in the order of their numbers in linkwork.kernels.motion.rollout


class Rollout(NamedTuple):
    """Trajectories: ``q, v = rollout(...)``.

    Attributes
    ----------
    q : (..., steps // record_every + 1, nq) array
        Coordinates; row k is the state after k · record_every steps, the first row the initial state.
    v : (..., steps // record_every + 1, nv) array
        Velocities.
    """

    q: np.ndarray
    v: np.ndarray


class PD:
    """A controller for `rollout` and `Simulation`: τ = kp (q* ⊖ q) + kd (v* − v), at the start of each step and held.

    Parameters
    ----------
    kp, kd : float or (nv,) array_like
        Gains of each degree of freedom, in N m/rad and N m s/rad (N/m and N s/m where it slides). Give zeros where
        there is no actuator, for example at a free base.
    q : (nq,) or (..., steps, nq) array_like
        Where to: coordinates q*, constant or for each step. A simulation that goes on after the last step keeps to it.
    v : (nv,) or (..., steps, nv) array_like, optional
        Velocities v*; by default none.
    """

    def __init__(self, kp, kd, q, v=None):
        self.kp, self.kd, self.q, self.v = kp, kd, q, v

    def __call__(self, sim: Simulation) -> np.ndarray:
        """Torques (nv,) at the present state of a simulation."""
        linkage, step = sim.linkage, sim._engine.stepper.n
        target = _at_step(linkage, "the controller's q", self.q, linkage.nq, "nq", step)
        rate = 0.0 if self.v is None else _at_step(linkage, "the controller's v", self.v, linkage.nv, "nv", step)
        kp, kd = np.split(_gains(linkage, self), 2)
        return kp * linkage.difference(sim.q, target) + kd * (rate - sim.v)

    def __repr__(self) -> str:
        return f"PD(kp={self.kp}, kd={self.kd})"


def rollout(
    linkage: Linkage,
    q0,
    v0,
    tau=None,
    dt: float = 1e-3,
    steps: int = 1,
    *,
    controller: PD | Callable | None = None,
    f_ext=None,
    integrator: str = "rk4",
    record_every: int = 1,
) -> Rollout:
    """Trajectories from many initial states, under given torques, a controller or both.

    Parameters
    ----------
    linkage : Linkage
        Without loops or contacts; springs, friction, damping and armature act.
    q0 : (..., nq) array_like
        Initial coordinates, in m and rad.
    v0 : (..., nv) array_like
        Initial velocities.
    tau : (nv,) or (..., steps, nv) array_like, optional
        Generalized forces: constant, or for each step. For constants that differ from state to state give
        (..., 1, nv).
    dt : float
        Time step in s.
    steps : int
        Number of steps.
    controller : PD or function, optional
        Torques besides `tau`: a `PD`, or a function ``controller(t, q, v, tau)`` decorated with ``numba.njit``, which
        gets one state (t in s, q of nq, v of nv numbers) and writes `tau` (nv), which holds the given torques.
        It is called at the start of each step.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin; constant.
    integrator : {"rk4", "semi-implicit"}
        "rk4": four evaluations per step, of order 4 on the manifold, for every joint type. "semi-implicit": one, of
        order 1, symplectic.
    record_every : int
        Record every so many steps; a divisor of `steps`.

    Returns
    -------
    Rollout
        ``q`` and ``v``, initial state first.

    Raises
    ------
    DivergedError
        A state became non-finite; its time and its place in the batch are named.

    Notes
    -----
    States are worked on several at a time in SIMD packs, by as many threads as `set_threads` allows. A trajectory does
    not depend on the threads, nor on the others of the batch, to the last bit.

    Examples
    --------
    >>> import linkwork as lw
    >>> pendulum = lw.samples.chain(2)
    >>> q, v = lw.rollout(pendulum, [[0.1, 0.2], [0.3, 0.4]], [0.0, 0.0], dt=1e-3, steps=100, record_every=10)
    >>> q.shape
    (2, 11, 2)
    """
    tree = tree_of(linkage)
    if len(linkage.loops) or len(linkage.contacts):
        raise StructureError(f"linkage {linkage.name!r} has loops or contacts: rollouts are for trees; use Simulation")
    if integrator not in INTEGRATORS:
        raise unknown_name("integrator", integrator, INTEGRATORS)
    dt, steps, every = time_step(dt), whole(steps, "steps", minimum=0), whole(record_every, "record_every", minimum=1)
    if steps % every:
        raise ArgumentError(f"record_every = {every} does not divide steps = {steps}: the last state would be lost")
    pd = controller if isinstance(controller, PD) else PD(0.0, 0.0, linkage.neutral())
    inputs = [
        numbers(linkage, "q0", q0, tree.nq, "nq"),
        numbers(linkage, "v0", v0, tree.nv, "nv"),
        _sequence(linkage, "tau", tree.zeros if tau is None else tau, tree.nv, "nv", steps),
        _sequence(linkage, "the controller's q", pd.q, tree.nq, "nq", steps),
        _sequence(linkage, "the controller's v", tree.zeros if pd.v is None else pd.v, tree.nv, "nv", steps),
        wrenches(linkage, f_ext),
    ]
    leading = leading_shape(*inputs)
    count, records = math.prod(leading), steps // every + 1
    q, v = np.empty((*leading, records, tree.nq)), np.empty((*leading, records, tree.nv))
    if count:
        arrays = (
            *[rows_of(array, leading, count) for array in inputs],
            q.reshape(count, records * tree.nq),
            v.reshape(count, records * tree.nv),
        )
        gains = _gains(linkage, pd) if pd is controller else np.empty(0)
        function = None if controller is None or pd is controller else compiled_controller(controller)
        arguments = (INTEGRATORS.index(integrator), dt, every, steps, gains, function)
        _run(linkage, arguments, arrays, count, leading)
    return Rollout(q, v)


def _run(linkage, arguments, arrays, count, leading):
    """Roll out all states, in as many threads as pay."""
    from linkwork.kernels.numba_ext import WIDTH, aligned

    tree, (_, dt, _, steps, _, _) = linkage.tree, arguments

    def worker(parts):
        nq, nv = tree.nq, tree.nv
        lanes = tuple([aligned(size) for size in (nq, nv, nv, nq, nv, arrays[5].shape[1])])
        scratch = aligned(nq), tuple([aligned(nv) for _ in range(STEP_SCRATCH)])
        rows = np.empty(nq), np.empty(nv), np.empty(nv)
        model, found = (tree.model, tree.index, aligned(tree.work_size), tree.table), []
        for begin, end in parts:
            where = lanes, scratch, rows, begin, end
            outcome, state, step = call(("motion.rollout", "rollout"), model, *arguments, arrays, *where)
            if outcome:
                found.append((state, step, outcome))
        return found

    shares = share(worker, count, WIDTH, max(1, steps * tree.stages))
    failures = [failure for found in shares for failure in found]
    if failures:
        first, step, outcome = min(failures)
        for state in range(first, min(first + WIDTH, count)):  # which one of the pack?
            found = worker(iter([(state, state + 1)]))
            if found:
                first, step, outcome = found[0]
                break
        raise _failure(linkage, outcome, place_in_batch(first, leading), step, dt)


def _failure(linkage, outcome, where, step, dt):
    if outcome & 15 != NOT_FINITE and step == 0:  # what is wrong with a tree or a state is so from the start
        return problem(linkage, outcome, where)
    return DivergedError(
        f"{where}the state became non-finite in step {step}, after t = {step * dt:.6g} s: take a smaller dt, smaller "
        "gains or smaller torques",
        time=step * dt,
    )


def compiled_controller(function: Any) -> Any:
    """A user's compiled function as one that kernels can call: all have one type, so kernels are compiled once."""
    from numba import NumbaError, cfunc, float64, void

    from linkwork.kernels.numba_ext import JIT_DISABLED

    if JIT_DISABLED:
        return function
    if not hasattr(function, "py_func"):
        raise ArgumentError(f"controller must be a PD or a function decorated with numba.njit, not {function!r}")
    if function not in _compiled:
        try:
            _compiled[function] = cfunc(void(float64, float64[::1], float64[::1], float64[::1]))(function.py_func)
        except (NumbaError, TypeError) as error:
            reason = str(error).strip().splitlines()
            raise ArgumentError(
                f"controller {function.py_func.__name__!r} does not compile as controller(t, q, v, tau): "
                f"{reason[-1] if reason else error}"
            ) from None
    return _compiled[function]


_compiled: dict[Any, Any] = {}


def _at_step(linkage, what, value, size, unit, step):
    """A constant (size,), or row `step` of a sequence (steps, size); its last row after the end."""
    array = numbers(linkage, what, value, size, unit)
    if array.ndim > 2:
        raise ArgumentError(f"{what} has shape {array.shape}: a simulation has one state; give (steps, {size})")
    return array if array.ndim == 1 else array[min(step, len(array) - 1)]


def _sequence(linkage, what, value, size, unit, steps):
    """A constant (size,) or a sequence (..., steps, size), as (..., size) or (..., steps · size)."""
    array = numbers(linkage, what, value, size, unit)
    if array.ndim == 1:
        return array
    if array.shape[-2] not in (1, steps):
        raise ArgumentError(
            f"{what} has shape {array.shape}: give ({size},) for a constant, (..., {steps}, {size}) for one per step, "
            f"or (..., 1, {size}) for constants that differ from state to state"
        )
    return array.reshape(*array.shape[:-2], array.shape[-2] * size)


def _gains(linkage, pd):
    """kp and kd of every degree of freedom, one after the other."""
    both = []
    for what, value in (("kp", pd.kp), ("kd", pd.kd)):
        value = np.broadcast_to(value, (linkage.nv,)) if np.ndim(value) == 0 else value
        gain = numbers(linkage, what, value, linkage.nv, "nv")
        if gain.ndim != 1:
            raise ArgumentError(f"{what} has shape {gain.shape}: gains are the same for all states")
        both.append(gain)
    return np.concatenate(both)
