"""Malformed scenes: each gives one clear error, with file and line, and quickly."""


import pytest

import linkwork as lw

SHAPE = "{shape: cylinder, radius: 0.05, length: 1, mass: 1, com: [0, 0, -0.5]}"
GOOD = """\
linkwork: 1
name: arm
gravity: [0, 0, -9.81]
bodies:
- name: upper
  joint: {type: Revolute, name: shoulder, axis: y}
  inertia: {shape: cylinder, radius: 0.05, length: 1, mass: 1, com: [0, 0, -0.5]}
- name: lower
  parent: upper
  at: {position: [0, 0, -1]}
  joint: {type: Revolute, name: elbow, axis: y}
  inertia: {shape: cylinder, radius: 0.05, length: 1, mass: 1, com: [0, 0, -0.5]}
frames:
- {name: tip, body: lower, pose: {position: [0, 0, -1]}}
loops:
- {name: rail, a: ground, b: tip, joint: {type: Planar, normal: y}}
forces:
- {type: JointSpring, joint: elbow, stiffness: 3}
parameters: {k: 3}
start:
  q: {shoulder: 90*deg}
  v: {elbow: 1}
torques:
  elbow: k * sin(2*t) - q[elbow]
wrenches:
- {body: tip, force: [0, 0, 5*t]}
events:
- {at: 0.3, cut: rail}
- {when: "q[elbow] - 1", once: true, stop: true}
simulation: {until: 2, dt: 1e-3}
outputs: {plots: [strip]}
"""

BOMB = "\n".join(
    ["linkwork: 1", "a: &a [1,1,1,1,1,1,1,1,1,1]"]
    + [f"{b}: &{b} [{','.join(['*' + a] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
)

KINDS = {
    "unknown key": ("start:", "strat:", 20, "did you mean 'start'"),
    "unknown key inside": ("until: 2", "untill: 2", 30, "did you mean 'until'"),
    "key twice": ("name: arm", "name: arm\nname: leg", 3, "given twice"),
    "missing version": ("linkwork: 1\n", "", 1, "'linkwork' is missing"),
    "another version": ("linkwork: 1", "linkwork: 7", 1, "version"),
    "text for a number": ("dt: 1e-3", "dt: small", 30, "must be a number"),
    "number for a list": ("gravity: [0, 0, -9.81]", "gravity: -9.81", 3, "gravity"),
    "list for a mapping": ("simulation: {until: 2, dt: 1e-3}", "simulation: [2, 1e-3]", 30, "mapping"),
    "mapping for a list": ("events:\n- {at: 0.3, cut: rail}\n-", "events:\n ", 28, "list"),
    "text for a truth value": ("once: true", "once: maybe", 29, "must be bool"),
    "fraction for a whole number": ("dt: 1e-3", "dt: 1e-3, record_every: 2.5", 30, "whole number"),
    "no value": ("until: 2,", "until: ,", 30, "has no value"),
    "not among the choices": ("dt: 1e-3", "dt: 1e-3, integrator: rk5", 30, "did you mean 'rk4'"),
    "negative step": ("dt: 1e-3", "dt: -1e-3", 30, "> 0"),
    "NaN": ("until: 2", "until: .nan", 30, "NaN"),
    "NaN in a pose": ("at: {position: [0, 0, -1]}", "at: {position: [0, .nan, -1]}", 10, "NaN"),
    "infinite": ("stiffness: 3", "stiffness: .inf", 18, "finite"),
    "number too large": (SHAPE + "\n-", "{shape: point, mass: 1e999}\n-", 7, "too large"),
    "too many steps": ("dt: 1e-3", "dt: 1e-300", 30, "steps"),
    "parameter named as the time": ("{k: 3}", "{k: 3, t: 5}", 19, "parameters.t: 't' cannot be a variable"),
    "parameter named as a constant": ("{k: 3}", "{k: 3, pi: 3}", 19, "'pi' cannot be a variable"),
    "parameter named as a function": ("{k: 3}", "{k: 3, sin: 3}", 19, "'sin' cannot be a variable"),
    "parameter named as the state": ("{k: 3}", "{k: 3, q: 3}", 19, "'q' cannot be a variable"),
    "parameter with an underscore": ("{k: 3}", "{k: 3, _s0: 3}", 19, "'_s0' cannot be a variable"),
    "parameter of two words": ("{k: 3}", "{k: 3, a b: 3}", 19, "'a b' cannot be a variable"),
    "parameter that is a keyword": ("{k: 3}", "{k: 3, class: 3}", 19, "'class' cannot be a variable"),
    "missing parent": ("parent: upper", "parent: uper", 8, "did you mean 'upper'"),
    "cyclic parent": ("- name: upper", "- name: upper\n  parent: lower", 5, "unknown body"),
    "its own parent": ("parent: upper", "parent: lower", 8, "unknown body"),
    "two bodies of one name": ("- name: lower", "- name: upper", 8, "already"),
    "missing frame": ("body: tip,", "body: tipp,", 26, "did you mean 'tip'"),
    "missing joint of a torque": ("  elbow: k", "  elbo: k", 24, "did you mean 'elbow'"),
    "missing joint of the start": ("{shoulder: 90*deg}", "{sholder: 90*deg}", 21, "did you mean 'shoulder'"),
    "missing joint of a spring": ("joint: elbow, stiffness", "joint: elbw, stiffness", 18, "did you mean 'elbow'"),
    "missing joint of an event": ("cut: rail", "cut: rial", 28, "did you mean 'rail'"),
    "missing joint of a condition": ("q[elbow] - 1", "q[elbo] - 1", 29, "did you mean 'elbow'"),
    "wrong number of values": ("{shoulder: 90*deg}", "{shoulder: [1, 2]}", 21, "takes 1 value"),
    "force of two numbers": ("force: [0, 0, 5*t]", "force: [0, 5*t]", 26, "takes 3 value"),
    "event without a time": ("- {at: 0.3, cut: rail}", "- {cut: rail}", 28, "`at` or `when`"),
    "event without an action": ("- {at: 0.3, cut: rail}", "- {at: 0.3}", 28, "something to do"),
    "loop open at the start": ("normal: y}}", "normal: y}, at_a: {position: [0, 0.5, 0]}}", 21, "cannot be closed"),
    "loop between a body and itself": ("a: ground, b: tip", "a: lower, b: tip", 16, "two bodies"),
    "unknown type of joint": ("type: Planar, normal: y", "type: Plane, normal: y", 16, "did you mean 'Planar'"),
    "unknown shape": (SHAPE + "\n-", "{shape: cyl, mass: 1}\n-", 7, "did you mean 'cylinder'"),
    "size of a shape missing": (SHAPE + "\n-", "{shape: cylinder, length: 1, mass: 1}\n-", 7, "'radius' is missing"),
    "missing file": ("parameters:", "linkage: none.urdf\nparameters:", 19, "no file 'none.urdf'"),
    "unknown sample": ("parameters:", "linkage: {sample: chian}\nparameters:", 19, "did you mean 'chain'"),
    "unknown option": ("parameters:", "linkage: {sample: chain, options: {m: 3}}\nparameters:", 19, "unknown option"),
    "expression that calls": ("k * sin(2*t) - q[elbow]", "open(t)", 24, "unknown function 'open'"),
    "expression that imports": ("k * sin(2*t) - q[elbow]", "__import__('os').system('true')", 24, "only functions"),
    "expression that reaches inside": ("k * sin(2*t) - q[elbow]", "t.__class__", 24, "not allowed"),
    "expression that runs forever": ("k * sin(2*t) - q[elbow]", "9**9**9**9**9", 24, "no value"),
    "expression that loops": ("k * sin(2*t) - q[elbow]", '"[x for x in t]"', 24, "not allowed"),
    "expression without end": ("k * sin(2*t) - q[elbow]", "1" + " + 1" * 400, 24, "characters"),
    "expression with a slip": ("k * sin(2*t) - q[elbow]", "k * sin(2*t", 24, "formula"),
    "expression of an unknown name": ("k * sin(2*t) - q[elbow]", "kk * t", 24, "unknown variable 'kk'"),
    "expression without a value": ("k * sin(2*t) - q[elbow]", "1 / t", 24, "division by zero"),
    "expression not a number": ("k * sin(2*t) - q[elbow]", "t > 1", 24, "truth value"),
    "a state in the start": ("{shoulder: 90*deg}", '{shoulder: "q[elbow]"}', 21, "not allowed"),
    "tag of Python": ("k * sin(2*t) - q[elbow]", "!!python/object/apply:os.system [ls]", 24, "tag"),
    "tag of another kind": ("name: arm", "name: !secret arm", 2, "tag"),
    "alias within itself": ("parameters: {k: 3}", "parameters: &p {k: *p}", 19, "part of"),
    "alias of nothing": ("name: arm", "name: *nothing", 2, "undefined alias"),
    "not YAML": ("events:", "events: [", 28, "not valid YAML"),
    "tabs": ("  elbow: k", "\telbow: k", 24, "not valid YAML"),
    "two documents": ("wrenches:", "---\nwrenches:", 25, "document"),
    "control characters": ("name: arm", "name: a\x07rm", 2, "not valid YAML"),
}  # fmt: skip
WHOLE = {
    "empty": (b"", 1, "empty"),
    "not UTF-8": (b"linkwork: 1\nname: \xe9t\xe9\n", 2, "UTF-8"),
    "UTF-16": ("linkwork: 1\n".encode("utf-16"), 1, "UTF-8"),
    "a list": (b"- 1\n- 2\n", 1, "mapping"),
    "no bodies": (b"linkwork: 1\nname: void\n", 1, "no bodies"),
    "YAML bomb": (BOMB.encode(), 9, "aliases"),
    "nested without end": (b"linkwork: 1\nname: " + b"[" * 200_000 + b"]" * 200_000, 2, "nested"),
    "blocks without end": (b"linkwork: 1\nname:\n" + b"- " * 200_000 + b"1", 3, "nested"),
}


def refused(path):
    with pytest.raises(lw.DescriptionError) as caught:
        lw.load_scene(path)
    assert caught.value.__cause__ is None
    return caught.value


def test_the_scene_they_are_made_from_is_good(tmp_path):
    path = tmp_path / "scene.yaml"
    path.write_text(GOOD)
    recording = lw.load_scene(path).simulation().run(0.4)
    assert [event.what for event in recording.events] == ["cut 'rail'"]


@pytest.mark.parametrize("kind", KINDS)
def test_malformed_scene_gives_one_error_with_its_line(tmp_path, kind):
    old, new, line, message = KINDS[kind]
    assert GOOD.count(old) == 1, "the place to spoil must be unique"
    path = tmp_path / "scene.yaml"
    path.write_text(GOOD.replace(old, new))
    error = refused(path)
    assert message in str(error)
    assert str(error).startswith(f"{path}:{line}: ")
    assert "\n" not in str(error)


@pytest.mark.parametrize("kind", WHOLE)
def test_files_that_are_no_scene(tmp_path, kind):
    content, line, message = WHOLE[kind]
    path = tmp_path / "scene.yaml"
    path.write_bytes(content)
    error = refused(path)
    assert message in str(error)
    assert error.line == line
    assert len(str(error)) < 400


@pytest.mark.parametrize(("given", "told"), [(None, "the path of a scene"), ("doubel-pendulum", "'double-pendulum'")])
def test_what_is_neither_a_path_nor_an_example_is_told(given, told):
    with pytest.raises(lw.ArgumentError, match=told):
        lw.load_scene(given)
