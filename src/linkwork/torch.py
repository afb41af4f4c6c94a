"""linkwork inside PyTorch: functions with derivatives, for ``backward`` (extra ``linkwork[torch]``).

Tensors are computed in float64 by compiled code on the processor, and come back in their own type. Gradients with
respect to q are those of its numbers: quaternions keep their length.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from linkwork.adapters import forward_products, peer, summed_like, trajectory, trajectory_products
from linkwork.dynamics.forward import forward_dynamics as _forward_dynamics
from linkwork.linkage.linkage import Linkage


def _numpy(x: Any) -> np.ndarray:
    return x.detach().cpu().numpy().astype(np.float64)


def _back(gradient: np.ndarray, like: Any) -> Any:
    """A gradient as a tensor like its own, summed over what that was broadcast over."""
    return peer("torch", "PyTorch").as_tensor(summed_like(gradient, like)).to(like)


def forward_dynamics(linkage: Linkage, q, v, tau):
    """Accelerations (..., nv) of ``torch.Tensor``, as `linkwork.forward_dynamics`; open or closed linkages."""
    return _functions()[0](linkage, q, v, tau)


def rollout(linkage: Linkage, q0, v0, tau, dt: float = 1e-3, steps: int = 1, *, integrator: str = "rk4"):
    """Trajectories q (..., steps + 1, nq) and v of ``torch.Tensor``, with gradients by the adjoint of every step.

    As `linkwork.rollout`, without joint limits; `tau` (..., steps, nv) has the torques of each step.
    """
    return _functions()[1](linkage, float(dt), int(steps), integrator, q0, v0, tau)


@functools.cache
def _functions() -> tuple[Any, Any]:
    """Forward dynamics and rollouts as PyTorch knows functions with derivatives of their own."""
    torch = peer("torch", "PyTorch")

    class _Forward(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, linkage: Linkage, q, v, tau):
            ctx.linkage = linkage
            ctx.save_for_backward(q, v, tau)
            return torch.as_tensor(_forward_dynamics(linkage, _numpy(q), _numpy(v), _numpy(tau))).to(q)

        @staticmethod
        def backward(ctx: Any, *bars):
            state = ctx.saved_tensors
            gradients = forward_products(ctx.linkage, *map(_numpy, (*state, bars[0])))
            return (None, *map(_back, gradients, state))

    class _Rollout(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, linkage: Linkage, dt: float, steps: int, integrator: str, q0, v0, tau):
            done = trajectory(linkage, dt, steps, integrator, *map(_numpy, (q0, v0, tau)))
            ctx.linkage, ctx.done = linkage, done
            ctx.save_for_backward(q0, v0, tau)
            return tuple(torch.as_tensor(x).to(q0) for x in done)

        @staticmethod
        def backward(ctx: Any, *bars):
            gradients = trajectory_products(ctx.linkage, ctx.done, *map(_numpy, bars))
            return (None, None, None, None, *map(_back, gradients, ctx.saved_tensors))

    return _Forward.apply, _Rollout.apply
