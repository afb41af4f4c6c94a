"""Derivatives to nearly all their digits: complex steps of plain NumPy, and differences that know their own error."""

import dataclasses
import itertools

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.tangent import tangent_gradient
from linkwork.samples.closed import random_closed
from linkwork.samples.open import random_tree
from tests.reference import Reference
from tests.unit.test_contact_derivatives import SURFACES, arm
from tests.unit.test_derivatives import close, differences, loaded_tree
from tests.unit.test_gradients import rods

STEP = 1e-40  # a complex step has no cancellation
JOINTS = ("Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Gimbal", "Free")


def each_complex_step(linkage, function, q, v, a):
    """∂/∂q in the tangent space of `integrate`, and ∂/∂v, of a function of complex (q, v, a)."""
    along = np.array([tangent_gradient(linkage, q, e) for e in np.eye(linkage.nq)])  # (nq, nv)
    dq = [function(q + 1j * STEP * along[:, k], v, a).imag / STEP for k in range(linkage.nv)]
    dv = [function(q, v + 1j * STEP * e, a).imag / STEP for e in np.eye(linkage.nv)]
    return np.array(dq).T, np.array(dv).T


@pytest.mark.parametrize("joint", JOINTS)
def test_trees_of_one_kind_of_joint_by_complex_steps(joint):
    """To 1e-11 of the largest entry."""
    for seed in range(3):
        if joint == "Free":
            linkage = random_tree(4, seed=seed, base="free", damping=True)
        else:
            linkage = random_tree(5, seed=seed, joints=(joint,), damping=True)
        rng = np.random.default_rng(seed)
        q, v, a = linkage.random(rng), *rng.normal(size=(2, linkage.nv))
        f_ext = rng.normal(size=(linkage.nb, 6))

        def inverse(q, v, a, linkage=linkage, f_ext=f_ext):
            H, b = Reference(linkage, q, v).equations(f_ext)
            return H @ a + b

        def forward(q, v, tau, linkage=linkage, f_ext=f_ext):
            H, b = Reference(linkage, q, v).equations(f_ext)
            return np.linalg.solve(H, tau - b)

        ours = lw.inverse_dynamics_derivatives(linkage, q, v, a, f_ext)
        for x, y in zip(ours, each_complex_step(linkage, inverse, q, v, a), strict=True):
            close(x, y, 1e-11)
        ours = lw.forward_dynamics_derivatives(linkage, q, v, a, f_ext)[:2]
        for x, y in zip(ours, each_complex_step(linkage, forward, q, v, a), strict=True):
            close(x, y, 1e-11)


@pytest.mark.parametrize("integrator", ["semi-implicit", "rk4"])
def test_the_gradient_of_two_hundred_steps_by_complex_steps(integrator):
    """½|q|² + ½|v|² at the end of a motion of two rods, whose equations are those of the plain reference."""
    linkage, dt = rods(), 5e-3
    start = np.array([1, -0.5, 0.3, 0.7, 0.2, -0.1])  # q, v, τ

    def rates(q, v, tau):
        H, b = Reference(linkage, q, v).equations()
        return np.linalg.solve(H, tau - b)

    def loss(x):
        q, v, tau = x[:2], x[2:4], x[4:]
        for _ in range(200):
            if integrator == "rk4":
                k1, l1 = v, rates(q, v, tau)
                k2, l2 = v + dt / 2 * l1, rates(q + dt / 2 * k1, v + dt / 2 * l1, tau)
                k3, l3 = v + dt / 2 * l2, rates(q + dt / 2 * k2, v + dt / 2 * l2, tau)
                k4, l4 = v + dt * l3, rates(q + dt * k3, v + dt * l3, tau)
                q, v = q + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + dt / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
            else:
                v = v + dt * rates(q, v, tau)
                q = q + dt * v
        return 0.5 * (q @ q + v @ v)

    exact = np.array([loss(start + 1j * STEP * e).imag / STEP for e in np.eye(6)])
    done = lw.rollout(linkage, start[:2], start[2:4], start[4:], dt=dt, steps=200, integrator=integrator)
    ours = np.concatenate(done.vjp(done.q[-1], done.v[-1]))
    assert np.abs(ours - exact).max() <= 1e-12 * np.abs(exact).max()


# Forces of constraints


@pytest.mark.parametrize("kind", ["Revolute", "Universal", "Spherical", "Planar"])
def test_wrenches_of_loops_against_differences(kind):
    for seed in range(1, 12):
        linkage, q = random_closed(7, joint=kind, loops=1, seed=seed, damping=True)
        if not lw.solve(linkage, q, np.zeros(linkage.nv)).redundant:
            break
    rng, nv = np.random.default_rng(seed), linkage.nv
    v, tau = lw.consistent_velocity(linkage, q, rng.normal(size=nv)), rng.normal(size=nv + linkage.nv_loop)
    found = lw.constraint_force_derivatives(linkage, q, v, tau)

    def wrenches(q, v, tau):
        return lw.solve(linkage, q, v, tau).loop_wrenches.ravel()

    close(found.loop_q[0], differences(lambda d: wrenches(linkage.integrate(q, d), v, tau), nv, h=3e-3), 1e-9)
    close(found.loop_v[0], differences(lambda d: wrenches(q, v + d, tau), nv, h=0.1), 1e-10)
    close(found.loop_tau[0], differences(lambda d: wrenches(q, v, tau + d), len(tau), h=0.1), 1e-10)


@pytest.mark.parametrize("sample", ["four_bar", "five_bar", "bricard"])
def test_least_wrenches_of_redundant_loops_along_them(sample):
    linkage, rng = getattr(lw.samples, sample)(), np.random.default_rng(4)
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.03 * rng.normal(size=linkage.nv)))
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau, way = rng.normal(size=linkage.nv), lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    assert lw.solve(linkage, q, v, tau).redundant
    found = lw.constraint_force_derivatives(linkage, q, v, tau)

    def moved(step):
        there = lw.close_loops(linkage, linkage.integrate(q, step[0] / np.abs(way).max() * way))
        rates = lw.consistent_velocity(linkage, there, v)
        parts = lw.solve(linkage, there, rates, tau).loop_wrenches.ravel(), linkage.difference(q, there), rates
        return np.concatenate(parts)

    slope = differences(moved, 1, h=4e-3)[:, 0]
    n = 6 * len(linkage.loops)
    dq, dv = slope[n : n + linkage.nv], slope[n + linkage.nv :]
    close((found.loop_q @ dq + found.loop_v @ dv).ravel(), slope[:n], 1e-9)


@pytest.mark.parametrize("surface", ["sphere", "text", "belt"])
def test_forces_of_points_that_slide_against_differences(surface):
    linkage, rng = arm(SURFACES[surface], friction=0.3), np.random.default_rng(1)
    q = lw.close_loops(linkage, linkage.random(rng))
    v, tau = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv)), rng.normal(size=linkage.nv)
    found = lw.constraint_force_derivatives(linkage, q, v, tau)

    def force(q, v, tau):
        solution, place = lw.solve(linkage, q, v, tau), lw.body_poses(linkage, q)["b3"].apply([(0.1, 0.05, 0.3)])[0]
        n = SURFACES[surface].local(place, 0.0).gradient
        return solution.normal_forces[0] * n / np.linalg.norm(n) + solution.friction_forces[0]

    close(found.contact_q[0], differences(lambda d: force(linkage.integrate(q, d), v, tau), linkage.nv), 1e-9)
    close(found.contact_v[0], differences(lambda d: force(q, v + d, tau), linkage.nv), 1e-9)
    close(found.contact_tau[0], differences(lambda d: force(q, v, tau + d), linkage.nv), 1e-9)


def test_a_tree_has_no_forces_of_constraints():
    with pytest.raises(lw.StructureError, match="no loops and no contacts"):
        lw.constraint_force_derivatives(lw.samples.chain(2), [0, 0], [0, 0])


# Packed matrices, parameters, paths


def test_packed_matrices_are_the_whole_ones():
    linkage = random_tree(10, seed=1, base="free", branching=0.9, damping=True)
    for joint in linkage.joints:
        if joint.nv == 1:
            linkage.add_force(lw.JointSpring(joint.name, 7.0, 0.2))
            linkage.add_force(lw.JointFriction(joint.name, 2.0))
    rng = np.random.default_rng(0)
    qs = np.array([linkage.random(rng) for _ in range(11)])
    v, a = rng.normal(size=(2, linkage.nv))
    rows, columns = lw.derivative_pattern(linkage)
    assert len(rows) < linkage.nv**2
    for q in (qs[0], qs):
        for f_ext in (None, rng.normal(size=(linkage.nb, 6))):
            whole = lw.inverse_dynamics_derivatives(linkage, q, v, a, f_ext)
            packed = lw.inverse_dynamics_derivatives(linkage, q, v, a, f_ext, packed=True)
            for x, y in zip(whole, packed, strict=True):
                spread = np.zeros_like(x)
                spread[..., rows, columns] = y
                close(spread, x, 1e-13)
    out = np.empty((11, len(rows))), np.empty((11, len(rows)))
    assert lw.inverse_dynamics_derivatives(linkage, qs, v, a, packed=True, out=out)[0] is out[0]
    linkage.add_force(lw.Spring("ground", linkage.bodies[-1].name, stiffness=1.0))
    with pytest.raises(lw.StructureError, match="packed"):
        lw.derivative_pattern(linkage)


@pytest.mark.parametrize("closed", [False, True])
def test_constants_of_force_elements_against_differences(closed):
    """Accelerations are linear in all of them but rest lengths, in which they are linear too."""
    if closed:
        linkage, q = random_closed(5, joint="Spherical", loops=1, seed=2, damping=True)
        names = [body.name for body in linkage.bodies]
        linkage.add_force(lw.Spring("ground", names[-1], (0.1, 0.2, 0.3), (0.3, -0.1, 0.2), 100.0, 5.0, 0.4))
        linkage.add_force(lw.Spring(names[0], names[-2], (0.1, 0.2, 0.3), (0.3, -0.1, 0.2), 100.0, 5.0, 0.4))
        v = lw.consistent_velocity(linkage, q, np.random.default_rng(2).normal(size=linkage.nv))
    else:
        linkage, q, v, _, _ = loaded_tree(1)
    tau = np.random.default_rng(0).normal(size=linkage.nv)
    found = lw.parameter_derivatives(linkage, q, v, tau)
    constants = {
        lw.Spring: ("stiffness", "damping", "rest_length"),
        lw.JointSpring: ("stiffness", None, "rest"),
        lw.JointFriction: ("coulomb", None, None),
    }

    def changed(which, name, by):
        other = linkage.copy()
        forces = list(other.forces)
        for force in forces:
            other.remove_force(force)
        for k, force in enumerate(forces):
            more = {name: getattr(force, name) + by} if k == which else {}
            other.add_force(dataclasses.replace(force, **more))
        return lw.forward_dynamics(other, q, v, tau, method="crba")

    for k, force in enumerate(linkage.forces):
        for c, name in enumerate(constants[type(force)]):
            if name is not None:
                slope = (changed(k, name, 0.2) - changed(k, name, -0.2)) / 0.4
                close(found.forces[:, k, c], slope, 1e-9)


def test_the_regressor_of_a_closed_linkage_by_projection():
    linkage, rng = lw.samples.five_bar(), np.random.default_rng(0)
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.05 * rng.normal(size=linkage.nv)))
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    motors = ["left", "right"]
    mobility = lw.mobility(linkage, q, independent=motors)
    a = lw.forward_dynamics(linkage, q, v, rng.normal(size=linkage.nv))
    Y = lw.inertial_regressor(linkage, q, v, a, independent=motors)
    tau = np.einsum("nbp,bp->n", Y, lw.inertial_parameters(linkage))
    needed = mobility.W[: linkage.nv].T @ lw.inverse_dynamics(linkage, q, v, a, tree=True)
    np.testing.assert_allclose(tau, needed, rtol=1e-12, atol=1e-12)
    full = np.zeros(linkage.nv)  # these motors alone make the motion
    full[[linkage.joints[name].v_slice.start for name in motors]] = tau
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, full), a, rtol=1e-9, atol=1e-9)


def test_a_platform_follows_a_path_with_closed_loops():
    linkage = lw.samples.stewart()
    q = lw.close_loops(linkage, linkage.neutral())
    place = lw.body_poses(linkage, q)["platform"]
    turns = np.linspace(0.0, 2 * np.pi, 50)
    shifts = [lw.Pose((0.05 * np.sin(s), 0.03 * np.cos(s), 0)) for s in turns]
    path = np.array(
        [(x @ place @ lw.Pose.rpy(0.1 * np.sin(s), 0, 0)).matrix for x, s in zip(shifts, turns, strict=True)]
    )
    found = lw.inverse_kinematics(linkage, {"platform": path}, q, path=True)
    assert found.converged.all()
    assert found.q.shape == (50, linkage.nq)
    assert found.rounds <= 3 * 50
    for one in found.q:
        assert np.abs(lw.close_loops(linkage, one) - one).max() < 1e-11
    steps = np.array([linkage.difference(a, b) for a, b in itertools.pairwise(found.q)])
    assert np.abs(steps).max() < 0.05  # it never leaps to another pose
    with pytest.raises(lw.ArgumentError, match="a path needs"):
        lw.inverse_kinematics(linkage, {"platform": place}, q, path=True)


def squeezer():
    """Andrews' squeezing mechanism: seven bodies in a plane, three loops, one degree of freedom [Schiehlen1990]."""
    linkage = lw.Linkage(name="squeezer", gravity=(0, 0, 0))
    A, B = (-0.06934, -0.00227), (-0.03635, 0.03273)
    parts = {  # parent, place, how far its end is along the body's x axis, mass, moment
        "K1": ("ground", (0, 0), 0.007, 0.04325, 2.194e-6), "K2": ("K1", (0.007, 0), 0.028, 0.00365, 4.41e-7),
        "K3": ("ground", B, 0.035, 0.02373, 5.255e-6), "K5": ("ground", A, 0.04, 0.0705, 1.169e-5),
        "K4": ("K5", (0.04, 0), 0.02, 0.00706, 5.667e-7), "K7": ("ground", A, 0.04, 0.05498, 1.912e-5),
        "K6": ("K7", (0.04, 0), 0.02, 0.00706, 5.667e-7),
    }  # fmt: skip
    for name, (parent, place, length, mass, moment) in parts.items():
        inertia = lw.Inertia(mass, (0.5 * length, 0, 0), np.diag([moment, moment, moment]))
        linkage.add_body(name, inertia, joint=lw.Revolute("z"), parent=parent, at=lw.Pose((*place, 0)))
    for name in ("K3", "K4", "K6"):
        ends = {"at_a": lw.Pose((0.028, 0, 0)), "at_b": lw.Pose((parts[name][2], 0, 0))}
        linkage.connect("K2", name, lw.Revolute("z"), **ends, name=f"{name} end")
    beta, gamma, phi, delta = -0.0617138900142764, 0.455279819163070, 0.222668390165886, 0.487364979543843
    omega, epsilon, right = -0.222668390165886, 1.23054744454982, np.pi / 2
    angles = {"K1": beta, "K2": np.pi, "K3": gamma - right, "K5": delta, "K4": phi - right, "K7": epsilon - right}
    angles["K6"] = omega + right
    return linkage, lw.close_loops(linkage, np.array([angles[name] for name in parts]))
