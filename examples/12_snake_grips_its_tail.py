"""
A snake that grips its own tail, and lets go
============================================

A chain of eight links floats in space. Bent to a ring, it grips its tail: the structure changes while it moves,
velocities jump, and afterwards it turns as a ring. Then it lets go.
"""

import numpy as np

import linkwork as lw

links, length = 8, 0.2
snake = lw.Linkage(name="snake", gravity=(0, 0, 0))
rod = lw.Inertia.capsule(0.03, length, mass=0.5, axis="x", com=(length / 2, 0, 0))
snake.add_body("link0", rod, joint=lw.Free())
for k in range(1, links):
    snake.add_body(f"link{k}", rod, joint=lw.Revolute("z"), parent=f"link{k - 1}", at=lw.Pose((length, 0, 0)))

# %%
# Almost a ring: each joint bent by an eighth of a turn. The head moves towards the tail.
q = snake.neutral()
q[7:] = 2 * np.pi / links
v = np.zeros(snake.nv)
v[6:] = 0.3 * np.sin(np.arange(1, links))
sim = lw.Simulation(snake, q, v, dt=1e-3)


def report(what):
    energy = lw.kinetic_energy(snake, sim.q, sim.v)
    momentum = np.asarray(lw.momentum(snake, sim.q, sim.v))
    print(
        f"{sim.t:5.2f} s {what:16s} energy {energy:8.5f} J, momentum {np.abs(momentum).max():.1e}, "
        f"loops {len(snake.loops)}"
    )


report("at the start")

# %%
# The grip: a hinge between the last link's end and the first link's beginning. With the gap closed first, the two meet
# with different velocities, so that energy is lost and momentum is not.
sim.connect("link7", "link0", lw.Revolute("z"), at_a=lw.Pose((length, 0, 0)), at_b=lw.Pose(), name="grip", close=True)
report("gripped")
print("degrees of freedom:", lw.mobility(snake, sim.q).dof)
sim.run(1.0, progress=False)
report("as a ring")

# %%
# And it lets go. Nothing jumps.
force = np.linalg.norm(lw.solve(snake, sim.q, sim.v).loop_wrenches[0, :3])
print(f"force in the grip: {force:.4f} N")
sim.cut("grip")
report("let go")
sim.run(2.0, progress=False)
report("as a chain")
sim.recording.plot("strip", path="snake.png", title="Snake")
