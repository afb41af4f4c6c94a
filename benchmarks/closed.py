"""K four-bars stacked on one another, against Pinocchio and MuJoCo: time of a call, its error, and how far loops open.

Then torques of motors for many states, and what it costs to connect and to cut joints of a large linkage.

    python benchmarks/closed.py [--stacks 10 50 100] [--seconds 10] [--rounds 20]

Every contender gets the same linkage and the same state with consistent velocities. Times are the best of many short
rounds taken in turns, of what a user calls from Python. The error of an acceleration is the largest entry of its
difference from a dense solve, over the largest entry. The gap is the largest distance between the two sides of a loop
over a run of some seconds at dt = 1e-3. Pinocchio takes a loop as a point anchor (three rows, one of them redundant)
with its Baumgarte correction; MuJoCo as a soft `connect` constraint as stiff as its time step allows.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import mujoco
import numpy as np
import pinocchio as pin

import linkwork as lw
from linkwork.dynamics.constraints import loops_of, residuals

BUDGETS = {10: 33.0, 50: 180.0, 100: 365.0}  # µs
MOTOR_BUDGETS, STATES = {"four_bar": 5.0, "five_bar": 5.0, "stewart": 30.0}, 4096  # µs per state
CHANGE_BUDGET, BODIES = 5e-3, 10_000  # s
DT = 1e-3


class Pinocchio:
    """The same linkage in Pinocchio: bodies by name, in our order, which is depth-first here."""

    def __init__(self, linkage: lw.Linkage):
        self.model = model = pin.Model()
        ids = {"ground": 0}
        for joint in linkage.joints:
            at = pin.SE3(joint.at.rotation, joint.at.position)
            ids[joint.child.name] = model.addJoint(ids[joint.parent.name], pin.JointModelRY(), at, joint.name)
            inertia = joint.child.inertia
            model.appendBodyToJoint(
                ids[joint.child.name], pin.Inertia(inertia.mass, inertia.com, inertia.matrix), pin.SE3.Identity()
            )
        model.gravity.linear = linkage.gravity
        self.loops = pin.StdVec_RigidConstraintModel()
        for loop in linkage.loops:
            # ground must come second: with it first `lcaba` gives wrong accelerations and corrupts memory
            ends = [(ids[loop.real.name], loop.at_b), (ids[loop.parent.name], loop.at_a)]
            places = [x for joint, at in ends for x in (joint, pin.SE3(at.rotation, at.position))]
            anchor = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *places, pin.ReferenceFrame.LOCAL)
            anchor.m_baumgarte_parameters.Kp, anchor.m_baumgarte_parameters.Kd = 0.0, 0.0
            self.loops.append(anchor)
        self.loop_data, self.low_data = pin.StdVec_RigidConstraintData(), pin.StdVec_RigidConstraintData()
        for loop in self.loops:
            self.loop_data.append(loop.createData())
            self.low_data.append(loop.createData())
        self.data, self.low = model.createData(), model.createData()
        pin.initConstraintDynamics(model, self.data, self.loops, self.loop_data)
        pin.computeJointMinimalOrdering(model, self.low, self.loops)
        self.settings = pin.ProximalSettings(1e-12, 1e-10, 10)
        self.low_settings = pin.ProximalSettings(1e-12, 1e-6, 10)

    def dense(self, q, v, tau):
        return pin.constraintDynamics(self.model, self.data, q, v, tau, self.loops, self.loop_data, self.settings)

    def sparse(self, q, v, tau):
        return pin.lcaba(self.model, self.low, q, v, tau, self.loops, self.low_data, self.low_settings)

    def run(self, q, v, steps: int, gap: Callable) -> float:
        """Largest gap over a run with Baumgarte's correction, critically damped at a tenth of 1/dt."""
        for loop in self.loops:
            loop.m_baumgarte_parameters.Kp, loop.m_baumgarte_parameters.Kd = (0.1 / DT) ** 2, 0.2 / DT
        worst, zero = 0.0, np.zeros(self.model.nv)
        for k in range(steps):
            v = v + DT * self.dense(q, v, zero)
            q = q + DT * v
            if k % 10 == 0:
                worst = max(worst, gap(q))
        return worst


class MuJoCo:
    """The same linkage in MuJoCo."""

    def __init__(self, linkage: lw.Linkage):
        spec = mujoco.MjSpec()
        spec.option.timestep, spec.option.gravity = DT, linkage.gravity
        bodies = {"ground": spec.worldbody}
        for joint in linkage.joints:
            inertia, at = joint.child.inertia, joint.at
            x, y, z, w = at.quaternion
            body = bodies[joint.parent.name].add_body(name=joint.child.name, pos=at.position, quat=(w, x, y, z))
            body.explicitinertial, body.mass, body.ipos = True, inertia.mass, inertia.com
            matrix = inertia.matrix
            body.fullinertia = [matrix[0, 0], matrix[1, 1], matrix[2, 2], matrix[0, 1], matrix[0, 2], matrix[1, 2]]
            body.add_joint(name=joint.name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 1, 0))
            bodies[joint.child.name] = body
        for loop in linkage.loops:
            equality = spec.add_equality(
                name=loop.name, type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY
            )
            equality.name1, equality.name2 = loop.real.name, "world" if loop.parent.index < 0 else loop.parent.name
            equality.data[:3] = loop.at_b.position
            equality.solref[:] = 2 * DT, 1.0
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)

    def forward(self, q, v, tau):
        data = self.data
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(self.model, data)
        return data.qacc

    def run(self, q, v, steps: int, gap: Callable) -> float:
        """Largest gap over a run."""
        data = self.data
        mujoco.mj_resetData(self.model, data)
        data.qpos[:], data.qvel[:] = q, v
        worst = 0.0
        for k in range(steps):
            mujoco.mj_step(self.model, data)
            if k % 10 == 0:
                worst = max(worst, gap(data.qpos.copy()))
        return worst


def best_times(calls: dict[str, Callable], rounds: int) -> dict[str, float]:
    """Seconds a call, the best of rounds taken in turns."""
    best = dict.fromkeys(calls, np.inf)
    repeats = {}
    for name, call in calls.items():
        call()  # compiled and loaded before anything is timed
        start = time.perf_counter()
        call()
        repeats[name] = max(1, int(5e-3 / max(time.perf_counter() - start, 1e-6)))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / repeats[name])
    return best


def compare(K: int, rounds: int) -> None:
    """Times and errors of one call on K four-bars."""
    linkage = lw.samples.four_bars(K)
    rng = np.random.default_rng(0)
    q = linkage.neutral()
    v = lw.consistent_velocity(linkage, q, 0.1 * rng.normal(size=linkage.nv))
    tau = 0.1 * rng.normal(size=linkage.nv)
    calls: dict[str, Callable] = {"linkwork": lambda: lw.forward_dynamics(linkage, q, v, tau)}
    if K <= 200:
        peer, other = Pinocchio(linkage), MuJoCo(linkage)
        calls |= {
            "pinocchio constraintDynamics": lambda: peer.dense(q, v, tau),
            "pinocchio lcaba": lambda: peer.sparse(q, v, tau),
            "mujoco mj_forward": lambda: other.forward(q, v, tau),
        }
        exact = lw.forward_dynamics(linkage, q, v, tau, method="crba")
    else:
        exact = calls["linkwork"]()
    times = best_times(calls, rounds)
    for name, call in calls.items():
        error = np.abs(np.array(call()) - exact).max() / np.abs(exact).max()
        budget = BUDGETS.get(K) if name == "linkwork" else None
        verdict = (
            "" if budget is None else f"   budget {budget:.0f} µs: {'met' if times[name] * 1e6 <= budget else 'MISSED'}"
        )
        shown = f"{error:9.1e}" if K <= 200 or name != "linkwork" else "        –"
        print(
            f"  K = {K:5d}  {name:30s} {times[name] * 1e6:11.1f} µs {times[name] * 1e6 / K:8.2f} µs per loop"
            f"   error {shown}{verdict}"
        )


def drift(K: int, seconds: float) -> None:
    """Largest gap over a run of K four-bars that swing from rest."""
    linkage = lw.samples.four_bars(K)
    steps = round(seconds / DT)
    q, v = linkage.neutral(), np.zeros(linkage.nv)

    def gap(q) -> float:
        return float(np.abs(residuals(linkage, np.ascontiguousarray(q)).error[:, :3]).max())

    sim, worst = lw.Simulation(linkage, q, v, dt=DT, record_every=1000), 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        for k in range(0, steps, 10):
            sim.run(DT * min(k + 10, steps), progress=False)
            worst = max(worst, gap(sim.q))
    print(
        f"  K = {K:5d}  linkwork   {worst:9.1e} m over {seconds:g} s"
        f"   budget 1e-9 m: {'met' if worst <= 1e-9 else 'MISSED'}"
    )
    if K <= 10:
        print(f"  K = {K:5d}  pinocchio  {Pinocchio(linkage).run(q, v, steps, gap):9.1e} m, Baumgarte")
        print(f"  K = {K:5d}  mujoco     {MuJoCo(linkage).run(q, v, steps, gap):9.1e} m")


def motor_torques(name: str, budget: float, rounds: int) -> None:
    """Time of `actuator_torques`, of a state of many and of one alone, on the way of a linkage that falls."""
    linkage = getattr(lw.samples, name)()
    q = lw.close_loops(linkage, linkage.neutral())
    v = lw.consistent_velocity(linkage, q, np.random.default_rng(0).normal(size=linkage.nv))
    way = lw.rollout(linkage, q, v, dt=DT, steps=63)
    q, v = (np.tile(x, (STATES // 64, 1)) for x in (way.q, way.v))
    a = lw.forward_dynamics(linkage, q, v)
    calls: dict[str, Callable] = {
        "many": lambda: lw.actuator_torques(linkage, q, v, a),
        "one": lambda: lw.actuator_torques(linkage, q[0], v[0], a[0]),
    }
    times = best_times(calls, rounds)
    each = times["many"] / STATES * 1e6
    verdict = "met" if each <= budget else "MISSED"
    print(
        f"  {name:8s} {each:6.2f} µs per state of {STATES:,}, {times['one'] * 1e6:6.1f} µs alone"
        f"   budget {budget:.0f} µs: {verdict}"
    )


def change_structure(bodies: int, each: int) -> None:
    """What a connection and the cuts cost, up to and with the packed tree and the state carried over."""
    linkage = lw.samples.random_tree(bodies, seed=0)
    rng = np.random.default_rng(0)
    state = linkage.random(rng), np.zeros(linkage.nv)
    lw.forward_dynamics(linkage, *state)
    names = {code: [] for code in sorted(set(linkage.columns.code.tolist()))}
    for body in rng.permutation(np.arange(1, bodies)).tolist():
        names[int(linkage.columns.code[body])].append(linkage.columns.joint_names[body])
    tree_cuts = [
        (name, f"cut a {type(linkage.joints[name].type).__name__}") for row in names.values() for name in row[:each]
    ]
    best: dict[str, float] = {}

    def timed(what: str, change: Callable) -> None:
        nonlocal state
        start = time.perf_counter()
        state = change().carry(*state)
        loops_of(linkage)
        best[what] = min(best.get(what, np.inf), time.perf_counter() - start)

    middle = f"body{bodies // 2}", f"body{bodies // 2 + 40}"
    for _ in range(each):
        timed("connect", lambda: linkage.connect(*middle, lw.Spherical(), name="ball"))
        timed("cut a loop joint", lambda: linkage.cut("ball"))
    for name, what in tree_cuts:
        timed(what, lambda name=name: linkage.cut(name))
    for what, seconds in best.items():
        verdict = "met" if seconds <= CHANGE_BUDGET else "MISSED"
        print(f"  {what:20s} {seconds * 1e3:6.2f} ms   budget {CHANGE_BUDGET * 1e3:.0f} ms: {verdict}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stacks", type=int, nargs="+", default=[10, 50, 100, 1000])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    print("one call of forward dynamics")
    for K in arguments.stacks:
        compare(K, arguments.rounds)
    print("torques of motors")
    for name, budget in MOTOR_BUDGETS.items():
        motor_torques(name, budget, arguments.rounds)
    print(f"changes of structure, {BODIES:,} bodies, every joint type")
    change_structure(BODIES, each=8)
    print("loops over time, dt = 1e-3")
    for K in arguments.stacks:
        if K <= 100:
            drift(K, arguments.seconds)


if __name__ == "__main__":
    main()
