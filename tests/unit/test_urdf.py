"""What a URDF file says, found again in the linkage."""

import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.io.urdf import read_urdf
from linkwork.linkage.coupling import Coupling

ROBOT = """\
<robot name="crane" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <material name="steel"><color rgba="0.5 0.5 0.6 1"/></material>
  <link name="base"/>
  <link name="mast">
    <inertial><origin xyz="0 0 0.5"/><mass value="2"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.1"/></inertial>
    <visual name="tube"><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry>
      <material name="steel"/></visual>
    <collision><geometry><box size="1 2 3"/></geometry></collision>
  </link>
  <link name="weight">
    <inertial><origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><mass value="4"/>
      <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.4"/></inertial>
    <visual><geometry><sphere radius="0.2"/></geometry></visual>
  </link>
  <link name="tip"/>
  <link name="trolley"><inertial><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="hook"/>
  <link name="wheel"/>
  <joint name="slew" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><parent link="base"/><child link="mast"/>
    <axis xyz="0 0 2"/><limit lower="-1" upper="2" effort="30" velocity="3"/>
    <dynamics damping="0.5" friction="0.25"/>
  </joint>
  <joint name="bolt" type="fixed">
    <origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/><parent link="mast"/><child link="weight"/>
  </joint>
  <joint name="flag" type="fixed"><origin xyz="1 0 0"/><parent link="weight"/><child link="tip"/></joint>
  <joint name="travel" type="prismatic">
    <origin xyz="0 1 0"/><parent link="tip"/><child link="trolley"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="5" effort="1e12" velocity="1"/>
  </joint>
  <joint name="swing" type="continuous"><parent link="trolley"/><child link="hook"/></joint>
  <joint name="roll" type="revolute"><parent link="trolley"/><child link="wheel"/>
    <axis xyz="0 1 0"/><limit effort="3" velocity="1"/><mimic joint="travel" multiplier="-2" offset="0.5"/>
  </joint>
  <transmission name="t1"/><transmission name="t2"/>
  <gazebo reference="mast"><mu1>0.2</mu1></gazebo>
</robot>
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "crane.urdf"
    path.write_text(ROBOT)
    return path


def test_structure_with_fixed_base(path):
    crane = lw.load(path)
    assert crane.name == "crane"
    assert crane.bodies.names == ["mast", "trolley", "hook", "wheel"]
    assert crane.joints.names == ["slew", "travel", "swing", "roll"]
    assert crane.frames.names == ["base", "weight", "tip"]
    assert [joint.parent.name for joint in crane.joints] == ["ground", "mast", "trolley", "trolley"]
    assert crane.frames["base"].body == crane.ground
    assert crane.frames["tip"].body == crane.bodies["mast"]
    assert (crane.nq, crane.nv) == (4, 4)


def test_joint_options(path):
    slew, travel, swing, roll = lw.load(path).joints
    assert slew.type.axis == (0.0, 0.0, 1.0)
    assert slew.limits.tolist() == [[-1.0, 2.0]]
    assert (slew.damping, slew.coulomb, slew.effort, slew.velocity) == (0.5, 0.25, 30.0, 3.0)
    assert type(travel.type) is lw.Prismatic
    assert (travel.effort, travel.velocity) == (math.inf, 1.0), "1e12 N stands for no bound"
    assert type(swing.type) is lw.Revolute
    assert swing.limits is None
    assert swing.type.axis == (1.0, 0.0, 0.0), "URDF's default axis"
    assert roll.limits is None, "limits without a range mean none"


def test_merged_inertia_and_poses(path):
    """By hand: `weight` is 1 m up the mast, turned by 90° about x, its inertia by 90° about z in itself."""
    crane = lw.load(path)
    mast = crane.bodies["mast"].inertia
    com_weight = np.array([0.1, 0.0, 1.0])
    com = (2 * np.array([0, 0, 0.5]) + 4 * com_weight) / 6
    # In `weight`: diag(.2, .3, .4) after the turn about z; in `mast` y and z change places.
    about_com = np.diag([0.2, 0.2, 0.1]) + np.diag([0.2, 0.4, 0.3])
    for mass, place in ((2, np.array([0, 0, 0.5])), (4, com_weight)):
        d = place - com
        about_com = about_com + mass * (d @ d * np.eye(3) - np.outer(d, d))
    assert mast.mass == 6.0
    np.testing.assert_allclose(mast.com, com, atol=1e-15)
    np.testing.assert_allclose(mast.matrix, about_com, atol=1e-15)

    turn_x = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    tip = crane.frames["tip"].pose
    np.testing.assert_allclose(tip.position, [1, 0, 1], atol=1e-15)
    np.testing.assert_allclose(tip.rotation, turn_x, atol=1e-15)
    travel = crane.joints["travel"].at  # 1 m along the tip's y, which is the mast's z
    np.testing.assert_allclose(travel.position, [1, 0, 2], atol=1e-15)
    np.testing.assert_allclose(travel.rotation, turn_x, atol=1e-15)


def test_free_base(path):
    crane = lw.load(path, base="free")
    assert crane.bodies.names == ["base", "mast", "trolley", "hook", "wheel"]
    root = crane.joints["root_joint"]
    assert isinstance(root.type, lw.Free)
    assert root.child.name == "base"
    assert not root.actuated
    assert "base" not in crane.frames
    assert (crane.nq, crane.nv) == (11, 10)


def test_root_joint_gives_way_to_a_name_of_the_file(path):
    path.write_text(ROBOT.replace('"slew"', '"root_joint"'))
    crane = lw.load(path, base="free")
    assert crane.joints.names[:2] == ["root_joint_", "root_joint"]
    assert crane.joints["root_joint"].child.name == "mast"


def test_keep_fixed(path):
    crane = lw.load(path, keep_fixed=True)
    assert crane.bodies.names == ["base", "mast", "weight", "tip", "trolley", "hook", "wheel"]
    assert len(crane.frames) == 0
    fixed = [joint.name for joint in crane.joints if isinstance(joint.type, lw.Fixed)]
    assert fixed == ["root_joint", "bolt", "flag"]
    assert crane.bodies["mast"].mass == 2.0
    assert crane.nv == 4


def test_visuals(path):
    tube, box, ball = lw.load(path).visuals
    assert (tube.body, tube.kind, tube.size, tube.name) == ("mast", "cylinder", (0.1, 1.0), "tube")
    assert tube.color == (0.5, 0.5, 0.6, 1.0)
    assert not tube.collision
    assert (box.kind, box.size, box.collision, box.color) == ("box", (1.0, 2.0, 3.0), True, None)
    assert (ball.body, ball.kind) == ("mast", "sphere")
    np.testing.assert_allclose(ball.pose.position, [0, 0, 1], atol=1e-15)


def test_ignored_is_listed(path):
    ignored = lw.load(path).ignored
    assert "<transmission>: 2 not read, first at line 38" in ignored
    assert "<gazebo>: 1 not read, first at line 39" in ignored
    assert any("mimic" in line and "'roll' (line 35)" in line for line in ignored)
    assert any("friction" in line and "'slew' (line 21)" in line for line in ignored)
    assert any("limits" in line and "'roll'" in line for line in ignored)
    assert len(ignored) == 5


def test_mimic_becomes_a_coupling(path):
    crane = lw.load(path, mimic=True)
    assert crane.couplings == [Coupling("roll", "travel", -2.0, 0.5)]
    assert not any("mimic" in line for line in crane.ignored)
    assert lw.load(path).couplings == []


def test_visuals_and_couplings_travel_with_the_linkage(path):
    crane = lw.load(path, mimic=True)
    for other in (crane.copy(), pickle.loads(pickle.dumps(crane))):
        assert (other.visuals, other.couplings) == (crane.visuals, crane.couplings)
    copy = crane.copy()
    copy.visuals.clear()
    assert len(crane.visuals) == 3

    pair = lw.Linkage(name="pair")
    pair.add_body("cart", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Prismatic("x"))
    pair.add(crane, prefix="left_", parent="cart", at=lw.Pose((0, 2, 0)))
    assert [visual.body for visual in pair.visuals] == ["left_mast"] * 3
    assert pair.couplings == [Coupling("left_roll", "left_travel", -2.0, 0.5)]
    pair.cut("left_travel")
    assert pair.couplings == []


def test_visuals_of_ground_move_with_what_carries_them(tmp_path):
    path = tmp_path / "post.urdf"
    path.write_text('<robot name="post"><link name="post"><visual><geometry><sphere radius="1"/></geometry>'
                    "</visual></link></robot>")  # fmt: skip
    post = lw.load(path)
    assert (post.nb, post.nq, post.visuals[0].body) == (0, 0, "ground")
    cart = lw.Linkage(name="cart")
    cart.add_body("cart", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Prismatic("x"))
    cart.add(post, parent="cart", at=lw.Pose((0, 0, 3)))
    assert cart.visuals[0].body == "cart"
    assert cart.visuals[0].pose.position.tolist() == [0.0, 0.0, 3.0]


MOVING = """\
<robot name="moving"><link name="world"/><link name="a"/><link name="b"/>
<joint name="plane" type="planar"><parent link="world"/><child link="a"/><axis xyz="0 0 3"/></joint>
<joint name="fly" type="floating"><origin xyz="1 2 3"/><parent link="a"/><child link="b"/></joint></robot>
"""


def test_planar_and_floating(tmp_path):
    path = tmp_path / "moving.urdf"
    path.write_text(MOVING)
    plane, fly = lw.load(path).joints
    assert isinstance(plane.type, lw.Planar)
    assert plane.type.normal == (0.0, 0.0, 1.0)
    assert isinstance(fly.type, lw.Free)
    assert fly.parent.name == "a"
    assert fly.at.position.tolist() == [1.0, 2.0, 3.0]


def test_a_link_named_ground_is_renamed(tmp_path):
    path = tmp_path / "moving.urdf"
    path.write_text(MOVING.replace('"a"', '"ground"'))
    linkage = lw.load(path)
    assert linkage.bodies.names == ["ground_link", "b"]
    assert linkage.joints["fly"].parent.name == "ground_link"
    assert "'ground' at line 1" in linkage.ignored[0]


def test_strange_inertia_warns_once_it_is_merged(tmp_path):
    good = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    strange = '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.5"/>'
    text = """<robot name="r"><link name="w"/>
      <link name="a"><inertial><mass value="1"/>{}</inertial></link>
      <link name="b"><inertial><mass value="1"/>{}</inertial></link>
      <joint name="j" type="continuous"><parent link="w"/><child link="a"/></joint>
      <joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint></robot>"""
    path = tmp_path / "strange.urdf"
    path.write_text(text.format(good, strange))
    lw.load(path)  # the sum is that of a real body: no warning
    with pytest.warns(lw.LinkworkWarning, match=r'strange.urdf:3: <link name="b">: no rigid body'):
        lw.load(path, keep_fixed=True)
    path.write_text(text.format(strange, strange))
    with pytest.warns(lw.LinkworkWarning, match=r'strange.urdf:2: <link name="a">: .* after merging 2 links'):
        lw.load(path)


def test_a_rounded_zero_inertia_is_no_reason_to_warn(tmp_path):
    """As one real humanoid has it: -5e-20 where zero is meant."""
    path = tmp_path / "rounded.urdf"
    path.write_text("""<robot name="r"><link name="w"/><link name="a"><inertial><mass value="0.5"/>
      <inertia ixx="-5.4e-20" ixy="0" ixz="0" iyy="-5.4e-20" iyz="0" izz="0"/></inertial></link>
      <joint name="j" type="continuous"><parent link="w"/><child link="a"/></joint></robot>""")
    assert lw.load(path).bodies["a"].mass == 0.5


def test_default_namespace_utf16_comments_and_missing_name(tmp_path):
    text = MOVING.replace('<robot name="moving">', '<robot xmlns="http://www.ros.org"><!-- a comment -->')
    path = tmp_path / "kite.urdf"
    path.write_bytes(f'<?xml version="1.0" encoding="utf-16"?>{text}'.encode("utf-16"))
    linkage = lw.load(path)
    assert linkage.name == "kite"
    assert linkage.joints.names == ["plane", "fly"]


def test_quaternion_origin(tmp_path):
    path = tmp_path / "turned.urdf"
    half = math.sqrt(0.5)
    path.write_text(MOVING.replace('xyz="1 2 3"', f'xyz="1 2 3" quat_xyzw="0 0 {half!r} {half!r}"'))
    at = lw.load(path).joints["fly"].at
    np.testing.assert_allclose(at.rotation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)


def test_a_long_chain_needs_no_recursion(tmp_path):
    count = 3_000
    links = "".join(f'<link name="l{k}"/>' for k in range(count + 1))
    joints = "".join(
        f'<joint name="j{k}" type="{"fixed" if k % 2 else "continuous"}"><origin xyz="0 0 1"/>'
        f'<parent link="l{k}"/><child link="l{k + 1}"/></joint>'
        for k in range(count)
    )
    path = tmp_path / "chain.urdf"
    path.write_text(f'<robot name="chain">{links}{joints}</robot>')
    chain = read_urdf(path)
    assert (chain.nb, len(chain.frames)) == (count // 2, count // 2 + 1)
    assert chain.frames[f"l{count}"].body.name == f"l{count - 1}"


def test_xacro_is_named_for_what_it_is():
    with pytest.raises(lw.ArgumentError, match="xacro is a program"):
        lw.load("robot.urdf.xacro")


@pytest.mark.parametrize("method", ["aba", "crba", "unit-vector"])
def test_a_floating_robot_without_mass_loads_but_cannot_be_solved(tmp_path, method):
    path = tmp_path / "ghost.urdf"
    path.write_text(MOVING)
    ghost = lw.load(path, base="free")
    assert ghost.nv == 15
    with pytest.raises(lw.SingularError):
        lw.forward_dynamics(ghost, ghost.neutral(), np.zeros(15), method=method)
