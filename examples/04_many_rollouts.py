"""
Many rollouts
=============

A thousand pendulums of three rods are dropped from random poses, in one call. Then a feedback law brings all to rest
upright; it is a function of our own, compiled by Numba and called inside the compiled loop.
"""

import matplotlib.pyplot as plt
import numba
import numpy as np

import linkwork as lw

pendulum = lw.samples.chain(3)
rng = np.random.default_rng(0)
q0 = np.array([pendulum.random(rng) for _ in range(1000)])
v0 = np.zeros(pendulum.nv)

# %%
# Free swinging: energy is kept by the fourth-order method, whatever each pendulum does.
q, v = lw.rollout(pendulum, q0, v0, dt=2e-3, steps=500, record_every=10, integrator="rk4")
energy = lw.kinetic_energy(pendulum, q, v) + lw.potential_energy(pendulum, q)
print(f"energy drifts by {np.ptp(energy, axis=1).max():.1e} J at most")


# %%
# Upright is q = (π, 0, 0). The law sees one state and writes its torques.
@numba.njit
def upright(t, q, v, tau):
    tau[0] = 400.0 * (np.pi - q[0]) - 150.0 * v[0]
    tau[1] = -200.0 * q[1] - 60.0 * v[1]
    tau[2] = -60.0 * q[2] - 15.0 * v[2]


held, _ = lw.rollout(pendulum, q0, v0, dt=1e-3, steps=4000, record_every=40, controller=upright)
heights = -(np.cos(held[..., 0]) + np.cos(held[..., :2].sum(-1)) + np.cos(held.sum(-1)))
print(f"{(heights[:, -1] > 2.9).sum()} of {len(q0)} stand")

t = np.linspace(0.0, 4.0, held.shape[1])
plt.plot(t, heights[::20].T, color="tab:blue", alpha=0.3, linewidth=0.8)
plt.xlabel("t (s)")
plt.ylabel("height of the tip (m)")
plt.show()
