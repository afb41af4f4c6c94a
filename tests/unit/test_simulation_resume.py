"""Runs with drives and limits: resumed or copied they go on to the last bit."""

import copy

import numpy as np
import pytest

import linkwork as lw


def assert_same(one, other):
    assert len(one.segments) == len(other.segments)
    for a, b in zip(one.segments, other.segments, strict=True):
        np.testing.assert_array_equal(a.rows, b.rows)
    assert [(event.time, event.what) for event in one.events] == [(event.time, event.what) for event in other.events]


def limited_chain():
    chain = lw.samples.chain(3)
    chain.joints["link2"].limits = (-0.05, 0.05)  # at which it is most of the time
    return chain


def control(sim):
    return -0.5 * sim.v


def events(sim, counted):
    """A condition put in before the drives, which must not make it forget where it was."""
    sim.when(lambda sim: sim.v[1], lambda sim: counted.append(sim.t))
    sim.drive("link0", lambda t: 0.5 * np.sin(3.0 * t))
    sim.drive("link1", lambda t: 0.1 * np.sin(17.0 * t))
    return sim


@pytest.mark.parametrize("limits", ["compliant", "impulsive"])
def test_a_driven_run_with_limits_and_a_held_controller(limits, tmp_path):
    path, options = tmp_path / "run.h5", {"dt": 1e-3, "controller": control, "control_every": 7, "limits": limits}
    seen, again = [], []
    whole = events(lw.Simulation(limited_chain(), **options), seen).run(0.5, progress=False)
    assert np.abs(whole.q[:, 2]).max() > 0.04  # limits act
    events(lw.Simulation(limited_chain(), record=path, **options), again).run(0.3, progress=False)
    resumed = events(lw.Simulation.resume(path, controller=control), again).run(0.5, progress=False)
    assert_same(resumed, whole)
    assert again == seen
    assert len(seen) == 3


def limited_four_bar(limit=0.2):
    linkage = lw.samples.four_bar()
    at_a, at_b = linkage.loops["pin"].at_a, linkage.loops["pin"].at_b
    start = lw.loop_coordinates(linkage, linkage.neutral())[0]
    linkage.cut("pin")
    limits = (start - limit, start + limit)
    linkage.connect("ground", "rocker", lw.Revolute("y", limits=limits), at_a=at_a, at_b=at_b, name="pin")
    return linkage


def test_limits_of_loop_joints(tmp_path):
    path = tmp_path / "run.h5"
    whole = lw.Simulation(limited_four_bar(), dt=1e-3).run(0.6, progress=False)
    free = lw.Simulation(lw.samples.four_bar(), dt=1e-3).run(0.6, progress=False)
    assert np.abs(whole.q - free.q).max() > 0.1  # the limit acts
    sim = lw.Simulation(limited_four_bar(), dt=1e-3, record=path)
    sim.run(0.4, progress=False)
    assert_same(lw.Simulation.resume(path).run(0.6, progress=False), whole)


@pytest.mark.parametrize("make", [limited_chain, limited_four_bar])
def test_a_copy_goes_on_like_the_original(make):
    sim = lw.Simulation(make(), dt=1e-3, controller=control, control_every=7)
    sim.drive(sim.linkage.joints.names[0], _steady)
    sim.run(0.25, progress=False)
    other = copy.deepcopy(sim)
    assert_same(other.run(0.5, progress=False), sim.run(0.5, progress=False))


def _steady(t):
    return 0.5 * np.sin(3.0 * t)


def test_reactions_after_a_drive_that_starts_on_the_way():
    """The drive moves the linkage as its recorded torque does, and limits push as before."""
    linkage = lw.samples.four_bar()
    linkage.joints["crank"].limits = (-0.01, 0.01)
    q = linkage.neutral()
    sim = lw.Simulation(linkage, q, lw.mobility(linkage, q, ["crank"]).W[:, 0], dt=1e-3)
    sim.run(0.2, progress=False)
    start, rate = sim.q[0], sim.v[0]
    sim.drive("crank", lambda t: (start + rate * (t - 0.2) + 2.0 * (t - 0.2) ** 2, rate + 4.0 * (t - 0.2), 4.0))
    recording = sim.run(0.5, progress=False)
    assert sim.q[0] > 0.1
    axes = [joint.type.axis for joint in linkage.joints]
    along = np.einsum("nbi,bi->nb", recording.wrenches[:, :, 3:], axes)
    assert np.abs(along[:, 1:]).max() < 1e-6  # free hinges
    table = recording.segments[0].limits[0]
    push = table[4] * (recording.q[-1, 0] - 0.01) + table[5] * recording.v[-1, 0]
    assert along[-1, 0] == pytest.approx(recording.tau[-1, 0] - push, rel=1e-9)
