"""Adaptive quasi-statics that measures displacements: errors against dense truth, forces of the model, many forces."""

import itertools

import numpy as np
import pytest

import linkwork as lw


def weightless(linkage):
    linkage.gravity = (0, 0, 0)
    return linkage


def model(seed):
    """Chains, trees, molecules, a millipede; joints with several degrees of freedom, a free base."""
    n = 8 + 5 * (seed % 7)
    makers = (
        lambda: lw.samples.chain(n),
        lambda: lw.samples.molecule(n, seed=seed),
        lambda: lw.samples.random_tree(n, seed=seed, joints=("Revolute",), branching=1.0),
        lambda: lw.samples.random_tree(n, seed=seed, branching=0.5),
        lambda: lw.samples.random_tree(n, seed=seed, base="free", branching=0.3),
        lambda: lw.samples.millipede(3),
    )
    return makers[seed % len(makers)]()


def size(H, a):
    """The norm of displacements weighted by mass."""
    return np.sqrt(a @ H @ a)


@pytest.mark.parametrize("seed", range(12))
def test_the_error_reported_is_the_true_one_and_within_the_tolerance(seed):
    linkage, rng = model(seed), np.random.default_rng(seed)
    q = linkage.random(rng)
    held = seed % 2 == 0 and seed % 6 != 4  # torques hold the weight
    tau = lw.gravity_torques(linkage, q) if held else np.zeros(linkage.nv)
    body, force = int(rng.integers(linkage.nb)), rng.normal(size=3)
    f_ext = np.zeros((linkage.nb, 6))
    f_ext[body, :3] = force
    ad = lw.AdaptiveSimulation(linkage, q, gain=1e-4)
    ad.apply_torques(None, tau)
    ad.apply_force(linkage.bodies[body], force)
    for _ in range(3):
        H, a = lw.mass_matrix(linkage, ad.q), lw.forward_dynamics(linkage, ad.q, np.zeros(linkage.nv), tau, f_ext)
        dense = np.linalg.solve(H, H @ a)
        unsure = 1e-15 * np.linalg.cond(H) + size(H, dense - a) / size(H, a)
        unsure += 1e-15 * np.linalg.norm(tau) / np.sqrt(np.linalg.eigvalsh(H)[0]) / size(H, a)
        before = np.inf
        for k in range(1, 14, 2):
            report = ad.refine(tolerance=2.0**-k)
            true = size(H, ad.a - a) / size(H, a)
            assert report.claimed
            assert report.error_bound <= 2.0**-k
            assert true <= report.error_bound + unsure
            assert report.error_bound <= 1.01 * true + report.noise_floor + 10.0 * unsure
            assert true <= before * (1 + 1e-6) + unsure  # opening more never makes it worse
            before = true
        ad.step()


def test_what_is_held_is_held_in_the_dynamics():
    """The accelerations are M_EE⁻¹ (τ − c)_E of the joints opened: Gauss's principle."""
    linkage, rng = lw.samples.molecule(60, seed=4), np.random.default_rng(0)
    linkage.joints[30].armature = 0.05
    q = linkage.random(rng)
    ad = lw.AdaptiveSimulation(linkage, q)
    ad.apply_force("atom50", (1.0, 2.0, 3.0))
    report = ad.refine(joints=25)
    H = lw.mass_matrix(linkage, q)
    right = lw.jacobian(linkage, q, "atom50")[:3].T @ np.array([1.0, 2.0, 3.0]) - lw.gravity_torques(linkage, q)
    opened = report.joint_indices
    assert len(opened) == report.computed == 25
    np.testing.assert_allclose(ad.a[opened], np.linalg.solve(H[np.ix_(opened, opened)], right[opened]), rtol=1e-7)
    a = np.linalg.solve(H, right)
    assert report.error_bound == pytest.approx(size(H, ad.a - a) / size(H, a), rel=1e-6)
    # Pythagoras: nothing else that leaves those joints alone is nearer
    assert size(H, ad.a - a) ** 2 == pytest.approx(size(H, a) ** 2 - size(H, ad.a) ** 2, rel=1e-6)


def displaced(linkage, q, end):
    return lw.body_poses(linkage, end).positions - lw.body_poses(linkage, q).positions


def test_displacements_hold_where_truncated_ones_do_not():
    linkage, rng = weightless(lw.samples.molecule(2000)), np.random.default_rng(0)
    q, force, gain = linkage.random(rng), np.array([1.0, 2.0, 3.0]), 1e-5
    f_ext = np.zeros((linkage.nb, 6))
    f_ext[700, :3] = force
    end = q
    for _ in range(40):
        end = end + gain * lw.forward_dynamics(linkage, end, np.zeros(linkage.nv), None, f_ext)
    exact, errors = displaced(linkage, q, end), {}
    for measure in ("displacement", "acceleration"):
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-5, gain=gain, measure=measure)
        ad.apply_force("atom700", force)
        computed = [ad.step().computed for _ in range(40)]
        errors[measure] = np.abs(displaced(linkage, q, ad.q) - exact).max() / np.abs(exact).max()
        assert max(computed) < 100
    assert errors["displacement"] < 2 * 2.0**-5
    assert errors["acceleration"] > 10 * errors["displacement"]


def test_closed_linkages_stay_closed():
    linkage = lw.samples.four_bars(3, stacked=True)
    ad = lw.AdaptiveSimulation(linkage, tolerance=2.0**-4, gain=1e-5)
    ad.apply_force(linkage.bodies[linkage.nb - 1], (1.0, 0.0, 0.5))
    reports = [ad.step() for _ in range(100)]
    assert all(report.claimed for report in reports)
    assert max(report.gap for report in reports[1:]) < 1e-4


def test_many_forces_at_once_are_the_same_as_one_by_one():
    linkage, rng = weightless(lw.samples.molecule(300)), np.random.default_rng(1)
    q, bodies = linkage.random(rng), rng.choice(300, 8, replace=False)
    forces, points, moments = rng.normal(size=(3, 8, 3))
    one, many = (lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-3) for _ in range(2))
    for k, body in enumerate(bodies.tolist()):
        one.apply_force(linkage.bodies[body], forces[k], points[k], moment=moments[k])
        one.apply_torque(linkage.joints[body], 0.1 * k)
    many.apply_forces(bodies, forces, points, moments=moments)
    many.apply_torques([linkage.joints[body].name for body in bodies.tolist()], 0.1 * np.arange(8))
    report = many.step()
    assert not report.exact
    assert one.step() == report
    np.testing.assert_array_equal(one.q, many.q)
    many.apply_forces(bodies, np.zeros((8, 3)))
    many.apply_torques(bodies, np.zeros(8))
    assert many.step().computed <= 1
    with pytest.raises(lw.ArgumentError, match="twice"):
        many.apply_forces(["atom3", "atom3"], np.ones((2, 3)))
    with pytest.raises(lw.ArgumentError, match=r"forces must have shape \(1, 3\)"):
        many.apply_forces(["atom3"], (1.0, 2.0, 3.0))
    with pytest.raises(lw.ArgumentError, match="from 0 to 299"):
        many.apply_forces(np.array([300]), np.ones((1, 3)))


@pytest.mark.parametrize("measure", ["displacement", "acceleration"])
def test_joint_wrenches_and_parts_are_those_of_the_exact_motion(measure):
    linkage, rng = lw.samples.random_tree(30, seed=3, branching=0.5), np.random.default_rng(0)
    q, f_ext = linkage.random(rng), np.zeros((linkage.nb, 6))
    f_ext[25, :3] = force = (1.0, 2.0, 3.0)
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.1, measure=measure)
    ad.apply_force(linkage.bodies[25], force)
    a = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), None, f_ext)
    expected = lw.joint_wrenches(linkage, q, np.zeros(linkage.nv), a, f_ext)
    names = [joint.name for joint in linkage.joints]
    np.testing.assert_allclose(ad.joint_wrenches(names), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    report = ad.refine(tolerance=0.1)
    assert set(report.joints) <= set(names)
    assert report.computed == len(report.joints)
    for joint in linkage.joints[1:]:
        part = ad.subassembly(joint)
        if part.bottom is not None:
            assert part.T.shape == part.Phi.shape == (6, 6)
        np.testing.assert_allclose(part.I, part.I.T, atol=1e-9 * np.abs(part.I).max())
        assert part.error >= 0.0
        assert joint.child.name in part.bodies


def test_springs_in_joints_by_linearly_implicit_steps():
    linkage, rng = weightless(lw.samples.molecule(150, seed=1)), np.random.default_rng(0)
    q, force, k, gain = linkage.random(rng), np.array([0.03, 0.05, -0.04]), 0.5, 0.5
    for joint in linkage.joints:
        linkage.add_force(lw.JointSpring(joint, k, q[joint.q_slice]))
    end = q
    for _ in range(30):
        right = lw.jacobian(linkage, end, "atom50")[:3].T @ force - k * (end - q)
        end = end + gain * np.linalg.solve(lw.mass_matrix(linkage, end) + gain * k * np.eye(linkage.nv), right)
    exact = displaced(linkage, q, end)
    for tolerance, most in ((0.0, 1e-9), (2.0**-7, 1e-3)):
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=tolerance, gain=gain)
        ad.apply_force("atom50", force)
        for _ in range(30):
            ad.step()
        assert np.abs(displaced(linkage, q, ad.q) - exact).max() <= most * np.abs(exact).max()


def test_it_comes_to_rest_where_forces_balance():
    linkage, rng = weightless(lw.samples.molecule(40, seed=1)), np.random.default_rng(0)
    q, force = linkage.random(rng), np.array([0.3, 0.5, -0.4])
    for joint in linkage.joints:
        linkage.add_force(lw.JointSpring(joint, 0.5, q[joint.q_slice]))
    linkage.add_force(lw.Spring("atom10", "ground", (0.1, 0, 0), (1, 2, 3), stiffness=0.05, rest_length=1.0))
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-5, gain=2.0)
    ad.set_potential("atom20", periodic=[(0.2, 3, 0.4)])
    ad.set_potential("atom21", table=0.2 * (1 + np.cos(3 * np.linspace(-np.pi, np.pi, 361)[:-1] - 0.4)))
    ad.apply_force("atom30", force)
    for _ in range(1500):
        ad.step()
    x = ad.q
    springs = lw.forward_dynamics(linkage, x, np.zeros(linkage.nv))  # of the linkage: M⁻¹ of their torques
    left = lw.mass_matrix(linkage, x) @ springs + lw.jacobian(linkage, x, "atom30")[:3].T @ force
    left[20:22] += 0.6 * np.sin(3 * x[20:22] - 0.4)
    assert np.abs(left).max() < 1e-6


def test_potentials_are_checked():
    linkage = lw.samples.random_tree(6, seed=0, base="free")
    ad = lw.AdaptiveSimulation(linkage)
    with pytest.raises(lw.ArgumentError, match="one coordinate"):
        ad.set_potential(linkage.joints[0], stiffness=1.0)
    chain = lw.AdaptiveSimulation(lw.samples.chain(3))
    with pytest.raises(lw.ArgumentError, match="at least 4"):
        chain.set_potential("link1", table=[1.0, 2.0])
    with pytest.raises(lw.ArgumentError, match="multiplicity"):
        chain.set_potential("link1", periodic=[(1.0, 2.0)])


def test_a_run_keeps_what_moved_and_goes_on(tmp_path):
    linkage = weightless(lw.samples.molecule(200, seed=2))
    q = linkage.random(3)

    def start():
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-4, gain=1e-5, dt=0.5)
        ad.apply_force("atom150", (1.0, 0.0, 0.5))
        return ad

    ad, times = start(), []
    whole = ad.run(10.0, every=3, progress=times.append)
    assert times == [1.5, 3.0, 4.5, 6.0, 7.5, 9.0]
    np.testing.assert_array_equal(whole.t, [0.0, *times, 10.0])
    np.testing.assert_array_equal(whole.q(), ad.q)
    assert whole.numbers < 200 + 0.5 * 7 * 200
    file = tmp_path / "run.h5"
    first = start().run(6.0, every=3, record=file, events=lambda ad, report: ad.t >= 4.5)
    assert first.t[-1] == 4.5
    again = start().run(10.0, every=3, record=file, resume=True)
    assert again.t.tolist() == whole.t.tolist()
    np.testing.assert_allclose(again.q(), whole.q(), atol=1e-9)
    read = lw.SparseRecording.load(file)
    assert read.computed == again.computed
    for (_, one), k in zip(read.states(), range(len(read)), strict=True):
        np.testing.assert_array_equal(one, again.q(k))
    np.testing.assert_array_equal(read.to_recording(linkage).q[2], again.q(2))
    with pytest.raises(lw.ArgumentError, match="gain was"):
        lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-4, gain=2e-5, dt=0.5).run(1.0, record=file, resume=True)
    with pytest.raises(lw.ArgumentError, match="cannot be read"):
        lw.SparseRecording.load(tmp_path / "none.h5")
    with pytest.raises(lw.DescriptionError, match=r"read it with lw\.SparseRecording\.load"):
        lw.Recording.load(file)
    with pytest.raises(lw.ArgumentError, match=r"until = 1 s is past: the simulation is at 10 s"):
        start().run(1.0, every=3, record=file, resume=True)


def test_a_run_that_is_killed_leaves_what_it_had(tmp_path, monkeypatch):
    """Savings in between, here after every record, are of whole states that a run goes on from."""
    linkage, file = lw.samples.molecule(60, seed=4), tmp_path / "run.h5"

    def start():
        ad = lw.AdaptiveSimulation(linkage, linkage.random(np.random.default_rng(4)), tolerance=2.0**-5, dt=0.5)
        ad.apply_force("atom30", (1, 2, 3))
        return ad

    times, kept = [], []

    def watch(t):
        times.append(t)
        kept.append(lw.SparseRecording.load(file).t[-1] if file.exists() else None)

    start().run(2.0, record=file, progress=watch)
    assert (times, kept) == ([0.5, 1.0, 1.5, 2.0], [None] * 4)  # too short to be saved in between
    file.unlink()
    times.clear(), kept.clear()
    monkeypatch.setattr("linkwork.quasistatics.sparse_recording.PERIOD", 0.0)
    monkeypatch.setattr("time.monotonic", itertools.count().__next__)
    start().run(200.0, record=file, progress=watch)
    saved = sorted({t for t in kept if t is not None})
    assert len(saved) > 3
    assert all(t is None or t <= now for t, now in zip(kept, times, strict=True))


@pytest.mark.parametrize("measure", ["displacement", "acceleration"])
def test_what_is_asked_after_a_step_is_of_where_it_has_moved(measure):
    """Records follow with the next step, or when they are asked for something, forces changed or not."""
    linkage, rng = weightless(lw.samples.molecule(300, seed=2)), np.random.default_rng(2)
    options = {"tolerance": 2.0**-9, "gain": 1e-3, "measure": measure}
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), **options)

    def anew():
        other = lw.AdaptiveSimulation(linkage, ad.q, **options)
        for body, point, force in ad.forces:
            other.apply_force(linkage.bodies[body].name, force, point)
        return other

    def total(each):
        return each.total_acceleration

    def wrenches(each):
        return each.joint_wrenches(["atom40", "atom120"])

    def inertia(each):
        return each.subassembly("atom120").I

    def place(each):
        return each.pose("atom250").position

    def accelerations(each):
        each.refine(tolerance=0.0)
        return each.a

    def after_a_cut(each):
        if each is ad:
            ad.cut("atom200")
        return accelerations(each)

    for k, ask in enumerate([total, wrenches, inertia, place, accelerations, after_a_cut]):
        ad.apply_force("atom120", (1.0, 0.2 * k, 0.0))
        ad.step()
        before = ad.q
        ad.step()
        assert np.abs(ad.q - before).max() > 1e-6
        if k % 2:
            ad.apply_force("atom250", (0.0, 0.1 * k, 1.0))
        value = ask(ad)
        np.testing.assert_allclose(value, ask(anew()), rtol=0, atol=1e-7 * np.abs(value).max())
