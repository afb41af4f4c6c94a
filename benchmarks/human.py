"""A human figure of 16 degrees of freedom on the high bar: time of one forward dynamics, and of whole simulations.

    python benchmarks/human.py [--rounds 40]

[Nakamura2000] report 25 ms for one forward dynamics of this figure (Pentium Pro, 200 MHz). Pinocchio is measured
in the same run, in turns, on the same figure and state. It has no constraint of five rows, as revolute hands need; it
is compared with spherical hands (two anchors of three rows) and with fixed hands (two of six rows), which bracket them.
Every time is the best of many short rounds of calls from Python.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pinocchio as pin

import linkwork as lw

PAPER = 25e3  # µs
JOINTS = {"Free": pin.JointModelFreeFlyer, "Spherical": pin.JointModelSpherical}


class Pinocchio:
    """The same figure in Pinocchio; bodies are added in our order, which is depth-first."""

    def __init__(self, linkage: lw.Linkage, hands: str):
        self.model = model = pin.Model()
        ids = {"ground": 0}
        for joint in linkage.joints:
            at, kind = pin.SE3(joint.at.rotation, joint.at.position), type(joint.type).__name__
            made = JOINTS[kind]() if kind in JOINTS else pin.JointModelRevoluteUnaligned(np.array(joint.type.axis))
            ids[joint.child.name] = model.addJoint(ids[joint.parent.name], made, at, joint.name)
            inertia = joint.child.inertia
            placed = pin.Inertia(inertia.mass, inertia.com, inertia.matrix)
            model.appendBodyToJoint(ids[joint.child.name], placed, pin.SE3.Identity())
        model.gravity.linear = linkage.gravity
        kind = pin.ContactType.CONTACT_3D if hands == "spherical" else pin.ContactType.CONTACT_6D
        self.loops, self.loop_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for loop in linkage.loops:
            b, a = (pin.SE3(at.rotation, at.position) for at in (loop.at_b, loop.at_a))
            place = (ids[loop.real.name], b, 0, a)
            self.loops.append(pin.RigidConstraintModel(kind, model, *place, pin.ReferenceFrame.LOCAL))
        for loop in self.loops:
            self.loop_data.append(loop.createData())
        self.data = model.createData()
        pin.initConstraintDynamics(model, self.data, self.loops, self.loop_data)
        self.settings = pin.ProximalSettings(1e-12, 1e-10, 10)

    def closed(self, q, v, tau):
        """Accelerations with both hands on the bar."""
        model, data = self.model, self.data
        return pin.constraintDynamics(model, data, q, v, tau, self.loops, self.loop_data, self.settings)

    def free(self, q, v, tau):
        """Accelerations of the figure alone."""
        return pin.aba(self.model, self.data, q, v, tau)


def best(calls: dict, rounds: int) -> dict:
    """Least time of each call, µs, all taken in turns."""
    least = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(50):
                call()
            least[name] = min(least[name], (time.perf_counter() - start) / 50 * 1e6)
    return least


def factor(sim: lw.Simulation, until: float) -> float:
    """How many times faster than real time a simulation runs, in the best twentieth of a second."""
    sim.run(0.05, progress=False)
    least = np.inf
    while sim.t < until:
        start, begun = time.perf_counter(), sim.t
        sim.run(sim.t + 0.05, progress=False)
        least = min(least, (time.perf_counter() - start) / (sim.t - begun))
    return 1.0 / least


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    rounds = parser.parse_args().rounds
    rng = np.random.default_rng(0)
    calls, check = {}, {}
    for hands, joint in (("revolute", lw.Revolute("y")), ("spherical", lw.Spherical()), ("fixed", lw.Fixed())):
        figure, q = lw.samples.high_bar(hands=joint, angle=0.8)
        v, tau = lw.consistent_velocity(figure, q, rng.normal(size=22)), np.zeros(22)
        calls[f"{hands} hands, linkwork"] = lambda x=(figure, q, v, tau): lw.forward_dynamics(*x)
        if hands == "revolute":
            continue
        peer = Pinocchio(figure, hands)
        calls[f"{hands} hands, Pinocchio"] = lambda peer=peer, x=(q, v, tau): peer.closed(*x)
        difference = peer.closed(q, v, tau) - lw.forward_dynamics(figure, q, v)
        check[hands] = np.abs(difference).max() / np.abs(lw.forward_dynamics(figure, q, v)).max()
    free, state = lw.samples.human(16), (q, rng.normal(size=22), np.zeros(22))
    calls["in the air, linkwork"] = lambda: lw.forward_dynamics(free, *state)
    calls["in the air, Pinocchio"] = lambda: peer.free(*state)
    for name, spent in best(calls, rounds).items():
        print(f"{name:28} {spent:7.2f} µs, {PAPER / spent:7.0f} times faster than the paper's 25 ms")
    for hands, error in check.items():
        print(f"{hands} hands: linkwork and Pinocchio differ by {error:.1e}")

    walker = lw.samples.Walker()
    options = {"dt": 1e-3, "controller": walker.controller, "control_every": 5}
    walking = lw.Simulation(walker.figure, walker.q, walker.v, **options)
    walker.begin(walking)
    for name, sim in (
        ("high bar", lw.Simulation(*lw.samples.high_bar(angle=1.4), dt=1e-3)),
        ("swing", lw.Simulation(*lw.samples.swing(angle=0.7, strength=5000.0), dt=1e-3)),
        ("steps", walking),
    ):
        print(f"{name:28} {factor(sim, 2.0):7.1f} times faster than real time (RK4, dt = 1e-3)")


if __name__ == "__main__":
    main()
