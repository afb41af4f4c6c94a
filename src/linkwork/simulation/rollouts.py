"""Rollouts: many trajectories at once, in compiled code from start to end."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.dynamics.forward import forward_dynamics
from linkwork.dynamics.problem import torques
from linkwork.errors import ArgumentError, LinkworkError, LinkworkWarning, unknown_name
from linkwork.linkage.checks import positive
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.motor import motors_as_array
from linkwork.linkage.packing.launch import leading_shape, numbers, place_in_batch, rows_of, tree_of, wrenches
from linkwork.simulation.arguments import whole
from linkwork.simulation.breaking import strengths_of
from linkwork.simulation.contact_rollouts import ContactRun, refuse_contacts
from linkwork.simulation.controllers import PD, LinearFeedback, compiled_controller
from linkwork.simulation.gradients import Rollout, RolloutInputs
from linkwork.simulation.limit_kinds import Compliant, Impulsive, chosen
from linkwork.simulation.limits import Limits, LoopLimits, felt, firmness, warn_outside
from linkwork.simulation.rollout_run import Run
from linkwork.simulation.structure import CLOSED
from linkwork.simulation.system import NEAR

INTEGRATORS = ("semi-implicit", "rk4")  # in the order of their numbers in linkwork.kernels.motion.rollout
AT_ONCE = 1 << 20  # numbers of the responses to unit forces that are computed at a time


def rollout(
    linkage: Linkage,
    q0,
    v0,
    tau=None,
    dt: float = 1e-3,
    steps: int = 1,
    *,
    controller: PD | LinearFeedback | Callable | None = None,
    parameters=None,
    f_ext=None,
    integrator: str = "rk4",
    limits: Any = "compliant",
    close: bool = False,
    record_every: int = 1,
    hold: bool = True,
) -> Rollout:
    """Trajectories from many initial states, under given torques, a controller or both.

    Parameters
    ----------
    linkage : Linkage
        Open or closed; loops, couplings, joint limits, motors, springs, friction, damping and armature act. Shapes
        touch by time stepping, whatever the integrator; points on surfaces that rest stick, as of `forward_dynamics`.
    q0 : (..., nq) array_like
        Initial coordinates, in m and rad.
    v0 : (..., nv) array_like
        Initial velocities, which must keep loops closed.
    tau : (nv,) or (..., steps, nv) array_like, optional
        Generalized forces: constant, or for each step; of a closed linkage also (..., nv + nv_loop), with those of the
        loop joints. For constants that differ from state to state give (..., 1, nv).
    dt : float
        Time step in s.
    steps : int
        Number of steps.
    controller : PD, LinearFeedback or function, optional
        Torques besides `tau`: feedback, whose gains and targets may differ from state to state; or a function
        ``controller(t, q, v, tau)`` or ``controller(t, q, v, tau, parameters)`` decorated with ``numba.njit`` or
        ``numba.cfunc``. It gets one state (t in s, q of nq, v of nv numbers) and writes `tau`, which holds the given
        torques, those of loop joints included. It is called at the start of each step, or see `hold`.
    parameters : (p,) or (..., p) array_like, optional
        Numbers for a function that is the controller: one row for all states, or one for each.
    f_ext : (..., nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin; constant.
    integrator : {"rk4", "semi-implicit"}
        "rk4": four evaluations per step, of order 4 on the manifold, for every joint type. "semi-implicit": one, of
        order 1, symplectic.
    limits : {"compliant", "ignore"} or Compliant
        What joints do at their limits, as in `Simulation`; stiffness and damping are those of each initial state.
    close : bool
        Close loops that are open at the start, and bring velocities to the nearest that keep them closed; without it
        a gap of more than 1e-6 m or rad raises, as in `Simulation`.
    record_every : int
        Record every so many steps; a divisor of `steps`.
    hold : bool
        Hold the controller's torques during a step; False finds them at every stage of it, as a `Simulation` does with
        its `torques`.

    Returns
    -------
    Rollout
        ``q`` and ``v``, initial state first; its `vjp` gives gradients with respect to initial states and torques.

    Raises
    ------
    DivergedError
        A state became non-finite, or its loops could not be kept closed; its time and its place in the batch are named.
    StructureError
        Loops are open at the start, or come apart, or shapes overlap. Or solids meet solids, or ground moves by a
        function: use `Simulation`.

    Notes
    -----
    States are worked on several at a time in SIMD packs, by as many threads as `set_threads` allows; those of linkages
    with contacts one at a time, by the very steps of ``Simulation(contacts="time-stepping")``. A trajectory does
    not depend on the threads, nor on the others of the batch, to the last bit. After each step loops are closed and
    velocities made consistent, as in `Simulation`, whose motion this is but for rounding.

    Examples
    --------
    >>> import linkwork as lw
    >>> pendulum = lw.samples.chain(2)
    >>> q, v = lw.rollout(pendulum, [[0.1, 0.2], [0.3, 0.4]], [0.0, 0.0], dt=1e-3, steps=100, record_every=10)
    >>> q.shape
    (2, 11, 2)
    """
    made, failures = rollouts(
        linkage, q0, v0, tau, dt, steps, controller=controller, parameters=parameters, f_ext=f_ext,
        integrator=integrator, limits=limits, close=close, record_every=record_every, hold=hold,
    )  # fmt: skip
    if failures:
        raise failures[0][1]
    return made


def rollouts(
    linkage: Linkage, q0, v0, tau, dt: float, steps: int, *, controller=None, parameters=None, f_ext=None,
    integrator: str = "rk4", limits: Any = "compliant", close: bool = False, record_every: int = 1, hold: bool = True,
    every: bool = False,
) -> tuple[Rollout, list[tuple[int, LinkworkError]]]:  # fmt: skip
    """`rollout`, with the first state that fails and its error; or `every` one, where all others go on."""
    tree = tree_of(linkage)
    kind = chosen(limits)
    _refuse(linkage, kind)
    if integrator not in INTEGRATORS:
        raise unknown_name("integrator", integrator, INTEGRATORS)
    dt, steps = positive(dt, "dt"), whole(steps, "steps", minimum=0)
    step = whole(record_every, "record_every", minimum=1)
    if steps % step:
        raise ArgumentError(f"record_every = {step} does not divide steps = {steps}: the last state would be lost")
    law = controller if isinstance(controller, PD | LinearFeedback) else None
    function = None
    if law is None and controller is not None:
        function = compiled_controller(controller, parameters=parameters is not None)
    elif parameters is not None:
        raise ArgumentError("parameters are for a controller that is a function: there is none")
    q0, given = numbers(linkage, "q0", q0, tree.nq, "nq"), torques(linkage, tau)
    limited, of_loops = Limits(linkage, kind), LoopLimits(linkage, kind)
    bounds = limited.bounds(), of_loops.table if len(of_loops.table) else None
    inputs = [
        q0,
        numbers(linkage, "v0", v0, tree.nv, "nv"),
        _with_offset(linkage, given, law, steps),
        _sequence("the controller's q", _target(linkage, law, "q", linkage.neutral(), tree.nq), steps),
        _sequence("the controller's v", _target(linkage, law, "v", tree.zeros, tree.nv), steps),
        wrenches(linkage, f_ext),
        np.empty(0) if law is None else law.gains(linkage),
        _firmness(linkage, limited, of_loops, q0, dt),
        _parameters(parameters),
    ]
    warn_outside(limited, linkage, q0)
    leading = leading_shape(*inputs)
    count, records, failures = math.prod(leading), steps // step + 1, []
    q, v = np.empty((*leading, records, tree.nq)), np.empty((*leading, records, tree.nv))
    if count:
        rows = [rows_of(array, leading, count) for array in inputs]
        outputs = [q.reshape(count, records * tree.nq), v.reshape(count, records * tree.nv), np.ones((count, 1))]
        options = INTEGRATORS.index(integrator), dt, step, math.inf if close else CLOSED, bool(hold), function
        if len(linkage.shapes) or len(linkage.contacts):
            if not hold:
                raise ArgumentError("with contacts torques are held during a step: give hold=True, or use Simulation")
            held = options[:4] + options[5:]
            ContactRun(linkage, bounds, motors_as_array(linkage), held, steps, rows, outputs).all(leading)
            return Rollout(q, v), []
        failures = Run(linkage, bounds, options, steps, rows, outputs).failures(leading, every=every)
        if not failures:
            _warn_singular(linkage, outputs[2][:, 0], leading)
        made = RolloutInputs(linkage, bounds, options, steps, rows, leading, motors_as_array(linkage))
        return Rollout._of(q, v, made), failures
    return Rollout(q, v), failures


def _refuse(linkage: Linkage, kind: Compliant | Impulsive | None) -> None:
    """Raise for what rollouts do not know."""
    refuse_contacts(linkage)
    if isinstance(kind, Impulsive):
        raise ArgumentError('rollouts know compliant limits: give limits="compliant" or "ignore", or use Simulation')
    if breakable := strengths_of(linkage):
        warnings.warn(
            f"rollouts do not watch the strength of joints: {', '.join(map(repr, breakable))} will not break",
            LinkworkWarning,
            stacklevel=3,
        )


def _firmness(linkage: Linkage, limits: Limits, of_loops: LoopLimits, q: np.ndarray, dt: float) -> np.ndarray:
    """(..., 2 limits) stiffness and damping of every limit at the initial poses, as a `Simulation` chooses them."""
    dofs, nv = limits.dofs, linkage.nv
    unit = np.eye(nv + linkage.nv_loop)[np.concatenate([dofs, nv + of_loops.dofs])]
    if not len(unit):
        return np.empty(0)
    zero, poses = np.zeros(nv), q.reshape(-1, linkage.nq)
    inertia = np.empty((len(poses), len(unit)))
    for part in np.array_split(np.arange(len(poses)), 1 + poses.shape[0] * len(unit) * nv // AT_ONCE):
        rest = forward_dynamics(linkage, poses[part], zero)
        moved = forward_dynamics(linkage, poses[part, None], zero, unit) - rest[:, None]
        for state, response in zip(part, moved, strict=True):
            own, n = response[np.arange(len(dofs)), dofs], len(dofs)
            inertia[state, :n] = felt(linkage, poses[state], own, dofs)
            inertia[state, n:] = of_loops.felt(linkage, poses[state], response[n:])
    both = np.stack(firmness(limits.kind, inertia, dt), axis=-1)
    return both.reshape(*q.shape[:-1], 2 * len(unit))


def _target(linkage, law, what, otherwise, size):
    """Where feedback goes to: coordinates or velocities."""
    value = None if law is None else getattr(law, what)
    return numbers(linkage, f"the controller's {what}", otherwise if value is None else value, size, f"n{what}")


def _with_offset(linkage, tau, law, steps):
    """Torques, and the offset of feedback, as `_sequence` makes them."""
    if law is None or law.tau is None:
        return _sequence("tau", tau, steps)
    _sequence("the controller's tau", offset := torques(linkage, law.tau), steps)
    tau, offset = np.atleast_2d(tau), np.atleast_2d(offset)
    try:
        return _sequence("tau", tau + offset, steps)
    except ValueError:
        raise ArgumentError(f"tau and the controller's do not broadcast: {tau.shape} and {offset.shape}") from None


def _sequence(what, array, steps):
    """A constant (size,) or a sequence (..., steps, size), as (size,) or (..., steps · size)."""
    if array.ndim == 1:
        return array
    size = array.shape[-1]
    if array.shape[-2] not in (1, steps):
        raise ArgumentError(
            f"{what} has shape {array.shape}: give ({size},) for a constant, (..., {steps}, {size}) for one per step, "
            f"or (..., 1, {size}) for constants that differ from state to state"
        )
    return array.reshape(*array.shape[:-2], array.shape[-2] * size)


def _parameters(value):
    """(..., p) numbers for a user's controller."""
    try:
        array = np.array(value if value is not None else [], dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ArgumentError("parameters must be an array of real numbers") from None
    if array.ndim == 0 or not np.isfinite(array).all():
        raise ArgumentError("parameters must be finite numbers: (p,) for all states, or (..., p)")
    if value is not None and not array.shape[-1]:
        raise ArgumentError("parameters has no numbers: give (p,) for all states, or (..., p)")
    return array


def _warn_singular(linkage, margins, leading):
    """Warn of the state whose loops came nearest to a singular pose."""
    state = int(margins.argmin())
    if margins[state] < NEAR:
        warnings.warn(
            f"{place_in_batch(state, leading)}loops of linkage {linkage.name!r} came near a singular pose (margin "
            f"{margins[state]:.1e}): from there it could go on in more than one way; the one it came by is followed",
            LinkworkWarning,
            stacklevel=3,
        )
