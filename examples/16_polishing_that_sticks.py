"""
Polishing that sticks and slips
===============================

A soft arm leads its tool slowly over a ball, and presses it on by its weight. Friction holds the tool more firmly at
rest than in motion: it waits until the arm has pulled ahead, slips, and waits again. Each instant is an event.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

# %%
# The arm: it turns about the vertical, and its forearm lies on the ball. The tool's tip is round.
reach, radius, tip = 0.6, 0.5, 0.01
arm = lw.Linkage(name="polisher")
arm.add_body("column", lw.Inertia.cylinder(0.05, 0.4, mass=4.0), joint=lw.Revolute("z", damping=0.2), joint_name="turn")
forearm = lw.Inertia.cylinder(0.03, reach, mass=3.0, axis="x", com=(reach / 2, 0, 0))
arm.add_body("forearm", forearm, joint=lw.Revolute("y"), parent="column", at=lw.Pose((0, 0, 0.2)), joint_name="lift")
arm.add_shape("forearm", lw.Ball(tip), at=lw.Pose((reach, 0, -0.1)), name="tool")
arm.add_shape("ground", lw.Sphere((reach, 0, 0.1 - radius - tip), radius), name="ball")
arm.meet("tool", "ball", friction=0.3, static_friction=0.6)

# %%
# The motor is a spring that goes ahead at 0.06 rad/s. Contacts by events stop at every stick and every slip.
stiffness, rate = 150.0, 0.06


def motor(t, q, v):
    return [stiffness * (rate * t - q[0]), 0.0]


sim = lw.Simulation(arm, dt=1e-3, torques=motor, contacts="events")
recording = sim.run(3.5)
for event in recording.events:
    print(f"{event.time:.6f} s: {event.what}")

# %%
# While it sticks it does not move at all: the tip's place changes by rounding alone.
contacts = recording.contacts
pair = contacts["tool", "ball"]
sticks = contacts.mode[:, pair] == "stick"
print(f"fastest while it sticks: {np.abs(recording.v[sticks]).max():.0e} rad/s")

# %%
# Friction rises as the spring is drawn, and falls to what it is in motion.
figure, axes = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
axes[0].plot(recording.t, recording.q[:, 0], label="arm")
axes[0].plot(recording.t, rate * recording.t, label="motor")
axes[0].legend()
axes[0].set(ylabel="angle in rad")
share = np.linalg.norm(contacts.friction_forces[:, pair], axis=1) / contacts.normal_forces[:, pair]
axes[1].plot(contacts.t, share)
axes[1].set(xlabel="t in s", ylabel="friction over normal force")
