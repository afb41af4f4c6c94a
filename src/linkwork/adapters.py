"""What adapters to JAX and PyTorch share: functions of arrays, and the products with their derivatives."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from linkwork.dynamics.derivatives import forward_dynamics_vjp
from linkwork.dynamics.tangent import array_gradient, tangent_gradient
from linkwork.errors import LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.gradients import Rollout
from linkwork.simulation.rollouts import rollout


def peer(module: str, name: str) -> Any:
    """A package that linkwork adapts to, imported when it is first needed."""
    try:
        return import_module(module)
    except ImportError:
        raise LinkworkError(f"linkwork.{module} needs {name}: pip install linkwork[{module}]") from None


def forward_products(linkage: Linkage, q, v, tau, a_bar) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients by the numbers in q, v and tau of a number with the gradient `a_bar` by the accelerations."""
    q_bar, v_bar, tau_bar = forward_dynamics_vjp(linkage, q, v, tau, a_bar)
    return array_gradient(linkage, q, q_bar), v_bar, tau_bar


def trajectory(linkage: Linkage, dt: float, steps: int, integrator: str, q0, v0, tau) -> Rollout:
    """States, joint limits left out."""
    return rollout(linkage, q0, v0, tau, dt, steps, integrator=integrator, limits="ignore")


def trajectory_products(linkage: Linkage, done: Rollout, q_bar, v_bar) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients by the numbers in q0, v0 and tau of a number with these gradients by those in the states."""
    gradient = done.vjp(tangent_gradient(linkage, done.q, q_bar), v_bar)
    first = array_gradient(linkage, done.q[..., 0, :], gradient.q0)
    return first, gradient.v0, gradient.tau[..., : linkage.nv]


def summed_like(gradient: Any, like: Any) -> Any:
    """A gradient summed over what its array was broadcast over."""
    extra = gradient.ndim - like.ndim
    gradient = gradient.sum(axis=tuple(range(extra)))
    ones = tuple(k for k, (n, m) in enumerate(zip(gradient.shape, like.shape, strict=True)) if n != m)
    return gradient.sum(axis=ones, keepdims=True) if ones else gradient
