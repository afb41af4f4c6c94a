"""
Steps
=====

A human figure walks. Its feet are connected to the ground and cut in turn: the foot that stands is held by a revolute
joint, whose motor is the ankle; the other one swings forward, and is connected where and when it touches down. A simple
controller pulls hips and knees towards a gait found by geometry, two hundred times a second.
"""

import time

import numpy as np

import linkwork as lw

# %%
# `Walker` has the figure, a pose to start from and the controller. Torques are held for five steps.
walker = lw.samples.Walker(stride=0.4, period=0.6)
sim = lw.Simulation(walker.figure, walker.q, walker.v, dt=1e-3, controller=walker.controller, control_every=5)
walker.begin(sim)
print(f"on one foot: N_J = {sim.linkage.nv + sim.linkage.nv_loop}, N_F = {lw.mobility(sim.linkage, sim.q).dof}")

start = time.perf_counter()
recording = sim.run(3.5)
print(f"{3.5 / (time.perf_counter() - start):.0f} times faster than real time, first compilation included")

# %%
# A step is an impact: the velocity jumps, and energy is lost.
for t, foot in walker.steps:
    lost = sum(event.energy_lost for event in recording.events if event.time == t)
    print(f"{t:.4f} s: {foot} foot, {lost:.2f} J lost")
print("steps of", np.diff([t for t, _ in walker.steps]).round(3), "s")
print(f"{recording.segments[-1].q[-1, 0]:.2f} m walked")

# %%
# Eight pictures of it.
recording.plot("strip", path="steps.png", title="Steps")
