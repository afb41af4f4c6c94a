"""Derivatives against differences, eigenvalues against closed forms, poses at rest, inverse kinematics.

Differences are extrapolated from three steps: what is left of them is some 1e-9 of the largest entry.
"""

import warnings
from decimal import Decimal, localcontext
from functools import partial

import numpy as np
import pytest
from scipy.linalg import solve_continuous_are

import linkwork as lw
from linkwork.samples.closed import random_closed
from linkwork.samples.open import random_tree

NEAR = 1e-8


def differences(function, n, h=3e-4):
    """The derivative of a function of n small steps, by central differences, twice extrapolated."""

    def central(h):
        return np.array([(function(h * e) - function(-h * e)) / (2 * h) for e in np.eye(n)]).T

    coarse, middle, fine = central(h), central(h / 2), central(h / 4)
    first, second = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    return (16 * second - first) / 15


def close(ours, theirs, tolerance=NEAR):
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= tolerance * max(np.abs(theirs).max(), 1e-3)


def loaded_tree(seed):
    """A tree of every kind of joint with springs, dry friction and damping, a state, and forces on all bodies."""
    linkage = random_tree(8, seed=seed, damping=True)
    names = [body.name for body in linkage.bodies]
    linkage.add_force(lw.Spring("ground", names[-1], (0.1, 0.2, 0.3), (0.3, -0.1, 0.2), 100.0, 5.0, 0.4))
    linkage.add_force(lw.Spring(names[2], names[-2], (0.1, -0.2, 0.3), (0.3, 0.1, 0.2), 50.0, 3.0, 0.4))
    for joint in linkage.joints:
        if joint.nv == 1:
            linkage.add_force(lw.JointSpring(joint.name, 7.0, 0.2))
            linkage.add_force(lw.JointFriction(joint.name, 2.0))
    rng = np.random.default_rng(seed)
    q, v, x = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    return linkage, q, v, x, rng.normal(size=(linkage.nb, 6))


@pytest.mark.parametrize("seed", range(8))
def test_trees_with_every_force(seed):
    linkage, q, v, x, f_ext = loaded_tree(seed)
    nv = linkage.nv
    dq, dv = lw.inverse_dynamics_derivatives(linkage, q, v, x, f_ext)
    close(dq, differences(lambda d: lw.inverse_dynamics(linkage, linkage.integrate(q, d), v, x, f_ext), nv))
    close(dv, differences(lambda d: lw.inverse_dynamics(linkage, q, v + d, x, f_ext), nv))
    dq, dv, dtau = lw.forward_dynamics_derivatives(linkage, q, v, x, f_ext)
    close(dq, differences(lambda d: lw.forward_dynamics(linkage, linkage.integrate(q, d), v, x, f_ext), nv))
    close(dv, differences(lambda d: lw.forward_dynamics(linkage, q, v + d, x, f_ext), nv))
    close(dtau, np.linalg.inv(lw.mass_matrix(linkage, q)), 1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_products_are_those_of_the_matrices(seed):
    linkage, q, v, tau, f_ext = loaded_tree(seed)
    a_bar = np.random.default_rng(seed).normal(size=linkage.nv)
    for forces in (f_ext, None):
        products = lw.forward_dynamics_vjp(linkage, q, v, tau, a_bar, forces)
        for product, matrix in zip(products, lw.forward_dynamics_derivatives(linkage, q, v, tau, forces), strict=True):
            close(product, a_bar @ matrix, 1e-11)


def test_results_go_where_they_are_asked_for():
    arm, rng = lw.samples.chain(5), np.random.default_rng(3)
    q, v, x = rng.normal(size=(3, 5))
    for call, n in ((lw.inverse_dynamics_derivatives, 2), (lw.forward_dynamics_derivatives, 3)):
        for _ in range(2):  # the first call binds what the second takes
            out = tuple(np.full((n, 5, 5), np.nan))
            found = call(arm, q, v, x, out=out)
            assert all(a is b for a, b in zip(found, out, strict=True))
            assert all((a == b).all() for a, b in zip(out, call(arm, q, v, x), strict=True))
        for wrong in (np.empty((n, 4, 4)), np.empty((n, 5, 5), dtype=np.float32), np.empty((n, 5, 10))[..., ::2]):
            with pytest.raises(lw.ArgumentError, match="out must be a writeable"):
                call(arm, q, v, x, out=tuple(wrong))
        with pytest.raises(lw.ArgumentError, match=f"out must be {n} arrays"):
            call(arm, q, v, x, out=tuple(np.empty((n + 1, 5, 5))))


def test_a_batch_is_its_states():
    linkage, q, v, x, f_ext = loaded_tree(3)
    rng = np.random.default_rng(0)
    qs = np.array([linkage.random(rng) for _ in range(19)])
    for forces in (None, f_ext):
        whole = lw.inverse_dynamics_derivatives(linkage, qs, v, x, forces)
        whole += lw.forward_dynamics_derivatives(linkage, qs, v, x, forces)
        whole += lw.forward_dynamics_vjp(linkage, qs, v, x, v, forces)
        for k, one in enumerate(qs):
            alone = lw.inverse_dynamics_derivatives(linkage, one, v, x, forces)
            alone += lw.forward_dynamics_derivatives(linkage, one, v, x, forces)
            alone += lw.forward_dynamics_vjp(linkage, one, v, x, v, forces)
            for matrix, own in zip(whole, alone, strict=True):
                close(matrix[k], own, 1e-10)
    plain = random_tree(8, seed=1)  # without forces one state goes another way
    q, v = plain.random(rng), rng.normal(size=plain.nv)
    for call in (lw.inverse_dynamics_derivatives, lw.forward_dynamics_derivatives):
        first, again, pair = call(plain, q, v, v), call(plain, q, v, v), call(plain, np.array([q, q]), v, v)
        for x, y, both in zip(first, again, pair, strict=True):
            np.testing.assert_array_equal(x, y)
            close(both[1], x, 1e-11)


@pytest.mark.parametrize(
    "kind",
    ["Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Gimbal"],
)
def test_loops_of_every_kind(kind):
    for seed in range(1, 12):
        linkage, q = random_closed(7, joint=kind, loops=1, seed=seed, damping=True)
        if not np.any(lw.solve(linkage, q, np.zeros(linkage.nv)).redundant):
            break
    rng = np.random.default_rng(seed)
    nv = linkage.nv
    v, tau = lw.consistent_velocity(linkage, q, rng.normal(size=nv)), rng.normal(size=nv + linkage.nv_loop)
    f_ext = rng.normal(size=(linkage.nb, 6))

    def forward(q, v, tau):
        return lw.forward_dynamics(linkage, q, v, tau, f_ext, method="crba")

    dq, dv, dtau = lw.forward_dynamics_derivatives(linkage, q, v, tau, f_ext)
    close(dq, differences(lambda d: forward(linkage.integrate(q, d), v, tau), nv))
    close(dv, differences(lambda d: forward(q, v + d, tau), nv))
    close(dtau, differences(lambda d: forward(q, v, tau + d), len(tau)))
    products = lw.forward_dynamics_vjp(linkage, q, v, tau, v, f_ext)
    for product, matrix in zip(products, (dq, dv, dtau), strict=True):
        close(product, v @ matrix, 1e-12)


def test_a_coupling():
    linkage = lw.samples.chain(4)
    names = linkage.joints.names
    linkage.couplings.append(lw.Coupling(names[3], names[1], 0.7, 0.1, higher=(0.3, -0.2)))
    rng = np.random.default_rng(5)
    q = lw.close_loops(linkage, linkage.random(rng))
    v, tau = lw.consistent_velocity(linkage, q, rng.normal(size=4)), rng.normal(size=4)
    dq, dv, dtau = lw.forward_dynamics_derivatives(linkage, q, v, tau)
    close(dq, differences(lambda d: lw.forward_dynamics(linkage, linkage.integrate(q, d), v, tau, method="crba"), 4))
    close(dv, differences(lambda d: lw.forward_dynamics(linkage, q, v + d, tau, method="crba"), 4))
    for product, matrix in zip(lw.forward_dynamics_vjp(linkage, q, v, tau, v), (dq, dv, dtau), strict=True):
        close(product, v @ matrix, 1e-12)


# Closed forms: MATHS of hanging chains


def hanging(n, *, rods=False):
    """n beads on massless links of 1 m and 1 kg each, or n rods."""
    linkage = lw.Linkage(name="hanging")
    for k in range(n):
        rod = lw.Inertia(1.0, (0, 0, -0.5), np.diag([1 / 12, 1 / 12, 1e-9]))
        inertia = rod if rods else lw.Inertia.point(1.0, (0, 0, -1))
        parent, at = ("ground", lw.Pose()) if k == 0 else (f"link{k - 1}", lw.Pose((0, 0, -1)))
        linkage.add_body(f"link{k}", inertia, joint=lw.Revolute("y"), parent=parent, at=at)
    return linkage


def squared_frequencies(linkage, q):
    return np.sort(np.abs(lw.linearize(linkage, q).eigenvalues.imag) ** 2)[::2]


def test_beads_swing_at_the_zeros_of_laguerre_polynomials():
    for n in (1, 2, 3, 6):
        zeros = np.polynomial.laguerre.lagroots([0] * n + [1])
        np.testing.assert_allclose(squared_frequencies(hanging(n), np.zeros(n)), 9.81 * zeros, rtol=1e-10)


def test_two_hundred_beads_swing_nearly_as_a_rope():
    """ω √(L/g) of the slowest mode, √(N x) with the least zero x of L_N, to fifty digits; that of a rope is j₀/2."""

    def laguerre(n, x):
        before, value = Decimal(1), 1 - x
        for k in range(1, n):
            before, value = value, ((2 * k + 1 - x) * value - k * before) / (k + 1)
        return value, n * (value - before) / x

    n = 200
    with localcontext(prec=50):
        x = Decimal("5.783") / (4 * n + 2)
        for _ in range(12):
            value, slope = laguerre(n, x)
            x -= value / slope
        expected = float((n * x).sqrt())
    assert abs(expected - 1.200913752426) < 5e-13
    slowest = np.sqrt(squared_frequencies(hanging(n), np.zeros(n))[0] * n / 9.81)
    np.testing.assert_allclose(
        slowest, expected, rtol=1e-11
    )  # the fastest mode is 2e5 times as stiff: 1e5 rounding errors
    assert 1e-3 < 1.202412778848 - slowest < 2e-3


def test_rods_swing_as_computed_by_hand():
    exact = 9.81 * (3 - 6 / np.sqrt(7)), 9.81 * (3 + 6 / np.sqrt(7))
    np.testing.assert_allclose(squared_frequencies(hanging(2, rods=True), np.zeros(2)), exact, rtol=1e-12)
    expected = [4.757143174144, 29.43, 105.039395287394]
    np.testing.assert_allclose(squared_frequencies(hanging(3, rods=True), np.zeros(3)), expected, rtol=1e-11)


def test_an_upright_pendulum_falls_as_fast_as_it_should():
    pendulum = hanging(2)
    with pytest.warns(lw.LinkworkWarning, match="does not stay"):
        q = lw.equilibrium(pendulum, [np.pi - 0.02, 0.01])
    np.testing.assert_allclose(np.abs(q[0]), np.pi, atol=1e-9)
    found = lw.linearize(pendulum, q)
    expected = [5.787351298036, 2.397199397864, -2.397199397864, -5.787351298036]
    np.testing.assert_allclose(found.eigenvalues.real, expected, rtol=1e-10)
    A, modes = found.A, found.modes
    for value, mode in zip(found.eigenvalues, modes.T, strict=True):  # δÿ = A21 δy of a mode is λ² δy
        np.testing.assert_allclose(A[2:, :2] @ mode, value**2 * mode, atol=1e-9)


def sprung_four_bar():
    linkage = lw.samples.four_bar()
    linkage.add_force(lw.JointSpring("crank", 20.0, 0.3))
    linkage.add_force(lw.Spring("ground", "coupler", (-0.5, 0, 0.5), (0.5, 0, 0), 100.0, 5.0, 0.5))
    return linkage


def test_a_sprung_four_bar_at_rest():
    linkage = sprung_four_bar()
    q = lw.equilibrium(linkage, lw.close_loops(linkage, linkage.neutral()))
    np.testing.assert_allclose(q, [-0.610300472156, 0.678768971755, -0.322632102767], atol=1e-11)
    assert np.abs(lw.forward_dynamics(linkage, q, np.zeros(3))).max() < 1e-9
    found = lw.linearize(linkage, q, independent=["crank"])
    np.testing.assert_allclose(found.A[1], [-130.756484309, -3.573630255], rtol=1e-9)
    pair = np.array([-1.786815128 + 11.294413487j, -1.786815128 - 11.294413487j])
    np.testing.assert_allclose(found.eigenvalues, pair, rtol=1e-9)


def test_a_sprung_stewart_platform():
    linkage = lw.samples.stewart()
    for joint in linkage.joints:
        if isinstance(joint.type, lw.Prismatic):
            linkage.add_force(lw.JointSpring(joint.name, 5000.0, 0.0))
    q = lw.equilibrium(linkage, lw.close_loops(linkage, linkage.neutral()))
    sag = [q[joint.q_slice][0] for joint in linkage.joints if isinstance(joint.type, lw.Prismatic)]
    np.testing.assert_allclose(sag, -0.006389873394, atol=6e-13)
    found = np.sort(np.abs(lw.linearize(linkage, q).eigenvalues.imag))[::2]
    expected = [16.674782331, 16.674782331, 29.364595038, 36.163130695, 44.435986763, 44.435986763]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_the_best_feedback_of_a_cart_pole():
    cart = lw.Linkage(name="cart-pole")
    cart.add_body("cart", lw.Inertia.box((0.3, 0.2, 0.1), mass=1.0), joint=lw.Prismatic("x"))
    cart.add_body("pole", lw.Inertia.point(0.1, (0, 0, 0.5)), joint=lw.Revolute("y"), parent="cart")
    near = lw.linearize(cart, np.zeros(2))
    B = near.B[:, :1]
    gain = B.T @ solve_continuous_are(near.A, B, np.eye(4), np.eye(1))
    np.testing.assert_allclose(gain[0], [-1, -30.309060298, -2.231415960, -6.688773590], atol=6e-10)


def test_a_spinning_free_body_linearized():
    """About a steady spin the small motions of a free body turn with it: differences of the motion itself."""
    box = lw.Linkage(name="box", gravity=(0, 0, 0))
    box.add_body("box", lw.Inertia.box((0.3, 0.2, 0.1), mass=2.0), joint=lw.Free())
    q, v = box.neutral(), np.array([0.1, -0.2, 0.3, 0.4, 0.5, -0.6])
    A = lw.linearize(box, q, v).A
    h, e = 1e-3, 1e-5

    def motion(step):
        simulation = lw.Simulation(box, box.integrate(q, step[:6]), v + step[6:], dt=h / 4)
        simulation.run(h, progress=False)
        return simulation.q.copy(), simulation.v.copy()

    here = motion(np.zeros(12))
    columns = []
    for k in range(12):
        ahead = motion(e * np.eye(12)[k])
        columns.append(np.concatenate([box.difference(here[0], ahead[0]), ahead[1] - here[1]]) / e)
    expected = np.eye(12) + h * A + h * h / 2 * A @ A  # to second order, were A constant along the motion
    np.testing.assert_allclose(np.array(columns).T, expected, atol=2e-6)


# Parameters


def test_torques_are_the_regressor_times_the_parameters():
    linkage, q, v, a, _ = loaded_tree(4)
    for force in list(linkage.forces):
        linkage.remove_force(force)
    columns = linkage.columns
    tau = np.einsum("vbp,bp->v", lw.inertial_regressor(linkage, q, v, a), lw.inertial_parameters(linkage))
    tau += columns.armature * a + columns.damping * v
    np.testing.assert_allclose(tau, lw.inverse_dynamics(linkage, q, v, a), rtol=1e-11, atol=1e-11)
    pair = lw.inertial_regressor(linkage, np.array([q, q]), v, a)
    np.testing.assert_array_equal(pair[0], pair[1])


@pytest.mark.parametrize("mode", [None, "slides", "sticks"])
@pytest.mark.parametrize("closed", [False, True])
def test_parameters_against_differences(closed, mode):
    """Mass of one body, all else of its parameters kept; and the place of its joint. Also with a point on a sphere."""
    rng = np.random.default_rng(2)
    if closed:
        linkage, q = random_closed(5, joint="Spherical", loops=1, seed=2, damping=True)
        v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    else:
        linkage, q, v, _, _ = loaded_tree(1)
    tau, f_ext, h = rng.normal(size=linkage.nv), rng.normal(size=(linkage.nb, 6)), 2e-4
    last, point = linkage.bodies[-1].name, np.array([0.1, -0.2, 0.3])

    def rub(other):
        """Put a point on a sphere that it touches in this pose."""
        if mode is not None:
            static = 50.0 if mode == "sticks" else None  # more than is ever asked for here
            other.constrain(last, surface=sphere, point=point, friction=0.2, static_friction=static, name="tip")

    centre = np.array([0.3, 0.2, -0.4])
    sphere = lw.Sphere(centre, np.linalg.norm(lw.body_poses(linkage, q)[last].apply([point])[0] - centre))
    rub(linkage)
    v = lw.consistent_velocity(linkage, q, 0.0 * v if mode == "sticks" else v)
    found = lw.parameter_derivatives(linkage, q, v, tau, f_ext)

    def forward(other):
        return lw.forward_dynamics(other, q, v, tau, f_ext, method="crba")

    def slope(function):
        """By differences of fourth order."""
        return (8.0 * (function(h) - function(-h)) - (function(2 * h) - function(-2 * h))) / (12 * h)

    def heavier(by):
        other = linkage.copy()
        body = other.bodies[2]
        old = body.inertia
        mass = old.mass + by
        com = old.mass * old.com / mass
        moments = old.matrix + _about_origin(old.mass, old.com) - _about_origin(mass, com)
        body.inertia = lw.Inertia(mass, com, moments)
        return forward(other)

    close(found.inertia[:, 2, 0], slope(heavier), 1e-7)

    def moved(k, by):
        other = lw.Linkage(name="moved", gravity=linkage.gravity)
        step = np.zeros(6)
        step[k] = by
        step = lw.Pose(step[:3]) @ lw.Pose.axis_angle(np.eye(3)[k % 3], by if k >= 3 else 0.0)
        for body in linkage.bodies:
            joint = linkage.joints[body.index]
            parent = "ground" if joint.parent.index < 0 else joint.parent.name
            at = joint.at @ step if body.index == 2 else joint.at
            other.add_body(body.name, body.inertia, joint=joint.type, parent=parent, at=at, joint_name=joint.name)
        for force in linkage.forces:
            other.add_force(force)
        for loop in linkage.loops:
            ends = [end.name if end.index >= 0 else "ground" for end in (loop.parent, loop.child)]
            other.connect(*ends, loop.type, at_a=loop.at_a, at_b=loop.at_b, name=loop.name)
        rub(other)
        return forward(other)

    columns = [slope(partial(moved, k)) for k in range(6)]
    close(found.at[:, 2], np.array(columns).T, 1e-7)


def _about_origin(mass, com):
    return mass * (com @ com * np.eye(3) - np.outer(com, com))


# Inverse kinematics


def test_an_arm_reaches_for_poses_and_points():
    arm = random_tree(7, seed=11)
    rng = np.random.default_rng(2)
    names = [arm.bodies[-1].name, arm.bodies[3].name]
    q = np.array([arm.random(rng) for _ in range(20)])
    poses = [lw.body_poses(arm, one) for one in q]
    start = np.array([arm.integrate(one, 0.2 * rng.normal(size=arm.nv)) for one in q])
    matrices = np.tile(np.eye(4), (20, 1, 1))
    matrices[:, :3, :3] = [p[names[0]].rotation for p in poses]
    matrices[:, :3, 3] = [p[names[0]].position for p in poses]
    points = np.array([p[names[1]].position for p in poses])
    found = lw.inverse_kinematics(arm, {names[0]: matrices, names[1]: points}, start, limits=False, restarts=0)
    assert found.converged.all()
    for one, matrix, point in zip(found.q, matrices, points, strict=True):
        reached = lw.body_poses(arm, one)
        np.testing.assert_allclose(reached[names[0]].position, matrix[:3, 3], atol=1e-9)
        np.testing.assert_allclose(reached[names[0]].rotation, matrix[:3, :3], atol=1e-9)
        np.testing.assert_allclose(reached[names[1]].position, point, atol=1e-9)


def test_a_stewart_platform_reaches_in_four_rounds_with_closed_loops():
    linkage = lw.samples.stewart()
    q = lw.close_loops(linkage, linkage.neutral())
    wanted = lw.Pose((0.05, 0.03, 0.0)) @ lw.body_poses(linkage, q)["platform"] @ lw.Pose.rpy(0.1, 0.05, -0.1)
    found = lw.inverse_kinematics(linkage, {"platform": wanted}, q)
    assert found.converged
    assert found.residual < 1e-12
    assert found.rounds <= 4
    np.testing.assert_allclose(lw.close_loops(linkage, found.q), found.q, atol=1e-12)


def test_limits_and_held_joints_are_kept():
    arm = lw.Linkage(name="arm")
    for k in range(4):
        joint = lw.Revolute("y" if k % 2 else "z", limits=(-0.6, 0.6))
        parent, at = ("ground", lw.Pose()) if k == 0 else (f"link{k - 1}", lw.Pose((0.5, 0, 0)))
        arm.add_body(f"link{k}", lw.Inertia.box((0.5, 0.05, 0.05), mass=1.0), joint=joint, parent=parent, at=at)
    arm.add_frame("tip", "link3", lw.Pose((0.5, 0, 0)))
    rng = np.random.default_rng(0)
    reachable = np.array([lw.body_poses(arm, q)["tip"].position for q in rng.uniform(-0.6, 0.6, size=(30, 4))])
    found = lw.inverse_kinematics(arm, {"tip": reachable}, np.zeros(4))
    assert found.converged.all()
    assert np.abs(found.q).max() <= 0.6
    held = lw.inverse_kinematics(arm, {"tip": reachable[0]}, np.array([0.1, 0.0, 0.2, 0.0]), hold=["link0"], restarts=3)
    assert held.q[0] == 0.1
    far = lw.inverse_kinematics(arm, {"tip": (5.0, 0.0, 0.0)}, np.zeros(4), restarts=2)
    assert not far.converged
    assert np.isclose(far.residual, 3.0, atol=1e-6)  # stretched out


def test_mistakes_are_told():
    arm = lw.samples.chain(3)
    tip = arm.bodies[-1].name
    cases = [
        (lambda: lw.inverse_kinematics(arm, {}, np.zeros(3)), "no target"),
        (lambda: lw.inverse_kinematics(arm, {tip: np.zeros(5)}, np.zeros(3)), "shape"),
        (lambda: lw.inverse_kinematics(arm, {tip: (np.nan, 0, 0)}, np.zeros(3)), "not finite"),
        (lambda: lw.inverse_kinematics(arm, {"tup": (0, 0, 0)}, np.zeros(3)), "tup"),
        (lambda: lw.inverse_kinematics(arm, {tip: "there"}, np.zeros(3)), "must be a Pose"),
        (lambda: lw.inverse_dynamics_derivatives(arm, *np.zeros((3, 3)), out=(np.zeros((3, 3)),)), "2 arrays"),
        (lambda: lw.inverse_dynamics_derivatives(arm, np.zeros(2), np.zeros(3), np.zeros(3)), "shape"),
        (lambda: lw.forward_dynamics_derivatives(arm, np.full(3, np.nan), np.zeros(3)), "finite"),
        (lambda: lw.forward_dynamics_vjp(arm, np.zeros(3), np.zeros(3), None, np.zeros(4)), "a_bar"),
        (lambda: lw.linearize(arm, np.zeros(3), independent=["x"]), "coordinate"),
    ]
    for call, match in cases:
        with pytest.raises(lw.LinkworkError, match=match):
            call()
    held = arm.copy()
    held.constrain(tip, point=(0, 0, 0), surface=lw.Plane((0, 0, 1), 0.0))
    with pytest.raises(lw.SingularError, match="no joint moves its point along the normal"):
        lw.parameter_derivatives(held, np.zeros(3), np.zeros(3))
    pushed = lw.Linkage(name="cart", gravity=(0, 0, 0))
    pushed.add_body("cart", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Prismatic("x"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(lw.SingularError, match="no pose at rest"):
            lw.equilibrium(pushed, [0.0], [1.0])
