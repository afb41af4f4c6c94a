"""
Jump off a swing
================

A figure sits on a swing and swings forward. Halfway down it lets go of the rods, rises from the plate, lands on its
feet and stands, while a friend catches the empty swing. Hands and thighs are on the swing by loop joints that are cut;
soles touch the mat, which holds them by friction alone.
"""

import numpy as np

import linkwork as lw

# %%
# Four corners of each sole may touch the mat. Muscles, a `PD` controller, hold the pose of one who sits, and then that
# of one who stands with bent knees.
figure, sitting = lw.samples.swing(lw.samples.human(40, damping=0.5), angle=0.4, pivot=2.6, drag=60.0)
lw.samples.on_mat(figure)
kp, kd, standing = lw.samples.crouch(figure, 0.6)
off, dt = 0.33, 1e-3
poses = np.vstack([np.tile(sitting, (round(off / dt), 1)), standing])
sim = lw.Simulation(figure, sitting, dt=dt, limits="ignore", controller=lw.PD(kp, kd, poses), record_every=10)


def let_go(sim):
    for joint in ("left_hand", "right_hand", "left_seat", "right_seat"):
        sim.cut(joint)


def catch(sim):
    sim.connect("ground", "swing", lw.Fixed(), name="friend")


sim.at(off, let_go)
sim.when(lambda sim: sim.v[sim.linkage.joints["pivot"].v_slice][0] if sim.t > 0.8 else -1.0, catch, once=True)
recording = sim.run(3.5)

# %%
# What happened: the first corner that touches down, and the catch, where the swing turns back.
for event in recording.events:
    if "cut" in event.what or "connect" in event.what:
        print(f"{event.time:.4f} s: {event.what}")
landing = next(event for event in recording.events if "touches" in event.what)
print(f"{landing.time:.4f} s: {landing.what}, {landing.energy_lost:.1f} J lost")

# %%
# It stands: at rest, its weight on its feet.
linkage, weight = sim.linkage, 9.81 * (sim.linkage.columns.mass.sum() - 6.0)  # without the swing's 6 kg
speed = np.abs(sim.v[linkage.joints["base"].v_slice]).max()
print(f"{sim.contacts.normal.sum() / weight:.3f} of its weight is on the mat, at {speed:.2f} m/s or rad/s")

# %%
# Eight pictures of it, with the forces of the mat.
recording.plot("strip", path="jump.png", title="Off the swing")
