"""One call of each tree algorithm on four real robots, against Pinocchio and MuJoCo, as ratios of one run.

    python benchmarks/tree_dynamics.py [--rounds 30] [--robot panda]

Every contender gets the same robot and the same state, and its result is checked before anything is timed. A
time is the best of many short rounds, taken in turns so that a busy machine slows all alike. Compared is what
a user calls from Python, allocation of the result included. MuJoCo has no call for one algorithm alone:
`mj_forward` and `mj_inverse` stand for ABA and RNEA, and the sum of its stages for CRBA and kinematics.
"""

from __future__ import annotations

import argparse
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import mujoco
import numpy as np
import pinocchio as pin
from lxml import etree

import linkwork as lw

ROBOTS = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
CASES = {  # name: (file, base, body of the Jacobian)
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "fixed", "wrist_3_link"),
    "panda": ("panda_description/urdf/panda.urdf", "fixed", "panda_link7"),
    "g1": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "free", "right_wrist_yaw_link"),
    "talos": ("talos_data/robots/talos_full_v2.urdf", "free", "arm_right_7_link"),
}
BUDGETS = {  # ours over Pinocchio's time, at most: the design's figures
    "aba": {"ur5": 1 / 1.5, "panda": 1 / 1.5, "g1": 1 / 2.5, "talos": 1 / 2.5},
    "rnea": dict.fromkeys(CASES, 1.0),
    "crba": {"ur5": 1.3, "panda": 1.3, "g1": 1 / 1.5, "talos": 1 / 1.5},
}


class Contender(NamedTuple):
    """A name, what is timed, and its result in our layout (None where it is not compared)."""

    name: str
    call: Callable[[], object]
    result: Callable[[], np.ndarray] | None


def mujoco_model(path: Path, base: str) -> mujoco.MjModel:
    """The robot without geometry, which has no part here, and without limits and dry friction."""
    root = etree.parse(path, etree.XMLParser(remove_comments=True)).getroot()
    for tag in ("visual", "collision", "gazebo", "transmission", "material", "mimic", "mujoco"):
        for element in list(root.iter(tag)):
            element.getparent().remove(element)
    spec = mujoco.MjSpec.from_string(etree.tostring(root).decode())
    if base == "free":
        spec.worldbody.bodies[0].add_freejoint(name="root_joint")
    model = spec.compile()
    flags = mujoco.mjtDisableBit
    model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    return model


class Robot:
    """One robot in all three, in one random state."""

    def __init__(self, file: str, base: str, body: str):
        path = ROBOTS / file
        self.body = body
        self.ours = ours = lw.load(path, base=base)
        for joint in ours.joints:
            joint.damping = 0.0  # Pinocchio has none
        rng = np.random.default_rng(1)
        self.q = q = ours.random(rng)
        self.v, self.a, self.tau = rng.normal(size=(3, ours.nv))

        root = (pin.JointModelFreeFlyer(),) if base == "free" else ()
        self.pin = pin.buildModelFromUrdf(str(path), *root)
        self.data = self.pin.createData()
        joints = [ours.joints[name] for name in self.pin.names[1:]]
        self.pin_v = np.concatenate([np.r_[joint.v_slice] for joint in joints])
        self.pq = q[np.concatenate([np.r_[joint.q_slice] for joint in joints])]
        self.pv, self.pa, self.ptau = (x[self.pin_v].copy() for x in (self.v, self.a, self.tau))

        self.mj = mujoco_model(path, base)
        self.mj.dof_damping[:] = 0.0
        self.mj_data = mujoco.MjData(self.mj)
        joints = [ours.joints[self.mj.joint(k).name] for k in range(self.mj.njnt)]
        self.mj_v = np.concatenate([np.r_[joint.v_slice] for joint in joints])
        qpos = q[np.concatenate([np.r_[joint.q_slice] for joint in joints])]
        self.turn = np.eye(3)
        if base == "free":  # MuJoCo: quaternion wxyz, linear velocity in world axes
            qpos[3:7] = qpos[[6, 3, 4, 5]]
            self.turn = lw.body_poses(ours, q).rotations[ours.joints["root_joint"].child.index]
        self.free = base == "free"
        self.mj_data.qpos, self.mj_data.qvel = qpos, self.to_mujoco(self.v)
        self.mj_data.qfrc_applied = self.to_mujoco(self.tau)
        self.mj_a = self.to_mujoco(self.a) + self.carried()

    def to_mujoco(self, x: np.ndarray) -> np.ndarray:
        """Velocities, accelerations or torques in MuJoCo's order and axes: an orthogonal map, so one does."""
        x = x[self.mj_v].copy()
        if self.free:
            x[:3] = self.turn @ x[:3]
        return x

    def from_mujoco(self, x: np.ndarray) -> np.ndarray:
        x = x.copy()
        if self.free:
            x[:3] = self.turn.T @ x[:3]
        back = np.empty_like(x)
        back[self.mj_v] = x
        return back

    def carried(self) -> np.ndarray:
        """MuJoCo's acceleration less ours: ω × v of the root, whose velocity it gives in world axes."""
        extra = np.zeros(self.mj.nv)
        if self.free:
            v = self.to_mujoco(self.v)
            extra[:3] = np.cross(self.turn @ v[3:6], v[:3])
        return extra

    def from_pin(self, x: np.ndarray) -> np.ndarray:
        back = np.empty_like(x)
        back[self.pin_v] = x
        return back

    def contenders(self) -> dict[str, list[Contender]]:
        """For each algorithm: ours first, then the peers."""
        ours, q, v, a, tau, body = self.ours, self.q, self.v, self.a, self.tau, self.body
        model, data, pq, pv, pa, ptau = self.pin, self.data, self.pq, self.pv, self.pa, self.ptau
        mj, mj_data = self.mj, self.mj_data
        frame = model.getFrameId(body)
        jacobian, mj_body = np.zeros((6, mj.nv)), mj.body(body).id

        def mj_position():
            mujoco.mj_kinematics(mj, mj_data)
            mujoco.mj_comPos(mj, mj_data)

        def mj_crba():
            mj_position()
            mujoco.mj_crb(mj, mj_data)

        def mj_jacobian():
            mj_position()
            mujoco.mj_jacBody(mj, mj_data, jacobian[:3], jacobian[3:], mj_body)

        def mj_inverse_result():
            mj_data.qacc = self.mj_a
            mujoco.mj_inverse(mj, mj_data)
            return self.from_mujoco(mj_data.qfrc_inverse)

        def mj_forward_result():
            mujoco.mj_forward(mj, mj_data)
            return self.from_mujoco(mj_data.qacc - self.carried())

        def pin_crba_result():
            upper = np.triu(pin.crba(model, data, pq))
            H = np.empty_like(upper)
            H[np.ix_(self.pin_v, self.pin_v)] = upper + np.triu(upper, 1).T
            return H

        def pin_poses():
            pin.forwardKinematics(model, data, pq)
            return np.array([data.oMi[model.getJointId(name)].translation for name in ours.joints.names])

        def pin_jacobian():
            J = np.empty((6, ours.nv))
            J[:, self.pin_v] = pin.computeFrameJacobian(model, data, pq, frame, pin.LOCAL_WORLD_ALIGNED)
            return J

        world = pin.LOCAL_WORLD_ALIGNED
        return {
            "aba": [
                Contender("linkwork", *2 * [lambda: lw.forward_dynamics(ours, q, v, tau)]),
                Contender(
                    "pinocchio",
                    lambda: pin.aba(model, data, pq, pv, ptau),
                    lambda: self.from_pin(pin.aba(model, data, pq, pv, ptau)),
                ),
                Contender("mujoco", lambda: mujoco.mj_forward(mj, mj_data), mj_forward_result),
            ],
            "rnea": [
                Contender("linkwork", *2 * [lambda: lw.inverse_dynamics(ours, q, v, a)]),
                Contender(
                    "pinocchio",
                    lambda: pin.rnea(model, data, pq, pv, pa),
                    lambda: self.from_pin(pin.rnea(model, data, pq, pv, pa)),
                ),
                Contender("mujoco", lambda: mujoco.mj_inverse(mj, mj_data), mj_inverse_result),
            ],
            "crba": [
                Contender("linkwork", *2 * [lambda: lw.mass_matrix(ours, q)]),
                Contender("pinocchio", lambda: pin.crba(model, data, pq), pin_crba_result),
                Contender("mujoco", mj_crba, None),
            ],
            "kinematics": [
                Contender(
                    "linkwork", lambda: lw.body_poses(ours, q), lambda: lw.body_poses(ours, q).positions
                ),
                Contender("pinocchio", lambda: pin.forwardKinematics(model, data, pq), pin_poses),
                Contender("mujoco", lambda: mujoco.mj_kinematics(mj, mj_data), None),
            ],
            "jacobian": [
                Contender("linkwork", *2 * [lambda: lw.jacobian(ours, q, body)]),
                Contender(
                    "pinocchio", lambda: pin.computeFrameJacobian(model, data, pq, frame, world), pin_jacobian
                ),
                Contender("mujoco", mj_jacobian, None),
            ],
        }


def check(contenders: list[Contender], algorithm: str) -> float:
    """Largest difference from ours, relative to the largest entry; above 1e-7 there is nothing to time."""
    reference = contenders[0].result()
    worst = 0.0
    for contender in contenders[1:]:
        if contender.result is not None:
            error = np.abs(contender.result() - reference).max() / np.abs(reference).max()
            if error > 1e-7:
                raise SystemExit(f"{algorithm}: {contender.name} differs by {error:.1e}")
            worst = max(worst, error)
    return worst


def best_times(contenders: list[Contender], rounds: int) -> list[float]:
    """Microseconds a call: the best of `rounds` rounds of about 2 ms each, the contenders taking turns."""
    counts = []
    for contender in contenders:
        start, calls = time.perf_counter(), 0
        while time.perf_counter() - start < 2e-3 or calls < 10:
            contender.call()
            calls += 1
        counts.append(calls)
    best = [np.inf] * len(contenders)
    for _ in range(rounds):
        for k, (contender, count) in enumerate(zip(contenders, counts, strict=True)):
            call = contender.call
            start = time.perf_counter()
            for _ in range(count):
                call()
            best[k] = min(best[k], (time.perf_counter() - start) / count)
    return [1e6 * seconds for seconds in best]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60, help="rounds of each contender")
    parser.add_argument("--robot", choices=list(CASES), help="this one only")
    options = parser.parse_args()
    print(f"{'robot':6} {'algorithm':10} {'linkwork':>9} {'pinocchio':>10} {'mujoco':>8}   "
          f"{'of pin':>7} {'of mj':>7} {'budget':>7}  checked")  # fmt: skip
    for name, case in CASES.items():
        if options.robot in (None, name):
            for algorithm, contenders in Robot(*case).contenders().items():
                error = check(contenders, algorithm)
                ours, pinocchio, other = best_times(contenders, options.rounds)
                budget = BUDGETS.get(algorithm, {}).get(name)
                verdict = "" if budget is None else f"{budget:6.2f} " + "*!"[ours / pinocchio > budget]
                print(f"{name:6} {algorithm:10} {ours:8.2f}  {pinocchio:9.2f}  {other:7.2f}   "
                      f"{ours / pinocchio:7.2f} {ours / other:7.2f} {verdict:>8}  {error:.0e}")  # fmt: skip
    print("Times in µs per call; 'of pin' is our time over Pinocchio's. Budget: * met, ! missed.")


if __name__ == "__main__":
    main()
