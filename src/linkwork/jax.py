"""linkwork inside JAX: functions with derivatives, for ``jax.grad``, ``jit`` and ``vmap`` (extra ``linkwork[jax]``).

Arrays leave JAX by a callback, are computed in float64 by compiled code, and come back in their own type. Gradients
with respect to q are those of its numbers: quaternions keep their length.

Examples
--------
>>> import jax, linkwork as lw                                                       # doctest: +SKIP
>>> arm = lw.samples.chain(2)                                                        # doctest: +SKIP
>>> jax.grad(lambda tau: lw.jax.forward_dynamics(arm, q, v, tau)[0])(tau)            # doctest: +SKIP
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from linkwork.adapters import forward_products, peer, summed_like, trajectory, trajectory_products
from linkwork.dynamics.forward import forward_dynamics as _forward_dynamics
from linkwork.linkage.linkage import Linkage


def _arrays(*given) -> tuple:
    return tuple(peer("jax", "JAX").numpy.asarray(x) for x in given)


def forward_dynamics(linkage: Linkage, q, v, tau):
    """Accelerations (..., nv) of ``jax.Array``, as `linkwork.forward_dynamics`; open or closed linkages."""
    forward, _ = _functions()
    return forward(linkage, *_arrays(q, v, tau))


def rollout(linkage: Linkage, q0, v0, tau, dt: float = 1e-3, steps: int = 1, *, integrator: str = "rk4"):
    """Trajectories q (..., steps + 1, nq) and v of ``jax.Array``, with gradients by the adjoint of every step.

    As `linkwork.rollout`, without joint limits; `tau` (..., steps, nv) has the torques of each step.
    """
    _, roll = _functions()
    return roll(linkage, float(dt), int(steps), integrator, *_arrays(q0, v0, tau))


@functools.cache
def _functions() -> tuple[Any, Any]:
    """Forward dynamics and rollouts as JAX knows functions with derivatives of their own."""
    jax = peer("jax", "JAX")

    def _callback(function, shapes, *arrays) -> Any:
        """Call NumPy from JAX; results have the type of the first array, and whatever `vmap` adds in front."""
        kind = arrays[0].dtype

        def host(*given):
            found = function(*(np.asarray(x, dtype=np.float64) for x in given))
            return tuple(np.asarray(x, dtype=kind) for x in found)

        results = tuple(jax.ShapeDtypeStruct(shape, kind) for shape in shapes)
        return jax.pure_callback(host, results, *arrays, vmap_method="broadcast_all")

    @functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
    def _forward(linkage: Linkage, q, v, tau):
        shape = jax.numpy.broadcast_shapes(q.shape[:-1], v.shape[:-1], tau.shape[:-1])
        (a,) = _callback(lambda q, v, tau: (_forward_dynamics(linkage, q, v, tau),), [(*shape, linkage.nv)], q, v, tau)
        return a

    def _forward_there(linkage: Linkage, q, v, tau):
        return _forward(linkage, q, v, tau), (q, v, tau)

    def _forward_back(linkage: Linkage, state, a_bar):
        full = [(*a_bar.shape[:-1], x.shape[-1]) for x in state]
        products = functools.partial(forward_products, linkage)
        return tuple(map(summed_like, _callback(products, full, *state, a_bar), state))

    _forward.defvjp(_forward_there, _forward_back)

    @functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1, 2, 3))
    def _roll(linkage: Linkage, dt: float, steps: int, integrator: str, q0, v0, tau):
        shape = jax.numpy.broadcast_shapes(q0.shape[:-1], v0.shape[:-1], tau.shape[:-2])

        states = functools.partial(trajectory, linkage, dt, steps, integrator)
        return _callback(states, [(*shape, steps + 1, linkage.nq), (*shape, steps + 1, linkage.nv)], q0, v0, tau)

    def _roll_there(linkage, dt, steps, integrator, q0, v0, tau):
        return _roll(linkage, dt, steps, integrator, q0, v0, tau), (q0, v0, tau)

    def _roll_back(linkage, dt, steps, integrator, state, bars):
        def products(q0, v0, tau, q_bar, v_bar):
            done = trajectory(linkage, dt, steps, integrator, q0, v0, tau)
            return trajectory_products(linkage, done, q_bar, v_bar)

        shape = bars[1].shape[:-2]
        full = [(*shape, linkage.nq), (*shape, linkage.nv), (*shape, steps, linkage.nv)]
        return tuple(map(summed_like, _callback(products, full, *state, *bars), state))

    _roll.defvjp(_roll_there, _roll_back)

    return _forward, _roll
