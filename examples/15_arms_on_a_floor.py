"""
Arms that slide along a floor
=============================

The two- and three-link arms of Li et al., whose tips are kept on a floor with friction: figures 3 to 6, 9, 10, 14
and 15 of their paper drawn again. Motion, normal force and the forces in the joints all come from the same equations.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw


# %%
# Links of 1 kg and 0.5 m turn about x and point up at q = 0. The paper's numbers come out with I = m l²/3 about the
# centre of mass (a rod has m l²/12), so that is what we give. The tip is kept on the plane z = 0.
def arm(links, friction):
    linkage = lw.Linkage(name=f"{links}-link arm", gravity=(0, 0, -9.8))
    inertia = lw.Inertia(1.0, (0, 0, 0.25), np.eye(3) * 0.5**2 / 3)
    for k in range(links):
        parent, at = ("ground", lw.Pose()) if k == 0 else (f"link{k}", lw.Pose((0, 0, 0.5)))
        linkage.add_body(f"link{k + 1}", inertia, joint=lw.Revolute("x", damping=3.0), parent=parent, at=at)
    linkage.constrain(f"link{links}", point=(0, 0, 0.5), surface=lw.Plane("z"), friction=friction, name="floor")
    return linkage


# %%
# Figures 3 to 6: whatever the torques, the tip stays on the floor; its height is drawn on the right.
start = {2: [-np.pi / 6, -2 * np.pi / 3], 3: [-np.pi / 6, -np.pi / 3, -np.pi / 3]}
torques = {
    3: (2, lambda t: np.array([-3.0, 3.0])),
    4: (2, lambda t: 3 * np.sin(np.pi * t / 3) * np.ones(2)),
    5: (3, lambda t: np.array([3.0, 3.0, 3.0])),
    6: (3, lambda t: 3 * np.array([-np.cos(2 * np.pi * t), -np.sin(2 * np.pi * t), np.cos(2 * np.pi * t)])),
}
figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
for ax, (number, (links, tau)) in zip(axes.flat, torques.items(), strict=True):
    linkage = arm(links, friction=0.2)
    recording = lw.Simulation(linkage, start[links], dt=0.01, torques=lambda t, q, v, tau=tau: tau(t)).run(1.0)
    poses = lw.body_poses(linkage, recording.q.copy())
    height = poses.positions[:, -1, 2] + 0.5 * poses.rotations[:, -1, 2, 2]
    ax.plot(recording.t, recording.q, label=[f"q{k + 1}" for k in range(links)])
    ax.set(title=f"Fig. {number}", xlabel="t in s", ylabel="q in rad")
    ax.legend(loc="lower left")
    right = ax.twinx()
    right.plot(recording.t, height, "k--")
    right.set(ylabel="height of the tip in m", ylim=(-0.1, 0.1))
    print(
        f"Fig. {number}: q(1 s) = {np.round(recording.q[-1], 5)}, tip within {np.abs(height).max():.0e} m of the floor"
    )


# %%
# Figures 9, 10 and 14, 15: forces on each link from the one before it, in world axes, with friction and the normal
# force at the tip. `recording.wrenches` are in the links' own axes, so they are turned.
def draw_forces(linkage, q, tau, until, title):
    recording = lw.Simulation(linkage, q, dt=0.01, controller=lambda sim: tau).run(until)
    rotations = lw.body_poses(linkage, recording.q.copy()).rotations
    forces = np.einsum("tnij,tnj->tni", rotations, recording.wrenches[..., :3])
    _, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    for ax, axis, name in zip(axes, (1, 2), "yz", strict=True):
        ax.plot(recording.t, forces[..., axis], label=[f"f{k + 1}{name}" for k in range(linkage.nb)])
        at_tip = recording.friction_forces[:, 0, 1] if name == "y" else recording.normal_forces[:, 0]
        ax.plot(recording.t, at_tip, "k--", label="friction" if name == "y" else "f_n")
        ax.set(title=f"{title}, {name}", xlabel="t in s", ylabel="force in N")
        ax.legend()
    print(f"{title}: after {until:g} s q/π = {np.round(recording.q[-1] / np.pi, 3)}, f_n = {at_tip[-1]:.3f} N")


draw_forces(arm(2, 0.01), [-7 * np.pi / 12, np.pi / 6], np.array([0, -9.8 / 8]), 8.0, "Figs 9 and 10")
draw_forces(arm(3, 0.01), [-0.05, 0.05 - np.pi / 2, 0.05 - np.pi / 2], np.zeros(3), 8.0, "Figs 14 and 15")
