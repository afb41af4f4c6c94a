"""
Walk on a floor
===============

A human figure walks six steps on a floor, from rest to rest. Nothing holds its feet: the corners of its soles touch the
floor, bear its weight, stick by friction, and lift. Where the floor is to push is planned first; muscles are a `PD`
controller that follows the plan.
"""

import numpy as np

import linkwork as lw

# %%
# `gait` plans the centre of mass that goes with a floor which pushes under one foot and then under the other one, and
# the angles of the legs that carry it so. Four corners of each sole may touch the floor.
figure = lw.samples.human(40, damping=0.5)
plan = lw.samples.gait(figure, steps=6, stride=0.3, period=0.7, start=-0.8)
lw.samples.on_mat(figure)

sim = lw.Simulation(figure, plan.q[0], dt=1e-3, limits="ignore", controller=lw.PD(*plan), record_every=10)
recording = sim.run(len(plan.q) * sim.dt)

# %%
# A foot that was two centimetres up comes down again.
heights = lw.body_poses(figure, recording.q).positions[:, :, 2]
for side in ("left", "right"):
    foot = heights[:, figure.bodies[f"{side}_foot"].index]
    up = foot > foot[0] + 0.02
    print(f"the {side} foot comes down at", recording.t[1:][up[:-1] & ~up[1:]].round(2), "s")

# %%
# It has walked, and it stands: its weight is on its feet.
weight = 9.81 * figure.columns.mass.sum()
walked = lw.center_of_mass(figure, sim.q)[0] - lw.center_of_mass(figure, plan.q[0])[0]
print(f"{walked:.2f} m walked, {sim.contacts.normal.sum() / weight:.3f} of its weight on the floor")
print("highest speed at the end:", f"{np.abs(sim.v).max():.2f} rad/s or m/s")

# %%
# Eight pictures of it, with the forces of the floor.
recording.plot("strip", path="walk.png", title="A walk on a floor")
