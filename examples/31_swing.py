"""
The swing breaks
================

What happens if a swing breaks down while you are playing on it? A human figure sits on a plate between two rods and
holds on to them, no muscle pulling. A thigh that slides off the plate is free of it; and when the load at the beam is
too much for the bolts, the swing is no longer there. The second simulation of section VII of Nakamura and Yamane
(2000).
"""

import linkwork as lw

# %%
# Hands are on the rods by spherical joints, thighs slide on the plate; the joint at the beam bears 960 N.
swing, q = lw.samples.swing(angle=0.7, pivot=4.4, drag=60.0, strength=960.0)
half = 0.2  # m, of the plate


def report(when):
    free = lw.mobility(swing, sim.q).dof
    print(f"{when:28} N_J = {swing.nv + swing.nv_loop}, N_F = {free}")


sim = lw.Simulation(swing, q, dt=1e-3)
report("on the swing:")


# %%
# An event for each thigh: where is it on the plate? A seat's coordinates are (x, y, angle). Looking every hundredth of
# a second is enough; the instant is found to a nanosecond all the same.
def watch(seat):
    def beyond(sim):
        if seat not in sim.linkage.loops:
            return -half
        x = lw.loop_coordinates(sim.linkage, sim.q)[sim.linkage.loops[seat].q_slice.start - sim.linkage.nq]
        return abs(x) - half

    def leave(sim):
        sim.cut(seat)
        report(f"{sim.t:.4f} s, {seat} left:")

    sim.when(beyond, leave, direction=1, once=True, every=0.01)


watch("left_seat")
watch("right_seat")

recording = sim.run(1.4)
report("after the break:")
for event in recording.events:
    print(f"{event.time:.9f} s, {event.cause}: {event.what}")

# %%
# Eight pictures of it.
recording.plot("strip", path="swing.png", title="Swing")
