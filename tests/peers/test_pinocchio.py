"""Every field of the public face against Pinocchio, on real robots.

States are random; joints are matched by name. Pinocchio ignores damping, so that damping · v is added to its
torques, and writes continuous joints as (cos, sin).
"""

import warnings
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

pin = pytest.importorskip("pinocchio")

STATES = 5
TOLERANCE = 1e-9
"""Relative, by the largest entry: two exact algorithms differ by rounding, times the condition of H for a."""
ILL = 1e9
"""Condition number of H above which accelerations are compared at 1e-6 only."""


class Twin:
    """One robot, loaded by both, with the maps between their layouts."""

    def __init__(self, path: Path, base: str):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lw.LinkworkWarning)
            self.ours = lw.load(path, base=base)
        root = (pin.JointModelFreeFlyer(),) if base == "free" else ()
        self.model = pin.buildModelFromUrdf(str(path), *root)
        self.data = self.model.createData()
        assert set(self.model.names[1:]) == set(self.ours.joints.names)
        slices = [self.ours.joints[name].v_slice for name in self.model.names[1:]]
        order = [index for part in slices for index in range(part.start, part.stop)]
        self.v_of_pin = np.array(order, dtype=int)
        """Our index of each of Pinocchio's velocities."""
        damping = [np.atleast_1d(self.ours.joints[name].damping) for name in self.model.names[1:]]
        self.damping = np.concatenate([np.zeros(0), *damping])

    def q(self, q: np.ndarray) -> np.ndarray:
        """Our coordinates in Pinocchio's layout."""
        parts = [np.zeros(0)]
        for name, joint in zip(self.model.names[1:], self.model.joints[1:], strict=True):
            part = q[self.ours.joints[name].q_slice]
            unbounded = joint.nq == 2 and part.size == 1
            parts.append(np.array([np.cos(part[0]), np.sin(part[0])]) if unbounded else part)
        return np.concatenate(parts)

    def v(self, v: np.ndarray) -> np.ndarray:
        """Our velocities, accelerations or torques in Pinocchio's order."""
        return v[self.v_of_pin]

    def states(self):
        """Random (q, v, a, tau), the same in every run."""
        rng = np.random.default_rng(len(self.ours.name) + 1000 * self.ours.nv)
        for _ in range(STATES):
            q = np.zeros(self.ours.nq)
            for joint in self.ours.joints:
                if isinstance(joint.type, lw.Free):
                    turn = rng.normal(size=4)
                    part = np.concatenate([rng.uniform(-1, 1, 3), turn / np.linalg.norm(turn)])
                else:
                    reach = 0.3 if isinstance(joint.type, lw.Prismatic) else np.pi
                    part = rng.uniform(-reach, reach, joint.nq)
                q[joint.q_slice] = part
            yield q, *rng.normal(size=(3, self.ours.nv))


def close(ours, theirs, tolerance: float = TOLERANCE, *, what: str) -> None:
    """Compare by the largest entry of the field."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape, what
    error = np.abs(ours - theirs).max(initial=0.0)
    assert error <= tolerance * max(np.abs(theirs).max(initial=0.0), 1e-3), f"{what}: {error:.2e}"


@pytest.fixture(params=["fixed", "free"])
def twin(urdf, request):
    if urdf.stem == "ur3":
        pytest.skip("has no link: refused by both")
    twin = Twin(urdf, request.param)
    if twin.ours.nb == 0:
        pytest.skip("nothing moves")
    return twin


def test_kinematics(twin):
    """Poses of every link, Jacobians, velocities, bias accelerations, centre of mass, momentum, energies."""
    ours, model, data = twin.ours, twin.model, twin.data
    links = [frame for frame in model.frames if frame.type == pin.FrameType.BODY]
    for q, v, _, _ in twin.states():
        pq, pv = twin.q(q), twin.v(v)
        pin.forwardKinematics(model, data, pq, pv, np.zeros(model.nv))
        pin.computeJointJacobians(model, data, pq)
        pin.updateFramePlacements(model, data)
        poses, velocities = lw.body_poses(ours, q), lw.body_velocities(ours, q, v)
        for body in ours.bodies:
            frame = model.getFrameId(body.name, pin.FrameType.BODY)
            close(poses.positions[body.index], data.oMf[frame].translation, what=f"position of {body.name}")
            close(poses.rotations[body.index], data.oMf[frame].rotation, what=f"rotation of {body.name}")
            twist = pin.getFrameVelocity(model, data, frame, pin.LOCAL_WORLD_ALIGNED).vector
            close(velocities[body.index], twist, what=f"velocity of {body.name}")
        for link in links:
            name = "ground_link" if link.name == "ground" else link.name
            frame = model.getFrameId(link.name, pin.FrameType.BODY)
            pose = poses[name]
            close(pose.position, data.oMf[frame].translation, what=f"position of {name}")
            close(pose.rotation, data.oMf[frame].rotation, what=f"rotation of {name}")
        for link in links[:: max(1, len(links) // 8)]:
            name = "ground_link" if link.name == "ground" else link.name
            frame = model.getFrameId(link.name, pin.FrameType.BODY)
            jacobian = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
            close(twin.v(lw.jacobian(ours, q, name).T).T, jacobian, what=f"Jacobian of {name}")
            bias = pin.getFrameClassicalAcceleration(model, data, frame, pin.LOCAL_WORLD_ALIGNED).vector
            close(lw.jacobian_bias(ours, q, v, name), bias, what=f"Jacobian bias of {name}")
        close(lw.center_of_mass(ours, q), pin.centerOfMass(model, data, pq), what="centre of mass")
        close(
            lw.kinetic_energy(ours, q, v),
            pin.computeKineticEnergy(model, data, pq, pv),
            what="kinetic energy",
        )
        close(
            lw.potential_energy(ours, q), pin.computePotentialEnergy(model, data, pq), what="potential energy"
        )
        momentum = pin.computeCentroidalMomentum(model, data, pq, pv).vector
        about_origin = np.concatenate([momentum[:3], momentum[3:] + np.cross(data.com[0], momentum[:3])])
        close(lw.momentum(ours, q, v), about_origin, what="momentum")


def test_inverse_dynamics(twin):
    """Torques, bias, gravity, mass matrix and the wrench in every joint."""
    ours, model, data = twin.ours, twin.model, twin.data
    for q, v, a, _ in twin.states():
        pq, pv, pa = twin.q(q), twin.v(v), twin.v(a)
        damping = twin.damping * pv
        tau = pin.rnea(model, data, pq, pv, pa) + damping
        close(twin.v(lw.inverse_dynamics(ours, q, v, a)), tau, what="inverse dynamics")
        wrenches = lw.joint_wrenches(ours, q, v, a)
        largest = max(np.abs(data.f[k].vector).max() for k in range(1, model.njoints))
        for name in ours.joints.names:
            force = data.f[model.getJointId(name)].vector
            error = np.abs(wrenches[ours.joints[name].child.index] - force).max()
            assert error <= TOLERANCE * largest, f"wrench in {name}: {error:.2e}"
        bias = pin.nonLinearEffects(model, data, pq, pv) + damping
        close(twin.v(lw.bias_force(ours, q, v)), bias, what="bias force")
        gravity = pin.computeGeneralizedGravity(model, data, pq)
        close(twin.v(lw.gravity_torques(ours, q)), gravity, what="gravity torques")
        upper = np.triu(pin.crba(model, data, pq))
        H = upper + np.triu(upper, 1).T
        close(lw.mass_matrix(ours, q)[np.ix_(twin.v_of_pin, twin.v_of_pin)], H, what="mass matrix")


def test_external_forces(twin):
    """A random wrench on every body, given to Pinocchio in each joint's own frame."""
    ours, model, data = twin.ours, twin.model, twin.data
    q, v, a, _ = next(twin.states())
    pq, pv = twin.q(q), twin.v(v)
    f_ext = np.random.default_rng(5).normal(size=(ours.nb, 6))
    pin.forwardKinematics(model, data, pq)
    wrenches = pin.StdVec_Force()
    wrenches.append(pin.Force.Zero())
    for joint in range(1, model.njoints):
        turn = data.oMi[joint].rotation.T
        force = f_ext[ours.joints[model.names[joint]].child.index]
        wrenches.append(pin.Force(turn @ force[:3], turn @ force[3:]))
    tau = pin.rnea(model, data, pq, pv, twin.v(a), wrenches) + twin.damping * pv
    close(twin.v(lw.inverse_dynamics(ours, q, v, a, f_ext=f_ext)), tau, what="inverse dynamics with forces")


@pytest.mark.parametrize("method", ["aba", "crba", "unit-vector"])
def test_forward_dynamics(twin, method):
    """Accelerations; where Pinocchio's H is singular, a clear error instead of its infinities."""
    ours, model, data = twin.ours, twin.model, twin.data
    for q, v, _, tau in twin.states():
        pq, pv = twin.q(q), twin.v(v)
        upper = np.triu(pin.crba(model, data, pq))
        condition = np.linalg.cond(upper + np.triu(upper, 1).T)
        if condition > 1e15:
            with pytest.raises(lw.SingularError):
                lw.forward_dynamics(ours, q, v, tau, method=method)
            continue
        a = pin.aba(model, data, pq, pv, twin.v(tau) - twin.damping * pv)
        tolerance = 1e-6 if condition > ILL else TOLERANCE
        result = twin.v(lw.forward_dynamics(ours, q, v, tau, method=method))
        close(result, a, tolerance, what=f"{method} at condition {condition:.0e}")


def test_kept_fixed_links_change_nothing(urdf):
    """Links kept as bodies on Fixed joints: the same torques as merged, with massless and odd inertias."""
    if urdf.stem == "ur3":
        pytest.skip("has no link: refused by both")
    twin = Twin(urdf, "free")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        kept = lw.load(urdf, base="free", keep_fixed=True)
    assert kept.nb == len(twin.ours.bodies) + len(twin.ours.frames)
    q, v, a, _ = next(twin.states())
    assert [kept.joints[name].v_slice for name in twin.ours.joints.names] == [
        j.v_slice for j in twin.ours.joints
    ]
    tau = pin.rnea(twin.model, twin.data, twin.q(q), twin.v(v), twin.v(a)) + twin.damping * twin.v(v)
    close(twin.v(lw.inverse_dynamics(kept, q, v, a)), tau, what="torques")


PLANE = """<robot name="sled"><link name="world"/>
<link name="sled"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><mass value="2"/>
  <inertia ixx="0.3" ixy="0.01" ixz="0.02" iyy="0.4" iyz="0.03" izz="0.5"/></inertial></link>
<link name="drone"><inertial><origin xyz="0 0.1 0"/><mass value="1"/>
  <inertia ixx="0.03" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.05"/></inertial></link>
<joint name="slide" type="planar"><origin xyz="1 2 3" rpy="0.4 0.5 0.6"/>
  <parent link="world"/><child link="sled"/><axis xyz="0 0 1"/></joint>
<joint name="fly" type="floating"><origin xyz="0 0 1" rpy="0.7 0.8 0.9"/>
  <parent link="sled"/><child link="drone"/></joint></robot>"""


def test_planar_and_floating_joints(tmp_path):
    """Joints that no file of the collection has; Pinocchio writes the planar angle as (cos, sin)."""
    path = tmp_path / "sled.urdf"
    path.write_text(PLANE)
    ours, model = lw.load(path), pin.buildModelFromUrdf(str(path))
    data, rng = model.createData(), np.random.default_rng(3)
    assert ours.joints.names == list(model.names)[1:] == ["slide", "fly"]
    for _ in range(STATES):
        plane, place, turn = rng.normal(size=3), rng.normal(size=3), rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        v, a = rng.normal(size=(2, 9))
        q = np.concatenate([plane, place, turn])
        pq = np.concatenate([plane[:2], [np.cos(plane[2]), np.sin(plane[2])], place, turn])
        close(lw.inverse_dynamics(ours, q, v, a), pin.rnea(model, data, pq, v, a), what="inverse dynamics")
        close(lw.forward_dynamics(ours, q, v, a), pin.aba(model, data, pq, v, a), what="forward dynamics")
        poses = lw.body_poses(ours, q)
        pin.forwardKinematics(model, data, pq)
        for k in (1, 2):
            close(poses.positions[k - 1], data.oMi[k].translation, what="position")
            close(poses.rotations[k - 1], data.oMi[k].rotation, what="rotation")


def test_at_least_sixty_robots_load(robots):
    """All but the one that has no link; the refusal says where and why."""
    loaded, refused = [], []
    for path in robots:
        for base in ("fixed", "free"):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", lw.LinkworkWarning)
                    loaded.append((path, lw.load(path, base=base).nb))
            except lw.DescriptionError as error:
                refused.append(error)
    assert len(loaded) == 2 * 68
    assert [(Path(error.file).name, error.line, error.element) for error in refused] == [
        ("ur3.urdf", 6, "<robot>")
    ] * 2


def test_written_files_are_understood(urdf, tmp_path):
    """A robot that is written again: Pinocchio reads the new file and finds the same torques."""
    if urdf.stem == "ur3":
        pytest.skip("has no link: refused by both")
    old = Twin(urdf, "fixed")
    old.ours.save(tmp_path / urdf.name)
    new = Twin(tmp_path / urdf.name, "fixed")
    q, v, a, _ = next(old.states())
    tau = pin.rnea(old.model, old.data, old.q(q), old.v(v), old.v(a))
    again = pin.rnea(new.model, new.data, new.q(q), new.v(v), new.v(a))
    close(again[np.argsort(new.v_of_pin)], tau[np.argsort(old.v_of_pin)], 1e-12, what="torques")
    assert new.ours.joints.names == old.ours.joints.names
    assert set(new.ours.frames.names) == set(old.ours.frames.names)
    assert len(new.ours.visuals) == len(old.ours.visuals)


def test_derivatives(twin):
    """Derivatives of inverse and forward dynamics; of forward dynamics by the condition of H above 4e6."""
    ours, model, data = twin.ours, twin.model, twin.data
    order = np.ix_(twin.v_of_pin, twin.v_of_pin)
    for q, v, a, tau in twin.states():
        pq, pv, pa = twin.q(q), twin.v(v), twin.v(a)
        pin.computeRNEADerivatives(model, data, pq, pv, pa)
        dq, dv = lw.inverse_dynamics_derivatives(ours, q, v, a)
        close(dq[order], data.dtau_dq, what="dtau/dq")
        close(dv[order], data.dtau_dv + np.diag(twin.damping), what="dtau/dv")
        condition = np.linalg.cond(lw.mass_matrix(ours, q))
        if condition > 1e15:
            with pytest.raises(lw.SingularError):
                lw.forward_dynamics_derivatives(ours, q, v, tau)
            continue
        pin.computeABADerivatives(model, data, pq, pv, twin.v(tau) - twin.damping * pv)
        theirs = data.ddq_dq, data.ddq_dv - data.Minv * twin.damping, data.Minv
        tolerance = max(TOLERANCE, np.finfo(float).eps * condition)
        found = lw.forward_dynamics_derivatives(ours, q, v, tau)
        for x, y, what in zip(found, theirs, ("da/dq", "da/dv", "da/dtau"), strict=True):
            close(x[order], y, tolerance, what=what)
