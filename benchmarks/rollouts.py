"""Closed linkages in rollouts: one core, beside the same steps by `Simulation` and by MuJoCo's rollouts.

    python benchmarks/rollouts.py [--rounds 5]

All run in turns, so that a busy machine slows them alike; the ratio is the median of the rounds', of processor time.
The gap is the largest distance between the two ends of a loop over all recorded states, in m. After a step, errors of
up to 1e-12 m and 1e-12 m/s are left alone, and a last digit may decide about that: so what one ulp in the initial
velocities does to a simulation is printed beside the difference to it. MuJoCo, where it is installed, gets the same
four-bar with its loop as a `connect` constraint, its own integrator and its default solver.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import linkwork as lw

DT = 1e-3  # s
CASES = {"four_bar": (4096, 40, 3.0, 8.0), "stewart": (1024, 20, 2.0, 4.0)}  # states, steps, least ratio, goal
ALONE = 2000  # steps of the simulation beside them
CHECKED, LONG = 4, 1000  # states and steps whose results are compared
EQUAL = 1e-12


def states(linkage: lw.Linkage, count: int) -> tuple[np.ndarray, np.ndarray]:
    """States on the way of a linkage that is set in motion, over and over."""
    q = lw.close_loops(linkage, linkage.neutral())
    v = lw.consistent_velocity(linkage, q, np.random.default_rng(0).normal(size=linkage.nv))
    recording = lw.Simulation(linkage, q, v, dt=DT).run(0.5, progress=False)
    at = np.arange(count) * 7 % len(recording.t)
    return recording.q[at].copy(), recording.v[at].copy()


def seconds(call: Callable[[], object]) -> float:
    """Processor time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def gap(linkage: lw.Linkage, q: np.ndarray) -> float:
    """The largest distance between the ends of a loop, m."""
    from linkwork.dynamics.constraints import residuals

    return max(float(np.abs(residuals(linkage, pose).error[:, :3]).max()) for pose in q.reshape(-1, linkage.nq))


def simulated(linkage: lw.Linkage, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The state after many steps of a simulation."""
    sim = lw.Simulation(linkage, q, v, dt=DT)
    sim.run(LONG * DT, progress=False)
    return np.concatenate([sim.q, sim.v])


def difference(linkage: lw.Linkage, q: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
    """The largest difference to a simulation after many steps; what one ulp does to it; and the gap on the way."""
    rolled = lw.rollout(linkage, q, v, dt=DT, steps=LONG, record_every=LONG // 10)
    ends = np.concatenate([rolled.q[:, -1], rolled.v[:, -1]], axis=-1)
    alone = np.array([simulated(linkage, *state) for state in zip(q, v, strict=True)])
    beside = np.array([simulated(linkage, *state) for state in zip(q, np.nextafter(v, np.inf), strict=True)])
    return np.abs(ends - alone).max(), np.abs(beside - alone).max(), gap(linkage, rolled.q)


def mujoco_four_bar(q: np.ndarray, v: np.ndarray) -> tuple[Callable[[], object], float] | None:
    """MuJoCo's rollout of the four-bar of `samples.four_bar`, and the gap after as many steps as are compared."""
    try:
        import mujoco
        from mujoco.rollout import rollout
    except ImportError:
        return None
    linkage, spec = lw.samples.four_bar(), mujoco.MjSpec()
    body, lengths = spec.worldbody, (0.4, 1.0, 0.8)
    for joint in linkage.joints:
        at, inertia = joint.at, joint.child.inertia
        x, y, z, w = at.quaternion
        body = body.add_body(
            pos=at.position, quat=[w, x, y, z], mass=inertia.mass, ipos=inertia.com, explicitinertial=True,
            inertia=np.diag(inertia.matrix), name=joint.name,
        )  # fmt: skip
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    tip = body.add_site(pos=[lengths[-1], 0, 0], name="tip")
    pin = spec.worldbody.add_site(pos=[1.0, 0, 0], name="pin")
    loop = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, name1=tip.name, name2=pin.name)
    loop.objtype = mujoco.mjtObj.mjOBJ_SITE
    spec.option.timestep, spec.option.gravity = DT, [0, 0, -9.81]
    model = spec.compile()
    data = mujoco.MjData(model)
    start = np.zeros((len(q), mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    start[:, 1:4], start[:, 4:7] = q, v
    some, _ = rollout(model, data, start[:CHECKED], nstep=LONG)
    steps = CASES["four_bar"][1]
    return lambda: rollout(model, data, start, nstep=steps), gap(linkage, np.asarray(some)[:, ::100, 1:4])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    lw.set_threads(1)
    for name, (count, steps, least, goal) in CASES.items():
        linkage = getattr(lw.samples, name)()
        q, v = states(linkage, count)
        worst, ulp, ours_gap = difference(linkage, q[:CHECKED], v[:CHECKED])
        theirs = mujoco_four_bar(q, v) if name == "four_bar" else None

        def roll(linkage=linkage, q=q, v=v, steps=steps):
            lw.rollout(linkage, q, v, dt=DT, steps=steps, record_every=steps)

        def alone(linkage=linkage, q=q, v=v):
            lw.Simulation(linkage, q[0], v[0], dt=DT).run(ALONE * DT, progress=False)

        times = [
            (seconds(roll) / (count * steps), seconds(alone) / ALONE,
             seconds(theirs[0]) / (count * steps) if theirs else 0.0)
            for _ in range(rounds)
        ]  # fmt: skip
        ours, single, other = (1e6 * min(each) for each in zip(*times, strict=True))
        ratio = statistics.median(b / a for a, b, _ in times)
        print(f"{name}, {count} states: {ours:.2f} µs per step in a rollout, {single:.2f} by Simulation: {ratio:.1f}× "
              f"({'met' if ratio >= least else 'MISSED'}: {least:g}×, goal {goal:g}×)")  # fmt: skip
        met = "met" if worst <= EQUAL else "MISSED"
        print(f"    equal to Simulation over {LONG} steps to {worst:.1e} ({met}: {EQUAL:g}), which one ulp in v "
              f"changes by {ulp:.1e}; gap {ours_gap:.1e} m")  # fmt: skip
        if theirs:
            print(f"    MuJoCo: {other:.2f} µs per step, {other / ours:.1f}× ours; gap {theirs[1]:.1e} m")


if __name__ == "__main__":
    main()
