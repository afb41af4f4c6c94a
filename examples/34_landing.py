"""
Land on your feet
=================

The figure of the high bar lets go, falls, lands on its feet on a mat and stands. Springs and dampers in ankles, knees
and hips hold a crouch; all else is contact: the corners of its soles touch, slip, stick and bear its weight.
"""

import numpy as np

import linkwork as lw

# %%
# Hands hold the bar by loop joints, four corners of each sole may touch the mat. Muscles are a `PD` controller.
figure, q = lw.samples.high_bar(lw.samples.human(40, damping=0.5), angle=0.1)
lw.samples.on_mat(figure, height=0.2)
kp, kd, pose = lw.samples.crouch(figure, arms=q)
sim = lw.Simulation(figure, q, dt=5e-4, limits="ignore", controller=lw.PD(kp, kd, pose), record_every=20)


def let_go(sim):
    sim.cut("left_hand")
    sim.cut("right_hand")


sim.at(0.35, let_go)
recording = sim.run(3.0)

# %%
# What happened, and that it stands: at rest, its weight on its feet.
for event in recording.events[:6]:
    print(f"{event.time:.4f} s: {event.what}")
weight = 9.81 * figure.columns.mass.sum()
share = sim.contacts.normal.sum() / weight
print(f"it stands: {np.abs(sim.v).max():.1e} rad/s or m/s, {share:.4f} of its weight on the mat")
print("its centre of mass is at", lw.center_of_mass(figure, sim.q).round(3), "m")

# %%
# The figure on its way, and its energy: the fall, the landing, and what springs keep.
recording.plot("strip", "energies", path="landing.png", title="Landing")
