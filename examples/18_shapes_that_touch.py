"""
Shapes that touch
=================

A box that sticks and slips on a belt, a wheel without a rim that walks down a slope, twenty dominoes, and a hand that
holds a cup by friction alone. Nothing creeps where it sticks, and no impact gains energy.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

# %%
# A box on a slope of 20°, as steep as friction allows and no more: it stays where it is, to rounding.
slope = np.radians(20)
linkage = lw.Linkage(gravity=(9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)))
linkage.add_body("box", lw.Inertia.box((0.2, 0.2, 0.2), mass=2.0), joint=lw.Free(), at=lw.Pose((0, 0, 0.1)))
linkage.add_shape("box", lw.Box((0.2, 0.2, 0.2)), friction=0.37, name="box")
linkage.add_shape("ground", lw.Plane(), name="slope", friction=1.0)
sim = lw.Simulation(linkage, dt=1e-3)
sim.run(10.0)
print(f"after 10 s: {np.abs(sim.q[:3]).max() / 10:.0e} m/s of creep, {sim.contacts['box'].mode}")
print("its corners press with", sim.contacts["box"].forces[:, 2].round(3), "N")

# %%
# Tied to a wall by a spring, a box on a belt sticks, is carried along, slips back, and sticks again.
linkage, q = lw.samples.box_on_belt(0.1, friction=0.3, static_friction=0.5, stiffness=100.0)
recording = lw.Simulation(linkage, q, dt=1e-3).run(4.0)
contacts = recording.contacts
pair = contacts["box", "belt"]
figure, axes = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
axes[0].plot(recording.t, recording.q[:, 0])
axes[0].set(ylabel="x in m")
axes[1].plot(contacts.t, contacts.friction_forces[:, pair, 0])
axes[1].set(xlabel="t in s", ylabel="friction in N")
slips = [event.time for event in recording.events if "slips" in event.what]
print("it starts to slip at", np.round(slips, 3), "s")

# %%
# A wheel without a rim: each foot that touches down takes a share of the speed, (I + m L² cos α)/(I + m L²).
linkage, q = lw.samples.rimless_wheel(8, slope=0.15)
recording = lw.Simulation(linkage, q, [1.5 * np.sin(np.pi / 8), 1.5 * np.cos(np.pi / 8), 1.5], dt=5e-4).run(4.0)
spin = recording.v[:, 2]
hits = np.flatnonzero(spin[1:] < 0.9 * spin[:-1])
kept = (0.1 + np.cos(np.pi / 4)) / 1.1
print("kept at each step:", (spin[hits + 1] / spin[hits]).round(3), f"as it must: {kept:.3f}")

# %%
# Twenty dominoes. Pairs of solids are compared by coal: ``pip install linkwork[collision]``.
linkage, q = lw.samples.dominoes(20)
recording = lw.Simulation(linkage, q, dt=2e-3, record_every=5).run(1.2)
recording.plot("strip", path="dominoes.png", title="Dominoes")
tilt = np.degrees(2 * np.arcsin(recording.q[-1].reshape(20, 7)[:, 4]))
print("they lean by", tilt.round(0), "degrees")

# %%
# A hand lifts a cup.
linkage, q = lw.samples.cup_in_hand(squeeze=12.0)


def lift(sim):
    height = 0.1 * (1 - np.cos(np.pi * min(sim.t, 1.0)))
    tau = np.zeros(linkage.nv)
    tau[0] = 9.81 + 400 * (height - sim.q[0]) - 20 * sim.v[0]
    return tau


sim = lw.Simulation(linkage, q, dt=1e-3, controller=lift, record_every=5)
recording = sim.run(1.5)
height = lw.body_poses(linkage, sim.q)["cup"].position[2] - 0.05
print(f"the cup is {height:.3f} m above the table, held by {[c.mode for c in sim.contacts if c.normal > 0]}")
recording.plot("strip", "contacts", path="cup.png", title="A cup in a hand")
