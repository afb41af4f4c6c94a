"""Derivatives on four real robots, against Pinocchio, as ratios of one run on one core.

    python benchmarks/derivatives.py [--rounds 40] [--robot panda] [--states 1024]

Each figure is the best of many short rounds, taken in turns. Results are compared by `tests/peers`. Below the calls:
batches of states per state beside Pinocchio's single call, products without matrices beside our own forward dynamics,
and inverse kinematics of random reachable poses of panda.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
import pinocchio as pin

import linkwork as lw
from benchmarks.tree_dynamics import CASES, ROBOTS

BUDGETS = {  # how many times as fast as Pinocchio's call, at least: the design's figures
    "ID": dict.fromkeys(CASES, 2.3),
    "FD": {"ur5": 1.3, "panda": 1.3, "g1": 1.6, "talos": 1.6},
    "FD batch": {"ur5": 7.0, "panda": 7.0, "g1": 2.5, "talos": 2.5},
}
VJP_BUDGET = 2.2  # times our own forward dynamics, in a batch
GRADIENT_BUDGET = 3.5  # rollouts that the gradient of one may cost
POSES = 2000  # of inverse kinematics


def in_turns(calls: dict[str, Callable[[], object]], rounds: int, number: int) -> dict[str, float]:
    """Best time of each call, in seconds, all taken in turns."""
    best = dict.fromkeys(calls, np.inf)
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(number):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / number)
    return best


def verdict(ratio: float, budget: float | None) -> str:
    return "" if budget is None else f" (at least {budget:g}: {'met' if ratio >= budget else 'MISSED'})"


def robot(name: str, rounds: int, states: int) -> None:
    """All figures of one robot."""
    file, base, _ = CASES[name]
    path = ROBOTS / file
    ours = lw.load(path, base=base)
    root = (pin.JointModelFreeFlyer(),) if base == "free" else ()
    model = pin.buildModelFromUrdf(str(path), *root)
    data = model.createData()
    rng = np.random.default_rng(0)
    q, v, a = ours.random(rng), rng.normal(size=ours.nv), rng.normal(size=ours.nv)
    theirs = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq)), v.copy(), a.copy()
    one = in_turns(
        {
            "ID": lambda: lw.inverse_dynamics_derivatives(ours, q, v, a),
            "pin ID": lambda: pin.computeRNEADerivatives(model, data, *theirs),
            "FD": lambda: lw.forward_dynamics_derivatives(ours, q, v, a),
            "pin FD": lambda: pin.computeABADerivatives(model, data, *theirs),
        },
        rounds,
        20,
    )
    qs = np.array([ours.random(rng) for _ in range(states)])
    vs, xs = rng.normal(size=(2, states, ours.nv))
    out = tuple(np.empty((states, ours.nv, ours.nv)) for _ in range(3))
    many = in_turns(
        {
            "ID": lambda: lw.inverse_dynamics_derivatives(ours, qs, vs, xs, out=out[:2]),
            "FD": lambda: lw.forward_dynamics_derivatives(ours, qs, vs, xs, out=out),
            "vjp": lambda: lw.forward_dynamics_vjp(ours, qs, vs, xs, vs),
            "aba": lambda: lw.forward_dynamics(ours, qs, vs, xs),
        },
        max(3, rounds // 4),
        1,
    )
    print(f"{name} ({ours.nv} degrees of freedom)")
    for what in ("ID", "FD"):
        ratio, batch = one[f"pin {what}"] / one[what], one[f"pin {what}"] * states / many[what]
        print(f"  {what}: {1e6 * one[what]:.2f} µs, Pinocchio {1e6 * one[f'pin {what}']:.2f}: {ratio:.2f} times as fast"
              + verdict(ratio, BUDGETS[what][name]))  # fmt: skip
        print(f"  {what} in a batch, dense: {1e6 * many[what] / states:.3f} µs a state: {batch:.1f} times as fast"
              + verdict(batch, BUDGETS.get(f"{what} batch", {}).get(name)))  # fmt: skip
    ratio = many["vjp"] / many["aba"]
    print(f"  vjp in a batch: {ratio:.2f} times forward dynamics (at most {VJP_BUDGET}: "
          f"{'met' if ratio <= VJP_BUDGET else 'MISSED'})")  # fmt: skip


def reach() -> None:
    """Inverse kinematics of random reachable poses of panda."""
    arm = lw.load(ROBOTS / CASES["panda"][0])
    rng = np.random.default_rng(0)
    lower, upper = (np.concatenate([np.ravel(joint.limits[k]) for joint in arm.joints]) for k in (0, 1))
    there, start = rng.uniform(lower, upper, size=(2, POSES, arm.nq))
    targets = np.tile(np.eye(4), (POSES, 1, 1))
    for target, q in zip(targets, there, strict=True):
        pose = lw.body_poses(arm, q)["panda_hand"]
        target[:3, :3], target[:3, 3] = pose.rotation, pose.position
    lw.inverse_kinematics(arm, {"panda_hand": targets[:8]}, start[:8])
    begin = time.perf_counter()
    found = lw.inverse_kinematics(arm, {"panda_hand": targets}, start)
    took = time.perf_counter() - begin
    print(f"inverse kinematics of panda: {found.converged.mean():.2%} of {POSES} within limits, "
          f"{1e3 * took / POSES:.2f} ms each")  # fmt: skip


def rollouts(rounds: int) -> None:
    """Gradients of whole trajectories, in rollouts: open ones in a batch, a closed one alone."""
    rng = np.random.default_rng(0)
    arm, loop = lw.load(ROBOTS / CASES["panda"][0]), lw.samples.four_bar()
    start = lw.close_loops(loop, loop.integrate(loop.neutral(), 0.05 * rng.normal(size=loop.nv)))
    cases = {
        "panda, 64 states": (arm, np.array([arm.random(rng) for _ in range(64)]), 0.1 * rng.normal(size=(64, arm.nv))),
        "four-bar, one state": (loop, start, lw.consistent_velocity(loop, start, rng.normal(size=loop.nv))),
    }
    for name, (linkage, q, v) in cases.items():
        for integrator in ("semi-implicit", "rk4"):
            options = {"dt": 1e-3, "steps": 100, "integrator": integrator, "limits": "ignore"}
            done = lw.rollout(linkage, q, v, **options)
            took = in_turns(
                {
                    "rollout": lambda o=options, x=linkage, q=q, v=v: lw.rollout(x, q, v, **o),
                    "gradient": lambda done=done: done.vjp(done.v[..., -1, :], done.v[..., -1, :]),
                },
                max(3, rounds // 4),
                1,
            )
            ratio = took["gradient"] / took["rollout"]
            print(f"gradient of a rollout, {name}, {integrator}: {ratio:.2f} rollouts (at most {GRADIENT_BUDGET}: "
                  f"{'met' if ratio <= GRADIENT_BUDGET else 'MISSED'})")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--states", type=int, default=1024)
    parser.add_argument("--robot", choices=list(CASES))
    arguments = parser.parse_args()
    lw.set_threads(1)
    for name in [arguments.robot] if arguments.robot else CASES:
        robot(name, arguments.rounds, arguments.states)
    rollouts(arguments.rounds)
    reach()


if __name__ == "__main__":
    main()
