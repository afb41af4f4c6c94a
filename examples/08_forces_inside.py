"""
Forces inside a linkage
=======================

A crane turns on its mast, its jib luffs, a counterweight balances it and a load swings from a hook. Which forces do
its bearings carry? We solve for motion and joint forces at once by the principle of virtual work, check them against
Newton and Euler, and see what braking the slew does to the mast.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

# %%
# The crane branches twice: the cab carries jib and counterweight, the jib a trolley and, at its end, a beacon.
crane = lw.Linkage(name="crane")
crane.add_body("mast", lw.Inertia.box((0.6, 0.6, 12), mass=6000, com=(0, 0, 6)), joint=lw.Fixed(), joint_name="foot")
crane.add_body("cab", lw.Inertia.box((1.5, 1.2, 1.8), mass=2500, com=(0, 0, 0.9)), joint=lw.Revolute("z"),
               parent="mast", at=lw.Pose((0, 0, 12)), joint_name="slew")  # fmt: skip
crane.add_body("jib", lw.Inertia.box((20, 0.5, 0.5), mass=1800, com=(10, 0, 0)), joint=lw.Revolute("y"),
               parent="cab", at=lw.Pose((0.8, 0, 1.5)), joint_name="luff")  # fmt: skip
crane.add_body("counterweight", lw.Inertia.box((2, 1.5, 1), mass=8000, com=(-5, 0, 0)), joint=lw.Fixed(),
               parent="cab", at=lw.Pose((-0.8, 0, 1.5)), joint_name="ballast")  # fmt: skip
crane.add_body("trolley", lw.Inertia.box((0.8, 0.6, 0.3), mass=150), joint=lw.Prismatic("x"),
               parent="jib", joint_name="travel")  # fmt: skip
crane.add_body("load", lw.Inertia.sphere(0.5, mass=2000, com=(0, 0, -6)), joint=lw.Universal("x", "y"),
               parent="trolley", at=lw.Pose((0, 0, -0.2)), joint_name="hook")  # fmt: skip
crane.add_body("beacon", lw.Inertia.sphere(0.1, mass=5), joint=lw.Fixed(), parent="jib", at=lw.Pose((20, 0, 0.3)))
print(crane)

# %%
# It slews at 0.15 rad/s with the trolley at 14 m; torques hold the jib and the trolley against gravity, and a brake
# acts on the slew. One call gives accelerations and the wrench of every joint.
q, v = crane.neutral(), np.zeros(crane.nv)
q[crane.joints["travel"].q_slice] = 14.0
q[crane.joints["hook"].q_slice] = 0.03, -0.05
v[crane.joints["slew"].v_slice] = 0.15
tau = lw.gravity_torques(crane, q)
tau[crane.joints["hook"].v_slice] = 0.0  # a hook has no motor
tau[crane.joints["slew"].v_slice] = -20e3

solution = lw.solve(crane, q, v, tau, method="virtual-work")
print(f"{'joint':9} {'force [kN]':>27}{'moment [kN m]':>27}")
for joint, wrench in zip(crane.joints, solution.joint_wrenches, strict=True):
    print(f"{joint.name:9} " + "".join(f"{x / 1e3:9.2f}" for x in wrench))

# %%
# Each row is what a body receives from its parent. Newton and Euler, given the accelerations, find the same.
again = lw.joint_wrenches(crane, q, v, solution.a)
print("largest difference from Newton-Euler, N:", np.abs(again - solution.joint_wrenches).max())

# %%
# How does the moment at the foot of the mast depend on where the trolley is, at rest and while braking?
reach = np.linspace(3, 19, 50)
moments = {}
for name, brake in (("held", 0.0), ("slew braked by 20 kN m", -20e3)):
    moments[name] = []
    for x in reach:
        q[crane.joints["travel"].q_slice] = x
        tau = lw.gravity_torques(crane, q)
        tau[crane.joints["hook"].v_slice], tau[crane.joints["slew"].v_slice] = 0.0, brake
        wrenches = lw.solve(crane, q, v, tau, method="virtual-work").joint_wrenches
        moments[name].append(wrenches[crane.bodies["mast"].index, 3:] / 1e3)

fig, axes = plt.subplots(1, 3, figsize=(10, 3), sharex=True, constrained_layout=True)
for ax, k, title in zip(axes, range(3), ("about x", "about y", "about z"), strict=True):
    for name, values in moments.items():
        ax.plot(reach, np.array(values)[:, k], label=name)
    ax.set(title=f"moment at the foot, {title}", xlabel="trolley at [m]")
axes[0].set_ylabel("kN m")
axes[0].legend()
plt.show()
