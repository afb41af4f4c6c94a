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
