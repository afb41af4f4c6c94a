"""Cassie from its SDF files: mobility counted by hand, loops that close and stay closed under motor torques."""

import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from benchmarks.cassie import amplitudes, gap, start

FOLDER = Path(sysconfig.get_path("purelib")) / "cmeel.prefix/share/example-robot-data/robots/cassie_description/robots"

# By hand, per leg. Tree: hip roll, yaw, pitch, knee, shin, tarsus, heel spring, achilles rod (3), crank, plantar rod,
# foot:
# 13. Loops: the rod's other end is a hinge, 5 rows; the plantar rod ends in a ball, 3 rows, of which one is redundant
# where crank, rod and foot turn about parallel axes, so that the foot can move. In `reduced` and `simple` the plantar
# rod
# is tilted by 0.1 rad: all 3 rows hold, and the foot is locked. Three files put the pelvis on a slide, 1 more.
# `cassie` has motors: 5 more joints and 5 gears; and a slide between shin and knee spring, which locks both: of its 5
# rows 2 are independent.
EXPECTED = {  # joints' degrees of freedom, loops, couplings, rank, redundant rows
    "cassie": (2 * (13 + 5 + 1), 6, 10, 2 * (5 + 2 + 2 + 5), 2 * (1 + 3)),
    "cassie_reduced": (2 * 13 + 1, 4, 0, 2 * (5 + 3), 0),
    "cassie_simple": (2 * 13 + 1, 4, 0, 2 * (5 + 3), 0),
    "cassie_v2": (2 * 13, 4, 0, 2 * (5 + 2), 2),
    "cassie_wo_gearbox_spring": (2 * 13 + 1, 4, 0, 2 * (5 + 2), 2),
}


def load(name: str, **options) -> lw.Linkage:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        return lw.load(FOLDER / f"{name}.sdf", **options)


@pytest.mark.parametrize("name", EXPECTED)
def test_mobility_by_hand(name):
    robot = load(name)
    nv, loops, couplings, rank, redundant = EXPECTED[name]
    assert (robot.nv, len(robot.loops), len(robot.couplings)) == (nv, loops, couplings)
    q = lw.close_loops(robot, robot.neutral())
    assert gap(robot, q) < 1e-10
    found = lw.mobility(robot, q)
    assert (found.dof, found.redundant) == (nv - rank, redundant)
    poses = lw.body_poses(robot, q)
    np.testing.assert_allclose(poses["left-knee"].position, [-0.049, 0.1305, 0.8], atol=1e-12)
    if "pelvis" in robot.frames:  # no joint holds it
        assert load(name, base="free").nv == nv + 6


def test_mass_is_that_of_the_links():
    """Against the text of the file; the pelvis, 10.33 kg, is part of ground."""
    text = (FOLDER / "cassie_v2.sdf").read_text()
    masses = [float(part.split("</mass>")[0]) for part in text.split("<mass>")[1:]]
    assert sum(body.mass for body in load("cassie_v2").bodies) == pytest.approx(sum(masses) - 10.33, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.05, 0.5])
def test_loops_stay_closed_for_ten_seconds(share):
    robot = load("cassie_wo_gearbox_spring")
    q, tau = start(robot), share * amplitudes(robot)
    phase = np.linspace(0.0, 2.0 * np.pi, robot.nv)

    def push(sim):
        return tau * np.sin(4.0 * np.pi * sim.t + phase)

    sim = lw.Simulation(robot, q, np.zeros(robot.nv), dt=5e-4, controller=push)
    sim.run(10.0, progress=False)
    assert max(gap(robot, each) for each in sim.recording.q[::100]) < 1e-10
    assert np.abs(sim.recording.v).max() > 1.0, "it moves"
