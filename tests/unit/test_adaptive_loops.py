"""Adaptive quasi-statics of closed linkages: against exact methods, bounds, gaps, loops made and cut on the way."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.constraints import constrained_step, residuals
from linkwork.kernels.layout.adaptive import MEASURES

TYPES = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical")


def cross_linked(n, links, seed=0):
    """A weightless molecule with ball joints between random atoms, closed at a random pose."""
    linkage, rng = lw.samples.molecule(n, seed=seed), np.random.default_rng(seed)
    linkage.gravity = (0, 0, 0)
    q = linkage.random(rng)
    for k in range(links):
        link(linkage, q, *rng.choice(n, 2, replace=False), name=f"link{k}")
    return linkage, q


def link(linkage, q, i, j, connect=None, **options):
    a, b, poses = f"atom{i}", f"atom{j}", lw.body_poses(linkage, q)
    return (connect or linkage.connect)(a, b, lw.Spherical(), at_a=poses[a].inverse() @ poses[b], **options)


def exact(ad, f_ext):
    """Accelerations that the forces give, and those that close the gaps within the step."""
    linkage, q = ad.linkage, ad.q
    a = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), ad._loads.tau, f_ext)
    if len(linkage.loops) or linkage.couplings:
        a = a + constrained_step(linkage, q, -residuals(linkage, q).row_error).x / ad.gain
    return a


def error(measure, difference, a, linkage):
    """[Redon2005] definition 2."""

    def size(x):
        if measure.endswith("linkage"):
            return np.linalg.norm(x)
        return max(np.linalg.norm(x[joint.v_slice]) for joint in linkage.joints)

    return size(difference) / size(a) if measure.startswith("relative") else size(difference)


@pytest.mark.parametrize("kind", TYPES)
def test_tolerance_zero_equals_divide_and_conquer(kind):
    for seed in range(4):
        linkage, q = lw.samples.random_closed(12, joint=kind, loops=1 + seed % 3, seed=seed)
        f_ext, rng = np.zeros((linkage.nb, 6)), np.random.default_rng(seed)
        f_ext[5, :3] = rng.normal(size=3)
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, gain=1.0)
        ad.apply_force(linkage.bodies[5].name, f_ext[5, :3])
        report = ad.refine(tolerance=0.0)
        a = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), None, f_ext, method="dca")
        np.testing.assert_allclose(ad.a, a, rtol=0, atol=1e-9 * np.abs(a).max())
        assert ad.total_acceleration == pytest.approx(2 * lw.kinetic_energy(linkage, q, a), rel=1e-9)
        assert report.gap < 1e-12


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_a_small_closed_linkage():
    linkage, q = lw.samples.random_closed(5, joint="Revolute", loops=2, seed=1)
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, gain=1.0)
    ad.refine(tolerance=0.0)
    a = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv))
    np.testing.assert_allclose(ad.a, a, rtol=0, atol=1e-9 * np.abs(a).max())


@pytest.mark.parametrize("measure", MEASURES)
def test_the_true_error_is_within_the_bound(measure):
    claims = 0
    for seed in range(50):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(12, 60))
        linkage, q = lw.samples.random_closed(n, joint=TYPES[seed % 8], loops=1 + seed % 3, seed=seed)
        body, force = int(rng.integers(n)), rng.normal(size=3) * 10.0 ** rng.uniform(-6, 0)
        f_ext, tau = np.zeros((n, 6)), np.zeros(linkage.nv)
        f_ext[body, :3] = force
        # every other one is held against gravity: what is left are the accelerations of a weightless one
        truth = linkage.copy()
        if seed % 2 == 0:
            tau, truth.gravity = lw.gravity_torques(linkage, q), (0, 0, 0)
        a = lw.forward_dynamics(truth, q, np.zeros(linkage.nv), None, f_ext, method="crba")
        ad = lw.AdaptiveSimulation(linkage, q, error=measure, measure="acceleration", gain=1.0)
        for joint in linkage.joints:
            if joint.nv:
                ad.apply_torque(joint.name, tau[joint.v_slice])
        ad.apply_force(linkage.bodies[body].name, force)
        unit = 1.0 if measure.startswith("relative") else np.linalg.norm(a)
        H = lw.mass_matrix(linkage, q)
        unsure = 1e-15 * np.linalg.cond(H) * unit  # of the dense solve itself
        if tau.any():  # the torques were rounded to floats, and those are what the simulation is given
            rounded = np.abs(np.linalg.inv(H)) @ np.full(linkage.nv, 1e-15 * np.abs(tau).max())
            unsure += error(measure, rounded, a, linkage)
        for k in range(1, 20, 2):
            report = ad.refine(tolerance=2.0**-k * unit)
            if report.claimed:
                claims += 1
                assert report.error_bound <= 2.0**-k * unit
                assert error(measure, ad.a - a, a, linkage) <= report.error_bound + unsure
    assert claims > 450  # of 500: the others ask for less than the noise floor


@pytest.mark.parametrize("measure", ["displacement", "acceleration"])
def test_bounds_hold_and_loops_stay_closed_while_it_moves(measure):
    """In measures of accelerations joints left out do not close their part of a gap; in that of displacements the
    motion is the nearest one that does, whatever is held."""
    gaps = {}
    for tolerance in (2.0**-3, 2.0**-9, 2.0**-19):
        linkage, q = cross_linked(2000, 3, seed=1)
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=tolerance, gain=1e-5, measure=measure)
        ad.apply_force("atom1000", (1.0, 0.5, -0.2))
        f_ext = np.zeros((linkage.nb, 6))
        f_ext[1000, :3] = 1.0, 0.5, -0.2
        reports = []
        for step in range(300):
            if step % 60 == 0:
                report, a = ad.refine(tolerance=tolerance), exact(ad, f_ext)
                true = np.abs(ad.a - a).max() / np.abs(a).max()
                if measure == "displacement":  # weighted by mass
                    energies = (lw.kinetic_energy(linkage, ad.q, x) for x in (ad.a - a, a))
                    true = (next(energies) / next(energies)) ** 0.5
                assert true <= report.error_bound <= tolerance
            reports.append(ad.step())
        assert not any(report.exact for report in reports)
        assert np.abs(linkage.difference(q, ad.q)).max() > 1e-3
        gaps[tolerance] = max(report.gap for report in reports)
    if measure == "displacement":
        assert max(gaps.values()) < 1e-12
    else:
        assert gaps[2.0**-9] < 1e-5  # of the tolerance's share of a step's motion
        assert gaps[2.0**-19] < 1e-8


def test_errors_of_closed_linkages_are_told_to_a_percent():
    """E of the motion in which parts are held and loops are closed, against dense algebra."""
    checks = 0
    for seed in range(48):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(12, 60))
        linkage, q = lw.samples.random_closed(n, joint=TYPES[seed % 8], loops=1 + seed % 3, seed=seed)
        if seed % 2 == 0:
            linkage.gravity = (0, 0, 0)
        body, f_ext = int(rng.integers(n)), np.zeros((n, 6))
        f_ext[body, :3] = rng.normal(size=3) * 10.0 ** rng.uniform(-3, 1)
        ad = lw.AdaptiveSimulation(linkage, q, gain=1e-4)
        ad.apply_force(linkage.bodies[body].name, f_ext[body, :3])
        for _ in range(2):
            H, a = lw.mass_matrix(linkage, ad.q), exact(ad, f_ext)
            size, unsure = np.sqrt(a @ H @ a), 1e-15 * np.linalg.cond(H) + 1e-9
            for k in (1, 4, 7, 10, 13):
                report, difference = ad.refine(tolerance=2.0**-k), ad.a - a
                true = np.sqrt(difference @ H @ difference) / size
                assert true <= report.error_bound + unsure
                if true > 1e3 * (unsure + report.noise_floor):
                    checks += 1
                    assert report.error_bound == pytest.approx(true, rel=0.01)
            ad.step()
    assert checks > 200  # of 480: in the others what is left is rounding


def test_couplings_hold_whatever_is_held():
    linkage, q = cross_linked(1000, 0, seed=6)
    linkage.couplings.append(lw.Coupling("atom400", of="atom600", multiplier=0.5, offset=q[400] - 0.5 * q[600]))
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-3, gain=1e-5)
    ad.apply_force("atom500", (1.0, 0.5, -0.2))
    reports = [ad.step() for _ in range(100)]
    assert max(report.computed for report in reports) < 150
    assert np.abs(ad.q - q).max() > 1e-3
    assert max(report.gap for report in reports) < 1e-12


def test_loops_are_made_and_cut_between_steps():
    linkage, q = cross_linked(1000, 0, seed=3)
    link(linkage, q, 290, 310, name="first")
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-14, gain=1e-5, measure="acceleration")
    ad.apply_force("atom300", (1.0, 0.0, 0.3))
    f_ext = np.zeros((linkage.nb, 6))
    f_ext[300, :3] = 1.0, 0.0, 0.3
    changes = {
        20: lambda: link(linkage, ad.q, 298, 330, ad.connect, name="later"),
        40: lambda: ad.cut("first"),
        60: lambda: ad.cut("atom312"),  # a tree joint of the loop
        80: lambda: ad.follow(linkage.cut("later")),
        100: lambda: link(linkage, ad.q, 295, 320, ad.connect, name="last"),
    }
    for step in range(120):
        before = exact(ad, f_ext) if step in changes else None
        if before is not None:
            changes[step]()
        if before is not None or step % 10 == 5:
            report, a = ad.refine(tolerance=2.0**-14), exact(ad, f_ext)
            assert np.abs(ad.a - a).max() / np.abs(a).max() <= report.error_bound
            if before is not None and len(before) == len(a):  # the change is no small thing
                assert np.abs(a - before).max() > 10.0 * report.error_bound * np.abs(a).max()
        assert ad.step().gap < 1e-6


def test_a_gap_is_closed_in_the_next_step():
    linkage, q = cross_linked(100, 0, seed=5)
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, gain=1e-3)
    poses = lw.body_poses(linkage, q)
    there = poses["atom20"].inverse() @ poses["atom70"] @ lw.Pose((1e-3, 0.0, 0.0))
    ad.connect("atom20", "atom70", lw.Spherical(), at_a=there)
    gaps = [ad.step().gap for _ in range(4)]
    assert gaps[0] == pytest.approx(1e-3, rel=1e-6)
    assert gaps[1] < 1e-5  # second order in the displacement
    assert gaps[2] < 1e-9
    assert gaps[3] < 1e-13


def test_only_nodes_above_the_ends_are_looked_at():
    sizes = []
    for n in (2_000, 64_000):
        linkage, q = cross_linked(n, 2, seed=2)
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-11)
        ad.apply_force(f"atom{n // 2}", (1.0, 0.0, 0.0))
        ad.step()
        assert len(ad._parts.loops.tops.nodes) <= 8 * (linkage.assembly().depth + 1)  # four ends, two parts a node
        sizes.append(ad.step().computed)
    assert sizes[1] < 2_000


def test_loops_to_ground_and_exact_steps():
    linkage = lw.samples.chain(60)
    q = np.full(60, np.pi / 60)
    end = lw.body_poses(linkage, q)["link59"] @ lw.Pose((0.0, 0.0, -1.0))
    linkage.connect("ground", "link59", lw.Revolute("y"), at_a=end, at_b=lw.Pose((0.0, 0.0, -1.0)))
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-19, dt=1e-3)
    a = exact(ad, None)
    report = ad.refine(tolerance=2.0**-19)
    assert np.abs(ad.a - a).max() / np.abs(a).max() <= report.error_bound
    reports = [ad.step() for _ in range(300)]
    assert reports[-1].gap < 1e-8
    assert np.abs(ad.q - q).max() > 1e-3
    ad._exact_steps = 10
    reports = [ad.step() for _ in range(20)]
    assert [report.exact for report in reports] == [True] * 10 + [False] * 10
    assert max(report.gap for report in reports) < 1e-8


def test_pickles_and_goes_on():
    linkage, q = cross_linked(200, 2, seed=4)
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0)
    ad.apply_force("atom100", (1.0, 0.0, 0.0))
    ad.step()
    other = pickle.loads(pickle.dumps(ad))
    for each in (ad, other):
        each.step()
    np.testing.assert_allclose(other.q, ad.q, rtol=0, atol=1e-12)


@pytest.mark.parametrize("measure", ["displacement", "acceleration"])
def test_couplings_are_torques_on_their_joints(measure):
    linkage, rng = lw.samples.molecule(60, seed=3), np.random.default_rng(3)
    linkage.gravity = (0, 0, 0)
    linkage.couplings.append(lw.Coupling("atom41", of="atom12", multiplier=0.5, higher=(0.3,)))
    linkage.couplings.append(lw.Coupling("atom30", of="atom41", multiplier=-2.0))
    q = lw.close_loops(linkage, linkage.random(rng))
    f_ext = np.zeros((linkage.nb, 6))
    f_ext[50, :3] = 1.0, 2.0, 3.0
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, gain=1e-4, measure=measure)
    ad.apply_force("atom50", f_ext[50, :3])
    for _ in range(3):
        a = exact(ad, f_ext)
        ad.step()
        np.testing.assert_allclose(ad.a, a, rtol=0, atol=1e-8 * np.abs(a).max())
    ad.tolerance = 2.0**-9
    gaps = [ad.step().gap for _ in range(50)]
    assert max(gaps) < 0.02 * np.abs(ad.q - q).max()
    assert ad.q[41] == pytest.approx(0.5 * ad.q[12] + 0.3 * ad.q[12] ** 2, abs=2 * max(gaps))
    link(linkage, ad.q, 20, 55, ad.connect, name="bond")  # the other forces are found anew
    ad.tolerance = 0.0
    a = exact(ad, f_ext)
    ad.step()
    np.testing.assert_allclose(ad.a, a, rtol=0, atol=1e-8 * np.abs(a).max())
    ad.cut("atom7")
    assert ad.step().gap < 1e-6


@pytest.mark.parametrize("seed", range(12))
def test_cuts_of_every_joint_type_are_followed(seed):
    """The frame of a cut body's stage is another one, and so is what hangs on it."""
    linkage = lw.samples.random_tree(8, seed=seed)
    rng = np.random.default_rng(seed)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=0.0, dt=1e-3)
    ad.apply_force("body7", (1.0, 2.0, 3.0))
    ad.refine(tolerance=0.0)
    for body in rng.permutation(8)[:3].tolist():
        if linkage.columns.code[body] != lw.Free.code:
            ad.cut(linkage.columns.joint_names[body])
        ad.refine(tolerance=0.0)
        f_ext = np.zeros((8, 6))
        f_ext[7, :3] = 1.0, 2.0, 3.0
        expected = lw.forward_dynamics(linkage, ad.q, np.zeros(linkage.nv), f_ext=f_ext)
        assert np.abs(ad.a - expected).max() < 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize("change", ["cut", "connect", "cut loop"])
@pytest.mark.parametrize("load", ["force", "torque"])
def test_a_load_given_just_before_a_change_of_structure_acts_after_it(change, load):
    linkage = lw.samples.chain(40)
    linkage.gravity = (0.0, 0.0, 0.0)
    q = 0.1 * np.random.default_rng(0).normal(size=40)
    poses = lw.body_poses(linkage, q)
    if change == "cut loop":
        linkage.connect("ground", "link35", lw.Spherical(), at_a=poses["link35"], name="ball")
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, dt=1e-3)
    ad.refine(tolerance=0.0)
    f_ext = np.zeros((40, 6))
    if load == "force":
        ad.apply_force("link30", (1.0, 0.0, 1.0))
        f_ext[30, :3] = 1.0, 0.0, 1.0
    else:
        ad.apply_torque("link30", 2.0)
    if change == "connect":
        ad.connect("ground", "link35", lw.Spherical(), at_a=poses["link35"], name="ball")
    else:
        ad.cut("link10" if change == "cut" else "ball")
    ad.refine(tolerance=0.0)
    tau = np.zeros(linkage.nv)
    tau[linkage.joints["link30"].v_slice] = 0.0 if load == "force" else 2.0
    expected = lw.forward_dynamics(linkage, ad.q, np.zeros(linkage.nv), tau, f_ext)
    assert np.abs(ad.a - expected).max() < 1e-6 * np.abs(expected).max()


def test_bad_input_is_refused():
    linkage = lw.samples.chain(5)
    ad = lw.AdaptiveSimulation(linkage, np.zeros(5), tolerance=1e-3, dt=1e-3)
    for call in (
        lambda: ad.apply_torque("link3", [1.0, 2.0]),
        lambda: ad.apply_torque("link3", "far"),
        lambda: ad.refine(joints=np.nan),
        lambda: ad.refine(joints="all"),
        lambda: ad.refine(joints=-5),
        lambda: ad.follow(None),
    ):
        with pytest.raises(lw.ArgumentError):
            call()
    assert ad.refine(joints=10**30).computed == 5
