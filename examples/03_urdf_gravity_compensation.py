"""
A robot from a URDF file: gravity compensation
==============================================

Load a robot, ask which torques hold it still, and check them: with these torques the accelerations are zero.
The gripper and the tool frame hang on fixed joints; they are merged into the telescope, but their names stay.

Give the path of another URDF file on the command line to see the torques of that robot.
"""

import sys
from pathlib import Path

import numpy as np

import linkwork as lw

here = Path(__file__).parent if "__file__" in globals() else Path.cwd()
path = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "robots" / "desk_arm.urdf"
robot = lw.load(path)
print(robot)
for line in robot.ignored:
    print("  not used:", line)

# %%
# Torques that hold the robot, in the pose of the file and in two others
rng = np.random.default_rng(1)
at_rest = np.zeros(robot.nv)
for title, q in [("as drawn", robot.neutral()), ("random", robot.random(rng)), ("random", robot.random(rng))]:
    tau = lw.gravity_torques(robot, q)
    a = lw.forward_dynamics(robot, q, at_rest, tau)
    assert np.abs(a).max(initial=0.0) < 1e-9, "held, nothing moves"
    print(f"\n{title}")
    for joint in robot.joints:
        share = np.abs(tau[joint.v_slice] / joint.effort).max(initial=0.0)
        print(f"  {joint.name:>12} {tau[joint.v_slice].round(3)!s:>10}  {share:6.1%} of its effort")

# %%
# A payload of 1 kg at the tool: its weight reaches the joints through the tool's Jacobian
if "tool0" in robot.frames:
    weight = np.array([0.0, 0.0, -9.81])
    q = robot.neutral()
    payload = -lw.jacobian(robot, q, "tool0")[:3].T @ weight
    print(
        "\nmore torque with 1 kg in the gripper:",
        dict(zip(robot.joints.names, payload.round(3).tolist(), strict=True)),
    )

# %%
# The robot, as lines from joint to joint
lw.draw(robot, robot.neutral())
