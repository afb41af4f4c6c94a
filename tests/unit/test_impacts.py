"""Shapes that touch down: closed forms, momentum, and energy, which no impact gains."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.contact_impact import impact, rest_of_bounces
from linkwork.kernels.layout.shapes import C_A, C_B, C_FRICTION, C_NORMAL, C_POINT, C_RESTITUTION, CONTACT_ROW


def ball(friction=0.0, restitution=0.0, radius=0.1):
    linkage = lw.Linkage(name="ball")
    linkage.add_body("ball", lw.Inertia.sphere(radius, mass=1.5), joint=lw.Free())
    linkage.add_shape("ball", lw.Ball(radius), friction=friction, restitution=restitution, name="skin")
    linkage.add_shape("ground", lw.Plane("z"), friction=friction, name="floor")
    return linkage


def at(height):
    return np.array([0, 0, height, 0, 0, 0, 1.0])


def test_ball_that_bounces():
    jump = lw.velocity_jump(ball(restitution=0.6), at(0.1), [0.3, 0, -2.0, 0, 0, 0], "skin")
    np.testing.assert_allclose(jump.v, [0.3, 0, 1.2, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(jump.impulse, [0, 0, 1.5 * 3.2], atol=1e-12)
    assert jump.energy_lost == pytest.approx(0.5 * 1.5 * (4 - 1.44))


def test_ball_that_is_thrown_across():
    """Much friction makes it roll, 5/7 of its speed and v/r; little takes off μ (1 + e) of what it falls with."""
    grip = lw.velocity_jump(ball(friction=0.5), at(0.1), [0.7, 0, -1.0, 0, 0, 0], "skin")
    np.testing.assert_allclose(grip.v, [0.5, 0, 0, 0, 5.0, 0], atol=1e-12)
    slip = lw.velocity_jump(ball(friction=0.1, restitution=0.5), at(0.1), [0.7, 0, -1.0, 0, 0, 0], "skin")
    np.testing.assert_allclose(slip.v[:3], [0.7 - 0.15, 0, 0.5], atol=1e-12)


def test_nothing_happens_in_the_air():
    v = np.array([0.3, 0, -2.0, 0, 1, 0])
    jump = lw.velocity_jump(ball(), at(0.2), v, "skin")
    np.testing.assert_array_equal(jump.v, v)
    assert jump.energy_lost == 0.0
    with pytest.raises(lw.ArgumentError, match="shape"):
        lw.velocity_jump(ball(), at(0.1), v, "skinn")


def test_ever_smaller_bounces_end():
    """From 1 m with e = 0.6: 1.80609456394 s after it was dropped."""
    fall = np.sqrt(2 / 9.81)
    assert fall + rest_of_bounces(0.6 * 9.81 * fall, 9.81, 0.6) == pytest.approx(1.80609456394, abs=1e-11)


def rows(rng, n, body, e):
    """Contacts of random points and directions of a body with ground."""
    out = np.zeros((n, CONTACT_ROW))
    out[:, C_A], out[:, C_B] = -1, body
    out[:, C_POINT : C_POINT + 3] = rng.normal(scale=0.3, size=(n, 3))
    normals = rng.normal(size=(n, 3)) + np.array([0, 0, 2.0])
    out[:, C_NORMAL : C_NORMAL + 3] = normals / np.linalg.norm(normals, axis=1)[:, None]
    out[:, C_FRICTION], out[:, C_RESTITUTION] = rng.uniform(0, 1.5, n), rng.uniform(0, 1) if e is None else e
    return out


def test_no_impact_gains_energy():
    linkage = lw.Linkage(name="brick", gravity=(0, 0, 0))
    linkage.add_body("brick", lw.Inertia.box((0.5, 0.3, 0.2), mass=2.0, com=(0.05, 0, 0)), joint=lw.Free())
    rng, guarded = np.random.default_rng(0), 0
    for case in range(600):
        q = linkage.random(rng)
        v, contacts = rng.normal(size=6), rows(rng, 1 + case % 4, 0, rng.uniform(0, 1))
        before = lw.momentum(linkage, q, v)
        found = impact(linkage, q, v, contacts)
        energy = lw.kinetic_energy(linkage, q, v)
        assert lw.kinetic_energy(linkage, q, found.v) <= energy * (1 + 1e-12)
        assert energy - lw.kinetic_energy(linkage, q, found.v) == pytest.approx(found.energy_lost, abs=1e-10)
        change = lw.momentum(linkage, q, found.v) - before
        np.testing.assert_allclose(change[:3], found.impulses.sum(axis=0), atol=1e-12)
        points = contacts[:, C_POINT : C_POINT + 3]
        np.testing.assert_allclose(change[3:], np.cross(points, found.impulses).sum(axis=0), atol=1e-12)
        guarded += found.share < 1.0
    assert guarded > 0  # some would have


def test_contacts_that_wedge_each_other():
    """Of ten thousand impacts of the benchmark the one that only few starts of Newton's method solve."""
    linkage = lw.Linkage(name="brick", gravity=(0, 0, 0))
    linkage.add_body("brick", lw.Inertia.box((0.5, 0.3, 0.2), mass=2.0, com=(0.05, 0, 0)), joint=lw.Free())
    rng = np.random.default_rng(1)
    for case in range(9647):
        n, q, v = 1 + case % 4, linkage.random(rng), rng.normal(size=6)
        contacts = rows(rng, n, 0, None)
    found = impact(linkage, q, v, contacts)
    assert found.energy_lost > 0.0
    assert lw.kinetic_energy(linkage, q, found.v) < lw.kinetic_energy(linkage, q, v)


def test_painleve_rod():
    """tan θ = 2, μ = 1.4, sliding with −1 m/s: G_nn − μ G_nt = −0.08 (beyond μ = 4/3)."""
    rod = lw.Linkage(name="rod", gravity=(0, 0, 0))
    rod.add_body("rod", lw.Inertia(1.0, (0, 0, 0), np.eye(3) / 12), joint=lw.Planar("y"))
    arm = 0.5 * np.array([1, 0, 2]) / np.sqrt(5)  # from its lower end to its centre
    for mu, presses in ((1.4, True), (1.3, False)):
        contact = np.zeros((1, CONTACT_ROW))
        contact[0, C_A], contact[0, C_B] = -1, rod.tree.stage[0]
        contact[0, C_NORMAL + 2], contact[0, C_FRICTION] = 1.0, mu
        axes = [lw.body_poses(rod, e).positions[0] for e in np.eye(3)[:2]]
        q = np.array([axes[0] @ arm, axes[1] @ arm, 0.0])
        found = [
            impact(rod, q, np.array([way * axes[0][0], way * axes[1][0], 0.0]), contact).painleve[0] for way in (1, -1)
        ]
        assert sorted(found) == [False, presses]
