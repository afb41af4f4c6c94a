"""Derivatives with loops and points on surfaces against complex steps of dense NumPy, to nearly all their digits."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.contact import around
from linkwork.dynamics.problem import pose_problem
from linkwork.dynamics.tree_methods import crba
from linkwork.kernels.layout.contacts import D_MODE, MODE_ROW, STICKS
from linkwork.samples.closed import random_closed
from tests.closed_reference import STEP, ClosedReference
from tests.reference import Reference, cross, skew
from tests.unit.test_contact_derivatives import SURFACES, arm, on_a_sphere
from tests.unit.test_derivatives import close
from tests.unit.test_exact_derivatives import squeezer

KINDS = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Gimbal")
NEAR = 1e-9


def compare(linkage, q, v, tau, reference, near=NEAR):
    """All matrices where rows are independent; else along the constraints, off which redundant rows have no meaning."""
    ours, exact = lw.forward_dynamics_derivatives(linkage, q, v, tau), reference.derivatives(q, v, tau)[:3]
    if not reference.redundant:
        for x, y in zip(ours, exact, strict=True):
            close(x, y, near)
    W, E = reference.manifold(q, v)
    close(ours[0] @ W + ours[1] @ E, exact[0] @ W + exact[1] @ E, near)
    close(ours[1] @ W, exact[1] @ W, near)
    close(ours[2], exact[2], near)
    a_bar = np.cos(np.arange(linkage.nv))
    for product, matrix in zip(lw.forward_dynamics_vjp(linkage, q, v, tau, a_bar), ours, strict=True):
        close(product, a_bar @ matrix, 1e-11)


def state(linkage, q, rng):
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    return q, v, rng.normal(size=linkage.nv + linkage.nv_loop)


@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_random_loops(kind):
    """Twelve of each kind, one or two loops, with dampers and motors in the loop joints."""
    for seed in range(12):
        linkage, q = random_closed(5, joint=kind, loops=1 + seed % 2, seed=seed, damping=True)
        compare(linkage, *state(linkage, q, np.random.default_rng(seed)), ClosedReference(linkage, q))


def known(sample):
    rng = np.random.default_rng(4)
    if sample == "squeezer":
        linkage, q = squeezer()
    else:
        linkage = getattr(lw.samples, sample)()
        q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.03 * rng.normal(size=linkage.nv)))
    return linkage, *state(linkage, q, rng)


@pytest.mark.boundscheck
@pytest.mark.nojit
@pytest.mark.parametrize("sample", ["four_bar", "five_bar", "slider_crank", "bricard", "stewart", "squeezer"])
def test_known_linkages(sample):
    linkage, q, v, tau = known(sample)
    compare(linkage, q, v, tau, ClosedReference(linkage, q))


@pytest.mark.parametrize("kind", KINDS)
def test_off_the_loops(kind):
    """Of the function as it is computed, where loops gape and velocities do not keep them closed: independent rows."""
    seen = 0
    for seed in range(8):
        linkage, q = random_closed(5, joint=kind, loops=1, seed=seed, damping=True)
        rng = np.random.default_rng(seed)
        q, v = linkage.integrate(q, 0.1 * rng.normal(size=linkage.nv)), rng.normal(size=linkage.nv)
        reference = ClosedReference(linkage, q)
        if not reference.redundant:
            compare(linkage, q, v, rng.normal(size=linkage.nv + linkage.nv_loop), reference)
            seen += 1
    assert seen >= 2


@pytest.mark.boundscheck
@pytest.mark.nojit
def test_couplings():
    linkage = lw.samples.chain(4)
    names = linkage.joints.names
    linkage.couplings.append(lw.Coupling(names[3], names[1], 0.7, 0.1, higher=(0.3, -0.2)))
    rng = np.random.default_rng(5)
    q = lw.close_loops(linkage, linkage.random(rng))
    compare(linkage, *state(linkage, q, rng), ClosedReference(linkage, q))


@pytest.mark.parametrize("kind", KINDS)
def test_wrenches_in_loop_joints(kind):
    for seed in range(12):
        linkage, q = random_closed(6, joint=kind, loops=1, seed=seed, damping=True)
        reference = ClosedReference(linkage, q)
        if not reference.redundant:
            break
    q, v, tau = state(linkage, q, np.random.default_rng(seed))
    found = lw.constraint_force_derivatives(linkage, q, v, tau)
    parts = found.loop_q, found.loop_v, found.loop_tau
    for ours, exact in zip(parts, reference.derivatives(q, v, tau)[3:], strict=True):
        close(ours[0], exact, NEAR)


# Points on surfaces: gradient, Hessian, their rates, material and its rate


def plane(r, dr):
    n = np.array(SURFACES["plane"].normal) / np.linalg.norm(SURFACES["plane"].normal)
    return n + 0 * r, np.zeros((3, 3)), np.zeros(3), 0.0, np.zeros(3), np.zeros(3)


def belt(r, dr):
    return np.array([0, 0, 1.0]) + 0 * r, np.zeros((3, 3)), np.zeros(3), 0.0, np.array([0.3, 0.1, 0.0]), np.zeros(3)


def ball(center, r):
    d = r - np.array(center)
    n = d / np.sqrt(d @ d)
    return n, (np.eye(3) - np.outer(n, n)) / np.sqrt(d @ d)


def sphere(r, dr, center=(0.1, 0.2, 0.3)):
    return *ball(center, r), np.zeros(3), 0.0, np.zeros(3), np.zeros(3)


def carried(r, dr):
    """The sphere on a frame whose origin passes the world's at 0.1 m/s, turning."""
    center, v, w = np.array([0.1, 0.2, 0.3]), np.array([0.1, 0, 0]), np.array([0, 0, 0.3])
    a, alpha = np.array([0, 0.2, 0]), np.array([0, 0, 0.1])
    rate, acc = v + cross(w, center), a + cross(alpha, center) + cross(w, cross(w, center))
    n, H = ball(center, r)
    drag = a + cross(alpha, r) + cross(w, dr - v)
    return n, H, -H @ rate, rate @ H @ rate - n @ acc, v + cross(w, r), drag


def text(r, dr):
    """z − 0.1 sin(3 x − t) − 0.2 x y − 0.5 at t = 0: a wave, whose material moves along its normal alone."""
    x, y, _ = r
    s, c = np.sin(3 * x), np.cos(3 * x)
    G, H = np.array([-0.3 * c - 0.2 * y, -0.2 * x, 1 + 0 * x]), np.zeros((3, 3), r.dtype)
    H[0, 0], H[0, 1], H[1, 0] = 0.9 * s, -0.2, -0.2
    G_t = np.array([-0.3 * s, 0 * x, 0 * x])
    return G, H, G_t, 0.1 * -s * -1.0, np.zeros(3), -(0.1 * c / (G @ G)) * (H @ dr + G_t)


def turning(t):
    """Where the frame of `carried` is, its twist and acceleration."""
    place = lw.Pose((0.1 * t, 0.1 * t * t, 0)) @ lw.Pose.axis_angle("z", 0.3 * t + 0.05 * t * t)
    return place, (0.1, 0.2 * t, 0, 0, 0, 0.3 + 0.1 * t), (0, 0.2, 0, 0, 0, 0.1)


MOVING = SURFACES | {"carried": lw.Sphere((0.1, 0.2, 0.3), 0.8).moving(turning)}
EXACT = {"plane": plane, "sphere": sphere, "belt": belt, "carried": carried, "text": text}


def forces(linkage, q, v, tau, reference, near=NEAR):
    found = lw.constraint_force_derivatives(linkage, q, v, tau)
    parts = found.contact_q, found.contact_v, found.contact_tau
    for ours, exact in zip(parts, reference.derivatives(q, v, tau)[3:], strict=True):
        close(ours[-1], exact[-3:], near)


@pytest.mark.parametrize("surface", EXACT)
def test_a_point_that_slides(surface):
    linkage, rng = arm(MOVING[surface], friction=0.3), np.random.default_rng(1)
    q = lw.close_loops(linkage, linkage.random(rng))
    q, v, tau = state(linkage, q, rng)
    reference = ClosedReference(linkage, q, v, surfaces=[EXACT[surface]])
    compare(linkage, q, v, tau, reference)
    forces(linkage, q, v, tau, reference)


@pytest.mark.parametrize("surface", EXACT)
def test_a_point_that_sticks(surface):
    """It moves with the material, and all three components of its force change."""
    linkage, rng = arm(MOVING[surface], friction=0.3, static_friction=50.0), np.random.default_rng(2)
    q = lw.close_loops(linkage, linkage.random(rng))
    tau = rng.normal(size=linkage.nv)
    v = with_the_material(linkage, q, EXACT[surface])
    reference = ClosedReference(linkage, q, v, surfaces=[EXACT[surface]], sticks=[True])
    modes = np.zeros((1, MODE_ROW))
    modes[0, D_MODE] = STICKS
    asked = pose_problem(linkage, q, v, tau, None)._replace(modes=modes)
    np.testing.assert_allclose(around(crba)(asked).a, reference.forward(q, v, tau)[0], rtol=1e-9, atol=1e-9)
    compare(linkage, q, v, tau, reference)
    forces(linkage, q, v, tau, reference)


def with_the_material(linkage, q, surface):
    """Velocities at which the point of a contact moves with its surface, and nothing else more than it must."""
    contact = linkage.contacts[0]
    J = lw.jacobian(linkage, q, contact.body.name, contact.point)[:3]
    place = lw.body_poses(linkage, q)[contact.body.name].apply([contact.point])[0]
    G, _, _, _, material, _ = surface(place, np.zeros(3))
    if surface is text:  # it moves along its normal, with −C_t/|∇C|
        material = -0.1 * np.cos(3 * place[0]) * G / (G @ G)
    return np.linalg.lstsq(J, material, rcond=None)[0]


def round_sphere(linkage, q, v):
    center = linkage.contacts[0].surface.center
    return ClosedReference(linkage, q, v, surfaces=[lambda r, dr: sphere(r, dr, center)])


def test_a_five_bar_linkage_on_a_sphere():
    linkage, q, v, tau = on_a_sphere(0.2)
    compare(linkage, q, v, tau, round_sphere(linkage, q, v))


# Small motions about a motion


def compare_small_motions(linkage, q, v, tau, reference, **options):
    near = lw.linearize(linkage, q, v, tau, **options)
    lead = leading(linkage, near)
    (dq, dv), (W, E) = reference.derivatives(q, v, tau)[:2], reference.manifold(q, v, lead)
    close(near.W, W, NEAR)
    exact = np.hstack([dq @ W + dv @ E, dv @ W])[lead]
    close(near.A[len(lead) :], exact, NEAR)


def leading(linkage, near):
    """The degrees of freedom that are its coordinates."""
    return [linkage.joints[name.split("[")[0]].v_slice.start + int(name.split("[")[1][:-1]) for name in near.names]


@pytest.mark.parametrize("sample", ["four_bar", "five_bar", "slider_crank", "bricard", "stewart", "squeezer"])
def test_linearization_along_the_loops_in_motion(sample):
    linkage, q, v, tau = known(sample)
    compare_small_motions(linkage, q, v, tau[: linkage.nv], ClosedReference(linkage, q))


def test_linearization_along_a_surface():
    linkage, q, v, tau = on_a_sphere(0.2)
    compare_small_motions(linkage, q, v, tau, round_sphere(linkage, q, v), independent=["right"])


# Rollouts


@pytest.mark.parametrize("integrator", ["semi-implicit", "rk4"])
@pytest.mark.parametrize("sample", ["four_bar", pytest.param("five_bar", marks=pytest.mark.slow)])
def test_the_gradient_of_a_closed_rollout(sample, integrator):
    """½|q|² + ½|v|² after two hundred steps, each brought back onto the loop by the least step.

    Gaps and rates up to 1e-12 are left alone, as rollouts do; rows are those of the pin's own axes.
    """
    linkage, q0, v0, tau = known(sample)
    nv, pin, dt = linkage.nv, linkage.loops[0], 1e-3
    tau, free, reference = tau[:nv], np.zeros(nv), ClosedReference(linkage, q0)

    def system(q, v, tau):
        """H, the forces given, and the loop in its plane: its gap, J and −J̇ v."""
        tree, i = Reference(linkage, q, v), pin.real.index
        H, b = tree.equations()
        R, arm, w = tree.R[i] @ pin.at_b.rotation, tree.R[i] @ np.array(pin.at_b.position), tree.twist[i, 3:]
        gap, J = tree.p[i] + arm - np.array(pin.at_a.position), tree.J[i, :3] - skew(arm) @ tree.J[i, 3:]
        bias = tree.bias[i, :3] + cross(tree.bias[i, 3:], arm) + cross(w, cross(w, arm)) - cross(w, J @ v)
        return H, tau - b, *((R.T @ x)[::2] for x in (gap, J, -bias))

    def solve(H, J, force, needed):
        M = np.block([[H, -J.T], [J, np.zeros((2, 2))]])
        return np.linalg.solve(M, np.r_[force, needed])[:nv]

    def acceleration(q, v, tau):
        H, force, _, J, needed = system(q, v, tau)
        return solve(H, J, force, needed)

    def left_alone(x):
        return np.abs(x.real).max() <= 1e-12

    def loss(q, v, tau):
        for _ in range(200):
            if integrator == "rk4":
                k1, l1 = v, acceleration(q, v, tau)
                k2, l2 = v + dt / 2 * l1, acceleration(q + dt / 2 * k1, v + dt / 2 * l1, tau)
                k3, l3 = v + dt / 2 * l2, acceleration(q + dt / 2 * k2, v + dt / 2 * l2, tau)
                k4, l4 = v + dt * l3, acceleration(q + dt * k3, v + dt * l3, tau)
                q, v = q + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + dt / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
            else:
                v = v + dt * acceleration(q, v, tau)
                q = q + dt * v
            H, _, gap, J, _ = system(q, v, tau)  # of the pose before, for all rounds
            for _ in range(0 if left_alone(gap) else 4):
                q = q + solve(H, J, free, -system(q, v, tau)[2])
            H, _, _, J, _ = system(q, v, tau)
            if not left_alone(J @ v):
                v = v + solve(H, J, free, -J @ v)
        return 0.5 * (q @ q + v @ v)

    def along(dq, dv, dtau):
        return loss(q0 + 1j * STEP * dq, v0 + 1j * STEP * dv, tau + 1j * STEP * dtau).imag / STEP

    W, E = (x.T for x in reference.manifold(q0, v0))
    ways = [(w, e, free) for w, e in zip(W, E, strict=True)] + [(free, w, free) for w in W]
    exact = np.array([along(*way) for way in [*ways, *((free, free, e) for e in np.eye(nv))]])
    done = lw.rollout(linkage, q0, v0, tau, dt=dt, steps=200, integrator=integrator)
    q_bar, v_bar, tau_bar = done.vjp(done.q[-1], done.v[-1])
    close(np.r_[W @ q_bar + E @ v_bar, W @ v_bar, tau_bar[:nv]], exact, 1e-12)


# Batches


def test_a_batch_is_its_states():
    linkage, q = random_closed(7, joint="Universal", loops=2, seed=3, damping=True)
    rng = np.random.default_rng(0)
    qs = np.array([linkage.integrate(q, 0.05 * rng.normal(size=linkage.nv)) for _ in range(2 * 3)]).reshape(2, 3, -1)
    v, tau, bar = (
        rng.normal(size=linkage.nv),
        rng.normal(size=(3, linkage.nv + linkage.nv_loop)),
        rng.normal(size=linkage.nv),
    )
    f_ext = rng.normal(size=(linkage.nb, 6))
    whole = lw.forward_dynamics_derivatives(linkage, qs, v, tau, f_ext)
    whole += lw.forward_dynamics_vjp(linkage, qs, v, tau, bar, f_ext)
    for i, j in np.ndindex(2, 3):
        alone = lw.forward_dynamics_derivatives(linkage, qs[i, j], v, tau[j], f_ext)
        alone += lw.forward_dynamics_vjp(linkage, qs[i, j], v, tau[j], bar, f_ext)
        for x, y in zip(whole, alone, strict=True):
            np.testing.assert_array_equal(x[i, j], y)
    out = np.empty_like(whole[0]), np.empty_like(whole[1]), np.empty_like(whole[2])
    assert lw.forward_dynamics_derivatives(linkage, qs, v, tau, f_ext, out=out)[0] is out[0]
    np.testing.assert_array_equal(out[0], whole[0])


@pytest.mark.boundscheck
@pytest.mark.nojit
def test_a_massless_pin_that_loops_alone_move():
    """The elimination leaves such axes to dense matrices, in batches too."""
    linkage = lw.samples.four_bar()
    linkage.bodies["coupler"].inertia = lw.Inertia(0.0, (0, 0, 0), np.zeros((3, 3)))
    rng = np.random.default_rng(2)
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.03 * rng.normal(size=3)))
    q, v, tau = state(linkage, q, rng)
    reference = ClosedReference(linkage, q)
    compare(linkage, q, v, tau, reference)
    pair = lw.forward_dynamics_derivatives(linkage, np.array([q, q]), v, tau)
    for x, y in zip(pair, lw.forward_dynamics_derivatives(linkage, q, v, tau), strict=True):
        np.testing.assert_array_equal(x[1], y)


def test_the_state_that_fails_is_named():
    linkage = lw.samples.four_bar()
    q, fast = lw.close_loops(linkage, linkage.neutral()), np.array([np.zeros(3), np.full(3, 1e200)])
    with pytest.raises(lw.ArgumentError, match="state 1 of the batch: the result is not finite"):
        lw.forward_dynamics_derivatives(linkage, q, fast)
    with pytest.raises(lw.ArgumentError, match="state 1 of the batch: the result is not finite"):
        lw.forward_dynamics_vjp(linkage, q, fast, None, np.ones(3))
