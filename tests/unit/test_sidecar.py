"""Saved as URDF, SDF and YAML and read back: every number is kept, by the file or by its companion."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.io.sidecar import companion
from linkwork.linkage.actuator import Actuator
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.visuals import Visual

TOLERANCE = {"urdf": 1e-14, "sdf": 1e-14, "yaml": 0.0}


def crane() -> lw.Linkage:
    """All that a linkage can hold and URDF or SDF have no words for, with a loop that is open at q = 0."""
    linkage = lw.Linkage(name="crane", gravity=(0, 0.1, -1.62))
    inertia = lw.Inertia(2.0, (0.1, -0.2, 0.3), [[0.4, 0.01, 0.02], [0.01, 0.5, 0.03], [0.02, 0.03, 0.6]])
    at = lw.Pose.rpy(0.3, -0.4, 2.5, position=(0.1, 0.2, 1 / 3))
    slew = lw.Revolute((1, 2, 3), damping=0.1, limits=(-1, 2), effort=30, velocity=4, coulomb=0.2, armature=0.3)
    linkage.add_body("mast", inertia, joint=slew, at=at, joint_name="slew", strength=500.0)
    linkage.add_body("boom", inertia, joint=lw.Revolute("y", actuated=False), parent="mast", at=lw.Pose((0, 0, 1)))
    linkage.add_body("rod", inertia, joint=lw.Prismatic("-x", limits=(0, np.inf)), parent="boom")
    linkage.add_body("stuck", inertia, joint=lw.Revolute("x", limits=(0.25, 0.25)), parent="boom", at=at)
    linkage.add_frame("tool", "rod", at)
    linkage.add_frame("camera", "ground", at)
    pin = lw.Revolute("z", damping=0.7)
    linkage.connect("rod", "mast", pin, at_a=at, at_b=lw.Pose((1, 2, 3)), name="pin", strength=9.0)
    linkage.connect("stuck", "ground", lw.Spherical(), name="ball")
    linkage.add_force(lw.JointSpring("slew", 3.0, 0.125))
    linkage.add_force(lw.Spring("rod", "ground", (1, 2, 3), (0, 0, 1), 3.0, 0.1, 0.2))
    linkage.add_force(lw.JointFriction("boom", 0.3))
    linkage.couplings.append(Coupling("boom", "slew", -0.5, 0.25))
    linkage.couplings.append(Coupling("stuck", "slew", 0.5, 0.25, higher=(0.1, -0.3)))
    linkage.constrain("rod", point=(0, 0, 1), surface=lw.Plane("z", 0.5), friction=0.2, name="floor")
    linkage.visuals += [
        Visual("mast", at, "cylinder", (0.1, 1.0), color=(1.0, 0.0, 0.0, 0.5), name="tube"),
        Visual("ground", at, "box", (1.0, 2.0, 3.0), collision=True),
    ]
    linkage.actuators.append(Actuator("motor", "slew", (3.0,), control=(-1.0, 2.0)))
    linkage.configurations["home"] = np.array([0.1, 0.2, 0.3, 0.25])
    return linkage


def same(one: lw.Linkage, two: lw.Linkage, tolerance: float) -> None:
    """Everything that `one` holds is in `two`, by name, to the last number."""

    def close(a, b, what) -> None:
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        np.testing.assert_allclose(a, b, atol=tolerance, rtol=0, err_msg=what)

    assert sorted(two.bodies.names) == sorted(one.bodies.names)
    for body in one.bodies:
        twin = two.bodies[body.name]
        for what in ("mass", "com", "matrix"):
            close(getattr(twin.inertia, what), getattr(body.inertia, what), body.name)
        joint, other = body.joint, twin.joint
        assert other.parent.name == joint.parent.name
        assert isinstance(joint.type, lw.Free) or other.name == joint.name
        close(other.at.matrix, joint.at.matrix, joint.name)
        same_type(joint.type, other.type, close)
    assert sorted(two.loops.names) == sorted(one.loops.names)
    for loop in one.loops:
        twin = two.loops[loop.name]
        assert (twin.parent.name, twin.real.name, twin.strength) == (loop.parent.name, loop.real.name, loop.strength)
        close(twin.at_a.matrix, loop.at_a.matrix, loop.name)
        close(twin.at_b.matrix, loop.at_b.matrix, loop.name)
        same_type(loop.type, twin.type, close)
    for frame in one.frames:
        assert two.frames[frame.name].body.name == frame.body.name
        close(two.frames[frame.name].pose.matrix, frame.pose.matrix, frame.name)
    key = repr
    assert sorted(two.forces, key=key) == sorted(one.forces, key=key)
    assert sorted(two.couplings, key=key) == sorted(one.couplings, key=key)
    assert sorted(two.actuators, key=key) == sorted(one.actuators, key=key)
    assert two.gravity.tolist() == one.gravity.tolist()
    assert two.strengths == one.strengths
    assert {name: q.tolist() for name, q in two.configurations.items()} == {
        name: q.tolist() for name, q in one.configurations.items()
    }
    assert sorted((v.body, v.kind, v.size, v.color or (), v.collision) for v in two.visuals) == sorted(
        (v.body, v.kind, v.size, v.color or (), v.collision) for v in one.visuals
    )
    assert [(c.name, c.friction, c.surface, c.point.tolist()) for c in two.contacts] == [
        (c.name, c.friction, c.surface, c.point.tolist()) for c in one.contacts
    ]


def same_type(one, two, close) -> None:
    assert type(one) is type(two)
    for mine, other in zip(one.axes(), two.axes(), strict=True):
        close(other, mine, "axis")
    assert two.options() == one.options()
    close(getattr(two, "pitch", 0.0), getattr(one, "pitch", 0.0), "pitch")


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "yaml"])
@pytest.mark.parametrize(
    "make", [crane, lw.samples.four_bar, lw.samples.five_bar], ids=["crane", "four-bar", "five-bar"]
)
def test_round_trip(tmp_path, make, suffix):
    one = make()
    path = tmp_path / f"one.{suffix}"
    one.save(path)
    two = lw.load(path)
    same(one, two, TOLERANCE[suffix])
    two.save(tmp_path / f"two.{suffix}")
    same(one, lw.load(tmp_path / f"two.{suffix}"), 2 * TOLERANCE[suffix])


@pytest.mark.parametrize("make", [lw.samples.stewart, lw.samples.bricard], ids=["stewart", "bricard"])
def test_spatial_loops_as_sdf(tmp_path, make):
    one = make()
    path = tmp_path / "one.sdf"
    one.save(path)
    free = any(isinstance(joint.type, lw.Free) for joint in one.joints)
    two = lw.load(path, base="free" if free else "fixed")
    same(one, two, 1e-14)


def test_a_closed_loop_is_a_joint_of_the_file_too(tmp_path):
    """Other programs see it; for us the companion says that it closes a loop, and no tree of ours moves it."""
    bar = lw.Linkage(name="bar")
    rod = lw.Inertia.rod(1.0, mass=1.0)
    bar.add_body("a", rod, joint=lw.Revolute("y"))
    bar.add_body("b", rod, joint=lw.Revolute("y"), parent="a", at=lw.Pose((0, 0, 1)))
    bar.connect("ground", "b", lw.Revolute("y"), at_a=lw.Pose((1, 0, 1)), at_b=lw.Pose((1, 0, 0)), name="pin")
    path = tmp_path / "bar.sdf"
    bar.save(path)
    assert '<joint name="pin"' in path.read_text()
    two = lw.load(path)
    assert two.joints.names == ["a", "b"]
    same(bar, two, 1e-14)
    companion(path).unlink()
    three = lw.load(path)
    assert (len(three.joints), len(three.loops)) == (2, 1)
    assert lw.mobility(three, three.neutral()).dof == lw.mobility(bar, bar.neutral()).dof


def test_a_companion_that_has_nothing_to_say_is_removed(tmp_path):
    one, path = crane(), tmp_path / "x.urdf"
    one.save(path)
    assert companion(path).is_file()
    two = lw.Linkage(name="x")
    two.add_body("a", lw.Inertia.sphere(1, mass=1), joint=lw.Revolute("z"))
    two.save(path)
    assert not companion(path).exists()


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("linkwork: 1\nloops:\n- {a: mast, b: rood, joint: {type: Revolute}}\n", 3, "rood"),
        ("linkwork: 1\njoints:\n  slow: {armature: 1}\n", 3, "did you mean 'slew'"),
        ("linkwork: 1\njoints:\n  slew: {armature: -1}\n", 3, "armature"),
        ("linkwork: 1\nbodies: []\n", 2, "bodies"),
        ("loops: []\n", 1, "linkwork"),
        ("linkwork: 2\n", 1, "version 2"),
    ],
)
def test_a_broken_companion(tmp_path, text, line, match):
    path = tmp_path / "x.urdf"
    crane().save(path)
    companion(path).write_text(text)
    with pytest.raises(lw.DescriptionError, match=match) as caught:
        lw.load(path)
    assert caught.value.line == line
    assert str(caught.value.file).endswith("x.loops.yaml")


AXIS = '<axis xyz="0 1 0"/>'
ROBOT = """\
<robot name="bar">
  <link name="base"/><link name="crank"/><link name="coupler"/><link name="rocker"/>
  <joint name="a" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 1 0"/></joint>
  <joint name="b" type="continuous"><origin xyz="0 0 1"/><parent link="crank"/><child link="coupler"/>{axis}</joint>
  <joint name="d" type="continuous"><origin xyz="2 0 0"/><parent link="base"/><child link="rocker"/>{axis}</joint>
  {}
</robot>
"""


@pytest.mark.parametrize(
    "loop",
    [
        '<loop_joint name="c" type="revolute"><link1 link="coupler" xyz="2 0 0" rpy="0 0 0"/>'
        '<link2 link="rocker" xyz="0 0 1"/><axis xyz="0 1 0"/></loop_joint>',
        '<constraint name="c" type="revolute_joint"><parent link="coupler"/><parent_origin xyz="2 0 0"/>'
        '<child link="rocker"/><child_origin xyz="0 0 1"/><parent_axis xyz="0 1 0"/></constraint>',
        '<loop name="c" type="revolute"><predecessor link="coupler"><origin xyz="2 0 0"/></predecessor>'
        '<successor link="rocker"><origin xyz="0 0 1"/></successor><axis xyz="0 1 0"/></loop>',
    ],
    ids=["loop_joint", "constraint", "loop"],
)
def test_loops_in_urdf(tmp_path, loop):
    path = tmp_path / "bar.urdf"
    path.write_text(ROBOT.format(loop, axis=AXIS))
    bar = lw.load(path)
    assert bar.loops["c"].type == lw.Revolute("y")
    assert bar.ignored == []
    found = lw.mobility(bar, bar.neutral())
    assert (found.dof, found.redundant) == (1, 3)
    path.write_text(ROBOT.format("", axis=AXIS))
    companion(path).write_text(
        "linkwork: 1\nloops:\n- {name: c, a: coupler, b: rocker, joint: {type: Revolute, axis: y}, "
        "at_a: {position: [2, 0, 0]}, at_b: {position: [0, 0, 1]}}\n"
    )
    same(bar, lw.load(path), 0.0)


@pytest.mark.parametrize(
    ("loop", "match"),
    [
        ('<loop_joint name="c" type="bent"><link1 link="coupler"/><link2 link="rocker"/></loop_joint>', "type of loop"),
        ('<loop_joint name="c" type="ball"><link1 link="coupler"/></loop_joint>', "<link2>"),
        ('<loop_joint name="c" type="ball"><link1 link="couple"/><link2 link="rocker"/></loop_joint>', "coupler"),
        ('<loop_joint name="a" type="ball"><link1 link="coupler"/><link2 link="rocker"/></loop_joint>', "named 'a'"),
        (
            '<loop name="c" type="revolute"><parent link="crank"/><child link="rocker"/><axis xyz="0 0 0"/></loop>',
            "zero",
        ),
        (
            '<loop name="c" type="ball"><parent link="crank" xyz="1 0 0"/><parent_origin xyz="1 0 0"/>'
            '<child link="rocker"/></loop>',
            "twice",
        ),
    ],
)
def test_broken_loops_in_urdf(tmp_path, loop, match):
    path = tmp_path / "bar.urdf"
    path.write_text(ROBOT.format(loop, axis=AXIS))
    with pytest.raises(lw.DescriptionError, match=match) as caught:
        lw.load(path)
    assert caught.value.line == 6


@pytest.mark.parametrize("joint", [lw.Cylindrical("z"), lw.Planar("z"), lw.Gimbal()])
def test_a_joint_that_sdf_has_no_word_for(tmp_path, joint):
    linkage = lw.Linkage(name="x")
    linkage.add_body("a", lw.Inertia.sphere(1, mass=1), joint=joint, joint_name="odd")
    with pytest.raises(lw.DescriptionError, match=r"joint 'odd': SDF has no"):
        linkage.save(tmp_path / "x.sdf")
    assert not (tmp_path / "x.sdf").exists()
