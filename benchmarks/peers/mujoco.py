"""MuJoCo in the benchmark: its smallest calls that give forward and inverse dynamics, and its rollouts."""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco.rollout import rollout as mujoco_rollout

from benchmarks.peers import ours
from benchmarks.peers.contender import Contender, loop
from benchmarks.peers.robots import Robot, bare_urdf
from benchmarks.peers.rods import ACROSS, ALONG, LENGTH, MASS, Chain, state


class _Same:
    """A robot as MuJoCo has it, without contacts and limits; states in its order and axes."""

    def __init__(self, robot: Robot):
        spec = mujoco.MjSpec.from_string(bare_urdf(robot.path))
        if robot.free:
            spec.worldbody.bodies[0].add_freejoint(name="root_joint")
        self.model = model = spec.compile()
        flags = mujoco.mjtDisableBit
        model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        self.data = mujoco.MjData(model)
        self.free, self.rotation = robot.free, robot.base_rotations()
        self.order_q, self.order = robot.order([model.joint(k).name for k in range(model.njnt)])
        self.qpos = robot.q[:, self.order_q]
        if robot.free:
            self.qpos[:, 3:7] = self.qpos[:, [6, 3, 4, 5]]  # wxyz
        self.qvel, self.tau = self.to(robot.v), self.to(robot.tau)
        # Its acceleration of the root is that of the world's axes: ours and ω × v.
        self.carried = np.zeros_like(self.qvel)
        if robot.free:
            turn_rate = np.einsum("bij,bj->bi", self.rotation, self.qvel[:, 3:6])
            self.carried[:, :3] = np.cross(turn_rate, self.qvel[:, :3])

    def to(self, x: np.ndarray) -> np.ndarray:
        """Velocities or torques: the root's linear part in world axes."""
        x = x[:, self.order]
        if self.free:
            x[:, :3] = np.einsum("bij,bj->bi", self.rotation, x[:, :3])
        return x

    def back(self, x: np.ndarray) -> np.ndarray:
        """Accelerations or torques of the first states in our order and axes."""
        x = x.copy()
        if self.free:
            x[:, :3] = np.einsum("bji,bj->bi", self.rotation[: len(x)], x[:, :3])
        ours = np.empty_like(x)
        ours[:, self.order] = x
        return ours

    def coordinates(self, qpos: np.ndarray) -> np.ndarray:
        """Our q of MuJoCo's."""
        x = qpos.copy()
        if self.free:
            x[..., 3:7] = x[..., [4, 5, 6, 3]]
        ours = np.empty_like(x)
        ours[..., self.order_q] = x
        return ours


def forward(robot: Robot) -> list[Contender]:
    """The whole of `mj_forward`."""
    m = _Same(robot)

    def one(k):
        m.data.qpos, m.data.qvel, m.data.qfrc_applied = m.qpos[k], m.qvel[k], m.tau[k]
        mujoco.mj_forward(m.model, m.data)
        return m.data.qacc

    return [loop("MuJoCo mj_forward", one, lambda x: m.back(x - m.carried[: len(x)]))]


def inverse(robot: Robot) -> list[Contender]:
    """The whole of `mj_inverse`."""
    m = _Same(robot)
    qacc = m.to(robot.a) + m.carried

    def one(k):
        m.data.qpos, m.data.qvel, m.data.qacc = m.qpos[k], m.qvel[k], qacc[k]
        mujoco.mj_inverse(m.model, m.data)
        return m.data.qfrc_inverse

    return [loop("MuJoCo mj_inverse", one, m.back)]


def rollout(robot: Robot) -> list[Contender]:
    """Its rollouts with one thread."""
    m, (count, steps), (_, _, tau) = _Same(robot), ours.ROLLOUT, ours.rollout_inputs(robot)
    nq, nv = m.model.nq, m.model.nv
    start = np.zeros((count, mujoco.mj_stateSize(m.model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    start[:, 1 : 1 + nq], start[:, 1 + nq : 1 + nq + nv] = m.qpos[:count], 0.1 * m.qvel[:count]
    torques, applied = tau[..., m.order], int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)

    def run(dt=ours.DT, steps=steps):
        m.model.opt.timestep = dt
        states, _ = mujoco_rollout(m.model, m.data, start, torques, control_spec=applied, nstep=steps)
        return states[:, :, 1 : 1 + nq]

    _check_trajectories(robot, lambda dt, steps: m.coordinates(run(dt, steps)))
    return [Contender("MuJoCo rollout", run, count * steps, budget=5.0)]


def _check_trajectories(robot, theirs):
    """The same Euler steps on fixed bases.

    MuJoCo moves a free base in world axes, we in its own: then they differ by the error of the method, which must fall
    with the time step.
    """

    def gap(dt):
        steps = round(8e-3 / dt)
        x, y = ours.trajectories(robot, dt, steps)[:, -1], theirs(dt, steps)[:, -1]
        return np.abs(robot.ours.difference(x, y)).max()

    coarse, fine = gap(1e-3), gap(1e-4)
    if coarse > 1e-9 and not (robot.free and fine < 0.2 * coarse):
        raise SystemExit(f"{robot.name}: trajectories differ from MuJoCo's by {coarse:.1e}, by {fine:.1e} with dt / 10")


def chain(n: int) -> Chain:
    """Forward dynamics of the hinged rods."""
    spec = mujoco.MjSpec()
    body = spec.worldbody
    for k in range(n):
        body = body.add_body(
            pos=[0, 0, -LENGTH if k else 0], mass=MASS, ipos=[0, 0, -LENGTH / 2],
            inertia=[ACROSS, ACROSS, ALONG], explicitinertial=True,
        )  # fmt: skip
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos, data.qvel = state(n)

    def forward():
        mujoco.mj_forward(model, data)
        return data.qacc

    return Chain(forward, forward)
