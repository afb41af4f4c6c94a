"""
Force control on a sphere
=========================

The arm of :ref:`sphx_glr_gallery_16_polishing_a_sphere.py` again. Its controller plans the motion as if there were no
ball; then equation (21) of Li et al., A f_n = a − d τ, corrects the torques so that the tool presses as asked: 20 N
and a swell of 8 N, friction included.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

here = Path(__file__).parent if "__file__" in globals() else Path.cwd()
arm = lw.load(here / "robots" / "seven_axis_arm.urdf")
tip, center, radius, friction = (0.0, 0.0, 0.1), np.array([0.55, 0.0, 0.25]), 0.2, 0.25


# %%
# A circle of latitude on the ball with its velocity and acceleration, and the force that we want.
def path(t, rate=0.9, polar=0.6):
    e, f = np.array([np.cos(rate * t), np.sin(rate * t), 0.0]), np.array([-np.sin(rate * t), np.cos(rate * t), 0.0])
    out = radius * np.sin(polar)
    return center + out * e + [0, 0, radius * np.cos(polar)], out * rate * f, -out * rate**2 * e


def wanted(t):
    return 20.0 + 8.0 * np.sin(3.0 * t)


q = np.array([0.0, 0.5, 0.0, 1.6, 0.0, 0.9, 0.0])
for _ in range(50):
    gap = path(0.0)[0] - lw.body_poses(arm, q)["tool"].apply(tip)
    q = q + np.linalg.pinv(lw.jacobian(arm, q, "tool", tip)[:3]) @ gap
v = np.linalg.pinv(lw.jacobian(arm, q, "tool", tip)[:3]) @ path(0.0)[1]
arm.constrain("tool", point=tip, surface=lw.Sphere(center, radius), friction=friction, name="ball")


# %%
# What is missing of the force is added where it does not move the arm: against the push of ball and friction on the
# tip, j_c − j_t K, for which d (j_c − j_t K) = A. Without it the arm presses as it happens.
def moving(sim):
    q, v, (place, velocity, acceleration) = sim.q, sim.v, path(sim.t)
    J, dJ = lw.jacobian(arm, q, "tool", tip)[:3], lw.jacobian_derivative(arm, q, v, "tool", tip)[:3]
    gap = place - lw.body_poses(arm, q)["tool"].apply(tip)
    inverse = np.linalg.pinv(J)
    a = inverse @ (acceleration + 20 * (velocity - J @ v) + 100 * gap - dJ @ v)
    return lw.inverse_dynamics(arm, q, v, a - (np.eye(7) - inverse @ J) @ (5 * v), contact_forces=[0.0])


def pressing(sim):
    tau, J = moving(sim), lw.jacobian(arm, sim.q, "tool", tip)[:3]
    normal = (lw.body_poses(arm, sim.q)["tool"].apply(tip) - center) / radius
    sliding = J @ sim.v / np.linalg.norm(J @ sim.v)
    missing = wanted(sim.t) - lw.contact_terms(arm, sim.q, sim.v).normal_forces(tau)[0]
    return tau - missing * J.T @ (normal - friction * sliding)


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5), layout="constrained")
for name, controller in {"motion alone": moving, "with (21)": pressing}.items():
    recording = lw.Simulation(arm, q, v, dt=5e-3, controller=controller).run(4.0, progress=False)
    t, f_n = recording.t, recording.normal_forces[:, 0]
    tips = [lw.body_poses(arm, each)["tool"].apply(tip) for each in recording.q]
    off = 1e3 * np.linalg.norm([path(s)[0] - r for s, r in zip(t, tips, strict=True)], axis=1)
    print(
        f"{name}: off the force by {np.abs(f_n - wanted(t)).max():.2g} N, off the path by {off.max():.1f} mm, at most"
    )
    left.plot(t, f_n, label=name)
    right.plot(t, off, label=name)
left.plot(t, wanted(t), "k--", label="wanted")
left.set(xlabel="t in s", ylabel="normal force, N")
right.set(xlabel="t in s", ylabel="off the path, mm")
left.legend()
right.legend()
