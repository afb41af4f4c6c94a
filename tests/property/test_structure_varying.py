"""Linkages that change while they move: momentum, energy and loops across a thousand connections and cuts."""

import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.constraints import residuals

TYPES = (lw.Fixed(), lw.Revolute((1, 2, 3)), lw.Prismatic("y"), lw.Helical("x", 0.2), lw.Cylindrical("z"),
         lw.Universal("x", "y"), lw.Planar("z"), lw.Spherical())  # fmt: skip


def momentum(linkage, q, v):
    return np.asarray(lw.momentum(linkage, q, v))


def swarm(bodies, rng):
    """Floating bodies without gravity: an isolated system, whatever joins them."""
    linkage = lw.Linkage(name="swarm", gravity=(0, 0, 0))
    for k in range(bodies):
        inertia = lw.Inertia.box(rng.uniform(0.2, 0.6, size=3), mass=float(rng.uniform(0.5, 2.0)))
        if k % 3:
            linkage.add_body(f"b{k}", inertia, joint=lw.Spherical(), parent=f"b{k - 1}", at=lw.Pose(rng.normal(size=3)))
        else:
            linkage.add_body(f"b{k}", inertia, joint=lw.Free())
    return linkage


def test_a_thousand_connections_and_cuts_in_a_running_simulation():
    rng = np.random.default_rng(0)
    linkage = swarm(9, rng)
    sim = lw.Simulation(linkage, linkage.random(rng), 0.3 * rng.normal(size=linkage.nv), dt=1e-3)
    expected = momentum(linkage, sim.q, sim.v)
    connected = cuts = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)  # random joints pass singular poses
        while connected + cuts < 1000:
            before, energy = sim.v.copy(), lw.kinetic_energy(linkage, sim.q, sim.v)
            stale = lw.solve(linkage, sim.q, sim.v)
            trees = [joint.name for joint in linkage.joints if not isinstance(joint.type, lw.Free)]
            draw = rng.random()
            if (len(linkage.loops) < 4 and draw < 0.5) or (not len(linkage.loops) and not trees):
                a, b = rng.choice(9, size=2, replace=False)
                sim.connect(f"b{a}", f"b{b}", TYPES[rng.integers(8)], at_a=lw.Pose(0.3 * rng.normal(size=3)))
                assert lw.kinetic_energy(linkage, sim.q, sim.v) <= energy + 1e-9 * max(1.0, energy)
                connected += 1
            elif trees and draw > 0.995:
                sim.cut(trees[rng.integers(len(trees))])
                assert lw.kinetic_energy(linkage, sim.q, sim.v) == pytest.approx(energy, abs=1e-9)
                cuts += 1
            elif len(linkage.loops):
                sim.cut(linkage.loops.names[rng.integers(len(linkage.loops))])
                assert np.array_equal(sim.v, before)
                cuts += 1
            else:
                continue
            with pytest.raises(lw.StructureError):
                _ = stale.a
            sim.step()
            state = residuals(linkage, sim.q, sim.v) if len(linkage.loops) else None
            assert state is None or (state.gap < 1e-9 and np.abs(state.rate).max(initial=0.0) < 1e-9)
            # momentum is a few units large: 1e-11 is rounding of an impact and of one step
            now = momentum(linkage, sim.q, sim.v)
            assert np.abs(now - expected).max() < 1e-11
            expected = now
    assert connected > 300
    assert cuts > 300
    final = lw.solve(linkage, sim.q, sim.v)
    assert final.residual < 1e-8


@pytest.mark.parametrize("k", range(8))
@pytest.mark.parametrize("case", ["same chain", "two chains", "ground", "others closed"])
def test_velocity_jumps(case, k):
    """Every type of joint: consistent after, momentum kept along what stays free, the energy lost is the difference."""
    rng = np.random.default_rng(10 * k)
    linkage = lw.Linkage(gravity=(0, 0, 0))
    for chain in "ab":
        for i in range(4):
            joint = lw.Free() if i == 0 else lw.Spherical()
            parent = f"{chain}{i - 1}" if i else "ground"
            inertia = lw.Inertia.box((0.3, 0.2, 0.1), mass=1.0)
            linkage.add_body(f"{chain}{i}", inertia, joint=joint, parent=parent, at=lw.Pose(rng.normal(size=3)))
    q = linkage.random(rng)
    poses = lw.body_poses(linkage, q)

    def join(a, b, joint, name):
        here = poses[a] if a != "ground" else lw.Pose()
        linkage.connect(a, b, joint, at_b=poses[b].inverse() @ here, name=name)

    v = rng.normal(size=linkage.nv)
    if case == "others closed":
        join("a0", "a3", lw.Revolute("x"), "first")
        join("ground", "b1", lw.Spherical(), "second")
        v = lw.consistent_velocity(linkage, q, v)
    before = lw.kinetic_energy(linkage, q, v)
    ends = {
        "same chain": ("a0", "a3"),
        "two chains": ("a3", "b3"),
        "ground": ("ground", "b2"),
        "others closed": ("a2", "b3"),
    }[case]
    join(*ends, TYPES[k], "new")
    jump = lw.velocity_jump(linkage, q, v, "new")
    assert np.abs(residuals(linkage, q, jump.v).rate).max() < 1e-11
    assert before - lw.kinetic_energy(linkage, q, jump.v) == pytest.approx(jump.energy_lost, abs=1e-10)
    assert jump.energy_lost >= 0.0
    W = lw.mobility(linkage, q).W  # motions that the closed linkage allows keep their momentum
    assert np.abs(W.T @ lw.mass_matrix(linkage, q) @ (jump.v - v)).max() < 1e-9
    if case in ("same chain", "two chains"):
        assert np.abs(momentum(linkage, q, jump.v) - momentum(linkage, q, v)).max() < 1e-11
    # the impulse does no work along the joint: SᵀF = 0 for the joints whose axes are those of the frame
    if isinstance(TYPES[k], lw.Spherical):
        assert np.abs(jump.impulse[3:]).max() < 1e-12
    with pytest.raises(lw.ArgumentError, match="unknown loop joint, contact or shape"):
        lw.velocity_jump(linkage, q, v, "none")


def test_a_parallelogram_passes_its_flat_pose_on_its_own_branch_and_says_so():
    linkage = lw.samples.four_bar(ground=1.0, crank=0.5, coupler=1.0, rocker=0.5, angle=-1.0)
    q = linkage.neutral()
    v = 4.0 * lw.mobility(linkage, q, ["crank"]).W[:, 0]

    def energy():
        return lw.kinetic_energy(linkage, sim.q, sim.v) + lw.potential_energy(linkage, sim.q)

    sim = lw.Simulation(linkage, q, v, dt=1e-3)
    first, turned = energy(), []
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for k in range(100):
            sim.run(0.02 * (k + 1), progress=False)
            assert abs(energy() - first) < 1e-6 * first
            assert residuals(linkage, sim.q).gap < 1e-12
            turned.append(np.abs(lw.body_poses(linkage, sim.q)["coupler"].rotation[0, 2]))
    assert any("'pin' is near a singular pose" in str(each.message) for each in told)
    near = [event for event in sim.recording.events if event.cause == "singular"]
    assert len(near) == len([each for each in told if "near a singular pose" in str(each.message)]) >= 2
    flat = [np.interp(event.time, sim.recording.t, sim.recording.q[:, 0]) for event in near]
    # the crank began at -1 rad: it lies along the ground after 1 rad and after 1 + π
    np.testing.assert_allclose(flat[:2], [1.0, 1.0 + np.pi], atol=0.1)
    assert sim.q[0] > 2 * np.pi  # all the way around, through both flat poses
    assert max(turned) < 1e-8  # the coupler stays level: no jump to the crossed branch


def test_near_singular_poses_are_events_however_the_run_is_cut_up():
    linkage = lw.samples.four_bar(ground=1.0, crank=0.5, coupler=1.0, rocker=0.5, angle=-1.0)
    linkage.gravity = (0.0, 0.0, 0.0)
    q = linkage.neutral()
    v = 3.0 * lw.mobility(linkage, q, ["crank"]).W[:, 0]  # a flat pose every π/3 s
    times = []
    for ends, options in (([5.0], {}), ([5.0], {"torques": lambda t, q, v: np.zeros(len(v))}), ([2.0, 3.1, 5.0], {})):
        sim = lw.Simulation(linkage.copy(), q, v, dt=1e-3, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lw.LinkworkWarning)
            for end in ends:
                sim.run(end, progress=False)
        times.append([event.time for event in sim.recording.events if event.cause == "singular"])
    assert times[0] == times[1] == times[2]
    np.testing.assert_allclose(times[0], (1.0 + np.pi * np.arange(5)) / 3.0, atol=0.05)


def test_a_parallelogram_that_turns_at_a_steady_rate_takes_compiled_steps():
    """Every acceleration in its loop is zero but for rounding, which must not pass for a loop left open."""
    linkage = lw.samples.four_bar(ground=1.0, crank=0.5, coupler=1.0, rocker=0.5, angle=-1.0)
    linkage.gravity = (0.0, 0.0, 0.0)
    q = linkage.neutral()
    v = 3.0 * lw.mobility(linkage, q, ["crank"]).W[:, 0]
    sim = lw.Simulation(linkage, q, v, dt=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", lw.LinkworkWarning)  # as slow steps give
        sim.run(0.2, progress=False)
    np.testing.assert_allclose(sim.v, v, atol=1e-12)  # coupler and rocker keep the crank's rate, turned about


def test_an_exactly_singular_pose_is_flagged_and_has_finite_answers():
    linkage = lw.samples.four_bar(ground=1.0, crank=0.5, coupler=1.0, rocker=0.5, angle=-1.0)
    q = lw.close_loops(linkage, linkage.neutral() + lw.mobility(linkage, linkage.neutral(), ["crank"]).W[:, 0])
    assert lw.mobility(linkage, q).dof == 2  # both branches
    v = np.array([1.0, -1.0, 1.0])  # along the parallelogram
    for method in ("auto", "crba"):
        solution = lw.solve(linkage, q, v, method=method)
        assert np.isfinite(solution.a).all()
        assert np.isfinite(solution.loop_wrenches).all()
        assert solution.redundant == 4
        assert solution.residual < 1e-7
    assert np.isfinite(lw.consistent_velocity(linkage, q, [1.0, 2.0, 3.0])).all()


@pytest.mark.slow
@pytest.mark.parametrize("K", [1, 10, 50])
def test_loops_stay_closed_for_ten_seconds(K):
    linkage = lw.samples.four_bars(K)
    sim = lw.Simulation(linkage, dt=1e-3, record_every=1000)
    worst = 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        for k in range(100):
            sim.run(0.1 * (k + 1), progress=False)
            worst = max(worst, residuals(linkage, sim.q).gap)
    assert worst < 1e-9
