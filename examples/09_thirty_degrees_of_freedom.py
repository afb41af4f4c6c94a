"""
Thirty degrees of freedom, by virtual work
==========================================

Figures 4 and 5 of Yamane and Nakamura's paper: a serial and a branched chain of ten ball joints swing under gravity,
driven by their method. Besides the motion it yields the force in every joint, which is drawn, too.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

# %%
# Ten rods on ball joints each: one after the other, and a binary tree. Both are let go from a slant.
ball = lw.Spherical()
linkages = {
    "Fig. 4, serial": lw.samples.chain(10, joint=ball, length=0.2, mass=0.5),
    "Fig. 5, branched": lw.samples.tree(10, joint=ball, length=0.2, mass=0.5),
}


def start(linkage):
    """The first rod at a slant; in the tree each rod leaves its parent to another side."""
    q, rng = linkage.neutral(), np.random.default_rng(1)
    for body, joint in zip(linkage.bodies, linkage.joints, strict=True):
        branched = body.index > 0 and linkage.name.startswith("tree")
        angle, axis = (0.7, rng.normal(size=3)) if branched else (1.3 if body.index == 0 else 0.1, (0, -1, 0.2))
        q[joint.q_slice] = lw.Pose.axis_angle(axis, angle).quaternion
    return q


# %%
# `method="virtual-work"` is used in every stage of every step. No energy is lost, so its drift tells the error of the
# integrator; another method, in the same steps, must give the same motion. Rods are drawn from the side, ground as a +.
warnings.simplefilter("ignore", lw.LinkworkWarning)  # this method is called from Python, 0.1 ms per step: we know
rods = np.array([[0, 0, 0], [0, 0, -0.2]])
figure, axes = plt.subplots(2, 5, figsize=(12, 6), layout="constrained", sharex="row", sharey="row")
forces = {}
for row, (name, linkage) in zip(axes, linkages.items(), strict=True):
    assert linkage.nv == 30
    q = start(linkage)
    recording = lw.Simulation(linkage, q, dt=1e-3, method="virtual-work").run(2.0)
    other = lw.Simulation(linkage, q, dt=1e-3, method="aba").run(2.0)
    energy = recording.energy
    swing = np.abs(energy[0] - lw.potential_energy(linkage, linkage.neutral()))
    print(
        f"{name}: energy drifts by {np.abs(energy - energy[0]).max() / swing:.0e} of the swing; "
        f"differs from ABA by {np.abs(recording.q[-1] - other.q[-1]).max():.0e} rad after 2 s"
    )
    for ax, t in zip(row, (0.0, 0.25, 0.5, 1.0, 2.0), strict=True):
        poses = lw.body_poses(linkage, recording.q[round(1000 * t)])
        for p, R in zip(poses.positions, poses.rotations, strict=True):
            x, y, z = (p + rods @ R.T).T
            ax.plot(x + 0.35 * y, z + 0.15 * y, "o-", color="C0", lw=3, ms=4, mfc="k", mec="k", markevery=[0])
        ax.plot(0, 0, "k+", ms=14)
        ax.set(title=f"t = {t:g} s", aspect="equal")
        ax.axis("off")
    row[0].text(-0.1, 0.5, name, transform=row[0].transAxes, rotation=90, va="center", fontsize=12)
    solutions = [lw.solve(linkage, recording.q[k], recording.v[k], method="virtual-work") for k in range(0, 2001, 20)]
    forces[name] = np.array([np.linalg.norm(found.joint_wrenches[:, :3], axis=1) for found in solutions])

# %%
# What the joints bear, from the same passes that gave the motion: 5 N of weight hang on the last rod of the chain, 49 N
# on the first joint.
figure, axes = plt.subplots(1, 2, figsize=(10, 3.2), layout="constrained", sharey=True)
for ax, (name, values) in zip(axes, forces.items(), strict=True):
    ax.plot(np.arange(0, 2.001, 0.02), values)
    ax.set(title=name, xlabel="t in s")
axes[0].set_ylabel("force in each joint, N")
plt.show()
