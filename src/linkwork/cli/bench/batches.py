"""Batches and rollouts on real robots, beside Pinocchio and MuJoCo: the same states, results checked, then timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

import linkwork as lw
from linkwork.cli.bench.robots import FILES, InMujoco, InPinocchio, Robot, installed
from linkwork.threads import thread_count

STATES = 4096
_LOOP = 256  # states of a loop of calls, which costs the same for each
_ROLLOUT = (256, 64)  # trajectories and steps
_DT = 1e-3
_EQUAL = 1e-7  # relative to the largest entry: exact algorithms, and the condition of the mass matrix


class Contender(NamedTuple):
    """Who, what is timed, how many states (or steps) that is, what it gives in our layout, and what we promise."""

    name: str
    call: Callable[[], object]
    states: int
    result: Callable[[], np.ndarray] | None = None
    budget: float | None = None  # our speed over its own, a core each, at least
    clock: Callable[[], float] = time.process_time  # of one core: other programs do not count


class Row(NamedTuple):
    """One line of the table: a contender's time, and our speed over its own."""

    robot: str
    measure: str
    contender: str
    microseconds: float
    ratio: float
    budget: float | None


def compare(*, peers: bool = True, robots=tuple(FILES), rounds: int = 12, states: int = STATES) -> Iterator[Row]:
    """Time every contender for every measure on every robot, one core each unless its name says otherwise."""
    cores = thread_count()
    for name in robots:
        robot = Robot(name, states)
        measures = {
            "forward dynamics": _forward(robot, cores),
            "inverse dynamics": _inverse(robot),
            "mass matrix": _matrix(robot),
            "its nonzeros": _nonzeros(robot),
            "rollout": _rollouts(robot, cores),
        }
        for measure, contenders in measures.items():
            if not peers:
                contenders = [contender for contender in contenders if contender.name.startswith("linkwork")]
            _check(contenders, f"{name}, {measure}")
            times = _best_times(contenders, rounds)
            for contender, seconds in zip(contenders, times, strict=True):
                yield Row(name, measure, contender.name, 1e6 * seconds, seconds / times[0], contender.budget)


def _ours(function, threads=1):
    """`function` with so many threads."""

    def call():
        lw.set_threads(threads)
        try:
            return function()
        finally:
            lw.set_threads(None)

    return call


def _threaded(function, cores, states):
    """Ours on all cores, by the clock on the wall."""
    return Contender(f"linkwork, {cores} threads", _ours(function, cores), states, clock=time.perf_counter)


def _forward(robot, cores):
    ours, q, v, tau, n = robot.ours, robot.q, robot.v, robot.tau, len(robot.q)
    out = np.empty_like(v)

    def run():
        return lw.forward_dynamics(ours, q, v, tau, out=out)

    contenders = [Contender("linkwork", _ours(run), n, lambda: run()[:_LOOP])]
    contenders.append(_threaded(run, cores, n))
    if installed("pinocchio"):
        import pinocchio as pin

        p = InPinocchio(robot)
        contenders.append(
            _loop("Pinocchio aba", lambda k: pin.aba(p.model, p.data, p.q[k], p.v[k], p.tau[k]), p.back, 12.0)
        )
        if hasattr(pin, "abaInParallel"):
            pool, (cq, cv, _, ctau) = pin.ModelPool(p.model, 1), p.columns
            a = np.asfortranarray(np.empty_like(cv))

            def parallel():
                pin.abaInParallel(1, pool, cq, cv, ctau, a)
                return p.back(a.T)[:_LOOP]

            contenders.append(Contender("Pinocchio abaInParallel", parallel, n, parallel, 8.0))
    if installed("mujoco"):
        import mujoco

        m = InMujoco(robot)

        def forward(k):
            m.data.qpos, m.data.qvel, m.data.qfrc_applied = m.qpos[k], m.qvel[k], m.tau[k]
            mujoco.mj_forward(m.model, m.data)
            return m.data.qacc

        contenders.append(_loop("MuJoCo mj_forward", forward, lambda x: m.back(x - m.carried[: len(x)])))
    return contenders


def _inverse(robot):
    ours, q, v, a, n = robot.ours, robot.q, robot.v, robot.a, len(robot.q)
    out = np.empty_like(v)

    def run():
        return lw.inverse_dynamics(ours, q, v, a, out=out)

    contenders = [Contender("linkwork", _ours(run), n, lambda: run()[:_LOOP])]
    if installed("pinocchio"):
        import pinocchio as pin

        p = InPinocchio(robot)
        contenders.append(
            _loop("Pinocchio rnea", lambda k: pin.rnea(p.model, p.data, p.q[k], p.v[k], p.a[k]), p.back, 8.0)
        )
        if hasattr(pin, "rneaInParallel"):
            pool, (cq, cv, ca, _) = pin.ModelPool(p.model, 1), p.columns
            tau = np.asfortranarray(np.empty_like(cv))

            def parallel():
                pin.rneaInParallel(1, pool, cq, cv, ca, tau)
                return p.back(tau.T)[:_LOOP]

            contenders.append(Contender("Pinocchio rneaInParallel", parallel, n, parallel))
    if installed("mujoco"):
        import mujoco

        m = InMujoco(robot)
        qacc = m.to(robot.a) + m.carried

        def inverse(k):
            m.data.qpos, m.data.qvel, m.data.qacc = m.qpos[k], m.qvel[k], qacc[k]
            mujoco.mj_inverse(m.model, m.data)
            return m.data.qfrc_inverse

        contenders.append(_loop("MuJoCo mj_inverse", inverse, m.back))
    return contenders


def _matrix(robot):
    ours, q, n, nv = robot.ours, robot.q, len(robot.q), robot.ours.nv
    dense = np.empty((n, nv, nv))

    def run():
        return lw.mass_matrix(ours, q, out=dense)

    contenders = [Contender("linkwork", _ours(run), n, lambda: run()[:_LOOP])]
    if not installed("pinocchio"):
        return contenders
    import pinocchio as pin

    p = InPinocchio(robot)

    def whole(upper):
        H = np.empty_like(upper)
        upper = np.triu(upper)
        H[(slice(None), *np.ix_(p.order, p.order))] = upper + np.triu(upper, 1).transpose(0, 2, 1)
        return H

    return [*contenders, _loop("Pinocchio crba", lambda k: pin.crba(p.model, p.data, p.q[k]), whole, 3.0)]


def _nonzeros(robot):
    ours, q = robot.ours, robot.q
    packed = np.empty((len(q), ours.tree.nonzeros))

    def run():
        return lw.packed_mass_matrix(ours, q, out=packed)

    def diagonal():
        return run()[:_LOOP, ours.tree.row_start[:-1]]

    contenders = [Contender("linkwork", _ours(run), len(q), diagonal)]
    if installed("pinocchio"):
        import pinocchio as pin

        p = InPinocchio(robot)

        def back(H):
            return p.back(np.diagonal(H, axis1=1, axis2=2))

        contenders.append(_loop("Pinocchio crba", lambda k: pin.crba(p.model, p.data, p.q[k]), back, 8.0))
    return contenders


def _rollouts(robot, cores):
    count, steps = _ROLLOUT
    ours, q, v, tau = robot.ours, robot.q[:count], 0.1 * robot.v[:count], 1e-3 * robot.tau[:count, None]
    if robot.free:  # a constant force on the base would turn with it for us, but not for MuJoCo
        tau[..., ours.joints["root_joint"].v_slice] = 0.0

    def run(dt=_DT, steps=steps):
        return lw.rollout(ours, q, v, tau, dt, steps)

    contenders = [Contender("linkwork", _ours(run), count * steps)]
    contenders.append(_threaded(run, cores, count * steps))
    if installed("mujoco"):
        import mujoco
        from mujoco import rollout

        m = InMujoco(robot)
        spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
        start = np.zeros((count, mujoco.mj_stateSize(m.model, spec)))
        nq, nv = m.model.nq, m.model.nv
        start[:, 1 : 1 + nq], start[:, 1 + nq : 1 + nq + nv] = m.qpos[:count], 0.1 * m.qvel[:count]
        torques = tau[..., m.order]

        def other(dt=_DT, steps=steps):
            m.model.opt.timestep = dt
            applied = int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)
            state, _ = rollout.rollout(m.model, m.data, start, torques, control_spec=applied, nstep=steps)
            return state[:, :, 1 : 1 + nq]

        _check_trajectories(robot, lambda dt, n: run(dt, n).q[:, 1:], lambda dt, n: m.coordinates(other(dt, n)))
        contenders.append(Contender("MuJoCo rollout", other, count * steps, None, 5.0))
    return contenders


def _check_trajectories(robot, ours, other):
    """The same Euler steps on fixed bases.

    MuJoCo moves a free base in world axes, we in its own: then they differ by the error of the method, which must fall
    with the time step.
    """

    def gap(dt):
        x, y = ours(dt, round(8e-3 / dt))[:, -1], other(dt, round(8e-3 / dt))[:, -1]
        return np.abs(lw.Linkage.difference(robot.ours, x, y)).max()

    coarse, fine = gap(1e-3), gap(1e-4)
    if coarse > 1e-9 and not (robot.free and fine < 0.2 * coarse):
        raise SystemExit(f"{robot.name}: trajectories differ from MuJoCo's by {coarse:.1e}, by {fine:.1e} with dt / 10")


def _loop(name, one, back, budget=None):
    """A contender that calls `one` for each of the first states."""

    def call():
        for k in range(_LOOP):
            one(k)

    return Contender(name, call, _LOOP, lambda: back(np.array([np.copy(one(k)) for k in range(_LOOP)])), budget)


def _check(contenders, what):
    """Every result equals ours."""
    if contenders[0].result is None:
        return
    reference = contenders[0].result()
    for contender in contenders[1:]:
        if contender.result is not None:
            error = np.abs(contender.result() - reference).max() / np.abs(reference).max()
            if not error < _EQUAL:
                raise SystemExit(f"{what}: {contender.name} differs by {error:.1e}: nothing is timed")


def _best_times(contenders, rounds):
    """Seconds a state: the best of `rounds` rounds, in turns, so that a busy machine slows all alike."""
    for contender in contenders:
        contender.call()
    best = [np.inf] * len(contenders)
    for _ in range(rounds):
        for k, contender in enumerate(contenders):
            start = contender.clock()
            contender.call()
            best[k] = min(best[k], (contender.clock() - start) / contender.states)
    return best
