"""Adaptive quasi-statics: bounds against dense truth, lazily kept coefficients against fresh ones, changes."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.layout.adaptive import MEASURES
from linkwork.kernels.layout.nodes import KIND, LEAF, MATRIX, PLACE, PORT, TOTAL
from linkwork.kernels.numba_ext import MODE
from linkwork.quasistatics.adaptive_simulation import PATIENCE
from linkwork.quasistatics.exact_step import at_rest


def weightless(linkage):
    linkage.gravity = (0, 0, 0)
    return linkage


def external(ad):
    """The forces of a simulation as f_ext."""
    rotations = lw.body_poses(ad.linkage, ad.q).rotations
    f_ext = np.zeros((ad.linkage.nb, 6))
    for body, row in ad._loads.forces.items():
        f_ext[body, :3] = row[3:6]
        f_ext[body, 3:] = row[6:9] + np.cross(rotations[body] @ row[:3], row[3:6])
    return f_ext


def exact(ad, method="dca"):
    """Accelerations of a simulation's linkage by an exact algorithm."""
    return lw.forward_dynamics(ad.linkage, ad.q, np.zeros(ad.linkage.nv), ad._loads.tau, external(ad), method=method)


def push_at_random(ad, rng, count):
    linkage = ad.linkage
    for body in rng.choice(linkage.nb, min(count, linkage.nb), replace=False):
        force, point, moment = rng.normal(size=(3, 3))
        ad.apply_force(linkage.bodies[int(body)].name, force, point, moment=moment)
    for joint in linkage.joints:
        if joint.nv and rng.random() < 0.3:
            ad.apply_torque(joint.name, rng.normal(size=joint.nv))


def random_model(seed):
    rng = np.random.default_rng(seed)
    n, kind = int(rng.integers(5, 60)), seed % 5
    if kind == 0:
        return lw.samples.molecule(n, seed=seed, branching=0.4)
    if kind == 1:
        return lw.samples.random_tree(n, seed=seed, joints=("Revolute",), branching=1.0)
    if kind == 2:
        return lw.samples.random_tree(n, seed=seed, branching=0.5)
    if kind == 3:
        return lw.samples.chain(n)
    return lw.samples.random_tree(n, seed=seed, base="free", branching=0.3)


@pytest.mark.parametrize("seed", range(12))
def test_total_acceleration_is_the_sum_of_squares(seed):
    linkage, rng = random_model(seed), np.random.default_rng(seed)
    q = linkage.random(rng)
    ad = lw.AdaptiveSimulation(linkage, q, measure="acceleration")
    push_at_random(ad, rng, 6)
    a = exact(ad, "aba")
    assert ad.total_acceleration == pytest.approx(a @ a, rel=1e-9)
    weighted = pickle.loads(pickle.dumps(ad))
    weighted.__setstate__(weighted.__getstate__() | {"measure": "displacement", "error": "relative-linkage"})
    assert weighted.total_acceleration == pytest.approx(a @ lw.mass_matrix(linkage, q) @ a, rel=1e-9)


@pytest.mark.nojit
def test_tolerance_zero_computes_every_joint():
    linkage, rng = lw.samples.random_tree(7, seed=3, base="free"), np.random.default_rng(3)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=0.0)
    push_at_random(ad, rng, 3)
    ad.refine(tolerance=0.0)
    a = exact(ad)
    np.testing.assert_allclose(ad.a, a, rtol=0, atol=1e-10 * np.abs(a).max())


def error(measure, difference, a, linkage):
    """[Redon2005] definition 2."""

    def size(x):
        if measure.endswith("linkage"):
            return np.linalg.norm(x)
        return max(np.linalg.norm(x[joint.v_slice]) for joint in linkage.joints)

    return size(difference) / size(a) if measure.startswith("relative") else size(difference)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_true_error_is_within_the_bound(measure):
    claims = 0
    for seed in range(50):
        linkage, rng = random_model(seed), np.random.default_rng(seed)
        q = linkage.random(rng)
        # every other model is held against gravity, so that large static loads nearly cancel
        held = seed % 2 == 0 and seed % 5 != 4
        body, force = int(rng.integers(linkage.nb)), rng.normal(size=3) * 10.0 ** rng.uniform(-6, 0)
        name = linkage.bodies[body].name
        H, gravity = lw.mass_matrix(linkage, q), lw.gravity_torques(linkage, q)
        right = lw.jacobian(linkage, q, name)[:3].T @ force
        a = np.linalg.solve(H, right if held else right - gravity)
        if not a.any():  # a force on what cannot move
            continue
        ad = lw.AdaptiveSimulation(linkage, q, error=measure, measure="acceleration")
        for joint in linkage.joints:
            if held and joint.nv:
                ad.apply_torque(joint.name, gravity[joint.v_slice])
        ad.apply_force(name, force)
        unit = 1.0 if measure.startswith("relative") else np.linalg.norm(a)
        unsure = 1e-15 * np.linalg.cond(H) * unit  # of the dense solve itself
        if held:  # the torques were rounded to floats, and those are what the simulation is given
            rounded = np.abs(np.linalg.inv(H)) @ np.full(linkage.nv, 1e-15 * np.abs(gravity).max())
            unsure += error(measure, rounded, a, linkage)
        for k in range(1, 20, 2):
            report = ad.refine(tolerance=2.0**-k * unit)
            if report.claimed:
                claims += 1
                assert report.error_bound <= 2.0**-k * unit
                assert error(measure, ad.a - a, a, linkage) <= report.error_bound + unsure
    assert claims > 450  # of 500: the others ask for less than the noise floor


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (lambda: lw.samples.chain(1000), 1e-6),
        (lambda: lw.samples.millipede(200), 1e-6),
        (lambda: lw.samples.molecule(5000), 1e-6),
        (lambda: lw.samples.molecule(50_000), 1e-6),
        (lambda: lw.samples.chain(50_000), 1e-6),
        (lambda: lw.samples.millipede(1000), 1e-6),
        (lambda: lw.samples.random_tree(1000, seed=0, joints=("Revolute",), branching=1.0), 1e-4),
    ],
)
def test_noise_floor_where_torques_hold_the_weight(make, most):
    linkage, rng = make(), np.random.default_rng(0)
    q = linkage.random(rng)
    ad = lw.AdaptiveSimulation(linkage, q)
    ad._loads.tau[:] = lw.gravity_torques(linkage, q)
    ad._parts.rebuild()
    for body in rng.integers(linkage.nb, size=5):
        ad.apply_force(linkage.bodies[int(body)].name, rng.normal(size=3))
        assert ad.refine(tolerance=2.0**-11).noise_floor <= most


def residual(linkage, q, a, tau, forces):
    """τ − inverse dynamics in long doubles, of a tree of hinges at rest; forces act at origins, in world axes."""
    long, c = np.longdouble, linkage.columns
    z = c.axis.astype(long)
    K = np.zeros((linkage.nb, 3, 3), long)
    K[:, [2, 0, 1], [1, 2, 0]], K[:, [1, 2, 0], [2, 0, 1]] = z, -z
    angle = q.astype(long)[:, None, None]
    turn = np.eye(3, dtype=long) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)
    R, p = c.at_rotation.astype(long) @ turn, c.at_position.astype(long)
    world, w, v = np.empty_like(R), np.empty_like(p), np.empty_like(p)
    for i, up in enumerate(c.parent):
        above = (np.eye(3), np.zeros(3), -linkage.gravity) if up < 0 else (world[up], w[up], v[up])
        world[i] = above[0] @ R[i]
        w[i], v[i] = R[i].T @ above[1] + a[i] * z[i], R[i].T @ (above[2] + np.cross(above[1], p[i]))
    inertia = c.inertia.astype(long)[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(-1, 3, 3)
    f = c.mass[:, None] * (v + np.cross(w, c.com)) - np.einsum("nji,nj->ni", world, forces)
    n = np.einsum("nij,nj->ni", inertia, w) + np.cross(c.com, c.mass[:, None] * (v + np.cross(w, c.com)))
    for i in range(linkage.nb - 1, 0, -1):
        up, carried = c.parent[i], R[i] @ f[i]
        f[up] += carried
        n[up] += R[i] @ n[i] + np.cross(p[i], carried)
    return tau - (n * z).sum(1)


def refined(linkage, q, tau, forces):
    """Accelerations for these very floats, by iterative refinement: far more digits than floats hold."""
    a, weightless = np.zeros(linkage.nv, np.longdouble), linkage.copy()
    weightless.gravity = (0, 0, 0)
    for _ in range(5):
        right = residual(linkage, q, a, tau, forces).astype(float)
        a = a + lw.forward_dynamics(weightless, q, np.zeros(linkage.nv), right)
    return a


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="long doubles are no longer than doubles here")
@pytest.mark.parametrize("make", [lw.samples.molecule, lw.samples.chain])
def test_loads_that_nearly_cancel_leave_nearly_all_digits(make):
    linkage, rng = make(800), np.random.default_rng(3)
    q = linkage.random(rng)
    tau, forces = lw.gravity_torques(linkage, q), np.zeros((linkage.nb, 3))
    forces[600] = 1e-4 * rng.normal(size=3)
    ad = lw.AdaptiveSimulation(linkage, q, gain=1e-3, measure="acceleration")
    ad._loads.tau[:] = tau
    ad._parts.rebuild()
    ad.apply_force(linkage.bodies[600].name, forces[600])
    for moved in (False, True):
        report = ad.refine(tolerance=0.0)
        a = refined(linkage, ad.q, tau, forces)
        true, plain = np.abs(ad.a - a).max() / np.abs(a).max(), np.abs(exact(ad, "aba") - a).max() / np.abs(a).max()
        assert true <= report.noise_floor
        # Three digits better than the articulated-body algorithm, or the last digit of a float. In plain mode that
        # algorithm's own rounding differs, by a tenth here, with the release of Numba.
        assert true < max((1e-3 if MODE == "fast" else 2e-3) * plain, 1e-14)
        if not moved:
            for _ in range(30):
                ad.step()


@pytest.mark.parametrize("measure", ["displacement", "acceleration"])
@pytest.mark.parametrize(
    "make",
    [
        lambda: lw.samples.molecule(400, seed=2),
        lambda: lw.samples.millipede(20),
        lambda: lw.samples.chain(200),
        lambda: lw.samples.random_tree(100, seed=5),
        lambda: lw.samples.random_tree(60, seed=6, base="free"),
    ],
)
def test_lazily_kept_coefficients_are_those_of_a_full_recomputation(make, measure):
    linkage, rng = weightless(make()), np.random.default_rng(1)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=2.0**-7, gain=1e-5, measure=measure)
    for body in rng.integers(linkage.nb, size=3):
        ad.apply_force(linkage.bodies[int(body)].name, rng.normal(size=3))
    reports = [ad.step() for _ in range(1000)]
    assert not any(report.exact for report in reports)
    assert all(report.error_bound <= ad.tolerance for report in reports)
    ad._parts.catch_up()
    lazy = ad._parts.buffer.copy()
    ad._parts.rebuild()
    for node in ad._parts.nodes[ad._parts.nodes[:, KIND] != LEAF]:
        quadratic = MATRIX if measure == "acceleration" else 2  # or the inertia of the rigid twin
        places = [(node[PLACE], MATRIX), (node[TOTAL], quadratic)]
        if node[PORT] >= 0:
            places.append((node[PORT], 2 * MATRIX))
        for row, rows in places:
            fresh = ad._parts.buffer[row : row + rows]
            np.testing.assert_allclose(lazy[row : row + rows], fresh, rtol=0, atol=1e-10 * np.abs(fresh).max())


def test_bounds_stay_valid_while_it_moves():
    linkage, rng = weightless(lw.samples.molecule(300, seed=1)), np.random.default_rng(2)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=2.0**-9, gain=1e-5, measure="acceleration")
    ad.apply_force("atom250", (1.0, 0.5, -0.2))
    ad.apply_torque("atom100", 0.3)
    for step in range(3000):
        if step % 500 == 0:
            report = ad.refine(tolerance=2.0**-9)
            a = exact(ad, "aba")
            assert np.abs(ad.a - a).max() / np.abs(a).max() <= report.error_bound <= 2.0**-9
        ad.step()


def test_a_tight_tolerance_follows_the_exact_motion():
    linkage, rng = weightless(lw.samples.molecule(200, seed=3)), np.random.default_rng(0)
    q = linkage.random(rng)
    ends = []
    for tolerance in (1e-1, 1e-9):
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=tolerance, gain=1e-5)
        ad.apply_force("atom150", (1.0, 0.0, 0.0))
        for _ in range(200):
            ad.step()
        ends.append(ad.q)
    f_ext = np.zeros((linkage.nb, 6))
    f_ext[150, 0] = 1.0
    for _ in range(200):
        q = q + 1e-5 * lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), None, f_ext)
    assert np.abs(ends[1] - q).max() < 1e-9
    assert np.abs(ends[0] - q).max() > 1e-6  # the loose one really leaves something out


def test_few_joints_are_computed():
    linkage, rng = weightless(lw.samples.molecule(20_000)), np.random.default_rng(0)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=2.0**-19)
    ad.apply_force("atom9000", (1.0, 2.0, 3.0))
    report = ad.step()
    assert report.claimed
    assert report.computed < 400
    assert report.updated_nodes < 450
    assert ad.nbytes < 6000 * linkage.nv


def test_refinement_at_any_time():
    linkage, rng = weightless(lw.samples.molecule(2000)), np.random.default_rng(0)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=1e-6)
    ad.apply_force("atom1000", (1.0, 2.0, 3.0))
    bounds = [ad.refine(joints=count).error_bound for count in (10, 20, 40, 80)]
    assert bounds == sorted(bounds, reverse=True)
    assert ad.refine(joints=80).computed == 80
    assert ad.refine(seconds=0.01).error_bound <= bounds[-1]
    report = ad.refine(tolerance=1e-3)
    assert np.count_nonzero(ad.a) == report.computed
    with pytest.raises(lw.ArgumentError, match="one of"):
        ad.refine()


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("base", ["fixed", "free"])
def test_accelerations_at_rest_are_those_of_forward_dynamics(base):
    linkage, rng = lw.samples.random_tree(25, seed=5, base=base, branching=0.6), np.random.default_rng(5)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng))
    bodies, tau = rng.choice(linkage.nb, 6, replace=False), rng.normal(size=linkage.nv)
    forces, points, moments = rng.normal(size=(3, 6, 3))
    ad.apply_forces(bodies, forces, points, moments=moments)
    ad.apply_torques(None, tau)
    true = lw.forward_dynamics(linkage, ad.q, np.zeros(linkage.nv), tau, external(ad))
    np.testing.assert_allclose(at_rest(ad), true, rtol=0, atol=1e-12 * np.abs(true).max())


def test_bodies_and_joints_by_lists_of_rows():
    linkage = weightless(lw.samples.chain(9))
    named, listed = lw.AdaptiveSimulation(linkage), lw.AdaptiveSimulation(linkage)
    forces = np.arange(6.0).reshape(2, 3)
    named.apply_forces(["link3", "link7"], forces)
    named.apply_torques([linkage.joints[2].name], [0.5])
    listed.apply_forces([3, 7], forces)
    listed.apply_torques([2], [0.5])
    named.step()
    listed.step()
    np.testing.assert_array_equal(named.q, listed.q)
    with pytest.raises(lw.ArgumentError, match="from 0 to 8"):
        listed.apply_forces([3, 9], forces)


def test_exact_steps_where_too_many_joints_matter():
    linkage, rng = lw.samples.tree(600, branching=3), np.random.default_rng(0)
    q = linkage.random(rng)
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=1e-6, measure="acceleration")
    report = ad.step()
    assert report.exact
    assert report.computed == linkage.nb
    a = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv))
    np.testing.assert_allclose(ad.q, linkage.integrate(q, ad.gain * a), atol=1e-12)
    for _ in range(3 * PATIENCE[0]):
        ad.step()
    np.testing.assert_allclose(ad.total_acceleration, np.sum(exact(ad, "aba") ** 2), rtol=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_floor_of_exact_steps_is_that_of_floats(measure):
    linkage, rng = lw.samples.molecule(800), np.random.default_rng(0)
    q = linkage.random(rng)
    tau, forces = lw.gravity_torques(linkage, q), np.zeros((linkage.nb, 3))
    forces[::3] = 1e-3 * rng.normal(size=(len(forces[::3]), 3))
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=1e-12, error=measure, measure="acceleration")
    ad._loads.tau[:] = tau
    for body in range(0, linkage.nb, 3):
        ad.apply_force(linkage.bodies[body].name, forces[body])
    ad._parts.stale = True
    a, plain, report = refined(linkage, q, tau, forces), exact(ad, "aba"), ad.step()
    assert report.exact
    assert not report.claimed
    true = error(measure, (plain - a).astype(float), a.astype(float), linkage)
    assert 1e-13 * error(measure, a.astype(float), a.astype(float), linkage) < true <= report.noise_floor


def test_forces_are_replaced_and_taken_away():
    linkage = weightless(lw.samples.molecule(500))
    ad = lw.AdaptiveSimulation(linkage, linkage.random(0), tolerance=1e-4)
    ad.apply_force("atom400", (1.0, 0.0, 0.0))
    ad.step()
    ad.apply_force("atom400", (0.0, 0.0, 0.0))
    report = ad.step()
    assert report.computed <= 1
    assert ad.total_acceleration == pytest.approx(0.0, abs=1e-20)


@pytest.mark.parametrize("seed", range(4))
def test_cutting_keeps_what_is_as_before(seed):
    linkage, rng = lw.samples.molecule(600, seed=seed), np.random.default_rng(seed)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=1e-3, gain=1e-6, measure="acceleration")
    ad.apply_force("atom500", (1.0, 0.0, 0.0))
    ad.apply_torque("atom20", 0.7)
    ad.step()
    rows = ad._parts.rows
    ad.cut(f"atom{int(rng.integers(100, 500))}")
    assert ad._parts.rows - rows < 0.35 * rows  # records made anew
    ad.refine(tolerance=0.0)
    a = exact(ad, "aba")
    np.testing.assert_allclose(ad.a, a, rtol=0, atol=1e-9 * np.abs(a).max())
    ad.step()
    assert ad.total_acceleration == pytest.approx(np.sum(exact(ad, "aba") ** 2), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_poses_on_demand(seed):
    linkage, rng = random_model(seed), np.random.default_rng(seed)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=1e-2, gain=1e-4)
    push_at_random(ad, rng, 3)
    for _ in range(20):
        ad.step()
    poses = lw.body_poses(linkage, ad.q)
    for body in linkage.bodies:
        pose = ad.pose(body)
        np.testing.assert_allclose(pose.position, poses.positions[body.index], atol=1e-9)
        np.testing.assert_allclose(pose.rotation, poses.rotations[body.index], atol=1e-9)


def test_it_pickles():
    linkage = weightless(lw.samples.molecule(100))
    ad = lw.AdaptiveSimulation(linkage, linkage.random(0), tolerance=1e-4, gain=1e-5)
    ad.apply_force("atom50", (1.0, 0.0, 0.0))
    ad.step()
    other = pickle.loads(pickle.dumps(ad))
    for _ in range(10):
        ad.step()
        other.step()
    np.testing.assert_allclose(other.q, ad.q, atol=1e-12)


def test_a_change_behind_its_back_is_noticed():
    linkage = lw.samples.chain(10)
    ad = lw.AdaptiveSimulation(linkage, linkage.neutral(), measure="acceleration")
    change = linkage.cut("link5")
    with pytest.raises(lw.StructureError, match="follow"):
        ad.step()
    ad.follow(change)
    ad.step()
    linkage.gravity = (1.0, 0.0, 0.0)
    assert ad.total_acceleration == pytest.approx(np.sum(exact(ad, "aba") ** 2), rel=1e-9)


def test_wrong_arguments_are_explained():
    linkage = lw.samples.chain(3)
    q = linkage.neutral()
    with pytest.raises(lw.ArgumentError, match="relative-joint"):
        lw.AdaptiveSimulation(linkage, q, error="relative")
    with pytest.raises(lw.ArgumentError, match="tolerance"):
        lw.AdaptiveSimulation(linkage, q, tolerance=-1.0)
    ad = lw.AdaptiveSimulation(linkage, q)
    with pytest.raises(lw.ArgumentError, match="link1"):
        ad.apply_force("lnk1", (1, 0, 0))
    with pytest.raises(lw.ArgumentError, match="finite"):
        ad.apply_force("link1", (np.nan, 0, 0))
    with pytest.raises(lw.ArgumentError, match="ground"):
        ad.apply_force("ground", (1, 0, 0))
    with pytest.raises(lw.ArgumentError, match="over the whole linkage"):
        lw.AdaptiveSimulation(linkage, q, measure="displacement", error="relative-joint")
    with pytest.raises(lw.ArgumentError, match="displacement"):
        lw.AdaptiveSimulation(linkage, q, measure="displacements")
    linkage.add_force(lw.JointFriction("link1", 1.0))
    with pytest.raises(lw.ArgumentError, match="JointFriction"):
        ad.step()


def test_a_report_is_typed_frozen_and_short():
    report = lw.StepReport(7, 0.25, 1e-9, True)
    assert (report.updated_nodes, report.exact, report.gap) == (0, False, 0.0)
    assert repr(report) == "StepReport(7 joints computed, error <= 0.25)"
    assert repr(lw.StepReport(9, 0.5, 0.5, False, exact=True)) == (
        "StepReport(exact, 9 joints computed, error <= 0.5, above the tolerance)"
    )
    with pytest.raises(AttributeError):
        report.computed = 8


def test_time_goes_on_with_the_steps():
    linkage = weightless(lw.samples.chain(5))
    ad = lw.AdaptiveSimulation(linkage, dt=0.25)
    for _ in range(3):
        ad.step()
    assert ad.t == 0.75
    assert "t=0.75 s" in repr(ad)
