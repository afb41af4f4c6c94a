"""Rollouts: many trajectories at once, in compiled code from start to end."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, DivergedError, StructureError, unknown_name
from linkwork.kernels.launch import call
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import (
    NOT_FINITE,
    leading_shape,
    numbers,
    place_in_batch,
    problem,
    rows_of,
    tree_of,
    wrenches,
)

INTEGRATORS = ("semi-implicit", "rk4")  # in the order of their numbers in linkwork.kernels.rollout
ROLLOUT = "motion.rollout", "rollout"
_RECORDED = 6  # place of the first output among a rollout's arrays


class Rollout(NamedTuple):
    """Trajectories: ``q, v = rollout(...)``.

    Attributes
    ----------
    q : (..., steps // every + 1, nq) array
        Coordinates; row k is the state after k · every steps, the first row the initial state.
    v : (..., steps // every + 1, nv) array
        Velocities.
    """

    q: np.ndarray
    v: np.ndarray


class PD:
    """A feedback law: τ = kp (q* ⊖ q) + kd (v* − v), evaluated at the start of each step and held.

    Parameters
    ----------
    kp, kd : float or (nv,) array_like
        Gains of each degree of freedom, in N m/rad and N m s/rad (N/m and N s/m where it slides). Give zeros where
        there is no actuator, for example at a free base.
    q : (nq,) or (..., steps, nq) array_like
        Where to: coordinates q*, constant or for each step.
    v : (nv,) or (..., steps, nv) array_like, optional
        Velocities v*; by default none.
    """

    def __init__(self, kp, kd, q, v=None):
        self.kp, self.kd, self.q, self.v = kp, kd, q, v

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
    law: PD | Callable | None = None,
    f_ext=None,
    integrator: str = "semi-implicit",
    every: int = 1,
) -> Rollout:
    """Trajectories from many initial states, under given torques, a feedback law or both.

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
    law : PD or function, optional
        Torques besides `tau`: a `PD`, or a function ``law(t, q, v, tau)`` decorated with ``numba.njit``, which gets
        one state (t in s, q of nq, v of nv numbers) and writes `tau` (nv), which holds the given torques.
        It is called at the start of each step.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin; constant.
    integrator : {"semi-implicit", "rk4"}
        "semi-implicit": one evaluation a step, of order 1, symplectic. "rk4": four, of order 4 on the manifold, for
        every joint type.
    every : int
        Record each so many steps; a divisor of `steps`.

    Returns
    -------
    Rollout
        ``q`` and ``v``, initial state first.

    Raises
    ------
    DivergedError
        A trajectory left the finite numbers; its time and its place in the batch are named.

    Notes
    -----
    States are worked on several at a time in SIMD packs, by as many threads as `set_threads` allows. A trajectory does
    not depend on the threads, nor on the others of the batch, to the last bit.

    Examples
    --------
    >>> import linkwork as lw
    >>> pendulum = lw.samples.chain(2)
    >>> q, v = lw.rollout(pendulum, [[0.1, 0.2], [0.3, 0.4]], [0.0, 0.0], dt=1e-3, steps=100, every=10)
    >>> q.shape
    (2, 11, 2)
    """
    tree = tree_of(linkage)
    if len(linkage.loops) or len(linkage.contacts):
        raise StructureError(f"linkage {linkage.name!r} has loops or contacts: rollouts are for trees; use Simulation")
    if integrator not in INTEGRATORS:
        raise unknown_name("integrator", integrator, INTEGRATORS)
    dt = _time_step(dt)
    steps, every = _whole("steps", steps, 0), _whole("every", every, 1)
    if steps % every:
        raise ArgumentError(f"every = {every} does not divide steps = {steps}: the last state would be lost")
    pd = law if isinstance(law, PD) else PD(0.0, 0.0, linkage.neutral())
    inputs = [
        numbers(linkage, "q0", q0, tree.nq, "nq"),
        numbers(linkage, "v0", v0, tree.nv, "nv"),
        _sequence(linkage, "tau", tree.zeros if tau is None else tau, tree.nv, "nv", steps),
        _sequence(linkage, "the law's q", pd.q, tree.nq, "nq", steps),
        _sequence(linkage, "the law's v", tree.zeros if pd.v is None else pd.v, tree.nv, "nv", steps),
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
        gains = _gains(linkage, pd) if isinstance(law, PD) else np.empty(0)
        function = None if law is None or isinstance(law, PD) else compiled_law(law)
        arguments = (tree.table, INTEGRATORS.index(integrator), dt, every, steps, gains, function)
        _run(linkage, arguments, arrays, count, leading)
    return Rollout(q, v)


def _run(linkage, arguments, arrays, count, leading):
    """Roll out all states, in as many threads as pay."""
    from linkwork.kernels.motion.rollout import SCRATCH
    from linkwork.kernels.numba_ext import WIDTH, aligned

    tree, steps = linkage.tree, arguments[4]

    def worker(parts):
        nq, nv = tree.nq, tree.nv
        lanes = tuple([aligned(size) for size in (nq, nv, nv, nq, nv, arrays[5].shape[1])])
        scratch = (aligned(nq), *[aligned(nv) for _ in range(SCRATCH - 1)])
        rows = np.empty(nq), np.empty(nv), np.empty(nv)
        work, found = aligned(tree.work_size), []
        for begin, end in parts:
            outcome, state, step = call(
                ROLLOUT, tree.model, tree.index, work, *arguments, arrays, lanes, scratch, rows, begin, end
            )
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
        raise _failure(linkage, outcome, place_in_batch(first, leading), step, arguments[2])


def _failure(linkage, outcome, where, step, dt):
    if outcome & 15 != NOT_FINITE and step == 0:  # what is wrong with a tree or a state is so from the start
        return problem(linkage, outcome, where)
    return DivergedError(
        f"{where}the motion leaves the finite numbers in step {step}, after t = {step * dt:.6g} s: take a smaller dt, "
        "smaller gains or smaller torques",
        time=step * dt,
    )


def compiled_law(law: Any):
    """A user's compiled function as one that kernels can call: all laws have one type, so kernels are compiled once."""
    from numba import NumbaError, cfunc, float64, void

    from linkwork.kernels.numba_ext import JIT_DISABLED

    if JIT_DISABLED:
        return law
    if not hasattr(law, "py_func"):
        raise ArgumentError(f"law must be a PD or a function decorated with numba.njit, not {law!r}")
    cached = _laws.get(law)
    if cached is None:
        try:
            cached = cfunc(void(float64, float64[::1], float64[::1], float64[::1]))(law.py_func)
        except (NumbaError, TypeError) as error:
            reason = str(error).strip().splitlines()
            raise ArgumentError(
                f"law {law.py_func.__name__!r} does not compile as law(t, q, v, tau): {reason[-1] if reason else error}"
            ) from None
        _laws[law] = cached
    return cached


_laws: dict = {}


def _sequence(linkage, what, value, size, unit, steps):
    """A constant (size,) or a sequence (..., steps, size), as (..., size) or (..., steps · size)."""
    array = numbers(linkage, what, value, size, unit)
    if array.ndim == 1:
        return array
    if array.shape[-2] not in (1, steps):
        raise ArgumentError(
            f"{what} has shape {array.shape}: give ({size},) for a constant, (..., {steps}, {size}) for one a step, "
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


def _time_step(dt):
    try:
        dt = float(dt)
    except (TypeError, ValueError):
        raise ArgumentError(f"dt must be a number, not {dt!r}") from None
    if not (dt > 0.0 and math.isfinite(dt)):
        raise ArgumentError(f"dt must be positive and finite, not {dt!r}")
    return dt


def _whole(what, value, least):
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"{what} must be an integer, not {value!r}") from None
    if number < least:
        raise ArgumentError(f"{what} must be at least {least}, not {number}")
    return number
