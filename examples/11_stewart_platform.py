"""
A Stewart platform, driven by its legs
======================================

Six legs, each a universal joint, a piston and a ball, carry a platform. Only the pistons have motors. They move the
platform along a circle, against gravity.
"""

import numpy as np

import linkwork as lw

linkage = lw.samples.stewart()
q, v = linkage.neutral(), np.zeros(linkage.nv)
mobility = lw.mobility(linkage, q)
print(linkage)
print(mobility.dof, "degrees of freedom;", len(mobility.actuated), "motors:", mobility.actuated)

# %%
# What the legs must push for the platform to stand still.
pistons = [linkage.joints[f"piston{k}"].v_slice.start for k in range(6)]
hold = lw.actuator_torques(linkage, q, v, np.zeros(linkage.nv))
print("forces of the legs, N:", hold[pistons].round(2))


# %%
# A circle of 10 cm in two seconds. The platform's acceleration is what the circle asks for plus a correction of where
# it is; the accelerations of all joints follow by least squares on the loops, and motor forces from those.
def controller(sim):
    w, t = np.pi, sim.t
    point = np.array([0.1 * (np.cos(w * t) - 1), 0.1 * np.sin(w * t), 0.0])
    velocity = 0.1 * w * np.array([-np.sin(w * t), np.cos(w * t), 0.0])
    wanted = np.concatenate([-0.1 * w**2 * np.array([np.cos(w * t), np.sin(w * t), 0.0]), np.zeros(3)])
    pose = lw.body_poses(sim.linkage, sim.q)["platform"]
    twist = lw.body_velocities(sim.linkage, sim.q, sim.v)[-1]
    wanted[:3] += 400 * (start + point - pose.position) + 40 * (velocity - twist[:3])
    R = pose.rotation
    tilt = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    wanted[3:] -= 400 * tilt + 40 * twist[3:]
    mobility = lw.mobility(sim.linkage, sim.q)
    J = lw.jacobian(sim.linkage, sim.q, "platform") @ mobility.W
    rest = lw.forward_dynamics(sim.linkage, sim.q, sim.v)  # consistent accelerations to start from
    there = lw.body_accelerations(sim.linkage, sim.q, sim.v, rest)[-1]
    a = rest + mobility.W @ np.linalg.solve(J, wanted - there)
    return lw.actuator_torques(sim.linkage, sim.q, sim.v, a)


start = lw.body_poses(linkage, q)["platform"].position
sim = lw.Simulation(linkage, q, v, dt=5e-3, controller=controller)
for k in range(4):
    sim.run(0.5 * (k + 1), progress=False)
    moved = lw.body_poses(linkage, sim.q)["platform"].position - start
    print(f"t = {sim.t:.1f} s: the platform is at", (moved * 100).round(2), "cm")
sim.recording.plot("strip", path="stewart.png", title="Stewart platform")
