"""
Balance and reach
=================

Exact derivatives at work: a cart that keeps a pole upright, the small motions of a sprung four-bar, and an arm that
reaches for a pose.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import solve_continuous_are

import linkwork as lw

# %%
# A cart of 1 kg carries a pole: 0.1 kg at its tip, 0.5 m up. It falls from the upright pose; `linearize` says how fast.
cart = lw.Linkage(name="cart-pole")
cart.add_body("cart", lw.Inertia.box((0.3, 0.2, 0.1), mass=1.0), joint=lw.Prismatic("x"))
cart.add_body("pole", lw.Inertia.point(0.1, (0, 0, 0.5)), joint=lw.Revolute("y"), parent="cart")
upright = np.zeros(2)
near = lw.linearize(cart, upright)
print("names:", near.names, "eigenvalues:", near.eigenvalues.round(3))

# %%
# The best linear feedback, by a Riccati equation, from A and the column of B that belongs to the cart's motor.
A, B = near.A, near.B[:, :1]
gain = B.T @ solve_continuous_are(A, B, np.eye(4), np.eye(1))
print("gain:", gain.round(4))


def balance(sim):
    """Push the cart so that the pole comes to rest upright."""
    return np.array([(-gain @ np.concatenate([sim.q, sim.v]))[0], 0.0])


simulation = lw.Simulation(cart, [0.0, 0.4], [0.0, 0.0], dt=1e-3, controller=balance)
simulation.run(6.0, progress=False)
recording = simulation.recording
figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
axes.plot(recording.t, recording.q, label=["cart, m", "pole, rad"])
axes.set(xlabel="t, s", title="From 23° back to upright")
axes.legend()
print("at the end:", simulation.q.round(6))

# %%
# A four-bar on two springs: where it rests, and how it swings there. The forces in its loop are part of its stiffness.
four_bar = lw.samples.four_bar()
four_bar.add_force(lw.JointSpring("crank", 20.0, 0.3))
four_bar.add_force(lw.Spring("ground", "coupler", (-0.5, 0, 0.5), (0.5, 0, 0), 100.0, 5.0, 0.5))
rest = lw.equilibrium(four_bar, four_bar.neutral())
swing = lw.linearize(four_bar, rest, independent=["crank"])
print("rests at", rest.round(4), "and swings with", swing.eigenvalues.round(3))

# %%
# A platform on six legs is brought to a pose; its loops stay closed to rounding.
platform = lw.samples.stewart()
q = lw.close_loops(platform, platform.neutral())
wanted = lw.Pose((0.05, 0.03, 0.0)) @ lw.body_poses(platform, q)["platform"] @ lw.Pose.rpy(0.1, 0.05, -0.1)
found = lw.inverse_kinematics(platform, {"platform": wanted}, q)
print(found)
legs = [name for name in platform.joints.names if name.startswith("piston")]
print("legs, m:", np.array([found.q[platform.joints[name].q_slice][0] for name in legs]).round(4))
