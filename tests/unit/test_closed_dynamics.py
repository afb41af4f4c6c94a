"""Forward dynamics of closed linkages against a dense KKT system built from public Jacobians alone."""

import numpy as np
import pytest

import linkwork as lw

TYPES = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical")


def loop_frame(linkage, q, loop):
    """World pose of a loop joint's frame on body b."""
    poses = lw.body_poses(linkage, q)
    return poses[loop.real] @ loop.at_b


def forbidden(linkage, q, loop):
    """(rows, 6) basis, in `at_b`, of the motions that the joint forbids, from its motion subspace by SVD."""
    joint = loop.type
    names = linkage.loops.names
    start = sum(other.nq for other in linkage.loops[: names.index(loop.name)])
    theta = lw.loop_coordinates(linkage, q)[start : start + loop.nq]
    S = np.zeros((6, joint.nv))
    for k in range(joint.nv):
        moved = joint.motion(theta, np.eye(joint.nv)[k])
        S[:3, k], S[3:, k] = moved.linear, moved.angular
    return np.linalg.svd(S, full_matrices=True)[0][:, joint.nv :].T, S


def relative_jacobian(linkage, q, loop):
    """(6, nv) velocity of the frame at_b seen from body a, in that frame's axes."""
    frame = loop_frame(linkage, q, loop)
    turn = np.kron(np.eye(2), frame.rotation.T)
    point = lw.body_poses(linkage, q)[loop.parent].inverse().apply(frame.position)
    return turn @ (lw.jacobian(linkage, q, loop.real, loop.at_b.position) - lw.jacobian(linkage, q, loop.parent, point))


def constraint_rate(linkage, q, v):
    """K V of all loops at one state."""
    return np.concatenate(
        [forbidden(linkage, q, loop)[0] @ relative_jacobian(linkage, q, loop) @ v for loop in linkage.loops]
    )


def kkt(linkage, q, v, tau, f_ext=None):
    """Accelerations and J of the KKT system, the bias from classical accelerations."""
    rows, bias, drive = [], [], np.zeros(linkage.nv)
    for loop in linkage.loops:
        K, S = forbidden(linkage, q, loop)
        frame = loop_frame(linkage, q, loop)
        turn = np.kron(np.eye(2), frame.rotation.T)
        point = lw.body_poses(linkage, q)[loop.parent].inverse().apply(frame.position)
        ends = []
        for body, at in ((loop.real, loop.at_b.position), (loop.parent, point)):
            V = lw.jacobian(linkage, q, body, at) @ v
            A = lw.jacobian_bias(linkage, q, v, body, at)
            A[:3] -= np.cross(V[3:], V[:3])  # spatial, from classical
            ends.append((turn @ V, turn @ A))
        (Vb, Ab), (Va, Aa) = ends
        V = Vb - Va
        c = np.concatenate([np.cross(Vb[3:], V[:3]) + np.cross(Vb[:3], V[3:]), np.cross(Vb[3:], V[3:])])
        rates = np.linalg.lstsq(S, V, rcond=None)[0] if S.size else np.zeros(0)
        if isinstance(loop.type, lw.Universal | lw.Gimbal):  # each axis turns with those after it
            for k in range(loop.nv):
                c[3:] += rates[k] * np.cross(S[3:, k], S[3:, k + 1 :] @ rates[k + 1 :])
        J = relative_jacobian(linkage, q, loop)
        rows.append(K @ J)
        bias.append(K @ (c - Ab + Aa))
        damping = np.broadcast_to(loop.type.damping, loop.nv)
        if loop.nv:
            drive -= J.T @ S @ np.linalg.solve(S.T @ S, damping * rates)
    J, bias = np.concatenate(rows), np.concatenate(bias)
    n, m = linkage.nv, len(J)
    matrix = np.block([[lw.mass_matrix(linkage, q), -J.T], [J, np.zeros((m, m))]])
    right = np.concatenate([tau + drive - lw.bias_force(linkage, q, v, f_ext), bias])
    return np.linalg.lstsq(matrix, right, rcond=1e-12)[0][:n], J


def gap(linkage, q):
    """Largest distance and angle by which public poses miss what the joints allow: zero when closed."""
    worst = 0.0
    for loop in linkage.loops:
        a = lw.body_poses(linkage, q)[loop.parent] @ loop.at_a
        names = linkage.loops.names
        start = sum(other.nq for other in linkage.loops[: names.index(loop.name)])
        theta = lw.loop_coordinates(linkage, q)[start : start + loop.nq]
        moved = loop.type.motion(theta, np.zeros(loop.nv))
        error = (a @ lw.Pose(moved.position, moved.rotation)).inverse() @ loop_frame(linkage, q, loop)
        worst = max(worst, np.abs(error.position).max(), np.abs(error.rotation - np.eye(3)).max())
    return worst


def consistent_state(linkage, q, rng):
    return q, lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))


@pytest.mark.parametrize("seed", range(104))
def test_forward_dynamics_equal_a_dense_kkt_solve_and_the_loop_is_closed(seed):
    linkage, q = lw.samples.random_closed(
        9, joint=TYPES[seed % 8], loops=1 + seed % 3, seed=seed, damping=seed % 2 == 1
    )
    rng = np.random.default_rng(seed)
    # leave the pose the loops were drawn at, and close again
    q = lw.close_loops(linkage, linkage.integrate(q, 0.05 * rng.normal(size=linkage.nv)))
    assert gap(linkage, q) < 1e-12
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau, f_ext = rng.normal(size=linkage.nv), rng.normal(size=(linkage.nb, 6))
    expected, J = kkt(linkage, q, v, tau, f_ext)
    assert np.abs(J @ v).max(initial=0.0) < 1e-12
    a = lw.forward_dynamics(linkage, q, v, tau, f_ext)
    scale = max(1.0, np.abs(expected).max())
    assert np.abs(a - expected).max() < 1e-9 * scale


@pytest.mark.parametrize("seed", range(16))
def test_all_methods_agree_and_every_body_obeys_newton(seed):
    linkage, q = lw.samples.random_closed(8, joint=TYPES[seed % 8], loops=2, seed=100 + seed, damping=True)
    rng = np.random.default_rng(seed)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau, f_ext = rng.normal(size=linkage.nv + linkage.nv_loop), rng.normal(size=(linkage.nb, 6))
    solutions = [lw.solve(linkage, q, v, tau, f_ext, method=method) for method in ("auto", "crba", "unit-vector")]
    scale = max(1.0, np.abs(solutions[0].a).max())
    for solution in solutions:
        assert np.abs(solution.a - solutions[0].a).max() < 1e-9 * scale
        assert np.abs(solution.loop_wrenches - solutions[0].loop_wrenches).max() < 1e-7 * scale
        assert solution.residual < 1e-9 * scale
        assert (solution.rank, solution.redundant) == (solutions[0].rank, solutions[0].redundant)
    check_newton(linkage, q, v, solutions[0], f_ext)


def check_newton(linkage, q, v, solution, f_ext):
    """Force and moment on every body, from its joints, loops and outside, against the change of its momentum."""
    poses, twists = lw.body_poses(linkage, q), lw.body_velocities(linkage, q, v)
    accelerations = lw.body_accelerations(linkage, q, v, solution.a)
    total = f_ext.copy()  # world axes, about each body's origin

    def act(body, point, force, moment):
        if body.index >= 0:
            total[body.index] += np.concatenate([force, moment + np.cross(point - poses.positions[body.index], force)])

    for i, joint in enumerate(linkage.joints):
        force, moment = (
            poses.rotations[i] @ solution.joint_wrenches[i, :3],
            poses.rotations[i] @ solution.joint_wrenches[i, 3:],
        )
        act(joint.child, poses.positions[i], force, moment)
        act(joint.parent, poses.positions[i], -force, -moment)
    for loop, wrench in zip(linkage.loops, solution.loop_wrenches, strict=True):
        frame = loop_frame(linkage, q, loop)
        force, moment = frame.rotation @ wrench[:3], frame.rotation @ wrench[3:]
        act(loop.real, frame.position, force, moment)
        act(loop.parent, frame.position, -force, -moment)
    for i, body in enumerate(linkage.bodies):
        R, w, alpha = poses.rotations[i], twists[i, 3:], accelerations[i, 3:]
        inertia = body.inertia
        arm, matrix = R @ inertia.com, R @ inertia.matrix @ R.T
        a_com = accelerations[i, :3] + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)) - linkage.gravity
        force = inertia.mass * a_com
        moment = matrix @ alpha + np.cross(w, matrix @ w) + np.cross(arm, force)
        size = np.abs(np.concatenate([force, moment])).max() + np.abs(solution.joint_wrenches).max()
        assert np.abs(total[i] - np.concatenate([force, moment])).max() < 1e-9 * size


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("kind", TYPES)
def test_the_sweep_equals_the_dense_method(kind):
    """Small enough to run interpreted and bounds-checked too: loops that share bodies, a doubled one, a coupling."""
    linkage, q = lw.samples.random_closed(5, joint=kind, loops=2, seed=700, damping=True)
    linkage.add_body("a", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Revolute("x"), parent="body0")
    linkage.add_body("b", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Revolute("z"), parent="a")
    linkage.couplings.append(lw.Coupling("b", of="a", multiplier=2.0))
    loop = linkage.loops[0]
    linkage.connect(loop.parent, loop.real, loop.type, at_a=loop.at_a, at_b=loop.at_b, name="again")
    q = np.concatenate([q, [0.1, 0.2]])
    v = lw.consistent_velocity(linkage, q, np.ones(linkage.nv))
    sweep, dense = (lw.solve(linkage, q, v, method=method) for method in ("auto", "crba"))
    assert sweep.redundant == dense.redundant >= 6 - loop.nv
    np.testing.assert_allclose(sweep.a, dense.a, atol=1e-8 * np.abs(dense.a).max())
    np.testing.assert_allclose(sweep.loop_wrenches, dense.loop_wrenches, atol=1e-7 * np.abs(dense.loop_wrenches).max())


def test_a_tree_joint_s_wrench_has_the_torque_along_its_axis():
    linkage = lw.samples.four_bar()
    q = linkage.neutral()
    v, tau = lw.consistent_velocity(linkage, q, [1.0, 0.0, 0.0]), np.array([0.3, -0.2, 0.1])
    solution = lw.solve(linkage, q, v, tau)
    assert np.abs(solution.joint_wrenches[:, 4] - tau).max() < 1e-12  # all axes are y
    assert abs(solution.loop_wrenches[0, 4]) < 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_power_balance(seed):
    """The rate of kinetic and potential energy, by differences along the motion, is the power of the torques."""
    linkage, q = lw.samples.random_closed(7, joint=TYPES[seed], loops=1, seed=300 + seed)
    rng = np.random.default_rng(seed)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau = rng.normal(size=linkage.nv + linkage.nv_loop)
    a = lw.forward_dynamics(linkage, q, v, tau)

    def energy(t):
        there = linkage.integrate(q, v * t + 0.5 * a * t * t)
        return lw.kinetic_energy(linkage, there, v + a * t) + lw.potential_energy(linkage, there)

    h = 1e-4
    rate = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    theta_rate = lw.loop_coordinates(linkage, q, v)[1]
    power = tau @ np.concatenate([v, theta_rate])
    # v + a t is the joints' motion to first order only: the difference quotient is good to about h²
    assert abs(rate - power) < 1e-6 * max(1.0, abs(power), lw.kinetic_energy(linkage, q, v))


@pytest.mark.parametrize("seed", range(8))
def test_actuator_torques_give_the_accelerations_back(seed):
    linkage, q = lw.samples.random_closed(7, joint=TYPES[1 + seed % 7], loops=1, seed=400 + seed, damping=True)
    if isinstance(linkage.joints[0].type, lw.Free):
        linkage.joints[0].actuated = True
    rng = np.random.default_rng(seed)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    f_ext = rng.normal(size=(linkage.nb, 6))
    a = lw.forward_dynamics(linkage, q, v, rng.normal(size=linkage.nv), f_ext)
    weights = rng.uniform(0.5, 2.0, size=linkage.nv + linkage.nv_loop)
    plain, weighted = (lw.actuator_torques(linkage, q, v, a, f_ext, weights=w) for w in (None, weights))
    scale = max(1.0, np.abs(a).max())
    for tau in (plain, weighted):
        assert tau.shape == (linkage.nv + linkage.nv_loop,)
        assert np.abs(lw.forward_dynamics(linkage, q, v, tau, f_ext) - a).max() < 1e-8 * scale
    assert plain @ plain <= weighted @ weighted + 1e-9
    assert weights @ weighted**2 <= weights @ plain**2 + 1e-9


def test_a_stewart_platform_is_driven_by_its_legs_alone():
    linkage = lw.samples.stewart()
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    mobility = lw.mobility(linkage, q)
    assert mobility.S.shape == (6, 6)
    assert np.linalg.cond(mobility.S) < 1e3
    tau = lw.actuator_torques(linkage, q, v, np.zeros(linkage.nv))
    driven = [linkage.joints[f"piston{k}"].v_slice.start for k in range(6)]
    assert set(np.flatnonzero(tau)) <= set(driven)
    assert np.abs(lw.forward_dynamics(linkage, q, v, tau)).max() < 1e-10
    # six legs alike, up to the pairing: they share the weight
    legs = tau[driven]
    assert np.ptp(legs) < 0.2 * legs.mean()


def test_motors_that_cannot_do_it_are_named():
    linkage = lw.samples.five_bar()
    for joint in ("left_arm", "right_arm", "right"):
        linkage.joints[joint].actuated = False
    linkage.cut("pin")
    linkage.connect(
        "ground",
        "right",
        lw.Revolute("y", actuated=False),
        at_a=lw.Pose((1, 0, 0)),
        at_b=lw.Pose((0.6, 0, 0)),
        name="pin",
    )
    q, v = linkage.neutral(), np.zeros(4)
    with pytest.raises(lw.SingularError, match=r"2 degrees of freedom and 1 motors.*not controllable"):
        lw.actuator_torques(linkage, q, v, np.zeros(4))
    with pytest.raises(lw.ArgumentError, match="would open loop 'pin'"):
        lw.actuator_torques(linkage, q, v, np.ones(4))


def test_redundant_constraints_give_the_forces_of_least_norm_flagged():
    linkage = lw.samples.four_bar()
    q = linkage.neutral()
    v = lw.consistent_velocity(linkage, q, [1.0, 0.0, 0.0])
    once = lw.solve(linkage, q, v)
    assert (once.rank, once.redundant, once.redundant_loops) == (2, 3, ("pin",))
    # the same pin again: forces are shared alike, accelerations stay
    pin = linkage.loops["pin"]
    linkage.connect("ground", "rocker", pin.type, at_a=pin.at_a, at_b=pin.at_b, name="pin2")
    linkage.connect("coupler", "ground", lw.Free(), name="nothing")
    twice = lw.solve(linkage, q, v)
    assert (twice.rank, twice.redundant) == (2, 8)
    assert np.abs(twice.a - lw.solve(linkage, q, v, method="crba").a).max() < 1e-12
    assert np.abs(twice.loop_wrenches[0] - twice.loop_wrenches[1]).max() < 1e-12
    assert not twice.loop_wrenches[2].any()


@pytest.mark.parametrize("seed", range(6))
def test_least_norm_forces_of_loops_that_share_bodies(seed):
    """Loops through one another, one of them doubled: against the dense pseudo-inverse of all rows."""
    linkage, q = lw.samples.random_closed(9, joint="Spherical", loops=3, seed=500 + seed)
    loop = linkage.loops[seed % 3]
    # the same joint, or a weld, at the present pose
    at_a = lw.body_poses(linkage, q)[loop.parent].inverse() @ loop_frame(linkage, q, loop)
    linkage.connect(
        loop.parent, loop.real, lw.Fixed() if seed % 2 else lw.Spherical(), at_a=at_a, at_b=loop.at_b, name="again"
    )
    rng = np.random.default_rng(seed)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    sweep, dense = (lw.solve(linkage, q, v, method=method) for method in ("auto", "crba"))
    assert sweep.redundant == dense.redundant >= 3
    scale = max(1.0, np.abs(dense.loop_wrenches).max())
    assert np.abs(sweep.a - dense.a).max() < 1e-8 * max(1.0, np.abs(dense.a).max())
    assert np.abs(sweep.loop_wrenches - dense.loop_wrenches).max() < 1e-7 * scale


def test_a_massless_body_may_hang_in_a_loop():
    """A connecting rod without mass: the tree alone has no inertia there, the closed linkage has."""
    heavy, light = lw.samples.slider_crank(), lw.samples.slider_crank()
    light.bodies["rod"].inertia = lw.Inertia(0.0)
    light.bodies["piston"].inertia = lw.Inertia(1.0)
    heavy.bodies["rod"].inertia = lw.Inertia(1e-9)
    heavy.bodies["piston"].inertia = lw.Inertia(1.0)
    q, v = light.neutral(), lw.mobility(light, light.neutral(), ["crank"]).W[:, 0]
    expected = lw.forward_dynamics(heavy, q, v, method="crba")
    assert np.abs(lw.forward_dynamics(light, q, v) - expected).max() < 1e-6
    assert lw.consistent_velocity(light, q, v) == pytest.approx(v)


def test_couplings_are_constraints():
    linkage = lw.samples.tree(5)
    linkage.couplings.append(lw.Coupling("link3", of="link1", multiplier=-2.0, offset=0.3))
    linkage.couplings.append(lw.Coupling("link4", of="link2", multiplier=0.5))
    rng = np.random.default_rng(0)
    q = lw.close_loops(linkage, rng.normal(size=5))
    assert abs(q[3] + 2 * q[1] - 0.3) < 1e-14
    assert abs(q[4] - 0.5 * q[2]) < 1e-14
    v = lw.consistent_velocity(linkage, q, rng.normal(size=5))
    tau = rng.normal(size=5)
    # by substitution: θ = G θ_G with the couplings built in
    G = np.zeros((5, 3))
    G[0, 0] = G[1, 1] = G[2, 2] = 1.0
    G[3, 1], G[4, 2] = -2.0, 0.5
    H, b = lw.mass_matrix(linkage, q), lw.bias_force(linkage, q, v)
    expected = G @ np.linalg.solve(G.T @ H @ G, G.T @ (tau - b))
    for method in ("auto", "crba", "unit-vector"):
        assert np.abs(lw.forward_dynamics(linkage, q, v, tau, method=method) - expected).max() < 1e-11
    mobility = lw.mobility(linkage, q)
    assert mobility.dof == 3
    assert mobility.J_C.shape == (2, 5)
    a = lw.forward_dynamics(linkage, q, v, tau)
    assert np.abs(lw.forward_dynamics(linkage, q, v, lw.actuator_torques(linkage, q, v, a)) - a).max() < 1e-11


def test_a_coupling_added_later_is_not_overlooked():
    linkage = lw.samples.chain(2)
    q, v = np.array([0.3, 0.6]), np.zeros(2)
    free = lw.forward_dynamics(linkage, q, v)
    linkage.couplings.append(lw.Coupling("link1", of="link0", multiplier=2.0))
    a = lw.forward_dynamics(linkage, q, v)
    assert a[1] == pytest.approx(2 * a[0])
    linkage.couplings.clear()
    assert np.array_equal(lw.forward_dynamics(linkage, q, v), free)


def test_a_geared_loop():
    """A coupling inside a closed loop: both kinds of rows in one elimination."""
    linkage = lw.samples.five_bar()
    linkage.couplings.append(lw.Coupling("right", of="left", multiplier=1.5, offset=0.0))
    q = lw.close_loops(linkage, linkage.neutral())
    v = lw.consistent_velocity(linkage, q, np.ones(4))
    assert lw.mobility(linkage, q).dof == 1
    sweep, dense = (lw.solve(linkage, q, v, np.ones(5), method=method) for method in ("auto", "crba"))
    assert np.abs(sweep.a - dense.a).max() < 1e-10
    assert abs(sweep.a[3] - 1.5 * sweep.a[0]) < 1e-11


def test_batches_and_bad_torques():
    linkage = lw.samples.four_bars(3)
    rng = np.random.default_rng(0)
    q = linkage.neutral()
    v = np.stack([lw.consistent_velocity(linkage, q, rng.normal(size=9)) for _ in range(5)])
    tau = rng.normal(size=(5, 12))
    a = lw.forward_dynamics(linkage, q, v, tau)
    assert a.shape == (5, 9)
    np.testing.assert_allclose(a[3], lw.forward_dynamics(linkage, q, v[3], tau[3]), rtol=1e-12)  # packs round elsewhere
    shaped = lw.forward_dynamics(linkage, q, v.reshape(5, 1, 9), tau[:, :9].reshape(5, 1, 9))
    np.testing.assert_allclose(shaped[4, 0], lw.forward_dynamics(linkage, q, v[4], tau[4, :9]), rtol=1e-12)
    assert lw.forward_dynamics(linkage, q, np.zeros((0, 9))).shape == (0, 9)
    with pytest.raises(lw.ArgumentError, match="tau has shape"):
        lw.forward_dynamics(linkage, q, v[0], np.zeros(10))
    with pytest.raises(lw.ArgumentError, match="unknown method"):
        lw.forward_dynamics(linkage, q, v[0], method="magic")
    with pytest.raises(lw.StructureError, match="solve"):
        lw.joint_wrenches(linkage, q, v[0], a[0])


def test_batches_do_not_depend_on_threads_and_name_the_first_bad_state():
    linkage = lw.samples.stewart()
    rng = np.random.default_rng(0)
    q = np.stack([linkage.neutral()] * 300)
    tau = rng.normal(size=(300, linkage.nv))
    v = np.zeros(linkage.nv)
    try:
        lw.set_threads(1)
        a = lw.forward_dynamics(linkage, q, v, tau)
        lw.set_threads(3)
        assert np.array_equal(lw.forward_dynamics(linkage, q, v, tau), a)
        q[[280, 123, 299], linkage.joints["platform"].q_slice] = 0.0  # a quaternion
        with pytest.raises(lw.ArgumentError, match=r"^state 123 of the batch: the quaternion of joint 'platform'"):
            lw.forward_dynamics(linkage, q, v, tau)
    finally:
        lw.set_threads(None)
    alone = lw.forward_dynamics(linkage, linkage.neutral(), v, tau[17])
    np.testing.assert_allclose(a[17], alone, rtol=1e-12, atol=1e-12 * np.abs(alone).max())


def test_solve_of_an_open_linkage():
    linkage = lw.samples.random_tree(6, seed=1)
    rng = np.random.default_rng(0)
    q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    f_ext = rng.normal(size=(6, 6))
    solution = lw.solve(linkage, q, v, tau, f_ext)
    assert np.array_equal(solution.a, lw.forward_dynamics(linkage, q, v, tau, f_ext))
    assert np.array_equal(solution.joint_wrenches, lw.joint_wrenches(linkage, q, v, solution.a, f_ext))
    assert (solution.rank, solution.redundant, solution.residual, len(solution.loop_wrenches)) == (0, 0, 0.0, 0)


def test_generalized_coordinates_do_not_switch_needlessly():
    linkage = lw.samples.four_bar()
    q = linkage.neutral()
    chosen = lw.mobility(linkage, q).independent
    switches, sizes = 0, []
    for _ in range(200):  # once around
        mobility = lw.mobility(linkage, q)
        switches += mobility.independent != chosen
        chosen = mobility.independent
        sizes.append(mobility.condition)
        W = mobility.W[:, 0] / mobility.W[0, 0] if abs(mobility.W[0, 0]) > 1e-12 else mobility.W[:, 0]
        q = lw.close_loops(linkage, q + 2 * np.pi / 200 * W)
    assert abs(q[0] - 2 * np.pi) < 0.1  # closing moves the crank a little too
    assert switches <= 4
    assert max(sizes) < 100
    for bad, message in ((["crank", "rocker"], "1 degrees of freedom"), (["nobody"], "unknown coordinate")):
        with pytest.raises(lw.ArgumentError, match=message):
            lw.mobility(linkage, q, bad)


def test_a_loop_between_bodies_that_are_one_asks_for_nothing():
    linkage = lw.samples.random_tree(2, seed=0, joints=("Revolute",), branching=0.0)
    at = lw.Pose.axis_angle((1, 2, 3), 0.7) @ lw.Pose((0.1, 0.2, 0.3))
    there = lw.Pose.axis_angle((3, 1, 2), 0.4) @ lw.Pose((0.3, 0.1, -0.2))
    linkage.add_body("tip", lw.Inertia.box((0.1, 0.2, 0.3), mass=1.0), joint=lw.Fixed(), parent="body1", at=at)
    q, v, tau = np.array([0.3, 0.7]), np.array([1.0, 2.0]), np.array([1.0, 0.0])
    expected = lw.forward_dynamics(linkage, q, v, tau)
    linkage.connect("body1", "tip", lw.Revolute((1, 1, 2)), at_a=at @ there, at_b=there, name="seam")
    for method in ("auto", "crba", "dca", "unit-vector", "virtual-work"):
        solution = lw.solve(linkage, q, v, tau, method=method)
        assert np.abs(solution.a - expected).max() < 1e-12 * np.abs(expected).max()
        assert (solution.rank, solution.redundant) == (0, 5)


def test_a_massless_body_that_a_ball_leaves_free_is_refused():
    rng = np.random.default_rng(0)
    for seed in range(10):  # whether rounding leaves it a trace of inertia is a matter of chance
        linkage = lw.samples.random_tree(1, seed=seed, joints=("Revolute",))
        at = lw.Pose.axis_angle(rng.normal(size=3), 1.0) @ lw.Pose((0.0, 0.3, 0.5))
        linkage.add_body("light", lw.Inertia(0.0), joint=lw.Spherical(), parent="body0", at=at)
        q = linkage.random(rng)
        linkage.connect("ground", "light", lw.Spherical(), at_a=lw.body_poses(linkage, q)["light"], name="ball")
        for method in ("auto", "crba"):
            with pytest.raises(lw.SingularError):
                lw.solve(linkage, q, np.zeros(4), np.ones(4), method=method)
