"""Every scene that ships runs by name to its summary, with figures that its physics asks for."""

import json
import subprocess
import sys

import numpy as np
import pytest

import linkwork as lw
from linkwork import examples

PROGRAM = "import sys; from linkwork.cli import main; sys.argv[0] = 'linkwork'; main()"
# What the summary must show: where energy is conserved, its largest drift as a share of the largest kinetic energy;
# where something constrains, the largest residual before projection.
CONSERVED = {"double-pendulum": 1e-7, "falling-chain": 1e-3, "tumbling-box": 1e-11}
RESIDUAL = {"four-bar": 1e-6, "five-bar": 1e-7, "stewart": 1e-8, "li-three-link": 1e-6, "polishing": 1e-4}
ADAPTIVE = ("millipede", "molecule-pull")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Run an example once, in a folder of its own; return its summary and its recording."""
    found = {}

    def run(name):
        if name not in found:
            folder = tmp_path_factory.mktemp(name)
            done = subprocess.run(
                [sys.executable, "-W", "error", "-c", PROGRAM, "simulate", name, "--json"],
                cwd=folder, capture_output=True, text=True, timeout=300,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            summary = json.loads(done.stdout)
            assert (folder / summary["picture"]).stat().st_size > 10_000
            found[name] = summary, lw.Recording.load(folder / summary["recording"])
        return found[name]

    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", examples.names())
def test_example_runs_by_name_to_its_summary(runs, name):
    summary, recording = runs(name)
    scene = lw.load_scene(examples.files(name)[0])
    assert scene.description
    assert summary["t"] == pytest.approx(scene.run.until)
    assert recording.t[-1] == summary["t"]
    if name in ADAPTIVE:
        assert summary["error_bound_largest"] <= summary["tolerance"]
        assert 0 < summary["joints_computed_median"] < 0.1 * summary["joints"]
        return
    assert np.isfinite([summary["energy_start"], summary["energy_end"]]).all()
    assert summary["conservative"] == (name in CONSERVED)
    if name in CONSERVED:
        assert summary["energy_drift"] < CONSERVED[name] * summary["kinetic_energy_largest"]
    if name in RESIDUAL:
        assert 0.0 < max(summary["residual"]) < RESIDUAL[name]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "body", "direction"), [("millipede", "spine239", (0, 1, 0)), ("molecule-pull", "atom4000", None)]
)
def test_what_is_pulled_gives_way(runs, name, body, direction):
    _, recording = runs(name)
    linkage = recording.segments[0].linkage
    first, last = (lw.body_poses(linkage, q)[body].position for q in (recording.q[0], recording.q[-1]))
    assert np.linalg.norm(last - first) > 0.05
    assert direction is None or (last - first) @ direction > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", ["li-two-link", "li-three-link", "polishing"])
def test_tips_stay_on_their_surfaces_and_press(runs, name):
    _, recording = runs(name)
    linkage = recording.segments[0].linkage
    assert recording.normal_forces.min() > 0.0
    for q in recording.q[:: len(recording) // 10]:
        assert np.abs(linkage.difference(q, lw.close_loops(linkage, q))).max() < 1e-9


@pytest.mark.slow
def test_li_two_link_has_the_normal_forces_of_table_1(runs):
    _, recording = runs("li-two-link")
    at = {t: int(np.argmin(np.abs(recording.t - t))) for t in (0.10, 4.85)}
    assert recording.normal_forces[at[0.10], 0] == pytest.approx(9.324, abs=5e-4)
    assert recording.normal_forces[at[4.85], 0] == pytest.approx(9.533, abs=5e-4)


@pytest.mark.slow
def test_box_turns_over_and_keeps_its_angular_momentum(runs):
    _, recording = runs("tumbling-box")
    spin = recording.v[:, 4]
    assert spin.max() > 5.9
    assert spin.min() < -5.9
    linkage = recording.segments[0].linkage
    momentum = lw.momentum(linkage, recording.q, recording.v)
    np.testing.assert_allclose(momentum, np.broadcast_to(momentum[0], momentum.shape), atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four-bar", "five-bar", "stewart"])
def test_recorded_states_are_on_the_loops(runs, name):
    _, recording = runs(name)
    linkage = recording.segments[0].linkage
    for q in recording.q[:: len(recording) // 10]:
        assert np.abs(linkage.difference(q, lw.close_loops(linkage, q))).max() < 1e-9


@pytest.mark.slow
def test_arm_follows_its_controllers(runs):
    _, recording = runs("robot-arm")
    t = recording.t[2000:]
    # A PD controller without gravity compensation lags and sags, by a known measure: e = (kd q̇ + load) / kp.
    assert np.abs(recording["turn"].q[2000:, 0] - 1.2 * np.sin(2 * t)).max() < 0.3
    assert np.abs(recording["elbow"].q[2000:, 0] - (1.4 - 0.6 * np.sin(3 * t))).max() < 0.3


@pytest.mark.slow
def test_driven_joints_are_where_their_drives_want_them(runs):
    _, recording = runs("five-bar")
    np.testing.assert_allclose(recording["left"].q[:, 0], 0.25 * (1 - np.cos(np.pi * recording.t)), atol=1e-9)


@pytest.mark.slow
def test_chain_is_hung_at_one_end_and_falls(runs):
    _, recording = runs("falling-chain")
    linkage = recording.segments[0].linkage
    height = lw.center_of_mass(linkage, recording.q.copy())[:, 2]
    assert height[0] == pytest.approx(0.0, abs=1e-9)
    assert height.min() < -4.0
