"""Real robots and random states of them: the same model and the same states for every library."""

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
_UNUSED = (  # in the dynamics that is compared
    "visual", "collision", "gazebo", "transmission", "material", "mimic", "mujoco", "dynamics", "safety_controller",
)  # fmt: skip


def folder() -> Path:
    """The folder in which the package example-robot-data keeps its robots."""
    path = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
    if not path.is_dir():
        raise lw.ArgumentError("the robots are not here: pip install example-robot-data")
    return path


class Robot:
    """One robot and a batch of random states, without damping, which Pinocchio does not have."""

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
        """Our indices of the coordinates and velocities of joints in this order."""
        joints = [self.ours.joints[name] for name in names]
        return (
            np.concatenate([np.r_[joint.q_slice] for joint in joints]),
            np.concatenate([np.r_[joint.v_slice] for joint in joints]),
        )

    def base_rotations(self) -> np.ndarray:
        """Rotations of the base's axes to the world's (count, 3, 3)."""
        if not self.free:
            return np.broadcast_to(np.eye(3), (len(self.q), 3, 3))
        return lw.body_poses(self.ours, self.q).rotations[:, self.ours.joints["root_joint"].child.index]


def bare_urdf(path: Path) -> str:
    """A robot's URDF without geometry, damping and friction, which the libraries treat differently."""
    root = etree.parse(path, etree.XMLParser(remove_comments=True)).getroot()
    for element in list(root.iter(*_UNUSED)):
        element.getparent().remove(element)
    return etree.tostring(root).decode()


def installed(module: str) -> bool:
    """Whether a peer is installed."""
    return find_spec(module) is not None
