"""Derivatives on four real robots, against Pinocchio, as ratios of one run on one core.

    python benchmarks/derivatives.py [--rounds 40] [--robot panda] [--states 4096]

Each figure is the best of many short rounds, taken in turns. Results are compared by `tests/peers`. Below the calls:
batches of states per state beside Pinocchio's single call, products without matrices beside our own forward dynamics,
fifty stacked four-bars, and inverse kinematics of random reachable poses of panda, beside mink's where it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable

import numpy as np
import pinocchio as pin
from tree_dynamics import CASES, ROBOTS, mujoco_model

import linkwork as lw

BUDGETS = {  # how many times as fast as Pinocchio's call, at least: the design's figures
    "ID": dict.fromkeys(CASES, 2.3),
    "FD": {"ur5": 1.3, "panda": 1.3, "g1": 1.6, "talos": 1.6},
    "ID packed": dict.fromkeys(CASES, 9.0),
    "FD batch": {"ur5": 7.0, "panda": 7.0, "g1": 2.5, "talos": 2.5},
}
VJP_BUDGET = 2.2  # times our own forward dynamics, in a batch
GRADIENT_BUDGET = 3.5  # rollouts that the gradient of one may cost
CLOSED_BUDGET = 10.0  # times as fast as Pinocchio's, of fifty four-bars
REACH_BUDGET = 5.0  # times mink's rate
POSES = 10_000  # of inverse kinematics
CALLS = 200  # of Pinocchio's in a row, beside a batch


def in_turns(calls: dict[str, Callable[[], object]], rounds: int, number: int) -> dict[str, float]:
    """Best time of each call, in seconds of this thread, all taken in turns."""
    best = dict.fromkeys(calls, np.inf)
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.thread_time()
            for _ in range(number):
                call()
            best[name] = min(best[name], (time.thread_time() - start) / number)
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
    at_hand = tuple(np.empty((ours.nv, ours.nv)) for _ in range(3))  # as Pinocchio's `data` is
    two = at_hand[:2]
    one = in_turns(
        {
            "ID": lambda: lw.inverse_dynamics_derivatives(ours, q, v, a),
            "ID at hand": lambda: lw.inverse_dynamics_derivatives(ours, q, v, a, out=two),
            "pin ID": lambda: pin.computeRNEADerivatives(model, data, *theirs),
            "FD": lambda: lw.forward_dynamics_derivatives(ours, q, v, a),
            "FD at hand": lambda: lw.forward_dynamics_derivatives(ours, q, v, a, out=at_hand),
            "pin FD": lambda: pin.computeABADerivatives(model, data, *theirs),
        },
        10 * rounds,
        20,
    )
    qs = np.array([ours.random(rng) for _ in range(states)])
    vs, xs = rng.normal(size=(2, states, ours.nv))
    out = tuple(np.empty((states, ours.nv, ours.nv)) for _ in range(3))
    entries = tuple(np.empty((states, len(lw.derivative_pattern(ours)[0]))) for _ in range(2))
    many = in_turns(
        {
            "ID packed": lambda: lw.inverse_dynamics_derivatives(ours, qs, vs, xs, packed=True, out=entries),
            "ID": lambda: lw.inverse_dynamics_derivatives(ours, qs, vs, xs, out=out[:2]),
            "FD": lambda: lw.forward_dynamics_derivatives(ours, qs, vs, xs, out=out),
            "vjp": lambda: lw.forward_dynamics_vjp(ours, qs, vs, xs, vs),
            "aba": lambda: lw.forward_dynamics(ours, qs, vs, xs),
            "pin ID": lambda: [pin.computeRNEADerivatives(model, data, *theirs) for _ in range(CALLS)],
            "pin FD": lambda: [pin.computeABADerivatives(model, data, *theirs) for _ in range(CALLS)],
        },
        max(3, rounds // 2),
        1,
    )
    per_state = {name: took / (CALLS if name.startswith("pin") else states) for name, took in many.items()}
    print(f"{name} ({ours.nv} degrees of freedom)")
    for what in ("ID", "FD"):
        ratio, batch = one[f"pin {what}"] / one[what], per_state[f"pin {what}"] / per_state[what]
        print(f"  {what}: {1e6 * one[what]:.2f} µs, Pinocchio {1e6 * one[f'pin {what}']:.2f}: {ratio:.2f} times as fast"
              + verdict(ratio, BUDGETS[what][name])
              + f"; into arrays at hand {one[f'pin {what}'] / one[f'{what} at hand']:.2f}")  # fmt: skip
        print(f"  {what} in a batch, dense: {1e6 * per_state[what]:.3f} µs a state: {batch:.1f} times as fast"
              + verdict(batch, BUDGETS.get(f"{what} batch", {}).get(name)))  # fmt: skip
    ratio = per_state["pin ID"] / per_state["ID packed"]
    print(f"  ID in a batch, packed: {1e6 * per_state['ID packed']:.3f} µs a state: {ratio:.1f} times as fast"
          + verdict(ratio, BUDGETS["ID packed"][name]))  # fmt: skip
    ratio = many["vjp"] / many["aba"]
    print(f"  vjp in a batch: {ratio:.2f} times forward dynamics (at most {VJP_BUDGET}: "
          f"{'met' if ratio <= VJP_BUDGET else 'MISSED'})")  # fmt: skip


def four_bars(rounds: int, K: int = 50) -> None:
    """Stacked four-bars beside `computeConstraintDynamicsDerivatives`, the dynamics before it included."""
    linkage = lw.samples.four_bars(K)
    model, ids, loops = pin.Model(), {"ground": 0}, pin.StdVec_RigidConstraintModel()
    for joint in linkage.joints:
        at, body = pin.SE3(joint.at.rotation, joint.at.position), joint.child
        hinge = pin.JointModelRevoluteUnaligned(np.array(joint.type.axis))
        ids[body.name] = model.addJoint(ids[joint.parent.name], hinge, at, joint.name)
        inertia = pin.Inertia(body.inertia.mass, body.inertia.com, body.inertia.matrix)
        model.appendBodyToJoint(ids[body.name], inertia, pin.SE3.Identity())
    for loop in linkage.loops:
        ends = [(loop.real, loop.at_b), (loop.parent, loop.at_a)]
        places = [x for body, at in ends for x in (ids[body.name], pin.SE3(at.rotation, at.position))]
        loops.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *places, pin.ReferenceFrame.LOCAL))
    data, found = model.createData(), pin.StdVec_RigidConstraintData()
    for loop in loops:
        found.append(loop.createData())
    pin.initConstraintDynamics(model, data, loops, found)
    settings, rng = pin.ProximalSettings(1e-13, 1e-9, 30), np.random.default_rng(0)
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.02 * rng.normal(size=linkage.nv)))
    v, tau = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv)), rng.normal(size=linkage.nv)

    def theirs():
        pin.constraintDynamics(model, data, q, v, tau, loops, found, settings)
        pin.computeConstraintDynamicsDerivatives(model, data, loops, found, settings)

    calls = {"ours": lambda: lw.forward_dynamics_derivatives(linkage, q, v, tau), "theirs": theirs}
    took = in_turns(calls, max(3, rounds // 4), 1)
    ratio = took["theirs"] / took["ours"]
    print(f"{K} stacked four-bars: {1e3 * took['ours']:.1f} ms, Pinocchio {1e3 * took['theirs']:.1f}: "
          f"{ratio:.2f} times as fast" + verdict(ratio, CLOSED_BUDGET))  # fmt: skip


def reach() -> None:
    """Inverse kinematics of random reachable poses of panda from random starts."""
    arm = lw.load(ROBOTS / CASES["panda"][0])
    rng = np.random.default_rng(0)
    lower, upper = arm.columns.lower, arm.columns.upper
    there, start = rng.uniform(lower, upper, size=(2, POSES, arm.nq))
    targets = np.tile(np.eye(4), (POSES, 1, 1))
    for target, q in zip(targets, there, strict=True):
        pose = lw.body_poses(arm, q)["panda_hand"]
        target[:3, :3], target[:3, 3] = pose.rotation, pose.position
    lw.inverse_kinematics(arm, {"panda_hand": targets[:8]}, start[:8])
    begin = time.process_time()
    found = lw.inverse_kinematics(arm, {"panda_hand": targets}, start)
    took = time.process_time() - begin
    rate = found.converged.sum() / took
    print(f"inverse kinematics of panda: {found.converged.mean():.2%} of {POSES} within limits, "
          f"{1e3 * took / POSES:.2f} ms each")  # fmt: skip
    if importlib.util.find_spec("mink"):
        ratio = rate / mink_rate(arm, there[:100], start[:100])
        print(f"  {ratio:.1f} times the rate of mink, state by state, to 1e-6" + verdict(ratio, REACH_BUDGET))


def mink_rate(arm: lw.Linkage, there: np.ndarray, start: np.ndarray) -> float:
    """Poses per second that mink finds, with up to ten random starts of fifty steps each."""
    mink = importlib.import_module("mink")
    model = mujoco_model(ROBOTS / CASES["panda"][0], "fixed")
    places = [arm.joints[model.joint(k).name].q_slice.start for k in range(model.njnt)]
    configuration, limits = mink.Configuration(model), [mink.ConfigurationLimit(model)]
    task = mink.FrameTask("panda_link7", "body", 1.0, 1.0, lm_damping=1e-3)
    done, begin, rng = 0, time.process_time(), np.random.default_rng(0)
    for goal, first in zip(there, start, strict=True):
        configuration.update(goal[places])
        task.set_target(configuration.get_transform_frame_to_world("panda_link7", "body"))
        for q in [first, *rng.uniform(arm.columns.lower, arm.columns.upper, size=(9, arm.nq))]:
            configuration.update(q[places])
            for _ in range(50):
                velocity = mink.solve_ik(configuration, [task], 1.0, solver="daqp", damping=1e-6, limits=limits)
                configuration.integrate_inplace(velocity, 1.0)
                if np.abs(task.compute_error(configuration)).max() < 1e-6:
                    break
            else:
                continue
            done += 1
            break
    return done / (time.process_time() - begin)


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
    parser.add_argument("--states", type=int, default=4096)
    parser.add_argument("--robot", choices=list(CASES))
    arguments = parser.parse_args()
    lw.set_threads(1)
    for name in [arguments.robot] if arguments.robot else CASES:
        robot(name, arguments.rounds, arguments.states)
    rollouts(arguments.rounds)
    four_bars(arguments.rounds)
    reach()


if __name__ == "__main__":
    main()
