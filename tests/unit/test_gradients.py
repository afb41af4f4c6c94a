"""Gradients of rollouts by adjoint: a table to all its digits, differences, every kind of joint, loops."""

import numpy as np
import pytest

import linkwork as lw


def rods():
    linkage, parent, at = lw.Linkage(name="rods"), "ground", lw.Pose()
    for name in ("upper", "lower"):
        inertia = lw.Inertia(1.0, (0, 0, -0.5), np.diag([1 / 12, 1 / 12, 0.0]))
        linkage.add_body(name, inertia, joint=lw.Revolute("y"), parent=parent, at=at)
        parent, at = name, lw.Pose((0, 0, -1.0))
    return linkage


@pytest.mark.parametrize("every", [1, 20, 200])
def test_two_rods_over_two_hundred_steps(every):
    """½|q|² + ½|v|² at the end, against the complex step."""
    done = lw.rollout(rods(), [1, -0.5], [0.3, 0.7], [0.2, -0.1], dt=5e-3, steps=200, record_every=every)
    q, v = done.q[-1], done.v[-1]
    np.testing.assert_allclose(0.5 * (q @ q + v @ v), 3.288531584353, rtol=0, atol=2e-12)
    q0, v0, tau = done.vjp(q, v)
    np.testing.assert_allclose(q0, [11.497420873, 13.449362407], rtol=0, atol=6e-10)
    np.testing.assert_allclose(v0, [-0.432075100, 0.372982224], rtol=0, atol=6e-10)
    np.testing.assert_allclose(tau, [0.331498554, -4.905026718], rtol=0, atol=6e-10)


def acceleration(q, v, tau):
    """Of `rods`, by the textbook's equations of a double pendulum: m = l = 1, I = 1/12, relative angles."""
    s, c, whole = np.sin(q[1]), np.cos(q[1]), 9.81 * np.sin(q[0] + q[1]) / 2
    H = np.array([[5 / 3 + c, 1 / 3 + c / 2], [1 / 3 + c / 2, 1 / 3 + 0 * c]])
    bias = np.array([-s * (v[0] * v[1] + v[1] ** 2 / 2) + 1.5 * 9.81 * np.sin(q[0]) + whole, s * v[0] ** 2 / 2 + whole])
    return np.linalg.solve(H, tau - bias)


def stepped(x, integrator, h, steps):
    """½|q|² + ½|v|² after steps of size h from x = (q, v, τ), which may be complex."""
    q, v, tau = x[:2], x[2:4], x[4:]
    for _ in range(steps):
        if integrator == "semi-implicit":
            v = v + h * acceleration(q, v, tau)
            q = q + h * v
            continue
        kv = [acceleration(q, v, tau)]
        kq = [v]
        for share in (h / 2, h / 2, h):
            kq.append(v + share * kv[-1])
            kv.append(acceleration(q + share * kq[-2], kq[-1], tau))
        q = q + h / 6 * (kq[0] + 2 * kq[1] + 2 * kq[2] + kq[3])
        v = v + h / 6 * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3])
    return (q @ q + v @ v) / 2


@pytest.mark.parametrize("integrator", ["semi-implicit", "rk4"])
def test_two_hundred_steps_against_the_complex_step(integrator):
    x = np.array([1, -0.5, 0.3, 0.7, 0.2, -0.1])
    exact = [stepped(x + 1e-30j * d, integrator, 5e-3, 200).imag / 1e-30 for d in np.eye(6)]
    done = lw.rollout(rods(), x[:2], x[2:4], x[4:], dt=5e-3, steps=200, integrator=integrator)
    found = np.concatenate(done.vjp(done.q[-1], done.v[-1]))
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-12 * np.abs(exact).max())


def floating():
    """Free, spherical, planar and hinge joints, with a spring."""
    linkage, box = lw.Linkage(name="floating"), lw.Inertia.box((0.3, 0.2, 0.1), mass=2.0, com=(0.1, 0, 0.05))
    linkage.add_body("base", box, joint=lw.Free())
    linkage.add_body("arm", box, joint=lw.Spherical(), parent="base", at=lw.Pose((0.15, 0, 0)))
    linkage.add_body("slider", box, joint=lw.Planar("z"), parent="arm", at=lw.Pose((0.3, 0, 0)))
    linkage.add_body("hand", box, joint=lw.Revolute("y"), parent="arm", at=lw.Pose((0.3, 0, 0)))
    linkage.add_force(lw.Spring("ground", "hand", (0.1, 0.2, 0.3), (0.1, 0, 0), 30.0, 1.0, 0.2))
    return linkage


def product(linkage, done, again, bars):
    """How a number changes along differences of whole trajectories."""
    moved = np.array([linkage.difference(a, b) for a, b in zip(done.q, again.q, strict=True)])
    return (bars[0] * moved).sum() + (bars[1] * again.v).sum()


def compare(linkage, q, v, tau, along, **options):
    """The gradient, along random directions, against differences of rollouts."""
    rng = np.random.default_rng(5)
    for integrator in ("semi-implicit", "rk4"):
        done = lw.rollout(linkage, q, v, tau, integrator=integrator, **options)
        bars = rng.normal(size=(2, *done.v.shape))
        gradient = done.vjp(*bars)
        for _ in range(2):
            d, d_tau = rng.normal(size=(2, linkage.nv)), rng.normal(size=np.shape(tau))

            def number(e, d=d, d_tau=d_tau, done=done, bars=bars, integrator=integrator):
                again = lw.rollout(linkage, *along(done, d, e), tau + e * d_tau, integrator=integrator, **options)
                return product(linkage, done, again, bars)

            def slope(function, h=1e-4):
                coarse, fine = ((function(x) - function(-x)) / (2 * x) for x in (h, h / 2))
                return (4 * fine - coarse) / 3

            dq = slope(lambda e, d=d, done=done: linkage.difference(done.q[0], along(done, d, e)[0]))
            dv = slope(lambda e, d=d, done=done: along(done, d, e)[1])
            ours = gradient.q0 @ dq + gradient.v0 @ dv + (gradient.tau[..., : linkage.nv] * d_tau).sum()
            assert abs(ours - slope(number)) <= 3e-8 * max(1.0, abs(ours))


def test_joints_of_every_kind_with_feedback():
    linkage, rng = floating(), np.random.default_rng(0)
    q, v = linkage.random(rng), rng.normal(size=linkage.nv)
    tau = 0.3 * rng.normal(size=(20, linkage.nv))

    def along(done, d, e):
        return linkage.integrate(done.q[0], e * d[0]), done.v[0] + e * d[1]

    feedback = lw.PD(q=linkage.random(rng), kp=3.0, kd=0.2)
    compare(linkage, q, v, tau, along, dt=2e-3, steps=20, record_every=5, controller=feedback)


@pytest.mark.filterwarnings("ignore::linkwork.LinkworkWarning")  # it begins beyond its limit
def test_a_limit_and_a_motor():
    linkage = lw.Linkage(name="rod")
    rod = lw.Inertia(1.0, (0, 0, -0.5), np.diag([1 / 12, 1 / 12, 0.0]))
    linkage.add_body("rod", rod, joint=lw.Revolute("y", limits=(-0.5, 0.5)))
    linkage.add_force(lw.Motor("rod", effort=0.4, speed=1.0))

    def along(done, d, e):
        return done.q[0] + e * d[0], done.v[0] + e * d[1]

    for tau, v in ((0.3, 0.95), (2.0, 0.95), (0.3, -1.6), (0.38, 0.5)):  # fading, at its end, beyond its speed, free
        torques = np.full((12, 1), tau)
        compare(linkage, [0.6], [v], torques, along, dt=1e-3, steps=12, limits=lw.Compliant(50.0, 0.7))


@pytest.mark.slow
def test_closed_linkages_with_the_projection():
    linkage, rng = lw.samples.four_bar(), np.random.default_rng(1)
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.05 * rng.normal(size=linkage.nv)))
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))

    def along(done, d, e):
        step = e * lw.consistent_velocity(linkage, done.q[0], d[0])
        moved = lw.close_loops(linkage, linkage.integrate(done.q[0], step))
        return moved, lw.consistent_velocity(linkage, moved, done.v[0] + e * d[1])

    compare(linkage, q, v, rng.normal(size=linkage.nv), along, dt=1e-3, steps=20, record_every=4)


def test_a_batch_is_its_states():
    linkage, rng = rods(), np.random.default_rng(2)
    linkage.add_force(lw.Spring("ground", "lower", (0.3, 0, 0), (0, 0, -1.0), 20.0, 1.0, 0.5))
    q, v = rng.normal(size=(2, 11, 2))
    tau, bars = rng.normal(size=(11, 30, 2)), rng.normal(size=(2, 11, 4, 2))
    whole = lw.rollout(linkage, q, v, tau, dt=5e-3, steps=30, record_every=10).vjp(*bars)
    assert [x.shape for x in whole] == [(11, 2), (11, 2), (11, 30, 2)]
    for k in range(11):
        alone = lw.rollout(linkage, q[k], v[k], tau[k], dt=5e-3, steps=30, record_every=10).vjp(*bars[:, k])
        for x, y in zip(whole, alone, strict=True):
            np.testing.assert_allclose(x[k], y, rtol=1e-10, atol=1e-12)


def test_mistakes_are_told():
    linkage = rods()
    done = lw.rollout(linkage, [0.1, 0.2], [0, 0], steps=5)
    with pytest.raises(lw.ArgumentError, match=r"q_bar has shape \(3,\)"):
        done.vjp(np.zeros(3))
    with pytest.raises(lw.ArgumentError, match="is nan: it must be finite"):
        done.vjp(None, np.full(2, np.nan))
    with pytest.raises(lw.ArgumentError, match="has no gradient"):
        lw.Rollout(done.q, done.v).vjp(np.zeros(2))
    linkage.gravity = (0, 0, -1.62)
    with pytest.raises(lw.StructureError, match="has changed since"):
        done.vjp(np.zeros(2))


@pytest.mark.nojit
def test_nothing_to_move_has_an_empty_gradient():
    plinth, none = lw.Linkage(name="plinth"), np.zeros(0)
    plinth.add_body("plinth", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Fixed())
    assert [x.shape for x in lw.rollout(plinth, none, none, steps=3).vjp(none, none)] == [(0,)] * 3
