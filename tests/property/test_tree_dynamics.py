"""Every method against a dense solve of independently derived equations, on random trees with every joint type."""

import numpy as np
import pytest

import linkwork as lw
from tests.reference import Reference, joint_motion, skew

METHODS = ("aba", "crba", "unit-vector")
GROUPS = 20  # of ten seeds each: 200 in all


def draw(seed):
    """A random linkage and state: serial or branched, fixed or free, with or without damping."""
    rng = np.random.default_rng(seed)
    linkage = None
    while linkage is None or linkage.nv == 0:  # all joints may come out fixed
        linkage = lw.samples.random_tree(
            int(rng.integers(1, 16)),
            seed=rng,
            base=("fixed", "free")[seed % 2],
            branching=(0.0, 0.5, 1.0)[seed % 3],
            damping=bool(seed % 5 == 0),
        )
    q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    return linkage, q, v, tau, rng.normal(size=(linkage.nb, 6))


def close(a, b, tolerance):
    """Compare arrays relative to the largest entry."""
    scale = np.abs(b).max(initial=1e-300)
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("group", range(GROUPS))
def test_methods_agree_with_dense_solve(group):
    for seed in range(10 * group, 10 * group + 10):
        linkage, q, v, tau, f_ext = draw(seed)
        H, b = Reference(linkage, q, v).equations(f_ext)
        close(lw.mass_matrix(linkage, q), H, 1e-12)
        close(lw.bias_force(linkage, q, v, f_ext), b, 1e-12)
        a = np.linalg.solve(H, tau - b)
        # a backward-stable solve is off by up to cond(H) · eps; the bound of 1e-9 is met with room to spare
        for method in METHODS:
            close(lw.forward_dynamics(linkage, q, v, tau, f_ext, method=method), a, 1e-9)
        close(lw.inverse_dynamics(linkage, q, v, a, f_ext), tau, 1e-9 * max(1.0, np.abs(H).max()))


@pytest.mark.parametrize("group", range(GROUPS))
def test_inverse_of_forward_is_identity(group):
    for seed in range(10 * group, 10 * group + 10):
        linkage, q, v, a, f_ext = draw(seed)
        tau = lw.inverse_dynamics(linkage, q, v, a, f_ext)
        for method in METHODS:
            close(lw.forward_dynamics(linkage, q, v, tau, f_ext, method=method), a, 1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_kinematics_agree_with_definitions(seed):
    linkage, q, v, a, _ = draw(seed)
    reference = Reference(linkage, q, v)
    poses = lw.body_poses(linkage, q)
    close(poses.positions, reference.p, 1e-13)
    close(poses.rotations, reference.R, 1e-13)
    close(lw.body_velocities(linkage, q, v), reference.twist, 1e-12)
    close(lw.body_accelerations(linkage, q, v, a), reference.J @ a + reference.bias, 1e-12)
    point = np.array([0.3, -0.2, 0.1])
    for body in linkage.bodies:
        r = reference.R[body.index] @ point
        J = reference.J[body.index].copy()
        J[:3] -= skew(r) @ J[3:]
        w, bias = reference.twist[body.index, 3:], reference.bias[body.index].copy()
        bias[:3] += np.cross(bias[3:], r) + np.cross(w, np.cross(w, r))
        close(lw.jacobian(linkage, q, body, point) @ v, J @ v, 1e-12)
        close(lw.jacobian_bias(linkage, q, v, body, point), bias, 1e-11)


@pytest.mark.parametrize("seed", range(30))
def test_jacobian_and_bias_are_derivatives(seed):
    linkage, q, v, _, _ = draw(seed)
    body, point, h = linkage.bodies[linkage.nb - 1], np.array([0.1, 0.2, -0.3]), 1e-3

    def at(t):
        moved = linkage.integrate(q, t * v)
        return lw.body_poses(linkage, moved)[body].apply(point)

    J = lw.jacobian(linkage, q, body, point)
    steps = np.array([-3, -2, -1, 1, 2, 3])
    first = np.array([-1, 9, -45, 45, -9, 1]) / 60  # sixth-order differences: error about h⁶
    velocity = sum(w * at(s * h) for w, s in zip(first, steps, strict=True)) / h
    scale = 1.0 + np.abs(v).max() ** 2
    np.testing.assert_allclose(J[:3] @ v, velocity, atol=1e-9 * scale)
    # a curve with constant v has dv/dt = 0, so its acceleration is the bias
    rates = [lw.jacobian(linkage, linkage.integrate(q, s * h * v), body, point) for s in steps]
    dJ = sum(w * r for w, r in zip(first, rates, strict=True)) / h
    np.testing.assert_allclose(lw.jacobian_derivative(linkage, q, v, body, point), dJ, atol=1e-8 * scale**2)
    np.testing.assert_allclose(lw.jacobian_bias(linkage, q, v, body, point), dJ @ v, atol=1e-8 * scale**2)


@pytest.mark.parametrize("seed", range(40))
def test_power_is_rate_of_energy(seed):
    linkage, q, v, tau, _ = draw(seed)
    a = lw.forward_dynamics(linkage, q, v, tau)
    h = 1e-3
    first = np.array([-1, 9, -45, 45, -9, 1]) / 60

    def energy(t):
        moved = linkage.integrate(q, t * v + 0.5 * t * t * a)
        return lw.kinetic_energy(linkage, moved, v + t * a) + lw.potential_energy(linkage, moved)

    # dE/dt at t = 0 depends on the first derivatives of q and v only, which this curve has right
    rate = sum(w * energy(s * h) for w, s in zip(first, (-3, -2, -1, 1, 2, 3), strict=True)) / h
    power = tau @ v - np.sum(linkage.columns.damping * v * v)
    assert rate == pytest.approx(power, abs=1e-7 * (1.0 + np.abs(v).max() ** 3 + np.abs(tau).max() * np.abs(v).max()))


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_free_linkage_keeps_momentum(seed):
    """Inner torques change no momentum: its rate is that of gravity alone."""
    linkage = lw.samples.random_tree(8, seed=seed, base="free")
    linkage.gravity = (0, 0, 0)
    rng = np.random.default_rng(seed)
    q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    tau[:6] = 0.0
    a = lw.forward_dynamics(linkage, q, v, tau)
    h = 1e-3
    first = np.array([-1, 9, -45, 45, -9, 1]) / 60
    rate = sum(
        w * lw.momentum(linkage, linkage.integrate(q, s * h * v + 0.5 * (s * h) ** 2 * a), v + s * h * a)
        for w, s in zip(first, (-3, -2, -1, 1, 2, 3), strict=True)
    )
    np.testing.assert_allclose(rate / h, 0.0, atol=1e-8 * (1.0 + np.abs(a).max()))


@pytest.mark.parametrize("seed", range(40))
def test_zeros_of_mass_matrix_are_those_of_branches(seed):
    linkage, q, _, _, _ = draw(seed)
    nv, above = linkage.nv, linkage.tree.dof_parent
    related = np.eye(nv, dtype=bool)
    for d in range(nv):
        e = above[d]
        while e >= 0:
            related[d, e] = related[e, d] = True
            e = above[e]
    H = lw.mass_matrix(linkage, q)
    assert np.all(H[~related] == 0.0)
    assert linkage.tree.nonzeros == np.tril(related).sum()
    factors = lw.factorize(linkage, H)
    assert np.all(factors.L[~np.tril(related)] == 0.0)
    close(factors.L.T @ np.diag(factors.D) @ factors.L, H, 1e-13)
    close(H @ factors.solve(np.arange(1.0, nv + 1)), np.arange(1.0, nv + 1), 1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_joint_wrenches_balance_every_body(seed):
    """Newton and Euler for each body from the wrenches of its joints alone."""
    linkage, q, v, tau, f_ext = draw(seed)
    a = lw.forward_dynamics(linkage, q, v, tau, f_ext)
    wrenches = lw.joint_wrenches(linkage, q, v, a, f_ext)
    reference = Reference(linkage, q, v)
    acceleration = reference.J @ a + reference.bias
    total = f_ext.copy()
    for body in linkage.bodies:
        i = body.index
        f, n = reference.R[i] @ wrenches[i, :3], reference.R[i] @ wrenches[i, 3:]
        total[i] += np.r_[f, n]
        if body.parent.index >= 0:
            r = reference.p[i] - reference.p[body.parent.index]
            total[body.parent.index] -= np.r_[f, n + np.cross(r, f)]
    for body in linkage.bodies:
        i, R = body.index, reference.R[body.index]
        c, w, al = R @ np.array(body.inertia.com), reference.twist[i, 3:], acceleration[i, 3:]
        ac = acceleration[i, :3] + np.cross(al, c) + np.cross(w, np.cross(w, c)) - linkage.gravity
        I = R @ np.array(body.inertia.matrix) @ R.T
        force = body.inertia.mass * ac
        np.testing.assert_allclose(total[i, :3], force, atol=1e-9 * (1 + np.abs(wrenches).max()))
        moment = I @ al + np.cross(w, I @ w) + np.cross(c, force)
        np.testing.assert_allclose(total[i, 3:], moment, atol=1e-9 * (1 + np.abs(wrenches).max()))
    for joint in linkage.joints:
        i = joint.child.index
        S = reference_axes(joint, q)
        inner = tau[joint.v_slice] - linkage.columns.damping[joint.v_slice] * v[joint.v_slice]
        inner = inner - linkage.columns.armature[joint.v_slice] * a[joint.v_slice]
        np.testing.assert_allclose(S.T @ wrenches[i], inner, atol=1e-9 * (1 + np.abs(wrenches).max()))


def reference_axes(joint, q):
    return joint_motion(joint.type, q[joint.q_slice], np.zeros(joint.nv))[2]


@pytest.mark.parametrize("seed", range(20))
def test_steps_on_the_manifold(seed):
    linkage, q, v, _, _ = draw(seed)
    for scale in (1e-9, 1e-3, 0.3):
        moved = linkage.integrate(q, scale * v)
        # the difference of two states is known to the spacing of floats at the states, not at the difference
        np.testing.assert_allclose(linkage.difference(q, moved), scale * v, atol=1e-13)
        np.testing.assert_allclose(linkage.integrate(q, np.zeros(linkage.nv)), q, atol=1e-15)
    # small steps add up to a large one when the velocity is constant
    walked = q
    for _ in range(10):
        walked = linkage.integrate(walked, 0.1 * v)
    np.testing.assert_allclose(
        lw.body_poses(linkage, walked).positions,
        lw.body_poses(linkage, linkage.integrate(q, v)).positions,
        atol=1e-11,
    )


def test_spherical_chain_keeps_its_digits():
    """200 spherical joints: an articulated inertia that loses its symmetry is wrong by several hundred per cent."""
    linkage = lw.samples.random_tree(200, seed=3, joints=("Spherical",), branching=0.0)
    rng = np.random.default_rng(3)
    q, v, tau = linkage.random(rng), 0.1 * rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    H, b = Reference(linkage, q, v).equations()
    close(lw.forward_dynamics(linkage, q, v, tau), np.linalg.solve(H, tau - b), 1e-9)


@pytest.mark.parametrize("length", [1e-10, 1.0])
def test_long_straight_chain(length):
    """Across the plane of its hinges it is one body, whose inertia is 1e14 times what a hinge moves."""
    n = 64_000
    linkage = lw.Linkage()
    linkage.add_bodies(
        [f"link{i}" for i in range(n)], mass=length, com=(0.0, 0.0, -0.5 * length), axis=(0.0, 1.0, 0.0),
        inertia=np.array((0.09, 0.0, 0.0, 0.09, 0.0, 0.01)) * length**3,
        parent=np.arange(-1, n - 1), at_position=(0.0, 0.0, -length),
    )  # fmt: skip
    tau = np.random.default_rng(0).normal(size=n) * length**3
    a = lw.forward_dynamics(linkage, np.zeros(n), np.zeros(n), tau)
    left = lw.inverse_dynamics(linkage, np.zeros(n), np.zeros(n), a) - tau
    forces = lw.joint_wrenches(linkage, np.zeros(n), np.zeros(n), a)[:, :3]
    assert np.abs(left).max() < 1e-9 * length * np.abs(forces).max()


def test_large_linkage_in_shuffled_order():
    """Joints that lie in q in another order than in the tree, in more stages than a block of the sweep holds."""
    n = 6000
    rng = np.random.default_rng(4)
    linkage = lw.Linkage()
    axis = rng.normal(size=(n, 3))
    linkage.add_bodies(
        [f"link{i}" for i in range(n)],
        code=rng.choice([1, 2], size=n),
        mass=1.0,
        com=(0.0, 0.0, -0.5),
        inertia=(0.09, 0.0, 0.0, 0.09, 0.0, 0.01),
        parent=np.concatenate([[-1], (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)]),
        axis=axis / np.linalg.norm(axis, axis=1, keepdims=True),
        damping=0.1,
        armature=rng.choice([0.0, 0.1], size=n),
    )
    assert np.any(np.diff(linkage.tree.stage) < 0)
    q, v, tau = rng.normal(size=(3, n))
    a = lw.forward_dynamics(linkage, q, v, tau)
    close(lw.forward_dynamics(linkage, q, v, tau, method="crba"), a, 1e-9)
    close(lw.inverse_dynamics(linkage, q, v, a), tau, 1e-9)
