"""Rollouts: many trajectories at once, in compiled code from start to end."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.dynamics.forward import forward_dynamics
from linkwork.dynamics.problem import torques
from linkwork.errors import ArgumentError, DivergedError, LinkworkError, LinkworkWarning, StructureError, unknown_name
from linkwork.kernels.launch import bind
from linkwork.kernels.layout import NO_INERTIA, NOT_FINITE, STEP_SCRATCH, UNCLOSED
from linkwork.kernels.layout.loops import PROJECTION_LINES
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.motor import FADE, MotorLimits
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
from linkwork.simulation.controllers import PD, LinearFeedback, compiled_controller
from linkwork.simulation.gradients import Rollout, RolloutInputs
from linkwork.simulation.limits import Compliant, Impulsive, Limits, LoopLimits, chosen, firmness, warn_outside
from linkwork.simulation.structure import CLOSED, refuse_open
from linkwork.simulation.system import NEAR

INTEGRATORS = ("semi-implicit", "rk4")  # in the order of their numbers in linkwork.kernels.motion.rollout
PATIENCE = 40_000  # packs times stages times steps: compiled calls return after about so many, a fraction of a second
CLOSED_COST = 5  # of a stage with loops, in stages of an open tree
FREELY = 1e300  # rad/s or N m: no motor
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
) -> Rollout:
    """Trajectories from many initial states, under given torques, a controller or both.

    Parameters
    ----------
    linkage : Linkage
        Open or closed, without contacts; loops, couplings, joint limits, motors, springs, friction, damping and
        armature act.
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
        torques, those of loop joints included. It is called at the start of each step.
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

    Returns
    -------
    Rollout
        ``q`` and ``v``, initial state first; its `vjp` gives gradients with respect to initial states and torques.

    Raises
    ------
    DivergedError
        A state became non-finite, or its loops could not be kept closed; its time and its place in the batch are named.
    StructureError
        Loops are open at the start, or come apart. Or the linkage has contacts, or loop joints with limits: use
        `Simulation`.

    Notes
    -----
    States are worked on several at a time in SIMD packs, by as many threads as `set_threads` allows. A trajectory does
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
    tree = tree_of(linkage)
    kind = chosen(limits)
    _refuse(linkage, kind)
    if integrator not in INTEGRATORS:
        raise unknown_name("integrator", integrator, INTEGRATORS)
    dt, steps, every = time_step(dt), whole(steps, "steps", minimum=0), whole(record_every, "record_every", minimum=1)
    if steps % every:
        raise ArgumentError(f"record_every = {every} does not divide steps = {steps}: the last state would be lost")
    law = controller if isinstance(controller, PD | LinearFeedback) else None
    function = None
    if law is None and controller is not None:
        function = compiled_controller(controller, parameters=parameters is not None)
    elif parameters is not None:
        raise ArgumentError("parameters are for a controller that is a function: there is none")
    q0, given = numbers(linkage, "q0", q0, tree.nq, "nq"), torques(linkage, tau)
    bounds = Limits(linkage, kind)
    inputs = [
        q0,
        numbers(linkage, "v0", v0, tree.nv, "nv"),
        _with_offset(linkage, given, law, steps),
        _sequence("the controller's q", _target(linkage, law, "q", linkage.neutral(), tree.nq), steps),
        _sequence("the controller's v", _target(linkage, law, "v", tree.zeros, tree.nv), steps),
        wrenches(linkage, f_ext),
        np.empty(0) if law is None else law.gains(linkage),
        _firmness(linkage, bounds, q0, dt),
        _parameters(parameters),
    ]
    warn_outside(bounds, linkage, q0)
    leading = leading_shape(*inputs)
    count, records = math.prod(leading), steps // every + 1
    q, v = np.empty((*leading, records, tree.nq)), np.empty((*leading, records, tree.nv))
    if count:
        rows = [rows_of(array, leading, count) for array in inputs]
        outputs = [q.reshape(count, records * tree.nq), v.reshape(count, records * tree.nv), np.ones((count, 1))]
        options = INTEGRATORS.index(integrator), dt, every, math.inf if close else CLOSED, function
        _Run(linkage, bounds.bounds(), options, steps, rows, outputs).all(leading)
        _warn_singular(linkage, outputs[2][:, 0], leading)
        made = RolloutInputs(linkage, bounds.bounds(), options, steps, rows, leading, _motors(linkage))
        return Rollout._of(q, v, made)
    return Rollout(q, v)


class _Run:
    """All states of a rollout, in as many threads as pay."""

    def __init__(self, linkage, bounds, options, steps, inputs, outputs):
        from linkwork.kernels.motion.rollout import Inputs, Outputs

        self.linkage, self.options, self.steps = linkage, options, steps
        self.inputs, self.outputs, self.bounds = Inputs(*inputs), Outputs(*outputs), bounds
        self.cost = linkage.tree.stages * (CLOSED_COST if linkage.tree.closed else 1)
        self.stopped = False  # whether a thread has failed, so that the others need not go on

    def all(self, leading: tuple[int, ...]) -> None:
        """Roll out every state; raise for the first that fails."""
        from linkwork.kernels.numba_ext import WIDTH

        count = len(self.outputs.q)
        shares = share(self._work, count, WIDTH, max(1, self.steps * self.cost))
        failures = [failure for found in shares for failure in found]
        if failures:
            first, step, outcome = min(failures)
            for state in range(first, min(first + WIDTH, count)):  # which one of the pack?
                if found := self._work(iter([(state, state + 1)])):
                    first, step, outcome = found[0]
                    break
            raise self._failure(first, outcome, step, place_in_batch(first, leading))

    def _work(self, parts: Iterator[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """Work off parts (begin, end) of the states; (state, step, status) of those that fail."""
        function, failures = self._bound(), []
        try:
            for begin, end in parts:
                for states, steps in self._calls(begin, end):
                    if self.stopped:
                        return failures
                    outcome, state, step = function(states, steps)
                    if outcome:
                        failures.append((state, step, outcome))
                        break
        except BaseException:
            self.stopped = True
            raise
        return failures

    def _calls(self, begin: int, end: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """States and steps of each call, so that none takes long: Ctrl-C is seen between calls."""
        from linkwork.kernels.numba_ext import WIDTH

        packs = PATIENCE // max(1, self.steps * self.cost)
        if packs:
            for first in range(begin, end, packs * WIDTH):
                yield (first, min(first + packs * WIDTH, end)), (0, self.steps)
            return
        chunk = max(1, PATIENCE // self.cost)
        for first in range(begin, end, WIDTH):
            for step in range(0, self.steps, chunk):
                yield (first, min(first + WIDTH, end)), (step, min(step + chunk, self.steps))

    def _bound(self) -> Callable[..., tuple[int, int, int]]:
        """The kernel with scratch space of its own."""
        from linkwork.kernels.motion.rollout import Lanes
        from linkwork.kernels.numba_ext import aligned

        linkage, tree, inputs = self.linkage, self.linkage.tree, self.inputs
        nq, nv, nt = tree.nq, tree.nv, tree.nv + linkage.nv_loop
        sizes = nq, nv, nt, nq, nv, inputs.f_ext.shape[1], inputs.gains.shape[1], inputs.firmness.shape[1], 1
        scratch = aligned(nq), tuple([aligned(nv) for _ in range(STEP_SCRATCH)]), aligned(2)
        blocks = tree.model, tree.index, aligned(tree.work_size), tree.table, self.bounds, _motors(linkage)
        method, dt, every, gap, controller = self.options
        loops = None
        if tree.closed:
            packed = loops_of(linkage)
            lines = aligned(PROJECTION_LINES, max(nv, packed.n_rows, 6 * len(packed.names), packed.nq))
            lines[...] = 0.0
            loops = packed.plan, packed.geometry, packed.pack_scratch(), lines
        arguments = (
            blocks, loops, method, dt, every, gap, controller, inputs, self.outputs, Lanes(*map(aligned, sizes)),
            scratch, (np.empty(nq), np.empty(nv), np.empty(nt)),
        )  # fmt: skip
        function = bind(("motion.rollout", "rollout"), *arguments, (0, 0), (0, 0))  # one thread compiles, others wait
        return lambda states, steps: function(*arguments, states, steps)

    def _failure(self, state: int, outcome: int, step: int, where: str) -> LinkworkError:
        what, linkage, dt = outcome & 15, self.linkage, self.options[1]
        if step < 0 and what == UNCLOSED:
            q, v = (rows[min(state, len(rows) - 1)].copy() for rows in self.inputs[:2])
            return _open_loop(linkage, q, v, where)
        if what in NO_INERTIA and linkage.tree.closed:
            return StructureError(f"{problem(linkage, outcome, where)}; a Simulation can move bodies that loops carry")
        if what != NOT_FINITE and what != UNCLOSED and step <= 0:  # wrong from the start
            return problem(linkage, outcome, where)
        happened = "loops could not be closed" if what == UNCLOSED else "the state became non-finite"
        return DivergedError(
            f"{where}{happened} in step {step}, after t = {step * dt:.6g} s: take a smaller dt, smaller gains or "
            "smaller torques",
            time=step * dt,
        )


def _refuse(linkage: Linkage, kind: Compliant | Impulsive | None) -> None:
    """Raise for what rollouts do not know."""
    if len(linkage.shapes):
        raise StructureError(f"linkage {linkage.name!r} has shapes, which rollouts do not know: use Simulation")
    if len(linkage.contacts):
        raise StructureError(f"linkage {linkage.name!r} has contacts, which rollouts do not know: use Simulation")
    if isinstance(kind, Impulsive):
        raise ArgumentError('rollouts know compliant limits: give limits="compliant" or "ignore", or use Simulation')
    if len(LoopLimits(linkage, kind).table):
        names = [loop.name for loop in linkage.loops if getattr(loop.type, "limits", None) is not None]
        raise StructureError(
            f"loop joint {names[0]!r} has limits, which rollouts do not know: use Simulation, or limits=\"ignore\""
        )
    if linkage.strengths:
        warnings.warn(
            f"rollouts do not watch the strength of joints: {', '.join(map(repr, linkage.strengths))} will not break",
            LinkworkWarning,
            stacklevel=3,
        )


def _firmness(linkage: Linkage, limits: Limits, q: np.ndarray, dt: float) -> np.ndarray:
    """(..., 2 limits) stiffness and damping of every limit at the initial poses, as `Limits.prepare` chooses them."""
    dofs, nv = limits.dofs, linkage.nv
    if not len(dofs):
        return np.empty(0)
    zero, unit = np.zeros(nv), np.eye(nv)[dofs]
    poses = q.reshape(-1, linkage.nq)
    inertia = np.empty((len(poses), len(dofs)))
    for part in np.array_split(np.arange(len(poses)), 1 + poses.shape[0] * len(dofs) * nv // AT_ONCE):
        rest = forward_dynamics(linkage, poses[part], zero)
        moved = forward_dynamics(linkage, poses[part, None], zero, unit)
        inertia[part] = 1.0 / (moved - rest[:, None])[:, np.arange(len(dofs)), dofs]
    both = np.stack(firmness(limits.kind, inertia, dt), axis=-1)
    return both.reshape(*q.shape[:-1], 2 * len(dofs))


def _motors(linkage: Linkage) -> np.ndarray:
    """(3 nv,) efforts and speeds of the motors, and the span over which efforts fade; empty where there are none."""
    limits = MotorLimits(linkage)
    if not limits.any:
        return np.empty(0)
    effort, speed = np.nan_to_num(limits.effort, posinf=FREELY), np.nan_to_num(limits.speed, posinf=FREELY)
    return np.concatenate([effort, speed, FADE * speed])


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
    return array


def _open_loop(linkage, q, v, where):
    """The error of a state whose loops are open, or come apart, at the start."""
    try:
        refuse_open(linkage, 0.0, q, v)
    except StructureError as error:
        return StructureError(f"{where}{error}")
    return StructureError(f"{where}loops cannot be closed from the initial pose: start nearer, with close_loops")


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
