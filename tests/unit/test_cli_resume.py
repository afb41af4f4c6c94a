"""`linkwork simulate` stopped in whatever way, then resumed, gives what an uninterrupted run gives, to the bit."""

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

import linkwork as lw

SCENE = """
linkwork: 1
name: long
linkage: {sample: chain, options: {n: 20}}
start: {q: {link0: 1.2, link10: 0.5}}
torques: {link5: "3 * sin(2*t) - v[link5]"}
events:
- {at: 0.5, v: {link3: 0.1}}
- {when: "q[link0]", direction: falling, v: {link4: 0.2}}
- {at: 30, gravity: [0, 0, -3]}
simulation: {until: 40, dt: 1e-4, record_every: 100}
"""
PROGRAM = "import sys; from linkwork.cli import main; sys.argv[0] = 'linkwork'; main()"


def command(*arguments):
    return [sys.executable, "-c", PROGRAM, "simulate", *map(str, arguments), "--plot", "none", "--json"]


def same(a, b):
    a, b = lw.Recording.load(a), lw.Recording.load(b)
    assert len(a.segments) == len(b.segments) == 2
    for ours, theirs in zip(a.segments, b.segments, strict=True):
        np.testing.assert_array_equal(ours.rows, theirs.rows)
    assert [(event.time, event.what) for event in a.events] == [(event.time, event.what) for event in b.events]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_stopped_run_resumed_is_the_uninterrupted_run(tmp_path, number):
    scene, whole, part = tmp_path / "long.yaml", tmp_path / "whole.h5", tmp_path / "part.h5"
    scene.write_text(SCENE)
    subprocess.run(command(scene, "--out", whole), check=True, capture_output=True)
    stopped = subprocess.Popen(command(scene, "--out", part), stdout=subprocess.PIPE, text=True)
    while _states(part) == 0:
        with pytest.raises(subprocess.TimeoutExpired):  # else the run ended before it could be stopped
            stopped.wait(0.02)
    stopped.send_signal(number)
    output, _ = stopped.communicate(timeout=60)
    assert 0 < _states(part) < _states(whole)
    if number == signal.SIGKILL:
        assert stopped.returncode == -number
    else:
        assert stopped.returncode == 128 + number
        assert 0.0 < json.loads(output)["t"] < 40.0
    resumed = subprocess.run(command(scene, "--out", part, "--resume"), check=True, capture_output=True, text=True)
    assert json.loads(resumed.stdout)["t"] == 40.0
    same(whole, part)


def _states(path):
    try:
        return len(lw.Recording.load(path))
    except lw.DescriptionError:
        return 0


def test_resume_wants_the_same_settings_and_starts_anew_without_a_recording(tmp_path):
    scene, out = tmp_path / "short.yaml", tmp_path / "out.h5"
    scene.write_text(SCENE.replace("until: 40", "until: 0.2"))
    fresh = subprocess.run(command(scene, "--out", out, "--resume"), capture_output=True, text=True)
    assert fresh.returncode == 0, fresh.stderr
    other = subprocess.run(command(scene, "--out", out, "--resume", "--dt", "1e-3"), capture_output=True, text=True)
    assert other.returncode == 1
    assert "simulation.dt was 0.0001, and is 0.001" in other.stderr
    for change, message in (("linkage.options.n=19", "other bodies"), ("gravity=[0,0,-3]", "other masses")):
        arguments = command(scene, "--out", out, "--resume", "--set", change)
        other = subprocess.run(arguments, capture_output=True, text=True)
        assert (other.returncode, other.stderr.count("\n")) == (1, 1)
        assert message in other.stderr
    further = subprocess.run(command(scene, "--out", out, "--resume", "--until", "0.4"), capture_output=True, text=True)
    assert json.loads(further.stdout)["t"] == 0.4


ARM = """
linkwork: 1
bodies:
- {name: upper, joint: {type: Revolute, name: shoulder, axis: y}, inertia: {shape: point, mass: 1, com: [0, 0, -1]}}
- name: lower
  parent: upper
  at: {position: [0, 0, -1]}
  joint: {type: Revolute, name: elbow, axis: y}
  inertia: {shape: cylinder, radius: 0.05, length: 1, mass: 1, com: [0, 0, -0.5]}
start: {q: {shoulder: 0.3}}
torques: {elbow: "9 - v[elbow]", shoulder: "-q[shoulder]"}
wrenches: [{body: lower, force: [t, 0, 0]}]
events:
- {when: "q[shoulder]", v: {shoulder: 0.2}}
"""


@pytest.mark.parametrize("event", ["at: 0.5, cut: elbow", 'when: "q[elbow] - 0.3", once: true, cut: elbow'])
def test_run_resumed_after_a_cut_of_a_joint_that_the_scene_names(tmp_path, event):
    scene, whole, part = tmp_path / "arm.yaml", tmp_path / "whole.h5", tmp_path / "part.h5"
    scene.write_text(f"{ARM}- {{{event}}}\n")
    made = lw.load_scene(scene)
    made.simulation(record=whole).run(1.0)
    made.simulation(record=part).run(0.7)
    assert "elbow" not in lw.Recording.load(part).segments[-1].linkage.joints
    made.resume(part).run(1.0)
    same(whole, part)


def test_an_event_that_failed_is_tried_again(tmp_path):
    scene, out = tmp_path / "arm.yaml", tmp_path / "out.h5"
    far = "at_a: {position: [9, 9, 9]}, at_b: {position: [0, 0, 0]}"
    joined = f"connect: {{a: ground, b: lower, joint: {{type: Fixed}}, {far}}}"
    scene.write_text(f"{ARM}- {{at: 0.05, {joined}}}\nsimulation: {{until: 0.1}}\n")
    for options in ((), ("--resume",)):
        failed = subprocess.run(command(scene, "--out", out, *options), capture_output=True, text=True)
        assert failed.returncode == 1
        assert "be closed from this pose" in failed.stderr
        assert lw.Recording.load(out).t[-1] == pytest.approx(0.05)
