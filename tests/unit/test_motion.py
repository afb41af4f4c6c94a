"""BVH files: what they say, found again; velocities and accelerations against closed forms; broken files."""

import numpy as np
import pytest

import linkwork as lw

HEAD = """\
HIERARCHY
ROOT Hips
{{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {{
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Left Hand
    {{
      OFFSET 20 0 0
      CHANNELS 1 Yrotation
      End Site
      {{
        OFFSET 5 0 0
      }}
    }}
  }}
}}
MOTION
Frames: {frames}
Frame Time: {dt}
"""


def write(path, values, dt: float):
    rows = "\n".join(" ".join(f"{value:.12g}" for value in row) for row in values)
    path.write_text(HEAD.format(frames=len(values), dt=dt) + rows + "\n")
    return path


def swing(t: np.ndarray) -> np.ndarray:
    """All channels, cm and degrees, as slow sines that a filter of 6 Hz lets pass."""
    rates = np.linspace(0.3, 0.8, 10)
    sizes = np.array([30, 5, 20, 40, 50, 60, 30, 40, 50, 70])
    return sizes * np.sin(2 * np.pi * rates * t[:, None] + np.arange(10)) + np.eye(10)[1] * 90


def turn(letter: str, degrees: float) -> lw.Pose:
    return lw.Pose.axis_angle(letter.lower(), np.deg2rad(degrees))


def by_hand(row: np.ndarray) -> dict[str, lw.Pose]:
    """Poses of the joints as the format defines them, y up turned to z up."""
    hips = lw.Pose(row[:3] / 100) @ turn("Z", row[3]) @ turn("X", row[4]) @ turn("Y", row[5])
    chest = hips @ lw.Pose((0, 0.1, 0)) @ turn("Z", row[6]) @ turn("X", row[7]) @ turn("Y", row[8])
    hand = chest @ lw.Pose((0.2, 0, 0)) @ turn("Y", row[9])
    upright = lw.Pose.axis_angle("x", np.pi / 2)
    poses = {"Hips": hips, "Chest": chest, "Left Hand": hand, "Left Hand_end": hand @ lw.Pose((0.05, 0, 0))}
    return {name: upright @ pose for name, pose in poses.items()}


def test_poses_are_those_of_the_file(tmp_path):
    t = np.arange(60) * 0.02
    values = swing(t)
    motion = lw.load_motion(write(tmp_path / "a.bvh", values, 0.02), cutoff=None)
    linkage = motion.linkage
    np.testing.assert_allclose(motion.t, t)
    assert [type(joint.type) for joint in linkage.joints] == [lw.Free, lw.Spherical, lw.Revolute]
    assert sum(body.mass for body in linkage.bodies) == pytest.approx(70.0)
    for k in (0, 17, 59):
        poses = lw.body_poses(linkage, motion.q[k])
        for name, pose in by_hand(values[k]).items():
            np.testing.assert_allclose(poses[name].matrix, pose.matrix, atol=1e-12)


def test_rates_are_those_of_the_curves(tmp_path):
    """Resampled: q at other times is that of the closed form; v and a are its derivatives, by central differences."""
    path = write(tmp_path / "a.bvh", swing(np.arange(120) * 0.01), 0.01)
    h = 1e-5
    motion = lw.load_motion(path, cutoff=None, rate=1 / 0.017)
    dense = lw.load_motion(path, cutoff=None, rate=1 / h)
    linkage = motion.linkage
    for k in (5, 30, 60):
        t = motion.t[k]
        poses = lw.body_poses(linkage, motion.q[k])
        for name, pose in by_hand(swing(np.array([t]))[0]).items():
            np.testing.assert_allclose(poses[name].matrix, pose.matrix, atol=1e-6)
        n = round(t / h)
        step = 20
        rate = linkage.difference(dense.q[n - step], dense.q[n + step]) / (2 * step * h)
        np.testing.assert_allclose(motion.v[k], rate, atol=1e-5)
        np.testing.assert_allclose(
            motion.a[k], (dense.v[n + step] - dense.v[n - step]) / (2 * step * h), rtol=1e-5, atol=1e-4
        )


def test_noise_is_filtered(tmp_path):
    rng = np.random.default_rng(0)
    t = np.arange(240) / 120
    clean = swing(t)
    noisy = clean + 0.2 * rng.normal(size=clean.shape)
    path = tmp_path / "a.bvh"
    expected = lw.load_motion(write(path, clean, 1 / 120), cutoff=None)
    raw = lw.load_motion(write(path, noisy, 1 / 120), cutoff=None)
    smooth = lw.load_motion(path)
    middle = slice(40, -40)
    errors = [np.abs(each.a - expected.a)[middle].max() for each in (raw, smooth)]
    assert errors[1] < 0.05 * errors[0]
    assert np.abs(smooth.q - expected.q)[middle].max() < 0.01


def test_torques_of_a_floating_figure_balance_its_momentum(tmp_path):
    """The root's share of the torques is what is missing: rate of momentum less gravity, from another algorithm."""
    motion = lw.load_motion(write(tmp_path / "a.bvh", swing(np.arange(100) * 0.01), 0.01), rate=1000.0)
    linkage = motion.linkage
    tau = lw.inverse_dynamics(linkage, motion.q, motion.v, motion.a)
    k = 500
    after, before = (lw.momentum(linkage, motion.q[n], motion.v[n]) for n in (k + 1, k - 1))
    rate = (after - before) / 0.002
    hips = lw.body_poses(linkage, motion.q[k])["Hips"]
    force = hips.rotation @ tau[k, :3]
    np.testing.assert_allclose(force, rate[:3] + np.array([0, 0, 70 * 9.81]), rtol=1e-4)


def test_human_names_give_human_masses(tmp_path):
    names = ["Hips", "Head", "LeftHand", "LeftForeArm", "LeftArm", "LeftFoot", "LeftUpLeg", "LeftLeg"]
    text = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    for name in names[1:]:
        text += f"JOINT {name}\n{{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        text += "End Site\n{\nOFFSET 0 10 0\n}\n}\n"
    text += "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n" + " ".join(["0"] * 24) + "\n"
    path = tmp_path / "a.bvh"
    path.write_text(text)
    motion = lw.load_motion(path, mass=100.0, inertias={"Head": lw.Inertia.sphere(0.1, mass=5.0)})
    shares = {body.name: body.mass for body in motion.linkage.bodies}
    assert shares["LeftUpLeg"] == pytest.approx(100 * 2 * 0.1416, rel=0.01)
    assert shares["Head"] == 5.0
    assert np.all(motion.v == 0.0)


GOOD = HEAD.format(frames=1, dt=0.1) + "0 " * 10 + "\n"
BROKEN = {
    "not text": (b"\xff\xfe\x00", 1, "not text"),
    "no motion": (GOOD.replace("MOTION", ""), None, "MOTION"),
    "no hierarchy": (GOOD.replace("HIERARCHY", "TREE"), 1, "HIERARCHY"),
    "no root": (GOOD.replace("ROOT", "ROOTS"), 2, "ROOT"),
    "bad offset": (GOOD.replace("OFFSET 0 10 0", "OFFSET 0 ten 0"), 8, "'ten' is not a number"),
    "infinite": (GOOD.replace("OFFSET 0 10 0", "OFFSET 0 inf 0"), 8, "not finite"),
    "unknown channel": (GOOD.replace("1 Yrotation", "1 Wrotation"), 13, "Wrotation"),
    "channel twice": (GOOD.replace("CHANNELS 3 Zrotation", "CHANNELS 3 Yrotation"), 9, "twice"),
    "open brace": (GOOD.replace("}\nMOTION", "MOTION"), 20, "expected"),
    "same name": (GOOD.replace("Left Hand", "Chest"), 10, "taken by the joint at line 6"),
    "no frame time": (GOOD.replace("Frame Time:", "Time:"), 23, "Frame Time"),
    "zero frame time": (GOOD.replace("0.1", "0"), 23, "positive"),
    "too few frames": (GOOD.replace("Frames: 1", "Frames: 3"), 22, "3 frames are announced"),
    "too many frames": (GOOD.replace("Frames: 1", "Frames: 1e12"), 22, "cannot be read"),
    "short row": (GOOD.replace("0 " * 10, "0 " * 9), 24, "9 values where the skeleton has 10"),
    "word in a row": (GOOD.replace("0 " * 10, "0 " * 9 + "x"), 24, "'x' is not a number"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(tmp_path, case):
    text, line, match = BROKEN[case]
    path = tmp_path / "broken.bvh"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(lw.DescriptionError, match=match) as caught:
        lw.load_motion(path)
    assert caught.value.file == str(path)
    assert line is None or caught.value.line == line


def test_arguments(tmp_path):
    path = write(tmp_path / "a.bvh", swing(np.arange(5) * 0.1), 0.1)
    with pytest.raises(lw.ArgumentError, match=r"\.bvh"):
        lw.load_motion(tmp_path / "a.txt")
    with pytest.raises(lw.ArgumentError, match="load_motion"):
        lw.load(path)
    with pytest.raises(lw.DescriptionError, match="no such file"):
        lw.load_motion(tmp_path / "b.bvh")
    for options in (
        {"up": "x"},
        {"scale": 0.0},
        {"rate": -1.0},
        {"rate": 1e12},
        {"mass": -1.0},
        {"inertias": {"x": 0}},
    ):
        with pytest.raises(lw.ArgumentError):
            lw.load_motion(path, **options)
