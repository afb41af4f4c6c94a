"""
A recorded motion: forces of walking
====================================

A BVH file holds a skeleton and its joints' angles over time, as motion capture writes them. `load_motion` makes a
linkage of it, with the masses of an average man, and gives its coordinates with smooth velocities and accelerations.
Inverse dynamics of all frames is then one call. In the air the figure would need a force at its hips; on the ground
that force comes through the feet, by a schedule: the lower foot bears, and where both are low they share.

Give the path of another BVH file on the command line; the feet must be called LeftFoot and RightFoot. The file that
ships is made of sines.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

here = Path(__file__).parent if "__file__" in globals() else Path.cwd()
path = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "motions" / "walk.bvh"
motion = lw.load_motion(path)
figure, t, q, v, a = motion
print(motion, "with a mass of", round(sum(body.mass for body in figure.bodies), 1), "kg")

# %%
# In the air: what the hips need
tau = lw.inverse_dynamics(figure, q, v, a)
poses = lw.body_poses(figure, q)
hips = poses.rotations[:, 0]
force = np.einsum("tij,tj->ti", hips, tau[:, :3])
torque = np.einsum("tij,tj->ti", hips, tau[:, 3:6])
print(f"force that the ground must give: {force[:, 2].mean():.0f} N on average, {force[:, 2].max():.0f} N at most")

# %%
# On the ground: the same force and torque, through the feet
feet = [figure.bodies[name].index for name in ("LeftFoot", "RightFoot")]
height = poses.positions[:, feet, 2]
share = 1.0 / (1.0 + np.exp((height - height[:, ::-1]) / 0.01))  # the schedule: 1 for the lower foot, 0 for the other
f_ext = np.zeros((len(t), figure.nb, 6))
for k, foot in enumerate(feet):
    arm = poses.positions[:, 0] - poses.positions[:, foot]
    f_ext[:, foot, :3] = share[:, k, None] * force
    f_ext[:, foot, 3:] = share[:, k, None] * (torque + np.cross(arm, force))
tau = lw.inverse_dynamics(figure, q, v, a, f_ext)
assert np.abs(tau[:, :6]).max() < 1e-6, "nothing is left for the hips to give"

for name in ("LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"):
    size = np.linalg.norm(tau[:, figure.joints[name].v_slice], axis=1)
    print(f"  {name:>10}: {size.max():6.1f} N m at t = {t[size.argmax()]:.2f} s")
    plt.plot(t, size, label=name)
plt.xlabel("t (s)")
plt.ylabel("torque (N m)")
plt.legend()
plt.show()
