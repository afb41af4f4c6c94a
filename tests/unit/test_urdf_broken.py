"""Broken URDF files: each is refused by one DescriptionError that names file, line and element."""

import copy
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import linkwork as lw
from linkwork.io import safe_xml
from linkwork.io.urdf import read_urdf

GOOD = """\
<?xml version="1.0" encoding="utf-8"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.5"/>
      <mass value="2"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.01"/>
    </inertial>
    <visual>
      <geometry><sphere radius="0.1"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material>
    </visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0"/>
  </joint>
</robot>
"""
LINK = '<link name="extra"/>\n'


def swap(old: str, new: str) -> str:
    """The good file with one passage exchanged."""
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def joint(name: str, parent: str, child: str, kind: str = "fixed", more: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>\n'
    )


def append(text: str) -> str:
    """The good file with lines added before the end: they start at line 23."""
    return swap("</robot>", text + "</robot>")


BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE robot [\n<!ENTITY a0 "ha">\n'
    + "".join(f'<!ENTITY a{k + 1} "{f"&a{k};" * 10}">\n' for k in range(12))
    + "]>\n"
)
SPHERE = '<geometry><sphere radius="0.1"/></geometry>'
INERTIA = '<inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.01"/>'

# name: (file, line, part of the element, part of the message)
BROKEN = {
    "empty file": ("", 1, "document", "empty"),
    "only blanks": (" \n \n", 1, "document", "empty"),
    "not XML": ("solid cube\nfacet normal 0 0 1\n", 1, "document", "well-formed"),
    "binary": (bytes(range(256)), 1, "document", "well-formed"),
    "tags do not match": (swap("</visual>", "</visible>"), 13, "document", "mismatch"),
    "truncated": (GOOD[: GOOD.index("<axis")], 19, "document", "well-formed"),
    "two outermost elements": (GOOD + "<robot/>\n", 24, "document", "well-formed"),
    "attribute twice": (
        swap('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0" xyz="1 0 0"/>'),
        19,
        "document",
        "redefined",
    ),
    "zero byte": (GOOD.encode().replace(b"upper", b"up\0er", 1), 4, "document", "well-formed"),
    "wrong encoding": (swap('"arm"', '"ärm"').encode("latin-1"), 2, "document", "encoding"),
    "unknown encoding": (swap("utf-8", "klingon"), 1, "document", "klingon"),
    "encoding declared wrongly": (swap("utf-8", "utf-16"), 1, "document", "well-formed"),
    "bomb in an attribute": (
        BOMB + '<robot name="&a12;"><link name="base"/></robot>',
        2,
        "document",
        "entities",
    ),
    "bomb in the text": (BOMB + '<robot name="x">&a12;</robot>', 2, "document", "entities"),
    "one large entity, often": (
        f'<!DOCTYPE r [<!ENTITY a "{"x" * 100_000}">]>\n<robot name="{"&a;" * 10_000}"/>',
        1,
        "document",
        "entities",
    ),
    "external entity": (
        '<?xml version="1.0"?>\n<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<robot>&x;</robot>',
        2,
        "document",
        "document type",
    ),
    "external document type": (
        '<!DOCTYPE robot SYSTEM "http://localhost:9/robot.dtd">\n' + GOOD.split("\n", 1)[1],
        1,
        "document",
        "document type",
    ),
    "undefined entity": (swap('"arm"', '"&nope;"'), 2, "document", "nope"),
    "nested too deeply": (
        "<robot>\n" + "<link>" * 5_000 + "</link>" * 5_000 + "</robot>",
        2,
        "document",
        "256",
    ),
    "not a robot": ('<sdf version="1.6"><model name="m"/></sdf>', 1, "<sdf>", "<robot>"),
    "no link": ('<?xml version="1.0"?>\n\n<robot name="nothing"/>', 3, "<robot", "no <link>"),
    "two roots": (append(LINK), 23, '<link name="extra">', "'base' (line 3), 'extra' (line 23)"),
    "every joint in a cycle": (
        append(joint("back", "upper", "base")),
        15,
        '<joint name="shoulder">',
        "cycle",
    ),
    "a cycle apart": (
        append('<link name="a"/>\n<link name="b"/>\n' + joint("ab", "a", "b") + joint("ba", "b", "a")),
        25,
        '<joint name="ab">',
        "cycle: 'ab' -> 'ba' -> 'ab'",
    ),
    "a joint from a link to itself": (
        append(LINK + joint("j", "extra", "extra")),
        24,
        '<joint name="j">',
        "cycle",
    ),
    "two parents": (
        append(joint("again", "base", "upper")),
        23,
        '<joint name="again"><child>',
        "hangs on joint 'shoulder' (line 15)",
    ),
    "no parent": (swap('    <parent link="base"/>\n', ""), 15, '<joint name="shoulder">', "<parent>"),
    "no child": (swap('    <child link="upper"/>\n', ""), 15, '<joint name="shoulder">', "<child>"),
    "parent without link": (swap('<parent link="base"/>', "<parent/>"), 16, "<parent>", "link="),
    "unknown parent": (
        swap('<parent link="base"/>', '<parent link="bse"/>'),
        16,
        "<parent>",
        "did you mean 'base'",
    ),
    "unknown child": (
        swap('<child link="upper"/>', '<child link="uper"/>'),
        17,
        "<child>",
        "did you mean 'upper'",
    ),
    "link twice": (append('<link name="base"/>\n'), 23, '<link name="base">', "line 3"),
    "joint twice": (
        append(LINK + joint("shoulder", "upper", "extra")),
        24,
        '<joint name="shoulder">',
        "line 15",
    ),
    "link without name": (swap('<link name="base"/>', "<link/>"), 3, "<link>", "name="),
    "joint without name": (swap('<joint name="shoulder" ', "<joint "), 15, "<joint>", "name="),
    "joint without type": (swap(' type="revolute"', ""), 15, '<joint name="shoulder">', "type="),
    "unknown joint type": (swap('"revolute"', '"revolut"'), 15, "shoulder", "did you mean 'revolute'"),
    "joint type of another format": (
        swap('"revolute"', '"ball"'),
        15,
        "shoulder",
        "unknown joint type 'ball'",
    ),
    "NaN": (
        swap('<origin xyz="0 0 1"', '<origin xyz="0 nan 1"'),
        18,
        '<joint name="shoulder"><origin>',
        "not finite",
    ),
    "infinite": (swap('value="2"', 'value="inf"'), 7, '<link name="upper"><inertial><mass>', "not finite"),
    "overflow": (swap('value="2"', 'value="2e999"'), 7, "<mass>", "not finite"),
    "a number whose square overflows": (swap('"0 0 0.5"', '"0 0 5e200"'), 6, "<origin>", "beyond 1e+100"),
    "two numbers for three": (
        swap('<axis xyz="0 1 0"/>', '<axis xyz="0 1"/>'),
        19,
        "<axis>",
        "2 values where 3",
    ),
    "decimal comma": (swap('value="2"', 'value="2,5"'), 7, "<mass>", "'2,5' is not a number"),
    "word for a number": (swap('lower="-1"', 'lower="low"'), 20, "<limit>", "'low' is not a number"),
    "empty number": (swap('value="2"', 'value=""'), 7, "<mass>", "value="),
    "zero axis": (swap('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>'), 19, "<axis>", "direction"),
    "axis without xyz": (swap('<axis xyz="0 1 0"/>', "<axis/>"), 19, "<axis>", "xyz="),
    "limits the wrong way round": (swap('lower="-1"', 'lower="3"'), 20, "<limit>", "above the upper"),
    "negative effort": (swap('effort="10"', 'effort="-10"'), 20, "<limit>", "effort=-10"),
    "negative damping": (swap('damping="0.1"', 'damping="-0.1"'), 21, "<dynamics>", "damping=-0.1"),
    "empty inertial": (swap('<mass value="2"/>', "").replace(INERTIA, ""), 5, "<inertial>", "<mass>"),
    "no inertia": (swap(INERTIA, ""), 5, "<inertial>", "<inertia>"),
    "empty inertia": (swap(INERTIA, "<inertia/>"), 8, "<inertial><inertia>", "ixx="),
    "a moment missing": (swap(' izz="0.01"', ""), 8, "<inertia>", "izz="),
    "negative mass": (swap('value="2"', 'value="-2"'), 7, "<mass>", "negative"),
    "negative moments": (swap('izz="0.01"', 'izz="-0.41"'), 4, '<link name="upper">', "negative sum"),
    "two inertials": (
        swap("    <visual>\n", '<inertial><mass value="1"/></inertial>\n    <visual>\n'),
        10,
        '<link name="upper"><inertial>',
        "second <inertial>",
    ),
    "no geometry": (swap(SPHERE, ""), 10, '<link name="upper"><visual>', "<geometry>"),
    "empty geometry": (swap(SPHERE, "<geometry/>"), 11, "<geometry>", "<sphere>"),
    "two shapes": (swap("</geometry>", '<box size="1 1 1"/></geometry>'), 11, "<geometry>", "it has 2"),
    "negative size": (swap('radius="0.1"', 'radius="-0.1"'), 11, "<sphere>", "negative"),
    "color out of range": (swap('rgba="1 0 0 1"', 'rgba="255 0 0 1"'), 12, "<color>", "between 0 and 1"),
    "mesh without file": (swap('<sphere radius="0.1"/>', "<mesh/>"), 11, "<mesh>", "filename="),
    "mesh path climbs out": (
        swap('<sphere radius="0.1"/>', '<mesh filename="../../../etc/passwd"/>'),
        11,
        "<mesh>",
        "climbs out",
    ),
    "package path climbs out": (
        swap('<sphere radius="0.1"/>', '<mesh filename="package://arm/../../secret.stl"/>'),
        11,
        "<mesh>",
        "climbs out of package 'arm'",
    ),
    "package name climbs out": (
        swap('<sphere radius="0.1"/>', r'<mesh filename="package://..\..\secret.stl"/>'),
        11,
        "<mesh>",
        "climbs out",
    ),
    "rpy and quaternion": (swap('rpy="0 0 0"', 'rpy="0 0 0" quat_xyzw="0 0 0 1"'), 18, "<origin>", "both"),
    "quaternion not of length 1": (swap('rpy="0 0 0"', 'quat_xyzw="0 0 0 2"'), 18, "<origin>", "length 2"),
    "mimics an unknown joint": (
        append(LINK + joint("j", "upper", "extra", "continuous", '<mimic joint="sholder"/>')),
        24,
        '<joint name="j"><mimic>',
        "did you mean 'shoulder'",
    ),
    "mimics in a circle": (
        append(
            LINK
            + '<link name="more"/>\n'
            + joint("j", "upper", "extra", "continuous", '<mimic joint="k"/>')
            + joint("k", "extra", "more", "continuous", '<mimic joint="j"/>')
        ),
        25,
        '<joint name="j"><mimic>',
        "circle",
    ),
    "mimics a free joint": (
        append(
            LINK
            + '<link name="more"/>\n'
            + joint("j", "upper", "extra", "floating")
            + joint("k", "extra", "more", "continuous", '<mimic joint="j"/>')
        ),
        26,
        '<joint name="k"><mimic>',
        "'j' is floating",
    ),
    "xacro macro": (
        swap("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ').replace(
            "</robot>", '<xacro:leg side="left"/>\n</robot>'
        ),
        23,
        "leg",
        "xacro",
    ),
    "xacro expression": (swap('value="2"', 'value="${2 * density}"'), 7, "<mass>", "xacro"),
}


@pytest.mark.timeout(30)  # a hostile file must be refused at once, not worked on
@pytest.mark.parametrize("kind", BROKEN)
def test_refused_with_file_line_and_element(kind, tmp_path):
    content, line, element, message = BROKEN[kind]
    path = tmp_path / "arm" / "urdf" / "broken.urdf"
    path.parent.mkdir(parents=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(lw.DescriptionError) as caught:
        read_urdf(path, mimic=True)
    error = caught.value
    assert error.file == str(path)
    assert error.line == line
    assert element in error.element
    assert message in str(error)
    assert str(error).startswith(f"{path}:{line}: ")
    assert error.__cause__ is None or error.__suppress_context__


def test_the_unbroken_file_loads(tmp_path):
    path = tmp_path / "good.urdf"
    path.write_text(GOOD)
    assert read_urdf(path).joints.names == ["shoulder"]


def test_missing_file_and_folder(tmp_path):
    for path in (tmp_path / "absent.urdf", tmp_path):
        with pytest.raises(lw.DescriptionError, match="cannot be read") as caught:
            read_urdf(path)
        assert caught.value.file == str(path)


def test_oversized_file(tmp_path, monkeypatch):
    path = tmp_path / "large.urdf"
    path.write_text(GOOD)
    monkeypatch.setattr(safe_xml, "MAX_BYTES", len(GOOD) - 1)
    with pytest.raises(lw.DescriptionError, match=f"larger than the {len(GOOD) - 1:,} bytes") as caught:
        read_urdf(path)
    assert (caught.value.file, caught.value.line) == (str(path), 1)
    monkeypatch.setattr(safe_xml, "MAX_BYTES", len(GOOD))
    assert read_urdf(path).nv == 1


def test_unknown_base(tmp_path):
    path = tmp_path / "good.urdf"
    path.write_text(GOOD)
    with pytest.raises(lw.ArgumentError, match="'floating'"):
        lw.load(path, base="floating")


VALUES = [
    "", "0", "-1", "nan", "inf", "1e400", "1e308", "1 2", "0 0 0", "upper", "base", "ground", "shoulder",
    "fixed", "floating", "planar", "1_0", "0x10", "../x.stl", "package://", "file://", "://", "9" * 400,
]  # fmt: skip
DAMAGE = st.tuples(
    st.sampled_from(["set", "drop", "remove", "copy"]),
    st.integers(0, 999),
    st.integers(0, 999),
    st.integers(0, 999),
)


@settings(max_examples=200)
@given(st.lists(DAMAGE, min_size=1, max_size=5), st.booleans(), st.booleans())
def test_any_damage_is_read_or_refused(tmp_path_factory, damages, free, keep_fixed):
    """An attribute or element that is wrong, gone or there twice gives a linkage or a DescriptionError."""
    root = etree.fromstring(GOOD.encode())
    for kind, first, second, third in damages:
        elements = list(root.iter("*"))
        element = elements[first % len(elements)]
        names = sorted(element.attrib)
        if kind == "set" and names:
            element.set(names[second % len(names)], VALUES[third % len(VALUES)])
        elif kind == "drop" and names:
            del element.attrib[names[second % len(names)]]
        elif kind == "remove" and element is not root:
            element.getparent().remove(element)
        elif kind == "copy" and element is not root:
            elements[second % len(elements)].append(copy.deepcopy(element))
    path = tmp_path_factory.getbasetemp() / "damaged.urdf"
    path.write_bytes(etree.tostring(root))
    problem = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        try:
            read_urdf(path, base="free" if free else "fixed", keep_fixed=keep_fixed, mimic=True)
        except lw.DescriptionError as error:
            problem = error
    assert problem is None or (problem.file == str(path) and problem.line >= 1 and problem.element)
