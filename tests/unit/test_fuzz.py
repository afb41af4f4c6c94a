"""Mutated files of every format: one clear error with file and line, or a sound load; nothing else is opened."""

import random
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.linkage.linkage import Linkage

COUNT = 200  # mutated files of each format

URDF = """\
<robot name="arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.5" rpy="0 0 0"/><mass value="2"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.01"/></inertial>
    <visual><geometry><mesh filename="mesh.stl" scale="1 1 1"/></geometry><material name="red"/></visual>
    <collision><geometry><cylinder radius="0.1" length="1"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 1" rpy="0 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/><dynamics damping="0.1" friction="0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><mimic joint="shoulder" multiplier="2"/></joint>
  <loop_joint name="pin" type="spherical"><link1 link="lower" xyz="0 0 1"/><link2 link="base" xyz="0 1 0"/></loop_joint>
</robot>
"""
SDF = """\
<sdf version="1.9">
  <model name="arm" canonical_link="base" placement_frame="f">
    <frame name="f" attached_to="base"><pose relative_to="base">0 0 1 0 0 0</pose></frame>
    <link name="base"><pose>0 0 0 0 0 0</pose></link>
    <link name="upper"><pose relative_to="f" rotation_format="quat_xyzw">0 0 1 0 0 0 1</pose>
      <inertial><pose>0 0 0.5 0 0 0</pose><mass>2</mass>
        <inertia><ixx>0.2</ixx><iyy>0.2</iyy><izz>0.01</izz></inertia></inertial>
      <visual name="v"><geometry><mesh><uri>mesh.stl</uri></mesh></geometry>
        <material><diffuse>1 0 0 1</diffuse></material></visual>
      <collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision>
    </link>
    <link name="rod"><pose>0 0 3 0 0 0</pose></link>
    <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child>
      <axis><xyz expressed_in="f">0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit>
        <dynamics><damping>0.1</damping><spring_stiffness>3</spring_stiffness></dynamics></axis></joint>
    <joint name="ball" type="ball"><parent>upper</parent><child>rod</child></joint>
    <joint name="screw" type="screw"><parent>base</parent><child>rod</child><axis/>
      <screw_thread_pitch>0.1</screw_thread_pitch></joint>
    <model name="inner"><link name="tip"><inertial auto="true"/><collision name="c"><geometry><sphere><radius>1</radius>
      </sphere></geometry></collision></link></model>
    <include><uri>part.sdf</uri><name>part</name></include>
    <joint name="bolt" type="fixed"><parent>rod</parent><child>inner::tip</child></joint>
  </model>
</sdf>
"""
PART = '<sdf version="1.9"><model name="p"><link name="l"/></model></sdf>'
MJCF = """\
<mujoco model="arm">
  <compiler angle="radian" meshdir="."/>
  <option gravity="0 0 -9.81" timestep="0.002"/>
  <include file="part.xml"/>
  <worldbody>
    <body name="upper" pos="0 0 1" quat="1 0 0 0">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-1 1" damping="0.1" armature="0.01" stiffness="2"/>
      <geom name="g" type="capsule" size="0.1 0.5" rgba="1 0 0 1"/>
      <body name="lower" pos="0 0 1"><joint name="elbow" type="ball" pos="0 0 0.1"/><geom size="0.1"/></body>
    </body>
    <body name="free" pos="1 0 0"><freejoint name="root"/><geom type="box" size="1 2 3"/></body>
  </worldbody>
  <equality><connect name="pin" body1="lower" body2="free" anchor="0 0 1"/></equality>
  <actuator><motor name="m" joint="shoulder" gear="3" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="home" qpos="0 1 0 0 0 1 0 0 1 0 0 0"/></keyframe>
</mujoco>
"""
MJCF_PART = '<mujocoinclude><sensor><jointpos joint="shoulder"/></sensor></mujocoinclude>'
BVH = """\
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 5 0
    }
  }
}
MOTION
Frames: 4
Frame Time: 0.01
0 90 0 0 0 0 0 0 0
1 90 0 1 0 0 0 5 0
2 90 0 2 0 0 0 9 0
3 90 0 3 0 0 0 5 0
"""
FORMATS = {"urdf": URDF, "sdf": SDF, "xml": MJCF, "bvh": BVH}
ODD = (
    "", "nan", "inf", "-1", "1e400", "1e308", "0", "x", "../../../etc/passwd", "/etc/passwd", "http://example.org/x",
    "2", "0.5", "world", "ground", "base", "upper", "1 2", "&lt;", "\u2603", "9" * 400, "__model__",
    "model://../x", "${x}",
)  # fmt: skip

WEIGHTS = (4, 2, 2, 0.4, 8, 0.4, 2, 2, 3)  # of the nine ways below


def mutated(text: str, rng: random.Random) -> bytes:
    """The text with one or two things wrong."""
    for _ in range(rng.randint(1, 2)):
        lines = text.splitlines(keepends=True)
        way = rng.choices(range(9), WEIGHTS)[0]
        if way == 0:
            words = list(re.finditer(r'[^\s<>="{}/]+', text))
            spot = rng.choice(words or [re.search("", text)])
            text = text[: spot.start()] + rng.choice(ODD) + text[spot.end() :]
        elif way == 1:
            del lines[rng.randrange(len(lines))]
            text = "".join(lines)
        elif way == 2:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "".join(lines)
        elif way == 3:
            text = text[: rng.randrange(1, len(text))]
        elif way == 4:
            values = list(re.finditer(r'"[^"]*"|>[^<>]+<|(?<=\s)-?\d+(?:\.\d+)?', text))
            spot = rng.choice(values or [re.search("", text)])
            inner = spot.group() or " "
            new = inner[0] + rng.choice(ODD) + inner[-1] if inner[0] in '">' else rng.choice(ODD)
            text = text[: spot.start()] + new + text[spot.end() :]
        elif way == 5:
            text = rng.choice(['<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n', "\x00", "<", "}"]) + text
        elif way == 6:
            one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[two] = lines[two], lines[one]
            text = "".join(lines)
        elif way == 7:
            spot = rng.randrange(len(text))
            text = text[:spot] + chr(rng.randrange(32, 127)) + text[spot + 1 :]
        else:
            names = re.findall(r"[A-Za-z_]{3,}", text) or ["x"]
            text = text.replace(rng.choice(names), rng.choice(names), 1)
        if not text.strip():
            return b""
    return text.encode("utf-8", "replace")


class Watch:
    """Remembers which files are opened and whether the network is asked, once `on`."""

    def __init__(self) -> None:
        self.on, self.seen = False, []

    def __call__(self, event: str, args) -> None:
        if self.on and event == "open" and isinstance(args[0], (str, bytes, Path)):
            self.seen.append(str(args[0] if not isinstance(args[0], bytes) else args[0].decode()))
        elif self.on and event.startswith(("socket.", "subprocess.", "os.system")):
            self.seen.append(event)


WATCH = Watch()
sys.addaudithook(WATCH)  # hooks cannot be removed: this one does nothing while it is off


def sound(linkage: Linkage) -> None:
    """What was loaded can be used: finite numbers, parents before children."""
    columns = linkage.columns
    for name in ("mass", "com", "inertia", "at_position", "at_rotation", "axis"):
        assert np.isfinite(getattr(columns, name)).all(), name
    assert (columns.parent < np.arange(linkage.nb)).all()
    assert np.isfinite(linkage.neutral()).all()


@pytest.mark.parametrize("suffix", FORMATS)
def test_mutated_files(tmp_path, suffix):
    if suffix == "xml":
        pytest.importorskip("mujoco")
    (tmp_path / "part.sdf").write_text(PART)
    (tmp_path / "part.xml").write_text(MJCF_PART)
    (tmp_path / "mesh.stl").write_text("solid")
    path = tmp_path / f"x.{suffix}"
    load = lw.load_motion if suffix == "bvh" else lw.load
    path.write_text(FORMATS[suffix])
    rng = random.Random(suffix)
    outcomes = {"loaded": 0, "refused": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        load(path)  # everything that is imported on the way is
        for number in range(COUNT):
            path.write_bytes(mutated(FORMATS[suffix], rng))
            WATCH.seen, WATCH.on = [], True
            try:
                found = load(path)
            except lw.DescriptionError as error:
                outcomes["refused"] += 1
                refused = error
            else:
                refused = None
                outcomes["loaded"] += 1
                sound(found if isinstance(found, Linkage) else found.linkage)
            finally:
                WATCH.on = False
            if refused is not None:
                assert str(refused.file).startswith(str(tmp_path)), number
                assert (refused.line or 0) >= 1, (number, str(refused))
            outside = [file for file in WATCH.seen if not file.startswith(str(tmp_path)) and not file.endswith(".py")]
            assert not outside, (number, outside)
    assert min(outcomes.values()) > COUNT // 50, outcomes
