"""Linkages written as URDF and read back."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.linkage.coupling import Coupling
from linkwork.linkage.visuals import Visual


def arm() -> lw.Linkage:
    linkage = lw.Linkage(name="arm")
    inertia = lw.Inertia(2.0, (0.1, -0.2, 0.3), [[0.4, 0.01, 0.02], [0.01, 0.5, 0.03], [0.02, 0.03, 0.6]])
    at = lw.Pose.rpy(0.3, -0.4, 2.5, position=(0.1, 0.2, 1 / 3))
    shoulder = lw.Revolute((1, 2, 3), damping=0.1, limits=(-1, 2), effort=30, velocity=4, coulomb=0.2)
    linkage.add_body("upper", inertia, joint=shoulder, at=at, joint_name="shoulder")
    linkage.add_body("fore", inertia, joint=lw.Revolute("y"), parent="upper", at=lw.Pose((0, 0, 1)))
    linkage.add_body("rod", inertia, joint=lw.Prismatic("-x", limits=(0, math.inf)), parent="fore")
    linkage.add_body("pad", joint=lw.Planar("z"), parent="rod", joint_name="pad_joint")
    linkage.add_body("plate", inertia, joint=lw.Fixed(), parent="pad", at=at)
    linkage.add_frame("tool", "rod", at)
    linkage.add_frame("camera", "ground", at)
    linkage.visuals += [
        Visual("upper", at, "cylinder", (0.1, 1.0), color=(1.0, 0.0, 0.0, 0.5), name="tube"),
        Visual("ground", lw.Pose(), "box", (1.0, 2.0, 3.0), collision=True),
        Visual("rod", at, "mesh", (1.0, 1.0, -1.0), uri="package://arm/rod.stl"),
    ]
    linkage.couplings.append(Coupling("fore", "shoulder", -0.5, 0.25))
    return linkage


def same(one: lw.Linkage, two: lw.Linkage, tolerance: float) -> None:
    """Every body, joint and frame of `one` is in `two`, under its name and at its place."""
    for body in one.bodies:
        twin = two.bodies[body.name]
        np.testing.assert_allclose(twin.mass, body.mass, rtol=1e-15)
        np.testing.assert_allclose(twin.inertia.com, body.inertia.com, atol=tolerance)
        np.testing.assert_allclose(twin.inertia.matrix, body.inertia.matrix, atol=tolerance)
        joint, twin_joint = body.joint, twin.joint
        assert twin_joint.name == joint.name
        assert twin_joint.parent.name == joint.parent.name
        assert type(twin_joint.type) is type(joint.type)
        np.testing.assert_allclose(twin_joint.at.matrix, joint.at.matrix, atol=tolerance)
        for what in ("axis", "normal"):
            if hasattr(joint.type, what):
                np.testing.assert_allclose(
                    getattr(twin_joint.type, what), getattr(joint.type, what), atol=tolerance
                )
        for what in ("damping", "coulomb", "effort", "velocity"):
            assert np.array_equal(getattr(twin_joint, what), getattr(joint, what)), (joint, what)
        assert (twin_joint.limits is None) == (joint.limits is None)
        if joint.limits is not None:
            assert twin_joint.limits.tolist() == joint.limits.tolist()
    for frame in one.frames:
        assert two.frames[frame.name].body.name == frame.body.name
        np.testing.assert_allclose(two.frames[frame.name].pose.matrix, frame.pose.matrix, atol=tolerance)


def test_round_trip(tmp_path):
    one = arm()
    path = tmp_path / "arm.urdf"
    one.save(path)
    two = lw.load(path, mimic=True)
    # The fixed plate comes back merged into the pad; with keep_fixed it and all frames come back as bodies.
    three = lw.load(path, keep_fixed=True)
    assert two.name == "arm"
    assert two.couplings == one.couplings
    assert two.bodies["pad"].mass == 2.0
    assert three.bodies["plate"].joint.parent.name == "pad"
    assert three.bodies["pad"].mass == 0.0
    one.bodies["pad"].inertia = two.bodies["pad"].inertia
    kept = [body for body in one.bodies.names if body != "plate"]
    assert two.bodies.names == kept
    assert two.frames.names == ["world", "plate", "tool", "camera"]
    for visual in one.visuals:
        twin = next(shape for shape in two.visuals if shape.kind == visual.kind)
        assert (twin.body, twin.size, twin.color, twin.name) == (
            visual.body,
            visual.size,
            visual.color,
            visual.name,
        )
        assert (twin.collision, twin.uri) == (visual.collision, visual.uri)
        np.testing.assert_allclose(twin.pose.matrix, visual.pose.matrix, atol=1e-14)
    path2 = tmp_path / "again.urdf"
    two.save(path2)
    same(two, lw.load(path2), tolerance=1e-14)


def test_free_root_is_the_root_link(tmp_path):
    one = lw.Linkage(name="drone")
    one.add_body("hull", lw.Inertia.box((1, 1, 0.1), mass=2), joint=lw.Free(), joint_name="root_joint")
    one.add_body("prop", lw.Inertia.rod(0.3, mass=0.01, axis="x"), joint=lw.Revolute("z"), parent="hull")
    one.save(tmp_path / "drone.urdf")
    two = lw.load(tmp_path / "drone.urdf", base="free")
    assert two.bodies.names == ["hull", "prop"]
    same(one, two, tolerance=1e-14)


def test_several_free_bodies_hang_on_a_world(tmp_path):
    one = lw.Linkage(name="two")
    for name in ("a", "b"):
        one.add_body(name, lw.Inertia.sphere(1, mass=1), joint=lw.Free(), at=lw.Pose((0, 0, 1)))
    one.save(tmp_path / "two.urdf")
    two = lw.load(tmp_path / "two.urdf")
    same(one, two, tolerance=1e-14)
    assert two.frames.names == ["world"]


@pytest.mark.parametrize("angle", [math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, math.pi, 0.0, 3.0])
def test_rotations_survive_near_a_vertical_axis(tmp_path, angle):
    one = lw.Linkage(name="turned")
    at = lw.Pose.rpy(0.7, angle, -2.1)
    one.add_body("a", lw.Inertia.sphere(1, mass=1), joint=lw.Revolute("z"), at=at)
    one.save(tmp_path / "turned.urdf")
    rotation = lw.load(tmp_path / "turned.urdf").joints["a"].at.rotation
    np.testing.assert_allclose(rotation, at.rotation, atol=2e-15)


@pytest.mark.parametrize(
    "joint", [lw.Spherical(), lw.Universal("x", "y"), lw.Cylindrical("z"), lw.Helical("z", 0.1)]
)
def test_a_joint_without_a_word_is_refused(tmp_path, joint):
    linkage = lw.Linkage(name="x")
    linkage.add_body("a", lw.Inertia.sphere(1, mass=1), joint=joint, joint_name="odd")
    path = tmp_path / "x.urdf"
    with pytest.raises(lw.DescriptionError, match=rf"joint 'odd': URDF has no {type(joint).__name__} joint"):
        linkage.save(path)
    assert not path.exists()


def test_relative_meshes_follow_the_file(tmp_path):
    for folder in ("one/urdf", "one/meshes", "one/other", "far/away/off"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "one" / "meshes" / "a.stl").write_text("solid")
    source = tmp_path / "one" / "urdf" / "a.urdf"
    source.write_text(
        '<robot name="a"><link name="a"><visual><geometry><mesh filename="../meshes/a.stl"/></geometry>'
        "</visual></link></robot>"
    )
    linkage = lw.load(source)
    mesh = str(tmp_path / "one" / "meshes" / "a.stl")
    linkage.save(tmp_path / "one" / "other" / "a.urdf")
    assert lw.load(tmp_path / "one" / "other" / "a.urdf").visuals[0].file == mesh
    linkage.save(tmp_path / "far" / "away" / "off" / "a.urdf")
    far = lw.load(tmp_path / "far" / "away" / "off" / "a.urdf")
    assert (far.visuals[0].file, far.visuals[0].uri) == (None, mesh)


def test_a_name_that_xml_cannot_hold(tmp_path):
    linkage = lw.Linkage(name="x")
    linkage.add_body("a\x00b", lw.Inertia.sphere(1, mass=1), joint=lw.Revolute("z"))
    with pytest.raises(lw.DescriptionError, match="cannot be written"):
        linkage.save(tmp_path / "x.urdf")
