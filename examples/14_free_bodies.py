"""
Free-body diagrams of arms on a floor
=====================================

Figures 8, 11, 13 and 16 of Li et al.: snapshots of a two- and a three-link arm whose tips slide along a floor, and
every force on every link at the instants that the paper discusses. Forces over mass must be the acceleration.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw


# %%
# The arms of :ref:`sphx_glr_gallery_15_arms_on_a_floor.py`, with K = 0.01, let go until they hardly move.
def arm(links):
    linkage = lw.Linkage(name=f"{links}-link arm", gravity=(0, 0, -9.8))
    inertia = lw.Inertia(1.0, (0, 0, 0.25), np.eye(3) * 0.5**2 / 3)
    for k in range(links):
        parent, at = ("ground", lw.Pose()) if k == 0 else (f"link{k}", lw.Pose((0, 0, 0.5)))
        linkage.add_body(f"link{k + 1}", inertia, joint=lw.Revolute("x", damping=3.0), parent=parent, at=at)
    linkage.constrain(f"link{links}", point=(0, 0, 0.5), surface=lw.Plane("z"), friction=0.01, name="floor")
    return linkage


cases = {
    "Figs 8 and 11": (arm(2), [-7 * np.pi / 12, np.pi / 6], np.array([0, -9.8 / 8]), (0.1, 4.85)),
    "Figs 13 and 16": (arm(3), [-0.05, 0.05 - np.pi / 2, 0.05 - np.pi / 2], np.zeros(3), (3.01, 3.95)),
}
recordings = {
    name: lw.Simulation(linkage, q, dt=0.01, controller=lambda sim, tau=tau: tau).run(8.0)
    for name, (linkage, q, tau, _) in cases.items()
}

# %%
# Snapshots: six instants of each, from light to dark.
figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for ax, (name, (linkage, *_)) in zip(axes, cases.items(), strict=True):
    for shade, k in zip(np.linspace(0.15, 1.0, 6), (0, 60, 150, 300, 395, 800), strict=True):
        poses = lw.body_poses(linkage, recordings[name].q[k])
        tip = poses.positions[-1] + poses.rotations[-1] @ [0, 0, 0.5]
        line = np.vstack([poses.positions, tip])
        ax.plot(line[:, 1], line[:, 2], "o-", color="C0", alpha=shade, label=f"t = {k / 100:g} s")
    ax.axhline(0, color="k", lw=0.8)
    ax.set(title=name, xlabel="y in m", ylabel="z in m", aspect="equal")
    ax.legend(fontsize="small")


# %%
# Free bodies. At each end of a link the force of its neighbour or of the floor, in its middle the weight, 25 N to the
# metre; their sum over m, which is the acceleration, in red.
def free_bodies(ax, linkage, q, v, tau):
    found, poses = lw.solve(linkage, q, v, tau), lw.body_poses(linkage, q)
    force = np.einsum("nij,nj->ni", poses.rotations, found.joint_wrenches[:, :3])
    force = np.vstack([force, -(found.normal_forces[0] * np.array([0, 0, 1.0]) + found.friction_forces[0])])
    for k, R in enumerate(poses.rotations):
        middle = np.array([0, 1.4 * k, 0])  # links side by side
        top, end = middle - R @ [0, 0, 0.25], middle + R @ [0, 0, 0.25]
        ax.plot(*np.array([top, end])[:, 1:].T, color="C0", lw=4, alpha=0.6)
        total = force[k] - force[k + 1] + linkage.gravity
        J = lw.jacobian(linkage, q, linkage.bodies[k], (0, 0, 0.25))[:3]
        s = J @ found.a + lw.jacobian_bias(linkage, q, v, linkage.bodies[k], (0, 0, 0.25))[:3]
        assert np.abs(total - s).max() < 1e-9  # (38)–(41), with m = 1 kg
        for at, vector in ((top, force[k]), (end, -force[k + 1]), (middle, linkage.gravity)):
            ax.annotate("", (at + vector / 25)[1:], at[1:], arrowprops={"arrowstyle": "->"})
        ax.annotate(f"s̈ = ({s[1]:.3f}, {s[2]:.3f}) m/s²", (middle[1], -0.8), color="C3", fontsize=8, ha="center")
    ax.set(aspect="equal", xlim=(-0.7, 1.4 * linkage.nb - 0.7), ylim=(-0.9, 0.9), xticks=[], yticks=[])


figure, axes = plt.subplots(2, 2, figsize=(10, 6.5), layout="constrained")
for row, (name, (linkage, _, tau, times)) in zip(axes, cases.items(), strict=True):
    for ax, t in zip(row, times, strict=True):
        free_bodies(ax, linkage, recordings[name].q[round(100 * t)], recordings[name].v[round(100 * t)], tau)
        ax.set_title(f"{name}: t = {t:g} s")
