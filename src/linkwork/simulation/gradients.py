"""Gradients of rollouts by the adjoint of every step: what `rollout` returns, and its `vjp`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.errors import ArgumentError, DivergedError, StructureError
from linkwork.kernels.launch import bind
from linkwork.kernels.layout import STEP_SCRATCH
from linkwork.kernels.layout.derivatives import ADJOINT_ROW
from linkwork.kernels.layout.loops import ADJOINT_LINES, PROJECTION_LINES
from linkwork.kernels.threads import share
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import finite, place_in_batch

BALL = 6  # of the table of limits: whether a row is one of a rotation vector
PATIENCE = 20_000  # packs times stages times steps: compiled calls return after about so many
STRETCH = 64  # steps between states that are worth keeping at the least


class RolloutGradient(NamedTuple):
    """Derivatives of a number of interest: ``q0, v0, tau = rollout(...).vjp(q_bar, v_bar)``.

    Attributes
    ----------
    q0 : (..., nv) array
        With respect to the first recorded coordinates, in the tangent space of `Linkage.integrate`.
    v0 : (..., nv) array
        With respect to the first recorded velocities.
    tau : (..., nt) or (..., steps, nt) array
        With respect to the torques `tau`, constant or of each step as they were given; nt is nv, or nv + nv_loop with
        the torques of loop joints.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> run = lw.rollout(arm, [0.1, 0.0], [0.0, 0.0], tau=[0.0, 0.0], steps=100, dt=1e-3)
    >>> q_bar = 0 * run.q
    >>> q_bar[-1] = 1.0  # of the sum of the last coordinates
    >>> run.vjp(q_bar, 0 * run.v).q0.round(3)
    array([1.018, 0.84 ])
    """

    q0: np.ndarray
    v0: np.ndarray
    tau: np.ndarray


class RolloutInputs(NamedTuple):
    """How a rollout was made: all that its adjoint needs."""

    linkage: Linkage
    bounds: tuple[np.ndarray, np.ndarray | None]  # tables of the limits of tree and of loop joints
    options: tuple  # number of the integrator, dt, record_every, gap, whether torques are held, controlling function
    steps: int
    inputs: list[np.ndarray]  # as rows
    leading: tuple[int, ...]
    motors: np.ndarray


class _States(NamedTuple):
    q: np.ndarray
    v: np.ndarray


class Rollout(_States):
    """Trajectories: ``q, v = rollout(...)``.

    Attributes
    ----------
    q : (..., steps // record_every + 1, nq) array
        Coordinates; row k is the state after k · record_every steps, the first row the initial state.
    v : (..., steps // record_every + 1, nv) array
        Velocities.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> starts = [[0.1, 0.0], [0.2, 0.0], [0.3, 0.0]]
    >>> q, v = lw.rollout(arm, starts, [0.0, 0.0], steps=100, dt=1e-3)
    >>> q.shape
    (3, 101, 2)
    """

    _made: RolloutInputs | None = None
    _revision: tuple[int, int] = (0, 0)

    @classmethod
    def _of(cls, q: np.ndarray, v: np.ndarray, made: RolloutInputs) -> Rollout:
        out = cls(q, v)
        out._made, out._revision = made, (made.linkage.revision, made.linkage.parameters_revision)
        return out

    def vjp(self, q_bar=None, v_bar=None) -> RolloutGradient:
        """The gradient of a number that depends on the trajectory, by the adjoint of every step.

        Parameters
        ----------
        q_bar : (..., records, nv) or (..., nv) array_like, optional
            How the number changes with each recorded q, in the tangent space of `Linkage.integrate`; or with the last
            one alone, where it has one dimension less. Nothing by default.
        v_bar : (..., records, nv) or (..., nv) array_like, optional
            The same of the velocities.

        Returns
        -------
        RolloutGradient
            ``q0``, ``v0``, ``tau``.

        Notes
        -----
        Some three times the cost of the rollout, whatever the number of torques. What is not recorded is computed
        again, so that memory grows with the square root of the number of steps where few states are recorded. Joint
        limits, motors' limits and feedback act; the stiffness of limits counts as given. Closed linkages: the
        projection after every step has its own adjoint; its rounds of Newton's method are taken as one, which leaves
        out what is of the order of the square of the gap that a step opens.

        Examples
        --------
        >>> import linkwork as lw
        >>> arm = lw.samples.chain(2)
        >>> done = lw.rollout(arm, [0.3, 0.2], [0.0, 0.0], [0.1, 0.0], dt=1e-2, steps=50)
        >>> done.vjp(q_bar=[1.0, 0.0]).tau.shape  # of q[-1, 0]
        (2,)
        """
        made = self._made
        if made is None:
            raise ArgumentError(
                "this rollout has no gradient: it is empty, has contacts, or was not made by rollout; of contacts take "
                "differences"
            )
        if self._revision != (made.linkage.revision, made.linkage.parameters_revision):
            raise StructureError(
                f"linkage {made.linkage.name!r} has changed since this rollout: roll out again, then ask for gradients"
            )
        if not made.options[4] and made.inputs[6].size:
            raise ArgumentError("feedback that is found at every stage has no adjoint: roll out with hold=True")
        if made.options[5] is not None:
            raise ArgumentError(
                "a controller that is a function has no derivatives: give PD, LinearFeedback or torques, of which the "
                "gradient is that of tau"
            )
        if made.bounds[0][:, BALL].any() or made.bounds[1] is not None:
            kind = "loop" if made.bounds[1] is not None else "spherical"
            raise ArgumentError(f'limits of {kind} joints have no adjoint: roll out with limits="ignore"')
        bars = [self._bar(name, given) for name, given in (("q_bar", q_bar), ("v_bar", v_bar))]
        every, steps = made.options[2], made.steps
        stretch = _stretch(every, steps)
        q, v = self.q, self.v
        if stretch < every:
            q, v = _again(made, self, stretch)
            fine = [np.zeros_like(v) for _ in bars]
            for whole, bar in zip(fine, bars, strict=True):
                whole[..., :: every // stretch, :] = bar
            bars = fine
        return _Back(made, stretch, q, v, bars).gradient()

    def _bar(self, name: str, given: Any) -> np.ndarray:
        """(..., records, nv) from what was given."""
        out = np.zeros_like(self.v)
        if given is None:
            return out
        try:
            array = np.asarray(given, dtype=np.float64)
            if array.ndim == self.v.ndim - 1 and array.ndim:
                out[..., -1, :] = array
            elif array.ndim == self.v.ndim:
                out[...] = array
            else:
                raise ValueError
        except (TypeError, ValueError):
            raise ArgumentError(
                f"{name} has shape {np.shape(given)}: give {self.v.shape} for all recorded states, or "
                f"{(*self.v.shape[:-2], self.v.shape[-1])} for the last one"
            ) from None
        finite(name, out)
        return out


def _stretch(every: int, steps: int) -> int:
    """Steps between states kept: those recorded, or a divisor near the square root of all steps where that is less."""
    near = max(STRETCH, math.isqrt(steps))
    if every <= 2 * near:
        return every
    return max(d for d in range(1, near + 1) if every % d == 0)


def _again(made: RolloutInputs, states: Rollout, every: int) -> tuple[np.ndarray, np.ndarray]:
    """The trajectories with more of their states."""
    from linkwork.simulation.rollout_run import Run

    count, records = math.prod(made.leading), made.steps // every + 1
    nq, nv = states.q.shape[-1], states.v.shape[-1]
    first = [x[..., 0, :].reshape(count, -1).copy() for x in states]
    inputs = [*first, *made.inputs[2:]]
    q, v = np.empty((count, records * nq)), np.empty((count, records * nv))
    options = (*made.options[:2], every, math.inf, *made.options[4:])
    outputs = [q, v, np.ones((count, 1))]
    for _, error in Run(made.linkage, made.bounds, options, made.steps, inputs, outputs).failures(made.leading):
        raise error
    return q.reshape(*made.leading, records, nq), v.reshape(*made.leading, records, nv)


class _Back:
    """The adjoint of all states of a rollout, in as many threads as pay."""

    def __init__(self, made: RolloutInputs, every: int, q: np.ndarray, v: np.ndarray, bars: list[np.ndarray]):
        from linkwork.kernels.motion.rollout import Inputs
        from linkwork.kernels.motion.rollout_adjoint import Gradient, Trajectory
        from linkwork.kernels.numba_ext import WIDTH

        self.made, self.every = made, every
        linkage = made.linkage
        self.tree, self.closed = linkage.tree, linkage.tree.closed
        self.count, self.width = math.prod(made.leading), 1 if self.closed else WIDTH
        self.records, nt = made.steps // every, linkage.nv + linkage.nv_loop
        flat = [x.reshape(self.count, -1) for x in (q, v, *bars)]
        self.trajectory, self.inputs = Trajectory(*map(np.ascontiguousarray, flat)), Inputs(*made.inputs)
        self.constant = made.inputs[2].shape[1] == nt
        sizes = linkage.nv, linkage.nv, nt if self.constant else nt * made.steps
        self.result = Gradient(*(np.zeros((self.count, n)) for n in sizes))

    def gradient(self) -> RolloutGradient:
        """All of it; raises for the first state that fails."""
        made, nv = self.made, self.tree.nv
        cost = max(1, made.steps * self.tree.stages)
        failures = [failure for found in share(self._work, self.count, self.width, cost) for failure in found]
        if failures:
            state, step = min(failures)
            raise DivergedError(
                f"{place_in_batch(state, made.leading)}the gradient became non-finite in step {step}: the motion is "
                "chaotic or singular there; take fewer steps",
                time=step * made.options[1],
            )
        leading, nt = made.leading, nv + made.linkage.nv_loop
        q0, v0 = (x.reshape(*leading, nv) for x in self.result[:2])
        shape = (*leading, nt) if self.constant else (*leading, made.steps, nt)
        return RolloutGradient(q0, v0, self.result.tau.reshape(shape))

    def _work(self, parts: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
        function, failures = self._bound(), []
        chunk = max(1, PATIENCE // (self.every * self.tree.stages))
        for begin, end in parts:
            for first in range(begin, end, self.width):
                states = first, min(first + self.width, end)
                for last in range(self.records, -1, -chunk):
                    outcome, state, step = function(states, (max(0, last - chunk), last))
                    if outcome:
                        failures.append((state, step))
                        break
                    if last <= chunk:
                        break
        return failures

    def _bound(self):
        """The kernel with scratch space of its own."""
        from linkwork.kernels.motion.rollout import Lanes
        from linkwork.kernels.motion.rollout_adjoint import Adjoint
        from linkwork.kernels.numba_ext import aligned

        made, tree, inputs = self.made, self.tree, self.inputs
        space = np.zeros if self.closed else aligned
        nq, nv, nt = tree.nq, tree.nv, tree.nv + made.linkage.nv_loop
        sizes = nq, nv, nt, nq, nv, inputs.f_ext.shape[1], inputs.gains.shape[1], inputs.firmness.shape[1], 1
        of_lam = nv, nv, nt, nt, nv, nv, nv, nt, nv, nv, nv, nv, nt, nq, nv, nq
        loops, wide = None, nv
        if self.closed:
            packed = loops_of(made.linkage)
            wide = max(nv, packed.n_rows, 6 * len(packed.names), packed.nq, packed.nv)
            loops = packed.plan, packed.geometry, np.zeros(packed.scratch_size), np.zeros((PROJECTION_LINES, wide))
        lines = tuple([space(wide) for _ in range(ADJOINT_LINES)])
        scratch = (
            space(nq), tuple([space(nv) for _ in range(STEP_SCRATCH)]), space(2),
            tuple([space(nv) for _ in range(8)]), lines,
        )  # fmt: skip
        work = space(tree.work_size + ADJOINT_ROW * tree.stages)
        blocks = tree.model, tree.index, work, tree.table, made.bounds[0], made.motors
        tape = np.zeros((self.every, nq + nv)) if self.closed else aligned(self.every, nq + nv)
        arguments = (
            blocks, loops, made.options[0], made.options[1], self.every, inputs, self.trajectory, self.result,
            Lanes(*map(space, sizes)), Adjoint(*map(space, of_lam)), tape, scratch,
        )  # fmt: skip
        function = bind(("motion.rollout_adjoint", "rollout_adjoint"), *arguments, (0, 0), (0, 0))
        return lambda states, records: function(*arguments, states, records)
