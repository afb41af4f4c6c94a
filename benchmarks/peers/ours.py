"""Our side of the benchmark: batches on one core and on all, calls one by one, rollouts, chains and trees."""

from __future__ import annotations

import time

import numpy as np

import linkwork as lw
from benchmarks.peers.contender import LOOP, Contender, loop
from benchmarks.peers.robots import Robot
from benchmarks.peers.rods import Chain, state
from linkwork.kernels.threads import thread_count

ROLLOUT = (256, 64)  # trajectories and steps
DT = 1e-3
_TWO_THREADS = 1.7  # as fast as one, at least
_SAME = 1e-12  # a batch and single calls


def forward(robot: Robot) -> list[Contender]:
    """Accelerations."""
    ours, q, v, tau = robot.ours, robot.q, robot.v, robot.tau
    out = np.empty_like(v)

    def run():
        return lw.forward_dynamics(ours, q, v, tau, out=out)

    single = loop("linkwork, call by call", lambda k: lw.forward_dynamics(ours, q[k], v[k], tau[k]), _asis, None, _SAME)
    return [*_on_cores(run, len(q), lambda: run()[:LOOP], _TWO_THREADS), single]


def inverse(robot: Robot) -> list[Contender]:
    """Torques."""
    ours, q, v, a = robot.ours, robot.q, robot.v, robot.a
    out = np.empty_like(v)

    def run():
        return lw.inverse_dynamics(ours, q, v, a, out=out)

    single = loop("linkwork, call by call", lambda k: lw.inverse_dynamics(ours, q[k], v[k], a[k]), _asis, None, _SAME)
    return [*_on_cores(run, len(q), lambda: run()[:LOOP]), single]


def matrix(robot: Robot) -> list[Contender]:
    """Dense mass matrices."""
    ours, q, nv = robot.ours, robot.q, robot.ours.nv
    out = np.empty((len(q), nv, nv))

    def run():
        return lw.mass_matrix(ours, q, out=out)

    single = loop("linkwork, call by call", lambda k: lw.mass_matrix(ours, q[k]), _asis, None, _SAME)
    return [*_on_cores(run, len(q), lambda: run()[:LOOP]), single]


def nonzeros(robot: Robot) -> list[Contender]:
    """Mass matrices as packed nonzeros; checked by their diagonals."""
    ours, q = robot.ours, robot.q
    out = np.empty((len(q), ours.tree.nonzeros))

    def run():
        return lw.packed_mass_matrix(ours, q, out=out)

    return _on_cores(run, len(q), lambda: run()[:LOOP, ours.tree.row_start[:-1]])


def rollout_inputs(robot: Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First states and constant torques of the trajectories."""
    count, _ = ROLLOUT
    tau = 1e-3 * robot.tau[:count, None]
    if robot.free:  # a constant force on the base would turn with it for us, but not for others
        tau[..., robot.ours.joints["root_joint"].v_slice] = 0.0
    return robot.q[:count], 0.1 * robot.v[:count], tau


def trajectories(robot: Robot, dt: float, steps: int) -> np.ndarray:
    """Coordinates after each step."""
    euler = {"integrator": "semi-implicit", "limits": "ignore"}
    return lw.rollout(robot.ours, *rollout_inputs(robot), dt, steps, **euler).q[:, 1:]


def rollout(robot: Robot) -> list[Contender]:
    """Semi-implicit Euler steps."""
    count, steps = ROLLOUT
    inputs, euler = rollout_inputs(robot), {"integrator": "semi-implicit", "limits": "ignore"}
    return _on_cores(lambda: lw.rollout(robot.ours, *inputs, DT, steps, **euler), count * steps, None)


def chain(n: int) -> Chain:
    """Forward dynamics of the hinged rods."""
    return _linkage(lw.samples.chain(n))


def tree(n: int) -> Chain:
    """Forward dynamics of a binary tree."""
    return _linkage(lw.samples.tree(n))


def _linkage(linkage):
    q, v = state(linkage.nv)

    def forward():
        return lw.forward_dynamics(linkage, q, v)

    return Chain(forward, forward)


def _on_cores(run, states, result, two_threads=None):
    """`run` on one core, and on all of them by wall-clock time."""
    cores = thread_count()
    threaded = Contender(
        f"linkwork, {cores} threads", _with_threads(run, cores), states,
        budget=two_threads if cores == 2 else None, clock=time.perf_counter,
    )  # fmt: skip
    return [Contender("linkwork", _with_threads(run, 1), states, result), threaded]


def _with_threads(function, threads):
    def call():
        lw.set_threads(threads)
        try:
            return function()
        finally:
            lw.set_threads(None)

    return call


def _asis(x):
    return x
