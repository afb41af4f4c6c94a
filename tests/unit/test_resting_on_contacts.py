"""Poses at rest with points on surfaces and with shapes that touch: closed forms, least energy, motion from them."""

import warnings

import numpy as np
import pytest
from scipy.optimize import minimize

import linkwork as lw


def stays(linkage, q, seconds=0.2):
    """How far a linkage moves when it is let go at a pose, by time stepping."""
    sim = lw.Simulation(linkage, q, np.zeros(linkage.nv), dt=1e-3, contacts="time-stepping")
    sim.run(seconds, progress=False)
    return np.abs(linkage.difference(q, sim.q)).max()


def free_body(shape, friction, inertia=None):
    """A body that shapes of the ground may hold."""
    linkage = lw.Linkage(name="free")
    linkage.add_body("body", inertia or lw.Inertia.sphere(0.1, mass=1.3), joint=lw.Free())
    linkage.add_shape("body", shape, friction=friction, name="skin")
    return linkage


def ladder(mu):
    """A rod of length 1 whose foot rubs on the floor and whose head leans on a smooth wall."""
    linkage = lw.Linkage(name="ladder")
    linkage.add_body("rod", lw.Inertia.rod(1.0, mass=2.0), joint=lw.Planar("y"))
    linkage.add_shape("rod", lw.Point(), at=lw.Pose((0, 0, -0.5)), friction=mu, name="foot")
    linkage.add_shape("rod", lw.Point(), at=lw.Pose((0, 0, 0.5)), friction=0.0, name="head")
    linkage.add_shape("ground", lw.Plane((0, 0, 1), 0.0), friction=1.0, name="floor")
    linkage.add_shape("ground", lw.Plane((1, 0, 0), 0.0), friction=0.0, name="wall")
    for pair in (("foot", "floor"), ("head", "wall"), ("head", "floor")):
        linkage.meet(*pair)
    return linkage


def test_a_box_comes_down_and_lies_flat():
    box = free_body(lw.Box((0.2, 0.3, 0.4)), 0.5, lw.Inertia.box((0.2, 0.3, 0.4), mass=2.0))
    box.add_shape("ground", lw.Plane((0, 0, 1), 0.0), friction=1.0, name="floor")
    q = box.neutral()
    q[2] = 0.5
    assert np.allclose(lw.equilibrium(box, q), [0, 0, 0.2, 0, 0, 0, 1], atol=1e-10)
    rest = lw.equilibrium(box, box.integrate(q, [0, 0, 0, 0.2, 0.1, 0.3]))
    assert abs(rest[2] - 0.2) < 1e-10
    assert np.abs(lw.body_poses(box, rest)["body"].rotation[2] - [0, 0, 1]).max() < 1e-9
    assert stays(box, rest) < 1e-9


def test_a_smooth_ball_lies_in_the_v():
    ball = free_body(lw.Ball(0.1), 0.0)
    for k, normal in enumerate(((1, 0, 1), (-1, 0, 2))):
        ball.add_shape("ground", lw.Plane(normal, 0.0), friction=0.0, name=f"side{k}")
    q = ball.neutral()
    q[:3] = 0.3, 0.1, 0.5
    rest = lw.equilibrium(ball, q)
    sides = np.array([[1, 1], [-1, 2]]) / np.sqrt([[2], [5]])
    assert np.abs(sides @ rest[[0, 2]] - 0.1).max() < 1e-11  # both sides at its radius
    assert np.allclose(rest[[1, 3, 4, 5, 6]], [0.1, 0, 0, 0, 1], atol=1e-9)  # neither along the groove nor turned


@pytest.mark.parametrize("mu", [0.2, 0.45])
def test_a_ladder_holds_up_to_its_angle_of_friction(mu):
    linkage, limit = ladder(mu), np.arctan(2.0 * mu)  # tan θ = 2 μ: the moments of weight and friction about the head

    def leaning(angle):
        return np.array([0.5 * np.cos(angle), 0.5 * np.sin(angle), -angle])

    for angle in (0.5 * limit, 0.999 * limit):
        assert np.abs(lw.equilibrium(linkage, leaning(angle)) - leaning(angle)).max() < 1e-9
    fallen = lw.equilibrium(linkage, leaning(1.05 * limit))
    assert np.allclose(fallen[[0, 2]], [0.0, -np.pi / 2], atol=1e-8)


def test_a_block_on_a_slope():
    for slope, mu in ((0.3, 0.35), (0.3, 0.28)):
        block = free_body(lw.Box((0.4, 0.4, 0.1)), mu, lw.Inertia.box((0.4, 0.4, 0.1), mass=1.0))
        block.add_shape("ground", lw.Plane((np.sin(slope), 0, np.cos(slope)), 0.0), friction=1.0, name="slope")
        q = block.integrate(block.neutral(), [0, 0, 0, 0, slope, 0])
        q = block.integrate(q, [0, 0, 0.05, 0, 0, 0])
        if np.tan(slope) < mu:
            assert np.abs(block.difference(q, lw.equilibrium(block, q))).max() < 1e-9
        else:
            with pytest.raises(lw.SingularError, match="no pose at rest"):
                lw.equilibrium(block, q)


def test_without_friction_it_is_the_least_energy():
    chain = lw.samples.chain(3)
    chain.add_shape("link2", lw.Ball(0.05), at=lw.Pose((0, 0, -1)), friction=0.0, name="tip")
    chain.add_shape("ground", lw.Plane((0.3, 0, 1), -2.6), friction=0.0, name="floor")
    rest = lw.equilibrium(chain, [0.5, 0.1, -0.2])
    n = np.array([0.3, 0, 1]) / np.hypot(0.3, 1)

    def gap(q):
        return n @ lw.body_poses(chain, q)["link2"].apply((0, 0, -1)) + 2.6 - 0.05

    assert abs(gap(rest)) < 1e-10
    flat = {"type": "ineq", "fun": gap}
    found = minimize(lambda q: lw.potential_energy(chain, q), rest + 0.05, constraints=[flat], method="SLSQP",
                     options={"ftol": 1e-15, "maxiter": 500})  # fmt: skip
    assert np.abs(found.x - rest).max() < 1e-6
    assert lw.potential_energy(chain, rest) <= found.fun + 1e-10


def test_a_figure_stands():
    figure = lw.samples.human(dof=40)
    lw.samples.on_mat(figure)
    q = lw.samples.crouch(figure, 0.3)[2]
    q[2] += 0.01
    joints = [joint.name for joint in figure.joints if not isinstance(joint.type, lw.Free)]
    rest = lw.equilibrium(figure, q, hold=joints)
    fallen = figure.difference(q, rest)
    assert np.abs(fallen[6:]).max() < 1e-15  # joints are held
    soles = lw.equilibrium(figure, rest, hold=joints)
    assert np.abs(figure.difference(rest, soles)).max() < 1e-9
    assert fallen[2] < 0.0
    down = lw.body_poses(figure, q).positions - lw.body_poses(figure, rest).positions  # its soles were level
    assert np.abs(down - down[0]).max() < 1e-8


def test_what_is_not_stable_is_told():
    ball = free_body(lw.Ball(0.1), 0.0)
    ball.add_shape("ground", lw.Sphere((0, 0, 0), 1.0), friction=0.0, name="dome")
    q = ball.neutral()
    q[2] = 1.1
    with pytest.warns(lw.LinkworkWarning, match="does not stay"):
        assert np.abs(lw.equilibrium(ball, q) - q).max() < 1e-12


def test_belts_are_no_place_to_rest():
    ball = free_body(lw.Ball(0.1), 0.5)
    ball.add_shape("ground", lw.Plane((0, 0, 1), 0.0).sliding((1, 0, 0)), friction=1.0, name="belt")
    q = ball.neutral()
    q[2] = 0.1
    with pytest.raises(lw.StructureError, match=r"'belt' moves"):
        lw.equilibrium(ball, q)
    arm = lw.samples.chain(3)
    arm.constrain(
        "link2", point=(0, 0, -1), surface=lw.Plane((0, 0, 1), -2.5).sliding((1, 0, 0)), friction=0.2, name="belt"
    )
    with pytest.raises(lw.StructureError, match="'belt' moves"):
        lw.equilibrium(arm, [0.5, 0.2, 0.1])


def test_a_point_without_friction_finds_its_place():
    arm = lw.samples.chain(3)
    arm.constrain("link2", point=(0, 0, -1), surface=lw.Sphere((0.5, 0, -3.0), 0.8), friction=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)  # that it may not stay
        rest = lw.equilibrium(arm, lw.close_loops(arm, [0.5, -0.4, 0.3]))
    assert np.abs(lw.close_loops(arm, rest) - rest).max() < 1e-12
    assert np.abs(lw.forward_dynamics(arm, rest, np.zeros(3))).max() < 1e-9


def test_a_point_with_friction_stays_where_it_is():
    for surface, start in ((lw.Plane((0, 0, 1), -2.7), [0.5, 0.2, 0.1]), (lw.Sphere((0, 0, -4), 1.3), [0.2, 0.4, 0.2])):
        arm = lw.samples.chain(3)
        arm.constrain("link2", point=(0, 0, -1), surface=surface, friction=2.0)
        q = lw.close_loops(arm, start)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lw.LinkworkWarning)
            rest = lw.equilibrium(arm, q)
        before, after = (lw.body_poses(arm, x)["link2"].apply((0, 0, -1)) for x in (q, rest))
        assert np.abs(after - before).max() < 1e-11
        assert np.abs(rest - q).max() > 1e-3  # while the joints between give way
        assert np.abs(lw.forward_dynamics(arm, rest, np.zeros(3))).max() < 1e-9
        arm = lw.samples.chain(3)
        arm.constrain("link2", point=(0, 0, -1), surface=surface, friction=1e-3, name="slippery")
        with pytest.raises(lw.SingularError, match="'slippery' would slide"):
            lw.equilibrium(arm, q)


def test_loops_and_points_together():
    """A five-bar with its tip on a rail: two degrees of freedom less one."""
    linkage = lw.samples.five_bar()
    q = lw.close_loops(linkage, linkage.neutral())
    place = lw.body_poses(linkage, q)["left_arm"].apply((0.9, 0, 0))
    normal = np.array([0.6, 0, 0.8])
    linkage.constrain("left_arm", point=(0.9, 0, 0), surface=lw.Plane(normal, float(normal @ place)), name="rail")
    q = lw.close_loops(linkage, q)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        rest = lw.equilibrium(linkage, q)
    assert np.abs(lw.close_loops(linkage, rest) - rest).max() < 1e-11
    assert np.abs(lw.forward_dynamics(linkage, rest, np.zeros(linkage.nv))).max() < 1e-7


def test_a_pose_at_rest_is_found_from_itself():
    """Only forces are to be found: the first step moves nothing."""
    linkage = lw.Linkage(name="hung")
    linkage.add_body("box", lw.Inertia.box((0.2, 0.2, 0.2), mass=1.0), joint=lw.Free())
    linkage.constrain("box", point=(0, 0, 0.1), surface=lw.Plane("z", 0.1), friction=0.1, name="nail")
    np.testing.assert_allclose(lw.equilibrium(linkage, linkage.neutral()), linkage.neutral(), rtol=0, atol=1e-12)


def test_joints_that_are_held_stay():
    def box():
        linkage = lw.Linkage(name="box")
        linkage.add_body("box", lw.Inertia.box((0.2, 0.3, 0.4), mass=2.0), joint=lw.Free())
        linkage.add_shape("box", lw.Box((0.2, 0.3, 0.4)), name="sides")
        linkage.add_shape("ground", lw.Plane("z"), name="floor")
        return linkage

    above, below = (box().integrate(box().neutral(), [0, 0, z, 0, 0, 0]) for z in (0.5, 0.1))
    assert (lw.equilibrium(box(), above, hold="box") == above).all()
    with pytest.raises(lw.SingularError, match=r"shapes are 0\.1 m in each other"):
        lw.equilibrium(box(), below, hold="box")
