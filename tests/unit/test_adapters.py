"""JAX and PyTorch: values and gradients are those of linkwork; skipped where they are not installed."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.tangent import array_gradient, tangent_gradient


def floating():
    linkage, box = lw.Linkage(name="floating"), lw.Inertia.box((0.3, 0.2, 0.1), mass=2.0, com=(0.1, 0, 0.05))
    linkage.add_body("base", box, joint=lw.Free())
    linkage.add_body("arm", box, joint=lw.Spherical(), parent="base", at=lw.Pose((0.15, 0, 0)))
    linkage.add_body("slider", box, joint=lw.Planar("z"), parent="arm", at=lw.Pose((0.3, 0, 0)))
    linkage.add_body("hand", box, joint=lw.Revolute("y"), parent="arm", at=lw.Pose((0.3, 0, 0)))
    return linkage


def test_gradients_by_numbers_and_in_the_tangent_space():
    linkage, rng = floating(), np.random.default_rng(0)
    q, g, step = linkage.random(rng), rng.normal(size=linkage.nq), 1e-6
    ends = [[linkage.integrate(q, s * step * e) for s in (1.0, -1.0)] for e in np.eye(linkage.nv)]
    tangent = tangent_gradient(linkage, q, g)
    np.testing.assert_allclose(tangent, [(ahead - behind) @ g / (2 * step) for ahead, behind in ends], atol=1e-8)
    np.testing.assert_allclose(tangent_gradient(linkage, q, array_gradient(linkage, q, tangent)), tangent, atol=1e-13)


def states(count):
    linkage, rng = lw.samples.chain(3), np.random.default_rng(1)
    return linkage, *rng.normal(size=(4, count, 3))


def test_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    linkage, q, v, tau, bar = states(5)

    def number(q, v, tau):
        return (bar * lw.jax.forward_dynamics(linkage, q, v, tau)).sum()

    ours = lw.forward_dynamics_vjp(linkage, q, v, tau, bar)
    for gradient, product in zip(jax.jit(jax.grad(number, (0, 1, 2)))(q, v, tau), ours, strict=True):
        np.testing.assert_allclose(gradient, product, rtol=1e-12, atol=1e-12)
    each = jax.vmap(lambda q, v: lw.jax.forward_dynamics(linkage, q, v, tau[0]))(q, v)
    np.testing.assert_allclose(each, lw.forward_dynamics(linkage, q, v, tau[0]), rtol=1e-13)
    shared = jax.grad(lambda x: (bar * lw.jax.forward_dynamics(linkage, q, v, x)).sum())(tau[0])
    np.testing.assert_allclose(shared, lw.forward_dynamics_vjp(linkage, q, v, tau[0], bar)[2].sum(axis=0), rtol=1e-12)
    torques = np.ones((5, 10, 3))
    loss = lambda q, v, tau: (lw.jax.rollout(linkage, q, v, tau, 1e-2, 10)[0][:, -1] * bar).sum()  # noqa: E731
    done = lw.rollout(linkage, q, v, torques, 1e-2, 10, limits="ignore").vjp(bar)
    for gradient, product in zip(jax.grad(loss, (0, 1, 2))(q, v, torques), done, strict=True):
        np.testing.assert_allclose(gradient, product, rtol=1e-10, atol=1e-12)


def test_torch():
    torch = pytest.importorskip("torch")
    linkage, q, v, tau, bar = states(5)
    inputs = [torch.tensor(x, requires_grad=True) for x in (q, v, tau)]
    a = lw.torch.forward_dynamics(linkage, *inputs)
    np.testing.assert_allclose(a.detach().numpy(), lw.forward_dynamics(linkage, q, v, tau), rtol=1e-13)
    (a * torch.tensor(bar)).sum().backward()
    for x, product in zip(inputs, lw.forward_dynamics_vjp(linkage, q, v, tau, bar), strict=True):
        np.testing.assert_allclose(x.grad.numpy(), product, rtol=1e-12, atol=1e-12)
    torques = torch.ones(5, 10, 3, dtype=torch.float64, requires_grad=True)
    moved, _ = lw.torch.rollout(linkage, torch.tensor(q), torch.tensor(v), torques, 1e-2, 10)
    (moved[:, -1] * torch.tensor(bar)).sum().backward()
    done = lw.rollout(linkage, q, v, np.ones((5, 10, 3)), 1e-2, 10, limits="ignore").vjp(bar)
    np.testing.assert_allclose(torques.grad.numpy(), done.tau, rtol=1e-10, atol=1e-12)
