"""Real robots in linkwork, Pinocchio and MuJoCo: the same model and the same states in each one's own layout."""

from __future__ import annotations

import sysconfig
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from lxml import etree

import linkwork as lw

FILES = {  # name: (file, base)
    "panda": ("panda_description/urdf/panda.urdf", "fixed"),
    "g1": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "free"),
    "talos": ("talos_data/robots/talos_full_v2.urdf", "free"),
}
_NO_PART = ("visual", "collision", "gazebo", "transmission", "material", "mimic", "mujoco")  # in dynamics


def folder() -> Path:
    """Where the package example-robot-data keeps its robots."""
    path = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
    if not path.is_dir():
        raise lw.ArgumentError("the robots are not here: pip install example-robot-data")
    return path


class Robot:
    """One robot and a batch of random states, without damping, which Pinocchio has none of."""

    def __init__(self, name: str, count: int, seed: int = 1):
        file, base = FILES[name]
        self.name, self.path, self.free = name, folder() / file, base == "free"
        self.ours = lw.load(self.path, base=base)
        for joint in self.ours.joints:
            joint.damping = 0.0
        rng = np.random.default_rng(seed)
        self.q = np.array([self.ours.random(rng) for _ in range(count)])
        self.v, self.a, self.tau = rng.normal(size=(3, count, self.ours.nv))

    def order(self, names) -> tuple[np.ndarray, np.ndarray]:
        """Our places of the coordinates and velocities of joints in this order."""
        joints = [self.ours.joints[name] for name in names]
        return (
            np.concatenate([np.r_[joint.q_slice] for joint in joints]),
            np.concatenate([np.r_[joint.v_slice] for joint in joints]),
        )


class InPinocchio:
    """A robot as Pinocchio has it: its model and data, and the states in its order."""

    def __init__(self, robot: Robot):
        import pinocchio as pin

        root = (pin.JointModelFreeFlyer(),) if robot.free else ()
        self.model = pin.buildModelFromUrdf(str(robot.path), *root)
        self.data = self.model.createData()
        order_q, self.order = robot.order(self.model.names[1:])
        self.q = np.ascontiguousarray(robot.q[:, order_q])
        self.v, self.a, self.tau = (np.ascontiguousarray(x[:, self.order]) for x in (robot.v, robot.a, robot.tau))
        # its parallel functions take a column a state
        self.columns = [np.asfortranarray(x.T) for x in (self.q, self.v, self.a, self.tau)]

    def back(self, x: np.ndarray) -> np.ndarray:
        """Velocities, accelerations or torques in our order."""
        ours = np.empty_like(x)
        ours[..., self.order] = x
        return ours


class InMujoco:
    """A robot as MuJoCo has it, without geometry, contacts and limits; states in its order and axes."""

    def __init__(self, robot: Robot):
        import mujoco

        root = etree.parse(robot.path, etree.XMLParser(remove_comments=True)).getroot()
        for tag in _NO_PART:
            for element in list(root.iter(tag)):
                element.getparent().remove(element)
        spec = mujoco.MjSpec.from_string(etree.tostring(root).decode())
        if robot.free:
            spec.worldbody.bodies[0].add_freejoint(name="root_joint")
        self.model = model = spec.compile()
        flags = mujoco.mjtDisableBit
        model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        model.dof_damping[:] = 0.0
        self.data = mujoco.MjData(model)
        self.free = robot.free
        self.order_q, self.order = robot.order([model.joint(k).name for k in range(model.njnt)])
        self.rotation = np.broadcast_to(np.eye(3), (len(robot.q), 3, 3))
        if robot.free:
            base = robot.ours.joints["root_joint"].child.index
            self.rotation = lw.body_poses(robot.ours, robot.q).rotations[:, base]
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


def installed(module: str) -> bool:
    """Whether a peer is there."""
    return find_spec(module) is not None
