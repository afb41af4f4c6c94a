"""What an SDF file says, found again in the linkage."""

import itertools
import math
import random

import numpy as np
import pytest

import linkwork as lw
from linkwork.io.spanning import Edge, roots, spanning_tree
from linkwork.linkage.coupling import Coupling

INERTIAL = "<inertial><mass>2</mass><inertia><ixx>0.2</ixx><iyy>0.2</iyy><izz>0.1</izz></inertia></inertial>"


def link(name: str, pose: str = "", more: str = INERTIAL) -> str:
    return f'<link name="{name}"><pose>{pose}</pose>{more}</link>\n'


ABOUT_Y = "<axis><xyz>0 1 0</xyz></axis>"


def joint(name: str, parent: str, child: str, kind: str = "revolute", more: str = ABOUT_Y) -> str:
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{more}</joint>\n'


def model(*parts: str, version: str = "1.9", attributes: str = "") -> str:
    return f'<sdf version="{version}">\n<model name="m"{attributes}>\n{"".join(parts)}</model>\n</sdf>\n'


def read(tmp_path, *parts: str, options=(), **given) -> lw.Linkage:
    path = tmp_path / "m.sdf"
    path.write_text(model(*parts, **given))
    return lw.load(path, **dict(options))


# Joints


def test_options_of_a_joint(tmp_path):
    axis = """<axis><xyz>0 0 2</xyz><limit><lower>-1</lower><upper>2</upper><effort>30</effort><velocity>-1</velocity>
        </limit><dynamics><damping>0.5</damping><friction>0.25</friction><spring_stiffness>7</spring_stiffness>
        <spring_reference>0.1</spring_reference></dynamics></axis>"""
    arm = read(tmp_path, link("base"), link("arm", "0 0 1 0 0 0"), joint("slew", "base", "arm", more=axis))
    slew = arm.joints["slew"]
    assert slew.type.axis == (0.0, 0.0, 1.0)
    assert slew.limits.tolist() == [[-1.0, 2.0]]
    assert (slew.damping, slew.coulomb, slew.effort, slew.velocity) == (0.5, 0.25, 30.0, math.inf)
    assert arm.forces == (lw.JointSpring("slew", 7.0, 0.1),)
    assert arm.bodies["arm"].mass == 2.0
    assert arm.frames["base"].body == arm.ground
    assert any("friction" in line and "'slew' (line 5)" in line for line in arm.ignored), arm.ignored
    assert any("base='free'" in line and "line 3" in line for line in arm.ignored), arm.ignored


@pytest.mark.parametrize(
    ("kind", "more", "expected"),
    [
        ("continuous", "<axis><limit><lower>0</lower><upper>1</upper></limit></axis>", lw.Revolute("z")),
        ("prismatic", "<axis><xyz>1 0 0</xyz></axis>", lw.Prismatic("x")),
        ("ball", "", lw.Spherical()),
        ("universal", "<axis/><axis2><xyz>1 0 0</xyz></axis2>", lw.Universal("z", "x")),
        ("revolute2", "<axis/><axis2><xyz>0 1 0</xyz></axis2>", lw.Universal("z", "y")),
        ("screw", "<axis/><screw_thread_pitch>0.5</screw_thread_pitch>", lw.Helical("z", 0.5 / (2 * math.pi))),
        ("screw", "<axis/><thread_pitch>-40</thread_pitch>", lw.Helical("z", 1 / 40)),
    ],
)
def test_joint_types(tmp_path, kind, more, expected):
    arm = read(tmp_path, link("base"), link("arm"), joint("j", "base", "arm", kind, more))
    assert arm.joints["j"].type == expected


def test_axes_by_version(tmp_path):
    """The axis y of the child's frame, which is turned by 90° about z, is −x of the model's."""
    turned = link("arm", f"0 0 0 0 0 {math.pi / 2}")

    def axis(version: str, more: str) -> np.ndarray:
        arm = read(tmp_path, link("base"), turned, joint("j", "base", "arm", more=more), version=version)
        return (arm.joints["j"].at.rotation @ arm.joints["j"].type.axis).round(12) + 0.0

    plain = "<axis><xyz>0 1 0</xyz></axis>"
    in_model = "<axis><xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>"
    expressed = '<axis><xyz expressed_in="base">0 1 0</xyz></axis>'
    assert axis("1.4", plain).tolist() == [0, 1, 0], "in the model's frame, until 1.5"
    assert axis("1.5", plain).tolist() == [-1, 0, 0]
    assert axis("1.6", in_model).tolist() == [0, 1, 0]
    assert axis("1.7", plain).tolist() == [-1, 0, 0]
    assert axis("1.11", expressed).tolist() == [0, 1, 0]


def test_world_static_and_free(tmp_path):
    parts = link("base", "0 0 2 0 0 0"), link("arm", "0 0 3 0 0 0"), joint("j", "base", "arm")
    free = read(tmp_path, *parts, options={"base": "free"})
    assert free.joints.names == ["root_joint", "j"]
    assert free.joints["root_joint"].at.position.tolist() == [0, 0, 2]
    held = read(tmp_path, *parts, joint("bolt", "world", "base", "fixed", ""), options={"base": "free"})
    assert held.joints.names == ["j"]
    assert not any("no joint holds" in line for line in held.ignored)
    kept = read(tmp_path, *parts, options={"keep_fixed": True})
    assert [type(each.type) for each in kept.joints] == [lw.Fixed, lw.Revolute]
    still = read(tmp_path, "<static>true</static>", *parts)
    assert still.nb == 0
    assert still.frames.names == ["arm", "base"]


# Frames


def test_frames_and_placement(tmp_path):
    """A chain of frames, by hand: every step is 1 m along x of a frame turned by 90° about z."""
    quarter = f"1 0 0 0 0 {math.pi / 2}"
    parts = (
        f'<frame name="f" attached_to="base"><pose>{quarter}</pose></frame>',
        f'<frame name="g"><pose relative_to="f">{quarter}</pose></frame>',
        link("base"),
        f'<link name="arm"><pose relative_to="g" degrees="true">1 0 0 0 0 90</pose>{INERTIAL}</link>',
        joint("j", "f", "arm"),
    )
    arm = read(tmp_path, *parts, attributes=' placement_frame="f"')
    at_f = lw.Pose((1, 0, 0)) @ lw.Pose.axis_angle("z", math.pi / 2)
    world = lw.body_poses(arm, arm.neutral())
    expected = at_f.inverse() @ at_f @ at_f @ at_f
    np.testing.assert_allclose(world["arm"].matrix, expected.matrix, atol=1e-15)
    np.testing.assert_allclose(world["base"].matrix, at_f.inverse().matrix, atol=1e-15)
    np.testing.assert_allclose(world["f"].matrix, np.eye(4), atol=1e-15)
    assert arm.joints["j"].parent == arm.ground


def test_a_body_away_from_its_joint(tmp_path):
    """The joint is 1 m below the link's origin: the link's name is that of a frame, and stays where the file says."""
    pose = "<pose>0 0 -1 0 0 0</pose><axis><xyz>0 1 0</xyz></axis>"
    arm = read(tmp_path, link("base"), link("arm", "0 0 3 0 0 0"), joint("j", "base", "arm", more=pose))
    assert arm.bodies.names == ["j"]
    assert arm.bodies["j"].inertia.com.tolist() == [0, 0, 1]
    np.testing.assert_allclose(lw.body_poses(arm, [0.0])["arm"].position, [0, 0, 3])
    np.testing.assert_allclose(lw.body_poses(arm, [math.pi / 2])["arm"].position, [1, 0, 2], atol=1e-15)
    along = pose.replace("0 1 0", "0 0 1")
    assert read(tmp_path, link("base"), link("arm"), joint("j", "base", "arm", more=along)).bodies.names == ["arm"]


def test_nested_models_and_includes(tmp_path):
    folder = tmp_path / "models" / "hand"
    folder.mkdir(parents=True)
    (folder / "model.config").write_text('<model><sdf version="1.9">hand.sdf</sdf></model>')
    (folder / "hand.sdf").write_text(
        model(link("palm"), link("finger", "0 0 0.1 0 0 0"), joint("curl", "palm", "finger"))
    )
    include = '<include{}><uri>model://hand</uri><name>{}</name><pose relative_to="arm">0 0 1 0 0 0</pose></include>'
    wrist = joint("wrist", "arm", "left::palm", "fixed", "")
    path = tmp_path / "models" / "m.sdf"
    path.write_text(model(link("arm", "0 0 1 0 0 0"), include.format("", "left"), wrist))
    one = lw.load(path)
    assert one.joints.names == ["left::curl"]
    assert one.frames.names == ["arm", "left::palm"]
    np.testing.assert_allclose(lw.body_poses(one, [0.0])["left::finger"].position, [0, 0, 2.1])
    path.write_text(
        model(link("arm", "0 0 1 0 0 0"), include.format(' merge="true"', "left"), wrist.replace("left::", ""))
    )
    two = lw.load(path)
    assert two.joints.names == ["curl"]
    np.testing.assert_allclose(lw.body_poses(two, [0.0])["finger"].position, [0, 0, 2.1])
    inner = model(link("palm")).split("\n", 1)[1].rsplit("</sdf>", 1)[0].replace('"m"', '"left"')
    path.write_text(model(link("arm"), inner, joint("wrist", "arm", "left::palm")))
    assert lw.load(path).bodies.names == ["left::palm"]


def test_a_world(tmp_path):
    sun = "<include><uri>model://sun</uri></include>"
    world = f'<sdf version="1.9"><world name="w"><gravity>0 0 -1.6</gravity>{sun}{{}}</world></sdf>'
    two = "".join(
        f'<model name="{name}"><pose>{x} 0 0 0 0 0</pose>{link("ball")}</model>' for x, name in enumerate("ab")
    )
    path = tmp_path / "w.world"
    path.write_text(world.format(two + joint("rod", "a::ball", "b::ball", "prismatic")))
    both = lw.load(path, base="free")
    assert both.gravity.tolist() == [0, 0, -1.6]
    assert both.joints.names == ["root_joint", "rod"]
    assert any("model://sun" in line for line in both.ignored)


def test_automatic_and_default_inertia(tmp_path):
    shape = "<collision name='c'><pose>0 0 1 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision>"
    auto = link("arm", more=f'<inertial auto="true"><density>10</density></inertial>{shape}')
    arm = read(tmp_path, link("base"), auto, joint("j", "base", "arm"), version="1.11")
    expected = lw.Inertia.box((1, 2, 3), density=10, com=(0, 0, 1))
    assert arm.bodies["arm"].inertia == expected
    bare = read(tmp_path, link("base"), link("arm", more=""), joint("j", "base", "arm"))
    assert bare.bodies["arm"].inertia == lw.Inertia(1.0, (0, 0, 0), np.eye(3))
    assert any("SDF's own" in line for line in bare.ignored)


# Loops and couplings

FOUR_BAR = [
    link("base"), link("crank", "0 0 1 0 0 0"), link("rocker", "2 0 1 0 0 0"), link("coupler", "0 0 2 0 0 0"),
    joint("a", "base", "crank"), joint("d", "base", "rocker"), joint("b", "crank", "coupler"),
    joint("c", "coupler", "rocker", "ball", "<pose>0 0 1 0 0 0</pose>"),
]  # fmt: skip


def test_a_link_with_two_parents_closes_a_loop(tmp_path):
    """A four-bar with a ball in it: three planar hinges leave one degree of freedom, and one row too many."""
    bar = read(tmp_path, *FOUR_BAR)
    assert bar.joints.names == ["a", "b", "d"]
    assert bar.loops.names == ["c"]
    assert isinstance(bar.loops["c"].type, lw.Spherical)
    assert (bar.loops["c"].parent.name, bar.loops["c"].real.name) == ("coupler", "rocker")
    found = lw.mobility(bar, bar.neutral())
    assert (found.dof, found.redundant) == (1, 1)
    assert np.array_equal(lw.close_loops(bar, bar.neutral()), bar.neutral()), "closed as described"


def test_the_order_of_the_file_plays_no_part(tmp_path):
    parts, first = list(FOUR_BAR), None
    for seed in range(5):
        random.Random(seed).shuffle(parts)
        bar = read(tmp_path, *parts)
        state = bar.joints.names, bar.loops.names, bar.bodies.names, bar.columns.at_position.tolist()
        first = first or state
        assert state == first


def test_a_reversed_joint_keeps_its_sign(tmp_path):
    """`b` is walked from child to parent: the same angle still turns the child about +y, seen from the parent."""
    parts = (
        link("base"),
        link("arm", "0 0 1 0 0 0"),
        joint("a", "world", "base", "fixed", ""),
        joint("b", "arm", "base"),
    )
    arm = read(tmp_path, *parts)
    assert arm.joints["b"].type.axis == (0.0, -1.0, 0.0)
    poses = lw.body_poses(arm, [0.3])
    relative = poses["arm"].inverse() @ poses["base"]
    np.testing.assert_allclose(relative.rotation, lw.Pose.axis_angle("y", 0.3).rotation, atol=1e-15)


def test_gearbox_and_mimic(tmp_path):
    gear = (
        "<gearbox_reference_body>base</gearbox_reference_body><gearbox_ratio>0.1</gearbox_ratio>"
        "<axis><xyz>0 -1 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"
    )
    mimic = (
        "<axis><xyz>0 1 0</xyz><mimic joint='out'><multiplier>3</multiplier><offset>1</offset>"
        "<reference>2</reference></mimic></axis>"
    )
    parts = (
        link("base"), link("rotor"), link("arm"), link("pad"),
        joint("in", "base", "rotor"), joint("out", "base", "arm"),
        joint("gear", "rotor", "arm", "gearbox", gear), joint("slave", "arm", "pad", more=mimic),
    )  # fmt: skip
    arm = read(tmp_path, *parts)
    # θ_out = −0.1 θ_in, and θ_in is counted about −y.
    assert arm.couplings == [Coupling("out", "in", 0.1), Coupling("slave", "out", 3.0, -5.0)]
    assert len(arm.loops) == 0
    off = read(tmp_path, *parts, options={"mimic": False})
    assert len(off.couplings) == 1
    assert any("mimic" in line for line in off.ignored)


def test_spanning_trees_have_least_depth():
    """Against every spanning tree of small random graphs."""
    rng = random.Random(1)
    for _ in range(20):
        names = ["", *"abcd"]
        edges = [
            Edge(f"{x}{y}", x, y, rng.choice([0, 1, 1, 3]))
            for x, y in itertools.combinations(names, 2)
            if rng.random() < 0.6
        ]
        branches, loops = spanning_tree(edges)
        depth = {"": 0}
        for branch in branches:
            depth[branch.child] = depth[branch.parent] + (branch.edge.nv > 0)
        assert len(branches) + len(loops) == sum(1 for edge in edges if edge.a in depth)
        best = dict.fromkeys(depth, 99) | {"": 0}
        for _ in names:
            for edge in edges:
                for x, y in ((edge.a, edge.b), (edge.b, edge.a)):
                    if x in best and y in best:
                        best[y] = min(best[y], best[x] + (edge.nv > 0))
        assert depth == best


def test_roots_are_those_that_no_joint_carries():
    edges = [Edge("x", "b", "a", 1), Edge("y", "d", "c", 1), Edge("z", "c", "d", 1)]
    assert roots("abcde", edges) == ["b", "c", "e"]
    assert roots("abcde", edges, chosen=["d"]) == ["b", "d", "e"]
