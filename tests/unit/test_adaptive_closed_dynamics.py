"""Adaptive dynamics of closed linkages: against dense algebra, loops that stay closed, connect and cut, couplings."""

import numpy as np
import pytest

import linkwork as lw


def cross_linked(n, seed=1, joint=None):
    """A molecule with two loops between atoms, that fit, and one to ground."""
    linkage, rng = lw.samples.molecule(n, seed=seed), np.random.default_rng(seed)
    linkage.gravity = (0, 0, 0)
    q = linkage.random(rng)
    poses = lw.body_poses(linkage, q)
    for a, b in ((n // 5, n // 2), (n // 3, n - 1)):
        first, second = linkage.bodies[a].name, linkage.bodies[b].name
        linkage.connect(first, second, joint or lw.Spherical(), at_a=poses[first].inverse() @ poses[second])
    last = linkage.bodies[n - 2].name
    linkage.connect("ground", last, lw.Spherical(), at_a=poses[last])
    return linkage, q


def geared():
    """A chain in which one joint follows another by a polynomial."""
    linkage = lw.samples.chain(12)
    linkage.couplings.append(lw.Coupling("link7", of="link2", multiplier=0.5, higher=(0.3,)))
    return linkage, lw.close_loops(linkage, linkage.random(np.random.default_rng(1)))


def closed(linkage):
    return linkage, lw.close_loops(linkage, linkage.neutral())


MODELS = {
    "four-bar": lambda: closed(lw.samples.four_bar()),
    "five-bar": lambda: closed(lw.samples.five_bar()),
    "stacked four-bars": lambda: closed(lw.samples.four_bars(3, stacked=True)),
    "molecule": lambda: cross_linked(40),
    "hinged molecule": lambda: cross_linked(60, 2, lw.Revolute("x")),
    "gears": geared,
}


def moving(linkage, q, seed=3, **options):
    """A simulation of a linkage that moves as its loops allow, pushed at two bodies; what it starts from."""
    rng = np.random.default_rng(seed)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    ad = lw.AdaptiveSimulation(linkage, q, v=v, mode="dynamics", **{"dt": 1e-3, **options})
    f_ext, bodies = np.zeros((linkage.nb, 6)), np.array([linkage.nb - 1, linkage.nb // 2])
    f_ext[bodies] = rng.normal(size=(2, 6))
    ad.apply_forces(bodies, f_ext[bodies, :3], moments=f_ext[bodies, 3:])
    return ad, v, f_ext


@pytest.mark.parametrize("model", MODELS)
def test_with_all_joints_moving_it_is_forward_dynamics(model):
    linkage, q = MODELS[model]()
    ad, v, f_ext = moving(linkage, q, tolerance=0.0)
    report = ad.step()
    exact = lw.forward_dynamics(linkage, q, v, None, f_ext)
    # a gap of 1e-16 m is to be closed within a step of 1 ms: 1e-10 m/s²
    np.testing.assert_allclose(ad.a, exact, rtol=0, atol=1e-9 * np.abs(exact).max())
    assert report.computed == linkage.nb
    assert report.gap < 1e-12


@pytest.mark.parametrize("tolerance", [0.3, 0.02])
def test_what_is_held_is_held_with_the_loops_closed(tolerance):
    linkage, q = cross_linked(120)
    ad = lw.AdaptiveSimulation(linkage, q, mode="dynamics", dt=1e-3, tolerance=tolerance)
    ad.apply_force("atom70", (1.0, 2.0, 3.0))
    report = ad.step()
    assert report.claimed
    assert 0 < report.computed < linkage.nb
    f_ext = np.zeros((linkage.nb, 6))
    f_ext[70, :3] = 1.0, 2.0, 3.0
    a, M = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), None, f_ext), lw.mass_matrix(linkage, q)
    held = np.ones(linkage.nv, bool)
    held[[linkage.joints[k].v_slice.start for k in report.joint_indices]] = False
    # a + W z with the joints held at zero, nearest to a
    W = lw.mobility(linkage, q).W
    H, A = W.T @ M @ W, W[held]
    z = np.linalg.lstsq(np.block([[H, A.T], [A, np.zeros((len(A), len(A)))]]),
                        np.concatenate([np.zeros(len(H)), -a[held]]))[0][: len(H)]  # fmt: skip
    np.testing.assert_allclose(ad.a, a + W @ z, rtol=0, atol=1e-8 * np.abs(a).max())
    error = np.sqrt((a - ad.a) @ M @ (a - ad.a)) / np.sqrt(ad.a @ M @ ad.a)
    assert report.error_bound - report.noise_floor == pytest.approx(error, rel=1e-6)


def test_loops_stay_closed_while_parts_open_and_close():
    (linkage, q), dt = cross_linked(300), 1e-3
    f_ext = np.zeros((linkage.nb, 6))
    f_ext[170, :3] = 3.0, 2.0, 1.0
    options = {"dt": dt, "integrator": "semi-implicit", "wrenches": lambda t, q, v: f_ext}
    exact = lw.Simulation(linkage, q, np.zeros(linkage.nv), **options)
    ad = lw.AdaptiveSimulation(linkage, q, mode="dynamics", dt=dt, tolerance=2.0**-7)
    ad.apply_force("atom170", (3.0, 2.0, 1.0))
    gaps, computed = [], []
    for _ in range(150):
        report = ad.step()
        gaps.append(report.gap)
        computed.append(report.computed)
        exact.step()
    start, end = (lw.body_poses(linkage, x).positions for x in (q, exact.q))
    moved = np.linalg.norm(end - start, axis=1).max()
    off = np.linalg.norm(lw.body_poses(linkage, ad.q).positions - end, axis=1).max()
    assert max(gaps) < np.abs(dt * ad.v).max() ** 2  # m: loops span about a metre, a step is of first order
    assert np.mean(computed) < 150
    assert off < 0.01 * moved
    assert ad.kinetic_energy == pytest.approx(lw.kinetic_energy(linkage, exact.q, exact.v), rel=5e-3)


def test_a_connection_in_motion_is_an_impact_and_a_cut_lets_go():
    linkage = lw.samples.chain(20)
    linkage.gravity = (0, 0, 0)
    rng = np.random.default_rng(2)
    q, v = linkage.random(rng), rng.normal(size=linkage.nv)
    ad = lw.AdaptiveSimulation(linkage, q, v=v, mode="dynamics", dt=1e-7, tolerance=2.0**-7, closing=0.0)
    ad.step()
    fit = ad.pose("link4").inverse() @ ad.pose("link17")
    ad.connect("link4", "link17", lw.Spherical(), at_a=fit, name="bond")
    jump = lw.velocity_jump(linkage, ad.q, ad.v, "bond")
    energy = ad.kinetic_energy
    ad.step()
    np.testing.assert_allclose(ad.v, jump.v, rtol=0, atol=1e-4)
    assert energy - ad.kinetic_energy == pytest.approx(jump.energy_lost, rel=1e-3)
    assert ad.step().gap < 1e-9
    ad.cut("bond")
    v = ad.v
    assert ad.step().gap == 0.0
    np.testing.assert_allclose(ad.v, v, rtol=0, atol=1e-4)


def test_a_gap_is_closed_within_two_steps():
    linkage = lw.samples.chain(20)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(np.random.default_rng(3)), mode="dynamics", dt=1e-2)
    fit = lw.Pose((1e-4, 0, 0)) @ ad.pose("link4").inverse() @ ad.pose("link17")
    ad.connect("link4", "link17", lw.Spherical(), at_a=fit)
    gaps = [ad.step().gap for _ in range(4)]
    assert gaps[0] > 9e-5
    assert gaps[-1] < 1e-7
    assert ad.kinetic_energy < 10.0


def test_gears_follow_each_other_and_are_not_refused():
    linkage, q = geared()
    ad, _, _ = moving(linkage, q, tolerance=2.0**-5)
    gaps = [ad.step().gap for _ in range(200)]
    assert max(gaps) < 1e-5
    assert ad.q[7] == pytest.approx(0.5 * ad.q[2] + 0.3 * ad.q[2] ** 2, abs=1e-5)


def test_loop_joints_with_damping_are_refused():
    linkage = lw.samples.chain(5)
    linkage.connect("link0", "link4", lw.Revolute("y", damping=1.0), name="hinge")
    with pytest.raises(lw.ArgumentError, match="'hinge' has damping"):
        lw.AdaptiveSimulation(linkage, mode="dynamics")
