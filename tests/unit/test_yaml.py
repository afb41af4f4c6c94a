"""Our own YAML: nothing is lost, and errors name the line."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.linkage.columns import BODY, DOF
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.visuals import Visual


@pytest.fixture
def linkage():
    rng = np.random.default_rng(0)
    linkage = lw.Linkage(name="zoo: äöü", gravity=(0.1, 0, -1.62))
    kinds = [
        lw.Free(damping=0.1),
        lw.Revolute((1, 2, 3), damping=1e-17, limits=(-1, math.inf), coulomb=0.1, effort=3, velocity=1 / 3),
        lw.Prismatic("-y", armature=0.1, actuated=False),
        lw.Helical("x", -0.01),
        lw.Cylindrical("x", limits=((-1, 1), (-math.inf, math.inf))),
        lw.Universal("z", (1, 1, 0), actuated=(True, False), damping=(1, 2)),
        lw.Planar((1, 2, 2)),
        lw.Spherical(armature=(1, 2, 3)),
        lw.Fixed(),
    ]
    for i, kind in enumerate(kinds):
        at = lw.Pose.rpy(*rng.normal(size=3), position=rng.normal(size=3)) if i % 3 else lw.Pose()
        inertia = (
            lw.Inertia.box(rng.uniform(0.1, 1, 3), mass=rng.uniform(0.5, 2), com=rng.normal(size=3))
            if i
            else None
        )
        linkage.add_body(
            f"{i}", inertia, joint=kind, parent=f"{i - 1}" if i else "ground", at=at, joint_name=f"yes {i}"
        )
    linkage.add_frame("tip", "8", lw.Pose.rpy(1, 2, 3, position=(0, 0, 1)))
    linkage.add_frame("origin", "ground")
    linkage.add_force(lw.Spring("tip", "ground", (0, 0, 1), (1, 0, 0), stiffness=10, rest_length=0.1))
    linkage.add_force(lw.JointSpring("yes 5", (1, 2), 0.5))
    linkage.add_force(lw.JointFriction("yes 7", 0.1))
    linkage.couplings.append(Coupling("yes 2", "yes 1", -2.0, 0.1))
    linkage.visuals.append(
        Visual("1", lw.Pose((1, 0, 0)), "box", (1.0, 2.0, 3.0), color=(1.0, 0.0, 0.0, 0.5))
    )
    linkage.visuals.append(
        Visual("ground", lw.Pose(), "mesh", (1.0, 1.0, 1.0), uri="package://a/b.dae", collision=True)
    )
    linkage.ignored.append("link 'x': gazebo element")
    return linkage


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".YAML"])
def test_saving_and_loading_gives_the_same_bits(linkage, tmp_path, suffix):
    path = tmp_path / f"zoo{suffix}"
    linkage.save(str(path))
    again = lw.load(path)
    for column in [*BODY, *DOF]:
        np.testing.assert_array_equal(
            getattr(again.columns, column), getattr(linkage.columns, column), err_msg=column
        )
    assert again.name == linkage.name
    assert again.bodies.names == linkage.bodies.names
    assert again.joints.names == linkage.joints.names
    assert [(f.name, f.body.name, f.pose) for f in again.frames] == [
        (f.name, f.body.name, f.pose) for f in linkage.frames
    ]
    assert again.forces == linkage.forces
    assert again.couplings == linkage.couplings
    assert again.visuals == linkage.visuals
    assert again.ignored == linkage.ignored
    np.testing.assert_array_equal(again.gravity, linkage.gravity)
    second = tmp_path / "second.yaml"
    again.save(second)
    assert second.read_text() == path.read_text()


HAND_WRITTEN = """\
linkwork: 1
bodies:
- name: upper
  at: {position: [0, 0, 1], rpy: [0, 1.5707963267948966, 0]}
  joint: {type: Revolute, axis: -y, damping: 1e-3}
  inertia: {mass: 2, matrix: [1, 1, 1]}
- name: lower
  parent: upper
  joint: {type: Universal}
  at: [0, 0, 0.5]
"""


def test_a_file_written_by_hand_may_leave_out_what_is_usual(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(HAND_WRITTEN)
    linkage = lw.load(path)
    assert linkage.name == "arm"
    assert linkage.joints["upper"].type == lw.Revolute("-y", damping=1e-3)
    assert linkage.joints["upper"].at == lw.Pose.rpy(0, np.pi / 2, 0, position=(0, 0, 1))
    assert linkage.bodies["upper"].inertia == lw.Inertia(2, (0, 0, 0), np.eye(3))
    assert linkage.joints["lower"].type == lw.Universal("x", "y")
    assert linkage.joints["lower"].at == lw.Pose((0, 0, 0.5))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("linkwork: 1", "linkwork: 2", 1, "version"),
        ("linkwork: 1", "nothing: 1", 1, "'nothing'"),
        ("linkwork: 1\n", "", 1, "'linkwork' is missing"),
        ("Revolute", "Revolt", 5, "did you mean 'Revolute'"),
        ("type: Revolute, ", "", 5, "'type' is missing"),
        ("damping: 1e-3", "dampin: 1", 5, "did you mean 'damping'"),
        ("damping: 1e-3", "damping: -1", 5, "at least 0"),
        ("damping: 1e-3", "damping: lots", 5, "number"),
        ("damping: 1e-3", "damping: .nan", 5, "NaN"),
        ("axis: -y", "axis: [0, 0, 0]", 5, "zero"),
        ("axis: -y", "axis: up", 5, "'x'"),
        ("axis: -y", "actuated: maybe", 5, "true or false"),
        ("rpy: [0, 1.5707963267948966, 0]", "rotation: [0, 0, 0, 3]", 4, "length 3"),
        ("rpy: [0, 1.5707963267948966, 0]", "rpy: [0, 0]", 4, "three angles"),
        ("mass: 2", "mass: -2", 6, "mass"),
        ("mass: 2, ", "", 6, "'mass' is missing"),
        ("matrix: [1, 1, 1]", "matrix: [1, 1]", 6, "shape"),
        ("matrix: [1, 1, 1]", "matrix: [1, 1, 1], mass: 3", 6, "twice"),
        ("parent: upper", "parent: uper", 7, "did you mean 'upper'"),
        ("parent: upper", "parent: lower", 7, "unknown"),
        ("name: lower", "name: upper", 7, "already"),
        ("name: lower", "name: ground", 7, "world"),
        ("joint: {type: Universal}", "joint: {type: Universal", 10, "YAML"),
        ("at: [0, 0, 0.5]", "at: [0, 0]", 10, "position"),
        ("joint: {type: Universal}", "joint: [1, 2]", 9, "mapping"),
        ("bodies:", "forces: [{type: Spring, a: x, b: y}]\nbodies:", 2, "unknown"),
        ("bodies:", "forces: [{type: JointSpring, joint: upper}]\nbodies:", 2, "'stiffness' is missing"),
        ("bodies:", "frames: [{name: f, body: uper}]\nbodies:", 2, "did you mean 'upper'"),
        ("bodies:", "gravity: [0, 0]\nbodies:", 2, "gravity"),
        ("bodies:", "visuals: [{body: upper, kind: box, size: [1]}]\nbodies:", 2, "3 numbers"),
        ("bodies:", "couplings: [{joint: upper, of: loer}]\nbodies:", 2, "did you mean 'lower'"),
    ],
)
def test_errors_name_file_line_and_remedy(tmp_path, old, new, line, message):
    path = tmp_path / "arm.yaml"
    assert old in HAND_WRITTEN
    path.write_text(HAND_WRITTEN.replace(old, new))
    with pytest.raises(lw.DescriptionError, match=message) as caught:
        lw.load(path)
    assert caught.value.line == line
    assert caught.value.file == str(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"- a\n- b\n", b"just text"])
def test_files_that_are_no_description_are_refused(tmp_path, content):
    path = tmp_path / "odd.yaml"
    path.write_bytes(content)
    with pytest.raises(lw.DescriptionError):
        lw.load(path)


def test_missing_files_and_unknown_suffixes(tmp_path):
    with pytest.raises(lw.DescriptionError, match="no such file"):
        lw.load(tmp_path / "none.yaml")
    with pytest.raises(lw.ArgumentError, match=r"\.urdf, \.sdf, \.world, \.xml, \.mjcf, \.yaml, \.yml"):
        lw.load(tmp_path / "arm.json")
    with pytest.raises(lw.ArgumentError, match="base must be"):
        lw.load(tmp_path / "arm.urdf", base="floating")
    with pytest.raises(lw.DescriptionError, match="cannot be written"):
        lw.Linkage().save(tmp_path / "no such folder" / "arm.yaml")
    (tmp_path / "arm.yaml").write_text(HAND_WRITTEN)
    with pytest.raises(lw.ArgumentError, match="URDF"):
        lw.load(tmp_path / "arm.yaml", base="free")


@pytest.mark.parametrize("make", [lw.samples.four_bar, lw.samples.stewart], ids=["four-bar", "stewart"])
def test_loops_come_back_to_the_bit(tmp_path, make):
    linkage = make()
    linkage.save(tmp_path / "closed.yaml")
    again = lw.load(tmp_path / "closed.yaml")
    assert again.loops.names == linkage.loops.names
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    np.testing.assert_array_equal(lw.forward_dynamics(again, q, v), lw.forward_dynamics(linkage, q, v))
