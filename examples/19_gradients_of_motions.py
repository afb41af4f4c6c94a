"""
Gradients of motions
====================

An arm finds the torques that carry it to a pose by the gradient of the whole trajectory; and PyTorch learns from a
motion which torque made it, JAX how to throw (where they are installed: ``pip install linkwork[torch,jax]``).
"""

import importlib.util

import numpy as np
from scipy.optimize import minimize

import linkwork as lw

# Torques of every step, by the gradient of the whole motion: bring the arm to a pose, at rest, with little effort.
arm, steps, dt = lw.samples.chain(2), 100, 1e-2
target = np.array([0.8, -0.5])


def cost(x):
    """Distance from the target and speed at the end, and effort; with the gradient by the torques."""
    tau = x.reshape(steps, 2)
    done = lw.rollout(arm, [0.0, 0.0], [0.0, 0.0], tau, dt=dt, steps=steps)
    off, speed = done.q[-1] - target, done.v[-1]
    value = 100.0 * off @ off + 10.0 * speed @ speed + 1e-3 * dt * (x @ x)
    gradient = done.vjp(q_bar=200.0 * off, v_bar=20.0 * speed).tau.ravel() + 2e-3 * dt * x
    return value, gradient


found = minimize(cost, np.zeros(2 * steps), jac=True, method="L-BFGS-B", options={"maxiter": 200})
print(f"arm: cost {cost(np.zeros(2 * steps))[0]:.1f} → {found.fun:.4f} in {found.nit} iterations")
assert found.fun < 1.0


def learn(torch):
    """PyTorch: which constant torque made this motion?"""
    observed, _ = lw.rollout(arm, [0.3, 0.2], [0.0, 0.0], [0.4, -0.2], dt=dt, steps=40, limits="ignore")
    seen, start, still = torch.tensor(observed), torch.tensor([0.3, 0.2]).double(), torch.zeros(2).double()
    guess = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([guess], max_iter=50, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        moved, _ = lw.torch.rollout(arm, start, still, guess.expand(40, 2), dt, 40)
        loss = ((moved - seen) ** 2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return guess.detach().numpy()


if importlib.util.find_spec("torch"):
    torque = learn(importlib.import_module("torch"))
    print("torque found by PyTorch:", torque.round(4))
    assert np.allclose(torque, [0.4, -0.2], atol=1e-3)
else:
    print("PyTorch is not installed: its part is left out")


def throw(jax):
    """JAX: which velocities bring the arm to a pose in 40 steps?"""
    jax.config.update("jax_enable_x64", True)
    start, none = np.array([0.3, 0.2]), np.zeros((40, 2))

    @jax.jit
    @jax.value_and_grad
    def loss(v):
        moved, _ = lw.jax.rollout(arm, start, v, none, dt, 40)
        return ((moved[-1] - target) ** 2).sum()

    found = minimize(lambda v: [np.asarray(x) for x in loss(v)], np.zeros(2), jac=True, tol=1e-12)
    return found.x, found.fun


if importlib.util.find_spec("jax"):
    speeds, left = throw(importlib.import_module("jax"))
    print("velocities found by JAX:", speeds.round(4), "error", left)
    assert left < 1e-6
