"""External wrenches in simulations: what they do, what joints bear of them, and that recordings hold them."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.motion.limits import FADE_IN

PULL = np.array([3.0, 0.0, -100.0])  # N, at the second body's origin


def pull(t, q, v):
    wrench = np.zeros((2, 6))
    wrench[1, :3] = PULL
    return wrench


def run(linkage, until=0.5, **options):
    sim = lw.Simulation(linkage, [0.4, -0.2], dt=1e-3, **options)
    return sim.run(until, progress=False)


def test_reactions_obey_newtons_law_for_the_whole_chain():
    recording = run(lw.samples.chain(2), wrenches=pull)
    linkage, t, q = recording.segments[0].linkage, recording.t, recording.q.copy()
    com, mass = lw.center_of_mass(linkage, q), linkage.columns.mass.sum()
    acceleration = (com[2:] - 2.0 * com[1:-1] + com[:-2]) / 1e-6
    rotations = lw.body_poses(linkage, q).rotations[:, 0]
    base = np.einsum("nij,nj->ni", rotations, recording.wrenches[:, 0, :3])  # on the first body, world axes
    expected = mass * (acceleration - linkage.gravity) - PULL
    # central differences of a motion of some rad/s: dt² / 12 of the fourth derivative
    np.testing.assert_allclose(base[1:-1], expected, atol=2e-3 * np.abs(expected).max())
    assert len(t) == 501


def test_loads_do_work():
    recording = run(lw.samples.chain(2), wrenches=pull)
    place = lw.body_poses(recording.segments[0].linkage, recording.q.copy()).positions[:, 1]
    # rk4 at dt = 1e-3 keeps energy to about 1e-10
    np.testing.assert_allclose(recording.energy - recording.energy[0], (place - place[0]) @ PULL, atol=1e-8)


def test_loads_give_the_motion_of_their_generalized_forces_but_other_reactions():
    def torques(t, q, v):
        return lw.jacobian(linkage, q, "link1")[:3].T @ PULL

    linkage = lw.samples.chain(2)
    first = linkage.bodies.names[1]
    assert first == "link1"
    loaded, driven = run(linkage.copy(), wrenches=pull), run(linkage.copy(), torques=torques)
    np.testing.assert_allclose(loaded.q, driven.q, atol=1e-11)
    assert np.abs(loaded.tau).max() == 0.0
    assert np.abs(loaded.wrenches - driven.wrenches).max() > 50.0


@pytest.mark.parametrize(("wrenches", "events"), [(None, 0), (pull, 1)])
def test_a_joint_breaks_under_a_load_that_turns_nothing(wrenches, events):
    linkage = lw.samples.chain(2)
    linkage.set_strength("link0", 110.0)  # it carries 2 g = 19.6 N, and 119.6 N with the load
    sim = lw.Simulation(linkage, dt=1e-3, wrenches=wrenches)
    assert len(sim.run(0.01, progress=False).events) == events


def test_segments_with_and_without_loads_make_one_recording(tmp_path):
    sim = lw.Simulation(lw.samples.chain(2), [0.4, -0.2], dt=1e-3)
    sim.run(0.01, progress=False)
    sim.wrenches = pull
    sim.run(0.02, progress=False)
    sim.wrenches = None
    recording = sim.run(0.03, progress=False)
    assert [segment.loaded for segment in recording.segments] == [False, True, False]
    assert recording.f_ext.shape == recording.wrenches.shape == (len(recording), 2, 6)
    recording.save(tmp_path / "run.h5")
    again = lw.Recording.load(tmp_path / "run.h5")
    for what in ("t", "q", "f_ext", "wrenches"):
        np.testing.assert_array_equal(getattr(again, what), getattr(recording, what))


def test_a_loaded_run_goes_on_to_the_bit(tmp_path):
    path = tmp_path / "run.h5"
    lw.Simulation(lw.samples.chain(2), [0.4, -0.2], dt=1e-3, wrenches=pull, record=path).run(0.05, progress=False)
    with pytest.raises(lw.ArgumentError, match="had wrenches"):
        lw.Simulation.resume(path)
    lw.Simulation.resume(path, wrenches=pull).run(0.1, progress=False)
    whole = run(lw.samples.chain(2), 0.1, wrenches=pull)
    for what in ("q", "v", "f_ext", "wrenches"):
        np.testing.assert_array_equal(getattr(lw.Recording.load(path), what), getattr(whole, what))


def test_bad_loads_are_refused():
    with pytest.raises(lw.ArgumentError, match=r"shape \(2,\); it must be \(2, 6\)"):
        run(lw.samples.chain(2), 0.01, wrenches=lambda t, q, v: np.zeros(2))
    bad = np.zeros((2, 6))
    bad[1, 2] = np.nan
    with pytest.raises(lw.ArgumentError, match=r"wrenches returned at t = 0 s is nan for body 'link1' \(entry 2 "):
        run(lw.samples.chain(2), 0.01, wrenches=lambda t, q, v: bad)
    with pytest.raises(lw.ArgumentError, match="wrenches returned must be an array of real numbers"):
        run(lw.samples.chain(2), 0.01, wrenches=lambda t, q, v: [["a"] * 6] * 2)
    with pytest.raises(lw.ArgumentError, match="wrenches"):
        run(lw.samples.chain(2), 0.01, wrenches=lambda q: None)


@pytest.mark.parametrize("linkage", [lw.samples.chain(2), lw.samples.four_bar()], ids=["open", "closed"])
@pytest.mark.parametrize("what", ["wrenches", "torques", "controller"])
@pytest.mark.parametrize("value", [[[1, 2], [3]], np.zeros((1, 2)), np.zeros((3, 4))], ids=["ragged", "row", "batch"])
def test_what_callbacks_return_has_one_shape(what, linkage, value):
    callback = (lambda sim: value) if what == "controller" else (lambda t, q, v: value)
    with pytest.raises(lw.ArgumentError, match=f"what {what} returned has"):
        lw.Simulation(linkage.copy(), **{what: callback}).run(0.01, progress=False)


def test_reactions_of_a_closed_linkage_count_the_push_of_a_limit(tmp_path):
    linkage = lw.samples.four_bar()
    linkage.joints["crank"].limits = (-1.0, 0.1)
    q = linkage.neutral()
    v = 2.0 * lw.mobility(linkage, q, ["crank"]).W[:, 0]
    path = tmp_path / "run.h5"
    recording = lw.Simulation(linkage, q, v, dt=1e-3, record=path).run(0.3, progress=False)
    segment = recording.segments[0]
    beyond = segment.q[:, 0] > 0.1
    assert 0 < beyond.sum() < len(beyond)
    along = np.einsum("nbi,bi->nb", segment.wrenches[:, :, 3:], [joint.type.axis for joint in linkage.joints])
    assert np.abs(along[:, 1:]).max() < 1e-9  # free hinges
    assert np.abs(along[~beyond]).max() < 1e-9
    stiffness, damping = segment.limits[0, 4:6]
    spring, damper = stiffness * (segment.q[beyond, 0] - 0.1), damping * segment.v[beyond, 0]
    push = spring + np.clip(damper, -FADE_IN * spring, FADE_IN * spring)
    np.testing.assert_allclose(along[beyond, 0], -np.maximum(push, 0.0), atol=1e-9 * push.max())
    np.testing.assert_array_equal(lw.Recording.load(path).wrenches, recording.wrenches)
