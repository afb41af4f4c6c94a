"""
Let go of the high bar
======================

A human figure of 16 degrees of freedom swings on a high bar, no muscle pulling: only the limits of its joints act, and
a little viscous friction in them. One hand lets go, later the other one, and it flies. The simulation of section VII of
Nakamura and Yamane (2000), whose forward dynamics took 25 ms; here a whole step of four of them takes some 30 µs.
"""

import time

import numpy as np

import linkwork as lw

# %%
# Both hands are on the bar by revolute joints, which close two loops. The figure starts stretched out, level with the
# bar.
gymnast, q = lw.samples.high_bar(lw.samples.human(16, damping=1.0), angle=1.4)
release, fly, end = 1.2, 1.9, 2.3


def report(when):
    """Joints' worth of coordinates, and degrees of freedom that are left of them."""
    free = lw.mobility(gymnast, sim.q).dof
    print(f"{when:24} N_J = {gymnast.nv + gymnast.nv_loop}, N_F = {free}")


def let_go(hand):
    def action(sim):
        sim.cut(hand)
        report(f"{sim.t:.3f} s, cut {hand}:")

    return action


sim = lw.Simulation(gymnast, q, dt=1e-3, limits=lw.Compliant(frequency=50.0))
report("both hands on the bar:")
sim.at(release, let_go("right_hand"))
sim.at(fly, let_go("left_hand"))

start = time.perf_counter()
recording = sim.run(end)
print(f"{end / (time.perf_counter() - start):.0f} times faster than real time, first compilation included")

# %%
# In flight the centre of mass is on a parabola and the angular momentum about it stays.
flight = recording.segments[-1]
t = flight.t - flight.t[0]
center = lw.center_of_mass(flight.linkage, flight.q)
momentum = lw.momentum(flight.linkage, flight.q, flight.v)
parabola = center[0] + momentum[0, :3] / 73.0 * t[:, None] + 0.5 * gymnast.gravity * t[:, None] ** 2
print(f"off the parabola by {np.abs(center - parabola).max():.1e} m")
spin = momentum[:, 3:] - np.cross(center, momentum[:, :3])
print(f"spin changed by {np.abs(spin - spin[0]).max():.1e} of {np.abs(spin).max():.1f} kg m²/s")

# %%
# Eight pictures of it.
recording.plot("strip", path="high_bar.png", title="High bar")
