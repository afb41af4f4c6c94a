"""
A four-bar
==========

A crank, a coupler and a rocker between two pins: the simplest closed linkage. We ask how it can move, what its pins
carry, and drive it once around.
"""

import numpy as np

import linkwork as lw

# %%
# Three rods in a chain are a tree. One more joint, the loop joint "pin", closes the loop on ground.
linkage = lw.samples.four_bar()
q = linkage.neutral()
print(linkage, linkage.loops["pin"])

# %%
# Four joints, but one degree of freedom. Three of the six rows of the constraint are redundant: they keep the loop in
# its plane, where its parallel axes keep it anyway.
mobility = lw.mobility(linkage, q, independent=["crank"])
print(mobility, "redundant rows:", mobility.redundant_rows)
print("per radian of the crank:", dict(zip(mobility.names, mobility.W_J[:, 0].round(3), strict=True)))

# %%
# At 3 rad/s, which torque at the crank alone keeps it from speeding up? The accelerations that go with a steady crank
# follow from the constraints.
v = 3.0 * mobility.W[:, 0]
for joint in ("coupler", "rocker"):
    linkage.joints[joint].actuated = False
linkage.cut("pin")
linkage.connect(
    "ground", "rocker", lw.Revolute("y", actuated=False), at_a=lw.Pose((1, 0, 0)), at_b=lw.Pose((0.8, 0, 0)), name="pin"
)
free = lw.forward_dynamics(linkage, q, v)
push = lw.forward_dynamics(linkage, q, v, [1.0, 0.0, 0.0]) - free
a = free - push * free[0] / push[0]
tau = lw.actuator_torques(linkage, q, v, a)
print("torques:", tau.round(4))
assert np.allclose(lw.forward_dynamics(linkage, q, v, tau), a)

# %%
# Forces in all pins, the loop's included.
solution = lw.solve(linkage, q, v, tau)
print(solution)
print("force on the rocker at the pin:", solution.loop_wrenches[0, :3].round(3))

# %%
# Let it turn by itself for two seconds. The loop stays closed to rounding.
sim = lw.Simulation(linkage, q, v, dt=1e-3)
sim.run(2.0, progress=False)
tip = lw.body_poses(linkage, sim.q)["rocker"].apply((0.8, 0, 0))
print("gap after two seconds:", np.abs(tip - (1, 0, 0)).max(), "m")
sim.recording.plot("strip", path="four_bar.png", title="Four-bar")
