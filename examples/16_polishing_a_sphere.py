"""
Polishing a sphere
==================

A seven-axis arm from a URDF file leads its tool round a ball, pressing with 20 N against friction. Inverse dynamics
with a contact force gives the torques; the simulation tells the normal force and what every bearing has to carry.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

here = Path(__file__).parent if "__file__" in globals() else Path.cwd()
arm = lw.load(here / "robots" / "seven_axis_arm.urdf")
tip = (0.0, 0.0, 0.1)  # of the tool, m
center, radius, force, K = np.array([0.55, 0.0, 0.25]), 0.2, 20.0, 0.25


# %%
# The path: a circle of latitude at constant speed, with its velocity and acceleration.
def path(t, rate=0.9, polar=0.6):
    e = np.array([np.cos(rate * t), np.sin(rate * t), 0.0])
    f = np.array([-np.sin(rate * t), np.cos(rate * t), 0.0])
    out = radius * np.sin(polar)
    return center + out * e + [0, 0, radius * np.cos(polar)], out * rate * f, -out * rate**2 * e


# %%
# Start with the tip where the path starts, by Newton steps on its position, and at its speed. Then keep it on the ball.
q = np.array([0.0, 0.5, 0.0, 1.6, 0.0, 0.9, 0.0])
for _ in range(50):
    gap = path(0.0)[0] - lw.body_poses(arm, q)["tool"].apply(tip)
    q = q + np.linalg.pinv(lw.jacobian(arm, q, "tool", tip)[:3]) @ gap
v = np.linalg.pinv(lw.jacobian(arm, q, "tool", tip)[:3]) @ path(0.0)[1]
arm.constrain("tool", point=tip, surface=lw.Sphere(center, radius), friction=K, name="ball")


# %%
# Along the ball the tip follows the path; what seven joints can do beside that is damped. The torques are those of
# INV(q, q̇, q̈, g, f_n, K): they press with the force that we ask for, and overcome the friction that it causes.
def polish(sim):
    q, v = sim.q, sim.v
    J = lw.jacobian(arm, q, "tool", tip)[:3]
    place, velocity, acceleration = path(sim.t)
    wanted = acceleration + 20 * (velocity - J @ v) + 100 * (place - lw.body_poses(arm, q)["tool"].apply(tip))
    inverse = np.linalg.pinv(J)
    a = inverse @ (wanted - lw.jacobian_bias(arm, q, v, "tool", tip)[:3])
    a -= (np.eye(7) - inverse @ J) @ (5 * v)
    return lw.inverse_dynamics(arm, q, v, a, contact_forces=[force])


recording = lw.Simulation(arm, q, v, dt=5e-3, controller=polish).run(5.0)
print(
    f"normal force {recording.normal_forces.min():.3f} … {recording.normal_forces.max():.3f} N, asked for {force:g} N"
)
print(f"projected onto the ball by at most {recording.drift[:, 0].max():.1e} rad a step")

# %%
# A bearing carries all but the torque about its axis: force, and the moment across the axis.
wrenches = recording.wrenches
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(recording.t, recording.normal_forces, label="f_n")
left.plot(recording.t, np.linalg.norm(recording.friction_forces[:, 0], axis=1), label="friction")
for k, joint in enumerate(arm.joints):
    axis = arm.columns.axis[k]
    moment = wrenches[:, k, 3:] - np.outer(wrenches[:, k, 3:] @ axis, axis)
    bending = np.linalg.norm(moment, axis=1)
    right.plot(recording.t, bending, label=joint.name)
    load = np.linalg.norm(wrenches[:, k, :3], axis=1).max()
    print(f"{joint.name:14s} carries up to {load:6.1f} N and {bending.max():5.1f} N m")
left.set(xlabel="t in s", ylabel="force in N")
right.set(xlabel="t in s", ylabel="bending moment in N m")
left.legend()
right.legend(fontsize="small")
