"""`solve` with points on surfaces in compiled code: Newton and Euler for every body, dense methods, batches."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.contact_solutions import can_solve_points
from linkwork.dynamics.problem import pose_problem

JOINTS = ("Revolute", "Spherical", "Prismatic", "Universal", "Cylindrical", "Planar", "Helical", "Fixed")


def place(linkage, q, body, rng, friction, **options):
    """Constrain a random point of a body to a sphere through where it is."""
    point, n = rng.normal(scale=0.3, size=3), rng.normal(size=3)
    at = lw.body_poses(linkage, q)[linkage.bodies[body].name].apply(point)
    surface = lw.Sphere(at - 0.7 * n / np.linalg.norm(n), 0.7)
    linkage.constrain(linkage.bodies[body], point=point, surface=surface, friction=friction, **options)


def closed(joint, seed, *, contacts=1, friction=0.1):
    """A linkage of ten bodies with a loop and points that slide; its state, torques and wrenches."""
    rng = np.random.default_rng(seed)
    linkage, q = lw.samples.random_closed(10, joint=joint, loops=1, seed=seed)
    for k in range(contacts):
        place(linkage, q, 9 - 3 * k, rng, friction, name=f"point{k}")
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau, f_ext = rng.normal(size=linkage.nv + linkage.nv_loop), rng.normal(size=(linkage.nb, 6))
    return linkage, q, v, tau, f_ext


def check_bodies(linkage, q, v, f_ext, found):
    """Newton's and Euler's laws for each body, in world axes about the world's origin."""
    poses, twists = lw.body_poses(linkage, q), lw.body_velocities(linkage, q, v)
    accelerations = lw.body_accelerations(linkage, q, v, found.a)
    names = linkage.bodies.names
    force, moment = np.zeros((linkage.nb, 3)), np.zeros((linkage.nb, 3))

    def act(body, at, f, n, sign=1.0):
        if body is not None and body.name != "ground":
            k = names.index(body.name)
            force[k] += sign * f
            moment[k] += sign * (n + np.cross(at, f))

    for k, body in enumerate(linkage.bodies):
        R, p, wrench = poses.rotations[k], poses.positions[k], found.joint_wrenches[k]
        act(body, p, R @ wrench[:3], R @ wrench[3:])
        act(body.joint.parent, p, R @ wrench[:3], R @ wrench[3:], -1.0)
        act(body, p, f_ext[k, :3], f_ext[k, 3:])
        weight = body.inertia.mass * np.asarray(linkage.gravity)
        act(body, p + R @ np.asarray(body.inertia.com), weight, np.zeros(3))
    for loop, wrench in zip(linkage.loops, found.loop_wrenches, strict=True):
        where = (poses[loop.real.name] if loop.real.name != "ground" else lw.Pose()) @ loop.at_b
        f, n = where.rotation @ wrench[:3], where.rotation @ wrench[3:]
        act(loop.real, where.position, f, n)
        act(loop.parent, where.position, f, n, -1.0)
    for contact, f_n, friction in zip(linkage.contacts, found.normal_forces, found.friction_forces, strict=True):
        at = poses[contact.body.name].apply(contact.point)
        normal = contact.surface.local(at, 0.0).gradient
        act(contact.body, at, f_n * normal / np.linalg.norm(normal) + friction, np.zeros(3))
    for k, body in enumerate(linkage.bodies):
        R, p, w, alpha = poses.rotations[k], poses.positions[k], twists[k, 3:], accelerations[k, 3:]
        lever, I = R @ np.asarray(body.inertia.com), R @ np.asarray(body.inertia.matrix) @ R.T
        a = accelerations[k, :3] + np.cross(alpha, lever) + np.cross(w, np.cross(w, lever))
        spin = I @ alpha + np.cross(w, I @ w) + np.cross(p + lever, body.inertia.mass * a)
        scale = 1.0 + np.abs(force[k]).max() + np.abs(spin).max()
        np.testing.assert_allclose(force[k], body.inertia.mass * a, atol=1e-8 * scale)
        np.testing.assert_allclose(moment[k], spin, atol=1e-8 * scale)


def check_points(linkage, q, v, found):
    """Points stay on their surfaces, friction is Coulomb's."""
    for k, contact in enumerate(linkage.contacts):
        body, point = contact.body, contact.point
        at = contact.surface.local(lw.body_poses(linkage, q)[body.name].apply(point), 0.0)
        J = lw.jacobian(linkage, q, body, point)[:3]
        u, a = J @ v, J @ found.a + lw.jacobian_bias(linkage, q, v, body, point)[:3]
        assert abs(at.gradient @ a + u @ at.hessian @ u) < 1e-7 * (1 + np.abs(a).max()) * np.linalg.norm(at.gradient)
        n = at.gradient / np.linalg.norm(at.gradient)
        slip = u - (n @ u) * n
        f_n, friction = found.normal_forces[k], found.friction_forces[k]
        assert abs(friction @ n) < 1e-9 * (1.0 + abs(f_n))
        if found.contact_modes[k] == "slip":
            expected = -contact.friction * f_n * slip / np.linalg.norm(slip)
            np.testing.assert_allclose(friction, expected, atol=1e-8 * (1 + abs(f_n)))
        else:
            along = a - (n @ a) * n
            assert np.abs(along).max() < 1e-7 * (1.0 + np.abs(found.a).max())
            assert np.linalg.norm(friction) <= (contact.static_friction or contact.friction) * abs(f_n) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(len(JOINTS)))
@pytest.mark.parametrize("contacts", [1, 2])
def test_every_body_of_a_closed_linkage_obeys_newton(seed, contacts):
    linkage, q, v, tau, f_ext = closed(JOINTS[seed], seed, contacts=contacts)
    assert can_solve_points(pose_problem(linkage, q, v, tau, f_ext))
    found, dense = lw.solve(linkage, q, v, tau, f_ext), lw.solve(linkage, q, v, tau, f_ext, method="crba")
    check_bodies(linkage, q, v, f_ext, found)
    check_points(linkage, q, v, found)
    for name in ("a", "joint_wrenches", "loop_wrenches", "normal_forces", "friction_forces", "contact_gaps"):
        expected = getattr(dense, name)
        np.testing.assert_allclose(
            getattr(found, name), expected, atol=1e-7 * (1.0 + np.abs(expected).max(initial=0.0)), err_msg=name
        )
    for name in ("rank", "redundant", "redundant_loops", "contact_modes", "pulling", "redundant_contacts"):
        assert getattr(found, name) == getattr(dense, name), name
    assert found.residual <= 1e-9 * (1.0 + np.abs(found.a).max())


@pytest.mark.nojit
@pytest.mark.parametrize("still", [False, True])
def test_a_five_bar_whose_point_slides_or_sticks(still):
    """Redundant rows of the loop share their forces alike, whatever its point does."""
    linkage, point = lw.samples.five_bar(), (0.05, 0.0, 0.0)
    q, tip = linkage.neutral(), linkage.bodies.names[1]
    floor = lw.Plane((0, 0, 1), lw.body_poses(linkage, q)[tip].apply(point)[2])
    linkage.constrain(tip, point=point, surface=floor, friction=0.1, static_friction=2.0, name="floor")
    v = np.zeros(linkage.nv) if still else lw.consistent_velocity(linkage, q, [1.0, -0.5, 0.3, 0.2])
    tau, f_ext = np.array([0.3, -0.2, 0.5, 0.1]), np.random.default_rng(0).normal(size=(linkage.nb, 6))
    if still:
        f_ext[:] = 0.0
        tau[:] = 0.0
    found = lw.solve(linkage, q, v, tau, f_ext)
    dense = lw.solve(linkage, q, v, tau, f_ext, method="crba")
    assert found.contact_modes == dense.contact_modes == (("stick",) if still else ("slip",))
    assert (found.rank, found.redundant, found.redundant_loops) == (dense.rank, dense.redundant, dense.redundant_loops)
    assert found.redundant > 0
    np.testing.assert_allclose(found.loop_wrenches, dense.loop_wrenches, atol=1e-8)
    np.testing.assert_allclose(found.joint_wrenches, dense.joint_wrenches, atol=1e-8)
    check_bodies(linkage, q, v, f_ext, found)
    check_points(linkage, q, v, found)


@pytest.mark.nojit
def test_couplings_and_springs_beside_points():
    """A gear between hinges bears no wrench that a joint would feel; dense equations say the same of the rest."""
    linkage = lw.samples.chain(4)
    linkage.couplings.append(lw.Coupling("link2", of="link1", multiplier=-0.5))
    linkage.add_force(lw.Spring("ground", "link3", (0, 0, 1), (0, 0, -0.5), stiffness=30.0, damping=0.2))
    q = lw.close_loops(linkage, [0.4, 0.5, -0.2, 0.3])
    rng = np.random.default_rng(1)
    at = lw.body_poses(linkage, q)["link3"].apply((0, 0, -1))
    linkage.constrain(
        "link3", point=(0, 0, -1), surface=lw.Plane((0.2, 0, 1), np.array([0.2, 0, 1]) @ at / np.hypot(0.2, 1))
    )
    v = lw.consistent_velocity(linkage, q, rng.normal(size=4))
    found, dense = lw.solve(linkage, q, v, np.ones(4)), lw.solve(linkage, q, v, np.ones(4), method="crba")
    for name in ("a", "joint_wrenches", "normal_forces"):
        np.testing.assert_allclose(getattr(found, name), getattr(dense, name), atol=1e-8)
    assert (found.rank, found.redundant) == (dense.rank, dense.redundant) == (2, 0)


@pytest.mark.parametrize("joint", [None, "Revolute", "Spherical"])
def test_batches_are_the_states_one_by_one(joint):
    rng = np.random.default_rng(3)
    if joint is None:
        linkage = lw.samples.random_tree(8, seed=rng, base="free")
        q = linkage.random(rng)
        place(linkage, q, 7, rng, 0.3)
        v, tau, f_ext = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv)), None, None
    else:
        linkage, q, v, tau, f_ext = closed(joint, 5)
    rates = np.linspace(-2.0, 2.0, 6).reshape(2, 3, 1) * v  # the state in the middle rests: none of them does alike
    rates[1, 0] = 0.0
    many = lw.solve(linkage, q, rates, tau, f_ext)
    for state in np.ndindex(2, 3):
        alone = lw.solve(linkage, q, rates[state], tau, f_ext)
        for name in ("a", "joint_wrenches", "loop_wrenches", "normal_forces", "friction_forces", "contact_gaps"):
            np.testing.assert_array_equal(getattr(many, name)[state], getattr(alone, name), err_msg=name)
        assert tuple(many.contact_modes[state]) == alone.contact_modes
        for name in ("rank", "redundant", "residual", "indeterminate"):
            assert getattr(many, name)[state] == getattr(alone, name), name
        assert set(alone.pulling) <= set(many.pulling)
    assert lw.solve(linkage, np.empty((0, linkage.nq)), v).joint_wrenches.shape == (0, linkage.nb, 6)


def test_states_that_take_a_closer_look_are_part_of_a_batch():
    """Four legs of a table are redundant: Python answers for it, in a batch as alone."""
    linkage = lw.Linkage(name="table")
    linkage.add_body("table", lw.Inertia.box((1, 1, 0.1), mass=8.0), joint=lw.Free())
    for k, corner in enumerate([(0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 0), (0.5, -0.5, 0)]):
        linkage.constrain("table", point=corner, surface=lw.Plane("z"), name=f"leg{k}")
    found = lw.solve(linkage, linkage.neutral(), np.zeros((3, 6)))
    np.testing.assert_allclose(found.normal_forces, np.full((3, 4), 8 * 9.81 / 4), rtol=1e-12)
    assert found.redundant.tolist() == [1, 1, 1]
    assert found.redundant_contacts == ("leg0", "leg1", "leg2", "leg3")


def test_errors_name_their_state():
    linkage = lw.samples.chain(2)
    linkage.constrain("link1", point=(0, 0, -1), surface=lw.Plane("z", -2.0), name="floor")
    q = np.array([[0.1, 0.2], [0.0, 0.0]])
    with pytest.raises(lw.SingularError, match=r"state \[?1\]?.*'floor' is singular|1.*'floor'"):
        lw.solve(linkage, q, np.zeros(2))
