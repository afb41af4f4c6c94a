"""Human figures: their build against the table they come from."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.plots.looks import Looks

# [deLeva1996] Table 4, males: shares of the body's mass, of both sides together
SHARES = {"upper_arm": 0.0542, "forearm": 0.0324 + 0.0122, "thigh": 0.2832, "shank": 0.0866 + 0.0274}


def test_the_two_figures_have_the_joints_of_the_paper():
    simple, detailed = lw.samples.human(16), lw.samples.human(40)
    assert (simple.nb, simple.nv, simple.nv - 6) == (9, 22, 16)
    assert (detailed.nb, detailed.nv, detailed.nv - 6) == (17, 46, 40)
    kinds = [type(joint.type).__name__ for joint in detailed.joints]
    assert (kinds.count("Spherical"), kinds.count("Revolute"), kinds.count("Free")) == (12, 4, 1)


def test_masses_are_those_of_the_table():
    figure = lw.samples.human(16, mass=80.0)
    for name, share in SHARES.items():
        mass = sum(figure.bodies[f"{side}_{name}"].mass for side in ("left", "right"))
        assert mass == pytest.approx(80.0 * share, rel=1e-12)
    assert figure.bodies["torso"].mass == pytest.approx(80.0 * (0.0694 + 0.4346), rel=1e-12)


@pytest.mark.parametrize("dof", [16, 40])
def test_size_and_mass_scale(dof):
    one, other = lw.samples.human(dof), lw.samples.human(dof, height=2 * 1.741, mass=3 * 73.0)
    q, w = one.neutral(), other.neutral()
    assert sum(body.mass for body in other.bodies) == pytest.approx(219.0, rel=1e-12)
    np.testing.assert_allclose(lw.center_of_mass(other, w), 2 * lw.center_of_mass(one, q), atol=1e-12)
    turning = slice(3, 6)  # inertia of the whole figure about its base, in the mass matrix of the free joint
    np.testing.assert_allclose(
        lw.mass_matrix(other, w)[turning, turning],
        12 * lw.mass_matrix(one, q)[turning, turning],
        rtol=1e-12,
        atol=1e-12,
    )


def test_both_figures_are_the_same_person():
    one, other = lw.samples.human(16), lw.samples.human(40)
    a, b = (lw.mass_matrix(each, each.neutral())[:6, :6] for each in (one, other))
    np.testing.assert_allclose(a, b, atol=1e-12)


def test_it_stands_on_the_ground_as_tall_as_asked_for():
    figure = lw.samples.human(40, height=1.8)
    poses = lw.body_poses(figure, figure.neutral())
    for side in ("left", "right"):
        assert poses[f"{side}_sole"].position[2] == pytest.approx(0.0, abs=1e-12)
    skull = next(visual for visual in figure.visuals if visual.kind == "sphere")
    top = (poses["head"] @ skull.pose).position[2] + skull.size[0]
    assert top == pytest.approx(1.8, abs=1e-9)
    # A man's centre of mass stands at 55 to 58 % of his height.
    assert 0.55 < lw.center_of_mass(figure, figure.neutral())[2] / 1.8 < 0.58


@pytest.mark.parametrize("dof", [16, 40])
def test_every_body_can_be_seen(dof):
    figure = lw.samples.human(dof)
    drawn = {piece.body for piece in Looks(figure).bodies}
    assert drawn >= set(np.flatnonzero(figure.columns.mass > 0.0))


@pytest.mark.parametrize(
    "options", [{"dof": 12}, {"height": 0.0}, {"mass": -1.0}, {"damping": -1.0}, {"height": np.nan}]
)
def test_impossible_figures_are_refused(options):
    with pytest.raises(lw.ArgumentError):
        lw.samples.human(**options)


def test_a_free_figure_keeps_within_its_ranges():
    figure = lw.samples.human(40)
    v = np.random.default_rng(1).normal(size=figure.nv)
    sim = lw.Simulation(figure, v=v, dt=1e-3)
    q = sim.run(1.0).q
    lower, upper = figure.columns.lower, figure.columns.upper
    turned = figure.difference(np.broadcast_to(figure.neutral(), q.shape).copy(), q.copy())[:, 6:]
    # A soft limit gives way by 1.8 v dt; joints here turn at up to about 10 rad/s.
    assert (turned > lower[6:] - 0.03).all()
    assert (turned < upper[6:] + 0.03).all()
    assert (np.abs(turned) > np.minimum(np.abs(lower[6:]), np.abs(upper[6:]))).any(), "no limit was reached"


def test_a_spherical_limit_pushes_like_its_potential():
    # Undamped, the limit is a spring on the rotation vector: energy with ½ k (excess)² in it is conserved.
    ranges = ((-0.3, 0.5), (-0.2, 0.4), (-0.1, 0.6))
    linkage = lw.Linkage(gravity=(0, 0, 0))
    linkage.add_body("top", lw.Inertia(1.0, (0, 0, 0), (0.1, 0.15, 0.2)), joint=lw.Spherical(limits=ranges))
    sim = lw.Simulation(linkage, v=[1.0, 1.5, 0.7], dt=2e-4, limits=lw.Compliant(frequency=30.0, damping_ratio=0.0))
    stiffness = sim._engine.system.limits.table[:, 4]
    recording = sim.run(2.0)
    r = linkage.difference(np.broadcast_to(linkage.neutral(), recording.q.shape).copy(), recording.q.copy())
    excess = np.maximum(r - linkage.columns.upper, 0.0) + np.minimum(r - linkage.columns.lower, 0.0)
    energy = recording.kinetic + 0.5 * (stiffness * excess**2).sum(axis=1)
    assert np.abs(excess).max() > 0.02
    # Steps of RK4 that pass a bound are of second order: 4e-5 at dt = 1e-3, a twentieth at this one.
    np.testing.assert_allclose(energy, energy[0], rtol=1e-5)


@pytest.mark.slow
def test_a_figure_lets_go_of_the_bar_lands_and_stands():
    figure, q = lw.samples.high_bar(lw.samples.human(40, damping=0.5), angle=0.1)
    lw.samples.on_mat(figure, height=0.2)
    kp, kd, pose = lw.samples.crouch(figure, arms=q)
    sim = lw.Simulation(figure, q, dt=5e-4, limits="ignore", controller=lw.PD(kp, kd, pose), record_every=100)
    sim.at(0.35, lambda sim: (sim.cut("left_hand"), sim.cut("right_hand")))
    sim.run(4.0)
    soles = [contact for contact in sim.contacts if contact.normal > 0.0]
    assert len(soles) >= 6
    assert sim.contacts.normal.sum() == pytest.approx(9.81 * figure.columns.mass.sum(), rel=1e-2)
    assert lw.center_of_mass(figure, sim.q)[2] > 1.1
    assert np.abs(sim.v).max() < 0.1
    with pytest.raises(lw.StructureError, match="no ankles to stand on"):
        lw.samples.on_mat(lw.samples.human(16))


@pytest.mark.slow
def test_a_figure_walks_on_a_floor():
    """Six steps from rest to rest, nothing but friction holding its feet."""
    figure = lw.samples.human(40, damping=0.5)
    plan = lw.samples.gait(figure, steps=6, stride=0.3)
    lw.samples.on_mat(figure)
    sim = lw.Simulation(figure, plan.q[0], dt=1e-3, limits="ignore", controller=lw.PD(*plan), record_every=20)
    recording = sim.run(len(plan.q) * sim.dt)
    walked = lw.center_of_mass(figure, sim.q) - lw.center_of_mass(figure, plan.q[0])
    assert walked[0] == pytest.approx(5 * 0.3, abs=0.1)  # the last step comes beside the one before
    assert abs(walked[2]) < 0.02
    assert sim.contacts.normal.sum() == pytest.approx(9.81 * figure.columns.mass.sum(), rel=2e-2)
    heights = lw.body_poses(figure, recording.q).positions[:, :, 2]
    for side in ("left", "right"):
        foot = heights[:, figure.bodies[f"{side}_foot"].index]
        up = foot > foot[0] + 0.02
        assert np.count_nonzero(up[:-1] & ~up[1:]) == 3
        assert foot.min() > foot[0] - 1e-3  # nothing sinks in


def test_a_gait_keeps_its_feet_level_and_its_weight_above_them():
    figure = lw.samples.human(40)
    plan = lw.samples.gait(figure, steps=2, stride=0.25, period=0.8, dt=5e-3)
    poses, com = lw.body_poses(figure, plan.q), lw.center_of_mass(figure, plan.q)
    rest = lw.body_poses(figure, figure.neutral())
    for side in ("left", "right"):
        foot = figure.bodies[f"{side}_foot"].index
        np.testing.assert_allclose(poses.rotations[:, foot], np.broadcast_to(np.eye(3), (len(com), 3, 3)), atol=1e-12)
        np.testing.assert_allclose(poses.positions[:, foot, 1], rest[f"{side}_foot"].position[1], atol=1e-12)
        assert poses.positions[:, foot, 2].min() == pytest.approx(rest[f"{side}_foot"].position[2], abs=1e-12)
    np.testing.assert_allclose(com[-1, :2], com[0, :2] + [0.25, 0.0], atol=2e-3)  # it ends as it began
    np.testing.assert_allclose(lw.samples.gait(figure, steps=2, dt=5e-3).v[-1], 0.0)
    with pytest.raises(lw.ArgumentError, match="too short for such steps"):
        lw.samples.gait(figure, stride=1.5)
    with pytest.raises(lw.ArgumentError, match="no feet to walk on"):
        lw.samples.gait(lw.samples.human(16))
    with pytest.raises(lw.ArgumentError, match="steps=0"):
        lw.samples.gait(figure, steps=0)


@pytest.mark.slow
def test_a_rider_jumps_off_a_swing_and_stands():
    """Loop joints to the swing are cut in motion, feet land, and the empty swing is caught."""
    figure, sitting = lw.samples.swing(lw.samples.human(40, damping=0.5), angle=0.4, pivot=2.6, drag=60.0)
    lw.samples.on_mat(figure)
    kp, kd, standing = lw.samples.crouch(figure, 0.6)
    poses = np.vstack([np.tile(sitting, (330, 1)), standing])
    sim = lw.Simulation(figure, sitting, dt=1e-3, limits="ignore", controller=lw.PD(kp, kd, poses), record_every=20)
    held = ("left_hand", "right_hand", "left_seat", "right_seat")
    sim.at(0.33, lambda sim: [sim.cut(joint) for joint in held])
    sim.at(1.25, lambda sim: sim.connect("ground", "swing", lw.Fixed(), name="friend"))
    recording = sim.run(3.5)
    landing = next(event.time for event in recording.events if "touches" in event.what)
    assert 0.4 < landing < 0.7
    assert sim.linkage.loops.names == ["friend"]
    rider = sim.linkage.columns.mass.sum() - 6.0  # without the swing
    assert sim.contacts.normal.sum() == pytest.approx(9.81 * rider, rel=2e-2)
    assert lw.body_poses(sim.linkage, sim.q)["pelvis"].position[2] > 0.7
    assert np.abs(sim.v[sim.linkage.joints["base"].v_slice]).max() < 0.3
