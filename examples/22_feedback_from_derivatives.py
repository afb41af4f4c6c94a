"""
Feedback from derivatives
=========================

LQR holds a five-bar and a platform on six legs by `linearize`; iLQR swings up a pole by derivatives along the motion.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import solve_continuous_are

import linkwork as lw


def lqr(linkage, q, motors):
    """A controller: torques that hold q against gravity, less K (δy, δẏ) in independent coordinates y = motors."""
    drives = [linkage.joints[name].v_slice.start for name in motors]
    W = lw.mobility(linkage, q, independent=motors).W[: linkage.nv]
    tau = np.zeros(linkage.nv)
    tau[drives] = W.T @ lw.gravity_torques(linkage, q)
    near = lw.linearize(linkage, q, tau=tau, independent=motors)
    B = near.B[:, drives]
    K = 1e3 * B.T @ solve_continuous_are(near.A, B, np.eye(len(near.A)), 1e-3 * np.eye(len(motors)))
    growth = np.real(near.eigenvalues).max(), np.linalg.eigvals(near.A - B @ K).real.max()
    print(f"{linkage.name}: {growth[0]:.2f} 1/s is how fast it leaves by itself, {growth[1]:.2f} 1/s with feedback")

    def torques(sim):
        out = tau.copy()
        out[drives] -= K @ np.concatenate([linkage.difference(q, sim.q)[drives], sim.v[drives]])
        return out

    return torques


# A push, and what is left of it after two seconds.
five_bar, platform = lw.samples.five_bar(), lw.samples.stewart()
pistons = [joint.name for joint in platform.joints if isinstance(joint.type, lw.Prismatic)]
for linkage, motors in ((five_bar, ["left", "right"]), (platform, pistons)):
    q = lw.close_loops(linkage, linkage.neutral())
    push = lw.consistent_velocity(linkage, q, np.linspace(0.2, 0.5, linkage.nv))
    sim = lw.Simulation(linkage, q, push, dt=1e-3, controller=lqr(linkage, q, motors))
    sim.run(2.0, progress=False)
    print(f"  pushed with {np.abs(push).max():.2f} m/s or rad/s, {np.abs(sim.q - q).max():.1e} away after 2 s")
    assert np.abs(sim.q - q).max() < 1e-2
# iLQR: linear feedback about a motion, a better motion with it, and so on. x = (q, v), one step h: v += h a, q += h v.
cart = lw.Linkage(name="cart-pole")
cart.add_body("cart", lw.Inertia.box((0.3, 0.2, 0.1), mass=1.0), joint=lw.Prismatic("x"))
cart.add_body("pole", lw.Inertia.point(0.1, (0, 0, 0.5)), joint=lw.Revolute("y"), parent="cart")
h, steps, one = 0.02, 100, np.eye(2)  # the goal is x = 0
R, Q, Qf = 1e-2, h * np.diag([0.1, 0.1, 0.1, 0.1]), np.diag([100.0, 100.0, 10.0, 10.0])


def run(x0, u, gains=None, old=(), share=1.0):
    """The motion, its pushes and its cost; with gains (k, K) about an old motion."""
    x, u, cost = [x0], u.copy(), 0.0
    for t in range(steps):
        u[t] += share * gains[t][0] + gains[t][1] @ (x[t] - old[t]) if gains else 0.0
        q, v = x[t][:2], x[t][2:]
        v = v + h * lw.forward_dynamics(cart, q, v, np.array([u[t], 0.0]))
        cost += 0.5 * x[t] @ Q @ x[t] + 0.5 * h * R * u[t] ** 2
        x.append(np.concatenate([q + h * v, v]))
    return np.array(x), u, cost + 0.5 * x[-1] @ Qf @ x[-1]


x, u, cost = run(np.array([0.0, np.pi, 0.0, 0.0]), 0.1 * np.sin(np.arange(steps)))
for _ in range(150):
    tau = np.column_stack([u, np.zeros(steps)])
    aq, av, at = lw.forward_dynamics_derivatives(cart, x[:-1, :2], x[:-1, 2:], tau)  # all steps at once
    S, s, gains = Qf, Qf @ x[-1], {}
    for t in range(steps - 1, -1, -1):
        vx, vu = np.hstack([h * aq[t], one + h * av[t]]), h * at[t, :, 0]
        A, B = np.vstack([np.hstack([one, 0 * one]) + h * vx, vx]), np.concatenate([h * vu, vu])
        quu, qux, qu = h * R + B @ S @ B + 1e-6, B @ S @ A, h * R * u[t] + B @ s
        gains[t] = -qu / quu, -qux / quu
        s, S = Q @ x[t] + A.T @ s - qux * qu / quu, Q + A.T @ S @ A - np.outer(qux, qux) / quu
    tries = [run(x[0], u, gains, x, share) for share in 0.5 ** np.arange(8)]
    x, u, cost = min([*tries, (x, u, cost)], key=lambda motion: motion[2])
print(f"cart-pole: cost {cost:.2f}, at the end {x[-1].round(3)}")
assert np.abs(x[-1]).max() < 0.1
plt.plot(x[:, :2])
