"""Broken SDF and MJCF files: each is refused by one DescriptionError that names file, line and element."""

import pytest

import linkwork as lw

SDF = """\
<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="upper">
      <pose relative_to="base">0 0 1 0 0 0</pose>
      <inertial>
        <mass>2</mass>
        <inertia><ixx>0.2</ixx><iyy>0.2</iyy><izz>0.01</izz></inertia>
      </inertial>
      <visual name="v">
        <geometry><mesh><uri>meshes/a.stl</uri></mesh></geometry>
      </visual>
    </link>
    <joint name="shoulder" type="revolute">
      <parent>base</parent>
      <child>upper</child>
      <axis>
        <xyz>0 1 0</xyz>
        <limit><lower>-1</lower><upper>1</upper></limit>
      </axis>
    </joint>
  </model>
</sdf>
"""
GEAR = '<joint name="g" type="gearbox"><parent>base</parent><child>upper</child><axis/><axis2/></joint>\n  </model>'
BROKEN_SDF = {  # what is exchanged, with what; the line, a word of the element, a word of the message
    "not SDF": ("sdf", "sdff", 1, "sdff", "<sdf>"),
    "no version": (' version="1.9"', "", 1, "sdf", "version"),
    "old version": ('"1.9"', '"1.2"', 1, "sdf", "1.4 to 1.12"),
    "odd version": ('"1.9"', '"one"', 1, "sdf", "'one'"),
    "no model": ("model", "models", 1, "sdf", "<model>"),
    "unclosed": ("</model>", "", 23, "document", "well-formed"),
    "unknown type": ('"revolute"', '"revolut"', 14, "shoulder", "did you mean 'revolute'"),
    "unknown parent": ("<parent>base", "<parent>bases", 15, "<parent>", "did you mean 'base'"),
    "unknown frame": ('relative_to="base"', 'relative_to="bass"', 4, "upper", "did you mean 'base'"),
    "pose in a circle": ('relative_to="base"', 'relative_to="shoulder"', 4, "upper", "relative to itself"),
    "short pose": ("0 0 1 0 0 0", "0 0 1", 5, "<pose>", "3 values where 6"),
    "word in a pose": ("0 0 1 0 0 0", "0 0 one 0 0 0", 5, "<pose>", "'one' is not a number"),
    "negative mass": ("<mass>2", "<mass>-2", 7, "<mass>", "negative"),
    "infinite inertia": ("<ixx>0.2", "<ixx>inf", 8, "<ixx>", "not finite"),
    "zero axis": ("0 1 0", "0 0 0", 18, "<xyz>", "zero"),
    "crossed limits": ("<lower>-1", "<lower>3", 19, "<limit>", "above the upper"),
    "same name": ('"upper"', '"base"', 4, "base", "taken by the <link> at line 3"),
    "joins itself": ("<child>upper", "<child>base", 14, "shoulder", "to itself"),
    "mesh outside": ("meshes/a.stl", "../../../../a.stl", 11, "<mesh>", "climbs out"),
    "include outside": ("</model>", "<include><uri>../../x/y.sdf</uri></include></model>", 22, "<uri>", "climbs out"),
    "include of another place": ("</model>", "<include><uri>model://etc</uri></include></model>", 22, "<uri>", ""),
    "include of nothing": ("</model>", "<include><uri>b.sdf</uri></include></model>", 22, "<uri>", "no such file"),
    "include of itself": ("</model>", "<include><uri>x.sdf</uri></include></model>", 22, "<include>", "circle"),
    "reserved name": ('"upper"', '"__model__"', 4, "__model__", "reserved"),
    "gearbox without reference": ("</model>", GEAR, 22, '"g"', "gearbox_reference_body"),
    "entity": ("<sdf", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><sdf', 1, "document", "refused"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN_SDF)
def test_broken_sdf(tmp_path, case):
    old, new, line, element, message = BROKEN_SDF[case]
    assert old in SDF
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    path = folder / "x.sdf"
    path.write_text(SDF)
    assert lw.load(path).nv == 1
    path.write_text(SDF.replace(old, new))
    with pytest.raises(lw.DescriptionError) as caught:
        lw.load(path)
    assert caught.value.file == str(path)
    assert caught.value.line == line, str(caught.value)
    assert element in str(caught.value.element)
    assert message in str(caught.value)


MJCF = """\
<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="hinge" axis="0 1 0"/>
      <geom name="g" type="capsule" size="0.1 0.5"/>
      <body name="lower" pos="0 0 1">
        <joint name="elbow" type="ball"/>
        <geom size="0.1"/>
      </body>
    </body>
  </worldbody>
  <equality>
    <connect name="pin" body1="lower" anchor="0 0 1"/>
  </equality>
</mujoco>
"""
FLEX = '<flex name="f" body="upper" vertex="0 0 0 1 0 0 0 1 0" dim="2" element="0 1 2"/>'
BROKEN_MJCF = {
    "not XML": ("</mujoco>", "", 17, "well-formed"),
    "unknown element": ("<geom size", "<gem size", 9, "unrecognized element"),
    "unknown attribute": ('type="ball"', 'kind="ball"', 8, "unrecognized attribute"),
    "unknown type": ('"ball"', '"bal"', 8, "invalid keyword"),
    "bad number": ('size="0.1"', 'size="x"', 9, "bad format"),
    "zero axis": ("0 1 0", "0 0 0", 5, "axis too small"),
    "no mass": ('<geom size="0.1"/>', "", 7, "mass and inertia"),
    "same name": ('"lower" pos', '"upper" pos', 7, "repeated name"),
    "unknown body": ('body1="lower"', 'body1="lowest"', 14, "unknown"),
    "a part alone": ("mujoco", "mujocoinclude", 1, "load the file that includes it"),
    "include outside": ("<equality>", '<include file="../../../x.xml"/><equality>', 13, "climbs out"),
    "include of nothing": ("<equality>", '<include file="y.xml"/><equality>', 13, "no such file"),
    "include of itself": ("<equality>", '<include file="x.xml"/><equality>', 1, "circle"),
    "mesh outside": ("<equality>", '<asset><mesh file="../../../a.stl"/></asset><equality>', 13, "climbs out"),
    "absolute mesh": ("<equality>", '<asset><mesh file="/etc/a.stl"/></asset><equality>', 13, "not followed"),
    "mesh folder": ('"radian"', '"radian" meshdir="../../../.."', 13, "climbs out"),
    "flexible": ("<equality>", f"<deformable>{FLEX}</deformable><equality>", 1, "flexible"),
    "entity": ("<mujoco", '<!DOCTYPE a [<!ENTITY e "x">]><mujoco', 1, "refused"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN_MJCF)
def test_broken_mjcf(tmp_path, case):
    pytest.importorskip("mujoco")
    old, new, line, message = BROKEN_MJCF[case]
    text = MJCF.replace(old, new)
    if case == "mesh folder":
        text = text.replace("<equality>", '<asset><mesh file="a.stl"/></asset><equality>')
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    path = folder / "x.xml"
    path.write_text(MJCF)
    assert lw.load(path).nv == 4
    path.write_text(text)
    with pytest.raises(lw.DescriptionError) as caught:
        lw.load(path)
    assert message in str(caught.value), str(caught.value)
    assert caught.value.file == str(path)
    assert caught.value.line == line, str(caught.value)


def test_mjcf_without_mujoco(tmp_path, monkeypatch):
    """The extra is named where it is missing."""
    import sys

    monkeypatch.setitem(sys.modules, "mujoco", None)
    path = tmp_path / "x.xml"
    path.write_text(MJCF)
    with pytest.raises(lw.LinkworkError, match=r"pip install 'linkwork\[mjcf\]'"):
        lw.load(path)


def test_xml_of_another_kind(tmp_path):
    path = tmp_path / "x.xml"
    path.write_text("<html/>")
    with pytest.raises(lw.DescriptionError, match=r"<robot> \(URDF\)"):
        lw.load(path)
    path.write_text('<robot name="r"><link name="a"/></robot>')
    assert lw.load(path).name == "r"
