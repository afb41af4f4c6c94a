"""
Let go in mid-swing
===================

A pendulum of two rods swings; in mid-swing the lower rod is let go and flies, and the rest swings on. We look
at the instants, at the energy, and at the flight, which must be a parabola.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

# %%
# Two rods hang from the ceiling, pulled aside. Rods that will fly need a thickness: a line has no moment about itself.
length = 0.5
rod = lw.Inertia.cylinder(0.02, length, mass=1.0, com=(0, 0, -length / 2))

pendulum = lw.Linkage(name="pendulum")
pendulum.add_body("upper", rod, joint=lw.Revolute("y"), at=lw.Pose((0, 0, 2)), joint_name="ceiling")
pendulum.add_body("lower", rod, joint=lw.Revolute("y"), parent="upper", at=lw.Pose((0, 0, -length)), joint_name="knee")
sim = lw.Simulation(pendulum, q=[1.2, 0.2], dt=1e-3)

# %%
# An event is a condition and an action. Here: when the upper rod swings through the vertical for the second time,
# cut the knee. The instant is found to a nanosecond, whatever the step.
passes = []


def through_the_vertical(sim):
    passes.append(sim.t)
    if len(passes) == 2:
        sim.cut("knee")


sim.when(lambda sim: sim.q[0], through_the_vertical)
recording = sim.run(2.0)
for event in recording.events[:2]:
    print(f"{event.time:.9f} s: {event.what}, energy lost {event.energy_lost:.1e} J")

# %%
# The cut gave q another length, so the recording has two segments. Energy is conserved through both.
swinging, flying = recording.segments
print("coordinates:", swinging.q.shape[1], "before,", flying.q.shape[1], "after")
energy = recording.energy
print(f"energy changed by {np.abs(energy - energy[0]).max():.1e} J of {recording.kinetic.max():.1f} J moved")

# %%
# A body is followed by its name through all segments. Its centre of mass flies a parabola.
track = recording["lower"]
center = track.position + track.rotation @ np.array([0, 0, -length / 2])
flight = center[track.t >= flying.t[0]][1:]
t = flying.t - flying.t[0]
parabola = np.polynomial.Polynomial.fit(t, flight[:, 2], 2).convert().coef
print(f"acceleration in flight: {2 * parabola[2]:.9f} m/s²")

figure, axes = plt.subplots()
axes.plot(center[:, 0], center[:, 2])
axes.plot(*flight[0, [0, 2]], "o")
axes.set(xlabel="x, m", ylabel="z, m", title="Centre of the lower rod", aspect="equal")
