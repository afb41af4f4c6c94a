"""Gimbal: three hinges in a row as one joint, against three hinges on massless bodies, closed forms and references."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.plots.series import joint_panels
from tests.reference import Reference
from tests.unit.test_closed_dynamics import gap, kkt

AXES = {
    "xyz": ("x", "y", "z"),
    "zxz": ("z", "x", "z"),
    "askew": ((1, 2, 0), (0.3, 1, 1), (1, -0.4, 2)),
}
METHODS = ("aba", "crba", "unit-vector", "virtual-work", "dca")
EVERY = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Gimbal")
BODY = lw.Inertia(2.0, (0.1, -0.2, 0.3), np.diag([0.3, 0.4, 0.5]))
AT = lw.Pose.rpy(0.3, -0.2, 0.5, position=(0.1, 0.2, 0.3))
OPTIONS = {"damping": (0.1, 0.2, 0.3), "armature": (0.01, 0.02, 0.03)}


def as_one(axes, **options):
    """A body on a gimbal, with another body on it."""
    linkage = lw.Linkage()
    linkage.add_body("body", BODY, joint=lw.Gimbal(*axes, **options), at=AT)
    linkage.add_body("tip", BODY, joint=lw.Revolute("y"), parent="body", at=lw.Pose((0, 0, 1)))
    return linkage


def as_three(axes, damping=(0, 0, 0), armature=(0, 0, 0)):
    """The same with three hinges."""
    linkage, parent = lw.Linkage(), "ground"
    for k, name in enumerate(("first", "second", "body")):
        joint = lw.Revolute(axes[k], damping=damping[k], armature=armature[k])
        inertia = BODY if name == "body" else lw.Inertia(0.0)
        linkage.add_body(name, inertia, joint=joint, parent=parent, at=AT if k == 0 else lw.Pose())
        parent = name
    linkage.add_body("tip", BODY, joint=lw.Revolute("y"), parent="body", at=lw.Pose((0, 0, 1)))
    return linkage


def state(seed=0):
    rng = np.random.default_rng(seed)
    q, v, tau = rng.uniform(0.2, 1.2, size=4), rng.normal(size=4), rng.normal(size=4)
    return q, v, tau, rng.normal(size=(2, 6))


@pytest.mark.parametrize("axes", AXES.values(), ids=AXES)
def test_it_moves_like_three_hinges_on_massless_bodies(axes):
    one, three = as_one(axes, **OPTIONS), as_three(axes, **OPTIONS)
    q, v, tau, f_ext = state()
    padded = np.concatenate([np.zeros((2, 6)), f_ext])
    np.testing.assert_allclose(lw.mass_matrix(one, q), lw.mass_matrix(three, q), rtol=1e-13, atol=1e-14)
    expected = lw.forward_dynamics(three, q, v, tau, padded, method="crba")
    for method in METHODS:
        a = lw.forward_dynamics(one, q, v, tau, f_ext, method=method)
        np.testing.assert_allclose(a, expected, rtol=1e-11)
    np.testing.assert_allclose(lw.inverse_dynamics(one, q, v, expected, f_ext), tau, rtol=1e-11)
    np.testing.assert_allclose(lw.body_velocities(one, q, v), lw.body_velocities(three, q, v)[2:], atol=1e-14)
    np.testing.assert_allclose(lw.body_poses(one, q).rotations, lw.body_poses(three, q).rotations[2:], atol=1e-15)
    step = 0.3 * v
    np.testing.assert_array_equal(one.integrate(q, step), q + step)
    np.testing.assert_allclose(one.difference(q, q + step), step, rtol=1e-15)


@pytest.mark.parametrize(("axes", "letters"), [("xyz", "XYZ"), ("zxz", "ZXZ")])
def test_its_angles_are_the_intrinsic_euler_angles(axes, letters):
    linkage = lw.Linkage()
    linkage.add_body("body", BODY, joint=lw.Gimbal(*axes))
    q, v = np.array([0.3, 0.7, -1.1]), np.array([0.5, -0.2, 0.9])
    rotation = Rotation.from_euler(letters, q)
    np.testing.assert_allclose(lw.body_poses(linkage, q)["body"].rotation, rotation.as_matrix(), atol=1e-15)
    h = 1e-6
    turned = Rotation.from_euler(letters, q + h * v) * Rotation.from_euler(letters, q - h * v).inv()
    np.testing.assert_allclose(lw.body_velocities(linkage, q, v)[0, 3:], turned.as_rotvec() / (2 * h), atol=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_with_every_joint_type_agree_with_dense_equations(seed):
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(
        10, seed=rng, joints=EVERY, base=("fixed", "free")[seed % 2], damping=seed % 3 == 0
    )
    q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    f_ext = rng.normal(size=(linkage.nb, 6))
    H, b = Reference(linkage, q, v).equations(f_ext)
    np.testing.assert_allclose(lw.mass_matrix(linkage, q), H, atol=1e-12 * np.abs(H).max())
    np.testing.assert_allclose(lw.bias_force(linkage, q, v, f_ext), b, atol=1e-12 * np.abs(b).max())
    a = np.linalg.solve(H, tau - b)
    tolerance = 1e-14 * np.linalg.cond(H) * np.abs(a).max()
    for method in METHODS:
        found = lw.forward_dynamics(linkage, q, v, tau, f_ext, method=method)
        np.testing.assert_allclose(found, a, rtol=0, atol=max(tolerance, 1e-9 * np.abs(a).max()))


def test_a_batch_and_a_rollout_agree_with_single_calls():
    linkage, rng = as_one(AXES["askew"], **OPTIONS), np.random.default_rng(3)
    q, v = rng.uniform(0.2, 1.2, size=(7, 4)), rng.normal(size=(7, 4))
    single = [lw.forward_dynamics(linkage, q[k], v[k]) for k in range(7)]
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v), single, rtol=1e-11)
    sim = lw.Simulation(linkage, q[0], v[0], dt=1e-3)
    sim.run(0.02, progress=False)
    rolled = lw.rollout(linkage, q[0], v[0], np.zeros(4), 1e-3, 20, integrator="rk4")
    np.testing.assert_allclose(rolled.q[..., -1, :].ravel(), sim.q, rtol=1e-9)


def test_energy_is_kept_and_the_adaptive_simulation_is_exact_in_the_limit():
    linkage = as_one(AXES["xyz"])
    q, _, tau, _ = state(1)
    sim = lw.Simulation(linkage, q, np.zeros(4), dt=1e-3)
    energy = lw.potential_energy(linkage, q)
    sim.run(0.2, progress=False)
    now = lw.potential_energy(linkage, sim.q) + lw.kinetic_energy(linkage, sim.q, sim.v)
    assert now == pytest.approx(energy, abs=1e-8)
    linkage.gravity = (0, 0, 0)
    adaptive = lw.AdaptiveSimulation(linkage, q)
    adaptive.apply_torque("body", tau[:3])
    adaptive.refine(tolerance=0.0)
    expected = lw.forward_dynamics(linkage, q, np.zeros(4), np.append(tau[:3], 0.0))
    np.testing.assert_allclose(adaptive.a, expected, rtol=1e-9)


# As a loop joint


@pytest.mark.parametrize("seed", range(12))
def test_loops_agree_with_a_dense_solve(seed):
    linkage, q = lw.samples.random_closed(9, joint="Gimbal", loops=1 + seed % 2, seed=seed, damping=seed % 2 == 1)
    rng = np.random.default_rng(seed)
    q = lw.close_loops(linkage, linkage.integrate(q, 0.02 * rng.normal(size=linkage.nv)))
    assert gap(linkage, q) < 1e-11
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau, f_ext = rng.normal(size=linkage.nv), rng.normal(size=(linkage.nb, 6))
    expected, _ = kkt(linkage, q, v, tau, f_ext)
    for method in ("auto", "dca", "virtual-work"):
        found = lw.forward_dynamics(linkage, q, v, tau, f_ext, method=method)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def hung(joint, angles, axes):
    """A body on a Free joint that a loop joint ties to ground, turned by these angles."""
    linkage = lw.Linkage()
    linkage.add_body("body", BODY, joint=lw.Free())
    linkage.connect("ground", "body", joint, at_a=AT, at_b=lw.Pose((0.1, 0.2, -0.3)), name="loop")
    turned = lw.Gimbal(*axes).motion(np.array(angles), np.zeros(3))
    pose = AT @ lw.Pose(turned.position, turned.rotation) @ lw.Pose((0.1, 0.2, -0.3)).inverse()
    return linkage, np.concatenate([pose.position, Rotation.from_matrix(pose.rotation).as_quat()])


@pytest.mark.parametrize("name", AXES)
def test_a_loop_joint_has_the_angles_and_the_motion_of_the_tree_joint(name):
    axes, angles = AXES[name], np.array([0.4, 0.6, -0.7])
    rates, torques = np.array([0.3, -0.5, 0.8]), np.array([0.2, 0.1, -0.3])
    linkage, q = hung(lw.Gimbal(*axes, damping=(0.1, 0.2, 0.3)), angles, axes)
    np.testing.assert_allclose(lw.loop_coordinates(linkage, q), angles, atol=1e-13)

    tree = lw.Linkage()
    tree.add_body("ring", lw.Inertia(0.0), joint=lw.Gimbal(*axes, damping=(0.1, 0.2, 0.3)), at=AT)
    tree.add_body("body", BODY, joint=lw.Fixed(), parent="ring", at=lw.Pose((0.1, 0.2, -0.3)).inverse())
    twist = lw.body_velocities(tree, angles, rates)[1]
    turn = lw.body_poses(tree, angles)["body"].rotation
    v = np.concatenate([turn.T @ twist[:3], turn.T @ twist[3:]])
    a = lw.forward_dynamics(linkage, q, v, np.concatenate([np.zeros(6), torques]))
    expected = lw.body_accelerations(tree, angles, rates, lw.forward_dynamics(tree, angles, rates, torques))[1]
    found = lw.body_accelerations(linkage, q, v, a)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-11)
    mobility = lw.mobility(linkage, q)
    assert mobility.dof == 3


def test_a_loop_joint_stays_finite_where_it_is_locked():
    linkage, q = hung(lw.Gimbal("x", "y", "z", damping=0.1), (0.0, np.pi / 2, 0.0), AXES["xyz"])
    assert np.isfinite(lw.loop_coordinates(linkage, q)).all()
    free, _ = hung(lw.Spherical(), (0.0, 0.0, 0.0), AXES["xyz"])
    v = np.zeros(6)
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v), lw.forward_dynamics(free, q, v), atol=1e-12)


def test_a_locked_tree_joint_is_singular_and_armature_frees_it():
    q = np.array([0.3, np.pi / 2, 0.2, 0.1])
    with pytest.raises(lw.SingularError, match="body"):
        lw.forward_dynamics(as_one(AXES["xyz"]), q, np.zeros(4))
    assert np.isfinite(lw.forward_dynamics(as_one(AXES["xyz"], armature=0.1), q, np.zeros(4))).all()


# What users do with it


def test_successive_axes_must_not_be_parallel():
    with pytest.raises(lw.ArgumentError, match="axes of a Gimbal joint are parallel: 'x' and"):
        lw.Gimbal("x", "-x", "z")
    with pytest.raises(lw.ArgumentError, match="axes of a Gimbal joint are parallel: 'y' and 'y'"):
        lw.Gimbal("x", "y", "y")
    linkage = lw.Linkage()
    with pytest.raises(lw.ArgumentError, match=r"'b1'.*parallel"):
        linkage.add_bodies(
            ["b0", "b1"], code=lw.Gimbal.code, axis=(1, 0, 0), axis2=(0, 1, 0), axis3=[(0, 0, 1), (0, 2, 0)]
        )


def test_many_at_once_are_as_one_by_one():
    bulk, single = lw.Linkage(), lw.Linkage()
    bulk.add_bodies(["a"], code=lw.Gimbal.code, axis=(1, 0, 0), axis2=(0, 2, 0), axis3=(0, 1, 1), damping=0.5)
    single.add_body("a", joint=lw.Gimbal("x", "y", (0, 1, 1), damping=0.5))
    assert bulk.joints["a"].type == single.joints["a"].type


def test_limits_springs_and_drives_act_on_its_angles():
    linkage = as_one(AXES["xyz"], limits=((-0.1, 0.1), (-np.inf, 0.2), (-1, 1)), damping=0.5)
    linkage.add_force(lw.JointSpring("body", (5.0, 5.0, 5.0), (0.3, 0.4, 0.5)))
    rest = np.zeros(4)
    pushed = lw.bias_force(linkage, rest, rest) - lw.bias_force(as_one(AXES["xyz"], damping=0.5), rest, rest)
    np.testing.assert_allclose(pushed[:3], (-1.5, -2.0, -2.5), atol=1e-12)
    sim = lw.Simulation(linkage, rest, rest, dt=1e-3)
    sim.run(0.5, progress=False)
    assert np.all(sim.q[:2] < (0.12, 0.22))
    driven = lw.Simulation(as_one(AXES["xyz"]), rest, rest, dt=1e-3)
    driven.drive("body", lambda t: np.array([t, 0.5 * t, -t]))
    driven.run(0.1, progress=False)
    np.testing.assert_allclose(driven.q[:3], (0.1, 0.05, -0.1), atol=1e-9)


def test_it_is_saved_cut_and_drawn(tmp_path):
    linkage = as_one(AXES["askew"], limits=(-1, 1), **OPTIONS)
    linkage.connect("ground", "tip", lw.Gimbal("x", "y", "z"), at_b=lw.Pose((0, 0, 1)), name="loop")
    linkage.save(tmp_path / "gimbal.yaml")
    again = lw.load(tmp_path / "gimbal.yaml")
    assert again.joints["body"].type == linkage.joints["body"].type
    assert again.loops["loop"].type == linkage.loops["loop"].type
    q, v, *_ = state(2)
    linkage.cut("loop")
    before = lw.body_poses(linkage, q)["tip"]
    change = linkage.cut("body")
    q, v = change.carry(q, v)
    np.testing.assert_allclose(lw.body_poses(linkage, q)["tip"].rotation, before.rotation, atol=1e-14)
    assert np.isfinite(lw.forward_dynamics(linkage, q, v)).all()


def test_its_curves_are_angles():
    linkage = as_one(AXES["xyz"])
    sim = lw.Simulation(linkage, [0.1, 0.2, 0.3, 0.0], np.zeros(4), dt=1e-3)
    sim.run(0.003, progress=False)
    (panel,) = joint_panels(sim.recording, "q", ["body"])
    assert [line.label for line in panel.lines] == ["body[0]", "body[1]", "body[2]"]
    assert panel.unit == "rad"


@pytest.mark.parametrize("method", ["auto", "crba", "virtual-work"])
@pytest.mark.parametrize("off", [0.0, 1e-9])
def test_a_locked_loop_joint_that_is_driven_is_named(method, off):
    linkage = lw.Linkage()
    linkage.add_body("body", BODY, joint=lw.Free())
    linkage.connect("ground", "body", lw.Gimbal(damping=0.5), name="hook")
    q = np.concatenate([np.zeros(3), Rotation.from_rotvec([0.0, np.pi / 2 - off, 0.0]).as_quat()])
    v = np.array([0.0, 0.0, 0.0, 0.1, 0.2, 0.3])
    with pytest.raises(lw.SingularError, match="'hook' is locked"):
        lw.forward_dynamics(linkage, q, v, method=method)
