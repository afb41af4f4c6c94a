"""MJCF models against MuJoCo, which compiled them: every file of the wheels of dm_control, gymnasium and mujoco."""

import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

mujoco = pytest.importorskip("mujoco")

SITE = Path(sysconfig.get_path("purelib"))
FILES = [
    path
    for package in ("dm_control", "gymnasium", "mujoco")
    for path in sorted((SITE / package).rglob("*.xml"))
    if b"<mujoco" in path.read_bytes()[:4000]
]
FAST = {"humanoid", "quadruped", "jaco_arm", "manipulator", "cartpole", "model"}
REFUSED = {  # by the end of the path, why
    "dog_v2/dog.xml": "climbs out", "dog_v2/scene.xml": "climbs out",
    "drosophila.xml": "Error opening file", "build_fruitfly/fruitfly.xml": "Error opening file",
    "build_fruitfly/floor.xml": "Error opening file",
    "included_with_invalid_filenames.xml": "Error opening file",
    "model_with_invalid_filenames.xml": "no such file", "testing/assets/model_with_assets.xml": "no such file",
    "test_model.xml": "mass and inertia of moving bodies",
}  # fmt: skip


class Twin:
    """One model, compiled by MuJoCo and loaded by us, with the maps between their states."""

    def __init__(self, path: Path):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lw.LinkworkWarning)
            self.ours = lw.load(path)
        self.m = mujoco.MjModel.from_xml_path(str(path))
        self.d = mujoco.MjData(self.m)

    def joints(self):
        for k in range(self.m.njnt):
            joint = self.ours.joints[self.m.jnt(k).name or f"joint{k}"]
            yield k, joint, self.m.jnt_qposadr[k], slice(self.m.jnt_dofadr[k], self.m.jnt_dofadr[k] + joint.nv)

    def q(self, qpos: np.ndarray) -> np.ndarray:
        """MuJoCo's coordinates in our order."""
        q = self.ours.neutral()
        for _, joint, first, _ in self.joints():
            part = qpos[first : first + joint.nq].copy()
            if joint.nq != joint.nv:
                part[-4:] = np.roll(part[-4:], -1)
            q[joint.q_slice] = part
        return q

    def maps(self, qpos: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """T and c with qvel = T v and its rate T a + c: the linear velocity of a free joint is in the world's axes."""
        T, c = np.zeros((self.m.nv, self.ours.nv)), np.zeros(self.m.nv)
        for _, joint, first, dofs in self.joints():
            block = np.eye(joint.nv)
            if joint.nv == 6:
                R = lw.Pose((0, 0, 0), np.roll(qpos[first + 3 : first + 7], -1)).rotation
                block[:3, :3] = R
                linear, angular = v[dofs][:3], v[dofs][3:]
                c[dofs][:3] = R @ np.cross(angular, R.T @ linear)
            T[dofs, joint.v_slice] = block
        return T, c

    def passive(self, qpos: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Springs and dampers of the joints."""
        force = -self.m.dof_damping * v
        for k, joint, first, dofs in self.joints():
            if joint.nv == 1:
                force[dofs] -= self.m.jnt_stiffness[k] * (qpos[first] - self.m.qpos_spring[first])
        return force


def name(path: Path) -> str:
    return str(path.relative_to(SITE))


def cases():
    for path in FILES:
        marks = () if path.stem in FAST and "walkers" not in path.parts else pytest.mark.slow
        yield pytest.param(path, id=name(path).removesuffix(".xml").replace("/", "."), marks=marks)


@pytest.mark.parametrize("path", [*cases()] or [pytest.param(None, marks=pytest.mark.skip("no models are installed"))])
def test_mass_matrix_and_bias(path):
    reason = next((why for end, why in REFUSED.items() if name(path).endswith(end)), None)
    if reason is not None:
        with pytest.raises(lw.DescriptionError, match=reason):
            lw.load(path)
        return
    twin = Twin(path)
    m, d, ours = twin.m, twin.d, twin.ours
    assert ours.nv == m.nv
    if m.nv == 0:
        return
    rng = np.random.default_rng(m.nv)
    for _ in range(5):
        qpos, v = m.qpos0.copy(), rng.normal(size=m.nv)
        mujoco.mj_integratePos(m, qpos, rng.normal(size=m.nv), 1.0)
        d.qpos[:], d.qvel[:] = qpos, v
        mujoco.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        q, (T, c) = twin.q(qpos), twin.maps(qpos, v)
        expected = T.T @ M @ T
        np.testing.assert_allclose(lw.mass_matrix(ours, q), expected, atol=1e-9 * max(1e-3, np.abs(expected).max()))
        expected = T.T @ (d.qfrc_bias - twin.passive(qpos, v) + M @ c)
        bias = lw.bias_force(ours, q, T.T @ v)
        np.testing.assert_allclose(bias, expected, atol=1e-9 * max(1e-3, np.abs(expected).max()))
        poses = lw.body_poses(ours, q)
        for number in range(1, m.nbody):
            if m.body(number).name:
                np.testing.assert_allclose(poses[m.body(number).name].position, d.xpos[number], atol=3e-8)
                np.testing.assert_allclose(poses[m.body(number).name].rotation.ravel(), d.xmat[number], atol=3e-8)


def test_the_collection_is_there():
    """Seventy-nine files at the time of writing; nothing is skipped for want of them."""
    assert len(FILES) > 60


LOOPS = """\
<mujoco model="bars">
  <option gravity="0 0 -5"/>
  <worldbody>
    <body name="crank" pos="0 0 1"><joint name="a" axis="0 1 0" ref="30" armature="0.1" damping="0.2"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 .5"/>
      <body name="coupler" pos="0 0 .5"><joint name="b" axis="0 1 0"/><joint name="b2" axis="1 0 0" pos="0 .1 0"/>
        <geom type="capsule" size=".02" fromto="0 0 0 1 0 0"/></body></body>
    <body name="rocker" pos="1 0 1"><joint name="c" axis="0 1 0" stiffness="3" springref="20" range="-90 90"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 .5"/></body>
    <body name="slider" pos="3 0 0"><joint name="d" type="slide" axis="1 0 0" ref=".2"/><geom size=".1"/></body>
    <body name="plate" pos="0 3 0"><freejoint name="f"/><geom size=".1"/></body>
  </worldbody>
  <equality>
    <connect name="pin" body1="coupler" body2="rocker" anchor="1 -.1 0"/>
    <connect name="pin2" body1="coupler" body2="rocker" anchor="1 .1 0"/>
    <connect name="ball" body1="plate" anchor=".1 .2 .3"/>
    <joint name="gear" joint1="d" joint2="a" polycoef="0.1 0.5 0.2 -0.3 0.05"/>
    <joint name="off" joint1="d" joint2="a" active="false"/>
  </equality>
  <tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon>
  <actuator><motor name="m" joint="a" gear="3" ctrlrange="-2 2"/><motor name="n" tendon="t"/></actuator>
  <sensor><jointpos joint="a"/></sensor>
  <keyframe><key name="home" qpos="1 2 3 4 .5 0 0 0 1 0 0 0"/></keyframe>
</mujoco>
"""


def test_equalities_against_mujoco(tmp_path):
    """Where our loops close, MuJoCo's own measure of its constraints vanishes; and not only at the file's pose."""
    path = tmp_path / "bars.xml"
    path.write_text(LOOPS)
    twin = Twin(path)
    ours, m, d = twin.ours, twin.m, twin.d
    assert ours.loops.names == ["pin", "ball"]
    assert isinstance(ours.loops["pin"].type, lw.Revolute), "two points on one axis are a hinge"
    start = ours.configurations["start"]
    poses = lw.body_poses(ours, start)
    pin = ours.loops["pin"]
    ends = [poses[pin.parent.name] @ pin.at_a, poses[pin.real.name] @ pin.at_b]
    np.testing.assert_allclose(ends[0].matrix, ends[1].matrix, atol=1e-15)
    rng = np.random.default_rng(3)
    for _ in range(3):
        q = lw.close_loops(ours, ours.integrate(start, 0.3 * rng.normal(size=ours.nv)))
        for _, joint, first, _ in twin.joints():
            part = q[joint.q_slice].copy()
            if joint.nq != joint.nv:
                part[-4:] = np.roll(part[-4:], 1)
            d.qpos[first : first + joint.nq] = part
        mujoco.mj_forward(m, d)
        equalities = d.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        assert equalities.sum() == 10
        assert np.abs(d.efc_pos[equalities]).max() < 1e-9


def test_data_of_actuators_and_what_is_ignored(tmp_path):
    path = tmp_path / "bars.xml"
    path.write_text(LOOPS)
    ours = lw.load(path)
    assert [joint.name for joint in ours.joints if np.any(joint.actuated)] == ["a"]
    assert ours.joints["a"].effort == 6.0
    (motor,) = ours.actuators
    assert (motor.name, motor.joint, motor.gear, motor.control) == ("m", "a", (3.0,), (-2.0, 2.0))
    assert ours.joints["c"].limits.tolist() == [[-np.pi / 2, np.pi / 2]]
    assert ours.gravity.tolist() == [0, 0, -5]
    assert ours.configurations["home"][:2].tolist() == [1, 2]
    text = "\n".join(ours.ignored)
    for what in ("<tendon><fixed> (tendons): 1 not read, first at line 20", "<sensor><jointpos>", "'off'", "'n'"):
        assert what in text, text


def test_a_body_with_two_joints_is_a_chain(tmp_path):
    path = tmp_path / "bars.xml"
    path.write_text(LOOPS)
    ours = lw.load(path)
    assert ours.bodies.names == ["crank", "b", "b2", "rocker", "slider", "plate"]
    assert ours.bodies["b"].mass == 0.0
    assert ours.frames["coupler"].body.name == "b2", "its last joint is beside its origin"
    assert [shape.kind for shape in ours.visuals] == ["capsule", "capsule", "capsule", "sphere", "sphere"]
