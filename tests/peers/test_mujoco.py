"""Mass matrix, bias force, accelerations and poses against MuJoCo, on real robots that its compiler takes.

MuJoCo wants physical inertias before merging, and a mesh for every visual. Geometry has no part in dynamics
here (every mass is given), so that it is taken out of the files before MuJoCo sees them.
"""

import warnings

import numpy as np
import pytest
from lxml import etree

import linkwork as lw

mujoco = pytest.importorskip("mujoco")

STATES = 5
TOLERANCE = 1e-9
"""Relative, by the largest entry: exact algorithms differ by rounding, times the condition of H for a."""


def compile_urdf(path, *, free: bool):
    """MuJoCo's model of a URDF file without its geometry, limits, contacts, couplings and dry friction."""
    root = etree.parse(path, etree.XMLParser(remove_comments=True)).getroot()
    for tag in ("visual", "collision", "gazebo", "transmission", "material", "mimic", "mujoco"):
        for element in list(root.iter(tag)):
            element.getparent().remove(element)
    for element in [
        *root.findall("link"),
        *root.iter("parent"),
    ]:  # MuJoCo takes such a link for its own world
        for key, value in element.attrib.items():
            element.set(key, "world_link" if value == "world" else value)
    options = '<mujoco><compiler fusestatic="false" balanceinertia="false"/></mujoco>'
    root.insert(0, etree.fromstring(options))
    spec = mujoco.MjSpec.from_string(etree.tostring(root).decode())
    if free:
        roots = spec.worldbody.bodies
        assert len(roots) == 1
        roots[0].add_freejoint(name="root_joint")
    model = spec.compile()
    flags = mujoco.mjtDisableBit
    model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    return model


class Twin:
    """One robot in both, and the maps between the layouts."""

    def __init__(self, path, base: str):
        if path.stem == "ur3":
            pytest.skip("has no link: refused by us")
        try:
            self.model = compile_urdf(path, free=base == "free")
        except ValueError as refusal:
            pytest.skip(f"MuJoCo refuses it: {str(refusal).splitlines()[0]}")
        self.data = mujoco.MjData(self.model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lw.LinkworkWarning)
            self.ours = lw.load(path, base=base)
        names = [self.model.joint(k).name for k in range(self.model.njnt)]
        assert set(names) == set(self.ours.joints.names)
        parts = [self.ours.joints[name].v_slice for name in names]
        self.v_index = np.array([k for part in parts for k in range(part.start, part.stop)], dtype=int)
        self.q_index = np.array(
            [k for name in names for k in range(*self.ours.joints[name].q_slice.indices(self.ours.nq))],
            dtype=int,
        )
        self.free = base == "free"

    def set(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Put a state into MuJoCo's data; return the map B from our velocities to MuJoCo's: v_mj = B v."""
        B = np.eye(self.ours.nv)[self.v_index]
        qpos = q[self.q_index]
        if self.free:  # MuJoCo: quaternion wxyz, linear velocity in world axes
            qpos[3:7] = qpos[[6, 3, 4, 5]]
            turn = lw.body_poses(self.ours, q).rotations[self.ours.joints["root_joint"].child.index]
            B[:3] = turn @ B[:3]
        self.data.qpos, self.data.qvel = qpos, B @ v
        return B

    def states(self):
        rng = np.random.default_rng(7)
        for _ in range(STATES):
            q = rng.uniform(-1, 1, self.ours.nq)
            if self.free:
                part = self.ours.joints["root_joint"].q_slice
                q[part.start + 3 : part.stop] /= np.linalg.norm(q[part.start + 3 : part.stop])
            yield q, *rng.normal(size=(2, self.ours.nv))


def close(ours, theirs, *, what: str) -> None:
    error = np.abs(ours - theirs).max(initial=0.0)
    assert error <= TOLERANCE * max(np.abs(theirs).max(initial=0.0), 1e-3), f"{what}: {error:.2e}"


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_dynamics(urdf, base):
    twin = Twin(urdf, base)
    ours, model, data = twin.ours, twin.model, twin.data
    if ours.nv == 0:
        pytest.skip("nothing moves")
    root = slice(0, 3) if twin.free else slice(0, 0)
    for q, v, tau in twin.states():
        B = twin.set(q, v)
        data.qfrc_applied = np.linalg.solve(B.T, tau)  # power is the same in both layouts
        mujoco.mj_forward(model, data)

        M = np.empty((model.nv, model.nv))
        for row, unit in zip(M, np.eye(model.nv), strict=True):
            mujoco.mj_mulM(model, data, row, unit)
        close(lw.mass_matrix(ours, q), B.T @ M @ B, what="mass matrix")

        # With world axes for the root's linear velocity, a_mj = B a + dB/dt v, and dB/dt v is ω × (R v).
        twist = data.qvel.copy()
        extra = np.zeros(model.nv)
        if twin.free:
            turn = lw.body_poses(ours, q).rotations[ours.joints["root_joint"].child.index]
            extra[root] = np.cross(turn @ twist[3:6], twist[:3])
        bias = B.T @ (data.qfrc_bias - data.qfrc_passive + M @ extra)
        close(lw.bias_force(ours, q, v), bias, what="bias force")
        a = np.linalg.solve(B, data.qacc - extra)
        close(lw.forward_dynamics(ours, q, v, tau), a, what="acceleration")

        poses = lw.body_poses(ours, q)
        for body in ours.bodies:
            place = data.body({"ground_link": "ground", "world": "world_link"}.get(body.name, body.name))
            close(poses.positions[body.index], place.xpos, what=f"position of {body.name}")
            close(poses.rotations[body.index], place.xmat.reshape(3, 3), what=f"rotation of {body.name}")


def test_mujoco_takes_enough_robots(robots):
    """The comparison must not melt away: MuJoCo's compiler takes at least 30 of the files."""
    taken = 0
    for path in robots:
        try:
            compile_urdf(path, free=False)
            taken += 1
        except ValueError:
            pass
    assert taken >= 30
