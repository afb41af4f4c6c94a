"""Adaptive dynamics: accelerations and errors against dense algebra, closing against projections, runs, failures."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.layout.adaptive import CLOSE, CLOSINGS, OPENINGS
from linkwork.quasistatics.moving_records import MovingRecords

MODELS = {
    "molecule": lambda: lw.samples.molecule(60, seed=1, branching=0.4),
    "free tree": lambda: lw.samples.random_tree(40, seed=2, base="free", branching=0.4),
    "tree": lambda: lw.samples.random_tree(40, seed=3, branching=0.6),
}


def moving(linkage, seed, *, joints=4, **options):
    """A simulation in which some joints move, and some forces and torques act; f_ext of these."""
    rng = np.random.default_rng(seed)
    q, v = linkage.random(rng), np.zeros(linkage.nv)
    for joint in rng.choice(linkage.nb, joints, replace=False):
        v[linkage.joints[int(joint)].v_slice] = rng.normal()
    ad = lw.AdaptiveSimulation(linkage, q, v=v, mode="dynamics", dt=1e-3, **options)
    f_ext, tau = np.zeros((linkage.nb, 6)), rng.normal(size=linkage.nv)
    bodies = rng.choice(linkage.nb, 3, replace=False)
    f_ext[bodies] = rng.normal(size=(3, 6))
    ad.apply_forces(bodies, f_ext[bodies, :3], moments=f_ext[bodies, 3:])
    ad.apply_torques(None, tau)
    return ad, f_ext, tau


def records(ad):
    """What a simulation of dynamics keeps."""
    assert isinstance(ad._parts, MovingRecords)
    return ad._parts


@pytest.mark.parametrize("model", MODELS)
def test_with_all_joints_moving_it_is_aba(model):
    linkage = MODELS[model]()
    ad, f_ext, tau = moving(linkage, 5, joints=linkage.nb, tolerance=0.0)
    q, v = ad.q, ad.v
    report = ad.step()
    exact = lw.forward_dynamics(linkage, q, v, tau, f_ext)
    np.testing.assert_allclose(ad.a, exact, rtol=0, atol=1e-12 * np.abs(exact).max())
    np.testing.assert_allclose(ad.v, v + 1e-3 * exact, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ad.q, linkage.integrate(q, 1e-3 * ad.v), rtol=0, atol=1e-14)
    assert report.computed == linkage.nb


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("tolerance", [80.0, 10.0])  # of some 80 in all
def test_the_error_is_the_distance_to_the_exact_accelerations(model, tolerance):
    linkage = MODELS[model]()
    ad, f_ext, tau = moving(linkage, 7, tolerance=tolerance, error="absolute-linkage")
    q, v = ad.q, ad.v
    report = ad.step()
    assert 0 < report.computed < linkage.nb
    assert report.claimed
    M, force = lw.mass_matrix(linkage, q), tau - lw.bias_force(linkage, q, v, f_ext)
    a, free = np.linalg.solve(M, force), np.flatnonzero(ad.a)
    held = np.zeros(linkage.nv)  # M q̈ = force with all other joints held
    held[free] = np.linalg.solve(M[np.ix_(free, free)], force[free])
    np.testing.assert_allclose(ad.a, held, rtol=0, atol=1e-10 * np.abs(held).max())
    error = np.sqrt((a - ad.a) @ M @ (a - ad.a))
    assert report.error_bound - report.noise_floor == pytest.approx(error, rel=1e-6, abs=report.noise_floor)


@pytest.mark.nojit
def test_a_small_tree_moves_as_it_should():
    linkage = lw.samples.random_tree(6, seed=1, base="free")
    ad, f_ext, tau = moving(linkage, 1, joints=2, tolerance=0.0)
    q, v = ad.q, ad.v
    ad.step()
    exact = lw.forward_dynamics(linkage, q, v, tau, f_ext)
    np.testing.assert_allclose(ad.a, exact, rtol=0, atol=1e-12 * np.abs(exact).max())
    assert ad.kinetic_energy == pytest.approx(lw.kinetic_energy(linkage, ad.q, ad.v), rel=1e-12)


def test_momentum_is_kept_through_a_thousand_openings_and_closings():
    linkage, rng = lw.samples.random_tree(60, seed=4, base="free", branching=0.5), np.random.default_rng(4)
    linkage.gravity = (0, 0, 0)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=0.1, mode="dynamics", dt=1e-3)
    parts, base, changed, rounds = records(ad), linkage.joints[0].v_slice, 0.0, 0
    while parts.totals[CLOSINGS] < 1000:
        v = np.zeros(linkage.nv)
        v[base] = rng.normal(size=6)
        for joint in rng.choice(np.arange(1, linkage.nb), 12, replace=False):
            v[linkage.joints[int(joint)].v_slice] = 1e-3 * rng.normal()
        parts.v[:], parts.stale = v, True
        ad.step()
        opened = parts.totals[OPENINGS]
        for _ in range(12):
            before, energy = lw.momentum(linkage, ad.q, ad.v), lw.kinetic_energy(linkage, ad.q, ad.v)
            closings = parts.totals[CLOSINGS]
            parts._go(CLOSE, 1e6, 0.1)
            changed += np.abs(lw.momentum(linkage, ad.q, ad.v) - before).max() / np.abs(before).max()
            lost = energy - lw.kinetic_energy(linkage, ad.q, ad.v)
            assert lost == pytest.approx(parts.energy_lost, rel=1e-6, abs=1e-13 * energy)
            rounds += parts.totals[CLOSINGS] > closings
    assert opened > 0
    assert rounds > 20
    assert changed < 1e-10


def test_closing_is_the_projection_of_velocities():
    ad, _, _ = moving(lw.samples.molecule(60, seed=1), 3, joints=20, tolerance=0.1)
    linkage, q, v, opened = ad.linkage, ad.q, ad.v, records(ad).computed
    records(ad)._go(CLOSE, 1e9, 0.05)
    M, free = lw.mass_matrix(linkage, q), np.flatnonzero(ad.v)
    assert len(free) == records(ad).computed < opened
    nearest = np.linalg.solve(M[np.ix_(free, free)], (M @ v)[free])
    np.testing.assert_allclose(ad.v[free], nearest, rtol=0, atol=1e-10 * np.abs(v).max())
    np.testing.assert_array_equal(ad.q, q)


def test_pushed_then_free():
    n, steps, dt = 500, 400, 2e-3
    linkage = lw.samples.molecule(n)
    linkage.gravity = (0, 0, 0)
    q = start = linkage.random(np.random.default_rng(1))
    v, f_ext = np.zeros(n), np.zeros((n, 6))
    f_ext[n // 2, :3] = 1.0, 2.0, 3.0
    ad = lw.AdaptiveSimulation(linkage, start, tolerance=2.0**-7, dt=dt, mode="dynamics")
    ad.apply_force("atom250", (1, 2, 3))
    computed = []
    for k in range(steps):
        if k == steps // 2:
            f_ext[:] = 0.0
            ad.apply_force("atom250", (0, 0, 0))
        v = v + dt * lw.forward_dynamics(linkage, q, v, None, f_ext)
        q = q + dt * v
        computed.append(ad.step().computed)

    def centres(q):
        poses = lw.body_poses(linkage, q)
        return poses.positions + np.einsum("nij,nj->ni", poses.rotations, linkage.columns.com)

    def largest(x):
        return np.linalg.norm(x, axis=1).max()

    assert np.mean(computed) <= 80
    assert largest(centres(ad.q) - centres(q)) <= 1e-2 * largest(centres(q) - centres(start))
    assert ad.kinetic_energy == pytest.approx(lw.kinetic_energy(linkage, q, v), rel=1e-3)


def test_springs_and_damping_are_those_at_the_end_of_the_step():
    """(M + dt D + dt² K) q̈ = τ − c − K (q + dt q̇ − rest) − D q̇, K at the joints that have springs."""
    linkage = lw.samples.random_tree(12, seed=5, joints=("Revolute",), damping=True)
    plain = linkage.copy()
    linkage.add_force(lw.JointSpring(linkage.joints[7], 2.0, 0.1))
    ad, f_ext, tau = moving(linkage, 2, joints=12, tolerance=0.0)
    ad.set_potential(linkage.joints[3].name, stiffness=5.0, rest=0.2)
    q, v, dt = ad.q, ad.v, ad.dt
    ad.step()
    K, rest = np.zeros(linkage.nv), np.zeros(linkage.nv)
    K[7], K[3], rest[7], rest[3] = 2.0, 5.0, 0.1, 0.2
    D = np.array([joint.damping for joint in linkage.joints])
    assert D.all()
    M = lw.mass_matrix(plain, q) + np.diag(dt * D + dt**2 * K)
    c = lw.inverse_dynamics(plain, q, v, np.zeros(linkage.nv), f_ext)  # with what damping takes
    exact = np.linalg.solve(M, tau - c - K * (q + dt * v - rest))
    np.testing.assert_allclose(ad.a, exact, rtol=0, atol=1e-11 * np.abs(exact).max())


def test_a_force_in_world_axes_follows_its_body_and_a_spring_pulls():
    linkage = lw.samples.molecule(40, seed=2)
    linkage.gravity = (0, 0, 0)
    linkage.add_force(lw.Spring("atom5", "atom30", stiffness=3.0, rest_length=1.0))
    rng = np.random.default_rng(0)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), v=rng.normal(size=40), tolerance=0.0, mode="dynamics")
    ad.apply_force("atom20", (1.0, 0.0, 2.0), point=(0.1, 0.0, 0.2))
    for _ in range(10):
        q, v = ad.q, ad.v
        ad.step()
    f_ext, poses = np.zeros((40, 6)), lw.body_poses(linkage, q)
    f_ext[20, :3] = 1.0, 0.0, 2.0
    f_ext[20, 3:] = np.cross(poses.rotations[20] @ (0.1, 0.0, 0.2), f_ext[20, :3])
    exact = lw.forward_dynamics(linkage, q, v, None, f_ext)
    np.testing.assert_allclose(ad.a, exact, rtol=0, atol=1e-10 * np.abs(exact).max())


def test_a_cut_part_flies_on():
    linkage = lw.samples.molecule(60, seed=3)
    linkage.gravity = (0, 0, 0)
    ad, _, _ = moving(linkage, 4, joints=20, tolerance=2.0**-7)
    for _ in range(3):
        ad.step()
    energy, before = ad.kinetic_energy, lw.body_poses(linkage, ad.q)
    ad.cut(linkage.joints[20])
    assert ad.kinetic_energy == pytest.approx(energy, rel=1e-10)
    after = lw.body_poses(linkage, ad.q)
    np.testing.assert_allclose(after.positions, before.positions, atol=1e-12)
    assert ad.step().claimed


def test_runs_are_recorded_resumed_and_pickled(tmp_path):
    linkage = lw.samples.molecule(100, seed=1)
    linkage.gravity = (0, 0, 0)

    def simulation():
        ad = lw.AdaptiveSimulation(linkage, tolerance=2.0**-7, dt=1e-2, mode="dynamics")
        ad.apply_force("atom50", (1, 2, 3))
        return ad

    whole = simulation()
    whole.run(0.2)
    half = simulation()
    half.run(0.1, record=tmp_path / "run.h5")
    resumed = simulation()
    recording = resumed.run(0.2, record=tmp_path / "run.h5", resume=True)
    np.testing.assert_allclose(recording.q(), whole.q, atol=1e-3 * np.abs(whole.q).max())
    np.testing.assert_array_equal(lw.SparseRecording.load(tmp_path / "run.h5").v, resumed.v)
    copy = pickle.loads(pickle.dumps(half))
    np.testing.assert_array_equal(copy.v, half.v)
    assert copy.mode == "dynamics"
    assert "dynamics" in repr(copy)
    assert whole.t == pytest.approx(recording.t[-1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "kinetics"}, "did you mean 'dynamics'"),
        ({"mode": "dynamics", "gain": 1.0}, "gain goes with mode='quasi-statics' only"),
        ({"mode": "dynamics", "measure": "acceleration"}, "measure='acceleration' goes with"),
        ({"v": np.zeros(3)}, "v goes with mode='dynamics' only"),
        ({"mode": "dynamics", "v": np.zeros(2)}, "v"),
        ({"mode": "dynamics", "dt": 0.0}, "dt"),
    ],
)
def test_what_does_not_go_together_is_told(options, message):
    with pytest.raises(lw.ArgumentError, match=message):
        lw.AdaptiveSimulation(lw.samples.chain(3), **options)


def test_what_dynamics_does_not_take_is_told():
    chain = lw.samples.chain(5)
    ad = lw.AdaptiveSimulation(chain, mode="dynamics")
    for asked in (lambda: ad.refine(joints=3), lambda: ad.joint_wrenches("link2"), lambda: ad.total_acceleration):
        with pytest.raises(lw.ArgumentError, match="mode='dynamics'"):
            asked()
    chain.add_force(lw.Spring("link0", "link4", stiffness=1.0, damping=1.0))
    with pytest.raises(lw.ArgumentError, match="Spring with damping"):
        ad.step()


def test_a_state_that_becomes_non_finite_is_told():
    ad = lw.AdaptiveSimulation(lw.samples.chain(5), mode="dynamics", tolerance=0.1)
    ad.apply_force("link4", (1e200, 0, 0))
    with pytest.raises(lw.DivergedError, match="smaller dt"):
        ad.run(0.2)
