"""Scenes: what a file says is what moves."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import yaml

import linkwork as lw
from linkwork import examples
from linkwork.io.scene_schema import scene_schema

ROOT = Path(__file__).parents[2]
PENDULUM = """
linkwork: 1
name: pendulum
bodies:
- name: bob
  joint: {type: Revolute, axis: y}
  inertia: {shape: point, mass: 2, com: [0, 0, -1.5]}
"""


def scene(tmp_path, text, **changes):
    path = tmp_path / "scene.yaml"
    path.write_text(text)
    return lw.load_scene(path, changes=changes)


def test_start_in_expressions_and_parameters(tmp_path):
    made = scene(tmp_path, PENDULUM + "parameters: {a: 30}\nstart: {q: {bob: a*deg}, v: {bob: -1}}\n")
    np.testing.assert_allclose(made.q, [math.pi / 6], rtol=1e-15)
    np.testing.assert_array_equal(made.v, [-1.0])
    assert made.run.until == 10.0
    assert "pendulum" in repr(made)


def test_parameters_may_be_named_as_arguments_of_ours_are(tmp_path):
    parameters = "parameters: {self: 1, states: 2, variables: 4, mark: 8, make: 16}\n"
    text = PENDULUM + parameters + "gravity: [0, 0, 0]\ntorques: {bob: self + states + variables + mark + make}\n"
    np.testing.assert_array_equal(scene(tmp_path, text).simulation().run(0.01).tau, 31.0)


def test_torque_in_time_and_state_acts_as_written(tmp_path):
    # Without gravity, m l² a = 3 sin 2t − v: the linear equation has a closed form.
    text = PENDULUM + 'gravity: [0, 0, 0]\ntorques: {bob: "3*sin(2*t) - v[bob]"}\n'
    sim = scene(tmp_path, text).simulation()
    recording = sim.run(2.0)
    inertia = 2 * 1.5**2
    # v = A sin 2t + B cos 2t + C exp(−t/I)
    A, B = 3 / (1 + 4 * inertia**2), -6 * inertia / (1 + 4 * inertia**2)
    t = recording.t
    v = A * np.sin(2 * t) + B * np.cos(2 * t) - B * np.exp(-t / inertia)
    np.testing.assert_allclose(recording.v[:, 0], v, atol=1e-12)
    np.testing.assert_allclose(recording.tau[:, 0], 3 * np.sin(2 * t) - v, atol=1e-12)


def test_load_on_a_body_is_a_force_in_world_axes(tmp_path):
    # Gravity of −z written as a load at the centre of mass gives the motion of gravity.
    start = "start: {q: {bob: 1}}\n"
    falling = scene(tmp_path, PENDULUM + start).simulation().run(1.0)
    pushed = (
        PENDULUM + start + "gravity: [0, 0, 0]\nwrenches: [{body: bob, force: [0, 0, -2*9.81], point: [0, 0, -1.5]}]\n"
    )
    np.testing.assert_allclose(scene(tmp_path, pushed).simulation().run(1.0).q, falling.q, atol=1e-11)


def test_drive_lets_a_joint_follow(tmp_path):
    recording = (
        scene(tmp_path, PENDULUM + 'drives: {bob: "0.3 + 0.2*sin(3*t)**2"}\n', **{"simulation.dt": 0.01})
        .simulation()
        .run(0.5)
    )
    np.testing.assert_allclose(recording.q[:, 0], 0.3 + 0.2 * np.sin(3 * recording.t) ** 2, atol=1e-12)
    q, v, a = recording.q, recording.v, recording.a
    np.testing.assert_allclose(recording.tau, lw.inverse_dynamics(recording.segments[0].linkage, q, v, a), atol=1e-9)


def test_a_run_goes_on_after_a_driven_joint_was_cut(tmp_path):
    text = """
linkwork: 1
linkage: {sample: chain, options: {n: 2}}
drives: {link0: 0.2*t, link1: 0.1*t}
events: [{at: 0.05, cut: link1}]
"""
    made, path = scene(tmp_path, text), tmp_path / "run.h5"
    made.simulation(record=path).run(0.1)
    recording = made.resume(path).run(0.15)
    last = recording.segments[-1].q[-1]
    np.testing.assert_array_equal(last, made.simulation().run(0.15).segments[-1].q[-1])
    assert last[0] == pytest.approx(0.03, abs=1e-12)


def test_events_at_and_when(tmp_path):
    text = (
        PENDULUM.replace("shape: point, mass: 2", "shape: sphere, radius: 0.1, mass: 2")
        + """
start: {q: {bob: 1}}
events:
- {when: "q[bob]", once: true, v: {bob: 0}}
- {at: 1.5, gravity: [0, 0, 0]}
- {at: 2, cut: bob}
- {when: t > 2.5, stop: true}
simulation: {until: 5}
"""
    )
    made = scene(tmp_path, text)
    recording = made.simulation().run(made.run.until)
    assert [event.what for event in recording.events] == ["v set", "gravity", "cut 'bob'", "stop"]
    assert recording.t[-1] == pytest.approx(2.5, abs=2e-3)
    inertia = 0.4 * 2 * 0.01 + 2 * 1.5**2
    quarter = recording.events[0]
    # The quarter period of a pendulum let go from 1 rad: K(sin 1/2) / ω.
    from scipy.special import ellipk

    assert quarter.time == pytest.approx(
        float(ellipk(math.sin(0.5) ** 2)) * math.sqrt(inertia / (2 * 9.81 * 1.5)), abs=1e-8
    )
    # Stopped at the bottom it stays there; a second scene from the same file starts afresh.
    np.testing.assert_allclose(recording.segments[-1].v, 0.0, atol=1e-8)
    assert made.simulation().t == 0.0
    assert made.linkage.joints.names == ["bob"]


def test_connect_closes_a_loop_during_the_run(tmp_path):
    text = (
        PENDULUM
        + """
- name: second
  parent: bob
  at: {position: [0, 0, -1.5]}
  joint: {type: Revolute, axis: y}
  inertia: {shape: sphere, radius: 0.1, mass: 1, com: [0, 0, -1]}
start: {q: {bob: 0.5, second: 0.4}}
events:
- {at: 0.2, connect: {a: ground, b: second, joint: {type: Revolute, axis: y}, at_a: {position: [1, 0, -2]}, name: pin}}
- {at: 0.4, cut: pin}
"""
    )
    recording = scene(tmp_path, text, **{"simulation.dt": 5e-3}).simulation().run(0.6)
    assert [segment.linkage.loops.names for segment in recording.segments] == [[], ["pin"], []]
    held = recording.segments[1]
    assert np.abs(held.q[-1] - held.q[0]).max() < 1e-8, "two rods pinned at both ends cannot move"


def test_contacts_come_and_go(tmp_path):
    text = """
linkwork: 1
bodies:
- {name: slider, joint: {type: Planar, normal: y}, inertia: {shape: sphere, radius: 0.1, mass: 2}}
contacts: [{name: floor, body: slider, surface: {type: Plane, normal: z}}]
events:
- {at: 0.1, release: floor}
- {at: 0.2, constrain: {name: ledge, body: slider, surface: {type: Plane, normal: z, offset: -0.04905}}}
simulation: {dt: 1e-3}
"""
    recording = scene(tmp_path, text).simulation().run(0.3)
    assert [segment.linkage.contacts.names for segment in recording.segments] == [["floor"], [], ["ledge"]]
    held, falling, landed = recording.segments
    np.testing.assert_allclose(held.normal_forces, 2 * 9.81, rtol=1e-12)
    height = lw.body_poses(falling.linkage, falling.q.copy()).positions[:, 0, 2]
    np.testing.assert_allclose(height, -0.5 * 9.81 * (falling.t - 0.1) ** 2, atol=1e-12)
    np.testing.assert_allclose(landed.v, 0.0, atol=1e-12)
    with pytest.raises(lw.DescriptionError, match=r"scene.yaml:7: .*did you mean 'floor'"):
        scene(tmp_path, text.replace("release: floor", "release: flor"))


def test_linkage_from_a_file_or_a_sample_is_added_to(tmp_path):
    lw.samples.chain(2).save(tmp_path / "chain.yaml")
    more = "frames: [{name: end, body: link1, pose: {position: [0, 0, -1]}}]\n"
    from_file = scene(tmp_path, f"linkwork: 1\nlinkage: chain.yaml\n{more}")
    from_sample = scene(tmp_path, f"linkwork: 1\nlinkage: {{sample: chain, options: {{n: 2}}}}\n{more}")
    for made in (from_file, from_sample):
        assert made.linkage.bodies.names == ["link0", "link1"]
        assert made.linkage.frames.names == ["end"]


def test_values_are_set_by_dotted_key(tmp_path):
    changes = {
        "bodies.bob.inertia.mass": 5,
        "bodies.0.inertia.com": "[0, 0, -2]",
        "start.q.bob": "45*deg",
        "name": "heavy",
    }
    made = scene(tmp_path, PENDULUM, **changes)
    assert made.name == "heavy"
    assert made.linkage.bodies["bob"].mass == 5.0
    np.testing.assert_array_equal(made.linkage.bodies["bob"].inertia.com, [0, 0, -2])
    np.testing.assert_allclose(made.q, [math.pi / 4])
    with pytest.raises(lw.DescriptionError, match=r"^simulation.dt=0:1: simulation.dt: must be a number > 0"):
        scene(tmp_path, PENDULUM, **{"simulation.dt": 0})
    with pytest.raises(lw.ArgumentError, match="no 'bab'; it has bob"):
        scene(tmp_path, PENDULUM, **{"bodies.bab.name": "x"})
    with pytest.raises(lw.ArgumentError, match="single value"):
        scene(tmp_path, PENDULUM, **{"name.first": "x"})


def test_loops_are_written_and_read_back(tmp_path):
    linkage = lw.samples.stewart()
    linkage.save(tmp_path / "stewart.yaml")
    again = lw.load(tmp_path / "stewart.yaml")
    q = linkage.neutral()
    assert again.loops.names == linkage.loops.names
    np.testing.assert_array_equal(
        lw.forward_dynamics(again, q, 0 * q[: linkage.nv]), lw.forward_dynamics(linkage, q, 0 * q[: linkage.nv])
    )


def test_a_scene_is_not_taken_for_a_linkage(tmp_path):
    (tmp_path / "scene.yaml").write_text(PENDULUM + "simulation: {until: 1}\n")
    with pytest.raises(lw.DescriptionError, match="load_scene"):
        lw.load(tmp_path / "scene.yaml")


ADAPTIVE = """
linkwork: 1
linkage: {sample: chain, options: {n: 300}}
gravity: [0, 0, 0]
torques: {link7: 0.5}
wrenches: [{body: link299, force: [t, 0, 0], torque: [0, 0.1, 0], point: [0, 0, -1]}]
adaptive: {until: 0.1, dt: 0.01, tolerance: 1e-3, record_every: 3}
"""


def test_adaptive_run_is_that_of_the_simulation_it_names(tmp_path):
    motion = scene(tmp_path, ADAPTIVE).adaptive()
    recording = motion.run(0.1)
    linkage = lw.samples.chain(300)
    linkage.gravity = (0, 0, 0)
    by_hand = lw.AdaptiveSimulation(linkage, linkage.neutral(), tolerance=1e-3, dt=0.01)
    by_hand.apply_torque("link7", 0.5)
    for k in range(10):
        by_hand.apply_force("link299", (k * 0.01, 0, 0), (0, 0, -1), moment=(0, 0.1, 0))
        by_hand.step()
    np.testing.assert_array_equal(recording.q[-1], by_hand.q)
    np.testing.assert_allclose(recording.t, [0, 0.03, 0.06, 0.09, 0.1], atol=1e-12)
    assert len(motion.reports) == 10


def test_adaptive_run_goes_on_where_it_was_stopped(tmp_path):
    whole = scene(tmp_path, ADAPTIVE).adaptive().run(0.1)
    count = iter(range(6))
    stopped = scene(tmp_path, ADAPTIVE).adaptive().run(0.1, watch=lambda t: next(count) < 5)
    stopped.save(tmp_path / "run.h5")
    before = lw.Recording.load(tmp_path / "run.h5")
    motion = scene(tmp_path, ADAPTIVE).adaptive(before)
    recording = motion.run(0.1)
    assert len(motion.reports) == 5
    np.testing.assert_allclose(recording.t, [0, 0.03, 0.05, 0.06, 0.09, 0.1], atol=1e-12)
    # references are found anew, so joints at the margin of the tolerance may be computed or not
    moved = np.abs(whole.q[-1] - whole.q[0]).max()
    np.testing.assert_allclose(recording.q[-1], whole.q[-1], atol=1e-3 * moved)


def test_adaptive_run_of_dynamics_has_velocities_and_goes_on_with_them(tmp_path):
    text = ADAPTIVE.replace("adaptive: {", "start: {v: {link5: 0.2}}\nadaptive: {mode: dynamics, ")
    whole = scene(tmp_path, text).adaptive()
    assert np.count_nonzero(whole.recording.v[0]) == 1
    recording = whole.run(0.1)
    np.testing.assert_array_equal(recording.v[-1], whole.simulation.v)
    before = scene(tmp_path, text).adaptive().run(0.06)
    after = scene(tmp_path, text).adaptive(before).run(0.1)
    np.testing.assert_allclose(after.v[-1], recording.v[-1], atol=1e-2 * np.abs(recording.v[-1]).max())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("dt: 0.01", "dt: 0.05", "adaptive.dt was 0.01, and is 0.05"),
        ("tolerance: 1e-3", "tolerance: 1e-5", "adaptive.tolerance was 0.001"),
        ("record_every: 3", "record_every: 2", "record_every was 3"),
        ("record_every: 3", "record_every: 3, gain: 1e-4", "gain was None"),
        ("n: 300", "n: 299", "other bodies"),
        ("sample: chain", "sample: tree", "other bodies|other masses"),
        ("gravity: [0, 0, 0]", "gravity: [0, 0, -1]", "other masses, lengths, limits or forces"),
        ("linkwork: 1", "linkwork: 1\nstart: {q: {link5: 0.1}}", "start was not given"),
    ],
)
def test_adaptive_run_goes_on_from_its_own_recording_only(tmp_path, old, new, message):
    scene(tmp_path, ADAPTIVE).adaptive().run(0.05).save(tmp_path / "run.h5")
    before = lw.Recording.load(tmp_path / "run.h5")
    with pytest.raises(lw.LinkworkError, match=message):
        scene(tmp_path, ADAPTIVE.replace(old, new).replace("link299", "link298")).adaptive(before)


def test_adaptive_run_does_not_go_on_from_a_simulation(tmp_path):
    linkage = lw.samples.chain(300)
    linkage.gravity = (0, 0, 0)
    recording = lw.Simulation(linkage, dt=0.01, record=tmp_path / "run.h5").run(0.02)
    for before in (recording, lw.Recording.load(tmp_path / "run.h5"), lw.Recording()):
        with pytest.raises(lw.LinkworkError, match="not of an adaptive run"):
            scene(tmp_path, ADAPTIVE).adaptive(before)


def test_adaptive_scenes_are_not_simulated_and_have_no_events(tmp_path):
    with pytest.raises(lw.ArgumentError, match=r"scene.adaptive\(\)"):
        scene(tmp_path, ADAPTIVE).simulation()
    with pytest.raises(lw.ArgumentError, match=r"scene.simulation\(\)"):
        scene(tmp_path, PENDULUM).adaptive()
    with pytest.raises(lw.DescriptionError, match=r"scene.yaml:8: .*no `events`"):
        scene(tmp_path, ADAPTIVE + "events: [{at: 1, stop: true}]\n")


# Schema and docs


def fits(value, schema, root):
    """Whether a value fits a schema, in the words that ours uses."""
    if "$ref" in schema:
        return fits(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "anyOf" in schema and not any(fits(value, option, root) for option in schema["anyOf"]):
        return False
    if ("const" in schema and value != schema["const"]) or ("enum" in schema and value not in schema["enum"]):
        return False
    kinds = {
        "number": (int, float),
        "integer": int,
        "string": str,
        "array": list,
        "object": dict,
        "boolean": bool,
        "null": type(None),
    }
    wanted = schema.get("type", list(kinds))
    if not isinstance(value, tuple(np.hstack([kinds[kind] for kind in np.atleast_1d(wanted)]))):
        return False
    if isinstance(value, list):
        return all(fits(entry, schema.get("items", {}), root) for entry in value)
    if isinstance(value, dict):
        known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
        if not set(schema.get("required", ())) <= set(value) or (other is False and not set(value) <= set(known)):
            return False
        return all(fits(v, known.get(k, other if isinstance(other, dict) else {}), root) for k, v in value.items())
    return not (isinstance(value, int | float) and value < schema.get("minimum", -np.inf))


def plain(path):
    """The file as an editor sees it: YAML 1.2, in which 1e-3 is a number."""

    def number(value):
        if isinstance(value, dict):
            return {k: number(v) for k, v in value.items()}
        if isinstance(value, list):
            return [number(v) for v in value]
        try:
            return float(value) if isinstance(value, str) else value
        except ValueError:
            return value

    return number(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize("name", examples.names())
def test_shipped_scenes_fit_the_schema(name):
    schema = scene_schema()
    document = plain(examples.files(name)[0])
    assert fits(document, schema, schema)
    assert not fits(document | {"simulatoin": {}}, schema, schema)
    assert not fits(document | {"simulation": {"dt": [0.001]}}, schema, schema)


def test_schema_in_the_docs_is_the_present_one():
    assert json.loads((ROOT / "docs" / "scene.schema.json").read_text()) == scene_schema()


def test_every_key_is_in_the_docs():
    page = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    schema = scene_schema()
    keys = set(schema["properties"])
    for part in schema["$defs"].values():
        for option in part.get("anyOf", [part]):
            keys |= set(option.get("properties", {}))
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []
