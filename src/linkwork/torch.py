"""linkwork inside PyTorch: functions with derivatives, for ``backward`` (extra ``linkwork[torch]``).

Tensors are computed in float64 by compiled code on the processor, and come back in their own type. Gradients with
respect to q are those of its numbers: quaternions keep their length.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

import numpy as np

from linkwork.dynamics.derivatives import forward_dynamics_vjp
from linkwork.dynamics.forward import forward_dynamics as _forward_dynamics
from linkwork.dynamics.tangent import array_gradient, tangent_gradient
from linkwork.errors import LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.rollouts import rollout as _rollout


def _torch() -> Any:
    """PyTorch, imported when it is first needed."""
    try:
        return import_module("torch")
    except ImportError:
        raise LinkworkError("linkwork.torch needs PyTorch: pip install linkwork[torch]") from None


def _numpy(x: Any) -> np.ndarray:
    return x.detach().cpu().numpy().astype(np.float64)


def _back(gradient: np.ndarray, like: Any) -> Any:
    """A gradient as a tensor like its own, summed over what that was broadcast over."""
    extra = gradient.ndim - like.ndim
    gradient = gradient.sum(axis=tuple(range(extra)))
    ones = tuple(k for k, (n, m) in enumerate(zip(gradient.shape, like.shape, strict=True)) if n != m)
    return _torch().as_tensor(gradient.sum(axis=ones, keepdims=True)).to(like)


def forward_dynamics(linkage: Linkage, q, v, tau):
    """Accelerations, as `linkwork.forward_dynamics`; open or closed linkages.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) torch.Tensor
    v, tau : (..., nv) torch.Tensor

    Returns
    -------
    a : (..., nv) torch.Tensor
    """
    return _functions()[0](linkage, q, v, tau)


def rollout(linkage: Linkage, q0, v0, tau, dt: float = 1e-3, steps: int = 1, *, integrator: str = "rk4"):
    """Trajectories, as `linkwork.rollout`, with gradients by the adjoint of every step.

    Parameters
    ----------
    linkage : Linkage
    q0 : (..., nq) torch.Tensor
    v0 : (..., nv) torch.Tensor
    tau : (..., steps, nv) torch.Tensor
        Torques of each step.
    dt, steps, integrator
        As of `linkwork.rollout`; joint limits are left out.

    Returns
    -------
    q, v : (..., steps + 1, nq) and (..., steps + 1, nv) torch.Tensor
    """
    return _functions()[1](linkage, float(dt), int(steps), integrator, q0, v0, tau)


@functools.cache
def _functions() -> tuple[Any, Any]:
    """Forward dynamics and rollouts as PyTorch knows functions with derivatives of their own."""
    torch = _torch()

    class _Forward(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, linkage: Linkage, q, v, tau):
            ctx.linkage = linkage
            ctx.save_for_backward(q, v, tau)
            return torch.as_tensor(_forward_dynamics(linkage, _numpy(q), _numpy(v), _numpy(tau))).to(q)

        @staticmethod
        def backward(ctx: Any, *bars):
            state = ctx.saved_tensors
            q, v, tau = map(_numpy, state)
            q_bar, v_bar, tau_bar = forward_dynamics_vjp(ctx.linkage, q, v, tau, _numpy(bars[0]))
            gradients = array_gradient(ctx.linkage, q, q_bar), v_bar, tau_bar
            return (None, *map(_back, gradients, state))

    class _Rollout(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, linkage: Linkage, dt: float, steps: int, integrator: str, q0, v0, tau):
            done = _rollout(
                linkage, _numpy(q0), _numpy(v0), _numpy(tau), dt, steps, integrator=integrator, limits="ignore"
            )  # fmt: skip
            ctx.linkage, ctx.done = linkage, done
            ctx.save_for_backward(q0, v0, tau)
            return tuple(torch.as_tensor(x).to(q0) for x in done)

        @staticmethod
        def backward(ctx: Any, *bars):
            linkage, done = ctx.linkage, ctx.done
            gradient = done.vjp(tangent_gradient(linkage, done.q, _numpy(bars[0])), _numpy(bars[1]))
            first = array_gradient(linkage, done.q[..., 0, :], gradient.q0)
            gradients = first, gradient.v0, gradient.tau[..., : linkage.nv]
            return (None, None, None, None, *map(_back, gradients, ctx.saved_tensors))

    return _Forward.apply, _Rollout.apply
